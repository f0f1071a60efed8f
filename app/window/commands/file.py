"""Actions for files: new, open, save, export, quit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from app.document.examples import examples
from app.lessons.index import SUFFIX as LESSON
from app.window.actions import Action
from app.window.commands.exercise import open_exercise
from app.window.commands.export import EXPORTS
from app.window.commands.lessons import open_lesson
from app.window.commands.save import ask_save, save
from app.window.commands.unsaved import unless_unsaved
from app.window.dialogs.ask import tell
from engine.errors import EngineError
from engine.evaluate import from_expression
from engine.formats.files import shown_name

if TYPE_CHECKING:
    from app.window.context import Context
    from engine.formats.native import Drawing


NEW_TIP = "A new, blank canvas; press Tab there to add a node by name"
OPEN_TIP = "Open a graph, a formula, a Python script or a lesson from a file"
SAVE_TIP = "Write the graph to its file"
SAVE_AS_TIP = "Write the graph to another file, under a new name"
QUIT_TIP = "Close the window and exit the program"


def new(context: Context) -> None:
    """Begin an empty document, on an empty canvas at 100 %."""

    def begin() -> None:
        context.files.document_file.new()
        _show_opened(context)

    unless_unsaved(context, begin)


def ask_open(context: Context) -> None:
    """Ask for a file and open it."""
    from app.window.dialogs.file_dialogs import FileDialog, open_filters

    def choose_file(name: str) -> None:
        open_now(context, Path(name))

    def choose() -> None:
        folder = str(context.files.folder)
        dialog = FileDialog(context.shell.widget, context.style, "Open a graph", folder)
        dialog.setNameFilters(open_filters())
        dialog.fileSelected.connect(choose_file)
        dialog.open()

    unless_unsaved(context, choose)


def open_file(context: Context, path: Path | str) -> None:
    """Open a file, after asking about unsaved work."""
    unless_unsaved(context, lambda: open_now(context, Path(path)))


def open_now(context: Context, path: Path) -> bool:
    """Open a file in place of the document, or begin its lesson; False if it can't be read."""
    if path.suffix.lower() == LESSON:
        return open_lesson(context, path)
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

    def begin() -> None:
        found = next((example for example in examples() if example.name == name), None)
        if found is not None:
            context.files.document_file.open_copy(found.path, found.title)
            _show_opened(context)

    unless_unsaved(context, begin)


def open_drawing(context: Context, drawing: Drawing) -> None:
    """Open a graph handed over by another program, which has no file."""
    root = drawing.graph.root
    title = "" if root is None else drawing.graph.label(root)
    context.document.start(drawing, title=title)
    _show_opened(context)


def open_expression(context: Context, text: str) -> None:
    """Replace the document's graph by an expression's; this can be undone."""
    try:
        graph = from_expression(text)
    except EngineError as error:
        context.messages.refuse(str(error))
        return
    context.document.replace_graph(graph, text)
    context.shell.show_work()


def tell_replaced(context: Context, title: str) -> None:
    """Tell that a formula was typed in place of a sheet, of this title or none."""
    context.messages.toast(f"This is a new sheet. Undo brings back {title or 'the one before'}.")


def _show_opened(context: Context) -> None:
    """Show the document from its beginning, without what was said about the one before."""
    context.messages.dismiss_toast()
    context.shell.show_work()
    open_exercise(context)
    context.canvas.framing.fit_all()


FILE: tuple[Action, ...] = (
    Action("new", "&New", new, ("Ctrl+N",), icon="new", tip=NEW_TIP),
    Action("open", "&Open…", ask_open, ("Ctrl+O",), icon="open", tip=OPEN_TIP),
    Action("save", "&Save", save, ("Ctrl+S",), icon="save", tip=SAVE_TIP),
    Action("save_as", "Save &as…", ask_save, ("Ctrl+Shift+S",), tip=SAVE_AS_TIP),
    Action(
        "forget_recent",
        "Forget recent files",
        lambda c: c.files.recent.clear(),
        tip="Clear the list on the start page and in the command palette",
    ),
    *EXPORTS,
    Action("quit", "&Quit", lambda c: c.shell.widget.close(), ("Ctrl+Q",), tip=QUIT_TIP),
)
