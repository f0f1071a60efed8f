"""The answers and the verdicts of the final test that a learner has ended.

A test has a step for each single question, and a last step with the questions about a whole pass.
"""

from __future__ import annotations

from app.lessons.final_test import FinalAnswers, GradedTest, drawn_test, graded, name_of_click
from app.workbench.lesson_state import LessonState
from engine.graph import Graph
from engine.numbers import DIGITS_SHOWN, Digits
from engine.study.record import Attempt


def answers_of(state: LessonState) -> FinalAnswers:
    """Return the answers of an ended test, as they were typed."""
    test, steps = drawn_test(state.seed), len(state.lesson.steps)
    by_step = [state.attempts[at] for at in range(steps)]
    whole_texts = {attempt.question: attempt.text for attempt in by_step[-1]}
    singles = zip(test.singles, by_step, strict=False)  # without the last step
    return FinalAnswers(
        state.seed,
        tuple(_text(attempts[0], single.trace.graph) for single, attempts in singles),
        tuple(whole_texts[question] for question in test.whole.questions),
        # the questions of a step are put together: the last answer has the time of all
        tuple(max(attempt.seconds for attempt in attempts) for attempts in by_step),
    )


def result_of(state: LessonState, digits: Digits = DIGITS_SHOWN) -> GradedTest:
    """Return the verdicts on an ended test."""
    return graded(drawn_test(state.seed), answers_of(state), digits)


def _text(attempt: Attempt, graph: Graph) -> str:
    """Return an answer as it was typed; a click as the name of its node."""
    if attempt.question.kind == "next":
        return name_of_click(graph, int(attempt.text))  # the quiz keeps its id
    return attempt.text
