"""LessonPage: the active lesson, or else an exercise or all lessons and the run with its slips.

The face Steps has the lesson of the sheet. The buttons of its foot call
`GuideRunner` and `Recorder`, or emit a signal for the window.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QEvent, Qt, Signal
from PySide6.QtWidgets import QLineEdit, QProgressBar, QPushButton, QWidget

from app.controls.choices import Segmented
from app.controls.focus import ENTER, TakenKeys
from app.controls.layouts import in_column, in_row, plain_label, show_text
from app.controls.painted_buttons import IconButton, push_button
from app.controls.panel import Block, EmptyState, Page
from app.controls.rich_text import RichLine
from app.controls.row_list import Column, RowList
from app.controls.spans import ListRow, Span
from app.document.change import difference
from app.document.document import Document
from app.document.sheet import Sheet
from app.guard import exception_safe
from app.guide.play.guide import Learner, learner_of
from app.guide.run.course_progress import CourseProgress
from app.guide.run.guide_runner import GuideRunner
from app.guide.run.recorders import Recorders
from app.lessons.course import OPENING
from app.lessons.course_view import CourseView, LessonEntry
from app.panels.lesson.player import PlayerPart
from app.style.current import Style
from app.workbench.playback.playback import Playback
from app.workbench.playback.view_state import ViewState
from app.workbench.runners.quiz_runner import QuizRunner
from app.workbench.trials.predictions import (
    AnswerRows,
    RepeatedSlip,
    StepRow,
    current_report,
    drill_text,
    open_step_row,
)
from app.workbench.words.ends import times_text
from app.workbench.words.hand import Turn, Waiting, fired_counts, rule_text, turn_log, waiting_rows
from app.workbench.words.sentences import answer_text
from engine.asking.answering import Verdict, grade
from engine.asking.friendly import Drill
from engine.asking.inference import Answered, tallies
from engine.asking.judging import ANSWER_LIMIT
from engine.asking.kinds import KINDS
from engine.asking.question import MODE_TITLES, Question
from engine.asking.record import Record, right_first_time
from engine.formats.report import Report
from engine.graph import Graph
from engine.numbers import Digits, counted

if TYPE_CHECKING:
    from app.guide.run.recorder import Recorder
    from app.panels.lesson.record_part import RecordPart

NOTHING_ASKED = "Press P, and numbers are asked before they are shown: first the last one."
NEXT_LESSON, LEARN_THIS = "Next lesson", "Learn this in {minutes} minutes"
"""What leads to the next lesson, and from the cold open to the first one."""
FIRST_COUNTS = "the first try counts"
_SEEDS = 2**31
"""Number of seeds from which the numbers of a drill are drawn."""
_ROW_HEIGHT = 28
"""Height of a row of the lists, in px at 100 %."""


@exception_safe
class LessonPage(Page):
    """The step of a lesson, or the questions of the current or the last run."""

    save_wanted = Signal()
    """Emitted when the report of the run is to be saved."""
    lesson_wanted = Signal(str)
    """Emitted with the name of the lesson that is to begin or go on."""
    start_page_wanted = Signal()
    """Emitted when the start page is to be shown."""
    result_wanted = Signal()
    """Emitted when the result of the final test is to be shown."""
    save_lesson_wanted = Signal()
    """Emitted when the lesson of the sheet is to be saved to a file of its own."""
    present_wanted = Signal()
    """Emitted when a room is to be given the lesson of the sheet, from the chosen step on."""
    exercise_wanted = Signal()
    """Emitted when the sheet is to get a task, or another one."""
    projector_wanted = Signal()
    """Emitted when the theme for projectors is chosen, before a lecture."""

    def __init__(
        self,
        style: Style,
        document: Document,
        playback: Playback,
        quiz_runner: QuizRunner,
        lessons: GuideRunner,
        progress: CourseProgress,
    ) -> None:
        super().__init__(style, "Lesson")
        self._recorders: Recorders | None = None  # until `set_recorders`
        self.record: RecordPart | None = None
        """The recorder's part, made when a sheet first has a lesson."""
        self._had_steps = False
        """Whether there was a lesson at the last refresh: the first time its face is shown."""
        self._playback, self._quiz_runner = playback, quiz_runner
        self._lessons, self._progress = lessons, progress
        self._answers = AnswerRows()
        self._slip_shown: RepeatedSlip | None = None
        """The slip of the block `slip`, like which "Three more" asks."""
        self._drilled: Graph | None = None
        """The graph at which the slip of the drill was made, while one is on."""
        self._scrolled_for = 0, False
        """Number of rows, and whether the run was over, when it last scrolled to the newest."""
        self._step_shown = "", -1
        """Name of the lesson, and index of its step."""
        self._keeps_newest_visible = False
        """Whether the page scrolls to the newest row; ends when the user scrolls."""
        self.exercise, self.empty = ExercisePart(style), EmptyState(style, NOTHING_ASKED, tall=True)
        self._make_run(style)
        self._make_lesson(style, document)
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        leads = (
            self.faces_block,
            self.lesson_block,
            self.exercise,
            self.list_block,
            self.empty,
            self.hand_block,
        )
        runs = (self.run, self.drill_block, self.slip, self.summary)
        self.add(*leads, *runs, 1, self.below, self.try_block)
        leading = ((self.back, 1), (self.show_me, 1))
        ending = ((self.start_page, 1), (self.next_lesson, 2))
        recording = ((self.try_step, 1), (self.present, 1), (self.save_lesson, 1))
        of_test, of_run = (self.result, 1), (self.save, (self._note, 1))
        self.set_foot(*leading, *ending, *recording, of_test, *of_run)

    def _make_run(self, style: Style) -> None:
        self.hand = HandPart(style)
        self.hand_block = Block(style, "By hand", self.hand)
        columns = (Column(20), Column(stretches=True), Column(right=True))
        self.rows = RowList(style, "Questions", columns, row_height=_ROW_HEIGHT, choosable=False)
        self.sentence = plain_label(wraps=True)
        self.rule = RichLine(style, font_role="interface")
        self.more = QPushButton("Three more like this one")
        self.more.setProperty("kind", "question")
        self.drill = DrillPart(style)
        self.slips = plain_label(wraps=True)
        self.save = QPushButton("Save report…")
        self._note = plain_label(FIRST_COUNTS, "caption")
        self.run = Block(style, "This run", self.rows)
        left = Qt.AlignmentFlag.AlignLeft
        self.slip = Block(style, "A slip", self.sentence, self.rule, (self.more, left))
        self.summary = Block(style, "Slips", self.slips)
        self.drill_block = Block(style, "Three more like this", self.drill)
        self.drill_block.hide()

    def _make_lesson(self, style: Style, document: Document) -> None:
        self.player = PlayerPart(style, document)
        self.lesson_block = Block(style, "", self.player)
        self.below = Block(style, "", self.player.below)
        self.list = ListPart(style)
        self.prepare = push_button("Make a lesson of this sheet…", "offer")
        self.make_exercise = push_button("Make an exercise of this sheet…", "offer")
        self.make_exercise.clicked.connect(self.exercise_wanted)
        self.list_block = Block(style, "Lessons", self.list, key="lessons")
        for offer in (self.prepare, self.make_exercise):
            self.list_block.add((offer, Qt.AlignmentFlag.AlignLeft))
        faces = [("lessons", "Lessons"), ("steps", "This sheet")]
        self.faces = Segmented(style, faces, "Lesson")
        self.faces_block = Block(style, "", self.faces)
        self.faces_block.hide()
        self.back = IconButton(style, "left", "The step before", "PgUp", text="Back")
        self.show_me = push_button("Show me")
        self.start_page = push_button("Start page")
        self.result = push_button("Result")
        self.next_lesson = IconButton(style, "right", "The next lesson", text=NEXT_LESSON)
        self.next_lesson.set_icon_last()
        self.next_lesson.set_kind("primary")
        self.try_step = IconButton(
            style, "play", "Play the lesson from the chosen step on, as a learner", text="Begin"
        )
        self.present = push_button("Present")
        self.present.setToolTip("Give the lesson to a room, from the chosen step on")
        self.save_lesson = push_button("Save as…")
        self.save_lesson.setToolTip("Write the steps with their graph to a lesson file")
        self.end_try = push_button("Back to the sheet")
        self.try_block = Block(style, "", self.end_try)
        self.try_block.hide()

    def _connect(self) -> None:
        lessons = self._lessons
        quiz_runner = self._quiz_runner
        self.follow(self._playback.shown, quiz_runner.ended, quiz_runner.by_hand.changed)
        self.follow(lessons.changed, self._progress.changed)
        self.save_lesson.clicked.connect(self.save_lesson_wanted)
        self.present.clicked.connect(self.present_wanted)
        self.back.clicked.connect(lessons.go_back)
        self.show_me.clicked.connect(lessons.show_me)
        self.player.card.entered.connect(lessons.go_on)
        self.player.put_back_wanted.connect(lessons.put_back)
        self.player.card.hint_wanted.connect(self._show_hint)
        self.player.again_wanted.connect(self._begin_again)
        self.player.next_lesson_wanted.connect(self._begin_next)
        self.next_lesson.clicked.connect(self._begin_next)
        self.start_page.clicked.connect(self.start_page_wanted)
        self.result.clicked.connect(self.result_wanted)
        self.list.chosen.connect(self.lesson_wanted)
        self.more.clicked.connect(self.begin_drill)
        self.save.clicked.connect(self.save_wanted)
        self.drill.counted.connect(self.drill_block.set_note)
        self.drill.graded.connect(self._progress.note_drill)
        self.drill.left.connect(self._end_drill)
        bar = self.area.verticalScrollBar()
        bar.rangeChanged.connect(self._scroll_to_newest)
        bar.actionTriggered.connect(self._stop_following)

    def set_recorders(self, recorders: Recorders) -> None:
        """Follow the recorder, and show the lesson of the sheet while it has one."""
        self._recorders = recorders
        self.follow(recorders.changed)
        self.try_step.clicked.connect(lambda: recorders.get().try_step())
        self.end_try.clicked.connect(recorders.come_back)
        recorders.page_requested.connect(partial(self._show_face, "steps"))
        self.faces.chosen.connect(self._show_face)
        self.prepare.clicked.connect(lambda: recorders.get().show())

    def _show_face(self, face: str) -> None:
        """Show the lessons, or the lesson of the sheet."""
        self.faces.set_choice(face)
        self.refresh_if_visible()

    def begin_drill(self) -> None:
        """Ask three questions like the last one at which the slip was made."""
        if self._slip_shown is None:
            return
        drills = self._slip_shown.drills(random.randrange(_SEEDS))
        if drills:
            self.drill_block.show()
            self.slip.hide()
            self._drilled = self._slip_shown.trace.graph
            self.drill.begin(drills)
            self._keeps_newest_visible = True
            self._scroll_to_newest()

    def _end_drill(self) -> None:
        self.drill_block.hide()
        self._drilled = None
        self.refresh()
        self.left.emit()

    def _drop_drill_of_another_graph(self, now: ViewState) -> None:
        if self._drilled is not None and _is_another(self._drilled, now):
            self._drilled = None
            self.drill.end()
            self.drill_block.hide()

    def refresh(self) -> None:
        """Show the step of the active lesson, else the exercise or all lessons, and the run."""
        recorder = None if self._recorders is None else self._recorders.now
        self.try_block.setVisible(recorder is not None and recorder.away)
        if self._shows_steps(recorder) and recorder is not None:
            self._show_recorder(recorder)
            return
        in_lesson = self._lessons.active
        self.lesson_block.setVisible(in_lesson)
        self.list_block.setVisible(not in_lesson and self._playback.now.sheet.task is None)
        self.below.setVisible(in_lesson)
        if in_lesson:  # shows and hides each button itself: one that is hidden loses the focus
            self._show_lesson()
        else:
            leading = (self.back, self.show_me)
            for button in (*leading, self.start_page, self.next_lesson, self.result):
                button.setVisible(False)
            self.exercise.show_task(self._playback.now)
            self.list_block.set_note(self.list.show_course(self._progress.view))
            self._show_run()

    def _shows_steps(self, recorder: Recorder | None) -> bool:
        """Return whether the steps are shown; once there is a lesson they are, until turned."""
        has_steps = recorder is not None and not self._lessons.active
        if has_steps is not self._had_steps:
            self._had_steps = has_steps
            self.faces.set_choice("steps" if has_steps else "lessons")
        self.faces_block.setVisible(has_steps)
        self.prepare.setVisible(not has_steps)
        self.make_exercise.setVisible(bool(self._playback.frame.graph.nodes))
        shown = has_steps and self.faces.choice() == "steps"
        for part in (self.record, self.try_step, self.present, self.save_lesson):
            if part is not None:
                part.setVisible(shown)
        return shown

    def _hide_all(self) -> None:
        """Hide every block of lessons and runs, and every button of the foot."""
        blocks = (self.lesson_block, self.exercise, self.list_block, self.hand_block, self.run)
        parts = (*blocks, self.slip, self.summary, self.drill_block, self.below, self.empty)
        leading = (self.back, self.show_me, self.start_page, self.next_lesson)
        for part in (*parts, *leading, self.result, self.save, self._note):
            part.hide()

    def _show_recorder(self, recorder: Recorder) -> None:
        """Show the lesson of the sheet, and nothing else."""
        if self.record is None:
            from app.panels.lesson.record_part import RecordPart

            self.record = RecordPart(self._style, recorder)
            self.insert_after(self.faces_block, self.record)
            self.record.projector_wanted.connect(self.projector_wanted)
            self.record.row_reveal_wanted.connect(self.reveal_row)
            self.record.head.set_collapsed(True)  # most lessons of a sheet need no more than steps
        self._hide_all()
        for button in (self.try_step, self.present, self.save_lesson):
            button.setEnabled(bool(recorder.steps))
        self.show_foot(True)
        self.record.show()
        self.record.show_draft()

    def _show_lesson(self) -> None:
        """Show the current step; the strip leads on from it."""
        state = self._lessons.learner
        assert state is not None
        runs = (self.run, self.slip, self.summary, self.drill_block, self.hand_block)
        for block in (self.exercise, *runs):
            block.hide()
        self.empty.hide()
        self.save.hide()
        self._note.hide()
        following = self._entry_after()
        step = state.lesson.name, state.at
        if step != self._step_shown:  # another one is read from its title on
            self._step_shown, self._keeps_newest_visible = step, False
            self.area.verticalScrollBar().setValue(0)
        returns = self._progress.returns(state)
        self.player.show_state(state, self._playback.now, self._lessons.edited, following, returns)
        self._show_lesson_foot(state, following)
        QCoreApplication.sendPostedEvents(
            None, QEvent.Type.LayoutRequest
        )  # nested layouts would settle over several turns

    def _show_lesson_foot(self, state: Learner, following: LessonEntry | None) -> None:
        """Show the buttons of the current step, or those of the end page."""
        over = state.step is None
        self.back.setVisible(not over and not state.is_test_open)
        self.result.setVisible(state.is_test and not state.is_test_open)
        self.start_page.setVisible(over)
        self.next_lesson.setVisible(over and following is not None)
        if following is not None:
            is_opening = state.lesson.name == OPENING
            text = LEARN_THIS.format(minutes=following.minutes) if is_opening else NEXT_LESSON
            self.next_lesson.setText(text)
            self.next_lesson.set_icon("" if is_opening else "right")  # for its longer text
        self.back.setEnabled(state.can_go_back)
        self.show_me.setVisible(not over and state.has_help)
        self.show_me.setEnabled(state.can_show)
        self.below.setVisible(not self.player.edit_note.isHidden() or following is not None)
        self.show_foot(over or not state.is_test_open)

    def _entry_after(self) -> LessonEntry | None:
        """Return the next lesson of the course, for the end page; None on any other step."""
        state, following = self._lessons.learner, self._lessons.following
        if state is None or state.step is not None or following is None:
            return None
        entries = (entry for unit in self._progress.view.units for entry in unit.lessons)
        return next((entry for entry in entries if entry.name == following.name), None)

    def _begin_next(self) -> None:
        following = self._lessons.following
        if following is not None:
            self.lesson_wanted.emit(following.name)

    def _begin_again(self) -> None:
        state = self._lessons.learner
        if state is not None:
            self._lessons.begin(learner_of(state.lesson))

    def _show_hint(self) -> None:
        """Show the hint of the step; its button goes, and the next one wipes the pass."""
        had_focus = self.player.card.more.hasFocus()
        self._lessons.show_hint()
        if had_focus:
            self.left.emit()

    def first_field(self) -> QWidget | None:
        """Return the open slider of a lesson, or what leads on at its end, else the first part."""
        self.refresh()  # a step just reached may show other buttons
        if self.lesson_block.isVisible() and (slider := self.player.card.first_slider) is not None:
            return slider
        leading = (self.next_lesson, self.result, self.start_page)
        return next((b for b in leading if b.isVisible()), None) or super().first_field()

    def _show_run(self) -> None:
        now, digits = self._playback.now, self._style.digits
        self.save.show()
        self._note.show()
        by_hand = now.by_hand is not None
        self._show_pass_by_hand(now)
        self._drop_drill_of_another_graph(now)
        # only Ask me has a run of answers; the report is that of the last one
        quiz = now.quiz
        running = quiz is not None and not quiz.is_cover and quiz.lesson_questions is None
        report = current_report(quiz) if quiz is not None and running else self._quiz_runner.report
        shown = report is not None and not by_hand
        self.empty.setVisible(report is None and not by_hand and now.sheet.task is None)
        self.run.setVisible(shown)
        self.show_foot(shown and bool(report is not None and report.record.attempts))
        if report is None or by_hand:
            self.slip.hide()
            self.summary.hide()
            return
        row = open_step_row(quiz, now.frame) if quiz is not None and running else None
        unanswered = quiz.open_questions(now.frame) if quiz and running else ()
        rows = [*self._answers.rows(report, digits, unanswered), *(() if row is None else (row,))]
        self.rows.show_rows([_question_row(row) for row in rows])
        record = quiz.record if quiz is not None and running else report.record
        over = not running or now.frame.cursor == now.frame.total
        self._show_summary(record, running, over)
        self._show_slip(report, over, unanswered)
        if not running and _is_another(report.graph, now):
            self.run.set_title("The last run, on another graph")
            self.slip.hide()
        self._follow_newest(len(rows), over)

    def _show_pass_by_hand(self, now: ViewState) -> None:
        self.hand_block.setVisible(now.by_hand is not None)
        if now.by_hand is not None:
            self.hand.show_run(now, self._quiz_runner.by_hand.shows_ready, self._style.digits)
            title, note = run_heading(now)
            self.hand_block.set_title(title)
            self.hand_block.set_note(note)

    def _follow_newest(self, rows: int, over: bool) -> None:
        """Keep the newest row in view, after the run its summary, until the user scrolls."""
        if (rows, over) != self._scrolled_for and self.drill_block.isHidden():
            self._scrolled_for, self._keeps_newest_visible = (rows, over), True
            self._scroll_to_newest()

    def _scroll_to_newest(self) -> None:
        bar = self.area.verticalScrollBar()
        if not self._keeps_newest_visible:
            return
        _row_count, is_over = self._scrolled_for
        if not self.drill_block.isHidden():
            self.reveal(self.drill_block)
        elif is_over:
            bar.setValue(bar.maximum())
        elif self.rows.count():
            last = self.rows.rect_of(self.rows.count() - 1)
            self.reveal_row(self.rows, last)

    def _stop_following(self) -> None:
        self._keeps_newest_visible = False

    def _show_summary(self, record: Record, running: bool, over: bool) -> None:
        right, found = right_first_time(record.attempts), tallies(record.attempts)
        title = "This run is over" if over else "This run"
        self.run.set_title(title if running else "The last run")
        count = f"{sum(right.values()):,} of {len(right):,} right first time"
        self.run.set_note(count if right else "")
        self.slips.setText("\n".join(f"{x.title}: {times_text(x.count)}" for x in found))
        self.summary.setVisible(bool(found) and over)

    def _show_slip(self, report: Report, over: bool, unanswered: Sequence[Question]) -> None:
        """Show a repeated slip; once the run is over without one, the commonest slip."""
        digits = self._style.digits
        found = self._answers.repeated(report, digits, self._style.notation, unanswered)
        self.slip.set_title("A pattern" if found is not None else "A slip")
        if found is None and over:
            found = self._answers.most_frequent(report, digits, self._style.notation)
        self._slip_shown = found
        self.slip.setVisible(found is not None and self.drill_block.isHidden())
        if found is not None:
            self.slip.set_note(found.where)
            self.sentence.setText(found.sentence)
            self.rule.set_spans(found.true_rule)


