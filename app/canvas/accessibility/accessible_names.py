"""Accessible names of nodes, groups, sections and wires, with the numbers they show."""

from __future__ import annotations

from app.canvas.appearance.look import Figure, LabelLook
from app.canvas.scene.hit_test import content
from app.canvas.scene.scene import Scene
from app.workbench.gradients.causes import causes
from app.workbench.gradients.derivation import so_far
from app.workbench.gradients.formulas import enumerated
from app.workbench.words.ripple import spoken_change
from engine.graph import Constant, Graph, OpNode, Root, Wire
from engine.numbers import Digits, counted
from engine.study.ripple import GraphRipple

_SIGNS = {
    "add": "plus",
    "sub": "minus",
    "mul": "times",
    "div": "divided by",
    "pow": "to the power of",
    "neg": "negative",
}
"""Spoken words for operator symbols."""


def node_name(scene: Scene, node: int, digits: Digits) -> str:
    """Return a node's name with its numbers: "e, times, value −6, gradient −2, inputs a and b"."""
    graph, look, looks = scene.sheet.graph, scene.node(node), scene.looks
    parts = [*_what(graph, node), f"value {_figure(look.value)}"]
    known = look.grad is not None and look.grad.kind != "unknown"
    rest = so_far(looks.frame, _shown(graph, node)) if known else ""
    if look.grad is not None and (looks.frame.phase == "backward" or known):
        gradient = _figure(look.grad)
        parts.append(f"gradient {gradient} {rest}" if rest else f"gradient {gradient}")
        if look.right:
            parts.append(f"wrong, {look.right} would be right")
        why = causes(looks.frame, looks.beside, node, digits)
        parts += [why.rstrip(".")] if why else []
    if look.chips:
        if not rest:
            one, many = "{come} of {count} contribution", "{come} of {count} contributions"
            parts.append(counted(look.due, one, many, come=look.come))
        if left := looks.frame.sum_of(node).start:
            parts.append(f"{looks.short(left)} left over from the pass before")
    if looks.rippled is not None and (change := spoken_change(looks.rippled, node, digits)):
        parts.append(change)
    names = ["nothing" if s is None else graph.title(s) for s in graph.inputs(node)]
    if names:
        parts.append(
            counted(len(names), "input {names}", "inputs {names}", names=enumerated(names))
        )
    return ", ".join(parts)


def group_name(scene: Scene, group: int) -> str:
    """Return a collapsed group's name with the numbers of its outputs."""
    look = scene.group(group)
    lines = [f"{line.name} value {_figure(line.value)}" for line in look.lines]
    return ", ".join([look.title, f"group of {look.count} nodes", *lines])


def section_name(scene: Scene, section: int) -> str:
    """Return a section's name with the number of its nodes: "section Inputs, 2 nodes"."""
    nodes, _boxes = content(scene, (section,))
    title = scene.sheet.sections[section].title
    name = f"section {title}" if title else "section"
    return counted(len(nodes), "{name}, {count} node", "{name}, {count} nodes", name=name)


def wire_name(scene: Scene, wire: Wire) -> str:
    """Return a wire's name with its label: "from a to e, slot 1, −2 × −3 = +6"."""
    graph, label = scene.sheet.graph, scene.label(wire)
    source = graph.source(wire)
    start = "nothing" if source is None else graph.title(source)
    parts = [f"from {start} to {graph.title(wire[0])}"]
    group = scene.visible.home.get(wire[0])
    if group is not None and len(scene.visible.drawn_as_one(wire)) > 1:
        parts = [f"from {start} into {scene.group(group).title}"]  # its label is a sum
    elif len(graph.inputs(wire[0])) > 1:
        parts.append(f"slot {wire[1] + 1}")
    if scene.looks.rippled is not None:
        return ", ".join([*parts, *_carried(scene.looks.rippled, wire, scene)])
    return ", ".join(parts if label is None else [*parts, _label(label)])


def _carried(found: GraphRipple, wire: Wire, scene: Scene) -> tuple[str, ...]:
    """Return what a wire does to a change: "a change times −3 gives −0.03"."""
    carried = found.carried(wire)
    if carried is None:
        return ()
    slope, effect = scene.looks.short(carried.slope), scene.looks.signed(carried.effect)
    return (f"a change times {slope} gives {effect}",)


def _shown(graph: Graph, node: int) -> int:
    """Return the node whose numbers are drawn on `node`: for a root, its input."""
    found = graph.nodes[node]
    return found.input if isinstance(found, Root) and found.input is not None else node


def _what(graph: Graph, node: int) -> list[str]:
    found = graph.nodes[node]
    if isinstance(found, OpNode):
        return [graph.title(node), _SIGNS.get(found.op, found.op.replace("_", " "))]
    if isinstance(found, Root):
        active = "root" if node == graph.active_root else "root, not active"
        return [graph.title(node) if found.input is None else graph.title(found.input), active]
    return [graph.title(node), "constant" if isinstance(found, Constant) else "leaf"]


def _figure(figure: Figure) -> str:
    return {"unknown": "not computed", "no path": "none, no path to the root"}.get(
        figure.kind, "asked" if figure.kind == "asked" else figure.text
    )


def _label(label: LabelLook) -> str:
    if label.state == "next":
        return f"next, {label.text}" if label.contribution != "···" else f"next, {_factors(label)}"
    if label.state == "asked":
        return f"asked, {_factors(label)}"
    return label.text


def _factors(label: LabelLook) -> str:
    return f"{label.upstream} × {label.local}" if label.local else "not yet known"
