"""Played task: a pass by hand, or updates of leaves, on the page of a lesson.

    fire by hand      the node that is clicked fires, also too early
    update            each leaf goes against its gradient, epoch by epoch

The page counts clicks and computes; the sentences are the window's, with holes for numbers, written
at one state for all that differ in numbers alone.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Final

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from app.controls.spans import filled
from app.document.sheet import Sheet
from app.lessons.lesson import Step
from app.lessons.situation import Situation
from app.takeaway.live_page import live_page
from app.takeaway.page_data import (
    Chosen,
    DescentData,
    HandData,
    HandEnd,
    MoveData,
    PageCheck,
    PassData,
    RefusalData,
    TaskData,
    TurnData,
)
from app.takeaway.page_parts import events_state, state_change, state_of, text_of
from app.workbench.gradients.formulas import grad_name
from app.workbench.modes.loop import NOTHING_MOVES, STEPS, Epoch, LoopState, Move, new_loop
from app.workbench.modes.mode import ByHand
from app.workbench.playback.view_state import ViewState
from app.workbench.words import hand, loop_strip
from engine.asking.hand_run import EarlyClick, HandRun, obstacle_to, waits_for
from engine.asking.number_fields import fields_of
from engine.conditions import Formulas, choices
from engine.formats.native import json_number
from engine.frame import Frame, frame_at, live_frame
from engine.graph import Graph, Root
from engine.numbers import HOLE_BEGINS, HOLE_ENDS, Digits, FieldNumber, short
from engine.trace import Trace, run

MOST_WAITS: Final = 4
"""Most nodes that one waits for in a pass by hand: what is said depends on which have fired."""
MOST_NODES: Final = 60
"""Most nodes that fire by hand: among more nobody finds the next."""
BEGIN: Final = "Click the root **{root}**: it gets its seed, 1. {root} changes as fast as itself."
PRESS: Final = "Press **1 epoch**."
_COUNT: Final = f"{HOLE_BEGINS}clicks:9{HOLE_ENDS}"
_EPOCHS: Final = f"{HOLE_BEGINS}epochs:9{HOLE_ENDS}"
_MANY: Final = 2
"""Early clicks from which their number is a hole."""


class PlayedTask(Struct, frozen=True):
    """A task, the frame at which it begins, and one at its end with fields in place of numbers."""

    data: TaskData
    begun: Frame
    end: Frame


def played_task(
    step: Step, begun: Situation, checks: Sequence[PageCheck], digits: Digits, formulas: Formulas
) -> PlayedTask | None:
    """Return the task of a step by hand or of a descent; None if no page can do it.

    `checks` are its rows.
    """
    trace = run(begun.graph)
    live = live_page(trace, digits)
    verbs = {move.verb for move in step.moves}
    if live is None:
        return None
    data = TaskData([PassData("", live)], list(checks))
    if begun.mode == "hand" and verbs == {"fire"}:
        shows = [move.node for move in step.moves if move.node is not None]
        return _by_hand(data, trace, shows, digits)
    if begun.mode == "descent" and not begun.epochs and verbs <= {"update", "epochs"} and verbs:
        shows = [int(m.number) if m.verb == "epochs" else 1 for m in step.moves]
        return _descent(data, trace, begun.rate, shows, digits, formulas)
    return None


# by hand


def _by_hand(
    data: TaskData, trace: Trace, shows: Sequence[int], digits: Digits
) -> PlayedTask | None:
    graph = trace.graph
    root, turns = trace.root, HandRun().turns(graph)
    awaited = {node: _awaited(graph, root, node) for node in turns}
    if len(turns) > MOST_NODES or any(len(nodes) > MOST_WAITS for nodes in awaited.values()):
        return None
    fields = _with_upstream(fields_of(trace))
    begun = frame_at(fields, 0)
    seeded = frame_at(fields, 1)
    view = _view(HandRun(seed=1.0), seeded)
    change = state_change(state_of(begun, digits), state_of(seeded, digits))
    written: dict[str, TurnData] = {}
    for node in (n for n in graph.nodes if not isinstance(graph.nodes[n], Root)):
        after = [*turns[: turns.index(node) + 1]] if node in turns else []
        turn = TurnData(obstacle_to(graph, root, after, node), graph.brief(node))
        if node in turns:
            turn.waits = awaited[node]
            turn.move = _move(fields, tuple(after), digits)
            turn.refusals = {
                str(mask): _refusal(graph, node, mask, awaited[node], digits)
                for mask in range(1, 2 ** len(awaited[node]))
            }
        written[str(node)] = turn
    total = len(turns)
    data.hand = HandData(
        text_of(filled(BEGIN, root=graph.brief(root))),
        HandRun().obstacle(graph, turns[-1] if turns else root),
        MoveData(text_of(hand.turn_text(view, digits)), change),
        written,
        [hand.FIRED_COUNT.format(fired=k, total=total) for k in range(total)],
        _end(graph, root, turns, digits),
        list(shows),
    )
    return PlayedTask(data, begun, frame_at(fields, len(fields)))


def _awaited(graph: Graph, root: int, node: int) -> list[int]:
    """Return the nodes whose contributions a node waits for, each once."""
    return list(dict.fromkeys(target for target, _slot in waits_for(graph, root, (), node)))


def _with_upstream(fields: Trace) -> Trace:
    """Return a pass of fields whose upstream gradients have keys of their own.

    They depend on what has come before the node fires.
    """
    probes = (1.25 + 1.0 / k for k in count(3))
    events = (
        event if event.wire is None else replace(event, upstream=FieldNumber(next(probes), f"u{k}"))
        for k, event in enumerate(fields.events)
    )
    return dataclasses.replace(fields, events=tuple(events))


def _view(run: HandRun, frame: Frame) -> ViewState:
    return ViewState(Sheet(frame.graph), frame, mode=ByHand(run))


def _move(fields: Trace, fired: tuple[int, ...], digits: Digits) -> MoveData:
    """Return what the last of some nodes does when it fires, the others having fired before."""
    node = fired[-1]
    steps = [k for k, event in enumerate(fields.events, 1) if event.sender == node and event.wire]
    frame = frame_at(fields, steps[-1])
    events = [fields.events[k - 1] for k in steps]
    texts = events_state(events, fields.graph, digits)
    says = hand.turn_text(_view(HandRun(seed=1.0, fired=fired), frame), digits)
    return MoveData(text_of(says), state_change({}, texts))


def _refusal(
    graph: Graph, node: int, mask: int, awaited: Sequence[int], digits: Digits
) -> RefusalData:
    """Return what is said of a node that is clicked while some awaited ones are missing."""
    missing = tuple(each for k, each in enumerate(awaited) if mask >> k & 1)
    fired = tuple(each for each in awaited if each not in missing)
    before = HandRun(seed=1.0, fired=fired)
    frame = before.frame(graph)
    if node in frame.grads:
        held = FieldNumber(1.5, f"g{node}")
        frame = dataclasses.replace(frame, grads={**frame.grads, node: held})
    view = _view(before.clicked(graph, node), frame)
    found = hand.refusal(view, digits)
    assert found is not None
    title, line = hand.refusal_texts(graph, found)
    remark = hand.early_click_remark(graph, EarlyClick(len(fired), node, missing))
    return RefusalData(text_of(title), text_of(line), hand.why_the_order(view, digits), remark)


def _end(graph: Graph, root: int, turns: Sequence[int], digits: Digits) -> HandEnd:
    """Return the texts of the end of a pass by hand."""
    works = [text_of(hand.end_title(len(turns), clicks=k)) for k in range(_MANY + 1)]
    works[_MANY] = [
        [_COUNT, *each[1:]] if isinstance(each, list) and each[0] == str(_MANY) else each
        for each in works[_MANY]
    ]
    early = [text_of(hand.end_title(len(turns), early=k)) for k in range(1, len(turns))]
    program = hand.names_listed(graph, tuple(turns))
    one = hand.ranks_sentence(HandRun(), graph)
    order = [hand.IN_ORDER_OF_PROGRAM, hand.IN_ANOTHER_ORDER.replace("{program}", program)]
    wrong = {
        str(node): hand.WRONG_GRADIENT.format(
            held_in=grad_name(graph, node),
            grad=short(FieldNumber(1.5, f"g{node}"), digits),
            right=short(FieldNumber(1.5, f"r{node}"), digits),
        )
        for node in sorted(graph.plan(root).with_gradient)
    }
    return HandEnd(
        works, early, [one] if one else order, hand.FIRED_EARLY, hand.FIRED_EARLY_IN_VAIN, wrong
    )


# descent


def _descent(
    data: TaskData,
    trace: Trace,
    rate: float,
    shows: Sequence[int],
    digits: Digits,
    formulas: Formulas,
) -> PlayedTask:
    graph, root = trace.graph, trace.root
    loop = new_loop(graph, rate)
    end = frame_at(fields_of(trace), len(trace))
    begun = loop.frame(live_frame(graph), graph)
    begun = dataclasses.replace(begun, values={n: end.values[n] for n in begun.values})
    later = _loop_of_fields(loop, end.values)
    first = replace(later, epochs=later.epochs[1:], at=1)

    def written(now: LoopState) -> Chosen:
        def write() -> object:
            return text_of(loop_strip.trouble(now) or loop_strip.last_step_text(now))

        return formulas.numbered(choices(write, formulas))

    begins = text_of(loop_strip.beginning_text(loop, filled(PRESS)))
    data.descent = DescentData(
        json_number(rate),
        list(loop.learners),
        state_change(state_of(begun, digits), state_of(end, digits)),
        [begins, *map(written, (first, later, _blocked(first), _blocked(later)))],
        text_of(loop_strip.stale_loss_text(later)),
        loop_strip.EPOCH.format(at=_EPOCHS),
        f"{graph.brief(root)}: ",
        NOTHING_MOVES,
        shows[0],
        sum(shows),
    )
    return PlayedTask(data, begun, end)


def _loop_of_fields(loop: LoopState, values: Mapping[int, float]) -> LoopState:
    """Return a loop after its second update, with fields in place of its numbers."""
    probes = (2.25 + 1.0 / k for k in count(3))

    def fields(letter: str) -> dict[int, float]:
        return {n: FieldNumber(next(probes), f"{letter}{n}") for n in loop.leaves}

    rate, chosen = loop.descent.rate, loop.descent.chosen
    now, before, earlier, grads = map(fields, "vbpd")
    graphs = [_graph_of_fields(loop.graph, each) for each in (earlier, before, now)]
    root = loop.graph.root
    assert root is not None
    losses = [FieldNumber(next(probes), "lost"), values[root], None]
    epochs = tuple(
        Epoch(graph, loss, rate=rate, chosen=chosen)
        for graph, loss in zip(graphs, losses, strict=True)
    )
    moves = {n: Move(before[n], rate, grads[n], now[n]) for n in loop.learners}
    state = replace(loop.descent, graph=graphs[-1], values=values, grads=grads, updates=2)
    return replace(loop, descent=state, epochs=epochs, at=2, done=STEPS, moves=moves)


def _graph_of_fields(graph: Graph, values: Mapping[int, float]) -> Graph:
    """Return a graph with fields in leaves, which else take plain numbers."""
    found = graph.with_values(values)
    for node, value in values.items():
        force_setattr(found.nodes[node], "value", value)
    return found


def _blocked(loop: LoopState) -> LoopState:
    """Return a loop that stops before its next update."""
    at = loop.at - 1
    epochs = loop.epochs[:-1]
    state = replace(loop.descent, graph=epochs[-1].graph, current=True)
    return replace(loop, descent=state, epochs=epochs, at=at, done=STEPS[:-1], moves={})
