"""The menu bar, from `MENUS`, and the context menus; each is filled before it is first opened."""

from __future__ import annotations

from collections.abc import Set
from functools import partial
from typing import Final

from PySide6.QtCore import QObject, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar, QSizePolicy, QToolButton

from app.canvas.scene.hit_test import Hit
from app.document.examples import examples
from app.style.icons import icon
from app.window.actions import Action, Actions
from app.window.commands import MENUS, action_ids_of, groups
from app.window.commands.file_actions import open_example
from app.window.context import Context
from app.workbench.playback.view_state import ViewState
from engine.graph import Leaf, Root, Wire

_TOP_LEVEL = [path for path in MENUS if "/" not in path]
"""The menus of the menu bar, from left to right."""
_EXAMPLES = "File/Open example"
"""The menu that is filled with the examples in place of actions."""


class MenuBar(QMenuBar):
    """All menus; folded lines are hidden until they are used or All tools is on."""

    def __init__(self, context: Context, actions: Actions) -> None:
        super().__init__(context.shell.widget)
        self._context = context
        self._actions = actions
        self.setNativeMenuBar(False)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.setStyleSheet("QMenuBar { border: none; }")
        self._menus: dict[str, QMenu] = {}
        """Menus by path; a submenu is made when its menu is filled."""
        # a tool: a page or a line that is folded until it was used
        self._stored_tools: set[str] = set()
        """The lines already stored as used since the start, to store each once."""
        self._lines: dict[str, list[tuple[str, QAction]]] = {}
        """The lines of a filled menu: the tool whose use unfolds it, or "", and the entry."""
        for path in _TOP_LEVEL:
            self.addMenu(self._make(path, f"&{path}"))
        context.style.changed.connect(self._draw_extension)
        self._draw_extension()
        actions.used.connect(self._on_action_used)
        context.playback.shown.connect(self._on_view_state)

    def menu(self, path: str) -> QMenu:
        """Return a menu by its path, such as "Learn/Mistakes", filled."""
        self._fill(path.partition("/")[0])
        return self._menus[path]

    def fill(self) -> None:
        """Fill all menus, which a screen reader may list before one is opened."""
        for path in _TOP_LEVEL:
            self._fill(path)

    def _make(self, path: str, title: str) -> QMenu:
        self._menus[path] = menu = QMenu(title, self)
        menu.aboutToShow.connect(partial(self._prepare, path))
        menu.aboutToHide.connect(lambda: QTimer.singleShot(0, self, self._give_focus_back))
        return menu

    def _prepare(self, path: str) -> None:
        """Update the lines and icons of a menu before it is shown."""
        self._fill(path)
        self._hide_folded_lines(path)
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
        for group in groups(MENUS[path]):
            if lines:
                lines.append(("", menu.addSeparator()))
            for entry in group:
                if entry.startswith(">"):
                    submenu = f"{path}/{entry[1:]}"
                    made = self._make(submenu, entry[1:]).menuAction()
                    self._fill(submenu)
                    lines.append((self._tool_of(submenu), made))
                else:
                    actions = [self._actions[name] for name in action_ids_of(entry, ids)]
                    lines += [(_tools(action).partition(" ")[0], action) for action in actions]
        self._hide_folded_lines(path)

    def _hide_folded_lines(self, path: str) -> None:
        """Show the lines of a menu but those that are folded."""
        menu, lines = self._menus[path], self._lines[path]
        uses = self._context.settings.uses_tool
        shown = [entry for tool, entry in lines if not tool or uses(tool)]
        if lines and menu.actions() != shown:
            for entry in menu.actions():
                menu.removeAction(entry)
            menu.addActions(shown)

    def _tool_of(self, path: str) -> str:
        """Return the tool whose use unfolds a submenu: that of all its lines, if they share one."""
        tools = {tool for tool, entry in self._lines[path] if not entry.isSeparator()}
        return tools.pop() if len(tools) == 1 else ""

    def _on_action_used(self, name: str) -> None:
        """Unfold the lines of an action that was used, and its page, from now on."""
        self._store_tools(set(_tools(self._actions[name]).split()))

    def _on_view_state(self, shown: ViewState) -> None:
        """Unfold what a first complete backward pass offers, and modes begun on a page or strip."""
        frame, quiz = shown.frame, shown.quiz
        tools: set[str] = set()
        if frame.phase == "backward" and frame.cursor == frame.total > 0:
            tools.add("ripple")
        if quiz is not None and quiz.is_cover:
            tools.add("cover")
        if shown.hunt is not None:
            tools.add("hunt")
        elif shown.rules.is_mistake:
            tools |= {"mistakes", "page-mistakes"}
        if self._context.ripples.on:
            tools.add("ripple")
        self._store_tools(tools)
        if shown.change.steps:
            self._name_steps()

    def _store_tools(self, tools: Set[str]) -> None:
        """Store that lines and pages were used, which unfolds them."""
        new = tools - self._stored_tools
        if new:
            self._stored_tools |= new
            for tool in new:
                self._context.settings.note_tool(tool)
            self._context.shell.parts.show_tools()

    def _give_focus_back(self) -> None:
        """Leave the bar after Esc has closed a menu, which Space would open again."""
        if self.hasFocus() and QApplication.activePopupWidget() is None:
            self._context.canvas.setFocus()

    def _draw_extension(self) -> None:
        """Draw our icon on Qt's button for the menus that do not fit."""
        button = self.findChild(QToolButton, "qt_menubar_ext_button")
        if isinstance(button, QToolButton):
            button.setIcon(icon("menu", self._context.style.theme))

    def _list_examples(self) -> None:
        menu = self._menus[_EXAMPLES]
        menu.clear()
        for example in examples():
            entry = menu.addAction(_escape_mnemonic(example.title))
            entry.setStatusTip(example.note)
            entry.triggered.connect(partial(open_example, self._context, example.name))

    def _name_steps(self) -> None:
        """Add the names of their steps to the texts of Undo and Redo."""
        document = self._context.document
        for name, steps in (("undo", document.done[-1:]), ("redo", document.undone[:1])):
            step = "".join(_escape_mnemonic(step.name) for step in steps)
            self._actions[name].setText(f"&{name.title()} {step}".rstrip())


