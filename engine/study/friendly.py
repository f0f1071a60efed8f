"""Friendly numbers: leaf values with which a right answer differs from every slip, and drills.

>>> from engine import from_expression
>>> graph = from_expression("y = a*b + a", {"a": 1, "b": 1})
>>> found = run_to_end(friendly_search(graph, seed=1, kinds=("local", "contribution", "sum")))
>>> found.changed, [found.graph.nodes[leaf].value for leaf in (1, 2)]
(True, [4.0, 2.0])

A drill repeats a question that was answered wrong with such numbers: a question about a wire in a
small graph of the same operation, along the same slot; a final gradient in the same graph.

>>> from engine.study.slips import BY_NAME
>>> trace = run(from_expression("y = a*b", {"a": 2, "b": 3}))
>>> found = drills(Question("local", 3, 0, 2), trace, BY_NAME["own value"], seed=1)
>>> len(found), len({answer(drill.question, drill.trace) for drill in found})
(3, 3)
"""

import math
import random
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from msgspec import Struct

from engine.errors import EngineError
from engine.graph import Constant, Graph, Leaf, Node, OpNode, Root
from engine.numbers import short
from engine.rules import CORRECT, Rules
from engine.study.beginning import is_small, passes_gradients
from engine.study.question import Kind, Question, answer, step_questions
from engine.study.slips import SLIPS, Slip, carried
from engine.trace import Trace, evaluate_values, run

DRAWS: Final = 200
"""Draws in which the leaves of a small graph of plain arithmetic find such values."""
FEW_DRAWS: Final = 40
"""Draws for a few questions, which are found much sooner than those of a whole pass."""
_LARGE: Final = "The numbers stay: friendly ones are drawn for small graphs."
SMALL: Final = tuple(float(x) for x in (*range(-9, 0), *range(2, 10)))
_HALVES: Final = (-2.5, -1.5, -0.5, 0.5, 1.5, 2.5)

Pair = tuple[Question, str]
"""A question and the name of a slip that gives a number there."""


class Friendly(Struct, frozen=True):
    """The graph with other leaves, or as it was; `sentence` says why it is as it was."""

    graph: Graph
    changed: bool
    sentence: str


class Draw(Struct, frozen=True):
    """A pass with drawn leaves: which slips look like the answer and which do not.

    `length` counts the characters of all answers.
    """

    trace: Trace
    questions: Sequence[Question]
    alike: frozenset[Pair]
    apart: frozenset[Pair]
    length: int


Asked = Callable[[Trace], Sequence[Question]]
"""Returns what is asked in a pass."""


def friendly_search(
    graph: Graph,
    seed: int,
    kinds: tuple[Kind, ...],
    rules: Rules = CORRECT,
    leaves: Collection[int] | None = None,
) -> Generator[None, None, Friendly]:
    """Draw leaf values so that each answer differs as displayed from its own slips.

    It takes a few ms for each draw. Slips that give the answer in every draw are excepted: no
    numbers tell them apart. With `leaves` these alone are drawn, no two of them equal, and not all
    as they are.
    """

    def asked(trace: Trace) -> list[Question]:
        steps = range(1, len(trace.events) + 1)
        return [question for step in steps for question in step_questions(trace, step, kinds)]

    return _search(graph, seed, asked, rules, leaves, DRAWS)


def friendly_for(
    graph: Graph, seed: int, questions: Sequence[Question], rules: Rules = CORRECT
) -> Friendly:
    """Draw leaf values so that the answers to these questions differ from their own slips.

    No two leaves are equal, and they are not all as they are.
    """
    return run_to_end(
        _search(graph, seed, lambda _trace: questions, rules, graph.leaves, FEW_DRAWS)
    )


def run_to_end(search: Generator[None, None, Friendly]) -> Friendly:
    """Run a search to its end."""
    while True:
        try:
            next(search)
        except StopIteration as end:
            found: Friendly = end.value
            return found


def _search(
    graph: Graph, seed: int, asked: Asked, rules: Rules, leaves: Collection[int] | None, most: int
) -> Generator[None, None, Friendly]:
    chosen = graph.leaves if leaves is None else sorted(leaves)
    if not chosen or not is_small(len(graph.nodes)):
        return Friendly(graph, False, _LARGE)
    pools = (SMALL if k < DRAWS // 2 else SMALL + _HALVES for k in range(DRAWS))
    graphs = drawn_graphs(graph, random.Random(seed), chosen, pools)
    if leaves is not None:
        graphs = (other for other in graphs if other != graph and _all_differ(other, chosen))
    drawn: list[Draw] = []
    for draw in draws(islice(graphs, most), asked, rules):
        drawn.append(draw)
        yield
    return _best(graph, drawn, keeps_slopes=leaves is not None)


def drawn_graphs(
    graph: Graph, draw: random.Random, leaves: Collection[int], pools: Iterable[Sequence[float]]
) -> Iterator[Graph]:
    """Yield the graph with values of the leaves drawn from each of the pools."""
    for pool in pools:
        yield graph.with_values({leaf: draw.choice(pool) for leaf in leaves})


def draws(graphs: Iterable[Graph], asked: Asked, rules: Rules) -> Iterator[Draw]:
    """Compare what each slip gives with the right answer, where all numbers are finite."""
    for graph in graphs:
        try:
            trace = run(graph, rules=rules)
        except EngineError:
            return
        if not all(map(math.isfinite, trace.values.values())):
            continue
        questions = asked(trace)
        if all(math.isfinite(answer(question, trace)) for question in questions):
            yield _compared(trace, questions)


def _compared(trace: Trace, questions: Sequence[Question]) -> Draw:
    pairs: dict[bool, set[Pair]] = {True: set(), False: set()}
    length = 0
    for question in questions:
        right = short(answer(question, trace))
        length += len(right)
        for slip in SLIPS:
            for _wrong, result in carried(slip, question, trace):
                pairs[short(result) == right].add((question, slip.name))
    return Draw(trace, questions, frozenset(pairs[True]), frozenset(pairs[False]), length)


def _all_differ(graph: Graph, leaves: Collection[int]) -> bool:
    values = evaluate_values(graph)
    return len({values[leaf] for leaf in leaves}) == len(leaves)


def _best(graph: Graph, drawn: Sequence[Draw], *, keeps_slopes: bool) -> Friendly:
    """Return the best of some draws, or the graph as it is.

    One that `keeps_slopes` has no flat slope if the graph has none.
    """
    if not drawn:
        return Friendly(graph, False, "The numbers stay: no draw gives finite ones.")
    told_apart = frozenset[Pair]().union(*(draw.apart for draw in drawn))
    fitting = [draw for draw in drawn if not draw.alike & told_apart]
    if keeps_slopes and passes_gradients(graph):
        fitting = [draw for draw in fitting if passes_gradients(draw.trace.graph)]
    if not fitting:
        return Friendly(
            graph, False, "The numbers stay: in no draw does each answer differ from its slips."
        )
    return Friendly(min(fitting, key=_cost).trace.graph, True, "")


def _cost(draw: Draw) -> tuple[bool, int, int]:
    """Prefer numbers at which no slope is flat, then short answers, then short numbers."""
    texts = (short(value) for value in draw.trace.values.values())
    return not passes_gradients(draw.trace.graph), draw.length, sum(map(len, texts))


# Drills

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
    graph, about = _drill_graph(question, trace)
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


def _drill_graph(question: Question, trace: Trace) -> tuple[Graph, Question]:
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
