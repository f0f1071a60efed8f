"""What a widget is for, as the style sheet knows it."""

from __future__ import annotations

from PySide6.QtGui import Qt
from PySide6.QtWidgets import QWidget


def set_kind(widget: QWidget, kind: str, part: str = "kind") -> None:
    """Say what a widget is for (`kind="primary"`), and let the style sheet see it at once."""
    if widget.property(part) == kind:
        return
    widget.setProperty(part, kind)
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    widget.update()


def plain_tooltip(text: str) -> str:
    """A tooltip that shows the text as it is, even where Qt would guess that it is HTML."""
    return Qt.convertFromPlainText(text) if Qt.mightBeRichText(text) else text
