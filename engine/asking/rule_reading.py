"""A learner's backward rule as text, read into what is sent along each slot.

Lines are those of a lecture: `a.grad += out.grad * b.data`, also with `self` and `other` for the
first two slots, `-=` and `=`, lines `t = …` before, and the right side alone. Python's parser makes
the tree; of it are kept letters, numbers, operators and the functions of formulas, anything else is
refused, so that nothing but a formula is ever computed.

>>> from engine.ops import BY_NAME
>>> sent = read_rule(BY_NAME["mul"], "t = out.grad\\nself.grad += t * other.data")
>>> ast.unparse(sent[0].tree)
'out.grad * b'
"""

import ast
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import Struct

from engine.errors import EngineError
from engine.ops import BY_NAME, Op, meant
from engine.own import LONGEST
from engine.writers import FLOATS, call_tree

MOST_LINES: Final = 20
_MOST_PARTS: Final = 500
"""Parts of a formula in which names that were set are written out."""
_SIGNS: Final = str.maketrans(
    {"−": "-", "·": "*", "×": "*", "÷": "/", "^": "**", "²": "**2", "³": "**3"}
)
_ALLOWED: Final = (
    *(ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.IfExp, ast.Load, ast.Expression),
    *(ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.USub, ast.And, ast.Or),
    *(ast.Gt, ast.Lt, ast.GtE, ast.LtE, ast.Eq, ast.NotEq),
)
_LIBRARIES: Final = ("math", "np", "numpy", "torch")
_SHOWN: Final = 40


class Sent(Struct, frozen=True):
    """What a rule sends along a slot: a formula of the slots' letters, out and out.grad.

    It `replaces` what came before if it is assigned, instead of added.
    """

    tree: ast.expr
    replaces: bool = False


def read_rule(op: Op, rule: str, operations: Sequence[Op] = ()) -> Mapping[int, Sent]:
    """Return what a rule sends along each slot that it has a line for.

    `operations` are those of one's own that it may call. Raises EngineError with the line and the
    reason for what can't be read.
    """
    lines = re.split(r"[\n;]", rule.translate(_SIGNS)[: (LONGEST + 1) * (MOST_LINES + 1)])
    if len(lines) > MOST_LINES or any(len(line) > LONGEST for line in lines):
        raise EngineError(
            "A rule has up to {lines} lines of up to {most} characters.",
            lines=MOST_LINES,
            most=LONGEST,
        )
    reading, found = _Reading(op, operations), dict[int, Sent]()
    for number, line in enumerate(lines, 1):
        if not (text := line.split("#")[0].strip()):
            continue
        try:
            slot, sent = reading.line(text, len(found))
        except EngineError as error:
            raise EngineError("Line {line}: {reason}", line=number, reason=error) from None
        if sent is not None:
            if (before := found.get(slot)) and not sent.replaces:
                sent = Sent(ast.BinOp(before.tree, ast.Add(), sent.tree), before.replaces)
            found[slot] = sent
    return found


