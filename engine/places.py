"""Where each number of an array program lies: values by kind and level, gradients by level.

The values of a group of nodes, of one kind and one level, are one slice; so are the gradients of
a level.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy

from engine import terms as parts
from engine.tape import CONSTANT
from engine.terms import Ints, Terms

ONE, MINUS_ONE, FIRST = 0, 1, 2
"""The places of 1 and −1 among the values, and of the first node."""

REGULAR = 64
"""Sums of fewer terms in all make one group, whatever they look like."""

SUMS = -1
"""The kind of sums of products; the kind of any other operation is its code."""


class Group(NamedTuple):
    """Nodes of one kind and level, whose values are at `start` to `stop`.

    In a group of sums each adds up `products` products and `plain` numbers; -1 if they differ.
    """

    kind: int
    wanted: bool
    level: int
    products: int
    plain: int
    start: int
    stop: int


@dataclass(frozen=True)
class Places:
    """The numbering of an array program, by place of the tape.

    `value` and `grad` are the places among the values and the gradients (-1: none), `group` is
    the number of a node's group (-1: leaves and constants); `nodes` are the places of the tape
    in the order of the values.
    """

    groups: list[Group]
    nodes: Ints
    value: Ints
    grad: Ints
    group: Ints


def number(terms: Terms, wanted: Sequence[int], others: Sequence[int]) -> Places:
    """Give each kept node its place among the values, and those with a gradient another."""
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
    groups = [Group(*row) for row in zip(*(row.tolist() for row in rows), strict=True)]
    return Places(groups, nodes, value, _grads(terms, value), group)


def _sizes(terms: Terms) -> tuple[Ints, Ints]:
    """How many products and how many plain numbers each sum adds up; -1 in small groups."""
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
    """The places of the gradients: by level, and then as the values."""
    nodes = numpy.flatnonzero(terms.kept & terms.wants)
    nodes = nodes[numpy.lexsort((value[nodes], terms.level[nodes]))]
    grad = numpy.full(len(terms.codes), -1)
    grad[nodes] = numpy.arange(len(nodes))
    return grad
