"""The strip in a lecture: a question to the room, its choices with hands, the answer.

    48   the sentence
    92   choices: letter and label, dots or a bar for the hands; at the reveal bars and slips
    286  the foot

Px of a strip 328 high, as on a screen 1920 × 1080, which are scaled to its rectangle. The letters,
numbers and bars keep their places from the question to the reveal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QWidget

from app.controls.rich_text import TextLine, lay_out, paint_lines
from app.controls.rich_text import height as lines_height
from app.controls.spans import Span, plain_text
from app.guard import exception_safe
from app.guide.words.room import RoomChoice, RoomStrip, spoken_strip
from app.style import fonts
from app.style.current import Style
from app.style.strokes import Align, paint_on_baseline, pen
from app.style.theme import Theme, mixed

ROOM_STRIP_SHARE: Final = 328 / 1080
"""Height of the strip as a share of the screen's."""
_HEIGHT = 328.0
_EDGE, _GAP = 42.0, 20.0
_SENTENCE_CENTRE, _SENTENCE, _SMALLEST_SENTENCE = 48.0, 46.0, 30.0
_TIMER_SPACE = 84.0
"""Space for the ring of the timer at both ends of the sentence."""
_CHOICES_TOP, _ASKED_HEIGHT, _REVEALED_HEIGHT = 92.0, 148.0, 220.0
_FOOT_CENTRE, _FOOT, _SMALLEST_FOOT, _FOOT_GAP = 286.0, 26.0, 20.0, 40.0
_RADIUS = 12.0
_CHIP, _CHIP_EDGE, _LETTER = 48.0, 18.0, 30.0
_LABEL_LEFT, _LABEL_CENTRE, _LABEL = 91.0, 44.0, 56.0
_WRAPPED_LABEL, _SMALLEST_LABEL = 31.0, 20.0
"""Largest font size of a label on two lines, and the least of any label."""
_LABEL_GAP = 14.0
"""Space on both sides of the tick or cross after a label."""
_COUNT, _COUNT_EDGE = 40.0, 22.0
_COUNT_AT_BAR = 30.0
"""Font size of a count on the line of its bar."""
_HANDS_CENTRE, _HANDS_EDGE = 112.0, 22.0
_DOT, _DOT_PITCH, _FIVES_GAP, _ROW_PITCH = 15.0, 20.5, 10.0, 24.0
_DOTS_IN_ROW, MOST_DOTS = 15, 30
_BAR, _BAR_CENTRE = 17.0, 92.0
_SAY, _SMALLEST_SAY, _SAY_TOP, _SAY_EDGE, _SAY_BOTTOM = 27.0, 22.0, 108.0, 20.0, 10.0
_VERDICT_SIDE = 34.0
"""Side of the square of the tick or cross after a label at the reveal."""
_TICK_WIDTH = 1.15 * _VERDICT_SIDE
"""Width of a tick, whose long arm extends beyond its square."""


def paint_room_strip(painter: QPainter, rect: QRectF, strip: RoomStrip, style: Style) -> None:
    """Paint a strip into a rectangle of any size, in the colours of the style's theme.

    Not for a blank step, whose line is on a screen of its own.
    """
    scale = rect.height() / _HEIGHT
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setClipRect(rect)
    painter.translate(rect.topLeft())
    painter.scale(scale, scale)
    area = QRectF(0, 0, rect.width() / scale, _HEIGHT)
    painter.fillRect(area, style.theme.panel)
    _paint_sentence(painter, area, strip, style.theme)
    rects, labels = _choice_rects(area, strip), _labels(area, strip)
    counts_y = _counts_centre(rects, labels, strip)
    for k, at in enumerate(rects):
        _paint_choice(painter, at, strip.choices[k], labels[k], style.theme)
        if strip.kind == "reveal":
            _paint_result(painter, at, strip.choices[k], strip, counts_y, style.theme)
        else:
            _paint_hands(painter, at, strip.choices[k], strip, style.theme)
    _paint_foot(painter, area, strip, style.theme)
    painter.restore()


def _choice_rects(area: QRectF, strip: RoomStrip) -> list[QRectF]:
    count = len(strip.choices)
    if not count:
        return []
    wide = (area.width() - 2 * _EDGE - _GAP * (count - 1)) / count
    high = _REVEALED_HEIGHT if strip.kind == "reveal" else _ASKED_HEIGHT
    return [QRectF(_EDGE + k * (wide + _GAP), _CHOICES_TOP, wide, high) for k in range(count)]


# the sentence and the foot


