"""The accessible interface of the canvas, and the announcements of its steps.

The view has one child per node (in reading order), collapsed group, section and wire, each with a
name, a rectangle and a state. Qt creates an interface when a client asks for it; it is dropped when
its node, group, section or wire is deleted. Without assistive technology none is ever created and
nothing is announced.
"""

from __future__ import annotations

from functools import partial
from typing import Protocol, cast

from PySide6.QtCore import QObject, QPoint, QPointF
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QAccessibleInterface,
)
from PySide6.QtWidgets import QAccessibleWidget, QWidget
from shiboken6 import isValid

from app.canvas.accessibility.part_interface import (
    NONE,
    PartInterface,
    PartKey,
    focused,
    in_reading_order,
)
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.scene.hit_test import hit
from app.controls.rich_text import plain_text
from app.guard import guarded
from app.workbench.playback.view_state import ViewState
from app.workbench.words.ripple import released_text, told_of
from app.workbench.words.steps import step_text
from engine.study.ripple import GraphRipple


class Announcer(QObject):
    """Announces the steps and focus changes of one canvas while an accessibility client listens."""

    def __init__(self, view: QWidget, canvas: CanvasContext) -> None:
        super().__init__(view)
        _install()
        self._view = view
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
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._view, text))

    def _tell_ripple(self, shown: ViewState) -> None:
        """Announce a ripple that has begun, or the effect of a dragged value."""
        found = shown.released if shown.dragged or shown.ripple is None else shown.ripple
        if found is not None and found is not self._rippled:
            digits = self.canvas.style.digits
            spans = released_text(found, digits)
            if found is shown.ripple:
                spans = told_of(shown, digits)
            event = QAccessibleAnnouncementEvent(self._view, plain_text(spans))
            QAccessible.updateAccessibility(event)
        self._rippled = found

    def _tell_focus(self) -> None:
        """Announce the node or section that has the keyboard focus."""
        key = focused(self.canvas)
        if not QAccessible.isActive() or key is None or not self._view.hasFocus():
            return
        whole = QAccessible.queryAccessibleInterface(self._view)
        if isinstance(whole, CanvasInterface) and key in whole.index:
            part = whole.part(key)
            QAccessible.updateAccessibility(QAccessibleEvent(part, QAccessible.Event.Focus))

    def _forget_gone(self, _change: object) -> None:
        """Drop the interfaces of deleted parts, so that no client can query them."""
        if self.interface is not None and isValid(self.interface):
            self.interface.forget_gone()


@guarded
class CanvasInterface(QAccessibleWidget):
    """The canvas itself: nodes, groups, sections and wires first, then the widgets on top of it."""

    def __init__(self, view: QWidget, canvas: CanvasContext) -> None:
        super().__init__(view, QAccessible.Role.Canvas, view.accessibleName())
        self._view = view
        self._canvas = canvas
        self._made: dict[PartKey, PartInterface] = {}
        self._keys: list[PartKey] = []
        self._index: dict[PartKey, int] = {}
        self._seen: object = None
        view.destroyed.connect(partial(_drop, self._made))

    @property
    def keys(self) -> list[PartKey]:
        """Return the keys of all parts on the sheet in reading order."""
        scene = self._canvas.scene
        seen = (scene.sheet, scene.visible.inside)
        if self._seen != seen:
            self._seen = seen
            self._keys = in_reading_order(self._canvas)
            self._index = {key: place for place, key in enumerate(self._keys)}
        return self._keys

    @property
    def index(self) -> dict[PartKey, int]:
        """Return the child index of each part."""
        assert self.keys is not None
        return self._index

    def part(self, key: PartKey) -> PartInterface:
        """Return the interface of a part, creating it on first use."""
        if key not in self._made:
            self._made[key] = PartInterface(self._canvas, self, key)
            QAccessible.registerAccessibleInterface(self._made[key])
        return self._made[key]

    def forget_gone(self) -> None:
        """Drop the interfaces of parts that are no longer in the document."""
        sheet = self._canvas.document.sheet
        nodes, wires = sheet.graph.nodes, {wire for _source, wire in sheet.graph.wires()}
        for key in list(self._made):
            kind, found = key
            if isinstance(found, tuple):
                there = found in wires
            else:
                kinds = {"node": nodes, "group": sheet.groups, "section": sheet.sections}
                there = found in kinds[kind]
            if not there:
                _delete(self._made.pop(key))

    # Qt's own

    def childCount(self) -> int:
        """Return the number of parts plus child widgets."""
        return len(self.keys) + super().childCount()

    def child(self, index: int) -> QAccessibleInterface:
        """Return the child at an index."""
        keys = self.keys
        if 0 <= index < len(keys):
            return self.part(keys[index])
        return super().child(index - len(keys)) if index >= 0 else NONE

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        """Return the index of a child, or -1."""
        if isinstance(child, PartInterface):
            return self.index.get(child.key, -1)
        found = super().indexOfChild(child)
        return found if found < 0 else found + len(self.keys)

    def childAt(self, x: int, y: int) -> QAccessibleInterface:
        """Return the child at a point in desktop coordinates."""
        at = self._canvas.widget.mapFromGlobal(QPoint(x, y))
        if not self._canvas.widget.rect().contains(at):
            return NONE
        if self._canvas.widget.childAt(at) is not None:
            return QAccessible.queryAccessibleInterface(self._canvas.widget)
        camera = self._canvas.camera
        found = hit(self._canvas.scene, camera.to_sheet(QPointF(at)), camera.scale)
        keys: list[PartKey] = []
        if found.node is not None and found.part != "slot":
            keys.append(("node", found.node))
        if found.wire is not None:
            keys.append(("wire", found.wire))
            keys.append(("node", found.wire[0]))
        if found.group is not None:
            keys.append(("group", found.group))
        if found.section is not None:
            keys.append(("section", found.section))
        return next((self.part(key) for key in keys if key in self.index), NONE)

    def focusChild(self) -> QAccessibleInterface:
        """Return the node or section that has the keyboard focus."""
        key = focused(self._canvas)
        if self._view.hasFocus() and key is not None and key in self.index:
            return self.part(key)
        return super().focusChild()


def _drop(made: dict[PartKey, PartInterface], _gone: object = None) -> None:
    """Drop all part interfaces when the view is destroyed."""
    while made:
        _delete(made.popitem()[1])


def _delete(part: PartInterface) -> None:
    if isValid(part):
        QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(part))


def _install() -> None:
    """Register the interface factory with Qt, once per process."""
    if not _installed:
        _installed.append(True)
        QAccessible.installFactory(_interface_of)


_installed: list[bool] = []


class _Spoken(Protocol):
    """A canvas that has an announcer."""

    announcer: Announcer


def _interface_of(name: str, found: QObject) -> QAccessibleInterface | None:
    if name != "CanvasView":
        return None
    announcer = cast("_Spoken", found).announcer
    made = CanvasInterface(cast(QWidget, found), announcer.canvas)
    announcer.interface = made
    return made
