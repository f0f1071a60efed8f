"""The expression bar: shows the graph as it was typed, else as assignments, and accepts text."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QMimeData, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetrics,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextOption,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QTextEdit, QWidget

from app.controls.focus import NAVIGATION_KEYS, KeyClaim
from app.controls.layouts import (
    ElidedLabel,
    in_column,
    in_row,
    plain_label,
    plain_tooltip,
    show_text,
)
from app.controls.painted_buttons import PaintedButton
from app.document.document import Document
from app.document.typed_formulas import single_line
from app.guard import exception_safe
from app.style import sizes
from app.style.current import Style
from app.style.strokes import antialiased, paint_box
from app.style.theme import mixed
from app.workbench.playback.playback import Playback
from app.workbench.playback.view_state import ViewState
from engine.errors import FormatError, PlacedFormatError
from engine.formats.expression import names_in_formulas, read_typed, write
from engine.formats.notation import looks_like_a_program
from engine.graph import Graph, Leaf, Wire
from engine.numbers import counted
from engine.problems import name_with_op

_MAX_SHARE, _CHIPS_SHARE_WITH_NOTE = 0.45, 0.25
"""Shares of the width: at most for chips or note; for the chips if there is a note too."""
_WIDTH, _MIN_WIDTH = 520, 120
"""Preferred and least width of the bar, in px at 100 %."""
_MESSAGE_MARGIN, _MESSAGE_FRAME, _MIN_MESSAGE_WIDTH = 12, 4, 200
"""Margins left and right, both frame lines with a reserve, and the least width of a message
on a narrow bar, in px at 100 %."""
_BEHIND_NETWORK = "The formula is behind this network. Esc ends Training and shows the sheet again."
_FONT_SIZE = 13.5
"""Size of the formula's font, in px at 100 %."""
_BELOW_BAR = 4
"""Gap between the bar and its message, in px at 100 %."""


