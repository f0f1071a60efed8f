"""Asked: the strip of Cover and Ask me, in which the sentence of the next step has blanks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from app.controls.rich_text import Span, Spans, filled
from app.workbench.chain_rule import figure
from app.workbench.formulas import names_text, values_text
from app.workbench.modes.quiz import Quiz
from app.workbench.shown import Shown
from app.workbench.words.facts import StepFacts, step_facts
from app.workbench.words.help import (
    first_hint,
    right_line,
    second_help,
    worked_line,
    wrong_line,
)
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
from engine.study.judging import quoted
from engine.study.question import Kind, Question, answer
from engine.trace import Trace

LONGEST_NAME: Final = 16
"""Characters of a name in the sentence."""
_FOLDED: Final = "**{node}** passes {contribution} to **{receiver}**"
_UNFOLDED: Final = (
    "**{node}** got {upstream} and passes {upstream} × {local} = {contribution} to **{receiver}**"
)
_WHOLE: Final = "{upstream} × {local} = {contribution} goes to **{receiver}**"
_SLOPE: Final = "Along **{receiver}**, the slope of **{node}** is {local}."
_NOW: Final = "**{receiver}.grad**{was} is now {after}."
_NEXT: Final = "**{node}** has fired. Which node may fire next? {click}"
_NEXT_FIRST: Final = "**{node}** has its seed. Which node may fire next? {click}"
_PROMPTS: Final[Mapping[tuple[Kind, ...], str]] = {
    (
        "contribution",
        "sum",
    ): "How much goes to {receiver} along this wire? Then: what does it hold?",
    ("contribution",): "How much goes to {receiver} along this wire?",
    ("sum",): "What does {receiver} hold after this step?",
    ("local",): "How fast does {formula} grow when {receiver} alone grows?",
    ("value",): "What is the value of {node}?",
    ("next",): "A node may, when every wire that leads from it to {root} has brought its share.",
}
_PRODUCT: Final = "Upstream gradient × local derivative = contribution."
_PATHS: Final = "Each path from a leaf to {root} gives a product of slopes; the products add up."
_ROLES: Final[Mapping[Kind, str]] = {"value": "value", "local": "local"}


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
        at = step_facts(self._trace, first.step)
        template = self._template({q.kind for q in questions}, at, first.step)
        return filled(template, **self._fields(at, {q.kind: q for q in questions}))

    def fullest(self) -> Spans:
        """Return the longest form that the sentences of this pass take."""
        if self._frame.phase != "backward" or self._quiz.level.once:
            return ()
        if "contribution" not in self._quiz.level.kinds:
            return ()
        widest, (node, receiver) = _widest(self._trace, self._digits), _longest_names(self._trace)
        return filled(
            f"{_UNFOLDED}; **{{receiver}}.grad** is now {{after}}.",
            node=node,
            receiver=receiver,
            upstream=widest,
            local=Span(widest, f"{BLANK}0"),
            contribution=Span(widest, f"{BLANK}1"),
            after=Span(widest, f"{BLANK}2"),
        )

    def _template(self, kinds: set[Kind], at: StepFacts, step: int) -> str:
        quiz = self._quiz
        if kinds == {"local"}:
            return _SLOPE
        if "upstream" in kinds:
            head = _WHOLE
        elif quiz.unfolds(step) or (quiz.shown and "contribution" in kinds):
            head = _UNFOLDED
        else:
            head = _FOLDED
        if kinds == {"sum"}:
            return f"{head}. {_NOW}"
        return f"{head}; {_NOW}" if "sum" in kinds else f"{head}."

    def _fields(
        self, at: StepFacts, asked: Mapping[Kind, Question]
    ) -> dict[str, Span | Spans | str]:
        assert at.sender is not None
        assert at.slot is not None
        digits = self._digits
        numbers: dict[Kind, tuple[float, str, str]] = {
            "upstream": (at.upstream, "gradient", short(at.upstream, digits)),
            "local": (at.local, "local", short(at.local, digits)),
            "contribution": (at.contribution, "gradient", signed(at.contribution, digits)),
            "sum": (at.after, "gradient", short(at.after, digits)),
        }
        spans = {
            kind: self._asked(asked[kind]) if kind in asked else figure(x, role, text)
            for kind, (x, role, text) in numbers.items()
        }
        again = at.sweep > 1 and not at.first
        was = f", which was {short(at.before, digits)}," if again else ""
        return {
            "node": spoken_briefly(self._graph, at.sender),
            "receiver": _receiver(self._graph, at.sender, at.slot, at.receiver),
            "was": was,
            "upstream": spans["upstream"],
            "local": spans["local"],
            "contribution": spans["contribution"],
            "after": spans["sum"],
        }

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
        return filled(
            "**{name}** = {formula} = {numbers} = {number}.",
            name=graph.brief(node, LONGEST_NAME),
            formula=names_text(graph, node, self._digits),
            numbers=Span(values_text(self._trace.values, graph, node, self._digits), "value"),
            number=self._asked(question),
        )

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
        quiz, role = self._quiz, _ROLES.get(question.kind, "gradient")
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
            return filled(quiz.refusal)
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
            text = _PROMPTS.get(kinds, _PRODUCT).format(
                node=spoken_briefly(graph, first.node),
                receiver="" if at is None else graph.brief(at.receiver, LONGEST_NAME),
                formula=names_text(graph, first.node, self._digits),
                root=root,
            )
        return (Span(f"{count}    ", "secondary"), *filled("{text}", text=text))

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


def _receiver(graph: Graph, node: int, slot: int, receiver: int) -> str:
    """Return the name of a node that a contribution goes to, with the slot where two fit."""
    name = graph.brief(receiver, LONGEST_NAME)
    if list(graph.inputs(node)).count(receiver) > 1:
        return f"{name} (slot {slot + 1})"
    return name


_LONGEST: list[tuple[Trace, tuple[str, str]]] = []


def _longest_names(trace: Trace) -> tuple[str, str]:
    """Return sender and receiver with the longest names of a pass, computed once per pass."""
    if not _LONGEST or _LONGEST[0][0] is not trace:
        graph = trace.graph
        hops = sorted({(e.target, e.node, e.slot) for e in trace.events if e.wire is not None})
        names = [
            (spoken_briefly(graph, node), _receiver(graph, node, slot, receiver))
            for node, receiver, slot in hops
        ]
        found = max(names, key=lambda pair: len(pair[0]) + 2 * len(pair[1]), default=("", ""))
        _LONGEST[:] = [(trace, found)]
    return _LONGEST[0][1]


_WIDEST: list[tuple[Trace, Digits, str]] = []


def _widest(trace: Trace, digits: Digits) -> str:
    """Return the longest number of a pass as written, computed once per pass."""
    if _WIDEST and _WIDEST[0][0] is trace and _WIDEST[0][1] == digits:
        return _WIDEST[0][2]
    if trace.phase == "forward":
        numbers = {signed(x, digits) for x in trace.values.values()}
    else:
        numbers = {
            signed(x, digits)
            for e in trace.events
            for x in (e.upstream, e.local, e.contribution, e.after)
        }
    text = max(numbers, key=len, default="")
    _WIDEST[:] = [(trace, digits, text)]
    return text
