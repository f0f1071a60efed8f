"""A network learns as the scalar graph of its samples says, and its trouble is named."""

import itertools
import math

import numpy
import pytest
from msgspec.structs import replace

from engine import EngineError, Program
from engine.frame import frame_at
from engine.trace import run
from engine.training import templates
from engine.training.learning import (
    LOSSES,
    RATES_TRIED,
    BestRate,
    Learner,
    Network,
    Setup,
    State,
    _root_mean_square,
    batches,
    rates_to_try,
    trouble,
    try_smaller_rates,
    with_ones,
)
from engine.training.templates import CROSS_ENTROPY, Sample
from tests.helpers.tables import in_turn
from tests.helpers.training import run_to_end


def trained(setup: Setup, samples: tuple[templates.Sample, ...], epochs: int) -> list[float]:
    learner = Learner(setup, samples)
    state, losses = learner.start(), list[float]()
    for _ in range(epochs):
        state, loss = learner.epoch_and_loss(state)
        losses.append(loss)
    return losses


def test_xor_is_learned_and_the_same_seed_gives_the_same_numbers():
    learner = Learner(Setup(), templates.xor())
    state = learner.start()
    for _ in range(200):
        state = learner.epoch(state)
    assert learner.accuracy(state) == 1.0
    assert learner.loss(state) < 0.01
    assert trained(Setup(), templates.xor(), 5) == trained(Setup(), templates.xor(), 5)
    assert trained(Setup(), templates.xor(), 5) != trained(Setup(seed=1), templates.xor(), 5)


def test_any_epoch_can_be_computed_again_from_an_earlier_state():
    learner = Learner(Setup(batch=7, rate=0.1), templates.moons(30))
    states = [learner.start()]
    for _ in range(6):
        states.append(learner.epoch(states[-1]))
    again = State(2, states[2].values)
    for _ in range(4):
        again = learner.epoch(again)
    assert again.values.tolist() == states[6].values.tolist()


def test_each_sample_is_in_one_batch_of_an_epoch_and_epochs_differ():
    found = batches(10, 4, 0, 3)
    assert [len(batch) for batch in found] == [4, 4, 2]
    assert sorted(place for batch in found for place in batch) == list(range(10))
    assert found != batches(10, 4, 0, 4)


def test_an_epoch_in_parts_gives_the_numbers_of_a_whole_one(monkeypatch: pytest.MonkeyPatch):
    whole = trained(Setup(), templates.moons(30), 5)
    monkeypatch.setattr("engine.training.learning.PRODUCTS_PER_PART", 16 * 4)
    assert trained(Setup(), templates.moons(30), 5) == pytest.approx(whole, rel=1e-12)


def test_a_fading_rate_and_a_decay_are_those_of_the_formula():
    setup = Setup(rate=1.0, fades=True, epochs=100, decay=0.01, loss="hinge", last="linear")
    assert setup.rate_at(0) == 1.0
    assert setup.rate_at(50) == pytest.approx(0.55)
    assert setup.rate_at(100) == setup.rate_at(200) == pytest.approx(0.1)
    learner = Learner(setup, templates.xor())
    state, plain = learner.start(), Learner(Setup(loss="hinge", last="linear"), templates.xor())
    size = float(state.values @ state.values)
    assert learner.loss(state) == pytest.approx(plain.loss(state) + 0.01 * size, rel=1e-12)
    h, k = 1e-6, 3
    ends = [
        learner.loss(State(0, state.values + way * h * numpy.eye(len(state.values))[k]))
        for way in (1, -1)
    ]
    moved = state.values[k] - learner.epoch(state).values[k]
    assert moved == pytest.approx((ends[0] - ends[1]) / (2 * h), rel=1e-6)


def test_the_graph_of_one_sample_has_its_loss_and_its_gradients():
    learner = Learner(Setup(), templates.moons(20))
    state = learner.epoch(learner.start())
    graph = learner.sample_graph(state, 4)
    trace = run(graph)
    assert trace.values[trace.root] == pytest.approx(learner.sample_losses(state)[4], rel=1e-12)
    grads = frame_at(trace, len(trace)).grads
    assert set(learner.weights) <= grads.keys()
    assert learner.outputs(state)[4] == pytest.approx(
        trace.values[graph.node_named("o") or 0], rel=1e-12
    )


