"""ACTIONS: everything the window can do, in menu order; one file for each menu."""

from app.window.actions import Action
from app.window.commands.asking import ASKING
from app.window.commands.by_hand import BY_HAND
from app.window.commands.copying import COPYING
from app.window.commands.edit import EDIT
from app.window.commands.file import FILE
from app.window.commands.graph import GRAPH
from app.window.commands.groups import GROUPS
from app.window.commands.learn import HELP, LEARN
from app.window.commands.operations import OPERATIONS
from app.window.commands.run import RUN
from app.window.commands.sections import SECTIONS
from app.window.commands.time_machine import TIME_MACHINE
from app.window.commands.training import TRAINING
from app.window.commands.view import VIEW

MENUS = ("&File", "&Edit", "&View", "&Graph", "&Run", "&Learn", "&Help")
"""The menu bar; `Action.menu` omits the mnemonic marks."""

ACTIONS: tuple[Action, ...] = (
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
    *TRAINING,
    *TIME_MACHINE,
    *COPYING,
    *LEARN,
    *HELP,
)
