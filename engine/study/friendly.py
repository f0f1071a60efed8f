"""Friendly numbers: values of the leaves with which a right answer can be told from a slip.

>>> from engine import from_expression
>>> graph = from_expression("y = a*b + a", {"a": 1, "b": 1})
>>> found = friendly(graph, seed=1, kinds=("local", "contribution", "sum"))
>>> found.changed, [found.graph.nodes[leaf].value for leaf in (1, 2)]
(True, [4.0, 2.0])
"""

import math
import random
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from itertools import islice
from typing import Final

from msgspec import Struct

from engine.errors import EngineError
from engine.graph import Graph
from engine.numbers import short
from engine.rules import CORRECT, Rules
from engine.study.beginning import is_small, passes_gradients
from engine.study.question import Kind, Question, answer, asked_at
from engine.study.slips import SLIPS, carried
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
    """A graph with drawn leaves: which slips look like the answer and which do not.

    `length` counts the characters of all answers.
    """

    graph: Graph
    alike: frozenset[Pair]
    apart: frozenset[Pair]
    length: int


def friendly(graph: Graph, seed: int, kinds: tuple[Kind, ...], rules: Rules = CORRECT) -> Friendly:
    """Draw leaf values so that each answer differs as displayed from its own slips.

    Slips that give the answer in every draw are excepted: no numbers tell them apart.
    """
    search = searched(graph, seed, kinds, rules)
    while True:
        try:
            next(search)
        except StopIteration as end:
            found: Friendly = end.value
            return found


def searched(
    graph: Graph,
    seed: int,
    kinds: tuple[Kind, ...],
    rules: Rules = CORRECT,
    leaves: Collection[int] | None = None,
) -> Generator[None, None, Friendly]:
    """Do the same in small parts, each of a few ms, and return it at the end.

    With `leaves` these alone are drawn, no two of them equal, and not all as they are. No draw
    has a flat slope if the graph has none.
    """
    if not (graph.leaves if leaves is None else leaves) or not is_small(len(graph.nodes)):
        return Friendly(graph, False, _LARGE)
    drawn: list[Draw] = []
    graphs = _graphs(graph, random.Random(seed), leaves)
    for draw in _drawn(graphs, lambda trace: _asked(trace, kinds), rules):
        drawn.append(draw)
        yield
    return _best(graph, drawn, keeps_slopes=leaves is not None)


def friendly_for(
    graph: Graph, seed: int, questions: Sequence[Question], rules: Rules = CORRECT
) -> Friendly:
    """Draw leaf values so that the answers to these questions differ from their own slips.

    No two leaves are equal, and they are not all as they are.
    """
    if not graph.leaves or not is_small(len(graph.nodes)):
        return Friendly(graph, False, _LARGE)
    graphs = islice(_graphs(graph, random.Random(seed), graph.leaves), FEW_DRAWS)
    drawn = list(_drawn(graphs, lambda _trace: list(questions), rules))
    return _best(graph, drawn, keeps_slopes=True)


def _best(graph: Graph, drawn: Sequence[Draw], *, keeps_slopes: bool) -> Friendly:
    """Return the best of some draws, or the graph as it is.

    One that `keeps_slopes` has no flat slope if the graph has none.
    """
    if not drawn:
        return Friendly(graph, False, "The numbers stay: no draw gives finite ones.")
    told_apart = frozenset[Pair]().union(*(draw.apart for draw in drawn))
    fitting = [draw for draw in drawn if not draw.alike & told_apart]
    if keeps_slopes and passes_gradients(graph):
        fitting = [draw for draw in fitting if passes_gradients(draw.graph)]
    if not fitting:
        return Friendly(
            graph, False, "The numbers stay: in no draw does each answer differ from its slips."
        )
    return Friendly(min(fitting, key=_cost).graph, True, "")


def _cost(draw: Draw) -> tuple[bool, int, int]:
    """Prefer numbers at which no slope is flat, then short answers, then short numbers."""
    graph = draw.graph
    texts = (short(value) for value in evaluate_values(graph).values())
    return not passes_gradients(graph), draw.length, sum(map(len, texts))


def _graphs(graph: Graph, draw: random.Random, leaves: Collection[int] | None) -> Iterator[Graph]:
    for k in range(DRAWS):
        pool = SMALL if k < DRAWS // 2 else SMALL + _HALVES
        chosen = graph.leaves if leaves is None else sorted(leaves)
        values = {leaf: draw.choice(pool) for leaf in chosen}
        other = graph.with_values(values)
        if leaves is None or (len({*values.values()}) == len(values) and other != graph):
            yield other


def _asked(trace: Trace, kinds: tuple[Kind, ...]) -> list[Question]:
    steps = range(1, len(trace.events) + 1)
    return [question for step in steps for question in asked_at(trace, step, kinds)]


def _drawn(
    graphs: Iterator[Graph], asked: Callable[[Trace], list[Question]], rules: Rules
) -> Iterator[Draw]:
    for other in graphs:
        try:
            trace = run(other, rules=rules)
        except EngineError:
            return
        if not all(math.isfinite(value) for value in trace.values.values()):
            continue
        questions = asked(trace)
        answers = [answer(question, trace) for question in questions]
        if all(math.isfinite(number) for number in answers):
            yield compared(other, trace, questions)


def compared(graph: Graph, trace: Trace, questions: list[Question]) -> Draw:
    """Compare what each slip gives with the right answer, as displayed."""
    pairs: dict[bool, set[Pair]] = {True: set(), False: set()}
    length = 0
    for question in questions:
        right = short(answer(question, trace))
        length += len(right)
        for slip in SLIPS:
            for _wrong, result in carried(slip, question, trace):
                pairs[short(result) == right].add((question, slip.name))
    return Draw(graph, frozenset(pairs[True]), frozenset(pairs[False]), length)
