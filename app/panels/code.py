"""CodePage: the pass as code, the line of the step highlighted, or the graph as one function.

RunFace, its third face, has how the program that was brought is run.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
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
    QApplication,
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
from app.workbench.playback.time_machine import TimeMachine
from app.workbench.selection import Selection
from app.workbench.trials.program_run import ProgramRun
from engine.errors import EngineError
from engine.graph import Graph, OpNode

_CODE_STRETCH = 1000
"""Stretch factor of the code against 1 of the space below: it grows to its full height first."""
_STEPS_HINT = (
    "A click on a line goes to its step, one on its number stops passes there (F9). "
    "Lines after this step are grey."
)
NO_ROOT: Final = "Choose a root: the number whose gradients the program returns."


@exception_safe
class CodePage(Page):
    """Steps, one line per step; Source, the graph compiled to one function; Run, of a program.

    In the first two a node that is selected or under the pointer lights its lines, and the line of
    the cursor lights its node.
    """

    def __init__(
        self,
        style: Style,
        playback: Playback,
        selection: Selection,
        time_machine: TimeMachine,
        program_run: Callable[[], ProgramRun] | None = None,
    ) -> None:
        """Without `program_run`, which is called for the face Run alone, there is no such face."""
        super().__init__(style, "Code")
        self._playback, self._program_run = playback, program_run
        self._selection, self._time_machine = selection, time_machine
        self._is_source = False
        self._pointed = frozenset[int]()
        """The node under the pointer on the sheet, if there is one."""
        self.run_face: RunFace | None = None
        faces = (("steps", "Steps"), ("source", "Source"), ("run", "Run"))
        shown = faces if program_run is not None else faces[:2]
        self.view_choice = Segmented(style, shown, name="Face")
        self.steps = CodeView(style)
        self.source = SourceView(style)
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
        self._connect()

    def _connect(self) -> None:
        self.view_choice.chosen.connect(self.show_view)
        self.copy.clicked.connect(self._copy)
        self.steps.step_chosen.connect(partial(self._playback.go, pause=True))
        for view in (self.steps, self.source):
            view.cursor_moved.connect(self._light_node)
            view.stop_chosen.connect(self._time_machine.toggle)
        self.follow(self._playback.shown)
        selection = self._selection
        for signal in (selection.changed, selection.lit_changed, self._time_machine.changed):
            signal.connect(self._mark_lines)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow_focus)

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
        self._light_node()
        self._mark_lines()

    @property
    def _view(self) -> CodeView | SourceView:
        return self.source if self._is_source else self.steps

    def point_at(self, node: int | None) -> None:
        """Light the lines of the node under the pointer on the sheet; None if there is none."""
        self._pointed = frozenset(() if node is None else (node,))
        self._mark_lines()

    def _mark_lines(self) -> None:
        selection = self._selection
        if self._view.isVisible():
            lit = selection.nodes | selection.lit_nodes | self._pointed
            self._view.mark(lit, self._time_machine.breakpoints)

    def _follow_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        if {old, new} & {self.steps, self.source}:
            self._light_node()

    def _light_node(self) -> None:
        """Light the node of the cursor's line on the sheet while the keyboard is in the code."""
        node = self._view.cursor_node() if self._view.hasFocus() else None
        self._selection.light(() if node is None else (node,))

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
        in_column(*parts, parent=self, style=style, gap=8)
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
_SOURCE_HINT: Final = (
    "The graph as one function: its values, then its gradients, without a loop. "
    "A click on a number stops passes at its line's node (F9)."
)
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
    """Lines for values, then for gradients; those of lit nodes are highlighted."""

    cursor_moved = Signal()
    stop_chosen = Signal(int)
    """Emitted with the node of a line whose number is clicked."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self._nodes: dict[int, int] = {}
        """The node of each line, counted from 0, that computes its value or gradient."""
        self._lit, self._stops = frozenset[int](), frozenset[int]()
        self._graph: Graph | None = None
        self._sentence = ""
        self.document().setDocumentMargin(0)
        self.setReadOnly(True)
        claim_keys(self, *_LINES_BY_KEY)
        self.setProperty("kind", "code")
        self.setLineWrapMode(QTextEdit.LineWrapMode.NoWrap)
        self.setAccessibleName("Source of the program")
        self._highlighter = _SyntaxHighlighter(style, self)
        self.cursorPositionChanged.connect(self._describe)
        self.cursorPositionChanged.connect(self.cursor_moved)
        style.run_now_and_on_change(self._restyle)

    def show_graph(self, graph: Graph) -> str:
        """Show the source of a graph; return a sentence about it, or on why there is none."""
        if graph is not self._graph:
            self._graph = graph
            text, self._sentence = _source(graph)
            if text != self.toPlainText():
                targets = enumerate(map(_ASSIGNED_NODE.match, text.split("\n")))
                self._nodes = {k: int(target[1]) for k, target in targets if target is not None}
                top = self.verticalScrollBar().value()
                self.setPlainText(text)
                self._space_lines()
                self.verticalScrollBar().setValue(top)
                self._lit = frozenset[int]()  # so that the lines are lit anew, and in sight
        return self._sentence

    def cursor_node(self) -> int | None:
        """Return the node that the cursor's line computes, if it computes one."""
        return self._nodes.get(self.textCursor().blockNumber())

    def mark(self, lit: frozenset[int], stops: frozenset[int]) -> None:
        """Highlight the lines that compute these nodes, new ones in sight; mark the stops."""
        new, self._lit, self._stops = lit - self._lit, lit, stops
        blocks = map(self.document().findBlockByNumber, _lines_of(lit, self._nodes))
        tint = self._style.theme.selection_tint
        self.setExtraSelections([line_highlight(block, tint) for block in blocks])
        _seek(self, _lines_of(new, self._nodes), self._style.px(_SOURCE_LINE_HEIGHT))
        self._describe()

    def _describe(self) -> None:
        block = self.textCursor().block()
        stops = self.cursor_node() in self._stops
        self.setAccessibleDescription(_spoken(block.blockNumber(), block.text().strip(), stops))
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        lines, now = _LINES_BY_KEY.get(Qt.Key(event.key())), self.textCursor().blockNumber()
        if lines is None:
            super().keyPressEvent(event)
            return
        ahead = [k for k in self._nodes if (k - now) * lines > 0]
        k = min(ahead, key=lambda k: abs(k - now), default=now)
        self.setTextCursor(QTextCursor(self.document().findBlockByNumber(k)))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        k = self.cursorForPosition(event.position().toPoint()).blockNumber()
        if k in self._nodes and event.position().x() < self._indentation_end():
            self.stop_chosen.emit(self._nodes[k])
        else:
            super().mousePressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        px, now = self._style.px, self.textCursor().blockNumber()
        tall, right = px(_SOURCE_LINE_HEIGHT), self._indentation_end() - px(7)
        with QPainter(self.viewport()) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            for k, node in self._nodes.items():
                top = k * tall - self.verticalScrollBar().value()
                end = QPointF(right, top + tall - self.fontMetrics().descent())
                _paint_number(painter, self._style, self._numbers, end, k, node in self._stops)
                if k == now and self.hasFocus():
                    painter.fillRect(QRectF(0, top, px(3), tall), self._style.theme.selection)

    def _indentation_end(self) -> float:
        """Return the x where lines that compute nodes begin; their numbers stand before it."""
        indentation = self.fontMetrics().horizontalAdvance(" " * 4)
        return indentation - self.horizontalScrollBar().value()

    def _space_lines(self) -> None:
        fixed = QTextBlockFormat.LineHeightTypes.FixedHeight.value
        form = QTextBlockFormat()
        form.setLineHeight(self._style.px(_SOURCE_LINE_HEIGHT), fixed)
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(form)

    def _restyle(self) -> None:
        self._numbers = _typefaces(self._style)["small"]
        font = self._style.font("code")
        font.setPixelSize(self._style.px(_SOURCE_FONT_SIZE))
        self.setFont(font)
        self._space_lines()
        self._highlighter.rehighlight()
        self.mark(self._lit, self._stops)


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
    return text, _SOURCE_HINT


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


