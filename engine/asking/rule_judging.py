"""A learner's backward rule, judged along each slot of an operation at points of its own choice.

A rule is right if it sends upstream × local derivative, that of the engine's own pass, at every
point: seeded ones, at least five on either side of every kink. A wrong one is compared with what
each wrong idea would send, then with rules that differ from it in one place.

>>> from engine.ops import BY_NAME
>>> for verdict in judge(BY_NAME["mul"], "a.grad += out.grad * b.data; b.grad += out.grad"):
...     print(verdict.says)
Right along a.
This passes out.grad on as it is; the slope is missing.
"""

import ast
import math
import operator
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.asking.rule_reading import Sent, read_rule
from engine.edits import unfold
from engine.errors import EngineError
from engine.graph import Graph, Leaf, Node, OpNode, Root
from engine.numbers import short
from engine.ops import Op, Rule
from engine.own import own
from engine.rules import Rules
from engine.writers import FLOATS

Kind = Literal["right", "wrong", "can't tell", "can't be read"]
Numbers = Mapping[str, float]

PER_SIDE: Final = 5
"""Points on either side of each kink, where there are as many, and in any case."""
_RADII: Final = (2.5, 10.0, 100.0)
"""Ranges from which inputs are drawn, one after the other, until both sides have their points."""
_TRIES: Final = 60
"""Draws from each range."""
_FIRST: Final = (2.0, 3.0, 0.5, -1.0)
"""The inputs of the first point, which a person can follow; out.grad is −1.5."""
_TOLERANCE: Final = 1e-7
"""Largest relative error of what a rule sends."""
_NEGLIGIBLE: Final = 1e-13
"""What is smaller than this share of the largest slope is lost in rounding."""
_MOST_CHANGES: Final = 200
"""Changes of one place that are tried: with 30 names about 8 ms."""
_MOST_PARTS: Final = (8, 2)
"""Parts of a formula about which there are ideas, in a short and in a long one."""
_LONG: Final = 60
_SHOWN_ROWS: Final = 3
_DRAWN_GRADS: Final = (0.4, 3.0)


class Verdict(Struct, frozen=True):
    """What is said of a rule along one slot.

    `belief` names the wrong idea, "" if none is known, and `says` is one sentence, which holds for
    all points. At `point`, the first one that differs, `upstream` is out.grad, `got` what the rule
    sends and `expected` what it should. Where a kink has no points on one of its sides, `tried` is
    the range of inputs, else "".
    """

    slot: str
    kind: Kind
    says: str
    belief: str = ""
    point: tuple[float, ...] = ()
    upstream: float = 0.0
    got: float = 0.0
    expected: float = 0.0
    tried: str = ""
    rows: tuple["Row", ...] = ()
    """Up to three points, the first wrong one first."""


Row = tuple[tuple[float, ...], float, float, float]
"""The inputs of a point, out.grad there, what the rule sends, and what it should."""


class _Point(Struct, frozen=True):
    """One point: the inputs, out.grad and the value; the slope along each slot."""

    inputs: tuple[float, ...]
    upstream: float
    value: float
    slopes: tuple[float, ...]


def judge(op: Op, rule: str, operations: Sequence[Op] = (), seed: int = 0) -> tuple[Verdict, ...]:
    """Return a verdict along each slot of an operation; `rule` may call `operations`, too.

    Another `seed` draws other points.
    """
    known = tuple(each for each in operations if each.name != op.name)
    try:
        sent = read_rule(op, rule, known)
    except EngineError as error:
        return tuple(Verdict(slot, "can't be read", str(error)) for slot in op.slots)
    points, tried = _points(op, seed)
    if not points:
        return tuple(Verdict(slot, "can't tell", _NO_POINT) for slot in op.slots)
    machine = _Machine(op, known)
    return tuple(
        _verdict(op, slot, sent.get(slot), points, tried, machine) for slot in range(len(op.slots))
    )


def as_rules(op: Op, operations: Sequence[Op] = ()) -> Rules | None:
    """Return the pass in which a learner's own rule is used for an operation, as it is.

    None if it can't be read, and if what it sends is no multiple of out.grad: no local derivative
    could stand on its wires.
    """
    try:
        lines = read_rule(op, op.rule, operations)
    except EngineError:
        return None
    machine, slots = _Machine(op, operations), range(len(op.slots))
    points, _tried = _points(op, 0)
    for line in lines.values():
        for p in points:
            once, twice, none = (
                machine.sent(line, replace(p, upstream=up)) for up in (1.0, 2.0, 0.0)
            )
            if none or abs(twice - 2 * once) > _TOLERANCE * abs(twice):
                return None
    if not all(slot in lines for slot in slots):
        return None

    def partial(of: Op, slot: int) -> Rule:
        if of.name != op.name:
            return of.partials[slot]
        return lambda *numbers: machine.sent(
            lines[slot], _Point(numbers[:-1], 1.0, numbers[-1], ())
        )

    replacing = all(line.sign == "=" for line in lines.values())
    return Rules(
        name=OWN_RULE,
        title=f"{op.name} by your rule",
        sentence=f"The backward pass uses your own rule for {op.name}, which is wrong.",
        code=op.rule,
        partial=partial,
        accumulate=not replacing,
    )