def _paint_sentence(painter: QPainter, area: QRectF, strip: RoomStrip, theme: Theme) -> None:
    """Paint the centred sentence, in a smaller font or on two lines if it is long."""
    spans = strip.sentence
    if not spans:
        return
    free = area.width() - 2 * (_EDGE + _TIMER_SPACE)
    size = _SENTENCE
    while size > _SMALLEST_SENTENCE and _sentence_lines(spans, size, free)[-1] > 1:
        size -= 2.0
    lines, font, _count = _sentence_lines(spans, size, free)
    top = _SENTENCE_CENTRE - lines_height(lines) / 2
    for k, line in enumerate(lines):
        corner = QPointF(area.center().x() - line.width / 2, top)
        paint_lines(painter, corner, lines[k : k + 1], font, theme)
        top += lines_height(lines) / len(lines)


def _sentence_lines(
    spans: Sequence[Span], size: float, width: float
) -> tuple[tuple[TextLine, ...], QFont, int]:
    font = fonts.sized("step", size)
    lines = lay_out(spans, font, width)
    return lines, font, len(lines)


def _paint_foot(painter: QPainter, area: QRectF, strip: RoomStrip, theme: Theme) -> None:
    left, right, font = fitted_foot(strip, area.width())
    _write(painter, left, font, theme.secondary, (_EDGE, _FOOT_CENTRE))
    _write(painter, right, font, theme.secondary, (area.width() - _EDGE, _FOOT_CENTRE), "right")


def fitted_foot(strip: RoomStrip, width: float) -> tuple[str, str, QFont]:
    """Return both ends of the foot and their font, smaller on a square screen.

    Where they would still meet, the keys are left out: the lecturer knows them from a wider one.
    """
    left, right = strip.foot
    size, free = _FOOT, width - 2 * _EDGE - _FOOT_GAP
    while size > _SMALLEST_FOOT and _width(left + right, fonts.sized("step", size)) > free:
        size -= 1.0
    font = fonts.sized("step", size)
    return left if _width(left + right, font) <= free else "", right, font


# choices


class _Inks(NamedTuple):
    """The colours of one choice."""

    outline: QColor
    outline_width: float
    chip: QColor
    letter: QColor
    label: QColor
    hands: QColor


def _inks(choice: RoomChoice, theme: Theme) -> _Inks:
    if choice.state == "open":
        violet = theme.selection
        return _Inks(violet, 2.5, theme.selection_tint, violet, theme.text, violet)
    grey = theme.header_op
    if choice.state == "right":
        return _Inks(theme.text, 5.0, grey, theme.text, theme.text, theme.text)
    return _Inks(theme.outline, 1.5, grey, theme.text, theme.secondary, theme.secondary)


def _paint_choice(
    painter: QPainter, at: QRectF, choice: RoomChoice, label: _Label, theme: Theme
) -> None:
    inks = _inks(choice, theme)
    inset = inks.outline_width / 2
    painter.setPen(QPen(inks.outline, inks.outline_width))
    painter.setBrush(theme.panel)
    painter.drawRoundedRect(at.adjusted(inset, inset, -inset, -inset), _RADIUS, _RADIUS)
    chip = QRectF(at.left() + _CHIP_EDGE, at.top() + _LABEL_CENTRE - _CHIP / 2, _CHIP, _CHIP)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(inks.chip)
    painter.drawRoundedRect(chip, 8.0, 8.0)
    letter = fonts.sized("label", _LETTER)
    _write(painter, choice.letter, letter, inks.letter, chip.center().toTuple(), "middle")
    _paint_label(painter, at, choice, label, inks, theme)


class _Label(NamedTuple):
    """The number or the words of a choice, on one line or two, and their size."""

    lines: tuple[str, ...]
    size: float
    width: float


def _labels(area: QRectF, strip: RoomStrip) -> list[_Label]:
    """Return the labels of all choices in one font size, the same before and at the reveal.

    Each has space for its tick or cross.
    """
    found: list[tuple[tuple[str, ...], float, float]] = []
    for choice, at in zip(strip.choices, _choice_rects(area, strip), strict=True):
        free = at.width() - _LABEL_LEFT - _LABEL_GAP - _TICK_WIDTH - _COUNT_EDGE
        found.append((*_fitted_label(choice.label, free), free))
    size = min((size for _, size, _ in found), default=_LABEL)
    font = fonts.sized("label", size)
    metrics, elide = QFontMetricsF(font), Qt.TextElideMode.ElideRight
    labels: list[_Label] = []
    for lines, _, free in found:
        texts = tuple(metrics.elidedText(line, elide, free + 1) for line in lines)
        labels.append(_Label(texts, size, max(_width(text, font) for text in texts)))
    return labels


