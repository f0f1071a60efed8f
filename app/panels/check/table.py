"""The table of the check: leaf, backward, numerical with all digits, and how far they are apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from app.controls.kind import plain_tooltip
from app.guard import guarded
from app.style.current import Style
from app.workbench.study.checking import Row
from engine.nodes import shortened
from engine.numbers import NO_PATH, full, short

AnyIndex = QModelIndex | QPersistentModelIndex
NAME, BACKWARD, NUMERICAL, APART = range(4)
FEW_DIGITS: Final = 2
"""Significant digits of a difference; all of them are in its tooltip and in the sentence."""
LONGEST_NAME: Final = 10
MOST_ROWS: Final = 8
"""Rows that the table is high; more of them are scrolled."""
_PADDING: Final = 8
"""Space left and right of a number together, in px at 100 %."""
_LEAST: Final = 20
"""Least width of the numerical column, in px at 100 %."""


@guarded
class CheckTable(QTableView):
    """The rows; `node_chosen` carries the node of a row that was clicked or reached by keys."""

    node_chosen = Signal(int)

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._rows = CheckRows(style)
        self.setModel(self._rows)
        self.setProperty("kind", "figures")
        self.setAccessibleName("Gradients")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.verticalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setMinimumSectionSize(1)
        self.clicked.connect(self._choose)
        style.changed.connect(self.restyle)

    def show_rows(self, rows: Sequence[Row], gradient: str, formula: str) -> None:
        """Show rows under the heads of their columns: gradients, and numerical ones."""
        self._rows.show_rows(rows, gradient, formula)
        self.restyle()

    def select(self, node: int | None) -> None:
        """Mark the row of a node, or none."""
        place = self._rows.place_of(node)
        if place is None:
            self.clearSelection()
        elif not self.selectionModel().isRowSelected(place, QModelIndex()):
            self.selectRow(place)

    def texts(self) -> list[list[str]]:
        """Return what is shown, row by row."""
        return [
            [str(self._rows.index(row, column).data()) for column in range(4)]
            for row in range(self._rows.rowCount())
        ]

    def restyle(self) -> None:
        """Fit rows and columns to the texts and to the style."""
        px, high = self._style.px, self._style.px(24)
        self.verticalHeader().setDefaultSectionSize(high)
        self.horizontalHeader().setFixedHeight(high)
        self.horizontalHeader().setFont(self._style.font("caption"))
        shown = min(self._rows.rowCount(), MOST_ROWS)
        self.setFixedHeight(high * (shown + 1) + px(2))
        self._share_width()

    def _share_width(self) -> None:
        """Give columns what they need, with backward gradients in short where room is scarce."""
        px, room = self._style.px, self.viewport().width()
        needs = self._rows.widths(px(_PADDING), in_short=False)
        in_short = sum(needs) > room
        if in_short:
            needs = self._rows.widths(px(_PADDING), in_short=True)
        self._rows.write_in_short(in_short)
        spare = room - sum(needs)
        if spare < 0:
            needs[NUMERICAL] = max(px(_LEAST), needs[NUMERICAL] + spare)
        else:
            needs[NUMERICAL] += spare // 2
            needs[BACKWARD] += spare - spare // 2
        for column, need in enumerate(needs):
            self.setColumnWidth(column, need)

    def _choose(self, index: QModelIndex) -> None:
        self.node_chosen.emit(self._rows.node_at(index.row()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_width()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        before = self.currentIndex()
        super().keyPressEvent(event)
        if self.currentIndex().row() != before.row() and self.currentIndex().isValid():
            self._choose(self.currentIndex())


@guarded
class CheckRows(QAbstractTableModel):
    """The rows as Qt's views read them."""

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._style = style
        self._rows: tuple[Row, ...] = ()
        self._shortened: dict[int, str] = {}
        self._gradient, self._formula = "", ""
        self._in_short = False

    def show_rows(self, rows: Sequence[Row], gradient: str, formula: str) -> None:
        """Show other rows."""
        self.beginResetModel()
        self._rows, self._gradient, self._formula = tuple(rows), gradient, formula
        self._shortened = shortened({row.node: row.called for row in rows}, LONGEST_NAME)
        self.endResetModel()

    def place_of(self, node: int | None) -> int | None:
        """Return the place of a node's row, or None."""
        return next((k for k, row in enumerate(self._rows) if row.node == node), None)

    def node_at(self, place: int) -> int:
        """Return the node of a row."""
        return self._rows[place].node

    def write_in_short(self, in_short: bool) -> None:
        """Write backward gradients with the chosen digits, or with all of them."""
        self._in_short = in_short

    def widths(self, padding: int, *, in_short: bool) -> list[int]:
        """Return the width that each column needs, in px."""
        found: list[int] = []
        for column in range(self.columnCount()):
            metrics = QFontMetricsF(self._style.font(_font(column)))
            texts = [self._text(row, column, in_short=in_short) for row in self._rows]
            wide = max((metrics.horizontalAdvance(text) for text in texts), default=0.0)
            title = QFontMetricsF(self._style.font("caption")).horizontalAdvance(
                self._title(column)
            )
            found.append(round(max(wide, title)) + padding)
        return found

    def rowCount(self, parent: AnyIndex | None = None) -> int:  # noqa: ARG002, RUF100
        return len(self._rows)

    def columnCount(self, parent: AnyIndex | None = None) -> int:  # noqa: ARG002, RUF100
        return 4

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self._title(section)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        return None

    def data(self, index: AnyIndex, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row, column = self._rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(row, column, in_short=self._in_short)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        if role == Qt.ItemDataRole.FontRole:
            return self._style.font(_font(column))
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._color(row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(_tip(row, column))
        return None

    def _text(self, row: Row, column: int, *, in_short: bool) -> str:
        if column == BACKWARD and in_short and row.backward is not None:
            return self._style.short(row.backward)
        if column == NAME:
            return self._shortened.get(row.node, row.called)
        return _text(row, column)

    def _title(self, column: int) -> str:
        return ("", self._gradient, self._formula, "off by")[column]

    def _color(self, row: Row, column: int) -> QColor:
        theme = self._style.theme
        if column == APART and row.verdict == "differs":
            return theme.error
        if column == BACKWARD:
            return theme.secondary if row.backward is None else theme.gradient
        return theme.secondary if column == APART else theme.text


def _text(row: Row, column: int) -> str:
    if column == BACKWARD:
        return NO_PATH if row.backward is None else full(row.backward)
    if column == NUMERICAL:
        return full(row.numerical)
    if row.backward is None:
        return ""
    if row.verdict == "can't tell":
        return f"? {row.doubt}"
    mark = "✓" if row.verdict == "agrees" else "✗"
    return f"{mark} {short(row.apart, FEW_DIGITS)}"


def _tip(row: Row, column: int) -> str:
    if column == APART and row.backward is not None:
        return f"off by {full(row.apart)}. {row.reason}"
    return row.reason if column == NAME else _text(row, column)


def _font(column: int) -> str:
    return ("interface strong", "factors", "code", "caption")[column]


def _alignment(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignLeft if column == NAME else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
