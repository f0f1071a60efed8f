"""Situation: graph, pass and settings as the checks of a lesson see them.

    situation_of(graph)         one outside of any pass
    at_start(situation, start)  the one where a step of a lesson begins
    after_move(situation, move) the one after a move of Show me

`app.lessons.load` plays a whole lesson with these immutable values; `GuideRunner` makes one from
the state of the window. So both use the same checks.

>>> from engine import from_expression
>>> live = situation_of(from_expression("y = a*b", {"a": 2, "b": 3}))
>>> end = at_start(live, "end")
>>> end.frame.grads[1], after_move(end, Move("b = 4", "set", node=2, number=4.0)).frame.grads[1]
(3.0, 4.0)
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Final, Literal, NamedTuple

from msgspec import Meta, Struct
from msgspec.structs import replace

from engine.asking.hand_run import HandRun
from engine.asking.question import MOST_STEPS
from engine.edits import connect, mark_root, unfold
from engine.errors import EngineError
from engine.frame import Frame, Phase, frame_at, live_frame
from engine.graph import Graph, Wire
from engine.problems import pass_obstacle
from engine.rules import BY_NAME, CORRECT, Rules
from engine.trace import Trace, run, run_forward
from engine.training.descent import all_four_steps, start
from engine.training.templates import DATA_SETS, xor

if TYPE_CHECKING:
    from engine.training.learning import Learner

LoopMode = Literal["", "hand", "descent", "training"]
"""The mode besides stepping: a pass by hand, gradient descent, or the training of a network."""
Start = Literal["", "values", "forward", "backward", "end", "hand", "descent", "training"]
"""The place of a pass at which a step begins; "" leaves the pass as it is."""
Method = Literal["forward", "central", "exact"]
Verb = Literal[
    "set",
    "step",
    "fire",
    "wire",
    "root",
    "epochs",
    "mistake",
    "h",
    "method",
    "rate",
    "unfold",
    "seed",
    "update",
]
"""The action of a move: set a leaf, go to a step, fire a node by hand, plug in a wire, mark a root,
and so on, each with the same effect as in the window."""


class Move(Struct, frozen=True):
    """One move of Show me: `text` as written in the file, its verb and its parsed arguments.

    `node` is the leaf that is set, or the node that fires, is unfolded, becomes the root or feeds
    `wire`. `number` is the value, the step or the setting, `name` that of a mistake or a method.
    """

    text: str
    verb: Verb
    node: int | None = None
    wire: Wire | None = None
    number: float = 0.0
    name: str = ""


class PlaneFile(Struct, frozen=True):
    """The keys of a plane: samples by data set and seed, which one, from 1, the graph computes, and
    the neurons by layer of the network that it is."""

    data: Annotated[Literal["moons", "XOR", "circles"], Meta(description="moons, XOR or circles")]
    seed: Annotated[int, Meta(ge=0, lt=2**31, description="a whole number from 0")]
    sample: Annotated[int, Meta(ge=1, le=100, description="a whole number from 1 to 100")]
    sizes: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=64)], ...],
        Meta(min_length=2, max_length=6, description="the neurons by layer: [2, 8, 1]"),
    ]


class PassPlace(NamedTuple):
    """A place of a pass: `step` steps done under a mistake, "" for the correct rules."""

    phase: Phase
    step: int
    mistake: str = ""


class Situation(Struct, frozen=True):
    """The graph, the place of the pass and the settings of the pages.

    `cursor` is the number of steps done of the pass in `phase`; `frame` holds the values and
    gradients known there. `hand` is the running pass by hand, or None. `h` and `method` are those
    of the page Numeric. `rate`, `epochs` and `loss` belong to the optimizer or the trained network:
    its updates or epochs so far, and the loss on its page. `sizes` (neurons by layer) and `seed`
    are those of the network.
    """

    graph: Graph
    phase: Phase = "live"
    cursor: int = 0
    rules: Rules = CORRECT
    frame: Frame | None = None
    hand: HandRun | None = None
    h: float = 1e-3
    method: Method = "forward"
    rate: float = 0.1
    epochs: int = 0
    loss: float | None = None
    sizes: tuple[int, ...] = ()
    seed: int = 0
    mode: LoopMode = ""
    plane: PlaneFile | None = None
    """The plane beside the sheet, whose boundary is that of the graph's own weights."""

    @property
    def known_frame(self) -> Frame:
        """Return the frame, or one of the values alone if none was given."""
        return live_frame(self.graph) if self.frame is None else self.frame


def situation_of(graph: Graph) -> Situation:
    """Return the situation of a graph outside of any pass."""
    return Situation(graph, frame=live_frame(graph))


def trace_of(situation: Situation) -> Trace:
    """Return the backward pass under the situation's rules; EngineError if there is none."""
    if situation.hand is not None:
        return situation.hand.trace(situation.graph)
    return run(situation.graph, rules=situation.rules, most=MOST_STEPS)


