"""Tables that the proofs print, and where they keep what failed."""

from collections.abc import Sequence
from pathlib import Path

KEPT = Path(__file__).parents[2] / "build" / "proofs"
"""Inputs that made a proof fail, to be tried again."""


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Rows under a head, the first column to the left, numbers to the right."""
    texts = [list(head), *([_spelled(cell) for cell in row] for row in rows)]
    widths = [max(len(row[k]) for row in texts) for k in range(len(head))]
    lines = [_line(row, widths) for row in texts]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    first = row[0].ljust(widths[0])
    rest = (cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
    return "  ".join((first, *rest))


def _spelled(cell: object) -> str:
    if isinstance(cell, int) and not isinstance(cell, bool):
        return f"{cell:,}"
    return f"{cell:.2f}" if isinstance(cell, float) else str(cell)
