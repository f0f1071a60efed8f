"""Questions about a pass: which can be asked, their answers, and the frame that hides the answers.

A question is a value made from a trace; it holds no number. `asked(trace, level)` yields those that
a learner is asked, `answer` computes the right number.

>>> from engine import from_expression
>>> from engine.trace import run
>>> trace = run(from_expression("y = a*b + a", {"a": 2, "b": 3}))
>>> [(q.kind, q.step, answer(q, trace)) for q in asked(trace, LEVELS["contribution and sum"])][-2:]
[('sum', 4, 4.0), ('contribution', 5, 2.0)]

Everything on the screen is read from a frame. So `hidden` replaces the numbers from which the
answer follows in the frame itself: all numbers of later steps, some of the next one.

>>> from engine.frame import frame_at
>>> from engine.numbers import short
>>> covered = hidden(frame_at(run(from_expression("y = a*b", {"a": 2, "b": 3})), 1), ("local",))
>>> event = covered.next_event
>>> [short(x) for x in (event.upstream, event.local, event.contribution, event.after)]
['1', '?', '?', '?']
"""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from engine.errors import EngineError
from engine.frame import Frame, Hidden
from engine.graph import Constant, Graph, Leaf, OpNode, Wire
from engine.numbers import HIDDEN
from engine.rules import UNKNOWN
from engine.schedule import NO_NODE, Firing, Schedule
from engine.study.facts import StepFacts, step_facts
from engine.study.paths import count
from engine.trace import Computed, Event, Trace, evaluate_values

Kind = Literal[
    "value",
    "upstream",
    "local",
    "contribution",
    "sum",
    "final",
    "next",
    "sign",
    "change",
    "paths",
    "text",
]
"""What is asked: the value of an op node, the gradient of the node that fires, a local derivative,
a contribution, a gradient after a step, a gradient at the end of the pass, which node may fire
now, whether the root rises or falls with a leaf, by how much a value changes when a leaf goes
from here to there, or how many paths lead to the root. The answers to a text are written by its
author, so none is computed."""
OUTSIDE: Final[tuple[Kind, ...]] = ("final", "sign", "change", "paths", "text")
"""Kinds that are asked before a backward pass, not at one of its steps."""

TOLERANCE: Final = 1e-9
"""How far a right answer may be off, as a share of the sum of all |path products|."""


MOST_FINALS: Final = 4
"""Final gradients that are asked for at once."""
MOST_STEPS: Final = 2_000
"""Steps of a pass in which questions are asked: answering one takes a few seconds."""


class Question(msgspec.Struct, frozen=True, gc=False):
    """One question: its kind, the node, and for a wire also the slot and the step.

    `node` is the node whose value or gradient is asked; for a wire it is the target, whose `slot`
    the wire fills; of a text it is a number that tells it from others. `step` counts the events of
    the pass from 1; 0 where none is meant. Of a change `leaf` is the node that goes to the number
    `to`.
    """

    kind: Kind
    node: int
    slot: int = NO_NODE
    step: int = 0
    leaf: int = NO_NODE
    to: float = 0.0

    @property
    def wire(self) -> Wire | None:
        """The wire that is asked about, or None."""
        return None if self.slot == NO_NODE else (self.node, self.slot)

    @property
    def key(self) -> "StepKey":
        """What it is counted with: its step, or itself if it has none."""
        return self.step or self


StepKey: TypeAlias = int | Question
"""A step of a backward pass, or a question about none: all its blanks count as one."""


class Level(Struct, frozen=True):
    """The blanks of one step: the kinds of its questions, in reading order.

    `once` asks before the pass, not at its steps.
    """

    name: str
    kinds: tuple[Kind, ...]
    once: bool = False


