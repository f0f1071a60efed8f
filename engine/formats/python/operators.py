"""Operators in a program that is read, between numbers, Values, texts and lists."""

import ast

from engine.formats.expression_reader import OTHER_OPERATOR
from engine.formats.python.calls import Calls
from engine.formats.python.nodes import Nodes
from engine.formats.python.source import Source
from engine.formats.python.things import Thing, Unread, number_of

MOST_TIMES = 10**9
"""Keeps the count of steps small for `[0] * 10**1000`; far fewer are refused."""

_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.Pow: "pow",
    ast.Mod: "mod",
    ast.FloorDiv: "floordiv",
}


class Operators:
    """Evaluates `a + b`, `a * b` and so on, also where they change a list in place."""

    def __init__(self, source: Source, nodes: Nodes, calls: Calls) -> None:
        self.refusal = source.refusal
        self.nodes = nodes
        self.calls = calls

    def sign_of(self, part: ast.BinOp | ast.AugAssign) -> str:
        """Return the name of an operator's operation; refuses others."""
        if type(part.op) not in _SIGNS:
            raise self.refusal(part, OTHER_OPERATOR)
        return _SIGNS[type(part.op)]

    def joined(self, op: str, left: Thing, right: Thing, part: ast.AST) -> Thing:
        """Evaluate an operator between two objects: Values, numbers, texts or lists."""
        if isinstance(left, str) and op == "mod":  # printf-style formatting
            return Unread(self.refusal(part, "texts made with % can't be read."), maybe_value=False)
        if isinstance(left, str) and isinstance(right, str) and op == "add":
            return self.nodes.literal(left + right, part)
        if isinstance(left, list) and isinstance(right, list) and op == "add":
            self.nodes.count(part, len(left) + len(right))
            return left + right
        times = number_of(right)
        if isinstance(left, list) and op == "mul" and isinstance(times, int):
            self.nodes.count(part, max(len(left), 1) * max(min(times, MOST_TIMES), 0))
            return left * times
        return self.nodes.operate(op, (left, right), part)

    def augmented(self, part: ast.AugAssign, held: Thing, by: Thing) -> Thing:
        """Evaluate `held += by`; a list is changed in place for all its names."""
        if isinstance(held, list) and isinstance(by, Unread):
            raise by.why
        if isinstance(held, list) and isinstance(by, tuple):
            by = list(self.calls.items(by, part))
        found = self.joined(self.sign_of(part), held, by, part)
        if isinstance(held, list) and isinstance(found, list):
            held[:] = found
            return held
        return found
