"""Wires drawn by hand: plugged, refused, re-plugged, unplugged, dropped in the empty."""

import pytest
from PySide6.QtCore import QPointF, Qt

from tests.helpers.canvas import CanvasFixture
from tests.helpers.graphs import diamond
from tests.helpers.mouse import (
    ALT,
    CTRL,
    at_nothing,
    at_output,
    at_slot,
    at_wire,
    click,
    drag,
    held,
    key,
    type_into_focus,
)


@pytest.mark.parametrize(
    ("start", "end", "inputs"),
    [
        ("b", ("d", 1), {"d": "cb"}),
        (("e", 0), "d", {"e": "d"}),
        ("b", ("d", 0), {"d": "b-"}),  # replaces the wire there
        ("c", ("d", 1), {"d": "cc"}),  # one node fills two slots
        (("d", 0), ("e", 0), {"d": "--", "e": "c"}),  # off its slot
        (("d", 0), ("d", 1), {"d": "-c"}),  # where it would have closed a loop with itself
    ],
)
def test_a_wire_is_drawn_either_way_replaced_and_replugged_as_one_step(sheet, start, end, inputs):
    def at(place) -> QPointF:
        if isinstance(place, str):
            return at_output(sheet.view, sheet.node(place))
        return at_slot(sheet.view, sheet.node(place[0]), place[1])

    drag(sheet.view, at(start), at(end))
    for name, sources in inputs.items():
        wanted = tuple(None if source == "-" else sheet.node(source) for source in sources)
        assert sheet.graph.inputs(sheet.node(name)) == wanted
    assert len(sheet.document.steps) == 1


def test_a_wire_to_the_root_names_the_root(sheet: CanvasFixture):
    with held(sheet.view, at_output(sheet.view, sheet.node("d")), at_slot(sheet.view, 6)):
        assert sheet.hint == "d becomes the root"
    assert sheet.graph.root == sheet.node("d")


def test_a_wire_snaps_to_a_slot_near_by_and_says_what_it_will_do(sheet: CanvasFixture):
    view = sheet.view
    beside = at_slot(view, sheet.node("d"), 1) + QPointF(-18, 9)
    with held(view, at_output(view, sheet.node("b")), beside):
        assert sheet.hint == "b → d, slot 2"
    assert sheet.graph.source(sheet.wire("d", 1)) == sheet.node("b")
    assert sheet.hint == ""


def test_the_nearer_slot_or_the_row_under_the_pointer_takes_the_wire(sheet: CanvasFixture):
    view, d = sheet.view, sheet.node("d")
    for slot in (0, 1):
        other = at_slot(view, d, 1 - slot)
        near = at_slot(view, d, slot) * 0.8 + other * 0.2 - QPointF(6, 0)
        for end in (near, at_slot(view, d, slot) + QPointF(40, 0)):
            drag(view, at_output(view, sheet.node("b")), end)
            assert sheet.graph.source((d, slot)) == sheet.node("b")
            sheet.document.undo()


def test_a_node_can_not_feed_itself(sheet: CanvasFixture):
    view, d = sheet.view, sheet.node("d")
    before = sheet.bytes()
    with held(view, at_output(view, d), at_slot(view, d, 1)):
        assert sheet.hint == "A node can't feed itself: d."
    assert sheet.bytes() == before


def test_a_loop_is_found_at_once_where_there_are_very_many_paths(canvas: CanvasFixture):
    """Sixty doublings: 2 ** 60 paths lead from the leaf to the last node."""
    graph = diamond(60)
    canvas.show(graph, {n: (240.0 * (n % 6), 120.0 * (n // 6)) for n in graph.nodes})
    view, last = canvas.view, 61
    view.framing.show_node(2)
    with held(view, at_output(view, last), at_slot(view, 2, 0)):
        assert "loop" in canvas.hint
    assert not canvas.document.steps


# off its slot


def test_a_click_on_a_slot_unplugs_nothing(sheet: CanvasFixture):
    before = sheet.bytes()
    click(sheet.view, at_slot(sheet.view, sheet.node("d"), 0))
    assert sheet.bytes() == before
    assert sheet.selection.only == sheet.node("d")


def test_alt_click_on_a_wire_or_slot_unplugs_it_and_on_an_empty_one_does_nothing(
    sheet: CanvasFixture,
):
    click(sheet.view, at_wire(sheet.view, sheet.wire("c", 1)), ALT)
    assert sheet.graph.inputs(sheet.node("c")) == (sheet.node("a"), None)
    for _again in range(2):
        click(sheet.view, at_slot(sheet.view, sheet.node("c"), 0), ALT)
        assert sheet.graph.inputs(sheet.node("c")) == (None, None)
    assert len(sheet.document.steps) == 2


def test_ctrl_drag_dropped_in_the_empty_or_a_wire_put_back_changes_nothing(sheet: CanvasFixture):
    view, before = sheet.view, sheet.bytes()
    drag(view, at_output(view, sheet.node("a")), at_nothing(view), CTRL)
    home = at_slot(view, sheet.node("d"), 0)
    drag(view, home, home + QPointF(-14, 0))
    assert sheet.bytes() == before
    assert not sheet.document.steps
    assert sheet.said == []


# in the empty


def test_a_fresh_wire_dropped_in_the_empty_asks_what_to_add_and_wires_it(sheet: CanvasFixture):
    view = sheet.view
    with held(view, at_output(view, sheet.node("b")), QPointF(500, 620)):
        assert sheet.hint == "Let go to add a node here"
    type_into_focus("tanh")
    key(Qt.Key.Key_Return)
    added = sheet.node("v7")
    assert sheet.graph.inputs(added) == (sheet.node("b"),)
    assert len(sheet.document.steps) == 1
    assert sheet.selection.only == added
    left, top = sheet.document.positions[added]
    place = view.camera.to_sheet(QPointF(500, 620))
    assert abs(left - place.x()) < 40
    assert top < place.y() < top + 88


def test_a_wire_drawn_backwards_into_the_empty_adds_what_feeds_the_slot(sheet: CanvasFixture):
    view = sheet.view
    drag(view, at_slot(view, sheet.node("e")), QPointF(500, 620))
    type_into_focus("leaf")
    key(Qt.Key.Key_Return)
    source = sheet.graph.source(sheet.wire("e"))
    assert source == 7
    assert len(sheet.document.steps) == 1
