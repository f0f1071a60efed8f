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
    """A label that never requests more width than it has; `kind` as for other labels."""

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
        """Return the text as shown."""
        line = self.text().replace("\n", " ")
        return self.fontMetrics().elidedText(line, self._mode, self.contentsRect().width())

    def setText(self, text: str) -> None:
        super().setText(text)
        self._explain()

    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance("…") * 2, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._explain()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setPen(self.palette().color(self.foregroundRole()))
            flags = int(self.alignment()) | Qt.TextFlag.TextSingleLine
            painter.drawText(self.contentsRect(), flags, self.shown_text())

    def _explain(self) -> None:
        whole = self.text()
        self.setToolTip("" if self.shown_text() == whole else plain_tooltip(whole))
