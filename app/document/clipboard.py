"""The clipboard as text: our nodes as a file's JSON, or an expression or program from outside."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from app.document.grouping import all_members
from app.document.sheet import Sheet
from engine.edits import part
from engine.errors import FormatError
from engine.formats import expression, python
from engine.formats.native import Drawing, read_drawing, write_drawing
from engine.formats.python import is_notebook
from engine.numbers import counted

_SIGNS_OF_A_PROGRAM = ("import ", "Value(", "tensor(", ".backward(", "def ", "print(")


class Clip(Struct, frozen=True):
    """The drawing that a text on the clipboard stands for, and the kind of text."""

    drawing: Drawing
    kind: Literal["nodes", "expression", "program"]

    @property
    def told(self) -> str:
        """Return a description of size and origin: "7 nodes from an expression"."""
        nodes = counted(len(self.drawing.graph.nodes), "{count} node", "{count:,} nodes")
        return {
            "nodes": nodes,
            "expression": f"{nodes} from an expression",
            "program": f"{nodes} from a program",
        }[self.kind]


def copied(sheet: Sheet, nodes: Collection[int], boxes: Collection[int] = ()) -> str:
    """Return the text of nodes with the wires between them, groups they fill, and sections."""
    return write_drawing(part_of(sheet, nodes, boxes))


def part_of(sheet: Sheet, nodes: Collection[int], boxes: Collection[int] = ()) -> Drawing:
    """Return the drawing of nodes and sections; slots fed from outside become empty."""
    wanted = frozenset(n for n in nodes if n in sheet.graph.nodes)
    whole = whole_groups(sheet, wanted)
    groups = {
        number: group if group.parent in whole else replace(group, parent=None)
        for number, group in sheet.groups.items()
        if number in whole
    }
    places = {n: sheet.positions[n] for n in wanted if n in sheet.positions}
    sections = {n: sheet.sections[n] for n in boxes if n in sheet.sections}
    return Sheet(part(sheet.graph, wanted), places, sections, groups).drawing()


def whole_groups(sheet: Sheet, nodes: frozenset[int]) -> frozenset[int]:
    """Return the groups whose nodes, including those of inner groups, are all among these."""
    found = all_members(sheet.groups).items()
    return frozenset(number for number, members in found if members and members <= nodes)


def is_ours(text: str) -> bool:
    """Return whether a text looks like nodes copied from Backwire."""
    return text.lstrip().startswith("{")


def clip(text: str) -> Clip:
    """Return what a text on the clipboard stands for, with its kind; raises FormatError."""
    if is_notebook(text):
        return _program(text)
    if is_ours(text):
        return Clip(read_drawing(text), "nodes")
    try:
        return Clip(Drawing(expression.read(text)), "expression")
    except FormatError:
        if not _looks_like_a_program(text):
            raise
    return _program(text)


def _program(text: str) -> Clip:
    program = python.read_program(text)
    return Clip(Drawing(program.graph, remark=program.remark), "program")


def _looks_like_a_program(text: str) -> bool:
    return any(sign in text for sign in _SIGNS_OF_A_PROGRAM)
