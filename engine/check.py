"""Gradient check: compares the gradients of the backward pass with numerical ones.

The numerical gradient of a leaf is propagated forward. The leaf moves at speed 1, and each
operation on the way to the root determines how fast its value moves when its inputs do. That speed
is measured, not derived: by a complex step, f(x + it) ≈ f(x) + it·f'(x) for a tiny t, where the
operation is defined for complex numbers (Squire and Trapp 1998), else by central differences with
Richardson extrapolation (Richardson 1911). No formula of a derivative is used.

A gradient counts as wrong only if the two differ by more than rounding explains. Where there is no
unique slope, a number is infinite or nan, or rounding explains so much that any gradient would do,
the result says so instead.

>>> from engine import from_expression
>>> from engine.rules import MISTAKES
>>> graph = from_expression("y = a*b + a", {"a": 2, "b": 3})
>>> [(found.name, found.analytic, found.numerical) for found in check(graph)]
[('a', 4.0, 4.0), ('b', 2.0, 2.0)]
>>> [found.verdict for found in check(graph, rules=MISTAKES[0])]  # = instead of +=
['differs', 'agrees']
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Literal, Protocol

from msgspec import Struct

from engine.frame import frame_at
from engine.graph import Graph, OpNode
from engine.numbers import measurement_tolerance, short
from engine.ops import Op
from engine.problems import arguments
from engine.rules import CORRECT, Rules
from engine.trace import Trace, run
from engine.writers import complex_function

Verdict = Literal["agrees", "differs", "kink", "not finite", "rounding"]
"""Right, wrong, or why the two numbers prove nothing."""

DIFFERENCE_TOLERANCE = 1e-6
"""Error allowed to central differences, as a share of the sum of all |path products|."""

EPSILON = 2.0**-52
"""Distance from 1.0 to the next larger float."""

ROUNDINGS_PER_STEP = 16.0
"""Roundings assumed in one step of either computation; each is an error of EPSILON at most."""

COMPLEX_STEP = 1e-30
"""The step t: its error is of order t², far below the last digit of any number."""

STEP_NEAR_SINGULARITY = 1e-20
"""The step t near a singularity of the operation, as a share of the distance to it."""

STEP_AT_SINGULARITY = 1e-100
"""The step t at a singularity itself, such as x = 0 for √x."""

MIN_COMPLEX_STEP = 1e-305
"""A smaller step t would lose digits: floats below 2.2e-308 are subnormal."""

COARSE_STEP, FINE_STEP = 2.0**-10, 2.0**-18
"""Steps of central differences, as shares of the largest input; the coarse one also by itself.

The coarse one has the smaller rounding error, the fine one the smaller truncation error.
"""

MIN_SCALED_INPUT = 1e-290
"""Smaller inputs are not used to scale these steps: the result would be subnormal."""

KINK_STEP, KINK_ULPS = 2.0**-24, 8.0
"""Step across a kink: a share of inputs up to 1, and at least KINK_ULPS floats away from it."""

SMOOTH_TOLERANCE = 1e-6
"""Share of the step by which a side of a kink may differ from the pass and count as smooth."""

MIN_ROUNDING = 1e-50
"""Keeps the bound on rounding above 0 where a local derivative is 0."""


class Judged(Protocol):
    """Anything with a verdict."""

    @property
    def verdict(self) -> str:
        """Return "agrees", or what else the check has shown."""
        ...


class HasGraph(Protocol):
    """What has a graph, as a Value."""

    def graph(self) -> Graph:
        """Return the graph."""
        ...


class Check(Struct, frozen=True):
    """One node's gradients; `analytic` is None where no path leads to the root."""

    node: int
    name: str
    analytic: float | None
    numerical: float
    verdict: Verdict
    reason: str


def check(
    graph: Graph | HasGraph,
    root: int | None = None,
    rules: Rules = CORRECT,
    nodes: Collection[int] | None = None,
) -> list[Check]:
    """Compare gradients under `rules` with numerical ones, in the order of ids.

    Without `nodes` all leaves are checked. Any other node is moved as if it were a leaf. Of a Value
    its graph is checked.
    """
    found = graph if isinstance(graph, Graph) else graph.graph()
    return list(checks(run(found, root, rules), nodes))


def checks(trace: Trace, nodes: Collection[int] | None = None) -> Iterator[Check]:
    """Yield the results of `check` for the trace of a backward pass."""
    graph, grads = trace.graph, frame_at(trace, len(trace)).grads
    bounds = _rounding_bounds(trace)
    for node in sorted(graph.leaves if nodes is None else nodes):
        yield _check_node(trace, node, grads.get(node), bounds)


