"""Layout: the positions of all nodes and wires of one sheet, updated incrementally.

Sizes reserve space for the widest numbers of the whole pass, so nothing here depends on the step
that is shown.

A label ends left of its slot; columns are laid out with space for it. Where a node that the user
has moved covers it, the label is shortened to the contribution, or else painted as a dot. The
labels of firing, next, asked and hovered wires are always painted in full.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping
from time import perf_counter
from typing import Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF

from app.canvas.appearance.items import Drawn, GroupKey, ItemKey
from app.canvas.layout.drawn_course import DrawnCourse
from app.canvas.layout.group_layout import GroupLayout, group_box, united
from app.canvas.layout.lanes import LaneAssignment
from app.canvas.layout.node_box import Box
from app.canvas.layout.node_spacing import NodeSpacing, SpacingInputs, changed_keys
from app.canvas.layout.opened_groups import with_space_for_opened
from app.canvas.layout.spatial_index import MovedRects, Sides, SpatialIndex, overlap
from app.canvas.layout.text_sizes import TextSizes
from app.canvas.layout.wire_path import (
    BACK_RUN,
    MIN_FORWARD_GAP,
    TURN_REACH,
    BendRoute,
    Course,
    Route,
    route_past,
)
from app.document.boxes import common_shift
from app.document.node_sizes import is_pill, node_size
from app.document.sheet import Point, Sheet
from app.style import sizes
from engine.graph import Graph, Wire, kind_of

MEASURING_BUDGET = 0.004
"""Seconds that a frame has to measure nodes; where all take longer, they are measured once their
numbers rest, and until then only those whose numbers would not fit."""


class NodeLayout:
    """Boxes and rectangles of everything on one sheet."""

    def __init__(self, text_sizes: TextSizes) -> None:
        self.sheet = Sheet()
        self.visible = Drawn(frozenset())
        self.text_sizes = text_sizes
        self.boxes: dict[ItemKey, Box] = {}
        # slots, glow and badge exceed a node (NODE_MARGIN of its painter), selection rings more
        self.index: SpatialIndex[ItemKey] = SpatialIndex(margin_x=20, margin_y=20)
        self.preview: Mapping[int, Point] = {}
        """Temporary positions of the nodes being dragged."""
        self.spacing = NodeSpacing()
        self.back_run = BACK_RUN
        """The level run left of a slot of a wire that runs back, with space for its label; less in
        a figure whose gaps are closed for its own labels, so that a pass moves no node."""
        self._measured: dict[int, Box] = {}
        """Each shown node at the origin, as wide as it needs to be."""
        self.measured_sizes = text_sizes
        """The text sizes for which all nodes were measured."""
        self.is_slow_to_measure = False
        """Whether that took longer than a frame has for it."""
        self._moved_rects = MovedRects(self.index.get)
        self.groups = GroupLayout(self.boxes, self.bounds_of)

    def update(
        self,
        sheet: Sheet,
        visible: Drawn,
        text_sizes: TextSizes,
        preview: Mapping[int, Point],
        complete: bool,
        narrow: Collection[int] | None,
    ) -> set[ItemKey]:
        """Update boxes, as in `Layout.update`.

        Returns the items whose wires have to be routed again, and removed ones.
        """
        before, sizes_before = self.sheet, self.text_sizes
        # other groups are drawn at other places; in a presentation all wires bend within less space
        drawn_alike = visible.is_drawn_like(self.visible) and text_sizes.is_drawn_like(sizes_before)
        moved = changed_keys(self.preview, preview)
        self.sheet, self.visible, self.text_sizes = sheet, visible, text_sizes
        self.preview = preview
        hidden = self._drop_hidden()
        measured = self._measure(narrow)
        if visible.opens:
            measures = {n: (b.w, b.h) for n, b in self._measured.items() if b.kind != "pill"}
            self.sheet = sheet = with_space_for_opened(sheet, visible, text_sizes, measures)
        if sheet.positions is not before.positions:
            moved |= changed_keys(before.positions, sheet.positions)
        respaced = self._update_spacing(bool(measured or hidden), complete)
        moved |= measured | respaced | _rewired(before.graph, sheet.graph)
        self.groups.update(sheet, visible)
        moved_groups = self._update_groups()
        moved |= {node for key in moved_groups for node in visible.folded[key].members}
        if not drawn_alike:
            moved |= visible.shown | visible.home.keys()
        return self._update_boxes(moved & sheet.graph.nodes.keys()) | moved_groups | hidden

    @property
    def is_complete(self) -> bool:
        """Return whether nodes are moved apart for these sizes and positions."""
        is_measured = self.measured_sizes is self.text_sizes
        return is_measured and self.spacing.inputs == self._spacing_inputs

    def pop_changed_areas(self) -> list[Sides]:
        """Return the rectangles that nodes and groups left or moved to since the last call."""
        return self._moved_rects.pop_areas()

    # positions

    def needed_width(self, key: ItemKey) -> float:
        """Return the width that an item itself needs, without that of its column."""
        return self.boxes[key].w if isinstance(key, GroupKey) else self._measured[key].w

    def slot_point(self, wire: Wire) -> QPointF | None:
        """Return where a slot is drawn: on its node, or on the folded group around it."""
        end = self.visible.wire(wire)
        return self.boxes[end.target].slot(end.slot) if end.target in self.boxes else None

    def output(self, node: int) -> QPointF | None:
        """Return where a node's output is drawn: at its capsule, or on the group around it."""
        if node in self.boxes:
            return self.boxes[node].output()
        key = self.visible.home.get(node)
        if key is None or node not in self.visible.folded[key].outputs:
            return None
        return self.boxes[key].output(self.visible.folded[key].outputs.index(node))

    @property
    def block_rects(self) -> list[QRectF]:
        """Return the rectangles of all nodes and folded groups."""
        return [box.rect for box in self.boxes.values()]

    def bounds_of(self, nodes: Iterable[int]) -> QRectF:
        """Return the bounds of nodes, or of the folded groups that contain them."""
        keys = dict.fromkeys(map(self.visible.key_of, nodes))
        return united(self.boxes[key].rect for key in keys if key in self.boxes)

    def visible_positions(self, places: Mapping[int, Point]) -> list[Point]:
        """Return the positions at which moved nodes will be visible, or those of their groups."""
        found = [place for node, place in places.items() if node in self.boxes]
        for key, item in self.visible.folded.items():
            shift = common_shift(self.sheet, item.members & places.keys(), places)
            if shift is not None:
                x, y = self.sheet.groups[key.group].position
                found.append((x + shift[0], y + shift[1]))
        return found

    def bounds(self) -> QRectF:
        """Return the bounds of everything but wires."""
        return united([*self.groups.frames.values(), *self.block_rects])

    def moves_for_room(self) -> dict[int, Point]:
        """Return new positions of the nodes that must move to make room for texts."""
        if self.visible.has_groups:
            return {}
        boxes = {node: self.boxes[node] for node in self.visible.shown}
        return self.spacing.moves_for_room(boxes, self.sheet, self.text_sizes)

    # private

    def _drop_hidden(self) -> set[ItemKey]:
        """Remove the boxes of items that are no longer shown; return those items."""
        hidden = self.boxes.keys() - self.visible.shown - self.visible.folded.keys()
        for key in hidden:
            self._moved_rects.note(key)
            del self.boxes[key]
            if not isinstance(key, GroupKey):
                del self._measured[key]
            self.index.remove(key)
        return hidden

    def _measure(self, narrow: Collection[int] | None) -> set[int]:
        """Measure the `narrow` nodes, or else all; return those whose size differs."""
        begin, shown, resized = perf_counter(), self.visible.shown, set[int]()
        stale = shown & (
            self.text_sizes.resized_since(self.measured_sizes) if narrow is None else set(narrow)
        )
        for node in stale | (shown - self._measured.keys()):
            box = self._needed_box(node)
            if self._measured.get(node) != box:
                self._measured[node] = box
                resized.add(node)
        if narrow is None:
            self.measured_sizes = self.text_sizes
            if stale:
                self.is_slow_to_measure = perf_counter() - begin > MEASURING_BUDGET
        return resized

    def _needed_box(self, node: int) -> Box:
        """Return the box that a node needs, at the origin."""
        graph, text_sizes = self.sheet.graph, self.text_sizes
        if is_pill(graph, node):
            return Box(0.0, 0.0, w=text_sizes.pill(node), h=sizes.PILL, kind="pill")
        found = graph.nodes[node]
        wide, high, left = node_size(found, text_sizes.header(node), text_sizes.node(node))
        high += text_sizes.ledger_height(node)
        return Box(0.0, 0.0, w=wide, h=high, left=left, kind=kind_of(found))

    @property
    def _spacing_inputs(self) -> SpacingInputs:
        """Return the inputs by which columns are moved apart."""
        visible = self.visible
        has_frames = visible.opened or visible.inside is not None or self.sheet.drawn
        measured = self.measured_sizes
        longer = measured.needs_more_room
        under_pass = measured.is_of_pass and self.back_run == BACK_RUN
        under_pass = under_pass and not visible.folded
        moves_apart = (longer or under_pass) and not has_frames  # nodes stay in frames
        return SpacingInputs(
            self.sheet.positions,
            measured,
            moves_apart,
            keeps_columns=bool(visible.folded),  # folded groups are not moved
            viewport=self.spacing.viewport if moves_apart and longer else None,
        )

    def _update_spacing(self, resized: bool, complete: bool) -> set[int]:
        """Update shared widths and shifts; return the nodes whose own have changed."""
        inputs = self._spacing_inputs
        if not resized and inputs == self.spacing.inputs:
            return set()
        return self.spacing.fit(self._measured, self.sheet.graph, inputs, complete)

    def _update_boxes(self, nodes: set[int]) -> set[int]:
        """Update the boxes of nodes; return them with the constants at their slots."""
        if not nodes:
            return nodes
        self.groups.forget_frames()
        graph = self.sheet.graph
        literals = graph.structure.literals  # constants at the slot of their only reader
        pills = {s for n in nodes for s in graph.inputs(n) if s in literals} | (nodes & literals)
        for node in (*(nodes - pills), *pills):  # a pill is placed by the box of its reader
            if node in self._measured:  # not hidden in a folded group
                self._set_box(node, self._box(node))
        return nodes | pills

    def _update_groups(self) -> set[GroupKey]:
        """Update the boxes of folded groups; return those that have changed."""
        return {key for key in self.visible.folded if self._set_box(key, self._group_box(key))}

    def _set_box(self, key: ItemKey, box: Box) -> bool:
        """Set the box of an item; return whether it has changed."""
        if box == self.boxes.get(key):
            return False
        self._moved_rects.note(key)
        self.boxes[key] = box
        self.index.insert(key, (box.x, box.y, box.x + box.w, box.y + box.h))
        return True

    def _group_box(self, key: GroupKey) -> Box:
        """Return the box of a folded group; it moves along when all its members are dragged."""
        group, item = self.sheet.groups[key.group], self.visible.folded[key]
        x, y = group.position
        member = next(iter(item.members), None)
        if member is not None and item.members <= self.preview.keys():
            (ax, ay), (bx, by) = self.preview[member], self.sheet.positions.get(member, (0.0, 0.0))
            x, y = x + ax - bx, y + ay - by
        return replace(group_box(group.title, item, self.text_sizes), x=x, y=y)

    def _box(self, node: int) -> Box:
        """Return the box of a node as drawn: a literal, as a pill, is left of its reader's slot."""
        box = self._measured[node]
        if box.kind == "pill":
            at = self.slot_point(self.sheet.graph.outgoing[node][0])  # it has one reader
            if at is not None:
                left = at.x() - sizes.LABEL_TO_SLOT - box.w
                return replace(box, x=left, y=at.y() - sizes.PILL / 2)
        x, y = self.preview.get(node) or self.sheet.positions.get(node, (0.0, 0.0))
        right, down = self.spacing.shift(node)
        return replace(box, x=x + right, y=y + down, w=self.spacing.width(node, box.w))


