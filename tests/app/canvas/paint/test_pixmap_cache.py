"""Pixmaps of nodes and labels are reused while they stay the same, within a budget per frame."""

from functools import partial
from itertools import product

import pytest
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from app.canvas.appearance.looks import LabelLook
from app.canvas.paint import painter as scene_painter
from app.canvas.paint import pixmap_cache
from app.canvas.paint.painter import CachedPartPainter
from app.canvas.paint.pixmap_cache import (
    BUDGET_AFTER_VIEW_CHANGE,
    BUDGET_PER_FRAME,
    PixmapCache,
    View,
)
from app.canvas.paint.wires import paint_label
from app.document.examples import examples
from app.style.theme import THEMES
from tests.benchmarks.layers import layered
from tests.helpers.canvas import CanvasFixture
from tests.helpers.colors import apart
from tests.helpers.sampling import sampled

WIRING, LOOKS = object(), object()
LEFT, RIGHT = QRectF(0, 0, 100, 100), QRectF(200, 0, 100, 100)


class Screen:
    """A screen of 400 × 400 px with its cache; parts are squares of 10 px in one colour."""

    def __init__(self) -> None:
        self.cache = PixmapCache()
        self.cache.set_screen(THEMES["light"], 400 * 400, 1.0)
        self.image = QImage(QSize(400, 400), QImage.Format.Format_RGB32)
        self.image.fill(Qt.GlobalColor.white)
        self.painted: list[object] = []

    def show(self, area: QRectF, scale: float = 1.0, looks: object = LOOKS) -> None:
        self.cache.begin_frame(View(WIRING, area, scale, looks), repaints_all=True)

    def draw(self, key: str, cost: float = 0.0, scale: float = 1.0) -> bool:
        def paint(painter: QPainter) -> None:
            self.painted.append(key)
            painter.fillRect(QRectF(0, 0, 10 * scale, 10 * scale), QColor("teal"))

        with QPainter(self.image) as painter:
            side = 10 * scale
            make = partial(self.cache.new_pixmap, side, side, paint)
            return self.cache.draw(painter, key, (0.0, 0.0), make, scale, cost)

    def draw_many(self, area: QRectF, names: str = "many") -> int:
        """Draw 30 parts of cost 1 in an area; return how many of them were painted."""
        before = len(self.painted)
        for k in range(30):
            self.draw(f"{names} {k}", self.cache.cost(area, 1.0))
        return len(self.painted) - before

    def colour(self, x: int, y: int) -> QColor:
        return self.image.pixelColor(x, y)


@pytest.fixture
def screen(qapp) -> Screen:
    return Screen()


def test_a_part_is_painted_once_at_each_scale(screen):
    for scale in (1.0, 1.0, 2.0, 2.0):
        assert screen.draw("part", scale=scale)
    assert screen.painted == ["part", "part"]
    assert screen.colour(19, 19) == QColor("teal")
    assert screen.colour(20, 20) == QColor("white")


def test_the_first_frame_of_a_wiring_has_no_budget(screen):
    screen.show(LEFT)
    assert screen.draw_many(LEFT) == 30
    assert not screen.cache.has_deferred


def test_a_frame_with_other_looks_completes_no_more_than_one_with_another_view(screen):
    screen.show(LEFT)
    screen.show(RIGHT)
    screen.draw_many(RIGHT)
    screen.show(RIGHT, looks=object())
    assert screen.draw_many(RIGHT) == BUDGET_AFTER_VIEW_CHANGE


def test_an_area_that_stays_in_view_is_complete_while_another_is_late(screen):
    both = LEFT.united(RIGHT)
    screen.show(LEFT)
    screen.show(both)
    screen.draw_many(RIGHT)
    assert screen.cache.has_deferred
    screen.show(both, looks=object())
    assert screen.draw_many(LEFT, "changed") == 30
    screen.show(RIGHT)
    screen.show(both)
    assert screen.draw_many(LEFT, "back") == BUDGET_AFTER_VIEW_CHANGE


def test_a_late_part_is_shown_resized_from_another_scale_and_else_left_out(screen):
    screen.show(LEFT)
    screen.draw("part")
    screen.show(LEFT, scale=2.0)
    screen.draw_many(LEFT)
    assert screen.draw("part", 1.0, scale=2.0)
    assert screen.painted.count("part") == 1
    assert screen.colour(18, 18) == QColor("teal")
    assert not screen.draw("other", 1.0, scale=2.0)
    assert screen.cache.has_deferred


def test_a_repaint_of_a_part_of_the_view_does_not_complete_it(screen):
    screen.show(LEFT)
    screen.show(RIGHT)
    screen.draw_many(RIGHT)
    screen.cache.begin_frame(View(WIRING, RIGHT, 1.0, LOOKS), repaints_all=False)
    assert screen.cache.has_deferred


