"""A text field that filters a list while typing."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from app.controls.buttons import IconButton
from app.controls.focus import KeyClaim
from app.guard import guarded
from app.style import sizes
from app.style.current import Style
from app.style.icons import paint_icon


@guarded
class FilterEdit(QLineEdit):
    """A search field with an icon; Esc clears it, Down moves the focus to the list."""

    filter_changed = Signal(str)
    """Emitted with the text as `filter` returns it, at every key."""
    list_wanted = Signal()
    """Emitted when the focus shall move to the list."""

    def __init__(
        self, style: Style, placeholder: str = "Filter", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._style = style
        self._clear = IconButton(style, "close", "Clear", parent=self)
        self._clear.setProperty("only", "small")
        self._clear.set_kind("quiet")
        self._clear.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._clear.setCursor(Qt.CursorShape.ArrowCursor)
        self._clear.hide()
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(placeholder)
        self.setMaxLength(200)
        KeyClaim(self, Qt.Key.Key_Escape, Qt.Key.Key_Down)
        self._clear.clicked.connect(self.clear)
        self.textChanged.connect(self._changed)
        style.changed.connect(self._restyle)
        self._restyle()

    def filter(self) -> str:
        """Return the search text, stripped and in lower case."""
        return self.text().strip().casefold()

    def _changed(self) -> None:
        self._clear.setVisible(bool(self.text()))
        self.filter_changed.emit(self.filter())

    def _restyle(self) -> None:
        margin = self._style.px(sizes.CLICK_TARGET)  # for the icon, and for the button
        self.setTextMargins(margin, 0, margin, 0)
        self._place_clear_button()

    def _place_clear_button(self) -> None:
        side = self._style.px(sizes.CLICK_TARGET)
        gap = self._style.px(sizes.SPACES[0])
        self._clear.setFixedSize(side, side)
        self._clear.move(self.width() - side - gap, (self.height() - side) // 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        elif event.key() == Qt.Key.Key_Down:
            self.list_wanted.emit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_clear_button()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        side = self._style.px(sizes.ICON)
        left = self._style.px(sizes.SPACES[1] + 1)
        with QPainter(self) as painter:
            icon_rect = QRectF(left, (self.height() - side) / 2, side, side)
            paint_icon(painter, icon_rect, "search", self._style.theme.secondary)
