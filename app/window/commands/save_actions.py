"""Saving; the questions before work is overwritten or discarded; copies left by crashes."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from app.document.document_file import SUFFIX, OnDisk, file_name
from app.document.recovery import UNREADABLE_SUFFIX, RecoveredFiles
from app.lessons.course import SUFFIX as LESSON_SUFFIX
from app.window.actions import action
from app.window.commands.asking_actions import confirm_leave_exercise, open_exercise
from app.window.commands.sheet_lesson_actions import (
    FILTER,
    has_steps,
    save_lesson_chosen,
    save_lesson_file,
)
from app.window.dialogs.ask import Answer, Role, ask, save_replacing, tell
from engine.errors import EngineError
from engine.formats.files import check_target, is_protected, shown_name
from engine.formats.native import Drawing

if TYPE_CHECKING:
    from app.document.recovery import RecoveredFiles
    from app.window.context import Context
    from app.window.dialogs.file_dialogs import FileDialog
    from engine.formats.native import Drawing


Then = Callable[[], object]
"""What to do once the document has been saved, such as closing the window; dialogs answer later."""


_LOST = "They are lost if you don't."
_COMES_BACK = "If you don't, Back to my graph brings them back, until Backwire is closed."
_LENT = "A lecture's sheet is not saved. Esc ends the lecture and brings back your own."
UNSAVED_QUESTION = "unsaved work"
"""Object name of the dialog that asks about unsaved work, which is open at most once."""


@action("&Save", "Ctrl+S", icon="save", search="write store keep file")
def save(context: Context, then: Then | None = None) -> None:
    """Write the graph to its file.

    It asks for a path if there is none, and before a doubtful overwrite. During a lecture, whose
    sheets are not the user's, this and `save_as` refuse.
    """
    # a step of another graph may stand on the sheet: what is saved is the sheet of the lesson
    context.recorders.come_back()
    path, recorder = context.document.path, context.recorders.now
    if context.document.lent_to_lecture:
        context.messages.refuse(_LENT)
    elif path is None and recorder is not None and recorder.file is not None:
        save_lesson_file(context, then)
    elif path is None:
        save_as(context, then)
    elif (warning := _overwrite_warning(context, path)) is not None:
        _ask_overwrite(context, path, warning, then)
    else:
        save_now(context, path, then)


@action("Save &as…", "Ctrl+Shift+S", search="rename write lecture")
def save_as(context: Context, then: Then | None = None, name: Path | None = None) -> None:
    """Write the graph to another file, under a new name.

    `name` is the one that is offered first.
    """
    from app.window.dialogs.file_dialogs import FileDialog

    context.recorders.come_back()
    if context.document.lent_to_lecture:
        context.messages.refuse(_LENT)
        return

    def save_chosen(file: str) -> None:
        _save_chosen(context, Path(file), then)

    initial = name or context.document.path or Path(file_name(context.document.title))
    folder = name.parent if name and os.path.isdir(name.parent) else context.files.folder
    parent, style = context.shell.widget, context.style
    dialog = FileDialog(parent, style, "Save the graph", str(folder), saves=True)
    _offer_formats(context, dialog, initial.name)
    dialog.fileSelected.connect(save_chosen)
    dialog.open()


def _offer_formats(context: Context, dialog: FileDialog, name: str) -> None:
    """Offer a graph, and with steps also a lesson; the name follows what is chosen."""
    filters = {f"Backwire graph (*{SUFFIX})": SUFFIX}
    if has_steps(context):
        filters[FILTER] = LESSON_SUFFIX

    def follow(chosen: str) -> None:
        suffix = filters[chosen]
        dialog.setDefaultSuffix(suffix[1:])
        dialog.selectFile(name.removesuffix(SUFFIX) + suffix)

    dialog.setNameFilters([*filters])
    dialog.setDefaultSuffix(SUFFIX[1:])
    dialog.selectFile(name)
    dialog.filterSelected.connect(follow)


def save_now(context: Context, path: Path, then: Then | None = None, asked: bool = False) -> bool:
    """Write the document to a file; on failure show an error and keep the old file.

    `asked` says that the user agreed to replace the file, even a write-protected one.
    """
    try:
        context.files.document_file.save(path, replace_protected=asked)
    except EngineError as error:
        _show_save_error(context, path, error)
        return False
    _note_saved(context, path, then)
    return True


def _overwrite_warning(context: Context, path: Path) -> tuple[str, str] | None:
    """Return why overwriting the document's file may not be intended (fact, details), or None."""
    name, state = shown_name(path), context.files.document_file.on_disk
    if state is OnDisk.GONE:
        return f"{name} is no longer on the disk.", "It was deleted or moved. Save it again?"
    protected = is_protected(path)
    if state is OnDisk.CHANGED:
        sentence = f"{name} has changed on the disk since it was opened."
        if protected:
            return sentence, "Another program wrote it. It is write-protected, too. Save over it?"
        return sentence, "Another program wrote it. Save over it?"
    if protected:
        return f"{name} is write-protected.", "It may be meant to stay as it is. Save over it?"
    return None


def _ask_overwrite(
    context: Context, path: Path, warning: tuple[str, str], then: Then | None
) -> None:
    """Ask before an overwrite; the first button is the one that loses nothing."""
    gone = context.files.document_file.on_disk is OnDisk.GONE
    elsewhere = (("Save as…", Role.ACCEPT), lambda: save_as(context, then))
    overwrite = (
        ("Save again" if gone else "Overwrite", Role.ACCEPT if gone else Role.DESTRUCTIVE),
        lambda: save_now(context, path, then, asked=True),
    )
    buttons = [overwrite, elsewhere] if gone else [elsewhere, overwrite]
    ask(context.shell.widget, *warning, {**dict(buttons), ("Cancel", Role.REJECT): None})


