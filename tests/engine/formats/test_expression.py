"""Expressions: what they mean, how graphs are written as them, and how wrong ones are refused."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import EngineError, FormatError, Graph, edits
from engine.errors import PlacedFormatError
from engine.formats.expression import literal, read, write
from engine.graph import Constant, Leaf, OpNode, Root
from engine.ops import OPS
from engine.trace import run
from tests.helpers.drawn import ANY_NUMBER, any_graphs
from tests.helpers.graphs import chain, demonstration, gradients, same, unfinished
from tests.helpers.sampling import tries
from tests.helpers.tables import in_turn


def told(text: str) -> list[object]:
    """The nodes of an expression in a short spelling."""
    return [
        (node.op, *node.inputs, node.label)
        if isinstance(node, OpNode)
        else (type(node).__name__, node.input if isinstance(node, Root) else node.value)
        for node in read(text).nodes.values()
    ]


@in_turn(("text", "nodes"), [
    ("a", [("Leaf", 1.0), ("Root", 1)]),
    ("a = 2", [("Leaf", 2.0), ("Root", 1)]),
    ("2", [("Constant", 2.0), ("Root", 1)]),
    ("a + b", [("Leaf", 1.0), ("Leaf", 1.0), ("add", 1, 2, ""), ("Root", 3)]),
    ("y = a*a", [("Leaf", 1.0), ("mul", 1, 1, "y"), ("Root", 2)]),
    ("a = -2; a*2", [("Leaf", -2.0), ("Constant", 2.0), ("mul", 1, 2, ""), ("Root", 3)]),
    ("a = +2", [("Leaf", 2.0), ("Root", 1)]),
    ("-3", [("Constant", -3.0), ("Root", 1)]),
    ("-(3)", [("Constant", -3.0), ("Root", 1)]),
    ("neg(3)", [("Constant", 3.0), ("neg", 1, ""), ("Root", 2)]),
    ("-a", [("Leaf", 1.0), ("neg", 1, ""), ("Root", 2)]),
    ("-2**2",
     [("Constant", 2.0), ("Constant", 2.0), ("pow", 1, 2, ""), ("neg", 3, ""), ("Root", 4)]),
    ("a - -2", [("Leaf", 1.0), ("Constant", -2.0), ("sub", 1, 2, ""), ("Root", 3)]),
    ("a/b", [("Leaf", 1.0), ("Leaf", 1.0), ("div", 1, 2, ""), ("Root", 3)]),
    ("a**-inf", [("Leaf", 1.0), ("Constant", -math.inf), ("pow", 1, 2, ""), ("Root", 3)]),
    ("maximum(a, 1)", [("Leaf", 1.0), ("Constant", 1.0), ("maximum", 1, 2, ""), ("Root", 3)]),
    ("a = inf", [("Leaf", math.inf), ("Root", 1)]),
    ("1 + 1", [("Constant", 1.0), ("Constant", 1.0), ("add", 1, 2, ""), ("Root", 3)]),
    ("c = a + b\nd = c", None),
    ("a = 0x10; a*1_000",
     [("Leaf", 16.0), ("Constant", 1000.0), ("mul", 1, 2, ""), ("Root", 3)]),
])  # fmt: skip
def test_an_expression_means_these_nodes(text, nodes):
    if nodes is None:
        with pytest.raises(FormatError, match="d would be a second name for c"):
            read(text)
    else:
        assert told(text) == nodes


@in_turn("text", [
    "c = a + b; y = c*c", "c = a + b\ny = c*c", "c = a + b\r\ny = c*c\r\n",
    "; ;c = a + b;; ; y = c*c;", "\n\n  c = a + b\n\n\ty = c*c\n", "c = (a +\n  b); y = c*c",
    "c = a + b  # the sum; not more\ny = c*c", "c = a + \\\n  b; y = c*c",
])  # fmt: skip
def test_statements_end_with_semicolons_or_lines(text):
    assert read(text) == read("c = a + b; y = c*c")


def test_every_operation_can_be_called_by_name():
    for op in OPS:
        letters = "abc"[: len(op.slots)]
        graph = read(f"y = {op.name}({', '.join(letters)})")
        assert graph.nodes[len(letters) + 1] == OpNode(op.name, (1, 2, 3)[: len(letters)], "y")
        if len(letters) == 1:
            assert read(f"y = a.{op.name}()") == graph


@in_turn(("text", "meant"), [
    ("L = (e*f).tanh()", "L = tanh(e*f)"),
    ("(a*b).exp() + a.relu()", "exp(a*b) + relu(a)"),
    ("x.pow(2)", "pow(x, 2)"),
    ("a.maximum(b)", "maximum(a, b)"),
    ("tf.maximum(a, b*2)", "maximum(a, b*2)"),
    ("y = x.tanh().neg().exp()", "y = exp(neg(tanh(x)))"),
    ("(-3).abs()*2.0.exp()", "abs(-3)*exp(2.0)"),
    ("-x.exp()", "-exp(x)"),
    ("y = sin(x.cos())", "y = sin(cos(x))"),
])  # fmt: skip
def test_a_call_after_a_dot_means_the_function_of_what_stands_before_it(text, meant):
    assert read(text) == read(meant)


DOT = "write a function after the dot: x.tanh()."


@in_turn(("text", "sentence", "start", "length"), [
    ("a +", "Line 1, column 4: something is missing here.", 3, 1),
    ("a = ", "Line 1, column 5: something is missing here.", 4, 1),
    ("a b", "Line 1, column 1: write a sign between a and b: a*b.", 0, 3),
    ("a + )", "Line 1, column 5: ) can't stand here.", 4, 1),
    ("a^", "Line 1, column 3: something is missing here.", 2, 1),
    ("a\n+ \x00", "Line 2, column 3: this character can't stand in an expression.", 4, 1),
    ("a + b; c", "Line 1, column 1: only the last formula may stand without a name.", 0, 5),
    ("a = 1; a = 2", "Line 1, column 8: a is assigned twice.", 7, 1),
    ("c = a; a = 2", "Line 1, column 5: c would be a second name for a.", 4, 1),
    ("c = a+1; a = 2", "Line 1, column 10: a is assigned after it was used as a leaf.", 9, 1),
    ("a = a + 1", "Line 1, column 5: a is used in its own formula.", 4, 1),
    ("a = b = 1", "Line 1, column 7: write a formula, or name = formula.", 6, 1),
    ("a += 1", "Line 1, column 4: write a formula, or name = formula.", 3, 1),
    ("a, b = 1, 2", "Line 1, column 1: a comma separates the arguments of a function.", 0, 4),
    ("a[0] = 1", "Line 1, column 2: here a name is one number.", 1, 1),
    ("a.b = 1", f"Line 1, column 2: {DOT}", 1, 1),
    ("(a, b)", "Line 1, column 1: write one formula between these brackets.", 0, 6),
    ("exp = 1", "Line 1, column 1: exp is the name of a function or a number.", 0, 3),
    ("exp + 1", "Line 1, column 1: exp is the name of a function or a number.", 0, 3),
    ("inf = 1", "Line 1, column 1: inf is the name of a function or a number.", 0, 3),
    ("größe + 1", "Line 1, column 1: names are made of the letters a to z, digits and _.", 0,
     5),
    ("ä(1) + 1",
     "Line 1, column 1: there is no function called ä; for a product write ä*(...).", 0, 1),
    ("x" * 201, "Line 1, column 1: this name is longer than 200 characters.", 0, 201),
    ("foo(1)", "Line 1, column 1: there is no function called foo.", 0, 3),
    ("mlp(2, 2, 1)",
     "Line 1, column 1: there is no function called mlp; on the sheet, Tab adds one.", 0, 3),
    ("heaviside(a)", "Line 1, column 1: there is no function called heaviside.", 0, 9),
    ("square_root(a)", "Line 1, column 1: there is no function called square_root.", 0, 11),
    ("a + exp()", "Line 1, column 5: exp takes one argument, not 0.", 4, 5),
    ("add(a)", "Line 1, column 1: add takes 2 arguments, not 1.", 0, 6),
    ("exp(a=1)", "Line 1, column 6: = can't stand here.", 5, 1),
    ("exp(*a)", "Line 1, column 5: * can't stand here.", 4, 1),
    ("a.tanh(1, 2)", "Line 1, column 3: tanh takes one argument, not 3.", 2, 10),
    ("a.tanh(b=1)", "Line 1, column 9: = can't stand here.", 8, 1),
    ("a.pow()", "Line 1, column 3: pow takes 2 arguments, not 1.", 2, 5),
    ("a.pow(*b)", "Line 1, column 7: * can't stand here.", 6, 1),
    ("a.zero_grad()", "Line 1, column 3: there is no function called zero_grad.", 2, 9),
    ("a.__class__()", "Line 1, column 3: there is no function called __class__.", 2, 9),
    ("f(a)(b)",
     "Line 1, column 1: there is no function called f; for a product write f*(...).", 0, 1),
    ("a.b", f"Line 1, column 2: {DOT}", 1, 1),
    ("1 == 2", "Line 1, column 3: write a formula, or name = formula.", 2, 1),
    ("~a", "Line 1, column 1: ~ can't stand here.", 0, 1),
    ("a // b", "Line 1, column 4: / can't stand here.", 3, 1),
    ("y = +a", "Line 1, column 5: y would be a second name for a.", 4, 2),
    ("a + 'b'", "Line 1, column 5: ' can't stand here.", 4, 1),
    ("a + 1j", "Line 1, column 5: 1j can't stand here.", 4, 2),
    ("a + True", "Line 1, column 5: True can't stand here.", 4, 4),
    ("a + 1e999", "Line 1, column 5: this number is too large.", 4, 5),
    ("-1e999", "Line 1, column 2: this number is too large.", 1, 5),
    ("a + " + "9" * 400, "Line 1, column 5: this number is too large.", 4, 400),
    ("a + (b\n** foo(1))", "Line 2, column 4: there is no function called foo.", 10, 3),
    ("a + {\n1}", "Line 1, column 5: { can't stand here.", 4, 1),
    ("é = 1\nü + é.x", "Line 1, column 1: names are made of the letters a to z, digits and _.",
     0, 1),
    ("(" * 300, "Line 1, column 101: brackets are nested too deeply.", 100, 1),
])  # fmt: skip
def test_a_wrong_text_is_refused_with_its_place(text, sentence, start, length):
    with pytest.raises(PlacedFormatError) as caught:
        read(text)
    assert str(caught.value) == sentence
    assert (caught.value.start, caught.value.length) == (start, length)


@in_turn(("text", "sentence"), [
    ("", "The expression is empty."),
    (" ;\n; ", "The expression is empty."),
    ("# nothing", "The expression is empty."),
    ("a" * 4001, "The expression is longer than 4,000 characters."),
    ("1+" * 1500 + "1", "The expression makes more than 2,000 nodes."),
])  # fmt: skip
def test_what_is_wrong_as_a_whole_has_no_place(text, sentence):
    with pytest.raises(FormatError) as caught:
        read(text)
    assert str(caught.value) == sentence


def test_thousands_of_signs_are_refused():
    """By whichever limit is reached first: Python's parser goes deeper from 3.13 on."""
    too_deep, too_many = "is nested too deeply", "makes more than 2,000 nodes"
    with pytest.raises(FormatError, match=rf"^The expression ({too_deep}|{too_many})\.$"):
        read("-" * 3999 + "x")


