"""Docks: where the panels stand around the canvas, what can be hidden, how wide each is.

palette | canvas             | Why | Inspector | History
        | transport          |
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QTabWidget, QVBoxLayout, QWidget

from app.style import sizes

if TYPE_CHECKING:
    from app.window.main_window import MainWindow

Maker = Callable[["MainWindow"], QWidget]


def _why(window: MainWindow) -> QWidget:
    from app.panels.why import WhyPanel

    panel = WhyPanel(window.look, window.document, window.playback, window.selection)
    panel.step_chosen.connect(window.playback.go)
    return panel


def _inspector(window: MainWindow) -> QWidget:
    from app.panels.inspector import Inspector

    panel = Inspector(window.look, window.document, window.playback, window.selection)
    panel.node_chosen.connect(window.show_chosen)
    return panel


def _history(window: MainWindow) -> QWidget:
    from app.panels.history import HistoryPanel

    return HistoryPanel(window.look, window.document)


SIDE: tuple[tuple[str, str, Maker], ...] = (
    ("why", "Why", _why),
    ("inspector", "Inspector", _inspector),
    ("history", "History", _history),
)
"""The tabs of the side panel; each is made when it is first looked at."""


class SidePanel(QTabWidget):
    """The tabs at the right, made late."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__()
        self._window = window
        self._pages: dict[str, QWidget] = {}
        self._made: dict[str, QWidget] = {}
        self.setDocumentMode(True)
        self.tabBar().setDrawBase(False)
        for name, title, _maker in SIDE:
            self._pages[name] = page = QWidget()
            column = QVBoxLayout(page)
            column.setContentsMargins(0, 0, 0, 0)
            self.addTab(page, title)
        self.currentChanged.connect(self._fill)
        self._fill(0)

    def panel(self, name: str) -> QWidget:
        """One of the panels, brought to the front."""
        self.setCurrentWidget(self._pages[name])
        return self._made[name]

    def _fill(self, place: int) -> None:
        name, _title, maker = SIDE[place]
        layout = self._pages[name].layout()
        if name not in self._made and layout is not None:
            self._made[name] = maker(self._window)
            layout.addWidget(self._made[name])


class Docks(QSplitter):
    """The canvas with its panels around it."""

    def __init__(self, window: MainWindow, palette: QWidget, transport: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._window = window
        self._look = window.look
        self.setObjectName("columns")
        self.side = SidePanel(window)
        self.middle = QSplitter(Qt.Orientation.Vertical)
        self.middle.setObjectName("rows")
        self.middle.addWidget(window.canvas)
        self.middle.addWidget(transport)
        for splitter, parts in ((self, (palette, self.middle, self.side)), (self.middle, ())):
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(1)
            for part in parts:
                splitter.addWidget(part)
        self.setStretchFactor(1, 1)
        self.middle.setStretchFactor(0, 1)
        self._scale = self._look.scale
        self._look.changed.connect(self._rescale)

    def restore(self) -> None:
        """The sizes the learner left, or those of the design."""
        px, settings = self._look.px, self._window.settings
        if not settings.restore_split(self):
            width = max(self.width(), px(sizes.PALETTE + sizes.DOCK) + 400)
            middle = width - px(sizes.PALETTE) - px(sizes.DOCK) - 2
            self.setSizes([px(sizes.PALETTE), middle, px(sizes.DOCK)])
        if not settings.restore_split(self.middle):
            self.middle.setSizes([max(self.height() - px(sizes.PLAYBACK), 200), px(sizes.PLAYBACK)])

    def keep(self) -> None:
        """Remember the sizes."""
        self._window.settings.keep_split(self)
        self._window.settings.keep_split(self.middle)

    def _rescale(self) -> None:
        """Panels grow with everything else; the canvas gives the room."""
        ratio, self._scale = self._look.scale / self._scale, self._look.scale
        if ratio == 1.0:
            return
        palette, middle, side = self.sizes()
        whole = palette + middle + side
        palette, side = round(palette * ratio), round(side * ratio)
        self.setSizes([palette, max(whole - palette - side, 200), side])
        above, below = self.middle.sizes()
        tall = round(below * ratio)
        self.middle.setSizes([max(above + below - tall, 150), tall])
