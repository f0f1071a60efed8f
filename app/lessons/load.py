"""Load: a lesson from a TOML file, or everything that is wrong with it.

Nothing of a file is run: formulas are read as formulas, moves by the words they are made of.
"""

from __future__ import annotations

import re
import tomllib
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

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
from engine.problems import pass_obstacle
from engine.study.slips import BY_NAME as SLIPS
from engine.trace import evaluate_values

SUFFIX: Final = ".toml"
SIZE_LIMIT: Final = 128 * 1024
"""Bytes of a lesson, and of a graph beside it: many times the longest one."""
NODE_LIMIT: Final = 200
"""Nodes of a lesson's graph: more can't be read on the sheet."""
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


class Head(Struct, frozen=True):
    """What a list of lessons shows of one, read without playing it."""

    name: str
    title: str
    able: str
    minutes: int
    step_titles: tuple[str, ...]
    graph: Graph
    needs: tuple[str, ...] = ()
    attacks: tuple[str, ...] = ()


def head_of(path: Path) -> Head:
    """Return the head of a lesson in a file; FormatError where that can't be read."""
    name = shown_name(path)
    try:
        content = _content(path)
        table, faults = _parsed(content)
    except FormatError as error:
        raise FormatError("{name}: {reason}", name=name, reason=error) from None
    file = faults.table(LessonFile, table, ())
    graph = _Reading(path, table, faults).graph()
    if file is None or graph is None:
        raise FormatError("{first}", first=faults.found[0].told(name))
    titles = tuple(str(step.get("title", "")) for step in file.step)
    needs, attacks = file.needs, file.attacks
    return Head(path.stem, file.title, file.able, file.minutes, titles, graph, needs, attacks)


def _read(path: Path) -> tuple[Lesson | None, tuple[Fault, ...]]:
    """Return the lesson, or None and what is wrong with the file."""
    try:
        content = _content(path)
        table, faults = _parsed(content)
    except FormatError as error:
        return None, (_fault_of(error),)
    lesson = _Reading(path, table, faults).lesson(sha256(content).hexdigest())
    return (None, faults.found) if len(faults) or lesson is None else (lesson, ())


def _content(path: Path) -> bytes:
    content = read_content(path)
    if len(content) > SIZE_LIMIT:
        raise FormatError("the file is larger than {limit} KiB", limit=SIZE_LIMIT // 1024)
    return content


def _parsed(content: bytes) -> tuple[dict[str, Any], Faults]:
    """Return the tables of a text and where its keys stand; FormatError for what is no TOML."""
    text = decoded(content, "the file").replace("\r\n", "\n")
    lines = lines_of(text)
    try:
        return tomllib.loads(text), Faults(lines)
    except (ValueError, RecursionError) as error:  # a number of 5,000 digits is a ValueError
        found = _AT.fullmatch(str(error))
        reason = (found[1] if found else str(error)).rstrip(".")
        line = int(found[2]) if found and found[2] else text.count("\n") + 1
        column = f" (column {found[3]})" if found and found[3] else ""
        raise FormatError(
            "this is not TOML: {reason}{column}", reason=reason, column=column, line=line
        ) from None


def _fault_of(error: FormatError) -> Fault:
    line = error.fields.get("line", 1)
    return Fault(line if isinstance(line, int) else 1, "", str(error).rstrip("."))


class _Reading:
    """Reads the tables of one file."""

    def __init__(self, path: Path, table: dict[str, Any], faults: Faults) -> None:
        self._path, self._table, self._faults = path, table, faults

    def lesson(self, digest: str) -> Lesson | None:
        """Return the lesson; None where its tables are too wrong to be played."""
        version = self._table.get("format")
        if isinstance(version, int) and version > FORMAT:
            self._faults.add(
                ("format",),
                f"format {quoted(version)} is newer than this program, which reads {FORMAT}",
            )
            return None
        if next(iter(self._table), "format") != "format":
            self._faults.add((next(iter(self._table)),), "format = 1 comes first")
        file = self._faults.table(LessonFile, self._table, ())
        if file is not None:
            self._check_names(file)
        tables = self._table.get("step")
        steps, graph = self._steps(tables if isinstance(tables, list) else [])
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
                clause = f'"{quoted(name)}" is neither a slip nor a mistake; {one_of(SLIPS)}'
                self._faults.add(("attacks",), clause)

    def graph(self) -> Graph | None:
        """Return the graph of the lesson; None, and what is wrong is added, if it has none."""
        return self._graph(self._table.get("graph"), ("graph",))

    def _steps(self, tables: list[Any]) -> tuple[list[Step], Graph | None]:
        graph = self.graph()
        count = len(tables)
        if not FEWEST_STEPS <= count <= MOST_STEPS and "step" in self._table:
            self._faults.add(
                ("step",), f"a lesson has {FEWEST_STEPS} to {MOST_STEPS} steps, not {count:,}"
            )
        if graph is None:
            return [], None
        steps, player, situation = list[Step](), Player(self._faults), situation_of(graph)
        for k, table in enumerate(tables[:MOST_STEPS]):
            if not isinstance(table, dict):
                continue
            own = (
                self._graph(table.get("graph"), ("step", k, "graph")) if "graph" in table else None
            )
            played = player.play(table, k, own, situation)
            situation = played.left
            if played.step is not None:
                steps.append(played.step)
        return steps, graph

    def _graph(self, table: object, path: KeyPath) -> Graph | None:
        """Return the graph of a table; None, and what is wrong is added, if it has none."""
        if not isinstance(table, dict):
            return None
        file = self._faults.table(GraphFile, table, path)
        if file is None:
            return None
        if bool(file.expression) == bool(file.file):
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

    def _with_values(self, graph: Graph, file: GraphFile, path: KeyPath) -> Graph:
        values: dict[int, float] = {}
        for name, value in file.values.items():
            try:
                values[leaf_called(name, graph)] = number_of(repr(value))
            except EngineError as error:
                self._faults.add((*path, "values", name), error)
        valued = graph.with_values(values)
        found = evaluate_values(valued)
        bad = next(
            (
                n
                for n in valued.nodes
                if (n in found and abs(found[n]) > 1e100) or found.get(n, 0.0) != found.get(n, 0.0)
            ),
            None,
        )
        if bad is not None:
            clause = (
                f"{valued.names[bad]} is {found[bad]:g} with these values; a graph begins finite"
            )
            self._faults.add(path, clause)
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


def _check_graph(graph: Graph) -> None:
    if len(graph.nodes) > NODE_LIMIT:
        raise FormatError(
            "a lesson's graph has up to {limit} nodes, not {count:,}",
            limit=NODE_LIMIT,
            count=len(graph.nodes),
        )
    if (problem := pass_obstacle(graph)) is not None:
        raise FormatError("{reason}", reason=problem.sentence)
