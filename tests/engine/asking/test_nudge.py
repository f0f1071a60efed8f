"""Nudges and ripples: quotients to the last digit, and why they are not the gradient."""

import math
import random
from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given, settings

from engine import EngineError, Graph, from_expression
from engine.asking.nudge import (
    OFFERED_CHANGES,
    GraphRipple,
    RatioVerdict,
    RippleRequest,
    change_since,
    quotient,
    ratio_verdict,
    remark,
    requested_ripple,
    ripple,
    root_value,
)
from engine.check import check
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Constant, Leaf, Node, OpNode, Root
from engine.numbers import ABOUT, short
from engine.ops import BY_NAME, OPS, never
from engine.rules import MISTAKES
from engine.trace import Trace, evaluate_values, run
from tests.helpers.graphs import EXAMPLES, demonstration, named, reference
from tests.helpers.random_graphs import graphs
from tests.helpers.sampling import tries
from tests.helpers.tables import in_turn
from tests.truth import oracle


def traced(text: str, **leaves: float) -> Trace:
    return run(from_expression(text, leaves))


def test_the_quotients_of_the_by_hand_lesson_are_right_to_the_last_digit():
    lesson = reference("by_hand_check")
    trace = traced(lesson["expression"], **lesson["leaves"])
    found = {
        n: quotient(trace, named(trace.graph, n), lesson["h"]).value for n in lesson["quotients"]
    }
    assert found == lesson["quotients"]


def test_a_central_quotient_is_closer_than_a_forward_one():
    trace = traced("y = a**3", a=2)
    forward, central = (quotient(trace, 1, 0.001, m).value for m in ("forward", "central"))  # pyright: ignore
    assert abs(central - 12) < 2e-6 < 5e-3 < abs(forward - 12)


@settings(max_examples=tries(200))
@given(graphs(most=8, finite=True))
def test_a_nudge_computes_what_the_graph_with_another_leaf_does(graph: Graph):
    trace = run(graph)
    for leaf in (n for n in graph.nodes if type(graph.nodes[n]).__name__ == "Leaf"):
        other = evaluate_values(graph.with_values({leaf: 1.25}))[trace.root]
        found = root_value(trace, leaf, 1.25)
        assert found == other or (math.isnan(found) and math.isnan(other))


@in_turn(
    ("text", "leaves", "h", "said"),
    [
        ("y = 2*a", {"a": 1}, 0.5, ""),
        ("y = a*a", {"a": 3}, 0.001, "The secant over h is not yet the tangent"),
        ("y = exp(a)", {"a": 1}, 1e-15, "h is too small"),
        ("y = a*a", {"a": 3}, 1.0, "h is too large"),
        ("y = 1/a", {"a": 0.5}, 1.0, "h is too large"),
        ("y = log(a)", {"a": 0.5}, -1.0, "y is nan at a + h"),
        ("y = exp(a)", {"a": 709}, 1.0, "y is inf at a + h"),
        ("y = 2*a", {"a": 1e20}, 0.001, "h is too small"),
        ("y = (a + c) - c", {"a": 1, "c": 1e16}, 0.001, "h is too small"),
        ("y = relu(a)", {"a": -0.0001}, 0.001, "The step goes over a kink of relu"),
        ("y = abs(a)", {"a": -0.0001}, 0.001, "The step goes over a kink of abs"),
        ("y = floor(a)", {"a": 0.9999}, 0.001, "The step goes over a jump of floor"),
        ("y = sin(1000*a)**2", {"a": 0.0003}, 0.001, "h is too large"),
        ("y = exp(0 - (1000*a)**2)", {"a": 0.001}, 0.001, "h is too large"),
        ("y = maximum(a, b)", {"a": 1, "b": 1.0001}, 0.001, "The step goes over a kink of maximum"),
        ("y = log(a)", {"a": 0}, 0.001, "The quotient or the gradient is infinite or nan"),
    ],
)
def test_a_quotient_says_why_it_is_not_the_gradient(text, leaves, h, said):
    trace = traced(text, **leaves)
    a = named(trace.graph, "a")
    found = remark(trace, a, quotient(trace, a, h), frame_at(trace, len(trace)).grads[a])
    assert found.sentence.startswith(said)
    assert bool(found.sentence) == bool(said)


