"""Save while the process is killed, the disk fills up, or somebody else writes the same file.

python3 run.py proof files [--kills N] [--levels N] [--turns N] [--seed N]

Without options: 1,000 kills, 20 levels of a full disk in two ways, 200 turns of two windows. The
file must always hold the old or the new document whole; a refusal is a sentence; a writer who
finds the file changed is asked; nothing is left behind.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any, Protocol
from unittest.mock import patch

from engine.formats.files import load
from engine.graph import Leaf
from tests.helpers.own_folder import homes, own_folder
from tests.proofs.saving.full_disk import run as fill_disk
from tests.proofs.saving.versions import Version, versions
from tests.proofs.table import table


def main(arguments: list[str]) -> int:
    """Run the proof; 1 when a file was damaged or anything else went wrong."""
    reader = argparse.ArgumentParser(prog="run.py proof files", description=__doc__)
    reader.add_argument("--kills", type=int, default=1000)
    reader.add_argument("--levels", type=int, default=20)
    reader.add_argument("--turns", type=int, default=200)
    reader.add_argument("--seconds", type=float, default=10.0)
    reader.add_argument("--seed", type=int, default=1)
    chosen = reader.parse_args(arguments)
    start = time.monotonic()
    with own_folder("files") as home, patch.dict(os.environ, homes(home)):
        wrong = _killed(_folder(home, "kills"), chosen.kills, chosen.seed)
        wrong += _full(_folder(home, "disk"), chosen.levels)
        wrong += _shared(_folder(home, "shared"), chosen.turns, chosen.seconds, chosen.seed)
    print(f"Files: seed {chosen.seed}, {time.monotonic() - start:.0f} s")
    print("\n".join(wrong[:40]) or "Nothing was damaged, overwritten unasked or left behind.")
    return 1 if wrong else 0


def _folder(home: Path, name: str) -> Path:
    (home / name).mkdir()
    return home / name


def _killed(folder: Path, times: int, seed: int) -> list[str]:
    kills = kill_savers(folder, times, seed)
    rows: list[tuple[str, int]] = [
        ("kills", times),
        *sorted(kills.found.items(), reverse=True),
        ("damaged", len(kills.wrong)),
        ("saves that were finished", kills.saves),
        ("hidden files at once, at most", kills.most_left),
        ("hidden files after the next save", kills.left_at_the_end),
    ]
    print(table(("killed while saving", "times"), rows) + "\n")
    wrong = list(kills.wrong)
    if kills.most_left > 1 or kills.left_at_the_end:
        wrong.append(f"hidden files were left: {kills.most_left}, {kills.left_at_the_end}")
    return wrong


def _full(folder: Path, levels: int) -> list[str]:
    disk, rows = fill_disk(folder, levels)
    found = Counter(_outcome(row) for row in rows)
    print(table((f"{levels} levels of a full disk: {disk}", "times"), sorted(found.items())))
    print(f"said: {next((row['said'] for row in rows if row['said']), '')}\n")
    wrong = [f"full disk: {row}" for row in rows if _outcome(row) not in RIGHT or row["left"]]
    if set(found) != set(RIGHT):
        wrong.append("full disk: the levels did not reach from refused to saved")
    return wrong


RIGHT = ("saved whole", "refused with a sentence, the old file whole")


def _outcome(row: dict[str, Any]) -> str:
    """What one level came to."""
    if row["found"] == "new" and not row["said"]:
        return RIGHT[0]
    sentence = row["said"].startswith("mine.backwire ") and row["said"].endswith(".")
    return RIGHT[1] if row["found"] == "old" and sentence else f"{row['found']}, {row['said']}"


def _shared(folder: Path, times: int, seconds: float, seed: int) -> list[str]:
    turns, race = take_turns(folder, times, seed), write_at_once(folder, seconds)
    wrong = turns.wrong + race.wrong
    rows = [*sorted(turns.found.items()), *race.found.items(), ("wrong", len(wrong))]
    print(table(("two writers of one file", "times"), rows) + "\n")
    return wrong


LONGEST = 0.12
"""Seconds after the first save began until the kill, at most."""
AIMED = 0.6
"""So large a part of the kills comes while a file is written: most of a save is reckoning."""
SHORT = 0.004
"""Seconds after such a file has appeared, at most."""
TEMPORARY = ".*"
"""The files that a save works on until it puts them in place are hidden."""


@dataclass
class Kills:
    """What was found after so many kills."""

    found: Counter[str] = field(default_factory=Counter[str])
    saves: int = 0
    most_left: int = 0
    left_at_the_end: int = 0
    wrong: list[str] = field(default_factory=list[str])


def kill_savers(folder: Path, times: int, seed: int) -> Kills:
    """Kill a saving process so many times; each begins where the last one ended."""
    chance = random.Random(seed)
    known, path, kills = versions(), folder / "mine.backwire", Kills()
    standing = 0
    known[standing].save_as_window(path)
    for number in range(times):
        before = set(folder.glob(TEMPORARY))
        done, begun = _kill_saver(known, path, standing, chance, library=bool(number % 2))
        kills.saves += len(done)
        last = done[-1] if done else standing
        standing = _checked(kills, path, known, last, begun)
        left = set(folder.glob(TEMPORARY))
        kills.most_left = max(kills.most_left, len(left))
        kills.found["  with a hidden file half written"] += bool(left - before)
    known[standing].save_as_window(path)  # the next start, and the next save
    kills.left_at_the_end = len(list(folder.glob(TEMPORARY)))
    return kills


def _kill_saver(
    known: Sequence[Version], path: Path, standing: int, chance: random.Random, library: bool
) -> tuple[list[int], int | None]:
    """Start a saver and kill it; the versions it saved, and the one it was saving, if any."""
    assert os.name == "posix"
    ours, theirs = os.pipe()
    child = os.fork()
    if not child:
        with suppress(BaseException):
            _save_until_kill_saver(known, path, standing, theirs, library, chance.random())
        os._exit(1)
    os.close(theirs)
    said = os.read(ours, 1)  # the first save has begun
    if chance.random() < AIMED:
        _await_temporary(path.parent)
        time.sleep(chance.uniform(0, SHORT))
    else:
        time.sleep(chance.uniform(0, LONGEST))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while part := os.read(ours, 65536):
        said += part
    os.close(ours)
    done, begun = [], None
    for word in said.decode().split(";")[:-1]:
        place = int(word[1:])
        begun = place if word[0] == "b" else None
        if begun is None:
            done.append(place)
    return done, begun


def _await_temporary(folder: Path) -> None:
    """Wait until a hidden file appears that a save works on, a second at most."""
    old, begun = set(folder.glob(TEMPORARY)), time.monotonic()
    while set(folder.glob(TEMPORARY)) <= old and time.monotonic() - begun < 1:
        pass


def _save_until_kill_saver(
    known: Sequence[Version], path: Path, standing: int, say: int, library: bool, seed: float
) -> None:
    """Save one version after the other, until the process is killed."""
    chance = random.Random(seed)
    while True:
        place = chance.choice([k for k in range(len(known)) if k != standing])
        os.write(say, f"b{place};".encode())
        way = known[place].save_as_library if library else known[place].save_as_window
        way(path)
        os.write(say, f"d{place};".encode())
        standing = place


def _checked(
    kills: Kills, path: Path, known: Sequence[Version], last: int, begun: int | None
) -> int:
    """Look what stands in the file; the version, or the last one where it is none that may be."""
    content = path.read_bytes() if path.exists() else b""
    if begun is None:
        kills.found["killed between two saves"] += 1
        whole = content == known[last].text
    elif content == known[begun].text:
        kills.found["killed in a save: the new one"] += 1
        last, whole = begun, True
    else:
        kills.found["killed in a save: the old one"] += 1
        whole = content == known[last].text
    if not whole:
        kills.wrong.append(f"damaged: {len(content)} bytes, version {last}, then {begun}")
        known[last].save_as_window(path)
    return last


ROOT = Path(__file__).parents[2]


@dataclass
class Turns:
    """What was found: how often what happened, and what may not be."""

    found: Counter[str] = field(default_factory=Counter[str])
    wrong: list[str] = field(default_factory=list[str])


class Writing(Protocol):
    """A writer that can be told what to do, and the text of the file as it knows it."""

    known: bytes

    def tell(self, line: str) -> str:
        """Tell it one line; the question it asks, or an empty text."""
        ...


class Writer:
    """One window in a process of its own, and the text of the file as it knows it."""

    def __init__(self, path: Path) -> None:
        command = [sys.executable, "-m", "tests.proofs.saving.writer", str(path)]
        self._process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # Qt has remarks about a screen that is none
            text=True,
        )
        self.known = path.read_bytes()

    def tell(self, line: str) -> str:
        """Tell it one line; the question it asks, or an empty text."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().strip()

    def end(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.communicate()


def take_turns(folder: Path, times: int, seed: int) -> Turns:
    """Two windows edit and save the same file in an order that is left to chance."""
    chance, turns, path = random.Random(seed), Turns(), folder / "shared.backwire"
    path.write_bytes(versions(1)[1].text)
    writers = [Writer(path), Writer(path)]
    try:
        for writer in writers:
            writer.tell("")
        for number in range(times):
            _turn(turns, path, chance.choice(writers), float(number + 1), chance)
    finally:
        for writer in writers:
            writer.end()
    return turns


def _turn(turns: Turns, path: Path, writer: Writing, value: float, chance: random.Random) -> None:
    before = path.read_bytes()
    writer.tell(f"value {value}")
    question = writer.tell("save")
    if writer.known == before:
        turns.found["saved unasked, nobody else had written"] += 1
        if question:
            turns.wrong.append(f"asked without need: {question}")
            writer.tell("answer Overwrite")
    elif "changed" not in question:
        turns.wrong.append(f"not asked, though another had written: {question!r}")
    elif path.read_bytes() != before:
        turns.wrong.append("written before the answer")
    elif chance.random() < 0.5:
        writer.tell("answer Cancel")
        turns.found["asked, cancelled: the other's file stayed"] += 1
        if path.read_bytes() != before:
            turns.wrong.append("written in spite of Cancel")
        return
    else:
        writer.tell("answer Overwrite")
        turns.found["asked, overwritten"] += 1
    _check_written(turns, path, value)
    writer.known = path.read_bytes()


def _check_written(turns: Turns, path: Path, value: float) -> None:
    graph = load(path)
    first = next(found.value for found in graph.nodes.values() if isinstance(found, Leaf))
    if first != value:
        turns.wrong.append(f"the file holds {first}, not {value}")


def write_at_once(folder: Path, seconds: float) -> Turns:
    """Two processes save without a pause; whoever reads meanwhile reads a whole file."""
    turns, path = Turns(), folder / "raced.backwire"
    known = versions(1)
    texts = {version.text for version in known}
    known[0].save_as_library(path)
    assert os.name == "posix"
    children = [_save_turn_about(half, path) for half in (known[:3], known[3:])]
    begun = time.monotonic()
    while time.monotonic() - begun < seconds:
        turns.found["read while both wrote: whole"] += 1
        if path.read_bytes() not in texts:
            turns.wrong.append("read while both wrote: not whole")
    for child in children:
        if os.waitpid(child, os.WNOHANG)[0]:
            turns.wrong.append("a writer was refused because of the other")
            continue
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return turns


def _save_turn_about(known: Sequence[Version], path: Path) -> int:
    """Start a process that saves one version after the other; it ends only if one is refused."""
    assert os.name == "posix"
    parent = os.getpid()
    child = os.fork()
    if child:
        return child
    with suppress(BaseException):
        for version in cycle(known):
            version.save_as_library(path)
            if os.getppid() != parent:
                break
    os._exit(1)
