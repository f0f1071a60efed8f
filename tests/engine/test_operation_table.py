"""Values and local derivatives have the bits of a table that hand-written functions computed.

The table holds special and ordinary numbers in every slot; the functions that are made from the
texts of the operations came after it. Where a text calls a function of the C library, whose last
bit differs between systems, the numbers may be that far off.
"""

import itertools
import math
from collections.abc import Iterator
from typing import Any

from engine.ops import OPS, Op
from tests.helpers.graphs import reference, same
from tests.helpers.tables import in_turn

TABLE: dict[str, Any] = reference("operations")
LAST_BITS = 4


def points(op: Op) -> Iterator[tuple[float, ...]]:
    """The inputs of an operation's columns."""
    wide, few = TABLE["points"], TABLE["few"]
    columns = {1: [wide], 2: [wide, wide], 3: [wide, few, few]}
    return itertools.product(*columns[len(op.slots)])


def is_as_known(found: float, known: float, by_library: bool) -> bool:
    if by_library and math.isfinite(found) and math.isfinite(known) and found and known:
        return abs(found - known) <= LAST_BITS * math.ulp(known)
    return same(found, known)


def test_the_table_has_every_operation():
    assert [name for name in TABLE if name not in ("points", "few")] == [op.name for op in OPS]


@in_turn("op", OPS)
def test_values_and_local_derivatives_are_those_of_the_table(op: Op):
    for inputs, known, *slopes in zip(points(op), *TABLE[op.name], strict=True):
        out = op.forward(*inputs)
        assert is_as_known(out, known, "(" in op.value or "**" in op.value), inputs
        for text, partial, slope in zip(op.derivatives, op.partials, slopes, strict=True):
            by_library = any(sign in op.value + text for sign in ("(", "**"))
            assert is_as_known(partial(*inputs, out), slope, by_library), (inputs, text)