LEVELS: Final[Mapping[str, Level]] = {
    level.name: level
    for level in (
        Level("contribution and sum", ("contribution", "sum")),
        Level("slope", ("local",)),
        Level("contribution", ("contribution",)),
        Level("sum", ("sum",)),
        Level("whole step", ("upstream", "local", "contribution", "sum")),
        Level("final gradients", ("final",), once=True),
        Level("values", ("value",)),
        Level("next node", ("next",)),
    )
}
USUAL_LEVEL: Final = "contribution and sum"
OLD_LEVELS: Final = {
    "local": "slope",
    "contribution": "contribution and sum",
    "all": "whole step",
    "sum": "sum",
    "final": "final gradients",
}
"""Names of the levels in settings of older versions, with those that ask the most like them."""


def asked(
    trace: Trace, level: Level, last: int | None = None, *, meet: bool = False
) -> tuple[Question, ...]:
    """Return the questions of a backward pass at a level, in the order in which they come.

    `last` and `meet` choose the steps as for `is_chosen`.
    """
    if level.once:
        wants, turns = trace.graph.plan(trace.root).wants, trace.schedule.receivers
        return tuple(Question("final", node) for node in dict.fromkeys(turns) if node in wants)
    steps = (s for s in range(1, len(trace) + 1) if is_chosen(trace, s, level.kinds, meet=meet))
    found = [questions for step in steps if (questions := asked_at(trace, step, level.kinds))]
    return tuple(chain.from_iterable(found if last is None else found[-last:]))


def is_chosen(
    trace: Trace, step: int, kinds: tuple[Kind, ...], last: int | None = None, *, meet: bool = False
) -> bool:
    """Return whether a step is among the `last` ones, or, where paths `meet`, a later arrival.

    Only steps with a question of `kinds` count among the last ones. A later arrival brings a node
    its second contribution or one after it. Without either, every step is chosen.
    """
    if last is not None:
        later = (s for s in range(step + 1, len(trace) + 1) if asked_at(trace, s, kinds))
        if len(tuple(islice(later, last))) == last:
            return False
    arrivals = trace.schedule.arrivals.get(trace.events[step - 1].node, (step - 1,))
    return not meet or arrivals[0] < step - 1


def final_leaves(graph: Graph, root: int) -> tuple[int, ...]:
    """Return the leaves whose final gradients can be asked for."""
    wants = graph.plan(root).wants
    return tuple(leaf for leaf in graph.leaves if leaf in wants)


def asked_at(trace: Trace, step: int, kinds: tuple[Kind, ...]) -> tuple[Question, ...]:
    """Return the questions of one step; none if it is no contribution.

    The sum of a first arrival is the contribution itself and is not asked. "next" is asked where
    another node than before fires.
    """
    event = trace.events[step - 1]
    if event.kind != "contribution":
        return ()
    if kinds == ("next",):
        begins = step > 1 and trace.events[step - 2].target != event.target
        return (Question("next", event.target, step=step),) if begins else ()
    first = trace.schedule.arrivals[event.node][0] == step - 1
    return tuple(
        Question(kind, event.target, event.slot, step)
        for kind in kinds
        if kind in ("upstream", "local", "contribution") or (kind == "sum" and not first)
    )


def answer(question: Question, trace: Trace) -> float:
    """Return the right answer, under the rules of the trace."""
    match question.kind:
        case "value":
            return trace.values[question.node]
        case "next":
            return float(question.node)
        case "final":
            return final_gradient(question.node, trace)
        case "sign":
            gradient = final_gradient(question.node, trace)
            return float((gradient > 0) - (gradient < 0))
        case "change":
            return changed_value(question, trace) - trace.values[question.node]
        case "paths":
            return float(count(trace.graph, question.node, trace.root))
        case "text":
            raise EngineError("The answer to a text is not computed.")
        case kind:
            at = facts(question, trace)
            return {
                "upstream": at.upstream,
                "local": at.local,
                "contribution": at.contribution,
                "sum": at.after,
            }[kind]


