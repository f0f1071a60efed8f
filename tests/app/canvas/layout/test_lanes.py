"""Wires of different sources are not drawn on one another, and none through a node."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, takewhile
from random import Random

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPointF

from app.canvas.layout.drawn_course import DrawnCourse
from app.canvas.layout.lanes import BendLanes
from app.canvas.layout.spatial_index import Sides
from app.canvas.layout.wire_path import FALLING_LANE, RISING_LANE, BendRoute
from app.canvas.paint.figure import PictureOptions, figure_of, scene_of
from app.canvas.scene.scene import Scene
from app.document.examples import examples
from app.document.placement import Viewport, wrap_into_bands
from app.document.sheet import Point, Sheet, sheet_of
from app.style.current import Style
from app.takeaway.estimated_layout import laid_out_drawing
from app.workbench.adding import block
from app.workbench.playback.view_state import ViewState
from engine.formats.expression import read
from engine.formats.files import load_drawing
from engine.formats.native import Drawing
from engine.frame import frame_at, live_frame
from engine.graph import Graph, Leaf, OpNode, Wire
from engine.rules import MISTAKES
from engine.trace import run
from tests.benchmarks.layers import layered
from tests.helpers.invariants import differences_from_new
from tests.helpers.random_graphs import made_up
from tests.helpers.sampling import sampled, sized
from tests.helpers.tables import in_turn

STEP = 2.0
"""Distance of two samples of a wire, in sheet px."""
NEAR = 2.0
"""Wires nearer than this touch: each is drawn 2 px wide."""
SLANT = 0.17
"""The most sine of the angle between wires that run along one another: 10 degrees."""
LEVEL = 14.0
"""Level runs nearer than this may be taken for one, in sheet px."""
GAP = 6.0
"""Distance of the end of one from the beginning of the other up to which they seem joined."""
INSIDE = 2.0
"""How far inside a node a point must be, in sheet px, for the wire to run through it."""

Sample = tuple[float, float, float, float]
"""Position and direction."""


def samples(course: DrawnCourse) -> list[Sample]:
    """Return points about every STEP px of a wire."""
    found: list[Sample] = []
    for a, b in pairwise(course.polyline.toList()):
        dx, dy = b.x() - a.x(), b.y() - a.y()
        length = math.hypot(dx, dy)
        count = math.ceil(length / STEP)
        for k in range(count):
            share = k / count
            found.append((a.x() + share * dx, a.y() + share * dy, dx / length, dy / length))
    return found


def overlaps(scene: Scene) -> dict[tuple[Wire, Wire], float]:
    """Return for pairs of wires of different sources how many px they are drawn on one another."""
    graph = scene.sheet.graph
    cells: dict[tuple[int, int], list[tuple[Wire, Sample]]] = {}
    every = {wire: samples(course) for wire, course in scene.courses.items()}
    for wire, line in every.items():
        for at in line:
            cell = (int(at[0] // NEAR), int(at[1] // NEAR))
            cells.setdefault(cell, []).append((wire, at))
    counts: Counter[tuple[Wire, Wire]] = Counter()
    for wire, line in every.items():
        for x, y, dx, dy in line:
            i, j = int(x // NEAR), int(y // NEAR)
            near = {
                other
                for cell in ((i + a, j + b) for a in (-1, 0, 1) for b in (-1, 0, 1))
                for other, at in cells.get(cell, ())
                if graph.source(other) != graph.source(wire)
                and math.hypot(at[0] - x, at[1] - y) < NEAR
                and abs(dx * at[3] - dy * at[2]) < SLANT
            }
            counts.update((wire, other) for other in near if wire < other)
    return {pair: count * STEP for pair, count in counts.items()}


def joined(scene: Scene) -> list[tuple[Wire, Wire]]:
    """Return wires whose first level run seems to go on as the last one of another source's."""
    graph = scene.sheet.graph
    found: list[tuple[Wire, Wire]] = []
    for one, course in scene.courses.items():
        first, leaves = QPointF(*course.start), _end_of_level(course.polyline.toList())
        for other, beside in scene.courses.items():
            line = beside.polyline.toList()[::-1]
            arrives = _end_of_level(line)
            near = abs(line[0].y() - first.y()) < LEVEL
            meet = max(first.x(), arrives - GAP) < min(leaves, line[0].x())
            if near and meet and graph.source(one) != graph.source(other):
                found.append((one, other))
    return found


def _end_of_level(line: list[QPointF]) -> float:
    """Return the x up to which a line stays at the height at which it begins."""
    level = takewhile(lambda at: abs(at.y() - line[0].y()) < NEAR, line)
    return list(level)[-1].x()


