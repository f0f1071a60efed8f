"""A view that jumps is painted in time: at first without the texts of most nodes."""

from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QApplication

from app.canvas.paint import arrivals, node_cache
from tests.benchmarks.layers import layered
from tests.helpers.easel import Easel
from tests.helpers.pictures import apart


class Drawn:
    """Counts the nodes whose texts are drawn."""

    def __init__(self, monkeypatch) -> None:
        self.nodes: list[object] = []
        paint = node_cache.paint_texts

        def count(painter: object, look: object, *rest: object) -> None:
            self.nodes.append(look)
            paint(painter, look, *rest)  # type: ignore[arg-type]

        monkeypatch.setattr(node_cache, "paint_texts", count)

    def taken(self) -> int:
        """How many since it was asked before."""
        found, self.nodes = len(self.nodes), []
        return found


def far_apart(easel: Easel) -> None:
    """Look at one end of a large graph, with everything there painted."""
    easel.document.start(layered(450))
    easel.view.camera.set_zoom(1.0)
    easel.view.resize(1600, 900)
    easel.view.show()
    settle(easel)


def settle(easel: Easel) -> None:
    """Let frames follow each other until nothing is left out."""
    for _ in range(40):
        QApplication.processEvents()


def in_view(easel: Easel) -> int:
    return len(easel.scene.node_index.within(easel.view.camera.visible_area))


def jump(easel: Easel) -> None:
    easel.view.camera.pan_by(QPointF(-2600.0, -300.0))
    easel.view.viewport().repaint()


def test_a_jump_draws_a_few_nodes_at_once_and_the_rest_right_after(easel, monkeypatch):
    far_apart(easel)
    drawn = Drawn(monkeypatch)
    jump(easel)
    assert 0 < drawn.taken() <= arrivals.FRESH < in_view(easel) / 2
    settle(easel)
    assert drawn.taken() > in_view(easel) / 2
    settle(easel)
    assert drawn.taken() == 0


def test_what_follows_a_jump_is_the_picture_that_is_painted_at_once(easel):
    far_apart(easel)
    jump(easel)
    settle(easel)
    shown = easel.view.grab().toImage()
    easel.view.compositor._pixmaps.clear()
    assert apart(shown, easel.view.grab().toImage()).max() == 0


def test_a_picture_of_the_canvas_right_after_a_jump_leaves_out_nothing(easel, monkeypatch):
    far_apart(easel)
    drawn = Drawn(monkeypatch)
    easel.view.camera.pan_by(QPointF(-2600.0, -300.0))
    easel.view.grab()
    assert drawn.taken() >= in_view(easel) - arrivals.FRESH


def test_the_step_that_made_the_view_jump_is_shown_whole_at_once(easel, monkeypatch):
    far_apart(easel)
    easel.playback.backward()
    easel.playback.go(easel.steps // 2)
    settle(easel)
    drawn = Drawn(monkeypatch)
    framing = easel.view.framing
    while framing.next_area(easel.playback.frame) is None:
        easel.playback.step()
    drawn.taken()
    easel.playback.step()
    easel.view.viewport().repaint()
    event = easel.playback.frame.event
    assert (
        easel.scene.node(event.node) in drawn.nodes or easel.scene.node(event.node).kind == "pill"
    )


def test_numbers_that_change_in_view_are_never_left_out(easel, monkeypatch):
    far_apart(easel)
    drawn = Drawn(monkeypatch)
    graph = easel.document.graph
    leaves = [n for n in graph.nodes if not graph.inputs(n)]
    before = {n: easel.scene.node(n) for n in easel.scene.boxes}
    for leaf in leaves:
        easel.document.set_value(leaf, graph.nodes[leaf].value + 0.25)
    seen = easel.scene.node_index.within(easel.view.camera.visible_area)
    easel.view.viewport().repaint()
    changed = [n for n in seen if easel.scene.node(n) != before[n]]
    assert len(changed) > arrivals.FRESH
    assert drawn.taken() >= len(changed)


def test_a_zoom_shows_nodes_enlarged_until_they_are_drawn_sharp(easel, monkeypatch):
    far_apart(easel)
    drawn = Drawn(monkeypatch)
    easel.view.camera.zoom_by(1.15)
    easel.view.viewport().repaint()
    assert drawn.taken() <= arrivals.FRESH
    shown = easel.view.grab()
    settle(easel)
    assert apart(shown.toImage(), easel.view.grab().toImage()).max() == 0
