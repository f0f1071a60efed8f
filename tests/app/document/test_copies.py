import pytest

from app.document.clipboard import clipboard_text, drawing_of, read_clip, sheet_bounds
from app.document.document import Document
from app.document.files import whole_text
from app.document.placement import columns, free_block
from app.document.sheet import Group, Section, Sheet
from engine import from_expression
from engine.errors import FormatError
from engine.formats.native import Drawing
from engine.graph import Graph, Leaf

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


def test_undo_takes_a_duplicate_back_to_the_last_byte(document):
    before = whole_text(document.sheet)
    number = document.sections.add(Section("s", (0.0, 0.0, 400.0, 300.0)))
    start = whole_text(document.sheet)
    document.duplicate(list(document.graph.nodes), (number,))
    assert len(document.sheet.sections) == 2
    document.undo()
    assert whole_text(document.sheet) == start != before


def test_groups_that_are_copied_whole_stay_groups_with_their_inner_ones(document):
    a, b, c = (at(document, name) for name in "abc")
    inner, outer = Group("inner", frozenset({a, b}), parent=21), Group("outer", frozenset())
    sheet = Sheet(document.graph, document.positions, {}, {20: inner, 21: outer})
    kept = drawing_of(sheet, (a, b, c)).groups
    assert [(group.title, group.parent) for group in kept] == [("inner", 21), ("outer", None)]


def test_sections_are_copied_with_what_is_chosen_in_them(document):
    number = document.sections.add(Section("Inputs", (-24.0, -60.0, 200.0, 400.0), 2))
    text = clipboard_text(document.sheet, (at(document, "a"), at(document, "b")), (number,))
    found = read_clip(text)
    assert found.kind == "nodes"
    new = document.paste(found.drawing, (1200.0, -12.0))
    assert len(new) == 2
    (section,) = [s for n, s in document.sheet.sections.items() if n != number]
    assert section == Section("Inputs", (1200.0, -12.0, 200.0, 400.0), 2)
    assert {document.positions[n] for n in new} == {(1224.0, 48.0), (1224.0, 192.0)}


def test_what_stands_off_the_grid_keeps_its_shape(document):
    a, b = at(document, "a"), at(document, "b")
    document.move({a: (7.0, 12.0), b: (20.0, 150.0)})
    new = document.paste(read_clip(clipboard_text(document.sheet, (a, b))).drawing, (601.0, 300.0))
    places = sorted(document.positions[n] for n in new)
    assert (places[1][0] - places[0][0], places[1][1] - places[0][1]) == (13.0, 138.0)


def test_a_section_alone_can_be_copied(document):
    number = document.sections.add(Section("Empty", (0.0, 600.0, 200.0, 100.0)))
    document.paste(read_clip(clipboard_text(document.sheet, (), (number,))).drawing, (480.0, 480.0))
    assert [s.rect[:2] for s in document.sheet.sections.values()] == [(0.0, 600.0), (480.0, 480.0)]


def test_boxes_that_are_pasted_get_numbers_of_their_own(document):
    first = document.sections.add(Section("s", (0.0, 0.0, 400.0, 300.0)))
    group = document.groups.make((at(document, "a"), at(document, "b")))
    text = clipboard_text(document.sheet, list(document.graph.nodes), (first,))
    document.paste(read_clip(text).drawing, (2000.0, 0.0))
    document.paste(read_clip(text).drawing, (4000.0, 0.0))
    assert len({*document.sheet.sections, *document.sheet.groups}) == 6
    assert group in document.sheet.groups


@pytest.mark.parametrize(
    ("text", "kind", "told"),
    [
        ("(a*b + a) * f", "expression", "7 nodes from an expression"),
        ("x", "expression", "2 nodes from an expression"),
        ("c = a + b\ny = c*2\n", "expression", "6 nodes from an expression"),
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


def test_our_own_nodes_say_how_many_they_are(document):
    assert read_clip(clipboard_text(document.sheet, [at(document, "a")])).description == "1 node"


@pytest.mark.parametrize(
    "text", ["to be or not", "import os\nos.remove('x')", '{"a": 1}', "Value(", "a = = 3"]
)
def test_a_wrong_text_is_refused_with_a_sentence(text):
    with pytest.raises(FormatError, match=r"[.?]$"):
        read_clip(text)


def test_the_extent_of_a_sheet_covers_nodes_groups_and_sections():
    sheet = Sheet(
        Graph({1: Leaf(1.0)}),
        positions={1: (10.0, 20.0)},
        sections={3: Section("s", (-100.0, 0.0, 50.0, 400.0))},
        groups={4: Group("g", frozenset({1}), True, (300.0, 30.0))},
    )
    assert sheet_bounds(sheet) == (-100.0, 0.0, 584.0, 400.0)
    assert sheet_bounds(Sheet()) == (0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(
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
