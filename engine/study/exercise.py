"""Exercises: whether a graph and a run are those of an exercise that was handed out.

Graphs are compared however their nodes are numbered and called.

>>> from engine import from_expression
>>> given = from_expression("y = a*b + a", {"a": 2, "b": 3})
>>> other_values(given, from_expression("m = p*q; z = m + p", {"p": 2, "q": 3}))
()
>>> [given.names[leaf] for leaf in other_values(given, given.with_values({2: 7.0}))]
['b']
>>> other_values(given, from_expression("y = a*b + b", {"a": 2, "b": 3})) is None
True
"""

from collections import Counter
from collections.abc import Collection, Hashable

from engine.graph import Constant, Graph, Leaf, OpNode, Root
from engine.study.question import LEVELS
from engine.study.record import Record
from engine.study.task import ASKING, TITLES, Steps, Task


def other_values(given: Graph, found: Graph) -> tuple[int, ...] | None:
    """Return the leaves and constants of `given` that hold another number in `found`.

    None says that nodes or wiring differ. From the roots on the inputs of each node say which node
    is which; nodes that lead to no root are compared by their formulas and numbers.
    """
    pairs = _paired(given, found)
    if pairs is None:
        return None
    formulas: dict[Hashable, int] = {}
    mine = _others(given, pairs.keys(), formulas)
    if mine != _others(found, set(pairs.values()), formulas):
        return None
    return tuple(
        sorted(one for one, other in pairs.items() if _own(given, one) != _own(found, other))
    )


def differences(task: Task, record: Record, text: str) -> tuple[str, ...]:
    """Return in what a run differs from a task; `text` is that of the task of its graph.

    A task without a mode leaves it to the learner how they are asked.

    >>> differences(Task(start="predict", level="sum"), Record("predict", "slope", last=2), "")
    ('level slope, not sum',)
    """
    found: list[str] = []
    if text != task.text:
        found.append("another text" if text else "no text")
    if task.start and record.mode != task.start:
        found.append(f"mode {TITLES[record.mode]}, not {TITLES[task.start]}")
    if task.start in ASKING:
        steps = _steps(record)
        if record.level != task.level:
            found.append(f"level {record.level}, not {task.level}")
        if steps != task.steps and not LEVELS[task.level].once:
            found.append(f"steps {steps}, not {task.steps}")
    return tuple(found)


def _steps(record: Record) -> Steps:
    """Return which steps a run asked about."""
    if record.meet:
        return "meet"
    return "every" if record.last is None else "last"


def _paired(given: Graph, found: Graph) -> dict[int, int] | None:
    """Return which node of `found` stands for each before the root; None if the wiring differs."""
    pairs: dict[int, int] = {}
    back: dict[int, int] = {}
    stack = [(given.root, found.root)]
    while stack:
        one, other = stack.pop()
        if one is None or other is None:
            if one is not other:
                return None
        elif one in pairs or other in back:
            if pairs.get(one) != other or back.get(other) != one:
                return None
        elif _kind(given, one) != _kind(found, other):
            return None
        else:
            pairs[one], back[other] = other, one
            stack += zip(given.inputs(one), found.inputs(other), strict=True)
    return pairs


def _kind(graph: Graph, node: int) -> Hashable:
    """Return what a node is, but for its number: the operation, and how many slots it has."""
    found = graph.nodes[node]
    return (found.op, len(found.inputs)) if isinstance(found, OpNode) else type(found)


def _own(graph: Graph, node: int) -> str:
    """Return the number that a node holds, as a text by which nan is nan; "" for none."""
    found = graph.nodes[node]
    return found.value.hex() if isinstance(found, Leaf | Constant) else ""


def _others(
    graph: Graph, known: Collection[int], formulas: dict[Hashable, int]
) -> Counter[int | None]:
    """Count the formulas of the nodes that are not `known`, numbers included.

    `formulas` numbers the formulas of all graphs, so that a deep one is as short as any.
    """
    number: dict[int | None, int | None] = {None: None}
    for node in graph.structure.whole_order:
        inputs = tuple(number[source] for source in graph.inputs(node))
        formula = (_kind(graph, node), _own(graph, node), inputs)
        number[node] = formulas.setdefault(formula, len(formulas))
    return Counter(
        number[node]
        for node, found in graph.nodes.items()
        if node not in known and not isinstance(found, Root)
    )
