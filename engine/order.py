"""The order of a graph: depth-first post-order from the root, slots in order.

Inputs come before the nodes that use them; the backward pass walks the reverse. `Value`, the
trace and every compiled form use exactly this order, so their sums agree bit for bit.

>>> inputs = {1: (), 2: (), 3: (1, 2), 4: (3, 1)}  # 3 is a*b, 4 is a*b + a
>>> post_order([4], inputs.__getitem__)
(1, 2, 3, 4)
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from typing import TypeVar

from msgspec import Struct

Node = TypeVar("Node", bound=Hashable)


def post_order(
    starts: Iterable[Node], inputs: Callable[[Node], Sequence[Node | None]]
) -> tuple[Node, ...]:
    """Return every node reachable from `starts`, inputs first; iterative, so depth has no limit.

    `inputs` returns the sources of a node, slot by slot; None is an empty slot.
    """
    found: list[Node] = []
    seen: set[Node] = set()
    for start in starts:
        opened: list[Node] = []
        todo: list[Node | None] = [start]  # None: all inputs of the last opened node are found
        while todo:
            node = todo.pop()
            if node is None:
                found.append(opened.pop())
            elif node not in seen:
                seen.add(node)  # now, not when it is done: a node used twice is visited once
                opened.append(node)
                todo.append(None)  # below the inputs, so popped when all of them are found
                todo.extend(source for source in inputs(node)[::-1] if source is not None)
    return tuple(found)


def is_only_way(target: int, slot: int, inputs: Callable[[int], Sequence[int | None]]) -> bool:
    """Return whether the node in a slot of `target` reaches it through this slot alone.

    If not, as for `a` in `a*a` or `a*b + a`, the local derivative along the slot is only a part of
    the derivative of `target` with respect to that node.
    """
    source = inputs(target)[slot]
    others = [s for k, s in enumerate(inputs(target)) if k != slot and s is not None]
    return source not in post_order(others, inputs)


class Plan(Struct, frozen=True, dict=True):
    """The order of passes from one root (a node, not its marker), and the nodes with a gradient.

    `order` holds the root and all its ancestors, inputs first. `wants` are those with a
    gradient: leaves, nodes with a leaf among their ancestors, and always the root itself.
    """

    root: int
    order: tuple[int, ...]
    wants: frozenset[int]

    @cached_property
    def turns(self) -> dict[int, int]:
        """Return the place of each node in the firing order of the correct pass, from 0."""
        return {node: turn for turn, node in enumerate(reversed(self.order))}
