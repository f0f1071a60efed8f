"""Draw a wire: from an output to a slot, from a slot to an output, or from its slot to another.

`gestures.begin` makes the gesture at a press on a slot or an output.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QElapsedTimer, QObject, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QPainter

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.input.gesture import Gesture, Pointer
from app.canvas.input.keyboard_navigation import replaced_source, wire_sentence
from app.canvas.layout.drawn_course import course
from app.canvas.scene.hit_test import nearest_output, nearest_slot
from app.document.history import KEEPS_WIRING
from app.style import sizes
from app.style.strokes import draw_text, pen, rounded, width
from app.style.theme import faded
from engine import edits
from engine.graph import Wire
from engine.numbers import counted

AddAtEnd = Callable[[QPointF, int | None, Wire | None], None]
"""Opens quick add at a sheet point, for a node fed by a source or feeding a slot."""


class ConnectedEnd(NamedTuple):
    """The end of a wire that stays connected while the other follows the pointer.

    Either `source` or `wire` or `all_of` is given.
    """

    source: int | None = None
    """The node that its output end is at."""
    wire: Wire | None = None
    """The slot that it leads to."""
    unplugged: Wire | None = None
    """With `source`: the slot from which it is pulled off."""
    all_of: int | None = None
    """A node of which all wires are moved to another output."""


class DrawWire(Gesture):
    """Draws a wire whose free end follows the pointer and snaps to slots or outputs near it."""

    def __init__(
        self, canvas: CanvasContext, start: Pointer, connected: ConnectedEnd, add: AddAtEnd
    ) -> None:
        super().__init__(canvas, start)
        self._source, self._wire, self._unplugged, self._all_of = connected
        self._add = add
        self._end = start.sheet
        """Where the pointer is, in sheet px."""
        self._near_slot: Wire | None = None
        self._near_output: int | None = None
        """The slot or the output that the free end has snapped to."""
        self._refusal: str | None = None
        """Why the wire can't be made there, as a sentence."""
        self._cycle: tuple[int, ...] = ()
        """The nodes of the cycle that it would close, along its wires."""
        self._flash: Flash | None = None
        self._moved = False
        self._cyclic_nodes = self._find_cyclic_nodes()
        self._open_slots = self._find_open_slots()

    def move(self, pointer: Pointer) -> None:
        """Follow the pointer; hint at the effect of a release."""
        self._moved = self._moved or self.is_drag(pointer)
        self._end = pointer.sheet
        # SLOT_REACH on the sheet, and on the screen when zoomed out
        reach = max(float(sizes.SLOT_REACH), sizes.SLOT_REACH / self.canvas.camera.scale)
        self._near_slot = self._near_output = None
        if self._wire is None and self._all_of is None:  # its free end is that at a slot
            self._near_slot = nearest_slot(self.canvas.scene, pointer.sheet, reach)
        else:
            self._near_output = nearest_output(self.canvas.scene, pointer.sheet, reach)
        before = self._cycle
        self._update_refusal()
        if self._cycle != before:
            self._flash = self._flash or Flash(self.canvas.widget, self.canvas.repaint.everything)
            self._flash.restart(bool(self._cycle) and self.canvas.style.motion)
        self.canvas.messages.set_hint(self._hint_text())
        self.canvas.repaint.everything()

    def release(self, pointer: Pointer) -> None:
        """Connect the wire, disconnect it, or open quick add on the empty sheet."""
        canvas = self.canvas
        self._clear_preview()
        if not self._moved:
            self._select_clicked()
        elif self._refusal is not None:
            canvas.messages.refuse(self._refusal)
        elif self._all_of is not None:
            if self._near_output is not None:
                canvas.document.wires.replug_all(self._all_of, self._near_output)
        elif self._near_slot is not None and self._source is not None:
            self._connect(self._source, self._near_slot)
        elif self._near_output is not None and self._wire is not None:
            canvas.document.wires.connect(self._near_output, *self._wire)
        elif self._unplugged is not None:
            canvas.document.wires.disconnect(*self._unplugged)
        else:
            self._add(pointer.sheet, self._source, self._wire)

    def cancel(self) -> None:
        """Leave every wire as it was."""
        self._clear_preview()

    def paint(self, painter: QPainter) -> None:
        """Paint the wire, the slots that accept it, and the cycle it would close."""
        theme = self.canvas.theme
        self._paint_open_slots(painter)
        refused = self._refusal is not None
        color = theme.error if refused else theme.selection
        for start, end in self._preview_lines():
            path = course(start, end).path
            painter.strokePath(path, pen(color, sizes.WIRE_PREVIEW, (7.0, 4.0)))
        if refused:
            self._paint_cycle(painter)
            self._paint_cross(painter)
        sentence = self._hint_text()
        if sentence and self._moved:
            paint_tooltip(painter, self.canvas, self._end, sentence, refused)

    @property
    def cursor(self) -> Qt.CursorShape:
        """Return a cross, or the forbidden cursor where a wire is refused."""
        return Qt.CursorShape.ForbiddenCursor if self._refusal else Qt.CursorShape.CrossCursor

    @property
    def pulls_view(self) -> bool:
        """Return True: the view scrolls at its border."""
        return True

    @property
    def hidden(self) -> Wire | None:
        """Return the wire that follows the pointer, which is painted here and not by the scene."""
        return self._unplugged if self._moved else None

    @property
    def fading(self) -> Wire | None:
        """Return the wire that would be replaced on release."""
        pair = self._new_wire() if self._refusal is None else None
        graph = self.canvas.document.graph
        return None if pair is None or replaced_source(graph, *pair) is None else pair[1]

    # private

    def _clear_preview(self) -> None:
        if self._flash is not None:
            self._flash.close()
        self.canvas.messages.set_hint("")
        self.canvas.repaint.everything()

    def _select_clicked(self) -> None:
        node = self._source if self._wire is None else self._wire[0]
        if self._unplugged is not None:
            node = self._unplugged[0]
        if node is not None:
            self.canvas.selection.focus_on(node)

    def _connect(self, source: int, slot: Wire) -> None:
        """Connect a new wire, or move the one that was unplugged, in one undo step."""
        if self._unplugged is not None:
            self.canvas.document.wires.replug(self._unplugged, slot)
        else:
            self.canvas.document.wires.connect(source, *slot)

    def _update_refusal(self) -> None:
        """Find out why the wires can't be made, and the cycle that they would close."""
        graph = self.canvas.document.graph
        locked = KEEPS_WIRING if self.canvas.document.sheet.wiring_locked else None
        self._refusal, self._cycle = None, ()
        pairs = self._new_wires()
        if pairs and self._unplugged is not None:  # without it the wire may close no cycle
            graph = edits.disconnect(graph, *self._unplugged)
        for source, target in pairs:
            self._refusal = locked or edits.refusal(graph, source, *target)
            if self._refusal is not None:
                self._cycle = edits.cycle_closed_by(graph, source, target[0])
                return

    def _new_wires(self) -> list[tuple[int, Wire]]:
        """Return all wires (source and slot) that releasing would make."""
        if self._all_of is None:
            pair = self._new_wire()
            return [] if pair is None else [pair]
        source = self._near_output
        if source is None or source == self._all_of:
            return []
        return [(source, wire) for wire in self.canvas.document.graph.outgoing[self._all_of]]

    def _new_wire(self) -> tuple[int, Wire] | None:
        """Return the wire (source and slot) that releasing would make, or None."""
        if self._near_slot is not None and self._source is not None:
            return self._source, self._near_slot
        if self._near_output is not None and self._wire is not None:
            return self._near_output, self._wire
        return None

    def _hint_text(self) -> str:
        if self._refusal is not None:
            return self._refusal
        graph = self.canvas.document.graph
        pair = self._new_wire()
        if pair is not None and pair[0] in graph.nodes:
            return wire_sentence(graph, *pair)
        if pairs := self._new_wires():
            one, many = "Move {count} wire to {node}", "Move {count} wires to {node}"
            return counted(len(pairs), one, many, node=graph.title(pairs[0][0]))
        if self._moved and self._unplugged is not None:
            return "Let go to unplug"
        return "Let go to add a node here" if self._moved and self._all_of is None else ""

    def _preview_lines(self) -> list[tuple[QPointF, QPointF]]:
        """Return the ends (output, slot) of each wire to paint."""
        node_layout = self.canvas.scene.node_layout
        start = end = self._end
        if self._near_output is not None:
            start = node_layout.output(self._near_output) or start
        if self._all_of is not None:
            wires = self.canvas.document.graph.outgoing[self._all_of]
            points = [node_layout.slot_point(wire) for wire in wires]
            return [(start, point) for point in points if point is not None]
        if self._wire is not None:
            return [(start, node_layout.slot_point(self._wire) or end)]
        assert self._source is not None
        if self._near_slot is not None:
            end = node_layout.slot_point(self._near_slot) or end
        return [(node_layout.output(self._source) or start, end)]

    def _find_open_slots(self) -> list[Wire]:
        """Return the slots that may take the wire: those of nodes that do not feed its source."""
        if self._source is None:
            return []
        graph = self.canvas.document.graph
        return [
            (node, slot)
            for node in graph.nodes
            if node not in self._cyclic_nodes
            for slot in range(len(graph.inputs(node)))
        ]

    def _find_cyclic_nodes(self) -> frozenset[int]:
        """Return the nodes that can't be the other end, since the wire would close a cycle."""
        graph = self.canvas.document.graph
        if self._wire is not None:
            return graph.fed_by(self._wire[0])
        return frozenset(() if self._source is None else graph.plan(self._source).order)

    def _paint_open_slots(self, painter: QPainter) -> None:
        theme, area = self.canvas.theme, self.canvas.camera.visible_area
        fixed_node = self._source if self._wire is None else self._wire[0]
        for node in self._cyclic_nodes - {fixed_node}:
            box = self.canvas.scene.boxes.get(node)
            if box is not None and box.rect.intersects(area):
                painter.fillRect(box.rect.adjusted(-6, -2, 6, 2), faded(theme.canvas, 0.55))
        painter.setBrush(theme.node)
        for wire in self._open_slots:
            at = self.canvas.scene.node_layout.slot_point(wire)
            if at is None or not area.contains(at):
                continue
            if wire == self._near_slot:
                painter.setPen(pen(faded(theme.selection, 0.35), 7))
                painter.drawEllipse(at, 8.0, 8.0)
            painter.setPen(pen(theme.selection, 2.0))
            painter.drawEllipse(at, 6.0, 6.0)
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_cycle(self, painter: QPainter) -> None:
        """Highlight the wires of the cycle that would be closed: they flash, then stay lit."""
        theme, graph = self.canvas.theme, self.canvas.document.graph
        strength = 1.0 if self._flash is None else self._flash.strength
        color, wide = faded(theme.error, 0.25 + 0.75 * strength), 7 + 6 * strength
        for before, after in zip(self._cycle, self._cycle[1:], strict=False):
            for slot, source in enumerate(graph.inputs(after)):
                if source == before and (after, slot) in self.canvas.scene.courses:
                    path = self.canvas.scene.courses[after, slot].path
                    painter.strokePath(path, pen(faded(theme.error, 0.25 * strength), wide))
                    painter.strokePath(path, pen(color, sizes.WIRE_FIRING))

    def _paint_cross(self, painter: QPainter) -> None:
        theme = self.canvas.theme
        at = self._preview_lines()[0][1] - QPointF(18, 0)  # left of the slot, on the wire
        painter.setPen(pen(theme.error, 1.0))
        painter.setBrush(theme.error)
        painter.drawEllipse(at, 9.0, 9.0)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(pen(theme.on_fill, 2.0))
        painter.drawLine(at + QPointF(-3.5, -3.5), at + QPointF(3.5, 3.5))
        painter.drawLine(at + QPointF(-3.5, 3.5), at + QPointF(3.5, -3.5))


