"""The menu bar, filled from the actions table, with the lists of recent files and examples."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAction, QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QMenuBar, QSizePolicy, QWidget

from app.style import sizes
from app.style.mark import paint_mark
from app.window.commands import MENUS

if TYPE_CHECKING:
    from app.window.frame.main_window import MainWindow


class Brand(QWidget):
    """The mark and the name at the left end."""

    def __init__(self, window: MainWindow, parent: QWidget) -> None:
        super().__init__(parent)
        self._look = window.look
        self._named = True
        self._look.changed.connect(self._resize)
        self._resize()

    def set_named(self, named: bool) -> None:
        """Show the name beside the mark, or the mark alone."""
        if named != self._named:
            self._named = named
            self._resize()

    @property
    def name_width(self) -> int:
        """The room that the name takes."""
        return QFontMetrics(self._look.font("heading")).horizontalAdvance("Backwire")

    def _resize(self) -> None:
        width = self.name_width if self._named else 0
        self.setFixedWidth(width + self._look.px(14 + 20 + 6 + 6))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        px, theme = self._look.px, self._look.theme
        with QPainter(self) as painter:
            side = px(20)
            top = (self.height() - side) // 2
            paint_mark(painter, QRect(px(14), top, side, side).toRectF(), theme)
            if not self._named:
                return
            painter.setPen(theme.text)
            painter.setFont(self._look.font("heading"))
            area = self.rect().adjusted(px(14 + 20 + 6), 0, 0, 0)
            painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, "Backwire")


class TopLine(QWidget):
    """The first line of the window: the brand, the menus, and the document's name in the middle."""

    def __init__(self, window: MainWindow, menus: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._menus = menus
        self.setProperty("kind", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._name = QLabel(self)
        self._name.setTextFormat(Qt.TextFormat.PlainText)
        self._name.setProperty("kind", "secondary")
        self._edge = QFrame(self)
        self._edge.setProperty("kind", "rule")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 1)
        row.setSpacing(0)
        self._brand = Brand(window, self)
        row.addWidget(self._brand)
        row.addWidget(menus)
        row.addStretch(1)
        window.document.file_changed.connect(self._place)
        window.look.changed.connect(self._resize)
        self._resize()

    def _resize(self) -> None:
        self.setFixedHeight(self._window.look.px(sizes.MENU))
        self._place()

    def _place(self) -> None:
        """The name stands in the middle of the window, where there is room beside the menus."""
        rest = self._menus.sizeHint().width() + self._window.look.px(14 + 20 + 6 + 6)
        self._brand.set_named(rest + self._brand.name_width <= self.width())
        document = self._window.document
        name = document.path.name if document.path else ""
        self._name.setText(f"{name}, edited" if name and document.modified else name)
        self._name.adjustSize()
        left = (self.width() - self._name.width()) // 2
        self._name.move(left, (self.height() - self._name.height()) // 2)
        used = self._menus.geometry().right() + self._window.look.px(sizes.SPACES[4])
        self._name.setVisible(bool(name) and left > used)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._edge.setGeometry(0, self.height() - 1, self.width(), 1)
        self._place()


class MenuBar(QMenuBar):
    """All menus, from the table."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.setNativeMenuBar(False)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.setStyleSheet("QMenuBar { border: none; }")
        self._menus: dict[str, QMenu] = {}
        for title in MENUS:
            self._menus[title.replace("&", "")] = self.addMenu(title)
        for action, made in window.commands:
            if action.menu:
                menu = self._menu(action.menu)
                if action.gap:
                    menu.addSeparator()
                menu.addAction(made)
        for menu in self._menus.values():
            menu.aboutToShow.connect(partial(window.commands.draw_icons, menu))
        self._add_lists()

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
        self.recent, self.examples = recent, examples
        learn.addMenu(examples)

    def _list_recent(self) -> None:
        self.recent.clear()
        for path in self._window.filing.recent.paths:
            self._entry(self.recent, path.name, str(path), str(path), self._open_recent)
        if self.recent.isEmpty():
            self.recent.addAction("Nothing here yet").setEnabled(False)
        else:
            self.recent.addSeparator()
            self.recent.addAction("Forget all").triggered.connect(self._window.filing.recent.clear)

    def _list_examples(self) -> None:
        from app.document.examples import examples

        self.examples.clear()
        for example in examples():
            self._entry(
                self.examples, example.title, example.name, example.note, self._open_example
            )

    def _entry(self, menu: QMenu, text: str, key: str, tip: str, slot: Callable[[], None]) -> None:
        entry = QAction(text.replace("&", "&&"), menu)
        entry.setData(key)
        entry.setStatusTip(tip)
        entry.triggered.connect(slot)
        menu.addAction(entry)

    def _open_recent(self) -> None:
        self._window.filing.open_named(self._key())

    def _open_example(self) -> None:
        self._window.filing.open_example(self._key())

    def _key(self) -> str:
        entry = self.sender()
        assert isinstance(entry, QAction)
        return str(entry.data())
