"""Lecture file: a `.lecture.toml` with marks on one or several graphs, read and written.

    load_lecture(path)     the lecture; FormatError if the file has a fault
    problems(path)         all its faults, for `backwire lessons --check`
    lecture_text(lecture)  the text of the file; EngineError if it can't hold the lecture
    appended_text(...)     the same, with the text of a file and its comments kept above new marks

`docs/lectures.md` describes the file. A mark in it names its place by the step; the reader
anchors it to the wire or node of that step. A mark that does not fit its graph is a fault.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal, cast, get_args

from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from app.lessons.course import MOST_PARTS
from app.lessons.draft import counterpart
from app.lessons.faults import Fault, Faults, KeyPath, meant_or_one_of, quoted
from app.lessons.lecture import (
    Lecture,
    Passes,
    Placed,
    anchor_name,
    mark_at,
    mark_on,
    slide_of,
    step_of,
    wire_name_of,
    with_kind,
)
from app.lessons.lesson import Ask
from app.lessons.lesson_lecture import plain_line
from app.lessons.parsing import (
    NONE,
    Address,
    GraphReader,
    Name,
    Sentence,
    Table,
    Tables,
    Title,
    Yes,
    check_finite,
    check_graph,
    leaf_values,
    mistake_called,
    part_called,
    text_within,
)
from app.lessons.questions import ask_of, written_choices
from app.lessons.toml_file import (
    FORMAT,
    LECTURE,
    MOST_WORK,
    NOT_PLAIN,
    TOO_SLOW,
    fault_of,
    has_version,
    line,
    paragraph_line,
    parsed,
    tables_of,
)
from engine.errors import EngineError, FormatError
from engine.formats.expression import read, write
from engine.formats.files import read_content, shown_name
from engine.formats.native import Drawing
from engine.graph import Graph
from engine.names import is_plain_line
from engine.rules import BY_NAME, CORRECT, Rules
from engine.schedule import schedule_of
from engine.study.lecture import (
    CHOICE_LIMIT,
    MARK_LIMIT,
    NOTES_LIMIT,
    OWN_KINDS,
    PASS_KINDS,
    SAY_LIMIT,
    SECONDS_LIMIT,
    TITLE_LIMIT,
    VALUES_LIMIT,
    WIRE_KINDS,
    AskedKind,
    Mark,
    MarkKind,
    PollForm,
    check_mark,
    check_mark_count,
)
from engine.trace import Trace

GRAPH_LIMIT: Final = 20
"""Graphs of one lecture."""
KINDS: Final = tuple(kind for kind in get_args(AskedKind) if kind)
_STEP: Final = re.compile(r"(forward|backward) (\d{1,6})")
_KEYWORDS: Final = ("", "values", "end")


class LectureFile(Struct):
    """The keys of a lecture."""

    format: Annotated[int, Meta(ge=1, description="1, the version of the format")]
    title: Title
    mark: Annotated[tuple[dict[str, Any], ...], Meta(description="tables headed [[mark]]")]
    address: Address = ""


class MarkFile(Struct, frozen=True):
    """The keys of a mark."""

    kind: Annotated[MarkKind, Meta(description="one of show, ask, blank")] = "show"
    graph: Table = {}
    at: Name = ""
    title: Title = ""
    text: Sentence = ""
    ask: Annotated[
        str | dict[str, Any], Meta(description='a question: "sum", or { kind = "sum", … }')
    ] = ""
    choices: Tables = ()
    form: Annotated[PollForm, Meta(description="one of choices, number")] = "choices"
    notes: Annotated[str, text_within(NOTES_LIMIT)] = ""
    timer: Annotated[
        int,
        Meta(
            ge=0,
            le=SECONDS_LIMIT,
            description=f"a whole number of seconds from 0 to {SECONDS_LIMIT:,}",
        ),
    ] = 0
    reveal: Yes = True
    values: Annotated[
        dict[str, float],
        Meta(max_length=VALUES_LIMIT, description="a table of names and numbers: { a = 3 }"),
    ] = {}
    mistake: Name = ""


class PollChoiceFile(Struct):
    """The keys of one choice of a question in own words."""

    text: Annotated[str, text_within(CHOICE_LIMIT)]
    say: Annotated[str, text_within(SAY_LIMIT)] = ""
    right: Yes = False


def load_lecture(path: Path) -> Lecture:
    """Return the lecture in a file; FormatError with the first fault."""
    lecture, faults = _read(path)
    if lecture is None:
        first = faults[0].line_text(shown_name(path))
        raise FormatError("{first}", first=first)
    return lecture


def problems(path: Path) -> tuple[str, ...]:
    """Return the faults of a file, one line each."""
    name = shown_name(path)
    return tuple(fault.line_text(name) for fault in _read(path)[1])


def _read(path: Path) -> tuple[Lecture | None, tuple[Fault, ...]]:
    """Return the lecture, None if the file has faults; and the faults."""
    try:
        return _read_content(path, read_content(path))
    except FormatError as error:
        return None, (fault_of(error),)


def _read_content(path: Path, content: bytes) -> tuple[Lecture | None, tuple[Fault, ...]]:
    """Return the lecture in the content of a file, None if it has faults; and the faults."""
    table, faults = parsed(content, LECTURE)
    lecture = _LectureReader(path, table, faults).lecture()
    return (None, faults.found) if faults.count or lecture is None else (lecture, ())


class _LectureReader:
    """Reads the tables of one file."""

    def __init__(self, path: Path, table: dict[str, Any], faults: Faults) -> None:
        self._path, self._table, self._faults = path, table, faults
        self._reader = GraphReader(path, faults, LECTURE)
        self._tables: list[object] = []
        """The distinct tables of the graphs read; equal tables are one graph."""
        self._drawings: list[Drawing | None] = []
        """The graph of each table, None for one with a fault."""
        self._work = 0
        """Steps of the passes of all marks read."""

    def lecture(self) -> Lecture | None:
        """Return the lecture; None, with faults added, if a key of the lecture is invalid."""
        if not has_version(self._table, self._faults):
            return None
        file = self._faults.table(LectureFile, self._table, ())
        marks = self._marks(tables_of(self._table.get("mark")))
        if file is None:
            return None
        for key, text in (("title", file.title), ("address", file.address)):
            if not is_plain_line(text):
                self._faults.add((key,), NOT_PLAIN)
        drawings = tuple(drawing for drawing in self._drawings if drawing is not None)
        sources = tuple(_source(table) for table in self._tables)
        name = self._path.name
        return Lecture(file.title, drawings, tuple(marks), name, sources, file.address)

    def _marks(self, tables: list[dict[str, Any]]) -> list[Placed]:
        """Return the marks that could be read; those on a wrong graph are checked by schema."""
        if "mark" in self._table and not 1 <= len(tables) <= MARK_LIMIT:
            clause = f"a lecture has 1 to {MARK_LIMIT} marks, not {len(tables):,}"
            self._faults.add(("mark",), clause)
        marks, index = list[Placed](), -1
        for k, table in enumerate(tables[:MARK_LIMIT]):
            path: KeyPath = ("mark", k)
            before = self._faults.count
            file = self._faults.table(MarkFile, table, path)
            if "graph" in table:
                index = self._graph(table["graph"], (*path, "graph"))
            elif not k:
                index = self._first_graph(tables, file, path)
            drawing = self._drawings[index] if index >= 0 else None
            if file is None or drawing is None:
                continue
            self._check_texts(file, path)
            is_clean = self._faults.count == before
            reader = _MarkReader(file, drawing.graph, path, self._faults, self._count_work)
            mark = reader.mark("kind" in table, is_clean)
            if mark is not None:
                marks.append(Placed(index, mark))
        return marks

    def _first_graph(
        self, tables: list[dict[str, Any]], file: MarkFile | None, path: KeyPath
    ) -> int:
        """Return the index of the graph of blank screens before all graphs: the first that follows.

        It is −1, with a fault added, if the first mark shows or asks something.
        """
        headed = [k for k, table in enumerate(tables) if "graph" in table]
        if file is not None and file.kind == "blank" and headed:
            return self._graph(tables[headed[0]]["graph"], ("mark", headed[0], "graph"))
        self._faults.add(path, "the first mark needs a graph")
        return -1

    def _count_work(self, steps: int) -> None:
        """Add the steps of a pass; EngineError once those of the lecture exceed MOST_WORK."""
        self._work += steps
        if self._work > MOST_WORK:
            raise EngineError(TOO_SLOW)

    def _check_texts(self, file: MarkFile, path: KeyPath) -> None:
        for key, text in (("title", file.title), ("text", file.text), ("notes", file.notes)):
            lines = text.split("\n") if key == "notes" else [text]
            if not all(map(is_plain_line, lines)):
                self._faults.add((*path, key), NOT_PLAIN)

    def _graph(self, table: object, path: KeyPath) -> int:
        """Return the index of the graph in a table; −1, with a fault added, beyond GRAPH_LIMIT."""
        if table in self._tables:
            return self._tables.index(table)
        if len(self._tables) == GRAPH_LIMIT:
            self._faults.add(path, f"a lecture has up to {GRAPH_LIMIT} graphs")
            return -1
        self._tables.append(table)
        drawing = self._reader.drawing(table, path)
        if drawing is not None and table.keys() >= {"file", "values"}:  # pyright: ignore
            clause = "values belong to an expression; a mark has values of its own"
            self._faults.add((*path, "values"), clause, within=path)
        self._drawings.append(drawing)
        return len(self._tables) - 1


def _source(table: object) -> str:
    """Return the name of the file of a graph, or its expression."""
    found = cast("dict[str, str]", table) if isinstance(table, dict) else {}
    return found.get("file") or found.get("expression", "")


class _MarkReader:
    """Reads one mark on its graph."""

    def __init__(
        self,
        file: MarkFile,
        graph: Graph,
        path: KeyPath,
        faults: Faults,
        count_work: Callable[[int], None],
    ) -> None:
        self._file, self._path, self._faults = file, path, faults
        self._count_work = count_work
        self._graph = graph
        self._passes = Passes(graph)
        self._key = "at"
        """The key being read, which gets the fault of an EngineError; "" for the whole mark."""

    def mark(self, has_kind: bool, is_clean: bool) -> Mark | None:
        """Return the mark; None, with faults added, if there is an error.

        A mark with faults of its keys, not `is_clean`, is not checked as a whole.
        """
        file, before = self._file, self._faults.count
        values = leaf_values(file.values, self._graph, self._path, self._faults)
        choices = written_choices(file.choices, self._path, self._faults, PollChoiceFile)
        if self._faults.count > before:
            return None
        try:
            mark = self._asking(replace(self._place(values), values=tuple(values.items())))
            if self._faults.count > before:
                return None
            kind = mark.kind if file.kind == "show" and not has_kind else file.kind
            mark = replace(
                mark,
                kind=kind,
                title=file.title,
                text=file.text,
                notes=file.notes,
                choices=choices,
                form=file.form,
                seconds=file.timer,
                reveals=file.reveal,
            )
            if not is_clean:
                return None
            self._key = ""
            check_mark(mark)
            if misfit := slide_of(Placed(0, mark), self._graph).misfit:
                raise EngineError("{misfit}", misfit=misfit)
        except EngineError as error:
            place = (*self._path, self._key) if self._key else self._path
            reason = str(error).rstrip(".").removesuffix(" now")  # in a file nothing has changed
            self._faults.add(place, EngineError("{reason}", reason=reason))
            return None
        return mark

    def _place(self, values: Mapping[int, float]) -> Mark:
        """Return a mark that shows the place `at`."""
        file, graph = self._file, self._graph.with_values(values)
        self._key = "mistake"
        name = mistake_called(file.mistake) if file.mistake else NONE
        rules = BY_NAME.get(name, CORRECT)
        self._key = "at"
        found = _STEP.fullmatch(file.at)
        if found is None and file.at in ("", "values"):
            return mark_at(graph, "live", 0, rules)
        phase: Literal["forward", "backward"] = "backward"
        if found is not None and found[1] == "forward":
            phase = "forward"
        root = graph.root
        assert root is not None  # or the graph was refused
        last = len(schedule_of(graph, root, phase, rules))
        self._count_work(last)
        if found is None and file.at != "end":
            return self._place_on(graph, rules)
        step = last if found is None else int(found[2])
        if step > last:
            raise EngineError("the {phase} pass ends at step {last}", phase=phase, last=last)
        return mark_at(graph, phase, step, rules)

    def _place_on(self, graph: Graph, rules: Rules) -> Mark:
        """Return a mark that shows a wire or node named by `at`."""
        try:
            part = part_called(self._file.at, graph)
        except EngineError as error:
            if graph.node_named(self._file.at.partition(".")[0]) is not None:
                raise error
            raise EngineError(
                '"{text}" is no place; write values, forward K, backward K, end, a node or a wire',
                text=quoted(self._file.at),
            ) from None
        return mark_on(graph, part, rules)

    # questions

    def _asking(self, place: Mark) -> Mark:
        """Return the mark with the question `ask`, or as it is without one."""
        ask = self._file.ask
        self._key = "ask"
        if not ask:
            return place
        if isinstance(ask, dict):
            return self._asking_by_table(ask, place)
        kind = _asked_kind(ask)
        if kind in OWN_KINDS:
            return replace(place, kind="ask", asks=kind)
        try:
            found = with_kind(place, self._graph, "ask", kind)
        except EngineError:
            raise EngineError(
                "no {kind} can be asked at {at}; name the wire or the node in a table",
                kind=kind,
                at=self._file.at or "values",
            ) from None
        return replace(found, form="choices", reveals=True)

    def _asking_by_table(self, table: dict[str, Any], place: Mark) -> Mark:
        kind = _asked_kind(str(table.get("kind", "")))
        if kind in OWN_KINDS:
            raise EngineError(
                'it is written ask = "{kind}"; text and choices are keys of the mark', kind=kind
            )
        ask = ask_of(table, self._graph, (*self._path, "ask"), self._faults)
        if ask is None:
            return place  # a fault was added
        if kind == "next":
            return with_kind(place, self._graph, "ask", kind)
        mark = Mark("ask", "backward", asks=kind, values=place.values, mistake=place.mistake)
        if kind in PASS_KINDS:
            if place.phase == "forward":
                raise EngineError("{kind} belongs to the backward pass", kind=kind)
            name = anchor_name(self._graph, ask.node or 0)
            return replace(
                mark, step=place.step, node=ask.node, leaf=ask.leaf, to=ask.to, name=name
            )
        return self._asking_of_step(mark, ask, place)

    def _asking_of_step(self, mark: Mark, ask: Ask, place: Mark) -> Mark:
        """Return the question of a table about one step: its first, or the one at `at`."""
        node, slot = ask.wire if ask.wire is not None else (ask.node or 0, None)
        phase = "backward" if mark.asks in WIRE_KINDS else "forward"
        mark = replace(mark, phase=phase, node=node, slot=slot, step=place.step)
        mark = replace(mark, name=anchor_name(self._graph, node, slot))
        step = step_of(mark, self._passes.trace(mark))
        if place.phase != "live" and (place.phase, place.step) != (phase, step):
            raise EngineError(
                "{at} is not a step of {name}; leave at out for its first",
                at=self._file.at,
                name=mark.name,
            )
        return replace(mark, step=step)


def _asked_kind(text: str) -> AskedKind:
    """Return the kind of a question; EngineError for another text."""
    if text not in KINDS:
        raise EngineError(
            '"{text}" is no question; {known}',
            text=quoted(text),
            known=meant_or_one_of(text, KINDS),
        )
    return cast("AskedKind", text)


# as a text


class _WrittenGraph(Struct, frozen=True):
    """A graph's table, the graph that it reads back as, and ids there by ids in the lecture."""

    table: dict[str, object]
    graph: Graph
    ids: Mapping[int, int]


