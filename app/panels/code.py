"""CodePage: the pass as code, the line of the step highlighted, or the graph as one function.

RunFace, its third face, has how the program that was brought is run.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

from msgspec.structs import replace
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
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QFrame,
    QLineEdit,
    QSizePolicy,
    QTextEdit,
    QWidget,
)

from app.controls.cell_view import CellView, line_highlight
from app.controls.choices import ChoiceBox, Segmented
from app.controls.focus import claim_keys
from app.controls.layouts import Box, in_column, in_row, plain_label, show_text
from app.controls.painted_buttons import push_button
from app.controls.panel import Page
from app.controls.python_choice import PythonChoice
from app.guard import exception_safe
from app.runner.run import Request
from app.style import sizes
from app.style.current import Style
from app.style.strokes import paint_box
from app.workbench.gradients.code_listing import CodeLine, Listing
from app.workbench.playback.playback import Playback
from app.workbench.selection import Selection
from app.workbench.trials.program_run import ProgramRun
from engine.errors import EngineError
from engine.graph import Graph, OpNode

_CODE_STRETCH = 1000
"""Stretch factor of the code against 1 of the space below: it grows to its full height first."""
_STEPS_HINT = "A click on a line goes to its step. Lines after this step are grey."
NO_ROOT: Final = "Choose a root: the number whose gradients the program returns."


@exception_safe
class CodePage(Page):
    """Steps, one line per step; Source, the graph compiled to one function; Run, of a program."""

    def __init__(
        self,
        style: Style,
        playback: Playback,
        selection: Selection,
        program_run: Callable[[], ProgramRun] | None = None,
    ) -> None:
        """Without `program_run`, which is called for the face Run alone, there is no such face."""
        super().__init__(style, "Code")
        self._playback, self._program_run = playback, program_run
        self._is_source = False
        self.run_face: RunFace | None = None
        faces = (("steps", "Steps"), ("source", "Source"), ("run", "Run"))
        shown = faces if program_run is not None else faces[:2]
        self.view_choice = Segmented(style, shown, name="Face")
        self.steps = CodeView(style)
        self.source = SourceView(style, selection)
        self.heading = plain_label(kind="strong")
        self.copy = push_button("Copy")
        self.words = plain_label(kind="secondary", wraps=True)
        self._content = content = QWidget()
        head = in_row((self.heading, 1), self.copy)
        parts = (
            self.view_choice,
            head,
            (self.steps, _CODE_STRETCH),
            (self.source, _CODE_STRETCH),
            self.words,
            1,
        )
        edges = (sizes.PAGE_EDGE, 10, sizes.PAGE_EDGE, 12)
        in_column(*parts, parent=content, style=style, edges=edges, gap=8)
        self.add((content, 1))
        self.view_choice.chosen.connect(self.show_view)
        self.copy.clicked.connect(self._copy)
        self.steps.step_chosen.connect(partial(playback.go, pause=True))
        self.follow(playback.shown)
        selection.changed.connect(self.source.highlight_selected)

    def show_view(self, name: str) -> None:
        """Show steps or source, or how a program is run."""
        self.view_choice.set_choice(name)
        self._is_source = name == "source"
        if name == "run" and self.run_face is None and self._program_run is not None:
            self.run_face = RunFace(self._style, self._program_run())
            layout = self._content.layout()
            assert isinstance(layout, Box)
            layout.insertWidget(1, self.run_face)
        if self.run_face is not None:
            self.run_face.setVisible(name == "run")
        for widget in (self.heading, self.copy, self.words):
            widget.setVisible(name != "run")
        self.refresh_if_visible()

    def text(self) -> str:
        return self.source.toPlainText() if self._is_source else self.steps.text()

    def refresh(self) -> None:
        """Show the code of the view that is chosen."""
        frame = self._playback.frame
        if self.view_choice.choice() == "run":
            self.steps.hide()
            self.source.hide()
            return
        if self._is_source:
            sentence = self.source.show_graph(self._playback.now.sheet.graph)
            has_code = not self.source.document().isEmpty()
            self.heading.setText("One function")
        else:
            listing = Listing(frame, self._style.digits)
            self.steps.show_listing(listing)
            has_code = len(listing) > 0
            sentence = _STEPS_HINT if has_code else NO_ROOT
            self.heading.setText("One line per step")
        self.words.setText(sentence)
        self.steps.setVisible(has_code and not self._is_source)
        self.source.setVisible(has_code and self._is_source)
        self.copy.setEnabled(has_code)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text())


_TIMES: Final = (("10 s", 10.0), ("30 s", 30.0), ("2 min", 120.0), ("10 min", 600.0))
_MEMORIES: Final = tuple((f"{size} GB", size << 30) for size in (1, 2, 4, 8))
_NETWORKS: Final = (("no", False), ("yes", True))


@exception_safe
class RunFace(QWidget):
    """By which Python, with which bounds and arguments the program runs; each change asks again."""

    def __init__(self, style: Style, run: ProgramRun) -> None:
        super().__init__()
        self._run = run
        self.python = PythonChoice(style, "Run it with")
        self.arguments = QLineEdit()
        self.arguments.setPlaceholderText("none")
        self.arguments.setAccessibleName("Arguments")
        self.boxes = {
            "seconds": _bound("time", _TIMES),
            "memory": _bound("memory", _MEMORIES),
            "network": _bound("network", _NETWORKS),
        }
        rows = [
            in_row((plain_label(str(box.accessibleName())), 1), box) for box in self.boxes.values()
        ]
        notes = (
            "The bounds stop accidents, not ill will: run only what you would run by hand.",
            "Opening a file never runs it.",
        )
        self.heading = plain_label(kind="strong")
        self.cell = CellView(style, "Cell of the pass, read only", 14)
        parts = (
            *(self.heading, self.cell),
            *(plain_label("Run it with", "strong"), self.python),
            *(plain_label("Bounds", "strong"), *rows, plain_label(notes[0], "secondary", True)),
            *(plain_label("Arguments", "strong"), self.arguments),
            plain_label(notes[1], "secondary", True),
        )
        in_column(*parts, parent=self, style=style, edges=0, gap=8)
        self._connect()
        self.refresh()

    def _connect(self) -> None:
        self.python.chosen.connect(self._choose_python)
        self.arguments.editingFinished.connect(self._ask)
        for box in self.boxes.values():
            box.activated.connect(self._ask)
        self._run.changed.connect(self.refresh)

    def refresh(self) -> None:
        """Show the line of the pass on the sheet, and what the next run is asked for."""
        place = self._run.place
        show_text(self.heading, "" if place is None else str(place[0]))
        self.cell.setVisible(place is not None)
        if place is not None:
            self.cell.show_line(place[1], place[0].line)
        request = self._run.request
        near = request.source.parent if request.source.is_absolute() else None
        self.python.show_python(request.python, near)
        for name, box in self.boxes.items():
            box.setCurrentIndex(max(box.findData(getattr(request, name)), 0))
        self.arguments.setText(shlex.join(request.arguments))
        self.setEnabled(not self._run.running)

    def _choose_python(self, python: str) -> None:
        self._ask_for(replace(self._run.request, python=python))

    def _ask(self) -> None:
        bounds = {name: box.currentData() for name, box in self.boxes.items()}
        try:
            arguments = tuple(shlex.split(self.arguments.text()))
        except ValueError:
            return  # a quote is open
        self._ask_for(replace(self._run.request, arguments=arguments, **bounds))

    def _ask_for(self, request: Request) -> None:
        if request != self._run.request:
            self._run.ask(request)


def _bound(name: str, choices: Sequence[tuple[str, object]]) -> ChoiceBox:
    box = ChoiceBox(name)
    for text, value in choices:
        box.addItem(text, value)
    return box


_MAX_OPERATIONS: Final = 200
"""Operations up to which source is shown: some screens of it."""
_SOURCE_FONT_SIZE, _SOURCE_LINE_HEIGHT = 11, 21
"""In px at 100 %; smaller than other code, because a line with its comment is long."""
_TOO_MANY: Final = "{count:,} operations are too many to read; up to {limit} are shown."
_SYNTAX_ROLES: Final = (
    (re.compile(r"\bv\d+\b"), "value"),
    (re.compile(r"\bg\d+\b"), "gradient"),
    (re.compile(r"\b(?:def|return|if|else)\b"), "text"),
    (re.compile(r"#.*"), "secondary"),
)
"""Colour roles of the parts of a line; a later one overrides those before it, as in a comment."""
_ASSIGNED_NODE: Final = re.compile(r"\s*[vg](\d+) [+-]?= ")
"""The node of an assignment: `v3 = …` computes the value of node 3, `g3 += …` its gradient."""


@exception_safe
class SourceView(QTextEdit):
    """Lines for values, then for gradients; those of selected nodes are highlighted."""

    def __init__(self, style: Style, selection: Selection) -> None:
        super().__init__()
        self._style, self._selection = style, selection
        self._graph: Graph | None = None
        self._sentence = ""
        self.document().setDocumentMargin(0)
        self.setReadOnly(True)
        self.setProperty("kind", "code")
        self.setLineWrapMode(QTextEdit.LineWrapMode.NoWrap)
        self.setAccessibleName("Source of the program")
        self._highlighter = _SyntaxHighlighter(style, self)
        style.run_now_and_on_change(self._restyle)

    def show_graph(self, graph: Graph) -> str:
        """Show the source of a graph; return a sentence about it, or on why there is none."""
        if graph is not self._graph:
            self._graph = graph
            text, self._sentence = _source(graph)
            if text != self.toPlainText():
                self.setPlainText(text)
                self._space_lines()
            self.highlight_selected()
        return self._sentence

    def highlight_selected(self) -> None:
        """Highlight the lines that compute the selected nodes and their gradients."""
        theme, selections = self._style.theme, list[QTextEdit.ExtraSelection]()
        block = self.document().firstBlock()
        while block.isValid():
            target = _ASSIGNED_NODE.match(block.text())
            if target is not None and int(target[1]) in self._selection.nodes:
                is_value = block.text().lstrip().startswith("v")
                selections.append(
                    line_highlight(block, theme.value_tint if is_value else theme.firing)
                )
            block = block.next()
        self.setExtraSelections(selections)
        if selections:  # scrolls to the first; PySide's stubs lack the fields of a selection
            self.setTextCursor(selections[0].cursor)  # type: ignore[attr-defined]

    def _space_lines(self) -> None:
        fixed = QTextBlockFormat.LineHeightTypes.FixedHeight.value
        form = QTextBlockFormat()
        form.setLineHeight(self._style.px(_SOURCE_LINE_HEIGHT), fixed)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(form)

    def _restyle(self) -> None:
        font = self._style.font("code")
        font.setPixelSize(self._style.px(_SOURCE_FONT_SIZE))
        self.setFont(font)
        self._space_lines()
        self._highlighter.rehighlight()
        self.highlight_selected()


@exception_safe
class _SyntaxHighlighter(QSyntaxHighlighter):
    """Values blue, gradients orange, comments secondary: as numbers on the sheet."""

    def __init__(self, style: Style, code: QTextEdit) -> None:
        super().__init__(code.document())
        self._style = style

    def highlightBlock(self, text: str) -> None:
        for pattern, role in _SYNTAX_ROLES:
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
    if operations > _MAX_OPERATIONS:
        return "", _TOO_MANY.format(count=operations, limit=_MAX_OPERATIONS)
    try:
        text = Program(graph).source()
    except EngineError as error:
        return "", str(error)
    return text, "The graph as one function: its values, then its gradients, without a loop."


_MIN_LINES = 4
"""Lines of a listing that are visible at the least height."""
_LINE_HEIGHT, _PADDING = 22, 8
"""Height of a line, and space above the first and below the last, in px at 100 %."""
_COMMENT_MARK = 4
"""Characters that the gap before a comment and its "# " take up."""
_MIN_COMMENT = 7
"""Characters reserved for a comment with its mark, so that short ones don't change the width."""
_GUTTER = 25
"""Width of the line numbers while they have two digits, in px at 100 %."""
_MEASURED_LINES = 60
"""Lines of a long listing that are measured for its width."""


