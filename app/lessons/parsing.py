"""The schema of a lesson file as msgspec types; parses its names, starts, moves and checks.

`StepFile` and the other `…File` types hold keys as they are written; `node_called`, `move_of`,
`check_of` and so on find the nodes that these texts name. `app.lessons.questions` does questions.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal, cast, get_args

from msgspec import Meta, Struct

from app.lessons.course import MOST_PARTS
from app.lessons.lesson import Check, Form, Relation, StepKind, wire_named
from app.lessons.lesson_faults import Faults, KeyPath, meant, one_of
from app.lessons.situation import Method, Move, Situation, Start, Verb, trace_of
from app.lessons.step_checks import ANY, CHECKS, RELATIONS
from app.lessons.toml_file import SIZE_LIMIT
from engine.asking.nudge import RippleRequest, requested_ripple
from engine.edits import can_unfold
from engine.errors import EngineError, FormatError, PlacedFormatError
from engine.formats.expression import read
from engine.formats.files import load_drawing, read_content
from engine.formats.native import Drawing
from engine.graph import Graph, Leaf, Wire
from engine.numbers import short
from engine.ops import BY_NAME as OPS
from engine.problems import pass_obstacle
from engine.rules import MISTAKES
from engine.trace import evaluate_values

TITLE_LIMIT: Final = 40
LINE_LIMIT: Final = 120
"""Characters of a title, and of a black screen's line or a question in own words."""
NOTES_LIMIT: Final = 2_000
"""Characters of notes: about two minutes of speech."""
CHOICE_LIMIT: Final = 40
"""Characters of a choice: the longest title of a mistake has 34."""
SECONDS_LIMIT: Final = 3_600
NODE_LIMIT: Final = 200
"""Nodes of a lesson's graph: more can't be read on the sheet."""
PARAGRAPH_LIMIT, PARAGRAPH_LENGTH = 2, 240
"""Most paragraphs of a step's text, and most characters of each."""
UNSET: Final[Any] = None
"""The default of a key that has none: the setting stays as it was before the step."""
PANELS: Final = ("lesson", "why", "numeric", "mistakes", "train", "code", "history")
"""The pages of the right bar that a step can open, by their ids in the window."""
KEYS_OF_KIND: Final = {
    "say": (),
    "do": ("task", "check", "show", "slider"),
    "ask": ("ask", "form", "friendly", "guess", "reveal"),
    "ripple": ("ripple",),
    "hunt": ("hunt", "reveal"),
    "free": ("task", "check", "slider"),
    "blank": (),
}
"""The keys that are allowed only in steps of these kinds."""
REQUIRED_KEYS: Final = {
    "say": (),
    "do": ("task", "check", "show"),
    "ask": ("ask",),
    "ripple": ("ripple",),
    "hunt": ("hunt",),
    "free": (),
    "blank": ("text",),
}
"""The keys that a step of each kind must have."""

# the types of keys; a fault says a wrong value "is not" the `description` of its type


def text_within(limit: int) -> Meta:
    """Return the limits of a text: from one character to so many."""
    return Meta(min_length=1, max_length=limit, description=f"a text of 1 to {limit:,} characters")


Title = Annotated[str, text_within(TITLE_LIMIT)]
Able = Annotated[str, text_within(60)]
Sentence = Annotated[str, text_within(LINE_LIMIT)]
Address = Annotated[str, text_within(200)]
Hint = Annotated[str, text_within(240)]
Notes = Annotated[str, text_within(NOTES_LIMIT)]
ChoiceText = Annotated[str, text_within(CHOICE_LIMIT)]
Text = Annotated[
    str, Meta(min_length=1, max_length=1000, description="a text of one or two paragraphs")
]
Name = Annotated[str, Meta(min_length=1, max_length=220, description="a name in quotes")]
Names = Annotated[
    tuple[Name, ...],
    Meta(max_length=MOST_PARTS, description='a list of up to 12 names: ["a", "b"]'),
]
Moves = Annotated[
    tuple[Name, ...],
    Meta(min_length=1, max_length=MOST_PARTS, description='a list of 1 to 12 moves: ["b = -1"]'),
]
Tables = Annotated[
    tuple[dict[str, Any], ...],
    Meta(max_length=MOST_PARTS, description="a list of up to 12 tables: [{ … }]"),
]
Table = Annotated[dict[str, Any], Meta(description="a table")]
Values = Annotated[
    dict[str, float],
    Meta(max_length=NODE_LIMIT, description="a table of names and numbers: { a = 3 }"),
]
Ranges = Annotated[
    dict[str, tuple[float, float]],
    Meta(max_length=MOST_PARTS, description="a table of names and ranges: { a = [-4, 0] }"),
]
Number = Annotated[float, Meta(description="a number")]
Seconds = Annotated[
    int,
    Meta(
        ge=0, le=SECONDS_LIMIT, description=f"a whole number of seconds from 0 to {SECONDS_LIMIT:,}"
    ),
]
Yes = Annotated[bool, Meta(description="true or false")]
Sizes = Annotated[
    tuple[Annotated[int, Meta(ge=1, le=64)], ...],
    Meta(min_length=2, max_length=6, description="the number of neurons by layer: [2, 8, 1]"),
]


