"""Predict: a number is typed before it is shown, and a wrong one says what it gives away."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from app.canvas.editing import questions
from app.canvas.editing.question_card import QuestionCard
from app.canvas.editing.question_row import QuestionRow
from app.window.frame.main_window import MainWindow
from engine import from_expression
from engine.formats.native import Drawing
from tests.helpers.mouse import at_label, key, type_into_focus
from tests.helpers.mouse import click as click_at
from tests.helpers.reading import grad, label
from tests.helpers.window import CTRL, click, node, press, said

RETURN, ESCAPE, NEXT = Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_PageDown


@pytest.fixture
def predicting(shared_leaf: MainWindow) -> MainWindow:
    """The shared leaf, every product asked for."""
    press(shared_leaf, "p")
    return shared_leaf


def card(window: MainWindow) -> QuestionCard:
    found = window.canvas.questions.card
    assert found is not None
    return found


def texts(window: MainWindow) -> str:
    """Everything that is written on the card."""
    labels = card(window).findChildren(QLabel)
    shown = [found.text() for found in labels if found.isVisible()]
    return " | ".join([*shown, *card(window).rows.texts()])


def say(window: MainWindow, text: str) -> None:
    """Type an answer, as a learner whose keyboard is in the field, and press Enter."""
    assert card(window).rows.field.hasFocus()
    type_into_focus(text)
    key(RETURN)


def at_step(window: MainWindow) -> int:
    return window.playback.cursor


def test_p_opens_a_card_with_the_question_in_words_and_the_keyboard_in_its_field(predicting):
    assert card(predicting).title.text() == "What does × (L) pass to d?"
    assert "step 2 of 7" in texts(predicting)
    assert label(predicting.canvas, "L", 0) == "1 × −2 = ?"
    assert card(predicting).rows.field.hasFocus()


def test_a_right_answer_takes_the_step_and_asks_the_next(predicting: MainWindow):
    say(predicting, "-2")
    assert at_step(predicting) == 2
    assert grad(predicting.canvas, "d") == "−2"
    assert card(predicting).title.text() == "What does × (L) pass to f?"
    assert card(predicting).rows.field.text() == ""


def test_a_wrong_answer_stays_struck_beside_the_right_one_until_enter(predicting: MainWindow):
    say(predicting, "8")
    assert at_step(predicting) == 1
    assert "✗ you said 8" in texts(predicting)
    assert "−2" in texts(predicting)
    key(RETURN)
    assert at_step(predicting) == 2


def test_what_is_said_of_a_wrong_answer_is_no_narrow_column_beside_it(predicting: MainWindow):
    say(predicting, "-1.234567890123456")
    row = card(predicting).rows.findChildren(QuestionRow)[0]
    assert row.rect().contains(row.box())
    assert row.box().top() == 0, "it is below"
    assert row.height() < 3 * row.box().height()


def test_what_is_no_number_is_not_graded_and_stays_with_what_to_write(predicting: MainWindow):
    say(predicting, "two")
    assert card(predicting).rows.field.text() == "two"
    assert "Write a number" in texts(predicting)
    record = predicting.context.modes.now.record  # type: ignore[union-attr]
    assert not record.attempts


def test_a_whole_pass_is_answered_by_keys_alone(shared_leaf: MainWindow):
    shared_leaf.context.modes.set_level("all")
    press(shared_leaf, "p")
    for answer in ("-2", "1*-2", "-4", "-4", "1", "-2", "1", "-2", "-3", "6", "4", "2", "-2*2"):
        say(shared_leaf, answer)
    assert at_step(shared_leaf) == 7
    assert not shared_leaf.canvas.questions.shown
    record = shared_leaf.context.modes.now.record  # type: ignore[union-attr]
    assert [attempt.verdict for attempt in record.attempts] == ["right"] * 13
    press(shared_leaf, "p")
    assert shared_leaf.context.modes.now is None


def test_a_whole_pass_is_answered_by_mouse(predicting: MainWindow):
    """Only the numbers are typed."""
    for answer in ("-2", "-4", "-2"):
        type_into_focus(answer)
        click(card(predicting).check)
    click(card(predicting).hint)
    click(card(predicting).hint)
    click(card(predicting).hint)
    assert "−2 × 1 = …" in texts(predicting)
    assert not card(predicting).hint.isEnabled()
    click(card(predicting).show_me)
    assert "shown" in texts(predicting)
    assert at_step(predicting) == 4
    click(card(predicting).check)  # goes on
    click(card(predicting).skip)
    assert at_step(predicting) == 6
    type_into_focus("-4")
    click(card(predicting).check)
    assert at_step(predicting) == 7
    record = predicting.context.modes.now.record  # type: ignore[union-attr]
    assert [(a.verdict, a.shown, a.skipped, a.hints) for a in record.attempts][3:] == [
        ("unread", True, False, 3),
        ("unread", False, True, 0),
        ("right", False, False, 0),
    ]


def test_escape_closes_the_card_and_keeps_the_text_then_ends_the_mode(predicting: MainWindow):
    type_into_focus("-1.5")
    key(ESCAPE)
    assert not predicting.canvas.questions.shown
    assert predicting.canvas.hasFocus()
    press(predicting, RETURN)
    assert card(predicting).rows.field.hasFocus()
    assert card(predicting).rows.field.text() == "-1.5"
    key(ESCAPE)
    press(predicting, ESCAPE)
    assert predicting.context.modes.now is None
    assert predicting.playback.phase == "backward"


def test_a_click_on_the_question_mark_opens_the_card_again(predicting: MainWindow):
    type_into_focus("7")
    key(ESCAPE)
    view = predicting.canvas
    event = predicting.playback.frame.next_event
    assert event is not None
    assert event.wire is not None
    click_at(view, at_label(view, event.wire))
    assert card(predicting).rows.field.hasFocus()
    assert card(predicting).rows.field.text() == "7"
    assert label(view, "L", 0) == "1 × −2 = ?"


def test_page_down_reveals_and_then_goes_on(predicting: MainWindow):
    key(NEXT)
    assert at_step(predicting) == 1
    assert label(predicting.canvas, "L", 0) == "1 × −2 = −2"
    key(NEXT)
    assert at_step(predicting) == 2
    assert card(predicting).rows.field.hasFocus()


def test_letters_points_and_arrows_belong_to_the_field(predicting: MainWindow):
    type_into_focus("cp.b1")
    key(Qt.Key.Key_Left)
    assert card(predicting).rows.field.text() == "cp.b1"
    assert card(predicting).rows.field.cursorPosition() == 4
    assert at_step(predicting) == 1
    assert predicting.playback.phase == "backward"


def test_ctrl_z_in_the_field_is_the_fields_and_elsewhere_the_documents(predicting: MainWindow):
    predicting.document.set_value(1, 5.0)
    type_into_focus("12")
    key(Qt.Key.Key_Z, CTRL)
    assert card(predicting).rows.field.text() == ""
    assert predicting.document.stack.canUndo()
    predicting.canvas.setFocus()
    key(Qt.Key.Key_Z, CTRL)
    assert not predicting.document.stack.canUndo()
    assert predicting.context.modes.now is not None


def test_without_a_root_predict_says_why_and_changes_nothing(window: MainWindow):
    window.show_work()
    press(window, "p")
    assert window.context.modes.now is None
    assert window.playback.phase == "live"
    assert said(window)


def test_final_gradients_are_asked_for_before_the_pass_begins(shared_leaf: MainWindow):
    shared_leaf.context.modes.set_level("final")
    press(shared_leaf, "p")
    assert at_step(shared_leaf) == 0
    assert card(shared_leaf).title.text() == "What will L.grad be at the end of the pass?"
    assert grad(shared_leaf.canvas, "a") == "?"
    for answer in ("1", "-2", "-4", "-2"):
        say(shared_leaf, answer)
    assert card(shared_leaf).title.text() == "What will a.grad be at the end of the pass?"
    assert grad(shared_leaf.canvas, "d") == "–"
    say(shared_leaf, "-2")
    assert "is the share of one path" in texts(shared_leaf)
    say(shared_leaf, "-4")
    key(RETURN)
    assert at_step(shared_leaf) == 1


def test_the_sentence_leads_to_the_question_and_the_timeline_marks_answers(predicting: MainWindow):
    assert predicting.transport.sentence.text() == (
        "× (L) got 1. Its local derivative along d is −2. What goes to d?"
    )
    assert predicting.transport.next.text() == "Enter checks, Esc closes"
    say(predicting, "-2")
    say(predicting, "4")
    asking = predicting.context.modes.now
    assert asking is not None
    assert asking.marks() == {2: True, 3: False}
    key(ESCAPE)
    assert predicting.transport.next.text().startswith("next:")


def test_a_value_edit_asks_anew_and_a_wiring_edit_ends_the_mode_with_a_sentence(predicting):
    say(predicting, "-2")
    predicting.document.set_value(predicting.document.graph.node_named("f"), 5.0)
    asking = predicting.context.modes.now
    assert asking.record.changed
    assert card(predicting).title.text() == "What does × (L) pass to f?"
    predicting.document.wires.disconnect(predicting.document.graph.node_named("e"), 0)
    assert predicting.context.modes.now is None
    assert "Predict has ended." in said(predicting)
    assert not predicting.canvas.questions.shown


def test_folded_groups_are_opened_while_a_learner_is_asked(shared_leaf: MainWindow):
    document, scene = shared_leaf.document, shared_leaf.canvas.scene
    nodes = {number for number, name in document.graph.names.items() if name in ("d", "e")}
    group = document.groups.make(nodes)
    steps, saved = document.stack.count(), document.sheet
    assert group in scene.group_boxes
    press(shared_leaf, "p")
    assert group in scene.visible.opened
    assert nodes <= set(scene.boxes)
    say(shared_leaf, "-2")
    say(shared_leaf, "-4")
    assert card(shared_leaf).title.text() == "What does + (d) pass to e?"
    press_end(shared_leaf)
    assert group in scene.group_boxes
    assert (document.stack.count(), document.sheet) == (steps, saved)


def press_end(window: MainWindow) -> None:
    """Esc, and Esc again."""
    key(ESCAPE)
    press(window, ESCAPE)
    assert window.context.modes.now is None


def test_a_graph_of_constants_has_nothing_to_ask(window: MainWindow):
    window.document.start(Drawing(from_expression("y = 2 * 3"), {}))
    press(window, "p")
    assert window.context.modes.now is None
    assert window.playback.phase == "live"
    assert "nothing requires a gradient" in said(window)


def test_a_screen_reader_is_told_the_verdict_and_the_next_question(predicting, monkeypatch):
    told: list[str] = []
    monkeypatch.setattr(questions.QAccessible, "isActive", lambda: True)
    monkeypatch.setattr(questions, "announce", lambda _card, text: told.append(text))
    say(predicting, "8")
    assert told[-1].startswith("Not right: you said 8, it is −2.")
    key(RETURN)
    assert told[-1] == "What does × (L) pass to f?"
    say(predicting, "-4")
    assert told[-1] == "Right: −4. What does + (d) pass to e?"


def test_the_line_from_the_card_strikes_no_label(shared_leaf: MainWindow):
    shared_leaf.resize(1284, 720)
    shared_leaf.context.modes.set_level("sum")
    press(shared_leaf, "p")
    shared_leaf.context.modes.check("-2")
    shared_leaf.context.modes.go_on()
    QTest.qWait(50)
    view = shared_leaf.canvas
    product = node(shared_leaf, "L")
    assert view.questions.card is not None
    assert view.questions.card.geometry().bottom() < at_label(view, (product, 0)).y()
    there = view.scene.labels.rect((product, 0))
    assert there is not None
    inside = view.camera.rect_on_screen(there).toAlignedRect().adjusted(3, 3, -3, -3)
    picture = view.viewport().grab(inside).toImage()
    violet = shared_leaf.context.style.theme.selection.name()
    seen = {
        picture.pixelColor(x, y).name()
        for x in range(picture.width())
        for y in range(picture.height())
    }
    assert violet not in seen


def test_the_product_of_the_digits_on_the_screen_is_right(window: MainWindow):
    graph = from_expression("y = tanh(a - b) * f", {"a": 2, "b": 1.5, "f": -2})
    window.document.start(Drawing(graph))
    press(window, "p")
    for text in ("-2", "0.4621"):
        say(window, text)
    assert label(window.canvas, "v4", 0) == "−2 × 0.7864 = ?"
    say(window, "-1.5728")
    assert at_step(window) == 4
    asking = window.context.modes.now
    assert asking is not None
    (row,) = [row for row in asking.record.attempts if row.text == "-1.5728"]
    assert (row.verdict, row.slips) == ("rounded", ())
