import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.document import sections
from app.document.document import Document
from app.document.files import whole_text
from app.document.sheet import Section, Sheet, sheet_of
from engine import from_expression
from engine.formats import dot
from engine.formats.native import Drawing, read_drawing
from engine.graph import Constant

PLACES = {1: (0.0, 0.0), 2: (0.0, 144.0), 3: (312.0, 72.0), 4: (624.0, 72.0)}


@pytest.fixture
def document(document: Document) -> Document:
    document.start(Drawing(from_expression("y = a*b"), PLACES))
    return document


def box(title: str = "Part", x: float = -24, y: float = -60, w: float = 480, h: float = 360):
    return Section(title, (float(x), float(y), float(w), float(h)))


def test_a_constant_at_a_slot_moves_with_its_reader_while_it_has_no_label(document):
    graph = from_expression("y = 2*x", {"x": 3})
    x, y = (graph.node_named(name) for name in "xy")
    assert x is not None
    assert y is not None
    two = next(n for n, node in graph.nodes.items() if isinstance(node, Constant))
    document.start(Drawing(graph, {n: (100.0 * n, 0.0) for n in graph.nodes}))
    before = dict(document.positions)
    document.move({y: (before[y][0] + 30.0, 700.0)})
    assert document.positions[two] == (before[two][0] + 30.0, 700.0)
    assert document.positions[x] == before[x]
    document.undo()
    assert document.positions == before
    document.set_label(two, "two")  # now it is a node of its own
    document.move({y: (0.0, 700.0)})
    assert document.positions[two] == before[two]


def test_a_section_is_added_renamed_and_taken_away_each_as_one_step(document):
    before = whole_text(document.sheet)
    number = document.sections.add(box())
    assert number is not None
    assert document.done[-1].name == "Add section"
    document.sections.set(number, box("Neuron"), "Rename section")
    assert document.sheet.sections[number].title == "Neuron"
    document.remove((), (), (number,))
    assert document.done[-1].name == "Delete section Neuron"
    assert document.sheet.sections == {}
    assert len(document.graph.nodes) == 4
    for _ in range(3):
        document.undo()
    assert whole_text(document.sheet) == before


def test_the_title_typed_at_once_is_part_of_the_same_step(document):
    gesture = document.new_gesture()
    number = document.sections.add(box("Section"), gesture)
    document.sections.set(number, box("Neuron"), "Add section", gesture)
    assert len(document.steps) == 1
    document.undo()
    assert document.sheet.sections == {}


def test_a_section_and_its_nodes_move_as_one_step(document):
    number = document.sections.add(box())
    rects = {number: (0.0, 0.0, 480.0, 360.0)}
    document.move({1: (24.0, 60.0)}, text="Move section", rects=rects)
    assert document.positions[1] == (24.0, 60.0)
    assert document.positions[2] == PLACES[2]
    assert document.done[-1].name == "Move section"
    document.undo()
    assert document.positions == PLACES
    assert document.sheet.sections[number].rect == (-24.0, -60.0, 480.0, 360.0)


@pytest.mark.parametrize("title", ["two\nlines", "x" * 201])
def test_a_title_is_one_line_of_plain_text(document, title):
    said = []
    document.refused.connect(said.append)
    assert document.sections.add(box(title)) is None
    assert said == ["A title is one line of plain text of up to 200 characters."]
    assert not document.steps


def test_nodes_and_sections_deleted_together_are_one_step(document):
    number = document.sections.add(box())
    document.remove((1, 2), (), (number,))
    assert document.done[-1].name == "Delete 2 nodes"
    assert not document.sheet.sections
    document.undo()
    assert document.sheet.sections
    assert len(document.graph.nodes) == 4


def test_sections_are_in_the_file(document):
    document.sections.add(box("Größe <b>", 12.5, -3, 240, 120))
    text = whole_text(document.sheet)
    assert sheet_of(read_drawing(text.decode())) == document.sheet


def test_a_section_around_something_leaves_room_and_stands_on_the_grid():
    rect = sections.rect_around([(0.0, 0.0, 128.0, 88.0), (300.0, 100.0, 132.0, 88.0)])
    assert rect is not None
    x, y, wide, high = rect
    assert x <= -24
    assert y <= -60
    assert x + wide >= 456
    assert y + high >= 212
    assert all(side % 12 == 0 for side in rect)
    assert sections.rect_around([]) is None


RECTS = st.tuples(st.integers(-5, 5), st.integers(-5, 5), st.integers(0, 6), st.integers(0, 6)).map(
    lambda r: tuple(float(100 * side) for side in r)
)


@given(st.lists(RECTS, max_size=6))
def test_no_section_lies_within_itself_however_they_lie(rects):
    found = {number: Section("", rect) for number, rect in enumerate(rects)}
    sheet = Sheet(sections=found)
    for number in found:
        inside = sections.sections_inside(sheet, number)
        assert number not in inside
        assert all(number not in sections.sections_inside(sheet, other) for other in inside)


@given(st.lists(RECTS, max_size=6), st.lists(st.tuples(st.integers(-5, 9), st.integers(-5, 9))))
def test_every_section_and_every_node_is_drawn_in_one_cluster_at_most(rects, places):
    found = {number: Section(str(number), rect) for number, rect in enumerate(rects)}
    positions = {n: (100.0 * x, 100.0 * y) for n, (x, y) in enumerate(places)}
    titles, nodes, stack = (
        [],
        [],
        list(sections.clusters(Sheet(positions=positions, sections=found))),
    )
    while stack:
        cluster = stack.pop()
        titles.append(cluster.title)
        nodes += cluster.nodes
        stack += cluster.inside
    assert sorted(titles) == sorted(str(number) for number in found)
    assert len(nodes) == len(set(nodes))


def test_dot_draws_sections_as_clusters_one_in_the_other(document):
    document.sections.add(box('All of "it"', -100, -100, 1000, 600))
    document.sections.add(box("Inputs", -24, -60, 240, 360))
    graph = document.graph
    text = dot.write(graph, None, sections.clusters(document.sheet))
    outer, inner = text.index('subgraph "cluster_0"'), text.index('subgraph "cluster_0_0"')
    assert outer < inner
    assert 'label="All of \\"it\\""' in text
    inside = text[inner : text.index("}", inner)]
    assert [name for name in ('"n1";', '"n2";', '"n3";') if name in inside] == ['"n1";', '"n2";']


def test_boxes_in_boxes_without_end_are_drawn_side_by_side():
    boxes = {
        n: Section(str(n), (float(n), float(n), 900.0 - 2 * n, 900.0 - 2 * n))
        for n in range(1, 301)
    }
    found = sections.clusters(Sheet(sections=boxes))
    assert len(found) == 300 // 50
