"""Viewing: theme, size of everything, parts of the window, full screen and presentation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from app.style.stylesheet import apply
from app.window.settings import theme_of

if TYPE_CHECKING:
    from app.window.main_window import MainWindow

SIZES = (1.0, 1.1, 1.25, 1.5, 1.75, 2.0)
PARTS = ("toolbar", "palette", "side", "transport", "status")
_HIDDEN_WHEN_PRESENTING = ("toolbar", "palette", "side", "status")


class Viewing(QObject):
    """What the View menu does, kept in the settings."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._settings = window.settings
        self.presenting = False
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
        """Whether a part of the window is wanted; presenting hides some for a while."""
        return self._settings.shown(part)

    def toggle(self, part: str) -> None:
        """Show or hide a part of the window."""
        self._settings.set_shown(part, not self._settings.shown(part))
        self.show_parts()

    def show_parts(self) -> None:
        """Show the parts as they are wanted now."""
        for part in PARTS:
            hidden = self.presenting and part in _HIDDEN_WHEN_PRESENTING
            self._window.show_part(part, self._settings.shown(part) and not hidden)

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

    def leave_full_screen(self) -> None:
        """Back to the window with all its wanted parts."""
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