class _Reading(ast.NodeTransformer):
    """Reads the lines of one rule; names that lines have set stand for their formulas."""

    def __init__(self, op: Op, operations: Sequence[Op]) -> None:
        self._slots = op.slots
        self._own = {each.name: len(each.slots) for each in operations}
        self._letters: dict[str, str] = dict(zip(("self", "other"), op.slots, strict=False))
        self._letters |= {letter: letter for letter in op.slots}
        self._set: dict[str, ast.expr] = {}

    def line(self, text: str, alone: int) -> tuple[int, Sent | None]:
        """Return the slot of a line, `alone` if it names none, and what is sent.

        None is sent by a line that sets a name.
        """
        try:
            [statement] = ast.parse(text).body
        except (SyntaxError, ValueError, MemoryError, RecursionError):
            raise EngineError("it is not complete.") from None
        match statement:
            case ast.Expr(value=value) if alone < len(self._slots):
                return alone, Sent(self._formula(value))
            case ast.AugAssign(target=target, op=ast.Add() | ast.Sub() as sign, value=value):
                is_added = isinstance(sign, ast.Add)
                value = value if is_added else ast.UnaryOp(ast.USub(), value)
                return self._slot(target), Sent(self._formula(value))
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in self._letters:
                self._set[name] = self._formula(value)
                return 0, None
            case ast.Assign(targets=[target], value=ast.BinOp(left, ast.Add(), right)) if (
                ast.unparse(left) == ast.unparse(target)  # a.grad = a.grad + … adds as well
            ):
                return self._slot(target), Sent(self._formula(right))
            case ast.Assign(targets=[target], value=value):
                return self._slot(target), Sent(self._formula(value), replaces=True)
            case _:
                raise EngineError("write {slot}.grad += …", slot=self._slots[0])

    def _slot(self, target: ast.expr) -> int:
        match target:
            case ast.Attribute(value=ast.Name(id=name), attr="grad") if name in self._letters:
                return self._slots.index(self._letters[name])
            case _:
                raise EngineError(
                    "{name} is no gradient of a slot; write {slots}.",
                    name=brief(target),
                    slots=" or ".join(f"{slot}.grad" for slot in self._slots),
                )

    def _formula(self, tree: ast.expr) -> ast.expr:
        found = self.visit(tree)
        if sum(1 for _ in ast.walk(found)) > _MOST_PARTS:
            raise EngineError("it is too long when it is written out.")
        return found

    def visit(self, node: ast.AST) -> Any:  # noqa: ANN401, as NodeTransformer has it
        """Return the node in letters; EngineError for one that can't stand in a formula."""
        visitor = getattr(self, f"visit_{type(node).__name__}", None)
        signs = [part for part in ast.iter_child_nodes(node) if not isinstance(part, ast.expr)]
        if visitor is None and not all(isinstance(part, _ALLOWED) for part in (node, *signs)):
            raise EngineError("a rule can't hold {part}.", part=brief(node))
        return (visitor or self.generic_visit)(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        match node:
            case ast.Attribute(value=ast.Name(id="out"), attr="grad"):
                return ast.Name("out.grad")
            case ast.Attribute(value=ast.Name() as name, attr="data"):
                return self.visit_Name(name)
            case ast.Attribute(value=ast.Name(id=library), attr="pi" | "e" as name) if (
                library in _LIBRARIES
            ):
                return ast.Constant(getattr(math, name))
            case _:
                raise EngineError("{part} is no number of this node.", part=brief(node))

    def visit_Name(self, node: ast.Name) -> ast.expr:
        name = node.id
        if name in self._set:
            return self._set[name]
        if name == "out" or name in self._letters:
            return ast.Name(self._letters.get(name, name))
        if name == "pi":
            return ast.Constant(math.pi)
        if meant(name) or name in self._own:
            raise EngineError("{name} is a function; write {name}(…).", name=name)
        raise EngineError("{name} is no slot, and no name that was set.", name=name)

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if type(node.value) not in (int, float):
            raise EngineError("only numbers can stand in a rule.")
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        parts = node.args
        match node.func:
            case ast.Name(id=name):
                pass
            case ast.Attribute(value=ast.Name(id=library), attr=name) if library in _LIBRARIES:
                pass
            case ast.Attribute(value=value, attr=name):
                parts = [value, *parts]  # a.tanh()
            case _:
                raise EngineError("{part} can't be called.", part=brief(node.func))
        own = self._own.get(name)
        called = name if own or name in FLOATS.names else meant(name)
        if not called or node.keywords:
            raise EngineError("{name} is no function of formulas.", name=name)
        slots = own or (len(BY_NAME[called].slots) if called in BY_NAME else 1)
        if len(parts) != slots:
            raise EngineError(
                "{name} takes {slots}, not {given}.", name=name, slots=slots, given=len(parts)
            )
        return call_tree(called, *map(self.visit, parts))


def operands(tree: ast.expr) -> list[ast.expr]:
    """Return the parts of a formula of which it is computed."""
    parts = [part for part in ast.iter_child_nodes(tree) if isinstance(part, ast.expr)]
    return parts[isinstance(tree, ast.Call) :]


def brief(node: ast.AST) -> str:
    """Return a part of a rule as text, cut if it is long."""
    text = ast.unparse(node)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
