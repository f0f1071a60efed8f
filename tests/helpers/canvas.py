"""A canvas without a window: its document, playback, selection, messages and painted texts."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.etree import ElementTree

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPointF, QRectF
from PySide6.QtGui import QColor, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QApplication

from app.canvas.appearance.items import GroupKey
from app.canvas.canvas_view import CanvasView
from app.canvas.layout.layout import NodeLayout
from app.canvas.layout.node_box import Box
from app.canvas.paint.painter import paint_scene
from app.canvas.scene.scene import Scene
from app.document.document import Document
from app.document.document_file import whole_text
from app.document.examples import examples
from app.style.current import Style
from app.style.theme import THEMES
from app.workbench.playback.playback import Playback
from app.workbench.runners.quiz_runner import QuizRunner
from app.workbench.selection import Selection
from engine.formats.files import load_drawing
from engine.formats.native import Drawing
from engine.graph import Graph, Wire

SIZE = (1600, 900)


@dataclass
class CanvasFixture:
    """What a canvas needs to live, without a window around it."""

    style: Style
    document: Document
    playback: Playback
    selection: Selection
    view: CanvasView
    said: list[str] = field(default_factory=list)
    """What it refused or told."""
    hints: list[str] = field(default_factory=list)
    """What letting go would have done, or what was hovered."""

    @property
    def graph(self) -> Graph:
        return self.document.graph

    @property
    def scene(self) -> Scene:
        return self.view.scene

    @property
    def steps(self) -> int:
        """How many steps the pass has that is shown."""
        return self.playback.frame.total

    @property
    def hint(self) -> str:
        return self.hints[-1] if self.hints else ""

    def hear(self, sentence: str) -> None:
        self.said.append(sentence)

    def read_hint(self, sentence: str) -> None:
        self.hints.append(sentence)

    def node(self, name: str) -> int:
        """The node of this name; "root" is the active Root."""
        found = self.graph.active_root if name == "root" else self.graph.node_named(name)
        assert found is not None, f"there is no {name}"
        return found

    def wire(self, target: str, slot: int = 0) -> Wire:
        return self.node(target), slot

    def bytes(self) -> bytes:
        """What a file of the sheet would hold."""
        return whole_text(self.document.sheet)

    def show(self, graph: Graph, places: Mapping[int, tuple[float, float]] | None = None) -> None:
        """Open a graph, and look at it at 100 % with its corner in the view."""
        self.document.start(Drawing(graph, places or {}))
        self.view.auto_layout.cancel()
        self.look()

    def open_example(self, name: str) -> None:
        self.document.start(example_drawing(name))
        self.look()

    def look(self) -> None:
        """At 100 %, with the upper left corner of everything in view."""
        self.view.camera.set_zoom(1.0)
        corner = self.view.camera.to_screen(self.scene.bounds().topLeft())
        self.view.camera.pan_by(QPointF(60, 80) - corner)
        QApplication.processEvents()

    def texts(self) -> list[str]:
        """Everything that is written on the canvas now."""
        return [written.text for written in painted(self.scene, self.view.camera.scale)]


def new_canvas() -> CanvasFixture:
    """An empty canvas that is not shown yet."""
    style = Style()
    style.set_motion(False)  # what a test sees does not depend on the moment
    document = Document()
    selection = Selection(document)
    playback = Playback(document)
    view = CanvasView(style, document, playback, QuizRunner(playback), selection)
    canvas = CanvasFixture(style, document, playback, selection, view)
    for signal in (view.said, document.refused, playback.said):
        signal.connect(canvas.hear)
    view.hint.connect(canvas.read_hint)
    view.resize(*SIZE)
    return canvas


def make_canvas(qtbot) -> CanvasFixture:
    """An empty canvas on the screen, with the keyboard."""
    canvas = new_canvas()
    qtbot.addWidget(canvas.view)
    canvas.view.show()
    with qtbot.waitExposed(canvas.view):
        pass
    canvas.view.setFocus()
    return canvas


def folded_boxes(places: Scene | NodeLayout) -> dict[int, Box]:
    """The boxes of the folded groups that are drawn, by number."""
    return {key.group: box for key, box in places.boxes.items() if isinstance(key, GroupKey)}


def node_boxes(places: Scene | NodeLayout) -> dict[int, Box]:
    """The boxes of the nodes that are drawn themselves."""
    return {key: box for key, box in places.boxes.items() if isinstance(key, int)}


def example_drawing(name: str) -> Drawing:
    found = next(e for e in examples() if e.name == name)
    return load_drawing(found.path)


# what is written on a picture


@dataclass(frozen=True)
class Written:
    """A text as it is painted: where it begins, and how tall its letters are on the screen."""

    text: str
    x: float
    y: float
    pixels: float


def painted(scene: Scene, scale: float = 1.0, theme: str = "light") -> list[Written]:
    """Every text that painting a stage at this zoom writes, read out of an SVG of it."""
    content = QByteArray()
    buffer = QBuffer(content)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setResolution(96)
    area = scene.bounds().adjusted(-200, -200, 200, 200)
    generator.setViewBox(QRectF(0, 0, area.width() * scale, area.height() * scale))
    painter = QPainter(generator)
    painter.scale(scale, scale)
    painter.translate(-area.topLeft())
    paint_scene(painter, scene, THEMES[theme], area, scale)
    painter.end()
    buffer.close()
    return list(_texts(ElementTree.fromstring(bytes(content.data()))))


_SVG = "{http://www.w3.org/2000/svg}"
_MATRIX = re.compile(r"matrix\(([^)]*)\)")


def _texts(root: ElementTree.Element):
    for group in root.iter(f"{_SVG}g"):
        found = _MATRIX.search(group.get("transform", ""))
        a, b, c, d, e, f = (
            (float(n) for n in found.group(1).split(",")) if found else (1, 0, 0, 1, 0, 0)
        )
        for text in group.findall(f"{_SVG}text"):
            x, y = float(text.get("x", 0)), float(text.get("y", 0))
            size = float(text.get("font-size", "0").removesuffix("px"))
            yield Written(
                "".join(text.itertext()),
                a * x + c * y + e,
                b * x + d * y + f,
                size * math.hypot(b, d),
            )


def color_at(view: CanvasView, at: QPointF) -> QColor:
    """The colour of the canvas on the screen."""
    picture = view.grab().toImage()
    ratio = picture.devicePixelRatio()
    return picture.pixelColor(round(at.x() * ratio), round(at.y() * ratio))
