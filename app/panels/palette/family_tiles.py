"""FamilyTiles: the tiles of some families in a grid, as a fly-out of the rail shows them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from app.controls.layouts import plain_label
from app.panels.palette.palette import neighbour
from app.panels.palette.tile import Tile
from app.style.current import Style
from app.workbench.adding.finding import Entry

_COLUMNS = 4
_GAP = 5


class FamilyTiles(QWidget):
    """Tiles under the headings of their families."""

    chosen = Signal(str)
    drag_began = Signal(object)

    def __init__(self, style: Style, entries: Sequence[Entry], parent: QWidget) -> None:
        super().__init__(parent)
        self._style = style
        self._grid = QGridLayout(self)
        self.tiles: tuple[Tile, ...] = tuple(self._tile(entry) for entry in entries)
        row = 0
        for family in dict.fromkeys(entry.family for entry in entries):
            heading = plain_label(family, "group", parent=self)
            self._grid.addWidget(heading, row, 0, 1, _COLUMNS)
            members = [tile for tile in self.tiles if tile.entry.family == family]
            for k, tile in enumerate(members):
                self._grid.addWidget(tile, row + 1 + k // _COLUMNS, k % _COLUMNS)
            row += 1 - (-len(members) // _COLUMNS)
        style.changed.connect(self._restyle)
        self._restyle()

    def tile(self, key: str) -> Tile:
        """Return the tile of an entry."""
        return next(tile for tile in self.tiles if tile.key == key)

    def _tile(self, entry: Entry) -> Tile:
        tile = Tile(self._style, entry, self)
        tile.chosen.connect(self.chosen)
        tile.drag_began.connect(self.drag_began)
        tile.arrow_pressed.connect(self._move_focus)
        return tile

    def _move_focus(self, tile: Tile, key: int) -> None:
        target = neighbour(self.tiles, tile, key)
        if target is not None:
            target.setFocus()

    def _restyle(self) -> None:
        px = self._style.px
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(px(_GAP))
        for tile in self.tiles:
            tile.setMinimumWidth(px(46))
