"""The player of a lesson: the current step with its task, its progress, and the end page.

`LessonPage` calls `PlayerPart.show_state` with every state; the texts are written in
`app.guide.words.lesson_texts`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QWidget

from app.controls.focus import ENTER, TakenKeys
from app.controls.layouts import (
    ElidedLabel,
    RowsOnDemand,
    in_column,
    in_row,
    plain_label,
    set_kind,
    show_text,
)
from app.controls.painted_buttons import IconButton, PaintedButton, push_button
from app.controls.rich_text import RichLine
from app.controls.rings import paint_ring
from app.controls.row_list import Column, RowList
from app.controls.spans import filled
from app.controls.value_slider import UserRange, ValueSlider
from app.document.document import Document, ValueGesture
from app.guard import exception_safe
from app.guide.play.guide import Learner
from app.guide.words.lesson_texts import (
    COMES_BACK,
    Card,
    card_of,
    daily_rows,
    end_rows,
    spoken_step,
    step_heading,
    step_lines,
)
from app.lessons.course_view import LessonEntry
from app.lessons.lesson import Step
from app.lessons.progress import Done
from app.lessons.situation import PlaneFile
from app.style import sizes
from app.style.current import Style
from app.style.icons import paint_icon
from app.style.strokes import antialiased
from app.style.theme import mixed
from app.workbench.playback.view_state import ViewState
from engine.graph import Constant, Leaf

NOT_ANSWERED = "Not done yet: answer, or Show me."
ANSWER_FIRST = "Not done yet: answer first."
NO_VERDICT = "Not answered yet; a guess is an answer, too."
NOT_TRIED = "Not done yet: try it, or Show me."
CHANGED = "You changed the graph."
OTHER_GRAPH = "The question belongs to the lesson's graph."
PUT_BACK = "Put the graph back as in this step"
_FINE_BELOW, _MAX_HALVES_RANGE = 10.0, 20.0
"""Width of a range below which a slider has 100 steps, and up to which it stops at halves."""
_SLIDER_NAME_LENGTH = 12
"""Most characters of a leaf's name before its slider."""
_ICONS = {"numeric": "check"}
"""Icons of the pages that have another name than their icon."""


