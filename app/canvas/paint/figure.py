"""Figure: a picture of a sheet on paper, with its size and that of its type.

Without a width a figure is drawn at 96 sheet px to the inch. With a width its type is 8 to 10 pt
where the graph allows it: nodes are moved closer, then into rows, and the type becomes smaller only
if that does not suffice. Rows and a least size of type can be asked for; what can't be had is then
refused. The size is the same at every step of a pass.

A block is a node or a folded group, whose number is above those of all nodes. A frame is that of a
drawn or opened group: the outline around some blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QColor, QPainter

from app.canvas.appearance.detail import smallest_text_size
from app.canvas.appearance.items import GroupKey, ItemKey, drawn
from app.canvas.layout.group_layout import as_rect, united
from app.canvas.layout.layout import NodeLayout
from app.canvas.layout.node_box import Box
from app.canvas.layout.node_spacing import bands_of
from app.canvas.layout.wire_path import BACK_RUN, BULGE_SHARE, TURN_REACH
from app.canvas.paint.node_painting import NODE_MARGIN
from app.canvas.paint.painter import label_wires, paint_scene
from app.canvas.scene.scene import Scene
from app.document.boxes import PADDING, TITLE_BAR_HEIGHT
from app.document.placement import BAND_GAP, MOST_BANDS, MOST_CROSSING, close_gaps, in_bands
from app.document.sheet import Point, Rect, Sheet
from app.style import sizes
from app.style.current import Extra
from app.style.derivative_notation import Notation
from app.style.strokes import canvas_font, text_sizes_outside_presentation
from app.style.theme import THEMES
from app.workbench.gradients.comparison import compare
from app.workbench.gradients.formulas import enumerated
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
MIN_PRINTED = 6.0
"""Size in pt of the smallest type that journals print, and that advice names."""
MAX_HEIGHT = 24.0
"""Maximum height of a figure in cm, on a page of A4 or letter size."""
MIN_ROW_GAIN = 1.1
"""Factor by which more rows must enlarge the type to be chosen: rows are harder to follow."""
_OTHER_ROWS = "The nodes of this graph go into {possible} rows, not into {rows}."
_STAYS_AS_DRAWN = (
    "Only a whole graph of 2 to {most} nodes, without an empty group, goes into {rows} rows."
)
_TYPE_TOO_LARGE = "Type of {least} pt does not fit {width} × {height} cm: it has up to {most}."
_LARGER_IN_OTHER_ROWS = (
    "Type of {least} pt does not fit {width} × {height} cm: it has up to {most}, and up to {other}."
)


TextKind = Literal["outlines", "font", "system"]
"""Ways to write the text of an SVG: as outlines, with a font inside the file, or as text alone."""


class PictureOptions(Struct, frozen=True):
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
    rows: int | None = None
    """Number of rows that the nodes are moved into; None: as few as MIN_TYPE needs."""
    min_type: float | None = None
    """Least size in pt of the smallest text, given a width; None: MIN_TYPE where that fits."""
    max_type: float | None = None
    """Largest size in pt of the smallest text, given a width; None: the larger of those two, and in
    rows that are not asked for `min_type`."""
    crop: frozenset[int] | Rect | None = None
    """The nodes, or the rectangle of the sheet, that the picture is limited to."""
    margin: float | None = None
    """Margin in mm, or None for the usual one."""
    optional_numbers: frozenset[Extra] = frozenset()
    """The numbers on nodes that the pass does not need."""
    notation: Notation = "partial"
    text: TextKind = "outlines"
    """How the text of an SVG is written, see `picture_export.py`."""


PLAIN = PictureOptions()


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
        return self.has_type(MIN_TYPE)

    def has_type(self, least: float) -> bool:
        """Return whether its smallest text has a size in pt, apart from rounding."""
        return self.type_sizes[0] >= least - 0.05  # sizes are written with one decimal place

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

    def at(self, frame: Frame, picture_options: PictureOptions) -> Figure:
        """Return the same figure at a frame of the pass, at which it has the same size.

        The options are those that it was made with.
        """
        if frame is self.scene.looks.frame:
            return self
        sheet, back_run = self.scene.sheet, self.scene.node_layout.back_run
        return replace(self, scene=scene_of(sheet, frame, picture_options, back_run))

    def paint(self, painter: QPainter, theme: str, transparent: bool) -> None:
        """Paint it with its upper left corner at the origin."""
        colors = THEMES[theme]
        page = QRectF(QPointF(), self.size)
        if not transparent:
            painter.fillRect(page, QColor(colors.canvas))
        factor, seen = self.scale, self._page_on_sheet
        painter.save()
        if self.cropped:
            shown = QRectF(0, 0, self.area.width() * factor, self.area.height() * factor)
            shown.moveCenter(page.center())
            painter.setClipRect(shown)
        painter.scale(factor, factor)
        painter.translate(-seen.topLeft())
        paint_scene(painter, self.scene, colors, seen, 1.0)
        painter.restore()


def scene_of(
    sheet: Sheet, frame: Frame, picture_options: PictureOptions = PLAIN, back_run: float = BACK_RUN
) -> Scene:
    """Return a new scene of a sheet at a frame, written as options of a picture say.

    `back_run` is the level run left of a slot of a wire that runs back, as in NodeLayout.
    """
    scene = Scene(
        lambda x: numbers.short(x, picture_options.digits),
        lambda x: numbers.signed(x, picture_options.digits),
        picture_options.optional_numbers,
        picture_options.notation,
    )
    scene.node_layout.back_run = back_run
    comparison = None if frame.unhidden is None else compare(frame.unhidden)
    rules = CORRECT if frame.trace is None else frame.trace.rules
    shown = ViewState(sheet, frame, comparison=comparison, rules=rules)
    scene.show(shown)
    return scene


SceneOf: TypeAlias = Callable[[Sheet, Frame, PictureOptions, float], Scene]
"""Makes the scene of a figure, as `scene_of` does; its last number is the run back of wires."""


def picture_rect(scene: Scene) -> QRectF:
    """Return the rectangle of a picture: all content at any step of the pass, with a margin."""
    return _content_rect(scene).adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN)


@text_sizes_outside_presentation()
def figure_of(sheet: Sheet, frame: Frame, picture_options: PictureOptions = PLAIN) -> Figure:
    """Return the first figure that is readable, else the one with the largest type.

    Raises FormatError if it would have too many nodes, or not the rows and the type that the
    options ask for.
    """
    asked = (picture_options.rows, picture_options.min_type) != (None, None)
    limits = MORE_CROSSINGS if asked else MORE_CROSSINGS[:1]
    best, tried = _best_figure(sheet, frame, picture_options, limits)
    least = picture_options.min_type or 0.0
    if best is None or (picture_options.width is not None and not best.has_type(least)):
        raise _refusal(tried, best, picture_options)
    return best


def with_one_type_size(
    figures: Iterable[Figure], picture_options: PictureOptions
) -> PictureOptions:
    """Return the options with which all these figures have the type of the smallest."""
    size = min(figure.type_sizes[0] for figure in figures)
    return replace(picture_options, min_type=size, max_type=size)


def _best_figure(
    sheet: Sheet, frame: Frame, picture_options: PictureOptions, limits: Sequence[int | None]
) -> tuple[Figure | None, Sequence[Figure]]:
    """Return the best figure with the rows that are asked for, if any, and all that were tried.

    `limits` are those of wires between rows, the next one only if nothing before is readable.
    """
    best: Figure | None = None
    tried: list[Figure] = []
    for most_crossing in limits:
        for candidate in figures_of(sheet, frame, picture_options, most_crossing=most_crossing):
            tried.append(candidate)
            if picture_options.rows not in (None, candidate.rows):
                continue
            least = picture_options.min_type or MIN_TYPE
            if picture_options.width is None or candidate.has_type(least):
                return candidate, tried
            gain = MIN_ROW_GAIN if candidate.rows > 1 else 1.0
            if best is None or candidate.scale > best.scale * gain:
                best = candidate
    return best, tried


def _refusal(
    tried: Sequence[Figure], best: Figure | None, picture_options: PictureOptions
) -> FormatError:
    """Return the error, with what would fit; `best` is the best of the rows that are asked for."""
    if best is None or picture_options.width is None:
        possible = [f"{rows}" for rows in sorted({figure.rows for figure in tried} - {0})]
        if not possible:
            return FormatError(_STAYS_AS_DRAWN, most=MAX_NODES, rows=picture_options.rows)
        return FormatError(
            _OTHER_ROWS, rows=picture_options.rows, possible=enumerated(possible, "or")
        )
    largest = max([best, *tried], key=lambda figure: figure.scale)
    return FormatError(
        _TYPE_TOO_LARGE if largest.rows == best.rows else _LARGER_IN_OTHER_ROWS,
        least=_length_text(picture_options.min_type or MIN_TYPE),
        width=_length_text(picture_options.width),
        height=_length_text(picture_options.height or MAX_HEIGHT),
        most=_least_type(best),
        other=_least_type(largest),
    )


def _least_type(figure: Figure) -> str:
    size = f"{_length_text(figure.type_sizes[0])} pt"
    return f"{size} in {figure.rows} rows" if figure.rows > 1 else size


def figures_of(
    sheet: Sheet,
    frame: Frame,
    picture_options: PictureOptions,
    new_scene: SceneOf = scene_of,
    most_crossing: int | None = None,
) -> Iterator[Figure]:
    """Yield the figure of a sheet as it is, then with its nodes closer, then in more and more rows.

    `most_crossing` is that of `narrower_positions`. Raises FormatError if it would have too many
    nodes.
    """
    visible = drawn(sheet)
    count = len(visible.shown) + len(visible.folded)
    if count > MOST_NODES:
        raise FormatError(
            "A picture holds up to {limit:,} nodes, and this graph shows {drawn:,}. "
            "Collapse groups, copy a part of it into a graph of its own, or export DOT.",
            limit=MOST_NODES,
            drawn=count,
        )
    first = _fitted(new_scene(sheet, frame, picture_options, BACK_RUN), picture_options)
    yield first
    layout = first.scene.node_layout
    if picture_options.crop is not None or not can_respace(layout):
        return
    back_run = needed_back_run(layout)
    for rows, places in narrower_positions(layout, most_crossing):
        scene = new_scene(sheet_with_positions(layout, places), frame, picture_options, back_run)
        if not covers_more(scene.node_layout, layout):
            yield _fitted(scene, picture_options, rows)


def _fitted(scene: Scene, picture_options: PictureOptions, rows: int = 0) -> Figure:
    """Return the figure of a scene: its type has its size, or is smaller to fit the paper.

    Its size is MIN_TYPE or, where asked for, a larger one, and in rows a smaller one.
    """
    area, cropped = _shown_area(scene, picture_options)
    margin = _margin(picture_options)
    if picture_options.width is None:
        size = QSizeF(area.width() + 2 * margin, area.height() + 2 * margin)
        return Figure(scene, area, 1.0, size, rows, cropped)
    wide = picture_options.width / INCH_CM * DPI
    max_height = (picture_options.height or MAX_HEIGHT) / INCH_CM * DPI
    # as large as the type asks, unless the paper (without margins wider than itself) is smaller
    least = picture_options.min_type or MIN_TYPE
    # smaller type is asked for so that rows that are not are fewer, and all of them less high
    lowers = rows > 1 and picture_options.rows is None
    largest = picture_options.max_type or (least if lowers else max(least, MIN_TYPE))
    scale = min(
        largest * DPI / POINTS / smallest_text_size(),
        max(wide - 2 * margin, 1.0) / area.width(),
        max(max_height - 2 * margin, 1.0) / area.height(),
    )
    high = area.height() * scale + 2 * margin if picture_options.height is None else max_height
    return Figure(scene, area, scale, QSizeF(wide, high), rows=rows, cropped=cropped)


def _shown_area(scene: Scene, picture_options: PictureOptions) -> tuple[QRectF, bool]:
    """Return the area of a scene that is shown, and whether it is cropped."""
    if isinstance(picture_options.crop, tuple):
        return QRectF(*picture_options.crop), True
    if picture_options.crop is not None:
        around = scene.node_layout.bounds_of(picture_options.crop)
        if around.isEmpty():
            raise FormatError("Nothing is selected, so the picture would be empty.")
        reach = NODE_MARGIN
        return around.adjusted(-reach, -reach - SEED_OVERHANG, reach, reach) & _painted_rect(
            scene
        ), True
    return (_content_rect(scene) if picture_options.width is None else _painted_rect(scene)), False


EMPTY_PICTURE = QRectF(0, 0, 240, 120)
"""Area of the picture of a sheet without nodes, in sheet px."""
SEED_OVERHANG = 8.0
"""Height of `seed 1` above a root beyond the margin of nodes, in sheet px."""


def _margin(picture_options: PictureOptions) -> float:
    """Return the margin in px."""
    if picture_options.margin is not None:
        return picture_options.margin / 10 / INCH_CM * DPI  # from mm
    if picture_options.width is None:
        return MARGIN
    return SIZED_MARGIN if picture_options.height is None else SLIDE_MARGIN


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
    for node in scene.visible.shown:
        box = scene.boxes[node]
        top = NODE_MARGIN + SEED_OVERHANG if node in roots else badge + 4.0
        found = found.united(box.rect.adjusted(-glow, -top, badge, glow))
    for wire in scene.courses:
        place = scene.wire_layout.label_layout[wire]
        wide = layout.text_sizes.label(wire)[0]
        half = sizes.LABEL / 2 + 1
        found = found.united(QRectF(place.right - wide, place.y - half, wide, 2 * half))
    return found


_MISSING_NAMED = 4
"""Labels without room that are named; the others are counted."""
PAGE_WIDTH = 17.0
"""Width in cm of the text of a page."""
SLIDE = (16.0, 9.0)
"""Width and height in cm of a slide in LaTeX's beamer, whose type has the sizes of print."""
SCREEN_SLIDE = 33.87
"""Width in cm of the same slide in PowerPoint and Impress."""


