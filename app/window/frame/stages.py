"""Stages: while a panel is at the front, shows its own in place of sheet and playback."""

from __future__ import annotations

from typing import Final, Protocol, runtime_checkable

from PySide6.QtCore import QEvent, QObject, Signal, SignalInstance
from PySide6.QtWidgets import QWidget

from app.canvas.view import CanvasView
from app.guard import guarded

_UNSEEN: Final = frozenset(
    {
        QEvent.Type.ShortcutOverride,
        QEvent.Type.KeyPress,
        QEvent.Type.KeyRelease,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseButtonRelease,
        QEvent.Type.MouseButtonDblClick,
        QEvent.Type.MouseMove,
        QEvent.Type.Wheel,
        QEvent.Type.ContextMenu,
        QEvent.Type.NativeGesture,
        QEvent.Type.ToolTip,
    }
)
"""Events of keyboard and mouse, which the sheet gets none of while a stage is in its place."""


@runtime_checkable
class HasStage(Protocol):
    """A panel with a stage, and a playback of its own; `retitled`: its title is another."""

    stage: QWidget
    playback: QWidget
    retitled: SignalInstance

    @property
    def title(self) -> str:
        """What is worked on, in place of the sheet's formula."""
        ...

    def rest(self) -> bool:
        """Stop what is running; return whether something was."""
        ...


@guarded
class Stages(QObject):
    """Puts the stage of the front panel over the sheet, below messages, and its playback there."""

    changed = Signal()
    """Emitted when a stage is shown or hidden, and when its title is another."""

    def __init__(self, canvas: CanvasView, playback: QWidget) -> None:
        super().__init__(canvas)
        self._canvas, self._selection = canvas, canvas.context.selection
        self._panel: HasStage | None = None
        self._below = (canvas.viewport(), playback)
        self._shown: tuple[QWidget, ...] = ()
        self._covered = 0
        for widget in (*self._below, canvas):
            widget.installEventFilter(self)

    @property
    def shown(self) -> bool:
        """Return whether a stage is shown in place of the sheet."""
        return bool(self._shown)

    @property
    def title(self) -> str:
        """Return what is worked on on the stage, or ""."""
        return "" if self._panel is None else self._panel.title

    def follow(self, panel: QWidget | None) -> None:
        """Show the stage of the panel at the front, if it has one."""
        staged = panel if isinstance(panel, HasStage) else None
        if staged is self._panel:
            return
        over = () if staged is None else (staged.stage, staged.playback)
        if self._panel is not None:
            self._panel.retitled.disconnect(self.changed)
        if staged is not None:
            staged.retitled.connect(self.changed)
        self._panel = staged
        for widget in self._shown:
            widget.hide()
        self._shown = over
        if over:
            self._selection.clear()  # no key deletes what can't be seen
        for below, widget in zip(self._below, over, strict=False):
            widget.setParent(below)
            widget.show()
        self._place()
        self.changed.emit()

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
        elif self._shown and event.type() in _UNSEEN and watched is not self._below[1]:
            event.ignore()  # the window may want a key
            return True
        return super().eventFilter(watched, event)
