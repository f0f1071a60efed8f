"""Palette: everything that can be added to the sheet, by drag, click or search.

`PaletteDock` in rail.py shows it at the left edge, or the rail in its place in a narrow window. A
`FlyOut` of the rail holds the palette, or the `FamilyTiles` of some families.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QGridLayout, QLabel, QWidget

from app.controls.focus import application
from app.controls.layouts import fill_background, in_column, plain_label, scroll_area
from app.controls.text_fields import FilterEdit
from app.guard import exception_safe
from app.panels.palette.tile import Tile, TileButton, TileGroup, tile_in_direction
from app.style import sizes
from app.style.current import Style
from app.workbench.adding import Entry, entries, families, ranked

COLUMNS = 3
_GAP, _SCROLL_BAR_WIDTH = 5, 12
"""Gap between two tiles, and width kept free for the scroll bar, in px at 100 %."""
_NO_MATCH = "Nothing is called that. Try +, tanh or leaf."


@exception_safe
class Palette(TileGroup):
    """Tiles by family below a filter, in which Enter chooses the first match."""

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(style, parent)
        fill_background(self, "quiet")
        self.setAccessibleName("Palette")
        self.filter = FilterEdit(style, "Filter")
        self._key_label = _new_key_label(self.filter)
        self._page = QWidget()
        self._grid = QGridLayout(self._page)
        self._headings = {
            name: plain_label(name, "group", True, self._page) for name in ("", *families())
        }
        self._tiles = {entry.key: self._tile(entry, self._page) for entry in entries()}
        self._own: tuple[Entry, ...] = ()
        self._shown: list[Tile] = []
        self._scroll = scroll_area(self._page, fills_background=False)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        edges = (sizes.SPACES[1], 10, 0, 0)
        in_column(self.filter, self._scroll, parent=self, style=style, edges=edges, gap=6)
        self.filter.filter_changed.connect(self._arrange)
        self.filter.list_wanted.connect(self._focus_first)
        self.filter.returnPressed.connect(self._choose_first)
        style.run_now_and_on_change(self._restyle)
        self._arrange()

    @property
    def parts(self) -> Sequence[QWidget]:
        """Return the focusable widgets from top to bottom."""
        return [self.filter, *self._tiles.values()]

    def shown_keys(self) -> list[str]:
        """Return the keys of the visible entries, in order."""
        return [tile.entry.key for tile in self._shown]

    def tile(self, key: str) -> Tile:
        return self._tiles[key]

    def show_own(self, own: tuple[Entry, ...]) -> None:
        """Show the sheet's own operations, too."""
        if own != self._own:
            for entry in self._own:
                self._tiles.pop(entry.key).deleteLater()
            self._own = own
            self._tiles |= {entry.key: self._tile(entry, self._page) for entry in own}
            self._arrange()

    def _arrange(self) -> None:
        """Lay out the tiles by family, or by rank while there is a filter."""
        query = self.filter.filter()
        self._key_label.setVisible(not query)
        for widget in (*self._tiles.values(), *self._headings.values()):
            self._grid.removeWidget(widget)
            widget.hide()
        matches = ranked(query, self._own)
        self._shown = [self._tiles[entry.key] for entry in matches]
        row = 0
        if query:
            text = "Enter adds the first" if matches else _NO_MATCH
            self._headings[""].setText(text)
            row = self._add_section("", matches, row)
        else:
            for name in families():
                if members := [e for e in matches if e.family == name]:
                    row = self._add_section(name, members, row)
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

    def _move_focus(self, tile: TileButton, arrow: int) -> None:
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


_DISTANCE = 6
"""Distance from the rail and from the edges of the window, in px at 100 %."""


