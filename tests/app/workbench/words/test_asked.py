"""A lesson asks what it has chosen: each question at its step, typed or chosen, with its help."""

import pytest

from app.lessons.lesson import Ask, Choice
from engine.asking.question import Question
from engine.asking.record import right_first_time
from tests.helpers.pupil import Pupil
from tests.helpers.tables import in_turn

PRODUCT = ("y = a*b", {"a": 2.0, "b": 5.0})
TWO_WAYS = ("e = a*b; d = e + a; L = d*f", {"a": 3.0, "b": -2.0, "f": 5.0})
OWN = Ask(
    "text",
    text="Whose gradient moves when **a** moves?",
    choices=(Choice("a's", "a.grad is b."), Choice("b's", "b.grad is a.", True)),
)
TEXT = Question("text", 0)


def change(at: Pupil, to: float = 3.0) -> Question:
    return Question("change", at.node("y"), leaf=at.node("a"), to=to)


@pytest.fixture
def product() -> Pupil:
    return Pupil(*PRODUCT)


@pytest.fixture
def second() -> Pupil:
    """Before the step that brings a its second contribution."""
    return Pupil(*TWO_WAYS, cursor=5)


def both(at: Pupil) -> list[Question]:
    return [at.wire("contribution", "e.1"), at.wire("sum", "e.1")]


# where it is asked


def test_a_change_is_asked_before_the_pass_with_what_stays(product: Pupil):
    product.runner.ask([change(product)])
    assert (product.playback.phase, product.playback.cursor) == ("backward", 0)
    assert product.sentence == "a goes from 2 to 3. y changes by ?."
    assert product.line == "b stays 5. Guess; then try it."
    assert product.acts == ["answer", "hint"]


@pytest.mark.parametrize(
    ("text", "values", "line"),
    [
        ("y = a*a", {"a": 2}, "Guess; then try it."),
        ("y = a*b*c", {"a": 2, "b": 5, "c": 7}, "b stays 5 and c stays 7. Guess; then try it."),
        ("y = a*b*c*d*e", {}, "All else stays. Guess; then try it."),
        ("u = b*c; y = a + 1", {"a": 2}, "Guess; then try it."),
    ],
)
def test_what_stays_is_named_up_to_three_leaves_that_count(text, values, line):
    at = Pupil(text, values)
    at.runner.ask([change(at)])
    assert at.line == line


def test_a_question_of_a_step_is_asked_where_the_pass_stands_before_it(second: Pupil):
    second.runner.ask(both(second))
    assert second.sentence == "× (e) passes ? to a; a.grad is now ?."
    assert second.playback.cursor == 5


def test_between_two_steps_with_a_question_the_learner_steps():
    at = Pupil(*TWO_WAYS, cursor=1)
    at.runner.ask([at.wire("contribution", "L.1"), at.wire("contribution", "d.1")])
    at.give("5")
    at.go_on()
    assert at.playback.cursor == 3
    assert at.sentence == "+ (d) passes ? to e."
    at.give("5")
    assert at.ends == 1


def test_several_kinds_are_asked_one_after_the_other(product: Pupil):
    product.runner.ask(
        [change(product), Question("sign", product.node("b")), TEXT], asks={TEXT: OWN}
    )
    product.give("5")
    assert product.sentence == "a goes from 2 to 3. y changes by +5 ✓."
    assert product.line == "✓ Right. y is then 3 × 5 = 15; 15 − 10 = +5."
    product.go_on()
    assert product.sentence == "Raise b by a little. y ?."
    product.give("rises")
    assert product.sentence == "Raise b by a little. y rises ✓."
    product.go_on()
    assert product.sentence == "Whose gradient moves when a moves?"
    assert product.ends == 0
    product.give("b's")
    assert product.line == "✓ b's: b.grad is a."
    assert product.ends == 1


def test_gradients_at_the_end_share_a_sentence(second: Pupil):
    second.runner.ask([Question("final", second.node(name)) for name in "ab"])
    assert second.playback.cursor == 0
    assert second.sentence == "At the end a.grad is ?, b.grad ?."
    second.give("-5", "15")
    assert second.sentence == "At the end a.grad is −5 ✓, b.grad 15 ✓."


# how it ends


