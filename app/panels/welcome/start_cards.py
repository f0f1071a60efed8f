"""Cards of the start page: the examples and the recent files, each with a thumbnail.

`Examples` and `RecentFiles` are the two groups; `paint_thumbnail` paints a graph anywhere,
`fill_grid` fills a grid of cards or lessons.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property, lru_cache
from itertools import pairwise
from math import ceil
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
from PySide6.QtWidgets import QFrame, QGridLayout, QSizePolicy, QWidget

from app.controls.focus import set_tab_order_after
from app.controls.layouts import in_column, in_row, plain_label, plain_tooltip
from app.controls.painted_buttons import IconButton, PaintedButton, push_button
from app.document.examples import Example, examples
from app.document.node_sizes import is_pill
from app.document.placement import balanced_columns
from app.document.sheet import is_large
from app.guard import exception_safe
from app.lessons.course import FOLDER as LESSONS
from app.lessons.course import OPENING, OPENING_TITLE
from app.style import sizes
from app.style.current import Style
from app.style.fonts import font as font_of
from app.style.icons import paint_icon
from app.style.strokes import antialiased
from app.style.theme import mixed
from engine.errors import EngineError
from engine.formats.files import load_drawing
from engine.formats.native import Drawing
from engine.graph import Constant, Graph, Leaf, OpNode, Root
from engine.numbers import short

_CARD_WIDTH, _MIN_CARD_WIDTH = 180, 140
"""Usual width of an example's card, and the least in a row, in px at 100 %."""
_PICTURE_HEIGHT, _MIN_PICTURE_HEIGHT = 138, 60
"""Usual and least height of an example's picture, in px at 100 %."""
_TEXT_HEIGHT = 62
"""Height of a card besides its picture, in px at 100 %."""
_EDGE, _NOTE_PITCH = 12, 16
"""Space at the sides of the texts of a card, and between two lines of its note, in px at 100 %."""
_RECENT_HEIGHT, _MIN_RECENT_HEIGHT = 58, 40
"""Usual and least height of a recent file's card, in px at 100 %."""
_RECENT_WITH_PICTURE = 56
"""Height of a recent file's card from which it has a picture, in px at 100 %."""
_WIRE_GAP = 2.0
"""Least distance of a wire from the boxes that it passes, in px."""
_WIRE_POINTS = 40
"""Intervals of a wire at whose ends it is compared with the boxes that it passes."""
_MAX_PASSED = 20
"""Nodes of the largest graph whose wires pass beside them: a search that grows with their cube."""
_MAX_FILE_SIZE = 300_000
"""Bytes of the largest file that is read for its picture, which happens while painting."""


