"""The kinds of questions, each a value: its words, where it is asked, and its right answer.

A new kind is a value here, with its place in `KINDS`.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, Literal

from msgspec import Struct

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
from engine.graph import Constant, Leaf, OpNode
from engine.trace import Trace

OfPass = Callable[[Question, Trace], float]


def _whole_pass(_question: Question, trace: Trace) -> int:
    return len(trace)


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
    title: str = ""
    """The quantity, as a title that gives no slip away."""
    about: str = ""
    """The quantity with the node or wire that it is about."""
    asks: str = ""
    """The question of a drill, and to a room; without one it is never asked there."""
    rule: str = ""
    """The first hint: the question that leads to the answer, or the rule that gives it."""
    told: str = ""
    """The quantity in the list of a lesson's questions."""
    row: str = ""
    """Its row among the answers of a run."""
    blank: str = ""
    """The sentence of a kind asked before the pass, with the blank {answer}."""
    prompt: str = ""
    """What stands below that sentence."""
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


def _can_change(question: Question, trace: Trace) -> bool:
    leaf = trace.graph.nodes.get(question.leaf)
    return question.node in trace.values and isinstance(leaf, Leaf | Constant)


def _larger_value(question: Question, trace: Trace) -> float:
    return max(abs(trace.values[question.node]), abs(changed_value(question, trace)))


def _begins_firing(question: Question, trace: Trace) -> bool:
    within = 1 <= question.step <= len(trace)
    return within and question in step_questions(trace, question.step, ("next",))


def _no_answer(_question: Question, _trace: Trace) -> float:
    raise EngineError("The answer to a text is not computed.")


_wire_kind = partial(
    QuestionKind, place="wire", keys=("wire",), is_askable=_of_wire, steps_before=_own_step
)

KINDS: Final[Mapping[str, QuestionKind]] = {
    kind.name: kind
    for kind in (
        QuestionKind(
            name="value",
            place="step",
            role="value",
            title="A value",
            about="value of {node}",
            asks="What is the value of {node}?",
            rule="The value of {node} is {formula}, computed from the values of its inputs.",
            told="the value of **{name}**",
            row="{node}",
            answer=lambda q, trace: trace.values[q.node],
            is_askable=_has_op_value,
            steps_before=lambda q, trace: [step.node for step in trace.computed].index(q.node),
        ),
        _wire_kind(
            name="upstream",
            title="An upstream gradient",
            rule="What fires passes on its own gradient: read it at {node}.",
            told="the gradient of **{name}**",
            row="gradient of {node}",
            answer=lambda q, trace: facts(q, trace).upstream,
            error_scale=_path_sum,
        ),
        _wire_kind(
            name="local",
            role="local",
            title="A slope",
            about="slope of {wire}",
            asks="What is the slope of {node} along {receiver}?",
            rule="How far does {node} move when {receiver} moves a little and nothing else does?",
            told="the slope of {node} along **{receiver}**",
            row="{node} along {receiver}",
            answer=lambda q, trace: facts(q, trace).local,
        ),
        _wire_kind(
            name="contribution",
            title="A contribution",
            about="{wire}",
            asks="What does {node} pass to {receiver}?",
            rule="Chain rule: what {node} got, times its slope along {receiver}.",
            told="what {node} passes to **{receiver}**",
            row="{node} to {receiver}",
            answer=lambda q, trace: facts(q, trace).contribution,
            error_scale=lambda q, trace: _path_sum(q, trace) * abs(facts(q, trace).local),
        ),
        _wire_kind(
            name="sum",
            title="A sum",
            about="sum after {wire}",
            asks="What does {held_in} hold after this step?",
            rule="Contributions add up: what {receiver} holds, plus what comes along this wire.",
            told="what **{receiver}** holds then",
            row="{node} to {receiver}, sum",
            answer=lambda q, trace: facts(q, trace).after,
            error_scale=lambda q, trace: trace.path_sums.get(receiver(q, trace), 0.0),
        ),
        QuestionKind(
            name="final",
            title="A final gradient",
            about="final gradient of {node}",
            asks="What will {held_in} be at the end of the pass?",
            rule="Each path from {receiver} to {root} gives the product of its slopes;"
            " add these up.",
            told="**{name}.grad** at the end",
            row="{receiver} at the end",
            answer=lambda q, trace: final_gradient(q.node, trace),
            steps_before=_last_arrival,
            error_scale=_path_sum,
        ),
        QuestionKind(
            name="next",
            place="step",
            keys=(),
            title="Who fires next",
            about="which fires next",
            asks="Which node may fire next?",
            rule="A node may fire when every wire that leads from it to {root} has brought its"
            " share.",
            told="who may fire next",
            row="next node",
            answer=lambda q, trace: float(q.node),
            is_askable=_begins_firing,
            steps_before=_own_step,
            error_scale=_path_sum,
        ),
        QuestionKind(
            name="sign",
            role="text",
            title="Rise or fall",
            about="sign of {node}",
            asks="Raise {node} by a little: what does {root} do?",
            rule="If {receiver}'s gradient is above 0, {root} rises with {receiver}; if it is"
            " below 0, {root} falls.",
            told="where **{root}** goes as **{name}** rises",
            row="{receiver} up, {root}",
            blank="Raise **{node}** by a little. **{root}** {answer}.",
            prompt="The other leaves stay as they are.",
            answer=_sign,
            steps_before=_last_arrival,
        ),
        QuestionKind(
            name="change",
            keys=("leaf", "to", "node"),
            role="value",
            title="A change",
            about="change of {node}",
            asks="{leaf} goes from {old} to {new}: by how much does {node} change?",
            rule="The new value of {node} minus the old one.",
            told="by how much **{name}** changes",
            blank="**{leaf}** goes from {old} to {new}. **{node}** changes by {answer}.",
            answer=lambda q, trace: changed_value(q, trace) - trace.values[q.node],
            is_askable=_can_change,
            error_scale=_larger_value,
        ),
        QuestionKind(
            name="paths",
            role="text",
            title="A number of paths",
            about="paths from {node}",
            asks="How many paths lead from {node} to {root}?",
            rule="Count the ways along the wires from {receiver} to {root}.",
            told="how many paths lead to **{root}**",
            blank="{answer} paths lead from **{node}** to **{root}**.",
            prompt="A path goes along the wires, from one node to the next.",
            answer=lambda q, trace: float(path_count(trace.graph, q.node, trace.root)),
        ),
        QuestionKind(
            name="text",
            keys=("text", "choices"),
            role="text",
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
