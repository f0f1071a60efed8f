"""Asked: the strip of Cover and Ask me, in which the sentence of the next step has blanks.

`quiz_strip` returns it, also while a lesson asks; `app.workbench.words.help` has its hints and
verdicts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from app.controls.spans import Span, Spans, filled, number_span, verbatim
from app.workbench.gradients.formulas import enumerated, names_text
from app.workbench.modes.evidence import following_way, helped_question, shown_way
from app.workbench.modes.quiz import Quiz
from app.workbench.playback.view_state import ViewState
from app.workbench.words.ends import plain_strip, quiz_end
from app.workbench.words.help import (
    answer_label,
    first_hint,
    lesson_question_line,
    lesson_text,
    option_keys_text,
    options,
    outside_pass_prompt,
    outside_pass_sentence,
    right_answer_line,
    second_hint,
    with_changes,
    worked_line,
    wrong_answer_line,
)
from app.workbench.words.live_texts import guess_text, live_spans
from app.workbench.words.narration import receiver_text, step_numbers
from app.workbench.words.sentences import Case, Fields, sentence
from app.workbench.words.strip import (
    BLANK_ROLE_PREFIX,
    Blank,
    Button,
    Option,
    Strip,
    StripContext,
    is_over,
    mistake_name,
    transport_buttons,
    with_step_count,
)
from engine.asking.facts import step_facts
from engine.asking.judging import number_text, quoted, read_answer
from engine.asking.kinds import ASKED_BEFORE_PASS, KINDS, answer, long_name
from engine.asking.question import Kind, Question, near
from engine.asking.question import receiver as receiver_of
from engine.asking.reasons import because
from engine.frame import Frame
from engine.graph import Graph, OpNode
from engine.numbers import ASKED, Digits, counted, full, short, signed
from engine.problems import SPOKEN_LENGTH, short_name_with_op
from engine.schedule import NO_NODE
from engine.trace import Trace, kept_for_pass
from engine.writers import bracketed

NAME_LENGTH: Final = SPOKEN_LENGTH
"""Maximum number of characters of a name in the sentence."""
POSITION_GAP: Final = "    "
"""What stands between the number of a step and its prompt."""
_UNSHORTENED_LENGTH: Final = 200
"""Maximum number of characters of a name in the tooltip, and for a screen reader."""
_PREVIOUS_GRAD: Final = ", which was {number},"
_FIRST_FINAL: Final = "At the end **{name}.grad** is {number}"
_NEXT_FINAL: Final = ", **{name}.grad** {number}"
_FIRST_GUESSED_FINAL: Final = "Your guess: at the end **{name}.grad** is {number}"
_ANY_GUESS: Final = "Any number will do: a guess is not judged."
_ANY_CHOICE: Final = "A guess: it is not judged."
_CHOICE_STANDS: Final = "**{text}** it is, to stand beside the truth later, on the page."
_GUESS_STANDS: Final = "Kept. It stands beside the truth later, on the page."
_NEXT_AFTER_FIRING: Final = "**{node}** has fired. Which node may fire next? {click}"
_NEXT_AFTER_SEED: Final = "**{node}** has its seed. Which node may fire next? {click}"
_SENT_AND_SUM: Final = "How much goes to {receiver} along this wire? Then: what is {receiver}.grad?"
_ONE_LEFT: Final = "1 question · Blanks"
_SEVERAL_LEFT: Final = "{count:,} questions · Blanks"
"""Text of the button that opens the choice of blanks: how much is asked from here on."""
_ASLEEP: Final = "The question is asked with {numbers}."
_OTHER_NUMBERS: Final = "The sheet has other numbers now."
_NUMBERS_NAMED: Final = 3
"""Most numbers of which the sentence says with what a question is asked."""
_ONE_TRY_PROMPT: Final = "One try; the verdict comes at the end of the test."


def quiz_strip(now: ViewState, context: StripContext) -> Strip:
    """Return the strip of Cover and Ask me; where nothing is asked, that of plain stepping."""
    quiz, frame = now.quiz, now.frame
    assert quiz is not None
    trace, questions = frame.unhidden, quiz.answered_questions or quiz.questions(frame)
    if questions and (numbers := quiz.numbers_put_aside(frame)):
        return _asleep_strip(quiz, numbers, frame, context)
    if questions and questions[0].kind == "text":
        return _lesson_question_strip(quiz, questions[0], now, context)
    if trace is None or not questions:
        return _strip_without_question(now, context)
    writer = _SentenceWriter(quiz, frame, trace, context.digits)
    with_blanks = (*mistake_name(now, context), *writer.sentence(questions))
    if quiz.is_cover:
        return Strip(with_blanks, with_step_count(frame, ()), transport_buttons(now))
    open_questions, blank_questions = quiz.open_questions(frame), quiz.blanks(frame)
    shown_options = writer.options
    unshortened = _SentenceWriter(quiz, frame, trace, context.digits, _UNSHORTENED_LENGTH)
    return Strip(
        with_blanks,
        writer.answer_line(questions, open_questions, _own_hint(quiz, now, context)),
        _buttons(quiz, frame, open_questions, shown_options),
        blanks=tuple(
            unshortened.blank(question) for question in blank_questions if question.kind != "next"
        ),
        options=shown_options,
        offers=_offers(quiz, frame, context),
        offers_last=True,
        widest=max(
            (_widest_number(trace, context.digits), *(o.label for o in shown_options)), key=len
        ),
        fullest=writer.fullest(),
        unshortened=(*mistake_name(now, context), *unshortened.sentence(questions)),
        note=""
        if quiz.last_answers or quiz.shown or quiz.lesson_questions
        else counted(quiz.questions_left(frame), _ONE_LEFT, _SEVERAL_LEFT),
        answer_over_timeline=bool(open_questions or quiz.last_answers or quiz.shown),
    )


def asked_sentence(
    quiz: Quiz, questions: Sequence[Question], frame: Frame, trace: Trace, digits: Digits
) -> Spans:
    """Return the sentence of questions about the next step, with a blank for each open one."""
    return _SentenceWriter(quiz, frame, trace, digits).sentence(questions)


def asked_blank(quiz: Quiz, frame: Frame, trace: Trace, digits: Digits) -> tuple[str, Spans]:
    """Return the accessible name of the first open blank about the next step, and the prompt of
    those that are open.
    """
    writer = _SentenceWriter(quiz, frame, trace, digits, _UNSHORTENED_LENGTH)
    blanks = quiz.blanks(frame)
    return writer.blank(blanks[0]).title, writer.prompt(blanks)


def _strip_without_question(now: ViewState, context: StripContext) -> Strip:
    """Return the strip where nothing is asked: the end of a pass, or plain stepping."""
    quiz, frame = now.quiz, now.frame
    assert quiz is not None
    if quiz.lesson_questions is not None:
        plain = plain_strip(now, context)
        return replace(plain, buttons=tuple(b for b in plain.buttons if b.act != "ask"))
    values_over = frame.phase == "forward" and frame.cursor == frame.total > 0
    if (is_over(now) or values_over) and not quiz.is_cover:
        return quiz_end(now, context)
    return plain_strip(now, context)


def _asleep_strip(
    quiz: Quiz, numbers: Mapping[int, float], frame: Frame, context: StripContext
) -> Strip:
    """Return the strip of a lesson's question while the sheet has other numbers than it."""
    texts = [
        f"{quiz.graph.brief(n)} = {_told_apart(x, frame.values.get(n), context.digits)}"
        for n, x in numbers.items()
    ]
    return Strip(
        filled(_ASLEEP, numbers=Span(enumerated(texts[:_NUMBERS_NAMED]), "value", bold=True)),
        verbatim(_OTHER_NUMBERS),
        (Button("back", enabled=frame.cursor > 0), Button("put back", "Put back")),
    )


