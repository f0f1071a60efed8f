"""Live numbers: the references in a lesson's texts as numbers of a frame, or as plain text.

>>> from engine import from_expression
>>> from app.lessons.situation import at_start, situation_of
>>> end = at_start(situation_of(from_expression("y = a*b", {"a": 2, "b": 3})), "end")
>>> plain_text("**a** holds {a.grad}.", end.frame)
'a holds 3.'
"""

from __future__ import annotations

from app.lessons.lesson import LiveNumber, live_number, text_pieces
from engine.errors import EngineError
from engine.frame import Frame
from engine.graph import Wire
from engine.numbers import HIDDEN, NOT_COMPUTED, short, signed


def known_number(target: LiveNumber, frame: Frame) -> float | None:
    """Return the number of a reference; HIDDEN while it is asked for, None before it is computed.

    A loss is the value of a node of this name.
    """
    if target.kind == "loss":
        node = frame.graph.node_named("loss")
        return None if node is None else frame.values.get(node)
    if target.wire is not None:
        known = _known_slope if target.kind == "local" else _known_contribution
        return known(frame, target.wire)
    assert target.node is not None
    if target.kind == "value":
        return frame.values.get(target.node)
    return HIDDEN if target.node in frame.finals else frame.grads.get(target.node)


def plain_text(text: str, frame: Frame) -> str:
    """Return a text of a lesson without its markup, its references replaced by numbers."""
    return "".join(
        _plain_number(piece.text, frame) if piece.kind == "live" else piece.text
        for piece in text_pieces(text)
    )


def _plain_number(reference: str, frame: Frame) -> str:
    try:
        target = live_number(reference, frame.graph)
    except EngineError:  # the node was removed
        return NOT_COMPUTED
    number = known_number(target, frame)
    if number is None:
        return NOT_COMPUTED
    return signed(number) if target.kind == "contribution" else short(number)


def _known_contribution(frame: Frame, wire: Wire) -> float | None:
    """Return the contribution along a wire; HIDDEN while it is asked for, None before its step."""
    event = frame.fired.get(wire)
    if event is not None:
        return event.contribution
    following = frame.next_event
    if following is not None and following.wire == wire and following.contribution is HIDDEN:
        return HIDDEN
    return None


def _known_slope(frame: Frame, wire: Wire) -> float | None:
    """Return the slope along a wire; None until the node has fired along it."""
    event = frame.fired.get(wire)
    return None if event is None else event.local
