"""A pass by hand: who may fire, any valid order is right, and firing early does its damage."""

import random
from collections.abc import Sequence

import pytest

from engine import Graph, from_expression
from engine.asking.hand_run import (
    NEXT_BELIEFS,
    HandRun,
    firing_nodes,
    next_slip,
    next_slip_sentence,
    obstacle_to,
    ready,
)
from engine.asking.question import hide_order
from engine.problems import arguments
from engine.trace import evaluate_values, run
from tests.helpers.graphs import EXAMPLES, demonstration, named
from tests.helpers.sampling import sampled
from tests.helpers.tables import in_turn


def test_a_node_waits_for_every_wire_it_feeds():
    graph = demonstration()
    y, e, f, c, d = (named(graph, name) for name in "yefcd")
    assert ready(graph, y, ()) == {y}
    assert ready(graph, y, (y,)) == {e, f}
    assert ready(graph, y, (y, e)) == {f}
    assert ready(graph, y, (y, f, e)) == {c, d}
    assert obstacle_to(graph, y, (y, e), c) == (
        "+ (c) still waits for what f sends along its slot 1."
    )
    assert obstacle_to(graph, y, (y,), d) == (
        "× (d) still waits for what e sends along its slot 2 and what f sends along its slot 2."
    )


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("y", "× (y) has fired already; a node fires once."),
        ("a", "a has no inputs that want a gradient, so it passes nothing on."),
        ("other", "Nothing leads from −x (other) to y, so no gradient comes here."),
    ],
)
def test_a_node_that_may_not_fire_says_why(name: str, sentence: str):
    graph = from_expression("other = -a; y = a*b")
    assert (
        obstacle_to(graph, named(graph, "y"), (named(graph, "y"),), named(graph, name)) == sentence
    )


@in_turn("example", EXAMPLES)
def test_firing_ready_nodes_in_any_order_fires_all_of_them(example):
    graph, root = example.graph, example.graph.root
    for seed in range(20):
        draw, fired = random.Random(seed), []
        while found := ready(graph, root, fired):
            for other in set(firing_nodes(graph, root)) - found:
                assert obstacle_to(graph, root, fired, other)
            chosen = draw.choice(sorted(found))
            assert obstacle_to(graph, root, fired, chosen) == ""
            fired.append(chosen)
        assert set(fired) == set(firing_nodes(graph, root))


@in_turn("example", EXAMPLES)
def test_a_slip_about_who_is_next_is_told_wherever_a_node_may_not_fire(example):
    graph = example.graph
    root = graph.root
    assert root is not None
    fired: list[int] = []
    for turn in firing_nodes(graph, root):
        for other in graph.plan(root).order:
            slip = next_slip(graph, root, fired, other)
            assert (slip is None) == (other in ready(graph, root, fired))
            assert bool(next_slip_sentence(graph, root, fired, other)) == (slip is not None)
            assert (slip is None) == (not obstacle_to(graph, root, fired, other))
        fired.append(turn)


def test_each_slip_about_who_is_next_has_its_sentence():
    graph = from_expression("e = a*b; z = a + b; y = e + a", {"a": 2, "b": 3})
    y, e = graph.root, named(graph, "e")
    assert y is not None
    told = [
        next_slip_sentence(graph, y, (), e),
        next_slip_sentence(graph, y, (y, e), e),
        next_slip_sentence(graph, y, (), named(graph, "z")),
        next_slip_sentence(graph, y, (), named(graph, "a")),
    ]
    assert told == [
        "× (e) still waits.",
        "× (e) has fired already.",
        "+ (z) is on no path to y.",
        "a passes nothing on.",
    ]
    assert all(len(slip.brief) <= 56 for slip in NEXT_BELIEFS)


DRAWS = 50


