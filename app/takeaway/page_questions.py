"""Page questions: each blank of a step with its answer, its slips, and the help, rung by rung.

Every sentence is that of the strip: the state of Ask me in which it is shown is made here, and the
strip is asked for its text. On a page a sentence has one blank at a time, and does not unfold.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from app.lessons.lesson import Ask, Choice, Form
from app.takeaway.page_data import (
    AnswerData,
    ChoiceData,
    QuestionData,
    RecordId,
    SlipData,
    Span,
    Text,
    Widened,
)
from app.takeaway.page_figure import State, change, state_of, wire_key
from app.takeaway.page_views import TYPED, strip_of, text_of, without_box
from app.takeaway.page_wording import CLICK
from app.workbench.modes.quiz import JudgedAnswer, LessonQuestions, Quiz
from app.workbench.playback.view_state import ViewState, view_of
from app.workbench.words.asked import NAME_LENGTH, POSITION_GAP
from app.workbench.words.help import (
    answer_label,
    outside_pass_prompt,
    right_answer_line,
    second_hint,
)
from engine.formats.native import JsonNumber, json_number
from engine.frame import Frame, frame_at
from engine.graph import OpNode
from engine.numbers import Digits, plain
from engine.problems import spoken_briefly
from engine.study.grading import right_sentence, slip_sentence
from engine.study.hand_run import click_slip
from engine.study.judging import Blank, Judgement, choices, judge, number_text, rounded_forms
from engine.study.question import (
    ASKED_BEFORE_PASS,
    LEVELS,
    Question,
    answer,
    error_scale,
    facts,
    near,
    steps_before,
)
from engine.study.ranges import Range, answer_range, printed
from engine.study.record import Record
from engine.study.slips import slip_numbers
from engine.trace import Trace, run_forward

TRIES: Final = (1, 2, 3)
"""Tries for which a right answer has a verdict."""
_READING_ORDER: Final = LEVELS["whole step"].kinds
_KEY_LETTERS: Final = {"upstream": "u", "local": "l", "contribution": "c", "sum": "a"}
"""The letter of a wire's number in the key of a state, by the kind of question."""


class Asking(Struct, frozen=True):
    """Questions about one pass, and the frame of its step, which shows while a text is asked."""

    questions: tuple[Question, ...]
    trace: Trace
    frame: Frame
    digits: Digits
    form: Form = "field"
    own: Mapping[Question, Ask] = {}


class Asked(Struct, frozen=True):
    """The questions of a step as data, and the states before the first and after the last."""

    questions: list[QuestionData]
    before: State
    after: State
    frame: Frame
    """The frame after the last one."""
    view: ViewState
    """What is on the screen while the first one is open."""


def asked(asking: Asking) -> Asked:
    """Return the questions in the order in which a page asks them."""
    found: list[QuestionData] = []
    states: list[State] = []
    views: list[ViewState] = []
    frame = asking.frame
    for sentence in _sentences(asking.questions):
        frame = _frame_at(asking, sentence[0])
        for place, question in enumerate(sentence):
            writer = _Writer(asking, frame, sentence, place)
            states.append(writer.state)
            views.append(writer.view)
            found.append(writer.data(question))
        frame = _frame_after(asking, sentence[0], frame)
    states.append(state_of(frame, asking.digits))
    for question, before, after in zip(found, states, states[1:], strict=False):
        question.reveals = change(before, after)
    return Asked(found, states[0], states[-1], frame, views[0])


def _sentences(questions: Sequence[Question]) -> Iterator[tuple[Question, ...]]:
    """Yield the questions that share a sentence, in reading order."""
    waiting = list(questions)
    while waiting:
        first = waiting[0]
        if first.kind == "final":
            together = [q for q in waiting if q.kind == "final"]
        elif first.wire is not None:
            together = [q for q in waiting if q.wire is not None and q.step == first.step]
            together.sort(key=lambda q: _READING_ORDER.index(q.kind))
        else:
            together = [first]
        yield tuple(together)
        waiting = [q for q in waiting if q not in together]


def _frame_at(asking: Asking, question: Question) -> Frame:
    """Return the frame at which a question is asked."""
    trace = asking.trace
    if question.kind == "text":
        return asking.frame
    if question.kind == "value":
        return frame_at(run_forward(trace.graph), steps_before(question, trace))
    if question.kind in ASKED_BEFORE_PASS:
        return frame_at(trace, 0)
    return frame_at(trace, steps_before(question, trace))


