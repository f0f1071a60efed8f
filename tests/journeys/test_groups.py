"""Groups: a part of a graph is folded into one node, opened, looked into, stepped, unpacked.

What is done inside a group stays there. An operation is unfolded into simpler ones likewise.
"""

import math
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton

from app.canvas.appearance.items import GroupKey
from app.canvas.scene.hit_test import hit
from app.document.document_file import whole_text
from app.window.commands.view_actions import show_node
from app.window.frame.main_window import MainWindow
from engine.formats.files import save
from engine.graph import OpNode, Root
from engine.ops import BY_NAME
from tests.helpers.answering import acts
from tests.helpers.canvas import folded_boxes, node_boxes
from tests.helpers.mouse import (
    ALT,
    SHIFT,
    at_header,
    at_nothing,
    at_output,
    at_slot,
    at_wire,
    click,
    double_click,
    drag,
    drop,
    drop_entry,
    held,
    hover,
    key,
    node_named,
    type_into_focus,
)
from tests.helpers.reading import in_view, label, labels, written
from tests.helpers.sampling import sampled
from tests.helpers.seeing import menu_at, picture, ringed, rows, shows, tip_at
from tests.helpers.window import (
    CTRL,
    forget_changes,
    node,
    open_example,
    opened_window,
    press,
    said,
)
from tests.helpers.window import click as click_widget

RETURN, ESCAPE, BACKSPACE = Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Backspace
NEXT, LAST = Qt.Key.Key_Right, Qt.Key.Key_End

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support grabbing the keyboard")


def fold(window: MainWindow) -> None:
    """Choose c = a + b, d and e of the demonstration by hand, fold them with Ctrl+G, name them."""
    open_example(window, "demonstration")
    view = window.canvas
    view.setFocus()
    for name in "cde":
        click(view, at_header(view, node_named(view, name)), SHIFT)
    press(window, "g", modifier=CTRL)
    press(window, Qt.Key.Key_F2)
    type_into_focus("inner")
    key(RETURN)


@pytest.fixture
def folded(qtbot) -> Iterator[MainWindow]:
    """The demonstration, a part of it folded into one node."""
    with opened_window(qtbot, prepare=fold) as window:
        yield window


def the_group(window: MainWindow) -> int:
    (number,) = window.document.sheet.groups
    return number


def at_group(window: MainWindow) -> QPointF:
    """A point of the folded group at which it can be taken."""
    box = folded_boxes(window.canvas.scene)[the_group(window)]
    return window.canvas.camera.to_screen(QPointF(box.x + box.w / 2, box.y + box.h - 8))


def at_plus(window: MainWindow) -> QPointF:
    box = folded_boxes(window.canvas.scene)[the_group(window)]
    return window.canvas.camera.to_screen(box.opener.center())


def at_minus(window: MainWindow) -> QPointF:
    frame = window.canvas.scene.node_layout.groups.rect(the_group(window))
    return window.canvas.camera.to_screen(frame.topLeft() + QPointF(18, 16))


def crumbs(window: MainWindow) -> list[str]:
    """The way from the sheet to what is looked into, as it is read at the upper left."""
    row = window.canvas.breadcrumbs.layout()
    assert row is not None
    items = (row.itemAt(k) for k in range(row.count()))
    parts = [item.widget() for item in items if item is not None]
    texts = [part.text() for part in parts if isinstance(part, QLabel | QPushButton)]
    return [text for text in texts if text != "/"]


def read(window: MainWindow) -> set[str]:
    """Every word on the canvas; a small node has its sign and its name in one piece."""
    return {word for text in written(window.canvas) for word in (text, *text.split())}


def undone(window: MainWindow) -> str:
    return window.commands["undo"].text().replace("&", "")


def test_a_selection_becomes_one_node_with_slots_and_numbers(folded: MainWindow):
    view, texts = folded.canvas, read(folded)
    assert {"inner", "3 nodes", "5", "6", "11"} <= texts
    box = folded_boxes(view.scene)[the_group(folded)]
    inside = box.rect.adjusted(-1, -1, 1, 1)
    for name, slot in (("c", 0), ("c", 1), ("d", 0), ("d", 1)):  # one slot per wire that enters
        end = view.scene.node_layout.slot_point((node_named(view, name), slot))
        assert end is not None
        assert end.x() == box.x
        assert inside.contains(end)
    assert "inner: double-click" in tip_at(view, at_group(folded))
    assert undone(folded) == "Undo Rename group"
    press(folded, "z", modifier=CTRL)
    assert undone(folded) == "Undo Group"
    press(folded, "z", modifier=CTRL)
    assert {"c", "d", "e"} <= read(folded)
    assert not folded.document.done


