import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.canvas.editing.paste_preview import PastePreview
from engine.rules import MISTAKES
from tests.helpers.window import CTRL, SHIFT, click, open_dialogs, open_example, press, said


def test_the_start_page_stands_in_place_of_an_empty_grid(window):
    assert window.on_start_page
    assert not window.toolbar.isVisible()
    assert not window.canvas.isVisible()
    assert window.status_line.isVisible()


def test_an_example_takes_the_place_of_the_start_page(window):
    click(window.pages.welcome.examples.cards[0])
    assert not window.on_start_page
    assert window.canvas.isVisible()
    assert len(window.document.graph.nodes) == 7
    assert not window.document.modified


def test_an_empty_canvas_can_be_chosen(window):
    click(window.pages.welcome.empty_button)
    assert window.canvas.isVisible()
    assert window.document.empty


def test_a_formula_typed_on_the_start_page_becomes_the_graph(window):
    page = window.pages.welcome
    page.expression_entered.emit("x * y + 1")
    assert window.canvas.isVisible()
    assert sorted(window.document.graph.names.values()) == ["v3", "v4", "v5", "x", "y"]
    press(window, Qt.Key.Key_Z, modifier=CTRL)
    assert window.document.empty


def test_what_is_opened_is_seen_whole_or_readable_from_its_root(window):
    for name in ("square", "neuron"):
        open_example(window, name)
        seen = window.canvas.camera.visible_area
        boxes = window.canvas.scene.boxes
        whole = all(seen.contains(box.rect) for box in boxes.values())
        root = window.document.graph.active_root
        assert root is not None
        assert whole or (seen.contains(boxes[root].rect) and window.canvas.camera.zoom >= 0.8)


@pytest.mark.parametrize("size", [(1024, 700), (1600, 1000)])
def test_every_part_has_room(shared_leaf, size, qtbot):
    window = shared_leaf
    window.resize(*size)
    qtbot.waitUntil(lambda: (window.width(), window.height()) == size)
    for part in (window.canvas, window.strip, window.bar, window.palette_dock):
        rect = part.rect().translated(part.mapTo(window, part.rect().topLeft()))
        assert window.rect().contains(rect), part
        assert rect.width() >= (300 if part in (window.canvas, window.strip) else 36)


def test_at_twice_the_size_everything_still_fits_a_small_screen(shared_leaf):
    window = shared_leaf
    window.resize(1024, 700)
    window.context.style.set_size(2.0)
    QApplication.processEvents()
    assert window.width() <= 1024
    assert window.canvas.width() > 200
    assert window.canvas.height() > 150


def test_steps_by_the_keys_of_the_design(shared_leaf):
    window = shared_leaf
    press(window, "b")
    assert (window.playback.phase, window.playback.cursor) == ("backward", 1)
    press(window, Qt.Key.Key_Right, Qt.Key.Key_PageDown)
    assert window.playback.cursor == 3
    press(window, Qt.Key.Key_PageUp)
    assert window.playback.cursor == 2
    press(window, Qt.Key.Key_End)
    assert window.playback.cursor == 7
    press(window, Qt.Key.Key_Home)
    assert window.playback.cursor == 0
    press(window, Qt.Key.Key_Right, modifier=SHIFT)
    press(window, Qt.Key.Key_Right, modifier=SHIFT)
    assert window.playback.cursor == 3
    press(window, Qt.Key.Key_Left, modifier=SHIFT)
    assert window.playback.cursor == 1


def test_enter_plays_and_pauses(shared_leaf):
    window = shared_leaf
    press(window, Qt.Key.Key_Return)
    assert window.playback.playing
    press(window, Qt.Key.Key_Return)
    assert not window.playback.playing


def test_shift_b_shows_the_forward_pass_and_c_covers(shared_leaf):
    window = shared_leaf
    press(window, "b", modifier=SHIFT)
    assert window.playback.phase == "forward"
    press(window, "c")
    assert window.playback.now.quiz


def test_escape_lets_go_of_one_thing_after_another(shared_leaf):
    window = shared_leaf
    press(window, "b")
    window.selection.focus_on(1)
    press(window, Qt.Key.Key_Escape)
    assert not window.selection.nodes
    assert window.playback.phase == "backward"
    press(window, Qt.Key.Key_Escape)
    assert window.playback.phase == "live"


def test_typing_in_the_expression_bar_runs_no_shortcut(shared_leaf):
    window = shared_leaf
    window.expression.field.setFocus()
    window.expression.field.clear()
    press(window, "b", "*", "c")
    press(window, Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_End)
    assert window.expression.text() == "b*c"
    assert window.playback.phase == "live"
    assert not window.playback.now.quiz
    press(window, Qt.Key.Key_Return)
    assert {"b", "c"} < set(window.document.graph.names.values())
    assert len(window.document.graph.names) == 3
    assert not window.playback.playing


def test_tab_on_the_canvas_adds_a_node_by_name(shared_leaf):
    window = shared_leaf
    before = set(window.document.graph.nodes)
    press(window, Qt.Key.Key_Tab)
    press(window, "t", "a", "n", "h")
    press(window, Qt.Key.Key_Return)
    (new,) = set(window.document.graph.nodes) - before
    assert window.document.graph.nodes[new].op == "tanh"