@exception_safe
class ExpressionBar(QWidget):
    """The graph as one line of text, with a chip for each leaf that fits."""

    leaf_chosen = Signal(int)
    """Emitted with the leaf of a clicked chip."""
    finished = Signal()
    """Emitted when editing ends and the keyboard focus is no longer needed here."""
    said = Signal(str)
    """Emitted with how far a pasted program was read."""

    def __init__(self, style: Style, document: Document, playback: Playback) -> None:
        super().__init__()
        self._style = style
        self._document = document
        self._shown = self._replacement = ""
        """Text last set in the field, and the read-only text that replaces the graph's, or ""."""
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
        self.field.left.connect(self._leave)
        self.field.typing_refused.connect(self._explain_read_only)
        self.field.pasted.connect(self.said)
        self.field.paste_refused.connect(self._message.show_text)
        self.field.focus_changed.connect(self.update)
        self.field.textChanged.connect(self._forget_error)
        self.chips.chosen.connect(self.finished)
        self.chips.chosen.connect(self.leaf_chosen)  # which opens a field: after that of this bar
        playback.shown.connect(self._follow)
        style.run_now_and_on_change(self._restyle)
        self.restore()

    def text(self) -> str:
        return self.field.text()

    def error(self) -> str:
        """Return the error sentence about the text, or ""."""
        return self._message.text()

    def enter(self) -> None:
        """Apply the text to the document; common parts of the graph keep their place."""
        text = single_line(self.field.text())
        if text == self._shown or not text or self.field.isReadOnly():
            self._leave()
            return
        try:
            graph = read_typed(
                text, names_in_formulas(self._document.graph), self._document.graph.operations
            ).graph
        except FormatError as error:
            self._refuse(error, text)
            return
        self._document.edit_expression(graph, text)
        self.restore()
        self.field.set_text(self._shown)  # clears the field's undo: Undo now concerns the graph
        self.finished.emit()

    def show_instead(self, text: str) -> None:
        """Show a read-only text in place of the graph's; "" shows the graph again."""
        if text != self._replacement:
            self._replacement = text
            self.chips.setHidden(bool(text))
            self.restore()

    def restore(self) -> None:
        """Show the current graph, or the read-only text in its place."""
        if self._replacement:
            self._shown = self._replacement
            self._set_read_only("", _BEHIND_NETWORK)
            self._message.show_text("")
            self.field.set_text(self._shown)
            return
        self._structure = self._document.graph.structure
        self._shown = self._document.typed.text_for(self._document.graph)
        self.field.setPlaceholderText(_placeholder(self._document.graph, self._shown))
        holes = _empty_slots(self._document.graph) if self._shown else []
        one, many = "read-only: {count} slot is empty", "read-only: {count} slots are empty"
        note = counted(len(holes), one, many) if holes else ""
        self._set_read_only(note, _empty_slots_text(self._document.graph, holes) if holes else "")
        self._message.show_text("")
        if self.field.text() != self._shown or self.field.error_range():
            self.field.set_text(self._shown)

    def _leave(self) -> None:
        """Show the current graph, and give up the keyboard focus."""
        self.restore()
        self.finished.emit()

    def _set_read_only(self, note: str, reason: str) -> None:
        """Make the field read-only for a reason, with a note beside it; "" lets it be edited."""
        self.field.setReadOnly(bool(reason))
        self.field.setToolTip(plain_tooltip(reason) if reason else "")
        self.field.setAccessibleDescription(reason)  # `_explain_read_only` shows it
        show_text(self.note, note)
        self._divide_width()

    def _divide_width(self) -> None:
        """Leave the field most of the width: bound that of the note and of the chips."""
        self.note.setMaximumWidth(round(self.width() * _MAX_SHARE))
        share = _CHIPS_SHARE_WITH_NOTE if self.note.text() else _MAX_SHARE
        self.chips.set_available_width(round(self.width() * share))

    def _explain_read_only(self) -> None:
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

    def _follow(self, shown: ViewState) -> None:
        document, change = self._document, shown.change
        # numbers of leaves are no part of the text, unless they were typed in it
        only_values = document.graph.structure is self._structure and all(
            isinstance(document.graph.nodes.get(n), Leaf) for n in change.updated
        )
        if change.graph and (not only_values or document.typed.depends_on(change.updated)):
            self.restore()

    def _restyle(self) -> None:
        self.setFixedHeight(self._style.px(sizes.CONTROL))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(_WIDTH), self._style.px(sizes.CONTROL))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._style.px(_MIN_WIDTH), self._style.px(sizes.CONTROL))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._divide_width()
        self._message.place()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.field.setFocus(Qt.FocusReason.MouseFocusReason)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = self._style.theme
        focused, wrong = self.field.hasFocus(), bool(self._message.text())
        color = theme.error if wrong else theme.selection if focused else theme.outline
        width = 2.0 if focused or wrong else 1.0
        with antialiased(self) as painter:
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
        edges = (_MESSAGE_MARGIN, 8, _MESSAGE_MARGIN, 8)
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
        wanted = text + px(2 * _MESSAGE_MARGIN + _MESSAGE_FRAME)
        width = min(wanted, max(self._bar.width(), px(_MIN_MESSAGE_WIDTH)))
        self.setFixedWidth(width)
        self.setFixedHeight(self._column.heightForWidth(width))
        corner = self._bar.mapTo(self._bar.window(), QPoint(0, self._bar.height() + px(_BELOW_BAR)))
        self.move(corner)


def _placeholder(graph: Graph, shown: str) -> str:
    if graph.root is not None and not shown:
        return f"{len(graph.nodes):,} nodes: too long for one line. A new formula replaces them."
    return EXAMPLE


def _empty_slots(graph: Graph) -> list[Wire]:
    """Return the slots that the text shows as ?."""
    order = graph.plan(graph.root).order if graph.root is not None else ()
    return [(n, slot) for n in order for slot, s in enumerate(graph.inputs(n)) if s is None]


