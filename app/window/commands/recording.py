"""Actions for recording a lesson: begin, open in the recorder, save, end; unsaved drafts.

A dialog does not block: the action that waits for it is given as `then`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app.lessons.course import SUFFIX
from app.window.actions import Action
from app.window.dialogs.ask import Role, ask, tell
from engine.errors import EngineError
from engine.formats.files import read_text, shown_name, write_atomically

if TYPE_CHECKING:
    from app.lessons.draft import Draft
    from app.window.context import Context
    from app.workbench.study.recorder import Recorder
    from app.workbench.study.recorders import DraftCopies

Then = Callable[[], object]
"""The action that waits for a dialog about the draft, such as closing the window."""
UNSAVED_DRAFT: Final = "unsaved lesson"
"""Object name of the dialog that asks about an unsaved draft, which is open at most once."""
_LEFT_BEHIND: Final = "Backwire ended unexpectedly while a lesson was recorded: {title}."
_NO_TITLE: Final = "one without a title"
_KEPT: Final = "The lesson was kept on {when}. Restore it?"
_SAVE_TITLED: Final = "Save the lesson {title}?"
_SAVE_UNTITLED: Final = "Save the lesson?"
_FAULTY: Final = "Saved as {name}. It has errors, so it can't be played yet."


def record_lesson(context: Context) -> None:
    """Begin to record a lesson, or show the one that is being recorded."""
    if context.recorders.now is None:
        context.lessons.restore_own_sheet()
        context.recorders.get().begin()
    _show(context)


def edit_lesson(context: Context, path: Path) -> bool:
    """Open the lesson of a file in the recorder, without asking about the draft there.

    On failure show why and return False.
    """
    from app.lessons.draft import draft_of

    try:
        draft = draft_of(read_text(path))
    except EngineError as error:
        reason = str(error).rstrip(".")
        tell(context.shell.widget, f"{shown_name(path)} was not opened.", f"{reason}.")
        return False
    _begin(context, draft, path)
    return True


def edit_this_lesson(context: Context) -> None:
    """Open the lesson that is on in the recorder."""
    now = context.lessons.now
    if now is not None and now.lesson.path is not None:
        confirm_discard_draft(context, partial(edit_lesson, context, now.lesson.path))


def _begin(context: Context, draft: Draft, path: Path) -> None:
    """Record a lesson of a file, in place of the one that is recorded or on."""
    if context.recorders.now is not None:
        context.recorders.get().end_try()
    context.lessons.restore_own_sheet()
    context.recorders.get().begin(draft, path)
    _show(context)


def _show(context: Context) -> None:
    """Show the page Lesson, on which the recorder is, and the whole sheet."""
    context.shell.show_page("lesson", focus=False)
    context.canvas.framing.fit_all()


def end_recording(context: Context, then: Then = bool) -> None:
    """End recording, after asking about an unsaved draft, and call `then`."""

    def end() -> None:
        context.recorders.get().end()
        then()

    confirm_discard_draft(context, end)


def confirm_discard_draft(context: Context, then: Then) -> None:
    """Call `then`; with an unsaved draft, once the user has saved or discarded it."""
    if not context.recorders.unsaved:
        then()
        return
    recorder = context.recorders.get()
    title = recorder.draft.title
    ask(
        context.shell.widget,
        _SAVE_TITLED.format(title=title) if title else _SAVE_UNTITLED,
        "What was recorded is lost if you don't.",
        {
            ("Save", Role.ACCEPT): lambda: save_lesson(context, then),
            ("Discard", Role.DESTRUCTIVE): then,
            ("Cancel", Role.REJECT): None,
        },
        unique_name=UNSAVED_DRAFT,
    )


def save_lesson(context: Context, then: Then | None = None) -> None:
    """Ask for a file, write the draft to it, and call `then` once that has worked."""
    from app.window.dialogs.file_dialogs import Target, ask_target

    recorder = context.recorders.get()
    new = context.files.folder / _file_name(recorder.draft.title)
    target = Target(
        "Save the lesson", recorder.path or new, f"Lesson (*{SUFFIX})", _with_suffix, recorder.path
    )
    parent = context.shell.widget
    ask_target(parent, context.style, target, lambda path: _write(context, recorder, path, then))


def _with_suffix(path: Path) -> Path:
    return path if path.suffix.lower() == SUFFIX else path.with_name(path.name + SUFFIX)


def _write(context: Context, recorder: Recorder, path: Path, then: Then | None) -> None:
    try:
        write_atomically(path, recorder.text.encode("utf-8"))
    except EngineError as error:
        tell(context.shell.widget, f"{shown_name(path)} was not saved.", str(error))
        return
    recorder.mark_saved(path)
    is_whole = recorder.reading.lesson is not None
    context.messages.toast(f"Saved as {path.name}." if is_whole else _FAULTY.format(name=path.name))
    if then is not None:
        then()


def _file_name(title: str) -> str:
    """Return the name of a lesson's file: `two-paths-from-a-to-l.toml`."""
    words = "".join(c if c.isalnum() else " " for c in title.lower()).split()
    return f"{'-'.join(words) or 'lesson'}{SUFFIX}"


def offer_recovered_draft(context: Context, copies: DraftCopies) -> None:
    """Offer the lesson that a crashed window was recording."""
    found = copies.claim_left_behind()
    if found is None:
        return
    copy, draft = found  # the files left behind, locked for this window, and what they hold

    def restore() -> None:
        context.recorders.get().restore(draft, copy.origin)
        _show(context)
        if copies.keep():  # otherwise the old copy is the only one
            copy.discard()

    def throw_away() -> None:
        copy.discard()
        offer_recovered_draft(context, copies)  # there may be an older one

    ask(
        context.shell.widget,
        _LEFT_BEHIND.format(title=draft.title or _NO_TITLE),
        _KEPT.format(when=f"{copy.when:%d.%m.%Y at %H:%M}"),
        {
            ("Restore", Role.ACCEPT): restore,
            ("Throw away", Role.DESTRUCTIVE): throw_away,
            ("Later", Role.REJECT): copy.release,
        },
    )


RECORDING: tuple[Action, ...] = (
    Action("record_lesson", record_lesson),
    Action(
        "edit_lesson",
        edit_this_lesson,
        lambda c: c.lessons.now is not None and c.lessons.now.lesson.path is not None,
    ),
    Action("end_recording", end_recording, lambda c: c.recorders.now is not None),
)
