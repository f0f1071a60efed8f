"""The graph in a table of a file: a formula with values, or a file in its folder.

GraphReader(path, faults)  reads such tables, and adds their faults
leaf_values(...)           the number of each leaf in a table `values`
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, cast

from app.lessons.faults import Faults, KeyPath
from app.lessons.parsing import GraphFile, leaf_called, number_of
from app.lessons.toml_file import LESSON, SIZE_LIMIT, FileKind
from engine.errors import EngineError, FormatError, PlacedFormatError
from engine.formats.expression import read
from engine.formats.files import load_drawing, read_content
from engine.formats.native import Drawing
from engine.graph import Graph
from engine.numbers import short
from engine.problems import pass_obstacle
from engine.trace import evaluate_values

NODE_LIMIT: Final = 200
"""Nodes of a lesson's or a lecture's graph: more can't be read on the sheet."""


class GraphReader:
    """Reads the graphs of one file, which is a lesson or a lecture."""

    def __init__(self, path: Path, faults: Faults, kind: FileKind = LESSON) -> None:
        self._path, self._faults, self._kind = path, faults, kind

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
            check_graph(drawing.graph, self._kind)
        except PlacedFormatError as error:
            reason = str(error.fields["reason"])
            self._faults.add((*path, key), f"column {error.fields['column']}: {reason}")
            return None
        except EngineError as error:
            self._faults.add((*path, key), error)
            return None
        valued = self._with_values(drawing.graph, file, path)
        return None if valued is None else replace(drawing, graph=valued)

    def _with_values(self, graph: Graph, file: GraphFile, path: KeyPath) -> Graph | None:
        """Return the graph with its values; None, with a fault added, if one gives no number."""
        valued = graph.with_values(leaf_values(file.values, graph, path, self._faults))
        try:
            check_finite(valued, self._kind)
        except EngineError as error:
            self._faults.add((*path, "expression"), str(error), within=path)
            return None
        return valued

    def _file(self, name: str) -> Drawing:
        """Return the graph in a .backwire file of the same folder; raises FormatError."""
        if Path(name).name != name or not name.endswith(".backwire"):
            raise FormatError(
                "file names a .backwire file in the folder of the {kind}", kind=self._kind.name
            )
        path = self._path.parent / name
        if len(read_content(path)) > SIZE_LIMIT:
            raise FormatError(
                "{name} is larger than {limit} KiB", name=name, limit=SIZE_LIMIT // 1024
            )
        return replace(load_drawing(path), task=None, lecture=())


def check_graph(graph: Graph, kind: FileKind) -> None:
    """Raise FormatError for a graph of more than NODE_LIMIT nodes, or without a pass."""
    if len(graph.nodes) > NODE_LIMIT:
        raise FormatError(
            "a {kind}'s graph has up to {limit} nodes, not {count:,}",
            kind=kind.name,
            limit=NODE_LIMIT,
            count=len(graph.nodes),
        )
    if (problem := pass_obstacle(graph)) is not None:
        raise FormatError("{reason}", reason=problem.sentence)


def check_finite(graph: Graph, kind: FileKind) -> None:
    """Raise FormatError if a value of the graph is infinite or no number."""
    for node, value in evaluate_values(graph).items():
        if not math.isfinite(value):
            raise FormatError(
                "{name} is {value} with these values; a {kind} begins with finite numbers",
                name=graph.names[node],
                value=short(value),
                kind=kind.name,
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
