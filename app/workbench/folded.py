"""Folded groups in a pass: which steps are one step while a group is shown as one.

A collapsed group fires like a node: one step takes it from where it begins to fire to where
something else does. Members of other groups may fire in between, and then it fires in several
runs, as the order of the pass has it; a step never passes over what another node sends.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping

from app.document.grouping import group_of, members_of
from app.document.sheet import Group
from app.workbench.shown import Shown
from engine.trace import Trace


def next_stop(shown: Shown, whole_node: bool) -> int:
    """The cursor at which a step ends; with `whole_node` at the end of a node."""
    trace, cursor = shown.frame.trace, shown.frame.cursor
    if trace is None:
        return cursor
    after = cursor + 1
    if whole_node:
        ends = trace.node_ends
        place = bisect_right(ends, cursor)
        after = ends[place] if place < len(ends) else len(trace)
    return run_around(shown.sheet.groups, trace, after - 1, shown.inside).stop


def previous_stop(shown: Shown, whole_node: bool) -> int:
    """The cursor at which a step back ends; with `whole_node` where a node began to fire."""
    trace, cursor = shown.frame.trace, shown.frame.cursor
    if trace is None:
        return cursor
    before = cursor - 1
    if whole_node:
        place = bisect_left(trace.node_ends, cursor) - 1
        before = trace.node_ends[place] if place >= 0 else 0
    return run_around(shown.sheet.groups, trace, before, shown.inside).start


def run_around(
    groups: Mapping[int, Group], trace: Trace, k: int, inside: int | None = None
) -> range:
    """The places of the steps that are one with the step at k; k alone outside of groups.

    Of the group that is looked into, and of those around it, the parts are seen.
    """
    members = _fired_group(groups, trace, k, inside) if 0 <= k < len(trace) else frozenset[int]()
    first, last = k, k
    while first > 0 and _goes_on(trace, first - 1, k, members):
        first -= 1
    while last + 1 < len(trace) and _goes_on(trace, last + 1, k, members):
        last += 1
    return range(first, last + 1)


def _goes_on(trace: Trace, other: int, k: int, members: frozenset[int]) -> bool:
    """Whether the step beside belongs to the same group and the same of two passes."""
    if trace.actors[other] not in members:
        return False
    return not trace.events or trace.events[other].sweep == trace.events[k].sweep


def _fired_group(
    groups: Mapping[int, Group], trace: Trace, k: int, inside: int | None
) -> frozenset[int]:
    """The members of the outermost collapsed group in which the step at k fires."""
    at = group_of(groups, trace.actors[k])
    found: int | None = None
    while at is not None and at != inside:
        found = at if groups[at].collapsed else found
        at = groups[at].parent
    return frozenset[int]() if found is None else members_of(groups, found)
