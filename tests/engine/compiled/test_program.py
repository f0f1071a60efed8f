"""Program: its function, its batches and its copied source agree with the trace."""

import ast
import contextlib
import gc
import io
import itertools
import math
import random
import weakref
from functools import cache
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import OPS, EngineError, Graph, Program, Value, from_expression
from engine.graph import Constant, Leaf, Node, OpNode, Root
from engine.trace import run
from tests.helpers.drawn import any_graphs, smooth_graphs
from tests.helpers.graphs import (
    chain,
    demonstration,
    diamond,
    fan,
    gradients,
    last_frame,
    same,
    unfinished,
)
from tests.helpers.random_graphs import graphs
from tests.helpers.sampling import sized, tries
from tests.helpers.tables import in_turn


def traced(graph: Graph) -> tuple[float, dict[int, float]]:
    trace = run(graph)
    return trace.values[trace.root], dict(last_frame(trace).grads)


def close(ours: float, theirs: float, scale: float = 1.0) -> bool:
    if not math.isfinite(theirs):
        return repr(ours) == repr(theirs)
    return abs(ours - theirs) <= 1e-12 * max(scale, abs(theirs))


@given(graph=any_graphs(complete=True))
@settings(max_examples=tries(200))
def test_a_program_has_the_bits_of_a_trace(graph):
    value, grads = traced(graph)
    program = Program(graph)
    ours, found = program.run()
    assert same(ours, value)
    assert all(same(grad, grads[leaf]) for leaf, grad in zip(program.wrt, found, strict=True))


@in_turn("op", OPS)
def test_a_leaf_in_any_slot_gets_its_gradient(op):
    for slot in range(len(op.slots)):
        numbers = ["0.6", "0.35", "0.8"][: len(op.slots)]
        numbers[slot] = "a"
        graph = from_expression(f"y = {op.name}({', '.join(numbers)})*2", {"a": 0.5})
        value, grads = Program(graph, ["a"]).run()
        assert same(grads[0], gradients(graph)["a"]), slot
        assert printed(graph) == (pytest.approx(value), pytest.approx(grads)), slot


