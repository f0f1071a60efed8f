"""Cards of the start page: the examples in as many columns as fit, and the recent files."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPixmap
from PySide6.QtWidgets import QFrame, QGridLayout, QSizePolicy, QWidget

from app.controls.icon_button import IconButton
from app.controls.kind import plain_tooltip
from app.controls.layouts import in_column, in_row, plain_label
from app.controls.painted_button import PaintedButton
from app.document.examples import Example, examples
from app.guard import guarded
from app.panels.welcome.thumbnail import paint_thumbnail
from app.style import sizes
from app.style.current import Style
from app.style.theme import mixed
from engine.errors import EngineError
from engine.formats.files import load_drawing
from engine.formats.native import Drawing

WIDTH = 300
"""Usual width of an example's card, in px at 100 %."""
PICTURE, LEAST_PICTURE = 128, 64
"""Usual and least height of an example's picture, in px at 100 %."""
WORDS = 84
"""Height of a card besides its picture, in px at 100 %."""
ROW, LEAST_ROW = 72, 40
"""Usual and least height of a recent file, in px at 100 %."""
_ROW_WITH_PICTURE = 56
"""Height of a recent file below which its picture would show nothing, in px at 100 %."""
_LARGEST_FILE = 300_000
"""Bytes of a file that is read for its picture at most."""


class Thumbnail:
    """A drawing's picture, cached for each size and look."""

    def __init__(self, drawing: Drawing | None) -> None:
        self.drawing = drawing
        self._key: tuple[object, ...] = ()
        self._pixmap = QPixmap()

    def paint(self, painter: QPainter, rect: QRectF, style: Style, ratio: float) -> None:
        """Paint the picture into rect."""
        if self.drawing is None:
            return
        key = (rect.width(), rect.height(), style.theme.name, style.control_scale, ratio)
        if key != self._key:
            self._key = key
            self._pixmap = QPixmap((rect.size() * ratio).toSize())
            self._pixmap.setDevicePixelRatio(ratio)
            self._pixmap.fill(Qt.GlobalColor.transparent)
            with QPainter(self._pixmap) as inner:
                paint_thumbnail(inner, QRectF(QPointF(0, 0), rect.size()), self.drawing, style)
        painter.drawPixmap(rect.topLeft(), self._pixmap)


class PictureCard(PaintedButton):
    """A button with a picture, highlighted on hover."""

    def __init__(self, style: Style, drawing: Drawing | None, parent: QWidget | None) -> None:
        super().__init__(style, parent)
        self._thumbnail = Thumbnail(drawing)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def _box(self, painter: QPainter) -> None:
        theme = self._style.theme
        line = theme.outline if self.underMouse() else theme.line
        fill = mixed(theme.panel, theme.text, 0.03) if self.isDown() else theme.panel
        self.paint_box(painter, fill, line, sizes.RADIUS_CARD)

    def _picture(self, painter: QPainter, rect: QRectF, margin: float) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._style.theme.canvas)
        painter.drawRoundedRect(rect, self._style.px(6), self._style.px(6))
        inner = rect.adjusted(margin, margin, -margin, -margin)
        self._thumbnail.paint(painter, inner, self._style, self.devicePixelRatioF())

    def _line(self, painter: QPainter, role: str, at: QPointF, room: float, text: str) -> None:
        painter.setFont(self._style.font(role))
        metrics = QFontMetricsF(painter.font())
        painter.drawText(at, metrics.elidedText(text, Qt.TextElideMode.ElideRight, room))


