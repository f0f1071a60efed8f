"""Widths of texts in the canvas's fonts, measured once."""

from functools import lru_cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetricsF

from app.style import fonts

BIG_STEP = 8.0


@lru_cache(maxsize=64)
def canvas_font(role: str) -> QFont:
    """The font of a role at 100 %; shared, never to be changed."""
    return fonts.font(role)


@lru_cache(maxsize=64)
def metrics(role: str) -> QFontMetricsF:
    """The metrics of a role's font at 100 %."""
    return QFontMetricsF(canvas_font(role))


@lru_cache(maxsize=50_000)
def width(text: str, role: str) -> float:
    """The width of a text in pixels at 100 %."""
    return metrics(role).horizontalAdvance(text)


@lru_cache(maxsize=5_000)
def elided(text: str, role: str, room: float) -> str:
    """The text, shortened with an ellipsis where it is wider than the room."""
    if width(text, role) <= room:
        return text
    return metrics(role).elidedText(text, Qt.TextElideMode.ElideRight, room)


def stepped(pixels: float, step: float = BIG_STEP) -> float:
    """The width rounded up to a whole step."""
    return -(-pixels // step) * step
