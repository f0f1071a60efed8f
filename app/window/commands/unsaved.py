"""Unsaved work: the question before it is discarded, and copies left by crashes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.window.commands.exercise import open_exercise
from app.window.commands.save import save, save_now
from app.window.dialogs.ask import Role, ask
from engine.formats.files import shown_name

if TYPE_CHECKING:
    from app.document.remains import Remains
    from app.window.context import Context
    from engine.formats.native import Drawing

QUESTION = "unsaved work"
"""Object name of the question, which is open at most once."""


def look_after_file(context: Context) -> None:
    """Treat the work as unsaved once another program has deleted its file."""
    document = context.document
    if not document.modified and context.files.document_file.gone:
        assert document.path is not None
        document.mark_unsaved()
        context.files.recovery.keep()
        name = shown_name(document.path)
        context.messages.toast(f"{name} is no longer on the disk. Save to write it again.")


def unless_unsaved(context: Context, then: Callable[[], object]) -> None:
    """Call `then`, after asking whether unsaved work may be discarded."""
    look_after_file(context)
    if not context.files.unsaved:
        then()
        return
    document = context.document
    name, path = document.title or "this graph", document.path
    gone = context.files.document_file.gone
    first = f"{name} is no longer on the disk. Save it again?"
    ask(
        context.shell.widget,
        first if gone else f"Save the changes to {name}?",
        "The graph is lost if you don't." if gone else "They are lost if you don't.",
        {
            ("Save", Role.ACCEPT): lambda: (
                save_now(context, path, then) if gone and path else save(context, then)
            ),
            ("Discard", Role.LOSE): then,
            ("Cancel", Role.LEAVE): None,
        },
        once=QUESTION,
    )


def offer_remains(context: Context) -> None:
    """Offer work that a crashed window left behind."""
    from app.window.dialogs import remains

    def restore(found: Remains, drawing: Drawing) -> None:
        context.files.document_file.rescue(drawing, found.origin, found.base)
        context.shell.show_work()
        open_exercise(context)
        if context.files.recovery.keep():  # otherwise the old copy is the only one
            found.discard()

    remains.offer_remains(context.shell.widget, context.files.recovery, restore)
