"""The objects that names and expressions of a program that is read may stand for."""

from __future__ import annotations

import ast

from msgspec import Struct, field

from engine.errors import FormatError

LIBRARIES = frozenset({"micrograd", "backwire", "engine", "torch", "math", "random", "numpy"})
"""Libraries of which the reader knows some functions."""
HARMLESS = LIBRARIES | frozenset({
    "matplotlib", "graphviz", "seaborn", "pandas", "IPython", "pprint", "time", "typing",
    "copy", "collections", "itertools", "functools", "warnings",
})  # fmt: skip
"""Libraries whose calls never change a Value."""


class Ref(Struct, frozen=True):
    """A Value: a node of the graph."""

    node: int


class Named(Struct):
    """A plain number under a name; all Values it is combined with share one constant for it."""

    number: float
    name: str
    node: int | None = field(default=None)


class Imported(Struct, frozen=True):
    """A library, a part of one, or a function known by its name: `torch.nn.functional`."""

    path: str

    @property
    def last(self) -> str:
        """Return the last part of the path."""
        return self.path.rpartition(".")[2]

    @property
    def library(self) -> str:
        """Return the first part of the path."""
        return self.path.partition(".")[0]


class Method(Struct, frozen=True):
    """An operation as a method of a Value, `a.tanh`, or a method of a list, `losses.append`."""

    of: Ref | list[Thing]
    name: str


class Nothing(Struct, frozen=True):
    """The result of print or draw_dot."""


class Own(Struct, frozen=True, eq=False):
    """A function or a class that the program defines; it is never run."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda


class Unread(Struct, frozen=True, eq=False):
    """An object that only running the program could tell; `why` is raised where it is needed.

    `maybe_value` says whether it could be a Value.
    """

    why: FormatError
    maybe_value: bool = True


class OneShot(tuple["Thing", ...]):
    """The items of an iterator, such as a generator or zip(): only the first loop gets them."""

    spent = False


Thing = (
    Ref
    | Named
    | Imported
    | Method
    | Nothing
    | Own
    | Unread
    | int
    | float
    | str
    | tuple["Thing", ...]
    | list["Thing"]
)


def number_of(thing: Thing) -> float | None:
    """Return the plain number that an object is, or None."""
    if isinstance(thing, Named):
        return thing.number
    return thing if isinstance(thing, int | float) and not isinstance(thing, bool) else None


def holds_value(thing: Thing) -> bool:
    """Return whether an object is a Value, or a list or tuple that contains one."""
    todo, seen = [thing], set[int]()
    while todo:
        found = todo.pop()
        if isinstance(found, Ref):
            return True
        if isinstance(found, tuple | list) and id(found) not in seen:
            seen.add(id(found))
            todo.extend(found)
    return False
