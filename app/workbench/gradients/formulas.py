"""Formulas: how sentences write an op's formula, a node and a variable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from app.style.derivative_notation import Notation
from engine import problems
from engine.graph import LABEL_LIMIT, LONGEST_NAME, Graph, Wire, is_only_path
from engine.numbers import DIGITS_SHOWN, HOLE_ENDS, Digits, parse_number, short
from engine.writers import needs_no_brackets

FRACTION_NAME_LIMIT = 12
"""Characters of a name in a fraction such as ∂e over ∂a."""
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def enumerated(names: Sequence[str], last: str = "and") -> str:
    """Return names as a sentence lists them: `a`, `a and b`, `a, b and c`."""
    return f"{', '.join(names[:-1])} {last} {names[-1]}" if names[1:] else "".join(names)


def bracketed(text: str) -> str:
    """Return a number for use behind an operator, in brackets if it begins with a sign or ≈."""
    if text.endswith(HOLE_ENDS):  # a field of a page: its script brackets a sign, and an ≈
        return f"{text[:-1]}([{HOLE_ENDS}"
    return f"({text})" if text.startswith(("−", "≈", "+")) else text


def term(graph: Graph, node: int, longest: int = LABEL_LIMIT) -> str:
    """Return a node's name as one operand; a label that reads as a number is quoted.

    Brackets, where its operators need some, come from the formula: `2 × (x + y)`.
    """
    name = graph.short_name(node, longest)
    return f"“{name}”" if parse_number(name) is not None else name


def variable(graph: Graph, node: int, longest: int = FRACTION_NAME_LIMIT) -> str:
    """Return a node's name for use after ∂ or before `.grad`: `a`, but `(x1*w1)`, `(my loss)`."""
    text = term(graph, node, longest)
    is_one_word = text.startswith("“") or (needs_no_brackets(text) and " " not in text)
    return text if is_one_word else f"({text})"


def grad_name(graph: Graph, node: int, longest: int = LONGEST_NAME) -> str:
    """Return the name of a node's gradient: `a.grad`, `(x1*w1).grad`."""
    return f"{variable(graph, node, longest)}.grad"


def along(graph: Graph, wire: Wire, longest: int = LONGEST_NAME) -> str:
    """Return the variable of a local derivative along a wire: a, or a₁ and a₂ for a × a."""
    source = graph.source(wire)
    assert source is not None
    name = variable(graph, source, longest)
    if graph.inputs(wire[0]).count(source) > 1:  # connected twice: the slot tells them apart
        return name + str(wire[1] + 1).translate(SUBSCRIPTS)
    return name


DIRECT_TIP = "∂⁺ is the part through one wire alone: there are other ways, too."
"""Tooltip of a formula that contains ∂⁺, or d⁺."""
SIGNS: Final[dict[Notation, str]] = {"partial": "∂", "total": "d", "grad": "∂"}
"""The sign of a local derivative in each notation."""


def notation_without_grad(notation: Notation) -> Notation:
    """Return the notation of a correct derivative under a mistake: ∂ in place of `a.grad`.

    There `a.grad` is the number that was computed, which may be wrong.
    """
    return "partial" if notation == "grad" else notation


def gradient_fraction(
    graph: Graph, root: int, node: int, notation: Notation = "partial"
) -> tuple[str, str]:
    """Return the derivative of the root by a node: ∂L and ∂a, dL and da, or a.grad over nothing."""
    return derivative(variable(graph, root), variable(graph, node), notation)


def derivative(root: str, node: str, notation: Notation = "partial") -> tuple[str, str]:
    """Return numerator and denominator of a derivative by names; in a.grad there is no fraction."""
    if notation == "grad":
        return f"{node}.grad", ""
    return f"{SIGNS[notation]}{root}", f"{SIGNS[notation]}{node}"


def derivative_text(root: str, node: str, notation: Notation = "partial") -> str:
    """Return a derivative by names on one line: ∂L/∂a, dL/da or a.grad."""
    return "/".join(filter(None, derivative(root, node, notation)))


def gradient_text(graph: Graph, root: int, node: int, notation: Notation = "partial") -> str:
    """Return the derivative of the root by a node on one line: ∂L/∂a, dL/da or a.grad."""
    return derivative_text(variable(graph, root), variable(graph, node), notation)


def local_fraction(graph: Graph, wire: Wire, notation: Notation = "partial") -> tuple[str, str]:
    """Return numerator and denominator of the local derivative along a wire.

    They are ∂e and ∂a, or ∂⁺e and ∂a if other paths lead from a to e, so that it is not the whole
    derivative. For a node connected twice, the slot is marked: ∂a₁. No node holds a local
    derivative, so it is a fraction in every notation.
    """
    by = along(graph, wire, FRACTION_NAME_LIMIT)
    is_twice = graph.inputs(wire[0]).count(graph.source(wire)) > 1
    sign = SIGNS[notation]
    direct = "" if is_twice or is_only_path(*wire, graph.inputs) else "⁺"
    return f"{sign}{direct}{variable(graph, wire[0])}", f"{sign}{by}"


def direct_derivative_tip(text: str) -> str:
    """Return the tooltip for a text with ∂⁺ or d⁺ in it; "" for any other."""
    found = (DIRECT_TIP.replace("∂", sign) for sign in SIGNS.values() if f"{sign}⁺" in text)
    return next(found, "")


def values_text(
    values: Mapping[int, float], graph: Graph, node: int, digits: Digits = DIGITS_SHOWN
) -> str:
    """Return a node's formula with the numbers of its inputs: `2 × (−3)`."""
    op = graph.op(node)
    numbers = [
        "?" if s is None or s not in values else short(values[s], digits)
        for s in graph.inputs(node)
    ]
    return op.filled(op.formula, numbers)


def names_text(graph: Graph, node: int, digits: Digits) -> str:
    """Return a node's formula with the names of its inputs: `a × b`; an empty slot is `?`."""
    return problems.formula(graph, node, digits, _operand)


def input_names(graph: Graph, node: int, digits: Digits) -> list[str]:
    """Return the inputs' texts in a node's formula: terms, the numbers of constants, `?`."""
    return problems.input_names(graph, node, digits, _operand)


def _operand(graph: Graph, node: int) -> str:
    return term(graph, node, LONGEST_NAME)
