"""Draft: a lesson that is being written, as an immutable value, and its text as a file.

    Draft            head and steps, as the schema of the file has them
    written(draft)   the text of its file
    draft_of(text)   the draft in such a text
    reading(draft)   its faults, and the situations in which its steps begin
    new_step(...)    a step that begins as a sheet stands

The checker of lesson files, `app.lessons.load`, judges it; nothing here knows what is right.

>>> draft = Draft(title='A "new" one', graph=GraphFile("y = a*b", {"a": 2, "b": 5}))
>>> draft_of(written(draft)) == draft
True
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, cast

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from app.lessons.lesson import StepKind, wire_name
from app.lessons.lesson_faults import Faults, lines_of, quoted
from app.lessons.load import Reading, reading_of
from app.lessons.parsing import (
    KEYS_OF_KIND,
    KEYWORDS,
    GraphFile,
    GraphReader,
    LessonFile,
    StepFile,
    start_of,
)
from app.lessons.situation import PassPlace, Situation
from app.lessons.toml_file import FORMAT, changed_lines, check_size, line, parsed, tables_of
from engine.errors import EngineError, FormatError
from engine.formats.expression import read, write
from engine.formats.native import Drawing
from engine.graph import Constant, Graph, Leaf, OpNode, Root, Wire
from engine.problems import pass_obstacle
from engine.rules import CORRECT
from engine.trace import run_forward

NO_GRAPH: Final = GraphFile()
UNNAMED: Final = Path("lesson.toml")
"""The path of a draft that was never saved."""
_HEAD_KEYS: Final = ("title", "able", "needs", "minutes", "attacks", "surprise", "end", "address")
"""The keys of the head besides its graph, in the order in which they are written."""


class Draft(Struct, frozen=True):
    """A lesson that is being written: the keys of its head, and its steps; all may be empty.

    `needs` and `attacks` are those of `app.lessons.lesson.Lesson`.
    """

    title: str = ""
    able: str = ""
    surprise: str = ""
    minutes: int = 0
    graph: GraphFile = NO_GRAPH
    steps: tuple[StepFile, ...] = ()
    needs: tuple[str, ...] = ()
    attacks: tuple[str, ...] = ()
    end: Literal["pass", "stays"] = "pass"
    address: str = ""
    carries: bool = True
    """Whether each step begins as the one before left it, else on the graph of the head."""

    def with_step(self, at: int, step: StepFile) -> Draft:
        """Return the draft with another step, at an index."""
        return replace(self, steps=(*self.steps[:at], step, *self.steps[at:]))

    def with_changed(self, at: int, **keys: object) -> Draft:
        """Return the draft with other keys in one step."""
        changed = replace(self.steps[at], **keys)
        return replace(self, steps=(*self.steps[:at], changed, *self.steps[at + 1 :]))

    def without_step(self, at: int) -> Draft:
        return replace(self, steps=(*self.steps[:at], *self.steps[at + 1 :]))

    def with_moved(self, at: int, to: int) -> Draft:
        """Return the draft with a step at another index."""
        return self.without_step(at).with_step(to, self.steps[at])


class OpenedFile(NamedTuple):
    """A lesson file as a sheet: its graph with the layout, its steps, title and graph's table."""

    drawing: Drawing
    lesson: str
    title: str
    table: GraphFile


def sheet_of_file(content: bytes, path: Path) -> OpenedFile:
    """Return a lesson file as a sheet with its steps; FormatError if it can't be opened so."""
    _table, faults = parsed(content)
    draft = draft_of(content.decode("utf-8"))
    drawing = GraphReader(path, faults).drawing(
        {key: value for key, value in asdict(draft.graph).items() if value}, ("graph",)
    )
    if drawing is None:
        raise FormatError("{fault}", fault=faults.found[0].line_text(path.name))
    lesson = written(replace(draft, graph=NO_GRAPH))
    return OpenedFile(drawing, lesson, draft.title, draft.graph)


# as a text


def written(draft: Draft) -> str:
    """Return the text of the draft's file."""
    lines = [f"format = {FORMAT}"]
    head = {key: getattr(draft, key) for key in _HEAD_KEYS}
    is_of_file = draft.graph != NO_GRAPH
    needed = ("title",) if is_of_file else ()
    unset = ("", (), 0, "pass")
    lines += [line(key, head[key]) for key in head if head[key] not in unset or key in needed]
    if not draft.carries:
        lines.append(line("carries", draft.carries))
    if is_of_file:
        lines += ["", "[graph]", *changed_lines(draft.graph, ())]
    lines += [f"\n{step_text(step)}" for step in draft.steps]
    return "\n".join(lines) + "\n"


def step_text(step: StepFile) -> str:
    return "\n".join(("[[step]]", *changed_lines(step, ("kind",))))


