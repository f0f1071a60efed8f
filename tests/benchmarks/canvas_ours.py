"""Our canvas, to be timed."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QWidget

from app.canvas.canvas_view import CanvasView
from app.document.document import Document
from app.document.document_file import DocumentFile
from app.style.current import Style
from app.style.fonts import load_fonts
from app.workbench.playback.playback import Playback
from app.workbench.runners.quiz_runner import QuizRunner
from app.workbench.selection import Selection
from engine.formats.files import load_drawing
from engine.formats.native import Drawing
from engine.graph import Graph, Leaf
from tests.benchmarks.canvas_worker import SIZE, Action, Actions

PAN = QPointF(-11, 5)
ZOOM = 1.15
REST = 0.5
"""Seconds between two steps of someone who looks at each."""
ZOOM_STEPS = 14
"""How many steps lead from 1:1 to where everything is seen."""


def actions(_name: str, file: Path) -> Actions:
    """Everything that can be timed."""
    return Ours(file).actions()


class Ours:
    """A canvas with its document, playback and selection."""

    def __init__(self, file: Path) -> None:
        load_fonts()
        self.document = Document()
        self.playback = Playback(self.document)
        self.selection = Selection(self.document)
        modes = QuizRunner(self.playback)
        self.view = CanvasView(Style(), self.document, self.playback, modes, self.selection)
        self.view.resize(*SIZE)
        self.view.show()
        self._file = file
        self._drawing: Drawing | None = None
        self._gesture = 0
        self._group: int | None = None
        QApplication.processEvents()
        gc.collect()  # as the window does when it has started
        gc.freeze()

    def actions(self) -> Actions:
        """Everything that can be timed."""
        repaint = self.view.viewport().repaint
        return {
            "build": Action(lambda _k: self._build(), self._load),
            "open": Action(lambda _k: DocumentFile(self.document).open(self._file), self._close),
            "fitted: repaint": Action(lambda _k: repaint(), self._fitted),
            "1:1: repaint": Action(lambda _k: repaint(), self._live),
            "pan": Action(self._pan, self._live),
            "zoom": Action(self._zoom, self._live),
            "move one": Action(self._drag, lambda: self._grab(1), self._drop),
            "drag 100": Action(self._drag, lambda: self._grab(100), self._drop),
            "hover": Action(self._hover, self._live, settle=False),
            "hover, painted": Action(self._hover, self._live),
            "slider, live": Action(self._slide, self._live),
            "slider, mid-backward": Action(self._slide, self._mid_backward),
            "step, 1:1": Action(self._step, self._mid_backward),
            "step, at ease": Action(self._step, self._mid_backward, rest=REST),
            "step back, 1:1": Action(self._step_back, self._mid_backward),
            "pan, mid-backward": Action(self._pan, self._mid_backward),
            "step, fitted": Action(self._step, lambda: self._mid_backward(fitted=True)),
            "step back, fitted": Action(self._step_back, lambda: self._mid_backward(fitted=True)),
            "slider, a group folded": Action(self._slide, self._folded, self._unfold),
            "step, a group folded": Action(self._step, self._folded_mid_backward, self._unfold),
        }

    # where one looks

    def _close(self) -> None:
        if not self.document.empty:
            self.document.start()

    def _load(self) -> None:
        if self._drawing is None:
            self._drawing = load_drawing(self._file)
        self._close()

    def _build(self) -> None:
        assert self._drawing is not None
        graph = self._drawing.graph
        anew = Graph(dict(graph.nodes), graph.active_root, graph.next_id)
        self.document.start(Drawing(anew, self._drawing.positions))

    def _open(self) -> None:
        if self.document.empty:
            DocumentFile(self.document).open(self._file)
        self.playback.leave()
        self.selection.clear()

    def _fitted(self) -> None:
        self._open()
        self.view.framing.fit_all()

    def _live(self) -> None:
        self._open()
        self._look_at(self._middle())

    def _mid_backward(self, fitted: bool = False) -> None:
        self._open()
        self.playback.backward()
        self.playback.go(self.playback.frame.total // 2)
        if fitted:
            self.view.framing.fit_all()
        else:
            event = self.playback.frame.event
            self._look_at(self._middle() if event is None else event.sender)
        self._gesture = self.document.new_gesture()

    def _folded(self) -> None:
        self._live()
        self._group = self.document.groups.make(self._nearest(10))

    def _folded_mid_backward(self) -> None:
        self._folded()
        self._mid_backward()

    def _unfold(self) -> None:
        self.playback.leave()
        if self._group is not None:
            self.document.groups.unpack(self._group)

    def _look_at(self, node: int) -> None:
        """Look at a node at 1:1, with it in the middle."""
        self.view.camera.set_zoom(1.0)
        x, y = self.document.positions[node]
        middle = QPointF(self.view.viewport().rect().center())
        self.view.camera.pan_by(middle - self.view.camera.to_screen(QPointF(x, y)))

    def _middle(self) -> int:
        """The node nearest to the middle of the sheet."""
        return self._nearest(1)[0]

    def _nearest(self, count: int) -> list[int]:
        middle = self.view.scene.bounds().center()

        def away(node: int) -> float:
            x, y = self.document.positions[node]
            return abs(x - middle.x()) + abs(y - middle.y())

        return sorted(self.document.positions, key=away)[:count]

    # what is done there

    def _pan(self, k: int) -> None:
        self.view.camera.pan_by(PAN if k % 40 < 20 else -PAN)

    def _zoom(self, k: int) -> None:
        inwards = k // ZOOM_STEPS % 2
        self.view.camera.zoom_by(ZOOM if inwards else 1 / ZOOM)

    def _leaf(self) -> int:
        """The leaf in the middle of its column."""
        leaves = [n for n, found in self.document.graph.nodes.items() if isinstance(found, Leaf)]
        return leaves[len(leaves) // 2]

    def _slide(self, k: int) -> None:
        self.document.set_value(self._leaf(), 0.5 + 0.01 * k, self._gesture)
        until(lambda: self.playback.frame.graph is self.document.graph)

    def _step(self, _k: int) -> None:
        self.playback.step()

    def _step_back(self, _k: int) -> None:
        self.playback.step_back()

    def _grab(self, count: int) -> None:
        self._live()
        nodes = self._nearest(count)
        self.selection.choose(nodes)
        x, y = self.document.positions[nodes[0]]
        self._at = self.view.camera.to_screen(QPointF(x + 60, y + 8))
        send(self.view.viewport(), QEvent.Type.MouseButtonPress, self._at, held=True)

    def _drag(self, k: int) -> None:
        at = self._at + QPointF(6 + 5 * (k % 40), 3 * (k % 40))
        send(self.view.viewport(), QEvent.Type.MouseMove, at, held=True)

    def _drop(self) -> None:
        send(self.view.viewport(), QEvent.Type.MouseButtonRelease, self._at + QPointF(200, 100))
        self.document.undo()

    def _hover(self, k: int) -> None:
        at = QPointF(160 + 13 * (k % 120), 140 + 7 * (k % 110))
        send(self.view.viewport(), QEvent.Type.MouseMove, at)


def until(done: Callable[[], bool]) -> None:
    """Let events happen until this is so."""
    while not done():
        QApplication.processEvents()


def send(widget: QWidget, kind: QEvent.Type, at: QPointF, held: bool = False) -> None:
    """Send one event of the mouse, with its left button held or not."""
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    button = none if kind == QEvent.Type.MouseMove else left
    event = QMouseEvent(
        kind,
        at,
        QPointF(widget.mapToGlobal(at.toPoint())),
        button,
        left if held else none,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(widget, event)
