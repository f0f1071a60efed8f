"""PastePreview: a card at the pointer with a small picture of the graph Enter would paste."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from app.canvas.paint.figure import Shot, scene_of
from app.canvas.paint.painter import SILHOUETTE_SCALE, paint_scene
from app.canvas.scene.scene import Scene
from app.controls.focus import KeyClaim
from app.document.placement import columns
from app.document.sheet import Sheet, sheet_of
from app.guard import guarded
from app.style import sizes
from app.style.current import Style
from app.style.strokes import pen, rounded
from engine.formats.native import Drawing
from engine.frame import live_frame

RADIUS = float(sizes.RADIUS_CARD)


@guarded
class PastePreview(QFrame):
    """The card: Enter or a click pastes, Esc or losing focus does not."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._canvas_widget: QWidget = parent
        self._owner: QWidget = parent.parentWidget() or parent
        """The widget that gets the keyboard focus back: the view around the canvas."""
        self._paste: Callable[[], object] | None = None
        self.setObjectName("pastePreview")
        self.setProperty("kind", "card")
        self.setAutoFillBackground(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._claim = KeyClaim(self, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)
        self._picture = GraphPicture(style, self)
        self._description = self._make_label("interface strong")
        self._keys = self._make_label("caption", "Enter pastes, Esc does not")
        column = QVBoxLayout(self)
        space = style.px(sizes.SPACES[2])
        column.setContentsMargins(space, space, space, space)
        column.setSpacing(style.px(sizes.SPACES[0]))
        for widget in (self._picture, self._description, self._keys):
            column.addWidget(widget)
        self.hide()

    def ask(
        self, drawing: Drawing, description: str, at: QPoint, paste: Callable[[], object]
    ) -> None:
        """Show the preview beside a point of the canvas; `paste` is called on Enter."""
        self._paste = paste
        self._picture.show_drawing(drawing)
        self._description.setText(description)
        self._description.setFont(self._style.font("interface strong"))
        self._keys.setFont(self._style.font("caption"))
        self.setAccessibleName(f"{description}. Enter pastes, Escape does not.")
        self.adjustSize()
        area = self._canvas_widget.rect().adjusted(8, 8, -8, -8)
        x = min(max(at.x() + 12, area.left()), max(area.left(), area.right() - self.width()))
        y = min(max(at.y() + 12, area.top()), max(area.top(), area.bottom() - self.height()))
        self.move(x, y)
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    def text(self) -> str:
        """Return the description of the graph."""
        return self._description.text()

    def accept(self) -> None:
        """Close the card and paste the graph."""
        paste, self._paste = self._paste, None
        self.close_quietly()
        if paste is not None:
            paste()

    def close_quietly(self) -> None:
        """Close without pasting, and give the keyboard focus back."""
        self._paste = None
        if self.isVisible():
            self.hide()
            self._owner.setFocus()

    def _make_label(self, kind: str, text: str = "") -> QLabel:
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
            self._paste = None
            self.hide()


PICTURE_SIZE = (264, 132)
"""Width and height of the picture, in px at 100 %."""
MAX_PICTURE_ZOOM = 0.42
"""Largest zoom of the picture: nodes as outlines with their symbols, without numbers."""
MIN_SYMBOL_ZOOM = 0.24
"""Zoom from which on the symbols are readable."""
PITCH_SHARES = (0.57, 0.8)
"""Column and row pitch of a graph without positions, as shares of the usual pitches."""


@guarded
class GraphPicture(QWidget):
    """Outlines of the nodes of a graph, and their wires."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._scene: Scene | None = None

    def show_drawing(self, drawing: Drawing) -> None:
        """Show another graph."""
        sheet = _sheet_to_show(drawing)
        self._scene = scene_of(sheet, live_frame(sheet.graph), Shot(digits=self._style.digits))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the same size for every graph."""
        return QSize(self._style.px(PICTURE_SIZE[0]), self._style.px(PICTURE_SIZE[1]))

    def minimumSizeHint(self) -> QSize:
        """Return the same size for every graph."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the graph in the middle, as large as it fits."""
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            area = QRectF(self.rect())
            painter.fillRect(area, self._style.theme.canvas)
            bounds = self._scene.bounds() if self._scene is not None else QRectF()
            if self._scene is None or bounds.isEmpty():
                return
            inner = area.adjusted(8, 8, -8, -8)
            fitting = min(inner.width() / bounds.width(), inner.height() / bounds.height())
            scale = min(fitting, MAX_PICTURE_ZOOM * self._style.scale)
            painter.translate(area.center())
            painter.scale(scale, scale)
            painter.translate(-bounds.center())
            # as if drawn at this zoom: so that its symbols appear, and no numbers
            detail_scale = (
                max(min(scale, MAX_PICTURE_ZOOM), SILHOUETTE_SCALE)
                if scale >= MIN_SYMBOL_ZOOM
                else scale
            )
            paint_scene(painter, self._scene, self._style.theme, bounds, detail_scale)


def _sheet_to_show(drawing: Drawing) -> Sheet:
    """Return the sheet to show, with narrow columns, since it has no labels."""
    sheet = sheet_of(drawing)
    if len(sheet.positions) == len(sheet.graph.nodes):
        return sheet
    places = {
        n: (x * PITCH_SHARES[0], y * PITCH_SHARES[1]) for n, (x, y) in columns(sheet.graph).items()
    }
    return Sheet(sheet.graph, places)