def test_once_all_is_answered_go_on_leads_to_the_next_step_of_the_lesson(product: Pupil):
    product.runner.ask([change(product)])
    product.give("5")
    assert product.acts == ["go on"]
    product.go_on()
    assert product.turned == [1]
    assert product.quiz.is_finished


def test_what_was_shown_is_done_and_was_not_right_first_time(second: Pupil):
    second.runner.ask(both(second))
    second.runner.show_answer()
    assert second.ends == 1
    assert list(right_first_time(second.quiz.record.attempts).values()) == [False, False]


def test_to_skip_is_to_turn_to_the_next_step(second: Pupil):
    second.runner.ask(both(second))
    second.runner.skip()
    assert second.turned == [1]
    assert not second.quiz.is_finished
    assert second.playback.cursor == 5


def test_after_all_is_answered_values_may_be_edited_and_are_not_asked_again(product: Pupil):
    product.runner.ask([change(product)])
    product.give("5")
    product.document.set_value(product.node("a"), 3.0)
    assert product.quiz.is_finished


def test_while_the_sheet_has_other_numbers_the_question_says_with_which_it_is_asked(product: Pupil):
    product.runner.ask([change(product)])
    for name in "ab":
        product.document.set_value(product.node(name), 3.0)
    assert product.sentence == "The question is asked with a = 2 and b = 5."
    assert product.line == "The sheet has other numbers now."
    product.runner.answer()
    assert product.turned == [0]
    product.document.set_value(product.node("a"), 2.0)
    assert product.sentence == "The question is asked with b = 5."
    product.document.set_value(product.node("b"), 5.0)
    assert product.sentence == "a goes from 2 to 3. y changes by ?."


def test_a_number_that_looks_the_same_as_the_asked_one_is_told_in_full(product: Pupil):
    product.document.set_value(product.node("b"), 6.881373587019543)
    product.runner.ask([change(product)])
    product.document.set_value(product.node("b"), 7.0)
    assert product.sentence == "The question is asked with b = 6.881."
    product.document.set_value(product.node("b"), 6.881)
    assert product.sentence == "The question is asked with b = 6.881373587019543."
    product.document.set_value(product.node("b"), 6.881373587019543)
    assert product.sentence == "a goes from 2 to 3. y changes by ?."


def test_other_wiring_ends_it(product: Pupil):
    product.runner.ask([change(product)])
    product.document.wires.disconnect(product.node("y"), 1)
    assert product.runner.now is None


def test_backward_pressed_meanwhile_asks_again_what_is_open_alone(product: Pupil):
    product.runner.ask([change(product), Question("sign", product.node("b"))])
    product.give("5")
    product.playback.backward()
    assert product.sentence == "Raise b by a little. y ?."


def test_a_lesson_hands_out_no_report(product: Pupil):
    reports: list[object] = []
    product.runner.ended.connect(reports.append)
    product.runner.ask([change(product)])
    product.give("5")
    product.runner.leave()
    assert reports == []
    assert product.runner.report is None


def test_p_turns_to_the_question_instead_of_ending_it(product: Pupil):
    product.runner.ask([change(product)])
    product.runner.toggle()
    assert product.sentence == "a goes from 2 to 3. y changes by ?."


# choices


def test_choices_have_one_box_at_a_time(second: Pupil):
    second.runner.ask(both(second), choices=True)
    assert second.labels == ["−10", "−2", "+5", "+15"]
    assert second.line == "type one of the numbers, Enter answers"
    assert [blank.title for blank in second.strip.blanks] == ["contribution of × (e) → a"]
    second.give("−10")
    assert second.sentence == "× (e) passes −10 ✓ to a; a.grad is now ?."
    assert second.labels == ["−15", "−10", "−5", "5"]
    second.give("−5")
    assert second.sentence == "× (e) passes −10 ✓ to a; a.grad is now −5 ✓."
    assert second.line.startswith("✓ Right. ")
    assert second.ends == 1
    assert list(right_first_time(second.quiz.record.attempts).values()) == [True, True]


