"""Fields: a pass whose numbers are written as holes, so that writers of sentences write templates.

>>> from engine import from_expression
>>> from engine.trace import run
>>> trace = fields_of(run(from_expression("y = a*b", {"a": 2, "b": 3})))
>>> [each.key for each in (trace.values[1], trace.values[3], trace.events[1].local)]
['v1', 'v3', 'l1']

The keys: `v3` is the value of node 3; `l7`, `c7` and `a7` are the local derivative, the
contribution, and the receiver's gradient after event 7 of a backward pass, counted from 0, which is
an upstream gradient in later events. Numbers that no value changes, as of a seed, are no fields.
About one question numbers have letters, as formulas of beliefs have them (`FieldTrace`).
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import count
from typing import Any, TypeAlias, TypeVar

import msgspec

from engine.graph import LONGEST_NAME, Constant, Graph, Wire
from engine.numbers import HOLE_BEGINS, HOLE_ENDS, FieldNumber, parse_number, term
from engine.problems import SPOKEN_LENGTH, arguments
from engine.trace import Computed, Event, Trace
from engine.writers import needs_no_brackets

T = TypeVar("T")

_UNSEEN = 1.5
"""The probe of a number that no writer looks at: what is written is its key alone."""

Named: TypeAlias = tuple[int | str, int]
"""The number of a node's name and its most characters, or the name of a text about wires and 0."""


class NamedGraph(Graph):
    """A graph that writes the names of some nodes as holes, by their numbers in `nodes_named`."""

    nodes_named: Mapping[int, int]
    words: Mapping[str, int]
    """The characters for which a text about wires has room, by its name in reasons."""
    written: dict[str, Named]
    """All that was written, by its hole."""

    def brief(self, node: int, longest: int = LONGEST_NAME) -> str:
        """Return the hole for a name: N, its number, the room for it, and its most characters."""
        if node not in self.nodes_named:
            return super().brief(node, longest)
        return self._hole(self.nodes_named[node], SPOKEN_LENGTH, longest)

    def short_name(self, node: int, longest: int = LONGEST_NAME) -> str:
        """Return the hole for a name, which is the same as its brief one."""
        name = super().short_name(node, longest)
        return self.brief(node, longest) if node in self.nodes_named else name

    def word(self, name: str) -> str:
        """Return the hole for a text about wires."""
        return self._hole(name, self.words[name], 0)

    def _hole(self, name: int | str, room: int, longest: int) -> str:
        hole = f"N{name}_{room}:{longest}"
        self.written[hole] = name, longest
        return f"{HOLE_BEGINS}{hole}{HOLE_ENDS}"


def named_graph(graph: Graph, nodes: Sequence[int], words: Mapping[str, str]) -> NamedGraph:
    """Return a graph with holes for texts, and for the names of nodes, numbered in this order.

    Constants, and names that formulas write in another way, are written as they are.
    """
    named = {n: k for k, n in enumerate(nodes) if not isinstance(graph.nodes[n], Constant)}
    named = {n: k for n, k in named.items() if _is_simple(graph.title(n))}
    found = object.__new__(NamedGraph)
    found.__dict__.update(graph.__dict__, nodes_named=named, written={})
    found.words = {
        name: next(room for k in count() if len(text) <= (room := SPOKEN_LENGTH * 4**k))
        for name, text in words.items()
    }  # few different ones
    return found


def _is_simple(name: str) -> bool:
    """Return whether a name is the same in all texts: short, one word, and no number."""
    is_word = needs_no_brackets(name) and " " not in name and parse_number(name) is None
    return is_word and len(name) <= SPOKEN_LENGTH


Places: TypeAlias = Mapping[str, int | tuple[Wire, ...]]
"""Nodes and wires around a question, by the names that formulas have for them."""