def test_its_plus_opens_it_in_place_and_its_minus_folds_it_again(folded: MainWindow):
    view = folded.canvas
    places = dict(folded.document.positions)
    hover(view, at_plus(folded))
    assert folded.status_line.text() == "Open inner in place"
    click(view, at_plus(folded))
    texts = read(folded)
    assert {"inner", "c", "d", "e"} <= texts
    assert "3 nodes" not in texts
    assert dict(folded.document.positions) == places
    frame = view.scene.node_layout.groups.rect(the_group(folded))
    assert all(frame.contains(view.scene.boxes[node_named(view, n)].rect) for n in "cde")
    assert undone(folded) == "Undo Open group"
    hover(view, at_minus(folded))
    assert folded.status_line.text() == "Show inner as one"
    click(view, at_minus(folded))
    assert "3 nodes" in written(view)
    press(folded, "j", modifier=CTRL)  # and with a key
    assert "3 nodes" not in written(view) or not folded.selection.nodes


def test_what_a_question_opened_stays_open_and_that_is_said(folded: MainWindow):
    press(folded, "p")
    opened = folded.canvas.scene.visible.opens
    assert opened == {the_group(folded)}
    canvas = folded.canvas
    corner = canvas.scene.node_layout.groups.rect(the_group(folded)).topLeft()
    points = (corner + QPointF(x, y) for x, y in product(range(2, 30, 2), repeat=2))
    scale = canvas.camera.scale  # a wire runs over a part of the button
    minus = next(p for p in points if hit(canvas.scene, p, scale).part == "opener")
    click(canvas, canvas.camera.to_screen(minus))
    assert said(folded) == "This step needs the group open; it folds again after it."
    assert folded.canvas.scene.visible.opens == opened


def test_a_double_click_looks_inside_and_crumbs_lead_out(folded: MainWindow):
    view = folded.canvas
    before = whole_text(folded.document.sheet)
    double_click(view, at_group(folded))
    assert crumbs(folded) == ["Sheet", "inner"]
    texts = read(folded)
    assert {"c", "d", "e", "a", "b"} <= texts  # a and b as where wires come from
    assert not {"f", "y"} & texts
    assert all(in_view(view, node_named(view, name)) for name in "cde")
    press(folded, "b", LAST)
    assert label(view, "e", 0) == "1 × 1 = +1"
    click(view.breadcrumbs.findChild(QPushButton) or view, QPointF(8, 8))
    assert not view.breadcrumbs.isVisible()
    assert "3 nodes" in written(view)
    double_click(view, at_group(folded))
    press(folded, BACKSPACE)
    assert not view.breadcrumbs.isVisible()
    assert whole_text(folded.document.sheet) == before


def test_groups_in_groups_have_a_crumb_each(folded: MainWindow):
    view = folded.canvas
    double_click(view, at_group(folded))
    click(view, at_header(view, node_named(view, "c")))
    press(folded, "g", modifier=CTRL)
    inner = max(folded.document.sheet.groups)
    box = folded_boxes(view.scene)[inner].rect
    double_click(view, view.camera.to_screen(QPointF(box.center().x(), box.bottom() - 8)))
    assert crumbs(folded) == ["Sheet", "inner", f"group {inner}"]
    assert view.breadcrumbs.width() > 100  # and can be read
    assert "c" in read(folded)
    assert "d" not in read(folded)
    folded.commands["leave_group"].trigger()
    assert crumbs(folded) == ["Sheet", "inner"]
    press(folded, "b")
    press(folded, Qt.Key.Key_Escape)
    assert not view.breadcrumbs.isVisible()
    assert folded.playback.phase == "backward"  # Esc has left the fold, not the pass
    assert not folded.commands["leave_group"].isEnabled()


