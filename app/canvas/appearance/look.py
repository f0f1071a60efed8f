"""Looks of nodes, wires, labels and ledgers, as plain values.

Two looks are equal exactly when both are drawn alike. So a look serves as cache key, and a test can
compare the texts on the screen without looking at pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Literal, NamedTuple

from app.canvas.appearance.captions import NodeTexts
from app.style import sizes
from app.workbench.gradients.comparison import Comparison, flag
from engine.frame import Chip, Frame, Sum
from engine.graph import Root, Wire, brief
from engine.numbers import ASKED, NOT_COMPUTED
from engine.rules import UNKNOWN

ChipState = Literal["waiting", "asked", "landed", "done", "overwritten"]
"""State of a contribution in a ledger: to come (`asked` if the learner is to fill it in), of the
step on the screen (`landed`), of an earlier one, or lost by the mistake that overwrites."""


def as_answer(text: str) -> str:
    """Mark a text as a learner's answer, which replaces a number in a look."""
    return f"{ASKED}{text}"


def is_asked(text: str) -> bool:
    """Return whether a text replaces a hidden number: `?`, or a learner's answer."""
    return text.startswith(ASKED)


def as_shown(text: str) -> str:
    """Return the text without the mark of an answer: the answer itself, or `?`."""
    return text[len(ASKED) :] or ASKED if is_asked(text) else text


class ChipLook(NamedTuple):
    """A contribution in a ledger; `hue` is its index among its siblings, -1 for a single wire."""

    text: str
    hue: int
    state: ChipState


_MAX_ANSWER_LENGTH = 6
"""Length above which a learner's answer in a chip is shortened, in characters."""


class LedgerLook(NamedTuple):
    """A sum as shown: `start`, the chips, the number of chips left out (`more`), and the total.

    `start` is the sum before the first chip: 0, `was 25` left by an earlier pass, or `… 24` with
    the chips before. `arrived` of `expected` contributions have arrived. The total is `= 4`, or
    `→ 4` where it need not be the sum of the chips; it may be `asked` for.
    """

    start: str = "0"
    chips: tuple[ChipLook, ...] = ()
    more: int = 0
    arrived: int = 0
    expected: int = 0
    total: str = ""
    asked: bool = False


