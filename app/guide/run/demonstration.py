"""Demonstration: makes the moves of Show me, each by the part that does it in the window."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from app.document.document import Document
from app.lessons.situation import Method, Move, Verb
from app.workbench.playback.playback import Playback
from app.workbench.runners.hunt_runner import HuntRunner
from app.workbench.runners.loop_runner import LoopRunner
from app.workbench.runners.quiz_runner import QuizRunner
from app.workbench.selection import Selection
from app.workbench.trials.gradient_checks import Checks
from engine.rules import BY_NAME, CORRECT

if TYPE_CHECKING:
    from app.workbench.training import Training


MOVE_INTERVAL_MS = 420
"""Time in ms between two moves of Show me, to see what the first one changed."""


class Tools(Struct, frozen=True):
    """The parts of the workbench that a lesson uses."""

    document: Document
    playback: Playback
    selection: Selection
    quiz: QuizRunner
    hunting: HuntRunner
    loops: LoopRunner
    checks: Checks
    training: Callable[[], Training]
    """Returns the network of the page Train, made when it is first needed."""


class Demonstration(QObject):
    """Makes a list of moves, one every MOVE_INTERVAL_MS."""

    finished = Signal()
    """Emitted after the last move."""

    def __init__(self, tools: Tools, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tools = tools
        self._moves: list[Move] = []
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._advance)

    def begin(self, moves: Sequence[Move]) -> None:
        """Make these moves, the first after one interval."""
        self._moves = [*moves]
        self._timer.start(MOVE_INTERVAL_MS)

    def stop(self) -> None:
        """Make no further move."""
        self._timer.stop()
        self._moves = []

    def _advance(self) -> None:
        if self._moves:
            move = self._moves.pop(0)
            perform(self._tools, move)
        if not self._moves:
            self._timer.stop()
            self.finished.emit()


def perform(tools: Tools, move: Move) -> None:
    """Make one move, as a learner would."""
    _PERFORM[move.verb](tools, move)


def _move_node(move: Move) -> int:
    assert move.node is not None
    return move.node


def _step(tools: Tools, move: Move) -> None:
    """Go to a step of the backward pass, which begins if it has not."""
    if tools.playback.phase != "backward":
        tools.playback.backward()
    tools.playback.go(int(move.number))


def _fire(tools: Tools, move: Move) -> None:
    """Fire a node, also one that should wait; the seed is set first."""
    hand = tools.quiz.by_hand
    if hand.now is not None and hand.now.needs_seed:
        hand.set_seed(1.0)
    hand.click(_move_node(move))
    if hand.now is not None and hand.now.refused is not None:
        hand.force()


def _wire(tools: Tools, move: Move) -> None:
    assert move.wire is not None
    tools.document.wires.connect(_move_node(move), *move.wire)


def _loop_on(tools: Tools) -> LoopRunner | Training:
    """Return the descent if it is on, else the network of the page Train."""
    return tools.loops if tools.loops.now is not None else tools.training()


def _set_method(tools: Tools, move: Move) -> None:
    method: Method = move.name  # pyright: ignore[reportAssignmentType]
    tools.checks.set_method(method)


def _set_seed(tools: Tools, move: Move) -> None:
    training = tools.training()
    training.change(replace(training.setup, seed=int(move.number)))


_PERFORM: Final[Mapping[Verb, Callable[[Tools, Move], object]]] = {
    "set": lambda tools, move: tools.document.set_value(_move_node(move), move.number),
    "step": _step,
    "fire": _fire,
    "wire": _wire,
    "root": lambda tools, move: tools.document.mark_root(_move_node(move)),
    "epochs": lambda tools, move: _loop_on(tools).run(int(move.number)),
    "mistake": lambda tools, move: tools.playback.set_rules(BY_NAME.get(move.name, CORRECT)),
    "h": lambda tools, move: tools.checks.set_h(move.number),
    "method": _set_method,
    "rate": lambda tools, move: _loop_on(tools).set_rate(move.number),
    "unfold": lambda tools, move: tools.document.unfolding.open(_move_node(move)),
    "seed": _set_seed,
    "update": lambda tools, _move: tools.loops.run(1),
}
