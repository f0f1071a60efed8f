"""SectionLayout: the rectangles of the sections on one sheet, also while they are dragged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QRectF

from app.document.sheet import Sheet


class SectionLayout:
    """Where sections are; inside a group there are none."""

    def __init__(self) -> None:
        self._sheet = Sheet()
        self._shown = True
        self._lifted: Mapping[int, QRectF] = {}

    def follow(self, sheet: Sheet, shown: bool) -> None:
        """Stand for the next sheet."""
        self._sheet, self._shown = sheet, shown

    def lift(self, rects: Mapping[int, QRectF]) -> None:
        """Show sections elsewhere while they are dragged, without touching the sheet."""
        self._lifted = rects

    def rects(self) -> dict[int, QRectF]:
        """The rectangle of each section, by its number."""
        if not self._shown:
            return {}
        return {
            number: self._lifted.get(number) or QRectF(*section.rect).normalized()
            for number, section in self._sheet.sections.items()
        }

    def bounds(self, numbers: Iterable[int] | None = None) -> QRectF:
        """The rectangle around some sections, or all."""
        rects, found = self.rects(), QRectF()
        for number in rects if numbers is None else numbers:
            found = found.united(rects.get(number, QRectF()))
        return found