def test_reading_says_nothing_on_the_side(recwarn):
    for text in ("1if 2else 3", "'\\d' + 1", "0x7or 1", "a is 1"):
        with pytest.raises(FormatError):
            read(text)
    assert len(recwarn) == 0


SPELLED = (
    *("a = 1; b = 1; a + b - (a - b)", "a = 1; b = 1; (a + b)*(a/b)", "x = 1; -x**2"),
    *("x = 1; (-x)**2", "x = 1; x**-2", "x = 1; x**x**x", "x = 1; (x**x)**x", "x = 1; x**-x"),
    *("x = 1; (-2)**x", "x = 1; -(2*x)", "x = 1; -x*x", "x = 1; -(-x)", "-(-3)", "neg(3)"),
    *("neg(inf)", "neg(nan)", "x = 1; x - -x", "x = 1; x/(x/x)", "x = 1; x/x*x", "x = 1; x*(x*x)"),
    *("x = 1; (-0.0)**x", "x = 1; x*-3", "x = 1; 2 - x", "y = exp(2)", "x = 1e+16", "x = -inf"),
    *("x = 1; e = exp(x); y = e*e", "x = 1; where_gt0(x, -x, x + 1)", "x = 1; maximum(x, -2)"),
    *("x = 1e-07; 5e-324*x", "x = 123456789012345; x*0.1", "a = nan", "x = 1; -(x + 1)"),
    *("x = 1; -exp(x)", "x = 1; x - (x + x)", "x = 1; x**(x*x)", "x = 1; -2**x"),
)


