"""The user's edits of wires, groups, sections and folded operations, each one named undo step.

`Document` holds one object of each class. A wire that was deleted since it was selected is refused
with a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from app.document import grouping, sections
from app.document.change import Name, kind_word, titled
from app.document.history import KEEPS_WIRING, History, StepName
from app.document.sheet import Point, Rect, Section, Sheet
from engine import edits
from engine.edits import can_unfold, fold, foldable, unfold
from engine.errors import EditError
from engine.graph import Graph, Node, Wire


class Shift(NamedTuple):
    """The new positions of nodes and sections that make space for an inserted node."""

    nodes: Mapping[int, Point] = MappingProxyType({})
    sections: Mapping[int, Rect] = MappingProxyType({})


NO_SHIFT = Shift()
"""The shift of an insertion that needs no space."""


class WireEdits:
    """Connects, disconnects and inserts on the sheet of one history."""

    def __init__(self, history: History) -> None:
        self._history = history

    def refusal(self, source: int, target: int, slot: int) -> str | None:
        """Return why this wire can't be connected, as a sentence, or None if it can."""
        locked = self._history.sheet.wiring_locked
        return KEEPS_WIRING if locked else edits.refusal(self._history.graph, source, target, slot)

    def connect(self, source: int, target: int, slot: int) -> bool:
        """Connect a node to a slot, replacing the old wire."""
        text = titled("Connect {source} → {target}", source=source, target=target)
        return self._edit(text, lambda g: edits.connect(g, source, target, slot))

    def disconnect(self, target: int, slot: int) -> bool:
        """Disconnect a slot."""
        wire = (target, slot)
        return self._edit(titled("Unplug {node}", node=target), lambda g: disconnected(g, [wire]))

    def replug(self, old: Wire, new: Wire) -> bool:
        """Move a wire from its slot to another."""
        text = _replug_name(old, new)
        return self._edit(text, lambda g: _replugged(g, old, new))

    def replug_all(self, old: int, new: int) -> bool:
        """Move all wires that leave one node to another node."""
        text = titled("Move wires {old} → {new}", old=old, new=new)
        return self._edit(text, lambda g: _all_replugged(g, old, new))

    def insert(
        self,
        node: int,
        wire: Wire,
        slot: int = 0,
        place: Point | None = None,
        shift: Shift = NO_SHIFT,
        gesture: int = 0,
    ) -> bool:
        """Insert a node of the sheet into a wire."""
        places = {} if place is None else {node: place}
        return self._history.commit(
            titled("Insert {node}", node=node),
            lambda sheet: _shifted(
                sheet.with_graph(edits.insert(sheet.graph, node, wire, slot), places), shift
            ),
            gesture,
        )

    def insert_new(
        self,
        node: Node,
        place: Point,
        wire: Wire,
        slot: int = 0,
        shift: Shift = NO_SHIFT,
        gesture: int = 0,
    ) -> int | None:
        """Insert a new node into a wire; returns its id."""
        number = self._history.graph.next_id

        def step(sheet: Sheet) -> Sheet:
            graph = edits.insert(edits.add(sheet.graph, node), number, wire, slot)
            return _shifted(sheet.with_graph(graph, {number: place}), shift)

        done = self._history.commit(f"Insert {kind_word(node)}", step, gesture)
        return number if done else None

    def bypass(self, node: int) -> bool:
        """Delete a one-slot op and connect its input to its targets."""
        text = titled("Delete {node} and join", node=node)
        return self._edit(text, lambda g: edits.bypass(g, node))

    def _edit(self, text: StepName, edit: Callable[[Graph], Graph]) -> bool:
        return self._history.commit(text, lambda sheet: sheet.with_graph(edit(sheet.graph)))


def _shifted(sheet: Sheet, shift: Shift) -> Sheet:
    """Return the sheet with nodes and sections moved by a shift."""
    return sections.moved(sheet, shift.nodes, shift.sections) if shift != NO_SHIFT else sheet


def _replug_name(old: Wire, new: Wire) -> Name:
    """Return the name of an undo step that moves a wire: its source and its new target."""

    def name(sheet: Sheet) -> str:
        source = sheet.graph.source(old)
        assert source is not None
        return f"Connect {sheet.graph.title(source)} → {sheet.graph.title(new[0])}"

    return name


# from a graph to a graph


def disconnected(graph: Graph, wires: Iterable[Wire]) -> Graph:
    """Return the graph without some wires."""
    chosen = dict.fromkeys(wires)
    for wire in chosen:
        _source(graph, wire)
        graph = edits.disconnect(graph, *wire)
    return graph


