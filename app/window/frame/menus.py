"""The menu bar, from `MENUS`, and the context menus; each is filled before it is first opened."""

from __future__ import annotations

from collections.abc import Set
from functools import partial

from PySide6.QtCore import QObject, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMenuBar, QSizePolicy, QToolButton

from app.canvas.scene.hit_test import Hit
from app.document.change import Change
from app.document.examples import examples
from app.style.icons import icon
from app.window.actions import Action, Actions
from app.window.commands.file import open_example
from app.window.commands.menus import (
    FOLDED_UNTIL_USED,
    MENUS,
    UNFOLDED_AFTER_PASS,
    folded_lines_of,
    groups,
    matching_ids,
)
from app.window.context import Context
from app.workbench.playback.view_state import ViewState
from engine.graph import Leaf, Root, Wire
from engine.rules import CORRECT, UNKNOWN

_TOP = [path for path in MENUS if "/" not in path]
_EXAMPLES = "File/Open example"


class MenuBar(QMenuBar):
    """All menus; lines that have not been used yet are folded away until All tools is on."""

    def __init__(self, context: Context, actions: Actions) -> None:
        super().__init__(context.shell.widget)
        self._context = context
        self._actions = actions
        self.setNativeMenuBar(False)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.setStyleSheet("QMenuBar { border: none; }")
        self._menus: dict[str, QMenu] = {}
        """By path; a submenu is there once its menu is filled."""
        self._kept: set[str] = set()
        """The lines that were used since the start."""
        self._lines: dict[str, list[tuple[str, QAction]]] = {}
        """The lines of a filled menu, folded ones too: id or submenu's path, and the entry."""
        for path in _TOP:
            self.addMenu(self._make(path, f"&{path}"))
        context.style.changed.connect(self._draw_extension)
        self._draw_extension()
        context.document.changed.connect(self._name_steps)
        actions.used.connect(self._note_used)
        context.playback.shown.connect(self._note_shown)

    def menu(self, path: str) -> QMenu:
        """Return a menu by its path, such as "Learn/Mistakes", filled."""
        self._fill(path.partition("/")[0])
        return self._menus[path]

    def fill(self) -> None:
        """Fill all menus, which a screen reader may list before one is opened."""
        for path in _TOP:
            self._fill(path)

    def _make(self, path: str, title: str) -> QMenu:
        """Make an empty menu."""
        self._menus[path] = menu = QMenu(title, self)
        menu.aboutToShow.connect(partial(self._prepare, path))
        return menu

    def _prepare(self, path: str) -> None:
        """Bring a menu up to date before it is shown."""
        self._fill(path)
        self._unfold(path)
        self._actions.draw_icons(self._menus[path])
        if path == _EXAMPLES:
            self._list_examples()

    def _fill(self, path: str) -> None:
        """Fill a menu with its lines and its submenus, once."""
        if path in self._lines:
            return
        menu, lines = self._menus[path], list[tuple[str, QAction]]()
        ids = self._actions.ids_in(path)
        self._lines[path] = lines
        for group in groups(path):
            if lines:
                lines.append(("", menu.addSeparator()))
            for entry in group:
                if entry.startswith(">"):
                    below = f"{path}/{entry[1:]}"
                    lines.append((below, self._make(below, entry[1:]).menuAction()))
                    self._fill(below)
                else:
                    lines += [(name, self._actions[name]) for name in matching_ids(entry, ids)]
        self._unfold(path)

    def _unfold(self, path: str) -> None:
        """Show the lines of a menu that are not folded now."""
        menu, settings = self._menus[path], self._context.settings
        lines = self._lines[path]
        shown = [
            made
            for name, made in lines
            if name not in FOLDED_UNTIL_USED or settings.uses_tool(name)
        ]
        if lines and menu.actions() != shown:
            for made in menu.actions():
                menu.removeAction(made)
            menu.addActions(shown)

    def _note_used(self, name: str) -> None:
        """Keep the lines of an action that was used, and its page."""
        action = self._actions[name].data()
        assert isinstance(action, Action)
        self._keep(folded_lines_of(name, action.menu))

    def _note_shown(self, shown: ViewState) -> None:
        """Keep what the first whole backward pass brings, and what was begun on a page or strip."""
        frame, quiz = shown.frame, shown.quiz
        tools: set[str] = set()
        if frame.phase == "backward" and frame.cursor == frame.total > 0:
            tools.update(UNFOLDED_AFTER_PASS)
        if quiz is not None:
            tools.add("cover" if quiz.covers else "predict")
        if shown.hunt is not None:
            tools.add("hunt")
        elif shown.rules not in (CORRECT, UNKNOWN):
            tools |= folded_lines_of("", "Learn/Mistakes")
        if self._context.ripples.on:
            tools.add("ripple")
        self._keep(tools)

    def _keep(self, tools: Set[str]) -> None:
        """Keep lines and pages that were folded, from now on."""
        new = tools - self._kept
        if new:
            self._kept |= new
            for tool in new:
                self._context.settings.note_tool(tool)
            self._context.shell.parts.show_tools()

    def _draw_extension(self) -> None:
        """Draw our icon on the button for menus that find no room, which Qt makes."""
        button = self.findChild(QToolButton, "qt_menubar_ext_button")
        if isinstance(button, QToolButton):
            button.setIcon(icon("menu", self._context.style.theme))

    def _list_examples(self) -> None:
        menu = self._menus[_EXAMPLES]
        menu.clear()
        for example in examples():
            entry = menu.addAction(_plain(example.title))
            entry.setStatusTip(example.note)
            entry.triggered.connect(partial(open_example, self._context, example.name))

    def _name_steps(self, change: Change) -> None:
        """Name the steps that Undo and Redo would undo and redo."""
        if change.steps:
            document = self._context.document
            for name, steps in (("undo", document.done[-1:]), ("redo", document.undone[:1])):
                step = "".join(_plain(step.name) for step in steps)
                self._actions[name].setText(f"&{name.title()} {step}".rstrip())