def _rewired(old: Graph, new: Graph) -> set[int]:
    """Return the nodes whose inputs differ, with those they are or were plugged into."""
    if old.structure is new.structure:
        return set()
    changed = {
        node
        for node in old.nodes.keys() | new.nodes.keys()
        if node not in old.nodes or node not in new.nodes or old.inputs(node) != new.inputs(node)
    }
    sources = {
        source
        for graph in (old, new)
        for node in changed & graph.nodes.keys()
        for source in graph.inputs(node)
        if source is not None
    }
    return changed | sources


PROGRESS_FROM, PROGRESS_INTERVAL = 1000, 250
"""Above this number of nodes, progress is reported while wires are routed, in this interval."""
MIN_ROUTED_GAP = 140.0
"""Horizontal distance of its ends, in sheet px, from which a wire is routed around obstacles."""
MAX_ROUTED_DRAG = 12
"""Above this number of nodes, dragged wires are not routed around obstacles."""
OBSTACLE_REACH = 60.0
"""Vertical distance, in sheet px, within which obstacles of a wire are searched."""
ROUNDING = 1e-6
"""Difference of two shifts, in sheet px, that is a rounding error."""
END_CLEARANCE = 10.0
"""Distance to its ends, in sheet px, within which nothing is an obstacle."""
STUB_LENGTH = 150.0
"""Length in sheet px of the stub of a wire from outside the entered group."""


