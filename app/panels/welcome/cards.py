"""Cards of the start page: the examples and the recent files, each with a thumbnail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property, lru_cache
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
)
from PySide6.QtWidgets import QFrame, QGridLayout, QPushButton, QSizePolicy, QWidget

from app.controls.buttons import IconButton, PaintedButton
from app.controls.focus import PressedByEnter, set_tab_order_after
from app.controls.layouts import in_column, in_row, plain_label, plain_tooltip
from app.document.examples import Example, examples
from app.document.node_sizes import is_seated
from app.document.placement import balanced_columns
from app.guard import guarded
from app.style import sizes
from app.style.current import Style
from app.style.fonts import font as font_of
from app.style.icons import paint_icon
from app.style.theme import mixed
from engine.errors import EngineError
from engine.formats.files import load_drawing
from engine.formats.native import Drawing
from engine.graph import Constant, Graph, Leaf, OpNode, Root
from engine.numbers import short

WIDTH, LEAST_WIDTH = 180, 140
"""Usual width of an example's card, and the least in a row, in px at 100 %."""
PICTURE, LEAST_PICTURE = 138, 60
"""Usual and least height of an example's picture, in px at 100 %."""
WORDS = 62
"""Height of a card besides its picture, in px at 100 %."""
ROW, LEAST_ROW = 58, 40
"""Usual and least height of a recent file, in px at 100 %."""
_ROW_WITH_PICTURE = 56
"""Height of a recent file below which its picture would show nothing, in px at 100 %."""
_LARGEST_FILE = 300_000
"""Bytes of a file that is read for its picture at most."""


