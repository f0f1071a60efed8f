"""Kill the window again and again while it is edited: the next start offers what was not saved.

python3 run.py proof crash [--kills N] [--seconds S] [--seed N] [--lost S]

Without options: 200 kills after up to 5 s of editing, a tenth of them while the window starts or
asks. The window is the program's own, without a screen. Each start must offer a whole copy that
lacks at most the edits of the last two seconds; after a clean end none may be offered, and
nothing may be left behind.
"""

import argparse
import os
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from app.document.placement import columns
from engine.formats.native import Drawing, write_drawing
from engine.training.templates import mlp
from tests.helpers.own_folder import own_folder
from tests.proofs.crashing.chain import MOST_LOST, Chain, Link, Plan
from tests.proofs.table import table

EXAMPLE = Path(__file__).parents[2] / "resources" / "examples" / "neuron.backwire"
FINE = {"restored", "nothing to offer", "offered, not restored", "killed in the start"}


@dataclass(frozen=True)
class Found:
    """What one chain of starts came to."""

    title: str
    links: Sequence[Link]
    litter: Sequence[str]
    faults: Sequence[str]

    @property
    def wrong(self) -> list[str]:
        """Everything that may not be."""
        bad = [link.verdict for link in self.links if link.verdict not in FINE]
        left = [f"left behind: {name}" for name in self.litter]
        return bad + left + [f"in the log: {fault.strip()}" for fault in self.faults]

    def row(self) -> list[object]:
        """The row of the table."""
        verdicts = Counter(link.verdict for link in self.links)
        ended = Counter(link.ended for link in self.links)
        edits = sum(link.edits for link in self.links)
        judged = (*FINE, "lost too much")
        lost = max((link.lost for link in self.links if link.verdict in judged), default=0.0)
        late = sum(link.lost > MOST_LOST for link in self.links)
        offered = verdicts["restored"] + verdicts["offered, not restored"]
        damaged = verdicts["damaged"]
        return [self.title, ended["killed"], edits, offered, damaged, late, lost, ended["clean"]]


HEAD = ("", "kills", "edits", "offered", "damaged", "lost > 2 s", "most lost s", "clean ends")


def main(arguments: list[str]) -> int:
    """Run the proof; 1 when anything was lost, damaged or left behind."""
    reader = argparse.ArgumentParser(prog="run.py proof crash", description=__doc__)
    reader.add_argument("--kills", type=int, default=200)
    reader.add_argument("--seconds", type=float, default=5.0)
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--lost", type=float, default=MOST_LOST)  # more on a machine that is busy
    chosen = reader.parse_args(arguments)
    start = time.monotonic()
    found = run(chosen.kills, chosen.seconds, chosen.seed, chosen.lost)
    took = time.monotonic() - start
    wrong = [f"{part.title}: {what}" for part in found for what in part.wrong]
    ends = Counter(link.verdict for part in found for link in part.links)
    print(f"Crash: seed {chosen.seed}, {took:.0f} s{_load()}\n")
    print(table(HEAD, [part.row() for part in found]) + "\n")
    print(table(("what a start found", "times"), ends.most_common()))
    print("\n" + ("\n".join(wrong[:40]) or "Nothing was damaged, lost for longer or left behind."))
    return 1 if wrong else 0


def run(kills: int, seconds: float, seed: int, lost: float) -> list[Found]:
    """A file, a graph that was never saved and a large file, two chains of each side by side."""
    small = EXAMPLE.read_bytes()
    kinds = [
        Plan("a neuron in a file", 0, small, seconds=seconds),
        Plan("never saved", 0, small, opens=False, seconds=seconds),
        Plan("a network of 1,928 nodes", 0, _large(), seconds=seconds),
    ]
    plans = [replace(kind, kills=kills // 6, most_lost=lost) for kind in (*kinds, *kinds)]
    plans[0] = replace(plans[0], kills=kills - 5 * (kills // 6))
    plans = [plan for plan in plans if plan.kills]
    with ThreadPoolExecutor(len(plans)) as pool:
        found = list(pool.map(lambda given: _found(*given), enumerate(plans, seed * 10)))
    of_a_kind = [[part for part in found if part.title == kind.title] for kind in kinds]
    return [_joined(parts) for parts in of_a_kind if parts]


def _found(seed: int, plan: Plan) -> Found:
    with own_folder("crash") as folder:
        chain = Chain(folder, seed, plan)
        links = chain.run()
        return Found(plan.title, links, chain.litter, chain.faults)


def _joined(parts: Sequence[Found]) -> Found:
    """What chains of one kind came to."""
    links = [link for part in parts for link in part.links]
    litter = [name for part in parts for name in part.litter]
    return Found(parts[0].title, links, litter, [fault for part in parts for fault in part.faults])


def _load() -> str:
    """How busy the machine was: a window that gets no processor keeps its copies late."""
    if not hasattr(os, "getloadavg"):
        return ""
    return f", {os.getloadavg()[2]:.0f} processes on {os.cpu_count()} processors"


def _large() -> bytes:
    graph = mlp((16, 20, 14, 1))
    return write_drawing(Drawing(graph, columns(graph))).encode()