def runs_through(scene: Scene) -> list[tuple[Wire, int]]:
    """Return the wires that run through nodes, their own ones too, with the nodes."""
    found: list[tuple[Wire, int]] = []
    for wire, course in scene.courses.items():
        line = samples(course)
        for node, box in scene.boxes.items():
            rect = box.rect.adjusted(INSIDE, INSIDE, -INSIDE, -INSIDE)
            if any(rect.contains(x, y) for x, y, _dx, _dy in line):
                found.append((wire, node))
    return found


def bend(start: Point, down: float) -> BendRoute:
    (x, y), lane = start, FALLING_LANE if down > 0.0 else RISING_LANE
    return BendRoute(start, (x + 200.0, y + down), x, 60.0, lane)


def moved(bends: dict[Wire, BendRoute], *nodes: Sides) -> dict[Wire, BendRoute]:
    return BendLanes().update(bends, {}, lambda wire: wire[0], lambda _sides: nodes)


def pair(first: int) -> dict[Wire, BendRoute]:
    """Two bends to one level, one from above and one from below: each seems to be the other."""
    return {(first, 0): bend((0.0, 0.0), 247.0), (first + 1, 0): bend((0.0, 240.0), -233.0)}


def test_a_conflict_is_settled_by_another_lane():
    assert moved(pair(1)).keys() == {(1, 0)}


def test_a_bend_with_a_node_in_its_zone_keeps_its_lane():
    assert moved(pair(1), (0.0, 100.0, 80.0, 188.0)) == {}


def test_wires_of_one_source_are_not_in_conflict():
    bends = pair(1)
    assert BendLanes().update(bends, {}, lambda _wire: 1, lambda _sides: ()) == {}


def test_a_conflict_is_settled_beside_a_crowd_of_others():
    """However many moves are tried for the bends of another column."""
    dice, crowd = Random(1), dict[Wire, BendRoute]()
    for k in range(30):
        start = (1000.0, float(dice.randrange(200)))
        crowd[k, 0] = bend(start, dice.randrange(200) - start[1])
    assert (100, 0) in moved({**crowd, **pair(100)})


CORNER = 20.0
"""How many px two wires may be on one another: where one turns off the other's line."""
NARROW = Viewport(612.0, 428.0, 0.92)
"""A small canvas for large texts, so that many graphs are in rows."""
WIDTHS = (8.5, 17.0)
"""Widths of figures in cm."""
FORMULAS = {
    "two branches": "relu(a*b+c)*d + relu(a*e+f)*g",
    "loss": "L = (tanh(w1*x1 + w2*x2 + b1)*v1 - y)**2",
    "neuron": "y = tanh(w*x+b)",
    "shared": "(a*b+c)*(d-e)+relu(a-c)",
    "crossed": "f=a*b; g=f+c; h=f*g; k=tanh(h); L=k*a+g",
}
BLOCKS = ("neuron(3)", "mlp(2,2,1)", "mlp(2,3,1)")


def placed(graph: Graph) -> Drawing:
    return laid_out_drawing(graph)


def laid_out(drawing: Drawing) -> Iterator[tuple[str, Scene]]:
    """Yield a graph as it is on its sheet, and in the rows of a narrow window and of figures."""
    sheet, frame = sheet_of(drawing), frame_at(run(drawing.graph), 0)
    scene = scene_of(sheet, frame)
    yield "on its sheet", scene
    boxes = {node: box for node, box in scene.boxes.items() if box.kind != "pill"}
    at = {node: (box.x, box.y) for node, box in boxes.items()}
    wires = [(source, wire[0]) for source, wire in drawing.graph.wires()]
    rows = wrap_into_bands(at, lambda node: (boxes[node].w, boxes[node].h), wires, NARROW)
    if rows != at:
        moved = replace(sheet, positions={**sheet.positions, **rows})
        yield "in a narrow window", scene_of(moved, frame)
    for width in WIDTHS:
        figure = figure_of(sheet, frame, PictureOptions(width=width))
        if figure.rows > 1:
            yield f"in a figure of {width} cm", figure.scene


def check(drawing: Drawing) -> None:
    for where, scene in laid_out(drawing):
        check_apart(scene, where)
        assert not runs_through(scene), where


def check_apart(scene: Scene, where: str) -> None:
    on_one_another = {p: long for p, long in overlaps(scene).items() if long > CORNER}
    assert not on_one_another, where


@in_turn("name", sampled([example.name for example in examples()], 2))
@pytest.mark.usefixtures("qapp")
def test_the_wires_of_every_example_can_be_told_apart(name: str):
    path = next(example.path for example in examples() if example.name == name)
    check(load_drawing(path))


@pytest.mark.parametrize("name", sampled([*FORMULAS, *BLOCKS], 4))
@pytest.mark.usefixtures("qapp")
def test_the_wires_of_typed_formulas_and_blocks_can_be_told_apart(name: str):
    check(placed(read(FORMULAS[name]) if name in FORMULAS else block(name).graph))