def test_a_wrong_choice_is_struck_and_the_second_unfolds_the_slope_with_choices_of_its_own(
    second: Pupil,
):
    second.runner.ask(both(second), choices=True)
    second.give("−2")
    assert second.labels == ["−10", "[−2]", "+5", "+15"]
    assert second.line == (
        "✘ −2 is how far e moves for 1 of a on this wire. How far does L move when e moves by −2?"
    )
    second.give("+15")
    assert second.sentence == "× (e) got 5 and passes 5 × ? = ? to a; a.grad is now ?."
    assert second.labels == ["−6", "−2", "1", "3"]
    assert second.line.endswith(
        "a +0.01 over e alone: e −0.02, and L −0.1. How much of e is that for 1 of a?"
    )
    second.give("−2")
    assert second.labels == ["−10", "[−2]", "+5", "[+15]"]
    second.give("−10")
    assert second.sentence == "× (e) passes −10 ✓ to a; a.grad is now ?."
    second.give("−5")
    assert list(right_first_time(second.quiz.record.attempts).values()) == [False, True]


def test_the_third_wrong_choice_shows_the_whole_step(second: Pupil):
    second.runner.ask(both(second), choices=True)
    for label in ("−2", "+15", "3"):
        second.give(label)
    worked = (
        "1 more of a is one more b in a × b: −2. Each 1 of e is 5 of L: 5 × (−2) = −10."
        " a can't move on one wire alone: 5 over d and −10 over e come at once, so 5 − 10 = −5."
    )
    assert second.line == f"Worked: {worked}"
    assert second.ends == 1


def test_without_a_distractor_the_answer_is_typed():
    at = Pupil("y = a + b", {"a": 2, "b": 5})
    at.playback.forward()
    at.runner.ask([Question("value", at.node("y"))], choices=True)
    assert at.labels == []
    at.give("7")
    assert at.ends == 1


def test_a_right_choice_is_right_though_it_is_written_with_few_digits():
    at = Pupil("y = tanh(x)", {"x": 0.3}, cursor=1)
    at.runner.ask([at.wire("local", "y.1")], choices=True)
    at.give("0.9151")
    assert at.sentence == "Along x, the slope of y (tanh) is 0.9151 ✓."
    assert at.line == "✓ Right. The slope of tanh(x) along x is 1 − tanh(x)²: 0.9151."


# other kinds of a step


def test_a_slope_and_a_sum_are_asked_without_the_product_between_them(second: Pupil):
    second.runner.ask([second.wire("sum", "e.1"), second.wire("local", "e.1")])
    assert second.sentence == "× (e) got 5 and passes 5 × ? = ? to a; a.grad is now ?."
    assert [blank.title for blank in second.strip.blanks] == [
        "slope of × (e) → a",
        "sum after × (e) → a",
    ]
    second.give("-2", "7")
    assert second.sentence == "× (e) got 5 and passes 5 × −2 ✓ = −10 to a; a.grad is now ?."


def test_which_node_may_fire_is_asked_for_by_a_click():
    at = Pupil(*TWO_WAYS, cursor=3)
    at.runner.ask([Question("next", at.node("d"), step=4)])
    assert at.quiz.hides_order
    assert at.sentence == "× (L) has fired. Which node may fire next? Click it."
    at.runner.click(at.node("e"))
    assert at.line.startswith("✘ ")
    at.runner.click(at.node("d"))
    assert at.sentence == "+ (d) fires next."
    assert at.ends == 1
    assert not at.quiz.hides_order


# signs, paths, own texts