def grads_by_hand(graph: Graph, order: Sequence[int], seed: float) -> dict[int, float]:
    """What plain code in the manner of micrograd leaves: each node's `_backward` once, in order."""
    values = evaluate_values(graph)
    grads = dict.fromkeys(graph.nodes, 0.0)
    assert graph.root is not None
    grads[graph.root] = seed
    wants = graph.plan(graph.root).with_gradient
    for target in order:
        op, upstream = graph.op(target), grads[target]
        for slot, source in enumerate(graph.inputs(target)):
            partial = op.partials[slot]
            if source in wants and partial is not None:
                at = arguments(graph, target, values)
                grads[source] += upstream * partial(*at, values[target])
    return grads


def shown(run_by_hand: HandRun, graph: Graph) -> dict[int, float]:
    """The gradients on the sheet, without nodes that the pass does not reach."""
    return dict(hide_order(run_by_hand.frame(graph)).grads)


def all_fired(graph: Graph, draw: random.Random, early: float = 0.0, seed: float = 1.0) -> HandRun:
    """A pass by hand in a random order; with chance `early` a node fires before it may."""
    by_hand = HandRun().seeded(seed)
    while not by_hand.is_over(graph):
        left = [n for n in by_hand.turns(graph) if n not in by_hand.fired]
        ready = by_hand.ready(graph)
        if draw.random() < early:
            by_hand = by_hand.clicked(graph, draw.choice(left))
            by_hand = by_hand.forced(graph) if by_hand.refused is not None else by_hand
        else:
            by_hand = by_hand.clicked(graph, draw.choice(ready or left)).forced(graph)
    return by_hand


@in_turn("example", EXAMPLES)
def test_every_valid_order_ends_with_the_right_gradients(example):
    graph, draw = example.graph, random.Random(example.name)
    right = run(graph).events
    final = {event.node: event.after for event in right}
    for _ in range(DRAWS):
        by_hand = all_fired(graph, draw)
        assert not by_hand.fired_early(graph)
        assert by_hand.early_clicks == ()
        for n, grad in shown(by_hand, graph).items():
            assert grad == pytest.approx(final.get(n, 0.0), rel=1e-9, abs=1e-12, nan_ok=True)


@in_turn("example", EXAMPLES)
@in_turn("seed", [1.0, 2.0, -0.5])
def test_firing_early_leaves_what_that_order_leaves(example, seed: float):
    graph, draw = example.graph, random.Random(f"{example.name}{seed}")
    for _ in range(10):
        by_hand = all_fired(graph, draw, early=0.5, seed=seed)
        expected = grads_by_hand(graph, by_hand.fired, seed)
        found = shown(by_hand, graph)
        for n, grad in found.items():
            assert grad == pytest.approx(expected[n], rel=1e-12, abs=0.0, nan_ok=True)


@pytest.mark.parametrize("example", sampled(EXAMPLES, 4), ids=lambda found: found.name)
def test_each_turn_shows_what_has_come_by_then_and_nothing_more(example):
    graph, draw = example.graph, random.Random(example.name)
    whole, by_hand = all_fired(graph, draw, early=0.3), HandRun()
    frame = hide_order(by_hand.frame(graph))
    assert (frame.cursor, frame.grads, frame.upcoming) == (0, {}, None)
    by_hand = by_hand.seeded(1.0)
    for k, n in enumerate(whole.fired):
        by_hand = by_hand.clicked(graph, n).forced(graph)
        assert by_hand.fired == whole.fired[: k + 1]
        found = hide_order(by_hand.frame(graph))
        expected = grads_by_hand(graph, by_hand.fired, 1.0)
        assert found.upcoming is None
        if not by_hand.is_over(graph):
            known = {n: grad for n, grad in expected.items() if n in found.grads}
            assert dict(found.grads) == pytest.approx(known, nan_ok=True)
            assert {wire[0] for wire in found.fired} <= {*by_hand.fired}


