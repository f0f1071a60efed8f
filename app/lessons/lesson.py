"""Lesson: the steps of a lesson file as immutable values, and the markup of their texts.

    text_pieces(text)            a text split at its markup
    live_number(text, graph)     the quantity that a text shows as it is now
    known_number(target, frame)  this number in a frame; plain_text(text, frame) has all of them

A lesson holds no answer to a number question: it names the quantity, and the engine computes the
answer from the graph as it is then. `docs/lessons.md` describes the file.

>>> [(piece.kind, piece.text) for piece in text_pieces("**a** holds {a.grad}.")]
[('bold', 'a'), ('plain', ' holds '), ('live', 'a.grad'), ('plain', '.')]
>>> from engine import from_expression
>>> from app.lessons.situation import at_start, situation_of
>>> end = at_start(situation_of(from_expression("y = a*b", {"a": 2, "b": 3})), "end")
>>> plain_text("**a** holds {a.grad}.", end.frame)
'a holds 3.'
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

from msgspec import Struct

from app.lessons.situation import Move, Situation
from engine.asking.nudge import RippleRequest
from engine.asking.question import Kind as NumberKind
from engine.errors import EngineError
from engine.formats.native import Drawing
from engine.frame import Frame
from engine.graph import Graph, Leaf, Wire
from engine.numbers import HIDDEN, NOT_COMPUTED, short, signed
from engine.rules import Rules

StepKind = Literal["say", "do", "ask", "ripple", "hunt", "free", "blank"]
"""Reads; moves; answers; sees a change run; names a mistake; tries something of its own; reads one
line, for which the screen of a room is black."""
Form = Literal["field", "choices"]
"""How an answer is given: typed into a blank, or chosen from two to four numbers."""
AskKind = NumberKind | Literal["paths", "mistake", "text"]
"""A question of the engine, the number of paths, the current mistake, or written choices."""
LessonKind = Literal["lesson", "daily", "test", "lecture"]
"""A lesson of a file; or one made in memory: the questions of a day, the final test, or a
question to the room of a lecture."""


class Choice(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One choice of a question in own words; `say` explains it once it is chosen or revealed."""

    text: str
    say: str = ""
    right: bool = False


class Ask(Struct, frozen=True):
    """One question of a step; node ids are those of the step's graph.

    `wire` is (node, slot). A change asks by how much `node` changes when `leaf` goes to `to`. Only
    the kinds `mistake` and `text` have a `text`, the sentence above the choices, and `choices`.
    """

    kind: AskKind
    node: int | None = None
    wire: Wire | None = None
    leaf: int | None = None
    to: float = 0.0
    text: str = ""
    choices: tuple[Choice, ...] = ()

    def choice(self, text: str) -> Choice | None:
        return next((choice for choice in self.choices if choice.text == text), None)

    @property
    def right_choice(self) -> Choice | None:
        """Return the first right choice; None without choices."""
        return next((choice for choice in self.choices if choice.right), None)


_BUILDING_MOVES: Final = frozenset({"wire", "root", "unfold"})
_WIRING_CHECKS: Final = frozenset({"readers", "wired", "nodes", "root", "grad", "differs"})
"""Checks that a learner who was given no move can meet by another graph."""

Relation = Literal["is", "not", "above", "below"]
"""How a check compares a number of the situation with its own."""