def final_gradient(node: int, trace: Trace) -> float:
    """Return the gradient of a node at the end of a pass; 0 where nothing arrived."""
    return trace.gradients.get(node, 0.0)


def changed_value(question: Question, trace: Trace) -> float:
    """Return what the node asked about is when the leaf of a change has gone where it goes."""
    return evaluate_values(trace.graph.with_values({question.leaf: question.to}))[question.node]


def receiver(question: Question, trace: Trace) -> int:
    """Return the node that receives along the wire asked about, or the node itself."""
    wire = question.wire
    source = None if wire is None else trace.graph.source(wire)
    return question.node if source is None else source


def event_of(question: Question, trace: Trace) -> Event | None:
    """Return the step asked about; None if none is, or if it is not on that wire any more."""
    if not 1 <= question.step <= len(trace.events):
        return None
    event = trace.events[question.step - 1]
    return event if event.wire == question.wire else None


def is_about(question: Question, trace: Trace) -> bool:
    """Return whether a question can be asked in a pass."""
    if question.kind == "value":
        return question.node in trace.values and isinstance(
            trace.graph.nodes[question.node], OpNode
        )
    if question.kind == "change":
        leaf = trace.graph.nodes.get(question.leaf)
        return question.node in trace.values and isinstance(leaf, Leaf | Constant)
    if question.kind in ("final", "sign", "paths"):
        return question.node in trace.graph.plan(trace.root).wants
    if question.kind == "next":
        within = 1 <= question.step <= len(trace)
        return within and question in asked_at(trace, question.step, ("next",))
    event = event_of(question, trace)
    return event is not None and event.kind == "contribution"


def place_of(question: Question, trace: Trace) -> int:
    """Return how many steps of its pass are done before the one that shows the answer.

    A value belongs to the forward pass, all else to the backward pass.
    """
    if question.kind == "value":
        return [step.node for step in trace.computed].index(question.node)
    if question.kind in ("final", "sign"):
        return trace.schedule.arrivals.get(question.node, (0,))[-1]  # the root has its seed
    if question.kind in OUTSIDE:  # no step shows it
        return len(trace)
    return question.step - 1


def facts(question: Question, trace: Trace) -> StepFacts:
    """Return the facts of the step asked about; raises EngineError if it is on another wire."""
    if question.wire is None or event_of(question, trace) is None:
        raise EngineError("Step {step} is about another wire now.", step=question.step)
    return step_facts(trace, question.step)


def size(question: Question, trace: Trace) -> float:
    """Return the number beside which an error of the answer is small: a sum of |path products|."""
    if question.kind in ("value", "sign", "paths"):
        return abs(answer(question, trace))
    if question.kind == "change":
        return max(abs(trace.values[question.node]), abs(changed_value(question, trace)))
    if question.wire is None or question.kind == "upstream":
        return trace.path_sums.get(question.node, 0.0)
    if question.kind == "local":
        return abs(facts(question, trace).local)
    if question.kind == "contribution":
        return trace.path_sums.get(question.node, 0.0) * abs(facts(question, trace).local)
    return trace.path_sums.get(receiver(question, trace), 0.0)


def near(x: float, y: float, size: float = 0.0) -> bool:
    """Return whether two numbers are equal but for rounding; nan equals nan, ∞ by its sign."""
    if not (math.isfinite(x) and math.isfinite(y)):
        return x == y or (math.isnan(x) and math.isnan(y))
    return abs(x - y) <= TOLERANCE * max(abs(y), size if math.isfinite(size) else 0.0)


# The frame of a learner who is asked


def hidden(
    frame: Frame,
    kinds: Collection[Kind],
    asked: bool = True,
    finals: frozenset[int] = frozenset(),
    found: Collection[Kind] = (),
) -> Frame:
    """Return a frame whose next step hides what is asked, and whose later steps hide everything.

    The values of nodes that a forward pass has not computed yet are hidden as well. `asked` says
    whether the next step is asked about at all; what is revealed of it is shown then. `finals` are
    the nodes whose gradients at the end are asked for, `found` the kinds of the blanks that are
    filled in.
    """
    trace = frame.trace
    if trace is None or frame.cursor == len(trace):
        return frame
    coming = _hidden_from(trace, frame, kinds, found)
    return replace(frame, trace=coming, hidden=Hidden("step" if asked else "later", trace, finals))


