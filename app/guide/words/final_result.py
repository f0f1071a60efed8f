"""The result of the final test: answers, verdicts, and the texts of score, rows and wrong answers.

A test has a step for each single question, and a last step with the questions about a whole pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from app.controls.spans import ListRow, Span, Spans, filled, number_span, verbatim
from app.guide.play.guide import Learner
from app.lessons.final_test import (
    FinalAnswers,
    FinalTest,
    GradedAnswer,
    GradedTest,
    clicked_node,
    drawn_test,
    graded,
    ideas_shown,
    lesson_of,
    name_of_click,
)
from app.workbench.gradients.formulas import enumerated, grad_name
from engine.asking.hand_run import fired_before
from engine.asking.inference import BY_NAME
from engine.asking.judging import number_text, quoted
from engine.asking.kinds import KINDS, answer, long_name
from engine.asking.question import Question
from engine.asking.record import Attempt, Try
from engine.graph import Graph
from engine.numbers import DIGITS_SHOWN, Digits, counted, short
from engine.trace import Trace

HEADS: Final = ("", "graph", "values", "question", "you", "right", "", "time")
"""The headings of the table of single questions; number and mark have none."""
CAN_DO_IT: Final = "You can do backpropagation by hand."
_PASSED: Final = "Passed: at least seven of eight, and every gradient of the whole graph."
_WANTED: Final = "To pass, at least seven of eight and every gradient of the whole graph are right."
_NOT_WHOLE: Final = "Enough single questions are right; the whole graph is not yet."
_NOT_SINGLES: Final = "The whole graph is right; too many single questions are not yet."
_NEITHER: Final = "Not yet: both the single questions and the whole graph need more practice."
_REPORT: Final = (
    "The report holds the seed, {seed}, your answers as you typed them, and the times."
    " `backwire grade` draws the test again and judges anew."
)
_IDEA: Final = "{idea}: {places}"
_PRACTISE: Final = "Practise this: lesson {number}"
_HAS_FIRED, _HAVE_FIRED = "{names} has fired", "{names} have fired"
_MINUTE: Final = 60  # seconds


class Score(Struct, frozen=True):
    """The texts of a score: of the singles, of the whole graph, on both, and what passes."""

    singles: str
    whole: str
    sentence: str
    to_pass: str

    @property
    def spoken(self) -> str:
        """Return the score as a screen reader reads it."""
        return f"{self.singles}, {self.whole}. {self.sentence}"


class WrongText(Struct, frozen=True):
    """The texts of wrong answers of one idea: the idea with their places, and the first's sentence.

    `returns`: it comes back in Daily five.
    """

    title: str
    said: str
    returns: bool


def time_text(seconds: float) -> str:
    """Return a time as `1:02`."""
    whole = round(seconds)
    return f"{whole // _MINUTE}:{whole % _MINUTE:02}"


def score_of(result: GradedTest) -> Score:
    score = f"{result.right_singles} of {len(result.singles)}"
    if result.all_gradients_right:
        whole = "and the whole graph right"
    else:
        right, total = result.right_gradients, len(result.gradients)
        whole = f"and {right} of {total} gradients of the whole graph"
    if result.passed:
        return Score(score, whole, CAN_DO_IT, _PASSED)
    if result.all_gradients_right:
        return Score(score, whole, _NOT_SINGLES, _WANTED)
    missing = _NOT_WHOLE if result.has_enough_singles else _NEITHER
    return Score(score, whole, missing, _WANTED)


def report_text(seed: int) -> Spans:
    before, command, after = _REPORT.format(seed=seed).split("`")
    return (
        Span(before, "secondary"),
        Span(command, "secondary", code=True),
        Span(after, "secondary"),
    )


def single_rows(
    test: FinalTest, answers: FinalAnswers, result: GradedTest, digits: Digits
) -> list[ListRow]:
    rows: list[ListRow] = []
    # the last of `seconds` is that of the whole graph
    answered = zip(test.singles, result.singles, answers.seconds, strict=False)
    for number, (single, each, seconds) in enumerate(answered, 1):
        asked = long_name(single.question, single.trace.graph)
        values, time = values_text(single.question, single.trace), time_text(seconds)
        right = right_span(each, digits)
        cells: tuple[Spans, ...] = (
            (Span(f"{number}", "secondary", bold=True),),
            (Span(_as_on_the_sheet(single.expression), code=True),),
            (Span(values, "value"),),
            (Span(asked),),
            (typed_span(each),),
            (right,),
            (mark_span(each),),
            (Span(time, "secondary"),),
        )
        rows.append(
            ListRow(
                cells,
                f"Question {number}, {asked}: {_spoken(each, right.text)}, time {time}",
                tone="" if each.right else "wrong",
                tooltip=f"{_as_on_the_sheet(single.expression)}\n{values}\n{asked}",
            )
        )
    return rows


def _as_on_the_sheet(expression: str) -> str:
    """Return formulas with the minus and the power that the sheet shows: `b^2`."""
    return expression.replace("-", "−").replace("**", "^")


def whole_row(test: FinalTest, answers: FinalAnswers) -> ListRow:
    whole, time = test.all_gradients, time_text(answers.seconds[-1])
    values = values_text(whole.questions[0], whole.trace)
    cells: tuple[Spans, ...] = (
        (Span("The whole graph", bold=True),),
        (Span(_as_on_the_sheet(whole.expression), code=True),),
        (Span(values, "value"),),
        (Span(time, "secondary"),),
    )
    return ListRow(cells, f"The whole graph, {whole.expression}, {values}, time {time}")


def gradient_lines(result: GradedTest, digits: Digits) -> Iterator[tuple[str, Spans, str]]:
    """Yield for each gradient of the whole graph its name, its answer, and how it is read."""
    for each in result.gradients:
        name, right = grad_name(each.trace.graph, each.question.node), right_span(each, digits)
        typed = () if each.right else (typed_span(each), Span(" "))
        line = (*typed, right, Span(" "), mark_span(each))
        yield name, line, f"{name}: {_spoken(each, right.text)}"


def wrong_texts(result: GradedTest) -> list[WrongText]:
    """Return the texts of the wrong answers by the idea behind them, the earliest lesson first."""
    places = [f"question {k}" for k, _each in enumerate(result.singles, 1)]
    places += [grad_name(each.trace.graph, each.question.node) for each in result.gradients]
    found: list[WrongText] = []
    for shown in ideas_shown(result):
        answers = [result.answers[place] for place in shown.places]
        # what no idea explains stands answer by answer
        groups = [shown.places] if shown.idea else [(place,) for place in shown.places]
        for group in groups:
            each = result.answers[group[0]]
            where = enumerated([places[place] for place in group])
            idea = BY_NAME[shown.idea].title if shown.idea else next(iter(each.slips), "")
            title = _IDEA.format(idea=idea[:1].upper() + idea[1:], places=where) if idea else ""
            returns = any(other.slips for other in answers)
            if not title:  # the name of a node stays as it is written
                title = where[:1].upper() + where[1:] if group[0] < len(result.singles) else where
            found.append(WrongText(title, each.said, returns))
    return found


class Practice(Struct, frozen=True):
    """The lesson that a result leads to first: the earliest that mends an idea shown in it."""

    lesson: str
    button: str


def practice_of(result: GradedTest) -> Practice | None:
    """Return the lesson to practise, or None where no idea was shown."""
    first = next(iter(ideas_shown(result)), None)
    if first is None or not first.lesson:
        return None
    return Practice(first.lesson_name, _PRACTISE.format(number=first.lesson))


def step_review(result: GradedTest, at: int, digits: Digits) -> list[Spans]:
    """Return the verdict on a single question, or those on the gradients of the whole graph."""
    if at < len(result.singles):
        return _review(result.singles[at], digits)
    return [
        (Span(f"{name} ", "secondary"), *line) for name, line, _ in gradient_lines(result, digits)
    ]


def _review(each: GradedAnswer, digits: Digits) -> list[Spans]:
    """Return the lines about one answer: the verdict, and the sentence of a wrong one."""
    right = right_span(each, digits)
    if each.right:
        return [filled("{mark} You said {typed}.", mark=mark_span(each), typed=typed_span(each))]
    fields = {"mark": mark_span(each), "typed": typed_span(each), "right": right}
    return [filled("{mark} You said {typed}; right is {right}.", **fields), verbatim(each.said)]


def values_text(question: Question, trace: Trace) -> str:
    """Return the values of the leaves: `a −1, b 5`; for `next` what has fired."""
    graph = trace.graph
    if question.kind == "next":
        names = [graph.brief(node) for node in fired_before(trace, question.step)]
        return counted(len(names), _HAS_FIRED, _HAVE_FIRED, names=enumerated(names))
    leaves = sorted(graph.leaves, key=graph.brief)
    return ", ".join(f"{graph.brief(leaf)} {short(trace.values[leaf])}" for leaf in leaves)


def typed_span(each: GradedAnswer) -> Span:
    """Return an answer as it was typed; a wrong one is struck."""
    return Span(quoted(each.text.replace("-", "−")), strike=not each.right)


def right_span(each: GradedAnswer, digits: Digits) -> Span:
    """Return the right answer in the colour of its meaning."""
    if each.question.kind == "next":
        return Span(each.right_text, bold=True)
    right = answer(each.question, each.trace)
    role = KINDS[each.question.kind].role
    return number_span(right, role, number_text(each.question, right, digits))


def mark_span(each: GradedAnswer) -> Span:
    """Return ✓ or ✘."""
    return Span("✓", bold=True) if each.right else Span("✘", "error", bold=True)


def _spoken(each: GradedAnswer, right: str) -> str:
    """Return an answer and its verdict as a screen reader reads them."""
    typed = typed_span(each).text
    return f"you said {typed}, right" if each.right else f"you said {typed}, right is {right}"


def answers_of(state: Learner) -> FinalAnswers:
    """Return the answers of an ended test, as they were typed."""
    test, steps = drawn_test(state.seed), len(state.lesson.steps)
    by_step = [state.attempts[at] for at in range(steps)]
    whole_texts = {attempt.question: attempt.text for attempt in by_step[-1]}
    singles = zip(test.singles, by_step, strict=False)  # without the last step
    return FinalAnswers(
        state.seed,
        tuple(_text(attempts[0], single.trace.graph) for single, attempts in singles),
        tuple(whole_texts[question] for question in test.all_gradients.questions),
        # the questions of a step are put together: the last answer has the time of all
        tuple(max(attempt.seconds for attempt in attempts) for attempts in by_step),
    )


def state_of(answers: FinalAnswers) -> Learner:
    """Return the state of an ended test from its answers: the inverse of `answers_of`."""
    test = drawn_test(answers.seed)
    lesson, result = lesson_of(test), graded(test, answers)
    by_step = (*((each,) for each in result.singles), result.gradients)
    steps = zip(by_step, answers.seconds, strict=True)
    return Learner(
        lesson,
        done=("done",) * len(lesson.steps),
        attempts={
            k: tuple(_attempt(x, time) for x in step) for k, (step, time) in enumerate(steps)
        },
        seed=answers.seed,
    )


def result_of(state: Learner, digits: Digits = DIGITS_SHOWN) -> GradedTest:
    """Return the verdicts on an ended test."""
    return graded(drawn_test(state.seed), answers_of(state), digits)


def _text(attempt: Attempt, graph: Graph) -> str:
    """Return an answer as it was typed; a click as the name of its node."""
    if attempt.question.kind == "next":
        return name_of_click(graph, int(attempt.text))  # the quiz keeps its id
    return attempt.text


def _attempt(each: GradedAnswer, seconds: float) -> Attempt:
    """Return a graded answer as the attempt of a quiz, which keeps a click as the node's id."""
    node = clicked_node(each.trace.graph, each.text) if each.question.kind == "next" else None
    text = each.text if node is None else str(node)
    return Attempt(each.question, (Try(text, each.verdict, each.slips),), seconds=seconds)
