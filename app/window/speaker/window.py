"""SpeakerWindow: the speaker's own view of a lecture, with its controls.

It has a Style of its own, as that of the main window has the sizes of the presentation. Where space
is short the pictures shrink first, then the steps are left out, but never the notes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from msgspec.structs import replace
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.controls.layouts import (
    ElidedLabel,
    fill_background,
    in_column,
    in_row,
    plain_label,
    scroll_area,
    set_kind,
    show_text,
)
from app.controls.painted_buttons import IconButton
from app.guard import exception_safe
from app.guide.play.guide import Room
from app.guide.play.hands import HandsRecord
from app.guide.words.room import next_strip_and_state
from app.style.current import Style
from app.style.stylesheet import palette, window_stylesheet
from app.window.context import Context
from app.window.speaker.choices import HandCards, HandsChart
from app.window.speaker.pictures import NextPicture, RoomParts, RoomPicture
from app.window.speaker.steps import LeafFields, NotesPane, StepRow, TopLine, clock_text
from engine.numbers import counted

USUAL_SIZE: Final = (1366.0, 768.0)
"""Size of the window in px up to which fonts have their usual size; larger windows scale them."""
_LARGEST_SCALE: Final = 1.5
SMALLEST: Final = (1024.0, 600.0)
"""Width and height of the smallest window, in px."""
_LOWEST_WITH_STEPS: Final = 680.0
"""Height of the window from which the steps have room below the picture, in px at 100 %."""
NOTHING_NEXT: Final = "At the end: the hands"
_ONE_KEY: Final = "{total:,} raised; key {count} or a click adds one, Shift takes one back"
_KEYS_ADD: Final = "{total:,} raised; keys 1–{count} or a click add one, Shift takes one back"
_ONE_KEY_AFTER: Final = "{total:,} raised; digits go to the field; after Esc key {count} adds one"
_KEYS_AFTER: Final = "{total:,} raised; digits go to the field; after Esc keys 1–{count} add one"
"""What the keys do while a called-out number is typed."""


@exception_safe
class SpeakerWindow(QWidget):
    """The pictures, the hands, the buttons, the steps and the notes of one lecture."""

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
        fill_background(self, "canvas")
        self._make_parts()
        self._lay_out()
        self._connect()
        self.restyle()

    # parts

    def _make_parts(self) -> None:
        context, look = self._context, self.look
        self.top = TopLine(look)
        self.open_for = plain_label(kind="asked")
        self.now = RoomPicture(context, self._room_parts)
        self.hands_hint = ElidedLabel(look, kind="secondary")
        self.cards = HandCards(look)
        self.previous = IconButton(look, "left", "Previous", "PgUp", text="Previous")
        self.onwards = IconButton(look, "right", "Next", "PgDown", text="Next")
        self.onwards.set_kind("primary")
        self.onwards.set_icon_last()
        self.timer = IconButton(look, "", "Timer", "T", text="Timer")
        self.black = IconButton(look, "", "Black", "B", text="Black")
        self.code = IconButton(look, "", "Code of the page", "Q", text="Code")
        self.steps = StepRow(look)
        self.next_head = ElidedLabel(look, kind="strong")
        self.save = IconButton(look, "save", "Save the hands…", text="Save the hands…")
        self.following = NextPicture(context)
        self.chart = HandsChart(look)
        self.chart_area = scroll_area(self.chart, fills_background=False)
        self.leaves = LeafFields(look)
        self.notes = NotesPane(look, context.settings.notes_size)

    def _lay_out(self) -> None:
        """Place the parts in two columns; the pictures take what space the others leave."""
        look = self.look
        self.now_head = plain_label("On the screen now", "strong")
        buttons = (self.previous, self.onwards, self.timer, self.black, self.code)
        left = in_column(
            in_row(self.now_head, 1, self.open_for, style=look),
            (self.now, 1),
            in_row(plain_label("Hands", "heading"), (self.hands_hint, 1), style=look),
            self.cards,
            in_row(*((button, 1) for button in buttons), style=look, gap=8),
            self.steps,
            0,
            style=look,
            gap=8,
        )
        right = in_column(
            in_row((self.next_head, 1), self.save, style=look),
            (self.following, 3),
            (self.chart_area, 3),
            in_row(plain_label("Leaves", "heading"), (self.leaves, 1), style=look, gap=12),
            plain_label("Notes", "heading"),
            (self.notes, 1),
            style=look,
            gap=8,
        )
        columns = in_row(style=look, edges=(16, 8, 16, 12), gap=20)
        for column, share in ((left, 5), (right, 3)):
            side = QWidget()
            side.setLayout(column)  # whose parts can be wide only as far as its share
            side.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            columns.add((side, share))
        in_column(self.top, (columns, 1), parent=self, style=look, gap=0)

    def _connect(self) -> None:
        context, lecture = self._context, self._context.guides
        lecture.ticked.connect(self.show_clocks)
        self.previous.clicked.connect(lecture.go_back)
        self.onwards.clicked.connect(lecture.go_on)
        self.timer.clicked.connect(lecture.toggle_timer)
        self.steps.chosen.connect(lecture.go_to)
        self.cards.hand_raised.connect(lecture.raise_hand)
        self.cards.hands_typed.connect(lecture.set_hands)
        self.cards.number_called.connect(lecture.add_number)
        self.cards.refused.connect(self.say)
        self.cards.focus_changed.connect(self.show_soon)
        self.leaves.typed.connect(self._set_leaf)
        self.leaves.refused.connect(self.say)
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
        """Show the current step of the lecture and its stage."""
        lecture = self._context.guides
        state = lecture.room
        if state is None or lecture.is_moving or self.isHidden():
            return
        self.top.show_step(state.lesson.title, state.slide.at, len(state.lesson.steps))
        self.steps.show_state(state)
        self._show_hands(state)
        self._show_buttons(state)
        self._show_next(state)
        self.notes.show_notes(state.slide.notes)
        self.leaves.show_graph(self._context.document.graph)
        self.show_clocks()
        self.following.limit_height()
        self.now.limit_height()
        self.now.refresh_soon()

    def show_clocks(self) -> None:
        """Show the times, the only change at a tick."""
        state = self._context.guides.room
        if state is None or self.isHidden():
            return
        lecture = self._context.guides
        planned = sum(slide.step.timer for slide in state.slides if not slide.misfit)
        self.top.show_times(lecture.seconds, planned)
        is_open = state.stage == "asked"
        seconds = clock_text(lecture.seconds_at_slide)
        show_text(self.open_for, f"question open for {seconds}" if is_open else "")
        self._show_timer(state)
        self.now.show_time()

    def say(self, sentence: str, refusal: bool = True) -> None:
        """Show a sentence above the hands, a refusal in the colour of errors."""
        set_kind(self.hands_hint, "error" if refusal else "secondary")
        self.hands_hint.setText(sentence)

    def _set_leaf(self, leaf: int, value: float) -> None:
        """Change a value, although editing is locked: what is typed here is meant."""
        with self._context.document.unlocked():
            self._context.document.set_value(leaf, value)

    def _show_hands(self, state: Room) -> None:
        poll = state.poll
        is_open = state.stage == "asked"
        takes_numbers = (
            poll is not None and state.slide.form == "number" and state.slide.question is not None
        )
        choices, hands = ((), ()) if poll is None else (poll.choices, poll.hands)
        self.cards.show_poll(choices, hands, is_open, takes_numbers)
        set_kind(self.hands_hint, "secondary")
        if poll is None:
            hint = "This step asks nothing."
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

    def _show_buttons(self, state: Room) -> None:
        self.code.setVisible(bool(state.lesson.address))
        following = state.following
        reveals = following is not None and following.stage == "revealed"
        text = "Reveal" if reveals else "Next"
        self.onwards.setText(text)
        self.onwards.set_tooltip(text, "PgDown")
        self.onwards.setEnabled(following is not None)
        self.previous.setEnabled(state.stage == "revealed" or state.next_index(-1) is not None)

    def _show_timer(self, state: Room) -> None:
        lecture = self._context.guides
        left = lecture.seconds_left
        self.timer.setVisible(bool(state.slide.step.timer) or left is not None)
        seconds = lecture.timer_seconds if left is None else left
        text = f"Timer {clock_text(seconds)}"
        if self.timer.text() != text:
            self.timer.setText(text)
            self.timer.set_tooltip("Start the timer" if left is None else "Stop the timer", "T")
        kind = "question" if left is not None else ""
        if self.timer.property("kind") != kind:
            self.timer.set_kind(kind)

    def _show_next(self, state: Room) -> None:
        found = next_strip_and_state(state, self.look.digits)
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

    # Qt's events

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._follow_style()
        self.restyle()
        self.steps.setVisible(self.height() >= self.look.px(_LOWEST_WITH_STEPS))
        self.now.refresh_soon()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.setFocus()  # or Qt would focus the first field on activation
        self.show_state()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():  # as when it is minimized
            self.closed.emit()


def next_caption(state: Room) -> str:
    """Return the caption of the next picture: reveal, title of a step, or at the end the hands."""
    after = state.following
    if after is None:
        return NOTHING_NEXT
    shown = (
        "reveal" if after.stage == "revealed" else f"step {after.slide.at + 1}, {after.slide.title}"
    )
    return f"After PageDown: {shown}"