def test_its_wires_show_sums_without_local_derivatives_and_it_lights_up_as_it_fires(
    folded: MainWindow,
):
    window, view, theme = folded, folded.canvas, folded.context.style.theme
    press(window, "b", LAST)
    shown = labels(view)
    c = node_named(view, "c")
    assert shown[c, 0] == "+25"  # 7 by way of c and 18 by way of d
    assert not any("×" in text for (node, _slot), text in shown.items() if node == c)
    assert "11" in written(view)
    box = folded_boxes(view.scene)[the_group(window)].rect
    edge = view.camera.to_screen(QPointF(box.center().x(), box.bottom()))
    assert shows(picture(view), theme.gradient, edge, 2)
    press(window, Qt.Key.Key_Home)
    assert not shows(picture(view), theme.gradient, edge, 2)


def test_a_rubber_band_that_touches_it_chooses_all_that_is_in_it(folded: MainWindow):
    view = folded.canvas
    members = {node_named(view, name) for name in "cde"}
    press(folded, ESCAPE)
    folded.selection.clear()
    box = folded_boxes(view.scene)[the_group(folded)].rect
    below = (QPointF(box.center().x(), box.bottom() + down) for down in range(20, 120, 10))
    beside = next(
        at for at in map(view.camera.to_screen, below) if view.hover.hit_at(at).part == "canvas"
    )
    touched = view.camera.to_screen(QPointF(box.center().x() + 20, box.bottom() - 10))
    drag(view, beside, touched)
    assert folded.selection.nodes == members
    drag(view, beside, touched, CTRL)
    assert not folded.selection.nodes
    with held(view, beside, touched):
        press(folded, ESCAPE)
    assert not folded.selection.nodes
    drag(view, beside, touched)
    press(folded, Qt.Key.Key_Delete)
    assert not folded_boxes(view.scene)
    assert undone(folded) == "Undo Delete 3 nodes"


def test_it_stays_with_what_is_in_it_when_it_is_moved_freely_at_any_zoom(folded: MainWindow):
    view, c = folded.canvas, node_named(folded.canvas, "c")
    for zoom in sampled((0.87, 0.63), 2):
        view.camera.set_zoom(zoom)
        view.framing.show_nodes(folded.selection.nodes)
        x, y = folded_boxes(view.scene)[the_group(folded)].rect.topLeft().toTuple()
        home = folded.document.positions[c]
        drag(view, at_group(folded), at_group(folded) + QPointF(37, 23), ALT)
        at = folded.document.positions[c]
        assert at != home
        box = folded_boxes(view.scene)[the_group(folded)]
        assert (box.x - x, box.y - y) == pytest.approx((at[0] - home[0], at[1] - home[1]))


def test_a_wire_is_drawn_from_its_output_and_into_its_slot(folded: MainWindow):
    view = folded.canvas
    c = node_named(view, "c")
    slot = view.scene.node_layout.slot_point((c, 0))
    assert slot is not None
    with held(view, at_output(view, node_named(view, "b")), view.camera.to_screen(slot)):
        assert folded.status_line.text() == "b → c, slot 1: replaces a"
    assert folded.document.graph.source((c, 0)) == node_named(view, "b")
    y = node_named(view, "y")
    drag(view, at_output(view, node_named(view, "c")), at_slot(view, y))
    assert folded.document.graph.source((y, 0)) == node_named(view, "c")
    assert undone(folded) == "Undo Connect c → y"


def test_its_menu_opens_looks_into_and_unpacks_it_with_their_keys(folded: MainWindow):
    view = folded.canvas
    menu = menu_at(view, at_group(folded))
    shown = rows(menu)
    menu.close()
    keys = {"Open or collapse group": "Ctrl+J", "Look inside group": "Ctrl+Return"}
    assert {text: shown[text] for text in keys} == keys
    assert shown["Unpack group"] == "Ctrl+U"
    press(folded, RETURN, modifier=CTRL)
    assert crumbs(folded) == ["Sheet", "inner"]
    press(folded, BACKSPACE)
    click(view, at_group(folded))
    before = whole_text(folded.document.sheet)
    press(folded, "u", modifier=CTRL)
    assert {"c", "d", "e"} <= read(folded)
    assert not {"inner", "3 nodes"} & read(folded)
    assert undone(folded) == "Undo Unpack group"
    press(folded, "z", modifier=CTRL)
    assert whole_text(folded.document.sheet) == before
    assert "3 nodes" in written(view)