class Thumbnail:
    """The picture of a file, cached for each size and look; the file is read when first painted."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._key: tuple[object, ...] = ()
        self._pixmap = QPixmap()

    def paint(self, painter: QPainter, rect: QRectF, style: Style, ratio: float) -> None:
        """Paint the picture into rect; `ratio` is the device pixel ratio."""
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
            if self._path.stat().st_size > _MAX_FILE_SIZE:
                return None
            return load_drawing(self._path)
        except (OSError, EngineError):
            return None


class PictureCard(PaintedButton):
    """A button with a picture, highlighted on hover."""

    def __init__(self, style: Style, path: Path, parent: QWidget | None = None) -> None:
        super().__init__(style, parent)
        self._thumbnail = Thumbnail(path)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def _paint_card(self, painter: QPainter) -> None:
        theme = self._style.theme
        line = theme.outline if self.underMouse() else theme.line
        fill = mixed(theme.panel, theme.text, 0.03) if self.isDown() else theme.panel
        self.paint_box(painter, fill, line, sizes.RADIUS_CARD)

    def _paint_picture(self, painter: QPainter, rect: QRectF, margin: float) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._style.theme.canvas)
        painter.drawRoundedRect(rect, self._style.px(6), self._style.px(6))
        inner = rect.adjusted(margin, margin, -margin, -margin)
        self._thumbnail.paint(painter, inner, self._style, self.devicePixelRatioF())

    def _paint_text(
        self, painter: QPainter, role: str, at: QPointF, width: float, text: str
    ) -> None:
        """Paint a line of text at a baseline, elided to a width."""
        painter.setFont(self._style.font(role))
        metrics = QFontMetricsF(painter.font())
        painter.drawText(at, metrics.elidedText(text, Qt.TextElideMode.ElideRight, width))


@exception_safe
class ExampleCard(PictureCard):
    """An example: picture, title, and its point; the tooltip has these and its formula."""

    chosen = Signal(str)
    """Emitted with the name of the example."""

    def __init__(self, style: Style, example: Example, parent: QWidget | None = None) -> None:
        super().__init__(style, example.path, parent)
        self.example = example
        self._picture_height, self._text_height = _PICTURE_HEIGHT, _TEXT_HEIGHT
        self.set_title(example.title, f"{example.expression}\n{example.note}")
        self.setAccessibleName(f"Example {example.title}: {example.note}")
        self.clicked.connect(self._choose)

    def set_heights(self, picture: int, text: int) -> None:
        """Set the heights of the picture and of the rest, in px at 100 %."""
        if (picture, text) != (self._picture_height, self._text_height):
            self._picture_height, self._text_height = picture, text
            self.updateGeometry()

    def _choose(self) -> None:
        self.chosen.emit(self.example.name)

    def sizeHint(self) -> QSize:
        px = self._style.px
        return QSize(px(_CARD_WIDTH), px(self._picture_height + self._text_height))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._style.px(120), self._style.px(self._picture_height + self._text_height))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, px = self._style.theme, self._style.px
        with antialiased(self) as painter:
            self._paint_card(painter)
            edge = px(7)
            picture = QRectF(edge, edge, self.width() - 2 * edge, px(self._picture_height))
            self._paint_picture(painter, picture, px(6))
            left, width = px(_EDGE), self.width() - 2 * px(_EDGE)
            top = px(self._picture_height) + edge
            painter.setPen(theme.secondary)
            wraps = self._text_height > _TEXT_HEIGHT
            lines = self.note_lines(width) if wraps else [self.example.note]
            for row, line in enumerate(lines):
                at = QPointF(left, top + px(42 + row * _NOTE_PITCH))
                self._paint_text(painter, "caption", at, width, line)
            painter.setPen(theme.text)
            title = QPointF(left, top + px(22))
            role = "interface strong" if self._fits("interface strong", width) else "caption strong"
            self._paint_text(painter, role, title, width, self.example.title)

    def note_lines(self, width: float) -> list[str]:
        """Return the note in lines of a width in px, two at most."""
        metrics, lines = QFontMetricsF(self._style.font("caption")), [""]
        for word in self.example.note.split():
            longer = f"{lines[-1]} {word}".lstrip()
            if len(lines) < 2 and lines[-1] and metrics.horizontalAdvance(longer) > width:
                lines.append(word)
            else:
                lines[-1] = longer
        return lines

    def _fits(self, role: str, width: float) -> bool:
        metrics = QFontMetricsF(self._style.font(role))
        return metrics.horizontalAdvance(self.example.title) <= width


@exception_safe
class RecentCard(PictureCard):
    """A recent file: picture, name, folder and modification time."""

    chosen = Signal(str)
    """Emitted with the path of the file."""

    def __init__(self, style: Style, path: Path) -> None:
        super().__init__(style, path)
        self.path = path
        self._height = _RECENT_HEIGHT
        self._folder_and_time = f"{path.parent.name}, {_time_changed(path)}"
        self.setText(path.name)
        self.setAccessibleName(f"Recent file {path.name}")
        self.setToolTip(plain_tooltip(str(path)))
        self.clicked.connect(self._choose)

    def set_height(self, height: int) -> None:
        """Set the height, in px at 100 %."""
        if height != self._height:
            self._height = height
            self.updateGeometry()

    def _choose(self) -> None:
        self.chosen.emit(str(self.path))

    def sizeHint(self) -> QSize:
        return QSize(self._style.px(280), self._style.px(self._height))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._style.px(180), self._style.px(self._height))

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme, px = self._style.theme, self._style.px
        with antialiased(self) as painter:
            self._paint_card(painter)
            left = px(14)
            if self._height >= _RECENT_WITH_PICTURE:
                edge, width = px(6), min(px(150), self.width() * 0.42)
                picture = QRectF(edge, edge, width, self.height() - 2 * edge)
                self._paint_picture(painter, picture, px(5))
                left = edge + width + px(12)
            width = self.width() - left - px(10)
            painter.setPen(theme.text)
            middle = self.height() / 2
            name = QPointF(left, middle - px(3))
            self._paint_text(painter, "interface strong", name, width, self.path.name)
            painter.setPen(theme.secondary)
            below = QPointF(left, middle + px(14))
            self._paint_text(painter, "caption", below, width, self._folder_and_time)


def _time_changed(path: Path) -> str:
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


_MAX_COLUMNS = 3
"""Most examples in a row."""
_EXAMPLE_GAP = 12
"""Space between cards, in px at 100 %."""
_PREFERRED_PICTURE_HEIGHT = 80
"""Height of a picture from which one more row is shown, in px at 100 %."""
_HEAD_GAP = 8
"""Space below the heading, in px at 100 %."""


def fill_grid(
    grid: QGridLayout, widgets: Sequence[QWidget], columns: int, most_columns: int = 0
) -> None:
    """Place widgets row by row; their columns, of `most_columns` ever used, share the width."""
    for widget in widgets:
        grid.removeWidget(widget)
    for index, widget in enumerate(widgets):
        grid.addWidget(widget, *divmod(index, columns))
    for column in range(most_columns):
        grid.setColumnStretch(column, 1 if column < columns else 0)


_OPENING = Example(OPENING, OPENING_TITLE, "60 seconds", "mlp(2, 2, 1)", LESSONS)
"""The cold open, which is a lesson."""


class Examples(QWidget):
    """A heading with a button for all examples, and a card for each one shown."""

    chosen = Signal(str)
    """Emitted with the name of an example."""
    all_wanted = Signal()
    """Emitted after the button has switched between all examples and those that fit."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self._columns = 0  # until `fit`
        self._shows_all = False
        self.all_button = push_button("", "offer", parent=self)
        self.opening = ExampleCard(style, _OPENING, self)
        self._examples = [ExampleCard(style, example, self) for example in examples()]
        self.cards = [self.opening, *self._examples]
        note = plain_label("each makes one point", "caption")
        self._head = in_row(plain_label("Examples", "heading"), (note, 1), self.all_button)
        self._grid = QGridLayout()
        parts = (self._head, self._grid)
        in_column(*parts, parent=self, style=style, gap=_HEAD_GAP)
        for card in self.cards:
            card.chosen.connect(self.chosen)
        self.all_button.clicked.connect(self._toggle_all)

    def set_opening(self, first: bool) -> None:
        """Show the cold open as the first example, or not among them; `fit` follows."""
        self.cards = [self.opening, *self._examples] if first else [*self._examples]
        self.opening.setVisible(first)
        self._columns = 0

    @property
    def min_height(self) -> int:
        """Return the height of the heading and one row with the lowest pictures, in px."""
        px = self._style.px
        return (
            self._head.sizeHint().height() + px(_HEAD_GAP) + px(_MIN_PICTURE_HEIGHT + _TEXT_HEIGHT)
        )

    def fit(self, width: int, height: int) -> None:
        """Arrange the cards for the width and height visible without scrolling, in px."""
        px = self._style.px
        self._grid.setSpacing(px(_EXAMPLE_GAP))
        min_columns = 2 if width >= px(2 * _MIN_CARD_WIDTH + _EXAMPLE_GAP) else 1
        columns = max(
            min_columns,
            min(_MAX_COLUMNS, (width + px(_EXAMPLE_GAP)) // px(_CARD_WIDTH + _EXAMPLE_GAP)),
        )
        grid_height = height - self._head.sizeHint().height() - px(_HEAD_GAP) + px(_EXAMPLE_GAP)
        rows = max(1, grid_height // px(_PREFERRED_PICTURE_HEIGHT + _TEXT_HEIGHT + _EXAMPLE_GAP))
        shown = rows * columns
        self.all_button.setText("Fewer" if self._shows_all else f"All {len(self.cards)}")
        self.all_button.setVisible(shown < len(self.cards))
        rows = min(rows, ceil(len(self.cards) / columns))
        # the rows share the height, converted to px at 100 %; one less, as px rounds
        picture = int((grid_height / rows - px(_EXAMPLE_GAP)) / px(100) * 100) - _TEXT_HEIGHT - 1
        picture = max(_MIN_PICTURE_HEIGHT, min(picture, _PICTURE_HEIGHT))
        picture = _PICTURE_HEIGHT if self._shows_all else picture
        # a second line of the notes takes its height from the pictures
        inner = (width + px(_EXAMPLE_GAP)) / columns - px(_EXAMPLE_GAP) - 2 * px(_EDGE)
        text = _TEXT_HEIGHT
        wraps = any(len(card.note_lines(inner)) > 1 for card in self.cards[:shown])
        if wraps and picture >= _MIN_PICTURE_HEIGHT + _NOTE_PITCH:
            text, picture = text + _NOTE_PITCH, picture - _NOTE_PITCH
        for index, card in enumerate(self.cards):
            card.setVisible(self._shows_all or index < shown)
            card.set_heights(picture, text)
        self._arrange(columns)

    def _toggle_all(self) -> None:
        self._shows_all = not self._shows_all
        self.all_wanted.emit()

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        fill_grid(self._grid, self.cards, columns, _MAX_COLUMNS)


NO_RECENT = (
    "Drop your notebook, script or formula here, or open it. "
    "Straight lines are read; nothing is run unasked."
)
_RECENT, _YOURS = "Recent", "Your notebook, script or file"
"""The heading with files, and without any."""
MAX_RECENT = 6
"""Most files listed."""
_MIN_ROWS = 2
"""Rows shown however low the page is; it scrolls then."""
_FILE_GAP = 8
"""Space between files, and below the heading, in px at 100 %."""


class RecentFiles(QWidget):
    """A heading with a button to open a file, and one card per file."""

    chosen = Signal(str)
    """Emitted with the path of a file."""
    open_wanted = Signal()
    """Emitted when the dialog to open a file is wanted."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self._columns = 1
        self.cards: list[RecentCard] = []
        self.open_button = IconButton(
            style, "", "Open a graph, a notebook or a script", "Ctrl+O", text="Open…"
        )
        self.open_button.set_kind("offer")
        self.open_button.clicked.connect(self.open_wanted)
        self._no_files = _no_files_frame()
        self._title = plain_label(_YOURS, "heading")
        self._head = in_row((self._title, 1), self.open_button)
        self._grid = QGridLayout()
        parts = (self._head, self._no_files, self._grid)
        in_column(*parts, parent=self, style=style, gap=_FILE_GAP)

    def set_files(self, paths: Sequence[Path]) -> None:
        for card in self.cards:
            self._grid.removeWidget(card)
            card.deleteLater()
        self.cards = [RecentCard(self._style, path) for path in paths[:MAX_RECENT]]
        for card in self.cards:
            card.chosen.connect(self.chosen)
        self._no_files.setVisible(not self.cards)
        self._title.setText(_RECENT if self.cards else _YOURS)
        fill_grid(self._grid, self.cards, self._columns)
        set_tab_order_after(self.open_button, self.cards)

    def fit(self, columns: int, width: int, height: int) -> int:
        """Show as many files as fit into a height in px, at least two rows; return the height."""
        px = self._style.px
        self._grid.setSpacing(px(_FILE_GAP))
        if columns != self._columns:
            self._columns = columns
            fill_grid(self._grid, self.cards, self._columns)
        head = self._head.sizeHint().height() + px(_FILE_GAP)
        if not self.cards:
            return head + self._no_files.heightForWidth(width)
        rows = max(_MIN_ROWS, (height - head + px(_FILE_GAP)) // px(_MIN_RECENT_HEIGHT + _FILE_GAP))
        rows = min(rows, ceil(len(self.cards) / columns))
        card_height = int(((height - head + px(_FILE_GAP)) / rows - px(_FILE_GAP)) / px(100) * 100)
        card_height = max(_MIN_RECENT_HEIGHT, min(card_height, _RECENT_HEIGHT))
        for index, card in enumerate(self.cards):
            card.setVisible(index < rows * columns)
            card.set_height(card_height)
        return head + rows * (px(card_height) + px(_FILE_GAP)) - px(_FILE_GAP)


def _no_files_frame() -> QFrame:
    frame = QFrame()
    frame.setProperty("kind", "empty")
    in_column(plain_label(NO_RECENT, "secondary", wraps=True), parent=frame, edges=16)
    return frame


_BOX = QSizeF(34, 21)
"""Usual size of a node in a thumbnail, in px at 100 %."""
_MIN_WIRE_LENGTH = 12.0
"""Least length of a wire between two columns, in px at 100 %."""
_HEIGHT_BY_WIDTH = 1.35
"""Factor by which heights of boxes shrink less than widths, so that texts stay legible."""
_COLUMN_PITCH = 2 * sizes.OP_WIDTH
"""Distance of two columns, in units of the sheet, after they have been evenly spaced."""
_MIN_SHRINK = 0.2
"""Least size of a box, as a share of the usual one."""
_MIN_FONT_SIZE = 9.0
"""Least size of a text in a box, in px: a smaller one could not be read."""
_NODE = QSizeF(sizes.OP_WIDTH, sizes.NODE_HEIGHT)
"""Typical size of a node on the sheet; its box is drawn around the same centre."""


def paint_thumbnail(painter: QPainter, rect: QRectF, drawing: Drawing, style: Style) -> None:
    """Paint a graph so that it fits into rect; nothing if it is large."""
    graph = drawing.graph
    if not graph.nodes or is_large(graph):
        return
    boxes, scale = _boxes(graph, drawing.positions, rect, style)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(style.theme.wire, 1.3 * max(scale, 0.6) * style.control_scale))
    for source, (target, slot) in graph.wires():
        ends = boxes[source], boxes[target]
        passed = boxes if len(boxes) <= _MAX_PASSED else {}
        others = [box for node, box in passed.items() if node not in (source, target)]
        painter.drawPath(free_wire(*ends, slot, len(graph.inputs(target)), others, rect))
    for node, box in boxes.items():
        _paint_box(painter, graph, node, box, style)
    painter.restore()


def _boxes(
    graph: Graph, positions: Mapping[int, tuple[float, float]], rect: QRectF, style: Style
) -> tuple[dict[int, QRectF], float]:
    """Return a box by node, and the width of the boxes relative to the usual one."""
    # literals are drawn at the slot of their reader, too close together for a thumbnail
    has_literals = any(is_pill(graph, node) for node in graph.nodes)
    has_positions = positions.keys() >= graph.nodes.keys() and not has_literals
    corners = dict(positions) if has_positions else balanced_columns(graph)
    centres = {
        n: QPointF(corners[n][0] + _NODE.width() / 2, corners[n][1] + _NODE.height() / 2)
        for n in graph.nodes
    }
    centres = _evenly_spaced(centres)
    left, right = _range_of([p.x() for p in centres.values()])
    top, bottom = _range_of([p.y() for p in centres.values()])
    size, gap = _BOX * style.control_scale, _MIN_WIRE_LENGTH * style.control_scale
    # the scales of both directions: the graph fits, at most at 31 %, and is not distorted beyond
    # 2 : 1 in height or 3 : 1 in width
    most = 0.31 * style.control_scale
    columns = round((right - left) / _COLUMN_PITCH) + 1
    box_width = (rect.width() - gap * (columns - 1)) / columns
    box_width = min(size.width(), max(_MIN_SHRINK * size.width(), box_width))
    x_scale = min((rect.width() - box_width) / max(right - left, 1.0), most)
    y_scale = min((rect.height() - size.height()) / max(bottom - top, 1.0), most, 2 * x_scale)
    x_scale = min(x_scale, 3 * y_scale)
    # the boxes shrink until wires fit between columns, and 2 px between boxes of one column
    shrink = (_COLUMN_PITCH * x_scale - gap) / size.width()
    shrink = max(_MIN_SHRINK, min(1.0, shrink))
    y_shrink = (_least_distance(centres) * y_scale - 2) / size.height()
    y_shrink = max(_MIN_SHRINK, min(1.0, shrink * _HEIGHT_BY_WIDTH, y_shrink))
    width, height = size.width() * shrink, size.height() * y_shrink
    middle = QPointF((left + right) / 2, (top + bottom) / 2)
    boxes: dict[int, QRectF] = {}
    for node, centre in centres.items():
        offset = centre - middle
        at = rect.center() + QPointF(offset.x() * x_scale, offset.y() * y_scale)
        boxes[node] = QRectF(at.x() - width / 2, at.y() - height / 2, width, height)
    return boxes, shrink


def _evenly_spaced(centres: Mapping[int, QPointF]) -> dict[int, QPointF]:
    """Return the centres with all columns at the same distance.

    On the sheet columns are as wide as their texts, which a thumbnail leaves out. A node more than
    a node's width right of the first one of a column begins the next column.
    """
    column, start = -1, float("-inf")
    spaced: dict[int, QPointF] = {}
    for node, centre in sorted(centres.items(), key=lambda item: item[1].x()):
        if centre.x() - start > _NODE.width():
            column, start = column + 1, centre.x()
        spaced[node] = QPointF(column * _COLUMN_PITCH, centre.y())
    return spaced


def _least_distance(centres: Mapping[int, QPointF]) -> float:
    """Return the least distance between two nodes in one column."""
    by_column: dict[int, list[float]] = {}
    for centre in centres.values():
        by_column.setdefault(round(centre.x()), []).append(centre.y())
    distances = [b - a for ys in by_column.values() for a, b in pairwise(sorted(ys))]
    return min(distances, default=1e9)  # far more than any: no column has two nodes


def _range_of(numbers: list[float]) -> tuple[float, float]:
    return min(numbers), max(numbers)


def free_wire(
    source: QRectF, target: QRectF, slot: int, slots: int, others: Sequence[QRectF], rect: QRectF
) -> QPainterPath:
    """Return a wire that passes beside the other boxes, inside rect, if a simple one can.

    `slot` of the `slots` of the target is where it ends; all is in px.
    """
    start = QPointF(source.right(), source.center().y())
    offset = 0.0 if slots < 2 else (slot - (slots - 1) / 2) * target.height() * 0.4
    end = QPointF(target.left(), target.center().y() + offset)
    bend = max(min((end.x() - start.x()) / 2, target.width()), 4.0)
    usual = _wire(start, end, end.y(), bend)
    around = [box.adjusted(-_WIRE_GAP, -_WIRE_GAP, _WIRE_GAP, _WIRE_GAP) for box in others]
    in_the_way = _met(usual, around)
    if not in_the_way:
        return usual
    lanes = [y for box in in_the_way for y in (box.top() - 1, box.bottom() + 1)]
    lanes = [y for y in lanes if rect.top() < y < rect.bottom()]
    lanes.sort(key=lambda y: abs(y - start.y()) + abs(y - end.y()))
    tried = (_wire(start, end, y, turn) for y in (start.y(), *lanes) for turn in (bend, bend / 2))
    return next((wire for wire in tried if not _met(wire, around)), usual)


def _met(wire: QPainterPath, boxes: Sequence[QRectF]) -> list[QRectF]:
    """Return the boxes into which a wire leads.

    By its points, since to Qt a path is an area, in which a box may lie without being met.
    """
    bounds = wire.boundingRect().adjusted(0.0, -1.0, 0.0, 1.0)  # a straight one has no height
    boxes = [box for box in boxes if box.intersects(bounds)]
    if not boxes:
        return []
    points = [wire.pointAtPercent(k / _WIRE_POINTS) for k in range(_WIRE_POINTS + 1)]
    return [box for box in boxes if any(map(box.contains, points))]


def _wire(start: QPointF, end: QPointF, lane: float, bend: float) -> QPainterPath:
    """Return a wire that runs at the height `lane`, between a turn behind start and before end."""
    path = QPainterPath(start)
    is_late = lane != end.y()
    turn = min(bend, (end.x() - start.x()) / 4) if is_late and lane != start.y() else bend
    if lane != start.y():
        _turn_to(path, QPointF(start.x() + 2 * turn, lane))
    if is_late:
        path.lineTo(QPointF(end.x() - 2 * turn, lane))
        _turn_to(path, end)
    path.lineTo(end)
    return path


def _turn_to(path: QPainterPath, end: QPointF) -> None:
    """Add a curve that begins and ends horizontally."""
    start = path.currentPosition()
    middle = (start.x() + end.x()) / 2
    path.cubicTo(QPointF(middle, start.y()), QPointF(middle, end.y()), end)


def _paint_box(painter: QPainter, graph: Graph, node: int, box: QRectF, style: Style) -> None:
    theme, content = style.theme, graph.nodes[node]
    fill: dict[type, QColor] = {
        Leaf: theme.header_leaf,
        OpNode: theme.header_op,
        Root: theme.header_root,
    }
    line = theme.root if isinstance(content, Root) else theme.outline
    painter.setPen(QPen(line, 1.0))
    painter.setBrush(fill.get(type(content), theme.muted))
    # as on the sheet, a leaf has round ends, and a Root is narrow: it has a flag and no text
    radius = box.height() * (0.45 if isinstance(content, Leaf) else 0.2)
    if isinstance(content, Root):
        box = box.adjusted(0, 0, -box.width() * 0.4, 0)
    painter.drawRoundedRect(box, radius, radius)
    if isinstance(content, Root):
        side = box.height() * 0.62
        flag = QRectF(box.center() - QPointF(side / 2, side / 2), QSizeF(side, side))
        paint_icon(painter, flag, "root", theme.root)
        return
    text = _text(graph, node)
    font = _fitting_font(style.control_scale, round(box.height() * 0.54), text, round(box.width()))
    if font is not None:
        painter.setFont(font)
        painter.setPen(QColor(theme.text))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


def _text(graph: Graph, node: int) -> str:
    """Return the text in a box: a symbol, a name, or the value of a constant without one."""
    content = graph.nodes[node]
    if isinstance(content, OpNode):
        return graph.op(node).symbol
    if isinstance(content, Constant) and not content.label:
        return short(content.value, 2)
    return graph.brief(node, 8)


@lru_cache(maxsize=512)
def _fitting_font(scale: float, pixels: int, text: str, width: int) -> QFont | None:
    """Return a font in which the text fits into its box, or None if it would be unreadable."""
    font = font_of("caption strong", scale)
    for size in range(pixels, int(_MIN_FONT_SIZE) - 1, -1):
        font.setPixelSize(size)
        if QFontMetricsF(font).horizontalAdvance(text) <= width - 3:
            return font
    return None
