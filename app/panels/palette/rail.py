"""Rail: the palette as one column of icons, for windows without width for its tiles.

`PaletteDock` shows the rail or the tiles.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from app.controls.focus import set_tab_order_after
from app.controls.layouts import fill_background, in_row
from app.guard import exception_safe
from app.panels.palette.tile import (
    IN_RAIL,
    SymbolPainter,
    Tile,
    TileButton,
    TileGroup,
    curve_painter,
    icon_painter,
    sign_painter,
    tile_in_direction,
)
from app.style import sizes
from app.style.current import Style
from app.workbench.adding import BASICS, BLOCKS, Entry, entries, families
from engine.ops import BY_NAME, OPS

if TYPE_CHECKING:
    from app.panels.palette.palette import FamilyTiles, FlyOut, Palette


PITCH: Final = 42
"""Distance between the tops of two tiles, in px at 100 %."""
_MARGIN, _GROUP_GAP = 8, 6
"""Space above the first tile, and additional space between groups, in px at 100 %."""
_PALETTE_HEIGHT = 480
"""Height of the palette in the fly-out of ALL, in px at 100 %; it scrolls."""
QUICK_ADD, ALL = "quick_add", "all"
"""Keys of the tiles that open quick add, and the whole palette in a fly-out."""
_OPERATORS = ("op:add", "op:sub", "op:mul", "op:div", "op:pow")


class Family(NamedTuple):
    """A tile that opens a fly-out: its caption, symbol, accessible name and the families in it."""

    caption: str
    symbol: SymbolPainter
    name: str
    families: tuple[str, ...]
    more_keys: tuple[str, ...] = ()
    """Keys of entries of other families that have no tile in the rail."""


ACTIVATIONS: Final = BY_NAME["tanh"].family
ARITHMETIC: Final = BY_NAME["add"].family
_NOT_FUNCTIONS = (BASICS, ARITHMETIC, ACTIVATIONS, BLOCKS)
FAMILIES: Final[dict[str, Family]] = {
    "arithmetic": Family("ops", sign_painter("+ ×"), "Arithmetic", (ARITHMETIC,)),
    "functions": Family(
        "funcs",
        sign_painter("ƒ"),
        "Functions",
        tuple(name for name in families() if name not in _NOT_FUNCTIONS),
        ("op:neg",),
    ),
    "activations": Family(
        "activ.", curve_painter(BY_NAME["sigmoid"].forward), "Activations", (ACTIVATIONS,)
    ),
    "blocks": Family("blocks", icon_painter("mlp", 20), "Blocks", (BLOCKS,)),
}

_BASICS = ("leaf", "constant", "root")
_FLY_OUTS = ("functions", "activations", "blocks")
_GROUPS = ((QUICK_ADD,), _BASICS, _OPERATORS, _FLY_OUTS, (ALL,))
"""Keys of the tiles, by groups from top to bottom."""
_COMPACT_GROUPS = ((QUICK_ADD,), _BASICS, ("arithmetic", *_FLY_OUTS), (ALL,))
"""The same with the operators in a fly-out."""
_DROP_ORDER = (*reversed(_FLY_OUTS), QUICK_ADD, "constant", "arithmetic")
"""Tiles left out of a low rail, in this order; ALL offers them too."""


@exception_safe
class Rail(TileGroup):
    """Tiles for the most used entries, and fly-outs for the others."""

    quick_add_wanted = Signal()
    """Emitted when the tile for quick add is clicked."""

    def __init__(self, style: Style, sheet: QWidget) -> None:
        """Create a rail whose fly-outs open over the widget `sheet`."""
        super().__init__(style)
        self._sheet = sheet
        # the fly-outs opened so far and their contents, by the key of their tile
        self._fly_outs: dict[str, FlyOut] = {}
        self._contents: dict[str, FamilyTiles | Palette] = {}
        fill_background(self, "panel")
        self.setAccessibleName("Palette")
        self._own: tuple[Entry, ...] = ()
        self._buttons: dict[str, TileButton] = {}
        self._add_button(QUICK_ADD, icon_painter("search", 15), "Tab", "Add a node by name (Tab)")
        for entry in entries():
            if entry.key in (*_BASICS, *_OPERATORS):
                self._buttons[entry.key] = self._tile(entry, self, IN_RAIL)
        for key, family in FAMILIES.items():
            self._add_button(key, family.symbol, family.caption, family.name, opens_more=True)
        menu, caption, name = icon_painter("menu", 15), f"all {len(OPS)}", "All {} operations"
        self._add_button(ALL, menu, caption, name.format(len(OPS)), opens_more=True)
        self._buttons[QUICK_ADD].clicked.connect(self.quick_add_wanted)
        for key in (*FAMILIES, ALL):
            self._buttons[key].clicked.connect(partial(self._toggle, key))
            self._buttons[key].pulled_outside.connect(partial(self._open, key))
            self._buttons[key].released_outside.connect(partial(self._choose_at, key))
        style.run_now_and_on_change(self._restyle)

    @property
    def parts(self) -> Sequence[QWidget]:
        """Return the focusable widgets from top to bottom."""
        return [*self._buttons.values()]

    def button(self, key: str) -> TileButton:
        """Return the tile of an entry, or one of QUICK_ADD, ALL and the keys of FAMILIES."""
        return self._buttons[key]

    def shown_keys(self) -> list[str]:
        """Return the keys of the visible tiles, from top to bottom."""
        return [key for group in self._shown_groups() for key in group]

    def fly_out(self, key: str) -> FamilyTiles | Palette:
        """Return the content of a tile's fly-out, created on first use."""
        if key not in self._fly_outs:
            self._fly_outs[key], self._contents[key] = self._new_fly_out(key)
        return self._contents[key]

    def close_fly_outs(self) -> None:
        """Close the open fly-out."""
        for fly_out in self._fly_outs.values():
            if fly_out.isVisible():
                fly_out.close_quietly()

    def _add_button(
        self, key: str, symbol: SymbolPainter, caption: str, name: str, opens_more: bool = False
    ) -> None:
        button = TileButton(self._style, symbol, caption, IN_RAIL, self, opens_more)
        button.setAccessibleName(name)
        button.setToolTip(name)
        button.arrow_pressed.connect(self._move_focus)
        self._buttons[key] = button

    def _toggle(self, key: str) -> None:
        """Open or close a fly-out."""
        self.fly_out(key)
        if self._fly_outs[key].isVisible():
            self._fly_outs[key].close_quietly()
        else:
            self._open(key)

    def _open(self, key: str) -> None:
        """Open a fly-out; with the keyboard its first tile gets the focus."""
        from app.panels.palette.palette import FamilyTiles

        content = self.fly_out(key)
        fly_out, button = self._fly_outs[key], self._buttons[key]
        self.close_fly_outs()
        is_family = isinstance(content, FamilyTiles)
        first = content.tiles[0] if is_family else content.filter
        wants_focus = not is_family or button.hasFocus()
        fly_out.open_next_to(button, first if wants_focus else None)

    def _choose_at(self, key: str, at: QPoint) -> None:
        """Choose the tile of a fly-out on which the mouse button was released."""
        content = self.fly_out(key)
        child = content.childAt(content.mapFromGlobal(at)) if content.isVisible() else None
        if isinstance(child, Tile):
            child.click()

    def _new_fly_out(self, key: str) -> tuple[FlyOut, FamilyTiles | Palette]:
        """Create the fly-out of a tile; return it with its content."""
        from app.panels.palette.palette import FamilyTiles, FlyOut, Palette

        window = self.window()
        content: FamilyTiles | Palette
        if key == ALL:
            content, edges = Palette(self._style, window), 1.0  # it has edges of its own
            content.show_own(self._own)
            content.setMinimumHeight(self._style.px(_PALETTE_HEIGHT))
        else:
            family = FAMILIES[key]
            members = [
                e for e in entries() if e.family in family.families or e.key in family.more_keys
            ]
            content, edges = FamilyTiles(self._style, members, window), 10.0
        fly_out = FlyOut(self._style, content, self._sheet, edges)
        for close in (content.chosen, content.drag_began):
            close.connect(fly_out.close_quietly)
        self._take_in(content)
        return fly_out, content

    def _move_focus(self, tile: TileButton, arrow: int) -> None:
        shown = [self._buttons[key] for key in self.shown_keys()]
        if arrow == Qt.Key.Key_Right and tile in (self._buttons[k] for k in (*FAMILIES, ALL)):
            tile.click()
        elif arrow in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            target = tile_in_direction(shown, tile, arrow)
            if target is not None:
                target.setFocus(Qt.FocusReason.TabFocusReason)

    def show_own(self, own: tuple[Entry, ...]) -> None:
        """Show the sheet's own operations in the fly-out of all."""
        self._own = own
        if (palette := self._contents.get(ALL)) is not None:
            cast("Palette", palette).show_own(own)

    def _shown_groups(self) -> tuple[tuple[str, ...], ...]:
        """Return the groups that fit: all, or the compact ones, or these without some tiles."""
        if self._fits(_GROUPS):
            return _GROUPS
        groups = _COMPACT_GROUPS
        for key in _DROP_ORDER:
            if self._fits(groups):
                break
            groups = tuple(tuple(k for k in group if k != key) for group in groups)
        return tuple(group for group in groups if group)

    def _fits(self, groups: tuple[tuple[str, ...], ...]) -> bool:
        count = sum(len(group) for group in groups)
        # the pitch of the last tile includes a gap that no tile follows
        gaps = 2 * _MARGIN + _GROUP_GAP * (len(groups) - 1) - (PITCH - IN_RAIL.height)
        return self._style.px(PITCH * count + gaps) <= self.height()

    def _lay_out(self) -> None:
        px = self._style.px
        top, left = _MARGIN, (sizes.RAIL - IN_RAIL.width) // 2
        groups = self._shown_groups()
        shown = {key for group in groups for key in group}
        for key, button in self._buttons.items():
            button.setVisible(key in shown)
        previous: QWidget | None = None
        for group in groups:
            for key in group:
                button = self._buttons[key]
                button.setGeometry(px(left), px(top), px(IN_RAIL.width), px(IN_RAIL.height))
                if previous is not None:
                    QWidget.setTabOrder(previous, button)
                previous, top = button, top + PITCH
            top += _GROUP_GAP

    def _restyle(self) -> None:
        self.setFixedWidth(self._style.px(sizes.RAIL))
        self._lay_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()


