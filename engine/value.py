"""Value: a number that remembers how it was computed and sends gradients back the same way.

It is micrograd's `Value`; programs written for micrograd run with it. A node holds its operands and
a rule shared by all nodes of its operation, so there are no closures and no cycles, and freeing the
root frees the graph. `backward` walks in the same order as a trace of `graph()`, so both give
identical results.

>>> a, b = Value(2.0), Value(-3.0)
>>> y = a * b + a
>>> y.backward()
>>> a.grad, b.grad
(-2.0, 2.0)

In micrograd each operation writes a closure, `out._backward`, that adds to the gradients of its
operands. Here all products share one such function, which is given the node: `push` of the rule
of `*` does `node._a.grad += node.grad * node._b.data`, and the same for `_b`. These functions are
generated from the texts of the operations, in `engine.generated.push`.
"""

# The functions of this module access private members of the class.
# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from numbers import Real
from types import MethodType
from typing import TYPE_CHECKING, Any

from engine import hooks
from engine.errors import EngineError
from engine.generated.push import (
    LEAF_RULE,
    PAIR_RULE,
    RULES,
    ByHand,
    PushRule,
    made_by_hand,
    power_by,
)
from engine.generated.tape import CONSTANT, UNKNOWN, Tape
from engine.graph import LABEL_LIMIT, Graph
from engine.nodes import is_plain_line
from engine.op import Op
from engine.ops import BY_NAME, OPS