class Check(Struct, frozen=True):
    """One condition on a situation, from the closed set `CHECKS` of `app.lessons.step_checks`.

    `kind` is its name, `about` its subject (a node id, a wire, a name, or None), `relation`
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

    `start` is the position of the pass on entering ("" keeps it), `begun` the whole situation then,
    as if all steps before had been shown. `mistake` is the mistake that it turns on, CORRECT the
    one that turns it off, None leaves it. `lit` and `watched` are nodes and wires with a solid and
    a dashed ring; `sliders` gives leaves of the task card their ranges. `asks` belong to the kind
    ask, `ripple` to ripple, `checks` to do and free, `moves`, which Show me makes, to do, and
    `mistakes` to hunt.
    """

    kind: StepKind
    title: str
    text: str
    begun: Situation
    task: str = ""
    hint: str = ""
    notes: str = ""
    timer: int = 0
    """The seconds of a room's timer; 0 without one."""
    reveal: bool = True
    """Whether a room sees the answers to its questions; without it they are left to the speaker."""
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
    guess: bool = False
    """Whether its questions take any answer, which is not judged."""
    ripple: RippleRequest | None = None
    mistakes: tuple[Rules, ...] = ()
    settings: Mapping[str, object] = {}
    """The fields of `begun` that the step sets itself: h, method, rate, sizes, seed, epochs."""
    sets_graph: bool = False
    """Whether entering it sets graph, values, mistake or place of the pass."""
    fault: str = ""
    """Why it can't be played, a clause: it keeps its place in a list, and is skipped."""

    @property
    def wants_nothing(self) -> bool:
        """Return whether the next step may be entered without doing anything in this one."""
        return self.kind in ("say", "ripple", "free", "blank")

    @property
    def heading(self) -> str:
        """Return the title, or the kind of a step without one."""
        return self.title or self.kind.capitalize()

    @property
    def parts(self) -> frozenset[str]:
        """Return the parts of the window that it needs, of those that a lesson folds."""
        may_build = self.kind == "free" and not self.sliders
        builds = any(move.verb in _BUILDING_MOVES for move in self.moves) or (
            may_build and any(check.kind in _WIRING_CHECKS for check in self.checks)
        )
        opens = self.kind == "hunt" or self.panel not in ("", "lesson")
        return frozenset(("palette", "toolbar") * builds + ("bar",) * opens)