def _frame_after(asking: Asking, question: Question, frame: Frame) -> Frame:
    """Return the frame that shows the answers of a sentence."""
    if frame.trace is None or question.kind == "text":
        return frame
    if question.kind == "final":
        return frame_at(frame.trace, len(frame.trace))
    if question.kind in ASKED_BEFORE_PASS:
        return frame
    return frame_at(frame.trace, frame.cursor + 1)


def _chosen(span: Span) -> Span:
    """Return a span of a sentence that asks for a node: on a page it is one of the choices."""
    if isinstance(span, list):
        return [CLICK.get(span[0], span[0]), *span[1:]]
    return span


class _Writer:
    """Writes the question at one place of a sentence; those before it are answered."""

    def __init__(
        self, asking: Asking, frame: Frame, sentence: tuple[Question, ...], place: int
    ) -> None:
        self._asking, self._frame, self._place = asking, frame, place
        self._sentence, self._question = sentence, sentence[place]
        self._trace = asking.trace
        self._digits: Digits = asking.digits
        own = {q: asking.own[q] for q in sentence if q in asking.own}
        lesson = LessonQuestions(sentence, own=own)
        done = sentence[:place]
        self._quiz = Quiz(
            lesson_questions=lesson,
            level=lesson.level,
            steps="every",
            record=Record("predict", lesson.level.name, self._trace.rules.name),
            graph=self._trace.graph,
            done=frozenset(done),
            last_answers={q: self._right(q) for q in done},
        )
        self.view = view_of(frame, self._quiz)

    @property
    def state(self) -> State:
        """Return the numbers on the figure while the question is open."""
        return state_of(self.view.frame, self._digits)

    def data(self, question: Question) -> QuestionData:
        """Return the question with all its sentences."""
        strip = strip_of(self.view, self._digits)
        found = QuestionData(
            record=RecordId(
                question.kind,
                question.node,
                None if question.wire is None else question.slot,
                question.step,
            ),
            sentence=text_of(strip.sentence),
            answered=self._answered_sentence(),
            worked_sentence=self._shown("sentence"),
            rest=len(self._sentence) - self._place - 1,
            title=strip.blanks[0].title if strip.blanks else "",
            key=self._key(),
            prompt=text_of([span for span in strip.answer if not span.text.endswith(POSITION_GAP)]),
            worked=self._shown("answer"),
        )
        match question.kind:
            case "text":
                self._add_own_choices(found)
            case "next":
                self._add_nodes(found)
            case _:
                self._add_number(found)
        return found

    def _key(self) -> str:
        question = self._question
        if question.wire is not None:
            return f"{_KEY_LETTERS[question.kind]}{wire_key(question.wire)}"
        letter = {"value": "v", "final": "g"}.get(question.kind)
        return "" if letter is None else f"{letter}{question.node}"

    # states of Ask me, and what the strip says in them

    def _right(self, question: Question) -> JudgedAnswer:
        """Return the right answer to a question, judged."""
        own = self._asking.own.get(question)
        if question.kind == "text":
            right = "" if own is None else next(c.text for c in own.choices if c.right)
            return JudgedAnswer(question, right, True)
        if question.kind == "next":
            return JudgedAnswer(question, str(question.node), True)
        number = answer(question, self._trace)
        blank = Blank(question, plain(number), number)
        return JudgedAnswer(question, blank.text, True, Judgement("right", blank, number))

    def _strip_text(self, quiz: Quiz, part: str) -> Text:
        strip = strip_of(self._view_with(quiz), self._digits)
        return text_of(strip.sentence if part == "sentence" else strip.answer)

    def _view_with(self, quiz: Quiz) -> ViewState:
        return view_of(self._frame, quiz)

    def _answered_sentence(self) -> Text:
        """Return the sentence after the right answer."""
        question, quiz = self._question, self._quiz
        done = quiz.done | {question}
        after = replace(
            quiz,
            done=done,
            tries=1,
            last_answers={**quiz.last_answers, question: self._right(question)},
            answered_questions=self._sentence if done.issuperset(self._sentence) else (),
        )
        return without_box(self._strip_text(after, "sentence"))

    def _shown(self, part: str) -> Text:
        """Return the sentence or the line once Show me has shown this blank and those after it."""
        shown = self._quiz.revealed(self._frame).with_answers_shown(self._sentence)
        return self._strip_text(shown, part)

    def _helped(self, hints: int) -> Text:
        return self._strip_text(replace(self._quiz, hints=hints), "answer")

    def _wrong(self, given: JudgedAnswer, tries: int) -> Text:
        """Return the line after a wrong answer, at the first try or the second."""
        answers = {**self._quiz.last_answers, self._question: given}
        return self._strip_text(replace(self._quiz, last_answers=answers, tries=tries), "answer")

    def _wrong_twice(self, given: JudgedAnswer) -> Text:
        """Return the line after a second wrong answer, without the help that follows in it."""
        line, help_text = self._wrong(given, 2), self._second()
        assert line[len(line) - len(help_text) :] == help_text
        return line[: len(line) - len(help_text)]

    def _second(self) -> Text:
        return text_of(second_hint(self._question, self._trace, self._digits))

    def _praise(self, judged: Judgement) -> list[Text]:
        given = JudgedAnswer(self._question, judged.blank.text, True, judged)
        lines: list[Text] = []
        for tries in TRIES:
            quiz = replace(self._quiz, tries=tries, last_answers={self._question: given})
            lines.append(
                text_of(right_answer_line(quiz, [self._question], self._trace, self._digits))
            )
        return lines

    # kinds of answers

    def _add_own_choices(self, found: QuestionData) -> None:
        """Add the choices that the lesson wrote."""
        own = self._asking.own.get(self._question)
        for choice in () if own is None else own.choices:
            found.choices.append(self._own_choice(choice))
        right = next((c for c in found.choices if c.right), None)
        found.praise = [] if right is None else [right.says]

    def _own_choice(self, choice: Choice) -> ChoiceData:
        question, quiz = self._question, self._quiz
        given = JudgedAnswer(question, choice.text, choice.right)
        if choice.right:
            quiz = replace(quiz, done=frozenset({question}), answered_questions=(question,))
        quiz = replace(quiz, last_answers={question: given}, tries=1)
        return ChoiceData(
            choice.text,
            choice.text,
            right=choice.right,
            verdict=given.verdict,
            says=self._strip_text(quiz, "answer"),
        )

    def _add_nodes(self, found: QuestionData) -> None:
        """Add the nodes of which one or more may fire next."""
        trace, question = self._trace, self._question
        nodes = [n for n, each in trace.graph.nodes.items() if isinstance(each, OpNode)]
        for node in nodes:
            slip = click_slip(trace, question.step, node)
            label = spoken_briefly(trace.graph, node)
            choice = ChoiceData(label, str(node), right=slip is None, node=node, verdict="right")
            if slip is not None:
                given = JudgedAnswer(question, str(node), False, next_slip=slip.name)
                choice.verdict, choice.slip_name = "slip", slip.name
                choice.says = self._wrong(given, 1)
                choice.again = choice.says
            found.choices.append(choice)
        found.sentence = [_chosen(span) for span in found.sentence]
        found.rule, found.second = self._helped(1), self._helped(2)
        right = JudgedAnswer(question, str(question.node), True)
        done = replace(self._quiz, done=frozenset({question}), last_answers={question: right})
        for tries in TRIES:
            quiz = replace(done, tries=tries, answered_questions=(question,))
            found.praise.append(self._strip_text(quiz, "answer"))

    def _add_number(self, found: QuestionData) -> None:
        """Add the answer and the slips of a number, and its choices."""
        question, trace, digits = self._question, self._trace, self._digits
        found.answer = self._answer()
        found.slips = list(self._slips())
        given = self._judged_wrong()
        found.wrong, found.wrong_again = self._wrong(given, 1), self._wrong_twice(given)
        found.rule, found.second = self._helped(1), self._second()
        right = self._right(question).judgement
        assert right is not None
        found.praise = self._praise(right)
        if question.kind == "sign":
            found.prompt = text_of(outside_pass_prompt(question, trace, digits, NAME_LENGTH))
        if self._asking.form == "choices" or question.kind == "sign":
            found.choices = [self._choice(x, found.slips) for x in choices(question, trace, digits)]

    def _judged_wrong(self) -> JudgedAnswer:
        """Return the reader's own answer, which gives away no slip."""
        blank = Blank(self._question, TYPED, math.nan)
        judged = Judgement("wrong", blank, answer(self._question, self._trace))
        return JudgedAnswer(self._question, TYPED, False, judged)

    def _choice(self, number: float, slips: Sequence[SlipData]) -> ChoiceData:
        question = self._question
        text = number_text(question, number, self._digits)
        (judged,) = judge(self._trace, [(question, text)], self._digits)
        choice = ChoiceData(
            answer_label(question, text), text, right=judged.right, verdict=judged.verdict
        )
        if judged.right:
            return choice
        if judged.slip is not None:
            named = [k for k, slip in enumerate(slips) if slip.name == judged.slip.name]
            near_ones = [k for k in named if near(float(slips[k].number), judged.slip_number)]
            choice.slip = next(iter(near_ones), None)
        if choice.slip is None:  # as a sign, which gives away no slip
            given = JudgedAnswer(question, text, False, judged)
            choice.says, choice.again = self._wrong(given, 1), self._wrong_twice(given)
        return choice

    def _answer(self) -> AnswerData:
        question, trace, digits = self._question, self._trace, self._digits
        right = answer(question, trace)
        label = answer_label(question, number_text(question, right, digits))
        low, high = answer_range(question, trace, digits, {})
        widened = self._widened()
        found = AnswerData(json_number(right), label, json_number(error_scale(question, trace)))
        found.widened = widened
        if low < high or widened is not None:
            found.low, found.high = json_number(low), json_number(high)
            found.digits = right_sentence(
                Judgement("right_from_digits", Blank(question, "", right), right)
            )
        found.rounded = _rounded(right)
        if found.rounded:
            judged = Judgement("right_rounded", Blank(question, "", right), right)
            found.rounded_says = right_sentence(judged)
        return found

    def _widened(self) -> Widened | None:
        """Return how the blank before this one in the sentence widens the range."""
        question, before = self._question, self._sentence[: self._place]
        kinds = [q.kind for q in before if q.wire is not None]
        if question.wire is None:
            return None
        at = facts(question, self._trace)
        if question.kind == "sum" and "contribution" in kinds:
            held = printed(at.before, self._digits) if self._trace.rules.accumulate else (0.0, 0.0)
            return Widened("contribution", _json_range(held))
        if question.kind == "contribution" and "local" in kinds:
            return Widened("local", _json_range(printed(at.upstream, self._digits)))
        return None

    def _slips(self) -> Iterator[SlipData]:
        """Yield the slips in the order in which an answer is compared with their numbers.

        A number that is judged right is none; a number rounded may give away another slip than the
        number itself, and then has an entry of its own.
        """
        question, trace, digits = self._question, self._trace, self._digits
        seen: list[float] = []
        for slip, number in slip_numbers(question, trace):
            if any(near(number, other) for other in seen):
                continue
            seen.append(number)
            (judged,) = judge(trace, [(question, plain(number))], digits)
            forms = _rounded(number)
            exact = judged if judged.slip is not None else None
            if exact is not None:
                same = exact.slip is slip
                yield self._slip(exact, exact=True, rounded=forms if same else [])
                if same:
                    continue
            if forms:
                blank = Blank(question, plain(number), number)
                alone = Judgement("slip", blank, judged.answer, (slip,), number)
                yield self._slip(alone, exact=False, rounded=forms)

    def _slip(self, judged: Judgement, *, exact: bool, rounded: list[float]) -> SlipData:
        question, slip, number = self._question, judged.slip, judged.slip_number
        assert slip is not None
        blank = Blank(question, TYPED, number)
        given = JudgedAnswer(question, TYPED, False, replace(judged, blank=blank))
        return SlipData(
            slip.name,
            json_number(number),
            answer_label(question, number_text(question, number, self._digits)),
            first=self._wrong(given, 1),
            full=slip_sentence(slip, number, question, self._trace, self._digits),
            again=self._wrong_twice(given),
            brief=slip.brief,
            exact=exact,
            rounded=rounded,
        )


def _rounded(number: float) -> list[float]:
    """Return a number rounded to two digits or more, as far as that differs from it."""
    if not (math.isfinite(number) and number):
        return []
    return [x for x in rounded_forms(number) if not near(x, number)]


def _json_range(found: Range) -> tuple[JsonNumber, JsonNumber]:
    return json_number(found[0]), json_number(found[1])
