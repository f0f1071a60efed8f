"""The menu bar, filled from the actions table, with the lists of recent files and examples."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAction, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from app.style import sizes
from app.style.mark import paint_mark
from app.window.tables import MENUS

if TYPE_CHECKING:
    from app.window.main_window import MainWindow

_BEFORE = {"File": "save", "Learn": ""}
"""Before which action a menu shows its lists of files."""


class Brand(QWidget):
    """The mark and the name at the left end of the menu bar."""

    def __init__(self, window: MainWindow, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = window.look
        self._look.changed.connect(self._resize)
        self._resize()

    def _resize(self) -> None:
        px = self._look.px
        font = self._look.font("heading")
        self.setFont(font)
        width = self.fontMetrics().horizontalAdvance("Backwire")
        self.setFixedSize(width + px(16 + 20 + 16), px(sizes.MENU) - 2)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        px, theme = self._look.px, self._look.theme
        painter = QPainter(self)
        side = px(20)
        top = (self.height() - side) // 2
        paint_mark(painter, QRect(px(14), top, side, side).toRectF(), theme)
        painter.setPen(theme.text)
        painter.setFont(self._look.font("heading"))
        area = self.rect().adjusted(px(14 + 20 + 6), 0, 0, 0)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, "Backwire")


class MenuBar(QMenuBar):
    """All menus, and the document's name in the middle where there is room."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.setNativeMenuBar(False)
        self._brand = Brand(window, self)
        self.setCornerWidget(self._brand, Qt.Corner.TopLeftCorner)
        self._menus: dict[str, QMenu] = {}
        for title in MENUS:
            self._menus[title.replace("&", "")] = self.addMenu(title)
        for action, made in window.commands:
            if action.menu:
                menu = self._menu(action.menu)
                if action.gap:
                    menu.addSeparator()
                menu.addAction(made)
        self._add_lists()
        window.windowTitleChanged.connect(self.update)

    def menu(self, path: str) -> QMenu:
        """A menu by its path, such as "Run/Mistakes"."""
        return self._menus[path]

    def _menu(self, path: str) -> QMenu:
        if path not in self._menus:
            above, _, title = path.rpartition("/")
            self._menus[path] = self._menu(above).addMenu(title)
        return self._menus[path]

    def _add_lists(self) -> None:
        file, learn = self._menus["File"], self._menus["Learn"]
        before = self._window.commands["save"]
        recent = QMenu("Open &recent", file)
        examples = QMenu("Open e&xample", file)
        for menu in (recent, examples):
            file.insertMenu(file.actions()[file.actions().index(before) - 1], menu)
        recent.aboutToShow.connect(self._list_recent)
        examples.aboutToShow.connect(self._list_examples)
        self._recent, self._examples = recent, examples
        learn.addMenu(examples)

    def _list_recent(self) -> None:
        self._recent.clear()
        for path in self._window.filing.recent.paths:
            self._entry(self._recent, path.name, path, self._open_recent)
        if self._recent.isEmpty():
            self._recent.addAction("Nothing here yet").setEnabled(False)
        else:
            self._recent.addSeparator()
            self._recent.addAction("Forget all").triggered.connect(self._window.filing.recent.clear)

    def _list_examples(self) -> None:
        from app.document.examples import examples

        self._examples.clear()
        for example in examples():
            self._entry(self._examples, example.title, example.path, self._open_example)

    def _entry(self, menu: QMenu, text: str, path: Path, slot: object) -> None:
        entry = QAction(text.replace("&", "&&"), menu)
        entry.setData(path)
        entry.setStatusTip(str(path))
        entry.triggered.connect(slot)
        menu.addAction(entry)

    def _open_recent(self) -> None:
        self._window.filing.open(self._path())

    def _open_example(self) -> None:
        self._window.filing.open_example(self._path())

    def _path(self) -> Path:
        entry = self.sender()
        assert isinstance(entry, QAction)
        return Path(entry.data())

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        name = self._window.document.path.name if self._window.document.path else ""
        if not name:
            return
        text = f"{name}, edited" if self._window.document.modified else name
        look = self._window.look
        painter = QPainter(self)
        painter.setFont(look.font("caption"))
        painter.setPen(look.theme.secondary)
        width = painter.fontMetrics().horizontalAdvance(text)
        left = (self.width() - width) // 2
        used = self.actionGeometry(self.actions()[-1]).right() + look.px(sizes.SPACES[4])
        if left > used:
            area = QRect(left, 0, width + 2, self.height())
            painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, text)
