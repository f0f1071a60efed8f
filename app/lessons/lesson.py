"""Lesson: the steps of a lesson file as immutable values.

A lesson holds no answer to a number question: it names what is asked, and the engine computes the
answer from the graph as it is then. `docs/lessons.md` describes the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from app.lessons.situation import Move, Situation
from engine.graph import Graph, Wire
from engine.rules import Rules
from engine.study.question import Kind as NumberKind

StepKind = Literal["say", "do", "ask", "hunt", "free"]
"""Reads; moves; answers; names a mistake; tries something without a given task."""
Form = Literal["field", "choices"]
"""How an answer is given: typed into a blank, or chosen from two to four numbers."""
AskKind = NumberKind | Literal["paths", "mistake", "text"]
"""What an ask is about: a question of the engine, a number of paths, a mistake, own choices."""
TASK_ENDS: Final = ("do", "ask", "hunt")
"""Kinds of steps that have something to be done before Next."""


class Choice(Struct, frozen=True):
    """One of the choices that a lesson writes itself; `say` explains it once it is chosen."""

    text: str
    say: str = ""
    right: bool = False


class Ask(Struct, frozen=True):
    """What one question of a step is about; node ids are those of the step's graph.

    `wire` is (node, slot). A change asks by how much `node` changes when `leaf` goes to `to`. Of
    `text` and `paths`, `text` is the sentence above the choices or the blank.
    """

    kind: AskKind
    node: int | None = None
    wire: Wire | None = None
    leaf: int | None = None
    to: float = 0.0
    text: str = ""
    choices: tuple[Choice, ...] = ()


Relation = Literal["is", "not", "above", "below"]


class Check(Struct, frozen=True):
    """One condition on a situation, from the closed set `CHECKS` of `app.lessons.checks`.

    `kind` is its name, `about` what it looks at (a node id, a wire, a name, or None), `relation`
    and `number` how a number is compared. Of a check `at`, `number` is the step, None for the end.
    """

    kind: str
    about: int | Wire | str | bool | None = None
    relation: Relation | None = None
    number: float | None = None
    source: int | None = None
    """The node that feeds the wire of a check `wired`."""


class Step(Struct, frozen=True):
    """One step of a lesson.

    `start` says where the pass stands on entering ("" leaves it as it is), `begun` is the whole
    situation then, as if all steps before had been shown. `lit` and `watched` are nodes and wires
    with a solid and a dashed ring; `sliders` gives leaves of the task card their ranges. `asks`,
    `checks`, `moves` and `mistakes` belong to the kinds ask, do and free, do, and hunt.
    """

    kind: StepKind
    title: str
    text: str
    begun: Situation
    task: str = ""
    hint: str = ""
    notes: str = ""
    start: str = ""
    mistake: Rules | None = None
    lit: tuple[int | Wire, ...] = ()
    watched: tuple[int | Wire, ...] = ()
    sliders: Mapping[int, tuple[float, float]] = {}
    panel: str = ""
    checks: tuple[Check, ...] = ()
    moves: tuple[Move, ...] = ()
    asks: tuple[Ask, ...] = ()
    form: Form = "field"
    friendly: bool = False
    mistakes: tuple[Rules, ...] = ()
    settings: Mapping[str, object] = {}
    """The fields of `begun` that the step sets itself: h, method, rate, sizes, seed, epochs."""
    sets_graph: bool = False
    """Whether entering it sets graph, values, mistake or place of the pass."""


class Lesson(Struct, frozen=True):
    """A lesson: its name (of the file), what it teaches, its graph and its steps.

    `able` completes "Now you can …", `surprise` is told at the end. `needs` are names of lessons,
    `attacks` names of slips and mistakes. `digest` identifies the content of the file.
    """

    name: str
    title: str
    able: str
    surprise: str
    minutes: int
    graph: Graph
    steps: tuple[Step, ...]
    needs: tuple[str, ...] = ()
    attacks: tuple[str, ...] = ()
    digest: str = ""
    path: Path | None = None
