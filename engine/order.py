"""The order of a graph: depth-first post-order from the root, slots in order.

Inputs come before the nodes that use them; the backward pass walks the reverse. `Value`, the
trace and every compiled form use exactly this order, so their sums agree bit for bit.
"""

from collections.abc import Callable, Iterable

Inputs = Callable[[int], Iterable[int | None]]
"""The nodes plugged into a node, slot by slot; None is an empty slot."""


def post_order(starts: Iterable[int], inputs: Inputs) -> tuple[int, ...]:
    """Every node reachable from `starts`, inputs first; iterative, so depth has no limit."""
    found: list[int] = []
    seen: set[int] = set()
    for start in starts:
        if start in seen:
            continue
        seen.add(start)
        stack = [(start, iter(inputs(start)))]
        while stack:
            node, rest = stack[-1]
            for source in rest:
                if source is not None and source not in seen:
                    seen.add(source)
                    stack.append((source, iter(inputs(source))))
                    break
            else:
                stack.pop()
                found.append(node)
    return tuple(found)
