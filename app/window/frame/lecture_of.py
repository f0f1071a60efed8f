"""The lecture that F5 begins: the marks of the sheet, the lesson that is on, or an opened file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.lessons.lecture import Lecture, Placed

if TYPE_CHECKING:
    from app.window.context import Context


def lecture_to_present(context: Context) -> Lecture | None:
    """Return the lecture to begin, or None where the sheet is presented step by step."""
    sheet = context.document.sheet
    if context.shell.on_start_page:
        return None
    if sheet.marks:
        title = context.document.title or "Lecture"
        marks = tuple(Placed(0, mark) for mark in sheet.marks)
        return Lecture(title, (sheet.drawing(),), marks, title)
    return context.lecture.opened