@pytest.mark.parametrize("h", [0.0, math.nan, math.inf])
def test_a_nudge_of_nothing_is_refused(h: float):
    trace = traced("y = a*a", a=3)
    with pytest.raises(EngineError, match="A nudge is a number other than 0"):
        quotient(trace, 1, h)


def test_an_op_node_can_be_nudged_and_checked_as_a_leaf_can():
    trace = traced("e = a*b; y = e*e + a", a=2, b=3)
    e = named(trace.graph, "e")
    assert quotient(trace, e, 1.0).value == (7 * 7 - 6 * 6)
    (found,) = check(trace.graph, nodes=[e])
    assert (found.node, found.analytic, found.verdict) == (e, 12.0, "agrees")


SHARED = "e = a*b; d = e + a; L = d*f"
LEAVES = {"a": 2, "b": -3, "f": -2}
SPECIAL = (0.0, -0.0, 1.0, -1.0, 2.0, 0.5, 1e17, -1e17, 1e-17, 1e300, 5e-324, math.inf, math.nan)


def over(graph: Graph) -> Frame:
    """The frame at the end of the backward pass."""
    trace = run(graph)
    return frame_at(trace, len(trace))


def found(text: str, leaf: str, change: float = 0.01, **leaves: float) -> GraphRipple:
    graph = from_expression(text, leaves)
    return ripple(graph, named(graph, leaf), change)


def judged(text: str, leaf: str, change: float = 0.01, **leaves: float) -> RatioVerdict:
    graph = from_expression(text, leaves)
    return ratio_verdict(ripple(graph, named(graph, leaf), change), over(graph))


# the numbers of the design


def test_in_the_shared_leaf_two_changes_meet_and_add_up():
    change = found(SHARED, "a", **LEAVES)
    nodes = {name: change.change(named(change.graph, name)) for name in "aedL"}
    assert nodes == {"a": 0.01, "e": -0.03, "d": -0.02, "L": 0.04}
    assert [part.effect for part in change.parts(named(change.graph, "d")).values()] == [
        -0.03,
        0.01,
    ]
    assert change.joint_effect(named(change.graph, "d")) == 0
    assert short(change.ratio) == "4"


def test_in_the_demonstration_a_product_gives_more_than_its_two_changes():
    graph = demonstration()
    change = ripple(graph, named(graph, "a"), 0.01)
    f = named(graph, "f")
    effects = [short(part.effect) for part in change.parts(f).values()]
    assert (effects, short(change.joint_effect(f))) == (["0.06", "0.15"], "0.0003")
    assert short(change.change(named(graph, "y"))) == "0.2503"
    assert ratio_verdict(change, over(graph)) == RatioVerdict("about 25", "agrees")


def test_a_slope_of_0_ends_it():
    change = found("y = relu(a) * b", "a", a=-1, b=3)
    inner = change.graph.inputs(named(change.graph, "y"))[0]
    assert inner is not None
    carried = change.carried((inner, 0))
    assert carried is not None
    assert (carried.slope, carried.effect, change.change(inner)) == (0, 0, 0)
    assert change.carried((named(change.graph, "y"), 0)) is None
    assert [*change.columns] == [named(change.graph, "a"), inner]


def test_a_node_that_is_computed_can_be_changed_as_well():
    change = found(SHARED, "e", **LEAVES)
    assert (change.change(named(change.graph, "L")), change.ratio) == (-0.02, -2)
    assert not change.is_changed(named(change.graph, "a"))


def test_a_root_stands_for_what_is_plugged_in_and_nothing_without_a_value_is_changed():
    graph = from_expression(SHARED, LEAVES)
    assert graph.active_root is not None
    assert ripple(graph, graph.active_root, 0.01).node == named(graph, "L")
    open_graph = Graph({1: OpNode("neg", (None,)), 2: Root(1)}, 2, 3)
    with pytest.raises(EngineError, match="Only a number"):
        ripple(open_graph, 1, 0.01)


def test_columns_count_the_most_wires_on_a_way():
    graph = demonstration()
    columns = ripple(graph, named(graph, "a"), 1.0).columns
    assert {graph.names[n]: k for n, k in columns.items() if n in graph.names} == {
        "a": 0, "c": 1, "d": 1, "e": 2, "f": 2, "y": 3,
    }  # fmt: skip


