"""The engine's tables of speed beside micrograd, a C loop and, if it is there, PyTorch.

python3 run.py bench engine [--rounds N]

All contenders of a row take turns in one run; the figures are medians in nanoseconds of the
processor for each operation, and what is to be reached is a ratio between them. Python's
garbage collector is on unless a row says otherwise. The C loop runs over the same tape; like our
programs it is given the values of the leaves as a list and gives their gradients back.
"""

from __future__ import annotations

import argparse
import gc
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import micrograd.engine
import numpy

from engine import Program, Value
from engine.compiled.program import Tier
from tests.benchmarks.peers import DEEP, CLoop, Reach, Run, interleaved, stepper, timed
from tests.benchmarks.torch_scalars import STEP, measure
from tests.benchmarks.workloads import EAGER, Network, Workload, bare_chain, chain, cook, irregular

TIERS: tuple[Tier, ...] = ("tape", "source", "levels")

Times = dict[str, dict[str, float]]


def main(argv: Sequence[str]) -> int:
    """Print the tables; 0 if everything is reached."""
    parser = argparse.ArgumentParser(prog="bench engine")
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_known_args(argv)[0].rounds  # the other tables have options of their own
    reach = Reach()
    torch = measure(rounds)
    eager(rounds, torch, reach)
    memory(reach)
    with tempfile.TemporaryDirectory() as folder:
        fixed(rounds, reach, CLoop(folder))
    training(torch, reach)
    return 0 if reach.report("To be reached") else 1


def eager(rounds: int, torch: Times, reach: Reach) -> None:
    """Build and backward of a graph of Values."""
    print(
        "\nEager, gc on: build and backward, ns for each operation (torch in a process of its own)"
    )
    print(f"{'':32}{'micrograd':>12}{'ours':>8}{'×':>7}{'torch':>9}{'×':>7}")
    for workload in EAGER:
        row = _eager_row(workload, rounds)
        ratio = _print_eager(workload.name, row, torch.get(workload.name))
        if ratio is not None:
            large = workload.ops > 10_000
            reach.at_least(f"{workload.name}: × micrograd", ratio, 5 if large else 1.8)
        if workload.name in torch and workload.ops <= 10_000:
            ratio = torch[workload.name]["torch"] / torch[workload.name]["ours"]
            reach.at_least(f"{workload.name}: × torch scalars", ratio, 5)
    large = next(found for found in EAGER if found.ops == 65_075)
    gc.disable()
    ratio = _print_eager(f"{large.name}, gc off", _eager_row(large, rounds), None)
    gc.enable()
    reach.at_least(f"{large.name}, gc off: × micrograd", ratio or 0.0, 1.4)
    _deep(rounds, reach)


def _deep(rounds: int, reach: Reach) -> None:
    """A chain of a million beside one of a thousand, and the same of objects without operations."""
    sizes = (1_000, 1_000_000)
    found: dict[str, float] = {}
    print("\nns for each operation of a chain:" + "".join(f"{size:>12,}" for size in sizes))
    for gc_on in (True, False):
        runs: dict[str, Run] = {}
        for size in sizes:
            runs[f"Value {size}"] = _built(Workload("", size, chain(size)), Value)
            runs[f"bare object {size}"] = bare_chain(size)
        (gc.enable if gc_on else gc.disable)()
        times = interleaved(runs, 1, min(rounds, 5))
        gc.enable()
        for name in ("Value", "bare object"):
            short, long = (times[f"{name} {size}"] / size for size in sizes)
            row = f"{name}, gc {'on' if gc_on else 'off'}"
            found[row] = long / short
            print(f"  {row:31}{short:12,.0f}{long:12,.0f}   {found[row]:.2f} ×")
    ours, bare = found["Value, gc on"], found["bare object, gc on"]
    reach.at_most("a chain of a million to one of a thousand, per operation", ours, 2)
    reach.at_most("the same, to that of bare objects", ours / bare, 1)


