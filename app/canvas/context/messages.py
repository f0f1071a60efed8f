"""Messages: what the canvas says to the person, in sentences and in hints."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class Messages(QObject):
    """Passes on what the parts of one canvas have to say."""

    said = Signal(str)
    """A refusal, or what has been done."""
    hinted = Signal(str)
    """What letting go, or the thing under the pointer, would do; empty when there is nothing."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.hint = ""
        """The hint that stands now."""

    def refuse(self, sentence: str) -> None:
        """Say why something can't be done."""
        self.said.emit(sentence)

    def set_hint(self, text: str) -> None:
        """Show a hint in place of the one before; an empty one takes it away."""
        self.hint = text
        self.hinted.emit(text)