def described(figure: Figure, picture_options: PictureOptions) -> str:
    """Return the size of a figure and of its type, in one sentence."""
    wide, high = map(_length_text, figure.centimetres)
    size, rows = _type_text(figure), figure.rows
    if picture_options.height is not None:
        large = _type_text(figure, SCREEN_SLIDE / figure.centimetres[0])
        return (
            f"{wide} × {high} cm, type {size}; "
            f"on a slide {_length_text(SCREEN_SLIDE)} cm wide its type is {large}."
        )
    if rows > 1:
        return f"{wide} × {high} cm, type {size}, in {rows} rows."
    return f"{wide} × {high} cm, type {size}."


def advice(figure: Figure, sheet: Sheet, frame: Frame, picture_options: PictureOptions) -> str:
    """Return advice where labels are missing or too small to be read on paper, or an empty text."""
    missing = _missing_labels(figure)
    if picture_options.width is None or figure.has_type(picture_options.min_type or MIN_TYPE):
        return missing
    small = f"This is small: below 8 pt. {_remedy(figure, sheet, frame, picture_options)}"
    return f"{small} {missing}".rstrip()


def _missing_labels(figure: Figure) -> str:
    """Return which labels found no room beside their wires, in one sentence, or an empty text."""
    scene = figure.scene
    graph, places = scene.sheet.graph, scene.wire_layout.label_layout
    named = [
        f"{graph.brief(source)} to {graph.brief(wire[0])}"
        for wire in label_wires(scene, figure.area)
        if places[wire].form == "dot" and (source := graph.source(wire)) is not None
    ]
    if len(named) > _MISSING_NAMED:
        named[_MISSING_NAMED:] = [f"{len(named) - _MISSING_NAMED} more"]
    return f"No room for the labels of {enumerated(named)}." if named else ""


