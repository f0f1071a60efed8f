"""PaintedButton, base of buttons that paint themselves; IconButton, with one of our icons.

PaintedButton(style)                  a subclass paints itself, `paint_box` its background
IconButton(style, "play", "Play")     `bind(action)` makes it the button of an action
push_button("Run", "primary")         one with a text alone, which Enter presses
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QAction, QColor, QIcon, QKeySequence, QPainter
from PySide6.QtWidgets import QAbstractButton, QPushButton, QWidget

from app.controls.focus import PressedByEnter
from app.controls.layouts import plain_tooltip, set_kind
from app.guard import exception_safe
from app.style import sizes
from app.style.current import Style
from app.style.icons import icon
from app.style.strokes import paint_box
from app.style.theme import Theme


@exception_safe
class PaintedButton(QAbstractButton):
    """Base of tiles, cards and chips: focusable by Tab, with hover state, follows the style."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        PressedByEnter(self)
        style.changed.connect(self._restyle)

    def set_title(self, title: str, hint: str = "") -> None:
        """Set a text that may be painted cut off; the tooltip has it whole, above a hint."""
        self.setText(title)
        self.setToolTip(plain_tooltip(f"{title}\n{hint}".rstrip()))

    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()

    def paint_box(
        self, painter: QPainter, fill: QColor, line: QColor, radius: float, width: float = 1.0
    ) -> None:
        """Paint the button's background, with the focus ring in place of its line."""
        focused = self.hasFocus()
        line, width = (self._style.theme.selection, 2.0) if focused else (line, width)
        paint_box(painter, QRectF(self.rect()), fill, line, self._style.px(radius), width)


def push_button(text: str = "", kind: str = "", parent: QWidget | None = None) -> QPushButton:
    """Return a button that Enter presses, too; `kind` is that of the style sheet."""
    button = QPushButton(text, parent)
    button.setProperty("kind", kind)
    PressedByEnter(button)
    return button


_ICON_GAP: Final = 0.25
"""Gap between icon and text, as a multiple of the icon's side."""


@exception_safe
class IconButton(QPushButton):
    """An icon with an optional text; the tooltip names the shortcut."""

    def __init__(
        self,
        style: Style,
        icon_name: str,
        tooltip: str,
        shortcut: str = "",
        text: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """Make a button; `tooltip` is also the accessible name, `shortcut` is text like "Ctrl+Z".

        `icon_name` is "" for a button with only a text.
        """
        super().__init__(text, parent)
        self._style = style
        self._icon_name = icon_name
        self._action: QAction | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setProperty("only", "" if text else "icon")  # square in the style sheet
        self.set_tooltip(tooltip, shortcut)
        PressedByEnter(self)
        style.run_now_and_on_change(self._restyle)

    def set_icon(self, icon_name: str) -> None:
        """Change the icon, for example from play to pause."""
        if icon_name != self._icon_name:
            self._icon_name = icon_name
            self._restyle()

    def set_kind(self, kind: str) -> None:
        """Set the kind of the style sheet, which also colours the icon.

        One of primary, forward, backward, question, asking, mistake, quiet, offer, aside, or later,
        for a button that leads on once something is done.
        """
        set_kind(self, kind)
        self._restyle()

    def set_icon_last(self) -> None:
        """Show the icon after the text, for which Qt has no other way than this direction."""
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self._restyle()

    def set_tooltip(self, tooltip: str, shortcut: str = "") -> None:
        keys = QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.NativeText)
        self.setToolTip(plain_tooltip(f"{tooltip} ({keys})" if keys else tooltip))
        self.setAccessibleName(tooltip)

    def bind(self, action: QAction) -> None:
        """Trigger an action on click, and mirror its enabled and checked state."""
        self._action = action
        self.setCheckable(action.isCheckable())
        self.clicked.connect(action.trigger)
        action.changed.connect(self._mirror_action)
        self._mirror_action()

    def setText(self, text: str) -> None:
        super().setText(text)
        set_kind(self, "" if text else "icon", name="only")
        self._restyle()

    def _mirror_action(self) -> None:
        if self._action is not None:
            self.setEnabled(self._action.isEnabled())
            self.setChecked(self._action.isChecked())

    def _restyle(self) -> None:
        if not self._icon_name:
            self.setIcon(QIcon())
            return
        theme = self._style.theme
        # a style sheet colours texts alone
        kind = str(self.property("kind") or "")
        gap = self._gap()
        color, checked = _color(theme, kind), _checked_color(theme, kind)
        self.setIcon(icon(self._icon_name, theme, color, checked, gap))
        side = self._style.px(sizes.ICON)
        self.setIconSize(QSize(side + round(side * abs(gap)), side))

    def _gap(self) -> float:
        """Return the gap right of the icon; negative for one left of it, as `icon` takes it."""
        if not self.text():
            return 0.0
        is_last = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        return -_ICON_GAP if is_last else _ICON_GAP


def _color(theme: Theme, kind: str) -> QColor:
    return {
        "primary": theme.panel,
        "forward": theme.on_fill,
        "backward": theme.on_fill,
        "question": theme.selection,
        "asking": theme.on_fill,
        "mistake": theme.error,
        "offer": theme.selection,
        "aside": theme.secondary,
        "later": theme.secondary,
    }.get(kind, theme.text)


def _checked_color(theme: Theme, kind: str) -> QColor:
    return theme.selection if kind in ("", "quiet") else _color(theme, kind)
