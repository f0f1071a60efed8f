"""Checks: the closed set of conditions on a situation, and whether one holds.

A check asks for a state, never for a way to it. `told` says what is so instead.

>>> from engine import from_expression
>>> from app.lessons.situation import placed, situation_of
>>> end = placed(situation_of(from_expression("y = a*b", {"a": 2, "b": 3})), "end")
>>> check = Check("grad", 1, "is", 0.0)
>>> holds(check, end), told(check, end)
(False, 'a.grad is 3, and the check asks for 0')
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from app.lessons.lesson import Check, Relation
from app.lessons.situation import Situation
from engine.check import check as compared
from engine.check import passed
from engine.errors import EngineError
from engine.graph import Graph, OpNode, Root, kind_of
from engine.numbers import short
from engine.rules import CORRECT, Rules
from engine.study.diagnose import is_visible
from engine.study.question import MOST_STEPS

ANY: Final = "any"
"""Stands for some node in a check of a value or a gradient."""
_NEAR: Final = 1e-9

RELATIONS: Final[Mapping[Relation, Callable[[float, float, float], bool]]] = {
    "is": lambda x, y, size: _near(x, y, size),
    "not": lambda x, y, size: not _near(x, y, size),
    "above": lambda x, y, size: x > y and not _near(x, y, size),
    "below": lambda x, y, size: x < y and not _near(x, y, size),
}
"""How a number is compared with that of a check, up to rounding of numbers of a `size`."""
_ASKED: Final[Mapping[Relation, str]] = {
    "is": "{number}",
    "not": "another number than {number}",
    "above": "more than {number}",
    "below": "less than {number}",
}

Found = list[tuple[str, float | None]]
"""What a check compares: each number with its name, None where it is not known."""


class Kind(Struct, frozen=True):
    """One kind of check: what it compares, or else whether it holds and what is so.

    `about` names the argument as the file writes it.
    """

    about: str
    numbers: Callable[[Check, Situation], Found] | None = None
    holds: Callable[[Check, Situation], bool] | None = None
    is_so: Callable[[Check, Situation], str] | None = None
    """A clause about the state that the check looks at."""
    asks: Callable[[Check, Situation], str] | None = None
    """What the check asks for, after "the check asks for"."""


def holds(check: Check, situation: Situation) -> bool:
    """Return whether a condition holds; what is not known is neither equal nor different."""
    kind = CHECKS[check.kind]
    if kind.numbers is None:
        assert kind.holds is not None
        return kind.holds(check, situation)
    return any(True for _found in _fitting(check, situation))


def told(check: Check, situation: Situation) -> str:
    """Return what is so, and what the check asks for."""
    kind = CHECKS[check.kind]
    if kind.numbers is None:
        assert kind.is_so is not None
        assert kind.asks is not None
        return (
            f"{kind.is_so(check, situation)}, and the check asks for {kind.asks(check, situation)}"
        )
    found = kind.numbers(check, situation)
    asked = _ASKED[check.relation or "is"].format(number=short(check.number or 0.0))
    if len(found) == 1:
        name, x = found[0]
        so = f"{name} is not known" if x is None else f"{name} is {short(x)}"
        return f"{so}, and the check asks for {asked}"
    return f"no node has such a {check.kind}, and the check asks for {asked}"


def said(check: Check, situation: Situation) -> str:
    """Return a check that holds as a clause."""
    kind = CHECKS[check.kind]
    if kind.numbers is None:
        assert kind.is_so is not None
        return kind.is_so(check, situation)
    name, number = next(_fitting(check, situation))
    return f"{name} is {short(number)}"


def shows(graph: Graph, rules: Rules) -> bool:
    """Return whether a mistake gives some node another gradient, in a pass that can be stepped."""
    try:
        return is_visible(graph, rules, MOST_STEPS)
    except EngineError:
        return False


def _fitting(check: Check, situation: Situation) -> Iterator[tuple[str, float]]:
    """Yield the numbers that are as a check wants them; one that is not known never is."""
    kind = CHECKS[check.kind]
    assert kind.numbers is not None
    assert check.relation is not None
    assert check.number is not None
    compare, size = RELATIONS[check.relation], 0.0 if kind.about == "true" else 1.0
    for name, number in kind.numbers(check, situation):
        if number is not None and compare(number, check.number, size):
            yield name, number


def _near(x: float, y: float, size: float) -> bool:
    return x == y or abs(x - y) <= _NEAR * max(size, abs(y))


def name_of(graph: Graph, node: int) -> str:
    """Return the name that a lesson file has for a node."""
    return graph.names.get(node, str(node))


# numbers of nodes


def _chosen(check: Check, graph: Graph) -> Iterator[int]:
    if check.about == ANY:
        yield from (n for n, found in graph.nodes.items() if not isinstance(found, Root))
    elif check.about in graph.nodes:
        yield check.about  # pyright: ignore[reportReturnType]


def _values(check: Check, situation: Situation) -> Found:
    graph, values = situation.graph, situation.shown.values
    return [(name_of(graph, n), values.get(n)) for n in _chosen(check, graph)]


def _grads(check: Check, situation: Situation) -> Found:
    graph, grads = situation.graph, situation.shown.grads
    return [(f"{name_of(graph, n)}.grad", grads.get(n)) for n in _chosen(check, graph)]


def _readers(check: Check, situation: Situation) -> Found:
    graph = situation.graph
    wires = {
        n: [t for t, _slot in graph.outgoing[n] if not isinstance(graph.nodes[t], Root)]
        for n in _chosen(check, graph)
    }
    return [
        (f"the number of wires from {name_of(graph, n)}", float(len(w))) for n, w in wires.items()
    ]


def _nodes(check: Check, situation: Situation) -> Found:
    kinds = [
        found.op if isinstance(found, OpNode) else kind_of(found)
        for found in situation.graph.nodes.values()
    ]
    return [(f"the number of nodes {check.about}", float(kinds.count(str(check.about))))]


# wiring


def _is_wired(check: Check, situation: Situation) -> bool:
    return check.source is not None and _source(check, situation) == check.source


def _source(check: Check, situation: Situation) -> int | None:
    assert isinstance(check.about, tuple)
    node, slot = check.about
    found = situation.graph.nodes.get(node)
    return found.inputs[slot] if found is not None and slot < len(found.inputs) else None


def _wire(check: Check, graph: Graph) -> str:
    assert isinstance(check.about, tuple)
    return f"{name_of(graph, check.about[0])}.{check.about[1] + 1}"


def _wired_so(check: Check, situation: Situation) -> str:
    graph, source = situation.graph, _source(check, situation)
    fed = "empty" if source is None else f"wired from {name_of(graph, source)}"
    return f"{_wire(check, graph)} is {fed}"


def _wired_asks(check: Check, situation: Situation) -> str:
    assert check.source is not None
    return f"a wire from {name_of(situation.graph, check.source)}"


# place of the pass


def _is_at(check: Check, situation: Situation) -> bool:
    if situation.phase != "backward":
        return False
    total = situation.shown.total
    place = total if check.number is None else int(check.number)
    return place <= situation.cursor <= total


def _place(check: Check, situation: Situation) -> str:
    if situation.phase != "backward":
        return "the backward pass has not begun"
    return f"the backward pass is at {situation.cursor} of {situation.shown.total}"


def _is_done(_check: Check, situation: Situation) -> bool:
    hand = situation.hand
    return (
        hand is not None and hand.is_over(situation.graph) and not hand.fired_early(situation.graph)
    )


def _done_so(_check: Check, situation: Situation) -> str:
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
    return situation.hand is None and shows(situation.graph, situation.rules)


def _is_checked(_check: Check, situation: Situation) -> bool:
    try:
        return passed(compared(situation.graph, rules=situation.rules))
    except EngineError:
        return False


def _differs_so(check: Check, situation: Situation) -> str:
    if situation.rules is CORRECT:
        return "no mistake is on"
    effect = "shows" if _does_differ(check, situation) else "changes no gradient"
    return f"the mistake {_mistake_name(situation)} {effect}"


def _checked_so(check: Check, situation: Situation) -> str:
    verb = "agree" if _is_checked(check, situation) else "differ"
    return f"backward and numerical gradients {verb}"


def _setting(name: str, text: str) -> Kind:
    def numbers(_check: Check, situation: Situation) -> Found:
        found = getattr(situation, name)
        return [(text, None if found is None else float(found))]

    return Kind("true", numbers)


CHECKS: Final[Mapping[str, Kind]] = {
    "value": Kind("node", _values),
    "grad": Kind("node", _grads),
    "readers": Kind("node", _readers),
    "wired": Kind("wire", holds=_is_wired, is_so=_wired_so, asks=_wired_asks),
    "nodes": Kind("operation", _nodes),
    "root": Kind(
        "node",
        holds=lambda check, situation: situation.graph.root == check.about,
        is_so=lambda _check, situation: f"the root is {situation.graph.root_name or 'not chosen'}",
        asks=lambda check, situation: name_of(situation.graph, check.about),  # pyright: ignore
    ),
    "at": Kind(
        "place",
        holds=_is_at,
        is_so=_place,
        asks=lambda check, _s: "the end" if check.number is None else f"{check.number:.0f}",
    ),
    "order": Kind(
        "done",
        holds=_is_done,
        is_so=_done_so,
        asks=lambda _check, _s: "all nodes fired, each after what it waits for",
    ),
    "mistake": Kind(
        "mistake",
        holds=lambda check, situation: _mistake_name(situation) == check.about,
        is_so=lambda _check, situation: f"the mistake that is on is {_mistake_name(situation)}",
        asks=lambda check, _s: str(check.about),
    ),
    "differs": Kind(
        "true", holds=_does_differ, is_so=_differs_so, asks=lambda _check, _s: "one that shows"
    ),
    "checked": Kind(
        "true", holds=_is_checked, is_so=_checked_so, asks=lambda _check, _s: "equal ones"
    ),
    "h": _setting("h", "h"),
    "method": Kind(
        "method",
        holds=lambda check, situation: situation.method == check.about,
        is_so=lambda _check, situation: f"the method is {situation.method}",
        asks=lambda check, _s: str(check.about),
    ),
    "rate": _setting("rate", "the rate"),
    "epochs": _setting("epochs", "the number of epochs"),
    "loss": _setting("loss", "the loss"),
}
"""Every check that a lesson file may name, in the order in which errors list them."""
