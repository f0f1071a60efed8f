"""Lesson page: the steps of a lesson as those of a page.

say, ask    as they are
do          with values: a slider whose positions are tabulated; else the moves of Show me
hunt        the pass with its mistake, step by step, and a choice among the lesson's mistakes
other       what needs the program becomes “On a computer: …” and is passed over
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from app.controls.rich_text import Span, filled, number_span, plain_text, verbatim
from app.lessons.checks import holds
from app.lessons.lesson import Ask, Lesson, Step
from app.lessons.questions import drawn, question_of
from app.lessons.situation import Move, Situation, after_move, with_values
from app.takeaway.estimated_layout import node_positions
from app.takeaway.graph_page import narration
from app.takeaway.page_data import (
    ChoiceData,
    GraphData,
    MoveData,
    PageData,
    Position,
    QuestionData,
    RecordId,
    Slider,
    StepData,
    Text,
    Theme,
)
from app.takeaway.page_data import Span as PageSpan
from app.takeaway.page_figure import (
    NAME_LENGTH,
    State,
    change,
    focus_of,
    graph_data,
    state_of,
    wire_key,
)
from app.takeaway.page_questions import Asking, asked
from app.takeaway.page_record import lesson_record
from app.takeaway.page_views import PAGE_WORDS, text_of
from app.takeaway.page_wording import on_page
from app.workbench.modes.hunt import Hunt
from app.workbench.playback.view_state import ViewState, view_of
from app.workbench.words.lesson import live_spans, paragraphs
from app.workbench.words.narration import step_text
from app.workbench.words.strip import BLANK_ROLE_PREFIX
from engine.frame import Frame, frame_at
from engine.graph import Graph, Leaf, OpNode, Wire, kind_of
from engine.numbers import ASKED, DIGITS_SHOWN, Digits, short
from engine.rules import Rules
from engine.study.hunt import draw_mistake
from engine.study.question import Question
from engine.trace import Trace, run

SEED: Final = 1
"""The seed of friendly numbers and of a hunt's mistake: every copy of a page asks the same."""
MOST_POSITIONS: Final = 41
_STEP_SIZES: Final = (1.0, 2.0, 2.5, 5.0)
"""Distances of a slider's positions, times a power of ten."""
_ONLY_THERE: Final = ("wire", "root", "unfold", "h", "method", "rate", "seed")
"""Moves whose effect a page can't show."""
_ROUNDING, _DECIMALS = 1e-9, 12
_FIRST_VALUE: Final = "**{name}** is {value}"
_NEXT_VALUE: Final = ", **{name}** {value}"
_CAUSE: Final = "The mistake is {name}."
_CROSS: Final[PageSpan] = ["✗ ", "error", "b"]
_CHECK: Final[PageSpan] = ["✓ ", "text", "b"]
_ON_COMPUTER: Final = "On a computer: {task}."
_FREE_TASK: Final = "open this lesson in Backwire and try this"
_ASKED_OF_THE_WHOLE: Final = ("final", "sign")
"""Questions that are answered on paper, from the numbers of the whole graph."""


def page_of_lesson(
    lesson: Lesson, theme: Theme = "auto", digits: Digits = DIGITS_SHOWN, *, cover: bool = False
) -> PageData:
    """Return the page of a lesson."""
    writer = _LessonWriter(digits)
    steps = [writer.step(step, k, len(lesson.steps)) for k, step in enumerate(lesson.steps, 1)]
    return PageData(
        lesson.title,
        "lesson",
        writer.graphs,
        steps,
        lesson_record(lesson, SEED),
        theme,
        cover,
        lesson.able,
        lesson.surprise,
        words=PAGE_WORDS,
    )


