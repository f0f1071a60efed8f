"""Lesson task: a reader sets leaves and steps on the page of a lesson, which computes the pass.

    set a leaf                to any number, by dragging or typing
    step                      through the pass, with Step
    a mistake, then step      the mistake is chosen among those of the lesson
    fire by hand, update      see `app.takeaway.played_task`

A task is one of these if its checks compare numbers of nodes or of a descent, or name a mistake, an
order or a place of the pass. A free step is one where the window offers a slider.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from app.lessons.lesson import Check, Lesson, Step
from app.lessons.situation import Situation
from app.lessons.step_checks import ANY
from app.takeaway.live_page import live_page
from app.takeaway.page_data import JsonNumber, PageCheck, PassData, TaskData
from engine.asking.number_fields import fields_of
from engine.asking.question import MOST_STEPS
from engine.errors import EngineError
from engine.formats.native import json_number
from engine.frame import Frame, frame_at
from engine.graph import Constant, Graph, Root
from engine.numbers import Digits
from engine.rules import BY_NAME, CORRECT, MISTAKES, Rules
from engine.trace import run

_LETTERS: Final = {"value": "v", "grad": "g"}
"""The first letter of a key of a state, by the check of such a number."""
_OF_DESCENT: Final = ("epochs", "rate", "loss")
"""Checks of the numbers of a descent."""
_NO_MISTAKE: Final = "No mistake"


class LessonTask(Struct, frozen=True):
    """A task whose passes have no moves yet, as the lesson has a text for each of their steps."""

    data: TaskData
    begun: Frame
    """With fields in place of numbers: the step begins with it."""
    frames: list[list[tuple[Frame, Frame]]]
    """Those after the steps of each pass, with fields and with numbers."""


def mistakes_of(lesson: Lesson) -> list[Rules]:
    """Return the mistakes that a lesson names, in their order in the window."""
    named = {move.name for step in lesson.steps for move in step.moves if move.verb == "mistake"}
    hunted = {rules.name for step in lesson.steps for rules in step.mistakes}
    return [rules for rules in MISTAKES if rules.name in named | hunted]


def task_of(
    step: Step, begun: Situation, mistakes: Sequence[Rules], digits: Digits
) -> LessonTask | None:
    """Return the task of a step, or None if no page can do it."""
    verbs = {move.verb for move in step.moves}
    offers = "mistake" in verbs
    if (
        begun.mode
        or not verbs <= {"set", "step", "mistake"}
        or (offers and (begun.cursor > 0 or begun.rules is not CORRECT))
        or not (step.kind == "do" or (step.kind == "free" and step.sliders))
    ):
        return None
    rules = [begun.rules, *(mistakes if offers else ())]
    ends = [int(c.number or MOST_STEPS) for c in step.checks if c.kind == "at"]
    last = max(ends, default=MOST_STEPS) if "step" in verbs else begun.cursor
    try:
        written = rows_of(step, begun, rules)
        passes = [_pass(begun, each, last, digits) for each in rules]
    except EngineError:
        return None
    taken = [each for each in passes if each is not None]
    if written is None or len(taken) < len(passes):
        return None
    sets = [move for move in step.moves if move.verb == "set"]
    numbers: dict[str, JsonNumber] = {str(m.node): json_number(m.number) for m in sets}
    shows = (rules.index(BY_NAME[m.name]) for m in step.moves if m.verb == "mistake")
    data = TaskData([each for each, *_ in taken], written, numbers, next(shows, 0))
    return LessonTask(data, taken[0][1], [frames for *_, frames in taken])


def rows_of(step: Step, begun: Situation, rules: Sequence[Rules]) -> list[PageCheck] | None:
    """Return the checks of a step as rows of the page; None if one is of another kind."""
    checks = [_row(check, begun, rules) for check in step.checks]
    written = [check for check in checks if check is not None]
    return written if len(written) == len(checks) else None


def _row(check: Check, begun: Situation, rules: Sequence[Rules]) -> PageCheck | None:
    """Return a check as a row of the page; None of another kind."""
    if check.kind == "mistake":
        return ["pass"], "is", [each.name for each in rules].index(str(check.about))
    if check.kind == "at":
        if check.number is None:
            return ["left"], "is", 0
        return ["moves"], "above", check.number - begun.cursor - 1
    if check.kind == "order":
        return ["order"], "is", 1
    if check.kind in _OF_DESCENT and check.relation is not None and check.number is not None:
        return [check.kind], check.relation, json_number(check.number)
    if check.kind not in _LETTERS or check.relation is None or check.number is None:
        return None
    keys = [f"{_LETTERS[check.kind]}{node}" for node in _nodes(check, begun.graph)]
    return keys, check.relation, json_number(check.number)


def _nodes(check: Check, graph: Graph) -> Iterator[int]:
    """Yield the nodes of a check whose numbers a page computes."""
    for node, found in graph.nodes.items():
        if check.about in (node, ANY) and not isinstance(found, Root | Constant):
            yield node


def _pass(
    begun: Situation, rules: Rules, last: int, digits: Digits
) -> tuple[PassData, Frame, list[tuple[Frame, Frame]]] | None:
    """Return the pass under some rules from where a step begins; None if no page computes it.

    With it are the frame there, with fields, and those after its steps up to the last one.
    """
    trace = run(begun.graph, rules=rules, most=MOST_STEPS)
    live = live_page(trace, digits)
    if live is None:
        return None
    fields = fields_of(trace)
    steps = range(begun.cursor + 1, min(last, len(trace)) + 1)
    title, says = (_NO_MISTAKE, "") if rules is CORRECT else (rules.title, rules.sentence)
    frames = [(frame_at(fields, k), frame_at(trace, k)) for k in steps]
    return PassData(title, live, says=says), frame_at(fields, begun.cursor), frames
