"""Accessible: the canvas as assistive technology sees it.

The view has a child for each node in reading order, each collapsed group, each section and each
wire, with name, place and state. An interface is made when it is asked for and lives until what it
stands for goes; where there is no assistive technology nothing of this is ever made, and nothing
is spoken.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal, cast

from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QRectF
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QAccessibleInterface,
    QWindow,
)
from PySide6.QtWidgets import QAccessibleWidget
from shiboken6 import isValid

from app.canvas.spoken import group_name, node_name, section_name, wire_name
from app.workbench.narration import narrate, spoken_text
from engine.frame import Frame
from engine.graph import Wire

if TYPE_CHECKING:
    from app.canvas.view import CanvasView

Key = tuple[Literal["node", "group", "wire", "section"], int | Wire]
COLUMN = 96.0
"""Nodes within so many pixels stand in one column, which is read from top to bottom."""
_NONE = cast(QAccessibleInterface, None)


class Spokesman(QObject):
    """Tells assistive technology what happens on one canvas, if there is any to listen."""

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view)
        _install()
        self._view = view
        self._told: tuple[object, str, int] = (None, "live", 0)
        self.interface: CanvasInterface | None = None
        view.playback.frame_changed.connect(self._tell_step)
        view.document.changed.connect(self._forget_gone)
        view.selection.changed.connect(self._tell_focus)

    def _tell_step(self, frame: Frame) -> None:
        """Say the step that has been done; a changed value says nothing."""
        if not QAccessible.isActive():
            return
        now = (frame.trace and frame.trace.graph.structure, frame.phase, frame.cursor)
        if now == self._told:
            return
        self._told = now
        if frame.phase != "live":
            text = spoken_text(narrate(frame, "plain", self._view.style_in_force.digits))
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._view, text))

    def _tell_focus(self) -> None:
        """Say which node, or which section, has the keyboard."""
        key = _focused(self._view)
        if not QAccessible.isActive() or key is None or not self._view.hasFocus():
            return
        whole = QAccessible.queryAccessibleInterface(self._view)
        if isinstance(whole, CanvasInterface) and key in whole.index:
            part = whole.part(key)
            QAccessible.updateAccessibility(QAccessibleEvent(part, QAccessible.Event.Focus))

    def _forget_gone(self, _change: object) -> None:
        """Nodes may have gone: nobody shall be able to ask for them."""
        if self.interface is not None and isValid(self.interface):
            self.interface.forget_gone()


class CanvasInterface(QAccessibleWidget):
    """The canvas: nodes, groups and wires first, then the widgets that lie on it."""

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view, QAccessible.Role.Canvas, view.accessibleName())
        self._view = view
        self._made: dict[Key, PartInterface] = {}
        self._keys: list[Key] = []
        self._index: dict[Key, int] = {}
        self._seen: object = None
        view.destroyed.connect(partial(_drop, self._made))

    @property
    def keys(self) -> list[Key]:
        """What is on the sheet, in the order in which it is read."""
        stage = self._view.stage
        seen = (stage.sheet, stage.inside)
        if self._seen != seen:
            self._seen = seen
            self._keys = _in_reading_order(self._view)
            self._index = {key: place for place, key in enumerate(self._keys)}
        return self._keys

    @property
    def index(self) -> dict[Key, int]:
        """The place of each of them."""
        assert self.keys is not None
        return self._index

    def part(self, key: Key) -> PartInterface:
        """The interface of a node, a group or a wire."""
        if key not in self._made:
            self._made[key] = PartInterface(self._view, self, key)
            QAccessible.registerAccessibleInterface(self._made[key])
        return self._made[key]

    def forget_gone(self) -> None:
        """Let go of the interfaces of what is no longer in the document."""
        sheet = self._view.document.sheet
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
        """Everything on the sheet, and the widgets over it."""
        return len(self.keys) + super().childCount()

    def child(self, index: int) -> QAccessibleInterface:
        """One of them."""
        keys = self.keys
        if 0 <= index < len(keys):
            return self.part(keys[index])
        return super().child(index - len(keys)) if index >= 0 else _NONE

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        """The place of one of them, or -1."""
        if isinstance(child, PartInterface):
            return self.index.get(child.key, -1)
        found = super().indexOfChild(child)
        return found if found < 0 else found + len(self.keys)

    def childAt(self, x: int, y: int) -> QAccessibleInterface:
        """What lies under a point of the desktop."""
        at = self._view.viewport().mapFromGlobal(QPoint(x, y))
        if not self._view.viewport().rect().contains(at):
            return _NONE
        if self._view.viewport().childAt(at) is not None:
            return QAccessible.queryAccessibleInterface(self._view.viewport())
        found = self._view.hit_at(QPointF(at))
        keys: list[Key] = []
        if found.node is not None and found.part != "slot":
            keys.append(("node", found.node))
        if found.wire is not None:
            keys += [("wire", found.wire), ("node", found.wire[0])]
        if found.group is not None:
            keys.append(("group", found.group))
        if found.section is not None:
            keys.append(("section", found.section))
        return next((self.part(key) for key in keys if key in self.index), _NONE)

    def focusChild(self) -> QAccessibleInterface:
        """The node, or the section, that has the keyboard."""
        key = _focused(self._view)
        if self._view.hasFocus() and key is not None and key in self.index:
            return self.part(key)
        return super().focusChild()


class PartInterface(QAccessibleInterface):
    """A node, a collapsed group or a wire. What has gone has neither name nor place."""

    def __init__(self, view: CanvasView, whole: CanvasInterface, key: Key) -> None:
        super().__init__()
        self._view = view
        self._whole = whole
        self.key = key

    def isValid(self) -> bool:
        """Whether it is still on the canvas."""
        return isValid(self._view) and isValid(self._whole) and self.key in self._whole.index

    def object(self) -> QObject:
        """There is no object; the canvas paints it."""
        return cast(QObject, None)

    def window(self) -> QWindow:
        """The window it is in."""
        gone = cast(QWindow, None)
        return self._view.window().windowHandle() if isValid(self._view) else gone

    def parent(self) -> QAccessibleInterface:
        """The canvas."""
        return self._whole if isValid(self._whole) else _NONE

    def child(self, _index: int) -> QAccessibleInterface:
        """It has no parts of its own."""
        return _NONE

    def childCount(self) -> int:
        """It has no parts of its own."""
        return 0

    def childAt(self, _x: int, _y: int) -> QAccessibleInterface:
        """It has no parts of its own."""
        return _NONE

    def indexOfChild(self, _child: QAccessibleInterface) -> int:
        """It has no parts of its own."""
        return -1

    def text(self, kind: QAccessible.Text) -> str:
        """Its name with the numbers it shows; a node's formula as description."""
        if not self.isValid():
            return ""
        stage = self._view.stage
        if kind == QAccessible.Text.Name:
            return _name(self._view, self.key)
        part, found = self.key
        if part != "node" or isinstance(found, tuple):
            return ""
        look = stage.node(found)
        texts = {
            QAccessible.Text.Description: look.caption,
            QAccessible.Text.Value: look.value.text,
        }
        return texts.get(kind, "")

    def setText(self, _kind: QAccessible.Text, _text: str) -> None:
        """Names follow from the graph."""

    def rect(self) -> QRect:
        """Its rectangle on the desktop."""
        if not self.isValid():
            return QRect()
        view, rect = self._view, _rect(self._view, self.key)
        corner = view.to_screen(rect.topLeft())
        size = QPointF(rect.width(), rect.height()) * view.scale
        on_screen = QRectF(corner, corner + size).toAlignedRect()
        return on_screen.translated(view.viewport().mapToGlobal(QPoint(0, 0)))

    def role(self) -> QAccessible.Role:
        """Something in a row of things that can be chosen."""
        return QAccessible.Role.ListItem

    def state(self) -> QAccessible.State:
        """Whether it is chosen, has the keyboard, and can be seen."""
        state = QAccessible.State()
        if not self.isValid():
            state.invalid = True
            return state
        view, kind = self._view, self.key[0]
        state.selectable = state.multiSelectable = True
        state.focusable = kind in ("node", "section")
        state.selected = _is_chosen(view, self.key)
        state.focused = view.hasFocus() and self.key == _focused(view)
        state.offscreen = not _rect(view, self.key).intersects(view.visible_area)
        return state


