"""BackgroundCache: backdrop and wires as one picture, reused while only numbers change."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPixmap


class BackgroundCache:
    """The canvas with its wires. It is kept once the same has been drawn twice in a row."""

    def __init__(self) -> None:
        self._key: object = None
        self._pixmap: QPixmap | None = None

    def paint(
        self, painter: QPainter, size: QSize, key: object, draw: Callable[[QPainter], None]
    ) -> None:
        """Cover the view; `draw` gives the same wherever the key is the same, None is never."""
        if key is None or key != self._key:
            self._key, self._pixmap = key, None
            draw(painter)
            return
        if self._pixmap is None:
            ratio = painter.device().devicePixelRatioF()
            self._pixmap = QPixmap(size * ratio)
            self._pixmap.setDevicePixelRatio(ratio)
            drawing = QPainter(self._pixmap)
            draw(drawing)
            drawing.end()
        painter.drawPixmap(0, 0, self._pixmap)