def test_the_way_back_is_the_way_there_reversed():
    graph, by_hand = demonstration(), HandRun()
    states = [by_hand]
    for _ in range(6):
        by_hand = by_hand.helped(graph)
        states.append(by_hand)
    assert by_hand.is_over(graph)
    for expected in reversed(states[:-1]):
        by_hand = by_hand.taken_back()
        assert by_hand == expected


def test_a_node_that_must_wait_is_refused_until_it_is_forced():
    graph = demonstration()
    y, c = named(graph, "y"), named(graph, "c")
    by_hand = HandRun().seeded(1.0).clicked(graph, y).clicked(graph, c)
    assert (by_hand.refused, by_hand.fired) == (c, (y,))
    (click,) = by_hand.early_clicks
    assert (click.count, click.node) == (1, c)
    assert by_hand.taken_back().refused is None
    assert by_hand.taken_back().fired == (y,)
    forced = by_hand.forced(graph)
    assert forced.fired == (y, c)
    assert forced.fired_early(graph) == (c,)
    assert forced.early_clicks == by_hand.early_clicks


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("y", "The pass begins at y: give it its seed first."),
        ("a", "The pass begins at y: give it its seed first."),
    ],
)
def test_nothing_fires_before_the_seed(name: str, sentence: str):
    graph = demonstration()
    by_hand = HandRun()
    assert by_hand.ready(graph) == ()
    assert by_hand.obstacle(graph, named(graph, name)) == sentence
    assert not by_hand.may_force(graph, named(graph, name))


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("e", "+ (e) still waits for the value of + (c) and × (d)."),
        ("y", "+ (y) still waits for the value of + (e) and × (f)."),
        ("a", "a is given, so there is nothing to compute."),
    ],
)
def test_forward_a_node_waits_for_its_inputs(name: str, sentence: str):
    graph = demonstration()
    by_hand = HandRun("forward")
    assert by_hand.obstacle(graph, named(graph, name)) == sentence
    assert not by_hand.clicked(graph, named(graph, name)).forced(graph).fired


@in_turn("example", EXAMPLES)
def test_forward_every_order_in_which_inputs_come_first_gives_all_values(example):
    graph, draw = example.graph, random.Random(example.name)
    for _ in range(DRAWS // 5):
        by_hand = HandRun("forward")
        while not by_hand.is_over(graph):
            chosen = draw.choice(by_hand.ready(graph))
            assert chosen not in hide_order(by_hand.frame(graph)).values
            by_hand = by_hand.clicked(graph, chosen)
        frame = hide_order(by_hand.frame(graph))
        values = evaluate_values(graph)
        assert all(frame.values[n] == pytest.approx(values[n], nan_ok=True) for n in by_hand.fired)
        assert set(by_hand.fired) == set(by_hand.turns(graph))


@in_turn("phase", ["backward", "forward"])
@in_turn("example", EXAMPLES)
def test_one_order_is_right_exactly_if_never_two_nodes_are_ready(example, phase):
    graph = example.graph
    run = HandRun(phase=phase, seed=1.0)
    most = 0
    while ready := run.ready(graph):
        most = max(most, len(ready))
        run = run.clicked(graph, ready[0])
    assert run.is_over(graph)
    for at in (HandRun(phase=phase), run):
        assert at.has_one_order(graph) is (most <= 1)


def test_an_early_click_keeps_for_which_nodes_it_waited_when_turns_are_taken_back():
    graph = from_expression("u = a + b; p = u*a; q = b*2; L = p + q", {"a": 2, "b": 3})
    u, p, q, root = (named(graph, name) for name in "upqL")
    by_hand = HandRun().seeded(1.0)
    for clicked in (root, q, u):
        by_hand = by_hand.clicked(graph, clicked)
    by_hand = by_hand.taken_back().taken_back().clicked(graph, p)
    (click,) = by_hand.early_clicks
    assert (by_hand.fired, click.waited_for) == ((root, p), (p,))
    assert by_hand.turn_index(click) == 1, "before p"