def test_another_wiring_leaves_nothing_of_the_view_before(screen, monkeypatch):
    monkeypatch.setattr(pixmap_cache, "MIN_CAPACITY", 11 * 11)
    screen.cache.set_screen(THEMES["light"], 0, 1.0)
    screen.show(LEFT)
    screen.show(LEFT.united(RIGHT))
    screen.draw_many(RIGHT)
    view = View(object(), LEFT.united(RIGHT), 1.0, LOOKS)
    screen.cache.begin_frame(view, repaints_all=False)
    assert screen.cache.has_deferred
    screen.cache.begin_frame(view, repaints_all=False)
    assert screen.draw_many(LEFT, "other") == BUDGET_PER_FRAME


def test_a_theme_or_a_screen_of_another_ratio_draws_everything_again(screen):
    for theme, ratio in (("light", 1.0), ("dark", 1.0), ("dark", 2.0), ("dark", 2.0)):
        screen.cache.set_screen(THEMES[theme], 400 * 400, ratio)
        screen.draw("part")
    assert len(screen.painted) == 3


def test_pixmaps_that_are_used_least_are_dropped_first(screen, monkeypatch):
    monkeypatch.setattr(pixmap_cache, "MIN_CAPACITY", 3 * 11 * 11)
    screen.cache.set_screen(THEMES["light"], 0, 1.0)
    for key in ("a", "b", "c", "a", "d", "a", "b"):
        screen.draw(key)
    assert screen.painted == ["a", "b", "c", "d", "b"]


def test_a_view_that_exceeds_the_capacity_is_complete_in_the_end(screen, monkeypatch):
    monkeypatch.setattr(pixmap_cache, "MIN_CAPACITY", 12 * 11 * 11)
    screen.cache.set_screen(THEMES["light"], 0, 1.0)
    screen.show(LEFT)
    screen.show(RIGHT)
    screen.draw_many(RIGHT)
    for _frame in range(4):
        screen.show(RIGHT)
        screen.draw_many(RIGHT)
    assert not screen.cache.has_deferred


def test_the_ground_becomes_a_pixmap_once_it_stays_the_same(screen):
    painted: list[object] = []
    for key in ("one", "one", "one", "two", None, None, "two", "two"):
        with QPainter(screen.image) as painter:
            paint = lambda _painter, key=key: painted.append(key)  # noqa: E731
            screen.cache.draw_ground(painter, key, QSize(400, 400), paint)
    assert painted == ["one", "one", "two", None, None, "two", "two"]


def counted(monkeypatch: pytest.MonkeyPatch, painter: str) -> list[object]:
    """The looks that a painter of the cache is given from now on."""
    looks: list[object] = []
    paint = getattr(scene_painter, painter)

    def count(on: object, look: object, *rest: object) -> None:
        looks.append(look)
        paint(on, look, *rest)

    monkeypatch.setattr(scene_painter, painter, count)
    return looks


def in_mid_pass(canvas: CanvasFixture, name: str) -> None:
    canvas.open_example(name)
    canvas.view.camera.set_zoom(1.0)
    canvas.playback.backward()
    canvas.playback.go(canvas.steps - 1)
    canvas.view.grab()


def test_a_label_is_drawn_once_and_again_only_when_it_says_something_else(canvas, monkeypatch):
    drawn = counted(monkeypatch, "paint_label")
    in_mid_pass(canvas, "shared-leaf")
    assert len(drawn) == len(set(drawn)) > 1
    drawn.clear()
    canvas.view.grab()
    assert not drawn
    canvas.playback.step()
    canvas.view.grab()
    assert len(drawn) <= 2  # the one that fires now and the one that fired before


def test_a_slider_draws_again_only_the_nodes_whose_numbers_it_changes(canvas, monkeypatch):
    in_mid_pass(canvas, "shared-leaf")
    for _ in range(2):
        canvas.view.grab()
    drawn = counted(monkeypatch, "paint_texts")
    graph = canvas.document.graph
    leaf = next(node for node in graph.nodes if graph.title(node) == "a")
    before = {node: canvas.view.scene.node(node) for node in graph.nodes}
    canvas.document.set_value(leaf, graph.nodes[leaf].value + 1.0)
    canvas.view.grab()
    changed = {node for node in graph.nodes if canvas.view.scene.node(node) != before[node]}
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


def test_nodes_that_come_into_view_share_bodies_with_those_alike(canvas, monkeypatch):
    drawn = counted(monkeypatch, "paint_body")
    canvas.document.start(layered(450))  # so many that all nodes of a kind have one size
    canvas.view.camera.set_zoom(1.0)
    canvas.view.camera.pan_by(QPointF(-2000.0, -600.0))
    canvas.view.grab()
    nodes = canvas.scene.node_index.within(canvas.view.camera.visible_area)
    assert 0 < len(drawn) < len(nodes) / 2


@pytest.mark.parametrize(
    ("name", "zoom"),
    sampled(product((example.name for example in examples()), (1.0, 0.87, 1.7)), every=5),
)
def test_what_is_painted_again_looks_as_it_did_the_first_time(canvas, name, zoom):
    canvas.open_example(name)
    canvas.view.camera.set_zoom(zoom)
    canvas.playback.backward()
    for _ in range(0, canvas.steps, 2):
        first = canvas.view.grab().toImage()
        for _again in range(2):  # first from bodies and numbers, then from whole nodes
            assert apart(first, canvas.view.grab().toImage()).max() <= 6
        canvas.playback.step()
        canvas.playback.step()
