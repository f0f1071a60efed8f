"""Fonts inside an SVG: subsets of the shipped ones, with the glyphs that its texts use."""

from __future__ import annotations

import re
from base64 import b64encode
from collections import defaultdict
from functools import cache
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Final

from app.style.fonts import FOLDER

_FACES: Final = {
    "Inter": {400: "Inter-Regular.otf", 600: "Inter-SemiBold.otf", 700: "Inter-Bold.otf"},
    "DejaVu Sans": {400: "DejaVuSans.ttf"},
    "DejaVu Sans Mono": {400: "DejaVuSansMono.ttf", 700: "DejaVuSansMono-Bold.ttf"},
}
"""The file of each family and weight."""
_FEATURES: Final = ["tnum", "kern", "mark", "mkmk", "ccmp"]
"""What the subsets keep besides the shapes: figures of one width, and pairs moved closer."""
_STYLE: Final = 'text{font-feature-settings:"tnum","calt" 0}'
_RULE: Final = "@font-face{%s}"
_TEXT: Final = re.compile(
    r'<text\b[^>]*?font-family="([^"]*)"[^>]*?font-weight="(\d+)"[^>]*>([^<]*)</text>'
)
_DEFS: Final = "<defs>\n"


def with_font(svg: str) -> str:
    """Return an SVG of Qt's generator with the fonts of its texts inside."""
    used: dict[tuple[str, int], set[str]] = defaultdict(set)
    for families, weight, text in _TEXT.findall(svg):
        letters = set(unescape(text))
        for family in (name.strip() for name in unescape(families).split(",")):
            nearest = min(_FACES[family], key=lambda face: (abs(face - int(weight)), face))
            found = letters & _letters_of(family, nearest)
            used[family, nearest] |= found
            letters -= found
    faces = [_face(family, weight, letters) for (family, weight), letters in sorted(used.items())]
    style = "\n".join((*filter(None, faces), _STYLE))
    return svg.replace(_DEFS, f"<defs>\n<style>\n{style}\n</style>\n", 1)


@cache
def _letters_of(family: str, weight: int) -> frozenset[str]:
    """Return the letters that a shipped font has."""
    from fontTools.ttLib import TTFont  # pyright: ignore[reportMissingTypeStubs]

    with TTFont(_path(family, weight), lazy=True) as font:
        return frozenset(map(chr, font.getBestCmap() or ()))


def _face(family: str, weight: int, letters: set[str]) -> str:
    """Return the rule of a font with these letters alone; "" for none."""
    if not letters:
        return ""
    from fontTools.subset import Options, Subsetter  # pyright: ignore[reportMissingTypeStubs]
    from fontTools.ttLib import TTFont  # pyright: ignore[reportMissingTypeStubs]

    options = Options(layout_features=_FEATURES, desubroutinize=True, hinting=False)
    # the time of subsetting would make every file another one
    with TTFont(_path(family, weight), lazy=True, recalcTimestamp=False) as font:
        subsetter = Subsetter(options)
        subsetter.populate(  # pyright: ignore[reportUnknownMemberType]
            text="".join(sorted(letters))
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
    return _RULE % ";".join(rule)


def _path(family: str, weight: int) -> Path:
    return FOLDER / _FACES[family][weight]
