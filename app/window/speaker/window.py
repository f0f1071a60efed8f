"""SpeakerWindow: the speaker's own view of a lecture, with its controls.

It has a Style of its own, as that of the main window has the sizes of the presentation. A `Plan`
has the rectangles of its parts, for any size of it: where space is short the pictures shrink first,
then the marks are left out, but never the notes.

>>> plan = plan_of(1366, 768)
>>> [round(x) for x in (plan.now.width(), plan.now.height(), plan.following.width())]
[780, 439, 532]
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QScrollArea, QWidget

from app.controls.buttons import IconButton
from app.controls.focus import set_tab_order_after
from app.controls.layouts import ElidedLabel, in_row, plain_label, scroll_area, set_kind
from app.guard import exception_safe
from app.guide.play.hands import HandsRecord
from app.guide.play.poll import LectureState
from app.guide.run.lecture_runner import LAST_MARK
from app.guide.words.room import next_band_and_state
from app.style.current import Style
from app.style.stylesheet import palette, window_stylesheet
from app.window.context import Context
from app.window.speaker.hands import HandCards, HandsChart
from app.window.speaker.marks import MarkStrip, NotesPane, TopLine, clock_text
from app.window.speaker.pictures import NextPicture, RoomParts, RoomPicture, room_layout
from engine.numbers import counted

USUAL_SIZE: Final = (1366.0, 768.0)
"""Size of the window in px up to which fonts have their usual size; larger windows scale them."""
_LARGEST_SCALE: Final = 1.5
NOTHING_NEXT: Final = "At the end: the hands"
_KEYS: Final = "PageDown next, PageUp back, . reveals\nB black, W white, X swaps, mouse: ring"
_ONE_KEY: Final = "{total:,} raised; key {count} adds one, Shift takes one back, or type a count"
_KEYS_ADD: Final = "{total:,} raised; keys 1–{count} add one, Shift takes one back, or type a count"
_ONE_KEY_AFTER: Final = "{total:,} raised; digits go to the field; after Esc key {count} adds one"
_KEYS_AFTER: Final = "{total:,} raised; digits go to the field; after Esc keys 1–{count} add one"
"""What the keys do while a called-out number is typed."""


@exception_safe
class SpeakerWindow(QWidget):
    """The pictures, the hands, the buttons, the marks and the notes of one lecture."""

    closed = Signal()

    def __init__(
        self, context: Context, room_parts: RoomParts, record: Callable[[], HandsRecord | None]
    ) -> None:
        """`record` returns the hands counted until now, or None."""
        super().__init__(context.shell.widget, Qt.WindowType.Window)
        self._context = context
        self._room_parts, self._record = room_parts, record
        self.look = Style(context.style.theme.name, self)
        self._follow_style()
        self.setWindowTitle("Speaker – Backwire")
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setMinimumSize(*(int(side) for side in SMALLEST))
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._update_timer = QTimer(self, singleShot=True, interval=0)
        self._update_timer.timeout.connect(self.show_state)
        self.top = TopLine(self.look, self)
        self._make_pictures()
        self._make_hands()
        self._make_buttons()
        self._make_right()
        self._connect()
        self.restyle()

    # parts

    def _make_pictures(self) -> None:
        look = self.look
        self.now_head = plain_label("On the screen now", "strong", parent=self)
        self.open_for = plain_label(kind="asked", parent=self)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom
        self.open_for.setAlignment(right)
        self.next_head = ElidedLabel(look, kind="strong", parent=self)
        for label in (self.now_head, self.next_head):
            label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
        self.now = RoomPicture(self._context, self._room_parts, self)
        self.following = NextPicture(self._context, self)
        self.chart = HandsChart(look)
        self.chart_area: QScrollArea = scroll_area(self.chart, fills_background=False)
        self.chart_area.setParent(self)
        self.chart_area.hide()
        self.save = IconButton(look, "save", "Save the hands…", text="Save the hands…", parent=self)
        self.save.hide()

    def _make_hands(self) -> None:
        self.hands_head = plain_label("Hands", "heading", parent=self)
        self.hands_hint = ElidedLabel(self.look, kind="secondary", parent=self)
        self.cards = HandCards(self.look, self)

    def _make_buttons(self) -> None:
        look = self.look
        self.previous = IconButton(look, "left", "Previous", text="Previous")
        self.onwards = IconButton(look, "right", "Next", text="Next")
        self.onwards.set_kind("primary")
        self.onwards.set_icon_last()
        self.timer = IconButton(look, "", "Timer", text="Timer")
        self.black = IconButton(look, "", "Black", text="Black")
        self.code = IconButton(look, "", "Code of the page", text="Code")
        self.keys = plain_label(_KEYS, "caption")
        self.keys.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.buttons = QWidget(self)
        parts = (self.previous, self.onwards, self.timer, self.black, self.code, 1, self.keys)
        in_row(*parts, parent=self.buttons, style=look, edges=0, gap=9)
        self.marks = MarkStrip(look, self)

    def _make_right(self) -> None:
        settings = self._context.settings
        self.notes_head = plain_label("Notes", "heading", parent=self)
        self.notes = NotesPane(self.look, settings.notes_size, self)

    def _connect(self) -> None:
        context, lecture = self._context, self._context.lecture
        lecture.ticked.connect(self.show_clocks)
        self.previous.clicked.connect(lecture.go_back)
        self.onwards.clicked.connect(lecture.go_on)
        self.timer.clicked.connect(lecture.toggle_timer)
        self.marks.buttons_replaced.connect(
            lambda: set_tab_order_after(self.code, self.marks.buttons)
        )
        self.marks.chosen.connect(lecture.go_to)
        self.cards.hands_typed.connect(lecture.set_hands)
        self.cards.number_called.connect(lecture.add_number)
        self.cards.refused.connect(self.say)
        self.cards.focus_changed.connect(self.show_soon)
        self.notes.resized.connect(partial(setattr, context.settings, "notes_size"))
        context.style.changed.connect(self._on_style_changed)
        canvas = context.canvas
        changes = (
            lecture.changed,
            lecture.entered,
            context.playback.shown,
            canvas.camera.zoomed,
            canvas.camera.shifted,
            context.selection.changed,
            context.selection.lit_changed,
        )
        for signal in changes:
            signal.connect(self.show_soon)

    # the state

    def show_soon(self) -> None:
        """Show the state once the room has been painted; several calls cause one update."""
        if self.isVisible():
            self._update_timer.start()

    def show_state(self) -> None:
        """Show the current mark of the lecture and its stage."""
        lecture = self._context.lecture
        state = lecture.now
        if state is None or lecture.is_moving or self.isHidden():
            return
        self.top.show_mark(state.lesson.title, state.at, len(state.slides))
        self.marks.show_state(state)
        self._show_hands(state)
        self._show_buttons(state)
        self._show_next(state)
        self.notes.show_notes(state.slide.notes)
        self.show_clocks()
        self._place()
        self.now.refresh_soon()

    def show_clocks(self) -> None:
        """Show the times, the only change at a tick."""
        state = self._context.lecture.now
        if state is None or self.isHidden():
            return
        lecture = self._context.lecture
        planned = sum(slide.step.timer for slide in state.slides if not slide.misfit)
        self.top.show_times(lecture.seconds, planned)
        is_open = state.stage == "asked"
        seconds = clock_text(lecture.seconds_at_mark)
        self.open_for.setText(f"question open for {seconds}" if is_open else "")
        self._show_timer()
        self.now.show_time()

    def say(self, sentence: str) -> None:
        """Show a sentence above the hands: an error in its colour, the last mark as plain text."""
        set_kind(self.hands_hint, "secondary" if sentence == LAST_MARK else "error")
        self.hands_hint.setText(sentence)

    def _show_hands(self, state: LectureState) -> None:
        poll = state.poll
        is_open = state.stage == "asked"
        takes_numbers = (
            poll is not None and state.slide.form == "number" and state.slide.question is not None
        )
        choices, hands = ((), ()) if poll is None else (poll.choices, poll.hands)
        self.cards.show_poll(choices, hands, is_open, takes_numbers)
        set_kind(self.hands_hint, "secondary")
        if poll is None:
            hint = "This mark asks nothing."
        elif not is_open:
            hint = f"{poll.total:,} raised"
        elif takes_numbers and not choices:
            hint = "Alt+1, a number that is called out, Enter: up to four."
        else:
            typed = self.cards.typed_field
            takes_digits = typed is not None and not typed.counts
            texts = (_ONE_KEY_AFTER, _KEYS_AFTER) if takes_digits else (_ONE_KEY, _KEYS_ADD)
            hint = counted(len(choices), *texts, total=poll.total)
        self.hands_hint.setText(hint)

    def _show_buttons(self, state: LectureState) -> None:
        self.code.setVisible(bool(state.lesson.address))
        following = state.following
        reveals = following is not None and following.stage == "revealed"
        text = "Reveal" if reveals else "Next"
        self.onwards.setText(text)
        self.onwards.set_tooltip(text, "PgDown")
        self.onwards.setEnabled(following is not None)
        self.previous.setEnabled(state.stage == "revealed" or state.next_index(-1) is not None)

    def _show_timer(self) -> None:
        lecture = self._context.lecture
        left = lecture.seconds_left
        seconds = lecture.timer_seconds if left is None else left
        text = f"Timer {clock_text(seconds)}"
        if self.timer.text() != text:
            self.timer.setText(text)
            self.timer.set_tooltip("Start the timer" if left is None else "Stop the timer", "T")
        kind = "question" if left is not None else ""
        if self.timer.property("kind") != kind:
            self.timer.set_kind(kind)

    def _show_next(self, state: LectureState) -> None:
        found = next_band_and_state(state, self.look.digits)
        is_over = found is None
        self.next_head.setText(next_caption(state))
        self.following.setVisible(not is_over)
        self.chart_area.setVisible(is_over)
        record = self._record() if is_over else None
        self.save.setVisible(record is not None)
        if found is None:
            self.chart.show_record(record)
        else:
            self.following.show_next(*found)

    # style and places

    def _on_style_changed(self) -> None:
        self._follow_style()
        self.restyle()
        self.following.refresh_soon()
        self.show_soon()

    def _follow_style(self) -> None:
        """Copy theme and digits of the main window, but not its scale for a projector."""
        main, look = self._context.style, self.look
        look.use_theme(replace(main.theme, scale=1.0))
        look.set_digits(main.digits)
        wide, high = self.width() / USUAL_SIZE[0], self.height() / USUAL_SIZE[1]
        grown = min(max(min(wide, high), 1.0), _LARGEST_SCALE)
        # squared, as controls grow with the square root of a style's size
        fits = min(self.width() / SMALLEST[0], self.height() / SMALLEST[1]) ** 2
        look.set_size(max(min(max(main.size, grown), fits), 1.0))

    def restyle(self) -> None:
        """Set colours and fonts of all parts from the window's own style."""
        look = self.look
        sheet = window_stylesheet(look.theme, look.control_scale)
        if sheet == self.styleSheet():
            return
        self.setPalette(palette(look.theme))
        self.setFont(look.font("interface"))
        self.setStyleSheet(sheet)
        self._place()

    def plan(self) -> Plan:
        """Return the rectangles of the parts."""
        aspect = room_layout(self._context).aspect
        state = self._context.lecture.now
        slides = () if state is None else state.slides
        # for the whole lecture, so that the picture keeps its size from mark to mark
        in_words = any(slide.kind == "ask" and slide.question is None for slide in slides)
        scale = self.look.control_scale
        return plan_of(self.width(), self.height(), aspect, scale, in_words=in_words)

    def _place(self) -> None:
        plan, px = self.plan(), self.look.px
        for widget, rect in (
            (self.top, plan.top),
            (self.now, plan.now),
            (self.following, _with_aspect(plan.following, plan.now)),
            (self.chart_area, plan.following),
            (self.cards, plan.cards),
            (self.buttons, plan.buttons),
            (self.notes, plan.notes),
            (self.next_head, plan.next_head),
            (self.now_head, plan.now_head),
            (self.open_for, plan.now_head),
        ):
            widget.setGeometry(rect.toRect())
        for label in (self.now_head, self.open_for, self.next_head):
            label.setGeometry(label.geometry().adjusted(0, 0, 0, -px(6)))
        self.marks.setVisible(plan.marks is not None)
        if plan.marks is not None:
            self.marks.setGeometry(plan.marks.toRect())
        _place_on_line(
            plan.hands_head.adjusted(0, px(8), 0, 0), (self.hands_head, self.hands_hint), px(10)
        )
        save = self.save.sizeHint() if not self.save.isHidden() else QSize()
        _place_on_line(plan.notes_head, (self.notes_head,), px(10))
        corner = plan.next_head.toRect()
        self.save.setGeometry(
            corner.right() - save.width(), corner.top() + px(2), save.width(), px(28)
        )
        if not self.save.isHidden():
            self.next_head.setGeometry(self.next_head.geometry().adjusted(0, 0, -save.width(), 0))
        self._size_buttons(plan)

    def _size_buttons(self, plan: Plan) -> None:
        """Set the widths of the buttons, smaller ones in a narrow row."""
        px = self.look.px
        narrow = plan.buttons.width() < px(740)
        widths = (96, 104, 104, 64, 64) if narrow else (104, 150, 118, 104, 104)
        buttons = (self.previous, self.onwards, self.timer, self.black, self.code)
        for button, wide in zip(buttons, widths, strict=True):
            button.setFixedSize(max(px(wide), button.sizeHint().width()), px(40))
        used = sum(button.width() + px(9) for button in buttons if not button.isHidden())
        self.keys.setVisible(used + self.keys.sizeHint().width() <= plan.buttons.width())

    # Qt's events

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._follow_style()
        self.restyle()
        self._place()
        self.now.refresh_soon()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.setFocus()  # or Qt would focus the first field on activation
        self.show_state()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self.look.theme.canvas)