@in_turn("text", SPELLED)
def test_an_expression_is_written_as_one_would_type_it(text):
    assert write(read(text)) == text


def test_values_may_be_left_out():
    assert (
        write(demonstration(), values=False) == "c = a + b; d = a*b; e = c + d; f = c*d; y = e + f"
    )
    assert write(read("a = 2"), values=False) == "a = 2"


def test_an_empty_slot_is_written_as_a_question_and_not_read():
    assert write(unfinished()) == "a = 2; c = a*?"
    with pytest.raises(FormatError):
        read(write(unfinished()))


def test_without_a_root_there_is_no_expression():
    for graph in (Graph(), edits.disconnect(demonstration(), 8, 0)):
        with pytest.raises(
            FormatError, match=r"^Choose a root first: an expression ends with it\.$"
        ):
            write(graph)


def test_long_formulas_are_broken_into_lines():
    text = write(chain(45))
    assert text.count("; ") == 3
    assert text.startswith("x = 1; v22 = ")
    assert gradients(read(text))["x"] == -1.0
    wide = write(read(" + ".join(f"long_name_of_a_leaf_{k}" for k in range(40))), values=False)
    assert max(len(line) for line in wide.split("; ")) < 300
    assert len(read(wide).nodes) == 80


@in_turn(("text", "labels"), [
    ("v3 = a*b; v3*v3", ["a", "b", "", ""]), ("v9 = a*b; v9*v9", ["a", "b", "v9", ""]),
    ("v4 = a*b; v4 + v4", ["a", "b", "v4", ""]), ("v2 = a*b; v2*v2", ["a", "b", "v2", ""]),
    ("v1*v2 + b", ["", "", "", "b", ""]),
])  # fmt: skip
def test_an_assigned_name_that_the_node_has_anyway_is_no_label(text, labels):
    graph = read(text)
    assert [graph.label(node) for node in graph.names] == labels
    assert write(graph, values=False) == text
    assert write(read(write(graph))) == write(graph)