class Lesson(Struct, frozen=True):
    """A lesson: its name (of the file), what it teaches, its graph and its steps.

    `drawings` have the layouts and groups of graphs that files give. At the end the graph is shown
    at the end of its pass, or `stays` as the learner leaves it.

    `able` completes "Now you can …", `surprise` is told at the end; both may be "", `minutes` 0.
    `needs` are names of lessons that come before, `attacks` names of the slips and mistakes that it
    works on. `address` is that of its page on the web, "" without one.
    `digest` identifies the content of the file. Without a file it and `path` are empty.
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
    kind: LessonKind = "lesson"
    drawings: tuple[Drawing, ...] = ()
    stays: bool = False
    address: str = ""

    def drawing_of(self, graph: Graph) -> Drawing:
        """Return a graph with its layout, if a file or the sheet gives one."""
        for drawing in self.drawings:
            if is_same_wiring(drawing.graph, graph):
                return dataclasses.replace(drawing, graph=graph)
        return Drawing(graph)


def is_same_wiring(one: Graph, other: Graph) -> bool:
    """Return whether two graphs differ at most in the numbers of their leaves."""
    if one.structure is other.structure:
        return True
    if one.active_root != other.active_root or one.nodes.keys() != other.nodes.keys():
        return False
    return all(
        mine == its
        or (isinstance(mine, Leaf) and isinstance(its, Leaf) and mine.label == its.label)
        for mine, its in zip(one.nodes.values(), map(other.nodes.get, one.nodes), strict=True)
    )


PieceKind = Literal["plain", "bold", "code", "live"]
LiveKind = Literal["value", "grad", "contribution", "local", "loss"]
"""The quantity of a live number, which gives its colour; a contribution or a local derivative
belongs to a wire."""

_MARKED: Final = re.compile(r"\*\*(?P<bold>[^*{}`]+)\*\*|`(?P<code>[^`]+)`|\{(?P<live>[^{}]*)\}")
_STRAY: Final = re.compile(r"\*\*|[`{}]")
"""A mark that `_MARKED` has not matched, so one without its other half."""
_WIRE: Final = re.compile(r"(?P<node>[^.]+)\.(?P<slot>[1-9])")


class TextPiece(Struct, frozen=True):
    """A piece of a text without its marks; that of a live number is the text in the braces."""

    kind: PieceKind
    text: str


class LiveNumber(Struct, frozen=True):
    """A number that a text shows as it is now, of a node or a wire; a loss has neither."""

    kind: LiveKind
    node: int | None = None
    wire: Wire | None = None


def text_pieces(text: str) -> tuple[TextPiece, ...]:
    """Split a text at its markup; EngineError for a mark without its other half."""
    pieces: list[TextPiece] = []
    end = 0
    for mark in _MARKED.finditer(text):
        pieces += _plain(text[end : mark.start()])
        kind: PieceKind = mark.lastgroup  # pyright: ignore[reportAssignmentType]
        pieces.append(TextPiece(kind, mark[kind]))
        end = mark.end()
    return (*pieces, *_plain(text[end:]))


def live_number(text: str, graph: Graph) -> LiveNumber:
    """Return the live number with this text in braces; EngineError if the graph has none."""
    if text == "loss":
        return LiveNumber("loss")
    if (node := graph.node_named(text)) is not None:
        return LiveNumber("value", node)
    name, dot, quantity = text.rpartition(".")
    if dot and quantity == "grad" and (node := graph.node_named(name)) is not None:
        return LiveNumber("grad", node)
    if dot and quantity == "local":
        return LiveNumber("local", wire=wire_named(name, graph))
    return LiveNumber("contribution", wire=wire_named(text, graph))


def wire_name(graph: Graph, wire: Wire) -> str:
    """Return a wire as a lesson file names it: `e.1` is the wire into the first slot of e."""
    node, slot = wire
    return f"{graph.names.get(node, str(node))}.{slot + 1}"


def wire_named(text: str, graph: Graph) -> Wire:
    """Return the wire called `e.1`: a node and its slot, from 1; EngineError if there is none."""
    found = _WIRE.fullmatch(text)
    node = None if found is None else graph.node_named(found["node"])
    if found is None or node is None:
        raise EngineError('"{text}" is neither a node nor a wire of the graph.', text=text)
    slot, slots = int(found["slot"]) - 1, len(graph.inputs(node))
    if slot >= slots:
        raise EngineError(
            '"{text}": {node} has {slots} slots.', text=text, node=found["node"], slots=slots
        )
    return node, slot


def _plain(text: str) -> list[TextPiece]:
    if stray := _STRAY.search(text):
        raise EngineError("{mark} has no other half.", mark=stray[0])
    return [TextPiece("plain", text)] if text else []


def known_number(target: LiveNumber, frame: Frame) -> float | None:
    """Return the number of a reference; HIDDEN while it is asked for, None before it is computed.

    A loss is the value of a node of this name.
    """
    if target.kind == "loss":
        node = frame.graph.node_named("loss")
        return None if node is None else frame.values.get(node)
    if target.wire is not None:
        known = _known_slope if target.kind == "local" else _known_contribution
        return known(frame, target.wire)
    assert target.node is not None
    if target.kind == "value":
        return frame.values.get(target.node)
    return HIDDEN if target.node in frame.asked_finals else frame.grads.get(target.node)


def plain_text(text: str, frame: Frame) -> str:
    """Return a text of a lesson without its markup, its references replaced by numbers."""
    return "".join(
        _plain_number(piece.text, frame) if piece.kind == "live" else piece.text
        for piece in text_pieces(text)
    )


def _plain_number(reference: str, frame: Frame) -> str:
    try:
        target = live_number(reference, frame.graph)
    except EngineError:  # the node was removed
        return NOT_COMPUTED
    number = known_number(target, frame)
    if number is None:
        return NOT_COMPUTED
    return signed(number) if target.kind == "contribution" else short(number)


def _known_contribution(frame: Frame, wire: Wire) -> float | None:
    """Return the contribution along a wire; HIDDEN while it is asked for, None before its step."""
    event = frame.fired.get(wire)
    if event is not None:
        return event.contribution
    following = frame.next_event
    if following is not None and following.wire == wire and following.contribution is HIDDEN:
        return HIDDEN
    return None


def _known_slope(frame: Frame, wire: Wire) -> float | None:
    """Return the slope along a wire; None until the node has fired along it."""
    event = frame.fired.get(wire)
    return None if event is None else event.local
