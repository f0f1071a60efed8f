"""Training: opens its page, loads tables, exports results, and shows a sample on the sheet."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QTimer

from app.document.document import Document
from app.document.sheet import Point, sheet_of
from app.window.actions import revealing_action, sheet_action
from app.window.commands import when as when
from app.window.dialogs.ask import tell
from app.window.planes import following_plane
from app.workbench.adding import grouped
from engine.errors import EngineError
from engine.formats.files import decoded, read_content, shown_name, write_atomically
from engine.formats.native import write_drawing

if TYPE_CHECKING:
    from app.panels.code import CodePage
    from app.panels.train import TrainPage
    from app.window.context import Context
    from app.workbench.training import Training

_EXPORT_KINDS = {
    "graph": ("Save the trained graph", "Backwire (*.backwire)", ".backwire"),
    "png": ("Save the curve", "Picture (*.png)", ".png"),
    "svg": ("Save the curve", "Picture (*.svg)", ".svg"),
    "csv": ("Save the curve", "Table (*.csv)", ".csv"),
    "torch": ("Save the PyTorch script", "Python (*.py)", ".py"),
}
"""What the page exports, by kind: title of the file dialog, its filter, and the suffix."""


@revealing_action(
    "&Train a network…",
    checked=lambda c: c.shell.parts.staged,
    search="network mlp boundary moons epochs samples dataset csv",
)
def train(context: Context) -> None:
    """Train a network on samples, and watch its boundary and its losses."""
    shell = context.shell
    if shell.parts.end_stage():
        return
    page = cast("TrainPage", shell.show_page("train"))
    page.show_view("training")


def training_of(document: Document) -> Callable[[], Training]:
    """Return a function that returns the window's network, which it makes at the first call."""

    @cache
    def training() -> Training:
        from app.workbench.training import Training

        return Training(document)

    return training


def train_page(context: Context) -> TrainPage:
    """Create the page Train, its signals connected to this window.

    Its part `page.training` shows a `Training`, in turn called `training` there.
    """
    from app.panels.train import TrainPage

    style, document, playback = context.style, context.document, context.playback
    page = TrainPage(style, document, playback, context.descents, context.training)
    page.refused.connect(context.messages.refuse)
    page.table_wanted.connect(partial(_ask_table, context, page))
    page.step_wanted.connect(partial(step_sample, context, page))
    page.export_wanted.connect(partial(_ask_export, context, page))
    page.staging.connect(partial(leave_modes, context))
    return page


def leave_modes(context: Context, *_said: object) -> None:
    """End every mode, and the pass, before a stage replaces the sheet."""
    context.descents.leave()
    context.modes.leave()
    context.playback.leave()


_MAX_UNGROUPED: Final = 6
"""Neurons up to which each is folded for itself; of a larger network the layers are."""


def step_sample(context: Context, page: TrainPage, sample: int) -> None:
    """Show the graph of a sample as another document, in one undo step, and start its backward."""
    training = page.training.training
    training.pause()
    drawing = grouped(training.sample_graph(sample), _MAX_UNGROUPED)
    name = f"Sample {sample + 1} at epoch {training.state.epochs:,}"
    document, canvas = context.document, context.canvas
    gesture = document.new_gesture()
    if not document.show_other(sheet_of(drawing), name, gesture):
        return
    page.leave_stage()
    if training.setup.sizes[0] == 2 and training.learner.has_classes:
        page.set_plane(following_plane(context, training.twin(), sample))
    context.shell.show_page("train", focus=False)
    canvas.setFocus()
    canvas.framing.fit_all()
    context.playback.backward()

    def place(places: dict[int, Point]) -> None:
        document.apply_layout(places, gesture)
        # fit when the views have followed the document
        QTimer.singleShot(0, canvas, canvas.framing.fit_again)

    canvas.auto_layout.arrange(frozenset(drawing.graph.nodes), place)
    context.messages.toast(f"{name} is on the sheet; undo brings back what was there.")


def _ask_table(context: Context, page: TrainPage) -> None:
    from app.window.dialogs.file_dialogs import FileDialog

    parent, folder = context.shell.widget, str(context.files.folder)
    dialog = FileDialog(parent, context.style, "Train on a table", folder)
    dialog.setNameFilters(["Tables (*.csv *.tsv *.txt)", "All files (*)"])
    dialog.fileSelected.connect(partial(open_table, context, page))
    dialog.open()


def open_table(context: Context, page: TrainPage, file: str) -> None:
    """Read a file as a table and offer its columns, or say why it is no table."""
    from engine.training.table import read_table

    path = Path(file)
    try:
        table = read_table(decoded(read_content(path)))
    except EngineError as error:
        tell(context.shell.widget, f"{shown_name(path)} can't be used.", str(error))
        return
    page.training.offer_columns(table, shown_name(path))


def _ask_export(context: Context, page: TrainPage, kind: str) -> None:
    """Ask for a file, and write an export of one of `_EXPORT_KINDS` there."""
    from app.window.dialogs.file_dialogs import Target, ask_target

    title, name_filter, suffix = _EXPORT_KINDS[kind]

    def with_suffix(path: Path) -> Path:
        return path if path.suffix else path.with_name(path.name + suffix)

    suggested = context.files.folder / f"{page.training.training.data}{suffix}"
    target = Target(title, suggested, name_filter, with_suffix, over_protected=True)
    write = partial(_write_export, context, partial(export_content, page, kind))
    ask_target(context.shell.widget, context.style, target, write)


def export_content(page: TrainPage, kind: str) -> bytes:
    """Return the content of an export of one of `_EXPORT_KINDS`."""
    training = page.training.training
    if kind == "graph":
        return write_drawing(grouped(training.sample_graph(page.training.chosen_sample))).encode()
    if kind == "torch":
        from engine.training.torch_script import write

        return write(training.learner, training.epochs or training.setup.epochs).encode()
    if kind == "csv":
        from app.workbench.training import loss_table

        return loss_table(training).encode()
    return page.training.curve.picture("svg" if kind == "svg" else "png")


def _write_export(context: Context, content: Callable[[], bytes], path: Path) -> None:
    try:
        write_atomically(path, content(), replace_protected=True)
    except EngineError as error:
        tell(context.shell.widget, f"{shown_name(path)} was not saved.", str(error))
        return
    context.messages.toast(f"Saved as {path.name}.")


def show_code(context: Context, view: str = "steps") -> None:
    """Show a view of the page Code: the lines of the pass, or the graph as one function."""
    cast("CodePage", context.shell.show_page("code")).show_view(view)


@sheet_action("So&urce of the program", enabled=when.has_nodes, search="compiled function python")
def source(context: Context) -> None:
    """Show the graph compiled to one function of Python, beside the sheet."""
    show_code(context, "source")
