"""Actions of the presentation, and a lecture that is presented from a mark on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.window.actions import Action

if TYPE_CHECKING:
    from app.lessons.lecture import Lecture
    from app.window.context import Context


def present_lecture(context: Context, lecture: Lecture, at: int = 0) -> None:
    """Present a lecture from a mark on; its end brings the user's own sheet back."""
    context.shell.present_lecture(lecture, at)


def _show_remote(context: Context) -> None:
    from app.window.dialogs.remote import show_remote

    show_remote(context)


PRESENTING = (
    Action(
        "presentation",
        "&Presentation",
        lambda c: c.shell.toggle_presentation(),
        ("F5",),
        tooltip="Full screen with nothing but the graph and the step",
        checked=lambda c: c.shell.presenting,
    ),
    Action(
        "speaker",
        "&Speaker's window",
        lambda c: c.shell.toggle_speaker(),
        ("Shift+F5",),
        tooltip="Notes, hands and what comes next, for the speaker of a lecture alone",
        checked=lambda c: c.shell.speaker_open,
    ),
    Action(
        "remote",
        "&Remote",
        _show_remote,
        tooltip="Show which key a remote sends, and what it does in a lecture",
    ),
)
