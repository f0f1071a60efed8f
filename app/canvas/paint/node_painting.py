"""Paints nodes: outline, header, numbers, ledger and the strip of a training loop."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath

from app.canvas.appearance.face import GRAD, face
from app.canvas.appearance.looks import (
    BodyLook,
    ChipLook,
    LedgerLook,
    NodeLook,
    NodeState,
    NumberLook,
    UpdateLook,
)
from app.canvas.layout.node_box import (
    CAUSE_GAP,
    CAUSE_ROLE,
    CHIP_GAP,
    CHIP_TEXT_LEFT,
    LEDGER_LEFT,
    LEDGER_RIGHT,
    chip_width,
    ledger_chip_positions,
    ledger_tops,
    ledger_width,
    total_middle,
)
from app.canvas.layout.text_sizes import NOTE_GAP
from app.document.node_sizes import (
    CAPTION_NUMBER_GAP,
    CAPTION_WIDTH,
    DIVIDER_GAP,
    FORMULA_GAP,
    HEADER_LEFT,
    HEADER_PAD_RIGHT,
    PAD_LEFT,
    PAD_RIGHT,
    SYMBOL_GAP,
    SYMBOL_PADDING,
    body_height,
    capsule_middle,
    caption_middle,
    has_columns,
    ledger_height,
    name_suffix,
    number_middle,
    row_middle,
)
from app.style import sizes
from app.style.icons import paint_icon
from app.style.strokes import cut_corners, draw_sibling_mark, draw_text, elided, pen, rounded, width
from app.style.theme import Theme, faded
from app.workbench.gradients.comparison import short_flag
from engine.numbers import ASKED


@lru_cache(maxsize=2048)
def outline(kind: str, wide: float, high: float) -> QPainterPath:
    """Return the outline of a kind of node; shared, callers must not modify it."""
    rect = QRectF(0, 0, wide, high)
    if kind in ("constant", "pill"):
        return cut_corners(rect, sizes.CORNER_CUT if kind == "constant" else sizes.PILL_CUT)
    if kind == "group":
        return rounded(rect, sizes.RADIUS_CARD, sizes.RADIUS_CARD)
    left = sizes.RADIUS_ROUND if kind == "leaf" else sizes.RADIUS_NODE
    right = sizes.RADIUS_ROUND if kind == "root" else sizes.RADIUS_NODE
    return rounded(rect, left, right)


@lru_cache(maxsize=2048)
def header(kind: str, wide: float, high: float) -> QPainterPath:
    """Return the outline of a node's header; shared, callers must not modify it."""
    header_area = QPainterPath()
    header_area.addRect(0, 0, wide, sizes.NODE_HEADER)
    return outline(kind, wide, high).intersected(header_area)


def paint_header(
    painter: QPainter, look: BodyLook, header_path: QPainterPath, theme: Theme
) -> None:
    """Paint the header of a node at the origin without its titles; `header_path` is its outline."""
    painter.fillPath(header_path, _header_color(look, theme))
    middle = sizes.NODE_HEADER / 2
    if look.symbol:
        box = _symbol_box(look)
        path = rounded(box, sizes.RADIUS_SYMBOL, sizes.RADIUS_SYMBOL)
        painter.fillPath(path, theme.node)
        painter.strokePath(path, pen(theme.outline, 1.0))
        draw_text(painter, look.symbol, "done", theme.text, (box.center().x(), middle), "middle")
    if look.kind == "root":
        paint_icon(painter, QRectF(_header_left(look) - 4, middle - 8, 16, 16), "flag", theme.root)


def paint_titles(painter: QPainter, look: NodeLook, wide: float, theme: Theme) -> None:
    """Paint the label, the name and the formula in the header of a node at the origin."""
    body, texts, middle = look.body, look.texts, sizes.NODE_HEADER / 2
    x = _symbol_box(body).right() + SYMBOL_GAP if body.symbol else _header_left(body)
    if look.kind == "root":
        x += 15  # behind its flag
    room = wide - x - HEADER_PAD_RIGHT
    label = elided(texts.label, "label", min(room, sizes.LABEL_WIDTH))
    if label:
        x += draw_text(painter, label, "label", theme.text, (x, middle))
    if texts.name:
        name = elided(name_suffix(label, texts.name), "name", wide - x - HEADER_PAD_RIGHT)
        x += draw_text(painter, name, "name", theme.secondary, (x, middle))
    room = wide - x - HEADER_PAD_RIGHT - FORMULA_GAP
    captions = () if look.kind == "root" else texts.captions
    caption = next((text for text in captions if width(text, "caption") <= room), "")
    if caption:
        color = theme.error if caption.endswith("empty") else theme.secondary  # `slot 1 empty`
        draw_text(painter, caption, "caption", color, (wide - HEADER_PAD_RIGHT, middle), "right")


