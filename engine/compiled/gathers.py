"""Reads numbers at irregular positions: gathers, and sums of products over them."""

from __future__ import annotations

import numpy

from engine.compiled.arrays import Array
from engine.compiled.places import ONE
from engine.compiled.terms import Ints
from engine.compiled.views import Call, even_view


class Gathers:
    """Makes calls that gather numbers into scratch arrays shared by all calls."""

    def __init__(self, numbers: Array, size: int) -> None:
        self._numbers = numbers
        self._spare = numpy.empty((4, size))

    def read(self, places: Ints, spare: int) -> tuple[list[Call], Array]:
        """Return an array of the numbers, and the call that fills it unless it is a view."""
        view = even_view(self._numbers, places)
        return ([], view) if view is not None else self._take(places, spare)

    def total(self, into: Array, rows: Ints, a: Ints, b: Ints) -> list[Call]:
        """Return the calls for `into[row] = Σ a · b` for all k with rows[k] = row, in order."""
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
        """Return the arrays of two factors, filled by one call if both are gathered."""
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
