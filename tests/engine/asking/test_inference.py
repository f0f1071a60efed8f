"""Which idea stands behind wrong answers, and at which blanks it can be seen."""

from collections import Counter
from itertools import product

import pytest

from engine import from_expression
from engine.asking.beliefs import BELIEFS
from engine.asking.beliefs import BY_NAME as BELIEF_BY_NAME
from engine.asking.friendly import drills, friendly_for
from engine.asking.hand_run import NEXT_BELIEFS
from engine.asking.inference import (
    BY_NAME,
    IDEAS,
    Answered,
    Denied,
    Sighting,
    confusable,
    denied,
    ideas_of,
    infer,
    numbers,
    shows,
    sightings,
    wiring,
)
from engine.asking.judging import judge
from engine.asking.kinds import answer
from engine.asking.question import Kind, Question, facts, step_questions
from engine.graph import Graph
from engine.numbers import ABOUT, short
from engine.rules import MISTAKES
from engine.trace import Trace, run
from tests.helpers.sampling import sized
from tests.helpers.tables import in_turn

SHARED = "e = a*b; d = e + a; L = d*f"


def shared_leaf(a: float = 2, b: float = -3, f: float = -2) -> Trace:
    return run(from_expression(SHARED, {"a": a, "b": b, "f": f}))


def questions(trace: Trace, *kinds: str) -> list[Question]:
    steps = range(1, len(trace) + 1)
    return [q for step in steps for q in step_questions(trace, step, kinds)]  # pyright: ignore[reportArgumentType]


def names_of_slips(question: Question, trace: Trace, text: str) -> tuple[str, ...]:
    (judged,) = judge(trace, [(question, text)])
    return tuple(slip.name for slip in judged.slips)


def test_data_typed_throughout_is_found_behind_numbers_that_each_fit_another_idea_too():
    trace = shared_leaf()
    sent = {(q.node, q.slot): q for q in questions(trace, "contribution")}
    # the data of each receiver: d −4 and f −2 at the product, e −6 and a 2 at the sum
    asked = [(6, 0, "-4"), (6, 1, "-2"), (4, 0, "-6"), (4, 1, "2")]
    history = [names_of_slips(sent[node, slot], trace, text) for node, slot, text in asked]
    assert [set(ideas_of(slips)) >= {"data"} for slips in history] == [True] * 4
    assert {"own"} <= set(ideas_of(history[0]))
    assert "sign" in ideas_of(history[3])
    assert infer(history) == "data"
    assert infer(history[:1]) == "own"  # by the order, where nothing else tells
    assert infer(history[3:]) == "sign"


def test_of_ideas_that_explain_as_much_the_one_held_from_earlier_days_is_inferred():
    both = ("upstream forgotten", "not added")
    assert infer([both]) == "slope only"
    assert infer([both], held=["keeps"]) == "keeps"
    assert infer([("upstream forgotten",), both], held=["keeps"]) == "slope only"
    assert infer([]) == "" == infer([()])


def test_every_slip_that_a_number_or_a_click_gives_away_is_of_an_idea_or_keeps_its_own_sentence():
    mends_itself = {"new value", "leaf's own change", "slope alone"}  # of a change
    mends_itself.add("gradient for contribution")
    mistakes = {rules.name for rules in MISTAKES}
    for slip in (*BELIEFS, *NEXT_BELIEFS):
        assert ideas_of((slip.name,)) or slip.name in mends_itself | mistakes, slip.name
    known = {slip.name for slip in (*BELIEFS, *NEXT_BELIEFS)} | mistakes
    assert all(name in known for idea in IDEAS for name in idea.beliefs)
    assert len(BY_NAME) == len(IDEAS)
    assert ideas_of((), "sign") == ("size",)


@in_turn(
    ("idea", "kind", "seen"),
    [
        ("slope only", "contribution", True),
        ("slope only", "local", False),
        ("replaces", "sum", True),
        ("order", "next", True),
        ("order", "sum", False),
        ("size", "sign", True),
        ("no idea of ours", "sum", False),
    ],
)
def test_an_idea_shows_at_the_kinds_of_questions_that_it_answers(idea: str, kind: str, seen: bool):
    trace = shared_leaf()
    asked = {"sign": [Question("sign", 1)]}.get(kind) or questions(trace, kind)
    assert shows(idea, asked[-1], trace) is seen


