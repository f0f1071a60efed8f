"""The chain rule of a node in symbols, numbers and words, and through the border of a group."""

import pytest

from app.controls.spans import plain_text
from app.document.sheet import Group
from app.workbench.gradients.chain_rule import (
    GroupFlow,
    derivation,
    formula,
    group_flow,
    numbers,
    question,
    selected_group,
    total,
)
from app.workbench.gradients.explanation import explanation
from engine import MISTAKES, from_expression
from engine.edits import add, disconnect
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Graph, Leaf, OpNode, Root
from engine.rules import Rules
from engine.trace import run
from tests.helpers.graphs import demonstration, mistake, named
from tests.helpers.tables import in_turn


def shared() -> Graph:
    return from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2})


def at(graph: Graph, cursor: int) -> Frame:
    return frame_at(run(graph), cursor)


def why(frame: Frame, name: str):
    return derivation(frame, named(frame.graph, name))


def test_the_sum_of_a_shared_leaf_in_symbols_and_numbers():
    found = why(at(shared(), 6), "a")
    assert plain_text(question(found)) == "Why is ∂L/∂a = 4?"
    assert plain_text(formula(found)).replace("\u00a0", " ") == (
        "∂L/∂a = ∂L/∂d · ∂⁺d/∂a + ∂L/∂e · ∂e/∂a"
    )
    assert plain_text(numbers(found)).replace("\u00a0", " ") == "= (−2) · 1 + (−2) · (−3) = 4"
    assert plain_text(total(found)) == "0 − 2 + 6 = 4"
    assert explanation(found) == (
        "Two wires leave a, so two contributions arrive and add up. "
        "The local derivative of a × b with respect to a is b, here −3."
    )


def test_what_has_not_arrived_stays_hidden():
    found = why(at(shared(), 5), "a")
    assert found.waiting == 1
    assert plain_text(question(found)) == "Why is a.grad = −2 so far, 1 of 2?"
    assert plain_text(total(found)) == "0 − 2 = −2"
    assert plain_text(numbers(found)).endswith("+ ···")
    assert "6" not in plain_text(numbers(found)) + explanation(found)


def test_before_a_pass_there_are_symbols_but_no_numbers():
    found = why(live_frame(shared()), "a")
    assert plain_text(question(found)) == "What is ∂L/∂a?"
    assert formula(found)
    assert numbers(found) == ()
    assert found.gradient is None


def test_the_wires_foreseen_are_those_that_arrive_in_the_same_order():
    graph = from_expression("c=a+b; d=a*b; e=c+d; f=c*d; y=e+f")
    for node in graph.nodes:
        before = [term.wire for term in derivation(live_frame(graph), node).terms]
        after = [term.wire for term in derivation(at(graph, 99), node).terms]
        assert before == after


def test_the_root_a_constant_and_a_leaf_without_a_path_say_why_they_have_no_sum():
    graph = from_expression("y = a * 2 + (3 + 4)")
    graph = add(graph, Leaf(1.0, "apart"))
    frame = at(graph, 99)
    states = {n: derivation(frame, n).state for n in graph.nodes}
    assert why(frame, "y").state == "root"
    assert why(frame, "apart").state == "pathless"
    assert states[named(graph, "v2")] == "constant"
    assert states[named(graph, "v6")] == "fixed"
    for node in graph.nodes:
        assert explanation(derivation(frame, node))
        assert question(derivation(frame, node))


def test_where_the_seed_is_forgotten_the_root_does_not_claim_it():
    rules = next(rules for rules in MISTAKES if rules.name == "no-seed")
    trace = run(shared(), rules=rules)
    found = why(frame_at(trace, len(trace)), "L")
    assert found.gradient == 0
    assert explanation(found) == (
        "L is the root, but nobody gives it the seed, 1, so its gradient stays 0."
    )


def test_a_root_marker_stands_for_the_node_it_marks():
    graph = shared()
    assert graph.active_root is not None
    found = derivation(at(graph, 3), graph.active_root)
    assert found.node == named(graph, "L")
    unplugged = disconnect(graph, graph.active_root, 0)
    assert derivation(live_frame(unplugged), graph.active_root).state == "rootless"


def test_a_square_has_two_terms_told_apart_by_slot():
    found = why(at(from_expression("y = a*a", {"a": 3}), 3), "a")
    assert "∂a₁" in plain_text(formula(found))
    assert "∂a₂" in plain_text(formula(found))
    assert plain_text(total(found)) == "0 + 3 + 3 = 6"
    assert {found.hue(term) for term in found.terms} == {0, 1}


def test_an_only_wire_has_no_mark():
    found = why(at(shared(), 7), "b")
    assert found.hue(found.terms[0]) == -1


def test_a_node_with_many_wires_writes_a_few_terms_out():
    graph = from_expression("y = " + " + ".join(["a"] * 30))
    found = why(at(graph, 99), "a")
    assert plain_text(formula(found)).endswith("+ 26 more")
    assert plain_text(total(found)).startswith("… 24 + 1")
    assert plain_text(total(found)).endswith("= 30")


