"""Value: micrograd's `Value`, a number with its gradient and the operands it was computed from.

Programs written for micrograd run with it. A node `out` keeps its operands and its operation. In
the backward pass it adds to the gradient of each operand a one contribution:

    ∂root/∂a  +=  ∂root/∂out · ∂out/∂a          a.grad += out.grad * (local derivative along a)

>>> a, b = Value(2.0), Value(-3.0)
>>> y = a * b + a
>>> y.backward()
>>> a.grad, b.grad
(-2.0, 2.0)

In micrograd each operation makes a closure, `out._backward`, that computes the local derivatives
when it is called. Here the table of operations does, so there are no closures and no reference
cycles, and freeing the root frees the graph. If a program changes data between the passes, each
operation reads what micrograd's closure reads: × and powers the data of their operands as they are
now; relu, tanh and exp their own value, which was computed before; and ÷, which is a · b⁻¹ there,
the 1/b of the forward pass along a.

>>> y = a * b
>>> b.data = 100.0
>>> a.grad = 0.0
>>> y.backward()
>>> a.grad, y.data
(100.0, -6.0)

`backward` walks in the same order as a trace of `graph()`, so both give identical results.
"""

# The functions of this module access private members of the class.
# pyright: reportPrivateUsage=false

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from itertools import chain, count
from numbers import Real
from types import MethodType
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec import Struct

from engine import hooks
from engine.errors import EngineError
from engine.graph import LABEL_LIMIT, Constant, Graph, Leaf, Node, OpNode, Root
from engine.names import LONGEST_NAME, RESERVED, is_plain_line
from engine.ops import BY_NAME, MOST_SLOTS, OPS, Op, Rule, Use, frozen


