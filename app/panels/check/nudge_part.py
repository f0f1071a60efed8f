"""The nudge: the root against one leaf, whose point can be moved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Thread
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget

from app.controls.elided_label import ElidedLabel
from app.controls.layouts import PANEL_EDGES, in_column, in_row, plain_label
from app.controls.rich_line import RichLine
from app.controls.rich_text import Span, Spans
from app.document.document import Document
from app.document.value_gesture import ValueGesture
from app.style.current import Style
from app.workbench.checking import Row, rows
from app.workbench.checks import AT_ONCE, REST, SLICE, Checks
from app.workbench.nudging import (
    Curve,
    Nudge,
    Point,
    drawn,
    is_drawable,
    nudge,
    reach,
    refusal,
    same_curve,
    samples,
    sentence,
)
from engine.errors import EngineError
from engine.frame import Frame, live_frame
from engine.graph import Graph
from engine.trace import Trace, run

if TYPE_CHECKING:
    from app.panels.check.curve_plot import CurvePlot


LOADING = 30
"""Milliseconds between two looks whether the library of the plot has been imported."""
WAITING = "The curve is being computed …"
MUCH = 0.25
"""Share by which the range has to change to be drawn again while the point is well within it."""


class NudgePart(QWidget):
    """The curve of the selected leaf; it is computed in slices, between events."""

    def __init__(
        self, style: Style, document: Document, checks: Checks, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._style, self._document, self._checks = style, document, checks
        self._gesture = ValueGesture(document)
        self.title = plain_label("Nudge", "strong")
        self.axes = ElidedLabel(style, kind="caption")
        self.legend = RichLine(style, font_role="caption")
        self.words = plain_label(kind="secondary", wraps=True)
        self.plot: CurvePlot | None = None
        self._row: Row | None = None
        self._frame = live_frame(document.graph)
        self._node: int | None = None
        self._trace: Trace | None = None
        self._curve: Curve | None = None
        self._of: Graph | None = None
        self._coming: Iterator[Point] | None = None
        self._points: list[Point] = []
        self._range = (0.0, 0.0)
        self._library = Thread(target=__import__, args=("pyqtgraph",))
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._go_on)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST)
        self._rest.timeout.connect(self._rested)
        head = in_row((self.title, 1), self.axes)
        self._column = in_column(
            head, self.legend, self.words, parent=self, style=style, edges=PANEL_EDGES, gap=6
        )

    @property
    def waits(self) -> bool:
        """Return whether a curve is being computed."""
        return self._coming is not None or self._rest.isActive() or self._timer.isActive()

    def load(self) -> None:
        """Import the library of the plot in the background: it takes half a second."""
        if self._library.ident is None:
            self._library.start()

    def show_row(self, frame: Frame, node: int | None, row: Row | None) -> None:
        """Show the curve of a node, or say why there is none; its row may not be known yet."""
        graph, said = frame.graph, refusal(frame.graph, node)
        self._frame, self._node = frame, node
        self.title.setText("Nudge" if said else f"Nudge {graph.brief(node or 0)}")
        if said or node is None or graph.root is None:
            self._clear(said)
            return
        self.axes.setText(f"{graph.brief(graph.root)} against {graph.brief(node)}")
        self._rest.stop()
        self._row = row
        if row is None and len(graph.nodes) <= AT_ONCE:
            self._row = self._own_row(graph, node)
        if self._row is None:
            self._wait(node, graph.root)
            return
        self._show_curve(graph, node)

    def _show_curve(self, graph: Graph, node: int) -> None:
        """Draw over the curve there is, or begin another one."""
        self._trace = run(graph, rules=self._checks.rules)
        wanted = self._wanted(self._trace.values[node])
        if self._is_known(node) and wanted == self._range:
            self._draw()
        else:
            self._begin(wanted)

    def end_gesture(self) -> None:
        """Fit the range to where the point is now."""
        self.show_row(self._frame, self._node, self._row)

    def _own_row(self, graph: Graph, node: int) -> Row:
        """Return the row of a node that the check has not come to."""
        checks = self._checks
        return next(rows(graph, rules=checks.rules, way=checks.way, h=checks.h, nodes=(node,)))

    def _rested(self) -> None:
        """Compute what a large graph has waited for."""
        if self._node is not None and self._row is None:
            with suppress(EngineError):  # the check says why there is no pass
                self._row = self._own_row(self._frame.graph, self._node)
                self._show_curve(self._frame.graph, self._node)

    def _is_known(self, node: int) -> bool:
        """Return whether the curve is that of the graph shown."""
        curve, of = self._curve, self._of
        is_this = curve is not None and curve.node == node and of is not None
        return is_this and of is not None and same_curve(of, self._frame.graph, node)

    def _wait(self, node: int, root: int) -> None:
        """Move the point along its curve; tangent and secant follow once they are computed."""
        x, y = self._frame.values.get(node), self._frame.values.get(root)
        if self._is_known(node) and self.plot is not None and x is not None and y is not None:
            assert self._curve is not None
            self.plot.show_curve(self._curve, Nudge(x, y, None, self._checks.h, None))
        else:
            self._clear(WAITING)
        self._rest.start()

    def _wanted(self, x: float) -> tuple[float, float]:
        """Return the range to draw: the one there is while the point is well within it."""
        curve, (low, high) = self._curve, reach(x, self._checks.h)
        if curve is None:
            return low, high
        held = self.plot is not None and self.plot.held
        change = abs((high - low) - (curve.high - curve.low))
        keeps = curve.holds(x) and change < MUCH * (high - low)
        return self._range if held or keeps else (low, high)

    def _begin(self, wanted: tuple[float, float]) -> None:
        assert self._trace is not None
        assert self._node is not None
        self._curve, self._of, self._range, self._points = None, None, wanted, []
        self._coming = samples(self._trace, self._node, *wanted)
        if self.plot is not None and len(self._frame.graph.nodes) <= AT_ONCE:
            self._go_on()
        else:
            self._timer.start(0)
        if self.waits and self.plot is not None:
            self.plot.hide()

    def _clear(self, said: str) -> None:
        self._timer.stop()
        self._rest.stop()
        self._curve, self._of, self._coming, self._trace = None, None, None, None
        self.axes.setText("")
        self._say_alone(said)
        if self.plot is not None:
            self.plot.forget()
            self.plot.hide()

    def _say_alone(self, said: str) -> None:
        self.legend.set_spans(())
        self.legend.hide()
        self.words.setText(said)

    def _go_on(self) -> None:
        """Compute points for a slice of time; with the last one the curve is drawn."""
        if self._coming is None and self._curve is not None:
            self._draw()
        if self._coming is None or self._trace is None or self._row is None:
            return
        until = perf_counter() + SLICE
        for point in self._coming:
            self._points.append(point)
            if perf_counter() > until:
                self._timer.start(0)
                return
        self._coming = None
        self._curve = drawn(self._trace, self._row.node, *self._range, self._points)
        self._of = self._trace.graph
        self._draw()

    def _draw(self) -> None:
        assert self._curve is not None
        assert self._trace is not None
        assert self._row is not None
        if self.plot is None and self._library.is_alive():
            self._say_alone(WAITING)
            self._timer.start(LOADING)
            return
        checks = self._checks
        found = nudge(self._trace, self._row, checks.way, checks.h)
        if self.plot is None:
            self.plot = self._made()
        self.plot.show_curve(self._curve, found)
        self.plot.show()
        self.legend.set_spans(_legend(self._frame.graph, self._row, found, self._style.short))
        self.legend.show()
        self.words.setText(sentence(self._frame.graph, self._row, found, self._curve))

    def _made(self) -> CurvePlot:
        """Return the plot, whose library is there once it is needed."""
        from app.panels.check.curve_plot import CurvePlot

        plot = CurvePlot(self._style)
        plot.value_changed.connect(self._set_value)
        plot.cancelled.connect(self._gesture.abandon)
        plot.gesture_ended.connect(self.end_gesture)
        self._column.insertWidget(2, plot)
        return plot

    def _set_value(self, value: float, token: object) -> None:
        if self._node is not None:
            self._gesture.set_value(self._node, value, token)


def _legend(graph: Graph, row: Row, found: Nudge, short: Callable[[float], str]) -> Spans:
    """Say which line is what, with the slopes."""
    assert graph.root is not None
    spans = [Span(f"— {graph.brief(graph.root)}({graph.brief(row.node)})", "value")]
    if found.slope is not None and is_drawable(found.slope):
        spans += [Span("   "), Span(f"— tangent {short(found.slope)}", "gradient")]
    if found.made is not None and is_drawable(found.made.value):
        spans += [Span("   "), Span(f"- - secant {short(found.made.value)}", "selection")]
    return tuple(spans)
