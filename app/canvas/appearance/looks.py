"""Looks: reads from one frame what nodes, wires and labels show; no drawing, no geometry."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from app.canvas.appearance.captions import Captions
from app.canvas.appearance.extras import Extras
from app.canvas.appearance.ledgers import Ledgers, typed
from app.canvas.appearance.look import (
    Figure,
    LabelLook,
    NodeLook,
    NodeState,
    Tone,
    UpdateLook,
    WireLook,
    Write,
)
from app.canvas.appearance.room import STRIP, fit, fit_factors
from app.canvas.appearance.states import badge_number, far_tone, is_firing, node_state
from app.document.node_sizes import AFTER_CAPTION, is_seated
from app.style.current import Extra
from app.style.notation import Notation
from app.style.strokes import width
from app.workbench.gradients.causes import NONE as NO_CAUSE
from app.workbench.gradients.causes import causes_of
from app.workbench.gradients.comparison import Comparison, same
from app.workbench.modes.loop import LoopState
from engine.frame import Frame
from engine.graph import Constant, Graph, Leaf, Node, OpNode, Root, Wire, kind_of
from engine.numbers import ASKED, HIDDEN, NO_PATH, NOT_COMPUTED
from engine.problems import by_convention
from engine.study.ripple import GraphRipple
from engine.trace import Computed, Event


class NumberRooms(NamedTuple):
    """The widths in px at 100 % that a node has for its numbers while epochs are done.

    Those of value, gradient and local derivatives; for a leaf also of the row with its value before
    an update, and of the strip with the update.
    """

    value: float
    grad: float
    local: float
    row: float = 0.0
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
        self._two_lanes = None if hides else beside
        self._current, self._event, self._next = frame.current, frame.event, frame.next_event
        lit = frame.lit
        self._firing = lit.wire if isinstance(lit, Event) and lit is self._event else None
        self._following = None if self._next is None else self._next.wire
        self.captions = Captions(frame.graph, short, notation)
        self._ledgers = Ledgers(frame, short, signed)
        self.extras = Extras(frame, extras)

    def show_answers(self, answers: Mapping[str, str]) -> None:
        """Show what was typed where a number of the next step is asked for."""
        self.answers = self._ledgers.answers = answers

    def take_over(self, before: Looks) -> None:
        """Reuse from the previous looks what depends on the wiring alone, if that is unchanged.

        Both must write numbers alike.
        """
        if before.graph.structure is not self.graph.structure:
            return
        self.captions.take_over(before.captions)
        self._ledgers.take_over(before._ledgers)

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

    def node(self, node: int) -> NodeLook:
        """Return what a node shows."""
        graph, frame = self.graph, self.frame
        found = graph.nodes[node]
        shown = found.input if isinstance(found, Root) else node
        value = None if shown is None else frame.values.get(shown)
        beside = self._two_lanes
        wrong = beside is not None and node in beside.ever_wrong
        ledger = self._ledgers.ledger(node, single=wrong)
        right = self._right(node)
        lane = None
        if beside is not None and wrong and right:
            lane = self._ledgers.correct(node, beside)
        cause = NO_CAUSE
        if lane is not None:
            cause = causes_of(frame, beside, node, self.short, self.signed)
        fired = badge_number(frame, node) if self.rippled is None else 0
        badge = self.extras.place(node) or fired
        kind = "pill" if is_seated(graph, node) else kind_of(found)
        texts = self.captions.texts(node)
        return NodeLook(
            kind=kind,
            label=texts.title,
            symbol=texts.symbol,
            caption=texts.caption or kind_of(found),
            value=self._value(value, found, node),
            grad=self._grad(node),
            was=self._was(node),
            locals=self._locals(node),
            slot_captions=texts.slots,
            plugged=tuple(source is not None for source in graph.inputs(node)),
            state=self.state(node),
            value_known=value is not None,
            grad_known=shown in frame.grads,
            bad=value is not None and not math.isfinite(value),
            chips=ledger.chips,
            more=ledger.more,
            total=self._ledgers.total(node) if ledger.chips or lane else "",
            waiting=None if ledger.chips else self._ledgers.waiting(node),
            badge=badge,
            badge_filled=bool(fired) and is_firing(frame, node),
            active=not isinstance(found, Root) or node == graph.active_root,
            right=right,
            correct=lane,
            here=", ".join(damage.brief for damage in cause.here),
            before=", ".join(cause.before),
            start=ledger.start,
            come=ledger.come,
            due=ledger.due,
            name=texts.name,
            shorter=texts.shorter,
            learns=self.descending is not None and node in self.descending.loop.chosen,
            update=self.update(node),
        )

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
            return WireLook("asked", self._ledgers.hue(wire))
        if wire == self._firing:
            return WireLook("firing", self._ledgers.hue(wire))
        if wire == self._following:
            return WireLook("next", self._ledgers.hue(wire))
        if fired is None:
            return DONE if frame.cursor and _is_seed_wire(self.graph, wire) else IDLE
        return WireLook("zero" if fired.contribution == 0 else "done", self._ledgers.hue(wire))

    def label(self, wire: Wire) -> LabelLook | None:
        """Return a wire's label, or None while it has none."""
        if self.frame.phase != "backward" or self.rippled is not None:
            return None
        if self._next is not None and self._following == wire and self.frame.cursor:
            return self._next_label(self._next, self._ledgers.hue(wire))
        fired = self.frame.fired.get(wire)
        if fired is None:
            return None
        state = "firing" if self._firing == wire else "done"
        return _fired_label(self, fired, state, self._two_lanes)

    def final_label(self, event: Event, beside: Comparison | None = None) -> LabelLook:
        """Return the label of an event once it has fired, for which space must be reserved."""
        return _fired_label(self, event, "done", beside or self._two_lanes)

    def slot_captions(self, node: int) -> tuple[str, ...]:
        """Return for each slot of an op along what its local derivative is."""
        return self.captions.slots(node)

    def hue(self, wire: Wire) -> int:
        """Return a wire's index among its siblings, or -1."""
        return self._ledgers.hue(wire)

    def tone(self, node: int) -> Tone:
        """Return the state by which a node is coloured when zoomed out."""
        wrong = self.beside is not None and self.beside.right(self.frame, node) is not None
        return far_tone(self.frame, node, wrong)

    # private

    def factors(self, event: Event) -> tuple[str, str, str]:
        """Return upstream gradient, local derivative and contribution as texts."""
        return (
            self.short(event.upstream),
            self.short(event.local),
            self.signed(event.contribution),
        )

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

    def update(self, node: int) -> UpdateLook | None:
        """Return what the last update of a training loop did to a leaf, or None."""
        move = None if self.descending is None else self.descending.moved.get(node)
        if move is None or self.rooms is None:
            return None
        rate, rooms = self.short(move.rate), self.rooms(node)
        before, grad = fit_factors(move.before, move.grad, rate, rooms.strip)
        after = fit(move.after, STRIP, rooms.strip - width("= ", STRIP))
        used = width(fit(move.after, "number", rooms.value), "number") + AFTER_CAPTION
        struck = fit(move.before, "caption", rooms.row - used)
        return UpdateLook(before, rate, grad, after, struck if move.before != move.after else "")

    def _number(self, node: int, x: float, place: Literal["value", "grad", "local"]) -> str:
        """Write a number of a node, while epochs are done so that it has room."""
        if self.rooms is None:
            return self.short(x)
        return fit(x, "number", getattr(self.rooms(node), place))

    def _value(self, value: float | None, found: Node, node: int) -> Figure:
        following = self.frame.upcoming
        if isinstance(following, Computed) and following.node == node and self.frame.covered:
            return Figure(self.answers.get("value", ASKED), "asked")
        if value is None:
            return Figure(NOT_COMPUTED, "unknown")
        stale = self.descending is not None and self.descending.stale
        if stale and math.isfinite(value) and not isinstance(found, Leaf | Constant):
            return Figure(self._number(node, value, "value"), "stale")
        fixed = isinstance(found, Constant)  # has the room of its number, as a pill too
        text = self.short(value) if fixed else self._number(node, value, "value")
        return Figure(text, "value" if math.isfinite(value) else "bad")

    def _grad(self, node: int) -> Figure | None:
        found = self.graph.nodes[node]
        if isinstance(found, Constant):
            return None
        shown = found.input if isinstance(found, Root) else node
        if shown in self.frame.finals:
            return Figure(self.answers.get(f"final {shown}", ASKED), "asked")
        if node in self.frame.pathless:
            return Figure(NO_PATH, "no path")
        grad = self.frame.grads.get(shown) if shown is not None else None
        if grad is None and shown is not None:
            grad = self.extras.final(shown)
        if isinstance(found, Root) and node != self.graph.active_root:
            grad = None
        if grad is None:
            return Figure(NOT_COMPUTED, "unknown")
        text = self._number(node, grad, "grad")
        return Figure(text, "grad" if math.isfinite(grad) else "bad")

    def _locals(self, node: int) -> tuple[tuple[str, bool], ...]:
        found = self.graph.nodes[node]
        if not isinstance(found, OpNode):
            return ()
        texts: list[tuple[str, bool]] = []
        following = self._next
        hides = (
            following is not None
            and following.target == node
            and following.local is HIDDEN
            and self.frame.hides == "step"
        )
        for slot in range(len(found.inputs)):
            event = self.frame.fired.get((node, slot))
            if event is None and self._following == (node, slot):
                event = self._next if self.frame.cursor else None
            slope = self.extras.slope((node, slot)) if event is None else event.local
            text = "" if slope is None else self._number(node, slope, "local")
            if hides and (event is None or event.local is HIDDEN):
                mine = self._following == (node, slot)
                text = typed(self.answers.get("local", "") if mine else "")
            texts.append((text, event is not None and self.by_convention(node, slot)))
        return tuple(texts)

    def by_convention(self, node: int, slot: int) -> bool:
        """Return whether the local derivative along a slot is a convention, as at a kink."""
        return by_convention(self.graph, (node, slot), self.frame.values)

    def _right(self, node: int) -> str:
        """Return the correct gradient of a node, if a mistake gave it another one; else ""."""
        right = None if self.beside is None else self.beside.right(self.frame, node)
        return "" if right is None else self.short(right)

    def _was(self, node: int) -> str:
        """Return what a node held before this step, unless it brings the first contribution."""
        event, trace = self._event, self.frame.trace
        if self.frame.lit is not event or self.rippled is not None:
            return ""
        if event is None or trace is None or event.node != node or event.kind == "seed":
            return ""
        first = trace.schedule.arrivals.get(node, ())[:1] == (self.frame.cursor - 1,)
        return "" if first else self.short(event.before)


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
