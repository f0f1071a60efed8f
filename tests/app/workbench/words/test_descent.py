"""Descent words: what is said of a training loop is true of the update that it is said of."""

import random

from app.controls.spans import plain_text
from app.workbench.modes.loop import STEPS, LoopState, new_loop
from app.workbench.words.loop_strip import last_step_text, trouble
from engine import from_expression
from engine.graph import Leaf

EXTREME = (5e-324, 1e-310, 1e-160, 1e-9, 0.3, 7.0, 1e16, 1e154, 1e160, 1e300, 1.7e308)


def epochs(loop: LoopState, count: int) -> LoopState:
    for _k in range(count):
        loop = loop.finish_epoch()[0]
    return loop


def test_a_loss_that_has_reached_its_minimum_is_not_put_down_to_the_rate():
    loop = new_loop(from_expression("y = (w - 3)**2 + 1", {"w": 1}), 0.1)
    for _k in range(200):
        loop, stops = loop.finish_epoch()
        assert not trouble(loop), plain_text(trouble(loop))
        if stops:
            break
    assert loop.at > 60


def test_what_is_left_of_a_loss_by_rounding_is_not_put_down_to_the_rate():
    loop = new_loop(
        from_expression("y = (tanh(w*x + b) - 0.5)**2", {"w": 1, "x": 2, "b": 0.1}), 0.3
    )
    for _k in range(150):
        loop, _stops = loop.finish_epoch()
        assert not trouble(loop), plain_text(trouble(loop))


def test_a_loss_that_stays_even_from_side_to_side_is_put_down_to_the_rate():
    loop = epochs(new_loop(from_expression("y = (w - 3)**2 + 1", {"w": 1}), 1.0), 2)
    assert "lands as high on the other side" in plain_text(trouble(loop))


def test_the_rate_that_is_blamed_is_that_of_the_update_not_one_chosen_since():
    loop = epochs(new_loop(from_expression("y = w**2", {"w": 1}), 3.0), 2)
    assert "rose from 1 to 25: the rate 3 is too large" in plain_text(trouble(loop))
    assert "the rate 3 is too large" in plain_text(trouble(loop.with_rate(0.001)))


def test_what_an_update_did_is_said_whatever_is_ticked_since():
    graph = from_expression("y = (w*a - 3)**2", {"w": 1, "a": 2})
    loop = new_loop(graph, 0.01)
    w, a = loop.learners
    loop = epochs(loop, 1)
    assert plain_text(last_step_text(loop.with_learners([]))).startswith(
        "w goes against its gradient"
    )
    only = epochs(new_loop(graph, 0.01, chosen=[w]), 1)
    assert plain_text(last_step_text(only.with_learners([a]))).startswith(
        "w goes against its gradient"
    )


def carried(rate: float) -> LoopState:
    """The loop on w² from w = 1 after two epochs, the second without zero grad."""
    loop = epochs(new_loop(from_expression("y = w**2", {"w": 1}), rate), 1).with_zeroes(False)
    return epochs(loop, 2)


def test_a_rate_that_is_too_large_without_zero_grad_is_named_as_well():
    told = plain_text(trouble(carried(3.0)))
    w = [1.0, 1.0 - 3 * 2]  # zeroed once
    w.append(w[1] - 3 * 2 * (w[0] + w[1]))
    clean = (w[1] - 3 * 2 * w[1]) ** 2
    assert "zero grad was left out, and the rate 3 is too large here as well" in told
    assert told.startswith(f"The loss rose from {w[1] ** 2:g} to {w[2] ** 2:,g}")
    assert told.endswith(f"with zero grad the loss would be {clean:g}.")


def test_a_rate_that_would_have_done_is_not_blamed_for_a_zero_grad_left_out():
    loop, told = carried(0.4), ""
    while not told:
        loop = epochs(loop, 1)
        told = plain_text(trouble(loop))
    assert "zero grad was left out, so the update went along old gradients as well." in told


def test_an_even_loss_of_leaves_that_are_huge_is_told_as_well():
    loop = epochs(new_loop(from_expression("y = abs(w)", {"w": 1e160}), 2e160), 2)
    assert "lands as high on the other side" in plain_text(trouble(loop))


def test_every_loop_is_told_at_any_rate_and_any_value():
    texts = (
        "y = (w - 3)**2 + v",
        "y = tanh(w*x + b)",
        "y = abs(w)/v",
        "y = exp(w) - w*v",
        "y = w*v",
    )
    dice = random.Random(3)
    for _k in range(300):
        graph = from_expression(dice.choice(texts))
        leaves = [n for n, found in graph.nodes.items() if isinstance(found, Leaf)]
        graph = graph.with_values({n: dice.choice(EXTREME) * dice.choice((1, -1)) for n in leaves})
        loop = new_loop(graph, dice.choice(EXTREME), zeroes=dice.random() < 0.7)
        for _epoch in range(3):
            for step in STEPS:
                loop = loop.do(step)
                assert plain_text(trouble(loop) or last_step_text(loop))
            loop = loop.with_rate(dice.choice(EXTREME))


def test_without_zero_grad_no_sentence_tells_of_it_or_of_the_gradient_alone():
    loop = epochs(new_loop(from_expression("y = w**2", {"w": 1}), 0.1, zeroes=False), 1)
    for text in (last_step_text(new_loop(loop.graph, 0.1, zeroes=False)), last_step_text(loop)):
        assert "zero grad" not in plain_text(text)
    assert plain_text(last_step_text(loop)).startswith("w goes against its gradient: 1 − 0.1 × 2")
    assert loop.next == "forward"
    loop = epochs(loop, 1)
    assert plain_text(last_step_text(loop)).startswith(
        "w goes against the sum of its old and new gradients: 0.8 − 0.1 × 3.6 = 0.44"
    )
    assert loop.with_zeroes(True).next == "zero_grad"
