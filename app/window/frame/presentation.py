"""Presentation: the sheet, the sentence and a thin timeline in full screen, run by a remote.

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

SENTENCE_HEIGHT = 0.0415
"""Size of the step sentence as a share of the window's height."""
_HELP_TEXT = "PageDown and PageUp step, . covers, B blanks the screen, E edits, Esc ends."
_KEYS = (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress)
_PRESSES = (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick)
_CLICKS = (*_PRESSES, QEvent.Type.MouseButtonRelease)
_NO_MODIFIERS = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
"""Modifiers of a key pressed alone; Enter of the keypad has one."""


@guarded
class Presentation(QObject):
    """Presents in full screen, with keys of its own; the end restores window, view and sizes."""

    changed = Signal()
    """Emitted when it began or ended."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.shell.widget)
        self.on = False
        self._context = context
        self._window_state_before: Qt.WindowState | None = None
        """The state to which the window returns; None outside a presentation."""
        self._restore_view: Callable[[], object] = context.canvas.framing.fit_all
        """Called at the end; it shows the part of the sheet that was shown before."""
        context.document.changed.connect(self._on_document_changed)
        self._blank: QWidget | None = None
        """The black or white screen, while it is shown."""
        self._click_ends_blank = False
        """Whether the click under way only ends a black or white screen."""
        self._came_from_forward = False
        """Whether the backward pass was reached from the end of Forward."""
        playback = context.playback
        self._keys: dict[int, Callable[[], object]] = {
            Qt.Key.Key_PageDown: self._page_on,
            Qt.Key.Key_Right: self._go_on,
            Qt.Key.Key_Return: self._enter,
            Qt.Key.Key_Enter: self._enter,
            Qt.Key.Key_PageUp: self._page_back,
            Qt.Key.Key_Left: self._go_back,
            Qt.Key.Key_Home: lambda: playback.go(0),
            Qt.Key.Key_End: playback.to_end,
            Qt.Key.Key_Period: self._cover_or_reveal,
            Qt.Key.Key_B: lambda: self._show_blank(Qt.GlobalColor.black),
            Qt.Key.Key_W: lambda: self._show_blank(Qt.GlobalColor.white),
            Qt.Key.Key_E: self._open_or_lock,
            Qt.Key.Key_Escape: self._cancel_or_end,
            Qt.Key.Key_F5: context.shell.leave_full_screen,
        }

    def begin(self) -> None:
        """Enter full screen, with editing locked."""
        context, window = self._context, self._context.shell.widget
        framing, self._window_state_before = context.canvas.framing, window.windowState()
        self._restore_view = partial(framing.restore, framing.view)
        self.on = True
        context.document.locked = True
        self.resize()
        context.shell.parts.present(True)
        self.changed.emit()
        window.showFullScreen()
        context.canvas.setFocus()
        framing.fit_all()
        context.messages.toast(_HELP_TEXT)
        QApplication.instance().installEventFilter(self)  # type: ignore[union-attr]

    def end(self) -> None:
        """Restore the window, the view and the size of everything."""
        if self._window_state_before is None:  # there is none; closing the window calls this, too
            return
        context, state = self._context, self._window_state_before
        self._window_state_before, self.on = None, False
        QApplication.instance().removeEventFilter(self)  # type: ignore[union-attr]
        self._hide_blank()
        context.messages.dismiss_toast()
        context.document.locked = False
        context.style.end_presentation()
        context.shell.widget.setWindowState(state)
        context.shell.parts.present(False)
        self.changed.emit()
        self._restore_view()

    def resize(self) -> None:
        """Fit all sizes to the height of the window."""
        if self.on:
            window = self._context.shell.widget
            self._context.style.present_sentence(SENTENCE_HEIGHT * window.height())
            if self._blank is not None:
                self._blank.setGeometry(window.rect())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take the keys of a presentation before they become shortcuts."""
        kind = event.type()
        if kind not in _KEYS and kind not in _CLICKS:
            return super().eventFilter(watched, event)
        window = self._context.shell.widget
        if not isinstance(watched, QWidget) or watched.window() is not window:
            return super().eventFilter(watched, event)
        if not isinstance(event, QKeyEvent):
            return self._is_blank_click(event) or super().eventFilter(watched, event)
        if self._blank is not None:
            self._end_blank_by_key(event)
            return True
        act = self._keys.get(event.key()) if event.modifiers() in _NO_MODIFIERS else None
        if act is None or self._is_typing() or self._context.shell.on_start_page:
            return super().eventFilter(watched, event)
        event.accept()
        if kind == QEvent.Type.KeyPress:
            self._context.messages.dismiss_toast()
            act()
        return True

    # private

    def _on_document_changed(self, change: Change) -> None:
        """Let the end fit all of a document opened meanwhile, instead of restoring the view."""
        if change.whole:
            self._restore_view = self._context.canvas.framing.fit_all

    def _cancel_or_end(self) -> None:
        """Cancel a gesture or layout, fold the open page, or end the presentation."""
        shell = self._context.shell
        if not (self._context.cancel() or shell.parts.fold_page()):
            shell.leave_full_screen()

    def _is_typing(self) -> bool:
        """Return whether a text field has the focus, which only unlocked editing allows."""
        focus = QApplication.focusWidget()
        # an attribute that all widgets have into which one can type
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
            self._came_from_forward = playback.phase == "forward"
        playback.step()

    def _go_back(self) -> None:
        """Undo `_go_on`: back through backward, then to the end of Forward or to the values."""
        playback = self._context.playback
        first_step = 1 if playback.phase == "backward" else 0  # backward begins at its seed
        if playback.cursor > first_step:
            playback.step_back()
        elif playback.phase == "backward" and self._came_from_forward:
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
        toast = "Editing is locked." if document.locked else "Editing is open; E locks it."
        self._context.messages.toast(toast)

    def _show_blank(self, color: Qt.GlobalColor) -> None:
        """Cover everything with black or white."""
        window = self._context.shell.widget
        self._blank = blank = QWidget(window)
        blank.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        palette = blank.palette()
        palette.setColor(blank.backgroundRole(), color)
        blank.setPalette(palette)
        blank.setAutoFillBackground(True)
        blank.setGeometry(window.rect())
        blank.show()
        blank.raise_()

    def _end_blank_by_key(self, event: QKeyEvent) -> None:
        """Take a key that only shows the picture again."""
        event.accept()
        # the key that blanked the screen may still be held down
        if event.type() == QEvent.Type.KeyPress and not event.isAutoRepeat():
            self._hide_blank()

    def _is_blank_click(self, event: QEvent) -> bool:
        """Return whether an event of the mouse belongs to a click that only shows the picture.

        The release ends the blank screen, before the second press of a double click.
        """
        kind = event.type()
        if self._blank is not None and kind in _PRESSES:
            self._click_ends_blank = True
        elif kind == QEvent.Type.MouseButtonPress:
            self._click_ends_blank = False
        if not self._click_ends_blank:
            return False
        event.accept()
        if kind == QEvent.Type.MouseButtonRelease:
            self._hide_blank()
        return True

    def _hide_blank(self) -> None:
        if self._blank is not None:
            self._blank.deleteLater()
            self._blank.hide()
            self._blank = None
