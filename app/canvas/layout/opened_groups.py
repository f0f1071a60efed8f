"""Opened groups: the places of all nodes while a question opens folded groups.

The sheet has no space for what is in a folded group, so everything that is drawn is laid out anew.
An opened group is an item of the layout around it: nothing else lies in its frame.
"""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from app.canvas.appearance.group_look import VisibleNodes, group_box
from app.canvas.layout.group_layout import frame_margins
from app.canvas.layout.text_sizes import TextSizes
from app.document.boxes import path_to
from app.document.node_sizes import is_pill
from app.document.placement import (
    balanced_columns,
    close_gaps,
    condensed,
    in_reading_order,
    stacked,
)
from app.document.sheet import Point, Sheet

Measures = Mapping[int, tuple[float, float]]
"""Width and height of each item, in sheet px."""


def with_space_for_opened(
    sheet: Sheet, visible: VisibleNodes, text_sizes: TextSizes, measures: Measures
) -> Sheet:
    """Return the sheet with other positions of nodes and groups; `measures` are those of nodes."""
    home = {node: number for number, group in sheet.groups.items() for node in group.members}
    drawn = visible.opened.keys() | visible.collapsed.keys()
    graph = sheet.graph
    first = graph.next_id  # the number of a group in the layout is its own plus this
    folded = {
        first + g: group_box(sheet.groups[g].title, group, text_sizes.group(group), (0.0, 0.0))
        for g, group in visible.collapsed.items()
    }
    paths = {
        node: [first + g for g in path_to(sheet.groups, home.get(node)) if g in drawn]
        for node in (*visible.shown, *visible.group_of_hidden)
        if node in visible.group_of_hidden or not is_pill(graph, node)
    }
    labels = text_sizes.before_slots(visible.shown)

    def block(nodes: Iterable[int], depth: int) -> tuple[dict[int, Point], float, float]:
        """Return the places of these nodes in groups of a depth, and the size of all."""
        items = {n: paths[n][depth] if len(paths[n]) > depth else n for n in nodes}
        size = dict(measures) | {item: (box.w, box.h) for item, box in folded.items()}
        widest, inner = dict[int, float](), dict[int, dict[int, Point]]()
        for node, item in items.items():
            widest[item] = max(widest.get(item, 0.0), labels.get(node, 0.0))
        for item in dict.fromkeys(items.values()):
            if item - first in visible.opened:
                left, top, right, bottom = frame_margins(sheet.groups, visible.opened, item - first)
                found, wide, high = block((n for n in items if items[n] == item), depth + 1)
                inner[item] = {n: (x + left, y + top) for n, (x, y) in found.items()}
                size[item] = (wide + left + right, high + top + bottom)
        rough = condensed(graph, items)
        places = stacked(in_reading_order(rough, balanced_columns(rough)), size, rough)
        places = close_gaps(places, {item: size[item][0] for item in places}, widest)
        upper = min((y for _x, y in places.values()), default=0.0)
        places = {n: (float(round(x)), float(round(y - upper))) for n, (x, y) in places.items()}
        ends = [(x + size[n][0], y + size[n][1]) for n, (x, y) in places.items()]
        for item, found in inner.items():
            at = places[item]
            places |= {n: (at[0] + x, at[1] + y) for n, (x, y) in found.items()}
        return places, max(x for x, _y in ends), max(y for _x, y in ends)

    places, _wide, _high = block(paths, 0)
    groups = {
        n: replace(group, position=places.get(first + n, group.position))
        for n, group in sheet.groups.items()
    }
    positions = {**sheet.positions, **{n: at for n, at in places.items() if n in graph.nodes}}
    return replace(sheet, positions=positions, groups=groups)