def at_step(situation: Situation, cursor: int) -> Situation:
    """Return the situation after so many steps of the backward pass; EngineError if it has fewer.

    >>> from engine import from_expression
    >>> at_step(situation_of(from_expression("y = a*b", {"a": 2, "b": 3})), 1).frame.grads
    {3: 1.0}
    """
    trace = trace_of(situation)
    if len(trace) > MOST_STEPS:  # `run` limits the passes of mistakes only
        raise EngineError(
            "The pass takes {steps:,} steps; {most:,} is the limit.",
            steps=len(trace),
            most=MOST_STEPS,
        )
    if not 0 <= cursor <= len(trace):
        raise EngineError("The pass ends at step {steps}.", steps=len(trace))
    frame = frame_at(trace, cursor)
    return replace(situation, phase="backward", cursor=cursor, frame=frame)


def at_start(situation: Situation, start: Start, cursor: int = 0) -> Situation:
    """Return the situation where a step begins; `cursor` belongs to a pass.

    A descent or training makes the situation's `epochs` at once, from its graph or its seed.
    """
    if not start:
        return situation
    plain = _live(replace(situation, mode="", hand=None))
    if start == "forward":
        return _in_forward_pass(plain, cursor)
    if start in ("backward", "end"):
        return at_step(plain, cursor if start == "backward" else len(trace_of(plain)))
    if start == "hand":
        return _by_hand(plain, HandRun())
    if start == "descent":
        graph, loss = run_descent(plain.graph, plain.rate, plain.epochs)
        return _live(replace(plain, graph=graph, mode="descent", loss=loss))
    if start == "training":
        return _trained(replace(plain, mode="training"), plain.epochs)
    return plain  # "values": no pass


def _in_forward_pass(situation: Situation, cursor: int) -> Situation:
    if (problem := pass_obstacle(situation.graph)) is not None:
        raise EngineError(problem.sentence)
    trace = run_forward(situation.graph)
    if cursor > len(trace):
        raise EngineError("The forward pass ends at step {steps}.", steps=len(trace))
    return replace(situation, phase="forward", cursor=cursor, frame=frame_at(trace, cursor))


def after_move(situation: Situation, move: Move) -> Situation:
    """Return the situation after a move; EngineError, with a sentence, if it can't be made."""
    return _MOVES[move.verb](situation, move)


def with_values(situation: Situation, values: Mapping[int, float]) -> Situation:
    """Return the situation with other numbers in leaves; the pass stays where it is."""
    return _refreshed(replace(situation, graph=situation.graph.with_values(values)))


def with_graph(situation: Situation, graph: Graph) -> Situation:
    """Return the situation after an edit of the wiring; the pass is back at its beginning."""
    changed = replace(situation, graph=graph, cursor=0, hand=None, mode="")
    if situation.phase == "live" or pass_obstacle(graph) is not None:
        return _live(changed)
    return _refreshed(changed)


def with_rules(situation: Situation, rules: Rules) -> Situation:
    """Return the situation with a mistake on or off; the pass is back at its beginning."""
    if rules is situation.rules:
        return situation
    changed = replace(situation, rules=rules, hand=None)
    if situation.mode == "hand":
        changed = replace(changed, mode="")
    return _refreshed(replace(changed, cursor=0))


def _live(situation: Situation) -> Situation:
    return replace(situation, phase="live", cursor=0, frame=live_frame(situation.graph))


def _refreshed(situation: Situation) -> Situation:
    """Return the situation with its frame computed again, at the same place of the pass."""
    if situation.hand is not None:
        return _by_hand(situation, situation.hand)
    if situation.phase == "live":
        return _live(situation)
    if situation.phase == "forward":
        trace = run_forward(situation.graph)
        return replace(situation, frame=frame_at(trace, situation.cursor))
    return at_step(situation, situation.cursor)


def _by_hand(situation: Situation, hand: HandRun) -> Situation:
    if (problem := pass_obstacle(situation.graph)) is not None:
        raise EngineError(problem.sentence)
    frame = hand.frame(situation.graph)
    return replace(
        situation, hand=hand, mode="hand", phase=frame.phase, cursor=frame.cursor, frame=frame
    )


def _set(situation: Situation, move: Move) -> Situation:
    assert move.node is not None
    return with_values(situation, {move.node: move.number})


def _step(situation: Situation, move: Move) -> Situation:
    return at_step(replace(situation, hand=None, mode=""), int(move.number))


def _fire(situation: Situation, move: Move) -> Situation:
    """Fire a node by hand, also too early; the seed is set first if it has not been."""
    graph, node = situation.graph, move.node
    if situation.hand is None:
        raise EngineError('Nodes fire by hand only after start = "hand".')
    assert node is not None
    hand = situation.hand.helped(graph) if situation.hand.needs_seed else situation.hand
    fired = hand.clicked(graph, node)
    if fired.refused is not None:
        fired = fired.forced(graph)
    if fired.refused is not None:
        raise EngineError("{reason}", reason=hand.obstacle(graph, node))
    return _by_hand(situation, fired)


