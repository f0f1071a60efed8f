"""The C loop over our plan, the stopwatch, and the figures beside their targets."""

from __future__ import annotations

import ctypes
import gc
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine import Program
from engine.graph import Constant, Leaf, OpNode

Run = Callable[[], object]

DEEP = 20_000
"""How deep micrograd may recurse; deeper, the stack of C would overflow."""

C_CODES = ("add", "sub", "mul", "neg", "relu", "tanh", "exp", "square", "div")
"""The operations of c_loop.c in its order."""


class CLoop:
    """The C loop, compiled into a folder; None of it without a compiler."""

    def __init__(self, folder: str) -> None:
        compiler = shutil.which("cc")
        self.run: Any = None
        if compiler is not None:
            library = Path(folder) / "c_loop.so"
            text = Path(__file__).with_name("c_loop.c")
            flags = ["-O2", "-shared", "-fPIC"]
            subprocess.run([compiler, *flags, "-o", library, text, "-lm"], check=True)
            self.run = ctypes.CDLL(str(library)).run
            self.run.restype = ctypes.c_double

    def over(self, program: Program) -> Callable[[], tuple[float, list[float]]] | None:
        """A run over a program's plan: the values of the wanted leaves in, their gradients out."""
        if self.run is None:
            return None
        graph = program.graph
        assert graph.root is not None
        order = graph.plan(graph.root).order
        place = {node: k for k, node in enumerate(order)}
        found = [graph.nodes[node] for node in order]
        sources = [(*(place[n] for n in node.inputs if n is not None), -1, -1) for node in found]
        codes = [C_CODES.index(n.op) if isinstance(n, OpNode) else -1 for n in found]
        size, count = len(order), len(program.wrt)
        columns = [
            (ctypes.c_int * size)(*column)
            for column in (codes, *([row[k] for row in sources] for k in (0, 1)))
        ]
        start = [n.value if isinstance(n, Leaf | Constant) else 0.0 for n in found]
        values, grads = (ctypes.c_double * size)(*start), (ctypes.c_double * size)()
        leaves = (ctypes.c_int * count)(*(place[leaf] for leaf in program.wrt))
        x, run = (ctypes.c_double * count)(), self.run

        def step() -> tuple[float, list[float]]:
            x[:] = program.start
            return run(size, *columns, values, grads, count, leaves, x), x[:]

        return step


def interleaved(runs: Mapping[str, Run], ops: int, rounds: int = 7) -> dict[str, float]:
    """Nanoseconds for each operation, the median of rounds in which all take turns."""
    sys.setrecursionlimit(DEEP)
    found: dict[str, list[float]] = {name: [] for name in runs}
    for k in range(rounds + 1):
        for name, run in runs.items():
            gc.collect()
            spent = _timed(run)
            if k:  # the first round warms up
                found[name].append(spent / ops * 1e9)
    return {name: statistics.median(times) for name, times in found.items()}


def _timed(run: Run) -> float:
    """Seconds of the processor for one run, out of as many as take a fiftieth of a second."""
    start = time.process_time()
    run()
    once = time.process_time() - start
    again = min(100_000, int(0.02 / once))
    if not again:
        return once
    start = time.process_time()
    for _ in range(again):
        run()
    return (time.process_time() - start) / again


@dataclass
class Reach:
    """Figures beside their targets."""

    lines: list[tuple[str, float, str, float]] = field(default_factory=list)

    def at_least(self, name: str, found: float, wanted: float) -> None:
        """The figure must not be less."""
        self.lines.append((name, found, "≥", wanted))

    def at_most(self, name: str, found: float, wanted: float) -> None:
        """The figure must not be more."""
        self.lines.append((name, found, "≤", wanted))

    def report(self, title: str) -> bool:
        """Print each figure beside its target; whether all are reached."""
        print(f"\n{title}")
        good = True
        for name, found, sign, wanted in self.lines:
            met = found >= wanted if sign == "≥" else found <= wanted
            good &= met
            print(f"  {'✓' if met else '✘'} {name:58}{found:10.2f}   {sign} {wanted:g}")
        return good
