"""Where PyTorch sends 0 and the plain product is nan: said by everyone who shows the number."""

import itertools
import math

import pytest

from app.workbench.gradients.chain_rule import derivation
from app.workbench.gradients.explanation import explanation
from engine import Graph, from_expression
from engine.asking.facts import is_masked_by_torch, torch_mask_sentences
from engine.formats import latex, python
from engine.frame import frame_at
from engine.graph import Constant, Leaf, OpNode, Root
from engine.ops import BY_NAME, OPS
from engine.trace import run
from tests.helpers.tables import in_turn

NUMBERS = (-math.inf, -3.0, -1.0, -0.0, 0.0, 0.5, 1.0, 2.0, 20.0, 800.0, math.inf, math.nan)
MASKING = {"relu", "sign", "floor", "maximum", "minimum", "where_gt0"}
"""Seen with torch 2.13: of every operation, at these inputs, under ±inf and nan from above."""


def under_infinity(name: str, inputs: tuple[float, ...]) -> Graph:
    """The operation, times an infinite constant: its upstream gradient is infinite."""
    count = len(inputs)
    nodes = {k + 1: Leaf(x) for k, x in enumerate(inputs)}
    return Graph(
        {
            **nodes,
            count + 1: OpNode(name, tuple(range(1, count + 1))),
            count + 2: Constant(math.inf),
            count + 3: OpNode("mul", (count + 1, count + 2), "y"),
            count + 4: Root(count + 3),
        },
        count + 4,
        count + 5,
    )


@in_turn("op", OPS)
def test_what_is_masked_is_what_torch_masks(op):
    for inputs in itertools.product(NUMBERS[::2] if len(op.slots) == 3 else NUMBERS,
                                    repeat=len(op.slots)):  # fmt: skip
        trace = run(under_infinity(op.name, inputs))
        for event in trace.events:
            if event.wire is None or trace.graph.op(event.sender) is not op:
                continue
            power_of_zero = op.name == "pow" and event.slot == 0 and inputs[1] == 0
            wanted = event.local == 0 and (op.name in MASKING or power_of_zero)
            assert is_masked_by_torch(trace, event) == wanted


def test_torch_masks_the_same():
    torch = pytest.importorskip("torch")
    for name in (*MASKING - {"where_gt0"}, "abs", "mul", "sqrt", "softplus", "pow"):
        op = BY_NAME[name]
        for inputs in itertools.product(NUMBERS, repeat=len(op.slots)):
            trace = run(under_infinity(name, inputs))
            tensors = [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in inputs]
            call = getattr(torch.nn.functional if name == "softplus" else torch, name)
            call(*tensors).backward(torch.tensor(math.inf, dtype=torch.float64))
            for event in trace.events:
                if event.wire is not None and event.local == 0 and event.sender == len(inputs) + 1:
                    zero = tensors[event.slot].grad.item() == 0
                    assert is_masked_by_torch(trace, event) == zero, (name, inputs)


SAYS = "r (relu) sends a the plain product ∞ · 0 = nan; PyTorch masks it and sends 0."


def dead() -> Graph:
    return from_expression("r = relu(a); y = r * k", {"a": -1, "k": math.inf})


def test_why_and_the_exports_say_where_torch_differs():
    graph = dead()
    trace = run(graph)
    assert list(torch_mask_sentences(trace)) == [SAYS]
    a = graph.node_named("a")
    assert a is not None
    assert SAYS in explanation(derivation(frame_at(trace, len(trace)), a))
    before = frame_at(trace, 1)
    assert "PyTorch" not in explanation(derivation(before, a))
    text = python.write_pytorch(graph)
    assert f"# {SAYS}\ny.backward()" in text
    assert "PyTorch masks it and sends 0." in latex.write(graph)


@pytest.mark.parametrize("expression", ["y = abs(a) * k", "y = relu(a) + k", "y = (a*0) * k"])
def test_nothing_is_said_where_torch_does_the_same(expression: str):
    graph = from_expression(expression, {"a": 0, "k": math.inf})
    assert "PyTorch" not in python.write_pytorch(graph)
    assert "PyTorch" not in latex.write(graph)