def _remedy(figure: Figure, sheet: Sheet, frame: Frame, picture_options: PictureOptions) -> str:
    if figure.has_type(MIN_PRINTED / 3):  # else no number of rows would do
        anyhow = replace(picture_options, rows=None)
        other, _tried = _best_figure(sheet, frame, anyhow, MORE_CROSSINGS)
        gains = other is not None and other.scale > figure.scale * MIN_ROW_GAIN
        if other and gains and other.rows != figure.rows and other.has_type(MIN_PRINTED):
            return f"In {other.rows} rows it is {_type_text(other)}."
    if (
        picture_options.height is None
        and picture_options.width is not None
        and picture_options.width < PAGE_WIDTH
    ):
        wider = figure_of(sheet, frame, replace(picture_options, width=PAGE_WIDTH))
        if wider.is_readable:
            return f"At {_length_text(PAGE_WIDTH)} cm it is {_type_text(wider)}."
    if picture_options.crop is not None:
        return "Crop to a smaller part."
    if not all(blocks_by_frame(figure.scene.node_layout).values()):
        return "An empty group keeps all nodes in their places: delete it, or crop to a part."
    return "Crop to a part of the graph, or collapse groups of nodes first."


def _type_text(figure: Figure, scale: float = 1.0) -> str:
    """Return the sizes of the smallest and of the largest type."""
    least, most = (_length_text(size * scale) for size in figure.type_sizes)
    return f"{least} to {most} pt"


