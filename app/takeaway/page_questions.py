"""Page questions: each blank of a step with its answer, its slips, and its hints in order.

No sentence is written here. Each is the strip's in some state of Ask me, such as "after a second
wrong answer": that state is made as a `Quiz`, and the strip writes it. On a page a sentence has one
blank at a time; the blanks after it are a plain `?`, those before it have their right answers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from itertools import pairwise
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from app.controls.spans import Span, Spans
from app.lessons.lesson import Ask, Choice, Form
from app.takeaway.page_data import (
    AnswerData,
    ChoiceData,
    Chosen,
    PageSpan,
    PageText,
    QuestionData,
    ReasonData,
    RecordId,
    SharedTexts,
    SlipData,
)
from app.takeaway.page_parts import (
    STRIP_PHRASES,
    TYPED,
    State,
    applied,
    asked_texts,
    change_over,
    state_of,
    step_change,
    strip_of,
    text_of,
    wire_key,
    without_box,
)
from app.workbench.modes.quiz import JudgedAnswer, LessonQuestions, Quiz
from app.workbench.playback.view_state import ViewState, view_of
from app.workbench.words.asked import NAME_LENGTH, POSITION_GAP, asked_blank, asked_sentence
from app.workbench.words.help import (
    answer_label,
    first_hint,
    outside_pass_prompt,
    reason_of_right,
    second_hint,
    with_bold_number,
    worked_line,
    wrong_again,
    wrong_answer_line,
    wrong_verdict,
)
from engine.asking.answering import belief_sentence, belief_text, right_sentence
from engine.asking.beliefs import LOST_MINUS, Belief, wrong_numbers
from engine.asking.hand_run import click_slip
from engine.asking.judging import (
    Blank,
    Judgement,
    judge,
    known_kinds,
    number_choices,
    number_text,
    read_blanks,
    sources,
)
from engine.asking.kinds import ASKED_BEFORE_PASS, KINDS, answer, error_scale, steps_before
from engine.asking.number_fields import FieldTrace, Named, fields_around, named_graph
from engine.asking.question import LEVELS, Question
from engine.asking.reasons import OF_PLACE, Spot, reason_for
from engine.asking.record import Attempt, Record, Try
from engine.conditions import Formulas, choices
from engine.formats.native import json_number
from engine.frame import Frame, frame_at
from engine.graph import Constant, Graph, OpNode
from engine.numbers import Digits, FieldNumber, is_rounded, key_of, plain, short
from engine.problems import short_name_with_op
from engine.trace import Trace, run_forward

ANY_LENGTH: Final = 10_000
"""More characters than a sentence has: the page looks at its length."""
TRIES: Final = (1, 2, 3, 4)
"""Numbers of tries after which an answer can be right; the third wrong one shows the answer."""
_READING_ORDER: Final = LEVELS["whole step"].kinds
"""The kinds of questions in the order of their blanks in a sentence."""
_OF_WIRES: Final = ("by_before", "by_all", "later")
"""The fields of reasons that name wires of any number."""


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
    """The pass with fields in place of numbers, of a live page."""
    formulas: Formulas | None = None
    """Those of a live page."""
    before: State | None = None
    """The numbers on the figure before the step, where all questions are about it."""

    def asked_state(self, frame: Frame, quiz: Quiz) -> State:
        """Return the numbers on the figure at a frame, without those that a quiz asks for.

        Where there are numbers `before` the step, those that differ.
        """
        hidden = view_of(self._at(frame), quiz).frame
        return (state_of if self.before is None else asked_texts)(hidden, self.digits)

    def states(self, frame: Frame) -> tuple[State, State]:
        """Return the numbers on the figure at a frame: those that differ, and all."""
        frame = self._at(frame)
        if self.before is None:
            return (state := state_of(frame, self.digits)), state
        change = step_change(self.before, frame, self.digits)
        state = applied(self.before, change)
        return state if change is None or change.gone else change.set, state

    def _at(self, frame: Frame) -> Frame:
        """Return a frame, of a live page with fields."""
        return frame if self.fields is None else frame_at(self.fields, frame.cursor)


class WrittenQuestions(Struct, frozen=True):
    """The questions of a step as data, and the figure before the first and after the last."""

    questions: list[QuestionData]
    before: State
    """Where the step has numbers before it, those that differ."""
    after: State
    frame: Frame
    """The frame after the last answer."""
    listed: list[QuestionData]
    """The questions at the page's own numbers, without answers and slips."""
    view: Callable[[], ViewState]
    """Returns the view state while the first question is open, of a live page with fields."""


