"""History: a sheet and the steps that led to it, each of them named, undoable, or refused whole.

Steps that share a gesture number merge into one; a gesture can be given up without a trace: what
could be redone before it can be redone again. Which group is looked into is part of no step; when
a step takes that group away, one looks at what was around it. Each edit, undo or redo is told in
one message, once the sheet and the stack of steps agree.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from weakref import ref

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack
from shiboken6 import isValid

from app.document import grouping
from app.document.change import NO_CHANGE, difference
from app.document.edit import Edit
from app.document.sheet import Point, Sheet, check_places, same_sheet
from engine.errors import EditError
from engine.graph import Graph

Step = Callable[[Sheet], Sheet]
Text = str | Callable[[Sheet], str]
"""What a step is called; if that needs the sheet, it is asked once the step is known to be fine."""


@dataclass(frozen=True, slots=True)
class _Tail:
    """What could be redone before a gesture, from which step on, and which one the file holds."""

    gesture: int
    index: int
    clean: int
    edits: tuple[Edit, ...]


class History(QObject):
    """The sheet as it is now, and the way back."""

    changed = Signal(object)
    """A Change, once per edit, undo or redo, when the history is up to date as well."""
    refused = Signal(str)
    """The sentence of an edit that was refused; nothing has changed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sheet = self._told = Sheet()
        self._gestures = 0
        self._way: tuple[int, ...] = ()
        self._told_inside: int | None = None
        self._told_clean = True
        self._tail: _Tail | None = None
        self._at_rest = True  # False while several steps of the stack make one change
        self.stack = QUndoStack(self)
        tell = _teller(self)
        self.stack.indexChanged.connect(tell)  # comes after the step, when the stack is up to date
        self.stack.cleanChanged.connect(tell)

    @property
    def sheet(self) -> Sheet:
        """The sheet as it is now."""
        return self._sheet

    @property
    def graph(self) -> Graph:
        """The graph as it is now."""
        return self._sheet.graph

    @property
    def positions(self) -> Mapping[int, Point]:
        """The top left corner of every node."""
        return self._sheet.positions

    @property
    def inside(self) -> int | None:
        """The group that is looked into, which new nodes join; None for the whole sheet."""
        return self._way[-1] if self._way else None

    @property
    def seen(self) -> frozenset[int]:
        """The nodes that can be seen: all, or those of the group that is looked into."""
        if self.inside is None:
            return frozenset(self.graph.nodes)
        return grouping.members_of(self._sheet.groups, self.inside)

    @property
    def empty(self) -> bool:
        """Whether there is nothing on the sheet."""
        return not self.graph.nodes and not self._sheet.sections

    def new_gesture(self) -> int:
        """A number by which the steps of one gesture merge."""
        self._gestures = self._gestures % 2_000_000_000 + 1
        return self._gestures

    def commit(self, text: Text, step: Step, gesture: int = 0) -> bool:
        """Do one step, undoable under `text`; returns whether it was not refused."""
        before = self._sheet
        try:
            after = grouping.joined(step(before), before, self.inside)
            check_places(before, after)
        except EditError as error:
            self.refused.emit(str(error))
            return False
        if not same_sheet(before, after):
            name = text if isinstance(text, str) else text(before)
            self._remember_tail(gesture)
            edit = Edit(name, before, after, self._show, gesture)
            self.stack.push(edit)
        return True

    def look_inside(self, group: int | None) -> None:
        """Look at the inside of a group alone, or at the whole sheet again."""
        self._way = grouping.way_to(self._sheet.groups, group)
        self.tell()

    def abandon(self, gesture: int) -> None:
        """Take back all steps of a gesture, and leave to redo what there was before it."""
        current = self._last()
        self._at_rest = False
        if gesture and current is not None and current.gesture == gesture:
            self.take_back()
        self._put_back_tail(gesture)
        self._at_rest = True
        self.tell()

    def take_back(self) -> None:
        """Undo the last step and leave no redo of it."""
        current = self._last()
        if current is not None:
            current.withdraw()
            self.stack.undo()

    # for the document

    def _begin(self, sheet: Sheet) -> None:
        """Show another sheet without a step that leads to it; the history is emptied."""
        self._at_rest = False
        self._sheet, self._way, self._tail = sheet, (), None
        self.stack.clear()
        self._at_rest = True
        self.tell(whole=True)

    def _last(self) -> Edit | None:
        """The step that an undo would take back."""
        current = self.stack.command(self.stack.index() - 1) if self.stack.index() else None
        return current if isinstance(current, Edit) else None

    def _remember_tail(self, gesture: int) -> None:
        """A step is about to do away with what could be redone."""
        stack, tail = self.stack, self._tail
        if gesture and tail is not None and tail.gesture == gesture:
            return
        self._tail = None
        if gesture and stack.canRedo():
            later = (stack.command(k) for k in range(stack.index(), stack.count()))
            edits = tuple(edit.again() for edit in later if isinstance(edit, Edit))
            self._tail = _Tail(gesture, stack.index(), stack.cleanIndex(), edits)

    def _put_back_tail(self, gesture: int) -> None:
        """Let what could be redone before a gesture be redone again."""
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
        """Take over the sheet of a step; the stack says when the step is done."""
        self._sheet = sheet
        there = [group for group in self._way if group in sheet.groups]
        self._way = grouping.way_to(sheet.groups, there[-1] if there else None)

    def tell(self, *, whole: bool = False, file: bool = False) -> None:
        """Say what differs from what was said last."""
        if not self._at_rest:
            return
        before, self._told = self._told, self._sheet
        inside, self._told_inside = self._told_inside, self.inside
        clean, self._told_clean = self._told_clean, self.stack.isClean()
        change = difference(before, self._sheet) if before is not self._sheet else NO_CHANGE
        other_inside, other_file = inside != self.inside, file or clean != self._told_clean
        if whole or other_inside or other_file:
            wiring = whole or change.wiring
            change = replace(
                change, whole=whole, wiring=wiring, inside=other_inside, file=whole or other_file
            )
        if change != NO_CHANGE:
            self.changed.emit(change)


def _teller(history: History) -> Callable[[object], None]:
    """What the stack calls after each step.

    A stack signals once more while it is destroyed. By then the history may be gone, and calling a
    bound method of it would crash the process.
    """
    found = ref(history)

    def tell(_state: object) -> None:
        living = found()
        if living is not None and isValid(living.stack):
            living.tell()

    return tell