def paint_tooltip(
    painter: QPainter, canvas: CanvasContext, at: QPointF, sentence: str, refused: bool = False
) -> None:
    """Paint a tooltip next to the pointer, as large as the zoom makes it, within the canvas."""
    theme, zoom, interface_scale = canvas.theme, canvas.camera.zoom, canvas.camera.interface_scale
    painter.save()
    painter.translate(at)
    # the painter is scaled by `camera.scale`, which is their product
    painter.scale(1 / interface_scale, 1 / interface_scale)
    wide = width(sentence, "interface strong") + 24
    pointer_x, available = canvas.camera.to_screen(at).x() / zoom, canvas.widget.width() / zoom
    x = min(16.0, available - wide - 8 - pointer_x)  # right of the pointer, unless it would not fit
    rect = QRectF(x, 22, wide, 32)
    painter.fillPath(rounded(rect, 8, 8), theme.error if refused else theme.text)
    color = theme.on_fill if refused else theme.panel
    draw_text(painter, sentence, "interface strong", color, (x + 12, 38))
    painter.restore()


FLASH_INTERVAL = 16
"""Interval of repaints in milliseconds."""
FLASH_PERIOD, FLASH_COUNT = 260.0, 3
"""Duration of one flash in milliseconds, and the number of flashes."""