@exception_safe
class FlyOut(QFrame):
    """A popup next to a button. Esc, a press outside, and resizing the window close it.

    It is a child of the window instead of a window of its own, so that a tile can be dragged from
    it to the canvas.
    """

    def __init__(self, style: Style, content: QWidget, over: QWidget, edges: float) -> None:
        """Create a card with this content; it stays over the widget `over` if it fits there."""
        window = over.window()
        super().__init__(window)
        self._over = over
        self._style = style
        self._window = window
        self.content = content
        self._opener: QWidget | None = None
        self.setProperty("kind", "card")
        in_column(content, parent=self, style=style, edges=edges, gap=0)
        self.hide()

    def open_next_to(self, opener: QWidget, focus: QWidget | None) -> None:
        """Show it at the right of a button, and give one of its widgets the keyboard focus."""
        self._opener = opener
        application().installEventFilter(self)
        self._move_to_opener()
        self.show()
        self.raise_()
        if focus is not None:
            focus.setFocus(Qt.FocusReason.PopupFocusReason)

    def close_quietly(self) -> None:
        """Hide it; the keyboard focus, if inside, returns to the button."""
        application().removeEventFilter(self)
        focused = QApplication.focusWidget()
        inside = focused is not None and self.isAncestorOf(focused)
        self.hide()
        if inside and self._opener is not None:
            self._opener.setFocus(Qt.FocusReason.PopupFocusReason)

    def _move_to_opener(self) -> None:
        """Move next to the button, within the height of the sheet or, if too low, of the window."""
        if self._opener is None:
            return
        window, gap = self._window, self._style.px(_DISTANCE)
        corner = self._opener.mapTo(window, QPoint(self._opener.width() + gap, 0))
        self.ensurePolished()
        hint = self.sizeHint()
        bounds = QRect(self._over.mapTo(window, QPoint(0, 0)), self._over.size())
        if bounds.height() < hint.height() + 2 * gap:
            bounds = window.rect()
        width = min(hint.width(), window.width() - corner.x() - gap)
        height = min(hint.height(), bounds.height() - 2 * gap)
        top = max(min(corner.y(), bounds.bottom() - height - gap), bounds.top() + gap)
        self.setGeometry(corner.x(), top, width, height)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            if not isinstance(event, QKeyEvent) or event.key() != Qt.Key.Key_Escape:
                return False
            if kind == QEvent.Type.KeyPress:
                self.close_quietly()
            event.accept()
            return True
        if kind == QEvent.Type.MouseButtonPress and isinstance(event, QMouseEvent):
            at = self.mapFromGlobal(event.globalPosition().toPoint())
            if not self.rect().contains(at) and not self._on_opener(event):
                self.close_quietly()
        elif watched is self._window and kind == QEvent.Type.Resize:
            self.close_quietly()
        return False

    def _on_opener(self, event: QMouseEvent) -> bool:
        """Return whether a press is on the opening button, whose click closes the popup itself."""
        opener = self._opener
        at = event.globalPosition().toPoint()
        return opener is not None and opener.rect().contains(opener.mapFromGlobal(at))


_COLUMNS = 4
_TILE_GAP, _MIN_TILE_WIDTH = 5, 46
"""Gap between two tiles, and least width of one: captions fit, in px at 100 %."""


class FamilyTiles(TileGroup):
    """Tiles under the headings of their families."""

    def __init__(self, style: Style, entries: Sequence[Entry], parent: QWidget) -> None:
        super().__init__(style, parent)
        self._grid = QGridLayout(self)
        self.tiles: tuple[Tile, ...] = tuple(self._tile(entry, self) for entry in entries)
        row = 0
        for family in dict.fromkeys(entry.family for entry in entries):
            heading = plain_label(family, "group", parent=self)
            self._grid.addWidget(heading, row, 0, 1, _COLUMNS)
            members = [tile for tile in self.tiles if tile.entry.family == family]
            for k, tile in enumerate(members):
                self._grid.addWidget(tile, row + 1 + k // _COLUMNS, k % _COLUMNS)
            row += 1 + ceil(len(members) / _COLUMNS)
        style.run_now_and_on_change(self._restyle)

    def tile(self, key: str) -> Tile:
        return next(tile for tile in self.tiles if tile.key == key)

    def _move_focus(self, tile: TileButton, arrow: int) -> None:
        target = tile_in_direction(self.tiles, tile, arrow)
        if target is not None:
            target.setFocus()

    def _restyle(self) -> None:
        px = self._style.px
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(px(_TILE_GAP))
        for tile in self.tiles:
            tile.setMinimumWidth(px(_MIN_TILE_WIDTH))
