"""Text of an SVG, so that it looks the same where our fonts are not installed.

outlines  a glyph is defined once, a text once as its glyphs, and used where it is drawn; over it
          lies the text itself, transparent, which can be searched, selected and read aloud
font      the glyphs that occur, as WOFF subsets of the shipped fonts inside the file, for browsers
system    text in the reader's fonts

The input is an SVG of QSvgGenerator, which writes <text> elements with a family, a size in px and a
weight, and no features.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Final

from PySide6.QtCore import QPointF
from PySide6.QtGui import QFont, QPainterPath, QTextLayout

from app.canvas.paint.figure import TextKind
from app.style.fonts import FOLDER, with_features

EM: Final = 2048
"""Units of an em, in which the shipped fonts are designed."""
_TEXT_ELEMENT: Final = re.compile(r"<text\b([^>]*)>([^<]*)</text>")
_ATTRIBUTE: Final = re.compile(r'([\w:-]+)="([^"]*)"')
_GROUP_FONT: Final = re.compile(
    r'(<g [^>]*?)\n?font-family="[^"]*" font-size="[^"]*" font-weight="[^"]*" '
    r'font-style="[^"]*" \n>'
)
_TRANSFORM: Final = "translate({x},{y}) scale({scale:.6g})"
_DEFS: Final = "<defs>\n</defs>"
_EMPTY_GROUP: Final = re.compile(r"<g [^>]*>\s*</g>\s*")


def with_text(content: bytes, kind: TextKind) -> bytes:
    """Return an SVG of QSvgGenerator with its text as outlines, with a font, or as text alone."""
    svg = _without_idle_groups(content.decode())
    if kind == "outlines":
        svg = _OutlineWriter().with_outlines(svg)
    elif kind == "font":
        svg = _with_font(svg)
    return svg.encode()


def _without_idle_groups(svg: str) -> str:
    """Return an SVG without the fonts of groups, as each text has its own, and empty groups."""
    return _EMPTY_GROUP.sub("", _GROUP_FONT.sub(r"\1>", svg))


def _parsed_attributes(element: str) -> dict[str, str]:
    """Return the attributes in an element's source by name, entities left in."""
    return dict(_ATTRIBUTE.findall(element))


# outlines


class _OutlineWriter:
    """Draws the texts of one SVG as outlines; equal glyphs and equal texts share one definition."""

    def __init__(self) -> None:
        self._glyphs: dict[str, str] = {}
        """The id of each glyph, by its outline."""
        self._texts: dict[tuple[tuple[str, float, float], ...], str] = {}
        """The id of each text, by the ids of its glyphs with their x and y in units of an em."""

    def with_outlines(self, svg: str) -> str:
        """Return the SVG with outlines below its texts, which become transparent."""
        drawn = _TEXT_ELEMENT.sub(self._with_outline_below, svg)
        glyphs = (f'<path id="{name}" d="{outline}"/>' for outline, name in self._glyphs.items())
        texts = (
            f'<g id="{name}">{"".join(_use(*glyph) for glyph in text)}</g>'
            for text, name in self._texts.items()
        )
        defined = "\n".join((*glyphs, *texts))
        return drawn.replace(_DEFS, f"<defs>\n{defined}\n</defs>", 1)

    def _with_outline_below(self, found: re.Match[str]) -> str:
        written = _parsed_attributes(found[1])
        text_id = self._text_id(unescape(found[2]), written)
        outlines = {
            "xlink:href": f"#{text_id}",
            "transform": _TRANSFORM.format(
                x=written["x"], y=written["y"], scale=float(written["font-size"]) / EM
            ),
            **{name: written[name] for name in ("fill", "fill-opacity") if name in written},
            "stroke": "none",
        }
        transparent = f"<text {_attributes({**written, 'fill-opacity': '0'})}>{found[2]}</text>"
        return f"<use {_attributes(outlines)}/>\n{transparent}" if text_id else transparent

    def _text_id(self, text: str, written: Mapping[str, str]) -> str:
        """Return the id of a text's outlines; "" if it has none, as a space."""
        glyphs = tuple(
            (self._glyphs.setdefault(outline, f"g{len(self._glyphs)}"), x, y)
            for outline, x, y in _glyph_outlines(
                text, unescape(written["font-family"]), int(written["font-weight"])
            )
        )
        return self._texts.setdefault(glyphs, f"t{len(self._texts)}") if glyphs else ""


def _use(name: str, x: float, y: float) -> str:
    position = {"x": f"{x:.6g}", "y": f"{y:.6g}"} if y else {"x": f"{x:.6g}"}
    return f"<use {_attributes({'xlink:href': f'#{name}', **position})}/>"


