"""Trouble of a training is named where it began, and a rate that is advised was tried before."""

import itertools
import math

import numpy
import pytest

from engine.training import templates
from engine.training.learning import MOST_RATES, Learner, Setup, Tried, rates_to_try, tries, trouble
from tests.helpers.generators import run_to_end


def said(losses: list[float], rate: float, rate_at=None) -> str:
    found = trouble(losses, rate, rate_at)
    return "" if found is None else f"{found.said} {found.remedy}".strip()


def blamed(losses: list[float], rate: float, rate_at=None) -> float | None:
    found = trouble(losses, rate, rate_at)
    assert found is not None
    return found.rate


def test_trouble_is_named_and_a_good_training_has_none():
    falling = [1.0 / (k + 1) for k in range(50)]
    assert said(falling, 0.5) == ""
    assert said([], 0.5) == ""
    infinite = [1.0, 9.0, math.inf]
    assert "At epoch 2 the loss is infinite: the rate 5 is too large" in said(infinite, 5.0)
    assert "not a number" in said([1.0, math.nan], 5.0)
    assert "At epoch 1 the loss is infinite" in said([1.0, math.inf, math.nan], 5.0)
    assert "before the first epoch" in said([math.nan], 5.0)
    assert "stands still at 0.9" in said([1.0, *[0.9] * 20], 5.0)


@pytest.mark.parametrize(
    ("before", "told"),
    [
        ([1.0], "has grown from 1 to 3:"),
        ([1.0, 0.5, 0.2], "has grown from 0.2 at epoch 2 to 3:"),
        ([1.0, 0.5, 0.2, 0.3, 0.9], "has grown from 0.2 at epoch 2 to 3:"),
        ([1.0, 2.0, 0.4, 0.6, 0.5], "has grown from 0.5 at epoch 4 to 3:"),
    ],
)
def test_a_loss_grew_from_where_it_was_least_before_it_rose(before: list[float], told: str):
    assert told in said([*before, *[3.0] * 20], 5.0)


def test_the_largest_rate_of_the_rise_is_blamed():
    losses = [1.0, 0.5, 0.2, 0.4, 0.9, *[3.0] * 20]
    assert blamed(losses, 0.1, lambda epoch: {2: 5.0, 3: 9.0}.get(epoch, 0.1)) == 9.0
    assert blamed(losses, 0.1, lambda epoch: 7.0 if epoch > 4 else 0.1) == 0.1


@pytest.mark.parametrize("rate", [5.0, 1e-12])
def test_a_loss_that_stands_still_has_several_causes_all_of_which_are_named(rate: float):
    told = said([1.0, *[0.9] * 20], rate)
    assert all(cause in told for cause in ("too large", "too small", "can do no better"))
    assert told.endswith("Reset and try another rate, or more neurons.")


def test_rates_to_try_are_numbers_above_0_and_below_the_blamed_one():
    for rate, chosen in itertools.product((5e-324, 1e-320, 1e-300, 0.5, 1000.0, 1e308), repeat=2):
        found = rates_to_try(rate, chosen)
        assert all(0.0 < x < rate for x in found)
        assert len(found) <= MOST_RATES + 1
        assert found[:1] == [chosen] or not chosen < rate
    assert rates_to_try(1000.0, 1000.0)[:3] == [100.0, 10.0, 1.0]


NETWORKS = {
    "XOR": (Setup((2, 8, 1)), templates.xor()),
    "moons": (Setup((2, 4, 1), batch=20), templates.moons(40)),
    "line": (Setup((1, 4, 1), last="linear"), templates.line(20)),
}


def run(learner: Learner, epochs: int) -> list[float]:
    """Losses of a run, by another way than the trial: epoch for epoch."""
    states = [learner.start()]
    with numpy.errstate(all="ignore"):
        for _k in range(epochs):
            states.append(learner.epoch(states[-1]))
    return [learner.loss(state) for state in states]


def advised(learner: Learner, blamed: float, chosen: float) -> Tried:
    return run_to_end(tries(learner, blamed, chosen))


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("rate", [1000.0, 100.0])
def test_an_advised_rate_ends_as_told_and_better_than_the_blamed_one(network: str, rate: float):
    setup, samples = NETWORKS[network]
    learner = Learner(setup, samples).with_rates(setup.with_rate(rate, 0))
    bad = run(learner, 60)
    assert blamed(bad, rate) == rate
    found = advised(learner, rate, rate)
    assert found.rate is not None
    good = run(learner.with_rates(setup.with_rate(found.rate, 0)), found.epochs)
    assert good[-1] == pytest.approx(found.loss, rel=1e-9)
    assert good[-1] < 0.1 * good[0]
    assert not bad[-1] <= good[-1]
    assert trouble(good, found.rate) is None


def test_a_rate_that_was_chosen_since_is_advised_where_it_does():
    setup, samples = NETWORKS["XOR"]
    learner = Learner(setup, samples)
    assert advised(learner, 50.0, 0.3).rate == 0.3
    assert advised(learner, 1000.0, 400.0).rate not in (400.0, None)


def test_no_rate_is_advised_where_none_does():
    learner = Learner(Setup((2, 8, 1), epochs=30), templates.xor())
    assert advised(learner, 1e-20, 1e-20).rate is None