class Value:
    """A number of an expression: `data`, `grad`, and the operands it was computed from.

    Each operation of `OPS` is a method: `a.tanh()`, `a.maximum(b)`, `c.where_gt0(x, y)`. Values are
    ordered by their data, but == compares identity. A program may set attributes of its own.
    """

    __slots__ = (
        *("data", "grad"),
        "_origin",  # the sign of the operation such as "*", "" for a leaf, a Quotient or a Special
        *("_a", "_b"),  # the operands
        *("_mark", "__dict__"),
    )
    label: str = ""  # set, as few Values have one, it is in __dict__, which is made then
    _fold: group | None = None

    def __init__(
        self,
        data: float,
        _children: Iterable[Value] = (),
        _op: str = "",
        label: str = "",
        **usual: Any,  # noqa: ANN401
    ) -> None:
        if usual:
            spelled = _spelled(usual)
            _children, _op = spelled.get("_children", _children), spelled.get("_op", _op)
            label = spelled.get("label", label)
        self.data = data if type(data) is float else _number(data)
        self.grad = 0.0
        self._origin: str | Quotient | Special = ""
        self._a: Value | None = None
        self._b: Value | None = None
        self._mark: Any = None  # the latest walk that visited it
        if label:
            self.label = label
        if _open_group is not None:
            self._fold = _open_group
        if _children or _op:
            # it sends no contributions until _backward is assigned
            self._origin = Special(_op, tuple(_children))

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...  # noqa: ANN401
        def __setattr__(self, name: str, value: object) -> None: ...

    def __repr__(self) -> str:
        return f"Value(data={self.data}, grad={self.grad})"

    def __float__(self) -> float:
        return float(self.data)

    def __lt__(self, other: Operand) -> bool:
        return NotImplemented if (number := _compared(other)) is None else self.data < number

    def __le__(self, other: Operand) -> bool:
        return NotImplemented if (number := _compared(other)) is None else self.data <= number

    def __gt__(self, other: Operand) -> bool:
        return NotImplemented if (number := _compared(other)) is None else self.data > number

    def __ge__(self, other: Operand) -> bool:
        return NotImplemented if (number := _compared(other)) is None else self.data >= number

    def item(self) -> float:
        """Return the number, as a tensor's `item` does."""
        return self.data

    def zero_grad(self) -> None:
        """Set this gradient and those of all ancestors to 0."""
        for node in _order(self, leaves=True):
            node.grad = 0.0

    @property
    def _op(self) -> str:
        """The operation as micrograd writes it: `+`, `**3`, `tanh`; "" for a leaf."""
        return self._origin if isinstance(self._origin, str) else self._origin.sign

    @property
    def _prev(self) -> tuple[Value, ...]:
        """The operands in order with duplicates; a plain number as exponent is left out."""
        operands = _operands(self)
        return operands[:1] if self._op[:2] == "**" != self._op else operands  # "**3", not "**"

    _children = _prev

    @property
    def _label(self) -> str:
        """The label, as some copies of micrograd call it."""
        return self.label

    @_label.setter
    def _label(self, label: str) -> None:
        self.label = label

    @property
    def _backward(self) -> Callable[[], None]:
        """The backward step of this node, from its gradient to its operands'; may be replaced."""
        backward_step = self._origin.backward_step if type(self._origin) is Special else None
        return MethodType(_send_contributions, self) if backward_step is None else backward_step

    @_backward.setter
    def _backward(self, backward_step: Callable[[], None]) -> None:
        self._origin = Special(self._op, _operands(self), backward_step=backward_step)
        self._a = self._b = None

    def backward(self) -> None:
        """Set this gradient to 1, then add the contributions to those of all ancestors."""
        self.grad = 1.0
        for out in reversed(_order(self)):  # after all nodes that use it: its gradient is complete
            a, b, sign = out._a, out._b, out._origin
            if sign == "*":  # the most frequent ones first
                a.grad += out.grad * b.data  # pyright: ignore
                b.grad += out.grad * a.data  # pyright: ignore
            elif sign == "+":
                a.grad += out.grad  # pyright: ignore
                b.grad += out.grad  # pyright: ignore
            elif a is None:  # a leaf, or a Special
                out._backward()
            elif b is None:
                a.grad += out.grad * _SLOPES[sign][0](a.data, out.data)  # pyright: ignore
            elif type(sign) is str:
                slope_a, slope_b = _SLOPES.get(sign, _POWER)
                x, y, value = a.data, b.data, out.data
                a.grad += out.grad * slope_a(x, y, value)
                b.grad += out.grad * slope_b(x, y, value)
            else:
                out._backward()

    def graph(self) -> Graph:
        """Return the graph of this expression with this node as its root; labels are kept."""
        return graph_and_values(self)[0]

    def show(self) -> None:
        """Open a window with this graph, in a separate process."""
        hooks.show(self)

    def _repr_svg_(self) -> str | None:
        """Return the picture of this graph, with current data and grad; None if there is none."""
        return self._repr_mimebundle_().get("image/svg+xml")

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return the picture for a notebook by MIME type, or a text why there is none."""
        return hooks.mimebundle(self)

    # Each operation computes its value, and keeps its operands for the backward pass.

    def __add__(self, other: Operand) -> Value:
        b = other if type(other) is Value else _as_value(other)
        if b is None:
            return NotImplemented
        return _node(self.data + b.data, "+", self, b)

    def __sub__(self, other: Operand) -> Value:
        b = other if type(other) is Value else _as_value(other)
        if b is None:
            return NotImplemented
        return _node(self.data - b.data, "-", self, b)

    def __mul__(self, other: Operand) -> Value:
        b = other if type(other) is Value else _as_value(other)
        if b is None:
            return NotImplemented
        return _node(self.data * b.data, "*", self, b)

    def __truediv__(self, other: Operand) -> Value:
        return NotImplemented if (b := _as_value(other)) is None else self.div(b)

    def __pow__(self, other: Operand) -> Value:
        b = _as_value(other)
        if b is None:
            return NotImplemented
        if b is other:
            return self.pow(b)
        return _node(_POW.forward(self.data, b.data), f"**{other}", self, b)

    def __radd__(self, other: float) -> Value:
        return NotImplemented if (a := _as_value(other)) is None else a + self

    def __rsub__(self, other: float) -> Value:
        return NotImplemented if (a := _as_value(other)) is None else a - self

    def __rmul__(self, other: float) -> Value:
        return NotImplemented if (a := _as_value(other)) is None else a * self

    def __rtruediv__(self, other: float) -> Value:
        return NotImplemented if (a := _as_value(other)) is None else a / self

    def __rpow__(self, other: float) -> Value:
        return NotImplemented if (a := _as_value(other)) is None else a**self

    def __neg__(self) -> Value:
        return _node(-self.data, "neg", self)

    def __pos__(self) -> Value:
        return self

    def __abs__(self) -> Value:
        return self.abs()


class Number(Value):
    """A plain number used with a Value in an expression: a constant of its graph."""

    __slots__ = ()


Operand = Value | float


class Quotient(Struct, eq=False, gc=False):
    """The origin of a ÷ b, with the divisor of the forward pass."""

    divisor: float
    sign: ClassVar[str] = "/"


class Special(Struct, eq=False):
    """The origin of a node with three operands, made by hand, or with a replaced `_backward`.

    `op` is the operation of one with three, `backward_step` what a program has assigned.
    """

    sign: str
    operands: tuple[Value, ...]
    op: Op | None = None
    backward_step: Callable[[], None] | None = None


class group:  # noqa: N801 (used as a function)
    """`with group("layer 1"):` folds what is computed inside into one node of `show()`'s window."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.outer: group | None = None

    def __enter__(self) -> group:
        global _open_group
        self.outer, _open_group = _open_group, self
        return self

    def __exit__(self, *_error: object) -> None:
        global _open_group
        _open_group = self.outer


