"""Speaker: opens the speaker's window during a lecture, and moves both windows to their screens.

With a second screen the speaker's window opens by itself where the main window was, and the
presentation fills the other one; on a single screen it is a plain window. Screens may be plugged in
and out.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent, QScreen
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QWidget

from app.controls.focus import ENTER, PAGE_KEYS, application
from app.guard import exception_safe
from app.guide.run.guide_runner import LAST_STEP
from app.panels.strip import StripPanel
from app.window.commands.lecture_actions import record_now, save_hands
from app.window.commands.save_actions import save
from app.window.context import Context
from app.window.frame.lecture_screen import LectureScreen
from app.window.frame.presentation import Presentation

if TYPE_CHECKING:
    from app.window.speaker.window import SpeakerWindow

WINDOWED_SHARE: Final = 0.9
"""Width and height of the speaker's window on a single screen, as a share of the screen's."""
_FULL, _MAXIMIZED = Qt.WindowState.WindowFullScreen, Qt.WindowState.WindowMaximized
_KEYS_OF_LECTURE: Final = (
    "PageDown and PageUp: next, previous · 1–9: hands · B: black · E: edit · R: ask again · "
    "T: timer · X: swap screens · Esc twice: end"
)
_KEYS: Final = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)
_CTRL, _ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


@exception_safe
class Speaker(QObject):
    """Owns the speaker's window; `window` is None until it was first opened."""

    def __init__(
        self, context: Context, presentation: Presentation, screen: LectureScreen, strip: StripPanel
    ) -> None:
        super().__init__(context.shell.widget)
        self.window: SpeakerWindow | None = None
        self._context, self._presentation = context, presentation
        self._lecture_screen, self._strip = screen, strip
        self._is_on = False
        """Whether a lecture is presented."""
        self._place_before: tuple[QScreen, QRect] | None = None
        """Screen and geometry of the main window before the presentation."""
        self._screens_timer = QTimer(self, singleShot=True, interval=0)
        self._screens_timer.timeout.connect(self._follow_screens)
        self._screen_count = 0
        presentation.lecture_planned.connect(self._move_to_other_screen)
        presentation.changed.connect(self._follow_lecture)
        presentation.count_wanted.connect(self.focus_count)
        presentation.swap_wanted.connect(self.swap)
        context.guides.changed.connect(self._follow_lecture)
        context.guides.said.connect(self._say)
        application().screenAdded.connect(self._screens_timer.start)
        application().screenRemoved.connect(self._screens_timer.start)

    @property
    def is_open(self) -> bool:
        """Return whether the speaker's window is shown."""
        return self.window is not None and self.window.isVisible()

    def toggle(self) -> None:
        """Open or close the speaker's window; without a lecture begin one."""
        if self.is_open:
            self.close()
            return
        if not self._presentation.on:
            self._context.shell.toggle_presentation()
        if self._is_on and not self.is_open:  # on two screens it opens by itself
            self._open()

    def close(self) -> None:
        """Close the speaker's window without ending the lecture."""
        if self.window is not None and self.is_open:
            self.window.close()

    def swap(self) -> None:
        """Exchange the screens of presentation and speaker's window."""
        other = _other_screen(self._room_window.screen())
        if self._is_on and other is not None:
            self._arrange(other)

    def focus_count(self, index: int) -> None:
        """Focus the field of a choice's hands, if the speaker's window is open."""
        window = self.window
        if window is not None and self.is_open and window.cards.focus_field(index):
            window.activateWindow()

    def _say(self, sentence: str) -> None:
        """Show a sentence of the lecture in the speaker's window; on the room's if it is closed."""
        if self.window is not None and self.is_open:
            self.window.say(sentence, refusal=sentence != LAST_STEP)
        else:
            self._context.messages.toast(sentence)

    @property
    def _room_window(self) -> QWidget:
        return self._context.shell.widget

    # the lecture

    def _follow_lecture(self) -> None:
        """Open beside a presented lecture, and close at its end."""
        presents = self._presentation.on
        was_on, self._is_on = self._is_on, presents and self._context.guides.room is not None
        if self._is_on and not was_on:
            self._open_on_second_screen()
        elif was_on > self._is_on or not presents:  # also of a lecture of which no step fits
            self._close_and_move_back()

    def _move_to_other_screen(self) -> None:
        """Move the main window to the other screen, if there is one, before it fills its screen."""
        window, here = self._room_window, self._room_window.screen()
        is_plain = not window.windowState() & (_FULL | _MAXIMIZED)
        geometry = window.geometry() if is_plain else window.normalGeometry()
        self._place_before = here, geometry
        other = _other_screen(here)
        if other is not None:
            _move(window, other, other.geometry())

    def _open_on_second_screen(self) -> None:
        """Open the speaker's window unasked if there is a second screen for it."""
        self._screen_count = len(QGuiApplication.screens())
        if self._screen_count > 1:
            self._open(None if self._place_before is None else self._place_before[0])

    def _close_and_move_back(self) -> None:
        """Close the speaker's window, and move the main window back to its screen."""
        self.close()
        before, self._place_before = self._place_before, None
        if before is None:
            return
        window, (screen, geometry) = self._room_window, before
        if screen in QGuiApplication.screens() and window.screen() is not screen:
            _move(window, screen, geometry)

    # the window and its screen

    def _open(self, screen: QScreen | None = None) -> None:
        """Show the speaker's window: in front on the room's screen, else without the keyboard."""
        room = self._room_window
        if self.window is None:
            self.window = self._new_window()
        had_keyboard = room.isActiveWindow()
        screen = screen or _other_screen(room.screen()) or room.screen()
        is_only = len(QGuiApplication.screens()) == 1
        self._place(screen, windowed=is_only)
        self.window.show()
        self._context.messages.to_speaker = self.window.say
        self._lecture_screen.show_strip()  # without keys: the speaker reads them here
        application().installEventFilter(self)
        if is_only:
            self.window.raise_()
            self.window.activateWindow()
        elif had_keyboard:
            room.activateWindow()

    def _new_window(self) -> SpeakerWindow:
        from app.window.speaker.pictures import RoomParts
        from app.window.speaker.window import SpeakerWindow

        presentation, lecture_screen = self._presentation, self._lecture_screen
        parts = RoomParts(self._strip, lambda: presentation.blank, lambda: lecture_screen.ring)
        context = self._context
        window = SpeakerWindow(context, parts, partial(record_now, context))
        window.save.clicked.connect(lambda: save_hands(context, window, window.look))
        window.now.pointed.connect(lecture_screen.show_pointer)
        window.now.clicked.connect(lecture_screen.click_pointer)
        window.black.clicked.connect(presentation.toggle_black)
        window.code.clicked.connect(presentation.toggle_code)
        window.closed.connect(self._on_closed)
        presentation.blank_changed.connect(window.show_soon)
        return window

    def _on_closed(self) -> None:
        self._context.messages.to_speaker = None
        self._lecture_screen.show_strip()
        application().removeEventFilter(self)

    def _arrange(self, room_screen: QScreen) -> None:
        """Move the presentation to a screen, and the speaker's window to another one."""
        room = self._room_window
        if room.screen() is not room_screen:
            _move(room, room_screen, room_screen.geometry())
        if self.is_open:
            other = _other_screen(room_screen)
            self._place(other or room_screen, windowed=other is None)

    def _place(self, screen: QScreen, *, windowed: bool) -> None:
        """Fill a screen with the speaker's window, or centre it as a plain window (`windowed`)."""
        assert self.window is not None
        free = screen.availableGeometry()
        if windowed:
            size = (free.size() * WINDOWED_SHARE).expandedTo(self.window.minimumSize())
            place = QRect(free.topLeft(), size.boundedTo(free.size()))
            place.moveCenter(free.center())
        else:
            place = free
        self.window.setWindowState(self.window.windowState() & ~_MAXIMIZED)
        self.window.setScreen(screen)
        self.window.setGeometry(place)
        if not windowed:  # only maximizing keeps the window's title bar on the screen
            self.window.setWindowState(self.window.windowState() | _MAXIMIZED)

    def _follow_screens(self) -> None:
        """Move both windows to visible places after a screen was added or removed."""
        before, self._screen_count = self._screen_count, len(QGuiApplication.screens())
        if not self._is_on:
            return
        here = self._room_window.screen()
        other = _other_screen(here)
        if other is None:
            _move(self._room_window, here, here.geometry())
            if self.is_open:
                self._place(here, windowed=True)
        elif before < 2:
            self._open(here)
            self._arrange(other)
        elif self.is_open:
            assert self.window is not None
            if self.window.screen() is here or not _is_visible(self.window):
                self._place(other, windowed=False)

    # keys

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Obey the keys of the lecture in the speaker's window, too."""
        if event.type() not in _KEYS or not isinstance(event, QKeyEvent):
            return False
        window = self.window
        if window is None or not isinstance(watched, QWidget) or watched.window() is not window:
            return False
        action = self._own_action(event, window)
        if action is None:
            return not self._is_for_focus(event, window) and self._presentation.take_key(event)
        event.accept()
        if event.type() == QEvent.Type.KeyPress:
            action()
        return True

    def _own_action(self, event: QKeyEvent, window: SpeakerWindow) -> Callable[[], object] | None:
        """Return the action of a key that only the speaker's window has, or None."""
        key, modifiers = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        focus = QApplication.focusWidget()
        if modifiers == _CTRL and key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            steps = 1 if key == Qt.Key.Key_Down else -1
            return lambda: window.notes.scroll_by(steps)
        if modifiers & _CTRL and key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal, Qt.Key.Key_Minus):
            steps = -1 if key == Qt.Key.Key_Minus else 1
            return lambda: window.notes.change_size(steps)
        if modifiers == _CTRL and key == Qt.Key.Key_Z and not isinstance(focus, QLineEdit):
            return self._context.document.undo
        if modifiers == Qt.KeyboardModifier.ShiftModifier and key == Qt.Key.Key_F5:
            return self.close
        if modifiers == _CTRL and key == Qt.Key.Key_S:
            return partial(save, self._context)
        if key == Qt.Key.Key_F1:  # the list of keys would cover what the room sees
            return lambda: window.say(_KEYS_OF_LECTURE, refusal=False)
        return None

    def _is_for_focus(self, event: QKeyEvent, window: SpeakerWindow) -> bool:
        """Return whether a key belongs to the widget with the keyboard: a field or a button.

        Page keys and Alt with a digit belong to the lecture even while a field is focused; so does
        the full stop, unless it is the point of a number.
        """
        key, focus = event.key(), QApplication.focusWidget()
        if key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            return True
        if isinstance(focus, QAbstractButton):
            return key in (*ENTER, Qt.Key.Key_Space)
        is_typing = isinstance(focus, QLineEdit) and not focus.isReadOnly()
        if not is_typing or key in PAGE_KEYS or event.modifiers() == _ALT:
            return False
        field = window.cards.typed_field
        return not (key == Qt.Key.Key_Period and field is not None and field.counts)


def _other_screen(screen: QScreen) -> QScreen | None:
    """Return the first other screen, or None if there is only one."""
    return next((each for each in QGuiApplication.screens() if each is not screen), None)


def _is_visible(window: QWidget) -> bool:
    """Return whether the centre of a window is on any screen."""
    middle = window.frameGeometry().center()
    return any(screen.geometry().contains(middle) for screen in QGuiApplication.screens())


def _move(window: QWidget, screen: QScreen, place: QRect) -> None:
    """Move a window to a screen; a full or maximized one fills that screen."""
    state = window.windowState()
    filling = state & (_FULL | _MAXIMIZED)
    if filling:  # window managers do not move a full or maximized window
        window.setWindowState(state & ~(_FULL | _MAXIMIZED))
    window.setScreen(screen)
    window.setGeometry(place)
    if filling:
        window.setWindowState(state)
