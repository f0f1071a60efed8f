"""Groups: made, drawn, nested, moved, renamed and taken away."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from app.document import boxes
from app.document.boxes import moved
from app.document.clipboard import duplicate_on
from app.document.document import Document
from app.document.document_file import whole_text
from app.document.history import move_name
from app.document.sheet import Group, Sheet, sheet_of
from engine import from_expression
from engine.edits import remove
from engine.errors import EditError
from engine.formats import dot
from engine.formats.native import Drawing, read_drawing, write_drawing
from engine.graph import Constant

PLACES = {1: (0.0, 0.0), 2: (0.0, 144.0), 3: (312.0, 72.0), 4: (624.0, 72.0)}


@pytest.fixture
def document(document: Document) -> Document:
    document.start(Drawing(from_expression("y = a*b"), PLACES))
    return document


def box(title: str = "Part", x: float = -24, y: float = -60, w: float = 480, h: float = 360):
    return (float(x), float(y), float(w), float(h)), title


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


def test_a_group_is_drawn_renamed_and_taken_away_each_as_one_step(document):
    before = whole_text(document.sheet)
    number = document.groups.draw(*box())
    assert number is not None
    assert document.done[-1].name == "Draw group"
    document.groups.rename(number, "Neuron")
    assert document.done[-1].name == "Rename group"
    assert document.sheet.groups[number].title == "Neuron"
    document.remove((), (), (number,))
    assert document.done[-1].name == "Delete group Neuron"
    assert document.sheet.drawn == {}
    assert len(document.graph.nodes) == 4
    for _ in range(3):
        document.undo()
    assert whole_text(document.sheet) == before


def test_the_title_typed_at_once_is_part_of_the_same_step(document):
    gesture = document.new_gesture()
    number = document.groups.draw(*box(), gesture=gesture)
    document.groups.rename(number, "Neuron", gesture)
    assert document.done[-1].name == "Draw group"
    assert len(document.steps) == 1
    document.undo()
    assert document.sheet.drawn == {}


def test_a_drawn_group_and_its_nodes_move_as_one_step(document):
    number = document.groups.draw(*box())
    rects = {number: (0.0, 0.0, 480.0, 360.0)}
    document.move({1: (24.0, 60.0)}, text="Move group", rects=rects)
    assert document.positions[1] == (24.0, 60.0)
    assert document.positions[2] == PLACES[2]
    assert document.done[-1].name == "Move group"
    document.undo()
    assert document.positions == PLACES
    assert document.sheet.drawn[number] == (-24.0, -60.0, 480.0, 360.0)


def test_nodes_and_drawn_groups_deleted_together_are_one_step(document):
    number = document.groups.draw(*box())
    document.remove((1, 2), (), (number,))
    assert document.done[-1].name == "Delete 2 nodes"
    assert not document.sheet.drawn
    document.undo()
    assert document.sheet.drawn
    assert len(document.graph.nodes) == 4


def test_drawn_groups_are_in_the_file(document):
    document.groups.draw(*box("Größe <b>", 12.5, -3, 240, 120))
    text = whole_text(document.sheet)
    assert sheet_of(read_drawing(text.decode())) == document.sheet


def test_a_group_around_something_leaves_room_and_stands_on_the_grid():
    rect = boxes.rect_around([(0.0, 0.0, 128.0, 88.0), (300.0, 100.0, 132.0, 88.0)])
    assert rect is not None
    x, y, wide, high = rect
    assert x <= -24
    assert y <= -60
    assert x + wide >= 456
    assert y + high >= 212
    assert all(side % 12 == 0 for side in rect)
    assert boxes.rect_around([]) is None


RECTS = st.tuples(st.integers(-5, 5), st.integers(-5, 5), st.integers(0, 6), st.integers(0, 6)).map(
    lambda r: tuple(float(100 * side) for side in r)
)


@given(st.lists(RECTS, max_size=6))
def test_no_drawn_group_lies_within_itself_however_they_lie(rects):
    drawn = dict(enumerate(rects))
    for number in drawn:
        inside = boxes.drawn_inside(drawn, number)
        assert number not in inside
        assert all(number not in boxes.drawn_inside(drawn, other) for other in inside)


@given(st.lists(RECTS, max_size=6), st.lists(st.tuples(st.integers(-5, 9), st.integers(-5, 9))))
def test_every_drawn_group_and_every_node_is_drawn_in_one_cluster_at_most(rects, places):
    found = {number: Group(str(number), rect=rect) for number, rect in enumerate(rects)}
    positions = {n: (100.0 * x, 100.0 * y) for n, (x, y) in enumerate(places)}
    titles, nodes, stack = ([], [], list(boxes.clusters(Sheet(positions=positions, groups=found))))
    while stack:
        cluster = stack.pop()
        titles.append(cluster.title)
        nodes += cluster.nodes
        stack += cluster.inside
    assert sorted(titles) == sorted(str(number) for number in found)
    assert len(nodes) == len(set(nodes))


def test_dot_draws_groups_as_clusters_one_in_the_other(document):
    document.groups.draw(*box('All of "it"', -100, -100, 1000, 600))
    document.groups.draw(*box("Inputs", -24, -60, 240, 360))
    graph = document.graph
    text = dot.write(graph, None, boxes.clusters(document.sheet))
    outer, inner = text.index('subgraph "cluster_0"'), text.index('subgraph "cluster_0_0"')
    assert outer < inner
    assert 'label="All of \\"it\\""' in text
    inside = text[inner : text.index("}", inner)]
    assert [name for name in ('"n1";', '"n2";', '"n3";') if name in inside] == ['"n1";', '"n2";']


def test_boxes_in_boxes_without_end_are_drawn_side_by_side():
    groups = {
        n: Group(str(n), rect=(float(n), float(n), 900.0 - 2 * n, 900.0 - 2 * n))
        for n in range(1, 301)
    }
    found = boxes.clusters(Sheet(groups=groups))
    assert len(found) == 300 // 50


@pytest.fixture
def sheet() -> Sheet:
    graph = from_expression("c = a + b; d = a*b; e = c + d; y = e*c")
    return Sheet(graph, {n: (100.0 * n, 0.0) for n in graph.nodes})


def ids(sheet: Sheet, names: str) -> list[int]:
    return [n for n, name in sheet.graph.names.items() if name in names]


def test_a_group_keeps_its_nodes_and_stands_in_their_middle(sheet: Sheet):
    made = boxes.make_group(sheet, ids(sheet, "cd"), "pair")
    [group] = made.groups.values()
    assert group.members == frozenset(ids(sheet, "cd"))
    assert group.collapsed
    assert group.title == "pair"
    assert made.graph is sheet.graph


def test_a_group_around_a_group_holds_it_as_a_group(sheet: Sheet):
    inner = boxes.make_group(sheet, ids(sheet, "cd"))
    outer = boxes.make_group(inner, ids(sheet, "cde"))
    assert boxes.members_of(outer.groups, 2) == frozenset(ids(sheet, "cde"))
    assert outer.groups[1].parent == 2
    assert outer.groups[2].members == frozenset(ids(sheet, "e"))


def test_taking_the_outer_group_away_leaves_the_inner_one(sheet: Sheet):
    outer = boxes.make_group(boxes.make_group(sheet, ids(sheet, "cd")), ids(sheet, "cde"))
    left = boxes.unpack_group(outer, 2)
    assert list(left.groups) == [1]
    assert left.groups[1].parent is None


def test_taking_the_inner_group_away_leaves_its_nodes_in_the_outer_one(sheet: Sheet):
    outer = boxes.make_group(boxes.make_group(sheet, ids(sheet, "cd")), ids(sheet, "cde"))
    left = boxes.unpack_group(outer, 1)
    assert left.groups[2].members == frozenset(ids(sheet, "cde"))


@pytest.mark.parametrize(
    ("names", "sentence"),
    [("", "Choose nodes first"), ("cd", "are a group already"), ("ce", "different groups")],
)
def test_what_can_not_be_a_group_is_refused(sheet: Sheet, names: str, sentence: str):
    made = boxes.make_group(sheet, ids(sheet, "cd"))
    with pytest.raises(EditError, match=sentence):
        boxes.make_group(made, ids(sheet, names))


def test_deleting_members_shrinks_the_group_and_the_last_one_ends_it(qapp):
    document = Document()
    document.replace_graph(from_expression("c = a + b; y = c*a"))
    c = document.graph.node_named("c")
    y = document.graph.node_named("y")
    assert c is not None
    assert y is not None
    document.groups.make([c, y])
    document.remove([c])
    assert document.sheet.groups[1].members == frozenset({y})
    document.remove([y])
    assert not document.sheet.groups


def test_groups_are_in_the_file(sheet: Sheet):
    made = boxes.make_group(boxes.make_group(sheet, ids(sheet, "cd")), ids(sheet, "cde"), "outer")
    text = write_drawing(made.drawing())
    assert write_drawing(read_drawing(text)) == text
    assert '"outer"' in text


def test_a_title_is_one_line(sheet: Sheet):
    made = boxes.make_group(sheet, ids(sheet, "cd"))
    assert boxes.rename_group(made, 1, " layer 1 ").groups[1].title == "layer 1"
    with pytest.raises(EditError, match="one line"):
        boxes.rename_group(made, 1, "two\nlines")


def test_a_group_goes_along_with_its_members_by_any_fraction_of_a_pixel(sheet: Sheet):
    made = boxes.make_group(sheet, ids(sheet, "cde"))
    x, y = made.groups[1].position
    for k in range(1, 60):
        dx, dy = 37 / (0.63 + k / 100), k / 7
        places = {n: (made.positions[n][0] + dx, made.positions[n][1] + dy) for n in made.positions}
        made = moved(made, places, {})
        x, y = x + dx, y + dy
        assert made.groups[1].position == pytest.approx((x, y), abs=1e-6)


def test_a_group_stays_where_it_is_while_its_members_are_put_in_order_inside(sheet: Sheet):
    made = boxes.make_group(sheet, ids(sheet, "cd"))
    one, other = ids(sheet, "cd")
    after = moved(made, {one: (0.0, 0.0), other: (0.0, 96.0)}, {})
    assert after.groups[1].position == made.groups[1].position


def test_places_stay_the_same_mapping_while_only_numbers_change(sheet: Sheet):
    leaf = next(iter(ids(sheet, "a")))
    assert sheet.with_graph(sheet.graph.with_values({leaf: 4.0})).positions is sheet.positions


def test_groups_may_lie_in_one_another_as_deep_as_one_likes():
    inner = {k: Group("", frozenset(), parent=k - 1 or None) for k in range(1, 3000)}
    groups = {**inner, 3000: Group("", frozenset((7,)), parent=2999)}
    assert boxes.members_of(groups, 1) == {7}


@pytest.mark.parametrize(("title", "name"), [("", "Move group 1"), ("pair", "Move group pair")])
def test_a_moved_group_is_called_a_group_once(sheet: Sheet, title: str, name: str):
    made = boxes.make_group(sheet, ids(sheet, "cd"), title)
    assert move_name(ids(sheet, "cd"))(made) == name


@pytest.fixture
def drawn(sheet: Sheet) -> Sheet:
    """The sheet with a group drawn around c and d (1), and one in it around d (2)."""
    outer = boxes.draw_group(sheet, (450.0, -60.0, 400.0, 200.0), "outer", 2)
    return boxes.draw_group(outer, (550.0, -20.0, 200.0, 100.0), "inner", 1)


def test_a_drawn_group_holds_what_lies_in_it_while_it_is_collapsed(drawn: Sheet):
    folded = boxes.collapse_group(drawn, 1, True, ids(drawn, "cd"))
    assert boxes.all_members(folded.groups) == {1: frozenset(ids(drawn, "cd")), 2: frozenset()}
    assert folded.groups[1].collapsed
    assert folded.drawn == {}
    assert boxes.collapse_group(folded, 1, False).groups == {
        1: replace(drawn.groups[1], position=folded.groups[1].position),
        2: drawn.groups[2],
    }


def test_a_collapsed_one_takes_its_rectangle_and_those_in_it_along(drawn: Sheet):
    folded = boxes.collapse_group(drawn, 1, True, ids(drawn, "cd"))
    places = {n: (x + 24.0, y + 48.0) for n, (x, y) in drawn.positions.items()}
    opened = boxes.collapse_group(
        moved(folded, {n: places[n] for n in ids(drawn, "cd")}, {}), 1, False
    )
    assert opened.drawn == {1: (474.0, -12.0, 400.0, 200.0), 2: (574.0, 28.0, 200.0, 100.0)}


def test_a_collapsed_one_goes_with_its_last_node_and_takes_those_in_it_along(drawn: Sheet):
    folded = boxes.collapse_group(drawn, 1, True, ids(drawn, "cd"))
    one = folded.with_graph(remove(folded.graph, ids(drawn, "c")))
    assert one.groups.keys() == {1, 2}
    assert one.with_graph(remove(one.graph, ids(drawn, "d"))).groups == {}
    unpacked = boxes.unpack_group(folded, 1)
    assert unpacked.drawn == {2: (550.0, -20.0, 200.0, 100.0)}


def test_a_group_drawn_around_another_holds_it_while_it_is_collapsed(drawn: Sheet):
    grouped = boxes.make_group(drawn, ids(drawn, "cd"))
    folded = boxes.collapse_group(grouped, 1, True, ids(drawn, "cd"))
    assert folded.groups[3].parent == 1
    assert boxes.collapse_group(folded, 1, False).groups[3] == grouped.groups[3]


def test_a_collapsed_one_is_copied_with_its_rectangle_and_those_in_it(drawn: Sheet):
    folded = boxes.collapse_group(drawn, 1, True, ids(drawn, "cd"))
    copied = duplicate_on(folded, ids(drawn, "cd"), (), (0.0, 480.0)).sheet
    assert copied.groups[4].parent == 3
    opened = boxes.collapse_group(copied, 3, False)
    assert opened.drawn == {3: (450.0, 420.0, 400.0, 200.0), 4: (550.0, 460.0, 200.0, 100.0)}
    assert sheet_of(read_drawing(write_drawing(copied.drawing()))) == copied


def test_undo_of_collapsing_leaves_the_inside_of_a_drawn_group(document):
    number = document.groups.draw(*box())
    document.groups.collapse(number, True, 0, (1, 2, 3))
    document.look_inside(number)
    assert document.visible_nodes == {1, 2, 3}
    document.undo()
    assert document.inside is None
