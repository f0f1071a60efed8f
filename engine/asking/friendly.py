"""Friendly numbers: leaf values with which a right answer differs from every slip, and drills.

A slip is a known mistake of a learner, such as a forgotten factor. With a = b = 1 it often gives
the right number by chance, and stays unseen.

>>> from engine import from_expression
>>> graph = from_expression("y = a*b + a", {"a": 1, "b": 1})
>>> found = run_to_end(friendly_search(graph, seed=1, kinds=("local", "contribution", "sum")))
>>> found.changed, [found.graph.nodes[leaf].value for leaf in (1, 2)]
(True, [8.0, 5.0])

A drill repeats a question that was answered wrong with such numbers: a question about a wire in a
small graph of the same operation, along the same slot; a final gradient in the same graph.

>>> from engine.asking.beliefs import BY_NAME
>>> trace = run(from_expression("y = a*b", {"a": 2, "b": 3}))
>>> found = drills(Question("local", 3, 0, 2), trace, BY_NAME["own value"], seed=1)
>>> len(found), len({answer(drill.question, drill.trace) for drill in found})
(3, 3)
"""

import math
import random
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, repeat
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from engine.asking.beliefs import (
    Belief,
    beliefs_behind,
    without_upstream,
    wrong_and_computed_answer,
)
from engine.asking.first_numbers import is_small, passes_gradients
from engine.asking.inference import are_one, ideas_of
from engine.asking.kinds import KINDS, answer
from engine.asking.question import Kind, Question, facts, step_questions
from engine.errors import EngineError
from engine.graph import Constant, Graph, Leaf, Node, OpNode, Root, Wire
from engine.numbers import short
from engine.rules import CORRECT, Rules
from engine.trace import Trace, evaluate_values, run

DRAWS: Final = 200
"""Random draws of a search; for a small graph of plain arithmetic so many find such values."""
FEW_DRAWS: Final = 40
"""Draws for a few questions, for which friendly numbers are more frequent than for a pass."""
_TOO_LARGE: Final = "The numbers stay: friendly ones are drawn for small graphs."
ONE_DIGIT: Final = tuple(float(x) for x in (*range(-9, 0), *range(2, 10)))
"""One-digit numbers without 0 and 1, with which products and factors look alike."""
_HALVES: Final = (-2.5, -1.5, -0.5, 0.5, 1.5, 2.5)

Pair = tuple[Question, str]
"""A question, and the name of a slip that computes a number for it."""


class Friendly(Struct, frozen=True):
    """The graph with other leaves, or as it was; `sentence` says why it is as it was."""

    graph: Graph
    changed: bool
    sentence: str


class Draw(Struct, frozen=True):
    """A pass with drawn leaves, and its questions, each with slips that compute a number for it.

    `confusable` are the pairs whose number is displayed like the right answer, `distinct` those
    whose number is displayed differently; a slip with several numbers may be in both. `shared` are
    those whose number is right or of a belief of another idea, too, and so tells nothing.
    `length` counts the characters of all answers.
    """

    trace: Trace
    questions: Sequence[Question]
    confusable: frozenset[Pair]
    distinct: frozenset[Pair]
    shared: frozenset[Pair]
    length: int


QuestionsOf = Callable[[Trace], Sequence[Question]]
"""Returns the questions about a pass."""


def friendly_search(
    graph: Graph,
    seed: int,
    kinds: tuple[Kind, ...],
    rules: Rules = CORRECT,
    leaves: Collection[int] | None = None,
) -> Generator[None, None, Friendly]:
    """Draw leaf values so that each answer differs as displayed from its own slips.

    The generator yields after each draw, which takes a few ms, so that a caller can pause it. Slips
    that give the answer in every draw are excepted: no numbers tell them apart. With `leaves` only
    these are drawn, no two of them equal and not all as they are, and no slope becomes flat.
    """

    def questions_of(trace: Trace) -> list[Question]:
        steps = range(1, len(trace.events) + 1)
        return [question for step in steps for question in step_questions(trace, step, kinds)]

    return _search(graph, seed, questions_of, rules, leaves, DRAWS)


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
    """Return the result of a search, run without pauses."""
    while True:
        try:
            next(search)
        except StopIteration as end:
            found: Friendly = end.value
            return found


