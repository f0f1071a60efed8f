"""TorchRun: the gradients of a graph by PyTorch, in a Python of the user's, and how they compare.

PyTorch is no part of this program. A process is started whose only program is the one we export,
so nothing that a file holds is executed; a label appears in it as a name or a comment of one line.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from typing import Final, Literal

from msgspec import Struct
from PySide6.QtCore import QCoreApplication, QObject, QProcess, QTimer, Signal

from app.workbench.gradients.comparison import same
from engine.errors import EngineError, FormatError
from engine.formats import pytorch
from engine.graph import Graph
from engine.numbers import counted, full
from engine.rules import CORRECT, Rules
from engine.study.facts import mask_sentence, masked
from engine.trace import Trace, run

LIMIT: Final = 120_000
"""Timeout in ms; importing PyTorch for the first time takes up to half a minute."""
LONGEST_CAUSE: Final = 120
"""Characters of an error of that Python that are shown."""

SPARE: Final = 100_000
"""Bytes that an answer may be longer than the program, which names all that it prints."""
KEPT: Final = 4_000
"""Bytes of the end of an error output that are kept."""

_VERSION: Final = re.compile(r"torch (\d[\w.]{0,40})(\+[\w.]{0,60})?", re.ASCII)
_NO_TORCH: Final = 3
"""Exit code of our program where PyTorch can't be imported."""
_FIRST: Final = f"""
import site, sys
sys.path.append(site.getusersitepackages())
try: import torch
except Exception: sys.exit({_NO_TORCH})
print("torch", torch.__version__)
"""
"""The prologue of the export. Python's -I hides the current folder, as is wanted, and the user's
packages, which this brings back."""


class TorchRow(Struct, frozen=True):
    """The gradients of one leaf: ours, PyTorch's, and how they compare."""

    node: int
    title: str
    ours: float
    theirs: float
    verdict: Literal["agrees", "masked", "differs"]


class Agreement(Struct, frozen=True):
    """The comparison with one version of PyTorch; `reasons` explain masked gradients."""

    version: str
    rows: tuple[TorchRow, ...]
    reasons: tuple[str, ...]

    def sentences(self) -> Iterator[str]:
        """Yield the count of leaves that agree, and a sentence for each other one."""
        others = [row for row in self.rows if row.verdict != "agrees"]
        right = len(self.rows) - len(others)
        if others:
            yield f"PyTorch {self.version} has the same for {right:,} of {len(self.rows):,} leaves."
        else:
            yield counted(
                right,
                "PyTorch {version} has the same gradient for 1 leaf.",
                "PyTorch {version} has the same gradients for {count:,} leaves.",
                version=self.version,
            )
        for row in others:
            yield f"{row.title}: {full(row.ours)} here, {full(row.theirs)} in PyTorch."
        if any(row.verdict == "masked" for row in others):
            yield from self.reasons


def default_python() -> str:
    """Return the Python that runs this program; a bundled program has none of its own."""
    if getattr(sys, "frozen", False):
        return shutil.which("python3") or "python3"
    return sys.executable


def program(graph: Graph) -> str:
    """Return the program that PyTorch's Python runs."""
    return _FIRST + pytorch.write(graph)


def agreement(graph: Graph, printed: str, rules: Rules = CORRECT) -> Agreement:
    """Compare the gradients of a pass by `rules` with those that the program has printed.

    Raises FormatError for an answer that is not the program's, and EngineError without a pass.
    """
    first, _end, answer = printed.partition("\n")
    version_line = _VERSION.fullmatch(first.rstrip("\r"))
    if version_line is None:
        raise FormatError("The answer does not begin with the version of PyTorch.")
    theirs, trace = pytorch.printed_gradients(graph, answer), run(graph, rules=rules)
    grads = trace.gradients
    reasons = tuple(mask_sentence(graph, event) for event in trace.events if masked(trace, event))
    found: list[TorchRow] = []
    for node, other in theirs.items():
        ours = grads.get(node, 0.0)
        verdict = "agrees" if same(ours, other, _size(trace, node)) else "differs"
        if verdict == "differs" and reasons and ours != ours:
            verdict = "masked"
        found.append(TorchRow(node, graph.brief(node), ours, other, verdict))
    return Agreement(version_line[1], tuple(found), reasons)


