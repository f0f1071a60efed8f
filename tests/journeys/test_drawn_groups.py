"""A part of a graph is put into a titled box, moved with it, saved and exported."""

from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QPushButton

from app.canvas.paint.groups import group_tint
from app.document.document_file import whole_text
from app.window.commands.file_actions import new, open_file
from app.window.commands.save_actions import save_now
from app.window.dialogs.export import ExportDialog
from app.window.dialogs.export_content import text_of
from app.window.frame.main_window import MainWindow
from engine.formats.files import load_drawing, shown_name
from tests.helpers.canvas import folded_boxes, painted
from tests.helpers.mouse import click, double_click, drag, held, hover, key, type_into_focus
from tests.helpers.seeing import differs, picture, shows
from tests.helpers.window import CTRL, SHIFT, choose, dialog_of, node, press, said
from tests.helpers.window import click as click_widget


def title(window: MainWindow) -> QPointF:
    """The title bar of the only drawn group."""
    (rect,) = window.canvas.scene.node_layout.groups.drawn.values()
    return window.canvas.camera.to_screen(rect.topLeft() + QPointF(40, 14))


def boxed(window: MainWindow, text: str = "Product") -> None:
    """Select a, b and e, and draw a group around them with the keyboard."""
    window.selection.choose(node(window, name) for name in "abe")
    press(window, "g", modifier=CTRL | SHIFT)
    type_into_focus(text)
    key(Qt.Key.Key_Return)


def test_a_group_with_a_title_is_drawn_around_a_selection(shared_leaf: MainWindow):
    window = shared_leaf
    before = whole_text(window.document.sheet)
    boxed(window)
    assert "Product" in [text.text for text in painted(window.canvas.scene)]
    assert len(window.document.steps) == 1
    (rect,) = window.canvas.scene.node_layout.groups.drawn.values()
    assert all(rect.contains(window.canvas.scene.boxes[node(window, n)].rect) for n in "abe")
    assert not rect.contains(window.canvas.scene.boxes[node(window, "d")].rect)
    press(window, "z", modifier=CTRL)
    assert whole_text(window.document.sheet) == before


def test_everything_can_be_done_with_the_keyboard(shared_leaf: MainWindow):
    window = shared_leaf
    boxed(window)
    press(window, Qt.Key.Key_Escape)
    press(window, Qt.Key.Key_Escape)
    assert not window.selection.anything
    press(window, Qt.Key.Key_S, modifier=SHIFT)
    assert len(window.selection.frames) == 1
    press(window, Qt.Key.Key_F2)
    type_into_focus("First")
    key(Qt.Key.Key_Return)
    assert [group.title for group in window.document.sheet.groups.values()] == ["First"]
    choose(window, "Build/Group/Group colour", "Green")
    assert [group.colour for group in window.document.sheet.groups.values()] == [2]
    press(window, Qt.Key.Key_Delete)
    assert not window.document.sheet.drawn
    assert node(window, "a")


def test_it_is_in_the_saved_file_and_in_the_exports(shared_leaf: MainWindow, tmp_path):
    window = shared_leaf
    boxed(window, "Inputs & more")
    path = tmp_path / "boxed.backwire"
    assert save_now(window.context, path)
    assert [s.title for s in load_drawing(path).groups] == ["Inputs & more"]
    text = text_of(window.context, "dot")
    assert 'subgraph "cluster_0"' in text
    assert 'label="Inputs & more"' in text
    new(window.context)
    open_file(window.context, path)
    assert "Inputs & more" in [text.text for text in painted(window.canvas.scene)]


def test_it_is_copied_with_what_lies_in_it(shared_leaf: MainWindow):
    window = shared_leaf
    boxed(window)
    click(window.canvas, title(window))
    press(window, "d", modifier=CTRL)
    assert len(window.document.sheet.drawn) == 2
    assert len(window.document.graph.nodes) == 10
    assert len(window.selection.frames) == 1
    assert len(window.selection.nodes) == 3
    press(window, "x", modifier=CTRL)
    assert len(window.document.sheet.drawn) == 1
    assert len(window.document.graph.nodes) == 7
    assert window.document.done[-1].name == "Cut 3 nodes"
    press(window, "v", modifier=CTRL)
    assert len(window.document.sheet.drawn) == 2


def seen_at(window: MainWindow, word: str) -> tuple[float, float]:
    """Where a word stands on the sheet, counted from the node f, which stays."""
    places = {text.text: (text.x, text.y) for text in painted(window.canvas.scene)}
    return places[word][0] - places["f"][0], places[word][1] - places["f"][1]


def test_what_lies_in_it_is_seen_to_move_with_it_and_esc_leaves_all_in_place(
    shared_leaf: MainWindow,
):
    window, view = shared_leaf, shared_leaf.canvas
    boxed(window)
    words = ("Product", "a", "b", "e", "d")
    before = {word: seen_at(window, word) for word in words}
    with held(view, title(window), title(window) + QPointF(-24, 48)):
        press(window, Qt.Key.Key_Escape)
    assert {word: seen_at(window, word) for word in words} == before
    drag(view, title(window), title(window) + QPointF(-24, 48))
    assert window.document.done[-1].name == "Move group Product"
    for word in words:
        dx, dy = (now - then for now, then in zip(seen_at(window, word), before[word], strict=True))
        if word == "d":
            assert (dx, dy) == (0, 0)
        else:
            assert dx < 0 < dy


