"""Looks of nodes, wires and labels: what they show, as plain values.

Two looks are equal exactly when both are drawn alike. So a look serves as cache key, and a test can
compare what the screen says without looking at pixels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, NamedTuple

from app.canvas.appearance.captions import Texts
from app.canvas.appearance.ledgers import ChipLook, LedgerLook
from app.workbench.gradients import verdict

Write = Callable[[float], str]
NodeState = Literal["idle", "forward", "firing", "receiving", "done"]
FigureKind = Literal["unknown", "value", "stale", "grad", "local", "bad", "no path", "asked"]
WireState = Literal["idle", "forward", "ripple", "next", "firing", "done", "zero", "asked"]

WIRE_ORDER: Final[dict[WireState, int]] = {
    "idle": 0,
    "done": 1,
    "zero": 1,
    "ripple": 1,
    "forward": 2,
    "next": 2,
    "asked": 3,
    "firing": 4,
}
"""Drawing order of wires: later ones pass over earlier ones."""

Tone = Literal["bad", "value", "grad", "root", "idle"]
TONES: tuple[Tone, ...] = ("bad", "grad", "value", "root", "idle")
"""States in the order in which one hides another."""

TAIL = " | ✗ "
"""Stands before the number that a mistake sends."""


class Figure(NamedTuple):
    """A number as written on a node, with its kind and a note that may stand left of it."""

    text: str = ""
    kind: FigureKind = "unknown"
    note: str = ""
    by_convention: bool = False
    """Whether it is a local derivative at a kink, which a mark says."""


class UpdateLook(NamedTuple):
    """What the last update of a training loop did to a leaf: before − rate × grad = after.

    `struck` is the value before it as it stands left of the new one; "" if it has not moved.
    """

    before: str
    rate: str
    grad: str
    after: str
    struck: str = ""


class BodyLook(NamedTuple):
    """A node without names and numbers; many nodes share one."""

    kind: str
    symbol: str
    plugged: tuple[bool, ...]
    state: NodeState
    value_known: bool
    grad_known: bool
    bad: bool
    active: bool
    learns: bool
    """Whether it is a leaf that learns in a training loop."""


class NodeLook(NamedTuple):
    """Everything that a node shows: its body, its titles, a figure per cell, and what has no cell.

    That is the ledger below the cells, the update of a training loop, and badge and flag.
    """

    body: BodyLook
    texts: Texts
    figures: tuple[Figure, ...]
    """The numbers of the cells in `face`."""
    ledger: LedgerLook
    waiting: ChipLook | None
    badge: int
    badge_filled: bool
    right: str = ""
    """What a wrong gradient should be."""
    correct: LedgerLook | None = None
    """The sum of the correct pass, above that of the mistake, where the two differ."""
    causes: tuple[tuple[str, str], ...] = ()
    """Why the sum is wrong, with captions: `here +1 overwrites 3`, `before d 6 → 1, c 7 → 1`."""
    update: UpdateLook | None = None

    @property
    def kind(self) -> str:
        """Return the kind of the node."""
        return self.body.kind

    @property
    def value(self) -> Figure:
        """Return its value."""
        return self.figures[0]

    @property
    def grad(self) -> Figure | None:
        """Return its gradient; None for a constant."""
        return self.figures[1] if len(self.figures) > 1 else None

    @property
    def flag(self) -> str:
        """Return what a wrong gradient should be, in words, or ""."""
        return verdict.flag(self.right) if self.right and self.grad else ""


class WireLook(NamedTuple):
    """How a wire is drawn; `hue` is -1 for a wire without siblings."""

    state: WireState
    hue: int


class LabelLook(NamedTuple):
    """A wire's label: upstream × local = contribution, in the wire's hue."""

    upstream: str
    local: str
    contribution: str
    state: Literal["next", "firing", "done", "asked"]
    hue: int
    wrong: str = ""
    """What a mistake sends instead; the label then shows the correct numbers."""

    @property
    def text(self) -> str:
        """Return the label as plain text."""
        tail = f"{TAIL}{self.wrong}" if self.wrong else ""
        if not self.local:
            return f"{self.contribution}{tail}"
        return f"{self.upstream} × {self.local} = {self.contribution}{tail}"
