"""Page questions: each blank of a step with its answer, its slips, and its hints in order.

No sentence is written here. Each is the strip's in some state of Ask me, such as "after a second
wrong answer": that state is made as a `Quiz`, and the strip writes it. On a page a sentence has one
blank at a time; the blanks after it are a plain `?`, those before it have their right answers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from app.controls.spans import Span
from app.lessons.lesson import Ask, Form
from app.takeaway.page_data import (
    AnswerData,
    ChoiceData,
    PageSpan,
    PageText,
    QuestionData,
    RecordId,
    SlipData,
)
from app.takeaway.page_parts import (
    STRIP_PHRASES,
    TYPED,
    State,
    state_change,
    state_of,
    strip_of,
    text_of,
    wire_key,
    without_box,
)
from app.workbench.modes.quiz import JudgedAnswer, LessonQuestions, Quiz
from app.workbench.playback.view_state import ViewState, view_of
from app.workbench.words.asked import NAME_LENGTH, POSITION_GAP
from app.workbench.words.help import (
    answer_label,
    outside_pass_prompt,
    praise_of_belief,
    reason_of_right,
    right_answer_line,
    second_hint,
)
from engine.formats.native import JsonNumber, json_number
from engine.frame import Frame, frame_at
from engine.graph import OpNode
from engine.numbers import Digits, plain, short
from engine.problems import short_name_with_op
from engine.study.answering import belief_sentence, right_sentence
from engine.study.beliefs import Belief, belief_numbers
from engine.study.hand_run import click_slip
from engine.study.judging import (
    MOST_RELATIVE_ERROR,
    Blank,
    Judgement,
    JudgementKind,
    is_from_rounded,
    judge,
    known_kinds,
    number_choices,
    number_text,
    read_blanks,
    rounded_forms,
)
from engine.study.lecture import Choice
from engine.study.question import (
    ASKED_BEFORE_PASS,
    LEVELS,
    Question,
    answer,
    error_scale,
    near,
    steps_before,
)
from engine.study.reasons import first_reason
from engine.study.record import Attempt, Record, Try
from engine.trace import Trace, run_forward

TRIES: Final = (1, 2, 3, 4)
"""Numbers of tries after which an answer can be right; the third wrong one shows the answer."""
_READING_ORDER: Final = LEVELS["whole step"].kinds
"""The kinds of questions in the order of their blanks in a sentence."""
_KEY_LETTERS: Final = {"upstream": "u", "local": "l", "contribution": "c", "sum": "a"}
"""The letter of a state's key by the kind of question about a wire, see `page_data`."""


class StepQuestions(Struct, frozen=True):
    """The questions of one step of a page, about one pass.

    `frame` is shown while a question of kind "text" is open; the others have the frame before the
    step that they ask about. `own` are the texts and choices that a lesson wrote, by question.
    """

    questions: tuple[Question, ...]
    trace: Trace
    frame: Frame
    digits: Digits
    form: Form = "field"
    own: Mapping[Question, Ask] = {}
    fields: Trace | None = None
    """The pass with fields in place of numbers, for the figures of a live page."""

    def state(self, frame: Frame, quiz: Quiz | None = None) -> State:
        """Return the numbers on the figure at a frame, without those that a quiz asks for."""
        if self.fields is not None:
            frame = frame_at(self.fields, frame.cursor)
        frame = frame if quiz is None else view_of(frame, quiz).frame
        return state_of(frame, self.digits)


class WrittenQuestions(Struct, frozen=True):
    """The questions of a step as data, and the figure before the first and after the last."""

    questions: list[QuestionData]
    before: State
    after: State
    frame: Frame
    """The frame after the last answer."""
    view: ViewState
    """The view state while the first question is open."""


