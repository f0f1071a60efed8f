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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache, partial
from itertools import chain, islice, pairwise
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from engine.asking.rule_reading import Sent, brief, operands, read_rule
from engine.errors import EngineError
from engine.graph import Graph, OpNode, post_order
from engine.numbers import short
from engine.ops import BY_NAME, Op, Pattern, Rule
from engine.own import LONGEST, SIGNS
from engine.rules import Rules
from engine.writers import FLOATS, on_screen, parse_formula

Kind = Literal["right", "wrong", "can't tell", "can't be read"]
Numbers = Mapping[str, float]
Values: TypeAlias = "Mapping[str | ast.expr, float]"
Change: TypeAlias = "tuple[ast.expr, ast.expr, str, *tuple[ast.expr, ...]]"
"""A part of a rule, another tree for it, and what is said of it, with the trees that it names."""

PER_SIDE: Final = 5
"""Points on either side of each kink, where there are as many, and in any case."""
_MANY: Final = 10
"""Points from each range for a rule with a condition, which may differ from the slope far away."""
_RADII: Final = (2.5, 10.0, 100.0)
"""Ranges from which inputs are drawn, one after the other, until both sides have their points."""
_TRIES: Final = 60
"""Draws from each range."""
_HALVINGS: Final = 12
"""Halvings of the way between two points on either side of a kink; the rest is near it."""
_FIRST: Final = (2.0, 3.0, 0.5, -1.0)
"""The inputs of the first point, which a person can follow; out.grad is −1.5."""
_TOLERANCE: Final = 1e-7
"""Largest relative error of what a rule sends."""
_NEGLIGIBLE: Final = 1e-13
"""What is smaller than this share of the largest slope is lost in rounding."""
_MOST_CHANGES: Final = 12_000
"""Changes of one place that are tried, times the parts of the rule: about 8 ms."""
_LONG: Final = 20
"""Nodes of a formula about whose parts there are no ideas."""
_SHOWN_ROWS: Final = 3
_DRAWN_GRADS: Final = (0.4, 3.0)


class Verdict(Struct, frozen=True):
    """What is said of a rule along one slot.

    `belief` names the wrong idea, "" if none is known, and `says` is one sentence, which holds for
    all points. Where a kink has no points on one of its sides, `tried` is the range of inputs, else
    "". `rows` are up to three points, the first wrong one first.
    """

    slot: str
    kind: Kind
    says: str
    belief: str = ""
    rows: tuple["Row", ...] = ()
    tried: str = ""


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
    parts = (part for line in sent.values() for part in ast.walk(line.tree))
    bends = any(isinstance(part, ast.Compare | ast.IfExp) for part in parts)
    points, tried = _points(op, seed, _MANY if bends else PER_SIDE + 2)
    if not points:
        return tuple(Verdict(slot, "can't tell", _NO_POINT) for slot in op.slots)
    return tuple(
        _Judged(op, slot, points, known).verdict(sent.get(slot), tried)
        for slot in range(len(op.slots))
    )


def as_rules(op: Op, graph: Graph) -> Rules | None:
    """Return the pass over a graph in which a learner's rule is used as it is for an operation.

    What a line with `=` sends replaces the gradient, over the wires of that slot alone. None if the
    rule can't be read, and if what it sends is no multiple of out.grad: no local derivative could
    stand on its wires.
    """
    try:
        lines = read_rule(op, op.rule, graph.operations)
    except EngineError:
        return None
    functions = _functions(graph.operations)
    formulas = {slot: _Formula(line.tree, functions) for slot, line in lines.items()}
    for p in _points(op, 0, _MANY)[0]:
        for formula in formulas.values():
            once, twice, none = (
                formula.number(_letters(op, p.inputs, p.value, up)) for up in (1.0, 2.0, 0.0)
            )
            if none or abs(twice - 2 * once) > _TOLERANCE * abs(twice):
                return None
    if len(lines) < len(op.slots):
        return None

    def partial_of(of: Op, slot: int) -> Rule:
        if of != op:  # also one of its name on another sheet, or as it is written by now
            return of.partials[slot]
        return lambda *numbers: formulas[slot].number(_letters(op, numbers[:-1], numbers[-1], 1.0))

    return Rules(
        name=OWN_RULE,
        title=f"{op.name} by your rule",
        sentence=f"The backward pass uses your own rule for {op.name}, which is wrong.",
        code=op.rule,
        partial=partial_of,
        assigns=frozenset(
            (number, slot)
            for number, node in graph.nodes.items()
            if isinstance(node, OpNode) and node.op == op.name
            for slot, line in lines.items()
            if line.replaces
        ),
    )


