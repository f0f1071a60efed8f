"""KeyboardNavigation: selecting nodes and drawing wires with the keyboard alone.

While a node or a collapsed group has the keyboard focus, arrows move the focus along wires. W
starts a wire there; arrows then choose its target, Enter connects it, Esc cancels. While a pass is
done by hand, Enter lets the focused node fire.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent, QPainter

from app.canvas.appearance.items import GroupKey, Item, ItemKey, painting_order
from app.canvas.context.canvas_context import CanvasContext
from app.canvas.editing.inline_fields import InlineFields
from app.canvas.layout.drawn_course import course
from app.style import sizes
from app.style.strokes import pen
from engine.asking.hand_run import HandRun
from engine.graph import Constant, Graph, Leaf, Root, Wire

_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


class KeyboardNavigation:
    """Moves the focus between nodes, and draws wires with the keyboard."""

    def __init__(self, canvas: CanvasContext, fields: InlineFields) -> None:
        self._canvas = canvas
        self._fields = fields
        self._moves_focus = False
        """Whether arrows move the focus; otherwise those left and right step through the pass."""
        self._choices: list[tuple[int, Wire]] = []
        """The wires (source and slot) that can be drawn from the focus; empty while none is."""
        self._choice = 0
        """Index of the wire that Enter would connect."""

    @property
    def shows_focus_ring(self) -> bool:
        """Return whether arrows move the focus and the canvas has the keyboard."""
        return self._moves_focus and self._canvas.widget.hasFocus()

    @property
    def wire_choice(self) -> tuple[int, Wire] | None:
        """Return the wire that Enter would connect, or None."""
        return self._choices[self._choice] if self._choices else None

    @property
    def fading(self) -> Wire | None:
        """Return the wire that Enter would replace."""
        pair = self.wire_choice
        graph = self._canvas.document.graph
        return None if pair is None or replaced_source(graph, *pair) is None else pair[1]

    def stop(self) -> None:
        """Let arrows step again, because the mouse is used or a pass begins."""
        self._moves_focus = False
        self.end_wire()

    def end_wire(self) -> None:
        """Cancel the wire being drawn."""
        if self._choices:
            self._canvas.messages.set_hint("")
        self._choices, self._choice = [], 0

    def accepts(self, event: QKeyEvent) -> bool:
        """Return whether a key is for navigation, so that it takes precedence over shortcuts."""
        # Qt sets this one for arrows too, on some systems
        if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            return False
        if self._choices:
            return event.key() in (*_ARROWS, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape)
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_W):
            return bool(self._canvas.document.graph.nodes)
        by_hand = self._canvas.playback.now.by_hand
        # during a pass arrows step through it, unless it is done by hand
        arrows_step = self._canvas.playback.phase != "live" and by_hand is None
        may_navigate = not arrows_step and self._canvas.selection.focus is not None
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._canvas.playback.now.takes_clicks:  # by hand, or a question which node is next
                return self._canvas.selection.focus is not None or (
                    by_hand is not None and by_hand.needs_seed
                )
            return (self._moves_focus or may_navigate) and self._editable_node() is not None
        if event.key() == Qt.Key.Key_Backspace:
            return by_hand is not None
        if event.key() in _ARROWS:
            return self._moves_focus or may_navigate
        return event.key() == Qt.Key.Key_Escape and self._moves_focus

    def key(self, event: QKeyEvent) -> bool:
        """Handle a key press; return whether it was for navigation."""
        if not self.accepts(event):
            return False
        key = Qt.Key(event.key())
        if self._choices:
            self._wire_key(key)
        elif key == Qt.Key.Key_W:
            self._start_wire()
        elif key == Qt.Key.Key_Escape:
            self._moves_focus = False
        elif key in _ARROWS:
            self._move_focus(*_ARROWS[key])
        elif key == Qt.Key.Key_Backspace:
            self._canvas.modes.by_hand.take_back()
        elif self._canvas.playback.now.takes_clicks:
            self._fire(self._canvas.playback.now.by_hand)
        else:
            self._fields.edit_value(self._editable_node())
        self._canvas.repaint.everything()
        return True

    def paint(self, painter: QPainter) -> None:
        """Paint the wire that Enter would connect."""
        pair, layout = self.wire_choice, self._canvas.scene.node_layout
        if pair is None:
            return
        color = self._canvas.theme.selection
        end = layout.slot_point(pair[1]) or QPointF()
        path = course(layout.output(pair[0]) or end, end).path
        painter.strokePath(path, pen(color, sizes.WIRE_PREVIEW, (7.0, 4.0)))
        painter.setPen(pen(color, 2.4))
        painter.drawEllipse(end, 8.0, 8.0)

    # private

    def _fire(self, hand_run: HandRun | None) -> None:
        """Let the focused node fire; until there is a seed, ask for it."""
        focus, modes = self._canvas.selection.focus, self._canvas.modes
        if hand_run is not None and hand_run.needs_seed:
            modes.by_hand.seed_wanted.emit()
        elif focus is not None:
            modes.click(focus)

    def _editable_node(self) -> int | None:
        """Return the focused node if it has a value that can be typed."""
        focus = self._canvas.selection.focus
        found = self._canvas.document.graph.nodes.get(focus) if focus is not None else None
        return focus if isinstance(found, Leaf | Constant) else None

    def _move_focus(self, dx: int, dy: int) -> None:
        """Focus the next node or folded group along a wire, or above or below."""
        self._moves_focus = True
        boxes, focused = self._canvas.scene.boxes, self._focused_item()
        if focused is None:
            if boxes:
                self._focus(min(boxes, key=lambda key: (boxes[key].x, boxes[key].y)))
            return
        box = boxes[focused.key]
        if dx:
            candidates = self._neighbours(focused, dx) - {focused.key}
        else:
            # nodes of one row may differ by some px
            candidates = {key for key in boxes if (boxes[key].y - box.y) * dy > 4}
        found = sorted(candidates & boxes.keys(), key=painting_order)
        if found:
            self._focus(
                min(
                    found,
                    key=lambda n: _directed_distance(boxes[n].x - box.x, boxes[n].y - box.y, dx),
                )
            )

    def _focused_item(self) -> Item | None:
        """Return the node with the focus, or the folded group around it."""
        focus, scene = self._canvas.selection.focus, self._canvas.scene
        key = None if focus is None else scene.visible.key_of(focus)
        return scene.item(key) if key is not None and key in scene.boxes else None

    def _neighbours(self, item: Item, dx: int) -> set[ItemKey]:
        """Return the items with the sources of an item on the left, or with its targets."""
        graph, key_of = self._canvas.document.graph, self._canvas.scene.visible.key_of
        if dx < 0:
            return {key_of(s) for n in item.members for s in graph.inputs(n) if s is not None}
        return {key_of(target) for n in item.members for target, _slot in graph.outgoing[n]}

    def _focus(self, key: ItemKey) -> None:
        """Focus a node or a folded group and bring it into view."""
        canvas = self._canvas
        if isinstance(key, GroupKey):
            members = canvas.scene.item(key).members
            canvas.selection.choose(members)
            canvas.framing.show_nodes(members)
        else:
            canvas.selection.focus_on(key)
            canvas.framing.show_node(key)

    def _start_wire(self) -> None:
        """Collect every visible slot that accepts the wire: empty ones first, then by distance."""
        canvas = self._canvas
        item = self._focused_item()
        sources = () if item is None else item.outputs
        if not sources:
            canvas.messages.refuse("Choose a node first; W then starts a wire from it.")
            return
        graph, layout = canvas.document.graph, canvas.scene.node_layout
        choices = [
            (source, (node, slot))
            for source in (() if canvas.document.sheet.wiring_locked else sources)
            for node in graph.nodes.keys() - graph.plan(source).order
            for slot in range(len(graph.inputs(node)))
            if layout.slot_point((node, slot)) is not None
        ]
        if not choices:
            canvas.messages.refuse("There is no slot that this node could be plugged into.")
            return
        self._moves_focus, self._choices, self._choice = True, sorted(choices, key=self._rank), 0
        self._update_hint()

    def _rank(self, choice: tuple[int, Wire]) -> tuple[bool, float, int, Wire]:
        """Return the sort key of a wire that can be drawn."""
        layout, (source, wire) = self._canvas.scene.node_layout, choice
        start, end = layout.output(source) or QPointF(), layout.slot_point(wire) or QPointF()
        is_taken = self._canvas.document.graph.source(wire) is not None
        return (
            is_taken,
            _directed_distance(end.x() - start.x(), end.y() - start.y(), 1),
            source,
            wire,
        )

    def _wire_key(self, key: Qt.Key) -> None:
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            pair = self.wire_choice
            self.end_wire()
            if pair is not None:
                self._canvas.document.wires.connect(pair[0], *pair[1])
        elif key == Qt.Key.Key_Escape:
            self.end_wire()
        else:
            step = 1 if key in (Qt.Key.Key_Right, Qt.Key.Key_Down) else -1
            self._choice = (self._choice + step) % len(self._choices)
            self._canvas.framing.show_node(self._choices[self._choice][1][0])
            self._update_hint()

    def _update_hint(self) -> None:
        pair = self.wire_choice
        assert pair is not None
        graph = self._canvas.document.graph
        text = with_replaced_source(graph, *pair, wire_text(graph, *pair))
        self._canvas.messages.set_hint(f"{text}: Enter plugs, arrows choose, Esc leaves it")


def _directed_distance(x: float, y: float, dx: int) -> float:
    """Return a distance in which deviations from the direction of the arrow count twice.

    `dx` is 0 for an arrow up or down.
    """
    return abs(x) + 2 * abs(y) if dx else 2 * abs(x) + abs(y)


def wire_sentence(graph: Graph, source: int, wire: Wire) -> str:
    """Return the hint of a wire being drawn: both ends, and the source it replaces."""
    if isinstance(graph.nodes[wire[0]], Root):
        return with_replaced_source(graph, source, wire, f"{graph.title(source)} becomes the root")
    return with_replaced_source(graph, source, wire, wire_text(graph, source, wire))


def wire_text(graph: Graph, source: int, wire: Wire) -> str:
    """Return both ends of a wire as text: `a → b, slot 1`."""
    return f"{graph.title(source)} → {graph.title(wire[0])}, slot {wire[1] + 1}"


def with_replaced_source(graph: Graph, source: int, wire: Wire, text: str) -> str:
    """Return the text, followed by the source that the wire would replace, if any."""
    previous = replaced_source(graph, source, wire)
    return text if previous is None else f"{text}: replaces {graph.title(previous)}"


def replaced_source(graph: Graph, source: int, wire: Wire) -> int | None:
    """Return the source of a slot, if a wire from another one would replace it."""
    previous = graph.source(wire)
    return None if previous == source else previous
