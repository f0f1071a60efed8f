"""CodePage: the pass as code with the line of the step lit, or the graph as one function."""

from __future__ import annotations

import re
from functools import partial
from typing import Final, NamedTuple

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QSyntaxHighlighter,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QFrame,
    QPushButton,
    QSizePolicy,
    QTextEdit,
    QWidget,
)

from app.controls.focus import KeyClaim, PressedByEnter
from app.controls.layouts import in_column, in_row, plain_label
from app.controls.panel import Page
from app.controls.segmented import Segmented
from app.guard import guarded
from app.style import sizes
from app.style.current import Style
from app.style.strokes import paint_box
from app.workbench.gradients.listing import CodeLine, Listing
from app.workbench.playback.playback import Playback
from app.workbench.selection import Selection
from engine.errors import EngineError
from engine.graph import Graph, OpNode

_ALL = 1000
"""Stretch of the code, which gets its height before the sentence below."""
CLICK = "A click on a line goes to its step. Lines after this step are grey."


@guarded
class CodePage(Page):
    """Two views: Steps, one line per step; Source, the graph compiled to one function."""

    def __init__(self, style: Style, playback: Playback, selection: Selection) -> None:
        super().__init__(style, "Code")
        self._playback = playback
        self._is_source = False
        self.view_choice = Segmented(style, (("steps", "Steps"), ("source", "Source")), "Face")
        self.steps = CodeView(style)
        self.source = SourceView(style, selection)
        self.heading = plain_label(kind="strong")
        self.copy = QPushButton("Copy")
        PressedByEnter(self.copy)
        self.words = plain_label(kind="secondary", wraps=True)
        whole = QWidget()
        head = in_row((self.heading, 1), self.copy)
        parts = (self.view_choice, head, (self.steps, _ALL), (self.source, _ALL), self.words, 1)
        edges = (sizes.PAGE_EDGE, 10, sizes.PAGE_EDGE, 12)
        in_column(*parts, parent=whole, style=style, edges=edges, gap=8)
        self.add((whole, 1))
        self.view_choice.chosen.connect(self.show_view)
        self.copy.clicked.connect(self._copy)
        self.steps.step_chosen.connect(partial(playback.go, pause=True))
        self.follow(playback.shown)
        selection.changed.connect(self.source.light)

    def show_view(self, name: str) -> None:
        """Show steps or source."""
        self.view_choice.set_choice(name)
        self._is_source = name == "source"
        self.refresh_if_visible()

    def text(self) -> str:
        """Return the code that is shown."""
        return self.source.toPlainText() if self._is_source else self.steps.text()

    def refresh(self) -> None:
        """Show the code of the view that is chosen."""
        frame = self._playback.frame
        if self._is_source:
            said = self.source.show_graph(self._playback.now.sheet.graph)
            some = not self.source.document().isEmpty()
            self.heading.setText("One function")
        else:
            listing = Listing(frame, self._style.digits)
            self.steps.show_listing(listing)
            some = len(listing) > 0
            said = CLICK if some else NO_ROOT
            self.heading.setText("One line per step")
        self.words.setText(said)
        self.steps.setVisible(some and not self._is_source)
        self.source.setVisible(some and self._is_source)
        self.copy.setEnabled(some)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text())


NO_ROOT: Final = "Choose a root: the number whose gradients the program returns."
READABLE: Final = 200
"""Operations up to which source is shown: some screens of it."""
_TEXT, _SOURCE_LINE = 11, 21
"""Size of the text and height of a line, in px at 100 %; a line with its comment is long."""
_TOO_MANY: Final = "{count:,} operations are too many to read; up to {limit} are shown."
_WORDS: Final = (
    (re.compile(r"\bv\d+\b"), "value"),
    (re.compile(r"\bg\d+\b"), "gradient"),
    (re.compile(r"\b(?:def|return|if|else)\b"), "text"),
    (re.compile(r"#.*"), "secondary"),
)
_TARGET: Final = re.compile(r"\s*[vg](\d+) [+-]?= ")


