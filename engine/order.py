"""The order of a graph: depth-first post-order from the root, slots in order.

Inputs come before the nodes that use them; the backward pass walks the reverse. `Value`, the
trace and every compiled form use exactly this order, so their sums agree bit for bit.
"""

from collections.abc import Callable, Iterable, Sequence

Inputs = Callable[[int], Sequence[int | None]]
"""The nodes plugged into a node, slot by slot; None is an empty slot."""


def post_order(starts: Iterable[int], inputs: Inputs) -> tuple[int, ...]:
    """Every node reachable from `starts`, inputs first; iterative, so depth has no limit."""
    found: list[int] = []
    seen: set[int] = set()
    for start in starts:
        opened: list[int] = []
        todo: list[int | None] = [start]  # None: the last one opened has all its inputs
        while todo:
            node = todo.pop()
            if node is None:
                found.append(opened.pop())
            elif node not in seen:
                seen.add(node)
                opened.append(node)
                todo.append(None)
                todo.extend(source for source in inputs(node)[::-1] if source is not None)
    return tuple(found)


def is_only_way(target: int, slot: int, inputs: Inputs) -> bool:
    """Whether the node in a slot reaches `target` through this slot alone.

    If not, the local derivative along the slot is only a part of the derivative of `target` with
    respect to that node.
    """
    source = inputs(target)[slot]
    seen = {s for k, s in enumerate(inputs(target)) if k != slot and s is not None}
    todo = list(seen)
    while todo and source not in seen:
        fresh = {s for s in inputs(todo.pop()) if s is not None} - seen
        seen |= fresh
        todo.extend(fresh)
    return source not in seen
