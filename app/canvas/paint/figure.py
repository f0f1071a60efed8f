"""Figure: a picture of a sheet on paper, with its size and that of its type.

Without a width a figure is drawn at 96 sheet px to the inch. With a width its type is 8 to 10 pt
where the graph allows it: nodes are moved closer, then into rows, and the type becomes smaller only
if that does not suffice. The size is the same at every step of a pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QColor, QPainter

from app.canvas.appearance.detail import smallest_text_size
from app.canvas.appearance.group_look import visible_nodes
from app.canvas.layout.respaced import (
    blocks_by_frame,
    can_respace,
    covers_more,
    narrower_positions,
    needed_back_run,
    sheet_with_positions,
)
from app.canvas.layout.wire_path import BACK_RUN
from app.canvas.paint.nodes import NODE_MARGIN
from app.canvas.paint.painter import paint_scene
from app.canvas.scene.scene import Scene
from app.document.sheet import Rect, Sheet
from app.style import sizes
from app.style.current import Extra, Notation
from app.style.strokes import canvas_font, usual_text_sizes
from app.style.theme import THEMES
from app.workbench.gradients.comparison import compare
from app.workbench.playback.view_state import ViewState
from engine import numbers
from engine.errors import FormatError
from engine.formats.dot import DPI
from engine.frame import Frame
from engine.numbers import short
from engine.rules import CORRECT

INCH_CM = 2.54
POINTS = 72
"""Points to an inch."""
MARGIN = 24.0
"""Margin of a picture without a width, in px."""
SIZED_MARGIN = 3.0
"""Margin of a figure with a width, in px; small because its page has margins of its own."""
SLIDE_MARGIN = 12.0
"""Margin of a slide, in px."""
MIN_DPI = 24
"""A quarter of 1:1, the smallest picture in which shapes can be distinguished."""
MOST_NODES = 3_000
"""Maximum number of nodes in a picture; they take about five seconds, and 40 MB as SVG."""
MIN_TYPE = 8.0
"""Size in pt of the smallest text of a figure with a width; its largest text then has 10 pt."""
MAX_HEIGHT = 24.0
"""Maximum height of a figure in cm, on a page of A4 or letter size."""
MIN_ROW_GAIN = 1.1
"""Factor by which more rows must enlarge the type to be chosen: rows are harder to follow."""


TextKind = Literal["outlines", "font", "system"]
"""Ways to write the text of an SVG: as outlines, with a font inside the file, or as text alone."""


class Shot(Struct, frozen=True):
    """The options of a picture: theme, size, notation and crop."""

    theme: str = "light"
    """A key of THEMES."""
    dpi: float = DPI
    """Dots per inch; DPI is 1:1, one px of the picture for one of the sheet."""
    transparent: bool = False
    digits: numbers.Digits = numbers.DIGITS_SHOWN
    least_dpi: float = MIN_DPI
    """Minimum dots per inch that can be chosen instead."""
    width: float | None = None
    """Width on paper in cm, or None for 96 sheet px to the inch."""
    height: float | None = None
    """Height in cm of a slide, which the figure does not exceed; None for that of the graph."""
    crop: frozenset[int] | Rect | None = None
    """The nodes, or the rectangle of the sheet, that the picture is limited to."""
    margin: float | None = None
    """Margin in mm, or None for the usual one."""
    optional_numbers: frozenset[Extra] = frozenset()
    """The numbers on nodes that the pass does not need."""
    notation: Notation = "partial"
    text: TextKind = "outlines"
    """How the text of an SVG is written, see `svg_text`."""


PLAIN = Shot()


class Figure(Struct, frozen=True):
    """A scene, the part of it that is shown, and how large; sizes in px of 96 to the inch."""

    scene: Scene
    area: QRectF
    """The part of the sheet that is shown, in sheet px, without the margin."""
    scale: float
    """Px for one sheet px."""
    size: QSizeF
    rows: int = 0
    """Number of rows that the nodes were moved into; 0 if they are where they are on the sheet."""
    cropped: bool = False
    """Whether painting ends at the edges of `area`, where a node may be cut."""

    @property
    def type_sizes(self) -> tuple[float, float]:
        """Return the size in pt of the smallest and of the largest text."""
        points = self.scale * POINTS / DPI
        return smallest_text_size() * points, canvas_font("label").pixelSize() * points

    @property
    def is_readable(self) -> bool:
        """Return whether its smallest text has MIN_TYPE, apart from rounding."""
        return self.type_sizes[0] >= MIN_TYPE - 0.05  # sizes are written with one decimal place

    @property
    def centimetres(self) -> tuple[float, float]:
        """Return width and height in cm."""
        return (self.size.width() / DPI * INCH_CM, self.size.height() / DPI * INCH_CM)

    @property
    def _page_on_sheet(self) -> QRectF:
        """Return the rectangle of the sheet that the page shows, with its margin."""
        found = QRectF(QPointF(), self.size / self.scale)
        found.moveCenter(self.area.center())
        return found

    def to_sheet(self, shares: QRectF) -> QRectF:
        """Return a rectangle of the sheet, given as shares of the width and height of the page."""
        seen = self._page_on_sheet
        wide, high = seen.width(), seen.height()
        x, y = seen.x() + shares.x() * wide, seen.y() + shares.y() * high
        return QRectF(x, y, shares.width() * wide, shares.height() * high)

    def to_shares(self, rect: QRectF) -> QRectF:
        """Return a rectangle of the sheet as shares of the page."""
        seen = self._page_on_sheet
        wide, high = seen.width(), seen.height()
        x, y = (rect.x() - seen.x()) / wide, (rect.y() - seen.y()) / high
        return QRectF(x, y, rect.width() / wide, rect.height() / high)

    def at(self, frame: Frame, shot: Shot) -> Figure:
        """Return the same figure at another frame of the pass, at which it has the same size."""
        sheet, back = self.scene.sheet, self.scene.wire_layout.back_run
        return replace(self, scene=scene_of(sheet, frame, shot, back))

    def paint(self, painter: QPainter, theme: str, transparent: bool, scale: float = 1.0) -> None:
        """Paint it with its upper left corner at the origin, `scale` times as large."""
        colors = THEMES[theme]
        page = QRectF(QPointF(), self.size * scale)
        if not transparent:
            painter.fillRect(page, QColor(colors.canvas))
        factor, seen = self.scale * scale, self._page_on_sheet
        painter.save()
        if self.cropped:
            shown = QRectF(0, 0, self.area.width() * factor, self.area.height() * factor)
            shown.moveCenter(page.center())
            painter.setClipRect(shown)
        painter.scale(factor, factor)
        painter.translate(-seen.topLeft())
        paint_scene(painter, self.scene, colors, seen, 1.0)
        painter.restore()


def scene_of(sheet: Sheet, frame: Frame, shot: Shot = PLAIN, back: float = BACK_RUN) -> Scene:
    """Return a new scene of a sheet at a frame, written as in a shot.

    `back` is the level run left of a slot of a wire that runs back, as in WireLayout.
    """
    scene = Scene(
        lambda x: numbers.short(x, shot.digits),
        lambda x: numbers.signed(x, shot.digits),
        shot.optional_numbers,
        shot.notation,
    )
    if back < BACK_RUN:
        scene.wire_layout.back_run = back
    comparison = None if frame.unhidden is None else compare(frame.unhidden)
    rules = CORRECT if frame.trace is None else frame.trace.rules
    shown = ViewState(sheet, frame, comparison=comparison, rules=rules)
    scene.show(shown)
    return scene


SceneOf: TypeAlias = Callable[[Sheet, Frame, Shot, float], Scene]
"""Makes the scene of a figure, as `scene_of` does; its last number is the run back of wires."""


def picture_rect(scene: Scene) -> QRectF:
    """Return the rectangle of a picture: all content at any step of the pass, with a margin."""
    return _content_rect(scene).adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN)


@usual_text_sizes()
def figure_of(sheet: Sheet, frame: Frame, shot: Shot = PLAIN) -> Figure:
    """Return the figure of a sheet; raises FormatError if it would have too many nodes."""
    figures = figures_of(sheet, frame, shot)
    best = next(figures)
    # a figure without a width, with a crop, or with readable type needs no other layout
    if shot.width is None or shot.crop is not None or best.is_readable:
        return best
    # of all closer layouts the first readable one, else the one with the largest type
    for candidate in figures:
        if candidate.is_readable:
            return candidate
        if candidate.scale > best.scale * (MIN_ROW_GAIN if candidate.rows > 1 else 1.0):
            best = candidate
    return best


def figures_of(
    sheet: Sheet,
    frame: Frame,
    shot: Shot,
    new_scene: SceneOf = scene_of,
    most_crossing: int | None = None,
) -> Iterator[Figure]:
    """Yield the figure of a sheet as it is, then with its nodes closer, then in more and more rows.

    `most_crossing` is that of `narrower_positions`. Raises FormatError if it would have too many
    nodes.
    """
    visible = visible_nodes(sheet)
    count = len(visible.shown) + len(visible.collapsed)
    if count > MOST_NODES:
        raise FormatError(
            "A picture holds up to {limit:,} nodes, and this graph shows {drawn:,}. "
            "Collapse groups, copy a part of it into a graph of its own, or export DOT.",
            limit=MOST_NODES,
            drawn=count,
        )
    first = _fitted(new_scene(sheet, frame, shot, BACK_RUN), shot)
    yield first
    drawn = first.scene.node_layout
    if not can_respace(drawn):
        return
    back = needed_back_run(drawn)
    for rows, places in narrower_positions(drawn, most_crossing):
        scene = new_scene(sheet_with_positions(drawn, places), frame, shot, back)
        if not covers_more(scene.node_layout, drawn):
            yield _fitted(scene, shot, rows)


def _fitted(scene: Scene, shot: Shot, rows: int = 0) -> Figure:
    """Return the figure of a scene: its type has MIN_TYPE, or is smaller to fit the paper."""
    area, cropped = _shown_area(scene, shot)
    margin = _margin(shot)
    if shot.width is None:
        size = QSizeF(area.width() + 2 * margin, area.height() + 2 * margin)
        return Figure(scene, area, 1.0, size, cropped=cropped)
    wide = shot.width / INCH_CM * DPI
    max_height = (shot.height or MAX_HEIGHT) / INCH_CM * DPI
    # as large as MIN_TYPE asks, unless the paper (without margins wider than itself) is smaller
    scale = min(
        MIN_TYPE * DPI / POINTS / smallest_text_size(),
        max(wide - 2 * margin, 1.0) / area.width(),
        max(max_height - 2 * margin, 1.0) / area.height(),
    )
    high = area.height() * scale + 2 * margin if shot.height is None else max_height
    return Figure(scene, area, scale, QSizeF(wide, high), rows=rows, cropped=cropped)


def _shown_area(scene: Scene, shot: Shot) -> tuple[QRectF, bool]:
    """Return the area of a scene that is shown, and whether it is cropped."""
    if isinstance(shot.crop, tuple):
        return QRectF(*shot.crop), True
    if shot.crop is not None:
        around = scene.node_layout.bounds_of(shot.crop)
        if around.isEmpty():
            raise FormatError("Nothing is selected, so the picture would be empty.")
        reach = NODE_MARGIN
        return around.adjusted(-reach, -reach - SEED_OVERHANG, reach, reach) & _painted_rect(
            scene
        ), True
    return (_content_rect(scene) if shot.width is None else _painted_rect(scene)), False


EMPTY_PICTURE = QRectF(0, 0, 240, 120)
"""Area of the picture of a sheet without nodes, in sheet px."""
SEED_OVERHANG = 8.0
"""Height of `seed 1` above a root beyond the margin of nodes, in sheet px."""


def _margin(shot: Shot) -> float:
    """Return the margin in px."""
    if shot.margin is not None:
        return shot.margin / 10 / INCH_CM * DPI  # from mm
    if shot.width is None:
        return MARGIN
    return SIZED_MARGIN if shot.height is None else SLIDE_MARGIN


def _content_rect(scene: Scene) -> QRectF:
    """Return the rectangle around nodes, wires and the right ends of labels, at any step."""
    found = scene.bounds()
    for wire, course in scene.courses.items() if scene.looks.frame.trace is not None else ():
        right = scene.wire_layout.label_layout[wire].right
        # not the whole label: it ends here at every step, and how far left it begins differs
        found = found.united(QRectF(right - 4, course.y - 12, 4, 24))
    return EMPTY_PICTURE if found.isEmpty() else found


def _painted_rect(scene: Scene) -> QRectF:
    """Return the rectangle around everything that is painted at any step of a pass."""
    # a figure with a width has hardly a margin into which glow, badges and labels could reach
    found, layout = _content_rect(scene), scene.node_layout
    glow, badge = float(sizes.GLOW + 1), sizes.BADGE / 2
    roots = set(scene.sheet.graph.roots())
    for node, box in scene.boxes.items():
        top = NODE_MARGIN + SEED_OVERHANG if node in roots else badge + 4.0
        found = found.united(box.rect.adjusted(-glow, -top, badge, glow))
    for wire in scene.courses:
        place = scene.wire_layout.label_layout[wire]
        wide = layout.text_sizes.label(wire)[0]
        half = sizes.LABEL / 2 + 1
        found = found.united(QRectF(place.right - wide, place.y - half, wide, 2 * half))
    return found


PAGE_WIDTH = 17.0
"""Width in cm of the text of a page."""
SLIDE = (16.0, 9.0)
"""Width and height in cm of a slide in LaTeX's beamer, whose type has the sizes of print."""
SCREEN_SLIDE = 33.87
"""Width in cm of the same slide in PowerPoint and Impress."""


