"""The formula field of the start page, with a live preview."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from app.controls.keys import ARROWS, ENTER, KeyClaim, PressedByEnter
from app.controls.kind import set_kind
from app.controls.layouts import in_column, in_row, plain_label
from app.document.typed_formulas import given_in
from app.guard import guarded
from app.panels.welcome.thumbnail import MOST_NODES, paint_thumbnail
from app.style import sizes
from app.style.current import Style
from engine.errors import FormatError
from engine.evaluate import from_expression
from engine.formats.native import Drawing
from engine.graph import Graph
from engine.numbers import ABOUT
from engine.trace import evaluate_values

FIRST = "(a*b + a) * f"
_NOTE = "A formula, or assignments with the root last: c = a + b; y = c * d"


class FormulaBox(QFrame):
    """A field with a preview; `entered` carries a text that can be read."""

    entered = Signal(str)

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._graph: Graph | None = None
        self.field = QLineEdit(FIRST)
        self.button = QPushButton("Open this graph")
        self.note = plain_label(_NOTE, "caption", wraps=True)
        self.preview = Preview(style)
        self._claim = KeyClaim(self.field, *ARROWS, *ENTER)
        self.setProperty("kind", "card")
        self._lay_out()
        self.field.textChanged.connect(self._read)
        self.field.returnPressed.connect(self._enter)
        PressedByEnter(self.button)
        self.button.clicked.connect(self._enter)
        style.changed.connect(self._restyle)
        self._restyle()
        self._read()

    def focus(self) -> None:
        """Focus the field and select its text."""
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.selectAll()

    def set_narrow(self, narrow: bool, low: bool) -> None:
        """Put the preview below the field instead of beside it, or leave it out if also `low`."""
        self.preview.setVisible(not (narrow and low))
        direction = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        self._row.setDirection(direction)

    def _lay_out(self) -> None:
        self.field.setAccessibleName("Formula")
        self.field.setPlaceholderText(FIRST)
        self.field.setMaxLength(4000)
        self.button.setProperty("kind", "primary")
        parts = (self.field, (self.button, Qt.AlignmentFlag.AlignLeft), self.note, 1)
        column = in_column(*parts, style=self._style, edges=(18, 18, 18, 12), gap=10)
        self._row = in_row((column, 3), (self.preview, 2), parent=self, edges=1, gap=0)

    def _read(self) -> None:
        """Preview the text if it can be read; errors are shown only on Enter."""
        self._graph = None
        sentence = _NOTE
        if self.field.text().strip():
            try:
                self._graph = from_expression(self.field.text())
            except FormatError as error:
                sentence = str(error)
        self.note.setText(sentence)
        set_kind(self.note, "caption")
        set_kind(self.field, "true", part="valid")
        self.button.setEnabled(bool(self.field.text().strip()))
        self.preview.show_graph(self._graph, given_in(self.field.text()))

    def _enter(self) -> None:
        if self._graph is not None:
            self.entered.emit(self.field.text())
        elif self.field.text().strip():
            set_kind(self.note, "error")
            set_kind(self.field, "false", part="valid")

    def _restyle(self) -> None:
        px = self._style.px
        font = self._style.font("code")
        font.setPixelSize(px(16))
        self.field.setFont(font)
        self.field.setStyleSheet(
            f"font-size: {px(16)}px; font-family: 'DejaVu Sans Mono'; min-height: {px(28)}px;"
        )


@guarded
class Preview(QWidget):
    """The graph that a formula would make, with its size and value."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._graph: Graph | None = None
        self._text = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def text(self) -> str:
        """Return the text under the picture."""
        return self._text

    def show_graph(self, graph: Graph | None, given: Collection[str] = ()) -> None:
        """Show a graph, whose text gives values to the leaves `given`.

        With None keep the last one, paler, while the text can't be read.
        """
        if graph is not None:
            self._graph = graph
            self._text = ", ".join((f"{len(graph.nodes):,} nodes", *self._root_value(graph, given)))
        else:
            self._text = ""
        self.setAccessibleName(self._text)
        self.update()

    def _root_value(self, graph: Graph, given: Collection[str]) -> Iterator[str]:
        """Return the value of the root, if the text gives one to each leaf."""
        value = evaluate_values(graph).get(graph.root or 0)
        if value is None or not all(graph.names[leaf] in given for leaf in graph.leaves):
            return
        short = self._style.short(value)
        yield f"root {short}" if short.startswith(ABOUT) else f"root = {short}"

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(300), self._style.px(150))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._style.px(180), self._style.px(140))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, px = self._style.theme, self._style.px
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.canvas)
            radius = px(sizes.RADIUS_CARD - 1)
            painter.drawRoundedRect(QRectF(self.rect()), radius, radius)
            if self._graph is None:
                return
            painter.setOpacity(1.0 if self._text else 0.35)
            if len(self._graph.nodes) <= MOST_NODES:
                area = QRectF(self.rect()).adjusted(px(18), px(12), -px(18), -px(30))
                paint_thumbnail(painter, area, Drawing(self._graph), self._style)
            painter.setFont(self._style.font("caption"))
            painter.setPen(theme.secondary)
            wide = QFontMetricsF(painter.font()).horizontalAdvance(self._text)
            painter.drawText(QPointF((self.width() - wide) / 2, self.height() - px(10)), self._text)
