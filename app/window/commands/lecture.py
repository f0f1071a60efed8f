"""Actions of lectures: set marks; open, save and append files; present one; save its hands."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from app.controls.spans import plain_text
from app.document.files import SUFFIX, OnDisk, content_hash, file_name, state_on_disk
from app.lessons.course import LECTURE_SUFFIX, is_lecture
from app.lessons.course import SUFFIX as LESSON_SUFFIX
from app.lessons.lecture import with_appended, with_drawing
from app.window.actions import Action, sheet_action
from app.window.commands import conditions as when
from app.window.dialogs.ask import save_replacing, tell
from app.window.remote_keys import RemoteDialog
from engine.errors import EngineError
from engine.formats.files import read_content, shown_name, write_atomically
from engine.numbers import counted
from engine.study.lecture import TITLE_LIMIT

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.lessons.hands import HandsRecord
    from app.lessons.lecture import Lecture
    from app.style.current import Style
    from app.window.context import Context
    from app.workbench.study.lecture_editor import SheetFile


Then = Callable[[], object]
"""Continuation after a successful save, such as closing the window."""
FILTER: Final = f"Lecture (*{LECTURE_SUFFIX})"
"""The name filter of a file dialog for lectures."""
_SAVED: Final = "Saved as {name}."
_SAVED_AS_FORMULA: Final = "Saved as {name}. Its graph is a formula: nodes are placed anew."
_APPENDED: Final = "{name} has {marks} over {graphs} now."
_APPENDED_ANEW: Final = "{name} has {marks} over {graphs} now; its comments are not kept."
_CHANGED: Final = "Another program has changed it since its graph was opened. Open it again."
_NO_MARKS: Final = "Set a mark first: go to a step and press A."


def can_set_mark(context: Context) -> bool:
    """Return whether a step of the sheet can be marked.

    The sheet has nodes and is not behind the start page, no lesson or lecture is on, no lesson is
    recorded, and no mode asks.
    """
    free = not context.lessons.active and context.recorders.now is None
    free = free and not context.shell.on_full_page and context.lecture.now is None
    return free and context.playback.now.mode.name == "stepping" and when.has_nodes(context)


def has_marks(context: Context) -> bool:
    """Return whether there is a lecture: marks on the sheet, or an opened lecture file."""
    return context.lecture_editor.lecture is not None


def mark_step(context: Context) -> None:
    """Set or remove a mark at the selected node, the hovered wire or the current step."""
    context.lecture_editor.toggle(context.canvas.hover.current.wire)


def prepare_lecture(context: Context) -> None:
    """Show the list of the sheet's marks on the page Lesson, even an empty one."""
    context.lecture_editor.prepare()
    context.shell.show_page("lesson")


def try_lecture(context: Context) -> None:
    """Present the lecture from the chosen mark on."""
    lecture = context.lecture_editor.lecture
    if lecture is None:
        context.messages.refuse(_NO_MARKS)
        return
    context.shell.present_lecture(lecture, max(context.lecture_editor.at, 0))


# files


def open_lecture(context: Context, path: Path) -> bool:
    """Open a lecture file; on failure show the reason and return False.

    A lecture over one graph opens as a sheet with marks; one over several shows its first graph.
    """
    from app.lessons.lecture_file import load_lecture

    try:
        known_hash = content_hash(
            read_content(path)
        )  # before loading, so that a later change is noticed
        lecture = load_lecture(path)
    except EngineError as error:
        tell(context.shell.widget, f"{shown_name(path)} was not opened.", str(error))
        return False
    first, is_one = lecture.drawings[0], len(lecture.drawings) == 1
    if is_one:
        first = dataclasses.replace(first, lecture=tuple(placed.mark for placed in lecture.marks))
    context.lessons.restore_own_sheet()
    context.document.start(first, title=lecture.title)
    if is_one:
        context.lecture_editor.note_file(path, known_hash)
    else:
        context.lecture_editor.open(lecture, path)
    context.files.recent.add(path)
    context.shell.show_page("lesson", focus=False)
    context.canvas.framing.fit_all()
    return True


