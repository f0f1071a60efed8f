"""Stages: shows what a panel wants looked at in place of the sheet, while it is at the front."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from app.canvas.view import CanvasView
from app.guard import guarded


@runtime_checkable
class HasStage(Protocol):
    """A panel with a stage."""

    stage: QWidget


@guarded
class Stages(QObject):
    """Puts the stage of the front panel over the sheet, below messages."""

    def __init__(self, canvas: CanvasView) -> None:
        super().__init__(canvas)
        self._viewport = canvas.viewport()
        self._stage: QWidget | None = None
        self._viewport.installEventFilter(self)

    def follow(self, panel: QWidget | None) -> None:
        """Show the stage of the panel at the front, if it has one."""
        stage = panel.stage if isinstance(panel, HasStage) else None
        if self._stage is not None and self._stage is not stage:
            self._stage.hide()
        self._stage = stage
        if stage is not None:
            stage.setParent(self._viewport)
            stage.setGeometry(self._viewport.rect())
            stage.show()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self._stage is not None:
            self._stage.setGeometry(self._viewport.rect())
        return super().eventFilter(watched, event)