def _length_text(length: float) -> str:
    """Return a length with at most one decimal place."""
    return short(round(length, 1))


# narrower positions

MAX_NODES = 150
"""Larger graphs stay as drawn: no width of a page makes their type readable."""

AFTER_TURN = 8.0
"""Distance between the turn of a wire that runs back and its label, in sheet px."""
BEHIND_RUN = BULGE_SHARE * TURN_REACH
"""How far the turn of a wire that runs back is left of its level run, in sheet px."""


def needed_back_run(layout: NodeLayout) -> float:
    """Return the level run that a wire running back needs before its slot, for any label."""
    widest = max(_widest_labels(layout).values(), default=0.0)
    return min(widest + sizes.LABEL_TO_SLOT + AFTER_TURN, BACK_RUN)


MORE_CROSSINGS = (None, 6, 16)
"""Limits of the wires from one row to the next that are tried for rows or type that is asked for;
None: ROW_CROSSINGS."""
ROW_CROSSINGS = (MOST_CROSSING, 4)
"""Limits of the wires from one row to the next: that of the screen, then a higher one for paper,
where type cannot be zoomed."""
MAX_NODES_FOR_MORE = 9
"""Number of nodes up to which the higher limit is tried: more such wires look alike."""
FRAME_BAND_GAP = 64.0
"""How much farther apart rows are where frames with titles lie around nodes, in sheet px."""
NESTED_PADDING = 24.0
"""Additional padding of a drawn group for each frame in it, in sheet px."""
COVER_TOLERANCE = 800.0
"""Area of a node, in square sheet px, that a frame may cover in addition: about its edge."""
ROOT_CLEARANCE = 8.0
"""Least distance of a Root from a drawn group that it does not belong to, in sheet px."""
PASSING_CLEARANCE = 10.0
"""Distance between the first row and the wires that pass it on the left, in sheet px."""
RUN_BACK_OVERLAP = 24.0
"""How far a source ends right of the left edge of its reader in a later row, in sheet px."""


