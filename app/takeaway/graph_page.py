"""Graph page: the forward and backward pass of a graph as steps of a page, some with questions."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Final

from msgspec.json import decode
from msgspec.structs import replace

from app.collector import CollectorPause
from app.controls.spans import verbatim
from app.takeaway.html_page import html_page
from app.takeaway.live_page import MOST_LEAVES, live_page, live_script
from app.takeaway.options import Maker, PageOptions, Preview, Source
from app.takeaway.page_data import LivePage, MistakeData, PageData, QuestionData, StepData
from app.takeaway.page_parts import (
    PAGE_WORDS,
    State,
    applied,
    change_over,
    end_template,
    focus_of,
    graph_data,
    narration_text,
    step_change,
    strip_of,
    template_text,
    text_of,
)
from app.takeaway.page_questions import StepQuestions, write_questions
from app.takeaway.page_record import asked_record, graph_record
from app.workbench.playback.view_state import view_of
from engine.asking.friendly import DRILL_COUNT, friendly_sets
from engine.asking.number_fields import fields_of
from engine.asking.question import LEVELS, Question, is_chosen, step_questions
from engine.asking.record import Record
from engine.conditions import Formulas
from engine.errors import EngineError
from engine.formats.native import Drawing, JsonNumber, json_number
from engine.frame import Frame, frame_at
from engine.graph import Graph
from engine.numbers import Digits, counted
from engine.rules import CORRECT, Rules
from engine.trace import Trace, run_forward, run_within_limit

ALL_DIGITS: Final = 17
"""Significant digits by which any two floats differ."""
_ASKS: Final = ("The page asks {count} number.", "The page asks {count} numbers.")
_ASKS_NOTHING: Final = "The page asks nothing."
MOST_STEPS: Final = 1_000
"""Most steps of both passes together: nobody steps through more with a thumb."""
MOST_ASKED: Final = 400
"""Most steps with questions, which are most of a page and take most of the time to write."""


def passes_of(graph: Graph, rules: Rules) -> tuple[Trace, Trace]:
    """Return both passes of a page; EngineError without one, and beyond MOST_STEPS steps."""
    forward = run_forward(graph)
    backward = run_within_limit(graph, "backward", rules)
    if len(forward) + len(backward) > MOST_STEPS:
        raise EngineError(
            "A page has up to {limit:,} steps; both passes of this graph take {steps:,}.",
            limit=MOST_STEPS,
            steps=len(forward) + len(backward),
        )
    return forward, backward


def page_of_graph(drawing: Drawing, title: str, options: PageOptions) -> PageData:
    """Return the page of a drawing, whose nodes have positions.

    Raises EngineError for a graph without a pass, and for more steps than MOST_STEPS, or with
    questions than MOST_ASKED.
    """
    with CollectorPause():  # nearly all that is made stays
        return _written_page(drawing, title, options)


def _write(
    source: Source, options: PageOptions, _suffix: str
) -> Generator[None, None, tuple[bytes]]:
    yield
    return (html_page(page_of_graph(source.drawing, source.title, options)).encode(),)


def _preview(source: Source, options: PageOptions, _room: tuple[float, float]) -> Preview:
    """Return the sentences of the page, one step below the other."""
    outline, lines = list(outline_of_graph(source.drawing, options)), [source.title, ""]
    for step, questions in outline:
        words = "".join(part if isinstance(part, str) else part[0] for part in step.says)
        place = f"{step.title}, {step.position.lower()}" if step.position else step.title
        lines += [f"{place}. {words}", *([f"– asked: {questions}"] if questions else [])]
    count = sum(questions for _step, questions in outline)
    note = counted(count, *_ASKS) if count else _ASKS_NOTHING
    return Preview(text="\n".join(lines), note=note)


PAGE: Final = Maker(_write, _preview)


def _written_page(drawing: Drawing, title: str, options: PageOptions) -> PageData:
    graph, digits = drawing.graph, options.digits
    passes, task = passes_of(graph, options.rules), drawing.task
    asked, text = asked_record(options.ask, options.rules, task), task.text if task else ""
    # under a mistake the writers of questions have too many ways to follow all of them
    is_followed = options.ask == "none" or options.rules == CORRECT
    live = live_page(passes[1], digits) if is_followed else None
    _check_asked(passes[1], options, asked)
    formulas = Formulas()
    written = list(_steps(passes, options, asked, None if live is None else formulas))
    steps = [step for step, _listed in written]
    firsts = (k for k, step in enumerate(steps) if step.questions)
    begins = 0 if asked.last is None else next(firsts, 0)  # what is before it asks nothing
    if text:
        steps[begins].text = [text_of(verbatim(text))]
    sets = [] if live is None or options.cover else _sets(passes[1], options, asked)
    return PageData(
        title,
        "graph",
        [graph_data(graph, drawing.positions, digits, is_live=live is not None)],
        steps,
        graph_record(graph, title, asked, text, has_sets=bool(sets)),
        options.theme,
        options.cover,
        hints=task is None or task.hints,
        begins=begins,
        words=PAGE_WORDS,
        live=live,
        sets=sets,
        mistakes=[_mistake_data(graph, rules, options) for rules in options.mistakes],
        correct=_correct(live, passes[1], digits),
        shared=[shared for _k, shared, _names in formulas.shared.values()],
        results=[decode(each) for each in formulas.results],
        texts=[*formulas.texts],
        digits=digits if isinstance(digits, int) else ALL_DIGITS,
        said=_in_words(written, passes, digits),
        still=_why_still(graph),
        script="" if live is None else live_script([graph], formulas),
    )


def _correct(live: LivePage | None, backward: Trace, digits: Digits) -> LivePage | None:
    """Return what a live page under a mistake needs of the correct pass; None for other pages."""
    if live is None or not backward.rules.is_mistake:
        return None
    return live_page(run_within_limit(backward.graph, "backward", CORRECT), digits)


_MANY_LEAVES: Final = (
    "The numbers of this page stay: leaves can be changed where there are up to {limit}, "
    "and this graph has {leaves:,}."
)


def _why_still(graph: Graph) -> str:
    """Return why no leaf of a page can be changed; "" where few enough have a number."""
    leaves = len(graph.leaves)
    return "" if leaves <= MOST_LEAVES else _MANY_LEAVES.format(limit=MOST_LEAVES, leaves=leaves)


def _sets(backward: Trace, options: PageOptions, asked: Record) -> list[list[JsonNumber]]:
    """Return the numbers at which Three more asks; [] where too few are found for it."""
    steps = range(1, len(backward) + 1)
    questions = [q for k in steps for q in _questions_at(backward, k, options, asked)]
    sets = friendly_sets(backward.graph, questions, backward.rules)
    leaves = backward.graph.leaf_values
    is_enough = len(sets) >= DRILL_COUNT
    return [[json_number(each[leaf]) for leaf in leaves] for each in sets if is_enough]


def outline_of_graph(drawing: Drawing, options: PageOptions) -> Iterator[tuple[StepData, int]]:
    """Yield the steps of such a page in words, each with the number of its questions.

    Raises as `page_of_graph` does, but writes no question: their answers take seconds.
    """
    passes, digits = passes_of(drawing.graph, options.rules), options.digits
    asked = asked_record(options.ask, options.rules, drawing.task)
    _check_asked(passes[1], options, asked)
    for trace in passes:
        for k in range(1, len(trace) + 1):
            step = _step(trace, frame_at(trace, k), digits, is_live=False)
            yield step, len(_questions_at(trace, k, options, asked))
    yield _end(passes[1], digits), 0


def _mistake_data(graph: Graph, rules: Rules, options: PageOptions) -> MistakeData:
    """Return the steps under a mistake that a page offers."""
    passes = passes_of(graph, rules)
    live = live_page(passes[1], options.digits)
    if live is None:
        raise EngineError(
            "A page offers mistakes in a graph of 1 to {limit} leaves; this one has {leaves}.",
            limit=MOST_LEAVES,
            leaves=len(graph.leaves),
        )
    written = _steps(passes, options, asked_record("none", rules), Formulas())
    steps = [step for step, _listed in written]
    return MistakeData(rules.name, rules.title, rules.sentence, steps, live)


Written = tuple[StepData, list[QuestionData]]
"""A step, and its questions at the page's own numbers."""


