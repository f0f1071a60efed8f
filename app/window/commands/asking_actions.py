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
from app.window.actions import action, pass_action, revealing_action, sheet_action
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


@sheet_action(
    "Friendl&y numbers",
    enabled=when.has_nodes,
    search="random small nice integers other values numbers shuffle",
)
def friendly(context: Context) -> None:
    """Set the leaves so that a right answer differs from every slip.

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


@revealing_action(
    "Which mistake &gave these numbers?",
    enabled=when.has_nodes,
    folded="mistakes page-mistakes",
    search="diagnose printed output program numbers",
)
def which_mistake(context: Context) -> None:
    """Type the gradients that your program printed, and see which mistakes give them."""
    cast("MistakesPage", context.shell.show_page("mistakes")).ask_for_numbers()


@revealing_action(
    "Save the &report…",
    enabled=lambda c: c.modes.report is not None,
    folded="save_report",
    search="hand in homework submit",
)
def save_report(context: Context, then: Then = bool) -> None:
    """Save what was asked and answered in this run, to be handed in."""
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
        ask_again = partial(save_report, context, then)
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
            ("Save report…", Role.ACCEPT): lambda: save_report(context, then),
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


@revealing_action(
    "&Hunt for a mistake",
    "Shift+H",
    when.has_nodes,
    icon="mistakes",
    checked=lambda c: c.hunting.now is not None,
    folded="hunt",
    search="find detective search game",
)
def hunt(context: Context) -> None:
    """A mistake is switched on; find out which one."""
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


def _level_action(level: Level) -> None:
    @revealing_action(
        level.name[:1].upper() + level.name[1:],
        id=f"level-{level.name}",
        tooltip=level.about,
        folded="blanks",
        search="blanks difficulty ask",
        checked=lambda c: c.modes.level == level.name,
    )
    def use(context: Context) -> None:
        context.modes.set_level(level.name)


def _steps_action(steps: Steps) -> None:
    @revealing_action(
        STEPS_TEXT[steps],
        id=f"ask_{steps}",
        folded="blanks",
        search="blanks which ask",
        checked=lambda c: c.modes.asked_steps == steps,
    )
    def use(context: Context) -> None:
        """Which steps are asked about."""
        context.modes.set_steps(steps)


@action(
    "Make an e&xercise…",
    enabled=when.has_nodes,
    search="assignment hand out student task teacher lock worksheet homework hints grade class"
    " set question quiz",
)
def exercise(context: Context) -> None:
    """Give the graph a task to hand out: its file opens as an exercise, and is graded."""
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
    dialog.lifted.connect(lambda: lift_exercise(context))
    dialog.open()


def is_exercise(context: Context) -> bool:
    """Return whether the sheet has a task."""
    return context.document.sheet.task is not None


@action("Lift the exerc&ise", enabled=is_exercise, search="remove task unlock teacher")
def lift_exercise(context: Context) -> None:
    """Take the task away, and let the wiring change again."""
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


def can_begin(context: Context) -> bool:
    """Return whether the sheet's task has a mode, and that mode is not on."""
    task = context.document.sheet.task
    return task is not None and bool(task.start) and not context.playback.now.does_task


@pass_action("&Begin the exercise", enabled=can_begin, search="start task")
def begin_exercise(context: Context) -> None:
    """Begin the mode in which this exercise is done."""
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


@action("This step differs first", "F7", can_point_at_step)
def hunt_point(context: Context) -> None:
    """Say that the step that is shown is the first that differs from the correct pass."""
    context.hunting.point()


@revealing_action(
    "Find, explain and fix the &mistake",
    enabled=lambda c: c.playback.rules.is_mistake and c.hunting.now is None,
    folded="mistakes page-mistakes",
    search="repair correct debug",
)
def mend(context: Context) -> None:
    """Find where the mistake shows first, say why, and choose the line to mend."""
    context.hunting.begin_to_mend()


for level in LEVELS.values():
    _level_action(level)
for steps in STEPS:
    _steps_action(steps)


@revealing_action(
    "D&o the pass by hand",
    "H",
    icon="by_hand",
    checked=when.by_hand,
    search="manual myself self order click schedule",
)
def by_hand(context: Context) -> None:
    """Set the seed, then click the node that fires next; any valid order is right."""
    context.modes.by_hand.toggle()


@revealing_action("Take the &next turn for me", enabled=when.by_hand)
def take_turn(context: Context) -> None:
    """Take the turn that the program would take."""
    context.modes.by_hand.take_turn()


@revealing_action("&Take back", enabled=when.by_hand, icon="undo")
def take_back(context: Context) -> None:
    """Take back the last turn; Backspace does so, too."""
    context.modes.by_hand.take_back()


@revealing_action("&Fire anyway", "Shift+Return Shift+Enter", can_fire_anyway)
def fire_anyway(context: Context) -> None:
    """Let the refused node fire before all has come, and see the damage."""
    context.modes.by_hand.force()


@revealing_action("&Hint", enabled=when.by_hand, icon="hint")
def hand_hint(context: Context) -> None:
    """How many nodes may fire; once more: which one."""
    context.modes.by_hand.hint()


@revealing_action(
    "&Show who is ready", enabled=when.by_hand, checked=lambda c: c.modes.by_hand.shows_ready
)
def show_ready(context: Context) -> None:
    """Mark the nodes that may fire now."""
    context.modes.by_hand.set_shows_ready(not context.modes.by_hand.shows_ready)
