"""The layout of a sheet by itself: the places of nodes and wires, and what an update moves."""

from collections.abc import Mapping

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF

from app.canvas.appearance.items import drawn
from app.canvas.appearance.looks import Looks
from app.canvas.layout.layout import Layout, Moved
from app.canvas.layout.spatial_index import SpatialIndex
from app.canvas.layout.text_sizes import TextSizes
from app.document.sheet import Group, Point, Sheet
from engine import from_expression
from engine.edits import connect, remove
from engine.frame import Frame, live_frame
from engine.graph import Graph
from engine.numbers import short, signed
from tests.helpers.canvas import folded_boxes

FAR = 400.0
NOTHING: Mapping[int, Point] = {}
NOT_MOVED = Moved(set(), set())


class Site:
    """A layout, and what the last update of it has moved."""

    def __init__(self, graph: Graph) -> None:
        self.sheet = in_a_row(graph)
        self.visible = drawn(self.sheet)
        self.text_sizes = group_number_widths(live_frame(graph))
        self.layout = Layout(self.text_sizes)
        self.node_layout, self.wire_layout = self.layout.nodes, self.layout.wires
        self.lay_out()

    def lay_out(self, inside: int | None = None) -> None:
        self.visible = drawn(self.sheet, inside)
        self._update()

    def show(self, sheet: Sheet, frame: Frame | None = None) -> Moved:
        """Show another sheet or frame; returns what has moved."""
        if frame is not None or sheet.graph is not self.sheet.graph:
            self.text_sizes = group_number_widths(frame or live_frame(sheet.graph))
        if sheet.graph.structure is not self.sheet.graph.structure:
            self.visible = drawn(sheet)
        self.sheet = sheet
        return self._update()

    def lift(self, places: Mapping[int, Point]) -> Moved:
        """Show nodes at other places, as while they are dragged."""
        return self._update(places)

    def _update(self, preview: Mapping[int, Point] = NOTHING) -> Moved:
        return self.layout.update(self.sheet, self.visible, self.text_sizes, preview)


def in_a_row(graph: Graph) -> Sheet:
    return Sheet(
        graph, {node: (FAR * k, 0.0) for k, node in enumerate(graph.structure.topological_order)}
    )


def group_number_widths(frame: Frame) -> TextSizes:
    return TextSizes(Looks(frame, short, signed))


@pytest.fixture
def site(qapp) -> Site:
    """a, b and c, then a*b and the sum, one beside the other."""
    return Site(from_expression("y = a*b + c", {"a": 2, "b": 3, "c": 1}))


def named(site: Site, name: str) -> int:
    found = site.sheet.graph.node_named(name)
    assert found is not None
    return found


def test_a_node_that_moves_is_told_with_the_wires_that_end_on_it_and_those_it_lets_pass(site: Site):
    y, c = named(site, "y"), named(site, "c")
    courses = dict(site.wire_layout.courses)
    moved = {**site.sheet.positions, c: (50.0, 600.0)}
    assert site.show(replace(site.sheet, positions=moved)) == ({c}, {(y, 1), (y, 0)})
    assert (site.node_layout.boxes[c].x, site.node_layout.boxes[c].y) == (50.0, 600.0)
    changed = {
        wire for wire, course in site.wire_layout.courses.items() if course is not courses[wire]
    }
    assert changed == {(y, 1), (y, 0)}


def runs_like(site: Site, other: Site) -> bool:
    """Whether all wires run as on a site where nothing ever moved."""
    mine, others = site.wire_layout.courses, other.wire_layout.courses
    return mine.keys() == others.keys() and all(mine[w].has_same_path_as(others[w]) for w in mine)


def laid_anew(site: Site) -> Site:
    other = Site(site.sheet.graph)
    other.sheet = site.sheet
    other.lay_out()
    return other


def test_a_wire_bends_round_a_node_that_comes_to_rest_on_it_and_straightens_when_it_goes(
    site: Site,
):
    y, a, c = (named(site, name) for name in "yac")
    x, _y = site.sheet.positions[c]
    away = {**site.sheet.positions, c: (-400.0, 900.0)}
    site.show(replace(site.sheet, positions=away))
    straight = site.wire_layout.courses[y, 0]
    on_the_way = {**away, a: (x, -20.0)}
    site.show(replace(site.sheet, positions=on_the_way))
    assert not site.wire_layout.courses[y, 0].has_same_path_as(straight)
    assert runs_like(site, laid_anew(site))
    site.show(replace(site.sheet, positions=away))
    assert site.wire_layout.courses[y, 0].has_same_path_as(straight)
    site.show(replace(site.sheet, positions=on_the_way))
    site.show(replace(site.sheet, graph=remove(site.sheet.graph, [a]), positions=on_the_way))
    assert runs_like(site, laid_anew(site))


