"""Actions as data: an Action defines a menu entry, its shortcut and its button.

`@action("&Undo", "Ctrl+Z", when.can_undo, icon="undo")` over a function of the `Context` defines
one: the function is what it does, its name the id, the first paragraph of its docstring the
tooltip. Menus, toolbar, shortcuts window and command palette all use `commands.ACTIONS`, whose
places in the menus are in `commands.MENUS`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from app.style.icons import icon

if TYPE_CHECKING:
    from app.window.context import Context

ActionCall = Callable[["Context"], object]
"""Does what an action says; its result is ignored."""
Condition = Callable[["Context"], bool]
"""Returns whether an action is enabled, or checked; see `commands.when`."""
Function = TypeVar("Function", bound=ActionCall)
_SHORTCUTS_KEY: Final = "?"
"""The key of the list of shortcuts: the only one without Ctrl that is not about the sheet."""


def always(_context: Context) -> bool:
    """Return True: the condition of actions that are always enabled."""
    return True


def room_question_is_open(context: Context) -> bool:
    """Return whether a question of a lecture is open, whose numbers the room must not see."""
    state = context.guides.room
    return state is not None and state.stage == "asked"


_DEFINED: Final = defaultdict[str, list["Action"]](list)
"""The actions that each module has defined, in the order of its lines."""


class Action(Struct, frozen=True):
    """An action of the window: texts, keys, conditions; as a decorator it binds its function."""

    text: str
    """Its text in menus, with a "&" before its mnemonic."""
    shortcuts: str = ""
    """Its keys with spaces between them, such as "Ctrl+Shift+Z Ctrl+Y"; menus show the first."""
    enabled: Condition = always
    id: str = ""
    call: ActionCall = bool
    icon: str = ""
    """A name in `app.style.icons`."""
    menu: str = ""
    """The path of its menu ("View/Zoom"), or "" for an action of the command palette alone;
    `commands` sets it from `commands.MENUS`."""
    tooltip: str = ""
    """A sentence without its full stop."""
    search: str = ""
    """More words by which the command palette finds it."""
    folded: str = ""
    """Tools, with spaces between them, that its use stores as used; its line is hidden until the
    first of them was."""
    checked: Condition | None = None
    """With this condition the action is a switch."""
    on_canvas: bool = False
    """Whether its keys work on the focused canvas alone."""
    on_sheet: bool = False
    """Whether it changes the sheet or steps through its pass; it is disabled while a page shows a
    stage in place of the sheet."""
    may_reveal: bool = False
    """Whether it is disabled while a question to the room is open, since it may show the
    hidden numbers."""

    def __call__(self, function: Function) -> Function:
        """Define this action, in the function's module."""
        tip = " ".join((function.__doc__ or "").partition("\n\n")[0].split()).removesuffix(".")
        whole = replace(
            self, id=self.id or function.__name__, call=function, tooltip=self.tooltip or tip
        )
        _DEFINED[function.__module__].append(whole)
        return function

    @property
    def keys(self) -> list[str]:
        return self.shortcuts.split()

    @property
    def plain_text(self) -> str:
        """Return the text without its mnemonic mark."""
        return without_mnemonic(self.text)

    def key_sequences(self, on_stage: bool) -> list[QKeySequence]:
        """Return its shortcuts; on a stage letters belong to the stage's own fields."""
        return [QKeySequence(key) for key in self.keys if not (on_stage and _is_letter(key))]

    @property
    def shown_keys(self) -> str:
        """Return its first shortcut as displayed, or ""."""
        if not self.shortcuts:
            return ""
        return QKeySequence(self.keys[0]).toString(QKeySequence.SequenceFormat.NativeText)


action = Action
"""Over a function: defines an action of window and files that any state of a lecture allows."""
revealing_action = partial(Action, may_reveal=True)
sheet_action = partial(Action, on_sheet=True)
pass_action = partial(Action, on_sheet=True, may_reveal=True)


def actions_of(*modules: ModuleType) -> tuple[Action, ...]:
    """Return the actions that modules define, module by module."""
    return tuple(found for module in modules for found in _DEFINED[module.__name__])