class _LessonWriter:
    """Writes the steps of one lesson, one after the other; `graphs` are those they are about."""

    def __init__(self, digits: Digits) -> None:
        self._digits: Digits = digits
        self.graphs: list[GraphData] = []
        self._indices: dict[Hashable, int] = {}
        self._state: State = {}

    def step(self, step: Step, number: int, total: int) -> StepData:
        """Return a step, and remember the numbers that it leaves on the figure."""
        begun = drawn(step, SEED)
        data = StepData(
            kind=step.kind,
            title=step.title,
            graph=self._graph_index(begun.graph),
            position=f"Step {number} of {total}",
            lit=[_part_key(part) for part in step.lit],
            watched=[_part_key(part) for part in step.watched],
        )
        if step.kind == "ask":
            view = self._ask(data, step, begun)
        elif step.kind == "hunt":
            view = self._hunt(data, step, begun, seed=number)
        else:
            view = view_of(begun.shown)
            self._show(data, begun.shown)
        if step.kind == "do":
            self._do(data, step, begun)
        elif step.kind == "free":
            data.on_computer = _ON_COMPUTER.format(task=self._plain(step.task, view) or _FREE_TASK)
        words = str if data.on_computer else on_page
        data.text = [self._text(words(part), view) for part in paragraphs(step.text)]
        data.task = self._text(words(step.task), view)
        data.hint = self._text(step.hint, view)
        return data

    # texts and figures

    def _text(self, text: str, view: ViewState) -> Text:
        return text_of(live_spans(text, view, self._digits)) if text else []

    def _plain(self, text: str, view: ViewState) -> str:
        return plain_text(live_spans(text, view, self._digits)) if text else ""

    def _show(self, data: StepData, frame: Frame) -> None:
        """Show a frame on entering the step."""
        after = state_of(frame, self._digits)
        data.shown, self._state = change(self._state, after), after
        data.says = narration(frame, self._digits)
        data.focus = focus_of(frame)

    def _graph_index(self, graph: Graph) -> int:
        """Return the index of a graph; one that differs in values alone has the same."""
        key = _wiring(graph)
        if key not in self._indices:
            self._indices[key] = len(self.graphs)
            self.graphs.append(graph_data(graph, node_positions(graph), self._digits))
        return self._indices[key]

    # kinds of steps

    def _ask(self, data: StepData, step: Step, begun: Situation) -> ViewState:
        """Add the questions of a step; return what is on the screen while the first is open."""
        trace = run(begun.graph, rules=begun.rules)
        cursor = begun.cursor if begun.phase == "backward" else 0
        questions = [lesson_question(ask, k, trace, cursor) for k, ask in enumerate(step.asks)]
        pairs = zip(questions, step.asks, strict=True)
        own = {question: ask for question, ask in pairs if ask.text or ask.choices}
        asking = Asking(tuple(questions), trace, begun.shown, self._digits, step.form, own)
        found = asked(asking)
        data.questions = found.questions
        data.shown, self._state = change(self._state, found.before), found.after
        data.focus = focus_of(found.view.frame)
        if any(question.kind in _ASKED_OF_THE_WHOLE for question in questions):
            data.given = self._given(self.graphs[data.graph], found.before)
        if found.frame is not begun.shown:
            data.says = narration(found.frame, self._digits)
        return found.view

    def _given(self, graph: GraphData, state: State) -> Text:
        """Return the numbers that an answer on paper needs: each node with what it is made of."""
        spans: list[Span] = []
        for node in graph.nodes:
            value = state.get(f"v{node.id}")
            if node.kind not in ("leaf", "op") or value is None:
                continue
            made = f" = {node.formula}" if node.formula else ""
            ends = ". " if spans else ""
            spans += [Span(ends), Span(node.short, bold=True), Span(f"{made} = ")]
            spans.append(Span(value, "value"))
        return text_of([*spans, Span(".")])

    def _do(self, data: StepData, step: Step, begun: Situation) -> None:
        """Add a slider with which the task can be done, or the moves of Show me."""
        for leaf, ends in step.sliders.items():
            slider = self._slider(step, begun, leaf, ends)
            if any(position.done for position in slider.positions):
                data.slider = slider
                return
        if begun.mode == "training" or any(move.verb in _ONLY_THERE for move in step.moves):
            task = self._plain(step.task, view_of(begun.shown))
            data.on_computer = _ON_COMPUTER.format(task=task)
        else:
            data.moves = list(self._moves(step.moves, begun))

    def _slider(self, step: Step, begun: Situation, leaf: int, ends: tuple[float, float]) -> Slider:
        """Return the positions of a slider, each with what the step shows there."""
        found = begun.graph.nodes[leaf]
        start = found.value if isinstance(found, Leaf) else 0.0
        targets = [move.number for move in step.moves if (move.verb, move.node) == ("set", leaf)]
        values = slider_values(*ends, start, targets)
        positions: list[Position] = []
        usual = self._paragraphs(step, begun)
        for value in values:
            there = with_values(begun, {leaf: value})
            texts = self._paragraphs(step, there)
            positions.append(
                Position(
                    value,
                    short(value, self._digits),
                    change(self._state, state_of(there.shown, self._digits)),
                    all(holds(check, there) for check in step.checks),
                    [] if texts == usual else texts,
                )
            )
        name = begun.graph.brief(leaf, NAME_LENGTH)
        return Slider(leaf, name, values.index(start), positions)

    def _paragraphs(self, step: Step, situation: Situation) -> list[Text]:
        view = view_of(situation.shown)
        return [self._text(on_page(part), view) for part in paragraphs(step.text)]

    def _moves(self, moves: Sequence[Move], begun: Situation) -> Iterator[MoveData]:
        """Yield the moves of Show me; several steps or epochs at once are one by one."""
        now, state = begun, self._state
        for move in moves:
            for single in _single_moves(move, now):
                before, now = now, after_move(now, single)
                frame = now.shown
                after = state_of(frame, self._digits)
                says = narration(frame, self._digits) or self._changes(single, before, now)
                yield MoveData(says, change(state, after), focus_of(frame), single.text)
                state = after

    def _changes(self, move: Move, before: Situation, now: Situation) -> Text:
        """Return what a move outside of a pass has changed: leaves, and the root."""
        if move.verb == "mistake":
            return text_of(filled("{sentence}", sentence=now.rules.sentence))
        graph, values = now.graph, now.shown.values
        nodes = [n for n in graph.leaves if values.get(n) != before.shown.values.get(n)]
        nodes += [graph.root] if graph.root is not None else []
        spans: list[Span] = []
        for place, node in enumerate(nodes):
            value = number_span(values[node], "value", short(values[node], self._digits))
            name = graph.brief(node, NAME_LENGTH)
            spans += filled(_NEXT_VALUE if place else _FIRST_VALUE, name=name, value=value)
        return text_of((*spans, Span(".")))

    def _hunt(self, data: StepData, step: Step, begun: Situation, seed: int) -> ViewState:
        """Add the pass under one of the mistakes, and the choice among them."""
        rules = draw_mistake(begun.graph, seed, step.mistakes)
        assert rules is not None  # the loader refuses a hunt in which none shows
        trace, state = run(begun.graph, rules=rules), self._state
        for k in range(len(trace) + 1):
            hunt = Hunt(mistake=rules, stage="name", seed=seed, seen_steps=k)
            view = view_of(frame_at(trace, k), hunt)
            before, state = state, state_of(view.frame, self._digits)
            if k:
                says = text_of(step_text(view, "plain", self._digits))
                data.moves.append(MoveData(says, change(before, state), focus_of(view.frame)))
            else:
                data.shown, self._state = change(before, state), state
        hunt = Hunt(mistake=rules, stage="name", seed=seed, seen_steps=len(trace))
        data.questions = [_cause(step.mistakes, hunt, trace, self._digits)]
        return view_of(frame_at(trace, 0), replace(hunt, seen_steps=0))


