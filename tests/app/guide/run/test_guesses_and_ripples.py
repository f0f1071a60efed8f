"""Steps of a lesson that take guesses, show a ripple, hide a mistake, or fold what comes later."""

from app.controls.spans import plain_text
from app.guide.play.guide import learner_of, room_of
from app.guide.run.demonstration import perform
from app.guide.words.lesson_texts import card_of, step_lines
from app.lessons.load import lesson
from app.lessons.situation import Move
from app.workbench.modes.evidence import following_way, question_on_curve
from engine import from_expression
from engine.formats.native import Drawing
from tests.helpers.lesson_pupil import LessonPupil


def at_step(style, name: str, at: int) -> LessonPupil:
    pupil = LessonPupil(style)
    assert pupil.guides.begin(learner_of(lesson(name), at))
    return pupil


def page(pupil: LessonPupil) -> str:
    """What the page says, its paragraphs one after the other."""
    return " ".join(plain_text(line) for line in step_lines(pupil.state, pupil.playback.now, 4))


def step_to(pupil: LessonPupil, cursor: int) -> None:
    perform(pupil.tools, Move("", "step", number=cursor))


def test_a_guess_is_neither_judged_nor_counted_and_stands_beside_the_truth_later(style):
    pupil = at_step(style, "plus-times", 0)
    assert pupil.line == "Any number will do: a guess is not judged."
    assert [button.act for button in pupil.strip.buttons] == ["back", "answer"]
    pupil.give("2", "-3", "10")
    assert plain_text(pupil.strip.sentence) == (
        "Your guess: at the end a.grad is 2, b.grad −3, c.grad 10."
    )
    assert pupil.state.ended == "done"
    assert pupil.state.right_first == (0, 0)
    assert "guessed" not in page(pupil)
    for _step in range(2):
        pupil.guides.go_on()
        if pupil.state.at == 1:
            pupil.answer_all()
    assert "guessed" not in page(pupil)
    step_to(pupil, 4)
    assert page(pupil).endswith(
        "a.grad: you guessed 2; it is 10. c.grad: you guessed 10; it is −1."
    ), "b waits for its contribution"
    pupil.document.set_value(pupil.document.graph.leaves[0], 7)
    assert "guessed" not in page(pupil), "it was about other numbers"


def test_a_text_that_is_no_number_is_no_guess(style):
    pupil = at_step(style, "plus-times", 0)
    pupil.give("2", "many", "10")
    assert pupil.line.startswith("Can't read many.")
    assert not pupil.state.ended
    pupil.modes.hint()
    pupil.modes.show_answer()
    assert not pupil.state.ended, "a guess has no help"
    assert not pupil.state.can_show
    pupil.document.set_value(pupil.document.graph.leaves[0], 7)
    assert plain_text(pupil.strip.sentence).startswith("The question is asked with a = 2.")


def test_a_guess_with_several_signs_is_kept_with_its_own(style):
    pupil = at_step(style, "plus-times", 0)
    pupil.give("---1", "--3", "+ -1/2")
    assert plain_text(pupil.strip.sentence) == (
        "Your guess: at the end a.grad is −1, b.grad 3, c.grad −1/2."
    )


def test_a_guess_about_a_step_has_its_number_at_once(style):
    pupil = at_step(style, "seven-numbers", 1)
    assert [button.act for button in pupil.strip.buttons] == ["back", "answer"]
    pupil.give("4")
    assert pupil.line.startswith("You guessed 4; it is −2. 1 more of d")
    assert pupil.playback.cursor == 2
    assert pupil.guides.learner is not None
    assert not pupil.state.ended, "two more are asked"


def test_a_guessed_choice_is_told_once_the_next_step_has_shown_it(style):
    pupil = at_step(style, "too-fast", 2)
    assert pupil.line == "A guess: it is not judged."
    pupil.modes.answer()
    assert pupil.line == "Choose one first."
    pupil.give("larger")
    assert pupil.line.startswith("larger it is")
    assert pupil.state.ended == "done"
    pupil.guides.go_on()
    assert "guessed" not in page(pupil)
    pupil.do_step()
    assert page(pupil).endswith("At η = 2 the loss will be: you guessed larger; it is the same.")