def _eager_row(workload: Workload, rounds: int) -> dict[str, float]:
    """Ours, and micrograd where its recursion goes deep enough."""
    runs: dict[str, Run] = {"ours": _built(workload, Value)}
    if not (workload.name.startswith("chain") and workload.ops > DEEP // 2):
        runs = {"micrograd": _built(workload, micrograd.engine.Value), **runs}
    return interleaved(runs, workload.ops, rounds if workload.ops < 60_000 else min(rounds, 3))


def _built(workload: Workload, make: Callable[[float], object]) -> Run:
    root = workload.build(make)
    return lambda: root().backward()


def _print_eager(name: str, row: dict[str, float], torch: dict[str, float] | None) -> float | None:
    """One row; gives how many times faster than micrograd."""
    old, ours = row.get("micrograd"), row["ours"]
    ratio = None if old is None else old / ours
    cells = f"{'recursion':>12}{ours:8,.0f}{'–':>7}"  # error
    if old is not None:
        cells = f"{old:12,.0f}{ours:8,.0f}{ratio:7.1f}"
    if torch is not None:
        cells += f"{torch['torch']:9,.0f}{torch['torch'] / torch['ours']:7.1f}"
    print(f"{name:32}{cells}")
    return ratio


def memory(reach: Reach) -> None:
    """Bytes of a graph after its backward pass, and what is kept when it is let go."""
    workload = EAGER[-1]
    print(f"\nMemory of {workload.name}: bytes for each operation, and kept after del without gc")
    found: dict[str, float] = {}
    for name, make in (("micrograd", micrograd.engine.Value), ("ours", Value)):
        root = workload.build(make)
        root().backward()  # what is made once is not counted
        gc.collect()
        gc.disable()
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        value = root()
        value.backward()
        whole = tracemalloc.get_traced_memory()[0] - before
        del value
        kept = tracemalloc.get_traced_memory()[0] - before
        tracemalloc.stop()
        gc.enable()
        found[name] = whole / workload.ops
        print(f"{name:32}{found[name]:12.0f}{kept / workload.ops:8.0f}")
    reach.at_most("bytes for each node, to micrograd's", found["ours"] / found["micrograd"], 0.30)


@dataclass
class Graph:
    """A graph to be run many times: how micrograd builds it anew, ours, and the wanted leaves."""

    name: str
    micrograd: Run
    root: Value | None
    wrt: list[Value] | None


def _graphs() -> Iterator[Graph]:
    """One after the other, so that only one at a time is there to be collected."""
    for ops, name in ((10, "10"), (100, "100"), (1_000, "1,000"), (100_000, "100,000")):
        recipe = irregular(ops)
        root = cook(recipe, Value)
        old = lambda recipe=recipe: cook(recipe, micrograd.engine.Value).backward()  # noqa: E731
        yield Graph(f"irregular, {name}", old, root, None)
    for samples in (1, 100):
        network, old_network = Network(Value, samples), Network(micrograd.engine.Value, samples)

        def step(network: Network = old_network) -> None:
            for p in network.parameters():
                p.grad = 0
            network.loss().backward()

        yield Graph(f"network × {samples}", step, network.loss(), list(network.parameters()))


def fixed(rounds: int, reach: Reach, loop: CLoop) -> None:
    """One graph run many times."""
    print("\nA fixed graph, gc on: ns for each operation of a run (and µs for each to prepare)")
    names = ("micrograd", "tape", "source", "levels", "Program", "C loop")
    print(f"{'':22}" + "".join(f"{name:>16}" for name in names))
    for graph in _graphs():
        assert graph.root is not None
        chosen = Program(graph.root, graph.wrt)
        ops = len(chosen._tape.steps)
        runs, build = {"micrograd": graph.micrograd}, dict[str, float]()
        for tier in TIERS:
            start = time.process_time()
            program = Program(graph.root, graph.wrt, tier=tier)
            build[tier] = (time.process_time() - start) / ops * 1e6
            runs[tier] = stepper(program)
        graph.root = None  # the collector has no more to do for micrograd than it must
        runs["Program"] = stepper(chosen)
        if (limit := loop.over(chosen._tape, chosen._inputs.wanted)) is not None:
            runs["C loop"] = limit
        times = interleaved(runs, ops, rounds if ops < 10_000 else min(rounds, 5))
        cells = [_cell(times.get(name), build.get(name)) for name in names]
        print(f"{graph.name:22}" + "".join(cells) + f"   {ops:,} ops, {chosen.tier}")
        _check_fixed(graph.name, times, reach)


def _cell(time: float | None, build: float | None) -> str:
    if time is None:
        return f"{'–':>16}"
    text = f"{time:,.0f}" if time >= 100 else f"{time:.1f}"
    return f"{text if build is None else f'{text} ({build:.1f})':>16}"


def _check_fixed(name: str, times: dict[str, float], reach: Reach) -> None:
    ratio = times["micrograd"] / times["Program"]
    if not name.startswith("irregular"):
        if name == "network × 100":
            reach.at_least(f"{name}: × micrograd, gc on", ratio, 1500)
        return
    reach.at_least(f"{name}: × micrograd", ratio, 100 if name.endswith("100,000") else 50)
    if "C loop" in times:
        most = 5 if name.endswith("100,000") else 4
        reach.at_most(f"{name}: of the C loop", times["Program"] / times["C loop"], most)


def training(torch: Times, reach: Reach) -> None:
    """micrograd's moons demo: a step without the collector, PyTorch tensors, and the whole."""
    network = Network(Value, 100)
    program = Program(network.loss(), list(network.parameters()))
    old = Network(micrograd.engine.Value, 100)
    gc.disable()
    runs: dict[str, Run] = {"micrograd": lambda: _old_step(old, 0), "ours": stepper(program)}
    times = interleaved(runs, 1, 5)
    gc.enable()
    print("\nA step of the network × 100, gc off, ms: ", end="")
    print(", ".join(f"{name} {ns / 1e6:.3f}" for name, ns in times.items()))
    reach.at_least("a training step: × micrograd, gc off", times["micrograd"] / times["ours"], 300)
    if STEP in torch:
        theirs, ours = torch[STEP]["torch"], torch[STEP]["ours"]
        print(f"  PyTorch tensors, one thread: {theirs / 1e6:.3f}, ours {ours / 1e6:.3f}")
        reach.at_least("a training step: × PyTorch tensors, 1 thread", theirs / ours, 1)
    _demo(reach)


def _demo(reach: Reach) -> None:
    steps = 100
    few = 5
    old = Network(micrograd.engine.Value, 100)
    theirs = timed(lambda: [_old_step(old, k) for k in range(few)]) / few
    spent: dict[str, float] = {}
    losses: list[float] = []

    def whole() -> None:
        start = time.process_time()
        network = Network(Value, 100)
        program = Program(network.loss(), list(network.parameters()), runs=steps)
        spent["before"] = time.process_time() - start
        values = numpy.array([p.data for p in network.parameters()])
        for k in range(steps):
            loss, grads = program.step(values)
            values -= (1.0 - 0.9 * k / 100) * grads
            losses.append(loss)

    ours = timed(whole)
    after = (ours - spent["before"]) / steps
    print(f"The moons demo, {steps} steps: micrograd {theirs * steps:.1f} s (from {few} steps), ")
    print(f"  ours {ours:.3f} s, of which {spent['before']:.3f} s to record and compile;", end="")
    print(f" the loss falls from {losses[0]:.3f} to {losses[-1]:.3f}")
    reach.at_least("the moons demo with recording and compiling: ×", theirs * steps / ours, 120)
    reach.at_least("a step of it after that: ×", theirs / after, 1500)


def _old_step(network: Network, k: int) -> None:
    loss = network.loss()
    for p in network.parameters():
        p.grad = 0
    loss.backward()
    for p in network.parameters():
        p.data -= (1.0 - 0.9 * k / 100) * p.grad
