"""The schema of a Backwire file: the structure of its JSON, and its limits."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from engine.graph import Graph
from engine.study.task import Task

NAME = "backwire"
VERSION = 2
COORDINATE_LIMIT = 1e7
NODE_LIMIT = 50_000
ID_LIMIT = 2**53

JsonNumber = float | Literal["NaN", "Infinity", "-Infinity"]
Point = tuple[float, float]
"""x and y on the sheet, in px at 100 %; of a node, its upper left corner."""


class SectionEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A titled box: its position and size on the sheet, in px at 100 %."""

    id: int
    title: str
    rect: tuple[float, float, float, float]
    colour: int = 0


class GroupEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A set of nodes that can be shown as one; `parent` is the group that contains it."""

    id: int
    title: str
    members: list[int]
    collapsed: bool = False
    position: Point = (0.0, 0.0)
    parent: int | None = None


class NodeEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A node: `value` is for leaves and constants, `op` for op nodes, `inputs` for slots."""

    id: int
    kind: Literal["leaf", "constant", "op", "root"]
    label: str = ""
    value: JsonNumber | msgspec.UnsetType = msgspec.UNSET
    op: str | msgspec.UnsetType = msgspec.UNSET
    inputs: list[int | None] | msgspec.UnsetType = msgspec.UNSET
    position: Point | msgspec.UnsetType = msgspec.UNSET


class File(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A whole file."""

    format: Literal["backwire"]
    version: int
    nodes: list[NodeEntry]
    active_root: int | None = None
    next_id: int | None = None
    sections: list[SectionEntry] = []
    groups: list[GroupEntry] = []
    task: Task | None = None


@dataclass(frozen=True)
class Drawing:
    """A graph with the layout that a file keeps."""

    graph: Graph
    positions: Mapping[int, Point] = field(default_factory=dict[int, Any])
    sections: tuple[SectionEntry, ...] = ()
    groups: tuple[GroupEntry, ...] = ()
    task: Task | None = None
    """What it asks of a learner as an exercise."""
    remark: str = field(default="", compare=False)
    """A sentence on what was read differently from the text; it is not saved."""
