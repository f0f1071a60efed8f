"""Collapsed groups in a pass: which steps count as one while a group is collapsed.

A collapsed group fires like a node: one step goes from the group's first event to the next event of
something else. Members of other groups may fire in between; then the group fires in several runs,
in the order of the pass. A step never skips what another node sends.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping

from msgspec import Struct

from app.document.grouping import group_of, members_of
from app.document.sheet import Group
from app.workbench.playback.view_state import ViewState
from engine.trace import Trace


class FoldedStep(Struct, frozen=True):
    """Steps of a collapsed group that are one step; `steps` are their places, from 0."""

    title: str
    members: frozenset[int]
    steps: range


def folded_done(shown: ViewState) -> FoldedStep | None:
    """Return the steps in which a collapsed group has just fired as one; None for a single one."""
    found = _folded(shown, shown.frame.cursor - 1)
    return found if found is not None and found.steps.stop == shown.frame.cursor else None


def folded_next(shown: ViewState) -> FoldedStep | None:
    """Return the steps in which a collapsed group fires next, or None."""
    return _folded(shown, shown.frame.cursor)


def _folded(shown: ViewState, k: int) -> FoldedStep | None:
    trace, groups = shown.frame.trace, _groups(shown)
    if trace is None:
        return None
    steps = run_around(groups, trace, k, shown.inside)
    if len(steps) == 1:
        return None
    group = collapsed_around(groups, trace.schedule.actors[k], shown.inside)
    assert group is not None
    return FoldedStep(groups[group].title, members_of(groups, group), steps)


def next_stop(shown: ViewState, whole_node: bool) -> int:
    """Return the cursor at which a step ends; with `whole_node` at the end of a node."""
    trace, cursor = shown.frame.trace, shown.frame.cursor
    if trace is None:
        return cursor
    after = cursor + 1
    if whole_node:
        ends = trace.schedule.node_ends
        place = bisect_right(ends, cursor)
        after = ends[place] if place < len(ends) else len(trace)
    return run_around(_groups(shown), trace, after - 1, shown.inside).stop


def previous_stop(shown: ViewState, whole_node: bool) -> int:
    """Return the cursor at which a step back ends; with `whole_node` where a node began to fire."""
    trace, cursor = shown.frame.trace, shown.frame.cursor
    if trace is None:
        return cursor
    before = cursor - 1
    if whole_node:
        place = bisect_left(trace.schedule.node_ends, cursor) - 1
        before = trace.schedule.node_ends[place] if place >= 0 else 0
    return run_around(_groups(shown), trace, before, shown.inside).start


def _groups(shown: ViewState) -> Mapping[int, Group]:
    """Return the groups of what is shown; while a learner is asked, all are opened."""
    return shown.sheet.groups if not shown.asks else {}


def run_around(
    groups: Mapping[int, Group], trace: Trace, k: int, inside: int | None = None
) -> range:
    """Return the steps that form one step with the one at k; only k outside of groups.

    The entered group and the groups around it do not count as collapsed.
    """
    if not groups or not 0 <= k < len(trace):
        return range(k, k + 1)
    group = collapsed_around(groups, trace.schedule.actors[k], inside)
    members = frozenset[int]() if group is None else members_of(groups, group)
    first, last = k, k
    while first > 0 and _goes_on(trace, first - 1, k, members):
        first -= 1
    while last + 1 < len(trace) and _goes_on(trace, last + 1, k, members):
        last += 1
    return range(first, last + 1)


def _goes_on(trace: Trace, other: int, k: int, members: frozenset[int]) -> bool:
    """Return whether a neighbouring step belongs to the same group and the same of two passes."""
    if trace.schedule.actors[other] not in members:
        return False
    return not trace.events or trace.events[other].sweep == trace.events[k].sweep


def collapsed_around(groups: Mapping[int, Group], node: int, inside: int | None) -> int | None:
    """Return the outermost collapsed group around a node, but for those that are entered."""
    at, found = group_of(groups, node), None
    while at is not None and at != inside:
        found = at if groups[at].collapsed else found
        at = groups[at].parent
    return found
