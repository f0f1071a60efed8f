"""Pictures of a sheet: the same painter as on the screen, on PNG, SVG, PDF and the clipboard.

`painted_image`, `svg` and `pdf` take any painter of a page.

The text of an SVG looks the same where our fonts are not installed:

outlines  a glyph is defined once, a text once as its glyphs, and used where it is drawn; over it
          lies the text itself, transparent, which can be searched, selected and read aloud
font      the glyphs that occur, as WOFF subsets of the shipped fonts inside the file, for browsers
system    text in the reader's fonts

QSvgGenerator writes <text> elements with a family, a size in px and a weight, and no features.

A PDF has pages of one size, with text that can be searched. Equal pages give equal bytes: Qt writes
the time, a random UUID, and the fonts in the order of a hash table, whose seed is random in each
process; all three are fixed here.

Each picture holds its alternative text: as <title> and <desc> of an SVG, as title and subject of a
PDF, as the texts Title and Description of a PNG.
"""

from __future__ import annotations

import math
import re
from base64 import b64encode
from collections import defaultdict
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from hashlib import sha256
from html import escape, unescape
from io import BytesIO
from pathlib import Path
from typing import Final, TypeAlias

from PySide6.QtCore import (
    QBuffer,
    QByteArray,
    QHashSeed,
    QIODevice,
    QMarginsF,
    QPointF,
    QRectF,
    QSize,
    QSizeF,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QImage,
    QPageLayout,
    QPageSize,
    QPainter,
    QPainterPath,
    QPdfWriter,
    QRawFont,
    QTextLayout,
)

from app.canvas.paint.figure import (
    INCH_CM,
    PLAIN,
    POINTS,
    Figure,
    PictureOptions,
    TextKind,
    figure_of,
)
from app.document.sheet import Sheet
from app.style.fonts import FOLDER, with_features
from app.style.strokes import canvas_font, text_sizes_outside_presentation
from app.style.theme import THEMES
from app.workbench.words.alt_text import AltText, alt_text
from engine.errors import FormatError
from engine.formats.dot import DPI
from engine.formats.files import check_target, write_atomically
from engine.frame import Frame

MAX_SIDE = 20_000
"""Maximum width or height of an image in px; beyond this Qt returns no image."""
MAX_AREA = 100_000_000
"""Maximum number of px of an image, which take 400 MB."""

SUFFIXES = (".png", ".svg", ".pdf")


@text_sizes_outside_presentation()
def image(sheet: Sheet, frame: Frame, picture_options: PictureOptions = PLAIN) -> QImage:
    """Return the picture as an image; raises FormatError if it would be too large."""
    return image_of(figure_of(sheet, frame, picture_options), picture_options)


@text_sizes_outside_presentation()
def image_of(figure: Figure, picture_options: PictureOptions) -> QImage:
    """Return a figure as an image; raises FormatError if it would be too large."""
    return image_of_page(_painted(figure, picture_options), figure.size, picture_options)


def image_of_page(paint: Paint, size: QSizeF, picture_options: PictureOptions) -> QImage:
    """Return a page of a size in px of 96 to the inch as an image of as many dots as chosen.

    Raises FormatError if it would be too large.
    """
    wide, high = image_size(size, picture_options)
    canvas = QColor(THEMES[picture_options.theme].canvas)
    # the last px of a row may be a part of the page alone
    background = QColor(0, 0, 0, 0) if picture_options.transparent else canvas
    result = painted_image(paint, wide, high, picture_options.dpi / DPI, background)
    result.setDotsPerMeterX(round(picture_options.dpi / INCH_CM * 100))
    result.setDotsPerMeterY(round(picture_options.dpi / INCH_CM * 100))
    return result


