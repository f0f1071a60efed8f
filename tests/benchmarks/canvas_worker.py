"""A process in which one canvas is timed; the tables ask it line by line, so canvases take turns.

python -m tests.benchmarks.canvas_worker CANVAS FILE CLOCK     see CANVASES and CLOCKS

Each line of the input is `ACTION TIMES SECONDS`; each line of the output the milliseconds of at
most so many times within so many seconds, as JSON, or none where the canvas can't do that.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import IO

CANVASES = {
    "ours": "tests.benchmarks.canvas_ours",
    "NodeGraphQt": "tests.benchmarks.canvas_nodegraphqt",
    "bare, full": "tests.benchmarks.canvas_bare",
    "bare, batched": "tests.benchmarks.canvas_bare",
}
CLOCKS = {"time": time.perf_counter, "cpu": time.process_time}
"""What is counted: the time that passes, or what the processor spends on it."""
SIZE = (1920, 1080)


@dataclass(frozen=True)
class Action:
    """What is timed, with the number of the time as its argument; `prepare` goes before all."""

    act: Callable[[int], object]
    prepare: Callable[[], object] = lambda: None
    after: Callable[[], object] = lambda: None
    settle: bool = True
    """Whether the time until everything is painted counts."""
    rest: float = 0.0
    """Seconds in which nothing is done before each time, as by someone who reads; not counted."""


Actions = Mapping[str, Action]


def main(argv: list[str]) -> None:
    """Answer until the input ends."""
    answers, sys.stdout = sys.stdout, sys.stderr  # libraries may print what they like
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtWidgets import QApplication

    application = QApplication([])
    sys.excepthook = fail  # painting reports its faults there
    name, file, clock = argv
    actions: Actions = import_module(CANVASES[name]).actions(name, Path(file))
    answer([], answers)
    for line in sys.stdin:
        wanted, times, seconds = line.rsplit(maxsplit=2)
        if wanted == "memory":
            answer([resident()], answers)
        elif wanted in actions:
            action, settle = actions[wanted], application.processEvents
            answer(timed(action, int(times), float(seconds), settle, CLOCKS[clock]), answers)
        else:
            answer([], answers)


def timed(
    action: Action,
    times: int,
    seconds: float,
    settle: Callable[[], object],
    clock: Callable[[], float],
) -> list[float]:
    """The milliseconds of each time."""
    action.prepare()
    settle()
    found: list[float] = []
    begun = time.perf_counter()
    for k in range(times):
        rested = time.perf_counter() + action.rest
        while time.perf_counter() < rested:
            settle()
        begun += action.rest
        start = clock()
        action.act(k)
        if action.settle:
            settle()
        found.append((clock() - start) * 1e3)
        settle()
        if time.perf_counter() - begun > seconds:
            break
    action.after()
    settle()
    return found


def fail(kind: type[BaseException], fault: BaseException, trace: TracebackType | None) -> None:
    """End here: what goes wrong has no time."""
    sys.__excepthook__(kind, fault, trace)
    os._exit(1)


def answer(found: list[float], answers: IO[str]) -> None:
    """Write one line."""
    print(json.dumps(found), file=answers, flush=True)


def resident() -> float:
    """The memory that this process occupies, in MiB."""
    status = Path("/proc/self/status")
    if not status.exists():
        if os.name != "posix":
            return float("nan")
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    line = next(x for x in status.read_text().splitlines() if x.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


if __name__ == "__main__":
    main(sys.argv[1:])
