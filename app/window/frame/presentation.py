"""Presentation: the sheet, the sentence and a thin timeline fill the screen; a remote runs them.

PageDown goes on from the values, or from the end of Forward, to the seed and through the backward
pass, and PageUp back; `.` covers the next number and reveals it; B and W show a black and a white
screen until any key or click; E opens editing; Esc closes what is open, or ends the presentation.
In a lesson PageDown and PageUp lead to its steps, and Enter answers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.document.change import Change
from app.guard import guarded
from app.window.context import Context

SENTENCE = 0.0415
"""Size of the step sentence as a share of the window's height."""
_BEGUN = "PageDown and PageUp step, . covers, B blanks the screen, E edits, Esc ends."
_KEYS = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)
_DOWN = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
_CLICKS = (*_DOWN, QEvent.Type.MouseButtonRelease)
_PLAIN = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)


@guarded
class Presentation(QObject):
    """Whether the window presents; what it changes for that is restored at the end."""

    changed = Signal()
    """Emitted when it began or ended."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.shell.widget)
        self.on = False
        self._context = context
        self._state: Qt.WindowState | None = None
        """Of the window before the presentation; None outside one."""
        self._look_back: Callable[[], object] = context.canvas.framing.fit_all
        context.document.changed.connect(self._follow)
        self._screen: QWidget | None = None
        self._wakes = False
        """Whether the last click only shows the picture again, and does nothing else."""
        self._through_forward = False
        """Whether the backward pass was reached from the end of Forward."""
        on, back, playback = self._go_on, self._go_back, context.playback
        self._keys: dict[int, Callable[[], object]] = {
            Qt.Key.Key_PageDown: self._page_on,
            Qt.Key.Key_Right: on,
            Qt.Key.Key_Return: self._enter,
            Qt.Key.Key_Enter: self._enter,
            Qt.Key.Key_PageUp: self._page_back,
            Qt.Key.Key_Left: back,
            Qt.Key.Key_Home: lambda: playback.go(0),
            Qt.Key.Key_End: playback.to_end,
            Qt.Key.Key_Period: self._cover_or_reveal,
            Qt.Key.Key_B: lambda: self._show_screen(Qt.GlobalColor.black),
            Qt.Key.Key_W: lambda: self._show_screen(Qt.GlobalColor.white),
            Qt.Key.Key_E: self._open_or_lock,
            Qt.Key.Key_Escape: self._cancel_or_leave,
            Qt.Key.Key_F5: context.shell.leave_full_screen,
        }

    def begin(self) -> None:
        """Fill the screen, with editing locked."""
        context, window = self._context, self._context.shell.widget
        framing, self._state = context.canvas.framing, window.windowState()
        self._look_back = partial(framing.restore, framing.view)
        self.on = True
        context.document.locked = True
        self.resize()
        context.shell.parts.present(True)
        self.changed.emit()
        window.showFullScreen()
        context.canvas.setFocus()
        framing.fit_all()
        context.messages.toast(_BEGUN)
        QApplication.instance().installEventFilter(self)  # type: ignore[union-attr]

    def end(self) -> None:
        """Restore the window, the view and the size of everything."""
        if self._state is None:
            return
        context, state = self._context, self._state
        self._state, self.on = None, False
        QApplication.instance().removeEventFilter(self)  # type: ignore[union-attr]
        self._hide_screen()
        context.messages.dismiss_toast()
        context.document.locked = False
        context.style.end_presentation()
        context.shell.widget.setWindowState(state)
        context.shell.parts.present(False)
        self.changed.emit()
        self._look_back()

    def resize(self) -> None:
        """Fit all sizes to the height of the window."""
        if self.on:
            window = self._context.shell.widget
            self._context.style.present_sentence(SENTENCE * window.height())
            if self._screen is not None:
                self._screen.setGeometry(window.rect())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the keys of a presentation before they become shortcuts."""
        kind = event.type()
        if kind not in _KEYS and kind not in _CLICKS:
            return super().eventFilter(watched, event)
        window = self._context.shell.widget
        if not isinstance(watched, QWidget) or watched.window() is not window:
            return super().eventFilter(watched, event)
        if not isinstance(event, QKeyEvent):
            return self._takes_click(event) or super().eventFilter(watched, event)
        if self._screen is not None:
            self._take_key(event)
            return True
        act = self._keys.get(event.key()) if event.modifiers() in _PLAIN else None
        if act is None or self._is_typing() or self._context.shell.on_start_page:
            return super().eventFilter(watched, event)
        event.accept()
        if kind == QEvent.Type.KeyPress:
            self._context.messages.dismiss_toast()
            act()
        return True

    # private

    def _follow(self, change: Change) -> None:
        """Show all of a document that is opened meanwhile, at the end too."""
        if change.whole:
            self._look_back = self._context.canvas.framing.fit_all

    def _cancel_or_leave(self) -> None:
        """End what is under way on the canvas, close the side panel, or end the presentation."""
        shell = self._context.shell
        if not (self._context.cancel() or shell.parts.fold_page()):
            shell.leave_full_screen()

    def _is_typing(self) -> bool:
        """Return whether a field has the focus, which opens only while editing is open."""
        focus = QApplication.focusWidget()
        return focus is not None and focus.testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)

    def _page_on(self) -> None:
        lessons = self._context.lessons
        (lessons.go_on if lessons.active else self._go_on)()

    def _page_back(self) -> None:
        lessons = self._context.lessons
        (lessons.go_back if lessons.active else self._go_back)()

    def _enter(self) -> None:
        """Answer the question of a lesson; without one go on."""
        context = self._context
        if context.lessons.active and context.modes.now is not None:
            context.modes.answer(context.style.digits)
        else:
            self._page_on()

    def _go_on(self) -> None:
        """Go on from the values or from Forward into the backward pass, a step at a time."""
        playback = self._context.playback
        modes = self._context.modes
        if modes.asks and modes.question is not None:
            modes.skip()
            return
        if playback.frame.covered:
            modes.reveal()
            return
        if playback.phase != "backward":
            self._through_forward = playback.phase == "forward"
        playback.step()

    def _go_back(self) -> None:
        """Go back the way that `_go_on` came."""
        playback = self._context.playback
        if playback.cursor > (playback.phase == "backward"):
            playback.step_back()
        elif playback.phase == "backward" and self._through_forward:
            playback.forward()
            playback.to_end()
        else:
            playback.leave()

    def _cover_or_reveal(self) -> None:
        playback = self._context.playback
        modes = self._context.modes
        if playback.frame.covered:
            modes.reveal()
        else:
            modes.toggle(covers=True)

    def _open_or_lock(self) -> None:
        document = self._context.document
        document.locked = not document.locked
        said = "Editing is locked." if document.locked else "Editing is open; E locks it."
        self._context.messages.toast(said)

    def _show_screen(self, color: Qt.GlobalColor) -> None:
        """Cover everything with black or white."""
        window = self._context.shell.widget
        self._screen = screen = QWidget(window)
        screen.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        palette = screen.palette()
        palette.setColor(screen.backgroundRole(), color)
        screen.setPalette(palette)
        screen.setAutoFillBackground(True)
        screen.setGeometry(window.rect())
        screen.show()
        screen.raise_()

    def _take_key(self, event: QKeyEvent) -> None:
        """Take a key that only shows the picture again."""
        event.accept()
        held = event.isAutoRepeat()  # the key that blanked it
        if event.type() == QEvent.Type.KeyPress and not held:
            self._hide_screen()

    def _takes_click(self, event: QEvent) -> bool:
        """Return whether an event of the mouse belongs to a click that only shows the picture.

        The release shows it. The second press of a double click finds no screen any more.
        """
        kind = event.type()
        if self._screen is not None and kind in _DOWN:
            self._wakes = True
        elif kind == QEvent.Type.MouseButtonPress:
            self._wakes = False
        if not self._wakes:
            return False
        event.accept()
        if kind == QEvent.Type.MouseButtonRelease:
            self._hide_screen()
        return True

    def _hide_screen(self) -> None:
        if self._screen is not None:
            self._screen.deleteLater()
            self._screen.hide()
            self._screen = None
