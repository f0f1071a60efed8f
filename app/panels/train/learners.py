"""The leaves that lead to the loss, each with a box that says whether it learns."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QListView, QListWidget, QListWidgetItem, QWidget

from app.controls.keys import ARROWS, KeyClaim
from app.guard import guarded
from app.style.current import Style
from app.workbench.modes.loop import LoopState
from engine.graph import Graph

BOX = 48
"""Width that a box needs besides its name, in px at 100 %."""
ROW, SEEN = 26, 6
"""Height of a row in px at 100 %, and how many leaves are seen without scrolling."""
NODE = Qt.ItemDataRole.UserRole


@guarded
class Learners(QListWidget):
    """Boxes beside one another, in rows; `chosen` carries the leaves that learn."""

    chosen = Signal(object)

    def __init__(self, style: Style, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._style = style
        self._shown: tuple[Graph | None, tuple[int, ...]] = None, ()
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setTextElideMode(Qt.TextElideMode.ElideNone)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Leaves that learn")
        self.setToolTip("Ticked leaves learn: update moves them. Others stay as they are.")
        KeyClaim(self, *ARROWS, Qt.Key.Key_Space)
        self.itemChanged.connect(self._tell)
        style.changed.connect(self._restyle)

    def show_loop(self, loop: LoopState) -> None:
        """Show the leaves of a loop and which of them learn."""
        blocked = self.blockSignals(True)
        names = tuple(loop.graph.brief(n) for n in loop.leaves)
        if [self.item(k).text() for k in range(self.count())] != list(names):
            self.clear()
            for name in names:
                item = QListWidgetItem(name, self)
                wide = QFontMetrics(self.font()).horizontalAdvance(name)
                item.setSizeHint(QSize(wide + self._style.px(BOX), self._style.px(ROW)))
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
        for k, node in enumerate(loop.leaves):
            ticked = node in loop.loop.chosen
            self.item(k).setData(NODE, node)
            self.item(k).setCheckState(Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
        self.blockSignals(blocked)
        self._restyle()

    def ticked(self) -> list[int]:
        """Return the leaves that are ticked."""
        items = [self.item(k) for k in range(self.count())]
        return [x.data(NODE) for x in items if x.checkState() == Qt.CheckState.Checked]

    def _tell(self, _item: QListWidgetItem) -> None:
        self.chosen.emit(self.ticked())

    def _restyle(self) -> None:
        """Be as high as the rows of the first leaves."""
        last = self.item(min(self.count(), SEEN) - 1) if self.count() else None
        row = self._style.px(ROW)
        bottom = row
        if last is not None:
            bottom = self.visualItemRect(last).bottom() + self.verticalScrollBar().value() + 1
        self.setFixedHeight(max(bottom, row) + 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._restyle()
