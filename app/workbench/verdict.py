"""Verdicts: what a mistake has done to a step, to a gradient and to all of them, in words."""

from __future__ import annotations

import math

from app.controls.rich_text import Span
from app.style.numbers import Digits, short, signed
from app.workbench.comparison import Comparison, same
from engine.frame import Frame

Spans = tuple[Span, ...]


def on_step(frame: Frame, beside: Comparison | None, digits: Digits = 4) -> Spans:
    """What the correct pass does at a step that goes wrong; nothing at any other."""
    event = frame.event
    if beside is None or event is None or frame.cursor not in beside.wrong:
        return ()
    due, sent = beside.due[frame.cursor - 1], None
    if event.wire is not None and not same(event.contribution, beside.sent.get(event.wire, 0.0)):
        sent = beside.sent.get(event.wire, 0.0)
    number = due if sent is None else sent
    text = short(due, digits) if sent is None else signed(sent, digits)
    words = "the correct pass has " if sent is None else "the correct pass sends "
    first = frame.cursor == beside.first
    return (
        Span(" ✗ Here the passes part: " if first else " ✗ ", "error"),
        Span(words if first else words.capitalize()),
        Span(text, "gradient" if math.isfinite(number) else "error", bold=True),
        Span("."),
    )


def on_gradient(frame: Frame, beside: Comparison | None, node: int, digits: Digits = 4) -> Spans:
    """`✗ 25, not 1` for a gradient that went wrong, a tick for one that is right so far."""
    if beside is None or node not in frame.grads:
        return ()
    right = beside.right(frame, node)
    if right is None:
        return (Span("✓ as in the correct pass"),)
    wrong = flag(short(right, digits), short(frame.grads[node], digits))
    return (Span(wrong, "error", bold=True),)


def flag(right: str, found: str) -> str:
    """What a gradient should be by now, and what it is instead."""
    return f"✗ {right}, not {found}"


def on_all(frame: Frame, beside: Comparison | None) -> str:
    """How many of the known gradients differ from those of the correct pass."""
    if beside is None or not frame.grads:
        return ""
    count, known = beside.differing(frame), len(frame.grads)
    word = "gradient" if known == 1 else "gradients"
    if not count:
        return "no gradient differs"
    return f"{count:,} of {known:,} {word} {'differs' if count == 1 else 'differ'}"
