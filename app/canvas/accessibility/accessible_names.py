"""Accessible names of nodes, groups, sections and wires, with the numbers they show."""

from __future__ import annotations

from app.canvas.appearance.face import GRAD, face
from app.canvas.appearance.group_look import size_text
from app.canvas.appearance.look import Figure, LabelLook, LedgerLook
from app.canvas.appearance.looks import Looks, shown_by
from app.canvas.scene.hit_test import content
from app.canvas.scene.scene import Scene
from app.workbench.gradients.chain_rule import so_far
from app.workbench.gradients.explanation import causes
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
    parts, shown = _what(graph, node), shown_by(graph, node)
    known = look.grad is not None and look.grad.kind != "unknown"
    rest = so_far(looks.frame, node if shown is None else shown) if known else ""
    for cell, figure in zip(face(look.kind, 0), look.figures, strict=False):
        if cell is not GRAD or known or looks.frame.phase == "backward":
            said = f"{cell.spoken} {_figure(figure)}"
            parts += (
                [said] if cell is not GRAD else _gradient(scene, node, f"{said} {rest}", digits)
            )
    if look.ledger.chips:
        parts += _sum(looks, node, look.ledger, bool(rest))
    if looks.rippled is not None and (change := spoken_change(looks.rippled, node, digits)):
        parts.append(change)
    names = ["nothing" if s is None else graph.title(s) for s in graph.inputs(node)]
    if names:
        parts.append(
            counted(len(names), "input {names}", "inputs {names}", names=enumerated(names))
        )
    return ", ".join(parts)


def _gradient(scene: Scene, node: int, said: str, digits: Digits) -> list[str]:
    """Return the gradient as said, and what is wrong with it."""
    looks, right = scene.looks, scene.node(node).right
    wrong = [f"wrong, {right} would be right"] if right else []
    why = causes(looks.frame, looks.beside, node, digits)
    return [said.rstrip(), *wrong, *([why.rstrip(".")] if why else [])]


def _sum(looks: Looks, node: int, ledger: LedgerLook, counts: bool) -> list[str]:
    """Return how many contributions have come, unless that is said, and what the sum began with."""
    one, many = "{come} of {count} contribution", "{come} of {count} contributions"
    parts = [] if counts else [counted(ledger.due, one, many, come=ledger.come)]
    left = looks.frame.sum_of(node).start
    return [*parts, f"{looks.short(left)} left over from the pass before"] if left else parts


def group_name(scene: Scene, group: int) -> str:
    """Return a collapsed group's name with the numbers of its outputs."""
    look = scene.group(group)
    lines = [f"{line.name} value {_figure(line.figures[0])}" for line in look.lines]
    return ", ".join([look.title, f"group of {size_text(look.count)}", *lines])


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
