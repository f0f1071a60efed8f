"""The canvas beside NodeGraphQt and a bare QPainter, 1920 × 1080, offscreen.

python3 run.py bench canvas [--nodes N] [--cpu]

Each canvas has a process of its own and all take turns, so that the figures can be compared;
absolute times are those of the machine as it is just now. With --cpu only what the processor
spends is counted, for a machine that has much else to do. An action counts until everything is
painted, `hover` alone until it is known what lies under the pointer.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Timer

from tests.benchmarks.canvas_worker import CANVASES
from tests.benchmarks.peers import Reach

ROOT = Path(__file__).resolve().parents[2]
SIZES = (100, 1000, 3000)
LARGE = 5000
FRAME = 16.0
ONCE = ("build", "open")
ACTIONS = {
    "build": 1,
    "open": 1,
    "fitted: repaint": 12,
    "1:1: repaint": 12,
    "pan": 40,
    "pan, mid-backward": 40,
    "zoom": 28,
    "move one": 40,
    "drag 100": 40,
    "slider, live": 30,
    "slider, mid-backward": 30,
    "step, 1:1": 30,
    "step, at ease": 12,
    "step back, 1:1": 30,
    "step, fitted": 30,
    "step back, fitted": 30,
    "slider, a group folded": 30,
    "step, a group folded": 30,
    "hover": 120,
    "hover, painted": 120,
}
"""Everything that is timed, and how many times in a round."""
FRAMES = tuple(name for name in ACTIONS if name not in (*ONCE, "hover", "hover, painted"))
SECONDS = 0.6
"""How long an action may be timed in a round; at least once is always."""
ENOUGH = 5000
"""After so many milliseconds of building or opening, a canvas is not asked for more of it."""
PATIENCE = 240.0
"""So many seconds a canvas may take in all with one file; from then on it is left out."""
PEERS = {
    "build": ("NodeGraphQt", 20.0),
    "open": ("NodeGraphQt", 8.0),
    "fitted: repaint": ("NodeGraphQt", 50.0),
    "1:1: repaint": ("NodeGraphQt", 8.0),
    "pan": ("NodeGraphQt", 20.0),
}
BARE = {"1:1: repaint": ("bare, full", 1.0), "fitted: repaint": ("bare, batched", 1.5)}
MEMORY = 0.35
WORKER = "tests.benchmarks.canvas_worker"


class Worker:
    """The process of one canvas with one file."""

    def __init__(self, canvas: str, file: Path, clock: str) -> None:
        self._canvas, self._late, self._left = canvas, False, PATIENCE
        self._errors = file.with_name(f"{file.stem}, {canvas}.txt")
        with self._errors.open("w") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", WORKER, canvas, str(file), clock],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                cwd=ROOT,
                env=os.environ | {"PYTHONPATH": str(ROOT)},
            )
        self._read()

    def time(self, action: str, times: int = 1, seconds: float = SECONDS) -> list[float]:
        """The milliseconds of each time; none where it can't be done, or not in time."""
        if self._late:
            return []
        assert self._process.stdin is not None
        print(action, times, seconds, file=self._process.stdin, flush=True)
        return self._read()

    def end(self) -> None:
        """Let the process end."""
        self._process.communicate()

    def _give_up(self) -> None:
        self._late = True
        print(f"\n{self._canvas} took over {PATIENCE:.0f} s and is left out from here on.")
        self._process.kill()

    def _read(self) -> list[float]:
        assert self._process.stdout is not None
        limit, begun = Timer(self._left, self._give_up), time.perf_counter()
        limit.start()
        line = self._process.stdout.readline()
        limit.cancel()
        self._left = max(0.0, self._left - (time.perf_counter() - begun))
        if not line:
            self._process.wait()
            if self._late:
                return []
            raise RuntimeError(self._errors.read_text()[-2000:])
        return json.loads(line)


@dataclass
class Figures:
    """The milliseconds of each action of each canvas, and the memory of each in MiB."""

    times: dict[tuple[str, str], list[float]] = field(default_factory=dict)
    memory: dict[str, float] = field(default_factory=dict)

    def median(self, action: str, canvas: str) -> float | None:
        """The median, or None where it can't be done."""
        times = self.times.get((action, canvas))
        return statistics.median(times) if times else None

    def p95(self, action: str, canvas: str = "ours") -> float:
        """What 95 of 100 times keep below."""
        times = sorted(self.times[action, canvas])
        return times[min(len(times) - 1, int(len(times) * 0.95))]


