"""A floorplan and its routes by themselves: what stands where, and what they tell of it."""

from collections.abc import Iterable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPointF, QRectF

from app.canvas.appearance.look import Looks
from app.canvas.appearance.visible_nodes import scheme_of
from app.canvas.layout.node_layout import HURRY, Floorplan
from app.canvas.layout.text_sizes import Rooms
from app.canvas.layout.wire_layout import Routes
from app.document.sheet import Group, Section, Sheet
from app.style.numbers import short, signed
from engine import from_expression
from engine.edits import connect, remove
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Graph, Wire
from engine.trace import run
from tests.helpers.graphs import chain

FAR = 400.0


class Site:
    """A floorplan with its routes, and all they have told since one last looked."""

    def __init__(self, graph: Graph) -> None:
        self.sheet = in_a_row(graph)
        self.scheme = scheme_of(self.sheet)
        self.rooms = rooms_of(live_frame(graph))
        self.nodes: set[int] | None = set()
        self.wires: set[Wire] | None = set()
        self.floorplan = Floorplan(self.rooms, self._hear_nodes)
        self.routes = Routes(self.floorplan, self._hear_wires)
        self.lay_out()

    def lay_out(self) -> None:
        self.scheme = scheme_of(self.sheet, self.scheme.inside)
        self.routes.clear()
        self.routes.lay(self.floorplan.lay_out(self.sheet, self.scheme, self.rooms))
        self.nodes, self.wires = set(), set()

    def show(self, sheet: Sheet, frame: Frame | None = None) -> set[int]:
        """Stand for another sheet or frame; returns whose wires were laid anew."""
        self.nodes, self.wires = set(), set()
        if frame is not None or sheet.graph is not self.sheet.graph:
            self.rooms = rooms_of(frame or live_frame(sheet.graph))
        if sheet.graph.structure is not self.sheet.graph.structure:
            self.scheme = scheme_of(sheet)
        self.sheet = sheet
        found = self.floorplan.follow(sheet, self.scheme, self.rooms, anew=False)
        self.routes.drop_gone()
        self.routes.lay(found)
        return found

    def _hear_nodes(self, nodes: Iterable[int] | None) -> None:
        self.nodes = None if nodes is None or self.nodes is None else self.nodes | set(nodes)

    def _hear_wires(self, wires: Iterable[Wire] | None) -> None:
        self.wires = None if wires is None or self.wires is None else self.wires | set(wires)


def in_a_row(graph: Graph) -> Sheet:
    return Sheet(
        graph, {node: (FAR * k, 0.0) for k, node in enumerate(graph.structure.whole_order)}
    )


def rooms_of(frame: Frame) -> Rooms:
    return Rooms(Looks(frame, short, signed, False, False), short, signed)


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
    courses = dict(site.routes.courses)
    moved = {**site.sheet.positions, c: (50.0, 600.0)}
    assert site.show(replace(site.sheet, positions=moved)) == {c}
    assert site.nodes == {c}
    assert site.wires == {(y, 1), (y, 0)}
    assert (site.floorplan.boxes[c].x, site.floorplan.boxes[c].y) == (50.0, 600.0)
    changed = {wire for wire, course in site.routes.courses.items() if course is not courses[wire]}
    assert changed == {(y, 1), (y, 0)}


def runs_like(site: Site, other: Site) -> bool:
    """Whether all wires run as on a site where nothing ever moved."""
    mine, others = site.routes.courses, other.routes.courses
    return mine.keys() == others.keys() and all(mine[w].is_like(others[w]) for w in mine)


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
    straight = site.routes.courses[y, 0]
    on_the_way = {**away, a: (x, -20.0)}
    site.show(replace(site.sheet, positions=on_the_way))
    assert not site.routes.courses[y, 0].is_like(straight)
    assert runs_like(site, laid_anew(site))
    site.show(replace(site.sheet, positions=away))
    assert site.routes.courses[y, 0].is_like(straight)
    site.show(replace(site.sheet, positions=on_the_way))
    site.show(replace(site.sheet, graph=remove(site.sheet.graph, [a]), positions=on_the_way))
    assert runs_like(site, laid_anew(site))


