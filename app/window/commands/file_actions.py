"""Actions for files: new, open, save, export as picture or text, copy as picture, quit."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtGui import QGuiApplication

from app.canvas.paint.figure import figure_of
from app.document.examples import examples
from app.lessons.course import SUFFIX as LESSON_SUFFIX
from app.takeaway.forms import FORMS, KINDS
from app.takeaway.options import ClassicOptions, NoOptions
from app.window.actions import action
from app.window.commands import when as when
from app.window.commands.asking_actions import open_exercise
from app.window.commands.lesson_actions import open_lesson
from app.window.commands.programs_actions import SUFFIXES, open_program
from app.window.commands.save_actions import confirm_discard
from app.window.dialogs.ask import tell
from app.window.dialogs.export_forms import Export, can_export, export_of, export_paths, step_count
from engine import from_expression
from engine.errors import EngineError, FormatError
from engine.formats.dot import draw
from engine.formats.files import shown_name, write_files
from engine.frame import frame_at
from engine.numbers import counted

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.window.context import Context
    from engine.formats.native import Drawing


_COPY_DPI = 192
"""Resolution of a copied picture: twice the 96 of a screen at 100 %."""


_SAFE_KIND = "png"
"""The kind of file that can always be made."""
_WITHHELD = "It would show answers of the final test, which is still open."


GRAPHVIZ_TIMEOUT = 10.0
"""Most seconds that Graphviz may take; less than on the command line, since the window waits."""


@action("&New", "Ctrl+N", icon="new", search="blank empty clear start")
def new(context: Context) -> None:
    """A new, blank canvas; press Tab there to add a node by name."""

    def start_new() -> None:
        context.files.document_file.new()
        _show_opened(context)

    confirm_discard(context, start_new)


@action("&Open…", "Ctrl+O", icon="open", search="load import file read")
def open(context: Context) -> None:
    """Open a graph, a formula, a Python script, or a lesson."""
    from app.window.dialogs.file_dialogs import FileDialog, open_filters

    def open_chosen(name: str) -> None:
        open_now(context, Path(name))

    def show_dialog() -> None:
        folder = str(context.files.folder)
        dialog = FileDialog(context.shell.widget, context.style, "Open a graph", folder)
        dialog.setNameFilters(open_filters())
        dialog.fileSelected.connect(open_chosen)
        dialog.open()

    confirm_discard(context, show_dialog)


def open_file(context: Context, path: Path | str) -> None:
    """Open a file, after asking about unsaved work."""
    confirm_discard(context, lambda: open_now(context, Path(path)))


def open_now(context: Context, path: Path) -> bool:
    """Open a file without asking about unsaved work, or begin its lesson; False on failure."""
    if path.suffix.lower() == LESSON_SUFFIX:
        return open_lesson(context, path)
    if path.suffix.lower() in SUFFIXES:
        return open_program(context, path)
    try:
        remark = context.files.document_file.open(path)
    except EngineError as error:
        tell(context.shell.widget, f"{shown_name(path)} was not opened.", str(error))
        return False
    if context.document.path is not None:
        context.files.recent.add(path)
    _show_opened(context)
    if remark:
        context.messages.toast(remark)
    return True


def open_example(context: Context, name: str) -> None:
    """Open a shipped example as a document without a file, under the example's title."""

    def open_copy() -> None:
        found = next((example for example in examples() if example.name == name), None)
        if found is not None:  # else its file was deleted while the program runs
            context.files.document_file.open_copy(found.path, found.title)
            _show_opened(context)

    confirm_discard(context, open_copy)


def open_drawing(context: Context, drawing: Drawing) -> None:
    """Open a graph that `Value.show()` has handed over, as a document without a file."""
    root = drawing.graph.root
    title = "" if root is None else drawing.graph.label(root)
    context.document.start(drawing, title=title)
    _show_opened(context)


def open_expression(context: Context, text: str) -> None:
    """Replace the document's graph by that of an expression, as one step of undo."""
    try:
        graph = from_expression(text)
    except EngineError as error:
        context.messages.refuse(str(error))
        return
    context.document.replace_graph(graph, text)
    context.shell.show_work()


def announce_replacement(context: Context, title: str) -> None:
    """Show that undo brings back the sheet, by title, that a typed formula has replaced."""
    context.messages.toast(f"This is a new sheet. Undo brings back {title or 'the one before'}.")


def _show_opened(context: Context) -> None:
    """Show a document just opened: begin its exercise, fit the graph."""
    context.shell.show_work()
    open_exercise(context)
    context.canvas.framing.fit_all()


