"""What stands in headers and beside slots, read from a graph alone."""

from app.canvas.appearance.captions import MAX_VARIABLE_LENGTH, Captions
from engine import edits, from_expression
from engine.graph import Constant, Graph, Leaf, Node, OpNode, Root
from engine.numbers import short
from engine.trace import evaluate_values
from tests.helpers.tables import in_turn

NODES: dict[int, Node] = {
    1: Leaf(2.0, "a"),
    2: Constant(0.25),
    3: OpNode("mul", (1, 2), "c"),
    4: OpNode("exp", (3,)),
    5: OpNode("sub", (4, 1)),
    6: Root(5),
    7: OpNode("add", (1, None)),
    8: OpNode("maximum", (None, None)),
}
GRAPH = Graph(NODES, 6, 9)


@in_turn(
    ("node", "title", "caption"),
    [
        (1, "a", "leaf"),
        (2, "", "constant"),
        (3, "c", "a × 0.25"),
        (4, "", "exp(c)"),
        (5, "", "v4 − a"),
        (6, "", "root"),
        (7, "", "slot 2 empty"),
        (8, "", "max(?, ?)"),
    ],
)
def test_titles_and_captions_are_made_of_the_names_of_inputs(node: int, title: str, caption: str):
    captions = Captions(GRAPH, short)
    assert captions.label_and_name(node)[0] == title
    assert captions.formulas(node)[0] == caption


def test_a_header_says_the_name_where_there_is_no_label_or_another_one():
    captions = Captions(GRAPH, short)
    names = {node: captions.label_and_name(node)[1] for node in NODES}
    assert names == {1: "", 2: "", 3: "", 4: "v4", 5: "v5", 6: "v5", 7: "v7", 8: "v8"}
    assert captions.symbol(3) == "×"
    twice = Graph(
        {1: Leaf(label="w"), 7: Leaf(label="w"), 8: Constant(2.0), 9: OpNode("add", (8, 8))}
    )
    captions = Captions(twice, short)
    assert [captions.label_and_name(node)[1] for node in twice.nodes] == ["", "w_7", "v8", "v9"]
    assert captions.formulas(9)[0] == "2 + 2"


def test_a_slot_says_along_what_its_derivative_is_and_that_of_a_constant_that_it_is_fixed():
    captions = Captions(GRAPH, short)
    assert captions.slots(3) == ("∂/∂a", "fixed")
    assert captions.slots(5) == (f"∂/∂{GRAPH.names[4]}", "∂/∂a")
    assert captions.slots(1) == captions.slots(2) == captions.slots(6) == ()


def test_two_slots_filled_by_one_node_are_told_apart():
    square = edits.connect(GRAPH, 1, 3, 1)
    first, second = Captions(square, short).slots(3)
    assert first != second
    assert first.startswith("∂/∂a")
    assert second.startswith("∂/∂a")


def test_a_long_name_is_shortened_where_it_stands_at_a_slot():
    long = edits.set_label(GRAPH, 1, "a_name_of_more_than_thirty_letters")
    (caption, _fixed) = Captions(long, short).slots(3)
    assert len(caption) == len("∂/∂") + MAX_VARIABLE_LENGTH
    assert caption.startswith("∂/∂a_")
    assert "…" in caption


def test_only_empty_slots_that_can_not_be_swapped_have_letters():
    for op in ("sub", "div", "pow"):
        empty = edits.add(GRAPH, OpNode(op, (None, None)))
        assert Captions(empty, short).slots(GRAPH.next_id) == ("a", "b")
    assert Captions(GRAPH, short).slots(8) == ("", "")
    assert Captions(GRAPH, short).slots(7) == ("∂/∂a", "")


def test_long_operands_are_shortened_and_numbers_never():
    long = edits.set_label(GRAPH, 1, "a_name_of_more_than_thirty_letters")
    assert Captions(long, short).formulas(3)[0] == "a_name_…_letters × 0.25"
    number = edits.set_value(long, 2, -12.345678)
    assert Captions(number, short).formulas(3)[0] == "a_na…tters × (−12.35)"
    longer = edits.set_label(long, 4, "another_name_of_many_letters")
    assert Captions(longer, short).formulas(5)[0] == "anot…tters − a_na…tters"


def test_operands_that_share_a_label_go_by_their_names():
    twin = edits.set_label(GRAPH, 4, "a")
    assert Captions(twin, short).formulas(5)[0] == "a_4 − a"
    assert Captions(twin, short).label_and_name(4)[0] == "a"


def test_a_number_stands_in_brackets_where_a_formula_would_take_it_apart():
    graph = from_expression("y = (-3)**2")
    node = graph.node_named("y")
    assert node is not None
    assert evaluate_values(graph)[node] == 9
    assert Captions(graph, short).formulas(node)[0] == "(−3) ^ 2"


def test_captions_are_taken_over_but_the_number_of_a_constant_is_read_anew():
    before = Captions(GRAPH, short)
    assert (before.formulas(4)[0], before.formulas(3)[0]) == ("exp(c)", "a × 0.25")
    after = Captions(edits.set_value(GRAPH, 2, 7.0), short)
    after.reuse_caches_of(before)
    assert after.formulas(4)[0] is before.formulas(4)[0]
    assert after.formulas(3)[0] == "a × 7"
