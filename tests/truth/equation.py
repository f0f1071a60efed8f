"""Equations: what their sides may come to, and whether numbers make them true."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Protocol

from engine.numbers import Digits
from engine.ops import BY_NAME
from tests.truth import ranges
from tests.truth.ranges import Range, displayed, exact
from tests.truth.reader import Chain, Tree, UnreadableError

Ranges = tuple[Range, ...]
"""What a side may come to; more than one where a name may mean several nodes."""
MOST = 24


class Meaning(Protocol):
    """What names stand for at one moment."""

    def value(self, name: str) -> Ranges: ...
    def grad(self, name: str) -> Ranges: ...
    def derivative(self, plus: bool, of: str, by: str, slot: int | None) -> Ranges: ...
    def more(self, count: int) -> Ranges: ...


def disagreement(chain: Chain, meaning: Meaning, digits: Digits = 4) -> str:
    """What is false about an equation; empty when numbers within the rounding make it true."""
    if ("missing",) in chain.sides:
        return "a side without a number"
    try:
        sides = [evaluated(side, meaning, digits) for side in chain.sides]
    except UnreadableError as error:
        return f"no meaning: {error}"
    if "≠" in chain.signs:
        return _unequal(chain, sides)
    for one, other in itertools.combinations(sides, 2):
        if one and other and not any(a.meets(b) for a in one for b in other):
            return f"{_told(one)} is not {_told(other)}"
    return ""


def _unequal(chain: Chain, sides: list[Ranges]) -> str:
    """Runs of equal sides between `≠`; across the sign no numbers may agree."""
    for k, sign in enumerate(chain.signs):
        one, other = sides[k], sides[k + 1]
        if not one or not other:
            continue
        agree = any(a.overlaps(b) if sign == "≠" else a.meets(b) for a in one for b in other)
        if agree == (sign == "≠"):
            return f"{_told(one)} {'may be' if agree else 'is not'} {_told(other)}"
    return ""


def _told(found: Ranges) -> str:
    return " or ".join(f"[{r.low:.9g}, {r.high:.9g}]" if r.low <= r.high else "nan" for r in found)


def evaluated(tree: Tree, meaning: Meaning, digits: Digits = 4) -> Ranges:
    """What a side may come to; empty when it is open."""
    kind = tree[0]
    if kind in _GIVEN:
        return _GIVEN[kind](tree, meaning, digits)
    if kind == "/" and (base := _squared(tree[2])):
        kind, tree = "/²", ("/²", tree[1], base)
    parts = tree[2] if kind == "call" else tree[1:]
    sides = [evaluated(part, meaning, digits) for part in parts]
    found = (_operated(tree, chosen) for chosen in itertools.product(*sides))
    return tuple(dict.fromkeys(itertools.islice(found, MOST)))


def _squared(tree: Tree) -> Tree | None:
    """What is squared in b² or b^2; None for any other side."""
    if tree[:2] == ("call", "square"):
        return tree[2][0]
    return tree[1] if tree[0] == "^" and tree[2] == ("number", "2") else None


def _number(tree: Tree, _meaning: Meaning, digits: Digits) -> Ranges:
    found = exact(0.5) if tree[1] == "½" else displayed(tree[1], digits)
    either = found.low == 0 == found.high  # 0 is written without its sign, but 1 ÷ −0 is −inf
    return (exact(0.0), exact(-0.0)) if either else (found,)


def _derivative(tree: Tree, meaning: Meaning, _digits: Digits) -> Ranges:
    plus, of, by, slot = tree[1:]
    return meaning.derivative(bool(plus), of, by, int(slot) - 1 if slot else None)


def _missing(_tree: Tree, _meaning: Meaning, _digits: Digits) -> Ranges:
    raise UnreadableError("–")


def _operated(tree: Tree, parts: tuple[Range, ...]) -> Range:
    kind = tree[0]
    if kind == "call":
        return _called(tree[1], parts)
    rules = {
        "+": ranges.add,
        "*": ranges.multiply,
        "/": ranges.divide,
        "/²": ranges.divide_by_square,
        "^": ranges.power,
        "neg": ranges.negative,
    }
    return rules[kind](*parts)


def _called(name: str, parts: tuple[Range, ...]) -> Range:
    name = {"max": "maximum", "min": "minimum", "Φ": "Phi", "φ": "phi"}.get(name, name)
    if name in ("sin", "cos", "tan"):
        return ranges.wave(name, *parts)
    if name == "Phi":
        return ranges.apply(lambda x: (1 + math.erf(x / math.sqrt(2))) / 2, *parts)
    if name == "phi":
        return ranges.apply(lambda x: math.exp(-x * x / 2) / math.sqrt(2 * math.pi), *parts)
    return ranges.apply(BY_NAME[name].forward, *parts)


def _chosen(tree: Tree, meaning: Meaning, digits: Digits) -> Ranges:
    """A choice: the branches that numbers within the rounding can take."""
    _kind, (sign, left, right), yes, tie, no = tree
    found: list[Range] = []
    equal = tie if tie is not None else yes if sign in ("≥", "≤", "==") else no
    more, less = (yes, no) if sign in (">", "≥") else (no, no if sign == "==" else yes)
    branches = {1: more, 0: equal, -1: less, None: no}
    for a in evaluated(left, meaning, digits):
        for b in evaluated(right, meaning, digits):
            for way in _orders(a, b):
                found += evaluated(branches[way], meaning, digits)
    return tuple(dict.fromkeys(found))


def _orders(a: Range, b: Range) -> set[int | None]:
    """Whether a may be more (1), the same (0) or less (−1) than b; None: nan is none of these."""
    found: set[int | None] = {None} if a.nan or b.nan else set()
    if a.high > b.low:
        found.add(1)
    if max(a.low, b.low) <= min(a.high, b.high):
        found.add(0)
    if a.low < b.high:
        found.add(-1)
    return found


_GIVEN: dict[str, Callable[[Tree, Meaning, Digits], Ranges]] = {
    "number": _number,
    "open": lambda _tree, _meaning, _digits: (),
    "value": lambda tree, meaning, _digits: meaning.value(tree[1]),
    "grad": lambda tree, meaning, _digits: meaning.grad(tree[1]),
    "more": lambda tree, meaning, _digits: meaning.more(tree[1]),
    "derivative": _derivative,
    "choice": _chosen,
    "missing": _missing,
}
"""Sides that are no operation."""
