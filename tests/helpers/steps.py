"""Steps that a room sees, in shorthand: a step is a place on the graph of a sheet."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict, replace

from app.guide.play.slides import Slide, slides_of
from app.lessons.draft import UNNAMED, Draft, written
from app.lessons.lesson import Choice, Lesson, Step, wire_name
from app.lessons.load import reading_of
from app.lessons.parsing import StepFile
from engine.errors import EngineError
from engine.formats.native import Drawing
from engine.graph import Graph
from engine.rules import CORRECT, Rules
from engine.trace import run, run_forward

PASS_KINDS = ("final", "sign", "change", "paths")


class PlannedStep(Struct, frozen=True):
    """A step by the place that it shows or asks about: `step` of a pass, at a node or a wire."""

    kind: str = "show"
    phase: str = "live"
    step: int = 0
    node: int | None = None
    slot: int | None = None
    title: str = ""
    text: str = ""
    notes: str = ""
    asks: str = ""
    leaf: int | None = None
    to: float = 0.0
    choices: tuple[Choice, ...] = ()
    form: str = "choices"
    seconds: int = 0
    reveals: bool = True
    values: tuple[tuple[int, float], ...] = ()
    mistake: str = ""


def step_at(graph: Graph, phase: str, cursor: int, rules: Rules = CORRECT) -> PlannedStep:
    """A step that shows a step of a pass, at its wire or node."""
    mistake = "" if rules is CORRECT else rules.name
    if phase == "live":
        return PlannedStep(mistake=mistake)
    trace = run_forward(graph) if phase == "forward" else run(graph, rules=rules)
    found = PlannedStep("show", phase, cursor, mistake=mistake)
    if not 0 < cursor < len(trace):
        return found
    tick = trace.schedule.ticks[cursor - 1]
    node, slot = tick.wire or (tick.node, None)
    return replace(found, node=node, slot=slot)


def with_kind(planned: PlannedStep, graph: Graph, kind: str, asks: str = "") -> PlannedStep:
    """The step with a question about its step."""
    if kind != "ask" or asks in ("mistake", "text"):
        return replace(planned, kind=kind, asks=asks)
    if planned.node is None and planned.step and planned.phase != "live":
        at = step_at(graph, planned.phase, planned.step)
        planned = replace(planned, node=at.node, slot=at.slot)
    if asks in PASS_KINDS:
        receiver = run(graph).schedule.receivers[planned.step - 1]
        return replace(planned, kind="ask", asks=asks, node=receiver, slot=None)
    if asks == "value":
        node = run_forward(graph).computed[planned.step - 1].node
        return replace(planned, kind="ask", asks=asks, node=node, slot=None)
    return replace(planned, kind="ask", asks=asks)


def lesson_of(planned_steps: Iterable[PlannedStep], graph: Graph, title: str = "") -> str:
    """The lesson of a sheet with these steps."""
    steps = tuple(step_of(planned, graph) for planned in planned_steps)
    return written(Draft(title=title, steps=steps, carries=False))


def step_of(planned: PlannedStep, graph: Graph) -> StepFile:
    """A step as a step of the lesson of a sheet."""
    return StepFile(
        kind={"show": "say"}.get(planned.kind, planned.kind),  # pyright: ignore[reportArgumentType]
        title=planned.title,
        text=planned.text if planned.kind in ("show", "blank") else "",
        notes=planned.notes,
        timer=planned.seconds,
        reveal=planned.reveals,
        start=_start(planned, graph),
        values={graph.names[node]: value for node, value in planned.values},
        mistake=planned.mistake,
        ask=(_ask(planned, graph),) if planned.kind == "ask" else (),
        form="choices" if planned.kind == "ask" and planned.form == "choices" else "field",
    )


def _start(planned: PlannedStep, graph: Graph) -> str:
    if planned.phase == "live" or planned.asks in PASS_KINDS:
        return "values"
    last = len(run_forward(graph) if planned.phase == "forward" else run(graph))
    if planned.phase == "backward" and planned.node is not None and planned.slot is not None:
        return wire_name(graph, (planned.node, planned.slot))
    if planned.phase == "backward" and not planned.asks and planned.step >= last:
        return "end"
    is_before = planned.asks not in ("", "mistake", "text")
    return f"{planned.phase} {max(planned.step - is_before, 0)}"


def _ask(planned: PlannedStep, graph: Graph) -> dict[str, Any]:
    ask: dict[str, Any] = {"kind": planned.asks}
    if planned.asks in ("text", "mistake"):
        choices = [{k: x for k, x in asdict(c).items() if x} for c in planned.choices]
        ask |= {"text": planned.text} if planned.text else {}
        return ask | ({"choices": choices} if choices else {})
    if planned.asks in ("local", "contribution", "sum"):
        assert planned.node is not None
        assert planned.slot is not None
        return ask | {"wire": wire_name(graph, (planned.node, planned.slot))}
    if planned.asks == "next":
        return ask
    if planned.leaf is not None:
        ask |= {"leaf": graph.names[planned.leaf], "to": planned.to}
    assert planned.node is not None
    return ask | {"node": graph.names[planned.node]}


def lesson_on(
    planned_steps: Iterable[PlannedStep | tuple[int, PlannedStep]],
    *drawings: Drawing,
    title: str = "",
    address: str = "",
) -> Lesson:
    """The lesson of steps on drawings; a step without the index of a drawing is on the first."""
    steps: list[Step] = []
    for each in planned_steps:
        index, planned = each if isinstance(each, tuple) else (0, each)
        drawing = drawings[index]
        text = lesson_of((planned,), drawing.graph)
        found = reading_of(text, UNNAMED, drawing.graph).for_room(title, drawing)
        assert found is not None
        steps += found.steps
    graph = drawings[0].graph
    found = Lesson("", title, "", "", 0, graph, tuple(steps), drawings=drawings)
    return replace(found, address=address)


def slide_of(planned: PlannedStep, graph: Graph) -> Slide:
    """A step as a room sees it."""
    return slides_of(lesson_on((planned,), Drawing(graph)))[0]


def question_kinds(graph: Graph, planned: PlannedStep) -> list[str]:
    """The kinds of questions that can be asked at a step."""
    kinds = ("value", "local", "contribution", "sum", "final", "sign", "mistake")
    found: list[str] = []
    for kind in kinds:
        if (planned.phase == "forward") == (kind == "value") and planned.step:
            try:
                asking = with_kind(step_at(graph, planned.phase, planned.step), graph, "ask", kind)
                asking = replace(asking, mistake=planned.mistake)
                found += [kind] * (not slide_of(asking, graph).misfit)
            except (AssertionError, EngineError, IndexError):
                continue
    return [*found, "text"]