def _empty_slots_text(graph: Graph, holes: list[Wire]) -> str:
    """Return the sentence that empty slots keep the text from being edited."""
    if len(holes) > 1:
        return f"{len(holes)} slots are empty (?). Plug something in on the canvas, then type here."
    node, slot = holes[0]
    name = f"Slot {slot + 1} of {name_with_op(graph, node)}"
    return f"{name} is empty (?). Plug something in on the canvas, then type here."


EXAMPLE = "Type a formula such as (a*b + a) * f"


@exception_safe
class ExpressionField(QPlainTextEdit):
    """Code on one line; Enter emits `entered`, Esc `left`.

    Pasted lines are joined with `;`; those of a program are written as the formula that they make.
    """

    entered = Signal()
    left = Signal()
    typing_refused = Signal()
    """Emitted when something is typed while the field is read-only."""
    pasted = Signal(str)
    """Emitted with how far a pasted program was read, if not wholly."""
    paste_refused = Signal(str)
    """Emitted with why a pasted program can't be read; the field keeps its text."""
    focus_changed = Signal()
    """Emitted when the field gets or loses the keyboard focus."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setWordWrapMode(QTextOption.WrapMode.NoWrap)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabChangesFocus(True)
        self.setProperty("kind", "bare")
        self.setStyleSheet("background: transparent; border: none; padding: 0px;")
        self.document().setDocumentMargin(0)
        self.setAccessibleName("Expression")
        self.setPlaceholderText(EXAMPLE)
        self._claim = KeyClaim(
            self, *NAVIGATION_KEYS, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape
        )
        self.textChanged.connect(self.clear_error)
        style.changed.connect(self._follow_style)
        self._error: tuple[int, int] | None = None
        self._restyle()

    def text(self) -> str:
        return self.toPlainText()

    def set_text(self, text: str) -> None:
        """Set the text and clear the field's undo stack."""
        self._error = None
        self.setPlainText(text)
        self._to_start()

    def mark_error(self, start: int, length: int) -> None:
        """Underline an error, leaving the caret; one beyond the end marks the last character."""
        end = len(self.text())
        start = min(start, max(end - 1, 0))
        self._error = (start, max(1, min(length, end - start)))
        self._update_marks()

    def clear_error(self) -> None:
        self._error = None
        self._update_marks()

    def error_range(self) -> tuple[int, int] | None:
        """Return start and length of the underlined range, or None."""
        return self._error

    def line_height(self) -> int:
        """Return the height of one line in px."""
        return QFontMetrics(self.font()).height() + 2

    def _to_start(self) -> None:
        cursor = self.textCursor()
        cursor.movePosition(QTextCursor.MoveOperation.Start)
        self.setTextCursor(cursor)
        self.horizontalScrollBar().setValue(0)

    def _update_marks(self) -> None:
        """Highlight the root's name in grey and an error with a red wave."""
        root = self._root_range()
        marks = [] if root is None else [self._mark(*root, self._root_format())]
        if self._error is not None:
            wave = QTextCharFormat()
            wave.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            wave.setUnderlineColor(self._style.theme.error)
            wave.setForeground(self._style.theme.error)
            marks.append(self._mark(*self._error, wave))
        self.setExtraSelections(marks)

    def _root_range(self) -> tuple[int, int] | None:
        """Return the range of the root's name and its equals sign, or None."""
        text = self.text()
        start = text.rfind(";") + 1
        equals = text.find("=", start)
        if equals < 0:
            return None
        start += len(text[start:]) - len(text[start:].lstrip())
        return start, equals + 1 - start

    def _root_format(self) -> QTextCharFormat:
        grey = QTextCharFormat()
        grey.setForeground(self._style.theme.secondary)
        return grey

    def _mark(self, start: int, length: int, look: QTextCharFormat) -> QTextEdit.ExtraSelection:
        cursor = QTextCursor(self.document())
        cursor.setPosition(start)
        cursor.setPosition(min(start + length, len(self.text())), QTextCursor.MoveMode.KeepAnchor)
        mark = QTextEdit.ExtraSelection()
        mark.cursor = cursor  # pyright: ignore[reportAttributeAccessIssue]
        mark.format = look  # pyright: ignore[reportAttributeAccessIssue]
        return mark

    def _follow_style(self) -> None:
        self._restyle()
        self.viewport().setFont(self.font())  # the placeholder's; not inherited under a style sheet

    def _restyle(self) -> None:
        font = self._style.font("code")
        font.setPixelSize(self._style.px(_FONT_SIZE))
        self.setFont(font)
        self.setFixedHeight(self.line_height())
        self._update_marks()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            undo = event.matches(QKeySequence.StandardKey.Undo)
            redo = event.matches(QKeySequence.StandardKey.Redo)
            history = self.document()
            if (undo and not history.isUndoAvailable()) or (redo and not history.isRedoAvailable()):
                event.ignore()  # nothing was typed: let the window undo
                return False
        return super().event(event)

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(240), self.line_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self._style.px(60), self.line_height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif self.isReadOnly() and event.text().isprintable() and event.text():
            self.typing_refused.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_changed.emit()

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasText()

    def insertFromMimeData(self, source: QMimeData) -> None:
        text = source.text()
        if "\n" in text.strip() and looks_like_a_program(text):
            try:
                typed = read_typed(text)
            except FormatError as error:
                self.paste_refused.emit(str(error))
                return
            text = write(typed.graph)
            if typed.remark:
                self.pasted.emit(typed.remark)
        self.insertPlainText(single_line(text))


