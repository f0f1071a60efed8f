"""Questions about a pass: which can be asked, their answers, and the frame that hides the answers.

A question is a value made from a trace; it holds no number. `level_questions(trace, level)` returns
those that a learner is asked, `kinds.answer` computes the right number.

>>> from engine import from_expression
>>> from engine.asking.kinds import answer
>>> from engine.trace import run
>>> trace = run(from_expression("y = a*b + a", {"a": 2, "b": 3}))
>>> questions = level_questions(trace, LEVELS["contribution and sum"])
>>> [(q.kind, q.step, answer(q, trace)) for q in questions][-2:]
[('sum', 4, 4.0), ('contribution', 5, 2.0)]

Everything on the screen is read from a frame. So `hide_answers` replaces the numbers from which
the answer follows in the frame itself: all numbers of later steps, some of the next one.

>>> from engine.frame import frame_at
>>> from engine.numbers import short
>>> product = run(from_expression("y = a*b", {"a": 2, "b": 3}))
>>> event = hide_answers(frame_at(product, 1), ("local",)).next_event
>>> [short(x) for x in (event.upstream, event.local, event.contribution, event.after)]
['1', '?', '?', '?']

A graph that is handed out as an exercise carries a `Task`: the level, and the steps that are asked.

>>> check_task(Task(start="hunt", level="sum"))
Traceback (most recent call last):
engine.errors.EditError: Only Ask me and Cover have blanks and steps.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice
from typing import Final, Literal, TypeAlias
from weakref import WeakKeyDictionary

import msgspec
from msgspec import Struct

from engine.asking.facts import StepFacts, step_facts
from engine.asking.number_fields import FieldTrace
from engine.errors import EditError, EngineError
from engine.frame import Frame, Hidden
from engine.graph import Graph, Wire
from engine.names import is_plain_line
from engine.numbers import HIDDEN, asks
from engine.rules import CORRECT, UNKNOWN
from engine.schedule import NO_NODE, NO_SLOT, Firing, Schedule
from engine.trace import Computed, Event, Trace, evaluate_values, run

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
"""The quantity asked for.

