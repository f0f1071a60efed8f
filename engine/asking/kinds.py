"""The kinds of questions, each a value: its words, where it is asked, and its right answer.

A new kind is a value here, with its place in `KINDS`.
"""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final, Literal

import msgspec
from msgspec import Struct

from engine.asking.facts import StepFacts
from engine.asking.paths import path_count
from engine.asking.question import (
    Kind,
    Question,
    changed_value,
    event_of,
    facts,
    final_gradient,
    receiver,
    step_questions,
)
from engine.errors import EngineError
from engine.frame import Phase
from engine.graph import LONGEST_NAME, Constant, Graph, Leaf, OpNode, Wire
from engine.problems import arguments, short_name_with_op
from engine.trace import Trace, run_forward

OfPass = Callable[[Question, Trace], float]
Shapes = tuple[Sequence[str], ...]

SIGN_WORDS: Final[Mapping[float, str]] = {1.0: "rises", -1.0: "falls", 0.0: "stays"}
"""Verb for the root, by the sign of the gradient."""
_CHANGES: Final = (-4.0, -2.0, 2.0, 4.0, 6.0)
"""Numbers that a leaf goes to in a question about a change."""

_WIRES: Final[Shapes] = (
    ("y = a*b", "y = a+b", "y = a-b"),
    ("y = a/b", "y = a**2", "y = -a", "y = tanh(a)", "y = sigmoid(a)", "y = exp(a)"),
)
_GRAPHS: Final[Shapes] = (
    ("L = (a*b + a)*f", "e = a*b; d = e + c; L = d*f", "c = a + b; d = a*b; y = c*d"),
    (
        "y = a*a*b",
        "c = a - b; y = c*c + a",
        "c = a + b; d = c*c; y = c + d",
        "c = a + b; d = a*b; e = c + d; f = c*d; y = e + f",
        "y = a/b + a",
    ),
)


def _whole_pass(_question: Question, trace: Trace) -> int:
    return len(trace)


def _of_leaves(kind: Kind, trace: Trace, _draw: random.Random) -> list[Question]:
    return [Question(kind, leaf) for leaf in trace.graph.leaves]


def _has_gradient(question: Question, trace: Trace) -> bool:
    return question.node in trace.graph.plan(trace.root).with_gradient


class QuestionKind(Struct, frozen=True, kw_only=True):
    """What is asked for, how it is asked, and how its answer is computed."""

    name: Kind
    place: Literal["wire", "step", "pass"] = "pass"
    """Whether it is about the contribution along a wire, another step, or a whole pass: then it is
    asked before the pass, and no step shows the answer."""
    keys: tuple[str, ...] = ("node",)
    """What names it in the file of a lesson."""
    role: str = "gradient"
    """The colour of its answer."""
    short: str = ""
    """The quantity, as all places name it; see `long_name`."""
    long: str = ""
    """The quantity with the {node}, the {wire} or the {root} that it is about."""
    asks: str = ""
    """The question of a drill, and to a room; without one it is never asked there."""
    rule: str = ""
    """The first hint: the question that leads to the answer, or the rule that gives it."""
    blank: str = ""
    """The sentence of a kind asked before the pass, with the blank {answer}."""
    prompt: str = ""
    """What stands below the sentence with its blank; at a step by default what the kind asks."""
    reveals: tuple[str, ...] = ("the right number.",)
    """What stands under a right answer, the longest first; the last has no name and no number."""
    phase: Phase = "backward"
    """The phase of the pass at whose step the question is asked."""
    position: str = "Step {coming:,} of {total:,}"
    """Where in its pass the question is asked."""
    page_letter: str = ""
    """The letter of its answer among the numbers of a page, which has the others of its step."""
    has_sign: bool = False
    """Whether its numbers are written with their sign, as those of a change are."""
    choices: tuple[float, ...] | None = None
    """All answers that there are: none of them is typed; () for a click. None for any number."""
    is_guessable: bool = True
    """Whether a lesson may ask for a guess, which is not judged."""
    computed_from: tuple[Kind, ...] = ()
    """The other kinds of its step that lead to the answer, first the one that `carry` takes."""
    carry: Callable[[float, StepFacts], float] = lambda number, _at: number
    """The answer from a number for the first of `computed_from`, right or wrong."""
    shapes: Shapes = _GRAPHS
    """Expressions to ask about, the usual ones before those that few slips need."""
    candidates: Callable[[Kind, Trace, random.Random], Iterable[Question]] = _of_leaves
    """The questions of the kind about a pass, among which a day draws."""
    usual_slip: str = ""
    """The slip that the numbers of a question must show where only its kind is due."""
    asks_something: Callable[[Question, Trace], bool] = lambda _question, _trace: True
    """Whether nothing but the right idea gives the answer, at the numbers of a pass."""
    sources: Callable[[Question, Trace], Iterable[float]] = lambda _question, _trace: ()
    """The numbers from which the answer is computed, of which some may be shown rounded."""
    answer: OfPass
    """The right answer, under the rules of the trace."""
    is_askable: Callable[[Question, Trace], bool] = _has_gradient
    """Whether it applies to a pass, as it may not after an edit of the graph."""
    steps_before: Callable[[Question, Trace], int] = _whole_pass
    """The steps of the pass before the one that shows the answer; of a value, of the forward
    pass."""
    error_scale: OfPass | None = None
    """The scale of the rounding error of the answer, by default its size."""


