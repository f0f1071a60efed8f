"""Marked step: the step of a pass at which a mark is now, or the reason why it no longer fits.

    Passes(graph)             the passes over one graph, each run once for all its marks
    check_anchor(mark, graph) raises EngineError with the reason if its wire or a node is gone
    step_of(mark, trace)      the step where its event is now

Reasons are clauses, as a list of marks shows them: "wire e.1 is gone".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from app.lessons.lesson import wire_name
from app.lessons.situation import Situation, situation_of, with_rules, with_values
from engine.errors import EngineError
from engine.frame import Phase, frame_at
from engine.graph import Graph, Leaf, OpNode, Root
from engine.names import brief
from engine.problems import pass_obstacle
from engine.rules import BY_NAME, CORRECT
from engine.schedule import EVENT_LIMIT, schedule_of
from engine.study.hand_run import click_slip
from engine.study.lecture import WIRE_KINDS, Mark
from engine.study.question import MOST_STEPS, step_questions
from engine.trace import Trace, run, run_forward

MOST_WORK: Final = 1_000_000
"""Most nodes and steps computed for all marks on one graph together: about a second, 200 MiB."""
_FRAMES_KEPT: Final = 32
"""Frames in the cache: a screen shows two or three of them at once, and needs each often."""

_Key = tuple[str, tuple[tuple[int, float], ...], str]
"""The phase of a pass, its values and its mistake."""


class Passes:
    """The passes over one graph, each run once for all its marks.

    Work is counted against MOST_WORK and results are kept: a mark that `outside` or `trace`
    accepted is never refused later. `after` is called for such marks only.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._outside: dict[_Key, Situation] = {}
        self._traces: dict[_Key, Trace | str] = {}
        """Each pass, or the reason why it can't be run."""
        self._frames: dict[tuple[_Key, int], Situation] = {}
        self._work = 0

    def outside(self, mark: Mark) -> Situation:
        """Return the situation outside of any pass, with the values and mistake of a mark.

        Raises EngineError once all marks take more than MOST_WORK.
        """
        key = ("live", mark.values, mark.mistake)
        if key not in self._outside:
            self._count(len(self.graph.nodes))
            found = situation_of(self.graph)
            if mark.values:
                found = with_values(found, dict(mark.values))
            self._outside[key] = with_rules(found, BY_NAME.get(mark.mistake, CORRECT))
        return self._outside[key]

    def trace(self, mark: Mark) -> Trace:
        """Return the pass of a mark; EngineError, with the reason, if it can't be run.

        The limit is MOST_STEPS for a mark that asks, EVENT_LIMIT for one that shows.
        """
        begun, key = self.outside(mark), _key(mark)
        if key not in self._traces:
            try:
                self._traces[key] = self._run(begun, mark.phase)
            except EngineError as error:
                self._traces[key] = str(error)
        found = self._traces[key]
        if isinstance(found, str):
            raise EngineError("{reason}", reason=found)
        if mark.asks and len(found) > MOST_STEPS:
            raise EngineError(_TOO_LONG, most=MOST_STEPS)
        return found

    def after(self, mark: Mark, cursor: int) -> Situation:
        """Return the situation after `cursor` steps of the pass of a mark."""
        frames, key = self._frames, (_key(mark), cursor)
        if key not in frames:
            if len(frames) == _FRAMES_KEPT:
                del frames[next(iter(frames))]
            trace = self.trace(mark)
            frame = frame_at(trace, cursor)
            frames[key] = replace(self.outside(mark), phase=trace.phase, cursor=cursor, frame=frame)
        return frames[key]

    def _run(self, begun: Situation, phase: Phase) -> Trace:
        graph, root = begun.graph, begun.graph.root
        if (problem := pass_obstacle(graph)) is not None:
            if root is None:
                raise EngineError("the graph has no root")
            raise EngineError(
                "{root} is not computed: a slot of {node} is empty",
                root=node_name(graph, root),
                node=node_name(graph, problem.node),
            )
        assert root is not None
        run_phase = "forward" if phase == "forward" else "backward"
        try:
            steps = len(schedule_of(graph, root, run_phase, begun.rules))
        except EngineError:  # a mistake that takes one step for each path
            steps = EVENT_LIMIT + 1
        if steps > EVENT_LIMIT:
            raise EngineError(_TOO_LONG, most=EVENT_LIMIT)
        self._count(steps)
        return run_forward(graph) if phase == "forward" else run(graph, rules=begun.rules)

    def _count(self, work: int) -> None:
        self._work += work
        if self._work > MOST_WORK:
            raise EngineError("the graph is too large for so many marks")


