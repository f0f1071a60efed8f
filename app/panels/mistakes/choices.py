"""Choices: a short list from which one row is chosen, by a click or by arrows and Enter."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QItemSelectionModel, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QSizePolicy

from app.controls.keys import ARROWS, ENTER, KeyClaim
from app.guard import guarded
from app.style.current import Style

_EDGE = 2
_PADDING = (12, 5)
"""Space around the text of a row, with its border: left or right, above or below, in px."""


@guarded
class Choices(QListWidget):
    """Rows of text, as high as they need; `chosen` carries the place of one."""

    chosen = Signal(int)

    def __init__(self, style: Style, name: str, *, code: bool = False) -> None:
        super().__init__()
        self._style, self._code = style, code
        self._texts: tuple[str, ...] = ()
        self.setAccessibleName(name)
        self.setWordWrap(True)
        self.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setResizeMode(QListWidget.ResizeMode.Adjust)
        KeyClaim(self, *ARROWS, *ENTER, Qt.Key.Key_Space)
        self.itemClicked.connect(self._choose)
        style.changed.connect(self._fit)

    def texts(self) -> tuple[str, ...]:
        """Return the rows."""
        return self._texts

    def show_texts(self, texts: Sequence[str]) -> None:
        """Show other rows."""
        if tuple(texts) == self._texts:
            return
        self._texts = tuple(texts)
        self.clear()
        for text in texts:
            self.addItem(QListWidgetItem(text))
        self.setCurrentRow(0, QItemSelectionModel.SelectionFlag.Clear)  # none is chosen yet
        self._fit()
        QTimer.singleShot(0, self, self._fit)

    def _choose(self, item: QListWidgetItem) -> None:
        self.chosen.emit(self.row(item))

    def _fit(self) -> None:
        """Be as high as all rows."""
        self.setFont(self._style.font("code" if self._code else "interface"))
        metrics, wide = self.fontMetrics(), self.viewport().width() - 2 * _PADDING[0]
        room, flags = QRect(0, 0, wide, 0), Qt.TextFlag.TextWordWrap.value
        for row, text in enumerate(self._texts):
            high = metrics.boundingRect(room, flags, text).height() + 2 * _PADDING[1]
            self.item(row).setSizeHint(QSize(0, high))
        self.doItemsLayout()
        rows = (self.visualItemRect(self.item(row)) for row in range(self.count()))
        high = sum(rect.height() for rect in rows)
        self.setFixedHeight(high + 2 * _EDGE)

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(120), self.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self._style.px(80), self.height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (*ENTER, Qt.Key.Key_Space) and self.currentRow() >= 0:
            event.accept()
            self.chosen.emit(self.currentRow())
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        QTimer.singleShot(0, self, self._fit)  # once the rows know their width

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
