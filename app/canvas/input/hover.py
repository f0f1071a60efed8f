"""Hover: highlight, hint, tooltip and context menu of the part under the pointer."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QCursor, QHelpEvent
from PySide6.QtWidgets import QToolTip, QWidget

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.overlay.selection_rings import focused_point
from app.canvas.paint.node_painting import NODE_MARGIN
from app.canvas.paint.painter import SILHOUETTE_SCALE
from app.canvas.scene.hit_test import NO_HIT, Hit, hit
from app.canvas.scene.scene import Scene
from app.controls.layouts import plain_tooltip
from app.controls.spans import plain_text
from app.document.boxes import members_of
from app.style import sizes
from app.workbench.gradients.chain_rule import derivation, partial_sum_text, total
from app.workbench.gradients.explanation import causes
from engine.graph import OpNode, Root, Wire
from engine.numbers import full

WIRE_MARGIN = 18.0
"""Margin in sheet px of a wire with its glow and its marks."""
MIN_LABEL_HEIGHT = 25.0
"""Height on the screen, in px, to which the label of a hovered wire is enlarged when zoomed out."""
PLUG_MARGIN = 28.0
"""Radius in sheet px of the ring around a slot or an output."""

_CURSORS = {  # by the edges under the pointer (`Hit.edges`), or by the part (`Hit.part`)
    "l": Qt.CursorShape.SizeHorCursor,
    "r": Qt.CursorShape.SizeHorCursor,
    "t": Qt.CursorShape.SizeVerCursor,
    "b": Qt.CursorShape.SizeVerCursor,
    "lt": Qt.CursorShape.SizeFDiagCursor,
    "rb": Qt.CursorShape.SizeFDiagCursor,
    "rt": Qt.CursorShape.SizeBDiagCursor,
    "lb": Qt.CursorShape.SizeBDiagCursor,
    "number": Qt.CursorShape.SizeHorCursor,
    "output": Qt.CursorShape.CrossCursor,
    "slot": Qt.CursorShape.CrossCursor,
    "wire": Qt.CursorShape.PointingHandCursor,
    "label": Qt.CursorShape.PointingHandCursor,
}


class Hover(QObject):
    """The pointer over one canvas, outside of gestures."""

    menu_wanted = Signal(object, QPoint)
    """Emitted with a Hit and a screen position when a context menu is requested."""
    node_changed = Signal(object)
    """Emitted with the node under the pointer, or None, when it becomes another one."""

    def __init__(self, canvas: CanvasContext) -> None:
        super().__init__(canvas.widget)
        self._canvas = canvas
        self._hovered: Hit = NO_HIT
        self._widget: QWidget | None = None
        """The minimap or the button under the pointer."""
        self._hint_at: QPointF | None = None
        """Screen point of the part of which the hint is; None without one."""
        self._hint = ""
        """The last hint from here; another part of the canvas may have replaced it."""
        self._menu_point: QPointF | None = None
        """Screen point at which a context menu is open."""

    @property
    def current(self) -> Hit:
        return self._hovered

    def hit_at(self, at: QPointF) -> Hit:
        """Return the part of the sheet at a screen point; NO_HIT under a widget over it."""
        canvas = self._canvas
        if self.widget_at(at) is not None:
            return NO_HIT
        return hit(canvas.scene, canvas.camera.to_sheet(at), canvas.camera.scale)

    def widget_at(self, at: QPointF) -> QWidget | None:
        """Return the map, button or field at a screen point, or None for the sheet."""
        return self._canvas.widget.childAt(at.toPoint())

    def set_menu_point(self, at: QPointF | None) -> None:
        """Use the point of an open menu instead of the pointer; None when the menu closes."""
        self._menu_point = at

    @property
    def is_menu_open(self) -> bool:
        """Return whether a menu is open, so that its point counts and not the pointer's."""
        return self._menu_point is not None

    def on_sheet(self) -> QPointF:
        """Return the sheet point under the pointer, or the centre of the view."""
        host = self._canvas.widget
        at = self._menu_point
        if at is None:
            at = QPointF(host.mapFromGlobal(QCursor.pos()))
        if not QRectF(host.rect()).contains(at):
            at = self._canvas.camera.screen_centre
        return self._canvas.camera.to_sheet(at)

    def point(self, at: QPointF) -> None:
        """Highlight the hit under the pointer; update cursor and hint."""
        widget = self.widget_at(at)
        found = self.hit_at(at)
        # left for the empty sheet while another part has replaced the highlight: clear the hint
        has_left = found == NO_HIT and self._hint_at is not None
        if found == self._hovered and widget is self._widget and not has_left:
            return
        self._widget = widget
        self.set_hovered(found)
        self.show_cursor(cursor_for(found.edges or found.part))
        self._show_hint(status_text(self._canvas, found) if widget is None else widget.toolTip())
        self._hint_at = None if found == NO_HIT else at

    def show_cursor(self, shape: Qt.CursorShape) -> None:
        """Set the cursor, if it is another one: Qt sends an event for each that is set."""
        widget = self._canvas.widget
        if widget.cursor().shape() != shape:
            widget.setCursor(shape)

    def leave(self) -> None:
        """Clear the highlight when the pointer leaves the canvas."""
        self._widget = None
        self.set_hovered(NO_HIT)
        self._hint_at = None
        self._show_hint("")
        self._canvas.repaint.everything()

    def set_hovered(self, found: Hit) -> None:
        """Highlight a hit, and nothing else."""
        canvas = self._canvas
        before, self._hovered = self._hovered, found
        for changed in () if found == before else (before, found):
            # zoomed out far, lines of one px are drawn together: a part can't be painted alone
            rect = _highlight_rect(changed, canvas.scene, canvas.camera.scale)
            if rect is None or canvas.camera.scale < SILHOUETTE_SCALE:
                canvas.repaint.everything()
            else:
                canvas.repaint.on_sheet(rect)
        if found.node != before.node:
            self.node_changed.emit(found.node)

    def refresh_hint(self) -> None:
        """Update the hint, whose numbers may have changed, unless another part has replaced it."""
        if self._hint_at is not None and self._canvas.messages.hint == self._hint:
            self._show_hint(status_text(self._canvas, self.hit_at(self._hint_at)))

    def show_tooltip(self, event: QHelpEvent) -> None:
        text = tooltip_text(self._canvas, self.hit_at(QPointF(event.pos())))
        if text:
            QToolTip.showText(event.globalPos(), plain_tooltip(text), self._canvas.widget)
        else:
            QToolTip.hideText()

    def ask_for_menu(self, event: QContextMenuEvent) -> None:
        """Request the menu of the hit under the pointer, or at the keyboard focus."""
        canvas, host = self._canvas, self._canvas.widget
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            point = focused_point(canvas)
            at = canvas.camera.to_screen(point)
            found = hit(canvas.scene, point, canvas.camera.scale)
        else:
            at = QPointF(host.mapFromGlobal(event.globalPos()))
            found = self.hit_at(at)
        self._select_for_menu(found)
        self.menu_wanted.emit(found, host.mapToGlobal(at.toPoint()))

    # private

    def _show_hint(self, text: str) -> None:
        self._hint = text
        self._canvas.messages.set_hint(text)

    def _select_for_menu(self, found: Hit) -> None:
        """Select the hit, so that the menu's actions apply to it."""
        wire, document, selection = found.wire, self._canvas.document, self._canvas.selection
        if found.part == "slot" and wire and document.graph.source(wire) is not None:
            selection.choose((), (wire,))
        elif found.node is not None and found.node not in selection.nodes:
            selection.focus_on(found.node)
        elif wire is not None and found.node is None:
            selection.choose((), (wire,))
        elif found.group is not None and found.group not in selection.frames:
            frames = {found.group} & document.sheet.drawn.keys()
            selection.choose(members_of(document.sheet.groups, found.group), (), frames)