def passed(found: Iterable[Judged]) -> bool:
    """Return whether every gradient agrees; a kink, nan, inf or rounding is not agreement."""
    return all(each.verdict == "agrees" for each in found)


def _check_node(
    trace: Trace, node: int, analytic: float | None, bounds: Mapping[int, float]
) -> Check:
    name = trace.graph.names[node]
    if analytic is None:
        reason = f"No path leads from {trace.graph.title(node)} to the root."
        return Check(node, name, None, 0.0, "agrees", reason)
    speed = _speed(trace, node)
    verdict, reason = _verdict(trace, node, analytic, speed, bounds[node])
    return Check(node, name, analytic, speed.value, verdict, reason)


def _verdict(
    trace: Trace, node: int, analytic: float, speed: _Speed, rounding: float
) -> tuple[Verdict, str]:
    paths = trace.path_sums[node]
    numbers = (analytic, speed.value, trace.values[node], trace.values[trace.root], paths, rounding)
    if not all(math.isfinite(number) for number in numbers):
        if trace.graph.frozen(trace.graph.plan(trace.root).order):
            return "not finite", "An operation on the way has no formula, so nothing is measured."
        if math.isnan(speed.value) and all(map(math.isfinite, trace.values.values())):
            return "not finite", "No step is small enough to measure the slope here."
        return (
            "not finite",
            "A number on the way is infinite or nan, so there is nothing to compare.",
        )
    if speed.kink is not None:
        return "kink", speed.kink.convention
    difference = abs(analytic - speed.value)
    allowed = ROUNDINGS_PER_STEP * rounding + (
        DIFFERENCE_TOLERANCE * paths if speed.by_difference else 0.0
    )
    most = short(allowed, 2)
    # no larger than its own error, a gradient can't be told from 0: its error is then measured
    # against 1 instead of its size
    if allowed > measurement_tolerance(analytic if abs(analytic) > allowed else 0.0):
        return "rounding", f"Rounding explains a difference of up to {most}, too much to compare."
    if difference <= allowed:
        return "agrees", "Both ways give the same."
    apart = short(difference, 3)
    return "differs", f"They are {apart} apart; rounding explains at most {most}."


class _Speed(Struct, frozen=True):
    """How fast the root moves when a leaf does; nan if that can't be measured.

    `by_difference`: a central difference was used on the way. `kink`: the first operation at a kink
    whose one-sided slopes do not agree with the pass.
    """

    value: float
    by_difference: bool = False
    kink: Op | None = None


def _speed(trace: Trace, leaf: int) -> _Speed:
    """Differentiate in forward mode: carry the speed of a leaf through all nodes to the root."""
    graph, values = trace.graph, trace.values
    speeds: dict[int, float] = {leaf: 1.0}
    by_difference, kink = False, None
    for node in graph.plan(trace.root).order:  # forward: inputs come before what they feed
        operation = graph.nodes[node]
        if not isinstance(operation, OpNode) or not any(s in speeds for s in operation.inputs):
            continue  # it does not depend on the leaf
        op = graph.op(node)
        at = [values[s] for s in operation.inputs if s is not None]
        # the speeds of the inputs: the operation is measured along this direction
        moves = [speeds.get(s, 0.0) for s in operation.inputs if s is not None]
        if op.uses or math.isnan(values[node]) or not all(math.isfinite(move) for move in moves):
            return _Speed(math.nan)  # without a formula or a value there is no speed
        if op.kink(*at) and any(moves):
            speeds[node], disagrees = _across_kink(op, at, moves)
            by_difference = True
            if kink is None and disagrees:
                kink = op
            continue
        speed = _complex_step(op, at, moves)
        by_difference = by_difference or speed is None
        speeds[node] = _central_difference(op, at, moves) if speed is None else speed
    return _Speed(speeds[trace.root], by_difference, kink)