def lecture_text(lecture: Lecture) -> str:
    """Return the text of a lecture's file, which reads back the same.

    Raises EngineError, with a sentence, for too many marks or graphs, a mark that does not fit its
    graph, and a graph that no expression gives and that has no file. An expression keeps no layout,
    and a mark outside of a pass no node.
    """
    title = plain_line(lecture.title, TITLE_LIMIT) or "Lecture"
    _check_counts(lecture)
    address = [line("address", lecture.address)] if lecture.address else []
    lines = [f"format = {FORMAT}", line("title", title), *address, *_tables(lecture, 0)]
    return "\n".join(lines) + "\n"


def appended_text(path: Path, before: bytes, marks: int, lecture: Lecture) -> str:
    """Return the text of a lecture's file with new marks below those that it has, `marks` many.

    The text `before`, with its comments, is kept where that reads back the same; else all is
    written anew. Raises EngineError as `lecture_text` does.
    """
    anew = lecture_text(lecture)
    try:
        kept = "\n".join([before.decode("utf-8").rstrip(), *_tables(lecture, marks)]) + "\n"
        found = [_read_content(path, text.encode("utf-8")) for text in (kept, anew)]
    except (FormatError, UnicodeDecodeError):
        return anew
    return kept if found[0] == found[1] else anew


