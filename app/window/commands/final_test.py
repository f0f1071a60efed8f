"""Actions for the final test: begin it, show its result, and save its report.

It is a lesson made in memory; `LessonRunner` leads through it as through any other.
"""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from app.window.actions import Action
from app.window.commands.asking import save_report_file
from app.window.commands.lessons import begin_made_lesson
from app.window.commands.save import confirm_discard

if TYPE_CHECKING:
    from app.window.context import Context


def begin_final_test(context: Context, *, again: bool = False) -> None:
    """Begin a test, after asking about unsaved work; go on with the one that was left.

    `again` draws another one.
    """
    now = context.lessons.now
    if now is not None and now.is_test_open and not again:
        confirm_discard(context, partial(begin_made_lesson, context, now.lesson, now.seed))
    else:
        confirm_discard(context, partial(begin_drawn_test, context))


def begin_drawn_test(context: Context, seed: int | None = None) -> None:
    """Begin the test of a seed, or of a random one."""
    from app.lessons.final_test import SEED_LIMIT, drawn_test, lesson_of

    drawn = random.randint(1, SEED_LIMIT) if seed is None else seed
    begin_made_lesson(context, lesson_of(drawn_test(drawn)), drawn)


def is_test_over(context: Context) -> bool:
    """Return whether the last lesson is a test whose questions are all answered."""
    now = context.lessons.now
    return now is not None and now.is_test and not now.is_test_open


def ask_test_report(context: Context) -> None:
    """Ask for a file, and save the report of the test that has ended there."""
    from app.lessons.final_report import SUFFIX, report_of, write
    from app.window.dialogs.report_dialog import ReportDialog
    from app.workbench.words.final_result import answers_of

    state, settings = context.lessons.now, context.settings
    if state is None or not is_test_over(context):
        return
    folder = str(context.files.folder)
    dialog = ReportDialog(context.shell.widget, context.style, folder, settings.student, SUFFIX)

    answers = answers_of(state)

    def save_chosen(file: str) -> None:
        settings.student = dialog.student
        text = write(report_of(answers, dialog.student))
        save_report_file(context, Path(file), SUFFIX, text, partial(ask_test_report, context))

    dialog.selectFile(f"final-test-{state.seed}{SUFFIX}")
    dialog.fileSelected.connect(save_chosen)
    dialog.open()


FINAL_TEST: tuple[Action, ...] = (
    Action(
        "final_test",
        "&Final test",
        begin_final_test,
        tooltip="Eight questions and one whole graph, one try each; the verdicts come at the end",
    ),
    Action(
        "final_test_result",
        "Res&ult of the final test",
        lambda c: c.shell.show_test_result(),
        tooltip="The answers to the test that has ended, and the score",
        enabled=is_test_over,
    ),
)
