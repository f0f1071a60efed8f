"""A code is read again here as a camera does, from what is painted."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from app.takeaway.qr_code import QUIET, paint_code, squares, step_address
from engine import from_expression
from engine.errors import FormatError
from engine.frame import frame_at, live_frame
from engine.rules import BY_NAME
from engine.trace import run, run_forward

SIDE = 370
MASKS = (
    lambda r, c: (r + c) % 2,
    lambda r, _c: r % 2,
    lambda _r, c: c % 3,
    lambda r, c: (r + c) % 3,
    lambda r, c: (r // 2 + c // 3) % 2,
    lambda r, c: r * c % 2 + r * c % 3,
    lambda r, c: (r * c % 2 + r * c % 3) % 2,
    lambda r, c: ((r + c) % 2 + r * c % 3) % 2,
)


def painted(text: str) -> list[list[bool]]:
    """The code of a text, from the middles of its squares on white paper."""
    image = QImage(SIDE + 40, SIDE + 40, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    paint_code(painter, text, 20, 20, SIDE, QColor("black"))
    painter.end()
    count = len(squares(text))
    middles = [20 + int((k + 0.5) * SIDE / count) for k in range(count)]
    assert all(image.pixelColor(x, 19) == QColor("white") for x in range(SIDE + 40))
    return [[image.pixelColor(x, y).lightness() < 128 for x in middles] for y in middles]


def bits(rows: list[list[bool]]) -> Iterator[int]:
    """The bits of a code of up to 29 squares, in the order of ISO/IEC 18004."""
    count, form = len(rows), [rows[8][c] for c in range(6)]
    mask = MASKS[int("".join("01"[bit] for bit in form[2:5]), 2) ^ 0b101]
    pairs = [c if c > 6 else c - 1 for c in range(count - 1, 0, -2)]
    for k, right in enumerate(pairs):
        for r in range(count) if k % 2 else reversed(range(count)):
            for c in (right, right - 1):
                finder = (r < 9 and (c < 9 or c >= count - 8)) or (r >= count - 8 and c < 9)
                aligns = count > 21 and max(abs(r - count + 7), abs(c - count + 7)) <= 2
                if not (finder or aligns or r == 6 or c == 6):
                    yield rows[r][c] ^ (mask(r, c) == 0)


def read(rows: list[list[bool]]) -> str:
    found = "".join(map(str, map(int, bits(rows))))
    assert found[:4] == "0100", "bytes"
    length = int(found[4:12], 2)
    return bytes(int(found[k : k + 8], 2) for k in range(12, 12 + 8 * length, 8)).decode()


@pytest.mark.parametrize(
    "text", ["x.org", "https://x.org/a.html", "https://example.org/p.html#a=2&b=-3"]
)
def test_what_is_painted_reads_as_the_address(text: str):
    assert read(painted(text)) == text


def test_a_damaged_square_is_another_code_and_a_long_address_is_refused():
    rows = painted("x.org")
    rows[-1][-3] = not rows[-1][-3]
    with pytest.raises((AssertionError, UnicodeDecodeError)):
        assert read(rows) == "x.org"
    assert QUIET == 4
    with pytest.raises(FormatError, match="too long"):
        squares("x" * 3_000)


def test_the_address_of_a_step_counts_as_the_page_does():
    graph = from_expression("e = a*b; L = e + a", {"a": 3, "b": -2})
    wrong = frame_at(run(graph, rules=BY_NAME["assign"]), 4)
    for frame, end in (
        (live_frame(graph), ""),
        (frame_at(run_forward(graph), 1), "#step=1"),
        (frame_at(run(graph), 4), "#step=6"),
        (wrong, "#step=6&mistake=assign"),
    ):
        assert step_address("https://x.org/a.html", frame) == f"https://x.org/a.html{end}"
    assert step_address("x.org#old", wrong) == "x.org#step=6&mistake=assign"