def _lines_of(nodes: frozenset[int], node_of: Mapping[int, int]) -> list[int]:
    return [k for k, node in node_of.items() if node in nodes] if nodes else []


def _spoken(index: int, code: str, stops: bool) -> str:
    """Return a line as a screen reader says it."""
    words = "Line {number}: {code}, passes stop here" if stops else "Line {number}: {code}"
    return words.format(number=index + 1, code=code)


def _seek(view: QAbstractScrollArea, lines: Iterable[int], height: int, above: int = 0) -> None:
    """Scroll as little as needed to show one of some lines and its neighbours."""
    bar, room = view.verticalScrollBar(), view.viewport().height()
    now = bar.value()
    tops = [above + k * height for k in lines]
    needed = (min(max(now, top + 2 * height - room), top - height) for top in tops)
    bar.setValue(min(needed, key=lambda value: abs(value - now), default=now))


def _paint_number(
    painter: QPainter, style: Style, face: _Typeface, at: QPointF, index: int, stops: bool
) -> None:
    """Paint the number of a line, to end at a point, on a red disc if passes stop at its node."""
    theme, px, number = style.theme, style.px, f"{index + 1}"
    width = face.metrics.horizontalAdvance(number)
    middle = at.y() - (face.metrics.ascent() - face.metrics.descent()) / 2
    if stops:
        disc = QRectF(at.x() - width, middle, width, 0).adjusted(-px(5), -px(8), px(5), px(8))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.error)
        painter.drawRoundedRect(disc, px(8), px(8))
    painter.setFont(face.font)
    painter.setPen(theme.panel if stops else theme.secondary)
    painter.drawText(QPointF(at.x() - width, at.y()), number)


