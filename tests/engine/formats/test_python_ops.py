"""The operations that a program teaches micrograd choose as ours do."""

import math
from itertools import product
from typing import Any

import pytest

from engine.formats.python.writer import definition_of
from engine.ops import BY_NAME

CHOOSING = ("relu", "leaky_relu", "elu", "maximum", "minimum", "where_gt0")


@pytest.mark.parametrize("name", CHOOSING)
def test_a_taught_choice_takes_the_value_and_the_slopes_of_ours(name):
    op = BY_NAME[name]
    taught: dict[str, Any] = {"math": math, "operation": lambda _name, *rules: rules}
    exec(definition_of(op), taught)
    forward, *slopes = taught[name]
    for at in product((math.nan, -1.5, 0.0, 2.0), repeat=len(op.slots)):
        value = op.forward(*at)
        assert forward(*at) == pytest.approx(value, nan_ok=True), at
        for slope, partial in zip(slopes, op.partials, strict=True):
            assert slope(*at, value) == pytest.approx(partial(*at, value), nan_ok=True), at