_open_group: group | None = None


def _node(data: float, origin: str | Quotient, a: Value, b: Value | None = None) -> Value:
    """Make a node: its data, its origin and its operands.

    Faster than Value(...), which checks its arguments.
    """
    node = _new_object(Value)
    node.data = data
    node.grad = 0.0
    node._origin = origin
    node._a = a
    node._b = b
    node._mark = None
    if _open_group is not None:
        node._fold = _open_group
    return node


def _send_contributions(out: Value) -> None:
    """Add upstream gradient × local derivative to the gradient of each operand.

    A node made by hand adds nothing until it is told how, as micrograd's.
    """
    origin, operands = out._origin, _operands(out)
    numbers = [operand.data for operand in operands]
    value, slopes = out.data, _POWER
    if isinstance(origin, str):
        slopes = _SLOPES.get(origin, _POWER)
    elif isinstance(origin, Quotient):  # in micrograd a · b⁻¹, with the b⁻¹ that was computed
        value, slopes = origin.divisor, _QUOTIENT
    elif origin.op is None:
        return
    else:
        slopes = origin.op.partials
    for operand, slope in zip(operands, slopes, strict=False):
        operand.grad += out.grad * slope(*numbers, value)


def _first_of_quotient(x: float, _y: float, divisor: float) -> float:
    return _DIV.partials[0](x, divisor, 0.0)


def _second_of_quotient(x: float, y: float, _divisor: float) -> float:
    return _DIV.partials[1](x, y, _DIV.forward(x, y))


_QUOTIENT: tuple[Rule, ...] = (_first_of_quotient, _second_of_quotient)


def _method(op: Op) -> Callable[..., Value]:
    """Make the method of Value for an operation; plain numbers become constants."""
    forward, sign = op.forward, op.micrograd or op.infix or op.name

    def unary(self: Value) -> Value:
        return _node(forward(self.data), sign, self)

    def with_others(self: Value, *others: Operand) -> Value:
        operands = [self, *(found for other in others if (found := _as_value(other)) is not None)]
        if not len(operands) == len(others) + 1 == len(op.slots):
            raise EngineError("{op} takes {slots} numbers.", op=op.name, slots=len(op.slots))
        data = forward(*[operand.data for operand in operands])
        if len(operands) == 2:
            return _node(data, Quotient(operands[1].data) if op is _DIV else sign, *operands)
        node = Value(data)
        node._origin = Special(sign, tuple(operands), op)
        return node

    method = unary if len(op.slots) == 1 else with_others
    method.__name__ = method.__qualname__ = op.name
    method.__doc__ = f"Return {op.description}: {op.formula}."
    return method


def _compared(other: object) -> float | None:
    """Return the number with which data is compared; None if it is not a real number."""
    number = other.data if isinstance(other, Value) else other
    return number if isinstance(number, Real) else None  # pyright: ignore[reportReturnType]


def _spelled(usual: Mapping[str, Any]) -> dict[str, Any]:
    """Return keywords as the usual copies of micrograd have them under its own names."""
    unknown = usual.keys() - _KEYWORDS.keys()
    if unknown:
        raise TypeError(f"Value() got an unexpected keyword argument {min(unknown)!r}")
    return {_KEYWORDS[word]: given for word, given in usual.items()}


def _number(given: object) -> float:
    """Return a number as float; EngineError for anything else."""
    try:
        if not isinstance(given, Value):  # float() would take one, and lose its gradient
            return float(given)  # pyright: ignore[reportArgumentType]
    except OverflowError:
        raise EngineError("A Value holds no number as large as this.") from None
    except (TypeError, ValueError):
        pass
    raise EngineError("A Value holds one number, not {data!r:.80}.", data=given)


def _as_value(other: object) -> Value | None:
    """Return an operand as a Value; None if it is not a real number."""
    if isinstance(other, Value):
        return other
    return Number(other) if isinstance(other, Real) else None  # pyright: ignore[reportArgumentType]


