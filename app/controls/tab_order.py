"""The order in which Tab visits widgets, for those that are made late."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def visit_after(place: QWidget, late: Iterable[QWidget]) -> None:
    """Let Tab visit widgets, which Qt has put behind all others, after `place`, in their order."""
    stops = [widget for widget in late if widget.focusPolicy() != Qt.FocusPolicy.NoFocus]
    policy = place.focusPolicy()
    place.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # Qt orders only what takes the focus
    for first, then in pairwise((place, *stops)):
        QWidget.setTabOrder(first, then)
    place.setFocusPolicy(policy)
