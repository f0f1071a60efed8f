"""What is painted: the texts of nodes, of wire labels and of the seed, read off a painter."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QImage, QPainter

from app.canvas.appearance.looks import LabelLook, NodeLook
from app.canvas.paint.node_painting import paint_node
from app.canvas.paint.wires import paint_label
from app.document.node_sizes import (
    body_height,
    caption_middle,
    ledger_height,
    name_suffix,
    number_middle,
)
from app.style import sizes
from app.style.strokes import elided
from app.style.theme import THEMES

WIDE = 900.0
"""Width in which a node is painted, so that all its texts have room, in px."""
LEFT = 60.0
"""Width of an op's left column there."""
BASELINE = 5.0
"""Distance of a text's baseline from its middle line, give or take 2 px."""
PILL = 24.0
NEAR = 5.0


class Text(NamedTuple):
    """A text as it is painted, with the middle of its line and its left end."""

    y: float
    x: float
    text: str


class Recorder(QPainter):
    """A painter that keeps what is written, and whether a line was drawn through it."""

    def __init__(self, device: QImage) -> None:
        super().__init__(device)
        self.written: list[Text] = []
        self.struck: list[tuple[float, float]] = []

    def drawText(self, where: QPointF, text: str) -> None:  # type: ignore[override]
        at = self.transform().map(where)
        self.written.append(Text(at.y() - BASELINE, at.x(), text))

    def drawLine(self, *places: QPointF | QLineF) -> None:  # type: ignore[override]
        if len(places) == 2 and isinstance(places[0], QPointF) and self.written:
            start, end = (self.transform().map(p) for p in places if isinstance(p, QPointF))
            y, x, _text = self.written[-1]
            through = abs(end.y() - y) < NEAR and abs(x - 1 - start.x()) < 0.6
            if through and abs(start.y() - end.y()) < 0.1:
                self.struck.append(self.written.pop()[:2])


@lru_cache(maxsize=20_000)
def painted_node(look: NodeLook) -> tuple[tuple[str, str, int], ...]:
    """The texts of a node as they are painted: (place, text, slot or −1)."""
    body = PILL if look.kind == "pill" else body_height(look.kind, len(look.body.plugged))
    above = 0.0 if look.correct is None else ledger_height(len(look.correct.chips))
    own = body + above
    strip = own + ledger_height(len(look.ledger.chips))
    high = strip + 60.0 if look.correct else own + (strip - own if look.ledger.chips else 0.0)
    left = LEFT if look.kind == "op" else 0.0
    picture = QImage(1, 1, QImage.Format.Format_ARGB32)
    painter = Recorder(picture)
    paint_node(painter, look, WIDE, high, left, THEMES["light"])
    painter.end()
    if look.kind == "pill":
        return tuple(("row", found.text, -1) for found in painter.written)
    top = [found for found in painter.written if found.y < sizes.NODE_HEADER]
    rest = sorted(found for found in painter.written if sizes.NODE_HEADER <= found.y < body)
    lane = [found for found in painter.written if own <= found.y < strip or not look.correct]
    lane = [found for found in lane if found.y >= body]
    correct = sorted((found.x, found.text) for found in painter.written if body <= found.y < own)
    causes = sorted(found for found in painter.written if found.y >= strip and look.correct)
    return (
        *_header(look, top),
        *_slots(look, rest),
        *_rows(look, rest),
        *_ledger(lane, [at for at in painter.struck if at[0] >= body]),
        *((("correct lane", _joined([text for _x, text in correct]), -1),) if correct else ()),
        *((("cause", " ".join(found.text for found in causes), -1),) if causes else ()),
    )


def _header(look: NodeLook, texts: list[Text]) -> Iterator[tuple[str, str, int]]:
    """The badge and the flag; label, symbol and formula are no statements."""
    label = elided(look.texts.label, "label", sizes.LABEL_WIDTH)
    formulas = look.texts.captions
    for y, _x, text in texts:
        if text.startswith("✘"):
            yield "flag", text, -1
        elif look.badge and text == str(look.badge) and y < 5:
            yield "badge", text, -1
        elif text not in {*formulas, look.body.symbol, label, name_suffix(label, look.texts.name)}:
            yield "header", text, -1


def _slots(look: NodeLook, texts: list[Text]) -> Iterator[tuple[str, str, int]]:
    """What stands at each slot of an op: along what its derivative is, and below its number."""
    for slot in range(len(look.body.plugged) if look.kind == "op" else 0):
        lines = (caption_middle(look.kind, slot), number_middle(look.kind, slot))
        found = [_on_line(texts, y, 0.0, LEFT) for y in lines]
        yield "local", " ".join(text for line in found for text in line), slot


def _rows(look: NodeLook, texts: list[Text]) -> Iterator[tuple[str, str, int]]:
    """Value and gradient, each with its caption, beside it or above it, first."""
    left = LEFT if look.kind == "op" else 0.0
    read = 0
    for place in range(1 if look.grad is None else 2):
        caption, number = (at(look.kind, place) for at in (caption_middle, number_middle))
        above = [] if caption == number else _on_line(texts, caption, left, WIDE)
        row = above + _on_line(texts, number, left, WIDE)
        read += len(row)
        yield "row", " ".join(row), -1
    if read != sum(found.x >= left for found in texts):
        yield "elsewhere", " ".join(found.text for found in texts), -1


def _on_line(texts: list[Text], y: float, left: float, right: float) -> list[str]:
    """The texts on a line between two edges, from left to right."""
    on_it = [found for found in texts if abs(found.y - y) < NEAR and left <= found.x < right]
    return [found.text for found in sorted(on_it, key=lambda found: found.x)]


def _ledger(texts: list[Text], struck: list[tuple[float, float]]) -> Iterator[tuple[str, str, int]]:
    """The lane of chips and its sum, line after line."""
    if not any("=" in found.text for found in texts):
        yield from (("lane", found.text, -1) for found in texts)
        return
    line = sizes.LEDGER_LINE
    top = min(y for y, *_rest in (*texts, *struck))
    place = {found: (round((found.y - top) / line), found.x) for found in texts}
    lost = [(round((y - top) / line), x) for y, x in struck]
    order = sorted(texts, key=place.__getitem__)
    pieces = [found.text for found in order]
    first = 0 if lost and min(lost) < place[order[0]] else 1  # behind a struck start
    yield "ledger", " ".join(pieces[:first] + [_summand(text) for text in pieces[first:]]), -1


def _joined(pieces: list[str]) -> str:
    return " ".join(pieces[:1] + [_summand(text) for text in pieces[1:]])


def _summand(text: str) -> str:
    """A chip as a summand; one that is 0 or rounded carries no plus of its own."""
    bare = text[:1].isdigit() or text[:1] in "≈in"
    return f"+ {text}" if bare and not text.endswith(" more") and "left" not in text else text


@lru_cache(maxsize=20_000)
def painted_label(look: LabelLook, short: bool = False) -> str:
    """A label as it is painted, its upper line first."""
    rect = QRectF(0, 0, WIDE, sizes.LABEL)
    picture = QImage(1, 1, QImage.Format.Format_ARGB32)
    painter = Recorder(picture)
    paint_label(painter, look, rect, THEMES["light"], short)
    painter.end()
    lower = rect.center().y() + NEAR
    written = sorted(painter.written, key=lambda found: (found.y > lower, found.x))
    return " ".join(found.text.strip() for found in written)