def test_while_a_node_is_dragged_other_wires_stay_and_then_run_as_if_it_had_always_stood_there(
    site: Site,
):
    y, a, c = (named(site, name) for name in "yac")
    before = dict(site.routes.courses)
    for k in range(30):
        site.routes.lay(site.floorplan.lift({c: (700.0 + 20 * k, -20.0), a: (20.0 * k, 300.0)}))
        assert site.routes.courses[y, 0] is before[y, 0]
    site.routes.lay(site.floorplan.lift({}))
    assert all(site.routes.courses[wire].is_like(course) for wire, course in before.items())
    site.show(replace(site.sheet, positions={**site.sheet.positions, c: (1300.0, 700.0)}))
    assert runs_like(site, laid_anew(site))


def test_a_number_that_needs_no_other_room_moves_nothing(site: Site):
    courses = dict(site.routes.courses)
    assert (
        site.show(site.sheet.with_graph(site.sheet.graph.with_values({named(site, "a"): 4.0})))
        == set()
    )
    assert all(site.routes.courses[wire] is course for wire, course in courses.items())


def test_a_number_that_needs_more_room_lays_the_wires_of_its_node_anew(site: Site):
    a = named(site, "a")
    before = site.floorplan.boxes[a].w
    graph = site.sheet.graph.with_values({a: -1234567.25})
    assert a in site.show(site.sheet.with_graph(graph))
    assert site.floorplan.boxes[a].w > before
    (wire,) = graph.outgoing[a]
    assert wire in (site.wires or ())


def test_a_step_of_a_pass_asks_for_no_room_of_its_own(site: Site):
    trace = run(site.sheet.graph)
    site.show(site.sheet, frame_at(trace, 0))
    boxes, extents = dict(site.floorplan.boxes), site.floorplan.extents()
    for k in range(1, len(trace) + 1):
        assert site.show(site.sheet, frame_at(trace, k)) == set()
    assert (site.floorplan.boxes, site.floorplan.extents()) == (boxes, extents)


def test_a_node_that_is_gone_leaves_nothing_behind(site: Site):
    c = named(site, "c")
    (wire,) = site.sheet.graph.outgoing[c]
    site.show(site.sheet.with_graph(remove(site.sheet.graph, [c])))
    assert c not in site.floorplan.boxes
    assert c not in set(site.floorplan.node_grid.keys())
    assert wire not in site.routes.courses
    assert wire not in set(site.routes.wire_grid.keys())
    assert c in (site.nodes or ())
    assert wire in (site.wires or ())


def test_a_wire_that_is_plugged_elsewhere_starts_there(site: Site):
    y, a = named(site, "y"), named(site, "a")
    site.show(site.sheet.with_graph(connect(site.sheet.graph, a, y, 1)))
    start = site.routes.courses[y, 1].start
    assert start.x() == site.floorplan.boxes[a].output().x()


def test_the_wire_that_is_left_of_two_starts_in_the_middle_of_the_output_again(qapp):
    whole = from_expression("c = exp(a); d = tanh(a); y = c + d", {"a": 2})
    ends = [n for n in whole.nodes if not whole.outgoing[n] or n == whole.root]
    site = Site(remove(whole, ends))
    a, c, d = (named(site, name) for name in "acd")
    output = site.floorplan.boxes[a].output()
    assert site.routes.courses[d, 0].start != output
    site.show(site.sheet.with_graph(remove(site.sheet.graph, [c])))
    assert site.routes.courses[d, 0].start == output


def test_what_is_dragged_stands_elsewhere_until_it_is_put_down(site: Site):
    c, home = named(site, "c"), site.floorplan.boxes[named(site, "c")]
    assert site.floorplan.lift({c: (7.0, 9.0)}) == {c}
    assert (site.floorplan.boxes[c].x, site.floorplan.boxes[c].y) == (7.0, 9.0)
    assert site.floorplan.extent(c).topLeft() == QPointF(7.0, 9.0)
    assert site.floorplan.lift({}) == {c}
    assert site.floorplan.boxes[c] == home


