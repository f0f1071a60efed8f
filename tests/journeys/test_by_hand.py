"""By hand: the learner sets the seed and says who fires next, with the mouse or by keys alone."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton

from app.panels.by_hand import ByHandPanel
from app.window.frame.main_window import MainWindow
from tests.helpers.mouse import at_header, drag, key, node_named, type_into_focus
from tests.helpers.mouse import click as click_at
from tests.helpers.reading import grad, label, ledger, value, written
from tests.helpers.window import CTRL, SHIFT, click, open_example, opened_window, press, said

BACKSPACE, ESCAPE, RETURN = Qt.Key.Key_Backspace, Qt.Key.Key_Escape, Qt.Key.Key_Return
LEFT, RIGHT, UP, DOWN = Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down


@pytest.fixture
def by_hand(qtbot) -> Iterator[MainWindow]:
    """The demonstration, to be done by hand; its correct order is y, f, e, d, c."""
    with opened_window(qtbot, example="demonstration") as window:
        press(window, "h")
        yield window


@pytest.fixture
def seeded(by_hand: MainWindow) -> MainWindow:
    seed(by_hand, "1")
    return by_hand


def seed(window: MainWindow, text: str) -> None:
    """Click the root and type a number."""
    view = window.canvas
    root = window.document.graph.active_root
    assert root is not None
    click_at(view, at_header(view, root))
    press(window, "a", modifier=CTRL)
    type_into_focus(text)
    key(RETURN)


def fire(window: MainWindow, *names: str) -> None:
    """Click the nodes of these names."""
    for name in names:
        click_at(window.canvas, at_header(window.canvas, node_named(window.canvas, name)))


def panel(window: MainWindow) -> ByHandPanel:
    found = window.docks.side.panel("by_hand")
    assert isinstance(found, ByHandPanel)
    return found


def test_the_pass_begins_with_the_seed(by_hand: MainWindow):
    assert by_hand.toolbar.ask.text() == "By hand"
    assert by_hand.transport.sentence.text().startswith("Click the root y and type its seed.")
    assert grad(by_hand.canvas, "y") == "–"
    fire(by_hand, "e")
    assert by_hand.canvas.refusals.card is not None
    assert by_hand.canvas.refusals.card.title.text() == (
        "The pass begins at y: give it its seed first."
    )
    seed(by_hand, "1")
    assert by_hand.canvas.refusals.card.isHidden()
    assert grad(by_hand.canvas, "y") == "1"
    assert "seed 1" in written(by_hand.canvas)


def test_any_valid_order_is_right_and_is_compared_with_the_programs(seeded: MainWindow):
    fire(seeded, "y", "f")
    assert label(seeded.canvas, "f", 0) == "1 × 6 = +6"
    assert ledger(seeded.canvas, "c") == "0 +6 … = 6"
    assert seeded.transport.sentence.text() == (
        "× (f) passed +6 to c and +5 to d. Click the node that may fire next."
    )
    fire(seeded, "e", "c", "d")
    assert (grad(seeded.canvas, "a"), grad(seeded.canvas, "b")) == ("25", "19")
    told = seeded.transport.sentence.text()
    assert told.startswith("All have fired: y, f, e, c, d.")
    assert told.endswith("Both are right: each node fired after all that it waits for.") or (
        "That is the program's order, too." in told
    )
    assert panel(seeded).count.text() == "5 of 5 nodes fired"


def test_an_early_click_is_refused_with_its_reason(seeded: MainWindow):
    fire(seeded, "y", "f", "c")
    card = seeded.canvas.refusals.card
    assert card is not None
    assert card.isVisible()
    assert card.title.text() == "+ (c) can't fire yet: it waits for 1 of 2."
    assert card.detail.text() == "The wire from + (e) has brought nothing yet; c holds 6 so far."
    assert grad(seeded.canvas, "a") == "–"
    click(card.why)
    assert "now 6" in card.reason.text()
    canvas = seeded.canvas.viewport().rect()
    assert canvas.contains(card.geometry())
    fire(seeded, "e")
    assert card.isHidden()
    assert [text for text in panel(seeded).texts() if "✗" in text] == [
        "3 + (c) too early: it had to wait ✗"
    ]


def test_fired_anyway_it_does_its_damage_and_is_named(seeded: MainWindow):
    fire(seeded, "y", "f", "c")
    card = seeded.canvas.refusals.card
    assert card is not None
    click(card.force)
    assert card.isHidden()
    assert label(seeded.canvas, "c", 0) == "6 × 1 = +6"
    fire(seeded, "e", "d")
    assert grad(seeded.canvas, "a") == "24"
    assert seeded.transport.sentence.text() == (
        "c fired early, so what came later was never sent on:"
        " a.grad is 24, not 25, b.grad is 18, not 19."
    )
    assert "✗ should be 25" in written(seeded.canvas)


def test_a_node_fired_early_covers_no_other(qtbot):
    with opened_window(qtbot, example="shared-leaf") as window:
        press(window, "h")
        seed(window, "1")
        fire(window, "L", "e")
        card = window.canvas.refusals.card
        assert card is not None
        click(card.force)
        fire(window, "d")
        assert {"✗ should be 4", "✗ should be −4"} <= set(written(window.canvas))
        boxes = [box.rect for box in window.canvas.scene.boxes.values()]
        met = [(a, b) for k, a in enumerate(boxes) for b in boxes[:k] if a.intersects(b)]
        assert not met


def test_the_field_for_the_seed_is_whole_at_the_border(qtbot):
    with opened_window(qtbot, example="shared-leaf") as window:
        window.resize(1366, 768)
        press(window, "h")
        view = window.canvas
        root = window.document.graph.active_root
        assert root is not None
        click_at(view, at_header(view, root))
        field = QApplication.focusWidget()
        assert isinstance(field, QLineEdit)
        assert field.mapTo(view, field.rect().topRight()).x() < view.width()


def test_a_firing_is_taken_back_and_undo_stays_the_documents(seeded: MainWindow):
    steps = seeded.document.stack.index()
    fire(seeded, "y", "f", "e")
    press(seeded, BACKSPACE)
    assert grad(seeded.canvas, "c") == "6"
    press(seeded, BACKSPACE, BACKSPACE)
    assert grad(seeded.canvas, "f") == "–"
    press(seeded, BACKSPACE)
    assert grad(seeded.canvas, "y") == "–"
    assert seeded.document.stack.index() == steps
    assert len(seeded.document.graph.nodes) == 8


def test_another_seed_shows_what_it_does(by_hand: MainWindow):
    seed(by_hand, "two")
    assert "two" in said(by_hand)
    press(by_hand, ESCAPE)
    for none in ("0", "inf"):
        seed(by_hand, none)
        assert said(by_hand).startswith("The seed is a finite number other than 0")
        press(by_hand, ESCAPE)
    seed(by_hand, "2")
    assert "seed 2" in written(by_hand.canvas)
    fire(by_hand, "y", "e", "f", "d", "c")
    assert grad(by_hand.canvas, "a") == "50"
    assert by_hand.transport.sentence.text().endswith(
        "The seed was 2, so every gradient is 2 × the derivative."
    )


def test_leaves_and_nodes_that_have_fired_say_why_nothing_happens(seeded: MainWindow):
    fire(seeded, "a")
    card = seeded.canvas.refusals.card
    assert card is not None
    assert card.title.text() == "a has no inputs that want a gradient, so it passes nothing on."
    assert not card.force.isVisible()
    fire(seeded, "y", "y")
    assert card.title.text() == "+ (y) has fired already; a node fires once."


def test_the_forward_pass_is_done_by_hand_too(by_hand: MainWindow):
    passes = by_hand.transport.by_hand.buttons.passes
    click(next(b for b in passes.findChildren(QPushButton) if b.text() == "Forward"))
    assert value(by_hand.canvas, "c") == "–"
    fire(by_hand, "e")
    card = by_hand.canvas.refusals.card
    assert card is not None
    assert card.title.text() == "+ (e) still waits for the value of + (c) and × (d)."
    fire(by_hand, "d", "c", "f", "e", "y")
    assert value(by_hand.canvas, "y") == "41"
    assert by_hand.transport.sentence.text().startswith("All values are computed.")


def test_nothing_is_told_of_what_has_not_fired(seeded: MainWindow):
    fire(seeded, "y")
    y = node_named(seeded.canvas, "y")
    assert {target for target, _slot in seeded.playback.frame.fired} == {y}
    assert seeded.playback.frame.upcoming is None
    assert label(seeded.canvas, "f", 0) == ""


def test_a_drag_still_moves_a_node(seeded: MainWindow):
    view = seeded.canvas
    y = node_named(view, "y")
    before = seeded.document.positions[y]
    start = at_header(view, y)
    drag(view, start, start + QPointF(60, 40))
    assert seeded.document.positions[y] != before
    assert grad(view, "e") == "–"


def test_a_value_edit_goes_on_and_a_wiring_edit_ends_it(seeded: MainWindow):
    fire(seeded, "y", "f")
    seeded.document.set_value(node_named(seeded.canvas, "a"), 4.0)
    assert grad(seeded.canvas, "d") == "7"
    assert seeded.toolbar.ask.text() == "By hand"
    seeded.document.wires.disconnect(node_named(seeded.canvas, "e"), 0)
    assert seeded.toolbar.ask.text() == "Ask"
    assert said(seeded) == "The wiring changed. By hand has ended."


def test_a_mistake_that_is_on_is_switched_off_and_one_switched_on_ends_it(by_hand: MainWindow):
    by_hand.commands["rules-assign"].trigger()
    assert said(by_hand) == "By hand has ended."
    press(by_hand, "h")
    assert said(by_hand).endswith("= instead of += has been switched off.")
    assert by_hand.playback.rules.name == "correct"


def test_it_is_done_by_keys_alone(by_hand: MainWindow):
    press(by_hand, RETURN)
    type_into_focus("1")
    key(RETURN)
    walk_to(by_hand, "y")
    press(by_hand, RETURN)
    walk_to(by_hand, "c")
    press(by_hand, RETURN)
    card = by_hand.canvas.refusals.card
    assert card is not None
    assert card.isVisible()
    press(by_hand, RETURN, modifier=SHIFT)  # fire anyway
    assert card.isHidden()
    press(by_hand, BACKSPACE)
    for name in ("e", "f", "c", "d"):
        walk_to(by_hand, name)
        press(by_hand, RETURN)
    assert grad(by_hand.canvas, "a") == "25"
    press(by_hand, "h")
    assert by_hand.toolbar.ask.text() == "Ask"


def test_a_hint_tells_how_many_may_fire_then_which(seeded: MainWindow):
    fire(seeded, "y")
    hint = seeded.transport.by_hand.buttons.hint
    click(hint)
    assert seeded.transport.next.text().startswith("2 nodes may fire now")
    click(hint)
    assert seeded.transport.next.text() in ("× (f) may fire now.", "+ (e) may fire now.")
    press(seeded, Qt.Key.Key_PageDown)  # the program takes the turn
    assert seeded.transport.count.text() == "2 of 5"


def test_another_file_ends_it_and_has_its_own_order(seeded: MainWindow):
    open_example(seeded, "shared-leaf")
    assert seeded.playback.phase == "live"
    assert seeded.transport.timeline.isVisible()
    press(seeded, "h")
    assert seeded.transport.by_hand.line.isVisible()
    assert len(seeded.transport.by_hand.line.turns) == 4  # the seed, and three operations


def walk_to(window: MainWindow, name: str) -> None:
    """Move the focus with the arrows until a node has it."""
    target = node_named(window.canvas, name)
    boxes = window.canvas.scene.boxes
    for _ in range(30):
        focus = window.selection.focus
        if focus == target:
            return
        if focus is None:
            press(window, UP)
            continue
        dx = boxes[target].x - boxes[focus].x
        dy = boxes[target].y - boxes[focus].y
        if abs(dx) > 60:
            press(window, RIGHT if dx > 0 else LEFT)
        if window.selection.focus == focus or abs(dx) <= 60:
            press(window, DOWN if dy > 0 else UP)
    raise AssertionError(f"the arrows do not lead to {name}")


def test_the_card_covers_no_node_that_may_fire_next(seeded: MainWindow):
    seeded.resize(1366, 768)
    QApplication.processEvents()
    fire(seeded, "y", "c")
    card = seeded.canvas.refusals.card
    assert card is not None
    click(card.why)
    run, camera = seeded.playback.now.by_hand, seeded.canvas.camera
    assert run is not None
    for node in run.ready(seeded.document.graph):
        rect = camera.rect_on_screen(seeded.canvas.scene.boxes[node].rect)
        assert not rect.toRect().intersects(card.geometry()), seeded.document.graph.title(node)


def test_esc_and_close_take_the_card_alone(seeded: MainWindow):
    fire(seeded, "y", "f", "c")
    card = seeded.canvas.refusals.card
    assert card is not None
    seeded.selection.focus_on(node_named(seeded.canvas, "c"))
    run = seeded.playback.now.by_hand
    press(seeded, Qt.Key.Key_Escape)
    assert card.isHidden()
    assert seeded.selection.anything
    assert seeded.playback.now.by_hand is run
    seeded.context.style.set_digits(2)
    assert card.isHidden()
    fire(seeded, "c")
    assert card.isVisible()
    click(card.why)
    click(card.close_button)
    assert card.isHidden()
    assert seeded.playback.now.by_hand is not None
