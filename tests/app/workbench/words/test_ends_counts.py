"""What a run ends with: each question counts once, and so do its slips."""

from app.workbench.words.ends import slip_text, summary_of
from engine.asking.question import Kind, Question
from engine.asking.record import Attempt, Record, Try


def attempt(step: int, round_: int, *slips: str) -> Attempt:
    tried = Try("7", "slip" if slips else "right", slips)
    return Attempt(Question("contribution", 3, 0, step), (tried,), round=round_)


def test_of_several_rounds_a_question_has_the_slips_of_its_first_answer_alone():
    rounds = (
        *(attempt(2, 0, "replaced"), attempt(3, 0, "own value")),
        *(attempt(2, 1, "replaced"), attempt(3, 1)),
        *(attempt(2, 2, "replaced"), attempt(3, 2)),
    )
    once = summary_of(Record("predict", "", attempts=rounds[:2]))
    assert (
        summary_of(Record("predict", "", attempts=rounds)).split(". ", 1)[1]
        == (once.split(". ", 1)[1])
    )
    assert once.endswith("1 of 2 missed: the last wire alone.")


def test_each_blank_missed_at_its_first_try_counts_and_what_followed_does_not():
    def tried(step: int, kind: Kind, *tries: Try) -> Attempt:
        return Attempt(Question(kind, 3, 0, step), tries)

    slip, unknown = Try("7", "slip", ("replaced",)), Try("7", "wrong")
    attempts = (
        *(tried(2, "contribution", unknown), tried(2, "sum", slip)),
        *(tried(3, "contribution", unknown, slip), tried(3, "sum", Try("4", "right"))),
        *(tried(4, "contribution", Try("5", "slip", ("not added",)), slip), tried(5, "sum", slip)),
        tried(4, "sum", Try("8", "wrong", follows=True)),
    )
    assert slip_text(attempts) == "2 of 5 missed: the last wire alone."
    assert slip_text(attempts[2:4]) == "", "a second try gives no name"