def can_respace(layout: NodeLayout) -> bool:
    """Return whether nodes may be moved: very large graphs gain nothing."""
    return 1 < len(_blocks(layout)) <= MAX_NODES and all(blocks_by_frame(layout).values())


def narrower_positions(
    layout: NodeLayout, most_crossing: int | None = None
) -> Iterator[tuple[int, dict[int, Point]]]:
    """Yield the number of rows and the positions: one row without gaps, then more and more rows.

    `most_crossing` limits the wires from one row to the next, where not ROW_CROSSINGS does.
    Frames may cover more than before, see `covers_more`.
    """
    blocks, graph = _blocks(layout), layout.sheet.graph

    def block(node: int) -> int:
        return _number(layout, layout.visible.key_of(node))

    places = _in_one_row(layout, blocks)
    widths = {_number(layout, key): layout.needed_width(key) for key in layout.boxes}
    roots = {
        root: None if (s := graph.inputs(root)[0]) is None else block(s) for root in graph.roots()
    }
    one_row = close_gaps(places, widths, _widest_labels(layout), roots)
    yield 1, one_row
    indent = needed_back_run(layout) + BEHIND_RUN - PASSING_CLEARANCE
    gap = BAND_GAP + (FRAME_BAND_GAP if blocks_by_frame(layout) else 0.0)
    lines = {(source, layout.visible.wire(wire).wires[0]) for source, wire in graph.wires()}
    wires = [(a, b) for s, wire in sorted(lines) if (a := block(s)) != (b := block(wire[0]))]

    def size(node: int) -> tuple[float, float]:
        return (widths[node], blocks[node].h)

    tied_wires = [*wires, *_ties(one_row, blocks_by_frame(layout).values())]
    crossings = ROW_CROSSINGS if len(blocks) <= MAX_NODES_FOR_MORE else ROW_CROSSINGS[:1]
    if most_crossing is not None:
        crossings = (most_crossing,)
    # for each number of rows first with each frame in one row, then without that
    for rows, tied, crossing in product(range(2, MOST_BANDS + 1), (tied_wires, wires), crossings):
        found = in_bands(one_row, size, tied, rows, (indent, gap), crossing)
        if found is not None:
            yield rows, _with_wires_running_back(found, one_row, blocks, wires)


