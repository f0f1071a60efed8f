"""F6: moves the keyboard focus from one part of the window to the next."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget


def focus_next(parts: Sequence[QWidget], steps: int) -> None:
    """Move the focus by `steps` visible parts, cyclically."""
    visible = [part for part in parts if part.isVisible()]
    focused = QApplication.focusWidget()
    here = next((k for k, p in enumerate(visible) if focused and p.isAncestorOf(focused)), None)
    if focused in visible:
        here = visible.index(focused)
    for far in range(1, len(visible) + 1):  # a part behind a stage takes no keys
        target = _first_focus(visible[(far * steps + (here or 0)) % len(visible)])
        if target is not None:
            target.setFocus(Qt.FocusReason.TabFocusReason)
            return


def _first_focus(part: QWidget) -> QWidget | None:
    """Return the first focusable widget of a part: the part itself, or one inside."""
    for widget in (part, *part.findChildren(QWidget)):
        tabbed = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if tabbed and widget.isVisible() and widget.isEnabled():
            return widget
    return None