def cursor_for(edges_or_part: str) -> Qt.CursorShape:
    """Return the cursor over some edges of a group, or over a part of the sheet."""
    return _CURSORS.get(edges_or_part, Qt.CursorShape.ArrowCursor)


def _highlight_rect(hit: Hit, scene: Scene, scale: float) -> QRectF | None:
    """Return the sheet rectangle that a highlight changes; None for the whole view."""
    if hit.part == "canvas":
        return QRectF()
    if hit.part in ("wire", "label") and hit.wire is not None:
        return _wire_rect(scene, hit.wire, scale)
    if hit.part in ("node", "number") and hit.node is not None and hit.node in scene.boxes:
        return _with_margin(scene.boxes[hit.node].rect, NODE_MARGIN + 4 / scale)
    if hit.part in ("slot", "output") and hit.node is not None:
        node_layout = scene.node_layout
        at = node_layout.slot_point(hit.wire) if hit.wire else node_layout.output(hit.node)
        return QRectF() if at is None else _with_margin(QRectF(at, at), PLUG_MARGIN + 4 / scale)
    return None


def _wire_rect(scene: Scene, wire: Wire, scale: float) -> QRectF:
    """Return the rectangle of a wire with its label, whole or at its size when zoomed out."""
    course = scene.courses.get(wire)
    if course is None:
        return QRectF()
    left, top, right, bottom = course.bounds
    found = _with_margin(
        QRectF(QPointF(left, top), QPointF(right, bottom)), WIRE_MARGIN + 3 / scale
    )
    label = scene.labels.rect(wire, full=True)
    if label is None:
        return found
    wide = label.width() / min(scale, 1.0)
    high = max(label.height(), MIN_LABEL_HEIGHT / scale)
    middle = label.center().y()
    return found.united(
        _with_margin(QRectF(label.right() - wide, middle - high / 2, wide, high), 3)
    )


