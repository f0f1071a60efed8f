"""Straight lines: what a program makes outside of its functions, classes and loops.

>>> found = straight("a = Value(2.0); b = a*3; b.backward()\\nfor p in [a]: p.data += 1")
>>> found.graph().root_name, [str(place) for place in found.passed]
('b', ['line 2'])

Nothing is run. Numbers, `Value(...)` and torch's scalar `tensor(...)`, signs, methods, labels and
`backward()` are read, whatever else is passed over. A name that is assigned or may be changed there
is unknown from there on, and so is what uses it: what is read is what the program makes.
"""

import ast
import math
from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from engine.errors import FormatError
from engine.formats.python.source import statements, walk
from engine.formats.python.writer import is_written_definition
from engine.graph import LABEL_LIMIT, Constant, Graph, Leaf, OpNode, Root, post_order
from engine.names import is_plain_line, rewired, with_parsed_names
from engine.ops import BY_NAME, meant

_SIGNS: dict[type[ast.operator], tuple[str, Callable[[float, float], float]]] = {
    ast.Add: ("add", float.__add__),
    ast.Sub: ("sub", float.__sub__),
    ast.Mult: ("mul", float.__mul__),
    ast.Div: ("div", float.__truediv__),
    ast.Pow: ("pow", math.pow),
}
_MODULES = ("torch", "math", "np", "F", "functional")
_KEYWORDS = frozenset({"data", "label", "_label", "requires_grad", "dtype", "device"})
_VARIED = ("leaky_relu", "elu", "softplus", "gelu")
"""Operations that programs define by different formulas."""
_ENDS = ("exit", "quit")
"""Functions that end a program."""
_EXACT = 2**53
"""From this size on whole numbers in Python are not those of floats."""
_CASTS = ("double", "float", "requires_grad_")
"""Methods of a tensor that keep its number."""
_PASSED_NAMED = 3
"""Maximum number of places that a remark names."""


class Place(Struct, frozen=True):
    """A line of a program, or of one of a notebook's cells."""

    cell: str | None
    line: int

    def __str__(self) -> str:
        return f"line {self.line}" if self.cell is None else f"{self.cell}, line {self.line}"


class Pass(Struct, frozen=True):
    """A root, which is the Value whose `backward` is called, and where that is."""

    node: int
    place: Place


class Straight(Struct, frozen=True):
    """What the straight lines of a program make."""

    nodes: Mapping[int, Leaf | Constant | OpNode]
    """Leaves, constants and operations, with the labels or names that the program gives them."""
    roots: tuple[Pass, ...]
    """In the order of the passes; without any the last Value made, if it is an operation."""
    passed: tuple[Place, ...]
    """The statements that were passed over."""

    def graph(self, root: int = -1) -> Graph:
        """Return the graph of one of the roots; raises FormatError if there is none."""
        if not self.roots:
            if not self.passed:
                raise FormatError("No straight line of the program makes a Value.")
            reason = "No straight line of the program makes a Value; {place} was passed over."
            raise FormatError(reason, place=self.passed[0])
        last = self.roots[root].node
        ids = {node: k for k, node in enumerate(sorted(_reached(self.nodes, last)), 1)}
        nodes = {new: rewired(self.nodes[node], ids) for node, new in ids.items()}
        marker = len(nodes) + 1
        nodes = with_parsed_names({**nodes, marker: Root(ids[last])})
        return Graph(nodes, marker, max(nodes) + 1)

    @property
    def remark(self) -> str:
        """Return what was passed over, as a sentence, or ""."""
        if not self.passed:
            return ""
        named = ", ".join(map(str, self.passed[:_PASSED_NAMED]))
        more = len(self.passed) - _PASSED_NAMED
        if more <= 0:
            return f"Read as straight lines of a program; passed over: {named}."
        return f"Read as straight lines of a program; passed over: {named} and {more} more."


