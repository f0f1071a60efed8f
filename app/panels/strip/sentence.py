"""Sentence: the sentence of the strip, with a field for each blank; Options: answers to choose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Final, NamedTuple

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from app.controls.focus import ENTER, KeyClaim, claim_keys
from app.controls.layouts import plain_tooltip
from app.controls.painted_buttons import PaintedButton
from app.controls.rich_text import ENDLESS, TextLine, height, lay_out, paint_lines
from app.controls.spans import Span, Spans, plain_text
from app.guard import exception_safe
from app.style import sizes
from app.style.current import Style
from app.style.fonts import ROLES
from app.style.strokes import antialiased, paint_box
from app.workbench.gradients.formulas import direct_derivative_tip
from app.workbench.words.strip import BLANK_ROLE_PREFIX, Blank, Option, are_numbers
from engine.asking.judging import MOST_CHOICES
from engine.numbers import ABOUT, ASKED, parse_number

_MAX_ANSWER: Final = 80
"""Characters of an answer."""
_BLANK_RADIUS, _BLANK_LINE, _FOCUSED_LINE, _PRESENTED_LINE = 6.0, 1.5, 2.2, 1.1
"""Corner radius of a blank and widths of its outline in px at 100 %; the last is for a
presentation, whose scale is that of the sentence: 3 px at 1080."""
_DASHES: Final = (3.0, 2.4)
_TINT_ALPHA: Final = 0.06


@exception_safe
class BlankField(QLineEdit):
    """The field of a blank; Enter, Esc and the page keys are signals for the strip."""

    entered = Signal()
    left = Signal()
    paged = Signal(int)
    """Emitted with 1 for PageDown, −1 for PageUp."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self.setMaxLength(_MAX_ANSWER)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setProperty("kind", "blank")
        self.setPlaceholderText(ASKED)
        claim_keys(self, *ENTER, Qt.Key.Key_Escape, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)

    def show_text(self, text: str) -> None:
        """Show the text that the quiz keeps for this blank; the caret stays where it is."""
        if self.text() != text:
            caret = self.cursorPosition()
            blocked = self.blockSignals(True)
            self.setText(text)
            self.blockSignals(blocked)
            self.setCursorPosition(min(caret, len(text)))

    def set_chosen(self, chosen: bool) -> None:
        """Set whether an option fills the blank, which is then read-only."""
        self.setReadOnly(chosen)
        policy = Qt.FocusPolicy.NoFocus if chosen else Qt.FocusPolicy.StrongFocus
        self.setFocusPolicy(policy)

    # Qt's events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in ENTER:
            self.entered.emit()
        elif key == Qt.Key.Key_Escape:
            self.left.emit()
        elif key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            self.paged.emit(1 if key == Qt.Key.Key_PageDown else -1)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.setPlaceholderText("")

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.setPlaceholderText(ASKED)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the box, dashed while it is empty, and the text of the field above it."""
        with antialiased(self) as painter:
            pen, tint = self._outline_pen(), QColor(self._style.theme.selection)
            tint.setAlphaF(_TINT_ALPHA)
            filled = self.hasFocus() or bool(self.text())
            painter.setPen(pen)
            painter.setBrush(self._style.theme.node if filled else tint)
            inset = pen.widthF() / 2
            radius = _BLANK_RADIUS * self._style.scale
            box = QRectF(self.rect()).adjusted(inset, inset, -inset, -inset)
            painter.drawRoundedRect(box, radius, radius)
        super().paintEvent(event)

    def _outline_pen(self) -> QPen:
        """Return the pen of the box: solid with the focus or a text, else dashed."""
        style = self._style
        width = _FOCUSED_LINE if self.hasFocus() else _BLANK_LINE
        if style.presented:
            width = _PRESENTED_LINE
        pen = QPen(style.theme.selection, width * style.scale)
        if not self.hasFocus() and not self.text():
            pen.setDashPattern(_DASHES)
        return pen


_LARGEST: Final = ROLES["step"].pixels
_MIN_ONE_LINE: Final = 13.0
"""Size in px at 100 % below which the sentence wraps instead of shrinking further."""
_TWO_LINES: Final = 14.0
"""Size in px at 100 % of a sentence that takes two lines."""


class Sizes(NamedTuple):
    """Font sizes of a sentence, in px at 100 %.

    It has the `largest` or a smaller size down to `one_line`; below that it wraps, in one of the
    `wrapped` sizes. `presented` is the largest in a presentation, at the scale of that.
    """

    largest: float
    one_line: float
    wrapped: tuple[float, ...]
    presented: float


STEP_SIZES: Final = Sizes(
    largest=_LARGEST,
    one_line=_MIN_ONE_LINE,
    wrapped=(_TWO_LINES, _MIN_ONE_LINE, 12.0, 11.0, 10.5),
    presented=_LARGEST,
)
ANSWER_SIZES: Final = Sizes(largest=13.0, one_line=11.0, wrapped=(10.5, 10.0, 9.0), presented=9.6)
_MIN_BLANK_WIDTH, _BLANK_HEIGHT = 48, 28
"""Least width of a blank, and its height, in px at 100 %."""
_BLANK_PADDING: Final = 20
"""Width of a blank beyond that of the widest number, in px at 100 %."""
_BLANK_MARGIN: Final = 1.5
"""Space at each side of a blank, in px at 100 %."""
_FILLER: Final = "\u00a0"
"""In the layout of the text a blank is a row of no-break spaces, as wide as its field."""


@exception_safe
class Sentence(QWidget):
    """Spans on one line of 17 to 13 px if they fit, else on more and smaller lines.

    Spans of role `blank k` are fields; their texts belong to the quiz.
    """

    typed = Signal(object, str)
    """Emitted with a Question and the text typed into its blank."""
    entered = Signal()
    """Emitted when Enter is pressed in a blank."""
    left = Signal()
    """Emitted when Esc is pressed in a blank."""
    paged = Signal(int)
    """Emitted with 1 for PageDown in a blank, −1 for PageUp."""

    def __init__(
        self, style: Style, font_sizes: Sizes = STEP_SIZES, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._style, self._sizes = style, font_sizes
        self._spans: Spans = ()
        # for these three see `show_sentence`
        self._fullest: Spans = ()
        self._unshortened: Spans = ()
        self._widest = ""
        self._blanks: tuple[Blank, ...] = ()
        self._fields: list[BlankField] = []
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        style.changed.connect(self._lay_out)

    # Content

    @property
    def fields(self) -> list[BlankField]:
        """Return the fields of the blanks, in reading order."""
        return self._fields[: len(self._blanks)]

    def spans(self) -> Spans:
        return self._spans

    def text(self) -> str:
        """Return the sentence as plain text; an empty blank is `?`."""
        return plain_text(self._spans)

    def show_sentence(
        self,
        spans: Spans,
        blanks: tuple[Blank, ...] = (),
        widest: str = "",
        fullest: Spans = (),
        unshortened: Spans = (),
    ) -> None:
        """Show another sentence.

        `widest` is the widest number that a blank has to fit. `fullest` is the longest sentence of
        the pass, which gets the same size, so that the size stays from step to step.
        `unshortened` has whole names, for the tooltip and a screen reader.
        """
        new = (spans, blanks, widest, fullest, unshortened)
        if new == (self._spans, self._blanks, self._widest, self._fullest, self._unshortened):
            return
        self._spans, self._blanks, self._widest, self._fullest, self._unshortened = new
        self.setAccessibleName(self._spoken(unshortened or spans))
        lines = (plain_text(unshortened) or self.text(), direct_derivative_tip(self.text()))
        self.setToolTip(plain_tooltip("\n".join(line for line in lines if line)))
        self._show_fields()
        self._lay_out()

    def focus_blank(self) -> bool:
        """Focus the refused blank, else the first empty one, else the first; False without one."""
        candidates = [
            f for f, blank in zip(self.fields, self._blanks, strict=True) if blank.refused
        ]
        candidates = candidates or [f for f in self.fields if not f.text()] or self.fields
        if not candidates or candidates[0].isReadOnly():
            return False
        candidates[0].setFocus()
        return True

    @property
    def takes_text(self) -> bool:
        """Return whether there is a blank to type into."""
        return bool(self.fields) and not self.fields[0].isReadOnly()

    def type_key(self, key: str) -> None:
        """Focus the blank as `focus_blank` does, and type a character at its end."""
        self.focus_blank()
        field = next((field for field in self.fields if field.hasFocus()), None)
        if field is not None:
            field.setCursorPosition(len(field.text()))
            field.insert(key)

    def next_empty(self) -> BlankField | None:
        """Return the next empty blank after the focused one, else the first before it."""
        fields = self.fields
        focused = next((k for k, field in enumerate(fields) if field.hasFocus()), -1)
        others = (*fields[focused + 1 :], *fields[: max(focused, 0)])
        return next((field for field in others if not field.text().strip()), None)

    def _spoken(self, spans: Spans) -> str:
        """Return the sentence as it is read aloud: blanks by number, content and state."""
        words: list[str] = []
        for span in spans:
            if not span.role.startswith(BLANK_ROLE_PREFIX):
                words.append(plain_text((span,)))
                continue
            index = int(span.role.removeprefix(BLANK_ROLE_PREFIX))
            blank = self._blanks[index]
            state = blank.typed or "empty"
            words.append(f"blank {index + 1} of {len(self._blanks)}, {blank.title}, {state}")
        return "".join(words)

    def _show_fields(self) -> None:
        """Give each blank its field, text and description."""
        while len(self._fields) < len(self._blanks):
            field = BlankField(self._style, self)
            field.textEdited.connect(self._emit_typed)
            field.entered.connect(self.entered)
            field.left.connect(self.left)
            field.paged.connect(self.paged)
            self._fields.append(field)
        for index, field in enumerate(self._fields):
            if index >= len(self._blanks):
                field.hide()
                continue
            blank = self._blanks[index]
            field.show_text(blank.typed)
            field.set_chosen(blank.chosen)
            field.setAccessibleName(blank.title)
            field.setAccessibleDescription(blank.verdict)
            field.show()

    def _emit_typed(self, text: str) -> None:
        for index, field in enumerate(self.fields):
            if field is self.sender():
                self.typed.emit(self._blanks[index].question, text)
                return

    # Sizes

    def lines_needed(self, width: float) -> int:
        """Return 1 if the fullest sentence of the pass fits on a line of a width in px, else 2."""
        longest = self._fullest or self._spans
        return 1 if self._width_of(longest, self._sizes.one_line) <= width else 2

    def fitted(self) -> tuple[QFont, tuple[TextLine, ...]]:
        """Return the largest font in which all lines fit, and those lines."""
        width = float(max(self.width(), 1))
        # one line, in the size at which the fullest sentence of the pass fits; half a px less
        # where rounded widths make it wrap
        largest = self._sizes.presented if self._style.presented else self._sizes.largest
        longest = max(self._width_of(s, largest) for s in (self._fullest, self._spans))
        size = largest * min(1.0, width / max(longest, 1.0))
        # a presentation may have a largest size below `one_line`: it shrinks by a fifth at most
        min_one_line = min(self._sizes.one_line, largest * 0.8)
        for one_line in (size, size - 0.5, size - 1.0):
            font = self._font(one_line)
            lines = lay_out(self._filled(self._spans, font), font, width)
            if one_line >= min_one_line and len(lines) < 2:
                return font, lines
        # several lines, in the largest size at which they fit the height
        for size in (s for s in self._sizes.wrapped if s <= largest):
            font = self._font(size)
            lines = lay_out(self._filled(self._spans, font), font, width)
            if height(lines) <= self.height():
                break
        return font, lines

    def full_width(self) -> int:
        """Return the width in px that the sentence takes in its largest size."""
        return (
            round(self._width_of(self._spans, self._sizes.largest)) + 2
        )  # reserve, as widths are rounded

    def _width_of(self, spans: Sequence[Span], size: float) -> float:
        """Return the width of spans on one line, in a size of px at 100 %."""
        font = self._font(size)
        lines = lay_out(self._filled(spans, font), font, ENDLESS)
        return max((line.width for line in lines), default=0.0)

    def _filled(self, spans: Sequence[Span], font: QFont) -> Spans:
        """Return the spans with blanks as wide as their fields."""
        return tuple(
            self._as_space(s, font) if s.role.startswith(BLANK_ROLE_PREFIX) else s for s in spans
        )

    def _as_space(self, span: Span, font: QFont) -> Span:
        space = QFontMetricsF(font).horizontalAdvance(_FILLER)
        width = self._blank_width(font) + 2 * _BLANK_MARGIN * self._style.scale
        return replace(span, text=_FILLER * ceil(width / space))

    def _blank_width(self, font: QFont) -> float:
        bold = QFont(font)
        bold.setWeight(QFont.Weight.DemiBold)
        scale = self._style.scale
        number = QFontMetricsF(bold).horizontalAdvance(self._widest)
        return max(_MIN_BLANK_WIDTH * scale, number + _BLANK_PADDING * scale)

    def _font(self, size: float) -> QFont:
        font = self._style.sentence_font()
        font.setPixelSize(max(int(size * self._style.scale), 1))
        return font

    # Layout and painting

    def _lay_out(self) -> None:
        """Move each field over its blank."""
        if self._blanks:
            font, lines = self.fitted()
            field_height = min(round(_BLANK_HEIGHT * self._style.scale), self.height())
            if len(lines) > 1:
                field_height = min(field_height, int(height(lines) / len(lines)))
            bold = QFont(font)
            bold.setWeight(QFont.Weight.DemiBold)
            for index, x, y in self._blank_positions(lines, self._blank_width(font)):
                field = self._fields[index]
                field.setFont(bold)
                top, width = round(y - field_height / 2), round(self._blank_width(font))
                field.setGeometry(QRect(round(x), top, width, field_height))
        self.update()

    def _blank_positions(
        self, lines: Sequence[TextLine], width: float
    ) -> Iterator[tuple[int, float, float]]:
        """Yield the index of each blank with its left edge and the y of its middle, in px."""
        left, top = self._left(lines), self._top(lines)
        # the gap between two lines, as `paint_lines` has it
        gap = (height(lines) - sum(ln.ascent + ln.descent for ln in lines)) / max(len(lines) - 1, 1)
        for line in lines:
            for piece in line.pieces:
                if piece.span.role.startswith(BLANK_ROLE_PREFIX):
                    index = int(piece.span.role.removeprefix(BLANK_ROLE_PREFIX))
                    middle = top + (line.ascent + line.descent) / 2
                    if index < len(self._blanks):
                        # the rest of its last space is before it: punctuation follows at once
                        end = piece.width - _BLANK_MARGIN * self._style.scale
                        yield index, left + piece.x + end - width, middle
            top += line.ascent + line.descent + gap

    def _left(self, lines: Sequence[TextLine]) -> float:
        """Return the left edge of the lines: 0, but in a presentation the sentence is centred.

        The answer line, which has other sizes, is not.
        """
        if not self._style.presented or self._sizes is not STEP_SIZES:
            return 0.0
        return max((self.width() - max((ln.width for ln in lines), default=0.0)) / 2, 0.0)

    def _top(self, lines: Sequence[TextLine]) -> float:
        return max((self.height() - height(lines)) / 2, 0.0)

    # Qt's events

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(400), round(28 * self._style.scale))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._style.px(80), round(20 * self._style.scale))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def paintEvent(self, _event: QPaintEvent) -> None:
        font, lines = self.fitted()
        with antialiased(self) as painter:
            at = QPointF(self._left(lines), self._top(lines))
            theme, enabled = self._style.theme, self.isEnabled()
            paint_lines(painter, at, lines, font, theme, enabled=enabled)


_MIN_OPTION_WIDTH, _OPTION_HEIGHT, _OPTION_GAP = 86, sizes.CLICK_TARGET, 8
"""Least width, height and gap in px at 100 %."""
_KEY_LEFT, _KEY_SIDE = 5.0, 16.0
"""Left edge and side of the square with the key, in px at 100 %."""
_OPTION_MARGIN: Final = 12
_OPTION_RADIUS, _KEY_RADIUS = 6, 4
_BEGUN: Final = "{typed} …"
_NO_CHOICE: Final = "{typed} is none of the choices. Backspace begins again."
_WAS_WRONG: Final = "{typed} was wrong. Backspace begins again."
_SPOKEN_OPTION: Final = "choice{key} {label}"
_SPOKEN_WRONG: Final = "choice{key} {label}, was wrong"
_OPTION_LINE, _CHOSEN_LINE = 1.5, 2.4
"""Widths of the outline of an option, and of the chosen one, in px at 100 %."""


@exception_safe
class _EnterClaim(KeyClaim):
    """Makes Enter on an option submit the answer, while Space chooses the option."""

    def __init__(self, button: OptionButton) -> None:
        super().__init__(button, *ENTER)
        self._button = button

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() not in ENTER:
                return False
            self._button.entered.emit()
            return True
        return super().eventFilter(watched, event)


@exception_safe
class OptionButton(PaintedButton):
    """One answer: its label, and its key unless that could be a digit of a number among them.

    It is struck through once it was wrong.
    """

    entered = Signal()
    """Emitted when Enter is pressed on it."""

    def __init__(self, style: Style, index: int, parent: QWidget) -> None:
        super().__init__(style, parent)
        self._position, self._key = str(index + 1), ""
        self._state = ""
        self.setCheckable(True)
        _EnterClaim(self)

    def show_option(self, option: Option, *, has_key: bool) -> None:
        """Show an answer in its state, with its position as its key or without one."""
        self._state, self._key = option.state, self._position if has_key else ""
        self.setText(option.label)
        self.setChecked(option.state == "chosen")
        self.setEnabled(option.state != "struck")
        self.setToolTip(plain_tooltip(f"{option.label} ({self._key})" if has_key else option.label))
        spoken = _SPOKEN_WRONG if option.state == "struck" else _SPOKEN_OPTION
        key = f" {self._key}," if has_key else ""
        self.setAccessibleName(spoken.format(key=key, label=option.label))
        self.update()

    def nextCheckState(self) -> None:
        """Leave the check state to the quiz; a press does not change it."""

    def sizeHint(self) -> QSize:
        px = self._style.px
        text = QFontMetricsF(self._style.font("interface strong")).horizontalAdvance(self.text())
        key = (_KEY_LEFT + _KEY_SIDE) * self._style.control_scale if self._key else 0
        width = round(key + text + px(2 * _OPTION_MARGIN))
        return QSize(max(px(_MIN_OPTION_WIDTH), width), px(_OPTION_HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, scale = self._style.theme, self._style.control_scale
        struck, chosen = self._state == "struck", self._state == "chosen"
        line = theme.error if struck else theme.selection
        width = _CHOSEN_LINE if chosen else _OPTION_LINE
        with antialiased(self) as painter:
            fill = theme.error_tint if struck else theme.node
            edge = theme.text if self.hasFocus() and not chosen else line
            paint_box(
                painter, QRectF(self.rect()), fill, edge, _OPTION_RADIUS * scale, width * scale
            )
            if self._key:
                self._paint_key(painter, line)
            font = self._style.font("interface strong")
            font.setStrikeOut(struck)
            painter.setFont(font)
            painter.setPen(line if struck else theme.text)
            left = (_KEY_LEFT + _KEY_SIDE) * scale if self._key else 0
            label = QRectF(self.rect()).adjusted(left, 0, 0, 0)
            painter.drawText(label, Qt.AlignmentFlag.AlignCenter, self.text())

    def _paint_key(self, painter: QPainter, color: QColor) -> None:
        theme, scale = self._style.theme, self._style.control_scale
        left, side = _KEY_LEFT * scale, _KEY_SIDE * scale
        key = QRectF(left, (self.height() - side) / 2, side, side)
        painter.setPen(Qt.PenStyle.NoPen)
        struck = self._state == "struck"
        painter.setBrush(theme.error_tint if struck else theme.selection_tint)
        painter.drawRoundedRect(key, _KEY_RADIUS * scale, _KEY_RADIUS * scale)
        painter.setPen(color)
        font = self._style.font("tile")
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.drawText(key, Qt.AlignmentFlag.AlignCenter, self._key)


def _spelled(number: str) -> str:
    """Return a number in one spelling, or as much of one as is typed."""
    text = number.replace("−", "-").replace(",", ".").removeprefix("+")
    return text.replace(".", "0.", 1) if text.removeprefix("-").startswith(".") else text


@exception_safe
class Options(QWidget):
    """The answers side by side; their keys choose while no field has the caret.

    Where they are numbers, what is typed is a number: it chooses the answer that it is.
    """

    picked = Signal(object)
    """Emitted with the Option that was chosen."""
    refused = Signal(object, str)
    """Emitted with a Question and why nothing is chosen by what is typed, "" while it may be."""
    entered = Signal()
    """Emitted when the choice is submitted as the answer."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._shown: tuple[Option, ...] = ()
        self.typed = ""
        """What was typed of a number since the last answer."""
        self._keys = [QShortcut(QKeySequence(str(k + 1)), self) for k in range(MOST_CHOICES)]
        self._buttons = [OptionButton(style, index, self) for index in range(MOST_CHOICES)]
        for index, button in enumerate(self._buttons):
            button.clicked.connect(lambda _on=False, index=index: self.pick(index))
            button.entered.connect(self.entered)
            self._keys[index].activated.connect(lambda index=index: self.pick(index))
        self.setAccessibleName("Choices")
        style.changed.connect(self._place)
        self.hide()

    @property
    def buttons(self) -> list[OptionButton]:
        return self._buttons[: len(self._shown)]

    def show_options(self, options: tuple[Option, ...]) -> None:
        """Show these answers, or none."""
        if options == self._shown:
            return
        self._shown, self.typed, by_position = options, "", not are_numbers(options)
        for key in self._keys:
            key.setEnabled(by_position)
        for index, button in enumerate(self._buttons):
            button.setVisible(index < len(options))
        for button, option in zip(self.buttons, options, strict=True):
            button.show_option(option, has_key=by_position)
        self._place()
        self.setVisible(bool(options))

    def pick(self, index: int) -> None:
        """Choose and focus an answer, unless it was wrong."""
        if index < len(self._shown) and self._shown[index].state != "struck":
            self._buttons[index].setFocus()
            self.picked.emit(self._shown[index])

    @property
    def are_numbers(self) -> bool:
        """Return whether the answers are numbers, which are chosen by typing them."""
        return are_numbers(self._shown)

    def type_key(self, key: str) -> None:
        """Type one more character of a number; Backspace as "" begins it again."""
        typed = _spelled(self.typed + key) if key else ""
        number = parse_number(typed)
        found = [k for k, o in enumerate(self._shown) if number is not None and o.number == number]
        begun = any(_spelled(option.label.removeprefix(ABOUT)).startswith(typed)
                    for option in self._shown)  # fmt: skip
        if found and self._shown[found[0]].state != "struck":
            self.pick(found[0])
        else:
            self.focus_option()
            sentence = _WAS_WRONG if found else _BEGUN if begun else _NO_CHOICE
            said = sentence.format(typed=typed.replace("-", "−")) if typed else ""
            self.refused.emit(self._shown[0].question, said)
        self.typed = typed  # last: other states of the answers begin a number again

    def focus_option(self) -> bool:
        """Focus the chosen or the first answer; return False if there is none."""
        enabled = [button for button in self.buttons if button.isEnabled()]
        if not enabled:
            return False
        next((button for button in enabled if button.isChecked()), enabled[0]).setFocus()
        return True

    def _place(self) -> None:
        x = 0
        for button in self.buttons:
            hint = button.sizeHint()
            button.setGeometry(x, 0, hint.width(), hint.height())
            x += hint.width() + self._style.px(_OPTION_GAP)
        self.updateGeometry()

    # Qt's events

    def sizeHint(self) -> QSize:
        widths = sum(button.sizeHint().width() for button in self.buttons)
        gaps = max(len(self.buttons) - 1, 0) * self._style.px(_OPTION_GAP)
        return QSize(widths + gaps, self._style.px(_OPTION_HEIGHT))
