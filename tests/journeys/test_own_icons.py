"""Every icon is one of ours: in menus, buttons, lists and dialogs, whatever the desktop has."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QIcon, QPixmap
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTabBar,
    QTreeView,
    QTreeWidget,
    QWidget,
)

from app.style.icons import NAMES, icon
from app.style.theme import LIGHT
from app.window.commands import ACTIONS
from app.window.commands.palette_extras import palette_extras
from app.window.dialogs.about import About
from app.window.dialogs.ask import Role, ask, tell
from app.window.frame.main_window import MainWindow
from app.window.frame.menus import CONTEXT_MENUS
from tests.helpers.sampling import sampled
from tests.helpers.window import open_dialogs, open_example

SIDE = QSize(32, 32)
DIALOGS = ("export", "commands", "shortcuts", "about", "open", "save_as")


def shape(found: QIcon) -> bytes:
    """What an icon covers, whatever its colour."""
    return cover(found.pixmap(SIDE, 1.0))


def cover(found: QPixmap) -> bytes:
    image = found.toImage()
    dots = ((x, y) for y in range(image.height()) for x in range(image.width()))
    return bytes(image.pixelColor(x, y).alpha() > 100 for x, y in dots)


@cache
def ours() -> frozenset[bytes]:
    gaps = (0.0, 0.25, -0.25)
    return frozenset(shape(icon(n, LIGHT, gap=g)) for n in NAMES for g in gaps)


def icons_of(widget: QWidget) -> Iterator[tuple[str, QIcon]]:
    """All icons that a widget and what is in it show."""
    for part in (widget, *widget.findChildren(QWidget)):
        name = f"{type(part).__name__} {part.objectName()}"
        if isinstance(part, QAbstractButton):
            yield f"{name} {part.text()}", part.icon()
        elif isinstance(part, QComboBox) and not part.iconSize().isEmpty():
            yield from ((name, part.itemIcon(k)) for k in range(part.count()))
        elif isinstance(part, QTabBar):
            yield from ((name, part.tabIcon(k)) for k in range(part.count()))
        elif isinstance(part, QTreeWidget):
            items = (part.topLevelItem(k) for k in range(part.topLevelItemCount()))
            yield from ((item.text(0), item.icon(0)) for item in items if item is not None)
        elif isinstance(part, QLabel) and not part.pixmap().isNull():
            yield name, QIcon(part.pixmap())
        elif isinstance(part, QMenu):
            yield from menu_icons(part)


def menu_icons(menu: QMenu) -> Iterator[tuple[str, QIcon]]:
    menu.aboutToShow.emit()
    for entry in menu.actions():
        if entry.isIconVisibleInMenu():
            yield entry.text(), entry.icon()


def foreign(found: Iterator[tuple[str, QIcon]]) -> list[str]:
    shapes = ((name, shape(one)) for name, one in found if not one.isNull())
    return [name for name, one in shapes if any(one) and one not in ours()]


@pytest.fixture(autouse=True)
def marks_of_the_desktop(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """A desktop whose theme has an icon for everything that Qt puts beside its own actions."""
    folder = tmp_path / "icons" / "desktop" / "16"
    folder.mkdir(parents=True)
    index = "[Icon Theme]\nName=desktop\nDirectories=16\n[16]\nSize=16\nType=Scalable\n"
    (folder.parent / "index.theme").write_text(index)
    mark = QPixmap(16, 16)
    mark.fill(Qt.GlobalColor.red)
    for name in ("edit-undo", "edit-redo", "edit-cut", "edit-copy", "edit-paste", "edit-delete"):
        mark.save(str(folder / f"{name}.png"))
    before = QIcon.themeSearchPaths(), QIcon.themeName()
    QIcon.setThemeSearchPaths([str(tmp_path / "icons")])
    QIcon.setThemeName("desktop")
    yield
    QIcon.setThemeSearchPaths(before[0])
    QIcon.setThemeName(before[1])


def test_a_foreign_icon_would_be_noticed_and_the_window_shows_only_ours(window: MainWindow):
    open_example(window)  # the start page stays below
    assert foreign(icons_of(window)) == []
    dialog = QMessageBox(QMessageBox.Icon.Warning, "", "", parent=window)
    assert foreign(icons_of(dialog))
    stock = window.style().standardIcon(QStyle.StandardPixmap.SP_DirIcon)
    assert shape(stock) not in ours()


def test_every_action_has_one_of_our_icons_or_none(window: MainWindow):
    for action in (*ACTIONS, *palette_extras(window.context)):
        assert not action.icon or action.icon in NAMES, action.id


def test_menus_context_menus_questions_and_messages_show_only_our_icons(shared_leaf: MainWindow):
    shared_leaf.menu_bar.fill()
    menus = shared_leaf.menu_bar.findChildren(QMenu)
    assert len(menus) > 15
    for menu in menus:
        assert foreign(menu_icons(menu)) == [], menu.title()
    for name, entries in CONTEXT_MENUS.items():
        menu = QMenu(shared_leaf)
        shared_leaf.context_menus.fill(menu, entries)
        shared_leaf.commands.draw_icons(menu)
        assert foreign(menu_icons(menu)) == [], name
    answers = {
        ("Save", Role.ACCEPT): None,
        ("Discard", Role.DESTRUCTIVE): None,
        ("Cancel", Role.REJECT): None,
    }
    for box in (ask(shared_leaf, "Save it?", "More", answers), tell(shared_leaf, "Not saved.")):
        assert box.icon() is QMessageBox.Icon.NoIcon
        assert foreign(icons_of(box)) == []


def test_the_menu_of_a_field_shows_no_icons_of_the_desktop(window: MainWindow):
    for field in (QLineEdit, QPlainTextEdit):
        edit = field("text", window)
        menu = edit.createStandardContextMenu()
        found: list[QAction] = menu.actions()
        assert not all(entry.icon().isNull() for entry in found)
        assert foreign(menu_icons(menu)) == []
        menu.deleteLater()


def test_every_dialog_shows_only_our_icons(shared_leaf: MainWindow):
    for command in sampled(DIALOGS, 2):
        shared_leaf.commands[command].trigger()
        QApplication.processEvents()
        (dialog,) = open_dialogs(shared_leaf)
        found = foreign(icons_of(dialog))
        assert found == (["QLabel "] if isinstance(dialog, About) else [])  # the program's mark
        assert not dialog.windowIcon().isNull() or QApplication.windowIcon().isNull()
        dialog.close()


def test_files_folders_and_places_have_our_icons(shared_leaf: MainWindow, qtbot, tmp_path: Path):
    (tmp_path / "lecture.py").write_text("a = 1")
    shared_leaf.commands["open"].trigger()
    (dialog,) = (d for d in shared_leaf.findChildren(QFileDialog) if d.isVisible())
    dialog.setDirectory(str(tmp_path))
    tree = dialog.findChild(QTreeView, "treeView")
    assert isinstance(tree, QTreeView)
    qtbot.waitUntil(lambda: tree.model().rowCount(tree.rootIndex()) > 0)
    shapes = set()
    for row in range(tree.model().rowCount(tree.rootIndex())):
        option = QStyleOptionViewItem()
        index = tree.model().index(row, 0, tree.rootIndex())
        delegate = tree.itemDelegate()
        assert isinstance(delegate, QStyledItemDelegate)
        delegate.initStyleOption(option, index)
        shapes.add(shape(option.icon))  # pyright: ignore
    assert shapes <= {shape(icon("folder", LIGHT)), shape(icon("new", LIGHT))}
    assert shapes
