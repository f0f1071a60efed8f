"""While a learner is asked, the canvas shows what one that is opened at this moment would show."""

import random
from collections.abc import Callable

import pytest

from app.canvas.scene.scene import Scene
from app.document.examples import examples
from engine.study.question import LEVELS
from tests.app.canvas.scene.test_far_shapes import shapes
from tests.app.canvas.scene.test_scene import seen
from tests.helpers.asked import ask, fill, give
from tests.helpers.easel import Easel
from tests.helpers.extent import sampled

RUNS = [(found.name, level) for found in examples() for level in LEVELS]
MOVES = ("right", "typed", "wrong", "hint", "show", "skip", "back", "on", "jump")


def told(easel: Easel) -> tuple[object, ...]:
    return seen(easel.scene), shapes(easel.scene)


def anew(easel: Easel) -> tuple[object, ...]:
    scene = Scene(easel.style.short, easel.style.signed)
    scene.show(easel.scene._shown)
    return seen(scene), shapes(scene)


def move(easel: Easel, name: str, dice: random.Random) -> None:
    modes, playback = easel.view.context.modes, easel.playback
    moves: dict[str, Callable[[], object]] = {
        "right": lambda: give(modes),
        "typed": lambda: fill(modes, "-17"),
        "wrong": lambda: give(modes, "123456"),
        "hint": modes.hint,
        "show": modes.show_answer,
        "skip": modes.skip,
        "back": playback.step_back,
        "on": modes.answer if dice.random() < 0.5 else playback.step,
        "jump": lambda: playback.go(dice.randrange(playback.frame.total + 1)),
    }
    moves[name]()


@pytest.mark.parametrize(("name", "level"), sampled(RUNS, every=4))
def test_each_answer_leaves_what_a_canvas_opened_now_would_show(easel, name, level):
    easel.open_example(name)
    modes, dice = easel.view.context.modes, random.Random(f"{name} {level}")
    ask(modes, level)
    assert modes.now is not None
    for _ in range(40):
        now = dice.choice(MOVES)
        if modes.now is not None and (modes.question or now not in ("right", "typed", "wrong")):
            move(easel, now, dice)
        assert told(easel) == anew(easel), now
    modes.leave()
    assert told(easel) == anew(easel)


@pytest.mark.parametrize("name", ["shared-leaf", "neuron"])
def test_covering_and_uncovering_leaves_what_a_canvas_opened_now_would_show(easel, name):
    easel.open_example(name)
    modes, dice = easel.view.context.modes, random.Random(name)
    for _ in range(6):
        modes.toggle(covers=True)
        for _ in range(8):
            move(easel, dice.choice(("show", "on", "back", "jump")), dice)
            assert told(easel) == anew(easel)