def _tools(qaction: QAction) -> str:
    """Return the tools that using an action unfolds, with spaces between them."""
    action = qaction.data()
    assert isinstance(action, Action)
    return action.folded


def _escape_mnemonic(text: str) -> str:
    """Escape & in the text of a menu entry."""
    return text.replace("&", "&&")


# context menus

MAX_SOURCES_LISTED = 30
"""Nodes listed in the submenu Plug in: more would be higher than a screen."""
_NEW_LEAF_DISTANCE = 216.0
"""Distance from a node to a new leaf for its slot, on the left, in scene px."""

CONTEXT_MENUS: Final = {
    "node": "edit_value, label, toggle_constant, >Build/Change to, mark_root, activate_root"
    " | cut, copy, duplicate, delete, heal"
    " | select_ancestors, select_descendants"
    ", group, collapse_group, enter_group, unpack_group, draw_group"
    " | arrange_selection, arrange_selection_down, fit_selection"
    " | toggle_break, to_final, to_first_wrong | copy_picture",
    "group": "label, >Build/Group/Group colour, collapse_group, enter_group, unpack_group"
    ", draw_group | cut, copy, duplicate, delete"
    " | select_content, select_ancestors, select_descendants, fit_selection",
    "wire": "quick_add | unplug",
    "slot": "unplug",  # followed by the nodes that can be plugged in
    "canvas": "quick_add, paste, draw_group | undo, redo"
    " | select_all, arrange, arrange_down, fit_all | forward, backward, copy_picture",
}
"""The entries of each context menu, written as in `MENUS`; after ">" the path of a submenu."""


