"""Faces: the numbers on a node, as one table of cells per kind of node.

Painting near and far, measuring and accessible names walk this table: a new number on a node is one
more Cell. WholePass gives each cell its texts at all steps of a pass, for measuring.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from functools import cache, cached_property, partial
from typing import Final, Literal, NamedTuple

from app.canvas.appearance.looks import (
    LONGEST_NUMBER_TEXT,
    STRIP_ROLE,
    BodyLook,
    ChipLook,
    LedgerLook,
    Looks,
    NodeLook,
    NumberLook,
    UpdateLook,
    badge_number,
    displayed_node,
    fit,
    fit_factors,
    is_firing,
)
from app.document.node_sizes import CAPTION_NUMBER_GAP, is_pill
from app.document.sheet import is_large
from app.style.strokes import width
from app.workbench.gradients.comparison import Comparison, compare
from app.workbench.gradients.explanation import causes_of
from engine.errors import EngineError
from engine.frame import frame_at
from engine.graph import Constant, Graph, Leaf, Root, Wire, kind_of
from engine.numbers import ASKED, HIDDEN, NO_PATH, NOT_COMPUTED
from engine.rules import CORRECT, Rules
from engine.trace import Computed, Event, Trace, run


class WholePass:
    """All steps of the current or the next backward pass, for whose texts nodes reserve space.

    Only the values if the graph has no backward pass.
    """

    def __init__(self, looks: Looks, rules: Rules = CORRECT) -> None:
        self.looks, self.rules = looks, rules
        self.loop = looks.loop_state
        self.shown: Trace | None = looks.frame.unhidden
        """The pass on the screen, forward or backward; None while values are live."""

    @property
    def graph_is_large(self) -> bool:
        """Return whether no pass is run for texts: numbers get a fixed width."""
        return is_large(self.looks.graph)

    @property
    def backward(self) -> bool:
        """Return whether a backward pass is shown."""
        return self.shown is not None and self.shown.phase == "backward"

    @cached_property
    def trace(self) -> Trace | None:
        """The current or the next backward pass; None if the graph has none or is large."""
        if self.backward or self.graph_is_large:
            return self.shown if self.backward else None
        try:
            return run(self.looks.graph, rules=self.rules)
        except (EngineError, ValueError):
            return None

    @property
    def values(self) -> Mapping[int, float]:
        """Return the values of all nodes."""
        return self.looks.frame.values if self.shown is None else self.shown.values

    @cached_property
    def comparison(self) -> Comparison | None:
        """The correct pass, if a mistake is on."""
        return None if self.trace is None else compare(self.trace)

    @property
    def has_wrong_gradients(self) -> bool:
        """Return whether a gradient is wrong in the current pass, by a mistake or by hand."""
        return self.backward and self.comparison is not None and bool(self.comparison.ever_wrong)

    @cached_property
    def at_end(self) -> Looks | None:
        """The looks at the end of the pass, if a mistake is on."""
        if self.trace is None or self.comparison is None:
            return None
        frame = frame_at(self.trace, len(self.trace))
        return Looks(frame, self.looks.short, self.looks.signed, self.comparison)

    def arriving(self, node: int) -> list[Event]:
        """Return the events in which a node receives a contribution."""
        if self.trace is None:
            return []
        return [self.trace.events[k] for k in self.trace.schedule.arrivals.get(node, ())]

    def carried_by(self, wire: Wire) -> list[Event]:
        """Return the events that a wire carries."""
        source = self.looks.graph.source(wire)
        events = () if source is None else self.arriving(source)
        return [event for event in events if event.wire == wire]

    def max_chips_per_sweep(self, node: int) -> int:
        """Return the maximum number of contributions to a node in one sweep."""
        sweeps = [event.sweep for event in self.arriving(node)]
        return max((sweeps.count(sweep) for sweep in set(sweeps)), default=0)

    def learns(self, node: int) -> bool:
        """Return whether a training loop is shown in which this leaf learns."""
        # LoopState.loop: the loop's settings, of which `chosen` are the leaves that learn
        return self.loop is not None and node in self.loop.descent.chosen

    def local_may_change(self, node: int) -> bool:
        """Return whether a training loop may change a local derivative of an op."""
        graph = self.looks.graph
        op, inputs = graph.op(node), graph.inputs(node)
        # of a product with a constant: the derivative by the other factor is that constant
        fixed = [s is not None and isinstance(graph.nodes[s], Constant) for s in inputs]
        return not (op.has_constant_slopes or (op.name == "mul" and any(fixed)))


Column = Literal["left", "right"]
NO_PATH_NOTE: Final = "no path"
"""Note on the gradient of a node from which no path leads to the root."""


class Cell(NamedTuple):
    """A number of a node: place, caption, text at a frame, and all its texts in a pass."""

    column: Column
    row: int
    number: Callable[[Looks, int], NumberLook]
    """Returns the number of a node at one frame."""
    of_pass: Callable[[WholePass, int], Iterable[NumberLook]]
    """Returns the numbers of a node at all steps of a pass, of which the widest is measured."""
    caption: str = ""
    """Text left of the number or above it; "" for a local derivative, whose slot has a caption."""
    spoken: str = ""
    """Word before the number in the accessible name of the node."""


@cache
def face(kind: str, slots: int) -> tuple[Cell, ...]:
    """Return the cells of a node, first those of its right column.

    With 0 `slots` those are all: the local derivatives of an op are left out.
    """
    return FACES[kind] + tuple(map(_local_cell, range(slots if kind == "op" else 0)))


def node_kind(graph: Graph, node: int) -> str:
    """Return the kind of a node, by which it has its face and its outline."""
    return "pill" if is_pill(graph, node) else kind_of(graph.nodes[node])


def body_look(looks: Looks, node: int) -> BodyLook:
    """Return the look of a node without names and numbers; costs a tenth of `node_look`."""
    graph, frame = looks.graph, looks.frame
    shown = displayed_node(looks.graph, node)
    value = None if shown is None else frame.values.get(shown)
    return BodyLook(
        kind=node_kind(graph, node),
        symbol=looks.captions.symbol(node),
        plugged=tuple([source is not None for source in graph.inputs(node)]),
        state=looks.state(node),
        value_known=value is not None,
        grad_known=shown in frame.grads,
        bad=value is not None and not math.isfinite(value),
        active=not isinstance(graph.nodes[node], Root) or node == graph.active_root,
        learns=looks.loop_state is not None and node in looks.loop_state.descent.chosen,
    )


def node_look(looks: Looks, node: int) -> NodeLook:
    """Return the look of a node."""
    frame, comparison, body = looks.frame, looks.shown_comparison, body_look(looks, node)
    correct_grad, correct, causes = looks.correct_grad_text(node), None, dict[str, str]()
    wrong = comparison is not None and node in comparison.ever_wrong
    # a single contribution has no sum, but a wrong one is shown under the correct ledger
    ledger = looks.ledgers.ledger(node, single=wrong)
    if comparison is not None and wrong and correct_grad:
        correct = looks.ledgers.correct_ledger(node, comparison)
    if correct is not None:
        cause = causes_of(frame, comparison, node, looks.short, looks.signed)
        here = ", ".join(damage.brief for damage in cause.causes_here)
        causes = {"here": here, "before": ", ".join(cause.causes_upstream)}
    firing_number = badge_number(frame, node) if looks.shows_pass else 0
    cells = face(body.kind, len(body.plugged))
    return NodeLook(
        body=body,
        texts=looks.captions.texts(node),
        numbers=tuple([cell.number(looks, node) for cell in cells]),
        ledger=ledger if ledger.total or correct else LedgerLook(),
        waiting=None if ledger.chips or ledger.asked else _empty_place(looks, node),
        badge=looks.optional_numbers.backward_position(node) or firing_number,
        badge_filled=bool(firing_number) and is_firing(frame, node),
        correct_grad=correct_grad,
        correct=correct,
        causes=tuple((name, text) for name, text in causes.items() if text),
        update=_update(looks, node),
    )


def _empty_place(looks: Looks, node: int) -> ChipLook | None:
    """Return the place of a contribution to come; None while a lesson folds it, if not asked."""
    chip = looks.ledgers.pending_chip(node)
    is_folded = chip is not None and chip.state == "waiting" and "places" in looks.folded
    return None if is_folded else chip


# the cells at a frame


def _value(looks: Looks, node: int) -> NumberLook:
    frame, found, shown = looks.frame, looks.graph.nodes[node], displayed_node(looks.graph, node)
    upcoming = frame.upcoming
    if isinstance(upcoming, Computed) and upcoming.node == node and frame.hides_number:
        return NumberLook(looks.answers.get("value", ASKED), "asked")
    value = None if shown is None else frame.values.get(shown)
    if value is None:
        return NumberLook(NOT_COMPUTED, "unknown")
    text = looks.write(node, value, "value")
    if not math.isfinite(value):
        return NumberLook(text, "bad")
    stale = looks.loop_state is not None and looks.loop_state.stale
    kind = "stale" if stale and not isinstance(found, Leaf | Constant) else "value"
    return NumberLook(text, kind, looks.program_note("values", shown or 0, value))


def _grad(looks: Looks, node: int) -> NumberLook:
    graph, frame, shown = looks.graph, looks.frame, displayed_node(looks.graph, node)
    if shown in frame.asked_finals:
        return NumberLook(looks.answers.get(f"final {shown}", ASKED), "asked")
    if node in frame.unreachable_leaves:
        return NumberLook(NO_PATH, "no path", NO_PATH_NOTE)
    is_inactive_root = isinstance(graph.nodes[node], Root) and node != graph.active_root
    grad = None if shown is None or is_inactive_root else frame.grads.get(shown)
    if grad is None and shown is not None and not is_inactive_root:
        grad = looks.optional_numbers.final_grad(shown)
    if grad is None:
        return NumberLook(NOT_COMPUTED, "unknown")
    kind = "grad" if math.isfinite(grad) else "bad"
    note = _previous_grad_note(looks, node)
    if frame.phase == "backward" and frame.cursor == frame.total:
        note = looks.program_note("grads", shown or 0, grad) or note
    return NumberLook(looks.write(node, grad, "right"), kind, note)


def _previous_grad_note(looks: Looks, node: int) -> str:
    """Return the gradient before this step, as `was 3`; "" at the first contribution."""
    frame = looks.frame
    event, trace = frame.event, frame.trace
    if event is None or trace is None or event.node != node or event.kind == "seed":
        return ""
    if frame.highlighted is not event or not looks.shows_pass:
        return ""
    # the current event is at index cursor - 1
    is_first_arrival = trace.schedule.arrivals.get(node, ())[:1] == (frame.cursor - 1,)
    return "" if is_first_arrival else f"was {looks.short(event.before)}"


def _local(looks: Looks, node: int, slot: int) -> NumberLook:
    frame, wire = looks.frame, (node, slot)
    event, upcoming = frame.fired.get(wire), frame.next_event
    is_next = upcoming is not None and upcoming.wire == wire
    if event is None and is_next and looks.tells_next:
        event = upcoming
    # the step hides it as a question, until its answer is typed
    is_hidden = upcoming is not None and upcoming.sender == node and upcoming.local is HIDDEN
    by_convention = event is not None and looks.by_convention(wire)
    if is_hidden and frame.hides == "step" and (event is None or event.local is HIDDEN):
        answer = looks.answers.get("local", "") if is_next else ""
        return NumberLook(answer or ASKED, "asked", by_convention=by_convention)
    slope = looks.optional_numbers.local_derivative(wire) if event is None else event.local
    text = "" if slope is None else looks.write(node, slope, "left")
    return NumberLook(text, "local", by_convention=by_convention)


def _update(looks: Looks, node: int) -> UpdateLook | None:
    """Return the last update of a leaf by a training loop, fitted to its width, or None."""
    move = None if looks.loop_state is None else looks.loop_state.moves.get(node)
    if move is None or looks.number_widths is None:
        return None
    rate, number_widths = looks.short(move.rate), looks.number_widths(node)
    before, grad = fit_factors(move.before, move.grad, rate, number_widths.strip)
    after = fit(move.after, STRIP_ROLE, number_widths.strip - width("= ", STRIP_ROLE))
    used = width(fit(move.after, "number", number_widths.value), "number") + CAPTION_NUMBER_GAP
    struck = fit(move.before, "caption", number_widths.right - used)
    return UpdateLook(before, rate, grad, after, struck if move.before != move.after else "")


# the cells in a whole pass; in a training loop also the longest number of a later epoch


def _values_of_pass(whole_pass: WholePass, node: int) -> Iterable[NumberLook]:
    shown = displayed_node(whole_pass.looks.graph, node)
    if shown is None or shown not in whole_pass.values:
        return
    looks = whole_pass.looks
    value = whole_pass.values[shown]
    yield NumberLook(looks.short(value), note=looks.program_note("values", shown, value))
    if whole_pass.loop is not None:
        yield NumberLook(LONGEST_NUMBER_TEXT)


def _grads_of_pass(whole_pass: WholePass, node: int) -> Iterable[NumberLook]:
    trace, shown = whole_pass.trace, displayed_node(whole_pass.looks.graph, node)
    if trace is None or shown is None:
        return
    events = whole_pass.arriving(shown)
    for event in events:
        yield NumberLook(whole_pass.looks.short(event.after))
    if (last := trace.gradients.get(shown)) is not None:
        note = whole_pass.looks.program_note("grads", shown, last)
        yield NumberLook(whole_pass.looks.short(last), note=note)
    if whole_pass.loop is not None:
        yield NumberLook(LONGEST_NUMBER_TEXT)
    elif not events and node in trace.graph.structure.unreachable_leaves(trace.root):
        yield NumberLook(NO_PATH, note=NO_PATH_NOTE)


def _locals_of_pass(whole_pass: WholePass, node: int, slot: int) -> Iterable[NumberLook]:
    events = whole_pass.carried_by((node, slot))
    by_convention = bool(events) and whole_pass.looks.by_convention((node, slot))
    for event in events:
        yield NumberLook(whole_pass.looks.short(event.local), by_convention=by_convention)
    slope = whole_pass.looks.optional_numbers.local_derivative((node, slot), whole_pass.values)
    if slope is not None:  # shown without a pass too
        yield NumberLook(whole_pass.looks.short(slope))
    if whole_pass.loop is not None and whole_pass.local_may_change(node):
        yield NumberLook(LONGEST_NUMBER_TEXT, by_convention=by_convention)


def _local_cell(slot: int) -> Cell:
    """Return the cell of the local derivative along a slot."""
    number, of_pass = partial(_local, slot=slot), partial(_locals_of_pass, slot=slot)
    return Cell("left", slot, number, of_pass)


DATA: Final = Cell("right", 0, _value, _values_of_pass, caption="data", spoken="value")
GRAD: Final = Cell("right", 1, _grad, _grads_of_pass, caption="grad", spoken="gradient")
FACES: Final = {
    "leaf": (DATA, GRAD),
    "constant": (DATA,),
    "pill": (DATA,),
    "op": (DATA, GRAD),
    "root": (DATA, GRAD),
}
"""The cells of each kind of node; an op has one more per slot, the local derivative along it."""