value         the value of an op node
upstream      the gradient of the node that fires
local         the local derivative along a wire
contribution  upstream gradient × local derivative
sum           the receiver's gradient after the step
final         a gradient at the end of the pass
next          which node may fire now
sign          whether the root rises (1), falls (-1) or stays (0) when a leaf rises
change        the change of a value when a leaf is set to another number
paths         the number of paths to the root
text          a question in words; a lesson gives its answers, so none is computed
"""

TOLERANCE: Final = 1e-9
"""Largest rounding error of a right answer, relative to its `error_scale`."""

MOST_FINALS: Final = 4
"""Final gradients that are asked for at once."""
MOST_STEPS: Final = 2_000
"""Longest pass about which questions are asked: at a few seconds each these take over an hour."""


class Question(msgspec.Struct, frozen=True, gc=False):
    """One question: its kind, the node, and for a wire also the slot and the step.

    `node` is the node whose value or gradient is asked; for a wire it is the target, whose `slot`
    the wire fills; for a text an id, unique in the lesson. `step` counts the events of the pass
    from 1, and is 0 for the kinds without a step. In a change `leaf` is set to the number `to`.
    """

    kind: Kind
    node: int
    slot: int = NO_SLOT
    step: int = 0
    leaf: int = NO_NODE
    to: float = 0.0

    @property
    def wire(self) -> Wire | None:
        """The wire that is asked about, or None."""
        return None if self.slot == NO_SLOT else (self.node, self.slot)

    @property
    def key(self) -> "StepKey":
        """The key under which answers are counted: the step, or the question if it has none."""
        return self.step or self


StepKey: TypeAlias = int | Question
"""A step of a backward pass, all blanks of which count as one, or a question without a step."""


class Level(Struct, frozen=True):
    """The blanks of one step: the kinds of its questions, in reading order.

    With `before_pass` they are asked before the pass, not at its steps.
    """

    name: str
    kinds: tuple[Kind, ...]
    about: str = ""
    """What is asked, in words without a full stop."""
    before_pass: bool = False


LEVELS: Final[Mapping[str, Level]] = {
    level.name: level
    for level in (
        Level(
            "contribution and sum",
            ("contribution", "sum"),
            "What goes down a wire, and what its receiver holds then",
        ),
        Level("slope", ("local",), "The slope of each step, also called local derivative"),
        Level("contribution", ("contribution",), "What goes down a wire"),
        Level("sum", ("sum",), "What a node holds after each contribution but its first"),
        Level(
            "whole step",
            ("upstream", "local", "contribution", "sum"),
            "Gradient, slope, contribution and sum of each step",
        ),
        Level(
            "final gradients",
            ("final",),
            "The gradients of the leaves, before the pass begins",
            before_pass=True,
        ),
        Level("values", ("value",), "The value of each node, in the forward pass"),
        Level("next node", ("next",), "Which node may fire next; the answer is a click"),
    )
}
DEFAULT_LEVEL: Final = "contribution and sum"


def level_questions(
    trace: Trace, level: Level, last: int | None = None, *, meet: bool = False
) -> tuple[Question, ...]:
    """Return the questions of a backward pass at a level, in the order of its steps.

    `last` and `meet` choose the steps as for `is_chosen`.
    """
    if level.before_pass:
        asked = trace.graph.plan(trace.root).with_gradient
        receivers = dict.fromkeys(trace.schedule.receivers)  # each once, in order of first arrival
        return tuple(Question("final", node) for node in receivers if node in asked)
    steps = (s for s in range(1, len(trace) + 1) if is_chosen(trace, s, level.kinds, meet=meet))
    found = [questions for step in steps if (questions := step_questions(trace, step, level.kinds))]
    return tuple(chain.from_iterable(found if last is None else found[-last:]))


def is_chosen(
    trace: Trace, step: int, kinds: tuple[Kind, ...], last: int | None = None, *, meet: bool = False
) -> bool:
    """Return whether a step is among the `last` ones and, with `meet`, a later arrival.

    Only steps with a question of `kinds` count among the last ones. A later arrival brings a node
    its second contribution or one after it. With neither, every step is chosen.
    """
    if last is not None:
        later = (s for s in range(step + 1, len(trace) + 1) if step_questions(trace, s, kinds))
        if len(tuple(islice(later, last))) == last:  # as many come after it
            return False
    # the seed is in no list of arrivals: it counts as the first
    arrivals = trace.schedule.arrivals.get(trace.events[step - 1].node, (step - 1,))
    return not meet or arrivals[0] < step - 1


def leaves_with_gradient(graph: Graph, root: int) -> tuple[int, ...]:
    """Return the leaves with a path to the root, so with a final gradient to ask for."""
    with_gradient = graph.plan(root).with_gradient
    return tuple(leaf for leaf in graph.leaves if leaf in with_gradient)


def step_questions(trace: Trace, step: int, kinds: tuple[Kind, ...]) -> tuple[Question, ...]:
    """Return the questions of one step; none if it is no contribution.

    The sum of a first arrival is the contribution itself and is not asked. "next" is asked where
    another node than before fires.
    """
    event = trace.events[step - 1]
    if event.kind != "contribution":
        return ()
    if kinds == ("next",):
        begins = step > 1 and trace.events[step - 2].sender != event.sender
        return (Question("next", event.sender, step=step),) if begins else ()
    first = trace.schedule.arrivals[event.node][0] == step - 1
    return tuple(
        Question(kind, event.sender, event.slot, step)
        for kind in kinds
        if kind in ("upstream", "local", "contribution") or (kind == "sum" and not first)
    )


def final_gradient(node: int, trace: Trace) -> float:
    """Return the gradient of a node at the end of a pass; 0 where nothing arrived."""
    return trace.gradients.get(node, 0.0)


def changed_value(question: Question, trace: Trace) -> float:
    """Return the value of the question's node once its leaf is set to the other number."""
    return changed_values(question, trace.graph)[question.node]


def changed_values(question: Question, graph: Graph) -> Mapping[int, float]:
    """Return the values of all nodes once the question's leaf is set to the other number."""
    return evaluate_values(graph.with_values({question.leaf: question.to}))


def receiver(question: Question, trace: Trace) -> int:
    """Return the receiver of the contribution along the question's wire, or else its node."""
    wire = question.wire
    source = None if wire is None else trace.graph.source(wire)
    return question.node if source is None else source


def event_of(question: Question, trace: Trace) -> Event | None:
    """Return the event at the question's step, or None if that is on another wire after an edit."""
    if not 1 <= question.step <= len(trace.events):
        return None
    event = trace.events[question.step - 1]
    return event if event.wire == question.wire else None