def test_a_gradient_that_is_not_finite_names_the_first_bad_node():
    found = why(at(from_expression("y = a/(b-b)"), 99), "a")
    assert "is the first bad node" in explanation(found)
    assert question(found)[3].role == "error"


def test_a_second_root_with_nothing_plugged_in_says_so():
    graph = add(shared(), Root(None))
    found = derivation(at(graph, 6), max(graph.nodes))
    assert plain_text(question(found)) == "Nothing is plugged into this root yet"


def under(name: str, node: str, cursor: int | None = None):
    """What is known of a node of the demonstration graph under a mistake, at the end or before."""
    trace = run(demonstration(), rules=mistake(name))
    return why(frame_at(trace, len(trace) if cursor is None else cursor), node)


def sums(found) -> str:
    return plain_text(numbers(found)).replace("\u00a0", " ").replace("\n", " ")


def symbols(found) -> str:
    return plain_text(formula(found)).replace("\u00a0", " ")


BY_C_THEN_D = "∂y/∂b = ∂y/∂c · ∂c/∂b + ∂y/∂d · ∂d/∂b"


@in_turn(
    ("rules", "node", "cursor", "symbolic", "numeric"),
    [
        ("recursive", "b", None, BY_C_THEN_D,
         "= 7 · 1 + 6 · 2 = 19 ≠ 1 · 1 + 1 · 2 + 7 · 1 + 6 · 2 = 22"),
        ("recursive", "b", 11, BY_C_THEN_D, None),
        ("depth-first", "b", 11, BY_C_THEN_D, None),
        ("breadth-first", "b", None, BY_C_THEN_D, "= 7 · 1 + 6 · 2 = 19"),
        ("breadth-first", "b", 9, BY_C_THEN_D, "= 7 · 1 + ···"),
        ("mul-own-input", "b", None, "∂y/∂b = ∂y/∂d · ∂d/∂b + ∂y/∂c · ∂c/∂b",
         "= 6 · 2 + 7 · 1 = 19 ≠ 7 · 3 + 6 · 1 = 27"),
        ("no-zero-grad", "a", None, "∂y/∂a = ∂y/∂d · ∂d/∂a + ∂y/∂c · ∂c/∂a",
         "= 6 · 3 + 7 · 1 = 25 ≠ 25 left over + 18 · 3 + 21 · 1 = 100"),
    ],
)  # fmt: skip
def test_the_true_rule_stands_in_firing_order_before_the_sum_that_was_sent(
    rules, node, cursor, symbolic, numeric
):
    found = under(rules, node, cursor)
    assert symbols(found) == symbolic
    assert numeric is None or sums(found) == numeric


@pytest.mark.parametrize(
    ("rules", "node", "heading", "line"),
    [
        ("recursive", "b", "Why is b.grad = 22?", None),
        ("assign", "e", "Why is ∂y/∂e = 1?", None),
        ("assign", "a", "Why is a.grad = 1?", "(overwritten: 0 + 3) + 1 = 1"),
        ("no-zero-grad", "a", "Why is a.grad = 100?", "25 left over + 54 + 21 = 100"),
    ],
)
def test_only_a_right_gradient_is_called_the_derivative(rules, node, heading, line):
    found = under(rules, node)
    assert plain_text(question(found)) == heading
    assert line is None or plain_text(total(found)) == line


@pytest.mark.parametrize(
    ("rules", "node", "cursor", "part"),
    [
        ("recursive", "b", None, "Two wires leave b, each is used twice, so four contributions"
         " arrive and add up."),
        ("mul-own-input", "d", 5, "is c, here 5. The mistake takes d, 6, instead."),
        ("no-zero-grad", "a", None, "They are added to the 25 left over from pass 1."),
    ],
)  # fmt: skip
def test_a_mistake_is_told_where_it_changes_the_sum(rules, node, cursor, part):
    assert part in explanation(under(rules, node, cursor))


def test_a_pass_that_has_begun_to_go_wrong_sets_nothing_equal_to_the_rule():
    found = under("no-zero-grad", "a", 19)
    assert found.waiting
    assert sums(found).startswith("sent so far: ")
    assert "=" not in sums(found)


def test_wires_that_lead_elsewhere_are_told_apart_from_those_that_lead_to_the_root():
    graph = from_expression("p = a*b; q = a + b; y = p*a")
    graph = add(graph, OpNode("exp", (named(graph, "a"),)))
    assert explanation(why(at(graph, 99), "a")).startswith(
        "Four wires leave a, two of them lead to y, so two contributions arrive and add up."
    )