class Thumbnail:
    """The picture of a file, cached for each size and look; the file is read when first painted."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._key: tuple[object, ...] = ()
        self._pixmap = QPixmap()

    def paint(self, painter: QPainter, rect: QRectF, style: Style, ratio: float) -> None:
        """Paint the picture into rect."""
        if self._drawing is None:
            return
        key = (rect.width(), rect.height(), style.theme.name, style.control_scale, ratio)
        if key != self._key:
            self._key = key
            self._pixmap = QPixmap((rect.size() * ratio).toSize())
            self._pixmap.setDevicePixelRatio(ratio)
            self._pixmap.fill(Qt.GlobalColor.transparent)
            with QPainter(self._pixmap) as inner:
                paint_thumbnail(inner, QRectF(QPointF(0, 0), rect.size()), self._drawing, style)
        painter.drawPixmap(rect.topLeft(), self._pixmap)

    @cached_property
    def _drawing(self) -> Drawing | None:
        """The file's content, or None if it can't be read or is too large for a picture."""
        try:
            if self._path.stat().st_size > _LARGEST_FILE:
                return None
            return load_drawing(self._path)
        except (OSError, EngineError):
            return None


class PictureCard(PaintedButton):
    """A button with a picture, highlighted on hover."""

    def __init__(self, style: Style, path: Path, parent: QWidget | None) -> None:
        super().__init__(style, parent)
        self._thumbnail = Thumbnail(path)
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
    """An example: picture, title, and its point; the tooltip has its formula."""

    chosen = Signal(str)

    def __init__(self, style: Style, example: Example, parent: QWidget | None = None) -> None:
        super().__init__(style, example.path, parent)
        self.example = example
        self._high = PICTURE
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
        return QSize(self._style.px(120), self._style.px(self._high + WORDS))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, px = self._style.theme, self._style.px
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._box(painter)
            edge = px(7)
            picture = QRectF(edge, edge, self.width() - 2 * edge, px(self._high))
            self._picture(painter, picture, px(6))
            left, room = px(12), self.width() - 2 * px(12)
            top = px(self._high) + edge
            painter.setPen(theme.secondary)
            self._line(painter, "caption", QPointF(left, top + px(42)), room, self.example.note)
            painter.setPen(theme.text)
            strong = QPointF(left, top + px(22))
            self._line(painter, "interface strong", strong, room, self.example.title)


@guarded
class RecentCard(PictureCard):
    """A recent file: picture, name, folder and modification time."""

    chosen = Signal(str)

    def __init__(self, style: Style, path: Path, parent: QWidget | None = None) -> None:
        super().__init__(style, path, parent)
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


_COLUMNS = 3
_EXAMPLE_GAP = 12
"""Space between cards, in px at 100 %."""
_GOOD_PICTURE = 80
"""Height of a picture from which one more row is shown, in px at 100 %."""
_HEAD_GAP = 8


class Examples(QWidget):
    """A heading with a button for all examples, and a card for each one shown."""

    chosen = Signal(str)
    all_wanted = Signal()
    """Emitted when all examples, or again only those that fit, are to be shown."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._columns = 0
        self._all = False
        self.all_button = QPushButton(self)
        self.cards = [ExampleCard(style, example, self) for example in examples()]
        self.all_button.setProperty("kind", "offer")
        PressedByEnter(self.all_button)
        note = plain_label("each makes one point", "caption")
        self._head = in_row(plain_label("Examples", "heading"), (note, 1), self.all_button)
        self._grid = QGridLayout()
        parts = (self._head, self._grid)
        in_column(*parts, parent=self, style=style, edges=0, gap=_HEAD_GAP)
        for card in self.cards:
            card.chosen.connect(self.chosen)
        self.all_button.clicked.connect(self._toggle_all)

    @property
    def min_height(self) -> int:
        """Return the height of the heading and one row with the lowest pictures, in px."""
        px = self._style.px
        return self._head.sizeHint().height() + px(_HEAD_GAP) + px(LEAST_PICTURE + WORDS)

    def fit(self, width: int, height: int) -> None:
        """Arrange the cards for the room that is in sight without scrolling, in px."""
        px = self._style.px
        self._grid.setSpacing(px(_EXAMPLE_GAP))
        least = 2 if width >= px(2 * LEAST_WIDTH + _EXAMPLE_GAP) else 1
        columns = max(least, min(_COLUMNS, (width + px(_EXAMPLE_GAP)) // px(WIDTH + _EXAMPLE_GAP)))
        room = height - self._head.sizeHint().height() - px(_HEAD_GAP) + px(_EXAMPLE_GAP)
        rows = max(1, room // px(_GOOD_PICTURE + WORDS + _EXAMPLE_GAP))
        shown = rows * columns
        self.all_button.setText("Fewer" if self._all else f"All {len(self.cards)}")
        self.all_button.setVisible(shown < len(self.cards))
        rows = min(rows, -(-len(self.cards) // columns))
        picture = int((room / rows - px(_EXAMPLE_GAP)) / px(100) * 100) - WORDS - 1  # rounding
        picture = PICTURE if self._all else max(LEAST_PICTURE, min(picture, PICTURE))
        for place, card in enumerate(self.cards):
            card.setVisible(self._all or place < shown)
            card.set_picture(picture)
        self._arrange(columns)

    def _toggle_all(self) -> None:
        self._all = not self._all
        self.all_wanted.emit()

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
_LEAST_ROWS = 2
_FILE_GAP = 8
"""Space between files, and below the heading, in px at 100 %."""


class RecentFiles(QWidget):
    """A heading with a button to open a file, and one card per file."""

    chosen = Signal(str)
    open_wanted = Signal()

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._columns = 1
        self.cards: list[RecentCard] = []
        self.open_button = IconButton(style, "", "Open a file", "Ctrl+O", text="Open a file…")
        self.open_button.set_kind("offer")
        self.open_button.clicked.connect(self.open_wanted)
        self._nothing = _nothing_yet()
        self._head = in_row((plain_label("Recent", "heading"), 1), self.open_button)
        self._grid = QGridLayout()
        parts = (self._head, self._nothing, self._grid)
        in_column(*parts, parent=self, style=style, edges=0, gap=_FILE_GAP)

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
        set_tab_order_after(self.open_button, self.cards)

    def fit(self, columns: int, width: int, height: int) -> int:
        """Show as many files as fit into a height in px, at least two rows; return the height."""
        px = self._style.px
        self._grid.setSpacing(px(_FILE_GAP))
        if columns != self._columns:
            self._columns = columns
            self._arrange()
        head = self._head.sizeHint().height() + px(_FILE_GAP)
        if not self.cards:
            return head + self._nothing.heightForWidth(width)
        rows = max(_LEAST_ROWS, (height - head + px(_FILE_GAP)) // px(LEAST_ROW + _FILE_GAP))
        rows = min(rows, -(-len(self.cards) // columns))
        for_one = int(((height - head + px(_FILE_GAP)) / rows - px(_FILE_GAP)) / px(100) * 100)
        high = max(LEAST_ROW, min(for_one, ROW))
        for place, card in enumerate(self.cards):
            card.setVisible(place < rows * columns)
            card.set_height(high)
        return head + rows * (px(high) + px(_FILE_GAP)) - px(_FILE_GAP)

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


_BOX = QSizeF(34, 21)
_LEAST_WIRE = 12.0
"""Least length of a wire between two columns, in px at 100 %."""
_TALLER = 1.35
"""How much less than its width the height of a box shrinks, so that its text stays legible."""
_PITCH = 2 * sizes.OP_WIDTH
"""Distance of two columns on the sheet that are made evenly spaced."""
_SMALLEST = 0.2
"""Least size of a box, as a share of its usual one."""
_LEAST = 9.0
_NODE = QSizeF(sizes.OP_WIDTH, sizes.NODE_HEIGHT)
"""Typical size of a node on the sheet; its box is drawn around the same middle."""
MOST_NODES = 400


def paint_thumbnail(painter: QPainter, rect: QRectF, drawing: Drawing, style: Style) -> None:
    """Paint a graph so that it fits into rect; omit a very large graph."""
    graph = drawing.graph
    if not graph.nodes or len(graph.nodes) > MOST_NODES:
        return
    boxes, scale = _boxes(graph, drawing.positions, rect, style)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(style.theme.wire, 1.3 * max(scale, 0.6) * style.control_scale))
    for source, (target, slot) in graph.wires():
        painter.drawPath(_wire(boxes[source], boxes[target], slot, len(graph.inputs(target))))
    for node, box in boxes.items():
        _paint_box(painter, graph, node, box, style)
    painter.restore()


def _boxes(
    graph: Graph, positions: Mapping[int, tuple[float, float]], rect: QRectF, style: Style
) -> tuple[dict[int, QRectF], float]:
    """Return a box for each node, and the scale of the boxes relative to the usual size."""
    # Literals are drawn at the slot of their reader, too close to be told apart here.
    has_literals = any(is_seated(graph, node) for node in graph.nodes)
    placed = positions.keys() >= graph.nodes.keys() and not has_literals
    places = dict(positions) if placed else balanced_columns(graph)
    middles = {
        n: QPointF(places[n][0] + _NODE.width() / 2, places[n][1] + _NODE.height() / 2)
        for n in graph.nodes
    }
    middles = _evenly_spaced(middles)
    left, right = _extent([p.x() for p in middles.values()])
    top, bottom = _extent([p.y() for p in middles.values()])
    size, gap = _BOX * style.control_scale, _LEAST_WIRE * style.control_scale
    most = 0.31 * style.control_scale
    columns = round((right - left) / _PITCH) + 1
    usual = (rect.width() - gap * (columns - 1)) / columns
    usual = min(size.width(), max(_SMALLEST * size.width(), usual))
    zoom = min((rect.width() - usual) / max(right - left, 1.0), most)
    tall = min((rect.height() - size.height()) / max(bottom - top, 1.0), most, 2 * zoom)
    zoom = min(zoom, 3 * tall)
    shrink = (_PITCH * zoom - gap) / size.width()
    shrink = max(_SMALLEST, min(1.0, shrink))
    lower = (_above(middles) * tall - 2) / size.height()
    lower = max(_SMALLEST, min(1.0, shrink * _TALLER, lower))
    middle = QPointF((left + right) / 2, (top + bottom) / 2)
    boxes: dict[int, QRectF] = {}
    for node, place in middles.items():
        off = place - middle
        at = rect.center() + QPointF(off.x() * zoom, off.y() * tall)
        wide, high = size.width() * shrink, size.height() * lower
        boxes[node] = QRectF(at.x() - wide / 2, at.y() - high / 2, wide, high)
    return boxes, shrink


def _evenly_spaced(middles: Mapping[int, QPointF]) -> dict[int, QPointF]:
    """Return the places with all columns at the same distance.

    The columns of a sheet are as wide as their texts, which are left out here.
    """
    column, start = -1, float("-inf")
    places: dict[int, QPointF] = {}
    for node, place in sorted(middles.items(), key=lambda item: item[1].x()):
        if place.x() - start > _NODE.width():
            column, start = column + 1, place.x()
        places[node] = QPointF(column * _PITCH, place.y())
    return places


def _above(middles: Mapping[int, QPointF]) -> float:
    """Return the least distance between two nodes in one column."""
    by_column: dict[int, list[float]] = {}
    for place in middles.values():
        by_column.setdefault(round(place.x()), []).append(place.y())
    above = [b - a for rows in by_column.values() for a, b in pairwise(sorted(rows))]
    return min(above, default=1e9)


def _extent(numbers: list[float]) -> tuple[float, float]:
    return min(numbers), max(numbers)


def _wire(source: QRectF, target: QRectF, slot: int, slots: int) -> QPainterPath:
    start = QPointF(source.right(), source.center().y())
    offset = 0.0 if slots < 2 else (slot - (slots - 1) / 2) * target.height() * 0.4
    end = QPointF(target.left(), target.center().y() + offset)
    bend = max(min((end.x() - start.x()) / 2, target.width()), 4.0)
    path = QPainterPath(start)
    turn = QPointF(start.x() + 2 * bend, end.y())
    path.cubicTo(QPointF(start.x() + bend, start.y()), QPointF(start.x() + bend, end.y()), turn)
    path.lineTo(end)
    return path


def _paint_box(painter: QPainter, graph: Graph, node: int, box: QRectF, style: Style) -> None:
    theme, found = style.theme, graph.nodes[node]
    fill: dict[type, QColor] = {
        Leaf: theme.header_leaf,
        OpNode: theme.header_op,
        Root: theme.header_root,
    }
    line = theme.root if isinstance(found, Root) else theme.outline
    painter.setPen(QPen(line, 1.0))
    painter.setBrush(fill.get(type(found), theme.muted))
    radius = box.height() * (0.45 if isinstance(found, Leaf) else 0.2)
    if isinstance(found, Root):
        box = box.adjusted(0, 0, -box.width() * 0.4, 0)
    painter.drawRoundedRect(box, radius, radius)
    if isinstance(found, Root):
        side = box.height() * 0.62
        flag = QRectF(box.center() - QPointF(side / 2, side / 2), QSizeF(side, side))
        paint_icon(painter, flag, "root", theme.root)
        return
    text = _text(graph, node)
    font = _font(style.control_scale, round(box.height() * 0.54), text, round(box.width()))
    if font is not None:
        painter.setFont(font)
        painter.setPen(QColor(theme.text))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def _text(graph: Graph, node: int) -> str:
    found = graph.nodes[node]
    if isinstance(found, OpNode):
        return graph.op(node).symbol
    if isinstance(found, Constant) and not found.label:
        return short(found.value, 2)
    return graph.brief(node, 8)


@lru_cache(maxsize=512)
def _font(scale: float, pixels: int, text: str, room: int) -> QFont | None:
    """Return a font in which the text fits into its box, or None if it would be unreadable."""
    font = font_of("caption strong", scale)
    for size in range(pixels, int(_LEAST) - 1, -1):
        font.setPixelSize(size)
        if QFontMetricsF(font).horizontalAdvance(text) <= room - 3:
            return font
    return None
