"""ACTIONS: everything the window can do."""

from msgspec.structs import replace

from app.window.actions import Action
from app.window.commands.asking import ASKING
from app.window.commands.by_hand import BY_HAND
from app.window.commands.copying import COPYING
from app.window.commands.edit import EDIT
from app.window.commands.exercise import EXERCISE
from app.window.commands.file import FILE
from app.window.commands.graph import GRAPH
from app.window.commands.groups import GROUPS
from app.window.commands.learn import HELP, LEARN
from app.window.commands.lessons import LESSONS
from app.window.commands.menus import places
from app.window.commands.operations import OPERATIONS
from app.window.commands.ripple import RIPPLE
from app.window.commands.run import RUN
from app.window.commands.sections import SECTIONS
from app.window.commands.time_machine import TIME_MACHINE
from app.window.commands.training import TRAINING
from app.window.commands.view import VIEW

_TABLE: tuple[Action, ...] = (
    *FILE,
    *EDIT,
    *VIEW,
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
    *HELP,
)
_PLACES = places({action.id: action for action in _TABLE})

ACTIONS: tuple[Action, ...] = tuple(
    replace(action, menu=_PLACES.get(action.id, "")) for action in _TABLE
)
"""The table, each action with its menu."""
