"""A lecture of marks written as the lesson that gives the same to a room."""

from collections.abc import Iterator

from msgspec.structs import asdict

from app.lessons.lecture import Lecture, Slide, slides
from app.lessons.lesson import wire_name
from app.lessons.poll import poll_of
from app.lessons.toml_file import line, paragraph_line
from engine.formats.expression import write
from engine.graph import Graph
from engine.study.lecture import PASS_KINDS, WIRE_KINDS, Mark


def as_lesson(lecture: Lecture) -> str:
    """The text of a lesson with a step for each mark, which fits its graph."""
    graphs = [drawing.graph for drawing in lecture.drawings]
    head = ["format = 1", line("title", lecture.title)]
    lines = [*head, "[graph]", *_graph_lines(graphs[lecture.marks[0].graph])]
    before = lecture.marks[0].graph
    for placed, slide in zip(lecture.marks, slides(lecture), strict=True):
        graph = graphs[placed.graph]
        lines += ["", "[[step]]", *_step_lines(slide, graph)]
        values = {graph.names[n]: x for n, x in graph.leaf_values.items()}
        own = {graph.names[n]: x for n, x in placed.mark.values}
        if placed.graph == before:
            lines.append(line("values", values | own))
        else:
            lines += [line("values", own)] * bool(own)
            lines += ["[step.graph]", *_graph_lines(graph)]
        before = placed.graph
    return "\n".join(lines) + "\n"


def _graph_lines(graph: Graph) -> Iterator[str]:
    yield line("expression", "; ".join(write(graph, values=False).strip().splitlines()))
    yield line("values", {graph.names[leaf]: x for leaf, x in graph.leaf_values.items()})


def _step_lines(slide: Slide, graph: Graph) -> Iterator[str]:
    mark = slide.mark
    yield line("kind", {"show": "say"}.get(mark.kind, mark.kind))
    start = "values" if mark.phase == "live" else f"{mark.phase} {slide.cursor}"
    yield line("start", "values" if mark.asks in PASS_KINDS else start)
    yield line("mistake", mark.mistake or "none")
    if mark.title:
        yield line("title", mark.title)
    if mark.kind == "blank":
        yield line("text", mark.text)
    if mark.seconds:
        yield line("timer", mark.seconds)
    if not mark.reveals:
        yield line("reveal", mark.reveals)
    if mark.notes:
        yield paragraph_line("notes", mark.notes)
    if mark.kind == "ask":
        yield line("form", "choices" if poll_of(slide).choices else "field")
        yield line("ask", [_ask(mark, graph)])


def _ask(mark: Mark, graph: Graph) -> dict[str, object]:
    ask: dict[str, object] = {"kind": mark.asks}
    if mark.asks in ("text", "mistake"):
        if mark.text:
            ask["text"] = mark.text
        choices = [{k: x for k, x in asdict(c).items() if x} for c in mark.choices]
        return ask | ({"choices": choices} if choices else {})
    assert mark.node is not None
    if mark.asks in WIRE_KINDS:
        assert mark.slot is not None
        return ask | {"wire": wire_name(graph, (mark.node, mark.slot))}
    if mark.leaf is not None:
        ask |= {"leaf": graph.names[mark.leaf], "to": mark.to}
    return ask if mark.asks == "next" else ask | {"node": graph.names[mark.node]}