def ask_save_lecture(context: Context, then: Then | None = None) -> None:
    """Ask for a file and write the lecture to it."""
    from app.window.dialogs.file_dialogs import Target, ask_target

    if not has_marks(context):
        context.messages.refuse(_NO_MARKS)
        return
    suggested = context.files.folder / lecture_name(context.document.title)
    target = Target("Save the lecture", suggested, FILTER, _with_suffix)
    parent = context.shell.widget
    ask_target(parent, context.style, target, lambda path: _save(context, path, then))


def _with_suffix(path: Path) -> Path:
    if is_lecture(path):
        return path
    return path.with_name(path.name.removesuffix(LESSON_SUFFIX) + LECTURE_SUFFIX)


def save_lecture_chosen(context: Context, path: Path, then: Then | None = None) -> None:
    """Write the lecture to a chosen file, after asking before an existing one is replaced."""
    save_replacing(
        context.shell.widget,
        _with_suffix(path),
        lambda path: _save(context, path, then),
        lambda: ask_save_lecture(context, then),
    )


def save_lecture(context: Context, then: Then | None = None) -> None:
    """Save the sheet to its lecture file; ask first if another program has changed the file."""
    file = context.lecture_editor.file
    if file is None:
        ask_save_lecture(context, then)
    elif file.graph >= 0:
        _save_graph(context, file, then)
    elif state_on_disk(file.path, file.known_hash) is OnDisk.CHANGED:
        save_lecture_chosen(context, file.path, then)
    else:
        _save(context, file.path, then)


def _save(context: Context, path: Path, then: Then | None) -> None:
    """Write the lecture; a file name other than the suggested one becomes its title."""
    lecture, opened = context.lecture_editor.lecture, context.lecture_editor.opened
    if lecture is None:
        return
    if opened is not None:
        lecture = _without_foreign_sources(lecture, opened.path, path)
    if path.name != lecture_name(lecture.title):
        title = path.name[: -len(LECTURE_SUFFIX)][:TITLE_LIMIT]
        lecture = replace(lecture, title=title)
    known_hash = _write(context, lecture, path)
    if not known_hash:
        return
    template = _SAVED
    if opened is None and context.document.path is None:
        _note_kept(context, path, known_hash)
        template = _SAVED_AS_FORMULA
    _end_save(context, template, path, then)


def _save_graph(context: Context, file: SheetFile, then: Then | None) -> None:
    """Replace the graph and marks of the sheet in a file of a lecture over several graphs."""
    from app.lessons.lecture_file import load_lecture

    parent, name = context.shell.widget, shown_name(file.path)
    if state_on_disk(file.path, file.known_hash) is not OnDisk.SAME:
        tell(parent, f"{name} was not saved.", _CHANGED)
        return
    try:
        merged = with_drawing(load_lecture(file.path), file.graph, context.document.sheet.drawing())
    except EngineError as error:
        tell(parent, f"{name} was not saved.", str(error))
        return
    known_hash = _write(context, merged, file.path)
    if not known_hash:
        return
    _note_kept(context, file.path, known_hash, file.graph)
    _end_save(context, _SAVED, file.path, then)


def _end_save(context: Context, template: str, path: Path, then: Then | None) -> None:
    """Say that a file was saved, and go on."""
    context.messages.toast(template.format(name=path.name))
    if then is not None:
        then()


def open_graph_of_lecture(context: Context) -> None:
    """Open the graph of the chosen mark as a sheet, with its marks of a lecture over several."""
    editor, opened = context.lecture_editor, context.lecture_editor.opened
    if opened is None or editor.at < 0:
        return
    lecture, at = opened.lecture, editor.at
    index = lecture.marks[at].graph
    mine = [k for k, placed in enumerate(lecture.marks) if placed.graph == index]
    marks = tuple(lecture.marks[k].mark for k in mine)
    try:
        known_hash = content_hash(read_content(opened.path))
    except EngineError as error:
        tell(context.shell.widget, f"{shown_name(opened.path)} was not opened.", str(error))
        return
    title = f"{lecture.title}, graph {index + 1}"
    context.document.start(dataclasses.replace(lecture.drawings[index], lecture=marks), title=title)
    editor.note_file(opened.path, known_hash, index)
    context.shell.show_page("lesson", focus=False)
    context.canvas.framing.fit_all()
    editor.choose(mine.index(at))


