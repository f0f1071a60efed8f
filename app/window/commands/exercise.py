"""Exercises: makes the graph one, lifts it again, and begins the mode of one that was opened."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.window.actions import Action, sheet_action
from app.window.commands import conditions as when
from engine.study.task import ASKING

if TYPE_CHECKING:
    from app.window.context import Context
    from engine.study.task import Start, Task

MADE = "Save it, and the file opens as this exercise."
LIFTED = "The graph is no exercise any more; undo brings the task back."


def ask_exercise(context: Context) -> None:
    """Ask for the task of the sheet."""
    from app.window.dialogs.exercise import ExerciseDialog

    if context.document.refuse_if_locked():
        return

    def chosen(task: Task) -> None:
        if context.document.set_task(task):
            context.messages.toast(MADE)

    dialog = ExerciseDialog(context.shell.widget, context.style, context.document.sheet.task)
    dialog.chosen.connect(chosen)
    dialog.lifted.connect(lambda: lift_exercise(context))
    dialog.open()


def lift_exercise(context: Context) -> None:
    """Take the task away from the sheet."""
    if context.document.set_task(None):
        context.messages.toast(LIFTED)


def open_exercise(context: Context) -> None:
    """Show the task of a sheet that was opened, and begin its mode.

    Without one the learner is asked as they have chosen before.
    """
    task, settings = context.document.sheet.task, context.settings
    if task is None:
        context.modes.choose(settings.level, settings.asked_steps)
        return
    page = context.shell.show_page("lesson", focus=False)
    page.announce(task.text)
    begin_exercise(context)


def begin_exercise(context: Context) -> None:
    """Begin the mode of the sheet's task, unless it is on."""
    task, modes = context.document.sheet.task, context.modes
    if task is None or context.playback.now.does_task:
        return
    if task.start in ASKING:
        modes.choose(task.level, task.steps)
    begin: dict[Start, Callable[[], object]] = {
        "predict": modes.toggle,
        "cover": lambda: modes.toggle(covers=True),
        "by hand": lambda: modes.by_hand.begin("backward"),
        "hunt": context.hunting.begin,
        "descent": lambda: _begin_descent(context),
    }
    if task.start:
        begin[task.start]()


def _begin_descent(context: Context) -> None:
    if context.descents.now is None:
        context.descents.toggle()
    else:
        context.descents.resume()


def is_exercise(context: Context) -> bool:
    """Return whether the sheet has a task."""
    return context.document.sheet.task is not None


def may_begin(context: Context) -> bool:
    """Return whether the sheet's task has a mode that is not on."""
    task = context.document.sheet.task
    return task is not None and bool(task.start) and not context.playback.now.does_task


EXERCISE: tuple[Action, ...] = (
    Action(
        "exercise",
        "Make an e&xercise…",
        ask_exercise,
        tooltip="Give the graph a task, so that its file opens as an exercise",
        enabled=when.has_nodes,
    ),
    sheet_action(
        "begin_exercise",
        "&Begin the exercise",
        begin_exercise,
        tooltip="Begin the mode in which this exercise is done",
        enabled=may_begin,
    ),
    Action(
        "lift_exercise",
        "Lift the exerc&ise",
        lift_exercise,
        tooltip="Take the task away, and let the wiring change again",
        enabled=is_exercise,
    ),
)
