"""The last row of the transport: which step it is, its sentence, and what comes next."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QWidget

from app.controls.layouts import in_row, plain_label
from app.controls.rich_line import RichLine
from app.controls.row_visibility import row_width, show_only
from app.guard import guarded
from app.panels.transport.sentence import Sentence
from app.style.current import Style


@guarded
class Words(QWidget):
    """Leaves out what comes next, then the count, before the sentence is cut into lines."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self.count = plain_label(kind="secondary")
        self.sentence = Sentence(style)
        self.mark = QPushButton()
        self.mark.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.mark.hide()
        self.next = RichLine(style, font_role="interface", wrap=False)
        self._beside = (self.count, self.mark, self.next)
        top = Qt.AlignmentFlag.AlignTop
        parts = ((self.count, top), (self.sentence, 1), (self.mark, top), (self.next, top))
        self._row = in_row(*parts, parent=self, style=style, edges=0, gap=12)
        self._counted = self._marked = False
        self._centre = 0
        style.changed.connect(self._restyle)
        self._restyle()

    def refresh(self, counted: bool, marked: bool) -> None:
        """Choose what has room; tells whether there is a count, and a root to be marked."""
        self._counted, self._marked = counted, marked
        self._fit()

    def set_centre(self, centre: int) -> None:
        """Set the centre line of the row, in px at 100 % of the sheet."""
        self._centre = centre
        self._restyle()

    def _fit(self) -> None:
        """Hide what would make the sentence wrap."""
        shown: set[QWidget] = set() if self._style.presented else {self.next}
        if self._counted:
            shown.add(self.count)
        if self._marked:
            shown.add(self.mark)
        for widget in (self.next,) if self._style.presented else (self.next, self.count):
            beside = row_width(shown, self._row.spacing()) + self._row.spacing() if shown else 0
            if beside + self.sentence.least_width() <= self.width():
                break
            shown.discard(widget)
        show_only(self._beside, shown)

    def _restyle(self) -> None:
        centre = round(self._centre * self._style.scale)
        self.sentence.set_centre(centre)
        for widget in (self.count, self.next):
            widget.setFixedHeight(2 * centre)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
