"""Programs of learners run unchanged with our Value in place of theirs, and give their numbers."""

# ruff: noqa: N803

import itertools
import math
import random
from typing import Any

import pytest

from engine import Value

# pyright: basic, reportPossiblyUnboundVariable=false, reportAttributeAccessIssue=false


class Copy:
    """A learner's own Value, with closures as the lecture writes them, and what was added since."""

    def __init__(self, data, _children=(), _op="", label="", **more):
        children = more.get("children", more.get("parents", _children))
        self.data, self.grad = data, 0.0
        self._prev, self._op = set(children), _op
        self.label = more.get("_label", label)
        self._backward = lambda: None

    def _made(self, data, others, op, *slopes):
        out = Copy(data, (self, *others), op)

        def _backward():
            for each, slope in zip((self, *others), slopes, strict=True):
                each.grad += slope(out) * out.grad

        out._backward = _backward
        return out

    def __add__(self, other):
        b = other if isinstance(other, Copy) else Copy(other)
        return self._made(self.data + b.data, (b,), "+", lambda _: 1.0, lambda _: 1.0)

    def __mul__(self, other):
        b = other if isinstance(other, Copy) else Copy(other)
        return self._made(self.data * b.data, (b,), "*", lambda _: b.data, lambda _: self.data)

    def __pow__(self, k):
        return self._made(self.data**k, (), f"**{k}", lambda _: k * self.data ** (k - 1))

    def exp(self):
        return self._made(math.exp(self.data), (), "exp", lambda out: out.data)

    def log(self):
        return self._made(math.log(self.data), (), "log", lambda _: 1 / self.data)

    def tanh(self):
        return self._made(math.tanh(self.data), (), "tanh", lambda out: 1 - out.data**2)

    def sigmoid(self):
        data = 1 / (1 + math.exp(-self.data))
        return self._made(data, (), "sigmoid", lambda out: out.data * (1 - out.data))

    def relu(self):
        return self._made(max(0.0, self.data), (), "ReLU", lambda out: float(out.data > 0))

    def order(self):
        found, seen = [], set()

        def visit(v):
            if v not in seen:
                seen.add(v)
                for child in v._prev:
                    visit(child)
                found.append(v)

        visit(self)
        return found

    def backward(self):
        self.grad = 1.0
        for v in reversed(self.order()):
            v._backward()

    def zero_grad(self):
        for v in self.order():
            v.grad = 0.0

    def __float__(self):
        return float(self.data)

    item = __float__
    ReLU, pow = relu, __pow__
    _children = property(lambda self: tuple(self._prev))
    _label = property(lambda self: self.label)
    __neg__ = lambda self: self * -1  # noqa: E731
    __radd__, __rmul__ = __add__, __mul__
    __sub__ = lambda self, other: self + (-other)  # noqa: E731
    __rsub__ = lambda self, other: other + (-self)  # noqa: E731
    __truediv__ = lambda self, other: self * other**-1  # noqa: E731
    __rtruediv__ = lambda self, other: self**-1 * other  # noqa: E731
    __lt__ = lambda self, other: self.data < getattr(other, "data", other)  # noqa: E731
    __gt__ = lambda self, other: self.data > getattr(other, "data", other)  # noqa: E731


def neuron(Value):
    """The neuron of the lecture: tanh from exponentials, a label on each step."""
    x1, x2 = Value(2.0, label="x1"), Value(0.0, label="x2")
    w1, w2 = Value(-3.0, label="w1"), Value(1.0, label="w2")
    b = Value(6.8813735870195432, label="b")
    n = x1 * w1 + x2 * w2 + b
    n.label = "n"
    e = (2 * n).exp()
    o = (e - 1) / (e + 1)
    o.backward()
    return [o, n, x1, w1, x2, w2, b]


class Layers:
    """Two layers of neurons, as micrograd's nn has them."""

    def __init__(self, Value, sizes, seed=1):
        rng = random.Random(seed)
        self.layers = [
            [[Value(rng.uniform(-1, 1)) for _ in range(m + 1)] for _ in range(n)]
            for m, n in itertools.pairwise(sizes)
        ]

    def __call__(self, x):
        for layer in self.layers:
            x = [sum((a * b for a, b in zip(w, x, strict=False)), w[-1]).tanh() for w in layer]
        return x[0]

    def parameters(self):
        return [p for layer in self.layers for neuron in layer for p in neuron]


XS = [[2.0, 3.0, -1.0], [3.0, -1.0, 0.5], [0.5, 1.0, 1.0], [1.0, 1.0, -1.0]]
YS = [1.0, -1.0, -1.0, 1.0]


