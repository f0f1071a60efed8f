import pytest

from app.document.boxes import group_of
from app.document.document import Document
from app.document.document_file import whole_text
from app.document.placement import columns
from app.workbench.adding import block
from engine import from_expression
from engine.formats.expression import read_typed, write
from engine.formats.native import Drawing
from engine.graph import Graph, Leaf

SHARED = "e = a*b; d = e + a; L = d*f"
VALUES = {"a": 2.0, "b": -3.0, "f": -2.0}


def at(graph: Graph, name: str) -> int:
    node = graph.node_named(name)
    assert node is not None
    return node


def top(graph: Graph) -> int:
    """What is plugged into the active Root."""
    assert graph.root is not None
    return graph.root


def shown(graph: Graph) -> str:
    return write(graph, values=False)


# on the sheet


@pytest.fixture
def document(document):
    graph = from_expression(SHARED, VALUES)
    document.start(Drawing(graph, columns(graph)))
    return document


def _type(document: Document, text: str) -> None:
    assert document.edit_expression(read_typed(text).graph, text)


def test_a_name_that_the_screen_gave_is_still_that_node_when_its_formula_is_edited(document):
    node = document.graph.node_named("d")
    document.set_label(node, "")
    name = document.graph.names[node]
    assert name == f"v{node}"
    _type(document, f"{name} = b*b + a*2; L = {name}*{name}")
    assert document.graph.names[node] == name
    assert document.graph.label(node) == ""
    assert document.graph.inputs(document.graph.root) == (node, node)


def test_a_new_node_typed_under_its_own_name_to_be_has_no_label(document):
    name = f"v{document.graph.next_id}"
    _type(document, f"e = a*b; d = e + a; {name} = tanh(f); L = d*{name}")
    assert document.graph.label(document.graph.node_named(name)) == ""


def test_a_name_typed_for_one_node_is_not_given_to_another(document):
    name = f"v{document.graph.next_id + 1}"
    _type(document, f"{name} = exp(f); L = tanh(tanh({name}))*{name}")
    node = document.graph.node_named(name)
    assert document.graph.op(node).name == "exp"
    assert document.graph.title(node) == name


def test_typing_is_one_undo_step_with_a_name(document):
    before = whole_text(document.sheet)
    _type(document, "e = a*b; d = e + a*c; L = d*f")
    assert document.done[-1].name == "Edit expression"
    assert len(document.steps) == 1
    document.undo()
    assert whole_text(document.sheet) == before


def test_typing_back_leaves_no_step_and_the_same_bytes(document):
    before = whole_text(document.sheet)
    _type(document, SHARED)
    assert not document.steps
    assert whole_text(document.sheet) == before


@pytest.mark.parametrize(
    "text",
    [
        "e = a*b; d = e + a*c; L = d*f",
        "e = a*b; d = e + a; L = tanh(d*f)",
        "e = a*b; d = e + a; L = d*f*g*h",
        "p = a*b; q = p*p; e = q + b; d = e + a; L = d*f",
    ],
)
def test_no_node_moves_and_new_ones_stand_clear_of_all(document, text):
    before = dict(document.positions)
    _type(document, text)
    after = document.positions
    assert all(after[n] == place for n, place in before.items() if n in after)
    places = list(after.values())
    for k, (x, y) in enumerate(places):
        for other_x, other_y in places[k + 1 :]:
            assert abs(x - other_x) >= 100 or abs(y - other_y) >= 100


def test_a_new_node_stands_between_what_feeds_it_and_what_it_feeds(document):
    graph = document.graph
    _type(document, "e = a*b; d = tanh(e) + a; L = d*f")
    (new,) = document.graph.nodes.keys() - graph.nodes.keys()
    x = document.positions[new][0]
    e, d = (document.positions[at(graph, name)][0] for name in "ed")
    assert e < x < d


def test_a_root_steps_aside_only_where_its_new_node_would_stand_on_it(qapp):
    document = Document()
    graph = read_typed("(a*b + a)*f").graph
    document.start(Drawing(graph, columns(graph)))
    before = dict(document.positions)
    _type(document, "tanh((a*b + a)*f)")
    (marker,) = graph.roots()
    node = top(document.graph)
    assert document.positions[marker][0] > document.positions[node][0] > before[top(graph)][0]
    assert all(document.positions[n] == p for n, p in before.items() if n != marker)


def test_almost_nothing_in_common_lays_all_of_it_out_anew(document):
    asked = []
    document.layout_wanted.connect(lambda nodes, _gesture: asked.append(nodes))
    _type(document, "x**2 + y**2")
    assert shown(document.graph) == "x**2 + y**2"
    assert asked == [frozenset(document.graph.nodes)]
    assert len(document.steps) == 1


