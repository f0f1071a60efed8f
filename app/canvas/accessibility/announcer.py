"""The announcements of a canvas: its steps, and what gets the keyboard focus.

Qt creates an accessible interface when a client asks for it; without assistive technology none is
ever created and nothing is announced.
"""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QAccessibleInterface,
)
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from app.canvas.accessibility.canvas_interface import CanvasInterface, focused
from app.canvas.context.canvas_context import CanvasContext
from app.controls.rich_text import plain_text
from app.workbench.playback.view_state import ViewState
from app.workbench.words.narration import step_text
from app.workbench.words.ripple import released_text, told_of
from engine.study.ripple import GraphRipple


class Announcer(QObject):
    """Announces the steps and focus changes of one canvas while an accessibility client listens."""

    def __init__(self, view: QWidget, canvas: CanvasContext) -> None:
        super().__init__(view)
        _install()
        self.view = view
        self.canvas = canvas
        self._told: tuple[object, str, int] = (None, "live", 0)
        self._rippled: GraphRipple | None = None
        self.interface: CanvasInterface | None = None
        canvas.playback.shown.connect(self._tell_step)
        canvas.document.changed.connect(self._forget_gone)
        canvas.selection.changed.connect(self._tell_focus)

    def _tell_step(self) -> None:
        """Announce the step just taken; a mere change of value is not announced."""
        if not QAccessible.isActive():
            return
        self._tell_ripple(self.canvas.playback.now)
        frame = self.canvas.playback.frame
        now = (frame.trace and frame.trace.graph.structure, frame.phase, frame.cursor)
        if now == self._told:
            return
        self._told = now
        if frame.phase != "live":
            shown, digits = self.canvas.playback.now, self.canvas.style.digits
            text = plain_text(step_text(shown, "plain", digits))
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.view, text))

    def _tell_ripple(self, shown: ViewState) -> None:
        """Announce a ripple that has begun, or the effect of a dragged value."""
        found = shown.released if shown.dragged or shown.ripple is None else shown.ripple
        if found is not None and found is not self._rippled:
            digits = self.canvas.style.digits
            spans = released_text(found, digits)
            if found is shown.ripple:
                spans = told_of(shown, digits)
            event = QAccessibleAnnouncementEvent(self.view, plain_text(spans))
            QAccessible.updateAccessibility(event)
        self._rippled = found

    def _tell_focus(self) -> None:
        """Announce the node or section that has the keyboard focus."""
        key = focused(self.canvas)
        if not QAccessible.isActive() or key is None or not self.view.hasFocus():
            return
        whole = QAccessible.queryAccessibleInterface(self.view)
        if isinstance(whole, CanvasInterface) and key in whole.index:
            part = whole.part(key)
            QAccessible.updateAccessibility(QAccessibleEvent(part, QAccessible.Event.Focus))

    def _forget_gone(self, _change: object) -> None:
        """Drop the interfaces of deleted parts, so that no client can query them."""
        if self.interface is not None and isValid(self.interface):
            self.interface.forget_gone()


def _install() -> None:
    """Register the interface factory with Qt, once per process."""
    if not _installed:
        _installed.append(True)
        QAccessible.installFactory(_interface_of)


_installed: list[bool] = []


def _interface_of(name: str, found: QObject) -> QAccessibleInterface | None:
    announcer = found.findChild(Announcer) if name == "CanvasView" else None
    if announcer is None:
        return None
    announcer.interface = CanvasInterface(announcer.view, announcer.canvas)
    return announcer.interface
