"""ACTIONS: everything the window can do.

Each file of this package has the functions of one subject, and below them its actions as tuples.
"""

from msgspec.structs import replace

from app.window.actions import Action
from app.window.commands.asking import ASKING, BY_HAND
from app.window.commands.edit import COPYING, EDIT
from app.window.commands.exercise import EXERCISE
from app.window.commands.file import FILE
from app.window.commands.final_test import FINAL_TEST
from app.window.commands.graph import GRAPH, GROUPS, OPERATIONS, SECTIONS
from app.window.commands.hands import HANDS
from app.window.commands.lecture import LECTURE
from app.window.commands.lessons import HELP, LEARN, LESSONS
from app.window.commands.menus import menu_paths
from app.window.commands.presenting import PRESENTING
from app.window.commands.recording import RECORDING
from app.window.commands.run import RIPPLE, RUN, TIME_MACHINE
from app.window.commands.take_along import TAKE_ALONG
from app.window.commands.training import TRAINING
from app.window.commands.view import VIEW

_TABLE: tuple[Action, ...] = (
    *FILE,
    *EDIT,
    *VIEW,
    *PRESENTING,
    *HANDS,
    *GRAPH,
    *OPERATIONS,
    *GROUPS,
    *SECTIONS,
    *RUN,
    *BY_HAND,
    *ASKING,
    *EXERCISE,
    *RIPPLE,
    *TRAINING,
    *TIME_MACHINE,
    *COPYING,
    *LEARN,
    *LESSONS,
    *TAKE_ALONG,
    *FINAL_TEST,
    *RECORDING,
    *LECTURE,
    *HELP,
)
_MENU_PATHS = menu_paths({action.id: action for action in _TABLE})

ACTIONS: tuple[Action, ...] = tuple(
    replace(action, menu=_MENU_PATHS.get(action.id, "")) for action in _TABLE
)
"""The table, each action with its menu."""
