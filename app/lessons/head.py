"""Head: what a list of lessons shows of one; read without playing it, so that the start is fast."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from engine.errors import FormatError
from engine.evaluate import from_expression
from engine.formats.files import load, read_text, shown_name
from engine.graph import Graph


class Head(Struct, frozen=True):
    """A lesson of the course: its graph is the one it begins with."""

    name: str
    title: str
    able: str
    minutes: int
    step_titles: tuple[str, ...]
    graph: Graph


class _Step(Struct):
    title: str


class _Graph(Struct):
    expression: str = ""
    values: Mapping[str, float] = {}
    file: str = ""


class _File(Struct):
    title: str
    able: str
    minutes: int
    graph: _Graph
    step: tuple[_Step, ...]


def head_of(path: Path) -> Head:
    """Return the head of a lesson in a file; FormatError where that can't be read."""
    try:
        file = msgspec.convert(tomllib.loads(read_text(path)), _File)
        graph = _graph(file.graph, path.parent)
    except (ValueError, RecursionError, msgspec.ValidationError) as error:
        raise FormatError("{name}: {reason}", name=shown_name(path), reason=error) from None
    titles = tuple(step.title for step in file.step)
    return Head(path.stem, file.title, file.able, file.minutes, titles, graph)


def _graph(file: _Graph, folder: Path) -> Graph:
    return load(folder / file.file) if file.file else from_expression(file.expression, file.values)
