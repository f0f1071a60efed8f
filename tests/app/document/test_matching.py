import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.document.document import Document
from app.document.files import whole_text
from app.document.merge_expression import formula_nodes, is_edit, merge_graphs
from app.document.placement import columns
from app.document.sheet import Section
from engine import edits, from_expression
from engine.errors import FormatError
from engine.formats.expression import LENGTH_LIMIT, read_typed, write
from engine.formats.native import Drawing
from engine.graph import Constant, Graph, Leaf, OpNode, Root
from engine.nodes import same_nodes
from tests.helpers.drawn import any_graphs
from tests.helpers.random_graphs import graphs

SHARED = "e = a*b; d = e + a; L = d*f"
VALUES = {"a": 2.0, "b": -3.0, "f": -2.0}


def assigned(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"(?:^|;)\s*(\w+)\s*=", text))


def retyped(before: str, text: str, values: dict[str, float] | None = None) -> tuple[Graph, Graph]:
    old = from_expression(before, values)
    return old, merge_graphs(old, read_typed(text), assigned(text))


def at(graph: Graph, name: str) -> int:
    node = graph.node_named(name)
    assert node is not None
    return node


def top(graph: Graph) -> int:
    """What is plugged into the active Root."""
    assert graph.root is not None
    return graph.root


def kept(old: Graph, new: Graph) -> set[str]:
    """The nodes that are still there, by the names they had."""
    return {name for node, name in old.names.items() if node in new.nodes}


def shown(graph: Graph) -> str:
    return write(graph, values=False)


# by name


def test_a_name_that_stays_is_the_same_node_even_with_another_operation():
    old, new = retyped(SHARED, "e = a*b; d = e - a; L = d*f")
    assert new.nodes.keys() == old.nodes.keys()
    assert new.nodes[at(old, "d")] == OpNode("sub", (at(old, "e"), at(old, "a")), "d")


def test_a_leaf_keeps_its_value_unless_the_text_gives_another():
    old, new = retyped(SHARED, "b = 7; e = a*b; d = e + a; L = d*f", VALUES)
    assert new.nodes[at(old, "a")] == Leaf(2.0, "a")
    assert new.nodes[at(old, "b")] == Leaf(7.0, "b")
    assert new.nodes.keys() == old.nodes.keys()


def test_a_label_that_is_no_name_stays_where_the_name_made_from_it_is_typed_back():
    graph = edits.set_label(read_typed("tanh(x1 * w1)"), 3, "x1*w1")
    new = merge_graphs(graph, read_typed(f"{graph.names[3]} = x1*w1; tanh({graph.names[3]}) + 1"))
    assert new.label(3) == "x1*w1"


def test_a_name_without_its_formula_becomes_a_leaf_in_its_place():
    old, new = retyped(SHARED, "d = e + a; L = d*f")
    assert new.nodes[at(old, "e")] == Leaf(1.0, "e")
    assert at(old, "b") not in new.nodes


def test_a_constant_that_is_called_by_its_label_stays_a_constant():
    graph = edits.set_label(read_typed("y = 3*x"), 1, "k")
    new = merge_graphs(graph, read_typed("y = k*x"))
    assert new.nodes[1] == Constant(3.0, "k")


# by structure


@pytest.mark.parametrize(
    "text", ["(a*b + a)*f", "k = a*b; d = k + a; L = d*f", "e = a*b; L = (e + a)*f"]
)
def test_what_only_has_another_name_or_none_is_the_same_node(text):
    old, new = retyped(SHARED, text, VALUES)
    assert new.nodes.keys() == old.nodes.keys()


def test_a_leaf_that_is_renamed_keeps_its_place_and_its_value():
    old, new = retyped(SHARED, "e = q*b; d = e + q; L = d*f", VALUES)
    assert new.nodes[at(old, "a")] == Leaf(2.0, "q")


@pytest.mark.parametrize("text", ["(w - 1.5)**2", "(w - 1)**3", "(w + 1)**2", "(w - 1)**w"])
def test_a_change_in_one_place_keeps_everything_else(text):
    old, new = retyped("(w - 1)**2", text)
    assert len(new.nodes.keys() & old.nodes.keys()) >= len(old.nodes) - 1
    assert shown(new) == text


def test_of_two_pieces_that_read_the_same_the_right_one_is_kept():
    old, new = retyped("tanh(a*b) + exp(a*b)", "exp(a*b)")
    inner = old.inputs(next(n for n, node in old.nodes.items() if _is(node, "exp")))[0]
    assert inner in new.nodes
    assert kept(old, new) == {"a", "b", f"v{inner}", new.names[top(new)]}