class LessonFile(Struct):
    """The keys of a lesson."""

    format: Annotated[int, Meta(ge=1, description="1, the version of the format")]
    title: Title
    graph: Table
    step: Annotated[tuple[dict[str, Any], ...], Meta(description="tables headed [[step]]")]
    able: Able = ""
    surprise: Sentence = ""
    minutes: Annotated[int, Meta(ge=1, le=120, description="a whole number from 1 to 120")] = 0
    needs: Names = ()
    attacks: Names = ()
    end: Annotated[Literal["pass", "stays"], Meta(description="one of pass, stays")] = "pass"
    address: Address = ""
    carries: Yes = True


class GraphFile(Struct, frozen=True):
    """The keys of a graph: a formula with values, or a file beside the lesson."""

    expression: Annotated[str, Meta(min_length=1, description='a formula: "y = a*b"')] = ""
    values: Values = {}
    file: Name = ""


class SettingsFile(Struct):
    """The settings of the pages on entering a step; UNSET leaves one as it was."""

    h: Annotated[float, Meta(gt=0, description="a number above 0")] = UNSET
    method: Annotated[Method, Meta(description="one of forward, central, exact")] = UNSET
    rate: Annotated[float, Meta(gt=0, description="a number above 0")] = UNSET
    sizes: Sizes = UNSET
    seed: Annotated[int, Meta(ge=0, lt=2**31, description="a whole number from 0")] = UNSET
    epochs: Annotated[int, Meta(ge=0, le=1000, description="a whole number from 0 to 1000")] = UNSET


class StepFile(Struct, frozen=True):
    """The keys of a step."""

    kind: Annotated[StepKind, Meta(description="one of say, do, ask, ripple, hunt, free, blank")]
    title: Title = ""
    text: Text = ""
    hint: Hint = ""
    notes: Notes = ""
    timer: Seconds = 0
    reveal: Yes = True
    start: Name = ""
    values: Values = {}
    mistake: Name = ""
    settings: Table = {}
    graph: Table = {}
    light: Names = ()
    watch: Names = ()
    slider: Ranges = {}
    panel: Name = ""
    plane: Table = {}
    task: Sentence = ""
    check: Tables = ()
    show: Moves = ()
    ask: Tables = ()
    form: Annotated[Form, Meta(description="one of field, choices")] = "field"
    friendly: Yes = False
    guess: Yes = False
    ripple: Table = {}
    hunt: Names = ()


class AskFile(Struct):
    """The keys of one question."""

    kind: Name
    node: Name = ""
    wire: Name = ""
    leaf: Name = ""
    to: Number = UNSET
    text: Sentence = ""
    choices: Annotated[
        tuple[dict[str, Any], ...], Meta(max_length=4, description="a list of 2 to 4 tables")
    ] = ()


class RippleFile(Struct):
    """The keys of a ripple: by how much what is raised, a node or along some of its wires."""

    node: Name = ""
    wires: Names = ()
    by: Number = UNSET


class ChoiceFile(Struct):
    """The keys of one choice."""

    text: ChoiceText
    say: Hint = ""
    right: Yes = False


