"""Drills: three more questions like one that was answered wrong, with fresh friendly numbers.

A question about a wire is asked again in a small graph of the same operation, along the same slot;
one about a final gradient in the same graph.

>>> from engine import from_expression
>>> from engine.study.question import answer
>>> from engine.study.slips import BY_NAME
>>> from engine.trace import run
>>> trace = run(from_expression("y = a*b", {"a": 2, "b": 3}))
>>> found = drills(Question("local", 3, 0, 2), trace, BY_NAME["own value"], seed=1)
>>> len(found), len({answer(drill.question, drill.trace) for drill in found})
(3, 3)
"""

import random
from typing import Final

from msgspec import Struct

from engine.graph import Constant, Graph, Leaf, Node, OpNode, Root
from engine.numbers import short
from engine.rules import CORRECT, Rules
from engine.study.friendly import SMALL, Draw, drawn_graphs, draws
from engine.study.question import Question, answer
from engine.study.slips import Slip
from engine.trace import Trace, run

COUNT: Final = 3
_DRAWS, _FINAL_DRAWS = 60, 15
"""Draws for each drill; a final gradient is compared with those of all mistakes."""
_GENTLE: Final = (-3.0, -2.0, -1.0, -0.5, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0)
"""Values for operations such as exp, where others give numbers that nobody wants to write."""
_PLAIN: Final = ("add", "sub", "mul", "div", "neg", "maximum", "minimum", "abs", "relu")
_LARGEST: Final = 1000.0
_LETTERS: Final = "abc"


class Drill(Struct, frozen=True):
    """One question about a pass of its own."""

    question: Question
    trace: Trace


def drills(question: Question, trace: Trace, slip: Slip, seed: int) -> tuple[Drill, ...]:
    """Return up to three drills with different numbers, in each of which the slip can be seen."""
    graph, about = _again(question, trace)
    rules = trace.rules if question.kind != "local" else CORRECT
    ops = {found.op for found in graph.nodes.values() if isinstance(found, OpNode)}
    pool = SMALL if ops <= {*_PLAIN} else _GENTLE
    pools = [pool] * (_FINAL_DRAWS if question.kind == "final" else _DRAWS)
    draw, found = random.Random(seed), dict[tuple[float, ...], Draw]()
    for _ in range(COUNT):
        told = {_answer_text(drill) for drill in found.values()}
        fitting = [
            drawn
            for drawn in draws(
                drawn_graphs(graph, draw, graph.leaves, pools),
                lambda again: _at_step(about, again, trace.rules),
                rules,
            )
            if _numbers(drawn) not in found and _shows(drawn, slip)
        ]
        if fitting:
            best = min(fitting, key=lambda d: (_answer_text(d) in told, len(d.alike), d.length))
            found[_numbers(best)] = best
    return tuple(Drill(drawn.questions[0], drawn.trace) for drawn in found.values())


def _numbers(drawn: Draw) -> tuple[float, ...]:
    return tuple(drawn.trace.values.values())


def _answer_text(drawn: Draw) -> str:
    return short(answer(drawn.questions[0], drawn.trace))


def _shows(drawn: Draw, slip: Slip) -> bool:
    """Return whether the slip gives a number, none that looks right, for an answer to be typed."""
    return (
        any(name == slip.name for _question, name in drawn.apart)
        and not any(name == slip.name for _question, name in drawn.alike)
        and abs(answer(drawn.questions[0], drawn.trace)) < _LARGEST
    )


def _at_step(about: Question, trace: Trace, rules: Rules) -> list[Question]:
    """Return the question at the step at which its wire fires; a sum only at a later arrival."""
    if about.wire is None:
        return [about]
    for step, event in enumerate(trace.events, 1):
        if event.wire == about.wire:
            first = rules.accumulate and trace.schedule.arrivals[event.node][0] == step - 1
            if about.kind != "sum" or not first:
                return [Question(about.kind, about.node, about.slot, step)]
    return []


def _again(question: Question, trace: Trace) -> tuple[Graph, Question]:
    """Return a graph in which the question can be asked again, and the question there."""
    if question.wire is None:
        return trace.graph, question
    alone = question.kind == "local"
    nodes, op = _copied(trace.graph, question.node, "y" if alone else "v")
    if not alone:
        weight = _append(nodes, Leaf(1.0, "w"))
        op_out = _append(nodes, OpNode("mul", (op, weight)))
        if question.kind == "sum":
            source = nodes[op]
            assert isinstance(source, OpNode)
            held = source.inputs[question.slot]
            other = _append(nodes, OpNode("mul", (held, _append(nodes, Leaf(1.0, "u")))))
            op_out = _append(nodes, OpNode("add", (op_out, other)))
            if _arrives_first(nodes, op_out, (op, question.slot)):
                found = nodes[op_out]
                assert isinstance(found, OpNode)
                nodes[op_out] = OpNode("add", found.inputs[::-1])
        found = nodes[op_out]
        assert isinstance(found, OpNode)
        nodes[op_out] = OpNode(found.op, found.inputs, "y")
    else:
        op_out = op
    root = _append(nodes, Root(op_out))
    return Graph(nodes, root, root + 1), Question(question.kind, op, question.slot)


def _arrives_first(nodes: dict[int, Node], out: int, wire: tuple[int, int]) -> bool:
    graph = Graph({**nodes, out + 1: Root(out)}, out + 1, out + 2)
    trace = run(graph)
    step = next(k for k, event in enumerate(trace.events) if event.wire == wire)
    return trace.schedule.arrivals[trace.events[step].node][0] == step


def _copied(graph: Graph, node: int, label: str) -> tuple[dict[int, Node], int]:
    """Return an op node with leaves for its inputs, or with the constants that they are."""
    found = graph.nodes[node]
    assert isinstance(found, OpNode)
    nodes: dict[int, Node] = {}
    copies: dict[int, int] = {}
    for source in found.inputs:
        if source is None or source in copies:
            continue
        old = graph.nodes[source]
        fixed = isinstance(old, Constant)
        new = Constant(old.value) if fixed else Leaf(1.0, _LETTERS[len(copies)])
        copies[source] = _append(nodes, new)
    inputs = tuple(None if source is None else copies[source] for source in found.inputs)
    return nodes, _append(nodes, OpNode(found.op, inputs, label))


def _append(nodes: dict[int, Node], node: Node) -> int:
    number = len(nodes) + 1
    nodes[number] = node
    return number
