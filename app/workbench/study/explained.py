"""What Why explains: the node that is selected, or the receiver of the step that is shown."""

from __future__ import annotations

from app.workbench.selection import Selection
from engine.frame import Frame


def explained(frame: Frame, selection: Selection) -> int | None:
    """Return the selected node; at a step, if the user selected nothing, its receiver."""
    if frame.event is not None and follows_step(frame, selection):
        return frame.event.node
    only = selection.only
    return only if only is not None and only in frame.graph.nodes else None


def follows_step(frame: Frame, selection: Selection) -> bool:
    """Return whether a step is shown, and the user has selected nothing."""
    return frame.event is not None and (selection.made or not selection.nodes)
