"""Export: writes what the window shows, as pictures or in another format."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from app.style.current import Extra
from app.window.actions import Action
from app.window.commands import conditions as when
from app.window.dialogs.ask import tell
from app.window.dialogs.export_forms import CLASSIC, PICTURES, Export, forms, paths, step_count
from engine.errors import EngineError
from engine.formats.dot_classic import draw
from engine.formats.files import shown_name, write_whole
from engine.frame import frame_at
from engine.numbers import counted

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.window.context import Context

_COPY_DPI = 192
"""Resolution of a copied picture: 96 is that of a screen at 100 %."""
PATIENCE = 10.0
"""Timeout of Graphviz in seconds; the command line waits longer."""


def ask_export(context: Context, form: str = "", all_steps: bool = False) -> None:
    """Open the export dialog with a form, or with that of the last export."""
    from app.window.dialogs.export import ExportDialog

    form = form or context.settings.export_form
    ExportDialog(context, partial(write, context), form, all_steps).open()


def write(context: Context, export: Export, parent: QWidget) -> bool:
    """Write one file, or one per step; shows a failure as a dialog of `parent`."""
    try:
        written = _write(context, export)
    except EngineError as error:
        tell(parent, f"{shown_name(export.path)} was not written.", str(error))
        return False
    one, many = "Exported {name} to {folder}.", "Exported {count} files to {folder}."
    folder = shown_name(written[0].absolute().parent)
    context.messages.toast(counted(len(written), one, many, name=written[0].name, folder=folder))
    return True


def copy_picture(context: Context) -> None:
    """Copy the picture of this step to the clipboard, at twice the resolution of the screen."""
    from app.canvas.paint.picture_export import Shot, image

    style, playback = context.style, context.playback
    extras = frozenset[Extra]() if playback.now.asks else style.extras
    shot = Shot(
        style.theme.name,
        _COPY_DPI,
        transparent=False,
        digits=style.digits,
        least_dpi=_COPY_DPI,
        extras=extras,
        notation=style.notation,
    )
    try:
        picture = image(context.document.sheet, playback.frame, shot)
    except EngineError as error:
        tell(context.shell.widget, "The picture can't be copied.", str(error))
        return
    QGuiApplication.clipboard().setImage(picture)
    context.messages.toast("A picture of this step is on the clipboard.")


def _write(context: Context, export: Export) -> list[Path]:
    from app.window.dialogs.export_content import shot_of, text_of

    if export.form not in (*PICTURES, *CLASSIC):
        content = text_of(context, export.form).encode("utf-8")
        write_whole(export.path, content, export.replace_protected)
        return [export.path]
    trace = context.playback.frame.unhidden  # all steps, asked for: nothing is hidden
    files = paths(export, trace)
    frames = [context.playback.frame]
    if export.all_steps and trace is not None:
        frames = [frame_at(trace, cursor) for cursor in range(step_count(trace))]
    if export.form in CLASSIC:
        form = CLASSIC[export.form][1].removeprefix(".")
        for path, frame in zip(files, frames, strict=True):
            picture = draw(frame, form, export.dpi, export.transparent, PATIENCE)
            write_whole(path, picture, export.replace_protected)
        return files
    from app.canvas.paint.picture_export import save_pictures

    shot, sheet = shot_of(context, export), context.document.sheet
    save_pictures(files, sheet, frames, shot, export.replace_protected)
    return files


def _as(name: str, text: str) -> Action:
    return Action(
        f"export-{name}", f"{text}…", lambda c: ask_export(c, name), enabled=when.has_nodes
    )


EXPORTS: tuple[Action, ...] = (
    Action(
        "export",
        "&Export…",
        ask_export,
        ("Ctrl+E",),
        icon="export",
        tip="Write a picture of this step, all steps, or the graph in another format",
        enabled=when.has_nodes,
    ),
    *(_as(form, f"Picture of this step as {form.upper()}") for form in PICTURES),
    Action(
        "export-all",
        "Pictures of all steps…",
        lambda c: ask_export(c, "png", all_steps=True),
        enabled=when.has_nodes,
    ),
    *(_as(name, title) for name, (title, _) in forms().items() if name not in PICTURES),
    Action(
        "copy_picture",
        "Copy as picture",
        copy_picture,
        ("Ctrl+Shift+C",),
        icon="picture",
        tip="Put a picture of this step on the clipboard",
        enabled=when.has_nodes,
    ),
)