def printed(graph: Graph) -> Any:
    """What the copied source prints in a Python that knows nothing of us."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(Program(graph).source(), {"__name__": "copied"})
    return ast.literal_eval(said.getvalue())


@given(graph=smooth_graphs())
@settings(max_examples=tries(60))
def test_the_copied_source_runs_by_itself_with_the_same_numbers(graph):
    value, grads = Program(graph).run()
    assert printed(graph) == (pytest.approx(value), pytest.approx(grads))


LARGE = sized(1_500, 4_000)


@cache
def random_program(seed: int, ops: int, window: int = 0) -> Graph:
    """An irregular graph of many operations, with its sinks added up."""
    dice = random.Random(seed)
    nodes: dict[int, Node] = {k: Leaf(dice.uniform(-1, 1)) for k in range(1, ops // 10 + 3)}
    sinks = set(nodes)
    while len(nodes) < ops:
        op = dice.choice(("add", "add", "mul", "mul", "sub", "neg", "relu", "tanh", "maximum"))
        low = max(1, len(nodes) - window) if window else 1
        slots = 1 if op in ("neg", "relu", "tanh") else 2
        inputs = tuple(dice.randint(low, len(nodes)) for _ in range(slots))
        nodes[len(nodes) + 1] = OpNode(op, inputs)
        sinks -= set(inputs)
        sinks.add(len(nodes))
    total, *others = sorted(sinks)
    for sink in others:
        nodes[len(nodes) + 1] = OpNode("add", (total, sink))
        total = len(nodes)
    marker = len(nodes) + 1
    return Graph({**nodes, marker: Root(total)}, marker, marker + 1)


@in_turn(("ops", "window"), [(3, 0), (40, 0), (330, 0), (330, 9), (700, 0), (700, 20), (LARGE, 0)])
def test_large_irregular_graphs_agree_with_a_trace(ops, window):
    graph = random_program(ops, ops, window)
    value, grads = traced(graph)
    program = Program(graph)
    for _ in range(2):  # nothing is left over from one run to the next
        ours, found = program.run()
        size = max(1.0, abs(value), *(abs(grad) for grad in grads.values()))
        assert close(ours, value, size)
        assert all(close(g, grads[n], size) for n, g in zip(program.wrt, found, strict=True))


def network(samples: int, sizes: tuple[int, ...]) -> tuple[Value, list[Value]]:
    """A loss of a small network of relus over many samples, and its parameters."""
    dice = random.Random(samples)
    layers = [
        [[Value(dice.uniform(-1, 1)) for _ in range(a + 1)] for _ in range(b)]
        for a, b in itertools.pairwise(sizes)
    ]
    losses = []
    for _ in range(samples):
        values: list[Value | float] = [Value(dice.uniform(-1, 1)) for _ in range(sizes[0])]
        for layer in layers:
            sums = [
                sum((w * x for w, x in zip(row, values, strict=False)), row[-1]) for row in layer
            ]
            values = [total.relu() for total in sums]
        losses.append((dice.choice((-1, 1)) - values[0]) ** 2)
    parameters = [weight for layer in layers for row in layer for weight in row]
    return sum(losses, Value(0.0)) / samples + 1e-4 * sum(p * p for p in parameters), parameters


@pytest.mark.parametrize("sizes", [(2, 3, 1), (3, 5, 4, 1)])
def test_a_network_recorded_from_values_has_their_gradients(sizes):
    loss, parameters = network(12, sizes)
    loss.backward()
    program = Program(loss, parameters)
    value, grads = program.run([p.data for p in parameters])
    assert close(value, loss.data)
    assert all(close(grad, p.grad) for grad, p in zip(grads, parameters, strict=True))


def test_values_are_given_as_a_list_or_by_name_or_by_id():
    program = Program(from_expression("a*b + a"))
    assert program.run([4.0, 4.0]) == (20.0, (5.0, 4.0))
    assert program.run({"a": 4.0, "b": 4.0}) == (20.0, (5.0, 4.0))
    assert program.run({"b": 4.0}) == (5.0, (5.0, 1.0))
    assert program.run({program.wrt[0]: 4}) == (8.0, (2.0, 4.0))
    assert program.run((4.0, 4)) == program.run([4.0, 4.0])
    assert program.run() == (2.0, (2.0, 1.0))


def test_only_the_wanted_leaves_come_back_and_the_others_can_still_be_set():
    graph = from_expression("tanh(x)*w + x*x", {"x": 2.0, "w": 3.0})
    program = Program(graph, ["w"])
    assert [graph.names[leaf] for leaf in program.wrt] == ["w"]
    value, grads = program.run()
    assert (value, grads) == (pytest.approx(math.tanh(2) * 3 + 4), (pytest.approx(math.tanh(2)),))
    assert program.run({"x": 0.0}) == (0.0, (0.0,))
    assert program.run({"x": 0.0, "w": 7.0}) == (0.0, (0.0,))
    assert program.run([3.0]) == (value, grads)


def test_a_root_that_is_a_leaf_or_has_none_runs_too():
    assert Program(from_expression("a", {"a": 5})).run() == (5.0, (1.0,))
    assert Program(from_expression("2*3")).run() == (6.0, ())
    assert Program(from_expression("a*a + 2*3 - a", {"a": 5}), []).run() == (26.0, ())


def test_shared_nodes_and_fans_add_up():
    assert Program(diamond(20)).run() == (2.0**20, (2.0**20,))
    wide = sized(1_000, 5_000)
    assert Program(fan(wide)).run() == (wide + 1.0, (wide + 1.0,))
    value, grads = Program(chain(sized(1_200, 3_000), "square")).run()
    assert (value, grads) == (1.0, (math.inf,))


def test_values_that_are_not_finite_stay_what_they_are():
    graph = from_expression("a/b + exp(c) - exp(c)", {"a": 1, "b": 0, "c": 1e3})
    value, grads = Program(graph).run()
    assert math.isnan(value)
    assert [repr(grad) for grad in grads] == ["inf", "-inf", "nan"]


def test_leaves_are_wanted_by_name_by_id_or_as_values():
    graph = demonstration()
    assert Program(graph, ["b", 1]).wrt == (2, 1)
    a, b = Value(2.0, label="a"), Value(3.0)
    program = Program(a * b, [b])
    assert program.run([4.0]) == (8.0, (2.0,))
    assert program.run({"a": 5.0}) == (15.0, (5.0,))
    assert program.graph.names[1] == "a"
    assert Program(a * b, ["a"]).wrt == Program(a * b, [1]).wrt == (1,)


def test_what_has_no_gradient_is_refused():
    graph = from_expression("y = a*b; z = c + 1; y")
    graph = Graph({**graph.nodes, 90: Leaf(1.0, "c")}, graph.active_root, 91)
    for wrong, sentence in (
        ("q", "There is no leaf q."),
        ("y", "There is no leaf y."),
        (77, "There is no leaf 77."),
        ("c", "c does not lead to the root"),
    ):
        with pytest.raises(EngineError, match=sentence):
            Program(graph, [wrong])
    with pytest.raises(EngineError, match="twice"):
        Program(graph, ["a", "b", "a"])
    a = Value(1.0)
    inner = a * 2
    with pytest.raises(EngineError, match="is no leaf"):
        Program(inner + 1, [inner])
    for stranger in (Value(3.0), a * 7):
        with pytest.raises(EngineError, match="does not lead to the root"):
            Program(inner + 1, [stranger])


def test_wrong_values_are_refused_with_a_sentence():
    program = Program(demonstration())
    for values in ([1.0], [1.0, 2.0, 3.0], ()):
        with pytest.raises(EngineError, match="2 values are needed"):
            program.run(values)
    with pytest.raises(EngineError, match="There is no leaf z"):
        program.run({"z": 1.0})


def test_a_graph_that_can_not_run_is_refused():
    with pytest.raises(EngineError, match="empty slot 2"):
        Program(unfinished())
    with pytest.raises(EngineError, match="Choose a root"):
        Program(Graph())


def test_above_the_limit_a_graph_runs_as_arrays(monkeypatch: pytest.MonkeyPatch):
    graph = random_program(1, 330)
    value, grads = Program(graph).run()
    monkeypatch.setattr("engine.compiled.program.COMPILED_LIMIT", 100)
    program = Program(graph)
    ours, found = program.run(program.start)
    assert "def program" not in repr(program._compiled)
    assert ours == pytest.approx(value, rel=1e-12)
    assert found == pytest.approx(grads, rel=1e-12, abs=1e-12)


class Mine:
    """An attribute of one's own on a Value."""


