"""What is chosen stays chosen only while it is there."""

from app.document.document import Document
from app.workbench.selection import Selection
from engine.formats.native import Drawing
from engine.graph import Graph, Leaf, OpNode


def graph(op: OpNode) -> Graph:
    return Graph({1: Leaf(1.0, "a"), 2: op}, None, 3)


def test_a_wire_is_forgotten_when_its_slot_goes(qapp):
    document = Document()
    selection = Selection(document)
    document.start(Drawing(graph(OpNode("exp", (1,))), {}))
    document.set_op(2, "mul")
    document.wires.connect(1, 2, 1)
    selection.choose((1,), ((2, 0), (2, 1)))
    document.undo()
    document.undo()
    assert (selection.nodes, selection.wires) == ({1}, {(2, 0)})


def test_nothing_is_chosen_on_a_sheet_that_has_just_been_opened(qapp):
    document = Document()
    selection = Selection(document)
    document.start(Drawing(graph(OpNode("mul", (1, 1))), {}))
    selection.choose((1, 2), ((2, 0),))
    document.start(Drawing(graph(OpNode("add", (1, 1))), {}))
    assert not selection.anything
    assert selection.focus is None
