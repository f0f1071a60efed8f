"""Checks: the closed set of conditions on a situation, and whether one holds.

A check asks for a state, never for the actions that lead to it.

    holds(check, situation)          whether it does
    failure_text(check, situation)   the state there is, and the one asked for
    success_text(check, situation)   a check that holds, as a clause

>>> from engine import from_expression
>>> from app.lessons.situation import at_start, situation_of
>>> end = at_start(situation_of(from_expression("y = a*b", {"a": 2, "b": 3})), "end")
>>> check = Check("grad", 1, "is", 0.0)
>>> holds(check, end), failure_text(check, end)
(False, 'a.grad is 3, and the check asks for 0')
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from app.lessons.lesson import Check, Relation, wire_name
from app.lessons.situation import Situation, wrong_samples
from engine.asking.diagnose import is_visible
from engine.asking.question import MOST_STEPS
from engine.check import check as numerical_check
from engine.check import passed
from engine.errors import EngineError
from engine.graph import Graph, OpNode, Root, kind_of
from engine.numbers import short
from engine.rules import CORRECT, Rules

ANY: Final = "any"
"""Argument of a check of a value or a gradient that any one node may pass."""
_TOLERANCE: Final = 1e-9
"""Largest difference of equal numbers, relative to the larger of their size and a least size."""

RELATIONS: Final[Mapping[Relation, Callable[[float, float, float], bool]]] = {
    "is": lambda x, y, size: _is_equal(x, y, size),
    "not": lambda x, y, size: not _is_equal(x, y, size),
    "above": lambda x, y, size: x > y and not _is_equal(x, y, size),
    "below": lambda x, y, size: x < y and not _is_equal(x, y, size),
}
"""Comparisons of a number with that of a check; `size` is the least size for the tolerance."""
_WANTED_TEXTS: Final[Mapping[Relation, str]] = {
    "is": "{number}",
    "not": "another number than {number}",
    "above": "more than {number}",
    "below": "less than {number}",
}

_PASSES_OF_DIFFERS: Final = 4
"""Passes that the check `differs` computes: forward and backward, with the mistake and without."""

NamedNumbers = list[tuple[str, float | None]]
"""The numbers that a check compares, each with its name; None for an unknown one."""


class CheckKind(Struct, frozen=True):
    """One kind of check: either the numbers it compares, or a condition and its texts.

    `argument` says what its key has in the file: "node", "wire", "operation", "place", "mistake",
    "method", "done", or "true" for a setting, which is about nothing else.
    """

    argument: str
    numbers: Callable[[Check, Situation], NamedNumbers] | None = None
    holds: Callable[[Check, Situation], bool] | None = None
    state_text: Callable[[Check, Situation], str] | None = None
    """Returns a clause about the present state."""
    wanted_text: Callable[[Check, Situation], str] | None = None
    """Returns the wanted state, as it follows "the check asks for"."""


def holds(check: Check, situation: Situation) -> bool:
    """Return whether a condition holds; an unknown number is neither equal nor different."""
    kind = CHECKS[check.kind]
    if kind.numbers is None:
        assert kind.holds is not None
        return kind.holds(check, situation)
    return any(True for _match in _matching_numbers(check, situation))


def failure_text(check: Check, situation: Situation) -> str:
    """Return a sentence with the present state and the one that the check asks for."""
    kind = CHECKS[check.kind]
    if kind.numbers is None:
        assert kind.state_text is not None
        assert kind.wanted_text is not None
        state, wanted = kind.state_text(check, situation), kind.wanted_text(check, situation)
        return f"{state}, and the check asks for {wanted}"
    found = kind.numbers(check, situation)
    asked = _WANTED_TEXTS[check.relation or "is"].format(number=short(check.number or 0.0))
    if len(found) == 1:
        name, x = found[0]
        so = f"{name} is not known" if x is None else f"{name} is {short(x)}"
        return f"{so}, and the check asks for {asked}"
    return f"no node has such a {check.kind}, and the check asks for {asked}"


def success_text(check: Check, situation: Situation) -> str:
    """Return a check that holds as a clause."""
    kind = CHECKS[check.kind]
    if kind.numbers is None:
        assert kind.state_text is not None
        return kind.state_text(check, situation)
    name, number = next(_matching_numbers(check, situation))
    return f"{name} is {short(number)}"


def work_of(check: Check, graph: Graph) -> int:
    """Return about how many nodes are computed to know whether a check holds."""
    nodes = len(graph.nodes)
    if check.kind == "checked":
        return nodes * len(graph.leaves)
    if check.kind == "differs":
        return nodes * _PASSES_OF_DIFFERS
    return nodes


def is_visible_mistake(graph: Graph, rules: Rules) -> bool:
    """Return whether a mistake changes a gradient, in a pass short enough to be stepped."""
    try:
        return is_visible(graph, rules, MOST_STEPS)
    except EngineError:
        return False


def _matching_numbers(check: Check, situation: Situation) -> Iterator[tuple[str, float]]:
    """Yield the numbers that pass a check; an unknown one never does."""
    kind = CHECKS[check.kind]
    assert kind.numbers is not None
    assert check.relation is not None
    assert check.number is not None
    # near 0 a gradient is equal to 0 up to rounding; a setting such as h = 1e-15 is not
    least_size = 0.0 if kind.argument == "true" else 1.0
    compare = RELATIONS[check.relation]
    for name, number in kind.numbers(check, situation):
        if number is not None and compare(number, check.number, least_size):
            yield name, number


def _is_equal(x: float, y: float, size: float) -> bool:
    return x == y or abs(x - y) <= _TOLERANCE * max(size, abs(y))


def name_of(graph: Graph, node: int) -> str:
    """Return the name of a node in a lesson file."""
    return graph.names.get(node, str(node))


# numbers of nodes


def _nodes_of(check: Check, graph: Graph) -> Iterator[int]:
    if check.about == ANY:
        yield from (n for n, found in graph.nodes.items() if not isinstance(found, Root))
    elif check.about in graph.nodes:
        yield check.about  # pyright: ignore[reportReturnType]


def _values(check: Check, situation: Situation) -> NamedNumbers:
    graph, values = situation.graph, situation.known_frame.values
    return [(name_of(graph, n), values.get(n)) for n in _nodes_of(check, graph)]


def _grads(check: Check, situation: Situation) -> NamedNumbers:
    graph, grads = situation.graph, situation.known_frame.grads
    return [(f"{name_of(graph, n)}.grad", grads.get(n)) for n in _nodes_of(check, graph)]


def _readers(check: Check, situation: Situation) -> NamedNumbers:
    graph = situation.graph
    wires = {
        n: [t for t, _slot in graph.outgoing[n] if not isinstance(graph.nodes[t], Root)]
        for n in _nodes_of(check, graph)
    }
    return [
        (f"the number of wires from {name_of(graph, n)}", float(len(w))) for n, w in wires.items()
    ]


def _nodes(check: Check, situation: Situation) -> NamedNumbers:
    kinds = [
        found.op if isinstance(found, OpNode) else kind_of(found)
        for found in situation.graph.nodes.values()
    ]
    return [(f"the number of nodes {check.about}", float(kinds.count(str(check.about))))]


def _wrong(_check: Check, situation: Situation) -> NamedNumbers:
    plane = situation.plane
    count = None if plane is None else wrong_samples(plane, situation.graph)
    return [("the number of wrong dots", None if count is None else float(count))]


# wiring


def _is_wired(check: Check, situation: Situation) -> bool:
    return check.source is not None and _source(check, situation) == check.source


def _source(check: Check, situation: Situation) -> int | None:
    """Return the node that feeds the wire; None for an empty slot, or if the node was deleted."""
    assert isinstance(check.about, tuple)
    node, slot = check.about
    found = situation.graph.nodes.get(node)
    return found.inputs[slot] if found is not None and slot < len(found.inputs) else None


def _wire_state(check: Check, situation: Situation) -> str:
    assert isinstance(check.about, tuple)
    graph, source = situation.graph, _source(check, situation)
    fed = "empty" if source is None else f"wired from {name_of(graph, source)}"
    return f"{wire_name(graph, check.about)} is {fed}"


def _wanted_wire(check: Check, situation: Situation) -> str:
    assert check.source is not None
    return f"a wire from {name_of(situation.graph, check.source)}"


# place of the pass


def _is_at(check: Check, situation: Situation) -> bool:
    if situation.phase != "backward":
        return False
    total = situation.known_frame.total
    place = total if check.number is None else int(check.number)
    return place <= situation.cursor <= total


def _place_state(check: Check, situation: Situation) -> str:
    if situation.phase != "backward":
        return "the backward pass has not begun"
    return f"the backward pass is at {situation.cursor} of {situation.known_frame.total}"


def _is_done(_check: Check, situation: Situation) -> bool:
    hand = situation.hand
    return (
        hand is not None and hand.is_over(situation.graph) and not hand.fired_early(situation.graph)
    )


def _order_state(_check: Check, situation: Situation) -> str:
    hand = situation.hand
    if hand is None:
        return "no pass is done by hand"
    early = hand.fired_early(situation.graph)
    if early:
        return f"{name_of(situation.graph, early[0])} has fired early"
    turns = hand.turns(situation.graph)
    return f"{len(hand.fired)} of {len(turns)} nodes have fired"


# mistakes and the numerical check


def _mistake_name(situation: Situation) -> str:
    return "none" if situation.rules is CORRECT else situation.rules.name


def _does_differ(_check: Check, situation: Situation) -> bool:
    # a pass by hand follows the learner, not the rules of a mistake
    return situation.hand is None and is_visible_mistake(situation.graph, situation.rules)


def _is_checked(_check: Check, situation: Situation) -> bool:
    try:
        return passed(numerical_check(situation.graph, rules=situation.rules))
    except EngineError:
        return False


def _mistake_state(check: Check, situation: Situation) -> str:
    if situation.rules is CORRECT:
        return "no mistake is on"
    effect = "shows" if _does_differ(check, situation) else "changes no gradient"
    return f"the mistake {_mistake_name(situation)} {effect}"


def _gradients_state(check: Check, situation: Situation) -> str:
    verb = "agree" if _is_checked(check, situation) else "differ"
    return f"backward and numerical gradients {verb}"


def _setting_kind(name: str, text: str) -> CheckKind:
    """Return the check of a number of the situation: its field's name, and its name in texts."""

    def numbers(_check: Check, situation: Situation) -> NamedNumbers:
        found = getattr(situation, name)
        return [(text, None if found is None else float(found))]

    return CheckKind("true", numbers)