def write_questions(step: StepQuestions) -> WrittenQuestions:
    """Return the questions of a step, of which there is at least one, in a page's order."""
    written: list[QuestionData] = []
    listed: list[QuestionData] = []
    states: list[State] = []
    writers: list[_QuestionWriter] = []
    frame, plainly = step.frame, replace(step, fields=None, formulas=None)
    for sentence in _sentences(step.questions):
        frame = _frame_before_answer(step, sentence[0])
        for index in range(len(sentence)):
            writer = _QuestionWriter(step, frame, sentence, index)
            plain_writer = _QuestionWriter(plainly, frame, sentence, index)
            states.append(writer.state)
            writers.append(writer)
            # the list of steps says the sentence once
            said = plain_writer.outline if writer.is_shared and index else plain_writer.texts
            listed.append(said)
            written.append(writer.question_data(plain_writer))
        frame = _frame_after_answer(sentence[0], frame)
    differing, after = step.states(frame)
    states.append(differing)
    base = step.before or {}
    for question, (one, other) in zip(written, pairwise(states), strict=True):
        question.reveals = change_over(base, one, other)
    first, fields = writers[0], step.fields
    return WrittenQuestions(
        written,
        states[0],
        after,
        frame,
        listed,
        lambda: first.view if fields is None else first.view_at(fields),
    )


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


def _literal(graph: Graph, node: int) -> str:
    """Return all that texts depend on of a node whose name is no hole."""
    found = graph.nodes[node]
    if not isinstance(found, Constant):
        return f"{node}"
    return f"{found.value!r} {found.label and graph.title(node)}"


