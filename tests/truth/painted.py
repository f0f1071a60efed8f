"""What is painted: the texts of nodes and of wire labels, read off a painter."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QImage, QPainter

from app.canvas.appearance.look import LabelLook, NodeLook
from app.canvas.paint.nodes import paint_node
from app.canvas.paint.wires import paint_label
from app.style.theme import THEMES


class Recorder(QPainter):
    """A painter that keeps what is written, and whether a line was drawn through it."""

    def __init__(self, device: QImage) -> None:
        super().__init__(device)
        self.written: list[tuple[float, float, str]] = []
        self.struck: list[tuple[float, float]] = []

    def drawText(self, where: QPointF, text: str) -> None:  # type: ignore[override]
        at = self.transform().map(where)
        self.written.append((at.y(), at.x(), text))

    def drawLine(self, *places: QPointF | QLineF) -> None:  # type: ignore[override]
        if len(places) == 2 and isinstance(places[0], QPointF) and self.written:
            start, end = (self.transform().map(p) for p in places if isinstance(p, QPointF))
            y, x, _text = self.written[-1]
            if abs(start.y() - end.y()) < 0.1 and abs(x - 1 - start.x()) < 0.6 and end.y() < y:
                self.struck.append(self.written.pop()[:2])


@lru_cache(maxsize=20_000)
def painted_node(look: NodeLook) -> tuple[tuple[str, str], ...]:
    """The rows of a node as they are painted: (place, text)."""
    picture = QImage(1, 1, QImage.Format.Format_ARGB32)
    painter = Recorder(picture)
    paint_node(painter, look, 900.0, 400.0, 40.0, THEMES["light"])
    painter.end()
    rows: dict[float, list[tuple[float, str]]] = {}
    last, lost = -99.0, [x for _y, x in painter.struck]
    found: list[tuple[str, str]] = []
    for y, x, text in sorted(painter.written):
        if text.startswith("∂ "):
            found.append(("local", text))
        elif text.startswith("✗"):
            found.append(("flag", text))
        elif look.badge and text == str(look.badge) and y < 12:
            found.append(("badge", text))
        elif text not in (look.caption, look.label, look.symbol) and (
            x > 30 or text not in look.letters
        ):
            last = last if y - last < 7 else y
            rows.setdefault(last, []).append((x, text))
    for row in rows.values():
        pieces = [text for _x, text in sorted(row)]
        if "=" in pieces[-1]:
            first = 0 if lost and min(lost) < min(row)[0] else 1  # behind a struck start
            pieces[first:] = [_summand(text) for text in pieces[first:]]
        found.append(("ledger" if "=" in pieces[-1] else "row", " ".join(pieces)))
    return tuple(found)


def _summand(text: str) -> str:
    """A chip as a summand; one that is 0 or rounded carries no plus of its own."""
    bare = text[:1].isdigit() or text[:1] in "≈in"
    return f"+ {text}" if bare and not text.endswith(" more") and "left" not in text else text


@lru_cache(maxsize=20_000)
def painted_label(look: LabelLook) -> tuple[str, ...]:
    """The pieces of a label as they are painted, from left to right."""
    picture = QImage(1, 1, QImage.Format.Format_ARGB32)
    painter = Recorder(picture)
    paint_label(painter, look, QRectF(0, 0, 600, 24), THEMES["light"])
    painter.end()
    return tuple(text.strip() for _y, _x, text in sorted(painter.written, key=lambda w: w[1]))
