"""Shows and hides the widgets of a row that is too narrow for all of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def row_width(widgets: Collection[QWidget], spacing: int) -> int:
    """Return the width of a row of these widgets in px, hidden ones included."""
    return sum(_wanted(widget) for widget in widgets) + spacing * (len(widgets) - 1)


def show_only(widgets: Iterable[QWidget], shown: Collection[QWidget]) -> None:
    """Show these of the widgets and hide the rest.

    Visibility is set only where it changes: showing or hiding invalidates the layout at once, and a
    row that did so on every resize could trigger resizes endlessly.
    """
    for widget in widgets:
        if taken_away(widget) is (widget in shown) or not _told(widget):
            widget.setVisible(widget in shown)


def taken_away(widget: QWidget) -> bool:
    """Return whether a widget was explicitly hidden, and not just never shown."""
    return _told(widget) and widget.isHidden()


def _told(widget: QWidget) -> bool:
    return widget.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide)


def _wanted(widget: QWidget) -> int:
    hint = widget.sizeHint().expandedTo(widget.minimumSizeHint())
    return hint.boundedTo(widget.maximumSize()).expandedTo(widget.minimumSize()).width()
