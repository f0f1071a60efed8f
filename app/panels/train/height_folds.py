"""HeightFolds: folds blocks of a page, one after another, where it is too low for all of them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QScrollArea, QWidget

from app.controls.panel import Block
from app.guard import guarded
from app.style.current import Style

_SLACK = 16
"""Height that a low page has to have to spare before it is none, in px at 100 %."""


@guarded
class HeightFolds(QObject):
    """Unfolds them again where there is room; a block that the user has folded or unfolded stays.

    `low` tells whether the page has to scroll even with all of them folded.
    """

    changed = Signal()
    """Emitted after `low` has changed."""

    def __init__(self, style: Style, area: QScrollArea, content: QWidget) -> None:
        super().__init__(area)
        self._style, self._area, self._content = style, area, content
        self._blocks: Sequence[Block] = ()
        self._kept: set[Block] = set()
        self._seen: set[Block] = set()
        self.low = False
        area.installEventFilter(self)
        content.installEventFilter(self)

    def follow(self, blocks: Sequence[Block]) -> None:
        """Fold these blocks, the first of them first; one that is folded already stays so."""
        self._blocks = blocks
        for block in blocks:
            if block not in self._seen:
                self._seen.add(block)
                block.folded_by_user.connect(self._keep)
                if block.folded:
                    self._kept.add(block)
        self.fit()

    def fit(self) -> None:
        """Fold as many blocks as the height of the page asks for."""
        if not self._area.isVisible():
            return
        room = self._area.viewport().height()
        shown = [block for block in self._blocks if not block.isHidden()]
        needed = self._content.minimumSizeHint().height()
        needed += sum(self._body(block) for block in shown if block.folded)
        for block in shown:
            if block in self._kept:
                folds = block.folded
            else:
                folds = needed > room
                if folds != block.folded:
                    block.set_folded(folds)
            needed -= self._body(block) if folds else 0
        low = needed > room - (self._style.px(_SLACK) if self.low else 0)
        if low != self.low:
            self.low = low
            self.changed.emit()

    def _body(self, block: Block) -> int:
        """Return the height that a block has more where it is not folded."""
        return block.body.minimumSizeHint().height()

    def _keep(self) -> None:
        block = self.sender()
        assert isinstance(block, Block)
        self._kept.add(block)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kinds = (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.LayoutRequest)
        if event.type() in kinds:
            self.fit()
        return super().eventFilter(watched, event)