def strength_after(milliseconds: float) -> float:
    """Return the brightness, 0 to 1, at a time: three cosine waves that start and end bright."""
    if milliseconds >= FLASH_PERIOD * FLASH_COUNT:
        return 1.0
    return 0.5 + 0.5 * math.cos(2 * math.pi * milliseconds / FLASH_PERIOD)


class Flash:
    """Flashes one thing at a time; with animations switched off it is lit steadily.

    `redraw` is called for each new brightness.
    """

    def __init__(self, parent: QObject, redraw: Callable[[], None]) -> None:
        self._redraw = redraw
        self._since = QElapsedTimer()
        self._clock = QTimer(parent, interval=FLASH_INTERVAL)
        self._clock.timeout.connect(self._tick)

    @property
    def strength(self) -> float:
        """Return the current brightness, from 0 to 1."""
        return strength_after(self._since.elapsed()) if self._clock.isActive() else 1.0

    def restart(self, wanted: bool) -> None:
        """Start the flashes from the beginning, or stop flashing unless `wanted`."""
        self._since.start()
        if wanted:
            self._clock.start()
        else:
            self._clock.stop()

    def close(self) -> None:
        """Stop the timer for good."""
        self._clock.stop()
        self._clock.deleteLater()

    def _tick(self) -> None:
        if self._since.elapsed() >= FLASH_PERIOD * FLASH_COUNT:
            self._clock.stop()
        self._redraw()