class Ledgers:
    """The ledgers of one frame; sibling wires are cached while the pass stays the same."""

    def __init__(
        self, frame: Frame, short: Callable[[float], str], signed: Callable[[float], str]
    ) -> None:
        self._frame = frame
        self._short = short
        self._signed = signed
        self.answers: Mapping[str, str] = {}
        """As in Looks."""
        self._siblings: dict[int, tuple[Wire, ...]] = {}
        self._hues: dict[Wire, int] = {}

    def reuse_caches_of(self, before: Ledgers) -> None:
        """Reuse the siblings found by `before` if wiring and order of contributions match."""
        mine, other = self._frame.trace, before._frame.trace
        if mine is other or (mine and other and mine.schedule is other.schedule):
            self._siblings, self._hues = before._siblings, before._hues

    def siblings(self, node: int) -> tuple[Wire, ...]:
        """Return the wires that leave a node and carry contributions back to it."""
        if node not in self._siblings:
            trace = self._frame.trace
            if trace is None or trace.phase != "backward":
                return ()
            if trace.rules is UNKNOWN:  # which of them fire, and in which order, shows by steps
                turns = self._frame.graph.plan(trace.root).turns
                wires = {w for w in self._frame.graph.outgoing[node] if w[0] in turns}
                self._siblings[node] = tuple(sorted(wires))
                return self._siblings[node]
            wires = {trace.events[k].wire for k in trace.schedule.arrivals.get(node, ())}
            self._siblings[node] = tuple(sorted(w for w in wires if w is not None))
        return self._siblings[node]

    def hue(self, wire: Wire) -> int:
        """Return a wire's index among the firing wires that leave its source, or -1."""
        source = self._frame.graph.source(wire)
        return -1 if source is None else self._hue(source, wire)

    def ledger(self, node: int, single: bool = False) -> LedgerLook:
        """Return a node's ledger; that of a single contribution is empty unless `single`."""
        frame = self._frame
        # while a mistake is to be found, firings to come are hidden: any sibling may still fire
        max_chips = max(
            len(self.siblings(node)) if self._has_hidden_mistake else 0, len(frame.ledger(node))
        )
        if isinstance(frame.graph.nodes[node], Root) or (max_chips < 2 and not single):
            return LedgerLook()
        ledger_sum = frame.sum_of(node)
        arrived = sum(chip.event is not None for chip in ledger_sum.chips)
        first = max(0, arrived - sizes.CHIPS_SHOWN)
        shown = ledger_sum.chips[first : first + sizes.CHIPS_SHOWN]
        looks = tuple(self._chip(node, chip, ledger_sum.chips) for chip in shown)
        return LedgerLook(
            self._start_text(ledger_sum, first),
            looks,
            len(ledger_sum.chips) - first - len(shown),
            arrived,
            len(ledger_sum.chips),
            *self._total_text(node),
        )

    def correct_ledger(self, node: int, comparison: Comparison) -> LedgerLook | None:
        """Return the ledger of the correct pass at this step; None if it adds nothing."""
        frame, wires = self._frame, comparison.correct_wires.get(node, ())
        if isinstance(frame.graph.nodes[node], Root) or not wires:
            return None
        arrived = {chip.wire for chip in frame.sum_of(node).chips if chip.event is not None}
        if frame.cursor == frame.total:  # then the correct sum is complete in any case
            arrived = set(wires)
        landed = [wire for wire in wires if wire in arrived]
        pending = [wire for wire in wires if wire not in arrived]
        first = max(0, len(landed) - sizes.CHIPS_SHOWN)
        chips = [
            ChipLook(self._signed(comparison.sent[wire]), self._hue(node, wire), "done")
            for wire in landed[first:]
        ]
        chips += [ChipLook("", self._hue(node, wire), "waiting") for wire in pending]
        shown = tuple(chips[: sizes.CHIPS_SHOWN])
        correct_grad = comparison.correction(frame, node)
        total = self._short(frame.grads.get(node, 0.0) if correct_grad is None else correct_grad)
        hidden_sum = sum(comparison.sent[wire] for wire in landed[:first])
        start = f"… {self._short(hidden_sum)}" if first else "0"
        more = len(chips) - len(shown)
        return LedgerLook(
            start, shown, more, arrived=len(landed), expected=len(wires), total=f"= {total}"
        )

    def pending_chip(self, node: int) -> ChipLook | None:
        """Return the pending chip of a node that waits for the contribution of its only wire."""
        ledger = self._frame.ledger(node)
        # not at cursor 0, where the pass has not begun: every node would wait there
        if len(ledger) != 1 or ledger[0].event or not self._frame.cursor:
            return None
        state = self._open_state(ledger[0].wire)
        return ChipLook(self._answer_in(state), -1, state)

    # private

    @property
    def _has_hidden_mistake(self) -> bool:
        """Whether a mistake is to be found, so that firings to come are hidden."""
        return self._frame.trace is not None and self._frame.trace.rules is UNKNOWN

    def _total_text(self, node: int) -> tuple[str, bool]:
        """Return the sum of a node's chips, as text, and whether a learner is asked for it."""
        next_event = self._frame.next_event
        if self._frame.covered and next_event is not None and next_event.node == node:
            return f"= {self.answers.get('sum') or ASKED}", True
        grad = self._frame.grads.get(node)
        if grad is None:
            return f"= {NOT_COMPUTED}", False
        # under a mistake that is to be found the chips may not add up to what the node holds
        return f"{'→' if self._has_hidden_mistake else '='} {self._short(grad)}", False

    def _open_state(self, wire: Wire) -> ChipState:
        """Return the state of a chip that has not arrived."""
        next_event = self._frame.next_event
        asks = self._frame.covered and next_event is not None and next_event.wire == wire
        return "asked" if asks else "waiting"

    def _answer_in(self, state: ChipState) -> str:
        """Return the answer in a pending chip, shortened to its size."""
        return (
            brief(self.answers.get("contribution", ""), _MAX_ANSWER_LENGTH)
            if state == "asked"
            else ""
        )

    def _hue(self, source: int, wire: Wire) -> int:
        siblings = self.siblings(source)
        if len(siblings) > 1 and siblings[0] not in self._hues:
            self._hues.update({sibling: index for index, sibling in enumerate(siblings)})
        return self._hues.get(wire, -1)

    def _start_text(self, ledger_sum: Sum, first: int) -> str:
        """Return the sum before the first visible chip, as text."""
        event = ledger_sum.chips[first].event if first else None
        if event is not None:
            return f"… {self._short(event.before)}"
        return f"was {self._short(ledger_sum.start)}" if ledger_sum.start else "0"

    def _chip(self, node: int, chip: Chip, ledger: tuple[Chip, ...]) -> ChipLook:
        hue = self._hue(node, chip.wire)
        if chip.event is None:
            state = self._open_state(chip.wire)
            return ChipLook(self._answer_in(state), hue, state)
        text = self._signed(chip.event.contribution)
        if chip.event is self._frame.highlighted:
            return ChipLook(text, hue, "landed")
        trace = self._frame.trace
        later = any(other.event and other.index > chip.index for other in ledger)
        if trace is not None and not trace.rules.accumulate and later:
            return ChipLook(text, hue, "overwritten")
        return ChipLook(text, hue, "done")