class Actions(QObject):
    """The table as QActions by id, each enabled and checked by the window's state.

    For a fast start only those with a shortcut are made at once, the others on first access.
    """

    used = Signal(str)
    """Emitted with the id of an action after it was done."""

    def __init__(self, context: Context, table: tuple[Action, ...]) -> None:
        super().__init__(context.shell.widget)
        self._context = context
        self._base_table = self._table = table
        self._by_id = {action.id: action for action in table}
        self._qactions = {action.id: self._make(action) for action in table if action.shortcuts}
        self._is_running = self._staged = False
        """Whether an action runs; whether a stage was shown at the last refresh."""

    def __getitem__(self, name: str) -> QAction:
        if name not in self._qactions:
            self._qactions[name] = self._make(self._by_id[name])
            if not self._must_defer:
                self._update(self._by_id[name], {})
        return self._qactions[name]

    def __iter__(self) -> Iterator[tuple[Action, QAction]]:
        return ((action, self[action.id]) for action in self._table)

    def ids_in(self, menu: str) -> list[str]:
        """Return the ids of the actions in a menu, given its path."""
        return [action.id for action in self._base_table if action.menu == menu]

    def set_palette_actions(self, actions: tuple[Action, ...]) -> None:
        """Add actions to those of the table, replacing those of the previous call."""
        # one with the id of an action of the table is not used
        self._by_id = {action.id: action for action in actions} | self._by_id
        self._table = self._base_table + actions

    def refresh(self) -> None:
        """Enable and check every action.

        Not while an action runs, or the message about an edit is being delivered: the state behind
        the conditions may be inconsistent, and another refresh follows.
        """
        if self._must_defer:
            return
        self._update_letter_keys()
        results: dict[Condition, bool] = {}  # actions share conditions; each is evaluated once
        for action in self._table:
            if action.id in self._qactions:
                self._update(action, results)

    @property
    def _must_defer(self) -> bool:
        return self._is_running or self._context.playback.lags_behind_document

    def draw_icons(self, menu: QMenu) -> None:
        """Draw the icons of a menu in the current colours, before it is shown."""
        for qaction in menu.actions():
            action = qaction.data()
            if isinstance(action, Action) and action.icon:
                qaction.setIcon(icon(action.icon, self._context.style.theme))

    def _update(self, action: Action, results: dict[Condition, bool]) -> None:
        """Enable and check one action; `results` caches conditions."""
        qaction = self._qactions[action.id]
        if action.enabled not in results:
            results[action.enabled] = action.enabled(self._context)
        enabled = results[action.enabled] and not (self._staged and action.on_sheet)
        if enabled and action.may_reveal:
            enabled = not room_question_is_open(self._context)
        if qaction.isEnabled() != enabled:
            qaction.setEnabled(enabled)
        if action.checked is not None:
            qaction.setChecked(action.checked(self._context))

    def _update_letter_keys(self) -> None:
        """Remove single-letter shortcuts while a stage is shown, and restore them afterwards."""
        staged = self._context.shell.parts.staged
        if staged == self._staged:
            return
        self._staged = staged
        for action in self._table:
            if any(map(_is_letter, action.keys)):
                self._qactions[action.id].setShortcuts(action.key_sequences(staged))

    def _make(self, action: Action) -> QAction:
        qaction = QAction(action.text, self)
        qaction.setObjectName(action.id)
        qaction.setCheckable(action.checked is not None)
        if action.tooltip:
            qaction.setStatusTip(action.tooltip)
        qaction.setToolTip(tooltip_of(action))
        qaction.setData(action)
        qaction.triggered.connect(self._on_triggered)
        qaction.setShortcutVisibleInContextMenu(True)
        qaction.setIconVisibleInMenu(True)
        qaction.setShortcuts(action.key_sequences(on_stage=False))
        if action.on_canvas:
            qaction.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            self._context.canvas.addAction(qaction)
        else:
            self._context.shell.widget.addAction(qaction)
        return qaction

    def _on_triggered(self) -> None:
        """Run the action that was triggered; an action may trigger another."""
        qaction = self.sender()
        assert isinstance(qaction, QAction)
        action: Action = qaction.data()
        outermost = not self._is_running
        self._is_running = True
        try:
            action.call(self._context)
        finally:
            self._is_running = not outermost
        self.refresh()
        self.used.emit(action.id)


def without_mnemonic(text: str) -> str:
    """Return the text of an action without its mnemonic mark, and with "&" for "&&"."""
    return re.sub(r"&(.)", r"\1", text)


def _is_letter(key: str) -> bool:
    """Return whether a shortcut is one character, with Shift or without; never `_SHORTCUTS_KEY`."""
    return len(key.removeprefix("Shift+")) == 1 and key != _SHORTCUTS_KEY


def tooltip_of(action: Action) -> str:
    """Return the tooltip, or else the text, followed by the shortcut."""
    text = action.tooltip or action.plain_text.rstrip("…")
    return f"{text} ({action.shown_keys})" if action.shortcuts else text
