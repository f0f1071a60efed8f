"""Groups on the canvas: folded into one, opened in place, looked into, stepped and moved."""

import pytest
from PySide6.QtCore import QPointF, Qt

from app.canvas.appearance.items import GroupKey
from app.canvas.scene.hit_test import hit
from app.document.boxes import all_members, members_of
from app.style.sizes import GRID
from app.workbench.adding import block
from tests.helpers.canvas import CanvasFixture, folded_boxes, node_boxes
from tests.helpers.mouse import CTRL, click, double_click, drag, key, type_into_focus


@pytest.fixture
def folded(canvas: CanvasFixture) -> CanvasFixture:
    """The demonstration graph with c, d and e folded into one."""
    canvas.open_example("demonstration")
    canvas.document.groups.make([canvas.node(name) for name in "cde"], "inner")
    return canvas


def number(canvas: CanvasFixture) -> int:
    return next(iter(canvas.document.sheet.groups))


def middle(canvas: CanvasFixture) -> QPointF:
    box = folded_boxes(canvas.scene)[number(canvas)]
    return canvas.view.camera.to_screen(QPointF(box.x + box.w / 2, box.y + box.h - 8))


def test_a_folded_group_has_a_slot_per_node_that_feeds_it_and_an_output_per_member_that_goes_out(
    folded: CanvasFixture,
):
    shown = folded.scene.visible.folded[GroupKey(number(folded))]
    names = folded.graph.names
    slots = [sorted((names[t], s) for t, s in wires) for wires in shown.slots]
    assert sorted(slots) == [[("c", 0), ("d", 0)], [("c", 1), ("d", 1)]]  # from a, and from b
    assert [names[n] for n in shown.outputs] == ["c", "d", "e"]
    assert not {folded.node(name) for name in "cde"} & folded.scene.boxes.keys()
    texts = folded.texts()
    assert "inner" in texts
    assert "3 nodes" in texts
    assert {"5", "6", "11"} <= set(texts)


def test_wires_inside_are_not_drawn_and_those_across_end_on_the_group(folded: CanvasFixture):
    drawn = set(folded.scene.courses)
    assert folded.wire("e", 0) not in drawn
    assert folded.wire("c", 0) in drawn
    box = folded_boxes(folded.scene)[number(folded)].rect
    slot = folded.scene.node_layout.slot_point(folded.wire("c", 0))
    assert slot is not None
    assert slot.x() == box.left()


def test_a_folded_group_on_a_node_is_hit_before_it_as_it_is_painted_above(folded: CanvasFixture):
    box = folded.scene.boxes[GroupKey(number(folded))]
    output = box.output(0)
    folded.document.move({folded.node("f"): (box.x + box.w - 40.0, box.y)})
    assert folded.scene.boxes[folded.node("f")].rect.contains(output)
    assert hit(folded.scene, output, 1.0).node == folded.node("c")
    assert hit(folded.scene, QPointF(box.x + box.w - 30.0, box.y + 4.0), 1.0).group is not None


def test_wires_into_a_folded_group_are_one_per_source_and_show_the_sum(folded: CanvasFixture):
    folded.playback.backward()
    folded.playback.to_end()
    look = folded.scene.label(folded.wire("c", 0))
    assert look is not None
    assert look.text == "+25"  # 7 by way of c and 18 by way of d: all that comes to a
    assert folded.scene.label(folded.wire("d", 0)) is None
    ends = [folded.scene.courses[folded.wire(name, 0)] for name in "cd"]
    assert ends[0].has_same_path_as(ends[1])
    out = folded.scene.label(folded.wire("f", 0))
    assert out is not None
    assert out.text == "1 × 6 = +6"


def test_a_step_passes_a_folded_group_whole_and_back(folded: CanvasFixture):
    playback = folded.playback
    playback.backward()
    trace = playback.frame.trace
    assert trace is not None
    members = {folded.node(name) for name in "cde"}
    inside = [k for k, actor in enumerate(trace.schedule.actors) if actor in members]
    assert len(inside) > 1
    while playback.cursor <= inside[0]:
        playback.step()
    assert playback.cursor == inside[-1] + 1
    playback.step_back()
    assert playback.cursor == inside[0]


@pytest.mark.parametrize("inside", [False, True])
def test_a_group_opened_or_looked_into_steps_as_its_parts(folded: CanvasFixture, inside: bool):
    playback = folded.playback
    if inside:
        folded.document.look_inside(number(folded))
    else:
        folded.document.groups.collapse(number(folded), False)
    playback.backward()
    for place in range(2, 12):
        playback.step()
        assert playback.cursor == place
    grads = {folded.graph.names[n]: g for n, g in playback.frame.grads.items()}
    assert grads == {"a": 25, "b": 19, "c": 7, "d": 6, "e": 1, "f": 1, "y": 1}
    if inside:
        folded.view.groups.leave()
        playback.go(5)
        playback.step()
        assert playback.cursor == 11


def test_a_click_chooses_all_members_and_a_drag_moves_them_as_one_step(folded: CanvasFixture):
    members = members_of(folded.document.sheet.groups, number(folded))
    click(folded.view, middle(folded))
    assert folded.selection.nodes == members
    before, places = folded.bytes(), dict(folded.document.positions)
    steps = len(folded.document.steps)
    start = middle(folded)
    drag(folded.view, start, start + QPointF(48, 96))
    assert len(folded.document.steps) == steps + 1
    now = folded.document.positions
    shifts = {(now[n][0] - places[n][0], now[n][1] - places[n][1]) for n in members}
    ((right, down),) = shifts
    assert abs(right - 48) <= GRID / 2  # it lands on the grid
    assert abs(down - 96) <= GRID / 2
    folded.document.undo()
    assert folded.bytes() == before


