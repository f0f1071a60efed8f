"""Load: a lesson from a TOML file, or everything that is wrong with it.

Nothing of a file is run: formulas are read as formulas, moves by the words they are made of.
"""

from __future__ import annotations

import math
import re
import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, cast

import msgspec

from app.lessons import index
from app.lessons.faults import Fault, Faults, one_of, quoted
from app.lessons.lesson import Lesson, Step
from app.lessons.lines import KeyPath, lines_of
from app.lessons.parsing import MISTAKE_NAMES, leaf_called, number_of
from app.lessons.play import Player
from app.lessons.schema import FEWEST_STEPS, FORMAT, MOST_STEPS, GraphFile, LessonFile
from app.lessons.situation import situation_of
from engine.errors import EngineError, FormatError, PlacedFormatError
from engine.formats.expression import read
from engine.formats.files import decoded, load, read_content, shown_name
from engine.graph import Graph
from engine.numbers import short
from engine.problems import pass_obstacle
from engine.study.slips import BY_NAME as SLIPS
from engine.trace import evaluate_values

SIZE_LIMIT: Final = 128 * 1024
"""Bytes of a lesson, and of a graph beside it: many times the longest one."""
NODE_LIMIT: Final = 200
"""Nodes of a lesson's graph: more can't be read on the sheet."""
_NOT_TOML: Final = "this is not TOML: {reason}"
_NOT_TOML_AT: Final = "this is not TOML: {reason} (column {column})"
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_AT: Final = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|end of document)\)", re.DOTALL)


def load_lesson(path: Path) -> Lesson:
    """Return the lesson in a file; FormatError with the first fault and the number of others."""
    lesson, faults = _read(path)
    if lesson is None:
        first = faults[0].told(shown_name(path))
        raise FormatError("{first}", first=first)
    return lesson


def problems(path: Path) -> tuple[str, ...]:
    """Return everything that is wrong with a file, each as one line; () if nothing is."""
    name = shown_name(path)
    return tuple(fault.told(name) for fault in _read(path)[1])


def _read(path: Path) -> tuple[Lesson | None, tuple[Fault, ...]]:
    """Return the lesson, or None and what is wrong with the file."""
    try:
        content = _content(path)
        table, faults = _parsed(content)
    except FormatError as error:
        return None, (_fault_of(error),)
    lesson = _Reading(path, table, faults).lesson(sha256(content).hexdigest())
    return (None, faults.found) if faults.count or lesson is None else (lesson, ())


