"""The lines at the top: brand, menus and the document's name; the toolbar."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from app.controls.layouts import fill_background, in_row, plain_label, rule
from app.controls.painted_buttons import IconButton
from app.guard import exception_safe
from app.style import sizes
from app.style.current import Style
from app.style.mark import paint_mark
from app.window.actions import Actions, tooltip_of
from app.window.context import Context
from app.workbench.playback.view_state import ViewState

_LEFT_MARGIN = 14
"""Space before the logo, in px at 100 %."""
_LOGO = 20
"""Side of the logo, in px at 100 %."""
_NAME_MARGIN = 6
"""Space on either side of the name, in px at 100 %."""
_BRAND_WIDTH = _LEFT_MARGIN + _LOGO + 2 * _NAME_MARGIN
"""Width of the brand without its name, in px at 100 %."""


@exception_safe
class Brand(QWidget):
    """The logo and the name at the left end."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._shows_name = True
        self._style.changed.connect(self._resize)
        self._resize()

    def set_shows_name(self, named: bool) -> None:
        """Show the name next to the logo, or the logo alone."""
        if named != self._shows_name:
            self._shows_name = named
            self._resize()

    @property
    def name_width(self) -> int:
        return QFontMetrics(self._style.font("heading")).horizontalAdvance("Backwire")

    def _resize(self) -> None:
        width = self.name_width if self._shows_name else 0
        self.setFixedWidth(width + self._style.px(_BRAND_WIDTH))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        px, theme = self._style.px, self._style.theme
        with QPainter(self) as painter:
            side = px(_LOGO)
            top = (self.height() - side) // 2
            paint_mark(painter, QRect(px(_LEFT_MARGIN), top, side, side).toRectF(), theme)
            if not self._shows_name:
                return
            painter.setPen(theme.text)
            painter.setFont(self._style.font("heading"))
            area = self.rect().adjusted(px(_LEFT_MARGIN + _LOGO + _NAME_MARGIN), 0, 0, 0)
            painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, "Backwire")


@exception_safe
class TopLine(QWidget):
    """The first line of the window: the brand, the menus, and the document's name in the middle."""

    def __init__(self, context: Context, menus: QWidget) -> None:
        super().__init__(context.shell.widget)
        self._document = context.document
        self._style = context.style
        self._menus = menus
        fill_background(self, "panel")
        self.name = plain_label(kind="secondary", parent=self)
        self._bottom_rule = rule(parent=self)
        self._brand = Brand(context.style, self)
        in_row(self._brand, menus, 1, parent=self, edges=(0, 0, 0, 1), gap=0)
        self._mode = ""
        self._playback = context.playback
        self._playback.shown.connect(self._on_view_state)
        self._style.changed.connect(self._resize)
        self._resize()

    def _resize(self) -> None:
        self.setFixedHeight(self._style.px(sizes.MENU))
        self._lay_out()

    def _on_view_state(self, shown: ViewState) -> None:
        mode = self._playback.now.mode.title
        if shown.change.file or mode != self._mode:
            self._mode = mode
            self._lay_out()

    def _lay_out(self) -> None:
        """Show the brand's name, and the document's name in the middle, if they fit."""
        logo_and_menus = self._menus.sizeHint().width() + self._style.px(_BRAND_WIDTH)
        self._brand.set_shows_name(logo_and_menus + self._brand.name_width <= self.width())
        document = self._document
        name = document.title
        parts = (name, "edited" if document.edited else "", self._mode)
        self.name.setText(", ".join(part for part in parts if part) if name else "")
        self.name.adjustSize()
        left = (self.width() - self.name.width()) // 2
        self.name.move(left, (self.height() - self.name.height()) // 2)
        left_end = (  # of the brand and the menus, and a gap
            self._brand.width() + self._menus.sizeHint().width() + self._style.px(sizes.SPACES[4])
        )
        self.name.setVisible(bool(name) and left > left_end)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._bottom_rule.setGeometry(0, self.height() - 1, self.width(), 1)
        self._lay_out()


_MIN_EXPRESSION_WIDTH = 280
"""Width of the expression below which Forward and Backward lose their texts, in px at 100 %."""
_BUTTON_TEXTS = {"forward": "Forward", "backward": "Backward"}
"""Texts of buttons by action id, which is also the kind of the button in the style sheet."""


@exception_safe
class Toolbar(QWidget):
    """A row of buttons around the expression; in a narrow window all are icons only.

    In a low window, which folds the menu bar, `menus` has all of its menus.
    """

    def __init__(
        self, style: Style, actions: Actions, expression: QWidget, menu_bar: QMenuBar
    ) -> None:
        super().__init__()
        self._style, self._expression = style, expression
        fill_background(self, "panel")
        self.setAccessibleName("Toolbar")
        names = ("undo", "redo", "forward", "backward", "arrange", "export")
        self._buttons = {name: self._button(actions, name) for name in names}
        self._buttons["forward"].set_icon_last()
        undo, redo, *others = self._buttons.values()
        edge, gap = sizes.SPACES[2], sizes.SPACES[1]
        self.menus = IconButton(style, "menu", "All menus", parent=self)
        self.menus.hide()
        self.menus.clicked.connect(self._open_menus)
        self._menu_bar = menu_bar
        parts = (self.menus, undo, redo, (expression, 1), *others)
        self._row = in_row(*parts, parent=self, style=style, edges=(edge, 0, edge, 0), gap=gap)
        self._bottom_rule = rule(parent=self)
        style.changed.connect(self._restyle)
        self._restyle()

    def buttons(self) -> list[IconButton]:
        return list(self._buttons.values())

    def _button(self, actions: Actions, name: str) -> IconButton:
        qaction = actions[name]
        action = qaction.data()
        text = _BUTTON_TEXTS.get(name, "")
        button = IconButton(self._style, action.icon, tooltip_of(action), text=text, parent=self)
        if text:
            button.set_kind(name)
        button.bind(qaction)
        button.setObjectName(f"button-{name}")
        return button

    def _open_menus(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(self._menu_bar.actions())
        menu.popup(self.menus.mapToGlobal(self.menus.rect().bottomLeft()))

    def _restyle(self) -> None:
        self.setFixedHeight(self._style.px(sizes.TOOLBAR))
        if self.isVisible():
            self._show_texts_that_fit()

    def _show_texts_that_fit(self) -> None:
        """Show the texts if they leave the expression `_MIN_EXPRESSION_WIDTH`."""
        self._show_texts(True)
        buttons_width = sum(button.sizeHint().width() for button in self.buttons())
        buttons_width += (
            self._row.spacing() * len(self._buttons) + 2 * self._row.contentsMargins().left()
        )
        self._show_texts(self.width() - buttons_width >= self._style.px(_MIN_EXPRESSION_WIDTH))

    def _show_texts(self, shown: bool) -> None:
        for name, text in _BUTTON_TEXTS.items():
            button = self._buttons[name]
            if bool(button.text()) != shown:
                button.setText(text if shown else "")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._bottom_rule.setGeometry(0, self.height() - 1, self.width(), 1)
        self._show_texts_that_fit()