def write_questions(step: StepQuestions) -> WrittenQuestions:
    """Return the questions of a step, of which there is at least one, in a page's order."""
    written: list[QuestionData] = []
    states: list[State] = []
    views: list[ViewState] = []
    frame = step.frame
    for sentence in _sentences(step.questions):
        frame = _frame_before_answer(step, sentence[0])
        for index in range(len(sentence)):
            writer = _QuestionWriter(step, frame, sentence, index)
            states.append(writer.state)
            views.append(writer.view)
            written.append(writer.question_data())
        frame = _frame_after_answer(sentence[0], frame)
    states.append(step.state(frame))
    for question, (before, after) in zip(written, pairwise(states), strict=True):
        question.reveals = state_change(before, after)
    return WrittenQuestions(written, states[0], states[-1], frame, views[0])


def _sentences(questions: Sequence[Question]) -> Iterator[tuple[Question, ...]]:
    """Group the questions that share a sentence, each group in reading order.

    These are all final gradients, and those about one step of the pass.
    """
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


def _frame_before_answer(step: StepQuestions, question: Question) -> Frame:
    """Return the frame that is shown while a question is open, with nothing hidden."""
    trace = step.trace
    if question.kind == "text":
        return step.frame
    if question.kind == "value":
        return frame_at(run_forward(trace.graph), steps_before(question, trace))
    if question.kind in ASKED_BEFORE_PASS:
        return frame_at(trace, 0)
    return frame_at(trace, steps_before(question, trace))


def _frame_after_answer(question: Question, frame: Frame) -> Frame:
    """Return the frame that shows the answer to a question asked at a frame."""
    if frame.trace is None or question.kind == "text":
        return frame
    if question.kind == "final":
        return frame_at(frame.trace, len(frame.trace))
    if question.kind in ASKED_BEFORE_PASS:
        return frame
    return frame_at(frame.trace, frame.cursor + 1)


def _on_page(span: PageSpan) -> PageSpan:
    """Return a span of the strip in the words of a page, where a node is chosen, not clicked."""
    if isinstance(span, list):
        return [STRIP_PHRASES.get(span[0], span[0]), *span[1:]]
    return span


def _is_position(span: Span) -> bool:
    """Return whether a span is the number of the step before the strip's prompt."""
    return span.text.endswith(POSITION_GAP)


