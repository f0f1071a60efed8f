"""What only the command palette finds: blocks and examples, which have a place of their own."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from app.window.actions import Action
from app.workbench.finding import BLOCKS, Entry, entries

if TYPE_CHECKING:
    from app.document.examples import Example
    from app.window.frame.main_window import MainWindow


@cache
def offers() -> tuple[Action, ...]:
    """One action for each block and each example, made when they are first looked for."""
    from app.document.examples import examples

    blocks = (entry for entry in entries() if entry.family == BLOCKS)
    return (*map(_block, blocks), *map(_example, examples()))


def _block(entry: Entry) -> Action:
    def add(window: MainWindow) -> None:
        window.show_work()
        window.canvas.editing.adding.add_in_middle(entry.key)

    return Action(entry.key, f"Add block: {entry.title}", add, tip=entry.says)


def _example(example: Example) -> Action:
    return Action(
        f"example:{example.name}",
        f"Open example: {example.title}",
        lambda w: w.filing.open_example(example.name),
        menu="File/Open example",
        tip=example.note,
    )
