"""Hooks: the functions behind `Value.show()` and the picture of a `Value` in a notebook.

Windows and pictures are later chapters than `value`, which may not import them. So
`engine/__init__.py`, which is above all chapters, assigns both functions; each imports its module
when it is first called.
"""

from collections.abc import Callable
from typing import Any

show: Callable[[Any], None]
"""Opens a window with the graph of a Value."""
mimebundle: Callable[[Any], dict[str, str]]
"""Returns the picture of a Value's graph for a notebook, by MIME type."""