@exception_safe
class CodeView(QAbstractScrollArea):
    """Lines of code, created only where visible."""

    step_chosen = Signal(int)
    """Emitted with the cursor after the step of a line that a click or an arrow key chooses."""
    cursor_moved = Signal()
    stop_chosen = Signal(int)
    """Emitted with the node of a line whose number is clicked."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self._typefaces = _typefaces(style)
        self._listing: Listing | None = None
        self._line: int | None = None
        """The index of the cursor's line: that of the step until another one is chosen."""
        self._lit, self._stops = frozenset[int](), frozenset[int]()
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
        before, self._listing = self._listing, listing
        self._measure()
        now = listing.now  # index of the line of the step
        if before is None or (before.now, len(before)) != (now, len(listing)):
            self._line = now
        if now is not None:
            self._seek((now,))
        self._describe()
        self.viewport().update()

    def cursor_node(self) -> int | None:
        """Return the node that the cursor's line computes, if it is in one."""
        listing = self._listing
        return None if listing is None or self._line is None else listing.node(self._line)

    def mark(self, lit: frozenset[int], stops: frozenset[int]) -> None:
        """Light the lines that compute these nodes, new ones in sight; mark the stops."""
        new, self._lit, self._stops = lit - self._lit, lit, stops
        if new and self._listing is not None:
            lines = range(len(self._listing))
            self._seek(_lines_of(new, {k: self._listing.node(k) for k in lines}))
        self._describe()
        self.viewport().update()

    def _describe(self) -> None:
        if self._listing is not None and self._line is not None:
            code, stops = self._listing.line(self._line).code, self.cursor_node() in self._stops
            self.setAccessibleDescription(_spoken(self._line, code, stops))

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

    def _seek(self, lines: Iterable[int]) -> None:
        _seek(self, lines, self._line_height(), self._style.px(_PADDING))

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
        on_line = self._line_at(event.position().y()) is not None
        shape = Qt.CursorShape.PointingHandCursor if on_line else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        index = self._line_at(event.position().y())
        if index is None or self._listing is None:
            return
        if event.position().x() < self.code_left():
            self.stop_chosen.emit(self._listing.node(index))
        else:
            self._choose(index)

    def _choose(self, index: int) -> None:
        """Move the cursor to a line, and the pass to its step if it has one."""
        listing = self._listing
        if listing is None or not 0 <= index < len(listing):
            return
        self._line = index
        self._seek((index,))
        self._describe()
        self.cursor_moved.emit()
        step = listing.step_of(index)
        if step is not None:
            self.step_chosen.emit(step)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        lines = _LINES_BY_KEY.get(Qt.Key(event.key()))
        if lines is None:
            super().keyPressEvent(event)
        else:  # before the first step, Down goes to the first line
            self._choose((-1 if self._line is None else self._line) + lines)

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
        assert self._listing is not None
        node, is_now, ground = self._listing.node(index), line.state == "now", theme.muted
        if is_now:
            ground = theme.value_tint if forward else theme.firing
        elif node in self._lit:
            ground = theme.selection_tint
        gutter = QRectF(0, top + 1, left - px(4), tall - 1)
        painter.fillRect(gutter.adjusted(0, 0, self.viewport().width(), 0), ground)
        font, metrics = self._typefaces["code strong" if line.state == "now" else "code"]
        base = top + (tall + metrics.ascent() - metrics.descent()) / 2
        left -= self.horizontalScrollBar().value()
        ink = theme.secondary if line.state == "later" else theme.text
        self._draw_text(painter, QPointF(left, base), font, ink, line.code)
        if line.comment:
            left += metrics.horizontalAdvance(line.code) + px(12)
            ink = strong if line.state == "now" else theme.secondary
            self._draw_text(painter, QPointF(left, base), font, ink, f"# {line.comment}")
        painter.fillRect(gutter, ground)  # over code that is scrolled to the side
        end, small = QPointF(at.x() - px(7), base), self._typefaces["small"]
        _paint_number(painter, self._style, small, end, index, node in self._stops)
        if is_now or index == self._line:
            painter.fillRect(QRectF(0, top, px(3), tall), strong if is_now else theme.selection)

    def _draw_text(
        self, painter: QPainter, at: QPointF, font: QFont, ink: QColor, text: str
    ) -> None:
        painter.setFont(font)
        painter.setPen(ink)
        painter.drawText(at, text)
