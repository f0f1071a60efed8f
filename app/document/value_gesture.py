"""ValueGesture: the values of a leaf that one press or drag gives it, as one undo step."""

from __future__ import annotations

from app.document.document import Document


class ValueGesture:
    """Sets values for a control that numbers its gestures with tokens, as `ValueSlider` does."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._token: object = None
        self._gesture = 0

    def set_value(self, node: int, value: float, token: object) -> None:
        """Set a value; all values that come with the same token are one undo step."""
        if token is not self._token:
            self._token, self._gesture = token, self._document.new_gesture()
            self._document.value_held.emit(node)
        self._document.set_value(node, value, self._gesture)

    def end(self) -> None:
        """Release the value."""
        self._document.value_released.emit(True)

    def abandon(self) -> None:
        """Take back what the last gesture has done, without a redo step."""
        self._document.abandon(self._gesture)
        self._document.value_released.emit(False)
