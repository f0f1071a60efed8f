"""ProgramRun: the program that was brought into the window, and its run, one at a time.

Opening, dropping and pasting only bring it. It runs once `start` is called, which only the click on
its bar does, and again without another question while its bytes and its Python are the same.
"""

from __future__ import annotations

import threading
import time
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from app.document.document import Document
from app.runner.run import Request, Run
from app.workbench.playback.playback import Playback
from app.workbench.playback.view_state import ViewState
from engine.errors import EngineError, FormatError
from engine.formats.files import read_content, source_text
from engine.formats.program_graph import ProgramGraph
from engine.formats.python import cells, is_notebook
from engine.formats.recording import Place, Recording, RunResult, Unshown, title_of_file, told
from engine.graph import Graph

if TYPE_CHECKING:
    from app.controls.python_choice import HasPython

_LOOK_MS: Final = 100
"""Time from one look at the run to the next."""
_POLL_SECONDS: Final = 0.02
"""Time after which the thread reads again what the program has sent."""
_END_SECONDS: Final = 2.0
"""Time for which the end of a killed run is waited for."""


class Brought(Struct, frozen=True):
    """A program as it was read, and what is said of that; a pasted one has a bare name as path."""

    path: Path
    content: bytes
    read: str


class Line(Struct, frozen=True):
    """A line that starts passes: its first pass and its last one, which may be the same.

    There are none if they can't be shown.
    """

    passes: tuple[ProgramGraph, ...]
    unshown: Unshown | None = None

    @property
    def place(self) -> Place:
        return self.passes[0].recording.where if self.unshown is None else self.unshown[0]

    @property
    def number(self) -> int:
        return self.passes[-1].recording.number if self.unshown is None else self.unshown[1]


Outcome = tuple[tuple[Line, ...], str]
"""The lines of a run, and why they can't be read, as a sentence."""