def _header_left(look: BodyLook) -> float:
    """Return the x at which the symbol, icon or label of a header begins."""
    return HEADER_LEFT if look.kind == "op" else float(PAD_LEFT)


def _symbol_box(look: BodyLook) -> QRectF:
    """Return the box around the symbol of an op."""
    high = sizes.SYMBOL
    wide = max(float(high), width(look.symbol, "done") + SYMBOL_PADDING)
    return QRectF(_header_left(look), (sizes.NODE_HEADER - high) / 2, wide, high)


def _header_color(look: BodyLook, theme: Theme) -> QColor:
    if look.kind == "root" and look.active:
        return theme.header_root
    return theme.header_leaf if look.kind == "leaf" else theme.header_op


UPDATE_LINES = 13.0, 29.0
"""Middles of the two lines of an update, in sheet px below the rows of a leaf."""


def paint_update(
    painter: QPainter, update: UpdateLook, value: str, wide: float, theme: Theme
) -> None:
    """Paint the strip under a leaf, and its struck old value left of the new `value`."""
    top, x = body_height("leaf", 0), PAD_LEFT
    pieces = (
        (update.before, theme.value),
        (" − ", theme.secondary),
        (update.rate, theme.text),
        (" × ", theme.secondary),
        (update.grad, theme.gradient),
    )
    for text, color in pieces:
        x += draw_text(painter, text, "caption strong", color, (x, top + UPDATE_LINES[0]))
    start_width = draw_text(
        painter, "= ", "caption strong", theme.secondary, (PAD_LEFT, top + UPDATE_LINES[1])
    )
    at = (PAD_LEFT + start_width, top + UPDATE_LINES[1])
    draw_text(painter, update.after, "caption strong", theme.value, at)
    if not update.struck:
        return
    y = number_middle("leaf", 0)
    right = wide - PAD_RIGHT - width(value, "number") - CAPTION_NUMBER_GAP
    old = draw_text(painter, update.struck, "caption", theme.secondary, (right, y), "right")
    painter.setPen(pen(theme.secondary, 1.2))
    painter.drawLine(QPointF(right - old - 1, y), QPointF(right + 1, y))


def paint_ledger(painter: QPainter, look: NodeLook, wide: float, high: float, theme: Theme) -> None:
    """Paint the ledger of a node at the origin, below its cells.

    Where a mistake has made the total wrong, the ledger of the correct pass is above it.
    """
    ledgers = ledger_tops(look)
    ledger, top = ledgers[-1]
    if look.correct is not None:
        _ledger(painter, *ledgers[0], wide, theme, theme.text)
        _wrong_background(painter, look, QRectF(0, top, wide, high - top), theme)
        _causes(painter, look, top + ledger_height(len(ledger.chips)), (wide, high), theme)
    _ledger(painter, ledger, top, wide, theme, theme.error if look.correct else theme.text)


