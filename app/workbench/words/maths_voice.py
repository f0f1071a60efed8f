"""The maths voice: a contribution as an equation.

∂ is used only for gradients that are complete and correct; any other number is called the `grad` of
its node. A wrong step shows what it multiplies, then, after ≠, what the rule says.
"""

from __future__ import annotations

from app.controls.rich_text import Span, Spans
from app.style.notation import Notation
from app.workbench.gradients.chain_rule import figure, product, told_apart
from app.workbench.gradients.comparison import Comparison, same
from app.workbench.gradients.derivation import Derivation, derivation, so_far
from app.workbench.gradients.formulas import (
    LONGEST_IN_FORMULA,
    grad_name,
    gradient_text,
    local_fraction,
    of_rule,
)
from engine.frame import Frame
from engine.graph import Graph
from engine.numbers import Digits, signed
from engine.study.facts import StepFacts
from engine.trace import Event


def equation_fields(
    frame: Frame,
    at: StepFacts,
    digits: Digits,
    beside: Comparison | None = None,
    notation: Notation = "partial",
) -> dict[str, Span | Spans | str]:
    """Return the fields of `a.grad += ∂L/∂e · ∂e/∂a = (−2) · (−3) = +6, so ∂L/∂a = 4.`

    `∂L/∂a` alone is on the left only if this contribution is the whole gradient.
    """
    assert frame.trace is not None
    assert frame.event is not None
    found = derivation(frame, at.receiver, beside)
    name = grad_name(frame.graph, at.receiver, LONGEST_IN_FORMULA)
    root = frame.trace.root
    whole = gradient_text(frame.graph, root, at.receiver, notation)
    held = whole if found.is_derivative else name
    rest = so_far(frame, at.receiver)
    return {
        "held_as": held if len(found.terms) == 1 and not at.before else name,
        "assigned": "+=" if at.adds else "=",
        "equation": _sent(frame.graph, root, frame.event, found, digits, notation),
        "held_is": held,
        "so_far": f" {rest}" if rest else "",
    }


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
