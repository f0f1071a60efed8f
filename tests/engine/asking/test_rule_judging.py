# ruff: noqa: E501 (rows of tables)
"""Backward rules of learners: right ones in any writing, wrong ones with what is wrong in them."""

import mpmath
import pytest

from engine.asking.rule_judging import judge
from engine.formats.own_formula import own_operation
from engine.ops import OPS
from tests.helpers.tables import in_turn

BEND = own_operation("bend", "a * sigmoid(a)")

RIGHT = (
    ("a*b", "out.grad*b; out.grad*a"),
    ("a*b", "a.grad += b.data * out.grad\nb.grad += a.data*out.grad"),
    ("a*b", "self.grad += other.data * out.grad\nother.grad += self.data * out.grad"),
    ("a*b", "a.grad = a.grad + out.grad*b\nb.grad += out.grad*out/b"),
    ("a+b", "out.grad\n1.0 * out.grad  # it passes on"),
    ("a-b", "a.grad += out.grad\nb.grad -= out.grad"),
    ("a/b", "out.grad/b; -out.grad*a/b**2"),
    ("a/b", "out.grad/b; −out.grad · out / b"),
    ("a**3", "3*a**2*out.grad"),
    ("a**3", "out.grad*3*out/a"),
    ("exp(a)", "out.grad*out"),
    ("exp(a)", "a.grad += out.grad * math.exp(a.data)"),
    ("log(a)", "a.grad += (1/a.data)*out.grad"),
    ("tanh(a)", "t = a.tanh()\na.grad += (1 - t**2) * out.grad"),
    ("tanh(a)", "out.grad*(1-out)*(1+out)"),
    ("relu(a)", "self.grad += (out.data > 0) * out.grad"),
    ("relu(a)", "out.grad if a > 0 else 0"),
    ("relu(a - 3)", "(a > 3) * out.grad"),
    ("abs(a + 10)", "out.grad if a > -10 else -out.grad"),
    ("abs(a)", "out.grad * sign(a)"),
    ("maximum(a, b)", "(a > b)*out.grad; (b > a)*out.grad"),
    ("where_gt0(a, b, c)", "0; out.grad if a > 0 else 0; out.grad if a <= 0 else 0"),
    ("gelu(a)", "h = 1e-6\nout.grad * (Φ(a) + a*φ(a))"),
    ("floor(a)", "0 * out.grad"),
    ("exp(-a^2)", "-2*a*out*out.grad"),
    ("a*sigmoid(a)", "(sigmoid(a) + a*sigmoid(a)*(1-sigmoid(a)))*out.grad"),
    ("a*sigmoid(a)", "out.grad*(out/a + out*(1-out/a))"),
    ("bend(a) + bend(b)", "s = sigmoid(a)\nout.grad*(s + bend(a)*(1-s)); out.grad*(sigmoid(b)*(1 + b*(1 - sigmoid(b))))"),
    ("log(a*b - 5.9)", "out.grad*b/(a*b - 5.9); out.grad*a/(a*b - 5.9)"),
    ("1e-9*a", "1e-9*out.grad"),
)  # fmt: skip
SAYS = (
    ("a*b", "b", "upstream forgotten", "This is the slope alone; multiply it by out.grad."),
    ("a*b", "a.grad = out.grad*b", "replaced", "= throws away what came before, over other wires; write +=."),
    ("a*b", "out.grad*out", "value for slope", "This takes the value for the slope."),
    ("a*b", "out.grad", "local derivative forgotten", "This passes out.grad on as it is; the slope is missing."),
    ("a*b", "out.grad*a", "own value", "This takes a itself for the slope."),
    ("a*b", "out.grad*b*out.grad", "upstream twice", "out.grad is multiplied in twice."),
    ("a*b", "out.grad + b", "factors added", "out.grad is added; the chain rule multiplies."),
    ("a*b", "out.grad / b", "divided", "This divides by the slope; the chain rule multiplies."),
    ("a*b", "0", "nothing", "Nothing is sent."),
    ("maximum(a, b)", "(b > a)*out.grad", "other input's slope", "This belongs to b: the slots are swapped."),
    ("log(a)", "-out.grad/a", "minus lost", "The sign is turned."),
    ("a/b", "out.grad", "quotient rule", "The denominator is missing."),
    ("a**3", "3*a**3*out.grad", "exponent not lowered", "The power of a^3 is not lowered."),
    ("a**3", "a**2*out.grad", "exponent not in front", "The exponent of a^3 does not stand in front."),
    ("exp(a)", "out.grad*a*exp(a-1)", "power rule", "exp is no power of its exponent; its slope is exp itself."),
    ("exp(-a^2)", "out*out.grad", "inner derivative missing", "The derivative of what stands inside, −a^2, is missing."),
    ("a*sigmoid(a)", "sigmoid(a)*out.grad", "product rule", "Only one term of the product rule is there."),
    ("a*sigmoid(a)", "sigmoid(a)*(1-sigmoid(a))*out.grad", "product rule", "The slopes are multiplied; the product rule adds."),
    ("relu(a - 3)", "0", "nothing", "Nothing is sent."),
    ("abs(a + 10)", "out.grad", "local derivative forgotten", "This passes out.grad on as it is; the slope is missing."),
    ("gelu(a)", "out.grad*Φ(a)", "product rule", "The term a * φ(a) of the slope is missing."),
    ("sigmoid(a)", "out.grad*out*(1+out)", "one place", "A + stands where a - belongs."),
    ("tanh(a)", "(1 - a**2)*out.grad", "one place", "a stands where out belongs."),
    ("tanh(a)", "(1-out)*out.grad", "one place", "out is to be squared."),
    ("relu(a)", "(0 > a) * out.grad", "one place", "The comparison is turned round."),
    ("log(a)", "out.grad*a", "own value", "This takes a itself for the slope."),
    ("log(a)*2", "3*out.grad/a", "one place", "The number 3 should be 2."),
    ("1e-9*a", "2e-9*out.grad", "doubled", "This is twice as much: a factor 2 is too many."),
)  # fmt: skip


