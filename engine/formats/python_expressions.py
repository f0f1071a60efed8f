"""Expressions of a program that is read, and what their things are bound to.

An expression yields the parts it needs and is sent what they stand for; those that wait are on a
stack of our own, so that depth is no limit.
"""

import ast
from collections.abc import Callable, Generator
from functools import cached_property
from typing import Any

from engine.formats.python_calls import Calls
from engine.formats.python_nodes import Nodes, Refusal
from engine.formats.python_things import ASSIGNED_QUIETLY, Imported, Nothing, Ref, Thing

_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.Pow: "pow",
}
Visit = Generator[ast.expr, Thing, Thing]


class Expressions:
    """What the expressions of one program stand for, given what its names stand for."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        self.nodes = Nodes(refusal)
        self.calls = Calls(self.nodes)
        self.names: dict[str, Thing] = {}
        self.root: int | None = None

    def evaluate(self, expression: ast.expr) -> Thing:
        """What an expression stands for; nested ones wait on a stack."""
        stack = [self._visit(expression)]
        answer: Thing | None = None
        while stack:
            try:
                wanted = stack[-1].send(answer)  # type: ignore[arg-type]
            except StopIteration as done:
                stack.pop()
                answer = done.value
            else:
                self.nodes.count(wanted)
                stack.append(self._visit(wanted))
                answer = None
        assert answer is not None
        return answer

    def _visit(self, part: ast.expr) -> Visit:
        visit = self._visits.get(type(part))
        if visit is None:
            raise self.refusal(part, "only names, numbers, operators and calls can be read")
        return visit(part)

    @cached_property
    def _visits(self) -> dict[type[ast.expr], Callable[[Any], Visit]]:
        """How each kind of expression is read: it yields its parts and is sent what they are."""
        return {
            ast.Constant: self._literal,
            ast.Name: self._name,
            ast.BinOp: self._operator,
            ast.UnaryOp: self._sign,
            ast.Call: self._call,
            ast.Attribute: self._attribute,
            ast.Tuple: self._sequence,
            ast.List: self._sequence,
            ast.Subscript: self._subscript,
            ast.ListComp: self._comprehension,
            ast.GeneratorExp: self._comprehension,
            ast.JoinedStr: self._text,
        }

    def _literal(self, part: ast.Constant) -> Visit:
        return self.nodes.literal(part.value, part)
        yield part  # this makes it a visit, one that asks for nothing

    def _name(self, part: ast.Name) -> Visit:
        if part.id in self.names:
            return self.names[part.id]
        if self.calls.is_function(part.id):
            return Imported(part.id)
        raise self.refusal(part, f"{part.id} is not defined")
        yield part

    def _operator(self, part: ast.BinOp) -> Visit:
        if type(part.op) not in _SIGNS:
            raise self.refusal(part, "only + - * / and ** can stand between two terms")
        left = yield part.left
        right = yield part.right
        return self.nodes.operate(_SIGNS[type(part.op)], (left, right), part)

    def _sign(self, part: ast.UnaryOp) -> Visit:
        operand = yield part.operand
        if isinstance(part.op, ast.USub):
            return self.nodes.operate("neg", (operand,), part)
        if isinstance(part.op, ast.UAdd) and not isinstance(operand, Ref):
            return operand
        raise self.refusal(part, "only a minus can stand before a Value")

    def _sequence(self, part: ast.Tuple | ast.List) -> Visit:
        found: list[Thing] = []
        for element in part.elts:
            found.append((yield element))
        return tuple(found)

    def _attribute(self, part: ast.Attribute) -> Visit:
        of = yield part.value
        return self.calls.attribute(of, part)

    def _subscript(self, part: ast.Subscript) -> Visit:
        of = yield part.value
        place = yield part.slice
        return self.calls.item(of, place, part)

    def _text(self, part: ast.JoinedStr) -> Visit:
        found: list[str] = []
        for piece in part.values:
            if isinstance(piece, ast.FormattedValue):
                thing = yield piece.value
                plain = piece.conversion == -1 and piece.format_spec is None
                found.append(self.calls.spelled(thing if plain else Nothing(), piece.value))
            else:
                found.append(str(getattr(piece, "value", "")))
        return self.nodes.literal("".join(found), part)

    def _call(self, part: ast.Call) -> Visit:
        called = _last(part.func)
        if isinstance(part.func, ast.Attribute) and called in ("backward", "_backward"):
            thing = yield part.func.value
            if isinstance(thing, Ref) and called == "backward":
                self.root = thing.node
            return Nothing()
        if self.calls.is_tolerated(part.func):
            return Nothing()
        if called == "where":
            chosen = yield from self._where(part)
            return chosen
        function = yield part.func
        arguments: list[Thing] = []
        for argument in part.args:
            arguments.append((yield argument))
        keywords = yield from self._keywords(part)
        return self.calls.call(function, tuple(arguments), keywords, part)

    def _keywords(self, part: ast.Call) -> Generator[ast.expr, Thing, dict[str, Thing]]:
        found: dict[str, Thing] = {}
        for keyword in part.keywords:
            if keyword.arg is None:
                raise self.refusal(keyword.value, "** can't be read here")
            if keyword.arg not in ("dtype", "device"):
                found[keyword.arg] = yield keyword.value
        return found

    def _where(self, part: ast.Call) -> Visit:
        """torch.where(c > 0, x, y), which is where_gt0(c, x, y)."""
        yield part.func
        match part.args:
            case [ast.Compare(left=c, ops=[ast.Gt()], comparators=[ast.Constant(value=0)]), x, y]:
                things = ((yield c), (yield x), (yield y))
                return self.nodes.operate("where_gt0", things, part)
            case _:
                raise self.refusal(part, "of where, only where(c > 0, x, y) can be read")

    def _comprehension(self, part: ast.ListComp | ast.GeneratorExp) -> Visit:
        outside = dict(self.names)
        found: list[Thing] = []
        yield from self._each(part.generators, part.elt, found)
        self.names = outside
        return tuple(found)

    def _each(
        self, loops: list[ast.comprehension], element: ast.expr, found: list[Thing]
    ) -> Generator[ast.expr, Thing, None]:
        if not loops:
            found.append((yield element))
            return
        loop, *inner = loops
        if loop.ifs or loop.is_async or len(inner) > 3:
            raise self.refusal(loop.target, "only plain loops can be read here")
        items = yield loop.iter
        for item in self.calls.items(items, loop.iter):
            self.bind(loop.target, item, naming=False)
            yield from self._each(inner, element, found)

    def bind(self, target: ast.expr, thing: Thing, naming: bool = True) -> None:
        """Give a thing to a name, several things to several, or to an attribute."""
        match target:
            case ast.Name(id=name):
                self.names[name] = self.nodes.named(thing, name) if naming else thing
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                if not isinstance(thing, tuple) or len(thing) != len(targets):
                    raise self.refusal(target, f"there are not {len(targets)} things to unpack")
                for each, part in zip(targets, thing, strict=True):
                    self.bind(each, part, naming)
            case ast.Attribute():
                self._set(target, thing)
            case _:
                raise self.refusal(target, "only names can be assigned")

    def _set(self, target: ast.Attribute, thing: Thing) -> None:
        if target.attr == "label":
            self.nodes.set_label(self._ref(target.value), thing, target)
        elif target.attr == "requires_grad":
            self.nodes.set_wanted(self._ref(target.value).node, thing, target)
        elif target.attr not in ASSIGNED_QUIETLY:
            raise self.refusal(target, f".{target.attr} can't be set")

    def _ref(self, expression: ast.expr) -> Ref:
        thing = self.evaluate(expression)
        if not isinstance(thing, Ref):
            raise self.refusal(expression, "this is no Value")
        return thing


def _last(function: ast.expr) -> str:
    """The name by which a function is called."""
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""