def _in_words(
    written: Sequence[Written], passes: tuple[Trace, Trace], digits: Digits
) -> list[StepData]:
    """Return the steps at the page's own numbers."""
    frames = (frame_at(trace, k) for trace in passes for k in range(1, len(trace) + 1))
    says = [*(narration_text(frame, digits) for frame in frames), _end(passes[1], digits).says]
    return [
        replace(step, says=text, questions=listed)
        for (step, listed), text in zip(written, says, strict=True)
    ]


def _steps(
    passes: tuple[Trace, Trace], options: PageOptions, asked: Record, formulas: Formulas | None
) -> Iterator[Written]:
    """Yield the steps of both passes, each as a change of the state before it, and the end.

    With formulas the page is live: what is said has holes for numbers.
    """
    digits = options.digits
    before: State = {}
    for trace in passes:
        fields = None if formulas is None else fields_of(trace)
        for k in range(1, len(trace) + 1):
            frame = frame_at(trace if fields is None else fields, k)
            step, listed = _step(trace, frame, digits, is_live=fields is not None), []
            if questions := _questions_at(trace, k, options, asked):
                written = write_questions(
                    StepQuestions(
                        questions,
                        trace,
                        frame_at(trace, k),
                        digits,
                        fields=fields,
                        formulas=formulas,
                        before=before,
                    )
                )
                step.questions, listed = written.questions, written.listed
                step.shown = change_over(before, {}, written.before)
                before = written.after
            else:
                step.shown = step_change(before, frame, digits)
                before = applied(before, step.shown)
            yield step, listed
    yield _end(passes[1], digits, is_live=formulas is not None), []