def draft_of(text: str) -> Draft:
    """Return the draft in a text, "" for a sheet without steps; FormatError if it does not fit."""
    if not text:
        return Draft(carries=False)
    check_size(text)
    faults = Faults(lines_of(text))
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, ValueError) as error:
        raise FormatError("this is not TOML: {reason}", reason=str(error).rstrip(".")) from None
    version = table.get("format")
    if isinstance(version, int) and version > FORMAT:
        raise FormatError("format {version} is newer than this program", version=quoted(version))
    known = {key: value for key, value in table.items() if key in LessonFile.__struct_fields__}
    head = _head_of(known, faults)
    steps = tuple(
        faults.table(StepFile, step, ("step", k))
        for k, step in enumerate(tables_of(table.get("step") or []))
    )
    unknown = [key for key in table if key not in known]
    if unknown:
        name = quoted(unknown[0])
        faults.add((unknown[0],), f'"{name}" is no key here', within=(name,))
    if faults.count or head is None:
        found = faults.found[0].line_text("line").replace("line:", "line ", 1)
        raise FormatError("{fault}", fault=found)
    return replace(head, steps=cast("tuple[StepFile, ...]", steps))


def _head_of(table: Mapping[str, Any], faults: Faults) -> Draft | None:
    """Return the head of a draft; texts may be empty, as they are while it is written."""
    graph = faults.table(GraphFile, table.get("graph") or {}, ("graph",))
    keys = {key: table[key] for key in (*_HEAD_KEYS, "carries") if key in table}
    try:
        head = msgspec.convert(keys, Draft, strict=True)
    except msgspec.ValidationError as error:
        faults.add((), str(error))
        return None
    return None if graph is None else replace(head, graph=graph)


# as the checker sees it


def reading(draft: Draft, path: Path = UNNAMED, graph: Graph | None = None) -> Reading:
    """Return the faults of a draft, and its steps as they are played, on the graph of a sheet."""
    return reading_of(written(draft), path, graph)


def situation_after(
    draft: Draft, at: int, path: Path = UNNAMED, graph: Graph | None = None
) -> Situation | None:
    """Return the situation that the steps before an index leave behind; None without a graph."""
    first = replace(draft, steps=(*draft.steps[:at], StepFile(kind="say")))
    played = reading(first, path, graph).played.get(at)
    return None if played is None or played.step is None else played.step.begun


# a step from a sheet


def graph_file(graph: Graph) -> GraphFile:
    """Return a graph as a formula with values; EngineError if it can't be written so."""
    if (problem := pass_obstacle(graph)) is not None:
        raise EngineError(problem.sentence)
    text = "; ".join(line for line in write(graph, values=False).splitlines() if line)
    if counterpart(graph, read(text)) is None:
        raise EngineError("A lesson holds only what leads to the root; delete the rest first.")
    return GraphFile(text, {graph.names[n]: value for n, value in graph.leaf_values.items()})


def counterpart(graph: Graph, other: Graph) -> Mapping[int, int] | None:
    """Return which node of `other` each node of `graph` is; None if the wiring differs.

    Nodes with the same ids are compared first, else what leads to the root: in a graph that was
    read from its formula the nodes have other ids.
    """
    if graph.root == other.root and all(
        n in graph.nodes and _is_same(found, graph.nodes[n], {k: k for k in graph.nodes})
        for n, found in other.nodes.items()
        if not isinstance(found, Root)
    ):
        same = {n: n for n, found in graph.nodes.items() if not isinstance(found, Root)}
        if same.keys() <= other.nodes.keys():
            return same
    found = dict[int, int]()
    if graph.root is None or other.root is None or not _match(graph, other, found):
        return None
    nodes = {n for n, node in graph.nodes.items() if not isinstance(node, Root)}
    return found if nodes == found.keys() else None


def _match(graph: Graph, other: Graph, found: dict[int, int]) -> bool:
    """Fill `found` with the nodes that lead to the root, by walking both graphs at once.

    Return whether they are the same.
    """
    assert graph.root is not None
    assert other.root is not None
    stack = [(graph.root, other.root)]
    while stack:
        a, b = stack.pop()
        if a in found:
            if found[a] != b:
                return False
            continue
        found[a] = b
        inputs, others = graph.inputs(a), other.inputs(b)
        if len(inputs) != len(others):
            return False
        for one, two in zip(inputs, others, strict=True):
            if (one is None) != (two is None):
                return False
            if one is not None and two is not None:
                stack.append((one, two))
    return len({*found.values()}) == len(found) and all(
        _is_same(graph.nodes[a], other.nodes[b], found) for a, b in found.items()
    )


def _is_same(a: object, b: object, ids: Mapping[int, int]) -> bool:
    """Return whether two nodes are alike but for the value of a leaf."""
    if isinstance(a, Leaf) and isinstance(b, Leaf):
        return a.label == b.label
    if isinstance(a, Constant) and isinstance(b, Constant):
        return a.value == b.value
    if isinstance(a, OpNode) and isinstance(b, OpNode):
        inputs = tuple(None if n is None else ids.get(n) for n in a.inputs)
        return a.op == b.op and a.label == b.label and inputs == b.inputs
    return False