@guarded
class SourceView(QTextEdit):
    """Lines for values, then for gradients; a selected node has its lines lit."""

    def __init__(self, style: Style, selection: Selection) -> None:
        super().__init__()
        self._style, self._selection = style, selection
        self._graph: Graph | None = None
        self._said = ""
        self.document().setDocumentMargin(0)
        self.setReadOnly(True)
        self.setProperty("kind", "code")
        self.setLineWrapMode(QTextEdit.LineWrapMode.NoWrap)
        self.setAccessibleName("Source of the program")
        self._colors = _Colors(style, self)
        style.changed.connect(self._restyle)
        self._restyle()

    def show_graph(self, graph: Graph) -> str:
        """Show the source of a graph; return a sentence about it, or on why there is none."""
        if graph is not self._graph:
            self._graph = graph
            text, self._said = _source(graph)
            if text != self.toPlainText():
                self.setPlainText(text)
                self._space_lines()
            self.light()
        return self._said

    def light(self) -> None:
        """Light the lines that compute the selected nodes and their gradients."""
        theme, found = self._style.theme, list[QTextEdit.ExtraSelection]()
        block = self.document().firstBlock()
        while block.isValid():
            target = _TARGET.match(block.text())
            if target is not None and int(target[1]) in self._selection.nodes:
                is_value = block.text().lstrip().startswith("v")
                found.append(_lit(block, theme.value_tint if is_value else theme.firing))
            block = block.next()
        self.setExtraSelections(found)
        if found:
            self.setTextCursor(found[0].cursor)  # type: ignore[attr-defined]

    def _space_lines(self) -> None:
        fixed = QTextBlockFormat.LineHeightTypes.FixedHeight.value
        form = QTextBlockFormat()
        form.setLineHeight(self._style.px(_SOURCE_LINE), fixed)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(form)

    def _restyle(self) -> None:
        font = self._style.font("code")
        font.setPixelSize(self._style.px(_TEXT))
        self.setFont(font)
        self._space_lines()
        self._colors.rehighlight()
        self.light()


@guarded
class _Colors(QSyntaxHighlighter):
    """Values blue, gradients orange, comments secondary: as numbers on the sheet."""

    def __init__(self, style: Style, code: QTextEdit) -> None:
        super().__init__(code.document())
        self._style = style

    def highlightBlock(self, text: str) -> None:
        for pattern, role in _WORDS:
            look = QTextCharFormat()
            look.setForeground(getattr(self._style.theme, role))
            for found in pattern.finditer(text):
                self.setFormat(found.start(), len(found[0]), look)


def _source(graph: Graph) -> tuple[str, str]:
    """Return the source of a graph, and a sentence about it or on why there is none."""
    from engine.compiled.program import Program

    if graph.root is None:
        return "", NO_ROOT
    operations = sum(isinstance(graph.nodes[n], OpNode) for n in graph.nodes)
    if operations > READABLE:
        return "", _TOO_MANY.format(count=operations, limit=READABLE)
    try:
        text = Program(graph, tier="tape").source()
    except EngineError as error:
        return "", str(error)
    return text, "The graph as one function: its values, then its gradients, without a loop."


def _lit(block: QTextBlock, color: QColor) -> QTextEdit.ExtraSelection:
    found = QTextEdit.ExtraSelection()
    found.cursor = QTextCursor(block)  # type: ignore[attr-defined]
    found.format.setBackground(color)  # type: ignore[attr-defined]
    found.format.setProperty(QTextFormat.Property.FullWidthSelection, True)  # type: ignore[attr-defined]
    return found


_LEAST_LINES = 4
"""Lines for which there is always room."""
_LINE = 22
"""Height of a line, in px at 100 %."""
_PAD = 8
_BEFORE_COMMENT = 4
"""Number of characters that the space before a comment and its mark are wide."""
_MARGIN = 25
"""Width reserved for two-digit line numbers."""
_COMMENT = 7
"""Number of characters reserved for a comment, with the space before it."""
_SAMPLE = 60
"""Number of lines of a long listing that are measured."""


_STEPS: Final = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
"""Keys that go to the line above or below."""


