"""Palette: everything that can be added to the sheet, by drag, click or search.

`PaletteDock` in rail.py shows it at the left edge, or the rail in its place in a narrow window.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from app.controls.filter_edit import FilterEdit
from app.controls.layouts import fill_background, in_column, plain_label, scroll_area
from app.guard import guarded
from app.panels.palette.tile import Tile, tile_in_direction
from app.style import sizes
from app.style.current import Style
from app.workbench.adding import Entry, entries, families, ranked

COLUMNS = 3
_GAP, _SCROLL_BAR_WIDTH = 5, 12
"""Gap between two tiles, and width kept free for the scroll bar, in px at 100 %."""
_NO_MATCH = "Nothing is called that. Try +, tanh or leaf."


@guarded
class Palette(QWidget):
    """Tiles by family below a filter."""

    chosen = Signal(str)
    """Emitted with the key of a clicked entry, or of the first match when Enter is pressed."""
    drag_began = Signal(object)
    """Emitted with the QDrag of a tile."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        fill_background(self, "quiet")
        self.setAccessibleName("Palette")
        self.filter = FilterEdit(style, "Filter")
        self._key_label = _new_key_label(self.filter)
        self._page = QWidget()
        self._grid = QGridLayout(self._page)
        self._headings = {
            name: plain_label(name, "group", True, self._page) for name in ("", *families())
        }
        self._tiles = {entry.key: self._tile(entry) for entry in entries()}
        self._shown: list[Tile] = []
        self._scroll = scroll_area(self._page, fills_background=False)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        edges = (sizes.SPACES[1], 10, 0, 0)
        in_column(self.filter, self._scroll, parent=self, style=style, edges=edges, gap=6)
        self.filter.filter_changed.connect(self._arrange)
        self.filter.list_wanted.connect(self._focus_first)
        self.filter.returnPressed.connect(self._choose_first)
        style.changed.connect(self._restyle)
        self._restyle()
        self._arrange()

    @property
    def parts(self) -> Sequence[QWidget]:
        """Return the focusable widgets from top to bottom."""
        return [self.filter, *self._tiles.values()]

    def shown_keys(self) -> list[str]:
        """Return the keys of the visible entries, in order."""
        return [tile.entry.key for tile in self._shown]

    def tile(self, key: str) -> Tile:
        """Return the tile of an entry."""
        return self._tiles[key]

    def _tile(self, entry: Entry) -> Tile:
        tile = Tile(self._style, entry, self._page)
        tile.chosen.connect(self.chosen)
        tile.drag_began.connect(self.drag_began)
        tile.arrow_pressed.connect(self._move_focus)
        return tile

    def _arrange(self) -> None:
        """Lay out the tiles by family, or by rank while there is a filter."""
        query = self.filter.filter()
        self._key_label.setVisible(not query)
        for widget in (*self._tiles.values(), *self._headings.values()):
            self._grid.removeWidget(widget)
            widget.hide()
        matches = ranked(query)
        self._shown = [self._tiles[entry.key] for entry in matches]
        row = 0
        if query:
            text = "Enter adds the first" if matches else _NO_MATCH
            self._headings[""].setText(text)
            row = self._add_section("", matches, row)
        else:
            for name in families():
                row = self._add_section(name, [e for e in matches if e.family == name], row)
        # the row below takes the spare height; the grid keeps rows of earlier, longer lists
        for k in range(max(self._grid.rowCount(), row + 1)):
            self._grid.setRowStretch(k, 1 if k == row else 0)
        self._order_focus()

    def _add_section(self, name: str, members: list[Entry], row: int) -> int:
        """Add a heading and its tiles at a row of the grid; return the next free row."""
        heading = self._headings[name]
        self._grid.addWidget(heading, row, 0, 1, COLUMNS)
        heading.show()
        for k, entry in enumerate(members):
            tile = self._tiles[entry.key]
            self._grid.addWidget(tile, row + 1 + k // COLUMNS, k % COLUMNS)
            tile.show()
        return row + 1 + ceil(len(members) / COLUMNS)

    def _order_focus(self) -> None:
        previous: QWidget = self.filter
        for tile in self._shown:
            QWidget.setTabOrder(previous, tile)
            previous = tile

    def _focus_first(self) -> None:
        if self._shown:
            self._shown[0].setFocus(Qt.FocusReason.TabFocusReason)
            self._scroll.ensureWidgetVisible(self._shown[0])

    def _choose_first(self) -> None:
        if self._shown and self.filter.filter():
            self.chosen.emit(self._shown[0].entry.key)

    def _move_focus(self, tile: Tile, arrow: int) -> None:
        """Focus the nearest tile in the direction of an arrow key."""
        target = tile_in_direction(self._shown, tile, arrow)
        if target is not None:
            target.setFocus(Qt.FocusReason.TabFocusReason)
            self._scroll.ensureWidgetVisible(target)
        elif arrow == Qt.Key.Key_Up:
            self.filter.setFocus(Qt.FocusReason.TabFocusReason)

    def _restyle(self) -> None:
        px = self._style.px
        self.setFixedWidth(px(sizes.PALETTE))
        edge = px(sizes.SPACES[1])
        self.filter.setFixedWidth(px(sizes.PALETTE) - 2 * edge)
        self._grid.setContentsMargins(0, 0, 0, edge)
        self._grid.setSpacing(px(_GAP))
        for heading in self._headings.values():
            heading.setContentsMargins(0, px(6), 0, 0)
        self._page.setFixedWidth(px(sizes.PALETTE) - edge - px(_SCROLL_BAR_WIDTH))
        self._place_key_label()

    def _place_key_label(self) -> None:
        self._key_label.ensurePolished()
        size = self._key_label.sizeHint()
        top = (self.filter.sizeHint().height() - size.height()) // 2
        left = self.filter.width() - size.width() - self._style.px(6)
        self._key_label.setGeometry(left, top, size.width(), size.height())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._place_key_label()  # the style sheet sets its size only when shown


def _new_key_label(field: FilterEdit) -> QLabel:
    """Return a label inside the filter with the key that opens quick add."""
    label = plain_label("Tab", "key", parent=field)
    label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    field.setToolTip("Find what to add. On the canvas, Tab adds a node by name.")
    return label
