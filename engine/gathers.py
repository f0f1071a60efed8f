"""Numbers from places without a pattern: gathers, and sums of products made of them."""

from __future__ import annotations

import numpy

from engine.arrays import Array
from engine.places import ONE
from engine.terms import Ints
from engine.views import Call, even_view


class Gathers:
    """Makes calls that gather numbers, into spare arrays of some size that all of them share."""

    def __init__(self, numbers: Array, size: int) -> None:
        self._numbers = numbers
        self._spare = numpy.empty((4, size))

    def read(self, places: Ints, spare: int) -> tuple[list[Call], Array]:
        """An array of the numbers, and the call that fills it unless it is a view."""
        view = even_view(self._numbers, places)
        return ([], view) if view is not None else self._take(places, spare)

    def total(self, into: Array, rows: Ints, a: Ints, b: Ints) -> list[Call]:
        """Calls for `into[row] = Σ a · b` over all k with rows[k] = row, in the order of k."""
        plain = bool((b == ONE).all())
        single = len(rows) == len(into) and bool((rows == numpy.arange(len(rows))).all())
        if plain:
            calls, products = self.read(a, 0)
        else:
            calls, left, right = self._factors(a, b)
            products = into if single else self._spare[2, : len(rows)]
            calls.append((numpy.multiply, (left, right, products)))
        if not single:
            calls.append((_count, (into, rows, products)))
        elif plain:
            calls.append((numpy.copyto, (into, products)))
        return calls

    def _factors(self, a: Ints, b: Ints) -> tuple[list[Call], Array, Array]:
        """Two arrays, filled by one call if both are gathered."""
        calls, left = self.read(a, 0)
        more, right = self.read(b, 1)
        if calls and more:
            calls, both = self._take(numpy.concatenate([a, b]), 3)
            return calls, both[: len(a)], both[len(a) :]
        return calls + more, left, right

    def _take(self, places: Ints, spare: int) -> tuple[list[Call], Array]:
        into = self._spare[spare, : len(places)]
        return [(self._numbers.take, (places, None, into, "clip"))], into


def _count(into: Array, rows: Ints, numbers: Array) -> None:
    into[...] = numpy.bincount(rows, numbers, len(into))