def test_while_a_node_is_dragged_other_wires_stay_and_then_run_as_if_it_had_always_stood_there(
    site: Site,
):
    y, a, c = (named(site, name) for name in "yac")
    before = dict(site.wire_layout.courses)
    for k in range(30):
        site.lift({c: (700.0 + 20 * k, -20.0), a: (20.0 * k, 300.0)})
        assert site.wire_layout.courses[y, 0] is before[y, 0]
    site.lift({})
    assert all(
        site.wire_layout.courses[wire].has_same_path_as(course) for wire, course in before.items()
    )
    site.show(replace(site.sheet, positions={**site.sheet.positions, c: (1300.0, 700.0)}))
    assert runs_like(site, laid_anew(site))


def test_a_number_that_needs_no_other_room_moves_nothing(site: Site):
    courses = dict(site.wire_layout.courses)
    graph = site.sheet.graph.with_values({named(site, "a"): 4.0})
    assert site.show(site.sheet.with_graph(graph)) == NOT_MOVED
    assert all(site.wire_layout.courses[wire] is course for wire, course in courses.items())


def test_a_number_that_needs_more_room_lays_the_wires_of_its_node_anew(site: Site):
    a = named(site, "a")
    before = site.node_layout.boxes[a].w
    graph = site.sheet.graph.with_values({a: -1234567.25})
    moved = site.show(site.sheet.with_graph(graph))
    assert a in moved.items
    assert site.node_layout.boxes[a].w > before
    (wire,) = graph.outgoing[a]
    assert wire in moved.wires


def test_a_node_that_is_gone_leaves_nothing_behind(site: Site):
    c = named(site, "c")
    (wire,) = site.sheet.graph.outgoing[c]
    moved = site.show(site.sheet.with_graph(remove(site.sheet.graph, [c])))
    assert c not in site.node_layout.boxes
    assert c not in set(site.node_layout.index.keys())
    assert wire not in site.wire_layout.courses
    assert wire not in set(site.wire_layout.wire_index.keys())
    assert c in moved.items
    assert wire in moved.wires


def test_a_wire_that_is_plugged_elsewhere_starts_there(site: Site):
    y, a = named(site, "y"), named(site, "a")
    site.show(site.sheet.with_graph(connect(site.sheet.graph, a, y, 1)))
    start = site.wire_layout.courses[y, 1].start
    assert start[0] == site.node_layout.boxes[a].output().x()


def test_the_wire_that_is_left_of_two_starts_in_the_middle_of_the_output_again(qapp):
    whole = from_expression("c = exp(a); d = tanh(a); y = c + d", {"a": 2})
    ends = [n for n in whole.nodes if not whole.outgoing[n] or n == whole.root]
    site = Site(remove(whole, ends))
    a, c, d = (named(site, name) for name in "acd")
    output = site.node_layout.boxes[a].output().toTuple()
    assert site.wire_layout.courses[d, 0].start != output
    site.show(site.sheet.with_graph(remove(site.sheet.graph, [c])))
    assert site.wire_layout.courses[d, 0].start == output


def test_what_is_dragged_stands_elsewhere_until_it_is_put_down(site: Site):
    c, home = named(site, "c"), site.node_layout.boxes[named(site, "c")]
    assert site.lift({c: (7.0, 9.0)}).items == {c}
    assert (site.node_layout.boxes[c].x, site.node_layout.boxes[c].y) == (7.0, 9.0)
    assert site.node_layout.boxes[c].rect.topLeft() == QPointF(7.0, 9.0)
    assert site.lift({}).items == {c}
    assert site.node_layout.boxes[c] == home


def group_a_and_b(site: Site, collapsed: bool = True) -> frozenset[int]:
    """Group two leaves; returns them."""
    members = frozenset(named(site, name) for name in "ab")
    group = Group("pair", members, collapsed, position=(10.0, 20.0))
    site.sheet = replace(site.sheet, groups={1: group})
    site.lay_out()
    return members


