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
