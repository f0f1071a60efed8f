"""The list of steps of a run: title, right number, the try, wrong answers struck."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.controls.kind import plain_tooltip
from app.controls.rich_text import (
    ENDLESS,
    Span,
    TextLine,
    flushed_right,
    lay_out,
    paint_lines,
)
from app.guard import guarded
from app.style import sizes
from app.style.current import Style
from app.style.strokes import paint_box
from app.workbench.study.predictions import Row

ROW = Qt.ItemDataRole.UserRole
_EDGES = 10, 5
"""Space left and right of the texts of a row, and above and below them, in px at 100 %."""
_APART = 6
"""Space between two rows, and between the texts of a row, in px at 100 %."""
_STEP_WIDTH = 20
"""Least width of the number of a step, in px at 100 %."""
_MOST_PICTURES = 64
"""Rows that are kept as pixels: about 4 MiB at 100 %."""
_BELOW_TITLE = 2
"""Space between title and sentence, in px at 100 %."""


@guarded
class PredictionList(QListWidget):
    """A row for each question, as high as all of them; a new row is measured and added alone."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._rows: list[Row] = []
        self._painter = _RowPainter(style, self)
        self.setItemDelegate(self._painter)
        self.setAccessibleName("Questions")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setSelectionMode(QListWidget.SelectionMode.NoSelection)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        style.changed.connect(self._measure)

    def texts(self) -> list[str]:
        """Return the rows as they are read aloud."""
        return [self.item(place).text() for place in range(self.count())]

    @property
    def last(self) -> QRect:
        """Return where the newest row is, in px of the list."""
        return self.visualItemRect(self.item(self.count() - 1))

    def show_rows(self, rows: Sequence[Row]) -> None:
        """Show the rows of a run; those that are shown already stay."""
        pairs = enumerate(zip(self._rows, rows, strict=False))
        same = next((k for k, (old, new) in pairs if old != new), min(len(self._rows), len(rows)))
        if same == len(rows) == len(self._rows):
            return
        while self.count() > same:
            self.takeItem(self.count() - 1)
        for row in rows[same:]:
            item = QListWidgetItem(row.spoken, self)
            item.setData(ROW, row)
            self._measure_item(self.count() - 1)
        self._rows = list(rows)
        self._fit()

    def _measure(self) -> None:
        """Measure all rows for the current width and style."""
        for place in range(self.count()):
            self._measure_item(place)
        self._fit()

    def _measure_item(self, place: int) -> None:
        item, wide = self.item(place), self.width()
        row = cast(Row, item.data(ROW))
        above = self._style.px(_APART) if place else 0
        item.setSizeHint(QSize(1, above + self._painter.height(row, wide)))
        item.setToolTip(plain_tooltip(row.title if self._painter.is_elided(row, wide) else ""))

    def _fit(self) -> None:
        """Be as high as all rows: the panel scrolls them with what is below."""
        self.setFixedHeight(self.last.bottom() + 1 if self.count() else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._measure()


@guarded
class _RowPainter(QStyledItemDelegate):
    """Measures and paints one row, at any width in px."""

    def __init__(self, style: Style, parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._view = parent
        self._pictures: dict[tuple[Row, int, float], QPixmap] = {}
        style.changed.connect(self._forget)

    def _forget(self) -> None:
        self._pictures.clear()

    def height(self, row: Row, wide: int) -> int:
        """Return the height of a row."""
        px, lines = self._style.px, self._sentence(row, wide)
        high = px(_EDGES[1]) * 2 + self._title_height()
        return high + (px(_BELOW_TITLE) + math.ceil(_high(lines)) if lines else 0)

    def is_elided(self, row: Row, wide: int) -> bool:
        """Return whether there is no room for the whole title."""
        metrics = QFontMetricsF(self._style.font(_title_role(row)))
        return metrics.horizontalAdvance(row.title) > self._title_room(row, wide)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        row, rect = cast(Row, index.data(ROW)), cast(QRect, option.rect)  # type: ignore[attr-defined]
        picture = self._picture(row, rect.width())
        above = rect.height() - round(picture.deviceIndependentSize().height())
        painter.drawPixmap(rect.left(), rect.top() + above, picture)

    def _picture(self, row: Row, wide: int) -> QPixmap:
        """Return a row as pixels: all rows move up with every answer, and few of them change."""
        key = row, wide, self._view.devicePixelRatioF()
        if key not in self._pictures:
            if len(self._pictures) >= _MOST_PICTURES:
                self._pictures.clear()
            self._pictures[key] = self._drawn(*key)
        return self._pictures[key]

    def _drawn(self, row: Row, wide: int, ratio: float) -> QPixmap:
        rect = QRect(0, 0, wide, self.height(row, wide))
        picture = QPixmap(rect.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(self._style.theme.panel)
        with QPainter(picture) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_row(painter, row, QRectF(rect))
        return picture

    def _paint_row(self, painter: QPainter, row: Row, rect: QRectF) -> None:
        style, theme, px = self._style, self._style.theme, self._style.px
        line, wide = theme.selection if row.is_open else theme.line, round(rect.width())
        paint_box(painter, rect, theme.node, line, px(sizes.RADIUS_CARD))
        font, place = style.font("interface"), QPointF(px(_EDGES[0]), px(_EDGES[1]))
        mark = flushed_right(self._mark(row), wide - 2 * px(_EDGES[0]))
        paint_lines(painter, place, self._step(row), font, theme)
        paint_lines(painter, place, mark, font, theme)
        self._paint_title(painter, row, place, wide)
        place += QPointF(0, self._title_height() + px(_BELOW_TITLE))
        for text in self._sentence(row, wide):
            paint_lines(painter, place, (text,), style.font("caption"), theme)
            place += QPointF(0, _high((text,)))

    def _paint_title(self, painter: QPainter, row: Row, place: QPointF, wide: int) -> None:
        font, right = self._style.font(_title_role(row)), Qt.TextElideMode.ElideRight
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(self._style.theme.text)
        at = place + QPointF(self._step_width(row) + self._style.px(_APART), metrics.ascent())
        painter.drawText(at, metrics.elidedText(row.title, right, self._title_room(row, wide)))

    def _title_height(self) -> int:
        return math.ceil(QFontMetricsF(self._style.font("interface")).height())

    def _title_room(self, row: Row, wide: int) -> float:
        px, mark = self._style.px, self._mark(row)[0].width
        return wide - 2 * px(_EDGES[0]) - self._step_width(row) - 2 * px(_APART) - mark

    def _step_width(self, row: Row) -> float:
        return max(self._style.px(_STEP_WIDTH), self._step(row)[0].width)

    def _step(self, row: Row) -> tuple[TextLine, ...]:
        number = f"{row.step:,}" if row.step else ""
        return lay_out((Span(number, "secondary"),), self._style.font("interface"), ENDLESS)

    def _mark(self, row: Row) -> tuple[TextLine, ...]:
        return lay_out(row.mark, self._style.font("interface"), ENDLESS)

    def _sentence(self, row: Row, wide: int) -> tuple[TextLine, ...]:
        spans = row.below
        room = wide - 2 * self._style.px(_EDGES[0])
        return lay_out(spans, self._style.font("caption"), room) if spans else ()


def _title_role(row: Row) -> str:
    return "interface strong" if row.is_open else "interface"


def _high(lines: Sequence[TextLine]) -> float:
    """Return the height of lines without additional space between them."""
    return sum(line.ascent + line.descent for line in lines)
