"""The strip as it is used by keys and heard: where the caret stands, what Tab visits, what is said.

The shared leaf in Ask me, every step asked; at step 6 × (e) passes +6 to a, whose sum is then 4.
"""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QWidget

from app.panels.strip import strip as panel
from app.panels.strip.sentence import BlankField
from app.window.frame.main_window import MainWindow
from tests.helpers.window import node, press

ENTER, TAB, DOWN, ESCAPE, RIGHT = (
    Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_PageDown, Qt.Key.Key_Escape, Qt.Key.Key_Right,
)  # fmt: skip
LONG = "the learning rate of the second layer of the network that is trained here"


@pytest.fixture
def asked(shared_leaf: MainWindow) -> MainWindow:
    """The window at step 6, its two blanks empty, the caret in the first."""
    ask(shared_leaf)
    return shared_leaf


def ask(window: MainWindow) -> None:
    window.context.modes.choose("contribution and sum", "every")
    press(window, "p", DOWN, DOWN, DOWN, DOWN)


def focused() -> QWidget | None:
    return QApplication.focusWidget()


def blank() -> str:
    """The name of the blank that has the caret."""
    field = focused()
    assert isinstance(field, BlankField)
    return field.accessibleName()


def described(window: MainWindow) -> list[str]:
    return [field.accessibleDescription() for field in window.strip.sentence.fields]


def test_the_sentence_is_one_group_that_names_its_blanks(asked: MainWindow):
    assert asked.strip.sentence.accessibleName() == (
        "× (e) passes blank 1 of 2, contribution to a, empty to a;"
        " a.grad is now blank 2 of 2, a.grad, empty."
    )
    assert blank() == "contribution to a"
    assert described(asked) == ["", ""]


def test_a_wrong_answer_is_said_once_and_the_caret_stands_in_the_first_wrong_blank(
    asked: MainWindow, monkeypatch: pytest.MonkeyPatch
):
    heard: list[str] = []
    event = panel.QAccessibleAnnouncementEvent

    def announce(widget: QWidget, text: str):
        heard.append(text)
        return event(widget, text)

    monkeypatch.setattr(panel, "QAccessibleAnnouncementEvent", announce)
    QAccessible.setActive(True)
    press(asked, "6", ENTER, "5", ENTER)
    QAccessible.setActive(False)
    (text,) = heard
    assert text == asked.strip.answer.text()
    assert text.startswith("✗ 5 ")
    assert blank() == "a.grad"
    assert described(asked) == ["5 was wrong"]


def test_a_text_that_is_no_number_keeps_the_caret_and_alone_is_said_to_be_refused(
    asked: MainWindow,
):
    press(asked, "3a", ENTER, "4", ENTER)
    assert asked.strip.answer.text().startswith("Can't read 3a.")
    assert blank() == "contribution to a"
    first, second = described(asked)
    assert first == asked.strip.answer.text()
    assert second == ""


def test_tab_goes_from_the_blanks_through_the_buttons_to_the_sheet(asked: MainWindow):
    press(asked, TAB)
    assert blank() == "a.grad"
    visited: list[str] = []
    for _ in range(4):
        press(asked, TAB)
        button = focused()
        assert button is not None
        visited.append(button.objectName())
    assert visited == ["answer", "hint", "show", "skip"]
    press(asked, TAB)
    assert focused() is asked.canvas


def test_enter_answers_goes_on_and_the_caret_is_in_the_next_blank(asked: MainWindow):
    press(asked, "6", ENTER, "4", ENTER)
    assert "✓" in asked.strip.sentence.text()
    press(asked, ENTER)
    assert asked.strip.sentence.text() == "× (e) passes ? to b."
    assert blank() == "contribution to b"


def test_escape_leaves_the_blank_and_right_comes_back_to_it(asked: MainWindow):
    press(asked, "7", ESCAPE)
    assert not any(field.hasFocus() for field in asked.strip.sentence.fields)
    press(asked, RIGHT)
    assert asked.strip.sentence.text() == "× (e) passes 7 to a; a.grad is now ?."
    assert any(field.hasFocus() for field in asked.strip.sentence.fields)


def test_title_and_status_say_what_is_asked(asked: MainWindow):
    assert asked.windowTitle().startswith("Shared leaf[*], Ask me ")
    assert asked.top_line.name.text() == "Shared leaf, Ask me"
    assert "Ask me: contribution and sum, every step" in asked.status_line.text()
    asked.context.modes.choose("final gradients", "every")
    assert asked.status_line.text().endswith("Ask me: final gradients")
    asked.context.modes.choose("sum", "last")
    assert asked.status_line.text().endswith("Ask me: sum, last step")
    asked.context.modes.leave()
    assert asked.windowTitle().startswith("Shared leaf[*] ")


def test_a_long_name_is_short_in_the_sentence_and_whole_for_the_reader(shared_leaf: MainWindow):
    window = shared_leaf
    window.document.set_label(node(window, "a"), LONG)
    ask(window)
    assert LONG not in window.strip.sentence.text()
    assert f"to {LONG}; {LONG}.grad is now" in window.strip.sentence.toolTip()
    assert blank() == f"contribution to {LONG}"


def test_the_strip_keeps_its_height_from_the_first_question_to_the_last_answer(
    shared_leaf: MainWindow,
):
    window = shared_leaf
    window.resize(1024, 700)
    window.document.set_label(node(window, "a"), LONG)
    window.document.set_label(node(window, "e"), LONG[5:])
    ask(window)
    heights = {window.strip.height()}
    for texts in (("1", "2"), ("3", "4")):
        press(window, *(key for text in texts for key in (text, ENTER)))
        heights.add(window.strip.height())
    window.strip.act("show")
    heights.add(window.strip.height())
    assert heights == {166}


def test_a_presentation_says_why_a_node_can_not_fire_yet(shared_leaf: MainWindow):
    window = shared_leaf
    window.toggle_presentation()
    press(window, "h")
    hand = window.context.modes.by_hand
    hand.set_seed(1.0)
    hand.click(node(window, "e"))
    assert window.strip.sentence.text() == "e can't fire yet: it waits for 1 of 1."
    assert window.strip.answer.isVisible()
    assert window.strip.answer.text().startswith("✗ The wire from + (d) has brought nothing yet")


def test_the_numbers_of_a_product_stand_without_brackets(shared_leaf: MainWindow):
    shared_leaf.context.modes.choose("values", "every")
    press(shared_leaf, "p")
    assert shared_leaf.strip.sentence.text() == "e = a × b = 2 × −3 = ?."
    assert shared_leaf.strip.answer.text() == "Forward 1 of 3    What is the value of × (e)?"
