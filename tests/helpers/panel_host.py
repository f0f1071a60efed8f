"""What one panel needs without a window: style, document, playback, selection, a screen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TypeVar

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.runner import default_python
from app.style.current import Style
from app.workbench.playback.playback import Playback
from app.workbench.selection import Selection
from engine import from_expression
from engine.graph import Constant, Leaf

SHARED = "e = a*b; d = e + a; L = d*f"
SHARED_VALUES = {"a": 2.0, "b": -3.0, "f": -2.0}
DEMONSTRATION = "c=a+b; d=a*b; e=c+d; f=c*d; y=e+f"


W = TypeVar("W", bound=QWidget)


@dataclass
class PanelHost:
    """The state that a panel watches, and the screen on which it is shown."""

    qtbot: QtBot
    style: Style
    document: Document
    playback: Playback
    selection: Selection
    settings: SimpleNamespace = field(
        default_factory=lambda: SimpleNamespace(python=default_python())
    )

    def open(self, text: str, values: Mapping[str, float] | None = None) -> None:
        self.document.replace_graph(from_expression(text, values))

    def open_shared(self, cursor: int | None = None) -> None:
        self.open(SHARED, SHARED_VALUES)
        if cursor is not None:
            self.playback.backward()
            self.playback.go(cursor)

    def run_backward(self) -> None:
        """Run a backward pass to its end."""
        self.playback.backward()
        self.playback.to_end()

    def node(self, name: str) -> int:
        node = self.document.graph.node_named(name)
        assert node is not None
        return node

    def value(self, name: str) -> float:
        found = self.document.graph.nodes[self.node(name)]
        assert isinstance(found, Leaf | Constant)
        return found.value

    def show(self, widget: W, width: int = 320, height: int = 700) -> W:
        self.qtbot.addWidget(widget)
        widget.resize(width, height)
        widget.show()
        widget.activateWindow()
        self.qtbot.waitUntil(widget.isActiveWindow)
        return widget
