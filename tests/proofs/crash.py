"""Kill the window again and again while it is edited: the next start offers what was not saved.

python3 run.py proof crash [--kills N] [--seconds S] [--seed N] [--lost S]

Without options: 200 kills after up to 5 s of editing, a tenth of them while the window starts or
asks. The window is the program's own, without a screen. Each start must offer a whole copy that
lacks at most the edits of the last two seconds; after a clean end none may be offered, and
nothing may be left behind.
"""

import argparse
import contextlib
import os
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from app.document.placement import columns
from engine.formats.native import Drawing, write_drawing
from engine.training.templates import mlp
from tests.helpers.own_folder import homes, own_folder
from tests.proofs.crashing.log import Deed, read
from tests.proofs.table import table

EXAMPLE = Path(__file__).parents[2] / "resources" / "examples" / "neuron.backwire"
FINE = {"restored", "nothing to offer", "offered, not restored", "killed in the start"}
ROOT = Path(__file__).parents[2]
MOST_LOST = 2.0
"""Seconds of unsaved edits that a crash may cost."""
PATIENCE = 60.0
"""Seconds that a start may take on a busy machine."""
ALWAYS = -1e9
"""The time of what a window began with: if unsaved, it must always be offered again."""
REPLIES = ("Restore",) * 9 + ("Throw away",)


@dataclass(frozen=True)
class Link:
    """One start: how it ended, how many changes it logged, and what it made of the one before.

    `lost` is the age in seconds, when the one before was killed, of its oldest edit that is not
    in the copy that was offered.
    """

    ended: str
    edits: int
    verdict: str
    lost: float = 0.0


@dataclass(frozen=True)
class Plan:
    """How often to kill the program, after how many seconds of editing at most, and what it edits.

    `opens` says whether it is started with the document's file or with nothing, `most_lost` how
    many seconds of unsaved edits a crash may cost.
    """

    title: str
    kills: int
    document: bytes
    opens: bool = True
    seconds: float = 5.0
    most_lost: float = MOST_LOST


