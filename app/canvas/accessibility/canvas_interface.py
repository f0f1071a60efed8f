"""The accessible interface of the canvas, and those of its parts.

The view has one child per node (in reading order), collapsed group, section and wire, each with a
name, a rectangle and a state; the widgets over the sheet follow. An interface is dropped when its
node, group, section or wire is deleted.
"""

from __future__ import annotations

from functools import partial
from typing import Literal, cast

from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QRectF
from PySide6.QtGui import QAccessible, QAccessibleInterface, QWindow
from PySide6.QtWidgets import QAccessibleWidget, QWidget
from shiboken6 import isValid

from app.canvas.accessibility.accessible_names import group_name, node_name, section_name, wire_name
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.scene.hit_test import hit
from app.guard import guarded
from engine.graph import Wire

PartKey = tuple[Literal["node", "group", "section", "wire"], int | Wire]
COLUMN = 96.0
"""Width in sheet px of a column in the reading order; its parts are read from top to bottom."""
NONE = cast(QAccessibleInterface, None)


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
        self._generation = -1
        """That of the scene when the keys were read."""
        view.destroyed.connect(partial(_drop, self._made))

    @property
    def keys(self) -> list[PartKey]:
        """Return the keys of all parts on the sheet in reading order."""
        self._refresh()
        return self._keys

    @property
    def index(self) -> dict[PartKey, int]:
        """Return the child index of each part."""
        self._refresh()
        return self._index

    def _refresh(self) -> None:
        """Read the keys again once something was moved, added or removed."""
        generation = self._canvas.scene.generation
        if self._generation != generation:
            self._generation = generation
            self._keys = in_reading_order(self._canvas)
            self._index = {key: place for place, key in enumerate(self._keys)}

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


@guarded
class PartInterface(QAccessibleInterface):
    """A node, collapsed group, section or wire; without name and rectangle once it is deleted."""

    def __init__(self, canvas: CanvasContext, whole: CanvasInterface, key: PartKey) -> None:
        super().__init__()
        self._canvas = canvas
        self._whole = whole
        self.key = key

    def isValid(self) -> bool:
        """Return whether the part is still on the canvas."""
        return (
            isValid(self._canvas.widget) and isValid(self._whole) and self.key in self._whole.index
        )

    def object(self) -> QObject:
        """Return None: a part is painted by the canvas and is no QObject."""
        return cast(QObject, None)

    def window(self) -> QWindow:
        """Return the window that contains the canvas."""
        gone = cast(QWindow, None)
        return self._canvas.widget.window().windowHandle() if isValid(self._canvas.widget) else gone

    def parent(self) -> QAccessibleInterface:
        """Return the interface of the canvas."""
        return self._whole if isValid(self._whole) else NONE

    def child(self, _index: int) -> QAccessibleInterface:
        """Return None: a part has no children."""
        return NONE

    def childCount(self) -> int:
        """Return 0: a part has no children."""
        return 0

    def childAt(self, _x: int, _y: int) -> QAccessibleInterface:
        """Return None: a part has no children."""
        return NONE

    def indexOfChild(self, _child: QAccessibleInterface) -> int:
        """Return -1: a part has no children."""
        return -1

    def text(self, kind: QAccessible.Text) -> str:
        """Return the name with the numbers shown; a node's description is its formula."""
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
            QAccessible.Text.Description: look.texts.captions[0],
            QAccessible.Text.Value: look.value.text,
        }
        return texts.get(kind, "")

    def setText(self, _kind: QAccessible.Text, _text: str) -> None:
        """Ignore the text: names follow from the graph."""

    def rect(self) -> QRect:
        """Return the rectangle in desktop coordinates."""
        if not self.isValid():
            return QRect()
        canvas, rect = self._canvas, _rect(self._canvas, self.key)
        corner = canvas.camera.to_screen(rect.topLeft())
        size = QPointF(rect.width(), rect.height()) * canvas.camera.scale
        on_screen = QRectF(corner, corner + size).toAlignedRect()
        return on_screen.translated(canvas.widget.mapToGlobal(QPoint(0, 0)))

    def role(self) -> QAccessible.Role:
        """Return the role: an item of a selectable list."""
        return QAccessible.Role.ListItem

    def state(self) -> QAccessible.State:
        """Return whether the part is selected, focused and visible."""
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


def focused(canvas: CanvasContext) -> PartKey | None:
    """Return the part with the keyboard focus.

    That is the node selected last, the collapsed group that contains it, or the only selected
    section.
    """
    focus, section = canvas.selection.focus, canvas.selection.section
    if focus is not None:
        group = canvas.scene.visible.home.get(focus)
        return ("node", focus) if group is None else ("group", group)
    return None if section is None else ("section", section)


def in_reading_order(canvas: CanvasContext) -> list[PartKey]:
    """Return all parts in reading order.

    Nodes, groups and sections come by column from left to right and top to bottom, then wires by
    the node they lead to.
    """
    scene = canvas.scene
    boxes: dict[PartKey, QPointF] = {("node", n): QPointF(b.x, b.y) for n, b in scene.boxes.items()}
    boxes |= {("group", g): QPointF(b.x, b.y) for g, b in scene.group_boxes.items()}
    boxes |= {
        ("section", n): rect.topLeft() for n, rect in scene.node_layout.sections.rects.items()
    }
    order = sorted(boxes, key=lambda k: (boxes[k].x() // COLUMN, boxes[k].y(), boxes[k].x(), k))
    place = {key: number for number, key in enumerate(order)}

    def end(wire: Wire) -> tuple[int, Wire]:
        home = scene.visible.home.get(wire[0])
        key: PartKey = ("node", wire[0]) if home is None else ("group", home)
        return place.get(key, len(place)), wire

    return [*order, *(("wire", wire) for wire in sorted(scene.courses, key=end))]


def _name(canvas: CanvasContext, key: PartKey) -> str:
    kind, found = key
    if isinstance(found, tuple):
        return wire_name(canvas.scene, found)
    if kind == "section":
        return section_name(canvas.scene, found)
    if kind == "group":
        return group_name(canvas.scene, found)
    return node_name(canvas.scene, found, canvas.style.digits)


def _rect(canvas: CanvasContext, key: PartKey) -> QRectF:
    """Return the part's rectangle in sheet px; for a wire that of its label, if it has one."""
    scene, (kind, found) = canvas.scene, key
    if isinstance(found, tuple):
        return scene.labels.rect(found) or scene.courses[found].path.boundingRect()
    if kind == "section":
        return scene.node_layout.sections.rects[found]
    return scene.boxes[found].rect if kind == "node" else scene.group_boxes[found].rect


def _is_chosen(canvas: CanvasContext, key: PartKey) -> bool:
    kind, found = key
    if isinstance(found, tuple):
        return found in canvas.selection.wires
    if kind == "node":
        return found in canvas.selection.nodes
    if kind == "section":
        return found in canvas.selection.sections
    return canvas.scene.visible.folded[found].members <= canvas.selection.nodes
