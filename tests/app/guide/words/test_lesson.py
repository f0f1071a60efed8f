"""What a learner reads of a step of a lesson."""

import pytest

from app.controls.spans import plain_text
from app.guide.play.guide import learner_of
from app.guide.words.lesson_texts import spoken_step
from app.guide.words.step_strip import command_text
from app.workbench.playback.view_state import view_of
from engine import from_expression
from engine.formats.native import Drawing
from engine.frame import live_frame
from tests.helpers.steps import PlannedStep, lesson_on


@pytest.mark.parametrize(("at", "heading"), [(0, "two paths"), (1, "Step 2")])
def test_a_step_that_only_says_something_is_headed_by_its_title_or_its_place(at: int, heading: str):
    graph = from_expression("y = a*b", {"a": 2, "b": 3})
    planned_steps = [PlannedStep(title="two paths"), PlannedStep(text="Look at b.")]
    state = learner_of(lesson_on(planned_steps, Drawing(graph)), at)
    assert spoken_step(state) == f"Step {at + 1} of 2, say, {heading}"
    assert plain_text(command_text(state, view_of(live_frame(graph)), 4)).startswith(heading)
