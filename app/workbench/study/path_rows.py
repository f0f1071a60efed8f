"""Path rows: every path from a node to the root with its product, as a panel shows them."""

from __future__ import annotations

from msgspec import Struct

from app.controls.rich_text import Span, Spans, filled
from app.style.notation import Notation
from app.workbench.gradients.formulas import bracketed, gradient_text
from engine.frame import Frame
from engine.graph import Root, Wire
from engine.numbers import DIGITS_SHOWN, Digits, counted, short
from engine.problems import pass_obstacle
from engine.study.paths import COUNT_LIMIT, Path, count, paths
from engine.trace import run

MOST = 100
"""Paths that are listed; their number can be astronomical."""
LONGEST = 12
"""Factors that are written out in one row."""


class PathRow(Struct, frozen=True):
    """One path: its nodes, its factors, their product, and its wires, to be lit."""

    nodes: str
    factors: str
    result: str
    wires: tuple[Wire, ...]

    @property
    def product(self) -> str:
        """Return the factors and their product as one equation."""
        return self.factors if self.factors == self.result else f"{self.factors} = {self.result}"


class PathTable(Struct, frozen=True):
    """The paths of one node, and what is to be said of them."""

    rows: tuple[PathRow, ...]
    remark: Spans


def path_table(
    frame: Frame, node: int | None, digits: Digits = DIGITS_SHOWN, notation: Notation = "partial"
) -> PathTable:
    """Return the paths of a node to the active root; while a learner is asked, none."""
    graph = frame.graph
    if node is None or isinstance(graph.nodes[node], Root):
        return PathTable((), filled("Select a node to see its paths to the root."))
    if frame.hides == "step":
        return PathTable((), filled("The paths are shown after you have answered."))
    if pass_obstacle(graph) is not None or graph.root is None:
        return PathTable((), filled("The paths are shown once a backward pass can run."))
    name, root = graph.brief(node), graph.brief(graph.root)
    if node == graph.root:
        return PathTable((), filled("{root} is the root: its gradient is 1.", root=root))
    found = paths(graph, node, limit=MOST)
    if not found:
        return PathTable((), filled("No path leads from {name} to {root}.", name=name, root=root))
    rows = tuple(_row(graph.brief(node), frame, path, digits) for path in found)
    return PathTable(rows, _remark(frame, node, found, digits, notation))


def _row(name: str, frame: Frame, path: Path, digits: Digits) -> PathRow:
    names = [name, *(frame.graph.brief(node) for node in path.nodes)]
    factors = [bracketed(short(slope, digits)) for slope in path.factors[:LONGEST]]
    if len(path.factors) > LONGEST:
        factors.append("…")
    return PathRow(" → ".join(names), " · ".join(factors), short(path.product, digits), path.wires)


def _remark(
    frame: Frame, node: int, found: list[Path], digits: Digits, notation: Notation
) -> Spans:
    graph = frame.graph
    assert graph.root is not None
    number, trace = count(graph, node), run(graph)
    wires = sum(event.kind == "contribution" for event in trace.events)
    total = sum(path.product for path in found)
    fields: dict[str, Span | str] = {
        "name": graph.brief(node),
        "root": graph.brief(graph.root),
        "gradient": Span(gradient_text(graph, graph.root, node, notation), "gradient"),
        "total": Span(short(total, digits), "gradient", bold=True),
        "wires": counted(wires, "{count} wire", "{count:,} wires"),
    }
    if number == 1:
        return filled(
            "One path leads from {name} to {root}: its product is {gradient} = {total}."
            " Backward visits {wires}, each once, for all nodes.",
            **fields,
        )
    if number <= len(found):
        return filled(
            "{count} paths lead from {name} to {root}; their products add up to"
            " {gradient} = {total}. Backward visits {wires}, each once, for all nodes.",
            count=f"{number:,}",
            **fields,
        )
    many = "More than 10³⁰" if number >= COUNT_LIMIT else f"{number:,}"
    return filled(
        "{many} paths lead from {name} to {root}; the first {listed} are listed. Backward visits"
        " {wires}, each once, and needs none of them.",
        many=many,
        listed=f"{len(found):,}",
        **fields,
    )
