"""Hints: three for each question, from the rule to all but the last step of the work.

    1  which rule: what the number means
    2  the numbers that the rule needs
    3  all but the product, the sum or the number itself

A hint is true of the pass as it is run, with its mistakes, and leaves the last step to the learner.
"""

from __future__ import annotations

from itertools import islice

from app.workbench.formulas import bracketed, input_names, names_text, values_text
from engine.errors import sentence
from engine.graph import OpNode
from engine.numbers import DIGITS_SHOWN, Digits, short
from engine.study.grading import RULES, fields, rule_kind
from engine.study.paths import Path, paths
from engine.study.question import Question, facts, receiver
from engine.trace import Trace

MOST_PATHS = 4
"""Paths whose products are written out; the sum of more is no hint."""

_NUMBERS = {
    "value": "The inputs are {inputs}.",
    "local": "{node} is {formula}, here {numbers}.",
    "contribution": "{node} got {upstream}; its slope along {receiver} is {local}.",
    "sum": "{receiver} holds {before}; {contribution} comes along this wire.",
    "final": "{paths}",
    "sign": "{node} is {formula}.",
    "upstream": "What fires passes on its own gradient: read it at {node}.",
    "next": "{node} may fire.",
}
_NEARLY = {
    "value": "{numbers} = …",
    "local": "The slope of {formula} along {receiver} is {slope}: put the number in.",
    "local constant": "Let {receiver} go up by 1, the rest stay: how much does {formula} change?",
    "contribution": "{upstream} × {factor} = …",
    "sum": "{before} + {summand} = …",
    "sum replaced": "It held {before}; only what comes last stays.",
    "final": "{products} = …",
    "upstream": "What fires passes on its own gradient: read it at {node}.",
    "next": "A node may fire when every wire that leads from it to {root} has brought its share.",
    "sign": "Follow the slopes on the way from {receiver} to {root}: how many are negative?",
}


def hint(question: Question, trace: Trace, number: int, digits: Digits = DIGITS_SHOWN) -> str:
    """Return one of the three hints, counted from 1."""
    table = (RULES, _NUMBERS, _NEARLY)[number - 1]
    kind = _kind(question, trace)
    template = table.get(kind) or table.get(question.kind) or RULES[kind]
    return sentence(template, _told(question, trace, digits))


def _kind(question: Question, trace: Trace) -> str:
    """Return which of the sentences about a kind of question is true here."""
    if question.kind == "local" and _slope(question, trace) is None:
        return "local constant"
    return rule_kind(question, trace)


def _told(question: Question, trace: Trace, digits: Digits) -> dict[str, object]:
    graph, node = trace.graph, question.node
    told: dict[str, object] = dict(fields(question, trace, digits))
    if isinstance(graph.nodes[node], OpNode):
        inputs = [source for source in graph.inputs(node) if source is not None]
        told["formula"] = names_text(graph, node, digits)
        told["numbers"] = values_text(trace.values, graph, node, digits)
        named = (f"{graph.brief(s)} = {short(trace.values[s], digits)}" for s in inputs)
        told["inputs"] = ", ".join(dict.fromkeys(named))
    if question.wire is not None:
        told["factor"] = bracketed(str(told["local"]))
        told["summand"] = bracketed(str(told["contribution"]))
        told["slope"] = _slope(question, trace) or ""
    if question.kind == "final":
        told |= _told_of_paths(question, trace, digits)
    return told


def _slope(question: Question, trace: Trace) -> str | None:
    """Return the slope in the names of the inputs; None where it says the number itself."""
    graph, at = trace.graph, facts(question, trace)
    slot, names = trace.rules.slope_slot(at.op, at.slot), input_names(graph, question.node, 4)
    written = at.op.filled(at.op.slopes[slot], names)
    return None if not any(c.isalpha() for c in written) else written


def _written_out(question: Question, trace: Trace) -> list[Path]:
    """Return the paths of a final gradient if they are few, else none."""
    found = islice(paths(trace.graph, question.node, trace.root), MOST_PATHS + 1)
    few = list(found)
    return few if len(few) <= MOST_PATHS else []


def _told_of_paths(question: Question, trace: Trace, digits: Digits) -> dict[str, object]:
    graph, few = trace.graph, _written_out(question, trace)
    start = graph.brief(receiver(question, trace))
    ways = [" → ".join([start, *(graph.brief(node) for node in path.nodes)]) for path in few]
    products = [
        " × ".join(bracketed(short(slope, digits)) for slope in path.factors) or "1" for path in few
    ]
    if not few:
        return {"paths": "There are many paths.", "products": "The sum of all products"}
    return {"paths": f"The paths are {'; '.join(ways)}.", "products": " + ".join(products)}