@pytest.mark.parametrize("part", range(sized(2, 6)))
@pytest.mark.usefixtures("qapp")
def test_the_wires_of_random_graphs_can_be_told_apart(part: int):
    for graph in made_up(60, 34)[part :: sized(20, 6)]:
        check(placed(graph))


@pytest.mark.parametrize("seed", [35, 37])
@pytest.mark.usefixtures("qapp")
def test_a_wire_bends_in_a_lane_of_its_own(seed: int):
    for graph in made_up(60, seed)[:: sized(20, 1)]:
        for where, scene in laid_out(placed(graph)):
            check_apart(scene, where)


@in_turn("name", sampled([example.name for example in examples()], 2, 1))
@pytest.mark.usefixtures("qapp")
def test_no_wire_seems_to_go_on_as_another_one(name: str):
    path = next(example.path for example in examples() if example.name == name)
    drawing = load_drawing(path)
    for where, scene in laid_out(drawing):
        assert not joined(scene), where
    for rules in MISTAKES:
        frame = frame_at(run(drawing.graph, rules=rules), 0)
        assert not joined(scene_of(sheet_of(drawing), frame)), rules.name


@pytest.mark.usefixtures("qapp")
def test_wires_in_lanes_run_as_if_they_had_been_laid_out_there_at_once():
    drawing = placed(read(FORMULAS["two branches"]))
    sheet = sheet_of(drawing)
    rows = [scene.sheet for where, scene in laid_out(drawing) if where != "on its sheet"]
    moved = scene_at(sheet)
    for other in (*rows, sheet, rows[0]):
        moved.show(ViewState(other, live_frame(other.graph)))
        assert not differences_from_new(moved)


@pytest.mark.usefixtures("qapp")
def test_a_drag_ends_with_the_wires_where_they_would_be_laid_out():
    rows = [scene.sheet for _where, scene in laid_out(placed(block("mlp(2,2,1)").graph))][-1]
    moved = scene_at(rows)
    for node in sorted(rows.positions):
        x, y = rows.positions[node]
        moved.show_dragged({node: (x + 60.0, y + 30.0)})
        moved.show_dragged({})
        lifted = replace(rows, positions={**rows.positions, node: (x + 60.0, y + 30.0)})
        moved.show(ViewState(lifted, live_frame(rows.graph)))
        assert not differences_from_new(moved)
        moved.show(ViewState(rows, live_frame(rows.graph)))


def scene_at(sheet: Sheet) -> Scene:
    """Return a scene of a sheet, laid out from scratch."""
    style = Style()
    scene = Scene(style.short, style.signed)
    scene.show(ViewState(sheet, live_frame(sheet.graph)))
    return scene


@pytest.mark.usefixtures("qapp")
def test_a_node_that_is_put_anywhere_leaves_no_trace_in_the_wires():
    drawing, dice = layered(90), random.Random(3)
    sheet = sheet_of(drawing)
    moved = scene_at(sheet)
    for _ in range(sized(8, 20)):
        node = dice.choice(sorted(sheet.positions))
        x, y = sheet.positions[node]
        place = (x + dice.choice((-900.0, -300.0, 60.0, 700.0)), y + dice.choice((-200.0, 30.0)))
        sheet = replace(sheet, positions={**sheet.positions, node: place})
        moved.show(ViewState(sheet, live_frame(sheet.graph)))
        assert not differences_from_new(moved)


@pytest.mark.parametrize("count", [40, 120])
@pytest.mark.usefixtures("qapp")
def test_wires_run_the_same_whatever_stands_far_away(count: int):
    sheet = sheet_of(layered(count))
    before = scene_at(sheet)
    left, low = before.bounds().left() + 37.0, before.bounds().bottom() + 600.0
    for pairs in (1, 2, 20):
        found = scene_at(with_loose_pairs(sheet, pairs, left, low))
        for wire, course in before.courses.items():
            assert course.has_same_path_as(found.courses[wire]), (pairs, wire)


def with_loose_pairs(sheet: Sheet, count: int, left: float, top: float) -> Sheet:
    """Return a sheet with so many more leaves, each with a node that reads it."""
    graph, places = sheet.graph, dict(sheet.positions)
    nodes, first = dict(graph.nodes), graph.next_id
    for k in range(count):
        leaf, reader = first + 2 * k, first + 2 * k + 1
        nodes |= {leaf: Leaf(1.0), reader: OpNode("exp", (leaf,))}
        places |= {leaf: (left, top + 150.0 * k), reader: (left + 300.0, top + 40.0 + 150.0 * k)}
    wider = Graph(nodes, graph.active_root, first + 2 * count)
    return replace(sheet, graph=wider, positions=places)