@given(number=ANY_NUMBER)
def test_a_number_is_spelled_so_that_it_reads_back_the_same(number):
    (leaf, _root) = read(f"a = {literal(number)}").nodes.values()
    assert isinstance(leaf, Leaf)
    assert same(leaf.value, number)


@settings(max_examples=tries(200))
@given(graph=any_graphs(complete=True))
def test_a_round_trip_keeps_names_sharing_and_numbers(graph):
    text = write(graph)
    again = read(text)
    assert write(again) == write(read(write(again)))
    before, after = run(graph), run(again)
    assert same(before.values[before.root], after.values[after.root])
    assert shape(graph) == shape(again)
    labelled = {graph.names[n] for n in graph.plan(before.root).order if graph.label(n)}
    kept = {
        name
        for name in labelled
        if not isinstance(graph.nodes[graph.node_named(name) or 0], Constant)
    }
    assert kept <= set(again.names.values())
    for node in graph.plan(before.root).order:
        found = graph.nodes[node]
        if isinstance(found, Leaf):
            other = again.nodes[again.node_named(graph.names[node]) or 0]
            assert isinstance(other, Leaf)
            assert same(found.value, other.value)


def shape(graph: Graph) -> list[object]:
    """The wiring under the active root, nodes called by their place; constants by their number."""
    place: dict[int, int] = {}
    rows: list[object] = []
    for node in graph.plan(graph.root or 0).order:
        found = graph.nodes[node]
        if isinstance(found, Constant):
            continue
        place[node] = len(place)
        inputs = [
            place.get(s, repr(getattr(graph.nodes[s], "value", None)))
            for s in graph.inputs(node)
            if s is not None
        ]
        rows.append((type(found).__name__, getattr(found, "op", ""), inputs))
    return rows


PIECES = st.sampled_from(
    (*"ab1-+*();= \n,.^é'\t\\#_{@%\x00\r[", "**", "exp", "inf", "if", "1e9", "lambda:", "0x")
)


def refusal(text: str) -> EngineError | None:
    try:
        read(text)
    except EngineError as error:
        return error
    return None


@settings(max_examples=tries(300))
@given(text=st.lists(PIECES, max_size=14).map("".join) | st.text(max_size=20))
def test_nothing_but_our_own_errors_comes_from_any_text(text):
    error = refusal(text)
    if error is None:
        graph = read(text)
        assert read(write(graph)) == read(write(read(write(graph))))
        return
    assert str(error).endswith((".", "?"))
    assert "\n" not in str(error)
    if isinstance(error, PlacedFormatError):
        assert 0 <= error.start <= len(text)
        assert error.length >= 1


@pytest.mark.parametrize(("nodes", "text"), [
    ({1: Constant(2.0), 2: OpNode("mul", (1, 1)), 9: Root(2)}, "2*2"),
    ({1: Leaf(2.0, "x 1"), 2: OpNode("exp", (1,), "exp"), 9: Root(2)},
     "x_1_1 = 2; exp_2 = exp(x_1_1)"),
    ({1: Leaf(2.0, "x"), 2: OpNode("exp", (1,)), 3: OpNode("mul", (2, 2)), 9: Root(3)},
     "x = 2; v2 = exp(x); v2*v2"),
])  # fmt: skip
def test_constants_are_inlined_labels_become_names_and_shared_nodes_have_a_line(nodes, text):
    assert write(Graph(nodes, 9, 10)) == text