def test_it_is_resized_by_its_corner_and_colours_are_seen(shared_leaf: MainWindow):
    window, view = shared_leaf, shared_leaf.canvas
    boxed(window)
    press(window, Qt.Key.Key_Escape)
    (rect,) = view.scene.node_layout.groups.drawn.values()
    corner = view.camera.to_screen(rect.bottomRight())
    hover(view, corner)
    assert "Drag to resize Product" in window.status_line.text()
    assert view.viewport().cursor().shape() == Qt.CursorShape.SizeFDiagCursor
    drag(view, corner, corner + QPointF(48, 48))
    (after,) = view.scene.node_layout.groups.drawn.values()
    assert after.topLeft() == rect.topLeft()
    assert after.width() > rect.width()
    assert window.document.done[-1].name == "Resize group Product"
    bar, calm = title(window) + QPointF(60, 0), picture(view)
    choose(window, "Build/Group/Group colour", "Green")
    assert differs(calm, picture(view), bar)
    assert window.document.done[-1].name == "Colour group"


def test_its_title_is_in_the_exported_picture(shared_leaf: MainWindow, tmp_path):
    window = shared_leaf
    boxed(window, "Inputs")
    path = tmp_path / "boxed.svg"
    window.commands["export-svg"].trigger()
    dialog = dialog_of(window, ExportDialog)
    dialog.path.setText(str(path))
    click_widget(next(b for b in dialog.findChildren(QPushButton) if b.text() == "Export"))
    assert said(window) == f"Exported boxed.svg to {shown_name(tmp_path)}."
    assert ">Inputs</text>" in path.read_text("utf-8")


def test_esc_in_the_title_of_a_new_group_leaves_no_trace_of_it(shared_leaf: MainWindow):
    window = shared_leaf
    window.document.set_label(node(window, "a"), "z")
    press(window, "z", modifier=CTRL)
    window.selection.choose(node(window, name) for name in "abe")
    before, chosen = whole_text(window.document.sheet), window.selection.snapshot()
    press(window, "g", modifier=CTRL | SHIFT)
    type_into_focus("Produ")
    assert window.document.sheet.drawn
    press(window, Qt.Key.Key_Escape)
    assert whole_text(window.document.sheet) == before
    assert window.selection.snapshot() == chosen
    assert not window.document.done
    assert window.document.undone[0].name == "Label a"
    assert window.canvas.hasFocus()


def test_esc_keeps_the_title_of_a_drawn_group_and_a_double_click_opens_it(shared_leaf: MainWindow):
    window = shared_leaf
    boxed(window)
    before = whole_text(window.document.sheet)
    press(window, Qt.Key.Key_F2)
    type_into_focus("Other")
    press(window, Qt.Key.Key_Escape)
    assert whole_text(window.document.sheet) == before
    assert window.document.done[-1].name == "Draw group"
    double_click(window.canvas, title(window))
    type_into_focus("Another")
    key(Qt.Key.Key_Return)
    assert [group.title for group in window.document.sheet.groups.values()] == ["Another"]


def test_it_folds_into_one_node_and_opens_as_it_was_drawn(shared_leaf: MainWindow):
    window, view = shared_leaf, shared_leaf.canvas
    boxed(window)
    drawn, words = picture(view), {text.text for text in painted(view.scene)}
    press(window, "j", modifier=CTRL)
    (box,) = folded_boxes(view.scene).values()
    assert {text.text for text in painted(view.scene)} >= {"Product", "3 nodes", "d"}
    assert node(window, "a") not in view.scene.boxes
    choose(window, "Build/Group/Group colour", "Green")
    at = view.camera.to_screen(QPointF(box.x + box.w / 2, box.y + 3))
    assert shows(picture(view), group_tint(view.context.theme, 2), at)
    press(window, "z", modifier=CTRL)
    press(window, "j", modifier=CTRL)
    assert {text.text for text in painted(view.scene)} == words
    assert len(window.selection.frames) == 1
    assert picture(view) == drawn
    press(window, "j", modifier=CTRL)
    assert folded_boxes(view.scene)


def test_an_opened_group_has_a_colour_too(shared_leaf: MainWindow):
    window, view = shared_leaf, shared_leaf.canvas
    window.selection.choose(node(window, name) for name in "ae")
    press(window, "g", modifier=CTRL)
    press(window, "j", modifier=CTRL)
    calm = picture(view)
    choose(window, "Build/Group/Group colour", "Gold")
    (rect,) = view.scene.node_layout.groups.frames.values()
    corner = view.camera.to_screen(rect.bottomLeft() + QPointF(9, -6))
    assert differs(calm, picture(view), corner)
    assert window.document.done[-1].name == "Colour group"
