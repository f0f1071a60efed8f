"""Looks: reads from one frame the looks of nodes, wires and labels; no drawing, no geometry."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Final, Literal, NamedTuple

from app.canvas.appearance.captions import Captions
from app.canvas.appearance.look import LabelLook, Ledgers, NodeState, Tone, WireLook, Write, typed
from app.style.current import Extra, Notation
from app.style.strokes import cached_metric, width
from app.workbench.gradients.comparison import Comparison, same
from app.workbench.modes.loop import LoopState
from engine.errors import EngineError
from engine.frame import Frame
from engine.graph import Graph, Leaf, OpNode, Root, Wire
from engine.numbers import HIDDEN, fitted
from engine.problems import arguments, by_convention, pass_obstacle, true_local
from engine.study.nudge import GraphRipple
from engine.trace import Computed, Event, run

LONGEST: Final = "−8.8e308"
"""The longest text of a number with two digits: each number of a loop has room for it."""
STRIP: Final = "caption strong"
"""Text role of the strip with an update."""


@cached_metric(20_000)
def fit(x: float, role: str, room: float) -> str:
    """Write a number in the font of a role with as many digits as a width has room for."""
    return fitted(x, lambda text: width(text, role) <= room)


def fit_factors(before: float, grad: float, rate: str, room: float) -> tuple[str, str]:
    """Write the two numbers of `before − rate × grad` so that all of it has room."""
    room -= width(f" − {rate} × ", STRIP)
    second = fit(grad, STRIP, room / 2)
    first = fit(before, STRIP, room - width(second, STRIP))
    return first, fit(grad, STRIP, room - width(first, STRIP))


def shown_by(graph: Graph, node: int) -> int | None:
    """Return the node whose numbers a node shows: for a Root the one plugged into it."""
    found = graph.nodes[node]
    return found.input if isinstance(found, Root) else node


def node_state(frame: Frame, node: int) -> NodeState:
    """Return what a node does in the step that is lit."""
    step = frame.lit
    found = frame.graph.nodes[node]
    if isinstance(step, Computed):
        return "forward" if step.node == node else "idle"
    if step is None:
        return "idle"
    if isinstance(found, Root):
        seeds = step.kind == "seed" and node == frame.graph.active_root
        return "firing" if seeds else "idle"
    if step.kind == "contribution" and step.target == node:
        return "firing"
    if step.node == node:
        return "receiving"
    return "done" if node in frame.grads else "idle"


def is_firing(frame: Frame, node: int) -> bool:
    """Return whether a contribution leaves this node in the step that is lit."""
    step = frame.lit
    return isinstance(step, Event) and step.target == node


def badge_number(frame: Frame, node: int) -> int:
    """Return the place of an op node in the firing order once it has begun to fire, else 0."""
    if frame.phase != "backward" or frame.trace is None:
        return 0
    if not isinstance(frame.graph.nodes[node], OpNode):
        return 0
    slots = range(len(frame.graph.inputs(node)))
    fired = is_firing(frame, node) or any((node, slot) in frame.fired for slot in slots)
    return frame.trace.schedule.firing_numbers.get(node, 0) if fired else 0


def far_tone(frame: Frame, node: int, wrong: bool) -> Tone:
    """Return the state by which a zoomed-out node is coloured; `wrong` if its gradient is."""
    found = frame.graph.nodes[node]
    shown = shown_by(frame.graph, node)
    value = None if shown is None else frame.values.get(shown)
    if None in found.inputs or (value is not None and not math.isfinite(value)):
        return "bad"
    if isinstance(frame.current, Computed) and frame.current.node == node:
        return "value"
    if shown in frame.grads:
        return "bad" if wrong else "grad"
    if isinstance(found, Root):
        return "root"
    return "value" if isinstance(found, Leaf) else "idle"


class Extras:
    """Local derivatives, final gradients and the order of one frame."""

    def __init__(self, frame: Frame, shown: frozenset[Extra]) -> None:
        self._frame = frame
        self._shown = shown

    def slope(self, wire: Wire, values: Mapping[int, float] | None = None) -> float | None:
        """Return the local derivative along a wire, once its inputs and its value are known.

        `values` are those of the whole pass, where not those of the frame.
        """
        graph, node = self._frame.graph, wire[0]
        known = self._frame.values if values is None else values
        if "slopes" not in self._shown or node not in known:
            return None
        if len(arguments(graph, node, known)) < len(graph.op(node).slots):
            return None
        return true_local(graph, wire, known)

    def final(self, node: int) -> float | None:
        """Return the gradient of a node at the end of the correct pass, before one has begun."""
        return self._finals.get(node)

    def place(self, node: int) -> int:
        """Return the place of a node in the order of the backward pass, leaves included; else 0."""
        return self._places.get(node, 0)

    @cached_property
    def _finals(self) -> Mapping[int, float]:
        frame = self._frame
        if "finals" not in self._shown or frame.phase == "backward" or pass_obstacle(frame.graph):
            return {}
        try:
            trace = run(frame.graph)
        except EngineError:
            return {}
        return trace.gradients

    @cached_property
    def _places(self) -> Mapping[int, int]:
        graph = self._frame.graph
        if "order" not in self._shown or graph.root is None:
            return {}
        return {node: turn + 1 for node, turn in graph.plan(graph.root).turns.items()}


class NumberRooms(NamedTuple):
    """The widths in px at 100 % that a node has for its numbers while epochs are done.

    Those of its columns and of its value, which has less where a leaf shows its value before an
    update too; and of the strip with that update.
    """

    left: float
    right: float
    value: float
    strip: float = 0.0


IDLE, FORWARD, DONE = WireLook("idle", -1), WireLook("forward", -1), WireLook("done", -1)
RIPPLE = WireLook("ripple", -1)


class Looks:
    """Reads looks from a frame.

    Where the correct pass is given as `beside`, gradients that a mistake made wrong are flagged.
    """

    def __init__(
        self,
        frame: Frame,
        short: Write,
        signed: Write,
        beside: Comparison | None = None,
        extras: frozenset[Extra] = frozenset(),
        notation: Notation = "partial",
    ) -> None:
        self.frame = frame
        self.answers: Mapping[str, str] = {}
        """What was typed where a number of the next step is asked for, by kind of question."""
        self.graph = frame.graph
        self.short = short
        self.signed = signed
        self.beside = beside
        self.descending: LoopState | None = None
        """The training loop of which the frame is a state, if it is one."""
        self.rippled: GraphRipple | None = None
        """The change that is shown on its way; contributions are hidden meanwhile."""
        self.rooms: Callable[[int], NumberRooms] | None = None
        """The room that a node has for its numbers, where they may become too long for it."""
        hides = frame.hidden is not None  # a learner is asked
        self.lanes_beside = None if hides else beside
        """The correct pass, where its numbers stand beside those of a mistake."""
        self._current, self._event, self._next = frame.current, frame.event, frame.next_event
        lit = frame.lit
        self._firing = lit.wire if isinstance(lit, Event) and lit is self._event else None
        self._following = None if self._next is None else self._next.wire
        self.captions = Captions(frame.graph, short, notation)
        self.ledgers = Ledgers(frame, short, signed)
        self.extras = Extras(frame, extras)

    def show_answers(self, answers: Mapping[str, str]) -> None:
        """Show what was typed where a number of the next step is asked for."""
        self.answers = self.ledgers.answers = answers

    def take_over(self, before: Looks) -> None:
        """Reuse from the previous looks what depends on the wiring alone, if that is unchanged.

        Both must write numbers alike.
        """
        if before.graph.structure is not self.graph.structure:
            return
        self.captions.take_over(before.captions)
        self.ledgers.take_over(before.ledgers)

    def only_numbers_since(self, before: Looks) -> bool:
        """Return whether only numbers differ: same wiring, same step of the pass."""
        mine, other = self.frame, before.frame
        if mine.graph.structure is not other.graph.structure or mine.phase != other.phase:
            return False
        if mine.trace is None or other.trace is None:
            same = (
                mine.fired.keys() == other.fired.keys() and mine.grads.keys() == other.grads.keys()
            )
            return same and mine.unhidden is other.unhidden
        same = mine.cursor == other.cursor and mine.trace.schedule is other.trace.schedule
        return same and (mine.covered, mine.hides) == (other.covered, other.hides)

    def tones_since(self, before: Looks) -> bool:
        """Return whether every node kept its tone: only numbers differ, and all are finite."""
        if not self.only_numbers_since(before) or self.beside or before.beside:
            return False
        frames = (self.frame, before.frame)
        return all(math.isfinite(sum(frame.values.values())) for frame in frames)

    def wires_since(self, before: Looks) -> bool:
        """Return whether every wire is drawn as before: only numbers differ, with equal zeros."""
        if self.rippled is not before.rippled:
            return False
        if not self.only_numbers_since(before):
            return False
        mine, other = self.frame.fired.values(), before.frame.fired.values()
        pairs = zip(mine, other, strict=True)
        return all((a.contribution == 0) == (b.contribution == 0) for a, b in pairs)

    def write(self, node: int, x: float, room: Literal["left", "right", "value"]) -> str:
        """Write a number of a node, while epochs are done so that it has room."""
        if self.rooms is None:
            return self.short(x)
        return fit(x, "number", getattr(self.rooms(node), room))

    def state(self, node: int) -> NodeState:
        """Return what a node does in the step that is lit; a ripple lights no step."""
        if self.rippled is not None:
            return "done" if node in self.frame.grads else "idle"
        return node_state(self.frame, node)

    def wire(self, wire: Wire) -> WireLook:
        """Return how a wire is drawn."""
        frame = self.frame
        if self.rippled is not None:
            return RIPPLE if self.rippled.carries(wire) else IDLE
        if frame.phase != "backward":
            step = self._current
            if isinstance(step, Computed) and step.node == wire[0]:
                return FORWARD
            goes_back = wire in frame.fired or (
                bool(frame.fired) and _is_seed_wire(self.graph, wire)
            )
            return DONE if goes_back else IDLE
        fired = frame.fired.get(wire)
        if wire == self._following and frame.covered:
            return WireLook("asked", self.ledgers.hue(wire))
        if wire == self._firing:
            return WireLook("firing", self.ledgers.hue(wire))
        if wire == self._following:
            return WireLook("next", self.ledgers.hue(wire))
        if fired is None:
            return DONE if frame.cursor and _is_seed_wire(self.graph, wire) else IDLE
        return WireLook("zero" if fired.contribution == 0 else "done", self.ledgers.hue(wire))

    def label(self, wire: Wire) -> LabelLook | None:
        """Return a wire's label, or None while it has none."""
        if self.frame.phase != "backward" or self.rippled is not None:
            return None
        if self._next is not None and self._following == wire and self.frame.cursor:
            return self._next_label(self._next, self.ledgers.hue(wire))
        fired = self.frame.fired.get(wire)
        if fired is None:
            return None
        state = "firing" if self._firing == wire else "done"
        return _fired_label(self, fired, state, self.lanes_beside)

    def final_label(self, event: Event, beside: Comparison | None = None) -> LabelLook:
        """Return the label of an event once it has fired, for which space must be reserved."""
        return _fired_label(self, event, "done", beside or self.lanes_beside)

    def hue(self, wire: Wire) -> int:
        """Return a wire's index among its siblings, or -1."""
        return self.ledgers.hue(wire)

    def tone(self, node: int) -> Tone:
        """Return the state by which a node is coloured when zoomed out."""
        wrong = self.beside is not None and self.beside.right(self.frame, node) is not None
        return far_tone(self.frame, node, wrong)

    def by_convention(self, wire: Wire) -> bool:
        """Return whether the local derivative along a wire is a convention, as at a kink."""
        return by_convention(self.graph, wire, self.frame.values)

    def right(self, node: int) -> str:
        """Return the correct gradient of a node, if a mistake gave it another one; else ""."""
        right = None if self.beside is None else self.beside.right(self.frame, node)
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
            local = typed(self.answers.get("local", ""))
        if event.contribution is HIDDEN:
            contribution = self.answers.get("contribution") or contribution
        if event.upstream is HIDDEN:
            return LabelLook("", "", contribution, "asked", hue)
        text = contribution if self.frame.hides == "step" else "···"
        return LabelLook(upstream, local, text, "asked" if self.frame.covered else "next", hue)


def _fired_label(
    looks: Looks, event: Event, state: Literal["firing", "done"], beside: Comparison | None
) -> LabelLook:
    """Return the label of a contribution; of a wrong one the correct one with a red tail."""
    hue = looks.hue((event.target, event.slot))
    right = None if beside is None or event.wire is None else beside.correct.get(event.wire)
    if right is None or same(right.contribution, event.contribution):
        return LabelLook(*looks.factors(event), state, hue)
    return LabelLook(*looks.factors(right), state, hue, looks.short(event.contribution))


def _is_seed_wire(graph: Graph, wire: Wire) -> bool:
    return isinstance(graph.nodes[wire[0]], Root) and wire[0] == graph.active_root
