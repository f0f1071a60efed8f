"""Does everything fit, at every step, from a laptop to the last row?  python3 run.py proof fit

[--graph NAME] [--mistake NAME] [--view NAME] [--each N]

Every example as its file has it and as its formula is laid out, under every mistake, in windows and
presentations of several sizes, at every step: everything is in view, texts have their least size,
labels are whole and lie on nothing, and neither nodes nor view have moved since the first step. The
exit code is 1 when something does not hold.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tests.helpers.own_folder import own_folder

if TYPE_CHECKING:
    from app.canvas.scene.scene import Scene
    from app.window.frame.main_window import MainWindow
    from engine.formats.native import Drawing

FORMULAS = Path(__file__).parents[1] / "engine" / "reference" / "examples.json"
SHOWN = 5
"""So many faults of each kind are told."""
PATIENCE = 15.0
"""Seconds within which a layout must be found."""


class View(NamedTuple):
    """A window or presentation: width and height in px, the size of everything."""

    name: str
    width: int
    height: int
    size: float = 1.0
    presented: bool = False


VIEWS = (
    View("1366 × 768", 1366, 768),
    View("1366 × 698", 1366, 698),
    View("1366 × 668", 1366, 668),
    View("1440 × 900", 1440, 900),
    View("1920 × 1080", 1920, 1080),
    View("1920 × 1080 150 %", 1920, 1080, 1.5),
    View("1920 × 1080 200 %", 1920, 1080, 2.0),
    View("1280 × 720 presented", 1280, 720, 1.0, True),
    View("1920 × 1080 presented", 1920, 1080, 1.0, True),
)


@dataclass
class Tally:
    """What was checked, what did not hold, and the least text of each view."""

    steps: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    told: dict[str, list[str]] = field(default_factory=dict)
    least: dict[tuple[str, str, bool], float] = field(default_factory=dict)
    small: dict[tuple[str, str, bool], float] = field(default_factory=dict)

    def fault(self, kind: str, where: str) -> None:
        """Count a fault, and remember where it was."""
        self.faults[kind] += 1
        self.told.setdefault(kind, []).append(where)


def main(arguments: list[str]) -> int:
    """Print the tables; 1 when something does not hold."""
    reader = argparse.ArgumentParser(prog="run.py proof fit", description=__doc__)
    reader.add_argument("--graph", default="")
    reader.add_argument("--mistake", default="")
    reader.add_argument("--view", default="")
    reader.add_argument("--each", type=int, default=SHOWN)
    chosen = reader.parse_args(arguments)
    with own_folder("proof") as home:
        for kind in ("CONFIG", "DATA", "CACHE", "STATE"):
            os.environ[f"XDG_{kind}_HOME"] = str(home / kind.lower())
        return _prove(chosen)


def _prove(chosen: argparse.Namespace) -> int:
    from app.window.frame.main_window import MainWindow
    from app.window.start import make_application

    start, tally = time.monotonic(), Tally()
    application = make_application()
    window = MainWindow()
    window.context.style.set_motion(False)
    for view in VIEWS:
        if chosen.view in view.name:
            for name, drawing in _graphs(chosen.graph):
                _survey(window, view, name, drawing, chosen.mistake, tally)
            print(f"{view.name}: {time.monotonic() - start:.0f} s", flush=True)
    window.context.document.start()
    window.close()
    application.processEvents()
    _report(tally, chosen.each)
    return 1 if tally.faults else 0


def _graphs(wanted: str) -> Iterator[tuple[str, Drawing]]:
    """Return every example as its file has it, then as its formula is laid out."""
    from engine.formats.expression import read
    from engine.formats.native import Drawing
    from tests.truth.survey import example_graphs

    for name, drawing in example_graphs():
        if wanted in name:
            yield name, drawing
    for case in json.loads(FORMULAS.read_text("utf-8")):
        name = f"formula {case['name']}"
        if wanted in name:
            graph = read(case["expression"])
            ids = {name: node for node, name in graph.names.items()}
            values = {ids[leaf]: value for leaf, value in case["leaves"].items()}
            yield name, Drawing(graph.with_values(values))


def _survey(
    window: MainWindow, view: View, name: str, drawing: Drawing, mistake: str, tally: Tally
) -> None:
    from engine.rules import CORRECT, MISTAKES
    from tests.truth.survey import is_short

    _show(window, view, drawing)
    playback = window.context.playback
    for rules in (CORRECT, *MISTAKES):
        if mistake not in rules.name or not is_short(drawing.graph, rules.name):
            continue
        playback.set_rules(rules)
        if not playback.backward(cursor=0):
            tally.fault("no pass", f"{view.name}, {name}, {rules.name}")
            continue
        window.context.canvas.framing.fit_all()
        before = None
        for cursor in range(playback.frame.total + 1):
            playback.go(cursor)
            where = f"{view.name}, {name}, {rules.name}, step {cursor}"
            now = _stands(window)
            if before is not None and now != before:
                tally.fault("something moved", where)
            before = now
            _check(window, view, rules is CORRECT, where, tally)
            tally.steps += 1
        playback.leave()
        playback.set_rules(CORRECT)


def _show(window: MainWindow, view: View, drawing: Drawing) -> None:
    """Open a graph in a window of this size, laid out if it has no positions."""
    from PySide6.QtTest import QTest

    context = window.context
    if context.shell.presenting:
        context.shell.leave_full_screen()
    context.style.set_size(view.size)
    window.show()
    window.resize(view.width, view.height)
    window.show_work()
    context.document.start(drawing)
    QTest.qWait(20)
    end = time.monotonic() + PATIENCE
    while context.canvas.auto_layout.running and time.monotonic() < end:
        QTest.qWait(10)
    if view.presented:
        context.shell.toggle_presentation()
        window.setWindowState(window.windowState().WindowNoState)
        window.resize(view.width, view.height)
    QTest.qWait(50)
    context.canvas.framing.fit_all()


def _stands(window: MainWindow) -> object:
    """Return where everything is, on the sheet and on the screen."""
    scene, camera = window.context.canvas.scene, window.context.canvas.camera
    return dict(scene.boxes), camera.zoom, camera.offset.toTuple()


def _check(window: MainWindow, view: View, correct: bool, where: str, tally: Tally) -> None:
    from app.canvas.appearance.detail import MAX_SMALL_GRAPH, Detail
    from app.style.strokes import canvas_font

    canvas = window.context.canvas
    scene, scale = canvas.scene, canvas.camera.scale
    if not canvas.framing.shows_all:
        tally.fault("out of view", where)
    few = (
        sum(box.kind not in ("root", "pill", "group") for box in scene.boxes.values())
        <= MAX_SMALL_GRAPH
    )
    columns = len({box.x for box in scene.boxes.values() if box.kind != "pill"})
    if view.presented:
        text = 100.0 * canvas_font("number").pixelSize() * scale / view.height
        least = (3.3 if correct else 2.7) if columns <= 5 else 1.9
    else:
        text = canvas_font("caption").pixelSize() * scale
        least = 11.0 if columns <= 5 and correct else 9.0
        if not correct or view.height in (698, 668):
            least = 8.0
    key = (view.name, "presented" if view.presented else "window", correct)
    tally.least[key] = min(text, tally.least.get(key, text))
    if text < least:
        name = where.split(", ")[1]
        tally.small[view.name, name, correct] = text
        tally.fault(f"text below {least}", f"{where}: {text:.2f}")
    if few and scene.detail(scale) < Detail.WHOLE:
        tally.fault("detail left out", where)
    _check_labels(scene, where, tally)


def _check_labels(scene: Scene, where: str, tally: Tally) -> None:
    placed = []
    for wire in scene.courses:
        look, rect = scene.label(wire), scene.labels.rect(wire)
        if look is None or rect is None:
            continue
        seat = scene.wire_layout.label_layout[wire]
        if seat.form != "full" and look.local:
            tally.fault(f"label {seat.form}", f"{where}, wire {wire}")
        placed.append((wire, rect))
    for place, (wire, rect) in enumerate(placed):
        if any(rect.intersects(box.rect) for box in scene.boxes.values()):
            tally.fault("label on a node", f"{where}, wire {wire}")
        if any(rect.intersects(other) for _wire, other in placed[place + 1 :]):
            tally.fault("label on a label", f"{where}, wire {wire}")


def _report(tally: Tally, each: int) -> None:
    print(f"\n{tally.steps:,} steps")
    for (view, kind, correct), text in tally.least.items():
        unit = "% of the height" if kind == "presented" else "px"
        print(f"  {view:24} {'correct' if correct else 'mistake':8} least text {text:.2f} {unit}")
    for kind, count in tally.faults.most_common():
        print(f"{count:7,} × {kind}")
        for where in tally.told[kind][:each]:
            print(f"          {where}")
    for (view, name, correct), text in tally.small.items():
        print(f"  {view}, {name}, {'correct' if correct else 'mistake'}: {text:.2f}")
    if not tally.faults:
        print("Nothing is out of view, too small, cut or moved.")