class Chain:
    """Starts the program again and again in one home, and knows what each start must offer.

    Its history holds all that the last edited window logged, oldest first; its first entry is
    what that window began with.
    """

    def __init__(self, folder: Path, seed: int, plan: Plan) -> None:
        self._folder = folder
        self._seed = seed
        self._chance = random.Random(seed)
        self._plan = plan
        self._file = folder / "mine.backwire"
        self._file.write_bytes(plan.document)
        self._history: list[Deed] = []
        self._killed = 0.0
        self._maybe_thrown = False
        self._count = 0

    def run(self) -> list[Link]:
        """So many kills, with a clean end now and then, and two at the end."""
        links: list[Link] = []
        while sum(link.ended == "killed" for link in links) < self._plan.kills:
            way = self._chance.choices(("edit", "start", "later", "clean"), (80, 8, 6, 8))[0]
            links.append(self._link(way))
            if links[-1].ended not in ("killed", "clean"):
                break  # a crash loop: what comes next says nothing
        return [*links, self._link("clean"), self._link("clean")]

    @property
    def litter(self) -> list[str]:
        """What a clean end has left that nobody needs: copies, locks, logs, hidden files."""
        left = [path for path in self._folder.rglob("*") if path.is_file()]
        return [
            str(path.relative_to(self._folder))
            for path in left
            if "unsaved" in path.parts or path.name.startswith((".", "crash-"))
        ]

    @property
    def faults(self) -> list[str]:
        """The errors that the program has logged, each with its traceback."""
        log = self._folder / "state" / "backwire" / "errors.log"
        return log.read_text().split("--- ")[1:] if log.exists() else []

    def _link(self, way: str) -> Link:
        """One start; `way` says how it is meant to end."""
        self._count += 1
        log = self._folder / f"{self._count}.log"
        reply = "Later" if way == "later" else self._chance.choice(REPLIES)
        seconds = self._chance.uniform(0, self._plan.seconds / 2) if way == "clean" else -1
        process = self._start(log, reply, seconds)
        try:
            ended = self._end(process, log, way)
            now = time.monotonic()
        finally:
            process.kill()
            process.wait()
        deeds = read(log)
        verdict, lost = self._judged(deeds, reply) if ended in ("killed", "clean") else (ended, 0)
        self._remember(deeds, reply, now)
        return Link(ended, sum(deed.what == "edit" for deed in deeds), verdict, lost)

    def _start(self, log: Path, reply: str, seconds: float) -> "subprocess.Popen[bytes]":
        environment = os.environ | homes(self._folder)
        command = [sys.executable, "-m", "tests.proofs.crashing.editor", str(log)]
        command += [str(self._seed * 1000 + self._count), reply, f"{seconds:.3f}", str(self._file)]
        if self._plan.opens:
            command.append(str(self._file))
        with (self._folder / "stderr").open("ab") as errors:
            return subprocess.Popen(command, cwd=ROOT, env=environment, stderr=errors)

    def _end(self, process: "subprocess.Popen[bytes]", log: Path, way: str) -> str:
        """Kill it when its time has come, or wait for its end."""
        begun = time.monotonic()
        if way == "start":
            time.sleep(self._chance.uniform(0, self._plan.seconds / 2))
            return "killed" if process.poll() is None else "ended by itself"
        while not read(log):
            if process.poll() is not None or time.monotonic() - begun > PATIENCE:
                return "not started"
            time.sleep(0.02)
        if way == "clean":
            with contextlib.suppress(subprocess.TimeoutExpired):
                return "clean" if process.wait(PATIENCE) == 0 else "ended by itself"
            return "not ended"
        time.sleep(self._chance.uniform(0, self._plan.seconds))
        return "killed" if process.poll() is None else "ended by itself"

    def _judged(self, deeds: list[Deed], reply: str) -> tuple[str, float]:
        """Whether a start offered what it had to; with how old the oldest lost edit was."""
        if not deeds:
            return "killed in the start", 0.0
        if not deeds[0].offered and self._maybe_thrown:
            return "nothing to offer", 0.0
        if not deeds[0].offered:
            clean = [k for k, deed in enumerate(self._history) if not deed.unsaved]
            return self._lost_after(clean[-1] if clean else -1, "nothing to offer")
        if self._history and not self._history[-1].unsaved:
            return "offered for nothing", 0.0
        answered = next((deed for deed in deeds if deed.what == "answered"), None)
        if answered is None or reply != "Restore":
            return "offered, not restored", 0.0
        same = [k for k, deed in enumerate(self._history) if deed.digest == answered.digest]
        return self._lost_after(same[-1], "restored") if same else ("damaged", 0.0)

    def _lost_after(self, place: int, verdict: str) -> tuple[str, float]:
        """What came after a place of the history is lost; that may be the last seconds of it."""
        missing = self._history[place + 1 :]
        if not missing:
            return verdict, 0.0
        lost = self._killed - missing[0].when
        return (verdict if lost <= self._plan.most_lost else "lost too much"), lost

    def _remember(self, deeds: list[Deed], reply: str, now: float) -> None:
        """What the next start is measured by; a window that edited nothing changes nothing."""
        places = [k for k, deed in enumerate(deeds) if deed.what in ("started", "answered")]
        if places:  # a kill may come after the click and before the log
            self._maybe_thrown = reply == "Throw away" and deeds[0].offered and len(places) < 2
        if not places or (deeds[0].offered and (len(places) < 2 or reply == "Later")):
            return
        base = deeds[places[-1]]
        self._history = [replace(base, when=ALWAYS), *deeds[places[-1] + 1 :]]
        self._killed = now


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
    if os.name != "posix":
        return ""
    return f", {os.getloadavg()[2]:.0f} processes on {os.cpu_count()} processors"


def _large() -> bytes:
    graph = mlp((16, 20, 14, 1))
    return write_drawing(Drawing(graph, columns(graph))).encode()
