"""The canvas shows nothing old after steps and moves, and its exposed parts join without a seam."""

import random
from itertools import product

import pytest
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QPen, QRegion
from PySide6.QtWidgets import QApplication

from app.canvas.compositor import merged_rects, paint_region
from app.document.examples import examples
from tests.helpers.asked import cover
from tests.helpers.canvas import CanvasFixture
from tests.helpers.colors import apart
from tests.helpers.sampling import sampled

ZOOMS = (1.0, 0.6, 0.4, 0.2)
NAMES = [example.name for example in examples()]


def on_screen(canvas: CanvasFixture) -> QImage:
    """What a person sees now, after whatever was painted until now."""
    for _ in range(4):
        QApplication.processEvents()
    return canvas.view.screen().grabWindow(canvas.view.winId()).toImage()


def differences(one: QImage, other: QImage) -> int:
    """How many pixels differ so much that it can be seen; smooth edges may end a little apart."""
    return 0 if one == other else int((apart(one, other) > 60).sum())


def all_anew(canvas: CanvasFixture) -> QImage:
    canvas.view.viewport().repaint()
    return on_screen(canvas)


def point_at(canvas: CanvasFixture, at: QPointF) -> None:
    viewport = canvas.view.viewport()
    none = Qt.MouseButton.NoButton
    where = QPointF(viewport.mapToGlobal(at.toPoint()))
    keys = Qt.KeyboardModifier.NoModifier
    event = QMouseEvent(QEvent.Type.MouseMove, at, where, none, none, keys)
    QApplication.sendEvent(viewport, event)


@pytest.mark.parametrize(("name", "zoom"), sampled(product(NAMES[::3], ZOOMS), every=3))
def test_steps_and_the_pointer_leave_nothing_old_on_the_screen(canvas, name, zoom):
    canvas.open_example(name)
    canvas.view.camera.set_zoom(zoom)
    canvas.playback.backward()
    dice = random.Random(7)
    acts = [canvas.playback.step] * 4 + [canvas.playback.step_back] + [None] * 3
    for _ in range(16):
        act = dice.choice(acts)
        if act is None:
            point_at(canvas, QPointF(dice.randrange(1600), dice.randrange(900)))
        else:
            act()
        assert differences(on_screen(canvas), all_anew(canvas)) < 40


@pytest.mark.parametrize("covered", [False, True])
def test_covered_numbers_and_wide_labels_are_painted_whole(canvas, covered):
    canvas.open_example(examples()[0].name)
    cover(canvas.playback, covered)
    canvas.playback.backward()
    while canvas.playback.cursor < canvas.steps:
        canvas.playback.step()
        assert differences(on_screen(canvas), all_anew(canvas)) < 40
    canvas.playback.go(0)
    assert differences(on_screen(canvas), all_anew(canvas)) < 40


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
    assert merged_rects([HERE, near]) == [QRect(0, 0, 120, 360)]
    assert merged_rects([HERE, far]) == [HERE, far]
