"""Document: the user's edits of the sheet, and the file it belongs to.

Each method is one named undo step, or emits `refused` with a sentence and changes nothing, for
example if the node it is about was deleted. Wires, groups and folded operations have
objects of their own, which `Document` holds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import reduce
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from app.document import boxes
from app.document.clipboard import CopyResult, duplicate_on, formula_on, paste_on
from app.document.history import History, Name, kind_word, move_name, removal_name, titled
from app.document.placement import ROOT_PITCH, columns, free_place, snapped
from app.document.sheet import LARGE, NO_RECTS, Home, Point, Rect, Sheet, sheet_of
from app.document.typed_formulas import (
    DrawnNumbers,
    NumberDraws,
    TypedFormulas,
    assignments_text,
    formula_title,
)
from engine import edits
from engine.asking.first_numbers import started
from engine.asking.question import Task, check_task
from engine.edits import can_unfold, fold, foldable, unfold
from engine.errors import EditError, EngineError
from engine.formats.expression import Typed, names_in_formulas, read_typed
from engine.formats.native import LESSON_LIMIT, LESSON_TOO_LONG, Drawing
from engine.formats.own_formula import with_operation
from engine.graph import Graph, Node, OpNode, Root, Wire
from engine.ops import Op, names_in

COPY_SHIFT: Point = (48.0, 48.0)
"""Distance of a duplicate to the right of and below its original, in scene px."""


class Document(History):
    """A sheet with its history and its file."""

    layout_wanted = Signal(object, int)
    """Emitted with the ids of new nodes that have only rough positions, and their gesture."""
    positions_wanted = Signal(object, int)
    """Emitted like `layout_wanted` if the nodes must get their final positions at once."""
    label_shared = Signal(int)
    """Emitted with a node whose new label can also mean another node."""
    value_held = Signal(int)
    """Emitted with the node whose value a mouse press begins to change."""
    value_released = Signal(bool)
    """Emitted at the end of that press, with whether the value is kept."""
    typed_without_values = Signal(object, int)
    """Emitted with the DrawnNumbers of a formula, first 2, 3, 4 …, and the gesture of typing."""
    replaced = Signal(str)
    """Emitted with the title of a sheet in whose place a formula was typed; undo brings it back."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.wires = WireEdits(self)
        self.groups = GroupEdits(self)
        self.unfolding = UnfoldEdits(self)
        self.typed = TypedFormulas()
        self.number_draws = NumberDraws()

    # the file

    def start(
        self, drawing: Drawing | None = None, path: Path | None = None, title: str = ""
    ) -> None:
        """Replace the document, by an empty one or a file's content; clears the history."""
        sheet = sheet_of(drawing) if drawing else Sheet()
        missing = [n for n in sheet.graph.nodes if n not in sheet.positions]
        if missing:
            sheet = replace(sheet, positions={**columns(sheet.graph), **sheet.positions})
        self.typed, self.number_draws = TypedFormulas(), NumberDraws()
        gesture = self.new_gesture()
        self._open_sheet(sheet, Home(path, title), gesture)
        if missing:
            self.layout_wanted.emit(frozenset(missing), gesture)

    # nodes

    def add_node(self, node: Node, place: Point, gesture: int = 0) -> int | None:
        """Add a node with its upper left corner near a point; returns its id."""
        return self.add_wired(node, place, gesture=gesture)

    def add_wired(
        self,
        node: Node,
        place: Point,
        source: int | None = None,
        wire: Wire | None = None,
        gesture: int = 0,
    ) -> int | None:
        """Add a node at the free end of a wire: fed by `source`, or feeding `wire`."""
        number = self.graph.next_id

        def step(sheet: Sheet) -> Sheet:
            _check_root_outside_groups(node, self.inside)
            graph = edits.add(sheet.graph, node)
            if source is not None:
                graph = edits.connect(graph, source, number, 0)
            if wire is not None:
                graph = edits.connect(graph, number, *wire)
            return sheet.with_graph(graph, {number: free_place(sheet.positions.values(), place)})

        return number if self.commit(f"Add {kind_word(node)}", step, gesture) else None

    def remove(
        self,
        nodes: Iterable[int],
        wires: Iterable[Wire] = (),
        frames: Iterable[int] = (),
        verb: str = "Delete",
    ) -> bool:
        """Delete nodes, disconnect wires, and unpack drawn groups."""
        node_ids, frame_ids = dict.fromkeys(nodes), dict.fromkeys(frames)
        cut_wires = dict.fromkeys(wires)

        def step(sheet: Sheet) -> Sheet:
            if not (node_ids or cut_wires or frame_ids):
                raise EditError("Choose what to {verb} first.", verb=verb.lower())
            graph = edits.remove(disconnected(sheet.graph, cut_wires), node_ids)
            return reduce(boxes.unpack_group, frame_ids, sheet.with_graph(graph))

        return self.commit(removal_name(verb, node_ids, frame_ids), step)

    def move(
        self,
        places: Mapping[int, Point],
        gesture: int = 0,
        text: str = "",
        rects: Mapping[int, Rect] = NO_RECTS,
    ) -> bool:
        """Move nodes, and move or resize drawn groups."""
        name = text or move_name(places)
        return self.commit(name, lambda sheet: boxes.moved(sheet, places, rects), gesture)

    def apply_layout(self, places: Mapping[int, Point], gesture: int) -> None:
        """Improve the positions of nodes that were placed roughly, as part of the same step.

        Nothing happens once another step was done. A file saved meanwhile has the old positions.
        """
        old = self.positions
        better = {n: p for n, p in places.items() if n in self.graph.nodes and old.get(n) != p}
        if better and self._can_amend(gesture):
            self._amend(lambda sheet: boxes.moved(sheet, better, NO_RECTS))

    def make_way(self, places: Mapping[int, Point]) -> None:
        """Move nodes whose neighbours the last step made larger, as part of that step.

        Not after that step was saved: a saved graph stays as the file has it.
        """
        if self.done and not self.current.is_saved:
            self.apply_layout(places, self.current.gesture)

    # values, labels, kinds, roots

    def set_value(self, node: int, value: float, gesture: int = 0) -> bool:
        """Change the value of a leaf or a constant."""
        text = titled("Set {node}", node=node)
        gesture = gesture or self.new_gesture()  # for `make_way` to join the step
        return self.commit_graph(text, lambda g: edits.set_value(g, node, value), gesture)

    def set_label(self, node: int, label: str) -> bool:
        """Change a node's label; `label_shared` is emitted if it can mean another node, too."""
        text, gesture, label = titled("Label {node}", node=node), self.new_gesture(), label.strip()
        before = self.graph.label(node) if node in self.graph.nodes else ""
        done = self.commit_graph(text, lambda g: edits.set_label(g, node, label), gesture)
        is_new = done and label not in ("", before)
        if is_new and node not in self.graph.structure.clear_labels:
            self.label_shared.emit(node)
        return done

    def set_op(self, node: int, op: str) -> bool:
        return self.commit_graph(
            lambda sheet: f"Change {sheet.graph.title(node)} to {op}",
            lambda g: edits.set_op(g, node, op),
        )

    def keep_operation(self, op: Op, former: str = "") -> bool:
        """Add an operation of one's own, or change the `former` one and the nodes that are one."""

        def edit(graph: Graph) -> Graph:
            try:
                operations = with_operation(graph.operations, op, former)
            except EngineError as error:  # of a formula that uses it, which is read again
                raise EditError("{reason}", reason=error) from None
            return edits.set_operations(graph, operations, {former: op.name})

        return self.commit_graph(f"Write {op.name}", edit)

    def delete_operation(self, name: str) -> bool:
        """Take away an operation of one's own that no node and no other operation uses."""

        def edit(graph: Graph) -> Graph:
            users = [
                graph.title(number)
                for number, node in graph.nodes.items()
                if isinstance(node, OpNode) and node.op == name
            ]
            users += [op.name for op in graph.operations if name in names_in(op.expansion)]
            if users:
                raise EditError("{name} is used by {user}.", name=name, user=users[0])
            kept = [op for op in graph.operations if op.name != name]
            if len(kept) == len(graph.operations):
                raise EditError(edits.NO_OPERATION, op=name)
            return edits.set_operations(graph, kept)

        return self.commit_graph(f"Delete {name}", edit)

    def set_constant(self, node: int, constant: bool) -> bool:
        """Turn a leaf into a constant or back."""
        text = titled("Make {node} a constant" if constant else "Make {node} a leaf", node=node)
        return self.commit_graph(text, lambda g: edits.set_kind(g, node, constant))

    def set_active_root(self, root: int) -> bool:
        return self.commit_graph("Choose root", lambda g: edits.set_active_root(g, root))

    def mark_root(self, node: int) -> int | None:
        """Mark a node as the root, with a new Root to its right."""
        number = self.graph.next_id
        x, y = self.positions.get(node, (0.0, 0.0))
        place = snapped((x + ROOT_PITCH, y))
        done = self.commit(
            titled("Mark {node} as root", node=node),
            lambda sheet: sheet.with_graph(
                edits.mark_root(sheet.graph, node),
                {number: free_place(sheet.positions.values(), place)},
            ),
        )
        return number if done else None

    def set_task(self, task: Task | None) -> bool:
        """Set the task that makes the sheet an exercise; None makes it an ordinary sheet.

        An exercise of a sheet with a lesson is a sheet of its own: its file is for learners, and
        the steps have the answers and the lecturer's notes.
        """
        leaves_steps = task is not None and bool(self.sheet.lesson)
        home = Home(title=self.title, rules=self.home.rules) if leaves_steps else None

        def step(sheet: Sheet) -> Sheet:
            if task is not None:
                check_task(task)
            return replace(sheet, task=task, lesson="" if leaves_steps else sheet.lesson)

        name = "Make an exercise" if task is not None else "Lift the exercise"
        return self.commit(name, step, home=home)

    def set_lesson(
        self, lesson: str, text: str, gesture: int = 0, graph: Graph | None = None
    ) -> bool:
        """Set the steps of a lesson as one step named `text`, such as `Add a step`.

        With `graph` the sheet gets that graph, too, of the same nodes.
        """

        def step(sheet: Sheet) -> Sheet:
            if len(lesson.encode("utf-8", "replace")) > LESSON_LIMIT:
                raise EditError(LESSON_TOO_LONG, limit=LESSON_LIMIT // 1024)
            return replace(sheet.with_graph(graph or sheet.graph), lesson=lesson)

        return self.commit(text, step, gesture)

    # several nodes at once

    def replace_graph(
        self, graph: Graph, typed: str = "", kept: Mapping[str, float] = MappingProxyType({})
    ) -> bool:
        """Replace the whole graph; its nodes are in columns until they are laid out.

        With `typed`, the text it was typed as, the new sheet has no file, and leaves that the text
        gives no value get the `kept` one of their name, or a number.
        """
        if typed:
            understood = self._understood(typed)
            unset = [n for n in graph.leaves if graph.names[n] not in understood.names]
            graph = graph.with_values({n: kept[x] for n in unset if (x := graph.names[n]) in kept})
            unset = [leaf for leaf in unset if graph.names[leaf] not in kept]
            graph = self._with_drawn_numbers(graph, unset)
            self.typed.remember(typed, graph, understood)
        gesture, sheet, home = self.new_gesture(), Sheet(graph, columns(graph)), None
        before, was_empty = self._title_for_undo, self.empty
        if typed and not (was_empty and self.path is not None):
            home = self._home_in_place(sheet, formula_title(typed))
            home.rules = self.home.rules if was_empty else home.rules
        done = self.commit("Type expression", lambda _s: sheet, gesture, home)
        if done:
            self.layout_wanted.emit(frozenset(graph.nodes), gesture)
            self._emit_typed_without_values(gesture)
        if done and home is not None and not was_empty:
            self.replaced.emit(before)
        return done

    def show_other(self, sheet: Sheet, title: str, gesture: int) -> bool:
        """Show a sheet that belongs to no file as another document, in one step named `title`.

        Nodes without positions get them: in a large sheet, or one with folded groups, at once.
        """
        unplaced = frozenset(sheet.graph.nodes.keys() - sheet.positions.keys())
        if unplaced:
            sheet = boxes.in_columns(sheet)
        home = self._home_in_place(sheet, title)
        done = self.commit(title, lambda _s: sheet, gesture, home)
        if done and unplaced:
            at_once = any(group.collapsed for group in sheet.groups.values())
            at_once = at_once or len(unplaced) > LARGE
            (self.positions_wanted if at_once else self.layout_wanted).emit(unplaced, gesture)
        return done

    def open_practice(self, sheet: Sheet, title: str) -> None:
        """Show a sheet of a lesson or a lecture, without a file.

        It is one step, with which undo brings back the sheet before. A canvas places nodes without
        a position at once.
        """
        gesture = self.new_gesture()
        unplaced = frozenset(sheet.graph.nodes.keys() - sheet.positions.keys())
        if unplaced:
            sheet = replace(sheet, positions={**columns(sheet.graph), **sheet.positions})
        home = Home(title=title, safe_sheet=sheet, practice=True)
        if self.commit(f"Open {title}", lambda _s: sheet, gesture, home) and unplaced:
            self.positions_wanted.emit(unplaced, gesture)

    def edit_expression(self, graph: Graph, typed: str = "") -> bool:
        """Replace the graph of the active root by a typed one; shared nodes keep their positions.

        A leaf keeps the value of its name unless `typed`, the text, gives it one; a new leaf
        without one gets a number. A graph that shares nothing with the one before replaces the
        whole sheet, if the sheet held only that one. Numbers of leaves that the sheet has are set.
        """
        from app.document.merge_expression import merge_into_sheet, replaces_whole_sheet

        understood = self._understood(typed) if typed else Typed(graph, frozenset())
        if values := self._values_of(understood):
            return self.commit_graph(
                f"Set {formula_title(typed)}", lambda old: old.with_values(values)
            )
        if typed and graph.root is not None and replaces_whole_sheet(self.sheet, graph):
            values = self.graph.leaf_values
            return self.replace_graph(
                graph, typed, {self.graph.names[leaf]: value for leaf, value in values.items()}
            )
        gesture, unplaced = self.new_gesture(), set[int]()

        def step(sheet: Sheet) -> Sheet:
            merge = merge_into_sheet(sheet, graph, understood.names)
            unplaced.update(merge.unplaced)
            if not typed:
                return merge.sheet
            with_numbers = self._with_drawn_numbers(merge.sheet.graph, merge.valueless)
            self.typed.remember(typed, with_numbers, understood)
            return merge.sheet.with_graph(with_numbers)

        before, home = self.graph, self._retitled(typed, graph)
        done = self.commit("Edit expression", step, gesture, home, groups_new=False)
        if done and self.inside is not None and self.graph.nodes.keys() - before.nodes.keys():
            self.look_inside(None)  # where the new nodes are
        if done and unplaced:
            self.layout_wanted.emit(frozenset(unplaced), gesture)
        if done:
            self._emit_typed_without_values(gesture)
        return done

    def replace_drawn_numbers(
        self, drawn: DrawnNumbers, values: Mapping[int, float], gesture: int
    ) -> None:
        """Change the drawn numbers of a typed formula as part of the step `gesture` that typed it.

        Refused once another step was done or undone, or this one was saved.
        """
        can_join = self._can_amend(gesture) and not self.current.is_saved
        if can_join and drawn.graph is self.graph:
            graph = self._renumbered(drawn, values)
            self._amend(lambda sheet: sheet.with_graph(graph))

    def renumber(self, text: str, drawn: DrawnNumbers, values: Mapping[int, float]) -> bool:
        """Change the drawn numbers of a typed formula, as a step of its own."""
        graph = self._renumbered(drawn, values)
        return self.commit(text, lambda sheet: sheet.with_graph(graph))

    def paste(self, drawing: Drawing, place: Point, text: str = "Paste") -> frozenset[int]:
        """Add a copy of a drawing with its upper left corner at a point; returns the ids."""
        return self._copy(
            text, lambda sheet: paste_on(sheet, drawing, place, self.inside is not None)
        )

    def add_formula(self, text: str, place: Point, wire: Wire | None = None) -> frozenset[int]:
        """Add a typed formula at a point, into a slot if `wire` is one; returns the new ids.

        Names of leaves are those of the sheet, and a root stays. Raises FormatError.
        """
        typed = self._understood(text)
        return self._copy(
            "Add formula", lambda sheet: formula_on(sheet, typed.graph, typed.names, place, wire)
        )

    def duplicate(
        self, nodes: Iterable[int], frames: Iterable[int] = (), by: Point = COPY_SHIFT
    ) -> frozenset[int]:
        """Add a copy of nodes and drawn groups, shifted by `by`, with their incoming wires."""
        chosen, drawn = frozenset(nodes), frozenset(frames)
        return self._copy("Duplicate", lambda sheet: duplicate_on(sheet, chosen, drawn, by))

    # private

    @property
    def _title_for_undo(self) -> str:
        """Return the file or title of the sheet; of a typed one its formula after later edits."""
        if not self._has_typed_title:
            return self.title
        return formula_title(self.typed.text_for(self.graph)) or self.title

    @property
    def _has_typed_title(self) -> bool:
        return self.path is None and self.typed.has_titled(self.title)

    def _retitled(self, text: str, graph: Graph) -> Home | None:
        """Return the home of a sheet called as a formula once another one is typed, or None."""
        may = text and self._has_typed_title and not self.sheet.wiring_locked
        if may and assignments_text(graph) != assignments_text(self.graph):
            return replace(self.home, title=formula_title(text))
        return None

    def _values_of(self, typed: Typed) -> dict[int, float]:
        """Return the numbers that a text gives to leaves of the sheet; {} if it is a formula."""
        ids = {self.graph.names[leaf]: leaf for leaf in self.graph.leaves}
        named = {typed.graph.label(leaf): x for leaf, x in typed.graph.leaf_values.items()}
        found = {ids[name]: x for name, x in named.items() if name in ids.keys() & typed.names}
        return found if len(found) + 1 == len(typed.graph.nodes) else {}  # and its Root

    def _understood(self, text: str) -> Typed:
        """Return what a text means on this sheet."""
        return read_typed(text, names_in_formulas(self.graph), self.graph.operations)

    def _home_in_place(self, sheet: Sheet, title: str) -> Home:
        """Return the home of a sheet without a file that takes the place of this one.

        Unsaved edits, which then only undo holds, leave work unsaved.
        """
        return Home(title=title, safe_sheet=None if self.unsaved else sheet)

    def _with_drawn_numbers(self, graph: Graph, leaves: Collection[int]) -> Graph:
        """Return a typed graph with numbers drawn for these leaves, and remember them."""
        if not leaves:
            return graph
        graph = graph.with_values(started(graph, leaves))
        self.number_draws.remember(DrawnNumbers(graph, tuple(sorted(leaves))))
        return graph

    def _renumbered(self, drawn: DrawnNumbers, values: Mapping[int, float]) -> Graph:
        """Return the graph with these drawn numbers, and remember them."""
        graph = drawn.graph.with_values(values)
        self.number_draws.remember(replace(drawn, graph=graph))
        return graph

    def _emit_typed_without_values(self, gesture: int) -> None:
        drawn = self.number_draws.of(self.graph)
        if drawn is not None:
            self.typed_without_values.emit(drawn, gesture)

    def _copy(self, text: str, copy: Callable[[Sheet], CopyResult]) -> frozenset[int]:
        results: list[CopyResult] = []

        def step(sheet: Sheet) -> Sheet:
            results.append(copy(sheet))
            return results[0].sheet

        gesture = self.new_gesture()
        if not self.commit(text, step, gesture):
            return frozenset()
        if results[0].unplaced:
            self.layout_wanted.emit(results[0].nodes, gesture)
        return results[0].nodes


def _check_root_outside_groups(node: Node, inside: int | None) -> None:
    if isinstance(node, Root) and inside is not None:
        raise EditError("A root stands on the whole sheet; leave the group first.")


class ValueGesture:
    """Sets values for a control that numbers its gestures with tokens, as `ValueSlider` does."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._token: object = None
        self._gesture = 0

    def set_value(self, node: int, value: float, token: object) -> None:
        """Set a value; all values that come with the same token are one undo step."""
        if token is not self._token:
            self._token, self._gesture = token, self._document.new_gesture()
            self._document.value_held.emit(node)
        self._document.set_value(node, value, self._gesture)

    def end(self) -> None:
        """Release the value."""
        self._document.value_released.emit(True)

    def abandon(self) -> None:
        """Undo the last gesture without a redo step."""
        self._document.abandon(self._gesture)
        self._document.value_released.emit(False)


# wires


class Shift(NamedTuple):
    """The new positions of nodes and drawn groups that make space for an inserted node."""

    nodes: Mapping[int, Point] = MappingProxyType({})
    frames: Mapping[int, Rect] = MappingProxyType({})


NO_SHIFT = Shift()
"""The shift of an insertion that needs no space."""


class WireEdits:
    """Connects, disconnects and inserts on the sheet of one history."""

    def __init__(self, history: History) -> None:
        self._history = history

    def connect(self, source: int, target: int, slot: int) -> bool:
        """Connect a node to a slot, replacing the old wire."""
        text = titled("Connect {source} → {target}", source=source, target=target)
        return self._history.commit_graph(text, lambda g: edits.connect(g, source, target, slot))

    def disconnect(self, target: int, slot: int) -> bool:
        wire = (target, slot)
        return self._history.commit_graph(
            titled("Unplug {node}", node=target), lambda g: disconnected(g, [wire])
        )

    def replug(self, old: Wire, new: Wire) -> bool:
        """Move a wire from its slot to another."""
        text = _replug_name(old, new)
        return self._history.commit_graph(text, lambda g: _replugged(g, old, new))

    def replug_all(self, old: int, new: int) -> bool:
        """Move all wires that leave one node to another node."""
        text = titled("Move wires {old} → {new}", old=old, new=new)
        return self._history.commit_graph(text, lambda g: _all_replugged(g, old, new))

    def insert(
        self,
        node: int,
        wire: Wire,
        slot: int = 0,
        place: Point | None = None,
        shift: Shift = NO_SHIFT,
        gesture: int = 0,
    ) -> bool:
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
        return self._history.commit_graph(text, lambda g: edits.bypass(g, node))


def _shifted(sheet: Sheet, shift: Shift) -> Sheet:
    """Return the sheet with nodes and drawn groups moved by a shift."""
    return boxes.moved(sheet, shift.nodes, shift.frames) if shift != NO_SHIFT else sheet


def _replug_name(old: Wire, new: Wire) -> Name:
    """Return the name of an undo step that moves a wire: its source and its new target."""

    def name(sheet: Sheet) -> str:
        source = sheet.graph.source(old)
        assert source is not None
        return f"Connect {sheet.graph.title(source)} → {sheet.graph.title(new[0])}"

    return name


# from a graph to a graph


def disconnected(graph: Graph, wires: Iterable[Wire]) -> Graph:
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


DRAWN = "Draw group"


class GroupEdits:
    """Makes, draws, collapses, names, colours and unpacks groups, each as one named undo step."""

    def __init__(self, history: History) -> None:
        self._history = history

    def make(self, nodes: Iterable[int], title: str = "") -> int | None:
        """Add a collapsed group of nodes; returns its number."""
        number = self._history.sheet.next_box
        done = self._history.commit("Group", lambda sheet: boxes.make_group(sheet, nodes, title))
        return number if done else None

    def draw(
        self, rect: Rect, title: str = "Group", colour: int = 0, gesture: int = 0
    ) -> int | None:
        """Add a group that is drawn at a rectangle; returns its number."""
        number = self._history.sheet.next_box
        done = self._history.commit(
            DRAWN, lambda sheet: boxes.draw_group(sheet, rect, title, colour), gesture
        )
        return number if done else None

    def unpack(self, group: int, gesture: int = 0) -> bool:
        """Dissolve a group and keep its members."""
        return self._history.commit(
            "Unpack group", lambda sheet: boxes.unpack_group(sheet, group), gesture
        )

    def collapse(
        self, group: int, collapsed: bool, gesture: int = 0, content: Iterable[int] = ()
    ) -> bool:
        """Collapse a group, or open it in place; `content` are the nodes in a drawn one."""
        text = "Collapse group" if collapsed else "Open group"
        return self._history.commit(
            text, lambda sheet: boxes.collapse_group(sheet, group, collapsed, content), gesture
        )

    def rename(self, group: int, title: str, drawing: int = 0) -> bool:
        """Change a group's title; `drawing` is the gesture of the step that has just drawn it."""
        return self._history.commit(
            DRAWN if drawing else "Rename group",
            lambda sheet: boxes.rename_group(sheet, group, title),
            drawing,
        )

    def colour(self, group: int, colour: int, gesture: int = 0) -> bool:
        return self._history.commit(
            "Colour group", lambda sheet: boxes.colour_group(sheet, group, colour), gesture
        )


class UnfoldEdits:
    """Opens and closes operations on the sheet of one document, each as one undo step.

    The graph is laid out again in the same step: the parts take far more space than the node did.
    """

    def __init__(self, document: Document) -> None:
        self._document = document

    def open(self, node: int) -> bool:
        """Replace an operation by its parts."""
        return self._edit(titled("Unfold {node}", node=node), lambda g: unfold(g, node))

    def close(self, node: int, op: str | None = None) -> bool:
        """Replace the parts that end in a node by their operation: `op`, or the largest."""
        return self._edit(titled("Fold {node}", node=node), lambda g: fold(g, node, op))

    def can_open(self, node: int) -> bool:
        """Return whether a node is made of simpler operations."""
        return can_unfold(self._document.graph, node)

    def closes_to(self, node: int) -> list[str]:
        """Return the operations into which the parts that end in a node fold, the largest first."""
        return foldable(self._document.graph, node)

    def _edit(self, text: Name, edit: Callable[[Graph], Graph]) -> bool:
        from app.document.merge_expression import place_new_nodes

        gesture = self._document.new_gesture()

        def step(sheet: Sheet) -> Sheet:
            graph = edit(sheet.graph)
            new_nodes = graph.nodes.keys() - sheet.graph.nodes.keys()
            return sheet.with_graph(graph, place_new_nodes(graph, sheet.positions, new_nodes))

        done = self._document.commit(text, step, gesture)
        if done:
            self._document.layout_wanted.emit(frozenset(self._document.graph.nodes), gesture)
        return done
