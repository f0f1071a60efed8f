"""The forms a graph can be exported in, and the options of one export."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine.formats import FORMATS
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

DOTS = (96, 144, 192, 300, 600)
"""Dots per inch that can be chosen for PNG."""


@dataclass(frozen=True)
class Export:
    """What to write: a form, a path, and for pictures the options."""

    form: str
    path: Path
    theme: str = "light"
    dpi: int = 192
    transparent: bool = False
    all_steps: bool = False
    replace_protected: bool = False
    """Whether the user agreed to replace write-protected files."""


def forms() -> dict[str, tuple[str, str]]:
    """Return every form by its key, with its title and its suffix."""
    written = {f.name: (f.title, f.suffixes[0]) for f in FORMATS if f.write}
    return {**PICTURES, **written, **CLASSIC}


def without_suffix(name: str) -> str:
    """Return a file's name without the suffix of any form, ignoring case.

    The longest suffix counts: .torch.py, not .py. A suffix of no form belongs to the name.
    """
    written = [suffix for found in FORMATS if found.write for suffix in found.suffixes]
    known = {*written, *(suffix for _title, suffix in forms().values())}
    ends = (suffix for suffix in known if name.lower().endswith(suffix))
    return name[: len(name) - max(map(len, ends), default=0)]


def step_count(trace: Trace | None) -> int:
    """Return how many pictures all steps of a pass would be; 1 outside a pass."""
    return 1 if trace is None else len(trace) + 1


def paths(export: Export, trace: Trace | None) -> list[Path]:
    """Return the files that an export would write: one, or one for each cursor of the pass."""
    if not export.all_steps or trace is None:
        return [export.path]
    path, figures = export.path, len(str(len(trace)))
    return [
        path.with_name(f"{path.stem}-{cursor:0{figures}}{path.suffix}")
        for cursor in range(step_count(trace))
    ]
