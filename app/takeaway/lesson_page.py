"""Lesson page: each step of a lesson as a step of a page, by its kind.

say, ask    the same text, the same questions; of a guess, which nobody judges, blanks for the paper
do          the task itself, see `app.takeaway.lesson_task`; else the moves of Show me, which the
            reader takes with Step
ripple      one such move: the change, the numbers after it, and the sentence about it
hunt        the pass under a mistake, step by step, and a choice among the lesson's mistakes
free        the same, which the reader need not do; else “On a computer: …” with the task, as for a
            do whose moves change the wiring or a panel

`course_files` is the whole course: a page for each lesson, an index, and a workflow that publishes
the folder.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from html import escape
from itertools import zip_longest
from typing import Final

from msgspec.json import decode
from msgspec.structs import replace

from app.controls.spans import Span, Spans, filled, number_span, plain_text, verbatim
from app.guide.words.lesson_texts import paragraphs, question_title
from app.lessons.course import Unit, course
from app.lessons.course_view import NEWCOMER, minutes_text
from app.lessons.lesson import Lesson, Step
from app.lessons.load import lesson
from app.lessons.questions import drawn, questions_of
from app.lessons.situation import Move, Situation, after_move
from app.takeaway.estimated_layout import node_positions
from app.takeaway.html_page import html_file, html_page, resource
from app.takeaway.lesson_task import LessonTask, mistakes_of, rows_of, task_of
from app.takeaway.live_page import live_page, live_script
from app.takeaway.page_data import (
    ChoiceData,
    GraphData,
    LivePage,
    MoveData,
    PageData,
    PageSpan,
    PageText,
    PageTheme,
    QuestionData,
    RecordId,
    StepData,
)
from app.takeaway.page_data import StepKind as PageKind
from app.takeaway.page_parts import (
    NAME_LENGTH,
    PAGE_WORDS,
    State,
    add_roots,
    focus_of,
    graph_data,
    narration_text,
    on_page,
    state_change,
    state_of,
    template_text,
    text_of,
    verdict_text,
    wire_key,
)
from app.takeaway.page_questions import StepQuestions, write_questions
from app.takeaway.page_record import lesson_record
from app.takeaway.played_task import PlayedTask, played_task
from app.workbench.gradients.formulas import enumerated
from app.workbench.modes.hunt import Hunt
from app.workbench.playback.view_state import ViewState, view_of
from app.workbench.words.live_texts import live_spans
from app.workbench.words.narration import step_text
from app.workbench.words.ripple import derivation_text, ripple_text
from app.workbench.words.strip import BLANK_ROLE_PREFIX
from engine.asking.diagnose import draw_mistake
from engine.asking.nudge import RippleRequest, requested_ripple
from engine.asking.number_fields import fields_of
from engine.conditions import Formulas
from engine.frame import Frame, frame_at
from engine.graph import Graph, OpNode, Wire, kind_of
from engine.numbers import ASKED, DIGITS_SHOWN, Digits, short
from engine.rules import CORRECT, Rules
from engine.trace import Trace, run

SEED: Final = 1
"""The seed of friendly numbers and of a hunt's mistake: every copy of a page asks the same."""
_WINDOW_VERBS: Final = ("wire", "root", "unfold", "h", "method", "rate", "seed")
"""Verbs of moves that change the wiring or a panel of the window, neither of which a page shows."""
_FIRST_VALUE: Final = "**{name}** is {value}"
_NEXT_VALUE: Final = ", **{name}** {value}"
_HUNT_SENTENCE: Final = "The mistake is {name}."
_CROSS: Final[PageSpan] = ["✘ ", "error", "b"]
_CHECK: Final[PageSpan] = ["✓ ", "text", "b"]
_ON_COMPUTER: Final = "On a computer: {task}."
_FIRST_GUESS, _NEXT_GUESS = "{title}: {asked}", "; {title}: {asked}"
_ON_PAPER: Final = "Your guess, on paper: {asked}."
_FREE_TASK: Final = "open this lesson in Backwire and try this"
_WHOLE_GRAPH_KINDS: Final = ("final", "sign")
"""Kinds of questions that are answered on paper, from the numbers of the whole graph."""


