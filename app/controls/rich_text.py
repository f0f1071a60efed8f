"""Coloured text: spans laid out into lines and painted, without Qt's rich text.

A span is a piece of text with one role; `under` makes it a fraction, as in ∂L over ∂a. Lines break
at spaces (not at no-break spaces), and inside a word only if it is wider than the line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from string import Formatter
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from app.style.fonts import CODE
from app.style.theme import Theme

LINE_SPACING: Final = 1.2
ENDLESS: Final = 1e9
"""A width in px in which no text needs a second line."""

_FRACTION_PAD: Final = 0.15
_FRACTION_GAP: Final = 0.12
_AXIS: Final = 0.36
"""Height of a fraction bar above the baseline, as a share of the ascent."""
_PIECES: Final = re.compile(r"\n|[ \t]+|[^ \t\n]+")


class Span(Struct, frozen=True):
    """A piece of text with one role, which gives its colour: see `role_color`."""

    text: str
    role: str = "text"
    bold: bool = False
    strike: bool = False
    code: bool = False
    under: str = ""


Spans = tuple[Span, ...]


class Piece(Struct, frozen=True):
    """A span, or a part of one, with its position on a line."""

    span: Span
    x: float
    width: float


class TextLine(Struct, frozen=True):
    """Pieces on the same line."""

    pieces: tuple[Piece, ...]
    width: float
    ascent: float
    descent: float


def number_span(x: float, role: str, text: str) -> Span:
    """Return an emphasised number, in the error colour if it is not finite."""
    return Span(text, role if math.isfinite(x) else "error", bold=True)


def filled(template: str, role: str = "text", /, **fields: Span | Sequence[Span] | str) -> Spans:
    """Return a template such as `**{node}** got {upstream}` as spans.

    Words of the template, and fields that are text, have `role`; text between two `**` is bold.
    A field that is a span, or several, keeps its own marks.
    """
    spans: list[Span] = []
    bold = False
    for words, name, _format, _conversion in Formatter().parse(template):
        for k, part in enumerate(words.split("**")):
            bold ^= k > 0
            _append(spans, Span(part, role, bold))
        found = fields[name] if name else ()
        if isinstance(found, str):
            found = Span(found, role, bold)
        for span in (found,) if isinstance(found, Span) else found:
            _append(spans, span)
    return tuple(spans)


def verbatim(text: str, role: str = "text") -> Spans:
    """Return a text that is no template: a label or typed text in it may have any marks."""
    return (Span(text, role),) if text else ()


def on_lines(lines: Iterable[Sequence[Span]]) -> Spans:
    """Return spans, each of these on a line of its own."""
    spans = [span for line in lines for span in (Span("\n"), *line)]
    return tuple(spans[1:])


def _append(spans: list[Span], span: Span) -> None:
    """Append a span, or lengthen the last one where it has the same marks."""
    if spans and not span.under and replace(spans[-1], text="") == replace(span, text=""):
        span = replace(span, text=spans.pop().text + span.text)
    if span.text:
        spans.append(span)


def plain_text(spans: Sequence[Span]) -> str:
    """Return the spans as plain text for screen readers and the clipboard; names struck text."""
    text = ""
    for struck, run in groupby(spans, lambda span: span.strike):
        part = "".join(f"{span.text}/{span.under}" if span.under else span.text for span in run)
        text += f"(overwritten: {part.strip()})" if struck else part
    return text


def role_color(role: str, theme: Theme) -> QColor:
    """Return the colour of a role: one of the theme's, or that of `sibling 2` or `blank 1`."""
    if role.startswith("sibling "):
        return theme.sibling(int(role.removeprefix("sibling ")))
    if role.startswith("blank "):
        return theme.selection
    color: QColor = getattr(theme, role)
    return color


def lay_out(spans: Sequence[Span], font: QFont, width: float) -> tuple[TextLine, ...]:
    """Break the spans into lines no wider than width."""
    return _laid_out(tuple(spans), QFont(font), float(width))


@lru_cache(maxsize=512)
def _laid_out(spans: tuple[Span, ...], font: QFont, width: float) -> tuple[TextLine, ...]:
    if _is_one_line(spans):
        whole = _whole_line(spans, font)
        if whole.width <= width:
            return (whole,)
    rows: list[list[Span]] = [[]]
    taken = 0.0
    for word, wide in _words(spans, font, width):
        is_space = _is_space(word[0])
        if word[0].text == "\n" or (rows[-1] and not is_space and taken + wide > width):
            rows.append([])
            taken = 0.0
        if not is_space or (rows[-1] and word[0].text != "\n"):
            rows[-1] += word
            taken += wide
    return tuple(_line(row, font) for row in rows)


def _is_one_line(spans: tuple[Span, ...]) -> bool:
    """Return whether nothing but its width breaks a text, and it has no spaces at its ends."""
    if not spans or any("\n" in span.text for span in spans):
        return False
    first, last = spans[0], spans[-1]
    return not (first.text[:1].isspace() or last.text[-1:].isspace())


@lru_cache(maxsize=256)
def _whole_line(spans: tuple[Span, ...], font: QFont) -> TextLine:
    return _line(list(spans), font)


def elided(spans: Spans, font: QFont, width: float) -> Spans:
    """Return spans for one line, the last of which is elided as far as a width in px demands."""
    *before, last = spans
    room = width - sum(_width(span, font) for span in before)
    text = _metrics(last, font).elidedText(last.text, Qt.TextElideMode.ElideRight, room)
    return (*before, replace(last, text=text))