def test_a_program_and_what_it_was_made_from_are_freed_without_the_collector():
    gc.collect()
    gc.disable()
    try:
        a = Value(2.0)
        y = a * a + 1
        y.own = Mine()  # a Value itself has no room for weak references
        watched = weakref.ref(y.own)
        program = Program(y)
        program.run()
        del y
        assert watched() is None
        watched = weakref.ref(program)
        del program
        assert watched() is None
    finally:
        gc.enable()


SOURCE = """\
def program(values=(2.0, 3.0)):
    v1, v2 = values  # a, b
    v3 = v1 + v2  # c
    v4 = v1 * v2  # d
    v5 = v3 + v4  # e
    v6 = v3 * v4  # f
    v7 = v5 + v6  # y
    g3 = v4  # gradient of c
    g4 = v3  # gradient of d
    g3 += 1.0  # gradient of c
    g4 += 1.0  # gradient of d
    g1 = 0.0 + g4 * v2  # gradient of a
    g2 = 0.0 + g4 * v1  # gradient of b
    g1 += g3  # gradient of a
    g2 += g3  # gradient of b
    return v7, (g1, g2)


print(program())"""


def test_the_source_is_text_for_people():
    assert Program(demonstration()).source() == SOURCE
    with pytest.raises(EngineError, match=r"more than 2,000 operations"):
        Program(chain(2001)).source()


def source(expression: str, wrt: list[str] | None = None) -> list[str]:
    return [line.strip() for line in Program(from_expression(expression), wrt).source().split("\n")]


def test_the_source_has_no_gradient_for_what_depends_on_no_wanted_leaf():
    lines = source("tanh(x)*w", ["w"])
    assert lines[3:6] == [
        "def program(values=(1.0,), others=(1.0,)):",
        "v3, = values  # w",
        "v1, = others  # x",
    ]
    assert lines[6:8] == ["v2 = math.tanh(v1)", "v4 = v2 * v3"]
    assert lines[8:10] == ["g3 = 0.0 + v2  # gradient of w", "return v4, (g3,)"]


