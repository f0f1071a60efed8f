"""Actions for lessons and their progress, the start page and help."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from app.window.actions import Action, sheet_action
from app.window.commands import conditions as when
from app.window.commands.run import step_back, step_or_skip
from app.window.commands.save import unless_unsaved
from app.window.dialogs.ask import Role, ask, tell
from app.workbench.lesson_state import Place
from engine.errors import EngineError
from engine.formats.files import shown_name

if TYPE_CHECKING:
    from app.lessons.lesson import Lesson
    from app.window.context import Context


_FORGET = "Forget all progress?"
_LEFT = "The lesson waits: Learn, Lessons, Continue, or the start page."
_FORGOTTEN = "All progress is forgotten."


def begin_lesson(context: Context, name: str, *, again: bool = False) -> None:
    """Begin a lesson of the course, or continue it where it was left unless `again`.

    Unsaved work is asked about first.
    """
    from app.lessons.course import lesson

    unless_unsaved(context, lambda: _begin(context, lesson(name), again=again))


def make_ready(context: Context) -> None:
    """Read the lesson to begin or continue; what is wrong with it is said when it begins."""
    from app.lessons.course import lesson

    name = context.progress.next_lesson
    if name:
        with suppress(EngineError):
            lesson(name)


def open_lesson(context: Context, path: Path) -> bool:
    """Begin the lesson of a file, or continue it; False, after saying why, if it can't be read."""
    from app.lessons.load import load_lesson

    try:
        found = load_lesson(path)
    except EngineError as error:
        tell(context.shell.widget, f"{shown_name(path)} was not opened.", str(error))
        return False
    _begin(context, found)
    return True


def _begin(context: Context, found: Lesson, *, again: bool = False) -> None:
    lessons, now = context.lessons, context.lessons.now
    if now is not None and now.left and now.lesson == found and not again:
        lessons.resume()
    elif not lessons.begin(found, Place() if again else context.progress.place_in(found)):
        return
    _show(context)


def _show(context: Context) -> None:
    context.messages.dismiss_toast()
    context.shell.show_page("lesson", focus=False)
    context.canvas.framing.fit_all()
    context.lessons.focus()


def continue_course(context: Context) -> None:
    """Continue the lesson that was left, or begin the next one that is not done."""
    now, name = context.lessons.now, context.progress.next_lesson
    if now is not None and now.left and now.step is not None:
        unless_unsaved(context, lambda: _begin(context, now.lesson))
    elif name:
        begin_lesson(context, name)


def page_on(context: Context) -> None:
    """Go to the next step of a lesson; without one, step on, or skip a question."""
    (context.lessons.go_on if context.lessons.active else lambda: step_or_skip(context))()


def page_back(context: Context) -> None:
    """Go to the step before in a lesson; without one, step back."""
    (context.lessons.go_back if context.lessons.active else lambda: step_back(context))()


def leave_lesson(context: Context) -> None:
    """Leave the lesson and fold its page, and say how it goes on; the sheet stays."""
    context.lessons.leave()
    context.messages.toast(_LEFT)
    if context.shell.parts.page == "lesson":
        context.shell.parts.toggle_page("lesson")


def export_progress(context: Context) -> None:
    """Ask for a file, and write this learner's progress there."""
    from app.window.dialogs.file_dialogs import FileDialog

    def chosen(name: str) -> None:
        path = Path(name)
        try:
            context.progress.export(path)
        except EngineError as error:
            tell(context.shell.widget, f"{shown_name(path)} was not saved.", str(error))
            return
        context.messages.toast(f"Saved as {path.name}.")

    folder, style = str(context.files.folder), context.style
    dialog = FileDialog(context.shell.widget, style, "Export my progress", folder, saves=True)
    dialog.selectFile("backwire-progress.json")
    dialog.fileSelected.connect(chosen)
    dialog.open()


def ask_to_forget(context: Context) -> None:
    """Ask, then forget the progress in all lessons."""

    def forget() -> None:
        context.progress.forget()
        context.messages.toast(_FORGOTTEN)

    ask(
        context.shell.widget,
        _FORGET,
        "Every lesson begins anew. It is kept on this computer alone, and can't be brought back.",
        {("Forget", Role.LOSE): forget, ("Cancel", Role.LEAVE): lambda: None},
    )


def toggle_start_page(context: Context) -> None:
    """Show the start page, or go back to the canvas."""
    if context.shell.on_start_page:
        context.shell.show_work()
    else:
        context.shell.show_start_page()


def show_about(context: Context) -> None:
    """Show the About dialog."""
    from app.window.dialogs.about import About

    About(context).open()


LESSONS: tuple[Action, ...] = (
    Action(
        "lesson_continue",
        "&Continue",
        continue_course,
        icon="lesson",
        tooltip="Go on with the course: the lesson that was left, or the next one",
    ),
    Action(
        "lesson_back_to_graph",
        "Back to my &graph",
        lambda c: c.lessons.bring_back(),
        tooltip="The graph that was there before the lesson",
        enabled=lambda c: c.lessons.has_own_sheet,
    ),
    Action(
        "lesson_leave",
        "&Leave the lesson",
        leave_lesson,
        tooltip="The graph stays as it is; Continue goes on with the lesson",
        enabled=lambda c: c.lessons.active,
    ),
    Action(
        "lesson_show_me",
        "&Show me",
        lambda c: c.lessons.show_me(),
        tooltip="Show how this step of the lesson is done",
        enabled=lambda c: c.lessons.active and c.lessons.now is not None and c.lessons.now.can_show,
    ),
    Action(
        "lesson_put_back",
        "&Put the graph back",
        lambda c: c.lessons.put_back(),
        tooltip="The graph and the pass with which this step of the lesson began",
        enabled=lambda c: c.lessons.active,
    ),
    Action("lesson_export", "&Export my progress…", export_progress),
    Action("lesson_forget", "&Forget my progress…", ask_to_forget),
    sheet_action(
        "page_on",
        "Next step of a lesson, or step",
        page_on,
        ("PgDown",),
        tooltip="The next step of a lesson; else one step of the pass, or a question skipped",
        enabled=when.has_nodes,
    ),
    sheet_action(
        "page_back",
        "Step of a lesson before, or step back",
        page_back,
        ("PgUp",),
        tooltip="The step before in a lesson; else one step of the pass back",
        enabled=when.in_a_pass_or_lesson,
    ),
)


LEARN: tuple[Action, ...] = (
    Action(
        "start_page",
        "&Start page",
        toggle_start_page,
        icon="home",
        tooltip="Examples, recent files, and a place to type a formula",
        checked=lambda c: c.shell.on_start_page,
    ),
)

HELP: tuple[Action, ...] = (
    Action(
        "commands",
        "&Command palette…",
        lambda c: c.shell.show_command_palette(),
        ("Ctrl+Shift+P",),
        icon="search",
        tooltip="Find any action by typing",
    ),
    Action(
        "shortcuts",
        "&Keyboard shortcuts…",
        lambda c: c.shell.show_shortcuts(),
        ("F1", "?"),
        icon="keyboard",
    ),
    Action("about", "&About Backwire", show_about),
)
