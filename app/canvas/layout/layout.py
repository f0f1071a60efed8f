"""Layout: the places of all nodes and wires of one sheet, updated by comparison."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from app.canvas.appearance.visible_nodes import VisibleNodes
from app.canvas.layout.node_layout import NodeLayout
from app.canvas.layout.text_sizes import TextSizes
from app.canvas.layout.wire_layout import WireLayout
from app.document.sheet import Point, Sheet
from engine.graph import Wire


class Moved(NamedTuple):
    """The nodes and wires that are drawn at another place than before, or no longer."""

    nodes: set[int]
    wires: set[Wire]


class Layout:
    """The places of everything on one sheet.

    They depend on the arguments of the last settled update alone: a layout that followed any edits
    equals one made from nothing.
    """

    def __init__(self, text_sizes: TextSizes) -> None:
        self.nodes = NodeLayout(text_sizes)
        self.wires = WireLayout(self.nodes)

    def update(
        self,
        sheet: Sheet,
        visible: VisibleNodes,
        text_sizes: TextSizes,
        preview: Mapping[int, Point],
        settled: bool = True,
    ) -> Moved:
        """Compare with the last sheet, sizes and preview positions, and update what differs.

        Unless `settled`, columns that were moved apart keep their places: the user is about to move
        nodes or change values further. While there is a preview, other wires keep their paths.
        """
        nodes = self.nodes.update(sheet, visible, text_sizes, preview, settled)
        return Moved(nodes, self.wires.update(nodes))
