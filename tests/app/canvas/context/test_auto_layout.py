"""Arrange: better places from Graphviz, without waiting, as one step."""

from itertools import combinations

import pytest
from PySide6.QtCore import QProcess

from app.document import placement
from app.document.placement import columns
from engine import from_expression
from engine.formats.native import Drawing, GroupEntry
from engine.graph import Graph, Leaf, OpNode, Root
from tests.helpers.canvas import CanvasFixture
from tests.helpers.graphs import demonstration, sum_over_samples

NEURON = "tanh(x1*w1 + x2*w2 + b)"


def arranged(canvas: CanvasFixture, qtbot, **how) -> None:
    canvas.view.editing.arrange(**how)
    qtbot.waitUntil(lambda: not canvas.view.auto_layout.running, timeout=60_000)


def opened(canvas: CanvasFixture, graph: Graph) -> None:
    """A graph all in one heap."""
    canvas.show(graph, {n: (24.0 * k, 24.0 * k) for k, n in enumerate(graph.nodes)})


def boxes(canvas: CanvasFixture):
    return {n: canvas.scene.boxes[n].rect for n in canvas.graph.nodes}


@pytest.fixture
def sheet(canvas: CanvasFixture) -> CanvasFixture:
    opened(canvas, from_expression(NEURON))
    return canvas


def test_everything_is_laid_out_from_left_to_right_as_one_step(sheet: CanvasFixture, qtbot):
    before = sheet.bytes()
    arranged(sheet, qtbot)
    found = boxes(sheet)
    for source, (target, _slot) in sheet.graph.wires():
        assert found[source].right() < found[target].left()
    for one, other in combinations(found.values(), 2):
        assert not one.intersects(other)
    assert sheet.document.done[-1].name == "Arrange"
    assert len(sheet.document.steps) == 1
    sheet.document.undo()
    assert sheet.bytes() == before


def test_from_top_to_bottom_on_request(sheet: CanvasFixture, qtbot):
    arranged(sheet, qtbot, direction="TB")
    found = boxes(sheet)
    wires = sheet.graph.wires()
    assert all(found[s].bottom() <= found[target].top() + 1 for s, (target, _slot) in wires)


def test_labels_have_room_afterwards(sheet: CanvasFixture, qtbot):
    arranged(sheet, qtbot)
    sheet.playback.backward()
    sheet.playback.to_end()
    for _source, wire in sheet.graph.wires():
        course = sheet.scene.courses[wire]
        if sheet.scene.label(wire) is not None:
            assert sheet.scene.wire_layout.label_layout[wire].form != "dot", wire
            if abs(course.start[1] - course.y) < 72:  # a steep wire needs its room to bend
                assert sheet.scene.wire_layout.label_layout[wire].form == "full", wire


def test_only_what_is_chosen_moves_when_asked(sheet: CanvasFixture, qtbot):
    chosen = sorted(sheet.graph.nodes)[:4]
    sheet.selection.choose(chosen)
    before = dict(sheet.document.positions)
    arranged(sheet, qtbot, only_selected=True)
    moved = {n for n, place in sheet.document.positions.items() if before[n] != place}
    assert moved
    assert moved <= set(chosen)


def test_a_folded_group_is_arranged_with_what_is_in_it_also_where_that_stands_off_the_grid(
    canvas: CanvasFixture, qtbot
):
    opened(canvas, demonstration())
    c, d, e = members = [canvas.node(name) for name in "cde"]
    canvas.document.move({c: (384.0, 36.0), d: (-2400.0, 216.0), e: (744.0, 0.0)})
    group = canvas.document.groups.make(members)
    assert group is not None
    before, corner = dict(canvas.document.positions), canvas.scene.node_layout.bounds().topLeft()
    home = canvas.document.sheet.groups[group].position
    arranged(canvas, qtbot)
    x, y = canvas.document.sheet.groups[group].position
    assert (x, y) == (round(x), round(y))
    for n in members:
        at = canvas.document.positions[n]
        assert (at[0] - before[n][0], at[1] - before[n][1]) == (x - home[0], y - home[1])
    for one, other in combinations(canvas.scene.node_layout.block_rects, 2):
        assert not one.intersects(other)
    assert canvas.scene.node_layout.bounds().topLeft() == corner


def test_the_two_wires_of_a_square_stay_apart_and_its_root_is_level_with_it(
    canvas: CanvasFixture, qtbot
):
    opened(canvas, Graph({1: Leaf(), 2: OpNode("mul", (1, 1)), 3: Root(2)}, 3, 4))
    arranged(canvas, qtbot)
    first, second = (canvas.scene.courses[2, slot] for slot in (0, 1))
    assert first.start[1] < second.start[1]
    assert first.y < second.y
    assert canvas.document.positions[2][1] == canvas.document.positions[3][1]


