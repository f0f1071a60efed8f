"""Verdicts: what a mistake has done to a step, to a gradient and to all of them, in words."""

from __future__ import annotations

from collections.abc import Sequence

from app.controls.rich_text import Span, Spans, filled
from app.workbench.chain_rule import figure
from app.workbench.comparison import Comparison, same
from app.workbench.formulas import enumerated
from engine.frame import Frame
from engine.numbers import Digits, counted, full, short, signed
from engine.trace import Event


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
        here=Span("✗ Here the passes part:" if first else "✗", "error"),
        due=figure(due, "gradient", short(due, digits)),
        sent=() if sent is None else figure(sent, "gradient", signed(sent, digits)),
    )


def on_gradient(frame: Frame, beside: Comparison | None, node: int, digits: Digits) -> Spans:
    """Say `✗ 25, not 1` for a wrong gradient, or a tick for one that is correct so far."""
    if beside is None or node not in frame.grads:
        return ()
    right = beside.right(frame, node)
    if right is None:
        return (Span("✓ as in the correct pass"),)
    wrong = flag(*pair_text(right, frame.grads[node], digits))
    return (Span(wrong, "error", bold=True),)


def causes(frame: Frame, beside: Comparison | None, node: int, digits: Digits) -> str:
    """Say why a gradient went wrong: which senders were wrong, and what = overwrites here.

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
    """Say which nodes fired with a wrong gradient, with both numbers."""
    pairs = [(e.target, beside.final.get(e.target, 0.0), e.upstream) for e in arrived]
    wrong = {node: (right, found) for node, right, found in pairs if not same(right, found)}
    if not wrong:
        return ""
    names = [frame.graph.brief(n) for n in wrong][:_MOST_NAMED]
    if len(wrong) > _MOST_NAMED:
        names.append(f"{len(wrong) - _MOST_NAMED} more")
    texts = [pair_text(right, x, digits) for right, x in wrong.values()][:_MOST_NAMED]
    return counted(
        len(wrong),
        "{names} was wrong: {changes}.",
        "{names} were wrong: {changes}.",
        names=enumerated(names),
        changes=", ".join(" → ".join(pair) for pair in texts),
    )


_MOST_NAMED = 3


def pair_text(right: float, found: float, digits: Digits) -> tuple[str, str]:
    """Return two different numbers with enough digits to see the difference."""
    texts = short(right, digits), short(found, digits)
    return texts if texts[0] != texts[1] else (full(right), full(found))


def flag(right: str, found: str) -> str:
    """Say what a gradient should be by now, and what it is instead."""
    return f"✗ {right}, not {found}"


def on_all(frame: Frame, beside: Comparison | None) -> str:
    """Say how many of the known gradients differ from those of the correct pass."""
    if beside is None or not frame.grads:
        return ""
    count, known = beside.differing(frame), len(frame.grads)
    if not count:
        return "no gradient differs"
    if known == 1:
        return "1 of 1 gradient differs"
    one, many = "1 of {known:,} gradients differs", "{count:,} of {known:,} gradients differ"
    return counted(count, one, many, known=known)
