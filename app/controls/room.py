"""Room: which widgets of a row are shown where not all of them fit."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def row_width(widgets: Collection[QWidget], spacing: int) -> int:
    """How wide a row of these widgets wants to be in pixels, whether they are shown or not."""
    return sum(_wanted(widget) for widget in widgets) + spacing * (len(widgets) - 1)


def show_only(widgets: Iterable[QWidget], shown: Collection[QWidget]) -> None:
    """Show these of the widgets and hide the rest.

    A widget that is as it should be is left alone: showing and hiding lay out the windows around
    it at once, and a row that does so whenever it is resized may never come to rest.
    """
    for widget in widgets:
        if taken_away(widget) is (widget in shown) or not _told(widget):
            widget.setVisible(widget in shown)


def taken_away(widget: QWidget) -> bool:
    """Whether a widget was hidden by a call, rather than not shown yet."""
    return _told(widget) and widget.isHidden()


def _told(widget: QWidget) -> bool:
    return widget.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide)


def _wanted(widget: QWidget) -> int:
    hint = widget.sizeHint().expandedTo(widget.minimumSizeHint())
    return hint.boundedTo(widget.maximumSize()).expandedTo(widget.minimumSize()).width()
