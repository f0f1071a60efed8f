"""Actions for exercises: give the graph a task, begin its mode, and remove it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.window.actions import Action, sheet_action
from app.window.commands import conditions as when
from engine.study.task import MODES_WITH_BLANKS

if TYPE_CHECKING:
    from app.window.context import Context
    from engine.study.task import Start, Task

MADE_TEXT = "Save it, and the file opens as this exercise."
REMOVED_TEXT = "The graph is no exercise any more; undo brings the task back."


def ask_exercise(context: Context) -> None:
    """Open the dialog that gives the sheet a task or removes it."""
    from app.window.dialogs.exercise import ExerciseDialog

    if context.document.refuse_if_locked():
        return

    def set_task(task: Task) -> None:
        if context.document.set_task(task):
            context.messages.toast(MADE_TEXT)

    dialog = ExerciseDialog(context.shell.widget, context.style, context.document.sheet.task)
    # opened, not executed: the window keeps running, and a signal brings the answer
    dialog.chosen.connect(set_task)
    dialog.lifted.connect(lambda: remove_exercise(context))
    dialog.open()


def remove_exercise(context: Context) -> None:
    """Remove the task from the sheet."""
    if context.document.set_task(None):
        context.messages.toast(REMOVED_TEXT)


def open_exercise(context: Context) -> None:
    """Show the task of a sheet just opened, and begin its mode.

    Without a task, restore the level and the steps of a quiz that the learner has chosen.
    """
    task, settings = context.document.sheet.task, context.settings
    if task is None:
        context.modes.choose(settings.level, settings.asked_steps)
        return
    page = context.shell.show_page("lesson", focus=False)
    page.announce(task.text)
    begin_exercise(context)


def begin_exercise(context: Context) -> None:
    """Begin the mode of the sheet's task, unless that mode is on."""
    task, modes = context.document.sheet.task, context.modes
    if task is None or context.playback.now.does_task:
        return
    if task.start in MODES_WITH_BLANKS:
        modes.choose(task.level, task.steps)
    begin_mode: dict[Start, Callable[[], object]] = {
        "predict": modes.toggle,
        "cover": lambda: modes.toggle(covers=True),
        "by hand": lambda: modes.by_hand.begin("backward"),
        "hunt": context.hunting.begin,
        "descent": lambda: _begin_descent(context),
    }
    if task.start:
        begin_mode[task.start]()


def _begin_descent(context: Context) -> None:
    if context.descents.now is None:
        context.descents.toggle()
    else:
        context.descents.resume()


def is_exercise(context: Context) -> bool:
    """Return whether the sheet has a task."""
    return context.document.sheet.task is not None


def can_begin(context: Context) -> bool:
    """Return whether the sheet's task has a mode, and that mode is not on."""
    task = context.document.sheet.task
    return task is not None and bool(task.start) and not context.playback.now.does_task


EXERCISE: tuple[Action, ...] = (
    Action("exercise", "Make an e&xercise…", ask_exercise, enabled=when.has_nodes),
    sheet_action("begin_exercise", "&Begin the exercise", begin_exercise, enabled=can_begin),
    Action("lift_exercise", "Lift the exerc&ise", remove_exercise, enabled=is_exercise),
)
