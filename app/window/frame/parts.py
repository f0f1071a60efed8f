"""Viewing: theme, size of everything, parts of the window, full screen and presentation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from app.style.stylesheet import apply
from app.window.settings import theme_of

if TYPE_CHECKING:
    from app.window.frame.main_window import MainWindow

SIZES = (1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
PARTS = ("menus", "toolbar", "palette", "side", "transport", "status")
_ALWAYS = ("menus", "status")
"""Shown with the start page as well."""
_LEAST_ROOM = {"side": (900, 0), "palette": (620, 0), "status": (0, 400)}
"""The window's least width and height, at 100 %, in which a part leaves the canvas enough."""
_ROOM_FOR_TIMELINE = 390
"""The window's least height, at 100 %, in which the timeline leaves the canvas enough."""
_HIDDEN_WHEN_PRESENTING = ("menus", "toolbar", "palette", "side", "status")


class Viewing(QObject):
    """What the View menu does, kept in the settings."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._settings = window.settings
        self.presenting = False
        self._insisted: frozenset[str] = frozenset()
        self._framing: dict[str, bool] = {}
        window.look.changed.connect(self._restyle)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)

    @property
    def theme(self) -> str:
        """The chosen theme, or "system"."""
        return self._settings.theme

    def choose_theme(self, name: str) -> None:
        """Choose a theme, or to follow the system."""
        self._settings.theme = name
        self._window.look.set_theme(theme_of(name))

    def choose_digits(self, name: str) -> None:
        """Choose how many digits numbers show."""
        self._window.look.set_digits("shortest" if name == "shortest" else int(name))

    def resize_everything(self, steps: int) -> None:
        """The next larger or smaller size of everything; 0 for the usual one."""
        look = self._window.look
        nearest = min(range(len(SIZES)), key=lambda k: abs(SIZES[k] - look.size))
        place = min(max(nearest + steps, 0), len(SIZES) - 1) if steps else 0
        look.set_size(SIZES[place])
        self._window.toast(f"Size of everything: {SIZES[place]:.0%}".replace("%", " %"))

    def shown(self, part: str) -> bool:
        """Whether a part of the window is shown, or would be beside the start page."""
        if self.presenting and part in _HIDDEN_WHEN_PRESENTING:
            return False
        return self._settings.shown(part) and (part in self._insisted or self._fits(part))

    def toggle(self, part: str) -> None:
        """Show or hide a part of the window; what is asked for is shown in any window."""
        wanted = not self.shown(part)
        self._settings.set_shown(part, wanted)
        self._insisted = self._insisted | {part} if wanted else self._insisted - {part}
        self.show_parts()

    def show_parts(self) -> None:
        """Show the parts as they are wanted now, as far as there is room."""
        low = self._window.height() < _ROOM_FOR_TIMELINE * self._window.look.scale
        if low != self._window.transport.compact:
            self._window.transport.set_compact(low)
            self._window.docks.apply_sizes()
        for part in PARTS:
            if self._fits(part):
                self._insisted -= {part}
            shown = self.shown(part) and (part in _ALWAYS or not self._window.on_start_page)
            if self._framing.get(part) is not shown:
                self._framing[part] = shown
                self._window.show_part(part, shown)
        self._window.commands.refresh()

    def _fits(self, part: str) -> bool:
        """Whether the window is large enough for a part and the canvas beside it."""
        scale = self._window.look.scale
        wide, high = _LEAST_ROOM.get(part, (0, 0))
        return self._window.width() >= wide * scale and self._window.height() >= high * scale

    def focus_next_part(self, steps: int) -> None:
        """Move the keyboard from one part of the window to another."""
        parts = [part for part in self._window.parts() if part.isVisible()]
        focused = QApplication.focusWidget()
        here = next((k for k, p in enumerate(parts) if focused and p.isAncestorOf(focused)), None)
        if focused in parts:
            here = parts.index(focused)
        there = parts[(steps + (0 if here is None else here)) % len(parts)]
        target = _first_focus(there)
        if target is not None:
            target.setFocus(Qt.FocusReason.TabFocusReason)

    def toggle_full_screen(self) -> None:
        """Full screen, or back to the window."""
        if self._window.isFullScreen():
            self.leave_full_screen()
        else:
            self._window.showFullScreen()

    def toggle_presentation(self) -> None:
        """Full screen without side panels, or back."""
        if self.presenting:
            self.leave_full_screen()
            return
        self.presenting = True
        self.show_parts()
        self._window.showFullScreen()
        self._window.toast("Presentation: → and ← step, Esc ends it.")

    def leave_full_screen(self) -> None:
        """Back to the window with all its wanted parts."""
        if self.presenting:
            self._window.hush()  # what was said told how to present
        self.presenting = False
        self._window.setWindowState(
            self._window.windowState() & ~self._window.windowState().WindowFullScreen
        )
        self.show_parts()

    def _restyle(self) -> None:
        application = QApplication.instance()
        if isinstance(application, QApplication):
            apply(application, self._window.look)
        self._settings.write_look(self._window.look)
        self.show_parts()

    def _follow_system(self) -> None:
        if self.theme not in ("light", "dark", "projector"):
            self._window.look.set_theme(theme_of(self.theme))


def _first_focus(part: QWidget) -> QWidget | None:
    """The first widget of a part that the keyboard can reach: the part itself, or one inside."""
    for widget in (part, *part.findChildren(QWidget)):
        tabbed = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if tabbed and widget.isVisible() and widget.isEnabled():
            return widget
    return None
