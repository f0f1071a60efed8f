"""RowList: a list of rows in columns of coloured text, with keys and accessible texts.

A column may wrap its texts, or have them below the other columns if it is too narrow. A list may
have heads above its columns, which stay while the rows scroll, and lines between the rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, cast

from msgspec import Struct
from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.controls.focus import ENTER, claim_keys
from app.controls.layouts import plain_tooltip
from app.controls.rich_text import ENDLESS, TextLine, elided, flushed_right, lay_out, paint_lines
from app.controls.spans import ListRow, Spans
from app.guard import exception_safe
from app.style.current import Style
from app.style.strokes import paint_box
from app.style.theme import Theme, mixed

_ROW: Final = Qt.ItemDataRole.UserRole
_RADIUS = 6
"""Radius of the corners of a row that is filled, in px at 100 %."""
_COLUMN_GAP = 8
"""Least space between the texts of two columns, in px at 100 %."""
OUTSET = 6
"""Space between the edge of a row and its texts, in px at 100 %."""
_HEADS_HEIGHT = 20
"""Height of the heads of the columns, in px at 100 %."""
_CIRCLE, _DOT_RADIUS = 13, 3
"""Diameter of the circle of a choice, and radius of its dot, in px at 100 %."""
_BELOW_SPACE = 1
"""Space between a row and the line below it, in px at 100 %."""
_WIDTH_TOLERANCE = 0.5
"""Width by which a text may be wider than its column without being cut off, in px."""
_HOVER_SHARE = 0.05
"""Share of the text's colour in a row under the pointer."""


class Column(Struct, frozen=True):
    """A column, as wide as its widest text."""

    width: float = 0.0
    """Its least width, in px at 100 %."""
    stretches: bool = False
    """Whether it takes the remaining width; one column at most does."""
    right: bool = False
    """Whether its texts are aligned to the right."""
    font: str = "interface"
    """Role of its font."""
    wraps_from: float = 0.0
    """Above 0 its texts wrap; in a narrower column than this, in px at 100 %, they are below the
    other columns."""


