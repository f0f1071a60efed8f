"""The clipboard is text: our nodes as a file's JSON, or any formula or program from outside."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from app.document.sheet import Sheet
from engine.edits import part
from engine.errors import FormatError
from engine.formats import FORMATS, expression
from engine.formats.native import Drawing, read_drawing, write_drawing

_SIGNS_OF_A_PROGRAM = ("import ", "Value(", "tensor(", ".backward(", "def ", "print(")


def copied(sheet: Sheet, nodes: Collection[int]) -> str:
    """The text of these nodes, with the wires between them and the groups they fill."""
    return write_drawing(part_of(sheet, nodes))


def part_of(sheet: Sheet, nodes: Collection[int]) -> Drawing:
    """The drawing of some nodes; wires from elsewhere leave their slots empty."""
    wanted = frozenset(n for n in nodes if n in sheet.graph.nodes)
    whole = {n for n, group in sheet.groups.items() if group.members and group.members <= wanted}
    groups = {
        number: group if group.parent in whole else replace(group, parent=None)
        for number, group in sheet.groups.items()
        if number in whole
    }
    places = {n: sheet.positions[n] for n in wanted if n in sheet.positions}
    return Sheet(part(sheet.graph, wanted), places, {}, groups).drawing()


def is_ours(text: str) -> bool:
    """Whether a text looks like nodes that were copied here or in another window."""
    return text.lstrip().startswith("{")


def pasted(text: str) -> Drawing:
    """What a text on the clipboard stands for: our nodes, a formula, or a program.

    FormatError says why it stands for nothing.
    """
    if is_ours(text):
        return read_drawing(text)
    try:
        return Drawing(expression.read(text))
    except FormatError as error:
        program = next((found for found in FORMATS if found.name == "python"), None)
        if program is None or program.read is None or not _looks_like_a_program(text):
            raise error from None
        return Drawing(program.read(text))


def _looks_like_a_program(text: str) -> bool:
    return any(sign in text for sign in _SIGNS_OF_A_PROGRAM)
