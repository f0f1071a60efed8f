"""Makes the text of a PDF searchable and copyable.

In a PDF, Qt maps each glyph to the first character that has this glyph. For Inter's tabular figures
that is a private-use character, and for the space a tab; both are corrected here.
"""

import re
from functools import lru_cache

from PySide6.QtGui import QRawFont, QTextLayout

from app.style.strokes import canvas_font

_PRIVATE = range(0xE000, 0xF900)
_SIGNS = (*range(0x20, 0x7F), *range(0xA0, 0x100), *range(0x2000, 0x2300))
_MAP = re.compile(rb"begincmap\n.*?endcmap", re.DOTALL)
_CODE = re.compile(rb"<([0-9A-Fa-f]{4})>")


def readable(content: bytes) -> bytes:
    """Return the PDF with every glyph mapped to its own character, otherwise unchanged."""
    codes = {b"0009": b"0020", **_figures()}

    def mend(found: re.Match[bytes]) -> bytes:
        return b"<%s>" % codes.get(found[1].upper(), found[1])

    return _MAP.sub(lambda found: _CODE.sub(mend, found[0]), content)


@lru_cache(1)
def _figures() -> dict[bytes, bytes]:
    """Return the codes of Inter's private-use figures, and of the digits they stand for."""
    font = canvas_font("number")
    raw = QRawFont.fromFont(font)
    private = {
        raw.glyphIndexesForString(chr(code))[0]: code
        for code in _PRIVATE
        if raw.supportsCharacter(code)
    }
    found: dict[bytes, bytes] = {}
    for code in _SIGNS:
        layout = QTextLayout(chr(code), font)
        layout.beginLayout()
        layout.createLine()
        layout.endLayout()
        for run in layout.glyphRuns():
            if run.rawFont().familyName() == raw.familyName():
                glyphs = [glyph for glyph in run.glyphIndexes() if glyph in private]
                found |= {b"%04X" % private[glyph]: b"%04X" % code for glyph in glyphs}
    return found
