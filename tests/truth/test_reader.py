"""The reader must be able to fail: true sentences pass, planted false ones are found."""

import math

from engine import from_expression
from engine.edits import set_label
from tests.helpers.tables import in_turn
from tests.truth.claims import Said
from tests.truth.equation import disagreement
from tests.truth.judge import judge
from tests.truth.moment import Moment, Run
from tests.truth.ranges import displayed
from tests.truth.reader import chains

TWO_PATHS = from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2})
DEMONSTRATION = from_expression(
    "c = a + b; d = a*b; e = c + d; f = c*d; y = e + f", {"a": 2, "b": 3}
)
CORRECT, TWICE = Run(TWO_PATHS), Run(DEMONSTRATION, "no-zero-grad")
NAMESAKES = Run(from_expression("L = w*k", {"w": 2, "k": 3}))
RECURSIVE = Run(DEMONSTRATION, "recursive")


NOW = Moment(CORRECT, "live")


def faults(text: str) -> list[str]:
    """What is false about the equations of a text without names."""
    return [fault for chain in chains(text) if (fault := disagreement(chain, NOW))]


def node(run: Run, name: str) -> int:
    found = run.graph.node_named(name)
    assert found is not None
    return found


def read(run: Run, cursor: int, text: str, subject: str = "", place: str = "Why", **more):
    """What is wrong with a text that is said of a node after some steps."""
    said = Said(place, text, node(run, subject) if subject else None, **more)
    found = judge(said, Moment(run, "backward", cursor))
    assert found.unread == []
    return found.false


@in_turn(
    "text",
    [
        "0 −2 +6 = 4",
        "25 left over + 54 + 21 = 100",
        "−2 × −3 = +6 to a: now 4",
        "(−2) · (−3) + (−2) · 1 = 4",
        "0.3333 × 3 = ≈ 1",
        "0.7071 × 0.7071 = 0.5000",
        "inf × 0 = nan",
        "1e200 × 1e200 = inf",
        "2 − 2 + 1.5e−17 = 1.5e−17",
        "tanh(0.8814) = 0.7071",
        "1 if 2 > 0, else 0 = 1",
        "2 × 3 = 6 = 1 + 5 ≠ 7",
        "1 + ··· = 7",
        "3 ÷ (1e−200)² = inf",
        "1e−300 ÷ (1e−200)² = 1e100",
        "1e300 ÷ (1e200)^2 = 1e−100",
        "1 + tan(1e200)² = 1.709",
        "0 · tan(1e200) = 0",
    ],
)
def test_a_true_equation_is_let_pass(text):
    assert list(chains(text))
    assert faults(text) == []


@in_turn(
    "text",
    [
        "0 +54 +21 = 100",
        "−2 × −3 = −6",
        "0.3333 × 3 = 1.001",
        "1 = –",
        "2 × 3 = 6 ≠ 6",
        "0.7071 × 0.7071 ≠ 0.5000",
        "2 × 3 ≠ 7 = 8",
        "inf − inf = 0",
        "2 × 3 = 7 = 7",
        "log(−1) = 3.14",
        "1e−300 ÷ (1e−200)² = 1e99",
        "1 ÷ 2² = 0.5",
        "1 + tan(1e200)² = 0.5",
        "0 · tan(1e200) = 1",
        "0 · inf = 0",
    ],
)
def test_a_false_equation_is_found(text):
    assert faults(text) != []


def test_a_decimal_stands_for_what_rounds_to_it_and_a_short_one_for_itself():
    assert displayed("0.7071").holds(0.70713)
    assert not displayed("0.7071").holds(0.70717)
    assert displayed("≈ 1").holds(0.99996)
    assert not displayed("≈ 1").holds(0.999)
    assert displayed("0.5").holds(0.5)
    assert not displayed("0.5").holds(0.50001)
    assert displayed("≈ 12346").holds(12345.7)
    assert not displayed("12346").holds(12345.7)
    assert displayed("1.235e−5").holds(1.2349e-5)
    assert not displayed("−2").holds(2)
    assert displayed("1.37174e6", 6).holds(1371741.94)
    assert not displayed("1.37174e6", 6).holds(1371746)


@in_turn(
    ("cursor", "true", "false"),
    [
        (5, "Why is a.grad = −2?", "Why is ∂L/∂a = −2?"),
        (7, "Why is ∂L/∂a = 4?", "Why is ∂L/∂a = −2?"),
        (7, "∂L/∂a = ∂L/∂e · ∂e/∂a + ∂L/∂d · ∂d/∂a", "∂L/∂a = ∂L/∂e · ∂e/∂a"),
        (5, "It waits for 1 more.", "It waits for 2 more."),
        (7, "Two wires leave a, so two contributions arrive", "Four wires leave a"),
        (5, "1 of 2", "2 of 2"),
        (5, "1 of 2 contributions", "1 of 3 contributions"),
        (6, "gradient 4", "gradient −2"),
        (6, "value 2", "value 3"),
        (6, "Step 6 of 7", "Step 5 of 7"),
        (6, "7 nodes, 7 wires", "7 nodes, 8 wires"),
    ],
)
def test_a_claim_is_held_against_the_graph_and_its_pass(cursor, true, false):
    assert read(CORRECT, cursor, true, "a") == []
    assert read(CORRECT, cursor, false, "a") != []


def test_the_label_of_the_step_before_is_found_though_it_is_true_in_itself():
    wire = (node(CORRECT, "e"), 0)
    assert read(CORRECT, 6, "−2 × −3 = +6", "a", "label", wire=wire) == []
    assert read(CORRECT, 6, "−2 × 1 = −2", "a", "label", wire=wire) != []