class _QuestionWriter:
    """Writes one question of a sentence; those before it are answered."""

    def __init__(
        self, step: StepQuestions, frame: Frame, sentence: tuple[Question, ...], index: int
    ) -> None:
        self._step, self._index = step, index
        self._sentence, self._question = sentence, sentence[index]
        self._digits: Digits = step.digits
        self._trace, self._nodes, self._shape = step.trace, tuple[int, ...](), None
        if step.fields is not None and self._question.wire is not None:
            frame = self._begin_fields(step.fields, frame)
        self._frame, self._hints = frame, dict[str, Chosen]()
        own = {q: step.own[q] for q in sentence if q in step.own}
        lesson = LessonQuestions(sentence, asks=own)
        done = sentence[:index]
        right = [(q, plain(answer(q, step.trace))) for q in done if q.wire is not None]
        self._known = known_kinds(self._question, (), read_blanks(right))
        self._quiz = Quiz(
            lesson_questions=lesson,
            level=lesson.level,
            steps="every",
            record=Record("predict", lesson.level.name, self._trace.rules.name),
            graph=self._trace.graph,
            done=frozenset(done),
            last_answers={q: self._right_answer(q) for q in done},
        )

    @cached_property
    def view(self) -> ViewState:
        """The view state while the question is open."""
        return view_of(self._frame, self._quiz)

    def _begin_fields(self, fields: Trace, frame: Frame) -> Frame:
        """Take the pass of fields around the question, and note all that its texts depend on."""
        question, trace = self._question, self._step.trace
        spot, graph = Spot(question, trace, self._digits), trace.graph
        inputs = [node for node in graph.inputs(spot.node) if node is not None]
        self._nodes = tuple(dict.fromkeys((spot.node, spot.root, spot.receiver, *inputs)))
        self._words = {name: str(spot.field(name)) for name in _OF_WIRES}
        named = named_graph(graph, self._nodes, self._words)
        self._trace = fields_around(fields, question.step, spot.around, named)
        index, letters = self._nodes.index, [*self._trace.letters.values()]
        self._shape = (
            *(tuple(q.kind for q in self._sentence), self._index, question.slot),
            tuple(letters.index(x) if isinstance(x, str) else repr(x) for x in letters),
            tuple(n in named.nodes_named or _literal(graph, n) for n in self._nodes),
            (graph.op(spot.node).name, *map(index, (spot.root, spot.receiver, *inputs))),
            *(bool(spot.earlier), bool(spot.later), *named.words.values()),
        )
        return frame_at(self._trace, frame.cursor)

    def _chosen(self, write: Callable[[], Chosen]) -> Chosen:
        """Return a text, or on a live page all texts with the conditions that choose one."""
        formulas = self._step.formulas
        return write() if formulas is None else formulas.numbered(choices(write, formulas))

    def _key(self, compute: Callable[[], float]) -> Chosen:
        """Return a number, or on a live page its key."""
        return self._chosen(lambda: _key(compute()))

    def view_at(self, trace: Trace) -> ViewState:
        """Return the view state of a pass while the question is open."""
        return view_of(frame_at(trace, self._frame.cursor), self._quiz)

    @property
    def state(self) -> State:
        """Return the numbers on the figure while the question is open."""
        return self._step.asked_state(self._frame, self._quiz)

    @property
    def is_shared(self) -> bool:
        """Whether its sentences are those of all questions that differ in names and numbers."""
        return isinstance(self._trace, FieldTrace)

    @cached_property
    def outline(self) -> QuestionData:
        """Return the question without its sentence."""
        question = self._question
        title, prompt = self._blank()
        return QuestionData(
            record=RecordId(
                question.kind,
                question.node,
                None if question.wire is None else question.slot,
                question.step,
            ),
            sentence=[],
            answered=[],
            worked_sentence=[],
            rest=len(self._sentence) - self._index - 1,
            title=title,
            key=self._state_key(),
            prompt=text_of([span for span in prompt if not _is_position(span)]),
        )

    @cached_property
    def texts(self) -> QuestionData:
        """Return the question with its sentence, open and worked."""
        return replace(
            self.outline,
            sentence=self._chosen(lambda: self._sentence_text(self._quiz)),
            worked_sentence=self._chosen(lambda: self._sentence_text(self._answers_shown)),
            worked=self._chosen(self._worked),
        )

    def _blank(self) -> tuple[str, Spans]:
        """Return the accessible name of the blank, and the prompt."""
        hidden = self.view.frame
        if self._question.wire is not None and hidden.unhidden is not None:
            return asked_blank(self._quiz, hidden, hidden.unhidden, self._digits)
        strip = strip_of(self.view, self._digits)
        return strip.blanks[0].title if strip.blanks else "", strip.answer

    def question_data(self, plainly: _QuestionWriter) -> QuestionData:
        """Return the question with all its sentences; `plainly` writes those that never change."""
        formulas = self._step.formulas
        if formulas is None or not isinstance(self._trace, FieldTrace):
            self._add_answers(data := copy(plainly.texts))
            return data
        data = copy(plainly.outline)
        written: dict[object, tuple[int, SharedTexts, dict[str, Named]]] = formulas.shared
        if self._shape not in written:
            shared = self.texts
            self._add_answers(shared)
            shared = SharedTexts(*(getattr(shared, name) for name in SharedTexts.__struct_fields__))
            written[self._shape] = len(written), shared, self._trace.graph.written
        data.like, _shared, names = written[self._shape]
        data.letters = {
            name: x if isinstance(x, str) else json_number(x)
            for name, x in self._trace.letters.items()
        }
        data.places = {
            name: found if isinstance(found, int) else [wire_key(wire) for wire in found]
            for name, found in self._trace.places.items()
        }
        brief, nodes = self._step.trace.graph.brief, self._nodes
        data.names = {
            hole: self._words[name] if isinstance(name, str) else brief(nodes[name], most)
            for hole, (name, most) in sorted(names.items())
        }
        return data

    def _add_answers(self, data: QuestionData) -> None:
        """Add the right answer, and the verdicts on others."""
        data.answered = self._chosen(self._answered_sentence)
        match self._question.kind:
            case "text":
                self._add_own_choices(data)
            case "next":
                self._add_node_choices(data)
            case _:
                self._add_number(data)

    def _state_key(self) -> str:
        """Return the key of a state whose text is asked for; "" for a question about no number."""
        question, wire = self._question, self._question.wire
        letter = KINDS[question.kind].page_letter
        return letter and f"{letter}{question.node if wire is None else wire_key(wire)}"

    # states of Ask me, and the strip's sentence or answer line in them

    def _right_answer(self, question: Question) -> JudgedAnswer:
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
        if self._question.kind == "text":
            return text_of(strip_of(view_of(self._frame, quiz), self._digits).sentence)
        hidden = self.view if quiz is self._quiz else view_of(self._frame, quiz)
        questions = quiz.answered_questions or quiz.questions(hidden.frame)
        trace = hidden.frame.unhidden
        assert trace is not None
        return text_of(asked_sentence(quiz, questions, hidden.frame, trace, self._digits))

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

    def _worked(self) -> PageText:
        """Return the line below a sentence whose answers were shown."""
        if self._question.wire is None:
            return self._answer_text(self._answers_shown)
        left = self._sentence[self._index :]
        return text_of(worked_line(left, self._trace, self._digits))

    def _hint(self, hints: int) -> PageText:
        """Return the line after this many presses of Hint."""
        if self._question.wire is not None:
            return text_of(first_hint(self._question, self._trace, self._digits))
        return self._answer_text(replace(self._quiz, hints=hints))

    def _wrong_verdict(self, given: JudgedAnswer) -> PageText:
        """Return the line after a first wrong answer."""
        if self._question.wire is not None:
            return text_of(wrong_answer_line(self._quiz, [given], self._trace, self._digits))
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
        return text_of(wrong_again(replace(help_given, last_answers=answers, record=record), given))

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
        given = self._wrong_answer()
        data.wrong = self._chosen(lambda: self._wrong_verdict(given))
        data.wrong_again = self._second_wrong_verdict(given)
        data.wrong_hinted = self._second_wrong_verdict(given, hinted=True)
        data.wrong_same = self._second_wrong_verdict(given, times=2)
        data.rule = self._chosen(lambda: self._hint(1))
        data.second = self._chosen(self._second_hint)
        data.slips = list(self._slip_data(data.second))
        if question.kind == "sign":
            data.prompt = text_of(outside_pass_prompt(question, trace, digits, NAME_LENGTH))
        if self._step.form == "choices" or KINDS[question.kind].choices:
            data.choices = [self._number_choice(x) for x in number_choices(question, trace, digits)]

    def _wrong_answer(self) -> JudgedAnswer:
        """Return a typed answer that matches no slip."""
        blank = Blank(self._question, TYPED, math.nan)
        judged = Judgement("wrong", blank, answer(self._question, self._trace))
        return JudgedAnswer(self._question, TYPED, False, judged)

    def _number_choice(self, number: float) -> ChoiceData:
        """Return the choice of a number; a wrong sign is called by its verb."""
        question = self._question
        text = number_text(question, number, self._digits)
        accepted = [(q, plain(answer(q, self._trace))) for q in self._quiz.done if q.wire]
        (judged,) = judge(self._trace, [(question, text)], self._digits, accepted)
        choice = ChoiceData(
            answer_label(question, text), text, right=judged.right, verdict=judged.verdict
        )
        if not judged.right and question.kind == "sign":
            given = JudgedAnswer(question, text, False, judged)
            choice.slip_name = judged.slip.name if judged.slip else ""
            choice.says = self._wrong_verdict(given)
            choice.again = self._second_wrong_verdict(given)
        return choice

    def _answer_data(self) -> AnswerData:
        question, trace, digits = self._question, self._trace, self._digits
        number = answer(question, trace)
        found = sources(question, trace)
        if not isinstance(trace, FieldTrace):
            found = [x for x in found if is_rounded(x, digits)][:1]
        given = Blank(question, "", number)
        return AnswerData(
            self._key(lambda: number),
            self._chosen(lambda: answer_label(question, number_text(question, number, digits))),
            self._key(lambda: error_scale(question, trace)),
            [
                self._key(lambda x=x: x)
                for x in dict.fromkeys(found)
                if isinstance(x, FieldNumber) or is_rounded(x, digits)
            ],
            digits=self._chosen(
                lambda: right_sentence(Judgement("right_from_digits", given, number))
            ),
            because=self._chosen(lambda: reason_of_right([question], trace, digits)),
        )

    def _slip_data(self, second: Chosen) -> Iterator[SlipData]:
        """Yield the wrong numbers that beliefs give, in the order of likelihood."""
        question, trace = self._question, self._trace
        found = self._chosen(lambda: tuple(wrong_numbers(question, trace, self._known)))
        for belief, wrong, number in found:
            yield self._slip(belief, wrong, number, second)

    def _slip(self, belief: Belief, wrong: float, number: float, second: Chosen) -> SlipData:
        """Return a belief whose own number is `wrong` and whose answer is `number`."""
        question, trace, digits = self._question, self._trace, self._digits
        slip = SlipData(
            belief.name,
            self._key(lambda: number),
            self._chosen(lambda: belief_sentence(belief, number, question, trace, digits)),
            self._chosen(lambda: self._reason(belief, number)),
            self._chosen(lambda: self._fact(belief, number)),
            second=[] if (hint := self._hint_for(belief, number)) == second else hint,
        )
        if isinstance(wrong, FieldNumber) and "none" in wrong.key:
            slip.wrong = self._key(lambda: wrong)
        if question.kind in ("local", "contribution"):
            slip.rank = 2 * (belief.name not in LOST_MINUS) + (belief.kind != question.kind)
        return slip

    def _hint_for(self, belief: Belief, number: float) -> Chosen:
        """Return the second hint after a slip, written once for each kind of belief."""
        name = belief.name
        key = "place" if name in OF_PLACE else "sign" if name in LOST_MINUS else ""
        if key not in self._hints:
            given = JudgedAnswer(self._question, TYPED, False, self._judged(belief, number, number))
            self._hints[key] = self._chosen(lambda: self._second_hint(given))
        return self._hints[key]

    def _judged(self, belief: Belief, number: float, typed: float) -> Judgement:
        blank = Blank(self._question, TYPED, typed)
        right = answer(self._question, self._trace)
        return Judgement("slip", blank, right, (belief,), number)

    def _reason(self, belief: Belief, number: float) -> ReasonData | None:
        """Return the argument against a belief, of any length; None without one."""
        arguments = belief, number, self._question, self._trace, self._digits
        reason = reason_for(*arguments, most=ANY_LENGTH)
        if reason is None:
            return None
        first, shown = reason.first, short(number, self._digits)
        says = with_bold_number(first.text.replace(shown, TYPED, 1), TYPED)
        return ReasonData(
            text_of(wrong_verdict(says)),
            [text for text in first.texts if text != shown],
            reason.praise.text,
            None if math.isnan(first.asked) else _key(first.asked),
        )

    def _fact(self, belief: Belief, number: float) -> PageText:
        """Return the sentence on a number without a reason; [] if it gives away too much."""
        judged = self._judged(belief, number, number)
        return _verdict(belief_text(belief, judged, self._trace, (self._question,), self._digits))


def _key(number: float) -> Chosen:
    return key_of(number) if isinstance(number, FieldNumber) else json_number(number)


def _verdict(text: str | None) -> PageText:
    """Return a sentence about a typed number; [] of none."""
    return text_of(wrong_verdict(with_bold_number(text, TYPED))) if text else []