def _tables(lecture: Lecture, first: int) -> list[str]:
    """Return the lines of the tables of all marks from the one with index `first` on."""
    lines = list[str]()
    graphs: dict[int, _WrittenGraph] = {}
    before = lecture.marks[first - 1].graph if first else -1
    for number, placed in enumerate(lecture.marks[first:], first + 1):
        index = placed.graph
        if index not in graphs:
            graphs[index] = _written_graph(lecture, index)
        try:
            keys = _mark_lines(_on(graphs[index], placed.mark), graphs[index].graph)
        except EngineError as error:
            reason = str(error).rstrip(".")
            raise FormatError("Mark {number}: {reason}.", number=number, reason=reason) from None
        table = [] if index == before else [line("graph", graphs[index].table)]
        lines += ["", "[[mark]]", *table, *keys]
        before = index
    return lines


def _check_counts(lecture: Lecture) -> None:
    check_mark_count(len(lecture.marks))
    if not lecture.marks:
        raise FormatError("A lecture has at least one mark.")
    if len({placed.graph for placed in lecture.marks}) > GRAPH_LIMIT:
        raise FormatError("A lecture has up to {limit} graphs.", limit=GRAPH_LIMIT)


def _written_graph(lecture: Lecture, index: int) -> _WrittenGraph:
    graph, sources = lecture.drawings[index].graph, lecture.graph_sources
    source = sources[index] if index < len(sources) else ""
    same = {node: node for node in graph.nodes}
    if source.endswith(".backwire"):
        return _WrittenGraph({"file": source}, graph, same)
    try:
        check_graph(graph, LECTURE)
        check_finite(graph, LECTURE)
        if source and (table := _table_of(source, graph)) is not None:
            return _WrittenGraph(table, graph, same)
        return _as_expression(graph)
    except EngineError as error:
        raise FormatError(
            "Graph {number} can't be written as an expression: {reason}. Save it as a file first.",
            number=index + 1,
            reason=str(error).rstrip("."),
        ) from None