def _ledger(
    painter: QPainter, ledger: LedgerLook, top: float, wide: float, theme: Theme, ink: QColor
) -> None:
    """Paint a ledger with this top: its start, its chips and its total.

    One that is too wide for its node, as in a large graph, is painted smaller.
    """
    if (needed := ledger_width(ledger)) > wide:
        shrunk, high = wide / needed, ledger_height(len(ledger.chips))
        painter.save()
        painter.translate(0.0, (top + high / 2) * (1.0 - shrunk))
        painter.scale(shrunk, shrunk)
        _ledger(painter, ledger, top, needed, theme, ink)
        painter.restore()
        return
    middle = top + sizes.LEDGER / 2
    start_width = draw_text(
        painter, ledger.start, "caption", theme.secondary, (LEDGER_LEFT, middle)
    )
    is_overwritten = bool(ledger.chips) and ledger.chips[0].state == "overwritten"
    # then so are the chips before it, whose sum is the start
    if ledger.start.startswith("…") and is_overwritten:
        _strike(painter, LEDGER_LEFT, middle, start_width, theme.error)
    end = QPointF()
    positions = ledger_chip_positions(ledger, top)
    for chip, at in zip(ledger.chips, positions, strict=True):
        end = at + QPointF(paint_chip(painter, chip, at, theme) + CHIP_GAP, 0)
    if ledger.more:
        at = (end.x() + 2, end.y())
        draw_text(painter, f"+{ledger.more} more", "caption", theme.secondary, at)
    at = (wide - LEDGER_RIGHT, total_middle(ledger, top))
    color = theme.selection if ledger.asked else ink
    draw_text(painter, ledger.total, "number", color, at, "right")


def _wrong_background(painter: QPainter, look: NodeLook, rect: QRectF, theme: Theme) -> None:
    """Paint the background of a wrong ledger, with a dashed edge above it."""
    painter.save()
    # within the clip that a crop of the picture may have set
    body = outline(look.kind, rect.right(), rect.bottom())
    painter.setClipPath(body, Qt.ClipOperation.IntersectClip)
    painter.fillRect(rect.adjusted(1, 0, -1, -1), theme.error_tint)
    painter.restore()
    painter.setPen(pen(theme.error, 1.4, (4.0, 3.0)))
    painter.drawLine(rect.topLeft() + QPointF(1, 0), rect.topRight() - QPointF(1, 0))


def _causes(
    painter: QPainter, look: NodeLook, top: float, size: tuple[float, float], theme: Theme
) -> None:
    """Paint why the total is wrong, as long as there is space: causes here, then those upstream."""
    wide, high = size
    y = top + sizes.CAUSE_EDGE / 2 + sizes.CAUSE_LINE / 2 - 2
    for name, text in look.causes:
        if y + sizes.CAUSE_LINE / 2 > high:
            return
        x = (
            LEDGER_LEFT
            + draw_text(painter, name, CAUSE_ROLE, theme.error, (LEDGER_LEFT, y))
            + CAUSE_GAP
        )
        room = wide - x - LEDGER_LEFT
        draw_text(painter, elided(text, "caption", room), "caption", theme.secondary, (x, y))
        y += sizes.CAUSE_LINE


def paint_chip(painter: QPainter, chip: ChipLook, at: QPointF, theme: Theme) -> float:
    """Paint a chip whose left side is centred on a point; returns its width."""
    wide = chip_width(chip.text)
    half = sizes.CHIP / 2
    rect = QRectF(at.x(), at.y() - half, wide, sizes.CHIP).adjusted(0.5, 0.5, -0.5, -0.5)
    path = rounded(rect, half - 0.5, half - 0.5)
    color = theme.error if chip.state == "overwritten" else theme.sibling(max(chip.hue, 0))
    # in the middle of a chip without a number, else left of it
    mark_at = QPointF(at.x() + (14 if not chip.text else 10), at.y())
    if chip.state == "asked":
        painter.fillPath(path, theme.selection_tint)
        painter.strokePath(path, pen(theme.selection, 1.4, (3.0, 2.4)))
        at_middle = (rect.center().x(), at.y())
        draw_text(
            painter, chip.text or ASKED, "caption strong", theme.selection, at_middle, "middle"
        )
        return wide
    if chip.state == "waiting":
        painter.strokePath(path, pen(color, 1.3, (3.0, 2.4)))
        draw_sibling_mark(painter, chip.hue, mark_at, 7, color, hollow=True)
        return wide
    landed = chip.state == "landed"
    tint = theme.error_tint if chip.state == "overwritten" else theme.sibling_tint(max(chip.hue, 0))
    painter.fillPath(path, color if landed else tint)
    painter.strokePath(path, pen(color, 1.2))
    ink = theme.on_fill if landed else color
    draw_sibling_mark(painter, chip.hue, mark_at, 7, ink)
    x = at.x() + CHIP_TEXT_LEFT
    text_width = draw_text(painter, chip.text, "caption strong", ink, (x, at.y()))
    if chip.state == "overwritten":
        _strike(painter, x, at.y(), text_width, color)
    return wide


