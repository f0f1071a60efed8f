"""ACTIONS: everything the window can do, in the order of its menus; one file for each menu."""

from app.window.actions import Action
from app.window.tables.edit import EDIT
from app.window.tables.file import FILE
from app.window.tables.graph import GRAPH
from app.window.tables.groups import GROUPS
from app.window.tables.learn import HELP, LEARN
from app.window.tables.operations import OPERATIONS
from app.window.tables.run import RUN
from app.window.tables.sections import SECTIONS
from app.window.tables.view import VIEW

MENUS = ("&File", "&Edit", "&View", "&Graph", "&Run", "&Learn", "&Help")
"""The menu bar; `Action.menu` leaves out the marks."""

ACTIONS: tuple[Action, ...] = (
    *FILE,
    *EDIT,
    *VIEW,
    *GRAPH,
    *OPERATIONS,
    *GROUPS,
    *SECTIONS,
    *RUN,
    *LEARN,
    *HELP,
)
