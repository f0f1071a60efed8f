"""The order in which Tab visits widgets, for those that are made late."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def visit_after(place: QWidget, late: QWidget) -> None:
    """Let Tab visit the parts of a widget, which Qt has put behind all others, after `place`."""
    parts = [part for part in (late, *late.findChildren(QWidget)) if _takes_focus(part)]
    policy = place.focusPolicy()
    place.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # Qt orders only what takes the focus
    for first, then in pairwise((place, *parts)):
        QWidget.setTabOrder(first, then)
    place.setFocusPolicy(policy)


def _takes_focus(widget: QWidget) -> bool:
    return widget.focusPolicy() != Qt.FocusPolicy.NoFocus
