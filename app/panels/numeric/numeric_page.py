"""NumericPage: the gradient check as a table, one leaf nudged, and agreement with PyTorch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from operator import is_
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QCheckBox, QSlider, QWidget

from app.controls.choices import Segmented
from app.controls.drawn_range import is_drawable
from app.controls.layouts import in_column, in_row, plain_label, show_text
from app.controls.painted_buttons import push_button
from app.controls.panel import Block, EmptyState, Page
from app.controls.python_choice import HasPython, PythonChoice
from app.controls.rich_text import RichLine
from app.controls.row_list import Column, RowList
from app.controls.slices import POLL, BackgroundImport, Slices, Work, in_background
from app.controls.spans import ListRow, Span, Spans, plain_text
from app.controls.text_fields import LogRow
from app.document.document import Document, ValueGesture
from app.document.sheet import is_large
from app.guard import exception_safe
from app.panels.numeric.rule_part import RulePart
from app.style.current import Style
from app.workbench.gradients.formulas import FRACTION_NAME_LIMIT, derivative_text, term, variable
from app.workbench.playback.playback import Playback
from app.workbench.selection import Selection
from app.workbench.trials.checking import (
    CHECK_METHODS,
    QUOTIENT_FORMULAS,
    CheckRow,
    overall_verdict,
    summary,
)
from app.workbench.trials.gradient_checks import DEBOUNCE_MS, Checks
from app.workbench.trials.nudging import (
    Nudge,
    NudgeKey,
    NudgeResult,
    compute_nudge,
    leaf_range,
    nudge_sentence,
    refusal,
    same_curve,
)
from engine.asking.nudge import STEP
from engine.errors import EngineError
from engine.frame import Frame, live_frame
from engine.graph import Graph, Leaf
from engine.names import shortened
from engine.numbers import NO_PATH, full, short
from engine.rules import CORRECT, Rules

if TYPE_CHECKING:
    from app.panels.numeric.curve_plot import CurvePlot
    from app.workbench.trials.torch_run import Agreement, TorchRun


MARKS: Final = {"agrees": "✓", "differs": "✘", "can't tell": "?"}
_SPOKEN: Final = {"agrees": "right", "differs": "wrong", "can't tell": "can't tell"}
DIFFERENCE_DIGITS: Final = 2
"""Significant digits of a difference; the sentence about its row has all of them."""
MAX_VISIBLE_ROWS: Final = 8
"""Greatest height of the table in rows; more of them are scrolled."""
_ROW_HEIGHT: Final = 23
_LONG_NAME, _SHORT_NAME = 10, 6
"""Lengths of a name in characters, in a wide and in a narrow table."""


@exception_safe
class CheckTable(RowList):
    """The gradient check, a row per node.

    In a narrow table first the heads become short, then the names, then the differences disappear;
    the digits of the numerical gradient are never cut.
    """

    node_chosen = Signal(int)
    """Emitted with the node of a row that is clicked or becomes current."""

    def __init__(self, style: Style) -> None:
        columns = (
            Column(stretches=True, font="interface strong"),
            Column(right=True, font="factors"),
            Column(right=True, font="code"),
            Column(right=True, font="caption"),
        )
        super().__init__(
            style, "Gradients", columns, row_height=_ROW_HEIGHT, most_rows=MAX_VISIBLE_ROWS
        )
        self._checked: tuple[CheckRow, ...] = ()
        self._gradient_head, self._numerical_head = "", ""
        self._node: int | None = None
        self.chosen.connect(self._choose)
        style.changed.connect(self._show_fitting)

    def show_checked(
        self, rows: Sequence[CheckRow], gradient_head: str, numerical_head: str, node: int | None
    ) -> None:
        """Show rows, with these heads of the second and third column, and mark that of a node."""
        self._checked = tuple(rows)
        self._gradient_head, self._numerical_head = gradient_head, numerical_head
        self._node = node
        self._show_fitting()

    def cells(self) -> list[list[str]]:
        """Return the displayed texts, row by row."""
        return [[plain_text(spans) for spans in row.cells] for row in self.rows]

    def _show_fitting(self) -> None:
        """Show the table in the longest form that fits its width."""
        forms = (  # heads of both gradients, length of names, whether with differences
            (self._gradient_head, self._numerical_head, _LONG_NAME, True),
            ("grad", self._numerical_head, _LONG_NAME, True),
            ("grad", "numerical", _LONG_NAME, True),
            ("grad", "numerical", _SHORT_NAME, True),
            ("grad", "numerical", _SHORT_NAME, False),
        )
        heads, rows = self._form(*forms[0])
        for form in forms[1:]:
            if self.has_width_for(heads, rows):
                break
            heads, rows = self._form(*form)
        self.show_heads(heads if rows else ())
        self.show_rows(rows)
        current = next((k for k, r in enumerate(self._checked) if r.node == self._node), -1)
        self.set_current(current)

    def _form(
        self, gradient_head: str, numerical_head: str, name_length: int, has_difference: bool
    ) -> tuple[tuple[Spans, ...], list[ListRow]]:
        texts = ("", gradient_head, numerical_head, "off by" if has_difference else "")
        heads = tuple((Span(text, "secondary"),) if text else () for text in texts)
        return heads, self._list_rows(name_length, has_difference)

    def _list_rows(self, name_length: int, has_difference: bool) -> list[ListRow]:
        names = shortened({row.node: row.short_name for row in self._checked}, name_length)
        return [
            _list_row(
                row,
                names.get(row.node, row.short_name),
                self._backward(row),
                has_difference=has_difference,
                chosen=row.node == self._node,
            )
            for row in self._checked
        ]

    def _backward(self, row: CheckRow) -> str:
        return NO_PATH if row.backward is None else self._style.short(row.backward)

    def _choose(self, index: int) -> None:
        if 0 <= index < len(self._checked):
            self.node_chosen.emit(self._checked[index].node)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._show_fitting()


def _list_row(
    row: CheckRow, name: str, backward: str, *, has_difference: bool, chosen: bool
) -> ListRow:
    has_gradient = row.backward is not None
    cells = (
        (Span(name, bold=True),),
        (Span(backward, "gradient" if has_gradient else "secondary"),),
        (Span(full(row.numerical), bold=chosen),),
        _difference_cell(row, has_difference) if has_gradient else (),
    )
    numbers = (
        f"{row.title}: backward {full(row.backward or 0.0)}, numerical {full(row.numerical)}, "
    )
    spoken = numbers + _SPOKEN[row.verdict] if has_gradient else row.reason
    tooltip = f"{row.title}: {row.reason}" if has_gradient else row.reason
    return ListRow(cells, spoken, tone="asked" if chosen else "", tooltip=tooltip)


def _difference_cell(row: CheckRow, has_difference: bool) -> Spans:
    role = "error" if row.verdict == "differs" else "secondary"
    mark = Span(MARKS[row.verdict], "error" if row.verdict == "differs" else "text", bold=True)
    return (Span(f"{difference_text(row.difference)} ", role), mark) if has_difference else (mark,)


def difference_text(difference: float) -> str:
    """Return a difference with two digits, or one where it is written with an exponent."""
    text = short(difference, DIFFERENCE_DIGITS)
    return short(float(f"{difference:.0e}"), DIFFERENCE_DIGITS) if "e" in text else text


COMPARE, CANCEL = "Compare", "Cancel"
RUNNING = "PyTorch is computing the same gradients …"


class TorchPart(Block):
    """Compares with PyTorch on request."""

    def __init__(self, style: Style, document: Document, settings: HasPython) -> None:
        super().__init__(style, "PyTorch", key="torch", collapsed=True)
        self._document, self._settings = document, settings
        self._run: TorchRun | None = None
        self._graph: Graph | None = None
        self._rules = CORRECT
        self.python = PythonChoice(style, "The Python in which PyTorch is installed")
        self.button = push_button(COMPARE)
        self.button.setAccessibleName("Compare with PyTorch")
        self.words = plain_label(kind="secondary", wraps=True)
        self.words.hide()
        self.add_to_head(self.button)
        self.add(self.python, self.words)
        self.button.clicked.connect(self._toggle)
        self.python.chosen.connect(self._choose)
        self.expanded.connect(self._show_python)

    def show_graph(self, graph: Graph | None, rules: Rules) -> None:
        """Set the graph and rules to compare, and clear the result of others."""
        if graph is not self._graph or rules is not self._rules:
            self._graph, self._rules = graph, rules
            self._cancel()
        self.button.setEnabled(graph is not None)

    def _toggle(self) -> None:
        from app.workbench.trials.torch_run import TorchRun

        if self._run is not None and self._run.running:
            self._cancel()
        elif self._graph is not None:
            if self._run is None:
                self._run = TorchRun(self)
                self._run.finished.connect(self._show)
                self._run.refused.connect(self._show_message)
            self.set_collapsed(False)
            self._show_message(RUNNING)
            self.button.setText(CANCEL)
            self._run.start(self._graph, self._settings.python, self._rules)

    def _cancel(self) -> None:
        if self._run is not None:
            self._run.cancel()
        self._show_message("")

    def _show_python(self) -> None:
        path = self._document.path
        self.python.show_python(self._settings.python, None if path is None else path.parent)

    def _choose(self, python: str) -> None:
        self._settings.python = python
        self._show_python()

    def _show(self, agreement: Agreement) -> None:
        self._show_message("\n".join(agreement.sentences()))

    def _show_message(self, text: str) -> None:
        show_text(self.words, text)
        self.button.setText(COMPARE)  # `_toggle` sets another text after it


_MAX_EXPONENT: Final = 15
"""The slider of h reaches from 1 to 10⁻¹⁵, below which h is lost in rounding."""
_TICKS: Final = tuple(float(f"1e-{exponent}") for exponent in range(_MAX_EXPONENT + 1))
NOT_ABOVE_0: Final = "h has to be above 0, such as 0.001."
_FIELD_WIDTH: Final = 64
"""Width of the field of h, in px at 100 %."""
_SCALE_LABELS: Final = {0: "1", 5: "10⁻⁵", 10: "10⁻¹⁰", 15: "10⁻¹⁵"}
_SCALE_HEIGHT, _HANDLE_WIDTH = 14, 16
"""Height of the labels below the slider, and width of its handle, in px at 100 %."""


class StepRow(LogRow):
    """A slider and a field for h, the step of the difference quotient."""

    def __init__(self, style: Style, h: float) -> None:
        super().__init__(style, "h", _TICKS, h, NOT_ABOVE_0)
        self.slider.setTickPosition(QSlider.TickPosition.NoTicks)
        self.slider.setToolTip("From 1 to 10⁻¹⁵")
        self.field.fit_width(_FIELD_WIDTH)
        top = Qt.AlignmentFlag.AlignTop
        scaled = in_column(self.slider, _Scale(style), gap=0)
        self._name = plain_label("h", "strong")
        parts = ((self._name, top), (scaled, 1), (self.field, top))
        in_row(*parts, parent=self, style=style, gap=8)
        style.run_now_and_on_change(self._restyle)

    def _restyle(self) -> None:
        self._name.setFixedHeight(self.slider.sizeHint().height())


@exception_safe
class _Scale(QWidget):
    """The labels below the slider: 1, 10⁻⁵ and so on."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        style.run_now_and_on_change(self._restyle)

    def _restyle(self) -> None:
        self.setFixedHeight(self._style.px(_SCALE_HEIGHT))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, px = self._style.theme, self._style.px
        handle = px(_HANDLE_WIDTH)
        with QPainter(self) as painter:
            painter.setFont(self._style.font("small"))
            painter.setPen(theme.secondary if self.isEnabled() else theme.wire)
            metrics = painter.fontMetrics()
            for exponent, text in _SCALE_LABELS.items():
                middle = handle / 2 + (self.width() - handle) * exponent / _MAX_EXPONENT
                width = metrics.horizontalAdvance(text)
                left = min(max(middle - width / 2, 0.0), self.width() - width)
                box = QRectF(left, 0, width + 1, self.height())
                painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)


