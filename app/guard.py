"""Guard: keeps exceptions from leaving an override of a Qt method, which would end the process.

Qt calls these methods from C++. PySide below 6.12 crashes on Python 3.11 when an exception raised
in C (`int("x")`, an index out of range) leaves one, and delivers any other exception to the next
caller of Qt. Every class of the application that overrides a method of Qt is decorated with
`exception_safe` (tests/app/test_guard.py finds those that are not). Event handlers pass their
exception to `sys.excepthook` and return; other overrides raise it in a form that PySide can handle.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import TypeVar

Class = TypeVar("Class", bound=type[object])

_FAILURE_RESULTS = {"event": False, "viewportEvent": False, "eventFilter": False}
"""Return values of failed handlers that return whether they have accepted the event."""


def exception_safe(cls: Class) -> Class:
    """Keep exceptions in each method that overrides one of Qt's; a class decorator."""
    for name, method in [*vars(cls).items()]:
        if type(method) is FunctionType and _is_override(cls, name):
            guard = _reporting if _is_handler(name) else _reraising
            setattr(cls, name, guard(method))
    return cls


def _is_handler(name: str) -> bool:
    return name.endswith("Event") or name in ("event", "eventFilter", "paint")


def _is_override(cls: type[object], name: str) -> bool:
    if name.startswith("__"):
        return False
    return any(name in vars(base) for base in cls.__mro__ if base.__module__.startswith("PySide6."))


def _reporting(method: Callable[..., object]) -> Callable[..., object]:
    """Return an event handler that passes exceptions to `sys.excepthook`."""
    result = _FAILURE_RESULTS.get(method.__name__)

    @wraps(method)
    def guard(*arguments: object) -> object:
        try:
            return method(*arguments)
        except Exception:
            sys.excepthook(*sys.exc_info())  # type: ignore[arg-type]
            return result

    return guard


def _reraising(method: Callable[..., object]) -> Callable[..., object]:
    """Return a method that raises its exceptions again, as objects that PySide can handle."""

    @wraps(method)
    def guard(*arguments: object, **keywords: object) -> object:
        try:
            return method(*arguments, **keywords)
        except Exception:  # catching it once turns PySide's bare text into an object
            raise

    return guard