def _strike(painter: QPainter, x: float, middle: float, wide: float, color: QColor) -> None:
    """Strike through a number that was overwritten."""
    painter.setPen(pen(color, 1.4))
    painter.drawLine(QPointF(x - 1, middle), QPointF(x + wide + 1, middle))


CHIP_SHIFT = 2.0
"""Shift in sheet px of a chip that replaces a number below a caption, since a chip is taller."""
NODE_MARGIN = 16.0
"""Margin in sheet px by which slots, glow, badge and shadow exceed a node's rectangle."""


@lru_cache(maxsize=2048)
def _lower_outline(kind: str, wide: float, high: float) -> QPainterPath:
    """Return the lowest part of an outline, whose shadow is visible; the body hides the rest."""
    lowest_part = QPainterPath()
    lowest_part.addRect(0, high - sizes.RADIUS_ROUND, wide, sizes.RADIUS_ROUND)
    return outline(kind, wide, high).intersected(lowest_part)


def paint_node(
    painter: QPainter, look: NodeLook, wide: float, high: float, left: float, theme: Theme
) -> None:
    """Paint the node with its upper left corner at the origin.

    `left` is the width of its left column, as in Box: 0 if it has one column.
    """
    paint_body(painter, look.body, wide, high, left, theme)
    paint_texts(painter, look, wide, high, left, theme)


def paint_body(
    painter: QPainter, look: BodyLook, wide: float, high: float, left: float, theme: Theme
) -> None:
    """Paint the parts that depend neither on numbers nor on the name of the node."""
    body = outline(look.kind, wide, high)
    if look.kind == "pill":
        painter.fillPath(body, theme.header_op)
        _paint_outline(painter, look, body, theme)
        return
    _shadow_and_glow(painter, look, (wide, high), theme)
    painter.fillPath(body, theme.node)
    paint_header(painter, look, header(look.kind, wide, high), theme)
    _right_captions(painter, look, wide, left, theme)
    top = body_height(look.kind, len(look.plugged))
    if high > top:
        painter.setPen(pen(theme.line, 1.0))
        painter.drawLine(QPointF(1, top), QPointF(wide - 1, top))
    _paint_outline(painter, look, body, theme)
    paint_slots(painter, look.kind, look.plugged, theme)
    if look.kind != "root":
        w, h = sizes.CAPSULE_WIDTH, sizes.CAPSULE_HEIGHT
        paint_capsule(
            painter,
            QRectF(wide - w / 2, capsule_middle(look.kind) - h / 2, w, h),
            (look.value_known, look.grad_known),
            theme,
        )


def paint_texts(
    painter: QPainter, look: NodeLook, wide: float, high: float, left: float, theme: Theme
) -> None:
    """Paint the titles, numbers and badge of a node over its body."""
    if look.kind == "pill":
        at = (wide / 2, high / 2)
        draw_text(painter, look.value.text, "number", number_color(look.value, theme), at, "middle")
    else:
        paint_titles(painter, look, wide, theme)
        _cells(painter, look, wide, left, theme)
        _below_cells(painter, look, wide, high, theme)
    paint_badge(painter, look, wide, theme)


def _cells(painter: QPainter, look: NodeLook, wide: float, left: float, theme: Theme) -> None:
    """Paint the numbers of the cells, and the caption of each local derivative."""
    cells = face(look.kind, len(look.body.plugged))
    begin = left + DIVIDER_GAP if has_columns(look.kind) else PAD_LEFT + CAPTION_WIDTH + 6
    for cell, number in zip(cells, look.numbers, strict=True):
        y = number_middle(look.kind, cell.row)
        if cell.column == "left":
            color = theme.local if number.text else theme.secondary
            at = (PAD_LEFT, caption_middle(look.kind, cell.row))
            draw_text(painter, look.texts.slots[cell.row], "caption", color, at)
            _left_number(painter, number, y, theme)
        elif cell is GRAD and look.waiting is not None:
            _pending_chip(painter, look, look.waiting, (begin, y, wide - PAD_RIGHT), theme)
        else:
            _right_number(painter, number, (begin, y, wide - PAD_RIGHT), theme)


