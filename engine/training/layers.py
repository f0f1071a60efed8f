"""Backpropagation by layers: a network over all samples at once, as products of matrices.

In the graph of one sample each neuron is a weighted sum. Let the rows of a matrix W be the weights
of a layer's neurons, each with its bias last, and the columns of H the inputs of the samples, with
a row of ones below for the biases. The whole layer over all samples is then a matrix product and an
activation φ, element by element:

    Z = W · H        H' = φ(Z)

Let L be the sum of all losses, and D = ∂L/∂H' the gradient from the layer above. By the chain rule

    U = ∂L/∂Z = D ∘ φ'(Z)        ∂L/∂W = U · Hᵀ        ∂L/∂H = Wᵀ · U

where ∘ is the product element by element. U · Hᵀ sums the contributions of all samples to each
weight, Wᵀ · U those of all neurons to each input: both are the += of backpropagation. (Rumelhart,
Hinton and Williams, 1986, "Learning representations by back-propagating errors", equations 4 to 7.)

One neuron of two inputs with weights 2 and −1 and bias 1, and two samples (1, 2) and (3, 1) with
targets 0 and 5; its outputs are 1 and 6, the errors 1 and 1:

>>> network = Network((2, 1), ("linear",), "mse")
>>> values, inputs, targets = numpy.array([2.0, -1, 1]), with_ones([[1.0, 3], [2, 1]]), [0.0, 5.0]
>>> losses, grads = network.backward(values, inputs, numpy.array(targets))
>>> losses.tolist(), grads.tolist()  # ∂L/∂w1 = 2·1·1 + 2·1·3
([1.0, 1.0], [8.0, 6.0, 4.0])
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

import numpy
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray

from engine.compiled.arrays import ArrayOp, array_op
from engine.ops import BY_NAME
from engine.training.templates import CHANCE, LINEAR

Array = NDArray[numpy.float64]


class Loss(Struct, frozen=True):
    """A loss of outputs o and targets t, and its derivative by o."""

    value: Callable[[Array, Array], Array]
    slope: Callable[[Array, Array], Array]


LOSSES: Final = {
    "mse": Loss(lambda o, t: (o - t) ** 2, lambda o, t: 2.0 * (o - t)),
    "hinge": Loss(
        lambda o, t: numpy.maximum(1.0 - t * o, 0.0),
        lambda o, t: numpy.where(1.0 - t * o <= 0.0, 0.0, -t),
    ),
    CHANCE: Loss(
        lambda o, t: -(t * numpy.log(o) + (1.0 - t) * numpy.log(1.0 - o)),
        lambda o, t: (1.0 - t) / (1.0 - o) - t / o,
    ),
}
"""The losses of `templates`, over arrays: (o − t)², max(0, 1 − t·o), cross-entropy."""


class Layer(Struct, frozen=True):
    """A layer: the slice of its weights among all, the shape of their matrix, the activation."""

    weights: slice
    shape: tuple[int, int]
    activation: ArrayOp | None

    def matrix(self, values: Array) -> Array:
        """Return the weights as a matrix: a row for each neuron, its bias last."""
        return values[self.weights].reshape(self.shape)


_SILENT: Final = numpy.errstate(all="ignore")
"""Decorator against NumPy's warnings: in a training that diverges, numbers become infinite."""


class Network:
    """A network with one output, and the loss of its samples.

    The columns of `inputs` are samples; its last row is of ones, for the biases. `values` are all
    weights, layer by layer and neuron by neuron, each neuron's bias last.
    """

    def __init__(self, sizes: Sequence[int], activations: Sequence[str], loss: str) -> None:
        self._loss = LOSSES[loss]
        self.layers: list[Layer] = []
        first = 0
        for (inputs, neurons), name in zip(pairwise(sizes), activations, strict=True):
            end = first + neurons * (inputs + 1)
            activation = None if name == LINEAR else array_op(BY_NAME[name])
            self.layers.append(Layer(slice(first, end), (neurons, inputs + 1), activation))
            first = end

    @_SILENT
    def outputs(self, values: Array, inputs: Array) -> Array:
        """Return the output for each sample."""
        return self._forward(values, inputs)[-1][1][0]

    @_SILENT
    def losses(self, values: Array, inputs: Array, targets: Array) -> Array:
        """Return the loss of each sample."""
        return self._loss.value(self.outputs(values, inputs), targets)

    @_SILENT
    def backward(self, values: Array, inputs: Array, targets: Array) -> tuple[Array, Array]:
        """Return the loss of each sample, and the gradient of their sum by each weight."""
        forward = self._forward(values, inputs)
        output = forward[-1][1][0]
        grads = numpy.empty_like(values)
        upstream = self._loss.slope(output, targets)[None]  # D of the last layer
        for k in range(len(self.layers) - 1, -1, -1):
            layer, (sums, outputs) = self.layers[k], forward[k]  # Z and H'
            layer_inputs = forward[k - 1][1] if k else inputs  # H
            neurons = layer.shape[0]
            if layer.activation is not None:
                rule = layer.activation.slopes[0]
                slope = numpy.empty_like(sums)
                rule.compute(*[(sums, outputs[:neurons])[slot] for slot in rule.reads], slope)
                upstream *= slope  # U = D ∘ φ'(Z)
            numpy.matmul(upstream, layer_inputs.T, out=layer.matrix(grads))  # ∂L/∂W = U · Hᵀ
            if k:  # D of the layer below, Wᵀ · U, without the column of the biases
                upstream = layer.matrix(values)[:, :-1].T @ upstream
        return self._loss.value(output, targets), grads

    def _forward(self, values: Array, inputs: Array) -> list[tuple[Array, Array]]:
        """Return for each layer its sums Z, and its outputs H' with a row of ones."""
        forward: list[tuple[Array, Array]] = []
        layer_inputs = inputs
        for layer in self.layers:
            neurons = layer.shape[0]
            outputs = numpy.empty((neurons + 1, inputs.shape[1]))
            outputs[neurons] = 1.0
            if layer.activation is None:
                sums = numpy.matmul(layer.matrix(values), layer_inputs, out=outputs[:neurons])
            else:
                sums = layer.matrix(values) @ layer_inputs
                layer.activation.forward.compute(sums, outputs[:neurons])
            forward.append((sums, outputs))
            layer_inputs = outputs
        return forward


def with_ones(inputs: ArrayLike) -> Array:
    """Return inputs, a column for each sample, with a row of ones below them."""
    rows = numpy.asarray(inputs, float)
    return numpy.vstack([rows, numpy.ones(rows.shape[1])])