def test_a_dragged_value_changes_by_what_lies_between_both_runs():
    graph = from_expression("y = a*b", {"a": 2, "b": 5})
    later = graph.with_values({named(graph, "a"): 3.0})
    change = change_since(later, named(graph, "a"), evaluate_values(graph), evaluate_values(later))
    assert (change.planned_change, change.effect, change.ratio) == (1, 5, 5)


# every graph against an own forward run


def rippled_graphs() -> Iterator[Graph]:
    """The known graphs, and a hundred of a fixed seed, with special numbers in every third."""
    yield from (example.graph for example in EXAMPLES)
    draw = random.Random(20_240_613)
    for count in range(100):
        yield _drawn(draw, special=count % 3 == 0)


def _drawn(draw: random.Random, special: bool) -> Graph:
    nodes: dict[int, Node] = {}
    for node in range(1, 5):
        number = draw.choice(SPECIAL) if special else round(draw.uniform(-2, 2), 2)
        nodes[node] = Leaf(number, "abcd"[node - 1])
    nodes[5] = Constant(2.0)
    for node in range(6, 6 + draw.randint(1, 9)):
        op = draw.choice(OPS)
        near = [max(1, node - draw.randint(1, 4)) for _ in op.slots]
        inputs = [draw.choice((source, draw.randint(1, 5))) for source in near]
        nodes[node] = OpNode(op.name, tuple(inputs), f"n{node}")
    last = max(nodes)
    return Graph({**nodes, last + 1: Root(last)}, last + 1, last + 2)


def ripples() -> Iterator[GraphRipple]:
    for graph in rippled_graphs():
        for leaf in graph.leaves:
            for change in OFFERED_CHANGES:
                yield ripple(graph, leaf, change)


def same(a: float, b: float) -> bool:
    return a == b or (math.isnan(a) and math.isnan(b))


def test_values_before_and_after_are_those_of_two_forward_runs():
    for change in ripples():
        graph, leaf = change.graph, change.node
        before = oracle.values(graph)
        after = oracle.values(graph.with_values({leaf: before[leaf] + change.planned_change}))
        assert before.keys() == change.before.keys()
        assert all(same(change.before[node], number) for node, number in before.items())
        assert all(same(change.after[node], number) for node, number in after.items())
        for node in before:
            assert change.is_changed(node) == (not same(before[node], after[node]))


def test_a_change_is_the_difference_but_for_the_last_digits():
    for change in ripples():
        for node in change.before:
            old, new, delta = change.before[node], change.after[node], change.change(node)
            if math.isfinite(old) and math.isfinite(new) and math.isfinite(delta):
                error = abs(Fraction(delta) - (Fraction(new) - Fraction(old)))
                assert error <= Fraction(max(abs(old), abs(new))) * Fraction(1, 10**12)
                assert (delta == 0) == (old == new)


def test_slopes_are_those_before_the_change_and_parts_with_the_rest_give_all():
    for change in ripples():
        graph = change.graph
        for node in change.columns:
            if not isinstance(graph.nodes[node], OpNode) or node not in change.before:
                continue
            op, parts = graph.op(node), change.parts(node)
            inputs = [change.before[s] for s in graph.inputs(node) if s is not None]
            for (_target, slot), part in parts.items():
                assert same(part.slope, op.partials[slot](*inputs, change.before[node]))
            total = sum(part.effect for part in parts.values())
            if len(parts) > 1 and math.isfinite(total) and math.isfinite(change.change(node)):
                sizes = [change.before[node], change.after[node]]
                for (target, slot), part in parts.items():
                    source = graph.inputs(target)[slot] or 0
                    sizes += [part.slope * change.before[source], part.slope * change.after[source]]
                noise = 1e-12 * max(map(abs, sizes))
                assert abs(change.change(node) - total - change.joint_effect(node)) <= noise


# what is said of the ratio


def test_nothing_false_is_said_of_a_ratio():
    kinds = set[str]()
    for change in ripples():
        graph = change.graph
        if not change.leads_to_root or not math.isfinite(change.effect):
            continue
        frame = over(graph)
        told = ratio_verdict(change, frame)
        gradient = frame.grads[change.node]
        _check(told, change, gradient)
        kinds.add(told.relation)
        kinds.add(told.why[:12])
    assert {"agrees", "apart", "too large a "} <= kinds


