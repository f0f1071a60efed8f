"""The export forms (pictures, Graphviz, text), the options of one export, and its file names.

A form is what is written: its key is in `Export.form`, all of them are in `forms()`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from app.canvas.paint.figure import PAGE_WIDTH, SLIDE, TextKind
from app.document.document import Document
from app.document.document_file import file_name as title_as_name
from app.document.examples import examples
from app.document.sheet import Rect
from app.style.theme import LIGHT, PRINT
from engine.formats import FORMATS
from engine.formats.files import numbered_path
from engine.frame import Frame
from engine.trace import Trace

if TYPE_CHECKING:
    from app.takeaway.page_data import AskedSteps, PageTheme
    from app.takeaway.worksheet_rows import Blank
    from app.window.context import Context


class Form(NamedTuple):
    """A form: its title, its suffix, and whether it shows numbers that a question hides.

    Those of a whole pass do; one of the step that is shown hides what the sheet hides.
    """

    title: str
    suffix: str
    shows_hidden: bool


PICTURES = {
    "png": Form("PNG picture", ".png", shows_hidden=False),
    "svg": Form("SVG picture", ".svg", shows_hidden=False),
    "pdf": Form("PDF page", ".pdf", shows_hidden=False),
}
"""Forms drawn as on the canvas, by key."""

CLASSIC = {
    "classic-png": Form("PNG picture as micrograd draws it", ".png", shows_hidden=False),
    "classic-svg": Form("SVG picture as micrograd draws it", ".svg", shows_hidden=False),
    "dot-classic": Form("Graphviz DOT as micrograd draws it", ".gv", shows_hidden=False),
}
"""Forms drawn by Graphviz, in the style of micrograd's `draw_dot`."""

PAGE, WORKSHEET, HANDOUT, GIF = "page", "worksheet", "handout", "gif"
STRIPS = {
    "strip": Form("Filmstrip of several steps as PNG", ".png", shows_hidden=True),
    "strip-svg": Form("Filmstrip of several steps as SVG", ".svg", shows_hidden=True),
    "strip-pdf": Form("Filmstrip of several steps as PDF", ".pdf", shows_hidden=True),
}
HANDOUTS = {
    PAGE: Form("HTML page of both passes", ".html", shows_hidden=True),
    WORKSHEET: Form("Worksheet and its key", ".pdf", shows_hidden=True),
    HANDOUT: Form("Handout of a lecture", ".pdf", shows_hidden=True),
    **STRIPS,
    GIF: Form("GIF of the pass", ".gif", shows_hidden=True),
}
"""Forms for learners, made of a whole pass."""

_FORMS_WITH_STEP = {*PICTURES, *CLASSIC, "dot"}
"""Forms that show one step of a pass; its number is part of the file name."""

RESOLUTIONS = (96, 144, 192, 300, 600)
"""Choices for PNG, in dots per inch."""
TYPE_SIZES = (5, 6, 7, 8, 9, 10)
"""Choices of the least size of type, in pt."""
MARGINS_MM = (0, 1, 2, 5, 10)
"""Choices other than the usual margin, in mm."""


class Paper(NamedTuple):
    """The page or slide that a picture is made for: title, width and height in cm; None: any."""

    title: str
    width: float | None = None
    height: float | None = None


AS_DRAWN = "drawn"
"""The paper of a picture in the size in which it is drawn."""
PAPERS = {
    AS_DRAWN: Paper("As drawn"),
    "column": Paper("8.5 cm, a column", 8.5),
    "page": Paper("17 cm, a page", PAGE_WIDTH),
    "slide": Paper("Slide, 16:9", *SLIDE),
}
"""The choices of a width, by the key that is stored."""


class Handout(Struct, frozen=True):
    """The options of what is made for learners; `backwire export` has the same."""

    ask: AskedSteps = "all"
    """The steps of a page that have blanks."""
    page_theme: PageTheme = "auto"
    blank: Blank = "all"
    """What is blank on a worksheet."""
    copies: int = 1
    """Worksheets: one with the numbers of the sheet, more with other numbers each."""
    sheet_paper: str = "A4"
    per_page: int = 1
    """Most steps a page of the handout of a lecture."""
    notes: bool = False
    """Whether that has the speaker's notes."""
    steps: tuple[int, ...] = ()
    """The steps of a strip, from 1."""
    upright: bool = False
    """Whether the steps of a strip are below one another."""
    cover: bool = False
    """Whether the numbers of steps are hidden; on a page a tap shows them."""
    blank_first: bool = False
    """Whether a GIF shows each step without its numbers first."""
    loop: bool = False
    """Whether a GIF begins again at its end."""


