"""Texts of the status line and the tooltip for what is under the pointer."""

from __future__ import annotations

from app.canvas.context.canvas_context import CanvasContext
from app.canvas.scene.hit_test import Hit
from app.style.numbers import full
from app.workbench.derivation import so_far
from app.workbench.verdict import causes
from engine.graph import OpNode, Root, Wire
from engine.ops import BY_NAME


def told(canvas: CanvasContext, found: Hit) -> str:
    """What a thing is called and holds, or what can be done with it; empty for the sheet."""
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
    """What it is, and how it is changed."""
    graph = canvas.document.graph
    text = told(canvas, found)
    node = graph.nodes.get(found.node) if found.node is not None else None
    if found.part == "number":
        text += "\nDrag to change it, double-click to type it"
    if found.part == "node" and found.node is not None:
        why = causes(canvas.playback.frame, canvas.playback.now.comparison, found.node, "shortest")
        text += f"\n{why}" if why else ""
    if found.part == "node" and isinstance(node, OpNode):
        op = BY_NAME[node.op]
        text += f"\n{op.name}: {op.says}\nF2 labels it, Delete removes it"
    elif found.part == "node":
        text += "\nF2 labels it, Delete removes it"
    elif found.part == "slot":
        text += "\nDrag to plug, Alt+click to unplug"
    elif found.part in ("wire", "label"):
        text += "\nDelete or Alt+click unplugs it"
    return text


def _node(canvas: CanvasContext, node: int) -> str:
    graph, frame = canvas.document.graph, canvas.playback.frame
    found = graph.nodes[node]
    shown = found.input if isinstance(found, Root) else node
    parts = [graph.title(node if shown is None else shown)]
    if shown is not None and shown in frame.values:
        parts.append(f"value {full(frame.values[shown])}")
    if shown is not None and shown in frame.grads:
        parts.append(f"gradient {full(frame.grads[shown])}{so_far(frame, shown)}")
    return ", ".join(parts)


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