def _check(told: RatioVerdict, change: GraphRipple, gradient: float) -> None:
    """Hold each thing that is said against an own forward run and the rules of operations."""
    ratio = _own_ratio(change, change.planned_change)
    if told.relation == "agrees":
        printed = float(told.ratio.removeprefix("about ").replace("−", "-"))
        for number in (ratio, gradient):
            assert math.isclose(number, printed, rel_tol=5.1e-3, abs_tol=1e-9), (told, ratio)
        assert told.ratio.startswith("about") or short(gradient) == told.ratio
        assert not _at_kink(change)
    elif told.relation == "apart":
        assert short(gradient).removeprefix(ABOUT) != told.ratio.removeprefix(ABOUT)
        assert told.why
    numbers = (*change.before.values(), *change.after.values())
    for clause, holds in {
        "not finite": lambda: not all(map(math.isfinite, numbers)),
        "has a kink": lambda: _at_kink(change),
        "last digits": lambda: (
            not change.is_changed(change.node) or _own_noise(change) > 1e-3 * abs(gradient)
        ),
        "rounding": lambda: _own_noise(change) > 0.1 * abs(ratio - gradient),
        "lower it": lambda: _gets_closer(change, gradient),
        "goes over": lambda: _has_kinks(change),
    }.items():
        assert clause not in told.why or holds(), (told, ratio, gradient)


def _gets_closer(change: GraphRipple, gradient: float) -> bool:
    gaps = [
        abs(_own_ratio(change, c) - gradient) for c in OFFERED_CHANGES if c < change.planned_change
    ]
    return min(gaps) < abs(_own_ratio(change, change.planned_change) - gradient)


def _has_kinks(change: GraphRipple) -> bool:
    parts = (part for part in change.graph.nodes.values() if isinstance(part, OpNode))
    return any(BY_NAME[part.op].kink is not never for part in parts)


def _own_ratio(change: GraphRipple, by: float) -> float:
    graph, leaf = change.graph, change.node
    assert graph.root is not None
    before = oracle.values(graph)
    after = oracle.values(graph.with_values({leaf: before[leaf] + by}))
    return (after[graph.root] - before[graph.root]) / by


def _own_noise(change: GraphRipple) -> float:
    """How far the root goes if each number on the way is one float off, for 1 of the leaf."""
    graph = change.graph
    assert graph.root is not None
    total = 0.0
    for values in (change.before, change.after):
        loose = dict.fromkeys(values, 0.0)
        loose[change.node] = math.ulp(values[change.node])
        for node in graph.plan(graph.root).order:
            part = graph.nodes[node]
            if isinstance(part, OpNode) and node in change.columns:
                inputs = [s for s in part.inputs if s is not None]
                at = [values[s] for s in inputs]
                slopes = [p(*at, values[node]) for p in BY_NAME[part.op].partials]
                moved = sum(abs(s * loose[i]) for s, i in zip(slopes, inputs, strict=True))
                loose[node] = moved + math.ulp(values[node])
        total += loose[graph.root]
    return 2 * total / abs(change.planned_change)


def _at_kink(change: GraphRipple) -> bool:
    graph = change.graph
    assert graph.root is not None
    return any(
        graph.op(node).kink(*(change.before[s] for s in graph.inputs(node) if s is not None))
        for node in graph.plan(graph.root).order
        if node in change.columns and node != change.node
    )


