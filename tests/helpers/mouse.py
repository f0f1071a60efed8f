"""The mouse as a hand moves it: clicks, drags, wheels and drops on any widget.

Places are points of the widget, or of its viewport. The second half knows the canvas: where a
slot, an output, a number or a label is on the screen, and how wires are drawn by name.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import (
    QCursor,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QInputMethodEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPointingDevice,
    QWheelEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QWidget
from shiboken6 import isValid

from app.canvas.canvas_view import CanvasView
from app.panels.strip.timeline import Timeline
from app.style import sizes
from engine.graph import Wire

NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CTRL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier
LEFT = Qt.MouseButton.LeftButton
MIDDLE = Qt.MouseButton.MiddleButton
RIGHT = Qt.MouseButton.RightButton

ENTRY = "application/x-backwire-entry"

Place = QPointF | QPoint


# on any widget


def surface(widget: QWidget) -> QWidget:
    """What gets the mouse: a scroll area's viewport, else the widget itself."""
    return widget.viewport() if isinstance(widget, QAbstractScrollArea) else widget


def over_sheet(widget: QWidget, at: Place) -> QWidget:
    """What gets the mouse at a point: on the canvas also the map or a button over the sheet."""
    whole = surface(widget)
    over = whole.childAt(QPointF(at).toPoint()) if isinstance(widget, CanvasView) else None
    return over or whole


def press(widget: QWidget, at: Place, modifiers=NONE, button=LEFT) -> None:
    """Go there and press: no button goes down where the pointer is not."""
    hover(widget, at, modifiers)
    _focus(surface(widget))
    _send(widget, QEvent.Type.MouseButtonPress, at, modifiers, button, button)


def move(widget: QWidget, at: Place, modifiers=NONE, button=LEFT) -> None:
    """Move with a button held, or with none (`Qt.MouseButton.NoButton`)."""
    _send(widget, QEvent.Type.MouseMove, at, modifiers, Qt.MouseButton.NoButton, button)


def release(widget: QWidget, at: Place, modifiers=NONE, button=LEFT) -> None:
    _send(widget, QEvent.Type.MouseButtonRelease, at, modifiers, button, Qt.MouseButton.NoButton)


def hover(widget: QWidget, at: Place, modifiers=NONE) -> None:
    move(widget, at, modifiers, Qt.MouseButton.NoButton)


def put_pointer(widget: QWidget, at: Place) -> None:
    """Put the system's own pointer there, with no button held: before a press."""
    QCursor.setPos(surface(widget).mapToGlobal(QPointF(at).toPoint()))
    QApplication.processEvents()


def click(widget: QWidget, at: Place, modifiers=NONE, button=LEFT) -> None:
    press(widget, at, modifiers, button)
    release(widget, at, modifiers, button)


def double_click(widget: QWidget, at: Place, modifiers=NONE) -> None:
    """Two clicks, the second press of which arrives as a double click."""
    click(widget, at, modifiers)
    _send(widget, QEvent.Type.MouseButtonDblClick, at, modifiers, LEFT, LEFT)
    release(widget, at, modifiers)


def drag(
    widget: QWidget, start: Place, end: Place, modifiers=NONE, steps: int = 6, button=LEFT
) -> None:
    """Press at one place, go to another in several moves, and let go."""
    with held(widget, start, end, modifiers, steps, button):
        pass


@contextmanager
def held(
    widget: QWidget, start: Place, end: Place, modifiers=NONE, steps: int = 6, button=LEFT
) -> Iterator[None]:
    """A drag that is let go only at the end of the block."""
    press(widget, start, modifiers, button)
    glide(widget, start, end, modifiers, steps, button)
    yield
    release(widget, end, modifiers, button)


def glide(
    widget: QWidget, start: Place, end: Place, modifiers=NONE, steps: int = 6, button=LEFT
) -> None:
    """Only the moves of a drag."""
    a, b = QPointF(start), QPointF(end)
    for k in range(1, steps + 1):
        move(widget, a + (b - a) * (k / steps), modifiers, button)


