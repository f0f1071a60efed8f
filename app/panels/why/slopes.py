"""The local derivatives of an op node: the formula of each slot, and its number once known."""

from __future__ import annotations

from collections.abc import Sequence

from app.controls.rich_text import Span, filled
from app.style.notation import Notation
from app.workbench.gradients.comparison import same
from app.workbench.gradients.formulas import SIGNS, input_names, local_fraction, variable
from engine.frame import Frame
from engine.graph import Graph, Wire
from engine.numbers import HIDDEN, Digits, short
from engine.problems import arguments, by_convention, true_local
from engine.rules import UNKNOWN


def slopes(
    frame: Frame, node: int, digits: Digits, notation: Notation = "partial"
) -> tuple[Span, ...]:
    """Return `∂e/∂a = b = −3`, one line per slot; numbers are included once they may be known.

    While a learner is asked, neither formula nor number of what has not fired is told.
    Where a convention gives the number, as at a kink, the formula is left out. Where a mistake uses
    another number than the local derivative, that follows after ≠.
    """
    graph, op = frame.graph, frame.graph.op(node)
    asks = frame.hides not in (None, "end")
    lines: list[Sequence[Span]] = []
    for slot, slope in enumerate(op.slopes):
        given = by_convention(graph, (node, slot), frame.values)
        over, under = _fraction(graph, (node, slot), notation)
        rule = "" if given else op.filled(slope, input_names(graph, node, digits))
        right, used = _numbers(frame, (node, slot))
        number = "" if right is None else short(right, digits)
        if right is HIDDEN or (right is None and asks):  # the rule is asked for too
            number, text = short(HIDDEN, digits), "{slope} = {number}"
        elif given:
            text = "{slope} = {number} by convention" if number else "{slope} by convention"
        else:
            text = "{slope} = {rule}" if number in ("", rule) else "{slope} = {rule} = {number}"
        bold, fraction = Span(number, "local", bold=True), Span(over, "local", under=under)
        line = filled(text, slope=fraction, rule=rule, number=bold)
        if right is not None and used is not None and not same(right, used):
            unequal, wrong = Span("≠", "error", bold=True), Span(short(used, digits), "error")
            text = "{line} {unequal} {wrong}, which the mistake takes"
            line = filled(text, line=line, unequal=unequal, wrong=wrong)
        lines.append(line)
    return tuple(span for k, line in enumerate(lines) for span in (*_NEXT_LINE[:k], *line))


_NEXT_LINE = (Span("\n"),)


def _fraction(graph: Graph, wire: Wire, notation: Notation) -> tuple[str, str]:
    """Return numerator and denominator; an empty slot is named by its letter."""
    if graph.source(wire) is not None:
        return local_fraction(graph, wire, notation)
    sign = SIGNS[notation]
    return f"{sign}{variable(graph, wire[0])}", f"{sign}{graph.op(wire[0]).slots[wire[1]]}"


def has_convention(frame: Frame, node: int) -> bool:
    """Return whether a convention gives some local derivative of the node."""
    slots = range(len(frame.graph.inputs(node)))
    return any(by_convention(frame.graph, (node, slot), frame.values) for slot in slots)


def _numbers(frame: Frame, wire: Wire) -> tuple[float | None, float | None]:
    """Return the local derivative along a wire, and the number that the pass uses for it.

    In a backward pass both are known only for what has fired or fires next; outside one for
    everything that is computed.
    """
    node = wire[0]
    event = frame.fired.get(wire)
    if event is None and frame.cursor and frame.next_event is not None:
        event = frame.next_event if frame.next_event.wire == wire else None
    if frame.phase == "backward" and event is None:
        return None, None
    if frame.trace is not None and frame.trace.rules is UNKNOWN:
        return None, None  # both together would show a mistake
    known = arguments(frame.graph, node, frame.values)
    op, value = frame.graph.op(node), frame.values.get(node)
    if len(known) < len(op.slots) or value is None:
        return None, None
    if event is not None and event.local is HIDDEN:
        return HIDDEN, HIDDEN
    return true_local(frame.graph, wire, frame.values), None if event is None else event.local