def test_what_stands_at_a_slot_is_held_against_its_wire():
    e, d = node(CORRECT, "e"), node(CORRECT, "d")
    for true in ("∂/∂a −3", "∂/∂a"):
        assert read(CORRECT, 7, true, "e", "local", wire=(e, 0)) == []
    for false in ("∂/∂a 3", "∂/∂b −3", "∂/∂b", "∂/∂a₁ −3"):
        assert read(CORRECT, 7, false, "e", "local", wire=(e, 0)) != [], false
    assert read(CORRECT, 3, "∂/∂e 1", "d", "local", wire=(d, 0)) == []
    assert read(CORRECT, 1, "∂/∂e 1", "d", "local", wire=(d, 0)) != []


def test_what_a_label_says_in_its_second_line_alone_is_held_against_its_wire():
    wire = (node(CORRECT, "e"), 0)
    assert read(CORRECT, 6, "= +6", "a", "label", wire=wire) == []
    assert read(CORRECT, 6, "= −2", "a", "label", wire=wire) != []
    assert read(CORRECT, 3, "= +6", "a", "label", wire=wire) != []


def test_a_ledger_of_more_than_six_chips_counts_those_to_come():
    run = Run(from_expression("y = " + " + ".join(f"{k}*a" for k in range(2, 11)), {"a": 1}))
    first = next(k for k, step in enumerate(run.steps, 1) if step.node == node(run, "a"))
    assert read(run, first, "0 +10 +3 more = 10", "a", "ledger") == []
    assert read(run, first, "0 +10 +2 more = 10", "a", "ledger") != []
    assert read(run, first, "0 +9 +3 more = 10", "a", "ledger") != []
    assert read(run, 1, "0 +3 more = –", "a", "ledger") == []
    assert read(run, 1, "0 +6 more = –", "a", "ledger") != []


def test_in_an_equation_a_name_means_its_own_node_and_not_others_with_that_label():
    w = node(NAMESAKES, "w")
    graph = set_label(set_label(NAMESAKES.graph, w, "w"), node(NAMESAKES, "k"), "w")
    run = Run(graph)
    assert graph.names[node(NAMESAKES, "k")] == "w_2"
    assert read(run, 5, "L = w × w_2 = 6") == []
    assert read(run, 5, "L = w × w = 6") != []


def test_a_sum_that_drops_what_an_earlier_pass_left_is_found():
    assert read(TWICE, 22, "25 left over +54 +21 = 100", "a", "ledger") == []
    assert read(TWICE, 22, "0 +54 +21 = 100", "a", "ledger") != []


def test_wires_are_counted_in_the_graph_and_not_in_the_pass():
    assert read(RECURSIVE, 10, "Two wires leave b", "b") == []
    assert read(RECURSIVE, 10, "Four wires leave b", "b") != []


def test_a_line_of_code_is_run():
    said = {"place": "code", "step": 6}
    assert read(CORRECT, 6, "a.grad += e.grad * b.data  # +6", **said) == []
    for false in (
        "a.grad = e.grad * b.data  # +6",
        "a.grad += e.grad * a.data  # +6",
        "a.grad += e.grad * b.data  # −2",
        "b.grad += e.grad * b.data  # +6",
    ):
        assert read(CORRECT, 6, false, **said) != [], false


def test_a_number_that_nothing_reads_is_reported():
    said = Said("Why", "There may be 17 of them.", node(CORRECT, "a"))
    assert judge(said, Moment(CORRECT, "backward", 3)).unread == ["17"]


def test_a_row_of_a_group_is_held_against_what_its_wires_have_carried():
    members = frozenset(node(CORRECT, name) for name in ("e", "d"))
    said = {"place": "group inputs", "members": members}
    assert read(CORRECT, 7, "to a +6 −2 = +4", **said) == []
    assert read(CORRECT, 5, "to a −2 + ···", **said) == []
    for false in ("to a +5 −2 = +3", "to a −2 = −2", "to a −2 + ··· = +4", "to f 6", "to a –"):
        assert read(CORRECT, 7, false, **said) != [], false


def test_nan_takes_the_last_branch_and_zero_may_have_either_sign():
    said = {"place": "Why"}
    assert read(CORRECT, 7, "0 if nan ≤ 0, else 1 = 1", **said) == []
    assert read(CORRECT, 7, "0 if nan ≤ 0, else 1 = 0", **said) != []
    assert read(CORRECT, 7, "1 ÷ 0 = −inf", **said) == []
    assert read(CORRECT, 7, "1 ÷ 0 = 5", **said) != []


def test_a_rule_that_will_fail_is_let_pass_until_the_numbers_are_known():
    run = Run(from_expression("p = floor(a); q = p - p; y = p**q", {"a": 0.5}))
    said = Said("Inspector", "∂y/∂p = q · p^(q − 1)", node(run, "y"))
    assert judge(said, Moment(run, "forward", 0)).false == []
    assert judge(said, Moment(run, "forward", 3)).false != []


def test_what_is_lost_of_infinities_of_both_signs_is_no_number():
    graph = from_expression("y = p*a + q*a + p*a + q*a", {"p": math.inf, "q": -math.inf, "a": 1})
    run = Run(graph, "assign")
    assert read(run, len(run.steps), "a: nan lost", "a", "timeline") == []
    assert read(run, len(run.steps), "a: inf lost", "a", "timeline") != []


def test_a_square_of_nan_is_read_and_the_smallest_numbers_differ():
    assert faults("nan² = nan") == []
    assert faults("nan² = 4") != []
    assert faults("0 · 2 = 0 ≠ 1 · (−1.344e−315) = −1.344e−315") == []
    assert faults("−1.344e−315 ≠ −1.344e−315") != []
