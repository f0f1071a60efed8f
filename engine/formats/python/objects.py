"""The objects that names and expressions of a program that is read may stand for."""

from __future__ import annotations

import ast
import math
import random
from collections.abc import Callable, Mapping, Sequence

import msgspec
from msgspec import Struct, field

from engine.errors import EngineError, FormatError
from engine.formats.expression import OTHER_OPERATOR, TOO_LARGE
from engine.formats.python.source import Source
from engine.graph import LABEL_LIMIT, Constant, Leaf, Node, OpNode, Root
from engine.names import is_plain_line
from engine.ops import BY_NAME
from engine.structure import post_order

LIBRARIES = frozenset({"micrograd", "backwire", "engine", "torch", "math", "random", "numpy"})
"""Libraries of which the reader knows some functions."""
HARMLESS = LIBRARIES | frozenset({
    "matplotlib", "graphviz", "seaborn", "pandas", "IPython", "pprint", "time", "typing",
    "copy", "collections", "itertools", "functools", "warnings",
})  # fmt: skip
"""Libraries whose calls never change a Value."""


class Ref(Struct, frozen=True):
    """A Value: a node of the graph."""

    node: int


class Named(Struct):
    """A plain number under a name; all Values it is combined with share one constant for it."""

    number: float
    name: str
    node: int | None = field(default=None)


class Imported(Struct, frozen=True):
    """A library, a part of one, or a function known by its name: `torch.nn.functional`."""

    path: str

    @property
    def last(self) -> str:
        """Return the last part of the path."""
        return self.path.rpartition(".")[2]

    @property
    def library(self) -> str:
        """Return the first part of the path."""
        return self.path.partition(".")[0]


class Method(Struct, frozen=True):
    """An operation as a method of a Value, `a.tanh`, or a method of a list, `losses.append`."""

    of: Ref | list[Thing]
    name: str


class Nothing(Struct, frozen=True):
    """The result of print or draw_dot."""


class Own(Struct, frozen=True, eq=False):
    """A function or a class that the program defines; it is never run."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda


class Unread(Struct, frozen=True, eq=False):
    """An object that only running the program could tell; `why` is raised where it is needed.

    `maybe_value` says whether it could be a Value.
    """

    why: FormatError
    maybe_value: bool = True


class OneShot(tuple["Thing", ...]):
    """The items of an iterator, such as a generator or zip(): only the first loop gets them."""

    spent = False


Thing = (
    Ref
    | Named
    | Imported
    | Method
    | Nothing
    | Own
    | Unread
    | int
    | float
    | str
    | tuple["Thing", ...]
    | list["Thing"]
)


def number_of(thing: Thing) -> float | None:
    """Return the plain number that an object is, or None."""
    if isinstance(thing, Named):
        return thing.number
    return thing if isinstance(thing, int | float) and not isinstance(thing, bool) else None


def holds_value(thing: Thing) -> bool:
    """Return whether an object is a Value, or a list or tuple that contains one."""
    todo, seen = [thing], set[int]()
    while todo:
        found = todo.pop()
        if isinstance(found, Ref):
            return True
        if isinstance(found, tuple | list) and id(found) not in seen:
            seen.add(id(found))
            todo.extend(found)
    return False


LONGEST = 1100
"""Maximum number of bits of a whole number; above 1,024 bits none converts to a float."""

_BINARY: dict[str, Callable[[float, float], object]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "pow": lambda a, b: a**b,
    "mod": lambda a, b: a % b,
    "floordiv": lambda a, b: a // b,
}
_UNARY: dict[str, Callable[[float], object]] = {"neg": lambda a: -a, "abs": abs}
_DRAWS = {"random": 0, "uniform": 2, "gauss": 2, "normalvariate": 2, "randint": 2}
"""Functions of `random` with their number of arguments."""
CONSTANTS = {"pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan, "tau": math.tau}


class NumberError(EngineError):
    """An error that Python would raise as well when computing; the text is the reason."""


def computed(op: str, numbers: Sequence[float]) -> float:
    """Return the result of an operation on plain numbers; whole numbers stay exact."""
    if op in _BINARY or op in _UNARY:
        return _by_python(op, numbers)
    found = BY_NAME[op].forward(*(as_float(number) for number in numbers))
    if not math.isfinite(found) and all(map(math.isfinite, numbers)):
        raise NumberError("{op} has no finite value here.", op=op)
    return found


def _by_python(op: str, numbers: Sequence[float]) -> float:
    whole = all(isinstance(number, int) for number in numbers)
    if op == "pow" and whole and _bits_of_power(*numbers) > LONGEST:
        raise NumberError(TOO_LARGE)
    try:
        found = _UNARY[op](*numbers) if op in _UNARY else _BINARY[op](*numbers)
    except ZeroDivisionError:
        raise NumberError("this divides by 0.") from None
    except OverflowError:
        raise NumberError(TOO_LARGE) from None
    if isinstance(found, int) and found.bit_length() > LONGEST:
        raise NumberError(TOO_LARGE)
    if not isinstance(found, int | float):
        raise NumberError("this number is not real.")
    return found


def _bits_of_power(base: float, exponent: float) -> float:
    return int(base).bit_length() * exponent if exponent > 0 else 0


def as_float(number: float) -> float:
    """Return a number as a Value holds it."""
    try:
        return float(number)
    except OverflowError:
        raise NumberError(TOO_LARGE) from None


def unknown_draw(name: str) -> NumberError:
    """Return the error for a function of `random` that is not one of the few known."""
    return NumberError("random.{name} can't be read like this.", name=name)


class Dice:
    """The module `random`: gives Python's own results once it is seeded with a number."""

    def __init__(self) -> None:
        self._state: random.Random | None = None

    def seed(self, number: float) -> None:
        """Evaluate `random.seed(number)`."""
        self._state = random.Random(number)

    def forget(self) -> None:
        """Forget the seed, after code that may have drawn an unknown number of values."""
        self._state = None

    def draw(self, name: str, numbers: Sequence[float]) -> float:
        """Return the result of a function of `random`; raises NumberError if it is not known."""
        if _DRAWS.get(name) != len(numbers):
            raise unknown_draw(name)
        if self._state is None:
            raise NumberError("only a program that calls random.seed(number) draws known numbers.")
        try:
            return getattr(self._state, name)(*numbers)
        except ValueError:
            raise NumberError(
                "random.{name} can't be called with these numbers.", name=name
            ) from None