def _focused(view: CanvasView) -> Key | None:
    """What has the keyboard: the node chosen last, or the one chosen section."""
    focus, section = view.selection.focus, view.selection.section
    if focus is not None:
        return ("node", focus)
    return None if section is None else ("section", section)


def _in_reading_order(view: CanvasView) -> list[Key]:
    """Columns from left to right, each from top to bottom; then wires, by where they end."""
    stage = view.stage
    boxes: dict[Key, QPointF] = {("node", n): QPointF(b.x, b.y) for n, b in stage.boxes.items()}
    boxes |= {("group", g): QPointF(b.x, b.y) for g, b in stage.group_boxes.items()}
    boxes |= {("section", n): rect.topLeft() for n, rect in stage.section_rects().items()}
    order = sorted(boxes, key=lambda k: (boxes[k].x() // COLUMN, boxes[k].y(), boxes[k].x(), k))
    place = {key: number for number, key in enumerate(order)}

    def end(wire: Wire) -> tuple[int, Wire]:
        home = stage.scheme.home.get(wire[0])
        key: Key = ("node", wire[0]) if home is None else ("group", home)
        return place.get(key, len(place)), wire

    return [*order, *(("wire", wire) for wire in sorted(stage.courses, key=end))]


def _name(view: CanvasView, key: Key) -> str:
    kind, found = key
    if isinstance(found, tuple):
        return wire_name(view.stage, found)
    if kind == "section":
        return section_name(view.stage, found)
    return node_name(view.stage, found) if kind == "node" else group_name(view.stage, found)


def _rect(view: CanvasView, key: Key) -> QRectF:
    """Its rectangle on the sheet; of a wire that of its label, if there is one."""
    stage, (kind, found) = view.stage, key
    if isinstance(found, tuple):
        return stage.label_rect(found) or stage.courses[found].path.boundingRect()
    if kind == "section":
        return stage.section_rects()[found]
    return stage.boxes[found].rect if kind == "node" else stage.group_boxes[found].rect


def _is_chosen(view: CanvasView, key: Key) -> bool:
    kind, found = key
    if isinstance(found, tuple):
        return found in view.selection.wires
    if kind == "node":
        return found in view.selection.nodes
    if kind == "section":
        return found in view.selection.sections
    return view.stage.scheme.folded[found].members <= view.selection.nodes


def _drop(made: dict[Key, PartInterface], _gone: object = None) -> None:
    """The view has gone: so do its parts."""
    while made:
        _delete(made.popitem()[1])


def _delete(part: PartInterface) -> None:
    if isValid(part):
        QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(part))


def _install() -> None:
    """Let Qt ask us for the interface of a canvas; once is enough."""
    if not _installed:
        _installed.append(True)
        QAccessible.installFactory(_interface_of)


_installed: list[bool] = []


def _interface_of(name: str, found: QObject) -> QAccessibleInterface | None:
    if name != "CanvasView":
        return None
    view = cast("CanvasView", found)
    made = CanvasInterface(view)
    view.spokesman.interface = made
    return made
