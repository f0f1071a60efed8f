"""Evidence: what the sheet shows of a question, the same claim before its answer and after it.

The truth runs once a step is answered or shown: of a change or a slope its ripple, of a
contribution or a sum the step itself. Before, the experiment of the second help is a ripple too,
whose last number is left to the learner; another way has marks of its own.
"""

from __future__ import annotations

import math
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from app.workbench.modes.quiz import WORKED_RUNG, Quiz
from engine.asking.beliefs import Belief
from engine.asking.judging import read_answer
from engine.asking.nudge import USUAL_CHANGE, GraphRipple, change_since, ripple_along
from engine.asking.question import Kind, Question, changed_values
from engine.asking.reasons import Marks, Said, experiment
from engine.asking.ways import Way, WayName, ways
from engine.frame import Frame
from engine.numbers import DIGITS_SHOWN, Digits
from engine.trace import Trace, kept_for_pass

Role: TypeAlias = Literal["truth", "experiment"]
_ways_of = kept_for_pass(ways)


@kept_for_pass
def _experiment_of(
    question: Question,
    trace: Trace,
    digits: Digits,
    *,
    asks_slope: bool = False,
    belief: Belief | None = None,
) -> Said | None:
    """Return the experiment; where none tells of a contribution, that of its slope."""
    told = experiment(question, trace, digits, asks_slope=asks_slope, belief=belief)
    if told is not None or question.kind != "contribution":
        return told
    return experiment(replace(question, kind="local"), trace, digits, belief=belief)


class Evidence(Struct, frozen=True):
    """A question whose ripple is shown: the truth of its answer, or the experiment before it."""

    question: Question
    role: Role


def helped_question(quiz: Quiz, frame: Frame) -> Question | None:
    """Return the question that help is about: the first wrong blank, or else the first open one.

    A click on a node and the choice of a lesson's answer have no evidence.
    """
    unanswered = quiz.open_questions(frame)
    if not unanswered or quiz.is_cover or not quiz.takes_help or quiz.is_poll:
        return None
    given = [quiz.last_answers[q] for q in unanswered if q in quiz.last_answers]
    question = given[0].question if given else unanswered[0]
    is_judged = not given or given[0].judgement is not None
    has_evidence = question.wire is not None or question.kind == "sign"
    asleep = quiz.numbers_put_aside(frame)
    return question if has_evidence and is_judged and not asleep else None


def evidence(quiz: Quiz, frame: Frame) -> Evidence | None:
    """Return the question whose ripple is shown now, if there is one."""
    answered = quiz.answered_questions
    if answered:
        plays = answered[0].kind == "change" or {q.kind for q in answered} == {"local"}
        return Evidence(answered[0], "truth") if plays else None
    question = helped_question(quiz, frame)
    shows = quiz.way == "ripple" or (quiz.rung == WORKED_RUNG - 1 and not quiz.way)
    return Evidence(question, "experiment") if question is not None and shows else None


def ripple_of(found: Evidence, trace: Trace) -> GraphRipple | None:
    """Return the ripple that shows a question; None where none is true."""
    question = found.question
    if question.kind == "change":
        new = changed_values(question, trace.graph)
        return change_since(trace.graph, question.leaf, trace.values, new)
    if question.wire is None:
        return None
    told = _experiment_of(question, trace, DIGITS_SHOWN)
    if told is None or (not told.marks and found.role == "experiment"):
        return None
    if not told.marks:  # the truth of a curve is shown as nearly as a change can
        return ripple_along(trace, (question.wire,), USUAL_CHANGE, question.node)
    (receiver, (change, *_)), (watched, _shares) = told.marks[0], told.marks[-1]
    raised = (w for claim, _text in told.claims if claim.change == change for w in claim.wires)
    wires = frozenset(wire for wire in raised if trace.graph.source(wire) == receiver)
    return ripple_along(trace, wires, change, watched) if wires else None


def told_experiment(quiz: Quiz, question: Question, trace: Trace, digits: Digits) -> Said | None:
    """Return the experiment of the second help, for the belief behind the last wrong answer."""
    asks_slope = quiz.helped_blank(question) != question
    given = quiz.last_answers.get(question)
    belief = None if given is None or given.judgement is None else given.judgement.slip
    return _experiment_of(question, trace, digits, asks_slope=asks_slope, belief=belief)


def helping_changes(quiz: Quiz, frame: Frame, digits: Digits) -> Marks:
    """Return the changes that the experiment names, by node; () without one, as in Cover.

    Several changes of one node are for the learner to add.
    """
    found, trace = evidence(quiz, frame), frame.unhidden
    if found is None or found.role == "truth" or trace is None:
        return ()
    told = told_experiment(quiz, found.question, trace, digits)
    return () if told is None else told.marks


def offered_ways(quiz: Quiz, frame: Frame, digits: Digits = DIGITS_SHOWN) -> tuple[WayName, ...]:
    """Return the names of the ways to the answer that are true here, the experiment first."""
    question, trace = helped_question(quiz, frame), frame.unhidden
    if question is None or trace is None:
        return ()
    told = _experiment_of(question, trace, DIGITS_SHOWN)
    names: list[WayName] = ["ripple"] if told is not None and told.marks else []
    return (*names, *(way.name for way in _ways(quiz, frame, question, digits)))


def shown_way(quiz: Quiz, frame: Frame, digits: Digits = DIGITS_SHOWN) -> Way | None:
    """Return the way that is shown; None for the experiment, which the second help says too."""
    question = helped_question(quiz, frame)
    if question is None or quiz.way in ("", "ripple"):
        return None
    found = _ways(quiz, frame, question, digits)
    return next((way for way in found if way.name == quiz.way), None)


def question_on_curve(quiz: Quiz, frame: Frame, digits: Digits = DIGITS_SHOWN) -> Question | None:
    """Return the question whose curve is shown: as another way, or as a lesson asks for its slope.

    A lesson's text speaks of the curve and its tangent from the start.
    """
    question, trace = helped_question(quiz, frame), frame.unhidden
    if question is None or trace is None:
        return None
    asked = quiz.lesson_questions
    of_file = asked is not None and asked.kind == "lesson"
    by_lesson = of_file and question.kind == "local" and not quiz.way
    if quiz.way != "curve" and not by_lesson:
        return None
    names = [way.name for way in _ways(quiz, frame, question, digits)]
    return question if "curve" in names else None


def following_way(quiz: Quiz, frame: Frame, digits: Digits = DIGITS_SHOWN) -> WayName | None:
    """Return the way that comes next, cyclically; None where there is no other one."""
    names = offered_ways(quiz, frame, digits)
    shown = quiz.way or ("ripple" if evidence(quiz, frame) is not None else "")
    if not shown and question_on_curve(quiz, frame, digits) is not None:
        shown = "curve"
    if not names or names == (shown,):
        return None
    return names[(names.index(shown) + 1) % len(names)] if shown in names else names[0]


def _ways(quiz: Quiz, frame: Frame, question: Question, digits: Digits) -> tuple[Way, ...]:
    assert frame.unhidden is not None
    question = quiz.helped_blank(question)
    wrong = quiz.wrong_answers(question)
    typed = read_answer(wrong[-1]).number if wrong else None
    others = tuple[Kind, ...](q.kind for q in quiz.open_questions(frame) if q != question)
    number = math.nan if typed is None else typed
    return _ways_of(question, frame.unhidden, digits, open_kinds=others, typed=number)
