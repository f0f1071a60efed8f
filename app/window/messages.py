"""Messages without a dialog: toasts, offers with a button and the progress card."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QPushButton, QWidget

from app.controls.focus import set_tab_order_after
from app.style import sizes
from app.style.current import Style

if TYPE_CHECKING:
    from app.controls.notices import Notice, ProgressCard, Toast


class Messages:
    """Shows messages over the canvas; each widget is created with the first message of its kind.

    `canvas` is the parent of toasts and offers, `page` that of the progress card and of refusals,
    which may also appear over the start page. `obstructions` returns rectangles that toasts must
    not cover, `covered_width` the px at the right of the canvas that a page lies over.
    """

    def __init__(
        self,
        style: Style,
        canvas: QWidget,
        page: QWidget,
        obstructions: Callable[[], Sequence[QRectF]] = tuple,
        covered_width: Callable[[], float] = float,
    ) -> None:
        self._style = style
        self._canvas = canvas
        self._page = page
        self._obstructions = obstructions
        self._covered_width = covered_width
        self._notice: Notice | None = None
        self._progress: ProgressCard | None = None
        self._toasts: dict[QWidget, Toast] = {}
        """By the widget over which they are shown."""
        self.toast_parent_in_presentation: Callable[[], QWidget | None] = lambda: None
        """The widget below the sheet: in a presentation the graph needs all of the sheet."""
        self.to_speaker: Callable[[str, bool], object] | None = None
        """Shows a toast in the speaker's window while that is open: the room is told nothing."""

    @property
    def notice(self) -> Notice:
        """Return the notice that shows offers."""
        from app.controls.notices import Notice

        if self._notice is None:
            self._notice = Notice(self._style, self._canvas, self._covered_width)
            set_tab_order_after(self._canvas, self._notice.findChildren(QPushButton))
        return self._notice

    @property
    def progress(self) -> ProgressCard:
        """Return the progress card, for long tasks."""
        from app.controls.notices import ProgressCard

        if self._progress is None:
            self._progress = ProgressCard(self._style, self._page)
            set_tab_order_after(self._canvas, self._progress.findChildren(QPushButton))
        return self._progress

    def toast(self, sentence: str) -> None:
        """Show a sentence for the time it takes to read it."""
        self._show_toast(sentence, refusal=False)

    def refuse(self, sentence: str) -> None:
        """Show the reason of a refusal, as a toast in the colour of errors."""
        self._show_toast(sentence, refusal=True)

    def dismiss_toast(self) -> None:
        """Hide the toast, which no longer applies."""
        for toast in self._toasts.values():
            toast.dismiss()

    def dismiss(self) -> None:
        """Hide toast and offer: the sheet that they are about is left."""
        self.dismiss_toast()
        self.dismiss_offer()

    def dismiss_offer(self) -> bool:
        """Hide the offer; return whether one was shown."""
        if self._notice is None or not self._notice.isVisible():
            return False
        self._notice.dismiss()
        return True

    def cancel_progress(self) -> bool:
        """Cancel the task on the progress card; return whether it could be cancelled."""
        return self._progress is not None and self._progress.cancel()

    def end_progress(self) -> None:
        if self._progress is not None:
            self._progress.finish()

    def offer(
        self, sentence: str, button: str, callback: Callable[[], object], on_enter: bool = False
    ) -> None:
        """Show a sentence and a button that calls `callback`, until it is answered or dismissed.

        With `on_enter` Enter calls it too, wherever the keyboard focus is. In a presentation it is
        the sentence alone: a room is offered nothing.
        """
        if self._style.presented:
            self.toast(sentence)
            return
        self.notice.offer(sentence, button, callback, on_enter)

    def _show_toast(self, sentence: str, refusal: bool) -> None:
        from app.controls.notices import Toast

        self.dismiss_toast()
        if self.to_speaker is not None:
            self.to_speaker(sentence, refusal)
            return
        below = self.toast_parent_in_presentation() if self._style.presented else None
        parent = self._canvas if below is None else below
        if refusal and not self._canvas.isVisible():
            parent = self._page
        if parent not in self._toasts:
            edge = sizes.SPACES[0 if parent is below else 3]
            keep_visible = self._obstructions if parent is self._canvas else tuple
            self._toasts[parent] = Toast(self._style, parent, keep_visible, edge)
        self._toasts[parent].say(sentence, refusal)