class Export(Struct, frozen=True):
    """One export: its form, its path, and the options of pictures and handouts."""

    form: str
    """A key of `forms()`."""
    path: Path
    """The file, from which those of all steps get their names."""
    theme: str = "light"
    dpi: int = 192
    transparent: bool = False
    all_steps: bool = False
    paper: str = AS_DRAWN
    """A key of PAPERS."""
    crop: frozenset[int] | Rect | None = None
    """The nodes, or the rectangle of the sheet, that a picture is limited to."""
    margin: float | None = None
    """Margin in mm, or None for the usual one."""
    rows: int | None = None
    min_type: float | None = None
    """Rows of nodes and least size of type, as in PictureOptions."""
    text: TextKind = "outlines"
    """How the text of an SVG is written."""
    handout: Handout = Handout()
    replace_protected: bool = False
    """Whether the user agreed to replace write-protected files."""


def has_lecture(context: Context) -> bool:
    """Return whether `export_content.lecture_of` finds a lesson, without reading one."""
    state = context.guides.learner
    if context.guides.room is not None:
        return True
    if state is not None and context.guides.active:
        return state.lesson.kind == "lesson"  # neither a test nor Daily five
    recorder = context.recorders.now
    return recorder is not None and bool(recorder.steps)


def can_export(context: Context, form: str, all_steps: bool = False) -> bool:
    """Return whether a form can be made now.

    While a final test is open none is that would show its answers.
    """
    if form == HANDOUT and not has_lecture(context):
        return False
    state = context.guides.learner
    is_test_open = state is not None and not state.left and state.is_test_open
    return not is_test_open or not (all_steps or forms()[form].shows_hidden)


def forms() -> dict[str, Form]:
    """Return every form by its key."""
    texts = {
        f.name: Form(f.title, f.suffixes[0], shows_hidden=f.write_pass is not None)
        for f in FORMATS
        if f.write
    }
    return {**PICTURES, **HANDOUTS, **texts, **CLASSIC}


def default_theme(form: str) -> str:
    """Return the default theme of a form: black on white for PDF, which is printed."""
    return PRINT.name if form in ("pdf", "strip-pdf") else LIGHT.name


def without_suffix(name: str) -> str:
    """Return a file's name without the longest suffix of any form (.torch.py, not .py).

    Case is ignored; a suffix of no form is part of the name.
    """
    of_formats = [suffix for each in FORMATS if each.write for suffix in each.suffixes]
    suffixes = {*of_formats, *(form.suffix for form in forms().values())}
    matching = (suffix for suffix in suffixes if name.lower().endswith(suffix))
    return name[: len(name) - max(map(len, matching), default=0)]


def file_name(document: Document, frame: Frame, form: str, all_steps: bool = False) -> str:
    """Return the suggested file name, such as `graph-step-3.png`."""
    name, suffix = graph_name(document), forms()[form].suffix
    if form in _NAME_PARTS:
        return f"{name}-{_NAME_PARTS[form]}{suffix}"
    if frame.trace is None or form not in _FORMS_WITH_STEP:
        return f"{name}{suffix}"
    pass_name = "step" if frame.phase == "backward" else "forward"
    if all_steps and form == "pdf":
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


_NAME_PARTS = {WORKSHEET: "worksheet", HANDOUT: "handout", **dict.fromkeys(STRIPS, "steps")}
"""What the names of handouts say besides the graph."""


def step_count(trace: Trace | None) -> int:
    """Return the number of pictures in an export of all steps; 1 outside a pass."""
    return 1 if trace is None else len(trace) + 1


def export_paths(export: Export, trace: Trace | None) -> list[Path]:
    """Return the files of an export: one, or one for each step of the pass.

    A PDF is always one file, with a page for each step. A worksheet has its key in a file of its
    own, a GIF its narration.
    """
    if export.form == WORKSHEET:
        from app.takeaway.worksheet import key_stem

        return [export.path, export.path.with_stem(key_stem(export.path.stem))]
    if export.form == GIF:
        return [export.path, export.path.with_suffix(".txt")]
    if not export.all_steps or trace is None or export.form in ("pdf", *HANDOUTS):
        return [export.path]
    return [numbered_path(export.path, k, len(trace)) for k in range(step_count(trace))]
