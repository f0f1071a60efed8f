"""Daily five: a lesson made in memory, one question for each slip or kind that is due.

Each question is about a small graph with friendly numbers, in which the slip gives another number
than the right one: first a graph of the lesson where the slip was made, else one of SHAPES.

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

from app.lessons.lesson import Ask, Lesson, Step
from app.lessons.progress import AskedKind, StoredSlip
from app.lessons.questions import NOT_OF_ENGINE, question_of
from app.lessons.review import ReviewItem, minutes
from app.lessons.situation import situation_of
from engine import from_expression
from engine.asking.beliefs import BY_NAME
from engine.asking.friendly import drills, friendly_for
from engine.asking.hand_run import NEXT_BELIEFS, click_slip
from engine.asking.inference import ideas_of, place
from engine.asking.kinds import KINDS, answer, is_askable
from engine.asking.question import Kind, Question, step_questions
from engine.errors import EngineError
from engine.graph import Constant, Graph, OpNode, Root
from engine.numbers import counted
from engine.trace import Trace, run, run_forward

NAME: Final = "daily"
TITLE: Final = "Daily five"
MOST_OPS: Final = 8
"""Most operations of a lesson's graph that is small enough to be asked about again."""
MOST_CANDIDATES: Final = 24
"""Questions tried for one that is due; each takes up to 50 ms."""
_CHANGES: Final = (-4.0, -2.0, 2.0, 4.0, 6.0)
"""Numbers that a leaf goes to in a question about a change."""

_WIRES: Final = (
    ("y = a*b", "y = a+b", "y = a-b"),
    ("y = a/b", "y = a**2", "y = -a", "y = tanh(a)", "y = sigmoid(a)", "y = exp(a)"),
)
_GRAPHS: Final = (
    ("L = (a*b + a)*f", "e = a*b; d = e + c; L = d*f", "c = a + b; d = a*b; y = c*d"),
    (
        "y = a*a*b",
        "c = a - b; y = c*c + a",
        "c = a + b; d = c*c; y = c + d",
        "c = a + b; d = a*b; e = c + d; f = c*d; y = e + f",
        "y = a/b + a",
    ),
)
_SHORT: Final = (("y = a*b", "y = a*b + c", "y = a*b + a"), ("y = (a + b)*c", "y = a*a"))
SHAPES: Final[Mapping[Kind, tuple[Sequence[str], ...]]] = {
    "local": _WIRES,
    "contribution": _WIRES,
    "sum": _WIRES,
    "next": (_GRAPHS[0], ("z = a*f; c = a*b; L = c*f + a",)),
    "change": _SHORT,
}
"""Expressions to ask about, by kind, in groups: the usual ones before those that few slips need.

One operation is enough for a question about a wire; kinds without an entry need `_GRAPHS`.
"""
_USUAL_SLIPS: Final[Mapping[Kind, str]] = {
    "local": "own value",
    "contribution": "upstream forgotten",
    "sum": "replaced",
    "final": "one path only",
    "change": "new value",
}
"""The slip that the numbers of a question must show where only its kind is due."""

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
    if question.kind == "value":
        index = [step.node for step in run_forward(trace.graph).computed].index(question.node)
        begun = replace(begun, phase="forward", cursor=index)
    elif question.step:
        begun = replace(begun, phase="backward", cursor=question.step - 1)
    ask = Ask(
        question.kind,  # pyright: ignore[reportArgumentType]
        None if question.wire is not None or question.kind == "next" else question.node,
        question.wire,
        question.leaf if question.kind == "change" else None,
        question.to,
    )
    return Step(
        kind="ask",
        title=KINDS[question.kind].title,
        text=f"from {about.title}, {days_ago(about.last, today)}",
        begun=begun,
        asks=(ask,),
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
    """Yield questions of a kind: those of a lesson, then of SHAPES, each group shuffled."""
    groups = [() if lesson is None else [*_of_lesson(lesson, kind)]]
    groups += [
        [found for shape in shapes for found in _of_graph(from_expression(shape), kind, draw)]
        for shapes in SHAPES.get(kind, _GRAPHS)
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
    if kind in ("sum", "local", "contribution"):
        # `drills` makes the graph in which a product or a sum is asked
        slots = [
            q for step in range(1, len(trace) + 1) for q in step_questions(trace, step, ("local",))
        ]
        questions = [
            replace(question, kind=kind) for question in slots if not _is_fixed(question, graph)
        ]
    elif kind in ("upstream", "next"):
        steps = range(1, len(trace) + 1)
        questions = [q for step in steps for q in step_questions(trace, step, (kind,))]
        if kind == "upstream":  # step 1 sets the seed, and in step 2 it is the gradient
            questions = [q for q in questions if q.step > 2]
    elif kind == "value":
        questions = [Question("value", step.node) for step in run_forward(graph).computed]
    elif kind == "change":
        questions = [
            Question("change", trace.root, leaf=leaf, to=draw.choice(_CHANGES))
            for leaf in graph.leaves
        ]
    else:
        questions = [Question(kind, leaf) for leaf in graph.leaves]
    for question in questions:
        if is_askable(question, trace):
            yield question, trace


def _is_fixed(question: Question, graph: Graph) -> bool:
    """Return whether the wire of a question comes from a constant, which gets no gradient."""
    source = None if question.wire is None else graph.source(question.wire)
    return source is None or isinstance(graph.nodes[source], Constant)


def _drawn(question: Question, trace: Trace, slip: str, seed: int) -> Candidate | None:
    """Return a question with friendly numbers at which a slip shows, or None if none were found."""
    kind = question.kind
    known = BY_NAME.get(slip or _USUAL_SLIPS.get(kind, ""))
    if known is not None:
        if not known.numbers(question, trace):
            return None  # at once, as no numbers would show it
        found = drills(question, trace, known, seed, count=1)
        # a change of 0 asks nothing
        if not found or (kind == "change" and not answer(found[0].question, found[0].trace)):
            return None
        return found[0].question, found[0].trace
    if slip and slip not in {found.name for found in NEXT_BELIEFS}:
        return None  # it is a slip of another version
    again = run(friendly_for(trace.graph, seed, [question]).graph)
    if kind == "next" and slip and not _is_tempting(question, again, slip):
        return None
    # whoever takes the leaf's own sign for the direction is wrong; a gradient of 0 asks nothing
    if kind == "sign" and again.values[question.node] * answer(question, again) >= 0:
        return None
    return question, again


def _is_tempting(question: Question, trace: Trace, slip: str) -> bool:
    """Return whether a click on some node would be this slip."""
    graph = trace.graph
    found = (
        click_slip(trace, question.step, node)
        for node in graph.nodes
        if not isinstance(graph.nodes[node], Root)
    )
    return any(each is not None and each.name == slip for each in found)