def test_a_line_has_no_accuracy_and_wrong_sizes_are_refused():
    learner = Learner(Setup((1, 4, 1), last="linear"), templates.line())
    assert learner.accuracy(learner.start()) is None
    with pytest.raises(EngineError, match="takes 3"):
        Learner(Setup((3, 4, 1)), templates.xor())
    with pytest.raises(EngineError, match="weights"):
        Learner(Setup((2, 100, 100, 1)), templates.xor())


@in_turn("scale", [1e-300, 1e-160, 1.0, 1e160, 1e300])
def test_gradients_of_a_layer_have_a_size_whatever_their_squares_are(scale: float):
    sizes = numpy.array([3.0, 4.0, 0.0, 0.0]) * scale
    assert _root_mean_square(sizes) == pytest.approx(2.5 * scale, rel=1e-15)
    assert _root_mean_square(sizes * 0.0) == 0.0
    assert math.isnan(_root_mean_square(numpy.array([1.0, math.nan])))
    assert _root_mean_square(numpy.array([1.0, math.inf])) == math.inf


EPOCHS = 100
SMOOTH = Setup((2, 5, 3, 1), rate=0.1, epochs=EPOCHS)
SETUPS = {
    "tanh, squares": SMOOTH,
    "the window's default": Setup(),
    "micrograd's demo": Setup(
        (2, 6, 6, 1), "relu", "linear", "hinge", rate=1.0, decay=1e-4, fades=True, epochs=EPOCHS
    ),
    "sigmoid, cross-entropy": replace(SMOOTH, activation="sigmoid", loss=CROSS_ENTROPY, rate=0.5),
    "relu, cross-entropy, decay": replace(
        SMOOTH, activation="relu", loss=CROSS_ENTROPY, decay=1e-3
    ),
    "batches": replace(SMOOTH, batch=7),
    "batches, fading, decay": replace(SMOOTH, batch=8, fades=True, decay=1e-3, loss="hinge"),
    "another rate meanwhile": SMOOTH.with_rate(0.02, 40),
    "linear, no hidden layer": Setup((2, 1), last="linear", rate=0.05),
    "an operation without a row for arrays": replace(SMOOTH, activation="gelu"),
    "one neuron a layer": Setup((2, 1, 1, 1), "sigmoid", "sigmoid", rate=0.5),
}


class Scalar:
    """The training as loops over the graph of one sample, whose passes run number by number."""

    def __init__(self, setup: Setup, samples: tuple[Sample, ...]) -> None:
        learner = Learner(setup, samples)
        self.setup, self.program = setup, Program(learner.graph, learner.weights)
        self.weights = learner.start().values.tolist()
        chance = setup.loss == CROSS_ENTROPY
        self.samples = [
            {
                **{f"x{k}": x for k, x in enumerate(sample.inputs, 1)},
                "t": (sample.target + 1.0) / 2.0 if chance else sample.target,
            }
            for sample in samples
        ]

    def run(self, places: list[int]) -> tuple[float, list[float]]:
        given = dict(zip(self.program.wrt, self.weights, strict=True))
        names = {label: self.program.graph.node_named(label) or 0 for label in self.samples[0]}
        runs = [
            self.program.run({**given, **{names[x]: v for x, v in self.samples[k].items()}})
            for k in places
        ]
        count, decay = len(places), self.setup.decay
        loss = sum(loss for loss, _ in runs) / count
        grads = [sum(column) / count for column in zip(*(g for _, g in runs), strict=True)]
        if not decay:
            return loss, grads
        return (
            loss + decay * sum(w * w for w in self.weights),
            [g + 2.0 * decay * w for g, w in zip(grads, self.weights, strict=True)],
        )

    def epoch(self, number: int) -> float:
        setup, every = self.setup, list(range(len(self.samples)))
        loss = self.run(every)[0]
        size = setup.batch or len(every)
        for places in batches(len(every), size, setup.seed, number) if setup.batch else [every]:
            _, grads = self.run(places)
            rate = setup.rate_at(number)
            self.weights = [w - rate * g for w, g in zip(self.weights, grads, strict=True)]
        return loss


