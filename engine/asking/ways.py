"""Other ways to an answer than its experiment, of which a learner takes one after the other.

Each has a sentence that asks for the same number, and marks for the sheet. None says more than the
experiment does, and only what is true here is offered: a curve where there is one, gears where a
whole 1 moves the root by its gradient, two places where the place makes no difference.

>>> from engine import from_expression
>>> from engine.trace import run
>>> trace = run(from_expression("e = a*b; d = e + a; L = d*f", {"a": 2, "b": -3, "f": -2}))
>>> sent = Question("contribution", 3, 0, 6)  # what e sends to a
>>> for way in ways(sent, trace):
...     print(way.name, way.said.text)
places a at 2 or 10: +0.01 over e alone moves L by +0.06 both times. And for 1?
gears 1 of a on this wire → −3 of e → ? of L. Each 1 of e turns L by −2.
"""

import math
from collections.abc import Collection, Mapping
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.asking.kinds import answer
from engine.asking.nudge import USUAL_CHANGE
from engine.asking.question import Kind, Question, near
from engine.asking.reasons import FIRST_LIMIT, WHICH_WAY, Claim, Said, Spot, two_places
from engine.graph import Graph, Wire
from engine.numbers import DIGITS_SHOWN, Digits, short
from engine.problems import arguments, local_derivative
from engine.rules import CORRECT
from engine.trace import Trace

WayName = Literal["ripple", "arrows", "curve", "places", "gears"]
"""The ways in their order; the ripple is the experiment itself."""
UP, DOWN, OPEN = "▲", "▼", "?"
"""Marks of a node that rises or falls, and of the one that is asked for."""
_READERS_NAMED: Final = 2

_TURNS: Final = "{raised} up, and {moved}. Which way does {watched} go with that?"
_GOES: Final = "{node} goes {turn}"
_CLIMBS: Final = "At {r} = {x} go 1 to the right along the tangent: how far up?"
_CLIMBS_FOR: Final = (
    "At {r} = {x} go 1 to the right along the tangent; {L} goes {upstream} times as far as {n}:"
    " how far?"
)
_GEARS: Final = "1 of {here} → {local} of {n} → ? of {L}. Each 1 of {n} turns {L} by {upstream}."


class Way(Struct, frozen=True):
    """A way to an answer: its name, its sentence, and the texts that stand over nodes."""

    name: WayName
    said: Said
    marks: tuple[tuple[int, str], ...] = ()


def ways(
    question: Question,
    trace: Trace,
    digits: Digits = DIGITS_SHOWN,
    *,
    open_kinds: Collection[Kind] = (),
    typed: float = math.nan,
) -> tuple[Way, ...]:
    """Return the ways to an answer beside its experiment, in their order.

    `open_kinds` are the other kinds that are asked for at this step, `typed` is the last wrong
    number: one of the right size wants its sign.
    """
    if trace.rules is not CORRECT:
        return ()
    if question.kind == "sign":
        return _raised(Spot(question, trace, digits))
    if question.kind not in ("local", "contribution", "sum") or question.wire is None:
        return ()
    spot = Spot(question, trace, digits)
    if not spot.is_sound:
        return ()
    found = (
        _arrows(spot) if near(-answer(question, trace), typed) and typed else None,
        _curve(spot),
        _places(spot),
        None if {"local", "upstream"}.intersection(open_kinds) else _gears(spot),
    )
    return tuple(way for way in found if way is not None and len(way.said.text) <= FIRST_LIMIT)


def _arrows(s: Spot) -> Way | None:
    """Return the directions in which receiver and node go, but for the one that is asked."""
    if s.question.kind == "sum" or not s.at.contribution:
        return None
    if s.question.kind == "local" or s.at_root:
        marks = ((s.receiver, UP), (s.node, OPEN))
        return Way("arrows", s.said(s.filled(WHICH_WAY, {"target": s.field("n")})), marks)
    moved = _GOES.format(node=s.brief(s.node), turn=s.turn("local"))
    names = {"raised": s.field("here"), "watched": s.field("L"), "moved": moved}
    marks = ((s.receiver, UP), (s.node, UP if s.at.local > 0 else DOWN), (s.root, OPEN))
    return Way("arrows", s.said(s.filled(_TURNS, names)), marks)


def _raised(s: Spot) -> tuple[Way, ...]:
    """Return the way of a sign: in which direction the nodes go that read the raised one."""
    wires = [wire for wire in s.wires if wire[0] != s.root]
    readers = {target for target, _slot in wires}
    slopes = {w[0]: local_derivative(s.graph, w, s.trace.values) for w in wires}
    claims = [Claim((w,), w[0], 0.0, slopes[w[0]]) for w in wires]
    if (
        not wires  # nothing stands between it and the root
        or len(readers) < len(wires)
        or len(wires) > _READERS_NAMED
        or not all(slope and math.isfinite(slope) for slope in slopes.values())
        or not s.is_plain
    ):
        return ()
    turns = [s.number(claim, text="up" if claim.effect > 0 else "down") for claim in claims]
    pairs = zip(slopes, turns, strict=True)
    moved = " and ".join(_GOES.format(node=s.brief(node), turn=turn) for node, turn in pairs)
    names = {"raised": s.brief(s.node), "watched": s.field("L"), "moved": moved}
    marks = [(node, UP if slope > 0 else DOWN) for node, slope in slopes.items()]
    said = s.said(s.filled(_TURNS, names))
    return (Way("arrows", said, ((s.node, UP), *marks, (s.root, OPEN))),)


def on_curve(graph: Graph, wire: Wire, values: Mapping[int, float], x: float) -> float:
    """Return the value of a wire's node if the input along the wire were x."""
    node, slot = wire
    given = [x if k == slot else y for k, y in enumerate(arguments(graph, node, values))]
    return graph.op(node).forward(*given)


def _is_curved(s: Spot) -> bool:
    """Return whether the slope along the wire is another one where its input is 1 more."""
    op, inputs = s.op, list(s.at.inputs)
    inputs[s.question.slot] += 1.0
    slope = op.partials[s.question.slot](*inputs, op.forward(*inputs))
    return not s.same(slope, s.at.local)


def _curve(s: Spot) -> Way | None:
    if s.question.kind == "sum" or not _is_curved(s):
        return None
    if s.question.kind == "local" or s.at_root:
        return Way("curve", s.said(s.filled(_CLIMBS), s.at.local))
    names = {"upstream": replace(s.rate("upstream"), change=0.0)}
    return Way("curve", s.said(s.filled(_CLIMBS_FOR, names), s.at.contribution))


def _places(s: Spot) -> Way | None:
    """Return the experiment at two places."""
    if s.question.kind == "sum" or s.step != USUAL_CHANGE or not answer(s.question, s.trace):
        return None  # what it moves in all is more than its shares
    of_slope = s.question.kind == "local"
    told = two_places(s, of_slope=of_slope)
    here, place = s.trace.values[s.receiver], s.elsewhere(of_slope=of_slope)
    marks = ((s.receiver, f"{short(here, s.digits)} | {short(place, s.digits)}"),)
    return None if told is None else Way("places", told, marks)


def _gears(s: Spot) -> Way | None:
    if s.question.kind != "contribution" or s.at_root or not s.steady or not s.at.local:
        return None
    marks = ((s.receiver, "1"), (s.node, short(s.at.local, s.digits)), (s.root, OPEN))
    return Way("gears", s.said(s.filled(_GEARS), s.at.contribution), marks)
