"""RevealNewNodes: brings new nodes into view, again once they have their final positions."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from PySide6.QtCore import QObject, QTimer

from app.canvas.view import CanvasView
from app.document.change import Change
from app.document.document import Document


class RevealNewNodes(QObject):
    """Waits for the layout of nodes that came without positions."""

    def __init__(self, document: Document, canvas: CanvasView) -> None:
        super().__init__(canvas)
        self._document = document
        self._canvas = canvas
        self._waiting: frozenset[int] = frozenset()
        document.placed_roughly.connect(self._rough)
        document.changed.connect(self._follow)

    def _rough(self, nodes: AbstractSet[int], _gesture: int) -> None:
        """Show new nodes, and show them again when the layout is finished."""
        self._waiting = frozenset(nodes)
        self._show_soon(self._waiting)

    def _follow(self, change: Change) -> None:
        if not change.graph and self._waiting and change.moved:
            self._show_soon(self._waiting)
        if change.graph or change.moved:
            self._waiting = frozenset()

    def _show_soon(self, nodes: frozenset[int]) -> None:
        """Show nodes after every view has handled the change."""
        QTimer.singleShot(0, self, lambda: self._show(nodes))

    def _show(self, nodes: frozenset[int]) -> None:
        """Frame a sheet that is all new like an opened one; else bring the new nodes into view."""
        if nodes >= self._document.graph.nodes.keys():
            self._canvas.framing.fit_all()
        else:
            self._canvas.framing.show_nodes(nodes)
