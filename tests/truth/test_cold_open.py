"""Each number that the cold open and its card say is computed again, from its files."""

import tomllib

import numpy
import pytest

from app.lessons.course import FOLDER, OPENING
from app.lessons.lesson import plain_text
from app.lessons.load import lesson
from app.lessons.situation import PlaneFile, after_move, at_start, plane_learner, wrong_samples
from app.panels.welcome import course_list as card
from app.panels.welcome.start_cards import _OPENING as EXAMPLE
from app.window.planes import EPOCHS
from engine import load
from engine.frame import frame_at
from engine.graph import Constant, Leaf
from engine.numbers import short
from engine.trace import evaluate_values, run
from engine.training.learning import State

TEXT = (FOLDER / f"{OPENING}.toml").read_text("utf-8")
PLANE = PlaneFile("moons", 3, 14, (2, 2, 1))
GRAPH = load(FOLDER / f"{OPENING}.backwire")
LEARNER = plane_learner(PLANE)
GRADS = frame_at(run(GRAPH), len(run(GRAPH))).grads
GRADIENTS = {
    "b2": 6.016, "b3": -2.263, "w4": 2.262, "v1": -2.17, "v2": -1.39, "w3": -0.76, "b1": -0.48,
    "w2": -0.18, "w1": 0.06,
}  # fmt: skip


def node(name: str) -> int:
    found = GRAPH.node_named(name)
    assert found is not None
    return found


def wrong(b2: float) -> int | None:
    return wrong_samples(PLANE, GRAPH.with_values({node("b2"): b2}))


def trained(epochs: int, state: State) -> list[int]:
    """Return how many dots are wrong after 0, 1, 2 … more steps of learning."""
    counts = [int((~LEARNER.right(state)).sum())]
    for _step in range(epochs):
        state = LEARNER.epoch(state)
        counts.append(int((~LEARNER.right(state)).sum()))
    return counts


def test_the_sheet_is_the_network_after_its_steps_with_two_decimals():
    state = LEARNER.start()
    for _step in range(EPOCHS):
        state = LEARNER.epoch(state)
    found = LEARNER.state_of(GRAPH)
    assert found is not None
    assert found.values.tolist() == pytest.approx(state.values.tolist(), abs=0.01)
    assert found.values.tolist() == [round(value, 2) for value in found.values.tolist()]
    assert sum(not right for right in LEARNER.right(state)) == 3  # on the start page, too


def test_plane_and_sheet_say_the_same_of_the_ringed_dot():
    state = LEARNER.state_of(GRAPH)
    assert state is not None
    values, dot = evaluate_values(GRAPH), LEARNER.samples[PLANE.sample - 1]
    assert (values[node("x1")], values[node("x2")], values[node("t")]) == (*dot.inputs, dot.target)
    outputs = LEARNER.outputs(state)
    assert values[node("o")] == pytest.approx(float(outputs[PLANE.sample - 1]), abs=1e-12)
    assert (short(values[node("o")]), short(values[node("loss")])) == ("−0.1620", "1.350")
    assert dot.inputs == (-0.127, 0.376)
    assert [k + 1 for k, right in enumerate(LEARNER.right(state)) if not right] == [14, 58, 62]


def test_the_largest_of_nine_gradients_is_that_of_the_number_that_mends():
    grads = {GRAPH.names[leaf]: GRADS[leaf] for leaf in GRAPH.leaves}
    assert grads == pytest.approx(GRADIENTS, abs=0.006)
    assert max(grads, key=lambda name: abs(grads[name])) == "b2"
    assert len(grads) == 9
    assert short(grads["b2"]) == "6.016"
    assert "0.01 more of b2 is about 0.06 more of loss" in TEXT


def test_one_number_mends_all_three_and_too_far_hurts():
    assert [wrong(b2) for b2 in (0.18, 0.10, 0.05, 0.0, -0.1, -0.3)] == [3, 0, 0, 0, 4, 11]
    state, mended = LEARNER.state_of(GRAPH), GRAPH.with_values({node("b2"): 0.05})
    after = LEARNER.state_of(mended)
    assert state is not None
    assert after is not None
    assert [round(LEARNER.loss(each), 4) for each in (state, after)] == [0.1168, 0.085]
    assert short(evaluate_values(mended)[node("loss")]) == "0.6290"
    assert "at −0.1 four other dots are wrong" in TEXT


def test_training_alone_needs_as_many_more_steps_as_the_end_page_says():
    state = LEARNER.state_of(GRAPH)
    assert state is not None
    counts = trained(1000, state)
    assert counts.index(0) == 270
    assert 800 <= max(k for k, count in enumerate(counts) if count) < 850  # for good after that
    assert "Training alone needs 270 more steps" in lesson(OPENING).surprise


def test_one_learning_step_for_this_dot_alone_turns_six_others_wrong():
    moved = {leaf: value - 0.05 * GRADS[leaf] for leaf, value in GRAPH.leaf_values.items()}
    state = LEARNER.state_of(GRAPH.with_values(moved))
    assert state is not None
    found = numpy.flatnonzero(~LEARNER.right(state)) + 1
    assert len(found) == 6
    assert not {14, 58, 62} & set(found.tolist())


def test_the_texts_say_these_numbers():
    opening = lesson(OPENING)
    first, which_way, move_it = opening.steps
    assert plain_text(first.text, first.begun.known_frame) == (
        "97 of 100 dots are right. The dot in the ring is not: the network says −0.1620, and t, "
        "the truth, is 1. The loss says how wrong: 1.350."
    )
    assert "nine numbers to learn" in which_way.text
    assert plain_text(which_way.text, which_way.begun.known_frame).endswith("the largest: 6.016.")
    assert first.moves[-1].text == f"step {len(run(GRAPH))}"
    assert [type(GRAPH.nodes[node(name)]) for name in ("x1", "t", "b2")] == [
        Constant,
        Constant,
        Leaf,
    ]
    ends = after_move(at_start(move_it.begun, "values"), move_it.moves[0])
    assert wrong_samples(PLANE, ends.graph) == 0


def test_card_and_example_say_what_the_lesson_says():
    head = tomllib.loads(TEXT)
    title, text, _button = card._OPENING
    assert title == EXAMPLE.title == head["title"]
    assert EXAMPLE.note == "60 seconds"
    assert head["minutes"] == 1
    assert "Two neurons learn" in text
    assert PLANE.sizes[1] == 2
