"""Worked ranges: what an answer may come to when it is computed from the numbers as printed.

Each printed number stands for all that are printed so. Where there are several ways to an answer,
as from a slope that is shown or from the inputs, the range of each counts.

>>> from engine import from_expression
>>> from engine.study.question import Question
>>> from engine.trace import run
>>> trace = run(from_expression("y = tanh(a - b) * f", {"a": 2, "b": 1.5, "f": -2}))
>>> low, high = answer_range(Question("contribution", 4, 0, 4), trace, 4, {})
>>> low <= -2 * 0.7864 <= high, low <= -2 * 0.786 <= high
(True, False)
"""

from collections.abc import Mapping

from engine.graph import OpNode
from engine.numbers import Digits
from engine.op import Op
from engine.problems import arguments
from engine.study.question import Kind, Question, answer, facts
from engine.study.ranges import Range, hull, minus, plus, printed, slope_range, times, value_range
from engine.trace import Event, Trace


def answer_range(
    question: Question, trace: Trace, digits: Digits, stands_for: Mapping[Kind, Range]
) -> Range:
    """Return the range of an answer; `stands_for` has what the blanks of the same wire may be.

    Any other number around the wire stands for all that are printed so.
    """
    match question.kind:
        case "local" | "contribution" | "sum":
            return _along_wire(question, trace, digits, stands_for)
        case "value":
            box = _box(trace, question.node, digits)
            return value_range(trace.graph.op(question.node), box)
        case "final":
            return _at_the_end(trace, digits).get(question.node, (0.0, 0.0))
        case "change":
            return _change(question, trace, digits)
        case "upstream":
            return printed(facts(question, trace).upstream, digits)
        case "sign" | "next" | "paths" | "text":
            right = answer(question, trace)
            return right, right


def _along_wire(
    question: Question, trace: Trace, digits: Digits, stands_for: Mapping[Kind, Range]
) -> Range:
    at = facts(question, trace)
    local = _slope(trace, question.node, at.op, at.slot, digits)
    if question.kind == "local":
        return local
    local = hull(local, stands_for.get("local") or printed(at.local, digits))
    contribution = times(printed(at.upstream, digits), local)
    if question.kind == "contribution":
        return contribution
    shown = stands_for.get("contribution") or printed(at.contribution, digits)
    come = hull(contribution, shown)
    return plus(printed(at.before, digits), come) if trace.rules.accumulate else come


def _box(trace: Trace, node: int, digits: Digits) -> list[Range]:
    return [printed(x, digits) for x in arguments(trace.graph, node, trace.values)]


def _slope(trace: Trace, node: int, op: Op, slot: int, digits: Digits) -> Range:
    """Return the range of the local derivative that the pass uses along a slot."""
    used = trace.rules.slope_slot(op, slot)
    return slope_range(op, used, _box(trace, node, digits), printed(trace.values[node], digits))


def _at_the_end(trace: Trace, digits: Digits) -> dict[int, Range]:
    """Return the ranges of all gradients at the end, from the values that are printed."""
    grads: dict[int, Range] = dict.fromkeys(trace.values, (0.0, 0.0))
    for event in trace.events:
        if event.kind == "contribution":
            come = times(grads[event.target], _slope_of(event, trace, digits))
            held = grads[event.node]
            grads[event.node] = plus(held, come) if trace.rules.accumulate else come
        else:
            grads[event.node] = event.after, event.after
    return grads


def _slope_of(event: Event, trace: Trace, digits: Digits) -> Range:
    found = _slope(trace, event.target, trace.graph.op(event.target), event.slot, digits)
    return hull(found, (event.local, event.local))


def _change(question: Question, trace: Trace, digits: Digits) -> Range:
    """Return the range of the new value, computed from the printed numbers, less the old one."""
    graph, found = trace.graph, {question.leaf: (question.to, question.to)}
    for node in graph.plan(question.node).order:
        part = graph.nodes[node]
        inputs = graph.inputs(node)
        if isinstance(part, OpNode) and not found.keys().isdisjoint(inputs):
            box = [
                found.get(source, printed(trace.values[source], digits))
                for source in inputs
                if source is not None
            ]
            found[node] = value_range(graph.op(node), box)
    old = printed(trace.values[question.node], digits)
    return minus(found.get(question.node, old), old)
