"""What the File menu does: begin, open, save, export, quit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.window.actions import Action
from app.window.commands.export import EXPORTS
from app.window.commands.save import ask_save, save
from app.window.commands.unsaved import unless_unsaved
from app.window.dialogs.ask import tell
from engine.errors import EngineError
from engine.evaluate import from_expression
from engine.files import shown_name

if TYPE_CHECKING:
    from app.window.context import Context
    from engine.formats.native import Drawing


def new(context: Context) -> None:
    """Begin an empty document, on the page that offers what to do with it."""

    def begin() -> None:
        context.files.document_file.new()
        context.shell.show_start_page()

    unless_unsaved(context, begin)


def start_empty(context: Context) -> None:
    """Begin an empty document, on an empty canvas to build on."""

    def begin() -> None:
        context.files.document_file.new()
        context.shell.show_work()

    unless_unsaved(context, begin)


def ask_open(context: Context) -> None:
    """Ask for a file and open it."""
    from app.window.dialogs.file_dialogs import FileDialog, open_filters

    def choose() -> None:
        folder = str(context.files.folder)
        dialog = FileDialog(context.shell.widget, "Open a graph", folder)
        dialog.setNameFilters(open_filters())
        dialog.fileSelected.connect(lambda name: open_now(context, Path(name)))
        dialog.open()

    unless_unsaved(context, choose)


def open_file(context: Context, path: Path | str) -> None:
    """Open a file, after the question about unsaved work."""
    unless_unsaved(context, lambda: open_now(context, Path(path)))


def open_now(context: Context, path: Path) -> bool:
    """Open a file in place of the document; one that can't be read changes nothing."""
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
    """Open one of the shipped graphs as a document without a file."""
    from app.document.examples import examples

    def begin() -> None:
        found = next((example for example in examples() if example.name == name), None)
        if found is not None:
            context.files.document_file.open_copy(found.path)
            _show_opened(context)

    unless_unsaved(context, begin)


def open_drawing(context: Context, drawing: Drawing) -> None:
    """Open a graph that another program made and no file holds."""
    title = drawing.graph.title(drawing.graph.root or 0)
    context.files.document_file.rescue(drawing, None, title=title)
    _show_opened(context)


def open_expression(context: Context, text: str) -> None:
    """Put the graph of a formula in place of the document's; it can be undone."""
    try:
        graph = from_expression(text)
    except EngineError as error:
        context.messages.refuse(str(error))
        return
    context.document.replace_graph(graph)
    context.shell.show_work()


def _show_opened(context: Context) -> None:
    context.shell.show_work()
    context.canvas.framing.show_opened()


FILE: tuple[Action, ...] = (
    Action("new", "&New", new, ("Ctrl+N",), "new", "File"),
    Action("open", "&Open…", ask_open, ("Ctrl+O",), "open", "File"),
    Action("save", "&Save", save, ("Ctrl+S",), "save", "File", gap=True),
    Action("save_as", "Save &as…", ask_save, ("Ctrl+Shift+S",), "", "File"),
    *EXPORTS,
    Action("quit", "&Quit", lambda c: c.shell.close(), ("Ctrl+Q",), "", "File", gap=True),
)