def facts(question: Question, trace: Trace) -> StepFacts:
    """Return the facts of the step asked about; raises EngineError if it is on another wire."""
    if isinstance(trace, FieldTrace):
        return trace.once((facts, question.step), lambda: step_facts(trace, question.step))
    if question.wire is None or event_of(question, trace) is None:
        raise EngineError("Step {step} is about another wire now.", step=question.step)
    return step_facts(trace, question.step)


def near(x: float, y: float, scale: float = 0.0) -> bool:
    """Return whether two numbers are equal within rounding; nan equals nan, and ∞ only itself."""
    if (asked := asks("near", x, y, scale)) is not None:
        return asked
    if not (math.isfinite(x) and math.isfinite(y)):
        return x == y or (math.isnan(x) and math.isnan(y))
    return abs(x - y) <= TOLERANCE * max(abs(y), scale if math.isfinite(scale) else 0.0)


# frames of an exercise, with some numbers hidden


def hide_answers(
    frame: Frame,
    kinds: Collection[Kind],
    *,
    has_blanks: bool = True,
    finals: frozenset[int] = frozenset(),
    filled: Collection[Kind] = (),
    shows_sum: bool = False,
) -> Frame:
    """Return a frame without the answers of its next step, and without numbers of later steps.

    The values of nodes that a forward pass has not computed yet are hidden as well. `kinds` are the
    open blanks of the next step, `filled` the blanks already filled in, and `has_blanks` is whether
    the step has blanks at all. `finals` are the nodes whose gradients at the end are asked for.
    With `shows_sum` it may be seen that contributions add up, though the sum is asked for.
    """
    trace = frame.trace
    if trace is None or frame.cursor == len(trace):
        return frame
    covered = _cover_from_cursor(trace, frame, kinds, filled)
    asks_sum = "sum" in kinds and not shows_sum
    asked_sum = trace.events[frame.cursor].node if asks_sum else None
    hidden = Hidden("step" if has_blanks else "later", trace, finals, asked_sum)
    return replace(frame, trace=covered, hidden=hidden)


def covered_pass(frame: Frame) -> Trace:
    """Return the correct pass of a graph without the numbers that a question hides in its frame.

    Before the pass, and while the mistake in it is asked for, those of all steps are hidden.
    """
    shown = frame.trace
    if shown is not None and shown.phase == "backward" and shown.rules is CORRECT:
        return shown
    whole = run(frame.graph)
    values = whole.values if shown is None else shown.values
    return replace(whole, values=values, events=_covered_events(whole))


def hide_unseen_steps(frame: Frame, seen: int, reserved: Trace) -> Frame:
    """Return a frame with the first `seen` steps alone, and with the rules unknown.

    Its total is one more than the steps seen, so that the length of the pass, by which a mistake
    could be guessed, is shown only at the end. Space on the screen is reserved for the numbers of
    the trace `reserved`.
    """
    trace = frame.trace
    if trace is None or trace.phase == "forward":
        return frame
    at_end = seen >= len(trace)
    schedule = Schedule("backward", tuple(_first_firings(trace.schedule.firings, seen)))
    events = trace.events[:seen]
    seen_trace = replace(trace, rules=UNKNOWN, events=events, schedule=schedule)
    total = seen if at_end else seen + 1
    hidden = Hidden("mistake" if at_end else "end", reserved)
    return replace(frame, trace=seen_trace, total=total, hidden=hidden)


def _first_firings(firings: Iterable[Firing], steps: int) -> Iterator[Firing]:
    """Yield the firings of the first steps, without the last one's contributions after them."""
    for firing in firings:
        if steps <= 0:
            return
        yield firing._replace(sends=firing.sends[:steps])
        steps -= firing.ticks


def _cover_from_cursor(
    trace: Trace, frame: Frame, kinds: Collection[Kind], filled: Collection[Kind]
) -> Trace:
    """Return a trace with hidden numbers from the frame's cursor on."""
    k = frame.cursor
    if trace.phase == "forward":
        coming = [_cover_value(step, frame) for step in trace.computed[k:]]
        if not kinds:  # the next value is not asked for, or has been answered
            coming[0] = trace.computed[k]
        values = {node: frame.values.get(node, HIDDEN) for node in trace.values}
        return replace(trace, values=values, computed=(*trace.computed[:k], *coming))
    following = _cover_answers(trace.events[k], kinds, filled)
    return replace(trace, events=(*trace.events[:k], following, *_covered_events(trace)[k + 1 :]))


_COVERED: Final[WeakKeyDictionary[Schedule, tuple[Event, ...]]] = WeakKeyDictionary()


