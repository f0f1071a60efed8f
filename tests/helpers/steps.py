"""Steps that a room sees, in shorthand: a mark is a place on the graph of a sheet."""

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


class Mark(Struct, frozen=True):
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


def mark_at(graph: Graph, phase: str, cursor: int, rules: Rules = CORRECT) -> Mark:
    """A mark that shows a step of a pass, at its wire or node."""
    mistake = "" if rules is CORRECT else rules.name
    if phase == "live":
        return Mark(mistake=mistake)
    trace = run_forward(graph) if phase == "forward" else run(graph, rules=rules)
    found = Mark("show", phase, cursor, mistake=mistake)
    if not 0 < cursor < len(trace):
        return found
    tick = trace.schedule.ticks[cursor - 1]
    node, slot = tick.wire or (tick.node, None)
    return replace(found, node=node, slot=slot)


def with_kind(mark: Mark, graph: Graph, kind: str, asks: str = "") -> Mark:
    """The mark with a question about its step."""
    if kind != "ask" or asks in ("mistake", "text"):
        return replace(mark, kind=kind, asks=asks)
    if mark.node is None and mark.step and mark.phase != "live":
        at = mark_at(graph, mark.phase, mark.step)
        mark = replace(mark, node=at.node, slot=at.slot)
    if asks in PASS_KINDS:
        receiver = run(graph).schedule.receivers[mark.step - 1]
        return replace(mark, kind="ask", asks=asks, node=receiver, slot=None)
    if asks == "value":
        node = run_forward(graph).computed[mark.step - 1].node
        return replace(mark, kind="ask", asks=asks, node=node, slot=None)
    return replace(mark, kind="ask", asks=asks)


def lesson_of(marks: Iterable[Mark], graph: Graph, title: str = "") -> str:
    """The lesson of a sheet with these steps."""
    steps = tuple(step_of(mark, graph) for mark in marks)
    return written(Draft(title=title, steps=steps, carries=False))


def step_of(mark: Mark, graph: Graph) -> StepFile:
    """A mark as a step of the lesson of a sheet."""
    return StepFile(
        kind={"show": "say"}.get(mark.kind, mark.kind),  # pyright: ignore[reportArgumentType]
        title=mark.title,
        text=mark.text if mark.kind in ("show", "blank") else "",
        notes=mark.notes,
        timer=mark.seconds,
        reveal=mark.reveals,
        start=_start(mark, graph),
        values={graph.names[node]: value for node, value in mark.values},
        mistake=mark.mistake,
        ask=(_ask(mark, graph),) if mark.kind == "ask" else (),
        form="choices" if mark.kind == "ask" and mark.form == "choices" else "field",
    )


def _start(mark: Mark, graph: Graph) -> str:
    if mark.phase == "live" or mark.asks in PASS_KINDS:
        return "values"
    last = len(run_forward(graph) if mark.phase == "forward" else run(graph))
    if mark.phase == "backward" and mark.node is not None and mark.slot is not None:
        return wire_name(graph, (mark.node, mark.slot))
    if mark.phase == "backward" and not mark.asks and mark.step >= last:
        return "end"
    is_before = mark.asks not in ("", "mistake", "text")
    return f"{mark.phase} {max(mark.step - is_before, 0)}"


def _ask(mark: Mark, graph: Graph) -> dict[str, Any]:
    ask: dict[str, Any] = {"kind": mark.asks}
    if mark.asks in ("text", "mistake"):
        choices = [{k: x for k, x in asdict(c).items() if x} for c in mark.choices]
        ask |= {"text": mark.text} if mark.text else {}
        return ask | ({"choices": choices} if choices else {})
    if mark.asks in ("local", "contribution", "sum"):
        assert mark.node is not None
        assert mark.slot is not None
        return ask | {"wire": wire_name(graph, (mark.node, mark.slot))}
    if mark.asks == "next":
        return ask
    if mark.leaf is not None:
        ask |= {"leaf": graph.names[mark.leaf], "to": mark.to}
    assert mark.node is not None
    return ask | {"node": graph.names[mark.node]}


def lesson_on(
    marks: Iterable[Mark | tuple[int, Mark]], *drawings: Drawing, title: str = "", address: str = ""
) -> Lesson:
    """The lesson of marks on drawings; a mark without the index of a drawing is on the first."""
    steps: list[Step] = []
    for each in marks:
        index, mark = each if isinstance(each, tuple) else (0, each)
        drawing = drawings[index]
        text = lesson_of((mark,), drawing.graph)
        found = reading_of(text, UNNAMED, drawing.graph).for_room(title, drawing)
        assert found is not None
        steps += found.steps
    graph = drawings[0].graph
    found = Lesson("", title, "", "", 0, graph, tuple(steps), drawings=drawings)
    return replace(found, address=address)


def slide_of(mark: Mark, graph: Graph) -> Slide:
    """A mark as a room sees it."""
    return slides_of(lesson_on((mark,), Drawing(graph)))[0]


def question_kinds(graph: Graph, mark: Mark) -> list[str]:
    """The kinds of questions that can be asked at a mark."""
    kinds = ("value", "local", "contribution", "sum", "final", "sign", "mistake")
    found: list[str] = []
    for kind in kinds:
        if (mark.phase == "forward") == (kind == "value") and mark.step:
            try:
                asking = with_kind(mark_at(graph, mark.phase, mark.step), graph, "ask", kind)
                asking = replace(asking, mistake=mark.mistake)
                found += [kind] * (not slide_of(asking, graph).misfit)
            except (AssertionError, EngineError, IndexError):
                continue
    return [*found, "text"]
