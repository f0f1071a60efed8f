"""History: a sheet and the steps that led to it, each of them named, undoable, or refused whole.

Steps that share a gesture number merge into one; a gesture can be given up without a trace: what
could be redone before it can be redone again. Which group is looked into is part of no step; when
a step takes that group away, one looks at what was around it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoStack

from app.document import grouping
from app.document.change import difference
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
    """A Change, after the sheet has changed."""
    refused = Signal(str)
    """The sentence of an edit that was refused; nothing has changed."""
    inside_changed = Signal()
    """Another group is looked into, or none; said before `changed` where a step is the cause."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sheet = Sheet()
        self._gestures = 0
        self._way: tuple[int, ...] = ()
        self._tail: _Tail | None = None
        self._at_rest = True  # not so while steps are put back that are not done again
        self.stack = QUndoStack(self)

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
            self.stack.push(Edit(name, before, after, self._show, gesture))
        return True

    def look_inside(self, group: int | None) -> None:
        """Look at the inside of a group alone, or at the whole sheet again."""
        self._go(grouping.way_to(self._sheet.groups, group))

    def abandon(self, gesture: int) -> None:
        """Take back all steps of a gesture, and leave to redo what there was before it."""
        current = self._last()
        if gesture and current is not None and current.gesture == gesture:
            self.take_back()
        self._put_back_tail(gesture)

    def take_back(self) -> None:
        """Undo the last step and leave no redo of it."""
        current = self._last()
        if current is not None:
            current.withdraw()
            self.stack.undo()

    # for the document

    def _begin(self, sheet: Sheet) -> None:
        """Show another sheet without a step that leads to it; the history is emptied."""
        before, self._sheet = self._sheet, sheet
        self._tail = None
        self.stack.clear()
        self._go(())
        self.changed.emit(replace(difference(before, sheet), whole=True, wiring=True))

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
        self._at_rest = False
        for edit in tail.edits:
            stack.push(edit)
            if stack.index() == tail.clean:
                stack.setClean()
        stack.setIndex(tail.index)
        self._at_rest = True

    def _show(self, sheet: Sheet) -> None:
        if not self._at_rest:
            return
        before, self._sheet = self._sheet, sheet
        there = [group for group in self._way if group in sheet.groups]
        self._go(grouping.way_to(sheet.groups, there[-1] if there else None))
        self.changed.emit(difference(before, sheet))

    def _go(self, path: tuple[int, ...]) -> None:
        if path != self._way:
            self._way = path
            self.inside_changed.emit()
