"""Names: a label that a person gave wins, and a generated name is no label of another node."""

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import EditError, FormatError, Graph, Value, from_python
from engine.edits import add, set_label
from engine.formats import FORMATS, dot, latex, native
from engine.formats.latex import renamed, symbols
from engine.graph import Leaf, Node, OpNode, Root, is_name, kind_of
from engine.names import automatic_name, brief
from tests.helpers.tables import in_turn

LABELS = st.one_of(
    st.sampled_from(["", "", "α", "🐍", "größe", "w", "w!", "w_2", "w 2", "x*w", "lambda", "exp"]),
    st.sampled_from(["inf", "1", "_", "mul_3", "leaf_1", "v_1", "v2_2", "_1_2", "v1_1", "v1_1_"]),
    st.integers(0, 9).map("v{}".format),
    st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), max_size=6),
)

ALIKE = st.sampled_from(
    ["w ", " w", "x*w ", "v1 ", "  ", "é", "e\u0301", "a\u200db", "ab", "a  b", "a b"]
    + [f"{'x1*w1 + ' * 20}{k}{' + b' * 8}" for k in range(3)]
)
"""Labels that look like others, or do so when they are shortened."""


def chain(labels: list[str]) -> Graph:
    """Leaves 10, 20 ... with these labels, and unlabelled sums of all of them."""
    nodes: dict[int, Node] = {k: Leaf(10.0 * k, label) for k, label in enumerate(labels, 1)}
    last, count = 1, len(labels)
    for k in range(2, count + 1):
        nodes[count + k] = OpNode("add", (last, k))
        last = count + k
    return Graph({**nodes, 99: Root(last)}, 99, 100)


CLASH = chain(["α", "v1", "", "v3", "🐍", "v_6", "v8", "v9", "w!", "w_9"])
"""Every automatic name but one is the label of another node."""


@given(labels=st.lists(LABELS, min_size=1, max_size=9))
def test_no_name_is_the_label_of_another_node(labels: list[str]):
    graph = chain(labels)
    names = graph.names
    for node, name in names.items():
        holders = [n for n in names if graph.label(n) == name]
        assert not holders or node == holders[0]
        assert is_name(name)
        assert graph.node_named(name) == node
    for label in filter(is_name, labels):
        found = graph.node_named(label)
        assert found is not None
        assert graph.label(found) == label
        assert graph.title(found) == label
    assert len(set(names.values())) == len(names)


@given(labels=st.lists(LABELS, min_size=1, max_size=9))
def test_no_node_is_called_in_sentences_what_another_one_is_labelled(labels: list[str]):
    graph = chain(labels)
    for node in graph.names:
        called = graph.short_name(node)
        holders = [n for n in graph.names if graph.label(n) == called]
        assert not holders or node == holders[0]


@given(labels=st.lists(LABELS | ALIKE, min_size=1, max_size=9))
def test_no_two_nodes_are_shown_by_the_same_text(labels: list[str]):
    graph = chain(labels)
    shown = [" ".join(graph.title(n).replace("\u200d", "").split()) for n in graph.names]
    assert len(set(shown)) == len(shown)
    for longest in (8, 12, 24):
        for call in (graph.short_name, graph.brief):
            shown = [call(n, longest) for n in graph.names]
            assert len(set(shown)) == len(shown)
            assert all(len(text) <= longest for text in shown)


@given(labels=st.lists(LABELS | ALIKE, min_size=1, max_size=9))
def test_a_label_that_one_node_alone_holds_stands_as_it_is(labels: list[str]):
    graph = chain(labels)
    seen = [unicodedata.normalize("NFC", " ".join(label.split())) for label in labels]
    for node, label in enumerate(labels, 1):
        alone = seen.count(seen[node - 1]) == 1 and "\u200d" not in "".join(labels)
        if alone and seen[node - 1] and seen[node - 1] not in graph.names.values():
            assert graph.title(node) == graph.short_name(node) == label
        elif alone and graph.names[node] == label:
            assert graph.title(node) == label


@in_turn(
    ("labels", "titles"),
    [
        (["x1*w1", "y"], ["x1*w1", "y"]),
        (["x*w", "x*w"], ["x*w · x_w_1", "x*w · x_w_2"]),
        (["w", "w"], ["w", "w · w_2"]),
        (["w", " w "], ["w", " w  · w_2"]),
        (["", "v1 "], ["v1", "v1  · v1_2"]),
        (["é", "e\u0301"], ["é · v1", "e\u0301 · e_2"]),
        (["a\u200db", "ab"], ["a\u200db · a_b_1", "ab"]),
        (["  ", "x"], ["v1", "x"]),
        (["v2", ""], ["v2", "v2_2"]),
    ],
)
def test_the_name_stands_beside_where_labels_look_alike(labels: list[str], titles: list[str]):
    graph = chain(labels)
    assert [graph.title(n) for n in range(1, len(labels) + 1)] == titles


