"""Nudges: one number is changed, and the graph is run forward again.

**Difference quotients** of the root are computed as the lessons do it, from two passes forward, so
they have all their rounding; `remark` says why a quotient is not the gradient itself, and whether
it proves anything about it.

>>> from engine import from_expression
>>> from engine.trace import run
>>> trace = run(from_expression("L = (a*b + c)*f", {"a": 2, "b": -3, "c": 10, "f": -2}))
>>> b = trace.graph.node_named("b")
>>> quotient(trace, b, 0.001, "forward").value  # the gradient of b is −4
-3.9999999999995595

**Ripples** are the changes of all nodes: the forward direction of the chain rule. Along a wire a
change is multiplied by the slope. Where several wires meet, the products add up, to first order.

>>> trace = run(from_expression("y = a*b", {"a": 2, "b": -3}))
>>> found = ripple(trace.graph, 1, 0.01)
>>> found.change(3), found.carried((3, 0)), found.ratio
(-0.03, Carried(change=0.01, slope=-3.0), -3.0)
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from msgspec import Struct

from engine.errors import EngineError
from engine.frame import Frame
from engine.graph import Constant, Graph, OpNode, Root, Wire
from engine.numbers import ABOUT, DIGITS_SHOWN, Digits, full, measurement_tolerance, short
from engine.ops import Op, never
from engine.problems import arguments, local_derivative
from engine.rules import CORRECT
from engine.schedule import NO_NODE
from engine.trace import Trace, evaluate_values, run_forward

Method = Literal["forward", "central"]

STEP: Final = 0.001
"""How far a number is moved unless said otherwise, as in the lessons."""
HALVINGS, BREAK_SHARE = 50, 2.0**-20
"""How often a step is bisected to find a kink or jump, and the share of the change that remains if
there is one. A smooth function leaves about 2⁻⁵⁰ of it, a discontinuity nearly all."""

Doubt = Literal["", "not finite", "h too small", "kink", "h too large"]
"""Why a quotient proves nothing of a gradient; "" where it does."""


class Quotient(Struct, frozen=True):
    """A difference quotient: the root's value above and below, their distance, and the slope.

    `moves` are how far the number was moved for it: h, or h and −h.
    """

    above: float
    below: float
    apart: float
    value: float
    moves: tuple[float, ...]


class Remark(Struct, frozen=True):
    """Why a quotient is not the gradient, as one sentence, and whether it proves nothing of it."""

    sentence: str = ""
    doubt: Doubt = ""


def quotient(trace: Trace, node: int, h: float = STEP, method: Method = "forward") -> Quotient:
    """Return (root(x + h) − root(x)) ÷ h, or for central (root(x + h) − root(x − h)) ÷ 2h.

    Raises EngineError for a step that is 0 or no number.
    """
    if not math.isfinite(h) or h == 0:
        raise EngineError("A nudge is a number other than 0, such as 0.001.")
    here = trace.values[node]
    above = root_value(trace, node, here + h)
    if method == "forward":
        below, apart, moves = trace.values[trace.root], h, (h,)
    else:
        below, apart, moves = root_value(trace, node, here - h), 2.0 * h, (h, -h)
    return Quotient(above, below, apart, (above - below) / apart, moves)


def root_value(trace: Trace, node: int, value: float) -> float:
    """Return the root's value if a node had another one, leaf or not."""
    return _moved(trace, node, value)[trace.root]