@exception_safe
class PaletteDock(TileGroup):
    """The palette as tiles or as a rail; each of the two forms is created on first use."""

    quick_add_wanted = Signal()
    """Emitted by the rail, whose tile for it replaces the filter of the tiles."""

    def __init__(self, style: Style, sheet: QWidget) -> None:
        """Create a palette whose fly-outs open over the widget `sheet`."""
        super().__init__(style)
        self._sheet = sheet
        self._row = in_row(parent=self, gap=0)
        self._forms: list[Palette | Rail] = []
        """The forms created so far."""
        self._own: tuple[Entry, ...] = ()
        self._narrow: bool | None = None
        """Whether to show the rail; None before the first layout of the window."""

    @cached_property
    def tiles(self) -> Palette:
        """Return the form with all tiles below a filter."""
        from app.panels.palette.palette import Palette

        tiles = Palette(self._style)
        self._add_form(tiles)
        return tiles

    @cached_property
    def rail(self) -> Rail:
        """Return the form with one column of icons."""
        rail = Rail(self._style, self._sheet)
        rail.quick_add_wanted.connect(self.quick_add_wanted)
        self._add_form(rail)
        return rail

    def show_own(self, own: tuple[Entry, ...]) -> None:
        """Show the sheet's own operations beside those of the table."""
        self._own = own
        for form in self._forms:
            form.show_own(own)

    def show_rail(self, narrow: bool) -> None:
        """Show the rail, or else the tiles, and close the fly-outs."""
        self._narrow = narrow
        if not self.isHidden():
            self._show_form()

    def _add_form(self, form: Palette | Rail) -> None:
        self._take_in(form)
        form.show_own(self._own)
        form.hide()
        self._row.addWidget(form)
        set_tab_order_after(self, form.parts)
        self._forms.append(form)

    def _show_form(self) -> None:
        if self._narrow is None:
            return
        shown = self.rail if self._narrow else self.tiles
        for form in self._forms:
            form.setVisible(form is shown)
            if isinstance(form, Rail):
                form.close_fly_outs()

    def setVisible(self, visible: bool) -> None:
        if visible:
            self._show_form()
        super().setVisible(visible)
