import random
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import edits, from_expression
from engine.errors import FormatError
from engine.formats.expression import read_typed, write
from engine.formats.notation import LENGTH_LIMIT
from engine.graph import Constant, Graph, Leaf, OpNode, Root
from engine.matching import added, formula_nodes, is_edit, merged
from engine.nodes import same_nodes
from engine.ops import ADD, MUL, TANH
from engine.trace import run
from tests.helpers.drawn import any_graphs
from tests.helpers.random_graphs import graphs
from tests.helpers.sampling import sampled
from tests.helpers.tables import in_turn

SHARED = "e = a*b; d = e + a; L = d*f"
VALUES = {"a": 2.0, "b": -3.0, "f": -2.0}


def assigned(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"(?:^|;)\s*(\w+)\s*=", text))


def merge_graphs(old: Graph, new: Graph, given: frozenset[str] = frozenset()) -> Graph:
    return merged(old, new, given).graph


def retyped(before: str, text: str, values: dict[str, float] | None = None) -> tuple[Graph, Graph]:
    old = from_expression(before, values)
    return old, merge_graphs(old, read_typed(text).graph, assigned(text))


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
    graph = edits.set_label(read_typed("tanh(x1 * w1)").graph, 3, "x1*w1")
    new = merge_graphs(
        graph, read_typed(f"{graph.names[3]} = x1*w1; tanh({graph.names[3]}) + 1").graph
    )
    assert new.label(3) == "x1*w1"


def test_a_name_without_its_formula_becomes_a_leaf():
    old, new = retyped(SHARED, "d = e + a; L = d*f")
    assert kept(old, new) == {"a", "d", "f", "L"}
    assert new.nodes[at(new, "e")] == Leaf(1.0, "e")


def test_the_name_of_a_constant_becomes_a_leaf():
    graph = edits.set_label(read_typed("y = 3*x").graph, 1, "k")
    new = merge_graphs(graph, read_typed("y = k*x").graph)
    assert 1 not in new.nodes
    assert new.nodes[at(new, "k")] == Leaf(1.0, "k")


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


@in_turn(
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
        ("tanh(h*w1 + k*w2 + b)", "tanh(x*u + y*v + c)", False),
    ],
)
def test_a_formula_is_an_edit_if_part_of_it_stays_or_its_leaves_do(before, text, expected):
    assert is_edit(read_typed(before).graph, read_typed(text).graph) is expected


def test_on_an_empty_sheet_no_formula_is_an_edit():
    assert not is_edit(Graph(), read_typed("a*b").graph)


# what is not in the text


def test_what_the_text_no_longer_mentions_goes():
    old, new = retyped(SHARED, "e = a*b; L = e*a")
    assert kept(old, new) == {"a", "b", "e", "L"}


def test_other_sketches_on_the_sheet_are_kept_untouched():
    old = read_typed(SHARED).graph
    old = edits.add(old, Leaf(5.0, "z"))
    old = edits.add(old, OpNode("exp", (at(old, "z"),), "s"))
    old = edits.add(old, OpNode("tanh", (at(old, "d"),), "t"))
    new = merge_graphs(old, read_typed("L = f*f").graph)
    for name in "zst":
        node = at(old, name)
        assert new.nodes[node] == old.nodes[node]
    assert kept(old, new) == {"z", "s", "t", "d", "e", "a", "b", "f", "L"}
    assert shown(new) == "L = f*f"


def test_every_root_stays_and_the_active_one_is_plugged_anew():
    old = read_typed(SHARED).graph
    old = edits.add(old, Root(at(old, "d")))
    new = merge_graphs(old, read_typed("y = a*f").graph)
    assert new.names[top(new)] == "y"
    assert new.active_root == old.active_root
    assert new.roots() == old.roots()
    assert new.inputs(new.roots()[1]) == (at(old, "d"),)


def test_the_name_of_an_operation_elsewhere_is_a_leaf_of_its_own():
    for text in ("y = a*b", "s = 0.5; y = s*2 + a", "y = s*b", "b = s*s; exp(b)*s"):
        old = read_typed("y = a*b").graph
        for source in (at(old, "a"), at(old, "y")):  # one that would close a loop
            sheet = edits.add(old, OpNode("square", (source,), "s"))
            new = merge_graphs(sheet, typed := read_typed(text).graph, assigned(text))
            assert new.nodes[at(sheet, "s")] == sheet.nodes[at(sheet, "s")], text
            assert _wiring(new) == _wiring(typed), text