def _plain(text: str) -> str:
    """Escape & in the text of a menu entry."""
    return text.replace("&", "&&")


LINE = ""
SHOWN_SOURCES = 30
_LEAF_BEFORE = 216.0
"""Distance to the left of a node at which a leaf for its slot is put, in px at 100 %."""

NODE = (
    *("edit_value", "label", "toggle_constant", ">Build/Change to", "mark_root", "activate_root"),
    LINE,
    *("cut", "copy", "duplicate", "delete", "heal"),
    LINE,
    *("select_ancestors", "select_descendants"),
    *("group", "collapse_group", "enter_group", "unpack_group", "section"),
    LINE,
    *("arrange_selection", "arrange_selection_down", "fit_selection"),
    LINE,
    *("toggle_break", "to_final", "to_first_wrong"),
    LINE,
    "copy_picture",
)
GROUP = (
    *("collapse_group", "enter_group", "unpack_group", "section"),
    LINE,
    *("cut", "copy", "duplicate", "delete"),
    LINE,
    *("select_ancestors", "select_descendants", "fit_selection"),
)
SECTION = (
    *("label", ">Build/Group/Section colour", "select_content"),
    LINE,
    *("cut", "copy", "duplicate", "delete"),
    LINE,
    *("section", "fit_selection"),
)
WIRE = ("quick_add", LINE, "unplug")
SLOT = ("unplug", LINE)
CANVAS = (
    *("quick_add", "paste", "section"),
    LINE,
    *("undo", "redo"),
    LINE,
    *("select_all", "arrange", "arrange_down", "fit_all"),
    LINE,
    *("forward", "backward", "copy_picture"),
)
"""The entries of each menu, by action id; ">" begins the path of a submenu."""


class ContextMenus(QObject):
    """Opens the menu of a node, a slot, a wire, a group, a section, or the empty canvas."""

    def __init__(self, context: Context, actions: Actions, menu_bar: MenuBar) -> None:
        super().__init__(context.shell.widget)
        self._context = context
        self._actions = actions
        self._menu_bar = menu_bar
        context.canvas.menu_wanted.connect(self.open)

    def open(self, hit: Hit, at: QPoint) -> None:
        """Show the menu at a screen position; what it adds goes to that position."""
        canvas = self._context.canvas
        menu = QMenu(self._context.shell.widget)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._actions.refresh()
        self.fill(menu, _names_for(hit))
        if hit.part == "slot" and hit.wire is not None:
            self._fill_slot(menu, hit.wire)
        self._actions.draw_icons(menu)
        canvas.hover.set_menu_point(QPointF(canvas.viewport().mapFromGlobal(at)))
        menu.aboutToHide.connect(self._forget_place)
        menu.popup(at)

    def fill(self, menu: QMenu, names: tuple[str, ...]) -> None:
        """Fill a menu by ids; actions that are disabled here are left out."""
        for name in names:
            if name == LINE:
                menu.addSeparator()
            elif name.startswith(">"):
                part = self._menu_bar.menu(name[1:])
                if _can_do_any(part):
                    _copy(part, menu.addMenu(part.title()))
            elif self._actions[name].isEnabled():
                menu.addAction(self._actions[name])

    def _forget_place(self) -> None:
        """Clear the position after the chosen entry has run, which is after the menu closes."""
        QTimer.singleShot(0, self, lambda: self._context.canvas.hover.set_menu_point(None))

    def _fill_slot(self, menu: QMenu, wire: Wire) -> None:
        """Add what could be connected to a slot."""
        document = self._context.document
        sources = [
            (document.graph.title(n), n)
            for n, found in document.graph.nodes.items()
            if not isinstance(found, Root)
            and document.graph.source(wire) != n
            and document.wires.refusal(n, *wire) is None
        ]
        plug = menu.addMenu("Plug in")
        plug.setEnabled(bool(sources))
        for title, node in sources[:SHOWN_SOURCES]:
            entry = plug.addAction(title.replace("&", "&&"))
            entry.triggered.connect(lambda _on=False, n=node: document.wires.connect(n, *wire))
        if document.graph.source(wire) is None:
            leaf = menu.addAction("Add a leaf here")
            leaf.triggered.connect(lambda: self._add_leaf(wire))

    def _add_leaf(self, wire: Wire) -> None:
        document = self._context.document
        x, y = document.positions[wire[0]]
        document.add_wired(Leaf(), (x - _LEAF_BEFORE, y), wire=wire)


def _copy(source: QMenu, menu: QMenu) -> None:
    """Copy the entries of another menu, since a menu can have only one parent."""
    for entry in source.actions():
        inner = entry.menu()
        if isinstance(inner, QMenu):
            _copy(inner, menu.addMenu(inner.title()))
        else:
            menu.addAction(entry)


def _can_do_any(menu: QMenu) -> bool:
    """Return whether any entry of a menu or its submenus is enabled."""
    return any(
        _can_do_any(inner) if isinstance(inner := entry.menu(), QMenu) else entry.isEnabled()
        for entry in menu.actions()
    )


def _names_for(hit: Hit) -> tuple[str, ...]:
    if hit.part == "slot":
        return SLOT
    if hit.wire is not None:
        return WIRE
    if hit.group is not None:
        return GROUP
    if hit.section is not None:
        return SECTION
    return CANVAS if hit.node is None else NODE
