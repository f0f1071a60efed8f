"""Accessibility of the canvas: announcements, interfaces and spoken names.

The view has one child per node (in reading order), collapsed or drawn group and wire, each with a
name, a rectangle and a state; the widgets over the sheet follow. An interface is dropped when its
node, group or wire is deleted. Qt creates an accessible interface when a client asks for
it; without assistive technology none is ever created and nothing is announced.
"""

from __future__ import annotations

from functools import partial
from typing import Literal, cast

from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QRectF
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QAccessibleInterface,
    QWindow,
)
from PySide6.QtWidgets import QAccessibleWidget, QWidget
from shiboken6 import isValid

from app.canvas.appearance.face import GRAD, face
from app.canvas.appearance.group_look import size_text
from app.canvas.appearance.items import GroupKey, ItemKey
from app.canvas.appearance.looks import LabelLook, LedgerLook, Looks, NumberLook, displayed_node
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.scene.hit_test import content, hit
from app.canvas.scene.scene import Scene
from app.controls.spans import plain_text
from app.document.change import NO_CHANGE
from app.guard import exception_safe
from app.workbench.gradients.chain_rule import partial_sum_text
from app.workbench.gradients.explanation import causes
from app.workbench.gradients.formulas import enumerated
from app.workbench.playback.view_state import ViewState
from app.workbench.words.narration import step_text
from app.workbench.words.ripple import released_text, ripple_sentence, spoken_change
from engine.asking.nudge import GraphRipple
from engine.graph import Constant, Graph, OpNode, Root, Wire
from engine.numbers import Digits, counted


class Announcer(QObject):
    """Announces the steps and focus changes of one canvas while an accessibility client listens."""

    def __init__(self, view: QWidget, canvas: CanvasContext) -> None:
        super().__init__(view)
        _install()
        self.view = view
        self.canvas = canvas
        self._last_announced: tuple[object, str, int] = (None, "live", 0)
        """Wiring, phase and cursor of the step announced last."""
        self._last_ripple: GraphRipple | None = None
        """The ripple announced last."""
        self.interface: CanvasInterface | None = None
        canvas.playback.shown.connect(self._follow)
        canvas.selection.changed.connect(self._announce_focus)

    def _follow(self, shown: ViewState) -> None:
        """Announce the step; drop the interfaces of deleted parts, so that no client asks them."""
        self._announce_step()
        if shown.change != NO_CHANGE and self.interface is not None and isValid(self.interface):
            self.interface.drop_deleted()

    def _announce_step(self) -> None:
        """Announce the step just taken; a mere change of value is not announced."""
        if not QAccessible.isActive():
            return
        self._announce_ripple(self.canvas.playback.now)
        frame = self.canvas.playback.frame
        step = (frame.trace and frame.trace.graph.structure, frame.phase, frame.cursor)
        if step == self._last_announced:
            return
        self._last_announced = step
        if frame.phase != "live":
            shown, digits = self.canvas.playback.now, self.canvas.style.digits
            text = plain_text(step_text(shown, "plain", digits))
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.view, text))

    def _announce_ripple(self, shown: ViewState) -> None:
        """Announce a ripple that has begun, or the effect of a dragged value."""
        ripple = shown.released if shown.dragged or shown.ripple is None else shown.ripple
        if ripple is not None and ripple.along is not None:
            return  # the strip tells of it
        if ripple is not None and ripple is not self._last_ripple:
            digits = self.canvas.style.digits
            spans = released_text(ripple, digits)
            if ripple is shown.ripple:
                spans = ripple_sentence(shown, digits)
            event = QAccessibleAnnouncementEvent(self.view, plain_text(spans))
            QAccessible.updateAccessibility(event)
        self._last_ripple = ripple

    def _announce_focus(self) -> None:
        """Announce the node or group that has the keyboard focus."""
        key = focused(self.canvas)
        if not QAccessible.isActive() or key is None or not self.view.hasFocus():
            return
        interface = QAccessible.queryAccessibleInterface(self.view)
        if isinstance(interface, CanvasInterface) and key in interface.index:
            part = interface.part(key)
            QAccessible.updateAccessibility(QAccessibleEvent(part, QAccessible.Event.Focus))


def _install() -> None:
    """Register the interface factory with Qt, once per process: Qt keeps every one it is given."""
    if not _installed:
        _installed.append(True)
        QAccessible.installFactory(_interface_of)


