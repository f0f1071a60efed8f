"""Respacing: narrower positions of a sheet's nodes, for a figure of given width.

A block is a node or, as a negative number, a collapsed group. A frame is a section or an opened
group: the outline around some blocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from itertools import product

from msgspec.structs import replace
from PySide6.QtCore import QRectF

from app.canvas.appearance.group_look import GroupBox
from app.canvas.layout.group_layout import as_rect
from app.canvas.layout.layout import NodeLayout
from app.canvas.layout.node_box import Box
from app.canvas.layout.node_spacing import bands_of
from app.canvas.layout.wire_path import BACK_RUN, BULGE_SHARE, TURN_REACH
from app.document.bands import BAND_GAP, MOST_BANDS, MOST_CROSSING, in_bands
from app.document.placement import close_gaps
from app.document.sections import PADDING, TITLE_BAR_HEIGHT
from app.document.sheet import Point, Sheet
from app.style import sizes

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


ROW_CROSSINGS = (MOST_CROSSING, 4)
"""Limits of the wires from one row to the next: that of the screen, then a higher one for paper,
where type cannot be zoomed."""
MAX_NODES_FOR_MORE = 9
"""Number of nodes up to which the higher limit is tried: more such wires look alike."""
FRAME_BAND_GAP = 64.0
"""How much farther apart rows are where frames with titles lie around nodes, in sheet px."""
NESTED_PADDING = 24.0
"""Additional padding of a section for each frame in it, in sheet px."""
COVER_TOLERANCE = 800.0
"""Area of a node, in square sheet px, that a frame may cover in addition: about its edge."""
ROOT_CLEARANCE = 8.0
"""Least distance of a Root from a section that it does not belong to, in sheet px."""
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
    A negative key is a collapsed group. Frames may cover more than before, see `covers_more`.
    """
    blocks = _blocks(layout)
    graph, home = layout.sheet.graph, layout.visible.hidden_in

    def block(node: int) -> int:
        return -home[node] if node in home else node

    places = _in_one_row(layout, blocks)
    widths = {n: layout.needed_width(n) if n > 0 else box.w for n, box in blocks.items()}
    roots = {
        root: None if (s := graph.inputs(root)[0]) is None else block(s) for root in graph.roots()
    }
    one_row = close_gaps(places, widths, _widest_labels(layout), roots)
    yield 1, one_row
    indent = needed_back_run(layout) + BEHIND_RUN - PASSING_CLEARANCE
    gap = BAND_GAP + (FRAME_BAND_GAP if blocks_by_frame(layout) else 0.0)
    drawn = {(source, layout.visible.merged_wires(wire)[0]) for source, wire in graph.wires()}
    wires = [(a, b) for s, wire in sorted(drawn) if (a := block(s)) != (b := block(wire[0]))]

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
    """Return the blocks in each section and opened group; collapsed groups are negative."""
    visible, blocks = layout.visible, _blocks(layout)
    found = {
        number: frozenset(n for n, box in blocks.items() if rect.contains(box.rect.center()))
        for number, rect in layout.sections.rects.items()
    }
    for number, members in visible.opened.items():
        groups = {-g for g, collapsed in visible.collapsed.items() if collapsed.members <= members}
        found[number] = frozenset(n for n in blocks if n in members or n in groups)
    return found