def _attributes(named: Mapping[str, str]) -> str:
    return " ".join(f'{name}="{value}"' for name, value in named.items())


@cache
def _glyph_outlines(text: str, families: str, weight: int) -> tuple[tuple[str, float, float], ...]:
    """Return each glyph's outline with its x and y on the baseline, in units of an em."""
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
        for index, position in zip(run.glyphIndexes(), run.positions(), strict=True):
            outline = _path_data(face.pathForGlyph(index))
            offset = position - baseline
            if outline:
                glyphs.append((outline, round(offset.x()), round(offset.y())))
    return tuple(glyphs)


def _path_data(path: QPainterPath) -> str:
    """Return a path as SVG path data: relative commands in whole units of an em.

    A cubic curve is three elements of a QPainterPath; equal commands are written once.
    """
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
        parts.append(_path_command(letter if letter != last else "", numbers))
        last = letter
        k += count
    return "".join(parts)


def _path_command(letter: str, numbers: list[int]) -> str:
    """Return a command with its numbers, with no space before a minus sign."""
    text = letter
    for k, number in enumerate(numbers):
        needs_space = (k or not letter) and number >= 0
        text += f" {number}" if needs_space else f"{number}"
    return text


# fonts

_FACES: Final = {
    "Inter": {400: "Inter-Regular.otf", 600: "Inter-SemiBold.otf", 700: "Inter-Bold.otf"},
    "DejaVu Sans": {400: "DejaVuSans.ttf"},
    "DejaVu Sans Mono": {400: "DejaVuSansMono.ttf", 700: "DejaVuSansMono-Bold.ttf"},
}
"""The file of each family and weight."""
_FEATURES: Final = ["tnum", "kern", "mark", "mkmk", "ccmp"]
"""OpenType features that the subsets keep: tabular figures, kerning, accents."""
_FONT_RULE: Final = "@font-face{%s}"
_STYLE: Final = 'text{font-feature-settings:"tnum","calt" 0}'
_TEXT_WITH_FONT: Final = re.compile(
    r'<text\b[^>]*?font-family="([^"]*)"[^>]*?font-weight="(\d+)"[^>]*>([^<]*)</text>'
)


def _with_font(svg: str) -> str:
    """Return an SVG with subsets of the fonts of its texts inside, family by family as needed."""
    used: dict[tuple[str, int], set[str]] = defaultdict(set)
    for families, weight, text in _TEXT_WITH_FONT.findall(svg):
        characters = set(unescape(text))
        for family in (name.strip() for name in unescape(families).split(",")):
            nearest = min(_FACES[family], key=lambda face: (abs(face - int(weight)), face))
            covered = characters & _characters_of(family, nearest)
            used[family, nearest] |= covered
            characters -= covered
    faces = [
        _font_face(family, weight, characters)
        for (family, weight), characters in sorted(used.items())
    ]
    style = "\n".join((*filter(None, faces), _STYLE))
    return svg.replace("<defs>\n", f"<defs>\n<style>\n{style}\n</style>\n", 1)


@cache
def _characters_of(family: str, weight: int) -> frozenset[str]:
    """Return the characters that a shipped font has a glyph for."""
    from fontTools.ttLib import TTFont  # pyright: ignore[reportMissingTypeStubs]

    with TTFont(_font_path(family, weight), lazy=True) as font:
        return frozenset(map(chr, font.getBestCmap() or ()))


def _font_face(family: str, weight: int, characters: set[str]) -> str:
    """Return the @font-face rule of a subset with these characters; "" for none."""
    if not characters:
        return ""
    from fontTools.subset import Options, Subsetter  # pyright: ignore[reportMissingTypeStubs]
    from fontTools.ttLib import TTFont  # pyright: ignore[reportMissingTypeStubs]

    options = Options(layout_features=_FEATURES, desubroutinize=True, hinting=False)
    # without the time of subsetting, equal texts give equal bytes
    with TTFont(_font_path(family, weight), lazy=True, recalcTimestamp=False) as font:
        subsetter = Subsetter(options)
        subsetter.populate(  # pyright: ignore[reportUnknownMemberType]
            text="".join(sorted(characters))
        )
        subsetter.subset(font)  # pyright: ignore[reportUnknownMemberType]
        font.flavor = "woff"
        content = BytesIO()
        font.save(content)
    rule = (
        f'font-family:"{family}"',
        f"font-weight:{weight}",
        f'src:url(data:font/woff;base64,{b64encode(content.getvalue()).decode()}) format("woff")',
    )
    return _FONT_RULE % ";".join(rule)


def _font_path(family: str, weight: int) -> Path:
    return FOLDER / _FACES[family][weight]