def test_the_keyboard_walks_onto_a_folded_group_opens_it_and_walks_in_it(folded: MainWindow):
    window, view = folded, folded.canvas
    press(window, ESCAPE)
    press(window, Qt.Key.Key_Down, NEXT)
    group = folded_boxes(view.scene)[the_group(window)].rect
    ring = view.camera.to_screen(QPointF(group.center().x(), group.top() - 5))
    assert shows(picture(view), window.context.style.theme.selection, ring, 2)
    told = QAccessible.queryAccessibleInterface(view).focusChild().text(QAccessible.Text.Name)
    assert told.startswith("inner, group of 3 nodes")
    press(window, NEXT)
    assert ringed(view) <= {"f", "y"}
    assert ringed(view)
    press(window, Qt.Key.Key_Left)
    assert shows(picture(view), window.context.style.theme.selection, ring, 2)
    press(window, "j", modifier=CTRL)
    assert ringed(view) == {"c", "d", "e"}
    press(window, Qt.Key.Key_Left)
    assert ringed(view) <= {"a", "b"}
    assert ringed(view)


def test_a_root_alone_can_not_be_grouped_and_that_is_said(window: MainWindow):
    open_example(window, "demonstration")
    view = window.canvas
    click(view, at_header(view, node_named(view, "root")))
    press(window, "g", modifier=CTRL)
    assert said(window) == "Choose nodes first; a root stays outside of groups."
    assert not window.document.steps


def test_templates_come_as_groups_by_typing(window: MainWindow):
    window.show_work()
    view = window.canvas
    for typed, title in (("neuron(3)", "neuron"), ("layer(2, 3)", "layer")):
        press(window, Qt.Key.Key_Tab)
        type_into_focus(typed)
        key(RETURN)
        boxes = folded_boxes(view.scene).values()
        assert boxes
        assert any(title in text for text in written(view))
        assert any(text.endswith(" nodes") for text in written(view))
        assert len(window.document.steps) == 1
        assert undone(window).startswith("Undo Add ")
        assert all(view.camera.visible_area.contains(box.rect) for box in boxes)
        press(window, "z", modifier=CTRL)
        assert window.document.empty


def test_a_template_dragged_from_the_palette_is_run_folded(window: MainWindow):
    window.show_work()
    view = window.canvas
    tile = window.palette_dock.tiles.tile("block:neuron")
    assert drop(view, tile.mime_data(), QPointF(300, 200))
    (group,) = folded_boxes(view.scene)
    assert undone(window) == "Undo Add neuron"
    press(window, "b")
    click_widget(window.context.messages.notice.button)  # marks what comes out of it as the root
    press(window, LAST)
    into = [labels(view)[wires[0]] for wires in view.scene.visible.folded[GroupKey(group)].slots]
    assert len(into) >= 2
    assert all(text[0] in "+−0" and "×" not in text for text in into)


def test_a_folded_group_stands_on_no_other_node(folded: MainWindow):
    scene = folded.canvas.scene
    box = folded_boxes(scene)[the_group(folded)].rect
    assert not any(box.intersects(other.rect) for other in node_boxes(scene).values())
    click(folded.canvas, at_plus(folded))
    click(folded.canvas, at_minus(folded))
    box = folded_boxes(folded.canvas.scene)[the_group(folded)].rect
    assert not any(box.intersects(other.rect) for other in node_boxes(scene).values())


DELETE, HOME = Qt.Key.Key_Delete, Qt.Key.Key_Home


def choose(window: MainWindow, names: str) -> None:
    click(window.canvas, at_nothing(window.canvas))
    for name in names:
        click(window.canvas, at_header(window.canvas, node_named(window.canvas, name)), SHIFT)


def folded_group(window: MainWindow) -> int:
    """The one collapsed group that is drawn."""
    (number,) = folded_boxes(window.canvas.scene)
    return number


def enter(window: MainWindow) -> None:
    view = window.canvas
    box = folded_boxes(view.scene)[folded_group(window)]
    double_click(view, view.camera.to_screen(QPointF(box.x + box.w / 2, box.y + box.h - 8)))


def seen(window: MainWindow) -> set[str]:
    graph = window.document.graph
    return {graph.title(node) for node in window.canvas.scene.visible.shown}


