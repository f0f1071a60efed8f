"""Where an export is written: its folder, and the questions before a file is replaced."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app.window.dialogs.ask import Role, ask, tell
from engine.errors import EngineError
from engine.formats.files import check_target, is_protected, shown_name
from engine.numbers import counted

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.window.context import Context

Done = Callable[[bool], object]
"""Takes whether the user agreed to replace files, even write-protected ones."""


def first_folder(context: Context) -> tuple[Path, str]:
    """Return the folder to begin with, and a remark where that of the last export is gone."""
    kept = context.settings.export_folder
    if kept is None:
        usual = context.files.folder
        return (usual if usual.is_dir() else other_folder(context, usual)), ""
    if kept.is_dir():
        return kept, ""
    return other_folder(context, kept), f"The folder of the last export is gone: {kept}."


def other_folder(context: Context, missing: Path) -> Path:
    """Return a folder that exists, to write to instead of a missing one."""
    kept = context.settings.export_folder
    able = [kept, context.files.folder, Path.home(), *missing.parents, Path.cwd()]
    usable = (path for path in able if path and path.is_dir() and os.access(path, os.W_OK))
    return next(usable, context.files.folder)


def check(
    parent: QWidget,
    context: Context,
    files: Sequence[Path],
    move: Callable[[Path], object],
    done: Done,
) -> None:
    """Call `done` if the files can be written and nothing is lost, else ask or tell.

    `move` is called with another folder if the one of the files is missing.
    """
    folder = files[0].parent
    if not folder.is_dir():
        _ask_folder(
            parent, context, folder, move, lambda: check(parent, context, files, move, done)
        )
        return
    try:
        targets = [check_target(path) for path in files]
    except EngineError as error:
        tell(parent, "Nothing was written.", str(error))
        return
    if any(_is_own_file(context, target) for target in targets):
        more = "Close this and save, or choose another name."
        tell(parent, "Nothing was written.", f"This is the file of the graph itself. {more}")
        return
    there = [path for path in targets if path.exists()]
    if there:
        _ask_replace(parent, there, done)
    else:
        done(False)


def _ask_folder(
    parent: QWidget,
    context: Context,
    missing: Path,
    move: Callable[[Path], object],
    again: Callable[[], None],
) -> None:
    other = other_folder(context, missing)

    def make() -> None:
        try:
            missing.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            tell(parent, "The folder can't be made.", f"{missing}: {error.strerror or error}.")
            return
        again()

    ask(
        parent,
        f"There is no folder {missing}.",
        f"Nothing was written. {other} is there.",
        {
            (f"Write to {other.name or other}", Role.ACCEPT): lambda: move(other),
            ("Make the folder", Role.OTHER): make,
            ("Cancel", Role.LEAVE): None,
        },
    )


def _ask_replace(parent: QWidget, there: list[Path], done: Done) -> None:
    first = shown_name(there[0])
    one, many = "A file of this name is there", "Files of these names are there"
    ask(
        parent,
        counted(len(there), "Replace {first}?", "Replace {count} files?", first=first),
        f"{counted(len(there), one, many)} already. {_protection(there)}".rstrip(),
        {("Replace", Role.ACCEPT): lambda: done(True), ("Cancel", Role.LEAVE): None},
    )


def _is_own_file(context: Context, target: Path) -> bool:
    """Return whether the target is the document's file, which only Save may write."""
    own = context.document.path
    if own is None:
        return False
    try:
        return os.path.samefile(target, own)
    except OSError:  # one of the files does not exist
        return target == Path(os.path.realpath(own))


def _protection(there: list[Path]) -> str:
    """Return a remark on write-protected files for the question whether to replace files."""
    protected = [path for path in there if is_protected(path)]
    if not protected:
        return ""
    if len(there) == 1:
        return "It is write-protected."
    one, many = "{first} is write-protected.", "{count} of them are write-protected."
    return counted(len(protected), one, many, first=shown_name(protected[0]))
