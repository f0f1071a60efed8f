"""The texts of the operations say what their functions do, bit for bit."""

import itertools
import math

import pytest

from engine.op import Op
from engine.ops import OPS
from engine.tape import NAMES, TEXTS
from tests.helpers.graphs import same

BOUNDARY = (
    *(0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 3.0, 20.0, 20.5, 1e-8, -1e-8, 5e-324, -5e-324),
    *(1e-300, 1e300, -1e300, 1.7976931348623157e308, 709.9, -709.9, -745.5, 1e22, 1 / 3),
    *(math.inf, -math.inf, math.nan),
)
FEW = (0.0, -2.0, 3.5, math.inf, math.nan)
OPERATIONS = pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)


def points(op: Op):
    return itertools.product(*([BOUNDARY, BOUNDARY, FEW][: len(op.slots)]))


def evaluated(text: str, names: dict[str, float]) -> float:
    return eval(text.replace("{", "").replace("}", ""), {**NAMES, **names})


@OPERATIONS
def test_each_operation_has_a_text_for_its_value_and_each_slot(op):
    assert len(TEXTS[op.name].slopes) == len(op.slots)


@OPERATIONS
def test_texts_have_the_bits_of_the_functions(op):
    text = TEXTS[op.name]
    for numbers in points(op):
        names = dict(zip(op.slots, numbers, strict=True))
        out = op.forward(*numbers)
        assert same(evaluated(text.forward, names), out), numbers
        for slope, partial in zip(text.slopes, op.partials, strict=True):
            found = evaluated(slope, {**names, "out": out})
            assert same(found, partial(*numbers, out)), (slope, numbers)
