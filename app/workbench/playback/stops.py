"""Stops: where a step ends; a collapsed group fires as one step."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping

from msgspec import Struct

from app.document.boxes import group_of, members_of
from app.document.sheet import Group
from app.workbench.playback.view_state import ViewState
from engine.trace import Trace


class CollapsedStep(Struct, frozen=True):
    """Steps of a collapsed group that are one step; `steps` are their indices in the trace."""

    title: str
    members: frozenset[int]
    steps: range


def collapsed_step_done(shown: ViewState) -> CollapsedStep | None:
    """Return the steps in which a collapsed group has just fired as one; None for a single one."""
    found = _collapsed_step(shown, shown.frame.cursor - 1)
    return found if found is not None and found.steps.stop == shown.frame.cursor else None


def collapsed_step_next(shown: ViewState) -> CollapsedStep | None:
    """Return the steps in which a collapsed group fires next, or None."""
    return _collapsed_step(shown, shown.frame.cursor)


def _collapsed_step(shown: ViewState, k: int) -> CollapsedStep | None:
    """Return the steps of a collapsed group around step k, or None for a single step."""
    trace, groups = shown.frame.trace, _groups(shown)
    if trace is None:
        return None
    steps = collapsed_run(groups, trace, k, shown.inside)
    if len(steps) == 1:
        return None
    group = outermost_collapsed(groups, trace.schedule.actors[k], shown.inside)
    assert group is not None
    return CollapsedStep(groups[group].title, members_of(groups, group), steps)


def next_stop(shown: ViewState, whole_node: bool) -> int:
    """Return the cursor at which a step ends; with `whole_node` at the end of a node."""
    trace, cursor = shown.frame.trace, shown.frame.cursor
    if trace is None:
        return cursor
    after = cursor + 1
    if whole_node:
        ends = trace.schedule.node_ends
        index = bisect_right(ends, cursor)
        after = ends[index] if index < len(ends) else len(trace)
    return collapsed_run(_groups(shown), trace, after - 1, shown.inside).stop


def previous_stop(shown: ViewState, whole_node: bool) -> int:
    """Return the cursor at which a step back ends; with `whole_node` where a node began to fire."""
    trace, cursor = shown.frame.trace, shown.frame.cursor
    if trace is None:
        return cursor
    before = cursor - 1
    if whole_node:
        index = bisect_left(trace.schedule.node_ends, cursor) - 1
        before = trace.schedule.node_ends[index] if index >= 0 else 0
    return collapsed_run(_groups(shown), trace, before, shown.inside).start


def _groups(shown: ViewState) -> Mapping[int, Group]:
    """Return the sheet's groups; none counts as collapsed while a learner is asked."""
    return shown.sheet.groups if not shown.asks else {}


def collapsed_run(
    groups: Mapping[int, Group], trace: Trace, k: int, inside: int | None = None
) -> range:
    """Return the neighbours of step k in the same collapsed group: one step for the learner.

    The entered group and the groups around it do not count as collapsed.
    """
    if not groups or not 0 <= k < len(trace):
        return range(k, k + 1)
    group = outermost_collapsed(groups, trace.schedule.actors[k], inside)
    members = frozenset[int]() if group is None else members_of(groups, group)
    first, last = k, k
    while first > 0 and _is_in_run(trace, first - 1, k, members):
        first -= 1
    while last + 1 < len(trace) and _is_in_run(trace, last + 1, k, members):
        last += 1
    return range(first, last + 1)


def _is_in_run(trace: Trace, other: int, k: int, members: frozenset[int]) -> bool:
    """Return whether a neighbouring step belongs to the same group and the same sweep."""
    if trace.schedule.actors[other] not in members:
        return False
    return not trace.events or trace.events[other].sweep == trace.events[k].sweep


def outermost_collapsed(groups: Mapping[int, Group], node: int, inside: int | None) -> int | None:
    """Return the outermost collapsed group around a node, within the entered group."""
    at, found = group_of(groups, node), None  # from the innermost group outwards
    while at is not None and at != inside:
        found = at if groups[at].collapsed else found
        at = groups[at].parent
    return found
