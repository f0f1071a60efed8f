"""The local derivatives of an op node: the rule of each slot, and its number once it is known."""

from __future__ import annotations

from app.controls.rich_text import Span
from app.style.numbers import Digits, short
from app.workbench.comparison import same
from app.workbench.formulas import brief, input_names, local_fraction
from engine.frame import Frame
from engine.graph import Graph, Wire


def slopes(frame: Frame, node: int, digits: Digits) -> tuple[Span, ...]:
    """`∂e/∂a = b = −3`, one line for each slot; the number once it may be known.

    Where a convention gives the number, as on a kink, the rule is left out. Where a mistake uses
    another number than the local derivative, it stands there after ≠.
    """
    graph, op, inputs = frame.graph, frame.graph.op(node), _inputs(frame, node)
    spans: list[Span] = []
    for slot, slope in enumerate(op.slopes):
        given = inputs is not None and op.by_convention(slot, *inputs)
        over, under = _fraction(graph, (node, slot))
        rule = "" if given else op.filled(slope, input_names(graph, node, digits))
        right, used = _numbers(frame, (node, slot))
        number = "" if right is None else short(right, digits)
        spans += [
            Span("\n" if slot else ""),
            Span(over, "local", under=under),
            Span(f" = {rule}" if rule else ""),
            *([Span(" = "), Span(number, "local", bold=True)] if number not in ("", rule) else []),
            Span(" by convention" if given else ""),
        ]
        if right is not None and used is not None and not same(right, used):
            spans += [Span(" ≠ ", "error", bold=True), Span(short(used, digits), "error"), _USED]
    return tuple(span for span in spans if span.text)


_USED = Span(", which the mistake takes")


def _fraction(graph: Graph, wire: Wire) -> tuple[str, str]:
    """What stands over and under the bar; an empty slot goes by its letter."""
    if graph.source(wire) is not None:
        return local_fraction(graph, wire)
    return f"∂{brief(graph.names[wire[0]], 12)}", f"∂{graph.op(wire[0]).slots[wire[1]]}"


def has_convention(frame: Frame, node: int) -> bool:
    """Whether a convention gives some slope of the node."""
    inputs, op = _inputs(frame, node), frame.graph.op(node)
    return inputs is not None and any(op.by_convention(k, *inputs) for k in range(len(inputs)))


def _inputs(frame: Frame, node: int) -> list[float] | None:
    """The numbers that go into an op node; None unless all are known."""
    found = [frame.values.get(s) for s in frame.graph.inputs(node) if s is not None]
    known = [x for x in found if x is not None]
    return known if len(known) == len(frame.graph.op(node).slots) else None


def _numbers(frame: Frame, wire: Wire) -> tuple[float | None, float | None]:
    """The local derivative along a wire, and the number that the pass takes for it.

    In a backward pass only of what has fired or fires next; outside one of whatever is computed.
    """
    node, slot = wire
    event = frame.fired.get(wire)
    if event is None and frame.cursor and frame.next_event is not None:
        event = frame.next_event if frame.next_event.wire == wire else None
    if frame.phase == "backward" and event is None:
        return None, None
    values = [frame.values.get(s) for s in frame.graph.inputs(node) if s is not None]
    known = [x for x in values if x is not None]
    op, value = frame.graph.op(node), frame.values.get(node)
    if len(known) < len(op.slots) or value is None:
        return None, None
    return op.partials[slot](*known, value), None if event is None else event.local
