"""What the sheet shows of a question: the experiment before its answer, the truth after it."""

import math
from typing import Literal

from app.workbench.modes.evidence import evidence, helping_changes, offered_ways
from app.workbench.modes.quiz import Steps
from app.workbench.playback.view_state import ViewState
from engine.asking.question import Kind
from engine.asking.record import regraded, right_first_time
from engine.numbers import DIGITS_SHOWN
from tests.helpers.pupil import Pupil
from tests.helpers.tables import in_turn

SHARED = "e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2}


def before(cursor: int, level: str) -> Pupil:
    """Somebody who is asked about the shared leaf at a step."""
    pupil = Pupil(*SHARED, cursor=cursor)
    pupil.runner.choose(level, "every")
    pupil.runner.toggle()
    return pupil


def shown(pupil: Pupil) -> tuple[str, dict[str, float]]:
    """The role of the ripple on the sheet, and by how much it says each node changes."""
    now: ViewState = pupil.playback.now
    if now.ripple is None or now.evidence is None:
        return "", {}
    names = now.ripple.graph.names
    changes = {names[n]: round(now.ripple.change(n), 6) for n in now.ripple.columns}
    return now.evidence.role, changes


@in_turn(
    "level, cursor, wrong, right, experiment, truth",
    [
        ("slope", 5, "5", "-3", {"a": 0.01, "e": -0.03}, {"a": 0.01, "e": -0.03}),
        ("contribution", 5, "5", None, {"a": 0.01, "e": -0.03, "d": -0.03, "L": 0.06}, None),
        ("sum", 5, "5", "4", {"a": 0.01, "e": -0.03, "d": -0.02, "L": 0.04}, None),
    ],
)
def test_a_first_wrong_try_shows_nothing_the_second_the_experiment_an_answer_the_truth(
    level: str,
    cursor: int,
    wrong: str,
    right: str | None,
    experiment: dict[str, float],
    truth: dict[str, float] | None,
):
    pupil = before(cursor, level)
    assert shown(pupil) == ("", {})
    pupil.give(wrong)
    assert shown(pupil) == ("", {})
    pupil.give("-7")
    assert shown(pupil) == ("experiment", experiment)
    seen = pupil.playback.now.ripple
    [*_, question] = pupil.quiz.blanks(pupil.playback.frame)
    pupil.runner.set_text(question, "7")
    assert pupil.playback.now.ripple is seen, "it runs once, whatever is typed"
    if right is None:
        pupil.runner.show_answer()
    else:
        pupil.give(right)
    assert shown(pupil) == (("truth", truth) if truth else ("", {}))
    pupil.go_on()
    assert shown(pupil) == ("", {})


def test_the_numbers_of_a_sum_are_its_shares_and_never_what_they_make():
    pupil = before(5, "sum")
    pupil.runner.hint()
    pupil.runner.hint()
    names = pupil.document.graph.names
    changes = helping_changes(pupil.quiz, pupil.playback.frame, DIGITS_SHOWN)
    found = {names[node]: tuple(round(x, 6) for x in numbers) for node, numbers in changes}
    assert found == {"a": (0.01,), "L": (-0.02, 0.06)}


@in_turn(
    "level, cursor, ways",
    [
        ("slope", 5, ("ripple", "places")),
        ("contribution", 5, ("ripple", "places", "gears")),
        ("sum", 5, ("ripple",)),
        ("final gradients", 0, ()),
        ("next node", 3, ()),
    ],
)
def test_another_way_goes_round_through_what_is_true_and_counts_as_one_hint(
    level: str, cursor: int, ways: tuple[str, ...]
):
    pupil = before(cursor, level)
    assert offered_ways(pupil.quiz, pupil.playback.frame) == ways
    assert ("another" in [b.act for b in pupil.strip.offers]) is bool(ways)
    lines = []
    for _ in (*ways, *ways[:1]):
        pupil.runner.take_another_way()
        lines.append(pupil.line)
    assert len(set(lines)) == len(ways)
    assert lines[:1] == lines[len(ways) :] or len(ways) == 1
    assert pupil.quiz.rung == 0, "the tries stay"
    if ways:
        question = pupil.runner.question
        assert question is not None
        assert pupil.quiz.hints_by_step == {question.key: 1}


