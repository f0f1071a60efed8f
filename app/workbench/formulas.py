"""Formulas: how an op's formula, a node and a variable are written in sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping

from app.style.numbers import Digits, short
from engine.graph import Constant, Graph, Wire
from engine.order import is_only_way

LONGEST_NAME = 24
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
LETTER = re.compile(r"(?<![A-Za-z0-9_])[a-z](?![A-Za-z0-9_])")


def brief(text: str, longest: int = LONGEST_NAME) -> str:
    """A label or name, shortened in the middle where it would fill a line."""
    if len(text) <= longest:
        return text
    half = (longest - 1) // 2
    return f"{text[:half]}…{text[-(longest - 1 - half) :]}"


def bracketed(text: str) -> str:
    """A number as it stands behind an operator: a negative one in brackets."""
    return f"({text})" if text.startswith(("−", "≈", "+")) else text


def along(graph: Graph, wire: Wire, longest: int = LONGEST_NAME) -> str:
    """The source of a wire as the variable of a local derivative: a, or a₁ and a₂ for a × a."""
    source = graph.source(wire)
    assert source is not None
    name = brief(graph.names[source], longest)
    if sum(found == source for found in graph.inputs(wire[0])) > 1:
        return name + str(wire[1] + 1).translate(SUBSCRIPTS)
    return name


DIRECT_TIP = "∂⁺ is the part through one wire alone: there are other ways, too."
"""What a tooltip says where a formula has ∂⁺ in it."""


def local_fraction(graph: Graph, wire: Wire) -> tuple[str, str]:
    """The local derivative along a wire, as what stands over and under the bar.

    ∂e over ∂a; where other ways lead from a to e it is not the whole derivative, and ∂⁺e over
    ∂a. For a node plugged in twice the slot tells: ∂e over ∂a₁.
    """
    variable = along(graph, wire, 12)
    named = graph.inputs(wire[0]).count(graph.source(wire)) > 1
    sign = "∂" if named or is_only_way(*wire, graph.inputs) else "∂⁺"
    return f"{sign}{brief(graph.names[wire[0]], 12)}", f"∂{variable}"


def direct_tip(text: str) -> str:
    """What to say about a text with ∂⁺ in it; nothing about any other."""
    return DIRECT_TIP if "∂⁺" in text else ""


def values_text(values: Mapping[int, float], graph: Graph, node: int, digits: Digits = 4) -> str:
    """A node's formula with the numbers of its inputs in: `2 × (−3)`."""
    op = graph.op(node)
    numbers = [
        "?" if s is None or s not in values else short(values[s], digits)
        for s in graph.inputs(node)
    ]
    return op.filled(op.formula, numbers)


def names_text(graph: Graph, node: int, digits: Digits) -> str:
    """A node's formula with the names of its inputs in: `a × b`; an empty slot is `?`."""
    op = graph.op(node)
    return op.filled(op.formula, input_names(graph, node, digits))


def input_names(graph: Graph, node: int, digits: Digits) -> list[str]:
    """What a formula calls the inputs of a node: titles, the numbers of constants, `?`."""
    return ["?" if s is None else _shown(graph, s, digits) for s in graph.inputs(node)]


def _shown(graph: Graph, node: int, digits: Digits) -> str:
    """A node in a formula: its title; a constant without a label is its number."""
    found = graph.nodes[node]
    if isinstance(found, Constant) and not found.label:
        return short(found.value, digits)
    return brief(graph.title(node))
