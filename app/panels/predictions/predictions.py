"""The predictions panel: the questions of a run, the pattern in them, and drills against it."""

from __future__ import annotations

import random

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from app.controls.empty_state import LEAST_HEIGHT, EmptyState
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
from app.document.change import difference
from app.document.sheet import Sheet
from app.guard import guarded
from app.panels.predictions.drill_part import DrillPart
from app.panels.predictions.rows import PredictionList
from app.style.current import Style
from app.workbench.playback.playback import Playback
from app.workbench.runners.quiz_runner import QuizRunner
from app.workbench.study.predictions import Answers, PatternTold, open_row, so_far
from app.workbench.words.ends import often
from engine.formats.report import Report
from engine.study.record import Record, right_first_time, slips_made

NOTHING_ASKED = "Press P, and each number is asked before it is shown."
_SEEDS = 2**31


@guarded
class PredictionsPanel(QWidget):
    """What was asked in the run that is on, or in the last one."""

    save_wanted = Signal()
    """Emitted when the report of the run is to be saved."""
    left = Signal()
    """Emitted when the drill is over and the keyboard may go back to the canvas."""

    def __init__(
        self, style: Style, playback: Playback, modes: QuizRunner, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._style = style
        self._playback = playback
        self._modes = modes
        self._answers = Answers()
        self._pattern: PatternTold | None = None
        self._seen = 0, False
        """How many rows there were when the newest was last shown, and whether the run was over."""
        self._follows = False
        """Whether the newest row is kept in view."""
        fill_background(self, "panel")
        self.setAccessibleName("Predictions")
        self.empty = EmptyState(style, NOTHING_ASKED)
        self.count = plain_label(kind="secondary")
        self.rows = PredictionList(style)
        self.where = plain_label(kind="secondary")
        self.sentence = plain_label(wraps=True)
        self.rule = RichLine(style, font_role="interface")
        self.more = QPushButton("Three more like this one")
        self.drill = DrillPart(style)
        self.slips = plain_label(wraps=True)
        self.save = QPushButton("Save report…")
        self._run, self._told, self._summary = self._parts()
        self._lines = [self._line() for _ in range(3)]
        self._page = QWidget()
        self._area = scroll_area(self._page)
        self._lay_out()
        self._connect()
        self._restyle()

    def _lay_out(self) -> None:
        run = (self._run, self._lines[1], self._told, self._lines[2], self._summary)
        parts = (self.drill, self._lines[0], self.empty, *run, 1)
        in_column(*parts, parent=self._page, edges=0, gap=0)
        in_column(self._area, parent=self, edges=0)

    def _parts(self) -> tuple[QWidget, QWidget, QWidget]:
        def part(*widgets: Part) -> QWidget:
            made = QWidget()
            in_column(*widgets, parent=made, style=self._style, edges=PANEL_EDGES, gap=8)
            return made

        left = Qt.AlignmentFlag.AlignLeft
        self._heading = plain_label("This run", "strong")
        self._pattern_heading = plain_label("A pattern", "strong")
        return (
            part(in_row((self._heading, 1), self.count), self.rows),
            part(
                in_row((self._pattern_heading, 1), self.where),
                self.sentence,
                self.rule,
                (self.more, left),
            ),
            part(self.slips, (self.save, left)),
        )

    def _line(self) -> QFrame:
        line = QFrame()
        line.setProperty("kind", "rule")
        return line

    def _connect(self) -> None:
        self._playback.shown.connect(self._refresh)
        self._modes.ended.connect(self._refresh)
        self._style.changed.connect(self._restyle)
        self.more.clicked.connect(self.begin_drill)
        self.save.clicked.connect(self.save_wanted)
        self.drill.left.connect(self._end_drill)
        self._area.verticalScrollBar().rangeChanged.connect(self._scroll)
        self._area.verticalScrollBar().actionTriggered.connect(self._stay)

    def begin_drill(self) -> None:
        """Ask three questions like the last one at which the slip was made."""
        if self._pattern is not None:
            drills = self._pattern.drills(random.randrange(_SEEDS))
            if drills:
                self.drill.begin(drills)
                self._refresh()
                self._follows = False
                self._area.verticalScrollBar().setValue(0)

    def _end_drill(self) -> None:
        self._refresh()
        self.left.emit()

    def _refresh(self) -> None:
        """Show the run; a hidden panel is refreshed when it is shown."""
        if not self.isVisible():
            return
        asking, digits = self._playback.now.quiz, self._style.digits
        running = asking is not None and not asking.covers
        report = so_far(asking) if asking is not None and running else self._modes.report
        self.empty.setVisible(report is None)
        self._run.setVisible(report is not None)
        if report is None:
            for part in (self._told, self._summary, *self._lines):
                part.hide()
            return
        row = open_row(asking, self._playback.frame) if asking is not None and running else None
        still = asking.open_questions(self._playback.frame) if asking and running else ()
        rows = [*self._answers.rows(report, digits, still), *(() if row is None else (row,))]
        self.rows.show_rows(rows)
        layout = self._run.layout()
        assert layout is not None
        layout.activate()  # before the page is laid out, which would be done twice
        record = asking.record if asking is not None and running else report.record
        over = not running or self._playback.frame.cursor == self._playback.frame.total
        self._show_summary(record, running, over)
        shown = Sheet(self._playback.frame.graph)
        if not running and difference(Sheet(report.graph), shown).reordered:
            self._heading.setText("The last run, on another graph")
        self._show_pattern(report, over)
        self._bring_into_view(len(rows), over)

    def _bring_into_view(self, rows: int, over: bool) -> None:
        """Show the newest row, and once the run is over what it comes to, until one scrolls."""
        if (rows, over) != self._seen and self.drill.isHidden():
            self._seen, self._follows = (rows, over), True
            self._scroll()

    def _scroll(self) -> None:
        bar, last = self._area.verticalScrollBar(), self.rows.last
        if not self._follows:
            return
        if self._seen[1]:
            bar.setValue(bar.maximum())
        else:
            middle = self.rows.mapTo(self._page, last.center())
            self._area.ensureVisible(0, middle.y(), 0, last.height() // 2 + 1)

    def _stay(self) -> None:
        self._follows = False

    def _show_summary(self, record: Record, running: bool, over: bool) -> None:
        right, slips = right_first_time(record.attempts), slips_made(record.attempts)
        title = "This run is over" if over else "This run"
        self._heading.setText(title if running else "The last run")
        self.count.setText(f"{sum(right.values()):,} of {len(right):,} right first time")
        self.count.setVisible(bool(right))
        lines = [f"{slip.name}: {often(count)}" for slip, count in slips]
        self.slips.setText("\n".join(["Slips", *lines]))
        self.slips.setVisible(bool(lines) and over)
        self._summary.setVisible(bool(record.attempts))
        self._lines[2].setVisible(bool(record.attempts))

    def _show_pattern(self, report: Report, over: bool) -> None:
        """Show the slip of a pattern; where there is none, once all is over, the commonest slip."""
        digits = self._style.digits
        found = self._answers.pattern(report, digits, self._style.notation)
        self._pattern_heading.setText("A pattern" if found is not None else "A slip")
        if found is None and over:
            found = self._answers.worst(report, digits, self._style.notation)
        self._pattern = found
        self._told.setVisible(found is not None)
        self._lines[0].setVisible(not self.drill.isHidden())
        self._lines[1].setVisible(found is not None)
        if found is not None:
            self.where.setText(found.where)
            self.sentence.setText(found.sentence)
            self.rule.set_spans(found.rule)

    def _restyle(self) -> None:
        self.empty.setMinimumHeight(self._style.px(LEAST_HEIGHT))
        self._refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()
