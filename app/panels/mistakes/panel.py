"""The mistakes panel: what the mistake is, which nodes are wrong and why, the referee, the hunt."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from app.controls.layouts import (
    PANEL_EDGES,
    Part,
    fill_background,
    in_column,
    in_row,
    plain_label,
    scroll_area,
)
from app.controls.rich_line import RichLine
from app.guard import guarded
from app.panels.mistakes.hunt_part import HuntPart
from app.panels.mistakes.numbers_part import NumbersPart
from app.panels.mistakes.wrong_part import RefereePart, WrongPart
from app.style.current import Style
from app.workbench.playback.playback import Playback
from app.workbench.runners.hunt_runner import HuntRunner
from app.workbench.study.lab import differing_lines
from engine.rules import CORRECT, UNKNOWN, Rules

NO_MISTAKE = "No mistake is on. Switch one on in Mistakes, or hunt for one that is drawn for you."

_MARGIN = 12
"""Space left around an answer that is scrolled to, in px."""


@guarded
class MistakesPanel(QWidget):
    """Introduces the mistake that is on before anything runs, then says what it does."""

    node_chosen = Signal(int)
    """Emitted with a wrong node that was clicked."""
    left = Signal()
    """Emitted when the keyboard may go back to the canvas."""

    def __init__(
        self, style: Style, playback: Playback, hunting: HuntRunner, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._style, self._playback, self._hunting = style, playback, hunting
        fill_background(self, "panel")
        self.setAccessibleName("Mistakes")
        self.title = plain_label(kind="strong", wraps=True)
        self.sentence = plain_label(kind="secondary", wraps=True)
        self.code = RichLine(style, font_role="interface")
        self.none = plain_label(NO_MISTAKE, "secondary", wraps=True)
        self.begin_hunt = QPushButton("Hunt for one")
        self.begin_hunt.setProperty("kind", "question")
        self.hunt = HuntPart(style, hunting)
        self.wrong = WrongPart(style)
        self.referee = RefereePart(style)
        self.mend = QPushButton("Find, explain, fix")
        self.mend.setProperty("kind", "question")
        self.back = QPushButton("Back to correct")
        self.numbers = NumbersPart(style)
        self._intro, self._none, self._buttons = self._parts()
        lines = [_line() for _ in range(4)]
        self._lines = dict(
            zip((self.hunt, self.wrong, self.referee, self.numbers), lines, strict=True)
        )
        page = QWidget()
        parts: list[Part] = [self._none, self._intro]
        for part, line in self._lines.items():
            parts += [line, part]
            if part is self.referee:
                parts.append(self._buttons)
        in_column(*parts, 1, parent=page, edges=0, gap=0)
        self._area = scroll_area(page)
        in_column(self._area, parent=self, edges=0)
        self._connect()
        self._refresh()

    def _parts(self) -> tuple[QWidget, QWidget, QWidget]:
        left = Qt.AlignmentFlag.AlignLeft
        card, code, intro, none, buttons = QFrame(), QFrame(), QWidget(), QWidget(), QWidget()
        card.setProperty("kind", "mistake")
        code.setProperty("kind", "code")
        style = self._style
        in_column(self.title, self.sentence, parent=card, style=style, edges=10, gap=4)
        in_column(self.code, parent=code, style=style, edges=8)
        heading = plain_label("The lines that differ", "strong")
        in_column(card, heading, code, parent=intro, style=style, edges=PANEL_EDGES, gap=8)
        parts = (self.none, (self.begin_hunt, left))
        in_column(*parts, parent=none, style=style, edges=PANEL_EDGES, gap=8)
        edges = (14, 0, 14, 12)
        in_row(self.mend, self.back, 1, parent=buttons, style=style, edges=edges, gap=8)
        return intro, none, buttons

    def _connect(self) -> None:
        playback = self._playback
        playback.shown.connect(self._refresh)
        self._style.changed.connect(self._refresh)
        self.mend.clicked.connect(self._begin_to_mend)
        self.begin_hunt.clicked.connect(self._begin_hunt)
        self.back.clicked.connect(lambda: playback.set_rules(CORRECT))
        self.numbers.run_wanted.connect(self._run)
        self.numbers.answered.connect(
            self._show_answer, Qt.ConnectionType.QueuedConnection
        )  # once the answer is laid out
        self.wrong.node_chosen.connect(self.node_chosen)
        self.hunt.left.connect(self.left)

    def _begin_to_mend(self) -> None:
        self._hunting.begin_to_mend()
        self.left.emit()  # steps are looked for by keys

    def _begin_hunt(self) -> None:
        self._hunting.begin()
        self.left.emit()

    def _run(self, rules: Rules) -> None:
        """Run a mistake to its end."""
        self._playback.set_rules(rules)
        if self._playback.phase == "backward" or self._playback.backward():
            self._playback.to_end()

    def _show_answer(self) -> None:
        """Scroll to what was found, as far as the field that is typed into stays in sight."""
        for part in (self.numbers.answer, self.focusWidget()):
            if self.numbers.isAncestorOf(part):
                self._area.ensureWidgetVisible(part, 0, _MARGIN)

    def _refresh(self) -> None:
        """Show the mistake; a hidden panel is refreshed when it is shown."""
        if not self.isVisible():
            return
        now, digits = self._playback.now, self._style.digits
        hunt, rules, frame = self._hunting.now, now.rules, now.frame
        known = rules is not CORRECT and rules is not UNKNOWN
        self._intro.setVisible(known and hunt is None)  # it would answer what is asked
        self.title.setText(rules.title)
        self.sentence.setText(rules.sentence)
        self.code.set_spans(differing_lines(rules))
        self._none.setVisible(not known and hunt is None)
        self.hunt.setVisible(hunt is not None)
        if hunt is None:
            self.hunt.end()
        else:
            self.hunt.show_hunt(hunt, now.true_trace)
        asked = now.quiz is not None
        hides = asked or (hunt is not None and hunt.stage != "done")  # it would answer
        beside = None if hides else now.comparison
        self.wrong.show_wrong(frame, beside, digits)
        self.referee.show_referee(frame, beside)
        self._buttons.setVisible(known and hunt is None)
        self.mend.setVisible(not asked)
        self.numbers.show_graph(frame.graph)
        if hides:
            self.numbers.hide()
        for part, line in self._lines.items():
            line.setVisible(not part.isHidden())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()


def _line() -> QFrame:
    line = QFrame()
    line.setProperty("kind", "rule")
    return line