@in_turn("name", SETUPS)
def test_a_hundred_epochs_have_the_losses_of_the_scalar_graph(name: str):
    setup, samples = SETUPS[name], templates.moons(16)
    learner, oracle = Learner(setup, samples), Scalar(setup, samples)
    state, losses = learner.start(), list[float]()
    for _ in range(EPOCHS):
        state, loss = learner.epoch_and_loss(state)
        losses.append(loss)
    expected = [oracle.epoch(k) for k in range(EPOCHS)]
    assert losses == pytest.approx(expected, rel=1e-12)
    assert losses[-1] < losses[0]
    assert state.values.tolist() == pytest.approx(oracle.weights, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("loss", LOSSES)
def test_losses_and_gradients_at_the_ends_are_those_of_the_scalar_graph(loss: str):
    """Where the loss is infinite, has a kink, or is no number at all."""
    for target in (-1.0, 1.0):
        setup = Setup((1, 1), last="linear", loss=loss)
        oracle = Scalar(setup, (Sample((1.0,), target),))
        network = Network((1, 1), ["sigmoid" if loss == CROSS_ENTROPY else "linear"], loss)
        inputs, targets = with_ones([[1.0]]), numpy.array([oracle.samples[0]["t"]])
        for weight in (0.0, 1.0, -1.0, 0.5, 40.0, -40.0, 800.0, -800.0, 1e200, math.inf):
            oracle.weights = [weight, 0.0]
            value, grads = oracle.run([0])
            values = numpy.array([weight, 0.0])
            found, slopes = network.backward(values, inputs, targets)
            assert found.tobytes() == network.losses(values, inputs, targets).tobytes()
            case = f"{loss}, weight {weight}, target {target}"
            assert found[0] == pytest.approx(value, rel=1e-12, nan_ok=True), case
            assert list(slopes) == pytest.approx(grads, rel=1e-12, nan_ok=True), case


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


def test_rates_to_try_are_numbers_above_0_and_below_the_blamed_one():
    for rate, chosen in itertools.product((5e-324, 1e-320, 1e-300, 0.5, 1000.0, 1e308), repeat=2):
        found = rates_to_try(rate, chosen)
        assert all(0.0 < x < rate for x in found)
        assert len(found) <= RATES_TRIED + 1
        assert found[:1] == [chosen] or not chosen < rate
    assert rates_to_try(1000.0, 1000.0)[:3] == [100.0, 10.0, 1.0]


NETWORKS = {
    "XOR": (Setup((2, 8, 1)), templates.xor()),
    "moons": (Setup((2, 4, 1), batch=20), templates.moons(40)),
    "line": (Setup((1, 4, 1), last="linear"), templates.line(20)),
}


def losses_of(learner: Learner, epochs: int) -> list[float]:
    """Losses of a run, by another way than the trial: epoch for epoch."""
    states = [learner.start()]
    with numpy.errstate(all="ignore"):
        for _k in range(epochs):
            states.append(learner.epoch(states[-1]))
    return [learner.loss(state) for state in states]


def advised(learner: Learner, blamed: float, chosen: float) -> BestRate:
    return run_to_end(try_smaller_rates(learner, blamed, chosen))


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize("rate", [1000.0, 100.0])
def test_an_advised_rate_ends_as_told_and_better_than_the_blamed_one(network: str, rate: float):
    setup, samples = NETWORKS[network]
    learner = Learner(setup, samples).with_setup(setup.with_rate(rate, 0))
    bad = losses_of(learner, 60)
    assert blamed(bad, rate) == rate
    found = advised(learner, rate, rate)
    assert found.rate is not None
    good = losses_of(learner.with_setup(setup.with_rate(found.rate, 0)), found.epochs)
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