def remark(
    trace: Trace, node: int, found: Quotient, gradient: float, slope: float | None = None
) -> Remark:
    """Return why a quotient is not the gradient, and whether it proves nothing of it.

    `slope` is the true one of a gradient that is wrong, else None. A quotient proves nothing of a
    right gradient if it is off by more than a tenth of that, nor of a wrong one that is no farther
    from the slope than the quotient.
    """
    root, gap = trace.graph.brief(trace.root), abs(found.value - gradient)
    if not (math.isfinite(found.value) and math.isfinite(gradient)):
        return Remark(_not_finite(trace, node, found), "not finite")
    noise = rounding(trace, node, found)
    curvature_error = gap if slope is None else abs(found.value - slope)
    # the error of a wrong gradient does not stand out from the errors of the quotient
    mistake_hidden = slope is not None and noise + curvature_error >= abs(slope - gradient)
    # `not <=` instead of `>`, as noise may be nan
    if not noise <= measurement_tolerance(gradient) or (
        mistake_hidden and noise >= curvature_error
    ):
        return Remark(_too_small(root, found, gradient), "h too small")
    breaks = (
        (_break_between(trace, node, move) for move in found.moves)
        if curvature_error > noise
        else ()
    )
    if kink_or_jump := next((each for each in breaks if each), ""):
        return Remark(f"The step goes over a {kink_or_jump} at once.", "kink")
    if mistake_hidden or (slope is None and gap > measurement_tolerance(gradient)):
        said = f"h is too large: the secant over it is not the tangent of {root}."
        return Remark(f"{said} A smaller h is closer.", "h too large")
    if not gap:
        return Remark()
    if curvature_error <= noise:
        return Remark("The difference is rounding: the last digits of two values were subtracted.")
    said = "The secant over h is not yet the tangent"
    return Remark(f"{said}: {root} is curved. A smaller h is closer.")


def _too_small(root: str, found: Quotient, gradient: float) -> str:
    numbers = f"{short(found.value, 3)} and {short(gradient, 3)}"
    said = f"h is too small. {root} changes in its last digits only"
    return f"{said}, so {numbers} say nothing about each other."


def _not_finite(trace: Trace, node: int, found: Quotient) -> str:
    """Say which of the values of a quotient is no finite number, if one is."""
    root, name = trace.graph.brief(trace.root), trace.graph.brief(node)
    places = {f"{name} + h": found.above}
    if len(found.moves) > 1:
        places[f"{name} − h"] = found.below
    at = next((place for place, value in places.items() if not math.isfinite(value)), None)
    if at is None or not math.isfinite(trace.values[trace.root]):
        return "The quotient or the gradient is infinite or nan: they can't be compared."
    return f"{root} is {full(places[at])} at {at}, so there is no quotient to compare."


def rounding(trace: Trace, node: int, found: Quotient) -> float:
    """Return a bound on the rounding error of a quotient; it may be infinite or nan.

    The value that is moved is rounded to half a float, and each operation on it adds one float.
    """
    here = trace.values[node]
    at = [here + move for move in found.moves] + ([here] if len(found.moves) == 1 else [])
    return sum(_error_of_root(trace, node, x) for x in at) / abs(found.apart)


def _moved(trace: Trace, node: int, value: float) -> dict[int, float]:
    """Return the values of all nodes, if one had another value."""
    if node not in trace.values or isinstance(trace.graph.nodes[node], Root):
        raise EngineError("Only a number that is computed or given can be nudged.")
    return _moved_values(trace.graph, node, value, trace.values)


def _error_of_root(trace: Trace, node: int, value: float) -> float:
    """Return a bound on the rounding error of the root's value if a node had another one."""
    graph, values = trace.graph, _moved(trace, node, value)
    errors = {node: 0.5 * math.ulp(value)}
    for other in graph.plan(trace.root).order:
        found = graph.nodes[other]
        if other == node or not isinstance(found, OpNode) or errors.keys().isdisjoint(found.inputs):
            continue
        op, at = graph.op(other), arguments(graph, other, values)
        errors[other] = math.ulp(values[other]) + sum(
            abs(partial(*at, values[other])) * errors[source]
            for partial, source in zip(op.partials, found.inputs, strict=True)
            if source in errors
        )
    return errors[trace.root]


def _break_between(trace: Trace, node: int, move: float) -> str:
    """Return which operation has a kink or jump on the step, and what changes there; else ""."""
    moved = _moved(trace, node, trace.values[node] + move)
    for other in trace.graph.plan(trace.root).order:
        found = trace.graph.nodes[other]
        if not isinstance(found, OpNode) or moved[other] is trace.values[other]:
            continue  # the same object: it does not depend on the node
        op = trace.graph.op(other)
        if op.kink is never:
            continue
        value, slope = _discontinuities(
            op, *(arguments(trace.graph, other, v) for v in (trace.values, moved))
        )
        if value:
            return f"jump of {op.name}, where the value changes"
        if slope:
            return f"kink of {op.name}, where the slope changes"
    return ""


