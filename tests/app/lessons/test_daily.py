"""Daily five: each due slip is asked about on a small graph on which it shows."""

import random
from datetime import date, timedelta

import pytest

from app.lessons.daily import daily_lesson, days_ago, drawn_question
from app.lessons.lesson import Lesson
from app.lessons.load import lesson
from app.lessons.progress import AskedKind, LessonProgress, Origin, Progress, StoredSlip
from app.lessons.questions import question_of
from app.lessons.review import ReviewItem, daily_entry, noted, returns_text
from engine.asking.beliefs import BELIEFS, belief_numbers
from engine.asking.hand_run import NEXT_BELIEFS, click_slip
from engine.asking.inference import ideas_of, place, shows
from engine.asking.judging import judge
from engine.asking.kinds import KINDS, answer, is_askable
from engine.asking.question import Kind, Question
from engine.graph import OpNode
from engine.trace import Trace, run
from tests.helpers.sampling import sized
from tests.helpers.tables import in_turn

DAY = date(2026, 3, 3)
MADE: list[tuple[str, Kind]] = [
    # a graph of one operation has no node that several wires bring a share: the usual slip is asked
    *((slip.name, slip.kind) for slip in BELIEFS if slip.name != "gradient for contribution"),
    *((slip.name, "contribution") for slip in BELIEFS if slip.kind == "local"),
    # carried on to a sum, it is asked about in the contribution
    *(
        (slip.name, "sum")
        for slip in BELIEFS
        if slip.kind in ("local", "contribution") and slip.name != "gradient for contribution"
    ),
    *((slip.name, slip.kind) for slip in NEXT_BELIEFS),
]
"""The name of each slip, with each kind of question in whose answer it can be seen."""

SLIPS_OF_PRODUCT = {slip.name for slip in BELIEFS if slip.kind in ("local", "contribution")}


def slip(name: str, kind: Kind, lesson: str = "gears") -> StoredSlip:
    return StoredSlip(name, kind, lesson, "Gears in a row", DAY - timedelta(days=3), DAY)


def drawn(about: ReviewItem, seed: int, of: Lesson | None = None) -> tuple[Question, Trace]:
    question, trace = drawn_question(about, random.Random(seed), of)
    ops = sum(isinstance(node, OpNode) for node in trace.graph.nodes.values())
    is_carried = about.kind == "sum" and getattr(about, "name", "") in SLIPS_OF_PRODUCT
    assert question.kind == ("contribution" if is_carried else about.kind)
    assert is_askable(question, trace)
    assert ops <= 8
    return question, trace


@in_turn(("name", "kind"), MADE)
def test_the_slip_shows_in_each_drawn_graph(name: str, kind: Kind):
    for seed in range(sized(1, 20)):
        question, trace = drawn(slip(name, kind), seed)
        if kind == "next":
            clicks = [click_slip(trace, question.step, node) for node in trace.graph.nodes]
            assert name in [found.name for found in clicks if found is not None]
            continue
        number = next(
            number for each, number in belief_numbers(question, trace) if each.name == name
        )
        (judged,) = judge(trace, [(question, number)])
        assert not judged.right
        assert name in [each.name for each in judged.slips]


@in_turn("kind", [kind.name for kind in KINDS.values() if kind.short])
def test_a_kind_without_a_slip_is_asked_about(kind: Kind):
    for about in (AskedKind(kind, "gears", "Gears", DAY), slip("slip of another version", kind)):
        for seed in range(sized(1, 30)):
            question, trace = drawn(about, seed)
            assert kind not in ("sign", "change") or answer(question, trace)


def test_the_graph_is_one_of_the_lesson_if_that_is_small_enough():
    paths = lesson("two-paths")
    _question, trace = drawn(slip("one path only", "final", "two-paths"), 1, paths)
    assert trace.graph.names == paths.graph.names
    assert run(paths.graph).values != trace.values
    drawn(slip("one path only", "final", "xor"), 1, lesson("xor"))  # a network is too large


