"""Adds palette entries, blocks and formulas to the sheet."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QPainter

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.editing.new_node import (
    NewNode,
    at_point,
    at_wire_end,
    bring_into_view,
    corner_for,
    free_corner,
    insert_new,
    keep_room,
    next_to_selected,
    paint_new_node,
    planned_in_wire,
)
from app.document.clipboard import sheet_bounds
from app.document.placement import columns
from app.document.sheet import Point, sheet_of
from app.workbench.adding import FORMULA, Entry, block, leaf_of
from engine import edits
from engine.errors import EngineError
from engine.formats.expression import read
from engine.formats.native import Drawing
from engine.graph import Constant, Graph, Leaf, Node, OpNode, Root, Wire
from engine.numbers import parse_number
from engine.ops import BY_NAME

if TYPE_CHECKING:
    from app.canvas.editing.quick_add import QuickAdd

LETTERS = "abcdfghijkmnpqrstuvwxyz"
"""Labels for new leaves; without e, l and o, which are easily misread."""
BESIDE = 16
"""Distance of the quick-add box from the node that it would add, in screen px."""


def node_for(key: str, label: str = "") -> Node | None:
    """Return a new node for the key of an entry, or None if it is no node."""
    kind, _colon, name = key.partition(":")
    if kind == "leaf":
        name, value = leaf_of(name)
        return Leaf(1.0 if value is None else value, name or label)
    if kind == "constant":
        value = parse_number(name)
        return Constant(1.0 if value is None else value)
    if kind == "root":
        return Root()
    return edits.op_node(name, label=label) if kind == "op" and name in BY_NAME else None


def drawn_for(key: str) -> Drawing:
    """Return the graph of a formula or a block; raises EngineError if it can't be made."""
    text = key.partition(":")[2]
    return Drawing(read(text)) if key.startswith(FORMULA) else block(text)


