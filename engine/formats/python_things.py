"""What a name of a program that is read may stand for."""

from dataclasses import dataclass, field

LIBRARIES = frozenset({"micrograd", "torch", "math", "engine"})
ASSIGNED_QUIETLY = frozenset({"grad"})
"""Attributes of a Value whose assignment changes no graph."""


@dataclass(frozen=True, slots=True)
class Ref:
    """A Value: a node of the graph."""

    node: int


@dataclass(slots=True)
class Named:
    """A plain number under a name; the first Value it meets makes one constant of it for all."""

    number: float
    name: str
    node: int | None = field(default=None)


@dataclass(frozen=True, slots=True)
class Imported:
    """A library, a part of one, or a function that is known by name: `torch.nn.functional`."""

    path: str

    @property
    def last(self) -> str:
        """The last word of the path."""
        return self.path.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class Method:
    """An operation as a method of a Value: `a.tanh`."""

    of: Ref
    name: str


@dataclass(frozen=True, slots=True)
class Nothing:
    """What print or draw_dot returns."""


Thing = Ref | Named | Imported | Method | Nothing | int | float | str | tuple["Thing", ...]


def number_of(thing: Thing) -> float | None:
    """The plain number that a thing is, or None."""
    if isinstance(thing, Named):
        return thing.number
    return thing if isinstance(thing, int | float) and not isinstance(thing, bool) else None
