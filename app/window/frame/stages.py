"""Stages: while a panel is at the front, shows its own in place of sheet and playback."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from app.canvas.view import CanvasView
from app.guard import guarded


@runtime_checkable
class HasStage(Protocol):
    """A panel with a stage, and a playback of its own."""

    stage: QWidget
    playback: QWidget

    def rest(self) -> bool:
        """Stop what is running; return whether something was."""
        ...


@guarded
class Stages(QObject):
    """Puts the stage of the front panel over the sheet, below messages, and its playback there."""

    def __init__(self, canvas: CanvasView, playback: QWidget) -> None:
        super().__init__(canvas)
        self._selection = canvas.context.selection
        self._below = (canvas.viewport(), playback)
        self._shown: tuple[QWidget, ...] = ()
        self._covered = 0
        for widget in self._below:
            widget.installEventFilter(self)

    @property
    def shown(self) -> bool:
        """Return whether a stage is shown in place of the sheet."""
        return bool(self._shown)

    def follow(self, panel: QWidget | None) -> None:
        """Show the stage of the panel at the front, if it has one."""
        over = (panel.stage, panel.playback) if isinstance(panel, HasStage) else ()
        if over == self._shown:
            return
        for widget in self._shown:
            widget.hide()
        self._shown = over
        if over:
            self._selection.clear()  # no key deletes what can't be seen
        for below, widget in zip(self._below, over, strict=False):
            widget.setParent(below)
            widget.show()
        self._place()

    def leave_right(self, covered: int) -> None:
        """Leave out the right part of the sheet, of which a panel covers that many px."""
        if covered != self._covered:
            self._covered = covered
            self._place()

    def _place(self) -> None:
        for below, widget, covered in zip(
            self._below, self._shown, (self._covered, 0), strict=False
        ):
            widget.setGeometry(below.rect().adjusted(0, 0, -covered, 0))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)