class NodeAdder:
    """Adds nodes beside the selected one, at a position or at a wire; opens the quick-add box.

    `edit_name` is called with a leaf that was added by mouse, to be named by typing.
    """

    def __init__(self, canvas: CanvasContext, edit_name: Callable[[int], object]) -> None:
        self._canvas = canvas
        self._edit_name = edit_name
        self._box: QuickAdd | None = None
        self._at = QPointF()
        self._source: int | None = None
        self._wire: Wire | None = None
        self._into: Wire | None = None
        self._beside_selected = False

    def add(self, key: str, at: QPointF) -> int | None:
        """Add an entry where it was dropped, centred on a sheet point; returns the node."""
        node = self._node(key)
        if node is None:
            return self._add_graph(key, (at.x(), at.y()))
        number = self._canvas.document.add_node(node, corner_for(node, at))
        if number is not None:
            self._canvas.selection.choose((number,), made=True)
            bring_into_view(self._canvas, self._canvas.scene.bounds((number,)))
            self._name(node, number)
        return number

    def add_next(self, key: str) -> int | None:
        """Add an entry that was clicked: at the selected node, or in the middle of the view."""
        middle = QPointF(*self._canvas.camera.centre)
        node = self._node(key)
        if node is None:
            return self._add_graph(key, (middle.x(), middle.y()))
        number = self._put(next_to_selected(self._canvas, node, middle), tidily=True)
        if number is not None:
            self._name(node, number)
        return number

    def drawing_for(self, key: str) -> Drawing:
        """Return the nodes of an entry as a drawing; raises EngineError for a block."""
        node = self._node(key)
        return drawn_for(key) if node is None else Drawing(edits.add(Graph(), node))

    def next_label(self, key: str) -> str:
        """Return the next free label for a new leaf: a, b, c ..."""
        if key != "leaf":
            return ""
        taken = set(self._canvas.document.graph.names.values())
        return next((letter for letter in LETTERS if letter not in taken), "")

    def open_quick_add(
        self, at: QPointF, source: int | None = None, wire: Wire | None = None
    ) -> None:
        """Open the quick-add box at a point; the node is wired to `source` or into `wire`."""
        self._open(at, source, wire)

    def open_beside_selected(self, at: QPointF) -> None:
        """Open the quick-add box for a node next to the selected one; without one, at a point."""
        self._open(at, beside_selected=True)

    def open_into(self, wire: Wire) -> None:
        """Open the quick-add box for an operation that is inserted into a wire."""
        self._open(self._canvas.scene.courses[wire].path.pointAtPercent(0.5), into=wire)

    def _open(
        self,
        at: QPointF,
        source: int | None = None,
        wire: Wire | None = None,
        beside_selected: bool = False,
        into: Wire | None = None,
    ) -> None:
        from app.canvas.editing.quick_add import WIDTH, QuickAdd

        canvas = self._canvas
        if canvas.document.refuse_if_locked(wiring=True):
            return
        if self._box is None:
            self._box = QuickAdd(canvas.style, canvas.widget, self._does)
            self._box.chosen.connect(self._add_chosen)
            for signal in (self._box.aimed, self._box.closed):
                signal.connect(canvas.repaint.everything)
        self._at, self._source, self._wire, self._into = at, source, wire, into
        self._beside_selected = beside_selected and canvas.selection.only in canvas.scene.boxes
        wire_text = ""
        graph = canvas.document.graph
        if source is not None:
            wire_text = f"from {graph.title(source)}"
        elif wire is not None:
            wire_text = f"into {graph.title(wire[0])}, slot {wire[1] + 1}"
        elif into is not None:
            wire_text = f"into the wire {self._wire_name(into)}"
        place = self._box_place(canvas.style.px(WIDTH))
        self._box.open_at(place, wire_text, source is not None, wire is not None)

    def close(self) -> bool:
        """Close the box; return whether it was open."""
        if self._box is None or not self._box.isVisible():
            return False
        self._box.close_quietly()
        return True

    def paint(self, painter: QPainter) -> None:
        """Paint the node that Enter would add, with its wire."""
        if self._box is None or not self._box.isVisible() or self._canvas.document.empty:
            return
        entry = self._box.current
        new = None if entry is None else self._planned(entry.key)
        paint_new_node(painter, self._canvas, new, self._source, self._wire, self._at)

    # private

    @property
    def _at_wire(self) -> bool:
        return self._source is not None or self._wire is not None

    def _node(self, key: str) -> Node | None:
        return node_for(key, self.next_label(key))

    def _planned(self, key: str, wired: bool = True) -> NewNode | None:
        """Return where an entry would go, or None for a block or a formula."""
        node = self._node(key)
        if node is None:
            return None
        if self._into is not None and wired and isinstance(node, OpNode):
            return planned_in_wire(self._canvas, node, self._into)
        if self._at_wire and wired:
            return at_wire_end(self._canvas, node, self._at, self._source, self._wire)
        if not self._beside_selected:
            return at_point(self._canvas, node, self._at)
        return next_to_selected(self._canvas, node, self._at, wired)

    def _box_place(self, wide: int) -> QPoint:
        """Return the corner of a box `wide` px wide: beside the node to come, or at the point."""
        canvas = self._canvas
        to_screen, selected = canvas.camera.rect_on_screen, canvas.selection.only
        if self._into is not None:
            end, new = self._into[0], planned_in_wire(canvas, edits.op_node("add"), self._into)
        elif self._at_wire:
            end = self._source if self._wire is None else self._wire[0]
            new = at_wire_end(canvas, edits.op_node("add"), self._at, self._source, self._wire)
        elif self._beside_selected and selected is not None:
            end, new = selected, next_to_selected(canvas, edits.op_node("add"), self._at)
            bring_into_view(canvas, new.rect, (wide + 2 * BESIDE) / canvas.camera.scale)
        else:
            return canvas.camera.to_screen(self._at).toPoint() + QPoint(12, 12)
        drawn = new.rect.united(canvas.scene.node_layout.around([] if end is None else [end]))
        taken = to_screen(drawn)
        left = taken.right() + BESIDE
        if left + wide > canvas.widget.width() and taken.left() >= wide + BESIDE:
            left = taken.left() - BESIDE - wide
        elif left + wide > canvas.widget.width() and self._at_wire:  # else it covers the wire
            return canvas.camera.to_screen(self._at).toPoint() + QPoint(12, 12)
        return QPoint(round(left), round(to_screen(new.rect).top()))

    def _does(self, entry: Entry) -> str:
        """Return the effect of Enter on an entry, as a sentence."""
        graph, new = self._canvas.document.graph, self._planned(entry.key)
        what = f"leaf {entry.title}" if entry.key.startswith("leaf:") else entry.title
        if new is None and entry.key.startswith(FORMULA):
            return f"Enter adds this {entry.says}."
        if new is None:
            return f"Enter adds {what}: {entry.says}."
        if new.wire is not None and new.source is not None:
            return f"Enter inserts {what} into the wire {self._wire_name(new.wire)}."
        if new.wire is not None:
            target, slot = new.wire
            return f"Enter adds {what} into {graph.title(target)}, slot {slot + 1}."
        if new.source is not None:
            return f"Enter adds {what}, wired from {graph.title(new.source)}."
        return f"Enter adds {what}."

    def _wire_name(self, wire: Wire) -> str:
        graph = self._canvas.document.graph
        source = graph.source(wire)
        return f"{'?' if source is None else graph.title(source)} → {graph.title(wire[0])}"

    def _add_chosen(self, key: str, wired: bool) -> None:
        new = self._planned(key, wired)
        if new is None:
            self._add_graph(key, (self._at.x(), self._at.y()))
        else:
            self._put(new, tidily=self._beside_selected)

    def _put(self, new: NewNode, tidily: bool) -> int | None:
        """Add a node and bring it into view; `tidily` lets others make room for it."""
        canvas = self._canvas

        def edit(gesture: int) -> int | None:
            return canvas.document.add_wired(new.node, new.place, new.source, new.wire, gesture)

        if new.source is not None and new.wire is not None:
            number = insert_new(canvas, new.node, new.place, new.wire)
        else:
            number = keep_room(canvas, edit) if tidily else edit(0)
        if number is not None:
            if new.chosen:
                canvas.selection.choose((number,), made=True)
            bring_into_view(canvas, canvas.scene.bounds((number,)))
        return number

    def _name(self, node: Node, number: int) -> None:
        if isinstance(node, Leaf):
            self._edit_name(number)

    def _add_graph(self, key: str, at: Point) -> int | None:
        """Add a formula, or a neuron, a layer or a network as groups, where it covers nothing."""
        canvas, text = self._canvas, key.partition(":")[2]
        try:
            made = drawn_for(key)
        except EngineError as error:
            canvas.messages.refuse(str(error))
            return None
        name = text.partition("(")[0].strip() if not key.startswith(FORMULA) else "formula"
        sheet = sheet_of(made)
        if not sheet.positions:
            sheet = sheet.with_graph(sheet.graph, columns(sheet.graph))
        place = free_corner(canvas, at, sheet_bounds(sheet)[2:])
        ids = canvas.document.paste(made, place, f"Add {name}")
        canvas.selection.choose(ids, made=True)
        canvas.framing.show_nodes(ids)
        return next(iter(sorted(ids)), None)
