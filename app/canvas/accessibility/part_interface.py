"""Parts of the canvas as assistive technology sees them: nodes, groups, sections, wires."""

from __future__ import annotations

from typing import Literal, Protocol, cast

from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QRectF
from PySide6.QtGui import QAccessible, QAccessibleInterface, QWindow
from shiboken6 import isValid

from app.canvas.accessibility.accessible_names import group_name, node_name, section_name, wire_name
from app.canvas.context.canvas_context import CanvasContext
from app.guard import guarded
from engine.graph import Wire

Key = tuple[Literal["node", "group", "section", "wire"], int | Wire]
COLUMN = 96.0
"""Nodes within so many pixels stand in one column, which is read from top to bottom."""
NONE = cast(QAccessibleInterface, None)


class Whole(Protocol):
    """What a part asks of the interface of its canvas."""

    @property
    def index(self) -> dict[Key, int]:
        """The place of each part in the reading order."""
        ...


@guarded
class PartInterface(QAccessibleInterface):
    """A node, a collapsed group or a wire. What has gone has neither name nor place."""

    def __init__(self, canvas: CanvasContext, whole: Whole, key: Key) -> None:
        super().__init__()
        self._canvas = canvas
        self._whole = whole
        self.key = key

    def isValid(self) -> bool:
        """Whether it is still on the canvas."""
        return (
            isValid(self._canvas.widget) and isValid(self._whole) and self.key in self._whole.index
        )

    def object(self) -> QObject:
        """There is no object; the canvas paints it."""
        return cast(QObject, None)

    def window(self) -> QWindow:
        """The window it is in."""
        gone = cast(QWindow, None)
        return self._canvas.widget.window().windowHandle() if isValid(self._canvas.widget) else gone

    def parent(self) -> QAccessibleInterface:
        """The canvas."""
        return cast(QAccessibleInterface, self._whole) if isValid(self._whole) else NONE

    def child(self, _index: int) -> QAccessibleInterface:
        """It has no parts of its own."""
        return NONE

    def childCount(self) -> int:
        """It has no parts of its own."""
        return 0

    def childAt(self, _x: int, _y: int) -> QAccessibleInterface:
        """It has no parts of its own."""
        return NONE

    def indexOfChild(self, _child: QAccessibleInterface) -> int:
        """It has no parts of its own."""
        return -1

    def text(self, kind: QAccessible.Text) -> str:
        """Its name with the numbers it shows; a node's formula as description."""
        if not self.isValid():
            return ""
        scene = self._canvas.scene
        if kind == QAccessible.Text.Name:
            return _name(self._canvas, self.key)
        part, found = self.key
        if part != "node" or isinstance(found, tuple):
            return ""
        look = scene.node(found)
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
        canvas, rect = self._canvas, _rect(self._canvas, self.key)
        corner = canvas.camera.to_screen(rect.topLeft())
        size = QPointF(rect.width(), rect.height()) * canvas.camera.scale
        on_screen = QRectF(corner, corner + size).toAlignedRect()
        return on_screen.translated(canvas.widget.mapToGlobal(QPoint(0, 0)))

    def role(self) -> QAccessible.Role:
        """Something in a row of things that can be chosen."""
        return QAccessible.Role.ListItem

    def state(self) -> QAccessible.State:
        """Whether it is chosen, has the keyboard, and can be seen."""
        state = QAccessible.State()
        if not self.isValid():
            state.invalid = True
            return state
        canvas, kind = self._canvas, self.key[0]
        state.selectable = state.multiSelectable = True
        state.focusable = kind != "wire"
        state.selected = _is_chosen(canvas, self.key)
        state.focused = canvas.widget.hasFocus() and self.key == focused(canvas)
        state.offscreen = not _rect(canvas, self.key).intersects(canvas.camera.visible_area)
        return state


def focused(canvas: CanvasContext) -> Key | None:
    """What has the keyboard: the node chosen last, the group it lies in, or the one section."""
    focus, section = canvas.selection.focus, canvas.selection.section
    if focus is not None:
        group = canvas.scene.visible.home.get(focus)
        return ("node", focus) if group is None else ("group", group)
    return None if section is None else ("section", section)


def in_reading_order(canvas: CanvasContext) -> list[Key]:
    """Columns from left to right, each from top to bottom; then wires, by where they end."""
    scene = canvas.scene
    boxes: dict[Key, QPointF] = {("node", n): QPointF(b.x, b.y) for n, b in scene.boxes.items()}
    boxes |= {("group", g): QPointF(b.x, b.y) for g, b in scene.group_boxes.items()}
    boxes |= {
        ("section", n): rect.topLeft() for n, rect in scene.node_layout.sections.rects().items()
    }
    order = sorted(boxes, key=lambda k: (boxes[k].x() // COLUMN, boxes[k].y(), boxes[k].x(), k))
    place = {key: number for number, key in enumerate(order)}

    def end(wire: Wire) -> tuple[int, Wire]:
        home = scene.visible.home.get(wire[0])
        key: Key = ("node", wire[0]) if home is None else ("group", home)
        return place.get(key, len(place)), wire

    return [*order, *(("wire", wire) for wire in sorted(scene.courses, key=end))]


def _name(canvas: CanvasContext, key: Key) -> str:
    kind, found = key
    if isinstance(found, tuple):
        return wire_name(canvas.scene, found)
    if kind == "section":
        return section_name(canvas.scene, found)
    if kind == "group":
        return group_name(canvas.scene, found)
    return node_name(canvas.scene, found, canvas.style.digits)


def _rect(canvas: CanvasContext, key: Key) -> QRectF:
    """Its rectangle on the sheet; of a wire that of its label, if there is one."""
    scene, (kind, found) = canvas.scene, key
    if isinstance(found, tuple):
        return scene.label_rect(found) or scene.courses[found].path.boundingRect()
    if kind == "section":
        return scene.node_layout.sections.rects()[found]
    return scene.boxes[found].rect if kind == "node" else scene.group_boxes[found].rect


def _is_chosen(canvas: CanvasContext, key: Key) -> bool:
    kind, found = key
    if isinstance(found, tuple):
        return found in canvas.selection.wires
    if kind == "node":
        return found in canvas.selection.nodes
    if kind == "section":
        return found in canvas.selection.sections
    return canvas.scene.visible.folded[found].members <= canvas.selection.nodes
