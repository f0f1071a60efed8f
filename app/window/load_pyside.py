"""Loads PySide in two thirds of the time that it takes by itself.

PySide brings its support modules along as source inside a library, and compiles them whenever it is
loaded. Here their code is kept in a file beside that of this module, as Python keeps the code of
other modules.
"""

from __future__ import annotations

import builtins
import marshal
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from pathlib import Path
from types import CodeType


def load_pyside() -> None:
    """Load PySide, and put back the `import` of Python that it replaces.

    Its own one notes which modules name PySide6 in their source, to know where its switches for
    other names of methods count. We use none, and an eighth of the start is saved.
    """
    own_import, own_compile = builtins.__import__, builtins.compile
    kept = KeptCode(Path(cache_from_source(__file__)).with_suffix(".pyside"), own_compile)
    builtins.compile = kept.compiled
    try:
        import_module("PySide6")
    finally:
        builtins.compile, builtins.__import__ = own_compile, own_import
    kept.write()


class KeptCode:
    """Code by the source it was compiled from, in a file; one that is not whole is not read."""

    def __init__(self, path: Path, compile_source: Callable[..., CodeType]) -> None:
        self._path = path
        self._compile = compile_source
        self._code = _read(path)
        self._is_new = False

    def compiled(self, source: object, name: str, mode: str, *more: object, **by: object) -> object:
        """Return what `compile` returns for these arguments."""
        if type(source) is not bytes or mode != "exec" or more or by:
            return self._compile(source, name, mode, *more, **by)
        key = (name, source_hash(source))
        if key not in self._code:
            self._code[key] = self._compile(source, name, mode)
            self._is_new = True
        return self._code[key]

    def write(self) -> None:
        """Write the file if there is more to keep, and if Python may keep code at all."""
        if not self._is_new or sys.dont_write_bytecode:
            return
        content = marshal.dumps(self._code)
        beside = self._path.with_suffix(f".{os.getpid()}")
        with suppress(OSError):  # a folder of the system, which only its owner may write to
            beside.write_bytes(_head(content) + content)
            beside.replace(self._path)


def _read(path: Path) -> dict[tuple[str, bytes], CodeType]:
    try:
        found = path.read_bytes()
    except OSError:
        return {}
    length = len(_head(b""))
    head, content = found[:length], found[length:]
    return marshal.loads(content) if head == _head(content) else {}


def _head(content: bytes) -> bytes:
    """Return what the file begins with: which bytecode it is, and a digest of it."""
    return MAGIC_NUMBER + source_hash(content)