METHODS: Final[tuple[str, ...]] = get_args(Method)
MISTAKE_NAMES: Final = tuple(rules.name for rules in MISTAKES)
NONE: Final = "none"
"""The name that turns a mistake off."""
_METHODS: Final = ", ".join(METHODS)
_NAMES_LISTED: Final = 12
"""Most names of nodes in a fault, so that it stays on one line."""
KEYWORDS: Final = ("", "values", "end", "hand", "descent", "training")
_ASSIGNMENT: Final = re.compile(r"\s*([^\s=]+)\s*=\s*(\S+)\s*")
_BACKWARD: Final = re.compile(r"backward (\d{1,6})")
_STEP_OF_PASS: Final = re.compile(r"(forward|backward) (\d{1,6})")
_MOVE_TEXTS: Final = (
    '"b = -1", "step 5", "fire e", "wire a e.2", "root y", "epochs 10", "mistake assign", '
    '"h 1e-15", "method forward", "rate 1", "unfold v3", "seed 1", "update"'
)
_LEAST_ABOVE_0: Final = math.ulp(0.0)
_NUMBER_VERBS: Final[Mapping[str, tuple[Verb, float, float]]] = {
    "step": ("step", 0, 10_000),
    "epochs": ("epochs", 1, 1000),
    "h": ("h", _LEAST_ABOVE_0, math.inf),
    "rate": ("rate", _LEAST_ABOVE_0, math.inf),
    "seed": ("seed", 0, 2**31 - 1),
}
"""The verbs followed by one number, with its least and largest value."""
_WHOLE_NUMBER_VERBS: Final = ("step", "epochs", "seed")
_WHOLE_WANTED: Final = "{verb} takes a whole number from {least:.0f} to {most:.0f}"
_ABOVE_0_WANTED: Final = "{verb} takes a number above 0"


# names


def node_called(name: str, *graphs: Graph) -> int:
    """Return the node of this name in the first graph that has it; EngineError if none has."""
    for graph in graphs:
        if (node := graph.node_named(name)) is not None:
            return node
    raise EngineError(
        '"{name}" is no node of the graph; {known}',
        name=name,
        known=meant(name, graphs[0].names.values()) or _known(graphs[0]),
    )


def leaf_called(name: str, graph: Graph) -> int:
    """Return the leaf of this name; EngineError if there is none."""
    node = graph.node_named(name)
    if node is None or not isinstance(graph.nodes[node], Leaf):
        leaves = ", ".join([graph.names[leaf] for leaf in graph.leaves][:_NAMES_LISTED])
        raise EngineError('"{name}" is no leaf; one of {leaves}', name=name, leaves=leaves)
    return node


def wire_called(text: str, *graphs: Graph) -> Wire:
    """Return a wire, written `e.1`, of the first graph that has its node; else EngineError."""
    for graph in graphs:
        name, _dot, _slot = text.rpartition(".")
        if graph.node_named(name) is not None:
            return wire_named(text, graph)
    raise EngineError(
        '"{text}" is no wire; write node.slot, as in "e.1"; {known}',
        text=text,
        known=_known(graphs[0]),
    )


def part_called(text: str, *graphs: Graph) -> int | Wire:
    """Return a node, or a wire written `e.1`."""
    for graph in graphs:
        if (node := graph.node_named(text)) is not None:
            return node
    return wire_called(text, *graphs) if "." in text else node_called(text, *graphs)


def mistake_called(name: str) -> str:
    """Return the name of a mistake, or "none"; EngineError for another."""
    if name not in (*MISTAKE_NAMES, NONE):
        raise EngineError(
            '"{name}" is no mistake; one of {known}',
            name=name,
            known=", ".join((NONE, *MISTAKE_NAMES)),
        )
    return name


def _known(graph: Graph) -> str:
    names = list(graph.names.values())
    return one_of(names if len(names) <= _NAMES_LISTED else (*names[:_NAMES_LISTED], "…"))


def ripple_of(file: RippleFile, graph: Graph, values: Mapping[int, float]) -> RippleRequest:
    """Return the ripple that a step shows; EngineError for one that reaches nothing."""
    wires = {wire_called(text, graph) for text in file.wires}
    sources = {graph.source(wire) for wire in wires}
    sources |= {node_called(file.node, graph)} if file.node else set()
    node = sources.pop() if sources else None
    if node is None or sources:
        raise EngineError("a ripple begins at one node; write node, or wires that leave one node")
    if file.by is UNSET:
        raise EngineError("by is missing")
    along = tuple(wire for wire in graph.outgoing[node] if wire in wires)
    wanted = RippleRequest(node, number_of(file.by), along)
    found = requested_ripple(graph, wanted, values)
    if not (found.root in found.columns and found.moved):
        name = graph.names.get(node, "")
        raise EngineError("no change of {name} reaches the root", name=name)
    return wanted