class WireLayout:
    """The courses of all wires."""

    def __init__(self, node_layout: NodeLayout) -> None:
        self._node_layout = node_layout
        self._graph = node_layout.sheet.graph
        self.courses: dict[Wire, DrawnCourse] = {}
        # a stroke with its glow and the mark at its source exceed a course
        self.wire_index: SpatialIndex[Wire] = SpatialIndex(margin_x=12, margin_y=14)
        self._label_layout: LabelLayout | None = None
        self._label_sizes = node_layout.text_sizes
        """The text sizes for which `label_layout` was made."""
        self._lanes = LaneAssignment()
        self._provisional: set[int] = set()
        """Sources routed during a preview; they are routed again when it ends."""
        self._moved: set[Wire] = set()
        """The wires that the current update has routed or removed."""
        self.progress: Callable[[float], object] = _ignore
        """Called repeatedly with the share (0 to 1) of wires routed, if there are many."""

    def update(self, items: set[ItemKey]) -> set[Wire]:
        """Route the wires of the nodes among these items, and those near anything that moved.

        So the routing does not depend on earlier positions. While nodes are dragged, other wires
        keep their paths. Returns the wires that were routed or removed.
        """
        self._moved = set()
        layout = self._node_layout
        before, self._graph = self._graph, layout.sheet.graph
        if self._graph.structure is not before.structure:
            for wire in self.courses.keys() - {wire for _source, wire in self._graph.wires()}:
                self._drop(wire)
        inputs = self._graph.inputs
        existing = self._graph.nodes.keys() & items
        sources = {s for n in existing for s in (n, *inputs(n)) if s is not None}
        wires_by_source: dict[int, set[Wire]] = {}
        if layout.preview:
            self._provisional |= sources
        else:
            sources |= self._provisional & self._graph.nodes.keys()
            self._provisional = set()
            wires_by_source = self._passing_wires(layout.pop_changed_areas(), sources)
        self._route(sources)
        for source, wires in wires_by_source.items():
            self._route_fan(source, wires)
        self._separate_wires()
        if items or self._moved or layout.text_sizes is not self._label_sizes:
            self._label_layout = None
        self._label_sizes = layout.text_sizes
        return self._moved

    @property
    def label_layout(self) -> LabelLayout:
        """Return the places of the labels on all wires."""
        if self._label_layout is None:
            layout = self._node_layout
            self._label_layout = LabelLayout(
                self.courses,
                self.wire_index,
                layout.text_sizes,
                layout.visible.home,
                LabelPlacer(layout.index),
            )
        return self._label_layout

    def bounds(self) -> QRectF:
        """Return the rectangle around all wires."""
        if not self.courses:
            return QRectF()
        lefts, tops, rights, bottoms = zip(
            *(course.bounds for course in self.courses.values()), strict=True
        )
        return QRectF(QPointF(min(lefts), min(tops)), QPointF(max(rights), max(bottoms)))

    def stubs(self) -> list[tuple[Wire, str]]:
        """Return the wires that enter the shown group from outside, with their sources' names."""
        visible, graph = self._node_layout.visible, self._node_layout.sheet.graph
        found: list[tuple[Wire, str]] = []
        for wire in self.courses:
            source = graph.source(wire)
            if source is not None and not visible.is_drawn(source):
                found.append((wire, graph.title(source)))
        return found

    # private

    def _route(self, sources: set[int]) -> None:
        """Route all wires that leave these nodes."""
        many = len(sources) > PROGRESS_FROM
        for k, source in enumerate(sources):
            if many and k % PROGRESS_INTERVAL == 0:
                self.progress(k / len(sources))
            self._route_fan(source)
        if many:
            self.progress(1.0)

    @property
    def _skips_obstacles(self) -> bool:
        """Return whether too many nodes are dragged to route their wires around obstacles."""
        dragged = len(self._node_layout.preview)
        return dragged > 0 and (
            # the graphs whose numbers are too many to measure are too large for this as well
            self._node_layout.text_sizes.whole_pass.graph_is_large or dragged > MAX_ROUTED_DRAG
        )

    def _passing_wires(self, areas: list[Sides], routed: set[int]) -> dict[int, set[Wire]]:
        """Return by source the wires that may pass these areas, except from `routed` sources."""
        graph, found = self._graph, set[Wire]()
        if len(routed) == len(graph.nodes):
            return {}
        if len(areas) > len(self.courses) / 4:  # so many that routing all wires is faster
            found.update(self.courses)
            areas = []
        routes = self._lanes.back_routes if areas else ()
        back = [(wire, self._back_area(route.start, route.end)) for wire, route in routes]
        for area in areas:
            left, top, right, low = area
            near = self.wire_index.touching(
                (left, top - OBSTACLE_REACH, right, low + OBSTACLE_REACH)
            )
            found.update(wire for wire in near if self.courses[wire].depends_on(area))
            found.update(wire for wire, back_area in back if overlap(back_area, area))
        by_source: dict[int, set[Wire]] = {}
        for wire in found:
            source = graph.source(wire)
            if source is not None and source not in routed:
                by_source.setdefault(source, set()).add(wire)
        return by_source

    def _route_fan(self, source: int, only: Collection[Wire] | None = None) -> None:
        """Route all wires that leave a node, or `only` some of them."""
        ends, skips_obstacles = self._ends(source), self._skips_obstacles
        slots = dict.fromkeys(ends.values())  # wires to one slot of a group are drawn as one
        indices = {end: index for index, end in enumerate(slots)}
        for wire, end in ends.items():
            if only is not None and wire not in only:
                continue
            start = self._start(source, end, indices[end], len(indices))
            if skips_obstacles and self._translate_wire(wire, start, end):
                continue
            obstacles = [] if skips_obstacles else self._obstacles(start, end, source, wire[0])
            route = route_past(start, end, obstacles, self._node_layout.back_run)
            course = self._course_now(wire, route, gets_no_lane=skips_obstacles)
            # a wire that only passes by what has moved counts as moved if its path differs
            if course is not None and (
                only is None or not course.has_same_path_as(self.courses[wire])
            ):
                self._set_course(wire, course)

    def _ends(self, source: int) -> dict[Wire, Point]:
        """Return the ends of the wires that leave a node, the highest first; drop hidden ones."""
        ends: dict[Wire, Point] = {}
        for wire in self._graph.outgoing[source]:
            slot = self._node_layout.slot_point(wire)
            if slot is None:
                self._drop(wire)
            else:
                ends[wire] = (slot.x() - sizes.SLOT / 2, slot.y())
        if len(ends) < 2:
            return ends
        return dict(sorted(ends.items(), key=lambda item: (item[1][1], item[0])))

    def _translate_wire(self, wire: Wire, start: Point, end: Point) -> bool:
        """Translate a wire if both ends have moved alike; returns whether it did."""
        course = self.courses.get(wire)
        if course is None:
            return False
        right, down = start[0] - course.start[0], start[1] - course.start[1]
        x, y = course.end
        if abs(end[0] - x - right) > ROUNDING or abs(end[1] - y - down) > ROUNDING:
            return False
        if right or down:
            self._lanes.forget_lane(wire)
            self._set_course(wire, course.translated(right, down))
        return True

    def _start(self, source: int, end: Point, index: int, count: int) -> Point:
        """Return the start of wire number `index` of `count`: at its node, its group or a stub."""
        node_layout = self._node_layout
        if source in node_layout.boxes:
            return node_layout.boxes[source].output(index, count).toTuple()
        if node_layout.visible.is_drawn(source):
            return (node_layout.output(source) or QPointF()).toTuple()
        return (end[0] - STUB_LENGTH, end[1])

    def _course_now(
        self, wire: Wire, route: Course | Route | BendRoute, gets_no_lane: bool
    ) -> Course | None:
        """Note a wire's route and return its course.

        None if it keeps its course until lanes are assigned, at the end of the update.
        """
        self._lanes.set_route(wire, route)
        if isinstance(route, Course):
            return route
        if isinstance(route, BendRoute):
            return route.course()
        if wire in self.courses and not gets_no_lane:
            return None
        self._lanes.forget_lane(wire)
        return route.course()

    def _separate_wires(self) -> None:
        """Assign lanes to the wires that have routes."""
        if self._skips_obstacles:
            return
        index = self._node_layout.index

        def nodes(area: Sides) -> list[Sides]:
            return [index.sides(key) for key in index.touching(area)]

        # nobody could follow all wires of a large sheet, so there each is drawn as if alone
        plain = self._node_layout.text_sizes.whole_pass.graph_is_large
        for wire, route in self._lanes.pop_changed(nodes, self._graph.source, plain).items():
            self._set_course(wire, route.course())

    def _set_course(self, wire: Wire, course: Course) -> None:
        self.courses[wire] = course if isinstance(course, DrawnCourse) else DrawnCourse(course)
        self.wire_index.insert(wire, course.bounds)
        self._moved.add(wire)

    def _drop(self, wire: Wire) -> None:
        if self.courses.pop(wire, None) is not None:
            self._lanes.drop(wire)
            self.wire_index.remove(wire)
            self._moved.add(wire)

    def _back_area(self, start: Point, end: Point) -> Sides:
        """Return the rectangle in which nodes may block a wire that runs back."""
        top, bottom = _search_heights(start, end)
        return (
            end[0] - self._node_layout.back_run - TURN_REACH,
            top,
            start[0] + TURN_REACH,
            bottom,
        )

    def _obstacles(self, start: Point, end: Point, source: int, target: int) -> list[Sides]:
        """Return the rectangles of the nodes and groups that may block a wire between its ends."""
        node_layout = self._node_layout
        if MIN_FORWARD_GAP <= end[0] - start[0] < MIN_ROUTED_GAP:
            return []
        top, bottom = _search_heights(start, end)
        area = (start[0] + END_CLEARANCE, top, end[0] - END_CLEARANCE, bottom)
        own = [node_layout.visible.key_of(node) for node in (source, target)]
        if end[0] < start[0] + MIN_FORWARD_GAP:  # it runs back, past its own nodes too
            area, own = self._back_area(start, end), [k for k in own if isinstance(k, GroupKey)]
        index = node_layout.index
        return [index.sides(key) for key in index.touching(area) if key not in own]