def test_ctrl_chooses_a_group_or_not_and_leaves_the_rest_of_the_selection(folded: CanvasFixture):
    members = members_of(folded.document.sheet.groups, number(folded))
    a, wire = folded.node("a"), folded.wire("root")
    folded.selection.choose((a,), (wire,))
    click(folded.view, middle(folded), CTRL)
    assert folded.selection.nodes == {a, *members}
    click(folded.view, middle(folded), CTRL)
    assert (folded.selection.nodes, folded.selection.wires) == ({a}, {wire})


@pytest.mark.parametrize("act", ["unpack", "delete"])
def test_a_group_is_unpacked_or_deleted_with_its_nodes_and_undo_brings_it_back(folded, act):
    before = folded.bytes()
    click(folded.view, middle(folded))
    (folded.view.groups.unpack if act == "unpack" else folded.view.editing.delete)()
    assert not folded.document.sheet.groups
    assert ("c" in folded.graph.names.values()) == (act == "unpack")
    assert len(folded.scene.boxes) == len(folded.graph.nodes)
    folded.document.undo()
    assert folded.bytes() == before


def test_several_groups_are_opened_or_unpacked_in_one_step(canvas: CanvasFixture):
    canvas.open_example("demonstration")
    canvas.document.groups.make([canvas.node("c")], "one")
    canvas.document.groups.make([canvas.node("d")], "two")
    steps = len(canvas.document.steps)
    for act in (canvas.view.groups.collapse, canvas.view.groups.unpack):
        canvas.selection.choose_all()
        act()
        assert not canvas.scene.visible.folded
        assert len(canvas.document.steps) == steps + 1
        canvas.document.undo()
        assert len(canvas.scene.visible.folded) == 2


@pytest.mark.parametrize("name", ["neuron", "layer", "mlp"])
def test_a_block_comes_as_groups_and_one_undo_takes_it_back(canvas: CanvasFixture, name: str):
    before = canvas.bytes()
    canvas.view.editing.adding.add_at_selected(f"block:{name}")
    assert canvas.document.sheet.groups
    assert folded_boxes(canvas.scene)
    assert len(canvas.document.steps) == 1
    canvas.document.undo()
    assert canvas.bytes() == before


def test_a_neuron_keeps_its_members_though_its_frame_covers_nodes_of_others(canvas: CanvasFixture):
    canvas.document.start(block("mlp(2, 2, 1)"))
    groups = canvas.document.sheet.groups
    outer = next(n for n, group in groups.items() if group.parent is None)
    inner = next(n for n, group in groups.items() if group.parent == outer)
    before = all_members(groups)
    for group in (outer, inner):
        canvas.document.groups.collapse(group, False)
    frame = canvas.scene.node_layout.groups.rect(inner)
    covered = {n for n, box in canvas.scene.boxes.items() if frame.contains(box.rect)}
    assert covered - before[inner]
    for group in (inner, outer):
        canvas.document.groups.collapse(group, True)
    assert all_members(canvas.document.sheet.groups) == before


def test_f2_gives_a_chosen_group_another_title_folded_or_open_and_esc_leaves_it(
    folded: CanvasFixture,
):
    click(folded.view, middle(folded))
    for typed, end, title in (
        ("other", Qt.Key.Key_Escape, "inner"),
        ("layer", Qt.Key.Key_Return, "layer"),
        ("layer 2", Qt.Key.Key_Return, "layer 2"),
    ):
        folded.view.editing.label()
        type_into_focus(typed)
        key(end)
        assert folded.document.sheet.groups[number(folded)].title == title
        assert title in folded.texts()
        folded.document.groups.collapse(number(folded), title == "inner")
    assert not folded.document.sheet.groups[number(folded)].collapsed


def test_a_node_hidden_in_a_group_can_not_be_labelled_or_valued_unseen(folded: CanvasFixture):
    folded.document.groups.make([folded.node("a")], "leaf")
    folded.selection.focus_on(folded.node("c"))
    folded.view.editing.label()
    folded.selection.choose((folded.node("a"), folded.node("b")))
    folded.view.editing.fields.edit_value(folded.node("a"))
    assert folded.said == ["This node lies in a collapsed group; open the group first."] * 2


def test_what_is_added_inside_a_group_belongs_to_it_and_is_seen(folded: CanvasFixture):
    double_click(folded.view, middle(folded))
    before = folded.bytes()
    node = folded.view.editing.adding.add_at_selected("op:tanh")
    assert node in folded.scene.boxes
    assert node in folded.document.sheet.groups[number(folded)].members
    folded.document.undo()
    assert folded.bytes() == before
    folded.view.context.document.look_inside(None)
    other = folded.view.editing.adding.add_at_selected("op:exp")
    assert other in folded.scene.boxes
    assert other not in folded.document.sheet.groups[number(folded)].members


def test_what_is_opened_is_seen_from_outside_though_one_looked_into_a_group(folded: CanvasFixture):
    """Another file may have a group of the same number."""
    folded.view.context.document.look_inside(number(folded))
    folded.document.start(folded.document.sheet.drawing())
    assert folded.scene.visible.inside is None
    assert node_boxes(folded.scene).keys() == folded.graph.nodes.keys() - members_of(
        folded.document.sheet.groups, number(folded)
    )
