"""The question about unsaved work that a crashed window left behind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from app.document.recovery import ASIDE, Recovery, Remains
from app.window.dialogs.ask import Role, ask, tell
from engine.errors import EngineError
from engine.formats.native import Drawing

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

Restore = Callable[[Remains, Drawing], object]


def offer_remains(parent: QWidget, recovery: Recovery, restore: Restore) -> None:
    """Offer the newest copy that can be read; those that can't are set aside.

    While the question is open, no other window offers the same copy.
    """
    broken = 0
    for remains in recovery.left_behind():
        if not recovery.claim(remains):
            continue
        try:
            drawing = remains.drawing()
        except EngineError:
            remains.set_aside()
            broken += 1
            continue
        _ask(parent, recovery, restore, remains, drawing, _set_aside(broken, recovery.folder))
        return
    if broken:
        tell(parent, "Backwire ended unexpectedly.", _set_aside(broken, recovery.folder))


def _ask(
    parent: QWidget,
    recovery: Recovery,
    restore: Restore,
    remains: Remains,
    drawing: Drawing,
    besides: str,
) -> None:
    later = "The file itself was written since then, so saving will ask before it is replaced."
    more = [
        f"It was kept on {remains.when:%d.%m.%Y at %H:%M}. Restore it?",
        later if remains.overtaken else "",
        besides,
    ]

    def throw_away() -> None:
        remains.discard()
        offer_remains(parent, recovery, restore)  # offer the next older copy

    ask(
        parent,
        f"Backwire ended unexpectedly with unsaved work: {remains.name}.",
        "\n\n".join(filter(None, more)),
        {
            ("Restore", Role.ACCEPT): lambda: restore(remains, drawing),
            ("Throw away", Role.LOSE): throw_away,
            ("Later", Role.LEAVE): remains.release,
        },
    )


def _set_aside(count: int, folder: Path) -> str:
    """Return what became of copies that can't be read."""
    if not count:
        return ""
    what, it = ("A newer copy", "it is") if count == 1 else (f"{count} newer copies", "they are")
    return f"{what} of unsaved work can't be read; {it} kept as *{ASIDE} in {folder}."
