"""The order of a graph: depth-first post-order from the root, slots in order.

Inputs come before the nodes that use them; the backward pass walks the reverse. `Value`, the
trace and every compiled form use exactly this order, so their sums agree bit for bit.

>>> inputs = {1: (), 2: (), 3: (1, 2), 4: (3, 1)}  # 3 is a*b, 4 is a*b + a
>>> post_order([4], inputs.__getitem__)
(1, 2, 3, 4)
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from msgspec import Struct

InputsOf = Callable[[int], Sequence[int | None]]
"""Returns the sources of a node, slot by slot; None is an empty slot."""


def post_order(starts: Iterable[int], inputs: InputsOf) -> tuple[int, ...]:
    """Return every node reachable from `starts`, inputs first; iterative, so depth has no limit."""
    found: list[int] = []
    seen: set[int] = set()
    for start in starts:
        opened: list[int] = []
        todo: list[int | None] = [start]  # None marks that the node opened last has all its inputs
        while todo:
            node = todo.pop()
            if node is None:
                found.append(opened.pop())
            elif node not in seen:
                seen.add(node)  # now, not when it is done: a node used twice is visited once
                opened.append(node)
                todo.append(None)  # comes up again when all that is put on top has been found
                todo.extend(source for source in inputs(node)[::-1] if source is not None)
    return tuple(found)


def is_only_way(target: int, slot: int, inputs: InputsOf) -> bool:
    """Return whether the node in a slot of `target` reaches it through this slot alone.

    If not, as for `a` in `a*a` or `a*b + a`, the local derivative along the slot is only a part of
    the derivative of `target` with respect to that node.
    """
    source = inputs(target)[slot]
    # walk from the other slots towards the leaves: does another way begin at the source too?
    seen = {s for k, s in enumerate(inputs(target)) if k != slot and s is not None}
    todo = list(seen)
    while todo and source not in seen:
        fresh = {s for s in inputs(todo.pop()) if s is not None} - seen
        seen |= fresh
        todo.extend(fresh)
    return source not in seen


class Plan(Struct, frozen=True, dict=True):
    """What the passes from one root (a node, not its marker) need to know of the wiring.

    `order` holds the root's node and all its ancestors, inputs first. `wants` are those with a
    gradient: leaves, nodes with a leaf among their ancestors, and always the root itself.
    """

    root: int
    order: tuple[int, ...]
    wants: frozenset[int]

    @cached_property
    def turns(self) -> dict[int, int]:
        """Return for each node of the order its turn to fire in the correct pass, from 0."""
        return {node: turn for turn, node in enumerate(reversed(self.order))}