def test_a_part_elsewhere_keeps_what_it_reads_unless_the_text_names_that():
    old = read_typed("y = tanh(a*b)").graph
    (product,) = (n for n in old.nodes if _is(old.nodes[n], "mul"))
    old = edits.add(old, OpNode("exp", (product,), "t"))
    new = merge_graphs(old, read_typed("y = tanh(a*c)").graph)
    assert new.nodes[product] == old.nodes[product]
    named = edits.set_label(old, product, "p")
    new = merge_graphs(named, read_typed("p = a*c; y = tanh(p)").graph)
    assert new.inputs(product) == (at(new, "a"), at(new, "c"))


def test_assignments_that_the_root_does_not_need_are_on_the_sheet_as_well():
    _old, new = retyped(SHARED, "e = a*b; d = e + a; s = exp(d); L = d*f")
    assert at(new, "s")
    assert shown(new) == SHARED


def test_a_name_that_the_new_text_leaves_out_is_not_kept_for_another_sum():
    text = "z = x0*w0 + x1*w1 + b; y = sigmoid(z); loss = (y - 1)**2"
    _old, new = retyped(text, "sigmoid(w*x + b)")
    assert "z" not in new.names.values()


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
        assert merge_graphs(graph, read_typed(text).graph, assigned(text)) == graph


@given(graphs(), graphs())
def test_what_is_typed_is_what_is_there_afterwards(old, other):
    text = _typed_back(other)
    if text is None:
        return
    new = read_typed(text).graph
    found = merge_graphs(_root_alone(old), new)
    assert found.root is not None
    assert _wiring(found) == _wiring(new)
    assert _sound(found)


@given(any_graphs(), graphs())
def test_nothing_that_the_root_does_not_reach_is_touched(old, other):
    text = _typed_back(other)
    if text is None:
        return
    typed = read_typed(text).graph
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
        found = merge_graphs(graph, read_typed(changed).graph, assigned(changed))
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


# 2,000 formulas typed on sheets

NAMES = "abfkstwy"


def test_root_leaves_and_gradients_are_those_of_the_typed_formula_alone():
    origins: Counter[str] = Counter()
    for seed in sampled(range(2000), 20):
        draw = random.Random(seed)
        old = _sheet(draw)
        text = _text(draw, old)
        typed, where = read_typed(text).graph, f"seed {seed}: {text}"
        found = merged(old, typed, assigned(text))
        if old.root is not None:  # else any part may be what is typed
            _assert_rest_is_untouched(old, found.graph, assigned(text), where)
        partners = dict(zip(_computed(typed), _computed(found.graph), strict=True))
        values: dict[int, float] = {}
        for leaf in set(typed.leaves) & partners.keys():
            there = found.graph.nodes[partners[leaf]]
            assert isinstance(there, Leaf), where
            assert there.label == typed.label(leaf), where
            origin, value = _origin(old, typed, leaf, assigned(text))
            unset = partners[leaf] in found.valueless
            assert unset if origin == "none" else unset <= (origin == "slot"), where
            assert unset or there.value == value, where
            values[leaf] = there.value
            origins["none" if unset else origin] += 1
        alone, there = run(typed.with_values(values)), run(found.graph)
        assert repr(there.values[there.root]) == repr(alone.values[alone.root]), where
        for node, partner in partners.items():
            gradient = there.gradients.get(partner)
            assert repr(gradient) == repr(alone.gradients.get(node)), where
    assert origins.keys() == {"text", "name", "slot", "none"}


def _origin(old: Graph, typed: Graph, leaf: int, given: frozenset[str]) -> tuple[str, float]:
    """What gives a typed leaf its value, and that value."""
    name = typed.label(leaf)
    known = {old.label(n): old.leaf_values[n] for n in old.leaves}
    if name in given:
        return "text", typed.leaf_values[leaf]
    if name in known:
        return "name", known[name]
    if old.root is not None and _wiring(old) == _wiring(typed):
        slots = dict(zip(_computed(typed), _computed(old), strict=True))
        return "slot", old.leaf_values[slots[leaf]]
    return "none", 0.0