Write = Callable[[float], str]
"""Writes a number in the number format of the sheet."""
NodeState = Literal["idle", "forward", "firing", "receiving", "done"]
NumberKind = Literal["unknown", "value", "stale", "grad", "local", "bad", "no path", "asked"]
"""What a number is; a `stale` value is from before the last update of a training loop, a `bad` one
wrong or not finite."""
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
"""State by which a node is coloured when zoomed out."""
TONES: tuple[Tone, ...] = ("bad", "grad", "value", "root", "idle")
"""Tones of nodes that are drawn as one: the first in this order wins."""

WRONG_SEPARATOR = " | ✗ "
"""Separator in a label between the correct contribution and the one that a mistake sends."""


class NumberLook(NamedTuple):
    """A number as written on a node, with its kind and an optional note left of it."""

    text: str = ""
    kind: NumberKind = "unknown"
    note: str = ""
    by_convention: bool = False
    """Whether it is a local derivative at a kink, which a mark says."""


class UpdateLook(NamedTuple):
    """The last update of a leaf by a training loop: before − rate × grad = after.

    `struck` is the old value, struck through left of the new one; "" if it has not changed.
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
    """Per slot, whether a wire leads into it."""
    state: NodeState
    value_known: bool
    grad_known: bool
    bad: bool
    """Whether its value is not finite."""
    active: bool
    """Whether it is the active Root; always true for other kinds."""
    learns: bool
    """Whether it is a leaf that learns in a training loop."""


class NodeLook(NamedTuple):
    """A node as drawn: body, titles, a number per cell, ledger, training update, badge and flag."""

    body: BodyLook
    texts: NodeTexts
    numbers: tuple[NumberLook, ...]
    """The numbers of the cells in `face`."""
    ledger: LedgerLook
    waiting: ChipLook | None
    """The chip of its only contribution while that is pending; such a node has no ledger."""
    badge: int
    """Its place in the firing order; 0 for none."""
    badge_filled: bool
    """Whether it fires in this step, which fills the badge with colour."""
    correct_grad: str = ""
    """The correct gradient where that of the node is wrong."""
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
    def value(self) -> NumberLook:
        """Return its value."""
        return self.numbers[0]

    @property
    def grad(self) -> NumberLook | None:
        """Return its gradient; None for a constant."""
        return self.numbers[1] if len(self.numbers) > 1 else None

    @property
    def flag(self) -> str:
        """Return the text of the flag with the correct gradient, or ""."""
        return flag(self.correct_grad) if self.correct_grad and self.grad else ""


class WireLook(NamedTuple):
    """How a wire is drawn."""

    state: WireState
    hue: int
    """Index among the wires that carry contributions to one source; -1 without siblings."""


class LabelLook(NamedTuple):
    """A wire's label: upstream × local = contribution, in the wire's hue."""

    upstream: str
    local: str
    contribution: str
    state: Literal["next", "firing", "done", "asked"]
    hue: int
    """As in WireLook."""
    wrong: str = ""
    """The number that a mistake sends; the label then shows the correct numbers."""

    @property
    def text(self) -> str:
        """Return the label as plain text."""
        tail = f"{WRONG_SEPARATOR}{self.wrong}" if self.wrong else ""
        if not self.local:
            return f"{self.contribution}{tail}"
        return f"{self.upstream} × {self.local} = {self.contribution}{tail}"
