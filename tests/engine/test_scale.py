"""A million deep, a hundred thousand wide, in linear time: that by --whole, and less each time."""

import gc
import math
import sys
import time
from collections import Counter
from collections.abc import Iterator

import pytest

from engine import edits
from engine.formats import expression
from engine.graph import Graph, Leaf, OpNode, Root
from engine.trace import run, run_forward
from tests.helpers.graphs import chain, diamond, fan, gradients
from tests.helpers.sampling import is_whole, sized

DEEP, WIDE = sized(3 * 10**4, 10**6), sized(10**4, 10**5)


@pytest.fixture(autouse=True)
def _untraced() -> Iterator[None]:
    """Do not count lines here: it takes far longer than the work, and the lines are known."""
    tracer = sys.gettrace()
    sys.settrace(None)
    yield
    sys.settrace(tracer)


def test_a_very_deep_chain_runs_both_ways():
    graph = chain(DEEP)
    assert len(run_forward(graph)) == DEEP
    trace = run(graph)
    assert len(trace) == DEEP + 1
    assert (trace.events[-1].node, trace.events[-1].after) == (1, 1.0)


def test_a_very_long_loop_is_seen():
    assert edits.refusal(chain(WIDE), WIDE + 1, 2, 0) is not None


def test_a_leaf_that_feeds_very_many_gets_them_all():
    graph = fan(WIDE)
    assert gradients(graph)["x"] == WIDE + 1
    assert len(graph.outgoing[1]) == WIDE + 1


def test_a_node_with_many_paths_costs_only_its_wires():
    assert gradients(diamond(60))["x"] == 2.0**60
    assert len(run(diamond(60))) == 121


def test_removing_and_writing_a_large_graph_is_linear():
    graph = chain(WIDE)
    assert len(edits.remove(graph, range(2, WIDE, 2)).nodes) == WIDE // 2 + 3
    text = expression.write(graph)
    assert len(text) < 20 * WIDE
    assert max(len(line) for line in text.split("; ")) < 300


def work(graph: Graph) -> int:
    """How often a pass calls a function of ours or of Python, which no other process changes."""
    calls = Counter[str]()
    sys.setprofile(lambda _frame, event, _argument: calls.update((event,)))
    try:
        run(graph)
    finally:
        sys.setprofile(None)
    return calls["call"] + calls["c_call"]


@pytest.mark.parametrize("make", [chain, fan])
def test_work_is_linear_in_wires(make):
    few = sized(300, 5_000)
    small, large = make(few), make(10 * few)
    assert len(run(large)) / len(run(small)) == pytest.approx(10, rel=0.01)
    assert work(make(few)) > few
    assert work(make(10 * few)) == pytest.approx(10 * work(make(few)), rel=0.05)


def seconds(graph: Graph) -> float:
    gc.collect()
    gc.disable()  # its cost is not the engine's
    try:
        start = time.process_time()
        run(graph)
        return time.process_time() - start
    finally:
        gc.enable()


@pytest.mark.skipif(not is_whole(), reason="measures time, which others take too: --whole")
@pytest.mark.parametrize("make", [chain, fan])
def test_time_is_linear_in_wires(make):
    quick = slow = math.inf
    for _ in range(20):  # the least times of all tries, since others only add to a time
        quick, slow = min(quick, seconds(make(5_000))), min(slow, seconds(make(50_000)))
        if slow < 40 * quick:
            return
    pytest.fail(f"ten times the wires took {slow / quick:.0f} times as long")


def test_a_wide_sum_keeps_the_order_of_its_wires():
    nodes = {1: Leaf(1.0, "x"), 2: OpNode("mul", (1, 1))}
    for number in range(3, 1003):
        nodes[number] = OpNode("add", (number - 1, 1))
    graph = Graph({**nodes, 1003: Root(1002)}, 1003, 1004)
    trace = run(graph)
    targets = [trace.events[k].sender for k in trace.schedule.arrivals[1]]
    assert targets == [*range(1002, 2, -1), 2, 2]
