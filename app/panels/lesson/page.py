"""LessonPage: the questions of a run, the slips in them and a drill, or the turns by hand."""

from __future__ import annotations

import random

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton

from app.controls.empty_state import EmptyState
from app.controls.layouts import plain_label
from app.controls.panel import Block, Page
from app.controls.rich_line import RichLine
from app.controls.rich_text import Span
from app.controls.row_list import Column, ListRow, RowList
from app.document.change import difference
from app.document.sheet import Sheet
from app.guard import guarded
from app.panels.lesson.drill_part import DrillPart
from app.panels.lesson.hand_part import HandPart
from app.style.current import Style
from app.workbench.playback.playback import Playback
from app.workbench.runners.quiz_runner import QuizRunner
from app.workbench.study.predictions import Answers, PatternTold, Row, open_row, so_far
from app.workbench.words.ends import often
from engine.formats.report import Report
from engine.study.record import Record, right_first_time, slips_made

NOTHING_ASKED = "Press P, and each number is asked before it is shown."
FIRST_COUNTS = "the first try counts"
_SEEDS = 2**31
_ROW = 28


@guarded
class LessonPage(Page):
    """The questions of the current or the last run; of a pass by hand its turns."""

    save_wanted = Signal()
    """Emitted when the report of the run is to be saved."""

    def __init__(self, style: Style, playback: Playback, modes: QuizRunner) -> None:
        super().__init__(style, "Lesson")
        self._playback, self._modes = playback, modes
        self._answers = Answers()
        self._pattern: PatternTold | None = None
        self._seen = 0, False
        """How many rows there were when the newest was last shown, and whether the run was over."""
        self._follows = False
        """Whether the newest row is kept in view."""
        self.empty = EmptyState(style, NOTHING_ASKED, tall=True)
        columns = (Column(20), Column(takes_rest=True), Column(right=True))
        self.rows = RowList(style, "Questions", columns, row_height=_ROW, choosable=False)
        self.sentence = plain_label(wraps=True)
        self.rule = RichLine(style, font_role="interface")
        self.more = QPushButton("Three more like this one")
        self.more.setProperty("kind", "question")
        self.drill = DrillPart(style)
        self.slips = plain_label(wraps=True)
        self.save = QPushButton("Save report…")
        self.hand = HandPart(style)
        self.run = Block(style, "This run", self.rows)
        left = Qt.AlignmentFlag.AlignLeft
        self.slip = Block(style, "A slip", self.sentence, self.rule, (self.more, left))
        self.summary = Block(style, "Slips", self.slips)
        self.drill_block = Block(style, "Three more like this", self.drill)
        self.hand_block = Block(style, "By hand", self.hand)
        blocks = (self.run, self.drill_block, self.slip, self.summary)
        self.add(self.empty, self.hand_block, *blocks, 1)
        self.set_foot(self.save, plain_label(FIRST_COUNTS, "caption"))
        self.drill_block.hide()
        self._connect()

    def _connect(self) -> None:
        self.follow(self._playback.shown, self._modes.ended, self._modes.by_hand.changed)
        self.more.clicked.connect(self.begin_drill)
        self.save.clicked.connect(self.save_wanted)
        self.drill.counted.connect(self.drill_block.set_note)
        self.drill.left.connect(self._end_drill)
        bar = self.area.verticalScrollBar()
        bar.rangeChanged.connect(self._scroll)
        bar.actionTriggered.connect(self._stay)

    def begin_drill(self) -> None:
        """Ask three questions like the last one at which the slip was made."""
        if self._pattern is None:
            return
        drills = self._pattern.drills(random.randrange(_SEEDS))
        if drills:
            self.drill_block.show()
            self.slip.hide()
            self.drill.begin(drills)
            self._follows = False
            self.area.verticalScrollBar().setValue(0)
            self.reveal(self.drill_block)

    def _end_drill(self) -> None:
        self.drill_block.hide()
        self.refresh()
        self.left.emit()

    def refresh(self) -> None:
        """Show the run."""
        now, digits = self._playback.now, self._style.digits
        by_hand = now.by_hand is not None
        self.hand_block.setVisible(by_hand)
        if by_hand:
            title, note = self.hand.show_run(now, self._modes.by_hand.shows_ready, digits)
            self.hand_block.set_title(title)
            self.hand_block.set_note(note)
        asking = now.quiz
        running = asking is not None and not asking.covers
        report = so_far(asking) if asking is not None and running else self._modes.report
        shown = report is not None and not by_hand
        self.empty.setVisible(report is None and not by_hand)
        self.run.setVisible(shown)
        self.show_foot(shown and bool(report is not None and report.record.attempts))
        if report is None or by_hand:
            self.slip.hide()
            self.summary.hide()
            return
        row = open_row(asking, now.frame) if asking is not None and running else None
        still = asking.open_questions(now.frame) if asking and running else ()
        rows = [*self._answers.rows(report, digits, still), *(() if row is None else (row,))]
        self.rows.show_rows([_list_row(row) for row in rows])
        record = asking.record if asking is not None and running else report.record
        over = not running or now.frame.cursor == now.frame.total
        self._show_summary(record, running, over)
        if not running and difference(Sheet(report.graph), Sheet(now.frame.graph)).reordered:
            self.run.set_title("The last run, on another graph")
        self._show_pattern(report, over)
        self._bring_into_view(len(rows), over)

    def _bring_into_view(self, rows: int, over: bool) -> None:
        """Keep the newest row in view, after the run its summary, until the user scrolls."""
        if (rows, over) != self._seen and self.drill_block.isHidden():
            self._seen, self._follows = (rows, over), True
            self._scroll()

    def _scroll(self) -> None:
        bar = self.area.verticalScrollBar()
        if not self._follows:
            return
        if self._seen[1]:
            bar.setValue(bar.maximum())
        elif self.rows.count():
            last = self.rows.rect_of(self.rows.count() - 1)
            self.reveal_row(self.rows, last)

    def _stay(self) -> None:
        self._follows = False

    def _show_summary(self, record: Record, running: bool, over: bool) -> None:
        right, slips = right_first_time(record.attempts), slips_made(record.attempts)
        title = "This run is over" if over else "This run"
        self.run.set_title(title if running else "The last run")
        count = f"{sum(right.values()):,} of {len(right):,} right first time"
        self.run.set_note(count if right else "")
        self.slips.setText("\n".join(f"{slip.name}: {often(count)}" for slip, count in slips))
        self.summary.setVisible(bool(slips) and over)

    def _show_pattern(self, report: Report, over: bool) -> None:
        """Show the slip of a pattern; where there is none, once all is over, the commonest slip."""
        digits = self._style.digits
        found = self._answers.pattern(report, digits, self._style.notation)
        self.slip.set_title("A pattern" if found is not None else "A slip")
        if found is None and over:
            found = self._answers.worst(report, digits, self._style.notation)
        self._pattern = found
        self.slip.setVisible(found is not None and self.drill_block.isHidden())
        if found is not None:
            self.slip.set_note(found.where)
            self.sentence.setText(found.sentence)
            self.rule.set_spans(found.rule)


def _list_row(row: Row) -> ListRow:
    step = (Span(f"{row.step:,}" if row.step else "", "secondary"),)
    title = (Span(row.title, bold=row.is_open),)
    tone = "asked" if row.is_open else ""
    return ListRow((step, title, row.mark), row.spoken, row.below, tone, row.title)