class ProgramRun(QObject):
    """Runs one program in a process of its own; a thread reads its answer, so the window lives."""

    changed = Signal()
    """Emitted when a program is brought or gone, and when its run begins or is over."""
    progressed = Signal(float, int)
    """Emitted with the seconds so far and the passes seen."""
    finished = Signal(object)
    """Emitted with the RunResult of a run that was not cancelled, after `changed`."""

    def __init__(
        self,
        document: Document,
        playback: Playback,
        settings: HasPython,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self.program: Brought | None = None
        self.request = Request(Path())
        self.result: RunResult | None = None
        self.lines: tuple[Line, ...] = ()
        """The lines of the program that start passes, latest first."""
        self.refusal = ""
        """Why the answer of the program can't be read, as a sentence."""
        self._document = document
        self._shown: tuple[ProgramGraph, Graph] | None = None
        """The pass that was put on the sheet last, as it stood there."""
        self._brought: Graph | None = None
        """The graph on the sheet as the program was brought."""
        self._run: Run | None = None
        self._reader: threading.Thread | None = None
        self._read = list[Outcome]()
        """What the thread has read in the end: each run has a list of its own."""
        self._agreed: tuple[bytes, str] | None = None
        """The bytes and the Python that the user has agreed to run."""
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self._look)
        document.leaving.connect(self._on_leaving)
        playback.shown.connect(self._follow)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self._on_quit)

    # the program

    def bring(self, path: Path, content: bytes, read: str) -> None:
        """Offer a program in place of another one; nothing is started."""
        self.forget()
        self.program, self._brought = Brought(path, content, read), self._document.graph
        self.request = replace(
            self.request,
            source=path,
            content=content,
            python=self._settings.python,
            arguments=(),
            network=False,
        )
        self.changed.emit()

    def forget(self) -> None:
        """End the run, and offer the program no longer."""
        self.cancel()
        if self.program is not None:
            self.program, self._agreed = None, None
            self.result, self.lines, self.refusal, self._shown = None, (), "", None
            self.changed.emit()

    @property
    def running(self) -> bool:
        return self._run is not None

    @property
    def reading(self) -> bool:
        """Return whether its run is over, and what it has shown is being read."""
        return self._run is not None and self._run.over

    @property
    def may_run_again(self) -> bool:
        """Return whether the user has agreed to run these bytes by this Python."""
        return self._agreed == (self._found(), self.request.python)

    @property
    def sentences(self) -> tuple[str, ...]:
        """Return what stopped the run or is missing in it, most important first."""
        if self.refusal:
            return (self.refusal,)
        return told(self.result, has_rows=True) if self.result is not None else ()

    def ask(self, request: Request) -> None:
        """Ask for consent again, as with another Python or other bounds."""
        self.cancel()
        if request.python != self.request.python:
            self._settings.python = request.python
        self.request = replace(request, content=self._found())
        self.result, self.lines, self.refusal = None, (), ""
        self.changed.emit()

    def show(self, found: ProgramGraph) -> None:
        """Note which pass was put on the sheet."""
        self._shown = found, self._document.graph
        self.changed.emit()

    @property
    def shown(self) -> ProgramGraph | None:
        """Return the pass of the last run that is on the sheet; None while that is edited."""
        if self._shown is None or self._shown[1] is not self._document.graph:
            return None
        found = self._shown[0]
        return found if any(found in line.passes for line in self.lines) else None

    @property
    def read(self) -> str:
        """Return what is said of a program before it runs: what stands on the sheet of it."""
        assert self.program is not None
        name = self.request.name
        if self.request.content != self.program.content:
            return f"{name} has changed since it was read."
        is_there = self._brought is self._document.graph
        return self.program.read if is_there else f"{name} can be run."

    def source_of(self, title: str) -> str | None:
        """Return the source of a cell, or of a file beside the program; None if it isn't known."""
        source = self.request.source
        found = _cells(self.request).get(title)
        is_beside = title.endswith(".py") and Path(title).name == title and source.is_absolute()
        if found is not None or not is_beside:
            return found
        try:
            return source_text(read_content(source.with_name(title)), ".py")
        except FormatError:
            return None

    @property
    def place(self) -> tuple[Place, str] | None:
        """Return the line that started the pass on the sheet, and the source that it stands in."""
        shown = self.shown
        if shown is None:
            return None
        source = self.source_of(shown.recording.where.title)
        return None if source is None else (shown.recording.where, source)

    # its run

    def start(self) -> None:
        """Run the program, to which the user has just agreed; nothing while it runs."""
        if self.program is None or self.running:
            return
        self._agreed = self.request.content, self.request.python
        self.result, self.lines, self.refusal = None, (), ""
        self._run, self._read = Run(self.request), list[Outcome]()
        self._reader = threading.Thread(target=_read, args=(self._run, self._read), daemon=True)
        self._reader.start()
        self._timer.start()
        self.changed.emit()

    def stop(self) -> None:
        """End the run soon, and show what was seen."""
        if self._run is not None:
            self._run.stop()

    def cancel(self) -> None:
        """End the run now, without anything of it; nothing if none is on."""
        if self._run is not None:
            self._run.cancel()
            self._end()

    def _found(self) -> bytes:
        """Return what the file holds now; of one that is gone, or was pasted, what was brought."""
        source, brought = self.request.source, self.request.content
        try:
            return read_content(source) if source.is_absolute() else brought
        except FormatError:
            return brought

    def _look(self) -> None:
        """Tell how far the run is, or that it is over."""
        if self._run is None:
            return
        if not self._read:
            self.progressed.emit(self._run.seconds, self._run.passes)
            return
        self.result, (self.lines, self.refusal) = self._run.result, self._read[0]
        self._end()
        self.finished.emit(self.result)

    def _end(self) -> None:
        self._timer.stop()
        self._run = None
        self.changed.emit()

    def _on_quit(self) -> None:
        self.forget()
        if self._reader is not None:
            self._reader.join(_END_SECONDS)  # it removes the folder of the run

    def _follow(self, shown: ViewState) -> None:
        if shown.change.new_graph and (self.program or self._shown) is not None:
            self.changed.emit()

    def _on_leaving(self, opens_another: bool) -> None:
        if opens_another:
            self.forget()


def _read(run: Run, into: list[Outcome]) -> None:
    """Wait for the end of a run, and read its graphs: all on a thread of its own."""
    lines, refusal = tuple[Line, ...](), ""
    try:
        while run.poll():
            time.sleep(_POLL_SECONDS)
        lines = _lines(run.result)
        for last in [line.passes[-1] for line in lines if line.passes]:
            if not run.cancelled:
                _ = last.verdict, last.drawing  # what their rows show
    except EngineError as error:
        refusal = str(error)
    except Exception as error:  # else the run would end without a word
        refusal = f"What came back can't be read: {type(error).__name__}."
    into.append((lines, refusal))


def _lines(result: RunResult) -> tuple[Line, ...]:
    """Return the lines that start passes, latest first."""
    by_place: dict[Place, list[Recording]] = {}
    for recording in result.graphs:
        by_place.setdefault(recording.where, []).append(recording)
    found = [Line(tuple(map(ProgramGraph, every))) for every in by_place.values()]
    found += [Line((), unshown) for unshown in result.unshown]
    return tuple(sorted(found, key=lambda line: -line.number))


@lru_cache(1)
def _cells(request: Request) -> dict[str, str]:
    """Return the source of each cell of a notebook by its title; of a script all by its name."""
    text = request.text
    return cells(text) if is_notebook(text) else {title_of_file(request.source.name): text}