@given(labels=st.lists(LABELS, min_size=1, max_size=9))
def test_no_symbol_is_what_another_label_asks_for(labels: list[str]):
    graph = chain(labels)
    found = symbols(graph)
    assert len(set(found.values())) == len(found)
    given_way = {node: text for node, text in found.items() if graph.label(node) == ""}
    asked = {found[n] for n in graph.names if graph.label(n) and n not in renamed(graph, found)}
    assert asked.isdisjoint(given_way.values())


@pytest.mark.parametrize(
    ("label", "value"), [("v1", 20.0), ("v3", 40.0), ("v8", 70.0), ("w_9", 100.0)]
)
def test_every_format_leads_from_a_label_to_its_number(label: str, value: float):
    for form in FORMATS:
        if form.write is None:
            continue
        text = form.write(CLASH)
        if form.read is not None:
            read = form.read(text)
            node = read.node_named(label)
            assert node is not None, form.name
            found = read.nodes[node]
            assert kind_of(found) == "leaf", form.name
            assert isinstance(found, Leaf)
            assert found.value == value, form.name
        if form.name == "expression":
            assert f"{label} = {value:g}" in text.splitlines()
    (number,) = re.findall(rf'label="(?:. )?{label}\\ndata (.*?)\\n', dot.write(CLASH))
    assert float(number) == value
    symbol = f"v_{{{label[1:]}}}" if label[0] == "v" else f"w_{{{label[2:]}}}"
    assert f"{symbol} &= {value:g}" in latex.write(CLASH)


def test_generated_names_keep_to_the_node_where_they_can():
    names = CLASH.names
    assert [names[n] for n in (1, 3, 5, 6, 9)] == ["v1_1", "v3_3", "v5", "v_6", "w_9_"]
    assert all(names[n] == automatic_name(n) for n in range(12, 21))


HIDDEN = "\u200b\u200e\u200f\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069\u2060\ufeff\u00ad"
GOOD = (
    "می\u200cخواهم",  # Persian: the plural prefix
    "क्\u200dष",  # Hindi: a half letter, behind a mark
    "👩\u200d💻",
    "👩🏽\u200d🔬",  # with a skin tone
    "❤\ufe0f\u200d🔥",
    "🙂\u200d↔\ufe0f",
    "x₁",
)
BAD = (
    "\u200d",
    "\u200ca",
    "a\u200d",
    "a\u200d\u200db",
    "a\u200d b",
    "1\u200c2",
    "a\u200d+",
    *(f"a{character}b" for character in HIDDEN),
    # ruff: noqa: RUF001
    "می\u200cخ\u202e",
)


@in_turn("label", GOOD)
def test_a_joiner_may_stand_between_letters_or_emoji(label):
    graph = set_label(add(Graph(), Leaf(1.0)), 1, label)
    assert native.read(native.write(graph)) == graph
    read = from_python(f"a = Value(2.0, label={label!r})\na.backward()")
    assert [node.label for node in read.nodes.values() if isinstance(node, Leaf)] == [label]
    assert Value(1.0, label=label).label == label


@in_turn("label", BAD)
def test_nothing_else_that_is_hidden_stands_in_a_label(label):
    with pytest.raises(EditError, match="one line of plain text"):
        set_label(add(Graph(), Leaf(1.0)), 1, label)
    with pytest.raises(FormatError, match="one line of plain text"):
        native.read(native.write(Graph({1: Leaf(1.0, label)}, None, 2)))


def test_a_refusal_quotes_a_label_as_it_is():
    assert str(EditError(f"There is no {GOOD[0]}.")) == f"There is no {GOOD[0]}."


def test_shortened_paths_of_a_network_stay_apart_by_their_numbers():
    paths = [
        f"n.layers[{k}].neurons[{i}].{last}"
        for k in range(3)
        for i in range(4)
        for last in ("b", "w[0]", "w[1]")
    ]
    for longest in (16, 24):
        short_forms = {brief(path, longest) for path in paths}
        assert len(short_forms) == len(paths), longest
        assert all(len(form) <= longest for form in short_forms), longest
