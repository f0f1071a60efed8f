"""Groups as a value: made, nested, opened, renamed and taken away."""

import pytest

from app.document import grouping
from app.document.change import move_name
from app.document.document import Document
from app.document.sections import moved
from app.document.sheet import Group, Sheet
from engine import from_expression
from engine.errors import EditError
from engine.formats.native import read_drawing, write_drawing


@pytest.fixture
def sheet() -> Sheet:
    graph = from_expression("c = a + b; d = a*b; e = c + d; y = e*c")
    return Sheet(graph, {n: (100.0 * n, 0.0) for n in graph.nodes})


def ids(sheet: Sheet, names: str) -> list[int]:
    return [n for n, name in sheet.graph.names.items() if name in names]


def test_a_group_keeps_its_nodes_and_stands_in_their_middle(sheet: Sheet):
    made = grouping.make(sheet, ids(sheet, "cd"), "pair")
    [group] = made.groups.values()
    assert group.members == frozenset(ids(sheet, "cd"))
    assert group.collapsed
    assert group.title == "pair"
    assert made.graph is sheet.graph


def test_a_group_around_a_group_holds_it_as_a_group(sheet: Sheet):
    inner = grouping.make(sheet, ids(sheet, "cd"))
    outer = grouping.make(inner, ids(sheet, "cde"))
    assert grouping.members_of(outer.groups, 2) == frozenset(ids(sheet, "cde"))
    assert outer.groups[1].parent == 2
    assert outer.groups[2].members == frozenset(ids(sheet, "e"))


def test_taking_the_outer_group_away_leaves_the_inner_one(sheet: Sheet):
    outer = grouping.make(grouping.make(sheet, ids(sheet, "cd")), ids(sheet, "cde"))
    left = grouping.unpack(outer, 2)
    assert list(left.groups) == [1]
    assert left.groups[1].parent is None


def test_taking_the_inner_group_away_leaves_its_nodes_in_the_outer_one(sheet: Sheet):
    outer = grouping.make(grouping.make(sheet, ids(sheet, "cd")), ids(sheet, "cde"))
    left = grouping.unpack(outer, 1)
    assert left.groups[2].members == frozenset(ids(sheet, "cde"))


@pytest.mark.parametrize(
    ("names", "sentence"),
    [("", "Choose nodes first"), ("cd", "are a group already"), ("ce", "different groups")],
)
def test_what_can_not_be_a_group_is_refused(sheet: Sheet, names: str, sentence: str):
    made = grouping.make(sheet, ids(sheet, "cd"))
    with pytest.raises(EditError, match=sentence):
        grouping.make(made, ids(sheet, names))


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
    made = grouping.make(grouping.make(sheet, ids(sheet, "cd")), ids(sheet, "cde"), "outer")
    text = write_drawing(made.drawing())
    assert write_drawing(read_drawing(text)) == text
    assert '"outer"' in text


def test_a_title_is_one_line(sheet: Sheet):
    made = grouping.make(sheet, ids(sheet, "cd"))
    assert grouping.rename(made, 1, " layer 1 ").groups[1].title == "layer 1"
    with pytest.raises(EditError, match="one line"):
        grouping.rename(made, 1, "two\nlines")


def test_a_group_goes_along_with_its_members_by_any_fraction_of_a_pixel(sheet: Sheet):
    made = grouping.make(sheet, ids(sheet, "cde"))
    x, y = made.groups[1].position
    for k in range(1, 60):
        dx, dy = 37 / (0.63 + k / 100), k / 7
        places = {n: (made.positions[n][0] + dx, made.positions[n][1] + dy) for n in made.positions}
        made = moved(made, places, {})
        x, y = x + dx, y + dy
        assert made.groups[1].position == pytest.approx((x, y), abs=1e-6)


def test_a_group_stays_where_it_is_while_its_members_are_put_in_order_inside(sheet: Sheet):
    made = grouping.make(sheet, ids(sheet, "cd"))
    one, other = ids(sheet, "cd")
    after = moved(made, {one: (0.0, 0.0), other: (0.0, 96.0)}, {})
    assert after.groups[1].position == made.groups[1].position


def test_the_members_of_all_groups_are_found_once_for_a_sheet(sheet: Sheet):
    outer = grouping.make(grouping.make(sheet, ids(sheet, "cd")), ids(sheet, "cde"))
    found = grouping.all_members(outer.groups)
    assert found == {1: frozenset(ids(sheet, "cd")), 2: frozenset(ids(sheet, "cde"))}
    assert grouping.all_members(outer.groups) is found
    assert grouping.members_of(outer.groups, 1) is found[1]


def test_places_stay_the_same_mapping_while_only_numbers_change(sheet: Sheet):
    leaf = next(iter(ids(sheet, "a")))
    assert sheet.with_graph(sheet.graph.with_values({leaf: 4.0})).positions is sheet.positions


def test_groups_may_lie_in_one_another_as_deep_as_one_likes():
    inner = {k: Group("", frozenset(), parent=k - 1 or None) for k in range(1, 3000)}
    groups = {**inner, 3000: Group("", frozenset((7,)), parent=2999)}
    assert grouping.members_of(groups, 1) == {7}


@pytest.mark.parametrize(("title", "name"), [("", "Move group 1"), ("pair", "Move group pair")])
def test_a_moved_group_is_called_a_group_once(sheet: Sheet, title: str, name: str):
    made = grouping.make(sheet, ids(sheet, "cd"), title)
    assert move_name(ids(sheet, "cd"))(made) == name
