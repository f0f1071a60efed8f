"""The menu bar, from `MENUS`; a menu is filled with its submenus before it is first opened."""

from __future__ import annotations

from collections.abc import Set
from functools import partial

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMenuBar, QSizePolicy, QToolButton

from app.document.change import Change
from app.document.examples import examples
from app.style.icons import icon
from app.window.actions import Action, Actions
from app.window.commands.file import open_example
from app.window.commands.menus import AFTER_PASS, FOLDED, MENUS, expanded, groups, tools_of
from app.window.context import Context
from app.workbench.playback.view_state import ViewState
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
        """The lines of a filled menu, folded ones too: the name in `FOLDED`, and the entry."""
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
                    lines += [(name, self._actions[name]) for name in expanded(entry, ids)]
        self._unfold(path)

    def _unfold(self, path: str) -> None:
        """Show the lines of a menu that are not folded now."""
        menu, settings = self._menus[path], self._context.settings
        lines = self._lines[path]
        shown = [made for name, made in lines if name not in FOLDED or settings.uses_tool(name)]
        if lines and menu.actions() != shown:
            for made in menu.actions():
                menu.removeAction(made)
            menu.addActions(shown)

    def _note_used(self, name: str) -> None:
        """Keep the lines of an action that was used, and its page."""
        action = self._actions[name].data()
        assert isinstance(action, Action)
        self._keep(tools_of(name, action.menu))

    def _note_shown(self, shown: ViewState) -> None:
        """Keep what the first whole backward pass brings, and what was begun on a page or strip."""
        frame, quiz = shown.frame, shown.quiz
        tools: set[str] = set()
        if frame.phase == "backward" and frame.cursor == frame.total > 0:
            tools.update(AFTER_PASS)
        if quiz is not None:
            tools.add("cover" if quiz.covers else "predict")
        if shown.hunt is not None:
            tools.add("hunt")
        elif shown.rules not in (CORRECT, UNKNOWN):
            tools |= tools_of("", "Learn/Mistakes")
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
