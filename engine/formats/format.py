"""Format: one file or text format of a graph."""

from collections.abc import Callable

from msgspec import Struct

from engine.graph import Graph
from engine.trace import Trace


class Format(Struct, frozen=True):
    """A readable or writable form of a graph; `read` and `write` raise FormatError.

    One that holds numbers of a whole pass has `write_pass`, which leaves out hidden ones.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    read: Callable[[str], Graph] | None = None
    write: Callable[[Graph], str] | None = None
    write_pass: Callable[[Trace], str] | None = None
