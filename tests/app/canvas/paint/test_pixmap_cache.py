"""Pixmaps of nodes and labels are reused while they stay the same."""

from functools import partial
from itertools import product

import pytest
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from app.canvas.appearance.looks import LabelLook, NodeLook
from app.canvas.paint import painter as scene_painter
from app.canvas.paint import pixmap_cache
from app.canvas.paint.far_view import FarText
from app.canvas.paint.painter import CachedPartPainter
from app.canvas.paint.pixmap_cache import PixmapCache
from app.canvas.paint.wires import paint_label
from app.document.examples import examples
from app.style.theme import THEMES
from tests.benchmarks.layers import layered
from tests.helpers.canvas import CanvasFixture
from tests.helpers.colors import apart
from tests.helpers.sampling import sampled


class Screen:
    """A screen of 400 × 400 px with its cache; parts are squares of 10 px in one colour."""

    def __init__(self) -> None:
        self.cache = PixmapCache()
        self.cache.set_screen(THEMES["light"], 400 * 400, 1.0)
        self.image = QImage(QSize(400, 400), QImage.Format.Format_RGB32)
        self.image.fill(Qt.GlobalColor.white)
        self.painted: list[object] = []

    def draw(self, key: object) -> None:
        def paint(painter: QPainter) -> None:
            self.painted.append(key)
            painter.fillRect(QRectF(0, 0, 10, 10), QColor("teal"))

        with QPainter(self.image) as painter:
            make = partial(self.cache.new_pixmap, 10, 10, paint)
            self.cache.draw(painter, key, (0.0, 0.0), make)

    def colour(self, x: int, y: int) -> QColor:
        return self.image.pixelColor(x, y)


@pytest.fixture
def screen(qapp) -> Screen:
    return Screen()


def test_a_part_is_painted_once(screen):
    for _ in range(3):
        screen.draw("part")
    assert screen.painted == ["part"]
    assert screen.colour(9, 9) == QColor("teal")
    assert screen.colour(10, 10) == QColor("white")


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


@pytest.mark.usefixtures("qapp")
def test_a_label_under_the_pointer_has_a_line_around_it_unless_it_fires():
    theme, shots = THEMES["light"], list[QImage]()
    for state in ("done", "next", "asked", "firing"):
        for hovered in (False, True):
            shot = QImage(120, 64, QImage.Format.Format_RGB32)
            shot.fill(theme.canvas)
            with QPainter(shot) as painter:
                look, rect = LabelLook("2", "−3", "−6", state, 0), QRectF(8, 8, 88, 40)
                paint_label(painter, look, rect, theme, hovered=hovered)
            shots.append(shot)
        assert (shots[-1] != shots[-2]) == (state != "firing"), state


def test_nodes_that_come_into_view_share_bodies_with_those_alike(canvas, monkeypatch):
    drawn = counted(monkeypatch, "paint_body")
    canvas.document.start(layered(450))  # so many that all nodes of a kind have one size
    canvas.view.camera.set_zoom(1.0)
    canvas.view.camera.pan_by(QPointF(-2000.0, -600.0))
    canvas.view.grab()
    nodes = canvas.scene.index.within(canvas.view.camera.visible_area)
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


JUMP = QPointF(-2600.0, -300.0)


@pytest.fixture
def large(canvas: CanvasFixture) -> CanvasFixture:
    """A large graph at 1:1, on the screen."""
    canvas.document.start(layered(450))
    canvas.view.camera.set_zoom(1.0)
    canvas.view.show()
    canvas.view.viewport().repaint()
    return canvas


def looks_in_view(canvas: CanvasFixture) -> set[NodeLook]:
    nodes = canvas.scene.index.within(canvas.view.camera.visible_area)
    return {canvas.scene.node(node) for node in nodes}


@pytest.mark.parametrize("change", ["jump", "zoom", "numbers"])
def test_a_frame_on_the_screen_leaves_out_nothing(large, monkeypatch, change):
    drawn = counted(monkeypatch, "paint_texts")
    before = looks_in_view(large)
    if change == "jump":
        large.view.camera.pan_by(JUMP)
    elif change == "zoom":
        large.view.camera.zoom_by(1.15)
    else:
        for place, leaf in enumerate(large.graph.leaves):
            large.document.set_value(leaf, 0.31 + place / 7)
    large.view.viewport().repaint()
    shown = large.view.screen().grabWindow(large.view.winId()).toImage()
    new = looks_in_view(large) if change == "zoom" else looks_in_view(large) - before
    assert len(new) > 10
    assert new <= set(drawn)
    assert apart(shown, large.view.grab().toImage()).max() == 0


def test_following_and_motion_leave_sizes_and_pixmaps_alone(large, monkeypatch):
    drawn = counted(monkeypatch, "paint_texts")
    sizes = large.scene.text_sizes
    large.style.set_follows_step(False)
    large.style.set_motion(True)
    large.style.set_motion(False)
    large.view.viewport().repaint()
    assert large.scene.text_sizes is sizes
    assert not drawn
    large.style.set_digits(2)
    assert large.scene.text_sizes is not sizes


def test_zoomed_out_a_text_is_drawn_once_for_all_scales(large, monkeypatch):
    drawn = counted_texts(monkeypatch)
    large.view.camera.set_zoom(0.4)
    large.view.viewport().repaint()
    assert len(drawn) == len(set(drawn)) > 0
    drawn.clear()
    large.view.camera.zoom_by(1.05)
    large.view.viewport().repaint()
    assert len(drawn) < len(looks_in_view(large)) / 10


def counted_texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are drawn from now on while zoomed out."""
    texts: list[str] = []
    paint = scene_painter.paint_far_text

    def count(painter: object, text: FarText, at: object) -> None:
        texts.append(f"{text.text} {text.font.role} {text.font.factor} {text.color.name()}")
        paint(painter, text, at)  # type: ignore[arg-type]

    monkeypatch.setattr(scene_painter, "paint_far_text", count)
    return texts