# where a step begins


def start_of(text: str, situation: Situation, *, asks: bool) -> tuple[Start, int]:
    """Return where a step begins, and at which step of its pass; 0 for other places.

    A wire stands for its first step and a node for the one that completes its gradient, wherever
    these are now: a step begins after it, one that `asks` before it.
    """
    if found := _STEP_OF_PASS.fullmatch(text):
        return cast("Start", found[1]), int(found[2])
    if text in KEYWORDS:
        return cast("Start", text), 0
    graph = situation.graph
    if "." not in text and graph.node_named(text) is None:
        known = "values, forward K, backward K, end, hand, descent, training, a wire, a node"
        raise EngineError('"{text}" is no start; one of {known}', text=text, known=known)
    part = part_called(text, graph)
    steps = trace_of(situation).schedule.steps_of.get(part, ())
    if not steps:
        raise EngineError("nothing is passed to {text}", text=text)
    return "backward", (steps[0] if isinstance(part, tuple) else steps[-1]) - asks


# moves


def move_of(text: str, graph: Graph) -> Move:
    """Return a move of Show me on a graph; EngineError for one that can't be read."""
    verb, *words = text.split() or [""]
    if verb in _NUMBER_VERBS and len(words) == 1:
        return Move(text, _NUMBER_VERBS[verb][0], number=_move_number(verb, words[0]))
    if verb in _WORD_VERBS and len(words) == _WORD_VERBS[verb][0]:
        return _WORD_VERBS[verb][1](text, words, graph)
    found = _ASSIGNMENT.fullmatch(text)
    if found is None:
        raise EngineError("it is no move; one of {known}", known=_MOVE_TEXTS)
    name, value = found.groups()
    if name in _NUMBER_VERBS and graph.node_named(name) is None:
        raise EngineError('it is written "{verb} {value}"', verb=name, value=value)
    return Move(text, "set", node=leaf_called(found[1], graph), number=number_of(found[2]))


def _fire(text: str, words: list[str], graph: Graph) -> Move:
    return Move(text, "fire", node=node_called(words[0], graph))


def _root(text: str, words: list[str], graph: Graph) -> Move:
    return Move(text, "root", node=node_called(words[0], graph))


def _unfold(text: str, words: list[str], graph: Graph) -> Move:
    node = node_called(words[0], graph)
    if not can_unfold(graph, node):
        raise EngineError("{name} is not made of simpler operations", name=words[0])
    return Move(text, "unfold", node=node)


def _wire(text: str, words: list[str], graph: Graph) -> Move:
    name, wire = words
    return Move(text, "wire", node=node_called(name, graph), wire=wire_called(wire, graph))


def _mistake(text: str, words: list[str], _graph: Graph) -> Move:
    return Move(text, "mistake", name=mistake_called(words[0]))


def _method(text: str, words: list[str], _graph: Graph) -> Move:
    if words[0] not in METHODS:
        raise EngineError('"{name}" is no method; one of {known}', name=words[0], known=_METHODS)
    return Move(text, "method", name=words[0])


def _update(text: str, _words: list[str], _graph: Graph) -> Move:
    return Move(text, "update")


_WORD_VERBS: Final[Mapping[str, tuple[int, Callable[[str, list[str], Graph], Move]]]] = {
    "fire": (1, _fire),
    "root": (1, _root),
    "unfold": (1, _unfold),
    "wire": (2, _wire),
    "mistake": (1, _mistake),
    "method": (1, _method),
    "update": (0, _update),
}
"""The verbs followed by words: their number, and the function that makes the move."""


def number_of(value: str | float) -> float:
    """Return a finite number, given itself or as a text; EngineError for anything else."""
    try:
        number = float(value.replace("\N{MINUS SIGN}", "-") if isinstance(value, str) else value)
    except OverflowError:  # an integer of a file may have any number of digits
        raise EngineError("a number is too large") from None
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise EngineError('"{value}" is no number', value=value)
    return number


