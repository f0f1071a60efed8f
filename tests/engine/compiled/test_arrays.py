"""The rules over arrays agree with the functions of the operations."""

import math

import numpy

from engine.compiled.arrays import array_op
from engine.ops import Op
from tests.engine.test_ops import OPERATIONS, points


def close(ours: float, theirs: float) -> bool:
    if math.isnan(theirs) or math.isinf(theirs):
        return repr(ours) == repr(theirs)
    if theirs == 0.0:
        return ours == 0.0 and math.copysign(1.0, ours) == math.copysign(1.0, theirs)
    return abs(ours - theirs) <= 1e-12 * abs(theirs) + 1e-300


def columns(op: Op) -> list[numpy.ndarray]:
    return [numpy.array(column) for column in zip(*points(op), strict=True)]


def computed(rule, arrays) -> list[float]:
    into = numpy.empty(len(arrays[0]))
    with numpy.errstate(all="ignore"):
        rule.compute(*(arrays[place] for place in rule.reads), into)
    return into.tolist()


@OPERATIONS
def test_values_over_arrays_are_those_of_the_functions(op):
    inputs = columns(op)
    for numbers, found in zip(points(op), computed(array_op(op).forward, inputs), strict=True):
        assert close(found, op.forward(*numbers)), numbers


@OPERATIONS
def test_slopes_over_arrays_are_those_of_the_functions(op):
    inputs = columns(op)
    outs = numpy.array([op.forward(*numbers) for numbers in points(op)])
    for partial, rule in zip(op.partials, array_op(op).slopes, strict=True):
        found = computed(rule, [*inputs, outs])
        for numbers, out, slope in zip(points(op), outs.tolist(), found, strict=True):
            assert close(slope, partial(*numbers, out)), numbers