_installed: list[bool] = []


def _interface_of(class_name: str, widget: QObject) -> QAccessibleInterface | None:
    announcer = widget.findChild(Announcer) if class_name == "CanvasView" else None
    if announcer is None:
        return None
    announcer.interface = CanvasInterface(announcer.view, announcer.canvas)
    return announcer.interface


PartKey = tuple[Literal["node", "group", "wire"], int | Wire]
"""Kind of a part, and its number or wire."""
COLUMN_WIDTH = 96.0
"""Width in sheet px of a column in the reading order; its parts are read from top to bottom."""
NO_INTERFACE = cast(QAccessibleInterface, None)
"""A null pointer, which Qt expects where there is no interface; PySide's types leave it out."""


@exception_safe
class CanvasInterface(QAccessibleWidget):
    """The canvas itself: nodes, groups and wires first, then the widgets on top of it."""

    def __init__(self, view: QWidget, canvas: CanvasContext) -> None:
        super().__init__(view, QAccessible.Role.Canvas, view.accessibleName())
        self._view = view
        self._canvas = canvas
        self._interfaces: dict[PartKey, PartInterface] = {}
        self._keys: list[PartKey] = []
        self._index: dict[PartKey, int] = {}
        self._generation = -1
        """Generation of the scene when the keys were read."""
        view.destroyed.connect(partial(_drop_all, self._interfaces))

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
            self._index = {key: index for index, key in enumerate(self._keys)}

    def part(self, key: PartKey) -> PartInterface:
        """Return the interface of a part, creating it on first use."""
        if key not in self._interfaces:
            self._interfaces[key] = PartInterface(self._canvas, self, key)
            QAccessible.registerAccessibleInterface(self._interfaces[key])
        return self._interfaces[key]

    def drop_deleted(self) -> None:
        """Drop the interfaces of parts that are no longer in the document."""
        sheet = self._canvas.document.sheet
        nodes, wires = sheet.graph.nodes, {wire for _source, wire in sheet.graph.wires()}
        for key in list(self._interfaces):
            kind, found = key
            if isinstance(found, tuple):
                exists = found in wires
            else:
                exists = found in (nodes if kind == "node" else sheet.groups)
            if not exists:
                _delete(self._interfaces.pop(key))

    # overrides of Qt

    def childCount(self) -> int:
        """Return the number of parts plus child widgets."""
        return len(self.keys) + super().childCount()

    def child(self, index: int) -> QAccessibleInterface:
        """Return the child at an index."""
        keys = self.keys
        if 0 <= index < len(keys):
            return self.part(keys[index])
        return super().child(index - len(keys)) if index >= 0 else NO_INTERFACE

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
            return NO_INTERFACE
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
        return next((self.part(key) for key in keys if key in self.index), NO_INTERFACE)

    def focusChild(self) -> QAccessibleInterface:
        """Return the node or group that has the keyboard focus."""
        key = focused(self._canvas)
        if self._view.hasFocus() and key is not None and key in self.index:
            return self.part(key)
        return super().focusChild()


def _drop_all(interfaces: dict[PartKey, PartInterface], _destroyed: object = None) -> None:
    """Drop all part interfaces when the view is destroyed."""
    while interfaces:
        _delete(interfaces.popitem()[1])


def _delete(part: PartInterface) -> None:
    if isValid(part):
        QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(part))


@exception_safe
class PartInterface(QAccessibleInterface):
    """A node, collapsed or drawn group, or wire; without name and rectangle once it is deleted."""

    def __init__(self, canvas: CanvasContext, parent: CanvasInterface, key: PartKey) -> None:
        super().__init__()
        self._canvas = canvas
        self._parent = parent
        self.key = key

    def isValid(self) -> bool:
        """Return whether the part is still on the canvas."""
        return (
            isValid(self._canvas.widget)
            and isValid(self._parent)
            and self.key in self._parent.index
        )

    def object(self) -> QObject:
        """Return None: a part is painted by the canvas and is no QObject."""
        return cast(QObject, None)

    def window(self) -> QWindow:
        no_window = cast(QWindow, None)
        return (
            self._canvas.widget.window().windowHandle()
            if isValid(self._canvas.widget)
            else no_window
        )

    def parent(self) -> QAccessibleInterface:
        return self._parent if isValid(self._parent) else NO_INTERFACE

    def child(self, _index: int) -> QAccessibleInterface:
        """Return None: a part has no children."""
        return NO_INTERFACE

    def childCount(self) -> int:
        """Return 0: a part has no children."""
        return 0

    def childAt(self, _x: int, _y: int) -> QAccessibleInterface:
        """Return None: a part has no children."""
        return NO_INTERFACE

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
        state.selected = _is_selected(canvas, self.key)
        state.focused = canvas.widget.hasFocus() and self.key == focused(canvas)
        state.offscreen = not _rect(canvas, self.key).intersects(canvas.camera.visible_area)
        return state