def _assert_rest_is_untouched(old: Graph, found: Graph, given: frozenset[str], where: str) -> None:
    """Other operations and Roots are as they were, and other leaves unless the text sets them."""
    inside = formula_nodes(old)
    for node, before in old.nodes.items():
        if node in inside or node == old.active_root or before.label in given:
            continue
        assert same_nodes({node: found.nodes[node]}, {node: before}), where


def _computed(graph: Graph) -> list[int]:
    """The leaves and operations of the formula, in the order of a pass."""
    order = graph.plan(graph.root).order if graph.root is not None else ()
    return [node for node in order if not isinstance(graph.nodes[node], Constant)]


def _sheet(draw: random.Random) -> Graph:
    """A formula with loose leaves, operations, constants and Roots, whose labels may repeat."""
    graph = read_typed(_text(draw, Graph())).graph
    graph = graph.with_values({leaf: draw.uniform(-3, 3) for leaf in graph.leaves})
    for _ in range(draw.randint(0, 5)):
        label = draw.choice((*NAMES, "", "x1*w1"))
        nodes = [n for n, found in graph.nodes.items() if not isinstance(found, Root)]
        kind = draw.randint(0, 6)
        if kind == 0 and label not in {graph.label(leaf) for leaf in graph.leaves}:
            graph = edits.add(graph, Leaf(draw.uniform(-3, 3), label))
        elif kind == 1:
            graph = edits.add(graph, Constant(float(draw.randint(0, 3)), label))
        elif kind == 2:
            graph = edits.add(graph, Root(draw.choice(nodes)))
        else:
            op = draw.choice((ADD, MUL, TANH, TANH))
            inputs = tuple(draw.choice(nodes) for _ in op.slots)
            graph = edits.add(graph, OpNode(op.name, inputs, label))
    return edits.remove(graph, graph.roots()) if draw.random() < 0.1 else graph


def _text(draw: random.Random, old: Graph) -> str:
    """A formula: any, or the one of the sheet with another name, number or operation."""
    while True:
        shown_text = shown(old) if old.root is not None else ""
        if shown_text and draw.random() < 0.5:
            name = draw.choice(re.findall(r"\w+|[*+-]", shown_text))
            other = draw.choice("*+-" if name in "*+-" else (*NAMES, "2"))
            text = re.sub(rf"\b{name}\b" if name.isalnum() else re.escape(name), other, shown_text)
        else:
            lines = [
                f"{draw.choice(NAMES)} = {draw.randint(-9, 9)}" for _ in range(draw.randint(0, 2))
            ]
            lines += [f"{draw.choice(NAMES)} = {_term(draw, 2)}" for _ in range(draw.randint(0, 2))]
            text = "; ".join([*lines, draw.choice(("", "y = ")) + _term(draw, 3)])
        try:
            read_typed(text)
        except FormatError:
            continue
        return text


def _term(draw: random.Random, depth: int) -> str:
    kind = draw.random()
    if depth == 0 or kind < 0.2:
        return draw.choice((*NAMES, "2", "3"))
    if kind < 0.4:
        return f"{draw.choice(('tanh', 'exp'))}({_term(draw, depth - 1)})"
    return f"({_term(draw, depth - 1)} {draw.choice('+-*')} {_term(draw, depth - 1)})"


# a formula beside that of the sheet


def test_an_added_formula_uses_leaves_by_name_fills_a_slot_and_leaves_the_root():
    for seed in range(60):
        draw = random.Random(seed)
        old = _sheet(draw)
        hole = old.next_id
        old = edits.add(old, OpNode("mul", (None, None), "hole"))
        text = _text(draw, old)
        typed, where = read_typed(text).graph, f"seed {seed}: {text}"
        for wire in (None, (hole, 1)):
            graph, new = added(old, typed, assigned(text), wire)
            assert graph.nodes.keys() == old.nodes.keys() | new, where
            assert graph.active_root == old.active_root or wire is None, where
            assert not any(isinstance(graph.nodes[n], Root) for n in new) or not old.active_root
            shared = {old.label(n) for n in old.leaves}
            assert not shared & {graph.label(n) for n in new if n in graph.leaves}, where
            if wire is not None:
                filled = graph.source(wire)
                assert filled is not None, where
                alone = edits.mark_root(graph, filled)
                assert _wiring(alone) == _wiring(typed), where
            for node, before in old.nodes.items():
                same = before.label in assigned(text) or node == hole
                assert same or same_nodes({node: graph.nodes[node]}, {node: before}), where
