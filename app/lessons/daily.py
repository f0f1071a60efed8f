"""Daily five: a lesson made in memory, one question for each slip or kind that is due.

Each question is about a small graph with friendly numbers, in which the slip gives another number
than the right one: first a graph of the lesson where the slip was made, else one of
the shapes of its kind.

>>> from datetime import date
>>> from app.lessons.progress import StoredSlip
>>> day = date(2026, 3, 3)
>>> slip = StoredSlip("replaced", "sum", "two-paths", "Two paths", date(2026, 3, 1), day)
>>> lesson = daily_lesson((slip,), day, seed=1)
>>> lesson.steps[0].title, lesson.steps[0].text, lesson.steps[0].asks[0].kind
('A sum', 'from Two paths, 2 days ago', 'sum')
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from itertools import islice
from typing import Final, TypeAlias

from msgspec.structs import replace

from app.lessons.lesson import Lesson, Step
from app.lessons.progress import AskedKind, StoredSlip
from app.lessons.questions import NOT_OF_ENGINE, asking, question_of
from app.lessons.review import ReviewItem, minutes
from app.lessons.situation import situation_of
from engine import from_expression
from engine.asking.beliefs import BY_NAME
from engine.asking.friendly import drills, friendly_for
from engine.asking.hand_run import NEXT_BELIEFS, click_slip
from engine.asking.inference import ideas_of, place
from engine.asking.kinds import KINDS, is_askable, steps_before
from engine.asking.question import Kind, Question
from engine.errors import EngineError
from engine.graph import Graph, OpNode, Root
from engine.numbers import counted
from engine.trace import Trace, run

NAME: Final = "daily"
TITLE: Final = "Daily five"
MOST_OPS: Final = 8
"""Most operations of a lesson's graph that is small enough to be asked about again."""
MOST_CANDIDATES: Final = 24
"""Questions tried for one that is due; each takes up to 50 ms."""
_OTHER_KIND: Final[Mapping[Kind, Kind]] = {"local": "contribution", "contribution": "local"}
"""The kind in which a slip of the slope is asked about in turn."""

LessonOf: TypeAlias = Callable[[str], Lesson | None]
"""Returns the lesson of a key in the progress file, None for one that can't be read."""
Candidate: TypeAlias = tuple[Question, Trace]
"""A question and the pass that it is about."""


def daily_lesson(
    items: Sequence[ReviewItem],
    today: date,
    seed: int,
    lesson_of: LessonOf = lambda _key: None,
    places: Mapping[str, str] = {},
) -> Lesson:
    """Return the lesson that asks about what is due, in this order; it must not be empty.

    `places` are those at which the ideas behind the slips were asked about last, by name: another
    kind of question or operation comes now, where there is one.
    """
    draw = random.Random(seed)
    drawn = [
        (each, drawn_question(each, draw, lesson_of(each.lesson), places.get(_idea(each), "")))
        for each in items
    ]
    steps = tuple(_step(about, today, *found) for about, found in drawn)
    return Lesson(
        name=NAME,
        title=TITLE,
        able="",
        surprise="",
        minutes=minutes(len(items)),
        graph=steps[0].begun.graph,
        steps=steps,
        kind="daily",
    )


def days_ago(day: date, today: date) -> str:
    """Return how long ago a day is: `3 days ago`."""
    days = max(0, (today - day).days)
    return (
        ("today", "yesterday")[days]
        if days < 2
        else counted(days, "{count} day ago", "{count} days ago")
    )


def _idea(about: ReviewItem) -> str:
    """Return the idea behind what is due, "" without one."""
    slips = (about.name,) if isinstance(about, StoredSlip) else ()
    return next(iter(ideas_of(slips, about.kind)), "")


def _step(about: ReviewItem, today: date, question: Question, trace: Trace) -> Step:
    begun = situation_of(trace.graph)
    # the pass is just before the step of the question
    if (kind := KINDS[question.kind]).place != "pass":
        begun = replace(begun, phase=kind.phase, cursor=steps_before(question, trace))
    return Step(
        kind="ask",
        title=kind.short.capitalize(),
        text=f"from {about.title}, {days_ago(about.last, today)}",
        begun=begun,
        asks=(asking(question),),
        sets_graph=True,
    )