def veiled(frame: Frame, seen: int, sizes: Trace) -> Frame:
    """Return a frame that holds the first `seen` steps alone, and not the rules behind them.

    Whether they are all shows only once they are. `sizes` is the trace that serves for sizes.
    """
    trace = frame.trace
    if trace is None or trace.phase == "forward":
        return frame
    over = seen >= len(trace)
    schedule = Schedule("backward", tuple(_first_firings(trace.schedule.firings, seen)))
    events = trace.events[:seen]
    known = replace(trace, rules=UNKNOWN, events=events, schedule=schedule)
    total = seen if over else seen + 1
    hides = Hidden("mistake" if over else "end", sizes)
    return replace(frame, trace=known, total=total, hidden=hides)


def _first_firings(firings: Iterable[Firing], steps: int) -> Iterator[Firing]:
    """Yield the firings of the first steps, the last of them cut short."""
    for firing in firings:
        if steps <= 0:
            return
        yield firing._replace(sends=firing.sends[:steps])
        steps -= firing.ticks


def _hidden_from(
    trace: Trace, frame: Frame, kinds: Collection[Kind], found: Collection[Kind]
) -> Trace:
    k = frame.cursor
    if trace.phase == "forward":
        coming = [_computed(step, frame) for step in trace.computed[k:]]
        if not kinds:
            coming[0] = trace.computed[k]
        values = {node: frame.values.get(node, HIDDEN) for node in trace.values}
        return replace(trace, values=values, computed=(*trace.computed[:k], *coming))
    following = _asked(trace.events[k], kinds, found)
    later = tuple(_unknown(event) for event in trace.events[k + 1 :])
    return replace(trace, events=(*trace.events[:k], following, *later))


def _computed(step: Computed, frame: Frame) -> Computed:
    inputs = frame.graph.inputs(step.node)
    known = tuple(HIDDEN if n is None else frame.values.get(n, HIDDEN) for n in inputs)
    return Computed(step.node, known, HIDDEN)


def _asked(event: Event, kinds: Collection[Kind], found: Collection[Kind]) -> Event:
    """Return the next event without the numbers asked for, and those from which they follow.

    Where the slope is a blank of its own, upstream × ? is shown; else nothing of the product.
    """
    if event.kind != "contribution" or not kinds:
        return event
    if "local" in kinds or "local" in found:
        return msgspec.structs.replace(
            event,
            upstream=HIDDEN if "upstream" in kinds else event.upstream,
            local=HIDDEN if "local" in kinds else event.local,
            contribution=event.contribution if "contribution" in found else HIDDEN,
            after=HIDDEN,
        )
    if "contribution" in kinds:  # with the product alone to be found
        return _unknown(event)
    return msgspec.structs.replace(event, after=HIDDEN)


def _unknown(event: Event) -> Event:
    return Event(
        event.kind,
        event.node,
        event.target,
        event.slot,
        *(HIDDEN, HIDDEN, HIDDEN, HIDDEN, HIDDEN),
        sweep=event.sweep,
    )


def undecided(frame: Frame) -> Frame:
    """Return a frame without what comes next, as that is for the learner to decide."""
    trace, k = frame.trace, frame.cursor
    if trace is None or k == len(trace):
        return frame
    if trace.phase == "forward":
        coming = _hidden_from(trace, frame, ("value",), ())
    else:
        later = tuple(map(_unknown, trace.events[k:]))
        coming = replace(trace, events=(*trace.events[:k], *later))
    return replace(frame, trace=coming, hidden=Hidden("order", trace))
