"""The examples that come with the program, as resources/examples/index.toml lists them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "examples"


@dataclass(frozen=True, slots=True)
class Example:
    """One graph that makes one point: its title, what it shows, and its file."""

    name: str
    title: str
    note: str
    expression: str

    @property
    def path(self) -> Path:
        """The file that holds it."""
        return FOLDER / f"{self.name}.backwire"


@cache
def examples() -> tuple[Example, ...]:
    """All examples, in the order in which they are shown."""
    index = tomllib.loads((FOLDER / "index.toml").read_text("utf-8"))
    return tuple(Example(**entry) for entry in index["example"])
