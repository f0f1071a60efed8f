"""A lesson's room: what a step does not need is folded, what came stays, all is back afterwards."""

import random

import pytest
from PySide6.QtWidgets import QApplication

from app.lessons.course import course
from app.lessons.lesson import Lesson
from app.lessons.load import lesson
from app.style.current import Style
from app.window.commands.lessons import begin_lesson
from app.window.frame.main_window import MainWindow
from tests.helpers.answering import acts, push
from tests.helpers.lesson_pupil import LessonPupil
from tests.helpers.window import CTRL, press

FOLDED = ("toolbar", "palette", "bar", "status", "timeline")
BUILDING = {"palette", "toolbar"}
NEEDED = {
    "same-leaf-twice": {3: {"bar"}},
    "plus-times": {6: BUILDING},
    "two-paths": {6: {"bar"}, 7: BUILDING},
    "inside-operation": {1: BUILDING, 6: {"bar"}},
    "two-weights": {3: {"bar"}},
}
"""What comes back in a lesson, by the step that needs it."""


def parts(window: MainWindow) -> dict[str, bool]:
    """Which of the parts that a lesson folds can be seen."""
    seen = {part: window.parts.shown(part) for part in FOLDED}
    visible = (window.toolbar, window.palette_dock, window.bar, window.status_line)
    assert list(seen.values()) == [w.isVisible() for w in (*visible, window.strip.timeline)]
    return seen


def unfolded(window: MainWindow) -> set[str]:
    QApplication.processEvents()
    return {part for part, is_seen in parts(window).items() if is_seen}


def begin(window: MainWindow, name: str, at: int = 0) -> None:
    begin_lesson(window.context, name)
    window.context.lessons.go_to(at)


# what a step needs


@pytest.mark.parametrize("name", NEEDED)
def test_what_comes_back_follows_from_the_step(name: str):
    found: Lesson = lesson(name)
    needed = {at: step.parts for at, step in enumerate(found.steps, 1) if step.parts}
    assert {at: needed.get(at, set()) for at in NEEDED[name]} == NEEDED[name]
    assert not any(step.parts for step in found.steps[: min(NEEDED[name]) - 1])


def test_every_move_of_show_can_be_made_with_what_is_there(qapp):
    """By the palette, a page, or by what always stays: sheet, page and strip."""
    random.seed(28)
    for head in course().lessons:
        pupil = LessonPupil(Style())
        pupil.begin(head)
        for _at in pupil.steps():
            step, there = pupil.state.step, pupil.state.parts
            assert step is not None
            verbs = {move.verb for move in step.moves}
            assert not verbs & {"wire", "root", "unfold"} or there >= BUILDING, step.title
            has_page = step.panel or not verbs & {"mistake", "method", "h", "epochs", "seed"}
            assert has_page, step.title
            before = there
            pupil.do_step()
            assert pupil.state.parts >= before, "what came stays"
            passed = pupil.playback.cursor or pupil.playback.now.by_hand or pupil.loops.now
            assert not passed or "timeline" in pupil.state.parts, step.title


# in the window


def test_a_lesson_folds_what_it_does_not_need_and_gives_all_of_it_back(window: MainWindow):
    window.resize(1366, 768)
    window.show_work()
    QApplication.processEvents()
    before = parts(window)
    assert all(before.values())
    begin(window, "one-wire")
    assert unfolded(window) == set()
    assert window.menu_bar.isVisible()
    room = window.canvas.width() * window.canvas.height()
    assert window.canvas.framing.shows_all
    window.context.lessons.go_to(2)
    assert "step" in acts(window)
    push(window, "step")
    assert unfolded(window) == {"timeline"}
    assert window.canvas.framing.shows_all
    window.context.lessons.go_to(1)
    assert unfolded(window) == {"timeline"}, "what came stays"
    window.context.lessons.leave()
    QApplication.processEvents()
    assert parts(window) == before
    assert room > 1.4 * window.canvas.width() * window.canvas.height()


def test_tiles_lead_back_to_the_page_and_menus_bring_any_part(window: MainWindow):
    begin(window, "one-wire")
    press(window, "1", modifier=CTRL)
    assert window.bar.name == ""
    assert unfolded(window) == {"bar"}
    press(window, "1", modifier=CTRL)
    assert unfolded(window) == set()
    window.commands["show-palette"].trigger()
    assert unfolded(window) == {"palette"}
    window.commands["show-palette"].trigger()
    assert unfolded(window) == set()
    assert window.context.settings.shown("palette"), "no choice for later"


def test_what_came_stays_to_the_end_of_the_lesson(window: MainWindow):
    begin(window, "two-paths", at=5)
    assert "bar" in unfolded(window)
    window.context.lessons.go_to(6)
    assert unfolded(window) >= {"palette", "toolbar", "bar"}
    window.context.lessons.go_to(0)
    assert unfolded(window) >= {"palette", "toolbar", "bar"}
    begin(window, "one-wire")
    assert unfolded(window) == set()
