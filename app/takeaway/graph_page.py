"""Graph page: both passes of a graph as the steps of a page, with questions at some of them."""

from __future__ import annotations

from app.takeaway.page_data import Asked, PageData, RecordData, StepData, Theme
from app.takeaway.page_figure import State, change, focus_of, graph_data, state_of
from app.takeaway.page_views import strip_of, text_of, view_of
from engine.formats.native import Drawing
from engine.frame import frame_at
from engine.numbers import DIGITS_SHOWN, Digits
from engine.rules import CORRECT, Rules
from engine.trace import run, run_forward


def page_of_graph(
    drawing: Drawing,
    title: str,
    ask: Asked = "all",
    rules: Rules = CORRECT,
    *,
    cover: bool = False,
    theme: Theme = "auto",
    digits: Digits = DIGITS_SHOWN,
) -> PageData:
    """Return the page of a drawing with positions; EngineError for a graph without a pass."""
    graph = drawing.graph
    forward, backward = run_forward(graph), run(graph, rules=rules)
    steps: list[StepData] = []
    state: State = {}
    for trace in (forward, backward):
        for k in range(1, len(trace) + 1):
            frame = frame_at(trace, k)
            after = state_of(frame, digits)
            written = strip_of(view_of(frame), digits)
            steps.append(
                StepData(
                    kind=trace.phase,
                    title=f"{'Forward' if trace is forward else 'Backward'} {k}",
                    shown=change(state, after),
                    says=text_of(written.sentence),
                    position=f"Step {k} of {len(trace)}",
                    focus=focus_of(frame),
                )
            )
            state = after
    return PageData(
        title,
        "graph",
        [graph_data(graph, drawing.positions, digits)],
        steps,
        RecordData("report", "AAAA"),
        theme,
        cover,
    )