def _move_number(verb: str, text: str) -> float:
    number = number_of(text)
    _verb, least, most = _NUMBER_VERBS[verb]
    if not least <= number <= most or (verb in _WHOLE_NUMBER_VERBS and number != int(number)):
        template = _WHOLE_WANTED if verb in _WHOLE_NUMBER_VERBS else _ABOVE_0_WANTED
        raise EngineError(template, verb=verb, least=least, most=most)
    return number


# checks


def check_of(table: Mapping[str, Any], *graphs: Graph) -> Check:
    """Return the check in a table; its names are looked up in the graphs, in this order."""
    relations = [key for key in table if key in RELATIONS]
    others = [key for key in table if key not in RELATIONS and key != "from"]
    unknown = [key for key in others if key not in CHECKS]
    if not others:
        raise EngineError("a check has one of {known}", known=", ".join(CHECKS))
    if unknown:
        name = unknown[0]
        raise EngineError(
            '"{name}" is no check; one of {known}', name=name, known=", ".join(CHECKS)
        )
    if len(others) > 1:
        raise EngineError(
            "{one} and {other} are two checks; write two tables", one=others[0], other=others[1]
        )
    kind = others[0]
    check = _check_without_number(kind, table, graphs)
    _check_keys(kind, table, relations)
    if not relations:
        return check
    relation: Relation = relations[0]  # pyright: ignore[reportAssignmentType]
    return Check(kind, check.about, relation, _compared_number(kind, relation, table[relation]))


def _check_keys(kind: str, table: Mapping[str, Any], relations: Sequence[str]) -> None:
    compares = CHECKS[kind].numbers is not None
    if compares and len(relations) != 1:
        raise EngineError("{kind} needs one of is, not, above, below, and a number", kind=kind)
    if relations and not compares:
        raise EngineError(
            '{kind} compares no number; leave "{word}" out', kind=kind, word=relations[0]
        )
    if ("from" in table) != (kind == "wired"):
        reason = 'wired needs from: { wired = "e.2", from = "b" }'
        raise EngineError(reason if kind == "wired" else "from belongs to wired")


def _compared_number(kind: str, relation: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise EngineError("{kind} {relation}: a number is wanted", kind=kind, relation=relation)
    return number_of(value)


def _check_without_number(kind: str, table: Mapping[str, Any], graphs: Sequence[Graph]) -> Check:
    value, argument = table[kind], CHECKS[kind].argument
    if argument == "true":
        if value is not True:
            raise EngineError("it is written {example}", example=EXAMPLES[kind])
        return Check(kind)
    if not isinstance(value, str):
        raise EngineError(
            "{kind} takes a text in quotes: {example}", kind=kind, example=EXAMPLES[kind]
        )
    if argument == "wire":
        return _wired(value, table.get("from"), graphs)
    if argument == "place":
        return _pass_position(value)
    if argument == "mistake":
        return Check(kind, mistake_called(value))
    return _named(kind, value, graphs)


def _named(kind: str, value: str, graphs: Sequence[Graph]) -> Check:
    """Return a check about a node, or about a word of a closed set."""
    if CHECKS[kind].argument == "node":
        is_any = value == ANY and kind in ("value", "grad")
        return Check(kind, ANY if is_any else node_called(value, *graphs))
    if value not in _ALLOWED_WORDS[kind]:
        raise EngineError(
            '{kind} can\'t be "{value}"; write {example}',
            kind=kind,
            value=value,
            example=EXAMPLES[kind],
        )
    return Check(kind, value)


def _wired(value: str, source: object, graphs: Sequence[Graph]) -> Check:
    if not isinstance(source, str):
        raise EngineError("it is written {example}", example=EXAMPLES["wired"])
    return Check("wired", wire_called(value, *graphs), source=node_called(source, *graphs))


def _pass_position(text: str) -> Check:
    if text == "end":
        return Check("at", text)
    if found := _BACKWARD.fullmatch(text):
        return Check("at", text, number=float(found[1]))
    raise EngineError('"{text}" is no place; write "backward 5" or "end"', text=text)


_ALLOWED_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "nodes": (*OPS, "leaf", "constant"),
    "order": ("done",),
    "method": METHODS,
}
"""The words that each check of a closed set may name."""

