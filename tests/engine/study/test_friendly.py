"""Friendly numbers: the leaves are drawn so that answers differ from what slips give."""

import random

import pytest

from engine import from_expression
from engine.graph import Leaf
from engine.numbers import short
from engine.study.beliefs import BELIEFS, wrong_and_computed_answer
from engine.study.friendly import friendly_search, run_to_end
from engine.study.question import answer, step_questions
from engine.trace import run
from tests.helpers.graphs import EXAMPLES
from tests.helpers.sampling import sampled, sized
from tests.helpers.tables import in_turn

KINDS = ("local", "contribution", "sum")


def leaves(graph):
    return [found.value for found in graph.nodes.values() if isinstance(found, Leaf)]


def pairs(trace, *, apart: bool) -> set[tuple[object, str]]:
    """The slips that look like the answer, or that look different, each with its question."""
    return {
        (question, slip.name)
        for step in range(1, len(trace.events) + 1)
        for question in step_questions(trace, step, KINDS)
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