def sheet_with_positions(layout: NodeLayout, places: Mapping[int, Point]) -> Sheet:
    """Return the sheet with nodes and collapsed groups at other places, and sections around them.

    A section keeps its distance from its content, but at most the usual one.
    """
    sheet, blocks, content = layout.sheet, _blocks(layout), blocks_by_frame(layout)
    groups = {
        n: replace(group, position=places.get(-n, group.position))
        for n, group in sheet.groups.items()
    }
    sections = dict(sheet.sections)
    for number, rect in layout.sections.rects.items():
        before = _united(box.rect for n, box in blocks.items() if n in content[number])
        now = _united(QRectF(*places[n], blocks[n].w, blocks[n].h) for n in content[number])
        left, top = before.left() - rect.left(), before.top() - rect.top()
        right, low = rect.right() - before.right(), rect.bottom() - before.bottom()
        most = PADDING + NESTED_PADDING * sum(content[other] < content[number] for other in content)
        left, right, low = (min(side, most) for side in (left, right, low))
        top = min(max(top, TITLE_BAR_HEIGHT), TITLE_BAR_HEIGHT + most)
        sections[number] = replace(
            sections[number], rect=as_rect(now.adjusted(-left, -top, right, low))
        )
    positions = {**sheet.positions, **{n: place for n, place in places.items() if n > 0}}
    for root in sheet.graph.roots() & places.keys():
        (x, y), high = places[root], blocks[root].h
        for number, section in sections.items():
            left, top, wide, tall = section.rect
            level = root not in content[number] and top < y + high and y < top + tall
            if level and left < x < left + wide + ROOT_CLEARANCE:
                positions[root] = (left + wide + ROOT_CLEARANCE, y)  # nothing is right of it
    return replace(sheet, positions=positions, groups=groups, sections=sections)


def covers_more(layout: NodeLayout, before: NodeLayout) -> bool:
    """Return whether a section or opened group covers more blocks outside it than before."""
    content = blocks_by_frame(before)  # in the new layout a node may lie in a section by chance
    known = _covered(before, content)
    return any(
        area > known[pair] + COVER_TOLERANCE for pair, area in _covered(layout, content).items()
    )


def _covered(
    layout: NodeLayout, content: Mapping[int, frozenset[int]]
) -> dict[tuple[int, int], float]:
    """Return the area that each frame covers of blocks outside it, in square sheet px.

    A key is a frame and a block, or for two frames the first one's number negative.
    """
    blocks = _blocks(layout)
    rects = {**layout.sections.rects}
    rects |= {number: layout.groups.frame_rect(number) for number in layout.visible.opened}
    found: dict[tuple[int, int], float] = {}
    for number, rect in rects.items():
        for n, box in blocks.items():
            if n not in content[number]:
                found[number, n] = _area(rect & box.rect)
        for other, other_rect in rects.items():
            if not (content[number] <= content[other] or content[other] <= content[number]):
                found[-number, other] = _area(rect & other_rect)
    return found


def _area(rect: QRectF) -> float:
    return rect.width() * rect.height()


def _blocks(layout: NodeLayout) -> dict[int, Box | GroupBox]:
    """Return the boxes that have places: nodes, and collapsed groups under negative numbers."""
    nodes = {node: box for node, box in layout.boxes.items() if box.kind != "pill"}
    return {**nodes, **{-group: box for group, box in layout.group_boxes.items()}}


def _widest_labels(layout: NodeLayout) -> dict[int, float]:
    """Return the largest width before a slot of each block, of a label or a pill."""
    texts = layout.text_sizes
    found = texts.before_slots(frozenset(layout.boxes))
    for group, collapsed in layout.visible.collapsed.items():
        wires = (wires[0] for wires in collapsed.slots)
        found[-group] = max((texts.label(wire)[0] for wire in wires), default=0.0)
    return found


def _ties(
    places: Mapping[int, Point], content: Iterable[frozenset[int]]
) -> Iterator[tuple[int, int]]:
    """Yield imagined wires through each frame, more than a row may cut, so that none cuts it."""
    for nodes in content:
        ends = sorted(nodes, key=lambda n: places[n])
        yield from [(ends[0], ends[-1])] * (max(ROW_CROSSINGS) + 1)


def _united(rects: Iterable[QRectF]) -> QRectF:
    return reduce(QRectF.united, rects, QRectF())


def _with_wires_running_back(
    places: Mapping[int, Point],
    before: Mapping[int, Point],
    boxes: Mapping[int, Box | GroupBox],
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


def _in_one_row(layout: NodeLayout, boxes: Mapping[int, Box | GroupBox]) -> dict[int, Point]:
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
