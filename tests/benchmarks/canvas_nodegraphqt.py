"""NodeGraphQt's canvas, to be timed with the same nodes, wires and places.

Its test for loops takes exponential time, so it is off; undo is not recorded while building.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from NodeGraphQt import BaseNode, NodeGraph  # pyright: ignore[reportMissingImports]
from PySide6.QtCore import QEvent, QPointF

from engine.formats.files import load_drawing
from engine.formats.native import Drawing
from tests.benchmarks.canvas_ours import PAN, ZOOM_STEPS, send
from tests.benchmarks.canvas_worker import SIZE, Action, Actions

SLOTS = ("a", "b", "c")
ZOOM = 140
"""The wheel's angle that means a factor of 1.15."""


def actions(_name: str, file: Path) -> Actions:
    """Everything that can be timed."""
    return Peer(load_drawing(file)).actions()


class Peer:
    """One graph of NodeGraphQt and its viewer."""

    def __init__(self, drawing: Drawing) -> None:
        self._drawing = drawing
        self._graph = NodeGraph()
        self._graph.set_acyclic(False)
        self._graph.register_nodes([_kind(slots) for slots in range(len(SLOTS) + 1)])
        self._viewer = self._graph.viewer()
        self._viewer.resize(*SIZE)
        self._viewer.show()
        self._nodes: dict[int, Any] = {}
        self._folder = tempfile.TemporaryDirectory()
        self._session = str(Path(self._folder.name) / "session.json")

    def actions(self) -> Actions:
        """Everything that can be timed."""
        repaint = self._viewer.viewport().repaint
        return {
            "build": Action(lambda _k: self._build(), self._graph.clear_session, self._save),
            "open": Action(lambda _k: self._open(), self._graph.clear_session),
            "fitted: repaint": Action(lambda _k: repaint(), self._fit),
            "1:1: repaint": Action(lambda _k: repaint(), self._live),
            "pan": Action(self._pan, self._live),
            "zoom": Action(self._zoom, self._live),
            "move one": Action(self._drag, lambda: self._grab(1), self._drop),
            "drag 100": Action(self._drag, lambda: self._grab(100), self._drop),
            "hover": Action(self._hover, self._live, settle=False),
            "hover, painted": Action(self._hover, self._live),
        }

    def _build(self) -> None:
        graph, places = self._drawing.graph, self._drawing.positions
        self._nodes = {
            number: self._graph.create_node(
                f"bench.Slots{len(graph.inputs(number))}",
                name=f"n{number}",
                selected=False,
                pos=places[number],
                push_undo=False,
            )
            for number in graph.nodes
        }
        for source, (target, slot) in graph.wires():
            output = self._nodes[source].output(0)
            output.connect_to(self._nodes[target].input(slot), push_undo=False, emit_signal=False)
        self._fit()

    def _save(self) -> None:
        self._graph.save_session(self._session)

    def _open(self) -> None:
        self._graph.load_session(self._session)
        self._fit()

    def _fit(self) -> None:
        self._viewer.zoom_to_nodes(self._viewer.all_nodes())

    def _live(self) -> None:
        """Look at the middle at 1:1."""
        self._graph.clear_selection()
        self._fit()
        self._viewer.reset_zoom(QPointF(*self._viewer.scene_center()))

    def _pan(self, k: int) -> None:
        shift = -PAN if k % 40 < 20 else PAN
        self._viewer._set_viewer_pan(shift.x(), shift.y())

    def _zoom(self, k: int) -> None:
        inwards = k // ZOOM_STEPS % 2
        self._viewer._set_viewer_zoom(ZOOM if inwards else -ZOOM)

    def _grab(self, count: int) -> None:
        self._live()
        x, y = self._viewer.scene_center()

        def away(node: Any) -> float:
            return abs(node.x_pos() - x) + abs(node.y_pos() - y)

        nearest = sorted(self._graph.all_nodes(), key=away)[:count]
        for node in nearest:
            node.set_selected(True)
        corner = nearest[0].view.sceneBoundingRect().topLeft() + QPointF(50, 12)
        self._at = QPointF(self._viewer.mapFromScene(corner))
        send(self._viewer.viewport(), QEvent.Type.MouseButtonPress, self._at, held=True)

    def _drag(self, k: int) -> None:
        at = self._at + QPointF(6 + 5 * (k % 40), 3 * (k % 40))
        send(self._viewer.viewport(), QEvent.Type.MouseMove, at, held=True)

    def _drop(self) -> None:
        send(self._viewer.viewport(), QEvent.Type.MouseButtonRelease, self._at)

    def _hover(self, k: int) -> None:
        at = QPointF(160 + 13 * (k % 120), 140 + 7 * (k % 110))
        send(self._viewer.viewport(), QEvent.Type.MouseMove, at)


def _kind(slots: int) -> type[Any]:
    """The class of nodes with so many inputs."""

    def make(self: Any) -> None:
        BaseNode.__init__(self)
        for letter in SLOTS[:slots]:
            self.add_input(letter)
        self.add_output("out")

    name = f"Slots{slots}"
    return type(name, (BaseNode,), {"__identifier__": "bench", "NODE_NAME": name, "__init__": make})
