"""The question about unsaved work that a crashed window left behind."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from app.document.recovery import ASIDE, RecoveredFiles, Recovery
from app.window.dialogs.ask import Role, ask, tell
from engine.errors import EngineError
from engine.formats.native import Drawing

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

Restore = Callable[[RecoveredFiles, Drawing], object]


def offer_recovered(parent: QWidget, recovery: Recovery, restore: Restore) -> None:
    """Offer the newest copy that can be read; those that can't are set aside.

    While the question is open, no other window offers the same copy.
    """
    broken = 0
    for recovered in recovery.left_behind():
        if not recovery.claim(recovered):
            continue
        try:
            drawing = recovered.drawing()
        except EngineError:
            recovered.set_aside()
            broken += 1
            continue
        _ask(parent, recovery, restore, recovered, drawing, _set_aside(broken, recovery.folder))
        return
    if broken:
        tell(parent, "Backwire ended unexpectedly.", _set_aside(broken, recovery.folder))


def _ask(
    parent: QWidget,
    recovery: Recovery,
    restore: Restore,
    recovered: RecoveredFiles,
    drawing: Drawing,
    besides: str,
) -> None:
    later = "The file itself was written since then, so saving will ask before it is replaced."
    more = [
        f"It was kept on {recovered.when:%d.%m.%Y at %H:%M}. Restore it?",
        later if recovered.overtaken else "",
        besides,
    ]

    def throw_away() -> None:
        recovered.discard()
        offer_recovered(parent, recovery, restore)  # offer the next older copy

    ask(
        parent,
        f"Backwire ended unexpectedly with unsaved work: {recovered.name}.",
        "\n\n".join(filter(None, more)),
        {
            ("Restore", Role.ACCEPT): lambda: restore(recovered, drawing),
            ("Throw away", Role.LOSE): throw_away,
            ("Later", Role.LEAVE): recovered.release,
        },
    )


def _set_aside(count: int, folder: Path) -> str:
    """Return what became of copies that can't be read."""
    if not count:
        return ""
    what, it = ("A newer copy", "it is") if count == 1 else (f"{count} newer copies", "they are")
    return f"{what} of unsaved work can't be read; {it} kept as *{ASIDE} in {folder}."