class Passes:
    """Maintains `.data` and `.grad` of all Values as running the program would."""

    def __init__(self, nodes: Mapping[int, Node]) -> None:
        self._nodes = nodes
        self.data: dict[int, float] = {}
        self.grad: dict[int, float] = {}
        self.changed: ast.AST | None = None
        """The statement that last set `.data`."""
        self.closed = False
        """Whether the last pass is over, after which no Value changes."""
        self._root: int | None = None
        self._kept: dict[int, float] = {}

    def made(self, number: int) -> None:
        """Compute the value of a new node."""
        node = self._nodes[number]
        self.grad[number] = 0.0
        self.data[number] = self._value(node, self.data)

    def set_data(self, number: int, data: float, part: ast.AST) -> None:
        """Evaluate `v.data = 2`."""
        if not self.closed:
            self.data[number], self.changed = data, part

    def order(self, root: int) -> tuple[int, ...]:
        """Return all Values that lead to one, inputs first."""
        return post_order((root,), lambda node: self._nodes[node].inputs)

    def push(self, number: int) -> None:
        """Evaluate `v._backward()`: add to the gradients of the inputs."""
        node = self._nodes[number]
        if not isinstance(node, OpNode):
            return
        inputs = [source for source in node.inputs if source is not None]
        values = [self.data[source] for source in inputs]
        for source, partial in zip(inputs, BY_NAME[node.op].partials, strict=True):
            self.grad[source] += self.grad[number] * partial(*values, self.data[number])

    def backward(self, root: int) -> int:
        """Evaluate `v.backward()`; returns how many Values took part."""
        order = self.order(root)
        self._root, self._kept = root, {number: self.data[number] for number in order}
        self.grad[root] = 1.0
        for number in reversed(order):
            self.push(number)
        return len(order)

    def numbers_of(self, root: int) -> dict[int, float]:
        """Return the numbers below a root in its last pass, or the current ones without a pass."""
        return self._kept if root == self._root else {n: self.data[n] for n in self.order(root)}

    def is_consistent(self, root: int) -> bool:
        """Return whether the leaves' numbers give all other numbers below the root."""
        held = self.numbers_of(root)
        return all(_same(held[n], self._value(self._nodes[n], held)) for n in self.order(root)
                   if isinstance(self._nodes[n], OpNode))  # fmt: skip

    def _value(self, node: Node, data: Mapping[int, float]) -> float:
        assert not isinstance(node, Root)
        if isinstance(node, Leaf | Constant):
            return node.value
        return BY_NAME[node.op].forward(*[data[n] for n in node.inputs if n is not None])


def _same(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))


NODE_LIMIT = 20_000
STEP_LIMIT = 200_000
_LONG = 1000