def _of_wire(question: Question, trace: Trace) -> bool:
    event = event_of(question, trace)
    return event is not None and event.kind == "contribution"


def _own_step(question: Question, _trace: Trace) -> int:
    return question.step - 1


def _last_arrival(question: Question, trace: Trace) -> int:
    # the root has no arrivals: its gradient is the seed, before which there are 0 steps
    return trace.schedule.arrivals.get(question.node, (0,))[-1]


def _path_sum(question: Question, trace: Trace) -> float:
    """Return the sum of the absolute path products of a gradient.

    They may cancel, so that its rounding error grows with them, not with the gradient.
    """
    return trace.path_sums.get(question.node, 0.0)


def _sign(question: Question, trace: Trace) -> float:
    """Return 1, −1 or 0: whether the root rises, falls or stays when the node rises."""
    gradient = final_gradient(question.node, trace)
    return float((gradient > 0) - (gradient < 0))


def _has_op_value(question: Question, trace: Trace) -> bool:
    return question.node in trace.values and isinstance(trace.graph.nodes[question.node], OpNode)


def _computed(trace: Trace) -> list[int]:
    return [step.node for step in (trace.computed or run_forward(trace.graph).computed)]


def _can_change(question: Question, trace: Trace) -> bool:
    leaf = trace.graph.nodes.get(question.leaf)
    return question.node in trace.values and isinstance(leaf, Leaf | Constant)


def _larger_value(question: Question, trace: Trace) -> float:
    return max(abs(trace.values[question.node]), abs(changed_value(question, trace)))


def _begins_firing(question: Question, trace: Trace) -> bool:
    within = 1 <= question.step <= len(trace)
    return within and question in step_questions(trace, question.step, ("next",))


def _of_wires(kind: Kind, trace: Trace, _draw: random.Random) -> list[Question]:
    """Return a question about each wire that brings something, also where `drills` must make it.

    That is a product, or a second arrival; a constant gets no gradient.
    """
    graph = trace.graph
    steps = (q for k in range(1, len(trace) + 1) for q in step_questions(trace, k, ("local",)))
    return [
        msgspec.structs.replace(question, kind=kind)
        for question in steps
        if not isinstance(graph.nodes[receiver(question, trace)], Constant)
    ]


def _after_seed(kind: Kind, trace: Trace, _draw: random.Random) -> list[Question]:
    # step 1 sets the seed, and in step 2 it is the gradient
    return [q for k in range(3, len(trace) + 1) for q in step_questions(trace, k, (kind,))]


def _all_steps(kind: Kind, trace: Trace, _draw: random.Random) -> list[Question]:
    return [q for k in range(1, len(trace) + 1) for q in step_questions(trace, k, (kind,))]


def _slope_sources(question: Question, trace: Trace) -> tuple[float, ...]:
    at = facts(question, trace)
    return (*at.inputs, at.value)  # the slope of tanh is computed from either


def _factors(question: Question, trace: Trace) -> tuple[float, ...]:
    at = facts(question, trace)
    return (*_slope_sources(question, trace), at.upstream, at.local)


def _summands(question: Question, trace: Trace) -> tuple[float, ...]:
    at = facts(question, trace)
    return (*_factors(question, trace), at.before, at.contribution)


def _all_values(_question: Question, trace: Trace) -> Iterable[float]:
    return trace.values.values()


def _no_answer(_question: Question, _trace: Trace) -> float:
    raise EngineError("The answer to a text is not computed.")


_wire_kind = partial(
    QuestionKind,
    place="wire",
    keys=("wire",),
    is_askable=_of_wire,
    steps_before=_own_step,
    shapes=_WIRES,
    candidates=_of_wires,
)

