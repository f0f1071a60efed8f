"""The C loop over our tape, the stopwatch, and the figures beside their targets."""

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

import numpy

from engine import Program
from engine.ops import OPS
from engine.tape import Tape

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

    def over(self, tape: Tape, wanted: list[int]) -> Callable[[], tuple[float, list[float]]] | None:
        """A run over a tape: the values of the wanted leaves in, their gradients out."""
        if self.run is None:
            return None
        count, numbers = len(wanted), [tape.start[place] for place in wanted]
        leaves, x = (ctypes.c_int * count)(*wanted), (ctypes.c_double * count)()
        size = len(tape)
        codes = [C_CODES.index(OPS[code].name) if code >= 0 else -1 for code in tape.codes]
        whole = ctypes.c_int * size
        columns = [whole(*column) for column in (codes, tape.first, tape.second)]
        values, grads = (ctypes.c_double * size)(*tape.start), (ctypes.c_double * size)()
        run = self.run

        def step() -> tuple[float, list[float]]:
            x[:] = numbers
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


def timed(run: Run) -> float:
    """Seconds of the processor for one run, from a clean heap."""
    gc.collect()
    start = time.process_time()
    run()
    return time.process_time() - start


def stepper(program: Program) -> Run:
    """A run as callers do it: from list to tuple, or in levels from array to array."""
    values = list(program._inputs.start)
    if program.tier != "levels":
        return lambda: program.run(values)
    array = numpy.array(values)
    return lambda: program.step(array)


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
            print(f"  {'✓' if met else '✗'} {name:58}{found:10.2f}   {sign} {wanted:g}")
        return good
