"""The speed of a run: 5, 50 or as many epochs a second as there is time for."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.controls.layouts import in_row, plain_label
from app.controls.segmented import Segmented
from app.style.current import Style
from app.workbench.pace import PACES


class PaceRow(QWidget):
    """Chooses one of `PACES`."""

    chosen = Signal(str)

    def __init__(self, style: Style, caption_width: int = 0, parent: QWidget | None = None) -> None:
        """`caption_width` is that of the captions above it, in px at 100 %."""
        super().__init__(parent)
        self._style, self._caption_width = style, caption_width
        self._caption = plain_label("speed", "secondary")
        choices = [(name, name) for name in PACES]
        self.paces = Segmented(style, choices, "Epochs a second", low=True)
        self.paces.setToolTip("Epochs a second, so that you can watch")
        parts = (self._caption, (self.paces, 1), plain_label("/ s", "secondary"))
        in_row(*parts, parent=self, style=style, edges=0, gap=8)
        self.paces.chosen.connect(self.chosen)
        style.changed.connect(self._restyle)
        self._restyle()

    def show_pace(self, pace: str) -> None:
        """Show the pace that is used; emits nothing."""
        self.paces.set_choice(pace)

    def _restyle(self) -> None:
        self._caption.setMinimumWidth(self._style.px(self._caption_width))
