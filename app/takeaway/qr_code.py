"""QR code: an address as squares, which the camera of a phone reads."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPainterPath

from engine.errors import FormatError
from engine.frame import Frame
from engine.rules import MISTAKES
from engine.trace import run_forward

QUIET: Final = 4
"""Squares that are left free on each side of a code."""


def step_address(address: str, frame: Frame) -> str:
    """Return the address of a graph's page at the step of a frame, as link.js writes it."""
    step = frame.cursor if frame.phase in ("forward", "backward") else 0
    if step and frame.phase == "backward":
        step += len(run_forward(frame.graph))
    named = [f"step={step}"] if step else []
    if frame.trace is not None and frame.trace.rules in MISTAKES:
        named.append(f"mistake={frame.trace.rules.name}")
    page = address.partition("#")[0]
    return f"{page}#{'&'.join(named)}" if named else address


@lru_cache(maxsize=32)
def squares(text: str) -> tuple[tuple[bool, ...], ...]:
    """Return the rows of a text's code, True for a dark square; 15 % of it may be damaged.

    Raises FormatError for a text that is too long.
    """
    import segno

    try:
        code = segno.make_qr(text, error="m", boost_error=False)
    except segno.DataOverflowError as too_long:
        raise FormatError("This address is too long for a code to scan.") from too_long
    return tuple(tuple(map(bool, row)) for row in code.matrix)


def paint_code(painter: QPainter, text: str, x: float, y: float, side: float, ink: QColor) -> None:
    """Paint the code of a text into a square with this upper left corner; around it QUIET is left.

    The squares are one outline: between two of them a viewer would show a line.
    """
    rows, path = squares(text), QPainterPath()
    size = side / len(rows)
    for row, dark in enumerate(rows):
        for column in (k for k, is_dark in enumerate(dark) if is_dark):
            path.addRect(QRectF(x + column * size, y + row * size, size, size))
    painter.fillPath(path.simplified(), ink)
