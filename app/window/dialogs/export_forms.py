"""One export in the window: its options, whether it may be made now, and its file names.

What there is to export is in `app/takeaway/forms.py`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from app.document.document import Document
from app.document.document_file import file_name as title_as_name
from app.document.examples import examples
from app.takeaway.forms import FORMS, KINDS, Form
from engine.formats import FORMATS
from engine.formats.files import numbered_path
from engine.frame import Frame
from engine.trace import Trace

if TYPE_CHECKING:
    from app.window.context import Context


class Export(Struct, frozen=True):
    """One export: its kind of file, its path, and the options of its form."""

    kind: str
    """That of a form: PNG, or a worksheet."""
    path: Path
    """The file, from which those of all steps get their names."""
    options: Struct
    replace_protected: bool = False
    """Whether the user agreed to replace write-protected files."""

    @property
    def form(self) -> Form:
        return FORMS[KINDS[self.kind]]

    @property
    def suffix(self) -> str:
        return self.form.kinds[self.kind]

    @property
    def all_steps(self) -> bool:
        return getattr(self.options, "all_steps", False)


def export_of(kind: str, path: Path, **chosen: object) -> Export:
    """Return an export with some options chosen."""
    return Export(kind, path, FORMS[KINDS[kind]].options(**chosen))


def has_lecture(context: Context) -> bool:
    """Return whether `export_content.lecture_of` finds a lesson, without reading one."""
    state = context.guides.learner
    if context.guides.room is not None:
        return True
    if state is not None and context.guides.active:
        return state.lesson.kind == "lesson"  # neither a test nor Daily five
    recorder = context.recorders.now
    return recorder is not None and bool(recorder.steps)


def can_export(context: Context, form: Form, all_steps: bool = False) -> bool:
    """Return whether a form can be made now.

    While a final test is open none is that would show its answers.
    """
    if form.of_lesson and not has_lecture(context):
        return False
    state = context.guides.learner
    is_test_open = state is not None and not state.left and state.is_test_open
    return not is_test_open or not (all_steps or form.shows_hidden)


def without_suffix(name: str) -> str:
    """Return a file's name without the longest suffix of any form (.torch.py, not .py).

    Case is ignored; a suffix of no form is part of the name.
    """
    of_formats = [suffix for each in FORMATS if each.write for suffix in each.suffixes]
    suffixes = {*of_formats, *(suffix for form in FORMS.values() for suffix in form.suffixes)}
    matching = (suffix for suffix in suffixes if name.lower().endswith(suffix))
    return name[: len(name) - max(map(len, matching), default=0)]


def file_name(document: Document, frame: Frame, kind: str, all_steps: bool = False) -> str:
    """Return the suggested file name, such as `graph-step-3.png`."""
    form = FORMS[KINDS[kind]]
    name, suffix = graph_name(document), form.kinds[kind]
    if form.maker is not None and suffix in FORMS["picture"].suffixes:  # else it has that name
        return f"{name}-{KINDS[kind]}{suffix}"
    if frame.trace is None or not form.of_step:
        return f"{name}{suffix}"
    pass_name = "step" if frame.phase == "backward" else "forward"
    if all_steps and suffix == ".pdf":
        return f"{name}-{pass_name}-all{suffix}"
    if all_steps:
        return f"{name}-{pass_name}{suffix}"
    return f"{name}-{pass_name}-{frame.cursor}{suffix}"


def graph_name(document: Document) -> str:
    """Return the stem of the document's file, else the name of its example, else its title."""
    if document.path is not None:
        return document.path.stem
    example_names = {example.title: example.name for example in examples()}
    return example_names.get(document.title) or Path(title_as_name(document.title)).stem


def step_count(trace: Trace | None) -> int:
    """Return the number of pictures in an export of all steps; 1 outside a pass."""
    return 1 if trace is None else len(trace) + 1


def export_paths(export: Export, trace: Trace | None) -> list[Path]:
    """Return the files of an export: those of its form, or one for each step of the pass.

    A PDF is always one file, with a page for each step.
    """
    if not export.all_steps or trace is None or export.kind == "pdf":
        return export.form.paths(export.path)
    return [numbered_path(export.path, k, len(trace)) for k in range(step_count(trace))]