def wheel(widget: QWidget, at: Place, notches: float, modifiers=NONE) -> None:
    """Turn the wheel: up (away from the hand) is positive."""
    target = surface(widget)
    place = QPointF(at)
    event = QWheelEvent(
        place,
        QPointF(target.mapToGlobal(place.toPoint())),
        QPoint(0, 0),
        QPoint(0, round(notches * 120)),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(target, event)


def two_fingers(widget: QWidget, at: Place, pixels: QPoint, modifiers=NONE) -> None:
    """Two fingers on a trackpad."""
    target = surface(widget)
    place = QPointF(at)
    event = QWheelEvent(
        place,
        QPointF(target.mapToGlobal(place.toPoint())),
        pixels,
        pixels * 8,
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.ScrollUpdate,
        False,
        Qt.MouseEventSource.MouseEventSynthesizedBySystem,
    )
    QApplication.sendEvent(target, event)


def pinch(widget: QWidget, at: Place, share: float) -> None:
    """Spread two fingers on a trackpad, by a share of what is seen; below zero they close."""
    target, place = surface(widget), QPointF(at)
    beyond = QPointF(target.mapToGlobal(place.toPoint()))
    event = QNativeGestureEvent(
        Qt.NativeGestureType.ZoomNativeGesture,
        QPointingDevice.primaryPointingDevice(),
        2,
        place,
        beyond,
        beyond,
        share,
        QPointF(),
    )
    QApplication.sendEvent(target, event)


def drop(widget: QWidget, mime: QMimeData, at: Place) -> bool:
    """Drag something in and drop it, as the system's drag and drop does; whether it was taken."""
    if not drag_over(widget, mime, at):
        QApplication.sendEvent(surface(widget), QDragLeaveEvent())
        return False
    event = QDropEvent(QPointF(at), Qt.DropAction.CopyAction, mime, LEFT, NONE)
    QApplication.sendEvent(surface(widget), event)
    return event.isAccepted()


def drag_over(widget: QWidget, mime: QMimeData, at: Place) -> bool:
    """Enter with something and hover, without dropping; whether it would be taken."""
    target, action = surface(widget), Qt.DropAction.CopyAction
    place = QPointF(at)
    enter = QDragEnterEvent(place.toPoint(), action, mime, LEFT, NONE)
    enter.ignore()
    QApplication.sendEvent(target, enter)
    if not enter.isAccepted():
        return False
    over = QDragMoveEvent(place.toPoint(), action, mime, LEFT, NONE)
    QApplication.sendEvent(target, over)
    return over.isAccepted()


def drag_out(widget: QWidget) -> None:
    """Leave again with what is dragged."""
    QApplication.sendEvent(surface(widget), QDragLeaveEvent())


def entry(key: str) -> QMimeData:
    """What an entry of the palette carries while it is dragged."""
    mime = QMimeData()
    mime.setData(ENTRY, key.encode())
    return mime


def type_into_focus(text: str) -> None:
    """Type into whatever has the keyboard now."""
    for letter in text:
        QTest.keyClicks(_focused(), letter)


def write_into_focus(text: str) -> None:
    """Write a text that is long: all but its last letter at once, as an input method hands it over.

    Whatever follows each letter that is typed need not follow them all in each test.
    """
    handed_over = QInputMethodEvent()
    handed_over.setCommitString(text[:-1])
    QApplication.sendEvent(_focused(), handed_over)
    type_into_focus(text[-1:])


def key(pressed: Qt.Key, modifiers=NONE) -> None:
    """Press a key in whatever has the keyboard now."""
    QTest.keyClick(_focused(), pressed, modifiers)


def _focused() -> QWidget:
    found = QApplication.focusWidget()
    assert found is not None, "nothing has the keyboard"
    return found


def tick_x(timeline: Timeline, phase: str, cursor: int) -> int:
    """Where the tick of a cursor stands in the timeline."""
    return round(next(ln for ln in timeline.lanes if ln.track.phase == phase).x_of(cursor))


# on the canvas


def node_named(view: CanvasView, name: str) -> int:
    """The node with this name; "root" is the active Root."""
    graph = view.context.document.graph
    found = graph.active_root if name == "root" else graph.node_named(name)
    assert found is not None, f"there is no {name} among {sorted(graph.names.values())}"
    return found


def at_output(view: CanvasView, node: int) -> QPointF:
    found = view.scene.node_layout.output(node)
    assert found is not None, f"{node} is hidden in a group"
    return view.camera.to_screen(found)


def at_slot(view: CanvasView, node: int, slot: int = 0) -> QPointF:
    return view.camera.to_screen(view.scene.boxes[node].slot(slot))


def at_header(view: CanvasView, node: int) -> QPointF:
    """A point of a node by which it is taken: in the middle of its head."""
    box = view.scene.boxes[node]
    return view.camera.to_screen(QPointF(box.x + box.w / 2, box.y + sizes.NODE_HEADER / 2))


def at_number(view: CanvasView, node: int) -> QPointF:
    """The value of a leaf or a constant."""
    return view.camera.to_screen(view.scene.boxes[node].number_row.center())


def at_label(view: CanvasView, wire: Wire) -> QPointF:
    rect = view.scene.labels.rect(wire)
    assert rect is not None, f"nothing stands on {wire}"
    return view.camera.to_screen(rect.center())


def at_wire(view: CanvasView, wire: Wire, late: bool = False) -> QPointF:
    """The first point of a wire at which nothing else is, or the last one."""
    path = view.scene.courses[wire].path
    for k in range(95, 4, -1) if late else range(5, 96):
        at = QPointF(view.camera.to_screen(path.pointAtPercent(k / 100)).toPoint())
        if view.hover.hit_at(at).wire == wire and view.hover.hit_at(at).part == "wire":
            return at
    raise AssertionError(f"{wire} can't be pointed at")


def at_nothing(view: CanvasView) -> QPointF:
    """A point of the canvas with room around it and nothing under it."""
    area = view.viewport().rect().adjusted(60, 60, -60, -60)
    for y in range(area.top(), area.bottom(), 20):
        for x in range(area.left(), area.right(), 20):
            near = (QPointF(x + dx, y + dy) for dx in (-40, 0, 40) for dy in (-40, 0, 40))
            if all(view.hover.hit_at(at).part == "canvas" for at in near):
                return QPointF(x, y)
    raise AssertionError("the canvas is full")


def draw_wire(view: CanvasView, source: str, target: str, slot: int = 0, modifiers=NONE) -> None:
    """Drag from the output of one node to a slot of another."""
    a, b = node_named(view, source), node_named(view, target)
    drag(view, at_output(view, a), at_slot(view, b, slot), modifiers)


def draw_wire_back(view: CanvasView, target: str, slot: int, source: str) -> None:
    """Drag from an empty slot to the output that is to fill it."""
    a, b = node_named(view, source), node_named(view, target)
    drag(view, at_slot(view, b, slot), at_output(view, a))


def drop_entry(view: CanvasView, key: str, at: Place) -> int:
    """Drop an entry of the palette on the canvas; returns the new node."""
    number = view.context.document.graph.next_id
    assert drop(view, entry(key), at)
    assert number in view.context.document.graph.nodes
    return number


def _focus(target: QWidget) -> None:
    """Give the keyboard to what is clicked, as Qt does with a real mouse."""
    found: QWidget | None = target
    while found is not None and not found.focusPolicy() & Qt.FocusPolicy.ClickFocus:
        found = None if found.isWindow() else found.parentWidget()
    if found is not None:
        found.setFocus(Qt.FocusReason.MouseFocusReason)


def _send(
    widget: QWidget,
    kind: QEvent.Type,
    at: Place,
    modifiers: Qt.KeyboardModifier,
    button: Qt.MouseButton,
    buttons: Qt.MouseButton,
) -> None:
    whole, place = surface(widget), QPointF(at)
    target = _receiver(widget, place, kind, buttons)
    beyond = QPointF(whole.mapToGlobal(QPoint(0, 0))) + place
    if target is not whole:
        place = target.mapFrom(whole, place)
    QApplication.sendEvent(target, QMouseEvent(kind, place, beyond, button, buttons, modifiers))


_pressed: list[QWidget] = []
"""The map or the button of the canvas that was pressed last."""


def _receiver(widget: QWidget, at: QPointF, kind: QEvent.Type, buttons: Qt.MouseButton) -> QWidget:
    """What gets the mouse: while a button is held, and when it is let go, what was pressed."""
    drags = kind == QEvent.Type.MouseMove and buttons != Qt.MouseButton.NoButton
    if not drags and kind != QEvent.Type.MouseButtonRelease:
        _pressed[:] = [over_sheet(widget, at)]
    there = [found for found in _pressed if isValid(found) and surface(widget).isAncestorOf(found)]
    return next(iter(there), surface(widget))