def next_caption(state: LectureState) -> str:
    """Return the caption of the next picture: reveal, title of a mark, or at the end the hands."""
    after = state.following
    if after is None:
        return NOTHING_NEXT
    shown = "reveal" if after.stage == "revealed" else f"mark {after.at + 1}, {after.slide.title}"
    return f"After PageDown: {shown}"


def _with_aspect(rect: QRectF, like: QRectF) -> QRectF:
    """Return the largest rectangle with another one's aspect ratio in the upper left of `rect`."""
    factor = min(rect.width() / like.width(), rect.height() / like.height())
    return QRectF(rect.topLeft(), like.size() * factor)


def _place_on_line(line: QRectF, labels: tuple[QLabel, ...], gap: int) -> None:
    """Place labels on a line from its left, `gap` px apart; the last one fills the rest."""
    left = round(line.x())
    for index, label in enumerate(labels):
        last = index == len(labels) - 1
        wide = round(line.right()) - left if last else label.sizeHint().width()
        label.setGeometry(left, round(line.y()), wide, round(line.height()))
        left += wide + gap


# the plan

TOP: Final = 48.0
"""Height of the top line."""
EDGE: Final = 16.0
GAP: Final = 22.0
"""Space at the edges, and between the columns."""
HEAD: Final = 34.0
"""Height of the line above a picture or the notes, with the space over it."""
CARDS, TALL_CARDS = 64.0, 80.0
"""Heights of the cards of hands; tall ones fit the name of a slip on two lines."""
WIDE_CARDS: Final = 740.0
"""Width of the left column from which names of slips fit on one line."""
BUTTONS: Final = 40.0
MARKS: Final = 46.0
HANDS_HEAD: Final = 44.0
SPACES: Final = (14.0, 18.0, 21.0)
"""Spaces below the cards, above the marks, and below the lowest part."""
LEAST_PICTURE: Final = 320.0
"""Height of the left picture below which the marks are left out."""
LEAST_NOTES: Final = 200.0
NOTES_SPACE: Final = 6.0
"""Space above the head of the notes."""
LEFT_SHARES: Final = (0.58, 0.66)
"""Least and largest width of the left column, as shares of both columns' width."""
LEAST_LEFT: Final = 610.0
"""Least width of the left column within `LEFT_SHARES`: four cards with numbers of four digits."""
SMALLEST: Final = (1024.0, 600.0)
"""Width and height of the smallest window."""


