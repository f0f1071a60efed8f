"""Guard: keeps exceptions from leaving an override of a Qt method, which would end the process.

Qt calls these methods from C++. PySide below 6.12 crashes on Python 3.11 when an exception raised
in C (`int("x")`, an index out of range) leaves one, and delivers any other exception to the next
caller of Qt. Every class of the application that overrides a method of Qt is decorated with
`guarded` (tests/app/test_guard.py finds those that are not). Event handlers pass their exception to
`sys.excepthook` and return; other overrides raise it in a form that PySide can handle.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import TypeVar

Class = TypeVar("Class", bound=type[object])

ANSWERS = {"event": False, "viewportEvent": False, "eventFilter": False}
"""Return value of a failed handler where Qt asks whether it has accepted the event."""


def guarded(kind: Class) -> Class:
    """Guard every method of a class that overrides one of Qt's; a class decorator."""
    for name, method in [*vars(kind).items()]:
        if type(method) is FunctionType and _is_override(kind, name):
            setattr(kind, name, _reported(method) if _is_handler(name) else _passed_on(method))
    return kind


def _is_handler(name: str) -> bool:
    return name.endswith("Event") or name in ("event", "eventFilter", "paint")


def _is_override(kind: type[object], name: str) -> bool:
    if name.startswith("__"):
        return False
    return any(name in vars(base) for base in kind.__mro__ if base.__module__[:8] == "PySide6.")


def _reported(method: Callable[..., object]) -> Callable[..., object]:
    answer = ANSWERS.get(method.__name__)

    @wraps(method)
    def guard(*arguments: object) -> object:
        try:
            return method(*arguments)
        except Exception:
            sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
            return answer

    return guard


def _passed_on(method: Callable[..., object]) -> Callable[..., object]:
    @wraps(method)
    def guard(*arguments: object, **words: object) -> object:
        try:
            return method(*arguments, **words)
        except Exception:  # catching it once turns PySide's bare text into an object
            raise

    return guard
