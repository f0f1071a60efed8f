"""The purpose of a widget, as the style sheet selects it."""

from __future__ import annotations

from PySide6.QtGui import Qt
from PySide6.QtWidgets import QWidget


def set_kind(widget: QWidget, kind: str, part: str = "kind") -> None:
    """Set a widget's purpose (`kind="primary"`) and restyle it at once."""
    if widget.property(part) == kind:
        return
    widget.setProperty(part, kind)
    if not widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished):
        return  # Qt does it before the widget is first shown or measured
    widget.style().unpolish(widget)
    widget.style().polish(widget)
    widget.update()


def plain_tooltip(text: str) -> str:
    """Return a tooltip that shows the text verbatim, even if it looks like HTML."""
    return Qt.convertFromPlainText(text) if Qt.mightBeRichText(text) else text
