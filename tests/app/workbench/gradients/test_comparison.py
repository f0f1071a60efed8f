"""A mistake beside the correct pass: where it first shows, and what should be there."""

import math

import msgspec

from app.workbench.gradients.comparison import (
    Comparison,
    compare,
    gradient_verdict,
    pass_verdict,
    same,
    step_verdict,
)
from app.workbench.gradients.explanation import causes
from engine import MISTAKES, from_expression
from engine.frame import frame_at
from engine.trace import Trace, run, run_forward
from tests.helpers.graphs import DEMONSTRATION, mistake, named
from tests.helpers.tables import in_turn

NAMES = [rules.name for rules in MISTAKES]


def _pass(name: str, text: str = DEMONSTRATION, **values: float) -> tuple[Trace, Comparison]:
    graph = from_expression(text, values or {"a": 2, "b": 3})
    trace = run(graph, rules=mistake(name))
    beside = compare(trace)
    assert beside is not None
    return trace, beside


def _text(spans) -> str:
    return "".join(span.text for span in spans).strip()


@in_turn(
    ("name", "first", "differ"),
    [
        ("assign", 6, 4),
        ("recursive", 6, 2),
        ("depth-first", 6, 2),
        ("breadth-first", None, 0),
        ("forward-order", 2, 4),
        ("no-seed", 1, 7),
        ("no-zero-grad", 13, 6),
        ("zero-leaves-only", 15, 6),
        ("mul-own-input", 4, 4),
    ],
)
def test_the_step_where_the_passes_part_and_what_differs_in_the_end(name, first, differ):
    trace, beside = _pass(name)
    assert beside.first_wrong == first
    assert beside.wrong_count(frame_at(trace, len(trace))) == differ


@in_turn("name", NAMES)
def test_in_the_end_exactly_the_wrong_gradients_have_a_right_one(name):
    trace, beside = _pass(name)
    right = {event.node: event.after for event in run(trace.graph).events}
    frame = frame_at(trace, len(trace))
    for node, grad in frame.grads.items():
        assert beside.correction(frame, node) == (None if grad == right[node] else right[node])


@in_turn("name", NAMES)
def test_before_the_passes_part_no_gradient_differs(name):
    trace, beside = _pass(name)
    first = len(trace) + 1 if beside.first_wrong is None else beside.first_wrong
    for k in range(first):
        assert beside.wrong_count(frame_at(trace, k)) == 0


def test_a_sum_that_still_waits_is_compared_with_what_should_have_come_by_then():
    trace, beside = _pass("assign")
    frame = frame_at(trace, 8)  # a has one of its two contributions
    assert beside.correction(frame, named(frame.graph, "a")) == 18


def test_a_division_that_sends_nothing_leaves_gradients_that_differ_without_a_step():
    trace, beside = _pass("division-sends-nothing", "y = a / b", a=6, b=2)
    assert not beside.wrong
    frame = frame_at(trace, len(trace))
    assert beside.correction(frame, named(frame.graph, "a")) == 0.5
    assert pass_verdict(frame, beside) == "2 of 3 gradients differ"


def test_rounding_is_no_difference_and_nan_agrees_with_nan():
    _trace, beside = _pass("random-order", "y = 0.1*a + 0.2*a + 0.3*a", a=0.7)
    assert all(math.isfinite(due) for due in beside.expected)
    _trace, beside = _pass("assign", "y = log(a)", a=math.nan)
    assert not beside.wrong


def test_there_is_nothing_to_compare_without_a_mistake():
    graph = from_expression(DEMONSTRATION, {"a": 2, "b": 3})
    assert compare(run(graph)) is None
    assert compare(run_forward(graph)) is None


def test_a_step_that_goes_wrong_says_what_the_correct_pass_does():
    trace, beside = _pass("assign")
    told = {k: _text(step_verdict(frame_at(trace, k), beside, 4)) for k in range(len(trace) + 1)}
    assert told[5] == ""
    assert told[6] == "✘ First difference: the correct pass has 7."
    assert told[8] == "✘ The correct pass sends +18."


def test_a_gradient_that_went_wrong_carries_the_right_number():
    trace, beside = _pass("assign")
    frame = frame_at(trace, len(trace))
    assert _text(gradient_verdict(frame, beside, named(frame.graph, "a"), 4)) == "✘ should be 25"
    assert (
        _text(gradient_verdict(frame, beside, named(frame.graph, "e"), 4))
        == "✓ as in the correct pass"
    )
    assert gradient_verdict(frame, None, named(frame.graph, "a"), 4) == ()
    assert pass_verdict(frame, beside) == "4 of 7 gradients differ"
    assert pass_verdict(frame_at(trace, 2), beside) == "no gradient differs"


@in_turn(
    ("name", "node", "told"),
    [
        ("assign", "a", "d and c were wrong: 6 → 1, 7 → 1. Here = overwrites 3 with 1."),
        ("assign", "c", "Here = overwrites 6 with 1."),
        (
            "no-zero-grad",
            "a",
            "d and c were wrong: 6 → 18, 7 → 21. Here 25 is left over from the pass before.",
        ),
        ("mul-own-input", "c", "Here the slope of × is taken as 5, not 6."),
        ("no-seed", "y", "Nobody gives it the seed."),
        (
            "recursive",
            "b",
            "c and d were wrong: 7 → 1, 6 → 1. c sends twice along one wire."
            " d sends twice along one wire.",
        ),
        ("assign", "e", ""),
    ],
)
def test_a_wrong_gradient_says_which_senders_were_wrong_already(name, node, told):
    trace, beside = _pass(name)
    frame = frame_at(trace, len(trace))
    assert causes(frame, beside, named(frame.graph, node), 4) == told


def test_of_many_wrong_senders_a_few_are_named():
    names = "pqrst"
    text = "; ".join(f"{n} = a*{k}" for k, n in enumerate(names, 2))
    graph = from_expression(f"{text}; y = " + " + ".join(f"{n}*{n}" for n in names), {"a": 1})
    trace = run(graph, rules=mistake("assign"))
    frame = frame_at(trace, len(trace))
    told = causes(frame, compare(trace), named(frame.graph, "a"), 4)
    assert " and 2 more were wrong: " in told
    assert told.count("→") == 3


def test_a_node_that_fires_too_early_sends_wrongly_though_its_gradient_is_infinite():
    trace, beside = _pass("forward-order", "n = a + a; y = n*k", a=2, k=math.inf)
    first = next(event for event in trace.events if event.wire is not None)
    assert first.upstream == 0
    assert not beside.sends_rightly(first)
    assert beside.first_wrong == trace.events.index(first) + 1


def test_nothing_is_not_the_rounding_of_a_gradient_with_large_summands():
    trace, beside = _pass("assign", "n = a + a; y = n*k - n*k + n", a=2, k=1e12)
    event = next(event for event in trace.events if event.upstream == 1e12)
    early = msgspec.structs.replace(event, upstream=0.0)
    assert not beside.sends_rightly(early)


def test_zero_and_infinity_are_not_the_same():
    assert not same(0.0, math.inf)
    assert not same(-math.inf, math.inf)
    assert same(math.inf, math.inf)
