"""The question whether to restore the recovery copy of a crashed window: `offer_recovered`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from app.document.recovery import UNREADABLE_SUFFIX, RecoveredFiles, Recovery
from app.window.dialogs.ask import Role, ask, tell
from engine.errors import EngineError
from engine.formats.native import Drawing

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

Restore = Callable[[RecoveredFiles, Drawing], object]
"""Opens a copy, whose graph has been read, and discards the copy once there is a new one."""


def offer_recovered(parent: QWidget, recovery: Recovery, restore: Restore) -> None:
    """Offer to restore the newest readable copy; unreadable ones are set aside.

    The copy is claimed, so that no other window offers it while the question is open.
    """
    unreadable = 0
    for recovered in recovery.left_behind():
        if not recovery.claim(recovered):  # another window asks about it, or is using it
            continue
        try:
            drawing = recovered.drawing()
        except EngineError:
            recovered.set_aside()
            unreadable += 1
            continue
        unreadable_text = _unreadable_text(unreadable, recovery.folder)
        _ask_restore(parent, recovery, restore, recovered, drawing, unreadable_text)
        return
    if unreadable:
        details = _unreadable_text(unreadable, recovery.folder)
        tell(parent, "Backwire ended unexpectedly.", details)


def _ask_restore(
    parent: QWidget,
    recovery: Recovery,
    restore: Restore,
    recovered: RecoveredFiles,
    drawing: Drawing,
    unreadable_text: str,
) -> None:
    overtaken_text = (
        "The file itself was written since then, so saving will ask before it is replaced."
    )
    details = [
        f"It was kept on {recovered.when:%d.%m.%Y at %H:%M}. Restore it?",
        overtaken_text if recovered.is_file_newer else "",
        unreadable_text,
    ]

    def discard_and_offer_next() -> None:
        recovered.discard()
        offer_recovered(parent, recovery, restore)

    ask(
        parent,
        f"Backwire ended unexpectedly with unsaved work: {recovered.name}.",
        "\n\n".join(filter(None, details)),
        {
            ("Restore", Role.ACCEPT): lambda: restore(recovered, drawing),
            ("Throw away", Role.DESTRUCTIVE): discard_and_offer_next,
            ("Later", Role.REJECT): recovered.release,
        },
    )


def _unreadable_text(count: int, folder: Path) -> str:
    """Return the sentence about copies that can't be read and were set aside, or ""."""
    if not count:
        return ""
    subject, verb = (
        ("A newer copy", "it is") if count == 1 else (f"{count} newer copies", "they are")
    )
    return (
        f"{subject} of unsaved work can't be read; {verb} kept as *{UNREADABLE_SUFFIX} in {folder}."
    )
