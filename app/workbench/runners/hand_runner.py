"""HandRunner: begins and ends passes by hand, and does what the learner does in one."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from app.workbench.modes.by_hand import HINTS, ByHand
from app.workbench.modes.mode import STEPPING
from app.workbench.playback.playback import Playback
from engine.graph import Graph, Root
from engine.rules import CORRECT
from engine.schedule import Pass
from engine.study.hand_run import HandRun
from engine.study.question import MOST_STEPS

_TOO_LONG = "By hand is for passes of up to {most:,} steps; this one has {steps:,}."
_NOTHING = {
    "backward": "Nothing fires: no leaf leads to {root}, so nothing requires a gradient.",
    "forward": "Nothing is computed: {root} is given.",
}
_WITHOUT_MISTAKE = "By hand goes by the correct rules: {title} has been switched off."


class HandRunner(QObject):
    """The pass by hand of one playback; how far it is belongs to the playback."""

    seed_wanted = Signal()
    """Emitted when the learner turns to the root to set the seed."""
    changed = Signal()
    """Emitted after it was chosen whether ready nodes are shown."""

    def __init__(self, playback: Playback, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._playback = playback
        self._shows_ready = True

    @property
    def now(self) -> HandRun | None:
        """Return the pass that is done by hand, or None."""
        return self._playback.now.by_hand

    @property
    def shows_ready(self) -> bool:
        """Return whether the nodes that may fire are marked."""
        return self._shows_ready

    # beginning and ending

    def toggle(self) -> None:
        """Begin a backward pass by hand, or end the pass by hand that is on."""
        if self.now is None:
            self.begin("backward")
        else:
            self.leave()

    def begin(self, phase: Pass) -> None:
        """Begin a pass by hand, or say why there is nothing to do."""
        playback, graph = self._playback, self._playback.now.sheet.graph
        playback.pause()
        if not playback.can_begin(graph, phase, partial(_obstacle, phase)):
            return
        playback.leave()
        mistake = playback.rules  # once a hunt is over, which would not tell
        playback.set_rules(CORRECT)
        self._go_on(HandRun(phase))
        if mistake != CORRECT:
            playback.said.emit(_WITHOUT_MISTAKE.format(title=mistake.title))

    def leave(self) -> None:
        """End the pass by hand, if there is one."""
        if self.now is not None:
            self._playback.set_mode(STEPPING)

    # turns

    def click(self, node: int) -> None:
        """Let a node fire, or refuse it with its reason; the root asks for the seed first."""
        run, graph = self.now, self._playback.frame.graph
        if run is None or node not in graph.nodes:
            return
        if node == graph.active_root and graph.root is not None:
            node = graph.root
        if run.needs_seed and node == graph.root:
            self.seed_wanted.emit()
        elif not isinstance(graph.nodes[node], Root):
            self._go_on(run.clicked(graph, node))

    def set_seed(self, seed: float) -> None:
        """Set the gradient with which the root starts."""
        if self.now is not None:
            self._go_on(self.now.seeded(seed))

    def force(self) -> None:
        """Let the refused node fire all the same."""
        if self.now is not None:
            self._go_on(self.now.forced(self._playback.frame.graph))

    def take_turn(self) -> None:
        """Take the turn that the program would take."""
        if self.now is not None:
            self._go_on(self.now.helped(self._playback.frame.graph))

    def take_back(self) -> None:
        """Take back the last turn, or the refusal that is shown."""
        if self.now is not None:
            self._go_on(self.now.taken_back())

    # help

    def hint(self) -> None:
        """Give one more hint for this turn."""
        mode = self._playback.now.mode
        if isinstance(mode, ByHand) and not mode.run.is_over(self._playback.frame.graph):
            self._playback.set_mode(replace(mode, hints=min(mode.hints + 1, HINTS)))

    def explain(self) -> None:
        """Say what would be lost if the refused node fired now."""
        mode = self._playback.now.mode
        if isinstance(mode, ByHand) and mode.run.refused is not None:
            self._playback.set_mode(replace(mode, explains=True))

    def set_shows_ready(self, shows: bool) -> None:
        """Mark the nodes that may fire, or leave it to the learner to find them."""
        self._shows_ready = shows
        self.changed.emit()

    def _go_on(self, run: HandRun) -> None:
        self._playback.set_mode(ByHand(run))


def _obstacle(phase: Pass, graph: Graph) -> str:
    """Return why a pass that can run is not for by hand; "" if it is."""
    run = HandRun(phase)
    assert graph.root is not None
    if not run.turns(graph):
        return _NOTHING[phase].format(root=graph.brief(graph.root))
    steps = len(run.trace(graph))
    return _TOO_LONG.format(most=MOST_STEPS, steps=steps) if steps > MOST_STEPS else ""