def test_an_idea_does_not_show_where_its_number_is_displayed_as_the_answer():
    trace = run(from_expression("y = a*b + c", {"a": 1.00001, "b": 1, "c": 2}))
    sent = questions(trace, "contribution")
    assert not shows("own", sent[-1], trace)
    assert shows("own", sent[-1], trace, digits="shortest")
    upstream_one = [q for q in sent if facts(q, trace).upstream == 1]
    assert upstream_one
    assert not any(shows("slope only", q, trace) for q in upstream_one)


def test_the_best_draws_of_the_shared_leaf_leave_four_confusable_numbers_of_seven():
    def count(a: float, b: float, f: float) -> int:
        trace = shared_leaf(a, b, f)
        asked = questions(trace, "contribution", "sum")
        return sum(len(confusable(question, trace)) for question in asked)

    values = (*range(-4, 0), *range(2, 5))
    counts = {drawn: count(*drawn) for drawn in product(values, repeat=3)}
    assert counts[2, -3, -2] == 7
    assert min(counts.values()) == 4 == counts[2, -4, 3]
    # what is left is one number whatever is drawn: at the root upstream and factor are 1
    trace = shared_leaf(2, -4, 3)
    left = [q for q in questions(trace, "contribution", "sum") if confusable(q, trace)]
    assert {facts(q, trace).upstream for q in left if q.node == trace.root} == {1.0}


def tells(idea: str, question: Question, trace: Trace) -> bool:
    """Whether a blank shows an idea by numbers that no other idea gives."""
    own = {short(number).removeprefix(ABOUT) for number in numbers(idea, question, trace)}
    return shows(idea, question, trace) and own.isdisjoint(confusable(question, trace))


def test_a_number_tells_an_idea_where_no_other_gives_it():
    trace = shared_leaf()
    d_to_a = next(q for q in questions(trace, "contribution") if q.node == 4 and q.slot == 1)
    assert shows("data", d_to_a, trace)
    assert shows("sign", d_to_a, trace)
    assert not tells("sign", d_to_a, trace)  # 2 is a's data, and the answer without its minus
    better = shared_leaf(2, -4, 3)
    assert tells("sign", d_to_a, better)


def told(right: bool, *slips: str, expression: str = SHARED) -> Answered:
    values = {"a": 2, "b": -3, "f": -2}
    names = {name: values[name] for name in "abf" if name in expression}
    trace = run(from_expression(expression, names))
    question = next(
        q for q in questions(trace, "contribution")[::-1] if facts(q, trace).upstream != 1
    )
    return Answered(question, trace, right, slips)


def test_a_run_tells_which_idea_was_held_and_where_the_right_answer_denies_it():
    seen = sightings([told(False, "upstream forgotten"), told(True), told(False, "minus lost")])
    here = wiring(told(True).trace.graph), "contribution mul", 7
    assert seen == [
        Sighting("slope only", "held", *here),
        Sighting("slope only", "right", *here),
        Sighting("sign", "held", *here),
        Sighting("slope only", "wrong", *here),
    ]
    assert sightings([told(True)]) == []  # nothing is held that it could deny
    assert sightings([told(True)], held=["own"]) == [Sighting("own", "right", *here)]


def test_another_graph_is_another_wiring_not_other_numbers():
    graph = from_expression(SHARED, {"a": 2, "b": -3, "f": -2})
    assert wiring(graph) == wiring(graph.with_values({1: 9.0}))
    assert wiring(graph) != wiring(from_expression("e = a*b; d = e - a; L = d*f"))


@pytest.mark.parametrize("seed", range(4))
def test_drawn_numbers_leave_as_few_confusable_as_any_draw(seed: int):
    graph: Graph = from_expression(SHARED, {"a": 1, "b": 1, "f": 1})
    asked = questions(run(graph), "contribution", "sum")
    found = friendly_for(graph, seed, asked)
    trace = run(found.graph)
    assert found.changed
    assert sum(len(confusable(question, trace)) for question in asked) <= 5
    assert found == friendly_for(graph, seed, asked)
    for question in asked:
        at = facts(question, trace)
        if at.upstream != 1:
            assert answer(question, trace) != at.local


