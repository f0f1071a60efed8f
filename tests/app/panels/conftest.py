from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.style.current import Style
from app.style.stylesheet import apply
from app.workbench.playback import Playback
from app.workbench.selection import Selection
from engine import from_expression
from engine.graph import Constant, Leaf

SHARED = "e = a*b; d = e + a; L = d*f"
SHARED_VALUES = {"a": 2.0, "b": -3.0, "f": -2.0}
DEMONSTRATION = "c=a+b; d=a*b; e=c+d; f=c*d; y=e+f"


W = TypeVar("W", bound=QWidget)


@dataclass
class Desk:
    """A document with what watches it, and a way to put a panel on the screen."""

    qtbot: QtBot
    style: Style
    document: Document = field(default_factory=Document)

    def __post_init__(self) -> None:
        self.playback = Playback(self.document)
        self.selection = Selection(self.document)

    def open(self, text: str, values: Mapping[str, float] | None = None) -> None:
        self.document.replace_graph(from_expression(text, values))

    def open_shared(self, cursor: int | None = None) -> None:
        self.open(SHARED, SHARED_VALUES)
        if cursor is not None:
            self.playback.backward()
            self.playback.go(cursor)

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


@pytest.fixture
def style(qapp: QApplication) -> Iterator[Style]:
    """The light style, given to the whole application for one test."""
    palette, font = qapp.palette(), qapp.font()
    made = Style()
    apply(qapp, made)
    yield made
    qapp.setStyleSheet("")
    qapp.setPalette(palette)
    qapp.setFont(font)


@pytest.fixture
def desk(qtbot: QtBot, style: Style) -> Desk:
    return Desk(qtbot, style)


@pytest.fixture
def all_looks(qapp: QApplication, style: Style) -> Callable[[], Iterator[str]]:
    """Goes through light, dark and 200 %, giving the application each look."""

    def looks() -> Iterator[str]:
        for theme, size in (("light", 1.0), ("dark", 1.0), ("projector", 1.0), ("light", 2.0)):
            style.set_theme(theme)
            style.set_size(size)
            apply(qapp, style)
            yield f"{theme} {size}"

    return looks
