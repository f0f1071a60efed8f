"""The lecture that F5 begins: the marks of the sheet, the lesson that is on, or an opened file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.lessons.lecture import Lecture, lecture_of

if TYPE_CHECKING:
    from app.window.context import Context


def lecture_to_present(context: Context) -> Lecture | None:
    """Return the lecture to begin, or None where the sheet is presented step by step."""
    document = context.document
    if context.shell.on_start_page:
        return None
    if document.sheet.marks:
        title = document.title or "Lecture"
        return lecture_of(document.sheet.drawing(), title, title)
    return context.lecture.opened