class Plan(Struct, frozen=True):
    """The rectangles of all parts in px; `marks` is None if they are left out."""

    top: QRectF
    now_head: QRectF
    now: QRectF
    next_head: QRectF
    following: QRectF
    hands_head: QRectF
    cards: QRectF
    buttons: QRectF
    marks: QRectF | None
    notes_head: QRectF
    notes: QRectF


def plan_of(
    width: float,
    height: float,
    aspect: float = 16 / 9,
    scale: float = 1.0,
    *,
    in_words: bool = False,
) -> Plan:
    """Return the plan of a window of this size in px.

    `aspect` is width / height of the room's window, `scale` that of all controls, and `in_words`
    whether any choices are in words, which need two lines.
    """
    wide, high = width / scale, height / scale  # in px at 100 %, as all below
    left, below, cards, has_marks = _left_column(wide, high, aspect, in_words)
    now_height = min(left / aspect, high - TOP - HEAD - below)
    right = wide - 2 * EDGE - GAP - left
    x, top = EDGE + left + GAP, TOP + HEAD
    notes_space = HEAD + NOTES_SPACE + LEAST_NOTES + EDGE
    next_height = min(right / aspect, high - top - notes_space)
    notes_top = top + next_height + HEAD + NOTES_SPACE
    y = top + now_height
    cards_top = y + HANDS_HEAD
    buttons_top = cards_top + cards + SPACES[0]
    marks_top = buttons_top + BUTTONS + SPACES[1]
    now_width = now_height * aspect
    rect = partial(_scaled_rect, scale)
    return Plan(
        top=rect(0, 0, wide, TOP),
        now_head=rect(EDGE, TOP, now_width, HEAD),
        now=rect(EDGE, top, now_width, now_height),
        next_head=rect(x, TOP, right, HEAD),
        following=rect(x, top, right, next_height),
        hands_head=rect(EDGE, y, left, HANDS_HEAD),
        cards=rect(EDGE, cards_top, left, cards),
        buttons=rect(EDGE, buttons_top, left, BUTTONS),
        marks=rect(EDGE, marks_top, left, MARKS) if has_marks else None,
        notes_head=rect(x, notes_top - HEAD, right, HEAD),
        notes=rect(x, notes_top, right, high - notes_top - EDGE),
    )


