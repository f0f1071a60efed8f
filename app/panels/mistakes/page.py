"""The page Mistakes: the mistake, the wrong nodes with causes, the referee, the hunt."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from app.controls.icon_button import IconButton
from app.controls.keys import PressedByEnter
from app.controls.layouts import in_column, in_row, plain_label
from app.controls.panel import Block, Page
from app.controls.row_list import RowList
from app.guard import guarded
from app.panels.mistakes.choose_part import ChoosePart
from app.panels.mistakes.printed_part import PrintedPart
from app.panels.mistakes.wrong_part import RefereePart, WrongPart
from app.style.current import Style
from app.workbench.playback.playback import Playback
from app.workbench.runners.hunt_runner import HuntRunner
from engine.rules import CORRECT, UNKNOWN, Rules

if TYPE_CHECKING:
    from app.panels.mistakes.hunt_part import HuntPart


@guarded
class MistakesPage(Page):
    """Introduces the mistake that is on before a pass runs, then shows its effects."""

    node_chosen = Signal(int)
    """Emitted with a wrong node that was clicked."""

    def __init__(
        self, style: Style, playback: Playback, hunting: HuntRunner, parent: QWidget | None = None
    ) -> None:
        super().__init__(style, "Mistakes", parent)
        self._playback, self._hunting = playback, hunting
        self.choose = ChoosePart(style)
        self.begin_hunt = _hunt_button(style)
        self.begin_hunt.setProperty("edges", "narrow")
        row = in_row(self.begin_hunt, plain_label("one is drawn; you find it", "caption"), 1, gap=8)
        self.offer = Block(style, "", row)
        self._hunt: HuntPart | None = None
        self._hunt_place = in_column(edges=0, gap=0)
        self.wrong = WrongPart(style)
        self.referee = RefereePart(style)
        self.printed = PrintedPart(style)
        self.mend = QPushButton("Find, explain, fix")
        self.mend.setProperty("kind", "question")
        PressedByEnter(self.mend)
        self.next_hunt = _hunt_button(style)
        self.add(
            self.choose, self.offer, self._hunt_place, self.wrong, self.referee, self.printed, 1
        )
        self.set_foot((self.mend, 1), (self.next_hunt, 1))
        self._connect()

    def _connect(self) -> None:
        self.follow(self._playback.shown)
        self.choose.wanted.connect(self._playback.set_rules)
        self.choose.first_wanted.connect(self._go_to_first)
        self.mend.clicked.connect(self._begin_to_mend)
        for button in (self.begin_hunt, self.next_hunt):
            button.clicked.connect(self._begin_hunt)
        self.printed.run_wanted.connect(self._run)
        self.printed.answered.connect(
            self._show_answer, Qt.ConnectionType.QueuedConnection
        )  # once the answer is laid out
        self.wrong.node_chosen.connect(self.node_chosen)
        self._reveal_moves(self.choose.list, self.wrong.list)

    @property
    def hunt(self) -> HuntPart:
        """Return the part of the hunt, made now if it is the first time."""
        if self._hunt is None:
            from app.panels.mistakes.hunt_part import HuntPart

            self._hunt = hunt = HuntPart(self._style, self._hunting)
            hunt.wanted_again.connect(self._hunt_again)
            hunt.left.connect(self.left)
            hunt.answered.connect(self._show_told, Qt.ConnectionType.QueuedConnection)
            self._reveal_moves(hunt.names, hunt.reasons, hunt.lines)
            self._hunt_place.add(hunt)
            hunt.set_line(False)  # it is alone on the page
        return self._hunt

    def _reveal_moves(self, *lists: RowList) -> None:
        for rows in lists:
            rows.moved.connect(partial(self._reveal_place, rows))

    def ask_for_numbers(self) -> None:
        """Unfold the fields for the printed gradients; the first one gets the keyboard."""
        self.printed.set_folded(False)
        field = next(iter(self.printed.fields.values()), None)
        if field is not None:
            field.show()  # its layout would later
            field.setFocus()
            self.reveal(field)

    def first_field(self) -> QWidget | None:
        """Return the field of the hunt, the mistake that is on, or the list of all."""
        return self.hunt.field() if self._hunting.now is not None else super().first_field()

    def refresh(self) -> None:
        """Show the mistake with its effects, or the hunt."""
        now, digits = self._playback.now, self._style.digits
        hunt, rules, frame = self._hunting.now, now.rules, now.frame
        known, asked = rules not in (CORRECT, UNKNOWN), now.quiz is not None
        self.choose.setVisible(hunt is None)
        if hunt is not None:
            self.hunt.show_hunt(hunt, frame, now.true_trace)
            self.hunt.show()
        else:
            self.choose.show_mistake(rules, frame.graph, now.comparison, asked)
            if self._hunt is not None:
                self._hunt.end()
                self._hunt.hide()
        hides = asked or (hunt is not None and hunt.stage != "done")  # it would answer
        comparison = None if hides else now.comparison
        self.wrong.show_wrong(frame, comparison, digits)
        self.referee.show_referee(frame, comparison, rules, digits)
        self.offer.setVisible(hunt is None and not known and not asked)
        self.show_foot(hunt is None and known and not asked)
        if asked or hunt is not None or frame.graph.root is None:
            self.printed.hide()
        else:
            self.printed.show_graph(frame.graph)

    def _reveal_place(self, rows: RowList, place: int) -> None:
        if place >= 0:
            self.reveal_row(rows, rows.rect_of(place))

    def _go_to_first(self) -> None:
        """Go to the step at which the pass first differs from the correct one."""
        playback = self._playback
        if playback.phase != "backward" and not playback.backward(cursor=0):
            return
        comparison = playback.now.comparison
        if comparison is not None and comparison.first is not None:
            playback.go(comparison.first, pause=True)

    def _begin_to_mend(self) -> None:
        self._hunting.begin_to_mend()
        self.left.emit()  # steps are looked for by keys

    def _begin_hunt(self) -> None:
        self._hunting.begin()
        self.left.emit()

    def _hunt_again(self) -> None:
        self._hunting.leave()
        self._begin_hunt()

    def _run(self, rules: Rules) -> None:
        """Run a mistake to its end."""
        self._playback.set_rules(rules)
        if self._playback.phase == "backward" or self._playback.backward():
            self._playback.to_end()

    def _show_answer(self) -> None:
        """Scroll to the answer, as far as the focused field stays in sight."""
        for part in (self.printed.answer, QApplication.focusWidget()):
            if part is not None and self.printed.isAncestorOf(part):
                self.reveal(part)

    def _show_told(self) -> None:
        """Bring into view what is said of a choice."""
        self.reveal(self.hunt.card)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._hunting.now is not None:
            self.hunt.leave()
        else:
            super().keyPressEvent(event)


def _hunt_button(style: Style) -> IconButton:
    button = IconButton(style, "search", "Hunt for one", text="Hunt for one")
    button.set_kind("question")
    return button
