"""FindField: a field in which nodes are found by label, name, operation or value."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QKeyEvent

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.editing.inline_fields import InlineEdit
from app.guard import exception_safe
from engine.graph import Graph, OpNode
from engine.numbers import counted, parse_number, short

_PLACE = (12, 300, 32)
"""Distance from the top, width and height of the field, in px at 100 %."""
_NOT_FOUND = 4


def found(graph: Graph, values: Mapping[int, float], query: str) -> list[int]:
    """Return the nodes that a query is a label, name, operation or value of, best first.

    `values` are those that may be seen.

    >>> from engine import from_expression
    >>> graph = from_expression("w1 = 2; y = w1*x + w1")
    >>> [graph.title(n) for n in found(graph, {}, "w1")], len(found(graph, {}, "*"))
    (['w1'], 1)
    """
    wanted = query.strip().casefold()
    ranks = [(_rank(graph, values, node, wanted), node) for node in graph.nodes if wanted]
    return [node for rank, node in sorted(ranks) if rank < _NOT_FOUND]


def _rank(graph: Graph, values: Mapping[int, float], node: int, wanted: str) -> int:
    """Return 0 for the text, 1 for its beginning, 2 for a part or an operation, 3 for a value.

    It is _NOT_FOUND for any other node.
    """
    found, number = graph.nodes[node], parse_number(wanted)
    texts = {graph.label(node).casefold(), graph.names.get(node, "root").casefold()}
    op = graph.op(node) if isinstance(found, OpNode) else None
    tests = (
        wanted in texts,
        any(text.startswith(wanted) for text in texts),
        any(wanted in text for text in texts)
        or (op and (wanted in (op.symbol.casefold(), op.infix) or op.name.startswith(wanted))),
        number is not None and node in values and short(values[node]) == short(number),
    )
    return [*map(bool, tests), True].index(True)


@exception_safe
class FindField(InlineEdit):
    """A field over the sheet: typing finds, Enter goes on, Shift+Enter back, Esc closes."""

    def __init__(self, canvas: CanvasContext) -> None:
        self._canvas = canvas
        self._matches: list[int] = []
        self._index = 0
        super().__init__(canvas.style, canvas.widget, self._rect, "", lambda _text: True)
        self.setPlaceholderText("Find a label, an operation or a value")
        self.setAccessibleName("Find a node")
        self.textEdited.connect(self._find)

    def _rect(self) -> QRect:
        top, wide, high = map(self._canvas.style.px, _PLACE)
        room = self._canvas.widget.width()
        return QRect(max(room - wide, 0) // 2, top, min(wide, room), high)

    def _find(self, query: str) -> None:
        shown = self._canvas.playback.now
        values = dict[int, float]() if shown.hides_numbers else shown.values
        self._matches, self._index = found(shown.frame.graph, values, query), 0
        self._show(query)

    def _show(self, query: str) -> None:
        """Select the match, scroll to it and say which of how many it is."""
        matches, canvas = self._matches, self._canvas
        if not query.strip():
            return
        if not matches:
            canvas.messages.said.emit(f"Nothing on the sheet is {query.strip()}.")
            return
        node, count = matches[self._index], len(matches)
        canvas.selection.choose((node,))
        canvas.framing.show_node(node)
        many = "{place} of {count}: {name}. Enter goes to the next."
        name = canvas.document.graph.title(node)
        place = self._index + 1
        canvas.messages.said.emit(counted(count, "Found: {name}.", many, place=place, name=name))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
            return
        step = -1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        self._matches = [n for n in self._matches if n in self._canvas.document.graph.nodes]
        self._index = (self._index + step) % max(len(self._matches), 1)
        self._show(self.text())
