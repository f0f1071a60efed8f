"""Read many wrong documents, expressions and programs: each is read right or refused.

python3 run.py proof fuzz [--documents N] [--expressions N] [--programs N] [--seed N]
python3 run.py proof fuzz FILE ...     try again what an earlier run has kept

Without options: 20,000 documents, and 5,000 of each other kind. What loads must be the
same when it is written and read again; what is refused must be refused with a sentence. An audit
hook sees to it that nothing is run, written, started or imported. A failing input is kept.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from tests.helpers.own_folder import own_folder
from tests.proofs.fuzzing.trial import MEMORY, SECONDS, Outcome
from tests.proofs.fuzzing.worker import MAKERS, try_file
from tests.proofs.table import KEPT, table

ROOT = Path(__file__).parents[2]
WORKER = ("-m", "tests.proofs.fuzzing.worker")
SUFFIXES = {"documents": ".backwire", "expressions": ".txt", "programs": ".py"}
HEAD = ("", "tried", "loaded", "refused", "escaped", "over 1 s", "over 200 MiB", "slowest s", "MiB")


@dataclass
class Trial:
    """One thing that was tried: its number, what had been done to it, and what came of it."""

    number: int
    way: str
    outcome: Outcome

    @property
    def failed(self) -> bool:
        """Whether it was anything but read or refused, in time and in little memory."""
        return self.outcome.verdict == "escaped" or self.outcome.slow or self.outcome.large


@dataclass
class Count:
    """What came of the trials of one row of the table."""

    verdicts: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    slow: int = 0
    large: int = 0
    slowest: float = 0.0
    peak: int = 0

    def add(self, outcome: Outcome) -> None:
        """Count one more."""
        self.verdicts[outcome.verdict] += 1
        self.slow += outcome.slow
        self.large += outcome.large
        self.slowest = max(self.slowest, outcome.seconds)
        self.peak = max(self.peak, outcome.peak)

    def row(self, name: str) -> list[object]:
        """The row of the table."""
        found = [self.verdicts[verdict] for verdict in ("loaded", "refused", "escaped")]
        return [name, sum(found), *found, self.slow, self.large, self.slowest, self.peak >> 20]


def main(arguments: list[str]) -> int:
    """Run the proof; 1 when anything failed."""
    reader = argparse.ArgumentParser(prog="run.py proof fuzz", description=__doc__)
    reader.add_argument("files", nargs="*", type=Path)
    reader.add_argument("--documents", type=int, default=20_000)
    reader.add_argument("--expressions", type=int, default=5_000)
    reader.add_argument("--programs", type=int, default=5_000)
    reader.add_argument("--seed", type=int, default=1)
    chosen = reader.parse_args(arguments)
    if chosen.files:
        return _again(chosen.files)
    start = time.monotonic()
    counts: dict[str, Count] = defaultdict(Count)
    failed: list[str] = []
    for kind in MAKERS:
        for trial in trials(kind, getattr(chosen, kind), chosen.seed):
            counts[kind].add(trial.outcome)
            counts[f"  {kind[:-1]}: {trial.way}"].add(trial.outcome)
            if trial.failed:
                failed.append(_kept(kind, chosen.seed, trial))
    rows = [count.row(name) for name, count in sorted(counts.items(), key=_order)]
    took = time.monotonic() - start
    print(f"Fuzz: seed {chosen.seed}, {took:.0f} s\n\n{table(HEAD, rows)}\n")
    print("\n".join(failed[:40]) or "Nothing escaped, nothing took over 1 s or 200 MiB.")
    return 1 if failed else 0


def trials(kind: str, count: int, seed: int) -> Iterator[Trial]:
    """Try so many of a kind, in as many processes as there are processors, up to four."""
    workers = min(4, os.cpu_count() or 1, max(1, count // 50))
    with ThreadPoolExecutor(workers) as pool:
        parts = [pool.submit(_part, kind, seed, first, count, workers) for first in range(workers)]
        for part in parts:
            yield from part.result()


def _part(kind: str, seed: int, first: int, count: int, step: int) -> list[Trial]:
    """Every `step`-th trial from `first` on; a process that dies is followed by another."""
    done: list[Trial] = []
    with own_folder("fuzz") as folder:
        now = folder / "now"
        while first < count:
            now.write_text("")
            numbers = [str(number) for number in (seed, first, count, step)]
            command = [sys.executable, *WORKER, kind, *numbers]
            ended = subprocess.run([*command, folder], cwd=ROOT, capture_output=True, text=True)
            done += [_trial(line) for line in ended.stdout.splitlines()]
            if not ended.returncode:
                break
            died = int(now.read_text() or first)
            done = [trial for trial in done if trial.number != died]
            done.append(_death(died, ended))
            first = died + step
    return done


def _trial(line: str) -> Trial:
    number, way, *rest = json.loads(line)
    return Trial(number, way, Outcome(*rest))


def _death(number: int, ended: "subprocess.CompletedProcess[str]") -> Trial:
    said = f"the process ended with {ended.returncode}: {ended.stderr.strip()[-300:]}"
    return Trial(number, "died", Outcome("escaped", 0.0, 0, said))


def _order(entry: tuple[str, Count]) -> tuple[bool, str]:
    """The three kinds first, then what was done to each."""
    return entry[0].startswith(" "), entry[0]


def _kept(kind: str, seed: int, trial: Trial) -> str:
    """Keep what failed; a line that says so."""
    KEPT.mkdir(parents=True, exist_ok=True)
    path = KEPT / f"{kind}-{seed}-{trial.number}{SUFFIXES[kind]}"
    _way, made = MAKERS[kind](seed, trial.number)
    path.write_bytes(made if isinstance(made, bytes) else made.encode("utf-8", "surrogatepass"))
    return _verdict(path, trial.way, trial.outcome)


def _verdict(path: Path, way: str, found: Outcome) -> str:
    took = f"{found.seconds:.2f} s, {found.peak >> 20} MiB"
    return f"{path.name} ({way}): {found.verdict}, {took}. {found.said}"


def _again(files: list[Path]) -> int:
    """Try kept inputs again."""
    failed = 0
    for path in files:
        kind = next(kind for kind, suffix in SUFFIXES.items() if path.name.endswith(suffix))
        trial = Trial(0, "again", try_file(kind, path))
        failed += trial.failed
        print(_verdict(path, trial.way, trial.outcome))
    print(f"{failed} of {len(files)} failed (limits: {SECONDS:.0f} s, {MEMORY >> 20} MiB).")
    return 1 if failed else 0
