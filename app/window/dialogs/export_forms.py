"""The forms a graph can be exported in, and the options of one export."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

from app.canvas.paint.figure import PAGE_WIDTH, SLIDE
from app.document.document import Document
from app.document.examples import examples
from app.document.files import file_name as title_as_name
from app.document.sheet import Rect
from app.style.theme import LIGHT, PRINT
from engine.formats import FORMATS
from engine.frame import Frame
from engine.trace import Trace

PICTURES = {
    "png": ("PNG picture", ".png"),
    "svg": ("SVG picture", ".svg"),
    "pdf": ("PDF page", ".pdf"),
}

CLASSIC = {
    "classic-png": ("PNG picture as micrograd draws it", ".png"),
    "classic-svg": ("SVG picture as micrograd draws it", ".svg"),
    "dot-classic": ("Graphviz DOT as micrograd draws it", ".gv"),
}
"""Forms drawn by Graphviz."""

WITH_STEP = {*PICTURES, *CLASSIC, "dot"}
"""Forms that show a step of a pass."""

DOTS = (96, 144, 192, 300, 600)
"""Dots per inch that can be chosen for PNG."""
MARGINS = (0, 1, 2, 5, 10)
"""Margins in mm that can be chosen instead of the usual one."""


class Paper(NamedTuple):
    """Where a picture is set: a title, and its width and height in cm; None for any."""

    title: str
    width: float | None = None
    height: float | None = None


PAPERS = {
    "drawn": Paper("As drawn"),
    "column": Paper("8.5 cm, a column", 8.5),
    "page": Paper("17 cm, a page", PAGE_WIDTH),
    "slide": Paper("Slide, 16:9", *SLIDE),
}


class Export(Struct, frozen=True):
    """What to write: a form, a path, and for pictures the options."""

    form: str
    path: Path
    theme: str = "light"
    dpi: int = 192
    transparent: bool = False
    all_steps: bool = False
    paper: str = "drawn"
    """A key of PAPERS."""
    crop: frozenset[int] | Rect | None = None
    """The nodes, or the rectangle of the sheet, that a picture is limited to."""
    margin: float | None = None
    """Margin in mm, or None for the usual one."""
    replace_protected: bool = False
    """Whether the user agreed to replace write-protected files."""


def forms() -> dict[str, tuple[str, str]]:
    """Return every form by its key, with its title and its suffix."""
    written = {f.name: (f.title, f.suffixes[0]) for f in FORMATS if f.write}
    return {**PICTURES, **written, **CLASSIC}


def usual_theme(form: str) -> str:
    """Return the theme of a form unless another is chosen: what is printed is black on white."""
    return PRINT.name if form == "pdf" else LIGHT.name


def without_suffix(name: str) -> str:
    """Return a file's name without the suffix of any form, ignoring case.

    The longest suffix counts: .torch.py, not .py. A suffix of no form belongs to the name.
    """
    written = [suffix for found in FORMATS if found.write for suffix in found.suffixes]
    known = {*written, *(suffix for _title, suffix in forms().values())}
    ends = (suffix for suffix in known if name.lower().endswith(suffix))
    return name[: len(name) - max(map(len, ends), default=0)]


def file_name(document: Document, frame: Frame, form: str, all_steps: bool = False) -> str:
    """Return the name that a file has unless another is typed: graph, step and suffix."""
    name, suffix = _graph_name(document), forms()[form][1]
    if frame.trace is None or form not in WITH_STEP:
        return f"{name}{suffix}"
    passed = "step" if frame.phase == "backward" else "forward"
    if all_steps and form == "pdf":
        return f"{name}-{passed}-all{suffix}"
    if all_steps:
        return f"{name}-{passed}{suffix}"
    return f"{name}-{passed}-{frame.cursor}{suffix}"


def _graph_name(document: Document) -> str:
    """Return the name of the graph's file, of its example, or its title."""
    if document.path is not None:
        return document.path.stem
    known = {found.title: found.name for found in examples()}
    return known.get(document.title) or Path(title_as_name(document.title)).stem


def step_count(trace: Trace | None) -> int:
    """Return how many pictures all steps of a pass would be; 1 outside a pass."""
    return 1 if trace is None else len(trace) + 1


def paths(export: Export, trace: Trace | None) -> list[Path]:
    """Return the files that an export would write: one, or one for each cursor of the pass.

    All steps are the pages of one PDF.
    """
    if not export.all_steps or trace is None or export.form == "pdf":
        return [export.path]
    path, figures = export.path, len(str(len(trace)))
    return [
        path.with_name(f"{path.stem}-{cursor:0{figures}}{path.suffix}")
        for cursor in range(step_count(trace))
    ]
