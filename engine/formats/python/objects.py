"""The object model of the program reader: PyObject, and the nodes and numbers of its Values.

A Value becomes a node of the graph under construction (`Nodes`). Plain numbers are computed with
Python's own results and limits. `Passes` tracks `.data` and `.grad` as running the program would: a
graph stores one number per leaf and computes the rest, but a program may assign `.data` at any
time, so the numbers at the start of the root's last backward pass are kept and compared with those
that the graph computes from its leaves.

Code without side effects, which changes no Value and no name outside it, can be skipped:
`first_side_effect` looks for one. The analysis is conservative: calls on the allow-lists here are
pure, any other counts as a side effect.
"""

from __future__ import annotations

import ast
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeGuard

import msgspec
from msgspec import Struct, field

from engine.errors import EngineError, FormatError
from engine.formats.notation import OTHER_OPERATOR, TOO_LARGE
from engine.formats.python.source import Source, walk
from engine.graph import LABEL_LIMIT, Constant, Leaf, Node, OpNode, Root, post_order
from engine.names import is_plain_line
from engine.ops import BY_NAME

LIBRARIES = frozenset({"micrograd", "backwire", "engine", "torch", "math", "random", "numpy"})
"""Libraries with supported functions."""
HARMLESS = LIBRARIES | frozenset({
    "matplotlib", "graphviz", "seaborn", "pandas", "IPython", "pprint", "time", "typing",
    "copy", "collections", "itertools", "functools", "warnings",
})  # fmt: skip
"""Libraries whose calls never change a Value."""


class Ref(Struct, frozen=True):
    """A Value: a node of the graph."""

    node: int


class Named(Struct):
    """A plain number bound to a name; all operations on Values share one constant for it."""

    number: float
    name: str
    node: int | None = field(default=None)


class Imported(Struct, frozen=True):
    """A dotted path of an import, or a built-in function: `torch.nn.functional`, `sum`."""

    path: str

    @property
    def last(self) -> str:
        return self.path.rpartition(".")[2]

    @property
    def library(self) -> str:
        return self.path.partition(".")[0]


class Method(Struct, frozen=True):
    """An operation as a method of a Value, `a.tanh`, or a method of a list, `losses.append`."""

    of: Ref | list[PyObject]
    name: str


class Nothing(Struct, frozen=True):
    """None, such as the result of print."""


class UserDefinition(Struct, frozen=True, eq=False):
    """A function or class defined by the program; it is never run."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda


class Unknown(Struct, frozen=True, eq=False):
    """An object that static reading can't determine; using it raises `error`."""

    error: FormatError
    maybe_value: bool = True
    """Whether it could be a Value."""


class OneShot(tuple["PyObject", ...]):
    """The items of an iterator, such as a generator or zip(), consumed by the first loop."""

    spent = False


PyObject = (
    Ref
    | Named
    | Imported
    | Method
    | Nothing
    | UserDefinition
    | Unknown
    | int
    | float
    | str
    | tuple["PyObject", ...]
    | list["PyObject"]
)
"""What an expression of the program is known to be, without running it."""


def number_of(obj: PyObject) -> float | None:
    """Return the number if an object is a plain number, else None."""
    if isinstance(obj, Named):
        return obj.number
    return obj if isinstance(obj, int | float) and not isinstance(obj, bool) else None


def holds_value(obj: PyObject) -> bool:
    """Return whether an object is a Value, or a list or tuple that contains one."""
    todo, seen = [obj], set[int]()
    while todo:
        found = todo.pop()
        if isinstance(found, Ref):
            return True
        if isinstance(found, tuple | list) and id(found) not in seen:
            seen.add(id(found))
            todo.extend(found)
    return False


