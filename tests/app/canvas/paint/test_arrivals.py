"""A view that jumps is painted in time: at first without the texts of most nodes."""

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage

from app.canvas.paint import arrivals, node_cache
from app.canvas.paint.far_view import FarText
from tests.benchmarks.layers import layered
from tests.helpers.easel import Easel
from tests.helpers.pictures import apart

JUMP = QPointF(-2600.0, -300.0)


class Drawn:
    """Records the nodes whose texts are drawn, and the pixmaps that are painted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.nodes: list[object] = []
        self.pixmaps: list[int] = []
        paint, draw = node_cache.paint_texts, node_cache._draw

        def count(painter: object, look: object, *rest: object) -> None:
            self.nodes.append(look)
            paint(painter, look, *rest)  # type: ignore[arg-type]

        def note(painter: object, at: object, pixmap: object, grown: float) -> None:
            self.pixmaps.append(pixmap.cacheKey())  # type: ignore[attr-defined]
            draw(painter, at, pixmap, grown)  # type: ignore[arg-type]

        monkeypatch.setattr(node_cache, "paint_texts", count)
        monkeypatch.setattr(node_cache, "_draw", note)

    def taken(self) -> int:
        """How many nodes since it was asked before."""
        found, self.nodes, self.pixmaps = len(self.nodes), [], []
        return found


@pytest.fixture
def large(easel: Easel, qtbot) -> Easel:
    """A large graph at 1:1, with everything in view painted."""
    easel.document.start(layered(450))
    easel.view.camera.set_zoom(1.0)
    easel.view.resize(1600, 900)
    easel.view.show()
    easel.view.viewport().repaint()
    qtbot.waitUntil(lambda: easel.view.compositor.is_whole)
    return easel


def nodes_in_view(easel: Easel) -> list[int]:
    return easel.scene.node_index.within(easel.view.camera.visible_area)


def jump(easel: Easel, by: QPointF = JUMP) -> None:
    easel.view.camera.pan_by(by)
    easel.view.viewport().repaint()


def screen(easel: Easel) -> QImage:
    """What is on the screen, with what it leaves out."""
    return easel.view.screen().grabWindow(easel.view.winId()).toImage()


def test_a_jump_draws_a_few_nodes_at_once_and_the_rest_right_after(large, qtbot, monkeypatch):
    drawn = Drawn(monkeypatch)
    jump(large)
    there = len(nodes_in_view(large))
    assert 0 < drawn.taken() <= arrivals.FRESH < there / 2
    assert not large.view.compositor.is_whole
    qtbot.waitUntil(lambda: large.view.compositor.is_whole)
    assert drawn.taken() >= there - arrivals.FRESH
    large.view.viewport().repaint()
    assert drawn.taken() == 0


def test_what_the_screen_shows_in_the_end_is_the_whole_picture(large, qtbot):
    jump(large)
    first = screen(large)
    qtbot.waitUntil(lambda: large.view.compositor.is_whole)
    picture = large.view.grab().toImage()
    assert apart(first, picture).max() > 0
    assert apart(screen(large), picture).max() == 0


def test_a_picture_of_the_canvas_right_after_a_jump_leaves_out_nothing(large, monkeypatch):
    drawn = Drawn(monkeypatch)
    large.view.camera.pan_by(JUMP)
    large.view.grab()
    assert drawn.taken() >= len(nodes_in_view(large)) - arrivals.FRESH


def test_the_step_that_made_the_view_jump_is_shown_whole_at_once(large, qtbot, monkeypatch):
    large.playback.backward()
    large.playback.go(large.steps // 2)
    while large.view.framing.next_area(large.playback.frame) is None:
        large.playback.step()
    qtbot.waitUntil(lambda: large.view.compositor.is_whole)
    drawn = Drawn(monkeypatch)
    large.view.compositor._pixmaps.clear()  # what was drawn ahead
    large.playback.step()
    large.view.viewport().repaint()
    event = large.playback.frame.event
    assert {large.scene.node(event.node), large.scene.node(event.target)} <= set(drawn.nodes)


def test_numbers_that_change_in_view_are_never_left_out(large, monkeypatch):
    drawn = Drawn(monkeypatch)
    before = {n: large.scene.node(n) for n in nodes_in_view(large)}
    change_leaves(large)
    large.view.viewport().repaint()
    changed = [n for n in nodes_in_view(large) if large.scene.node(n) != before[n]]
    assert len(changed) > arrivals.FRESH
    assert drawn.taken() >= len(changed)


def test_what_comes_back_into_view_never_shows_the_numbers_it_had(large, qtbot, monkeypatch):
    drawn = Drawn(monkeypatch)
    kept = large.view.compositor._pixmaps._pixmaps._kept
    before = {n: large.scene.node(n) for n in nodes_in_view(large)}
    old = {n: kept[n].pixmap.cacheKey() for n in before if n in kept}
    jump(large)
    qtbot.waitUntil(lambda: large.view.compositor.is_whole)
    change_leaves(large)
    large.view.viewport().repaint()
    drawn.taken()
    jump(large, -JUMP)
    changed = {n for n in before if large.scene.node(n) != before[n]}
    assert len(changed) > arrivals.FRESH
    assert drawn.pixmaps
    assert not {old[n] for n in changed if n in old} & set(drawn.pixmaps)


def test_a_zoom_shows_nodes_enlarged_until_they_are_drawn_sharp(large, qtbot, monkeypatch):
    drawn = Drawn(monkeypatch)
    large.view.camera.zoom_by(1.15)
    large.view.viewport().repaint()
    assert drawn.taken() <= arrivals.FRESH
    blurred = screen(large)
    qtbot.waitUntil(lambda: large.view.compositor.is_whole)
    picture = large.view.grab().toImage()
    assert apart(blurred, picture).max() > 0
    assert apart(screen(large), picture).max() == 0


def change_leaves(easel: Easel) -> None:
    for place, leaf in enumerate(easel.document.graph.leaves):
        easel.document.set_value(leaf, 0.31 + place / 7)


def test_what_waits_in_a_jump_is_not_even_read(large, monkeypatch):
    large.playback.backward()
    large.playback.go(large.steps - 1)
    large.view.viewport().repaint()
    read = {node for node in large.scene.node_looks if node in nodes_in_view(large)}
    jump(large)
    arrived = set(nodes_in_view(large)) - read
    assert len(arrived & set(large.scene.node_looks)) <= arrivals.FRESH < len(arrived) / 2


def test_zoomed_out_a_text_is_drawn_once_for_all_scales(large, qtbot, monkeypatch):
    drawn = counted_texts(monkeypatch)
    large.view.camera.set_zoom(0.4)
    qtbot.waitUntil(lambda: bool(drawn) and large.view.compositor.is_whole)
    assert len(drawn) == len(set(drawn))
    drawn.clear()
    large.view.camera.zoom_by(1.05)
    large.view.viewport().repaint()
    qtbot.waitUntil(lambda: large.view.compositor.is_whole)
    assert len(drawn) < len(nodes_in_view(large)) / 10


def counted_texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are drawn from now on while zoomed out."""
    texts: list[str] = []
    paint = node_cache.paint_far_text

    def count(painter: object, text: FarText, at: object) -> None:
        texts.append(f"{text.text} {text.font.role} {text.font.factor} {text.color.name()}")
        paint(painter, text, at)  # type: ignore[arg-type]

    monkeypatch.setattr(node_cache, "paint_far_text", count)
    return texts