_MAX_CHIPS = 12
"""Chips at most, however wide the bar is."""
_CHIP_NAME_LENGTH, _TOOLTIP_NAME_LENGTH = 16, 60
"""Characters of a leaf's name on its chip and in its tooltip."""
_CHIP_HEIGHT, _CHIP_RADIUS, _CHIP_GAP = 24, 6, 4
"""Height and corner radius of a chip, and space between chips, in px at 100 %."""
_HIDDEN_COUNT_WIDTH = 30
"""Width of the number of the leaves without a chip, in px at 100 %."""
_CHIP_MARGIN, _NAME_VALUE_GAP = 8, 6
"""Space before the name and after the value, and between them, in px at 100 %."""
_HOVER_SHARE = 0.14
"""Share of the colour of values in a chip under the pointer."""


class LeafChips(QWidget):
    """A row of as many leaves as fit, with the number of the others."""

    chosen = Signal(int)
    """Emitted with the leaf of a clicked chip."""

    def __init__(self, style: Style, playback: Playback) -> None:
        super().__init__()
        self._style = style
        self._playback = playback
        self._available_width = 0
        self._shown_source: tuple[Graph, Mapping[int, float]]
        """The graph and the values that the chips show, compared by identity."""
        self._chips: list[LeafChip] = []
        self._hidden_count = plain_label(kind="caption")
        self._row = in_row(self._hidden_count, parent=self, style=style, gap=_CHIP_GAP)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        playback.shown.connect(self._follow)
        style.run_now_and_on_change(self._refresh)

    def shown(self) -> list[str]:
        """Return the texts of the visible chips."""
        return [chip.text() for chip in self._chips if chip.isVisibleTo(self)]

    def chip(self, node: int) -> LeafChip | None:
        return next((chip for chip in self._chips if chip.node == node), None)

    def set_available_width(self, width: int) -> None:
        """Set the width that the chips may fill."""
        if width != self._available_width:
            self._available_width = width
            self._fit()

    def _follow(self, shown: ViewState) -> None:
        """Show other leaves and values; the steps of a backward pass change none."""
        graph, values = shown.frame.graph, shown.frame.values
        if graph is not self._shown_source[0] or values is not self._shown_source[1]:
            self._refresh()

    def _refresh(self) -> None:
        frame = self._playback.frame
        self._shown_source = frame.graph, frame.values
        leaves = frame.graph.leaves
        while len(self._chips) < min(len(leaves), _MAX_CHIPS):
            chip = LeafChip(self._style, self)
            chip.clicked.connect(self._choose)
            self._chips.append(chip)
            self._row.insertWidget(self._row.count() - 1, chip)  # before the count
        for chip, node in zip(self._chips, leaves, strict=False):
            chip.set_leaf(node, frame.graph, frame.values.get(node))
        for chip in self._chips[len(leaves) :]:
            chip.node = None  # `_fit` hides it
        self._leaf_count = len(leaves)
        self._fit()

    def _fit(self) -> None:
        """Show the chips that fit, and count the others."""
        # the width of the count is taken from the start, even if all fit
        gap, used, shown = self._style.px(_CHIP_GAP), self._style.px(_HIDDEN_COUNT_WIDTH), 0
        for chip in self._chips:
            wide = chip.minimumWidth() + gap
            fits = chip.node is not None and used + wide <= self._available_width
            used += wide if fits else self._available_width  # after one that fails none may fit
            chip.setVisible(fits)
            shown += int(fits)
        hidden = self._leaf_count - shown
        self._hidden_count.setText(
            f"+{hidden}" if shown else f"{hidden} leaves" if hidden > 1 else ""
        )
        self._hidden_count.setVisible(hidden > 0 and (shown > 0 or hidden > 1))
        self.updateGeometry()

    def _choose(self) -> None:
        chip = self.sender()
        if isinstance(chip, LeafChip) and chip.node is not None:
            self.chosen.emit(chip.node)


