"""An audit hook that lets a text be parsed, one file be read, and nothing else happen.

Python reports to audit hooks what a program does: it runs code, opens files, starts processes,
imports, connects. While the watch is armed, every event outside of a short list is recorded, and
raised as an error that `except Exception` does not catch.
"""

import ast
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

HARMLESS = frozenset({"builtins.id", "sys._getframe", "object.__getattr__"})
"""Events that look at objects of the process and change nothing."""


class ForbiddenError(BaseException):
    """Something happened that no text may cause."""


class Watch:
    """Records what happens while it is armed; an audit hook stays for the life of the process."""

    def __init__(self) -> None:
        self.caught: list[str] = []
        self._armed = False
        self._readable: str | None = None
        sys.addaudithook(self._hear)

    @contextmanager
    def armed(self, readable: str | None = None) -> Iterator[None]:
        """Watch what is done inside; `readable` is the one file that may be read."""
        self.caught.clear()
        self._readable = readable
        self._armed = True
        try:
            yield
        finally:
            self._armed = False

    def _hear(self, event: str, arguments: tuple[object, ...]) -> None:
        if not self._armed or event in HARMLESS:
            return
        self._armed = False  # what is done here is not the text's doing
        try:
            allowed = self._allowed(event, arguments)
        finally:
            self._armed = True
        if not allowed:
            self.caught.append(f"{event} {str(arguments)[:200]}")
            raise ForbiddenError(self.caught[-1])

    def _allowed(self, event: str, arguments: tuple[object, ...]) -> bool:
        if event == "compile":
            return _only_parses()
        if event == "open":
            path, _mode, flags = arguments
            written = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
            reads = not (isinstance(flags, int) and flags & written)
            return reads and str(path) in ("", self._readable)  # "" is no file
        return False


def _only_parses() -> bool:
    """Whether the compiler was asked for a syntax tree alone, by `ast.parse`.

    The event itself does not tell the flags, so they are taken from the caller.
    """
    caller = sys._getframe(3)  # beyond _allowed and _hear
    if caller.f_code is not ast.parse.__code__:
        return False
    return bool(caller.f_locals["flags"] & ast.PyCF_ONLY_AST)
