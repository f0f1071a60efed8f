"""RevealNewNodes: brings new nodes into view, again once they have their final positions."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from PySide6.QtCore import QObject, QTimer

from app.canvas.editing.new_node import bring_into_view
from app.canvas.view import CanvasView
from app.document.change import Change
from app.document.document import Document


class RevealNewNodes(QObject):
    """Scrolls to nodes with rough positions, again after their layout, and to a new root."""

    def __init__(self, document: Document, canvas: CanvasView) -> None:
        super().__init__(canvas)
        self._document = document
        self._canvas = canvas
        self._unplaced: frozenset[int] = frozenset()
        """New nodes that wait for their layout."""
        document.layout_wanted.connect(self._on_layout_wanted)
        document.changed.connect(self._on_document_changed)

    def _on_layout_wanted(self, nodes: AbstractSet[int], _gesture: int) -> None:
        """Show new nodes, and show them again when the layout is finished."""
        self._unplaced = frozenset(nodes)
        self._show_later(self._unplaced)

    def _on_document_changed(self, change: Change) -> None:
        graph = self._document.graph
        if change.root and graph.active_root in change.added and len(change.added) == 1:
            QTimer.singleShot(0, self, self._show_root)
        if not change.graph and self._unplaced and change.moved:
            self._show_later(self._unplaced)
        # a change of values alone keeps it waiting
        if change.added or change.removed or change.moved:
            self._unplaced = frozenset()

    def _show_root(self) -> None:
        """Bring a Root that was just added into view, as adding other nodes does."""
        root, scene = self._document.graph.active_root, self._canvas.scene
        if root in scene.boxes:
            bring_into_view(self._canvas.context, scene.bounds((root,)))

    def _show_later(self, nodes: frozenset[int]) -> None:
        """Show nodes after every view has handled the change."""
        QTimer.singleShot(0, self, lambda: self._show(nodes))

    def _show(self, nodes: frozenset[int]) -> None:
        """Bring nodes into view; if the whole sheet is new, fit all of it."""
        if nodes >= self._document.graph.nodes.keys():
            self._canvas.framing.fit_all()
        else:
            self._canvas.framing.show_nodes(nodes)