@exception_safe
class RowList(QListWidget):
    """A list as high as all its rows, each as high as its texts.

    With more than `most_rows`, unless that is 0, it is as high as so many and scrolls.
    """

    chosen = Signal(int)
    """Emitted with the index of a row that was clicked, or on which Enter was pressed."""
    moved = Signal(int)
    """Emitted with the index of the row that became current, by keys or by a click; -1: none."""
    confirmed = Signal(int)
    """Emitted after `chosen` with the index of the row on which Enter was pressed."""
    hovered = Signal(int)
    """Emitted with the index of the row under the pointer; -1: none."""

    def __init__(
        self,
        style: Style,
        name: str,
        columns: Sequence[Column],
        *,
        row_height: float = 26.0,
        most_rows: int = 0,
        choosable: bool = True,
    ) -> None:
        super().__init__()
        self._style, self._most_rows = style, most_rows
        self.rows: tuple[ListRow, ...] = ()
        self._hovered = -1
        self._painter = _RowPainter(style, tuple(columns), row_height, self)
        self._heads = _Heads(self._painter, self)
        self.setItemDelegate(self._painter)
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        off = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setHorizontalScrollBarPolicy(off)
        if not most_rows:
            self.setVerticalScrollBarPolicy(off)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        if choosable:
            claim_keys(
                self, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End, *ENTER
            )
        else:
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            self.setSelectionMode(QListWidget.SelectionMode.NoSelection)
        self._is_choosable = choosable
        self.itemClicked.connect(self._emit_chosen)
        self.currentRowChanged.connect(self._emit_moved)
        style.changed.connect(self._measure)

    def texts(self) -> list[str]:
        """Return the rows as a screen reader says them."""
        return [row.spoken for row in self.rows]

    def show_heads(self, heads: Sequence[Spans]) -> None:
        """Show a head above each column, or none with ()."""
        if tuple(heads) != self._painter.heads:
            self._painter.heads = tuple(heads)
            self._measure()

    def show_rows(self, rows: Sequence[ListRow]) -> None:
        """Replace the rows; an item whose row is equal to the one before stays."""
        if tuple(rows) == self.rows:
            return
        before, self.rows = self.rows, tuple(rows)
        self.blockSignals(True)
        while self.count() > len(rows):
            self.takeItem(self.count() - 1)
        while self.count() < len(rows):
            self.addItem(QListWidgetItem())
        self.blockSignals(False)
        widths_change = self._painter.fit_columns(self.rows, self._inner_width())
        for index, row in enumerate(rows):
            is_new = index >= len(before) or before[index] != row
            if is_new:
                item = self.item(index)
                item.setText(row.spoken)
                item.setData(_ROW, row)
                usable = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
                item.setFlags(usable if row.tone != "off" else Qt.ItemFlag.NoItemFlags)
            if is_new or widths_change:
                self._measure_item(index)
        self._fit_height()

    def set_current(self, index: int) -> None:
        """Make a row current, or none with -1, without emitting `moved`."""
        if index != self.currentRow():
            self.blockSignals(True)
            self.setCurrentRow(index)
            self.blockSignals(False)
            self.viewport().update()
        if index >= 0 and self._most_rows:
            self.scrollToItem(self.item(index))

    def has_width_for(self, heads: Sequence[Spans], rows: Sequence[ListRow]) -> bool:
        """Return whether all texts of these rows fit side by side."""
        return self._painter.needed_width(heads, rows) <= self._inner_width()

    def rect_of(self, index: int) -> QRect:
        """Return the rectangle of a row, in px of the list."""
        return self.visualItemRect(self.item(index))

    def is_hovered(self, index: int) -> bool:
        """Return whether the pointer is over a row that can be chosen."""
        return self._is_choosable and index == self._hovered

    def _inner_width(self) -> int:
        return self.viewport().width()

    def _emit_chosen(self, item: QListWidgetItem) -> None:
        if self._is_choosable:
            self.chosen.emit(self.row(item))

    def _emit_moved(self, index: int) -> None:
        self.viewport().update()
        self.moved.emit(index)

    def _measure(self) -> None:
        self._painter.fit_columns(self.rows, self._inner_width())
        for index in range(self.count()):
            self._measure_item(index)
        self._fit_height()

    def _measure_item(self, index: int) -> None:
        row = self.rows[index]
        tooltip = (row.tooltip or row.spoken) if self._painter.is_cut(row) else ""
        self.item(index).setToolTip(plain_tooltip(tooltip))
        high = self._painter.height(self.rows[index], self._inner_width())
        if self.item(index).sizeHint().height() != high:
            self.item(index).setSizeHint(QSize(1, high))  # any width will do: a row fills the list

    def _fit_height(self) -> None:
        self.viewport().update()
        heads = self._style.px(_HEADS_HEIGHT) if self._painter.heads else 0
        if self.viewportMargins().top() != heads:
            self.setViewportMargins(0, heads, 0, 0)
        self._heads.setGeometry(0, 0, self.width(), heads)
        self._heads.update()
        shown = min(self.count(), self._most_rows or self.count())
        high = heads + sum(self.item(k).sizeHint().height() for k in range(shown))
        if self.height() != high or self.maximumHeight() != high:
            self.setFixedHeight(high)

    def _set_hovered(self, index: int) -> None:
        if index != self._hovered:
            self._hovered = index
            self.viewport().update()
            self.hovered.emit(index)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._measure()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in ENTER and self.currentRow() >= 0:
            event.accept()
            index = self.currentRow()
            self.chosen.emit(index)
            self.confirmed.emit(index)
        else:
            super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._set_hovered(self.indexAt(event.position().toPoint()).row())

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._set_hovered(-1)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._set_hovered(-1)  # a list that is folded under the pointer may get no leave event

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if self._is_choosable and self.currentRow() < 0 and self.count():
            self.set_current(0)


@exception_safe
class _Heads(QWidget):
    """The heads of the columns, above the rows that scroll."""

    def __init__(self, rows: _RowPainter, parent: RowList) -> None:
        super().__init__(parent)
        self._rows = rows

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self._rows.paint_heads(painter, QRectF(self.rect()))