def _table_of(expression: str, graph: Graph) -> dict[str, object] | None:
    """Return the table of an expression and values that give exactly a graph; None if none do."""
    values = _values_by_name(graph)
    try:
        if read(expression) == graph:
            return {"expression": expression}
        is_short = len(values) <= MOST_PARTS
        if is_short and read(expression).with_values(graph.leaf_values) == graph:
            return {"expression": expression, "values": values}
    except EngineError:
        return None
    return None


def _as_expression(graph: Graph) -> _WrittenGraph:
    """Return a graph as an expression made of it."""
    ids = counterpart(graph, read(write(graph, values=False)))
    if ids is None or len(graph.roots()) > 1:
        raise EngineError("that would be another graph")
    values = _values_by_name(graph)
    is_short = len(values) <= MOST_PARTS
    expression = write(graph, values=not is_short)
    again = read(expression, values if is_short else None)
    table: dict[str, object] = {"expression": expression}
    found = counterpart(graph, again)
    assert found is not None
    return _WrittenGraph({**table, "values": values} if is_short else table, again, found)


def _values_by_name(graph: Graph) -> dict[str, float]:
    return {graph.names[leaf]: value for leaf, value in graph.leaf_values.items()}


def _on(written: _WrittenGraph, mark: Mark) -> Mark:
    """Return a mark on the graph as it is written; EngineError if a node of it is gone."""
    ids = written.ids
    asked = [n for n in (mark.node, mark.leaf, *(n for n, _value in mark.values)) if n is not None]
    if not ids.keys() >= set(asked):
        raise EngineError("a node or wire of it is gone")
    return replace(
        mark,
        node=None if mark.node is None else ids[mark.node],
        leaf=None if mark.leaf is None else ids[mark.leaf],
        values=tuple((ids[node], value) for node, value in mark.values),
    )


