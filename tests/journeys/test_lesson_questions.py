"""What a lesson asks, in the strip: answers are chosen by mouse and by keys, or typed."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication

from app.lessons.lesson import Ask, Choice
from app.panels.strip.sentence import OptionButton
from app.window.frame.main_window import MainWindow
from engine import from_expression
from engine.asking.question import Question
from engine.formats.native import Drawing
from tests.helpers.answering import acts, blank, caret, push, quiz, sentence, told
from tests.helpers.mouse import key, type_into_focus
from tests.helpers.pupil import wire_question
from tests.helpers.reading import label, value
from tests.helpers.window import click, node

RETURN, ESCAPE, TAB, SPACE = (
    Qt.Key.Key_Return,
    Qt.Key.Key_Escape,
    Qt.Key.Key_Tab,
    Qt.Key.Key_Space,
)
ON, BACK = Qt.Key.Key_PageDown, Qt.Key.Key_PageUp
ONE, TWO, THREE, FOUR = Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4
TEXT = Question("text", 0)
LONG = Ask(
    "text",
    text="What moves when **a** moves?",
    choices=(
        Choice("the gradient of a itself", "a.grad is b, and b stays."),
        Choice("the gradient of b alone", "b.grad is a.", True),
        Choice("the gradients of both...", ""),
        Choice("neither of the gradients", ""),
    ),
)


def open_graph(window: MainWindow, text: str, **values: float) -> None:
    window.document.start(Drawing(from_expression(text, values), {}))
    window.show_work()
    QApplication.processEvents()


@pytest.fixture
def second(window: MainWindow) -> MainWindow:
    """The second contribution to a is chosen from four."""
    open_graph(window, "e = a*b; d = e + a; L = d*f", a=3, b=-2, f=5)
    window.playback.backward()
    window.playback.go(5)
    trace = window.playback.frame.unhidden
    assert trace is not None
    wanted = [wire_question(kind, trace, "e.1") for kind in ("contribution", "sum")]
    window.context.modes.ask(wanted, choices=True)
    QApplication.processEvents()
    return window


@pytest.fixture
def change(window: MainWindow) -> MainWindow:
    """By how much y changes is typed."""
    open_graph(window, "y = a*b", a=2, b=5)
    question = Question("change", node(window, "y"), leaf=node(window, "a"), to=3.0)
    window.context.modes.ask([question])
    QApplication.processEvents()
    return window


def turns(window: MainWindow) -> list[int]:
    """To which steps the lesson shall go from now on."""
    found: list[int] = []
    window.context.modes.lesson_step_wanted.connect(found.append)
    return found


def write(text: str) -> None:
    """Type into whatever has the focus, which changes on the way."""
    for character in text:
        key(Qt.Key(ord(character)))


def options(window: MainWindow) -> list[OptionButton]:
    return [button for button in window.strip.options.buttons if button.isVisible()]


def labels(window: MainWindow) -> list[str]:
    return [button.text() for button in options(window)]


def chosen(window: MainWindow) -> list[str]:
    return [button.text() for button in options(window) if button.isChecked()]


def struck(window: MainWindow) -> list[str]:
    return [button.text() for button in options(window) if not button.isEnabled()]


def test_a_number_typed_anywhere_but_in_a_text_is_the_answer(change: MainWindow):
    zoom = change.canvas.camera.zoom
    hint = change.strip.buttons.button("hint")
    question = change.context.modes.question
    assert question is not None
    for widget in (change.canvas, change.strip.timeline, change.strip, hint):
        change.context.modes.set_text(question, "")
        widget.setFocus()
        write("0.5-")
        assert blank(change).text() == "0.5-", widget
        assert (caret(change), change.canvas.camera.zoom) == (0, zoom), widget
    change.canvas.setFocus()
    key(Qt.Key.Key_6)
    assert blank(change).text() == "0.5-6", "the answer goes on where it was left"


# choosing


def test_an_answer_is_chosen_by_a_click_and_judged_by_answer(second: MainWindow):
    assert labels(second) == ["−10", "−2", "+5", "+15"]
    click(options(second)[0])
    assert blank(second).text() == "−10"
    assert chosen(second) == ["−10"]
    assert label(second.canvas, "e", 0) == "−10"
    push(second, "answer")
    assert sentence(second) == "× (e) passes −10 ✓ to a; a.grad is now ?."
    assert labels(second) == ["−15", "−10", "−5", "5"]


def test_an_answer_is_chosen_and_judged_by_keys_alone(second: MainWindow):
    write("-2")
    assert chosen(second) == ["−2"]
    key(RETURN)
    assert struck(second) == ["−2"]
    assert told(second) == (
        "✘ −2 is how far e moves for 1 of a on this wire. How far does L move when e moves by −2?"
    )
    write("-2")
    assert chosen(second) == [], "what was wrong is not chosen again"
    assert told(second) == "−2 was wrong. Backspace begins again."
    key(Qt.Key.Key_Backspace)
    write("-10")
    key(RETURN)
    write("-5")
    key(RETURN)
    assert sentence(second) == "× (e) passes −10 ✓ to a; a.grad is now −5 ✓."
    assert second.playback.cursor == 6
    assert labels(second) == []
    asked = turns(second)
    key(RETURN)
    assert asked == [1]


def test_space_chooses_what_tab_has_come_to(second: MainWindow):
    focus = QApplication.focusWidget()
    assert focus is options(second)[0]
    key(TAB)
    key(SPACE)
    assert chosen(second) == ["−2"]
    key(TAB)
    key(TAB)
    key(TAB)
    assert QApplication.focusWidget() is second.strip.buttons.button("answer")


def test_the_box_takes_no_caret(second: MainWindow):
    click(blank(second))
    assert caret(second) is None
    assert not blank(second).hasFocus()


def test_a_digit_typed_into_a_field_chooses_nothing(change: MainWindow):
    type_into_focus("2")
    assert blank(change).text() == "2"
    assert labels(change) == []


# buttons and pages


def test_show_me_and_next_of_a_question_are_not_in_the_strip(change: MainWindow):
    assert acts(change) == ["answer", "hint"]


def test_the_page_keys_turn_to_other_steps_of_the_lesson(change: MainWindow):
    asked = turns(change)
    key(ON)
    key(BACK)
    assert asked == [1, -1]
    assert quiz(change).waiting


def test_page_down_turns_from_a_choice_as_well(second: MainWindow):
    asked = turns(second)
    key(ON)
    assert asked == [1]


def test_a_change_is_typed_and_says_what_a_wrong_number_is(change: MainWindow):
    assert caret(change) == 0
    type_into_focus("15")
    key(RETURN)
    assert told(change) == "✘ 15 is the new value of × (y). By how much did it change?"
    type_into_focus("5")
    key(RETURN)
    assert sentence(change) == "a goes from 2 to 3. y changes by +5 ✓."
    assert change.playback.cursor == 0
    assert value(change.canvas, "y") == "10", "the value has not moved"


# long texts, readers


def test_choices_too_long_for_a_line_have_the_verdict_below(window: MainWindow):
    window.resize(1024, 700)
    open_graph(window, "y = a*b", a=2, b=5)
    usual = window.strip.height()
    window.context.modes.ask([TEXT], asks={TEXT: LONG})
    QApplication.processEvents()
    assert window.strip.height() == usual + 20
    key(ONE)
    key(RETURN)
    assert told(window) == "✘ the gradient of a itself: a.grad is b, and b stays."
    answer, beside = window.strip.answer.geometry(), window.strip.options.geometry()
    assert answer.center().y() > beside.center().y()
    assert window.strip.options.geometry().right() <= window.strip.width()
    assert window.strip.height() == usual + 20


def test_a_choice_is_read_with_whether_it_was_wrong(second: MainWindow):
    write("-2")
    key(RETURN)
    names = [
        QAccessible.queryAccessibleInterface(button).text(QAccessible.Text.Name)
        for button in options(second)
    ]
    assert names[:2] == ["choice −10", "choice −2, was wrong"]
    described = QAccessible.queryAccessibleInterface(blank(second))
    assert described.text(QAccessible.Text.Name) == "contribution of × (e) → a"
    assert described.text(QAccessible.Text.Description) == "−2 was wrong"


def test_in_a_presentation_the_choices_stand_below_the_sentence(second: MainWindow):
    second.commands["presentation"].trigger()
    QApplication.processEvents()
    try:
        assert labels(second) == ["−10", "−2", "+5", "+15"]
        write("-10")
        assert chosen(second) == ["−10"]
        strip = second.strip
        assert strip.options.geometry().top() >= strip.sentence.geometry().bottom() - 1
        assert strip.options.geometry().bottom() <= strip.height()
    finally:
        second.commands["presentation"].trigger()