HELP = [
    (
        *("p = a+b; y = p*c", {"a": 2, "b": -3, "c": 10}, "sign", "c", ("rises", "stays")),
        "✘ rises is not it. c is 10, and y is −10. What is y if c is 11?",
        "✘ stays is not it either. Raise c by 0.01 and y changes by −0.01.",
        "Worked: c.grad is −1, so y falls.",
        "Raise c by a little. y falls.",
    ),
    (
        *(*TWO_WAYS, "paths", "a", ("1", "3")),
        "✘ 1 is not it. Count the ways along the wires from a to L.",
        "✘ 3 is not it either. Ways from there on: × (e) 1, + (d) 1.",
        "Worked: 1 + 1 = 2.",
        "2 paths lead from a to L.",
    ),
    (
        *("y = a*a", {"a": 3}, "paths", "a", ("1", "3")),
        "✘ 1 is not it. Count the ways along the wires from a to y.",
        "✘ 3 is not it either. 2 wires lead on, to × (y); count from there.",
        "Worked: 2.",
        "2 paths lead from a to y.",
    ),
    (
        *("y = a*a", {"a": 3}, "paths", "y", ("2", "0")),
        "✘ 2 is not it. Count the ways along the wires from y to y.",
        "✘ 0 is not it either. y is the root: no wire is left to go along.",
        "Worked: 1.",
        "1 path leads from y to y.",
    ),
    (
        *(*PRODUCT, "change", "y", ("15", "1")),
        "✘ 15 is the new value of × (y). By how much did it change?",
        "✘ 1 is not it either. y is then 3 × 5 = …; before it was 10.",
        "Worked: y is then 3 × 5 = 15; 15 − 10 = +5.",
        "a goes from 2 to 3. y changes by +5.",
    ),
]


@in_turn(("asked", "told"), [(row[:5], row[5:]) for row in HELP])
def test_two_wrong_answers_are_helped_and_a_hint_then_works_it_out(asked, told):
    text, values, kind, node, given = asked
    first, second, worked, filled = told
    at = Pupil(text, values)
    at.runner.ask([change(at) if kind == "change" else Question(kind, at.node(node))])
    at.give(given[0])
    assert at.line == first
    at.give(given[1])
    assert at.line == second
    at.runner.hint()
    assert (at.line, at.sentence) == (worked, filled)


def test_a_sign_is_chosen_and_one_path_is_singular(product: Pupil):
    product.runner.ask([Question("sign", product.node("a"))])
    assert product.labels == ["rises", "falls", "stays"]
    product.runner.ask([Question("paths", product.node("a"))])
    product.give("1")
    assert product.sentence == "1 ✓ path leads from a to y."


def test_a_text_hides_nothing_and_is_asked_wherever_the_pass_is(product: Pupil):
    product.playback.backward(cursor=3)
    product.runner.ask([TEXT], asks={TEXT: OWN})
    assert product.playback.cursor == 3
    assert not product.playback.now.hides_numbers
    assert product.labels == ["a's", "b's"]
    product.give("a's")
    assert product.line == "✘ a's: a.grad is b."
    assert product.labels == ["[a's]", "b's"]


def test_no_hint_is_offered_once_all_options_but_one_were_wrong(product: Pupil):
    product.runner.ask([Question("sign", product.node("a"))])

    def offers_hint() -> bool:
        return next(b.enabled for b in product.strip.buttons if b.act == "hint")

    product.give("stays")
    assert offers_hint()
    product.give("falls")
    assert product.labels == ["rises", "[falls]", "[stays]"]
    assert not offers_hint()


def test_a_text_is_asked_outside_of_any_pass(product: Pupil):
    product.runner.ask([TEXT], asks={TEXT: OWN})
    assert product.playback.phase == "live"
    product.runner.answer()
    assert product.line == "Choose one first."
    product.runner.show_answer()
    assert product.line == "Worked: b's: b.grad is a."


def test_numbers_that_are_asked_later_are_hidden_while_a_text_is(product: Pupil):
    product.runner.ask([TEXT, change(product)], asks={TEXT: OWN})
    assert product.sentence == "Whose gradient moves when a moves?"
    assert product.playback.now.hides_numbers


# the lesson's own hint


def test_the_hint_of_the_lesson_comes_before_the_other_help(second: Pupil):
    second.runner.ask(both(second), choices=True, hint="The slope of **a × b** is not {a}.")
    second.give("−2")
    second.runner.hint()
    assert second.line == "The slope of a × b is not 3."
    assert second.labels == ["−10", "[−2]", "+5", "+15"]
    second.runner.hint()
    assert second.sentence.startswith("× (e) got 5 and passes 5 × ?")


def test_a_text_has_no_other_hint_and_who_took_it_was_not_right_first_time(product: Pupil):
    product.runner.ask([TEXT], asks={TEXT: OWN}, hint="Look at b.")
    product.runner.hint()
    assert product.line == "Look at b."
    assert "hint" not in product.acts
    product.give("b's")
    assert list(right_first_time(product.quiz.record.attempts).values()) == [False]