def _mark_lines(mark: Mark, graph: Graph) -> list[str]:
    """Return the lines of a mark; EngineError, with the reason, if it does not fit its graph."""
    slide = slide_of(Placed(0, mark), graph)
    if slide.misfit:
        raise EngineError("{misfit}", misfit=slide.misfit)
    choices = [
        {key: value for key, value in asdict(choice).items() if value} for choice in mark.choices
    ]
    values = {graph.names[node]: value for node, value in mark.values}
    keys = {
        "kind": mark.kind,
        "at": _at_text(mark, graph),
        "title": mark.title,
        "ask": _ask_value(mark, graph),
        "text": mark.text,
        "choices": choices,
        "form": "" if mark.form == "choices" else mark.form,
        "timer": mark.seconds,
        "values": values,
        "mistake": mark.mistake,
    }
    lines = [line(key, value) for key, value in keys.items() if value]
    if not mark.reveals:
        lines.append(line("reveal", mark.reveals))
    return [*lines, *([paragraph_line("notes", mark.notes)] if mark.notes else [])]


def _at_text(mark: Mark, graph: Graph) -> str:
    """Return the place of a mark; "" outside of a pass, and for a question about a whole pass."""
    if mark.phase == "live":
        return ""
    try:
        trace = Passes(graph).trace(mark)
        if mark.asks in PASS_KINDS:
            return f"backward {min(mark.step, len(trace))}" if mark.step else ""
        step = step_of(mark, trace)
    except EngineError:  # a blank screen fits also where its place is gone
        return ""
    if mark.node is None and mark.step and mark.phase == "backward":
        return "end"
    is_own = not mark.asks or mark.asks in OWN_KINDS
    name = _part_name(mark, graph, trace, step) if is_own and mark.phase == "backward" else ""
    return name or f"{mark.phase} {step}"


def _part_name(mark: Mark, graph: Graph, trace: Trace, step: int) -> str:
    """Return the name by which a step reads back as that of a mark's node or wire; else ""."""
    if mark.node is None:
        return ""
    name, schedule = graph.names[mark.node], trace.schedule
    if mark.slot is None:
        complete = schedule.arrivals.get(mark.node, (0,))[-1] + 1
        is_own = schedule.wires[step - 1] is None
        return name if not is_own and step == complete and name not in _KEYWORDS else ""
    # `backward N` with the last step reads back as the end of the pass, without a wire
    is_first = schedule.wires.index((mark.node, mark.slot)) + 1 == step
    return wire_name_of(name, mark.slot) if step == len(trace) and is_first else ""


def _ask_value(mark: Mark, graph: Graph) -> object:
    """Return a question: its kind at a step, or a table that names the node."""
    if mark.asks not in PASS_KINDS:
        return mark.asks
    assert mark.node is not None
    table: dict[str, object] = {"kind": mark.asks}
    if mark.leaf is not None:
        table |= {"leaf": graph.names[mark.leaf], "to": mark.to}
    return {**table, "node": graph.names[mark.node]}