OWN_RULE: Final = "own-rule"
_NO_POINT: Final = "The formula has no value or no slope at any of the points tried."


# Points


@lru_cache(maxsize=64)
def _sides(op: Op) -> tuple[Callable[..., float], ...]:
    """Return the differences whose signs are the sides of an operation's kinks."""
    if not op.kink_at:
        return ()
    tree = ast.parse(op.kink_at, mode="eval").body
    parts = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.Or) else [tree]
    return tuple(
        FLOATS.function(op.slots, ast.unparse(ast.BinOp(x.left, ast.Sub(), x.comparators[0])))
        for x in parts
        if isinstance(x, ast.Compare)
    )


@lru_cache(maxsize=64)
def _points(op: Op, seed: int, count: int) -> tuple[tuple[_Point, ...], str]:
    """Return points with a value and slopes, and the range if a side of a kink has too few.

    They are `count` at least, for many from all ranges. The last ones are on either side of a kink
    and near it: they show a rule's kink elsewhere.
    """
    draw, points = random.Random(seed), list[_Point]()
    sides = [(list[_Point](), list[_Point]()) for _ in _sides(op)]
    counted, few = [points, *chain.from_iterable(sides)], True
    for radius in _RADII:
        most = len(points) + count
        for point in _drawn(op, draw, radius, first=seed == 0 and not points):
            at = [pair[_is_above(op, kink, point.inputs)] for kink, pair in enumerate(sides)]
            if len(points) < most or any(len(side) < PER_SIDE for side in at):
                for side in (points, *at):
                    side.append(point)
        few = any(len(side) < PER_SIDE for side in counted)
        if not few and count < _MANY:
            break
    inputs = [x for point in points for x in point.inputs]
    tried = f"{short(min(inputs))} to {short(max(inputs))}" if points and few else ""
    for kink, (below, above) in enumerate(sides):
        if below and above:
            ends = _near(op, kink, above[0].inputs, below[0].inputs)
            points += filter(None, (_point(op, end, draw) for end in ends))
    return tuple(points), tried


def _drawn(op: Op, draw: random.Random, radius: float, *, first: bool) -> Iterator[_Point]:
    """Yield points with inputs up to a number, one in two of them positive."""
    for k in range(_TRIES):
        low = -radius if k % 2 else 0.2
        inputs = tuple(round(draw.uniform(low, radius), 2) for _ in op.slots)
        point = _point(op, _FIRST[: len(op.slots)] if first and k == 0 else inputs, draw)
        if point is not None:
            yield point


def _is_above(op: Op, kink: int, inputs: Sequence[float]) -> bool:
    return _sides(op)[kink](*inputs) > 0


