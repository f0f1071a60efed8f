"""The clipboard is text: our nodes as a file's JSON, or any formula or program from outside."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Literal

from app.document.grouping import all_members
from app.document.sheet import Point, Sheet
from engine.edits import part
from engine.errors import FormatError
from engine.formats import expression, python
from engine.formats.native import Drawing, read_drawing, write_drawing

_SIGNS_OF_A_PROGRAM = ("import ", "Value(", "tensor(", ".backward(", "def ", "print(")


@dataclass(frozen=True, slots=True)
class Clip:
    """What a text on the clipboard stands for, and what kind of text it was."""

    drawing: Drawing
    kind: Literal["nodes", "expression", "program"]

    @property
    def told(self) -> str:
        """How much it is, and of what: "7 nodes from an expression"."""
        count = len(self.drawing.graph.nodes)
        source = {"nodes": "", "expression": " from an expression", "program": " from a program"}
        return f"{count:,} node{'s' * (count != 1)}{source[self.kind]}"


class RepeatedPaste:
    """Counts how often in a row the same text has been pasted at the same place."""

    def __init__(self) -> None:
        self._last: tuple[str, Point] | None = None
        self._count = 0

    def count(self, text: str, place: Point) -> int:
        """How often this was pasted here directly before; it is pasted once more now."""
        self._count = self._count + 1 if self._last == (text, place) else 0
        self._last = (text, place)
        return self._count

    def forget(self) -> None:
        """Begin counting anew: something else has been copied."""
        self._last = None


def copied(sheet: Sheet, nodes: Collection[int], boxes: Collection[int] = ()) -> str:
    """The text of nodes, with the wires between them and the groups they fill, and of sections."""
    return write_drawing(part_of(sheet, nodes, boxes))


def part_of(sheet: Sheet, nodes: Collection[int], boxes: Collection[int] = ()) -> Drawing:
    """The drawing of nodes and sections; wires from elsewhere leave their slots empty."""
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
    """The groups all of whose nodes, of inner groups too, are among these."""
    found = all_members(sheet.groups).items()
    return frozenset(number for number, members in found if members and members <= nodes)


def is_ours(text: str) -> bool:
    """Whether a text looks like nodes that were copied here or in another window."""
    return text.lstrip().startswith("{")


def pasted(text: str) -> Drawing:
    """What a text on the clipboard stands for: our nodes, a formula, or a program.

    FormatError says why it stands for nothing.
    """
    return clip(text).drawing


def clip(text: str) -> Clip:
    """What a text on the clipboard stands for, with its kind; FormatError if for nothing."""
    if is_ours(text):
        return Clip(read_drawing(text), "nodes")
    try:
        return Clip(Drawing(expression.read(text)), "expression")
    except FormatError:
        if not _looks_like_a_program(text):
            raise
    program = python.read_program(text)
    return Clip(Drawing(program.graph, remark=program.remark), "program")


def _looks_like_a_program(text: str) -> bool:
    return any(sign in text for sign in _SIGNS_OF_A_PROGRAM)
