"""Sectioning: what the menus do with sections."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.canvas.scene.section_hits import content

if TYPE_CHECKING:
    from app.window.frame.main_window import MainWindow


class Sectioning(QObject):
    """Adds sections, colours them, and selects them and their content."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._document = window.document
        self._selection = window.selection

    def add(self) -> None:
        """Draw a titled box around what is selected, and ask for its title."""
        self._window.show_work()
        self._window.canvas.editing.add_section()

    def colour(self, place: int) -> None:
        """Give the selected sections a colour, as one step."""
        gesture = self._document.new_gesture()
        for number in sorted(self._selection.sections):
            changed = replace(self._document.sheet.sections[number], colour=place)
            self._document.set_section(number, changed, "Colour section", gesture)

    def shows(self, place: int) -> bool:
        """Whether every selected section has this colour."""
        sections = self._document.sheet.sections
        chosen = [sections[n] for n in self._selection.sections if n in sections]
        return bool(chosen) and all(section.colour == place for section in chosen)

    def choose_next(self) -> None:
        """Select the next section, bring it into view, and put the keyboard on the canvas."""
        self._window.show_work()
        self._selection.choose_next_section()
        self._window.canvas.framing.show_sections(self._selection.sections)

    def choose_content(self) -> None:
        """Select what lies in the selected sections as well."""
        nodes, boxes = content(self._window.canvas.scene, self._selection.sections)
        self._selection.add(nodes, boxes)
