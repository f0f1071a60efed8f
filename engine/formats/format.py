"""Format: one file or text format of a graph."""

from collections.abc import Callable

from msgspec import Struct

from engine.graph import Graph


class Format(Struct, frozen=True):
    """A readable or writable form of a graph; `read` and `write` raise FormatError."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    read: Callable[[str], Graph] | None = None
    write: Callable[[Graph], str] | None = None