def _wire(situation: Situation, move: Move) -> Situation:
    assert move.node is not None
    assert move.wire is not None
    return with_graph(situation, connect(situation.graph, move.node, *move.wire))


def _root(situation: Situation, move: Move) -> Situation:
    assert move.node is not None
    return with_graph(situation, mark_root(situation.graph, move.node))


def _unfold(situation: Situation, move: Move) -> Situation:
    assert move.node is not None
    return with_graph(situation, unfold(situation.graph, move.node))


def _mistake(situation: Situation, move: Move) -> Situation:
    return with_rules(situation, CORRECT if move.name == "none" else BY_NAME[move.name])


def _epochs(situation: Situation, move: Move) -> Situation:
    count = int(move.number)
    if situation.mode == "descent":
        graph, loss = run_descent(situation.graph, situation.rate, count)
        epochs = situation.epochs + count
        return _refreshed(replace(situation, graph=graph, loss=loss, epochs=epochs))
    if situation.mode == "training":
        return _trained(situation, situation.epochs + count)
    raise EngineError('Epochs need start = "descent" or start = "training".')


def _update(situation: Situation, move: Move) -> Situation:
    if situation.mode != "descent":
        raise EngineError('An update needs start = "descent".')
    return _epochs(situation, replace(move, number=1.0))


def _rate(situation: Situation, move: Move) -> Situation:
    """Set the rate; a descent goes on with it, a network is trained anew."""
    changed = replace(situation, rate=move.number)
    return _trained(changed, 0) if situation.mode == "training" else changed


def _seed(situation: Situation, move: Move) -> Situation:
    changed = replace(situation, seed=int(move.number))
    return _trained(changed, 0) if situation.mode == "training" else changed


def _h(situation: Situation, move: Move) -> Situation:
    return replace(situation, h=move.number)


def _method(situation: Situation, move: Move) -> Situation:
    return replace(situation, method=move.name)  # pyright: ignore[reportArgumentType]


def _trained(situation: Situation, epochs: int) -> Situation:
    """Return the situation with its network trained from the seed for so many epochs."""
    loss = xor_loss(situation.sizes, situation.rate, situation.seed, epochs)
    return replace(situation, epochs=epochs, loss=loss)


_MOVES: Final[Mapping[Verb, Callable[[Situation, Move], Situation]]] = {
    "set": _set,
    "step": _step,
    "fire": _fire,
    "wire": _wire,
    "root": _root,
    "epochs": _epochs,
    "mistake": _mistake,
    "h": _h,
    "method": _method,
    "rate": _rate,
    "unfold": _unfold,
    "seed": _seed,
    "update": _update,
}


MOST_WEIGHTS = 100
"""Maximum number of weights and biases of a lesson's network: loading a lesson trains it."""


def run_descent(graph: Graph, rate: float, updates: int) -> tuple[Graph, float | None]:
    """Return the graph after so many updates, and the loss of the last forward pass."""
    loop = start(graph, rate)
    for _ in range(updates):
        loop = all_four_steps(loop)
    return loop.graph, loop.loss


def wrong_samples(plane: PlaneFile, graph: Graph) -> int | None:
    """Return how many samples of a plane the weights of a graph get wrong.

    None if the graph is not its network.
    """
    state = plane_learner(plane).state_of(graph)
    return None if state is None else int((~plane_learner(plane).right(state)).sum())


@lru_cache(maxsize=8)
def plane_learner(plane: PlaneFile) -> Learner:
    """Return the network of a plane with its samples; EngineError if they do not fit."""
    from engine.training.learning import Learner, Setup  # most lessons train nothing

    return Learner(Setup(plane.sizes, seed=plane.seed), DATA_SETS[plane.data](plane.seed))


@lru_cache(maxsize=64)
def xor_loss(sizes: tuple[int, ...], rate: float, seed: int, epochs: int) -> float:
    """Return the loss of a network trained on XOR for so many epochs.

    It is kept for the recorder, which plays a draft again after every edit.
    """
    from engine.training.learning import Learner, Setup  # most lessons train nothing

    # each of the b neurons of a layer has a weight for each of the a before, and a bias
    weights = sum((a + 1) * b for a, b in itertools.pairwise(sizes))
    if weights > MOST_WEIGHTS:
        raise EngineError(
            "This network has {count:,} weights; in a lesson it may have {limit}.",
            count=weights,
            limit=MOST_WEIGHTS,
        )
    learner = Learner(Setup(sizes, rate=rate, seed=seed), xor())
    state = learner.start()
    for _ in range(epochs):
        state = learner.epoch(state)
    return learner.loss(state)
