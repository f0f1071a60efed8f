"""Graphs that hypothesis makes up, and what must survive being written and read again."""

import math
import random
from typing import Any

from hypothesis import strategies as st

from engine.graph import Constant, Graph, Leaf, Node, OpNode, Root
from engine.ops import OPS

LABELS = ("", "", "", "a", "b", "w1", "loss", "x1*w1", "exp", "Value", "a")


@st.composite
def graphs(draw: st.DrawFn, most: int = 14, finite: bool = False) -> Graph:
    """A graph with shared nodes, labels that clash, and a Root on its last node."""
    numbers = st.floats(-3, 3) if finite else st.floats() | st.integers(-3, 3).map(float)
    nodes: dict[int, Node] = {}
    ids = draw(st.lists(st.integers(1, 60), min_size=1, max_size=most, unique=True).map(sorted))
    for place, number in enumerate(ids):
        label = draw(st.sampled_from(LABELS))
        kind = draw(st.integers(0, 5)) if place else 0
        if kind == 0:
            nodes[number] = Leaf(draw(numbers), label)
        elif kind == 1:
            nodes[number] = Constant(draw(numbers), label.replace("Value", "k"))
        else:
            op = draw(st.sampled_from(OPS))
            inputs = [draw(st.sampled_from(ids[:place])) for _ in op.slots]
            nodes[number] = OpNode(op.name, tuple(inputs), label)
    marker = ids[-1] + 1
    return Graph({**nodes, marker: Root(ids[-1])}, marker, marker + 1)


def meaning(graph: Graph) -> Any:
    """Names, wiring and numbers of the root's ancestors; a number used once needs no name."""
    assert graph.root is not None
    order = graph.plan(graph.root).order
    uses = dict.fromkeys(order, 0)
    for node in order:
        for source in graph.inputs(node):
            if source is not None:
                uses[source] += 1
    terms: dict[int, Any] = {}
    found: dict[str, Any] = {}
    for node in order:
        part = graph.nodes[node]
        if isinstance(part, OpNode):
            content = (part.op, tuple(terms[s] for s in part.inputs if s is not None))
        else:
            assert isinstance(part, Leaf | Constant)
            content = _spelled(part.value)
            if isinstance(part, Constant) and not part.label and uses[node] == 1:
                terms[node] = content
                continue
        terms[node] = graph.names[node]
        found[graph.names[node]] = content
    return found, terms[graph.root]


def _spelled(value: float) -> str:
    return "nan" if math.isnan(value) else repr(value)


def labelled(graph: Graph) -> Any:
    """Labels, else names, with wiring and numbers of the root's ancestors, in the order of a pass.

    A plain number in a program has a name and no label, so of a constant's label only what can
    stand in a name counts.
    """
    assert graph.root is not None
    order = graph.plan(graph.root).order
    sources = [source for node in order for source in graph.inputs(node)]
    terms: dict[int, Any] = {}
    found: list[Any] = []
    for node in order:
        part = graph.nodes[node]
        called = graph.label(node) or graph.names[node]
        if isinstance(part, OpNode):
            content: Any = (part.op, tuple(terms[s] for s in part.inputs if s is not None))
        else:
            assert isinstance(part, Leaf | Constant)
            content = _spelled(part.value)
            if isinstance(part, Constant) and not part.label and sources.count(node) == 1:
                terms[node] = content
                continue
            if isinstance(part, Constant) and node != graph.root:
                called = "a plain number"
        terms[node] = len(found)
        found.append((called, content))
    return found


def made_up(count: int, seed: int) -> list[Graph]:
    """So many graphs with shared nodes, the same for the same seed.

    Most numbers are tame; some are very large or small, infinite or nan. Labels repeat, and some
    are no names.
    """
    dice = random.Random(seed)
    return [_made_up(dice, dice.randint(2, 13)) for _ in range(count)]


def _made_up(dice: random.Random, size: int) -> Graph:
    nodes: dict[int, Node] = {}
    leaves = dice.randint(1, max(1, size // 2))
    ids = sorted(dice.sample(range(1, 40), size))
    for place, number in enumerate(ids):
        label = dice.choice((*LABELS, f"x{number}", f"u{number}", f"{'long' * 4}{number}"))
        if place < leaves:
            kind = Constant if place and dice.random() < 0.25 else Leaf
            nodes[number] = kind(_any_number(dice), label.replace("Value", "k"))
        else:
            op = dice.choice(OPS if dice.random() < 0.5 else OPS[:6])
            recent = ids[max(0, place - 4) : place]
            inputs = [dice.choice(recent + ids[:leaves]) for _ in op.slots]
            nodes[number] = OpNode(op.name, tuple(inputs), label)
    marker = ids[-1] + 1
    return Graph({**nodes, marker: Root(ids[-1])}, marker, marker + 1)


def _any_number(dice: random.Random) -> float:
    wild = (0.0, -0.0, 1e200, -1e-200, 5e-324, math.inf, -math.inf, math.nan, 1e7, 12345.678)
    tame = (float(dice.randint(-3, 3)), round(dice.uniform(-3, 3), 1), dice.uniform(-3, 3))
    return dice.choice(wild) if dice.random() < 0.1 else dice.choice(tame)
