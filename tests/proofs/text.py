"""Is every number and equation on the screen true?  python3 run.py proof text

[--graphs N] [--seed N] [--example NAME] [--processes N]

Every example under every mistake, at every step and in every voice, and so many random graphs:
each text that holds a number is read, each equation evaluated with numbers within the rounding of
those that are displayed, each count compared with the graph, and each number of a node with an
independent pass. The exit code is 1 when a text is false or could not be read.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING, TextIO

from tests.helpers.own_folder import own_folder

if TYPE_CHECKING:
    from engine.numbers import Digits
    from tests.truth.survey import Tally

MISTAKES_EACH = 3
"""A random graph is run under the correct rules and so many mistakes, each time the next ones."""
MOMENTS = 40
"""So many moments of each pass over a random graph are read."""
DIGITS: tuple[Digits, ...] = (4, 4, 2, 4, "shortest")
"""The digits that numbers show, of one random graph after the other."""
PROGRESS = 10
"""It is told how far it is after so many graphs."""
SHOWN = 3
"""So many faults are told of each place under each mistake."""


def main(arguments: list[str]) -> int:
    """Print the tables; 1 when something is false or unread."""
    reader = argparse.ArgumentParser(prog="run.py proof text", description=__doc__)
    reader.add_argument("--graphs", type=int, default=300)
    reader.add_argument("--seed", type=int, default=None)
    reader.add_argument("--example", default="")
    reader.add_argument("--each", type=int, default=SHOWN, help="faults told of each kind")
    reader.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    chosen = reader.parse_args(arguments)
    seed = int(time.time()) if chosen.seed is None else chosen.seed
    with own_folder("proof") as home:
        for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
            os.environ[f"XDG_{kind}_HOME"] = str(home / kind.lower())
        return _prove(chosen, seed)


def _prove(chosen: argparse.Namespace, seed: int) -> int:
    from tests.truth.survey import Tally, example_graphs

    start = time.monotonic()
    graphs, example = (0 if chosen.example else chosen.graphs), chosen.example
    sys.stdout.write(f"Every example and {graphs} random graphs of seed {seed}\n")
    sys.stdout.flush()
    names = [name for name, _drawing in example_graphs() if example in ("", name)]
    tasks = [("example", name, 0, seed, graphs) for name in names]
    tasks += [("random", "", k, seed, graphs) for k in range(graphs)]
    whole = Tally()
    with ProcessPoolExecutor(chosen.processes, initializer=_wake) as pool:
        for k, tally in enumerate(pool.map(_survey, tasks, chunksize=1), 1):
            whole.add(tally)
            if tally.faults:
                _tell(tally, 1, sys.stderr)
            if k % PROGRESS == 0 or k == len(tasks):
                _note(k, len(tasks), whole)
    _print(whole)
    _tell(whole, chosen.each, sys.stdout)
    spent = time.monotonic() - start
    sys.stdout.write(f"\n{whole.moments:,} moments in {spent:.0f} s, seed {seed}\n")
    return 1 if whole.faults else 0


def _note(done: int, all_: int, whole: Tally) -> None:
    """How far it is, for whoever waits."""
    kinds = Counter(fault.kind for fault in whole.faults)
    told = f"{done} of {all_} graphs, {kinds['false']} false, {kinds['unread']} unread"
    sys.stderr.write(f"{told}\n")
    sys.stderr.flush()


_KEPT: dict[str, object] = {}


def _wake() -> None:
    """Give a process its application and the views at which it reads."""
    from PySide6.QtCore import qInstallMessageHandler
    from PySide6.QtWidgets import QApplication

    from app.style.fonts import load_fonts
    from tests.truth.places import Views

    qInstallMessageHandler(lambda *_said: None)
    _KEPT["application"] = QApplication(["proof"])
    load_fonts()
    _KEPT["views"] = Views()


def _survey(task: tuple[str, str, int, int, int]) -> Tally:
    from tests.truth.places import Views
    from tests.truth.survey import NAMES, example_graphs, random_drawings, survey, survey_written

    kind, name, k, seed, graphs = task
    views = _KEPT["views"]
    assert isinstance(views, Views)
    if kind == "example":
        drawing = dict(example_graphs())[name]
        views.style.set_digits(4)
        tally = survey(views, name, drawing)
        tally.add(survey_written(name, drawing.graph))
        return tally
    if "graphs" not in _KEPT:
        _KEPT["graphs"] = random_drawings(graphs, seed)
    title, drawing = _KEPT["graphs"][k]  # type: ignore[index]
    wrong = NAMES[1:]
    chosen = {wrong[(k * MISTAKES_EACH + j) % len(wrong)] for j in range(MISTAKES_EACH)}
    views.style.set_digits(DIGITS[k % len(DIGITS)])
    tally = survey(views, title, drawing, ("correct", *sorted(chosen)), MOMENTS)
    tally.add(survey_written(title, drawing.graph))
    return tally


def _print(whole: Tally) -> None:
    """The tables: what was read by place and by mistake, and what was wrong."""
    for title, part in (("place", 0), ("mistake", 1)):
        rows: dict[str, list[int]] = {}
        for column, counts in enumerate((whole.texts, whole.equations, whole.claims)):
            for key, number in counts.items():
                rows.setdefault(key[part], [0, 0, 0, 0, 0])[column] += number
        for fault in whole.faults:
            name = fault.place if part == 0 else fault.mistake
            rows.setdefault(name, [0] * 5)[3 if fault.kind == "false" else 4] += 1
        rows["all"] = [sum(row[k] for row in rows.values()) for k in range(5)]
        heads = ("texts", "equations", "claims", "false", "unread")
        sys.stdout.write(f"\n{title:24}" + "".join(f"{head:>11}" for head in heads) + "\n")
        for name in sorted(rows, key=lambda name: (name == "all", name)):
            sys.stdout.write(f"{name:24}" + "".join(f"{n:>11,}" for n in rows[name]) + "\n")


def _tell(whole: Tally, each: int, out: TextIO) -> None:
    """Some faults of each place and mistake, in full."""
    seen: Counter[tuple[str, ...]] = Counter()
    for fault in whole.faults:
        kind = fault.kind, fault.place, fault.mistake
        seen[kind] += 1
        if seen[kind] <= each:
            where = f"{fault.graph}, {fault.mistake}, {fault.phase} step {fault.cursor}"
            out.write(f"\n{fault.kind}: {fault.place}: {where}\n  {fault.text!r}\n")
            out.write(f"  {fault.why}\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