def _search_heights(start: Point, end: Point) -> tuple[float, float]:
    """Return the heights (top, bottom) between which obstacles of a wire are searched."""
    return min(start[1], end[1]) - OBSTACLE_REACH, max(start[1], end[1]) + OBSTACLE_REACH


def _ignore(_share: float) -> None:
    """Ignore the progress."""


class Moved(NamedTuple):
    """The items and wires that are drawn at another place than before, or no longer."""

    items: set[ItemKey]
    wires: set[Wire]


class Layout:
    """The places of everything on one sheet.

    They depend on the arguments of the last complete update alone: a layout that followed any edits
    equals one made from scratch.
    """

    def __init__(self, text_sizes: TextSizes) -> None:
        self.nodes = NodeLayout(text_sizes)
        self.wires = WireLayout(self.nodes)

    def update(
        self,
        sheet: Sheet,
        visible: Drawn,
        text_sizes: TextSizes,
        preview: Mapping[int, Point],
        complete: bool = True,
        narrow: Collection[int] | None = None,
    ) -> Moved:
        """Compare with the last sheet, sizes and preview positions, and update what differs.

        `preview` has the temporary positions of dragged nodes; it is empty outside a drag.
        Unless `complete`, columns that were moved apart keep their places while nodes are
        dragged or a value changes. While there is a preview, other wires keep their paths.
        With `narrow`, where only numbers differ, all other nodes are measured later.
        """
        items = self.nodes.update(sheet, visible, text_sizes, preview, complete, narrow)
        return Moved(items, self.wires.update(items))


