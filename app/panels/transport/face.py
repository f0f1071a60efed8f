"""A face of the transport: what a mode shows in place of the steps of a pass."""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct
from PySide6.QtWidgets import QWidget

from app.controls.rich_text import Span
from app.panels.transport.lane import LaneRows
from app.workbench.shown import Shown
from engine.numbers import Digits


class Said(Struct, frozen=True):
    """The words below the line: the place in the pass, the sentence, and what comes next."""

    count: str
    sentence: tuple[Span, ...]
    next: tuple[Span, ...] = ()


class Face(Protocol):
    """Buttons above a line; a face is made when its mode is first shown."""

    @property
    def buttons(self) -> QWidget:
        """Return the row of buttons, hidden in a presentation."""
        ...

    @property
    def line(self) -> QWidget:
        """Return what is in place of the timeline."""
        ...

    def refresh(self, now: Shown, digits: Digits) -> Said:
        """Show how far the mode is; return what is said of it."""
        ...

    def set_rows(self, rows: LaneRows) -> None:
        """Give the line the height of a timeline with these rows."""
        ...
