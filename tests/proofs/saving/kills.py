"""A process that saves one version over another, again and again, and is killed.

It says before and after each save which version it is, so that exactly one text may stand in the
file when nothing was under way, and one of two when something was.
"""

import os
import random
import signal
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.proofs.saving.versions import Version, versions

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
        done, begun = _killed(known, path, standing, chance, library=bool(number % 2))
        kills.saves += len(done)
        last = done[-1] if done else standing
        standing = _checked(kills, path, known, last, begun)
        left = set(folder.glob(TEMPORARY))
        kills.most_left = max(kills.most_left, len(left))
        kills.found["  with a hidden file half written"] += bool(left - before)
    known[standing].save_as_window(path)  # the next start, and the next save
    kills.left_at_the_end = len(list(folder.glob(TEMPORARY)))
    return kills


def _killed(
    known: Sequence[Version], path: Path, standing: int, chance: random.Random, library: bool
) -> tuple[list[int], int | None]:
    """Start a saver and kill it; the versions it saved, and the one it was saving, if any."""
    ours, theirs = os.pipe()
    child = os.fork()
    if not child:
        with suppress(BaseException):
            _save_on(known, path, standing, theirs, library, chance.random())
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


def _save_on(
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
