"""Bends between the same columns move to other lanes where they are in conflict."""

from random import Random

from app.canvas.layout.lanes import separated_bends
from app.canvas.layout.spatial_index import Sides
from app.canvas.layout.wire_path import FALLS, RISES, BendRoute, Place
from engine.graph import Wire


def bend(start: Place, down: float) -> BendRoute:
    (x, y), lane = start, FALLS if down > 0.0 else RISES
    return BendRoute(start, (x + 200.0, y + down), x, 60.0, lane)


def moved(bends: dict[Wire, BendRoute], *nodes: Sides) -> dict[Wire, BendRoute]:
    return separated_bends(bends, {}, lambda wire: wire[0], lambda _sides: nodes)


def pair(first: int) -> dict[Wire, BendRoute]:
    """Two bends to one level, one from above and one from below: each seems to be the other."""
    return {(first, 0): bend((0.0, 0.0), 247.0), (first + 1, 0): bend((0.0, 240.0), -233.0)}


def test_a_conflict_is_settled_by_another_lane():
    assert moved(pair(1)).keys() == {(1, 0)}


def test_a_bend_with_a_node_in_its_zone_keeps_its_lane():
    assert moved(pair(1), (0.0, 100.0, 80.0, 188.0)) == {}


def test_wires_of_one_source_are_not_in_conflict():
    bends = pair(1)
    assert separated_bends(bends, {}, lambda _wire: 1, lambda _sides: ()) == {}


def test_a_conflict_is_settled_beside_a_crowd_of_others():
    """However many moves are tried for the bends of another column."""
    dice, crowd = Random(1), dict[Wire, BendRoute]()
    for k in range(30):
        start = (1000.0, float(dice.randrange(200)))
        crowd[k, 0] = bend(start, dice.randrange(200) - start[1])
    assert (100, 0) in moved({**crowd, **pair(100)})
