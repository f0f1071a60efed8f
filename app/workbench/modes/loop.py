"""LoopState: a training loop done step by step, as an immutable value.

    zero grad · forward · backward · update

Each step gives another value, and a step that can't be done raises EngineError with a sentence.
Epoch k has the parameters after k updates.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import ClassVar, Final, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from app.document.change import Change, are_identical
from app.workbench.modes.mode import STEPPING, Mode
from engine.errors import EngineError
from engine.frame import Frame, frame_at
from engine.graph import Constant, Graph, Leaf, Wire
from engine.trace import Event, run
from engine.training import descent
from engine.training.descent import Descent

PACES: Final[dict[str, int]] = {"5": 5, "50": 50, "full": 0}
"""Epochs per second by the name of a pace; 0 is unlimited."""
DEFAULT_PACE: Final = "5"


def epoch_pause(pace: str) -> int:
    """Return the pause between epochs in ms; 0 without a limit."""
    epochs = PACES[pace]
    return 1000 // epochs if epochs else 0


Step = Literal["zero_grad", "forward", "backward", "update"]
STEPS: Final[tuple[Step, ...]] = ("zero_grad", "forward", "backward", "update")
DEFAULT_RATE: Final = 0.1
"""Learning rate with which a loop begins."""
_INPUT_LABEL: Final = re.compile(r"x_?\d*")
"""Labels of leaves that are read as inputs, which do not learn unless they are chosen."""
NOTHING_MOVES: Final = "Nothing moves any more."
_NOTHING_LEARNS: Final = "No leaf is ticked, so nothing learns. Tick one under Learns."
_NO_BACKWARD: Final = "Run backward first: update goes against the gradients it computes."


class Epoch(Struct, frozen=True):
    """The parameters after some number of updates, and their loss once forward has computed it.

    `used_old_gradients`: the update that led here used gradients that had not been zeroed;
    `rate` is its learning rate, and `chosen` are the leaves that learned; the first epoch has none.
    """

    graph: Graph
    loss: float | None = None
    used_old_gradients: bool = False
    rate: float | None = None
    chosen: frozenset[int] = frozenset()


class Move(Struct, frozen=True):
    """One update of a leaf: value ← before − rate · grad."""

    before: float
    rate: float
    grad: float
    after: float


class LoopState(Mode, frozen=True, dict=True):  # the dict holds the cached properties
    """A loop, the epochs of its run, and how far it is.

    `descent` has the values and gradients of the nodes, the rate and the leaves that learn.
    `epochs` are all epochs of the run, with those after the current one, `at`, if the learner went
    back. `zeroes` says
    whether each epoch of a run begins with zero grad. `done` are the steps since the last update,
    in order; the update stays the last of them until the next step begins. `backward_graph` is the
    graph whose gradients the interior nodes hold, or None. `moves` holds the moves of the last
    update, until forward runs. `leftover_grads` are the leaves' gradients that the last backward
    added to, as they had not been zeroed. `first` is the graph at the beginning of the first run:
    nodes keep the width of its numbers when an edit of a value begins another run.
    """

    name: ClassVar[str] = "loop"
    descent: Descent
    epochs: tuple[Epoch, ...]
    first: Graph
    at: int = 0
    zeroes: bool = True
    done: tuple[Step, ...] = ()
    backward_graph: Graph | None = None
    moves: Mapping[int, Move] = field(default_factory=dict[int, Move])
    leftover_grads: Mapping[int, float] = field(default_factory=dict[int, float])

    @property
    def graph(self) -> Graph:
        """Return the graph with the parameters as they are now."""
        return self.descent.graph

    @property
    def initial_graph(self) -> Graph:
        return self.epochs[0].graph

    @property
    def losses(self) -> tuple[float | None, ...]:
        """Return the losses of the epochs up to the current one; None where there is none yet."""
        return tuple(epoch.loss for epoch in self.epochs[: self.at + 1])

    @property
    def next(self) -> Step:
        """Return the next step in the right order; an epoch may begin without zero grad."""
        last = len(STEPS) - 1 if not self.done else STEPS.index(self.done[-1])
        after = STEPS[(last + 1) % len(STEPS)]
        return STEPS[1] if after == "zero_grad" and not self.zeroes else after

    @property
    def learners(self) -> tuple[int, ...]:
        """Return the leaves that learn, by id."""
        return tuple(sorted(self.descent.chosen))

    @property
    def leaves(self) -> tuple[int, ...]:
        """Return the leaves that lead to the loss, by id: those that can learn."""
        return tuple(sorted(self.descent.grads))

    @property
    def stale(self) -> bool:
        """Return whether the values right of the leaves are from before the last update."""
        return bool(self.descent.values) and not self.descent.current

    def value(self, node: int, epoch: int | None = None) -> float:
        """Return the value of a leaf, now or after a number of updates."""
        found = (self.graph if epoch is None else self.epochs[epoch].graph).nodes[node]
        assert isinstance(found, Leaf)
        return found.value

    @property
    def latest_loss_epoch(self) -> int:
        """Return the epoch whose loss was computed last: this one, or the one before."""
        return self.at if self.losses[self.at] is not None else self.at - 1

    @cached_property
    def loss_with_zero_grad(self) -> float:
        """Return the loss of the scored epoch, had gradients been zeroed before its update."""
        scored = self.epochs[self.latest_loss_epoch]
        assert scored.rate is not None
        start = descent.start(
            self.epochs[self.latest_loss_epoch - 1].graph, scored.rate, scored.chosen
        )
        loss = descent.forward(descent.all_four_steps(start)).loss
        assert loss is not None
        return loss

    @property
    def owns_position(self) -> bool:
        return True

    @property
    def survives_pass(self) -> bool:
        return False

    def belongs_to(self, graph: Graph) -> bool:
        return self.graph is graph

    def after_edit(self, change: Change, graph: Graph) -> Mode:
        return STEPPING if change.wiring or change.whole else self.on_graph(graph)

    def frame(self, frame: Frame, graph: Graph) -> Frame:
        return self._known_frame

    @cached_property
    def _known_frame(self) -> Frame:
        """The values of the last forward and the gradients of the last backward."""
        loop = self.descent
        nodes = loop.graph.nodes.items()
        leaves = {n: x.value for n, x in nodes if isinstance(x, Leaf | Constant)}
        values = {**loop.values, **leaves}
        grads, fired = dict[int, float](), dict[Wire, Event]()
        if self.backward_graph is not None:
            trace = run(self.backward_graph)
            last = frame_at(trace, len(trace))
            grads, fired = {**last.grads}, {**last.fired}
        assert loop.graph.root is not None
        unreachable_leaves = loop.graph.structure.unreachable_leaves(loop.graph.root)
        grads |= loop.grads
        return Frame(
            loop.graph,
            "live",
            cursor=0,
            total=0,
            values=values,
            grads=grads,
            fired=fired,
            unreachable_leaves=unreachable_leaves,
        )

    # what a learner chooses

    def with_rate(self, rate: float) -> LoopState:
        return replace(self, descent=replace(self.descent, rate=rate))

    def with_learners(self, nodes: Iterable[int]) -> LoopState:
        """Return the loop in which these leaves learn."""
        chosen = frozenset(nodes) & self.descent.grads.keys()
        return replace(self, descent=replace(self.descent, chosen=chosen))

    def with_zeroes(self, zeroes: bool) -> LoopState:
        """Return the loop whose epochs begin with zero grad, or leave it out."""
        return replace(self, zeroes=zeroes)

    # the steps

    def do(self, step: Step) -> LoopState:
        """Return the loop after one of the four steps, which may be done in any order."""
        before = () if "update" in self.done else self.done
        now = {
            "zero_grad": self._after_zero_grad,
            "forward": self._after_forward,
            "backward": self._after_backward,
            "update": self._after_update,
        }[step]()
        return replace(now, done=(*before, step))

    def finish_epoch(self) -> tuple[LoopState, str]:
        """Return the loop at the end of this epoch, and why the loop should stop, or "".

        It stops before an update that would spread numbers that are not finite.
        """
        now = self
        for step in STEPS[STEPS.index(self.next) :]:
            if step == "zero_grad" and not self.zeroes:
                continue
            if step == "update" and (sentence := now.obstacle()):
                return now, sentence
            now = now.do(step)
        graph = self.graph
        return now, "" if now.graph is not graph else NOTHING_MOVES

    def obstacle(self) -> str:
        """Return the sentence about a number that is not finite and would spread; else ""."""
        loss, graph = self.descent.loss, self.graph
        if loss is not None and not math.isfinite(loss):
            assert graph.root is not None
            return f"{graph.brief(graph.root)} is {_value_word(loss)}."
        for node in self.learners:
            if not math.isfinite(self.descent.grads[node]):
                number = _value_word(self.descent.grads[node])
                return f"The gradient of {graph.brief(node)} is {number}."
        return ""

    def at_epoch(self, epoch: int) -> LoopState:
        """Return the loop after a number of updates, with its values but without gradients."""
        at = max(0, min(epoch, len(self.epochs) - 1))
        graph, loss = self.epochs[at].graph, self.epochs[at].loss
        loop = descent.start(graph, self.descent.rate, self.descent.chosen)
        now = LoopState(replace(loop, updates=at), self.epochs, self.first, at, self.zeroes)
        return now if loss is None else now.do("zero_grad").do("forward")

    def on_graph(self, graph: Graph) -> LoopState:
        """Return the loop on the document's graph: an epoch of this run, or a new run."""
        if graph is self.graph:
            return self
        if graph == self.graph:  # the run is back at its beginning, whose sheet the document keeps
            epochs = list(self.epochs)
            epochs[self.at] = replace(epochs[self.at], graph=graph)
            return replace(self, descent=replace(self.descent, graph=graph), epochs=tuple(epochs))
        for k, epoch in enumerate(self.epochs):
            if epoch.graph is graph:
                return self.at_epoch(k)
        now = new_loop(graph, self.descent.rate, self.zeroes, self.descent.chosen)
        only_values_differ = self.first.structure is graph.structure
        return replace(now, first=self.first) if only_values_differ else now

    # private

    def _after_zero_grad(self) -> LoopState:
        loop = descent.zero_grad(self.descent)
        return replace(self, descent=loop, backward_graph=None, leftover_grads={})

    def _after_forward(self) -> LoopState:
        loop = descent.forward(self.descent)
        epochs = list(self.epochs)
        epochs[self.at] = replace(epochs[self.at], loss=loop.loss)
        # an update needs gradients of this forward pass; those left are of the one before
        return replace(self, descent=loop, epochs=tuple(epochs), backward_graph=None, moves={})

    def _after_backward(self) -> LoopState:
        loop = descent.backward(self.descent)
        leftover_grads = {n: x for n, x in self.descent.grads.items() if x}
        # after an update without forward, backward still uses the values before the update
        values = {n: self.descent.values[n] for n in self.descent.chosen}
        backward_graph = self.graph if self.descent.current else self.graph.with_values(values)
        return replace(
            self, descent=loop, backward_graph=backward_graph, leftover_grads=leftover_grads
        )

    def _after_update(self) -> LoopState:
        loop, graph = self.descent, self.graph
        if not loop.chosen:
            raise EngineError(_NOTHING_LEARNS)
        if self.backward_graph is None:
            raise EngineError(_NO_BACKWARD)
        after = descent.update(loop)
        unchanged = all(are_identical(after.graph.nodes[n], graph.nodes[n]) for n in loop.chosen)
        if unchanged:
            after = replace(after, graph=graph)
        now = replace(self, descent=after)
        moves = {
            n: Move(self.value(n), loop.rate, loop.grads[n], now.value(n)) for n in self.learners
        }
        if unchanged:  # the epoch stays as well
            return replace(now, descent=replace(after, current=True, updates=self.at), moves=moves)
        next_epoch = Epoch(
            after.graph,
            used_old_gradients=bool(self.leftover_grads),
            rate=loop.rate,
            chosen=loop.chosen,
        )
        epochs = (*self.epochs[: self.at + 1], next_epoch)
        return replace(now, epochs=epochs, at=self.at + 1, moves=moves)


def new_loop(
    graph: Graph,
    rate: float = DEFAULT_RATE,
    zeroes: bool = True,
    chosen: Iterable[int] | None = None,
) -> LoopState:
    """Return a loop before its first step.

    Without `chosen` the leaves that lead to the loss learn, except those labelled as inputs (x, x1,
    x_2) if there are others. Raises EngineError without a root, and if there is no leaf.
    """
    loop = descent.start(graph, rate)
    leaves = loop.grads.keys()
    if not leaves:
        assert graph.root is not None
        root = graph.brief(graph.root)
        raise EngineError("Nothing can learn: no leaf leads to {root}.", root=root)
    if chosen is None:
        inputs = {n for n in leaves if _INPUT_LABEL.fullmatch(graph.label(n))}
        chosen = leaves - inputs or leaves
    loop = replace(loop, chosen=frozenset(chosen) & leaves)
    return LoopState(loop, (Epoch(graph),), graph, zeroes=zeroes)


def _value_word(x: float) -> str:
    return "nan" if math.isnan(x) else "infinite"