def focused(canvas: CanvasContext) -> PartKey | None:
    """Return the part with the keyboard focus.

    That is the node selected last, the collapsed group that contains it, or the only selected
    drawn group.
    """
    focus, frame = canvas.selection.focus, canvas.selection.frame
    if focus is not None:
        return _part(canvas.scene.visible.key_of(focus))
    return None if frame is None else ("group", frame)


def in_reading_order(canvas: CanvasContext) -> list[PartKey]:
    """Return all parts in reading order.

    Nodes and groups come by column from left to right and top to bottom, then wires by
    the node they lead to.
    """
    scene = canvas.scene
    corners = {_part(key): QPointF(box.x, box.y) for key, box in scene.boxes.items()}
    for number, rect in scene.node_layout.groups.drawn.items():
        corners["group", number] = rect.topLeft()
    order = sorted(
        corners, key=lambda k: (corners[k].x() // COLUMN_WIDTH, corners[k].y(), corners[k].x(), k)
    )
    positions = {key: position for position, key in enumerate(order)}

    def end(wire: Wire) -> tuple[int, Wire]:
        return positions.get(_part(scene.visible.wire(wire).target), len(positions)), wire

    return [*order, *(("wire", wire) for wire in sorted(scene.courses, key=end))]


def _part(key: ItemKey) -> PartKey:
    return ("group", key.group) if isinstance(key, GroupKey) else ("node", key)


def _name(canvas: CanvasContext, key: PartKey) -> str:
    kind, found = key
    if isinstance(found, tuple):
        return wire_name(canvas.scene, found)
    if kind == "group":
        return group_name(canvas.scene, found)
    return node_name(canvas.scene, found, canvas.style.digits)


def _rect(canvas: CanvasContext, key: PartKey) -> QRectF:
    """Return the part's rectangle in sheet px; for a wire that of its label, if it has one."""
    scene, (kind, found) = canvas.scene, key
    if isinstance(found, tuple):
        return scene.labels.rect(found) or scene.courses[found].path.boundingRect()
    return scene.boxes[found].rect if kind == "node" else scene.node_layout.groups.rect(found)


def _is_selected(canvas: CanvasContext, key: PartKey) -> bool:
    kind, found = key
    if isinstance(found, tuple):
        return found in canvas.selection.wires
    if kind == "node":
        return found in canvas.selection.nodes
    item = canvas.scene.visible.folded.get(GroupKey(found))
    if item is None:
        return found in canvas.selection.frames
    return item.members <= canvas.selection.nodes


def node_name(scene: Scene, node: int, digits: Digits) -> str:
    """Return a node's name with its numbers: "e, times, value −6, gradient −2, inputs a and b"."""
    graph, look, looks = scene.sheet.graph, scene.node(node), scene.looks
    # a Root reads the numbers of the node that is plugged into it
    parts, numbers_of = _title_and_kind(graph, node), displayed_node(graph, node)
    known = look.grad is not None and look.grad.kind != "unknown"
    partial_sum = (
        partial_sum_text(looks.frame, node if numbers_of is None else numbers_of) if known else ""
    )
    # without slots, a face has value and gradient but no local derivatives
    for cell, number in zip(face(look.kind, slots=0), look.numbers, strict=False):
        if cell is not GRAD or known or looks.frame.phase == "backward":
            text = f"{cell.spoken} {_spoken_number(number)}"
            parts += (
                [text]
                if cell is not GRAD
                else _gradient_texts(scene, node, f"{text} {partial_sum}", digits)
            )
    if look.ledger.chips:
        parts += _ledger_texts(looks, node, look.ledger, bool(partial_sum))
    told = None if looks.asks_effect else looks.ripple
    if told is not None and (change := spoken_change(told, node, digits)):
        parts.append(change)
    names = ["nothing" if s is None else graph.title(s) for s in graph.inputs(node)]
    if names:
        parts.append(
            counted(len(names), "input {names}", "inputs {names}", names=enumerated(names))
        )
    return ", ".join(parts)


def _gradient_texts(scene: Scene, node: int, text: str, digits: Digits) -> list[str]:
    """Return the spoken gradient, and what is wrong with it."""
    looks, correct_grad = scene.looks, scene.node(node).correct_grad
    wrong = [f"wrong, {correct_grad} would be right"] if correct_grad else []
    why = causes(looks.frame, looks.comparison, node, digits)
    return [text.rstrip(), *wrong, *([why.rstrip(".")] if why else [])]


def _ledger_texts(looks: Looks, node: int, ledger: LedgerLook, is_counted: bool) -> list[str]:
    """Return how many contributions have arrived, unless `is_counted`, and the sum left over."""
    one, many = "{come} of {count} contribution", "{come} of {count} contributions"
    parts = [] if is_counted else [counted(ledger.expected, one, many, come=ledger.arrived)]
    leftover = looks.frame.sum_of(node).start
    return (
        [*parts, f"{looks.short(leftover)} left over from the pass before"] if leftover else parts
    )


def group_name(scene: Scene, group: int) -> str:
    """Return a group's name with the numbers of its outputs: "group Inputs, 2 nodes" if drawn."""
    if GroupKey(group) not in scene.visible.folded:
        nodes, _frames = content(scene, (group,))
        name = f"group {scene.sheet.groups[group].title}".rstrip()
        return counted(len(nodes), "{name}, {count} node", "{name}, {count} nodes", name=name)
    look = scene.group(GroupKey(group))
    lines = [f"{line.name} value {_spoken_number(line.numbers[0])}" for line in look.lines]
    return ", ".join([look.title, f"group of {size_text(look.count)}", *lines])


def wire_name(scene: Scene, wire: Wire) -> str:
    """Return a wire's name with its label: "from a to e, slot 1, −2 × −3 = +6"."""
    graph, label = scene.sheet.graph, scene.label(wire)
    source = graph.source(wire)
    start = "nothing" if source is None else graph.title(source)
    parts = [f"from {start} to {graph.title(wire[0])}"]
    drawn = scene.visible.wire(wire)
    if isinstance(drawn.target, GroupKey) and len(drawn.wires) > 1:
        parts = [f"from {start} into {scene.group(drawn.target).title}"]  # its label is a sum
    elif len(graph.inputs(wire[0])) > 1:
        parts.append(f"slot {wire[1] + 1}")
    if scene.looks.ripple is not None and not scene.looks.asks_effect:
        return ", ".join([*parts, *_effect_texts(scene.looks.ripple, wire, scene)])
    return ", ".join(parts if label is None else [*parts, _spoken_label(label)])


def _effect_texts(ripple: GraphRipple, wire: Wire, scene: Scene) -> tuple[str, ...]:
    """Return the spoken effect of a wire on a change: "a change times −3 gives −0.03"."""
    carried = ripple.carried(wire)
    if carried is None:
        return ()
    slope, effect = scene.looks.short(carried.slope), scene.looks.signed(carried.effect)
    return (f"a change times {slope} gives {effect}",)


def _title_and_kind(graph: Graph, node: int) -> list[str]:
    """Return a node's title and its op or kind, as spoken."""
    found = graph.nodes[node]
    if isinstance(found, OpNode):
        return [graph.title(node), graph.op(node).spoken or found.op.replace("_", " ")]
    if isinstance(found, Root):
        active = "root" if node == graph.active_root else "root, not active"
        return [graph.title(node) if found.input is None else graph.title(found.input), active]
    return [graph.title(node), "constant" if isinstance(found, Constant) else "leaf"]


def _spoken_number(number: NumberLook) -> str:
    return {"unknown": "not computed", "no path": "none, no path to the root"}.get(
        number.kind, "asked" if number.kind == "asked" else number.text
    )


def _spoken_label(label: LabelLook) -> str:
    if label.state == "next":
        return (
            f"next, {label.text}"
            if label.contribution != "···"  # not known before its step
            else f"next, {_spoken_factors(label)}"
        )
    if label.state == "asked":
        return f"asked, {_spoken_factors(label)}"
    return label.text


def _spoken_factors(label: LabelLook) -> str:
    return f"{label.upstream} × {label.local}" if label.local else "not yet known"
