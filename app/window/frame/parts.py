"""Parts: which parts of the window are shown, and in which form; implements `WindowParts`."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtWidgets import QWidget

from app.window.context import Context
from app.window.frame.docks import Docks
from app.window.frame.toolbar import Toolbar
from app.window.frame.window_layout import Choices, WindowLayout, lay_out_window
from app.workbench.room import Room

_ALWAYS = ("menus", "status")
"""Parts that are also shown with the start page."""
_LEAST_HEIGHT = {"status": 400}
"""Minimum height of the window, in px at 100 %, for a part to be shown."""
_HIDDEN_WHEN_PRESENTING = ("menus", "toolbar", "palette", "side", "status")


class Parts(QObject):
    """Shows and hides the parts of the window by name, and folds palette and side panel.

    What the user has chosen is in the settings and wins; the rest follows the window's size, the
    size of everything, and the room that the canvas has asked for.
    """

    changed = Signal()
    """Emitted when a part may have been shown, hidden or folded."""

    def __init__(
        self, context: Context, docks: Docks, toolbar: Toolbar, others: Mapping[str, QWidget]
    ) -> None:
        """`others` are the parts besides the toolbar and those of the docks."""
        window = context.shell.widget
        super().__init__(window)
        self._window = window
        self._shell = context.shell
        self._settings = context.settings
        self._style = context.style
        self._docks = docks
        self._toolbar = toolbar
        self._widgets = {**others, "toolbar": toolbar, **docks.parts}
        self._insisted: frozenset[str] = frozenset()
        self._visible: dict[str, bool] = {}
        self._room = Room.USUAL
        self._side_kept = False
        self._layout = self._layout_in(self._room)
        docks.side_dragged.connect(self._keep_side)

    @property
    def layout(self) -> WindowLayout:
        """Return the current layout of the window."""
        return self._layout

    def shown(self, part: str) -> bool:
        """Return whether a part is shown, or would be if the start page were not."""
        if self._shell.presenting and part in _HIDDEN_WHEN_PRESENTING:
            return False
        return self._settings.shown(part) and (part in self._insisted or self._fits(part))

    def toggle(self, part: str) -> None:
        """Show or hide a part; one requested explicitly is shown in a window of any size."""
        wanted = not self.shown(part)
        self._settings.set_shown(part, wanted)
        self._insisted = self._insisted | {part} if wanted else self._insisted - {part}
        self.update()

    def folded(self, part: str) -> bool:
        """Return whether the palette shows icons only, or the side panel its tabs only."""
        return self.layout.rail if part == "palette" else self.layout.tabs

    def toggle_folded(self, part: str) -> None:
        """Fold or unfold the palette or the side panel; it stays so until `reset`."""
        self._settings.set_folded(part, not self.folded(part))
        self.update()

    def shows_tab(self, name: str) -> bool:
        """Return whether a tab of the side panel is there, at the front or behind others."""
        return self._docks.side.shows_tab(name)

    def toggle_tab(self, name: str) -> None:
        """Bring a tab of the side panel to the front, or take it away."""
        if self.shows_tab(name) and (self._docks.at_front(name) or not self._shell.presenting):
            if self._docks.at_front(name):
                self._docks.close_side()
            self._docks.side.show_tab(name, False)
        else:
            self._docks.side.panel(name).setFocus()
        self.changed.emit()

    def close_side(self) -> bool:
        """Close the side panel if it is open over the sheet; return whether it was."""
        return self._docks.close_side()

    @property
    def staged(self) -> bool:
        """Return whether a panel shows a stage of its own in place of the sheet."""
        return self._docks.staged and not self._shell.on_start_page

    def end_stage(self) -> bool:
        """Stop what runs on a stage, or else end it; return whether there was a stage."""
        return self.staged and self._docks.end_stage()

    def keep_side(self, kept: bool) -> None:
        """Keep the side panel beside the sheet, whatever room the canvas asks for."""
        if kept != self._side_kept:
            self._side_kept = kept
            self.update()

    def reset(self) -> None:
        """Show every part and leave the form and the width of the docks to the window."""
        for part in self._widgets:
            self._settings.set_shown(part, True)
        for part in ("palette", "side"):
            self._settings.set_folded(part, None)
        self._settings.set_length("side", None)
        self.update()

    def make_room(self, room: Room) -> None:
        """Give the canvas more room, or take it back, where the user has not chosen otherwise."""
        if room != self._room:
            self._room = room
            self.update()

    def canvas_size(self, room: Room) -> QSize:
        """Return the size that the canvas would have with this much room."""
        return self._layout_in(room).canvas

    def update(self) -> None:
        """Show the chosen parts, as far as there is space."""
        for part, widget in self._widgets.items():
            if self._fits(part):
                self._insisted -= {part}
            shown = self.shown(part) and (part in _ALWAYS or not self._shell.on_start_page)
            if self._visible.get(part) is not shown:
                self._visible[part] = shown
                widget.setVisible(shown)
        self._layout = self._layout_in(self._room)
        self._toolbar.set_small(self._layout.small)
        self._docks.apply(self._layout)
        self.changed.emit()

    def _layout_in(self, room: Room) -> WindowLayout:
        settings = self._settings
        if self._side_kept:
            room = min(room, Room.RAIL)
        choices = Choices(
            rail=settings.folded("palette"),
            tabs=self._shell.presenting or settings.folded("side"),
            side_width=settings.length("side"),
            hidden=frozenset(part for part in self._widgets if not self.shown(part)),
        )
        strip = self._docks.strip_panel
        size = self._window.size()
        return lay_out_window(size, self._style, choices, room, strip.two_lines)

    def _keep_side(self, width: int) -> None:
        self._settings.set_length("side", width / self._style.control_scale)

    def _fits(self, part: str) -> bool:
        """Return whether the window is high enough for a part below the canvas."""
        return self._window.height() >= self._style.px(_LEAST_HEIGHT.get(part, 0))
