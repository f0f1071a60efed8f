"""micrograd's own programs, with its engine replaced by ours: they run, and the numbers agree.

The tests, the training demo and the notebook's drawing below are micrograd's own code
(Andrej Karpathy, MIT licence), but for scikit-learn's moons and the picture of the result.
"""

import importlib
import random
import sys
from types import ModuleType
from typing import Any

import micrograd.engine
import numpy
import pytest

import engine.value
from tests.helpers.sampling import sized

ENGINES = (micrograd.engine, engine.value)


@pytest.fixture
def nn(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """micrograd.nn as it is, over our engine."""
    return nn_over(engine.value, monkeypatch)


def nn_over(module: ModuleType, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setitem(sys.modules, "micrograd.engine", module)
    monkeypatch.delitem(sys.modules, "micrograd.nn", raising=False)
    return importlib.import_module("micrograd.nn")


def sanity_check(Value):  # noqa: N803
    x = Value(-4.0)
    z = 2 * x + 2 + x
    q = z.relu() + z * x
    h = (z * z).relu()
    y = h + q + q * x
    y.backward()
    return x, y


def more_ops(Value):  # noqa: N803
    a = Value(-4.0)
    b = Value(2.0)
    c = a + b
    d = a * b + b**3
    c += c + 1
    c += 1 + c + (-a)
    d += d * 2 + (b + a).relu()
    d += 3 * d + (b - a).relu()
    e = c - d
    f = e**2
    g = f / 2.0
    g += 10.0 / f
    g.backward()
    return a, b, g


@pytest.mark.parametrize("program", [sanity_check, more_ops])
def test_micrograds_own_tests_give_its_numbers(program):
    theirs, ours = (program(module.Value) for module in ENGINES)
    for one, other in zip(theirs, ours, strict=True):
        assert other.data == pytest.approx(one.data, rel=1e-14)
        assert other.grad == pytest.approx(one.grad, rel=1e-14)


def moons(count: int) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Two half circles, as make_moons of scikit-learn has them."""
    angles = numpy.linspace(0, numpy.pi, count // 2)
    upper = numpy.column_stack([numpy.cos(angles), numpy.sin(angles)])
    lower = numpy.column_stack([1 - numpy.cos(angles), 0.5 - numpy.sin(angles)])
    noise = numpy.random.default_rng(1).normal(scale=0.1, size=(count, 2))
    labels = numpy.repeat([0, 1], count // 2)
    return numpy.concatenate([upper, lower]) + noise, labels


def demo(nn: Any, steps: int) -> tuple[list[float], list[float]]:
    """The training demo: the losses, and the parameters at the end."""
    Value = nn.Value  # noqa: N806
    random.seed(1337)
    X, y = moons(8)  # noqa: N806
    y = y * 2 - 1  # make y be -1 or 1
    model = nn.MLP(2, [16, 16, 1])

    def loss(batch_size=None):
        Xb, yb = X, y  # noqa: N806
        inputs = [list(map(Value, xrow)) for xrow in Xb]

        # forward the model to get scores
        scores = list(map(model, inputs))

        # svm "max-margin" loss
        losses = [(1 + -yi * scorei).relu() for yi, scorei in zip(yb, scores)]  # noqa: B905
        data_loss = sum(losses) * (1.0 / len(losses))
        # L2 regularization
        alpha = 1e-4
        reg_loss = alpha * sum((p * p for p in model.parameters()))  # noqa: UP034
        total_loss: Any = data_loss + reg_loss

        # also get accuracy
        accuracy = [(yi > 0) == (scorei.data > 0) for yi, scorei in zip(yb, scores)]  # noqa: B905
        return total_loss, sum(accuracy) / len(accuracy)

    losses = []
    for k in range(steps):
        total_loss, _acc = loss()
        model.zero_grad()
        total_loss.backward()
        learning_rate = 1.0 - 0.9 * k / 100
        for p in model.parameters():
            p.data -= learning_rate * p.grad
        losses.append(total_loss.data)
    return losses, [p.data for p in model.parameters()]


def test_the_training_demo_learns_the_same(monkeypatch):
    theirs, ours = (demo(nn_over(module, monkeypatch), sized(2, 6)) for module in ENGINES)
    assert ours[0] == pytest.approx(theirs[0], rel=1e-9)
    assert ours[1] == pytest.approx(theirs[1], rel=1e-7)


def test_its_networks_have_their_parameters_and_names(nn):
    random.seed(0)
    model = nn.MLP(3, [4, 4, 1])
    assert len(model.parameters()) == 41
    assert repr(model).startswith("MLP of [Layer of [ReLUNeuron(3), ")
    score = model([1.0, -2.0, 3.0])
    score.backward()
    assert all(isinstance(p, engine.value.Value) for p in model.parameters())
    assert any(p.grad for p in model.parameters())
    model.zero_grad()
    assert not any(p.grad for p in model.parameters())


def test_the_lesson_by_hand_works_in_any_order():
    Value = engine.value.Value  # noqa: N806
    x1, x2 = Value(2.0, label="x1"), Value(0.0, label="x2")
    w1, w2 = Value(-3.0, label="w1"), Value(1.0, label="w2")
    b = Value(6.8813735870195432, label="b")
    x1w1 = x1 * w1
    x1w1.label = "x1*w1"
    x2w2 = x2 * w2
    x2w2.label = "x2*w2"
    x1w1x2w2 = x1w1 + x2w2
    n = x1w1x2w2 + b
    o = n.tanh()
    o.label = "o"
    o.grad = 1.0
    o._backward()
    n._backward()
    b._backward()
    x1w1x2w2._backward()
    x2w2._backward()
    x1w1._backward()
    grads = [round(v.grad, 4) for v in (n, x1, w1, x2, w2)]
    assert grads == [0.5, -1.5, 1.0, 0.5, 0.0]
    assert o.graph().root_name == "o"