def _note_kept(context: Context, path: Path, known_hash: str, graph: int = -1) -> None:
    """Note the lecture file of a sheet, which saves all but its sections, groups and task."""
    document = context.document
    context.lecture_editor.note_file(path, known_hash, graph)
    if not (document.sheet.sections or document.sheet.groups or document.sheet.task):
        document.kept()


def ask_append_lecture(context: Context) -> None:
    """Ask for a lecture file and append the marks of the sheet."""
    from app.window.dialogs.file_dialogs import FileDialog

    if not context.lecture_editor.marks:
        context.messages.refuse(_NO_MARKS)
        return

    def append_chosen(name: str) -> None:
        append_lecture(context, Path(name))

    folder, parent = str(context.files.folder), context.shell.widget
    dialog = FileDialog(parent, context.style, "Append to a lecture", folder)
    dialog.setNameFilters([FILTER])
    dialog.fileSelected.connect(append_chosen)
    dialog.open()


def append_lecture(context: Context, path: Path) -> None:
    """Append the marks of the sheet and its graph to a lecture file; on failure show the reason."""
    from app.lessons.lecture_file import appended_text, load_lecture

    added = context.lecture_editor.lecture
    if added is None:
        return
    try:
        before, content = load_lecture(path), read_content(path)
        merged = with_appended(before, added)
    except EngineError as error:
        tell(context.shell.widget, f"Nothing was appended to {shown_name(path)}.", str(error))
        return
    if known_hash := _write(
        context, merged, path, partial(appended_text, path, content, len(before.marks))
    ):
        # a graph that the lecture already had may have other marks there, too
        is_new = len(merged.drawings) > len(before.drawings)
        if is_new and context.document.path is None and context.lecture_editor.file is None:
            _note_kept(context, path, known_hash, len(before.drawings))
        marks = counted(len(merged.marks), "1 mark", "{count} marks")
        graphs = counted(len(merged.drawings), "1 graph", "{count} graphs")
        is_kept = b"#" not in content or read_content(path).startswith(content.rstrip())
        template = _APPENDED if is_kept else _APPENDED_ANEW
        context.messages.toast(template.format(name=path.name, marks=marks, graphs=graphs))


def _write(
    context: Context, lecture: Lecture, path: Path, text_of: Callable[[Lecture], str] | None = None
) -> str:
    """Write a lecture and return the hash of its file; on failure show the reason, return ""."""
    try:
        content = _text(context, lecture, path, text_of).encode("utf-8")
        write_atomically(path, content)
    except EngineError as error:
        tell(context.shell.widget, f"{shown_name(path)} was not saved.", str(error))
        return ""
    context.files.recent.add(path)
    return content_hash(content)


def _text(
    context: Context, lecture: Lecture, path: Path, text_of: Callable[[Lecture], str] | None
) -> str:
    """Return the text of a lecture's file, by `text_of` or written anew.

    A graph without an expression, such as one with several roots, is referenced by its own file in
    the same folder; raises EngineError if it has none.
    """
    from app.lessons.lecture_file import lecture_text

    text_of = text_of or lecture_text
    try:
        return text_of(lecture)
    except EngineError:
        document = context.document
        graphs = [drawing.graph for drawing in lecture.drawings]
        file = document.path
        if file is None or document.modified or file.parent.resolve() != path.parent.resolve():
            raise
        sources = [*lecture.graph_sources, *[""] * len(graphs)][: len(graphs)]
        sources[graphs.index(document.graph)] = file.name
        return text_of(replace(lecture, graph_sources=tuple(sources)))


