"""Hand log: a pass by hand as rows: every turn, refused ones among them, and who waits for whom."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from app.workbench.gradients.formulas import grad_name
from app.workbench.playback.view_state import ViewState
from app.workbench.words.hand import arrived, names_told, sent_by
from engine.frame import Frame
from engine.numbers import DIGITS_SHOWN, Digits, counted, short, signed
from engine.problems import spoken
from engine.rules import CORRECT
from engine.study.hand_run import HandRun

State = Literal["right", "wrong", "refused", "now", "coming"]
"""A turn that was right, one that was early or has another seed than 1, a click that was refused,
the turn that comes next, and a later one.
"""


class Turn(Struct, frozen=True):
    """One turn of a pass by hand; `number` is its place in the learner's order, 0 for the seed.

    `brief` is `detail` in as few words as fit into a box.
    """

    number: int
    title: str
    detail: str
    brief: str
    state: State


def log(shown: ViewState, digits: Digits = DIGITS_SHOWN) -> tuple[Turn, ...]:
    """Return every turn, early clicks among them, and the one that comes next."""
    run, frame = shown.by_hand, shown.frame
    if run is None:
        return ()
    graph, turns = frame.graph, list[Turn]()
    if run.seed is not None:
        assert graph.root is not None
        told = f"{grad_name(graph, graph.root)} = {short(run.seed, digits)}"
        right = run.seed == CORRECT.seed
        turns.append(Turn(0, "seed", f"you set {told}", told, "right" if right else "wrong"))
    early = run.fired_early(graph)
    for place, node in enumerate((*run.fired, None)):
        for click in run.early_clicks:
            if run.place_of(click) == place:
                title = spoken(graph, click.node, brief=True)
                turns.append(Turn(place + 1, title, "too early: it had to wait", "", "refused"))
        if node is not None:
            state: State = "wrong" if node in early else "right"
            turns.append(_turn(frame, node, place + 1, state, digits))
    if not run.is_over(graph):
        number = 0 if run.needs_seed else len(run.fired) + 1
        turns.append(Turn(number, "your turn", "", "", "now"))
    return tuple(turns)


def boxes(shown: ViewState, digits: Digits = DIGITS_SHOWN) -> tuple[Turn, ...]:
    """Return the learner's order: what is done, whose turn it is, and those to come."""
    run = shown.by_hand
    if run is None:
        return ()
    done = [turn for turn in log(shown, digits) if turn.state != "refused"]
    total = len(run.turns(shown.frame.graph)) + (run.phase == "backward")
    coming = (Turn(k, "", "", "", "coming") for k in range(len(done) + 1, total + 1))
    return (*done, *coming)


def _turn(frame: Frame, node: int, number: int, state: State, digits: Digits) -> Turn:
    graph, title = frame.graph, spoken(frame.graph, node, brief=True)
    if frame.phase == "forward":
        value = short(frame.values[node], digits)
        return Turn(number, title, f"is {value}", value, state)
    events = sent_by(frame, node)
    sent = [(graph.brief(event.node), signed(event.contribution, digits)) for event in events]
    detail = ", ".join(f"{number} to {name}" for name, number in sent)
    return Turn(
        number,
        title,
        f"passed {detail or 'nothing'}",
        ", ".join(f"{name} {number}" for name, number in sent),
        state,
    )


def counts(shown: ViewState) -> tuple[int, int, int]:
    """Return how many nodes have fired, of how many, and how many clicks were early."""
    run = shown.by_hand
    if run is None:
        return (0, 0, 0)
    return len(run.fired), len(run.turns(shown.frame.graph)), len(run.early_clicks)


class Waiting(Struct, frozen=True):
    """One node that has not fired: what it is, what is to be said of it, and for whom it waits."""

    node: int
    name: str
    state: str
    rest: str
    ready: bool


def waiting(shown: ViewState, shows_ready: bool) -> tuple[Waiting, ...]:
    """Return each node that has not fired; with `shows_ready` whether it may fire by now."""
    run, frame = shown.by_hand, shown.frame
    if run is None:
        return ()
    graph = frame.graph
    rows = [
        _waiting(run, frame, node, shows_ready)
        for node in run.turns(graph)
        if node not in run.fired
    ]
    if run.phase == "backward" and graph.leaves:
        names = names_told(graph, graph.leaves)
        rows.append(Waiting(graph.leaves[0], names, "leaves pass nothing on", "", False))
    return tuple(rows)


def _waiting(run: HandRun, frame: Frame, node: int, shows_ready: bool) -> Waiting:
    graph = frame.graph
    name, waits = graph.brief(node), run.waits(graph, node)
    if not shows_ready:
        return Waiting(node, name, "not yet", "", False)
    if not waits and run.needs_seed:
        return Waiting(node, name, "waits for the seed", "", False)
    if not waits:
        return Waiting(node, name, "ready", "", True)
    total = len(waits) + len(arrived(frame, node))
    if run.phase == "forward":
        sources = dict.fromkeys(graph.source(wire) for wire in waits)
        who = ", ".join(graph.brief(n) for n in sources if n is not None)
        values = counted(len(waits), "waits for {count} value", "waits for {count} values")
        return Waiting(node, name, values, who, False)
    senders = ", ".join(dict.fromkeys(spoken(graph, t, brief=True) for t, _slot in waits))
    return Waiting(node, name, f"waits for {len(waits)} of {total}", senders, False)
