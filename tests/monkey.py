"""Let a monkey at the window for long: 200,000 events, in rounds with a seed each.

python -m tests.monkey [--events N] [--round N] [--seed N] [--lectures]

A fault ends it with exit code 1; the same seed throws the same events again. Every other round,
or with --lectures each one, is thrown by a monkey that gives lectures.
"""

import argparse
import faulthandler
import os
import sys
import time

from tests.helpers.own_folder import own_folder

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def main(arguments: list[str]) -> int:
    """Throw events until the number is reached or a fault is found."""
    reader = argparse.ArgumentParser(prog="python -m tests.monkey", description=__doc__)
    reader.add_argument("--events", type=int, default=200_000)
    reader.add_argument("--round", type=int, default=5_000)
    reader.add_argument("--seed", type=int, default=100)
    reader.add_argument("--lectures", action="store_true")
    chosen = reader.parse_args(arguments)
    faulthandler.enable()
    with own_folder("monkey") as home:
        for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
            os.environ[f"XDG_{kind}_HOME"] = str(home / kind.lower())
        return _play(chosen.events, chosen.round, chosen.seed, 1 if chosen.lectures else 2)


def _play(events: int, length: int, seed: int, every: int) -> int:
    from PySide6.QtWidgets import QApplication

    from app.style.fonts import load_fonts
    from tests.helpers.lecturing_monkey import LecturingMonkey
    from tests.helpers.monkey import FaultError, Monkey, throw

    application = QApplication(["monkey"])
    load_fonts()
    start, done = time.monotonic(), 0
    while done < events:
        try:
            lectures = seed % every == every - 1
            throw(min(length, events - done), seed, LecturingMonkey if lectures else Monkey)
        except FaultError as fault:
            sys.stdout.write(f"{fault}\n")
            return 1
        done += min(length, events - done)
        seed += 1
        took = time.monotonic() - start
        sys.stdout.write(f"{done:,} events went well in {took:.0f} s.\n")
        sys.stdout.flush()
    del application
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
