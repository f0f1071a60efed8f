"""The lecture that F5 begins: the lesson that is on, the marks of the sheet, or an opened file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

if TYPE_CHECKING:
    from app.lessons.lecture import Lecture
    from app.window.context import Context


def lecture_to_present(context: Context) -> tuple[Lecture, int] | None:
    """Return the lecture to begin and the index of its first mark to show.

    None where the sheet is presented step by step: it has no marks, and no lesson of the course or
    of a file is on.
    """
    if context.shell.on_start_page:
        return None
    if context.lessons.active:
        return _lecture_of_lesson(context)
    lecture = context.lecture_editor.lecture
    return None if lecture is None else (lecture, 0)


def _lecture_of_lesson(context: Context) -> tuple[Lecture, int] | None:
    """Return the lesson that is on as a lecture, at its step; None of a test and of Daily five."""
    from app.lessons.lesson_lecture import lecture_of_lesson

    state = context.lessons.now
    if state is None or state.lesson.kind != "lesson":
        return None
    lecture = lecture_of_lesson(state.lesson, state.seed)
    before = replace(state.lesson, steps=state.lesson.steps[: state.at])
    at = len(lecture_of_lesson(before, state.seed).marks)  # a step may have several
    return lecture, min(at, len(lecture.marks) - 1)
