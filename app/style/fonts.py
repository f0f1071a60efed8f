"""The fonts we ship, and one font for each role in the type table.

Text and numbers are Inter with tabular figures; code is DejaVu Sans Mono; DejaVu Sans is used for
glyphs that Inter lacks. Sizes are in px and hinting is off, so a picture is the same on every
machine, with or without system fonts.
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from PySide6.QtGui import QFont, QFontDatabase

FOLDER: Final = Path(__file__).resolve().parents[2] / "resources" / "fonts"
WORDS: Final = ("Inter", "DejaVu Sans")
CODE: Final = ("DejaVu Sans Mono", "DejaVu Sans")

_REGULAR: Final = QFont.Weight.Normal
_SEMIBOLD: Final = QFont.Weight.DemiBold
_BOLD: Final = QFont.Weight.Bold


class Type(NamedTuple):
    """One row of the type table: px at 100 %, weight, families."""

    pixels: float
    weight: QFont.Weight = _REGULAR
    families: tuple[str, ...] = WORDS


ROLES: Final[dict[str, Type]] = {
    "title": Type(26, _BOLD),
    "step": Type(17),
    "step strong": Type(17, _BOLD),
    "label": Type(15, _BOLD),
    "name": Type(15, _SEMIBOLD),
    "heading": Type(15, _BOLD),
    "number": Type(15, _SEMIBOLD),
    "factors": Type(13, _SEMIBOLD),
    "contribution": Type(13, _BOLD),
    "done": Type(12.5, _SEMIBOLD),
    "interface": Type(13),
    "interface strong": Type(13, _SEMIBOLD),
    "caption": Type(12),
    "caption strong": Type(12, _SEMIBOLD),
    "code": Type(12, _REGULAR, CODE),
    "code strong": Type(12, _BOLD, CODE),
    "tile": Type(11),
    "small": Type(10.5),
}
PRESENTED: Final[dict[str, Type]] = {
    "number": Type(17, _SEMIBOLD),
    "factors": Type(14.5, _SEMIBOLD),
    "contribution": Type(14.5, _BOLD),
    "caption": Type(10),
}
"""Roles on the sheet during a presentation: numbers grow more than words."""


@cache
def load_fonts() -> tuple[str, ...]:
    """Register the shipped fonts with the running QGuiApplication, once; return their families."""
    families: set[str] = set()
    for path in sorted((*FOLDER.glob("*.otf"), *FOLDER.glob("*.ttf"))):
        number = QFontDatabase.addApplicationFont(str(path))
        families.update(QFontDatabase.applicationFontFamilies(number))
    return tuple(sorted(families))


def font(role: str, scale: float = 1.0) -> QFont:
    """Return the font of a role, enlarged by scale; a copy that may be modified."""
    return QFont(_font(role, scale))


def sized(role: str, pixels: float) -> QFont:
    """Return the font of a role in a size of its own."""
    return font(role, pixels / ROLES[role].pixels)


def presented_font(role: str) -> QFont:
    """Return the font of a role on the sheet during a presentation, at 100 %."""
    result = font(role)
    if role in PRESENTED:
        result.setPixelSize(int(PRESENTED[role].pixels + 0.5))
    return result


def pixels(role: str, scale: float = 1.0) -> int:
    """Return the size of a role in whole px, as Qt needs it; halves are rounded up."""
    return int(ROLES[role].pixels * scale + 0.5)


@lru_cache(maxsize=512)
def _font(role: str, scale: float) -> QFont:
    load_fonts()
    result = QFont()
    result.setFamilies(ROLES[role].families)
    result.setPixelSize(pixels(role, scale))
    result.setWeight(ROLES[role].weight)
    return with_features(result)


def with_features(font: QFont) -> QFont:
    """Return a font after it has been given what all of ours have in common."""
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    font.setStyleStrategy(QFont.StyleStrategy.PreferAntialias)
    font.setFeature(QFont.Tag("tnum"), 1)  # tabular figures: all digits are equally wide
    font.setFeature(QFont.Tag("calt"), 0)  # or the x of x1w1x2 becomes a times sign
    return font
