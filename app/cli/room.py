"""Room: how large nodes and wire labels are about to be, reckoned without a screen.

The window measures texts; here a letter counts for its usual width, so that a file that is made
on the command line opens with enough room for all the numbers of its backward pass.
"""

from app.style import sizes
from app.style.numbers import short, signed
from engine.errors import EngineError
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Constant, Graph, Leaf, Root
from engine.graphviz import RANK_GAP
from engine.trace import run

DIGIT = 8.5
LETTER = 8.0
CHIP = 30.0
LEDGER = 48.0
WIDEST_GAP = 320.0
_SHORT = 4
"""A number of so many characters fits into a node of the usual width."""


class Room:
    """The sizes of one graph's nodes and the gap that its wire labels need."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._frame = _last_frame(graph)

    @property
    def gap(self) -> float:
        """The room between columns: the longest label, its distances, and the bend."""
        longest = 0
        for event in self._frame.fired.values():
            numbers = short(event.upstream), short(event.local), signed(event.contribution)
            longest = max(longest, len(" × ".join(numbers)))
        needed = LETTER * longest + sizes.COLUMN_GAP + sizes.BEND[0]
        return min(max(RANK_GAP, needed), WIDEST_GAP)

    def size(self, node: int) -> tuple[float, float]:
        """Width and height of a node, with its ledger where it has one."""
        found = self._graph.nodes[node]
        slots = len(self._graph.inputs(node))
        height = float(sizes.NODE_HEIGHT_THREE if slots > 2 else sizes.NODE_HEIGHT)
        if isinstance(found, Root):
            return (sizes.ROOT_WIDTH + self._more(found.input), height)
        plain = sizes.LEAF_WIDTH if isinstance(found, Leaf | Constant) else sizes.OP_WIDTH
        width = plain + self._more(node) + self._slopes(node)
        chips = self._frame.ledger(node)[: sizes.CHIPS_SHOWN]
        if len(chips) < 2:
            return (width, height)
        texts = [signed(chip.event.contribution) for chip in chips if chip.event is not None]
        total = len(short(self._frame.grads.get(node, 0.0)))
        ledger = LEDGER + sum(LETTER * len(text) + CHIP for text in texts) + DIGIT * total
        return (max(width, ledger, sizes.LEDGER_WIDTHS[0]), height + sizes.LEDGER)

    def _more(self, node: int | None) -> float:
        """What a node is wider than usual for its value and gradient."""
        if node is None:
            return 0.0
        known = (self._frame.values.get(node, 0.0), self._frame.grads.get(node, 0.0))
        return DIGIT * max(0, max(len(short(number)) for number in known) - _SHORT)

    def _slopes(self, node: int) -> float:
        """What a node is wider than usual for its local derivatives."""
        fired = (self._frame.fired.get((node, k)) for k in range(len(self._graph.inputs(node))))
        lengths = [len(short(event.local)) for event in fired if event is not None]
        return DIGIT * max(0, max(lengths, default=0) - _SHORT)


def _last_frame(graph: Graph) -> Frame:
    """The end of the backward pass, or live values where there can be none."""
    try:
        trace = run(graph)
    except EngineError:
        return live_frame(graph)
    return frame_at(trace, len(trace))