def _with_margin(rect: QRectF, margin: float) -> QRectF:
    return rect.adjusted(-margin, -margin, margin, margin)


MAX_SUMMED = 30
"""Number of contributions up to which a tooltip writes out the sum."""


def status_text(canvas: CanvasContext, found: Hit) -> str:
    """Return a description of the hit with its numbers or possible actions; "" for the sheet."""
    if found.part in ("node", "number") and found.node is not None:
        return _node_text(canvas, found.node)
    if found.wire is not None:
        return _wire_text(canvas, found.wire)
    if found.part == "output":
        return "Drag to a slot to wire it; Ctrl moves all its wires"
    return _group_text(canvas, found, found.group) if found.group is not None else ""


def tooltip_text(canvas: CanvasContext, found: Hit) -> str:
    """Return the tooltip: the status text, and how to change the hit."""
    graph = canvas.document.graph
    lines = [status_text(canvas, found)]
    node = graph.nodes.get(found.node) if found.node is not None else None
    if found.part == "number":
        lines.append("Drag to change it, double-click to type it")
    elif found.part == "slot":
        lines.append("Drag to plug, Alt+click or Ctrl+Shift+click to unplug")
    elif found.part in ("wire", "label"):
        lines.append("Delete, Alt+click or Ctrl+Shift+click unplugs it")
    elif found.part == "node":
        if found.node is not None:
            frame, comparison = canvas.playback.frame, canvas.playback.now.comparison
            lines.append(_full_sum_text(canvas, found.node))
            lines.append(causes(frame, comparison, found.node, "shortest"))
        if isinstance(node, OpNode):
            op = graph.structure.op(node.op)
            lines.append(f"{op.name}: {op.description}")
        lines.append("F2 labels it, Delete removes it")
    return "\n".join(line for line in lines if line)


def _node_text(canvas: CanvasContext, node: int) -> str:
    graph, frame = canvas.document.graph, canvas.playback.frame
    found = graph.nodes[node]
    shown = found.input if isinstance(found, Root) else node
    parts = [graph.title(node if shown is None else shown)]
    if shown is not None and shown in frame.values:
        parts.append(f"value {full(frame.values[shown])}")
    if shown is not None and shown in frame.grads:
        partial_sum = partial_sum_text(frame, shown)
        number = full(frame.grads[shown])
        parts.append(f"gradient {number} {partial_sum}" if partial_sum else f"gradient {number}")
    return ", ".join(parts)


def _full_sum_text(canvas: CanvasContext, node: int) -> str:
    """Return the sum of a ledger that has more contributions than it shows; else ""."""
    frame = canvas.playback.frame
    ledger = derivation(frame, node, canvas.playback.now.comparison)
    if ledger.overwritten(ledger.arrived) > 0 or len(ledger.arrived) <= sizes.CHIPS_SHOWN:
        return ""
    return plain_text(total(ledger, canvas.style.digits, MAX_SUMMED))


def _wire_text(canvas: CanvasContext, wire: Wire) -> str:
    graph = canvas.document.graph
    source = graph.source(wire)
    if source is None:
        return f"{graph.title(wire[0])}, slot {wire[1] + 1} is empty: drag from it or to it"
    text = f"{graph.title(source)} → {graph.title(wire[0])}, slot {wire[1] + 1}"
    event = canvas.playback.frame.fired.get(wire)
    if event is None:
        return text
    product = f"{full(event.upstream)} × {full(event.local)} = {full(event.contribution)}"
    return f"{text}: {product}"


def _group_text(canvas: CanvasContext, found: Hit, group: int) -> str:
    title = canvas.document.sheet.groups[group].title
    if found.edges:
        return f"Drag to resize {title or 'the group'}"
    if canvas.document.sheet.groups[group].drawn:
        return f"{title or 'Group'}: drag to move it with what lies in it, double-click to rename"
    if found.part != "opener":
        return f"{title}: double-click to look inside"
    opened = group in canvas.scene.visible.opened
    return f"Show {title} as one" if opened else f"Open {title} in place"
