"""First words: what is said of a wrong answer names its slip and no number that is asked for."""

import re
import tomllib
from collections.abc import Collection, Iterator
from itertools import chain, combinations
from pathlib import Path
from typing import Any

from engine import from_expression
from engine.asking.answering import first_try_feedback
from engine.asking.beliefs import BELIEFS, belief_numbers
from engine.asking.judging import Blank, Judgement, judge
from engine.asking.kinds import answer
from engine.asking.question import (
    LEVELS,
    Kind,
    Question,
    facts,
    level_questions,
    near,
    step_questions,
)
from engine.asking.reasons import experiment
from engine.numbers import plain, short
from engine.rules import BY_NAME as RULES
from engine.trace import Trace, run
from tests.helpers.graphs import EXAMPLES
from tests.helpers.sampling import sampled
from tests.helpers.tables import in_turn

DIGITS = 4
_NUMBER = re.compile(r"(?<![\w.])−?\d+(?:\.\d+)?(?:e−?\d+)?(?![\w.]*\w)")
_SPEECH = ("grows by 1", "for 1 more of", "same for 1", "1 of ", "begins with 1")
"""Numbers of the sentences themselves."""


def questions(trace: Trace) -> Iterator[Question]:
    for level in LEVELS.values():
        yield from level_questions(trace, level)
    for leaf in trace.graph.leaves:
        to = trace.values[leaf] + 0.5
        yield Question("change", trace.root, leaf=leaf, to=to)


def numbers_in(text: str, trace: Trace) -> set[str]:
    """The numbers of a sentence that stand there as such, and not in names or fixed words."""
    for words in _SPEECH:
        text = text.replace(words, "")
    for rules in RULES.values():
        text = text.replace(f"“{rules.title}”", "")
    names = sorted({trace.graph.brief(n) for n in trace.graph.names}, key=len, reverse=True)
    for name in names:
        text = (
            re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "", text) if not name[0].isdigit() else text
        )
    return {found.lstrip("−") for found in _NUMBER.findall(text)}


def step_of(question: Question, trace: Trace) -> list[Question]:
    """All that may be asked in one sentence with a question."""
    if question.wire is None:
        return [question]
    kinds = ("local", "contribution", "sum")
    return [Question(kind, question.node, question.slot, question.step) for kind in kinds]


@in_turn("rules", ["correct", "assign", "mul-own-input"])
@in_turn("example", EXAMPLES)
def test_the_first_sentence_of_a_slip_names_no_number_that_is_asked_for(example, rules):
    trace = run(example.graph, rules=RULES[rules])
    for question in sampled(questions(trace), 2):
        together = step_of(question, trace)
        known = {short(answer(q, trace), DIGITS).lstrip("−") for q in together}
        for slip, number in belief_numbers(question, trace):
            blank = Blank(question, short(number, 12), number)
            typed = short(number, 12).lstrip("−")
            judged = Judgement("slip", blank, answer(question, trace), (slip,), number)
            text = first_try_feedback(judged, trace, together, DIGITS)
            named = numbers_in(text, trace) - {typed}
            assert known.isdisjoint(named), (question, slip.name, number, text, known)
            assert "{" not in text
            assert text.endswith((".", "?"))


@in_turn("example", EXAMPLES)
def test_what_is_no_slip_gets_the_rule_without_a_number(example):
    trace = run(example.graph)
    for question in sampled(questions(trace), 3):
        (found,) = judge(trace, [(question, 123.456)], DIGITS)
        if found.kind == "wrong":
            text = first_try_feedback(found, trace, step_of(question, trace))
            assert text.startswith("123.456 is not it. ")
            assert numbers_in(text, trace) <= {"123.456"} | constants(trace)


def constants(trace: Trace) -> set[str]:
    return {short(x).lstrip("−") for x in trace.values.values()}


def test_a_short_form_has_at_most_56_characters_and_no_field():
    assert all(0 < len(slip.brief) <= 56 and "{" not in slip.brief for slip in BELIEFS)


