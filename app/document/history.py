"""History: a sheet and the steps that led to it, each of them named, undoable, or refused whole.

Steps with the same gesture number merge into one. A gesture can be abandoned without a trace, which
also restores the steps that could be redone before it. Which group is entered is not part of any
step; if a step removes that group, the group around it is entered. Each edit, undo or redo emits
one message, after sheet and undo stack are both updated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from weakref import ref

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack
from shiboken6 import isValid

from app.document import grouping
from app.document.change import NO_CHANGE, difference, same_sheet, same_work
from app.document.sheet import Home, Point, Sheet, check_places
from app.guard import guarded
from engine.errors import EditError
from engine.graph import Graph

Show = Callable[[Sheet], None]

SheetEdit = Callable[[Sheet], Sheet]
StepName = str | Callable[[Sheet], str]
"""A step's name, or a function of the sheet that is called once the step has succeeded."""


class _Tail(Struct, frozen=True):
    """The steps that could be redone before a gesture: index, and which one the file holds."""

    gesture: int
    index: int
    clean: int
    edits: tuple[Edit, ...]


LOCKED = "Editing is locked while you present; E opens it."
KEEPS_WIRING = "This exercise keeps its wiring; only values may change."


class History(QObject):
    """The current sheet with its undo stack."""

    changed = Signal(object)
    """Emitted with a Change, once per edit, undo or redo, after the stack is updated."""
    refused = Signal(str)
    """Emitted with the sentence of a refused edit; nothing has changed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sheet = self._told = Sheet()
        self._gestures = 0
        self._way: tuple[int, ...] = ()
        self._told_inside: int | None = None
        self._home = self._told_home = Home(kept=self._sheet)
        self._told_modified = False
        self._tail: _Tail | None = None
        self._compared: tuple[Sheet, Sheet | None, bool] = (self._sheet, None, True)
        self._at_rest = True  # False while several steps of the stack make one change
        self.locked = False
        """Whether edits are refused, as during a presentation."""
        self.stack = QUndoStack(self)
        tell = _teller(self)
        self.stack.indexChanged.connect(tell)  # emitted after the step, when the stack is updated
        self.stack.cleanChanged.connect(tell)

    @property
    def sheet(self) -> Sheet:
        """Return the current sheet."""
        return self._sheet

    @property
    def graph(self) -> Graph:
        """Return the current graph."""
        return self._sheet.graph

    @property
    def positions(self) -> Mapping[int, Point]:
        """Return the upper left corner of every node."""
        return self._sheet.positions

    @property
    def inside(self) -> int | None:
        """Return the entered group, which new nodes join; None for the whole sheet."""
        return self._way[-1] if self._way else None

    @property
    def seen(self) -> frozenset[int]:
        """Return the visible nodes: all, or those of the entered group."""
        if self.inside is None:
            return frozenset(self.graph.nodes)
        return grouping.members_of(self._sheet.groups, self.inside)

    @property
    def empty(self) -> bool:
        """Return whether the sheet is empty."""
        return not self._sheet.graph.nodes and not self._sheet.sections

    @property
    def modified(self) -> bool:
        """Return whether an edit would be lost with the sheet; looking into groups is none."""
        known = self._compared
        if known[0] is not self._sheet or known[1] is not self._home.kept:
            differs = not same_work(self._sheet, self._home.kept)
            known = self._compared = (self._sheet, self._home.kept, differs)
        return known[2]

    def new_gesture(self) -> int:
        """Return a new gesture number."""
        self._gestures = self._gestures % 2_000_000_000 + 1
        return self._gestures

    def refuse_if_locked(self, *, wiring: bool = False) -> bool:
        """Say that editing, or with `wiring` the wiring, is locked; return whether it is."""
        kept = wiring and self._sheet.keeps_wiring
        if self.locked or kept:
            self.refused.emit(LOCKED if self.locked else KEEPS_WIRING)
        return self.locked or kept

    def commit(
        self, text: StepName, step: SheetEdit, gesture: int = 0, home: Home | None = None
    ) -> bool:
        """Do one undoable step named `text`; return False if it was refused.

        With `home` the sheet belongs there from this step on, until it is undone.
        """
        before = self._sheet
        if self.refuse_if_locked():
            return False
        try:
            after = step(before)
            if after.groups:
                after = grouping.joined(after, before, self.inside)
            check_places(before, after)
            if before.keeps_wiring and home is None and difference(before, after).wiring:
                raise EditError(KEEPS_WIRING)
        except EditError as error:
            self.refused.emit(str(error))
            return False
        if not same_sheet(before, after):
            name = text if isinstance(text, str) else text(before)
            self._remember_tail(gesture)
            show = self._show if home is None else self._moving(before, home)
            edit = Edit(name, before, after, show, gesture)
            self.stack.push(edit)
        return True

    def look_inside(self, group: int | None) -> None:
        """Enter a group, or leave groups with None."""
        self._way = grouping.way_to(self._sheet.groups, group)
        self.tell()

    def abandon(self, gesture: int) -> None:
        """Undo all steps of a gesture, and restore what could be redone before it."""
        current = self._last()
        self._at_rest = False
        if gesture and current is not None and current.gesture == gesture:
            self.take_back()
        self._put_back_tail(gesture)
        self._at_rest = True
        self.tell()

    def take_back(self) -> None:
        """Undo the last step without leaving a redo."""
        current = self._last()
        if current is not None:
            current.withdraw()
            self.stack.undo()

    # for the document

    def _begin(self, sheet: Sheet, home: Home) -> None:
        """Show another sheet, which belongs to `home`, and clear the history."""
        self._at_rest = False
        self._sheet, self._way, self._tail, self._home = sheet, (), None, home
        self.stack.clear()
        self.stack.setClean()  # an empty stack is not cleared, and may have lost its mark
        self._home.kept = sheet
        self._at_rest = True
        self.tell(whole=True)

    def _last(self) -> Edit | None:
        """Return the step that an undo would revert."""
        current = self.stack.command(self.stack.index() - 1) if self.stack.index() else None
        return current if isinstance(current, Edit) else None

    def _remember_tail(self, gesture: int) -> None:
        """Remember the steps that could be redone, before a new step deletes them."""
        stack, tail = self.stack, self._tail
        if gesture and tail is not None and tail.gesture == gesture:
            return
        self._tail = None
        if gesture and stack.canRedo():
            later = (stack.command(k) for k in range(stack.index(), stack.count()))
            edits = tuple(edit.again() for edit in later if isinstance(edit, Edit))
            self._tail = _Tail(gesture, stack.index(), stack.cleanIndex(), edits)

    def _put_back_tail(self, gesture: int) -> None:
        """Restore the steps that could be redone before a gesture."""
        stack, tail = self.stack, self._tail
        if tail is None or tail.gesture != gesture:
            return
        self._tail = None
        if stack.index() != tail.index or stack.canRedo():
            return  # other steps were undone or done meanwhile
        kept = self._sheet, self._way
        for edit in tail.edits:
            stack.push(edit)
            if stack.index() == tail.clean:
                stack.setClean()
        stack.setIndex(tail.index)
        self._sheet, self._way = kept

    def _show(self, sheet: Sheet) -> None:
        """Take over the sheet of a step; the stack signals when the step is done."""
        self._sheet = sheet
        there = [group for group in self._way if group in sheet.groups]
        self._way = grouping.way_to(sheet.groups, there[-1]) if there else ()

    def _moving(self, before: Sheet, home: Home) -> Show:
        """Return what shows the sheets of a step with which the document moves to `home`."""
        old = self._home

        def show(sheet: Sheet) -> None:
            self._home = old if sheet is before else home
            self._show(sheet)

        return show

    def tell(self, *, whole: bool = False, file: bool = False) -> None:
        """Emit the difference to the last message."""
        if self.stack.isClean():
            self._home.kept = self._sheet  # what the file holds
        if not self._at_rest:
            return
        before, self._told = self._told, self._sheet
        inside, self._told_inside = self._told_inside, self.inside
        home, self._told_home = self._told_home, self._home
        modified, self._told_modified = self._told_modified, self.modified
        change = difference(before, self._sheet) if before is not self._sheet else NO_CHANGE
        other_inside = inside != self.inside
        other_file = file or home is not self._home or modified != self._told_modified
        if whole or other_inside or other_file:
            change = replace(
                change, whole=whole, opened=whole, inside=other_inside, file=whole or other_file
            )
        if change != NO_CHANGE:
            self.changed.emit(change)


def _teller(history: History) -> Callable[[object], None]:
    """Return the callback of the stack after each step.

    A stack signals once more while it is destroyed. By then the history may be gone, and calling a
    bound method of it would crash the process.
    """
    found = ref(history)

    def tell(_state: object) -> None:
        living = found()
        if living is not None and isValid(living.stack):
            living.tell()

    return tell


@guarded
class Edit(QUndoCommand):
    """One named step of the history; steps of the same gesture (not 0) merge into one."""

    def __init__(self, text: str, before: Sheet, after: Sheet, show: Show, gesture: int) -> None:
        super().__init__(text)
        self._before = before
        self._after = after
        self._show = show
        self._gesture = gesture
        self._withdrawn = False

    @property
    def gesture(self) -> int:
        """Return the gesture that made it, or 0."""
        return self._gesture

    def again(self) -> Edit:
        """Return the same step without its gesture, so that nothing merges with it."""
        return Edit(self.text(), self._before, self._after, self._show, 0)

    def id(self) -> int:
        """Return the gesture, by which Qt decides what may merge."""
        return self._gesture or -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Absorb a later step of the same gesture; one that ends where it began is removed."""
        if not isinstance(other, Edit) or other._gesture != self._gesture:
            return False
        self._after = other._after
        self.setText(other.text())
        self.setObsolete(same_sheet(self._before, self._after))
        return True

    def withdraw(self) -> None:
        """Make the next undo remove it from the history, so that it can't be redone."""
        self._withdrawn = True

    def undo(self) -> None:
        """Show the sheet before the step."""
        self._show(self._before)
        self.setObsolete(self._withdrawn)  # not earlier: Qt does not undo obsolete commands

    def redo(self) -> None:
        """Show the sheet after the step."""
        self._show(self._after)
