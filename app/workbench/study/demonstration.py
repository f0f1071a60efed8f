"""Demonstration: makes the moves of Show me one by one, as the learner would make them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec import Struct
from PySide6.QtCore import QObject, QTimer, Signal

from app.document.document import Document
from app.lessons.situation import Method, Move, Verb
from app.workbench.playback.playback import Playback
from app.workbench.runners.hunt_runner import HuntRunner
from app.workbench.runners.loop_runner import LoopRunner
from app.workbench.runners.quiz_runner import QuizRunner
from app.workbench.selection import Selection
from app.workbench.study.checks import Checks
from engine.rules import BY_NAME, CORRECT

MOVE_MS = 420
"""Time between two moves."""


class Tools(Struct, frozen=True):
    """The parts of the workbench that a lesson uses."""

    document: Document
    playback: Playback
    selection: Selection
    quiz: QuizRunner
    hunting: HuntRunner
    loops: LoopRunner
    checks: Checks


class Demonstration(QObject):
    """Plays a list of moves at MOVE_MS, the first one after that time."""

    finished = Signal()
    """Emitted after the last move."""

    def __init__(self, tools: Tools, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tools = tools
        self._moves: list[Move] = []
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._advance)

    def begin(self, moves: Sequence[Move]) -> None:
        """Make these moves."""
        self._moves = [*moves]
        self._timer.start(MOVE_MS)

    def stop(self) -> None:
        """Make no further move."""
        self._timer.stop()
        self._moves = []

    def _advance(self) -> None:
        if self._moves:
            move = self._moves.pop(0)
            _PERFORM[move.verb](self._tools, move)
        if not self._moves:
            self._timer.stop()
            self.finished.emit()


def _node(move: Move) -> int:
    assert move.node is not None
    return move.node


def _set(tools: Tools, move: Move) -> None:
    tools.document.set_value(_node(move), move.number)


def _step(tools: Tools, move: Move) -> None:
    if tools.playback.phase != "backward":
        tools.playback.backward()
    tools.playback.go(int(move.number))


def _fire(tools: Tools, move: Move) -> None:
    """Fire a node, also one that should wait; the seed is set first."""
    hand = tools.quiz.by_hand
    if hand.now is not None and hand.now.needs_seed:
        hand.set_seed(1.0)
    hand.click(_node(move))
    if hand.now is not None and hand.now.refused is not None:
        hand.force()


def _wire(tools: Tools, move: Move) -> None:
    assert move.wire is not None
    tools.document.wires.connect(_node(move), *move.wire)


def _root(tools: Tools, move: Move) -> None:
    tools.document.mark_root(_node(move))


def _epochs(tools: Tools, move: Move) -> None:
    tools.loops.run(int(move.number))


def _mistake(tools: Tools, move: Move) -> None:
    tools.playback.set_rules(BY_NAME.get(move.name, CORRECT))


def _set_h(tools: Tools, move: Move) -> None:
    tools.checks.set_h(move.number)


def _set_method(tools: Tools, move: Move) -> None:
    method: Method = move.name  # pyright: ignore[reportAssignmentType]
    tools.checks.set_way(method)


def _set_rate(tools: Tools, move: Move) -> None:
    tools.loops.set_rate(move.number)


def _unfold(tools: Tools, move: Move) -> None:
    tools.document.unfolding.open(_node(move))


def _update(tools: Tools, _move: Move) -> None:
    tools.loops.run(1)


def _no_seed(_tools: Tools, _move: Move) -> None:
    """Do nothing: only the network of the page Train has a seed."""


_PERFORM: Final[Mapping[Verb, Callable[[Tools, Move], None]]] = {
    "set": _set,
    "step": _step,
    "fire": _fire,
    "wire": _wire,
    "root": _root,
    "epochs": _epochs,
    "mistake": _mistake,
    "h": _set_h,
    "method": _set_method,
    "rate": _set_rate,
    "unfold": _unfold,
    "seed": _no_seed,
    "update": _update,
}
