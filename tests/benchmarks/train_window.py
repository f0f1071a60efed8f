"""What a training in the window does to its frames, and how many epochs a second it makes."""

from __future__ import annotations

import os
import statistics
import tempfile
import time

from msgspec.structs import replace

from engine.training.learning import Setup
from tests.benchmarks.peers import Reach

FRAME = 16.0
"""Milliseconds of the processor for a turn of the event loop, at p95 and at the usual speed."""
LEAST = 1000
SECONDS = 4.0


def frames(setup: Setup, slower: float, reach: Reach) -> None:
    """Train in the window at 1600 × 1000, and time every turn of its event loop."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as home:
        for kind in ("CONFIG", "STATE"):
            os.environ[f"XDG_{kind}_HOME"] = home
        epochs, times = _trained(setup)
    median, p95 = statistics.median(times), times[int(len(times) * 0.95)]
    print(f"\nIn the window, 1600 × 1000, boundary and curve live: {epochs:,.0f} epochs/s,")
    print(f"  a frame {median:.1f} ms, p95 {p95:.1f} ms; at the usual speed {p95 / slower:.1f} ms")
    reach.at_least("in the window: epochs/s at usual speed", epochs * slower, LEAST)
    reach.at_most("in the window: a frame at p95 and usual speed, ms", p95 / slower, FRAME)


def _trained(setup: Setup) -> tuple[float, list[float]]:
    """Return epochs for each second of the processor, and the sorted milliseconds of each turn."""
    from PySide6.QtWidgets import QApplication

    from app.panels.train import TrainPage
    from app.window.frame.main_window import MainWindow
    from app.window.start import make_application

    make_application()
    window = MainWindow()
    window.resize(1600, 1000)
    window.show()
    window.commands["train"].trigger()
    page = window.bar.get("train")
    assert isinstance(page, TrainPage)
    training = page.training.training
    training.set_pace("full")
    training.change(replace(setup, epochs=100_000))
    for _ in range(10):
        QApplication.processEvents()
    training.run()
    times: list[float] = []
    began, spent = time.perf_counter(), time.process_time()
    while training.running and time.perf_counter() - began < SECONDS:
        started = time.process_time()
        QApplication.processEvents()
        times.append((time.process_time() - started) * 1e3)
    epochs = training.epochs / (time.process_time() - spent)
    window.close()
    return epochs, sorted(times)
