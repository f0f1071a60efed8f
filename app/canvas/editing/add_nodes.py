"""Adds palette entries, blocks and formulas to the sheet."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.editing.quick_add import QuickAdd
from app.document.node_sizes import node_size
from app.document.placement import snapped
from app.document.sheet import Point
from app.style import sizes
from app.workbench.blocks import block, is_block
from engine import edits
from engine.errors import EngineError
from engine.formats.expression import read
from engine.formats.native import Drawing
from engine.graph import Constant, Leaf, Node, Root, Wire
from engine.ops import BY_NAME

LETTERS = "abcdfghijkmnpqrstuvwxyz"
"""Labels for new leaves; without e, l and o, which are easily misread."""


def node_for(key: str, label: str = "") -> Node | None:
    """Return a new node for the key of a palette entry, or None if it is no node."""
    if key == "leaf":
        return Leaf(1.0, label)
    if key == "constant":
        return Constant(1.0, label)
    if key == "root":
        return Root()
    kind, _colon, name = key.partition(":")
    return edits.op_node(name, label=label) if kind == "op" and name in BY_NAME else None


class NodeAdder:
    """Adds nodes at a position or wired to something, and opens the quick-add box."""

    def __init__(self, canvas: CanvasContext) -> None:
        self._canvas = canvas
        self._box: QuickAdd | None = None
        self._at = QPointF()
        self._source: int | None = None
        self._wire: Wire | None = None

    def add(self, key: str, at: QPointF, label: str = "") -> int | None:
        """Add an entry centred on a sheet point; returns the node."""
        canvas = self._canvas
        node = node_for(key, label or self.next_label(key))
        if node is None:
            return self._add_block(key.partition(":")[2], at)
        number = canvas.document.add_node(node, corner_for(node, at))
        if number is not None:
            canvas.selection.focus_on(number)
            self.fit_if_first()
        return number

    def add_in_middle(self, key: str) -> int | None:
        """Add an entry in the middle of the view; returns the node."""
        return self.add(key, QPointF(*self._canvas.camera.centre))

    def fit_if_first(self) -> None:
        """Bring the first node of a sheet into view at 100 %."""
        if len(self._canvas.document.graph.nodes) == 1:
            self._canvas.framing.show_node(next(iter(self._canvas.document.graph.nodes)))

    def next_label(self, key: str) -> str:
        """Return the next free label for a new leaf: a, b, c ..."""
        if key != "leaf":
            return ""
        taken = set(self._canvas.document.graph.names.values())
        return next((letter for letter in LETTERS if letter not in taken), "")

    def open_quick_add(
        self, at: QPointF, source: int | None = None, wire: Wire | None = None
    ) -> None:
        """Open the quick-add box; the new node is wired to `source` or into `wire`."""
        canvas = self._canvas
        if self._box is None:
            self._box = QuickAdd(canvas.style, canvas.widget)
            self._box.chosen.connect(self._add_chosen)
            self._box.named.connect(self._add_named)
            self._box.formula.connect(self._add_formula)
        self._at, self._source, self._wire = at, source, wire
        told = ""
        graph = canvas.document.graph
        if source is not None:
            told = f"from {graph.title(source)}"
        elif wire is not None:
            told = f"into {graph.title(wire[0])}, slot {wire[1] + 1}"
        place = canvas.camera.to_screen(at).toPoint() + QPoint(12, 12)
        self._box.open_at(place, told, source is not None, wire is not None)

    def close(self) -> bool:
        """Close the box; return whether it was open."""
        if self._box is None or not self._box.isVisible():
            return False
        self._box.close_quietly()
        return True

    # private

    def _add_chosen(self, key: str) -> None:
        self._add_typed(key, "")

    def _add_named(self, name: str) -> None:
        self._add_typed("leaf", name)

    def _add_typed(self, key: str, label: str) -> None:
        canvas = self._canvas
        if self._source is None and self._wire is None:
            self.add(key, self._at, label)
            return
        node = node_for(key, label or self.next_label(key))
        if node is None:
            return
        high = sizes.NODE_HEIGHT / 2
        x = self._at.x() if self._source is not None else self._at.x() - node_size(node)[0]
        place = snapped((x, self._at.y() - high))
        number = canvas.document.add_wired(node, place, self._source, self._wire)
        if number is not None:
            canvas.selection.focus_on(number)

    def _add_formula(self, text: str) -> None:
        if is_block(text):
            self._add_block(text, self._at)
            return
        try:
            graph = read(text)
        except EngineError as error:
            self._canvas.messages.refuse(str(error))
            return
        place = snapped((self._at.x(), self._at.y()))
        ids = self._canvas.document.paste(Drawing(graph), place, "Add formula")
        self._canvas.selection.choose(ids)

    def _add_block(self, text: str, at: QPointF) -> int | None:
        """Add a neuron, a layer or a network to the sheet, as groups."""
        try:
            made = block(text)
        except EngineError as error:
            self._canvas.messages.refuse(str(error))
            return None
        name = text.partition("(")[0].strip()
        ids = self._canvas.document.paste(made, snapped((at.x(), at.y())), f"Add {name}")
        self._canvas.selection.choose(ids)
        self._canvas.framing.show_nodes(ids)
        return next(iter(sorted(ids)), None)


def corner_for(node: Node, middle: QPointF) -> Point:
    """Return the upper left corner of a new node that is centred on a sheet point."""
    return snapped((middle.x() - node_size(node)[0] / 2, middle.y() - sizes.NODE_HEIGHT / 2))
