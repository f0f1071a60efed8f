"""PlayerPart: the current step of a lesson, with its task, and the end page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from app.controls.elided_label import ElidedLabel
from app.controls.icon_button import IconButton
from app.controls.kind import set_kind
from app.controls.layouts import in_column, in_row, plain_label
from app.controls.rich_line import RichLine
from app.controls.rich_text import filled
from app.controls.row_list import Column, ListRow, RowList
from app.controls.rows_on_demand import RowsOnDemand
from app.controls.step_dots import StepDots
from app.controls.value_range import OwnRange
from app.controls.value_slider import ValueSlider
from app.document.document import Document
from app.document.value_gesture import ValueGesture
from app.guard import guarded
from app.style.current import Style
from app.workbench.lesson_state import LessonState
from app.workbench.playback.view_state import ViewState
from app.workbench.words.lesson import (
    Card,
    card_of,
    end_rows,
    live_spans,
    paragraphs,
    spoken_step,
)
from engine.graph import Constant, Leaf

if TYPE_CHECKING:
    from app.lessons.index import Head

KEYS, LEAVES = "PageUp Back, PageDown Next", "Esc leaves"
NOT_DONE = "Not done yet: answer, or Show me."
FREE_TO_EDIT, CHANGED = "You may edit and step as you like.", "You changed the graph."
ASLEEP = "The question belongs to the lesson's graph."
_COUNT = "**{right} of {asked}** right first time"
PUT_BACK = "Put the graph back as in this step"


@guarded
class PlayerPart(QWidget):
    """Shows one state of a lesson; the buttons that lead on stand in the foot of the page."""

    put_back_wanted = Signal()
    again_wanted = Signal()
    next_lesson_wanted = Signal()
    mistakes_wanted = Signal()
    """Emitted when the page on which a mistake is named shall open."""

    def __init__(self, style: Style, document: Document) -> None:
        super().__init__()
        self._style = style
        self.title = ElidedLabel(style, kind="strong")
        self.minutes = plain_label(kind="caption")
        self.dots, self.count = StepDots(style), plain_label(kind="caption")
        self.step_title = plain_label(kind="heading", wraps=True)
        texts = QWidget()
        column = in_column(parent=texts, style=style, edges=0, gap=8)
        self.texts = RowsOnDemand(lambda: RichLine(style, font_role="interface"), column.addWidget)
        self.card = TaskCard(style, document)
        self.warning = plain_label(NOT_DONE, "asked", wraps=True)
        self.end = EndPart(style)
        self.quiet = QFrame()
        self.quiet.setProperty("kind", "code")
        self.edited = plain_label(FREE_TO_EDIT, wraps=True)
        self.put_back = QPushButton(PUT_BACK)
        self.put_back.setProperty("kind", "offer")
        in_column(self.edited, self.put_back, parent=self.quiet, style=style,
                  edges=(12, 8, 12, 8), gap=4)  # fmt: skip
        self.below = QWidget()
        """What stands above the foot of the page: the way back, and the keys."""
        keys = in_row((plain_label(KEYS, "caption"), 1), plain_label(LEAVES, "caption"))
        in_column(self.quiet, keys, parent=self.below, style=style, edges=0, gap=8)
        in_column(
            in_row((self.title, 1), self.minutes),
            in_row((self.dots, 1), self.count),
            self.step_title,
            texts,
            self.card,
            self.warning,
            self.end,
            parent=self,
            style=style,
            edges=0,
            gap=10,
        )
        self.put_back.clicked.connect(self.put_back_wanted)
        self.end.again.clicked.connect(self.again_wanted)
        self.end.following.clicked.connect(self.next_lesson_wanted)
        self.card.mistakes.clicked.connect(self.mistakes_wanted)

    def show_state(
        self, state: LessonState, now: ViewState, edited: bool, following: Head | None
    ) -> None:
        """Show a state of a lesson beside what is on the sheet."""
        lesson, step, digits = state.lesson, state.step, self._style.digits
        total = len(lesson.steps)
        self.title.setText(lesson.title)
        self.minutes.setText(f"{lesson.minutes} min")
        self.dots.show_dots(state.marks, state.at if step is not None else -1)
        self.dots.setAccessibleName(f"{sum(map(bool, state.marks))} of {total} steps done")
        self.count.setText(f"{min(state.at + 1, total)} of {total}")
        self.end.setVisible(step is None)
        self.step_title.setVisible(step is not None)
        lines = [] if step is None else [*paragraphs(step.text)]
        for row, line in zip(self.texts.show(len(lines)), lines, strict=True):
            row.set_spans(live_spans(line, now, digits))
        card = None if step is None else card_of(state, step, now, digits)
        self.card.setVisible(card is not None)
        self.warning.setVisible(state.warned)
        if step is None:
            self.end.show_end(state, following)
            return
        self.step_title.setText(step.title)
        self.setAccessibleName(spoken_step(state))
        if card is not None:
            self.card.show_card(card, now)
        self.edited.setText(ASLEEP if state.asleep else CHANGED if edited else FREE_TO_EDIT)
        self.put_back.setEnabled(edited or state.asleep)


class TaskCard(QFrame):
    """What a step wants: its task, what is asked, a slider; ✓ once it is done."""

    def __init__(self, style: Style, document: Document) -> None:
        super().__init__()
        self._style, self._document = style, document
        self.word = plain_label(kind="asked")
        self.task = RichLine(style, font_role="interface")
        self.done = plain_label("✓", "strong")
        columns = (Column(14), Column(takes_rest=True), Column(right=True))
        self.rows = RowList(style, "Questions", columns, row_height=26, choosable=False)
        self.rows.setProperty("kind", "clear")
        self.hint = RichLine(style, font_role="interface")
        self.mistakes = IconButton(style, "mistakes", "Name it there", text="Open Mistakes")
        self.mistakes.set_kind("question")
        sliders = QWidget()
        column = in_column(parent=sliders, style=style, edges=0, gap=6)
        self.sliders = RowsOnDemand(lambda: LeafSlider(style, document), column.addWidget)
        in_column(
            in_row(self.word, (self.task, 1), self.done, gap=8),
            self.rows,
            sliders,
            self.hint,
            (self.mistakes, Qt.AlignmentFlag.AlignLeft),
            parent=self,
            style=style,
            edges=(12, 10, 12, 10),
            gap=8,
        )

    def show_card(self, card: Card, now: ViewState) -> None:
        """Show a task."""
        set_kind(self, "task" if card.is_open else "card")
        self.word.setText(card.word)
        self.task.set_spans(card.task)
        self.done.setVisible(not card.is_open)
        self.done.setText("shown" if card.shown else "✓")
        self.rows.setVisible(bool(card.rows))
        self.rows.show_rows(card.rows)
        self.hint.setVisible(bool(card.hint))
        self.hint.set_spans(card.hint)
        self.mistakes.setVisible(card.opens_mistakes)
        ranges = {n: r for n, r in card.sliders.items() if n in now.frame.graph.nodes}
        shown = self.sliders.show(len(ranges))
        for slider, (node, ends) in zip(shown, ranges.items(), strict=True):
            slider.show_leaf(node, ends, now)


class LeafSlider(QWidget):
    """The value of a leaf in the range that a lesson gives it."""

    def __init__(self, style: Style, document: Document) -> None:
        super().__init__()
        self._node = -1
        self._gesture = ValueGesture(document)
        self.name = plain_label(kind="strong")
        self.slider = ValueSlider(style)
        in_row(self.name, (self.slider, 1), parent=self, style=style, edges=0, gap=8)
        self.slider.value_changed.connect(self._set_value)
        self.slider.gesture_ended.connect(self._end)
        self.slider.cancelled.connect(self._abandon)
        self.slider.refused.connect(document.refused)

    def show_leaf(self, node: int, ends: tuple[float, float], now: ViewState) -> None:
        """Show a leaf; the range grows where its value lies outside."""
        found = now.frame.graph.nodes[node]
        name = now.frame.graph.brief(node, 12)
        if node != self._node:
            self._node = node
            self.name.setText(name)
            self.slider.set_name(name)
            self.slider.set_range(OwnRange(*ends))
        if isinstance(found, Leaf | Constant) and self.slider.value() != found.value:
            self.slider.set_value(found.value)

    def _set_value(self, value: float, token: object) -> None:
        self._gesture.set_value(self._node, value, token)

    def _end(self, _token: object) -> None:
        self._gesture.end()

    def _abandon(self, _token: object) -> None:
        self._gesture.abandon()


class EndPart(QWidget):
    """What the lesson has taught, how its questions were answered, and what comes next."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self.able = plain_label(kind="heading", wraps=True)
        self.surprise = plain_label(wraps=True)
        box = QFrame()
        box.setProperty("kind", "code")
        in_column(plain_label("The surprise", "caption"), self.surprise, parent=box, style=style,
                  edges=(12, 8, 12, 8), gap=4)  # fmt: skip
        self.count, self.shown = RichLine(style, font_role="interface"), plain_label(kind="caption")
        columns = (Column(14), Column(takes_rest=True), Column(right=True))
        self.answers = RowList(style, "Wrong answers", columns, choosable=False)
        self.again = QPushButton("Once more")
        self.again.setProperty("kind", "offer")
        self.following = QPushButton()
        self.following.setProperty("kind", "card")
        in_column(
            plain_label("Now you can", "caption"),
            self.able,
            box,
            plain_label("Your answers", "strong"),
            in_row((self.count, 1), self.shown),
            self.answers,
            (self.again, Qt.AlignmentFlag.AlignLeft),
            self.following,
            parent=self,
            style=style,
            edges=0,
            gap=10,
        )

    def show_end(self, state: LessonState, following: Head | None) -> None:
        """Show the end of a lesson, and the lesson after it if there is one."""
        lesson = state.lesson
        self.able.setText(lesson.able)
        self.surprise.setText(lesson.surprise)
        right, asked = state.right_first
        self.count.set_spans(filled(_COUNT, right=f"{right}", asked=f"{asked}"))
        count = sum(mark == "shown" for mark in state.marks)
        self.shown.setText(f"{count} step{'s' if count > 1 else ''} shown" if count else "")
        rows: list[ListRow] = end_rows(state)
        self.answers.show_rows(rows)
        self.answers.setVisible(bool(rows))
        self.following.setVisible(following is not None)
        if following is not None:
            self.following.setText(f"Next: {following.title}, {following.minutes} min")
