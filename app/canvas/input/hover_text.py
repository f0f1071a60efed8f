"""Texts of the status line and the tooltip for what is under the pointer."""

from __future__ import annotations

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.scene.hit_test import Hit
from app.controls.rich_text import plain_text
from app.style import sizes
from app.workbench.gradients.chain_rule import derivation, so_far, total
from app.workbench.gradients.explanation import causes
from engine.graph import OpNode, Root, Wire
from engine.numbers import full
from engine.ops import BY_NAME

MOST_SUMMED = 30
"""The most contributions that a tooltip writes out."""


def told(canvas: CanvasContext, found: Hit) -> str:
    """Return a description of the hit with its numbers or possible actions; "" for the sheet."""
    if found.part in ("node", "number") and found.node is not None:
        return _node(canvas, found.node)
    if found.wire is not None:
        return _wire(canvas, found.wire)
    if found.part == "output":
        return "Drag to a slot to wire it; Ctrl moves all its wires"
    if found.section is not None:
        return _section(canvas, found.section, found.edges)
    return _group(canvas, found.group, found.part) if found.group is not None else ""


def tip(canvas: CanvasContext, found: Hit) -> str:
    """Return the tooltip: what the hit is, and how to change it."""
    graph = canvas.document.graph
    lines = [told(canvas, found)]
    node = graph.nodes.get(found.node) if found.node is not None else None
    if found.part == "number":
        lines.append("Drag to change it, double-click to type it")
    elif found.part == "slot":
        lines.append("Drag to plug, Alt+click or Ctrl+Shift+click to unplug")
    elif found.part in ("wire", "label"):
        lines.append("Delete, Alt+click or Ctrl+Shift+click unplugs it")
    elif found.part == "node":
        if found.node is not None:
            frame, beside = canvas.playback.frame, canvas.playback.now.comparison
            lines.append(_whole_sum(canvas, found.node))
            lines.append(causes(frame, beside, found.node, "shortest"))
        if isinstance(node, OpNode):
            op = BY_NAME[node.op]
            lines.append(f"{op.name}: {op.says}")
        lines.append("F2 labels it, Delete removes it")
    return "\n".join(line for line in lines if line)


def _node(canvas: CanvasContext, node: int) -> str:
    graph, frame = canvas.document.graph, canvas.playback.frame
    found = graph.nodes[node]
    shown = found.input if isinstance(found, Root) else node
    parts = [graph.title(node if shown is None else shown)]
    if shown is not None and shown in frame.values:
        parts.append(f"value {full(frame.values[shown])}")
    if shown is not None and shown in frame.grads:
        rest = so_far(frame, shown)
        number = full(frame.grads[shown])
        parts.append(f"gradient {number} {rest}" if rest else f"gradient {number}")
    return ", ".join(parts)


def _whole_sum(canvas: CanvasContext, node: int) -> str:
    """Return the sum of a ledger that has more contributions than it shows; else ""."""
    frame = canvas.playback.frame
    found = derivation(frame, node, canvas.playback.now.comparison)
    adds = frame.trace is not None and frame.trace.rules.accumulate
    if not adds or len(found.arrived) <= sizes.CHIPS_SHOWN:
        return ""
    return plain_text(total(found, canvas.style.digits, MOST_SUMMED))


def _wire(canvas: CanvasContext, wire: Wire) -> str:
    graph = canvas.document.graph
    source = graph.source(wire)
    if source is None:
        return f"{graph.title(wire[0])}, slot {wire[1] + 1} is empty: drag from it or to it"
    text = f"{graph.title(source)} → {graph.title(wire[0])}, slot {wire[1] + 1}"
    event = canvas.playback.frame.fired.get(wire)
    if event is None:
        return text
    product = f"{full(event.upstream)} × {full(event.local)} = {full(event.contribution)}"
    return f"{text}: {product}"


def _group(canvas: CanvasContext, group: int, part: str) -> str:
    title = canvas.document.sheet.groups[group].title
    if part != "opener":
        return f"{title}: double-click to look inside"
    opened = group in canvas.scene.visible.opened
    return f"Show {title} as one" if opened else f"Open {title} in place"


def _section(canvas: CanvasContext, section: int, edges: str) -> str:
    title = canvas.document.sheet.sections[section].title
    if edges:
        return f"Drag to resize {title or 'the section'}"
    return f"{title or 'Section'}: drag to move it with what lies in it, double-click to rename"