def test_another_operation_in_the_same_place_is_the_same_node():
    old, new = retyped("n = x*w; o = tanh(n) + 1", "n = x*w; o = relu(n) + 1")
    assert new.nodes.keys() == old.nodes.keys()


def test_what_is_put_around_a_formula_leaves_it_as_it_is():
    old, new = retyped("(a*b + a)*f", "tanh((a*b + a)*f)")
    assert old.nodes.keys() < new.nodes.keys()
    assert new.inputs(top(new)) == (top(old),)


def _is(node, op):
    return isinstance(node, OpNode) and node.op == op


# an edit, or another formula


@pytest.mark.parametrize(
    ("before", "text", "expected"),
    [
        (SHARED, "(a*b + a)*f", True),
        (SHARED, "tanh((a*b + a)*f)", True),
        (SHARED, "e = q*b; d = e + q; L = d*f", True),
        (SHARED, "a*b", True),
        (SHARED, "L = a*f", True),
        ("a*b", "a + b", True),
        ("a*b", "b + a", True),
        ("a*b", "a*b + c", True),
        ("x", "x*2", True),
        ("(w - 1)**2", "(y - 1)**2", True),
        ("tanh(w*x + b)", "tanh(w*x + v*z + b)", True),
        ("maximum(a, b)", "minimum(a, b)", True),
        (SHARED, "x**2 + 3*x", False),
        (SHARED, "L = (w*x - y)**2", False),
        (SHARED, "L = x*y", False),
        (SHARED, "sigmoid(w*x + b)", False),
        (SHARED, "a**2 + b**2", False),
        (SHARED, "b", False),
        ("(w - 1)**2", "(y + 3)**2", False),
        ("tanh(w*x + b)", "tanh(p*q + r)", False),
        ("2*x", "2*y", False),
    ],
)
def test_a_formula_is_an_edit_if_part_of_it_stays_or_its_leaves_do(before, text, expected):
    assert is_edit(read_typed(before), read_typed(text)) is expected


def test_on_an_empty_sheet_no_formula_is_an_edit():
    assert not is_edit(Graph(), read_typed("a*b"))


# what is not in the text


def test_what_the_text_no_longer_mentions_goes():
    old, new = retyped(SHARED, "e = a*b; L = e*a")
    assert kept(old, new) == {"a", "b", "e", "L"}


def test_other_sketches_on_the_sheet_are_kept_untouched():
    old = read_typed(SHARED)
    old = edits.add(old, Leaf(5.0, "z"))
    old = edits.add(old, OpNode("exp", (at(old, "z"),), "s"))
    old = edits.add(old, OpNode("tanh", (at(old, "d"),), "t"))
    new = merge_graphs(old, read_typed("L = f*f"))
    for name in "zst":
        node = at(old, name)
        assert new.nodes[node] == old.nodes[node]
    assert kept(old, new) == {"z", "s", "t", "d", "e", "a", "b", "f", "L"}
    assert shown(new) == "L = f*f"


def test_every_root_stays_and_the_active_one_is_plugged_anew():
    old = read_typed(SHARED)
    old = edits.add(old, Root(at(old, "d")))
    new = merge_graphs(old, read_typed("y = a*f"))
    assert new.names[top(new)] == "y"
    assert new.active_root == old.active_root
    assert new.roots() == old.roots()
    assert new.inputs(new.roots()[1]) == (at(old, "d"),)


def test_a_name_of_another_sketch_is_used_as_it_is():
    old = read_typed("y = a*b")
    old = edits.add(old, OpNode("exp", (at(old, "a"),), "s"))
    new = merge_graphs(old, read_typed("y = s*b"))
    assert new.inputs(at(old, "y")) == (at(old, "s"), at(old, "b"))
    assert new.nodes[at(old, "s")] == old.nodes[at(old, "s")]


def test_a_name_of_another_sketch_that_would_close_a_loop_is_a_leaf_of_its_own():
    old = read_typed("y = a*b")
    old = edits.add(old, OpNode("exp", (at(old, "y"),), "s"))
    new = merge_graphs(old, read_typed("y = s*b"))
    found = new.inputs(at(old, "y"))[0]
    assert found is not None
    assert new.nodes[found] == Leaf(1.0, "s")
    assert new.nodes[at(old, "s")] == old.nodes[at(old, "s")]


def test_assignments_that_the_root_does_not_need_are_on_the_sheet_as_well():
    _old, new = retyped(SHARED, "e = a*b; d = e + a; s = exp(d); L = d*f")
    assert at(new, "s")
    assert shown(new) == SHARED


