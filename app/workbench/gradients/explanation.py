"""Explanations: the reasons for a node's gradient, and the causes of a wrong one, in sentences.

The page Why shows `explanation`; it, the page Mistakes, tooltips and accessible texts have `causes`
as one text, and the canvas has them in parts, from `causes_of`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec import Struct

from app.workbench.gradients.chain_rule import Derivation
from app.workbench.gradients.comparison import Comparison, pair_texts, same
from app.workbench.gradients.formulas import along, enumerated, input_names, names_text
from engine.asking.facts import is_masked_by_torch, torch_mask_sentence
from engine.frame import Frame
from engine.graph import Leaf, Root
from engine.numbers import DIGITS_SHOWN, Digits, counted, short, signed
from engine.problems import (
    CHOOSE_A_ROOT,
    by_convention,
    first_not_finite,
    local_derivative,
    name_with_op,
)
from engine.rules import CORRECT
from engine.trace import Event


def explanation(derivation: Derivation, digits: Digits = DIGITS_SHOWN) -> str:
    """Return the panel's explanation in words."""
    graph = derivation.frame.graph
    name = graph.brief(derivation.node)
    root = "the root" if derivation.root is None else graph.brief(derivation.root)
    trace = derivation.frame.trace
    if derivation.state == "root" and trace is not None and not trace.rules.seed:
        return f"{name} is the root, but nobody gives it the seed, 1, so its gradient stays 0."
    if derivation.state != "sum":
        return {
            "rootless": CHOOSE_A_ROOT,
            "root": _seeded(derivation, name, digits),
            "constant": f"{name} is a constant. It never changes, so no gradient is sent to it.",
            "fixed": f"Only constants feed {name}. It never changes, so no gradient is sent to it.",
            "pathless": f"No wires lead from {name} to {root}, so a change of {name} changes"
            " nothing there.",
        }[derivation.state]
    parts = (
        _count(derivation, root),
        _left_over(derivation, digits),
        _local_rule(derivation, digits),
        _not_finite(derivation),
    )
    return " ".join(part for part in (*parts, *_masked(derivation)) if part)


def _seeded(derivation: Derivation, name: str, digits: Digits) -> str:
    """Return the sentence about the root's seed."""
    trace = derivation.frame.trace
    seed = CORRECT.seed if trace is None else trace.rules.seed
    if seed == CORRECT.seed:
        return f"{name} is the root. Its gradient is the seed, 1, as it changes as fast as itself."
    times = short(seed, digits)
    return (
        f"{name} is the root. Its gradient is the seed, {times} and not 1, so every gradient is"
        f" {times} × a derivative."
    )


def _count(derivation: Derivation, root: str) -> str:
    """Return the sentence that counts wires, contributions, and missing contributions."""
    name, count = derivation.frame.graph.brief(derivation.node), len(derivation.terms)
    if not count:
        return f"No contribution is sent to {name}, so its gradient stays 0."
    first = derivation.overwritten(derivation.terms)
    if count == 1:
        template = "{leaving}, so one contribution arrives."
    elif first < 1:
        template = "{leaving}, so {number} contributions arrive and add up."
    elif first == count - 1:
        template = "{leaving}, so {number} contributions arrive, but = keeps only the last."
    else:
        template = "{leaving}, so {number} contributions arrive, but = overwrites the first {lost}."
    words = {"number": _number_word(count), "lost": _number_word(first)}
    sentence = template.format(leaving=_leaving(derivation, root), **words)
    if derivation.arrived and derivation.waiting:
        return f"{sentence} It waits for {derivation.waiting} more."
    return sentence


def _leaving(derivation: Derivation, root: str) -> str:
    """Return `Two wires leave b, each is used twice`: wires on the sheet, then their use."""
    graph = derivation.frame.graph
    name = graph.brief(derivation.node)
    leaving = sum(
        not isinstance(graph.nodes[t], Root) for t, _slot in graph.outgoing[derivation.node]
    )
    # contributions along each wire that leads to the root: 0 or 2 under some mistakes
    uses = [sum(term.wire == wire for term in derivation.terms) for wire in derivation.wires]
    sending = sum(use > 0 for use in uses)
    one, many = "One wire leaves {name}", "{number} wires leave {name}"
    clauses = [counted(leaving, one, many, number=_number_word(leaving).capitalize(), name=name)]
    if leaving > len(uses):
        one, many = "one of them leads to {root}", "{number} of them lead to {root}"
        clauses.append(counted(len(uses), one, many, number=_number_word(len(uses)), root=root))
    if sending < len(uses):
        one, many = "only one of them sends anything", "only {number} of them send anything"
        clauses.append(counted(sending, one, many, number=_number_word(sending)))
    most = max(uses)
    if most > 1 and len(uses) == 1:
        clauses[-1] = f"{clauses[-1]} and is used {times(most)}"
    elif most > 1 and min(uses) == most:
        clauses.append(f"each is used {times(most)}")
    elif most > 1:
        clauses.append(f"used {times(sum(uses))} in all")
    return ", ".join(clauses)


_NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def _number_word(count: int) -> str:
    return _NUMBER_WORDS[count] if count < len(_NUMBER_WORDS) else f"{count:,}"


def times(count: int) -> str:
    """Return `twice`, `three times`."""
    return "twice" if count == 2 else f"{_number_word(count)} times"


def _left_over(derivation: Derivation, digits: Digits) -> str:
    """Return the sentence about the gradient left over from an earlier pass, or ""."""
    if not derivation.start:
        return ""
    left, sweep = short(derivation.start, digits), derivation.sweep - 1
    if derivation.overwritten(derivation.terms) >= 0:
        template = "The {left} left over from {earlier} is overwritten."
    elif len(derivation.terms) == 1:
        template = "It is added to the {left} left over from {earlier}."
    else:
        template = "They are added to the {left} left over from {earlier}."
    return template.format(left=left, earlier=f"pass {sweep}" if sweep else "an earlier pass")


def _local_rule(derivation: Derivation, digits: Digits) -> str:
    """Return the rule of the last local derivative, or its convention at a kink."""
    event, frame = derivation.last, derivation.frame
    if event is None or frame.trace is None:
        return ""
    graph, target = frame.graph, event.sender
    op, values = graph.op(target), frame.trace.values
    if by_convention(graph, (target, event.slot), values):
        return op.convention
    names = input_names(graph, target, digits)
    local = local_derivative(graph, (target, event.slot), values)
    slope, number = op.filled(op.slopes[event.slot], names), short(local, digits)
    formula_text, by = names_text(graph, target, digits), along(graph, (target, event.slot))
    sentence = f"The local derivative of {formula_text} with respect to {by} is {slope}."
    if slope != number:
        sentence = (
            f"The local derivative of {formula_text} with respect to {by} is {slope},"
            f" here {number}."
        )
    slope_slot = frame.trace.rules.slope_slot(op, event.slot)
    if frame.trace.rules is CORRECT or slope_slot == event.slot:
        return sentence
    wrong, wrong_number = op.filled(op.slopes[slope_slot], names), short(event.local, digits)
    if same(event.local, local):
        return (
            f"{sentence} The mistake takes {wrong} instead, the same number here: this product"
            " does not show it."
        )
    if wrong == wrong_number:
        return f"{sentence} The mistake takes {wrong} instead."
    return f"{sentence} The mistake takes {wrong}, {wrong_number}, instead."


def _masked(derivation: Derivation) -> Iterator[str]:
    """Yield PyTorch's difference at each arrived contribution that it masks."""
    trace = derivation.frame.trace
    for term in derivation.arrived:
        if trace is not None and term.event is not None and is_masked_by_torch(trace, term.event):
            yield torch_mask_sentence(trace.graph, term.event)


def _not_finite(derivation: Derivation) -> str:
    """Return the sentence about the first number that is not finite, if this gradient is not."""
    if (
        derivation.gradient is None
        or math.isfinite(derivation.gradient)
        or derivation.frame.trace is None
    ):
        return ""
    problem = first_not_finite(derivation.frame.graph, derivation.frame.trace.values)
    return "" if problem is None else problem.sentence


Write = Callable[[float], str]
"""Writes a number with as many digits as the user has chosen."""
_NAMED_LIMIT = 3
"""Wrong senders named in a sentence; the others are counted."""


class Damage(Struct, frozen=True):
    """The effect of a mistake's rule at one node: in a few words, and as a sentence."""

    brief: str
    sentence: str


class Causes(Struct, frozen=True):
    """The causes of a wrong gradient: damage at the node itself, and wrong upstream gradients."""

    causes_here: tuple[Damage, ...] = ()
    causes_upstream: tuple[str, ...] = ()
    """`d 6 → 1`, for a few of them."""
    senders: str = ""
    """The same as a sentence."""

    @property
    def sentence(self) -> str:
        return " ".join(
            text for text in (self.senders, *(d.sentence for d in self.causes_here)) if text
        )


NO_CAUSES = Causes()