def blocks_by_frame(layout: NodeLayout) -> dict[int, frozenset[int]]:
    """Return the blocks in each open group."""
    visible, blocks = layout.visible, _blocks(layout)
    found = {
        number: frozenset(n for n, box in blocks.items() if rect.contains(box.rect.center()))
        for number, rect in layout.groups.drawn.items()
    }
    for number, members in visible.opened.items():
        inner = {key for key, item in visible.folded.items() if item.members <= members}
        inside = {_number(layout, key) for key in members | inner}
        found[number] = frozenset(blocks.keys() & inside)
    return found


def sheet_with_positions(layout: NodeLayout, places: Mapping[int, Point]) -> Sheet:
    """Return the sheet with nodes and folded groups at other places, and drawn ones around them.

    A drawn group keeps its distance from its content, but at most the usual one.
    """
    sheet, blocks, content = layout.sheet, _blocks(layout), blocks_by_frame(layout)
    groups = {
        n: replace(group, position=places.get(_number(layout, GroupKey(n)), group.position))
        for n, group in sheet.groups.items()
    }
    drawn = dict[int, Rect]()
    for number, rect in layout.groups.drawn.items():
        before = united(box.rect for n, box in blocks.items() if n in content[number])
        now = united(QRectF(*places[n], blocks[n].w, blocks[n].h) for n in content[number])
        left, top = before.left() - rect.left(), before.top() - rect.top()
        right, low = rect.right() - before.right(), rect.bottom() - before.bottom()
        most = PADDING + NESTED_PADDING * sum(content[other] < content[number] for other in content)
        left, right, low = (min(side, most) for side in (left, right, low))
        top = min(max(top, TITLE_BAR_HEIGHT), TITLE_BAR_HEIGHT + most)
        drawn[number] = as_rect(now.adjusted(-left, -top, right, low))
        groups[number] = replace(groups[number], rect=drawn[number])
    nodes = places.keys() & sheet.graph.nodes.keys()
    positions = {**sheet.positions, **{n: places[n] for n in nodes}}
    for root in sheet.graph.roots() & places.keys():
        (x, y), high = places[root], blocks[root].h
        for number, (left, top, wide, tall) in drawn.items():
            level = root not in content[number] and top < y + high and y < top + tall
            if level and left < x < left + wide + ROOT_CLEARANCE:
                positions[root] = (left + wide + ROOT_CLEARANCE, y)  # nothing is right of it
    return replace(sheet, positions=positions, groups=groups)