class Nodes:
    """Makes nodes and computes plain numbers; limits the number of steps."""

    def __init__(self, source: Source) -> None:
        self.refusal = source.refusal
        self.mistake = source.mistake
        self.made: dict[int, Node] = {}
        self.passes = Passes(self.made)
        self._labelled: set[int] = set()
        self._steps = 0

    def count(self, part: ast.AST, steps: int = 1) -> None:
        """Count steps; raises FormatError when a program takes too many."""
        self._steps += steps
        if self._steps > STEP_LIMIT:
            raise self.refusal(
                part, "the program takes more than {limit:,} steps to read.", limit=STEP_LIMIT
            )

    def literal(self, value: object, part: ast.AST) -> Thing:
        """Return a number or a text of the program."""
        if isinstance(value, bool | float) or (isinstance(value, str) and len(value) < _LONG):
            return value
        if value is None:
            return Nothing()
        if not isinstance(value, int):
            raise self.refusal(part, "only real numbers and short texts can stand here.")
        if value.bit_length() > LONGEST:
            raise self.mistake(part, TOO_LARGE)
        return value

    def named(self, thing: Thing, name: str) -> Thing:
        """Bind an object to a name: a node takes it as label, a number remembers it."""
        if isinstance(thing, Ref) and thing.node not in self._labelled:
            self._label(thing.node, name)
        if isinstance(thing, tuple | list):
            self._name_items(thing, name)
        number = number_of(thing)
        return thing if number is None else Named(number, name)

    def set_label(self, of: Ref, label: Thing, part: ast.AST) -> None:
        """Evaluate `v.label = '...'`."""
        if isinstance(label, Unread):
            raise label.why
        if not isinstance(label, str) or len(label) > LABEL_LIMIT or not is_plain_line(label):
            raise self.refusal(
                part, "a label is one line of up to {limit} characters.", limit=LABEL_LIMIT
            )
        self._label(of.node, label)

    def set_wanted(self, node: int, wanted: Thing, part: ast.AST) -> None:
        """Evaluate `v.requires_grad = True`."""
        found = self.made[node]
        if not isinstance(wanted, bool):
            raise self.refusal(part, "requires_grad is True or False.")
        if isinstance(found, Leaf | Constant):
            self.made[node] = (Leaf if wanted else Constant)(found.value, found.label)

    def operate(self, op: str, things: tuple[Thing, ...], part: ast.AST) -> Thing:
        """Evaluate an operation: of plain numbers a number, of anything else a node."""
        numbers = [number_of(thing) for thing in things]
        plain = [number for number in numbers if number is not None]
        if len(plain) == len(numbers):
            return self.computed(op, plain, part)
        if op not in BY_NAME:
            raise self.refusal(part, OTHER_OPERATOR)
        unread = next((thing for thing in things if isinstance(thing, Unread)), None)
        if unread is None or any(isinstance(thing, Ref) for thing in things):
            return self.node(op, things, part)
        return unread

    def computed(self, op: str, numbers: list[float], part: ast.AST) -> float:
        """Compute with plain numbers as Python does; the result is a plain number."""
        try:
            return computed(op, numbers)
        except NumberError as error:
            raise self.mistake(part, error.template, **error.fields) from None

    def as_float(self, number: float, part: ast.AST) -> float:
        """Return a plain number as a Value holds it; refuses one that is too large."""
        try:
            return as_float(number)
        except NumberError as error:
            raise self.mistake(part, error.template, **error.fields) from None

    def node(self, op: str, things: tuple[Thing, ...], part: ast.AST) -> Ref:
        """Make the node of an operation, even of plain numbers alone."""
        inputs = tuple(self._input(thing, part) for thing in things)
        return self.add(OpNode(op, inputs), part)

    def _input(self, thing: Thing, part: ast.AST) -> int:
        """Return the node that an object becomes as an operand of a Value."""
        if isinstance(thing, Ref):
            return thing.node
        if isinstance(thing, Named):
            if thing.node is None:
                number = self.as_float(thing.number, part)
                thing.node = self.add(Constant(number), part).node
                self._label(thing.node, thing.name)
            return thing.node
        if isinstance(thing, Unread):
            raise thing.why
        number = number_of(thing)
        if number is None:
            raise self.refusal(part, "only Values and numbers can be computed with.")
        return self.add(Constant(self.as_float(number, part)), part).node

    def add(self, node: Leaf | Constant | OpNode, part: ast.AST) -> Ref:
        """Add a new node."""
        if len(self.made) >= NODE_LIMIT:
            raise self.refusal(
                part, "the program makes more than {limit:,} nodes.", limit=NODE_LIMIT
            )
        number = len(self.made) + 1
        self.made[number] = node
        self.passes.made(number)
        return Ref(number)

    def _label(self, node: int, label: str) -> None:
        found = self.made[node]
        assert not isinstance(found, Root)
        self._labelled.add(node)
        self.made[node] = msgspec.structs.replace(found, label=label[:LABEL_LIMIT])

    def _name_items(self, items: tuple[Thing, ...] | list[Thing], name: str) -> None:
        """Label the items of `w = [...]` w[0], w[1] ... unless they get better names."""
        for k, item in enumerate(items):
            if isinstance(item, Ref) and item.node not in self._labelled:
                self._label(item.node, f"{name}[{k}]")
                self._labelled.remove(item.node)