def _step(trace: Trace, frame: Frame, digits: Digits, *, is_live: bool) -> StepData:
    """Return what is said of the last step of a frame, with holes if the page is live."""
    return StepData(
        kind=trace.phase,
        title=f"{trace.phase.capitalize()} pass",
        says=(template_text if is_live else narration_text)(frame, digits),
        position=f"Step {frame.cursor:,} of {len(trace):,}",
        focus=focus_of(frame),
    )


def _end(backward: Trace, digits: Digits, *, is_live: bool = False) -> StepData:
    """Return the end of a pass; of a live page `text` is at the page's own numbers alone."""
    strip = strip_of(view_of(frame_at(backward, len(backward))), digits)
    text = [text_of(strip.answer)] if strip.answer else []
    says = text_of(strip.sentence)
    if is_live:
        fields = fields_of(backward)
        says = end_template(frame_at(fields, len(fields)), digits)
    return StepData(kind="end", title="The end", says=says, text=text)


def _check_asked(trace: Trace, options: PageOptions, asked: Record) -> None:
    """Raise EngineError if more steps than MOST_ASKED have questions."""
    count = sum(bool(_questions_at(trace, k, options, asked)) for k in range(1, len(trace) + 1))
    if count > MOST_ASKED:
        raise EngineError(
            "A page asks about up to {limit} steps, here about {count}: "
            "let it ask sums, last or none.",
            limit=MOST_ASKED,
            count=count,
        )


def _questions_at(
    trace: Trace, step: int, options: PageOptions, asked: Record
) -> tuple[Question, ...]:
    """Return the questions that are asked about a step, from 1; none in a forward pass."""
    kinds = LEVELS[asked.level].kinds
    if (
        options.ask == "none"
        or trace.phase == "forward"
        or not is_chosen(trace, step, kinds, asked.last, meet=asked.meet)
    ):
        return ()
    return step_questions(trace, step, kinds)