def height(lines: Sequence[TextLine]) -> float:
    """Return the height of all lines including line spacing."""
    return sum(line.ascent + line.descent for line in lines) + _gaps(lines)


def flushed_right(lines: Sequence[TextLine], width: float) -> tuple[TextLine, ...]:
    """Return the lines right-aligned in a box of this width in px."""
    return tuple(
        replace(line, pieces=tuple(replace(p, x=p.x + width - line.width) for p in line.pieces))
        for line in lines
    )


def paint_lines(
    painter: QPainter,
    place: QPointF,
    lines: Sequence[TextLine],
    font: QFont,
    theme: Theme,
    enabled: bool = True,
) -> None:
    """Paint lines with their upper left corner at `place`."""
    gap = _gaps(lines) / max(len(lines) - 1, 1)
    top = place.y()
    for line in lines:
        baseline = QPointF(place.x(), top + line.ascent)
        for piece in line.pieces:
            color = role_color(piece.span.role if enabled else "secondary", theme)
            _paint_piece(painter, baseline + QPointF(piece.x, 0), piece, font, color)
        top += line.ascent + line.descent + gap


def _words(
    spans: tuple[Span, ...], font: QFont, width: float
) -> Iterator[tuple[Sequence[Span], float]]:
    """Yield unbreakable groups of pieces with their widths: words, spaces, line ends."""
    for word, wide in _measured(spans, font):
        if wide <= width or _is_space(word[0]):
            yield word, wide
            continue
        parts = [part for piece in word for part in _fit_span(piece, font, width)]
        yield from (((part,), _width(part, font)) for part in parts)


@lru_cache(maxsize=256)
def _measured(spans: tuple[Span, ...], font: QFont) -> Sequence[tuple[Sequence[Span], float]]:
    """Return the words, spaces and line ends with their widths, which no line's width changes."""
    words: list[list[Span]] = [[]]
    for piece in _pieces(spans):
        if _is_space(piece):
            words += [[piece], []]
        else:
            words[-1].append(piece)
    return [(word, sum(_width(piece, font) for piece in word)) for word in words if word]


def _is_space(span: Span) -> bool:
    return not span.under and not span.text.strip(" \t\n")


def _pieces(spans: Sequence[Span]) -> Iterator[Span]:
    for span in spans:
        if span.under:
            yield span
        else:
            yield from (replace(span, text=text) for text in _PIECES.findall(span.text))


def _fit_span(piece: Span, font: QFont, width: float) -> list[Span]:
    """Cut a piece that is wider than the line into parts that are not."""
    if piece.under or len(piece.text) < 2 or _width(piece, font) <= width:
        return [piece]
    middle = len(piece.text) // 2
    left, right = replace(piece, text=piece.text[:middle]), replace(piece, text=piece.text[middle:])
    return _fit_span(left, font, width) + _fit_span(right, font, width)


def _line(row: list[Span], font: QFont) -> TextLine:
    while row and _is_space(row[-1]):
        row = row[:-1]
    metrics = _metrics(Span(""), font)
    ascent, descent, x = metrics.ascent(), metrics.descent(), 0.0
    pieces: list[Piece] = []
    spans: list[Span] = []
    for span in row:
        _append(spans, span)  # words of one look are painted at once
    for span in spans:
        width = _width(span, font)
        pieces.append(Piece(span, x, width))
        x += width
        if span.under:
            over, below = _fraction_extent(_metrics(span, font))
            ascent, descent = max(ascent, over), max(descent, below)
    return TextLine(tuple(pieces), x, ascent, descent)


def _gaps(lines: Sequence[TextLine]) -> float:
    if len(lines) < 2:
        return 0.0
    usual = min(line.ascent + line.descent for line in lines)
    return (LINE_SPACING - 1) * usual * (len(lines) - 1)


def _paint_piece(painter: QPainter, at: QPointF, piece: Piece, font: QFont, color: QColor) -> None:
    span = piece.span
    metrics = _metrics(span, font)
    painter.setPen(QPen(color, max(1.0, metrics.lineWidth())))
    painter.setFont(_font(span, font))
    if not span.under:
        painter.drawText(at, span.text)
        return
    axis = at.y() - metrics.ascent() * _AXIS
    gap = metrics.height() * _FRACTION_GAP
    for text, y in (
        (span.text, axis - gap - metrics.descent()),
        (span.under, axis + gap + metrics.ascent()),
    ):
        indent = (piece.width - metrics.horizontalAdvance(text)) / 2
        painter.drawText(QPointF(at.x() + indent, y), text)
    pad = metrics.height() * _FRACTION_PAD / 2
    painter.drawLine(QLineF(at.x() + pad, axis, at.x() + piece.width - pad, axis))


def _fraction_extent(metrics: QFontMetricsF) -> tuple[float, float]:
    """Return how far a fraction extends above and below the baseline."""
    axis = metrics.ascent() * _AXIS
    half = metrics.height() * (1 + _FRACTION_GAP)
    return axis + half, half - axis


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
        result.setPixelSize(max(1, round(font.pixelSize() * 0.92)))
    if bold:
        result.setWeight(QFont.Weight.Bold if font.pixelSize() > 14 else QFont.Weight.DemiBold)
    result.setStrikeOut(strike)
    return result
