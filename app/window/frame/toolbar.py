"""The toolbar: undo and redo, the expression, the passes, Ask, mistakes, arrange, export."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QMenu, QWidget

from app.controls.icon_button import IconButton
from app.controls.kind import set_kind
from app.controls.layouts import fill_background, in_row
from app.controls.row_visibility import row_width, show_only, taken_away
from app.guard import guarded
from app.style import sizes
from app.window.actions import Actions, tip_of
from app.window.context import Context
from engine.rules import CORRECT, MISTAKES

ASKING: tuple[tuple[str, str], ...] = (
    ("cover", "Cover"),
    ("predict", "Ask me"),
    ("by_hand", "By hand"),
    ("hunt", "Hunt"),
)
"""The actions in the menu of Ask, each with the word that the button shows while it is on."""
_ASK = "Ask", "Ask for the next number before it is shown"
_ROOM_FOR_EXPRESSION = 280
_LEAST_FOR_EXPRESSION = 160
"""Widths in px at 100 % below which texts, then buttons, make room for the expression."""
_NARROWEST_EXPRESSION = 120
"""Least width of the expression, in px at 100 %."""
_RULE = 24
"""Height of the lines between buttons, in px at 100 %."""
_BELOW_BUTTON = 4
"""Gap between a button and its menu, in px."""


@guarded
class Toolbar(QWidget):
    """A row that drops texts before it drops buttons."""

    def __init__(
        self,
        context: Context,
        actions: Actions,
        mistakes: QMenu,
        ask_for: QMenu,
        expression: QWidget,
    ) -> None:
        super().__init__()
        self._playback = context.playback
        self._style = context.style
        self._actions = actions
        self._ask_menu = QMenu(self)
        self._small = False
        self._has_size = False
        self._expression = expression
        self._words: list[tuple[IconButton, str]] = []
        self._lines: list[QFrame] = []
        self._widgets: tuple[QWidget, ...] = ()
        self._spare: tuple[QWidget, ...] = ()
        fill_background(self, "panel")
        self.setAccessibleName("Toolbar")
        self._mistakes = self._button("mistakes", "Mistakes", "Switch a classic mistake on")
        self._mistakes.clicked.connect(partial(self._show_menu, self._mistakes, mistakes))
        self._ask = self._button("predict", *_ASK)
        self._fill_ask_menu(ask_for)
        self._fill()
        self._edge = QFrame(self)
        self._edge.setProperty("kind", "rule")
        self._edge.setFixedHeight(1)
        for rules in (CORRECT, *MISTAKES):
            actions[f"rules-{rules.name}"].toggled.connect(self._follow_rules)
        self._style.changed.connect(self._restyle)
        self._restyle()
        self._follow_rules()

    @property
    def mistakes(self) -> IconButton:
        """Return the button that opens the list of mistakes, and shows the current one."""
        return self._mistakes

    @property
    def ask(self) -> IconButton:
        """Return the button that opens the ways to ask, and shows the one that is on."""
        return self._ask

    @property
    def ask_menu(self) -> QMenu:
        """Return the menu of the ways to ask."""
        return self._ask_menu

    def buttons(self) -> list[IconButton]:
        """Return the buttons that are shown, from left to right."""
        found = (w for w in self._widgets if isinstance(w, IconButton) and w.isVisible())
        return list(found)

    def set_small(self, small: bool) -> None:
        """Show arrange and export as icons and no lines, as a small window needs it."""
        if small != self._small:
            self._small = small
            self._fit()

    def _fill_ask_menu(self, ask_for: QMenu) -> None:
        self._ask.clicked.connect(partial(self._show_menu, self._ask, self._ask_menu))
        self._ask_menu.aboutToShow.connect(partial(self._actions.draw_icons, self._ask_menu))
        for name, _word in ASKING:
            self._ask_menu.addAction(self._actions[name])
            self._actions[name].toggled.connect(self._follow_asking)
        self._ask_menu.addSeparator()
        self._ask_menu.addMenu(ask_for)
        for name in ("friendly", "save_report"):
            self._ask_menu.addAction(self._actions[name])

    def _fill(self) -> None:
        forward = self._for("forward", "Forward", "forward")
        forward.set_icon_last()
        undo, redo = self._for("undo"), self._for("redo")
        arrange, export = self._for("arrange"), self._for("export", "Export")
        self._widgets = (
            undo,
            redo,
            self._line(),
            self._expression,
            self._line(),
            forward,
            self._for("backward", "Backward", "backward"),
            self._for("zero_grad", "Zero grad"),
            self._line(),
            self._ask,
            self._mistakes,
            self._line(),
            arrange,
            export,
        )
        parts = ((widget, int(widget is self._expression)) for widget in self._widgets)
        edge, gap = sizes.SPACES[2], sizes.SPACES[1]
        edges = (edge, 0, edge, 0)
        self._row = in_row(*parts, parent=self, style=self._style, edges=edges, gap=gap)
        self._export = export
        self._spare = (*self._lines, arrange, export, redo, undo)

    def _for(self, name: str, text: str = "", kind: str = "") -> IconButton:
        """Return a button for an action of the table."""
        made = self._actions[name]
        action = made.data()
        button = self._button(action.icon, text, tip_of(action))
        if kind:
            button.set_kind(kind)
        button.bind(made)
        button.setObjectName(f"button-{name}")
        return button

    def _button(self, icon: str, text: str, tip: str) -> IconButton:
        button = IconButton(self._style, icon, tip, text=text, parent=self)
        if text:
            self._words.append((button, text))
        return button

    def _line(self) -> QFrame:
        line = QFrame(self)
        line.setProperty("kind", "rule")
        self._lines.append(line)
        return line

    def _show_menu(self, button: IconButton, menu: QMenu) -> None:
        menu.popup(button.mapToGlobal(QPoint(0, button.height() + _BELOW_BUTTON)))

    def _follow_asking(self) -> None:
        """Name the way to ask that is on."""
        now = [word for name, word in ASKING if self._actions[name].isChecked()]
        self._name(self._ask, now[0] if now else _ASK[0])
        self._ask.set_kind("question" if now else "")
        self._fit()

    def _name(self, button: IconButton, text: str) -> None:
        """Set the text of a button for windows that have room for it."""
        self._words = [(b, text if b is button else t) for b, t in self._words]

    def _follow_rules(self) -> None:
        rules = self._playback.rules
        wrong = rules != CORRECT
        text = f"Mistake: {rules.title}" if wrong else "Mistakes"
        self._name(self._mistakes, text)
        self._mistakes.set_kind("mistake" if wrong else "")
        self._mistakes.set_tip(
            f"Mistake on: {rules.sentence}" if wrong else "Switch a classic mistake on"
        )
        self._fit()

    def _restyle(self) -> None:
        px = self._style.px
        self.setFixedHeight(px(sizes.TOOLBAR))
        for line in self._lines:
            line.setStyleSheet(f"min-height: {px(_RULE)}px; max-height: {px(_RULE)}px;")
            line.setFixedWidth(1)
        self._expression.setMinimumWidth(px(_NARROWEST_EXPRESSION))
        self._fit()

    def _fit(self) -> None:
        """Show texts if they leave the expression enough space, else icons, else fewer buttons.

        Hidden buttons remain available in the menus. Before Qt gives the row its size, nothing is
        known to fit.
        """
        if not self._has_size:
            return
        shown = {w for w in self._widgets if w in self._spare or not taken_away(w)}
        if self._small:
            shown -= {*self._lines}
        for button, text in self._words:
            _word(button, "" if self._small and button is self._export else text)
        if self._lacks(_ROOM_FOR_EXPRESSION, shown):
            self._drop_words(shown)
        for widget in self._spare:
            if self._lacks(_LEAST_FOR_EXPRESSION, shown):
                shown.discard(widget)
        show_only(self._spare, shown)

    def _drop_words(self, shown: set[QWidget]) -> None:
        """Show icons alone; the names of what is on are dropped last."""
        named = [b for b, _text in self._words if b.property("kind") in ("mistake", "question")]
        for button, _text in self._words:
            if button not in named:
                _word(button, "")
        if self._lacks(_LEAST_FOR_EXPRESSION, shown):
            for button in named:
                _word(button, "")

    def _lacks(self, room: int, shown: set[QWidget]) -> bool:
        """Return whether these widgets leave the expression less than `room` px."""
        edges = self._row.contentsMargins()
        rest = [widget for widget in shown if widget is not self._expression]
        used = row_width(rest, self._row.spacing()) + edges.left() + edges.right()
        return used + self._row.spacing() + self._style.px(room) > self.width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._has_size = True
        self._edge.setGeometry(0, self.height() - 1, self.width(), 1)
        self._fit()


def _word(button: IconButton, text: str) -> None:
    if button.text() != text:
        button.setText(text)
        set_kind(button, "" if text else "icon", "only")
