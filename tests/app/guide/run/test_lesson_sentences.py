"""What a step says while its numbers are changed: only a sentence with "Now" follows them."""

import re
from collections.abc import Iterator

import pytest

from app.controls.spans import plain_text
from app.guide.play.guide import learner_of
from app.guide.run.demonstration import perform
from app.lessons.course import course
from app.lessons.lesson import Step
from app.lessons.load import lesson
from app.lessons.situation import Move
from app.workbench.words.live_texts import live_spans
from engine.numbers import NOT_COMPUTED
from tests.helpers.lesson_pupil import LessonPupil
from tests.helpers.window import until

NAMES = [head.name for head in course().lessons]
END = re.compile(r"(?<=[.?!:])\s+")
REPORT = re.compile(r"Now [\w. ]+\{[^}]+\}( and [\w. ]+\{[^}]+\})?\.")
"""A sentence that says numbers and concludes nothing from them."""
BUILT = {
    ("two-paths", "Three paths"),
    ("missing-plus", "The smallest test"),
    ("twice-without-zero", "More than three"),
}
"""Free steps whose goal is another graph."""


def rendered(pupil: LessonPupil, sentence: str) -> str:
    return plain_text(live_spans(sentence, pupil.playback.now, 4))


def settings(pupil: LessonPupil, step: Step) -> Iterator[Move]:
    """Numbers that somebody tries: the ends of sliders, then all whole numbers of the leaves."""
    for leaf, ends in step.sliders.items():
        yield from (Move("", "set", node=leaf, number=number) for number in ends)
    for leaf in step.sliders or pupil.document.graph.leaves:
        lowest, highest = step.sliders.get(leaf, (-3, 3))
        for number in range(int(lowest), int(highest) + 1):
            yield Move("", "set", node=leaf, number=float(number))


def played(style, name: str, at: int) -> Iterator[LessonPupil]:
    """Play a step to its goal, move by move; yield the pupil before and after each of them."""
    pupil = LessonPupil(style)
    assert pupil.guides.begin(learner_of(lesson(name), at))
    step = lesson(name).steps[at]
    yield pupil
    if step.kind == "do" and step.begun.mode == "training":
        return  # its sentences have no number but the loss
    for move in step.moves:
        perform(pupil.tools, move)
        until(lambda: not pupil.loops.running)
        yield pupil
    for move in settings(pupil, step) if step.sliders or step.kind == "free" else ():
        before = pupil.document.graph.leaf_values[move.node or 0]
        perform(pupil.tools, move)
        yield pupil
        if not step.sliders:
            pupil.document.set_value(move.node or 0, before)
    assert (name, step.title) in BUILT or pupil.state.ended or not step.checks, step.title


@pytest.mark.parametrize("name", NAMES)
def test_a_conclusion_of_a_step_stays_true_whatever_number_is_set(style, name: str):
    for at, step in enumerate(lesson(name).steps):
        if step.kind not in ("do", "free") or "{" not in step.text:
            continue
        begun: dict[str, str] = {}
        for pupil in played(style, name, at):
            for sentence in END.split(step.text.strip()):
                now = rendered(pupil, sentence)
                known = begun.setdefault(sentence, now)
                if NOT_COMPUTED in known:
                    begun[sentence] = now  # the pass has yet to come there
                elif now != known and NOT_COMPUTED not in now:
                    assert REPORT.fullmatch(sentence), (step.title, known, now)


def test_a_free_step_is_played_to_its_goal(style):
    text = lesson("one-wire").steps[6].text
    said = [(rendered(pupil, text), pupil.state.ended) for pupil in played(style, "one-wire", 6)]
    assert any("Now a.grad is 0." in text and mark == "done" for text, mark in said)


def test_the_factors_of_the_step_to_come_wait_while_a_later_question_asks_for_them(style):
    for name, at, asked in (("seven-numbers", 0, 1), ("plus-times", 2, 3), ("two-paths", 3, 4)):
        pupil = LessonPupil(style)
        assert pupil.guides.begin(learner_of(lesson(name), at))
        assert "ahead" in pupil.playback.now.folded
        assert lesson(name).steps[asked].kind == "ask"
    assert pupil.guides.begin(learner_of(lesson("one-wire"), 6))
    assert "ahead" not in pupil.playback.now.folded, "no question follows"