KINDS: Final[Mapping[str, QuestionKind]] = {
    kind.name: kind
    for kind in (
        QuestionKind(
            name="value",
            place="step",
            role="value",
            short="value",
            long="value of {node}",
            asks="What is the value of {node}?",
            rule="The value of {node} is {formula}, computed from the values of its inputs.",
            reveals=("{formula}, from the values of its inputs.", "from the values of its inputs."),
            phase="forward",
            position="Forward {coming:,} of {total:,}",
            page_letter="v",
            answer=lambda q, trace: trace.values[q.node],
            is_askable=_has_op_value,
            steps_before=lambda q, trace: _computed(trace).index(q.node),
            candidates=lambda kind, trace, _draw: [Question(kind, n) for n in _computed(trace)],
            sources=lambda q, trace: arguments(trace.graph, q.node, trace.values),
        ),
        _wire_kind(
            name="upstream",
            short="upstream gradient",
            long="upstream gradient of {node}",
            rule="What fires passes on its own gradient: read it at {node}.",
            prompt="Upstream gradient × local derivative = contribution.",
            reveals=("what {node} got.", "the gradient of the node that fires."),
            page_letter="u",
            answer=lambda q, trace: facts(q, trace).upstream,
            error_scale=_path_sum,
            shapes=_GRAPHS,
            candidates=_after_seed,
            sources=lambda q, trace: (facts(q, trace).upstream,),
        ),
        _wire_kind(
            name="local",
            role="local",
            short="slope",
            long="slope of {wire}",
            asks="What is the slope of {node} along {receiver}?",
            rule="How far does {node} move when {receiver} moves a little and nothing else does?",
            prompt="How fast does {formula} grow when {receiver} alone grows?",
            reveals=("the slope of {formula} along {receiver}.", "the slope along this wire."),
            page_letter="l",
            answer=lambda q, trace: facts(q, trace).local,
            usual_slip="own value",
            sources=_slope_sources,
        ),
        _wire_kind(
            name="contribution",
            short="contribution",
            long="contribution of {wire}",
            asks="What does {node} pass to {receiver}?",
            rule="Chain rule: what {node} got, times its slope along {receiver}.",
            prompt="How much goes to {receiver} along this wire?",
            reveals=("{product}{remark}", "{product}", "upstream times slope."),
            page_letter="c",
            has_sign=True,
            answer=lambda q, trace: facts(q, trace).contribution,
            error_scale=lambda q, trace: _path_sum(q, trace) * abs(facts(q, trace).local),
            computed_from=("local", "upstream"),
            carry=lambda slope, at: slope * at.upstream,
            usual_slip="upstream forgotten",
            sources=_factors,
        ),
        _wire_kind(
            name="sum",
            short="sum",
            long="sum after {wire}",
            asks="What does {held_in} hold after this step?",
            rule="Contributions add up: what {receiver} holds, plus what comes along this wire.",
            reveals=(
                "{receiver} held {before}; {sent} was added.",
                "what was held, and what came along this wire.",
            ),
            page_letter="a",
            answer=lambda q, trace: facts(q, trace).after,
            error_scale=lambda q, trace: trace.path_sums.get(receiver(q, trace), 0.0),
            computed_from=("contribution",),
            carry=lambda sent, at: at.before + sent if at.adds else sent,
            usual_slip="replaced",
            sources=_summands,
        ),
        QuestionKind(
            name="final",
            short="final gradient",
            long="final gradient of {node}",
            asks="What will {held_in} be at the end of the pass?",
            rule="Each path from {receiver} to {root} gives the product of its slopes;"
            " add these up.",
            prompt="Each way from a leaf to {root} gives a product of slopes; the products add up.",
            reveals=(
                "the sum over {paths} paths to {root}.",
                "the sum over all paths to the root.",
            ),
            position="Before step 1",
            page_letter="g",
            answer=lambda q, trace: final_gradient(q.node, trace),
            steps_before=_last_arrival,
            error_scale=_path_sum,
            usual_slip="one path only",
            sources=_all_values,
        ),
        QuestionKind(
            name="next",
            place="step",
            keys=(),
            short="next node",
            long="next node",
            asks="Which node may fire next?",
            rule="A node may fire when every wire that leads from it to {root} has brought its"
            " share.",
            prompt="A node may fire when each wire leading from it to {root} has brought its"
            " share.",
            position="After step {step:,}",
            choices=(),
            is_guessable=False,
            answer=lambda q, trace: float(q.node),
            is_askable=_begins_firing,
            steps_before=_own_step,
            error_scale=_path_sum,
            shapes=(_GRAPHS[0], ("z = a*f; c = a*b; L = c*f + a",)),
            candidates=_all_steps,
        ),
        QuestionKind(
            name="sign",
            role="text",
            short="rise or fall",
            long="rise or fall of {root} with {node}",
            asks="Raise {node} by a little: what does {root} do?",
            rule="If {receiver}'s gradient is above 0, {root} rises with {receiver}; if it is"
            " below 0, {root} falls.",
            blank="Raise **{node}** by a little. **{root}** {answer}.",
            prompt="The other leaves stay as they are.",
            choices=tuple(SIGN_WORDS),
            is_guessable=False,
            answer=_sign,
            steps_before=_last_arrival,
            # whoever takes the leaf's own sign for the direction is wrong, and it is no 0
            asks_something=lambda q, trace: trace.values[q.node] * _sign(q, trace) < 0,
        ),
        QuestionKind(
            name="change",
            keys=("leaf", "to", "node"),
            role="value",
            short="change",
            long="change of {node}",
            asks="{leaf} goes from {old} to {new}: by how much does {node} change?",
            rule="The new value of {node} minus the old one.",
            blank="**{leaf}** goes from {old} to {new}. **{node}** changes by {answer}.",
            reveals=("{name} goes from {before} to {new}.", "the new value minus the old one."),
            has_sign=True,
            answer=lambda q, trace: changed_value(q, trace) - trace.values[q.node],
            is_askable=_can_change,
            error_scale=_larger_value,
            shapes=(("y = a*b", "y = a*b + c", "y = a*b + a"), ("y = (a + b)*c", "y = a*a")),
            candidates=lambda kind, trace, draw: [
                Question(kind, trace.root, leaf=leaf, to=draw.choice(_CHANGES))
                for leaf in trace.graph.leaves
            ],
            usual_slip="new value",
            asks_something=lambda q, trace: changed_value(q, trace) != trace.values[q.node],
            sources=_all_values,
        ),
        QuestionKind(
            name="paths",
            role="text",
            short="number of paths",
            long="number of paths from {node}",
            asks="How many paths lead from {node} to {root}?",
            rule="Count the ways along the wires from {receiver} to {root}.",
            blank="{answer} paths lead from **{node}** to **{root}**.",
            prompt="A path goes along the wires, from one node to the next.",
            reveals=(
                "counted along the wires, from {receiver} to {root}.",
                "counted along the wires.",
            ),
            is_guessable=False,
            answer=lambda q, trace: float(path_count(trace.graph, q.node, trace.root)),
        ),
        QuestionKind(
            name="text",
            keys=("text", "choices"),
            role="text",
            choices=(),
            answer=_no_answer,
            is_askable=lambda q, trace: False,
            error_scale=_path_sum,
        ),
    )
}
WIRE_KINDS: Final = tuple(kind.name for kind in KINDS.values() if kind.place == "wire")
ASKED_BEFORE_PASS: Final = tuple(kind.name for kind in KINDS.values() if kind.place == "pass")