@exception_safe
class PlayerPart(QWidget):
    """Shows one state of a lesson; Back is in the foot of the page, Next in the strip."""

    put_back_wanted = Signal()
    """Emitted when the sheet of the step's beginning is to be restored."""
    again_wanted = Signal()
    """Emitted when the lesson is to begin again, from its end page."""
    along_wanted = Signal()
    """Emitted when the lesson is to be taken along, as page, worksheet and strip."""
    next_lesson_wanted = Signal()
    """Emitted by the card of the next lesson, on the end page."""
    page_wanted = Signal(str)
    """Emitted with the name of the page that the step needs."""

    def __init__(self, style: Style, document: Document) -> None:
        super().__init__()
        self._style = style
        self.title = ElidedLabel(style, kind="strong")
        self.minutes = plain_label(kind="caption")
        self.dots, self.count = StepDots(style), plain_label(kind="caption")
        self.step_title = plain_label(kind="heading", wraps=True)
        texts = QWidget()
        column = in_column(parent=texts, style=style, gap=8)
        self.texts = RowsOnDemand(lambda: RichLine(style, font_role="interface"), column.addWidget)
        self.card = TaskCard(style, document)
        self.warning = plain_label(NOT_ANSWERED, "asked", wraps=True)
        self.end = EndPart(style)
        self._make_plane: Callable[[PlaneFile], QWidget] | None = None
        self._plane: PlaneFile | None = None
        """The plane of the step, whose picture is alone in `_plane_place`."""
        self._plane_place = in_column(style=style)
        self._make_below(style)
        in_column(
            in_row((self.title, 1), self.minutes),
            in_row((self.dots, 1), self.count),
            self.step_title,
            texts,
            self.card,
            self.warning,
            self._plane_place,
            self.end,
            parent=self,
            style=style,
            gap=10,
        )
        self.put_back.clicked.connect(self.put_back_wanted)
        self.end.again.clicked.connect(self.again_wanted)
        self.end.along.clicked.connect(self.along_wanted)
        self.following.clicked.connect(self.next_lesson_wanted)
        self.card.page_wanted.connect(self.page_wanted)

    def set_plane_maker(self, make: Callable[[PlaneFile], QWidget]) -> None:
        """Set what makes the picture of a step's plane."""
        self._make_plane = make

    def _show_plane(self, plane: PlaneFile | None) -> None:
        if plane == self._plane or self._make_plane is None:
            return
        self._plane = plane
        old = self._plane_place.takeAt(0)
        widget = None if old is None else old.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        if plane is not None:
            self._plane_place.addWidget(self._make_plane(plane))

    def _make_below(self, style: Style) -> None:
        self.edit_note = QFrame()
        self.edit_note.setProperty("kind", "code")
        self.edited = plain_label(CHANGED, wraps=True)
        self.put_back = IconButton(style, "undo", PUT_BACK, text=PUT_BACK)
        self.put_back.set_icon_last()
        self.put_back.set_kind("offer")
        in_column(self.edited, self.put_back, parent=self.edit_note, style=style,
                  edges=(12, 8, 12, 8), gap=4)  # fmt: skip
        self.below = QWidget()
        """The part above the foot of the page: undo of edits, or the next lesson."""
        self.following = NextLesson(style)
        in_column(self.edit_note, self.following, parent=self.below, style=style, gap=8)

    def show_state(
        self,
        state: Learner,
        now: ViewState,
        edited: bool,
        following: LessonEntry | None,
        returns: Sequence[str] = (),
    ) -> None:
        """Show a state of a lesson; `edited` says whether the learner has changed the sheet.

        `following` is the next lesson, for the end page. `returns` say when what each step or
        wrong answer is about is asked again.
        """
        lesson, step, digits = state.lesson, state.step, self._style.digits
        total = len(lesson.steps)
        self.title.setText(lesson.title)
        minutes = f"{lesson.minutes} min" if lesson.minutes else ""
        # whoever types a test's number gets the same questions
        self.minutes.setText(f"number {state.seed}" if state.is_test else minutes)
        self.dots.show_steps(state.done, state.at if step is not None else -1)
        self.dots.setAccessibleName(f"{sum(map(bool, state.done))} of {total} steps done")
        self.count.setText(f"{min(state.at + 1, total)} of {total}")
        self.end.setVisible(step is None and not state.is_test)
        self.step_title.setVisible(step is not None)
        lines = step_lines(state, now, digits)
        for row, line in zip(self.texts.show(len(lines)), lines, strict=True):
            row.set_spans(line)
        self.warning.setVisible(state.warned)
        self._show_plane(state.begun.plane)
        self.following.setVisible(following is not None)
        if step is not None:
            self._show_step(state, step, now, edited)
            return
        self.card.hide()
        self.edit_note.hide()
        self.end.show_end(state, returns)
        if following is not None:
            self.following.show_lesson(following)

    def _show_step(self, state: Learner, step: Step, now: ViewState, edited: bool) -> None:
        card = card_of(state, step, now)
        self.card.setVisible(card is not None)
        takes_any = state.is_test or step.guess
        asks = NO_VERDICT if takes_any else NOT_ANSWERED if state.has_help else ANSWER_FIRST
        self.warning.setText(asks if step.kind == "ask" else NOT_TRIED)
        self.step_title.setText(step_heading(state, step))
        self.setAccessibleName(spoken_step(state))
        if card is not None:
            self.card.show_card(card, now)
        asleep = now.quiz is not None and bool(now.quiz.numbers_put_aside(now.frame))
        is_other = state.quiz_ended or asleep
        self.edited.setText(OTHER_GRAPH if is_other else CHANGED)
        self.edit_note.setVisible((is_other or edited) and not state.is_test)


