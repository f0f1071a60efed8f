"""Scene: one sheet at one frame, as it is drawn.

The view paints a scene on the screen and the picture export paints one on paper, so both agree.
NodeLayout and WireLayout position everything; they reserve space for every number of the pass and
place labels for all of its steps at once, so nothing moves while stepping. Looks are computed again
only where a step changes them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import partial
from itertools import chain
from typing import Generic, NamedTuple, TypeVar

from msgspec.structs import replace
from PySide6.QtCore import QLineF, QRectF

from app.canvas.appearance.detail import MAX_SMALL_GRAPH, Detail, detail_at, least_scale
from app.canvas.appearance.face import node_look
from app.canvas.appearance.group_look import GroupLook, group_look
from app.canvas.appearance.items import Drawn, GroupKey, Item, ItemKey, drawn, painting_order
from app.canvas.appearance.looks import (
    TONES_BY_PRECEDENCE,
    WIRE_ORDER,
    LabelLook,
    Looks,
    NodeLook,
    NumberWidths,
    Tone,
    WireLook,
    Write,
)
from app.canvas.layout.layout import Layout, WireLayout
from app.canvas.layout.text_sizes import (
    TextSizes,
    fits,
    group_number_widths,
    label_width,
    node_number_widths,
)
from app.document.placement import Viewport
from app.document.sheet import NO_RECTS, Point, Rect, Sheet
from app.style import sizes
from app.style.current import Extra
from app.style.derivative_notation import Notation
from app.workbench.playback.view_state import ViewState
from engine.frame import live_frame
from engine.graph import Graph, Root, Wire
from engine.numbers import decimals
from engine.rules import UNKNOWN
from engine.trace import Computed, Event

Key = TypeVar("Key", bound=Hashable)
Look = TypeVar("Look", bound=Hashable)
Shape = TypeVar("Shape")


class FarShapes(Generic[Key, Look, Shape]):
    """Cached shapes of all nodes or wires when zoomed out, in one list per look to draw at once.

    A key is a node or a wire. `read` returns its look and its shapes, or None if it is no longer
    drawn.
    """

    def __init__(self, read: Callable[[Key], tuple[Look, list[Shape]] | None]) -> None:
        self._read = read
        self._looks: dict[Key, Look] = {}
        self._sorted: dict[Look, dict[Key, list[Shape]]] = {}
        self._flat: dict[Look, list[Shape]] = {}
        """The shapes of `_sorted`, joined; an entry is dropped when one of its keys changes."""
        self._stale: set[Key] = set()
        self._all_stale = True

    def forget(self, keys: Iterable[Key] | None = None) -> None:
        """Mark these keys, or all, as changed."""
        if keys is None:
            self._all_stale = True
        elif not self._all_stale:
            self._stale.update(keys)

    def shapes(self, keys: Iterable[Key]) -> dict[Look, list[Shape]]:
        """Return all shapes by their looks; `keys` are all that exist."""
        if self._all_stale:
            self._looks, self._sorted, self._flat = {}, {}, {}
            self._all_stale = False
            self._stale = set(keys)
        for key in self._stale:
            self._sort(key)
        self._stale.clear()
        for look, found in self._sorted.items():
            if look not in self._flat:
                self._flat[look] = list(chain.from_iterable(found.values()))
        return self._flat

    def shapes_of(self, keys: Iterable[Key]) -> dict[Look, list[Shape]]:
        """Return the shapes of a few keys by their looks, without the cache."""
        found: dict[Look, list[Shape]] = {}
        for key in keys:
            read = self._read(key)
            if read is not None:
                found.setdefault(read[0], []).extend(read[1])
        return found

    def _sort(self, key: Key) -> None:
        old_look = self._looks.pop(key, None)
        if old_look is not None:
            del self._sorted[old_look][key]
            self._flat.pop(old_look, None)
        found = self._read(key)
        if found is not None:
            look, shapes = found
            self._looks[key] = look
            self._sorted.setdefault(look, {})[key] = shapes
            self._flat.pop(look, None)


LABEL_ORDER = {"done": 0, "next": 1, "asked": 2, "firing": 3}
"""Painting order of labels: those of this step and the next are on top."""

NUMBER_WITH_MOST_CHARACTERS = -sys.float_info.min
"""A number that is written with the most characters, at any number of digits: it has a sign, and an
exponent of three digits with a sign."""


class Labels:
    """The labels of one scene; looks are computed once until they are forgotten."""

    def __init__(self, looks: Looks, visible: Drawn, wire_layout: WireLayout) -> None:
        self._looks, self._visible, self._wire_layout = looks, visible, wire_layout
        self._looks_by_wire: dict[Wire, LabelLook | None] = {}

    def show(self, looks: Looks, visible: Drawn) -> None:
        """Read labels from other looks; cached ones stay until they are forgotten."""
        self._looks, self._visible = looks, visible

    def forget(self, wires: Iterable[Wire] | None = None) -> None:
        """Forget the cached labels of these wires, or all of them."""
        if wires is None:
            self._looks_by_wire.clear()
            return
        for wire in wires:
            self._looks_by_wire.pop(self._visible.wire(wire).wires[0], None)

    def look(self, wire: Wire) -> LabelLook | None:
        """Return a wire's label, or None; into a collapsed group the sum of its contributions."""
        if wire not in self._looks_by_wire:
            inside = wire[0] in self._visible.home
            self._looks_by_wire[wire] = self._sum(wire) if inside else self._looks.label(wire)
        return self._looks_by_wire[wire]

    @property
    def any_shown(self) -> bool:
        """Return whether wires have labels: only while a pass is shown, not under a ripple."""
        return self._looks.frame.phase == "backward" and self._looks.shows_pass

    @property
    def max_width(self) -> float:
        """Return the width in sheet px of a label whose numbers are as long as any."""
        number = self._looks.short(NUMBER_WITH_MOST_CHARACTERS)
        # with a mark among siblings (hue 0), and with the contribution of a mistake
        return label_width(LabelLook(number, number, number, "done", hue=0, wrong=number))

    def rect(self, wire: Wire, full: bool = False) -> QRectF | None:
        """Return the rectangle of a label as drawn now, or in full; None if there is none."""
        look = self.look(wire) if wire in self._wire_layout.courses else None
        # only a finished label is shortened: that of the current step is drawn whole
        done = look is not None and look.state == "done"
        short = done and not full and self._wire_layout.label_layout[wire].form == "short"
        return self._rect(wire, short)

    def short_rect(self, wire: Wire) -> QRectF | None:
        """Return the rectangle of a label that shows its contribution alone."""
        return self._rect(wire, short=True)

    def _rect(self, wire: Wire, short: bool) -> QRectF | None:
        look = self.look(wire)
        if look is None or wire not in self._wire_layout.courses:
            return None
        place, wide = self._wire_layout.label_layout[wire], label_width(look, short)
        high = (
            sizes.LABEL_LINE if short or not (look.local or look.state == "asked") else sizes.LABEL
        )
        return QRectF(place.right - wide, place.y - high / 2, wide, high)

    def _sum(self, wire: Wire) -> LabelLook | None:
        """Return the label of the wires that are drawn as one, on the first of them."""
        wires = self._visible.wire(wire).wires
        looks = [look for one in wires if (look := self._looks.label(one)) is not None]
        # the others are drawn together with the first one
        if not looks or wire != wires[0]:
            return None
        look = max(looks, key=lambda look: LABEL_ORDER[look.state])
        fired = [event for one, event in self._looks.frame.fired.items() if one in wires]
        # a mistake may walk the graph several times: the last time counts
        fired = [event for event in fired if event.sweep == max(e.sweep for e in fired)]
        if look.state in ("firing", "done") and len(wires) > 1:
            trace = self._looks.frame.trace
            wires = [event.wire for event in fired]
            last = 0 if trace is None else max(trace.rules.last_replacing(wires), 0)
            total = sum(event.contribution for event in fired[last:])
            look = look._replace(contribution=self._looks.signed(total), wrong="")
        return look._replace(upstream="", local="", hue=looks[0].hue)


