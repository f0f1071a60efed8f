"""The lecture that F5 begins: that of an opened file, or the marks of the sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.lessons.lecture import Lecture
    from app.window.context import Context


def lecture_to_present(context: Context) -> Lecture | None:
    """Return the lecture to begin, or None where the sheet is presented step by step."""
    return None if context.shell.on_start_page else context.lecture_editor.lecture
