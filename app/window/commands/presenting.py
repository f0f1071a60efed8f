"""Actions of the presentation, and the choice of the lecture that F5 begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from app.window.actions import Action

if TYPE_CHECKING:
    from app.lessons.lecture import Lecture
    from app.window.context import Context


def lecture_to_present(context: Context) -> tuple[Lecture, int] | None:
    """Return the lecture to begin and the index of its first mark to show.

    Its source is the active lesson, an opened lecture file, or the marks of the sheet. None without
    any of them: the sheet is then presented step by step.
    """
    if context.shell.on_start_page:
        return None
    if context.lessons.active:
        return _lecture_of_lesson(context)
    lecture = context.lecture_editor.lecture
    return None if lecture is None else (lecture, 0)


def _lecture_of_lesson(context: Context) -> tuple[Lecture, int] | None:
    """Return the active lesson as a lecture, and the index of its step's first mark.

    None for the test and Daily five.
    """
    from app.lessons.lesson_lecture import lecture_of_lesson

    state = context.lessons.now
    if state is None or state.lesson.kind != "lesson":
        return None
    lecture = lecture_of_lesson(state.lesson, state.seed)
    before = replace(state.lesson, steps=state.lesson.steps[: state.at])
    at = len(lecture_of_lesson(before, state.seed).marks)  # a step may have several
    return lecture, min(at, len(lecture.marks) - 1)


def _show_remote(context: Context) -> None:
    from app.window.dialogs.remote import RemoteDialog

    RemoteDialog(context).show()


PRESENTING = (
    Action(
        "presentation",
        "&Presentation",
        lambda c: c.shell.toggle_presentation(),
        "F5",
        checked=lambda c: c.shell.presenting,
    ),
    Action(
        "speaker",
        "&Speaker's window",
        lambda c: c.shell.toggle_speaker(),
        "Shift+F5",
        checked=lambda c: c.shell.speaker_open,
    ),
    Action("remote", "&Remote", _show_remote),
)