def _content(path: Path) -> bytes:
    content = read_content(path)
    if len(content) > SIZE_LIMIT:
        raise FormatError("the file is larger than {limit} KiB", limit=SIZE_LIMIT // 1024)
    return content


def _parsed(content: bytes) -> tuple[dict[str, Any], Faults]:
    """Return the tables of a text and where its keys stand; FormatError for what is no TOML."""
    text = decoded(content, "the file").replace("\r\n", "\n")
    if found := _CONTROL.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise FormatError("a control character can't stand in a lesson", line=line)
    lines = lines_of(text)
    try:
        return tomllib.loads(text), Faults(lines)
    except tomllib.TOMLDecodeError as error:
        found = _AT.fullmatch(str(error))
        reason = (found[1] if found else str(error)).rstrip(".")
        line = int(found[2]) if found and found[2] else text.count("\n") + 1
        raise FormatError("this is not TOML: {reason}", reason=reason, line=line) from None
    except ValueError:  # more digits than Python reads
        raise FormatError("a number or a date can't be read", line=1) from None


def _fault_of(error: FormatError) -> Fault:
    unread = 0 if "path" in error.fields else 1  # then the sentence names the file
    line = error.fields.get("line", unread)
    return Fault(line if isinstance(line, int) else unread, "", str(error).rstrip("."))


class _Reading:
    """Reads the tables of one file."""

    def __init__(self, path: Path, table: dict[str, Any], faults: Faults) -> None:
        self._path, self._table, self._faults = path, table, faults

    def lesson(self, digest: str) -> Lesson | None:
        """Return the lesson; None where its tables are too wrong to be played."""
        version = self._table.get("format")
        if isinstance(version, int) and version > FORMAT:
            clause = f"format {quoted(version)} is newer than this program, which reads {FORMAT}"
            self._faults.add(("format",), clause, within=())
            return None
        if version is not None and next(iter(self._table)) != "format":
            self._faults.add(("format",), "format = 1 comes first", within=())
        file = self._faults.table(LessonFile, self._table, ())
        if file is not None:
            self._check_names(file)
        graph = self._graph(self._table.get("graph"), ("graph",))
        steps = self._steps(_tables(self._table.get("step")), graph)
        if file is None or graph is None:
            return None
        return Lesson(
            self._path.stem,
            file.title,
            file.able,
            file.surprise,
            file.minutes,
            graph,
            tuple(steps),
            file.needs,
            file.attacks,
            digest,
            self._path,
        )

    def _check_names(self, file: LessonFile) -> None:
        known = index.names()
        for name in file.needs:
            if name not in known:
                self._faults.add(("needs",), f'"{quoted(name)}" is no lesson; {one_of(known)}')
        for name in file.attacks:
            if name not in SLIPS and name not in MISTAKE_NAMES:
                clause = (
                    f'"{quoted(name)}" is neither a slip nor a mistake; docs/lessons.md lists them'
                )
                self._faults.add(("attacks",), clause)

    def _steps(self, tables: list[dict[str, Any]], graph: Graph | None) -> list[Step]:
        """Return the steps that could be played; after a graph that is wrong they are only read."""
        count = len(tables)
        if "step" in self._table and not FEWEST_STEPS <= count <= MOST_STEPS:
            self._faults.add(
                ("step",), f"a lesson has {FEWEST_STEPS} to {MOST_STEPS} steps, not {count:,}"
            )
        steps, player = list[Step](), Player(self._faults)
        situation = None if graph is None else situation_of(graph)
        for k, table in enumerate(tables[:MOST_STEPS]):
            path: KeyPath = ("step", k)
            file = player.read(table, path)
            own = self._graph(table.get("graph"), (*path, "graph")) if "graph" in table else None
            if "graph" in table:
                situation = None if own is None else situation or situation_of(own)
            if file is None or situation is None:
                continue
            played = player.play(file, path, own, situation)
            situation = played.left
            if played.step is not None:
                steps.append(played.step)
        return steps

    def _graph(self, table: object, path: KeyPath) -> Graph | None:
        """Return the graph of a table; None, and what is wrong is added, if it has none."""
        if not isinstance(table, dict):
            return None  # the schema has told it
        file = self._faults.table(GraphFile, cast("dict[str, Any]", table), path)
        if file is None:
            return None
        if ("expression" in table) == ("file" in table):
            self._faults.add(path, "a graph has an expression or a file, one of the two")
            return None
        key = "file" if file.file else "expression"
        try:
            graph = self._file(file.file) if file.file else read(file.expression)
            _check_graph(graph)
        except PlacedFormatError as error:
            reason = str(error.fields["reason"])
            self._faults.add((*path, key), f"column {error.fields['column']}: {reason}")
            return None
        except EngineError as error:
            self._faults.add((*path, key), error)
            return None
        return self._with_values(graph, file, path)

    def _with_values(self, graph: Graph, file: GraphFile, path: KeyPath) -> Graph | None:
        values: dict[int, float] = {}
        for name, value in file.values.items():
            try:
                values[leaf_called(name, graph)] = number_of(value)
            except EngineError as error:
                self._faults.add((*path, "values", name), error)
        valued = graph.with_values(values)
        found = evaluate_values(valued)
        infinite = [n for n, value in found.items() if not math.isfinite(value)]
        if infinite:
            name, value = valued.names[infinite[0]], short(found[infinite[0]])
            clause = f"{name} is {value} with these values; a lesson begins with finite numbers"
            self._faults.add((*path, "expression"), clause, within=path)
            return None
        return valued

    def _file(self, name: str) -> Graph:
        """Return the graph in a file beside the lesson."""
        if Path(name).name != name or not name.endswith(".backwire"):
            raise FormatError("file names a .backwire file in the folder of the lesson")
        path = self._path.parent / name
        if len(read_content(path)) > SIZE_LIMIT:
            raise FormatError(
                "{name} is larger than {limit} KiB", name=name, limit=SIZE_LIMIT // 1024
            )
        return load(path)


def _tables(value: object) -> list[dict[str, Any]]:
    """Return a list of tables; an empty one for anything else, which the schema has told."""
    try:
        return msgspec.convert(value, list[dict[str, Any]])
    except msgspec.ValidationError:
        return []


def _check_graph(graph: Graph) -> None:
    if len(graph.nodes) > NODE_LIMIT:
        raise FormatError(
            "a lesson's graph has up to {limit} nodes, not {count:,}",
            limit=NODE_LIMIT,
            count=len(graph.nodes),
        )
    if (problem := pass_obstacle(graph)) is not None:
        raise FormatError("{reason}", reason=problem.sentence)
