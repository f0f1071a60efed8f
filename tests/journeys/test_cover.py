"""Cover: the room is asked for the next number before it is shown."""

import pytest
from PySide6.QtCore import Qt

from app.window.frame.main_window import MainWindow
from tests.helpers.answering import acts, sentence, told
from tests.helpers.mouse import at_label
from tests.helpers.mouse import click as click_at
from tests.helpers.reading import grad, label, labels, ledger, written
from tests.helpers.window import press


@pytest.fixture
def covered(shared_leaf: MainWindow) -> MainWindow:
    press(shared_leaf, "c", "b")
    return shared_leaf


def test_the_next_contribution_is_a_question(covered: MainWindow):
    assert label(covered.canvas, "L", 0) == "?"
    covered.canvas.camera.set_zoom(1.0)
    assert "?" in written(covered.canvas)
    assert sentence(covered) == "× (L) passes ? to d."
    assert not covered.strip.sentence.fields, "the room says it"
    assert "step" in acts(covered)
    assert covered.commands["cover"].isChecked()


def test_nothing_else_gives_the_answer_away(covered: MainWindow):
    """At the second step × passes −4 to f: nothing says so before the step."""
    press(covered, Qt.Key.Key_Right)
    assert label(covered.canvas, "L", 1) == "?"
    assert grad(covered.canvas, "f") == "–"
    assert "4" not in sentence(covered) + told(covered)


def test_a_click_on_the_label_shows_it_without_stepping(covered: MainWindow):
    view = covered.canvas
    event = covered.playback.frame.next_event
    assert event is not None
    assert event.wire is not None
    click_at(view, at_label(view, event.wire))
    assert label(view, "L", 0) == "1 × −2 = −2"
    assert told(covered) == "Step 1 of 7"
    assert grad(view, "d") == "–"


def test_a_step_shows_it_and_asks_the_next(covered: MainWindow):
    view = covered.canvas
    press(covered, Qt.Key.Key_Right)
    assert label(view, "L", 0) == "1 × −2 = −2"
    assert label(view, "L", 1) == "?"
    press(covered, Qt.Key.Key_End)
    assert not any("?" in text for text in labels(view).values())


def test_stepping_back_asks_again(covered: MainWindow):
    press(covered, Qt.Key.Key_Right, Qt.Key.Key_Left)
    assert label(covered.canvas, "L", 0) == "?"


def test_a_sum_is_only_shown_as_far_as_it_has_come(covered: MainWindow):
    view = covered.canvas
    press(covered, *[Qt.Key.Key_Right] * 4)
    assert ledger(view, "a") == "0 −2 … = ?"
    assert grad(view, "a") == "−2"


def test_c_again_uncovers(covered: MainWindow):
    press(covered, "c")
    assert label(covered.canvas, "L", 0) == "1 × −2 = ···"
    covered.commands["cover"].trigger()
    assert label(covered.canvas, "L", 0) == "?"


def test_all_three_numbers_of_a_step_are_hidden_and_revealed_at_once(shared_leaf: MainWindow):
    shared_leaf.context.modes.set_level("whole step")
    press(shared_leaf, "c", "b")
    assert label(shared_leaf.canvas, "L", 0) == "?"
    assert sentence(shared_leaf) == "? × ? = ? goes to d."
    press(shared_leaf, ".")
    assert label(shared_leaf.canvas, "L", 0) == "1 × −2 = −2"
    assert shared_leaf.playback.cursor == 1


def test_final_gradients_are_hidden_before_the_pass_and_shown_at_its_end(shared_leaf: MainWindow):
    shared_leaf.context.modes.set_level("final gradients")
    press(shared_leaf, "c", "b")
    assert [grad(shared_leaf.canvas, name) for name in "abf"] == ["?"] * 3
    press(shared_leaf, ".")
    assert [grad(shared_leaf.canvas, name) for name in "abf"] == ["4", "−4", "−4"]
    press(shared_leaf, Qt.Key.Key_Home)
    assert grad(shared_leaf.canvas, "a") == "?"