# labels

Form = Literal["full", "short", "dot"]
"""How much of a label fits: both lines, the contribution alone, or no text."""
SIDE_CLEARANCE = 2.0
"""Clearance left and right of a label, in sheet px."""
VERTICAL_CLEARANCE = 0.5
"""Clearance above and below a label, in sheet px."""
HALF_HEIGHT = sizes.LABEL / 2
SLOT_CLEARANCE = sizes.LABEL_TO_SLOT - sizes.SLOT / 2
"""Distance of a label's right end from the end of its wire, in sheet px."""
BEND_OVERHANG = 3.0
"""Distance in sheet px by which a label may extend beyond the horizontal run of its wire."""


class LabelPlace(Struct, frozen=True):
    """The place of a label: x of its right end, y of its middle, and the form that fits."""

    right: float
    y: float
    form: Form


class LabelPlacer:
    """Places labels one after the other, each clear of items and of the labels before it."""

    def __init__(self, items: SpatialIndex[ItemKey]) -> None:
        self._items = items
        self._occupied: SpatialIndex[int] = SpatialIndex()
        self._count = 0

    def place(
        self, course: Course, full: float, short: float, high: float = sizes.LABEL
    ) -> LabelPlace:
        """Return the place of a label in its longest form that is free, and occupy it.

        `high` is the height of the full form.
        """
        right = course.run_end - SLOT_CLEARANCE
        if not full:  # without a text
            return LabelPlace(right, course.y, "full")
        forms = (("full", full, high), ("short", short, sizes.LABEL_LINE))
        for form, wide, tall in forms:
            sides = (right - wide, course.y - tall / 2, right, course.y + tall / 2)
            if right - wide >= course.run_start - BEND_OVERHANG and self._is_free(sides):
                self._occupy(sides)
                # mypy and pyright infer `str` for the forms in the tuple
                return LabelPlace(right, course.y, form)  # type: ignore[arg-type]
        return LabelPlace(right, course.y, "dot")

    def _is_free(self, sides: Sides) -> bool:
        left, top, right, bottom = sides
        wider = (
            left - SIDE_CLEARANCE,
            top - VERTICAL_CLEARANCE,
            right + SIDE_CLEARANCE,
            bottom + VERTICAL_CLEARANCE,
        )
        return not (self._items.touching(wider) or self._occupied.touching(wider))

    def _occupy(self, sides: Sides) -> None:
        self._count += 1
        self._occupied.insert(self._count, sides)