class _QuestionWriter:
    """Writes one question of a sentence; those before it are answered."""

    def __init__(
        self, step: StepQuestions, frame: Frame, sentence: tuple[Question, ...], index: int
    ) -> None:
        self._step, self._frame, self._index = step, frame, index
        self._sentence, self._question = sentence, sentence[index]
        self._trace = step.trace
        self._digits: Digits = step.digits
        own = {q: step.own[q] for q in sentence if q in step.own}
        lesson = LessonQuestions(sentence, own=own)
        done = sentence[:index]
        self._accepted = [(q, plain(answer(q, self._trace))) for q in done if q.wire is not None]
        self._quiz = Quiz(
            lesson_questions=lesson,
            level=lesson.level,
            steps="every",
            record=Record("predict", lesson.level.name, self._trace.rules.name),
            graph=self._trace.graph,
            done=frozenset(done),
            last_answers={q: self._right_answer(q) for q in done},
        )
        self.view = view_of(frame, self._quiz)

    @property
    def state(self) -> State:
        """Return the numbers on the figure while the question is open."""
        return self._step.state(self._frame, self._quiz)

    def question_data(self) -> QuestionData:
        """Return the question with all its sentences."""
        question, strip = self._question, strip_of(self.view, self._digits)
        data = QuestionData(
            record=RecordId(
                question.kind,
                question.node,
                None if question.wire is None else question.slot,
                question.step,
            ),
            sentence=text_of(strip.sentence),
            answered=self._answered_sentence(),
            worked_sentence=self._sentence_text(self._answers_shown),
            rest=len(self._sentence) - self._index - 1,
            title=strip.blanks[0].title if strip.blanks else "",
            key=self._state_key(),
            prompt=text_of([span for span in strip.answer if not _is_position(span)]),
            worked=self._answer_text(self._answers_shown),
        )
        match question.kind:
            case "text":
                self._add_own_choices(data)
            case "next":
                self._add_node_choices(data)
            case _:
                self._add_number(data)
        return data

    def _state_key(self) -> str:
        """Return the key of a state whose text is asked for; "" for a question about no number."""
        question = self._question
        if question.wire is not None:
            return f"{_KEY_LETTERS[question.kind]}{wire_key(question.wire)}"
        letter = {"value": "v", "final": "g"}.get(question.kind)
        return "" if letter is None else f"{letter}{question.node}"

    # states of Ask me, and the strip's sentence or answer line in them

    def _right_answer(self, question: Question) -> JudgedAnswer:
        """Return the right answer to a question of the sentence, judged."""
        own = self._step.own.get(question)
        if question.kind == "text":
            text = "" if own is None else next(c.text for c in own.choices if c.right)
            return JudgedAnswer(question, text, True)
        if question.kind == "next":
            return JudgedAnswer(question, str(question.node), True)
        number = answer(question, self._trace)
        blank = Blank(question, plain(number), number)
        return JudgedAnswer(question, blank.text, True, Judgement("right", blank, number))

    def _sentence_text(self, quiz: Quiz) -> PageText:
        return text_of(strip_of(view_of(self._frame, quiz), self._digits).sentence)

    def _answer_text(self, quiz: Quiz) -> PageText:
        """Return the line below the sentence: the verdict, a hint, or the worked answer."""
        return text_of(strip_of(view_of(self._frame, quiz), self._digits).answer)

    def _answered_sentence(self) -> PageText:
        """Return the sentence after the right answer."""
        question, quiz = self._question, self._quiz
        done = quiz.done | {question}
        after = replace(
            quiz,
            done=done,
            tries=1,
            last_answers={**quiz.last_answers, question: self._right_answer(question)},
            answered_questions=self._sentence if done.issuperset(self._sentence) else (),
        )
        return without_box(self._sentence_text(after))

    @property
    def _answers_shown(self) -> Quiz:
        """Return the quiz once Show me has shown this blank and those after it."""
        return self._quiz.revealed(self._frame).with_answers_shown(self._sentence)

    def _hint(self, hints: int) -> PageText:
        """Return the line after this many presses of Hint."""
        return self._answer_text(replace(self._quiz, hints=hints))

    def _wrong_verdict(self, given: JudgedAnswer) -> PageText:
        """Return the line after a first wrong answer."""
        answers = {**self._quiz.last_answers, self._question: given}
        return self._answer_text(replace(self._quiz, last_answers=answers, tries=1))

    def _second_wrong_verdict(
        self, given: JudgedAnswer, *, hinted: bool = False, times: int = 1
    ) -> PageText:
        """Return the line after a second wrong answer, without the second hint at its end.

        Or after a first one that a hint preceded; `times`: how often it was given.
        """
        answers = {**self._quiz.last_answers, self._question: given}
        given_before = Attempt(self._question, times * (Try(given.text, given.verdict),))
        record = replace(self._quiz.record, attempts=(given_before,))
        help_given = replace(self._helped, tries=2 - hinted, hints=int(hinted))
        quiz = replace(help_given, last_answers=answers, record=record)
        line, hint = self._answer_text(quiz), self._second_hint(given)
        assert line[len(line) - len(hint) :] == hint
        return line[: len(line) - len(hint)]

    def _second_hint(self, given: JudgedAnswer | None = None) -> PageText:
        """Return the second hint, after a certain answer."""
        answers = {} if given is None else {self._question: given}
        quiz = replace(self._helped, last_answers=answers)
        return text_of(second_hint(quiz, self._question, self._trace, self._digits))

    @property
    def _helped(self) -> Quiz:
        """Return the quiz after two tries, its slope filled in: a page unfolds no blank for it."""
        slope = replace(self._question, kind="local")
        is_product = self._question.kind == "contribution"
        done = self._quiz.done | {slope} if is_product else self._quiz.done
        return replace(self._quiz, tries=2, done=done)

    def _right_verdicts(self, judged: Judgement) -> list[PageText]:
        """Return the line after a right number at each of TRIES."""
        given = JudgedAnswer(self._question, judged.blank.text, True, judged)
        answers = {**self._quiz.last_answers, self._question: given}
        lines: list[PageText] = []
        for tries in TRIES:
            quiz = replace(self._quiz, tries=tries, last_answers=answers)
            lines.append(
                text_of(right_answer_line(quiz, [self._question], self._trace, self._digits))
            )
        return lines

    # kinds of answers

    def _add_own_choices(self, data: QuestionData) -> None:
        """Add the choices that the lesson wrote."""
        own = self._step.own.get(self._question)
        for choice in () if own is None else own.choices:
            data.choices.append(self._own_choice(choice))
        right = next((c for c in data.choices if c.right), None)
        data.praise = [] if right is None else [right.says]

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
            says=self._answer_text(quiz),
        )

    def _add_node_choices(self, data: QuestionData) -> None:
        """Add all operations as choices; those that may fire next are right."""
        trace, question = self._trace, self._question
        nodes = [n for n, each in trace.graph.nodes.items() if isinstance(each, OpNode)]
        for node in nodes:
            slip = click_slip(trace, question.step, node)
            label = short_name_with_op(trace.graph, node)
            choice = ChoiceData(label, str(node), right=slip is None, node=node, verdict="right")
            if slip is not None:
                given = JudgedAnswer(question, str(node), False, next_slip=slip.name)
                choice.verdict, choice.slip_name = "slip", slip.name
                choice.says = self._wrong_verdict(given)
                choice.again = choice.says
            data.choices.append(choice)
        data.sentence = [_on_page(span) for span in data.sentence]
        data.rule, data.second = self._hint(1), self._hint(2)
        right = JudgedAnswer(question, str(question.node), True)
        done = replace(self._quiz, done=frozenset({question}), last_answers={question: right})
        for tries in TRIES:
            quiz = replace(done, tries=tries, answered_questions=(question,))
            data.praise.append(self._answer_text(quiz))

    def _add_number(self, data: QuestionData) -> None:
        """Add the right number, its slips, and choices where none is typed."""
        question, trace, digits = self._question, self._trace, self._digits
        data.answer = self._answer_data()
        data.slips = list(self._slip_data())
        given = self._wrong_answer()
        data.wrong, data.wrong_again = self._wrong_verdict(given), self._second_wrong_verdict(given)
        data.wrong_hinted = self._second_wrong_verdict(given, hinted=True)
        data.wrong_same = self._second_wrong_verdict(given, times=2)
        data.rule, data.second = self._hint(1), self._second_hint()
        right = self._right_answer(question).judgement
        assert right is not None
        data.praise = self._right_verdicts(right)
        if question.kind == "sign":
            data.prompt = text_of(outside_pass_prompt(question, trace, digits, NAME_LENGTH))
        if self._step.form == "choices" or question.kind == "sign":
            data.choices = [
                self._number_choice(x, data.slips) for x in number_choices(question, trace, digits)
            ]

    def _wrong_answer(self) -> JudgedAnswer:
        """Return a typed answer that matches no slip."""
        blank = Blank(self._question, TYPED, math.nan)
        judged = Judgement("wrong", blank, answer(self._question, self._trace))
        return JudgedAnswer(self._question, TYPED, False, judged)

    def _number_choice(self, number: float, slips: Sequence[SlipData]) -> ChoiceData:
        """Return the choice of a number; a wrong one names its slip by the index in `slips`."""
        question = self._question
        text = number_text(question, number, self._digits)
        (judged,) = judge(self._trace, [(question, text)], self._digits, self._accepted)
        choice = ChoiceData(
            answer_label(question, text), text, right=judged.right, verdict=judged.verdict
        )
        if judged.right:
            return choice
        if judged.slip is not None:
            name, slip_number = judged.slip.name, judged.slip_number
            matches = (
                k
                for k, slip in enumerate(slips)
                if slip.name == name and near(float(slip.number), slip_number)
            )
            choice.slip = next(matches, None)
        if choice.slip is None or question.kind == "sign":  # a sign is called by its verb
            given = JudgedAnswer(question, text, False, judged)
            choice.says, choice.again = (
                self._wrong_verdict(given),
                self._second_wrong_verdict(given),
            )
        return choice

    def _answer_data(self) -> AnswerData:
        question, trace, digits = self._question, self._trace, self._digits
        number = answer(question, trace)
        label = answer_label(question, number_text(question, number, digits))
        data = AnswerData(json_number(number), label, json_number(error_scale(question, trace)))
        if math.isfinite(number) and is_from_rounded(question, trace, digits):
            ends = sorted(number * (1.0 + sign * MOST_RELATIVE_ERROR) for sign in (-1, 1))
            data.low, data.high = map(json_number, ends)
            data.digits = self._right_remark("right_from_digits", number)
        data.rounded = _other_roundings(number)
        if data.rounded:
            data.rounded_says = self._right_remark("right_rounded", number)
        return data

    def _right_remark(self, kind: JudgementKind, number: float) -> str:
        """Return what is said of a right number that is not exact, with its reason."""
        remark = right_sentence(Judgement(kind, Blank(self._question, "", number), number))
        reason = reason_of_right([self._question], self._trace, self._digits)
        return f"{remark} {reason}".rstrip()

    def _slip_data(self) -> Iterator[SlipData]:
        """Yield the slips in the order in which an answer is compared with their numbers.

        A slip's number that is judged right has no entry. Its roundings have one of their own, as
        they have where the number is judged as another slip.
        """
        question, trace, digits = self._question, self._trace, self._digits
        seen: list[float] = []
        known = known_kinds(question, (), read_blanks(self._accepted))
        found = list(belief_numbers(question, trace, known))
        for slip, number in found:
            if any(near(number, other) for other in seen):
                continue
            seen.append(number)
            (judged,) = judge(trace, [(question, plain(number))], digits, self._accepted)
            entries = [] if judged.slip is None else [self._judged_slip(judged, exact=True)]
            may_join = judged.slip is slip
            for roundings in self._roundings(number):
                blank = Blank(question, plain(number), roundings[0])
                alike = tuple(dict.fromkeys(other for other, x in found if near(x, number)))
                rounded = Judgement("slip", blank, judged.answer, alike, number)
                entry = self._judged_slip(rounded, exact=False)
                if may_join and entry.first == entries[-1].first:
                    entry = entries.pop()
                entry.rounded = [*entry.rounded, *roundings]
                entries.append(entry)
                may_join = True
            yield from entries

    def _roundings(self, number: float) -> Iterator[list[float]]:
        """Yield the roundings that are displayed like a number, and those that are about it."""
        found = _other_roundings(number)
        alike = [x for x in found if short(x, self._digits) == short(number, self._digits)]
        yield from filter(None, (alike, [x for x in found if x not in alike]))

    def _judged_slip(self, judged: Judgement, *, exact: bool) -> SlipData:
        question, slip, number = self._question, judged.slip, judged.slip_number
        assert slip is not None
        blank = Blank(question, TYPED, judged.blank.number)
        given = JudgedAnswer(question, TYPED, False, replace(judged, blank=blank))
        second = self._second_hint(given)
        return SlipData(
            slip.name,
            json_number(number),
            answer_label(question, number_text(question, number, self._digits)),
            first=self._wrong_verdict(given),
            full=belief_sentence(slip, number, question, self._trace, self._digits),
            again=self._second_wrong_verdict(given),
            brief=slip.brief,
            asked=self._asked_number(judged),
            second=[] if second == self._second_hint() else second,
            mended=next((text for each in judged.slips if (text := self._mended(each))), ""),
            exact=exact,
        )

    def _mended(self, belief: Belief) -> str:
        """Return the praise once a belief is mended."""
        return praise_of_belief(belief.name, self._question, self._trace, self._digits)

    def _asked_number(self, judged: Judgement) -> JsonNumber | None:
        """Return the number that answers the question in the reason against a slip, if any."""
        number = judged.slip_number
        reason = first_reason(judged.slips, number, self._question, self._trace, self._digits)
        asked = math.nan if reason is None else reason.first.asked
        return None if math.isnan(asked) else json_number(asked)


def _other_roundings(number: float) -> list[float]:
    """Return the roundings of a number to two or more digits that are not near it."""
    if not (math.isfinite(number) and number):
        return []
    return [x for x in rounded_forms(number) if not near(x, number)]