class Value:
    """A number of an expression: `data`, `grad`, and the operands it was computed from.

    Each operation of `OPS` is a method: `a.tanh()`, `a.maximum(b)`, `c.where_gt0(x, y)`.
    """

    __slots__ = ("data", "grad", "label", "_a", "_b", "_rule", "_mark", "__weakref__")  # noqa: RUF023

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
        self._a: Value | None = None
        self._b: Value | None = None
        self._rule = LEAF_RULE
        self._mark: Any = None  # that of the latest walk, or the place in the latest layout
        operands = tuple(_children)
        if operands or _op:
            self._rule = made_by_hand(_op, len(operands))
        if operands:
            self._a, self._b = operands[0], _chained(operands[1:])

    if TYPE_CHECKING:

        def __getattr__(self, op: str) -> Callable[..., Value]: ...

    def __repr__(self) -> str:
        return f"Value(data={self.data}, grad={self.grad})"

    @property
    def _op(self) -> str:
        """Return how the node was made: `+`, `**3`, `tanh`; "" for a leaf."""
        return self._rule.sign

    @property
    def _prev(self) -> tuple[Value, ...]:
        """Return the operands in order with duplicates, without the exponent of a power."""
        operands = tuple(_operands(self))
        return operands[:1] if self._op[:2] == "**" != self._op else operands  # "**3", not "**"

    @property
    def _backward(self) -> Callable[[], None]:
        """Sends this node's gradient on to its operands; may be called or replaced."""
        push = self._rule.push
        return push.call if isinstance(push, ByHand) else MethodType(push, self)

    @_backward.setter
    def _backward(self, call: Callable[[], None]) -> None:
        self._rule = PushRule(self._rule.sign, self._rule.code, ByHand(call))

    def backward(self) -> None:
        """Set the own gradient to 1, then add to the gradients of all nodes that lead here."""
        self.grad = 1.0
        for node in reversed(_order(self)):  # each after all to which it is an operand
            push = node._rule.push
            push(node)

    def graph(self) -> Graph:
        """Return the graph of this expression with this node as its root; labels are kept."""
        return lay_out(self)[0].graph()

    def show(self) -> None:
        """Open a window with this graph, in a separate process."""
        hooks.show(self)

    def _repr_svg_(self) -> str | None:
        """Return the picture of this graph, with current data and grad; None if there is none."""
        return self._repr_mimebundle_().get("image/svg+xml")

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return what a notebook shows, by kind: the picture, or in words why there is none."""
        return hooks.mimebundle(self)

    # Each operation computes its number now and keeps operands and rule for `backward`.

    def __add__(self, other: Operand) -> Value:
        b = other if type(other) is Value else _value(other)
        return NotImplemented if b is None else _node(self.data + b.data, _ADD, self, b)

    def __sub__(self, other: Operand) -> Value:
        b = other if type(other) is Value else _value(other)
        return NotImplemented if b is None else _node(self.data - b.data, _SUB, self, b)

    def __mul__(self, other: Operand) -> Value:
        b = other if type(other) is Value else _value(other)
        return NotImplemented if b is None else _node(self.data * b.data, _MUL, self, b)

    def __truediv__(self, other: Operand) -> Value:
        b = other if type(other) is Value else _value(other)
        return NotImplemented if b is None else _node(_divide(self.data, b.data), _DIV, self, b)

    def __pow__(self, other: Operand) -> Value:
        b = other if type(other) is Value else _value(other)
        if b is None:
            return NotImplemented
        # a Value as exponent gets a gradient, a plain number does not
        rule = _POW if b is other else power_by(f"{other}")
        return _node(_power(self.data, b.data), rule, self, b)

    def __radd__(self, other: float) -> Value:
        return NotImplemented if (a := _value(other)) is None else a + self

    def __rsub__(self, other: float) -> Value:
        return NotImplemented if (a := _value(other)) is None else a - self

    def __rmul__(self, other: float) -> Value:
        return NotImplemented if (a := _value(other)) is None else a * self

    def __rtruediv__(self, other: float) -> Value:
        return NotImplemented if (a := _value(other)) is None else a / self

    def __rpow__(self, other: float) -> Value:
        return NotImplemented if (a := _value(other)) is None else a**self

    def __neg__(self) -> Value:
        return _node(-self.data, _NEG, self)

    def __pos__(self) -> Value:
        return self

    def __abs__(self) -> Value:
        return self.abs()


class Number(Value):
    """A plain number used with a Value in an expression: a constant of its graph."""

    __slots__ = ()


class _Pair(Value):
    """Holds the second operand of a node, and the third or a pair of the next; sends nothing."""

    __slots__ = ()


Operand = Value | float


def lay_out(root: Value) -> tuple[Tape, list[Value]]:
    """Return the expression as a tape of engine.generated, and the Value at each place."""
    order = [node for node in _order(root, leaves=True) if type(node) is not _Pair]
    for place, node in enumerate(order):
        node._mark = place
    codes = [CONSTANT if type(node) is Number else node._rule.code for node in order]
    if UNKNOWN in codes:
        node = order[codes.index(UNKNOWN)]
        raise EngineError(
            "{op!r} of {slots} is no operation of Backwire.", op=node._op, slots=len(node._prev)
        )
    first = [-1 if node._a is None else node._a._mark for node in order]
    second = [-1 if node._b is None else node._b._mark for node in order]
    third = [-1] * len(order)
    for place, node in enumerate(order):
        if type(node._b) is _Pair:
            _, second[place], third[place] = (operand._mark for operand in _operands(node))
    start = [float(node.data) for node in order]
    labels = {place: _plain(node.label) for place, node in enumerate(order) if node.label}
    tape = Tape(codes, first, second, third, start, root._mark, range(1, len(order) + 1), labels)
    return tape, order


def place_of(value: Value, order: list[Value]) -> int | None:
    """Return the place of a Value in a newly laid out order; None if it has none."""
    place = value._mark
    found = isinstance(place, int) and place < len(order) and order[place] is value
    return place if found else None


def _plain(label: str) -> str:
    """Return a label that a graph accepts: one line of limited length."""
    text = str(label)[:LABEL_LIMIT]
    return text if is_plain_line(text) else "".join(c if c.isprintable() else " " for c in text)


def _value(other: object) -> Value | None:
    """Convert an operand to a Value; None if it is no number."""
    if isinstance(other, Value):
        return other
    return Number(other) if isinstance(other, Real) else None  # pyright: ignore[reportArgumentType]


def _node(data: float, rule: PushRule, a: Value, b: Value | None = None) -> Value:
    """Make a node of an operation; faster than Value(...), as nothing needs checking."""
    node = _new(Value)
    node.data = data
    node.grad = 0.0
    node.label = ""
    node._a = a
    node._b = b
    node._rule = rule
    node._mark = None
    return node


def _chained(operands: tuple[Value, ...]) -> Value | None:
    """Return the operands after the first as one, for `_b`: of b, c, d the pair (b, (c, d))."""
    chain = operands[-1] if operands else None
    for operand in operands[-2::-1]:
        pair = _Pair(0.0)
        pair._a, pair._b, pair._rule = operand, chain, PAIR_RULE
        chain = pair
    return chain


def _operands(node: Value) -> Iterator[Value]:
    """Yield the operands in order."""
    if node._a is not None:
        yield node._a
    rest = node._b
    while type(rest) is _Pair:
        yield from (rest._a,) if rest._a else ()
        rest = rest._b
    if rest is not None:
        yield rest


def _order(root: Value, leaves: bool = False) -> list[Value]:
    """Return the nodes that lead to `root` in the order of engine.order, with leaves on demand."""
    seen = object()  # a mark of this walk alone, so that no mark needs to be cleared
    skipped = None if leaves else LEAF_RULE  # None is no node's rule: then nothing is skipped
    found: list[Value] = []
    stack: list[Value | None] = [root]
    while stack:
        node = stack.pop()
        if node is None:  # everything above this mark was visited
            found.append(stack.pop())  # pyright: ignore[reportArgumentType]
        elif node._mark is not seen:
            node._mark = seen
            a, b = node._a, node._b
            if b is not None and b._rule is not skipped and b._mark is not seen:
                stack += (node, None, b)  # a is put above b, so that it is visited first
                if a is not None and a._rule is not skipped and a._mark is not seen:
                    stack.append(a)
            elif a is not None and a._rule is not skipped and a._mark is not seen:
                stack += (node, None, a)
            else:  # all its operands are found or skipped
                found.append(node)
    return found


_new = object.__new__
_divide, _power = BY_NAME["div"].forward, BY_NAME["pow"].forward
_ADD, _SUB, _MUL, _DIV = RULES["add"], RULES["sub"], RULES["mul"], RULES["div"]
_POW, _NEG = RULES["pow"], RULES["neg"]


def _method(op: Op) -> Callable[..., Value]:
    """Make a Value method of an operation; numbers among its operands become constants."""
    forward, rule = op.forward, RULES[op.name]

    def of_one(self: Value) -> Value:
        return _node(forward(self.data), rule, self)

    def of_more(self: Value, *others: Operand) -> Value:
        operands = [self, *(found for other in others if (found := _value(other)) is not None)]
        if not len(operands) == len(others) + 1 == len(op.slots):
            raise EngineError("{op} takes {slots} numbers.", op=op.name, slots=len(op.slots))
        data = forward(*[found.data for found in operands])
        return _node(data, rule, self, _chained(tuple(operands[1:])))

    return of_one if len(op.slots) == 1 else of_more


for _op in OPS:
    setattr(Value, _op.name, _method(_op))