def _discontinuities(op: Op, here: list[float], there: list[float]) -> tuple[bool, bool]:
    """Return whether value and slope are discontinuous between two lists of inputs.

    Bisection keeps the half over which they change more; a gradual change shrinks to nothing.
    """

    def change(ends: tuple[list[float], list[float]]) -> tuple[float, float]:
        low, high = ends
        slopes = zip(_slopes(op, low), _slopes(op, high), strict=True)
        return abs(op.forward(*low) - op.forward(*high)), max(abs(a - b) for a, b in slopes)

    ends = (here, there)
    full_change = change(ends)
    for _ in range(HALVINGS):
        middle = [a + (b - a) / 2.0 for a, b in zip(*ends, strict=True)]
        ends = max((ends[0], middle), (middle, ends[1]), key=lambda half: sum(change(half)))
    left = change(ends)
    return left[0] > BREAK_SHARE * full_change[0], left[1] > BREAK_SHARE * full_change[1]


def _slopes(op: Op, at: Sequence[float]) -> list[float]:
    return [partial(*at, op.forward(*at)) for partial in op.partials]


# Ripples

OFFERED_CHANGES: Final = (1.0, 0.1, 0.01, 0.001)
"""Changes of a leaf that the user can choose from."""
USUAL_CHANGE: Final = 0.01
"""The one that is chosen at first."""
_TRUSTED_DIGITS: Final = 13
"""Significant digits of the larger value that are trusted; further ones are rounding."""
_ROUNDING_NOISE: Final = 10.0 ** (1 - _TRUSTED_DIGITS)
"""A difference below this share of its numbers may be their rounding to these digits."""
_AGREEMENT_DIGITS: Final = 3
"""Significant digits in which a ratio must agree to be about the gradient."""


class Carried(Struct, frozen=True):
    """The change at the source of a wire, and the slope along it before the change."""

    change: float
    slope: float

    @property
    def effect(self) -> float:
        """The first-order change of the target through this wire alone."""
        return self.change * self.slope


class RippleRequest(Struct, frozen=True):
    """A ripple that is asked for: its node, and the change of the node's value.

    `wires` are those of the node along which the change goes, () for all, in the graph's order.
    """

    node: int
    change: float
    wires: tuple[Wire, ...] = ()


