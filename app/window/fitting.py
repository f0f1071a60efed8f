"""Fitting: a graph that was laid out as a whole is shown whole, again once its places are known."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from app.document.change import Change

if TYPE_CHECKING:
    from app.window.main_window import MainWindow


class Fitting(QObject):
    """Waits for the layout of nodes that came without places."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._document = window.document
        self._canvas = window.canvas
        self._waiting = False
        window.document.placed_roughly.connect(self._rough)
        window.document.changed.connect(self._follow)

    def _rough(self, nodes: AbstractSet[int], _gesture: int) -> None:
        """Everything is new: show it, and show it again when it stands where it belongs."""
        self._waiting = nodes >= self._document.graph.nodes.keys()
        if self._waiting:
            self._fit_soon()

    def _follow(self, change: Change) -> None:
        if change.graph:
            self._waiting = False
        elif self._waiting and change.moved:
            self._waiting = False
            self._fit_soon()

    def _fit_soon(self) -> None:
        """When every view has taken the change over."""
        QTimer.singleShot(0, self, self._canvas.fit_when_sized)
