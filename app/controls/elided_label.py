"""A single-line label that elides its text with … and shows the full text as tooltip."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from app.controls.layouts import plain_tooltip
from app.guard import guarded
from app.style.current import Style


@guarded
class ElidedLabel(QLabel):
    """A label that can shrink to two characters; `kind` is that of the style sheet."""

    def __init__(
        self,
        style: Style,
        text: str = "",
        kind: str = "",
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._mode = mode
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("kind", kind)
        self.setText(text)
        style.changed.connect(self.updateGeometry)

    def shown_text(self) -> str:
        """Return the text as elided to the current width."""
        line = self.text().replace("\n", " ")
        return self.fontMetrics().elidedText(line, self._mode, self.contentsRect().width())

    def setText(self, text: str) -> None:
        super().setText(text)
        self._update_tooltip()

    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance("…") * 2, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_tooltip()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setPen(self.palette().color(self.foregroundRole()))
            flags = int(self.alignment()) | Qt.TextFlag.TextSingleLine
            painter.drawText(self.contentsRect(), flags, self.shown_text())

    def _update_tooltip(self) -> None:
        full_text = self.text()
        self.setToolTip("" if self.shown_text() == full_text else plain_tooltip(full_text))
