"""What a run ends with: each question counts once, and so do its slips."""

from app.workbench.words.ends import summary_of
from engine.study.question import Question
from engine.study.record import Attempt, Record, Try


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
