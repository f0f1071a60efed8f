"""Lecture of a lesson: its steps as marks, its questions as questions to the room.

A hunt asks which mistake is active. Interactive parts are left to the lecturer: a task is appended
to the notes, a pass by hand is shown as the program runs it.

>>> from app.lessons.load import lesson
>>> lecture = lecture_of_lesson(lesson("two-paths"), seed=1)
>>> [placed.mark.asks or placed.mark.kind for placed in lecture.marks[:6]]
['show', 'show', 'contribution', 'show', 'final', 'mistake']
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from app.lessons.lecture import Lecture, Placed, anchor_name, mark_at, node_name
from app.lessons.lesson import Ask, Lesson, Step, plain_text
from app.lessons.questions import drawn, question_of
from app.lessons.situation import Situation, trace_of
from engine.errors import EngineError
from engine.formats.native import Drawing
from engine.graph import Graph, Leaf
from engine.names import brief, is_plain_line
from engine.rules import CORRECT, MISTAKES, Rules
from engine.schedule import EVENT_LIMIT
from engine.study.diagnose import huntable_mistakes
from engine.study.lecture import (
    CHOICE_LIMIT,
    CHOICES_LIMIT,
    CHOICES_ONLY,
    LINE_LIMIT,
    MARK_LIMIT,
    NOTES_LIMIT,
    PASS_KINDS,
    SAY_LIMIT,
    STEP_KINDS,
    TITLE_LIMIT,
    AskedKind,
    Choice,
    Mark,
)
from engine.trace import run_forward

_REVEALED_AT_END: Final = ("final", "sign")
"""Questions revealed at the end of the pass, where the reveal of one shows the answers of all."""
_CLAUSE_END: Final = re.compile(r"[.,;:](?= |$)")


def lecture_of_lesson(lesson: Lesson, seed: int) -> Lecture:
    """Return a lesson as a lecture; the seed determines friendly numbers and hidden mistakes."""
    drawings: list[Drawing] = []
    marks: list[Placed] = []
    for k, step in enumerate(lesson.steps):
        begun = drawn(step, seed + k)
        index, values = _drawing_index(begun.graph, lesson.graph, drawings)
        for mark in _marks_of(step, begun, seed + k):
            mark = replace(mark, values=values)
            marks.append(Placed(index, mark, lit=step.lit, watched=step.watched))
    return Lecture(lesson.title, tuple(drawings), tuple(marks[:MARK_LIMIT]), lesson.name)


def _drawing_index(
    graph: Graph, first: Graph, drawings: list[Drawing]
) -> tuple[int, tuple[tuple[int, float], ...]]:
    """Return the index of the drawing with a graph's wiring, and the leaves that differ there.

    A new wiring gets a new drawing: the `first` graph of the lesson, or the graph itself.
    """
    for index, drawing in enumerate(drawings):
        values = _differing_leaves(graph, drawing.graph)
        if values is not None:
            return index, values
    values = _differing_leaves(graph, first)
    drawings.append(Drawing(graph if values is None else first))
    return len(drawings) - 1, values or ()


def _differing_leaves(graph: Graph, other: Graph) -> tuple[tuple[int, float], ...] | None:
    """Return the leaves with another value than in a graph of the same wiring, else None.

    None also where a value is not finite, as a mark can't set that.
    """
    mine, theirs = graph.nodes, other.nodes
    if graph.active_root != other.active_root or mine.keys() != theirs.keys():
        return None
    found: list[tuple[int, float]] = []
    for node, own in mine.items():
        old = theirs[node]
        if own == old:
            continue
        if not (isinstance(own, Leaf) and isinstance(old, Leaf) and own.label == old.label):
            return None
        if not math.isfinite(own.value):
            return None
        found.append((node, own.value))
    return tuple(found)


def _marks_of(step: Step, begun: Situation, seed: int) -> Iterator[Mark]:
    """Yield the marks of a step, of which only the first has its title."""
    shown = _mark_at(begun)
    notes = _notes(step, begun)
    title = plain_line(plain_text(step.title, begun.known_frame), TITLE_LIMIT)
    if step.kind == "blank":
        line = plain_line(plain_text(step.text, begun.known_frame), LINE_LIMIT)
        shown = replace(shown, kind="blank", text=line)
    asked = [replace(q, reveals=step.reveal) for q in _question_marks(step, begun, seed)]
    for k, mark in enumerate(asked or [shown]):
        yield replace(mark, title="" if k else title, notes=notes, seconds=step.timer)


def _mark_at(begun: Situation) -> Mark:
    """Return a mark that shows the place of the pass where a step begins."""
    if begun.hand is None:
        return mark_at(begun.graph, begun.phase, begun.cursor, begun.rules)
    frame = begun.known_frame  # by hand: the program's pass at the event done last
    end = EVENT_LIMIT if frame.cursor and frame.cursor == frame.total else 0
    found = mark_at(begun.graph, frame.phase, end)
    if frame.event is None or end:
        return found
    node, slot = frame.event.wire or (frame.event.node, None)
    name = anchor_name(begun.graph, node, slot)
    return replace(found, step=frame.cursor, node=node, slot=slot, name=name)


def _notes(step: Step, begun: Situation) -> str:
    """Return the notes of a step, or else its text, and the task, which the lecturer does."""
    frame = begun.known_frame
    text = "" if step.kind == "blank" else step.text
    paragraphs = [step.notes or plain_text(text, frame)]
    if step.task:
        paragraphs.append(f"To do: {plain_text(step.task, frame)}")
    lines = "\n\n".join(paragraphs).split("\n")
    return "\n".join(plain_line(line, NOTES_LIMIT) for line in lines)[:NOTES_LIMIT]


# questions


def _question_marks(step: Step, begun: Situation, seed: int) -> Iterator[Mark]:
    """Yield the questions of a step, without those whose answers another reveal has shown."""
    if step.kind == "hunt" and step.mistakes:
        yield _hunt_mark(step, begun, seed)
    revealed: set[tuple[str, int]] = set()
    for ask in () if step.guess else step.asks:
        mark = _question_mark(ask, begun)
        place = None if mark is None else _revealed_place(mark)
        if mark is None or place in revealed:
            continue
        if place is not None:
            revealed.add(place)
        has_choices = step.form == "choices" or mark.asks in CHOICES_ONLY
        yield replace(mark, form="choices" if has_choices else "number")


def _revealed_place(mark: Mark) -> tuple[str, int] | None:
    """Return the place that reveals the answer of a mark; None if it reveals no other answer."""
    if mark.asks in _REVEALED_AT_END:
        return ("end", 0)
    return (mark.phase, mark.step) if mark.asks in STEP_KINDS else None


def _question_mark(ask: Ask, begun: Situation) -> Mark | None:
    """Return the mark of a question; None for an upstream gradient, which its node shows.

    None also where the program's pass has no such step.
    """
    if ask.kind == "upstream":
        return None
    if ask.kind in ("mistake", "text"):
        text = plain_line(plain_text(ask.text, begun.known_frame), LINE_LIMIT)
        choices = tuple(_choice(choice, begun) for choice in ask.choices)
        return replace(_mark_at(begun), kind="ask", asks=ask.kind, text=text, choices=choices)
    mistake = "" if begun.rules is CORRECT else begun.rules.name
    kind: AskedKind = ask.kind
    mark = Mark("ask", "backward", asks=kind, mistake=mistake)
    if kind in PASS_KINDS:
        assert ask.node is not None
        name = node_name(begun.graph, ask.node)
        return replace(mark, node=ask.node, leaf=ask.leaf, to=ask.to, name=name)
    try:
        return _step_question_mark(ask, begun, mark)
    except EngineError:  # a step of the pass by hand that the program's pass lacks
        return None


def _step_question_mark(ask: Ask, begun: Situation, mark: Mark) -> Mark:
    """Return the mark of a question about one step of a pass."""
    by_program = begun.hand is None and begun.phase == "backward"
    trace = trace_of(replace(begun, hand=None))
    question = question_of(ask, trace, begun.cursor if by_program else 0)
    slot = None if question.wire is None else question.wire[1]
    name = anchor_name(begun.graph, question.node, slot)
    mark = replace(mark, node=question.node, slot=slot, name=name, step=question.step)
    if mark.asks != "value":
        return mark
    computed = [each.node for each in run_forward(begun.graph).computed]
    step = computed.index(question.node) + 1 if question.node in computed else 1
    return replace(mark, phase="forward", step=step)


def _hunt_mark(step: Step, begun: Situation, seed: int) -> Mark:
    """Return the question about a mistake, drawn from those of the step, at the end of a pass."""
    dice = random.Random(seed)
    hidden = dice.choice(step.mistakes)
    others = [rules for rules in step.mistakes if rules is not hidden]
    if not others:
        others = [rules for rules in huntable_mistakes(begun.graph) if rules is not hidden]
    if not others:  # no other changes a gradient here: any other is a wrong choice
        others = [rules for rules in MISTAKES if rules is not hidden]
    offered = {hidden.name, *(rules.name for rules in others[: CHOICES_LIMIT - 1])}
    choices = tuple(_mistake_choice(r, hidden) for r in MISTAKES if r.name in offered)
    shown = mark_at(begun.graph, "backward", EVENT_LIMIT, hidden)
    return replace(shown, kind="ask", asks="mistake", choices=choices)


def _mistake_choice(rules: Rules, hidden: Rules) -> Choice:
    say = shortened(rules.sentence)
    return Choice(rules.title, "" if say.endswith("…") else say, right=rules is hidden)


def _choice(choice: Choice, begun: Situation) -> Choice:
    say = shortened(plain_text(choice.say, begun.known_frame))
    return Choice(plain_line(choice.text, CHOICE_LIMIT), say, choice.right)


# texts


def plain_line(text: str, limit: int) -> str:
    """Return a text as one plain line of at most `limit` characters.

    >>> plain_line("a\u202e  long\ttitle", 9)
    'a lo…itle'
    """
    words = " ".join(text.split())
    if not is_plain_line(words):
        words = "".join(letter for letter in words if letter.isprintable())
    return brief(words, limit)


def shortened(text: str, limit: int = SAY_LIMIT) -> str:
    """Return an explanation up to the last end of a clause that fits, else as many words as fit.

    >>> shortened("The gradient is assigned instead of accumulated, so the last writer wins.")
    'The gradient is assigned instead of accumulated.'
    """
    line = plain_line(text, len(text))
    if len(line) <= limit:
        return line
    ends = [found.start() for found in _CLAUSE_END.finditer(line, 0, limit)]
    if ends:
        return f"{line[: ends[-1]]}."
    return f"{line[: limit - 1].rpartition(' ')[0] or line[: limit - 1]}…"