def covers_more(layout: NodeLayout, before: NodeLayout) -> bool:
    """Return whether an open group covers more blocks outside it than before."""
    content = blocks_by_frame(before)  # in the new layout a node may lie in one by chance
    known = _covered(before, content)
    return any(
        area > known[pair] + COVER_TOLERANCE for pair, area in _covered(layout, content).items()
    )


def _covered(
    layout: NodeLayout, content: Mapping[int, frozenset[int]]
) -> dict[tuple[int, ItemKey], float]:
    """Return the area that each frame covers of blocks and other frames, in square sheet px."""
    blocks = _blocks(layout)
    rects = layout.groups.frames
    found: dict[tuple[int, ItemKey], float] = {}
    for number, rect in rects.items():
        for n, box in blocks.items():
            if n not in content[number]:
                found[number, n] = _area(rect & box.rect)
        for other, other_rect in rects.items():
            if not (content[number] <= content[other] or content[other] <= content[number]):
                found[number, GroupKey(other)] = _area(rect & other_rect)
    return found


def _area(rect: QRectF) -> float:
    return rect.width() * rect.height()


def _number(layout: NodeLayout, key: ItemKey) -> int:
    """Return the number of an item among blocks: a node keeps its own."""
    return layout.sheet.graph.next_id + key.group if isinstance(key, GroupKey) else key


def _blocks(layout: NodeLayout) -> dict[int, Box]:
    """Return the boxes that have places: of nodes and folded groups, but no pills."""
    boxes = layout.boxes.items()
    return {_number(layout, key): box for key, box in boxes if box.kind != "pill"}


def _widest_labels(layout: NodeLayout) -> dict[int, float]:
    """Return the largest width before a slot of each block, of a label or a pill."""
    texts = layout.text_sizes
    found = texts.before_slots(layout.visible.shown)
    for key, item in layout.visible.folded.items():
        labels = (texts.label(wires[0])[0] for wires in item.slots)
        found[_number(layout, key)] = max(labels, default=0.0)
    return found


def _ties(
    places: Mapping[int, Point], content: Iterable[frozenset[int]]
) -> Iterator[tuple[int, int]]:
    """Yield imagined wires through each frame, more than a row may cut, so that none cuts it."""
    for nodes in content:
        ends = sorted(nodes, key=lambda n: places[n])
        yield from [(ends[0], ends[-1])] * (max(ROW_CROSSINGS) + 1)


def _with_wires_running_back(
    places: Mapping[int, Point],
    before: Mapping[int, Point],
    boxes: Mapping[int, Box],
    wires: Iterable[tuple[int, int]],
) -> dict[int, Point]:
    """Return the positions with the first row moved right until every wire out of it runs back.

    A wire that went on to the right instead would cover its own label.
    """
    first = {node for node, (_x, y) in places.items() if y == before[node][1]}
    right = 0.0
    for source, target in wires:
        if source in first and target in places and target not in first:
            end = places[source][0] + boxes[source].w
            right = max(right, places[target][0] + RUN_BACK_OVERLAP - end)
    return {n: (x + right if n in first else x, y) for n, (x, y) in places.items()}


def _in_one_row(layout: NodeLayout, boxes: Mapping[int, Box]) -> dict[int, Point]:
    """Return the positions with the bands of the sheet joined into one row."""
    places = {node: (box.x, box.y) for node, box in boxes.items()}
    found: dict[int, Point] = {}
    end: float | None = None
    top = 0.0
    for band in bands_of(boxes, places, layout.sheet.graph):
        left = min(places[node][0] for node in band)
        high = min(places[node][1] for node in band)
        right, down = (0.0, 0.0) if end is None else (end - left, top - high)
        top = high if end is None else top
        found |= {node: (places[node][0] + right, places[node][1] + down) for node in band}
        # 1 px further, so that the next band begins with a column of its own
        end = max(found[node][0] + boxes[node].w for node in band) + 1.0
    return found