def test_undo_is_named_in_the_menu(shared_leaf):
    window = shared_leaf
    undo = window.commands["undo"]
    assert not undo.isEnabled()
    window.selection.focus_on(window.document.graph.node_named("a"))
    press(window, Qt.Key.Key_Delete)
    assert undo.text() == "&Undo Delete a"
    press(window, Qt.Key.Key_Z, modifier=CTRL)
    assert len(window.document.graph.nodes) == 7
    assert window.commands["redo"].text() == "&Redo Delete a"


def test_the_toolbar_holds_seven_things(shared_leaf):
    names = [button.objectName() for button in shared_leaf.toolbar.buttons()]
    assert names == [
        *("button-undo", "button-redo"),
        *("button-forward", "button-backward", "button-arrange", "button-export"),
    ]
    places = [button.x() for button in shared_leaf.toolbar.buttons()]
    assert places == sorted(places)
    assert places[1] < shared_leaf.expression.x() < places[2]


def test_a_narrow_toolbar_leaves_its_room_to_the_formula(shared_leaf):
    window = shared_leaf
    for width, size, words in ((1440, 1.0, True), (880, 1.0, True), (880, 2.0, False)):
        window.context.style.set_size(size)
        window.resize(width, 700)
        QApplication.processEvents()
        texts = [button.text() for button in window.toolbar.buttons() if button.text()]
        assert texts == (["Forward", "Backward"] if words else []), (width, size)
        assert window.expression.width() >= window.context.style.px(280), (width, size)


def test_zero_grad_is_offered_only_while_a_mistake_needs_it(shared_leaf):
    window = shared_leaf
    zero = window.commands["zero_grad"]
    for rules in MISTAKES:
        window.playback.set_rules(rules)
        needed = rules.name in ("no-zero-grad", "zero-leaves-only")
        assert zero.isEnabled() == needed, rules.name
        if needed:
            zero.trigger()
            assert window.playback.rules.name == "correct", rules.name


def test_copy_paste_and_duplicate_go_through_text(shared_leaf):
    window = shared_leaf
    press(window, "a", modifier=CTRL)
    press(window, "c", modifier=CTRL)
    assert QGuiApplication.clipboard().text().startswith("{")
    press(window, "v", modifier=CTRL)
    assert len(window.document.graph.nodes) == 14
    assert len(window.selection.nodes) == 7
    press(window, "d", modifier=CTRL)
    assert len(window.document.graph.nodes) == 21
    press(window, "x", modifier=CTRL)
    assert len(window.document.graph.nodes) == 14


def test_a_formula_is_pasted_after_a_look_at_it(shared_leaf):
    window = shared_leaf
    QGuiApplication.clipboard().setText("p * q")
    press(window, "v", modifier=CTRL)
    card = window.canvas.findChild(PastePreview)
    assert card.isVisible()
    assert card.text() == "4 nodes from an expression"
    assert len(window.document.graph.nodes) == 7
    press(window, Qt.Key.Key_Return)
    assert {"p", "q"} <= set(window.document.graph.names.values())
    assert len(window.selection.nodes) == 4


def test_esc_pastes_nothing(shared_leaf):
    window = shared_leaf
    QGuiApplication.clipboard().setText("p * q")
    press(window, "v", modifier=CTRL)
    press(window, Qt.Key.Key_Escape)
    assert not window.canvas.findChild(PastePreview).isVisible()
    assert len(window.document.graph.nodes) == 7
    assert not window.document.steps


def test_nonsense_is_not_pasted(shared_leaf):
    window = shared_leaf
    QGuiApplication.clipboard().setText("to be or not to be")
    press(window, "v", modifier=CTRL)
    assert not open_dialogs(window)
    assert len(window.document.graph.nodes) == 7
    assert said(window).startswith("This can't be pasted.")


def test_pasting_a_formula_leaves_the_start_page(window):
    QGuiApplication.clipboard().setText("(a*b + a) * f")
    window.commands["paste"].trigger()
    press(window, Qt.Key.Key_Return)
    assert window.canvas.isVisible()
    assert len(window.document.graph.nodes) == 7


def test_a_typed_graph_is_seen_whole_once_it_is_laid_out(window, qtbot):
    window.pages.welcome.expression_entered.emit("((a*b + c) * d + e) * f")
    rough = dict(window.document.positions)
    qtbot.waitUntil(lambda: window.document.positions != rough, timeout=20_000)
    QApplication.processEvents()
    right = max(box.rect.right() for box in window.canvas.scene.boxes.values())
    assert right <= window.canvas.camera.visible_area.right()


def test_a_key_that_comes_before_the_next_turn_finds_its_action_enabled(shared_leaf):
    window = shared_leaf
    window.canvas.setFocus()
    QApplication.processEvents()
    node = window.document.graph.node_named("d")
    window.selection.focus_on(node)  # and no turn of the event loop after it
    QTest.keyClick(window.canvas, Qt.Key.Key_Delete)
    assert node not in window.document.graph.nodes


@pytest.mark.parametrize("width", [880, 1024, 1366])
def test_the_title_is_not_behind_the_menus(shared_leaf, width):
    shared_leaf.resize(width, 700)
    QApplication.processEvents()
    name = shared_leaf.top_line.name
    if name.isVisible():
        menus = shared_leaf.menu_bar
        end = menus.mapTo(shared_leaf, menus.rect().topRight()).x()
        assert name.mapTo(shared_leaf, QPoint()).x() > end