BIT_LIMIT = 1100
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
"""Supported functions of `random` with their arity."""
CONSTANTS = {"pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan, "tau": math.tau}


class NumberError(EngineError):
    """An arithmetic error that Python would raise as well; its text is the reason."""


def computed(op: str, numbers: Sequence[float]) -> float:
    """Return the result of an operation on plain numbers; whole numbers stay exact."""
    if op in _BINARY or op in _UNARY:
        return _by_python(op, numbers)
    found = BY_NAME[op].forward(*(as_float(number) for number in numbers))
    if not math.isfinite(found) and all(map(math.isfinite, numbers)):
        raise NumberError("{op} has no finite value here.", op=op)
    return found


def _by_python(op: str, numbers: Sequence[float]) -> float:
    are_ints = all(isinstance(number, int) for number in numbers)
    if op == "pow" and are_ints and _bits_of_power(*numbers) > BIT_LIMIT:
        raise NumberError(TOO_LARGE)
    try:
        found = _UNARY[op](*numbers) if op in _UNARY else _BINARY[op](*numbers)
    except ZeroDivisionError:
        raise NumberError("this divides by 0.") from None
    except OverflowError:
        raise NumberError(TOO_LARGE) from None
    if isinstance(found, int) and found.bit_length() > BIT_LIMIT:
        raise NumberError(TOO_LARGE)
    if not isinstance(found, int | float):
        raise NumberError("this number is not real.")
    return found


def _bits_of_power(base: float, exponent: float) -> float:
    return int(base).bit_length() * exponent if exponent > 0 else 0


def as_float(number: float) -> float:
    """Convert to float; raises NumberError for an int beyond its range."""
    try:
        return float(number)
    except OverflowError:
        raise NumberError(TOO_LARGE) from None


def unknown_draw(name: str) -> NumberError:
    """Return the error for an unsupported call of `random`."""
    return NumberError("random.{name} can't be read like this.", name=name)


class SeededRandom:
    """Reproduces the module `random` after `random.seed(number)`."""

    def __init__(self) -> None:
        self._state: random.Random | None = None

    def seed(self, number: float) -> None:
        """Evaluate `random.seed(number)`."""
        self._state = random.Random(number)

    def forget(self) -> None:
        """Drop the state, after a call that may have advanced it by an unknown amount."""
        self._state = None

    def draw(self, name: str, numbers: Sequence[float]) -> float:
        """Return the next draw; raises NumberError if unsupported or unseeded."""
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
    """`.data` and `.grad` of all Values, updated as running the program would."""

    def __init__(self, nodes: Mapping[int, Node]) -> None:
        self._nodes = nodes
        self.data: dict[int, float] = {}
        self.grad: dict[int, float] = {}
        self.changed: ast.AST | None = None
        """The statement that last set `.data`."""
        self.closed = False
        """Set after the last backward pass; then assignments to `.data` and `.grad` are ignored."""
        self._root: int | None = None
        self._pass_data: dict[int, float] = {}

    def add(self, number: int) -> None:
        """Compute the value of a new node."""
        node = self._nodes[number]
        self.grad[number] = 0.0
        self.data[number] = self._value(node, self.data)

    def set_data(self, number: int, data: float, part: ast.AST) -> None:
        """Evaluate `v.data = 2`."""
        if not self.closed:
            self.data[number], self.changed = data, part

    def order(self, root: int) -> tuple[int, ...]:
        """Return the ancestors of a Value in topological order, itself last."""
        return post_order((root,), lambda node: self._nodes[node].inputs)

    def push(self, number: int) -> None:
        """Evaluate `v._backward()`: add grad × local derivative to each input's grad."""
        node = self._nodes[number]
        if not isinstance(node, OpNode):
            return
        inputs = [source for source in node.inputs if source is not None]
        values = [self.data[source] for source in inputs]
        for source, partial in zip(inputs, BY_NAME[node.op].partials, strict=True):
            # a partial takes the inputs, then the value of the operation
            self.grad[source] += self.grad[number] * partial(*values, self.data[number])

    def backward(self, root: int) -> int:
        """Evaluate `v.backward()`; returns the number of Values visited."""
        order = self.order(root)
        self._root, self._pass_data = root, {number: self.data[number] for number in order}
        self.grad[root] = 1.0
        for number in reversed(order):
            self.push(number)
        return len(order)

    def numbers_of(self, root: int) -> dict[int, float]:
        """Return `.data` of a root's ancestors at its last backward pass, or now if it had none."""
        return (
            self._pass_data if root == self._root else {n: self.data[n] for n in self.order(root)}
        )

    def is_consistent(self, root: int) -> bool:
        """Return whether recomputing every operation gives the stored `.data`."""
        data = self.numbers_of(root)
        return all(_same(data[n], self._value(self._nodes[n], data)) for n in self.order(root)
                   if isinstance(self._nodes[n], OpNode))  # fmt: skip

    def _value(self, node: Node, data: Mapping[int, float]) -> float:
        assert not isinstance(node, Root)
        if isinstance(node, Leaf | Constant):
            return node.value
        return BY_NAME[node.op].forward(*[data[n] for n in node.inputs if n is not None])


def _same(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))


NODE_LIMIT = 20_000
"""Maximum number of nodes that a program may make."""
STEP_LIMIT = 200_000
"""Maximum number of statements, expressions and items of lists that are evaluated: seconds."""
TEXT_LIMIT = 1000
"""Length from which a text in the program is refused."""


