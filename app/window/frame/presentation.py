"""Presentation: the sheet, the sentence and a thin timeline in full screen, run by a remote.

PageDown steps from the values, or from the end of Forward, to the seed and through the backward
pass, and PageUp back; `.` covers the next number and reveals it; B shows a black screen until any
key or click; E unlocks editing; Esc cancels a gesture, folds the open page, or
ends the presentation. In Daily five and the test PageDown and PageUp lead to the steps, and Enter
answers.

A sheet with steps, and a lesson, is presented as a lecture, from step to step; `remote_keys` maps
its keys to acts. The speaker's window forwards its keys to `take_key`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QWidget

from app.controls.focus import application
from app.guard import exception_safe
from app.window.commands.lecture_actions import confirm_hands, offer_hands, other_hands
from app.window.commands.run_actions import turn_epoch
from app.window.context import Context
from app.window.remote_keys import (
    MODIFIER_KEYS,
    PAGE_ACTS,
    VOLUME_KEYS,
    Act,
    Debounce,
    Meaning,
    meaning_of,
)
from app.workbench.playback.view_state import ViewState

if TYPE_CHECKING:
    from app.controls.blank_screen import BlankScreen
    from app.guide.play.guide import Room

SENTENCE_HEIGHT = 0.0415
"""Size of the step sentence as a share of the window's height."""
_NO_ADDRESS = "This lecture has no address; its file can name one."
_HELP_TEXT = "PageDown and PageUp step, . covers, B blanks the screen, E edits, Esc ends."
_KEYS = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)
_PRESSES = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
_CLICKS = (*_PRESSES, QEvent.Type.MouseButtonRelease)
_NOTHING_FITS = "None of the steps fits the graph."
ASKS_END = "Press the key again to end the lecture; any other goes on."
_LEAVING = (
    QKeySequence.StandardKey.New,
    QKeySequence.StandardKey.Open,
    QKeySequence.StandardKey.Close,
)
_NO_MODIFIERS = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
"""Modifiers of a key pressed alone; Enter of the keypad has one."""


def _milliseconds() -> int:
    return round(time.monotonic() * 1000)


def _is_plain(event: QKeyEvent) -> bool:
    """Return whether a key is pressed alone or with Shift, and no function key or modifier."""
    key, modifiers = Qt.Key(event.key()), event.modifiers()
    alone = modifiers in (*_NO_MODIFIERS, Qt.KeyboardModifier.ShiftModifier)
    return alone and key not in MODIFIER_KEYS and not Qt.Key.Key_F1 <= key <= Qt.Key.Key_F35


def _leaves_sheet(event: QKeyEvent) -> bool:
    """Return whether a key opens or closes a document, as Ctrl with N, O and W do."""
    return any(event.matches(key) for key in _LEAVING)


