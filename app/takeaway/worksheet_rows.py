"""Worksheet rows: what a worksheet asks about a pass, what its key says, and its numbers by seed.

>>> from engine import from_expression
>>> trace = run(from_expression("e = a*b; L = e + a", {"a": 2, "b": -3}))
>>> rows = step_rows(trace, asked_of(trace, "all"))
>>> [cell.text for cell in rows[3].cells], [cell.asked for cell in rows[3].cells]
(['4', '× (e)', 'a', '1', '−3', '−3', '−2'], [False, False, False, True, True, True, True])
>>> [(slip.number, slip.sentence) for slip in rows[3].slips][:1]
[('2', '2 is a itself; the slope of × (e) along a is the other factor, −3.')]
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, Literal

from msgspec import Struct

from app.controls.rich_text import Span, Spans, filled
from app.lessons.lesson import Choice, Lesson
from app.lessons.questions import NOT_OF_ENGINE, question_of
from app.lessons.situation import trace_of
from app.workbench.words.help import (
    answer_label,
    lesson_text,
    outside_pass_sentence,
    outside_pass_worked,
)
from engine.errors import EngineError, FormatError
from engine.graph import Graph, Wire
from engine.numbers import DIGITS_SHOWN, NOT_COMPUTED, Digits, short, signed
from engine.problems import spoken
from engine.rules import MISTAKES, Rules
from engine.study.beginning import passes_gradients
from engine.study.diagnose import final_gradients
from engine.study.facts import step_facts
from engine.study.friendly import ONE_DIGIT, Draw, drawn_graphs, draws, friendly_for
from engine.study.grading import slip_sentence
from engine.study.judging import SIGN_WORDS, number_text
from engine.study.paths import count
from engine.study.question import (
    Kind,
    Question,
    answer,
    final_gradient,
    leaves_with_gradient,
    near,
    step_questions,
)
from engine.study.slips import slip_numbers
from engine.trace import Trace, run

Blank = Literal["grads", "steps", "sums", "all"]
"""What is to be worked out.