class Nodes:
    """Builds the nodes and counts steps, so that reading terminates soon.

    `made` are the nodes by id; those in `_labelled` keep their label when they get another name.
    """

    def __init__(self, source: Source) -> None:
        self.refusal = source.refusal
        self.python_error = source.python_error
        self.made: dict[int, Node] = {}
        self.passes = Passes(self.made)
        self._labelled: set[int] = set()
        self._steps = 0

    def count(self, part: ast.AST, steps: int = 1) -> None:
        """Count steps; raises FormatError beyond STEP_LIMIT."""
        self._steps += steps
        if self._steps > STEP_LIMIT:
            raise self.refusal(
                part, "the program takes more than {limit:,} steps to read.", limit=STEP_LIMIT
            )

    def literal(self, value: object, part: ast.AST) -> PyObject:
        """Return the object of a literal; refuses complex numbers, bytes and long texts."""
        if isinstance(value, bool | float) or (isinstance(value, str) and len(value) < TEXT_LIMIT):
            return value
        if value is None:
            return Nothing()
        if not isinstance(value, int):
            raise self.refusal(part, "only real numbers and short texts can stand here.")
        if value.bit_length() > BIT_LIMIT:
            raise self.python_error(part, TOO_LARGE)
        return value

    def items(self, obj: PyObject, part: ast.AST) -> Sequence[PyObject]:
        """Return the items of an iterable; refuses anything but lists, tuples and iterators."""
        if isinstance(obj, Unknown):
            raise obj.error
        if not isinstance(obj, tuple | list):
            raise self.refusal(part, "only lists, tuples and ranges can be looped over.")
        if isinstance(obj, OneShot):
            if obj.spent:
                return ()
            obj.spent = True
        return obj

    def named(self, obj: PyObject, name: str) -> PyObject:
        """Return an object as bound to a name: an unlabelled node is labelled with it."""
        if isinstance(obj, Ref) and obj.node not in self._labelled:
            self._label(obj.node, name)
        if isinstance(obj, tuple | list):
            self._name_items(obj, name)
        number = number_of(obj)
        return obj if number is None else Named(number, name)

    def set_label(self, of: Ref, label: PyObject, part: ast.AST) -> None:
        """Evaluate `v.label = '...'`."""
        if isinstance(label, Unknown):
            raise label.error
        if not isinstance(label, str) or len(label) > LABEL_LIMIT or not is_plain_line(label):
            raise self.refusal(
                part, "a label is one line of up to {limit} characters.", limit=LABEL_LIMIT
            )
        self._label(of.node, label)

    def set_requires_grad(self, node: int, wanted: PyObject, part: ast.AST) -> None:
        """Evaluate `v.requires_grad = True`."""
        found = self.made[node]
        if not isinstance(wanted, bool):
            raise self.refusal(part, "requires_grad is True or False.")
        if isinstance(found, Leaf | Constant):
            self.made[node] = (Leaf if wanted else Constant)(found.value, found.label)

    def operate(self, op: str, operands: tuple[PyObject, ...], part: ast.AST) -> PyObject:
        """Evaluate an operation: a number if all operands are numbers, else a new node."""
        numbers = [number_of(obj) for obj in operands]
        plain = [number for number in numbers if number is not None]
        if len(plain) == len(numbers):
            return self.computed(op, plain, part)
        if op not in BY_NAME:
            raise self.refusal(part, OTHER_OPERATOR)
        unknown = next((obj for obj in operands if isinstance(obj, Unknown)), None)
        if unknown is None or any(isinstance(obj, Ref) for obj in operands):
            return self.node(op, operands, part)
        return unknown

    def computed(self, op: str, numbers: list[float], part: ast.AST) -> float:
        """Compute with plain numbers as Python does."""
        try:
            return computed(op, numbers)
        except NumberError as error:
            raise self.python_error(part, error.template, **error.fields) from None

    def as_float(self, number: float, part: ast.AST) -> float:
        """Convert a plain number to float; refuses one beyond its range."""
        try:
            return as_float(number)
        except NumberError as error:
            raise self.python_error(part, error.template, **error.fields) from None

    def node(self, op: str, operands: tuple[PyObject, ...], part: ast.AST) -> Ref:
        """Add the node of an operation, even if all operands are plain numbers."""
        inputs = tuple(self._input(obj, part) for obj in operands)
        return self.add(OpNode(op, inputs), part)

    def _input(self, obj: PyObject, part: ast.AST) -> int:
        """Return the node of an operand; a plain number becomes a constant."""
        if isinstance(obj, Ref):
            return obj.node
        if isinstance(obj, Named):
            if obj.node is None:
                number = self.as_float(obj.number, part)
                obj.node = self.add(Constant(number), part).node
                self._label(obj.node, obj.name)
            return obj.node
        if isinstance(obj, Unknown):
            raise obj.error
        number = number_of(obj)
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
        self.passes.add(number)
        return Ref(number)

    def _label(self, node: int, label: str) -> None:
        found = self.made[node]
        assert not isinstance(found, Root)
        self._labelled.add(node)
        self.made[node] = msgspec.structs.replace(found, label=label[:LABEL_LIMIT])

    def _name_items(self, items: tuple[PyObject, ...] | list[PyObject], name: str) -> None:
        """Label the items of `w = [...]` w[0], w[1] ... until a later binding renames them."""
        for k, item in enumerate(items):
            if isinstance(item, Ref) and item.node not in self._labelled:
                self._label(item.node, f"{name}[{k}]")
                self._labelled.remove(item.node)


