"""Looks of nodes, wires and labels: what they show, as plain values.

Two looks are equal exactly when both are drawn alike. So a look serves as cache key, and a test can
compare what the screen says without looking at pixels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, NamedTuple

from app.canvas.appearance.ledgers import ChipLook, LedgerLook
from app.workbench.gradients import verdict
from engine.graph import ASIDE

Write = Callable[[float], str]
NodeState = Literal["idle", "forward", "firing", "receiving", "done"]
FigureKind = Literal["unknown", "value", "stale", "grad", "bad", "no path", "asked"]
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

TAIL = " | ✗ "
"""Stands before the number that a mistake sends."""
NO_PATH_NOTE = "no path"
"""Stands beside the sign of a gradient that no path joins to the root."""


class Figure(NamedTuple):
    """A number as written on the canvas, with its kind."""

    text: str
    kind: FigureKind


EMPTY_FIGURE: Final = Figure("", "unknown")
"""Stands in for a number that is not shown."""


class UpdateLook(NamedTuple):
    """What the last update of a training loop did to a leaf: before − rate × grad = after.

    `struck` is the value before it as it stands left of the new one; "" if it has not moved.
    """

    before: str
    rate: str
    grad: str
    after: str
    struck: str = ""

    @property
    def lines(self) -> tuple[str, str]:
        """Return the two lines of the strip as plain text."""
        return f"{self.before} − {self.rate} × {self.grad}", f"= {self.after}"


class NodeLook(NamedTuple):
    """Everything that a node shows; `name` where the label is none or not the name."""

    kind: str
    label: str
    symbol: str
    caption: str
    value: Figure
    grad: Figure | None
    was: str
    locals: tuple[tuple[str, bool], ...]
    slot_captions: tuple[str, ...]
    """Per slot along what its local derivative is, or the letter of an empty slot."""
    plugged: tuple[bool, ...]
    state: NodeState
    value_known: bool
    grad_known: bool
    bad: bool
    chips: tuple[ChipLook, ...]
    more: int
    total: str
    waiting: ChipLook | None
    badge: int
    badge_filled: bool
    active: bool
    right: str = ""
    group: int = 0
    start: str = "0"
    come: int = 0
    due: int = 0
    name: str = ""
    shorter: tuple[str, ...] = ()
    """The caption with operands shortened more and more, for headers without room for it."""
    learns: bool = False
    """Whether it is a leaf that learns in a training loop."""
    update: UpdateLook | None = None

    correct: LedgerLook | None = None
    """The sum of the correct pass, above that of the mistake, where the two differ."""
    here: str = ""
    """What the mistake does at this node: `+1 overwrites 3`."""
    before: str = ""
    """Which senders were wrong already: `d 6 → 1, c 7 → 1`."""

    @property
    def title(self) -> str:
        """Return label and name as the header says them: `w`, `w · w_7`, `v3`, or ""."""
        return ASIDE.join(part for part in (self.label, self.name) if part)

    @property
    def flag(self) -> str:
        """Return what a wrong gradient should be, or ""."""
        return verdict.flag(self.right) if self.right and self.grad else ""

    @property
    def has_ledger(self) -> bool:
        """Return whether the lane with chips is shown."""
        return bool(self.chips)


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
