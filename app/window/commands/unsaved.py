"""Unsaved work: the question before it is given up, and the copies that crashes left."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.window.commands.save import save, save_now
from app.window.dialogs import remains
from app.window.dialogs.ask import Role, ask
from engine.files import shown_name

if TYPE_CHECKING:
    from app.document.remains import Remains
    from app.window.context import Context
    from engine.formats.native import Drawing

QUESTION = "unsaved work"
"""The object name of the question, of which only one is open at a time."""


def look_after_file(context: Context) -> None:
    """Count the work as unsaved once its file has been deleted by another program."""
    document = context.document
    if not document.modified and context.files.document_file.gone:
        assert document.path is not None
        document.stack.resetClean()
        context.files.recovery.keep()
        name = shown_name(document.path)
        context.messages.toast(f"{name} is no longer on the disk. Save to write it again.")


def unless_unsaved(context: Context, then: Callable[[], object]) -> None:
    """Call `then` at once, or ask first whether unsaved work may be given up."""
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
    """Ask about work that a crashed window left behind."""

    def restore(found: Remains, drawing: Drawing) -> None:
        context.files.document_file.rescue(drawing, found.origin, found.base)
        context.shell.show_work()
        if context.files.recovery.keep():  # else the old copy is the only one there is
            found.discard()

    remains.offer_remains(context.shell.widget, context.files.recovery, restore)
