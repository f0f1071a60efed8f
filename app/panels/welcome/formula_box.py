"""FormulaBox: the formula field of the start page, with a live preview."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QPushButton, QSizePolicy, QWidget

from app.controls.buttons import IconButton
from app.controls.focus import ENTER, NAVIGATION_KEYS, KeyClaim, PressedByEnter
from app.controls.layouts import in_column, in_row, plain_label, set_kind, set_valid
from app.document.typed_formulas import assigned_names
from app.guard import guarded
from app.panels.welcome.cards import MAX_NODES, paint_thumbnail
from app.style import sizes
from app.style.current import Style
from app.workbench.words.strip import EXAMPLE_FORMULA
from engine import from_expression
from engine.errors import FormatError
from engine.formats.native import Drawing
from engine.graph import Graph
from engine.numbers import ABOUT
from engine.trace import evaluate_values

_HINT = "a formula, or assignments"
_MAX_LENGTH = 4000
"""Most characters of the field: each change is read at once."""


class FormulaBox(QWidget):
    """A field, which has a preview once something is typed, and a button for an empty canvas."""

    entered = Signal(str)
    """Emitted with a text that is a formula; an empty field enters its placeholder."""
    empty_chosen = Signal()
    """Emitted when an empty canvas is chosen."""
    height_changed = Signal()
    """Emitted when the text has changed, and with it the preview or the length of the note."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._graph: Graph | None = None
        """The graph of the text; None while it is no formula."""
        self._low = False
        """Whether the page is too low for the preview."""
        self.field = QLineEdit()
        self.button = QPushButton("Open this graph")
        self.empty_button = IconButton(
            style, "", "A blank canvas at 100 %", "Ctrl+N", text="Empty canvas"
        )
        self.note = plain_label(_HINT, "caption", wraps=True)
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
        """Set whether the page is too low for the preview."""
        self._low = low
        self._show_preview()

    def needed_height(self, width: int) -> int:
        """Return the height at a width, both in px."""
        # Qt lays out later what has just been shown, hidden or written
        for layout in (self._card.layout(), self.layout()):
            if layout is not None:
                layout.activate()
        return max(self.heightForWidth(width), self.sizeHint().height())

    def _lay_out(self) -> None:
        style = self._style
        self.field.setAccessibleName("Formula")
        self.field.setPlaceholderText(EXAMPLE_FORMULA)
        self.field.setMaxLength(_MAX_LENGTH)
        self.empty_button.set_kind("offer")
        self._card = card = QFrame()
        card.setProperty("kind", "card")
        row = in_row(self.button, (self.note, 1), style=style, edges=0, gap=12)
        in_column(self.field, row, (self.preview, 1), parent=card, style=style, edges=13, gap=10)
        heading = plain_label("Or a graph of your own", "heading", wraps=True)
        head = in_row((heading, 1), self.empty_button, style=style, edges=0, gap=12)
        column = in_column(card, parent=self, style=style, edges=0, gap=8)
        column.insertLayout(0, head)  # inserted after the card, so that Tab visits it last

    def _text(self) -> str:
        return self.field.text().strip() or EXAMPLE_FORMULA

    def _read(self) -> None:
        """Preview the text if it can be read; errors are shown only on Enter."""
        self._graph = None
        sentence = _HINT
        try:
            self._graph = from_expression(self._text())
        except FormatError as error:
            sentence = str(error)
        self.note.setText(sentence)
        set_kind(self.note, "caption")
        set_valid(self.field, True)
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
            set_valid(self.field, False)

    def _restyle(self) -> None:
        px = self._style.px
        font = self._style.font("code")
        font.setPixelSize(px(16))
        self.field.setFont(font)
        # the window's style sheet would otherwise overrule the font
        self.field.setStyleSheet(
            f"font-size: {px(16)}px; font-family: 'DejaVu Sans Mono'; min-height: {px(28)}px;"
        )


@guarded
class Preview(QWidget):
    """A thumbnail of the graph of a formula, with the number of nodes and the root's value."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._graph: Graph | None = None
        self._text = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def text(self) -> str:
        """Return the text under the picture."""
        return self._text  # "" while the text is no formula

    def show_graph(self, graph: Graph | None, assigned: Collection[str] = ()) -> None:
        """Show a graph; `assigned` are the leaves to which its text assigns values.

        None keeps the last one, paler, while the text is no formula.
        """
        if graph is not None:
            self._graph = graph
            self._text = ", ".join(
                (f"{len(graph.nodes):,} nodes", *self._root_value(graph, assigned))
            )
        else:
            self._text = ""
        self.setAccessibleName(self._text)
        self.update()

    def _root_value(self, graph: Graph, assigned: Collection[str]) -> Iterator[str]:
        """Yield the value of the root, if the text assigns one to each leaf."""
        value = evaluate_values(graph).get(graph.root or 0)
        if value is None or not all(graph.names[leaf] in assigned for leaf in graph.leaves):
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
            if len(self._graph.nodes) <= MAX_NODES:
                area = QRectF(self.rect()).adjusted(px(18), px(12), -px(18), -px(30))
                paint_thumbnail(painter, area, Drawing(self._graph), self._style)
            painter.setFont(self._style.font("caption"))
            painter.setPen(theme.secondary)
            width = QFontMetricsF(painter.font()).horizontalAdvance(self._text)
            painter.drawText(
                QPointF((self.width() - width) / 2, self.height() - px(10)), self._text
            )