def test_the_source_puts_constants_in_their_place():
    assert "v3 = v1 / 2.0" in source("a/2")
    assert "v3 = v1 + (-2.0)" in source("a + (-2)")
    assert "g1 = 0.0 + (2.0 * v1 ** (2.0 - 1))  # gradient of a" in source("a**2")
    nodes = {1: Leaf(2.0), 2: Constant(-math.inf), 3: Constant(math.nan), 4: OpNode("mul", (1, 2))}
    graph = Graph({**nodes, 5: OpNode("maximum", (3, 4)), 6: Root(4)}, 6, 7)
    assert Program(graph).run() == (-math.inf, (-math.inf,))


def test_the_source_adds_contributions_in_the_order_of_the_trace():
    lines = [line.partition("  #")[0] for line in source("a*b - relu(a - b)*a")]
    assert lines[7:-3] == [
        "g5 = -v1",
        "g1 = 0.0 - v5",
        "g4 = g5 * (0 if v5 <= 0 else 1)",
        "g1 += g4",
        "g2 = 0.0 - g4",
        "g1 += v2",
        "g2 += v1",
        "return v7, (g1, g2)",
    ]


def test_long_sums_and_deep_nests_are_broken_into_lines():
    lines = source(" + ".join(["x"] * 100))
    assert max(len(line) for line in lines) < 400
    program = Program(chain(500, "sin"))
    assert program.run() == Program(chain(500, "sin")).run()


CASES = (
    "a*b + c", "relu(a*w + b) - tanh(a*v + b) * a", "(a + b) * (a - b) / (c*c + 1)",
    "y = a*a; z = y*y + y*a; gelu(z) + b ** 2", "maximum(a, b) + where_gt0(a, b, c) + sigmoid(2*a)",
    "a*w + a*v + w*v", "exp(w*v) * b", "a",
)  # fmt: skip


def rows(count: int, wide: int, seed: int = 0) -> numpy.ndarray:
    return numpy.random.default_rng(seed).uniform(-2, 2, (count, wide))


@in_turn("text", CASES)
def test_gradients_of_shared_leaves_are_summed_over_the_samples(text: str):
    graph = from_expression(text)
    names = [graph.names[n] for n, node in graph.nodes.items() if isinstance(node, Leaf)]
    wanted = [name for name in names if name in "wvb"]
    if not wanted:
        return
    program = Program(graph, wanted)
    samples = rows(5, len(program.others))
    shared = rows(1, len(wanted), 1)[0]
    if not samples.shape[1]:
        return
    values, grads = program.batch(shared, samples)
    total = numpy.zeros(len(wanted))
    for row, value in zip(samples, values, strict=True):
        given = dict(zip((*program.wrt, *program.others), (*shared, *row), strict=True))
        alone, shares = program.run(given)
        assert value == pytest.approx(alone, rel=1e-12, abs=1e-12)
        total += shares
    assert list(grads) == pytest.approx(list(total), rel=1e-12, abs=1e-12)


@given(graphs(most=12), st.integers(1, 3))
def test_any_graph_agrees_with_its_tape(graph: Graph, count: int):
    program = Program(graph)
    samples = rows(count, len(program.wrt))
    if not program.wrt:
        return
    values, grads = program.batch(samples)
    for row, value, grad in zip(samples, values, grads, strict=True):
        alone, shares = program.run(row.tolist())
        for ours, theirs in zip((value, *grad), (alone, *shares), strict=True):
            if math.isfinite(theirs) and abs(theirs) < 1e6:
                assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-9)


def test_arrays_of_another_size_are_refused():
    program = Program(from_expression("a*b + c"), ["a", "b"])
    with pytest.raises(EngineError, match="one per sample"):
        program.batch([1.0, 2.0])
    with pytest.raises(EngineError, match="2 values, not 3"):
        program.batch(rows(4, 3))
    with pytest.raises(EngineError, match="one per sample"):
        program.batch(rows(4, 2), rows(3, 1))