class LabelLayout(dict[Wire, LabelPlace]):
    """The places of all labels, each computed on first use.

    `home` has the nodes that are hidden in folded groups (a wire into one has a short label).

    Labels have an order, from left to right. Before a label is placed, so are all earlier ones that
    may overlap it; so the result does not depend on the order of the queries.
    """

    def __init__(
        self,
        courses: Mapping[Wire, Course],
        wires: SpatialIndex[Wire],
        text_sizes: TextSizes,
        home: Container[int],
        placer: LabelPlacer,
    ) -> None:
        super().__init__()
        self._courses, self._wires = courses, wires
        self._text_sizes, self._home = text_sizes, home
        self._placer = placer

    def __missing__(self, wire: Wire) -> LabelPlace:
        stack = [wire]  # depth-first: a label stays on it until all earlier ones are placed
        while stack:
            last = stack[-1]
            full, short = self._text_sizes.label(last)
            # groups show contributions alone
            full, high = (short, sizes.LABEL_LINE) if last[0] in self._home else (full, sizes.LABEL)
            earlier = (
                [] if last in self or not full else self._unplaced_before(last, max(full, short))
            )
            if earlier:
                stack += earlier
                continue
            stack.pop()
            if last not in self:
                self[last] = self._placer.place(self._courses[last], full, short, high)
        return self[wire]

    def _unplaced_before(self, wire: Wire, wide: float) -> list[Wire]:
        """Return the earlier wires, not placed yet, whose labels may overlap this one."""
        course = self._courses[wire]
        # twice the clearance, since each of two labels keeps its own
        right = course.run_end - SLOT_CLEARANCE + 2 * SIDE_CLEARANCE
        left = max(course.run_start - BEND_OVERHANG, right - wide) - 2 * SIDE_CLEARANCE
        high = 2 * (HALF_HEIGHT + VERTICAL_CLEARANCE)
        key = (course.run_end, wire)
        return [
            other
            for other in self._wires.touching((left, course.y - high, right, course.y + high))
            if other not in self
            and ((found := self._courses[other]).run_end, other) < key
            and abs(found.y - course.y) < high
            and found.run_end - SLOT_CLEARANCE > left
        ]
