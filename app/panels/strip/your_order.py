"""YourOrder: the turns of a pass by hand, as a row of boxes in place of the timeline."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.guard import exception_safe
from app.style.current import Style
from app.style.strokes import antialiased, pen, rounded
from app.style.theme import Theme
from app.workbench.words.hand import Turn

TITLE = "Your order"
_BOX_WIDTH, _BOX_HEIGHT = 104, 40
"""Size of a box, in px at 100 %."""
_MIN_TWO_LINES = 32
"""Height of a box from which it also shows the contributions, in px at 100 %."""
_ARROW_WIDTH, _TITLE_WIDTH = 20, 96
"""Space between two boxes for an arrow, and for the title, in px at 100 %."""
_DASHES = (4.0, 3.0)
_BOX_PADDING = 6.0
"""Horizontal padding of the texts in a box, in px."""


@exception_safe
class YourOrder(QWidget):
    """A box per turn, done or to come; shows as many as fit around the current one."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self.turns: tuple[Turn, ...] = ()
        """The turns of all boxes, whether they fit or not."""
        self._forward = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        style.changed.connect(self.update)

    def show_turns(self, turns: tuple[Turn, ...], forward: bool) -> None:
        """Show the turns of a forward or a backward pass."""
        if (turns, forward) != (self.turns, self._forward):
            self.turns, self._forward = turns, forward
            done = [turn.title for turn in turns if turn.state in ("right", "wrong")]
            self.setAccessibleName(f"{TITLE}: {', '.join(done) or 'nothing yet'}")
            self.update()

    def shown(self) -> tuple[Turn, ...]:
        """Return the turns that fit into the width."""
        px = self._style.px
        width = self.width() - px(_TITLE_WIDTH) + px(_ARROW_WIDTH)
        count = max(1, int(width / px(_BOX_WIDTH + _ARROW_WIDTH)))
        last = len(self.turns) - 1
        now = next((k for k, t in enumerate(self.turns) if t.state in ("now", "coming")), last)
        first = max(0, min(now - count + 2, len(self.turns) - count))  # with one after the current
        return self.turns[first : first + count]

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(480), self.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        style, px, theme = self._style, self._style.px, self._style.theme
        with antialiased(self) as painter:
            painter.setFont(style.font("caption strong"))
            painter.setPen(theme.selection)
            width = float(px(_BOX_WIDTH))
            height = float(min(px(_BOX_HEIGHT), self.height() - 4))
            top = (self.height() - height) / 2
            title = QRectF(0, top, px(_TITLE_WIDTH), height)
            painter.drawText(title, Qt.AlignmentFlag.AlignVCenter, TITLE)
            left = float(px(_TITLE_WIDTH))
            shown = self.shown()
            for turn in shown:
                box = QRectF(left, top, width, height).adjusted(1, 1, -1, -1)
                self._paint_box(painter, box, turn, theme)
                left += width
                if turn is not shown[-1]:
                    _paint_arrow(
                        painter, QPointF(left + px(_ARROW_WIDTH) / 2, top + height / 2), theme
                    )
                left += px(_ARROW_WIDTH)

    def _paint_box(self, painter: QPainter, box: QRectF, turn: Turn, theme: Theme) -> None:
        path = rounded(box, 7, 7)
        if turn.state == "coming":
            painter.strokePath(path, pen(theme.outline, 1.4, _DASHES))
            return
        if turn.state == "now":
            painter.fillPath(path, theme.selection_tint)
            painter.strokePath(path, pen(theme.selection, 1.8, _DASHES))
            self._draw_text(painter, box, turn.title, "caption strong", theme.selection)
            return
        tint, color = theme.firing, theme.gradient
        if self._forward:
            tint, color = theme.value_tint, theme.value
        if turn.state == "wrong":
            tint, color = theme.error_tint, theme.error
        painter.fillPath(path, tint)
        painter.strokePath(path, pen(color, 1.4))
        if box.height() < self._style.px(_MIN_TWO_LINES):  # in a presentation
            self._draw_text(painter, box, turn.title, "caption strong", theme.text)
            return
        upper, lower = QRectF(box), QRectF(box)
        upper.setBottom(box.center().y())
        lower.setTop(box.center().y())
        self._draw_text(painter, upper, turn.title, "caption strong", theme.text)
        self._draw_text(painter, lower, turn.brief, "caption", color)

    def _draw_text(
        self, painter: QPainter, box: QRectF, text: str, font: str, color: QColor
    ) -> None:
        painter.setFont(self._style.font(font))
        painter.setPen(color)
        metrics = QFontMetricsF(painter.font())
        width = box.width() - 2 * _BOX_PADDING
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def _paint_arrow(painter: QPainter, at: QPointF, theme: Theme) -> None:
    painter.setPen(pen(theme.secondary, 1.6))
    painter.drawLine(at + QPointF(-3, -5), at + QPointF(2, 0))
    painter.drawLine(at + QPointF(2, 0), at + QPointF(-3, 5))
