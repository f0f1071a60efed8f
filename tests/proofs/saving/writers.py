"""Two writers of one file: in turns, where each must notice the other, and both at once."""

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
from typing import Protocol

from engine.formats.files import load
from engine.graph import Leaf
from tests.proofs.saving.versions import Version, versions

ROOT = Path(__file__).parents[3]


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
    children = [_save_on(half, path) for half in (known[:3], known[3:])]
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


def _save_on(known: Sequence[Version], path: Path) -> int:
    """Start a process that saves one version after the other; it ends only if one is refused."""
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
