"""AutoLayout: node positions from Graphviz in a separate process, or plain columns at once.

An item is a node or, as a negative number, a collapsed group.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QRectF, QTimer, Signal

from app.canvas.appearance.items import GroupKey, ItemKey
from app.canvas.layout.group_layout import as_rect, united
from app.canvas.scene.scene import Scene
from app.document.document import Document
from app.document.node_sizes import is_pill
from app.document.placement import (
    COLUMN_PITCH,
    GRAPHVIZ_GAPS,
    MOST_CROSSING,
    Viewport,
    balanced_columns,
    columns,
    columns_at_once,
    condensed,
    free_block,
    in_reading_order,
    snapped,
    stacked,
    tidy_layout,
    wrap_into_bands,
)
from app.document.sheet import Point
from engine.errors import EngineError
from engine.formats.graphviz import COMMAND, Direction, positions, request

if TYPE_CHECKING:
    from PySide6.QtCore import QProcess

SLOW_AFTER = 500
"""Delay in milliseconds after which the layout is reported as taking long."""
TIMEOUT = 60_000
"""Timeout of a layout in milliseconds."""
_MOST_BALANCED = 300
"""Most nodes and folded groups whose columns are balanced when they are placed at once."""
BLOCK_GAP = 24.0
"""Distance of nodes that were added together from those that were there, in sheet px."""


class AutoLayout(QObject):
    """Runs one layout at a time; a new one, another document, or `cancel` ends the running one."""

    working = Signal(bool)
    """Emitted with True when a layout takes longer than half a second, with False when it ends."""
    failed = Signal(str)
    """Emitted with the reason why nothing has moved, as a sentence."""
    placing = Signal()
    """Emitted before the computed positions are applied."""
    placed = Signal()
    """Emitted after the document has the new positions."""

    def __init__(
        self,
        document: Document,
        scene: Scene,
        viewport: Callable[[], Viewport],
        show_now: Callable[[], object],
        parent: QObject | None = None,
    ) -> None:
        """`show_now` shows the sheet in the scene, where that waits for other changes."""
        super().__init__(parent)
        self._viewport, self._show_now = viewport, show_now
        self._document = document
        self._scene = scene
        self._process: QProcess | None = None
        self._apply: Callable[[dict[int, Point]], None] | None = None
        """Gets the positions of the running layout by node."""
        self._direction: Direction = "LR"
        self._nodes: frozenset[int] = frozenset()
        self._keys: dict[int, ItemKey] = {}
        """The items by their numbers in the text for Graphviz."""
        # runs out when a layout takes long; then `working` is emitted
        self._slow = QTimer(self, singleShot=True, interval=SLOW_AFTER)
        self._slow.timeout.connect(self._emit_working)
        self._limit = QTimer(self, singleShot=True, interval=TIMEOUT)
        self._limit.timeout.connect(self.give_up)
        document.layout_wanted.connect(self._lay_out_new)
        document.positions_wanted.connect(self._position_now)

    @property
    def running(self) -> bool:
        """Return whether a layout is being computed."""
        return self._process is not None

    def arrange(
        self,
        nodes: frozenset[int],
        apply: Callable[[dict[int, Point]], None],
        direction: Direction = "LR",
    ) -> None:
        """Start computing positions of these nodes; `apply` gets them when they are ready."""
        self.cancel()
        visible = self._scene.visible
        inside = frozenset(n for n in nodes if visible.is_drawn(n))
        if not inside:
            return
        self._keys = self._keys_of(inside)
        self._scene.apply_layout()
        self._nodes, self._direction = inside, direction
        sizes, wires = {n: self._size(n) for n in self._keys}, self._wires()
        if (found := columns_at_once(sizes, wires, direction)) is not None:
            self._place(found, apply)
            return
        text = request(sizes, wires, direction, GRAPHVIZ_GAPS)
        self._apply = apply
        from PySide6.QtCore import QProcess  # slow to import, not needed at start

        process = QProcess(self)
        process.finished.connect(self._finished)
        process.errorOccurred.connect(self._failed_to_start)
        self._process = process
        process.start(COMMAND[0], list(COMMAND[1:]))
        process.write(text)
        process.closeWriteChannel()
        self._slow.start()
        self._limit.start()

    def cancel(self) -> None:
        """Cancel the running layout, if there is one."""
        process, self._process = self._process, None
        self._apply = None
        self._stop_timers()
        if process is not None:
            # a killed process finishes and reports an error too
            process.finished.disconnect(self._finished)
            process.errorOccurred.disconnect(self._failed_to_start)
            process.kill()
            process.waitForFinished(1000)
            process.deleteLater()

    def give_up(self) -> None:
        """Cancel a layout that exceeds the timeout, and report it."""
        self.cancel()
        self.failed.emit(
            f"No places were found within {TIMEOUT // 1000} seconds; none has changed."
        )

    # private

    def _lay_out_new(self, nodes: frozenset[int], gesture: int) -> None:
        """Lay out nodes added without positions, in the undo step that added them."""
        corner = self._upper_left(nodes)

        def apply(places: dict[int, Point]) -> None:
            self._document.apply_layout(self._clear_of_others(_moved_to(places, corner)), gesture)

        self.arrange(nodes, apply)

    def _position_now(self, nodes: frozenset[int], gesture: int) -> None:
        """Place the nodes of a small or folded graph without Graphviz, in the step that added them.

        A lesson must begin with final positions, and a process answers later.
        """
        self.cancel()
        self._show_now()
        self._scene.apply_layout()
        self._keys, self._nodes, self._direction = self._keys_of(nodes), nodes, "LR"
        tallest = max((self._size(number)[1] for number in self._keys), default=0.0)
        graph, pitch = self._document.graph, (COLUMN_PITCH, tallest + GRAPHVIZ_GAPS[1])
        if self._scene.visible.folded:
            items = {n: self._number_of(n) for n in graph.nodes}
            graph = condensed(graph, {n: item for n, item in items.items() if item in self._keys})
        if len(self._keys) > _MOST_BALANCED:
            plain = columns(graph, pitch=pitch)
        else:
            plain = in_reading_order(graph, balanced_columns(graph, pitch))
        places = {number: plain[number] for number in self._keys if number in plain}
        if self._scene.visible.folded:
            places = stacked(places, {number: self._size(number) for number in places}, graph)
        self._document.apply_layout(self._final_positions(places), gesture)

    def _upper_left(self, nodes: frozenset[int]) -> Point:
        known = [self._document.positions[n] for n in nodes if n in self._document.positions]
        if not known:  # none has a position yet
            return (0.0, 0.0)
        return (min(x for x, _y in known), min(y for _x, y in known))

    def _clear_of_others(self, places: dict[int, Point]) -> dict[int, Point]:
        """Return the positions, shifted as a whole if they would cover existing nodes."""
        boxes = self._scene.boxes
        drawn = [QRectF(*p, *self._size(n)) for n, p in places.items() if n in boxes]
        block = united(drawn)
        others = [as_rect(box.rect) for key, box in boxes.items() if key not in places]
        place = snapped(free_block(others, as_rect(block), BLOCK_GAP)) if drawn and others else None
        if place is None:
            return places
        dx, dy = place[0] - block.left(), place[1] - block.top()
        return {n: (x + dx, y + dy) for n, (x, y) in places.items()}

    def _widest_labels(self) -> dict[int, float]:
        """Return the widest label on a wire into each item."""
        found: dict[int, float] = {}
        for node, wide in self._scene.text_sizes.before_slots(self._nodes).items():
            number = self._number_of(node)
            found[number] = max(found.get(number, 0.0), wide)
        return found

    def _finished(self, _code: int, _status: QProcess.ExitStatus) -> None:
        process, self._process = self._process, None
        apply, self._apply = self._apply, None
        self._stop_timers()
        if process is None or apply is None:
            return
        answer = bytes(process.readAllStandardOutput().data())
        process.deleteLater()
        try:
            found = positions(answer, self._direction)
        except EngineError as error:
            self.failed.emit(str(error))
            return
        self._place(found, apply)

    def _place(self, found: dict[int, Point], apply: Callable[[dict[int, Point]], None]) -> None:
        self.placing.emit()
        places = self._final_positions(found)
        if places:  # all nodes may be deleted meanwhile
            apply(places)
        self.placed.emit()

    def _failed_to_start(self, error: QProcess.ProcessError) -> None:
        from PySide6.QtCore import QProcess

        if error == QProcess.ProcessError.FailedToStart:
            self.cancel()
            self.failed.emit("Graphviz can't be started; the nodes stay where they are.")

    def _keys_of(self, nodes: frozenset[int]) -> dict[int, ItemKey]:
        """Return the items that these nodes make up, by number."""
        visible, graph = self._scene.visible, self._document.graph
        found: list[ItemKey] = [n for n in nodes & visible.shown if not is_pill(graph, n)]
        found += [key for key, item in visible.folded.items() if item.members <= nodes]
        return {self._number(key): key for key in found}

    def _number(self, key: ItemKey) -> int:
        """Return the number of an item in a layout: a node keeps its own."""
        return self._document.graph.next_id + key.group if isinstance(key, GroupKey) else key

    def _number_of(self, node: int) -> int:
        """Return the number of the item that shows a node."""
        return self._number(self._scene.visible.key_of(node))

    def _key(self, number: int) -> ItemKey:
        """Return the item that has a number now."""
        first = self._document.graph.next_id
        return number if number < first else GroupKey(number - first)

    def _size(self, number: int) -> tuple[float, float]:
        key = self._key(number)
        return (self._scene.node_layout.needed_width(key), self._scene.boxes[key].h)

    def _wires(self) -> list[tuple[int, tuple[int, int]]]:
        """Return the wires between the items, as (source, (target, slot)) by their numbers."""
        found: list[tuple[int, tuple[int, int]]] = []
        for source, wire in self._document.graph.wires():
            drawn, a = self._scene.visible.wire(wire), self._number_of(source)
            b = self._number_of(wire[0])
            if a != b and a in self._keys and b in self._keys:
                found.append((a, (b, drawn.slot)))
        return found

    def _final_positions(self, places: dict[int, Point]) -> dict[int, Point]:
        """Return positions on the grid: roots level with their input, members with their group.

        The numbers of groups are those of the time when the layout began.
        """
        graph, keys = self._document.graph, self._keys
        existing = {
            self._number(keys[n]): place
            for n, place in places.items()
            if keys.get(n) in self._scene.boxes
        }
        if self._direction == "LR":
            found = tidy_layout(existing, self._size, self._widest_labels(), graph)
            pairs = [
                (self._number_of(source), self._number_of(wire[0]))
                for source, wire in graph.wires()
            ]
            for members in self._scene.visible.opened.values():  # no band ends in a frame
                across = sorted(members & found.keys(), key=lambda n: found[n][0])
                pairs += [(across[0], across[-1])] * (MOST_CROSSING + 1) if across else []
            found = wrap_into_bands(found, self._size, pairs, self._viewport())
        else:
            found = {key: snapped(place) for key, place in existing.items()}
        result = {n: p for n, p in found.items() if n in graph.nodes}
        result |= self._seated_positions(result)
        for number, place in found.items():
            if isinstance(key := self._key(number), GroupKey):
                result |= self._member_positions(key, place)
        return result

    def _seated_positions(self, places: Mapping[int, Point]) -> dict[int, Point]:
        """Return positions of the pills at a slot of these nodes, for the file."""
        scene, graph = self._scene, self._document.graph
        found: dict[int, Point] = {}
        for node in self._nodes:
            box = scene.boxes.get(node)
            if box is None or box.kind != "pill":
                continue
            reader = graph.outgoing[node][0][0]
            if reader in places and reader in scene.boxes:
                x, y = places[reader]
                at = scene.boxes[reader]
                found[node] = (x + box.x - at.x, y + box.y - at.y)
        return found

    def _member_positions(self, key: GroupKey, place: Point) -> dict[int, Point]:
        """Return positions of the members of a group that moves to a place: they move along."""
        x, y = self._document.sheet.groups[key.group].position
        positions = self._document.positions
        members = self._scene.visible.folded[key].members
        return {
            n: (positions[n][0] + place[0] - x, positions[n][1] + place[1] - y) for n in members
        }

    def _emit_working(self) -> None:
        self.working.emit(True)

    def _stop_timers(self) -> None:
        self._limit.stop()
        if self._slow.isActive():
            self._slow.stop()
        else:  # it has run out, so that the layout was reported as taking long
            self.working.emit(False)


def _moved_to(places: Mapping[int, Point], corner: Point) -> dict[int, Point]:
    """Return the positions shifted so that their upper left corner is at `corner`."""
    left = min((x for x, _y in places.values()), default=0.0)
    top = min((y for _x, y in places.values()), default=0.0)
    return {n: (x - left + corner[0], y - top + corner[1]) for n, (x, y) in places.items()}
