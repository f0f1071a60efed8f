"""Keeps a dialog within the screen, however large everything is, as in a presentation."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QWidget

from app.controls.layouts import in_column, scroll_area

_FRAME = QSize(16, 48)
"""Width and height, in px, left for the frame and the title that a desktop adds."""


def fit_screen(dialog: QDialog) -> None:
    """Make a dialog no larger than its screen; what can't shrink so far is scrolled."""
    parent = dialog.parentWidget() or dialog
    room = parent.screen().availableGeometry().size() - _FRAME
    least = dialog.minimumSizeHint().expandedTo(dialog.minimumSize())
    wanted = dialog.size().expandedTo(dialog.sizeHint())
    if least.boundedTo(room) != least:
        _scroll(dialog)
        dialog.setMinimumSize(0, 0)
    dialog.setMaximumSize(dialog.maximumSize().boundedTo(room))
    if wanted.boundedTo(room) != wanted:
        dialog.resize(wanted.boundedTo(room))


def _scroll(dialog: QDialog) -> None:
    """Move the content of a dialog into a scroll area."""
    layout = dialog.layout()
    assert layout is not None
    content = QWidget()
    content.setLayout(layout)
    area = scroll_area(content)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
    in_column((area, 1), parent=dialog, edges=0, gap=0)
