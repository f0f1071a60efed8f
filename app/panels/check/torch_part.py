"""Agreement with PyTorch: an action, the Python that has it, and what came out."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from app.controls.layouts import PANEL_EDGES, in_column, in_row, plain_label
from app.style.current import Style
from app.workbench.study.torch_run import Agreement, TorchRun, default_python
from engine.graph import Graph
from engine.rules import CORRECT, Rules

COMPARE, CANCEL = "Compare with PyTorch", "Cancel"
RUNNING = "PyTorch is computing the same gradients …"
LONGEST_PATH = 4096


class TorchPart(QWidget):
    """Compares with PyTorch on request; `python_chosen` carries another Python, or ""."""

    python_chosen = Signal(str)

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.run = TorchRun(self)
        self._graph: Graph | None = None
        self._rules = CORRECT
        self.python = QLineEdit()
        self.python.setMaxLength(LONGEST_PATH)
        self.python.setPlaceholderText(default_python())
        self.python.setToolTip("The Python in which PyTorch is installed")
        self.python.setAccessibleName("Python")
        self.button = QPushButton(COMPARE)
        self.words = plain_label(kind="secondary", wraps=True)
        self.words.hide()
        row = in_row(plain_label("Python"), (self.python, 1))
        parts = (plain_label("Agreement with PyTorch", "strong"), row, in_row(self.button, 1))
        edges, gap = PANEL_EDGES, 6
        in_column(*parts, self.words, parent=self, style=style, edges=edges, gap=gap)
        self.button.clicked.connect(self._toggle)
        self.python.editingFinished.connect(self._choose)
        self.run.finished.connect(self._show)
        self.run.refused.connect(self._say)

    def show_graph(self, graph: Graph | None, rules: Rules) -> None:
        """Compare this pass from now on; what was said of another one goes. None: nothing."""
        if graph is not self._graph or rules is not self._rules:
            self._graph, self._rules = graph, rules
            self.run.cancel()
            self._say("")
        self.button.setEnabled(graph is not None)

    def _toggle(self) -> None:
        if self.run.running:
            self.run.cancel()
            self._say("")
        elif self._graph is not None:
            self._say(RUNNING)
            self.button.setText(CANCEL)
            python = self.python.text().strip() or default_python()
            self.run.start(self._graph, python, self._rules)

    def _choose(self) -> None:
        self.python_chosen.emit(self.python.text().strip())

    def _show(self, found: Agreement) -> None:
        self._say("\n".join(found.sentences()))

    def _say(self, text: str) -> None:
        self.words.setText(text)
        self.words.setVisible(bool(text))
        self.button.setText(COMPARE)
