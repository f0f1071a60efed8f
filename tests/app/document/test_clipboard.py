"""Nodes and groups are copied, pasted and duplicated; other texts are read or refused."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.document.change import same_sheet
from app.document.clipboard import clipboard_text, drawing_of, read_clip, sheet_bounds
from app.document.document import Document
from app.document.document_file import whole_text
from app.document.placement import columns, free_block
from app.document.sheet import Group, Sheet, sheet_of
from engine import from_expression
from engine.errors import FormatError
from engine.formats.native import Drawing
from engine.graph import Graph, Leaf
from tests.helpers.tables import in_turn

TEXT = "c = a*b; d = c + a; L = d*f"


@pytest.fixture
def document(document: Document) -> Document:
    graph = from_expression(TEXT)
    document.start(Drawing(graph, columns(graph)))
    return document


def at(document: Document, name: str) -> int:
    node = document.graph.node_named(name)
    assert node is not None
    return node


def named(document: Document, *names: str) -> list[int]:
    return [at(document, name) for name in names]


def test_a_duplicate_keeps_the_wires_that_come_from_elsewhere(document):
    d, c, a = (at(document, name) for name in "dca")
    new = document.duplicate((d, c))
    copies = {document.graph.label(n): n for n in new}
    assert document.graph.inputs(copies["c"]) == (a, at(document, "b"))
    assert document.graph.inputs(copies["d"]) == (copies["c"], a)
    assert document.graph.inputs(at(document, "L"))[0] == d
    x, y = document.positions[d]
    assert document.positions[copies["d"]] == (x + 48, y + 48)
    assert document.done[-1].name == "Duplicate"
    assert len(document.steps) == 1


def test_of_groups_that_are_copied_whole_only_what_lies_in_another_one_stays_within_it(document):
    a, b, c = named(document, "a", "b", "c")
    groups = {
        20: Group("outer", frozenset({c})),
        21: Group("inner", frozenset({a, b}), parent=20),
        22: Group("other", frozenset(named(document, "d", "f"))),
    }
    sheet = Sheet(document.graph, document.positions, groups)
    kept = read_clip(clipboard_text(sheet, [a, b])).drawing.groups
    assert [(group.title, group.parent) for group in kept] == [("inner", None)]
    kept = drawing_of(sheet, (a, b, c)).groups
    assert [(group.title, group.parent) for group in kept] == [("outer", None), ("inner", 20)]


def test_undo_takes_a_duplicate_back_to_the_last_byte(document):
    before = whole_text(document.sheet)
    number = document.groups.draw((0.0, 0.0, 400.0, 300.0), "s")
    start = whole_text(document.sheet)
    document.duplicate(list(document.graph.nodes), (number,))
    assert len(document.sheet.drawn) == 2
    document.undo()
    assert whole_text(document.sheet) == start != before


def test_drawn_groups_are_copied_with_what_is_chosen_in_them(document):
    number = document.groups.draw((-24.0, -60.0, 200.0, 400.0), "Inputs", 2)
    text = clipboard_text(document.sheet, (at(document, "a"), at(document, "b")), (number,))
    found = read_clip(text)
    assert (found.kind, found.description) == ("nodes", "2 nodes")
    new = document.paste(found.drawing, (1200.0, -12.0))
    assert len(new) == 2
    (copied,) = [group for n, group in document.sheet.groups.items() if n != number]
    assert copied == Group(
        "Inputs", position=copied.position, rect=(1200.0, -12.0, 200.0, 400.0), colour=2
    )
    assert {document.positions[n] for n in new} == {(1224.0, 48.0), (1224.0, 192.0)}


def test_what_stands_off_the_grid_keeps_its_shape(document):
    a, b = at(document, "a"), at(document, "b")
    document.move({a: (7.0, 12.0), b: (20.0, 150.0)})
    new = document.paste(read_clip(clipboard_text(document.sheet, (a, b))).drawing, (601.0, 300.0))
    places = sorted(document.positions[n] for n in new)
    assert (places[1][0] - places[0][0], places[1][1] - places[0][1]) == (13.0, 138.0)


def test_boxes_that_are_pasted_get_numbers_of_their_own(document):
    first = document.groups.draw((0.0, 0.0, 400.0, 300.0), "s")
    group = document.groups.make((at(document, "a"), at(document, "b")))
    text = clipboard_text(document.sheet, list(document.graph.nodes), (first,))
    document.paste(read_clip(text).drawing, (2000.0, 0.0))
    document.paste(read_clip(text).drawing, (4000.0, 0.0))
    assert len(document.sheet.groups) == 6
    assert group in document.sheet.groups


@in_turn(
    ("text", "kind", "told"),
    [
        ("(a*b + a) * f", "expression", "7 nodes from an expression"),
        ("x", "expression", "2 nodes from an expression"),
        ("c = a + b\ny = c*2\n", "expression", "6 nodes from an expression"),
        ("  c = a + b\nc * 2\n", "expression", "6 nodes from an expression"),
        (
            "from micrograd.engine import Value\na = Value(2.0)\nb = a * a\nb.backward()\n",
            "program",
            "3 nodes from a program",
        ),
    ],
)
def test_a_text_from_outside_says_what_it_is(text, kind, told):
    found = read_clip(text)
    assert (found.kind, found.description) == (kind, told)


WRONG = ("to be or not", "import os\nos.remove('x')", "Value(", "a = = 3", "a +", "")
WRONG_JSON = ("{", '{"a": 1}', '{"format": "other"}')


@in_turn("text", [*WRONG, *WRONG_JSON])
def test_a_wrong_text_is_refused_with_a_sentence(text):
    with pytest.raises(FormatError, match=r"[.?]$"):
        read_clip(text)


def test_the_extent_of_a_sheet_covers_nodes_and_groups():
    sheet = Sheet(
        Graph({1: Leaf(1.0)}),
        positions={1: (10.0, 20.0)},
        groups={
            3: Group("s", rect=(-100.0, 0.0, 50.0, 400.0)),
            4: Group("g", frozenset({1}), True, (300.0, 30.0)),
        },
    )
    assert sheet_bounds(sheet) == (-100.0, 0.0, 584.0, 400.0)
    assert sheet_bounds(Sheet()) == (0.0, 0.0, 0.0, 0.0)


@in_turn(
    ("taken", "expected"),
    [
        ([], (0.0, 0.0)),
        ([(0.0, 90.0, 100.0, 100.0)], (0.0, -58.0)),
        ([(0.0, -90.0, 100.0, 100.0)], (0.0, 58.0)),
        ([(-20.0, -400.0, 30.0, 800.0)], (58.0, 0.0)),
        ([(0.0, 0.0, 50.0, 50.0), (0.0, 60.0, 50.0, 50.0)], (98.0, 0.0)),
    ],
)
def test_a_block_goes_to_the_nearest_free_place(taken, expected):
    assert free_block(taken, (0.0, 0.0, 100.0, 100.0)) == expected


def test_wires_between_the_copied_nodes_are_copied(document):
    drawing = read_clip(clipboard_text(document.sheet, named(document, "a", "b", "c"))).drawing
    graph = drawing.graph
    assert sorted(graph.names.values()) == ["a", "b", "c"]
    (c,) = named(document, "c")
    assert graph.inputs(c) == tuple(named(document, "a", "b"))


def test_a_wire_from_elsewhere_leaves_its_slot_empty(document):
    drawing = read_clip(clipboard_text(document.sheet, named(document, "d", "a"))).drawing
    graph = drawing.graph
    d, a = named(document, "d", "a")
    assert graph.inputs(d) == (None, a)


def test_copied_nodes_come_back_under_new_ids(document):
    text = clipboard_text(document.sheet, named(document, "a", "b", "c"))
    before = set(document.graph.nodes)
    ids = document.paste(read_clip(text).drawing, (480.0, 480.0))
    assert len(ids) == 3
    assert not ids & before
    document.undo()
    assert set(document.graph.nodes) == before


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
