"""Merges a typed graph into the sheet: common parts stay, new parts are placed beside them."""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Set as AbstractSet

from msgspec import Struct

from app.document.matching import agree, is_edit, matched_with_leaves, needed_elsewhere, reached
from app.document.place_new_nodes import place_new_nodes
from app.document.placement import ROW, columns
from app.document.sheet import Sheet
from engine.edits import part
from engine.errors import EditError
from engine.graph import Graph


def begins_anew(sheet: Sheet, graph: Graph) -> bool:
    """Return whether a typed graph is a new sheet: no edit of the formula, and all there was."""
    old = sheet.graph
    others = old.nodes.keys() - reached(old) - {old.active_root}
    return not others and not sheet.sections and not is_edit(old, graph)


class Retyped(Struct, frozen=True):
    """A sheet with a typed graph, its nodes with rough positions, and leaves without a value."""

    sheet: Sheet
    rough: frozenset[int]
    begun: tuple[int, ...]


def retyped(sheet: Sheet, graph: Graph, given: Collection[str] = ()) -> Retyped:
    """Return the sheet with a typed graph for its active root; `given` names leaves with a value.

    If nodes have come or gone, the whole typed graph is laid out again. If the two graphs have
    almost nothing in common, it begins in place of everything or below other parts.
    """
    if graph.root is None:
        raise EditError("A typed graph needs a root.")
    anew = frozenset[str]()
    if not is_edit(sheet.graph, graph):  # other parts stay: what only the formula had begins anew
        anew = _only_in_formula(sheet.graph)
    merged = matched_with_leaves(sheet.graph, graph, {*given, *anew})
    begun = tuple(sorted(leaf for leaf, name in merged.read.items() if name not in given))
    placed, rough = _placed(sheet, merged.graph)
    return Retyped(placed, rough, begun)


def _placed(sheet: Sheet, found: Graph) -> tuple[Sheet, frozenset[int]]:
    """Return the sheet with a matched graph, and the nodes with rough positions."""
    fresh = found.nodes.keys() - sheet.graph.nodes.keys()
    if reached(found) - fresh and agree(sheet.graph, found):
        placed = sheet.with_graph(found, place_new_nodes(found, sheet.positions, fresh))
        gone = sheet.graph.nodes.keys() - found.nodes.keys()
        return placed, _relaid(found, fresh) if fresh or gone else frozenset()
    relaid = _relaid(found, fresh)
    others = found.nodes.keys() - relaid
    if not others and not sheet.sections:
        return Sheet(found, columns(found), task=sheet.task), frozenset(found.nodes)
    rows = [sheet.positions[n][1] for n in others if n in sheet.positions]
    rows += [section.rect[1] + section.rect[3] for section in sheet.sections.values()]
    lefts = [sheet.positions[n][0] for n in others if n in sheet.positions]
    corner = (min(lefts, default=0.0), max(rows, default=-ROW) + ROW)
    return sheet.with_graph(found, columns(part(found, relaid), corner)), frozenset(relaid)


def _only_in_formula(graph: Graph) -> frozenset[str]:
    """Return the names of the nodes that only the active root needs."""
    return frozenset(graph.names[n] for n in reached(graph) - needed_elsewhere(graph))


def _relaid(graph: Graph, fresh: AbstractSet[int]) -> frozenset[int]:
    """Return the nodes that are laid out again after a graph was typed."""
    return frozenset(fresh | reached(graph) | {n for n in graph.roots() if n == graph.active_root})