def new_step(
    kind: StepKind, now: Situation, before: Situation | None, selected: Collection[int | Wire] = ()
) -> tuple[StepFile, GraphFile | None]:
    """Return a step that begins as the sheet is now, and the graph it needs if it is another one.

    `before` is the situation that the step before leaves behind; `selected` is lit.
    """
    # `ids`: node of the sheet → node of the lesson's graph, in which the step names things
    own, ids = None, None if before is None else counterpart(now.graph, before.graph)
    if before is None or ids is None:
        own = graph_file(now.graph)
        graph = read(own.expression)
        ids = counterpart(now.graph, graph)
        assert ids is not None
        values = dict[str, float]()
        rules = CORRECT
    else:
        graph, rules = before.graph, before.rules
        known = graph.leaf_values
        values = {
            graph.names[ids[n]]: value
            for n, value in now.graph.leaf_values.items()
            if value != known[ids[n]]
        }
    # a pass by hand follows no rules
    mistake = "" if now.rules is rules or now.hand is not None else now.rules.name
    if now.rules is CORRECT and rules is not CORRECT:
        mistake = "none"
    step = StepFile(
        kind=kind,
        start=start_text(now, asks=kind == "ask"),
        values=values,
        mistake="" if kind == "hunt" else mistake,  # a hunt draws its own
        settings=_settings(now, before),
        light=tuple(part_name(part, graph, ids) for part in selected if _node(part) in ids),
    )
    return step, own


def with_kind(step: StepFile, kind: StepKind) -> StepFile:
    """Return the step as one of another kind, without the keys that belong to its own."""
    dropped = {key for key in KEYS_OF_KIND[step.kind] if key not in KEYS_OF_KIND[kind]}
    kept = {key: getattr(step, key) for key in StepFile.__struct_fields__ if key not in dropped}
    changed: dict[str, Any] = {**kept, "kind": kind}
    return StepFile(**changed)


def part_name(part: int | Wire, graph: Graph, ids: Mapping[int, int] | None = None) -> str:
    """Return the name that a node or wire has in the graph of a lesson.

    `ids` has the lesson's node of each node of the sheet, as `counterpart` returns it; without it
    the part is one of the graph itself.
    """
    node = _node(part) if ids is None else ids[_node(part)]
    return wire_name(graph, (node, part[1])) if isinstance(part, tuple) else graph.names[node]


def _node(part: int | Wire) -> int:
    """Return the node itself, or the node that a wire leads to."""
    return part[0] if isinstance(part, tuple) else part


class StartPlace(NamedTuple):
    """Where a step begins, as a file has it, and the place of the pass that this is now."""

    text: str
    place: PassPlace


def start_at(now: Situation, part: int | Wire | None = None) -> StartPlace:
    """Return the place shown, or the first step of a wire, or the step that completes a node.

    Raises EngineError if the pass does not use it.
    """
    graph, mistake = now.graph, "" if now.rules is CORRECT else now.rules.name
    if part is None:
        return StartPlace(start_text(now), PassPlace(now.phase, now.cursor, mistake))
    if now.phase == "forward":
        receivers = run_forward(graph).schedule.receivers
        node = _node(part)
        if node not in receivers:  # a leaf has its value before any step
            return StartPlace("values", PassPlace("live", 0, mistake))
        step = receivers.index(node) + 1
        return StartPlace(f"forward {step}", PassPlace("forward", step, mistake))
    name = part_name(part, graph)
    _start, step = start_of(name, replace(now, hand=None), asks=False)
    return StartPlace(_shortest(name, step, now), PassPlace("backward", step, mistake))


def _shortest(name: str, step: int, now: Situation) -> str:
    return f"backward {step}" if name in KEYWORDS else name


def start_text(now: Situation, *, asks: bool = False) -> str:
    """Return where a step begins, by its wire or node where that is its only one or the last.

    One that `asks` begins before the wire.
    """
    if now.hand is not None:
        return "hand"
    if now.mode == "descent":
        return "descent"
    if now.phase != "backward":
        return f"forward {now.cursor}" if now.phase == "forward" else "values"
    frame = now.known_frame
    if now.cursor == frame.total:
        return "end"
    event = frame.next_event if asks else frame.event
    if event is not None:
        name = part_name(event.wire or event.node, now.graph)
        with suppress(EngineError):
            if name not in KEYWORDS and start_of(name, now, asks=asks)[1] == now.cursor:
                return name
    return f"backward {now.cursor}"


def _settings(now: Situation, before: Situation | None) -> dict[str, object]:
    """Return the settings of the pages that differ from those before."""
    base = Situation(now.graph) if before is None else before
    keys = ("h", "method", "rate") if now.mode == "descent" else ("h", "method")
    return {key: getattr(now, key) for key in keys if getattr(now, key) != getattr(base, key)}