def test_what_is_left_of_a_longer_formula_is_laid_out_without_holes(document):
    _type(document, "(a*b + a)*f")
    asked = []
    document.layout_wanted.connect(lambda nodes, _gesture: asked.append(nodes))
    _type(document, "a*b*f")
    assert asked == [frozenset(document.graph.nodes)]
    _type(document, "b*a*f")
    assert len(asked) == 1, "nothing has come or gone"


def test_other_sketches_stay_where_they_are_and_the_new_graph_stands_below(document):
    node = document.add_node(Leaf(1.0, "alone"), (0.0, 960.0))
    document.groups.draw((0.0, 900.0, 400.0, 300.0), "Part")
    _type(document, "x**2 + y**2")
    assert document.positions[node] == (0.0, 960.0)
    assert len(document.sheet.drawn) == 1
    assert all(y >= 1200 for n, (_x, y) in document.positions.items() if n != node)


def test_on_an_empty_sheet_it_is_the_typed_graph(qapp):
    document = Document()
    _type(document, SHARED)
    begun = dict(zip(document.graph.leaves, (2.0, 3.0, 4.0), strict=True))
    assert document.graph == read_typed(SHARED).graph.with_values(begun)


def test_a_matched_node_keeps_its_group_and_a_new_one_has_none(document):
    """A typed formula over a network, over groups of a formula, and from inside a group."""
    network = block("mlp(2,2,1)")
    shared = Drawing(from_expression(SHARED, VALUES), columns(from_expression(SHARED)))
    cases = (
        (network, "o = tanh(x1*w1_1_1 + x2*u + b)", ()),
        (shared, "e = a*b; d = tanh(e) + a; L = d*f", ("e", "d", "L")),
        (shared, "e = a*q; d = e + a; L = d*f*exp(d)", ("e", "d")),
    )
    for drawing, text, grouped in cases:
        for inside in (False, True):
            document.start(drawing)
            if grouped:
                group = document.groups.make([at(document.graph, name) for name in grouped], "g")
                document.look_inside(group if inside else None)
            before = document.sheet
            _type(document, text)
            after = document.sheet
            groups = {n: group_of(before.groups, n) for n in before.graph.nodes}
            assert len(after.graph.nodes) > len(before.graph.nodes) or drawing is network
            for node in after.graph.nodes:
                assert group_of(after.groups, node) == groups.get(node), (text, node)
            assert document.inside is None


def test_a_neuron_typed_over_a_network_is_a_sheet_without_its_groups(document):
    document.start(block("mlp(2,2,1)"))
    _type(document, "o = tanh(x1*w1 + x2*w2 + b)")
    assert not document.sheet.groups
    assert len(document.graph.nodes) == 11


def test_a_leaf_without_a_typed_value_has_that_of_the_sheets_leaf_of_its_name(document):
    for text in ("y = tanh(b)*q", "sigmoid(a)", "k = a*q; exp(f*k)", "L = d*f"):
        document.start(Drawing(from_expression(SHARED, VALUES)))
        _type(document, text)
        known = {document.graph.label(n): x for n, x in document.graph.leaf_values.items()}
        assert {n: known[n] for n in VALUES if n in known} == {
            n: x for n, x in VALUES.items() if n in known
        }, text


def test_numbers_alone_are_those_of_the_sheets_leaves(document):
    before = document.graph
    for text, kept in (("a = 20", True), ("a = 1; f = -½", True), ("q = 20", False),
                       ("a = 20; q = 1", False), ("d = 20", False), ("a", False)):  # fmt: skip
        typed = read_typed(text)
        _type(document, text)
        numbers = {typed.graph.names[n]: x for n, x in typed.graph.leaf_values.items()}
        assert (shown(document.graph) == shown(before)) is kept, text
        assert (
            not kept
            or {document.graph.names[n]: x for n, x in document.graph.leaf_values.items()}
            == VALUES | numbers
        ), text
        document.undo()
        assert document.graph == before, text


def test_a_typed_sheet_is_called_as_the_formula_typed_last(document):
    document.start(Drawing(Graph()))
    for text in ("a*b + c", "tanh(a*b + c)", "y = x**2"):
        _type(document, text)
        assert document.title == text
    document.undo()
    assert document.title == "tanh(a*b + c)"
    document.undo()
    assert document.title == "a*b + c"
    document.start(Drawing(document.graph), title="Mine")
    _type(document, "tanh(a*b + c)")
    assert document.title == "Mine"
