"""Parts of a view that are painted apart look as if all had been painted at once."""

import pytest
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QRegion

from app.canvas.compositor import paint_region, together
from tests.helpers.pictures import apart

HERE, THERE = QRect(0, 0, 120, 300), QRect(500, 400, 80, 60)


def drawn(painter: QPainter, _exposed: QRectF) -> None:
    painter.fillRect(0, 0, 640, 480, Qt.GlobalColor.white)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor("teal"), 3))
    painter.drawLine(QPointF(3.3, 1), QPointF(633, 477.7))
    painter.drawText(QPointF(20, 100), "∂L/∂a")


def sheet() -> QImage:
    image = QImage(640, 480, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.black)
    return image


@pytest.mark.parametrize("region", [QRegion(HERE), QRegion(HERE) + QRegion(THERE)])
def test_all_of_a_region_and_nothing_else_is_painted(qapp, region):
    whole, parts = sheet(), sheet()
    with QPainter(whole) as painter:
        drawn(painter, QRectF())
    with QPainter(parts) as painter:
        paint_region(painter, region, drawn)
    for rect in (HERE, THERE):
        expected = whole if region.contains(rect) else sheet()
        assert apart(parts.copy(rect), expected.copy(rect)).max() <= 6
    assert parts.pixelColor(300, 100) == QColor("black")


def test_each_rectangle_is_told_where_it_lies(qapp):
    asked: list[QRectF] = []
    image = sheet()
    with QPainter(image) as painter:
        paint_region(painter, QRegion(HERE) + QRegion(THERE), lambda _p, r: asked.append(r))
    assert sum(rect.contains(QRectF(HERE)) for rect in asked) == 1
    assert sum(rect.contains(QRectF(THERE)) for rect in asked) == 1


def test_near_rectangles_become_one_and_far_ones_do_not():
    near, far = QRect(0, 310, 120, 50), QRect(3000, 3000, 400, 400)
    assert together([HERE, near]) == [QRect(0, 0, 120, 360)]
    assert together([HERE, far]) == [HERE, far]
