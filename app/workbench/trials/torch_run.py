"""TorchRun: the gradients of a graph by PyTorch, in a Python of the user's, and how they compare.

PyTorch is no part of this program. A process is started whose only program is the one we export,
so nothing that a file holds is executed; a label appears in it as a name or a comment of one line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Final, Literal

from msgspec import Struct
from PySide6.QtCore import QCoreApplication, QObject, QProcess, QTimer, Signal

from app.workbench.gradients.comparison import same
from engine.asking.facts import is_masked_by_torch, torch_mask_sentence
from engine.errors import EngineError, FormatError
from engine.formats.python.writer import printed_gradients, write_pytorch
from engine.graph import Graph
from engine.numbers import counted, full
from engine.rules import CORRECT, Rules
from engine.trace import Trace, run

TIMEOUT_MS: Final = 120_000
"""Importing PyTorch for the first time takes up to half a minute."""
_KILL_MS: Final = 1_000
"""Time for which a killed process is waited for: Qt warns of one destroyed while it runs."""
CAUSE_LENGTH_LIMIT: Final = 120
"""Characters shown of an error message of that Python."""

SPARE_BYTES: Final = 100_000
"""Bytes allowed beyond the program's length: it prints a number for each name in it."""
ERROR_TAIL_BYTES: Final = 4_000
"""Bytes kept of the end of the error output, whose last line is the cause."""

_VERSION: Final = re.compile(r"torch (\d[\w.]{0,40})(\+[\w.]{0,60})?", re.ASCII)
_NO_TORCH: Final = 3
"""Exit code of our program where PyTorch can't be imported."""
_PROLOGUE: Final = f"""
import site, sys
sys.path.append(site.getusersitepackages())
try: import torch
except Exception: sys.exit({_NO_TORCH})
print("torch", torch.__version__)
"""
"""Imports torch under `python -I`, which hides the current folder, as it should, but also the
user's packages."""


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


def program(graph: Graph) -> str:
    """Return the program that PyTorch's Python runs."""
    return _PROLOGUE + write_pytorch(graph)


def agreement(graph: Graph, printed: str, rules: Rules = CORRECT) -> Agreement:
    """Compare the gradients of a pass by `rules` with those that the program has printed.

    Raises FormatError for an answer that is not the program's, and EngineError without a pass.
    """
    first, _end, answer = printed.partition("\n")
    version_line = _VERSION.fullmatch(first.rstrip("\r"))
    if version_line is None:
        raise FormatError("The answer does not begin with the version of PyTorch.")
    theirs, trace = printed_gradients(graph, answer), run(graph, rules=rules)
    grads = trace.gradients
    reasons = tuple(
        torch_mask_sentence(graph, event)
        for event in trace.events
        if is_masked_by_torch(trace, event)
    )
    found: list[TorchRow] = []
    for node, other in theirs.items():
        ours = grads.get(node, 0.0)
        verdict = "agrees" if same(ours, other, _largest_summand(trace, node)) else "differs"
        if verdict == "differs" and reasons and math.isnan(ours):  # theirs is 0 there
            verdict = "masked"
        found.append(TorchRow(node, graph.brief(node), ours, other, verdict))
    return Agreement(version_line[1], tuple(found), reasons)


class TorchRun(QObject):
    """Runs one comparison at a time, in a process that can be cancelled."""

    finished = Signal(object)
    """Emitted with an Agreement."""
    refused = Signal(str)
    """Emitted with the reason why there is none, a sentence."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._process: QProcess | None = None
        self._graph, self._rules = Graph(), CORRECT
        self._python = ""
        self._printed, self._errors, self._output_limit = b"", b"", 0
        self._timeout = QTimer(self)
        self._timeout.setSingleShot(True)
        self._timeout.setInterval(TIMEOUT_MS)
        self._timeout.timeout.connect(self._give_up)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.cancel)

    @property
    def running(self) -> bool:
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
        process.finished.connect(self._on_finished)
        process.errorOccurred.connect(self._on_process_error)
        process.readyReadStandardOutput.connect(self._read_pipes)
        process.readyReadStandardError.connect(self._read_pipes)
        self._printed, self._errors, self._output_limit = b"", b"", len(text.encode()) + SPARE_BYTES
        self._process = process
        self._timeout.start()
        process.start(python, ["-I", "-"])
        if self._process is process:  # `errorOccurred` has cancelled one that can't start
            process.write(text.encode())
            process.closeWriteChannel()

    def cancel(self) -> None:
        """End the comparison without a signal."""
        process, self._process = self._process, None
        self._timeout.stop()
        if process is not None:
            for signal in (process.readyReadStandardOutput, process.readyReadStandardError):
                signal.disconnect(self._read_pipes)
            process.finished.disconnect(self._on_finished)
            process.errorOccurred.disconnect(self._on_process_error)
            process.kill()
            process.waitForFinished(_KILL_MS)
            process.deleteLater()

    def _read_pipes(self) -> None:
        """Read the pipes; cancel a program whose output is longer than any answer."""
        process = self._process
        if process is None:
            return
        self._printed += bytes(process.readAllStandardOutput().data())
        self._errors = (self._errors + bytes(process.readAllStandardError().data()))[
            -ERROR_TAIL_BYTES:
        ]
        if len(self._printed) > self._output_limit:
            self.cancel()
            self.refused.emit(f"{self._python} gave no gradients: its answer is too long.")

    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        self._read_pipes()
        process, self._process = self._process, None
        self._timeout.stop()
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

    def _on_process_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self.cancel()
            self.refused.emit(f"{self._python} can't be started: name a Python with PyTorch.")

    def _give_up(self) -> None:
        self.cancel()
        self.refused.emit(f"PyTorch gave no answer within {TIMEOUT_MS // 1000} seconds.")


def _largest_summand(trace: Trace, node: int) -> float:
    """Return the largest absolute summand of a gradient, the scale of its rounding error."""
    return max((abs(e.contribution) for e in trace.events if e.node == node), default=0.0)


def _cause(errors: str) -> str:
    """Return the last line of an error output, shortened."""
    lines = errors.strip().splitlines()
    return lines[-1].strip(" .")[:CAUSE_LENGTH_LIMIT] if lines else "it ended without a word"
