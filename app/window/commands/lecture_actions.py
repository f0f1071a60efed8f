"""Actions of a lesson before a room: present it, save its hands."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from app.controls.spans import plain_text
from app.document.document_file import SUFFIX, file_name
from app.window.actions import action
from app.window.dialogs.ask import Role, ask, tell
from engine.errors import EngineError
from engine.formats.files import shown_name, write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from app.guide.play.hands import HandsRecord
    from app.lessons.lesson import Lesson
    from app.style.current import Style
    from app.window.context import Context


@action(
    "Begin the lecture a&new",
    enabled=lambda c: c.guides.last_room is not None,
    search="restart reset again group class clear hands clock first f5",
)
def lecture_anew(context: Context) -> None:
    """For another group: no hands, the clock at 0, the steps as they were prepared."""

    def begin() -> None:
        if context.shell.presenting:
            context.shell.toggle_presentation()
        context.guides.forget_room()
        context.shell.toggle_presentation()

    confirm_hands(context, begin)


@action(
    "&Presentation",
    "F5",
    checked=lambda c: c.shell.presenting,
    search="present beamer projector slides lecture talk classroom remote clicker",
)
def presentation(context: Context) -> None:
    """Full screen with nothing but the graph and the step."""
    context.shell.toggle_presentation()


@action("&Speaker's window", "Shift+F5", checked=lambda c: c.shell.speaker_open)
def speaker(context: Context) -> None:
    """Notes, hands and what comes next, for the speaker of a lecture alone."""
    context.shell.toggle_speaker()


# hands

_NO_HANDS: Final = "No hand has been counted."
_QUESTION: Final = "Save the hands of {title}?"
_OFFER: Final = "The lecture is over. Its hands are not saved yet."
SAVE: Final = "Save the hands…"


def has_hands(context: Context) -> bool:
    """Return whether any hand was counted in the current or else the last lecture."""
    state = context.guides.last_room
    return state is not None and state.has_hands


def other_hands(context: Context, lesson: Lesson) -> bool:
    """Return whether unsaved hands of another lesson would be lost if this one began."""
    last = context.guides.last_room
    is_other = last is not None and last.lesson.title != lesson.title
    return is_other and context.guides.has_unsaved_hands


def confirm_hands(context: Context, then: Callable[[], object]) -> None:
    """Call `then`; with hands in no file, once the lecturer has saved or left them."""
    lecture = context.guides
    if not lecture.has_unsaved_hands or lecture.last_room is None:
        then()
        return

    def leave() -> None:
        lecture.note_saved()
        then()

    ask(
        context.shell.widget,
        _QUESTION.format(title=lecture.last_room.lesson.title),
        "What the room answered is lost if you don't.",
        {
            (SAVE, Role.ACCEPT): lambda: save_hands(context, then=then),
            ("Discard", Role.DESTRUCTIVE): leave,
            ("Cancel", Role.REJECT): None,
        },
        unique_name="unsaved hands",
    )


def offer_hands(context: Context) -> None:
    """Offer to save the hands of a lecture after its end, if there are any."""
    if context.guides.has_unsaved_hands:
        context.messages.offer(_OFFER, SAVE, lambda: save_hands(context))


@action(
    "Save the &hands…", enabled=has_hands, search="record poll votes counts lecture json write keep"
)
def save_hands(
    context: Context,
    parent: QWidget | None = None,
    style: Style | None = None,
    then: Callable[[], object] = bool,
) -> None:
    """Write how many chose what in the lecture, and nothing about persons, to a file.

    `parent` and `style` are those of the dialog; without them, the main window's.
    """
    from app.window.dialogs.file_dialogs import Target, ask_target, with_json_suffix

    record, window = record_now(context), parent or context.shell.widget
    if record is None:
        context.messages.refuse(_NO_HANDS)
        return
    suggested = context.files.folder / hands_name(record.title)
    target = Target("Save the hands", suggested, "Hands of a lecture (*.json)", with_json_suffix)
    save = partial(_save_hands, context, record, window, then)
    ask_target(window, style or context.style, target, save)


def hands_name(title: str) -> str:
    """Return the suggested file name for the hands of a lecture."""
    from app.guide.play.hands import SUFFIX as HANDS_SUFFIX

    return file_name(title).removesuffix(SUFFIX) + HANDS_SUFFIX


def record_now(context: Context) -> HandsRecord | None:
    """Return the hands of the current or else the last lecture; None without any."""
    from app.guide.play.hands import record_of
    from app.guide.words.room import question_sentence

    state, digits = context.guides.last_room, context.style.digits
    if state is None or not has_hands(context):
        return None
    return record_of(state, lambda slide: plain_text(question_sentence(slide, digits)))


def _save_hands(
    context: Context, record: HandsRecord, window: QWidget, then: Callable[[], object], path: Path
) -> None:
    from app.guide.play.hands import write

    dated = replace(record, date=context.progress.today().isoformat())
    try:
        write_atomically(path, write(dated).encode("utf-8"))
    except EngineError as error:
        tell(window, f"{shown_name(path)} was not saved.", str(error))
        return
    context.guides.note_saved()
    context.messages.toast(f"Saved as {path.name}.")
    then()
