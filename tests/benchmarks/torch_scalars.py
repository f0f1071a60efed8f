"""PyTorch's times, measured in a process of its own so that its modules burden nobody else.

python -m tests.benchmarks.torch_scalars ROUNDS prints JSON: for each workload PyTorch's and our
nanoseconds for each operation, and for a training step over matrices and our own.
"""

from __future__ import annotations

import gc
import importlib.util
import json
import subprocess
import sys
from typing import Any

from engine import Program, Value
from tests.benchmarks.peers import Run, interleaved, stepper
from tests.benchmarks.workloads import EAGER, Network

STEP = "step"


def measure(rounds: int) -> dict[str, dict[str, float]]:
    """The times by workload, each of "torch" and "ours"; empty without PyTorch."""
    if importlib.util.find_spec("torch") is None:
        return {}
    command = [sys.executable, "-m", "tests.benchmarks.torch_scalars", str(rounds)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(output)


def main(rounds: int) -> dict[str, dict[str, float]]:
    import torch  # pyright: ignore[reportMissingImports]

    torch.set_num_threads(1)

    def scalar(number: float) -> Any:
        return torch.tensor(number, dtype=torch.float64, requires_grad=True)

    gc.collect()
    gc.freeze()  # what PyTorch has loaded
    found: dict[str, dict[str, float]] = {}
    for workload in EAGER:
        if not workload.name.startswith("chain"):
            theirs, ours = workload.build(scalar), workload.build(Value)
            runs: dict[str, Run] = {
                "torch": lambda root=theirs: root().backward(),
                "ours": lambda root=ours: root().backward(),
            }
            few = min(rounds, 3) if workload.ops > 10_000 else rounds
            found[workload.name] = interleaved(runs, workload.ops, few)
    network = Network(Value, 100)
    program = Program(network.loss(), list(network.parameters()))
    runs = {"torch": _step(Network(float, 100), torch), "ours": stepper(program)}
    found[STEP] = interleaved(runs, 1, rounds)
    return found


def _step(network: Network, torch: Any) -> Run:
    """The training step over matrices."""
    real = torch.float64
    layers = []
    for layer in network.layers:
        weights = torch.tensor([row for row, _bias in layer], dtype=real, requires_grad=True)
        biases = torch.tensor([bias for _row, bias in layer], dtype=real, requires_grad=True)
        layers.append((weights, biases))
    points = torch.tensor([point[:2] for point in network.points], dtype=real)
    labels = torch.tensor([[point[2]] for point in network.points], dtype=real)
    parameters = [p for layer in layers for p in layer]

    def step() -> float:
        for p in parameters:
            p.grad = None
        values = points
        for weights, biases in layers:
            values = values @ weights.T + biases
            if weights is not layers[-1][0]:
                values = values.relu()
        squares = sum((p * p).sum() for p in parameters)
        loss = (1 - labels * values).relu().mean() + 1e-4 * squares
        loss.backward()
        return loss.item()

    return step


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]))))