def _counts_centre(rects: Sequence[QRectF], labels: Sequence[_Label], strip: RoomStrip) -> float:
    """Return y of the centres of all counts of a reveal, in px below the top of a choice.

    They are on the line of the labels if all fit there, else on the line of the bars.
    """
    for at, label, choice in zip(rects, labels, strip.choices, strict=True):
        needed = _LABEL_LEFT + label.width + _TICK_WIDTH + 2 * _LABEL_GAP + _COUNT_EDGE
        if needed + _counts_width(choice) > at.width():
            return _BAR_CENTRE
    return _LABEL_CENTRE


def _counts_width(choice: RoomChoice) -> float:
    """Return the width of the counts of a revealed choice."""
    return _width(_earlier_text(choice) + str(choice.hands), fonts.sized("label", _COUNT))


def _earlier_text(choice: RoomChoice) -> str:
    """Return the earlier count as a prefix of the present one, "3 → "; "" without one."""
    return "" if choice.earlier is None else f"{choice.earlier} → "


def _fitted_label(label: str, free: float) -> tuple[tuple[str, ...], float]:
    """Return the one or two lines of a label, and the font size in which they fit `free` px."""
    size = _fitting_size((label,), free, _LABEL, _WRAPPED_LABEL)
    words, font = label.split(" "), fonts.sized("label", size)
    if _width(label, font) <= free or len(words) == 1:
        return (label,), _fitting_size((label,), free, size, _SMALLEST_LABEL)
    halves = [(" ".join(words[:k]), " ".join(words[k:])) for k in range(1, len(words))]
    best = min(halves, key=lambda pair: max(_width(half, font) for half in pair))
    return best, _fitting_size(best, free, _WRAPPED_LABEL, _SMALLEST_LABEL)


def _fitting_size(lines: Sequence[str], free: float, size: float, least: float) -> float:
    """Return the largest font size from `size` down to `least` in which lines fit `free` px."""
    while size > least and any(_width(line, fonts.sized("label", size)) > free for line in lines):
        size -= 1.0
    return size


def _paint_label(
    painter: QPainter, at: QRectF, choice: RoomChoice, label: _Label, inks: _Inks, theme: Theme
) -> None:
    """Paint the label of a choice, at the reveal with a tick, or struck through with a cross."""
    font = fonts.sized("label", label.size)
    pitch = QFontMetricsF(font).height()
    left, middle = at.left() + _LABEL_LEFT, at.top() + _LABEL_CENTRE
    for k, line in enumerate(label.lines):
        y = middle + (k - (len(label.lines) - 1) / 2) * pitch
        _write(painter, line, font, inks.label, (left, y))
        if choice.state == "wrong":
            painter.setPen(QPen(inks.label, max(label.size / 12, 2.0)))
            painter.drawLine(QPointF(left - 4, y), QPointF(left + _width(line, font) + 4, y))
    if choice.state != "open":
        x, side = left + label.width + _LABEL_GAP, _VERDICT_SIDE
        square = QRectF(x, middle - side / 2, side, side)
        _paint_verdict(painter, square, choice, theme)


