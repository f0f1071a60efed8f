"""A tape run once over many samples: every number is a row with a column for each sample.

Python's share of a pass, one step for each operation, is then paid once for all samples, and NumPy
does the arithmetic. The steps are those of `Tape`; only the functions differ, which `arrays` has.

>>> from engine import from_expression
>>> from engine.generated.tape import lay_out
>>> graph = from_expression("a * b")
>>> tape = lay_out(graph, graph.root)
>>> values = forward(tape, numpy.array([[2.0, 3.0], [5.0, 5.0], [0.0, 0.0]]))
>>> values[tape.root].tolist(), backward(tape, values, tape.leaves)[tape.leaves].tolist()
([10.0, 15.0], [[5.0, 5.0], [2.0, 3.0]])
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy

from engine.compiled.arrays import Array, array_op
from engine.generated.tape import Tape
from engine.ops import OPS


def forward(tape: Tape, rows: Array) -> Array:
    """Fill the rows of all operations from those of leaves and constants; returns the rows."""
    with numpy.errstate(all="ignore"):
        for code, place, *sources in tape.steps:
            rule = array_op(OPS[code]).forward
            rule.compute(*[rows[sources[slot]] for slot in rule.reads], rows[place])
    return rows


def backward(tape: Tape, rows: Array, wanted: Sequence[int]) -> Array:
    """Return the gradient of the root by each node that depends on a wanted leaf; others are 0."""
    wants = tape.wants(wanted)
    grads = numpy.zeros_like(rows)
    grads[tape.root] = 1.0
    local = numpy.empty(rows.shape[1])
    with numpy.errstate(all="ignore"):
        for code, place, *sources in reversed(tape.steps):
            op, out = OPS[code], len(OPS[code].slots)
            for source, rule in zip(sources, array_op(op).slopes, strict=False):
                if wants[source]:
                    reads = [place if slot == out else sources[slot] for slot in rule.reads]
                    rule.compute(*[rows[read] for read in reads], local)
                    grads[source] += grads[place] * local  # upstream × local derivative
    return grads
