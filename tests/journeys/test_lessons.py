"""A lesson of the course, played to its end in the window: right by keys, with slips by mouse.

`tests/app/guide/run/test_course_played.py` plays each of them without a window; with --whole
each is played here as well.
"""

import random
from collections.abc import Iterator, Sequence

import pytest
from PySide6.QtCore import Qt

from app.lessons.course import course
from app.window.frame.main_window import MainWindow
from app.workbench.words.help import answer_label
from engine.numbers import short
from tests.helpers.answering import blanks, quiz, told
from tests.helpers.lesson_learner import ENTER, Learner
from tests.helpers.sampling import is_whole, sized
from tests.helpers.window import click, press

DOWN, RIGHT = Qt.Key.Key_Down, Qt.Key.Key_Right
HEADS = course().lessons
NAMES = [head.name for head in HEADS]


@pytest.fixture(autouse=True)
def same_draws() -> None:
    """Friendly numbers and the hunted mistake are drawn as in any other run."""
    random.seed(28)


def begin(window: MainWindow, name: str) -> None:
    """Click the lesson on the start page."""
    lessons = window.pages.welcome.lessons
    assert lessons is not None
    button = next(button for button in lessons.buttons if button.lesson.name == name)
    row = next(row for row in lessons.rows if button in row.buttons)
    if not row.is_open:
        click(row.line)
    click(button)


def questions(learner: Learner) -> int:
    """How many questions the lesson has asked."""
    return sum(len(found) for found in learner.state.attempts.values())


@pytest.mark.parametrize("name", NAMES if is_whole() else ["missing-plus"])
def test_each_slip_is_named_and_listed_at_the_end(window: MainWindow, name: str):
    window.setUpdatesEnabled(False)  # only what is written is read here; the others paint it
    begin(window, name)
    learner = Learner(window)
    rounds = 0
    while rounds < sized(2, 100) and slip_round(learner, rounds):
        click(learner.page.player.end.again)
        rounds += 1
    assert rounds > 1


def slip_round(learner: Learner, number: int) -> bool:
    """Play a lesson with the slip of this number at each question; whether there was any."""
    made = list[tuple[object, str]]()
    for _at in learner.steps():
        step = learner.state.step
        if step is not None and step.kind == "ask":
            made += slips_at_step(learner, number)
        else:
            learner.do_step()
    right, asked = learner.state.right_first
    assert learner.count == f"{right} of {asked} right first time"
    assert right == asked - len({asked_at for asked_at, _line in made})
    assert [without_plus(line) for line in learner.listed] == [line for _asked_at, line in made]
    return bool(made)


def without_plus(line: str) -> str:
    """A line of the end page, the numbers in it as they are typed."""
    return line.replace("you said +", "you said ").replace("right is +", "right is ")


def slips_at_step(learner: Learner, number: int) -> Iterator[tuple[object, str]]:
    """Answer a step's questions; yield each slip's question, and how the end page lists it."""
    place = learner.state.at + 1
    while not learner.state.ended:
        boxes = learner.boxes
        if not boxes:
            learner.act("go on")
            continue
        slips = [(k, *slip) for k, box in enumerate(boxes) for slip in learner.wrong(box)]
        rights = [learner.right(box) for box in boxes]
        if number < len(slips):
            k, typed, sentence = slips[number]
            learner.give(*rights[:k], typed, *rights[k + 1 :])
            yield (place, boxes[k]), said_of(learner, place, k, typed, sentence, rights[k])
        learner.give(*map(learner.right, learner.boxes))


def said_of(learner: Learner, place: int, k: int, typed: str, sentence: str, right: str) -> str:
    """Assert what is said of a wrong answer; return its line of the end page."""
    window = learner.window
    line = told(window)
    assert line.startswith("✘ "), f"step {place}, {typed}"
    assert sentence[1:] in line, f"step {place}, {typed}: {line}"
    by_choices = any(b.isVisible() for b in window.strip.options.buttons)
    if by_choices:
        assert len(learner.struck) == 1
    elif blanks(window):  # a click has none
        assert blanks(window)[k if len(blanks(window)) > 1 else 0] == ""
    assert quiz(window).tries == 1
    question = next(iter(quiz(window).last_answers))
    if question.kind not in ("next", "text"):
        right = short(float(right.replace("−", "-")))
    shown, right = (answer_label(question, each.replace("-", "−")) for each in (typed, right))
    said = line[2:] if question.kind != "text" else sentence  # the choice itself stands before it
    return f"step {place}: you said {shown}, right is {right}. {said}"


def way_to(name: str) -> Sequence[Qt.Key]:
    """The keys from the first lesson to another, whose unit is opened where it is folded."""
    units = [[head.name for head in unit.lessons] for unit in course().units]
    unit = next(k for k, names in enumerate(units) if name in names)
    steps = [RIGHT] * units[unit].index(name)
    return steps if not unit else [*[RIGHT] * (len(units[0]) + unit - 1), ENTER, *steps]


@pytest.mark.parametrize("place", range(len(NAMES)) if is_whole() else [NAMES.index("who-next")])
def test_who_is_right_comes_to_the_end_by_keys_alone_with_all_right_first_time(
    window: MainWindow, place: int
):
    head = HEADS[place]
    press(window, DOWN, *way_to(head.name), ENTER)
    learner = Learner(window, by_keys=True)
    assert learner.state.lesson.name == head.name
    for _at in learner.steps():
        learner.do_step()
    assert learner.page.player.end.able.text() == head.able
    right, asked = learner.state.right_first
    assert learner.count == f"{asked} of {asked} right first time"
    assert right == asked > 0
    assert learner.listed == []
    assert set(learner.state.done) == {"done"}
    if place + 1 < len(HEADS):
        press(window, ENTER)
        assert learner.state.lesson.name == HEADS[place + 1].name
