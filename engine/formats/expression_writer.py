"""Writes expressions: the ancestors of a root as assignments, inputs first.

A labelled op node, and one that is used more than once, gets a line of its own. Any other is
written inside the formula of its user, until that becomes too long or too deep to read. An empty
slot is written `?`, which cannot be read back.
"""

import math

from msgspec import Struct

from engine.graph import Constant, Graph, Leaf

LINE_LIMIT = 200
DEPTH_LIMIT = 20

_LONG_NUMBER = 1e15
"""Whole numbers from here on are written with an exponent or `.0`, as Python does."""
_STRENGTH = {"add": 1, "sub": 1, "mul": 2, "div": 2, "neg": 3, "pow": 4}
_SIGNED = 3
_ATOM = 9


class _Term(Struct, frozen=True):
    """A piece of a formula: its binding strength, and its nesting depth."""

    text: str
    strength: int = _ATOM
    depth: int = 0

    def within(self, strength: int) -> str:
        """Return the piece for use beside an operator, in brackets if that binds as tightly."""
        return self.text if self.strength > strength else f"({self.text})"


def lines(graph: Graph, root: int, values: bool) -> list[str]:
    """Return the assignments that end with the root's; with `values`, those of its leaves too."""
    order = graph.plan(root).order
    uses = dict.fromkeys(order, 0)
    for node in order:
        for source in graph.inputs(node):
            if source is not None:
                uses[source] += 1
    found: list[str] = []
    terms: dict[int, _Term] = {}
    for node in order:
        name = graph.names[node]
        term = _term(graph, node, terms)
        own = isinstance(graph.nodes[node], Leaf) or _has_own_line(graph, node, term, uses[node])
        terms[node] = _Term(name) if own else term
        if own and (values or term.text != name or node == root):
            found.append(f"{name} = {_spelled(graph, node, term)}")
        elif node == root:
            found.append(term.text)
    return found


def literal(value: float) -> str:
    """Return the shortest text that reads back as the same number."""
    if math.isfinite(value) and value == math.floor(value) and abs(value) < _LONG_NUMBER:
        return "-0.0" if value == 0 and math.copysign(1, value) < 0 else str(int(value))
    return repr(value)


def _term(graph: Graph, node: int, terms: dict[int, _Term]) -> _Term:
    found = graph.nodes[node]
    if isinstance(found, Leaf):
        return _Term(graph.names[node])
    if isinstance(found, Constant):
        text = literal(found.value)
        return _Term(text, _SIGNED if text.startswith("-") else _ATOM)
    parts = [_Term("?") if s is None else terms[s] for s in graph.inputs(node)]
    text, strength = _formula(graph, node, parts)
    return _Term(text, strength, 1 + max(part.depth for part in parts))


def _formula(graph: Graph, node: int, parts: list[_Term]) -> tuple[str, int]:
    op = graph.op(node)
    if op.name == "neg" and not _is_number(parts[0]):
        return f"-{parts[0].within(_SIGNED)}", _SIGNED
    if not op.infix:
        return f"{op.name}({', '.join(part.text for part in parts)})", _ATOM
    mine = _STRENGTH[op.name]
    left, right = parts
    if op.name == "pow":  # right-associative, and binds tighter than unary minus
        return f"{left.within(mine)}**{right.within(_SIGNED - 1)}", mine
    sign = op.infix if op.infix in "*/" else f" {op.infix} "
    return f"{left.within(mine - 1)}{sign}{right.within(mine)}", mine


def _is_number(term: _Term) -> bool:
    """Return whether a minus sign before this would make a negative constant of it."""
    return term.depth == 0 and (term.text[0].isdigit() or term.text in ("inf", "nan"))


def _has_own_line(graph: Graph, node: int, term: _Term, uses: int) -> bool:
    if isinstance(graph.nodes[node], Constant):
        return False
    large = len(term.text) > LINE_LIMIT or term.depth > DEPTH_LIMIT
    return bool(graph.label(node)) or uses > 1 or (large and uses > 0)


def _spelled(graph: Graph, node: int, term: _Term) -> str:
    found = graph.nodes[node]
    return literal(found.value) if isinstance(found, Leaf) else term.text