def _told_apart(asked: float, now: float | None, digits: Digits) -> str:
    """Return a number as the sheet shows it, in full where the one there now looks the same."""
    text = short(asked, digits)
    return full(asked) if now is not None and text == short(now, digits) else text


def _own_hint(quiz: Quiz, now: ViewState, context: StripContext) -> Spans:
    """Return the hint that the lesson wrote, with the numbers of now, while it is shown."""
    if not quiz.shows_own_hint or quiz.lesson_questions is None:
        return ()
    return live_spans(quiz.lesson_questions.hint, now, context.digits)


def _lesson_question_strip(
    quiz: Quiz, question: Question, now: ViewState, context: StripContext
) -> Strip:
    """Return the strip of a question that a lesson wrote, which may be asked anywhere."""
    frame, lesson_question = now.frame, quiz.ask_of(question)
    open_questions = () if question in quiz.done else (question,)
    if quiz.is_guess and not quiz.refusal:
        given = quiz.last_answers.get(question)
        line = verbatim(_ANY_CHOICE) if given is None else filled(_CHOICE_STANDS, text=given.text)
    else:
        line = lesson_question_line(quiz, question) or _own_hint(quiz, now, context)
    shown_options = (
        options(quiz, question, frame.unhidden, context.digits) if open_questions else ()
    )
    return Strip(
        lesson_text("" if lesson_question is None else lesson_question.text),
        line or option_keys_text(shown_options),
        _buttons(quiz, frame, open_questions, shown_options),
        options=shown_options,
        answer_over_timeline=True,
    )