grads  the gradients of the nodes, without a table of steps
steps  upstream gradient, local derivative and contribution of each step; gradients are given
sums   the gradients, from contributions and local derivatives that are given
all    each number of each step, and each gradient
"""
BLANKS: Final[tuple[Blank, ...]] = ("grads", "steps", "sums", "all")
MOST_ASKED_STEPS: Final = 12
"""Steps that are blank; of a longer pass the last ones, as its first ones show how it is done."""
NAME_LENGTH: Final = 12
"""Most characters of a name in a table."""
_KINDS: Final[tuple[Kind, ...]] = ("upstream", "local", "contribution", "sum")
_ASKED_KINDS: Final[dict[Blank, tuple[Kind, ...]]] = {
    "grads": (),
    "steps": ("upstream", "local", "contribution"),
    "sums": ("upstream", "sum"),
    "all": _KINDS,
}
_COLUMNS: Final[dict[Kind, str]] = {
    "local": "local derivative",
    "contribution": "contribution",
    "sum": "grad",
}
"""How the key calls the numbers of a step."""
_FRIENDLY_KINDS: Final[tuple[Kind, ...]] = ("local", "contribution", "sum")
"""Kinds of questions whose answers differ from their slips in numbers that a seed draws."""


class Asked(Struct, frozen=True):
    """What is blank: the steps (from 1), the kinds in them, and numbers on the figure.

    `grads` are nodes whose gradient is to be written into a box, `wires` those whose contribution
    is; only a node with several contributions has boxes for them.
    """

    blank: Blank
    steps: frozenset[int]
    kinds: tuple[Kind, ...]
    grads: frozenset[int]
    wires: frozenset[Wire]


class Cell(Struct, frozen=True):
    """A cell of a table: its text, which only the key shows if it is `asked` for."""

    text: str
    asked: bool = False


class SlipLine(Struct, frozen=True):
    """A wrong number and the full sentence of the slip behind it.

    `column` names the number of the step that it was given for.
    """

    number: str
    sentence: str
    column: str = ""


class Row(Struct, frozen=True):
    """A row of a table, and what wrong numbers in it give away."""

    cells: tuple[Cell, ...]
    slips: tuple[SlipLine, ...] = ()


class OpenQuestion(Struct, frozen=True):
    """A question below the table: its sentence, its choices, and what the key says."""

    text: Spans
    answer: Spans
    choices: tuple[str, ...] = ()
    slips: tuple[SlipLine, ...] = ()


def asked_of(trace: Trace, blank: Blank) -> Asked:
    """Return what is blank on a worksheet about a pass."""
    events = trace.events
    steps = [k for k, event in enumerate(events, 1) if event.kind == "contribution"]
    asked = frozenset(steps[-MOST_ASKED_STEPS:])
    # a gradient is given if all of its contributions are
    last = {event.node: k for k, event in enumerate(events, 1) if event.wire is not None}
    grads = frozenset(node for node, k in last.items() if blank == "grads" or k in asked)
    wires = frozenset(
        wire
        for k, event in enumerate(events, 1)
        if (wire := event.wire) is not None and (blank == "grads" or k in asked)
    )
    return Asked(
        blank,
        asked,
        _ASKED_KINDS[blank],
        frozenset() if blank == "steps" else grads,
        frozenset() if blank == "sums" else wires,
    )


def step_rows(trace: Trace, asked: Asked, digits: Digits = DIGITS_SHOWN) -> tuple[Row, ...]:
    """Return a row for each step of a pass."""
    return tuple(_step_row(trace, k, asked, digits) for k in range(1, len(trace) + 1))


def _step_row(trace: Trace, step: int, asked: Asked, digits: Digits) -> Row:
    graph, at = trace.graph, step_facts(trace, step)
    to, after = graph.brief(at.receiver, NAME_LENGTH), short(at.after, digits)
    if at.kind != "contribution":
        texts = (f"{step}", at.kind, to, *[NOT_COMPUTED] * 3, after)
        return Row(tuple(Cell(text) for text in texts))
    numbers = {
        "upstream": short(at.upstream, digits),
        "local": short(at.local, digits),
        "contribution": signed(at.contribution, digits),
        "sum": after,
    }
    kinds = asked.kinds if step in asked.steps else ()
    cells = [Cell(f"{step}"), Cell(spoken(graph, at.sender, brief=True)), Cell(to)]
    cells += [Cell(text, kind in kinds) for kind, text in numbers.items()]
    questions = step_questions(trace, step, kinds)
    slips = [slip for question in questions for slip in slip_lines(question, trace, digits)]
    return Row(tuple(cells), tuple(slips))


def gradient_rows(trace: Trace, asked: Asked, digits: Digits = DIGITS_SHOWN) -> tuple[Row, ...]:
    """Return a row for each node whose gradient is asked for: name, room to work, gradient."""
    receivers = dict.fromkeys(trace.schedule.receivers)
    return tuple(
        Row(
            (
                Cell(trace.graph.brief(node, NAME_LENGTH)),
                Cell(""),
                Cell(short(final_gradient(node, trace), digits), asked=True),
            ),
            tuple(slip_lines(Question("final", node), trace, digits)),
        )
        for node in receivers
        if node in asked.grads
    )


def slip_lines(question: Question, trace: Trace, digits: Digits) -> Iterator[SlipLine]:
    """Yield the slips of a question itself, each number once; not those of the work before it.

    A wrong number of the work before stands in a cell of its own.
    """
    right = short(answer(question, trace), digits)
    seen = {right}
    for slip, number in slip_numbers(question, trace):
        text = short(number, digits)
        if slip.kind == question.kind and text not in seen:
            seen.add(text)
            sentence = slip_sentence(slip, number, question, trace, digits)
            yield SlipLine(text, sentence, _COLUMNS.get(question.kind, ""))


# questions

MOST_QUESTIONS: Final = 3
_MOST_PATHS: Final = 20
"""Most paths that are counted on paper."""
_ROOM: Final = Span("____", "text")
"""The blank in the sentence of a question, whose answer is written on a line of its own."""
_MISTAKE: Final = "A program gives **{name}.grad** as {wrong}. What does it do wrong?"
_MISTAKE_ANSWER: Final = "{title}: {sentence}"
_OTHERS: Final = " The same number comes from: {others}."


def drawn_questions(trace: Trace, seed: int, digits: Digits = DIGITS_SHOWN) -> list[OpenQuestion]:
    """Return a question of each kind that the graph allows: sign, mistake, paths."""
    rng = random.Random(seed)
    graph = trace.graph
    found: list[OpenQuestion] = []
    leaves = leaves_with_gradient(graph, trace.root)
    if moving := [leaf for leaf in leaves if final_gradient(leaf, trace)]:
        found.append(_computed(Question("sign", rng.choice(moving)), trace, digits))
    found += _mistake_question(trace, leaves, rng, digits)
    branching = [n for n in leaves if 1 < count(graph, n) <= _MOST_PATHS]
    if branching:
        found.append(_computed(Question("paths", rng.choice(branching)), trace, digits))
    return found


def _computed(question: Question, trace: Trace, digits: Digits) -> OpenQuestion:
    """Return a question whose answer the engine computes."""
    right = answer(question, trace)
    label = answer_label(question, number_text(question, right, digits))
    worked = outside_pass_worked(question, trace, digits)
    return OpenQuestion(
        outside_pass_sentence(question, trace, _ROOM, digits, NAME_LENGTH),
        (Span(label, bold=True), Span(". "), *worked, Span(".")),
        tuple(SIGN_WORDS.values()) if question.kind == "sign" else (),
        tuple(slip_lines(question, trace, digits)),
    )


def _mistake_question(
    trace: Trace, leaves: Sequence[int], rng: random.Random, digits: Digits
) -> Iterator[OpenQuestion]:
    """Yield the question which mistake gives a leaf a wrong gradient, if one does."""
    graph, steps = trace.graph, 10 * len(trace)
    ends = {rules: final_gradients(trace, rules, most=steps) for rules in MISTAKES}
    wrong: dict[int, list[tuple[Rules, float]]] = {}
    for rules, grads in ends.items():
        for leaf in leaves if grads is not None else ():
            number = (grads or {}).get(leaf, 0.0)
            if math.isfinite(number) and number and not near(number, final_gradient(leaf, trace)):
                wrong.setdefault(leaf, []).append((rules, number))
    if not wrong:
        return
    leaf = rng.choice(sorted(wrong))
    rules, number = rng.choice(wrong[leaf])
    others = [each.title for each, x in wrong[leaf] if each is not rules and near(x, number)]
    said = filled(_MISTAKE_ANSWER, title=Span(rules.title, bold=True), sentence=rules.sentence)
    same = filled(_OTHERS, others=", ".join(f"“{title}”" for title in others)) if others else ()
    text = filled(
        _MISTAKE, name=graph.brief(leaf, NAME_LENGTH), wrong=Span(short(number, digits), bold=True)
    )
    yield OpenQuestion(text, (*said, *same))


def lesson_questions(
    lesson: Lesson, trace: Trace, *, drawn: bool, digits: Digits = DIGITS_SHOWN
) -> list[OpenQuestion]:
    """Return the questions of a lesson that its own graph can be asked, not those of the table.

    A question that the lesson wrote itself may name numbers: with other ones, that are `drawn`, it
    is left out.
    """
    found: list[OpenQuestion] = []
    for step in lesson.steps:
        if step.begun.graph.structure is not trace.graph.structure:
            continue
        same_numbers = step.begun.graph.nodes == trace.graph.nodes
        for ask in step.asks:
            if ask.kind in ("text", "mistake") and same_numbers and not drawn:
                found.append(_own_question(ask.text, ask.choices))
            elif ask.kind in ("sign", "change") or ask.kind == "paths":
                kinds = {"paths": Question("paths", ask.node or 0)}
                question = kinds.get(ask.kind) or question_of(ask, trace_of(step.begun))
                found.append(_computed(question, trace, digits))
    return found


def _own_question(text: str, choices: Sequence[Choice]) -> OpenQuestion:
    right = next((choice for choice in choices if choice.right), None)
    said = "" if right is None else f"{right.text}. {right.say}".strip()
    return OpenQuestion(
        lesson_text(text),
        lesson_text(said),
        tuple(choice.text for choice in choices),
        tuple(SlipLine(c.text, c.say) for c in choices if not c.right and c.say),
    )


# numbers by seed

_DRAWS: Final = 40
_TRIES: Final = 20
"""Seeds that are tried for each copy before a graph is said to have no more numbers."""
MOST_COPIES: Final = 200
_NO_LEAVES: Final = "A worksheet with other numbers needs a leaf, and this graph has none."
_NO_NUMBERS: Final = "No other numbers were found for this graph: all of them end in no finite one."
_TOO_FEW: Final = (
    "This graph has no {copies} different sets of small numbers; {found} were found. "
    "Ask for fewer copies."
)


def seeded(graph: Graph, seed: int) -> Graph:
    """Return the graph with small numbers in its leaves by which slips can be told apart.

    Where no draw tells all of them apart, those of the draw that tells most.
    """
    if not graph.leaves:
        raise FormatError(_NO_LEAVES)

    def questions_of(trace: Trace) -> list[Question]:
        steps = range(1, len(trace.events) + 1)
        return [q for step in steps for q in step_questions(trace, step, _FRIENDLY_KINDS)]

    try:
        found = friendly_for(graph, seed, questions_of(run(graph)))
    except EngineError as error:
        raise FormatError("{reason}", reason=error) from None
    if found.changed:
        return found.graph
    rng = random.Random(seed)
    graphs = drawn_graphs(graph, rng, graph.leaves, [ONE_DIGIT] * _DRAWS)
    drawn = list(islice(draws(graphs, questions_of, run(graph).rules), _DRAWS))
    if not drawn:
        raise FormatError(_NO_NUMBERS)

    def cost(draw: Draw) -> tuple[bool, int, int]:
        return not passes_gradients(draw.trace.graph), len(draw.confusable), draw.length

    return min(drawn, key=cost).trace.graph


def copies_of(graph: Graph, first_seed: int, copies: int) -> list[tuple[int, Graph]]:
    """Return seeds with their graphs, no two of which have the same numbers."""
    found: dict[tuple[float, ...], tuple[int, Graph]] = {}
    for seed in range(first_seed, first_seed + copies * _TRIES):
        other = seeded(graph, seed)
        numbers = tuple(run(other).values.values())
        found.setdefault(numbers, (seed, other))
        if len(found) == copies:
            return list(found.values())
    raise FormatError(_TOO_FEW, copies=copies, found=len(found))


def wire_steps(trace: Trace) -> dict[Wire, int]:
    """Return the number of the step that each wire carries."""
    return {event.wire: k for k, event in enumerate(trace.events, 1) if event.wire is not None}


assert set(NOT_OF_ENGINE) == {"paths", "mistake", "text"}  # the kinds told apart above
