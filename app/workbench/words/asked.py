"""Asked: the strip of Cover and Ask me, in which the sentence of the next step has blanks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from app.controls.rich_text import Span, Spans, filled, verbatim
from app.workbench.chain_rule import figure
from app.workbench.formulas import names_text, values_text
from app.workbench.modes.quiz import Quiz
from app.workbench.shown import Shown
from app.workbench.words.help import (
    first_hint,
    right_line,
    second_help,
    worked_line,
    wrong_line,
)
from app.workbench.words.narration import receiver_text, step_numbers
from app.workbench.words.questions import QUESTIONS, ROLES
from app.workbench.words.sentences import Case, Fields, sentence
from app.workbench.words.strip import (
    BLANK,
    Blank,
    Button,
    Say,
    Strip,
    is_over,
    mistake_name,
    plain_strip,
    told_count,
    transport_buttons,
)
from engine.frame import Frame
from engine.graph import Graph, OpNode
from engine.numbers import ASKED, Digits, short, signed
from engine.problems import spoken
from engine.schedule import NOBODY
from engine.study.facts import step_facts
from engine.study.judging import quoted
from engine.study.question import Kind, Question, answer
from engine.trace import Trace

LONGEST_NAME: Final = 16
"""Characters of a name in the sentence."""
_NEXT: Final = "**{node}** has fired. Which node may fire next? {click}"
_NEXT_FIRST: Final = "**{node}** has its seed. Which node may fire next? {click}"
_PROMPTS: Final[Mapping[tuple[Kind, ...], str]] = {
    (
        "contribution",
        "sum",
    ): "How much goes to {receiver} along this wire? Then: what does it hold?",
    ("contribution",): "How much goes to {receiver} along this wire?",
    ("sum",): QUESTIONS["sum"],
    ("local",): "How fast does {formula} grow when {receiver} alone grows?",
    ("value",): "What is the value of {node}?",
    ("next",): "A node may, when every wire that leads from it to {root} has brought its share.",
}
_PRODUCT: Final = "Upstream gradient × local derivative = contribution."
_PATHS: Final = "Each path from a leaf to {root} gives a product of slopes; the products add up."


def quiz_strip(now: Shown, say: Say) -> Strip:
    """Return the strip of Cover and Ask me; where nothing is asked, that of plain stepping."""
    quiz, frame = now.quiz, now.frame
    assert quiz is not None
    trace, questions = frame.whole, quiz.answered_questions or quiz.questions(frame)
    if trace is None or not questions:
        if is_over(now) and not quiz.covers:
            from app.workbench.words.ends import quiz_end

            return quiz_end(now, say)
        return plain_strip(now, say)
    writer = _Writer(quiz, frame, trace, say.digits)
    sentence = (*mistake_name(now, say), *writer.sentence(questions))
    if quiz.covers:
        return Strip(sentence, told_count(frame, ()), transport_buttons(now))
    opened = quiz.open_questions(frame)
    return Strip(
        sentence,
        writer.answer_line(questions, opened),
        _buttons(quiz, frame, bool(opened)),
        blanks=tuple(writer.blank(question) for question in opened if question.kind != "next"),
        widest=_widest(trace, say.digits),
        fullest=writer.fullest(),
        note="" if quiz.given or quiz.shown else f"blanks: {quiz.level.name}",
        wrong=any(not given.right for given in quiz.given.values()),
    )


def _buttons(quiz: Quiz, frame: Frame, is_open: bool) -> tuple[Button, ...]:
    first = Button("answer", "Answer") if is_open else Button("go on", "Go on")
    return (
        Button("back", enabled=frame.cursor > 0),
        first,
        Button("hint", "Hint", is_open),
        Button("show", "Show me", is_open),
        Button("skip", "Skip", is_open),
    )


class _Writer:
    """Writes about the next step of one frame."""

    def __init__(self, quiz: Quiz, frame: Frame, trace: Trace, digits: Digits) -> None:
        self._quiz, self._frame, self._trace = quiz, frame, trace
        self._graph: Graph = trace.graph
        self._digits: Digits = digits
        self._blanks = 0

    # the sentence

    def sentence(self, questions: Sequence[Question]) -> Spans:
        """Return the sentence of the next step, with a blank for each open question."""
        self._blanks = 0
        first = questions[0]
        if first.kind == "final":
            return self._finals(questions)
        if first.kind == "value":
            return self._value(first)
        if first.kind == "next":
            return self._next(first)
        return self._step(questions)

    def fullest(self) -> Spans:
        """Return the longest form that the sentences of this pass take."""
        if self._frame.phase != "backward" or self._quiz.level.once:
            return ()
        events = (event for event in self._trace.events if event.wire is not None)
        hops = sorted({(event.target, event.node, event.slot) for event in events})
        if "contribution" not in self._quiz.level.kinds or not hops:
            return ()
        graph = self._graph
        named = [
            (spoken_briefly(graph, node), receiver_text(graph, node, slot, to, LONGEST_NAME))
            for node, to, slot in hops
        ]
        node, receiver = max(named, key=lambda names: len(names[0]) + 2 * len(names[1]))
        widest = _widest(self._trace, self._digits)
        numbers = {
            name: Span(widest, f"{BLANK}{place}")
            for place, name in enumerate(("local", "contribution", "after"))
        }
        was = f", which was {widest}," if self._trace.rules.passes > 1 else ""
        fields: Fields = {"node": node, "receiver": receiver, "was": was, "upstream": widest}
        return _with_sum("unfolded", {**fields, **numbers}, "; ")

    def _step(self, questions: Sequence[Question]) -> Spans:
        """Return the sentence of a contribution, with a blank for each open question."""
        quiz, graph, step = self._quiz, self._graph, questions[0].step
        at, kinds = step_facts(self._trace, step), {question.kind for question in questions}
        blanks = {_FIELDS.get(q.kind, q.kind): self._asked(q) for q in questions}
        again = at.sweep > 1 and not at.first
        fields: Fields = {
            "node": spoken_briefly(graph, at.sender),
            "receiver": receiver_text(graph, at.sender, at.slot, at.receiver, LONGEST_NAME),
            "was": f", which was {short(at.before, self._digits)}," if again else "",
            **step_numbers(at, self._digits),
            **blanks,
        }
        case: Case = "asked"
        if kinds == {"local"}:
            case = "slope"
        elif "upstream" in kinds:
            case = "whole"
        elif quiz.unfolds(step) or (quiz.shown and "contribution" in kinds):
            case = "unfolded"
        if "sum" in kinds:
            return _with_sum(case, fields, ". " if kinds == {"sum"} else "; ")
        return filled("{sent}.", sent=sentence("contribution", case, fields))

    def _finals(self, questions: Sequence[Question]) -> Spans:
        spans: list[Span] = []
        for place, question in enumerate(questions):
            name = self._graph.brief(question.node, LONGEST_NAME)
            template = (
                "At the end **{name}.grad** is {number}"
                if not place
                else ", **{name}.grad** {number}"
            )
            spans += filled(template, name=name, number=self._asked(question))
        return (*spans, Span("."))

    def _value(self, question: Question) -> Spans:
        graph, node = self._graph, question.node
        if not isinstance(graph.nodes[node], OpNode):
            return ()
        fields: Fields = {
            "name": graph.brief(node, LONGEST_NAME),
            "formula": names_text(graph, node, self._digits),
            "numbers": Span(values_text(self._trace.values, graph, node, self._digits), "value"),
            "value": self._asked(question),
        }
        return sentence("compute", "", fields)

    def _next(self, question: Question) -> Spans:
        before = self._trace.events[question.step - 2]
        seeded = before.target == NOBODY or before.wire is None
        node = before.node if seeded else before.target
        if question in self._quiz.done:
            right = spoken_briefly(self._graph, question.node)
            return filled("**{node}** fires next.", node=right)
        return filled(
            _NEXT_FIRST if seeded else _NEXT,
            node=spoken_briefly(self._graph, node),
            click=Span("Click it.", "selection", bold=True),
        )

    def _asked(self, question: Question) -> Span | Spans:
        """Return the blank of a question, or its number once it is done."""
        quiz, role = self._quiz, ROLES.get(question.kind, "gradient")
        if question in quiz.done:
            return self._done(question, role)
        if quiz.covers:
            return Span(ASKED, "selection", bold=True)
        self._blanks += 1
        typed = quiz.typed.get(question, "")
        return Span(typed or ASKED, f"{BLANK}{self._blanks - 1}")

    def _done(self, question: Question, role: str) -> Spans:
        write = signed if question.kind == "contribution" else short
        right = answer(question, self._trace)
        given = self._quiz.given.get(question)
        if given is None or not given.right:
            return (figure(right, role, write(right, self._digits)),)
        exact = given.verdict == "right"
        text = write(right, self._digits) if exact else quoted(given.text)
        return (figure(right, role, text), Span(" ✓", bold=True))

    # the answer line

    def answer_line(self, questions: Sequence[Question], opened: Sequence[Question]) -> Spans:
        """Return the line below: a refusal, what was wrong or right, a hint, or what to do."""
        quiz, trace, digits = self._quiz, self._trace, self._digits
        if quiz.refusal:
            return verbatim(quiz.refusal)
        if not opened:
            if quiz.shown:
                return worked_line(questions, trace, digits)
            return right_line(quiz, questions, trace, digits)
        wrong = [quiz.given[q] for q in questions if q in quiz.given and q in opened]
        if wrong and not quiz.hints:
            return wrong_line(quiz, wrong, trace, digits)
        if quiz.rung > 1:
            return second_help(opened[0], trace, digits)
        if quiz.rung:
            return first_hint(opened[0], trace, digits)
        return self._prompt(questions)

    def _prompt(self, questions: Sequence[Question]) -> Spans:
        first, frame, graph = questions[0], self._frame, self._graph
        root = graph.brief(self._trace.root, LONGEST_NAME)
        if first.kind == "final":
            count = "Before step 1"
            text = _PATHS.format(root=root)
        else:
            count = _COUNTS.get(first.kind, "Step {coming:,} of {total:,}").format(
                step=frame.cursor, coming=frame.cursor + 1, total=frame.total
            )
            kinds: tuple[Kind, ...] = tuple(question.kind for question in questions)
            at = None if first.kind in ("value", "next") else step_facts(self._trace, first.step)
            receiver = "" if at is None else graph.brief(at.receiver, LONGEST_NAME)
            text = _PROMPTS.get(kinds, _PRODUCT).format(
                node=spoken_briefly(graph, first.node),
                receiver=receiver,
                held_in=receiver,
                formula=names_text(graph, first.node, self._digits),
                root=root,
            )
        return (Span(f"{count}    ", "secondary"), *verbatim(text))

    def blank(self, question: Question) -> Blank:
        """Return what a field and a screen reader need to know of a blank."""
        graph, quiz = self._graph, self._quiz
        given = quiz.given.get(question)
        source = None if question.wire is None else graph.source(question.wire)
        receiver = graph.brief(question.node if source is None else source, LONGEST_NAME)
        node = spoken_briefly(graph, question.node)
        title = {
            "value": f"value of {node}",
            "upstream": f"gradient of {node}",
            "local": f"slope of {node} along {receiver}",
            "contribution": f"contribution to {receiver}",
        }.get(question.kind, f"{receiver}.grad")
        verdict = "" if given is None else f"{quoted(given.text)} was wrong"
        return Blank(question, quiz.typed.get(question, ""), title, quiz.refusal or verdict)


def _with_sum(case: Case, fields: Fields, link: str) -> Spans:
    """Return what is passed on, then what the receiver holds."""
    sent, now = (sentence("contribution", each, fields) for each in (case, "sum"))
    return filled("{sent}{link}{now}", sent=sent, link=link, now=now)


_FIELDS: Final[Mapping[Kind, str]] = {"sum": "after"}
"""The field of a sentence that a question asks for, where it has another name."""
_COUNTS: Final[Mapping[Kind, str]] = {
    "value": "Forward {coming:,} of {total:,}",
    "next": "After step {step:,}",
}


def spoken_briefly(graph: Graph, node: int) -> str:
    """Return a node as the sentence says it, its name shortened."""
    if not isinstance(graph.nodes[node], OpNode):
        return graph.brief(node, LONGEST_NAME)
    return (
        spoken(graph, node, brief=True)
        if len(graph.called(node)) <= LONGEST_NAME
        else (f"{graph.op(node).symbol} ({graph.brief(node, LONGEST_NAME)})")
    )


_WIDEST: list[tuple[Trace, Digits, str]] = []


def _widest(trace: Trace, digits: Digits) -> str:
    """Return the longest number of a pass as written, computed once per pass."""
    if _WIDEST and _WIDEST[0][0] is trace and _WIDEST[0][1] == digits:
        return _WIDEST[0][2]
    if trace.phase == "forward":
        numbers = [*trace.values.values()]
    else:
        numbers = [x for e in trace.events for x in (e.upstream, e.local, e.contribution, e.after)]
    text = max((signed(x, digits) for x in numbers), key=len, default="")
    _WIDEST[:] = [(trace, digits, text)]
    return text
