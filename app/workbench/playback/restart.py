"""Restart: a pass goes back to its beginning after an edit of wiring, root or rules."""

from __future__ import annotations

from app.document.change import Change, Reordered
from app.workbench.modes.mode import Mode
from engine.errors import EngineError
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Graph
from engine.problems import pass_obstacle
from engine.rules import Rules
from engine.trace import run_to_step

_BECAUSE: dict[Reordered, str] = {
    "": "Everything was built again",
    "wiring": "The wiring changed",
    "root": "The root changed",
    "operation": "An operation changed",
    "to constant": "A leaf became a constant",
    "to leaf": "A constant became a leaf",
}


def restart_reason(change: Change) -> str:
    """Return why a pass restarts after a change of `wiring`, as the beginning of a sentence."""
    return "Another document was opened" if change.opened else _BECAUSE[change.reordered]


def restarted(graph: Graph, before: Frame, rules: Rules, sentence: str) -> tuple[Frame, str]:
    """Return the pass of a frame at its beginning, or live values if it can't run any more.

    The text says what happened: `sentence`, why it can't run, or "" if nothing is lost, because
    the pass was at 0.
    """
    assert before.phase != "live"
    if (problem := pass_obstacle(graph)) is not None:
        return live_frame(graph), f"The pass has ended. {problem.sentence}"
    try:
        frame = frame_at(run_to_step(graph, before.phase, rules), 0)
    except EngineError as error:
        return live_frame(graph), str(error)
    return frame, sentence if before.cursor else ""


def ended(said: str, mode: Mode) -> str:
    """Return a sentence, and that a mode has ended if it asked something."""
    return f"{said} {mode.title} has ended.".lstrip() if mode.title else said
