"""Actions found only in the command palette: blocks and examples, which no menu lists."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from app.window.actions import Action
from app.window.commands.file import open_example
from app.workbench.finding import BLOCKS, Entry, entries

if TYPE_CHECKING:
    from app.document.examples import Example
    from app.window.context import Context


@cache
def palette_extras() -> tuple[Action, ...]:
    """Return one action per block and example, created on first use."""
    from app.document.examples import examples

    blocks = (entry for entry in entries() if entry.family == BLOCKS)
    return (*map(_block, blocks), *map(_example, examples()))


def _block(entry: Entry) -> Action:
    def add(context: Context) -> None:
        context.shell.show_work()
        context.canvas.editing.adding.add_in_middle(entry.key)

    return Action(entry.key, f"Add block: {entry.title}", add, tip=entry.says)


def _example(example: Example) -> Action:
    return Action(
        f"example:{example.name}",
        f"Open example: {example.title}",
        lambda c: open_example(c, example.name),
        menu="File/Open example",
        tip=example.note,
    )