def drawn_question(
    about: ReviewItem, draw: random.Random, lesson: Lesson | None, last_place: str = ""
) -> Candidate:
    """Return a question of the kind with numbers at which the slip can be seen.

    A slip that no graph shows, such as one of another version, is asked about by its kind. One that
    was carried on to a sum is asked about in the contribution, which is printed beside a sum. A
    slip of the slope is one of the contribution, too: where `last_place` is its kind and operation,
    another one is drawn if there is one.
    """
    name = "" if isinstance(about, AskedKind) else about.name
    is_carried = about.kind == "sum" and name in BY_NAME and BY_NAME[name].kind != "sum"
    kind = "contribution" if is_carried else about.kind
    candidates = list(islice(_candidates(kind, draw, lesson), MOST_CANDIDATES))
    if last_place:
        if name in BY_NAME and BY_NAME[name].kind == "local" and kind in _OTHER_KIND:
            candidates += islice(_candidates(_OTHER_KIND[kind], draw, None), MOST_CANDIDATES)
        candidates.sort(key=lambda found: place(*found) == last_place)
    for slip in (name, ""):  # "": numbers at which the usual slip of the kind can be seen, if any
        for question, trace in candidates:
            found = _drawn(question, trace, slip, draw.randrange(2**31))
            if found is not None:
                return found
    raise EngineError("No question of the kind {kind} can be drawn.", kind=about.kind)


def _candidates(kind: Kind, draw: random.Random, lesson: Lesson | None) -> Iterator[Candidate]:
    """Yield questions of a kind: those of a lesson, then of its shapes, each group shuffled."""
    groups = [() if lesson is None else [*_of_lesson(lesson, kind)]]
    groups += [
        [found for shape in shapes for found in _of_graph(from_expression(shape), kind, draw)]
        for shapes in KINDS[kind].shapes
    ]
    for group in groups:
        yield from draw.sample(group, len(group))


def _of_lesson(lesson: Lesson, kind: Kind) -> Iterator[Candidate]:
    """Yield the questions of a kind that a lesson asks about graphs that are small enough."""
    for step in lesson.steps:
        begun = step.begun
        ops = sum(isinstance(node, OpNode) for node in begun.graph.nodes.values())
        for ask in step.asks:
            if ask.kind != kind or ask.kind in NOT_OF_ENGINE or ops > MOST_OPS:
                continue
            try:
                trace = run(begun.graph)
                cursor = begun.cursor if begun.phase == "backward" else 0
                yield question_of(ask, trace, cursor), trace
            except EngineError:
                continue


def _of_graph(graph: Graph, kind: Kind, draw: random.Random) -> Iterator[Candidate]:
    """Yield the questions of a kind that a graph allows."""
    trace = run(graph)
    for question in KINDS[kind].candidates(kind, trace, draw):
        if is_askable(question, trace):
            yield question, trace


def _drawn(question: Question, trace: Trace, slip: str, seed: int) -> Candidate | None:
    """Return a question with friendly numbers at which a slip shows, or None if none were found."""
    kind = question.kind
    known = BY_NAME.get(slip or KINDS[kind].usual_slip)
    if known is not None:
        if not known.numbers(question, trace):
            return None  # at once, as no numbers would show it
        found = drills(question, trace, known, seed, count=1)
        pairs = [(each.question, each.trace) for each in found]
        return next((pair for pair in pairs if KINDS[kind].asks_something(*pair)), None)
    if slip and slip not in {found.name for found in NEXT_BELIEFS}:
        return None  # it is a slip of another version
    again = run(friendly_for(trace.graph, seed, [question]).graph)
    if kind == "next" and slip and not _is_tempting(question, again, slip):
        return None
    return (question, again) if KINDS[kind].asks_something(question, again) else None


def _is_tempting(question: Question, trace: Trace, slip: str) -> bool:
    """Return whether a click on some node would be this slip."""
    graph = trace.graph
    found = (
        click_slip(trace, question.step, node)
        for node in graph.nodes
        if not isinstance(graph.nodes[node], Root)
    )
    return any(each is not None and each.name == slip for each in found)
