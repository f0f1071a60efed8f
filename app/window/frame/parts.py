"""Parts: which parts of the window are shown, by the user's choice and the available space."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.panels.transport import Transport
from app.window.context import Context
from app.window.frame.docks import Docks

_ALWAYS = ("menus", "status")
"""Parts that are also shown with the start page."""
_LEAST_ROOM = {"side": (900, 0), "palette": (620, 0), "status": (0, 400)}
"""Minimum size of the window, at 100 %, for a part to be shown beside the canvas."""
_ROOM_FOR_TIMELINE = 390
"""Minimum height of the window, at 100 %, for the timeline to be shown."""
_HIDDEN_WHEN_PRESENTING = ("menus", "toolbar", "palette", "side", "status")


class Parts(QObject):
    """Shows and hides the parts of the window by name; the choices are in the settings."""

    changed = Signal()
    """Emitted when a part may have been shown or hidden."""

    def __init__(
        self, context: Context, docks: Docks, transport: Transport, others: Mapping[str, QWidget]
    ) -> None:
        """`others` are the parts besides the side panel and the transport."""
        window = context.shell.widget
        super().__init__(window)
        self._window = window
        self._shell = context.shell
        self._settings = context.settings
        self._style = context.style
        self._docks = docks
        self._transport = transport
        self._widgets = {**others, "side": docks.side, "transport": transport}
        self._insisted: frozenset[str] = frozenset()
        self._visible: dict[str, bool] = {}

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

    def update(self) -> None:
        """Show the chosen parts, as far as there is space."""
        low = self._window.height() < _ROOM_FOR_TIMELINE * self._style.scale
        if low != self._transport.compact:
            self._transport.set_compact(low)
            self._docks.apply_sizes()
        for part, widget in self._widgets.items():
            if self._fits(part):
                self._insisted -= {part}
            shown = self.shown(part) and (part in _ALWAYS or not self._shell.on_start_page)
            if self._visible.get(part) is not shown:
                self._visible[part] = shown
                widget.setVisible(shown)
                self._docks.apply_sizes()
        self.changed.emit()

    def _fits(self, part: str) -> bool:
        """Return whether the window is large enough for a part beside the canvas."""
        scale = self._style.scale
        wide, high = _LEAST_ROOM.get(part, (0, 0))
        return self._window.width() >= wide * scale and self._window.height() >= high * scale
