"""By hand: the learner sets the seed and says who fires next, with the mouse or by keys alone."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton

from app.panels.lesson import LessonPage
from app.panels.lesson.page import HandPart
from app.window.frame.main_window import MainWindow
from tests.helpers.answering import acts, push, sentence, told
from tests.helpers.mouse import at_header, drag, key, node_named, type_into_focus
from tests.helpers.mouse import click as click_at
from tests.helpers.reading import grad, label, ledger, value, written
from tests.helpers.window import (
    CTRL,
    SHIFT,
    click,
    open_example,
    opened_page,
    opened_window,
    press,
    said,
)

BACKSPACE, ESCAPE, RETURN = Qt.Key.Key_Backspace, Qt.Key.Key_Escape, Qt.Key.Key_Return
LEFT, RIGHT, UP, DOWN = Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down


def begin(window: MainWindow) -> None:
    press(window, "h")


@pytest.fixture
def by_hand(qtbot) -> Iterator[MainWindow]:
    """The demonstration, to be done by hand; its correct order is y, f, e, d, c."""
    with opened_window(qtbot, example="demonstration", prepare=begin) as window:
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


def panel(window: MainWindow) -> HandPart:
    found = opened_page(window, "lesson")
    assert isinstance(found, LessonPage)
    return found.hand


def test_the_pass_begins_with_the_seed(by_hand: MainWindow):
    assert sentence(by_hand).startswith("Click the root y and type its seed.")
    assert grad(by_hand.canvas, "y") == "–"
    fire(by_hand, "e")
    assert sentence(by_hand) == "The pass begins at y: give it its seed first."
    seed(by_hand, "1")
    assert sentence(by_hand).startswith("y starts with 1.")
    assert grad(by_hand.canvas, "y") == "1"
    assert "seed 1" in written(by_hand.canvas)


def test_any_valid_order_is_right_and_is_compared_with_the_programs(seeded: MainWindow):
    fire(seeded, "y", "f")
    assert label(seeded.canvas, "f", 0) == "1 × 6 = +6"
    assert ledger(seeded.canvas, "c") == "0 +6 … = 6"
    assert sentence(seeded) == (
        "× (f) passed +6 to c and +5 to d. Click the node that may fire next."
    )
    fire(seeded, "e", "c", "d")
    assert (grad(seeded.canvas, "a"), grad(seeded.canvas, "b")) == ("25", "19")
    assert sentence(seeded) == "All 5 nodes fired, in an order that works."
    assert told(seeded) == "Any order works here that takes y, then e and f, then c and d."
    assert acts(seeded) == ["take back", "again"]
    assert panel(seeded).count.text() == "5 of 5 nodes fired"


def test_an_early_click_is_refused_with_its_reason(seeded: MainWindow):
    fire(seeded, "y", "f", "c")
    assert sentence(seeded) == "c can't fire yet: it waits for 1 of 2."
    assert told(seeded) == "✘ The wire from + (e) has brought nothing yet; c holds 6."
    assert grad(seeded.canvas, "a") == "–"
    push(seeded, "why")
    assert "now 6" in told(seeded)
    fire(seeded, "e")
    assert sentence(seeded).startswith("+ (e) passed ")
    assert told(seeded) == "3 of 5 fired"
    assert [text for text in panel(seeded).turns.texts() if "✘" in text] == [
        "3 + (c) too early: it had to wait ✘"
    ]


def test_fired_anyway_it_does_its_damage_and_is_named(seeded: MainWindow):
    fire(seeded, "y", "f", "c")
    push(seeded, "force")
    assert "force" not in acts(seeded)
    assert label(seeded.canvas, "c", 0) == "6 × 1 = +6"
    fire(seeded, "e", "d")
    assert grad(seeded.canvas, "a") == "24"
    assert sentence(seeded) == "All 5 nodes have fired, 1 of them too early."
    assert told(seeded) == (
        "c fired early, so what came later was never sent on:"
        " a.grad is 24, not 25, b.grad is 18, not 19."
    )
    assert {"✘", " should be 25"} <= set(written(seeded.canvas))


def test_a_node_fired_early_covers_no_other(qtbot):
    with opened_window(qtbot, example="shared-leaf") as window:
        press(window, "h")
        seed(window, "1")
        fire(window, "L", "e")
        push(window, "force")
        fire(window, "d")
        assert {" should be 4", " should be −4"} <= set(written(window.canvas))
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
    steps = len(seeded.document.done)
    fire(seeded, "y", "f", "e")
    press(seeded, BACKSPACE)
    assert grad(seeded.canvas, "c") == "6"
    press(seeded, BACKSPACE, BACKSPACE)
    assert grad(seeded.canvas, "f") == "–"
    press(seeded, BACKSPACE)
    assert grad(seeded.canvas, "y") == "–"
    assert len(seeded.document.done) == steps
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
    assert "The seed was 2, so every gradient is 2 × the derivative." in told(by_hand)


def test_leaves_and_nodes_that_have_fired_say_why_nothing_happens(seeded: MainWindow):
    fire(seeded, "a")
    assert sentence(seeded) == "a has no inputs that want a gradient, so it passes nothing on."
    assert "force" not in acts(seeded)
    fire(seeded, "y", "y")
    assert sentence(seeded) == "+ (y) has fired already; a node fires once."


def test_the_forward_pass_is_done_by_hand_too(by_hand: MainWindow):
    forward = by_hand.toolbar.findChild(QPushButton, "button-forward")
    assert forward is not None
    click(forward)
    assert value(by_hand.canvas, "c") == "–"
    fire(by_hand, "e")
    assert sentence(by_hand) == "+ (e) still waits for the value of + (c) and × (d)."
    fire(by_hand, "d", "c", "f", "e", "y")
    assert value(by_hand.canvas, "y") == "41"
    assert sentence(by_hand) == "All 5 nodes have their values."


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
    assert seeded.commands["by_hand"].isChecked()
    seeded.document.wires.disconnect(node_named(seeded.canvas, "e"), 0)
    assert not seeded.commands["by_hand"].isChecked()
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
    assert sentence(by_hand).startswith("c can't fire yet")
    press(by_hand, RETURN, modifier=SHIFT)  # fire anyway
    assert sentence(by_hand).startswith("+ (c) passed ")
    press(by_hand, BACKSPACE)
    for name in ("e", "f", "c", "d"):
        walk_to(by_hand, name)
        press(by_hand, RETURN)
    assert grad(by_hand.canvas, "a") == "25"
    press(by_hand, "h")
    assert not by_hand.commands["by_hand"].isChecked()


def test_an_early_click_is_counted_at_the_end(seeded: MainWindow):
    fire(seeded, "y", "f", "c", "e", "c", "d")
    assert sentence(seeded) == "All 5 nodes fired, in an order that works; 1 early click."
    assert told(seeded).startswith("c was clicked before + (e) had fired. Any order works here")


def test_another_file_ends_it_and_has_its_own_order(seeded: MainWindow):
    open_example(seeded, "shared-leaf")
    assert seeded.playback.phase == "live"
    assert seeded.strip.timeline.isVisible()
    press(seeded, "h")
    line = seeded.strip.your_order
    assert line is not None
    assert line.isVisible()
    assert len(line.turns) == 4  # the seed, and three operations


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


def test_esc_ends_the_pass_by_hand_with_its_refusal(seeded: MainWindow):
    fire(seeded, "y", "f", "c")
    seeded.context.style.set_digits(2)
    assert sentence(seeded).startswith("c can't fire yet"), "other digits take nothing away"
    assert seeded.selection.anything
    press(seeded, ESCAPE)
    assert seeded.playback.now.by_hand is None
    assert "can't fire" not in sentence(seeded)


def test_a_refusal_is_answered_by_keys_alone(seeded: MainWindow):
    fire(seeded, "y", "f", "c")
    press(seeded, Qt.Key.Key_F6)
    for _ in range(8):
        focus = QApplication.focusWidget()
        if focus is not None and focus.objectName() == "why":
            break
        key(Qt.Key.Key_Tab)
    key(RETURN)
    assert "A node fires once" in told(seeded)
    assert acts(seeded)[-1] == "force"