def test_a_node_of_number_zero_is_arranged_like_any_other(canvas: CanvasFixture, qtbot):
    nodes = {0: OpNode("add", (1, 2)), 1: Leaf(1.0, "a"), 2: Leaf(1.0, "b"), 3: Root(0)}
    opened(canvas, Graph(nodes, 3, 4))
    arranged(canvas, qtbot)
    places = canvas.document.positions
    assert max(places[1][0], places[2][0]) < places[0][0] < places[3][0]


def test_the_window_does_not_wait_and_cancelled_it_changes_nothing(sheet: CanvasFixture, qtbot):
    before = dict(sheet.document.positions)
    sheet.view.editing.arrange()
    assert sheet.view.auto_layout.running
    sheet.document.set_value(sheet.node("b"), 5.0)
    assert sheet.scene.node(sheet.node("b")).value.text == "5"
    sheet.view.auto_layout.cancel()
    assert not sheet.view.auto_layout.running
    qtbot.waitUntil(lambda: not sheet.view.auto_layout.findChildren(QProcess), timeout=60_000)
    assert sheet.document.positions == before


@pytest.mark.parametrize("gone", ["b", "all"])
def test_nodes_that_went_away_meanwhile_are_left_out(sheet: CanvasFixture, qtbot, gone):
    sheet.view.editing.arrange()
    sheet.document.remove(list(sheet.graph.nodes) if gone == "all" else [sheet.node("b")])
    qtbot.waitUntil(lambda: not sheet.view.auto_layout.running, timeout=60_000)
    assert sheet.document.positions.keys() == sheet.graph.nodes.keys()


def test_what_comes_without_places_gets_them_within_the_same_step(canvas: CanvasFixture, qtbot):
    rough = columns(demonstration())
    canvas.document.replace_graph(demonstration())
    qtbot.waitUntil(lambda: not canvas.view.auto_layout.running, timeout=60_000)
    assert canvas.document.positions != rough
    assert len(canvas.document.steps) == 1
    canvas.document.undo()
    assert not canvas.graph.nodes
    canvas.document.redo()
    assert canvas.document.positions != rough


def test_an_edit_made_meanwhile_is_not_overrun(canvas: CanvasFixture, qtbot):
    """The learner who is faster than Graphviz keeps what they did."""
    canvas.document.replace_graph(demonstration())
    a = canvas.node("a")
    canvas.document.move({a: (-960.0, 960.0)})
    qtbot.waitUntil(lambda: not canvas.view.auto_layout.running, timeout=60_000)
    assert canvas.document.positions[a] == (-960.0, 960.0)
    assert canvas.document.done[-1].name == "Move a"


def test_an_empty_sheet_has_nothing_to_arrange(canvas: CanvasFixture):
    canvas.view.editing.arrange()
    assert not canvas.view.auto_layout.running


def test_what_graphviz_would_take_long_for_is_placed_at_once(canvas: CanvasFixture, monkeypatch):
    """Of lower limits, as a canvas of 450 nodes takes long itself."""
    monkeypatch.setattr(placement, "LONG_WIRES", 500)
    monkeypatch.setattr(placement, "MOST_BENDS", 2)
    monkeypatch.setattr(QProcess, "start", lambda *_: pytest.fail("Graphviz was asked"))
    canvas.document.start(Drawing(sum_over_samples(12), {}))
    for direction in ("TB", "LR"):
        canvas.view.editing.arrange(direction=direction)
        assert not canvas.view.auto_layout.running
        found = canvas.scene.boxes
        for source, (target, _slot) in canvas.graph.wires():
            before, after = found[source].rect, found[target].rect
            gap = after.left() - before.right(), after.top() - before.bottom()
            assert found[source].kind == "pill" or gap[direction == "TB"] > -1, direction


def test_no_row_ends_within_an_open_frame(canvas: CanvasFixture, qtbot):
    graph = from_expression("y = " + "tanh(" * 9 + "a" + ")" * 9)
    members = [n for n in graph.nodes if isinstance(graph.nodes[n], OpNode)][2:6]
    canvas.view.resize(700, 700)
    heights: list[float] = []
    for groups in ((), (GroupEntry(graph.next_id, "net", members),)):
        places = {n: (24.0 * k, 24.0 * k) for k, n in enumerate(graph.nodes)}
        canvas.document.start(Drawing(graph, places, groups=groups))
        arranged(canvas, qtbot)
        found = canvas.document.sheet.positions
        heights.append(max(found[n][1] for n in members) - min(found[n][1] for n in members))
    assert heights[0] > 0  # else there is nothing to be seen here
    assert heights[1] == 0