@in_turn(
    ("text", "leaf", "change", "leaves", "why"),
    [
        ("y = relu(a)", "a", 0.01, {"a": 0}, "relu has a kink or jump here"),
        ("y = abs(a)", "a", 0.01, {"a": 0}, "abs has a kink or jump here"),
        ("y = maximum(a, b)", "a", 0.01, {"a": 1, "b": 1}, "maximum has a kink or jump here"),
        ("y = relu(a)", "a", 1.0, {"a": -0.5}, "the change goes over a kink of relu"),
        ("y = a + b", "a", 0.01, {"a": 1e17, "b": 1}, "the change is lost in the last digits of a"),
        ("y = a + b", "b", 0.01, {"a": 1e17, "b": 1}, "the change is lost in the last digits of y"),
        ("y = exp(a)", "a", 1.0, {"a": 1}, "too large a change here, lower it"),
        ("y = a * b", "a", 0.01, {"a": 1, "b": math.inf}, "a.grad is inf"),
        (
            "y = where_gt0(a, c, b) + a",
            "a",
            1.0,
            {"a": -0.5, "b": 1, "c": 2},
            "over a jump of where_gt0",
        ),
        ("y = 1 / exp(a * b)", "a", 1.0, {"a": 709, "b": 1}, "is not finite, so no ratio"),
        ("y = sqrt(1 - a)", "a", 1.0, {"a": 0}, "sqrt has no finite slope after the change"),
        ("v = a + b; y = v - b", "a", 0.01, {"a": 1, "b": 1e17}, "lost in the last digits of v"),
        ("y = a + b", "a", 0.01, {"a": 1e13, "b": 1}, "rounding may spoil the ratio"),
        ("y = a + b", "a", 0.001, {"a": 1, "b": 1e10}, "the difference is rounding"),
    ],
)
def test_where_it_is_not_the_gradient_one_clause_says_why(text, leaf, change, leaves, why):
    told = judged(text, leaf, change, **leaves)
    assert told.relation != "agrees"
    assert why in told.why


def test_a_mistake_a_pass_that_is_not_over_and_a_constant_are_said():
    graph = from_expression(SHARED, LEAVES)
    change = ripple(graph, named(graph, "a"), 0.01)
    assert ratio_verdict(change, live_frame(graph)).why == "a.grad is not known yet"
    trace = run(graph)
    assert ratio_verdict(change, frame_at(trace, 5)).why == "a.grad is not known yet", (
        "one more comes"
    )
    assert ratio_verdict(change, frame_at(trace, 6)).relation == "agrees", "its last has come"
    wrong = run(graph, rules=MISTAKES[0])
    assert ratio_verdict(change, frame_at(wrong, len(wrong))).why == "the pass shown has a mistake"
    fixed = Graph({1: Constant(2.0, "k"), 2: OpNode("neg", (1,)), 3: Root(2)}, 3, 4)
    assert ratio_verdict(ripple(fixed, 1, 0.01), live_frame(fixed)).why.startswith(
        "k is a constant"
    )


def test_what_only_constants_feed_has_no_gradient_that_is_still_to_come():
    graph = from_expression("k = 2*3; y = k*a", {"a": 5})
    change = ripple(graph, named(graph, "k"), 0.01)
    for frame in (live_frame(graph), over(graph)):
        assert ratio_verdict(change, frame) == RatioVerdict(
            "5", "unknown", "only constants feed k, which has no gradient"
        )


def test_what_a_sum_leaves_over_is_rounding_and_no_rest():
    change = found("y = a/b - a", "a", 0.001, a=11.92, b=10.46)
    assert change.joint_effect(named(change.graph, "y")) == 0


def test_about_is_said_where_three_digits_agree_but_not_all():
    assert judged("y = exp(a)", "a", 0.001, a=1) == RatioVerdict("about 2.72", "agrees")
    assert judged("y = a * b", "a", 0.01, a=1, b=7) == RatioVerdict("7", "agrees")


def test_a_ripple_along_some_wires_leaves_the_others_as_they_were():
    graph = from_expression("e = a*b; d = e + a; L = d*f", {"a": 3, "b": -2, "f": 5})
    a, e, d, last = (graph.node_named(name) or 0 for name in ("a", "e", "d", "L"))
    over_e = requested_ripple(graph, RippleRequest(a, 0.01, ((e, 0),)))
    over_d = requested_ripple(graph, RippleRequest(a, 0.01, ((d, 1),)))
    assert (over_e.change(last), over_d.change(last)) == (-0.1, 0.05)
    assert not over_e.carries((d, 1))
    assert over_e.carries((d, 0))
    assert over_d.change(e) == 0
    assert {a, d, last} <= set(over_d.columns)
    assert over_d.request.wires == ((d, 1),)
    assert ripple(graph, a, 0.01).change(last) == -0.05


def test_a_ripple_of_one_of_two_slots_keeps_the_other():
    graph = from_expression("y = a*a", {"a": 3})
    found = requested_ripple(graph, RippleRequest(1, 0.01, ((2, 0),)))
    assert found.after[2] == 3.01 * 3
    assert [found.carried((2, slot)) is None for slot in (0, 1)] == [False, True]
