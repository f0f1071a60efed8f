"""A button with one of our icons, coloured by theme and purpose."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QColor, QIcon, QKeySequence
from PySide6.QtWidgets import QPushButton, QWidget

from app.controls.keys import PressedByEnter
from app.controls.kind import plain_tooltip, set_kind
from app.guard import guarded
from app.style import sizes
from app.style.current import Style
from app.style.icons import icon
from app.style.theme import Theme

_GAP: Final = 0.25


@guarded
class IconButton(QPushButton):
    """An icon with an optional text; the tooltip names the shortcut."""

    def __init__(
        self,
        style: Style,
        name: str,
        tip: str,
        shortcut: str = "",
        text: str = "",
        parent: QWidget | None = None,
    ) -> None:
        """Make a button; `tip` is also the accessible name, `shortcut` is text like "Ctrl+Z".

        A button with a text alone has no `name`.
        """
        super().__init__(text, parent)
        self._style = style
        self._name = name
        self._action: QAction | None = None
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setProperty("only", "" if text else "icon")
        self.set_tip(tip, shortcut)
        PressedByEnter(self)
        style.changed.connect(self._restyle)
        self._restyle()

    def set_icon(self, name: str) -> None:
        """Change the icon, for example from play to pause."""
        if name != self._name:
            self._name = name
            self._restyle()

    def set_kind(self, kind: str) -> None:
        """Set the purpose: primary, forward, backward, question, asking, mistake, quiet, offer,
        aside, or later for a button that leads on once something is done.
        """
        set_kind(self, kind)
        self._restyle()

    def set_icon_last(self) -> None:
        """Put the icon after the text."""
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
        self._restyle()

    def set_tip(self, tip: str, shortcut: str = "") -> None:
        """Set the tooltip and its shortcut."""
        keys = QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.NativeText)
        self.setToolTip(plain_tooltip(f"{tip} ({keys})" if keys else tip))
        self.setAccessibleName(tip)

    def bind(self, action: QAction) -> None:
        """Trigger an action, and be enabled and checked like it."""
        self._action = action
        self.setCheckable(action.isCheckable())
        self.clicked.connect(action.trigger)
        action.changed.connect(self._follow)
        self._follow()

    def setText(self, text: str) -> None:
        super().setText(text)
        set_kind(self, "" if text else "icon", part="only")
        self._restyle()

    def _follow(self) -> None:
        if self._action is not None:
            self.setEnabled(self._action.isEnabled())
            self.setChecked(self._action.isChecked())

    def _restyle(self) -> None:
        if not self._name:  # a text alone
            self.setIcon(QIcon())
            return
        theme = self._style.theme
        kind = str(self.property("kind") or "")
        gap = self._gap()
        color, checked = _color(theme, kind), _checked_color(theme, kind)
        self.setIcon(icon(self._name, theme, color, checked, gap))
        side = self._style.px(sizes.ICON)
        self.setIconSize(QSize(side + round(side * abs(gap)), side))

    def _gap(self) -> float:
        """Return the gap between icon and text."""
        if not self.text():
            return 0.0
        is_last = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        return -_GAP if is_last else _GAP


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