def _covered_events(trace: Trace) -> tuple[Event, ...]:
    """Return the steps of a backward pass without numbers, the same for all of its schedule."""
    found = _COVERED.get(trace.schedule, ())
    if len(found) != len(trace):
        found = _COVERED[trace.schedule] = tuple(map(_cover_numbers, trace.events))
    return found


def _cover_value(step: Computed, frame: Frame) -> Computed:
    inputs = frame.graph.inputs(step.node)
    known = tuple(HIDDEN if n is None else frame.values.get(n, HIDDEN) for n in inputs)
    return Computed(step.node, known, HIDDEN)


def _cover_answers(event: Event, kinds: Collection[Kind], filled: Collection[Kind]) -> Event:
    """Return the next event without the numbers asked for, or numbers that give them away."""
    if event.kind != "contribution" or not kinds:
        return event
    printed = printed_kinds(kinds, filled)
    if not printed and "local" not in kinds:
        return _cover_numbers(event)
    return msgspec.structs.replace(
        event,
        upstream=event.upstream if "upstream" in printed else HIDDEN,
        local=event.local if "local" in printed else HIDDEN,
        contribution=event.contribution if "contribution" in printed else HIDDEN,
        after=HIDDEN,
    )


def printed_kinds(kinds: Collection[Kind], filled: Collection[Kind]) -> set[Kind]:
    """Return which numbers of a step are readable while `kinds` are open and `filled` are right.

    With a blank for the slope, `upstream × ?` stays readable. With a blank for the product alone
    both factors are hidden, as their product would be the answer.
    """
    printed: set[Kind] = {"upstream", "local", "contribution"}
    if "local" in kinds or "local" in filled:
        return printed.difference(kinds, () if "contribution" in filled else ("contribution",))
    return set() if "contribution" in kinds else printed.difference(kinds)


def _cover_numbers(event: Event) -> Event:
    """Return an event that shows who sends to whom, and no number."""
    return Event(
        event.kind,
        event.node,
        event.sender,
        event.slot,
        *(HIDDEN, HIDDEN, HIDDEN, HIDDEN, HIDDEN),  # upstream, local … after: all its numbers
        sweep=event.sweep,
    )


def hide_order(frame: Frame) -> Frame:
    """Return a frame without its next steps, whose order the learner is to choose."""
    trace, k = frame.trace, frame.cursor
    if trace is None or k == len(trace):
        return frame
    if trace.phase == "forward":
        covered = _cover_from_cursor(trace, frame, ("value",), ())
    else:
        covered = replace(trace, events=(*trace.events[:k], *_covered_events(trace)[k:]))
    return replace(frame, trace=covered, hidden=Hidden("order", trace))


# Tasks

Start = Literal["", "predict", "cover", "by hand", "hunt", "descent"]
"""The mode in which an exercise opens, "" for none."""
Steps = Literal["last", "every", "meet"]
"""Which steps are asked about: the last ones, one more after each clean run; every one; those that
bring a node its second or a later contribution."""
MODE_TITLES: Final[Mapping[str, str]] = {
    "": "None",
    "predict": "Ask me",
    "cover": "Cover",
    "by hand": "By hand",
    "hunt": "Hunt",
    "descent": "Descent",
}
"""The names of the modes in the window."""
TASK_LIMIT: Final = 240
"""Maximum number of characters of a task's text: two or three sentences."""
MODES_WITH_BLANKS: Final = ("predict", "cover")
"""The modes that ask for the blanks of steps."""


class Task(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A text to the learner, the mode that begins, and whether the wiring is locked.

    `level` and `steps` are those of Ask me and Cover, `hints` whether Ask me has help.
    """

    text: str = ""
    start: Start = ""
    level: str = DEFAULT_LEVEL
    steps: Steps = "last"
    locked: bool = False
    hints: bool = True


def check_task(task: Task) -> None:
    """Raise EditError for a task that no file may hold."""
    if len(task.text) > TASK_LIMIT or not is_plain_line(task.text):
        raise EditError(
            "The text is one line of plain text of up to {limit} characters.", limit=TASK_LIMIT
        )
    if task.level not in LEVELS:
        raise EditError('There is no level "{level}".', level=task.level)
    if task.start not in MODES_WITH_BLANKS and (task.level, task.steps) != (DEFAULT_LEVEL, "last"):
        raise EditError("Only Ask me and Cover have blanks and steps.")
    if not task.hints and task.start != "predict":
        raise EditError("Only Ask me has hints.")
    if task == Task():
        raise EditError("An exercise has a text, a mode or locked wiring.")
