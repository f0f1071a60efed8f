"""Fitting: nodes that came without places are brought into view, again once they have places."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from app.document.change import Change

if TYPE_CHECKING:
    from app.window.frame.main_window import MainWindow


class Fitting(QObject):
    """Waits for the layout of nodes that came without places."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._document = window.document
        self._canvas = window.canvas
        self._waiting: frozenset[int] = frozenset()
        window.document.placed_roughly.connect(self._rough)
        window.document.changed.connect(self._follow)

    def _rough(self, nodes: AbstractSet[int], _gesture: int) -> None:
        """Show what is new, and show it again when it stands where it belongs."""
        self._waiting = frozenset(nodes)
        self._show_soon(self._waiting)

    def _follow(self, change: Change) -> None:
        if not change.graph and self._waiting and change.moved:
            self._show_soon(self._waiting)
        if change.graph or change.moved:
            self._waiting = frozenset()

    def _show_soon(self, nodes: frozenset[int]) -> None:
        """When every view has taken the change over."""
        QTimer.singleShot(0, self, lambda: self._show(nodes))

    def _show(self, nodes: frozenset[int]) -> None:
        """A sheet that is all new as what is opened; of another what is new."""
        if nodes >= self._document.graph.nodes.keys():
            self._canvas.framing.show_opened()
        else:
            self._canvas.framing.show_nodes(nodes)
