"""The nudge: the root against one leaf, whose point can be moved."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from operator import is_
from threading import Thread
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from app.controls.drawn_range import is_drawable
from app.controls.layouts import in_column, plain_label
from app.controls.panel import Block
from app.controls.rich_line import RichLine
from app.controls.rich_text import Span, Spans
from app.controls.slices import POLL, Slices, Work, in_background
from app.document.document import Document, ValueGesture
from app.style.current import Style
from app.workbench.gradients.formulas import FRACTION_NAME_LIMIT, term, variable
from app.workbench.study.checking import CheckRow
from app.workbench.study.checks import DEBOUNCE_MS, MOST_NODES_AT_ONCE, Checks
from app.workbench.study.nudging import (
    Nudge,
    NudgeKey,
    NudgeResult,
    compute_nudge,
    leaf_range,
    nudge_sentence,
    refusal,
    same_curve,
)
from engine.errors import EngineError
from engine.frame import Frame, live_frame
from engine.graph import Graph, Leaf

if TYPE_CHECKING:
    from app.panels.numeric.curve_plot import CurvePlot


LOADING = 30
"""Milliseconds between two looks whether the library of the plot has been imported."""
PAINTED = 40
"""Milliseconds after which a page that is shown has been painted."""
WAITING = "The curve is being computed …"
MUCH = 0.25
"""Share by which the range has to change to be drawn again while the point is well within it."""


class NudgePart(Block):
    """The curve of the selected leaf; a large graph's is computed in the background."""

    def __init__(self, style: Style, document: Document, checks: Checks) -> None:
        super().__init__(style, "Nudge", key="nudge")
        self._document, self._checks = document, checks
        self._gesture = ValueGesture(document)
        self.legend = RichLine(style, font_role="caption")
        self.words = plain_label(kind="caption", wraps=True)
        self.plot: CurvePlot | None = None
        self._frame = live_frame(document.graph)
        self._node: int | None = None
        self._nudged: NudgeKey | None = None
        self._found: NudgeResult | None = None
        self._library = Thread(target=__import__, args=("pyqtgraph",))
        self._slices = Slices(self)
        self._place = in_column(edges=0, gap=0)
        self.add(self._place, self.legend, self.words)
        self.expanded.connect(self._unfold)

    @property
    def waits(self) -> bool:
        """Return whether a curve is being computed."""
        return self._slices.active

    def load(self) -> None:
        """Import the library of the plot, which takes half a second, once the page is painted."""
        QTimer.singleShot(PAINTED, self, self._import)

    def _import(self) -> None:
        if self._library.ident is None and not self.collapsed:
            self._library.start()

    def _unfold(self) -> None:
        self.load()
        self.show_node(self._frame, self._node)

    def show_node(self, frame: Frame, node: int | None) -> None:
        """Show the curve of a node, or say why there is none."""
        graph, said = frame.graph, refusal(frame.graph, node)
        self._frame, self._node = frame, node
        self.set_title("Nudge" if said else f"Nudge {graph.brief(node or 0)}")
        if said or node is None or graph.root is None or self.collapsed:
            self._clear(said)
            return
        checks = self._checks
        nudged = NudgeKey(graph, node, checks.rules, checks.way, checks.h)
        if self._nudged is not None and all(map(is_, nudged, self._nudged)):
            if self._found is not None and not self.waits:
                self._slices.start(self._draw(self._found))
            return
        large = len(graph.nodes) > MOST_NODES_AT_ONCE
        if large:
            self._wait(node, graph.root)
        self._nudged = nudged
        self._slices.start(self._compute(nudged), after=DEBOUNCE_MS if large else None)

    def end_gesture(self) -> None:
        """Fit the range to where the point is now."""
        self._nudged = None
        self.show_node(self._frame, self._node)

    def _is_known(self, node: int) -> bool:
        """Return whether the curve is that of the graph shown."""
        found = self._found
        is_this = found is not None and found.curve.node == node
        return found is not None and is_this and same_curve(found.graph, self._frame.graph, node)

    def _wait(self, node: int, root: int) -> None:
        """Move the point along its curve; tangent and secant follow once they are computed."""
        x, y = self._frame.values.get(node), self._frame.values.get(root)
        if self._is_known(node) and self.plot is not None and x is not None and y is not None:
            assert self._found is not None
            self.plot.show_curve(self._found.curve, Nudge(x, y, None, self._checks.h, None))
        else:
            self._clear(WAITING)

    def _wanted(self, x: float) -> tuple[float, float]:
        """Return the range to draw: the one there is while the point is well within it."""
        curve, (low, high) = self._found and self._found.curve, leaf_range(x, self._checks.h)
        if curve is None:
            return low, high
        held = self.plot is not None and self.plot.held
        change = abs((high - low) - (curve.high - curve.low))
        keeps = curve.contains(x) and change < MUCH * (high - low)
        return (curve.low, curve.high) if held or keeps else (low, high)

    def _compute(self, nudged: NudgeKey) -> Work:
        """Compute the curve, of a large graph in the background, and draw it."""
        graph, node = nudged.graph, nudged.node
        leaf = graph.nodes[node]
        assert isinstance(leaf, Leaf)
        wanted = self._wanted(leaf.value)
        known = self._found.curve if self._found is not None and self._is_known(node) else None
        if known is not None and wanted != (known.low, known.high):
            known = None
        large, found = len(graph.nodes) > MOST_NODES_AT_ONCE, None
        work = compute_nudge(nudged, wanted, known)
        with suppress(EngineError):  # the check says why there is no pass
            for found in in_background(work) if large else work:
                if found is not None:
                    break
                if known is None and self.plot is not None and (large or self._slices.spent):
                    self.plot.hide()
                yield POLL if large else None
        if found is not None:
            self._found = found
            yield from self._draw(found)

    def _clear(self, said: str) -> None:
        self._slices.cancel()
        self._nudged, self._found = None, None
        self.set_note("")
        self._say_alone(said)
        if self.plot is not None:
            self.plot.forget()
            self.plot.hide()

    def _say_alone(self, said: str) -> None:
        self.legend.set_spans(())
        self.legend.hide()
        self.words.setText(said)

    def _draw(self, found: NudgeResult) -> Work:
        """Draw a curve as soon as the library of the plot has been imported."""
        while self.plot is None and (self._library.ident is None or self._library.is_alive()):
            self._say_alone(WAITING)
            yield LOADING
        if self.plot is None:
            self.plot = self._made()
        graph, row = found.graph, found.row
        assert graph.root is not None
        self.set_note(f"{graph.brief(graph.root)} against {graph.brief(row.node)}")
        self.plot.show_curve(found.curve, found.nudge)
        self.plot.show()
        self.legend.set_spans(_legend(graph, row, found.nudge, self._style.short))
        self.legend.show()
        self.words.setText(nudge_sentence(graph, row, found.nudge, found.curve))

    def _made(self) -> CurvePlot:
        """Return the plot, whose library is there once it is needed."""
        from app.panels.numeric.curve_plot import CurvePlot

        plot = CurvePlot(self._style)
        plot.value_changed.connect(self._set_value)
        plot.cancelled.connect(self._gesture.abandon)
        plot.gesture_ended.connect(self.end_gesture)
        self._place.addWidget(plot)
        return plot

    def _set_value(self, value: float, token: object) -> None:
        if self._node is not None:
            self._gesture.set_value(self._node, value, token)


def _legend(graph: Graph, row: CheckRow, found: Nudge, short: Callable[[float], str]) -> Spans:
    """Return the legend of the curves, with their slopes."""
    assert graph.root is not None
    spans = [
        Span(
            f"— {variable(graph, graph.root)}({term(graph, row.node, FRACTION_NAME_LIMIT)})",
            "value",
        )
    ]
    if found.slope is not None and is_drawable(found.slope):
        spans += [Span("   "), Span(f"— tangent {short(found.slope)}", "gradient")]
    if found.secant is not None and is_drawable(found.secant.value):
        spans += [Span("   "), Span(f"- - secant {short(found.secant.value)}", "selection")]
    return tuple(spans)
