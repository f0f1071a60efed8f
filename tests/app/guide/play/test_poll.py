"""The room is offered the right answer and what its likeliest mistakes give."""

import math

import pytest
from msgspec.structs import replace

from app.guide.play.poll import (
    Poll,
    PollChoice,
    choice_of_number,
    poll_choices,
    poll_of,
    right_choice,
    with_new_numbers,
)
from app.guide.play.slides import Slide
from app.lessons.lesson import Choice
from engine import Graph, from_expression
from engine.asking.revealing import SAY_LIMIT
from engine.errors import EngineError
from engine.numbers import short, signed
from engine.problems import short_name_with_op
from engine.rules import BY_NAME
from engine.trace import run
from tests.helpers.graphs import EXAMPLES, demonstration, example, reference
from tests.helpers.steps import PlannedStep, slide_of
from tests.helpers.tables import in_turn
from tests.truth import oracle

SHARED = "e = a*b; d = e + a; L = d*f"
LEAVES = {"a": 2, "b": -3, "f": -2}


def shared() -> Graph:
    return from_expression(SHARED, LEAVES)


def slide(graph: Graph, asks: str, *, wire: str = "", node: str = "", **fields) -> Slide:
    """The slide of a question about a wire such as e.1, about a node, or in own words."""
    planned = PlannedStep("ask", phase="backward", asks=asks, **fields)  # pyright: ignore
    if wire:
        name, slot = wire.split(".")
        planned = replace(planned, node=graph.node_named(name), slot=int(slot) - 1)
    elif node:
        planned = replace(planned, node=graph.node_named(node))
    found = slide_of(planned, graph)
    assert not found.misfit, found.misfit
    return found


def second_arrival(asks: str = "contribution", **fields) -> Slide:
    return slide(shared(), asks, wire="e.1", step=6, **fields)


def labels(found: tuple[PollChoice, ...]) -> list[str]:
    return [choice.label for choice in found]


def right(found: tuple[PollChoice, ...]) -> str:
    """The label of the only right choice."""
    (one,) = [choice for choice in found if choice.right]
    return one.label


# numbers


def test_step_6_of_the_shared_leaf_is_asked_with_the_choices_of_the_screen():
    found = poll_choices(second_arrival())
    assert labels(found) == ["−4", "−3", "−2", "+6"]
    assert right(found) == "+6"
    assert [choice.slip for choice in found] == [
        "own value",
        "upstream forgotten",
        "local derivative forgotten",
        "",
    ]


@pytest.mark.parametrize("mistake", ["", "assign", "mul-own-input"])
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda found: found.name)
def test_the_right_card_of_a_step_is_what_the_pass_sends_and_the_only_one(example, mistake):
    graph = example.graph
    steps = oracle.steps(graph, graph.root or 0, mistake or "correct")
    for k, step in enumerate(steps, 1):
        if step.wire is None:
            continue
        numbers = {"local": short(step.local), "contribution": signed(step.contribution)}
        numbers["sum"] = short(step.after)
        for asks, written in numbers.items():
            planned = PlannedStep("ask", "backward", k, *step.wire, asks=asks, mistake=mistake)  # pyright: ignore
            found = poll_choices(slide_of(planned, graph))
            if found:
                assert 2 <= len(found) <= 4
                assert right(found) == written
                assert len({choice.label for choice in found}) == len(found)
                values = [choice.number for choice in found]
                assert values == sorted(values)  # pyright: ignore
                assert all(0 < len(choice.say) <= SAY_LIMIT for choice in found)


@in_turn("example", EXAMPLES)
def test_the_right_card_of_a_final_gradient_is_the_true_one(example):
    graph = example.graph
    ends = oracle.gradients(graph, graph.root or 0)
    for name in example.leaves:
        leaf = graph.node_named(name) or 0
        found = poll_choices(slide(graph, "final", node=name))
        if found:
            assert right(found) == short(ends[leaf])
        sign = (ends[leaf] > 0) - (ends[leaf] < 0)
        signs = poll_choices(slide(graph, "sign", node=name))
        assert right(signs) == {1: "rises", -1: "falls", 0: "stays"}[sign]