def _is_another(graph: Graph, now: ViewState) -> bool:
    """Return whether a graph has other nodes or wires than the sheet."""
    return difference(Sheet(graph), Sheet(now.frame.graph)).wiring


def _question_row(row: StepRow) -> ListRow:
    step = (Span(f"{row.step:,}" if row.step else "", "secondary"),)
    title = (Span(row.title, bold=row.is_open),)
    tone = "asked" if row.is_open else ""
    return ListRow((step, title, row.mark), row.spoken, row.below, tone, row.title)


_PHASE_TITLES = {"backward": "Backward by hand", "forward": "Forward by hand"}
_ORDER_NOTES = {True: "one order is right", False: "several orders are right"}
_TURN_MARKS = {"right": "✓", "wrong": "✘", "refused": "✘"}
_TURN_TONES = {"wrong": "wrong", "refused": "wrong", "now": "asked"}
_BAR_HEIGHT = 6
"""Height of the progress bar, in px at 100 %."""
MAX_TURNS = 60
"""Number of the newest turns that are listed; with all of a large graph each click takes long."""


class HandPart(QWidget):
    """The pass by hand: its progress, the turns taken, and the nodes that wait or are ready."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.count, self.early = plain_label(kind="secondary"), plain_label(kind="secondary")
        columns = (Column(20), Column(stretches=True), Column(right=True))
        self.turns = RowList(style, "Turns", columns, row_height=_ROW_HEIGHT, choosable=False)
        columns = (Column(38), Column(100), Column(stretches=True))
        self.waiting = RowList(style, "Waiting and ready", columns, choosable=False)
        self.rule = plain_label(kind="secondary", wraps=True)
        heading = plain_label("Waiting and ready", "strong")
        counts_row = in_row((self.count, 1), self.early)
        parts = (self.bar, counts_row, self.turns, heading, self.waiting, self.rule)
        in_column(*parts, parent=self, style=style, gap=8)
        style.run_now_and_on_change(self._restyle)

    def show_run(self, now: ViewState, shows_ready: bool, digits: Digits) -> None:
        """Show a run; `shows_ready`: the nodes that may fire now are marked."""
        run = now.by_hand
        assert run is not None
        fired, total, early = fired_counts(now)
        self.bar.setRange(0, total)
        self.bar.setValue(fired)
        nodes = "{done:,} of {count} node fired", "{done:,} of {count:,} nodes fired"
        self.count.setText(counted(total, *nodes, done=fired))
        clicks = counted(early, "{count} early click", "{count:,} early clicks")
        self.early.setText(clicks if early else "")
        self.turns.show_rows([_turn_row(turn) for turn in turn_log(now, digits)[-MAX_TURNS:]])
        self.waiting.show_rows([_waiting_row(found) for found in waiting_rows(now, shows_ready)])
        self.rule.setText(rule_text(run))

    def _restyle(self) -> None:
        self.bar.setFixedHeight(self._style.px(_BAR_HEIGHT))


def run_heading(now: ViewState) -> tuple[str, str]:
    """Return title and note of a pass by hand: its phase, and whether several orders are right."""
    run = now.by_hand
    assert run is not None
    return _PHASE_TITLES[run.phase], _ORDER_NOTES[run.has_one_order(now.frame.graph)]


def _turn_row(turn: Turn) -> ListRow:
    number = f"{turn.number}" if turn.number else ""
    mark = _TURN_MARKS.get(turn.state, "")
    cells = (
        (Span(number, "secondary"),),
        (Span(turn.title, bold=True),),
        (Span(mark, "text" if mark == "✓" else "error", bold=True),),
    )
    below = (Span(turn.detail, "secondary"),) if turn.detail else ()
    spoken = " ".join(text for text in (number, turn.title, turn.detail, mark) if text)
    return ListRow(cells, spoken, below, _TURN_TONES.get(turn.state, ""))


def _waiting_row(found: Waiting) -> ListRow:
    role = "selection" if found.ready else "secondary"
    cells = ((Span(found.name, bold=True),), (Span(found.state, role),), (Span(found.rest),))
    return ListRow(cells, f"{found.name} {found.state} {found.rest}".strip(), tooltip=found.rest)


_STATE_MARKS = {"new": "", "done": "✓", "shown": "shown"}
"""The mark of a lesson by its state; one that has begun has its step instead."""


class ListPart(QWidget):
    """A row for each lesson; a click or Enter begins or resumes it."""

    chosen = Signal(str)
    """Emitted with the name of a lesson."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._names: tuple[str, ...] = ()
        columns = (Column(20), Column(stretches=True), Column(right=True))
        self.rows = RowList(style, "Lessons", columns, row_height=_ROW_HEIGHT)
        in_column(self.rows, parent=self)
        self.rows.chosen.connect(self._choose)

    def show_course(self, view: CourseView) -> str:
        """Show the lessons of a course; return how many are done: `3 of 18 done`."""
        entries = [entry for unit in view.units for entry in unit.lessons]
        self._names = tuple(entry.name for entry in entries)
        following = None if view.hero is None else view.hero.lesson.name
        self.rows.show_rows([_lesson_row(entry, entry.name == following) for entry in entries])
        return f"{sum(entry.state == 'done' for entry in entries)} of {len(entries)} done"

    def _choose(self, row: int) -> None:
        if 0 <= row < len(self._names):
            self.chosen.emit(self._names[row])


