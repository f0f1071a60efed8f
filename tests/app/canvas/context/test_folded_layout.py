"""A sheet with folded groups is laid out as it is shown, at once."""

from itertools import combinations

import pytest

from app.document.boxes import in_columns
from app.document.placement import condensed, overlap
from app.document.sheet import sheet_of
from engine.formats.expression import read
from engine.formats.native import Drawing, GroupEntry
from tests.helpers.canvas import CanvasFixture, folded_boxes

NESTED = "a = 2; b = 3; c = a*b; d = c + a; e = d*c; f = tanh(e); g = f*a; h = g + d; y = h*h"


def folded(*groups: tuple[str, int | None]) -> Drawing:
    """The nested graph, of which some names are folded, with the group around each."""
    graph = read(NESTED)
    entries = [
        GroupEntry(k, f"g{k}", [graph.node_named(x) or 0 for x in names], True, parent=p)
        for k, (names, p) in enumerate(groups, 1)
    ]
    return Drawing(graph, groups=tuple(entries))


@pytest.mark.parametrize(
    "groups", [(("cd", None),), (("c", None), ("d", 1), ("fg", None)), (("de", None), ("fg", None))]
)
def test_groups_and_nodes_lie_apart_in_the_order_of_their_wires(canvas: CanvasFixture, groups):
    sheet = sheet_of(folded(*groups))
    assert canvas.document.show_other(sheet, "a pass", canvas.document.new_gesture())
    assert not canvas.view.auto_layout.running
    layout = canvas.view.scene.node_layout
    shown = [(b.x, b.y, b.w, b.h) for b in layout.boxes.values()]
    assert len(folded_boxes(layout)) == sum(parent is None for _names, parent in groups)
    for one, other in combinations(shown, 2):
        assert not overlap(one, other)
    positions = canvas.document.sheet.groups
    assert len({group.position for group in positions.values()}) > len(positions) // 2
    assert canvas.document.sheet.groups[1].position[0] > layout.boxes[1].x


def test_items_that_feed_each_other_have_columns_too():
    drawing = folded(("df", None))  # e is made of d, and f of e
    graph = drawing.graph
    members = drawing.groups[0].members
    items = {n: 100 if n in members else n for n in graph.nodes}
    found = condensed(graph, items)
    assert found.nodes.keys() == set(items.values())
    sheet = in_columns(sheet_of(drawing))
    assert sheet.positions.keys() == graph.nodes.keys()
