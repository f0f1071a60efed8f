"""Texts with live numbers, as spans.

    {a}           value of a                    {e.1}         contribution of e along slot 1
    {a.grad}      gradient of a                 {e.1.local}   slope of e along slot 1
    {loss}        loss of the training          **bold**, `code`

A number that is not known yet is `–`; one that an open question asks for is `?`.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from app.controls.spans import Span, Spans, filled, number_span
from app.lessons.lesson import LiveNumber, known_number, live_number, text_pieces
from app.workbench.playback.view_state import ViewState
from engine.errors import EngineError
from engine.frame import frame_at
from engine.numbers import ASKED, HIDDEN, NOT_COMPUTED, Digits, short, signed

_COLOURS: Final = {
    "value": "value",
    "grad": "gradient",
    "contribution": "contribution",
    "local": "local",
    "loss": "value",
}
"""The kind of each live number, which gives its colour."""


def hint_spans(text: str, now: ViewState, digits: Digits) -> Spans:
    """Return a hint as `live_spans`; a step that is not reached yet has its numbers in it."""
    trace = now.frame.trace
    if trace is not None and now.frame.phase == "backward" and not now.asks:
        now = replace(now, frame=frame_at(trace, len(trace)))
    return live_spans(text, now, digits)


def live_spans(text: str, now: ViewState, digits: Digits) -> Spans:
    """Return a text of a lesson as spans, its references replaced by numbers of the view state."""
    return tuple(
        live_span(piece.text, now, digits)
        if piece.kind == "live"
        else Span(piece.text, bold=piece.kind == "bold", code=piece.kind == "code")
        for piece in text_pieces(text)
    )


def live_span(reference: str, now: ViewState, digits: Digits) -> Span:
    """Return the number of a reference such as `a.grad` as a span.

    It is not known if the learner has removed the node.
    """
    frame = now.frame
    try:
        target = live_number(reference, frame.graph)
    except EngineError:
        return Span(NOT_COMPUTED, "secondary")
    number = _loss(now) if target.kind == "loss" else known_number(target, frame)
    return _number_or_blank(number, _COLOURS[target.kind], digits)


def _loss(now: ViewState) -> float | None:
    """Return the loss computed last: of the descent that is on, else the value of a node `loss`."""
    loop = now.loop
    if loop is None:
        return known_number(LiveNumber("loss"), now.frame)
    return loop.losses[loop.latest_loss_epoch] if loop.latest_loss_epoch >= 0 else None


def _number_or_blank(number: float | None, kind: str, digits: Digits) -> Span:
    """Return a number in the colour of its kind; `–` for None, `?` for HIDDEN."""
    if number is None:
        return Span(NOT_COMPUTED, "secondary")
    if number is HIDDEN:
        return Span(ASKED, "selection", bold=True)
    if kind == "contribution":
        return number_span(number, "gradient", signed(number, digits))
    return number_span(number, kind, short(number, digits))


_GUESSED: Final = "You guessed {typed}; it is {right}."
_NAMED_GUESS: Final = "**{name}**: you guessed {typed}; it is {right}."


def guess_text(typed: str, right: str, name: str = "") -> Spans:
    """Return a guess beside the truth, `a.grad: you guessed 3; it is 5.`"""
    numbers = {"typed": Span(typed, bold=True), "right": Span(right, bold=True)}
    return filled(_NAMED_GUESS if name else _GUESSED, name=name, **numbers)
