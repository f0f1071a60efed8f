"""Actions of Ask me, Hunt and By hand: questions, reports of a run, exercises that begin them."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from msgspec.structs import replace

from app.document.document_file import SUFFIX as DRAWING_SUFFIX
from app.document.document_file import file_name
from app.panels.strip.strip_panel import STEPS_TEXT
from app.window.actions import Action, sheet_action
from app.window.commands import when as when
from app.window.dialogs.ask import Role, ask, save_replacing, tell
from app.workbench.modes.quiz import STEPS, Steps
from engine.asking.question import LEVELS, MODES_WITH_BLANKS, Level
from engine.errors import EngineError
from engine.formats.files import shown_name, write_atomically
from engine.formats.report import SUFFIX as REPORT_SUFFIX
from engine.formats.report import write
from engine.graph import Leaf

if TYPE_CHECKING:
    from app.panels.mistakes import MistakesPage
    from app.window.context import Context
    from engine.asking.friendly import Friendly
    from engine.asking.question import Start, Task


Then = Callable[[], object]
"""What to do once a report has been saved or left."""
UNSAVED_REPORT = "unsaved report"
"""Object name of the dialog that asks about a report, which is open at most once."""
MADE_TEXT = "Save it, and the file opens as this exercise."
_WITHOUT_STEPS = "The exercise is a new sheet without your steps. Undo brings them back."
REMOVED_TEXT = "The graph is no exercise any more; undo brings the task back."
_SEED_COUNT = 2**31
"""Seeds of the random search for friendly numbers."""


def draw_friendly(context: Context) -> None:
    """Search friendly numbers for the kinds of questions asked, in the background.

    Whoever made `context.friendly` calls `set_friendly` when they are found.
    """
    level = LEVELS[context.modes.level]
    # a level that asks once, before the pass, asks for no number of a step
    kinds = LEVELS["whole step"].kinds if level.before_pass else level.kinds
    context.friendly.begin(kinds, context.playback.rules, random.randrange(_SEED_COUNT))


def set_friendly(context: Context, found: Friendly, seed: int) -> None:
    """Set the leaves to the friendly numbers, as one undo step, or say why there are none."""
    if not found.changed:
        context.messages.toast(found.sentence)
        return
    leaves = {n: x.value for n, x in found.graph.nodes.items() if isinstance(x, Leaf)}
    context.modes.drawn = seed, found.graph  # for the report of the run
    text = "Friendly numbers"
    if context.document.commit(text, lambda s: s.with_graph(s.graph.with_values(leaves))):
        context.messages.toast("Friendly numbers: a right answer differs from every slip.")


def _ask_for_printed_gradients(context: Context) -> None:
    """Show the fields in which a learner types the gradients that a program printed."""
    cast("MistakesPage", context.shell.show_page("mistakes")).ask_for_numbers()


def ask_report(context: Context, then: Then = bool) -> None:
    """Ask for a file, save the report of the current or last run there, and call `then`."""
    from app.window.dialogs.file_dialogs import ReportDialog

    report, settings = context.modes.report, context.settings
    if report is None:
        return
    name = f"{file_name(report.title).removesuffix(DRAWING_SUFFIX)}{REPORT_SUFFIX}"
    dialog = ReportDialog(
        context.shell.widget, context.style, context.files.folder / name, settings.student
    )

    def saved() -> None:
        context.modes.saved = report.record
        then()

    def save_chosen(file: str) -> None:
        settings.student = dialog.student
        day = date.today().isoformat()
        text = write(replace(report, student=dialog.student, date=day))
        ask_again = partial(ask_report, context, then)
        save_report_file(context, Path(file), REPORT_SUFFIX, text, ask_again, saved)

    dialog.fileSelected.connect(save_chosen)
    dialog.open()


def confirm_leave_exercise(context: Context, then: Then) -> None:
    """Call `then`; with answers of an exercise in no file, once the learner has saved or left."""
    if not context.modes.has_unsaved_answers:
        then()
        return
    ask(
        context.shell.widget,
        "Save the report of this exercise?",
        "Its answers are lost if you don't.",
        {
            ("Save report…", Role.ACCEPT): lambda: ask_report(context, then),
            ("Leave", Role.DESTRUCTIVE): then,
            ("Cancel", Role.REJECT): None,
        },
        unique_name=UNSAVED_REPORT,
    )


def save_report_file(
    context: Context,
    path: Path,
    suffix: str,
    text: str,
    ask_again: Callable[[], None],
    then: Then = bool,
) -> None:
    """Save the text of a report; before another file is replaced ask, or with Cancel ask again.

    `then` is called once it is saved.
    """
    if not path.name.lower().endswith(".json"):
        path = path.with_name(path.name + suffix)
    save_replacing(
        context.shell.widget,
        path,
        partial(_write_report, context, text, then),
        ask_again,
        over_protected=True,
    )


def _write_report(context: Context, text: str, then: Then, path: Path) -> None:
    try:
        write_atomically(path, text.encode("utf-8"), replace_protected=True)
    except EngineError as error:
        tell(context.shell.widget, f"{shown_name(path)} was not saved.", str(error))
        return
    context.messages.toast(f"Saved as {path.name}. A report, not a lock: anybody can edit it.")
    then()


def toggle_hunt(context: Context) -> None:
    """Begin a hunt, or end the one that is on."""
    if context.hunting.now is None:
        context.hunting.begin()
        if context.hunting.now is not None:
            context.shell.show_page("mistakes", focus=False)
    else:
        context.hunting.leave()


def can_point_at_step(context: Context) -> bool:
    """Return whether a hunt asks for the first wrong step, and a step is shown."""
    hunt = context.hunting.now
    return hunt is not None and hunt.stage == "find" and context.hunting.cursor > 0


def can_fire_anyway(context: Context) -> bool:
    """Return whether a node was refused as too early, but could fire."""
    run, graph = context.modes.by_hand.now, context.playback.frame.graph
    return run is not None and run.refused is not None and run.may_force(graph, run.refused)


def _level_action(level: Level) -> Action:
    return Action(
        f"level-{level.name}",
        lambda c: c.modes.set_level(level.name),
        text=level.name[:1].upper() + level.name[1:],
        checked=lambda c: c.modes.level == level.name,
    )


def _steps_action(steps: Steps) -> Action:
    return Action(
        f"ask_{steps}",
        lambda c: c.modes.set_steps(steps),
        text=STEPS_TEXT[steps],
        tooltip="Which steps are asked about",
        checked=lambda c: c.modes.asked_steps == steps,
    )


def ask_exercise(context: Context) -> None:
    """Open the dialog that gives the sheet a task or removes it."""
    from app.window.dialogs.exercise import ExerciseDialog

    if context.document.refuse_if_locked():
        return

    def set_task(task: Task) -> None:
        had_steps = bool(context.document.sheet.lesson)
        if context.document.set_task(task):
            context.messages.toast(_WITHOUT_STEPS if had_steps else MADE_TEXT)

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
        context.modes.restore(settings.level, settings.asked_steps)
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
        "cover": lambda: modes.toggle(cover=True),
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


HUNT: tuple[Action, ...] = (
    Action("hunt", toggle_hunt, when.has_nodes, checked=lambda c: c.hunting.now is not None),
    Action("hunt_point", lambda c: c.hunting.point(), can_point_at_step),
    Action(
        "mend",
        lambda c: c.hunting.begin_to_mend(),
        lambda c: c.playback.rules.is_mistake and c.hunting.now is None,
    ),
    Action("which_mistake", _ask_for_printed_gradients, when.has_nodes),
)

ASKING: tuple[Action, ...] = (
    *HUNT,
    *map(_level_action, LEVELS.values()),
    *map(_steps_action, STEPS),
    sheet_action("friendly", draw_friendly, when.has_nodes),
    Action("save_report", ask_report, lambda c: c.modes.report is not None),
)


_by_hand_action = partial(Action, enabled=when.by_hand)
"""An action of a pass by hand."""


BY_HAND: tuple[Action, ...] = (
    Action("by_hand", lambda c: c.modes.by_hand.toggle(), checked=when.by_hand),
    _by_hand_action("take_turn", lambda c: c.modes.by_hand.take_turn()),
    _by_hand_action("take_back", lambda c: c.modes.by_hand.take_back()),
    _by_hand_action("fire_anyway", lambda c: c.modes.by_hand.force(), enabled=can_fire_anyway),
    _by_hand_action("hand_hint", lambda c: c.modes.by_hand.hint()),
    _by_hand_action(
        "show_ready",
        lambda c: c.modes.by_hand.set_shows_ready(not c.modes.by_hand.shows_ready),
        checked=lambda c: c.modes.by_hand.shows_ready,
    ),
)


EXERCISE: tuple[Action, ...] = (
    Action("exercise", ask_exercise, when.has_nodes),
    sheet_action("begin_exercise", begin_exercise, can_begin),
    Action("lift_exercise", remove_exercise, is_exercise),
)
