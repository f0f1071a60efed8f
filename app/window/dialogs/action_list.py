"""Filtered lists of actions: the command palette and the keyboard shortcuts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QIcon, QKeyEvent, QKeySequence, QPixmap
from PySide6.QtWidgets import QDialog, QHeaderView, QTreeWidget, QTreeWidgetItem

from app.controls.focus import ENTER
from app.controls.layouts import in_column
from app.controls.panel import EmptyState
from app.controls.text_fields import FilterEdit
from app.guard import exception_safe
from app.style import sizes
from app.style.icons import icon
from app.window.actions import Action, Actions, without_mnemonic
from app.window.dialogs.ask import fit_screen
from app.window.remote_keys import REMOTE

if TYPE_CHECKING:
    from app.window.context import Context


_SIZE = (660, 480)
"""Initial width and height of the dialog, in px at 100 %."""
_MAX_COLUMNS_WIDTH = 290
"""Maximum total width of the columns for shortcuts and menus, in px at 100 %."""

_NAVIGATION_KEYS: dict[int, tuple[int, bool]] = {
    Qt.Key.Key_Up: (-1, False),
    Qt.Key.Key_Down: (1, False),
    Qt.Key.Key_PageUp: (-1, True),
    Qt.Key.Key_PageDown: (1, True),
}
"""Direction of a navigation key, and whether it moves by pages."""


@exception_safe
class ActionList(QDialog):
    """A searchable list of actions; Enter or a double click calls `choose`, Esc closes.

    Its columns: text, shortcut and, with three `columns`, menu.
    """

    def __init__(
        self,
        context: Context,
        actions: Actions,
        title: str,
        columns: int,
        is_listed: Callable[[Action], bool],
    ) -> None:
        """`is_listed` returns whether an action is listed."""
        super().__init__(context.shell.widget)
        self._style = context.style
        self._actions = actions
        self._is_listed = is_listed
        self._no_icon = QIcon(_transparent_pixmap(context.style.px(sizes.ICON)))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self.filter = FilterEdit(context.style, "Type to search")
        self.nothing = EmptyState(context.style, "Nothing is called that.")
        self.list = QTreeWidget()
        self.list.setColumnCount(columns)
        self.list.setHeaderHidden(True)
        self.list.setRootIsDecorated(False)
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.setIconSize(QSize(context.style.px(sizes.ICON), context.style.px(sizes.ICON)))
        self._lay_out()
        self.filter.filter_changed.connect(self._show_matches)
        self.filter.list_wanted.connect(self.list.setFocus)
        self.filter.installEventFilter(self)
        self.list.itemActivated.connect(self._activated)
        self._show_matches("")

    def texts(self) -> list[str]:
        """Return the actions shown, in order."""
        return [item.text(0) for item in self._items()]

    def _items(self) -> list[QTreeWidgetItem]:
        found = (self.list.topLevelItem(k) for k in range(self.list.topLevelItemCount()))
        return [item for item in found if item is not None]

    def choose(self, action: Action, qaction: QAction) -> None:
        """Handle the chosen action; a list for reading does nothing."""

    def _lay_out(self) -> None:
        px = self._style.px
        parts = (self.filter, (self.list, 1), (self.nothing, 1))
        edge, gap = sizes.SPACES[2], sizes.SPACES[1]
        in_column(*parts, parent=self, style=self._style, edges=edge, gap=gap)
        self.resize(px(_SIZE[0]), px(_SIZE[1]))
        fit_screen(self)

    def _show_matches(self, query: str) -> None:
        self._fill(query)
        found = bool(self._items())
        self.list.setVisible(found)
        self.nothing.setVisible(not found)
        self._limit_column_widths()
        self._move_current(0)

    def _fill(self, query: str) -> None:
        self.list.clear()
        for action, _qaction in ranked(query, self._actions, self._is_listed):
            item = QTreeWidgetItem([action.plain_text, action.shown_keys, _menu_text(action)])
            item.setData(0, Qt.ItemDataRole.UserRole, action)
            item.setIcon(0, self._icon_of(action))
            item.setToolTip(0, action.tooltip)
            self._style_item(item, action)
            self.list.addTopLevelItem(item)

    def _icon_of(self, action: Action) -> QIcon:
        """Return the action's icon, or an empty one, so that all texts begin at one edge."""
        if not action.icon:
            return self._no_icon
        theme = self._style.theme
        enabled = self._actions[action.id].isEnabled()
        return icon(action.icon, theme, theme.text if enabled else theme.secondary)

    def _limit_column_widths(self) -> None:
        """Fit the columns for shortcuts and menus, leaving at least half the width to the names."""
        total = min(self._style.px(_MAX_COLUMNS_WIDTH), self.width() // 2)
        maximum = total // (self.list.columnCount() - 1)
        for column in range(1, self.list.columnCount()):
            self.list.setColumnWidth(column, min(self.list.sizeHintForColumn(column), maximum))

    def _style_item(self, item: QTreeWidgetItem, action: Action) -> None:
        """Grey out the text of a disabled action, and all columns but the first."""
        secondary = self._style.theme.secondary
        for column in range(1, self.list.columnCount()):
            item.setForeground(column, secondary)
        qaction = self._actions[action.id]
        if not qaction.isEnabled():
            item.setForeground(0, secondary)

    def _activated(self, item: QTreeWidgetItem) -> None:
        action: Action = item.data(0, Qt.ItemDataRole.UserRole)
        self.choose(action, self._actions[action.id])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle keys of the filter: arrows move in the list, Enter activates, Esc closes."""
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        if event.key() in _NAVIGATION_KEYS:
            steps, paged = _NAVIGATION_KEYS[event.key()]
            self._move_current(steps * (self.list.verticalScrollBar().pageStep() if paged else 1))
            return True
        if event.key() == Qt.Key.Key_Escape:
            self.reject()
            return True
        if event.key() in ENTER:
            current = self.list.currentItem()
            if current is not None:
                self._activated(current)
            return True
        return False

    def _move_current(self, steps: int) -> None:
        """Move the current entry, within the list."""
        items = self._items()
        current = self.list.currentItem()
        index = items.index(current) + steps if current in items else 0
        if items:
            self.list.setCurrentItem(items[min(max(index, 0), len(items) - 1)])


def ranked(
    query: str, actions: Actions, is_listed: Callable[[Action], bool]
) -> list[tuple[Action, QAction]]:
    """Return the actions that match every word of a query, in any order, best first.

    A word matches in an action's text, search words, tooltip, shortcut or menu. Actions of the same
    rank come by length of their text, then in the order of the table.
    """
    words = _normalized(query).split()
    matches: list[tuple[tuple[int, int, int], Action, QAction]] = []
    for index, (action, qaction) in enumerate(actions):
        rank = _rank(words, action, qaction) if is_listed(action) else None
        if rank is not None:
            length = len(action.plain_text) if words else 0
            matches.append(((rank, length, index), action, qaction))
    return [
        (action, qaction) for _rank, action, qaction in sorted(matches, key=lambda match: match[0])
    ]


def _rank(words: list[str], action: Action, qaction: QAction) -> int | None:
    """Return the rank of an action for a query, 0 best, or None if it does not match."""
    text = _normalized(without_mnemonic(qaction.text()))
    everything = _normalized(
        f"{text} {action.search} {action.tooltip} {action.shown_keys} {_menu_text(action)}"
    )
    if not all(word in everything for word in words):
        return None
    keywords = f"{text} {_normalized(action.search)}"
    criteria = (  # from the best match to the weakest
        all(word in text for word in words) and (not words or text.startswith(words[0])),
        set(words) <= set(keywords.split()),
        _all_begin(words, text),
        _all_begin(words, keywords),
        all(word in text for word in words),
        _all_begin(words, everything),
    )
    return criteria.index(True) if True in criteria else len(criteria)


def _all_begin(words: list[str], text: str) -> bool:
    return all(any(part.startswith(word) for part in text.split()) for word in words)


def _normalized(text: str) -> str:
    """Return a text for comparison: in lower case, without dots, and with 150 % written as 150%."""
    text = text.casefold().replace("\N{NO-BREAK SPACE}", " ")
    return text.replace("…", " ").replace(" %", "%")


def _transparent_pixmap(side: int) -> QPixmap:
    """Return a transparent square."""
    picture = QPixmap(side, side)
    picture.fill(Qt.GlobalColor.transparent)
    return picture


def _menu_text(action: Action) -> str:
    return action.menu.replace("/", ", ")


class CommandPalette(ActionList):
    """A searchable list of all actions, which runs the chosen one if it is enabled."""

    def __init__(self, context: Context, actions: Actions) -> None:
        # all but the one that opens it
        super().__init__(context, actions, "Commands", 3, lambda action: action.id != "commands")

    def choose(self, action: Action, qaction: QAction) -> None:
        """Run the action after this dialog is closed."""
        if qaction.isEnabled():
            self.accept()
            # when the focus is back in the window, where some actions act on it
            QTimer.singleShot(0, qaction, qaction.trigger)


GESTURES = (
    ("Edit the value of a leaf or a constant", "Enter on it, or double-click its number"),
    ("Change a value by hand", "drag its number, or wheel on it"),
    ("Play or pause", "a tap of Space on the sheet"),
    ("Pan", "Space + drag, middle button, or two fingers"),
    ("Zoom at the pointer", "wheel, or pinch"),
    ("Fit all, outside a pass", "Home"),
    ("Select several nodes", "drag a box"),
    ("Add to the selection", "Shift + click"),
    ("Add a node fed by the selected one", "Tab, or click in the palette"),
    ("Fill a free slot of the selected node", "Tab, then a name or a number"),
    ("Add a node without a wire", "Shift + Enter in quick add"),
    ("Unplug a wire", "Alt + click, or Ctrl + Shift + click"),
    ("Move all wires of an output", "Ctrl + drag"),
    ("Walk along wires", "arrow keys on a node"),
    ("Wire from the selected node", "W"),
)
"""Gestures and keys on the canvas that no action has: what they do, and how."""


class Shortcuts(ActionList):
    """The actions with a shortcut, gestures and the keys of a remote, for reading."""

    def __init__(self, context: Context, actions: Actions) -> None:
        super().__init__(
            context, actions, "Keyboard shortcuts", 2, lambda action: bool(action.shortcuts)
        )

    def _fill(self, query: str) -> None:
        super()._fill(query)
        for text, keys in (*GESTURES, *REMOTE.values()):
            if all(word in f"{text} {keys}".casefold() for word in query.split()):
                self.list.addTopLevelItem(QTreeWidgetItem([text, keys]))

    def _style_item(self, item: QTreeWidgetItem, action: Action) -> None:
        super()._style_item(item, action)
        form = QKeySequence.SequenceFormat.NativeText
        item.setText(1, ", ".join(QKeySequence(key).toString(form) for key in action.keys))
        item.setForeground(0, self._style.theme.text)

    def _move_current(self, steps: int) -> None:
        """Scroll, because no entry can be selected."""
        bar = self.list.verticalScrollBar()
        bar.setValue(bar.value() + steps)

    def _activated(self, item: QTreeWidgetItem) -> None:
        """Ignore activation: the list is only for reading."""
