"""Messages: toasts, offers and progress, shown over the canvas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QPushButton, QWidget

from app.controls.focus import visit_after
from app.style import sizes
from app.style.current import Style

if TYPE_CHECKING:
    from app.controls.notices import Notice, ProgressCard, Toast


class Messages:
    """Shows messages to the user without a dialog; each kind is made by the first of its kind.

    `canvas` is the parent of toasts and offers, `page` that of the progress card, which may also
    appear over the start page. `obstructions` returns rectangles that no toast covers.
    """

    def __init__(
        self,
        style: Style,
        canvas: QWidget,
        page: QWidget,
        obstructions: Callable[[], Sequence[QRectF]] = tuple,
    ) -> None:
        self._style = style
        self._canvas = canvas
        self._page = page
        self._obstructions = obstructions
        self._notice: Notice | None = None
        self._progress: ProgressCard | None = None
        self._toasts: dict[QWidget, Toast] = {}
        self.below: QWidget | None = None
        """What lies below the sheet; a presentation, whose sheet is full, shows toasts there."""

    @property
    def notice(self) -> Notice:
        """Return the offer over the canvas."""
        from app.controls.notices import Notice

        if self._notice is None:
            self._notice = Notice(self._style, self._canvas)
            visit_after(self._canvas, self._notice.findChildren(QPushButton))
        return self._notice

    @property
    def progress(self) -> ProgressCard:
        """Return the card that shows what takes long."""
        from app.controls.notices import ProgressCard

        if self._progress is None:
            self._progress = ProgressCard(self._style, self._page)
            visit_after(self._canvas, self._progress.findChildren(QPushButton))
        return self._progress

    def toast(self, sentence: str) -> None:
        """Show a sentence for as long as it takes to read."""
        self._show_toast(sentence, refusal=False)

    def refuse(self, sentence: str) -> None:
        """Show why something can't be done."""
        self._show_toast(sentence, refusal=True)

    def dismiss_toast(self) -> None:
        """Hide the toast, which no longer applies."""
        for toast in self._toasts.values():
            toast.dismiss()

    def dismiss_offer(self) -> bool:
        """Hide the offer; return whether one was shown."""
        if self._notice is None or not self._notice.isVisible():
            return False
        self._notice.dismiss()
        return True

    def cancel_progress(self) -> bool:
        """Cancel what takes long; return whether it could be cancelled."""
        return self._progress is not None and self._progress.cancel()

    def end_progress(self) -> None:
        """Hide the progress card."""
        if self._progress is not None:
            self._progress.finish()

    def offer(
        self, sentence: str, action: str, act: Callable[[], object], on_enter: bool = False
    ) -> None:
        """Show a sentence with a button that calls `act`, until it is answered.

        With `on_enter` Enter calls it too, wherever the keyboard focus is now.
        """
        self.notice.offer(sentence, action, act, on_enter)

    def _show_toast(self, sentence: str, refusal: bool) -> None:
        from app.controls.notices import Toast

        self.dismiss_toast()
        low = self.below if self._style.presented else None
        host = self._canvas if low is None or not low.isVisible() else low
        if host not in self._toasts:
            self._toasts[host] = (
                Toast(self._style, host, edge=sizes.SPACES[0])
                if host is low
                else Toast(self._style, host, self._obstructions)
            )
        self._toasts[host].say(sentence, refusal)