def page_of_lesson(
    lesson: Lesson, theme: PageTheme = "auto", digits: Digits = DIGITS_SHOWN, *, cover: bool = False
) -> PageData:
    """Return the page of a lesson; `cover`: a blank has no field, and a tap shows its number."""
    writer = _LessonWriter(mistakes_of(lesson), digits)
    steps = [writer.step(step, k, len(lesson.steps)) for k, step in enumerate(lesson.steps, 1)]
    return PageData(
        lesson.title,
        "lesson",
        writer.graphs,
        steps,
        lesson_record(lesson, SEED),
        theme,
        cover,
        able=lesson.able,
        surprise=lesson.surprise,
        words=PAGE_WORDS,
        shared=[shared for _k, shared, _names in writer.formulas.shared.values()],
        results=[decode(each) for each in writer.formulas.results],
        texts=[*writer.formulas.texts],
        said=writer.said,
        script=live_script(writer.live_graphs, writer.formulas) if writer.live_graphs else "",
    )


class _LessonWriter:
    """Writes the steps of one lesson in their order: each stores a change of the state before it.

    `graphs` are the graphs of the written steps, each wiring once; `live_graphs` those of the tasks
    that the page computes. `said` are the steps with the numbers of the lesson.
    """

    def __init__(self, mistakes: Sequence[Rules], digits: Digits) -> None:
        self._mistakes = mistakes
        self._digits: Digits = digits
        self.graphs: list[GraphData] = []
        self.live_graphs: list[Graph] = []
        self.said: list[StepData] = []
        self.formulas = Formulas()
        self._graph_indices: dict[Hashable, int] = {}
        """The index in `graphs` of each wiring."""
        self._state: State = {}

    def step(self, step: Step, number: int, total: int) -> StepData:
        """Return a step, from 1 of `total`; the next one begins with the state that it leaves."""
        begun = drawn(step, SEED)
        data = StepData(
            kind=_page_kind(step),
            title=step.heading,
            graph=self._graph_index(begun.graph),
            position=f"Step {number} of {total}",
            lit=[_part_key(part) for part in step.lit],
            watched=[_part_key(part) for part in step.watched],
        )
        if computed := self._computed_step(data, step, begun):
            return computed
        if step.kind == "ask" and not step.guess:
            view = self._add_questions(data, step, begun)
        elif step.kind == "hunt":
            view = self._add_hunt(data, step, begun, seed=number)
        else:
            view = view_of(begun.known_frame)
            self._add_figure(data, begun.known_frame)
        if step.ripple is not None:
            self._add_ripple(data, step.ripple, begun)
        if step.kind == "do":
            self._add_moves(data, step, begun)
        elif step.kind == "free":
            data.on_computer = _ON_COMPUTER.format(task=self._plain(step.task, view) or _FREE_TASK)
        self._add_texts(data, step, view)
        self.said.append(data)
        return data

    # texts and figures

    def _add_texts(self, data: StepData, step: Step, view: ViewState) -> None:
        """Add the paragraphs of a step, its task and its hint."""
        reworded = str if data.on_computer else on_page
        data.text = [self._text(reworded(part), view) for part in paragraphs(step.text)]
        if step.guess:
            data.text.append(text_of(_guess_on_paper(step)))
        data.task = self._text(reworded(step.task), view)
        data.hint = self._text(step.hint, view)

    def _text(self, text: str, view: ViewState) -> PageText:
        """Return a text of a lesson with its live numbers."""
        return text_of(live_spans(text, view, self._digits)) if text else []

    def _plain(self, text: str, view: ViewState) -> str:
        return plain_text(live_spans(text, view, self._digits)) if text else ""

    def _add_figure(
        self, data: StepData, frame: Frame, write: Callable[..., PageText] = narration_text
    ) -> None:
        """Add the frame that is shown on entering the step, and the sentence about it."""
        after = state_of(frame, self._digits)
        data.shown, self._state = state_change(self._state, after), after
        data.says = write(frame, self._digits)
        data.focus = focus_of(frame)

    def _graph_index(self, graph: Graph) -> int:
        """Return the index of a graph in `graphs`; graphs of the same wiring share one."""
        key = _wiring(graph)
        if key not in self._graph_indices:
            self._graph_indices[key] = len(self.graphs)
            # its numbers change: by a slider, by a ripple, from step to step
            drawn = graph_data(graph, node_positions(graph), self._digits, is_live=True)
            self.graphs.append(drawn)
        return self._graph_indices[key]

    # kinds of steps

    def _add_questions(self, data: StepData, step: Step, begun: Situation) -> ViewState:
        """Add the questions of a step; return the view state while the first is open."""
        trace, questions, own = questions_of(step, begun)
        written = write_questions(
            StepQuestions(questions, trace, begun.known_frame, self._digits, step.form, own)
        )
        data.questions = written.questions
        data.shown, self._state = state_change(self._state, written.before), written.after
        view = written.view()
        data.focus = focus_of(view.frame)
        if any(question.kind in _WHOLE_GRAPH_KINDS for question in questions):
            data.given = _given_numbers(self.graphs[data.graph], written.before)
        if written.frame is not begun.known_frame:  # the answers took a step
            data.says = narration_text(written.frame, self._digits)
        return view

    def _computed_step(self, data: StepData, step: Step, begun: Situation) -> StepData | None:
        """Return a step whose numbers the page computes; None of another."""
        if step.kind == "ask" and not step.guess:
            asking = self._live_questions(step, begun)
            return None if asking is None else self._live_asking_step(data, step, *asking)
        if task := task_of(step, begun, self._mistakes, self._digits):
            return self._live_step(data, step, begun, task)
        if played := self._played(step, begun):
            return self._played_step(data, step, begun, played)
        return None

    def _live_questions(
        self, step: Step, begun: Situation
    ) -> tuple[LivePage, StepQuestions] | None:
        """Return the questions that the page asks at any numbers: all are typed, about wires."""
        trace, questions, own = questions_of(step, begun)
        is_typed = step.form == "field" and not own and all(q.wire for q in questions)
        live = live_page(trace, self._digits) if is_typed and trace.rules is CORRECT else None
        if live is None:
            return None
        fields = fields_of(trace)
        frame, digits = begun.known_frame, self._digits
        return live, StepQuestions(
            questions, trace, frame, digits, fields=fields, formulas=self.formulas
        )

    def _live_asking_step(
        self, data: StepData, step: Step, live: LivePage, asking: StepQuestions
    ) -> StepData:
        """Return a step whose questions the page asks at any numbers, and keep it with its own."""
        said, written = replace(data), write_questions(asking)
        view = written.view()
        quiz = view.quiz
        assert quiz is not None
        assert asking.fields is not None
        frame = frame_at(asking.trace, view.frame.cursor)
        self._add_texts(said, step, view_of(frame, quiz))
        said.says = narration_text(written.frame, self._digits)
        said.questions = written.listed
        self.said.append(said)
        data.questions, data.live = written.questions, live
        data.shown, self._state = state_change(self._state, written.before), written.after
        data.focus = focus_of(view.frame)
        data.says = template_text(frame_at(asking.fields, written.frame.cursor), self._digits)
        self._add_texts(data, step, view)
        self.live_graphs.append(asking.trace.graph)
        return data

    def _live_step(
        self, data: StepData, step: Step, begun: Situation, task: LessonTask
    ) -> StepData:
        """Return a step whose task the page computes, and keep it with the lesson's numbers."""
        said = replace(data)
        self._add_texts(said, step, view_of(begun.known_frame))
        said.says = narration_text(begun.known_frame, self._digits)
        shown = task.frames[task.data.shows]
        said.moves = [MoveData(narration_text(frame, self._digits)) for _fields, frame in shown]
        self.said.append(said)
        self._add_figure(data, task.begun, template_text)
        self._add_texts(data, step, view_of(task.begun))
        for found, frames in zip(task.data.passes, task.frames, strict=True):
            found.moves = list(self._steps(frames, step, data.text))
        data.doing = task.data
        self.live_graphs.append(begun.graph)
        return data

    def _played(self, step: Step, begun: Situation) -> PlayedTask | None:
        """Return the task of a step by hand or of a descent, if its text is the same throughout."""
        rows = rows_of(step, begun, [begun.rules]) if step.kind == "do" else None
        if rows is None or begun.mode not in ("hand", "descent"):
            return None
        task = played_task(step, begun, rows, self._digits, self.formulas)
        frames = [] if task is None else [task.begun, task.end]
        texts = [self._paragraphs(step, frame) for frame in frames]
        return task if texts and texts[0] == texts[-1] else None

    def _played_step(
        self, data: StepData, step: Step, begun: Situation, task: PlayedTask
    ) -> StepData:
        """Return a step that is played on the page, and keep it with the moves of Show me."""
        said = replace(data)
        self._add_texts(said, step, view_of(begun.known_frame))
        self._add_moves(said, step, begun)
        self.said.append(said)
        self._add_figure(data, task.begun, template_text)
        self._add_texts(data, step, view_of(task.begun))
        data.doing = task.data
        self.live_graphs.append(begun.graph)
        return data

    def _steps(
        self, frames: list[tuple[Frame, Frame]], step: Step, begun: list[PageText]
    ) -> Iterator[MoveData]:
        """Yield the steps of a pass that the page computes; `begun` are the paragraphs before."""
        state = self._state
        for fields, frame in frames:
            before, state = state, state_of(fields, self._digits)
            texts = self._paragraphs(step, fields)
            yield MoveData(
                template_text(fields, self._digits),
                state_change(before, state),
                focus_of(fields),
                text=[] if texts == begun else texts,
                verdict=verdict_text(frame, self._digits),
            )

    def _add_moves(self, data: StepData, step: Step, begun: Situation) -> None:
        """Add the moves of Show me, or "On a computer"."""
        if begun.mode == "training" or any(move.verb in _WINDOW_VERBS for move in step.moves):
            task = self._plain(step.task, view_of(begun.known_frame))
            data.on_computer = _ON_COMPUTER.format(task=task)
        else:
            data.moves = list(self._moves(step, begun))

    def _paragraphs(self, step: Step, frame: Frame) -> list[PageText]:
        view = view_of(frame)
        return [self._text(on_page(part), view) for part in paragraphs(step.text)]

    def _moves(self, step: Step, begun: Situation) -> Iterator[MoveData]:
        """Yield the moves of Show me, one for each step of a pass and each epoch."""
        situation, state = begun, self._state
        initial_texts = self._paragraphs(step, begun.known_frame)
        for move in step.moves:
            for single in _single_moves(move, situation):
                previous, situation = situation, after_move(situation, single)
                frame = situation.known_frame
                after = state_of(frame, self._digits)
                says = narration_text(frame, self._digits)
                says = says or self._changed_values(single, previous, situation)
                shown, focus = state_change(state, after), focus_of(frame)
                texts = self._paragraphs(step, frame)
                texts = [] if texts == initial_texts else texts
                yield MoveData(says, shown, focus, single.text, texts)
                state = after

    def _add_ripple(self, data: StepData, wanted: RippleRequest, begun: Situation) -> None:
        """Add a ripple as one move, after which the figure has the changed numbers.

        A node that changes on some of its wires alone keeps its own: the others still bring it.
        """
        found = requested_ripple(begun.graph, wanted, begun.known_frame.values)
        changed = found.columns.keys() & found.after.keys() - ({found.node} if wanted.wires else ())
        after = {**self._state}
        after |= {f"v{node}": short(found.after[node], self._digits) for node in changed}
        add_roots(after, begun.graph)
        derived = derivation_text(found, self._digits)
        says = (
            *ripple_text(found, None, self._digits, tells=True),
            *((Span(" "), *derived) if derived else ()),
        )
        label = data.title
        data.moves = [MoveData(text_of(says), state_change(self._state, after), None, label)]

    def _changed_values(self, move: Move, before: Situation, now: Situation) -> PageText:
        """Return the sentence about a move outside of a pass: changed leaves, and the root."""
        if move.verb == "mistake":
            return text_of(filled("{sentence}", sentence=now.rules.sentence))
        graph, values = now.graph, now.known_frame.values
        nodes = [n for n in graph.leaves if values.get(n) != before.known_frame.values.get(n)]
        nodes += [graph.root] if graph.root is not None else []
        spans: list[Span] = []
        for node in nodes:
            value = number_span(values[node], "value", short(values[node], self._digits))
            name = graph.brief(node, NAME_LENGTH)
            spans += filled(_NEXT_VALUE if spans else _FIRST_VALUE, name=name, value=value)
        return text_of((*spans, Span(".")))

    def _add_hunt(self, data: StepData, step: Step, begun: Situation, seed: int) -> ViewState:
        """Add the pass under a mistake drawn by `seed`, and the choice among all of the step's."""
        rules = draw_mistake(begun.graph, seed, step.mistakes)
        assert rules is not None  # the loader refuses a hunt in which none shows
        trace, state = run(begun.graph, rules=rules), self._state
        for k in range(len(trace) + 1):
            hunt = Hunt(mistake=rules, stage="name", seed=seed, seen_steps=k)
            view = view_of(frame_at(trace, k), hunt)
            before, state = state, state_of(view.frame, self._digits)
            if k:
                says = text_of(step_text(view, "plain", self._digits))
                data.moves.append(MoveData(says, state_change(before, state), focus_of(view.frame)))
            else:
                data.shown, self._state = state_change(before, state), state
        hunt = Hunt(mistake=rules, stage="name", seed=seed, seen_steps=len(trace))
        data.questions = [_mistake_choice(step.mistakes, hunt, trace, self._digits)]
        return view_of(frame_at(trace, 0), replace(hunt, seen_steps=0))


