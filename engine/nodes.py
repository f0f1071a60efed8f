"""Nodes: the four kinds of which a graph is made.

A leaf is a variable of the expression, a constant a literal in it, an op node an operation on other
nodes. A Root marks the output that is differentiated: in micrograd, the Value on which `backward`
is called.

A node has one slot per operand and holds the id of the input in each, or None. The nodes of a*b
with a = 2 and b = 3, marked as the root:

>>> nodes = {1: Leaf(2.0, "a"), 2: Leaf(3.0, "b"), 3: OpNode("mul", (1, 2)), 4: Root(3)}
>>> [node.inputs for node in nodes.values()]
[(), (), (1, 2), (3,)]
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Mapping
from typing import ClassVar, Literal, SupportsFloat, SupportsIndex

import msgspec

from engine.errors import EditError
from engine.ops import Op

Wire = tuple[int, int]
"""A filled slot: (target node, slot number)."""


class Leaf(msgspec.Struct, frozen=True, gc=False):
    """A variable: its value may change, and it has a gradient."""

    value: float = 1.0
    label: str = ""
    inputs: ClassVar[tuple[int | None, ...]] = ()

    def __post_init__(self) -> None:
        _make_float(self)


class Constant(msgspec.Struct, frozen=True, gc=False):
    """A number without a gradient, such as the 2 of x ** 2."""

    value: float = 1.0
    label: str = ""
    inputs: ClassVar[tuple[int | None, ...]] = ()

    def __post_init__(self) -> None:
        _make_float(self)


class OpNode(msgspec.Struct, frozen=True, gc=False):
    """An operation, by its name in `engine.ops`, and the input in each slot; None: empty."""

    op: str
    inputs: tuple[int | None, ...]
    label: str = ""


class Root(msgspec.Struct, frozen=True, gc=False):
    """A marker on the output that is differentiated; no operation, and part of no pass."""

    input: int | None = None
    label: ClassVar[str] = ""

    @property
    def inputs(self) -> tuple[int | None, ...]:
        """The marked node, as the input in the only slot."""
        return (self.input,)


Node = Leaf | Constant | OpNode | Root


def _make_float(node: Leaf | Constant) -> None:
    """Convert an integer value to float: powers of Python integers have no size limit."""
    if type(node.value) is not float:
        msgspec.structs.force_setattr(node, "value", as_number(node.value))


NodeKind = Literal["leaf", "constant", "op", "root"]


def kind_of(node: Node) -> NodeKind:
    """Return the kind of a node as a word."""
    return _KINDS[type(node)]


_KINDS: dict[type, NodeKind] = {Leaf: "leaf", Constant: "constant", OpNode: "op", Root: "root"}


def as_number(value: object) -> float:
    """Convert a scalar, such as a NumPy one, to float; raises EditError for anything else."""
    if isinstance(value, SupportsFloat | SupportsIndex):
        try:
            return float(value)
        except OverflowError:
            raise EditError("This whole number is too large.") from None
        except (TypeError, ValueError):
            pass
    raise EditError("{value} is no number.", value=reprlib.repr(value))


def same_nodes(mine: Mapping[int, Node], theirs: Mapping[int, Node]) -> bool:
    """Return whether two graphs have equal nodes; nan equals nan."""
    if mine == theirs:
        return True
    return mine.keys() == theirs.keys() and all(
        found == theirs[node] or _both_nan(found, theirs[node]) for node, found in mine.items()
    )


def _both_nan(one: Node, other: Node) -> bool:
    if not isinstance(one, Leaf | Constant) or not isinstance(other, Leaf | Constant):
        return False
    alike = type(one) is type(other) and one.label == other.label
    return alike and math.isnan(one.value) and math.isnan(other.value)


def slot_count_error(op: Op, given: int) -> EditError:
    """Return the error for an operation with more or fewer inputs than it has slots."""
    slots = len(op.slots)
    if slots == 1:
        return EditError("{op} has one slot, not {given}.", op=op.name, given=given)
    return EditError("{op} has {slots} slots, not {given}.", op=op.name, slots=slots, given=given)