def _save_chosen(context: Context, path: Path, then: Then | None) -> None:
    if path.suffix.lower() == LESSON_SUFFIX and has_steps(context):
        save_lesson_chosen(context, path, then)
        return
    if path.suffix.lower() != SUFFIX:  # without its suffix, as net.1, no file can be opened again
        path = path.with_name(path.name + SUFFIX)
    try:
        check_target(path)
    except EngineError as error:
        _show_save_error(context, path, error, lambda: save_as(context, then, path))
        return
    if path == context.document.path:  # with the questions about an overwrite of its own file
        save(context, then)
    else:
        save_replacing(
            context.shell.widget,
            path,
            lambda path: _save_over(context, path, then),
            lambda: save_as(context, then, path),
            over_protected=True,
        )


def _save_over(context: Context, path: Path, then: Then | None) -> None:
    """Save to a chosen path; on failure ask for another."""
    try:
        context.files.document_file.save(path, replace_protected=True)
    except EngineError as error:
        _show_save_error(context, path, error, lambda: save_as(context, then, path))
        return
    _note_saved(context, path, then)


def _note_saved(context: Context, path: Path, then: Then | None) -> None:
    context.files.recent.add(path)
    context.messages.toast(f"Saved as {path.name}.")
    if then is not None:
        then()


def _show_save_error(
    context: Context, path: Path, error: EngineError, ask_again: Then | None = None
) -> None:
    box = tell(context.shell.widget, f"{shown_name(path)} was not saved.", str(error))
    if ask_again is not None:

        def closed(_button: int) -> None:  # Qt hands over the button that was pressed
            ask_again()

        box.finished.connect(closed)


def mark_unsaved_if_file_gone(context: Context) -> None:
    """Treat the document as unsaved if another program has deleted its file."""
    document = context.document
    if not document.modified and context.files.document_file.gone:
        assert document.path is not None
        document.mark_unsaved()
        context.files.recovery.keep()
        name = shown_name(document.path)
        context.messages.toast(f"{name} is no longer on the disk. Save to write it again.")


def confirm_discard(
    context: Context, then: Callable[[], object], *, comes_back: bool = False
) -> None:
    """Call `then`; with unsaved work, once the user has saved or discarded it.

    Unsaved work is the answers to an exercise, too. It `comes_back` where `then` begins a lesson,
    after which the user's own sheet is shown again; another document forgets it.
    """
    then = partial(confirm_leave_exercise, context, then)
    context.recorders.come_back()
    if context.guides.room is not None:  # what may be lost is the user's own sheet
        context.shell.leave_full_screen()
    mark_unsaved_if_file_gone(context)
    if not context.files.unsaved:
        then()
        return
    document = context.document
    name, path = document.title or "this graph", document.path
    gone = context.files.document_file.gone
    file_gone = f"{name} is no longer on the disk. Save it again?"
    ask(
        context.shell.widget,
        file_gone if gone else f"Save the changes to {name}?",
        "The graph is lost if you don't." if gone else _COMES_BACK if comes_back else _LOST,
        {
            ("Save", Role.ACCEPT): lambda: (
                save_now(context, path, then) if gone and path else save(context, then)
            ),
            ("Discard", Role.DESTRUCTIVE): then,
            ("Cancel", Role.REJECT): None,
        },
        unique_name=UNSAVED_QUESTION,
    )


def offer_recovered(context: Context, then: Answer = bool) -> None:
    """Offer to restore the newest readable copy that a crashed window left behind.

    Unreadable ones are set aside. The copy is claimed, so that no other window offers it while the
    question is open. `then` is called once nothing more is asked.
    """
    recovery, unreadable = context.files.recovery, 0
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
        _ask_restore(context, recovered, drawing, unreadable_text, then)
        return
    if unreadable:
        details = _unreadable_text(unreadable, recovery.folder)
        sentence, close = "Backwire ended unexpectedly.", {("Close", Role.REJECT): then}
        ask(context.shell.widget, sentence, details, close)
    else:
        then()


def _ask_restore(
    context: Context,
    recovered: RecoveredFiles,
    drawing: Drawing,
    unreadable_text: str,
    then: Answer,
) -> None:
    overtaken_text = (
        "The file itself was written since then, so saving will ask before it is replaced."
    )
    details = [
        f"It was kept on {recovered.when:%d.%m.%Y at %H:%M}. Restore it?",
        overtaken_text if recovered.is_file_newer else "",
        unreadable_text,
    ]

    def restore() -> None:
        _restore(context, recovered, drawing)
        then()

    def discard_and_offer_next() -> None:
        recovered.discard()
        offer_recovered(context, then)

    def release() -> None:
        recovered.release()
        then()

    ask(
        context.shell.widget,
        f"Backwire ended unexpectedly with unsaved work: {recovered.name}.",
        "\n\n".join(filter(None, details)),
        {
            ("Restore", Role.ACCEPT): restore,
            ("Throw away", Role.DESTRUCTIVE): discard_and_offer_next,
            ("Later", Role.REJECT): release,
        },
    )


def _restore(context: Context, recovered: RecoveredFiles, drawing: Drawing) -> None:
    """Open a copy, and discard it once there is a new one."""
    context.files.document_file.rescue(drawing, recovered.origin, recovered.known_hash)
    context.shell.show_work()
    open_exercise(context)
    if context.files.recovery.keep():  # otherwise the old copy is the only one
        recovered.discard()


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