_TOO_LONG: Final = "the pass takes more than {most:,} steps"


def _key(mark: Mark) -> _Key:
    return (mark.phase, mark.values, mark.mistake)


def node_name(graph: Graph, node: int) -> str:
    """Return the name of a node, shortened."""
    return brief(graph.names.get(node, str(node)))


def anchor_name(graph: Graph, node: int, slot: int | None = None) -> str:
    """Return the name of a node or wire as a mark keeps it: `e` or `e.1`."""
    name = node_name(graph, node)
    return name if slot is None else wire_name_of(name, slot)


def wire_name_of(node: str, slot: int) -> str:
    """Return the name of the wire into a slot of a node."""
    return f"{node}.{slot + 1}"


def check_anchor(mark: Mark, graph: Graph) -> None:
    """Raise EngineError, with the reason, if a wire, node or leaf of a mark is gone."""
    node, slot = mark.node, mark.slot
    if node is not None and node not in graph.nodes:
        raise EngineError("node {name} is gone", name=_kept_name(mark))
    if node is not None and slot is not None:
        inputs = graph.inputs(node)
        if slot >= len(inputs) or inputs[slot] is None:
            raise EngineError("wire {name} is gone", name=anchor_name(graph, node, slot))
    if node is not None and isinstance(graph.nodes[node], Root):
        raise EngineError("a root is no place of a pass")
    for leaf in [n for n, _value in mark.values] + ([] if mark.leaf is None else [mark.leaf]):
        if leaf not in graph.nodes:
            raise EngineError("a leaf that it sets is gone")
        if not isinstance(graph.nodes[leaf], Leaf):
            raise EngineError("{name} is no leaf now", name=node_name(graph, leaf))


def _kept_name(mark: Mark) -> str:
    """Return the name of a node that is gone: as the mark keeps it, else its id."""
    name = mark.name if mark.slot is None else mark.name.rpartition(".")[0]
    return name or str(mark.node)


def step_of(mark: Mark, trace: Trace) -> int:
    """Return the step of a pass at which a mark is now, the nearest one where there are several.

    Raises EngineError, with the reason, if there is none. A mark without a node is at the beginning
    or the end.
    """
    if mark.node is None:
        return len(trace) if mark.step else 0
    steps = _matching_steps(mark, trace)
    if not steps:
        raise EngineError("{reason}", reason=_missing_step_reason(mark, mark.node, trace))
    return min(steps, key=lambda step: abs(step - mark.step))


def _matching_steps(mark: Mark, trace: Trace) -> Sequence[int]:
    """Return the steps with the event of a mark, and with its question if that is about a step."""
    node, schedule = mark.node, trace.schedule
    assert node is not None
    if mark.asks == "next":
        found = [k for k, actor in enumerate(schedule.actors, 1) if actor == node]
        found = [k for k in found if step_questions(trace, k, ("next",))]
        return [k for k in found if click_slip(trace, k, node) is None]
    found = schedule.steps_of.get(node if mark.slot is None else (node, mark.slot), [])
    if mark.asks in WIRE_KINDS:
        return [k for k in found if step_questions(trace, k, (mark.asks,))]
    return found


def _missing_step_reason(mark: Mark, node: int, trace: Trace) -> str:
    """Return why a pass has no step for a mark whose wire and nodes are there."""
    graph, plan = trace.graph, trace.graph.plan(trace.root)
    name = node_name(graph, node)
    if mark.phase == "forward":
        if not isinstance(graph.nodes[node], OpNode):
            return f"{name} is given now, not computed"
        return f"{name} is not on the way to {node_name(graph, trace.root)} now"
    if node not in plan.with_gradient:
        return f"{name} gets no gradient now"
    if mark.asks == "next":
        return _not_next_reason(node, trace)
    if mark.slot is None:
        return f"nothing is passed to {name} now"
    source = graph.source((node, mark.slot))
    assert source is not None  # check_anchor has refused an empty slot
    if source not in plan.with_gradient:
        return f"{node_name(graph, source)} gets no gradient now"
    wire = wire_name(graph, (node, mark.slot))
    if mark.asks == "sum" and (node, mark.slot) in trace.schedule.wires:
        return f"the sum after {wire} is the contribution itself now"
    return f"nothing is passed along {wire} now"


def _not_next_reason(node: int, trace: Trace) -> str:
    """Return why it can't be asked of a node whether it fires next."""
    name = node_name(trace.graph, node)
    if trace.rules is not CORRECT and node in trace.schedule.actors:
        return f"{name} fires before it may under this mistake"
    return f"{name} does not fire after another node now"