class _Typeface(NamedTuple):
    font: QFont
    metrics: QFontMetricsF


def _typefaces(style: Style) -> dict[str, _Typeface]:
    """Return the fonts of code and line numbers; making one takes as long as drawing a word."""
    fonts = {role: style.font(role) for role in ("code", "code strong", "small")}
    return {role: _Typeface(font, QFontMetricsF(font)) for role, font in fonts.items()}


@guarded
class CodeView(QAbstractScrollArea):
    """Lines of code, created only where visible; `step_chosen` carries a cursor."""

    step_chosen = Signal(int)

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._typefaces = _typefaces(style)
        self._listing: Listing | None = None
        self._measured: tuple[Listing, dict[int, int]] | None = None
        """The listing whose lines are measured, and how many characters the code of some has."""
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setViewport(QWidget())  # asked for Qt's, PySide makes the classes of all widgets
        self.viewport().setAutoFillBackground(False)
        self.viewport().setMouseTracking(True)
        self.setAccessibleName("Code, one line per step")
        KeyClaim(self, *_STEPS)
        style.changed.connect(self._restyle)

    def text(self) -> str:
        """Return all lines with the comments that may be known."""
        found = self._listing
        if found is None:
            return ""
        lines = (found.line(k) for k in range(len(found)))
        return "\n".join(f"{x.code}  # {x.comment}" if x.comment else x.code for x in lines)

    def show_listing(self, listing: Listing) -> None:
        """Show another step, with its line in view."""
        self._listing = listing
        self._measure()
        now = listing.now
        if now is not None:
            self.setAccessibleDescription(f"Line {now + 1}: {listing.line(now).code}")
            self._bring(now)
        self.viewport().update()

    def _measure(self) -> None:
        """Set the height to a few lines, with scroll bars for the rest."""
        listing = self._listing
        count = 0 if listing is None else len(listing)
        line, pad = self._line(), self._style.px(_PAD)
        whole = count * line + 2 * pad
        self.setMinimumHeight(min(count, _LEAST_LINES) * line + 2 * pad)
        scrolls = whole > self.height()
        wide = self._longest() + self.margin() + self._style.px(_PAD)
        bar_height = self.horizontalScrollBar().sizeHint().height()
        room = self.width() - (self.verticalScrollBar().sizeHint().width() if scrolls else 0)
        below = bar_height if wide > room else 0
        on, off = Qt.ScrollBarPolicy.ScrollBarAlwaysOn, Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setHorizontalScrollBarPolicy(on if below else off)
        self.setVerticalScrollBarPolicy(on if scrolls else off)
        bar = self.horizontalScrollBar()
        self.setMaximumHeight(whole + below)
        bar.setRange(0, max(0, round(wide) - self.viewport().width()))
        bar.setPageStep(self.viewport().width())
        self.verticalScrollBar().setRange(0, max(0, whole - self.viewport().height()))
        self.verticalScrollBar().setPageStep(self.viewport().height())
        self.verticalScrollBar().setSingleStep(line)

    def _longest(self) -> float:
        """Return the width of the longest line; of a long listing a sample is measured."""
        listing = self._listing
        if listing is None or not len(listing):
            return 0.0
        if self._measured is None or not listing.has_same_code_as(self._measured[0]):
            every = max(1, len(listing) // _SAMPLE)
            codes = {k: len(listing.line(k).code) for k in range(0, len(listing), every)}
            self._measured = None if listing.hides else (listing, codes)
        else:
            codes = self._measured[1]
        if listing.now is not None and listing.now not in codes:
            codes = {**codes, listing.now: len(listing.line(listing.now).code)}
        longest = max(
            code + max(_COMMENT, len(listing.comment(k)) + _BEFORE_COMMENT)
            for k, code in codes.items()
        )
        return longest * self._typefaces["code"].metrics.horizontalAdvance("0")

    def _bring(self, place: int) -> None:
        """Scroll as little as needed, with one more line in view on either side."""
        line, pad, bar = self._line(), self._style.px(_PAD), self.verticalScrollBar()
        top, room = pad + place * line, self.viewport().height()
        if top - line < bar.value():
            bar.setValue(top - line)
        elif top + 2 * line > bar.value() + room:
            bar.setValue(top + 2 * line - room)

    def margin(self) -> int:
        """Return the x where code begins, after the longest line number."""
        digits = len(str(len(self._listing or ())))
        more = self._typefaces["small"].metrics.horizontalAdvance("0" * (digits - 2))
        return self._style.px(_MARGIN) + round(more)

    def _line(self) -> int:
        return self._style.px(_LINE)

    def _line_at(self, y: float) -> int | None:
        place = int((y + self.verticalScrollBar().value() - self._style.px(_PAD)) // self._line())
        listing = self._listing
        return place if listing is not None and 0 <= place < len(listing) else None

    def _restyle(self) -> None:
        self._typefaces = _typefaces(self._style)
        self._measure()
        self.viewport().update()

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(240), self.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self._style.px(120), self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._measure()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = self._line_at(event.position().y())
        step = None if place is None or self._listing is None else self._listing.step_of(place)
        shape = Qt.CursorShape.PointingHandCursor if step else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self._line_at(event.position().y())
        if place is not None and self._listing is not None:
            step = self._listing.step_of(place)
            if step is not None:
                self.step_chosen.emit(step)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps, listing = _STEPS.get(Qt.Key(event.key())), self._listing
        if steps is None or listing is None:
            super().keyPressEvent(event)
            return
        place = (-1 if listing.now is None else listing.now) + steps
        step = listing.step_of(place) if 0 <= place < len(listing) else None
        if step is not None:
            self.step_chosen.emit(step)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            theme, px = self._style.theme, self._style.px
            box = QRectF(self.viewport().rect())
            paint_box(painter, box, theme.muted, theme.line, px(8))
            if self._listing is None:
                return
            painter.setClipRect(box.adjusted(1.5, 1.5, -1.5, -1.5))
            line, top = self._line(), px(_PAD) - self.verticalScrollBar().value()
            first = max(0, -top // line)
            last = min(len(self._listing), (self.viewport().height() - top) // line + 1)
            left = self.margin()
            for place in range(first, last):
                at = QPoint(left, top + place * line)
                self._paint_line(painter, place, at, self._listing.line(place))

    def _paint_line(self, painter: QPainter, place: int, at: QPoint, line: CodeLine) -> None:
        top, left = at.y(), float(at.x())
        theme, px, tall = self._style.theme, self._style.px, self._line()
        forward = self._listing is not None and self._listing.is_forward(place)
        strong = theme.value if forward else theme.gradient
        if not forward and place and self._listing and self._listing.is_forward(place - 1):
            painter.fillRect(QRectF(0, top, self.viewport().width(), 1), theme.line)
        if line.state == "now":
            tint = theme.value_tint if forward else theme.firing
            painter.fillRect(QRectF(0, top, self.viewport().width(), tall), tint)
            painter.fillRect(QRectF(0, top, px(3), tall), strong)
        font, metrics = self._typefaces["code strong" if line.state == "now" else "code"]
        base = top + (tall + metrics.ascent() - metrics.descent()) / 2
        number = f"{place + 1}"
        small = self._typefaces["small"]
        painter.setFont(small.font)
        painter.setPen(theme.secondary)
        wide = small.metrics.horizontalAdvance(number)
        left -= self.horizontalScrollBar().value()
        painter.drawText(QPointF(max(left - px(7) - wide, 4.0), base), number)
        ink = theme.secondary if line.state == "later" else theme.text
        self._write(painter, QPointF(left, base), font, ink, line.code)
        if line.comment:
            left += metrics.horizontalAdvance(line.code) + px(12)
            ink = strong if line.state == "now" else theme.secondary
            self._write(painter, QPointF(left, base), font, ink, f"# {line.comment}")

    def _write(self, painter: QPainter, at: QPointF, font: QFont, ink: QColor, text: str) -> None:
        painter.setFont(font)
        painter.setPen(ink)
        painter.drawText(at, text)