class ContextMenus(QObject):
    """Opens the menu of a node, a slot, a wire, a group, or the empty canvas."""

    def __init__(self, context: Context, actions: Actions, menu_bar: MenuBar) -> None:
        super().__init__(context.shell.widget)
        self._context = context
        self._actions = actions
        self._menu_bar = menu_bar
        context.canvas.menu_wanted.connect(self.open)

    def open(self, hit: Hit, at: QPoint) -> None:
        """Show the menu of `hit` at a screen position, at which it also adds nodes."""
        canvas = self._context.canvas
        menu = QMenu(self._context.shell.widget)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._actions.refresh()
        self.fill(menu, CONTEXT_MENUS[_menu_for(hit)])
        if hit.part == "slot" and hit.wire is not None:
            self._fill_slot(menu, hit.wire)
        self._actions.draw_icons(menu)
        canvas.hover.set_menu_point(QPointF(canvas.viewport().mapFromGlobal(at)))
        menu.aboutToHide.connect(self._forget_position)
        menu.popup(at)

    def fill(self, menu: QMenu, entries: str) -> None:
        """Fill a menu with entries; leave out disabled actions."""
        for group in groups(entries):
            for name in group:
                if name.startswith(">"):
                    submenu = self._menu_bar.menu(name[1:])
                    if _any_enabled(submenu):
                        _copy_entries(submenu, menu.addMenu(submenu.title()))
                elif self._actions[name].isEnabled():
                    menu.addAction(self._actions[name])
            menu.addSeparator()  # Qt shows none at an end

    def _forget_position(self) -> None:
        """Clear the position after the chosen entry has run, which is after the menu closes."""
        QTimer.singleShot(0, self, lambda: self._context.canvas.hover.set_menu_point(None))

    def _fill_slot(self, menu: QMenu, wire: Wire) -> None:
        """Add the nodes that could be connected to a slot, and for a free slot a new leaf."""
        document = self._context.document
        refused = {*document.graph.fed_by(wire[0]), document.graph.source(wire)}
        sources = [
            (document.graph.title(n), n)
            for n, found in document.graph.nodes.items()
            if not (document.sheet.wiring_locked or isinstance(found, Root) or n in refused)
        ]
        plug = menu.addMenu("Plug in")
        plug.setEnabled(bool(sources))
        for title, node in sources[:MAX_SOURCES_LISTED]:
            entry = plug.addAction(_escape_mnemonic(title))
            # the signal passes whether the entry is checked; n is bound to this node
            entry.triggered.connect(lambda _checked=False, n=node: document.wires.connect(n, *wire))
        if document.graph.source(wire) is None:
            leaf = menu.addAction("Add a leaf here")
            leaf.triggered.connect(lambda: self._add_leaf(wire))

    def _add_leaf(self, wire: Wire) -> None:
        document = self._context.document
        x, y = document.positions[wire[0]]
        document.add_wired(Leaf(), (x - _NEW_LEAF_DISTANCE, y), wire=wire)


def _copy_entries(source: QMenu, menu: QMenu) -> None:
    """Copy the entries of another menu, since a menu can have only one parent."""
    for entry in source.actions():
        inner = entry.menu()
        if isinstance(inner, QMenu):
            _copy_entries(inner, menu.addMenu(inner.title()))
        else:
            menu.addAction(entry)


def _any_enabled(menu: QMenu) -> bool:
    """Return whether any entry of a menu or its submenus is enabled."""
    return any(
        _any_enabled(inner) if isinstance(inner := entry.menu(), QMenu) else entry.isEnabled()
        for entry in menu.actions()
    )


def _menu_for(hit: Hit) -> str:
    """Return the name of the context menu of what was hit."""
    if hit.part == "slot":
        return "slot"
    if hit.wire is not None:
        return "wire"
    if hit.group is not None:
        return "group"
    return "canvas" if hit.node is None else "node"
