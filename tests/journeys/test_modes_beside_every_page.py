"""Cover, Ask me, By hand and Hunt beside every tab at the side, to the end of the pass."""

import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from PySide6.QtCore import QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

from app.window.commands.view_actions import PAGES
from app.window.frame.main_window import MainWindow
from tests.helpers.monkey import NOT_OURS
from tests.helpers.sampling import sampled, spread
from tests.helpers.window import open_example

TABS = [*PAGES]
MODES = ("cover", "predict", "by_hand", "hunt")
EXAMPLES = ("demonstration", "neuron", "dead-relu")
MOST_TURNS = 200
SERIOUS = (QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg, QtMsgType.QtFatalMsg)


@contextmanager
def all_faults() -> Iterator[list[str]]:
    """Every exception that reaches the hook, and every warning of Qt's."""
    found: list[str] = []

    def read(kind: QtMsgType, _context: object, text: str | None) -> None:
        if kind in SERIOUS and not any(word in (text or "") for word in NOT_OURS):
            found.append(f"Qt says: {text}")

    hook, before = sys.excepthook, qInstallMessageHandler(read)
    sys.excepthook = lambda *error: found.append("".join(traceback.format_exception(*error)))
    try:
        yield found
    finally:
        sys.excepthook = hook
        qInstallMessageHandler(before)


def begin(window: MainWindow, mode: str) -> None:
    """Switch a mode on by its command; Cover asks about a pass that has begun."""
    if mode == "hunt":
        window.context.hunting.begin(seed=len(window.document.graph.nodes))
        return
    window.commands[mode].trigger()
    if mode == "cover":
        window.playback.backward(cursor=0)


def steps(window: MainWindow) -> Iterator[Callable[[], None]]:
    """What takes the next step, until the pass is at its end."""
    by_hand, playback = window.context.modes.by_hand, window.playback
    for _turn in range(MOST_TURNS):
        if by_hand.now is not None:
            if by_hand.now.is_over(window.document.graph):
                return
            yield by_hand.take_turn
        elif playback.phase == "backward" and playback.cursor == playback.frame.total:
            return
        else:
            yield window.context.modes.skip if window.context.modes.asks else playback.step
    raise AssertionError("the pass has no end")


def mend(window: MainWindow) -> None:
    """Have the mistake shown, and go through what is asked about it."""
    hunting, playback = window.context.hunting, window.playback
    hunting.show()
    for cursor in range(1, playback.frame.total + 1):
        playback.go(cursor)
        hunting.point()
    assert hunting.now is not None
    hunting.explain(hunting.now.mistake)


def play(window: MainWindow, mode: str, tab: str, faults: list[str]) -> int:
    """Play a mode to the end of the pass with a tab open all the time; return the steps taken."""
    bar, taken = window.bar, 0

    def look(what: str) -> None:
        # a mode brings its own to the front, and a learner goes back to theirs
        bar.open(tab)
        QApplication.processEvents()
        assert bar.get(tab).isVisible(), f"{mode}: {tab} has gone, {what}"
        assert not faults, f"{mode} with {tab} open, {what}:\n{faults[0]}"

    bar.open(tab)
    QApplication.processEvents()
    begin(window, mode)
    look("at its beginning")
    for step in steps(window):
        step()
        taken += 1
        look(f"step {taken}")
    if mode == "hunt":
        mend(window)
        look("while it is mended")
    window.playback.leave()
    window.context.modes.leave()
    window.context.modes.by_hand.leave()
    look("at its end")
    return taken


@pytest.mark.qt_no_exception_capture
@pytest.mark.parametrize(("mode", "example"), sampled(spread(MODES, EXAMPLES), 2))
def test_no_mode_fails_whichever_tab_is_open(window: MainWindow, mode: str, example: str):
    """Each mode is played beside every tab: on one of the examples, or `--whole` on each."""
    first = (EXAMPLES.index(example) + MODES.index(mode)) % len(EXAMPLES)
    with all_faults() as faults:
        open_example(window, example)
        for tab in sampled(TABS, len(EXAMPLES), first):
            assert play(window, mode, tab, faults) > 1