def _scaled_rect(scale: float, x: float, y: float, w: float, h: float) -> QRectF:
    return QRectF(x * scale, y * scale, w * scale, h * scale)


def _left_column(
    wide: float, high: float, aspect: float, in_words: bool
) -> tuple[float, float, float, bool]:
    """Return the width of the left column, the heights below its picture and of the cards, and
    whether it has marks.

    Of the arrangements with and without marks, the first with a picture of at least
    `LEAST_PICTURE`, else the last. Its cards are low if names of slips then fit on one line.
    """
    free = wide - 2 * EDGE - GAP
    least, most = (share * free for share in LEFT_SHARES)
    least = max(least, min(LEAST_LEFT, most))
    found, picture = (0.0, 0.0, 0.0, False), 0.0
    for has_marks in (True, False):
        for cards in (TALL_CARDS,) if in_words else (CARDS, TALL_CARDS):
            below = HANDS_HEAD + cards + SPACES[0] + BUTTONS + SPACES[2]
            below += (SPACES[1] + MARKS) if has_marks else 0.0
            picture = high - TOP - HEAD - below
            left = min(max(picture * aspect, least), most)
            found, picture = (left, below, cards, has_marks), min(picture, left / aspect)
            if cards == TALL_CARDS or left >= WIDE_CARDS:
                break
        if picture >= LEAST_PICTURE:
            break
    return found