def _paint_verdict(painter: QPainter, square: QRectF, choice: RoomChoice, theme: Theme) -> None:
    """Paint a tick or a cross."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if choice.state == "right":
        painter.setPen(pen(theme.text, 5.0))
        points = [(0.0, 0.55), (0.32, 0.88), (1.15, 0.02)]
        painter.drawPolyline([square.topLeft() + QPointF(x, y) * _VERDICT_SIDE for x, y in points])
        return
    painter.setPen(pen(theme.error, 4.5))
    inner = square.adjusted(4, 4, -4, -4)
    painter.drawLine(inner.topLeft(), inner.bottomRight())
    painter.drawLine(inner.topRight(), inner.bottomLeft())


# hands


def _paint_hands(
    painter: QPainter, at: QRectF, choice: RoomChoice, strip: RoomStrip, theme: Theme
) -> None:
    """Paint the hands of an open question: dots in fives, or a bar above 30, and their count."""
    if not choice.hands:
        return
    font, centre = fonts.sized("label", _COUNT), at.top() + _HANDS_CENTRE
    right = at.right() - _COUNT_EDGE
    _write(painter, str(choice.hands), font, theme.selection, (right, centre), "right")
    left = at.left() + _HANDS_EDGE
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.selection)
    if choice.hands > MOST_DOTS:
        free = right - _width(str(choice.hands), font) - 18 - left
        bar = QRectF(left, centre - _BAR / 2, free, _BAR)
        _paint_bar(painter, bar, choice.hands / max(strip.hands, 1), theme.selection, theme)
        return
    rows = (choice.hands - 1) // _DOTS_IN_ROW
    for k in range(choice.hands):
        row, column = divmod(k, _DOTS_IN_ROW)
        x = left + column * _DOT_PITCH + column // 5 * _FIVES_GAP
        y = centre + (row - rows / 2) * _ROW_PITCH - _DOT / 2
        painter.drawEllipse(QRectF(x, y, _DOT, _DOT))


def _paint_bar(painter: QPainter, rect: QRectF, share: float, ink: QColor, theme: Theme) -> None:
    radius = rect.height() / 2
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.header_op)
    painter.drawRoundedRect(rect, radius, radius)
    if share > 0:
        painter.setBrush(ink)
        filled = max(rect.width() * min(share, 1.0), rect.height())
        painter.drawRoundedRect(
            QRectF(rect.topLeft(), rect.bottomRight()).adjusted(0, 0, filled - rect.width(), 0),
            radius,
            radius,
        )


def _paint_result(
    painter: QPainter,
    at: QRectF,
    choice: RoomChoice,
    strip: RoomStrip,
    counts_y: float,
    theme: Theme,
) -> None:
    """Paint count and bar of the hands, the earlier ones pale, and the sentence of the slip."""
    left, right, hands = at.left() + _CHIP_EDGE, at.right() - _CHIP_EDGE, _inks(choice, theme).hands
    pale = mixed(theme.panel, theme.secondary, 0.45)
    if strip.hands or strip.earlier_hands:
        on_bar_line = counts_y == _BAR_CENTRE
        font = fonts.sized("label", _COUNT_AT_BAR if on_bar_line else _COUNT)
        end, y = at.right() - _COUNT_EDGE, at.top() + counts_y
        begin = end - _write(painter, str(choice.hands), font, hands, (end, y), "right")
        begin -= _write(painter, _earlier_text(choice), font, pale, (begin, y), "right")
        if on_bar_line:
            right = begin - _LABEL_GAP
        bar = QRectF(left, at.top() + _BAR_CENTRE - _BAR / 2, right - left, _BAR)
        if choice.earlier is not None:
            upper = QRectF(bar.left(), bar.top() - 2, bar.width(), bar.height() / 2)
            _paint_bar(painter, upper, choice.earlier / max(strip.earlier_hands, 1), pale, theme)
            bar = upper.translated(0, bar.height() / 2 + 4)
        _paint_bar(painter, bar, choice.hands / max(strip.hands, 1), hands, theme)
    if choice.say:
        free = QRectF(at).adjusted(_SAY_EDGE, _SAY_TOP, -_SAY_EDGE, -_SAY_BOTTOM)
        lines, words = _say_lines(choice.say, free.size())
        paint_lines(painter, free.topLeft(), lines, words, theme)


_MOST_SAY_LINES: Final = 4
"""More lines than a card has room for at the smallest font are cut off."""


def _say_lines(say: str, free: QSizeF) -> tuple[Sequence[TextLine], QFont]:
    """Return the lines of a choice's sentence, in a smaller font if they are more than fit."""
    size = _SAY
    while True:
        font = fonts.sized("step", size)
        lines = lay_out((Span(say),), font, free.width())
        if size <= _SMALLEST_SAY or lines_height(lines) <= free.height():
            return lines[:_MOST_SAY_LINES], font
        size -= 1


# texts


def _width(text: str, font: QFont) -> float:
    return QFontMetricsF(font).horizontalAdvance(text)


def _write(
    painter: QPainter,
    text: str,
    font: QFont,
    color: QColor,
    at: tuple[float, float],
    align: Align = "left",
) -> float:
    """Write a text with capitals centred on y; return its width in px."""
    metrics, wide = QFontMetricsF(font), _width(text, font)
    x = at[0] - {"left": 0.0, "right": wide, "middle": wide / 2}[align]
    paint_on_baseline(painter, QPointF(x, at[1] + metrics.capHeight() / 2), font, text, color)
    return wide


@exception_safe
class RoomStripView(QWidget):
    """Shows a strip in the strip of a presentation, and announces the answer at the reveal."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self.strip: RoomStrip | None = None
        """The shown strip, or None before the first."""
        style.changed.connect(self.update)

    def show_strip(self, strip: RoomStrip) -> None:
        """Show a strip; announce a reveal to screen readers."""
        before, self.strip = self.strip, strip
        if strip == before:
            return
        self.setAccessibleName(plain_text(strip.sentence))
        self.setAccessibleDescription(spoken_strip(strip))
        was_open = before is not None and before.kind != "reveal"
        if strip.kind == "reveal" and was_open and QAccessible.isActive():
            spoken = QAccessibleAnnouncementEvent(self, spoken_strip(strip))
            QAccessible.updateAccessibility(spoken)
        self.update()

    # Qt's events

    def sizeHint(self) -> QSize:
        """Return the size on a screen 1920 × 1080."""
        return QSize(1920, round(_HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the strip."""
        if self.strip is not None:
            with QPainter(self) as painter:
                paint_room_strip(painter, QRectF(self.rect()), self.strip, self._style)