CHECKS: Final[Mapping[str, CheckKind]] = {
    "value": CheckKind("node", _values),
    "grad": CheckKind("node", _grads),
    "readers": CheckKind("node", _readers),
    "wired": CheckKind("wire", holds=_is_wired, state_text=_wire_state, wanted_text=_wanted_wire),
    "nodes": CheckKind("operation", _nodes),
    "root": CheckKind(
        "node",
        holds=lambda check, situation: situation.graph.root == check.about,
        state_text=lambda _check, situation: (
            f"the root is {situation.graph.root_name or 'not chosen'}"
        ),
        wanted_text=lambda check, situation: name_of(situation.graph, check.about),  # pyright: ignore
    ),
    "at": CheckKind(
        "place",
        holds=_is_at,
        state_text=_place_state,
        wanted_text=lambda check, _s: "the end" if check.number is None else f"{check.number:.0f}",
    ),
    "order": CheckKind(
        "done",
        holds=_is_done,
        state_text=_order_state,
        wanted_text=lambda _check, _s: "all nodes fired, each after what it waits for",
    ),
    "mistake": CheckKind(
        "mistake",
        holds=lambda check, situation: _mistake_name(situation) == check.about,
        state_text=lambda _check, situation: (
            f"the mistake that is on is {_mistake_name(situation)}"
        ),
        wanted_text=lambda check, _s: str(check.about),
    ),
    "differs": CheckKind(
        "true",
        holds=_does_differ,
        state_text=_mistake_state,
        wanted_text=lambda _check, _s: "one that shows",
    ),
    "checked": CheckKind(
        "true",
        holds=_is_checked,
        state_text=_gradients_state,
        wanted_text=lambda _check, _s: "equal ones",
    ),
    "h": _setting_kind("h", "h"),
    "method": CheckKind(
        "method",
        holds=lambda check, situation: situation.method == check.about,
        state_text=lambda _check, situation: f"the method is {situation.method}",
        wanted_text=lambda check, _s: str(check.about),
    ),
    "rate": _setting_kind("rate", "the rate"),
    "epochs": _setting_kind("epochs", "the number of epochs"),
    "loss": _setting_kind("loss", "the loss"),
    "wrong": CheckKind("true", _wrong),
}
"""Every check that a lesson file may name, in the order in which errors list them."""
