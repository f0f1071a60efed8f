"""Coloured text: spans laid out into lines and painted, without Qt's rich text; RichLine, a label
of spans.

Lines break at spaces (not at no-break spaces), and inside a word only if it is wider than the line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QLineF, QPointF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from app.controls.spans import Span, Spans, append_span, plain_text
from app.guard import exception_safe
from app.style.current import Style
from app.style.fonts import CODE
from app.style.strokes import antialiased, paint_on_baseline
from app.style.theme import Theme

LINE_SPACING: Final = 1.2
"""Distance of two baselines, in heights of the lowest line."""
ENDLESS: Final = 1e9
"""A width in px in which no text needs a second line."""

_FRACTION_PAD: Final = 0.15
"""Space left and right of a fraction, as a share of the height of its font."""
_FRACTION_GAP: Final = 0.12
"""Space between the bar of a fraction and its texts, as a share of the height of their font."""
_BAR_HEIGHT: Final = 0.36
"""Height of a fraction bar above the baseline, as a share of the ascent."""
_TOKENS: Final = re.compile(r"\n|[ \t]+|[^ \t\n]+")
"""Line ends, runs of spaces, and words."""


class Piece(Struct, frozen=True):
    """A span, or a part of one, with its distance `x` from the left end of its line, in px."""

    span: Span
    x: float
    width: float


class TextLine(Struct, frozen=True):
    """Pieces on the same line, with its width and its extent around the baseline, in px."""

    pieces: tuple[Piece, ...]
    width: float
    ascent: float
    """Height above the baseline, with the numerators of fractions."""
    descent: float
    """Height below the baseline, with the denominators of fractions."""


def role_color(role: str, theme: Theme) -> QColor:
    """Return the colour of a role: one of the theme's, or one with a number.

    `sibling 2` is a node's outgoing wire with this index, `blank 1` a blank; all blanks look alike.
    """
    if role.startswith("sibling "):
        return theme.sibling(int(role.removeprefix("sibling ")))
    if role.startswith("blank "):
        return theme.selection
    color: QColor = getattr(theme, role)
    return color


def lay_out(spans: Sequence[Span], font: QFont, width: float) -> tuple[TextLine, ...]:
    """Break the spans into lines no wider than width."""
    # the font is a key of the cache, so the caller must not be able to change it later
    return _broken_lines(tuple(spans), QFont(font), float(width))


@lru_cache(maxsize=512)
def _broken_lines(spans: tuple[Span, ...], font: QFont, width: float) -> tuple[TextLine, ...]:
    if _can_be_one_line(spans):  # most texts are; their line is cached for all widths
        line = _single_line(spans, font)
        if line.width <= width:
            return (line,)
    # greedy: a word that does not fit begins a row; spaces stay at the end of theirs
    rows: list[list[Span]] = [[]]
    row_width = 0.0
    for group, group_width in _unbreakable_groups(spans, font, width):
        is_space, is_line_end = _is_space(group[0]), group[0].text == "\n"
        if is_line_end or (rows[-1] and not is_space and row_width + group_width > width):
            rows.append([])
            row_width = 0.0
        if not is_space or (rows[-1] and not is_line_end):  # none at the beginning of a row
            rows[-1] += group
            row_width += group_width
    return tuple(_line(row, font) for row in rows)


def _can_be_one_line(spans: tuple[Span, ...]) -> bool:
    """Return whether a text has no line end, and no space at either end to be stripped."""
    if not spans or any("\n" in span.text for span in spans):
        return False
    first, last = spans[0], spans[-1]
    return not (first.text[:1].isspace() or last.text[-1:].isspace())


@lru_cache(maxsize=256)
def _single_line(spans: tuple[Span, ...], font: QFont) -> TextLine:
    """Return a text on one line; cached apart from `_broken_lines`, for all widths together."""
    return _line(list(spans), font)


def elided(spans: Spans, font: QFont, width: float) -> Spans:
    """Return spans for one line of this width in px, with the last one elided."""
    *others, last = spans
    free_width = width - sum(_width(span, font) for span in others)
    text = _metrics(last, font).elidedText(last.text, Qt.TextElideMode.ElideRight, free_width)
    return (*others, replace(last, text=text))


def height(lines: Sequence[TextLine]) -> float:
    """Return the height of all lines including line spacing."""
    return sum(line.ascent + line.descent for line in lines) + _total_spacing(lines)


def flushed_right(lines: Sequence[TextLine], width: float) -> tuple[TextLine, ...]:
    """Return the lines right-aligned in a box of this width in px."""
    return tuple(
        replace(line, pieces=tuple(replace(p, x=p.x + width - line.width) for p in line.pieces))
        for line in lines
    )


def paint_lines(
    painter: QPainter,
    corner: QPointF,
    lines: Sequence[TextLine],
    font: QFont,
    theme: Theme,
    enabled: bool = True,
) -> None:
    """Paint lines with their upper left corner at `corner`."""
    gap = _total_spacing(lines) / max(len(lines) - 1, 1)
    top = corner.y()
    for line in lines:
        baseline = QPointF(corner.x(), top + line.ascent)
        for piece in line.pieces:
            color = role_color(piece.span.role if enabled else "secondary", theme)
            _paint_piece(painter, baseline + QPointF(piece.x, 0), piece, font, color)
        top += line.ascent + line.descent + gap


def _unbreakable_groups(
    spans: tuple[Span, ...], font: QFont, width: float
) -> Iterator[tuple[Sequence[Span], float]]:
    """Yield words, spaces and line ends with their widths; a word wider than a line in parts."""
    for word, word_width in _measured_words(spans, font):
        if word_width <= width or _is_space(word[0]):
            yield word, word_width
            continue
        parts = [part for token in word for part in _cut_to_width(token, font, width)]
        yield from (((part,), _width(part, font)) for part in parts)


@lru_cache(maxsize=256)
def _measured_words(spans: tuple[Span, ...], font: QFont) -> Sequence[tuple[Sequence[Span], float]]:
    """Return the words, spaces and line ends with their widths, for lines of any width."""
    words: list[list[Span]] = [[]]
    for token in _tokens(spans):
        if _is_space(token):
            words += [[token], []]
        else:
            words[-1].append(token)  # a word may have spans of several roles
    return [(word, sum(_width(part, font) for part in word)) for word in words if word]


def _is_space(span: Span) -> bool:
    return not span.under and not span.text.strip(" \t\n")


def _tokens(spans: Sequence[Span]) -> Iterator[Span]:
    """Yield the spans, cut at line ends and around spaces; a fraction stays whole."""
    for span in spans:
        if span.under:
            yield span
        else:
            yield from (replace(span, text=text) for text in _TOKENS.findall(span.text))


def _cut_to_width(token: Span, font: QFont, width: float) -> list[Span]:
    """Halve a token until each part fits into the width."""
    if token.under or len(token.text) < 2 or _width(token, font) <= width:
        return [token]
    middle = len(token.text) // 2
    left, right = replace(token, text=token.text[:middle]), replace(token, text=token.text[middle:])
    return _cut_to_width(left, font, width) + _cut_to_width(right, font, width)


def _line(row: list[Span], font: QFont) -> TextLine:
    while row and _is_space(row[-1]):
        row = row[:-1]
    metrics = _metrics(Span(""), font)
    ascent, descent, x = metrics.ascent(), metrics.descent(), 0.0
    pieces: list[Piece] = []
    spans: list[Span] = []
    for span in row:
        append_span(spans, span)  # adjacent words with the same marks are painted at once
    for span in spans:
        width = _width(span, font)
        pieces.append(Piece(span, x, width))
        x += width
        if span.under:
            above, below = _fraction_extent(_metrics(span, font))
            ascent, descent = max(ascent, above), max(descent, below)
    return TextLine(tuple(pieces), x, ascent, descent)


def _total_spacing(lines: Sequence[TextLine]) -> float:
    if len(lines) < 2:
        return 0.0
    lowest = min(line.ascent + line.descent for line in lines)  # one without a fraction
    return (LINE_SPACING - 1) * lowest * (len(lines) - 1)


def _paint_piece(painter: QPainter, at: QPointF, piece: Piece, font: QFont, color: QColor) -> None:
    span = piece.span
    metrics = _metrics(span, font)
    own = _font(span, font)
    if not span.under:
        paint_on_baseline(painter, at, own, span.text, color)
        return
    painter.setPen(QPen(color, max(1.0, metrics.lineWidth())))
    painter.setFont(own)
    bar_y = at.y() - metrics.ascent() * _BAR_HEIGHT
    gap = metrics.height() * _FRACTION_GAP
    for text, y in (
        (span.text, bar_y - gap - metrics.descent()),
        (span.under, bar_y + gap + metrics.ascent()),
    ):
        indent = (piece.width - metrics.horizontalAdvance(text)) / 2
        painter.drawText(QPointF(at.x() + indent, y), text)
    pad = metrics.height() * _FRACTION_PAD / 2
    painter.drawLine(QLineF(at.x() + pad, bar_y, at.x() + piece.width - pad, bar_y))


def _fraction_extent(metrics: QFontMetricsF) -> tuple[float, float]:
    """Return how far a fraction extends above and below the baseline."""
    bar_height = metrics.ascent() * _BAR_HEIGHT
    half = metrics.height() * (1 + _FRACTION_GAP)  # from the bar: its gap and one text
    return bar_height + half, half - bar_height


@lru_cache(maxsize=2048)
def _width(span: Span, font: QFont) -> float:
    metrics = _metrics(span, font)
    if not span.under:
        return metrics.horizontalAdvance(span.text)
    widest = max(metrics.horizontalAdvance(text) for text in (span.text, span.under))
    return widest + 2 * metrics.height() * _FRACTION_PAD


def _metrics(span: Span, font: QFont) -> QFontMetricsF:
    return _font_metrics(_font(span, font))


@lru_cache(maxsize=64)
def _font_metrics(font: QFont) -> QFontMetricsF:
    return QFontMetricsF(font)


def _font(span: Span, font: QFont) -> QFont:
    if not (span.code or span.bold or span.strike):
        return font
    return _changed_font(QFont(font), span.code, span.bold, span.strike)


@lru_cache(maxsize=64)
def _changed_font(font: QFont, code: bool, bold: bool, strike: bool) -> QFont:
    result = QFont(font)
    if code:
        result.setFamilies(CODE)
        result.setPixelSize(max(1, round(font.pixelSize() * 0.92)))  # DejaVu is wider than Inter
    if bold:  # as the strong roles of the type table: SemiBold in small text
        result.setWeight(QFont.Weight.Bold if font.pixelSize() > 14 else QFont.Weight.DemiBold)
    result.setStrikeOut(strike)
    return result


_LEAST_WIDTH = 4
"""Least width of a label that wraps, in heights of a line."""


@exception_safe
class RichLine(QLabel):
    """Spans in the colours of the theme; wraps, and is plain text to assistive technology."""

    def __init__(
        self,
        style: Style,
        spans: Sequence[Span] = (),
        font_role: str = "step",
        wrap: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._style = style
        self._font_role = font_role
        self._wrap = wrap
        self._spans: tuple[Span, ...] = ()
        self._lines_by_width: dict[float, tuple[TextLine, ...]] = {}
        """A cache: a Qt layout asks for the height at several widths, repeatedly."""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(wrap)
        self.setSizePolicy(policy)
        style.run_now_and_on_change(self._restyle)
        self.set_spans(spans)

    def spans(self) -> tuple[Span, ...]:
        """Return the shown spans."""
        return self._spans

    def set_spans(self, spans: Sequence[Span]) -> None:
        """Replace the spans."""
        if tuple(spans) == self._spans:
            return
        self._spans = tuple(spans)
        self.setText(plain_text(self._spans))
        self.setAccessibleName(self.text())
        self._drop_layout()

    def set_font_role(self, role: str) -> None:
        """Change the font to that of another role."""
        if role != self._font_role:
            self._font_role = role
            self._restyle()

    def lines(self) -> tuple[TextLine, ...]:
        """Return the lines at the current width."""
        return self._lines_at(self.contentsRect().width() if self._wrap else ENDLESS)

    def _lines_at(self, width: float) -> tuple[TextLine, ...]:
        if width not in self._lines_by_width:
            font = self._style.font(self._font_role)
            self._lines_by_width[width] = lay_out(self._spans, font, width)
        return self._lines_by_width[width]

    def _size(self, width: float) -> QSize:
        lines = self._lines_at(width)
        margins = self.contentsMargins()
        widest = max(line.width for line in lines)
        return QSize(
            math.ceil(widest) + margins.left() + margins.right(),
            math.ceil(height(lines)) + margins.top() + margins.bottom(),
        )

    def _restyle(self) -> None:
        self.setFont(self._style.font(self._font_role))
        self._drop_layout()

    def _drop_layout(self) -> None:
        self._lines_by_width.clear()
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        return self._wrap

    def heightForWidth(self, width: int) -> int:
        return self._size(width).height() if self._wrap else -1

    def sizeHint(self) -> QSize:
        return self._size(ENDLESS)

    def minimumSizeHint(self) -> QSize:
        if not self._wrap:  # it may be cut off
            return QSize(0, self.sizeHint().height())
        metrics = QFontMetricsF(self._style.font(self._font_role))
        return QSize(math.ceil(metrics.height() * _LEAST_WIDTH), math.ceil(metrics.height()))

    def paintEvent(self, event: QPaintEvent) -> None:
        lines = self.lines()
        rect = self.contentsRect()
        free_height = rect.height() - height(lines)
        centred = bool(self.alignment() & Qt.AlignmentFlag.AlignVCenter)
        top = rect.top() + (free_height / 2 if centred and free_height > 0 else 0.0)
        if self.alignment() & Qt.AlignmentFlag.AlignRight:
            lines = flushed_right(lines, rect.width())
        with antialiased(self) as painter:
            font = self._style.font(self._font_role)
            corner = QPointF(rect.left(), top)
            paint_lines(painter, corner, lines, font, self._style.theme, self.isEnabled())
