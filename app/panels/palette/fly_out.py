"""FlyOut: a popup card next to the rail, closed by a choice; FamilyTiles: its usual content."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QFrame, QGridLayout, QWidget

from app.controls.layouts import in_column, plain_label
from app.guard import guarded
from app.panels.palette.tile import Tile, tile_in_direction
from app.style.current import Style
from app.workbench.adding import Entry

_GAP = 6
"""Distance from the rail and from the edges of the window, in px at 100 %."""


@guarded
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
        application = QApplication.instance()
        assert application is not None
        application.installEventFilter(self)
        self._move_to_opener()
        self.show()
        self.raise_()
        if focus is not None:
            focus.setFocus(Qt.FocusReason.PopupFocusReason)

    def close_quietly(self) -> None:
        """Hide it; the keyboard focus, if inside, returns to the button."""
        application = QApplication.instance()
        assert application is not None
        application.removeEventFilter(self)
        focused = QApplication.focusWidget()
        inside = focused is not None and self.isAncestorOf(focused)
        self.hide()
        if inside and self._opener is not None:
            self._opener.setFocus(Qt.FocusReason.PopupFocusReason)

    def _move_to_opener(self) -> None:
        """Move next to the button, within the height of the sheet or, if too low, of the window."""
        if self._opener is None:
            return
        window, gap = self._window, self._style.px(_GAP)
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


class FamilyTiles(QWidget):
    """Tiles under the headings of their families."""

    chosen = Signal(str)
    """Emitted with the key of a clicked entry."""
    drag_began = Signal(object)
    """Emitted with the QDrag of a tile."""

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
            row += 1 + ceil(len(members) / _COLUMNS)
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

    def _move_focus(self, tile: Tile, arrow: int) -> None:
        target = tile_in_direction(self.tiles, tile, arrow)
        if target is not None:
            target.setFocus()

    def _restyle(self) -> None:
        px = self._style.px
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(px(_TILE_GAP))
        for tile in self.tiles:
            tile.setMinimumWidth(px(_MIN_TILE_WIDTH))
