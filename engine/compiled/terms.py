"""A tape rewritten for arrays: sums of products, functions, and the level of each.

Sums, differences and products make up most of a graph. Here each of them becomes part of one kind
of node, Σ ± p · q: a sum absorbs the sums and products below it that nothing else uses. All other
operations stay functions. A node's level is one more than the highest level of its inputs, so all
nodes of a level can be computed at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy
from msgspec import Struct
from numpy.typing import NDArray

from engine.generated.tape import CODES, CONSTANT, Tape
from engine.ops import OPS

Ints = NDArray[numpy.intp]
Bools = NDArray[numpy.bool_]

ONE, MINUS_ONE = -1, -2
"""Stand in for a place: the constants 1 and −1."""

Columns = tuple[Ints, Ints, Ints]

ADD, SUB, MUL, NEG, SQUARE = (CODES[op] for op in ("add", "sub", "mul", "neg", "square"))


class Terms(Struct, frozen=True):
    """What the planning of arrays needs to know of a tape, by place.

    Place `owner[k]` adds up the products `p[k] · q[k]`. `kept` places have a number of their own,
    the others are parts of a sum; `wants` places need a gradient.
    """

    codes: Ints
    inputs: Columns
    owner: Ints
    p: Ints
    q: Ints
    kept: Bools
    sums: Bools
    wants: Bools
    level: Ints


def rewrite(tape: Tape, wanted: Sequence[int]) -> Terms:
    """Rewrite a tape for these wanted leaves."""
    codes, first, second, third = (
        numpy.array(column, numpy.intp)
        for column in (tape.codes, tape.first, tape.second, tape.third)
    )
    inputs = (first, second, third)
    sums = _among(codes, (ADD, SUB, MUL, NEG, SQUARE))
    absorbed = _absorbed(codes, inputs, sums, tape.root)
    parent = numpy.arange(len(tape))
    parent[absorbed] = _sum_above(codes, inputs)[absorbed]
    while (parent != parent[parent]).any():  # climb to the sum at the top
        parent = parent[parent]
    owner, p, q = _products(codes, inputs, parent, absorbed)
    return Terms(
        codes=codes,
        inputs=inputs,
        owner=owner,
        p=p,
        q=q,
        kept=~absorbed,
        sums=sums,
        wants=numpy.array(tape.wants(wanted)),
        level=_levels(tape, absorbed),
    )


def _absorbed(codes: Ints, inputs: Columns, sums: Bools, root: int) -> Bools:
    """Return which sums and products are used by one sum and nothing else."""
    uses = numpy.bincount(numpy.concatenate([c[c >= 0] for c in inputs]), minlength=len(codes))
    absorbed = sums & (uses == 1) & (_sum_above(codes, inputs) >= 0)
    absorbed[root] = False
    return absorbed


def _sum_above(codes: Ints, inputs: Columns) -> Ints:
    """Return for each place a sum that it is added to, or -1."""
    above = numpy.full(len(codes), -1)
    for slot, kinds in ((0, (ADD, SUB)), (1, (ADD,))):
        sums = numpy.flatnonzero(_among(codes, kinds))
        above[inputs[slot][sums]] = sums
    return above


def _products(
    codes: Ints, inputs: Columns, parent: Ints, absorbed: Bools
) -> tuple[Ints, Ints, Ints]:
    """Return owner and factors of each product, ordered by owner and then as on the tape."""
    first, second, _third = inputs
    found: list[tuple[Ints, Ints, Ints]] = []

    def put(kinds: tuple[int, ...], p: Ints, q: Ints | int) -> None:
        places = numpy.flatnonzero(_among(codes, kinds))
        factor = numpy.full(len(places), q) if isinstance(q, int) else q[places]
        found.append((places, p[places], factor))

    put((ADD, SUB), first, ONE)
    put((ADD,), second, ONE)
    put((SUB,), second, MINUS_ONE)
    put((NEG,), first, MINUS_ONE)
    put((MUL,), first, second)
    put((SQUARE,), first, first)
    at, p, q = (numpy.concatenate(column) for column in zip(*found, strict=True))
    whole = (q >= 0) | (q == MINUS_ONE) | ~absorbed[p]  # an absorbed sum is no term
    at, p, q = at[whole], p[whole], q[whole]
    order = numpy.lexsort((at, parent[at]))
    return parent[at][order], p[order], q[order]


def _levels(tape: Tape, absorbed: Bools) -> Ints:
    """Return each place's level; a part of a sum has the level of its inputs."""
    levels = [0] * (len(tape) + 1)  # index -1 stands for a missing input
    rises = (1 - absorbed).tolist()
    for _code, place, first, second, third in tape.steps:
        level, other = levels[first], levels[second]
        if other > level:
            level = other
        if third >= 0 and levels[third] > level:
            level = levels[third]
        levels[place] = level + rises[place]
    return numpy.array(levels[:-1])


def _among(codes: Ints, kinds: tuple[int, ...]) -> Bools:
    """Return where the code is one of these operations."""
    chosen = numpy.zeros(len(OPS) - CONSTANT, numpy.bool_)  # negative codes count from the end
    chosen[list(kinds)] = True
    return chosen[codes]
