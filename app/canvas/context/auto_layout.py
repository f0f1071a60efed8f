"""AutoLayout: asks Graphviz, in a process of its own, for better positions of nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject, QProcess, QRectF, QTimer, Signal

from app.canvas.layout import columns
from app.canvas.layout.geometry import as_rect
from app.canvas.scene.scene import Scene
from app.document.change import Change
from app.document.document import Document
from app.document.place import free_block, snapped
from app.document.sheet import Point
from engine.errors import EngineError
from engine.graph import Root
from engine.graphviz import COMMAND, Direction, positions, request

SLOW = 500
"""After so many milliseconds it says that it is at work."""
LIMIT = 60_000
"""After so many milliseconds it gives up."""


class AutoLayout(QObject):
    """Runs one layout at a time; a new one, another document, or `cancel` ends the one before."""

    working = Signal(bool)
    """True when it takes longer than half a second, False when it is over."""
    failed = Signal(str)
    placing = Signal()
    """An answer has come; nodes are about to get other places."""
    placed = Signal()
    """The document has the new places."""

    def __init__(self, document: Document, scene: Scene, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._scene = scene
        self._drawn = scene
        self._process: QProcess | None = None
        self._take: Callable[[dict[int, Point]], None] | None = None
        self._direction: Direction = "LR"
        self._nodes: frozenset[int] = frozenset()
        self._aliases: dict[int, int] = {}
        self._slow = QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.setInterval(SLOW)
        self._slow.timeout.connect(self._say_working)
        self._limit = QTimer(self)
        self._limit.setSingleShot(True)
        self._limit.setInterval(LIMIT)
        self._limit.timeout.connect(self.give_up)
        document.changed.connect(self._follow_document)
        document.placed_roughly.connect(self._settle)

    @property
    def running(self) -> bool:
        """Whether a layout is being computed."""
        return self._process is not None

    def arrange(
        self,
        nodes: frozenset[int],
        take: Callable[[dict[int, Point]], None],
        direction: Direction = "LR",
    ) -> None:
        """Ask for places of these nodes; `take` gets them, later."""
        self.cancel()
        visible = self._scene.visible
        inside = frozenset(n for n in nodes if visible.drawn(n))
        if not inside:
            return
        self._aliases = self._named(inside)
        self._drawn = self._scene.in_pass()
        text = request(
            {alias: self._size(node) for node, alias in self._aliases.items()},
            self._wires(),
            direction,
            (columns.WIDEST, 40.0),
        )
        self._nodes, self._take, self._direction = inside, take, direction
        process = QProcess(self)
        process.finished.connect(self._finished)
        process.errorOccurred.connect(self._broke)
        self._process = process
        process.start(COMMAND[0], list(COMMAND[1:]))
        process.write(text)
        process.closeWriteChannel()
        self._slow.start()
        self._limit.start()

    def cancel(self) -> None:
        """End the layout that is being computed, if there is one."""
        process, self._process = self._process, None
        self._take = None
        self._stop_waiting()
        if process is not None:
            process.finished.disconnect(self._finished)
            process.errorOccurred.disconnect(self._broke)
            process.kill()
            process.waitForFinished(1000)
            process.deleteLater()

    def give_up(self) -> None:
        """End a layout that takes too long, and say so."""
        self.cancel()
        self.failed.emit(f"No places were found within {LIMIT // 1000} seconds; none has changed.")

    # private

    def _follow_document(self, change: Change) -> None:
        """Nodes of another document have the same numbers: places must not reach them."""
        if change.whole and self.running:
            self.cancel()

    def _settle(self, nodes: frozenset[int], gesture: int) -> None:
        """Nodes that came without places get better ones, as part of the same step."""
        corner = self._upper_left(nodes)

        def take(places: dict[int, Point]) -> None:
            self._document.settle(self._beside_others(_moved_to(places, corner)), gesture)

        self.arrange(nodes, take)

    def _upper_left(self, nodes: frozenset[int]) -> Point:
        known = [self._document.positions[n] for n in nodes if n in self._document.positions]
        if not known:
            return (0.0, 0.0)
        return (min(x for x, _y in known), min(y for _x, y in known))

    def _beside_others(self, places: dict[int, Point]) -> dict[int, Point]:
        """The places, all of them moved along where they would cover nodes that stand already."""
        plan, block = self._scene.node_layout, QRectF()
        drawn = {n: p for n, p in places.items() if n in self._scene.boxes}
        for node, (x, y) in drawn.items():
            block = block.united(QRectF(x, y, *self._size(node)))
        others = [as_rect(plan.extent(n)) for n in self._scene.boxes if n not in places]
        others += [as_rect(box.rect) for box in self._scene.group_boxes.values()]
        place = snapped(free_block(others, as_rect(block), 24.0)) if drawn and others else None
        if place is None:
            return places
        dx, dy = place[0] - block.left(), place[1] - block.top()
        return {n: (x + dx, y + dy) for n, (x, y) in places.items()}

    def _labels(self) -> dict[int, float]:
        """For each node or group (by its alias) the widest label on a wire into it."""
        into = self._scene.text_sizes.labels_into(self._nodes)
        found: dict[int, float] = {}
        for node, wide in into.items():
            alias = self._aliases.get(self._key(node))
            if alias is not None:
                found[alias] = max(found.get(alias, 0.0), wide)
        return found

    def _finished(self, _code: int, _status: QProcess.ExitStatus) -> None:
        process, self._process = self._process, None
        take, self._take = self._take, None
        self._stop_waiting()
        if process is None or take is None:
            return
        answer = bytes(process.readAllStandardOutput().data())
        process.deleteLater()
        try:
            found = positions(answer, self._direction)
        except EngineError as error:
            self.failed.emit(str(error))
            return
        self.placing.emit()
        places = self._polished(found)
        if places:  # all of it may have gone meanwhile
            take(places)
        self.placed.emit()

    def _broke(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self.cancel()
            self.failed.emit("Graphviz can't be started; the nodes stay where they are.")

    def _named(self, nodes: frozenset[int]) -> dict[int, int]:
        """Numbers for Graphviz: nodes keep theirs, collapsed groups (as -n) get new ones."""
        visible = self._scene.visible
        aliases = {n: n for n in nodes if n in visible.shown}
        following = self._document.graph.next_id
        for group, folded in visible.folded.items():
            if folded.members <= nodes:
                aliases[-group] = following + group
        return aliases

    def _size(self, key: int) -> tuple[float, float]:
        drawn = self._drawn
        rect = drawn.group_boxes[-key].rect if key < 0 else drawn.node_layout.extent(key)
        return (rect.width(), rect.height())

    def _is_there(self, key: int) -> bool:
        """Whether it is still on the sheet, now that the answer has come."""
        return key in self._scene.boxes if key >= 0 else -key in self._scene.group_boxes

    def _wires(self) -> list[tuple[int, tuple[int, int]]]:
        visible, found = self._scene.visible, list[tuple[int, tuple[int, int]]]()
        for source, (target, slot) in self._document.graph.wires():
            a, b = self._key(source), self._key(target)
            if a == b or a not in self._aliases or b not in self._aliases:
                continue
            place = slot if b >= 0 else visible.folded[-b].slots.index((target, slot))
            found.append((self._aliases[a], (self._aliases[b], place)))
        return found

    def _key(self, node: int) -> int:
        group = self._scene.visible.home.get(node)
        return node if group is None else -group

    def _polished(self, places: dict[int, Point]) -> dict[int, Point]:
        """On the grid; a root level with the node it marks; members along with their group."""
        graph = self._document.graph
        keys = {alias: key for key, alias in self._aliases.items() if self._is_there(key)}
        there = {alias: place for alias, place in places.items() if alias in keys}
        if self._direction == "LR":
            wide = {alias: self._size(keys[alias])[0] for alias in there}
            there = columns.closed_up(there, wide, self._labels())
        found = {keys[alias]: snapped(place) for alias, place in there.items()}
        result = {n: p for n, p in found.items() if n in graph.nodes}
        for key, place in found.items():
            if -key in self._document.sheet.groups and key < 0:
                result |= self._members_moved(-key, place)
        for node in list(result):
            marked = graph.nodes[node]
            if isinstance(marked, Root) and marked.input in found and self._direction == "LR":
                level = (result[node][0], result[marked.input][1])
                if not self._covered(node, level, found):
                    result[node] = level
        return result

    def _members_moved(self, group: int, place: Point) -> dict[int, Point]:
        x, y = self._document.sheet.groups[group].position
        positions = self._document.positions
        members = self._scene.visible.folded[group].members
        return {
            n: (positions[n][0] + place[0] - x, positions[n][1] + place[1] - y) for n in members
        }

    def _covered(self, node: int, place: Point, places: Mapping[int, Point]) -> bool:
        rect = QRectF(*place, *self._size(node))
        for other, (x, y) in places.items():
            if other != node:
                found = QRectF(x, y, *self._size(other))
                if found.adjusted(-8, -8, 8, 8).intersects(rect):
                    return True
        return False

    def _say_working(self) -> None:
        self.working.emit(True)

    def _stop_waiting(self) -> None:
        self._limit.stop()
        if self._slow.isActive():
            self._slow.stop()
        else:
            self.working.emit(False)


def _moved_to(places: Mapping[int, Point], corner: Point) -> dict[int, Point]:
    """The places with their top left corner at another point."""
    left = min((x for x, _y in places.values()), default=0.0)
    top = min((y for _x, y in places.values()), default=0.0)
    return {n: (x - left + corner[0], y - top + corner[1]) for n, (x, y) in places.items()}