def test_each_step_asks_one_question_in_a_blank_where_the_pass_comes_to_it():
    due = [slip("own value", "local"), slip("waits", "next"), slip("new value", "change")]
    found = daily_lesson([*due, slip("", "sign"), slip("", "value")], DAY, 4)
    assert [step.title for step in found.steps] == [
        "Slope", "Next node", "Change", "Rise or fall", "Value"
    ]  # fmt: skip
    for step in found.steps:
        assert (step.kind, step.form, step.hint) == ("ask", "field", "")
        assert step.text == "from Gears in a row, 3 days ago"
        (ask,) = step.asks
        begun = step.begun
        cursor = begun.cursor if begun.phase == "backward" else 0
        question = question_of(ask, run(begun.graph), cursor)
        assert question.step in (0, cursor + 1)
    assert daily_lesson(due, DAY, 4).steps == found.steps[:3], "drawn anew from the same seed"


@pytest.mark.parametrize(
    ("days", "text"), [(-1, "today"), (0, "today"), (1, "yesterday"), (2, "2 days ago")]
)
def test_how_long_ago_a_slip_was_made(days: int, text: str):
    assert days_ago(DAY - timedelta(days=days), DAY) == text


COURSE = ("one-wire", "gears", "plus-times", "seven-numbers")
GEARS = Origin("gears", "Gears in a row")


def ended(*names: str) -> Progress:
    return Progress({name: LessonProgress(ended="2026-03-01") for name in names})


@in_turn(
    ("names", "is_open"),
    [
        ((), False),
        (COURSE[:2], False),
        (COURSE[:3], True),
        (COURSE[3:], True),
        (("ab12", "cd34", "ef56"), True),
    ],
)
def test_it_opens_after_the_third_lesson(names: tuple[str, ...], is_open: bool):
    assert daily_entry(ended(*names), COURSE, DAY).is_open is is_open


def test_what_is_due_or_when_something_will_be_is_said():
    progress = noted(ended(*COURSE), [("own value", "local"), ("waits", "next")], GEARS, DAY)

    def said(day: int, found: Progress = progress) -> str:
        return daily_entry(found, COURSE, DAY + timedelta(days=day)).text

    assert said(0, ended(*COURSE)) == "Nothing is due. Your slips come back here."
    assert said(0) == "Nothing is due. Next: tomorrow."
    assert said(1) == "2 due, 3 minutes."
    assert daily_entry(progress, COURSE, DAY + timedelta(days=1)).button == "Start, 3 min"
    assert said(-2) == "Nothing is due. Next: on Wednesday."
    assert said(-6) == "Nothing is due. Next: in 7 days."


def test_what_has_ended_comes_back_no_more():
    about = slip("own value", "local")
    assert returns_text(Progress(slips=(about,)), about, DAY - timedelta(days=1)) == "tomorrow"
    assert returns_text(Progress(), about, DAY) == "no more"
    assert returns_text(Progress(), AskedKind("sum", "gears", "Gears", DAY), DAY) == "in 7 days"


@in_turn(
    ("name", "kind"),
    [
        ("own value", "local"),
        ("own value", "contribution"),
        ("upstream forgotten", "contribution"),
        ("minus lost", "contribution"),
        ("replaced", "sum"),
        ("slope at the output", "local"),
        ("value for gradient", "final"),
        ("waits", "next"),
    ],
)
def test_a_belief_is_asked_about_in_another_kind_or_operation_than_last_time(name: str, kind: Kind):
    about = slip(name, kind)
    for seed in range(sized(2, 20)):
        first = drawn_question(about, random.Random(seed), None)
        last = place(*first)
        question, trace = again = drawn_question(about, random.Random(seed + 1), None, last)
        if question.wire is not None:  # before the pass there is one kind for it, and no operation
            assert place(*again) != last
        idea = ideas_of((name,), kind)[0]
        assert shows(idea, question, trace)


def test_a_day_remembers_where_its_beliefs_were_asked_about():
    due = [slip("upstream forgotten", "contribution")]
    (first,) = daily_lesson(due, DAY, 4).steps
    trace = run(first.begun.graph)
    last = place(question_of(first.asks[0], trace, first.begun.cursor), trace)
    (other,) = daily_lesson(due, DAY, 4, places={"slope only": last}).steps
    assert other.begun.graph != first.begun.graph
    assert daily_lesson(due, DAY, 4, places={"own": last}).steps == (first,)
