"""PDF: pages of one size painted by functions, with text that can be searched.

Equal pages give equal bytes. Qt writes the time, a random UUID, and the fonts in the order of a
hash table, whose seed is random in each process; all three are fixed here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from hashlib import sha256
from typing import Final, TypeAlias

from PySide6.QtCore import QBuffer, QByteArray, QHashSeed, QIODevice, QMarginsF, QSizeF
from PySide6.QtGui import QPageLayout, QPageSize, QPainter, QPdfWriter, QRawFont, QTextLayout

from app.style.strokes import canvas_font
from engine.formats.dot import DPI

Paint: TypeAlias = Callable[[QPainter], None]
"""Paints one page in px of 96 to the inch, its upper left corner at the origin."""
POINTS: Final = 72
"""Points to an inch."""


def pdf(pages: Sequence[Paint], size: QSizeF, title: str = "") -> bytes:
    """Return a PDF with these pages, each of a size in px of 96 to the inch."""
    points = size * (POINTS / DPI)
    with _fixed_hash_seed():
        content = _qt_pdf(pages, points, title)
    return _with_readable_text(_with_exact_page_size(_without_time_and_uuid(content), points))


def _qt_pdf(pages: Sequence[Paint], points: QSizeF, title: str) -> bytes:
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(title)
    writer.setResolution(DPI)
    writer.setPageLayout(
        QPageLayout(
            QPageSize(points, QPageSize.Unit.Point, "", QPageSize.SizeMatchPolicy.ExactMatch),
            QPageLayout.Orientation.Portrait,
            QMarginsF(0, 0, 0, 0),
        )
    )
    painter = QPainter(writer)
    try:
        for k, paint in enumerate(pages):
            if k:
                writer.newPage()
            paint(painter)
    finally:
        painter.end()  # Qt aborts the process if a device is destroyed under its painter
        buffer.close()
    return bytes(content.data())


@contextmanager
def _fixed_hash_seed() -> Generator[None]:
    """Iterate Qt's hash tables in the same order in each process."""
    QHashSeed.setDeterministicGlobalSeed()
    try:
        yield
    finally:
        QHashSeed.resetRandomGlobalSeed()


_UUID: Final = re.compile(rb"(?<=uuid:)[0-9a-f-]{36}")
_UUID_AS_HEX: Final = re.compile(rb"(?<=<)[0-9a-f]{72}(?=>)")
_TIMES: Final = {
    re.compile(rb"\(D:\d{14}Z"): b"(D:20000101000000Z",
    re.compile(rb"\(D:\d{14}[+-]\d\d'\d\d'"): b"(D:20000101000000+00'00'",
    re.compile(rb'"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d"'): (b'"2000-01-01T00:00:00+00:00"'),
}
"""The formats of the time in a PDF, each with a fixed time of the same length.

The cross-reference table has the byte offset of each object, so no replacement may change a length.
"""


def _without_time_and_uuid(content: bytes) -> bytes:
    """Return a PDF with a fixed time, and with digits of its SHA-256 as the UUID."""
    for time, fixed in _TIMES.items():
        content = time.sub(fixed, content)
    without_uuid = _UUID_AS_HEX.sub(b"0" * 72, _UUID.sub(b"0" * 36, content))
    digest = sha256(without_uuid).hexdigest()[:36].encode()
    return _UUID_AS_HEX.sub(digest.hex().encode(), _UUID.sub(digest, content))


def _with_exact_page_size(content: bytes, points: QSizeF) -> bytes:
    """Return a PDF with pages of exactly this size, which Qt rounds to whole points."""

    def box(found: re.Match[bytes]) -> bytes:
        exact = b"/MediaBox [0 0 %.6f %.6f]" % (points.width(), points.height())
        # of the same length, so that the offsets of later objects stay valid
        return exact if len(exact) == len(found[0]) else found[0]

    return re.sub(rb"/MediaBox \[0 0 [0-9.]+ [0-9.]+\]", box, content)


# text in PDFs


_PRIVATE_USE = range(0xE000, 0xF900)
"""The private use area of Unicode's basic plane."""
_PRINTABLE = (*range(0x20, 0x7F), *range(0xA0, 0x100), *range(0x2000, 0x2300))
"""Characters of numbers and formulas: Latin, punctuation, arrows and mathematical operators."""
_CHARACTER_MAP = re.compile(rb"begincmap\n.*?endcmap", re.DOTALL)
_CHARACTER_CODE = re.compile(rb"<([0-9A-Fa-f]{4})>")


def _with_readable_text(content: bytes) -> bytes:
    """Return a PDF whose numbers can be searched and copied, otherwise unchanged.

    Inter draws tabular digits with glyphs of the private use area, and Qt maps glyphs to those
    codes, not to the digits.
    """
    codes = {b"0009": b"0020", **_private_digit_codes()}  # Qt maps the space's glyph to a tab

    def replace_code(found: re.Match[bytes]) -> bytes:
        return b"<%s>" % codes.get(found[1].upper(), found[1])

    return _CHARACTER_MAP.sub(lambda found: _CHARACTER_CODE.sub(replace_code, found[0]), content)


@lru_cache(1)
def _private_digit_codes() -> dict[bytes, bytes]:
    """Return the code of the character that each of Inter's private-use glyphs replaces.

    Both are four hexadecimal digits, as in a character map: by `E072` the `0031` of a 1.
    """
    font = canvas_font("number")
    raw = QRawFont.fromFont(font)
    private = {
        raw.glyphIndexesForString(chr(code))[0]: code
        for code in _PRIVATE_USE
        if raw.supportsCharacter(code)
    }
    replaced: dict[bytes, bytes] = {}
    for code in _PRINTABLE:
        layout = QTextLayout(chr(code), font)
        layout.beginLayout()
        layout.createLine()
        layout.endLayout()
        for run in layout.glyphRuns():
            if run.rawFont().familyName() == raw.familyName():
                glyphs = [glyph for glyph in run.glyphIndexes() if glyph in private]
                replaced |= {b"%04X" % private[glyph]: b"%04X" % code for glyph in glyphs}
    return replaced
