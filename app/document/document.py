"""Document: the one owner of the sheet and its history.

Its methods are what a person means to do. Each is one named undo step, or says `refused` with a
sentence and changes nothing. Steps that share a gesture number merge into one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from app.document import grouping, sections
from app.document.change import difference
from app.document.copies import Copied, duplicated_on, pasted_on
from app.document.edit import Edit
from app.document.place import columns, free_place, snapped
from app.document.sheet import Point, Rect, Section, Sheet, same_sheet, sheet_of
from app.document.typed import retyped
from engine import edits
from engine.errors import EditError
from engine.formats.native import Drawing
from engine.graph import Graph, Node, OpNode, Root, Wire

Step = Callable[[Sheet], Sheet]


class Document(QObject):
    """A sheet with its history and its file."""

    changed = Signal(object)
    """A Change, after the sheet has changed."""
    refused = Signal(str)
    """The sentence of an edit that was refused; nothing has changed."""
    file_changed = Signal()
    """The path or the modified mark may differ."""
    placed_roughly = Signal(object, int)
    """Nodes that came without places stand in plain columns: their ids, and the gesture."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sheet = Sheet()
        self._path: Path | None = None
        self._gestures = 0
        self._home: int | None = None
        self.stack = QUndoStack(self)
        self.stack.cleanChanged.connect(self._say_file_changed)

    # what there is

    @property
    def sheet(self) -> Sheet:
        """The sheet as it is now."""
        return self._sheet

    @property
    def graph(self) -> Graph:
        """The graph as it is now."""
        return self._sheet.graph

    @property
    def positions(self) -> Mapping[int, Point]:
        """The top left corner of every node."""
        return self._sheet.positions

    @property
    def path(self) -> Path | None:
        """The file it was read from or saved to."""
        return self._path

    @property
    def modified(self) -> bool:
        """Whether it differs from the file."""
        return not self.stack.isClean()

    @property
    def empty(self) -> bool:
        """Whether there is nothing on the sheet."""
        return not self.graph.nodes and not self._sheet.sections

    def new_gesture(self) -> int:
        """A number by which the steps of one gesture merge."""
        self._gestures = self._gestures % 2_000_000_000 + 1
        return self._gestures

    def refusal(self, source: int, target: int, slot: int) -> str | None:
        """Why this wire can't be, as a sentence, or None if it can."""
        return edits.refusal(self.graph, source, target, slot)

    # the file

    def start(self, drawing: Drawing | None = None, path: Path | None = None) -> None:
        """Begin anew, empty or with what a file holds; the history is emptied."""
        before = self._sheet
        sheet = sheet_of(drawing) if drawing else Sheet()
        missing = [n for n in sheet.graph.nodes if n not in sheet.positions]
        if missing:
            sheet = replace(sheet, positions={**columns(sheet.graph), **sheet.positions})
        self._path = path
        self._sheet = sheet
        self.stack.clear()
        self.changed.emit(replace(difference(before, sheet), whole=True, wiring=True))
        self.file_changed.emit()
        if missing:
            self.placed_roughly.emit(frozenset(missing), 0)

    def saved(self, path: Path) -> None:
        """Note that the sheet as it is now stands in this file."""
        self._path = path
        self.stack.setClean()
        self.file_changed.emit()

    # nodes

    def add_node(self, node: Node, place: Point, gesture: int = 0) -> int | None:
        """Add a node with its top left corner near a place; returns its id."""
        number = self.graph.next_id
        done = self.commit(
            f"Add {_kind_word(node)}",
            lambda sheet: sheet.with_graph(
                edits.add(sheet.graph, node),
                {number: free_place(sheet.positions.values(), place)},
            ),
            gesture,
        )
        return number if done else None

    def add_wired(
        self, node: Node, place: Point, source: int | None = None, wire: Wire | None = None
    ) -> int | None:
        """Add a node at the end of a wire that was let go: fed by `source`, or feeding `wire`."""
        number = self.graph.next_id

        def step(sheet: Sheet) -> Sheet:
            graph = edits.add(sheet.graph, node)
            if source is not None:
                graph = edits.connect(graph, source, number, 0)
            if wire is not None:
                graph = edits.connect(graph, number, *wire)
            return sheet.with_graph(graph, {number: free_place(sheet.positions.values(), place)})

        return number if self.commit(f"Add {_kind_word(node)}", step) else None

    def remove(
        self,
        nodes: Iterable[int],
        wires: Iterable[Wire] = (),
        boxes: Iterable[int] = (),
        verb: str = "Delete",
    ) -> bool:
        """Delete nodes and sections, and unplug wires; what lies in a section stays."""
        gone = [n for n in nodes if n in self.graph.nodes]
        plugs = [w for w in wires if w[0] in self.graph.nodes and w[0] not in gone]
        titles = [self._sheet.sections[n].title for n in boxes if n in self._sheet.sections]

        def step(sheet: Sheet) -> Sheet:
            graph = sheet.graph
            for wire in plugs:
                graph = edits.disconnect(graph, *wire)
            return sections.without(sheet.with_graph(edits.remove(graph, gone)), boxes)

        if not gone and not titles:
            return bool(plugs) and self.commit("Unplug", step)
        what = f"{len(gone)} nodes" if gone else f"{len(titles)} sections"
        if len(gone) + len(titles) == 1:
            what = self.graph.title(gone[0]) if gone else f"section {titles[0]}".strip()
        return self.commit(f"{verb} {what}", step)

    def heal(self, node: int) -> bool:
        """Delete a one-slot op and join its neighbours."""
        title = self.graph.title(node)
        return self._edit(f"Delete {title} and join", lambda g: edits.heal(g, node))

    def move(self, places: Mapping[int, Point], gesture: int = 0, text: str = "") -> bool:
        """Put nodes in other places."""
        wanted = {n: p for n, p in places.items() if n in self.graph.nodes}
        name = text or (f"Move {len(wanted)} nodes" if len(wanted) > 1 else "Move")
        return self.commit(
            name,
            lambda sheet: replace(
                sheet,
                positions={**sheet.positions, **wanted},
                groups=grouping.moved_groups(sheet, wanted) if sheet.groups else sheet.groups,
            ),
            gesture,
        )

    def settle(self, places: Mapping[int, Point], gesture: int) -> None:
        """Better places for nodes that were placed roughly, as part of the same step."""
        current = self.stack.command(self.stack.index() - 1) if self.stack.index() else None
        if gesture == 0 and not self.stack.count():
            before = self._sheet
            known = {n: p for n, p in places.items() if n in self.graph.nodes}
            self._sheet = replace(before, positions={**before.positions, **known})
            self.changed.emit(difference(before, self._sheet))
        elif isinstance(current, Edit) and current.gesture == gesture != 0:
            self.move(places, gesture, current.text())

    # wires

    def connect_nodes(self, source: int, target: int, slot: int) -> bool:
        """Plug a node into a slot, in place of what was there."""
        if source not in self.graph.nodes or target not in self.graph.nodes:
            return False
        text = f"Connect {self.graph.title(source)} → {self.graph.title(target)}"
        return self._edit(text, lambda g: edits.connect(g, source, target, slot))

    def disconnect_slot(self, target: int, slot: int) -> bool:
        """Unplug a slot."""
        text = f"Unplug {self.graph.title(target)}"
        return self._edit(text, lambda g: edits.disconnect(g, target, slot))

    def replug(self, old: Wire, new: Wire) -> bool:
        """Take a wire off its slot and plug it into another."""
        source = self.graph.source(old)
        if source is None or old == new:
            return False
        text = f"Connect {self.graph.title(source)} → {self.graph.title(new[0])}"
        return self._edit(text, lambda g: edits.connect(edits.disconnect(g, *old), source, *new))

    def replug_all(self, old: int, new: int) -> bool:
        """Give all wires that leave one node to another node."""

        def step(graph: Graph) -> Graph:
            for target, slot in graph.outgoing[old]:
                graph = edits.connect(graph, new, target, slot)
            return graph

        text = f"Move wires {self.graph.title(old)} → {self.graph.title(new)}"
        return self._edit(text, step)

    def insert(self, node: int, wire: Wire, slot: int = 0, place: Point | None = None) -> bool:
        """Put a node that stands on the sheet into a wire."""
        places = {} if place is None else {node: place}
        text = f"Insert {self.graph.title(node)}"
        return self.commit(
            text,
            lambda sheet: sheet.with_graph(edits.insert(sheet.graph, node, wire, slot), places),
        )

    def insert_new(self, node: Node, place: Point, wire: Wire, slot: int = 0) -> int | None:
        """Add a node into a wire."""
        number = self.graph.next_id
        done = self.commit(
            f"Insert {_kind_word(node)}",
            lambda sheet: sheet.with_graph(
                edits.insert(edits.add(sheet.graph, node), number, wire, slot), {number: place}
            ),
        )
        return number if done else None

    # values, labels, kinds, roots

    def set_value(self, node: int, value: float, gesture: int = 0) -> bool:
        """Give a leaf or a constant another value."""
        if node not in self.graph.nodes:
            return False
        text = f"Set {self.graph.title(node)}"
        return self._edit(text, lambda g: edits.set_value(g, node, value), gesture)

    def set_label(self, node: int, label: str) -> bool:
        """Give a node another label."""
        return self._edit("Label", lambda g: edits.set_label(g, node, label.strip()))

    def set_op(self, node: int, op: str) -> bool:
        """Make another operation of an op node."""
        return self._edit(f"Change to {op}", lambda g: edits.set_op(g, node, op))

    def set_constant(self, node: int, constant: bool) -> bool:
        """Turn a leaf into a constant or back."""
        text = "Make constant" if constant else "Make leaf"
        return self._edit(text, lambda g: edits.set_kind(g, node, constant))

    def set_active_root(self, root: int) -> bool:
        """Make another Root the active one."""
        return self._edit("Choose root", lambda g: edits.set_active_root(g, root))

    def mark_root(self, node: int) -> int | None:
        """Mark a node as the root, with a new Root to its right."""
        number = self.graph.next_id
        x, y = self.positions.get(node, (0.0, 0.0))
        place = snapped((x + 216.0, y))
        done = self.commit(
            f"Mark {self.graph.title(node)} as root",
            lambda sheet: sheet.with_graph(
                edits.mark_root(sheet.graph, node),
                {number: free_place(sheet.positions.values(), place)},
            ),
        )
        return number if done else None

    # many at once

    def make_group(self, nodes: Iterable[int], title: str = "") -> int | None:
        """Put nodes into a new group, shown as one; returns its number."""
        before = set(self._sheet.groups)
        if not self.commit("Group", lambda sheet: grouping.make(sheet, nodes, title)):
            return None
        return next(iter(self._sheet.groups.keys() - before), None)

    def unpack_group(self, group: int, gesture: int = 0) -> bool:
        """Take a group away and leave what is in it."""
        return self.commit("Unpack group", lambda sheet: grouping.unpack(sheet, group), gesture)

    def collapse_group(self, group: int, collapsed: bool, gesture: int = 0) -> bool:
        """Show a group as one, or open it in place."""
        text = "Collapse group" if collapsed else "Open group"
        return self.commit(text, lambda sheet: grouping.collapse(sheet, group, collapsed), gesture)

    def rename_group(self, group: int, title: str) -> bool:
        """Give a group another title."""
        return self.commit("Rename group", lambda sheet: grouping.rename(sheet, group, title))

    def replace_graph(self, graph: Graph, text: str = "Type expression") -> bool:
        """Put another graph in place of this one; its nodes stand in columns for now."""
        gesture = self.new_gesture()
        done = self.commit(text, lambda _sheet: Sheet(graph, columns(graph)), gesture)
        if done:
            self.placed_roughly.emit(frozenset(graph.nodes), gesture)
        return done

    def edit_expression(self, graph: Graph, given: Collection[str] = ()) -> bool:
        """Make this the graph of the active root; what both share stays as it is, where it is.

        A leaf keeps its value unless its name is among those whose value is `given`.
        """
        gesture = self.new_gesture()
        sheet, rough = retyped(self._sheet, graph, given)
        done = self.commit("Edit expression", lambda _sheet: sheet, gesture)
        if done and rough:
            self.placed_roughly.emit(rough, gesture)
        return done

    def paste(self, drawing: Drawing, place: Point, text: str = "Paste") -> frozenset[int]:
        """Add a copy of what a drawing holds, its top left corner at a place; returns the ids."""
        return self._copy(pasted_on(self._sheet, drawing, place), text)

    def duplicate(
        self, nodes: Iterable[int], boxes: Iterable[int] = (), by: Point = (48.0, 48.0)
    ) -> frozenset[int]:
        """Add a copy of nodes and sections beside them, with the wires that come from elsewhere."""
        chosen = [n for n in nodes if n in self.graph.nodes]
        found = [n for n in boxes if n in self._sheet.sections]
        return self._copy(duplicated_on(self._sheet, chosen, found, by), "Duplicate")

    def _copy(self, copied: Copied, text: str) -> frozenset[int]:
        gesture = self.new_gesture()
        done = self.commit(text, lambda _sheet: copied.sheet, gesture)
        if done and copied.rough:
            self.placed_roughly.emit(copied.nodes, gesture)
        return copied.nodes if done else frozenset()

    # sections and groups

    def add_section(self, section: Section, gesture: int = 0) -> int | None:
        """Add a titled box; returns its number."""
        before = self._sheet.sections.keys()
        if not self.commit("Add section", lambda sheet: sections.added(sheet, section), gesture):
            return None
        return next(iter(self._sheet.sections.keys() - before), None)

    def set_section(self, number: int, section: Section, text: str, gesture: int = 0) -> bool:
        """Give a section another title or colour; the step is called `text`."""
        return self.commit(text, lambda sheet: sections.changed(sheet, number, section), gesture)

    def move_sections(
        self, rects: Mapping[int, Rect], places: Mapping[int, Point], text: str = "Move section"
    ) -> bool:
        """Put sections elsewhere, or make them larger, and move nodes along."""
        return self.commit(text, lambda sheet: sections.moved(sheet, rects, places))

    # the way every edit goes

    def commit(self, text: str, step: Step, gesture: int = 0) -> bool:
        """Do one step, undoable under `text`; returns whether it was not refused."""
        before = self._sheet
        try:
            after = grouping.joined(step(before), before.graph, self._home)
        except EditError as error:
            self.refused.emit(str(error))
            return False
        if not same_sheet(before, after):
            self.stack.push(Edit(text, before, after, self._show, gesture))
        return True

    def new_nodes_join(self, group: int | None) -> None:
        """From now on put new nodes into a group, the one that is looked into; None: into none."""
        self._home = group

    def abandon(self, gesture: int) -> None:
        """Take back all steps of a gesture and leave no redo."""
        if gesture and self._last_gesture() == gesture:
            self.take_back()

    def take_back(self) -> None:
        """Undo the last step and leave no redo of it."""
        current = self.stack.command(self.stack.index() - 1) if self.stack.index() else None
        if isinstance(current, Edit):
            current.withdraw()
            self.stack.undo()

    def _edit(self, text: str, edit: Callable[[Graph], Graph], gesture: int = 0) -> bool:
        return self.commit(text, lambda sheet: sheet.with_graph(edit(sheet.graph)), gesture)

    def _last_gesture(self) -> int:
        current = self.stack.command(self.stack.index() - 1) if self.stack.index() else None
        return current.gesture if isinstance(current, Edit) else 0

    def _show(self, sheet: Sheet) -> None:
        before, self._sheet = self._sheet, sheet
        change = difference(before, sheet)
        self.changed.emit(change)

    def _say_file_changed(self, _clean: bool) -> None:
        self.file_changed.emit()


def _kind_word(node: Node) -> str:
    if isinstance(node, OpNode):
        return node.op
    return "root" if isinstance(node, Root) else type(node).__name__.lower()
