"""What the File menu does, every form of export among it."""

from __future__ import annotations

from app.window.actions import Action
from app.window.commands import conditions as when
from app.window.dialogs.export_forms import PICTURES, forms


def _picture(form: str) -> Action:
    return Action(
        f"export-{form}",
        f"Picture of this step as {form.upper()}…",
        lambda w: w.exporting.ask(form),
        menu="File/Export as",
        enabled=when.has_nodes,
    )


def _written(name: str, title: str) -> Action:
    return Action(
        f"export-{name}",
        f"{title}…",
        lambda w: w.exporting.ask(name),
        menu="File/Export as",
        enabled=when.has_nodes,
    )


_EXPORTS: tuple[Action, ...] = (
    *(_picture(form) for form in PICTURES),
    Action(
        "export-all",
        "Pictures of all steps…",
        lambda w: w.exporting.ask("png", all_steps=True),
        menu="File/Export as",
        enabled=when.has_nodes,
    ),
    *(_written(name, title) for name, (title, _) in forms().items() if name not in PICTURES),
)


FILE: tuple[Action, ...] = (
    Action("new", "&New", lambda w: w.filing.new(), ("Ctrl+N",), "new", "File"),
    Action("open", "&Open…", lambda w: w.filing.ask_open(), ("Ctrl+O",), "open", "File"),
    Action("save", "&Save", lambda w: w.filing.save(), ("Ctrl+S",), "save", "File", gap=True),
    Action("save_as", "Save &as…", lambda w: w.filing.ask_save(), ("Ctrl+Shift+S",), "", "File"),
    Action(
        "export",
        "&Export…",
        lambda w: w.exporting.ask(),
        ("Ctrl+E",),
        "export",
        "File",
        "Write a picture of this step, all steps, or the graph in another format",
        when.has_nodes,
        gap=True,
    ),
    *_EXPORTS,
    Action(
        "copy_picture",
        "Copy as picture",
        lambda w: w.exporting.copy_picture(),
        ("Ctrl+Shift+C",),
        "picture",
        "File",
        "Put a picture of this step on the clipboard",
        when.has_nodes,
    ),
    Action("quit", "&Quit", lambda w: w.close(), ("Ctrl+Q",), "", "File", gap=True),
)