def test_a_ripple_step_shows_its_change_until_the_next_step(style):
    pupil = at_step(style, "same-leaf-twice", 0)
    shown = pupil.playback.now.ripple
    assert shown is not None
    assert pupil.strip.buttons[0].text == "Next"
    assert plain_text(pupil.strip.sentence) == (
        "a rises by 0.01 over its first wire to y alone and y rises by 0.03: 3 times as much."
    )
    pupil.guides.go_on()
    assert pupil.playback.now.ripple is None
    pupil.guides.go_back()
    assert pupil.playback.now.ripple is not None
    pupil.guides.end()
    assert pupil.playback.now.ripple is None


def test_a_hunt_keeps_its_mistake_when_its_graph_is_put_back_and_offers_its_own(style):
    found = lesson("two-paths")
    at = next(at for at, step in enumerate(found.steps) if step.kind == "hunt")
    pupil = at_step(style, "two-paths", at)
    hunt = pupil.playback.now.hunt
    assert hunt is not None
    assert hunt.among == found.steps[at].mistakes
    for _again in range(6):
        pupil.guides.put_back()
        again = pupil.playback.now.hunt
        assert again is not None
        assert again.mistake is hunt.mistake


def test_what_a_later_lesson_explains_is_folded_until_then(style):
    for name, folded in (
        ("one-wire", {"terms", "places"}),
        ("seven-numbers", {"places", "ahead"}),  # its second step asks about the first wire
        ("same-leaf-twice", set()),
    ):
        pupil = at_step(style, name, 0)
        assert pupil.playback.now.folded == folded
        pupil.guides.end()
        assert not pupil.playback.now.folded


def marks(pupil: LessonPupil) -> list[str]:
    """What stands behind each question of the step."""
    step = pupil.state.step
    assert step is not None
    card = card_of(pupil.state, step, pupil.playback.now)
    assert card is not None
    return [plain_text(row.cells[-1]) for row in card.rows]


def test_the_list_of_questions_says_which_are_filled_in_and_ticks_no_guess(style):
    pupil = at_step(style, "plus-times", 0)
    assert marks(pupil) == ["open", "open", "open"]
    pupil.modes.set_text(pupil.boxes[1], "7")
    assert marks(pupil) == ["open", "filled in", "open"]
    pupil.give("2", "-3", "10")
    assert marks(pupil) == ["guessed", "guessed", "guessed"]
    pupil = at_step(style, "seven-numbers", 1)
    assert marks(pupil) == ["open", "?", "?"], "the pass has yet to come to the others"


def test_a_lesson_that_asks_for_a_slope_on_a_curve_shows_the_curve_at_once(style):
    pupil = at_step(style, "one-neuron", 2)
    quiz, frame = pupil.modes.now, pupil.playback.frame
    assert quiz is not None
    question = question_on_curve(quiz, frame)
    assert question is not None
    assert question.kind == "local"
    assert following_way(quiz, frame) != "curve", "it is shown already"
    sums = at_step(style, "seven-numbers", 1)
    assert sums.modes.now is not None
    assert question_on_curve(sums.modes.now, sums.playback.frame) is None


def test_a_lesson_left_for_good_gives_back_the_settings_as_they_were_before_it(style):
    pupil = LessonPupil(style)
    checks = pupil.tools.checks
    for own in (1e-3, 1e-5):  # the second time it is not those of the first
        checks.set_h(own)
        assert pupil.guides.begin(learner_of(lesson("one-wire")))
        checks.set_h(0.5)
        pupil.guides.dismiss()
        assert pupil.guides.learner is None
        assert checks.h == own


def test_a_lesson_that_is_refused_before_a_room_leaves_the_room_and_the_own_sheet(style):
    pupil = LessonPupil(style)
    guides, document = pupil.guides, pupil.document
    document.start(Drawing(from_expression("y = a*b", {"a": 2, "b": 3})))
    own = document.sheet
    assert guides.begin(learner_of(lesson("one-wire")))
    document.locked = True
    assert guides.begin(room_of(lesson("two-paths")))
    guides.go_on()
    before = guides.room, document.sheet, pupil.playback.now
    assert not guides.begin(learner_of(lesson("plus-times")))
    assert (guides.room, document.sheet, pupil.playback.now) == before
    document.locked = False
    guides.end()
    guides.restore_own_sheet()
    assert document.sheet == own
