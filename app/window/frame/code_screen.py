"""CodeScreen: the code of an address over the window, for the phones of a room."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from app.controls.blank_screen import BlankScreen
from app.guard import exception_safe
from app.style import fonts
from app.takeaway.qr_code import paint_code

_SIDE: Final = 0.4
"""Side of the code as a share of the window's height."""
_LINE: Final = 0.03
"""Font size of the address below it, as a share of the window's height."""


@exception_safe
class CodeScreen(BlankScreen):
    """A white cover of a window with a code, 40 % of its height, and its address below."""

    def __init__(self, window: QWidget, address: str) -> None:
        self.address = address
        super().__init__(window, color=Qt.GlobalColor.white)
        self.setAccessibleName(address)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the code and the address."""
        super().paintEvent(event)
        high, wide = float(self.height()), float(self.width())
        side = _SIDE * high
        with QPainter(self) as painter:
            left, top = (wide - side) / 2, (high - side) / 2 - _LINE * high
            paint_code(painter, self.address, left, top, side, QColor("black"))
            painter.setPen(Qt.GlobalColor.black)
            painter.setFont(fonts.sized("step", _LINE * high))
            below = QRectF(0.1 * wide, top + side + 2 * _LINE * high, 0.8 * wide, 0.2 * high)
            flags = Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWrapAnywhere
            painter.drawText(below, flags, self.address)