def mlp(Value):
    """The end of the lecture: four samples, twenty steps."""
    net = Layers(Value, [3, 4, 4, 1])
    for _ in range(20):
        loss = sum((net(x) - y) ** 2 for x, y in zip(XS, YS, strict=True))
        for p in net.parameters():
            p.grad = 0.0
        loss.backward()
        for p in net.parameters():
            p.data += -0.1 * p.grad
    return [loss, *net.parameters()]


def adam(Value):
    """Moments kept as attributes of the parameters."""
    net = Layers(Value, [3, 2, 1])
    for p in net.parameters():
        p.m, p.v = 0.0, 0.0
    for step in range(1, 6):
        loss = sum((net(x) - y) ** 2 for x, y in zip(XS, YS, strict=True)) / len(XS)
        loss.zero_grad()
        loss.backward()
        for p in net.parameters():
            p.m = 0.9 * p.m + 0.1 * p.grad
            p.v = 0.999 * p.v + 0.001 * p.grad**2
            mean, square = p.m / (1 - 0.9**step), p.v / (1 - 0.999**step)
            p.data -= 0.1 * mean / (square**0.5 + 1e-8)
    return [loss, *net.parameters()]


def momentum(Value):
    """An attribute that is there only after the first step."""
    w = Value(5.0)
    for _ in range(10):
        loss = (w - 2) ** 2
        w.zero_grad()
        loss.backward()
        w.velocity = 0.9 * getattr(w, "velocity", 0.0) + w.grad
        w.data -= 0.05 * w.velocity
    return [w, w.velocity]


def same_graph_again(Value):
    """Data are changed, and the same graph is gone back through; nothing is computed anew."""
    a, b, c = Value(2.0), Value(-3.0), Value(0.5)
    y = (a * b + c**3).relu() * a + b * b
    z = y + (a * b) ** 2
    z.backward()
    first = [v.grad for v in (a, b, c)]
    a.data, b.data, c.data = -1.0, 4.0, 2.0
    z.zero_grad()
    z.backward()
    return [*first, a, b, c]


def relu_then_changed(Value):
    """relu's closure reads what it wrote, so a changed operand changes nothing."""
    a = Value(2.0)
    y = a.ReLU()
    a.data = -1.0
    y.backward()
    return [a, y]


def max_pool(Value):
    """The largest of four by Python's own max, and sorted ones."""
    window = [Value(v) for v in (0.3, -2.0, 1.7, 0.9)]
    y = max(window) * 3 + sorted(window, key=float)[0] + min(window)
    y.backward()
    return [y, *window]


def clipped(Value):
    """Comparisons in an if, and gradients clipped."""
    a, b = Value(4.0), Value(0.5)
    y = a * b if a > b else a + b
    y = y if y < 1 else y**2
    y.backward()
    for v in (a, b):
        v.grad = max(-5.0, min(5.0, v.grad))
    return [y, a, b]


def softmax(Value):
    """Cross entropy, and the largest logit taken away as a plain number."""
    logits = [Value(v) for v in (0.0, 3.0, -2.0, 1.0)]
    largest = max(v.item() for v in logits)
    counts = [(v - largest).exp() for v in logits]
    total = sum(counts)
    loss = -(counts[3] / total).log()
    loss.backward()
    return [loss, *logits]


def own_operation(Value):
    """An operation of one's own, with its children under another keyword."""

    def cube(x):
        out = Value(x.data**3, children=(x,), _op="cube")

        def _backward():
            x.grad += 3 * x.data**2 * out.grad

        out._backward = _backward
        return out

    a = Value(1.5, _label="a")
    y = cube(a * 2) + a
    y.backward()
    return [y, a, len(y._children), float(a._label == "a")]


def by_hand(Value):
    """The lecture's steps by hand, out of the middle of a graph."""
    a, b = Value(2.0), Value(-3.0)
    c = a * b
    d = c.sigmoid().pow(2)
    for v in (d, d._children[0], c):
        v.grad = 1.0
        v._backward()
    return [a, b, c, d]


def history(Value):
    """Losses as plain numbers, and a set of visited Values."""
    w, losses, seen = Value(0.1), [], set()
    for _ in range(5):
        loss = (w * 3 - 1).tanh() ** 2
        w.grad = 0
        loss.backward()
        w.data = w.data - 0.1 * w.grad
        losses.append(loss.item())
        seen.add(loss)
    return [*losses, len(seen), float(w), math.exp(w)]


PROGRAMS = (
    *(neuron, mlp, adam, momentum, same_graph_again, relu_then_changed, max_pool),
    *(clipped, softmax, own_operation, by_hand, history),
)


def numbers(found: list[Any]) -> list[float]:
    return [n for v in found for n in ((v.data, v.grad) if hasattr(v, "grad") else (float(v),))]


def test_twelve_programs_run_unchanged_with_their_own_numbers():
    for program in PROGRAMS:
        theirs, ours = numbers(program(Copy)), numbers(program(Value))
        assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-12), program.__name__
