"""The formula field of the start page, with a live preview."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QPushButton, QSizePolicy, QWidget

from app.controls.buttons import IconButton
from app.controls.focus import ENTER, NAVIGATION_KEYS, KeyClaim, PressedByEnter
from app.controls.layouts import in_column, in_row, plain_label, set_kind
from app.document.typed_formulas import assigned_names
from app.guard import guarded
from app.panels.welcome.cards import MOST_NODES, paint_thumbnail
from app.style import sizes
from app.style.current import Style
from engine import from_expression
from engine.errors import FormatError
from engine.formats.native import Drawing
from engine.graph import Graph
from engine.numbers import ABOUT
from engine.trace import evaluate_values

FIRST = "(a*b + a) * f"
_NOTE = "a formula, or assignments"


class FormulaBox(QWidget):
    """A field, which has a preview once something is typed, and a button for an empty canvas.

    `entered` carries a text that can be read. An empty field enters its placeholder.
    """

    entered = Signal(str)
    empty_chosen = Signal()
    height_changed = Signal()
    """Emitted when the preview appeared or vanished, or the note has other words."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._graph: Graph | None = None
        self._low = False
        self.field = QLineEdit()
        self.button = QPushButton("Open this graph")
        self.empty_button = IconButton(
            style, "", "A blank canvas at 100 %", "Ctrl+N", text="Empty canvas"
        )
        self.note = plain_label(_NOTE, "caption", wraps=True)
        self.preview = Preview(style)
        self._claim = KeyClaim(self.field, *NAVIGATION_KEYS, *ENTER)
        self._lay_out()
        self.field.textChanged.connect(self._read)
        self.field.returnPressed.connect(self._enter)
        PressedByEnter(self.button)
        self.button.clicked.connect(self._enter)
        self.empty_button.clicked.connect(self.empty_chosen)
        style.changed.connect(self._restyle)
        self._restyle()
        self._read()

    def focus(self) -> None:
        """Focus the field and select its text."""
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.selectAll()

    def set_low(self, low: bool) -> None:
        """Leave the preview out, or show it again."""
        self._low = low
        self._show_preview()

    def needed_height(self, width: int) -> int:
        """Return the height at a width, both in px."""
        for layout in (self._card.layout(), self.layout()):
            if layout is not None:
                layout.activate()
        return max(self.heightForWidth(width), self.sizeHint().height())

    def _lay_out(self) -> None:
        style = self._style
        self.field.setAccessibleName("Formula")
        self.field.setPlaceholderText(FIRST)
        self.field.setMaxLength(4000)
        self.empty_button.set_kind("offer")
        self._card = card = QFrame()
        card.setProperty("kind", "card")
        row = in_row(self.button, (self.note, 1), style=style, edges=0, gap=12)
        in_column(self.field, row, (self.preview, 1), parent=card, style=style, edges=13, gap=10)
        heading = plain_label("Or a graph of your own", "heading", wraps=True)
        head = in_row((heading, 1), self.empty_button, style=style, edges=0, gap=12)
        column = in_column(card, parent=self, style=style, edges=0, gap=8)
        column.insertLayout(0, head)  # Tab visits what was added last last

    def _text(self) -> str:
        return self.field.text().strip() or FIRST

    def _read(self) -> None:
        """Preview the text if it can be read; errors are shown only on Enter."""
        self._graph = None
        sentence = _NOTE
        try:
            self._graph = from_expression(self._text())
        except FormatError as error:
            sentence = str(error)
        self.note.setText(sentence)
        set_kind(self.note, "caption")
        set_kind(self.field, "true", part="valid")
        self.preview.show_graph(self._graph, assigned_names(self._text()))
        self._show_preview()
        self.height_changed.emit()

    def _show_preview(self) -> None:
        self.preview.setVisible(bool(self.field.text().strip()) and not self._low)

    def _enter(self) -> None:
        if self._graph is not None:
            self.entered.emit(self._text())
        else:
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