HARMLESS_FUNCTIONS = frozenset({
    "abs", "all", "any", "bool", "dict", "display", "enumerate", "filter", "float", "format",
    "frozenset", "getattr", "hasattr", "id", "input", "int", "isinstance", "issubclass",
    "iter", "len", "list", "map", "max", "min", "next", "print", "range", "repr", "reversed",
    "round", "set", "sorted", "str", "sum", "tuple", "type", "zip",
})  # fmt: skip
"""Functions of Python and IPython that do not mutate their arguments."""
_HARMLESS_METHODS = frozenset({
    "copy", "count", "endswith", "format", "index", "item", "items", "join", "keys", "lower",
    "ljust", "replace", "rjust", "split", "startswith", "strip", "title", "tolist", "upper",
    "values", "zfill", "graph",
})  # fmt: skip
# expressions that make a new object
_NEW = (
    ast.BinOp, ast.UnaryOp, ast.Constant, ast.JoinedStr, ast.List, ast.Dict, ast.Set,
    ast.ListComp, ast.DictComp, ast.SetComp,
)  # fmt: skip
# each of these is a side effect wherever it stands; a jump only outside a function, whose end it is
_CHANGES = (ast.Global, ast.Nonlocal, ast.Await, ast.Yield, ast.YieldFrom)
_JUMPS = (ast.Break, ast.Continue, ast.Return)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def first_side_effect(part: ast.AST, names: Mapping[str, PyObject]) -> ast.AST | None:
    """Return the first syntax node that may have a side effect, or None.

    Bodies of the program's functions that the code calls are included; `names` is its scope.
    """
    seen: set[ast.AST] = set()
    todo = [part]
    while todo:
        scope = todo.pop()
        if scope in seen:
            continue
        seen.add(scope)
        scan = _EffectScan(scope, names)
        for piece in walk(scope):
            if scan.changes(piece):
                return piece
        todo += scan.called
    return None


