"""Take along: writes page, worksheet with key and strip of the lesson into a folder."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from app.controls.slices import Slices, told
from app.window.actions import Action
from app.window.dialogs.ask import tell
from app.workbench.gradients.formulas import enumerated
from engine.errors import EngineError
from engine.formats.files import shown_name, write_atomically

if TYPE_CHECKING:
    from app.lessons.lesson import Lesson
    from app.takeaway.lesson_folder import LessonFolder
    from app.window.context import Context

TITLE: Final = "Take the lesson along"
_MAKING: Final = "Making page, worksheet and strip"
_WRITTEN: Final = "Wrote {kinds} to {folder}."
_OPEN: Final = "Open folder"


def lesson_to_take(context: Context) -> Lesson | None:
    """Return the lesson that is on or was left; None without one, and for a day or a test."""
    now = context.lessons.now
    return now.lesson if now is not None and now.lesson.kind == "lesson" else None


def ask_take_along(context: Context) -> None:
    """Ask for a folder, then write the files of the lesson into it."""
    from app.window.dialogs.export import initial_folder
    from app.window.dialogs.file_dialogs import FileDialog

    lesson = lesson_to_take(context)
    if lesson is None:
        return
    folder, _remark = initial_folder(context)
    dialog = FileDialog(context.shell.widget, context.style, TITLE, str(folder))
    dialog.setFileMode(dialog.FileMode.Directory)
    dialog.setOption(dialog.Option.ShowDirsOnly)

    def write_to(name: str) -> None:
        take_along(context, lesson, Path(name))

    dialog.fileSelected.connect(write_to)
    dialog.open()


def take_along(context: Context, lesson: Lesson, folder: Path) -> None:
    """Write the files of a lesson into a folder; ask first if some exist there."""
    from app.takeaway.lesson_folder import file_names
    from app.window.dialogs.export import check

    def make(replace_protected: bool) -> None:
        write = partial(_write, context, folder, replace_protected=replace_protected)
        _make(context, lesson, write)

    files = [folder / name for name in file_names(lesson).values()]
    write_elsewhere = partial(take_along, context, lesson)
    check(context.shell.widget, context, files, write_elsewhere, make)


def _make(context: Context, lesson: Lesson, done: Callable[[LessonFolder], None]) -> None:
    """Make the files in slices, under a progress card with a Cancel button; then call `done`."""
    from app.takeaway.lesson_folder import lesson_folder

    slices, messages = Slices(context.shell.widget), context.messages

    def end(made: LessonFolder | EngineError) -> None:
        messages.end_progress()
        slices.deleteLater()
        if isinstance(made, EngineError):
            tell(context.shell.widget, "Nothing was written.", str(made))
        else:
            done(made)

    def cancel() -> None:
        slices.cancel()
        slices.deleteLater()

    slices.finished.connect(end)
    messages.progress.wait_for(_MAKING, cancel)
    slices.start(told(lesson_folder(lesson, context.style.digits)), after=0)


def _write(context: Context, folder: Path, made: LessonFolder, *, replace_protected: bool) -> None:
    """Write the files; then a notice names them and offers to open the folder."""
    for name, content in made.files.items():
        try:
            write_atomically(folder / name, content, replace_protected)
        except EngineError as error:
            tell(context.shell.widget, f"{shown_name(folder / name)} was not written.", str(error))
            return
    context.settings.export_folder = folder.absolute()
    folder_name = shown_name(folder.absolute())
    written = _WRITTEN.format(kinds=enumerated(made.kinds), folder=folder_name)
    sentence = " ".join((written, *made.missing))
    context.messages.offer(sentence, _OPEN, partial(open_folder, folder))


def open_folder(folder: Path) -> None:
    """Show a folder in the system's file manager."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder.absolute())))


TAKE_ALONG: tuple[Action, ...] = (
    Action(
        "lesson_take_along",
        "&Take it along…",
        ask_take_along,
        tooltip="Write this lesson into a folder: a page for phones, a worksheet with its key,"
        " and a strip of its steps",
        enabled=lambda c: lesson_to_take(c) is not None,
    ),
)