OWN_RULE: Final = "own-rule"
_NO_POINT: Final = "The formula has no value or no slope at any of the points tried."


_OPERATORS: Final[Mapping[type[ast.AST], Callable[..., Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: FLOATS.names["div"],
    ast.Pow: FLOATS.names["pow"],
    ast.USub: operator.neg,
    ast.Gt: operator.gt,
    ast.Lt: operator.lt,
    ast.GtE: operator.ge,
    ast.LtE: operator.le,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.And: lambda *parts: all(parts),
    ast.Or: lambda *parts: any(parts),
}


class _Machine:
    """Computes what a rule sends at a point, by walking its tree: none of it becomes code."""

    def __init__(self, op: Op, operations: Sequence[Op]) -> None:
        self._slots = op.slots
        self._functions = FLOATS.names | {each.name: each.forward for each in operations}

    def sent(
        self, line: Sent, point: _Point, change: tuple[ast.expr, ast.expr] | None = None
    ) -> float:
        """Return what is sent, with a tree in place of a node of it."""
        numbers = dict(zip(self._slots, point.inputs, strict=True))
        numbers |= {"out": point.value, "up": point.upstream}
        try:
            number = self._value(line.tree, numbers, change)
        except OverflowError:
            return math.nan
        return -number if line.sign == "-=" else float(number)

    def _value(
        self, tree: ast.expr, numbers: Numbers, change: tuple[ast.expr, ast.expr] | None
    ) -> float:
        if change is not None and tree is change[0]:
            tree, change = change[1], None
        match tree:
            case ast.Constant(value=float(number)):
                return number
            case ast.Name(id=name):
                return numbers[name]
            case ast.IfExp(test=test, body=body, orelse=other):
                chosen = body if self._value(test, numbers, change) else other
                return self._value(chosen, numbers, change)
            case _:
                pass
        name, operands = _taken_apart(tree)
        function = self._functions[name] if isinstance(name, str) else _OPERATORS[name]
        return function(*(self._value(part, numbers, change) for part in operands))


def _taken_apart(tree: ast.expr) -> tuple[str | type[ast.AST], list[ast.expr]]:
    """Return the function or operator of a tree, and its operands."""
    match tree:
        case ast.BinOp(left=a, op=sign, right=b) | ast.Compare(left=a, ops=[sign], comparators=[b]):
            return type(sign), [a, b]
        case ast.UnaryOp(op=sign, operand=a):
            return type(sign), [a]
        case ast.BoolOp(op=sign, values=parts):
            return type(sign), parts
        case ast.Call(func=ast.Name(id=name), args=parts):
            return name, parts
        case _:
            raise ValueError(ast.dump(tree))


# Points


@lru_cache(maxsize=64)
def _sides(kink_at: str) -> tuple[ast.expr, ...]:
    """Return the differences whose signs are the sides of an operation's kinks."""
    if not kink_at:
        return ()
    tree = ast.parse(kink_at, mode="eval").body
    parts = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.Or) else [tree]
    return tuple(
        ast.BinOp(part.left, ast.Sub(), part.comparators[0])
        for part in parts
        if isinstance(part, ast.Compare)
    )


@lru_cache(maxsize=64)
def _points(op: Op, seed: int) -> tuple[tuple[_Point, ...], str]:
    """Return points with a value and slopes, and the range if a side of a kink has too few."""
    draw = random.Random(seed)
    sides = [FLOATS.function(op.slots, ast.unparse(tree)) for tree in _sides(op.kink_at)]
    counts = [{True: 0, False: 0} for _ in sides]
    points: list[_Point] = []
    count = len(op.slots)
    candidates: Iterator[tuple[float, ...]] = iter((_FIRST[:count],) if seed == 0 else ())
    for widened, radius in enumerate(_RADII, 1):
        for k in range(_TRIES + 1):
            inputs = next(candidates, None) or tuple(
                round(draw.uniform(-radius, radius) if k % 2 else draw.uniform(0.2, radius), 2)
                for _ in range(count)
            )
            point = _point(op, inputs, draw, first=not points and seed == 0)
            if point is None:
                continue
            at = [side(*inputs) > 0 for side in sides]
            if len(points) >= widened * (PER_SIDE + 2) and all(
                c[side] >= PER_SIDE for c, side in zip(counts, at, strict=True)
            ):
                continue
            points.append(point)
            for c, side in zip(counts, at, strict=True):
                c[side] += 1
        if len(points) >= PER_SIDE + 2 and all(min(c.values()) >= PER_SIDE for c in counts):
            return tuple(points), ""
    if not points:
        return (), ""
    lowest, highest = (f(x for p in points for x in p.inputs) for f in (min, max))
    few = any(min(c.values()) < PER_SIDE for c in counts) or len(points) < PER_SIDE
    return tuple(points), f"{short(lowest)} to {short(highest)}" if few else ""


def _point(op: Op, inputs: tuple[float, ...], draw: random.Random, *, first: bool) -> _Point | None:
    """Return a point; None without a finite value and slopes, and at a kink."""
    size, sign = round(draw.uniform(*_DRAWN_GRADS), 2), draw.choice((-1.0, 1.0))
    upstream = -1.5 if first else sign * size
    value = op.forward(*inputs)
    if not math.isfinite(value) or op.kink(*inputs):
        return None
    slopes = tuple(partial(*inputs, value) for partial in op.partials)
    return _Point(inputs, upstream, value, slopes) if all(map(math.isfinite, slopes)) else None


# Judging


def _verdict(
    op: Op, slot: int, line: Sent | None, points: Sequence[_Point], tried: str, machine: _Machine
) -> Verdict:
    name = op.slots[slot]
    if line is None:
        return Verdict(name, "can't be read", f"Write what goes along {name}: {name}.grad += …")
    judged = _Judged(op, slot, points)
    sent = [machine.sent(line, point) for point in points]
    wrong = judged.first_wrong(sent)
    shown = sorted(range(len(sent)), key=lambda k: k != wrong)[:_SHOWN_ROWS]
    rows = tuple(judged.at(k, sent) for k in shown)
    if wrong is None:
        if line.sign == "=":
            says = "= throws away what came before, over other wires; write +=."
            return Verdict(name, "wrong", says, "replaced", *judged.at(0, sent), rows=rows)
        says = f"Right along {name}."
        if tried:
            says = f"Right along {name} where tried: {tried}."
        return Verdict(name, "right", says, tried=tried, rows=rows)
    belief, says = judged.belief(sent) or judged.repair(line, machine) or ("", "")
    at = judged.at(wrong, sent)
    if not says:
        inputs = ", ".join(
            f"{letter} = {short(x)}" for letter, x in zip(op.slots, at[0], strict=True)
        )
        upstream, got, expected = map(short, at[1:])
        says = f"At {inputs} and out.grad = {upstream} it sends {got}, not {expected}."
    return Verdict(name, "wrong", says, belief, *at, rows=rows)


class _Judged:
    """What is right along one slot, at the points, and what wrong ideas would send there."""

    def __init__(self, op: Op, slot: int, points: Sequence[_Point]) -> None:
        self._op, self._slot, self._points = op, slot, points
        self._expected = [p.upstream * p.slopes[slot] for p in points]
        largest = max(abs(p.slopes[slot]) for p in points)
        self._negligible = [_NEGLIGIBLE * abs(p.upstream) * largest for p in points]

    def first_wrong(self, sent: Sequence[float]) -> int | None:
        """Return the index of the first point at which something else is sent."""
        return next((k for k in range(len(sent)) if not self._is_near(k, sent[k])), None)

    def at(self, k: int, sent: Sequence[float]) -> tuple[tuple[float, ...], float, float, float]:
        point = self._points[k]
        return point.inputs, point.upstream, sent[k], self._expected[k]

    def _is_near(self, k: int, number: float, wanted: float | None = None) -> bool:
        wanted = self._expected[k] if wanted is None else wanted
        return abs(number - wanted) <= _TOLERANCE * abs(wanted) + self._negligible[k]

    def belief(self, sent: Sequence[float]) -> tuple[str, str] | None:
        """Return the first idea that sends what the rule sends at every point, and its sentence."""
        for name, formula, says, letters in self._ideas():
            idea = _idea(formula)
            if all(
                self._is_near(k, sent[k], idea(*(letters(k)[x] for x in _IDEA_LETTERS)))
                for k in range(len(sent))
            ):
                return name, says
        return None

    def _ideas(self) -> Iterator[tuple[str, str, str, Callable[[int], Numbers]]]:
        op, slot = self._op, self._slot
        yield "nothing", "0 * up", "Nothing is sent.", self._letters
        for part in _parts(op):
            for name, formula, says in _IDEAS_OF_PARTS[part.kind]:
                yield (
                    name,
                    formula,
                    says.format(part=part.text),
                    lambda k, part=part: (
                        self._letters(k) | part.letters(self._points[k].inputs, slot)
                    ),
                )
        for name, formula, says in _IDEAS:
            yield name, formula, says.format(slot=op.slots[slot]), self._letters
        for other, letter in enumerate(op.slots):
            if other != slot:
                yield (
                    "other input's slope",
                    "up * other",
                    f"This belongs to {letter}: the slots are swapped.",
                    lambda k, other=other: (
                        self._letters(k) | {"other": self._points[k].slopes[other]}
                    ),
                )

    def _letters(self, k: int) -> dict[str, float]:
        point = self._points[k]
        return dict.fromkeys(_IDEA_LETTERS, math.nan) | {
            "up": point.upstream,
            "out": point.value,
            "x": point.inputs[self._slot],
            "d": point.slopes[self._slot],
        }

    def repair(self, line: Sent, machine: _Machine) -> tuple[str, str] | None:
        """Return the one change of one place that makes a rule right, as a sentence."""
        for says, *change in islice(_changes(line.tree, self._op.slots), _MOST_CHANGES):
            if all(
                self._is_near(k, machine.sent(line, point, (change[0], change[1])))
                for k, point in enumerate(self._points)
            ):
                return "one place", says
        return None


_IDEA_LETTERS: Final = ("up", "out", "x", "d", "other", "u", "v", "k", "ku", "none")


@lru_cache(maxsize=256)
def _idea(formula: str) -> Callable[..., float]:
    function = FLOATS.function(_IDEA_LETTERS, formula)

    def number(*letters: float) -> float:
        try:
            return float(function(*letters))
        except (ArithmeticError, ValueError):
            return math.nan

    return number


_IDEAS: Final = (
    ("upstream forgotten", "d", "This is the slope alone; multiply it by out.grad."),
    ("value for slope", "out", "This is the value; a rule sends out.grad times the slope."),
    ("value for slope", "up * out", "This takes the value for the slope."),
    ("minus lost", "-up * d", "The sign is turned."),
    ("local derivative forgotten", "up", "This passes out.grad on as it is; the slope is missing."),
    ("own value", "up * x", "This takes {slot} itself for the slope."),
    ("upstream twice", "up * d * up", "out.grad is multiplied in twice."),
    ("squared", "up * d * d", "The slope is multiplied in twice."),
    ("halved", "up * d / 2", "This is half of it: a factor 2 is missing."),
    ("doubled", "up * d * 2", "This is twice as much: a factor 2 is too many."),
    ("factors added", "up + d", "out.grad is added; the chain rule multiplies."),
    ("divided", "up / d", "This divides by the slope; the chain rule multiplies."),
    ("divided", "d / up", "This divides by out.grad; the chain rule multiplies."),
    ("own value", "x", "This is {slot} itself; a rule sends out.grad times the slope."),
)
"""Wrong ideas, the most particular first: name, what is sent, and what is said of it."""

_IDEAS_OF_PARTS: Final[Mapping[str, tuple[tuple[str, str, str], ...]]] = {
    "inner": (
        ("inner derivative missing", "up * d / k if k != 1 and k != 0 else none",
         "The derivative of what stands inside, {part}, is missing."),
    ),
    "exp": (
        ("power rule", "up * u * out / 2.718281828459045 * k",
         "exp is no power of its exponent; its slope is exp itself."),
        ("power rule", "up * u * out * k", "exp is no power; its slope is exp itself."),
    ),
    "power": (
        ("exponent not lowered", "up * d * u if ku == 0 else none",
         "The power of {part} is not lowered."),
        ("exponent not in front", "up * d / v if ku == 0 else none",
         "The exponent of {part} does not stand in front."),
    ),
    "product": (
        ("product rule", "up * u * ku", "Only one term of the product rule is there."),
        ("product rule", "up * ku * k", "The slopes are multiplied; the product rule adds."),
    ),
    "quotient": (
        ("quotient rule", "up * d * v if ku == 0 else none", "The denominator is missing."),
        ("quotient rule", "up * d * v", "The denominator is not squared."),
        ("quotient rule", "up * d * v * v", "The denominator is missing."),
        ("quotient rule", "-up * d * v", "The denominator is not squared, and the sign is turned."),
        ("quotient rule", "-up * d * v * v", "The denominator is missing, and the sign is turned."),
    ),
}  # fmt: skip
"""Wrong ideas about a part of a formula, by the kind of the part."""


class _Part(Struct, frozen=True):
    """A part of an operation's formula, as an operation of the same slots, and its operands."""

    kind: str
    text: str
    operands: tuple[Op, ...]

    def letters(self, inputs: tuple[float, ...], slot: int) -> dict[str, float]:
        """Return the numbers about it that ideas use, along a slot."""
        values = [each.forward(*inputs) for each in self.operands]
        slopes = [
            each.partials[slot](*inputs, value)
            for each, value in zip(self.operands, values, strict=True)
        ]
        ends = {"u": values[0], "v": values[-1]}
        return ends | {"k": slopes[0], "ku": slopes[-1]}


@lru_cache(maxsize=64)
def _parts(op: Op) -> tuple[_Part, ...]:
    """Return the parts of an operation's formula about which there are ideas."""
    nodes: dict[int, Node] = {k: Leaf(1.0, slot) for k, slot in enumerate(op.slots, 1)}
    top = len(nodes) + 1
    nodes |= {top: OpNode(op.name, tuple(nodes)), top + 1: Root(top)}
    graph = Graph(nodes, top + 1, top + 2, (op,) if op.typed else ())
    if op.typed:
        graph = unfold(graph, top)
    return tuple(islice(_found_parts(graph, top), _MOST_PARTS[len(op.value) > _LONG]))


def _found_parts(graph: Graph, top: int) -> Iterator[_Part]:
    """Yield them from the whole inwards."""
    for node in sorted(graph.plan(top).order, key=lambda n: n != top):
        found = graph.nodes[node]
        if isinstance(found, OpNode):
            operands = tuple(_part(graph, n) for n in found.inputs if n is not None)
            whole = _part(graph, node).formula
            for kind, chosen in _kinds(found.op, operands, whole=node == top):
                yield _Part(kind, chosen[0].formula if kind == "inner" else whole, chosen)


def _part(graph: Graph, node: int) -> Op:
    """Return what leads to a node as an operation of all letters."""
    marker = max(graph.nodes) + 1
    rooted = Graph({**graph.nodes, marker: Root(node)}, marker, marker + 1, graph.operations)
    return own("part", "part", rooted)


def _kinds(
    op: str, operands: tuple[Op, ...], *, whole: bool
) -> Iterator[tuple[str, tuple[Op, ...]]]:
    if whole and op in _WHOLE_KINDS:
        yield _WHOLE_KINDS[op], operands
        yield _WHOLE_KINDS[op], operands[::-1] if op == "mul" else operands
    if op == "pow":
        yield "power", operands
    if op == "pow" or len(operands) == 1:
        yield from (("inner", (operand,)) for operand in operands)


_WHOLE_KINDS: Final = {"mul": "product", "div": "quotient", "exp": "exp"}


def _changes(tree: ast.expr, slots: Sequence[str]) -> Iterator[tuple[str, ast.expr, ast.expr]]:
    """Yield one node after another with another tree for it, and what is said of the place."""
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            for says, new in _others(node, (*slots, "out", "up")):
                yield says, node, new


def _others(node: ast.expr, letters: Sequence[str]) -> Iterator[tuple[str, ast.expr]]:
    match node:
        case ast.Name(id=name) if name in letters:
            for other in letters:
                if other != name:
                    says = f"{_shown(name)} stands where {_shown(other)} belongs."
                    yield says, ast.Name(other)
            square = ast.BinOp(node, ast.Pow(), ast.Constant(2.0))
            yield f"{_shown(name)} is to be squared.", square
        case ast.Constant(value=float(value)):
            for other in (value + 1, value - 1, -value):
                yield f"The number {short(value)} should be {short(other)}.", ast.Constant(other)
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _TURNED:
            turned, says = _TURNED[type(sign)]
            yield says, ast.BinOp(left, turned, right)
        case ast.Compare(left=left, ops=signs, comparators=[right]):
            yield "The comparison is turned round.", ast.Compare(right, signs, [left])
        case _:
            return


_TURNED: Final[Mapping[type[ast.operator], tuple[ast.operator, str]]] = {
    ast.Add: (ast.Sub(), "A + stands where a − belongs."),
    ast.Sub: (ast.Add(), "A − stands where a + belongs."),
    ast.Mult: (ast.Div(), "It multiplies where it should divide."),
    ast.Div: (ast.Mult(), "It divides where it should multiply."),
}


def _shown(name: str) -> str:
    return "out.grad" if name == "up" else name
