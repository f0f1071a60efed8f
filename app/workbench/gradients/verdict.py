"""Verdicts: what a mistake has done to a step, to a gradient and to all of them, in words."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from app.controls.rich_text import Span, Spans, filled
from app.workbench.gradients.chain_rule import figure
from app.workbench.gradients.comparison import Comparison, same
from engine.frame import Frame
from engine.numbers import Digits, counted, full, short, signed


def on_step(frame: Frame, beside: Comparison | None, digits: Digits) -> Spans:
    """Say what the correct pass does at a step that goes wrong; nothing at any other."""
    event = frame.event
    if beside is None or event is None or frame.cursor not in beside.wrong:
        return ()
    due, sent = beside.due[frame.cursor - 1], None
    if event.wire is not None and not same(event.contribution, beside.sent.get(event.wire, 0.0)):
        sent = beside.sent.get(event.wire, 0.0)
    first = frame.cursor == beside.first
    return filled(
        {
            (True, True): " {here} the correct pass has {due}.",
            (True, False): " {here} the correct pass sends {sent}.",
            (False, True): " {here} The correct pass has {due}.",
            (False, False): " {here} The correct pass sends {sent}.",
        }[first, sent is None],
        here=Span("✗ First difference:" if first else "✗", "error"),
        due=figure(due, "gradient", short(due, digits)),
        sent=() if sent is None else figure(sent, "gradient", signed(sent, digits)),
    )


def on_gradient(frame: Frame, beside: Comparison | None, node: int, digits: Digits) -> Spans:
    """Say `✗ should be 25` for a wrong gradient, or a tick for one that is correct so far."""
    if beside is None or node not in frame.grads:
        return ()
    right = beside.right(frame, node)
    if right is None:
        return (Span("✓ as in the correct pass"),)
    told, _found = pair_text(right, frame.grads[node], digits)
    return (Span(flag(told), "error", bold=True),)


def pair_text(right: float, found: float, digits: Digits) -> tuple[str, str]:
    """Return two different numbers with enough digits to see the difference."""
    return pair_written(right, found, partial(short, digits=digits))


def pair_written(right: float, found: float, write: Callable[[float], str]) -> tuple[str, str]:
    """Return the same, written by a function where that shows the difference."""
    texts = write(right), write(found)
    return texts if texts[0] != texts[1] else (full(right), full(found))


def flag(right: str) -> str:
    """Say what a gradient should be by now."""
    return f"✗ should be {right}"


def short_flag(right: str) -> str:
    """Say the same in less space."""
    return f"✗ right: {right}"


def on_all(frame: Frame, beside: Comparison | None) -> str:
    """Say how many of the known gradients differ from those of the correct pass."""
    if beside is None or not frame.grads:
        return ""
    count, known = beside.differing(frame), len(frame.grads)
    if not count:
        return "no gradient differs"
    return differing(count, known)


def differing(count: int, known: int) -> str:
    """Return how many of the known gradients differ."""
    if known == 1:
        return f"{count} of 1 gradient differs"
    one, many = "1 of {known:,} gradients differs", "{count:,} of {known:,} gradients differ"
    return counted(count, one, many, known=known)
