from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.document.change import same_sheet
from app.document.clipboard import clipboard_text, read_clip
from app.document.sheet import Group, Sheet, sheet_of
from engine import from_expression
from engine.errors import FormatError
from engine.formats.native import Drawing


@pytest.fixture
def document(document):
    document.start(Drawing(from_expression("c = a*b; d = c + a; L = d*f")))
    return document


def _named(document, *names):
    found = {name: node for node, name in document.graph.names.items()}
    return [found[name] for name in names]


def test_wires_between_the_copied_nodes_are_copied(document):
    drawing = read_clip(clipboard_text(document.sheet, _named(document, "a", "b", "c"))).drawing
    graph = drawing.graph
    assert sorted(graph.names.values()) == ["a", "b", "c"]
    (c,) = _named(document, "c")
    assert graph.inputs(c) == tuple(_named(document, "a", "b"))


def test_a_wire_from_elsewhere_leaves_its_slot_empty(document):
    drawing = read_clip(clipboard_text(document.sheet, _named(document, "d", "a"))).drawing
    graph = drawing.graph
    d, a = _named(document, "d", "a")
    assert graph.inputs(d) == (None, a)


def test_places_are_copied(document):
    (a,) = _named(document, "a")
    drawing = read_clip(clipboard_text(document.sheet, [a])).drawing
    assert drawing.positions == {a: document.positions[a]}


def test_only_groups_that_are_whole_are_copied(document):
    a, b, c = _named(document, "a", "b", "c")
    groups = {
        20: Group("outer", frozenset({c}), parent=None),
        21: Group("inner", frozenset({a, b}), parent=20),
        22: Group("other", frozenset(_named(document, "d", "f"))),
    }
    sheet = Sheet(document.graph, document.positions, {}, groups)
    kept = read_clip(clipboard_text(sheet, [a, b])).drawing.groups
    assert [(group.title, group.parent) for group in kept] == [("inner", None)]


def test_copied_nodes_come_back_under_new_ids(document):
    text = clipboard_text(document.sheet, _named(document, "a", "b", "c"))
    before = set(document.graph.nodes)
    ids = document.paste(read_clip(text).drawing, (480.0, 480.0))
    assert len(ids) == 3
    assert not ids & before
    document.undo()
    assert set(document.graph.nodes) == before


@pytest.mark.parametrize(
    ("text", "count"), [("a*b + a", 5), ("  c = a + b\nc * 2\n", 6), ("tanh(x)", 3)]
)
def test_a_formula_from_outside_is_a_graph(text, count):
    assert len(read_clip(text).drawing.graph.nodes) == count


@pytest.mark.parametrize("text", ["hello there", "{", '{"format": "other"}', "a +", ""])
def test_other_text_is_refused_with_a_sentence(text):
    with pytest.raises(FormatError, match=r"\.$"):
        read_clip(text)


PROGRAM = """from micrograd.engine import Value
a = Value(2.0, label="a"); b = Value(-3.0)
xs = [Value(float(k)) for k in range(3)]
y = sum(x * a for x in xs) + b.tanh() ** 2
for k in range(2):
    y = y * xs[k] / 4
y.backward()
"""
NODES = """{"format": "backwire", "version": 1, "nodes": [
 {"id": 1, "kind": "leaf", "label": "a", "value": 2.0, "position": [0.0, 24.0]},
 {"id": 2, "kind": "op", "op": "mul", "inputs": [1, 1]}, {"id": 3, "kind": "root", "inputs": [2]}
], "active_root": 3, "groups": [{"id": 1, "title": "g", "members": [2]}]}"""
FORMULA = "c = a + b; d = tanh(-c) * 2.5e-3\ny = maximum(c, d) ** -2"
BAD = ("(" * 300, "-" * 5000, "9" * 5000, "[", "]", "{", '"', "\\", "\0", "\ud800", "\t\f", "-1")
WORSE = ("1e999", "**9**9**9", "lambda: 0", "range(10**9)", "while 1: pass\n", "exec(", "f'{a}'")
DANGER = "open('FILE', 'w').close()"
PUT = st.text(max_size=4) | st.sampled_from((*BAD, *WORSE, DANGER))


@pytest.fixture(scope="module")
def forbidden(tmp_path_factory) -> Path:
    """A file that would be made if a text were executed."""
    return tmp_path_factory.mktemp("clip") / "made"


@given(
    text=st.sampled_from((PROGRAM, NODES, FORMULA, "")),
    changes=st.lists(st.tuples(st.integers(0, 500), st.integers(0, 60), PUT), max_size=4),
)
def test_whatever_is_pasted_is_a_graph_or_refused_with_one_sentence(forbidden, text, changes):
    for start, length, put in changes:
        text = text[:start] + put.replace("FILE", str(forbidden)) + text[start + length :]
    said = ""
    try:
        assert same_sheet(*(sheet_of(read_clip(text).drawing) for _ in range(2)))
    except FormatError as error:
        said = str(error)
    assert not said or (said.isprintable() and said[-1] in ".?…")
    assert not forbidden.exists()
