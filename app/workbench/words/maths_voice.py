"""The maths voice: a contribution as an equation.

∂ is used only for gradients that are complete and correct; any other number is called the `grad` of
its node. A wrong step shows what it multiplies, then, after ≠, what the rule says.
"""

from __future__ import annotations

from app.controls.rich_text import Span, Spans, filled
from app.style.notation import Notation
from app.workbench.chain_rule import figure, product, told_apart
from app.workbench.comparison import Comparison, same
from app.workbench.derivation import Derivation, derivation, so_far
from app.workbench.formulas import (
    LONGEST_IN_FORMULA,
    grad_name,
    gradient_text,
    local_fraction,
    of_rule,
)
from engine.frame import Frame
from engine.graph import Graph
from engine.numbers import Digits, short, signed
from engine.trace import Event


def as_maths(
    frame: Frame,
    event: Event,
    digits: Digits,
    beside: Comparison | None = None,
    notation: Notation = "partial",
) -> Spans:
    """Return `a.grad += ∂L/∂e · ∂e/∂a = (−2) · (−3) = +6, so ∂L/∂a = 4.`

    `∂L/∂a` alone is on the left only if this contribution is the whole gradient.
    """
    assert frame.trace is not None
    found = derivation(frame, event.node, beside)
    name = grad_name(frame.graph, event.node, LONGEST_IN_FORMULA)
    root = frame.trace.root
    whole = gradient_text(frame.graph, root, event.node, notation)
    held = whole if found.is_derivative else name
    only = len(found.terms) == 1 and not event.before
    rest = so_far(frame, event.node)
    return filled(
        "{receiver} {assigned} {sent}, so {held} = {after} {so_far}."
        if rest
        else "{receiver} {assigned} {sent}, so {held} = {after}.",
        receiver=held if only else name,
        assigned="+=" if frame.trace.rules.accumulate else "=",
        sent=_sent(frame.graph, root, event, found, digits, notation),
        held=held,
        after=figure(event.after, "gradient", short(event.after, digits)),
        so_far=rest,
    )


def _sent(
    graph: Graph,
    root: int,
    event: Event,
    found: Derivation,
    digits: Digits,
    notation: Notation,
) -> Spans:
    """Return the contribution in symbols and numbers; of a wrong one first what was really sent."""
    assert event.wire is not None
    over, under = local_fraction(graph, event.wire, notation)
    beside = found.beside
    rightly = beside is None or beside.sends_rightly(event)
    held = notation if rightly else of_rule(notation)
    upstream = gradient_text(graph, root, event.target, held)
    symbols = (Span(upstream, "gradient"), Span(" · "), Span(f"{over}/{under}", "local"))
    if beside is None or rightly:
        return (*symbols, Span(" = "), *_product(event, digits))
    right = beside.correct[event.wire]
    digits = told_apart(right.contribution, event.contribution, (right, event), digits)
    agree = same(right.contribution, event.contribution)
    relation = Span(" = ") if agree else Span(" ≠ ", "error", bold=True)
    return (*_product(event, digits), relation, *symbols, Span(" = "), *_product(right, digits))


def _product(event: Event, digits: Digits) -> Spans:
    number = signed(event.contribution, digits)
    return (
        *product(event, digits, " · "),
        Span(" = "),
        figure(event.contribution, "gradient", number),
    )
