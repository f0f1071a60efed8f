"""A training as a PyTorch program of float64 tensors that prints the same losses.

The program holds the samples and the first weights, so that it needs PyTorch and nothing else; each
line that it prints is an epoch and the loss of all samples before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from engine.errors import EngineError
from engine.training.learning import FADED_SHARE, Learner, Setup
from engine.training.templates import CROSS_ENTROPY

# the PyTorch expression of each activation; {} is its argument
_ACTIVATIONS = {
    "linear": "{}",
    "relu": "torch.relu({})",
    "sigmoid": "torch.sigmoid({})",
    "tanh": "torch.tanh({})",
}
# the loss of each sample, from outputs o and targets t
_LOSSES = {
    "mse": "(o - t) ** 2",
    "hinge": "torch.relu(1.0 - t * o)",
    CROSS_ENTROPY: "-(t * torch.log(o) + (1.0 - t) * torch.log(1.0 - o))",
}
# a program has three parts, the second of which is one of two loops
_DATA_AND_LOSS = '''"""mlp({sizes}) on {count} samples, with PyTorch."""
{random}
import torch

torch.set_default_dtype(torch.float64)

inputs = torch.tensor({inputs})
targets = torch.tensor({targets}).unsqueeze(1)

# weights, one row for each neuron, and biases of each layer
{weights}
parameters = [{parameters}]
for p in parameters:
    p.requires_grad_(True)


def loss_of(h, t):
{network}
    loss = ({loss}).mean()
{decay}    return loss


'''
_IMPORT_RANDOM = "\nimport random\n"
_FULL_BATCH_LOOP = """for epoch in range({epochs}):
    for p in parameters:
        p.grad = None
    loss = loss_of(inputs, targets)
    loss.backward()
    print(epoch, loss.item())
    with torch.no_grad():
        for p in parameters:
            p -= {rate} * p.grad
"""
# each epoch is shuffled by its own seed, as the learner does, so that both see the same batches
_MINIBATCH_LOOP = """order = list(range({count}))
for epoch in range({epochs}):
    with torch.no_grad():
        print(epoch, loss_of(inputs, targets).item())
    order.sort()
    random.Random(f"{seed} {{epoch}}").shuffle(order)
    for first in range(0, {count}, {batch}):
        rows = order[first : first + {batch}]
        for p in parameters:
            p.grad = None
        loss_of(inputs[rows], targets[rows]).backward()
        with torch.no_grad():
            for p in parameters:
                p -= {rate} * p.grad
"""
_FINAL_LOSS = """
with torch.no_grad():
    print({epochs}, loss_of(inputs, targets).item())
"""


def write(learner: Learner, epochs: int) -> str:
    """Return the program that trains for a number of epochs from the first weights."""
    setup, samples = learner.setup, learner.samples
    for activation in (setup.activation, setup.last):
        if activation not in _ACTIVATIONS:
            raise EngineError("There is no PyTorch script with {op}.", op=activation)
    targets = learner.targets.tolist()
    shuffles = 0 < setup.batch < len(samples)  # else each epoch is one step over all samples
    head = _DATA_AND_LOSS.format(
        sizes=", ".join(map(str, setup.sizes)),
        count=len(samples),
        random=_IMPORT_RANDOM if shuffles else "",
        inputs=[list(sample.inputs) for sample in samples],
        # targets −1 and 1 are the probabilities 0 and 1 of a binary cross-entropy
        targets=[(t + 1.0) / 2.0 for t in targets] if setup.predicts_probability else targets,
        weights="\n".join(_weights(learner)),
        parameters=", ".join(f"w{k}, b{k}" for k in range(1, len(setup.sizes))),
        network="\n".join(_network(setup)),
        loss=_LOSSES[setup.loss],
        decay=_decay(setup),
    )
    loop = (_MINIBATCH_LOOP if shuffles else _FULL_BATCH_LOOP).format(
        epochs=epochs, count=len(samples), batch=setup.batch, seed=setup.seed, rate=_rate(setup)
    )
    return head + loop + _FINAL_LOSS.format(epochs=epochs)


def _weights(learner: Learner) -> Iterator[str]:
    """Yield the first weights and biases of each layer as tensors.

    The learner's vector holds layer after layer, in it neuron after neuron, and of each its weights
    and then its bias: a matrix (outputs, inputs + 1).
    """
    values, first = learner.start().values, 0
    for k, (inputs, outputs) in enumerate(pairwise(learner.setup.sizes), 1):
        size = outputs * (inputs + 1)
        rows = values[first : first + size].reshape(outputs, inputs + 1)
        yield f"w{k} = torch.tensor({rows[:, :-1].tolist()!r})"
        yield f"b{k} = torch.tensor({rows[:, -1].tolist()!r})"
        first += size


def _network(setup: Setup) -> Iterator[str]:
    """Yield the lines that compute the output o from the inputs h, layer by layer."""
    layers = len(setup.sizes) - 1
    for k in range(1, layers):
        yield f"    h = {_ACTIVATIONS[setup.activation].format(f'h @ w{k}.T + b{k}')}"
    last = "sigmoid" if setup.predicts_probability else setup.last
    yield f"    o = {_ACTIVATIONS[last].format(f'h @ w{layers}.T + b{layers}')}"


def _decay(setup: Setup) -> str:
    """Return the line that adds the L2 penalty, or ""."""
    if not setup.decay:
        return ""
    return f"    loss = loss + {setup.decay!r} * sum((p * p).sum() for p in parameters)\n"


def _rate(setup: Setup) -> str:
    """Return the learning rate as an expression in `epoch`, with its changes and its fading."""
    rate = repr(setup.rate)
    for first, later in setup.changes:  # an epoch, and the rate from it on
        rate = f"({later!r} if epoch >= {first} else {rate})"
    return (
        f"{rate} * (1.0 - {FADED_SHARE} * min(epoch / {setup.epochs}, 1.0))"
        if setup.fades
        else rate
    )
