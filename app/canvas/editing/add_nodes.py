"""NodeAdder: adds entries of the palette and of the quick-add box to the sheet.

An entry has a key: `op:tanh`, `leaf:w`, `constant:3`, `root`, a block or a formula. The first four
make one node, which can be wired; blocks and formulas make a graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
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
    edit_keeping_room,
    free_corner,
    insert_new,
    next_to_selected,
    paint_new_node,
    planned_in_wire,
)
from app.canvas.layout.text_sizes import TYPICAL_LABEL_WIDTH
from app.document.clipboard import sheet_bounds
from app.document.placement import column_gap, columns
from app.document.sheet import Point, sheet_of
from app.workbench.adding import FORMULA, Entry, block, parse_leaf
from engine import edits
from engine.errors import EngineError
from engine.formats.expression import names_in_formulas, read_typed
from engine.formats.native import Drawing
from engine.graph import Constant, Graph, Leaf, Node, OpNode, Root, Wire
from engine.matching import added
from engine.numbers import counted, parse_number
from engine.ops import BY_NAME, Op

if TYPE_CHECKING:
    from app.canvas.editing.canvas_cards import QuickAdd

LEAF_LABELS = "abcdfghijkmnpqrstuvwxyz"
"""Labels for new leaves; without e, l and o, which are easily misread."""
BOX_GAP = 16
"""Distance of the quick-add box from the node it would add, in screen px."""
POINT_OFFSET = QPoint(12, 12)
"""Shift of the box from the point it is opened at, which stays visible, in screen px."""


def node_for(key: str, label: str = "", operations: Iterable[Op] = ()) -> Node | None:
    """Return a new node for the key of an entry, or None if it is no node.

    `operations` are those of the sheet.
    """
    kind, _colon, name = key.partition(":")
    if kind == "leaf":
        name, value = parse_leaf(name)
        return Leaf(1.0 if value is None else value, name or label)
    if kind == "constant":
        value = parse_number(name)
        return Constant(1.0 if value is None else value)
    if kind == "root":
        return Root()
    is_op = kind == "op" and (name in BY_NAME or name in {op.name for op in operations})
    return edits.op_node(name, label=label, operations=operations) if is_op else None


class NodeAdder:
    """Adds nodes next to the selected one, at a point or at a wire; opens the quick-add box.

    `edit_name` is called with a leaf that was added by mouse, to be named by typing. The methods
    that add return the number of the node, or None if the document refused it (and said why).
    """

    def __init__(self, canvas: CanvasContext, edit_name: Callable[[int], object]) -> None:
        self._canvas = canvas
        self._edit_name = edit_name
        self._box: QuickAdd | None = None
        self._at = QPointF()
        """The sheet point at which the box was opened."""
        self._source: int | None = None
        """The node to wire the new one from, if the box was opened at a wire's end."""
        self._wire: Wire | None = None
        """The slot to wire the new node into, if the box was opened at a wire's end."""
        self._into: Wire | None = None
        """The wire to insert the new node into."""
        self._next_to_selected = False
        """Whether the box was opened for a node beside the selected one."""

    def add(self, key: str, at: QPointF) -> int | None:
        """Add an entry where it was dropped, centred on a sheet point; returns the node."""
        node = self._node(key)
        if node is None:
            return self._add_graph(key, (at.x(), at.y()))
        number = self._canvas.document.add_node(node, corner_for(node, at))
        if number is not None:
            self._canvas.selection.choose((number,), by_edit=True)
            bring_into_view(self._canvas, self._canvas.scene.bounds((number,)))
            self._begin_naming(node, number)
        return number

    def add_at_selected(self, key: str) -> int | None:
        """Add an entry that was clicked in the palette: at the selected node, or in mid-view."""
        middle = QPointF(*self._canvas.camera.sheet_centre)
        node = self._node(key)
        if node is None:
            return self._add_graph(key, (middle.x(), middle.y()))
        number = self._add_planned(next_to_selected(self._canvas, node, middle), makes_room=True)
        if number is not None:
            self._begin_naming(node, number)
        return number

    def drawing_for(self, key: str) -> Drawing:
        """Return the nodes of an entry as a drawing; raises EngineError for an invalid one."""
        node = self._node(key)
        return self._new_drawing(key) if node is None else Drawing(edits.add(Graph(), node))

    def next_label(self, key: str) -> str:
        """Return the next free label for a new leaf: a, b, c ..."""
        if key != "leaf":
            return ""
        taken = set(self._canvas.document.graph.names.values())
        return next((letter for letter in LEAF_LABELS if letter not in taken), "")

    def open_quick_add(
        self, at: QPointF, source: int | None = None, wire: Wire | None = None
    ) -> None:
        """Open the quick-add box at a point; the node is wired to `source` or into `wire`."""
        self._open(at, source, wire)

    def open_beside_selected(self, at: QPointF) -> None:
        """Open the quick-add box for a node next to the selected one; without one, at a point."""
        self._open(at, next_to_selected=True)

    def open_into(self, wire: Wire) -> None:
        """Open the quick-add box for an operation that is inserted into a wire."""
        self._open(self._canvas.scene.courses[wire].path.pointAtPercent(0.5), into=wire)

    def _open(
        self,
        at: QPointF,
        source: int | None = None,
        wire: Wire | None = None,
        next_to_selected: bool = False,
        into: Wire | None = None,
    ) -> None:
        from app.canvas.editing.canvas_cards import WIDTH, QuickAdd

        canvas = self._canvas
        if canvas.document.refuse_if_locked(changes_wiring=True):
            return
        if self._box is None:
            self._box = QuickAdd(
                canvas.style,
                canvas.widget,
                self._effect_text,
                lambda: canvas.document.graph.operations,
            )
            self._box.chosen.connect(self._add_chosen)
            for signal in (self._box.current_changed, self._box.closed):
                signal.connect(canvas.repaint.everything)
        self._at, self._source, self._wire, self._into = at, source, wire, into
        # only if it is visible itself, not in a collapsed group
        self._next_to_selected = next_to_selected and canvas.selection.only in canvas.scene.boxes
        wire_text = ""
        graph = canvas.document.graph
        if source is not None:
            wire_text = f"from {graph.title(source)}"
        elif wire is not None:
            wire_text = f"into {graph.title(wire[0])}, slot {wire[1] + 1}"
        elif into is not None:
            wire_text = f"into the wire {self._wire_name(into)}"
        place = self._scroll_to_box_corner(canvas.style.px(WIDTH))
        self._box.open_at(
            place, wire_text, has_source=source is not None, has_target=wire is not None
        )

    def close(self) -> bool:
        """Close the box; return whether it was open."""
        if self._box is None or not self._box.isVisible():
            return False
        self._box.close_quietly()
        return True

    def paint(self, painter: QPainter) -> None:
        """Paint the node that Enter would add, with its wire."""
        if self._box is None or not self._box.isVisible():
            return
        if self._canvas.document.empty:  # the hints of an empty canvas are in its place
            return
        entry = self._box.current
        new = None if entry is None else self._planned(entry.key)
        paint_new_node(painter, self._canvas, new, self._source, self._wire, self._at)

    # private

    @property
    def _slot(self) -> Wire | None:
        """Return the slot that the box was opened for: at a wire's end, or free at the selected."""
        selected = self._canvas.selection.only if self._next_to_selected else None
        slots = () if selected is None else self._canvas.document.graph.inputs(selected)
        if self._wire is not None or selected is None or None not in slots:
            return self._wire
        return selected, slots.index(None)

    @property
    def _is_at_wire_end(self) -> bool:
        return self._source is not None or self._wire is not None

    def _node(self, key: str) -> Node | None:
        return node_for(key, self.next_label(key), self._canvas.document.graph.operations)

    def _planned(self, key: str, wired: bool = True) -> NewNode | None:
        """Return the new node of an entry with its position; None for a block or a formula.

        It is what the preview shows and what Enter then adds.
        """
        node = self._node(key)
        if node is None:
            return None
        if self._into is not None and wired and isinstance(node, OpNode):
            return planned_in_wire(self._canvas, node, self._into)
        if self._is_at_wire_end and wired:
            return at_wire_end(self._canvas, node, self._at, self._source, self._wire)
        if not self._next_to_selected:
            return at_point(self._canvas, node, self._at)
        return next_to_selected(self._canvas, node, self._at, wired)

    def _scroll_to_box_corner(self, wide: int) -> QPoint:
        """Return the corner of a box `wide` px wide: next to the planned node, or at the point.

        A node planned next to the selected one is scrolled into view, with space for the box.
        """
        canvas = self._canvas
        # an addition stands for the new node, which is not known before an entry is chosen
        to_screen, selected = canvas.camera.rect_on_screen, canvas.selection.only
        if self._into is not None:
            neighbour = self._into[0]
            new = planned_in_wire(canvas, edits.op_node("add"), self._into)
        elif self._is_at_wire_end:
            neighbour = self._source if self._wire is None else self._wire[0]
            new = at_wire_end(canvas, edits.op_node("add"), self._at, self._source, self._wire)
        elif self._next_to_selected and selected is not None:
            neighbour, new = selected, next_to_selected(canvas, edits.op_node("add"), self._at)
            space_for_box = (wide + 2 * BOX_GAP) / canvas.camera.scale
            bring_into_view(canvas, new.rect, margin_right=space_for_box)
        else:
            return canvas.camera.to_screen(self._at).toPoint() + POINT_OFFSET
        shown = [] if neighbour is None else [neighbour]
        covered = to_screen(new.rect.united(canvas.scene.node_layout.bounds_of(shown)))
        left = covered.right() + BOX_GAP
        # without space right of the nodes it opens left of them, or at the end of the wire
        if left + wide > canvas.widget.width() and covered.left() >= wide + BOX_GAP:
            left = covered.left() - BOX_GAP - wide
        elif left + wide > canvas.widget.width() and self._is_at_wire_end:
            return canvas.camera.to_screen(self._at).toPoint() + POINT_OFFSET
        return QPoint(round(left), round(to_screen(new.rect).top()))

    def _effect_text(self, entry: Entry) -> str:
        """Return the effect of Enter on an entry, as a sentence."""
        graph, new = self._canvas.document.graph, self._planned(entry.key)
        noun = f"leaf {entry.title}" if entry.key.startswith("leaf:") else entry.title
        if new is None and entry.key.startswith(FORMULA):
            return self._formula_text(entry.key)
        if new is None:
            return f"Enter adds {noun}: {entry.says}."
        if new.wire is not None and new.source is not None:
            return f"Enter inserts {noun} into the wire {self._wire_name(new.wire)}."
        if new.wire is not None:
            target, slot = new.wire
            return f"Enter adds {noun} into {graph.title(target)}, slot {slot + 1}."
        if new.source is not None:
            return f"Enter adds {noun}, wired from {graph.title(new.source)}."
        return f"Enter adds {noun}."

    def _formula_text(self, key: str) -> str:
        """Return the effect of Enter on a formula: how many nodes are new, and what they feed."""
        graph, wire = self._canvas.document.graph, self._slot
        drawing = self._new_drawing(key, wire)
        nodes = counted(len(drawing.graph.nodes), "{count} new node", "{count} new nodes")
        if wire is None:
            return f"Enter adds this formula: {nodes}. {drawing.remark}".rstrip()
        into = f"{graph.title(wire[0])}, slot {wire[1] + 1}"
        return f"Enter adds this formula into {into}: {nodes}. {drawing.remark}".rstrip()

    def _new_drawing(self, key: str, wire: Wire | None = None) -> Drawing:
        """Return the nodes that a block, or a formula into `wire`, would add to the sheet.

        Raises EngineError for an invalid one.
        """
        text = key.partition(":")[2]
        if not key.startswith(FORMULA):
            return block(text)
        graph = self._canvas.document.graph
        typed = read_typed(text, names_in_formulas(graph), graph.operations)
        graph, new = added(graph, typed.graph, typed.names, wire)
        return Drawing(edits.subgraph(graph, new), remark=typed.remark)

    def _wire_name(self, wire: Wire) -> str:
        graph = self._canvas.document.graph
        source = graph.source(wire)
        return f"{'?' if source is None else graph.title(source)} → {graph.title(wire[0])}"

    def _add_chosen(self, key: str, wired: bool) -> None:
        new = self._planned(key, wired)
        if new is None:
            self._add_graph(key, (self._at.x(), self._at.y()), self._slot if wired else None)
        else:
            self._add_planned(new, makes_room=self._next_to_selected)

    def _add_planned(self, new: NewNode, makes_room: bool) -> int | None:
        """Add a planned node and bring it into view; `makes_room` moves others apart for it."""
        canvas = self._canvas

        def edit(gesture: int) -> int | None:
            return canvas.document.add_wired(new.node, new.position, new.source, new.wire, gesture)

        if new.source is not None and new.wire is not None:
            number = insert_new(canvas, new.node, new.position, new.wire)
        else:
            # 0: an undo step of its own
            number = edit_keeping_room(canvas, edit) if makes_room else edit(0)
        if number is not None:
            if new.becomes_selected:
                canvas.selection.choose((number,), by_edit=True)
            bring_into_view(canvas, canvas.scene.bounds((number,)))
        return number

    def _begin_naming(self, node: Node, number: int) -> None:
        if isinstance(node, Leaf):
            self._edit_name(number)

    def _add_graph(self, key: str, at: Point, wire: Wire | None = None) -> int | None:
        """Add a formula, or a neuron, layer or network as groups, at the nearest free position.

        A formula feeds the slot `wire`, and is left of its node.
        """
        canvas, text = self._canvas, key.partition(":")[2]
        is_formula = key.startswith(FORMULA)
        try:
            drawing = self._new_drawing(key, wire)
        except EngineError as error:
            canvas.messages.refuse(str(error))
            return None
        sheet = sheet_of(drawing)
        if not sheet.positions:  # a formula
            sheet = sheet.with_graph(sheet.graph, columns(sheet.graph))
        _left, _top, wide, high = sheet_bounds(sheet)
        if wire is not None:
            box = canvas.scene.boxes[wire[0]]
            at = (box.x - column_gap(TYPICAL_LABEL_WIDTH) - wide, box.y)
        place = free_corner(canvas, at, (wide, high))
        if is_formula:
            ids = canvas.document.add_formula(text, place, wire)
        else:
            ids = canvas.document.paste(drawing, place, f"Add {text.partition('(')[0].strip()}")
        canvas.selection.choose(ids, by_edit=True)
        canvas.framing.show_nodes(ids)
        return next(iter(sorted(ids)), None)
