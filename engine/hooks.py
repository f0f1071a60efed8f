"""Hooks: what a `Value` shows itself by, without importing windows or pictures.

Both are set by `engine/__init__.py`, which is above all chapters; each loads its module when it is
first called.
"""

from collections.abc import Callable
from typing import Any

show: Callable[[Any], None]
"""Opens a window with the graph of a Value."""
mimebundle: Callable[[Any], dict[str, str]]
"""Returns the picture of a Value's graph for a notebook, by MIME type."""
