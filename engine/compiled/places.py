"""Layout of an array program's numbers: values by kind and level, gradients by level.

The values of nodes of the same kind and level form one slice, and so do the gradients of a level.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy
from msgspec import Struct

from engine.compiled import terms as parts
from engine.compiled.terms import Ints, Terms
from engine.generated.tape import CONSTANT

ONE, MINUS_ONE, FIRST = 0, 1, 2
"""Indices of the constants 1 and −1 and of the first node among the values."""

REGULAR = 64
"""Sums that have fewer terms than this in total share one group, whatever their shapes."""

SUMS = -1
"""Kind of sums of products; the kind of any other operation is its code."""


class Batch(NamedTuple):
    """Nodes of one kind and level, whose values are at `start` to `stop`.

    In a group of sums, each adds up `products` products and `plain` numbers; -1 if they differ.
    """

    kind: int
    wanted: bool
    level: int
    products: int
    plain: int
    start: int
    stop: int


class Places(Struct, frozen=True):
    """The numbering of an array program, by place of the tape.

    `value` and `grad` are indices into the values and the gradients (-1: none), `group` is the
    number of a node's group (-1: leaves and constants); `nodes` are the places of the tape in the
    order of the values.
    """

    groups: list[Batch]
    nodes: Ints
    value: Ints
    grad: Ints
    group: Ints


def number(terms: Terms, wanted: Sequence[int], others: Sequence[int]) -> Places:
    """Assign each kept node an index among the values, and those with a gradient another one."""
    count = len(terms.codes)
    ops = numpy.flatnonzero(terms.kept & (terms.codes >= 0))
    kind = numpy.where(terms.sums, SUMS, terms.codes)
    keys = numpy.stack([kind, terms.wants, terms.level, *_sizes(terms)])[:, ops]
    order = numpy.lexsort(keys[::-1])
    ops, keys = ops[order], keys[:, order]
    leaves = numpy.array([*wanted, *others], numpy.intp)
    constants = numpy.flatnonzero(terms.codes == CONSTANT)
    nodes = numpy.concatenate([leaves, constants, ops])
    value = numpy.full(count + 2, -1)
    value[nodes] = FIRST + numpy.arange(len(nodes))
    value[parts.ONE], value[parts.MINUS_ONE] = ONE, MINUS_ONE
    starts = numpy.flatnonzero(numpy.diff(keys, prepend=-9).any(axis=0))
    stops = numpy.append(starts[1:], len(ops))[: len(starts)]
    group = numpy.full(count, -1)
    group[ops] = numpy.repeat(numpy.arange(len(starts)), stops - starts)
    first = FIRST + len(leaves) + len(constants)
    rows = [*keys[:, starts], first + starts, first + stops]
    groups = [Batch(*row) for row in zip(*(row.tolist() for row in rows), strict=True)]
    return Places(groups, nodes, value, _grads(terms, value), group)


def _sizes(terms: Terms) -> tuple[Ints, Ints]:
    """Return the numbers of products and of plain terms of each sum; -1 in small groups."""
    count = len(terms.codes)
    products = numpy.bincount(terms.owner[terms.q >= 0], minlength=count)
    plain = numpy.bincount(terms.owner[terms.q < 0], minlength=count)
    alike = [terms.wants, terms.level, products, plain]
    key = numpy.ravel_multi_index(alike, [int(row.max()) + 1 for row in alike])
    _, number, members = numpy.unique(key, return_inverse=True, return_counts=True)
    small = terms.sums & ((products + plain) * members[number] < REGULAR)
    products[small] = plain[small] = -1
    return products, plain


def _grads(terms: Terms, value: Ints) -> Ints:
    """Return the indices of the gradients: ordered by level, then like the values."""
    nodes = numpy.flatnonzero(terms.kept & terms.wants)
    nodes = nodes[numpy.lexsort((value[nodes], terms.level[nodes]))]
    grad = numpy.full(len(terms.codes), -1)
    grad[nodes] = numpy.arange(len(nodes))
    return grad
