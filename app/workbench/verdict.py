"""Verdicts: what a mistake has done to a step, to a gradient and to all of them, in words."""

from __future__ import annotations

import math
from collections.abc import Sequence

from app.controls.rich_text import Span
from app.style.numbers import Digits, full, short, signed
from app.workbench.comparison import Comparison, same
from app.workbench.formulas import brief
from engine.frame import Frame
from engine.trace import Event

Spans = tuple[Span, ...]


def on_step(frame: Frame, beside: Comparison | None, digits: Digits) -> Spans:
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


def on_gradient(frame: Frame, beside: Comparison | None, node: int, digits: Digits) -> Spans:
    """`✗ 25, not 1` for a gradient that went wrong, a tick for one that is right so far."""
    if beside is None or node not in frame.grads:
        return ()
    right = beside.right(frame, node)
    if right is None:
        return (Span("✓ as in the correct pass"),)
    wrong = flag(*pair_text(right, frame.grads[node], digits))
    return (Span(wrong, "error", bold=True),)


def causes(frame: Frame, beside: Comparison | None, node: int, digits: Digits) -> str:
    """Why a gradient went wrong: which senders were wrong already, and what = overwrites here.

    `d and c were wrong: 6 → 1, 7 → 1. Here = overwrites 3 with 1.`
    """
    if beside is None or frame.trace is None or beside.right(frame, node) is None:
        return ""
    arrived = [chip.event for chip in frame.sum_of(node).chips if chip.event is not None]
    sentences = [_wrong_senders(frame, beside, arrived, digits)]
    if not frame.trace.rules.accumulate and len(arrived) > 1 and arrived[-1].before:
        last = arrived[-1]
        held, now = short(last.before, digits), short(last.after, digits)
        sentences.append(f"Here = overwrites {held} with {now}.")
    return " ".join(sentence for sentence in sentences if sentence)


def _wrong_senders(
    frame: Frame, beside: Comparison, arrived: Sequence[Event], digits: Digits
) -> str:
    """The nodes that fired with another gradient than they should have, and both numbers."""
    pairs = [(e.target, beside.final.get(e.target, 0.0), e.upstream) for e in arrived]
    wrong = {node: (right, found) for node, right, found in pairs if not same(right, found)}
    if not wrong:
        return ""
    names = [brief(frame.graph.title(n)) for n in wrong][:_MOST_NAMED]
    if len(wrong) > _MOST_NAMED:
        names.append(f"{len(wrong) - _MOST_NAMED} more")
    listed = " and ".join([*([", ".join(names[:-1])] if names[:-1] else []), names[-1]])
    texts = [pair_text(right, x, digits) for right, x in wrong.values()][:_MOST_NAMED]
    changes = ", ".join(" → ".join(pair) for pair in texts)
    return f"{listed} {'was' if len(wrong) == 1 else 'were'} wrong: {changes}."


_MOST_NAMED = 3


def pair_text(right: float, found: float, digits: Digits) -> tuple[str, str]:
    """Two numbers that differ, written with so many digits that one sees it."""
    texts = short(right, digits), short(found, digits)
    return texts if texts[0] != texts[1] else (full(right), full(found))


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