@in_turn(
    ("rules", "mistake"),
    [
        ("correct", ""),
        ("assign instead of accumulate", "assign"),
        ("recursive, no topological order", "recursive"),
        ("depth-first pre-order, visit once", "depth-first"),
        ("backward twice, no zero_grad", "no-zero-grad"),
        ("backward twice, only leaves zeroed", "zero-leaves-only"),
    ],
)
def test_under_a_mistake_the_right_card_is_what_that_mistake_gives(rules, mistake):
    grads = next(row["grads"] for row in reference("mistakes")["rows"] if row["rules"] == rules)
    for leaf in ("a", "b"):
        found = poll_choices(slide(demonstration(), "final", node=leaf, mistake=mistake))
        assert right(found) == short(grads[leaf])


def test_a_change_is_offered_with_the_new_value_and_the_change_of_the_leaf():
    graph = shared()
    found = poll_choices(slide(graph, "change", node="L", leaf=graph.node_named("a"), to=5.0))
    # L = (5 · −3 + 5) · −2 = 20, and it was 8
    assert right(found) == "+12"
    assert {"+3", "+20"} < set(labels(found))


# other kinds


@in_turn("example", EXAMPLES)
def test_one_of_the_nodes_may_fire_next_and_of_the_others_each_says_why_not(example):
    graph = example.graph
    root = graph.root or 0
    steps = oracle.steps(graph, root)
    firing = [None if step.wire is None else step.wire[0] for step in steps]
    for k in range(1, len(steps)):
        node = firing[k]
        if node is None or node == firing[k - 1]:
            continue
        planned = PlannedStep("ask", "backward", k + 1, node, asks="next")
        found = slide_of(planned, graph)
        assert not found.misfit
        offered = poll_choices(found)
        assert 2 <= len(offered) <= 4
        (one,) = [choice for choice in offered if choice.right]
        assert one.label == short_name_with_op(graph, node)
        assert all(choice.say and len(choice.say) <= SAY_LIMIT for choice in offered)
        for choice in offered:
            fired = choice.slip == "fired"
            named = [n for n in graph.names if short_name_with_op(graph, n) == choice.label]
            assert fired == (named[0] in firing[:k])


def test_in_the_second_of_two_passes_the_nodes_of_the_first_have_not_fired():
    graph, rules = shared(), BY_NAME["no-zero-grad"]
    for step in (11, 13):
        planned = PlannedStep("ask", "backward", step, None, asks="next", mistake=rules.name)
        fires = run(graph, rules=rules).events[step - 1].sender
        offered = poll_choices(slide_of(replace(planned, node=fires), graph))
        assert right(offered) == short_name_with_op(graph, fires)
        assert len(set(labels(offered))) == len(offered)


@pytest.mark.parametrize("name", ["random-order", "forward-order"])
def test_where_a_mistake_lets_a_node_fire_too_early_it_is_not_asked_which_fires_next(name: str):
    graph, rules = shared(), BY_NAME[name]
    trace, found = run(graph, rules=rules), list[str]()
    for step, event in enumerate(trace.events, 1):
        planned = PlannedStep("ask", "backward", step, event.sender, asks="next", mistake=name)
        asked = slide_of(planned, graph)
        if asked.misfit:
            found.append(asked.misfit)
        else:
            assert sum(choice.right for choice in poll_choices(asked)) == 1
    assert any(reason.endswith(" fires before it may under this mistake") for reason in found)


def test_the_number_of_paths_is_offered_with_those_counted_wrongly():
    found = poll_choices(slide(demonstration(), "paths", node="a"))
    # a → c, d; c → e, f; d → e, f; e, f → y: two wires, five nodes, four paths
    assert labels(found) == ["1", "2", "4", "5"]
    assert right(found) == "4"
    assert [choice.slip for choice in found] == ["one path", "wires counted", "", "nodes counted"]


@in_turn("example", EXAMPLES)
def test_the_right_number_of_paths_is_that_of_the_ways_counted_one_by_one(example):
    graph = example.graph
    inside = oracle.order(graph, graph.root or 0)

    def ways(node: int) -> int:
        targets = [t for t, _slot in graph.outgoing.get(node, ()) if t in inside]
        return 1 if node == graph.root else sum(map(ways, targets))

    for name in example.leaves:
        asked = slide(graph, "paths", node=name)
        one = right_choice(asked)
        assert one is not None
        assert one.label == str(ways(graph.node_named(name) or 0))
        assert one.right


