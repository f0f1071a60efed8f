"""Each lesson of the course, played to its end without a window: all right, and with each slip."""

import random
import re
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from app.controls.spans import plain_text
from app.guide.play.guide import learner_of
from app.guide.run import demonstration
from app.guide.run.course_progress import CourseProgress
from app.guide.run.demonstration import perform
from app.lessons.course import Head, course
from app.lessons.load import lesson
from app.lessons.situation import Move
from app.lessons.step_checks import holds
from app.workbench.words.help import answer_label
from engine.numbers import short
from tests.app.lessons.test_course import NAMES, WORDS
from tests.helpers.lesson_pupil import LessonPupil
from tests.helpers.sampling import is_whole, sized

LESSONS = pytest.mark.parametrize("head", course().lessons, ids=lambda head: head.name)


@pytest.fixture(autouse=True)
def same_draws() -> None:
    """Friendly numbers and the hunted mistake are drawn as in any other run."""
    random.seed(28)


@LESSONS
def test_who_is_right_comes_to_the_end_with_all_right_first_time(style, head: Head):
    pupil = LessonPupil(style)
    pupil.begin(head)
    for _at in pupil.steps():
        pupil.do_step()
    right, asked = pupil.state.right_first
    assert right == asked > 0
    assert pupil.listed == []
    assert set(pupil.state.done) == {"done"}
    assert pupil.guides.following == course().after(head.name)


def test_an_earned_tick_outlives_another_play_and_half_a_play_earns_none(style, tmp_path):
    head = course().lessons[0]
    pupil = LessonPupil(style)
    progress = CourseProgress(pupil.guides, tmp_path / "lessons.json", pupil.guides)

    def play(*shown: int, leave_at: int | None = None) -> tuple[str, int, int]:
        pupil.begin(head)
        for at in pupil.steps():
            if at == leave_at:
                break
            if at in shown:
                pupil.guides.show_me()
            else:
                pupil.do_step()
        pupil.guides.end()
        found = progress.progress.of(head.name)
        return found.state, found.right, progress.learner(lesson(head.name)).at

    last = len(lesson(head.name).steps) - 1
    asks = next(at for at, step in enumerate(lesson(head.name).steps) if step.kind == "ask")
    assert play(leave_at=2) == ("begun", 1, 2)
    state, fewer, at = play(asks)
    assert (state, at) == ("shown", 0)
    assert play(leave_at=last) == ("shown", fewer, 0)  # half played is not done
    state, right, at = play()
    assert (state, at) == ("done", 0)
    assert right > fewer
    over = progress.progress.of(head.name)
    assert replace(over, states=("", *over.states[1:])).state == "begun"  # past an open step
    assert play(asks) == play(asks, leave_at=last) == ("done", right, 0)


@LESSONS
def test_show_me_does_every_task_of_the_course(style, head: Head, monkeypatch):
    monkeypatch.setattr(demonstration, "MOVE_INTERVAL_MS", 0)
    found = lesson(head.name)
    for at, step in enumerate(found.steps):
        trains = step.begun.mode == "training"  # 3 s; `test_who_is_right` trains it as well
        if step.kind == "do" and (is_whole() or not trains):
            pupil = LessonPupil(style)
            assert pupil.guides.begin(learner_of(found, at))
            pupil.be_shown()
            situation = pupil.guides.situation(pupil.playback.now)
            assert all(holds(check, situation) for check in step.checks), step.title


@LESSONS
def test_show_me_names_the_mistake_of_a_hunt_in_the_sentence(style, head: Head):
    found = lesson(head.name)
    for at, step in enumerate(found.steps):
        if step.kind == "hunt":
            pupil = LessonPupil(style)
            assert pupil.guides.begin(learner_of(found, at))
            pupil.guides.show_me()
            now = pupil.playback.now
            assert now.rules in step.mistakes
            assert plain_text(pupil.strip.sentence) == f"shown  It is: {now.rules.title}."


@LESSONS
def test_each_slip_is_named_and_listed_at_the_end(style, head: Head):
    pupil = LessonPupil(style)
    rounds = 0
    while rounds < sized(2, 100):
        pupil.begin(head)
        if not slip_round(pupil, rounds):
            break
        rounds += 1
    assert rounds > 1


def slip_round(pupil: LessonPupil, number: int) -> bool:
    """Play a lesson with the slip of this number at each question; whether there was any."""
    made = list[tuple[object, str]]()
    for _at in pupil.steps():
        step = pupil.state.step
        if step is not None and step.kind == "ask" and not step.guess:
            made += slips_at_step(pupil, number)
        else:
            pupil.do_step()
    right, asked = pupil.state.right_first
    assert right == asked - len({asked_at for asked_at, _line in made})
    assert [without_plus(line) for line in pupil.listed] == [line for _asked_at, line in made]
    return bool(made)


def without_plus(line: str) -> str:
    """A line of the end page, the numbers in it as they are typed."""
    return line.replace("you said +", "you said ").replace("right is +", "right is ")


def slips_at_step(pupil: LessonPupil, number: int) -> Iterator[tuple[object, str]]:
    """Answer a step's questions; yield each slip's question, and how the end page lists it."""
    place = pupil.state.at + 1
    while not pupil.state.ended:
        boxes = pupil.boxes
        if not boxes:
            pupil.modes.answer()
            continue
        slips = [(k, *slip) for k, box in enumerate(boxes) for slip in pupil.wrong(box)]
        rights = [pupil.right(box) for box in boxes]
        if number < len(slips):
            k, typed, sentence = slips[number]
            pupil.give(*rights[:k], typed, *rights[k + 1 :])
            yield (place, boxes[k]), said_of(pupil, place, k, typed, sentence, rights[k])
        pupil.give(*map(pupil.right, pupil.boxes))


def said_of(pupil: LessonPupil, place: int, k: int, typed: str, sentence: str, right: str) -> str:
    """Assert what is said of a wrong answer; return its line of the end page."""
    line = pupil.line
    assert line.startswith("✘ "), f"step {place}, {typed}"
    assert sentence[1:] in line, f"step {place}, {typed}: {line}"
    if pupil.strip.options:
        assert len(pupil.struck) == 1
    assert pupil.quiz.tries == 1
    question = next(iter(pupil.quiz.last_answers))
    if question.kind not in ("next", "text"):
        right = short(float(right.replace("−", "-")))
    shown, right = (answer_label(question, each.replace("-", "−")) for each in (typed, right))
    said = line[2:] if question.kind != "text" else sentence  # the choice itself stands before it
    return f"step {place}: you said {shown}, right is {right}. {said}"


@LESSONS
def test_the_strip_says_no_word_before_the_lesson_that_explains_it(style, head: Head):
    later = [word for word, name in WORDS.items() if NAMES.index(name) > NAMES.index(head.name)]
    pupil = LessonPupil(style)
    pupil.begin(head)
    for _at in pupil.steps():
        step, said = pupil.state.step, pupil.said
        assert step is not None
        walked = [int(move.number) for move in step.moves if move.verb == "step"]
        for cursor in range(1, max(walked, default=0)):  # who presses Step reads each sentence
            perform(pupil.tools, Move("", "step", number=cursor))
            said += pupil.said
        if walked:
            pupil.guides.put_back()
        pupil.do_step()
        said = (said + pupil.said).lower()
        assert not [word for word in later if re.search(rf"\b{word}", said)], said
