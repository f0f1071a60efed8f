"""Text of an SVG, so that it looks the same where our fonts are not installed.

outlines  a glyph is defined once, a text once as its glyphs, and used where it is drawn; over it
          lies the text itself, unseen, which can be searched, selected and read aloud
font      the glyphs that occur, as a subset of the shipped fonts inside the file; browsers read it
system    text in the reader's fonts

Qt's generator writes the text and nothing else; the rest is done here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from html import unescape
from typing import Final

from PySide6.QtCore import QPointF
from PySide6.QtGui import QFont, QPainterPath, QTextLayout

from app.canvas.paint.figure import TextKind
from app.style.fonts import with_features

EM: Final = 2048
"""Units of an em, in which the shipped fonts are designed."""
_TEXT: Final = re.compile(r"<text\b([^>]*)>([^<]*)</text>")
_ATTRIBUTE: Final = re.compile(r'([\w:-]+)="([^"]*)"')
_NO_FONT: Final = re.compile(
    r'(<g [^>]*?)\n?font-family="[^"]*" font-size="[^"]*" font-weight="[^"]*" '
    r'font-style="[^"]*" \n>'
)
"""The font of a group; each text has its own."""
_TRANSFORM: Final = "translate({x},{y}) scale({scale:.6g})"
_DEFS: Final = "<defs>\n</defs>"
_EMPTY_GROUP: Final = re.compile(r"<g [^>]*>\s*</g>\s*")


def with_text(content: bytes, kind: TextKind) -> bytes:
    """Return an SVG of Qt's generator with its text written in another way."""
    svg = _without_idle_groups(content.decode())
    if kind == "outlines":
        svg = _Outlines().of(svg)
    elif kind == "font":
        from app.canvas.paint.svg_font import with_font

        svg = with_font(svg)
    return svg.encode()


def _without_idle_groups(svg: str) -> str:
    """Return an SVG without the fonts of groups, and without groups that hold nothing."""
    return _EMPTY_GROUP.sub("", _NO_FONT.sub(r"\1>", svg))


def attributes_of(element: str) -> dict[str, str]:
    """Return the attributes in the text of an element, by name, as they are written."""
    return dict(_ATTRIBUTE.findall(element))


class _Outlines:
    """Replaces the texts of one SVG, and collects what it defines."""

    def __init__(self) -> None:
        self._glyphs: dict[str, str] = {}
        """The name of each outline."""
        self._texts: dict[tuple[tuple[str, float, float], ...], str] = {}
        """The name of each text, by its glyphs with their places."""

    def of(self, svg: str) -> str:
        """Return the SVG with outlines below its texts."""
        drawn = _TEXT.sub(self._drawn, svg)
        glyphs = (f'<path id="{name}" d="{outline}"/>' for outline, name in self._glyphs.items())
        texts = (
            f'<g id="{name}">{"".join(_use(*glyph) for glyph in text)}</g>'
            for text, name in self._texts.items()
        )
        defined = "\n".join((*glyphs, *texts))
        return drawn.replace(_DEFS, f"<defs>\n{defined}\n</defs>", 1)

    def _drawn(self, found: re.Match[str]) -> str:
        """Return a text with its outlines below it."""
        written = attributes_of(found[1])
        text = self._text(unescape(found[2]), written)
        outlines = {
            "xlink:href": f"#{text}",
            "transform": _TRANSFORM.format(
                x=written["x"], y=written["y"], scale=float(written["font-size"]) / EM
            ),
            **{name: written[name] for name in ("fill", "fill-opacity") if name in written},
            "stroke": "none",
        }
        unseen = f"<text {_attributes({**written, 'fill-opacity': '0'})}>{found[2]}</text>"
        return "\n".join((f"<use {_attributes(outlines)}/>", unseen)) if text else unseen

    def _text(self, text: str, written: Mapping[str, str]) -> str:
        """Return the name of the outlines of a text; "" if it has none."""
        glyphs = tuple(
            (self._glyphs.setdefault(outline, f"g{len(self._glyphs)}"), x, y)
            for outline, x, y in _laid_out(
                text, unescape(written["font-family"]), int(written["font-weight"])
            )
        )
        return self._texts.setdefault(glyphs, f"t{len(self._texts)}") if glyphs else ""


def _use(name: str, x: float, y: float) -> str:
    place = {"x": _short(x), "y": _short(y)} if y else {"x": _short(x)}
    return f"<use {_attributes({'xlink:href': f'#{name}', **place})}/>"


def _attributes(named: Mapping[str, str]) -> str:
    return " ".join(f'{name}="{value}"' for name, value in named.items())


@cache
def _laid_out(text: str, families: str, weight: int) -> tuple[tuple[str, float, float], ...]:
    """Return the outline of each glyph of a text and its place on the baseline, in units."""
    font = QFont()
    font.setFamilies([name.strip("'\" ") for name in families.split(",")])
    font.setPixelSize(EM)
    font.setWeight(QFont.Weight(weight))
    layout = QTextLayout("".join(c if c >= " " else " " for c in text), with_features(font))
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    baseline = QPointF(line.x(), line.y() + line.ascent())
    glyphs: list[tuple[str, float, float]] = []
    for run in layout.glyphRuns():
        face = run.rawFont()
        for index, place in zip(run.glyphIndexes(), run.positions(), strict=True):
            outline = _outline(face.pathForGlyph(index))
            at = place - baseline
            if outline:
                glyphs.append((outline, round(at.x()), round(at.y())))
    return tuple(glyphs)


def _outline(path: QPainterPath) -> str:
    """Return a path as the text of SVG, in whole units, each point relative to the one before."""
    parts: list[str] = []
    x = y = 0
    k, last = 0, ""
    kinds = QPainterPath.ElementType
    while k < path.elementCount():
        element = path.elementAt(k)
        kind = element.type
        count = 3 if kind == kinds.CurveToElement else 1
        letter = {kinds.MoveToElement: "m", kinds.LineToElement: "l"}.get(kind, "c")
        points = [path.elementAt(k + i) for i in range(count)]
        numbers = [
            number for point in points for number in (round(point.x) - x, round(point.y) - y)
        ]
        x, y = round(points[-1].x), round(points[-1].y)
        parts.append(_joined(letter if letter != last else "", numbers))
        last = letter
        k += count
    return "".join(parts)


def _joined(letter: str, numbers: list[int]) -> str:
    """Return a command with its numbers; a minus sign is space enough."""
    text = letter
    for k, number in enumerate(numbers):
        needs_space = (k or not letter) and number >= 0
        text += f" {number}" if needs_space else f"{number}"
    return text


def _short(x: float) -> str:
    return f"{x:.6g}"