def test_an_answer_ends_a_way_and_what_was_right_after_it_was_helped():
    pupil = before(5, "contribution")
    pupil.runner.take_another_way()
    pupil.give("5")
    assert (pupil.quiz.way, shown(pupil)) == ("", ("", {}))
    assert pupil.line.startswith("✘ 5 ")
    pupil.runner.take_another_way()
    pupil.give("6")
    [attempt] = pupil.quiz.record.attempts
    assert (attempt.right, attempt.hints, attempt.right_first) == (True, 1, False)


def test_cover_a_test_and_a_room_are_shown_no_way_and_no_experiment():
    pupil = Pupil(*SHARED, cursor=5)
    pupil.runner.toggle(cover=True)
    assert evidence(pupil.quiz, pupil.playback.frame) is None
    assert offered_ways(pupil.quiz, pupil.playback.frame) == ()
    for kind in ("test", "lecture"):
        question = pupil.wire("contribution", "e.1")
        pupil.runner.ask([question], kind=kind)
        assert offered_ways(pupil.quiz, pupil.playback.frame) == (), kind
        assert pupil.quiz.wrong_number(pupil.playback.frame) is None, kind


def test_a_slope_that_unfolded_is_judged_before_its_product_is_filled_in():
    pupil = before(5, "contribution")
    pupil.give("5")
    pupil.runner.hint()
    slope, product = pupil.quiz.blanks(pupil.playback.frame)
    pupil.runner.set_text(slope, "-3")
    pupil.runner.answer(DIGITS_SHOWN)
    assert pupil.quiz.blanks(pupil.playback.frame) == (product,)
    assert "−3" in pupil.sentence


def test_what_follows_from_a_wrong_number_is_neither_counted_nor_shown_in_its_place():
    pupil = before(5, "contribution and sum")
    pupil.give("-6", "-8")
    frame = pupil.playback.frame
    found = pupil.quiz.wrong_number(frame)
    assert found is not None
    assert (found[0].kind, found[1]) == ("contribution", -6.0)
    pupil.give("6", "4")
    assert pupil.quiz.wrong_number(pupil.playback.frame) == found
    record = pupil.quiz.record
    counted = {q.kind: right for q, right in right_first_time(record.attempts).items()}
    assert counted == {"contribution": False}
    assert regraded(record, pupil.playback.frame.graph).attempts == record.attempts


@in_turn(
    "level, typed, number", [("slope", "5", 5.0), ("contribution", "-4", -4.0), ("sum", "6", 6.0)]
)
def test_the_wrong_number_stands_until_go_on(level: str, typed: str, number: float):
    pupil = before(5, level)
    pupil.give(typed)
    kind: Kind = pupil.quiz.blanks(pupil.playback.frame)[0].kind
    found = pupil.quiz.wrong_number(pupil.playback.frame)
    assert found is not None
    assert (found[0].kind, found[1]) == (kind, number)
    pupil.runner.show_answer()
    assert pupil.quiz.wrong_number(pupil.playback.frame) == found
    pupil.go_on()
    assert pupil.quiz.wrong_number(pupil.playback.frame) is None


def test_a_long_pass_is_asked_about_where_paths_meet_unless_steps_are_chosen():
    text = "; ".join(["v0 = a*b", *(f"v{k} = v{k - 1}*a" for k in range(1, 8))])
    pupil = Pupil(text, {"a": 1.5, "b": 2})
    pupil.runner.toggle()
    assert (pupil.runner.steps, pupil.quiz.steps, pupil.quiz.record.meet) == ("every", "meet", True)
    question = pupil.runner.question
    assert question is not None, "it asks at once"
    assert (question.step, pupil.strip.note) == (5, "14 questions · Blanks")
    pupil.runner.set_steps("every")
    assert (pupil.quiz.steps, pupil.strip.note) == ("every", "20 questions · Blanks")
    assert pupil.runner.chosen_steps == "every"
    kept: tuple[tuple[Steps | Literal[""], Steps], ...] = (("", "meet"), ("every", "every"))
    for chosen, asked in kept:  # as the next start of the program reads them
        again = Pupil(text, {"a": 1.5, "b": 2})
        again.runner.restore("contribution and sum", chosen)
        again.runner.toggle()
        assert (again.quiz.steps, again.runner.chosen_steps) == (asked, chosen)
    few = Pupil(*SHARED)
    few.runner.toggle()
    assert (few.quiz.steps, few.strip.note) == ("every", "7 questions · Blanks"), (
        "one step has a sum"
    )
    assert math.isclose(few.playback.cursor, 1)
