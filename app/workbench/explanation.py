"""Explanations: why a node's gradient is what it is, in one to four sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator

from app.style.numbers import Digits, short
from app.workbench.comparison import same
from app.workbench.derivation import Derivation
from app.workbench.formulas import along, brief, input_names, names_text
from app.workbench.listing import slope_rule
from engine.graph import Root
from engine.masked import mask_sentence, masked
from engine.problems import first_not_finite
from engine.rules import CORRECT


def explanation(found: Derivation, digits: Digits = 4) -> str:
    """What the panel says in words."""
    graph = found.frame.graph
    name = brief(graph.title(found.node))
    root = "the root" if found.root is None else brief(graph.title(found.root))
    trace = found.frame.trace
    if found.state == "root" and trace is not None and not trace.rules.seed:
        return f"{name} is the root, but nobody gives it the seed, 1, so its gradient stays 0."
    if found.state != "sum":
        return {
            "rootless": "Choose a root: the number whose gradient you want.",
            "root": f"{name} is the root. Its gradient is the seed, 1, as it changes as fast as"
            " itself.",
            "constant": f"{name} is a constant. It never changes, so no gradient is sent to it.",
            "fixed": f"Only constants feed {name}. It never changes, so no gradient is sent to it.",
            "pathless": f"No wires lead from {name} to {root}, so a change of {name} changes"
            " nothing there.",
        }[found.state]
    parts = (_count(found, root), _left_over(found, digits), _slope(found, digits), _bad(found))
    return " ".join(part for part in (*parts, *_masked(found)) if part)


def _count(found: Derivation, root: str) -> str:
    """How many wires leave, how many contributions come, and how many of them are still to."""
    name, count = brief(found.frame.graph.title(found.node)), len(found.terms)
    if not count:
        return f"No contribution is sent to {name}, so its gradient stays 0."
    sentence = f"{_leaving(found, root)}, so {_arriving(found, count)}"
    if found.arrived and found.waiting:
        return f"{sentence} It waits for {found.waiting} more."
    return sentence


def _leaving(found: Derivation, root: str) -> str:
    """`Two wires leave b, each is used twice`: wires as the sheet has them, then what they do."""
    graph = found.frame.graph
    name = brief(graph.title(found.node))
    leaving = sum(not isinstance(graph.nodes[t], Root) for t, _slot in graph.outgoing[found.node])
    uses = [sum(term.wire == wire for term in found.terms) for wire in found.wires]
    text = f"{_number(leaving).capitalize()} {'wire leaves' if leaving == 1 else 'wires leave'}"
    text += f" {name}"
    if leaving > len(uses):
        text += f", {_number(len(uses))} of them {'leads' if len(uses) == 1 else 'lead'} to {root}"
    sending = sum(use > 0 for use in uses)
    if sending < len(uses):
        text += f", only {_number(sending)} of them {'sends' if sending == 1 else 'send'} anything"
    most = max(uses)
    if most == 1:
        return text
    if len(uses) == 1:
        return f"{text} and is used {_times(most)}"
    if min(uses) == most:
        return f"{text}, each is used {_times(most)}"
    return f"{text}, used {_times(sum(uses))} in all"


def _arriving(found: Derivation, count: int) -> str:
    trace = found.frame.trace
    if count == 1:
        return "one contribution arrives."
    kept = trace is None or trace.rules.accumulate
    return f"{_number(count)} contributions arrive" + (
        " and add up." if kept else ", but = keeps only the last."
    )


_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def _number(count: int) -> str:
    return _WORDS[count] if count < len(_WORDS) else f"{count:,}"


def _times(count: int) -> str:
    return "twice" if count == 2 else f"{_number(count)} times"


def _left_over(found: Derivation, digits: Digits) -> str:
    """What an earlier pass has left, to which this one adds."""
    if not found.start:
        return ""
    added = "It is added" if len(found.terms) == 1 else "They are added"
    left = short(found.start, digits)
    return f"{added} to the {left} left over from pass {found.sweep - 1}."


def _slope(found: Derivation, digits: Digits) -> str:
    """The rule behind the last local derivative, or the convention where there is none."""
    event, frame = found.last, found.frame
    if event is None or frame.trace is None:
        return ""
    graph, target = frame.graph, event.target
    op = graph.op(target)
    inputs = [frame.trace.values[s] for s in graph.inputs(target) if s is not None]
    if op.by_convention(event.slot, *inputs):
        return op.convention
    names = input_names(graph, target, digits)
    local = op.partials[event.slot](*inputs, frame.trace.values[target])
    slope, number = op.filled(op.slopes[event.slot], names), short(local, digits)
    here = "" if slope == number else f", here {number}"
    whole, by = names_text(graph, target, digits), along(graph, (target, event.slot))
    sentence = f"The local derivative of {whole} with respect to {by} is {slope}{here}."
    used = slope_rule(frame.trace.rules, op, event.slot)
    if frame.trace.rules is CORRECT or used == event.slot:
        return sentence
    wrong, its = op.filled(op.slopes[used], names), short(event.local, digits)
    if same(event.local, local):
        return (
            f"{sentence} The mistake takes {wrong} instead, the same number here: this product"
            " does not show it."
        )
    return f"{sentence} The mistake takes {wrong}{'' if wrong == its else f', {its},'} instead."


def _masked(found: Derivation) -> Iterator[str]:
    """What PyTorch does otherwise with a contribution that has arrived."""
    trace = found.frame.trace
    for term in found.arrived:
        if trace is not None and term.event is not None and masked(trace, term.event):
            yield mask_sentence(trace.graph, term.event)


def _bad(found: Derivation) -> str:
    """The first bad node, when this gradient is not finite."""
    if found.gradient is None or math.isfinite(found.gradient) or found.frame.trace is None:
        return ""
    problem = first_not_finite(found.frame.graph, found.frame.trace.values)
    return "" if problem is None else problem.sentence
