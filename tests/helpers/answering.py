"""A learner who is asked in the sentence: what the strip says, its blanks and its buttons."""

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.controls.painted_buttons import IconButton
from app.controls.spans import plain_text
from app.panels.strip.sentence import BlankField
from app.window.frame.main_window import MainWindow
from app.workbench.modes.quiz import Quiz, Steps
from app.workbench.words.strip import Act
from engine.asking.record import Attempt
from tests.helpers.window import click, press


def ask(window: MainWindow, level: str = "contribution and sum", steps: Steps = "every") -> None:
    """Choose the blanks and which steps have them, and press P."""
    window.context.modes.choose(level, steps)
    press(window, "p")


def quiz(window: MainWindow) -> Quiz:
    found = window.context.modes.now
    assert found is not None, "nothing is asked"
    return found


def attempts(window: MainWindow) -> tuple[Attempt, ...]:
    """What the record of the run that is on holds."""
    return quiz(window).record.attempts


# the strip


def sentence(window: MainWindow) -> str:
    """The sentence as it is read; an empty blank is `?`."""
    return window.strip.sentence.text()


def told(window: MainWindow) -> str:
    """The answer line."""
    return plain_text(window.strip.strip.answer)


def blanks(window: MainWindow) -> list[str]:
    """What stands in the blanks, in reading order."""
    return [field.text() for field in window.strip.sentence.fields]


def blank(window: MainWindow, place: int = 0) -> BlankField:
    return window.strip.sentence.fields[place]


def caret(window: MainWindow) -> int | None:
    """The place of the blank in which the caret stands, or None."""
    focus = QApplication.focusWidget()
    return next((k for k, f in enumerate(window.strip.sentence.fields) if f is focus), None)


def button(window: MainWindow, act: Act) -> IconButton:
    """A button of the strip that can be seen."""
    for row in (window.strip.buttons, window.strip.offers):
        if any(look.act == act for look in row.shown):
            found = row.button(act)
            assert found.isVisible(), act
            return found
    raise AssertionError(f"there is no button {act} in {acts(window)}")


def acts(window: MainWindow) -> list[Act]:
    """What the buttons do that may be pressed, offers behind the answer line among them."""
    shown = (*window.strip.buttons.shown, *window.strip.offers.shown)
    return [look.act for look in shown if look.enabled]


# what a hand does


def type_into_blank(window: MainWindow, text: str, place: int = 0) -> None:
    """Click into a blank and type; what stands there is replaced."""
    field = blank(window, place)
    click(field)
    field.selectAll()
    QTest.keyClicks(field, text)
    QApplication.processEvents()


def push(window: MainWindow, act: Act) -> None:
    """Click a button of the strip."""
    click(button(window, act))


def answer(window: MainWindow, *texts: str) -> None:
    """Type into all blanks of the step and press Answer."""
    for place, text in enumerate(texts):
        type_into_blank(window, text, place)
    push(window, "answer")
    QApplication.processEvents()


def answer_all(window: MainWindow, *steps: str) -> None:
    """Answer a step after the other and go on; a step's numbers are separated by blanks."""
    for texts in steps:
        answer(window, *texts.split())
        while "answer" in acts(window) and quiz(window).last_answers:
            push(window, "show")  # a wrong answer, of which the first counts
        push(window, "go on")
