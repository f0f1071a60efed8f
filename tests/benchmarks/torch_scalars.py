"""PyTorch's times, measured in a process of its own so that its modules burden nobody else.

python -m tests.benchmarks.torch_scalars ROUNDS prints JSON: for each workload PyTorch's and our
nanoseconds for each operation.
"""

from __future__ import annotations

import gc
import importlib.util
import json
import subprocess
import sys
from typing import Any

from engine import Value
from tests.benchmarks.peers import Run, interleaved
from tests.benchmarks.workloads import EAGER


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
    return found


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]))))