# in general


def _typed_back(graph: Graph) -> str | None:
    """The text that the expression bar shows of a graph, if it can be typed."""
    if graph.root is None:
        return None
    text = shown(graph)
    return text if "?" not in text and len(text) <= LENGTH_LIMIT else None


@given(st.one_of(graphs(), any_graphs()))
def test_typing_back_what_is_shown_changes_nothing(graph):
    text = _typed_back(graph)
    if text is not None:
        assert merge_graphs(graph, read_typed(text), assigned(text)) == graph


@given(graphs(), graphs())
def test_what_is_typed_is_what_is_there_afterwards(old, other):
    text = _typed_back(other)
    if text is None:
        return
    new = read_typed(text)
    found = merge_graphs(_root_alone(old), new)
    assert found.root is not None
    assert _wiring(found) == _wiring(new)
    assert _sound(found)


@given(any_graphs(), graphs())
def test_nothing_that_the_root_does_not_reach_is_touched(old, other):
    text = _typed_back(other)
    if text is None:
        return
    typed = read_typed(text)
    found = merge_graphs(old, typed, assigned(text))
    inside, spoken = formula_nodes(old), set(typed.names.values())
    for node, there in old.nodes.items():
        if node in inside or node == old.active_root:
            continue
        if isinstance(there, Leaf | Constant) and old.names[node] in spoken:
            continue
        assert same_nodes({node: found.nodes[node]}, {node: there})
    assert _sound(found)


@given(graphs(finite=True), st.data())
def test_a_small_change_keeps_the_ids_of_the_rest(graph, draw):
    text = _typed_back(graph)
    if text is None or not isinstance(graph.nodes[top(graph)], OpNode):
        return
    around = draw.draw(st.sampled_from(["tanh({})", "({}) + 1", "2*({})", "({}) - zz"]))
    head, _, last = text.rpartition("; ")
    formula = last.rpartition(" = ")[2]
    changed = "; ".join(filter(None, [head, around.format(formula)]))
    try:
        found = merge_graphs(graph, read_typed(changed), assigned(changed))
    except FormatError:
        return
    reached = set(graph.plan(top(graph)).order)
    lost = reached - found.nodes.keys()
    assert not lost


def _root_alone(graph: Graph) -> Graph:
    """Without what a typed name would mean if it is on the sheet: sketches, named constants."""
    for node, found in graph.nodes.items():
        if isinstance(found, Constant):
            graph = edits.set_label(graph, node, "")
    return edits.subgraph(graph, {*graph.plan(top(graph)).order, *graph.roots()})


def _wiring(graph: Graph) -> object:
    """The operations and constants below the root; leaves as they are met."""
    leaves: dict[int, int] = {}
    terms: dict[int, int] = {}
    numbers: dict[object, int] = {}
    for node in graph.plan(top(graph)).order:
        found = graph.nodes[node]
        if isinstance(found, OpNode):
            key: object = (found.op, tuple(terms[s] for s in found.inputs if s is not None))
        elif isinstance(found, Constant):
            key = repr(found.value)
        else:
            key = ("leaf", leaves.setdefault(node, len(leaves)))
        terms[node] = numbers.setdefault(key, len(numbers))
    return terms[top(graph)], tuple(numbers)


def _sound(graph: Graph) -> bool:
    place = {node: k for k, node in enumerate(graph.structure.topological_order)}
    return all(
        source in graph.nodes and place[source] < place[target]
        for source, (target, _slot) in graph.wires()
    ) and graph.next_id > max(graph.nodes)


# on the sheet


@pytest.fixture
def document(document):
    graph = from_expression(SHARED, VALUES)
    document.start(Drawing(graph, columns(graph)))
    return document


def _type(document: Document, text: str) -> None:
    assert document.edit_expression(read_typed(text), text)


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
    graph = read_typed("(a*b + a)*f")
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
    document.sections.add(Section("Part", (0.0, 900.0, 400.0, 300.0)))
    _type(document, "x**2 + y**2")
    assert document.positions[node] == (0.0, 960.0)
    assert len(document.sheet.sections) == 1
    assert all(y >= 1200 for n, (_x, y) in document.positions.items() if n != node)


def test_on_an_empty_sheet_it_is_the_typed_graph(qapp):
    document = Document()
    _type(document, SHARED)
    begun = dict(zip(document.graph.leaves, (2.0, 3.0, 4.0), strict=True))
    assert document.graph == read_typed(SHARED).with_values(begun)