def _operands(node: Value) -> tuple[Value, ...]:
    """Return the operands in order."""
    a, b, origin = node._a, node._b, node._origin
    if type(origin) is Special:
        return origin.operands
    return () if a is None else (a,) if b is None else (a, b)


def _order(root: Value, leaves: bool = False) -> list[Value]:
    """Return `root` and its ancestors in depth-first post-order, as engine.graph does.

    Leaves add nothing to other gradients, so without `leaves` they are skipped, which is faster.
    """
    seen = object()  # unique to this walk, so that no old mark needs to be cleared
    skipped = None if leaves else _LEAF
    found: list[Value] = []
    stack: list[Value | None] = [root]
    while stack:
        node = stack.pop()
        if node is None:  # all operands of the node below are found
            found.append(stack.pop())  # pyright: ignore[reportArgumentType]
        elif node._mark is not seen:
            node._mark = seen
            a, b = node._a, node._b
            if b is not None and b._origin is not skipped and b._mark is not seen:
                stack += (node, None, b)  # a is put above b, so that it is visited first
                if a is not None and a._origin is not skipped and a._mark is not seen:
                    stack.append(a)
            elif a is not None and a._origin is not skipped and a._mark is not seen:
                stack += (node, None, a)
            elif a is None and type(node._origin) is Special:
                stack += (node, None, *reversed(node._origin.operands))
            else:  # no operand is left to visit
                found.append(node)
    return found


def graph_and_values(
    root: Value, names: Mapping[Value, str] | None = None
) -> tuple[Graph, list[Value]]:
    """Return the graph of an expression, and the Values of its nodes 1, 2, 3 …

    An operation that OPS lacks is frozen in it: as its value and its slopes are now. `names` are
    the labels of Values without one.
    """
    order = _order(root, leaves=True)
    ids = {node: k for k, node in enumerate(order, 1)}
    nodes: dict[int, Node] = {}
    values: dict[int, float] = {}
    uses: dict[int, tuple[str, Use]] = {}
    for node, k in ids.items():
        label = label_for_graph(node.label or (names or {}).get(node, ""))
        operands, op = _operands(node), _operation(node)
        values[k] = _float(node.data)
        if not operands:
            nodes[k] = (Constant if type(node) is Number else Leaf)(float(node.data), label)
            continue
        if op is None:
            operands = tuple(dict.fromkeys(operands))
        inputs = tuple([ids[operand] for operand in operands])
        given = tuple([values[source] for source in inputs])
        nodes[k] = OpNode("" if op is None else op.name, inputs, label)
        if op is None:
            uses[k] = node._op, Use(given, values[k], _probed(node, operands))
        else:
            values[k] = op.forward(*given)
    operations = frozen_operations(uses, nodes)
    marker = len(order) + 1
    nodes[marker] = Root(ids[root])
    return Graph(nodes, marker, marker + 1, operations), order


def _operation(node: Value) -> Op | None:
    """Return the operation of a node; None for a leaf, and where OPS lacks it.

    A node made by hand is the operation of its name only if it has its value and slopes.
    """
    operands, sign, origin = _operands(node), node._op, node._origin
    is_power = sign[:2] == "**" and len(operands) == 2 and isinstance(operands[1], Number)
    op = _BY_SIGN.get("**" if is_power else sign)
    if op is None or len(op.slots) != len(operands):
        return None
    if not isinstance(origin, Special) or origin.op is not None:
        return op
    given, value = [_float(operand.data) for operand in operands], _float(node.data)
    if not _close(op.forward(*given), value, 1e-9):
        return None
    if origin.backward_step is None:
        return op
    slopes: dict[Value, float] = {}
    for operand, partial in zip(operands[: 2 - is_power], op.partials, strict=False):
        slopes[operand] = slopes.get(operand, 0.0) + partial(*given, value)
    sent = _probed(node, tuple(slopes))
    return op if all(map(_close, slopes.values(), sent)) else None


def _close(one: float, other: float, share: float = 1e-6) -> bool:
    return math.isclose(one, other, rel_tol=share, abs_tol=1e-12)


def _probed(node: Value, operands: tuple[Value, ...]) -> tuple[float, ...]:
    """Return what the backward step of a node sends to its operands if its gradient is 1."""
    before = [(value, value.grad) for value in (node, *operands)]
    for value in operands:
        value.grad = 0.0
    node.grad = 1.0
    try:
        node._backward()
        return tuple([_float(value.grad) for value in operands])
    except Exception as error:
        template = "The _backward of {op!r} can't be run: {error}"
        raise EngineError(template, op=node._op, error=repr(error)) from None
    finally:
        for value, grad in before:
            value.grad = grad


