"""Edit: the one undo command, which swaps two sheets."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtGui import QUndoCommand

from app.document.sheet import Sheet, same_sheet
from app.guard import guarded

Show = Callable[[Sheet], None]


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
        """The gesture that made it, or 0."""
        return self._gesture

    def again(self) -> Edit:
        """The same step, which nothing merges with."""
        return Edit(self.text(), self._before, self._after, self._show, 0)

    def id(self) -> int:
        """The gesture, by which Qt finds out what may merge."""
        return self._gesture or -1

    def mergeWith(self, other: QUndoCommand) -> bool:
        """Take in a later tick of the same gesture; nothing is left of a gesture back home."""
        if not isinstance(other, Edit) or other._gesture != self._gesture:
            return False
        self._after = other._after
        self.setText(other.text())
        self.setObsolete(same_sheet(self._before, self._after))
        return True

    def withdraw(self) -> None:
        """Let the next undo take it out of the history as well: it can't be done again."""
        self._withdrawn = True

    def undo(self) -> None:
        """Show the sheet as it was before."""
        self._show(self._before)
        self.setObsolete(self._withdrawn)  # Qt would not undo what is obsolete already

    def redo(self) -> None:
        """Show the sheet as it is after."""
        self._show(self._after)