EXAMPLES: Final[Mapping[str, str]] = {
    "value": '{ value = "y", is = 6 }',
    "grad": '{ grad = "a", is = 0 }',
    "readers": '{ readers = "a", above = 2 }',
    "wired": '{ wired = "e.2", from = "b" }',
    "nodes": '{ nodes = "mul", above = 1 }',
    "root": '{ root = "y" }',
    "at": '{ at = "backward 5" }',
    "order": '{ order = "done" }',
    "mistake": '{ mistake = "assign" }',
    "differs": "{ differs = true }",
    "checked": "{ checked = true }",
    "h": "{ h = true, is = 1e-15 }",
    "method": '{ method = "central" }',
    "rate": "{ rate = true, is = 1 }",
    "epochs": "{ epochs = true, above = 9 }",
    "loss": "{ loss = true, below = 0.1 }",
    "wrong": "{ wrong = true, is = 0 }",
}
"""An example of each check, for error messages."""


# graphs


class GraphReader:
    """Reads the graphs of one file."""

    def __init__(self, path: Path, faults: Faults) -> None:
        self._path, self._faults = path, faults
        self.drawings: list[Drawing] = []
        """The graphs of files so far, with their layouts."""

    def drawing(self, table: object, path: KeyPath) -> Drawing | None:
        """Return the graph in a table, with the layout of its file.

        None, with faults added, if there is an error.
        """
        if not isinstance(table, dict):
            return None  # the schema adds this fault
        file = self._faults.table(GraphFile, cast("dict[str, Any]", table), path)
        if file is None:
            return None
        if ("expression" in table) == ("file" in table):
            self._faults.add(path, "a graph has an expression or a file, one of the two")
            return None
        key = "file" if file.file else "expression"
        try:
            drawing = self._file(file.file) if file.file else Drawing(read(file.expression))
            check_graph(drawing.graph)
        except PlacedFormatError as error:
            reason = str(error.fields["reason"])
            self._faults.add((*path, key), f"column {error.fields['column']}: {reason}")
            return None
        except EngineError as error:
            self._faults.add((*path, key), error)
            return None
        valued = self._with_values(drawing.graph, file, path)
        if file.file:
            self.drawings.append(drawing)
        return None if valued is None else replace(drawing, graph=valued)

    def _with_values(self, graph: Graph, file: GraphFile, path: KeyPath) -> Graph | None:
        """Return the graph with its values; None, with a fault added, if one gives no number."""
        valued = graph.with_values(leaf_values(file.values, graph, path, self._faults))
        try:
            check_finite(valued)
        except EngineError as error:
            self._faults.add((*path, "expression"), str(error), within=path)
            return None
        return valued

    def _file(self, name: str) -> Drawing:
        """Return the graph in a .backwire file of the same folder; raises FormatError."""
        if Path(name).name != name or not name.endswith(".backwire"):
            raise FormatError("file names a .backwire file in the folder of the lesson")
        path = self._path.parent / name
        if len(read_content(path)) > SIZE_LIMIT:
            raise FormatError(
                "{name} is larger than {limit} KiB", name=name, limit=SIZE_LIMIT // 1024
            )
        return replace(load_drawing(path), task=None, lesson="")


def check_graph(graph: Graph) -> None:
    """Raise FormatError for a graph of more than NODE_LIMIT nodes, or without a pass."""
    if len(graph.nodes) > NODE_LIMIT:
        raise FormatError(
            "a lesson's graph has up to {limit} nodes, not {count:,}",
            limit=NODE_LIMIT,
            count=len(graph.nodes),
        )
    if (problem := pass_obstacle(graph)) is not None:
        raise FormatError("{reason}", reason=problem.sentence)


def check_finite(graph: Graph) -> None:
    """Raise FormatError if a value of the graph is infinite or no number."""
    for node, value in evaluate_values(graph).items():
        if not math.isfinite(value):
            raise FormatError(
                "{name} is {value} with these values; a lesson begins with finite numbers",
                name=graph.names[node],
                value=short(value),
            )


def leaf_values(
    table: Mapping[str, float], graph: Graph, path: KeyPath, faults: Faults
) -> dict[int, float]:
    """Return the number of each leaf, by id, in a table `values`; invalid entries become faults."""
    found: dict[int, float] = {}
    for name, value in table.items():
        try:
            found[leaf_called(name, graph)] = number_of(value)
        except EngineError as error:
            faults.add((*path, "values", name), error)
    return found
