"""Save while the process is killed, the disk fills up, or somebody else writes the same file.

python3 run.py proof files [--kills N] [--levels N] [--turns N] [--seed N]

Without options: 1,000 kills, 20 levels of a full disk in two ways, 200 turns of two windows. The
file must always hold the old or the new document whole; a refusal is a sentence; a writer who
finds the file changed is asked; nothing is left behind.
"""

import argparse
import os
import time
from collections import Counter
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.helpers.own_folder import own_folder
from tests.proofs.homes import homes
from tests.proofs.saving.full_disk import run as fill_disk
from tests.proofs.saving.kills import kill_savers
from tests.proofs.saving.writers import take_turns, write_at_once
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