class TaskCard(QFrame):
    """What the task of a step needs beside the strip: questions, sliders, a page, a hint."""

    page_wanted = Signal(str)
    """Emitted with the name of the page that the step needs."""
    hint_wanted = Signal()
    entered = Signal()
    """Emitted by Enter on a slider."""

    def __init__(self, style: Style, document: Document) -> None:
        super().__init__()
        self._style = style
        self._page = ""
        """The name of that page, or ""."""
        columns = (Column(14), Column(stretches=True), Column(right=True))
        self.rows = RowList(style, "Questions", columns, row_height=26, choosable=False)
        self.rows.setProperty("kind", "clear")
        self.page = IconButton(style, "mistakes", "The step goes on there", text="Open")
        self.page.set_kind("question")
        self.page.clicked.connect(lambda: self.page_wanted.emit(self._page))
        self.more = QPushButton("Hint")
        self.more.setProperty("kind", "offer")
        self.more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.more.clicked.connect(self.hint_wanted)
        self._offers = QWidget()
        in_row(self.page, self.more, 1, parent=self._offers, style=style, gap=12)
        self._sliders = QWidget()
        column = in_column(parent=self._sliders, style=style, gap=6)
        self.sliders = RowsOnDemand(lambda: self._new_slider(document), column.addWidget)
        in_column(
            self.rows,
            self._sliders,
            self._offers,
            parent=self,
            style=style,
            edges=(12, 10, 12, 10),
            gap=8,
        )

    def _new_slider(self, document: Document) -> LeafSlider:
        made = LeafSlider(self._style, document)
        made.entered.connect(self.entered)
        return made

    @property
    def first_slider(self) -> QWidget | None:
        """Return the first slider of a task that is open; None without one."""
        is_open = self.property("kind") == "task" and self._sliders.isVisible()
        return self.sliders[0].slider if is_open else None

    def show_card(self, card: Card, now: ViewState) -> None:
        set_kind(self, "task" if card.is_open else "card")
        self.rows.setVisible(bool(card.rows))
        self.rows.show_rows(card.rows)
        self._page = card.page
        self.page.setVisible(bool(card.page))
        self.more.setVisible(card.offers_hint)
        self._offers.setVisible(bool(card.page) or card.offers_hint)
        if card.page:
            self.page.set_icon(_ICONS.get(card.page, card.page))
            self.page.setText(f"Open {card.page.capitalize()}")
        # the learner may have deleted a leaf
        ranges = {n: r for n, r in card.sliders.items() if n in now.frame.graph.nodes}
        self._sliders.setVisible(bool(ranges))
        shown = self.sliders.show(len(ranges))
        for slider, (node, ends) in zip(shown, ranges.items(), strict=True):
            slider.show_leaf(node, ends, now)


class LeafSlider(QWidget):
    """The value of a leaf in the range that a lesson gives it."""

    entered = Signal()

    def __init__(self, style: Style, document: Document) -> None:
        super().__init__()
        self._node, self._ends = -1, (0.0, 0.0)  # none before `show_leaf`
        self._gesture = ValueGesture(document)
        self.name = plain_label(kind="strong")
        self.slider = ValueSlider(style)
        in_row(self.name, (self.slider, 1), parent=self, style=style, gap=8)
        TakenKeys(self.slider.focusProxy() or self.slider, *ENTER).pressed.connect(
            lambda: self.entered.emit()
        )
        self.slider.value_changed.connect(self._set_value)
        self.slider.gesture_ended.connect(self._end)
        self.slider.cancelled.connect(self._abandon)
        self.slider.refused.connect(document.refused)

    def show_leaf(self, node: int, ends: tuple[float, float], now: ViewState) -> None:
        """Show a leaf; `ends` are those of its range, which grows where its value lies outside."""
        leaf = now.frame.graph.nodes[node]
        name = now.frame.graph.brief(node, _SLIDER_NAME_LENGTH)
        if isinstance(leaf, Leaf | Constant) and self.slider.value() != leaf.value:
            self.slider.set_value(leaf.value)
        if (node, ends) != (self._node, self._ends):
            self._node, self._ends = node, ends
            self.name.setText(name)
            self.slider.set_name(name)
            self.slider.set_range(UserRange(*ends, _slider_step(ends)))

    def _set_value(self, value: float, token: object) -> None:
        # the token is one per drag, which thus is one step of undo
        self._gesture.set_value(self._node, value, token)

    def _end(self, _token: object) -> None:
        self._gesture.end()

    def _abandon(self, _token: object) -> None:
        self._gesture.abandon()


def _slider_step(ends: tuple[float, float]) -> float:
    """Return the step of a slider: about 1/100 of a range below 10, else ½ or 1: whole numbers.

    It is 1, 2 or 5 times a power of ten, so that each whole number in the range can be reached.
    """
    width = ends[1] - ends[0]
    if width >= _FINE_BELOW:
        return 0.5 if width <= _MAX_HALVES_RANGE else 1.0
    power = 10.0 ** math.floor(math.log10(width / 100))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor * 100 >= width * 0.999)