def lesson_question(ask: Ask, index: int, trace: Trace, cursor: int) -> Question:
    """Return the question of an ask; one that the lesson wrote is known by its index."""
    if ask.kind in ("text", "mistake"):
        return Question("text", index)
    if ask.kind == "paths":
        return Question("paths", -1 if ask.node is None else ask.node)
    return question_of(ask, trace, cursor)


def slider_values(low: float, high: float, start: float, targets: Sequence[float]) -> list[float]:
    """Return the positions of a slider: evenly spaced, and the start and the targets besides.

    >>> slider_values(0, 2, 0.3, [1])[:5], len(slider_values(-4, 0, -2, [-1]))
    ([0.0, 0.05, 0.1, 0.15, 0.2], 41)
    """
    wanted = {start, *(x for x in targets if low <= x <= high)}
    exponent = math.floor(math.log10((high - low) / MOST_POSITIONS))
    sizes = (size * 10.0**power for power in (exponent, exponent + 1) for size in _STEP_SIZES)
    for size in sizes:
        count = math.floor((high - low) / size + _ROUNDING)
        grid = {round(low + k * size, _DECIMALS) for k in range(count + 1)}
        if len(grid | wanted) <= MOST_POSITIONS:
            return sorted(grid | wanted)
    return sorted({low, high} | wanted)


def _cause(mistakes: Sequence[Rules], hunt: Hunt, trace: Trace, digits: Digits) -> QuestionData:
    """Return the choice of the mistake that is on, after its whole pass was seen."""
    choices: list[ChoiceData] = []
    for rules in mistakes:
        judged = hunt.judge_name(rules, trace, digits)
        says = text_of(verbatim(judged.verdict_text))
        choices.append(
            ChoiceData(
                rules.title,
                rules.name,
                right=judged.solved,
                verdict="right" if judged.solved else "wrong",
                says=says if judged.solved else [_CROSS, *says],
                again=[_CROSS, *says],
            )
        )
    right = next(choice for choice in choices if choice.right)
    name = text_of(filled(_CAUSE, name=Span(hunt.mistake.title, bold=True)))
    worked: Text = [hunt.reveal().verdict_text, " ", hunt.mistake.sentence]
    return QuestionData(
        record=RecordId("text", 0),
        sentence=text_of(filled(_CAUSE, name=Span(ASKED, f"{BLANK_ROLE_PREFIX}0"))),
        answered=name,
        worked_sentence=name,
        title="the mistake",
        choices=choices,
        worked=worked,
        praise=[[_CHECK, *right.says, " ", hunt.mistake.sentence]],
    )


def _single_moves(move: Move, now: Situation) -> Iterator[Move]:
    """Yield a move step by step: each step of a pass, and each epoch."""
    if move.verb == "step":
        first = now.cursor if now.phase == "backward" and now.hand is None else 0
        last = int(move.number)
        counted = range(first + 1, last + 1) if last > first else (last,)
        yield from (replace(move, number=float(k)) for k in counted)
    elif move.verb == "epochs":
        yield from [replace(move, number=1.0)] * int(move.number)
    else:
        yield move


def _wiring(graph: Graph) -> Hashable:
    """Return what two graphs share that differ in values alone."""
    nodes = (
        (
            n,
            kind_of(found),
            found.label,
            found.op if isinstance(found, OpNode) else "",
            found.inputs,
        )
        for n, found in sorted(graph.nodes.items())
    )
    return (tuple(nodes), graph.active_root)


def _part_key(part: int | Wire) -> str:
    return wire_key(part) if isinstance(part, tuple) else str(part)
