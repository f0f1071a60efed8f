"""Problems: obstacles to a pass, and the first infinite or nan value, each as a sentence.

>>> from engine.graph import Leaf
>>> graph = Graph({1: Leaf(-1.0, "a"), 2: OpNode("log", (1,), "y"), 3: Root(None)}, 3, 4)
>>> [problem.sentence for problem in problems(graph)]
['The root has nothing plugged in. Plug a node in to go on.']
>>> first_not_finite(graph, {1: -1.0, 2: math.nan}).sentence
'y (log) is the first bad node: log(−1) has no value.'
"""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from msgspec import Struct

from engine.errors import EngineError
from engine.graph import Constant, Graph, Leaf, OpNode, Root, Wire
from engine.numbers import DIGITS_SHOWN, DIGITS_WRITTEN, Digits, short


class Problem(Struct, frozen=True):
    """One problem: a sentence, the node it is about, and the slot if it is about one."""

    sentence: str
    node: int
    slot: int | None = None


CHOOSE_A_ROOT = "Choose a root: the number whose gradient you want."


def name_with_op(graph: Graph, node: int, *, brief: bool = False) -> str:
    """Return the name of a node, of an op node with its operation: `a`, but `× (e)`.

    The name is the title; `brief` shortens it.
    """
    title = graph.brief(node) if brief else graph.title(node)
    return with_operation(graph, node, title) if isinstance(graph.nodes[node], OpNode) else title


SPOKEN_LENGTH = 16
"""Characters of a name in a sentence about a question; a longer one is shortened."""


def short_name_with_op(graph: Graph, node: int, longest: int = SPOKEN_LENGTH) -> str:
    """Return the name of a node with its operation, shortened to `longest` characters."""
    if not isinstance(graph.nodes[node], OpNode):
        return graph.brief(node, longest)
    return (
        name_with_op(graph, node, brief=True)
        if len(graph.short_name(node)) <= longest
        else with_operation(graph, node, graph.brief(node, longest))
    )


def with_operation(graph: Graph, node: int, title: str) -> str:
    """Return the title of an op node with its operation: `× (e)`, but `o (tanh)`.

    `tanh (o)` would be read as tanh of o, and o is what comes out.
    """
    symbol = graph.op(node).symbol
    return (
        f"{title} ({symbol})" if symbol.isascii() and symbol[0].isalpha() else f"{symbol} ({title})"
    )


def empty_slots(graph: Graph) -> list[Wire]:
    """Return every empty slot, by node and slot."""
    return [
        (node, slot)
        for node, found in graph.nodes.items()
        for slot, source in enumerate(found.inputs)
        if source is None
    ]


def problems(graph: Graph) -> list[Problem]:
    """Return everything that is unfinished: empty slots first, then a missing root."""
    found = [_empty_slot(graph, wire) for wire in empty_slots(graph)]
    if graph.active_root is None and graph.nodes:
        found.append(_missing_root(graph))
    return found


def pass_obstacle(graph: Graph) -> Problem | None:
    """Return the first thing that prevents a pass of the active root, or None."""
    if graph.root is not None:
        return obstacle(graph, graph.root) or unknown_value(graph)
    if graph.active_root is not None:
        return _empty_slot(graph, (graph.active_root, 0))
    return _missing_root(graph)


def evaluate_values(graph: Graph) -> dict[int, float]:
    """Return the value of every computable node: not of Roots, nor behind an empty slot.

    Where a frozen operation meets other inputs, it and what follows from it are nan.
    """
    nodes = graph.nodes.items()
    values = {node: found.value for node, found in nodes if isinstance(found, (Leaf, Constant))}
    for node, forward, inputs in graph.structure.computable:
        values[node] = forward(*[values[source] for source in inputs])
    return values


def unknown_nodes(graph: Graph, values: Mapping[int, float]) -> list[int]:
    """Return the frozen operations that have other inputs than in their program."""
    known = [n for n in graph.frozen(graph.nodes) if n in values]
    return [n for n in known if not graph.op(n).knows(*arguments(graph, n, values))]


def check_formulas(graph: Graph, nodes: Iterable[int], what: str) -> None:
    """Raise EngineError if one of these nodes is frozen; `what` can't be done then."""
    for node in graph.frozen(nodes):
        raise EngineError("{reason} {what}", reason=_no_formula(graph, node), what=what)


def _no_formula(graph: Graph, node: int) -> str:
    return f"{name_with_op(graph, node)} is an operation of a program and has no formula here."


def obstacle(graph: Graph, root: int) -> Problem | None:
    """Return the first empty slot among the root's node and its ancestors, or None."""
    for node in graph.plan(root).order:
        for slot, source in enumerate(graph.inputs(node)):
            if source is None:
                return _empty_slot(graph, (node, slot))
    return None


