"""What is drawn once is kept as pixels: labels, and nodes whose numbers stay the same."""

from itertools import product

import pytest
from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QImage, QPainter

from app.canvas.appearance.look import LabelLook
from app.canvas.paint import part_painter
from app.canvas.paint.part_painter import CachedPartPainter
from app.canvas.paint.pixmap_cache import PixmapCache
from app.canvas.paint.wires import paint_label
from app.document.examples import examples
from app.style.theme import THEMES
from tests.benchmarks.layers import layered
from tests.helpers.easel import Easel
from tests.helpers.extent import sampled
from tests.helpers.pictures import apart


def counted(monkeypatch: pytest.MonkeyPatch, painter: str) -> list[object]:
    """The looks that a painter of the cache is given from now on."""
    looks: list[object] = []
    paint = getattr(part_painter, painter)

    def count(on: object, look: object, *rest: object) -> None:
        looks.append(look)
        paint(on, look, *rest)

    monkeypatch.setattr(part_painter, painter, count)
    return looks


def in_mid_pass(easel: Easel, name: str) -> None:
    easel.open_example(name)
    easel.view.camera.set_zoom(1.0)
    easel.playback.backward()
    easel.playback.go(easel.steps - 1)
    easel.view.grab()


def test_a_label_is_drawn_once_and_again_only_when_it_says_something_else(easel, monkeypatch):
    drawn = counted(monkeypatch, "paint_label")
    in_mid_pass(easel, "shared-leaf")
    assert len(drawn) == len(set(drawn)) > 1
    drawn.clear()
    easel.view.grab()
    assert not drawn
    easel.playback.step()
    easel.view.grab()
    assert len(drawn) <= 2  # the one that fires now and the one that fired before


def test_a_slider_draws_again_only_the_nodes_whose_numbers_it_changes(easel, monkeypatch):
    in_mid_pass(easel, "shared-leaf")
    for _ in range(2):
        easel.view.grab()
    drawn = counted(monkeypatch, "paint_texts")
    graph = easel.document.graph
    leaf = next(node for node in graph.nodes if graph.title(node) == "a")
    before = {node: easel.view.scene.node(node) for node in graph.nodes}
    easel.document.set_value(leaf, graph.nodes[leaf].value + 1.0)
    easel.view.grab()
    changed = {node for node in graph.nodes if easel.view.scene.node(node) != before[node]}
    assert 0 < len(drawn) == len(changed)


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0])
@pytest.mark.usefixtures("qapp")
def test_a_label_from_pixels_is_as_sharp_as_one_drawn_there(ratio):
    look, rect = LabelLook("2", "−3", "−6", "done", 0), QRectF(8, 8, 88, 40)
    theme = THEMES["light"]
    shots: list[QImage] = []
    for kept in (True, False):
        shot = QImage(QSize(120, 64) * ratio, QImage.Format.Format_RGB32)
        shot.setDevicePixelRatio(ratio)
        shot.fill(theme.canvas)
        with QPainter(shot) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if kept:
                cache = PixmapCache()
                cache.set_screen(theme, 120 * 64, ratio)
                parts = CachedPartPainter(cache, theme, 1.0)
                parts.paint_label(painter, look, rect, short=False, hovered=False)
            else:
                origin = round((rect.x() - 2) * ratio) / ratio + 2  # a whole px of the screen
                paint_label(painter, look, rect.translated(origin - 8, origin - 8), theme)
        shots.append(shot)
    assert apart(*shots).max() <= 6


def test_nodes_that_come_into_view_share_bodies_with_those_alike(easel, monkeypatch):
    drawn = counted(monkeypatch, "paint_body")
    easel.document.start(layered(450))  # so many that all nodes of a kind have one size
    easel.view.camera.set_zoom(1.0)
    easel.view.camera.pan_by(QPointF(-2000.0, -600.0))
    easel.view.grab()
    nodes = easel.scene.node_index.within(easel.view.camera.visible_area)
    assert 0 < len(drawn) < len(nodes) / 2


@pytest.mark.parametrize(
    ("name", "zoom"),
    sampled(product((example.name for example in examples()), (1.0, 0.87, 1.7)), every=5),
)
def test_what_is_painted_again_looks_as_it_did_the_first_time(easel, name, zoom):
    easel.open_example(name)
    easel.view.camera.set_zoom(zoom)
    easel.playback.backward()
    for _ in range(0, easel.steps, 2):
        first = easel.view.grab().toImage()
        for _again in range(2):  # first from bodies and numbers, then from whole nodes
            assert apart(first, easel.view.grab().toImage()).max() <= 6
        easel.playback.step()
        easel.playback.step()