def _page_kind(step: Step) -> PageKind:
    if step.kind == "ripple":
        return "do"
    return "say" if step.guess or step.kind == "blank" else step.kind


def _guess_on_paper(step: Step) -> Spans:
    """Return the questions of a guess with a blank or the choices of each."""
    graph, spans = step.begun.graph, list[Span]()
    for ask in step.asks:
        blank = Span(ASKED, f"{BLANK_ROLE_PREFIX}0")
        choices = enumerated([choice.text for choice in ask.choices], last="or")
        title = question_title(ask, graph)
        asked = (Span(choices),) if choices else (blank,)
        template = _NEXT_GUESS if spans else _FIRST_GUESS
        spans += filled(template, title=title, asked=asked)
    return filled(_ON_PAPER, asked=spans)


def _mistake_choice(
    mistakes: Sequence[Rules], hunt: Hunt, trace: Trace, digits: Digits
) -> QuestionData:
    """Return the question which mistake is on, for a hunt that has shown the whole pass."""
    choices: list[ChoiceData] = []
    for rules in mistakes:
        judged = hunt.judge_name(rules, trace, digits)
        verdict = text_of(verbatim(judged.verdict_text))
        choices.append(
            ChoiceData(
                rules.title,
                rules.name,
                right=judged.solved,
                verdict="right" if judged.solved else "wrong",
                says=verdict if judged.solved else [_CROSS, *verdict],
                again=[_CROSS, *verdict],
            )
        )
    right = next(choice for choice in choices if choice.right)
    answered = text_of(filled(_HUNT_SENTENCE, name=Span(hunt.mistake.title, bold=True)))
    worked: PageText = [hunt.reveal().verdict_text, " ", hunt.mistake.sentence]
    return QuestionData(
        record=RecordId("text", 0),
        sentence=text_of(filled(_HUNT_SENTENCE, name=Span(ASKED, f"{BLANK_ROLE_PREFIX}0"))),
        answered=answered,
        worked_sentence=answered,
        title="the mistake",
        choices=choices,
        worked=worked,
        praise=[[_CHECK, *right.says, " ", hunt.mistake.sentence]],
    )