@dataclass(frozen=True, eq=False)
class GraphRipple:
    """The values of all nodes before and after one of them changed by `planned_change`.

    `node` is the one that changed, `root` the node whose gradients are wanted, or None. With
    `along`, the change goes along these wires alone, and as far as `watched`, which is the root.
    """

    graph: Graph
    node: int
    planned_change: float
    before: Mapping[int, float]
    after: Mapping[int, float]
    along: frozenset[Wire] | None = None
    watched: int | None = None

    @property
    def root(self) -> int | None:
        """The node that is watched, or that of the active Root, if it has a value."""
        root = self.graph.root if self.watched is None else self.watched
        return root if root in self.before else None

    def change(self, node: int) -> float:
        """Return the change of a node; nan where it is undefined, as at infinity."""
        return difference(self.after[node], self.before[node])

    def is_changed(self, node: int | None) -> bool:
        """Return whether a node has another value."""
        if node is None or node not in self.before:
            return False
        old, new = self.before[node], self.after[node]
        return old != new and not (math.isnan(old) and math.isnan(new))

    def carries(self, wire: Wire) -> bool:
        """Return whether a wire carries the change of its source."""
        has_way = self.along is None or wire in self.along
        return has_way and self.is_changed(self.graph.source(wire))

    def carried(self, wire: Wire) -> Carried | None:
        """Return change and slope along a wire into an operation; None if it carries no change."""
        source, (target, _slot) = self.graph.source(wire), wire
        if source is None or not self.carries(wire) or target not in self.before:
            return None
        if not isinstance(self.graph.nodes[target], OpNode):
            return None
        return Carried(self.change(source), local_derivative(self.graph, wire, self.before))

    def parts(self, node: int) -> dict[Wire, Carried]:
        """Return change and slope of the wires into a node."""
        wires = ((node, slot) for slot in range(len(self.graph.inputs(node))))
        found = ((wire, self.carried(wire)) for wire in wires)
        return {wire: carried for wire, carried in found if carried is not None}

    def joint_effect(self, node: int) -> float:
        """Return the joint effect of several changes beyond their sum; 0 if that is rounding."""
        parts = self.parts(node)
        rest = self.change(node) - sum(carried.effect for carried in parts.values())
        noise = _size(self.before[node], self.after[node])
        for wire, carried in parts.items():
            source = self.graph.source(wire)
            assert source is not None
            noise += abs(carried.slope) * _size(self.before[source], self.after[source])
        if len(parts) < 2 or not abs(rest) > _ROUNDING_NOISE * noise:  # it may be nan
            return 0.0
        return _rounded(rest, noise)

    @cached_property
    def columns(self) -> Mapping[int, int]:
        """For each node that the change reaches, the most wires on a way to it.

        A node is reached if one of its inputs changes, even if it does not change itself.
        """
        found = {self.node: 0}
        for node in self.graph.structure.topological_order:
            inputs = enumerate(self.graph.inputs(node))
            sources = [s for slot, s in inputs if s in found and self.carries((node, slot))]
            if sources and node != self.node and self._has_value(node):
                found[node] = 1 + max(found[source] for source in sources)
        return found

    @property
    def request(self) -> RippleRequest:
        along = self.along or frozenset()
        chosen = tuple(wire for wire in self.graph.outgoing[self.node] if wire in along)
        return RippleRequest(self.node, self.planned_change, chosen)

    @property
    def leads_to_root(self) -> bool:
        """Whether a path leads from the node to the root, wherever the change ends."""
        root = self.graph.root if self.watched is None else self.watched
        return root is not None and self.node in self.graph.plan(root).order

    @property
    def moved(self) -> float:
        """How far the node itself has moved: `planned_change`, but for rounding."""
        return self.change(self.node)

    @property
    def effect(self) -> float:
        """How far the root has moved; nan without a root."""
        return math.nan if self.root is None else self.change(self.root)

    @property
    def ratio(self) -> float:
        """The root's change for each 1 of the node's; nan where nothing moves."""
        moved = self.moved
        return self.effect / moved if moved and math.isfinite(moved) else math.nan

    def _has_value(self, node: int) -> bool:
        found = self.graph.nodes[node]
        return node in self.before or (isinstance(found, Root) and found.input in self.before)


def ripple(
    graph: Graph, node: int, change: float, before: Mapping[int, float] | None = None
) -> GraphRipple:
    """Return the ripple of a change of one number: a leaf's, a constant's or an operation's.

    `before` are the values of the graph, if they are known. A Root stands for what is plugged in.
    """
    found = graph.nodes[node]
    if isinstance(found, Root):
        node = NO_NODE if found.input is None else found.input
    values = evaluate_values(graph) if before is None else before
    if node not in values:
        raise EngineError("Only a number that is computed or given can be changed.")
    after = _moved_values(graph, node, values[node] + change, values)
    return GraphRipple(graph, node, change, values, after)


def requested_ripple(
    graph: Graph, wanted: RippleRequest, before: Mapping[int, float] | None = None
) -> GraphRipple:
    """Return the ripple that is asked for; `before` are the values of the graph, if known."""
    if wanted.wires and graph.root is not None:
        return ripple_along(run_forward(graph), wanted.wires, wanted.change, graph.root)
    return ripple(graph, wanted.node, wanted.change, before)


def change_since(
    graph: Graph, node: int, before: Mapping[int, float], after: Mapping[int, float]
) -> GraphRipple:
    """Return the ripple between two forward runs in which one number differs."""
    return GraphRipple(graph, node, difference(after[node], before[node]), before, after)