def _without_foreign_sources(lecture: Lecture, old_path: Path, path: Path) -> Lecture:
    """Return a lecture without references to graph files if `path` is in another folder."""
    if old_path.parent.resolve() == path.parent.resolve():
        return lecture
    sources = ("" if name.endswith(SUFFIX) else name for name in lecture.graph_sources)
    return replace(lecture, graph_sources=tuple(sources))


def lecture_name(title: str) -> str:
    """Return the suggested file name for a lecture."""
    return file_name(title).removesuffix(SUFFIX) + LECTURE_SUFFIX


LECTURE: tuple[Action, ...] = (
    sheet_action("mark_step", mark_step, can_set_mark),
    Action(
        "prepare_lecture",
        prepare_lecture,
        lambda c: not c.lessons.active and c.recorders.now is None,
    ),
    Action("try_lecture", try_lecture, has_marks),
    Action("save_lecture", ask_save_lecture, has_marks),
    Action("append_lecture", ask_append_lecture, lambda c: bool(c.lecture_editor.marks)),
)


# presenting


def lecture_to_present(context: Context) -> tuple[Lecture, int] | None:
    """Return the lecture to begin and the index of its first mark to show.

    Its source is the active lesson, an opened lecture file, or the marks of the sheet. None without
    any of them: the sheet is then presented step by step.
    """
    if context.shell.on_full_page:
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
    RemoteDialog(context.style, context.shell.widget).show()


PRESENTING = (
    Action(
        "presentation",
        lambda c: c.shell.toggle_presentation(),
        checked=lambda c: c.shell.presenting,
    ),
    Action("speaker", lambda c: c.shell.toggle_speaker(), checked=lambda c: c.shell.speaker_open),
    Action("remote", _show_remote),
)


# hands

_NO_HANDS: Final = "No hand has been counted."
_OFFER: Final = "The lecture is over. Its hands are not saved yet."
SAVE: Final = "Save the hands…"


def has_hands(context: Context) -> bool:
    """Return whether any hand was counted in the current or else the last lecture."""
    state = context.lecture.last
    return state is not None and any(poll.has_hands for poll in state.polls.values())


def offer_hands(context: Context) -> None:
    """Offer to save the hands of a lecture after its end, if there are any."""
    if has_hands(context):
        context.messages.offer(_OFFER, SAVE, lambda: ask_save_hands(context))


def ask_save_hands(
    context: Context, parent: QWidget | None = None, style: Style | None = None
) -> None:
    """Ask for a file and write the hands to it.

    `parent` and `style` are those of the dialog; without them, the main window's.
    """
    from app.window.dialogs.file_dialogs import Target, ask_target, with_json_suffix

    record, window = record_now(context), parent or context.shell.widget
    if record is None:
        context.messages.refuse(_NO_HANDS)
        return
    suggested = context.files.folder / hands_name(record.title)
    target = Target("Save the hands", suggested, "Hands of a lecture (*.json)", with_json_suffix)
    save = partial(_save_hands, context, record, window)
    ask_target(window, style or context.style, target, save)


def hands_name(title: str) -> str:
    """Return the suggested file name for the hands of a lecture."""
    from app.lessons.hands import SUFFIX as HANDS_SUFFIX

    return file_name(title).removesuffix(SUFFIX) + HANDS_SUFFIX


def record_now(context: Context) -> HandsRecord | None:
    """Return the hands of the current or else the last lecture; None without any."""
    from app.lessons.hands import record_of
    from app.workbench.words.lecture import question_sentence

    state, digits = context.lecture.last, context.style.digits
    if state is None or not has_hands(context):
        return None
    return record_of(state, lambda slide: plain_text(question_sentence(slide, digits)))


def _save_hands(context: Context, record: HandsRecord, window: QWidget, path: Path) -> None:
    from app.lessons.hands import write

    dated = replace(record, date=context.progress.today().isoformat())
    try:
        write_atomically(path, write(dated).encode("utf-8"))
    except EngineError as error:
        tell(window, f"{shown_name(path)} was not saved.", str(error))
        return
    context.messages.toast(f"Saved as {path.name}.")


HANDS: tuple[Action, ...] = (Action("save_hands", ask_save_hands, has_hands),)
