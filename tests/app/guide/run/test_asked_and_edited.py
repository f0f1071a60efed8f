"""A question keeps its numbers: an edit before or between answers moves nothing that is asked."""

from app.controls.spans import plain_text
from app.guide.play.guide import learner_of
from app.lessons.course import course
from app.lessons.load import lesson
from app.workbench.modes.quiz import WORKED_RUNG
from engine.graph import Leaf
from tests.helpers.lesson_pupil import LessonPupil
from tests.helpers.pupil import Pupil

LATE = ("Right the second time.", "Right the third time.")
"""What answers the question of the first sentence is no further try."""


def shown(pupil: LessonPupil) -> tuple[object, ...]:
    """What the strip says, and the numbers on the sheet."""
    strip, texts = pupil.strip, (pupil.strip.sentence, pupil.strip.answer)
    buttons, typed = [b.act for b in strip.buttons], [blank.typed for blank in strip.blanks]
    return (*map(plain_text, texts), strip.options, typed, buttons, pupil.document.graph.nodes)


def edit(pupil: LessonPupil) -> None:
    """Drag each leaf to another number, the one that a question changes to where that goes."""
    step = pupil.state.step
    assert step is not None
    to = {ask.leaf: ask.to for ask in step.asks}
    for node, found in pupil.document.graph.nodes.items():
        if isinstance(found, Leaf):
            pupil.playback.hold_value(node)
            pupil.document.set_value(node, to.get(node, found.value + 1.25))
            pupil.playback.release_value()


def assert_keeps(pupil: LessonPupil, place: str) -> None:
    """An edit puts the question to sleep; undone or put back, it is as it was left."""
    before, record, steps = shown(pupil), pupil.quiz.record, len(pupil.document.done)
    ways = {"undo": lambda: pupil.document.go_to(steps), "Enter": pupil.modes.answer}
    for way, back in ways.items():
        edit(pupil)
        assert plain_text(pupil.strip.sentence).startswith("The question is asked with "), place
        assert [b.act for b in pupil.strip.buttons] == ["back", "put back"], place
        back()
        assert shown(pupil) == before, f"{place}, {way}"
        assert pupil.quiz.record == record, f"{place}, {way}"


def wrong_answers(pupil: LessonPupil) -> list[str]:
    """Two wrong answers to each blank that is open."""
    return [*dict.fromkeys(text for text, _said in pupil.wrong(pupil.boxes[0]))][:2]


def play(style, name: str, at: int) -> str:
    """Answer the first question of a step, with edits between all that is done; return its kind."""
    pupil, place = LessonPupil(style), f"{name}, step {at + 1}"
    turns = {0: pupil.guides.put_back, 1: pupil.guides.go_on}
    pupil.modes.lesson_step_wanted.connect(lambda direction: turns[direction]())
    assert pupil.guides.begin(learner_of(lesson(name), at))
    first, tries = pupil.boxes, wrong_answers(pupil)
    assert_keeps(pupil, place)
    pupil.modes.hint()
    assert_keeps(pupil, f"{place}, hinted")
    for text in tries:
        pupil.give(*[text] * len(pupil.boxes))
        assert_keeps(pupil, f"{place}, {text} wrong")
    while first[0] not in pupil.quiz.done:  # after two, the slope becomes a blank of its own
        pupil.give(*map(pupil.right, pupil.boxes))
    (record,) = [a for a in pupil.quiz.record.attempts if a.question == first[0]]
    assert (len(record.tries), record.values) == (len(tries) + 1, {}), place
    if len(tries) == WORKED_RUNG - 1 and "Right" in pupil.line:
        assert any(praise in pupil.line for praise in LATE), place
    answered = pupil.quiz.record
    edit(pupil)
    assert "✓" not in plain_text(pupil.strip.sentence), place
    assert pupil.quiz.record == answered, place
    return first[0].kind


def test_an_edit_moves_no_question_of_the_course(style):
    steps = {
        (step.form, *(ask.kind for ask in step.asks)): (head.name, at)
        for head in course().lessons
        for at, step in enumerate(lesson(head.name).steps)
        if step.kind == "ask" and not step.guess
    }
    kinds = {play(style, *step) for step in steps.values()}
    assert kinds >= {"change", "contribution", "final", "local", "next", "sign", "text"}


def test_a_name_that_is_changed_asks_nothing_anew():
    pupil = Pupil("e = a*b; d = e + a; L = d*f", {"a": 3, "b": -2, "f": 5})
    pupil.runner.choose("contribution and sum", "every")
    pupil.runner.toggle()
    pupil.give("99")
    line, quiz = pupil.line, pupil.quiz
    pupil.document.set_label(pupil.node("b"), "bias")
    assert (pupil.line, pupil.quiz.tries, pupil.quiz.done) == (line, 1, quiz.done)
    pupil.document.set_value(pupil.node("f"), 4.0)
    assert (pupil.quiz.tries, pupil.quiz.record.changed) == (0, True)


def test_backward_pressed_at_the_seed_says_it_again_after_a_drag():
    pupil = Pupil("y = a*b", {"a": 2, "b": 5}, cursor=1)
    seed, leaf = pupil.sentence, pupil.node("a")
    pupil.playback.hold_value(leaf)
    pupil.document.set_value(leaf, 3.0)
    pupil.playback.release_value()
    assert pupil.sentence.startswith("y is 3 × 5 = 15.")
    pupil.playback.backward()
    assert pupil.sentence == seed


def test_hint_show_me_and_other_wiring_lead_back_to_the_question_as_it_was(style):
    def begun() -> LessonPupil:
        pupil = LessonPupil(style)
        pupil.modes.lesson_step_wanted.connect(lambda _direction: pupil.guides.put_back())
        assert pupil.guides.begin(learner_of(lesson("one-wire")))
        pupil.give("15")
        return pupil

    hinted, shown_to, rewired = begun(), begun(), begun()
    edit(hinted)
    hinted.modes.hint()
    assert hinted.line == "b stays 5. What is 3 × 5, and how far is that from 10?"
    assert hinted.document.graph == hinted.state.begun.graph
    edit(shown_to)
    shown_to.guides.show_me()
    assert plain_text(shown_to.strip.sentence) == "a goes from 2 to 3. y changes by +5."
    assert shown_to.state.ended == "shown"
    target = rewired.document.graph.node_named("y")
    assert target is not None
    rewired.document.wires.disconnect(target, 1)
    assert rewired.modes.now is None
    rewired.guides.put_back()
    rewired.give("5")
    assert rewired.line.startswith("✓ Right the second time.")