def answer(question: Question, trace: Trace) -> float:
    """Return the right answer, under the rules of the trace."""
    return KINDS[question.kind].answer(question, trace)


def is_askable(question: Question, trace: Trace) -> bool:
    """Return whether a question applies to a pass, as it may not after an edit of the graph."""
    return KINDS[question.kind].is_askable(question, trace)


def steps_before(question: Question, trace: Trace) -> int:
    """Return the number of steps of the pass before the one that shows the answer."""
    return KINDS[question.kind].steps_before(question, trace)


def error_scale(question: Question, trace: Trace) -> float:
    """Return the scale of an answer's rounding error, by which `near` measures it."""
    scale = KINDS[question.kind].error_scale
    return abs(answer(question, trace)) if scale is None else scale(question, trace)


def long_name(question: Question, graph: Graph, longest: int = LONGEST_NAME) -> str:
    """Return the quantity of a question with what it is about, as all places name it.

    >>> from engine import from_expression
    >>> long_name(Question("local", 3, 0), from_expression("y = a*b"))
    'slope of × (y) → a'
    """
    node, wire = question.node, question.wire
    return KINDS[question.kind].long.format(
        node=graph.brief(node, longest) if node in graph.nodes else node,
        wire="" if wire is None else wire_title(graph, wire, longest),
        root="" if graph.root is None else graph.brief(graph.root, longest),
    )


def wire_title(graph: Graph, wire: Wire, longest: int = LONGEST_NAME) -> str:
    """Return a wire from the node that fires, `× (e) → a`; of one that hangs loose that node."""
    if wire[0] not in graph.nodes:
        return str(wire[0])
    sender, source = short_name_with_op(graph, wire[0], longest), graph.source(wire)
    return sender if source is None else f"{sender} → {graph.brief(source, longest)}"