def _given_numbers(graph: GraphData, state: State) -> PageText:
    """Return the values that an answer on paper needs: `a = 2. e = a × b = −6.` and so on."""
    spans: list[Span] = []
    for node in graph.nodes:
        value = state.get(f"v{node.id}")
        if node.kind not in ("leaf", "op") or value is None:
            continue
        formula = f" = {node.formula}" if node.formula else ""
        separator = ". " if spans else ""
        spans += [Span(separator), Span(node.short, bold=True), Span(f"{formula} = ")]
        spans.append(Span(value, "value"))
    return text_of([*spans, Span(".")])


def _single_moves(move: Move, now: Situation) -> Iterator[Move]:
    """Yield a move to a step or by some epochs as moves by one, any other move as it is."""
    if move.verb == "step":
        start = now.cursor if now.phase == "backward" and now.hand is None else 0
        target = int(move.number)
        cursors = range(start + 1, target + 1) if target > start else (target,)
        yield from (replace(move, number=float(k)) for k in cursors)
    elif move.verb == "epochs":
        yield from [replace(move, number=1.0)] * int(move.number)
    else:
        yield move


def _wiring(graph: Graph) -> Hashable:
    """Return all of a graph but its values: equal for graphs that one `GraphData` can draw."""
    nodes = (
        (n, kind_of(node), node.label, node.op if isinstance(node, OpNode) else "", node.inputs)
        for n, node in sorted(graph.nodes.items())
    )
    return (tuple(nodes), graph.active_root)