def names_bound_in(part: ast.AST) -> Iterator[str]:
    """Yield the names that code assigns, defines or imports."""
    for piece in walk(part):
        if isinstance(piece, ast.Name) and isinstance(piece.ctx, ast.Store | ast.Del):
            yield piece.id
        elif isinstance(piece, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield piece.name
        elif isinstance(piece, ast.alias):
            yield (piece.asname or piece.name).split(".")[0]


class _EffectScan:
    """The analysis of one function body or one statement.

    `called` collects the program's own functions that it names: their bodies are examined next.
    `_new` are names of objects made here, which it may change; `_unclear` may be names of others.
    """

    def __init__(self, scope: ast.AST, names: Mapping[str, PyObject]) -> None:
        self.called: list[ast.AST] = []
        self._names = {**names, **dict(_imported_in(scope))}
        self._is_function = isinstance(scope, _SCOPES)
        self._new = _new_names(scope)
        self._defined = {piece.name for piece in walk(scope) if isinstance(piece, ast.FunctionDef)}
        arguments = {piece.arg for piece in walk(scope) if isinstance(piece, ast.arg)}
        bound = {piece.id for piece in walk(scope) if _is_bound(piece)}
        self._unclear = (arguments | bound) - self._new

    def changes(self, piece: ast.AST) -> bool:
        """Return whether a syntax node may be a side effect; adds named functions to `called`."""
        if isinstance(piece, ast.Attribute | ast.Subscript) and not isinstance(piece.ctx, ast.Load):
            return not (isinstance(piece.value, ast.Name) and piece.value.id in self._new)
        if isinstance(piece, ast.Name):
            return self._names_a_change(piece)
        if isinstance(piece, ast.Call):
            return not self._is_harmless(piece.func)
        if isinstance(piece, _JUMPS):
            return not self._is_function
        if isinstance(piece, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return bool(piece.decorator_list) or isinstance(piece, ast.ClassDef)
        return isinstance(piece, _CHANGES)

    def _names_a_change(self, piece: ast.Name) -> bool:
        """Return whether a name is a class of the program; adds functions to `called`."""
        found = self._names.get(piece.id)
        if isinstance(found, UserDefinition) and isinstance(piece.ctx, ast.Load):
            if isinstance(found.node, ast.ClassDef):
                return True
            self.called.append(found.node)
        return False

    def _is_harmless(self, function: ast.expr) -> bool:
        if isinstance(function, ast.Name):
            return self._is_harmless_name(function.id)
        if not isinstance(function, ast.Attribute):
            return False
        if function.attr in BY_NAME or function.attr in _HARMLESS_METHODS:
            return True
        start = function.value
        while isinstance(start, ast.Attribute | ast.Call | ast.Subscript):
            start = start.func if isinstance(start, ast.Call) else start.value
        if not isinstance(start, ast.Name) or start.id in self._unclear:
            return False
        if function.attr in ("backward", "_backward"):
            return False
        found = self._names.get(start.id)
        if isinstance(found, Imported):
            return found.library in HARMLESS and "random" not in found.path.split(".")
        return start.id in self._new or (isinstance(found, Unknown) and not found.maybe_value)

    def _is_harmless_name(self, name: str) -> bool:
        if name in self._unclear or name in self._new:
            return False  # it may be bound to any function
        found = self._names.get(name)
        if isinstance(found, Imported):
            return found.last == "Value" or found.library in HARMLESS - {"random"}
        if isinstance(found, UserDefinition):
            return True  # added to `called`, whose bodies are examined later
        known = name in BY_NAME or name in HARMLESS_FUNCTIONS or name == "Value"
        return name in self._defined or (found is None and known)


def imported(statement: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, Imported]]:
    """Yield (name, Imported) for each name that an import binds."""
    of = statement.module or "" if isinstance(statement, ast.ImportFrom) else ""
    for found in statement.names:
        path = f"{of}.{found.name}" if of else found.name
        if found.name != "*":
            binds_root = not of and found.asname is None  # import a.b binds a
            name = found.asname or (path.partition(".")[0] if binds_root else found.name)
            yield name, Imported(path.partition(".")[0] if binds_root else path)


def _imported_in(scope: ast.AST) -> Iterator[tuple[str, Imported]]:
    for piece in walk(scope):
        if isinstance(piece, ast.Import | ast.ImportFrom):
            yield from imported(piece)


def _is_bound(piece: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(piece, ast.Name) and not isinstance(piece.ctx, ast.Load)


def _new_names(scope: ast.AST) -> set[str]:
    """Return local names bound only to objects created in this code (escape analysis)."""
    made: dict[str, bool] = {}
    arguments = {piece.arg for piece in walk(scope) if isinstance(piece, ast.arg)}
    for piece in walk(scope):
        if isinstance(piece, ast.Assign):
            for target in piece.targets:
                for name, value in _bindings(target, piece.value):
                    made[name] = made.get(name, True) and _is_new(value)
        elif isinstance(piece, ast.For | ast.comprehension | ast.NamedExpr | ast.AnnAssign):
            made.update(dict.fromkeys(names_bound_in(piece.target), False))
        elif isinstance(piece, ast.withitem) and piece.optional_vars is not None:
            made.update(dict.fromkeys(names_bound_in(piece.optional_vars), False))
    return {name for name, new in made.items() if new} - arguments


def _bindings(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr | None]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for each, part in zip(target.elts, value.elts, strict=False):
            yield from _bindings(each, part)
    else:
        yield from ((name, None) for name in names_bound_in(target))


def _is_new(value: ast.expr | None) -> bool:
    """Return whether an expression creates an object without other references."""
    if not isinstance(value, ast.Call):
        return isinstance(value, _NEW)
    function = value.func
    if isinstance(function, ast.Attribute):
        return function.attr in BY_NAME or function.attr in ("copy", "Digraph")
    makers = ("Value", "set", "list", "dict", "tuple", "Digraph", "float", "int", "str")
    return isinstance(function, ast.Name) and function.id in makers