def described(figure: Figure, shot: Shot) -> str:
    """Return the size of a figure and of its type, in one sentence."""
    wide, high = map(_length_text, figure.centimetres)
    size, rows = _type_text(figure), figure.rows
    if shot.height is not None:
        large = _type_text(figure, SCREEN_SLIDE / figure.centimetres[0])
        return (
            f"{wide} × {high} cm, type {size}; "
            f"on a slide {_length_text(SCREEN_SLIDE)} cm wide its type is {large}."
        )
    if rows > 1:
        return f"{wide} × {high} cm, type {size}, in {rows} rows."
    return f"{wide} × {high} cm, type {size}."


def advice(figure: Figure, sheet: Sheet, frame: Frame, shot: Shot) -> str:
    """Return advice where the type is too small to be read on paper, or an empty text."""
    if shot.width is None or figure.is_readable:
        return ""
    return f"This is small: below 8 pt. {_remedy(figure, sheet, frame, shot)}"


def _remedy(figure: Figure, sheet: Sheet, frame: Frame, shot: Shot) -> str:
    if shot.height is None and shot.width is not None and shot.width < PAGE_WIDTH:
        wider = figure_of(sheet, frame, replace(shot, width=PAGE_WIDTH))
        if wider.is_readable:
            return f"At {_length_text(PAGE_WIDTH)} cm it is {_type_text(wider)}."
    if shot.crop is not None:
        return "Crop to a smaller part."
    if not all(blocks_by_frame(figure.scene.node_layout).values()):
        return "An empty section keeps all nodes in their places: delete it, or crop to a part."
    return "Crop to a part of the graph, or collapse groups of nodes first."


def _type_text(figure: Figure, scale: float = 1.0) -> str:
    """Return the sizes of the smallest and of the largest type."""
    least, most = (_length_text(size * scale) for size in figure.type_sizes)
    return f"{least} to {most} pt"


def _length_text(length: float) -> str:
    """Return a length with at most one decimal place."""
    return short(round(length, 1))
