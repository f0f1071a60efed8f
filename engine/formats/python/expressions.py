"""Evaluates the expressions of a program that is read, and binds names to the results.

The reader of an expression is a generator: it yields the sub-expressions it needs and is sent their
results. Waiting generators are on an explicit stack, so that depth has no limit.
"""

import ast
from collections.abc import Callable, Generator, Sequence
from functools import cached_property
from typing import Any, Protocol

from engine.errors import FormatError
from engine.formats.python.calls import NO_ITEM, Calls, Operators
from engine.formats.python.objects import (
    Imported,
    Nodes,
    Nothing,
    OneShot,
    Own,
    Ref,
    Thing,
    Unread,
    number_of,
)
from engine.formats.python.side_effects import first_change, names_bound_in
from engine.formats.python.source import Source, pieces

_WIRING = frozenset({"_prev", "_op", "_backward", "_children"})
"""Attributes of a Value that hold the graph together."""


class Targets:
    """Binds the targets on the left of an assignment."""

    def __init__(
        self,
        nodes: Nodes,
        calls: Calls,
        names: dict[str, Thing],
        evaluate: Callable[[ast.expr], Thing],
    ) -> None:
        self._nodes = nodes
        self._calls = calls
        self._names = names
        self._evaluate = evaluate

    def bind(self, target: ast.expr, thing: Thing, naming: bool = True) -> None:
        """Bind an object to a name, several objects to several, or to an attribute."""
        match target:
            case ast.Name(id=name):
                self._names[name] = self._nodes.named(thing, name) if naming else thing
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                self._unpack(target, targets, thing, naming)
            case ast.Attribute():
                self._set(target, thing)
            case ast.Subscript(value=of, slice=place):
                self._set_item(target, self._evaluate(of), self._evaluate(place), thing)
            case _:
                raise self._nodes.refusal(target, "only names can be assigned.")

    def _unpack(
        self, target: ast.expr, targets: list[ast.expr], thing: Thing, naming: bool
    ) -> None:
        if isinstance(thing, Unread):
            parts: Sequence[Thing] = [thing] * len(targets)
        elif isinstance(thing, tuple | list) and len(thing) == len(targets):
            parts = self._calls.items(thing, target)
        else:
            raise self._nodes.refusal(
                target, "there are not {count} things to unpack.", count=len(targets)
            )
        for each, part in zip(targets, parts, strict=True):
            self.bind(each, part, naming)

    def _set_item(self, target: ast.expr, of: Thing, place: Thing, thing: Thing) -> None:
        """Evaluate `xs[2] = ...`."""
        index = number_of(place)
        if isinstance(of, Unread) and not of.maybe_value:
            return
        if not isinstance(of, list) or not isinstance(index, int):
            raise self._nodes.refusal(target, "only an item of a list can be assigned.")
        if not -len(of) <= index < len(of):
            raise self._nodes.mistake(target, NO_ITEM, count=len(of), index=index)
        of[index] = thing

    def _set(self, target: ast.Attribute, thing: Thing) -> None:
        of = self._evaluate(target.value)
        if isinstance(of, Imported) and of.last == "Value":
            self._teach(target, thing)
            return
        if isinstance(of, Imported | Unread) and not (isinstance(of, Unread) and of.maybe_value):
            return  # a setting of a library, an attribute of a plot
        ref = self._ref(target.value, of)
        if target.attr == "label":
            self._nodes.set_label(ref, thing, target)
        elif target.attr == "requires_grad":
            self._nodes.set_wanted(ref.node, thing, target)
        elif target.attr in ("data", "grad"):
            self._set_number(ref.node, target, thing)
        elif target.attr in _WIRING:
            raise self._nodes.refusal(target, ".{name} can't be set.", name=target.attr)

    def _set_number(self, node: int, target: ast.Attribute, thing: Thing) -> None:
        """Evaluate `v.data = 2` and `v.grad = 0`; None, as in torch, means no gradient yet."""
        if self._nodes.passes.closed:
            return
        if isinstance(thing, Unread):
            raise thing.why
        number = number_of(thing)
        if target.attr == "grad":
            self._nodes.passes.grad[node] = 0.0 if number is None else float(number)
        elif number is None:
            raise self._nodes.refusal(target, ".data is one plain number.")
        else:
            self._nodes.passes.set_data(node, self._nodes.as_float(number, target), target)

    def _teach(self, target: ast.Attribute, thing: Thing) -> None:
        """Accept Value.tanh = ..., which defines a method; our operation replaces it."""
        if not isinstance(thing, Own):
            raise self._nodes.refusal(target, ".{name} of Value can't be set.", name=target.attr)
        self._calls.own_value = True

    def _ref(self, expression: ast.expr, thing: Thing) -> Ref:
        if isinstance(thing, Unread):
            raise thing.why
        if not isinstance(thing, Ref):
            raise self._nodes.refusal(expression, "this is no Value.")
        return thing