def _search(
    graph: Graph,
    seed: int,
    questions_of: QuestionsOf,
    rules: Rules,
    leaves: Collection[int] | None,
    most: int,
) -> Generator[None, None, Friendly]:
    chosen = graph.leaves if leaves is None else sorted(leaves)
    if not chosen or not is_small(len(graph.nodes)):
        return Friendly(graph, False, _TOO_LARGE)
    # whole numbers first; a search of FEW_DRAWS ends before the halves
    pools = (ONE_DIGIT if k < DRAWS // 2 else ONE_DIGIT + _HALVES for k in range(DRAWS))
    graphs = drawn_graphs(graph, random.Random(seed), chosen, pools)
    if leaves is not None:
        graphs = (other for other in graphs if other != graph and _all_differ(other, chosen))
    drawn: list[Draw] = []
    for draw in draws(islice(graphs, most), questions_of, rules):
        drawn.append(draw)
        yield
    # numbers of chosen leaves begin a formula or repeat a question: gradients of 0 would spoil it
    # and those that begin a formula are short ones before they tell slips apart
    tells = leaves is None or most == FEW_DRAWS
    return _best(graph, drawn, keeps_slopes=leaves is not None, tells=tells)


def drawn_graphs(
    graph: Graph, rng: random.Random, leaves: Collection[int], pools: Iterable[Sequence[float]]
) -> Iterator[Graph]:
    """Yield the graph once per pool, with values of the leaves drawn from it."""
    for pool in pools:
        yield graph.with_values({leaf: rng.choice(pool) for leaf in leaves})


def draws(graphs: Iterable[Graph], questions_of: QuestionsOf, rules: Rules) -> Iterator[Draw]:
    """Yield each graph whose numbers are finite, its answers compared with those of the slips.

    Ends at the first graph whose pass can't run, as the others have the same wiring.
    """
    for graph in graphs:
        try:
            trace = run(graph, rules=rules)
        except EngineError:
            return
        if not all(map(math.isfinite, trace.values.values())):
            continue
        questions = questions_of(trace)
        if all(math.isfinite(answer(question, trace)) for question in questions):
            yield _compared(trace, questions)


def _compared(trace: Trace, questions: Sequence[Question]) -> Draw:
    # by whether the number of the slip is displayed like the right answer
    pairs: dict[bool, set[Pair]] = {True: set(), False: set()}
    shared, length = set[Pair](), 0
    for question in questions:
        right = short(answer(question, trace))
        length += len(right)
        givers: dict[str, set[str]] = {right: {right}}
        for slip in beliefs_behind(question.kind):
            for _wrong, result in wrong_and_computed_answer(slip, question, trace):
                text = short(result)
                pairs[text == right].add((question, slip.name))
                givers.setdefault(text, set()).add(slip.name)
            if question.kind == "contribution":  # a slope may be given for it
                for _wrong, result in without_upstream(slip, question, trace):
                    givers.setdefault(short(result), set()).add(slip.name)
        shared |= _shared(question, trace, givers.values())
    confusable, distinct = frozenset(pairs[True]), frozenset(pairs[False])
    return Draw(trace, questions, confusable, distinct, frozenset(shared), length)


def _shared(question: Question, trace: Trace, givers: Iterable[Collection[str]]) -> set[Pair]:
    """Return the pairs of beliefs that give one number, though they are of several ideas."""
    if not KINDS[question.kind].asks_something(question, trace):
        return {(question, "")}
    return {
        (question, name)
        for names in givers
        if not are_one({idea for name in names for idea in ideas_of((name,)) or (name,)})
        for name in names
    }


def _all_differ(graph: Graph, leaves: Collection[int]) -> bool:
    values = evaluate_values(graph)
    return len({values[leaf] for leaf in leaves}) == len(leaves)


def _best(graph: Graph, drawn: Sequence[Draw], *, keeps_slopes: bool, tells: bool) -> Friendly:
    """Return the best of some draws, or the graph as it is.

    With `keeps_slopes` a draw with a flat slope, such as relu below 0, is refused unless the graph
    already has one. With `tells` slips that are told apart come before short numbers.
    """
    if not drawn:
        return Friendly(graph, False, "The numbers stay: no draw gives finite ones.")
    # a slip that equals the answer in every draw can't be avoided, and excludes none
    avoidable = frozenset[Pair]().union(*(draw.distinct for draw in drawn))
    fitting = [draw for draw in drawn if not draw.confusable & avoidable]
    if keeps_slopes and passes_gradients(graph):
        fitting = [draw for draw in fitting if passes_gradients(draw.trace.graph)]
    if not fitting:
        why = "The numbers stay: in no draw does each answer differ from its slips."
        return Friendly(graph, False, why)
    return Friendly(min(fitting, key=lambda draw: _cost(draw, tells)).trace.graph, True, "")


def _cost(draw: Draw, tells: bool) -> tuple[bool, int, int, int]:
    """Prefer numbers at which no slope is flat, then slips told apart, then short numbers."""
    length = sum(len(short(value)) for value in draw.trace.values.values())
    shared = len(draw.shared) if tells else 0
    return not passes_gradients(draw.trace.graph), shared, draw.length, length


# Sets

SETS: Final = 12
"""Sets of a page, so that neighbours, who begin at different ones, rarely have the same."""
_SET_DRAWS: Final = 48
_TRIED: Final = 2_000
"""Numbers among which so many draws are looked for."""
_MOST_DIFFERENT: Final = 6
"""Leaves of which no two are equal; of more, at least so many values differ."""
_QUARTERS: Final = (-1.5, -0.25, 0.25, 0.75, 1.25, 2.5)
"""More values for operations such as exp, so that a single leaf has enough."""


def friendly_sets(
    graph: Graph, questions: Sequence[Question], rules: Rules = CORRECT, count: int = SETS
) -> tuple[Mapping[int, float], ...]:
    """Return up to `count` sets of leaf values at which the questions can be asked again.

    In none a slip gives the right answer, those excepted that do in every draw, and no slope is
    flat. They differ from one another and from the values of the graph, by which they are drawn;
    those that tell most slips come first, and answers differ from those of the sets before.
    """
    if not questions or not graph.leaves or not is_small(len(graph.nodes)):
        return ()
    ops = {found.op for found in graph.nodes.values() if isinstance(found, OpNode)}
    pool = ONE_DIGIT if ops <= {*_ARITHMETIC, "pow"} else _EXP_SAFE + _QUARTERS
    rng = random.Random(repr(sorted(graph.leaf_values.items())))
    tried = drawn_graphs(graph, rng, graph.leaves, repeat(pool, _TRIED))
    fitting = islice(_other_graphs(graph, tried), _SET_DRAWS)
    drawn = [*draws(fitting, lambda _trace: questions, rules)]
    avoidable = frozenset[Pair]().union(*(draw.distinct for draw in drawn))
    left = [draw for draw in drawn if not draw.confusable & avoidable]
    answers = [[short(answer(q, draw.trace)) for q in questions] for draw in left]
    order, costs = list[int](), [(-len(draw.distinct - draw.shared), draw.length) for draw in left]

    def cost(k: int) -> tuple[int, int, int]:
        tells, length = costs[k]
        before = [
            text
            for other in order[1 - DRILL_COUNT :]
            for text in zip(answers[other], answers[k], strict=True)
        ]
        return tells, sum(one == other for one, other in before), length

    while len(order) < min(count, len(left)):
        order.append(min((k for k in range(len(left)) if k not in order), key=cost))
    return tuple(left[k].trace.graph.leaf_values for k in order)


def _other_graphs(graph: Graph, graphs: Iterable[Graph]) -> Iterator[Graph]:
    """Yield the graphs with other leaves than the graph and without a flat slope, each once."""
    seen = {tuple(graph.leaf_values.values())}
    for other in graphs:
        values = tuple(other.leaf_values.values())
        differ = len({*values}) >= min(len(values), _MOST_DIFFERENT)
        if differ and values not in seen and passes_gradients(other):
            yield other
        seen.add(values)


# Drills

DRILL_COUNT: Final = 3
"""Drills after a wrong answer: enough to repeat the rule, few enough to return to the lesson."""
_DRILL_DRAWS, _FINAL_DRILL_DRAWS = 60, 15
"""Draws for each drill; fewer for a final gradient, as its slips are passes of all mistakes."""
_EXP_SAFE: Final = (-3.0, -2.0, -1.0, -0.5, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0)
"""Values for operations such as exp: with larger ones answers are too long to type."""
_ARITHMETIC: Final = ("add", "sub", "mul", "div", "neg", "maximum", "minimum", "abs", "relu")
_LARGEST: Final = 1000.0
"""Above this an answer of a drill is tedious to type."""
_LETTERS: Final = "abc"
"""Labels of the inputs in a drill; no operation has more than three slots."""


class Drill(Struct, frozen=True):
    """One question about a pass of its own."""

    question: Question
    trace: Trace


def drills(
    question: Question, trace: Trace, slip: Belief, seed: int, count: int = DRILL_COUNT
) -> tuple[Drill, ...]:
    """Return up to `count` drills with different numbers, in each of which the slip can be seen.

    Of three about a sign two answers are negative, and the third, where it can, has a minus that
    does not stay: neither who drops each minus nor who keeps one is right in all.
    """
    graph, about = _drill_graph(question, trace)
    # a drill states numbers of its pass, from which the answer follows under a mistake too; with a
    # slope it states none, so the correct slope is asked
    rules = trace.rules if question.kind != "local" else CORRECT
    ops = {found.op for found in graph.nodes.values() if isinstance(found, OpNode)}
    pool = ONE_DIGIT if ops <= {*_ARITHMETIC} else _EXP_SAFE
    pools = [pool] * (_FINAL_DRILL_DRAWS if question.kind == "final" else _DRILL_DRAWS)
    rng = random.Random(seed)
    chosen = dict[tuple[float, ...], Draw]()  # by all values of the pass
    for place in range(count):
        is_negative = (place + seed) % DRILL_COUNT != 1
        answers = {_answer_text(drill) for drill in chosen.values()}
        graphs = drawn_graphs(graph, rng, graph.leaves, pools)
        found = draws(graphs, partial(_at_step, about), rules)
        fitting = [x for x in found if _numbers(x) not in chosen and _reveals(x, slip)]
        if fitting:
            best = min(
                fitting,
                key=lambda drawn: (
                    _hides_sign(drawn, slip, is_negative=is_negative),
                    _drill_cost(drawn, slip, answers),
                ),
            )
            chosen[_numbers(best)] = best
    return tuple(Drill(drawn.questions[0], drawn.trace) for drawn in chosen.values())


def _drill_cost(drawn: Draw, slip: Belief, answers: Collection[str]) -> tuple[bool, bool, int, int]:
    """Prefer another answer, a number that tells the slip, few that look right, short answers."""
    is_told = not any(name == slip.name for _question, name in drawn.shared)
    return _answer_text(drawn) in answers, not is_told, len(drawn.confusable), drawn.length


def _hides_sign(drawn: Draw, slip: Belief, *, is_negative: bool) -> int:
    """Return how far a drill about a sign is from a negative answer, or from a minus that goes."""
    question, trace = drawn.questions[0], drawn.trace
    if "sign" not in ideas_of((slip.name,)):
        return 0
    if is_negative or answer(question, trace) < 0 or question.wire is None:
        return int(is_negative != (answer(question, trace) < 0)) * 2
    at = facts(question, trace)
    of_kind = {"local": at.inputs, "sum": (at.before, at.contribution)}
    return int(min(of_kind.get(question.kind, (at.upstream, at.local))) >= 0)


def _numbers(drawn: Draw) -> tuple[float, ...]:
    return tuple(drawn.trace.values.values())


def _answer_text(drawn: Draw) -> str:
    return short(answer(drawn.questions[0], drawn.trace))


def _reveals(drawn: Draw, slip: Belief) -> bool:
    """Return whether the slip gives a number, never the right one, and the answer is typable."""
    return (
        any(name == slip.name for _question, name in drawn.distinct)
        and not any(name == slip.name for _question, name in drawn.confusable)
        and abs(answer(drawn.questions[0], drawn.trace)) < _LARGEST
    )


def _at_step(about: Question, trace: Trace) -> list[Question]:
    """Return the question at the step at which its wire fires, or none.

    A sum is asked only at a later arrival, as the first one's is the contribution itself; under a
    mistake that replaces gradients each one's is, so the first will do.
    """
    if about.wire is None:
        return [about]
    for step, event in enumerate(trace.events, 1):
        if event.wire == about.wire:
            is_first = trace.rules.accumulate and trace.schedule.arrivals[event.node][0] == step - 1
            if about.kind != "sum" or not is_first:
                return [Question(about.kind, about.node, about.slot, step)]
    return []


def _drill_graph(question: Question, trace: Trace) -> tuple[Graph, Question]:
    """Return a small graph in which the question can be asked again, and the question there.

    For the operation f of the question, with leaves a, b … as inputs:

    slope         y = f(a, b)
    contribution  y = f(a, b) * w, so that the upstream gradient w is not 1
    sum           y = f(a, b) * w + a * u, so that `a` receives twice

    A final gradient is asked again in the same graph.
    """
    if question.wire is None:
        return trace.graph, question
    nodes, copied = _copied(trace.graph, question.node)
    op = _append(nodes, replace(copied, label="y" if question.kind == "local" else "v"))
    about = Question(question.kind, op, question.slot)
    if question.kind == "local":
        return _rooted(nodes, op), about
    weighted = (op, _append(nodes, Leaf(1.0, "w")))
    if question.kind != "sum":
        return _rooted(nodes, _append(nodes, OpNode("mul", weighted, "y"))), about
    product, receiver = _append(nodes, OpNode("mul", weighted)), copied.inputs[question.slot]
    other = _append(nodes, OpNode("mul", (receiver, _append(nodes, Leaf(1.0, "u")))))
    out = _append(nodes, OpNode("add", (product, other), "y"))
    # the sum is asked at the later arrival: with the summands swapped the other is first
    if _arrives_first(_rooted(nodes, out), (op, question.slot)):
        nodes[out] = OpNode("add", (other, product), "y")
    return _rooted(nodes, out), about


def _rooted(nodes: Mapping[int, Node], out: int) -> Graph:
    """Return a graph whose last node is the root."""
    return Graph({**nodes, out + 1: Root(out)}, out + 1, out + 2)


def _arrives_first(graph: Graph, wire: Wire) -> bool:
    """Return whether the contribution along a wire is the first that its receiver gets."""
    trace = run(graph)
    step = next(k for k, event in enumerate(trace.events) if event.wire == wire)
    return trace.schedule.arrivals[trace.events[step].node][0] == step


def _copied(graph: Graph, node: int) -> tuple[dict[int, Node], OpNode]:
    """Return the inputs of an op node, constants where they were, else leaves, and a copy of it."""
    found = graph.nodes[node]
    assert isinstance(found, OpNode)
    nodes, copies = dict[int, Node](), dict[int | None, int | None]()
    for source in dict.fromkeys(found.inputs):
        old = None if source is None else graph.nodes[source]
        new = Constant(old.value) if isinstance(old, Constant) else Leaf(1.0, _LETTERS[len(nodes)])
        copies[source] = None if source is None else _append(nodes, new)
    return nodes, OpNode(found.op, tuple(copies[source] for source in found.inputs))


def _append(nodes: dict[int, Node], node: Node) -> int:
    number = len(nodes) + 1
    nodes[number] = node
    return number
