"""Actions for the lesson of the sheet: its steps, its files; the lesson that is on as a sheet."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app.document.document_file import OnDisk, content_hash, state_on_disk
from app.lessons.course import SUFFIX
from app.window.actions import action, pass_action, revealing_action
from app.window.commands import when as when
from app.window.dialogs.ask import save_replacing, tell
from engine.errors import EngineError
from engine.formats.files import read_content, shown_name, write_atomically

if TYPE_CHECKING:
    from app.window.context import Context

Then = Callable[[], object]
"""The action that waits for a file to be saved, such as closing the window."""
FILTER: Final = f"Lesson (*{SUFFIX})"
"""The name filter of a file dialog for lessons."""
_SAVED: Final = "Saved as {name}."
_FAULTY: Final = "Saved as {name}. It has errors, so it can't be played yet."
_NO_STEPS: Final = "Add a step first: press A on the sheet."


def has_steps(context: Context) -> bool:
    """Return whether the sheet has a lesson with a step."""
    recorder = context.recorders.now
    return recorder is not None and bool(recorder.steps)


def can_add_step(context: Context) -> bool:
    """Return whether a place of the sheet can become a step.

    The sheet has nodes and is not behind the start page, no lesson is on, and no mode asks.
    """
    free = not context.guides.active and context.guides.room is None
    free = free and not context.shell.on_full_page
    return free and context.playback.now.mode.name == "stepping" and when.has_nodes(context)


@pass_action("&Add a step here, or take it away", "A", can_add_step, search="mark lecture lesson")
def add_step(context: Context) -> None:
    """A step of the lesson at the step shown, or at the selected node or wire."""
    context.recorders.get().toggle(context.canvas.hover.current.wire)


@revealing_action(
    "&Make a lesson of this sheet",
    enabled=lambda c: not c.guides.active,
    search="lecture prepare speaker notes record write teach steps",
)
def record_lesson(context: Context) -> None:
    """The steps of this sheet, for learners and for a room: each takes it as it is."""
    context.guides.restore_own_sheet()
    context.recorders.get().show()
    _show(context)


@revealing_action("P&resent from the chosen step", enabled=has_steps)
def present_step(context: Context) -> None:
    """Give the lesson of this sheet to a room, from the chosen step on."""
    recorder = context.recorders.now
    lesson = None if recorder is None else recorder.lesson
    if recorder is None or lesson is None:
        context.messages.refuse(_NO_STEPS)
        return
    recorder.come_back()
    context.shell.present_lesson(lesson, max(recorder.at, 0))


def edit_lesson_file(context: Context, path: Path) -> bool:
    """Open a lesson file as a sheet with its steps; on failure show why and return False."""
    from app.lessons.draft import sheet_of_file

    try:
        content = read_content(path)
        opened = sheet_of_file(content, path)
    except EngineError as error:
        reason = str(error).rstrip(".")
        tell(context.shell.widget, f"{shown_name(path)} was not opened.", f"{reason}.")
        return False
    context.guides.restore_own_sheet()
    drawing = dataclasses.replace(opened.drawing, lesson=opened.lesson)
    context.document.start(drawing, title=opened.title)
    recorder = context.recorders.get()
    recorder.note_file(path, content_hash(content), opened.table)
    recorder.show()
    _show(context)
    return True


def _show(context: Context) -> None:
    """Show the page Lesson, on which the steps are, and the whole sheet."""
    context.shell.show_page("lesson", focus=False)
    context.canvas.framing.fit_all()


# saving


def save_lesson_file(context: Context, then: Then | None = None) -> None:
    """Save the sheet to its lesson file, after asking if another program has changed that."""
    recorder = context.recorders.get()
    file = recorder.file
    if file is None:
        save_lesson(context, then)
    elif state_on_disk(file.path, file.known_hash) is OnDisk.CHANGED:
        save_lesson_chosen(context, file.path, then)
    else:
        _write(context, file.path, then)


@action("Save as a lesson…", enabled=has_steps)
def save_lesson(context: Context, then: Then | None = None) -> None:
    """Write the steps of this sheet, with its graph, to a file."""
    from app.window.dialogs.file_dialogs import Target, ask_target

    if not has_steps(context):
        context.messages.refuse(_NO_STEPS)
        return
    recorder = context.recorders.get()
    file = recorder.file
    new = context.files.folder / lesson_file_name(recorder.title)
    own = None if file is None else file.path
    target = Target("Save the lesson", own or new, FILTER, _with_suffix, own)
    parent = context.shell.widget
    ask_target(parent, context.style, target, lambda path: _write(context, path, then))


def save_lesson_chosen(context: Context, path: Path, then: Then | None = None) -> None:
    """Write the lesson to a chosen file, after asking before an existing one is replaced."""
    save_replacing(
        context.shell.widget,
        _with_suffix(path),
        lambda path: _write(context, path, then),
        lambda: save_lesson(context, then),
    )


def _with_suffix(path: Path) -> Path:
    return path if path.suffix.lower() == SUFFIX else path.with_name(path.name + SUFFIX)


def _write(context: Context, path: Path, then: Then | None) -> None:
    """Write the lesson; a sheet that is in no file else needs no saving then."""
    recorder, document = context.recorders.get(), context.document
    recorder.come_back()
    try:
        content = recorder.text.encode("utf-8")
        write_atomically(path, content)
    except EngineError as error:
        tell(context.shell.widget, f"{shown_name(path)} was not saved.", str(error))
        return
    if document.path is None:
        file = recorder.file
        recorder.note_file(path, content_hash(content), file.table if file else None)
        sheet = document.sheet
        if not (sheet.groups or sheet.task):
            document.kept()
    is_whole = recorder.reading.lesson is not None
    context.messages.toast((_SAVED if is_whole else _FAULTY).format(name=path.name))
    if then is not None:
        then()


def lesson_file_name(title: str) -> str:
    """Return the name of a lesson's file: `two-paths-from-a-to-l.toml`."""
    words = "".join(c if c.isalnum() else " " for c in title.lower()).split()
    return f"{'-'.join(words) or 'lesson'}{SUFFIX}"
