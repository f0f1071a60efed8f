import re
from collections import Counter
from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication

from app.style.icons import NAMES
from app.window.actions import actions_of
from app.window.commands import ACTIONS, MENUS, groups, run_actions
from app.window.frame.main_window import MainWindow
from engine.formats import FORMATS
from engine.rules import MISTAKES
from tests.helpers.asked import cover
from tests.helpers.sampling import sampled
from tests.helpers.tables import in_turn
from tests.helpers.window import press

INTERACTIONS = {
    "step": ["Right"],
    "step_back": ["Left"],
    "page_on": ["PgDown"],
    "page_back": ["PgUp"],
    "step_node": ["Shift+Right", "Shift+PgDown"],
    "step_node_back": ["Shift+Left", "Shift+PgUp"],
    "to_start": ["Home"],
    "to_end": ["End"],
    "play": ["Return", "Enter"],
    "cover": ["C"],
    "backward": ["B"],
    "forward": ["Shift+B"],
    "fit_selection": ["F"],
    "fit_all": ["Shift+1"],
    "quick_add": ["Tab"],
    "label": ["F2"],
    "full_screen": ["F11"],
    "larger": ["Ctrl++"],
    "smaller": ["Ctrl+-"],
    "escape": ["Esc"],
    "heal": ["Ctrl+Del"],
    "delete": ["Del"],
    "commands": ["Ctrl+Shift+P"],
}
BY_ID = {action.id: action for action in ACTIONS}


def test_every_action_has_an_id_of_its_own():
    assert len(BY_ID) == len(ACTIONS)


def test_no_key_has_two_meanings():
    keys = Counter(QKeySequence(key).toString() for action in ACTIONS for key in action.keys)
    assert [key for key, count in keys.items() if count > 1] == []


def test_every_key_is_one_that_qt_knows():
    for action in ACTIONS:
        for key in action.keys:
            assert QKeySequence(key).toString(), key


@in_turn(("name", "keys"), INTERACTIONS.items())
def test_the_keys_are_those_of_the_design(name, keys):
    assert set(keys) <= set(BY_ID[name].keys)


def test_every_icon_is_drawn():
    assert {action.icon for action in ACTIONS if action.icon} <= set(NAMES)


def test_every_line_of_the_menus_is_an_action_or_a_submenu():
    for path, entries in MENUS.items():
        for entry in (entry for group in groups(entries) for entry in group):
            if entry.startswith(">"):
                assert f"{path}/{entry[1:]}" in MENUS
            else:
                assert entry in BY_ID or any(
                    entry.endswith("*") and name.startswith(entry[:-1]) for name in BY_ID
                ), entry


def test_every_action_has_a_text_and_says_what_it_does():
    assert all(action.text for action in ACTIONS)
    silent = {action.id for action in ACTIONS if not action.tooltip}
    assert {name.partition("-")[0] for name in silent} == {"export"}  # the dialog says it


def test_every_folded_action_is_one_of_a_menu():
    assert all(action.menu for action in ACTIONS if action.folded)


def test_what_may_reveal_hidden_numbers_is_what_steps_and_what_asks():
    revealing = {action.menu.partition("/")[0] for action in ACTIONS if action.may_reveal}
    assert revealing == {"Run", "Learn"}
    others = [a.id for a in ACTIONS if not a.may_reveal and a.menu.startswith(("Run", "Learn"))]
    assert others == []


def test_every_action_is_in_one_menu_at_most():
    listed = (e for entries in MENUS.values() for group in groups(entries) for e in group)
    found = [e for e in listed if not e.startswith(">")]
    assert len(found) == len(set(found))


def test_access_keys_differ_within_a_menu():
    for menu in {action.menu for action in ACTIONS if action.menu}:
        letters = Counter(
            found.group(1).lower()
            for action in ACTIONS
            if action.menu == menu and (found := re.search(r"&(\w)", action.text))
        )
        assert [letter for letter, count in letters.items() if count > 1] == [], menu


def test_every_mistake_and_every_format_has_its_entry():
    for rules in MISTAKES:
        assert BY_ID[f"rules-{rules.name}"].tooltip == rules.sentence
    assert {f"export-{found.name}" for found in FORMATS if found.write} <= BY_ID.keys()


def _states(window: MainWindow) -> dict[str, tuple[bool, bool, bool]]:
    """Whether each action is enabled, visible and checked."""
    return {
        action.id: (made.isEnabled(), made.isVisible(), made.isChecked())
        for action, made in window.commands
    }


def _by(name: str) -> Callable[[MainWindow], object]:
    """Trigger an action."""
    return lambda window: window.commands[name].trigger()


RUN = actions_of(run_actions)
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
"""What changes the pass or the place in it."""


@pytest.mark.parametrize("keys", sampled(["b", ""], every=2))
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
