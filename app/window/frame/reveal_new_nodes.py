"""RevealNewNodes: brings new nodes into view, again once they have their final positions."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from PySide6.QtCore import QObject, QTimer

from app.canvas.editing.new_node import bring_into_view
from app.canvas.view import CanvasView
from app.document.change import Change
from app.document.document import Document


class RevealNewNodes(QObject):
    """Waits for the layout of nodes that came without positions, and for a new active Root."""

    def __init__(self, document: Document, canvas: CanvasView) -> None:
        super().__init__(canvas)
        self._document = document
        self._canvas = canvas
        self._waiting: frozenset[int] = frozenset()
        document.layout_wanted.connect(self._show_unplaced)
        document.changed.connect(self._follow)

    def _show_unplaced(self, nodes: AbstractSet[int], _gesture: int) -> None:
        """Show new nodes, and show them again when the layout is finished."""
        self._waiting = frozenset(nodes)
        self._show_soon(self._waiting)

    def _follow(self, change: Change) -> None:
        graph = self._document.graph
        if change.root and graph.active_root in change.added and len(change.added) == 1:
            QTimer.singleShot(0, self, self._show_root)
        if not change.graph and self._waiting and change.moved:
            self._show_soon(self._waiting)
        if change.added or change.removed or change.moved:  # other values leave it waiting
            self._waiting = frozenset()

    def _show_root(self) -> None:
        """Bring a Root that was just added into view, as any other node that is added."""
        root, scene = self._document.graph.active_root, self._canvas.scene
        if root in scene.boxes:
            bring_into_view(self._canvas.context, scene.bounds((root,)))

    def _show_soon(self, nodes: frozenset[int]) -> None:
        """Show nodes after every view has handled the change."""
        QTimer.singleShot(0, self, lambda: self._show(nodes))

    def _show(self, nodes: frozenset[int]) -> None:
        """Frame a sheet that is all new like an opened one; else bring the new nodes into view."""
        if nodes >= self._document.graph.nodes.keys():
            self._canvas.framing.fit_all()
        else:
            self._canvas.framing.show_nodes(nodes)