@dataclass(frozen=True)
class FieldTrace(Trace):
    """A pass of fields around one question: `letters` are the keys that they have on the page."""

    graph: NamedGraph
    letters: Mapping[str, str | float] = field(kw_only=True, default_factory=dict[str, Any])
    places: Places = field(kw_only=True, default_factory=dict[str, Any])
    whole: Trace = field(kw_only=True)
    """The same pass with the keys that the page has for all questions."""

    @cached_property
    def kept(self) -> dict[object, Any]:
        """What `engine.conditions.kept_by_way` keeps of what is said of this pass."""
        return {}

    def once(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return what asks no condition, computed once."""
        if key not in self.kept:
            self.kept[key] = compute()
        return self.kept[key]

    def letter(self, name: str) -> FieldNumber:
        """Return a number that the page computes for the question."""
        return FieldNumber(_UNSEEN, name)

    def effect(
        self,
        wires: tuple[Wire, ...],
        watched: int,
        change: float,
        shift: float,
        shifted: tuple[Wire, ...],
    ) -> float:
        """Return by how much a node changes when the inputs along wires are raised.

        Before that those along `shifted` are raised by `shift`.
        """
        names = [self._name(wires), self._name(watched), term(change), term(shift)]
        names.append(self._name(shifted))
        return FieldNumber(_UNSEEN, f"effect({', '.join(names)})")

    def _name(self, place: int | tuple[Wire, ...]) -> str:
        found = (name for name, each in self.places.items() if each == place)
        return next(found, str(place))


def fields_of(trace: Trace) -> Trace:
    """Return a pass with fields in place of its numbers.

    All probes are finite and differ, and none is 0 or whole: sentences are written as where nothing
    is special.
    """
    probes = (1.5 + 1.0 / k for k in count(3))
    nodes = trace.graph.nodes
    values = {
        node: value if isinstance(nodes[node], Constant) else FieldNumber(next(probes), f"v{node}")
        for node, value in trace.values.items()
    }
    computed = (
        Computed(each.node, tuple(arguments(trace.graph, each.node, values)), values[each.node])
        for each in trace.computed
    )
    events = tuple(_events(trace, probes))
    return replace(trace, values=values, events=events, computed=tuple(computed))


def _events(trace: Trace, probes: Iterator[float]) -> Iterator[Event]:
    gradients: dict[int, float] = {}
    for k, event in enumerate(trace.events):
        before = gradients.get(event.node, event.before)
        if event.wire is None:
            gradients[event.node] = event.after
            yield msgspec.structs.replace(event, before=before)
            continue
        upstream = gradients.get(event.sender, event.upstream)
        local, contribution, after = (FieldNumber(next(probes), f"{c}{k}") for c in "lca")
        gradients[event.node] = after
        yield msgspec.structs.replace(
            event,
            upstream=upstream,
            local=local,
            contribution=contribution,
            before=before,
            after=after,
        )


def fields_around(trace: Trace, step: int, places: Places, graph: NamedGraph) -> FieldTrace:
    """Return a pass of fields, those around a step (from 1) with letters for keys."""
    event = trace.events[step - 1]
    named = {name: getattr(event, name) for name in ("upstream", "local", "contribution")}
    named |= {"before": event.before, "after": event.after, "value": trace.values[event.sender]}
    inputs = arguments(graph, event.sender, trace.values)
    named["x"] = inputs[event.slot]
    if len(inputs) == 2:
        named["other"] = inputs[1 - event.slot]
    named |= {f"input{k}": x for k, x in enumerate(inputs)}
    named["gradient"] = trace.gradients[event.node]
    letters = {name: x.key if isinstance(x, FieldNumber) else x for name, x in named.items()}
    renamed: dict[str, FieldNumber] = {}
    for name, number in named.items():
        if isinstance(number, FieldNumber):
            renamed.setdefault(number.key, FieldNumber(float(number), name))

    def around(x: float) -> float:
        return renamed.get(x.key, x) if isinstance(x, FieldNumber) else x

    parties = event.node, event.sender
    events = (
        msgspec.structs.replace(each, **{name: around(getattr(each, name)) for name in _NUMBERS})
        if each.node in parties or each.sender in parties
        else each
        for each in trace.events
    )
    beside = [node for node in (event.sender, *graph.inputs(event.sender)) if node is not None]
    values = {**trace.values, **{node: around(trace.values[node]) for node in beside}}
    parts = {each.name: getattr(trace, each.name) for each in fields(Trace)}
    parts |= {"events": tuple(events), "values": values, "graph": graph}
    found = FieldTrace(**parts, letters=letters, places=places, whole=trace)
    # the scale of rounding errors is the page's, too
    sums = {event.node: "sum_r", event.sender: "sum_n"}
    found.__dict__["path_sums"] = {node: FieldNumber(_UNSEEN, name) for node, name in sums.items()}
    letters |= {name: f"s{node}" for node, name in sums.items()}
    return found


_NUMBERS = ("upstream", "local", "contribution", "before", "after")