def main(argv: Sequence[str]) -> int:
    """Print the tables; 0 if everything is reached."""
    parser = argparse.ArgumentParser(prog="bench canvas")
    parser.add_argument("--nodes", type=int, help="one table only, for so many nodes")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--cpu", action="store_true", help="count what the processor spends")
    chosen = parser.parse_args(argv)
    good, clock = True, "cpu" if chosen.cpu else "time"
    with tempfile.TemporaryDirectory() as folder:
        for nodes in (chosen.nodes,) if chosen.nodes else SIZES:
            figures = compared(written(Path(folder), nodes), chosen.rounds, clock)
            print_table(figures, nodes)
            good &= reached(figures, nodes).report(f"To be reached with {nodes:,} nodes")
        if not chosen.nodes:
            good &= large(written(Path(folder), LARGE), clock).report(f"With {LARGE:,} nodes")
    return 0 if good else 1


def compared(file: Path, rounds: int, clock: str) -> Figures:
    """All canvases with one file, taking turns."""
    figures = Figures()
    workers = {canvas: Worker(canvas, file, clock) for canvas in CANVASES}
    for canvas in ("ours", "NodeGraphQt"):
        figures.times["build", canvas] = workers[canvas].time("build")
        for found in _memory(workers[canvas]):
            figures.memory[canvas] = found
    for _ in range(rounds):
        for action, times in ACTIONS.items():
            for canvas, worker in workers.items():
                found = figures.times.setdefault((action, canvas), [])
                if sum(found) < ENOUGH or action not in ONCE:
                    found.extend(worker.time(action, times))
    for worker in workers.values():
        worker.end()
    return figures


def _memory(worker: Worker) -> list[float]:
    """What a canvas occupies with a graph that has been looked at, far and near."""
    for action in ("fitted: repaint", "1:1: repaint", "pan"):
        worker.time(action, 3)
    return worker.time("memory")


def written(folder: Path, nodes: int) -> Path:
    """Write a file with so many nodes."""
    from engine.formats.files import save
    from tests.benchmarks.layers import layered

    file = folder / f"{nodes}.backwire"
    save(layered(nodes), file)
    return file


def print_table(figures: Figures, nodes: int) -> None:
    """Print medians of all canvases, our p95, and how many times as long the others take."""
    print(f"\n{nodes:,} nodes, 1920 × 1080, milliseconds (medians)")
    heads = [f"{name:>15}" for name in CANVASES if name != "ours"]
    print(f"{'':24}{'ours':>9}{'p95':>9}", *heads, sep="")
    for action in ACTIONS:
        ours = figures.median(action, "ours")
        if ours is None:
            continue
        line = f"{action:24}{ours:9.2f}{figures.p95(action):9.2f}"
        for canvas in CANVASES:
            theirs = figures.median(action, canvas)
            if canvas != "ours":
                line += " " * 15 if theirs is None else f"{theirs:9.2f}{_times(theirs / ours):>6}"
        print(line)
    line = f"{'memory, MiB':24}{figures.memory['ours']:9.0f}"
    if theirs := figures.memory.get("NodeGraphQt"):
        line += f"{'':9}{theirs:9.0f}{_times(theirs / figures.memory['ours']):>6}"
    print(line)


def _times(ratio: float) -> str:
    return f"{ratio:.0f}×" if ratio >= 10 else f"{ratio:.1f}×"


def reached(figures: Figures, nodes: int) -> Reach:
    """What is to be reached; beside NodeGraphQt and the painter it is set for 1,000 nodes."""
    reach = Reach()
    if nodes >= 1000:
        for action, (canvas, wanted) in PEERS.items():
            if figures.times.get((action, canvas)):
                ratio = _ratio(figures, action, canvas)
                reach.at_least(f"{action}: {canvas} takes so many times as long", ratio, wanted)
        if theirs := figures.memory.get("NodeGraphQt"):
            reach.at_most("memory beside NodeGraphQt", figures.memory["ours"] / theirs, MEMORY)
        for action, (canvas, wanted) in BARE.items():
            ratio = 1 / _ratio(figures, action, canvas)
            reach.at_most(f"{action}, beside a QPainter ({canvas[6:]})", ratio, wanted)
    for action in FRAMES:
        reach.at_most(f"{action}, ms at p95", figures.p95(action), FRAME)
    hover = figures.median("hover", "ours")
    assert hover is not None
    reach.at_most("hover, ms", hover, 0.1)
    return reach


def _ratio(figures: Figures, action: str, canvas: str) -> float:
    ours, theirs = figures.median(action, "ours"), figures.median(action, canvas)
    assert ours is not None
    assert theirs is not None
    return theirs / ours


def large(file: Path, clock: str) -> Reach:
    """A graph of thousands: how long opening takes, and whether it can be panned."""
    figures, reach = Figures(), Reach()
    worker = Worker("ours", file, clock)
    for action, times in (("open", 1), ("pan", 80), ("pan, mid-backward", 80), ("zoom", 56)):
        figures.times[action, "ours"] = worker.time(action, times, 10.0)
    worker.end()
    reach.at_most("open, s", figures.p95("open") / 1000, 3.0)
    for action in ("pan", "pan, mid-backward"):
        reach.at_most(f"{action}, ms at p95", figures.p95(action), FRAME)
    return reach


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
