"""Opened groups: the places of all nodes while a question opens folded groups.

The sheet has no space for what is in a folded group, so everything that is drawn is laid out anew.
An opened group is an item of the layout around it: nothing else lies in its frame.
"""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from app.canvas.appearance.items import Drawn
from app.canvas.layout.group_layout import frame_margins, group_box
from app.canvas.layout.text_sizes import TextSizes
from app.document.boxes import path_to
from app.document.placement import (
    balanced_columns,
    close_gaps,
    condensed,
    in_reading_order,
    stacked,
)
from app.document.sheet import Point, Sheet

Measures = Mapping[int, tuple[float, float]]
"""Width and height by node, in sheet px, of those that are drawn but the pills."""


def with_space_for_opened(
    sheet: Sheet, visible: Drawn, text_sizes: TextSizes, measures: Measures
) -> Sheet:
    """Return the sheet laid out anew, each opened group one block in which its nodes stand apart.

    Positions are in px of the sheet; those of nodes that are not drawn stay.
    """
    graph, groups = sheet.graph, sheet.groups
    first = graph.next_id  # the number of a group in the layout is its own plus this
    size, labels = dict(measures), text_sizes.before_slots(visible.shown)
    for key, item in visible.folded.items():
        box = group_box(groups[key.group].title, item, text_sizes)
        size[first + key.group] = (box.w, box.h)
    home = {node: number for number, group in groups.items() for node in group.members}
    drawn = visible.opened.keys() | {key.group for key in visible.folded}
    paths = {
        node: [*(first + g for g in path_to(groups, home.get(node)) if g in drawn), node]
        for node in graph.nodes  # in this order: ties would else be broken by what was drawn before
        if node in measures or node in visible.home
    }

    def block(nodes: Iterable[int], depth: int) -> dict[int, Point]:
        """Return the places of these nodes in groups of a depth, from (0, 0) to right and down."""
        items = {n: paths[n][depth] for n in nodes}
        widest, contents = dict[int, float](), dict[int, dict[int, Point]]()
        for node, item in items.items():
            widest[item] = max(widest.get(item, 0.0), labels.get(node, 0.0))
        for item in widest.keys() & {first + g for g in visible.opened}:
            left, top, right, bottom = frame_margins(groups, visible.opened, item - first)
            inner = block([n for n in items if items[n] == item], depth + 1)
            contents[item] = {n: (x + left, y + top) for n, (x, y) in inner.items()}
            wide = max(x + size[n][0] for n, (x, _y) in contents[item].items())
            high = max(y + size[n][1] for n, (_x, y) in contents[item].items())
            size[item] = (wide + right, high + bottom)
        rough = condensed(graph, items)
        places = stacked(in_reading_order(rough, balanced_columns(rough)), size, rough)
        places = close_gaps(places, {item: size[item][0] for item in places}, widest)
        upper = min(y for _x, y in places.values())
        places = {n: (float(round(x)), float(round(y - upper))) for n, (x, y) in places.items()}
        for item, content in contents.items():
            at = places[item]
            places |= {n: (at[0] + x, at[1] + y) for n, (x, y) in content.items()}
        return places

    places = block(paths, 0)
    moved = {n: replace(g, position=places.get(first + n, g.position)) for n, g in groups.items()}
    positions = {**sheet.positions, **{n: at for n, at in places.items() if n in graph.nodes}}
    return replace(sheet, positions=positions, groups=moved)