def ripple_along(trace: Trace, wires: Collection[Wire], change: float, watched: int) -> GraphRipple:
    """Return the ripple of a change of one node on some of its wires, as far as a watched node.

    The change is added to the inputs that the wires are; the node's other wires carry nothing.
    """
    graph = trace.graph
    (node,) = {graph.source(wire) for wire in wires}
    assert node is not None
    on_the_way = frozenset(graph.plan(watched).order)
    slots = ((target, slot) for target in on_the_way for slot in range(len(graph.inputs(target))))
    along = frozenset(wires).union(wire for wire in slots if graph.source(wire) != node)
    moved = raised(trace, wires, change)
    after = {other: moved[other] if other in on_the_way else x for other, x in trace.values.items()}
    after[node] = trace.values[node] + change
    return GraphRipple(graph, node, change, trace.values, after, along, watched)


def raised(trace: Trace, wires: Iterable[Wire], change: float) -> dict[int, float]:
    """Return the values of all nodes with the inputs along wires raised."""
    return shifted(trace, dict.fromkeys(wires, change))


def shifted(trace: Trace, changes: Mapping[Wire, float]) -> dict[int, float]:
    """Return the values of all nodes with each input along a wire changed by its own amount."""
    values, changed = dict(trace.values), {target for target, _slot in changes}
    for node, forward, inputs in trace.graph.structure.computable:
        if node in changed or not changed.isdisjoint(inputs):
            given = enumerate(values[source] for source in inputs)
            values[node] = forward(*[x + changes.get((node, k), 0.0) for k, x in given])
            changed.add(node)
    return values


def _moved_values(
    graph: Graph, node: int, value: float, values: Mapping[int, float]
) -> dict[int, float]:
    """Return the values of all nodes if one had another; only its descendants are computed."""
    after, changed = {**values, node: value}, {node}
    for other, forward, inputs in graph.structure.computable:
        if other != node and not changed.isdisjoint(inputs):
            after[other] = forward(*[after[source] for source in inputs])
            changed.add(other)
    return after


def complete_gradient(frame: Frame, node: int) -> float | None:
    """Return the gradient of a node once its last contribution has arrived; None before."""
    if frame.phase != "backward" or node not in frame.grads:
        return None
    arrived = all(chip.event is not None for chip in frame.ledger(node))
    return frame.grads[node] if arrived else None


# what may be said of the ratio


NOT_KNOWN: Final = "{name} is not known yet"
Relation = Literal["agrees", "apart", "unknown"]


class RatioVerdict(Struct, frozen=True):
    """The ratio as it is printed, its relation to the gradient, and the reason.

    `relation` is apart where the gradient is known and is printed otherwise; `why` is one clause
    without a full stop, or "".
    """

    ratio: str
    relation: Relation
    why: str = ""


def ratio_verdict(found: GraphRipple, frame: Frame, digits: Digits = DIGITS_SHOWN) -> RatioVerdict:
    """Return the ratio's relation to the gradient in a frame."""
    graph, node = found.graph, found.node
    name = graph.brief(node)
    printed = short(found.ratio, digits)
    if isinstance(graph.nodes[node], Constant):
        return RatioVerdict(printed, "unknown", f"{name} is a constant, which has no gradient")
    if found.root is not None and node not in graph.plan(found.root).with_gradient:
        why = f"only constants feed {name}, which has no gradient"
        return RatioVerdict(printed, "unknown", why)
    if frame.phase == "backward" and frame.trace is not None and frame.trace.rules != CORRECT:
        return RatioVerdict(printed, "unknown", "the pass shown has a mistake")
    gradient = complete_gradient(frame, node)
    if gradient is None:
        return RatioVerdict(printed, "unknown", NOT_KNOWN.format(name=f"{name}.grad"))
    if not math.isfinite(gradient):
        return RatioVerdict(printed, "unknown", f"{name}.grad is {short(gradient, digits)}")
    why = _obstacle(found, gradient)
    agreed = "" if why else _agreed(found.ratio, gradient, digits)
    if agreed:
        return RatioVerdict(agreed, "agrees")
    differs = printed.removeprefix(ABOUT) != short(gradient, digits).removeprefix(ABOUT)
    return RatioVerdict(
        printed, "apart" if differs else "unknown", why or _why_apart(found, gradient)
    )


