"""A typed graph on the sheet: what it shares with the one there stays, the rest is put beside."""

from __future__ import annotations

from collections.abc import Collection

from app.document.matching import agree, matched, reached
from app.document.place import ROW, columns
from app.document.place_new_nodes import place_new_nodes
from app.document.sheet import Sheet
from engine.edits import part
from engine.errors import EditError
from engine.graph import Graph


def retyped(
    sheet: Sheet, graph: Graph, given: Collection[str] = ()
) -> tuple[Sheet, frozenset[int]]:
    """The sheet with a typed graph for its active root, and the nodes whose places are rough.

    Where the two have almost nothing in common, all of the typed graph is laid out anew: in
    place of everything, or below other sketches if there are any.
    """
    if graph.root is None:
        raise EditError("A typed graph needs a root.")
    found = matched(sheet.graph, graph, given)
    fresh = found.nodes.keys() - sheet.graph.nodes.keys()
    if reached(found) - fresh and agree(sheet.graph, found):
        return sheet.with_graph(found, place_new_nodes(found, sheet.positions, fresh)), frozenset()
    anew = fresh | reached(found) | {n for n in found.roots() if n == found.active_root}
    others = found.nodes.keys() - anew
    if not others and not sheet.sections:
        return Sheet(found, columns(found)), frozenset(found.nodes)
    rows = [sheet.positions[n][1] for n in others if n in sheet.positions]
    rows += [section.rect[1] + section.rect[3] for section in sheet.sections.values()]
    lefts = [sheet.positions[n][0] for n in others if n in sheet.positions]
    corner = (min(lefts, default=0.0), max(rows, default=-ROW) + ROW)
    return sheet.with_graph(found, columns(part(found, anew), corner)), frozenset(anew)