def lines(formula: str, rule: str):
    return judge(own_operation("mine", formula, "", (BEND,)), rule, (BEND,))


@in_turn(("formula", "rule"), RIGHT)
def test_a_right_rule_is_right_however_it_is_written(formula: str, rule: str):
    assert [(each.kind, each.tried) for each in lines(formula, rule)] == [
        ("right", "") for _ in lines(formula, rule)
    ]


@in_turn(("formula", "rule", "belief", "says"), SAYS)
def test_a_wrong_rule_is_told_what_is_wrong_in_it(formula: str, rule: str, belief: str, says: str):
    first = lines(formula, rule)[0]
    assert (first.kind, first.belief, first.says) == ("wrong", belief, says)


@in_turn("op", OPS)
def test_the_tables_own_rule_is_right_and_the_value_in_its_place_is_not(op):
    texts = op.derivatives
    right = "\n".join(f"{s}.grad += out.grad * ({t})" for s, t in zip(op.slots, texts, strict=True))
    assert {each.kind for each in judge(op, right)} == {"right"}, op
    wrong = "\n".join(f"{slot}.grad += out.grad * out * 1.25 + 0.5" for slot in op.slots)
    assert {each.kind for each in judge(op, wrong)} == {"wrong"}, op


def test_the_numbers_of_a_wrong_rule_are_those_of_the_formula():
    [found] = lines("a*sigmoid(a)", "out.grad*a*a*a")
    (a,), up, got, expected = found.rows[0]
    assert (a, up) == (2.0, -1.5)
    mpmath.mp.dps = 30
    slope = mpmath.diff(lambda x: x / (1 + mpmath.exp(-x)), a)
    assert expected == pytest.approx(float(up * slope), rel=1e-12)
    assert got == pytest.approx(up * 8.0)
    assert found.says == "At a = 2 and out.grad = −1.5 it sends −12, not −1.636."


def test_where_no_side_of_a_kink_can_be_reached_the_range_is_told():
    [found] = lines("relu(a - 150)", "0")
    assert found.kind == "right"
    assert found.says == f"Right along a where tried: {found.tried}."
    low, high = (float(x.replace("−", "-")) for x in found.tried.split(" to "))
    assert -100 <= low < -10
    assert 10 < high <= 100
    [none] = lines("log(-abs(a))", "out.grad")
    assert none.kind == "can't tell"
    assert none.says == "The formula has no value or no slope at any of the points tried."


UNREAD = (
    ("a.grad += out.grad *", "Line 1: it is not complete."),
    ("a.grad += __import__('os').system('x')", "Line 1: system is no function of formulas."),
    ("a.grad += a.__class__", "Line 1: a.__class__ is no number of this node."),
    ("a.grad += (lambda: 1)()", "Line 1: lambda: 1 can't be called."),
    ("a.grad += [1]", "Line 1: a rule can't hold [1]."),
    ("import os", "Line 1: write a.grad += …"),
    ("a.grad += b.grad", "Line 1: b.grad is no number of this node."),
    ("c.grad += 1", "Line 1: c.grad is no gradient of a slot; write a.grad or b.grad."),
    ("a.grad += tanh(a, b)", "Line 1: tanh takes 1, not 2."),
    ("a.grad += exp", "Line 1: exp is a function; write exp(…)."),
    ("a.grad += foo(a)", "Line 1: foo is no function of formulas."),
    ("a.grad += mine(a, b)", "Line 1: mine is no function of formulas."),
    ("t = 1\na.grad += u", "Line 2: u is no slot, and no name that was set."),
    ("a" * 100_000, "A rule has up to 20 lines of up to 200 characters."),
    ("(" * 150, "Line 1: it is not complete."),
    ("t = a*a\n" + "t = t*t\n" * 18 + "a.grad += t", "Line 8: it is too long when it is written out."),
    ("", "Write what goes along a: a.grad += …"),
)  # fmt: skip


@in_turn(("rule", "says"), UNREAD)
def test_what_is_no_rule_is_one_sentence(rule: str, says: str):
    first = lines("a*b", rule)[0]
    assert (first.kind, first.says) == ("can't be read", says)


def test_other_points_judge_alike_and_the_same_seed_the_same():
    for formula, rule in RIGHT[:12]:
        op = own_operation("mine", formula)
        for seed in (1, 2, 3):
            assert {each.kind for each in judge(op, rule, seed=seed)} == {"right"}
            assert judge(op, rule, seed=seed) == judge(op, rule, seed=seed)
