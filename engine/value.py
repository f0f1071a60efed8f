"""Value: micrograd's `Value`, a number with its gradient and the operands it was computed from.

Programs written for micrograd run with it. A node `out` stores each operand and the local
derivative along it when it is made. The backward pass is then one line for each operand a:

    ∂root/∂a  +=  ∂root/∂out · ∂out/∂a          a.grad += out.grad * out._slope_a

>>> a, b = Value(2.0), Value(-3.0)
>>> y = a * b + a
>>> y.backward()
>>> a.grad, b.grad
(-2.0, 2.0)

In micrograd each operation makes a closure, `out._backward`, that reads the data of the operands
during the backward pass. Here `a * b` stores the two numbers themselves, so there are no closures
and no reference cycles, and freeing the root frees the graph. If a program changes data between the
passes, the local derivatives remain those of the forward pass, where micrograd uses the new data:

>>> y = a * b
>>> b.data = 100.0
>>> a.grad = 0.0
>>> y.backward()
>>> a.grad  # micrograd: 100.0
-3.0

`backward` walks in the same order as a trace of `graph()`, so both give identical results.
"""

# The functions of this module access private members of the class.
# pyright: reportPrivateUsage=false

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from numbers import Real
from types import MethodType
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from engine import hooks
from engine.errors import EngineError
from engine.graph import LABEL_LIMIT, Constant, Graph, Leaf, Node, OpNode, Root
from engine.names import is_plain_line
from engine.ops import BY_NAME, OPS, Op


class Value:
    """A number of an expression: `data`, `grad`, and the operands it was computed from.

    Each operation of `OPS` is a method: `a.tanh()`, `a.maximum(b)`, `c.where_gt0(x, y)`.
    """

    __slots__ = (
        *("data", "grad", "label"),
        "_origin",  # the sign of the operation such as "*", "" for a leaf, or a Special
        *("_a", "_slope_a", "_b", "_slope_b"),  # operands, and the local derivative along each
        *("_mark", "__weakref__"),
    )

    def __init__(
        self, data: float, _children: Iterable[Value] = (), _op: str = "", label: str = ""
    ) -> None:
        try:
            self.data = float(data)
        except OverflowError:
            raise EngineError("A Value holds no number as large as this.") from None
        except (TypeError, ValueError):
            raise EngineError("A Value holds one number, not {data!r:.80}.", data=data) from None
        self.grad = 0.0
        self.label = label
        self._origin: str | Special = ""
        self._a: Value | None = None
        self._b: Value | None = None
        self._slope_a = self._slope_b = 0.0
        self._mark: Any = None  # the latest walk that visited it
        if _children or _op:
            # it sends no contributions until _backward is assigned
            self._origin = Special(_op, tuple(_children))

    if TYPE_CHECKING:

        def __getattr__(self, op: str) -> Callable[..., Value]: ...

    def __repr__(self) -> str:
        return f"Value(data={self.data}, grad={self.grad})"

    @property
    def _op(self) -> str:
        """The operation as micrograd writes it: `+`, `**3`, `tanh`; "" for a leaf."""
        return self._origin.sign if type(self._origin) is Special else str(self._origin)

    @property
    def _prev(self) -> tuple[Value, ...]:
        """The operands in order with duplicates; a plain number as exponent is left out."""
        operands = _operands(self)
        return operands[:1] if self._op[:2] == "**" != self._op else operands  # "**3", not "**"

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
            if (a := out._a) is None:  # a leaf, or a Special
                out._backward()
                continue
            a.grad += out.grad * out._slope_a
            if (b := out._b) is not None:
                b.grad += out.grad * out._slope_b

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

    # Each operation computes its value and its local derivatives at once: ∂(x + y)/∂x = 1,
    # ∂(x · y)/∂x = y, ∂(−x)/∂x = −1; those of other operations are in the table of operations.

    def __add__(self, other: Operand) -> Value:
        b = other if type(other) is Value else _as_value(other)
        if b is None:
            return NotImplemented
        return _node(self.data + b.data, "+", self, 1.0, b, 1.0)

    def __sub__(self, other: Operand) -> Value:
        b = other if type(other) is Value else _as_value(other)
        if b is None:
            return NotImplemented
        return _node(self.data - b.data, "-", self, 1.0, b, -1.0)

    def __mul__(self, other: Operand) -> Value:
        b = other if type(other) is Value else _as_value(other)
        if b is None:
            return NotImplemented
        x, y = self.data, b.data
        return _node(x * y, "*", self, y, b, x)

    def __truediv__(self, other: Operand) -> Value:
        return NotImplemented if (b := _as_value(other)) is None else self.div(b)

    def __pow__(self, other: Operand) -> Value:
        b = _as_value(other)
        if b is None:
            return NotImplemented
        if b is other:
            return self.pow(b)
        # a plain number as exponent has no gradient, so its local derivative stays 0
        x, y = self.data, b.data
        data = _POW.forward(x, y)
        return _node(data, f"**{other}", self, _POW.partials[0](x, y, data), b)

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
        return _node(-self.data, "neg", self, -1.0)

    def __pos__(self) -> Value:
        return self

    def __abs__(self) -> Value:
        return self.abs()


