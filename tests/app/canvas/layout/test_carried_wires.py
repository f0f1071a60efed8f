"""Wires between nodes that are dragged together move along, to where they would be routed."""

import pytest
from PySide6.QtCore import QPointF

from app.canvas.scene.scene import Scene
from app.document.sheet import sheet_of
from app.style.current import Style
from app.workbench.playback.view_state import ViewState
from engine.frame import live_frame
from tests.benchmarks.layers import layered


def scene_of(count: int) -> Scene:
    drawing, style = layered(count), Style()
    scene = Scene(style.short, style.signed)
    scene.show(ViewState(sheet_of(drawing), live_frame(drawing.graph)))
    return scene


def lift(scene: Scene, count: int, right: float, down: float) -> None:
    chosen = sorted(scene.sheet.positions)[:count]
    places = {n: scene.sheet.positions[n] for n in chosen}
    scene.lift({n: (x + right, y + down) for n, (x, y) in places.items()})


@pytest.mark.usefixtures("qapp")
def test_wires_that_are_carried_along_run_as_if_they_were_routed_there():
    carried, routed = scene_of(450), scene_of(450)
    for move in ((8.0, 16.0), (24.0, -8.0), (24.0, -8.0), (-40.0, 72.0)):
        lift(carried, 120, *move)
        for course in carried.courses.values():
            assert course.polyline.count() > 1  # so that it is there to be carried along
    lift(routed, 120, -40.0, 72.0)
    assert carried.courses.keys() == routed.courses.keys()
    for wire, course in routed.courses.items():
        found = carried.courses[wire]
        assert found.bounds == pytest.approx(course.bounds)
        assert carried.wire_index.sides(wire) == found.bounds
        pairs = zip(found.polyline.toList(), course.polyline.toList(), strict=True)
        assert max(QPointF(a - b).manhattanLength() for a, b in pairs) < 1e-6
    carried.lift({})
    routed.lift({})
    assert all(carried.courses[w].is_like(c) for w, c in routed.courses.items())
