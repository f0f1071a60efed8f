"""Friendly numbers: the leaves are drawn so that answers differ from what slips give."""

import math
import random

import pytest

from engine import from_expression
from engine.asking.beliefs import BELIEFS, wrong_and_computed_answer
from engine.asking.friendly import SETS, friendly_search, friendly_sets, run_to_end
from engine.asking.kinds import answer
from engine.asking.question import LEVELS, Kind, Question, step_questions
from engine.graph import Leaf
from engine.numbers import short
from engine.trace import run
from tests.helpers.graphs import EXAMPLES
from tests.helpers.sampling import sampled, sized, spread
from tests.helpers.tables import in_turn

KINDS: tuple[Kind, ...] = ("local", "contribution", "sum")


def leaves(graph):
    return [found.value for found in graph.nodes.values() if isinstance(found, Leaf)]


def pairs(trace, *, apart: bool, kinds: tuple[Kind, ...] = KINDS) -> set[tuple[object, str]]:
    """The slips that look like the answer, or that look different, each with its question."""
    return {
        (question, slip.name)
        for step in range(1, len(trace.events) + 1)
        for question in step_questions(trace, step, kinds)
        for slip in BELIEFS
        for _wrong, number in wrong_and_computed_answer(slip, question, trace)
        if (short(number) != short(answer(question, trace))) == apart
    }


def arithmetic(seed: int) -> str:
    """A formula of + − × ÷ and whole powers with at most 12 nodes."""
    draw, lines = random.Random(seed), ["v = a + b"]
    names = ["a", "b", "c", "v"]
    for k in range(draw.randint(1, 6)):
        op = draw.choice(("{} + {}", "{} - {}", "{} * {}", "{} / {}", "{}**2 + {}"))
        lines.append(f"t{k} = {op.format(draw.choice(names), draw.choice(names))}")
        names.append(f"t{k}")
    return "; ".join(lines)


@pytest.mark.parametrize("seed", sampled(range(25), 6, first=5))
def test_plain_arithmetic_gets_numbers_that_tell_slips_apart(seed: int):
    graph = from_expression(arithmetic(seed))
    if len(graph.nodes) > 12:
        return
    found = run_to_end(friendly_search(graph, seed, KINDS))
    assert found.changed, found.sentence
    assert all(abs(value) < 100 and value * 2 == int(value * 2) for value in leaves(found.graph))
    alike = pairs(run(found.graph), apart=False)
    for other in range(sized(1, 5)):  # no other draw tells apart what this one does not
        drawn = run_to_end(friendly_search(graph, seed + 100 + other, KINDS)).graph
        assert not alike & pairs(run(drawn), apart=True)


@in_turn("example", sampled(EXAMPLES, 2))
def test_where_the_numbers_stay_a_sentence_says_so(example):
    found = run_to_end(friendly_search(example.graph, 1, KINDS))
    assert found.changed != bool(found.sentence)
    if not found.changed:
        assert found.graph == example.graph


def test_the_same_seed_draws_the_same_numbers_and_another_seed_others():
    graph = from_expression("L = (a*b + c)*f")
    first, again, other = (
        run_to_end(friendly_search(graph, seed, KINDS)).graph for seed in (1, 1, 2)
    )
    assert leaves(first) == leaves(again) != leaves(other)


LEVELS_ASKED = ("contribution and sum", "whole step")


def asked(graph, level: str) -> list[Question]:
    trace = run(graph)
    steps = range(1, len(trace) + 1)
    return [q for step in steps for q in step_questions(trace, step, LEVELS[level].kinds)]


@in_turn(("example", "level"), spread(EXAMPLES, LEVELS_ASKED))
def test_twelve_sets_differ_and_each_shows_every_slip_that_any_shows(example, level):
    graph = example.graph
    questions = asked(graph, level)
    sets = friendly_sets(graph, questions)
    assert sets == friendly_sets(graph, questions)
    assert len({tuple(each.values()) for each in (*sets, graph.leaf_values)}) == SETS + 1
    alike, apart = list[set[tuple[object, str]]](), set[tuple[object, str]]()
    for values in sets:
        assert values.keys() == graph.leaf_values.keys()
        assert all(0 < abs(x) < 10 and x * 4 == int(x * 4) for x in values.values())
        trace = run(graph.with_values(values))
        slopes = (event.local for event in trace.events if event.wire is not None)
        assert all(0.01 <= abs(slope) < math.inf for slope in slopes)
        alike.append(pairs(trace, apart=False, kinds=LEVELS[level].kinds))
        apart |= pairs(trace, apart=True, kinds=LEVELS[level].kinds)
    assert not any(each & apart for each in alike)


def test_numbers_of_three_sets_in_a_row_have_answers_of_their_own():
    graph = from_expression("e = a*b; d = e + a; L = d*f", {"a": 3, "b": -2, "f": 5})
    sent, total = Question("contribution", 3, 0, 6), Question("sum", 3, 0, 6)
    sets = friendly_sets(graph, asked(graph, "contribution and sum"))
    for question in (sent, total):
        texts = [short(answer(question, run(graph.with_values(each)))) for each in sets]
        assert all(len({*texts[k : k + 3]}) == 3 for k in range(SETS - 2)), texts


def test_no_set_is_drawn_for_a_graph_without_questions_leaves_or_of_many_nodes():
    graph = from_expression("y = a*b", {"a": 2, "b": 3})
    large = from_expression("y = " + " + ".join(f"a{k}*a{k}" for k in range(40)))
    assert friendly_sets(graph, ()) == ()
    assert friendly_sets(large, asked(large, "contribution")) == ()
    assert friendly_sets(from_expression("y = 2*3"), [Question("local", 3, 0, 2)]) == ()