@action("&Export…", "Ctrl+E", when.has_nodes, icon="export", search="picture figure image print")
def export(context: Context, kind: str = "", all_steps: bool = False) -> None:
    """Write a picture of this step, all steps, or the graph in another format."""
    from app.window.dialogs.export import ExportDialog

    kind = kind or context.settings.export_form
    is_there = kind in KINDS and can_export(context, FORMS[KINDS[kind]])
    write = partial(export_files, context)
    ExportDialog(context, write, kind if is_there else _SAFE_KIND, all_steps).open()


def export_files(
    context: Context, export: Export, parent: QWidget, made: Mapping[Path, bytes] | None = None
) -> bool:
    """Export to one file, or to some; a failure is shown as a dialog of `parent`.

    `made` is the content of the files, if they are made already.
    """
    try:
        if not can_export(context, export.form, export.all_steps):
            raise FormatError(_WITHHELD)
        if made is None:
            written = _write_files(context, export)
        else:
            write_files(made, export.replace_protected)
            written = list(made)
    except EngineError as error:
        tell(parent, f"{shown_name(export.path)} was not written.", str(error))
        return False
    one, many = "Exported {name} to {folder}.", "Exported {count} files to {folder}."
    folder = shown_name(written[0].absolute().parent)
    context.messages.toast(counted(len(written), one, many, name=written[0].name, folder=folder))
    return True


@action(
    "Copy as picture",
    "Ctrl+Shift+C",
    when.has_nodes,
    icon="picture",
    search="screenshot image clipboard figure",
)
def copy_picture(context: Context) -> None:
    """Put a picture of this step on the clipboard."""
    from app.canvas.paint.picture_export import image
    from app.window.dialogs.export_content import picture_options_of

    theme, playback = context.style.theme.name, context.playback
    export = export_of("png", Path(), theme=theme, dpi=_COPY_DPI)
    picture_options = replace(picture_options_of(context, export), least_dpi=_COPY_DPI)
    try:
        picture = image(context.document.sheet, playback.frame, picture_options)
    except EngineError as error:
        tell(context.shell.widget, "The picture can't be copied.", str(error))
        return
    QGuiApplication.clipboard().setImage(picture)
    context.messages.toast("A picture of this step is on the clipboard.")


def _write_files(context: Context, export: Export) -> list[Path]:
    """Write the files of an export; return their paths."""
    from app.window.dialogs.export_content import picture_options_of, text_of

    options = export.options
    if isinstance(options, NoOptions):
        content = text_of(context, export.kind).encode("utf-8")
        write_files({export.path: content}, export.replace_protected)
        return [export.path]
    # in a quiz too, since an export of all steps was asked for
    trace = context.playback.frame.unhidden
    files = export_paths(export, trace)
    frames = [context.playback.frame]
    if export.all_steps and trace is not None:
        frames = [frame_at(trace, cursor) for cursor in range(step_count(trace))]
    if isinstance(options, ClassicOptions):
        look = (export.suffix[1:], options.dpi, options.transparent, GRAPHVIZ_TIMEOUT)
        made = {path: draw(frame, *look) for path, frame in zip(files, frames, strict=True)}
        write_files(made, export.replace_protected)
        return files
    from app.canvas.paint.picture_export import save_pictures

    picture_options = picture_options_of(context, export)
    figure = figure_of(context.document.sheet, frames[0], picture_options)
    save_pictures(files, figure, frames, picture_options, export.replace_protected)
    return files


def _export_action(kind: str, text: str, *, all_steps: bool = False) -> None:
    form = FORMS[KINDS[kind]]

    def enabled(context: Context) -> bool:
        has_content = form.of_lesson or when.has_nodes(context)
        return has_content and can_export(context, form, all_steps)

    name = "all" if all_steps else kind
    words = "vector" if kind == "svg" else form.words
    search = f"export save write figure image {words}"

    @action(f"{text}…", enabled=enabled, id=f"export-{name}", search=search)
    def use(context: Context) -> None:
        export(context, kind, all_steps)


_export_action("png", "Pictures of all steps", all_steps=True)
for kind, name in KINDS.items():
    _export_action(kind, FORMS[name].title_of(kind))


@action("Forget recent files", search="clear privacy last files")
def forget_recent(context: Context) -> None:
    """Clear the list on the start page and in the command palette."""
    context.files.recent.clear()


@action("&Quit", "Ctrl+Q", search="exit close end leave")
def quit(context: Context) -> None:
    """Close the window and exit the program."""
    context.shell.widget.close()
