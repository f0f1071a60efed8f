"""ListPart: the lessons of the course, unit by unit, with how far each is."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.controls.layouts import in_column
from app.controls.rich_text import Span
from app.controls.row_list import Column, ListRow, RowList
from app.lessons.course_view import CourseView, LessonEntry
from app.style.current import Style

_STATES = {"new": "", "done": "✓", "shown": "shown"}


class ListPart(QWidget):
    """A row for each lesson; a click or Enter begins it, or goes on where it was left."""

    chosen = Signal(str)

    def __init__(self, style: Style) -> None:
        super().__init__()
        self._names: tuple[str, ...] = ()
        columns = (Column(20), Column(takes_rest=True), Column(right=True))
        self.rows = RowList(style, "Lessons", columns, row_height=28)
        in_column(self.rows, parent=self, edges=0)
        self.rows.chosen.connect(self._choose)

    def show_course(self, view: CourseView) -> str:
        """Show the lessons of a course; return how many are done."""
        entries = [entry for unit in view.units for entry in unit.lessons]
        self._names = tuple(entry.name for entry in entries)
        following = None if view.hero is None else view.hero.lesson.name
        self.rows.show_rows([_row(entry, entry.name == following) for entry in entries])
        return f"{sum(entry.state == 'done' for entry in entries)} of {len(entries)} done"

    def _choose(self, place: int) -> None:
        if 0 <= place < len(self._names):
            self.chosen.emit(self._names[place])


def _row(entry: LessonEntry, is_next: bool) -> ListRow:
    place = f"{entry.at + 1} of {entry.steps}"
    cells = (
        (Span(f"{entry.number}", "secondary"),),
        (Span(entry.title, bold=is_next),),
        (Span(_STATES.get(entry.state, place), "secondary"),),
    )
    return ListRow(cells, entry.spoken, tone="now" if is_next else "", tip=entry.title)
