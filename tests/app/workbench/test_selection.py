"""What is chosen stays chosen only while it is there."""

from app.document.document import Document
from app.workbench.selection import Selection
from engine.formats.native import Drawing
from engine.graph import Graph, Leaf, OpNode


def test_a_wire_is_forgotten_when_another_sheet_has_fewer_slots_there(qapp):
    document = Document()
    selection = Selection(document)
    document.start(Drawing(Graph({1: Leaf(1.0, "a"), 2: OpNode("mul", (1, 1))}, None, 3), {}))
    selection.choose((), ((2, 0), (2, 1)))
    document.start(Drawing(Graph({1: Leaf(1.0, "a"), 2: OpNode("exp", (1,))}, None, 3), {}))
    assert selection.wires == {(2, 0)}
