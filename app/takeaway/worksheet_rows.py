"""Worksheet rows: the table and questions of a worksheet with their key, and its numbers by seed.

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
from typing import Final

from msgspec import Struct

from app.controls.spans import Span, Spans, filled
from app.lessons.lesson import Choice, Lesson
from app.lessons.questions import questions_of
from app.takeaway.options import Blank
from app.workbench.words.help import (
    answer_label,
    lesson_text,
    outside_pass_sentence,
    outside_pass_worked,
)
from engine.asking.answering import belief_sentence
from engine.asking.beliefs import belief_numbers
from engine.asking.diagnose import final_gradients
from engine.asking.facts import step_facts
from engine.asking.first_numbers import passes_gradients
from engine.asking.friendly import ONE_DIGIT, Draw, drawn_graphs, draws, friendly_for
from engine.asking.judging import number_text
from engine.asking.kinds import KINDS, answer
from engine.asking.paths import path_count
from engine.asking.question import (
    Kind,
    Question,
    final_gradient,
    leaves_with_gradient,
    near,
    step_questions,
)
from engine.errors import EngineError, FormatError
from engine.graph import Graph, Wire
from engine.numbers import DIGITS_SHOWN, NOT_COMPUTED, Digits, short, signed
from engine.problems import check_formulas, name_with_op
from engine.rules import MISTAKES, Rules
from engine.trace import Trace, run

MOST_ASKED_STEPS: Final = 12
"""Most steps that are blank; of a longer pass its last ones, as the first ones are an example."""
NAME_LENGTH: Final = 12
"""Most characters of a name in a table."""
_KINDS: Final[tuple[Kind, ...]] = ("upstream", "local", "contribution", "sum")
_ASKED_KINDS: Final[dict[Blank, tuple[Kind, ...]]] = {
    "grads": (),
    "steps": ("upstream", "local", "contribution"),
    "sums": ("upstream", "sum"),
    "all": _KINDS,
}
_FRIENDLY_KINDS: Final[tuple[Kind, ...]] = ("local", "contribution", "sum")
"""Kinds of questions for which drawn numbers must give each slip a number of its own."""


class AskedNumbers(Struct, frozen=True):
    """The numbers that are blank, in the table and on the figure.

    In the table these are the `kinds` of the `steps`, from 1. On the figure they are the gradients
    of the nodes in `grads` and the contributions on `wires`; only a node with several of these has
    boxes for them.
    """

    blank: Blank
    steps: frozenset[int]
    kinds: tuple[Kind, ...]
    grads: frozenset[int]
    wires: frozenset[Wire]


class Cell(Struct, frozen=True):
    """A cell of a table: its text, which the key alone shows if it is `asked`."""

    text: str
    asked: bool = False


class SlipLine(Struct, frozen=True):
    """A wrong number, the full sentence of the slip that gives it, and the column it is wrong in.

    A question that has no column has "".
    """

    number: str
    sentence: str
    column: str = ""


class Row(Struct, frozen=True):
    """A row of a table, and the slips that wrong numbers in it give away."""

    cells: tuple[Cell, ...]
    slips: tuple[SlipLine, ...] = ()


class OpenQuestion(Struct, frozen=True):
    """A question below the table, with its answer and slips for the key.

    One without `choices` has a line to write on.
    """

    text: Spans
    answer: Spans
    choices: tuple[str, ...] = ()
    slips: tuple[SlipLine, ...] = ()


def asked_of(trace: Trace, blank: Blank) -> AskedNumbers:
    """Return the numbers that are blank on a worksheet about a backward pass."""
    events = list(enumerate(trace.events, 1))
    contributions = [k for k, event in events if event.kind == "contribution"]
    steps = frozenset(contributions[-MOST_ASKED_STEPS:])
    # a gradient whose last contribution is given is given too
    last_steps = {event.node: k for k, event in events if event.wire is not None}
    grads = frozenset(node for node, k in last_steps.items() if blank == "grads" or k in steps)
    wires = frozenset(
        event.wire
        for k, event in events
        if event.wire is not None and (blank == "grads" or k in steps)
    )
    return AskedNumbers(
        blank,
        steps,
        _ASKED_KINDS[blank],
        frozenset() if blank == "steps" else grads,
        frozenset() if blank == "sums" else wires,
    )


def step_rows(trace: Trace, asked: AskedNumbers, digits: Digits = DIGITS_SHOWN) -> tuple[Row, ...]:
    """Return a row for each step of a backward pass, in the order of the columns of the sheet.

    These are the step's number, who fires, the receiver, upstream, local, contribution and sum.
    """
    return tuple(_step_row(trace, k, asked, digits) for k in range(1, len(trace) + 1))


def _step_row(trace: Trace, step: int, asked: AskedNumbers, digits: Digits) -> Row:
    graph, facts = trace.graph, step_facts(trace, step)
    receiver, after = graph.brief(facts.receiver, NAME_LENGTH), short(facts.after, digits)
    if facts.kind != "contribution":
        texts = (f"{step}", facts.kind, receiver, *[NOT_COMPUTED] * 3, after)
        return Row(tuple(Cell(text) for text in texts))
    numbers = {
        "upstream": short(facts.upstream, digits),
        "local": short(facts.local, digits),
        "contribution": signed(facts.contribution, digits),
        "sum": after,
    }
    kinds = asked.kinds if step in asked.steps else ()
    cells = [Cell(f"{step}"), Cell(name_with_op(graph, facts.sender, brief=True)), Cell(receiver)]
    cells += [Cell(text, kind in kinds) for kind, text in numbers.items()]
    questions = step_questions(trace, step, kinds)
    slips = [slip for question in questions for slip in slip_lines(question, trace, digits)]
    return Row(tuple(cells), tuple(slips))


def gradient_rows(
    trace: Trace, asked: AskedNumbers, digits: Digits = DIGITS_SHOWN
) -> tuple[Row, ...]:
    """Return a row for each node whose gradient is asked: its name, space to work, its gradient.

    The nodes are in the order of their first contributions.
    """
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
    """Yield the slips of a question's own kind, each number as it is written once.

    A slip of another kind is one in an earlier number, whose cell has it already.
    """
    seen = {short(answer(question, trace), digits)}
    column = "" if question.wire is None else KINDS[question.kind].short
    for slip, number in belief_numbers(question, trace):
        text = short(number, digits)
        if slip.kind == question.kind and text not in seen:
            seen.add(text)
            sentence = belief_sentence(slip, number, question, trace, digits)
            yield SlipLine(text, sentence, column)


# questions

MOST_QUESTIONS: Final = 3
_MOST_PATHS: Final = 20
"""Most paths that a question asks to be counted."""
_BLANK_SPAN: Final = Span("____", "text")
"""The blank in the sentence of a question; its answer is written on the line below."""
_MISTAKE: Final = "A program gives **{name}.grad** as {wrong}. What does it do wrong?"
_MISTAKE_ANSWER: Final = "{title}: {sentence}"
_OTHERS: Final = " The same number comes from: {others}."


def drawn_questions(trace: Trace, seed: int, digits: Digits = DIGITS_SHOWN) -> list[OpenQuestion]:
    """Return a question of each kind that the graph allows: sign, mistake, paths, in this order."""
    rng = random.Random(seed)
    graph = trace.graph
    questions: list[OpenQuestion] = []
    leaves = leaves_with_gradient(graph, trace.root)
    if sensitive := [leaf for leaf in leaves if final_gradient(leaf, trace)]:
        questions.append(_engine_question(Question("sign", rng.choice(sensitive)), trace, digits))
    questions += _mistake_question(trace, leaves, rng, digits)
    if branching := [leaf for leaf in leaves if 1 < path_count(graph, leaf) <= _MOST_PATHS]:
        questions.append(_engine_question(Question("paths", rng.choice(branching)), trace, digits))
    return questions


def _engine_question(question: Question, trace: Trace, digits: Digits) -> OpenQuestion:
    """Return a question of the engine, with its answer and the line of its working."""
    right = answer(question, trace)
    label = answer_label(question, number_text(question, right, digits))
    worked = outside_pass_worked(question, trace, digits)
    return OpenQuestion(
        outside_pass_sentence(question, trace, _BLANK_SPAN, digits, NAME_LENGTH),
        (Span(label, bold=True), Span(". "), *worked, Span(".")),
        tuple(answer_label(question, short(x)) for x in KINDS[question.kind].choices or ()),
        tuple(slip_lines(question, trace, digits)),
    )


def _mistake_question(
    trace: Trace, leaves: Sequence[int], rng: random.Random, digits: Digits
) -> Iterator[OpenQuestion]:
    """Yield the question which mistake gives a leaf a certain wrong gradient, if one does.

    A gradient of 0 or one that is not finite is no question: too many mistakes give it.
    """
    graph = trace.graph
    most = 10 * len(trace)  # a mistake may visit each path of its own
    wrong: dict[int, list[tuple[Rules, float]]] = {}
    for rules in MISTAKES:
        grads = final_gradients(trace, rules, most=most)
        for leaf in leaves if grads is not None else ():
            number = (grads or {}).get(leaf, 0.0)
            if math.isfinite(number) and number and not near(number, final_gradient(leaf, trace)):
                wrong.setdefault(leaf, []).append((rules, number))
    if not wrong:
        return
    leaf = rng.choice(sorted(wrong))
    rules, number = rng.choice(wrong[leaf])
    others = [each.title for each, x in wrong[leaf] if each is not rules and near(x, number)]
    reveal = filled(_MISTAKE_ANSWER, title=Span(rules.title, bold=True), sentence=rules.sentence)
    if others:
        reveal += filled(_OTHERS, others=", ".join(f"“{title}”" for title in others))
    text = filled(
        _MISTAKE, name=graph.brief(leaf, NAME_LENGTH), wrong=Span(short(number, digits), bold=True)
    )
    yield OpenQuestion(text, reveal)


def lesson_questions(
    lesson: Lesson, trace: Trace, *, drawn: bool, digits: Digits = DIGITS_SHOWN
) -> list[OpenQuestion]:
    """Return the questions of a lesson about the graph of a trace, but those that the table asks.

    A question that the lesson wrote itself may name numbers: if those of the trace are `drawn`, it
    is left out.
    """
    questions: list[OpenQuestion] = []
    for step in lesson.steps:
        if step.begun.graph.structure is not trace.graph.structure:
            continue
        same_numbers = step.begun.graph.nodes == trace.graph.nodes
        for question, ask in zip(questions_of(step, step.begun)[1], step.asks, strict=True):
            if question.kind == "text" and same_numbers and not drawn:
                questions.append(_own_question(ask.text, ask.choices))
            elif KINDS[question.kind].blank:
                questions.append(_engine_question(question, trace, digits))
    return questions


def _own_question(text: str, choices: Sequence[Choice]) -> OpenQuestion:
    right = next((choice for choice in choices if choice.right), None)
    reveal = "" if right is None else f"{right.text}. {right.say}".strip()
    return OpenQuestion(
        lesson_text(text),
        lesson_text(reveal),
        tuple(choice.text for choice in choices),
        tuple(SlipLine(c.text, c.say) for c in choices if not c.right and c.say),
    )


# numbers by seed

_DRAWS: Final = 40
"""Draws among which the best is chosen, if none has a number of its own for each slip."""
_SEEDS_PER_COPY: Final = 20
"""Seeds that are tried for each copy before a graph is said to have no more numbers."""
"""Most worksheets in one file, enough for a lecture."""
_NO_LEAVES: Final = "A worksheet with other numbers needs a leaf, and this graph has none."
_NO_NUMBERS: Final = "No other numbers were found for this graph: all of them end in no finite one."
_TOO_FEW: Final = (
    "This graph has no {copies} different sets of small numbers; {found} were found. "
    "Ask for fewer copies."
)


def seeded(graph: Graph, seed: int) -> Graph:
    """Return the graph with small whole numbers in its leaves, in which slips are distinguishable.

    Where no draw distinguishes all, the best is chosen: slopes that are not near 0 first, then the
    fewest confusable slips, then the shortest answers. Raises FormatError for a graph
    without leaves or without a pass, and if no draw ends in finite numbers.
    """
    if not graph.leaves:
        raise FormatError(_NO_LEAVES)
    check_formulas(graph, graph.nodes, "Other numbers need one.")

    def questions_of(trace: Trace) -> list[Question]:
        steps = range(1, len(trace.events) + 1)
        return [q for step in steps for q in step_questions(trace, step, _FRIENDLY_KINDS)]

    try:
        friendly = friendly_for(graph, seed, questions_of(run(graph)))
    except EngineError as error:
        raise FormatError("{reason}", reason=error) from None
    if friendly.changed:
        return friendly.graph
    rng = random.Random(seed)
    graphs = drawn_graphs(graph, rng, graph.leaves, [ONE_DIGIT] * _DRAWS)
    candidates = list(islice(draws(graphs, questions_of, run(graph).rules), _DRAWS))
    if not candidates:
        raise FormatError(_NO_NUMBERS)

    def cost(draw: Draw) -> tuple[bool, int, int]:
        return not passes_gradients(draw.trace.graph), len(draw.confusable), draw.length

    return min(candidates, key=cost).trace.graph


def copies_of(graph: Graph, first_seed: int, copies: int) -> list[tuple[int, Graph]]:
    """Return seeds in ascending order with their graphs, no two of which have the same values.

    Raises FormatError as `seeded`, and if too few seeds give other numbers.
    """
    distinct: dict[tuple[float, ...], tuple[int, Graph]] = {}
    for seed in range(first_seed, first_seed + copies * _SEEDS_PER_COPY):
        copy = seeded(graph, seed)
        values = tuple(run(copy).values.values())
        distinct.setdefault(values, (seed, copy))
        if len(distinct) == copies:
            return list(distinct.values())
    raise FormatError(_TOO_FEW, copies=copies, found=len(distinct))


def wire_steps(trace: Trace) -> dict[Wire, int]:
    """Return the step, from 1, that sends a contribution along each wire; of several the last."""
    return {event.wire: k for k, event in enumerate(trace.events, 1) if event.wire is not None}
