"""The paste preview: a card at the pointer that shows what an outside text would become."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from app.canvas.editing.graph_picture import GraphPicture
from app.controls.keys import KeyClaim
from app.guard import guarded
from app.style import sizes
from app.style.current import Style
from app.style.strokes import pen, rounded
from engine.formats.native import Drawing

RADIUS = float(sizes.RADIUS_CARD)


@guarded
class PastePreview(QFrame):
    """Enter or a click pastes; Esc or losing focus does not."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._area: QWidget = parent
        self._owner: QWidget = parent.parentWidget() or parent
        self._take: Callable[[], object] | None = None
        self.setObjectName("pastePreview")
        self.setProperty("kind", "card")
        self.setAutoFillBackground(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._claim = KeyClaim(self, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)
        self._picture = GraphPicture(style, self)
        self._told = self._line("interface strong")
        self._keys = self._line("caption", "Enter pastes, Esc does not")
        column = QVBoxLayout(self)
        space = style.px(sizes.SPACES[2])
        column.setContentsMargins(space, space, space, space)
        column.setSpacing(style.px(sizes.SPACES[0]))
        for widget in (self._picture, self._told, self._keys):
            column.addWidget(widget)
        self.hide()

    def ask(self, drawing: Drawing, told: str, at: QPoint, take: Callable[[], object]) -> None:
        """Show the preview beside a point of the canvas; `take` pastes it."""
        self._take = take
        self._picture.show_drawing(drawing)
        self._told.setText(told)
        self._told.setFont(self._style.font("interface strong"))
        self._keys.setFont(self._style.font("caption"))
        self.setAccessibleName(f"{told}. Enter pastes, Escape does not.")
        self.adjustSize()
        room = self._area.rect().adjusted(8, 8, -8, -8)
        x = min(max(at.x() + 12, room.left()), max(room.left(), room.right() - self.width()))
        y = min(max(at.y() + 12, room.top()), max(room.top(), room.bottom() - self.height()))
        self.move(x, y)
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    def text(self) -> str:
        """Return the description of the graph."""
        return self._told.text()

    def accept(self) -> None:
        """Close the card and paste the graph."""
        take, self._take = self._take, None
        self.close_quietly()
        if take is not None:
            take()

    def close_quietly(self) -> None:
        """Close without pasting, and give the keyboard focus back."""
        self._take = None
        if self.isVisible():
            self.hide()
            self._owner.setFocus()

    def _line(self, kind: str, text: str = "") -> QLabel:
        label = QLabel(text, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setProperty("kind", kind)
        return label

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Accept on Enter, close on Esc."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.accept()
        elif event.key() == Qt.Key.Key_Escape:
            self.close_quietly()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Accept on a click."""
        event.accept()
        self.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the card with its focus ring."""
        super().paintEvent(event)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            edge = rounded(QRectF(self.rect()).adjusted(1, 1, -1, -1), RADIUS, RADIUS)
            painter.strokePath(edge, pen(self._style.theme.selection, 2.0))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Close on losing focus, except to a menu or another window."""
        super().focusOutEvent(event)
        stays = (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason)
        if event.reason() not in stays:
            self._take = None
            self.hide()