_LINES_BY_KEY: Final = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
"""Number of lines that an arrow key moves down."""


class _Typeface(NamedTuple):
    font: QFont
    metrics: QFontMetricsF


def _typefaces(style: Style) -> dict[str, _Typeface]:
    """Return the fonts of code and line numbers; making one takes as long as drawing a word."""
    fonts = {role: style.font(role) for role in ("code", "code strong", "small")}
    return {role: _Typeface(font, QFontMetricsF(font)) for role, font in fonts.items()}


@exception_safe
class CodeView(QAbstractScrollArea):
    """Lines of code, created only where visible."""

    step_chosen = Signal(int)
    """Emitted with the cursor after the step of a line that a click or an arrow key chooses."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self._typefaces = _typefaces(style)
        self._listing: Listing | None = None
        self._measured: tuple[Listing, dict[int, int]] | None = None
        """The measured listing, and the number of characters of the code of the lines measured."""
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        # reading the default viewport would make PySide create the classes of all widgets
        self.setViewport(QWidget())
        self.viewport().setAutoFillBackground(False)
        self.viewport().setMouseTracking(True)
        self.setAccessibleName("Code, one line per step")
        claim_keys(self, *_LINES_BY_KEY)
        style.changed.connect(self._restyle)

    def text(self) -> str:
        """Return all lines, with their comments as far as these are revealed."""
        listing = self._listing
        if listing is None:
            return ""
        lines = (listing.line(k) for k in range(len(listing)))
        return "\n".join(f"{x.code}  # {x.comment}" if x.comment else x.code for x in lines)

    def show_listing(self, listing: Listing) -> None:
        """Show the listing of a step, scrolled to its line."""
        self._listing = listing
        self._measure()
        now = listing.now  # index of the line of the step
        if now is not None:
            self.setAccessibleDescription(f"Line {now + 1}: {listing.line(now).code}")
            self._scroll_to(now)
        self.viewport().update()

    def _measure(self) -> None:
        """Set the least and greatest height, and the scroll bars for lines beyond them."""
        listing = self._listing
        count = 0 if listing is None else len(listing)
        line, pad = self._line_height(), self._style.px(_PADDING)
        content_height = count * line + 2 * pad
        self.setMinimumHeight(min(count, _MIN_LINES) * line + 2 * pad)
        scrolls = content_height > self.height()
        # each bar takes space from the other, so both are decided before Qt lays them out
        width = self._content_width() + self.code_left() + self._style.px(_PADDING)
        bar_height = self.horizontalScrollBar().sizeHint().height()
        available_width = self.width() - (
            self.verticalScrollBar().sizeHint().width() if scrolls else 0
        )
        below = bar_height if width > available_width else 0  # height of the horizontal bar
        on, off = Qt.ScrollBarPolicy.ScrollBarAlwaysOn, Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setHorizontalScrollBarPolicy(on if below else off)
        self.setVerticalScrollBarPolicy(on if scrolls else off)
        bar = self.horizontalScrollBar()
        self.setMaximumHeight(content_height + below)
        bar.setRange(0, max(0, round(width) - self.viewport().width()))
        bar.setPageStep(self.viewport().width())
        self.verticalScrollBar().setRange(0, max(0, content_height - self.viewport().height()))
        self.verticalScrollBar().setPageStep(self.viewport().height())
        self.verticalScrollBar().setSingleStep(line)

    def _content_width(self) -> float:
        """Return the width of the longest line; of a long listing a sample is measured."""
        listing = self._listing
        if listing is None or not len(listing):
            return 0.0
        if self._measured is None or not listing.has_same_code_as(self._measured[0]):
            stride = max(1, len(listing) // _MEASURED_LINES)
            codes = {k: len(listing.line(k).code) for k in range(0, len(listing), stride)}
            # hidden numbers appear as steps run, so such a listing is measured each time
            self._measured = None if listing.hides_lines else (listing, codes)
        else:
            codes = self._measured[1]
        if listing.now is not None and listing.now not in codes:
            codes = {**codes, listing.now: len(listing.line(listing.now).code)}
        longest = max(
            code + max(_MIN_COMMENT, len(listing.comment(k)) + _COMMENT_MARK)
            for k, code in codes.items()
        )
        return longest * self._typefaces["code"].metrics.horizontalAdvance("0")

    def _scroll_to(self, index: int) -> None:
        """Scroll as little as needed to show a line and its neighbours."""
        line, pad, bar = self._line_height(), self._style.px(_PADDING), self.verticalScrollBar()
        top, room = pad + index * line, self.viewport().height()
        if top - line < bar.value():
            bar.setValue(top - line)
        elif top + 2 * line > bar.value() + room:
            bar.setValue(top + 2 * line - room)

    def code_left(self) -> int:
        """Return the x where code begins, after the longest line number."""
        digits = len(str(len(self._listing or ())))
        # `_GUTTER` is for two digits; a negative count of "0" is none
        wider = self._typefaces["small"].metrics.horizontalAdvance("0" * (digits - 2))
        return self._style.px(_GUTTER) + round(wider)

    def _line_height(self) -> int:
        return self._style.px(_LINE_HEIGHT)

    def _line_at(self, y: float) -> int | None:
        index = int(
            (y + self.verticalScrollBar().value() - self._style.px(_PADDING)) // self._line_height()
        )
        listing = self._listing
        return index if listing is not None and 0 <= index < len(listing) else None

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
        index = self._line_at(event.position().y())
        step = None if index is None or self._listing is None else self._listing.step_of(index)
        shape = Qt.CursorShape.PointingHandCursor if step else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self._line_at(event.position().y())
        if index is not None and self._listing is not None:
            step = self._listing.step_of(index)
            if step is not None:
                self.step_chosen.emit(step)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        lines, listing = _LINES_BY_KEY.get(Qt.Key(event.key())), self._listing
        if lines is None or listing is None:
            super().keyPressEvent(event)
            return
        # before the first step, Down goes to the first line
        index = (-1 if listing.now is None else listing.now) + lines
        step = listing.step_of(index) if 0 <= index < len(listing) else None
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
            painter.setClipRect(box.adjusted(1.5, 1.5, -1.5, -1.5))  # inside the outline
            line, top = self._line_height(), px(_PADDING) - self.verticalScrollBar().value()
            first = max(0, -top // line)
            last = min(len(self._listing), (self.viewport().height() - top) // line + 1)
            left = self.code_left()
            for index in range(first, last):
                at = QPoint(left, top + index * line)
                self._paint_line(painter, index, at, self._listing.line(index))

    def _paint_line(self, painter: QPainter, index: int, at: QPoint, line: CodeLine) -> None:
        top, left = at.y(), float(at.x())
        theme, px, tall = self._style.theme, self._style.px, self._line_height()
        forward = self._listing is not None and self._listing.is_forward(index)
        strong = theme.value if forward else theme.gradient
        # a rule between the two passes
        if not forward and index and self._listing and self._listing.is_forward(index - 1):
            painter.fillRect(QRectF(0, top, self.viewport().width(), 1), theme.line)
        if line.state == "now":
            tint = theme.value_tint if forward else theme.firing
            painter.fillRect(QRectF(0, top, self.viewport().width(), tall), tint)
            painter.fillRect(QRectF(0, top, px(3), tall), strong)
        font, metrics = self._typefaces["code strong" if line.state == "now" else "code"]
        base = top + (tall + metrics.ascent() - metrics.descent()) / 2
        number = f"{index + 1}"
        small = self._typefaces["small"]
        painter.setFont(small.font)
        painter.setPen(theme.secondary)
        width = small.metrics.horizontalAdvance(number)
        left -= self.horizontalScrollBar().value()
        painter.drawText(QPointF(max(left - px(7) - width, 4.0), base), number)
        ink = theme.secondary if line.state == "later" else theme.text
        self._draw_text(painter, QPointF(left, base), font, ink, line.code)
        if line.comment:
            left += metrics.horizontalAdvance(line.code) + px(12)
            ink = strong if line.state == "now" else theme.secondary
            self._draw_text(painter, QPointF(left, base), font, ink, f"# {line.comment}")

    def _draw_text(
        self, painter: QPainter, at: QPointF, font: QFont, ink: QColor, text: str
    ) -> None:
        painter.setFont(font)
        painter.setPen(ink)
        painter.drawText(at, text)