def image_size(size: QSizeF, picture_options: PictureOptions) -> tuple[int, int]:
    """Return the width and height in px of the image of a page; FormatError if it is too large."""
    scale = picture_options.dpi / DPI
    wide, high = _pixels(size.width() * scale), _pixels(size.height() * scale)
    if picture_options.width is not None:  # the width that the user chose, to the nearest px
        wide = round(size.width() * scale)
    if _is_too_large(wide, high):
        raise FormatError(
            "The picture would be {wide:,} × {high:,} pixels; {side:,} along a side and "
            "{area:,} in all are the most. {advice}",
            wide=wide,
            high=high,
            side=MAX_SIDE,
            area=MAX_AREA,
            advice=_advice(size, picture_options),
        )
    return wide, high


def _is_too_large(wide: float, high: float) -> bool:
    """Return whether an image of this size in px exceeds MAX_SIDE or MAX_AREA."""
    return max(wide, high) > MAX_SIDE or wide * high > MAX_AREA


def painted_image(
    paint: Paint, wide: int, high: int, scale: float, background: QColor | None = None
) -> QImage:
    """Return an image of a size in px, painted at a scale, antialiased; None: transparent."""
    result = QImage(wide, high, QImage.Format.Format_ARGB32_Premultiplied)
    result.fill(background or QColor(0, 0, 0, 0))
    painter = QPainter(result)
    try:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(scale, scale)
        paint(painter)
    finally:
        painter.end()
    return result


def _pixels(length: float) -> int:
    """Return a length in whole px that holds it, unless a rounding error is all it exceeds."""
    return math.ceil(length - 1e-6)


def _advice(size: QSizeF, picture_options: PictureOptions) -> str:
    """Return the advice for an image that would be too large."""
    wide, high = (
        size.width() * picture_options.least_dpi / DPI,
        size.height() * picture_options.least_dpi / DPI,
    )
    if _is_too_large(wide, high) or picture_options.dpi <= picture_options.least_dpi:
        return "Choose SVG or PDF."
    return "Choose fewer dots per inch, or SVG."


def check_pictures(paths: Sequence[Path], figure: Figure, picture_options: PictureOptions) -> None:
    """Raise FormatError for a file that can't be written, and for an image that is too large."""
    suffix = paths[0].suffix.lower()
    if suffix not in SUFFIXES:
        raise FormatError(
            '"{suffix}" is no picture format; choose {known}.',
            suffix=suffix,
            known=", ".join(SUFFIXES),
        )
    for path in paths:
        check_target(path)
    if suffix == ".png":
        image_size(figure.size, picture_options)


@text_sizes_outside_presentation()
def save_pictures(
    paths: Sequence[Path],
    figure: Figure,
    frames: Sequence[Frame],
    picture_options: PictureOptions = PLAIN,
    replace_protected: bool = False,
) -> None:
    """Write a figure at some frames as PNG, SVG or PDF: a file each, or as pages of one PDF.

    Each file is written atomically, the first one once all are checked.
    """
    check_pictures(paths, figure, picture_options)
    suffix = paths[0].suffix.lower()
    digits, notation = picture_options.digits, picture_options.notation
    if suffix == ".pdf":
        painters = [
            _painted(figure.at(frame, picture_options), picture_options) for frame in frames
        ]
        content = pdf(painters, figure.size, alt_text(frames, digits, notation))
        write_atomically(paths[0], content, replace_protected)
        return
    for path, frame in zip(paths, frames, strict=True):
        picture, alt = figure.at(frame, picture_options), alt_text([frame], digits, notation)
        content = (
            png(image_of(picture, picture_options), alt)
            if suffix == ".png"
            else svg(_painted(picture, picture_options), picture.size, picture_options.text, alt)
        )
        write_atomically(path, content, replace_protected)


def png(picture: QImage, alt: AltText) -> bytes:
    """Return an image as PNG."""
    picture.setText("Title", alt.title)
    picture.setText("Description", alt.description)
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    # PySide's stubs declare the format as bytes, but it takes a str
    picture.save(buffer, "PNG")  # type: ignore[call-overload]
    buffer.close()
    return bytes(content.data())


