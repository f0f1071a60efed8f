"""Graph page: both passes of a graph as the steps of a page, with questions at some of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from app.takeaway.page_data import Asked, PageData, StepData, Text, Theme
from app.takeaway.page_figure import State, change, focus_of, graph_data, state_of
from app.takeaway.page_questions import Asking, asked
from app.takeaway.page_record import LEVELS_ASKED, graph_record
from app.takeaway.page_views import PAGE_WORDS, strip_of, text_of
from app.workbench.playback.view_state import view_of
from app.workbench.words.narration import step_text
from engine.errors import EngineError
from engine.formats.native import Drawing
from engine.frame import Frame, frame_at
from engine.numbers import DIGITS_SHOWN, Digits
from engine.rules import CORRECT, Rules
from engine.study.question import LEVELS, Question, is_chosen, step_questions
from engine.trace import Trace, run_forward, run_to_step

MOST_STEPS: Final = 500
"""Steps of both passes on one page: nobody steps through more with a thumb."""


class PageOptions(Struct, frozen=True):
    """How a page of a graph is made: where it asks, the mistake that is on, and its look.

    `cover`: what is asked has no field, and a tap shows it.
    """

    ask: Asked = "all"
    cover: bool = False
    rules: Rules = CORRECT
    theme: Theme = "auto"
    digits: Digits = DIGITS_SHOWN


def page_of_graph(drawing: Drawing, title: str, options: PageOptions) -> PageData:
    """Return the page of a drawing, whose nodes have positions.

    Raises EngineError for a graph without a pass, or with too long a one.
    """
    graph, digits = drawing.graph, options.digits
    forward = run_forward(graph)
    backward = run_to_step(graph, "backward", options.rules)
    if len(forward) + len(backward) > MOST_STEPS:
        raise EngineError(
            "A page has up to {limit:,} steps; both passes of this graph take {steps:,}.",
            limit=MOST_STEPS,
            steps=len(forward) + len(backward),
        )
    return PageData(
        title,
        "graph",
        [graph_data(graph, drawing.positions, digits)],
        list(_steps(forward, backward, options)),
        graph_record(graph, title, options.ask, options.rules),
        options.theme,
        options.cover,
        words=PAGE_WORDS,
    )


def _steps(forward: Trace, backward: Trace, options: PageOptions) -> Iterator[StepData]:
    """Yield the steps of both passes, and the end."""
    digits, state = options.digits, dict[str, str]()
    before: State = state
    for trace in (forward, backward):
        for k in range(1, len(trace) + 1):
            frame = frame_at(trace, k)
            step = StepData(
                kind=trace.phase,
                title=f"{trace.phase.capitalize()} pass",
                says=narration(frame, digits),
                position=f"Step {k:,} of {len(trace):,}",
                focus=focus_of(frame),
            )
            questions = _questions_at(trace, k, options)
            if questions:
                found = asked(Asking(questions, trace, frame, digits))
                step.questions = found.questions
                step.shown, before = change(before, found.before), found.after
            else:
                after = state_of(frame, digits)
                step.shown, before = change(before, after), after
            yield step
    end = strip_of(view_of(frame_at(backward, len(backward))), digits)
    text = [text_of(end.answer)] if end.answer else []
    yield StepData(kind="end", title="The end", says=text_of(end.sentence), text=text)


def narration(frame: Frame, digits: Digits) -> Text:
    """Return the sentence about the last step of a frame; [] before the first one."""
    return [] if frame.current is None else text_of(step_text(view_of(frame), "plain", digits))


def _questions_at(trace: Trace, step: int, options: PageOptions) -> tuple[Question, ...]:
    if options.ask == "none" or trace.phase == "forward":
        return ()
    kinds = LEVELS[LEVELS_ASKED[options.ask]].kinds
    last = 1 if options.ask == "last" else None
    chosen = is_chosen(trace, step, kinds, last)
    return step_questions(trace, step, kinds) if chosen else ()
