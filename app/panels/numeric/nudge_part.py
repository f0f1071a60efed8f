"""NudgePart: the root as a curve over one leaf, whose value can be dragged along it."""

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


_IMPORT_POLL_MS = 30
"""Interval at which it checks whether pyqtgraph has been imported."""
_AFTER_PAINT_MS = 40
"""Time after which a page that is shown has been painted."""
_COMPUTING = "The curve is being computed …"
_RANGE_TOLERANCE = 0.25
"""Share by which the wanted width of the range may differ while the point is well within it."""


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
        self._requested: NudgeKey | None = None
        self._computed: NudgeResult | None = None
        """The inputs of the last computation, and its result."""
        self._import_thread = Thread(target=__import__, args=("pyqtgraph",))
        self._slices = Slices(self)
        self._plot_column = in_column(edges=0, gap=0)
        self.add(self._plot_column, self.legend, self.words)
        self.expanded.connect(self._unfold)

    @property
    def waits(self) -> bool:
        """Return whether a curve is being computed."""
        return self._slices.active

    def load(self) -> None:
        """Import pyqtgraph in a thread, which takes half a second, once the page is painted."""
        QTimer.singleShot(_AFTER_PAINT_MS, self, self._import)

    def _import(self) -> None:
        if self._import_thread.ident is None and not self.collapsed:
            self._import_thread.start()

    def _unfold(self) -> None:
        self.load()
        self.show_node(self._frame, self._node)

    def show_node(self, frame: Frame, node: int | None) -> None:
        """Show the curve of a node, or say why there is none."""
        graph, reason = frame.graph, refusal(frame.graph, node)
        self._frame, self._node = frame, node
        self.set_title("Nudge" if reason or node is None else f"Nudge {graph.brief(node)}")
        if reason or node is None or graph.root is None or self.collapsed:
            self._clear(reason)
            return
        checks = self._checks
        nudged = NudgeKey(graph, node, checks.rules, checks.method, checks.h)
        # by identity: comparing two graphs would take as long as drawing
        if self._requested is not None and all(map(is_, nudged, self._requested)):
            if self._computed is not None and not self.waits:
                self._slices.start(self._draw(self._computed))
            return
        large = len(graph.nodes) > MOST_NODES_AT_ONCE
        if large:
            self._show_point_early(node, graph.root)
        self._requested = nudged
        self._slices.start(self._compute(nudged), after=DEBOUNCE_MS if large else None)

    def end_gesture(self) -> None:
        """Fit the range to the new position of the point."""
        self._requested = None
        self.show_node(self._frame, self._node)

    def _has_curve_of(self, node: int) -> bool:
        """Return whether the computed curve is that of a node of the graph shown."""
        known = self._computed
        if known is None or known.curve.node != node:
            return False
        return same_curve(known.graph, self._frame.graph, node)

    def _show_point_early(self, node: int, root: int) -> None:
        """Move the point along the known curve; tangent and secant follow once computed."""
        x, y = self._frame.values.get(node), self._frame.values.get(root)
        if self._has_curve_of(node) and self.plot is not None and x is not None and y is not None:
            assert self._computed is not None
            self.plot.show_curve(self._computed.curve, Nudge(x, y, None, self._checks.h, None))
        else:
            self._clear(_COMPUTING)

    def _range_for(self, x: float) -> tuple[float, float]:
        """Return the range to draw: the present one while it fits, so that axes don't jump."""
        curve, (low, high) = self._computed and self._computed.curve, leaf_range(x, self._checks.h)
        if curve is None:
            return low, high
        is_moving = self.plot is not None and self.plot.is_moving
        change = abs((high - low) - (curve.high - curve.low))
        fits = curve.contains(x) and change < _RANGE_TOLERANCE * (high - low)
        return (curve.low, curve.high) if is_moving or fits else (low, high)

    def _compute(self, nudged: NudgeKey) -> Work:
        """Compute the curve, of a large graph in the background, and draw it."""
        graph, node = nudged.graph, nudged.node
        leaf = graph.nodes[node]
        assert isinstance(leaf, Leaf)
        ends = self._range_for(leaf.value)
        # a known curve over the same range is reused: only its point is computed
        reusable = self._computed is not None and self._has_curve_of(node)
        known = self._computed.curve if self._computed is not None and reusable else None
        if known is not None and ends != (known.low, known.high):
            known = None
        large, result = len(graph.nodes) > MOST_NODES_AT_ONCE, None
        work = compute_nudge(nudged, ends, known)
        with suppress(EngineError):  # the check says why there is no pass
            for result in in_background(work) if large else work:
                if result is not None:
                    break
                if known is None and self.plot is not None and (large or self._slices.spent):
                    self.plot.hide()
                yield POLL if large else None
        if result is not None:
            self._computed = result
            yield from self._draw(result)

    def _clear(self, text: str) -> None:
        """Show a text in place of a curve."""
        self._slices.cancel()
        self._requested, self._computed = None, None
        self.set_note("")
        self._show_text_alone(text)
        if self.plot is not None:
            self.plot.forget()
            self.plot.hide()

    def _show_text_alone(self, text: str) -> None:
        self.legend.set_spans(())
        self.legend.hide()
        self.words.setText(text)

    def _draw(self, result: NudgeResult) -> Work:
        """Draw a curve as soon as the library of the plot has been imported."""
        while self.plot is None and (
            self._import_thread.ident is None or self._import_thread.is_alive()
        ):
            self._show_text_alone(_COMPUTING)
            yield _IMPORT_POLL_MS
        if self.plot is None:
            self.plot = self._new_plot()
        graph, row = result.graph, result.row
        assert graph.root is not None
        self.set_note(f"{graph.brief(graph.root)} against {graph.brief(row.node)}")
        self.plot.show_curve(result.curve, result.nudge)
        self.plot.show()
        self.legend.set_spans(_legend(graph, row, result.nudge, self._style.short))
        self.legend.show()
        self.words.setText(nudge_sentence(graph, row, result.nudge, result.curve))

    def _new_plot(self) -> CurvePlot:
        """Return the plot; its module imports pyqtgraph, so it is imported only here."""
        from app.panels.numeric.curve_plot import CurvePlot

        plot = CurvePlot(self._style)
        plot.value_changed.connect(self._set_value)
        plot.cancelled.connect(self._gesture.abandon)
        plot.gesture_ended.connect(self.end_gesture)
        self._plot_column.addWidget(plot)
        return plot

    def _set_value(self, value: float, token: object) -> None:
        if self._node is not None:
            self._gesture.set_value(self._node, value, token)


def _legend(graph: Graph, row: CheckRow, nudge: Nudge, short: Callable[[float], str]) -> Spans:
    """Return the legend of the curves, with their slopes."""
    assert graph.root is not None
    spans = [
        Span(
            f"— {variable(graph, graph.root)}({term(graph, row.node, FRACTION_NAME_LIMIT)})",
            "value",
        )
    ]
    if nudge.slope is not None and is_drawable(nudge.slope):
        spans += [Span("   "), Span(f"— tangent {short(nudge.slope)}", "gradient")]
    if nudge.secant is not None and is_drawable(nudge.secant.value):
        spans += [Span("   "), Span(f"- - secant {short(nudge.secant.value)}", "selection")]
    return tuple(spans)
