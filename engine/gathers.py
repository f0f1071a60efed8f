"""Numbers from places without a pattern: gathers, and sums of products made of them."""

from __future__ import annotations

import numpy

from engine.arrays import Array
from engine.places import ONE
from engine.terms import Ints
from engine.views import Call, Picked, even_view


class Gathers:
    """Makes the calls that gather numbers, into spare arrays that all of them share."""

    def __init__(self, size: int) -> None:
        self._spare = numpy.empty((4, size))

    def read(self, picked: Picked, spare: int) -> tuple[list[Call], Array]:
        """An array of the numbers, and the call that fills it unless it is a view."""
        view = even_view(picked)
        if view is not None:
            return [], view
        into = self._spare[spare, : len(picked.places)]
        return [(picked.array.take, (picked.places, None, into, "clip"))], into

    def total(self, into: Array, rows: Ints, a: Picked, b: Picked) -> list[Call]:
        """Calls for `into[row] = Σ a · b` over all k with rows[k] = row, in the order of k."""
        calls, left = self.read(a, 0)
        plain = bool((b.places == ONE).all())
        single = len(rows) == len(into) and bool((rows == numpy.arange(len(rows))).all())
        products = into if single else self._spare[2, : len(rows)]
        if not plain:
            gather, right = self.read(b, 1)
            calls += [*gather, (numpy.multiply, (left, right, products))]
            left = products
        if not single:
            calls.append((_count, (into, rows, left)))
        elif plain:
            calls.append((numpy.copyto, (into, left)))
        return calls


def _count(into: Array, rows: Ints, numbers: Array) -> None:
    into[...] = numpy.bincount(rows, numbers, len(into))