def _lesson_row(entry: LessonEntry, is_next: bool) -> ListRow:
    progress = f"{entry.at + 1} of {entry.steps}"
    cells = (
        (Span(f"{entry.number}", "secondary"),),
        (Span(entry.title, bold=is_next),),
        (Span(_STATE_MARKS.get(entry.state, progress), "secondary"),),
    )
    return ListRow(cells, entry.spoken, tone="now" if is_next else "", tooltip=entry.title)


_PAGE_OF_MODE: Final = {"hunt": "mistakes", "descent": "train"}
"""Modes that have a page of their own."""
ONLY_VALUES = "The wiring stays as it is; only values may change."


@exception_safe
class ExercisePart(Block):
    """The task of a sheet that is an exercise, with a button that begins its mode; else hidden."""

    begin_wanted = Signal()
    """Emitted when the mode of the exercise is to begin."""
    page_wanted = Signal(str)
    """Emitted with the name of the page of the mode."""

    def __init__(self, style: Style) -> None:
        self.text = plain_label(wraps=True)
        self.lock = plain_label(ONLY_VALUES, "caption", wraps=True)
        self.button = QPushButton()
        left = Qt.AlignmentFlag.AlignLeft
        super().__init__(style, "Exercise", self.text, self.lock, (self.button, left))
        self._page = ""
        self.button.clicked.connect(self._begin_or_open)
        self.hide()

    def show_task(self, now: ViewState) -> None:
        """Show the task of the sheet; the button begins its mode, then opens the page of that."""
        task = now.sheet.task
        self.setVisible(task is not None)
        if task is None:
            return
        show_text(self.text, task.text)
        self.lock.setVisible(task.locked)
        self._page = _PAGE_OF_MODE.get(task.start, "") if now.does_task else ""
        open_text = f"Open {self._page.capitalize()}"
        # a task without a mode is called after "", and its button is hidden below
        self.button.setText(open_text if self._page else f"Begin: {MODE_TITLES[task.start]}")
        self.button.setVisible(bool(self._page if now.does_task else task.start))

    def _begin_or_open(self) -> None:
        if self._page:
            self.page_wanted.emit(self._page)
        else:
            self.begin_wanted.emit()


