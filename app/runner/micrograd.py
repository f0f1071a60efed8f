"""Stands in for micrograd, or for backwire, where a learner's Python has neither.

The runner makes modules of this file; it runs on Python 3.8, and Backwire never imports it.
"""
# pyright: basic

import math
import random


class Value:
    """A number with its gradient, and the operands and the operation it was made of."""

    def __init__(self, data, _children=(), _op="", label=""):
        self.data, self.grad, self.label = data, 0.0, label
        self._prev, self._op, self._local_grads = tuple(_children), _op, ()

    def __repr__(self):
        return f"Value(data={self.data}, grad={self.grad})"

    def _made(self, data, op, *pairs):
        out = Value(data, [operand for operand, _slope in pairs], op)
        out._local_grads = [slope for _operand, slope in pairs]
        return out

    def __add__(self, other):
        other = _as_value(other)
        return self._made(self.data + other.data, "+", (self, 1.0), (other, 1.0))

    def __mul__(self, other):
        other = _as_value(other)
        x, y = self.data, other.data
        return self._made(x * y, "*", (self, y), (other, x))

    def __pow__(self, k):
        return self._made(self.data**k, f"**{k}", (self, k * self.data ** (k - 1)))

    def relu(self):
        """Return the number if it is positive, else 0."""
        return self._made(max(0.0, self.data), "ReLU", (self, float(self.data > 0)))

    def tanh(self):
        """Return the hyperbolic tangent."""
        t = math.tanh(self.data)
        return self._made(t, "tanh", (self, 1 - t * t))

    def exp(self):
        """Return e to the power of the number."""
        e = math.exp(self.data)
        return self._made(e, "exp", (self, e))

    def log(self):
        """Return the natural logarithm."""
        return self._made(math.log(self.data), "log", (self, 1 / self.data))

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + (-_as_value(other))

    def __truediv__(self, other):
        return self * _as_value(other) ** -1

    def __radd__(self, other):
        return self + other

    def __rmul__(self, other):
        return self * other

    def __rsub__(self, other):
        return other + (-self)

    def __rtruediv__(self, other):
        return other * self**-1

    def show(self):
        """Show nothing: the run itself is shown."""

    def backward(self):
        """Add up the gradients of all that this number was made of."""
        order, seen, stack = [], set(), [(self, False)]
        while stack:
            node, done = stack.pop()
            if done:
                order.append(node)
            elif id(node) not in seen:
                seen.add(id(node))
                stack.append((node, True))
                stack.extend((operand, False) for operand in node._prev)
        self.grad = 1.0
        for node in reversed(order):
            for operand, slope in zip(node._prev, node._local_grads):
                operand.grad += slope * node.grad


def _as_value(number):
    return number if isinstance(number, Value) else Value(number)


class Module:
    """What has parameters."""

    def zero_grad(self):
        """Set the gradients of all parameters to 0."""
        for parameter in self.parameters():
            parameter.grad = 0.0

    def parameters(self):
        """Return the numbers that are learned."""
        return []


class Neuron(Module):
    """A weighted sum, bent by relu."""

    def __init__(self, nin, nonlin=True):
        self.w, self.b = [Value(random.uniform(-1, 1)) for _ in range(nin)], Value(0)
        self.nonlin = nonlin

    def __call__(self, x):
        act = sum((wi * xi for wi, xi in zip(self.w, x)), self.b)
        return act.relu() if self.nonlin else act

    def parameters(self):
        """Return the weights and the bias."""
        return [*self.w, self.b]


class Layer(Module):
    """Neurons with the same inputs."""

    def __init__(self, nin, nout, **keywords):
        self.neurons = [Neuron(nin, **keywords) for _ in range(nout)]

    def __call__(self, x):
        out = [neuron(x) for neuron in self.neurons]
        return out[0] if len(out) == 1 else out

    def parameters(self):
        """Return those of all neurons."""
        return [p for neuron in self.neurons for p in neuron.parameters()]


class MLP(Module):
    """Layers one after the other, the last one not bent."""

    def __init__(self, nin, nouts):
        sizes = [nin, *nouts]
        self.layers = [
            Layer(a, b, nonlin=k < len(nouts) - 1) for k, (a, b) in enumerate(zip(sizes, sizes[1:]))
        ]

    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

    def parameters(self):
        """Return those of all layers."""
        return [p for layer in self.layers for p in layer.parameters()]