def test_a_collapsed_group_goes_along_when_all_its_members_are_dragged(site: Site):
    members = frozenset({named(site, "a"), named(site, "b")})
    group = Group("pair", members, collapsed=True, position=(10.0, 20.0))
    site.sheet = replace(site.sheet, groups={1: group})
    site.lay_out()
    assert not members & site.floorplan.boxes.keys()
    places = site.sheet.positions
    site.floorplan.lift({n: (places[n][0] + 5, places[n][1] + 6) for n in members})
    assert site.floorplan.group_boxes[1].rect.topLeft() == QPointF(15.0, 26.0)


def fold(site: Site, names: str) -> None:
    members = frozenset(named(site, name) for name in names)
    group = Group("pair", members, collapsed=True, position=(10.0, 20.0))
    site.sheet = replace(site.sheet, groups={1: group})
    site.lay_out()


def test_a_number_that_changes_while_a_group_is_folded_lays_no_wire_anew(site: Site):
    fold(site, "ab")
    courses = dict(site.routes.courses)
    for k in range(3):
        graph = site.sheet.graph.with_values({named(site, "a"): float(k)})
        assert site.show(site.sheet.with_graph(graph)) == set()
    assert all(site.routes.courses[wire] is course for wire, course in courses.items())


def test_a_number_that_widens_a_folded_group_takes_the_wires_that_leave_it_along(site: Site):
    fold(site, "ab")
    before, a = site.floorplan.group_boxes[1].w, named(site, "a")
    graph = site.sheet.graph.with_values({a: -1234567890.25})
    site.show(site.sheet.with_graph(graph))
    assert site.floorplan.group_boxes[1].w > before
    (wire,) = graph.outgoing[a]
    assert site.routes.courses[wire].start == site.floorplan.output(a)


def test_the_frame_of_an_opened_group_is_found_once_until_something_moves(site: Site, monkeypatch):
    a = named(site, "a")
    group = Group("pair", frozenset({a, named(site, "b")}))
    site.sheet = replace(site.sheet, groups={1: group})
    site.lay_out()
    asked, around = list[object](), site.floorplan.around
    monkeypatch.setattr(site.floorplan, "around", lambda n: asked.append(n) or around(n))
    first = site.floorplan.frame_rect(1)
    assert site.floorplan.frame_rect(1) == first
    assert len(asked) == 1
    site.floorplan.lift({a: (-300.0, 0.0)})
    assert site.floorplan.frame_rect(1).left() == first.left() - 300
    site.floorplan.lift({})
    assert site.floorplan.frame_rect(1) == first


def test_sections_stand_on_the_whole_sheet_alone(site: Site):
    group = Group("pair", frozenset({named(site, "a"), named(site, "b")}))
    section = Section("Inputs", (-40.0, -60.0, 900.0, 300.0))
    site.sheet = replace(site.sheet, groups={1: group}, sections={2: section})
    site.lay_out()
    assert site.floorplan.section_rects() == {2: QRectF(-40.0, -60.0, 900.0, 300.0)}
    site.floorplan.lift_sections({2: QRectF(0.0, 0.0, 900.0, 300.0)})
    assert site.floorplan.section_bounds([2]).topLeft() == QPointF(0.0, 0.0)
    site.scheme = scheme_of(site.sheet, 1)
    site.lay_out()
    assert site.floorplan.section_rects() == {}


def test_of_many_nodes_the_numbers_are_measured_only_when_all_has_settled(qapp):
    site = Site(chain(HURRY))
    graph = site.sheet.graph.with_values({1: -1234567.25})
    assert site.show(site.sheet.with_graph(graph)) == set()
    assert site.floorplan.unmeasured
    assert 1 in site.floorplan.settle()
    assert not site.floorplan.unmeasured
    assert site.floorplan.settle() == set()


def test_everything_that_stands_and_every_wire_lies_within_the_bounds(site: Site):
    around = site.floorplan.bounds()
    assert all(around.contains(rect) for rect in site.floorplan.extents())
    for course in site.routes.courses.values():
        assert site.routes.bounds().contains(course.path.boundingRect())
