"""The engine's tables of speed beside micrograd, a C loop and, if it is there, PyTorch.

python3 run.py bench engine [--rounds N]

All contenders of a row take turns in one run; the figures are medians in nanoseconds of the
processor for each operation, and what is to be reached is a ratio between them. Python's
garbage collector is on unless a row says otherwise. The C loop runs over the same plan; like our
programs it is given the values of the leaves as a list and gives their gradients back.
"""

from __future__ import annotations

import argparse
import gc
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Sequence

import micrograd.engine

from engine import Program, Value
from tests.benchmarks.peers import DEEP, CLoop, Reach, Run, interleaved
from tests.benchmarks.torch_scalars import measure
from tests.benchmarks.workloads import EAGER, Workload, bare_chain, chain, cook, irregular

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


def fixed(rounds: int, reach: Reach, loop: CLoop) -> None:
    """One irregular graph run many times; micrograd builds it anew."""
    print("\nA fixed graph, gc on: ns for each operation of a run (and µs for each to prepare)")
    names = ("micrograd", "Program", "C loop")
    print(f"{'':22}" + "".join(f"{name:>16}" for name in names))
    for ops, most in ((10, None), (100, 3), (1_000, 7)):
        recipe = irregular(ops)
        start = time.process_time()
        program = Program(cook(recipe, Value))
        program.run()
        build = (time.process_time() - start) / ops * 1e6
        runs: dict[str, Run] = {
            "micrograd": lambda recipe=recipe: cook(recipe, micrograd.engine.Value).backward(),
            "Program": lambda program=program: program.run(program.start),
        }
        if (limit := loop.over(program)) is not None:
            runs["C loop"] = limit
        times = interleaved(runs, ops, rounds)
        cells = [_cell(times.get(n), build if n == "Program" else None) for n in names]
        print(f"{f'irregular, {ops:,}':22}" + "".join(cells))
        if limit is not None and most is not None:
            reach.at_most(f"{ops:,}: of the C loop", times["Program"] / times["C loop"], most)


def _cell(time: float | None, build: float | None) -> str:
    if time is None:
        return f"{'–':>16}"
    text = f"{time:,.0f}" if time >= 100 else f"{time:.1f}"
    return f"{text if build is None else f'{text} ({build:.1f})':>16}"