def _part_key(part: int | Wire) -> str:
    """Return the key of a node or of a wire that has a ring."""
    return wire_key(part) if isinstance(part, tuple) else str(part)


INDEX: Final = "index.html"
WORKFLOW: Final = ".github/workflows/pages.yml"
_WORKFLOW_TEXT: Final = """\
# Publishes this folder as a site: put it into a repository of its own on GitHub, and choose
# "GitHub Actions" as the source under Settings, Pages.
name: pages

"on":
  push:
    branches: [main]
  workflow_dispatch:

permissions:
  contents: read
  pages: write
  id-token: write

concurrency:
  group: pages
  cancel-in-progress: true

jobs:
  publish:
    runs-on: ubuntu-latest
    environment:
      name: github-pages
      url: ${{ steps.deployment.outputs.page_url }}
    steps:
      - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683  # v4.2.2
      - uses: actions/configure-pages@983d7736d9b0ae728b81ab479565c72886d7745b  # v5.0.0
      - uses: actions/upload-pages-artifact@56afc609e74202658d3ffba0e8f6dda462b719fa  # v3.0.1
        with:
          path: .
      - id: deployment
        uses: actions/deploy-pages@d6db90164ac5ed86f2b6aed7e0febac5b3c0c03e  # v4.0.5
"""
_INDEX_BODY: Final = """\
<body class="index">
<main>
<h1>{title}</h1>
<p>{lead}</p>
{units}
</main>
</body>"""
_LEAD: Final = "{lessons} short lessons on backpropagation, about {minutes} minutes in all."