def _buttons(
    quiz: Quiz, frame: Frame, open_questions: Sequence[Question], shown_options: Sequence[Option]
) -> tuple[Button, ...]:
    """Return the buttons: a lesson of a file has help, and its page has Show me.

    There is no hint once all options but one were wrong.
    """
    is_open = bool(open_questions)
    is_solved = sum(option.state != "struck" for option in shown_options) == 1
    is_typed = any(question.kind != "next" for question in open_questions)
    asked = quiz.lesson_questions
    of_file = asked is None or asked.kind == "lesson"
    hints = is_open and not is_solved and (open_questions[0].kind != "text" or quiz.has_own_hint)
    show = (Button("show", "Show me", is_open),) if quiz.takes_help else ()
    aside = (*show, Button("skip", "Skip", is_open))
    first = Button("answer", "Answer", is_typed) if is_open else Button("go on", "Go on")
    if quiz.has_one_try:
        return (Button("back", enabled=frame.cursor > 0), first)
    return (
        Button("back", enabled=frame.cursor > 0),
        first,
        *((Button("hint", "Hint", hints),) if of_file and quiz.takes_help else ()),
        *(aside if asked is None else ()),
    )


def _offers(quiz: Quiz, frame: Frame, context: StripContext) -> tuple[Button, ...]:
    """Return the button of another way, where there is one."""
    has_way = quiz.takes_help and following_way(quiz, frame, context.digits) is not None
    return (Button("another", "Another way"),) if has_way else ()


