"""Accessible names of nodes, groups, sections and wires, with the numbers they show."""

from __future__ import annotations

from app.canvas.appearance.look import Figure, LabelLook
from app.canvas.scene.scene import Scene
from app.canvas.scene.section_hits import content
from app.style.numbers import ASKED, Digits
from app.workbench import verdict
from app.workbench.derivation import so_far
from engine.graph import Constant, Graph, OpNode, Root, Wire

_SIGNS = {
    "add": "plus",
    "sub": "minus",
    "mul": "times",
    "div": "divided by",
    "pow": "to the power of",
    "neg": "negative",
}
"""Operations whose sign has a word."""


def node_name(scene: Scene, node: int, digits: Digits) -> str:
    """A node with its numbers: e, times, value −6, gradient −2, inputs a and b."""
    graph, look = scene.sheet.graph, scene.node(node)
    parts = [*_what(graph, node), f"value {_figure(look.value)}"]
    complete = look.grad is None or not _known(look.grad)
    rest = "" if complete else so_far(scene.looks.frame, _shown(graph, node))
    if look.grad is not None and (scene.looks.frame.phase == "backward" or _known(look.grad)):
        wrong = f", wrong, {look.right} would be right" if look.right else ""
        parts.append(f"gradient {_figure(look.grad)}{rest}{wrong}")
        why = verdict.causes(scene.looks.frame, scene.looks.beside, node, digits)
        parts += [why.rstrip(".")] if why else []
    if look.chips:
        if not rest:
            noun = "contribution" if look.due == 1 else "contributions"
            parts.append(f"{look.come} of {look.due} {noun}")
        if look.start.startswith("was "):
            parts.append(f"{look.start.removeprefix('was ')} left over from the pass before")
    return ", ".join([*parts, *_inputs(graph, node)])


def group_name(scene: Scene, group: int) -> str:
    """A collapsed group with the numbers of its outputs."""
    look = scene.group(group)
    lines = [f"{line.name} value {_figure(line.value)}" for line in look.lines]
    return ", ".join([look.title, f"group of {look.count} nodes", *lines])


def section_name(scene: Scene, section: int) -> str:
    """A section with how much lies in it: section Inputs, 2 nodes."""
    nodes, _boxes = content(scene, (section,))
    title = scene.sheet.sections[section].title
    return f"section {title}".rstrip() + f", {len(nodes)} node{'s' * (len(nodes) != 1)}"


def wire_name(scene: Scene, wire: Wire) -> str:
    """A wire with what stands on it: from a to e, slot 1, −2 × −3 = +6."""
    graph = scene.sheet.graph
    source = graph.source(wire)
    start = "nothing" if source is None else graph.title(source)
    name = f"from {start} to {graph.title(wire[0])}"
    if len(graph.inputs(wire[0])) > 1:
        name += f", slot {wire[1] + 1}"
    label = scene.label(wire)
    return name if label is None else f"{name}, {_label(label)}"


def _shown(graph: Graph, node: int) -> int:
    """The node whose numbers stand on a node: of a root that which feeds it."""
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


def _inputs(graph: Graph, node: int) -> list[str]:
    names = ["nothing" if s is None else graph.title(s) for s in graph.inputs(node)]
    if not names:
        return []
    if len(names) == 1:
        return [f"input {names[0]}"]
    return [f"inputs {', '.join(names[:-1])} and {names[-1]}"]


def _known(figure: Figure) -> bool:
    return figure.kind != "unknown"


def _figure(figure: Figure) -> str:
    return {"unknown": "not computed", "no path": "none, no path to the root"}.get(
        figure.kind, "asked" if figure.text == ASKED else figure.text
    )


def _label(label: LabelLook) -> str:
    if label.state == "next":
        return f"next, {label.text}" if label.contribution != "···" else f"next, {_factors(label)}"
    if label.state == "asked":
        return f"asked, {_factors(label)}"
    return label.text


def _factors(label: LabelLook) -> str:
    return f"{label.upstream} × {label.local}" if label.local else "not yet known"
