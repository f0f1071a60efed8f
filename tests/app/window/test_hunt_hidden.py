"""A hunted mistake is hidden everywhere: two that give the same steps so far look the same."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication

from app.window.frame.main_window import MainWindow
from app.workbench.modes.hunt import Hunt
from engine.rules import BY_NAME
from engine.study.hunt import first_difference
from engine.trace import run
from tests.app.window.test_hidden_everywhere import given_away
from tests.helpers.extent import sampled
from tests.helpers.window import open_example

PAGES = ("mistakes", "why", "numeric", "code", "history")
COPIES = ("copy", "copy_picture", "copy_pass")
PAIRS = [
    ("demonstration", "assign", "recursive", 5),
    ("demonstration", "no-zero-grad", "zero-leaves-only", 11),
    ("demonstration", "depth-first", "recursive", 5),
    ("demonstration", "mul-own-input", "breadth-first", 3),
    ("demonstration", "no-zero-grad", "assign", 5),
    ("shared-leaf", "assign", "no-zero-grad", 4),
]


def looked_at(
    window: MainWindow, folder: Path, example: str, mistake: str, cursor: int
) -> list[object]:
    """Hunt a mistake and step to a cursor."""
    open_example(window, example)
    window.context.hunting._start(Hunt(BY_NAME[mistake], "name"))
    for _ in range(cursor):
        window.playback.step()
    window.context.messages.dismiss_toast()
    window.canvas.scene.apply_layout()  # else a timer does, sooner or later
    window.canvas.context.framing.fit_all()
    QApplication.processEvents()
    found = list(given_away(window, folder, PAGES, COPIES))
    window.context.hunting.leave()
    return found


@pytest.mark.parametrize("pair", sampled(PAIRS, 2, first=2))
def test_two_mistakes_with_the_same_steps_so_far_can_not_be_told_apart(
    window: MainWindow, tmp_path: Path, pair: tuple[str, str, str, int]
):
    example, one, other, cursor = pair
    window.context.style.set_motion(False)
    QApplication.setCursorFlashTime(0)
    window.move(QPoint(0, 0))
    looked_at(window, tmp_path, example, one, cursor)  # leaves toasts as the others do
    first, second = (looked_at(window, tmp_path, example, name, cursor) for name in (one, other))
    trace = run(window.document.graph, rules=BY_NAME[one])
    assert first_difference(trace, BY_NAME[other], cursor) is None  # the steps are the same so far
    wrong = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
    assert not wrong, wrong[:4]
