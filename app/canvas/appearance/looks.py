"""Looks of nodes, wires, labels and ledgers, as plain values; `Looks` reads them from one frame.

Two looks are equal exactly when both are drawn alike. So a look serves as cache key, and a test can
compare the texts on the screen without looking at pixels.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Final, Literal, NamedTuple

from app.canvas.appearance.captions import Captions, NodeTexts
from app.document.sheet import is_large
from app.lessons.course import Folded
from app.style import sizes
from app.style.current import Extra
from app.style.derivative_notation import Notation
from app.style.strokes import cached_metric, width
from app.workbench.gradients.comparison import Comparison, flag, same
from app.workbench.modes.loop import LoopState
from engine.asking.nudge import GraphRipple
from engine.errors import EngineError
from engine.frame import Chip, Frame, Sum
from engine.graph import Graph, Leaf, OpNode, Root, Wire, brief
from engine.numbers import ASKED, DIGITS_SHOWN, HIDDEN, NOT_COMPUTED, fitted, short
from engine.problems import arguments, by_convention, local_derivative, pass_obstacle
from engine.rules import UNKNOWN, Recorded
from engine.trace import Computed, Event, run

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
        if isinstance(frame.graph.nodes[node], Root) or (
            max_chips < 2 and not (single or self.begins_from(node))
        ):
            return LedgerLook()
        ledger_sum = frame.sum_of(node)
        arrived = sum(chip.event is not None for chip in ledger_sum.chips)
        first = max(0, arrived - sizes.CHIPS_SHOWN)
        shown = ledger_sum.chips[first : first + sizes.CHIPS_SHOWN]
        looks = tuple(self._chip(node, chip, ledger_sum.chips) for chip in shown)
        # chips before a total would say that they are added, and so would two of another node
        if (asked := frame.asked_sum) == node or (asked is not None and arrived > 1):
            is_asked, count = asked == node, len(ledger_sum.chips)
            total = self.answers.get("sum") or ASKED if is_asked else self._total_text(node)[0]
            return LedgerLook("", arrived=arrived, expected=count, total=total, asked=is_asked)
        return LedgerLook(
            self._start_text(ledger_sum, first),
            looks,
            len(ledger_sum.chips) - first - len(shown),
            arrived,
            len(ledger_sum.chips),
            *self._total_text(node),
        )

    def begins_from(self, node: int) -> float:
        """Return the gradient that was there before the pass."""
        return 0.0 if self._frame.trace is None else self._frame.trace.begins.get(node, 0.0)

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
        before = self.begins_from(node)
        start = f"was {self._short(before)}" if before else "0"
        start = f"… {self._short(before + hidden_sum)}" if first else start
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
        if self._frame.hides_number and next_event is not None and next_event.node == node:
            return f"= {self.answers.get('sum') or ASKED}", True
        grad = self._frame.grads.get(node)
        if grad is None:
            return f"= {NOT_COMPUTED}", False
        # under a mistake that is to be found the chips may not add up to what the node holds
        return f"{'→' if self._has_hidden_mistake else '='} {self._short(grad)}", False

    def _open_state(self, wire: Wire) -> ChipState:
        """Return the state of a chip that has not arrived."""
        next_event = self._frame.next_event
        asks = self._frame.hides_number and next_event is not None and next_event.wire == wire
        return "asked" if asks else "waiting"

    def _answer_in(self, state: ChipState) -> str:
        """Return the answer in a pending chip, shortened to its size; the number once known."""
        event = self._frame.next_event
        if state != "asked" or event is None:
            return ""
        if event.contribution is not HIDDEN:
            return self._signed(event.contribution)
        return brief(self.answers.get("contribution", ""), _MAX_ANSWER_LENGTH)

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
        later = (other.event for other in ledger if other.index > chip.index)
        if trace is not None and any(
            each is not None and trace.rules.replaces(each.wire) for each in later
        ):
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
TONES_BY_PRECEDENCE: tuple[Tone, ...] = ("bad", "grad", "value", "root", "idle")
"""Of nodes that are drawn as one, the tone that is first in this order wins."""

WRONG_SEPARATOR = " | ✘ "
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
        return self.body.kind

    @property
    def value(self) -> NumberLook:
        return self.numbers[0]

    @property
    def grad(self) -> NumberLook | None:
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


LONGEST_NUMBER_TEXT: Final = "−8.8e308"
"""The longest text of a number with two digits: space for it is reserved in a training loop."""
_WIDEST: Final = -0.000123456789
"""A number with the widest text but for some with an exponent, which are written with fewer digits
where widths are fixed."""
STRIP_ROLE: Final = "caption strong"
"""Text role of the strip with the last update of a leaf."""


@cached_metric(20_000)
def fit(x: float, role: str, available: float) -> str:
    """Write a number in the font of a role with as many digits as fit a width in px."""
    return fitted(x, lambda text: width(text, role) <= available)


def fit_factors(before: float, grad: float, rate: str, available: float) -> tuple[str, str]:
    """Write the two numbers of `before − rate × grad` so that all of it fits a width in px."""
    available -= width(f" − {rate} × ", STRIP_ROLE)
    # the gradient gets half at first, and in the end all that the value leaves
    second = fit(grad, STRIP_ROLE, available / 2)
    first = fit(before, STRIP_ROLE, available - width(second, STRIP_ROLE))
    return first, fit(grad, STRIP_ROLE, available - width(first, STRIP_ROLE))


def displayed_node(graph: Graph, node: int) -> int | None:
    """Return the node whose numbers a node shows: for a Root the one plugged into it."""
    found = graph.nodes[node]
    return found.input if isinstance(found, Root) else node


def node_state(frame: Frame, node: int) -> NodeState:
    """Return the role of a node in the highlighted step."""
    step = frame.highlighted
    found = frame.graph.nodes[node]
    if isinstance(step, Computed):
        return "forward" if step.node == node else "idle"
    if step is None:
        return "idle"
    if isinstance(found, Root):
        seeds = step.kind == "seed" and node == frame.graph.active_root
        return "firing" if seeds else "idle"
    if step.kind == "contribution" and step.sender == node:
        return "firing"
    if step.node == node:
        return "receiving"
    return "done" if node in frame.grads else "idle"


def is_firing(frame: Frame, node: int) -> bool:
    """Return whether a contribution leaves this node in the highlighted step."""
    step = frame.highlighted
    return isinstance(step, Event) and step.sender == node


def badge_number(frame: Frame, node: int) -> int:
    """Return the place of an op node in the firing order once it has begun to fire, else 0."""
    if frame.phase != "backward" or frame.trace is None:
        return 0
    if not isinstance(frame.graph.nodes[node], OpNode):
        return 0
    slots = range(len(frame.graph.inputs(node)))
    fired = is_firing(frame, node) or any((node, slot) in frame.fired for slot in slots)
    return frame.trace.schedule.firing_numbers.get(node, 0) if fired else 0


def silhouette_tone(frame: Frame, node: int, is_wrong: bool) -> Tone:
    """Return the tone of a zoomed-out node; `is_wrong` if a mistake changed its gradient."""
    found = frame.graph.nodes[node]
    shown = displayed_node(frame.graph, node)
    value = None if shown is None else frame.values.get(shown)
    if None in found.inputs or (value is not None and not math.isfinite(value)):
        return "bad"
    if isinstance(frame.current, Computed) and frame.current.node == node:
        return "value"
    if shown in frame.grads:
        return "bad" if is_wrong else "grad"
    if isinstance(found, Root):
        return "root"
    return "value" if isinstance(found, Leaf) else "idle"


class OptionalNumbers:
    """Numbers that a user may add: local derivatives, final gradients, the firing order."""

    def __init__(self, frame: Frame, shown: frozenset[Extra]) -> None:
        self._frame = frame
        self._shown = shown

    def local_derivative(
        self, wire: Wire, values: Mapping[int, float] | None = None
    ) -> float | None:
        """Return the local derivative along a wire, once its inputs and its value are known.

        `values` are those of the whole pass, where not those of the frame.
        """
        graph, node = self._frame.graph, wire[0]
        known = self._frame.values if values is None else values
        if "slopes" not in self._shown or node not in known:
            return None
        if len(arguments(graph, node, known)) < len(graph.op(node).slots):
            return None
        return local_derivative(graph, wire, known)

    def final_grad(self, node: int) -> float | None:
        """Return the gradient of a node at the end of the correct pass, before one has begun."""
        return self._final_grads.get(node)

    def backward_position(self, node: int) -> int:
        """Return the place of a node in the order of the backward pass, leaves included; else 0."""
        return self._backward_positions.get(node, 0)

    @cached_property
    def _final_grads(self) -> Mapping[int, float]:
        frame = self._frame
        if "finals" not in self._shown or frame.phase == "backward" or pass_obstacle(frame.graph):
            return {}
        try:
            trace = run(frame.graph)
        except EngineError:
            return {}
        return trace.gradients

    @cached_property
    def _backward_positions(self) -> Mapping[int, int]:
        graph = self._frame.graph
        if "order" not in self._shown or graph.root is None:
            return {}
        return {node: turn + 1 for node, turn in graph.plan(graph.root).turns.items()}


class NumberWidths(NamedTuple):
    """The widths in px at 100 % that a node has for its numbers during a training loop."""

    left: float
    """Of a local derivative, in the left column."""
    right: float
    """Of a gradient, in the right column."""
    value: float
    """Of a value; less than `right` on a leaf, which shows its old value too."""
    strip: float = 0.0
    """Of the strip under a leaf with its last update."""


# a hue of -1: the wire has no siblings
IDLE, FORWARD, DONE = WireLook("idle", -1), WireLook("forward", -1), WireLook("done", -1)
RIPPLE = WireLook("ripple", -1)


class Looks:
    """Reads looks from a frame.

    `short` writes a number, `signed` also a plus sign before a positive one. With a `comparison` to
    the correct pass, wrong gradients are flagged.
    """

    def __init__(
        self,
        frame: Frame,
        short: Write,
        signed: Write,
        comparison: Comparison | None = None,
        optional_numbers: frozenset[Extra] = frozenset(),
        notation: Notation = "partial",
    ) -> None:
        self.frame = frame
        self.answers: Mapping[str, str] = {}
        """A learner's answers about the next step, by question: `value`, `local`, `contribution`,
        `sum`, or `final 3` for the gradient of node 3 at the end."""
        self.graph = frame.graph
        self.short = short
        self.signed = signed
        self.comparison = comparison
        self.loop_state: LoopState | None = None
        """The training loop of which the frame is a state, if it is one."""
        self.ripple: GraphRipple | None = None
        self.asks_effect = False
        """Whether the ripple is an experiment, of which a number is left to the learner."""
        """The change whose propagation is shown; contributions are hidden meanwhile."""
        self.folded: frozenset[Folded] = frozenset()
        """What the course has not explained yet."""
        self.program: Recorded | None = None
        """The pass of the program, while the sheet has its numbers."""
        self.number_widths: Callable[[int], NumberWidths] | None = None
        """The widths available to the numbers of a node, where they may become too long."""
        self._is_large = is_large(frame.graph)
        is_asking = frame.hidden is not None  # numbers are hidden, to ask a learner for them
        self.shown_comparison = None if is_asking else comparison
        """The correct pass, where its numbers are shown next to those of a mistake."""
        # kept here: a repaint asks for them once per wire
        self._current, self._event, self._next = frame.current, frame.event, frame.next_event
        highlighted = frame.highlighted
        self._firing = (
            highlighted.wire
            if isinstance(highlighted, Event) and highlighted is self._event
            else None
        )
        self._next_wire = None if self._next is None else self._next.wire
        self.captions = Captions(frame.graph, short, notation)
        self.ledgers = Ledgers(frame, short, signed)
        self.optional_numbers = OptionalNumbers(frame, optional_numbers)

    def program_note(self, which: Literal["values", "grads"], node: int, ours: float) -> str:
        """Return the number that a node had in the program, as a note where ours differs."""
        program = self.program
        theirs = None if program is None else getattr(program, which).get(node)
        if theirs is None or same(ours, theirs, abs(theirs)):
            return ""
        return f"program {self.short(theirs)}"

    def show_answers(self, answers: Mapping[str, str]) -> None:
        """Show a learner's answers in place of the hidden numbers of the next step."""
        self.answers = self.ledgers.answers = answers

    def reuse_caches_of(self, before: Looks) -> None:
        """Reuse the caches that depend on the wiring alone, if that is unchanged.

        Both must write numbers alike.
        """
        if before.graph.structure is not self.graph.structure:
            return
        self.captions.reuse_caches_of(before.captions)
        self.ledgers.reuse_caches_of(before.ledgers)

    def has_same_steps_as(self, before: Looks) -> bool:
        """Return whether only numbers differ: same wiring, same step of the pass."""
        mine, other = self.frame, before.frame
        if mine.graph.structure is not other.graph.structure or mine.phase != other.phase:
            return False
        if mine.trace is None or other.trace is None:
            same_steps = (
                mine.fired.keys() == other.fired.keys() and mine.grads.keys() == other.grads.keys()
            )
            return same_steps and mine.unhidden is other.unhidden
        same_steps = mine.cursor == other.cursor and mine.trace.schedule is other.trace.schedule
        return same_steps and (mine.hides_number, mine.hides) == (other.hides_number, other.hides)

    def has_same_tones_as(self, before: Looks) -> bool:
        """Return whether every node has the same tone: only numbers differ, and all are finite."""
        if not self.has_same_steps_as(before) or self.comparison or before.comparison:
            return False
        frames = (self.frame, before.frame)
        # a sum is finite only if all of its terms are
        return all(math.isfinite(sum(frame.values.values())) for frame in frames)

    def has_same_wires_as(self, before: Looks) -> bool:
        """Return whether wires are drawn alike: only numbers differ, and the same ones are 0."""
        if self.ripple is not before.ripple:
            return False
        if not self.has_same_steps_as(before):
            return False
        mine, other = self.frame.fired.values(), before.frame.fired.values()
        pairs = zip(mine, other, strict=True)
        return all((a.contribution == 0) == (b.contribution == 0) for a, b in pairs)

    @cached_property
    def fixed_width(self) -> float:
        """Return the width that every number of a large graph has."""
        return width(self.short(_WIDEST), "number")

    def write(self, node: int, x: float, column: Literal["left", "right", "value"]) -> str:
        """Write a number of a node, shortened in a training loop and in a large graph.

        There widths do not follow the numbers.
        """
        if self.number_widths is not None:
            return fit(x, "number", getattr(self.number_widths(node), column))
        text = self.short(x)
        if self._is_large and width(text, "number") > self.fixed_width:
            fewer = (short(x, digits) for digits in range(DIGITS_SHOWN, 0, -1))
            return next((t for t in fewer if width(t, "number") <= self.fixed_width), text)
        return text

    @property
    def shows_pass(self) -> bool:
        """Return whether the step is drawn: a ripple hides it, but for one along some wires."""
        return self.ripple is None or self.ripple.along is not None

    def state(self, node: int) -> NodeState:
        """Return the role of a node in the highlighted step; a ripple highlights none."""
        if not self.shows_pass:
            return "done" if node in self.frame.grads else "idle"
        return node_state(self.frame, node)

    def wire(self, wire: Wire) -> WireLook:
        frame = self.frame
        ripple = self.ripple
        if ripple is not None and (ripple.along is None or ripple.carries(wire)):
            return RIPPLE if ripple.carries(wire) else IDLE
        if frame.phase != "backward":
            step = self._current
            if isinstance(step, Computed) and step.node == wire[0]:
                return FORWARD
            # a frame may have contributions without a backward pass on the screen
            has_carried = wire in frame.fired or (
                bool(frame.fired) and _is_seed_wire(self.graph, wire)
            )
            return DONE if has_carried else IDLE
        fired = frame.fired.get(wire)
        if wire == self._next_wire and frame.hides_number:
            return WireLook("asked", self.ledgers.hue(wire))
        if wire == self._firing:
            return WireLook("firing", self.ledgers.hue(wire))
        if wire == self._next_wire:
            return WireLook("next", self.ledgers.hue(wire))
        if fired is None:
            return DONE if frame.cursor and _is_seed_wire(self.graph, wire) else IDLE
        return WireLook("zero" if fired.contribution == 0 else "done", self.ledgers.hue(wire))

    @property
    def tells_next(self) -> bool:
        """Return whether numbers of the next step are shown: after the seed it may yet be asked."""
        return self.frame.cursor > 1 or (self.frame.cursor > 0 and self.frame.hidden is not None)

    def label(self, wire: Wire) -> LabelLook | None:
        """Return a wire's label, or None while it has none."""
        if self.frame.phase != "backward" or not self.shows_pass:
            return None
        if self.ripple is not None and self.ripple.carries(wire):
            return None  # it has one of its own
        if self._next is not None and self._next_wire == wire and self.tells_next:
            if "ahead" in self.folded and not self.frame.hides_number:
                return None  # the lesson asks for it later
            return self._next_label(self._next, self.ledgers.hue(wire))
        fired = self.frame.fired.get(wire)
        if fired is None:
            return None
        state = "firing" if self._firing == wire else "done"
        return _fired_label(self, fired, state, self.shown_comparison)

    def final_label(self, event: Event, comparison: Comparison | None = None) -> LabelLook:
        """Return the label of an event after it has fired, for which layouts reserve space."""
        return _fired_label(self, event, "done", comparison or self.shown_comparison)

    def hue(self, wire: Wire) -> int:
        """Return a wire's index among its siblings, or -1."""
        return self.ledgers.hue(wire)

    def tone(self, node: int) -> Tone:
        """Return the tone of a node when zoomed out."""
        wrong = (
            self.comparison is not None and self.comparison.correction(self.frame, node) is not None
        )
        return silhouette_tone(self.frame, node, wrong)

    def by_convention(self, wire: Wire) -> bool:
        """Return whether the local derivative along a wire is a convention, as at a kink."""
        return by_convention(self.graph, wire, self.frame.values)

    def correct_grad_text(self, node: int) -> str:
        """Return the correct gradient of a node, if a mistake gave it another one; else ""."""
        right = None if self.comparison is None else self.comparison.correction(self.frame, node)
        return "" if right is None else self.short(right)

    def factors(self, event: Event) -> tuple[str, str, str]:
        """Return upstream gradient, local derivative and contribution as texts."""
        return (
            self.short(event.upstream),
            self.short(event.local),
            self.signed(event.contribution),
        )

    # private

    def _next_label(self, event: Event, hue: int) -> LabelLook:
        upstream, local, contribution = self.factors(event)
        if event.local is HIDDEN:
            local = as_answer(self.answers.get("local", ""))
        if event.contribution is HIDDEN:
            contribution = self.answers.get("contribution") or contribution
        if event.upstream is HIDDEN:  # the step asks for the whole product, so the label is a blank
            return LabelLook("", "", contribution, "asked", hue)
        text = contribution if self.frame.hides == "step" else "···"
        return LabelLook(upstream, local, text, "asked" if self.frame.hides_number else "next", hue)


def _fired_label(
    looks: Looks, event: Event, state: Literal["firing", "done"], comparison: Comparison | None
) -> LabelLook:
    """Return the label of a contribution; of a wrong one the correct one with a red tail."""
    hue = looks.hue((event.sender, event.slot))
    right = None if comparison is None or event.wire is None else comparison.correct.get(event.wire)
    if right is None or same(right.contribution, event.contribution):
        return LabelLook(*looks.factors(event), state, hue)
    return LabelLook(*looks.factors(right), state, hue, looks.short(event.contribution))


def _is_seed_wire(graph: Graph, wire: Wire) -> bool:
    return isinstance(graph.nodes[wire[0]], Root) and wire[0] == graph.active_root
