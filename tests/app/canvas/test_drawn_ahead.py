"""While someone looks at a step, what the next one brings into view is drawn already."""

from app.canvas.paint import node_cache
from tests.benchmarks.layers import layered


def test_a_step_that_moves_the_view_finds_its_nodes_drawn(easel, qtbot, monkeypatch):
    easel.document.start(layered(450))
    easel.view.camera.set_zoom(1.0)
    easel.playback.backward()
    easel.playback.go(easel.steps // 2)
    framing, index = easel.view.framing, easel.scene.node_index
    while (area := framing.next_area(easel.playback.frame)) is None:
        easel.playback.step()
    drawn: list[object] = []
    name = "paint_texts"
    paint = getattr(node_cache, name)

    def count(painter: object, look: object, *rest: object) -> None:
        drawn.append(look)
        paint(painter, look, *rest)

    easel.view.grab()
    monkeypatch.setattr(node_cache, name, count)
    coming = set(index.within(area)) - set(index.within(easel.view.camera.visible_area))
    looks = {easel.scene.node(n) for n in coming}
    assert looks
    qtbot.waitUntil(lambda: looks <= set(drawn))
    drawn.clear()
    easel.playback.step()
    assert easel.view.camera.visible_area == area
    easel.view.grab()
    again = looks & set(drawn)
    assert len(again) < max(2, len(coming) / 2)


def test_nothing_is_drawn_ahead_where_the_next_step_does_not_move_the_view(easel):
    easel.open_example("shared-leaf")
    easel.view.framing.fit_all()
    easel.playback.backward()
    assert easel.view.framing.next_area(easel.playback.frame) is None