class _SentenceWriter:
    """Writes the sentence, the answer line and the blanks of the next step of one frame."""

    def __init__(
        self, quiz: Quiz, frame: Frame, trace: Trace, digits: Digits, longest: int = NAME_LENGTH
    ) -> None:
        self._longest = longest
        """Most characters of a name."""
        self._quiz, self._frame, self._trace = quiz, frame, trace
        self._graph: Graph = trace.graph
        self._digits: Digits = digits
        self._blank_count = 0
        """Blanks in the sentence so far, by which each has its role."""
        blanks = quiz.blanks(frame)
        self.options = (
            options(quiz, blanks[0], trace, digits) if blanks and quiz.lesson_questions else ()
        )
        """The numbers to choose from, of a lesson; () where the answer is typed."""

    # the sentence

    def sentence(self, questions: Sequence[Question]) -> Spans:
        """Return the sentence of the next step, with a blank for each open question."""
        self._blank_count = 0
        first = questions[0]
        if first.kind == "final":
            return self._finals(questions)
        if first.kind == "value":
            return self._value(first)
        if first.kind == "next":
            return self._next(first)
        if first.kind in ASKED_BEFORE_PASS:
            blank, done = self._blank_or_number(first), first in self._quiz.done
            args = first, self._trace, blank, self._digits, self._longest
            return outside_pass_sentence(*args, done=done)
        return self._step(questions)

    def fullest(self) -> Spans:
        """Return the longest form of the sentences of this pass: all parts, names and digits.

        () where the size of the strip need not be fixed: no contribution is asked step by step.
        """
        if self._frame.phase != "backward" or self._quiz.level.before_pass:
            return ()
        if "contribution" not in self._quiz.level.kinds:
            return ()
        node, receiver = _longest_names(self._trace, self._longest)
        widest = _widest_number(self._trace, self._digits)
        numbers = {
            name: Span(widest, f"{BLANK_ROLE_PREFIX}{place}")
            for place, name in enumerate(("local", "contribution", "after"))
        }
        previous_grad = _PREVIOUS_GRAD.format(number=widest) if self._trace.rules.passes > 1 else ""
        fields: Fields = {
            "node": node,
            "receiver": receiver,
            "holder": receiver,
            "previous_grad": previous_grad,
            "upstream": widest,
        }
        return _with_sum("unfolded", {**fields, **numbers}, "; ")

    def _step(self, questions: Sequence[Question]) -> Spans:
        """Return the sentence of a contribution, with a blank for each open question."""
        quiz, graph, step = self._quiz, self._graph, questions[0].step
        at, kinds = step_facts(self._trace, step), {question.kind for question in questions}
        blanks = {_FIELD_NAMES.get(q.kind, q.kind): self._blank_or_number(q) for q in questions}
        if any(q.kind in ("upstream", "local") and q not in quiz.done for q in questions):
            blanks.setdefault("contribution", Span(ASKED, "selection", bold=True))
        is_left_over = _begins_sweep(self._trace, step) and at.before  # from the first sweep
        fields: Fields = {
            "node": self._spoken(at.sender),
            "receiver": receiver_text(graph, at.sender, at.slot, at.receiver, self._longest),
            "holder": graph.brief(at.receiver, self._longest),
            "previous_grad": _PREVIOUS_GRAD.format(number=short(at.before, self._digits))
            if is_left_over
            else "",
            **step_numbers(at, self._digits),
            **blanks,
        }
        case: Case = "asked"
        if kinds == {"local"}:
            case = "slope"
        elif "upstream" in kinds:
            case = "whole"
        elif "local" in kinds or (quiz.shown and "contribution" in kinds):
            case = "unfolded"
        if "sum" in kinds:
            return _with_sum(case, fields, ". " if kinds == {"sum"} else "; ")
        return filled("{sent}.", sent=sentence("contribution", case, fields))

    def _spoken(self, node: int) -> str:
        return short_name_with_op(self._graph, node, self._longest)

    def _finals(self, questions: Sequence[Question]) -> Spans:
        spans: list[Span] = []
        for place, question in enumerate(questions):
            name = self._graph.brief(question.node, self._longest)
            first = _FIRST_GUESSED_FINAL if self._quiz.is_guess else _FIRST_FINAL
            template = _NEXT_FINAL if place else first
            spans += filled(template, name=name, number=self._blank_or_number(question))
        return (*spans, Span("."))

    def _value(self, question: Question) -> Spans:
        graph, node = self._graph, question.node
        if not isinstance(graph.nodes[node], OpNode):
            return ()
        fields: Fields = {
            "name": graph.brief(node, self._longest),
            "formula": names_text(graph, node, self._digits),
            "numbers": self._numbers(node),
            "value": self._blank_or_number(question),
        }
        return sentence("compute", "", fields)

    def _numbers(self, node: int) -> Spans:
        """Return the formula of a node with its inputs' numbers: `2 × −3`."""
        op, values = self._graph.op(node), self._trace.values
        numbers = [
            ASKED if source is None or source not in values else short(values[source], self._digits)
            for source in self._graph.inputs(node)
        ]

        def fit(text: str, before: str, after: str) -> str:
            return f"\0{text if op.name == 'mul' else bracketed(text, before, after)}\0"

        # \0 marks where each number begins and ends, so that numbers are the odd parts
        parts = op.filled(op.formula, numbers, fit).split("\0")
        return tuple(
            Span(part, "value", bold=True) if k % 2 else Span(part)
            for k, part in enumerate(parts)
            if part
        )

    def _next(self, question: Question) -> Spans:
        """Return the question of which node fires next, after the node of the step before."""
        previous_event = self._trace.events[question.step - 2]
        after_seed = previous_event.sender == NO_NODE or previous_event.wire is None
        node = previous_event.node if after_seed else previous_event.sender
        if question in self._quiz.done:
            answer_name = self._spoken(question.node)
            return filled("**{node}** fires next.", node=answer_name)
        return filled(
            _NEXT_AFTER_SEED if after_seed else _NEXT_AFTER_FIRING,
            node=self._spoken(node),
            click=Span("Click it.", "selection", bold=True),
        )

    def _blank_or_number(self, question: Question) -> Span | Spans:
        """Return the blank of a question, or its number once it is done."""
        quiz, role = self._quiz, KINDS[question.kind].role
        if question in quiz.done:
            return self._answered(question, role)
        if question not in quiz.blanks(self._frame) or quiz.is_cover:
            return Span(ASKED, "selection", bold=True)
        place, self._blank_count = self._blank_count, self._blank_count + 1
        typed = answer_label(question, quiz.typed.get(question, ""))
        return Span(typed or ASKED, f"{BLANK_ROLE_PREFIX}{place}")

    def _answered(self, question: Question, role: str) -> Spans:
        """Return the right number, as it was typed if that was right, with ✓."""
        right = answer(question, self._trace)
        text = number_text(question, right, self._digits)
        given = self._quiz.last_answers.get(question)
        if self._quiz.is_guess and given is not None and question.kind == "final":
            return (Span(quoted(given.text), bold=True),)
        if given is None or not given.right or self._quiz.is_guess:
            return (number_span(right, role, answer_label(question, text)),)
        text = answer_label(question, text) if given.verdict == "right" else quoted(given.text)
        return (number_span(right, role, text), Span(" ✓", bold=True))

    # the answer line

    def answer_line(
        self, questions: Sequence[Question], opened: Sequence[Question], own_hint: Spans
    ) -> Spans:
        """Return the answer line: a refusal, a verdict, a hint, or the prompt."""
        quiz, trace, digits = self._quiz, self._trace, self._digits
        if quiz.refusal:
            return verbatim(quiz.refusal)
        if not opened:
            return self._answered_line(questions)
        if quiz.way:
            return self._another_way(opened[0])
        wrong = [quiz.last_answers[q] for q in questions if q in quiz.last_answers and q in opened]
        if wrong:
            return wrong_answer_line(quiz, wrong, trace, digits)
        if own_hint:
            return own_hint
        if quiz.rung:
            is_first = quiz.rung == 1
            return first_hint(opened[0], trace, digits) if is_first else self._experiment(opened[0])
        return option_keys_text(self.options) if self.options else self.prompt(questions)

    def _another_way(self, opened: Question) -> Spans:
        """Return the sentence of the way that is shown."""
        way = shown_way(self._quiz, self._frame, self._digits)
        if way is not None:
            return with_changes(way.said.text)
        return self._experiment(helped_question(self._quiz, self._frame) or opened)

    def _experiment(self, question: Question) -> Spans:
        return second_hint(self._quiz, question, self._trace, self._digits)

    def _answered_line(self, questions: Sequence[Question]) -> Spans:
        quiz, trace, digits = self._quiz, self._trace, self._digits
        if quiz.is_guess:
            return self._guess_line(questions)
        if quiz.shown:
            missed = [q for q in questions if q.wire and not self._is_right(q)]
            return worked_line(missed or questions, trace, digits)
        return right_answer_line(quiz, questions, trace, digits)

    def _guess_line(self, questions: Sequence[Question]) -> Spans:
        """Return the guesses beside the numbers that the step has shown, or that they are kept.

        A wrong one is followed by why.
        """
        given = [self._quiz.last_answers[q] for q in questions if q in self._quiz.last_answers]
        if not given or given[0].question.kind == "final":
            return verbatim(_GUESS_STANDS)
        spans: list[Span] = []
        for each in given:
            number, guessed = answer(each.question, self._trace), read_answer(each.text).number
            text = number_text(each.question, number, self._digits)
            right = answer_label(each.question, text)
            typed = answer_label(each.question, quoted(each.text))
            spans += (*((Span(" "),) if spans else ()), *guess_text(typed, right))
            told = because(each.question, self._trace, self._digits)
            if told is not None and not near(guessed or 0.0, number):
                spans.append(Span(f" {told.text}"))
        return tuple(spans)

    def _is_right(self, question: Question) -> bool:
        given = self._quiz.last_answers.get(question)
        return given is not None and given.right

    def prompt(self, questions: Sequence[Question]) -> Spans:
        first, frame, graph = questions[0], self._frame, self._graph
        root = graph.brief(self._trace.root, NAME_LENGTH)
        if self._quiz.has_one_try:
            return verbatim(_ONE_TRY_PROMPT)
        if self._quiz.is_guess:
            return verbatim(_ANY_GUESS)
        if first.kind in ASKED_BEFORE_PASS and first.kind != "final":
            return outside_pass_prompt(first, self._trace, self._digits, NAME_LENGTH)
        position = KINDS[first.kind].position.format(
            step=frame.cursor, coming=frame.cursor + 1, total=frame.total
        )
        receiver = graph.brief(receiver_of(first, self._trace), NAME_LENGTH)
        text = _prompt_of(tuple(dict.fromkeys(question.kind for question in questions))).format(
            node=short_name_with_op(graph, first.node),
            receiver=receiver,
            held_in=receiver,
            formula=names_text(graph, first.node, self._digits) if first.wire else "",
            root=root,
        )
        return (Span(f"{position}{POSITION_GAP}", "secondary"), *verbatim(text))

    def blank(self, question: Question) -> Blank:
        """Return a blank with its accessible name and verdict."""
        graph, quiz = self._graph, self._quiz
        last_answer = quiz.last_answers.get(question)
        title = long_name(question, graph, self._longest)
        answered_text = (
            "" if last_answer is None else answer_label(question, quoted(last_answer.text))
        )
        is_refused = quiz.refusal and question == quiz.unjudgeable_blank(self._frame)
        typed = answer_label(question, quiz.typed.get(question, ""))
        verdict = (
            quiz.refusal if is_refused else f"{answered_text} was wrong" if answered_text else ""
        )
        return Blank(question, typed, title, verdict, bool(is_refused), bool(self.options))