@exception_safe
class _RowPainter(QStyledItemDelegate):
    """Measures and paints the rows of a list, and the heads of its columns."""

    def __init__(
        self, style: Style, columns: tuple[Column, ...], row_height: float, view: RowList
    ) -> None:
        super().__init__(view)
        self._style, self._columns, self._view = style, columns, view
        self._row_height = row_height
        self._widths: tuple[float, ...] = tuple(0.0 for _ in columns)
        self._wraps_below = False
        """Whether the texts of a wrapping column are below the others, which is too narrow."""
        self.heads: tuple[Spans, ...] = ()

    def fit_columns(self, rows: Sequence[ListRow], width: int) -> bool:
        """Make each column as wide as its widest text; the stretching one takes the remainder.

        Return whether a width has changed.
        """
        px = self._style.px
        widths = [self._one_line_width(k, self.heads, rows) for k in range(len(self._columns))]
        # margins and gaps; an empty column has no gap before it
        between = 2 * px(OUTSET) + px(_COLUMN_GAP) * sum(1 for w in widths[1:] if w)
        if any(row.choice for row in rows):
            between += px(_CIRCLE) + px(_COLUMN_GAP)
        stretching = [k for k, column in enumerate(self._columns) if column.stretches]
        for k in stretching[:1]:
            # if it was empty, it gets its gap with its width; the first column has none
            gap = 0 if widths[k] or not k else px(_COLUMN_GAP)
            widths[k] = max(0.0, width - (between + sum(widths) - widths[k] + gap))
            self._wraps_below = 0 < widths[k] < px(self._columns[k].wraps_from)
        before, self._widths = self._widths, tuple(widths)
        return before != self._widths

    def needed_width(self, heads: Sequence[Spans], rows: Sequence[ListRow]) -> float:
        """Return the width in which nothing would be cut."""
        widths = [self._one_line_width(k, heads, rows) for k in range(len(self._columns))]
        between = sum(1 for width in widths[1:] if width)
        return sum(widths) + 2 * self._style.px(OUTSET) + between * self._style.px(_COLUMN_GAP)

    def _one_line_width(self, index: int, heads: Sequence[Spans], rows: Sequence[ListRow]) -> float:
        """Return the width of a column with all its texts in one line."""
        column, font = self._columns[index], self._font(index)
        least = self._style.px(column.width)
        if column.wraps_from:
            return least
        caption = self._style.font("caption")
        head = _width(heads[index], caption) if index < len(heads) else 0.0
        return max(
            [least, head, *(_width(r.cells[index], font) for r in rows if index < len(r.cells))]
        )

    def _font(self, index: int) -> QFont:
        return self._style.font(self._columns[index].font)

    def is_cut(self, row: ListRow) -> bool:
        """Return whether a text of the row has not enough width."""
        texts = zip(self._columns, self._widths, row.cells, strict=False)
        overflow_widths = self._overflow_widths(row)
        return any(
            _width(spans, self._style.font(column.font))
            > overflow_widths.get(k, width) + _WIDTH_TOLERANCE
            for k, (column, width, spans) in enumerate(texts)
            if not column.wraps_from
        )

    def height(self, row: ListRow, width: int) -> int:
        """Return the height of a row in px."""
        base = self._style.px(self._row_height)
        lines = self._lines_below(row, width)
        below = self._style.px(_BELOW_SPACE) + math.ceil(_lines_height(lines)) if lines else 0
        return base + self._wrapped_height(row) + below

    def _wrapped_height(self, row: ListRow) -> int:
        """Return the height that the wrapped lines of its cells add to a row, in px."""
        added = (_lines_height(lines[1:]) for _k, lines in self._wrapped(row))
        return math.ceil(max(added, default=0.0))

    def _wrapped(self, row: ListRow) -> Iterator[tuple[int, tuple[TextLine, ...]]]:
        """Yield the index and the lines of each column that wraps its text here."""
        for k, column in enumerate(self._columns):
            if column.wraps_from and not self._wraps_below and k < len(row.cells) and row.cells[k]:
                yield k, lay_out(row.cells[k], self._font(k), max(self._widths[k], 1.0))

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        row = cast("ListRow | None", index.data(_ROW))
        if row is None:
            return
        rect = QRectF(cast(QRect, option.rect))  # type: ignore[attr-defined]
        state = cast(QStyle.StateFlag, option.state)  # type: ignore[attr-defined]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_background(painter, rect, row, index.row(), state)
        if self.heads and index.row() + 1 < self._view.count():
            self._paint_rule(painter, rect)
        self._paint_cells(painter, rect, row, self._style.px(self._row_height))
        self._paint_below(painter, rect, row)

    def _paint_background(
        self, painter: QPainter, rect: QRectF, row: ListRow, index: int, state: QStyle.StateFlag
    ) -> None:
        theme = self._style.theme
        fill = _fill(row.tone, theme)
        if state & QStyle.StateFlag.State_Selected and not row.tone:
            fill = theme.selection_tint
        if self._view.is_hovered(index):
            fill = mixed(fill, theme.text, _HOVER_SHARE)
        focused = state & QStyle.StateFlag.State_HasFocus and self._view.hasFocus()
        line = theme.selection if focused else theme.gradient if row.tone == "now" else fill
        if fill != theme.panel or focused:
            paint_box(painter, rect, fill, line, self._style.px(_RADIUS), 1.0)

    def paint_heads(self, painter: QPainter, rect: QRectF) -> None:
        """Paint the heads of the columns."""
        # "none" leaves the width of a circle free
        row = ListRow(self.heads, spoken="", choice="none" if self._has_choices() else "")
        self._paint_cells(painter, rect, row, rect.height(), "caption")
        self._paint_rule(painter, rect)

    def _has_choices(self) -> bool:
        return any(row.choice for row in self._view.rows)

    def _paint_rule(self, painter: QPainter, rect: QRectF) -> None:
        inner = rect.adjusted(self._style.px(OUTSET), 0, -self._style.px(OUTSET), 0)
        line = QRectF(inner.left(), inner.bottom() - 1, inner.width(), 1)
        painter.fillRect(line, self._style.theme.line)

    def _paint_cells(
        self, painter: QPainter, rect: QRectF, row: ListRow, high: float, role: str = ""
    ) -> None:
        px, theme = self._style.px, self._style.theme
        left = rect.left() + px(OUTSET)
        if row.choice:
            box = QRectF(left, rect.top() + (high - px(_CIRCLE)) / 2, px(_CIRCLE), px(_CIRCLE))
            self._paint_choice(painter, box, row.choice)
            left += px(_CIRCLE) + px(_COLUMN_GAP)
        wrapped, overflow_widths = dict(self._wrapped(row)), self._overflow_widths(row)
        for k, (width, spans) in enumerate(zip(self._widths, row.cells, strict=False)):
            column, font = self._columns[k], self._style.font(role or self._columns[k].font)
            lines = wrapped.get(k, ())
            if not lines and spans and not column.wraps_from:
                lines = self._elided_line(spans, font, overflow_widths.get(k, width))
            if lines:
                lines = flushed_right(lines, width) if column.right else lines
                at = QPointF(left, rect.top() + (high - _lines_height(lines[:1])) / 2)
                for line in lines:
                    paint_lines(painter, at, (line,), font, theme, enabled=row.tone != "off")
                    at += QPointF(0, _lines_height((line,)))
            left += width + (px(_COLUMN_GAP) if width else 0)

    def _overflow_widths(self, row: ListRow) -> dict[int, float]:
        """Return by column the width of a text that may overflow into the one right of it.

        It may where that is flushed right and leaves space at its left end.
        """
        widths = dict[int, float]()
        for k, (column, after) in enumerate(pairwise(self._columns)):
            if column.stretches and after.right and k + 1 < len(row.cells):
                free = self._widths[k + 1] - _width(row.cells[k + 1], self._font(k + 1))
                widths[k] = self._widths[k] + free
        return widths

    def _elided_line(self, spans: Spans, font: QFont, width: float) -> tuple[TextLine, ...]:
        line = lay_out(spans, font, ENDLESS)
        return (
            line
            if line[0].width <= width + _WIDTH_TOLERANCE
            else lay_out(elided(spans, font, width), font, ENDLESS)
        )

    def _paint_choice(self, painter: QPainter, box: QRectF, state: str) -> None:
        theme = self._style.theme
        if state == "none":
            return
        color = {"chosen": theme.selection, "wrong": theme.error}.get(state, theme.wire)
        painter.setPen(QPen(color, 1.4))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(box.adjusted(0.7, 0.7, -0.7, -0.7))
        if state == "chosen":
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(color)
            radius = self._style.px(_DOT_RADIUS)
            painter.drawEllipse(box.center(), radius, radius)
        elif state == "wrong":
            inset = box.width() * 0.32
            cross = box.adjusted(inset, inset, -inset, -inset)
            painter.drawLine(cross.topLeft(), cross.bottomRight())
            painter.drawLine(cross.topRight(), cross.bottomLeft())

    def _paint_below(self, painter: QPainter, rect: QRectF, row: ListRow) -> None:
        lines = self._lines_below(row, round(rect.width()))
        # the cells are centred in their height: 3 px closer is still below their text
        top = rect.top() + self._style.px(self._row_height) - self._style.px(3)
        top += self._wrapped_height(row)
        left = rect.left() + self._style.px(OUTSET) + self._indent()
        for line in lines:
            at = QPointF(left, top)
            paint_lines(painter, at, (line,), self._style.font("caption"), self._style.theme)
            top += _lines_height((line,))

    def _lines_below(self, row: ListRow, width: int) -> tuple[TextLine, ...]:
        """Return the lines below the columns: of texts without a column, and of `below`."""
        spans = row.below
        if self._wraps_below:
            wrapping = (k for k, column in enumerate(self._columns) if column.wraps_from)
            spans = (*(s for k in wrapping if k < len(row.cells) for s in row.cells[k]), *spans)
        text_width = width - 2 * self._style.px(OUTSET) - self._indent()
        return lay_out(spans, self._style.font("caption"), text_width) if spans else ()

    def _indent(self) -> float:
        """Return the indent of second lines: past the first column, which numbers the rows."""
        flush = self._wraps_below or self._columns[0].stretches
        return 0.0 if flush else self._widths[0] + self._style.px(_COLUMN_GAP)


def _fill(tone: str, theme: Theme) -> QColor:
    return {"now": theme.firing, "asked": theme.selection_tint, "wrong": theme.error_tint}.get(
        tone, theme.panel
    )


def _width(spans: Spans, font: QFont) -> float:
    return lay_out(spans, font, ENDLESS)[0].width if spans else 0.0


def _lines_height(lines: Sequence[TextLine]) -> float:
    """Return the height of lines without additional space between them."""
    return sum(line.ascent + line.descent for line in lines)
