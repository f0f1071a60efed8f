"""Backwire: expression graphs, their values and gradients, step by step.

>>> from backwire import evaluate
>>> evaluate("a*a", a=3).grads
{'a': 6.0}

`Value` is micrograd's, and programs written for it run with this import in place of theirs:

>>> from backwire import Value
>>> a = Value(2.0, label="a")
>>> y = (a * a).tanh()
>>> y.backward()

Then `y` as the last line of a notebook's cell is its picture, `page(y)` a page that steps and asks,
`y.show()` opens its window, and `check(y)` compares its gradients with numerical ones.
"""

from pathlib import Path as _Path
from typing import TYPE_CHECKING

if _Path(__file__).with_name("_tree.py").exists():  # a source tree; a wheel has what follows
    import backwire._tree  # noqa: F401

import backwire.engine as _engine  # pyright: ignore
from backwire.app import VERSION as __version__  # pyright: ignore  # noqa: F401, N811

if TYPE_CHECKING:
    from app.takeaway.notebook_page import page
    from engine import *  # noqa: F403
    from engine.check import check

__all__ = [*_engine.__all__, "check", "page"]  # pyright: ignore


def __getattr__(name: str) -> object:
    """The public names of the engine, some of which it loads when they are first asked for."""
    if name == "check":  # in the engine, a module
        from backwire.engine.check import check  # pyright: ignore

        return check
    if name == "page":  # above the engine
        from backwire.app.takeaway.notebook_page import page  # pyright: ignore

        return page
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(_engine, name)  # pyright: ignore


def __dir__() -> list[str]:
    """The names that `help` and a notebook's Tab show."""
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
