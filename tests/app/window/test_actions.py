"""Actions: which of them are enabled and checked after something was done."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.window.commands.run import RUN
from app.window.frame.main_window import MainWindow
from engine.rules import MISTAKES
from tests.helpers.asked import cover
from tests.helpers.window import press


def _states(window: MainWindow) -> dict[str, tuple[bool, bool, bool]]:
    """Whether each action is enabled, visible and checked."""
    return {
        action.id: (made.isEnabled(), made.isVisible(), made.isChecked())
        for action, made in window.commands
    }


def _by(name: str) -> Callable[[MainWindow], object]:
    """Trigger an action."""
    return lambda window: window.commands[name].trigger()


PASSING: dict[str, Callable[[MainWindow], object]] = {
    **{f"{action.id} twice" if action.checked else action.id: _by(action.id) for action in RUN},
    "a key": lambda window: press(window, Qt.Key.Key_Right),
    "playing": lambda window: window.playback.play(),
    "pausing": lambda window: window.playback.pause(),
    "another speed": lambda window: window.playback.set_speed(4.0),
    "cover": lambda window: cover(window.playback),
    "the end": lambda window: window.playback.to_end(),
    "leaving": lambda window: window.playback.leave(),
    "a mistake": lambda window: window.playback.set_rules(MISTAKES[0]),
    "another voice": lambda window: window.strip.set_voice("maths"),
}
"""What changes the pass or the place in it, after which only Run and Learn are asked again."""


@pytest.mark.parametrize("keys", ["", "b"], ids=["live", "in a pass"])
def test_after_a_step_every_action_is_as_if_all_had_been_asked(shared_leaf: MainWindow, keys: str):
    if keys:
        press(shared_leaf, keys, Qt.Key.Key_Right)
    for name, act in PASSING.items():
        for _ in range(2 if name.endswith("twice") else 1):
            act(shared_leaf)
            QApplication.processEvents()
            found = _states(shared_leaf)
            shared_leaf.commands.refresh()
            assert found == _states(shared_leaf), name