@exception_safe
class LeafChip(PaintedButton):
    """One leaf: its label and its value."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(style, parent)
        self.node: int | None = None
        self._name = self._value = ""
        self._shown_key = ("", 0.0)
        """The accessible name and the scale for which the chip was measured."""
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_leaf(self, node: int, graph: Graph, value: float | None) -> None:
        """Show a leaf with its value, or None if that is not known."""
        number = "–" if value is None else self._style.short(value)
        self.node = node
        spoken = f"Leaf {graph.title(node)}, value {number}"
        if (spoken, self._style.control_scale) != self._shown_key:
            self._shown_key = (spoken, self._style.control_scale)
            self._name, self._value = graph.brief(node, _CHIP_NAME_LENGTH), number
            self.setText(f"{self._name} {number}")
            self.setAccessibleName(spoken)
            tooltip = f"Leaf {graph.brief(node, _TOOLTIP_NAME_LENGTH)}: click to change it"
            self.setToolTip(plain_tooltip(tooltip))
            self.setFixedSize(self.sizeHint())
            self.update()

    def sizeHint(self) -> QSize:
        name = QFontMetricsF(self._style.font("interface strong"))
        wide = name.horizontalAdvance(self._name) + name.horizontalAdvance(self._value)
        return QSize(
            round(wide) + self._style.px(2 * _CHIP_MARGIN + _NAME_VALUE_GAP),
            self._style.px(_CHIP_HEIGHT),
        )

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, px = self._style.theme, self._style.px
        with antialiased(self) as painter:
            fill = theme.value_tint
            if self.underMouse() or self.isDown():
                fill = mixed(fill, theme.value, _HOVER_SHARE)
            outline = QPen(theme.selection, 2) if self.hasFocus() else QPen(Qt.PenStyle.NoPen)
            painter.setPen(outline)
            painter.setBrush(fill)
            painter.drawRoundedRect(
                QRectF(self.rect()).adjusted(1, 1, -1, -1), px(_CHIP_RADIUS), px(_CHIP_RADIUS)
            )
            painter.setFont(self._style.font("interface strong"))
            metrics = QFontMetricsF(painter.font())
            base = (self.height() + metrics.ascent() - metrics.descent()) / 2
            painter.setPen(theme.text)
            painter.drawText(round(px(_CHIP_MARGIN)), round(base), self._name)
            painter.setPen(theme.value)
            left = px(_CHIP_MARGIN) + metrics.horizontalAdvance(self._name) + px(_NAME_VALUE_GAP)
            painter.drawText(round(left), round(base), self._value)
