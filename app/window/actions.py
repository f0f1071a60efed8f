"""Actions as data: an Action defines a menu entry, its shortcut and its button.

Menus, toolbar, shortcuts window and command palette all use one table, `commands.ACTIONS`.
`commands.menus` places its actions in the menus.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from app.style.icons import icon

if TYPE_CHECKING:
    from app.window.context import Context

ActionCall = Callable[["Context"], object]
Condition = Callable[["Context"], bool]


_PASS_MENUS: Final = ("File", "Run", "Learn", "")
"""The menus whose conditions depend on the pass and the place in it; "" is the palette alone."""
_LIST_KEY: Final = "?"
"""The only key without Ctrl that is not about the sheet."""


def always(_context: Context) -> bool:
    """Return True: the condition of actions that are always enabled."""
    return True


class Action(Struct, frozen=True):
    """One thing the window can do.

    `menu` is the path of its menu ("View/Zoom"), or "" for an action of the command palette alone;
    it comes from `commands`. With `checked` it is a switch. `on_canvas` keys work only while the
    canvas has the focus. `on_sheet`: it does something to the sheet or to its pass, and is disabled
    while a stage is in place of the sheet.
    """

    id: str
    text: str
    call: ActionCall
    keys: tuple[str, ...] = ()
    icon: str = ""
    menu: str = ""
    tooltip: str = ""
    enabled: Condition = always
    checked: Condition | None = None
    on_canvas: bool = False
    on_sheet: bool = False

    @property
    def plain_text(self) -> str:
        """Return the text without its mnemonic mark."""
        return without_mnemonic(self.text)

    @property
    def of_pass(self) -> bool:
        """Return whether its conditions may depend on the pass and the place in it."""
        return self.menu.partition("/")[0] in _PASS_MENUS

    def keys_on(self, stage: bool) -> list[QKeySequence]:
        """Return its shortcuts, on the sheet or on a stage in its place, which has no letters."""
        return [QKeySequence(key) for key in self.keys if not (stage and _is_letter(key))]

    @property
    def shown_keys(self) -> str:
        """Return its first shortcut as displayed, or ""."""
        if not self.keys:
            return ""
        return QKeySequence(self.keys[0]).toString(QKeySequence.SequenceFormat.NativeText)


sheet_action = partial(Action, on_sheet=True)
"""An action that does something to the sheet or to its pass."""


class Actions(QObject):
    """The table as QActions, each enabled and checked by the window's state.

    One with a shortcut is made at once, any other when it is first asked for.
    """

    used = Signal(str)
    """Emitted with the id of an action after it was done."""

    def __init__(self, context: Context, table: tuple[Action, ...]) -> None:
        super().__init__(context.shell.widget)
        self._context = context
        self._fixed = self._table = table
        self._by_id = {action.id: action for action in table}
        self._made = {action.id: self._make(action) for action in table if action.keys}
        self._calling = self._staged = False
        self._due: set[bool] = set()
        """The refreshes that are deferred: of every action, of those of the pass."""

    def __getitem__(self, name: str) -> QAction:
        if name not in self._made:
            self._made[name] = self._make(self._by_id[name])
            if self._is_deferred:
                self._due.add(False)
            else:
                self._update(self._by_id[name], {})
        return self._made[name]

    def __iter__(self) -> Iterator[tuple[Action, QAction]]:
        return ((action, self[action.id]) for action in self._table)

    def ids_in(self, menu: str) -> list[str]:
        """Return the ids of the actions in a menu, given its path."""
        return [action.id for action in self._fixed if action.menu == menu]

    def set_palette_actions(self, extras: tuple[Action, ...]) -> None:
        """Add actions to those of the table, in place of the extras before."""
        self._by_id = {action.id: action for action in extras} | self._by_id
        self._table = self._fixed + extras

    def refresh(self, of_pass: bool = False) -> None:
        """Enable and check every action, or those of a pass; each condition is evaluated once.

        While an action runs, or the message about an edit is being delivered, the refresh is
        deferred: the state behind the conditions may be inconsistent until then.
        """
        self._due.add(of_pass)
        if self._is_deferred:
            return
        every, self._due = False in self._due, set()
        self._mute_letters()
        answers: dict[Condition, bool] = {}
        for action in self._table:
            if action.id in self._made and (every or action.of_pass):
                self._update(action, answers)

    @property
    def _is_deferred(self) -> bool:
        return self._calling or self._context.playback.lags_behind_document

    def draw_icons(self, menu: QMenu) -> None:
        """Draw the icons of a menu in the current colours, before it is shown."""
        for made in menu.actions():
            action = made.data()
            if isinstance(action, Action) and action.icon:
                made.setIcon(icon(action.icon, self._context.style.theme))

    def _update(self, action: Action, answers: dict[Condition, bool]) -> None:
        """Enable and check one action; `answers` holds the conditions evaluated so far."""
        made = self._made[action.id]
        if action.enabled not in answers:
            answers[action.enabled] = action.enabled(self._context)
        enabled = answers[action.enabled] and not (self._staged and action.on_sheet)
        if made.isEnabled() != enabled:
            made.setEnabled(enabled)
        if action.checked is not None:
            made.setChecked(action.checked(self._context))

    def _mute_letters(self) -> None:
        """Take the letters away from a stage that has come, and give them back to the sheet."""
        staged = self._context.shell.parts.staged
        if staged == self._staged:
            return
        self._staged = staged
        for action in self._table:
            if any(map(_is_letter, action.keys)):
                self._made[action.id].setShortcuts(action.keys_on(staged))

    def _make(self, action: Action) -> QAction:
        made = QAction(action.text, self)
        made.setObjectName(action.id)
        made.setCheckable(action.checked is not None)
        if action.tooltip:
            made.setStatusTip(action.tooltip)
        made.setToolTip(tooltip_of(action))
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
        self.refresh(of_pass=action.of_pass)
        self.used.emit(action.id)


def without_mnemonic(text: str) -> str:
    """Return the text of an action without its mnemonic mark, and with "&" for "&&"."""
    return re.sub(r"&(.)", r"\1", text)


def _is_letter(key: str) -> bool:
    """Return whether a shortcut about the sheet is one character, with Shift or without."""
    return len(key.removeprefix("Shift+")) == 1 and key != _LIST_KEY


def tooltip_of(action: Action) -> str:
    """Return the tooltip or the text, and the shortcut."""
    text = action.tooltip or action.plain_text.rstrip("…")
    return f"{text} ({action.shown_keys})" if action.keys else text