def svg(paint: Paint, size: QSizeF, text: TextKind, alt: AltText) -> bytes:
    """Return an SVG of a size in px, painted by a function; `text` is how its text is written."""
    from PySide6.QtSvg import QSvgGenerator

    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setResolution(DPI)
    wide, high = size.width(), size.height()
    generator.setSize(QSize(math.ceil(wide), math.ceil(high)))
    generator.setViewBox(QRectF(0, 0, wide, high))
    generator.setTitle(_plain(alt.title))
    generator.setDescription(_plain(alt.description))
    painter = QPainter(generator)
    try:
        paint(painter)
    finally:
        painter.end()
        buffer.close()
    # Qt rounds the size to whole px
    lengths = (f"{length / DPI * INCH_CM * 10:.4f}mm" for length in (wide, high))
    exact = '<svg width="{}" height="{}"'.format(*lengths).encode()
    written = re.sub(rb'<svg width="[^"]*" height="[^"]*"', exact, bytes(content.data()), count=1)
    return with_text(written, text)


def _plain(text: str) -> str:
    """Return a text with spaces for the control characters that XML forbids."""
    return "".join(c if c >= " " or c == "\n" else " " for c in text)


def _painted(figure: Figure, picture_options: PictureOptions) -> Paint:
    return lambda painter: figure.paint(painter, picture_options.theme, picture_options.transparent)


# the text of an SVG

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


# PDF

Paint: TypeAlias = Callable[[QPainter], None]
"""Paints one page in px of 96 to the inch, its upper left corner at the origin."""


_XMP: Final = (
    "<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?>"
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF '
    'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/"><rdf:Description rdf:about="">'
    '<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{}</rdf:li></rdf:Alt></dc:title>'
    '<dc:description><rdf:Alt><rdf:li xml:lang="x-default">{}</rdf:li></rdf:Alt></dc:description>'
    "</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end='w'?>"
)
"""The metadata of a PDF beside its Info dictionary, with its title and its description."""


def pdf(pages: Sequence[Paint], size: QSizeF, alt: AltText) -> bytes:
    """Return a PDF with these pages, each of a size in px of 96 to the inch."""
    points = size * (POINTS / DPI)
    with _fixed_hash_seed():
        content = _qt_pdf(pages, points, AltText(_plain(alt.title), _plain(alt.description)))
    # Qt writes no subject, but a creator, whose key is as long
    content = content.replace(b"\n/Creator (", b"\n/Subject (", 1)
    return _with_readable_text(_with_exact_page_size(_without_time_and_uuid(content), points))


def _qt_pdf(pages: Sequence[Paint], points: QSizeF, alt: AltText) -> bytes:
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setTitle(alt.title)
    writer.setCreator(alt.description)
    writer.setDocumentXmpMetadata(_XMP.format(*map(escape, alt)).encode())
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


_UUID_AS_HEX: Final = re.compile(rb"(?<=<)[0-9a-f]{72}(?=>)")
_TIMES: Final = {
    re.compile(rb"\(D:\d{14}Z"): b"(D:20000101000000Z",
    re.compile(rb"\(D:\d{14}[+-]\d\d'\d\d'"): b"(D:20000101000000+00'00'",
}
"""The formats of the time in a PDF, each with a fixed time of the same length.

The cross-reference table has the byte offset of each object, so no replacement may change a length.
"""


def _without_time_and_uuid(content: bytes) -> bytes:
    """Return a PDF with a fixed time, and with digits of its SHA-256 as the UUID."""
    for time, fixed in _TIMES.items():
        content = time.sub(fixed, content)
    digest = sha256(_UUID_AS_HEX.sub(b"0" * 72, content)).hexdigest()[:36].encode()
    return _UUID_AS_HEX.sub(digest.hex().encode(), content)


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