@guarded
class ExampleCard(PictureCard):
    """An example: picture, title, number of nodes, formula, and its point."""

    chosen = Signal(str)

    def __init__(self, style: Style, example: Example, parent: QWidget | None = None) -> None:
        drawing = drawing_in(example.path)
        super().__init__(style, drawing, parent)
        self.example = example
        self._high = PICTURE
        count = 0 if drawing is None else len(drawing.graph.nodes)
        self._count = f"{count} nodes"
        self.setText(example.title)
        self.setAccessibleName(f"Example {example.title}: {example.note}")
        self.setToolTip(plain_tooltip(f"{example.expression}\n{example.note}"))
        self.clicked.connect(self._choose)

    def set_picture(self, height: int) -> None:
        """Set the height of the picture, in px at 100 %."""
        if height != self._high:
            self._high = height
            self.updateGeometry()

    def _choose(self) -> None:
        self.chosen.emit(self.example.name)

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(WIDTH), self._style.px(self._high + WORDS))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._style.px(180), self._style.px(self._high + WORDS))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, px = self._style.theme, self._style.px
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._box(painter)
            edge = px(9)
            picture = QRectF(edge, edge, self.width() - 2 * edge, px(self._high))
            self._picture(painter, picture, px(12))
            left, room = px(13), self.width() - 2 * px(13)
            painter.setFont(self._style.font("caption"))
            wide = QFontMetricsF(painter.font()).horizontalAdvance(self._count)
            painter.setPen(theme.secondary)
            top = px(self._high) + edge
            painter.drawText(QPointF(self.width() - px(13) - wide, top + px(22)), self._count)
            self._line(painter, "caption", QPointF(left, top + px(60)), room, self.example.note)
            painter.setPen(theme.text)
            strong = QPointF(left, top + px(22))
            self._line(painter, "interface strong", strong, room - wide - px(8), self.example.title)
            self._line(painter, "code", QPointF(left, top + px(41)), room, self.example.expression)


@guarded
class RecentCard(PictureCard):
    """A recent file: picture, name, folder and modification time."""

    chosen = Signal(str)

    def __init__(self, style: Style, path: Path, parent: QWidget | None = None) -> None:
        super().__init__(style, drawing_in(path), parent)
        self.path = path
        self._high = ROW
        self._when = f"{path.parent.name}, {_when(path)}"
        self.setText(path.name)
        self.setAccessibleName(f"Recent file {path.name}")
        self.setToolTip(plain_tooltip(str(path)))
        self.clicked.connect(self._choose)

    def set_height(self, height: int) -> None:
        """Set the height, in px at 100 %."""
        if height != self._high:
            self._high = height
            self.updateGeometry()

    def _choose(self) -> None:
        self.chosen.emit(str(self.path))

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(280), self._style.px(self._high))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._style.px(180), self._style.px(self._high))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, px = self._style.theme, self._style.px
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._box(painter)
            left = px(14)
            if self._high >= _ROW_WITH_PICTURE:
                edge, wide = px(6), min(px(150), self.width() * 0.42)
                self._picture(painter, QRectF(edge, edge, wide, self.height() - 2 * edge), px(5))
                left = edge + wide + px(12)
            room = self.width() - left - px(10)
            painter.setPen(theme.text)
            middle = self.height() / 2
            name = QPointF(left, middle - px(3))
            self._line(painter, "interface strong", name, room, self.path.name)
            painter.setPen(theme.secondary)
            self._line(painter, "caption", QPointF(left, middle + px(14)), room, self._when)


def drawing_in(path: Path) -> Drawing | None:
    """Return a file's content, or None if it can't be read or is too large for a picture."""
    try:
        if path.stat().st_size > _LARGEST_FILE:
            return None
        return load_drawing(path)
    except (OSError, EngineError):
        return None


def _when(path: Path) -> str:
    """Return the day a file was changed, with the time if that was today or yesterday."""
    try:
        changed = datetime.fromtimestamp(path.stat().st_mtime)
    except OSError:
        return "gone"
    days = (datetime.now().date() - changed.date()).days
    if days == 0:
        return f"today, {changed:%H:%M}"
    if days == 1:
        return f"yesterday, {changed:%H:%M}"
    return f"{changed:%Y-%m-%d}"