def course_files(theme: PageTheme = "auto", *, cover: bool = False) -> dict[str, str]:
    """Return the text of each file by its path in the folder; equal options give equal texts."""
    lessons, pages = course().lessons, dict[str, str]()
    for head, following in zip_longest(lessons, lessons[1:]):
        onward = [] if following is None else [(f"Next lesson: {following.title}", following.name)]
        links = [(text, f"{name}.html") for text, name in onward] + [("All lessons", INDEX)]
        data = page_of_lesson(lesson(head.name), theme, cover=cover)
        pages[f"{head.name}.html"] = html_page(replace(data, onward=links))
    return {INDEX: _index(theme), **pages, WORKFLOW: _WORKFLOW_TEXT}


def _index(theme: PageTheme) -> str:
    lessons = course().lessons
    lead = _LEAD.format(lessons=len(lessons), minutes=sum(head.minutes for head in lessons))
    units = "\n".join(_units())
    body = _INDEX_BODY.format(title=escape(NEWCOMER), lead=escape(lead), units=units)
    return html_file(NEWCOMER, body, theme=theme, style=resource("index.css"))


def _units() -> Iterator[str]:
    first_number = 1
    for unit_number, unit in enumerate(course().units, 1):
        yield f"<h2>Unit {unit_number} · {escape(unit.title)}</h2>"
        yield f'<ol start="{first_number}">'
        yield from _lessons(unit, first_number)
        yield "</ol>"
        first_number += len(unit.lessons)


def _lessons(unit: Unit, first_number: int) -> Iterator[str]:
    for number, head in enumerate(unit.lessons, first_number):
        yield (
            f'<li><a href="{escape(head.name)}.html"><b>{number}</b> {escape(head.title)}</a>'
            f" <small>{minutes_text(head.minutes)}</small></li>"
        )
