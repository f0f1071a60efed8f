"""By hand, nothing tells of what has not fired: other slopes there look the same everywhere."""

from itertools import product
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from app.window.frame.main_window import MainWindow
from engine.schedule import Pass
from tests.app.window.test_hidden_everywhere import assert_alike, bent, given_away, still
from tests.helpers.extent import sampled
from tests.helpers.window import open_example

__all__ = ["still"]
PAGES = ("lesson", "why", "code", "history")
COPIES = ("copy", "copy_pass")
"""No copied picture: its columns are as wide as the pass needs, to a fraction of a px."""


def looked_at(window: MainWindow, folder: Path, phase: Pass, turns: int) -> list[object]:
    """Take so many turns, the seed among them, and read everything there is."""
    by_hand = window.context.modes.by_hand
    by_hand.begin(phase)
    for _ in range(turns):
        by_hand.take_turn()
    window.context.messages.dismiss_toast()  # how long it stays depends on the machine
    window.canvas.context.framing.fit_all()
    QApplication.processEvents()
    found = list(given_away(window, folder, PAGES, COPIES))
    by_hand.leave()
    return found


@pytest.mark.parametrize(
    ("turns", "phase"), sampled(product(range(4), ("backward", "forward")), 3, first=1)
)
def test_what_has_not_fired_can_not_be_told(
    still: MainWindow, tmp_path: Path, turns: int, phase: Pass
):
    looks: list[list[object]] = []
    for plant in (False, False, True):  # the first leaves toasts and scroll bars as the others do
        open_example(still, "shared-leaf")
        graph, by_hand = still.document.graph, still.context.modes.by_hand
        by_hand.begin(phase)
        for _ in range(turns):
            by_hand.take_turn()
        run = by_hand.now
        assert run is not None
        later = [node for node in run.turns(graph) if node not in run.fired]
        if phase == "forward":
            later = later[-1:]  # what it feeds would have another value, too
        hidden = later if plant else []
        with bent(graph, hidden, slopes=phase == "backward", values=phase == "forward"):
            open_example(still, "shared-leaf")
            looks.append(looked_at(still, tmp_path, phase, turns))
    assert_alike(*looks[1:])
