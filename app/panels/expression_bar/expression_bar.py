"""The expression bar: shows the graph as it was typed, else as assignments, and accepts text."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from app.controls.elided_label import ElidedLabel
from app.controls.kind import plain_tooltip
from app.controls.layouts import in_column, in_row, plain_label
from app.document.change import Change
from app.document.document import Document
from app.document.typed_formulas import joined
from app.guard import guarded
from app.panels.expression_bar.chips import LeafChips
from app.panels.expression_bar.field import EXAMPLE, ExpressionField
from app.style import sizes
from app.style.current import Style
from app.style.strokes import paint_box
from app.workbench.playback.playback import Playback
from engine.errors import FormatError, PlacedFormatError
from engine.formats.expression import read_typed
from engine.graph import Graph, Leaf, Wire
from engine.numbers import counted

_SHARE, _SHARE_BESIDE_NOTE = 0.45, 0.25
"""Share of the width for the chips and for the note, and for chips beside a note."""
_WIDTH, _LEAST_WIDTH = 520, 120
"""Preferred and least width of the bar, in px at 100 %."""
_EDGE = 12
"""Space left and right of a message, in px at 100 %."""
_FRAME = 4
"""Room for the frame of a message, in px at 100 %."""
_LEAST_MESSAGE = 200
"""Least width of a message, in px at 100 %."""
_BEHIND = "The formula is behind this network. Esc ends Training and shows the sheet again."
_BELOW_BAR = 4
"""Gap between the bar and its message, in px at 100 %."""


@guarded
class ExpressionBar(QWidget):
    """The graph as one line of text; `leaf_chosen` carries the leaf of a clicked chip."""

    leaf_chosen = Signal(int)
    finished = Signal()
    """Emitted when editing ends and the keyboard focus is no longer needed here."""

    def __init__(
        self, style: Style, document: Document, playback: Playback, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._style = style
        self._document = document
        self._shown = self._instead = ""
        self._structure = document.graph.structure
        self.field = ExpressionField(style)
        self.note = ElidedLabel(style, kind="caption")
        self.chips = LeafChips(style, playback)
        self.setFocusProxy(self.field)
        self._message = _Message(style, self)
        parts = ((self.field, 1), self.note, self.chips)
        in_row(*parts, parent=self, style=style, edges=(12, 0, 4, 0), gap=8)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.field.entered.connect(self.enter)
        self.field.left.connect(self._give_up)
        self.field.held.connect(self._say_why_held)
        self.field.focus_changed.connect(self.update)
        self.field.textChanged.connect(self._forget_error)
        self.chips.chosen.connect(self.leaf_chosen)
        self.chips.chosen.connect(self.finished)
        document.changed.connect(self._follow)
        style.changed.connect(self._restyle)
        self._restyle()
        self.restore()

    def text(self) -> str:
        """Return the text in the field."""
        return self.field.text()

    def error(self) -> str:
        """Return the error sentence about the text, or ""."""
        return self._message.text()

    def enter(self) -> None:
        """Apply the text to the document; common parts of the graph keep their place."""
        text = joined(self.field.text())
        if text == self._shown or not text or self.field.isReadOnly():
            self._give_up()
            return
        try:
            graph = read_typed(text)
        except FormatError as error:
            self._refuse(error, text)
            return
        self._document.edit_expression(graph, text)
        self.restore()
        self.field.set_text(self._shown)  # clears the field's undo: Undo now concerns the graph
        self.finished.emit()

    def show_instead(self, text: str) -> None:
        """Show what is worked on in place of the graph, read-only; "" shows the graph again."""
        if text != self._instead:
            self._instead = text
            self.chips.setHidden(bool(text))
            self.restore()

    def restore(self) -> None:
        """Show the current graph, or what is in its place."""
        if self._instead:
            self._shown = self._instead
            self._hold("", _BEHIND)
            self._message.show_text("")
            self.field.set_text(self._shown)
            return
        self._structure = self._document.graph.structure
        self._shown = self._document.typed.text_for(self._document.graph)
        self.field.setPlaceholderText(_placeholder(self._document.graph, self._shown))
        holes = _holes(self._document.graph) if self._shown else []
        one, many = "read-only: {count} slot is empty", "read-only: {count} slots are empty"
        note = counted(len(holes), one, many) if holes else ""
        self._hold(note, _reason(self._document.graph, holes) if holes else "")
        self._message.show_text("")
        if self.field.text() != self._shown or self.field.error_range():
            self.field.set_text(self._shown)

    def _give_up(self) -> None:
        """Show the current graph, and give up the keyboard focus."""
        self.restore()
        self.finished.emit()

    def _hold(self, note: str, reason: str) -> None:
        """Make the field read-only for a reason, with a note beside it; "" lets it be edited."""
        self.field.setReadOnly(bool(reason))
        self.field.setToolTip(plain_tooltip(reason) if reason else "")
        self.field.setAccessibleDescription(reason)
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self._share_room()

    def _share_room(self) -> None:
        """Give the field most of the width; chips are hidden while there is a message."""
        self.note.setMaximumWidth(round(self.width() * _SHARE))
        share = _SHARE_BESIDE_NOTE if self.note.text() else _SHARE
        self.chips.set_room(round(self.width() * share))

    def _say_why_held(self) -> None:
        self._message.show_text(self.field.accessibleDescription())

    def _refuse(self, error: FormatError, text: str) -> None:
        if self.field.text() != text:
            self.field.set_text(text)
        sentence = str(error)
        if isinstance(error, PlacedFormatError):
            if text[error.start : error.start + 1] == "?":
                sentence = "This slot is empty: write a name or a number in place of the ?."
            self.field.mark_error(error.start, error.length)
        self._message.show_text(sentence)

    def _forget_error(self) -> None:
        if self._message.text():
            self._message.show_text("")

    def _follow(self, change: Change) -> None:
        document, changed = self._document, change.updated
        only_values = document.graph.structure is self._structure and all(
            isinstance(document.graph.nodes.get(n), Leaf) for n in changed
        )
        if change.graph and (not only_values or document.typed.depends_on(changed)):
            self.restore()

    def _restyle(self) -> None:
        self.setFixedHeight(self._style.px(sizes.CONTROL))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(_WIDTH), self._style.px(sizes.CONTROL))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._style.px(_LEAST_WIDTH), self._style.px(sizes.CONTROL))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()
        self._message.place()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.field.setFocus(Qt.FocusReason.MouseFocusReason)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._style.theme
        focused, wrong = self.field.hasFocus(), bool(self._message.text())
        color = theme.error if wrong else theme.selection if focused else theme.outline
        width = 2.0 if focused or wrong else 1.0
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            radius = self._style.px(sizes.RADIUS_BUTTON)
            paint_box(painter, QRectF(self.rect()), theme.node, color, radius, width)


class _Message(QFrame):
    """A message that hangs below the bar, over other widgets."""

    def __init__(self, style: Style, bar: QWidget) -> None:
        super().__init__(bar)
        self._style = style
        self._bar = bar
        self._label = plain_label(kind="error", wraps=True)
        self.setProperty("kind", "mistake")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        edges = (_EDGE, 8, _EDGE, 8)
        self._column = in_column(self._label, parent=self, style=style, edges=edges)
        self.hide()

    def text(self) -> str:
        return self._label.text()

    def show_text(self, text: str) -> None:
        self._label.setText(text)
        self._bar.update()
        if not text:
            self.hide()
            return
        self.setParent(self._bar.window())
        self.place()
        self.show()
        self.raise_()

    def place(self) -> None:
        """Place below the bar, as wide as the sentence or the bar."""
        if not self.text():
            return
        px = self._style.px
        text = self._label.fontMetrics().horizontalAdvance(self.text())
        wanted = text + px(2 * _EDGE + _FRAME)
        width = min(wanted, max(self._bar.width(), px(_LEAST_MESSAGE)))
        self.setFixedWidth(width)
        self.setFixedHeight(self._column.heightForWidth(width))
        corner = self._bar.mapTo(self._bar.window(), QPoint(0, self._bar.height() + px(_BELOW_BAR)))
        self.move(corner)


def _placeholder(graph: Graph, shown: str) -> str:
    if graph.root is not None and not shown:
        return f"{len(graph.nodes):,} nodes: too long for one line. A new formula replaces them."
    return EXAMPLE


def _holes(graph: Graph) -> list[Wire]:
    """Return the slots that the text shows as ?."""
    order = graph.plan(graph.root).order if graph.root is not None else ()
    return [(n, slot) for n in order for slot, s in enumerate(graph.inputs(n)) if s is None]


def _reason(graph: Graph, holes: list[Wire]) -> str:
    """Return why the text can't be edited."""
    if len(holes) > 1:
        return f"{len(holes)} slots are empty (?). Plug something in on the canvas, then type here."
    node, slot = holes[0]
    name = f"Slot {slot + 1} of {graph.op(node).symbol} ({graph.title(node)})"
    return f"{name} is empty (?). Plug something in on the canvas, then type here."