def test_the_mistake_that_is_on_is_offered_among_those_that_look_different():
    graph = demonstration()
    found = poll_choices(slide(graph, "mistake", mistake="assign", step=6))
    assert right(found) == BY_NAME["assign"].title
    assert 2 <= len(found) <= 4
    mine = oracle.steps(graph, graph.root or 0, "assign")
    for choice in found:
        if not choice.right:
            other = oracle.steps(graph, graph.root or 0, choice.slip)
            first = next(
                k
                for k in range(1, len(mine) + 2)
                if k > min(len(mine), len(other)) or mine[k - 1] != other[k - 1]
            )
            assert choice.say == f"differs from this pass at step {first}."


def test_own_choices_stand_in_their_order_with_their_own_sentences():
    own = (Choice("b's", "is the other way round."), Choice("a's", "moves with a.", right=True))
    found = poll_choices(slide(shared(), "text", text="Whose gradient?", choices=own, step=2))
    assert [(c.label, c.say, c.right) for c in found] == [(c.text, c.say, c.right) for c in own]


def test_own_mistakes_replace_the_computed_ones_and_say_at_which_step_each_would_show():
    titles = {name: BY_NAME[name].title for name in ("assign", "forward-order", "no-seed")}
    own = (
        Choice(titles["assign"], right=True),
        Choice(titles["forward-order"]),
        Choice(titles["no-seed"], "nothing would arrive."),
    )
    asked = slide(shared(), "mistake", mistake="assign", step=6, choices=own)
    found = poll_choices(asked)
    # a holds −2 from step 5 on, and step 6 overwrites it; in forward order e fires before L
    assert [choice.say for choice in found] == [
        "goes wrong first at step 6.",
        "differs from this pass at step 2.",
        "nothing would arrive.",
    ]
    assert [choice.slip for choice in found] == ["", "forward-order", "no-seed"]


def test_a_value_has_no_slips_so_numbers_are_called_out():
    graph = shared()
    planned = PlannedStep("ask", "forward", 1, graph.node_named("e"), asks="value")
    asked = slide_of(planned, graph)
    assert poll_of(asked) == Poll((), (), slide=asked)
    one = right_choice(asked)
    assert one is not None
    assert one.label == "−6"


# numbers that are called out


@in_turn(
    ("number", "label", "right_one", "slip"),
    [
        (6, "+6", True, ""),
        (-4, "−4", False, "own value"),
        (-3, "−3", False, "upstream forgotten"),
        (17, "+17", False, ""),
        (math.inf, "+inf", False, ""),
        (math.nan, "nan", False, ""),
    ],
)
def test_a_number_called_out_is_judged_by_the_slips(number, label, right_one, slip):
    found = choice_of_number(second_arrival(), number)
    assert (found.label, found.right, found.slip) == (label, right_one, slip)
    assert (found.say == "no known slip") == (not right_one and not slip)


def test_a_rounded_number_counts_as_right_and_says_so():
    graph = from_expression("y = tanh(a)", {"a": 1.386})
    asked = slide(graph, "local", wire="y.1", step=2)
    full = right_choice(asked)
    assert full is not None
    exact = 1 - math.tanh(1.386) ** 2  # 0.2215
    found = choice_of_number(asked, 0.22)
    assert found.right
    assert found.say == f"right, rounded; it is {short(exact)}."
    assert not choice_of_number(asked, 0.2).right


@pytest.mark.parametrize("leaf", [math.inf, 0.0])
def test_where_the_answer_is_no_number_it_can_still_be_called_out(leaf):
    graph = from_expression("y = a*b; z = y*c", {"a": 1e308, "b": 1e308, "c": leaf})
    asked = slide(graph, "local", wire="z.2", step=3)
    assert choice_of_number(asked, math.inf).right
    assert not choice_of_number(asked, 3.0).right


def test_a_sign_whose_gradient_is_not_a_number_has_no_choices():
    graph = from_expression("y = a*b; z = y*c", {"a": 1e308, "b": 1e308, "c": math.nan})
    assert poll_choices(slide(graph, "sign", node="a")) == ()