AT_STAKE: tuple[tuple[str, Kind, str], ...] = (
    ("own", "local", "own value"),
    ("slope only", "contribution", "upstream forgotten"),
    ("sign", "contribution", "minus lost"),
    ("replaces", "sum", "replaced"),
    ("keeps", "sum", "not added"),
    ("mix", "sum", "multiplied"),
)
"""An idea, the kind of a question that is drilled, and the belief that its drills show."""


@in_turn(("idea", "kind", "belief"), AT_STAKE)
def test_no_drill_asks_where_the_belief_or_the_slope_alone_gives_the_answer_too(
    idea: str, kind: Kind, belief: str
):
    trace = shared_leaf(2, -4, 3)
    asked = questions(trace, kind)[-1]
    for seed in range(sized(2, 20)):
        for drill in drills(asked, trace, BELIEF_BY_NAME[belief], seed):
            assert shows(idea, drill.question, drill.trace)
            at = facts(drill.question, drill.trace)
            assert kind == "local" or at.contribution != at.local


def test_the_first_drill_tells_its_belief_from_all_others():
    trace = shared_leaf(2, -4, 3)
    asked = {kind: questions(trace, kind)[-1] for kind in ("local", "contribution", "sum")}
    told_by: Counter[str] = Counter()
    for idea, kind, belief in AT_STAKE:
        for seed in range(4):
            (drill,) = drills(asked[kind], trace, BELIEF_BY_NAME[belief], seed, count=1)
            told_by[idea] += tells(idea, drill.question, drill.trace)
    assert told_by == dict.fromkeys(told_by, 4)


@pytest.mark.parametrize(
    ("kind", "belief"), [("contribution", "minus lost"), ("local", "minus lost in the slope")]
)
def test_of_three_drills_about_a_sign_two_are_negative_and_a_minus_goes_in_the_third(
    kind: Kind, belief: str
):
    trace = shared_leaf(2, -3, -2)
    asked = questions(trace, kind)[-2]  # e to a
    for seed in range(sized(3, 30)):
        found = drills(asked, trace, BELIEF_BY_NAME[belief], seed)
        positive = [drill for drill in found if answer(drill.question, drill.trace) > 0]
        (at,) = (facts(drill.question, drill.trace) for drill in positive)
        assert len(found) == 3
        assert min(*at.inputs, at.upstream, at.local) < 0


@pytest.mark.parametrize("seed", range(3))
def test_a_sign_is_asked_at_a_leaf_whose_own_sign_is_another(seed: int):
    graph = from_expression(SHARED, {"a": 1, "b": 1, "f": 1})
    for leaf in graph.leaves:
        question = Question("sign", leaf)
        trace = run(friendly_for(graph, seed, [question]).graph)
        assert trace.values[leaf] * answer(question, trace) < 0


def answers(*texts: str) -> list[Answered]:
    """The contributions of a shared leaf after the root, answered so from d on."""
    trace = shared_leaf(2, -4, 3)
    asked = [q for q in questions(trace, "contribution") if q.node != trace.root]
    found: list[Answered] = []
    for question, text in zip(asked, texts, strict=False):
        (judged,) = judge(trace, [(question, text)])
        slips = tuple(slip.name for slip in judged.slips)
        found.append(Answered(question, trace, judged.right, slips, text))
    return found


def test_a_right_answer_denies_the_idea_that_gave_an_earlier_one():
    # 1 is the slope of +, and d's gradient 3; e's slope along a is −4
    assert denied(answers("1", "3")) == Denied("slope only", 1.0, 4, 1.0)
    assert denied(answers("1", "3", "-12")) == Denied("slope only", -4.0, 4, 1.0)
    assert denied(answers("1", "3", "-12", "6")) is None  # it was denied twice before
    assert denied(answers("3", "3")) is None
    assert denied(answers("1", "1")) is None
    of_earlier_day = denied(answers("3"), held=["slope only"])
    assert of_earlier_day is not None
    assert (of_earlier_day.number, of_earlier_day.step) == (1.0, 0)
    assert denied([]) is None


def test_of_several_ideas_the_one_that_showed_last_is_denied():
    found = denied(answers("1", "-3", "-12"), held=["own"])
    assert found is not None
    assert (found.idea, found.number, found.step) == ("sign", 12.0, 5)
