"""The shipped examples, as listed in resources/examples/index.toml."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from msgspec import Struct

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "examples"


class Example(Struct, frozen=True):
    """A graph that illustrates one point; `name` is that of its file, `note` says what it shows."""

    name: str
    title: str
    note: str
    expression: str
    folder: Path = FOLDER

    @property
    def path(self) -> Path:
        """Return the path of its file."""
        return self.folder / f"{self.name}.backwire"


@cache
def examples() -> tuple[Example, ...]:
    """Return all examples in display order."""
    index = tomllib.loads((FOLDER / "index.toml").read_text("utf-8"))
    return tuple(Example(**entry) for entry in index["example"])