class StepParts(NamedTuple):
    """The nodes and wires that may look different before and after one step."""

    nodes: frozenset[int]
    wires: tuple[Wire, ...]


MAX_STEPS_APART = 50
"""Number of steps between two frames above which all looks are computed again."""
MIN_SHARE_FOR_ALL = 0.3
"""Share of the sheet in view from which the zoomed-out view draws cached shapes of all of it."""


class Scene:
    """The looks of all nodes, groups, wires and labels, with their positions.

    `short` writes a number, `signed` also a plus sign before a positive one.
    """

    def __init__(
        self,
        short: Write,
        signed: Write,
        optional_numbers: frozenset[Extra] = frozenset(),
        notation: Notation = "partial",
    ) -> None:
        self._short, self._signed = short, signed
        self._optional_numbers = optional_numbers
        self._notation: Notation = notation
        self._shown = ViewState(Sheet(), live_frame(Sheet().graph))
        self.sheet = self._shown.sheet
        self.visible = Drawn(frozenset())
        self.looks = Looks(self._shown.frame, short, signed)
        self.text_sizes = TextSizes(self.looks)
        self._far_nodes: FarShapes[ItemKey, Tone, QRectF] = FarShapes(partial(_far_node, self))
        self._far_wires: FarShapes[Wire, WireLook, QLineF] = FarShapes(partial(_far_wire, self))
        self.layout = Layout(self.text_sizes)
        self.node_layout, self.wire_layout = self.layout.nodes, self.layout.wires
        self.labels = Labels(self.looks, self.visible, self.wire_layout)
        # short cuts for frequent look-ups; the layout owns them
        self.boxes, self.index = self.node_layout.boxes, self.node_layout.index
        self.courses, self.wire_index = self.wire_layout.courses, self.wire_layout.wire_index
        self.node_looks: dict[int, NodeLook] = {}
        """Cache of `node`; an entry is dropped when its node changes."""
        self._wire_looks: dict[Wire, WireLook] = {}
        self._group_looks: dict[GroupKey, GroupLook] = {}
        self._is_small_graph = True
        """Whether the sheet has few nodes with texts, which then are drawn further out."""
        self._preview: Mapping[int, Point] = {}
        self.generation = 0
        """The number of layouts that moved, added or removed something."""
        self._last_frames_and_nodes: object = None
        """The drawn groups and visible nodes of the last layout; others are another generation."""

    # updates

    def set_notation(
        self, short: Write, signed: Write, optional_numbers: frozenset[Extra], notation: Notation
    ) -> None:
        """Change the notation and the optional numbers; sizes may change."""
        self._short, self._signed = short, signed
        self._optional_numbers, self._notation = optional_numbers, notation
        self._show(self._shown, rewritten=True)

    def show(self, shown: ViewState) -> None:
        """Show another sheet or frame."""
        # a training loop writes numbers with decimals, another group has texts of its own
        toggles_loop = (shown.loop is None) != (self._shown.loop is None)
        self._show(shown, rewritten=toggles_loop or shown.inside != self.visible.inside)

    def wrap_for(self, viewport: Viewport | None) -> None:
        """Wrap the nodes into rows for a viewport, if numbers need space at all."""
        spacing = self.node_layout.spacing
        has_changed, spacing.viewport = viewport != spacing.viewport, viewport
        if has_changed and self.text_sizes.needs_more_room:
            self._lay_out()

    @property
    def is_layout_complete(self) -> bool:
        """Return whether no part of the layout is deferred."""
        return self.node_layout.is_complete

    def apply_layout(self) -> None:
        """Lay out completely: give all nodes the space that their numbers need."""
        self._lay_out()

    def show_dragged(
        self, places: Mapping[int, Point], rects: Mapping[int, Rect] = NO_RECTS
    ) -> None:
        """Show nodes and frames elsewhere while they are dragged, without changing the sheet."""
        self.node_layout.groups.dragged = rects
        here, drawn = self.sheet.positions, self.node_layout.sheet.positions
        shifts = {n: (drawn[n][0] - here[n][0], drawn[n][1] - here[n][1]) for n in places}
        # while a question opens groups, nodes are drawn off their positions
        self._preview = {n: (x + shifts[n][0], y + shifts[n][1]) for n, (x, y) in places.items()}
        self._lay_out(complete=False)

    # looks

    def node(self, node: int) -> NodeLook:
        if node not in self.node_looks:
            self.node_looks[node] = node_look(self.looks, node)
        return self.node_looks[node]

    def item(self, key: ItemKey) -> Item:
        """Return a node or a folded group as it is drawn."""
        return self.visible.item(key, self.sheet.graph)

    def group(self, key: GroupKey) -> GroupLook:
        """Return the look of a folded group."""
        if key not in self._group_looks:
            group, item = self.sheet.groups[key.group], self.visible.folded[key]
            self._group_looks[key] = group_look(self.looks, group, item)
        return self._group_looks[key]

    def tone(self, key: ItemKey) -> Tone:
        """Return the state by which a zoomed-out item is coloured."""
        if not isinstance(key, GroupKey):
            return self.looks.tone(key)
        tones: list[Tone] = [self.looks.tone(n) for n in self.visible.folded[key].outputs]
        return min(tones or ["idle"], key=TONES_BY_PRECEDENCE.index)

    def wire(self, wire: Wire) -> WireLook:
        if wire not in self._wire_looks:
            looks = [self.looks.wire(one) for one in self.visible.wire(wire).wires]
            look = looks[0]
            if len(looks) > 1:
                strongest = max(looks, key=lambda look: WIRE_ORDER[look.state])
                look = strongest._replace(hue=look.hue)
            self._wire_looks[wire] = look
        return self._wire_looks[wire]

    def label(self, wire: Wire) -> LabelLook | None:
        return self.labels.look(wire)

    def detail(self, scale: float) -> Detail:
        """Return how much is drawn at a scale, in screen px per sheet px."""
        return detail_at(scale, self._is_small_graph)

    def is_free(self, rect: QRectF) -> bool:
        """Return whether no item lies in a rectangle of the sheet."""
        return not any(self.boxes[key].rect.intersects(rect) for key in self.index.within(rect))

    def least_scale(self, detail: Detail) -> float:
        """Return the scale from which this much is drawn."""
        return least_scale(detail, self._is_small_graph)

    def far_wires(self, area: QRectF) -> Mapping[WireLook, list[QLineF]]:
        """Return at least the wires in an area, as straight lines by look."""
        if self.wire_index.covered_share(area) < MIN_SHARE_FOR_ALL:
            return self._far_wires.shapes_of(sorted(self.wire_index.within(area)))
        return self._far_wires.shapes(self.courses)

    def far_nodes(self, area: QRectF) -> Mapping[Tone, list[QRectF]]:
        """Return at least the items in an area, as rectangles by state."""
        if self.index.covered_share(area) < MIN_SHARE_FOR_ALL:
            return self._far_nodes.shapes_of(sorted(self.index.within(area), key=painting_order))
        return self._far_nodes.shapes(self.boxes)

    def bounds(self, nodes: Iterable[int] | None = None) -> QRectF:
        """Return the rectangle around nodes (default: everything), the same at every step."""
        if nodes is not None:
            return self.node_layout.bounds_of(nodes)
        return self.node_layout.bounds().united(self.wire_layout.bounds())

    def lies_in(self, area: QRectF) -> bool:
        """Return whether everything lies in an area; faster than `bounds`."""
        if not all(map(area.contains, self.node_layout.groups.frames.values())):
            return False
        return self.index.lies_in(area) and self.wire_index.lies_in(area)

    # private

    def _show(self, shown: ViewState, rewritten: bool) -> None:
        """Show a sheet or frame; `rewritten` if any number may have another notation."""
        old_sheet, last, old_looks = self.sheet, self._shown, self.looks
        self.sheet, self._shown = shown.sheet, shown
        stale = None if rewritten else _changed_parts(old_looks, shown)
        # a question opens the groups that hold its nodes, and its end closes them
        opens = shown.opens
        reopened = opens != self.visible.opens
        stale = None if reopened else stale
        resized = rewritten or _widths_may_differ(shown, last)
        may_move = reopened or resized or bool(self.visible.folded)
        same_layout = shown.sheet is old_sheet and not may_move
        self.looks = self._looks_of(shown)
        if not rewritten:
            self.looks.reuse_caches_of(old_looks)
        self.labels.show(self.looks, self.visible)
        seen = [*self.node_looks]
        self._forget_changed_looks(old_looks, stale)
        if same_layout and stale is not None:  # a step of the pass, for which there is space
            return
        rewired = shown.sheet.graph.structure is not old_sheet.graph.structure
        regrouped = reopened or shown.sheet.groups != old_sheet.groups
        visibility_may_differ = rewritten or rewired or regrouped
        if visibility_may_differ:
            self.visible = drawn(shown.sheet, shown.inside, opens)
            self.labels.show(self.looks, self.visible)
        if resized:
            self.text_sizes = self._sizes_of(shown)
        self._lay_out(visibility_may_differ, seen)
        if visibility_may_differ:
            self._update_is_small_graph()

    def _looks_of(self, shown: ViewState) -> Looks:
        """Read the looks of a frame; those of a training loop have decimals as losses have."""
        loop = shown.loop
        short, signed = (self._short, self._signed) if loop is None else (decimals, decimals)
        optional_numbers = frozenset[Extra]() if shown.asks else self._optional_numbers
        comparison, frame = shown.comparison, shown.frame
        looks = Looks(frame, short, signed, comparison, optional_numbers, self._notation)
        if shown.quiz is not None:
            looks.show_answers(shown.quiz.answers)
        looks.loop_state = loop
        looks.ripple, looks.folded = shown.ripple, shown.folded
        looks.asks_effect = shown.evidence is not None and shown.evidence.role == "experiment"
        recorded = shown.sheet.recorded
        if recorded is not None and loop is None and not shown.asks and recorded.is_of(frame.graph):
            looks.program = recorded
        if loop is not None:
            looks.number_widths = self._number_widths
        return looks

    def _number_widths(self, node: int) -> NumberWidths:
        """Return the widths that a node has for its numbers during a training loop."""
        box = self.boxes.get(node)
        if box is None:
            return group_number_widths(self.text_sizes.node(node))
        return node_number_widths(box, self.text_sizes.whole_pass.learns(node))

    def _forget_changed_looks(self, before: Looks, stale: list[StepParts] | None) -> None:
        self._group_looks.clear()
        if stale is None:
            self.node_looks.clear()
            self.labels.forget()
            if not self.looks.has_same_tones_as(before):
                self._far_nodes.forget()
            if not self.looks.has_same_wires_as(before):
                self._wire_looks.clear()
                self._far_wires.forget()
            return
        wires = {wire for changed in stale for wire in changed.wires}
        nodes = {node for changed in stale for node in changed.nodes}
        for node in nodes:
            self.node_looks.pop(node, None)
        self.labels.forget(wires)
        for wire in wires:
            for one in self.visible.wire(wire).wires:
                self._wire_looks.pop(one, None)
        self._far_nodes.forget(map(self.visible.key_of, nodes))
        self._far_wires.forget(wires)

    def _update_is_small_graph(self) -> None:
        """Update `_is_small_graph`; roots, constants in slots and folded groups do not count."""
        kinds = (box.kind for box in self.boxes.values())
        self._is_small_graph = (
            sum(kind not in ("root", "pill", "group") for kind in kinds) <= MAX_SMALL_GRAPH
        )

    def _sizes_of(self, shown: ViewState) -> TextSizes:
        """Return the sizes of a pass; those of a training loop are the same for all its epochs."""
        looks = self.looks
        if shown.loop is not None:
            looks = self._looks_of(replace(shown, frame=live_frame(shown.loop.first)))
            looks.number_widths = None
        return TextSizes(looks, shown.rules)

    def _lay_out(self, complete: bool = True, seen: Iterable[int] = ()) -> None:
        """Place nodes and wires that have moved or changed their size.

        Unless `complete`, nodes whose numbers alone have changed are measured later if that takes
        long; of the `seen` ones those are measured that would be too narrow.
        """
        sizes, layout, narrow = self.text_sizes, self.node_layout, None
        if sizes is not layout.measured_sizes and not complete:
            complete = not sizes.differs_in_numbers_only(layout.measured_sizes)
            is_slow = layout.is_slow_to_measure and not sizes.whole_pass.graph_is_large
            if is_slow and not complete and sizes.has_same_phase_as(layout.measured_sizes):
                boxes = self.boxes
                narrow = [n for n in seen if n in boxes and not fits(self.node(n), boxes[n])]
        moved = self.layout.update(self.sheet, self.visible, sizes, self._preview, complete, narrow)
        self._far_nodes.forget(moved.items)
        self._far_wires.forget(moved.wires)
        before = self._last_frames_and_nodes
        self._last_frames_and_nodes = (self.node_layout.groups.drawn, self.visible)
        if moved.items or moved.wires or self._last_frames_and_nodes != before:
            self.generation += 1


