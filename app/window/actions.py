"""Actions as data: an Action defines a menu entry, its shortcut and its button.

Menus, toolbar, shortcuts window and command palette all use one table, `commands.ACTIONS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from app.style.icons import icon

if TYPE_CHECKING:
    from app.window.context import Context

ActionCall = Callable[["Context"], object]
Condition = Callable[["Context"], bool]


PASS_MENUS = ("Run", "Learn")
"""The only menus whose conditions depend on the pass and the place in it."""
SHEET_MENUS = ("Edit", "Graph", "Run", "Run/Time machine")
"""Menus of what is done to the sheet; their actions are disabled while a stage is in its place."""
LETTERS = ("View", "Learn")
"""Menus whose keys without Ctrl are no keys meanwhile: they are about the sheet as well."""


def always(_context: Context) -> bool:
    """Return True: the condition of actions that are always enabled."""
    return True


class Action(Struct, frozen=True):
    """One thing the window can do.

    `menu` is the path of its menu ("View/Theme"), or empty; `gap` adds a separator before it. With
    `checked` it is a switch. `on_canvas` keys work only while the canvas has the focus. With
    `hides` it is hidden while it is disabled.
    """

    id: str
    text: str
    call: ActionCall
    keys: tuple[str, ...] = ()
    icon: str = ""
    menu: str = ""
    tip: str = ""
    enabled: Condition = always
    checked: Condition | None = None
    gap: bool = False
    on_canvas: bool = False
    hides: bool = False

    @property
    def plain_text(self) -> str:
        """Return the text without its mnemonic mark."""
        return self.text.replace("&", "")

    @property
    def top_menu(self) -> str:
        """Return the name of its menu in the menu bar, or ""."""
        return self.menu.partition("/")[0]

    @property
    def on_sheet(self) -> bool:
        """Return whether it does something to the sheet or to its pass."""
        return self.menu in SHEET_MENUS or self.top_menu == "Graph"

    def keys_on(self, stage: bool) -> list[QKeySequence]:
        """Return its shortcuts, on the sheet or on a stage in its place."""
        muted = stage and self.top_menu in LETTERS
        return [QKeySequence(key) for key in self.keys if not (muted and _is_letter(key))]

    @property
    def shown_keys(self) -> str:
        """Return its first shortcut as displayed, or ""."""
        if not self.keys:
            return ""
        return QKeySequence(self.keys[0]).toString(QKeySequence.SequenceFormat.NativeText)


class Actions(QObject):
    """The table as QActions, each enabled and checked by the window's state."""

    def __init__(self, context: Context, table: tuple[Action, ...]) -> None:
        super().__init__(context.shell.widget)
        self._context = context
        self._table: tuple[Action, ...] = ()
        self._made: dict[str, QAction] = {}
        self._calling = False
        self._due: set[bool] = set()
        """Menus whose refresh is deferred; "" stands for all of them."""
        self.extend(table)

    def __getitem__(self, name: str) -> QAction:
        return self._made[name]

    def __iter__(self) -> Iterator[tuple[Action, QAction]]:
        return ((action, self._made[action.id]) for action in self._table)

    def extend(self, table: tuple[Action, ...]) -> None:
        """Create further actions; existing ones stay."""
        more = tuple(action for action in table if action.id not in self._made)
        self._table += more
        self._made |= {action.id: self._make(action) for action in more}

    def refresh(self, of_pass: bool = False) -> None:
        """Enable and check every action, or those of a pass; each condition is evaluated once.

        While an action runs, or the message about an edit is being delivered, the refresh is
        deferred: the state behind the conditions may be inconsistent until then.
        """
        self._due.add(of_pass)
        if self._calling or self._context.playback.behind:
            return
        every, self._due = False in self._due, set()
        answers: dict[Condition, bool] = {}
        for action in self._table:
            if every or action.top_menu in PASS_MENUS:
                self._update(action, answers)

    def draw_icons(self, menu: QMenu) -> None:
        """Draw the icons of a menu in the current colours, before it is shown."""
        for made in menu.actions():
            action = made.data()
            if isinstance(action, Action) and action.icon:
                made.setIcon(icon(action.icon, self._context.style.theme))

    def _update(self, action: Action, answers: dict[Condition, bool]) -> None:
        """Enable and check one action; `answers` holds the conditions evaluated so far."""
        made, staged = self._made[action.id], self._context.shell.parts.staged
        if action.enabled not in answers:
            answers[action.enabled] = action.enabled(self._context)
        enabled = answers[action.enabled] and not (staged and action.on_sheet)
        if made.isEnabled() != enabled:
            made.setEnabled(enabled)
        if action.hides:
            made.setVisible(answers[action.enabled])
        if action.keys and action.top_menu in LETTERS:
            keys = action.keys_on(staged)
            if made.shortcuts() != keys:
                made.setShortcuts(keys)
        if action.checked is not None:
            made.setChecked(action.checked(self._context))

    def _make(self, action: Action) -> QAction:
        made = QAction(action.text, self)
        made.setObjectName(action.id)
        made.setCheckable(action.checked is not None)
        if action.tip:
            made.setStatusTip(action.tip)
        made.setToolTip(tip_of(action))
        made.setData(action)
        made.triggered.connect(self._called)
        made.setShortcutVisibleInContextMenu(True)
        made.setIconVisibleInMenu(True)
        made.setShortcuts(action.keys_on(stage=False))
        if action.on_canvas:
            made.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            self._context.canvas.addAction(made)
        else:
            self._context.shell.widget.addAction(made)
        return made

    def _called(self) -> None:
        made = self.sender()
        assert isinstance(made, QAction)
        action: Action = made.data()
        outermost = not self._calling
        self._calling = True
        try:
            action.call(self._context)
        finally:
            self._calling = not outermost
        # what an action of the pass does to anything else, a signal has asked to refresh already
        self.refresh(of_pass=action.top_menu in PASS_MENUS)


def _is_letter(key: str) -> bool:
    """Return whether a shortcut is one character, with Shift or without, and no function key."""
    return len(key.removeprefix("Shift+")) == 1


def tip_of(action: Action) -> str:
    """Return the tooltip: the tip or the text, and the shortcut."""
    text = action.tip or action.plain_text.rstrip("…")
    return f"{text} ({action.shown_keys})" if action.keys else text
