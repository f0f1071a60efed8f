"""Parts of the page Why: NodePart, ManyPart for several nodes, ValuePart, SlidersPart, and Cards of
the contributions that have arrived."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QSizePolicy, QWidget

from app.controls.choices import ChoiceBox
from app.controls.focus import NAVIGATION_KEYS, KeyClaim, PressOutside
from app.controls.layouts import (
    ElidedLabel,
    RowsOnDemand,
    in_column,
    in_row,
    plain_label,
    plain_tooltip,
    set_kind,
    show_text,
)
from app.controls.painted_buttons import IconButton, PaintedButton
from app.controls.rich_text import ENDLESS, RichLine, lay_out, paint_lines
from app.controls.spans import Span, filled, on_lines, plain_text
from app.controls.value_slider import SweepSlider, ValueSlider
from app.document.document import Document, ValueGesture
from app.document.sheet import Sheet
from app.guard import exception_safe
from app.style import sizes
from app.style.current import Style
from app.style.derivative_notation import Notation
from app.style.strokes import antialiased, draw_sibling_mark
from app.style.theme import mixed
from app.workbench.gradients.chain_rule import Derivation, Term, partial_sum_text
from app.workbench.gradients.comparison import Comparison, gradient_verdict, same
from app.workbench.gradients.explanation import causes
from app.workbench.gradients.formulas import (
    SIGNS,
    direct_derivative_tip,
    enumerated,
    input_names,
    local_fraction,
    names_text,
    variable,
)
from app.workbench.selection import Selection
from engine import edits
from engine.frame import Frame
from engine.graph import LABEL_LIMIT, Constant, Graph, Leaf, OpNode, Root, Wire, is_blank, kind_of
from engine.numbers import HIDDEN, NO_PATH, NOT_COMPUTED, Digits, full, plain, short
from engine.ops import OPS
from engine.problems import arguments, by_convention, local_derivative
from engine.rules import UNKNOWN
from engine.trace import Event


@exception_safe
class NodePart(QWidget):
    """Shows and edits one node; every change is one step of the document."""

    def __init__(self, style: Style, document: Document) -> None:
        super().__init__()
        self._style = style
        self._document = document
        self.node: int | None = None
        self.title = ElidedLabel(style, kind="heading")
        self.kind = plain_label(kind="caption")
        self.label = QLineEdit()
        self.name = ElidedLabel(style, kind="caption")
        self.op = _op_box()
        self.value = NumberRow(style, "Value", "value")
        self.gradient = NumberRow(style, "Gradient", "gradient")
        self.verdict = RichLine(style, font_role="interface")
        self.formula = TextRow(style, "Formula")
        self.domain = TextRow(style, "Domain")
        self.slopes = RichLine(style, font_role="interface")
        self.convention = plain_label(kind="secondary", wraps=True)
        self.change_kind = QPushButton()
        self._captions = [plain_label(t, "secondary") for t in ("Label", "Operation")]
        self._lay_out()
        self._connect()
        self._restyle()

    def _lay_out(self) -> None:
        self._label_row = _row(self._captions[0], self.label)
        self._op_row = _row(self._captions[1], self.op)
        self._slopes_title = plain_label("Local derivatives", "secondary")
        in_column(
            in_row((self.title, 1), self.kind),
            self._label_row,
            self.name,
            self._op_row,
            self.formula,
            self.domain,
            self.value,
            self.gradient,
            self.verdict,
            self._slopes_title,
            self.slopes,
            self.convention,
            (self.change_kind, Qt.AlignmentFlag.AlignLeft),
            parent=self,
            style=self._style,
            gap=8,
        )
        self.label.setMaxLength(LABEL_LIMIT)
        self.label.setPlaceholderText("no label")
        self.label.setAccessibleName("Label")

    def _connect(self) -> None:
        self.label.installEventFilter(self)
        self._claim = KeyClaim(self.label, *NAVIGATION_KEYS, Qt.Key.Key_Return, Qt.Key.Key_Enter,
                               Qt.Key.Key_Escape)  # fmt: skip
        self.label.editingFinished.connect(self._set_label)
        self._outside = PressOutside(self.label, self._set_label)
        self.op.activated.connect(self._set_op)
        self.change_kind.clicked.connect(self._change_kind)
        self._style.changed.connect(self._restyle)

    def show_node(self, node: int, frame: Frame, comparison: Comparison | None = None) -> None:
        """Show a node in a frame; `comparison` is with the correct pass."""
        is_other, self.node = node != self.node, node
        graph, content = frame.graph, frame.graph.nodes[node]
        # a root has no numbers of its own: those of its input are shown
        shown = content.input if isinstance(content, Root) else node
        self._show_title(graph, node if shown is None else shown)
        self.kind.setText("operation" if isinstance(content, OpNode) else kind_of(content))
        if is_other or not self.label.isModified():
            self.label.setText(graph.label(node))
        self._label_row.setVisible(not isinstance(content, Root))
        self.value.show_number(None if shown is None else frame.values.get(shown))
        self._show_gradient(content, shown, frame)
        digits = self._style.digits
        explanation = () if shown is None else gradient_verdict(frame, comparison, shown, digits)
        why = "" if shown is None else causes(frame, comparison, shown, digits)
        is_in_pass = not isinstance(content, Root) or node == graph.active_root
        partial_sum = partial_sum_text(frame, shown) if shown is not None and is_in_pass else ""
        lines = (
            *([Span(f"{partial_sum}\n" if explanation else partial_sum)] if partial_sum else []),
            *explanation,
        )
        self.verdict.set_spans((*lines, Span(f"\n{why}")) if why else lines)
        self.verdict.setVisible(bool(lines))
        self._show_op(node, content, frame)
        self._show_change_kind(node, content, frame)

    def _show_title(self, graph: Graph, node: int) -> None:
        """Show the label, else the name in grey; below a label that others have too, the name."""
        label = graph.label(node)
        self.title.setText(graph.title(node) if is_blank(label) else label)
        set_kind(self.title, "name" if is_blank(label) and node in graph.names else "heading")
        name = graph.distinguishing_name(node)
        show_text(self.name, f"in code: {name}" if name else "")

    def _show_gradient(
        self, content: Leaf | Constant | OpNode | Root, shown: int | None, frame: Frame
    ) -> None:
        self.gradient.setVisible(not isinstance(content, Constant))
        known = None if shown is None else frame.grads.get(shown)
        if isinstance(content, Root) and self.node != frame.graph.active_root:
            known = None
        self.gradient.show_number(known, unreachable=shown in frame.unreachable_leaves)

    def _show_op(self, node: int, content: Leaf | Constant | OpNode | Root, frame: Frame) -> None:
        is_op = isinstance(content, OpNode)
        for widget in (self._op_row, self._slopes_title, self.slopes):
            widget.setVisible(is_op)
        if not is_op:
            for row in (self.formula, self.domain):
                row.show_text("")
            self.convention.hide()
            return
        op = frame.graph.op(node)
        self.op.setPlaceholderText(op.symbol)  # of one that is not in the table
        self.op.setCurrentIndex(OPS.index(op) if op in OPS else -1)
        self.formula.show_text(names_text(frame.graph, node, self._style.digits))
        self.domain.show_text("" if op.domain == "every number" else op.domain)
        self.slopes.set_spans(slopes(frame, node, self._style.digits, self._style.notation))
        self.slopes.setToolTip(direct_derivative_tip(self.slopes.text()))
        show_text(self.convention, op.convention if has_convention(frame, node) else "")

    def _show_change_kind(
        self, node: int, content: Leaf | Constant | OpNode | Root, frame: Frame
    ) -> None:
        """Show the button for the change of kind that this node allows."""
        graph = frame.graph
        text = ""
        if isinstance(content, Leaf):
            text = "Make constant"
        elif isinstance(content, Constant):
            text = "Make leaf"
        elif isinstance(content, Root) and node != graph.active_root:
            text = "Make this the active root"
        elif isinstance(content, OpNode) and not graph.has_root(node):
            text = "Mark as root"
        show_text(self.change_kind, text)

    def _set_label(self) -> None:
        typed = self.label.isModified()
        self.label.setModified(False)
        if typed and self.node is not None and self.node in self._document.graph.nodes:
            self._document.set_label(self.node, self.label.text())
            self.label.setText(self._document.graph.label(self.node))

    def _set_op(self, index: int) -> None:
        if self.node is not None:
            self._document.set_op(self.node, OPS[index].name)

    def _change_kind(self) -> None:
        node = self.node
        if node is None:
            return
        content = self._document.graph.nodes[node]
        if isinstance(content, Root):
            self._document.set_active_root(node)
        elif isinstance(content, OpNode):
            self._document.mark_root(node)
        else:
            self._document.set_constant(node, isinstance(content, Leaf))

    def _restyle(self) -> None:
        px = self._style.px
        for label in self._captions:
            label.setFixedWidth(px(CAPTION_WIDTH))
        for label in (self.name, self.verdict):  # aligned with the fields after the captions
            label.setContentsMargins(px(CAPTION_WIDTH) + px(6), 0, 0, 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return False
        if event.key() == Qt.Key.Key_Escape and self.node is not None:
            self.label.setText(self._document.graph.label(self.node))
            self.label.selectAll()
            return True
        return False


class ManyPart(QWidget):
    """Counts the selected nodes by kind; turns them into constants or leaves, or deletes them."""

    def __init__(self, style: Style, document: Document, selection: Selection) -> None:
        super().__init__()
        self._document, self._selection = document, selection
        self.count = plain_label(kind="heading", wraps=True)
        self.kinds = plain_label(kind="secondary", wraps=True)
        self.delete = QPushButton("Delete")
        self.change_kind = QPushButton()
        buttons = in_row(self.change_kind, self.delete, 1)
        in_column(self.count, self.kinds, buttons, parent=self, style=style, gap=8)
        self.delete.clicked.connect(self._delete)
        self.change_kind.clicked.connect(self._change_kind)

    def show_nodes(self, chosen: Sequence[int], frame: Frame) -> None:
        nodes = frame.graph.nodes
        self.count.setText(f"{len(chosen):,} nodes selected")
        kinds = Counter(kind_of(nodes[n]) for n in chosen)
        self.kinds.setText(", ".join(_count_text(kind, count) for kind, count in kinds.items()))
        all_leaves = all(isinstance(nodes[n], Leaf) for n in chosen)
        all_numbers = all(isinstance(nodes[n], Leaf | Constant) for n in chosen)
        self.change_kind.setText("Make constants" if all_leaves else "Make leaves")
        self.change_kind.setVisible(all_numbers)

    def _delete(self) -> None:
        self._document.remove(self._selection.nodes, self._selection.wires)

    def _change_kind(self) -> None:
        graph = self._document.graph
        chosen = [n for n in sorted(self._selection.nodes) if n in graph.nodes]
        to_constants = all(isinstance(graph.nodes[n], Leaf) for n in chosen)

        def edit(sheet: Sheet) -> Sheet:
            changed = sheet.graph
            for node in chosen:
                changed = edits.set_kind(changed, node, to_constants)
            return sheet.with_graph(changed)

        self._document.commit(self.change_kind.text(), edit)


def _count_text(kind: str, count: int) -> str:
    word = "operation" if kind == "op" else kind
    plural = {"leaf": "leaves"}.get(word, f"{word}s")
    return f"{count} {word if count == 1 else plural}"


def _row(caption: QLabel, field: QWidget) -> QWidget:
    part = QWidget()
    in_row(caption, (field, 1), parent=part)
    caption.setBuddy(field)
    return part


def _op_box() -> ChoiceBox:
    box = ChoiceBox("Operation")
    box.setSizeAdjustPolicy(ChoiceBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(8)  # characters
    for op in OPS:
        text = op.name if op.symbol == op.name else f"{op.symbol}  {op.name}"
        box.addItem(text)
        box.setItemData(box.count() - 1, op.description, Qt.ItemDataRole.ToolTipRole)
    return box


CAPTION_WIDTH = 84
"""Width of the captions left of the fields, in px at 100 %."""


class NumberRow(QWidget):
    """A number with all its digits; `–` while it is not known."""

    def __init__(self, style: Style, caption: str, kind: str) -> None:
        super().__init__()
        self._style = style
        self._kind = kind
        self._number: float | None = None
        self.caption = plain_label(caption, "secondary")
        self.number = ElidedLabel(style, kind=kind)
        self.copy = IconButton(style, "copy", f"Copy the {caption.lower()}")
        self.copy.set_kind("quiet")
        in_row(self.caption, (self.number, 1), self.copy, parent=self)
        self.number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.copy.clicked.connect(self._copy)
        style.run_now_and_on_change(self._restyle)

    def text(self) -> str:
        """Return the number as shown."""
        return self.number.text()

    def show_number(self, number: float | None, unreachable: bool = False) -> None:
        """Show a number; None for an unknown one, which `unreachable` explains."""
        self._number = number
        unknown = f"{NO_PATH}  no path" if unreachable else NOT_COMPUTED
        self.number.setText(unknown if number is None else full(number))
        kind = self._kind if number is None or math.isfinite(number) else "error"
        set_kind(self.number, "secondary" if number is None else kind)
        self.copy.setEnabled(number is not None)

    def _copy(self) -> None:
        if self._number is not None:
            QGuiApplication.clipboard().setText(plain(self._number))

    def _restyle(self) -> None:
        self.caption.setFixedWidth(self._style.px(CAPTION_WIDTH))


class TextRow(QWidget):
    """A caption and a text that wraps."""

    def __init__(self, style: Style, caption: str) -> None:
        super().__init__()
        self._style = style
        self.caption = plain_label(caption, "secondary")
        self.words = plain_label(wraps=True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        top = Qt.AlignmentFlag.AlignTop
        in_row((self.caption, top), (self.words, 1), parent=self)
        style.run_now_and_on_change(self._restyle)

    def text(self) -> str:
        return self.words.text()

    def show_text(self, text: str) -> None:
        """Show a text; without one the row is hidden."""
        self.words.setText(text)
        self.setVisible(bool(text))

    def _restyle(self) -> None:
        self.caption.setFixedWidth(self._style.px(CAPTION_WIDTH))


def slopes(
    frame: Frame, node: int, digits: Digits, notation: Notation = "partial"
) -> tuple[Span, ...]:
    """Return the local derivatives as `∂e/∂a = b = −3`, one line per slot.

    During a quiz neither formula nor number of a node that has not fired is shown. Where a
    convention defines the number, as at a kink, the formula is left out. Where a mistake uses
    another number than the local derivative, that follows after ≠.
    """
    graph, op = frame.graph, frame.graph.op(node)
    is_asked = frame.hides not in (None, "end")
    lines: list[Sequence[Span]] = []
    for slot, slope in enumerate(op.slopes):
        is_convention = by_convention(graph, (node, slot), frame.values)
        numerator, denominator = _slope_fraction(graph, (node, slot), notation)
        rule = "" if is_convention else op.filled(slope, input_names(graph, node, digits))
        correct, used = _slope_numbers(frame, (node, slot))
        number = "" if correct is None else short(correct, digits)
        if correct is HIDDEN or (correct is None and is_asked):  # the rule is asked for too
            number, text = short(HIDDEN, digits), "{slope} = {number}"
        elif is_convention:
            text = "{slope} = {number} by convention" if number else "{slope} by convention"
        else:
            text = "{slope} = {rule}" if number in ("", rule) else "{slope} = {rule} = {number}"
        fraction = Span(numerator, "local", under=denominator)
        bold_number = Span(number, "local", bold=True)
        line = filled(text, slope=fraction, rule=rule, number=bold_number)
        if correct is not None and used is not None and not same(correct, used):
            unequal, wrong = Span("≠", "error", bold=True), Span(short(used, digits), "error")
            text = "{line} {unequal} {wrong}, which the mistake takes"
            line = filled(text, line=line, unequal=unequal, wrong=wrong)
        lines.append(line)
    return on_lines(lines)


def _slope_fraction(graph: Graph, wire: Wire, notation: Notation) -> tuple[str, str]:
    """Return numerator and denominator; an empty slot is named by its letter."""
    if graph.source(wire) is not None:
        return local_fraction(graph, wire, notation)
    sign = SIGNS[notation]
    return f"{sign}{variable(graph, wire[0])}", f"{sign}{graph.op(wire[0]).slots[wire[1]]}"


def has_convention(frame: Frame, node: int) -> bool:
    """Return whether a local derivative of the node is defined by convention, as at a kink."""
    slots = range(len(frame.graph.inputs(node)))
    return any(by_convention(frame.graph, (node, slot), frame.values) for slot in slots)


def _slope_numbers(frame: Frame, wire: Wire) -> tuple[float | None, float | None]:
    """Return the local derivative along a wire, and the number that the pass uses for it.

    During a backward pass they are known only for wires that have fired or fire next; else wherever
    the values are known.
    """
    node = wire[0]
    event = frame.fired.get(wire)
    if event is None and frame.cursor and frame.next_event is not None:
        event = frame.next_event if frame.next_event.wire == wire else None
    if frame.phase == "backward" and event is None:
        return None, None
    if frame.trace is not None and frame.trace.rules is UNKNOWN:
        return None, None  # during a hunt the difference of both would reveal the mistake
    known = arguments(frame.graph, node, frame.values)
    op, value = frame.graph.op(node), frame.values.get(node)
    if len(known) < len(op.slots) or value is None:
        return None, None
    if event is not None and event.local is HIDDEN:
        return HIDDEN, HIDDEN
    return local_derivative(frame.graph, wire, frame.values), None if event is None else event.local


_MAX_READERS = 3
"""Readers that are named; of the others the number is shown."""


@exception_safe
class ValuePart(QWidget):
    """Edits the value of a leaf or constant; a drag is one undo step."""

    ripple_wanted = Signal(object)
    """Emitted with the node whose value shall be raised a little."""

    def __init__(self, style: Style, document: Document) -> None:
        super().__init__()
        self._node: int | None = None
        self._gesture = ValueGesture(document)
        self.name = plain_label(kind="heading")
        self.kind = plain_label(kind="caption")
        self.readers = ElidedLabel(style, kind="caption")
        self.readers.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.slider = ValueSlider(style)
        self.ripple = QPushButton("Ripple")
        hint = plain_label("raise it a little, and look (N)", "caption")
        self._ripple_row = QWidget()
        in_row(self.ripple, (hint, 1), parent=self._ripple_row, style=style, gap=10)
        in_column(
            in_row(self.name, self.kind, (self.readers, 1), gap=8),
            in_row(plain_label("data", "secondary"), (self.slider, 1), gap=10),
            self._ripple_row,
            parent=self,
            style=style,
            gap=8,
        )
        self.slider.value_changed.connect(self._set_value)
        self.slider.gesture_ended.connect(self._gesture.end)
        self.slider.cancelled.connect(self._gesture.abandon)
        self.slider.refused.connect(document.refused)
        self.ripple.clicked.connect(lambda: self.ripple_wanted.emit(self._node))

    def show_node(self, node: int, content: Leaf | Constant, graph: Graph, *, asks: bool) -> None:
        """Show a leaf or a constant; while the page `asks`, a ripple would give answers away."""
        self._node = node
        name, is_leaf = graph.brief(node), isinstance(content, Leaf)
        self.name.setText(name)
        self.kind.setText("leaf" if is_leaf else "constant")
        readers = [
            graph.brief(n)
            for n in dict.fromkeys(reader for reader, _slot in graph.outgoing.get(node, ()))
        ]
        if len(readers) > _MAX_READERS:
            readers = [*readers[:_MAX_READERS], f"{len(readers) - _MAX_READERS:,} more"]
        self.readers.setText(f"read by {enumerated(readers)}" if readers else "read by nothing")
        self.slider.set_name(name)
        if self.slider.value() != content.value:
            self.slider.set_value(content.value)
        self._ripple_row.setVisible(is_leaf)
        self.ripple.setEnabled(not asks)

    def _set_value(self, value: float, token: object) -> None:
        if self._node is not None:
            self._gesture.set_value(self._node, value, token)


MAX_SLIDERS = 200
"""Leaves that get a slider; each costs a millisecond when the panel is filled."""
_MORE_LEAVES = "{count:,} more leaves have no slider here; select one to change it."


class SlidersPart(QWidget):
    """Shows the values of all leaves; a drag is one undo step, and so is a sweep."""

    def __init__(self, style: Style, document: Document) -> None:
        super().__init__()
        self._style, self._document = style, document
        self._gesture = ValueGesture(document)
        self.sliders: dict[int, SweepSlider] = {}
        self._home = document.home
        """The document whose leaves the sliders have, with their ranges and sweeps."""
        self.more = plain_label(kind="secondary", wraps=True)
        rows = QWidget()
        self._rows = in_column(parent=rows, style=style, gap=10)
        in_column(rows, self.more, parent=self, gap=8)

    def show_leaves(self, graph: Graph) -> None:
        leaves = [(n, leaf) for n, leaf in graph.nodes.items() if isinstance(leaf, Leaf)]
        shown = dict(leaves[:MAX_SLIDERS])
        is_other, self._home = self._home is not self._document.home, self._document.home
        for node in [*self.sliders]:
            if is_other or node not in shown:
                slider = self.sliders.pop(node)
                slider.stop()
                self._rows.removeWidget(slider)
                slider.deleteLater()
        for node, leaf in shown.items():
            if node not in self.sliders:
                self._add(node)
            slider, name = self.sliders[node], graph.brief(node)
            if slider.title.text() != name:
                slider.set_name(name)
            if slider.value() != leaf.value:
                slider.set_value(leaf.value)
        self.more.setVisible(len(leaves) > MAX_SLIDERS)
        self.more.setText(_MORE_LEAVES.format(count=len(leaves) - MAX_SLIDERS))

    def stop(self) -> None:
        for slider in self.sliders.values():
            slider.stop()

    def _add(self, node: int) -> None:
        slider = SweepSlider(self._style)
        slider.value_changed.connect(partial(self._gesture.set_value, node))
        slider.gesture_ended.connect(self._gesture.end)
        slider.cancelled.connect(self._gesture.abandon)
        slider.refused.connect(self._document.refused)
        self.sliders[node] = slider
        self._rows.addWidget(slider)
        slider.show()  # now, as it may get the keyboard focus before the layout shows it


MAX_CARDS = 8
"""Cards at most; of earlier contributions only the number is shown."""
_WIDTH, _MIN_WIDTH, _HEIGHT = 200, 120, 52
"""Preferred and least width, and height of a card, in px at 100 %."""
_PADDING, _BOTTOM_PADDING = 12, 8
"""Space left and right of the texts of a card, and below them, in px at 100 %."""
_UPPER_BASELINE = 20
"""Baseline of the upper row below the top of the card, in px at 100 %."""
_TEXT_GAP = 8
"""Least space between the texts of a row, in px at 100 %."""
_MARK_SIZE, _MARK_GAP = 8, 7
"""Side of the mark of a sibling wire, and space after it, in px at 100 %."""
_HOVER_SHARE = 0.04
"""Share of the text's colour in a card under the pointer."""
_NAME_LENGTH = 16
"""Characters of the name of the sender."""


