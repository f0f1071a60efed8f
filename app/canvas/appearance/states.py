"""States: what a node does in the current step, and the tone that shows it from afar."""

from __future__ import annotations

import math

from app.canvas.appearance.look import NodeState, Tone
from engine.frame import Frame
from engine.graph import Graph, Leaf, OpNode, Root
from engine.trace import Computed, Event


def shown_by(graph: Graph, node: int) -> int | None:
    """Return the node whose numbers a node shows: for a Root the one plugged into it."""
    found = graph.nodes[node]
    return found.input if isinstance(found, Root) else node


def node_state(frame: Frame, node: int) -> NodeState:
    """Return what a node does in the step that is lit."""
    step = frame.lit
    found = frame.graph.nodes[node]
    if isinstance(step, Computed):
        return "forward" if step.node == node else "idle"
    if step is None:
        return "idle"
    if isinstance(found, Root):
        seeds = step.kind == "seed" and node == frame.graph.active_root
        return "firing" if seeds else "idle"
    if step.kind == "contribution" and step.target == node:
        return "firing"
    if step.node == node:
        return "receiving"
    return "done" if node in frame.grads else "idle"


def is_firing(frame: Frame, node: int) -> bool:
    """Return whether a contribution leaves this node in the step that is lit."""
    step = frame.lit
    return isinstance(step, Event) and step.target == node


def badge_number(frame: Frame, node: int) -> int:
    """Return the place of an op node in the firing order once it has begun to fire, else 0."""
    if frame.phase != "backward" or frame.trace is None:
        return 0
    if not isinstance(frame.graph.nodes[node], OpNode):
        return 0
    slots = range(len(frame.graph.inputs(node)))
    fired = is_firing(frame, node) or any((node, slot) in frame.fired for slot in slots)
    return frame.trace.schedule.firing_numbers.get(node, 0) if fired else 0


def far_tone(frame: Frame, node: int, wrong: bool) -> Tone:
    """Return the state by which a zoomed-out node is coloured; `wrong` if its gradient is."""
    found = frame.graph.nodes[node]
    shown = shown_by(frame.graph, node)
    value = None if shown is None else frame.values.get(shown)
    if None in found.inputs or (value is not None and not math.isfinite(value)):
        return "bad"
    if isinstance(frame.current, Computed) and frame.current.node == node:
        return "value"
    if shown in frame.grads:
        return "bad" if wrong else "grad"
    if isinstance(found, Root):
        return "root"
    return "value" if isinstance(found, Leaf) else "idle"
