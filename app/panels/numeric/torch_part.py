"""Agreement with PyTorch: an action, the Python that has it, and what came out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QPushButton

from app.controls.keys import PressedByEnter
from app.controls.layouts import in_row, plain_label
from app.controls.panel import Block
from app.style.current import Style
from engine.graph import Graph
from engine.rules import CORRECT, Rules

if TYPE_CHECKING:
    from app.workbench.study.torch_run import Agreement, TorchRun

COMPARE, CANCEL = "Compare", "Cancel"
RUNNING = "PyTorch is computing the same gradients …"
LONGEST_PATH = 4096


class TorchPart(Block):
    """Compares with PyTorch on request; `python_chosen` carries another Python, or ""."""

    python_chosen = Signal(str)

    def __init__(self, style: Style) -> None:
        super().__init__(style, "PyTorch", key="torch", folded=True)
        self._run: TorchRun | None = None
        self._graph: Graph | None = None
        self._rules = CORRECT
        self.python = QLineEdit()
        self.python.setMaxLength(LONGEST_PATH)
        self.python.setToolTip("The Python in which PyTorch is installed")
        self.python.setAccessibleName("Python")
        self.button = QPushButton(COMPARE)
        self.button.setAccessibleName("Compare with PyTorch")
        PressedByEnter(self.button)
        self.words = plain_label(kind="secondary", wraps=True)
        self.words.hide()
        self.add_to_head(self.button)
        self.add(in_row(plain_label("Python", "secondary"), (self.python, 1)), self.words)
        self.button.clicked.connect(self._toggle)
        self.python.editingFinished.connect(self._choose)
        self.unfolded.connect(self._name_default)

    def show_graph(self, graph: Graph | None, rules: Rules) -> None:
        """Compare this pass from now on; what was said of another one goes. None: nothing."""
        if graph is not self._graph or rules is not self._rules:
            self._graph, self._rules = graph, rules
            self._cancel()
        self.button.setEnabled(graph is not None)

    def _toggle(self) -> None:
        from app.workbench.study.torch_run import TorchRun, default_python

        if self._run is not None and self._run.running:
            self._cancel()
        elif self._graph is not None:
            if self._run is None:
                self._run = TorchRun(self)
                self._run.finished.connect(self._show)
                self._run.refused.connect(self._say)
            self.set_folded(False)
            self._say(RUNNING)
            self.button.setText(CANCEL)
            python = self.python.text().strip() or default_python()
            self._run.start(self._graph, python, self._rules)

    def _cancel(self) -> None:
        if self._run is not None:
            self._run.cancel()
        self._say("")

    def _name_default(self) -> None:
        from app.workbench.study.torch_run import default_python

        self.python.setPlaceholderText(default_python())

    def _choose(self) -> None:
        self.python_chosen.emit(self.python.text().strip())

    def _show(self, found: Agreement) -> None:
        self._say("\n".join(found.sentences()))

    def _say(self, text: str) -> None:
        self.words.setText(text)
        self.words.setVisible(bool(text))
        self.button.setText(COMPARE)