def stops(window: MainWindow) -> list[int]:
    """Where the steps of the backward pass end."""
    click(window.canvas, at_nothing(window.canvas))
    press(window, "b", HOME)
    found = [window.playback.cursor]
    while "step" in acts(window):
        press(window, NEXT)
        found.append(window.playback.cursor)
    window.playback.leave()
    return found


def fold_and_enter(window: MainWindow) -> None:
    open_example(window, "demonstration")
    choose(window, "cde")
    press(window, "g", modifier=CTRL)
    enter(window)
    assert seen(window) == {"c", "d", "e"}


@pytest.fixture
def inner(qtbot) -> Iterator[MainWindow]:
    """c, d and e of the demonstration folded into one node, and looked into."""
    with opened_window(qtbot, prepare=fold_and_enter) as window:
        yield window


def test_everything_is_what_is_seen_and_the_rest_is_not_deleted_with_it(inner: MainWindow):
    press(inner, "a", modifier=CTRL)
    names = {inner.document.graph.title(node) for node in inner.selection.nodes}
    assert names == {"c", "d", "e"}
    press(inner, DELETE)
    graph = inner.document.graph
    assert {graph.title(node) for node in graph.nodes} == {"a", "b", "f", "y", "root"}


def test_ancestors_and_descendants_are_chosen_as_far_as_they_are_seen(inner: MainWindow):
    choose(inner, "e")
    inner.commands["select_ancestors"].trigger()
    inner.commands["select_descendants"].trigger()
    names = {inner.document.graph.title(node) for node in inner.selection.nodes}
    assert names == {"c", "d", "e"}


def test_a_group_that_is_undone_is_left_and_redone_it_takes_in_nothing_new(inner: MainWindow):
    press(inner, "z", modifier=CTRL)
    assert len(seen(inner)) == 8
    assert not inner.canvas.breadcrumbs.isVisible()
    press(inner, "y", modifier=CTRL)
    assert inner.document.inside is None
    group = folded_group(inner)
    before = inner.document.sheet.groups[group].members
    added = drop_entry(inner.canvas, "op:exp", at_nothing(inner.canvas))
    assert added in inner.canvas.scene.boxes
    assert inner.document.sheet.groups[group].members == before


def test_a_group_steps_as_one_again_after_undo_and_redo_inside_of_it(window: MainWindow):
    open_example(window, "shared-leaf")
    choose(window, "de")
    press(window, "g", modifier=CTRL)
    right = stops(window)
    assert right == [0, 1, 2, 3, 7]  # seed, the root's wires, then d and e together
    enter(window)
    assert len(stops(window)) == 8
    press(window, "z", modifier=CTRL)
    press(window, "y", modifier=CTRL)
    assert stops(window) == right


def test_unpacking_the_group_one_is_in_leads_to_the_one_around_it(inner: MainWindow):
    outer = inner.document.inside
    choose(inner, "cd")
    press(inner, "g", modifier=CTRL)
    enter(inner)
    assert seen(inner) == {"c", "d"}
    press(inner, "a", modifier=CTRL)
    press(inner, "u", modifier=CTRL)
    assert inner.document.inside == outer
    assert seen(inner) == {"c", "d", "e"}


def test_a_root_stays_outside_and_that_is_said(inner: MainWindow):
    before = inner.document.sheet
    inner.canvas.editing.adding.add_at_selected("root")
    assert "A root stands on the whole sheet" in said(inner)
    assert inner.document.sheet is before
    QGuiApplication.clipboard().setText("u * v")
    press(inner, "v", modifier=CTRL)
    key(RETURN)
    assert {"u", "v"} <= seen(inner)
    roots = [n for n in inner.document.graph.nodes.values() if isinstance(n, Root)]
    assert len(roots) == 1


def test_a_node_that_is_shown_from_elsewhere_is_shown_on_the_whole_sheet(inner: MainWindow):
    show_node(inner.context, node_named(inner.canvas, "a"))
    assert inner.document.inside is None
    assert inner.selection.only == node_named(inner.canvas, "a")


def test_an_operation_put_into_a_wire_of_an_opened_group_belongs_to_it(window: MainWindow):
    open_example(window, "demonstration")
    choose(window, "cde")
    press(window, "g", modifier=CTRL)
    group = folded_group(window)
    press(window, "j", modifier=CTRL)
    e = node_named(window.canvas, "e")
    added = drop_entry(window.canvas, "op:tanh", at_wire(window.canvas, (e, 0)))
    assert window.document.graph.inputs(e)[0] == added
    assert added in window.document.sheet.groups[group].members
    choose(window, "d")
    press(window, "d", modifier=CTRL)
    assert window.selection.nodes <= window.document.sheet.groups[group].members


