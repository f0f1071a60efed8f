"""Cursors: the shape of the pointer over each part of the sheet."""

from __future__ import annotations

from PySide6.QtCore import Qt

_CURSORS = {
    "l": Qt.CursorShape.SizeHorCursor,
    "r": Qt.CursorShape.SizeHorCursor,
    "t": Qt.CursorShape.SizeVerCursor,
    "b": Qt.CursorShape.SizeVerCursor,
    "lt": Qt.CursorShape.SizeFDiagCursor,
    "rb": Qt.CursorShape.SizeFDiagCursor,
    "rt": Qt.CursorShape.SizeBDiagCursor,
    "lb": Qt.CursorShape.SizeBDiagCursor,
}


def resize_cursor(edges: str) -> Qt.CursorShape:
    """The arrow for pulling these edges."""
    return _CURSORS.get(edges, Qt.CursorShape.ArrowCursor)
