"""PaletteDock: the palette in the form there is width for."""

from __future__ import annotations

from functools import cached_property

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.controls.layouts import in_row
from app.controls.tab_order import visit_after
from app.guard import guarded
from app.panels.palette.palette import Palette
from app.panels.palette.rail import Rail
from app.style.current import Style


@guarded
class PaletteDock(QWidget):
    """The tiles, or a rail in their place; each form is made when it is first wanted."""

    chosen = Signal(str)
    """Emitted with the key of a clicked entry."""
    drag_began = Signal(object)
    """Emitted with the QDrag of a tile."""
    quick_add_wanted = Signal()

    def __init__(self, style: Style, sheet: QWidget) -> None:
        """Make a palette whose fly-outs open over the widget `sheet`."""
        super().__init__()
        self._style = style
        self._sheet = sheet
        self._row = in_row(parent=self, edges=0, gap=0)
        self._made: list[Palette | Rail] = []
        self._narrow: bool | None = None
        """Whether the rail is wanted; None until that is known."""

    @cached_property
    def tiles(self) -> Palette:
        """Return the form with all tiles below a filter."""
        tiles = Palette(self._style)
        self._add(tiles)
        return tiles

    @cached_property
    def rail(self) -> Rail:
        """Return the form with one column of icons."""
        rail = Rail(self._style, self._sheet)
        rail.quick_add_wanted.connect(self.quick_add_wanted)
        self._add(rail)
        return rail

    def show_rail(self, narrow: bool) -> None:
        """Show the rail, or else the tiles, and close the fly-outs."""
        self._narrow = narrow
        if not self.isHidden():
            self._show_form()

    def _add(self, form: Palette | Rail) -> None:
        form.chosen.connect(self.chosen)
        form.drag_began.connect(self.drag_began)
        form.hide()
        self._row.addWidget(form)
        visit_after(self, form.parts)
        self._made.append(form)

    def _show_form(self) -> None:
        if self._narrow is None:
            return
        shown = self.rail if self._narrow else self.tiles
        for form in self._made:
            form.setVisible(form is shown)
            if isinstance(form, Rail):
                form.close_fly_outs()

    def setVisible(self, visible: bool) -> None:
        if visible:
            self._show_form()
        super().setVisible(visible)