def _below_cells(painter: QPainter, look: NodeLook, wide: float, high: float, theme: Theme) -> None:
    """Paint the part below the cells: the ledger, or the update of a training loop."""
    top = body_height(look.kind, len(look.body.plugged))
    if look.ledger.chips or look.ledger.asked or look.correct is not None:
        paint_ledger(painter, look, wide, high, theme)
    elif high > top and not (
        look.body.learns or (look.body.grad_known and not look.ledger.total)
    ):  # a ledger without a chip yet, or whose chips are hidden
        at = (LEDGER_LEFT, top + sizes.LEDGER / 2)
        draw_text(painter, "contributions", "caption", theme.secondary, at)
    if look.update is not None:
        paint_update(painter, look.update, look.value.text, wide, theme)


def _shadow_and_glow(
    painter: QPainter, look: BodyLook, size: tuple[float, float], theme: Theme
) -> None:
    """Paint the shadow below a node, and its glow in a step that it takes part in."""
    wide, high = size
    if theme.shadows:
        shade = faded(theme.shadow, theme.shadow.alphaF() * 0.5)
        for down in (2, 1):
            painter.fillPath(_lower_outline(look.kind, wide, high).translated(0, down), shade)
    color = state_color(look.state, theme)
    if color is not None:
        paint_glow(painter, outline(look.kind, wide, high), color)


def state_color(state: NodeState, theme: Theme) -> QColor | None:
    """Return the colour of a node's state in the highlighted step, or None."""
    colors = {"forward": theme.value, "firing": theme.gradient, "receiving": theme.gradient}
    return colors.get(state)


def paint_glow(painter: QPainter, body: QPainterPath, color: QColor) -> None:
    """Paint the glow around a node that takes part in a step."""
    painter.strokePath(body, pen(faded(color, 0.24), 2 * sizes.GLOW + 2))


def _right_captions(
    painter: QPainter, look: BodyLook, wide: float, left: float, theme: Theme
) -> None:
    """Paint the captions of the right column, and the line between the columns."""
    x, align = (wide - PAD_RIGHT, "right") if has_columns(look.kind) else (PAD_LEFT, "left")
    for cell in face(look.kind, 0):
        at = (x, caption_middle(look.kind, cell.row))
        draw_text(painter, cell.caption, "caption", theme.secondary, at, align)
    if left:  # there are two columns
        painter.setPen(pen(theme.line, 1.0))
        bottom = body_height(look.kind, len(look.plugged)) - 8
        painter.drawLine(QPointF(left, sizes.NODE_HEADER + 8), QPointF(left, bottom))


def number_color(number: NumberLook, theme: Theme) -> QColor:
    """Return the colour of a number by its kind."""
    return {
        "value": theme.value,
        "grad": theme.gradient,
        "local": theme.local,
        "bad": theme.error,
        "asked": theme.selection,
    }.get(number.kind, theme.secondary)


def _left_number(painter: QPainter, number: NumberLook, y: float, theme: Theme) -> None:
    """Paint a local derivative, with a mark if it is a convention."""
    if not number.text:
        return
    x = PAD_LEFT + draw_text(
        painter, number.text, "number", number_color(number, theme), (PAD_LEFT, y)
    )
    if number.by_convention:
        path = QPainterPath(QPointF(x + 4, y - 4))
        path.lineTo(x + 8, y + 4)
        path.lineTo(x + 12, y - 4)
        painter.strokePath(path, pen(theme.local, 1.6))


Line = tuple[float, float, float]
"""Left, y and right of the line of a number."""


def _right_number(painter: QPainter, number: NumberLook, line: Line, theme: Theme) -> None:
    """Paint value or gradient, and left of it a note where that fits."""
    left, y, right = line
    number_width = draw_text(
        painter, number.text, "number", number_color(number, theme), (right, y), "right"
    )
    if number.note and width(number.note, "caption") + NOTE_GAP <= right - number_width - left:
        draw_text(painter, number.note, "caption", theme.secondary, (left, y))


