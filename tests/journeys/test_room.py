"""A lesson's room: what a step does not need is folded, what came stays, all is back afterwards."""

import random
import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.controls.spans import plain_text
from app.controls.text_fields import NumberEdit
from app.controls.value_slider import UserRange
from app.guide.play.guide import learner_of
from app.lessons.course import course
from app.lessons.lesson import Lesson
from app.lessons.load import lesson
from app.panels.lesson.player import LeafSlider
from app.style.current import Style
from app.window.commands.lesson_actions import begin_lesson
from app.window.frame.main_window import MainWindow
from tests.helpers.answering import acts, button, push
from tests.helpers.lesson_pupil import LessonPupil
from tests.helpers.mouse import type_into_focus
from tests.helpers.sampling import sampled
from tests.helpers.window import CTRL, press

FOLDED = ("toolbar", "palette", "bar", "status", "timeline")
BUILDING = {"palette", "toolbar"}
NEEDED = {
    "same-leaf-twice": {5: {"bar"}},
    "plus-times": {7: BUILDING},
    "two-paths": {8: {"bar"}, 9: BUILDING},
    "inside-operation": {1: BUILDING, 7: {"bar"}},
    "two-weights": {4: {"bar"}},
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
    window.context.guides.go_to(at)


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
    window.context.guides.go_to(2)
    assert "step" in acts(window)
    push(window, "step")
    assert unfolded(window) == {"timeline"}
    assert window.canvas.framing.shows_all
    window.context.guides.go_to(1)
    assert unfolded(window) == {"timeline"}, "what came stays"
    window.context.guides.end()
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
    begin(window, "two-paths", at=7)
    assert "bar" in unfolded(window)
    window.context.guides.go_to(8)
    assert unfolded(window) >= {"palette", "toolbar", "bar"}
    window.context.guides.go_to(0)
    assert unfolded(window) >= {"palette", "toolbar", "bar"}
    begin(window, "one-wire")
    assert unfolded(window) == set()


# one voice

HAND_VERBS = re.compile(
    r"(?:(?:now|then|first|and) )?(?:click|press|step|set|turn|fire|type|open|drag|wire|build|write"
    r"|change|make|take|train|raise|unfold|right-click|choose|find|try|answer|fill|work)\b",
    re.IGNORECASE,
)
"""How a sentence begins that tells the hand what to do."""


def test_the_page_explains_and_gives_no_command():
    commands = [
        f"{head.name}, {step.title}: {said}"
        for head in course().lessons
        for step in lesson(head.name).steps
        for said in re.split(r"(?<=[.:;?!]) |\n+", step.text.replace("**", ""))
        if step.kind != "say" and HAND_VERBS.match(said)
    ]
    assert commands == []


def test_what_a_task_wants_is_one_sentence_of_the_strip(qapp):
    for name in sampled([head.name for head in course().lessons], 6):
        pupil = LessonPupil(Style())
        assert pupil.guides.begin(learner_of(lesson(name)))
        for at, step in enumerate(lesson(name).steps):
            pupil.guides.go_to(at)
            if step.kind not in ("do", "free"):
                continue
            task = f"{'Try: ' * (step.kind == 'free')}{step.task}."
            said = plain_text(pupil.strip.sentence)
            assert said[:1].upper() + said[1:] == said
            assert said.lower() == task.lower().replace("**", ""), step.title
            acts = {button.act for button in pupil.strip.buttons}
            may_go_on = step.kind == "free"
            assert ("next" in acts) is may_go_on, step.title


def test_the_strip_leads_through_a_task(style: Style):
    pupil = LessonPupil(style)
    assert pupil.guides.begin(learner_of(lesson("one-wire")))
    pupil.guides.go_to(2)

    def strip() -> tuple[str, str, list[str]]:
        shown = pupil.strip
        texts = [button.text or button.act for button in shown.buttons]
        return plain_text(shown.sentence), plain_text(shown.answer), texts

    task = "Go backward to the end."
    assert strip() == (task, "y is 10.", ["Backward", "Play"])
    pupil.guides.show_hint()
    assert strip()[1].startswith("Press Backward, then Step until the timeline is full.")
    pupil.guides.go_to(2)
    pupil.playback.step()
    said, line, buttons = strip()
    assert said.startswith("y starts with grad 1")
    assert (line, buttons) == (task, ["back", "Step", "play"])
    pupil.playback.to_end()
    assert strip() == (f"✓ {task}", "The pass is over: a.grad 5, b.grad 2.", ["Next"])


def test_next_is_alone_and_has_the_keyboard_once_a_task_is_done(window: MainWindow):
    begin(window, "plus-times", at=2)
    assert window.canvas.hasFocus()
    while "step" in acts(window):
        push(window, "step")
    QApplication.processEvents()
    assert acts(window) == ["next"]
    assert button(window, "next").hasFocus()
    press(window, Qt.Key.Key_Return)
    assert window.context.guides.learner is not None
    assert window.context.guides.learner.at == 3


def test_after_a_number_that_was_typed_enter_goes_on(window: MainWindow):
    begin(window, "one-wire", at=1)
    field = window.findChildren(LeafSlider)[0].slider.findChild(NumberEdit)
    assert field is not None
    field.setFocus()
    field.selectAll()
    type_into_focus("3")
    press(window, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert button(window, "next").hasFocus()


def test_a_slider_begins_with_the_range_of_its_step_and_stops_at_whole_numbers(window: MainWindow):
    begin(window, "one-wire", at=1)
    slider = window.findChildren(LeafSlider)[0].slider
    window.document.set_value(window.document.graph.node_named("a") or 0, 5.52)
    begin(window, "why-wrong", at=2)
    assert slider._range == UserRange(-0.5, 0.5, 0.01)
    begin(window, "one-wire", at=1)
    assert slider._range == UserRange(0.0, 6.0, 0.1)