class TorchRun(QObject):
    """Runs one comparison at a time, in a process that can be cancelled."""

    finished = Signal(object)
    """Emitted with an Agreement."""
    refused = Signal(str)
    """Emitted with one sentence on why there is none."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._process: QProcess | None = None
        self._graph, self._rules = Graph(), CORRECT
        self._python = ""
        self._printed, self._errors, self._longest = b"", b"", 0
        self._limit = QTimer(self)
        self._limit.setSingleShot(True)
        self._limit.setInterval(LIMIT)
        self._limit.timeout.connect(self._give_up)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.cancel)

    @property
    def running(self) -> bool:
        """Return whether a comparison is under way."""
        return self._process is not None

    def start(self, graph: Graph, python: str, rules: Rules = CORRECT) -> None:
        """Start comparing a pass by `rules`; ends with `finished` or `refused`."""
        self.cancel()
        self._graph, self._rules, self._python = graph, rules, python
        try:
            text = program(graph)
        except EngineError as error:
            self.refused.emit(str(error))
            return
        process = QProcess(self)
        process.finished.connect(self._ended)
        process.errorOccurred.connect(self._broke)
        process.readyReadStandardOutput.connect(self._read)
        process.readyReadStandardError.connect(self._read)
        self._printed, self._errors, self._longest = b"", b"", len(text.encode()) + SPARE
        self._process = process
        self._limit.start()
        process.start(python, ["-I", "-"])
        if self._process is process:  # otherwise it could not be started
            process.write(text.encode())
            process.closeWriteChannel()

    def cancel(self) -> None:
        """End the comparison without a word."""
        process, self._process = self._process, None
        self._limit.stop()
        if process is not None:
            for signal in (process.readyReadStandardOutput, process.readyReadStandardError):
                signal.disconnect(self._read)
            process.finished.disconnect(self._ended)
            process.errorOccurred.disconnect(self._broke)
            process.kill()
            process.waitForFinished(1000)
            process.deleteLater()

    def _read(self) -> None:
        """Read the pipes; cancel a program whose output is longer than any answer."""
        process = self._process
        if process is None:
            return
        self._printed += bytes(process.readAllStandardOutput().data())
        self._errors = (self._errors + bytes(process.readAllStandardError().data()))[-KEPT:]
        if len(self._printed) > self._longest:
            self.cancel()
            self.refused.emit(f"{self._python} gave no gradients: its answer is too long.")

    def _ended(self, code: int, status: QProcess.ExitStatus) -> None:
        self._read()
        process, self._process = self._process, None
        self._limit.stop()
        if process is None:
            return
        printed, errors = (
            text.decode("utf-8", "replace") for text in (self._printed, self._errors)
        )
        process.deleteLater()
        if code == _NO_TORCH:
            self.refused.emit(
                f"There is no PyTorch in {self._python}: install it with "
                f"“{self._python} -m pip install torch”, or name another Python."
            )
        elif code or status != QProcess.ExitStatus.NormalExit or not printed.strip():
            self.refused.emit(f"{self._python} gave no gradients: {_cause(errors)}.")
        else:
            self._report_agreement(printed)

    def _report_agreement(self, printed: str) -> None:
        try:
            found = agreement(self._graph, printed, self._rules)
        except EngineError as error:
            said = str(error)
            self.refused.emit(f"{self._python} gave no gradients: {said[:1].lower()}{said[1:]}")
        else:
            self.finished.emit(found)

    def _broke(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self.cancel()
            self.refused.emit(f"{self._python} can't be started: name a Python with PyTorch.")

    def _give_up(self) -> None:
        self.cancel()
        self.refused.emit(f"PyTorch gave no answer within {LIMIT // 1000} seconds.")


def _size(trace: Trace, node: int) -> float:
    """Return the size of the largest summand of a gradient, which bounds its rounding error."""
    return max((abs(e.contribution) for e in trace.events if e.node == node), default=0.0)


def _cause(errors: str) -> str:
    """Return the last line of an error, shortened; it may be anything."""
    lines = errors.strip().splitlines()
    return lines[-1].strip(" .")[:LONGEST_CAUSE] if lines else "it ended without a word"
