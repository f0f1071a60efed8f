import math
from types import SimpleNamespace

import pytest

from app.workbench.gradients.code_listing import Listing, op_slope_code
from engine import MISTAKES, OPS, from_expression
from engine.asking.question import hide_unseen_steps
from engine.frame import frame_at, live_frame
from engine.ops import Op
from engine.rules import BY_NAME
from engine.trace import run, run_forward
from tests.helpers.tables import in_turn

WORDS = {op.name: op.forward for op in OPS} | {
    "Phi": lambda x: 0.5 * (1 + math.erf(x / math.sqrt(2))),
    "phi": lambda x: math.exp(-x * x / 2) / math.sqrt(2 * math.pi),
}
SHARED = from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2})


def codes(listing: Listing) -> list[str]:
    return [listing.line(k).code for k in range(len(listing))]


@in_turn("op", OPS)
@in_turn("at", [(0.3, 0.7, -0.2), (0.9, 0.2, 1.5), (0.5, 0.5, 0.5)])
def test_the_code_of_every_slope_computes_the_local_derivative(op: Op, at: tuple[float, ...]):
    inputs = at[: len(op.slots)]
    value = op.forward(*inputs)
    letters = dict(zip((*op.slots, "out"), (*inputs, value), strict=True))
    names = WORDS | {letter: SimpleNamespace(data=x) for letter, x in letters.items()}
    for slot, partial in enumerate(op.partials):
        code = op_slope_code(op, slot, [f"{letter}.data" for letter in op.slots])
        assert eval(code, dict(names)) == pytest.approx(partial(*inputs, value), rel=1e-12)


def test_a_backward_pass_lists_forward_lines_then_one_line_per_step():
    listing = Listing(frame_at(run(SHARED), 6))
    assert codes(listing) == [
        "e = a * b",
        "d = e + a",
        "L = d * f",
        "L.grad = 1",
        "d.grad += L.grad * f.data",
        "f.grad += L.grad * d.data",
        "e.grad += d.grad * 1",
        "a.grad += d.grad * 1",
        "a.grad += e.grad * b.data",
        "b.grad += e.grad * a.data",
    ]
    assert listing.now == 8


def test_comments_of_later_steps_are_hidden():
    listing = Listing(frame_at(run(SHARED), 6))
    assert [listing.line(k).comment for k in (7, 8, 9)] == ["−2", "+6", ""]
    assert [listing.line(k).state for k in (7, 8, 9)] == ["done", "now", "later"]


def test_a_forward_pass_shows_values_up_to_its_step():
    listing = Listing(frame_at(run_forward(SHARED), 1))
    assert [listing.line(k).comment for k in range(3)] == ["−6", "", ""]
    assert listing.now == 0


def test_outside_a_pass_only_the_forward_lines_stand():
    listing = Listing(live_frame(SHARED))
    assert codes(listing) == ["e = a * b", "d = e + a", "L = d * f"]
    assert listing.now is None
    assert listing.step_of(0) is None


def test_a_line_leads_to_its_step():
    listing = Listing(frame_at(run(SHARED), 2))
    assert [listing.step_of(k) for k in (2, 3, 9)] == [None, 1, 7]


def test_constants_are_numbers_and_functions_are_called():
    graph = from_expression("y = tanh(x)**2 - -3 * maximum(x, 2)")
    lines = codes(Listing(live_frame(graph)))
    assert any(line.endswith(" = x.tanh()") for line in lines)
    assert any(line.endswith(" ** 2") for line in lines)
    assert any(line.endswith("maximum(x, 2)") for line in lines)
    assert any("= (-3) * " in line for line in lines)


def test_a_mistake_shows_in_the_line_that_differs():
    rules = {rules.name: rules for rules in MISTAKES}
    assign = Listing(frame_at(run(SHARED, rules=rules["assign"]), 7))
    own = Listing(frame_at(run(SHARED, rules=rules["mul-own-input"]), 7))
    assert assign.line(8).code == "a.grad = e.grad * b.data"
    assert own.line(8).code == "a.grad += e.grad * a.data"


def test_a_long_listing_makes_only_the_lines_that_are_asked_for():
    graph = from_expression("y = " + " + ".join(["a"] * 900))
    listing = Listing(frame_at(run(graph), 5))
    assert len(listing) == 899 + 1 + 2 * 899
    assert listing.line(len(listing) - 1).state == "later"


def test_where_a_rule_has_no_value_the_line_has_the_number_that_is_used():
    def last(a: float) -> Listing:
        return Listing(frame_at(run(from_expression("y = a**b", {"a": a, "b": 2})), 3))

    rule = "b.grad += y.grad * (a.data**b.data * log(a.data))"
    assert codes(last(3))[-1] == rule
    assert codes(last(0))[-1] == "b.grad += y.grad * 0"
    assert not last(3).has_same_code_as(last(0))


def test_the_function_of_a_constant_without_a_label_is_code_that_runs():
    graph = from_expression("y = a * exp(-2)", {"a": 3})
    assert "= exp(-2)" in "".join(codes(Listing(live_frame(graph))))


def test_of_a_hunted_pass_only_the_steps_taken_are_listed_and_not_their_rule():
    whole = run(SHARED, rules=BY_NAME["mul-own-input"])
    for seen in range(len(whole) + 1):
        listing = Listing(hide_unseen_steps(frame_at(whole, seen), seen, whole))
        backward = codes(listing)[3:]
        assert len(backward) == seen
        assert backward == ["L.grad = 1", *["?"] * (seen - 1)][:seen]
        assert listing.now == (2 + seen if seen else None)