def test_a_collapsed_group_goes_along_when_all_its_members_are_dragged(site: Site):
    members = group_a_and_b(site)
    assert not members & site.node_layout.boxes.keys()
    places = site.sheet.positions
    site.lift({n: (places[n][0] + 5, places[n][1] + 6) for n in members})
    assert folded_boxes(site.node_layout)[1].rect.topLeft() == QPointF(15.0, 26.0)


def test_a_wire_makes_way_for_a_folded_group_that_is_put_in_its_course(site: Site):
    group_a_and_b(site)
    (wire,) = site.sheet.graph.outgoing[named(site, "c")]
    first, group = site.wire_layout.courses[wire], site.sheet.groups[1]
    for place, in_the_way in (((1400.0, 20.0), True), (group.position, False)):
        groups = {1: replace(group, position=place)}
        site.show(replace(site.sheet, groups=groups))
        course, box = site.wire_layout.courses[wire], folded_boxes(site.node_layout)[1].rect
        assert not any(box.contains(course.path.pointAtPercent(k / 50)) for k in range(51))
        assert course.has_same_path_as(first) is not in_the_way


def test_the_frame_of_an_opened_group_follows_its_members(site: Site):
    group_a_and_b(site, collapsed=False)
    first = site.node_layout.groups.rect(1)
    site.lift({named(site, "a"): (-300.0, 0.0)})
    assert site.node_layout.groups.rect(1).left() == first.left() - 300
    site.lift({})
    assert site.node_layout.groups.rect(1) == first


def test_a_number_that_changes_while_a_group_is_folded_lays_no_wire_anew(site: Site):
    group_a_and_b(site)
    courses = dict(site.wire_layout.courses)
    for k in range(3):
        graph = site.sheet.graph.with_values({named(site, "a"): float(k)})
        assert site.show(site.sheet.with_graph(graph)) == NOT_MOVED
    assert all(site.wire_layout.courses[wire] is course for wire, course in courses.items())


def test_a_number_that_widens_a_folded_group_takes_the_wires_that_leave_it_along(site: Site):
    group_a_and_b(site)
    before, a = folded_boxes(site.node_layout)[1].w, named(site, "a")
    graph = site.sheet.graph.with_values({a: -1234567890.25})
    site.show(site.sheet.with_graph(graph))
    assert folded_boxes(site.node_layout)[1].w > before
    (wire,) = graph.outgoing[a]
    assert QPointF(*site.wire_layout.courses[wire].start) == site.node_layout.output(a)


def test_groups_are_drawn_on_the_whole_sheet_alone(site: Site):
    group_a_and_b(site, collapsed=False)
    drawn = Group("Inputs", rect=(-40.0, -60.0, 900.0, 300.0))
    site.sheet = replace(site.sheet, groups={**site.sheet.groups, 2: drawn})
    site.lay_out()
    assert site.node_layout.groups.drawn == {2: QRectF(-40.0, -60.0, 900.0, 300.0)}
    site.node_layout.groups.dragged = {2: (0.0, 0.0, 900.0, 300.0)}
    site.lay_out()
    assert site.node_layout.groups.rect(2).topLeft() == QPointF(0.0, 0.0)
    site.lay_out(inside=1)
    assert site.node_layout.groups.drawn == {}


SMALL, HUGE = (0.0, 0.0, 100.0, 80.0), (-1e7, -1e7, 1e7, 1e7)


def found(grid: SpatialIndex[str], x: float, y: float) -> set[str]:
    return set(grid.within(QRectF(x, y, 10.0, 10.0)))


def test_what_lies_over_the_whole_sheet_is_found_everywhere_and_put_at_once():
    grid: SpatialIndex[str] = SpatialIndex()
    grid.insert("small", SMALL)
    grid.insert("huge", HUGE)
    assert found(grid, 50, 50) == {"small", "huge"}
    assert found(grid, 5000, 5000) == {"huge"}
    assert set(grid.within(QRectF(-2e7, -2e7, 4e7, 4e7))) == {"small", "huge"}


def test_it_is_found_where_it_was_moved_to_and_no_longer_where_it_was():
    grid: SpatialIndex[str] = SpatialIndex()
    for sides in (HUGE, SMALL, HUGE, SMALL):
        grid.insert("one", sides)
    grid.insert("other", (5000.0, 5000.0, 5010.0, 5010.0))
    assert found(grid, 50, 50) == {"one"}
    assert found(grid, 5000, 5000) == {"other"}
    grid.insert("one", HUGE)
    grid.remove("one")
    assert found(grid, 50, 50) == set()
    assert grid.keys() == {"other"}