def test_a_number_called_out_to_a_question_in_words_is_one_of_its_choices_or_unknown():
    asked = slide(shared(), "next", node="e", step=6)
    assert choice_of_number(asked, 4.0).say == "no known slip"
    own = (Choice("4", "two paths.", right=True), Choice("2"))
    asked = slide(shared(), "text", text="What is a.grad?", choices=own, step=2)
    assert choice_of_number(asked, 4.0).right
    assert choice_of_number(asked, 4.0).say == "two paths."
    assert choice_of_number(asked, 3.0).say == "no known slip"


# asked again


def leaves(slide: Slide) -> dict[int, float]:
    assert slide.situation is not None
    return slide.situation.graph.leaf_values


@pytest.mark.parametrize(("asks", "seed"), [("local", 1), ("contribution", 2), ("sum", 3)])
def test_asked_again_has_other_numbers_and_the_same_slips(asks, seed):
    first = second_arrival(asks)
    again = with_new_numbers(first, seed)
    assert leaves(with_new_numbers(first, seed)) == leaves(again)
    assert leaves(with_new_numbers(first, seed + 1)) != leaves(again)
    assert again.question == first.question
    assert not again.misfit
    graph = again.situation.graph if again.situation else shared()
    assert graph != shared()
    assert graph.structure is shared().structure or graph.names == shared().names
    found, before = poll_choices(again), poll_choices(first)
    assert {c.slip for c in before} == {c.slip for c in found}
    step = oracle.steps(graph, graph.root or 0)[5]
    expected = {"local": short(step.local), "contribution": signed(step.contribution)}
    assert right(found) == expected.get(asks, short(step.after))


def test_asked_again_a_final_gradient_is_right_in_the_new_numbers():
    graph = example("neuron").graph
    for leaf in example("neuron").leaves:
        again = with_new_numbers(slide(graph, "final", node=leaf), 1)
        now = again.situation.graph if again.situation else graph
        ends = oracle.gradients(now, now.root or 0)
        one = right_choice(again)
        assert one is not None
        assert now != graph
        assert one.label == short(ends[now.node_named(leaf) or 0])


def test_a_question_that_no_number_answers_stays_as_it_is():
    own = (Choice("yes", right=True), Choice("no"))
    for asked in (
        slide(shared(), "text", text="Really?", choices=own, step=2),
        slide(shared(), "paths", node="a"),
        slide(shared(), "mistake", mistake="assign", step=6),
    ):
        assert with_new_numbers(asked, 1) is asked


def test_without_friendly_numbers_it_says_why_they_stay():
    many = from_expression(" + ".join(f"a{k}*b{k}" for k in range(60)))
    with pytest.raises(EngineError, match="The numbers stay: friendly ones are drawn for small"):
        with_new_numbers(slide(many, "final", node="a1"), 1)


# counts


def test_the_first_count_is_carried_by_slip_to_other_numbers():
    first = replace(poll_of(second_arrival()), hands=(9, 4, 2, 11))
    assert first.earlier_hands(0) is None
    again = poll_of(with_new_numbers(second_arrival(), 1))
    again = replace(again, earlier=first.first_count)
    counts = {c.slip: again.earlier_hands(k) for k, c in enumerate(again.choices)}
    assert counts == {
        "own value": 9,
        "upstream forgotten": 4,
        "local derivative forgotten": 2,
        "": 11,
    }
    assert again.first_count == first.first_count


def test_two_numbers_of_one_slip_are_counted_apart():
    found = poll_of(slide(shared(), "final", node="a"))
    assert [choice.slip for choice in found.choices].count("one path only") == 2
    counted = replace(found, hands=tuple(range(1, 1 + len(found.hands)))).first_count
    assert sorted(counted.values()) == list(range(1, 1 + len(found.hands)))


def test_a_choice_that_is_no_number_is_the_same_when_the_question_comes_again():
    graph = from_expression("y = a*b; z = y*c", {"a": 1e308, "b": 1e308, "c": 0.0})
    asked = slide(graph, "contribution", wire="y.1", step=4)
    polls = [Poll((choice_of_number(asked, math.nan),), (hands,)) for hands in (0, 3)]
    assert polls[0].asks_the_same(polls[1])
    assert not polls[0].asks_the_same(Poll((choice_of_number(asked, 1.0),), (0,)))
    assert not polls[0].asks_the_same(Poll((), ()))
