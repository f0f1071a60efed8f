"""The list of questions of a run: title, right number, ✓ or ✗ with the wrong answer struck."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QWidget

from app.controls.elided_label import ElidedLabel
from app.controls.kind import set_kind
from app.controls.layouts import in_column, in_row, plain_label
from app.controls.rich_line import RichLine
from app.controls.rows_on_demand import RowsOnDemand
from app.guard import guarded
from app.style.current import Style
from app.workbench.predictions import Row

MOST = 24
"""Rows at most; of earlier ones only the number is shown."""
_BLOCK = 8
"""Rows that leave the list at once, so that not every row changes with every answer."""
_STEP_WIDTH = 20
"""Width of the number of a step, in px at 100 %."""


class Rows(QWidget):
    """The newest rows, the last of them for the question that waits."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._earlier = plain_label(kind="caption")
        column = in_column(self._earlier, parent=self, style=style, edges=0, gap=6)
        self._rows = RowsOnDemand(lambda: _RowFrame(style), column.addWidget)

    def texts(self) -> list[str]:
        """Return the rows as they are read aloud."""
        return [row.accessibleName() for row in self._rows.shown]

    @property
    def last(self) -> QWidget | None:
        """Return the newest row, or None."""
        return next(reversed(self._rows.shown), None)

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show the rows of a run."""
        hidden = max(0, math.ceil((len(rows) - MOST) / _BLOCK) * _BLOCK)
        shown = rows[hidden:]
        self._earlier.setText(f"{hidden:,} earlier questions")
        self._earlier.setVisible(hidden > 0)
        for frame, row in zip(self._rows.show(len(shown)), shown, strict=True):
            frame.show_row(row)


@guarded
class _RowFrame(QFrame):
    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self._row: Row | None = None
        self._step = plain_label(kind="secondary")
        self._title = ElidedLabel(style)
        self._mark = RichLine(style, font_role="interface", wrap=False)
        self._mark.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._sentence = plain_label(kind="caption", wraps=True)
        head = in_row(self._step, (self._title, 1), self._mark, style=style, edges=0, gap=6)
        in_column(head, self._sentence, parent=self, style=style, edges=(10, 5, 10, 5), gap=2)
        style.changed.connect(self._restyle)
        self._restyle()

    def show_row(self, row: Row) -> None:
        """Show one question."""
        if row == self._row:
            return
        self._row = row
        self._step.setText(f"{row.step:,}" if row.step else "")
        self._title.setText(row.title)
        self._mark.set_spans(row.mark)
        self._sentence.setText(row.sentence)
        self._sentence.setVisible(bool(row.sentence))
        set_kind(self, "question" if row.is_open else "card")
        set_kind(self._title, "strong" if row.is_open else "")
        self.setAccessibleName(row.spoken)
        self._fit()

    def _restyle(self) -> None:
        self._step.setMinimumWidth(self._style.px(_STEP_WIDTH))
        QTimer.singleShot(0, self, self._fit)  # once the labels know their fonts

    def _fit(self) -> None:
        """Give the row its height; else all rows would be measured with every answer."""
        layout = self.layout()
        assert layout is not None
        wraps = layout.hasHeightForWidth()
        high = (
            layout.totalHeightForWidth(self.width()) if wraps else layout.totalSizeHint().height()
        )
        self.setFixedHeight(high)

    def hasHeightForWidth(self) -> bool:
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()
