"""The toolbar: undo and redo, the expression, the passes, arrange, export."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QWidget

from app.controls.icon_button import IconButton
from app.controls.layouts import fill_background, in_row
from app.guard import guarded
from app.style import sizes
from app.style.current import Style
from app.window.actions import Actions, tip_of

_LEAST_EXPRESSION = 280
"""Width below which the passes are shown as icons, in px at 100 %."""
_WORDS = {"forward": "Forward", "backward": "Backward"}
"""The buttons with a text, which is also their kind."""


@guarded
class Toolbar(QWidget):
    """A row of buttons around the expression, without texts where it has little room."""

    def __init__(self, style: Style, actions: Actions, expression: QWidget) -> None:
        super().__init__()
        self._style, self._expression = style, expression
        fill_background(self, "panel")
        self.setAccessibleName("Toolbar")
        names = ("undo", "redo", "forward", "backward", "arrange", "export")
        self._buttons = {name: self._button(actions, name) for name in names}
        self._buttons["forward"].set_icon_last()
        undo, redo, *others = self._buttons.values()
        edge, gap = sizes.SPACES[2], sizes.SPACES[1]
        parts = (undo, redo, (expression, 1), *others)
        self._row = in_row(*parts, parent=self, style=style, edges=(edge, 0, edge, 0), gap=gap)
        self._edge = QFrame(self)
        self._edge.setProperty("kind", "rule")
        self._edge.setFixedHeight(1)
        style.changed.connect(self._restyle)
        self._restyle()

    def buttons(self) -> list[IconButton]:
        """Return the buttons, from left to right."""
        return list(self._buttons.values())

    def _button(self, actions: Actions, name: str) -> IconButton:
        made = actions[name]
        action = made.data()
        text = _WORDS.get(name, "")
        button = IconButton(self._style, action.icon, tip_of(action), text=text, parent=self)
        if text:
            button.set_kind(name)
        button.bind(made)
        button.setObjectName(f"button-{name}")
        return button

    def _restyle(self) -> None:
        self.setFixedHeight(self._style.px(sizes.TOOLBAR))
        if self.isVisible():
            self._fit()

    def _fit(self) -> None:
        """Show the texts if they leave the expression enough space."""
        self._show_texts(True)
        taken = sum(button.sizeHint().width() for button in self.buttons())
        taken += self._row.spacing() * len(self._buttons) + 2 * self._row.contentsMargins().left()
        self._show_texts(self.width() - taken >= self._style.px(_LEAST_EXPRESSION))

    def _show_texts(self, shown: bool) -> None:
        for name, text in _WORDS.items():
            button = self._buttons[name]
            if bool(button.text()) != shown:
                button.setText(text if shown else "")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._edge.setGeometry(0, self.height() - 1, self.width(), 1)
        self._fit()
