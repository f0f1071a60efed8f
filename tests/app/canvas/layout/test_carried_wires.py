"""Wires between nodes that are dragged together move along as they are."""

import pytest
from PySide6.QtCore import QPointF

from app.canvas.scene.scene import Scene
from app.document.sheet import sheet_of
from app.style.current import Style
from app.workbench.playback.view_state import ViewState
from engine.frame import live_frame
from tests.benchmarks.layers import layered

MOVES = ((8.0, 16.0), (24.0, -8.0), (24.0, -8.0), (-40.0, 72.0))


def scene_of(count: int) -> Scene:
    drawing, style = layered(count), Style()
    scene = Scene(style.short, style.signed)
    scene.show(ViewState(sheet_of(drawing), live_frame(drawing.graph)))
    return scene


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("count", [100, 450])
def test_many_nodes_take_the_wires_between_them_along_and_the_end_of_a_drag_routes_all(count: int):
    scene = scene_of(count)
    graph, before = scene.sheet.graph, dict(scene.courses)
    dragged = {n: scene.sheet.positions[n] for n in sorted(scene.sheet.positions)[: count // 4]}
    fans = (graph.outgoing[n] for n in dragged)
    inner = [wire for fan in fans if all(w[0] in dragged for w in fan) for wire in fan]
    assert inner
    for right, down in MOVES:
        scene.show_dragged({n: (x + right, y + down) for n, (x, y) in dragged.items()})
        for wire in inner:
            moved = before[wire].polyline.translated(right, down).toList()
            pairs = zip(scene.courses[wire].polyline.toList(), moved, strict=True)
            assert max(QPointF(a - b).manhattanLength() for a, b in pairs) < 1e-6
            assert scene.wire_index.sides(wire) == scene.courses[wire].bounds
    scene.show_dragged({})
    assert all(scene.courses[wire].is_like(course) for wire, course in before.items())