def _complex_step(op: Op, at: list[float], moves: list[float]) -> float | None:
    """Measure the speed of an operation by a complex step; None if that fails.

    The fastest input moves by i · step, the others in proportion. The speed is the imaginary part
    over the step. Unlike a difference it subtracts nothing, so a tiny step costs no digits.
    """
    largest = max(abs(move) for move in moves)
    function = complex_function(op.slots, op.value)
    if largest == 0.0:
        return 0.0  # no input moves
    if function is None:
        return None  # not defined for complex numbers
    step = COMPLEX_STEP
    if op.singular_slot is not None:
        distance = abs(at[op.singular_slot])
        step = STEP_NEAR_SINGULARITY * min(1.0, distance) if distance else STEP_AT_SINGULARITY
        if step < MIN_COMPLEX_STEP:
            return math.nan  # any step would cross the singular point
    try:
        out = function(*(complex(a, step * (m / largest)) for a, m in zip(at, moves, strict=True)))
    except (ArithmeticError, ValueError):
        return None
    speed = out.imag / step * largest
    return None if math.isnan(speed) else speed


def _central_difference(op: Op, at: list[float], moves: list[float]) -> float:
    """Measure the speed of an operation by central differences, with the best step size.

    The error of a difference over a step h is c·h² + O(h⁴). Differences over a whole and half a
    step, `wide` and `narrow`, give a `refined` one without the first term (Richardson). The best
    step is the one at which `refined` and `wide` differ least.
    """
    largest = max(abs(move) for move in moves)
    size = max([abs(a) for a, move in zip(at, moves, strict=True) if move and a], default=1.0)
    best, least_spread = math.nan, math.inf
    # by itself the coarse step serves functions that change over a length of 1, whatever the size
    # of x: sin at 10⁴, softplus at 10⁻⁸
    shares = (COARSE_STEP, FINE_STEP) if size > MIN_SCALED_INPUT else ()
    for step in (COARSE_STEP, *(share * size for share in shares)):
        directed = [step * (move / largest) for move in moves]
        wide, narrow = _difference(op, at, directed, 1.0), _difference(op, at, directed, 0.5)
        refined = narrow + (narrow - wide) / 3.0  # half the step has a quarter of the error
        spread = abs(refined - wide)
        if spread < least_spread:
            best, least_spread = refined / step * largest, spread
    return best


def _difference(op: Op, at: list[float], moves: list[float], part: float) -> float:
    """Return (f(x + h) − f(x − h)) / 2 per step, with h a part of the step."""
    above = op.forward(*(a + part * m for a, m in zip(at, moves, strict=True)))
    below = op.forward(*(a - part * m for a, m in zip(at, moves, strict=True)))
    return (above - below) / (2.0 * part)


def _across_kink(op: Op, at: list[float], moves: list[float]) -> tuple[float, bool]:
    """Return the mean speed of both sides of a kink, and whether either disagrees with the pass."""
    largest = max(abs(move) for move in moves)
    size = max([abs(a) for a in at if math.isfinite(a) and a], default=1.0)
    step = max(KINK_STEP * min(size, 1.0), KINK_ULPS * math.ulp(size))
    directed = [step * (move / largest) for move in moves]
    here = op.forward(*at)
    above = op.forward(*(a + m for a, m in zip(at, directed, strict=True))) - here
    below = here - op.forward(*(a - m for a, m in zip(at, directed, strict=True)))
    # the change that the pass predicts: if a side differs from it, there is no unique slope
    predicted = sum(
        partial(*at, here) * m for partial, m in zip(op.partials, directed, strict=True)
    )
    smooth = all(abs(predicted - side) <= SMOOTH_TOLERANCE * step for side in (above, below))
    return 0.5 * (above + below) / step * largest, not smooth


def _rounding_bounds(trace: Trace) -> dict[int, float]:
    """Return, for each node, a bound on the rounding error of its gradient.

    It is propagated from the root to the leaves like the gradients: along a path, |local
    derivatives| multiply, and paths add up. Each multiplication and addition adds one rounding.
    """
    graph, plan, sizes = trace.graph, trace.graph.plan(trace.root), trace.path_sums
    errors = dict.fromkeys(plan.order, 0.0)
    for target in reversed(plan.order):
        # the sum of its contributions rounds once for each wire
        errors[target] += EPSILON * len(graph.outgoing[target]) * sizes[target]
        for slot, source in enumerate(graph.inputs(target)):
            if source not in plan.with_gradient:
                continue
            op, at = graph.op(target), arguments(graph, target, trace.values)
            local = abs(op.partials[slot](*at, trace.values[target]))
            # the slope of an activation is computed from its rounded value, and from terms of a
            # size up to 1 + |a| that may cancel, as 1 + a · (1 − σ) for silu
            rounding = 1.0 + abs(at[0]) if op.family == "Activations" else local + MIN_ROUNDING
            errors[source] += errors[target] * local + EPSILON * sizes[target] * rounding
    return errors
