"""Exported PyTorch prints the gradients that the engine finds, here with a stand-in for torch."""

import contextlib
import io
import re
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings

from engine import Graph, Value, from_expression
from engine.formats import python
from engine.formats.python.writer import ProgramText
from engine.ops import OPS
from tests.helpers.graphs import gradients, values
from tests.helpers.random_graphs import graphs
from tests.helpers.sampling import tries
from tests.helpers.tables import in_turn

FUNCTIONS = {op.name: op for op in OPS}


class Tensor(Value):
    """A Value that looks like a float64 tensor of one number."""

    requires_grad = False


def _call(name: str) -> Any:
    def function(*tensors: Value) -> Value:
        assert all(isinstance(tensor, Value) for tensor in tensors), f"{name} takes tensors"
        return getattr(tensors[0], name)(*tensors[1:])

    return function


def torch_stand_in() -> SimpleNamespace:
    def tensor(number: float, dtype: object, requires_grad: bool = False) -> Tensor:
        assert isinstance(number, float)
        assert dtype == "float64"
        made = Tensor(number)
        made.label = "leaf" if requires_grad else ""
        return made

    names = {name: _call(name) for name in FUNCTIONS}
    functional = SimpleNamespace(
        **{name: names.pop(name) for name in ("leaky_relu", "elu", "softplus", "silu", "gelu")}
    )
    return SimpleNamespace(
        tensor=tensor, float64="float64", nn=SimpleNamespace(functional=functional), **names
    )


def printed(text: str) -> dict[str, float]:
    """What the program prints when torch is our stand-in."""
    plain = text.removeprefix("import torch\n").replace(".grad.item()", ".grad")
    plain = plain.replace(".item()", ".data")
    plain = re.sub(r"torch\.where\((.+?) > 0, ", r"torch.where_gt0(\1, ", plain)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(plain, "exported", "exec"), {"torch": torch_stand_in()})
    lines = [line.split(" = ") for line in out.getvalue().splitlines()]
    return {name: float(number) for name, number in lines}


def wanted(graph: Graph) -> dict[str, float]:
    found, program = gradients(graph), ProgramText(graph)
    grads = {f"{name}.grad": found[graph.names[node]] for node, name in program.leaves.items()}
    return {program.root_name: values(graph)[graph.root_name], **grads}


@in_turn("op", OPS)
def test_every_operation_prints_its_gradients(op):
    known = {"a": 0.3, "b": 0.7, "c": -0.4, "x": 1.5, "y": -2.5}
    numbers = [str(known[letter]) for letter in op.slots]
    letters = f"{op.name}({', '.join(op.slots)})"
    text = f"({letters}) - ({op.name}({', '.join(numbers)})) * k"
    graph = from_expression(text, {letter: known[letter] for letter in op.slots})
    found = printed(python.write_pytorch(graph))
    assert found == pytest.approx(wanted(graph), rel=1e-12, abs=1e-12)


@settings(max_examples=tries(60))
@given(graphs())
def test_any_graph_prints_its_gradients(graph: Graph):
    found = printed(python.write_pytorch(graph))
    assert found == pytest.approx(wanted(graph), rel=1e-12, nan_ok=True)


def test_a_leaf_that_only_decides_gets_a_zero_without_asking_torch():
    text = python.write_pytorch(from_expression("y = where_gt0(a, b, 2)"))
    assert 'print("a.grad =", 0.0)' in text
    assert 'print("b.grad =", b.grad.item())' in text
    alone = python.write_pytorch(from_expression("y = where_gt0(a, 1, 2)"))
    assert ".backward()" not in alone
    assert printed(alone) == {"y": 1.0, "a.grad": 0.0}


def test_a_negative_base_is_bracketed():
    graph = from_expression("y = (-2)**a", {"a": 2})
    assert "(-2.0)**a" in python.write_pytorch(graph)
