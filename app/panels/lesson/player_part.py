"""PlayerPart: the current step of a lesson, with its task, and the end page."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from app.controls.elided_label import ElidedLabel
from app.controls.icon_button import IconButton
from app.controls.kind import set_kind
from app.controls.layouts import in_column, in_row, plain_label
from app.controls.rich_line import RichLine
from app.controls.row_list import Column, RowList
from app.controls.rows_on_demand import RowsOnDemand
from app.controls.step_dots import StepDots
from app.controls.value_range import OwnRange
from app.controls.value_slider import ValueSlider
from app.document.document import Document, ValueGesture
from app.guard import guarded
from app.lessons.course_view import LessonEntry
from app.panels.lesson.end_part import EndPart, NextLesson
from app.style.current import Style
from app.workbench.lesson_state import LessonState
from app.workbench.playback.view_state import ViewState
from app.workbench.words.lesson import Card, card_of, live_spans, paragraphs, spoken_step
from engine.graph import Constant, Leaf

KEYS, LEAVES = "PageUp Back, PageDown Next", "Esc leaves"
NOT_DONE = "Not done yet: answer, or Show me."
NOT_DONE_YET = "Not done yet: try it, or Show me."
FREE_TO_EDIT, CHANGED = "You may edit and step as you like.", "You changed the graph."
ASLEEP = "The question belongs to the lesson's graph."
PUT_BACK = "Put the graph back as in this step"
_NARROW = 20.0
"""Width of a range up to which a slider stops at halves."""
_ICONS = {"numeric": "check"}
"""Icons of pages that are not called as these are."""


@guarded
class PlayerPart(QWidget):
    """Shows one state of a lesson; the buttons that lead on stand in the foot of the page."""

    put_back_wanted = Signal()
    again_wanted = Signal()
    next_lesson_wanted = Signal()
    page_wanted = Signal(str)
    """Emitted with the name of the page on which the step goes on."""

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
        self._make_below(style)
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
        self.following.clicked.connect(self.next_lesson_wanted)
        self.card.page_wanted.connect(self.page_wanted)

    def _make_below(self, style: Style) -> None:
        self.quiet = QFrame()
        self.quiet.setProperty("kind", "code")
        self.edited = plain_label(FREE_TO_EDIT, wraps=True)
        self.put_back = IconButton(style, "undo", PUT_BACK, text=PUT_BACK)
        self.put_back.set_icon_last()
        self.put_back.set_kind("offer")
        in_column(self.edited, self.put_back, parent=self.quiet, style=style,
                  edges=(12, 8, 12, 8), gap=4)  # fmt: skip
        self.below = QWidget()
        """What stands above the foot of the page: the way back and the keys, or the next lesson."""
        self.keys = QWidget()
        row = (plain_label(KEYS, "caption"), 1), plain_label(LEAVES, "caption")
        in_row(*row, parent=self.keys, edges=0)
        self.following = NextLesson(style)
        parts = (self.quiet, self.keys, self.following)
        in_column(*parts, parent=self.below, style=style, edges=0, gap=8)

    def show_state(
        self, state: LessonState, now: ViewState, edited: bool, following: LessonEntry | None
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
        self.quiet.setVisible(step is not None)
        self.keys.setVisible(step is not None)
        self.following.setVisible(following is not None)
        if step is None:
            self.end.show_end(state)
            if following is not None:
                self.following.show_lesson(following)
            return
        self.warning.setText(NOT_DONE if step.kind == "ask" else NOT_DONE_YET)
        self.step_title.setText(step.title)
        self.setAccessibleName(spoken_step(state))
        if card is not None:
            self.card.show_card(card, now)
        self.edited.setText(ASLEEP if state.asleep else CHANGED if edited else FREE_TO_EDIT)


class TaskCard(QFrame):
    """What a step wants: its task, what is asked, a slider; ✓ once it is done."""

    page_wanted = Signal(str)

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
        self._page = ""
        self.page = IconButton(style, "mistakes", "The step goes on there", text="Open")
        self.page.set_kind("question")
        self.page.clicked.connect(lambda: self.page_wanted.emit(self._page))
        self._sliders = QWidget()
        column = in_column(parent=self._sliders, style=style, edges=0, gap=6)
        self.sliders = RowsOnDemand(lambda: LeafSlider(style, document), column.addWidget)
        top = Qt.AlignmentFlag.AlignTop
        in_column(
            in_row((self.word, top), (self.task, 1), (self.done, top), gap=8),
            self.rows,
            self._sliders,
            self.hint,
            (self.page, Qt.AlignmentFlag.AlignLeft),
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
        self._page = card.page
        self.page.setVisible(bool(card.page))
        if card.page:
            self.page.set_icon(_ICONS.get(card.page, card.page))
            self.page.setText(f"Open {card.page.capitalize()}")
        ranges = {n: r for n, r in card.sliders.items() if n in now.frame.graph.nodes}
        self._sliders.setVisible(bool(ranges))
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
            self.slider.set_range(OwnRange(*ends, _slider_step(ends)))
        if isinstance(found, Leaf | Constant) and self.slider.value() != found.value:
            self.slider.set_value(found.value)

    def _set_value(self, value: float, token: object) -> None:
        self._gesture.set_value(self._node, value, token)

    def _end(self, _token: object) -> None:
        self._gesture.end()

    def _abandon(self, _token: object) -> None:
        self._gesture.abandon()


def _slider_step(ends: tuple[float, float]) -> float:
    """Return the step of a slider, so that whole numbers are met: a half, in a wide range 1."""
    return 0.5 if ends[1] - ends[0] <= _NARROW else 1.0
