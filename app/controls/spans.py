"""Spans: pieces of coloured text, made of templates; rows of a list. No Qt, see `rich_text`.

A span is a piece of text with one role; `under` makes it a fraction, as in ∂L over ∂a.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import groupby
from string import Formatter

from msgspec import Struct
from msgspec.structs import replace


class Span(Struct, frozen=True):
    """A piece of text with one role, which gives its colour: see `role_color`.

    `strike` strikes it through, `code` writes it in the font of programs.
    """

    text: str
    role: str = "text"
    bold: bool = False
    strike: bool = False
    code: bool = False
    under: str = ""
    """The denominator of a fraction with `text` as its numerator."""


Spans = tuple[Span, ...]


class ListRow(Struct, frozen=True):
    """A row of coloured texts, one in each column."""

    cells: tuple[Spans, ...]
    """The text of each column, from the left."""
    spoken: str
    """The row as a screen reader says it."""
    below: Spans = ()
    """A second line below the columns."""
    tone: str = ""
    """"", "now", "asked", "wrong", "off" or "code": its background. One that is "off" is grey and
    can't be chosen."""
    tooltip: str = ""
    """Shown where a text is cut off; without one `spoken` is."""
    choice: str = ""
    """State of a circle before the texts: "open", "chosen" or "wrong"; "" for no circle."""


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
            bold ^= k > 0  # each ** between two parts switches it
            append_span(spans, Span(part, role, bold))
        field = fields[name] if name else ()
        if isinstance(field, str):
            field = Span(field, role, bold)
        for span in (field,) if isinstance(field, Span) else field:
            append_span(spans, span)
    return tuple(spans)


def verbatim(text: str, role: str = "text") -> Spans:
    """Return a text that is no template: a label or typed text in it may have any marks."""
    return (Span(text, role),) if text else ()


def on_lines(lines: Iterable[Sequence[Span]]) -> Spans:
    """Return the spans of several lines, joined by line ends."""
    spans = [span for line in lines for span in (Span("\n"), *line)]
    return tuple(spans[1:])  # without the line end before the first line


def append_span(spans: list[Span], span: Span) -> None:
    """Append a span, or its text to the last span if that has the same marks."""
    if spans and not span.under and replace(spans[-1], text="") == replace(span, text=""):
        span = replace(span, text=spans.pop().text + span.text)
    if span.text:
        spans.append(span)


def plain_text(spans: Sequence[Span]) -> str:
    """Return the spans as plain text for screen readers and the clipboard.

    Struck text is marked in words: `(overwritten: 3)`.
    """
    text = ""
    for struck, run in groupby(spans, lambda span: span.strike):
        part = "".join(f"{span.text}/{span.under}" if span.under else span.text for span in run)
        text += f"(overwritten: {part.strip()})" if struck else part
    return text