def _widths_may_differ(shown: ViewState, last: ViewState) -> bool:
    """Return whether numbers of the pass may have other widths than in the last state."""
    loop, before = shown.loop, last.loop
    if shown.rules is not last.rules or shown.asks != last.asks:
        return True
    if loop is not None and before is not None:
        same = loop.first is before.first and loop.descent.chosen == before.descent.chosen
        # other learning leaves or another rate give other numbers in every epoch
        return not same or loop.descent.rate != before.descent.rate
    same = shown.frame.unhidden is last.frame.unhidden
    return not same or shown.sheet.graph is not last.sheet.graph


def _changed_parts(old: Looks, shown: ViewState) -> list[StepParts] | None:
    """Return the nodes and wires of the steps between two frames; None if any may have changed."""
    frame, trace = shown.frame, shown.frame.trace
    same_pass = frame.unhidden is old.frame.unhidden and frame.graph is old.frame.graph
    hides_step, hid_step = frame.hides == "step", old.frame.hides == "step"
    # where every step is a question, covering or uncovering its number changes that step alone
    same_asking = hides_step == hid_step and (
        hides_step or frame.hides_number == old.frame.hides_number
    )
    # the trace of a hunt holds only the steps seen: another one at every step
    other_colours = trace is not None and trace.rules is UNKNOWN
    # a hunt hides the comparison until the mistake is revealed
    other_colours |= old.comparison is not shown.comparison
    other_colours |= old.ripple is not shown.ripple
    if not same_pass or not same_asking or trace is None or other_colours:
        return None
    low, high = sorted((old.frame.cursor, frame.cursor))
    # at the ends of a pass and after a long jump much has changed
    is_long_jump = high - low > MAX_STEPS_APART
    if low == 0 or high == frame.total or trace.rules.passes > 1 or is_long_jump:
        return None
    steps = trace.events if frame.phase == "backward" else trace.computed
    # step k is taken at cursor k + 1: all from the one that was shown to the one that is next
    return [_step_parts(frame.graph, step) for step in steps[low - 1 : high + 1]]


def _far_wire(scene: Scene, wire: Wire) -> tuple[WireLook, list[QLineF]] | None:
    course = scene.courses.get(wire)
    return None if course is None else (scene.wire(wire), course.chords)


def _far_node(scene: Scene, key: ItemKey) -> tuple[Tone, list[QRectF]] | None:
    box = scene.boxes.get(key)
    return None if box is None else (scene.tone(key), [box.rect])


def _step_parts(graph: Graph, step: Event | Computed) -> StepParts:
    """Return the nodes and wires that show a step.

    The nodes are those that compute, fire or receive, and their roots; the wires are the one that
    carries a contribution, or all into a computing node.
    """
    marker = graph.active_root
    users = (target for target, _slot in graph.outgoing.get(step.node, ()))
    nodes = {step.node, *(user for user in users if isinstance(graph.nodes[user], Root))}
    if marker is not None:
        nodes.add(marker)
    if isinstance(step, Computed):
        slots = range(len(graph.inputs(step.node)))
        return StepParts(frozenset(nodes), tuple((step.node, slot) for slot in slots))
    return StepParts(frozenset(nodes | {step.sender}), () if step.wire is None else (step.wire,))
