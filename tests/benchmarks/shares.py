"""Where the time of a frame goes: the share of text, strokes, pixmaps, looks, routing, events.

python3 run.py bench shares [--nodes N] [--only NAME ...]

Each kind of frame of `bench canvas` is run under the profiler. That makes Python's calls look
dearer than they are, so shares are to be compared with each other; the milliseconds beside them
are those of frames without it, counted by what the processor spends.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import re
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.benchmarks.canvas import ACTIONS, ONCE, written
from tests.benchmarks.canvas_worker import Action, timed

ROOT = Path(__file__).resolve().parents[2]
NODES = 1000
SECONDS = 4.0
"""How long a kind of frame may take with the profiler, and again without it."""
KINDS = ("drawText", "paths", "pixmaps", "painters", "looks", "layout", "events", "Qt")
METHODS = {
    "drawText": ("drawText", "setFont", "addText"),
    "paths": (
        "strokePath", "fillPath", "drawPath", "drawPolyline", "drawLine", "drawLines", "drawRects",
        "drawEllipse", "drawRoundedRect", "fillRect", "intersected", "createStroke",
    ),
    "pixmaps": ("drawPixmap", "drawPixmapFragments", "end"),
    "Qt": ("processEvents", "repaint", "sendEvent", "scroll"),
}  # fmt: skip
"""By kind, the methods of Qt that draw, and those in which Qt does all the rest."""
METHOD = re.compile(r"<(?:built-in )?method '?(\w+)")
ROOMS = {
    "app/canvas/paint/": "painters",
    "app/canvas/compositor": "painters",
    "app/style/": "painters",
    "app/canvas/overlay/": "painters",
    "app/canvas/animation/": "painters",
    "app/canvas/appearance/": "looks",
    "app/canvas/scene/": "looks",
    "engine/": "looks",
    "app/canvas/layout/": "layout",
}
"""By the place of a Python function, the kind to which its own time belongs; else events."""
_METHODS = {name: kind for kind, names in METHODS.items() for name in names}

Function = tuple[str, int, str]


def main(argv: Sequence[str]) -> int:
    """Print the table; returns 0."""
    parser = argparse.ArgumentParser(prog="bench shares")
    parser.add_argument("--nodes", type=int, default=NODES)
    parser.add_argument("--only", nargs="*", help="kinds of frames, by a part of their names")
    chosen = parser.parse_args(argv)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtWidgets import QApplication

    from tests.benchmarks.canvas_ours import actions

    application = QApplication.instance() or QApplication([])
    print(f"\n{chosen.nodes:,} nodes, 1920 × 1080: ms of the processor, and shares in per cent")
    print(f"{'':24}{'median':>8}{'p95':>8}  ", *(f"{kind:>9}" for kind in KINDS), sep="")
    with tempfile.TemporaryDirectory() as folder:
        ours = actions("ours", written(Path(folder), chosen.nodes))
        for name, times in ACTIONS.items():
            wanted = not chosen.only or any(part in name for part in chosen.only)
            if wanted and name not in ONCE:
                _print(name, ours[name], times, application.processEvents)
    return 0


def _print(name: str, action: Action, times: int, settle: object) -> None:
    assert callable(settle)
    spent = timed(action, times, SECONDS, settle, time.process_time)
    shares = shares_of(profiled(action, times, settle))
    p95 = sorted(spent)[min(len(spent) - 1, int(len(spent) * 0.95))]
    cells = "".join(f"{100 * shares.get(kind, 0.0):9.0f}" for kind in KINDS)
    print(f"{name:24}{statistics.median(spent):8.2f}{p95:8.2f}  {cells}", flush=True)


def profiled(action: Action, times: int, settle: object) -> pstats.Stats:
    """Run an action under the profiler, without what prepares it."""
    assert callable(settle)
    profile = cProfile.Profile()

    def act(k: int) -> None:
        profile.enable()
        action.act(k)
        if action.settle:
            settle()
        profile.disable()

    alone = Action(act, action.prepare, action.after, settle=False)
    timed(alone, times, SECONDS, settle, time.process_time)
    return pstats.Stats(profile)


def shares_of(stats: pstats.Stats) -> Mapping[str, float]:
    """Return the share of each kind in the time of a profile."""
    found: defaultdict[str, float] = defaultdict(float)
    calls: dict[Function, tuple[int, int, float, float, dict[Function, tuple[float, ...]]]]
    calls = stats.stats  # type: ignore[attr-defined]
    for function, (_calls, _recursive, own, _all, callers) in calls.items():
        kind = kind_of(function)
        if kind is not None:
            found[kind] += own
            continue
        for caller, (_calls, _recursive, part, _all) in callers.items():
            found[kind_of(caller) or "events"] += part
    whole = sum(found.values()) or 1.0
    return {kind: spent / whole for kind, spent in found.items()}


def kind_of(function: Function) -> str | None:
    """Return the kind of a function's own time; None where it is that of whoever calls it."""
    file, _line, name = function
    if file == "~":
        found = METHOD.match(name)
        return None if found is None else _METHODS.get(found[1])
    place = file.removeprefix(f"{ROOT}/")
    if place == file:  # a library of Python
        return None
    return next((kind for room, kind in ROOMS.items() if place.startswith(room)), "events")


if __name__ == "__main__":
    raise SystemExit(main(()))
