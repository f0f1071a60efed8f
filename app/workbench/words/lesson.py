"""The text of a lesson's step: live numbers, bold words and code, as coloured spans.

    {a}           value of a                    {e.1}         contribution of e along slot 1
    {a.grad}      gradient of a                 {e.1.local}   slope of e along slot 1
    {loss}        loss of the training          **bold**, `code`

A number that is not known yet is `–`; one that an open question asks for is `?`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from app.controls.rich_text import Span, Spans
from app.workbench.gradients.chain_rule import figure
from app.workbench.playback.view_state import ViewState
from engine.frame import Frame
from engine.graph import Wire
from engine.numbers import ASKED, HIDDEN, NOT_COMPUTED, Digits, short, signed

_MARKS: Final = re.compile(r"\*\*|`[^`\n]*`|\{[^{}\n]*\}")


def live_spans(text: str, now: ViewState, digits: Digits) -> Spans:
    """Return a text of a lesson as spans, its references replaced by numbers of the frame."""
    spans, bold, at = list[Span](), False, 0
    for mark in _MARKS.finditer(text):
        spans.append(Span(text[at : mark.start()], bold=bold))
        at, found = mark.end(), mark.group()
        if found == "**":
            bold = not bold
        elif found.startswith("`"):
            spans.append(Span(found[1:-1], code=True))
        else:
            spans.append(live_number(found[1:-1], now, digits))
    spans.append(Span(text[at:], bold=bold))
    return tuple(span for span in spans if span.text)


def live_number(reference: str, now: ViewState, digits: Digits) -> Span:
    """Return the number of a reference such as `a.grad` as a span; the reference if it has none."""
    if reference == "loss":
        loss = None if now.loop is None else now.loop.losses[now.loop.at]
        return _number(loss, "value", digits)
    name, *parts = reference.split(".")
    node = now.frame.graph.node_named(name)
    if node is None:
        return Span(f"{{{reference}}}")
    match parts:
        case []:
            return _number(now.frame.values.get(node), "value", digits)
        case ["grad"]:
            grad = HIDDEN if node in now.frame.finals else now.frame.grads.get(node)
            return _number(grad, "gradient", digits)
        case [slot] if slot.isdecimal():
            sent = _contribution(now.frame, (node, int(slot) - 1))
            return _number(sent, "gradient", digits, is_contribution=True)
        case [slot, "local"] if slot.isdecimal():
            return _number(_slope(now.frame, (node, int(slot) - 1)), "local", digits)
        case _:
            return Span(f"{{{reference}}}")


def _contribution(frame: Frame, wire: Wire) -> float | None:
    event = frame.fired.get(wire)
    if event is not None:
        return event.contribution
    following = frame.next_event
    if following is not None and following.wire == wire and following.contribution is HIDDEN:
        return HIDDEN
    return None


def _slope(frame: Frame, wire: Wire) -> float | None:
    """Return the slope along a wire once its node has fired along it, as a blank before."""
    event = frame.fired.get(wire)
    return None if event is None else event.local


def _number(
    number: float | None, role: str, digits: Digits, *, is_contribution: bool = False
) -> Span:
    if number is None:
        return Span(NOT_COMPUTED, "secondary")
    if number is HIDDEN:
        return Span(ASKED, "selection", bold=True)
    write = signed if is_contribution else short
    return figure(number, role, write(number, digits))


def paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a text, which an empty line parts."""
    for part in text.split("\n\n"):
        if stripped := " ".join(part.split()):
            yield stripped