def _replugged(graph: Graph, old: Wire, new: Wire) -> Graph:
    """Return the graph with a wire moved from its slot to another."""
    source = _source(graph, old)
    return edits.connect(edits.disconnect(graph, *old), source, *new)


def _all_replugged(graph: Graph, old: int, new: int) -> Graph:
    """Return the graph with all wires of one node moved to another."""
    edits.check_nodes(graph, (old, new))
    if not graph.outgoing[old]:
        raise EditError("No wire leaves {node}.", node=graph.title(old))
    for target, slot in graph.outgoing[old]:
        graph = edits.connect(graph, new, target, slot)
    return graph


def _source(graph: Graph, wire: Wire) -> int:
    """Return the node that feeds a wire; raises EditError if the wire is gone."""
    target, slot = wire
    inputs = graph.inputs(target) if target in graph.nodes else ()
    source = inputs[slot] if 0 <= slot < len(inputs) else None
    if source is None:
        raise EditError("This wire is gone.")
    return source


class GroupEdits:
    """Makes, collapses, renames and unpacks groups, each as one named undo step."""

    def __init__(self, history: History) -> None:
        self._history = history

    def make(self, nodes: Iterable[int], title: str = "") -> int | None:
        """Add a collapsed group of nodes; returns its number."""
        before = self._history.sheet.groups.keys()
        if not self._history.commit("Group", lambda sheet: grouping.make(sheet, nodes, title)):
            return None
        return next(iter(self._history.sheet.groups.keys() - before), None)

    def unpack(self, group: int, gesture: int = 0) -> bool:
        """Dissolve a group and keep its members."""
        return self._history.commit(
            "Unpack group", lambda sheet: grouping.unpack(sheet, group), gesture
        )

    def collapse(self, group: int, collapsed: bool, gesture: int = 0) -> bool:
        """Collapse a group, or open it in place."""
        text = "Collapse group" if collapsed else "Open group"
        return self._history.commit(
            text, lambda sheet: grouping.collapse(sheet, group, collapsed), gesture
        )

    def rename(self, group: int, title: str) -> bool:
        """Change a group's title."""
        return self._history.commit(
            "Rename group", lambda sheet: grouping.rename(sheet, group, title)
        )


class SectionEdits:
    """Adds and changes sections, each as one named undo step."""

    def __init__(self, history: History) -> None:
        self._history = history

    def add(self, section: Section, gesture: int = 0) -> int | None:
        """Add a section; returns its number."""
        before = self._history.sheet.sections.keys()
        if not self._history.commit(
            "Add section", lambda sheet: sections.added(sheet, section), gesture
        ):
            return None
        return next(iter(self._history.sheet.sections.keys() - before), None)

    def set(self, number: int, section: Section, text: str, gesture: int = 0) -> bool:
        """Change a section's title or colour; `text` names the undo step."""
        return self._history.commit(
            text, lambda sheet: sections.changed(sheet, number, section), gesture
        )


RequestLayout = Callable[[frozenset[int], int], object]
"""Asks for the layout of nodes with provisional positions, as part of an undo step's gesture."""


class UnfoldEdits:
    """Opens and closes operations on the sheet of one history, each as one undo step.

    The graph is laid out again in the same step: the parts take far more space than the node did.
    """

    def __init__(self, history: History, request_layout: RequestLayout) -> None:
        self._history = history
        self._request_layout = request_layout

    def open(self, node: int) -> bool:
        """Replace an operation by its parts."""
        return self._edit(titled("Unfold {node}", node=node), lambda g: unfold(g, node))

    def close(self, node: int, op: str | None = None) -> bool:
        """Replace the parts that end in a node by their operation: `op`, or the largest."""
        return self._edit(titled("Fold {node}", node=node), lambda g: fold(g, node, op))

    def can_open(self, node: int) -> bool:
        """Return whether a node is made of simpler operations."""
        return can_unfold(self._history.graph, node)

    def closes_to(self, node: int) -> list[str]:
        """Return the operations into which the parts that end in a node fold, the largest first."""
        return foldable(self._history.graph, node)

    def _edit(self, text: StepName, edit: Callable[[Graph], Graph]) -> bool:
        from app.document.place_new_nodes import place_new_nodes

        gesture = self._history.new_gesture()

        def step(sheet: Sheet) -> Sheet:
            graph = edit(sheet.graph)
            new_nodes = graph.nodes.keys() - sheet.graph.nodes.keys()
            return sheet.with_graph(graph, place_new_nodes(graph, sheet.positions, new_nodes))

        done = self._history.commit(text, step, gesture)
        if done:
            self._request_layout(frozenset(self._history.graph.nodes), gesture)
        return done
