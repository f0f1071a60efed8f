"""A button that paints itself: a tile, a card, a chip. Space and Enter press it."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QAbstractButton, QWidget

from app.controls.keys import PressedByEnter
from app.guard import guarded
from app.style.current import Style
from app.style.strokes import paint_box


@guarded
class PaintedButton(QAbstractButton):
    """Base class of such buttons: focusable by Tab, with hover state, follows the style."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        PressedByEnter(self)
        style.changed.connect(self._restyle)

    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()

    def paint_box(
        self, painter: QPainter, fill: QColor, line: QColor, radius: float, width: float = 1.0
    ) -> None:
        """Paint the button's background, with the focus ring in place of its line."""
        focused = self.hasFocus()
        line, width = (self._style.theme.selection, 2.0) if focused else (line, width)
        paint_box(painter, QRectF(self.rect()), fill, line, self._style.px(radius), width)