FIRST = 6
"""Examples that are wholly visible before anything is scrolled."""
_COLUMNS = 3
_EXAMPLE_GAP = 14
"""Space between cards, in px at 100 %."""
_SQUEEZE = 20
"""By how much a card may be narrower than usual for one more column, in px at 100 %."""


class Examples(QWidget):
    """One card per example; their pictures become lower where the first six would be cut."""

    chosen = Signal(str)

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._columns = 0
        self.cards = [ExampleCard(style, example, self) for example in examples()]
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        for card in self.cards:
            card.chosen.connect(self.chosen)

    def fit(self, width: int, height: int) -> None:
        """Arrange the cards for the room that is in sight without scrolling, in px."""
        px = self._style.px
        self._grid.setSpacing(px(_EXAMPLE_GAP))
        columns = (width + px(_EXAMPLE_GAP)) // px(WIDTH - _SQUEEZE)
        self._arrange(max(1, min(_COLUMNS, columns)))
        rows = -(-FIRST // self._columns)
        for_one = (height - (rows - 1) * px(_EXAMPLE_GAP)) / rows / px(100) * 100
        picture = int(for_one) - WORDS - 1  # rounding must not cut the last row
        for card in self.cards:
            card.set_picture(min(picture, PICTURE) if picture >= LEAST_PICTURE else PICTURE)

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for card in self.cards:
            self._grid.removeWidget(card)
        for place, card in enumerate(self.cards):
            self._grid.addWidget(card, place // columns, place % columns)
        for column in range(_COLUMNS):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)


NO_RECENT = "Nothing here yet. Your own graph files are listed here once you open or save one."
MOST_RECENT = 6
_FILE_GAP = 8
"""Space between files, in px at 100 %."""


class RecentFiles(QWidget):
    """A heading with a button to open a file, and one card per file."""

    chosen = Signal(str)
    open_wanted = Signal()

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._columns = 1
        self.cards: list[RecentCard] = []
        self.open_button = IconButton(style, "open", "Open a file", "Ctrl+O", text="Open a file")
        self.open_button.set_kind("quiet")
        self.open_button.clicked.connect(self.open_wanted)
        self._nothing = _nothing_yet()
        self._head = in_row((plain_label("Recent", "heading"), 1), self.open_button)
        self._grid = QGridLayout()
        parts = (self._head, self._nothing, self._grid)
        in_column(*parts, parent=self, style=style, edges=0, gap=12)

    def set_files(self, paths: Sequence[Path]) -> None:
        """List these files."""
        for card in self.cards:
            self._grid.removeWidget(card)
            card.deleteLater()
        self.cards = [RecentCard(self._style, path) for path in paths[:MOST_RECENT]]
        for card in self.cards:
            card.chosen.connect(self.chosen)
        self._nothing.setVisible(not self.cards)
        self._arrange()

    def fit(self, columns: int, height: int) -> None:
        """Arrange the cards for the height that is in sight without scrolling, in px."""
        px = self._style.px
        self._grid.setSpacing(px(_FILE_GAP))
        if columns != self._columns:
            self._columns = columns
            self._arrange()
        rows = max(1, -(-len(self.cards) // columns))
        room = height - self._head.sizeHint().height() - px(12)
        for_one = int(((room - (rows - 1) * px(_FILE_GAP)) / rows) / px(100) * 100)
        for card in self.cards:
            card.set_height(max(LEAST_ROW, min(for_one, ROW)))

    def _arrange(self) -> None:
        for card in self.cards:
            self._grid.removeWidget(card)
        for place, card in enumerate(self.cards):
            self._grid.addWidget(card, place // self._columns, place % self._columns)


def _nothing_yet() -> QFrame:
    frame = QFrame()
    frame.setProperty("kind", "empty")
    in_column(plain_label(NO_RECENT, "secondary", wraps=True), parent=frame, edges=16)
    return frame