def _prompt_of(kinds: tuple[Kind, ...]) -> str:
    """Return the prompt of a step's questions; of three or more that of the whole product."""
    if kinds == ("contribution", "sum"):
        return _SENT_AND_SUM
    kind = KINDS[kinds[0] if len(kinds) == 1 else "upstream"]
    return kind.prompt or kind.asks


def _with_sum(case: Case, fields: Fields, link: str) -> Spans:
    """Return the sentence about the contribution, then the one about the receiver's sum."""
    contribution_text, sum_text = (sentence("contribution", each, fields) for each in (case, "sum"))
    return filled("{sent}{link}{now}", sent=contribution_text, link=link, now=sum_text)


_FIELD_NAMES: Final[Mapping[Kind, str]] = {"sum": "after"}
"""The field of a sentence that a question asks for, where it has another name."""


@kept_for_pass
def _longest_names(trace: Trace, longest: int) -> tuple[str, str]:
    """Return sender and receiver with the longest names of a pass."""
    graph = trace.graph
    wires = sorted({(e.sender, e.node, e.slot) for e in trace.events if e.wire is not None})
    names = [
        (short_name_with_op(graph, node, longest), receiver_text(graph, node, slot, to, longest))
        for node, to, slot in wires
    ]
    # the receiver counts twice: it is named again as the holder of the sum
    return max(names, key=lambda pair: len(pair[0]) + 2 * len(pair[1]), default=("", ""))


def _begins_sweep(trace: Trace, step: int) -> bool:
    """Return whether a step brings its receiver the first contribution of a second sweep."""
    event = trace.events[step - 1]
    arrivals = trace.schedule.arrivals.get(event.node, ())
    in_sweep = (k for k in arrivals if trace.events[k].sweep == event.sweep)
    return event.sweep > 1 and next(in_sweep, None) == step - 1  # arrivals count from 0


_DIGIT: Final = re.compile(r"\d")


@kept_for_pass
def _widest_number(trace: Trace, digits: Digits) -> str:
    """Return the form of the longest number of a pass, all digits 0.

    The width of a blank thus shows the longest number's length, and no digit.
    """
    if trace.phase == "forward":
        numbers = [*trace.values.values()]
    else:
        numbers = [x for e in trace.events for x in (e.upstream, e.local, e.contribution, e.after)]
    texts = {signed(x, digits) for x in numbers}  # learners may type a plus, which needs room, too
    return _DIGIT.sub("0", max(texts, key=lambda text: (len(text), text), default=""))