def causes(frame: Frame, comparison: Comparison | None, node: int, digits: Digits) -> str:
    """Return the causes of a wrong gradient in sentences: wrong senders, and damage at the node.

    `d and c were wrong: 6 → 1, 7 → 1. Here = overwrites 3 with 1.`
    """
    write = partial(short, digits=digits), partial(signed, digits=digits)
    return causes_of(frame, comparison, node, *write).sentence


def causes_of(
    frame: Frame, comparison: Comparison | None, node: int, short: Write, signed: Write
) -> Causes:
    """Return the causes of a wrong gradient; NO_CAUSES for one that is right or not known.

    `short` writes a number, `signed` a contribution.
    """
    if comparison is None or frame.trace is None or comparison.correction(frame, node) is None:
        return NO_CAUSES
    arrived = [chip.event for chip in frame.sum_of(node).chips if chip.event is not None]
    found = tuple(_causes_here(frame, comparison, node, arrived, (short, signed)))
    return Causes(found, *_causes_upstream(frame, comparison, arrived, short))


def _causes_here(
    frame: Frame,
    comparison: Comparison,
    node: int,
    arrived: Sequence[Event],
    write: tuple[Write, Write],
) -> Iterator[Damage]:
    """Yield the damage that the mistake does at this node."""
    trace, (short, signed) = frame.trace, write
    assert trace is not None
    if node == trace.root and not trace.rules.seed:
        yield Damage("no seed", "Nobody gives it the seed.")
    start = frame.sum_of(node).start
    replacing = [event for event in arrived if trace.rules.replaces(event.wire)]
    is_kept = node in trace.begins and isinstance(frame.graph.nodes[node], Leaf)
    if start and arrived and not replacing and not is_kept:
        left = short(start)
        yield Damage(f"{left} left over", f"Here {left} is left over from the pass before.")
    if replacing and replacing[-1].before:
        last = replacing[-1]
        old, now, sent = short(last.before), short(last.after), signed(last.contribution)
        yield Damage(f"{sent} overwrites {old}", f"Here = overwrites {old} with {now}.")
    for event in arrived:
        right = comparison.correct.get((event.sender, event.slot))
        if right is not None and not same(event.local, right.local):
            true, taken = pair_texts(right.local, event.local, short)
            sign = frame.graph.op(event.sender).symbol
            yield Damage(
                f"slope {taken}, not {true}",
                f"Here the slope of {sign} is taken as {taken}, not {true}.",
            )
    yield from _missing_and_repeated(frame, comparison, node, arrived)


def _missing_and_repeated(
    frame: Frame, comparison: Comparison, node: int, arrived: Sequence[Event]
) -> Iterator[Damage]:
    """Yield the senders that repeat a contribution along one wire, and those that send nothing."""
    uses = Counter(event.wire for event in arrived)
    for wire, count in uses.items():
        if wire is not None and count > 1:
            who, often = frame.graph.brief(wire[0]), times(count)
            yield Damage(f"{who} sends {often}", f"{who} sends {often} along one wire.")
    if frame.cursor < frame.total:  # others may still send
        return
    silent = (w for w in comparison.correct if frame.graph.source(w) == node and w not in uses)
    for target in dict.fromkeys(wire[0] for wire in silent):
        sign = name_with_op(frame.graph, target, brief=True)
        brief = f"{frame.graph.brief(target)} sends nothing"
        yield Damage(brief, f"{sign} sends nothing.")


def _causes_upstream(
    frame: Frame, comparison: Comparison, arrived: Sequence[Event], short: Write
) -> tuple[tuple[str, ...], str]:
    """Return the nodes that fired with a wrong gradient: brief texts `d 6 → 1`, and a sentence."""
    pairs = [(e.sender, comparison.final.get(e.sender, 0.0), e.upstream) for e in arrived]
    wrong = {node: (right, found) for node, right, found in pairs if not same(right, found)}
    if not wrong:
        return (), ""
    names = [frame.graph.brief(n) for n in wrong][:_NAMED_LIMIT]
    texts = [" → ".join(pair_texts(*pair, short)) for pair in wrong.values()][:_NAMED_LIMIT]
    brief = tuple(f"{name} {text}" for name, text in zip(names, texts, strict=True))
    if len(wrong) > _NAMED_LIMIT:
        names.append(f"{len(wrong) - _NAMED_LIMIT} more")
    sentence = counted(
        len(wrong),
        "{names} was wrong: {changes}.",
        "{names} were wrong: {changes}.",
        names=enumerated(names),
        changes=", ".join(texts),
    )
    return brief, sentence