LONGEST_ROOT = 6
"""Characters of the root's name in the head of the table."""


@exception_safe
class NumericPage(Page):
    """The gradient check with its method and h, the curve of one leaf, and PyTorch."""

    node_chosen = Signal(int)
    """Emitted with the node of a row that is clicked or becomes current."""

    def __init__(
        self,
        style: Style,
        document: Document,
        playback: Playback,
        selection: Selection,
        checks: Checks,
        settings: HasPython,
    ) -> None:
        super().__init__(style, "Numeric")
        self._playback, self._selection, self._checks = playback, selection, checks
        self._announced, self._face = "", "check"
        self.method = Segmented(
            style, [(method, method) for method in CHECK_METHODS], "Method", narrow=True
        )
        self.all_nodes = QCheckBox("all nodes")
        self.all_nodes.setToolTip("Check the gradients of operations as well as those of leaves")
        self.step = StepRow(style, checks.h)
        self.empty = EmptyState(style, "")
        self.table = CheckTable(style)
        self.verdict = plain_label(kind="strong", wraps=True)
        self.words = plain_label(kind="caption", wraps=True)
        self.other_h = push_button(f"Take h = {full(STEP)}", "offer")
        head = in_row(self.method, 1, self.all_nodes, gap=4)
        left = Qt.AlignmentFlag.AlignLeft
        self.check = Block(style, "", head, self.step, self.empty, self.table)
        self.check.add(self.verdict, self.words, (self.other_h, left))
        self.nudge = NudgePart(style, document, checks)
        self.torch = TorchPart(style, document, settings)
        self.face = Segmented(style, [("check", "Check"), ("rule", "ƒ Rule")], "Face", narrow=True)
        self.rule = RulePart(style, document, playback, selection)
        self.add(Block(style, "", in_row(self.face, 1, gap=4)))
        self.add(self.check, self.nudge, self.torch, self.rule, 1)
        self.show_face("check")
        self.step.refused.connect(document.refused)
        self._connect()

    def _connect(self) -> None:
        checks = self._checks
        self.face.chosen.connect(self.show_face)
        self.method.chosen.connect(checks.set_method)
        self.all_nodes.toggled.connect(checks.set_all_nodes)
        self.step.changed.connect(checks.set_h)
        self.other_h.clicked.connect(lambda: checks.set_h(STEP))
        self.table.node_chosen.connect(self.node_chosen)
        self._selection.changed.connect(self._selection_changed)
        checks.changed.connect(self.refresh)
        self._style.changed.connect(self.refresh_if_visible)

    def show_face(self, face: str) -> None:
        """Show the check of gradients, or an operation's rule."""
        self._face = face
        self.face.set_choice(face)
        self.check.setVisible(face == "check")
        self.rule.setVisible(face == "rule")
        self.refresh()

    def _selection_changed(self) -> None:
        if not self._playback.lags_behind_document and self.isVisible():
            self._show_rows()

    def refresh(self) -> None:
        """Show the rows; an invisible page only clears them, so that it keeps no hidden number."""
        checks = self._checks
        if not self.isVisible() and not checks.said and not checks.rows:
            self._show_rows()
            return
        self.method.set_choice(checks.method)
        self.step.setEnabled(checks.method != "exact")
        self.step.show_number(checks.h)
        self.empty.setVisible(bool(checks.said))
        self.empty.show_state(checks.said)
        for part in (self.table, self.verdict):
            part.setVisible(not checks.said)
        self._show_verdict()
        if not checks.waits or not checks.rows:  # not after each slice: showing would take longer
            self._show_rows()

    def _show_verdict(self) -> None:
        checks = self._checks
        if checks.waits:
            self.verdict.setText(f"{len(checks.rows):,} of {checks.total:,} are checked …")
        else:
            text, mark = summary(checks.rows), MARKS.get(overall_verdict(checks.rows) or "", "")
            self.verdict.setText(f"{text} {mark}".strip() if mark != "?" else text)
            if text != self._announced and self.isVisible():
                self._announced = text
                self.announce(text)
        self.other_h.setVisible(checks.needs_other_h)

    def _gradient_head(self) -> str:
        """Return the head of the gradients: ∂L/∂x, or `grad` as a mistake's are no derivatives."""
        graph, notation = self._playback.frame.graph, self._style.notation
        if graph.root is None:
            return ""
        root = variable(graph, graph.root, LONGEST_ROOT)
        correct = self._checks.rules is CORRECT
        return derivative_text(root, "x", notation if correct else "grad")

    def _numerical_head(self) -> str:
        """Return the head of the numerical gradients: the quotient that computes them."""
        method, graph = self._checks.method, self._playback.frame.graph
        if method == "exact" or graph.root is None:
            return "numerical"
        return QUOTIENT_FORMULAS[method].format(
            root=variable(graph, graph.root, LONGEST_ROOT), leaf="x"
        )

    def _show_rows(self) -> None:
        """Show the table, the sentence about one row, and the curve of its node."""
        checks, row = self._checks, self._row()
        node = None if row is None else row.node
        rows = () if checks.waits else checks.rows
        self.table.show_checked(rows, self._gradient_head(), self._numerical_head(), node)
        show_text(self.words, "" if row is None or checks.waits else _sentence(row))
        graph, shown = self._playback.frame.graph, checks.total > 0 and self._face == "check"
        for part in (self.nudge, self.torch):
            part.setVisible(shown)
        self.torch.show_graph(graph if shown else None, checks.rules)
        if node is None and shown:  # no row is computed yet
            node = self._selection.only if self._selection.only in graph.leaves else None
        self.nudge.show_node(self._playback.frame, node if shown else None)

    def _row(self) -> CheckRow | None:
        """Return the row of the selected node, else the first one."""
        rows, only = self._checks.rows, self._selection.only
        return next((row for row in rows if row.node == only), rows[0] if rows else None)

    def showEvent(self, event: QShowEvent) -> None:
        self._checks.watch(True)
        self.nudge.load()
        super().showEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._checks.watch(False)


def _sentence(row: CheckRow) -> str:
    """Return a row's numbers with all digits, and why its gradients agree or differ."""
    if row.backward is None:
        return row.reason
    numbers = list[str]()
    if row.verdict == "differs":
        numbers.append(f"backward {full(row.backward)}")
    if row.verdict != "can't tell" and row.difference:
        numbers.append(f"off by {full(row.difference)}")
    head = f"{row.title}: {', '.join(numbers)}. " if numbers else f"{row.title}: "
    return f"{head}{row.reason}"


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
        self._import = BackgroundImport(("pyqtgraph",), self)
        self._slices = Slices(self)
        self._plot_column = in_column(gap=0)
        self.add(self._plot_column, self.legend, self.words)
        self.expanded.connect(self._unfold)

    @property
    def waits(self) -> bool:
        """Return whether a curve is being computed."""
        return self._slices.active

    def load(self) -> None:
        """Import pyqtgraph in a thread, which takes half a second, once the page is painted."""
        QTimer.singleShot(_AFTER_PAINT_MS, self, self._start_import)

    def _start_import(self) -> None:
        if not self.collapsed:
            self._import.start()

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
        large = is_large(graph)
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
        large, result = is_large(graph), None
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
        while self.plot is None and not self._import.finished:
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
