"""The menu bar, built from the actions table, with recent files and examples."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMenuBar, QSizePolicy, QToolButton

from app.document.examples import examples
from app.style.icons import icon
from app.window.actions import Actions
from app.window.commands import MENUS
from app.window.commands.file import open_example, open_file
from app.window.context import Context


class MenuBar(QMenuBar):
    """All menus of the table."""

    def __init__(self, context: Context, actions: Actions) -> None:
        super().__init__(context.shell.widget)
        self._context = context
        self._actions = actions
        self.setNativeMenuBar(False)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.setStyleSheet("QMenuBar { border: none; }")
        self._menus: dict[str, QMenu] = {}
        for title in MENUS:
            self._menus[title.replace("&", "")] = self.addMenu(title)
        for action, made in actions:
            if action.menu:
                menu = self._menu(action.menu)
                if action.gap:
                    menu.addSeparator()
                menu.addAction(made)
        for menu in self._menus.values():
            menu.aboutToShow.connect(partial(actions.draw_icons, menu))
        self._add_lists()
        context.style.changed.connect(self._draw_extension)
        self._draw_extension()
        stack = context.document.stack
        stack.undoTextChanged.connect(self._name_undo)
        stack.redoTextChanged.connect(self._name_redo)

    def menu(self, path: str) -> QMenu:
        """Return a menu by its path, such as "Run/Mistakes"."""
        return self._menus[path]

    def _draw_extension(self) -> None:
        """Draw our icon on the button for menus that find no room, which Qt makes."""
        button = self.findChild(QToolButton, "qt_menubar_ext_button")
        if isinstance(button, QToolButton):
            button.setIcon(icon("menu", self._context.style.theme))

    def _menu(self, path: str) -> QMenu:
        if path not in self._menus:
            above, _, title = path.rpartition("/")
            self._menus[path] = self._menu(above).addMenu(title)
        return self._menus[path]

    def _add_lists(self) -> None:
        file, learn = self._menus["File"], self._menus["Learn"]
        before = self._actions["save"]
        recent = QMenu("Open &recent", file)
        examples = QMenu("Open e&xample", file)
        for menu in (recent, examples):
            file.insertMenu(file.actions()[file.actions().index(before) - 1], menu)
        recent.aboutToShow.connect(self._list_recent)
        examples.aboutToShow.connect(self._list_examples)
        self.recent, self.examples = recent, examples
        learn.addMenu(examples)

    def _list_recent(self) -> None:
        self.recent.clear()
        for path in self._context.files.recent.paths:
            self._entry(self.recent, path.name, str(path), str(path), self._open_recent)
        if self.recent.isEmpty():
            self.recent.addAction("Nothing here yet").setEnabled(False)
        else:
            self.recent.addSeparator()
            self.recent.addAction("Forget all").triggered.connect(self._context.files.recent.clear)

    def _list_examples(self) -> None:
        self.examples.clear()
        for example in examples():
            self._entry(
                self.examples, example.title, example.name, example.note, self._open_example
            )

    def _entry(self, menu: QMenu, text: str, key: str, tip: str, slot: Callable[[], None]) -> None:
        entry = QAction(_plain(text), menu)
        entry.setData(key)
        entry.setStatusTip(tip)
        entry.triggered.connect(slot)
        menu.addAction(entry)

    def _open_recent(self) -> None:
        open_file(self._context, self._key())

    def _open_example(self) -> None:
        open_example(self._context, self._key())

    def _key(self) -> str:
        entry = self.sender()
        assert isinstance(entry, QAction)
        return str(entry.data())

    def _name_undo(self, text: str) -> None:
        self._actions["undo"].setText(f"&Undo {_plain(text)}".rstrip())

    def _name_redo(self, text: str) -> None:
        self._actions["redo"].setText(f"&Redo {_plain(text)}".rstrip())


def _plain(text: str) -> str:
    """Escape & in the text of a menu entry."""
    return text.replace("&", "&&")