def unknown_value(graph: Graph) -> Problem | None:
    """Return the first frozen operation before the root whose inputs were edited, or None."""
    frozen = [] if graph.root is None else graph.frozen(graph.plan(graph.root).order)
    unknown = frozenset(unknown_nodes(graph, evaluate_values(graph))) if frozen else ()
    for node in frozen:
        if node in unknown:
            return Problem(f"{_no_formula(graph, node)} {_UNDO}", node)
    return None


_UNDO = "Its value is known only for the inputs of the program: undo, or change the operation."


def first_not_finite(graph: Graph, values: Mapping[int, float]) -> Problem | None:
    """Return the first node, inputs first, whose value is infinite or nan, with the reason."""
    for node in graph.structure.topological_order:
        if node in values and not math.isfinite(values[node]):
            return Problem(why_not_finite(graph, node, values), node)
    return None


def arguments(graph: Graph, node: int, values: Mapping[int, float]) -> list[float]:
    """Return the values of a node's inputs, as far as they are known."""
    inputs = graph.inputs(node)
    return [values[source] for source in inputs if source is not None and source in values]


def local_derivative(graph: Graph, wire: Wire, values: Mapping[int, float]) -> float:
    """Return the local derivative along a wire to a node whose inputs all have values.

    It is the correct one, whatever `Rules` a pass follows.
    """
    node, slot = wire
    return graph.op(node).partials[slot](*arguments(graph, node, values), values[node])


def by_convention(graph: Graph, wire: Wire, values: Mapping[int, float]) -> bool:
    """Return whether the local derivative along a wire is set by convention, not by its formula."""
    op, inputs = graph.op(wire[0]), arguments(graph, wire[0], values)
    return len(inputs) == len(op.slots) and op.by_convention(wire[1], *inputs)


Named: TypeAlias = Callable[[Graph, int], str]


def _brief(graph: Graph, node: int) -> str:
    return graph.brief(node)


"""How a node is named."""


def formula(graph: Graph, node: int, digits: Digits = DIGITS_SHOWN, named: Named = _brief) -> str:
    """Return the formula of an op node with the names of its inputs: `a × b`, `2 × a`."""
    op = graph.op(node)
    return op.filled(op.formula, input_names(graph, node, digits, named))


def input_names(graph: Graph, node: int, digits: Digits, named: Named = _brief) -> list[str]:
    """Return the names of the inputs of an op node; an empty slot is `?`."""
    sources = graph.inputs(node)
    return ["?" if x is None else input_name(graph, x, digits, named) for x in sources]


def input_name(graph: Graph, node: int, digits: Digits, named: Named = _brief) -> str:
    """Return the name of an input node; a constant without a label is its number."""
    source = graph.nodes[node]
    if isinstance(source, Constant) and not source.label:
        return short(source.value, digits)
    return named(graph, node)


def slope_with_numbers(graph: Graph, node: int, slot: int, values: Mapping[int, float]) -> str:
    """Return the local derivative along a slot with its numbers, as `1 ÷ (2 · √0)`."""
    op = graph.op(node)
    return op.filled(op.slopes[slot], [_short(v) for v in arguments(graph, node, values)])


def _missing_root(graph: Graph) -> Problem:
    # shown at the last node that feeds nothing, which is likely to be meant; 0 in an empty graph
    return Problem(CHOOSE_A_ROOT, (graph.sinks() or list(graph.nodes) or [0])[-1])


def why_not_finite(graph: Graph, node: int, values: Mapping[int, float]) -> str:
    """Return the sentence that the value of a node is infinite or nan, with the reason."""
    who = name_with_op(graph, node)
    if not isinstance(graph.nodes[node], OpNode):
        number = _short(values[node])
        return (
            f"{who} is {number}. That is allowed, but what is computed from it may be nan or inf."
        )
    op = graph.op(node)
    if not op.knows(*arguments(graph, node, values)):
        return f"{_no_formula(graph, node)} {_UNDO}"
    text = op.filled(op.formula, [_short(v) for v in arguments(graph, node, values)])
    if math.isnan(values[node]):
        return f"{who} is the first bad node: {text} has no value."
    return f"{who} is the first bad node: {text} is infinite."


def _short(number: float) -> str:
    return short(number, DIGITS_WRITTEN)


def _empty_slot(graph: Graph, wire: Wire) -> Problem:
    node, slot = wire
    if isinstance(graph.nodes[node], Root):
        return Problem("The root has nothing plugged in. Plug a node in to go on.", node, slot)
    sentence = (
        f"{name_with_op(graph, node)} has an empty slot {slot + 1}. Plug something in to go on."
    )
    return Problem(sentence, node, slot)
