"""Lecture: marks on one or several graphs, and each mark found on its graph as it is now.

    Lecture          the marks in their order, each with its graph
    slides(lecture)  each mark as the room sees it, or the reason why it no longer fits

>>> from engine import from_expression
>>> graph = from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2})
>>> e = graph.node_named("e")
>>> mark = Mark("ask", phase="backward", step=6, node=e, slot=0, asks="contribution")
>>> lecture = Lecture("Two paths", (Drawing(graph),), (Placed(0, mark),))
>>> slides(lecture)[0].situation.cursor, slides(lecture)[0].revealed.cursor
(5, 6)
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from app.lessons.situation import Situation, at_step, situation_of, with_rules, with_values
from engine.errors import EngineError
from engine.formats.native import Drawing
from engine.frame import frame_at
from engine.graph import Graph
from engine.rules import BY_NAME, CORRECT
from engine.schedule import NO_NODE
from engine.study.lecture import Mark
from engine.study.question import Kind, Question, is_askable
from engine.trace import Trace, run, run_forward

WIRE_KINDS: Final = ("local", "contribution", "sum")
"""The questions about one wire, asked at its step."""


class Placed(Struct, frozen=True):
    """A mark and the index of its graph in the lecture."""

    graph: int
    mark: Mark


class Lecture(Struct, frozen=True):
    """A title, the graphs with their layouts, and the marks in the order in which they are shown.

    A lecture on the marks of a file has one graph. `source` names the file, lesson or graph.
    """

    title: str
    drawings: tuple[Drawing, ...]
    marks: tuple[Placed, ...]
    source: str = ""


class Slide(Struct, frozen=True):
    """A mark as the room sees it.

    `situation` is shown on entering: of a question the place before its step, with its numbers
    hidden. `revealed` is the place that shows the answer. `misfit` says why the mark no longer
    fits its graph, "" if it does; then the situations are None.
    """

    placed: Placed
    situation: Situation | None = None
    revealed: Situation | None = None
    question: Question | None = None
    """The engine's question; None for one in own words, a mistake, and a mark that asks nothing."""
    misfit: str = ""

    @property
    def mark(self) -> Mark:
        """Return the mark as it is stored."""
        return self.placed.mark


def slides(lecture: Lecture) -> tuple[Slide, ...]:
    """Return each mark as the room sees it, in order."""
    return tuple(slide_of(placed, lecture.drawings[placed.graph].graph) for placed in lecture.marks)


def slide_of(placed: Placed, graph: Graph) -> Slide:
    """Return a mark as the room sees it on its graph."""
    mark = placed.mark
    try:
        begun = situation_of(graph)
        if mark.values:
            begun = with_values(begun, dict(mark.values))
        begun = with_rules(begun, BY_NAME.get(mark.mistake, CORRECT))
        return _resolved(placed, begun)
    except EngineError as error:
        return Slide(placed, misfit=str(error))


def _resolved(placed: Placed, begun: Situation) -> Slide:
    mark = placed.mark
    if mark.phase == "live" or mark.kind == "blank":
        shown = begun
    elif mark.phase == "forward":
        trace = run_forward(begun.graph)
        shown = replace(begun, phase="forward", cursor=mark.step, frame=frame_at(trace, mark.step))
    else:
        shown = at_step(begun, mark.step)
    if mark.kind != "ask":
        return Slide(placed, shown, shown)
    trace = run(begun.graph, rules=begun.rules)
    question = _question(mark, trace)
    if question is None:
        return Slide(placed, shown, shown)
    if not is_askable(question, trace):
        raise EngineError("The question can't be asked here.")
    if question.wire is not None:
        return Slide(placed, at_step(begun, mark.step - 1), shown, question)
    end = at_step(begun, len(trace))
    return Slide(placed, at_step(begun, 0), end, question)


def _question(mark: Mark, trace: Trace) -> Question | None:
    """Return the engine's question of a mark; None for one in own words."""
    if mark.asks in ("text", "mistake", ""):
        return None
    kind: Kind = mark.asks  # pyright: ignore[reportAssignmentType]
    node = NO_NODE if mark.node is None else mark.node
    if mark.asks in WIRE_KINDS:
        return Question(kind, node, NO_NODE if mark.slot is None else mark.slot, mark.step)
    leaf = NO_NODE if mark.leaf is None else mark.leaf
    return Question(kind, node, leaf=leaf, to=mark.to)
