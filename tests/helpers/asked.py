"""Learners who are asked: modes as they begin, and what one may have done at a step."""

from collections.abc import Callable, Mapping

from app.workbench.modes.mode import STEPPING
from app.workbench.modes.quiz import Quiz
from app.workbench.playback.playback import Playback
from app.workbench.runners.quiz_runner import QuizRunner
from engine.asking.kinds import answer
from engine.asking.question import DEFAULT_LEVEL, LEVELS, Question
from engine.asking.record import Record
from engine.numbers import plain


def cover(playback: Playback, wanted: bool = True, level: str = "contribution") -> None:
    """Hide the next number, or show all again."""
    graph = playback.frame.graph
    quiz = Quiz(
        is_cover=True,
        level=LEVELS[level],
        steps="every",
        record=Record("cover", level),
        graph=graph,
    )
    playback.set_mode(quiz if wanted else STEPPING)


def ask(runner: QuizRunner, level: str = DEFAULT_LEVEL, *, is_cover: bool = False) -> None:
    """Begin Ask me, or Cover, at the step that is shown; every step is asked about."""
    runner.choose(level, "every")
    runner.toggle(cover=is_cover)


def open_questions(runner: QuizRunner) -> tuple[Question, ...]:
    """The blanks that are still to be filled in."""
    now = runner.now
    return () if now is None else now.open_questions(runner._playback.frame)


def fill(runner: QuizRunner, texts: str | Mapping[str, str] | None = None) -> None:
    """Type into each open blank: one text, one for each kind, or what is right."""
    trace = runner._playback.frame.unhidden
    assert trace is not None
    for question in open_questions(runner):
        if isinstance(texts, str):
            text = texts
        elif texts is not None and question.kind in texts:
            text = texts[question.kind]
        else:
            text = plain(answer(question, trace))
        runner.set_text(question, text)


def give(runner: QuizRunner, texts: str | Mapping[str, str] | None = None) -> None:
    """Fill in all open blanks, or click the node that fires next, and press Answer."""
    question = runner.question
    trace = runner._playback.frame.unhidden
    assert trace is not None
    if question is not None and question.kind == "next":
        wrong = isinstance(texts, str)
        runner.click(trace.root if wrong else question.node)
        return
    fill(runner, texts)
    runner.answer()


def climb(runner: QuizRunner) -> None:
    """Take two rungs of help, so that a folded sentence unfolds."""
    runner.hint()
    runner.hint()


STATES: Mapping[str, Callable[[QuizRunner], None]] = {
    "asked": lambda runner: None,
    "typed": lambda runner: fill(runner, "17"),
    "wrong": lambda runner: give(runner, "123456"),
    "climbed": climb,
    "answered": give,
}
"""What a learner may have done at a step before somebody looks at it."""