def test_w_says_what_it_needs_when_the_chosen_node_is_out_of_sight(inner: MainWindow):
    inner.selection.focus_on(node_named(inner.canvas, "a"))
    press(inner, "w")
    assert said(inner) == "Choose a node first; W then starts a wire from it."


def test_w_wires_a_folded_group_from_its_output_and_into_its_slots(window: MainWindow):
    open_example(window, "demonstration")
    view, graph = window.canvas, window.document.graph
    choose(window, "cd")
    press(window, "g", modifier=CTRL)
    box = folded_boxes(view.scene)[folded_group(window)]
    click(view, view.camera.to_screen(QPointF(box.x + box.w / 2, box.y + box.h - 8)))
    press(window, "w")
    pair = view.keyboard.wire_choice
    assert pair is not None
    assert graph.title(pair[0]) in "cd"
    press(window, RETURN)
    assert window.document.graph.source(pair[1]) == pair[0]
    press(window, "z", modifier=CTRL)
    leaf = drop_entry(view, "leaf", at_nothing(view))
    key(RETURN)  # its name may stay
    press(window, "w")
    targets = set()
    for _ in range(12):
        pair = view.keyboard.wire_choice
        assert pair is not None
        assert pair[0] == leaf
        targets.add(graph.title(pair[1][0]))
        press(window, NEXT)
    assert {"c", "d"} <= targets


@pytest.fixture
def neuron(window: MainWindow) -> MainWindow:
    open_example(window, "neuron")
    window.context.selection.choose((node(window, "o"),))
    return window


def test_tanh_opens_into_exponentials_and_its_leaves_keep_their_gradients(neuron: MainWindow):
    before = neuron.document.graph
    press(neuron, "b")
    neuron.playback.to_end()
    gradients = {
        n: neuron.playback.frame.grads[n] for n in before.nodes if n in neuron.playback.frame.grads
    }
    neuron.commands["unfold"].trigger()
    graph = neuron.document.graph
    o = node(neuron, "o")
    assert "tanh" not in {getattr(found, "op", "") for found in graph.nodes.values()}
    assert {getattr(found, "op", "") for found in graph.nodes.values()} >= {"exp", "pow"}
    neuron.playback.to_end()
    frame = neuron.playback.frame
    assert frame.values[o] == pytest.approx(math.tanh(0.8813735870195432))
    for leaf in (n for n in gradients if n != o):
        assert frame.grads[leaf] == pytest.approx(gradients[leaf])


def test_it_is_one_undo_step_and_closing_it_another(neuron: MainWindow):
    before, places = neuron.document.graph, dict(neuron.document.positions)
    neuron.commands["unfold"].trigger()
    assert neuron.document.done[-1].name == "Unfold o"
    press(neuron, "z", modifier=Qt.KeyboardModifier.ControlModifier)
    assert neuron.document.graph == before
    assert dict(neuron.document.positions) == places
    neuron.commands["unfold"].trigger()
    assert neuron.commands["fold"].isEnabled()
    neuron.commands["fold"].trigger()
    assert neuron.document.graph.nodes == before.nodes
    assert neuron.document.done[-1].name == "Fold o"


def test_what_was_saved_open_can_still_be_closed(neuron: MainWindow, tmp_path: Path):
    before = neuron.document.graph
    neuron.commands["unfold"].trigger()
    save(neuron.document.sheet.drawing(), tmp_path / "open.backwire")
    forget_changes(neuron)
    neuron.begin(tmp_path / "open.backwire")
    neuron.context.selection.choose((node(neuron, "o"),))
    neuron.commands["fold"].trigger()
    assert neuron.document.graph.nodes == before.nodes


def test_only_what_is_made_of_simpler_operations_can_be_opened(neuron: MainWindow):
    for number, found in neuron.document.graph.nodes.items():
        neuron.context.selection.choose((number,))
        neuron.commands.refresh()
        assert neuron.commands["unfold"].isEnabled() == (
            isinstance(found, OpNode) and bool(BY_NAME[found.op].expansion)
        )