def straight(text: str | Mapping[str, str]) -> Straight:
    """Read a program, or the code of a notebook's cells by title; raises FormatError.

    A cell that is no Python is passed over, as Python does; in a program that is refused. Where
    nothing is said of Values, plain numbers are read as if they were.
    """
    code = text if isinstance(text, str) else "".join(text.values())
    plain = not any(mark in code for mark in ("Value", "tensor", "backward"))
    return _Reader(plain).straight(text)


class _PassedOverError(Exception):
    """Raised at what is no straight line."""


class _Reader:
    """Reads the statements of one program; `plain` makes a Leaf of each number assigned.

    What an expression makes is a node: a number is a Constant, until it is part of a Value.
    """

    def __init__(self, plain: bool) -> None:
        self._plain = plain
        self._nodes: dict[int, Leaf | Constant | OpNode] = {}
        self._numbers: dict[int, float] = {}
        """The plain numbers of the program, by their nodes, which are no Values or tensors."""
        self._names: dict[str, int] = {}
        self._makers = {"Value", "tensor", "Tensor", "Parameter"}
        self._defined = set[str]()
        """Operations that our own export defines, with these very words."""
        self._own = set[str]()
        """Functions and methods that the program defines."""
        self._roots: list[Pass] = []
        self._passed: list[Place] = []
        self._changing = {"step"}
        """Names of functions that change a Value's number, as an optimizer's does."""
        self._all_changed = 0
        """The last node of which, and of all before it, the number may have changed."""
        self._users: dict[int, list[int]] = {}
        self._changed: set[int] = set()
        """Nodes whose number may have changed, and what was made of them."""
        self._last: Pass | None = None
        self._place = Place(None, 1)
        """That of the statement being read."""

    def straight(self, text: str | Mapping[str, str]) -> Straight:
        """Return what all statements make; raises FormatError for a program that is no Python."""
        for cell, statement in statements(text):
            match statement:
                case ast.Expr(value=ast.Call(func=called)) if _name(called) in _ENDS:
                    break
                case _:
                    self._read(statement, cell)
        roots, last = self._roots, self._last
        if not roots and last is not None and not self._has_changed(last.node):
            is_made = isinstance(self._nodes[last.node], OpNode)
            roots = [last] if is_made or not self._passed else []
        return Straight(self._nodes, tuple(roots), tuple(self._passed))

    def _has_changed(self, root: int) -> bool:
        """Return whether a number that a root is made of may have changed since."""
        return root <= self._all_changed or root in self._changed

    def _change(self, nodes: Iterable[int]) -> None:
        """Note nodes whose number may have changed, and what was made of them."""
        todo = list(nodes)
        while todo:
            node = todo.pop()
            if node not in self._changed:
                self._changed.add(node)
                todo += self._users.get(node, ())

    def _read(self, statement: ast.stmt, cell: str | None) -> None:
        self._place = place = Place(cell, statement.lineno)
        try:
            self._run(statement)
        except (_PassedOverError, RecursionError, ArithmeticError, ValueError):
            self._pass_over(statement)
            self._passed.append(place)

    def _run(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]) if is_written_definition(statement):
                self._defined.add(name)
            case ast.Assign(targets=targets, value=value):
                self._assign(targets, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign([target], value)
            case ast.AugAssign(target=ast.Name(id=name) as target, op=op, value=value):
                self._assign([target], ast.BinOp(ast.Name(name), op, value))
            case ast.Expr(value=value):
                self._show(value)
            case ast.If(test=ast.Compare(left=ast.Name(id="__name__")), body=body):
                for inner in body:
                    self._read(inner, self._place.cell)
            case _:
                self._define(statement)

    def _define(self, statement: ast.stmt) -> None:
        """Note a definition: it makes nothing, but later lines may call it."""
        match statement:
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                made = [each.asname or each.name for each in names if each.name in self._makers]
                self._makers.update(made)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                self._forget(name)
                made = (part for part in walk(statement) if isinstance(part, ast.FunctionDef))
                self._own.update(part.name for part in made)
                if any(map(_is_changed, walk(statement))):
                    self._changing.add(name)
            case ast.Assert() | ast.Pass():
                pass
            case _:
                raise _PassedOverError

    def _show(self, value: ast.expr) -> None:
        """Note a pass; any other call only shows something, or it changes all numbers."""
        match value:
            case ast.Call(func=ast.Attribute(value=root, attr="backward")):
                node = self._value(root)
                if node in self._numbers or self._has_changed(node):
                    raise _PassedOverError
                self._roots.append(Pass(node, self._place))
            case ast.Call(func=called) if _name(called) in self._changing:
                raise _PassedOverError
            case _:
                pass

    def _pass_over(self, statement: ast.stmt) -> None:
        """Forget the names that a statement assigns or may change."""
        parts = list(walk(statement))
        names = [part for part in parts if isinstance(part, ast.Name)]
        if any(map(_is_changed, parts)):
            named = {self._names[part.id] for part in names if part.id in self._names}
            self._change(named - self._numbers.keys())
        calls = (part.func for part in parts if isinstance(part, ast.Call))
        if any(_name(called) in self._changing for called in calls):
            self._all_changed = len(self._nodes)
        for part in names:
            if not isinstance(part.ctx, ast.Load):
                self._forget(part.id)

    def _forget(self, name: str) -> None:
        self._names.pop(name, None)
        self._defined.discard(name)

    def _assign(self, targets: list[ast.expr], value: ast.expr) -> None:
        result: int | None = None
        for target in targets:
            match target, value:
                case ast.Name(), _:
                    result = self._value(value) if result is None else result
                    self._bind(target, result)
                case ast.Attribute(value=ast.Name(id=name), attr="label"), ast.Constant(
                    value=label
                ):
                    self._label(self._names.get(name, 0), label)
                case ast.Attribute(value=ast.Name(id=name), attr="requires_grad"), _:
                    self._require_grad(self._names.get(name, 0))
                case ast.Attribute(attr="grad" | "label" | "requires_grad"), _:
                    pass  # which changes no number
                case ast.Tuple(elts=parts), ast.Tuple(elts=values):
                    results = [self._value(each) for each in values]
                    for part, each in zip(parts, results, strict=True):
                        self._bind(part, each)
                case _:
                    raise _PassedOverError

    def _bind(self, target: ast.expr, node: int) -> None:
        if not isinstance(target, ast.Name):
            raise _PassedOverError
        if self._plain and node in self._numbers:
            node = self._add(Leaf(self._numbers[node]))
        found = self._nodes[node]
        if not found.label and len(target.id) <= LABEL_LIMIT:
            self._nodes[node] = replace(found, label=target.id)
        if node not in self._numbers:
            self._last = Pass(node, self._place)
        self._defined.discard(target.id)
        self._names[target.id] = node

    def _label(self, node: int, label: object) -> None:
        is_label = isinstance(label, str) and is_plain_line(label) and len(label) <= LABEL_LIMIT
        if is_label and node in self._nodes.keys() - self._numbers.keys():
            self._nodes[node] = replace(self._nodes[node], label=str(label))

    def _value(self, part: ast.expr) -> int:
        """Return what an expression makes; raises _PassedOverError for anything not supported."""
        match part:
            case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
                return self._add_number(float(number))
            case ast.Name(id=name) if name in self._names:
                return self._names[name]
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self._value(operand)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                found = self._value(operand)
                if found in self._numbers:
                    return self._add_number(-self._numbers[found])
                return self._add(OpNode("neg", (found,)))
            case ast.BinOp(left=one, op=sign, right=two) if type(sign) in _SIGNS:
                return self._calculate(sign, self._value(one), self._value(two))
            case ast.Call():
                return self._call(part)
            case _:
                raise _PassedOverError

    def _calculate(self, sign: ast.operator, left: int, right: int) -> int:
        name, compute = _SIGNS[type(sign)]
        if not self._numbers.keys() >= {left, right}:
            return self._add(OpNode(name, (left, right)))
        numbers = self._numbers[left], self._numbers[right]
        result = compute(*numbers)
        if max(map(abs, (*numbers, result))) >= _EXACT:
            raise _PassedOverError
        return self._add_number(result)

    def _add_number(self, number: float) -> int:
        node = self._add(Constant(number))
        self._numbers[node] = number
        return node

    def _call(self, call: ast.Call) -> int:
        name = _name(call.func)
        receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
        of_module = _name(receiver) in _MODULES and _name(receiver) not in self._names
        if name in self._makers and (receiver is None or of_module):
            return self._leaf(call)
        known = self._function(call, name, of_module=of_module)
        if known is not None:
            return known
        if receiver is None or call.keywords:
            raise _PassedOverError
        operands = list(map(self._value, call.args if of_module else [receiver, *call.args]))
        if name in _CASTS and not of_module:
            return self._require_grad(operands[0]) if name == "requires_grad_" else operands[0]
        found = meant(name)
        is_own = found in _VARIED and name in self._own
        if not found or is_own or self._numbers.keys() >= set(operands):
            raise _PassedOverError
        return self._operate(found, operands)

    def _function(self, call: ast.Call, name: str, *, of_module: bool) -> int | None:
        """Return what a function makes that our own exports call, or None for any other."""
        match call:
            case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str() as text)]):
                return self._add_number(float(text))
            case ast.Call(func=ast.Name(), keywords=[]) if name in self._defined:
                return self._operate(name, list(map(self._value, call.args)))
            case ast.Call(
                args=[ast.Compare(left, [ast.Gt()], [ast.Constant(value=0)]), one, two]
            ) if of_module and name == "where":
                return self._operate("where_gt0", list(map(self._value, (left, one, two))))
            case _:
                return None

    def _leaf(self, call: ast.Call) -> int:
        """Return the leaf of `Value(2.0, label="a")` or of a tensor of one number."""
        keywords = {each.arg: each.value for each in call.keywords}
        number, *more = [*call.args, *(each.value for each in call.keywords if each.arg == "data")]
        if isinstance(number, ast.List):
            (number,) = number.elts
        value = self._numbers.get(self._value(number))
        is_plain = all(isinstance(each, ast.Constant) for each in more)
        if value is None or not is_plain or not _KEYWORDS.issuperset(keywords):
            raise _PassedOverError
        is_leaf = "ensor" not in _name(call.func) or "requires_grad" in keywords
        node = self._add(Leaf(value) if is_leaf else Constant(value))
        label = keywords.get("label", keywords.get("_label"))
        if isinstance(label, ast.Constant):
            self._label(node, label.value)
        return node

    def _require_grad(self, node: int) -> int:
        """Make a leaf of a tensor whose gradient is wanted."""
        found = self._nodes.get(node)
        if isinstance(found, Constant) and node not in self._numbers:
            self._nodes[node] = Leaf(found.value, found.label)
        return node

    def _operate(self, name: str, operands: list[int]) -> int:
        if len(operands) != len(BY_NAME[name].slots):
            raise _PassedOverError
        return self._add(OpNode(name, tuple(operands)))

    def _add(self, node: Leaf | Constant | OpNode) -> int:
        number = len(self._nodes) + 1
        self._nodes[number] = node
        for each in filter(None, node.inputs):
            self._users.setdefault(each, []).append(number)
            if self._has_changed(each):
                self._changed.add(number)
        return number


def _reached(nodes: Mapping[int, Leaf | Constant | OpNode], root: int) -> set[int]:
    """Return the root and all that it is made of."""
    return set(post_order((root,), lambda node: nodes[node].inputs))


def _is_changed(part: ast.AST) -> bool:
    """Return whether a part of a statement may change a Value's number, or which it is."""
    if isinstance(part, ast.Global | ast.Nonlocal):
        return True
    is_place = isinstance(part, ast.Attribute | ast.Subscript)
    return is_place and not isinstance(part.ctx, ast.Load) and _name(part) != "grad"


def _name(part: ast.expr | None) -> str:
    """Return the name after the last dot of an expression, or ""."""
    if isinstance(part, ast.Attribute):
        return part.attr
    return part.id if isinstance(part, ast.Name) else ""
