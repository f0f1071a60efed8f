"""The local derivatives of an op node: the rule of each slot, and its number once it is known."""

from __future__ import annotations

from app.controls.rich_text import Span
from app.style.numbers import NOT_COMPUTED, Digits, short
from app.workbench.formulas import along, brief, input_names
from engine.frame import Frame
from engine.graph import Wire


def slopes(frame: Frame, node: int, digits: Digits) -> tuple[Span, ...]:
    """`∂e/∂a = b = −3`, one line for each slot."""
    graph, op = frame.graph, frame.graph.op(node)
    spans: list[Span] = []
    for slot, slope in enumerate(op.slopes):
        plugged = graph.inputs(node)[slot] is not None
        variable = brief(along(graph, (node, slot)), 12) if plugged else op.slots[slot]
        rule = op.filled(slope, input_names(graph, node))
        number = _number(frame, (node, slot), digits)
        spans += [
            Span("\n" if slot else ""),
            Span(f"∂{brief(graph.names[node], 12)}", "local", under=f"∂{variable}"),
            Span(f" = {rule}"),
            Span("" if number == rule else " = "),
            Span("" if number == rule else number, "local", bold=True),
        ]
    return tuple(span for span in spans if span.text)


def at_kink(frame: Frame, node: int) -> bool:
    """Whether the node's inputs sit on a kink."""
    inputs = [frame.values.get(s) for s in frame.graph.inputs(node) if s is not None]
    known = [x for x in inputs if x is not None]
    op = frame.graph.op(node)
    return len(known) == len(op.slots) and op.kink(*known)


def _number(frame: Frame, wire: Wire, digits: Digits) -> str:
    """In a backward pass only what has fired or fires next; outside one whatever is computed."""
    node, slot = wire
    if frame.phase == "backward":
        event, following = frame.fired.get(wire), frame.next_event
        if event is None and following is not None and following.wire == wire and frame.cursor:
            event = following
        return NOT_COMPUTED if event is None else short(event.local, digits)
    values = [frame.values.get(s) for s in frame.graph.inputs(node) if s is not None]
    known = [x for x in values if x is not None]
    op, value = frame.graph.op(node), frame.values.get(node)
    if len(known) < len(op.slots) or value is None:
        return NOT_COMPUTED
    return short(op.partials[slot](*known, value), digits)
