"""Worksheet figure: a graph after its forward pass, with boxes for the numbers to be worked out.

The canvas's painter paints it, from other looks and sizes: no step is shown, a number that is asked
is left out, and each wire has the number of its step in a circle in place of its label. Lengths are
in sheet px unless another unit is given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from app.canvas.appearance.face import GRAD
from app.canvas.appearance.looks import ChipLook, LedgerLook, NodeLook, NumberLook, WireLook
from app.canvas.layout.node_box import Box, chip_positions, chip_width, ledger_width
from app.canvas.layout.text_sizes import TextSizes
from app.canvas.paint import figure
from app.canvas.paint.figure import PictureOptions
from app.canvas.paint.painter import paint_scene
from app.canvas.paint.wires import SOURCE_MARK
from app.canvas.scene.scene import Scene
from app.document.node_sizes import PAD_RIGHT, TextWidths, caption_middle, has_columns, row_middle
from app.document.sheet import Sheet
from app.style import sizes
from app.style.strokes import draw_sibling_mark, draw_text, pen, rounded, width
from app.style.theme import PRINT
from app.takeaway.paper import FILLED, SLANT, PaperFigure, PaperSizes, fitted_figure
from app.takeaway.worksheet_rows import AskedNumbers, wire_steps
from app.workbench.playback.view_state import ViewState
from engine import numbers
from engine.frame import Frame, frame_at
from engine.graph import Root, Wire
from engine.numbers import Digits
from engine.trace import Trace

BOX_WIDTH: Final = 50.0
"""Least width of a box in sheet px: 10 mm on paper at the smallest type, 7 pt."""
CUT_CLEARANCE: Final = 26.0
"""Distance in sheet px from a node to a cut above it: its badge, or the seed above a root."""
CAPTION_RISE: Final = 2.5
"""How far the caption above a box is moved up, in sheet px."""
BOX_HEIGHT_MM: Final = 5.1
"""Height of a box on paper, in mm."""
CIRCLE: Final = 24.0
"""Diameter of the circle around the number of a step, in sheet px."""
MARK_ROOM: Final = 14.0
"""Room left of the number in the box of a contribution, for the mark of its wire."""
_BOX_RADIUS: Final = 4.0
_BOX_PAD: Final = 3.0
"""Least distance of a number from the sides of its box."""
_SPACE: Final = "\N{EM SPACE}"
_SEED: Final = "step {step}: seed"


class Printed(Struct, frozen=True):
    """The pass on a figure, its numbers that are left out, and the digits of the others."""

    trace: Trace
    asked: AskedNumbers
    digits: Digits = numbers.DIGITS_SHOWN

    @property
    def box_width(self) -> float:
        """Return the width of all boxes: that of the longest number, so that none hints at its own.

        At least BOX_WIDTH.
        """
        trace, asked = self.trace, self.asked
        texts = [self.short(trace.gradients[node]) for node in asked.grads]
        texts += [self.signed(e.contribution) for e in trace.events if e.wire in asked.wires]
        widest = max((width(text, "number") for text in texts), default=0.0)
        return max(BOX_WIDTH, widest + 2 * _BOX_PAD)

    def short(self, x: float) -> str:
        """Write a number."""
        return numbers.short(x, self.digits)

    def signed(self, x: float) -> str:
        """Write a contribution."""
        return numbers.signed(x, self.digits)

    def contribution_text(self, wire: Wire) -> str:
        """Return the contribution along a wire; of several that of the first sweep."""
        event = next(event for event in self.trace.events if event.wire == wire)
        return self.signed(event.contribution)


class WorksheetFigure(PaperFigure, frozen=True):
    """A figure on a worksheet, with the numbers printed on it."""

    printed: Printed

    def parts(self, first: float, other: float) -> list[QRectF] | None:
        """Return its parts, of which the first has at most a height in px, the others another one.

        It is cut between rows of nodes, where only wires run. None if a row is too high. The first
        page may hold nothing of it: then the first part has the height of the others.
        """
        parts: list[QRectF] = []
        rest, high = self.area, first
        while rest.height() * self.scale > high:
            cut = self._lowest_cut(rest.top(), rest.top() + high / self.scale)
            if cut is None and (parts or high >= other):
                return None
            if cut is not None:
                parts.append(QRectF(rest.left(), rest.top(), rest.width(), cut - rest.top()))
                rest = QRectF(rest.left(), cut, rest.width(), rest.bottom() - cut)
            high = other
        return [*parts, rest]

    def _lowest_cut(self, top: float, bottom: float) -> float | None:
        """Return the largest y up to `bottom` that cuts no node; None without a node above it."""
        spans = [
            (box.y - CUT_CLEARANCE, box.y + box.h + CUT_CLEARANCE / 2)
            for box in self.scene.boxes.values()
        ]
        candidates = [bottom, *(begin for begin, _end in spans if top < begin <= bottom)]
        free = [y for y in candidates if not any(begin < y < end for begin, end in spans)]
        useful = [y for y in free if any(top <= begin and end <= y for begin, end in spans)]
        return max(useful, default=None)

    def paint(
        self, painter: QPainter, corner: QPointF, part: QRectF | None = None, *, filled: bool
    ) -> None:
        """Paint a part, or all of it, with its upper left corner at a point in px.

        The boxes have their numbers if `filled`, as in a key.
        """
        shown = self.area if part is None else part
        painter.save()
        painter.translate(corner)
        painter.scale(self.scale, self.scale)
        painter.translate(-shown.topLeft())
        if part is not None:
            painter.setClipRect(shown)
        paint_scene(painter, self.scene, PRINT, self.area, 1.0)
        _paint_marks(painter, self.scene)
        high = BOX_HEIGHT_MM / 10 / figure.INCH_CM * figure.DPI / self.scale
        _paint_boxes(painter, self.scene, self.printed, high, filled=filled)
        _paint_steps(painter, self.scene, self.printed)
        painter.restore()


def worksheet_figure(sheet: Sheet, printed: Printed, wide: float, high: float) -> WorksheetFigure:
    """Return the figure that fits a width and a height in px, of the fewest rows of nodes.

    Its type has 8 pt, or less where that does not fit. Groups are open. Raises FormatError for a
    graph that no picture can hold.
    """

    def new_scene(
        sheet: Sheet, frame: Frame, _picture_options: PictureOptions, back_run: float
    ) -> Scene:
        return _scene(sheet, frame, printed, back_run)

    frame = frame_at(printed.trace, 0)
    found = fitted_figure(sheet, frame, printed.digits, (wide, high), new_scene)
    return WorksheetFigure(found.scene, found.area, found.scale, printed)


def _scene(sheet: Sheet, frame: Frame, printed: Printed, back_run: float) -> Scene:
    scene = _BoxScene(printed)
    scene.node_layout.back_run = back_run
    scene.show(ViewState(sheet, frame))
    return scene


class _BoxSizes(PaperSizes):
    """Sizes that hold boxes in place of gradients and contributions, and circles for labels."""

    printed: Printed

    def node(self, node: int) -> TextWidths:
        widths, graph = super().node(node), self._graph
        captions = self._looks.captions.slots(node)
        left = max((width(caption, "caption") for caption in captions), default=0.0)
        has_box = node in self.printed.asked.grads and not isinstance(graph.nodes[node], Root)
        right = max(widths.right, self.printed.box_width) if has_box else widths.right
        chips = 0.0
        if node in self.ledgers:
            chips = ledger_width(_ledger(self._looks.frame, node, self.printed, self._looks.hue))
        return replace(widths, left=left, right=right, chips=chips)

    def label(self, wire: Wire) -> tuple[float, float]:
        carried = bool(self.whole_pass.carried_by(wire))
        return (CIRCLE, CIRCLE) if carried else (0.0, 0.0)


class _BoxScene(Scene):
    """A scene before the first step, without labels and without the numbers that are asked."""

    def __init__(self, printed: Printed) -> None:
        self._printed = printed
        super().__init__(printed.short, printed.signed)

    def node(self, node: int) -> NodeLook:
        if node not in self.node_looks:
            self.node_looks[node] = self._boxed(super().node(node), node)
        return self.node_looks[node]

    def wire(self, wire: Wire) -> WireLook:
        return WireLook("idle", self.looks.hue(wire))

    def label(self, wire: Wire) -> None:
        return None

    def _sizes_of(self, shown: ViewState) -> TextSizes:
        found = _BoxSizes(self.looks, shown.rules)
        found.printed = self._printed
        return found

    def _boxed(self, look: NodeLook, node: int) -> NodeLook:
        """Return the look of a node with its final gradient if that is given, else without one."""
        printed, graph = self._printed, self.sheet.graph
        numbers = look.numbers
        source = graph.inputs(node)[0] if isinstance(graph.nodes[node], Root) else node
        grad = printed.trace.gradients.get(source) if source is not None else None
        is_active = look.body.active and grad is not None and node in _receivers(printed.trace)
        known = len(numbers) > 1 and node not in printed.asked.grads and is_active
        if len(numbers) > 1:
            given = NumberLook(printed.short(grad or 0.0), "grad") if known else NumberLook()
            # "no path" is no number, and hints at none
            gradient = numbers[1] if not known and numbers[1].kind == "no path" else given
            numbers = (numbers[0], gradient, *numbers[2:])
        ledger = look.ledger
        if ledger.chips:
            ledger = _ledger(self.looks.frame, node, printed, self.looks.hue)
        body = look.body._replace(grad_known=known, state="idle")
        return look._replace(body=body, numbers=numbers, ledger=ledger, waiting=None)


def _receivers(trace: Trace) -> set[int]:
    """Return the nodes with a gradient to show: those that receive one, and the active root."""
    found = {event.node for event in trace.events}
    return found | ({trace.graph.active_root} if trace.graph.active_root is not None else set())


def _ledger(frame: Frame, node: int, printed: Printed, hue: Callable[[Wire], int]) -> LedgerLook:
    """Return the ledger of a node; a contribution that is asked is a blank chip, wide as a box."""
    chips = frame.ledger(node)
    shown = [
        ChipLook(_chip_text(chip.wire, printed), hue(chip.wire), "done")
        for chip in chips[: sizes.CHIPS_SHOWN]
    ]
    more = len(chips) - len(shown)
    return LedgerLook("0", tuple(shown), more, arrived=len(chips), expected=len(chips))


def _chip_text(wire: Wire, printed: Printed) -> str:
    """Return the text of a chip; for a blank one as many spaces as make it as wide as its box."""
    if wire in printed.asked.wires:
        blank, least = _SPACE, printed.box_width + MARK_ROOM
        while chip_width(blank) < least:
            blank += _SPACE
        return blank
    return printed.contribution_text(wire)


# painting over the scene


def _paint_marks(painter: QPainter, scene: Scene) -> None:
    """Paint the marks of sibling wires at their sources."""
    for wire, course in scene.courses.items():
        hue = scene.looks.hue(wire)
        if hue >= 0:
            at = QPointF(course.start[0] + SOURCE_MARK, course.start[1])
            draw_sibling_mark(painter, hue, at, 7.5, PRINT.text)


def _paint_boxes(
    painter: QPainter, scene: Scene, printed: Printed, high: float, *, filled: bool
) -> None:
    """Paint the boxes for gradients and contributions, of this height."""
    for node in scene.visible.shown:
        box = scene.boxes[node]
        if node in printed.asked.grads:
            text = printed.short(printed.trace.gradients[node])
            if has_columns(box.kind):
                _raise_caption(painter, box)
            paint_box(painter, _grad_box(box, printed.box_width, high), text if filled else "")
        look = scene.node(node)
        for chip, wire, at in zip(
            look.ledger.chips,
            (chip.wire for chip in scene.looks.frame.ledger(node)),
            chip_positions(look) if look.ledger.chips else (),
            strict=False,
        ):
            if wire not in printed.asked.wires:
                continue
            left, middle = box.x + at.x(), box.y + at.y()
            rect = QRectF(left, middle - high / 2, chip_width(chip.text), high)
            text = printed.contribution_text(wire)
            paint_box(painter, rect, text if filled else "", MARK_ROOM)
            mark = QPointF(left + MARK_ROOM / 2 + 1, middle)
            draw_sibling_mark(painter, chip.hue, mark, 7, PRINT.text)


def _raise_caption(painter: QPainter, box: Box) -> None:
    """Move the caption of a gradient up, since a box is higher than a number."""
    right, y = box.x + box.w - PAD_RIGHT, box.y + caption_middle(box.kind, 1)
    wide = width(GRAD.caption, "caption") + 1
    painter.fillRect(QRectF(right - wide, y - 7, wide, 15), PRINT.node)
    at = (right, y - CAPTION_RISE)
    draw_text(painter, GRAD.caption, "caption", PRINT.secondary, at, "right")


def _grad_box(box: Box, wide: float, high: float) -> QRectF:
    """Return the rectangle of the box for the gradient of a node."""
    left, middle = box.x + box.w - PAD_RIGHT - wide, box.y + row_middle(box.kind, 1)
    if has_columns(box.kind):  # its caption is above it
        bottom = middle + sizes.NODE_CELL / 2 + sizes.NODE_PADDING - 1
        return QRectF(left, bottom - high, wide, high)
    return QRectF(left, middle - high / 2, wide, high)


def paint_box(painter: QPainter, rect: QRectF, text: str = "", left: float = 0.0) -> None:
    """Paint a box with a text in the middle of its part right of `left`."""
    path = rounded(rect, _BOX_RADIUS, _BOX_RADIUS)
    painter.fillPath(path, PRINT.node)
    painter.strokePath(path, pen(PRINT.outline, 1.3))
    if text:
        painter.save()
        painter.translate(rect.left() + left + (rect.width() - left) / 2, rect.center().y())
        painter.shear(SLANT, 0)
        draw_text(painter, text, "number", FILLED, (0, 0), "middle")
        painter.restore()


def _paint_steps(painter: QPainter, scene: Scene, printed: Printed) -> None:
    """Paint the number of each step in a circle on its wire, and that of the seed at the root."""
    for wire, step in wire_steps(printed.trace).items():
        if wire not in scene.courses:
            continue
        place = scene.wire_layout.label_layout[wire]
        middle = QPointF(place.right - CIRCLE / 2, place.y)
        painter.setBrush(PRINT.node)
        painter.setPen(pen(PRINT.outline, 1.3))
        painter.drawEllipse(middle, CIRCLE / 2, CIRCLE / 2)
        painter.setBrush(QColor(0, 0, 0, 0))
        at = (middle.x(), middle.y())
        draw_text(painter, f"{step}", "caption strong", PRINT.text, at, "middle")
    box = scene.boxes.get(scene.sheet.graph.active_root or 0)
    if box is not None and printed.trace.events[:1] and printed.trace.events[0].kind == "seed":
        at = (box.x + box.w, box.y - 14)
        draw_text(painter, _SEED.format(step=1), "caption strong", PRINT.root, at, "right")