def _agreed(ratio: float, gradient: float, digits: Digits) -> str:
    """Return a ratio as it is printed if the gradient is printed so as well, else ""."""
    if short(ratio, digits) == short(gradient, digits):
        return in_words(short(ratio, digits))
    few = _AGREEMENT_DIGITS if digits == "shortest" else min(digits, _AGREEMENT_DIGITS)
    roughly = float(f"{ratio:.{few - 1}e}")
    if roughly == float(f"{gradient:.{few - 1}e}"):
        return f"about {short(roughly, 'shortest')}"
    return ""


def in_words(number: str) -> str:
    """Return a printed number as a sentence says it: `about 1` for `≈ 1`."""
    return f"about {number.removeprefix(ABOUT)}" if number.startswith(ABOUT) else number


def _obstacle(found: GraphRipple, gradient: float) -> str:
    """Return why ratio and gradient can't be compared, whatever both are; else ""."""
    graph = found.graph
    name, root = graph.brief(found.node), found.root
    assert root is not None
    on_the_way = [node for node in graph.plan(root).order if node in found.columns]
    for node in on_the_way:
        if not all(map(math.isfinite, (found.before[node], found.after[node]))):
            return f"{graph.brief(node)} is not finite, so no ratio tells anything"
    for node in on_the_way:
        kinks = node != found.node and graph.op(node).kink
        if kinks and kinks(*arguments(graph, node, found.before)):
            return f"{graph.op(node).name} has a kink or jump here, where its slope is a convention"
    if not found.moved:
        return f"the change is lost in the last digits of {name}"
    noise = rounding(run_forward(graph, root), found.node, _quotient(found))
    if gradient and not noise <= abs(gradient) * 10.0 ** (1 - _AGREEMENT_DIGITS):
        return _why_rounding(found, on_the_way)
    return ""


def _why_rounding(found: GraphRipple, on_the_way: Sequence[int]) -> str:
    """Return how rounding on the way makes a ratio unreliable, or why it can't be told how much."""
    graph = found.graph
    parts = {node: found.parts(node) for node in on_the_way if node != found.node}
    for node, into in parts.items():
        if not all(math.isfinite(local_derivative(graph, wire, found.after)) for wire in into):
            return f"{graph.op(node).name} has no finite slope after the change"
    for node, into in parts.items():
        if not found.is_changed(node) and any(part.effect for part in into.values()):
            return f"the change is lost in the last digits of {graph.brief(node)}"
    return "rounding may spoil the ratio"


def _quotient(found: GraphRipple) -> Quotient:
    assert found.root is not None
    above, below, h = found.after[found.root], found.before[found.root], found.planned_change
    return Quotient(above, below, h, (above - below) / h, (h,))


def _why_apart(found: GraphRipple, gradient: float) -> str:
    assert found.root is not None
    trace, quotient = run_forward(found.graph, found.root), _quotient(found)
    said = remark(trace, found.node, quotient, gradient)
    if said.doubt == "kink":
        return said.sentence.replace("The step goes", "the change goes").rstrip(".")
    if abs(quotient.value - gradient) <= rounding(trace, found.node, quotient):
        return "the difference is rounding"
    lower = [change for change in OFFERED_CHANGES if change < abs(found.planned_change)]
    ripples = (ripple(found.graph, found.node, change, found.before) for change in lower)
    if any(abs(each.ratio - gradient) < abs(found.ratio - gradient) for each in ripples):
        return "too large a change here, lower it"
    return "too large a change here"


# rounding


def _size(old: float, new: float) -> float:
    return max(abs(old), abs(new))


def difference(moved: float, at: float) -> float:
    """Return a difference, rounded to the digits that the larger of both leaves it."""
    found = moved - at
    if not math.isfinite(found) or found == 0:
        return found
    return _rounded(found, _size(moved, at))


def _rounded(difference: float, size: float) -> float:
    """Return a difference of numbers of a size, rounded to their significant digits."""
    if not math.isfinite(size):
        return difference
    try:
        places = _TRUSTED_DIGITS - math.ceil(math.log10(size))
        return round(difference, places) or difference  # a change is never rounded to 0
    except OverflowError:
        return difference
