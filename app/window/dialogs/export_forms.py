"""The forms a graph can be exported in, and what one export asks for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine.formats import FORMATS

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
"""Graphviz draws these."""


@dataclass(frozen=True)
class Export:
    """What to write: a form, where to, and for pictures how."""

    form: str
    path: Path
    theme: str = "light"
    dpi: int = 192
    transparent: bool = False
    all_steps: bool = False


def forms() -> dict[str, tuple[str, str]]:
    """Every form by its key, with its title and its suffix."""
    written = {f.name: (f.title, f.suffixes[0]) for f in FORMATS if f.write}
    return {**PICTURES, **written, **CLASSIC}
