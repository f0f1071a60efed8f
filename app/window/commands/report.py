"""Reports: saves what the learner has answered in a run, when asked to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from app.document.files import SUFFIX as DRAWING
from app.document.files import file_name
from app.window.dialogs.ask import Role, ask, tell
from engine.errors import EngineError
from engine.formats.files import is_protected, shown_name, write_whole
from engine.formats.report import SUFFIX, write

if TYPE_CHECKING:
    from app.window.context import Context


def ask_report(context: Context) -> None:
    """Ask for a file, and save the report of the run that is on, or of the last one, there."""
    from app.window.dialogs.report_dialog import ReportDialog

    report, settings = context.modes.report, context.settings
    if report is None:
        return
    dialog = ReportDialog(
        context.shell.widget, context.style, str(context.files.folder), settings.student
    )

    def chosen(file: str) -> None:
        settings.student = dialog.student
        _save_chosen(context, Path(file))

    dialog.selectFile(f"{file_name(report.title).removesuffix(DRAWING)}{SUFFIX}")
    dialog.fileSelected.connect(chosen)
    dialog.open()


def _save_chosen(context: Context, path: Path) -> None:
    """Save the report to a chosen path; ask before another file is replaced."""
    if not path.name.lower().endswith(".json"):
        path = path.with_name(path.name + SUFFIX)
    if not path.exists():
        _save(context, path)
        return
    protected = "It is write-protected." if is_protected(path) else ""
    ask(
        context.shell.widget,
        f"Replace {shown_name(path)}?",
        f"A file of this name is there already. {protected}".rstrip(),
        {
            ("Replace", Role.ACCEPT): lambda: _save(context, path),
            ("Cancel", Role.LEAVE): lambda: ask_report(context),
        },
    )


def _save(context: Context, path: Path) -> None:
    report = context.modes.report
    if report is None:
        return
    try:
        report = replace(report, student=context.settings.student)
        write_whole(path, write(report).encode("utf-8"), replace_protected=True)
    except EngineError as error:
        tell(context.shell.widget, f"{shown_name(path)} was not saved.", str(error))
        return
    context.messages.toast(f"Saved as {path.name}. A report, not a lock: anybody can edit it.")