def test_a_wire_that_sends_nothing_is_not_counted_among_those_that_do():
    graph = from_expression("y = a/b + a", {"a": 1, "b": 2})
    trace = run(graph, rules=mistake("division-sends-nothing"))
    found = why(frame_at(trace, len(trace)), "a")
    assert explanation(found).startswith(
        "Two wires leave a, only one of them sends anything, so one contribution arrives."
    )
    assert symbols(found) == "∂y/∂a = ∂y/∂y · ∂⁺y/∂a + ∂y/∂v3 · ∂v3/∂a"
    assert sums(found) == "= 1 · 1 + 1 · 0.5 = 1.5 ≠ 1 · 1 = 1"


def test_where_the_own_input_of_a_square_is_the_same_number_it_is_said_not_to_show():
    trace = run(from_expression("y = a*a", {"a": 3}), rules=mistake("mul-own-input"))
    found = why(frame_at(trace, len(trace)), "a")
    assert explanation(found).endswith(
        "is a, here 3. The mistake takes a instead, the same number here: this product does not"
        " show it."
    )


def test_the_part_through_one_wire_is_told_apart_from_the_whole_derivative():
    graph = from_expression("L = a*b + a", {"a": 2, "b": -3})
    found = why(at(graph, 99), "a")
    assert plain_text(question(found)) == "Why is ∂L/∂a = −2?"
    assert symbols(found) == "∂L/∂a = ∂L/∂L · ∂⁺L/∂a + ∂L/∂v3 · ∂v3/∂a"


def test_numbers_that_differ_are_written_so_that_they_do():
    graph = from_expression("c = a*b; y = c*k + a", {"a": 1, "b": 1, "k": 1e-6})
    trace = run(graph, rules=mistake("assign"))
    text = sums(why(frame_at(trace, len(trace)), "a"))
    left, right = text.rsplit(" ≠ ", 1)
    assert left.rsplit("= ", 1)[-1] != right


GROUP = 1


def flow(inside: str, cursor: int) -> GroupFlow:
    """A group in the demonstration graph after a step of the backward pass."""
    graph = demonstration()
    members = frozenset(named(graph, name) for name in inside)
    return group_flow(at(graph, cursor), {GROUP: Group("inner", members)}, GROUP)


def texts(rows) -> list[str]:
    return [f"{name} {plain_text(spans)}" for name, spans in rows]


@pytest.mark.parametrize(
    ("cursor", "outputs", "inputs"),
    [
        (11, ["c.grad 7", "d.grad 6", "e.grad 1"], ["to a +7 + 18 = +25", "to b +7 + 12 = +19"]),
        (1, ["c.grad –", "d.grad –", "e.grad –"], ["to a –", "to b –"]),
        (8, ["c.grad 7", "d.grad 6", "e.grad 1"], ["to a +18 + ···", "to b –"]),
    ],
)
def test_a_group_shows_what_others_read_and_what_it_sends_as_far_as_it_is_known(
    cursor: int, outputs: list[str], inputs: list[str]
):
    found = flow("cde", cursor)
    assert texts(found.gradient(n) for n in found.outputs) == outputs
    assert texts(found.sent_to(n) for n in found.inputs) == inputs
    assert found.inner == ()


def test_a_group_with_one_output_has_the_others_inside():
    found = flow("efy", 11)
    assert found.outputs == (named(demonstration(), "y"),)
    assert texts(found.gradient(n) for n in found.inner) == ["e.grad 1", "f.grad 1"]


def test_a_group_is_chosen_by_exactly_its_members():
    groups = {GROUP: Group("inner", frozenset((1, 2, 3)))}
    assert selected_group(groups, [1, 2, 3]) == GROUP
    assert [selected_group(groups, found) for found in ([1, 2], [1, 2, 3, 4], [])] == [None] * 3


def of_a_program(graph: Graph, **parts) -> Frame:
    """The end of a pass as a program had it."""
    rules = Rules("program", "As the program", "", "", **parts)
    return frame_at(run(graph, rules=rules), 99)


def test_a_gradient_that_an_earlier_pass_left_is_no_part_of_the_derivative():
    graph = from_expression("y = a * 2", {"a": 4})
    found = why(of_a_program(graph, begins=((named(graph, "a"), 3.5),)), "a")
    assert plain_text(question(found)) == "Why is a.grad = 5.5?"
    assert plain_text(numbers(found)).replace("\u00a0", " ") == (
        "= 1 · 2 = 2\n≠ 3.5 left over + 1 · 2 = 5.5"
    )
    assert "added to the 3.5 left over from an earlier pass" in explanation(found)


def test_what_a_single_step_overwrites_is_struck_and_no_sum():
    graph = from_expression("y = a*2 + a*3 + a*5", {"a": 1})
    wires = [wire for source, wire in graph.wires() if source == named(graph, "a")]
    found = why(of_a_program(graph, assigns=frozenset(wires[:1])), "a")
    spans = total(found)
    kept = "".join(span.text for span in spans if not span.strike)
    start, *more = (float(x) for x in kept.replace("+", "").split(" = ")[0].split())
    assert start + sum(more) == found.gradient != 10
    assert "= overwrites the first" in explanation(found) or "keeps only" in explanation(found)
