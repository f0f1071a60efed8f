"""Docks: arranges the panels around the canvas, and keeps their sizes.

\n     palette | canvas             | Why | Inspector | History
            | transport          |
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QSplitter, QTabWidget, QWidget

from app.controls.layouts import in_column
from app.guard import guarded
from app.style import sizes
from app.window.commands.view import show_node
from app.window.context import Context

Maker = Callable[[Context], QWidget]


def _why(context: Context) -> QWidget:
    from app.panels.why import WhyPanel

    panel = WhyPanel(context.style, context.document, context.playback, context.selection)
    panel.step_chosen.connect(context.playback.go)
    return panel


def _inspector(context: Context) -> QWidget:
    from app.panels.inspector import Inspector

    panel = Inspector(context.style, context.document, context.playback, context.selection)
    panel.node_chosen.connect(partial(show_node, context))
    return panel


def _history(context: Context) -> QWidget:
    from app.panels.history import HistoryPanel

    return HistoryPanel(context.style, context.document)


SIDE: tuple[tuple[str, str, Maker], ...] = (
    ("why", "Why", _why),
    ("inspector", "Inspector", _inspector),
    ("history", "History", _history),
)
"""The tabs of the side panel; each is created when it is first shown."""


class SidePanel(QTabWidget):
    """The tabs at the right, created on demand."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._pages: dict[str, QWidget] = {}
        self._made: dict[str, QWidget] = {}
        self.setDocumentMode(True)
        self.tabBar().setDrawBase(False)
        for name, title, _maker in SIDE:
            self._pages[name] = page = QWidget()
            in_column(parent=page, edges=0)
            self.addTab(page, title)
        self.currentChanged.connect(self._fill)
        self._fill(0)

    def panel(self, name: str) -> QWidget:
        """Return one of the panels, brought to the front."""
        self.setCurrentWidget(self._pages[name])
        return self._made[name]

    def _fill(self, place: int) -> None:
        name, _title, maker = SIDE[place]
        layout = self._pages[name].layout()
        if name not in self._made and layout is not None:
            self._made[name] = maker(self._context)
            layout.addWidget(self._made[name])


@guarded
class Docks(QSplitter):
    """The canvas with its panels around it; sizes are stored for 100 %."""

    def __init__(self, context: Context, palette: QWidget, transport: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._style = context.style
        self._settings = context.settings
        self.side = SidePanel(context)
        self._palette = palette
        self._transport = transport
        self._middle = QSplitter(Qt.Orientation.Vertical)
        self._side_width = self._settings.length("side", sizes.DOCK)
        self._transport_height = self._settings.length("transport", sizes.PLAYBACK)
        for splitter, parts in (
            (self._middle, (context.canvas, transport)),
            (self, (palette, self._middle, self.side)),
        ):
            for part in parts:
                splitter.addWidget(part)
            splitter.setChildrenCollapsible(False)
            splitter.setHandleWidth(1)
            splitter.splitterMoved.connect(self._moved)
        self.setStretchFactor(1, 1)
        self._middle.setStretchFactor(0, 1)
        context.canvas.setMinimumSize(120, 90)
        self.side.setMinimumWidth(120)
        self._style.changed.connect(self.apply_sizes)

    def apply_sizes(self) -> None:
        """Give every part its size; the canvas takes the rest."""
        px = self._style.px
        palette = px(sizes.PALETTE) if self._palette.isVisibleTo(self) else 0
        side = self._wanted_side() if self.side.isVisibleTo(self) else 0
        self.setSizes([palette, max(self.width() - palette - side, 120), side])
        wanted = min(px(self._transport_height), self._transport.maximumHeight())
        below = wanted if self._transport.isVisibleTo(self._middle) else 0
        self._middle.setSizes([max(self._middle.height() - below, 90), below])

    def _wanted_side(self) -> int:
        """Return the width the user has set; before that, at most a quarter of the window."""
        wanted = self._style.px(self._side_width)
        return wanted if self._settings.has_length("side") else min(wanted, self.width() // 4)

    def _moved(self, _place: int, _handle: int) -> None:
        """Store the sizes after the user has moved a splitter."""
        scale = self._style.scale
        if self.side.isVisible():
            self._side_width = self.side.width() / scale
            self._settings.set_length("side", self._side_width)
        if self._transport.isVisible():
            self._transport_height = self._transport.height() / scale
            self._settings.set_length("transport", self._transport_height)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.apply_sizes()