class Number(Value):
    """A plain number used with a Value in an expression: a constant of its graph."""

    __slots__ = ()


Operand = Value | float


class Special(Struct, eq=False):
    """The origin of a node with three operands, made by hand, or with a replaced `_backward`.

    `slopes` are the local derivatives, `backward_step` is the function that a program has assigned.
    """

    sign: str
    operands: tuple[Value, ...]
    slopes: tuple[float, ...] = ()
    backward_step: Callable[[], None] | None = None


def _node(
    data: float, sign: str, a: Value, slope_a: float, b: Value | None = None, slope_b: float = 0.0
) -> Value:
    """Make a node: its data, its sign, and each operand with the local derivative along it.

    Faster than Value(...), which checks its arguments.
    """
    node = _new_object(Value)
    node.data = data
    node.grad = 0.0
    node.label = ""
    node._origin = sign
    node._a = a
    node._slope_a = slope_a
    node._b = b
    node._slope_b = slope_b
    node._mark = None
    return node


def _send_contributions(out: Value) -> None:
    """Add upstream gradient × local derivative to the gradient of each operand.

    A Special without slopes adds nothing, as micrograd's `Value` made by hand.
    """
    slopes = out._origin.slopes if type(out._origin) is Special else (out._slope_a, out._slope_b)
    for operand, slope in zip(_operands(out), slopes, strict=False):
        operand.grad += out.grad * slope


def _method(op: Op) -> Callable[..., Value]:
    """Make the method of Value for an operation; plain numbers become constants."""
    forward, partials, sign = op.forward, op.partials, _SIGNS.get(op.name, op.name)

    def unary(self: Value) -> Value:
        x = self.data
        data = forward(x)
        return _node(data, sign, self, partials[0](x, data))

    def with_others(self: Value, *others: Operand) -> Value:
        operands = [self, *(found for other in others if (found := _as_value(other)) is not None)]
        if not len(operands) == len(others) + 1 == len(op.slots):
            raise EngineError("{op} takes {slots} numbers.", op=op.name, slots=len(op.slots))
        numbers = [operand.data for operand in operands]
        data = forward(*numbers)
        slopes = tuple([partial(*numbers, data) for partial in partials])
        if len(operands) == 2:
            return _node(data, sign, operands[0], slopes[0], operands[1], slopes[1])
        node = Value(data)
        node._origin = Special(sign, tuple(operands), slopes)
        return node

    return unary if len(op.slots) == 1 else with_others


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


def graph_and_values(root: Value) -> tuple[Graph, list[Value]]:
    """Return the graph of an expression, and the Values of its nodes 1, 2, 3 …

    EngineError for an operation that OPS lacks.
    """
    order = _order(root, leaves=True)
    ids = {node: k for k, node in enumerate(order, 1)}
    nodes: dict[int, Node] = {k: _graph_node(node, ids) for node, k in ids.items()}
    marker = len(order) + 1
    nodes[marker] = Root(ids[root])
    return Graph(nodes, marker, marker + 1), order


def _graph_node(node: Value, ids: Mapping[Value, int]) -> Node:
    label = _graph_label(node.label) if node.label else ""
    op = _operation(node)
    if op is None:
        kind = Constant if type(node) is Number else Leaf
        return kind(float(node.data), label)
    return OpNode(op.name, tuple([ids[operand] for operand in _operands(node)]), label)


def _operation(node: Value) -> Op | None:
    """Return the operation of a node, None for a leaf; EngineError if OPS lacks it."""
    operands, sign = _operands(node), node._op
    if not operands:
        return None
    is_power = sign[:2] == "**" and len(operands) == 2 and isinstance(operands[1], Number)
    op = _BY_SIGN.get("**" if is_power else sign)
    if op is None or len(op.slots) != len(operands):
        raise EngineError(
            "{op!r} of {slots} is no operation of Backwire.", op=sign, slots=len(operands)
        )
    return op


def is_changed_after_forward(root: object) -> bool:
    """Return whether a program has changed data of the expression since the forward pass.

    Nodes made by hand are not checked, as their formula is unknown; nor are Values of micrograd.
    """
    for node in _order(root) if isinstance(root, Value) else ():
        operands, origin = _operands(node), node._origin
        if not operands or (type(origin) is Special and not origin.slopes):
            continue
        op = _operation(node)
        assert op is not None  # it has operands
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


def _graph_label(label: str) -> str:
    """Return a label that a graph accepts: one line of limited length."""
    text = str(label)[:LABEL_LIMIT]
    return text if is_plain_line(text) else "".join(c if c.isprintable() else " " for c in text)


_new_object = object.__new__
_LEAF = ""  # the sign of a leaf, which has no operands
_POW = BY_NAME["pow"]
_SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "**", "relu": "ReLU"}
_BY_SIGN = {_SIGNS.get(op.name, op.name): op for op in OPS}

for _op in OPS:
    setattr(Value, _op.name, _method(_op))