_Uses = dict[str, Use]
"""The uses of one operation, by their inputs as text."""


def frozen_operations(
    uses: Mapping[int, tuple[str, Use]], nodes: dict[int, Node]
) -> tuple[Op, ...]:
    """Return the frozen operations of these uses, and name them in their nodes.

    Uses of one name with equal inputs but other results, as of dropout, are different operations.
    """
    tables: dict[str, tuple[str, _Uses]] = {}
    for node, (sign, use) in uses.items():
        if not 1 <= len(use.inputs) <= MOST_SLOTS:
            template = "{op!r} has {given} inputs; a node has up to {most}."
            raise EngineError(template, op=sign, given=len(use.inputs), most=MOST_SLOTS)
        base = re.sub(r"\W+", "_", sign, flags=re.ASCII).strip("_")[: LONGEST_NAME - 8]
        base = base if base.isidentifier() else f"own_{base}".strip("_")
        names = chain((base,), (f"{base}_{k}" for k in count(2)))
        name = next(n for n in names if n not in RESERVED and _fits(tables.get(n), sign, use))
        tables.setdefault(name, (sign, {}))[1][repr(use.inputs)] = use
        found = nodes[node]
        nodes[node] = OpNode(name, found.inputs, found.label)
    return tuple(
        frozen(name, label_for_graph(sign)[:LONGEST_NAME] or name, tuple(rows.values()))
        for name, (sign, rows) in tables.items()
    )


def _fits(table: tuple[str, _Uses] | None, sign: str, use: Use) -> bool:
    """Return whether the uses of an operation may have another one."""
    if table is None:
        return True
    other = next(iter(table[1].values()))
    same = table[0] == sign and len(other.inputs) == len(use.inputs)
    return same and repr(table[1].get(repr(use.inputs), use)) == repr(use)


def groups_of(order: Iterable[Value]) -> dict[group, list[int]]:
    """Return the groups in which the nodes 1, 2, 3 … were made, with those of each."""
    found: dict[group, list[int]] = {}
    for number, node in enumerate(order, 1):
        if node._fold is not None:
            found.setdefault(node._fold, []).append(number)
    for inner in [*found]:
        while inner.outer is not None:
            inner = inner.outer
            found.setdefault(inner, [])
    return found


def is_changed_after_forward(root: object) -> bool:
    """Return whether a program has changed data of the expression since the forward pass.

    Nodes made by hand are not checked, as their formula is unknown; nor are Values of micrograd.
    """
    for node in _order(root) if isinstance(root, Value) else ():
        operands, origin = _operands(node), node._origin
        if not operands or (type(origin) is Special and origin.op is None):
            continue
        op = _operation(node)
        assert op is not None  # it has operands, and was not made by hand
        value = op.forward(*[_float(operand.data) for operand in operands])
        if value != node.data and not (math.isnan(value) and math.isnan(_float(node.data))):
            return True
    return False


def _float(data: float) -> float:
    """Return data as a float; nan if a program has assigned something else."""
    try:
        return float(data)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def label_for_graph(label: str) -> str:
    """Return a label that a graph accepts: one line of limited length."""
    text = str(label)[:LABEL_LIMIT]
    return text if is_plain_line(text) else "".join(c if c.isprintable() else " " for c in text)


_new_object = object.__new__
_LEAF = ""  # the sign of a leaf, which has no operands
_POW, _DIV = BY_NAME["pow"], BY_NAME["div"]
_BY_SIGN = {op.micrograd or op.infix or op.name: op for op in OPS}
_SLOPES = {sign: op.partials for sign, op in _BY_SIGN.items()}
_POWER: tuple[Rule, ...] = (_POW.partials[0], lambda *_numbers: 0.0)
"""The slopes of a power with a plain number as exponent, which has no gradient."""
_KEYWORDS = {
    **dict.fromkeys(("children", "parents", "_parents", "prev", "_prev"), "_children"),
    **dict.fromkeys(("op", "_operation", "operation"), "_op"),
    **dict.fromkeys(("_label", "name"), "label"),
}
"""Keywords of the usual copies of micrograd."""

for _name, _op in (*BY_NAME.items(), ("ReLU", BY_NAME["relu"])):
    setattr(Value, _name, _method(_op))
for _ in range(32):  # Python sizes the room for attributes in __dict__ by the first objects
    Value(0.0)