@in_turn(
    ("text", "leaves", "kind", "step", "typed", "first"),
    [
        ("y = a + b", {"a": 4, "b": 3}, "local", 2, "3",
         "3 is b's own value: where b stands. If a grows by 1 and b stays, how much does a + b"
         " grow?"),
        ("y = a * b", {"a": 4, "b": 3}, "local", 2, "1",
         "1 is right for a sum. If a grows by 1 and b stays, how much does a × b grow?"),
        ("y = a * 7", {"a": 4}, "local", 2, "4",
         "4 is a's own value: where a stands. If a grows by 1, how much does y grow?"),
        ("y = tanh(a)", {"a": 0.5}, "local", 2, "0.46211715726000975",
         "0.462117157… is y's data: where y stands. How far does y move when a moves?"),
        ("e = a*b; y = e*c", {"a": 2, "b": 3, "c": 5}, "contribution", 4, "3",
         "3 is how far e moves for 1 of a. How far does y move when e moves by 3?"),
        ("e = a*b; y = e*c", {"a": 2, "b": 3, "c": 5}, "contribution", 4, "5",
         "5 is how far y moves for 1 of e. How far does it move for 1 of a?"),
        ("e = a*b; y = e*c", {"a": 2, "b": 7, "c": 5}, "contribution", 4, "5 × 2",
         "10 is 5 × 2, and 2 is a's own value. If a grows by 1 and b stays,"
         " how much does a × b grow?"),
        ("e = a*b; y = e*c", {"a": 2, "b": 1, "c": 5}, "contribution", 4, "10",
         "10 is not it. How far does e move for 1 of a, and y with it?"),
        ("e = a*b; y = e*c", {"a": 2, "b": 3, "c": 5}, "contribution", 4, "8",
         "8 is the slope plus the gradient of e. 1 of a moves e, each 1 of e moves y: how far in"
         " all?"),
        ("e = a*b; y = e + a", {"a": 2, "b": 5}, "sum", 4, "1",
         "1 is the share over y. Move a slightly: does y feel nothing over e?"),
        ("e = a*b; y = e + a", {"a": 3, "b": 5}, "sum", 4, "11",
         "11 is 1 + 5 + 5. How many wires lead from a to e?"),
        # beside a sum alone its contribution is printed: no minus was lost in that
        ("e = a*b; y = e*c + a", {"a": 2, "b": 5, "c": -3}, "sum", 6, "16",
         "16 is 1 + 15, without a sign. Which way does each of them pull y?"),
    ],
)  # fmt: skip
def test_the_first_sentence_of_a_slip(text, leaves, kind, step, typed, first):
    trace = run(from_expression(text, leaves))
    event = trace.events[step - 1]
    question = Question(kind, event.sender, event.slot, step)
    (found,) = judge(trace, [(question, typed)])
    assert first_try_feedback(found, trace, [question]) == first


# half right: some blanks of a step are ticked, one holds the number of a slip, the rest are right

BLANKS: tuple[tuple[Kind, ...], ...] = (
    *(("contribution", "sum"), ("local", "contribution"), ("sum",)),
    ("upstream", "local", "contribution", "sum"),
)
LESSONS = Path(__file__).parents[3] / "resources" / "lessons"


def course_traces() -> Iterator[Trace]:
    """The pass of each graph of the course that is an expression, and of the known graphs."""
    found: dict[str, Any] = {}
    for path in sorted(LESSONS.glob("*.toml")):
        lesson = tomllib.loads(path.read_text("utf-8"))
        for part in (lesson, *lesson.get("step", ())):
            graph = part.get("graph", {})
            if "expression" in graph:
                found.setdefault(f"{graph}", graph)
    for graph in found.values():
        yield run(from_expression(graph["expression"], graph.get("values", {})))
    yield from (run(example.graph) for example in EXAMPLES)


def half_right(trace: Trace, step: int) -> Iterator[tuple[Judgement, Collection[str]]]:
    """Each answer of a slip at a step, judged beside blanks that are right, and their kinds."""
    for kinds in BLANKS:
        asked = step_questions(trace, step, kinds)
        subsets = chain.from_iterable(combinations(asked, size) for size in range(len(asked)))
        for ticked in subsets:
            accepted = [(q, plain(answer(q, trace))) for q in ticked]
            still_open = [q for q in asked if q not in ticked]
            for question in still_open:
                known = {q.kind for q in asked if q != question}
                if "contribution" in known or kinds == ("sum",):
                    known |= {"local", "contribution"} - {question.kind}
                for _slip, number in belief_numbers(question, trace, ()):
                    given = [(q, number if q == question else answer(q, trace)) for q in still_open]
                    judged = judge(trace, given, DIGITS, accepted)
                    yield next(j for j in judged if j.blank.question == question), known


def test_what_is_said_of_a_half_right_step_blames_no_blank_that_is_right_or_printed():
    cases = [(t, step) for t in course_traces() for step in range(1, len(t) + 1)]
    for trace, step in sampled(cases, 12):
        for judged, known in half_right(trace, step):
            if judged.right or judged.slip is None:
                continue
            question, number = judged.blank.question, judged.blank.number
            where = question, known, number
            assert judged.slip.kind == question.kind or judged.slip.kind not in known, where
            at = facts(question, trace)
            text = first_try_feedback(judged, trace, [question], DIGITS)
            if re.match(r"−?[\d.…]+ is what \S+ \(\S+\) got", text):
                assert near(number, at.upstream), (where, text)
            if text.startswith("The size is right"):
                assert near(abs(number), abs(judged.answer)), (where, text)


def test_a_slope_without_its_minus_is_told_what_it_says_of_1_more_and_then_asked_which_way():
    trace = run(from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2}))
    sent = Question("contribution", trace.root, 0, 2)  # what L sends to d
    (judged,) = judge(trace, [(sent, "2")])
    said = first_try_feedback(judged, trace, [sent])
    assert said == "2 says: d up 1, L up 2, to 10. What is L at d = −3?"
    told = experiment(sent, trace, belief=judged.slip)
    assert told is not None
    assert told.text == "d +0.01: L −0.02. d up: which way does L go?"


def test_a_lost_sign_is_asked_about_the_root_unless_the_slope_has_a_minus():
    trace = run(from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2}))
    e, d = trace.graph.node_named("e"), trace.graph.node_named("d")
    assert e is not None
    assert d is not None
    lost = next(belief for belief in BELIEFS if belief.name == "minus lost")
    for node, slot, step, asked in ((d, 0, 4, "L"), (e, 0, 6, "e"), (e, 1, 7, "L")):
        question = Question("contribution", node, slot, step)
        told = experiment(question, trace, asks_slope=True, belief=lost)
        assert told is not None
        assert told.text.endswith(f" up: which way does {asked} go?")