_NO_VALUE = (
    ast.Compare, ast.Dict, ast.DictComp, ast.Set, ast.SetComp, ast.JoinedStr, ast.Constant,
)  # fmt: skip
Visit = Generator[ast.expr, Thing, Thing]


class Refusal(Protocol):
    """Makes the error for a part of a program; fields fill the reason, a template."""

    def __call__(self, part: ast.AST, reason: str, /, **fields: object) -> FormatError: ...


class Expressions:
    """Evaluates the expressions of one program in the scope of its names."""

    def __init__(self, source: Source) -> None:
        self.refusal = source.refusal
        self._row_of = source.row_of
        self.nodes = Nodes(source)
        self.calls = Calls(self.nodes)
        self.operators = Operators(source, self.nodes, self.calls)
        self.names: dict[str, Thing] = {}
        self.targets = Targets(self.nodes, self.calls, self.names, self.evaluate)
        self.root: int | None = None

    def evaluate(self, expression: ast.expr) -> Thing:
        """Evaluate an expression; nested ones wait on a stack."""
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
        return self._visits.get(type(part), self._beyond)(part)

    @cached_property
    def _visits(self) -> dict[type[ast.expr], Callable[[Any], Visit]]:
        """Return the generator function for each kind of expression."""
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
            ast.Lambda: self._function,
        }

    def _beyond(self, part: ast.expr) -> Visit:
        """Skip an expression of an unsupported kind; refuse it where something depends on it."""
        why = self.refusal(part, "only names, numbers, operators and calls can be read.")
        self.pass_over(part, why)
        return Unread(why, maybe_value=not isinstance(part, _NO_VALUE))
        yield part

    def _function(self, part: ast.Lambda) -> Visit:
        return Own(part)
        yield part

    def pass_over(self, part: ast.AST, why: FormatError) -> None:
        """Skip code that changes nothing; raises `why` if it may change something.

        The names it binds become unknown, and so do iterators that it may use up.
        """
        if first_change(part, self.names) is not None:
            raise why
        for piece in pieces(part):
            if isinstance(piece, ast.Name) and isinstance(self.names.get(piece.id), OneShot):
                self.names[piece.id] = Unread(why)
        self.forget(part, why)

    def forget(self, part: ast.AST, why: FormatError) -> None:
        """Mark the names that some code binds as unknown."""
        if not isinstance(part, ast.Lambda | ast.FunctionDef):
            for name in names_bound_in(part):
                self.names[name] = Unread(why)

    def _literal(self, part: ast.Constant) -> Visit:
        return self.nodes.literal(part.value, part)
        yield part  # makes this function a generator; never reached

    def _name(self, part: ast.Name) -> Visit:
        if part.id in self.names:
            return self.names[part.id]
        if self.calls.is_function(part.id):
            return Imported(part.id)
        raise self.nodes.mistake(part, "{name} is not defined.", name=part.id)
        yield part

    def _operator(self, part: ast.BinOp) -> Visit:
        sign = self.operators.sign_of(part)
        left = yield part.left
        right = yield part.right
        return self.operators.joined(sign, left, right, part)

    def _sign(self, part: ast.UnaryOp) -> Visit:
        operand = yield part.operand
        if isinstance(part.op, ast.USub):
            return self.nodes.operate("neg", (operand,), part)
        known = isinstance(operand, Ref | Unread) or number_of(operand) is not None
        if isinstance(part.op, ast.UAdd) and known:
            return operand
        if isinstance(part.op, ast.Not):
            return Unread(self.refusal(part, "not can't be read."), maybe_value=False)
        raise self.refusal(part, "only a plus or a minus can stand before a Value.")

    def _sequence(self, part: ast.Tuple | ast.List) -> Visit:
        found: list[Thing] = []
        for element in part.elts:
            found.append((yield element))
        return found if isinstance(part, ast.List) else tuple(found)

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
                if piece.conversion != -1 or piece.format_spec is not None:
                    unread = yield from self._beyond(part)
                    return unread
                found.append(self.calls.spelled((yield piece.value), piece.value))
            else:
                found.append(str(getattr(piece, "value", "")))
        return self.nodes.literal("".join(found), part)

    def _call(self, part: ast.Call) -> Visit:
        called = _last(part.func)
        if isinstance(part.func, ast.Attribute) and called in ("backward", "_backward"):
            thing = yield part.func.value
            self._run_back(thing, called, part)
            return Nothing()
        if called == "zero_" and isinstance(part.func, ast.Attribute):
            self.targets.bind(part.func.value, 0)  # w.grad.zero_()
            return Nothing()
        own = self.names.get(part.func.id) if isinstance(part.func, ast.Name) else None
        if self.calls.is_tolerated(part.func):
            self._tolerate(own, part)
            return Nothing()
        if isinstance(own, Own):
            return self._of_own(own, part)
        if called == "where":
            chosen = yield from _where(self.nodes, self.refusal, part)
            return chosen
        function = yield part.func
        arguments: list[Thing] = []
        for argument in part.args:
            arguments.append((yield argument))
        keywords = yield from _keywords(self.refusal, part)
        return self.calls.call(function, tuple(arguments), keywords, part)

    def _run_back(self, thing: Thing, called: str, part: ast.Call) -> None:
        """Evaluate v.backward(), which makes v the root, or v._backward() of a single node."""
        if isinstance(thing, Unread):
            raise thing.why
        if isinstance(thing, Ref) and called == "backward":
            self.root = thing.node
            self.nodes.count(part, self.nodes.passes.backward(thing.node))
        elif isinstance(thing, Ref):
            self.nodes.passes.push(thing.node)

    def _tolerate(self, own: Thing | None, part: ast.Call) -> None:
        """Skip a call that only displays something or clears gradients; check its arguments."""
        why = self.refusal(part, "what this call changes can't be read.")
        if isinstance(own, Own):
            self.pass_over(own.node, why)
        for given in (*part.args, *(keyword.value for keyword in part.keywords)):
            self.pass_over(given, why)

    def _of_own(self, own: Own, part: ast.Call) -> Thing:
        """Evaluate a call of a function the program defines: skipped if it can change nothing."""
        reason = "{name} is a function of the program's own ({defined}), and is not run."
        if isinstance(own.node, ast.ClassDef):
            reason = "{name} is a class of the program's own ({defined}), and is not run."
        defined = self._row_of(own.node)
        why = self.refusal(part, reason, name=_last(part.func), defined=defined)
        self.pass_over(part, why)
        return Unread(why, maybe_value=_returns(own.node))

    def _comprehension(self, part: ast.ListComp | ast.GeneratorExp) -> Visit:
        outside = dict(self.names)
        found: list[Thing] = []
        yield from self._each(part.generators, part.elt, found)
        self.names.clear()
        self.names.update(outside)
        return found if isinstance(part, ast.ListComp) else OneShot(found)

    def _each(
        self, loops: list[ast.comprehension], element: ast.expr, found: list[Thing]
    ) -> Generator[ast.expr, Thing, None]:
        if not loops:
            found.append((yield element))
            return
        loop, *inner = loops
        if loop.ifs or loop.is_async or len(inner) > 3:
            raise self.refusal(loop.target, "only plain loops can be read here.")
        items = yield loop.iter
        for item in self.calls.items(items, loop.iter):
            self.targets.bind(loop.target, item, naming=False)
            yield from self._each(inner, element, found)


def _last(function: ast.expr) -> str:
    """Return the last part of a function's name."""
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _returns(function: ast.AST) -> bool:
    """Return whether a function of the program returns anything."""
    return isinstance(function, ast.Lambda) or any(
        isinstance(part, ast.Return) and part.value is not None for part in pieces(function)
    )


def _keywords(refusal: Refusal, part: ast.Call) -> Generator[ast.expr, Thing, dict[str, Thing]]:
    found: dict[str, Thing] = {}
    for keyword in part.keywords:
        if keyword.arg is None:
            raise refusal(keyword.value, "** can't be read here.")
        if keyword.arg not in ("dtype", "device"):
            found[keyword.arg] = yield keyword.value
    return found


def _where(nodes: Nodes, refusal: Refusal, part: ast.Call) -> Visit:
    """Evaluate torch.where(c > 0, x, y), which is where_gt0(c, x, y)."""
    yield part.func
    match part.args:
        case [ast.Compare(left=c, ops=[ast.Gt()], comparators=[ast.Constant(value=0)]), x, y]:
            things = ((yield c), (yield x), (yield y))
            return nodes.operate("where_gt0", things, part)
        case _:
            raise refusal(part, "of where, only where(c > 0, x, y) can be read.")