ONCE_MORE, NEW_NUMBERS = "Once more", "Once more, new numbers"
TAKE_ALONG = "Take it along…"
_CARD_HEIGHT, _RING = 62, 40
"""Height of the card of the next lesson, and diameter of its ring, in px at 100 %."""
_RING_LEFT, _TEXT_LEFT, _CARD_MARGIN = 10, 62, 10
"""Left edges of ring and text in the card, and its margin, in px at 100 %."""
_RIGHT_FIRST = "**{right} of {asked}** right first time"


class EndPart(QWidget):
    """The summary of a lesson: skills, answers, and a way to repeat it."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self.able = plain_label(kind="heading", wraps=True)
        self.surprise = plain_label(wraps=True)
        self.surprise_box = QFrame()
        self.surprise_box.setProperty("kind", "code")
        in_column(plain_label("The surprise", "caption"), self.surprise, parent=self.surprise_box,
                  style=style, edges=(12, 8, 12, 8), gap=4)  # fmt: skip
        self.right_count, self.shown_count = (
            RichLine(style, font_role="interface"),
            plain_label(kind="caption"),
        )
        columns = (Column(14), Column(stretches=True, wraps_from=60), Column(right=True))
        self.answers_head = plain_label("Your answers", "strong")
        self.answers = RowList(style, "Wrong answers", columns, choosable=False)
        self.answers.setProperty("kind", "clear")
        self.wrong = QFrame()
        self.wrong.setProperty("kind", "card")
        in_column(self.answers, parent=self.wrong, style=style, edges=(4, 4, 4, 8))
        self.again = push_button(ONCE_MORE, "offer")
        self.along = push_button(TAKE_ALONG, "offer")
        self.skills = QWidget()
        self.now = plain_label("Now you can", "caption")
        lines = (self.now, self.able, self.surprise_box)
        in_column(*lines, parent=self.skills, style=style, gap=10)
        in_column(
            self.skills,
            self.answers_head,
            in_row((self.right_count, 1), self.shown_count),
            self.wrong,
            in_row(self.again, 1, self.along, gap=4),
            parent=self,
            style=style,
            gap=10,
        )

    def show_end(self, state: Learner, returns: Sequence[str]) -> None:
        """Show the end of a lesson, or the questions of a day and when each is asked again."""
        lesson, daily = state.lesson, state.lesson.kind == "daily"
        self.skills.setVisible(not daily)
        self.again.setVisible(not daily)
        self.along.setVisible(not daily)
        show_text(self.able, lesson.able)
        self.now.setVisible(bool(lesson.able))
        self.surprise.setText(lesson.surprise)
        self.surprise_box.setVisible(bool(lesson.surprise))
        right, asked = state.right_first
        self.right_count.set_spans(filled(_RIGHT_FIRST, right=f"{right}", asked=f"{asked}"))
        self.right_count.setVisible(asked > 0)
        count = state.done.count("shown")
        self.shown_count.setText(f"{count} step{'s' if count > 1 else ''} shown" if count else "")
        if daily:
            self.shown_count.setText(COMES_BACK)  # the heading of the days
        rows = daily_rows(state, returns) if daily else end_rows(state, returns)
        self.answers.show_rows(rows)
        self.wrong.setVisible(bool(rows))
        self.answers_head.setVisible(bool(asked or count or rows))
        is_drawn = any(step.friendly for step in lesson.steps)
        self.again.setText(NEW_NUMBERS if is_drawn else ONCE_MORE)


@exception_safe
class NextLesson(PaintedButton):
    """The next lesson: its ring, its title, and its minutes."""

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        self._lesson: LessonEntry | None = None
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_lesson(self, lesson: LessonEntry) -> None:
        self._lesson = lesson
        self.set_title(lesson.title, lesson.caption)
        self.setAccessibleName(lesson.spoken)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(120), self._style.px(_CARD_HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        lesson, style, px = self._lesson, self._style, self._style.px
        if lesson is None:
            return
        side = px(_RING)
        with antialiased(self) as painter:
            self._paint_background(painter)
            ring = QRectF(px(_RING_LEFT), (self.height() - side) / 2, side, side)
            paint_ring(painter, ring, lesson, style)
            text = self.rect().adjusted(
                px(_TEXT_LEFT), px(_CARD_MARGIN), -px(_CARD_MARGIN), -px(_CARD_MARGIN)
            )
            half = text.height() // 2
            upper, lower = text.adjusted(0, 0, 0, -half), text.adjusted(0, half, 0, 0)
            self._paint_text(painter, upper, lesson.title, "interface strong", style.theme.text)
            self._paint_text(painter, lower, lesson.caption, "caption", style.theme.secondary)

    def _paint_background(self, painter: QPainter) -> None:
        theme = self._style.theme
        fill = mixed(theme.panel, theme.text, 0.05) if self.underMouse() else theme.panel
        self.paint_box(painter, fill, theme.text, sizes.RADIUS_BUTTON, 1.5)

    def _paint_text(
        self, painter: QPainter, rect: QRect, text: str, role: str, color: QColor
    ) -> None:
        font = self._style.font(role)
        shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, rect.width())
        painter.setFont(font)
        painter.setPen(color)
        painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter, shown)


_DOT_RADIUS, _CURRENT_RADIUS, _PITCH, _DOTS_HEIGHT = 6.0, 7.5, 26.0, 20
"""Radii of a dot and of the ring of the current one, the distance between the centres of two,
and the height of the row, in px at 100 %."""
_DOTS_MARGIN = 0.5
"""Space at each end of the row, where a ring is not cut off, in px at 100 %."""


@exception_safe
class StepDots(QWidget):
    """A row of dots, one per step: filled once done, half filled if shown, ringed if current."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self._done: tuple[Done, ...] = ()
        self._current = -1
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        style.changed.connect(self.updateGeometry)

    def show_steps(self, done: Sequence[Done], current: int) -> None:
        """Show these steps; `current` is an index, −1 for none."""
        self._done, self._current = tuple(done), current
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        px = self._style.px
        width = _PITCH * max(len(self._done) - 1, 0) + 2 * (_CURRENT_RADIUS + _DOTS_MARGIN)
        return QSize(px(width), px(_DOTS_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self._style.px(_DOTS_HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self._done:
            return
        scale, theme = self._style.control_scale, self._style.theme
        first, middle = (_CURRENT_RADIUS + _DOTS_MARGIN) * scale, self.height() / 2
        # the dots move together where the row is too narrow
        available = self.width() - 2 * first
        pitch = min(_PITCH * scale, available / max(len(self._done) - 1, 1))
        centres = [QPointF(first + k * pitch, middle) for k in range(len(self._done))]
        with antialiased(self) as painter:
            for k in range(len(centres) - 1):
                done = bool(self._done[k])
                painter.setPen(
                    QPen(theme.text if done else theme.line, (1.6 if done else 1) * scale)
                )
                painter.drawLine(centres[k], centres[k + 1])
            for k, done in enumerate(self._done):
                self._paint_dot(painter, centres[k], done, k == self._current)

    def _paint_dot(self, painter: QPainter, at: QPointF, done: Done, current: bool) -> None:
        scale, theme = self._style.control_scale, self._style.theme
        radius = _DOT_RADIUS * scale
        painter.setBrush(theme.panel)
        painter.setPen(QPen(theme.text if done else theme.outline, 1.4 * scale))
        if done == "done":
            painter.setBrush(theme.text)
            painter.drawEllipse(at, radius, radius)
            side = 9 * scale
            box = QRectF(at.x() - side / 2, at.y() - side / 2, side, side)
            paint_icon(painter, box, "check", theme.panel)
        else:
            painter.drawEllipse(at, radius, radius)
        if done == "shown":
            painter.setBrush(theme.text)
            painter.setPen(Qt.PenStyle.NoPen)
            circle = QRectF(at.x() - radius, at.y() - radius, 2 * radius, 2 * radius)
            painter.drawPie(circle, 90 * 16, 180 * 16)  # the left half; Qt counts in 1/16 degrees
        if current:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.selection, 2.2 * scale))
            painter.drawEllipse(at, _CURRENT_RADIUS * scale, _CURRENT_RADIUS * scale)
            if not done:  # an empty dot gets a point in the middle
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.selection)
                painter.drawEllipse(at, 3 * scale, 3 * scale)
