"""Messages: toasts, offers and progress, shown over the canvas."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QWidget

from app.controls.notice import Notice
from app.controls.progress_card import ProgressCard
from app.controls.toast import Toast
from app.style.current import Style


class Messages:
    """Shows messages to the user without a dialog.

    `canvas` is the parent of toasts and offers, `page` that of the progress card, which may also
    appear over the start page. `beside` returns rectangles of the canvas that no toast covers.
    """

    def __init__(
        self,
        style: Style,
        canvas: QWidget,
        page: QWidget,
        beside: Callable[[], Sequence[QRectF]] = tuple,
    ) -> None:
        self._toast = Toast(style, canvas, beside)
        self.notice = Notice(style, canvas)
        self.progress = ProgressCard(style, page)

    def toast(self, sentence: str) -> None:
        """Show a sentence for as long as it takes to read."""
        self._toast.say(sentence)

    def refuse(self, sentence: str) -> None:
        """Show why something can't be done."""
        self._toast.say(sentence, refusal=True)

    def dismiss_toast(self) -> None:
        """Hide the toast, which no longer applies."""
        self._toast.dismiss()

    def offer(
        self, sentence: str, action: str, act: Callable[[], object], on_enter: bool = False
    ) -> None:
        """Show a sentence with a button that calls `act`, until it is answered.

        With `on_enter` Enter calls it too, wherever the keyboard focus is now.
        """
        self.notice.offer(sentence, action, act, on_enter)