class Cards(QWidget):
    """The contributions of one node in order of arrival; of many only the newest."""

    step_chosen = Signal(int)
    """Emitted with the cursor after the step of a clicked card."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self._earlier = plain_label(kind="secondary")
        column = in_column(self._earlier, parent=self, style=style, gap=8)
        self._cards = RowsOnDemand(self._new_card, column.addWidget)

    def shown(self) -> list[str]:
        """Return the texts of the cards for assistive technology."""
        return [card.accessibleName() for card in self._cards.shown]

    def card(self, index: int) -> ContributionCard:
        """Return a card by its index from the top."""
        return self._cards[index]

    def show_terms(self, derivation: Derivation, comparison: Comparison | None = None) -> None:
        """Show the contributions that have arrived; `comparison` is with the correct pass."""
        terms = derivation.arrived[-MAX_CARDS:]
        hidden = len(derivation.arrived) - len(terms)
        self._earlier.setText(f"{hidden:,} earlier contributions")
        self._earlier.setVisible(hidden > 0)
        for card, term in zip(self._cards.show(len(terms)), terms, strict=True):
            card.show_term(derivation, term, comparison)
        self.setVisible(bool(terms))

    def _new_card(self) -> ContributionCard:
        card = ContributionCard(self._style, self)
        card.clicked.connect(self._choose)
        return card

    def _choose(self) -> None:
        card = self.sender()
        if isinstance(card, ContributionCard):
            self.step_chosen.emit(card.step)


@exception_safe
class ContributionCard(PaintedButton):
    """One contribution: its source node, its step, the product and the result."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(style, parent)
        self.step = 0
        self._event: Event | None = None
        self._route = self._step_text = ""
        self._hue = -1
        """The number of the sibling colour, −1 for none."""
        self._is_current = self._is_overwritten = False
        self._correct: float | None = None
        """The contribution of the correct pass, if it differs."""
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_term(self, derivation: Derivation, term: Term, comparison: Comparison | None) -> None:
        """Show one contribution; with a mistake, a cross marks a wrong one."""
        graph, target = derivation.frame.graph, term.wire[0]
        self.step, self._event, self._is_current = term.step, term.event, term.now
        self._hue = derivation.hue(term)
        arrived = derivation.arrived
        self._is_overwritten = term in arrived[: max(derivation.overwritten(arrived), 0)]
        self._correct = _correct_contribution(term, comparison)
        reads_twice = sum(s == derivation.node for s in graph.inputs(target)) > 1
        op, slot = graph.op(target).symbol, term.wire[1] + 1
        said = "by way of {op} {title}, slot {slot}" if reads_twice else "by way of {op} {title}"
        route = said.format(op=op, title=graph.title(target), slot=slot)
        self._route = said.format(op=op, title=graph.brief(target, _NAME_LENGTH), slot=slot)
        self._step_text = f"step {self.step:,}, now" if self._is_current else f"step {self.step:,}"
        product = plain_text(self._product())
        self.setAccessibleName(f"{self._route}, {self._step_text}: {product} = {self._result()}")
        tooltip = f"Go to step {self.step}"
        if self._correct is not None:
            correct = self._style.signed(self._correct)
            tooltip = f"Go to step {self.step}; the correct pass sends {correct}"
        self.setToolTip(plain_tooltip(f"{route}\n{tooltip}"))
        self.update()

    def _product(self) -> tuple[Span, ...]:
        assert self._event is not None
        return (
            Span(self._style.short(self._event.upstream), "gradient", bold=True),
            Span(" × "),
            Span(self._style.short(self._event.local), "local", bold=True),
        )

    def _result(self) -> str:
        assert self._event is not None
        cross = "" if self._correct is None else "✘ "
        return f"{cross}{self._style.signed(self._event.contribution)}"

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(_WIDTH), self._style.px(_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._style.px(_MIN_WIDTH), self._style.px(_HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._event is None:
            return
        with antialiased(self) as painter:
            self._paint_box(painter)
            self._paint_route(painter)
            self._paint_numbers(painter)

    def _paint_box(self, painter: QPainter) -> None:
        theme = self._style.theme
        fill = theme.firing if self._is_current else theme.muted
        line = theme.gradient if self._is_current else theme.line
        if self.underMouse():
            fill = mixed(fill, theme.text, _HOVER_SHARE)
        self.paint_box(painter, fill, line, sizes.RADIUS_BUTTON, 2.0 if self._is_current else 1.0)

    def _paint_route(self, painter: QPainter) -> None:
        """Paint the upper row: mark, route, step."""
        theme, px = self._style.theme, self._style.px
        left, baseline = px(_PADDING), px(_UPPER_BASELINE)
        if self._hue >= 0:
            side = px(_MARK_SIZE)
            centre = QPointF(left + px(_MARK_SIZE / 2), baseline - px(_MARK_SIZE / 2 + 0.5))
            draw_sibling_mark(painter, self._hue, centre, side, theme.sibling(self._hue))
            left += px(_MARK_SIZE + _MARK_GAP)
        painter.setFont(self._style.font("caption"))
        metrics = QFontMetricsF(painter.font())
        right = self.width() - px(_PADDING) - metrics.horizontalAdvance(self._step_text)
        painter.setPen(theme.secondary)
        painter.drawText(QPointF(right, baseline), self._step_text)
        width = right - left - px(_TEXT_GAP)
        route = metrics.elidedText(self._route, Qt.TextElideMode.ElideRight, width)
        painter.drawText(QPointF(left, baseline), route)

    def _paint_numbers(self, painter: QPainter) -> None:
        """Paint the lower row: the product and its result."""
        theme, px = self._style.theme, self._style.px
        font = self._style.font("number")
        lines = lay_out(self._product(), font, ENDLESS)
        top = self.height() - px(_BOTTOM_PADDING) - QFontMetricsF(font).height()
        paint_lines(painter, QPointF(px(_PADDING), top), lines, font, theme)
        is_wrong = self._is_overwritten or self._correct is not None
        color = theme.error if is_wrong else theme.sibling(max(self._hue, 0))
        font.setStrikeOut(self._is_overwritten)
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        painter.setPen(color)
        text = self._result()
        right = self.width() - px(_PADDING) - metrics.horizontalAdvance(text)
        painter.drawText(QPointF(right, top + metrics.ascent()), text)


def _correct_contribution(term: Term, comparison: Comparison | None) -> float | None:
    """Return the contribution of the correct pass along a wire if it differs, else None."""
    if comparison is None or term.event is None:
        return None
    sent = comparison.sent.get(term.wire, 0.0)
    return None if same(term.event.contribution, sent) else sent
