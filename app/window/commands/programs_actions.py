"""Programs and notebooks: brought by opening, dropping or pasting, run once the user agrees.

Nothing here but `run_program` starts anything of theirs, and only the bar's buttons call it.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QTimer

from app.document.sheet import sheet_of
from app.window.dialogs.ask import tell
from engine.errors import EngineError
from engine.formats import python
from engine.formats.files import read_content, shown_name, source_text
from engine.formats.native import Drawing
from engine.formats.notation import looks_like_a_program
from engine.names import brief

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.document.document import Document
    from app.window.context import Context
    from app.window.settings import Settings
    from app.workbench.playback.playback import Playback
    from app.workbench.trials.program_run import ProgramRun
    from engine.formats.program_graph import ProgramGraph


SUFFIXES = (".py", ".ipynb")
_MORE = re.compile(r"^(?:class|def) ", re.MULTILINE)
"""A line that defines what only running can follow."""
_OWN_CLASS = re.compile(r"^class (\w+)", re.MULTILINE)


class Reading(Struct, frozen=True):
    """The straight lines of a program, what is said of them, and whether there is more to it."""

    drawing: Drawing | None
    sentence: str
    has_more: bool


def program_run_of(
    document: Document, playback: Playback, settings: Settings
) -> Callable[[], ProgramRun]:
    """Return a function that returns the window's ProgramRun, which it makes at the first call."""

    @cache
    def program_run() -> ProgramRun:
        from app.workbench.trials.program_run import ProgramRun

        return ProgramRun(document, playback, settings, document)

    return program_run


def open_program(context: Context, path: Path) -> bool:
    """Open the straight lines of a program, and offer to run it; False if it is no Python."""
    try:
        content = read_content(path)
        reading = read_lines(source_text(content, path.suffix), shown_name(path))
    except EngineError as error:
        tell(context.shell.widget, f"{shown_name(path)} was not opened.", str(error))
        return False
    context.files.recent.add(path)
    context.document.start(reading.drawing, title=path.stem)
    context.shell.show_work()
    if reading.has_more:
        context.programs().bring(path.absolute(), content, reading.sentence)
        context.shell.parts.show_program()
    elif reading.sentence:
        context.messages.toast(reading.sentence)
    context.canvas.framing.fit_new()
    return True


def offer_pasted(context: Context, text: str, file: Path | None = None) -> bool:
    """Offer to run a pasted program, or file, that is more than straight lines; False if not."""
    if not (python.is_notebook(text) or looks_like_a_program(text)):
        return False
    try:
        content = text.encode("utf-8", "replace") if file is None else read_content(file)
        text = text if file is None else source_text(content, file.suffix)
        reading = read_lines(text, "The program" if file is None else shown_name(file))
    except EngineError:
        return False
    if not reading.has_more:
        return False
    pasted = Path("pasted.ipynb" if python.is_notebook(text) else "pasted.py")
    context.programs().bring(file or pasted, content, reading.sentence)
    context.shell.show_work()
    context.shell.parts.show_program()
    return True


def read_lines(text: str, name: str) -> Reading:
    """Read the straight lines of a program; raises FormatError for a text that is no Python."""
    from engine.formats.python.straight import straight

    is_notebook = python.is_notebook(text)
    found = straight(python.cells(text) if is_notebook else text)
    code = "\n".join(python.cells(text).values()) if is_notebook else text
    own = sorted(_OWN_CLASS.findall(code), key=lambda name: name == "Value")
    has_more = bool(found.passed or own or len(found.roots) > 1 or _MORE.search(code))
    if not found.roots and has_more:
        words = f"{name} makes its numbers in functions and classes. Nothing was read."
        if found.passed:
            words = f"Nothing of {name} was read: {found.passed[0]} is more than a straight line."
        return Reading(None, words, has_more=True)
    graph = found.graph()
    if not (has_more and found.roots):
        return Reading(Drawing(graph), found.remark, has_more=False)
    place, root = found.roots[len(found.roots) - 1].place, graph.title(graph.root or 0)
    where = place.cell or f"line {place.line}"
    words = f"{name} was read as far as it is straight lines: {where}, root {root}."
    if own:
        words = f"{words} It has a class of its own, {brief(own[0])}."
    return Reading(Drawing(graph), words, has_more=True)


def run_program(context: Context) -> None:
    """Run the program that was brought: the user has just agreed."""
    context.programs().start()


def run_with_network(context: Context) -> None:
    """Run it again, with the network that the user has just allowed."""
    run = context.programs()
    run.request = replace(run.request, network=True)
    run.start()


def open_pass(context: Context, found: ProgramGraph) -> None:
    """Put a pass of the program on the sheet, in one step of undo."""
    document, canvas = context.document, context.canvas
    gesture, sheet = document.new_gesture(), sheet_of(found.drawing)
    title = found.recording.root.label or found.recording.root.name or "pass"
    if not document.show_other(sheet, f"{title} of {_name(context)}", gesture):
        return
    context.programs().show(found)
    context.shell.parts.show_sheet()
    canvas.setFocus()
    QTimer.singleShot(0, canvas, canvas.framing.fit_new)


def _name(context: Context) -> str:
    return context.programs().request.name


def see_it_happen(context: Context, found: ProgramGraph) -> None:
    """Put a pass on the sheet, and begin it as the program ran it."""
    open_pass(context, found)
    if found.recorded.wrong:  # else its rules hold by themselves
        context.playback.set_rules(found.recorded.rules)
    context.playback.backward()