class DrillPart(QWidget):
    """Asks one drill after the other, without changing the document."""

    left = Signal()
    """Emitted after the last question, or by Esc; the drills are forgotten then."""
    counted = Signal(str)
    """Emitted with "2 of 3" when a question is asked."""
    graded = Signal(object)
    """Emitted with the `Answered` question when it has its verdict."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self.drills: Sequence[Drill] = ()
        self._index = self._right = 0
        """Index of the question asked, and number of right answers."""
        self._graded = False
        """Whether the answer to the question asked has its verdict."""
        self.premise = plain_label(kind="secondary", wraps=True)
        self.question = plain_label(kind="strong", wraps=True)
        self.field = QLineEdit()
        self.field.setMaxLength(ANSWER_LIMIT)
        self.field.setAccessibleName("Your answer")
        self.field.setPlaceholderText("your number, then Enter")
        self.check = QPushButton("Check")
        self.check.setProperty("kind", "question")
        self.verdict = RichLine(style, font_role="interface")
        row = in_row((self.field, 1), self.check)
        parts = (self.premise, self.question, row, self.verdict)
        in_column(*parts, parent=self, style=style, gap=8)
        self.check.clicked.connect(self._grade_or_go_on)
        TakenKeys(self.field, *ENTER).pressed.connect(self._grade_or_go_on)
        TakenKeys(self.field, Qt.Key.Key_Escape).pressed.connect(self._leave)
        self.hide()

    def begin(self, drills: Sequence[Drill]) -> None:
        """Ask the first of these drills."""
        self.drills, self._index, self._right = drills, 0, 0
        self.show()
        self._ask()

    def end(self) -> None:
        """Forget the drills."""
        self.drills = ()
        self.hide()

    def _ask(self) -> None:
        premise, question = drill_text(self.drills[self._index], self._style.digits)
        self._graded = False
        self.counted.emit(f"{self._index + 1} of {len(self.drills)}")
        self.premise.setText(premise)
        self.question.setText(question)
        self.field.clear()
        self.field.setReadOnly(False)
        self.check.setText("Check")
        self.verdict.set_spans(())
        self.field.setFocus()

    def _grade_or_go_on(self) -> None:
        """Grade the typed answer; if it has been graded already, ask the next question."""
        if not self.drills:
            return
        if not self._graded:
            self._grade()
        elif self._index + 1 < len(self.drills):
            self._index += 1
            self._ask()
        else:
            self._leave()

    def _grade(self) -> None:
        drill, digits = self.drills[self._index], self._style.digits
        verdict = grade(drill.question, drill.trace, self.field.text(), digits)
        if verdict.kind == "unread":  # no number: the question stays open
            self.verdict.set_spans((Span(verdict.sentence, "error"),))
            return
        self._graded = True
        self._right += verdict.right
        slips = tuple(slip.name for slip in verdict.slips)
        self.graded.emit(Answered(drill.question, drill.trace, verdict.right, slips))
        self.field.setReadOnly(True)
        last = self._index + 1 == len(self.drills)
        self.check.setText("Close" if last else "Next")
        spans = self._correction(drill, verdict)
        if last:
            spans += (Span(f"\n{self._right} of {len(self.drills)} right.", bold=True),)
        self.verdict.set_spans(spans)

    def _correction(self, drill: Drill, verdict: Verdict) -> tuple[Span, ...]:
        """Return the answer as it was typed, the right one, and the sentence of a slip."""
        number = answer_text(drill.question, drill.trace, self._style.digits)
        role = KINDS[drill.question.kind].role
        right = Span(number, role, bold=True)
        after = Span(f"\n{verdict.sentence}" if verdict.sentence else "")
        if verdict.right:
            return (right, Span(" ✓"), after)
        wrong = Span(self.field.text().strip(), "error", strike=True)
        return (Span("✘ ", "error", bold=True), wrong, Span("  "), right, after)

    def _leave(self) -> None:
        self.end()
        self.left.emit()