def _near(
    op: Op, kink: int, one: tuple[float, ...], other: tuple[float, ...]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return inputs close together between those on either side of a kink."""
    for _ in range(_HALVINGS):
        middle = tuple((x + y) / 2 for x, y in zip(one, other, strict=True))
        one, other = (middle, other) if _is_above(op, kink, middle) else (one, middle)
    return one, other


def _point(op: Op, inputs: tuple[float, ...], draw: random.Random) -> _Point | None:
    """Return a point; None without a finite value and slopes, and at a kink."""
    size, sign = round(draw.uniform(*_DRAWN_GRADS), 2), draw.choice((-1.0, 1.0))
    upstream = -1.5 if inputs == _FIRST[: len(inputs)] else sign * size
    value = op.forward(*inputs)
    if not math.isfinite(value) or op.kink(*inputs):
        return None
    slopes = tuple(partial(*inputs, value) for partial in op.partials)
    return _Point(inputs, upstream, value, slopes) if all(map(math.isfinite, slopes)) else None


# What a rule sends


_OPERATORS: Final[Mapping[type[ast.AST], Callable[..., Any]]] = {
    **{sign: BY_NAME[name].forward for name, sign in SIGNS.items()},
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


def _function(part: ast.expr, functions: Mapping[str, Any]) -> Callable[..., Any] | None:
    match part:
        case ast.Call(func=ast.Name(id=name)):
            return functions[name]
        case ast.IfExp():
            return _chosen
        case ast.Compare(ops=signs):
            return partial(_holds, [_OPERATORS[type(sign)] for sign in signs])
        case ast.BinOp(op=sign) | ast.UnaryOp(op=sign) | ast.BoolOp(op=sign):
            return _OPERATORS[type(sign)]
        case _:
            return None


def _chosen(test: float, body: float, other: float) -> float:
    return body if test else other


def _holds(signs: Sequence[Callable[..., Any]], *numbers: float) -> bool:
    """Return whether a chain such as -1 < a < 1 holds."""
    pairs = zip(signs, pairwise(numbers), strict=True)
    return all(sign(*pair) for sign, pair in pairs)


def _functions(operations: Iterable[Op]) -> Mapping[str, Callable[..., Any]]:
    return FLOATS.names | {op.name: op.forward for op in operations}


def _letters(op: Op, inputs: Sequence[float], value: float, upstream: float) -> dict[str, float]:
    return dict(zip(op.slots, inputs, strict=True)) | {"out": value, "out.grad": upstream}


class _Formula:
    """A formula that is computed by walking its tree: none of it becomes code."""

    def __init__(self, tree: ast.expr, functions: Mapping[str, Callable[..., Any]]) -> None:
        self.parts = post_order((tree,), operands)
        self._calls = {x: (_function(x, functions), operands(x)) for x in self.parts}

    def number(self, letters: Numbers) -> float:
        return float(self.values(letters)[self.parts[-1]])

    def values(self, letters: Numbers) -> Values:
        """Return the number of each letter and part."""
        values: dict[str | ast.expr, float] = {**letters}
        for part in self.parts:
            values[part] = self._value(part, values)
        return values

    def _value(self, tree: ast.expr, values: Values) -> float:
        match tree:
            case ast.Name(id=name):
                return values[name]
            case ast.Constant(value=int() | float() as number):
                return float(number)
            case _:
                function, inputs = self._calls.get(tree) or (_function(tree, {}), operands(tree))
                assert function is not None
                return function(
                    *(values[x] if x in values else self._value(x, values) for x in inputs)
                )

    def users(self, part: ast.expr) -> tuple[ast.expr, ...]:
        """Return the parts that depend on a part, inputs first."""
        found = {part}
        return tuple(
            x for x in self.parts if found.intersection(self._calls[x][1]) and not found.add(x)
        )

    def changed(
        self, values: Values, part: ast.expr, new: ast.expr, users: Iterable[ast.expr]
    ) -> float:
        """Return the number with another tree for a part; `users` depend on it."""
        number = values[new] if new in values else self._value(new, values)
        values = {**values, part: number}
        for user in users:
            values[user] = self._value(user, values)
        return float(values[self.parts[-1]])


# Judging


class _Judged:
    """What is right along one slot, at the points, and what wrong ideas would send there."""

    def __init__(self, op: Op, slot: int, points: Sequence[_Point], known: tuple[Op, ...]) -> None:
        self._op, self._slot, self._points = op, slot, points
        self._ops = BY_NAME | {each.name: each for each in known}
        self._whole = op.expansion if op.typed else (op.name, *op.slots)
        self._parts = post_order((self._whole,), _inputs)
        self._expected = [p.upstream * p.slopes[slot] for p in points]
        largest = max(abs(p.slopes[slot]) for p in points)
        self._negligible = [_NEGLIGIBLE * abs(p.upstream) * largest for p in points]
        self._letters = [_letters(op, p.inputs, p.value, p.upstream) for p in points]

    def verdict(self, line: Sent | None, tried: str) -> Verdict:
        """Return what is said of the line of a rule for this slot."""
        name = self._op.slots[self._slot]
        if line is None:
            return Verdict(name, "can't be read", f"Write what goes along {name}: {name}.grad += …")
        rule = _Formula(line.tree, _functions(self._ops.values()))
        sent = [rule.number(at) for at in self._letters]
        wrong = self._first_other(sent, self._expected)
        shown = sorted(range(len(sent)), key=lambda k: k != wrong)[:_SHOWN_ROWS]
        points = self._points
        rows = tuple(
            (points[k].inputs, points[k].upstream, sent[k], self._expected[k]) for k in shown
        )
        if wrong is None and line.replaces:
            says = "= throws away what came before, over other wires; write +=."
            return Verdict(name, "wrong", says, "replaced", rows)
        if wrong is None:
            says = f"Right along {name} where tried: {tried}." if tried else f"Right along {name}."
            return Verdict(name, "right", says, "", rows, tried)
        belief, says = self._belief(sent) or self._repair(rule, wrong) or ("", "")
        if not says:
            inputs, *numbers = rows[0]
            pairs = zip(self._op.slots, inputs, strict=True)
            where = ", ".join(f"{letter} = {short(x)}" for letter, x in pairs)
            upstream, got, expected = map(short, numbers)
            says = f"At {where} and out.grad = {upstream} it sends {got}, not {expected}."
        return Verdict(name, "wrong", says, belief, rows)

    def _first_other(self, numbers: Iterable[float], wanted: Iterable[float]) -> int | None:
        """Return the index of the first point at which a number is not the wanted one."""
        pairs = enumerate(zip(numbers, wanted, strict=True))
        return next((k for k, pair in pairs if not self._is_near(k, *pair)), None)

    def _is_near(self, k: int, number: float, wanted: float) -> bool:
        within = _TOLERANCE * abs(wanted) + self._negligible[k]
        return math.isfinite(wanted) and abs(number - wanted) <= within

    def _belief(self, sent: Sequence[float]) -> tuple[str, str] | None:
        """Return the first idea that sends what the rule sends at every point, and its sentence."""
        subjects = tuple(self._subjects())
        for kind, name, formula, says in _IDEAS:
            idea = _idea(formula)
            for about, text, letters in subjects:
                if about == kind:
                    numbers = (float(idea(*each.values())) for each in letters)
                    if self._first_other(sent, numbers) is None:
                        return name, says.format(text)
        return None

    def _subjects(self) -> Iterator[tuple[str, str, Sequence[Numbers]]]:
        """Yield what ideas are about: their kind, a text, and the letters at each point."""
        op, slot, points = self._op, self._slot, self._points
        letters = [
            _NO_LETTERS
            | {"up": p.upstream, "out": p.value, "x": p.inputs[slot], "d": p.slopes[slot]}
            for p in points
        ]
        yield "", op.slots[slot], letters
        for other, letter in enumerate(op.slots):
            if other != slot:
                slopes = (p.slopes[other] for p in points)
                yield "other", letter, [a | {"v": b} for a, b in zip(letters, slopes, strict=True)]
        derivative = op.derivatives[slot]
        for term in _terms(parse_formula(derivative)) if len(derivative) <= LONGEST else ():
            found = map(_Formula(term, FLOATS.names).number, self._letters)
            numbers = [a | {"v": b} for a, b in zip(letters, found, strict=True)]
            yield "term", brief(term), numbers
        for kind, part, one, other in self._kinds():
            pairs = ((*n[one], *n[other]) for n in self._numbers)
            named = (dict(zip(_OF_PARTS, pair, strict=True)) for pair in pairs)
            yield kind, self._text(part), [a | b for a, b in zip(letters, named, strict=True)]

    def _operations(self) -> list[tuple[Pattern, ...]]:
        """Return the operations of the formula, if it is not too long, from the whole inwards."""
        parts = self._parts if len(self._parts) <= _LONG else ()
        return [part for part in reversed(parts) if isinstance(part, tuple)]

    def _kinds(self) -> Iterator[tuple[str, Pattern, Pattern, Pattern]]:
        """Yield the kind of ideas about a part of the formula, and the two whose numbers count."""
        for part in self._operations():
            op, first, last = str(part[0]), part[1], part[-1]
            for inner in part[1:]:
                if isinstance(inner, tuple) and inner[0] != op:
                    yield "inner", inner, inner, inner
            if part == self._whole and op in ("exp", "div", "mul"):
                yield op, part, first, last
                yield op, part, last, first
            elif op == "pow":
                yield op, part, first, last

    def _text(self, part: Pattern) -> str:
        """Return the notation of a part of the formula."""
        if not isinstance(part, tuple):
            return part if isinstance(part, str) else short(part)
        op = self._ops[str(part[0])]
        text = op.value if op.family == "Arithmetic" else f"{op.name}({', '.join(op.slots)})"
        return op.filled(on_screen(text), tuple(map(self._text, part[1:])))

    @cached_property
    def _numbers(self) -> list[Mapping[Pattern, tuple[float, float, float]]]:
        """For each part of the formula, at each point, its value, its slope along the slot, and the
        slope of the whole along it.
        """
        return [self._numbers_at(letters) for letters in self._letters]

    def _numbers_at(self, letters: Numbers) -> Mapping[Pattern, tuple[float, float, float]]:
        values, slopes = dict[Pattern, float](), dict[Pattern, float]()
        partials = dict[Pattern, list[float]]()
        for part in self._parts:
            if isinstance(part, tuple):
                op, at = self._ops[str(part[0])], [values[x] for x in part[1:]]
                values[part] = op.forward(*at)
                partials[part] = [f(*at, values[part]) for f in op.partials]
                pairs = zip(partials[part], part[1:], strict=True)
                slopes[part] = sum(local * slopes[x] for local, x in pairs if slopes[x])
            else:
                values[part] = letters[part] if isinstance(part, str) else part
                slopes[part] = float(part == self._op.slots[self._slot])
        grads = dict.fromkeys(self._parts, 0.0) | {self._whole: 1.0}
        for part in reversed(partials):
            for x, local in zip(_inputs(part), partials[part], strict=True):
                grads[x] += grads[part] * local
        return {part: (values[part], slopes[part], grads[part]) for part in self._parts}

    def _repair(self, rule: _Formula, wrong: int) -> tuple[str, str] | None:
        """Return the one change of one place that makes a rule right, as a sentence."""
        texts = {part: self._text(part) for part in self._operations()}
        letters = [
            a | {"1": 1.0, "−1": -1.0} | {text: n[part][0] for part, text in texts.items()}
            for a, n in zip(self._letters, self._numbers, strict=True)
        ]
        users, values = cache(rule.users), [rule.values(at) for at in letters]
        most = _MOST_CHANGES // len(rule.parts)
        for part, new, says, *shown in islice(_changes(rule.parts, letters[0]), most):
            sent = (
                rule.changed(values[k], part, new, users(part))
                for k in (wrong, *range(len(values)))
            )
            is_near = self._is_near(wrong, next(sent), self._expected[wrong])
            if is_near and self._first_other(sent, self._expected) is None:
                return "one place", says.format(*map(brief, shown))
        return None


_OF_PARTS: Final = ("u", "ku", "gu", "v", "kv", "gv")
_NO_LETTERS: Final = dict.fromkeys(("up", "out", "x", "d", *_OF_PARTS, "none"), math.nan)
"""The letters of ideas: out.grad, the value, the input, the slope; u and v are parts of the
formula, ku and kv their slopes along the slot, gu and gv the slopes of the value along them."""

_IDEAS: Final = (
    ("", "nothing", "0 * up", "Nothing is sent."),
    ("", "upstream forgotten", "d", "This is the slope alone; multiply it by out.grad."),
    ("", "minus lost", "-up * d", "The sign is turned."),
    ("exp", "power rule", "up * u * out / 2.718281828459045 * ku",
     "exp is no power of its exponent; its slope is exp itself."),
    ("exp", "power rule", "up * u * out * ku", "exp is no power; its slope is exp itself."),
    ("pow", "exponent not lowered", "up * d * u if kv == 0 else none",
     "The power of {} is not lowered."),
    ("pow", "exponent not in front", "up * d / v if kv == 0 else none",
     "The exponent of {} does not stand in front."),
    ("mul", "product rule", "up * u * kv", "Only one term of the product rule is there."),
    ("mul", "product rule", "up * kv * ku",
     "The slopes are multiplied; the product rule adds."),
    ("div", "quotient rule", "up * d * v if kv == 0 else none", "The denominator is missing."),
    ("div", "quotient rule", "up * d * v", "The denominator is not squared."),
    ("div", "quotient rule", "up * d * v * v if kv != 0 else none",
     "The denominator is missing."),
    ("div", "quotient rule", "-up * d * v",
     "The denominator is not squared, and the sign is turned."),
    ("div", "quotient rule", "-up * d * v * v if kv != 0 else none",
     "The denominator is missing, and the sign is turned."),
    ("inner", "inner derivative missing", "up * gu if abs(gu * ku - d) <= 1e-9 * abs(d) else none",
     "The derivative of what stands inside, {}, is missing."),
    ("", "value for slope", "out", "This is the value; a rule sends out.grad times the slope."),
    ("", "value for slope", "up * out", "This takes the value for the slope."),
    ("", "local derivative forgotten", "up",
     "This passes out.grad on as it is; the slope is missing."),
    ("inner", "outer derivative missing", "up * ku if abs(gu * ku - d) <= 1e-9 * abs(d) else none",
     "Only the derivative of what stands inside, {}, is there."),
    ("", "own value", "up * x", "This takes {} itself for the slope."),
    ("", "upstream twice", "up * d * up", "out.grad is multiplied in twice."),
    ("", "squared", "up * d * d", "The slope is multiplied in twice."),
    ("", "halved", "up * d / 2", "This is half of it: a factor 2 is missing."),
    ("", "doubled", "up * d * 2", "This is twice as much: a factor 2 is too many."),
    ("", "factors added", "up + d", "out.grad is added; the chain rule multiplies."),
    ("", "divided", "up / d", "This divides by the slope; the chain rule multiplies."),
    ("", "divided", "d / up", "This divides by out.grad; the chain rule multiplies."),
    ("", "own value", "x", "This is {} itself; a rule sends out.grad times the slope."),
    ("other", "other input's slope", "up * v", "This belongs to {}: the slots are swapped."),
    ("term", "product rule", "up * (d - v)", "The term {} of the slope is missing."),
    ("term", "minus lost", "up * (d - 2 * v)", "The sign of the term {} is turned."),
)  # fmt: skip
"""Wrong ideas, the most particular first: what each is about, its name, what is sent, and what is
said of it."""


@cache
def _idea(formula: str) -> Callable[..., float]:
    return FLOATS.function(tuple(_NO_LETTERS), formula)


def _inputs(part: Pattern) -> tuple[Pattern, ...]:
    return part[1:] if isinstance(part, tuple) else ()


def _terms(tree: ast.expr) -> tuple[ast.expr, ...]:
    """Return the terms of a sum; none if it is no sum."""
    match tree:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return (*(_terms(left) or (left,)), *(_terms(right) or (right,)))
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return (*(_terms(left) or (left,)), ast.UnaryOp(ast.USub(), right))
        case _:
            return ()


# Repairs


def _changes(parts: Sequence[ast.expr], letters: Iterable[str]) -> Iterator[Change]:
    """Yield each part of a rule with trees for it that may be right, the likely ones first."""
    for trees in (_mended, _left_out, partial(_replaced, letters), partial(_added, letters)):
        yield from chain.from_iterable(map(trees, parts))


def _left_out(part: ast.expr) -> Iterator[Change]:
    if isinstance(part, ast.BinOp):
        pairs = (part.left, part.right), (part.right, part.left)
        for kept, other in pairs if isinstance(part.op, ast.Add | ast.Mult) else pairs[:1]:
            yield part, kept, "{} does not belong there.", other


def _replaced(letters: Iterable[str], part: ast.expr) -> Iterator[Change]:
    if isinstance(part, ast.Name | ast.Constant):
        for name in map(ast.Name, letters):
            yield part, name, "{} stands where {} belongs.", part, name


def _added(letters: Iterable[str], part: ast.expr) -> Iterator[Change]:
    for name in map(ast.Name, letters):
        times = ast.BinOp(part, ast.Mult(), name)
        yield part, times, "{} is to be multiplied by {}.", part, name
        yield part, ast.BinOp(part, ast.Add(), name), "{} is to be added to {}.", name, part


def _mended(part: ast.expr) -> Iterator[Change]:
    match part:
        case ast.Name():
            yield part, ast.BinOp(part, ast.Mult(), part), "{} is to be squared.", part
        case ast.Constant(value=int() | float() as value):
            for other in map(ast.Constant, (value + 1, value - 1, -value)):
                yield part, other, "The number {} should be {}.", part, other
        case ast.BinOp(left=left, op=sign, right=right):
            written: dict[type[ast.operator], str]
            written = {other: BY_NAME[name].infix for name, other in SIGNS.items()}
            for other, shown in written.items():
                says = f"A {written[type(sign)]} stands where a {shown} belongs."
                yield part, ast.BinOp(left, other(), right), says
        case ast.Compare(left=left, ops=[sign], comparators=[right]):
            new = ast.Compare(right, [sign], [left])
            yield part, new, "The comparison is turned round."
        case _:
            return