@exception_safe
class Presentation(QObject):
    """Presents in full screen, with keys of its own; the end restores window, view and sizes."""

    changed = Signal()
    """Emitted when it began or ended."""
    count_wanted = Signal(int)
    """Emitted with the index of a choice whose hands the speaker wants to type."""
    swap_wanted = Signal()
    """Emitted when the speaker's window and the presentation shall swap their screens."""
    lecture_planned = Signal()
    """Emitted before a lecture, while the window may still move to another screen."""
    blank_changed = Signal()
    """Emitted when `blank` has changed."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.shell.widget)
        self.on = False
        self._context = context
        self._window_state_before: Qt.WindowState | None = None
        """The state to which the window returns; None outside a presentation."""
        self._restore_view: Callable[[], object] = context.canvas.framing.fit_all
        """Called at the end: restores offset and scale of the sheet from before."""
        context.playback.shown.connect(self._on_view_state)
        self._line_screen: BlankScreen | None = None
        """The black screen with the line of a blank step, while the step is the current one."""
        self._key_screen: BlankScreen | None = None
        """The black screen of the key B, or the code of Q, while it is shown."""
        self._click_ends_screen = False
        """Whether the click under way does nothing but end a black screen."""
        self.clock: Callable[[], int] = _milliseconds
        """Returns a monotonic time in ms, by which a bounce of a page key is recognized."""
        self._debounce = Debounce()
        self._asks_end = False
        """Whether the last key of a lecture was to end it, and the speaker was asked."""
        self._resumes_lesson = False
        """Whether a lesson waits for the end of the lecture."""
        context.guides.changed.connect(self._show_blank_step)
        context.guides.entered.connect(self._forget_end)
        context.guides.ticked.connect(self._show_time)
        self._came_from_forward = False
        """Whether the backward pass was reached from the end of Forward."""
        self._keys = self._stepping_keys()

    def _stepping_keys(self) -> dict[int, Callable[[], object]]:
        """Return the action of each key in a presentation without a lecture."""
        playback = self._context.playback
        return {
            Qt.Key.Key_PageDown: self._page_on,
            Qt.Key.Key_Right: self._go_on,
            Qt.Key.Key_Return: self._enter,
            Qt.Key.Key_Enter: self._enter,
            Qt.Key.Key_PageUp: self._page_back,
            Qt.Key.Key_Left: self._go_back,
            Qt.Key.Key_Home: lambda: playback.go(0),
            Qt.Key.Key_End: self._to_end,
            Qt.Key.Key_Period: self._cover_or_reveal,
            Qt.Key.Key_B: self.toggle_black,
            Qt.Key.Key_E: self._open_or_lock,
            Qt.Key.Key_Escape: self._cancel_or_end,
            Qt.Key.Key_F5: self._context.shell.leave_full_screen,
        }

    def begin(self, room: Room | None = None) -> None:
        """Enter full screen, with editing locked; begin a lesson, or that of the sheet, if any."""
        context, window = self._context, self._context.shell.widget
        if self.on:
            self.end()
        goes_on = room is None
        if not context.shell.on_full_page:
            room = room or context.recorders.for_room()
        if room is not None and other_hands(context, room.lesson):
            confirm_hands(context, partial(self.begin, room))
            return
        context.recorders.come_back()
        context.messages.dismiss_offer()
        framing, self._window_state_before = context.canvas.framing, window.windowState()
        self._restore_view = partial(framing.restore, framing.view)
        if room is not None:
            self.lecture_planned.emit()
        self.on = True
        context.document.locked = True
        self._set_sizes(window.screen().geometry().height())
        context.shell.parts.present(True)
        self.changed.emit()
        window.showFullScreen()
        context.canvas.setFocus()
        framing.fit_all()
        recorder = context.recorders.now
        context.messages.toast((recorder and room is None and recorder.unreadable) or _HELP_TEXT)
        application().installEventFilter(self)
        if room is not None:
            self._begin_lecture(room, goes_on=goes_on)

    def _begin_lecture(self, room: Room, *, goes_on: bool) -> None:
        context = self._context
        self._debounce = Debounce()
        context.messages.dismiss_toast()
        context.files.recovery.keep()  # until the end no copy of the user's sheet is written
        context.selection.clear()  # its ring means nothing to a room
        self._resumes_lesson = context.guides.active
        if not context.guides.begin(room, goes_on=goes_on):
            context.messages.toast(_NOTHING_FITS)

    def end(self) -> None:
        """Restore the window, the view and all sizes; end the lecture."""
        if self._window_state_before is None:  # closing the window ends without a presentation
            return
        context, state = self._context, self._window_state_before
        self._window_state_before, self.on = None, False
        application().removeEventFilter(self)
        self._hide_key_screen()
        context.messages.dismiss_toast()
        had_lecture = context.guides.room is not None
        resumes = self._resumes_lesson and had_lecture
        self._resumes_lesson = False
        if had_lecture:
            context.guides.end()
        context.document.locked = False
        context.style.end_presentation()
        context.shell.widget.setWindowState(state)
        context.shell.parts.present(False)
        self.changed.emit()
        self._restore_view()
        if resumes:
            context.guides.resume()
        if had_lecture:
            offer_hands(context)

    @property
    def blank(self) -> QWidget | None:
        """Return the black screen over the window, or None."""
        return self._key_screen or self._line_screen

    def toggle_black(self) -> None:
        """Show a black screen, or the sheet again."""
        if self._key_screen is None:
            self._key_screen = self._new_screen()
            self.blank_changed.emit()
        else:
            self._hide_key_screen()

    def toggle_code(self) -> None:
        """Show the code of the lecture's page at this step, or the sheet again."""
        state = self._context.guides.room
        if self._key_screen is not None:
            self._hide_key_screen()
        elif state is None or not state.lesson.address:
            self._context.messages.toast(_NO_ADDRESS)
        else:
            from app.takeaway.qr_code import step_address
            from app.window.frame.code_screen import CodeScreen

            address = step_address(state.lesson.address, self._context.playback.frame)
            self._key_screen = CodeScreen(self._context.shell.widget, address)
            self.blank_changed.emit()

    def take_key(self, event: QKeyEvent) -> bool:
        """Run the action of a key before it becomes a shortcut; return whether it has one."""
        volume = event.key() in VOLUME_KEYS
        if self._key_screen is not None and not volume:
            self._end_screen_by_key(event)
            return True
        if self._context.guides.room is not None:
            return self._take_lecture_key(event)
        act = self._keys.get(event.key()) if event.modifiers() in _NO_MODIFIERS else None
        if act is None or self._context.shell.on_full_page:
            return False
        event.accept()
        if event.type() == QEvent.Type.KeyPress:
            self._context.messages.dismiss_toast()
            act()
        return True

    def resize(self) -> None:
        """Fit all sizes to the height of the window."""
        if self.on:
            window = self._context.shell.widget
            self._set_sizes(window.height())
            for screen in (self._key_screen, self._line_screen):
                if screen is not None:
                    screen.setGeometry(window.rect())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the keys of a presentation before they become shortcuts."""
        kind = event.type()
        if kind not in _KEYS and kind not in _CLICKS:
            return super().eventFilter(watched, event)
        if not isinstance(watched, QWidget) or watched.window() is not self._context.shell.widget:
            return super().eventFilter(watched, event)
        if not isinstance(event, QKeyEvent):
            taken = self._is_screen_click(event)
        elif self._key_screen is None and self._is_typing():
            taken = False
        else:
            taken = self.take_key(event)
        return taken or super().eventFilter(watched, event)

    # private

    def _set_sizes(self, height: int) -> None:
        """Set all sizes for a window of a height in px."""
        self._context.style.present_sentence(SENTENCE_HEIGHT * height)

    def _take_lecture_key(self, event: QKeyEvent) -> bool:
        """Run the act of a key in a lecture; other keys are ignored while editing is locked."""
        context, meaning = self._context, meaning_of(event)
        if meaning is None:
            if not context.document.locked or not (_is_plain(event) or _leaves_sheet(event)):
                return False
            meaning = Meaning("nothing")
        event.accept()
        if event.type() == QEvent.Type.KeyPress and not event.isAutoRepeat():
            act = meaning.act
            if act not in PAGE_ACTS or self._debounce.counts(act, self.clock()):
                context.messages.dismiss_toast()
                asked = self._asks_end
                self._do(meaning)
                if asked:
                    self._asks_end = False
                    self._context.guides.changed.emit()
        return True

    def _do(self, meaning: Meaning) -> None:
        """Run the act of a key in a lecture."""
        lecture, act, choice = self._context.guides, meaning.act, meaning.choice
        acts: dict[Act, Callable[[], object]] = {
            "on": lecture.go_on,
            "back": lecture.go_back,
            "step on": partial(lecture.step, +1),
            "step back": partial(lecture.step, -1),
            "reveal": self._reveal_or_cover,
            "black": self.toggle_black,
            "code": self.toggle_code,
            "edit": self._open_or_lock,
            "end": partial(self._end_lecture, self._cancel_or_end),
            "toggle": partial(self._end_lecture, self._context.shell.leave_full_screen),
            "hand": partial(lecture.raise_hand, choice),
            "take back": partial(lecture.raise_hand, choice, -1),
            "clear": lecture.clear_hands,
            "count": partial(self.count_wanted.emit, choice),
            "timer": lecture.toggle_timer,
            "ask again": lecture.ask_again,
            "swap": self.swap_wanted.emit,
            "nothing": lambda: None,
        }
        acts[act]()

    def _end_lecture(self, end: Callable[[], object]) -> None:
        """End a lecture; with a speaker's window once that was asked there and pressed again."""
        if self._context.shell.speaker_open and not self._asks_end:
            self._asks_end = True
            self._context.guides.said.emit(ASKS_END)
        else:
            end()

    def _forget_end(self) -> None:
        self._asks_end = False

    def _reveal_or_cover(self) -> None:
        """Reveal the open question to the room; else cover the next number, or show it."""
        state = self._context.guides.room
        if state is not None and state.stage == "asked":
            self._context.guides.reveal()
        else:
            self._cover_or_reveal()

    def _show_blank_step(self) -> None:
        """Show the line of a blank step over the window, while that is the current step."""
        state = self._context.guides.room
        text = ""
        if state is not None and state.slide.kind == "blank":
            text = state.slide.text
        if self._line_screen is not None and self._line_screen.text != text:
            self._line_screen.deleteLater()
            self._line_screen.hide()
            self._line_screen = None
        if text and self._line_screen is None:
            self._line_screen = self._new_screen(text)
        if self._line_screen is not None and self._key_screen is not None:
            self._key_screen.raise_()
        self._show_time()
        self.blank_changed.emit()

    def _show_time(self) -> None:
        """Show the share of the time left on the screen of a blank step."""
        if self._line_screen is not None:
            self._line_screen.show_share(self._context.guides.time_share)

    def _on_view_state(self, shown: ViewState) -> None:
        """Fit another document at the end, as the stored view belongs to the one before."""
        if shown.change.opened:
            self._restore_view = self._context.canvas.framing.fit_all

    def _cancel_or_end(self) -> None:
        """Cancel a gesture or layout, fold the open page, or end the presentation."""
        shell = self._context.shell
        if not (self._context.cancel() or shell.parts.fold_page()):
            shell.leave_full_screen()

    def _is_typing(self) -> bool:
        """Return whether a text field has the focus, which only unlocked editing allows."""
        focus = QApplication.focusWidget()
        # set by Qt for every widget with text input
        return focus is not None and focus.testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)

    def _page_on(self) -> None:
        lessons = self._context.guides
        (lessons.go_on if lessons.active else self._go_on)()

    def _page_back(self) -> None:
        lessons = self._context.guides
        (lessons.go_back if lessons.active else self._go_back)()

    def _enter(self) -> None:
        """Answer the question of a lesson; without one act as PageDown."""
        context = self._context
        if context.guides.active and context.modes.now is not None:
            context.modes.answer(context.style.digits)
        else:
            self._page_on()

    def _go_on(self) -> None:
        """Go an epoch on, skip the question, else reveal the covered number, else step.

        From the values or Forward, the first step enters the backward pass.
        """
        playback = self._context.playback
        modes = self._context.modes
        if turn_epoch(self._context, +1):
            return
        if modes.asks and modes.question is not None:
            modes.skip()
            return
        if playback.frame.hides_number:
            modes.reveal()
            return
        if playback.phase != "backward":
            self._came_from_forward = playback.phase == "forward"
        playback.step()

    def _go_back(self) -> None:
        """Undo `_go_on`: back through backward, then to the end of Forward or to the values."""
        if turn_epoch(self._context, -1):
            return
        playback = self._context.playback
        first_step = 1 if playback.phase == "backward" else 0  # backward begins at its seed
        if playback.cursor > first_step:
            playback.step_back()
        elif playback.phase == "backward" and self._came_from_forward:
            playback.forward()
            playback.to_end()
        else:
            playback.leave()

    def _to_end(self) -> None:
        """Go to the end of the pass, which takes no place of epochs that are shown."""
        if not (self._context.shell.parts.staged or self._context.descents.shown):
            self._context.playback.to_end()

    def _cover_or_reveal(self) -> None:
        playback = self._context.playback
        modes = self._context.modes
        if playback.frame.hides_number:
            modes.reveal()
        else:
            modes.toggle(cover=True)

    def _open_or_lock(self) -> None:
        document = self._context.document
        document.locked = not document.locked
        toast = "Editing is locked." if document.locked else "Editing is open; E locks it."
        self._context.messages.toast(toast)

    def _new_screen(self, text: str = "") -> BlankScreen:
        from app.controls.blank_screen import BlankScreen

        return BlankScreen(self._context.shell.widget, text)

    def _end_screen_by_key(self, event: QKeyEvent) -> None:
        """Consume a key that ends the black screen."""
        event.accept()
        # the key that blanked the screen may still be held down
        if event.type() == QEvent.Type.KeyPress and not event.isAutoRepeat():
            self._hide_key_screen()

    def _is_screen_click(self, event: QEvent) -> bool:
        """Return whether an event of the mouse belongs to a click that ends a black screen.

        The release ends the blank screen, before the second press of a double click.
        """
        kind = event.type()
        if self._key_screen is not None and kind in _PRESSES:
            self._click_ends_screen = True
        elif kind == QEvent.Type.MouseButtonPress:
            self._click_ends_screen = False
        if not self._click_ends_screen:
            return False
        event.accept()
        if kind == QEvent.Type.MouseButtonRelease:
            self._hide_key_screen()
        return True

    def _hide_key_screen(self) -> None:
        if self._key_screen is not None:
            self._key_screen.deleteLater()
            self._key_screen.hide()
            self._key_screen = None
            self.blank_changed.emit()