def _pending_chip(
    painter: QPainter, look: NodeLook, chip: ChipLook, line: Line, theme: Theme
) -> None:
    """Paint the chip of the one pending contribution, and right of it the gradient if it fits."""
    grad = look.numbers[GRAD.row]
    left, y, right = line
    chip_wide, shift = chip_width(chip.text), CHIP_SHIFT if has_columns(look.kind) else 0.0
    fits = left + chip_wide + NOTE_GAP <= right - width(grad.text, "number")
    paint_chip(painter, chip, QPointF(left if fits else right - chip_wide, y + shift), theme)
    if fits:
        _right_number(painter, grad, line, theme)


def _paint_outline(painter: QPainter, look: BodyLook, body: QPainterPath, theme: Theme) -> None:
    if not all(look.plugged):
        painter.strokePath(body, pen(theme.error, 1.6, (5.0, 3.0)))
        return
    color, wide = state_color(look.state, theme), float(sizes.OUTLINE_FIRING)
    if look.state == "receiving":
        wide = 2.0
    elif color is None and look.bad:
        color, wide = theme.error, 2.2
    painter.strokePath(body, pen(color or theme.outline, wide if color else sizes.OUTLINE))


def paint_slots(painter: QPainter, kind: str, plugged: tuple[bool, ...], theme: Theme) -> None:
    """Paint the slots of a node or group at the origin; empty ones are dashed."""
    radius = sizes.SLOT / 2
    for slot, is_plugged in enumerate(plugged):
        painter.setBrush(theme.node)
        edge = pen(theme.secondary, 1.6) if is_plugged else pen(theme.error, 1.5, (2.6, 1.8))
        painter.setPen(edge)
        painter.drawEllipse(QPointF(0, row_middle(kind, slot)), radius, radius)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def paint_capsule(painter: QPainter, rect: QRectF, known: tuple[bool, bool], theme: Theme) -> None:
    """Paint the capsule of an output: its upper half is a known value, its lower one a gradient."""
    path, half = rounded(rect, rect.width() / 2, rect.width() / 2), rect.height() / 2
    painter.fillPath(path, theme.node)
    for is_known, color, top in zip(
        known, (theme.value, theme.gradient), (rect.top(), rect.center().y()), strict=True
    ):
        if is_known:
            part = QPainterPath()
            part.addRect(rect.left(), top, rect.width(), half)
            painter.fillPath(path.intersected(part), color)
    if theme.value == theme.gradient:  # in a theme without colours a line parts the halves
        painter.fillRect(QRectF(rect.left(), rect.center().y() - 1, rect.width(), 2), theme.node)
    painter.strokePath(path, pen(theme.secondary, 1.5))


def badge_middle(wide: float) -> QPointF:
    """Return the centre of the badge on a node's upper right corner."""
    return QPointF(wide - 3, -3)


def paint_badge(painter: QPainter, look: NodeLook, wide: float, theme: Theme) -> None:
    """Paint the firing order badge on the corner, and left of it the flag of a mistake."""
    if look.flag:
        _flag(painter, look, wide, theme)
    if not look.badge:
        return
    at = badge_middle(wide)
    radius = sizes.BADGE / 2
    painter.setBrush(theme.gradient if look.badge_filled else theme.node)
    painter.setPen(pen(theme.gradient, 1.5))
    painter.drawEllipse(at, radius, radius)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    color = theme.on_fill if look.badge_filled else theme.gradient
    draw_text(painter, str(look.badge), "caption strong", color, (at.x(), at.y()), "middle")


def flag_rect(look: NodeLook, wide: float) -> tuple[str, QRectF]:
    """Return a flag's text for this node width, and its rectangle left of the badge."""
    right = wide - 4 - sizes.BADGE / 2 - 4
    texts = look.flag, short_flag(look.correct_grad)
    flag_text = next((text for text in texts if width(text, "caption strong") <= right), "✘")
    flag_width = width(flag_text, "caption strong") + 16  # 8 px on either side, as in `_flag`
    return flag_text, QRectF(right - flag_width, 1 - NODE_MARGIN, flag_width, sizes.CHIP)


def _flag(painter: QPainter, look: NodeLook, wide: float, theme: Theme) -> None:
    flag_text, rect = flag_rect(look, wide)
    painter.fillPath(rounded(rect, sizes.CHIP / 2, sizes.CHIP / 2), theme.error)
    at = (rect.left() + 8, rect.center().y())
    draw_text(painter, flag_text, "caption strong", theme.on_fill, at)
