"""Backwire: expression graphs, their values and gradients, step by step.

>>> from backwire import evaluate
>>> evaluate("a*a", a=3).grads
{'a': 6.0}
"""

from typing import TYPE_CHECKING

import engine as _engine

if TYPE_CHECKING:
    from engine import *  # noqa: F403

__all__ = _engine.__all__  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> object:
    """The public names of the engine, some of which it loads when they are first asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_engine, name)
