"""Causes: why a node has a wrong gradient under a mistake.

Its own rule does damage here, or what sends to it held a wrong gradient before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec import Struct

from app.workbench.gradients.comparison import Comparison, same
from app.workbench.gradients.explanation import times
from app.workbench.gradients.formulas import enumerated
from app.workbench.gradients.verdict import pair_written
from engine.frame import Frame
from engine.numbers import Digits, counted, short, signed
from engine.problems import spoken
from engine.trace import Event

Write = Callable[[float], str]
MOST_NAMED = 3
"""Wrong senders that are named; the others are counted."""


class Damage(Struct, frozen=True):
    """What the rule of the mistake does at one node: in a few words, and as a sentence."""

    brief: str
    sentence: str


class Causes(Struct, frozen=True):
    """Why a gradient is wrong: what happens `here`, and which senders were wrong `before`."""

    here: tuple[Damage, ...] = ()
    before: tuple[str, ...] = ()
    """`d 6 → 1`, for a few of them."""
    senders: str = ""
    """The same as a sentence."""

    @property
    def sentence(self) -> str:
        """Return all of it in sentences."""
        return " ".join(text for text in (self.senders, *(d.sentence for d in self.here)) if text)


NONE = Causes()


def causes(frame: Frame, beside: Comparison | None, node: int, digits: Digits) -> str:
    """Say why a gradient went wrong: which senders were wrong, and what the mistake does here.

    `d and c were wrong: 6 → 1, 7 → 1. Here = overwrites 3 with 1.`
    """
    write = partial(short, digits=digits), partial(signed, digits=digits)
    return causes_of(frame, beside, node, *write).sentence


def causes_of(
    frame: Frame, beside: Comparison | None, node: int, short: Write, signed: Write
) -> Causes:
    """Return why a gradient is wrong by now; nothing for one that is right or not known.

    The functions write a number, and a contribution.
    """
    if beside is None or frame.trace is None or beside.right(frame, node) is None:
        return NONE
    arrived = [chip.event for chip in frame.sum_of(node).chips if chip.event is not None]
    here = tuple(_here(frame, beside, node, arrived, (short, signed)))
    return Causes(here, *_before(frame, beside, arrived, short))


def _here(
    frame: Frame,
    beside: Comparison,
    node: int,
    arrived: Sequence[Event],
    write: tuple[Write, Write],
) -> Iterator[Damage]:
    """Yield what the mistake does at this node itself."""
    trace, (short, signed) = frame.trace, write
    assert trace is not None
    if node == trace.root and not trace.rules.seed:
        yield Damage("no seed", "Nobody gives it the seed.")
    start = frame.sum_of(node).start
    if start and arrived:
        left = short(start)
        yield Damage(f"{left} left over", f"Here {left} is left over from the pass before.")
    if not trace.rules.accumulate and len(arrived) > 1 and arrived[-1].before:
        last = arrived[-1]
        held, now, sent = short(last.before), short(last.after), signed(last.contribution)
        yield Damage(f"{sent} overwrites {held}", f"Here = overwrites {held} with {now}.")
    for event in arrived:
        right = beside.correct.get((event.target, event.slot))
        if right is not None and not same(event.local, right.local):
            true, taken = pair_written(right.local, event.local, short)
            sign = frame.graph.op(event.target).symbol
            yield Damage(
                f"slope {taken}, not {true}",
                f"Here the slope of {sign} is taken as {taken}, not {true}.",
            )
    yield from _uses(frame, beside, node, arrived)


def _uses(
    frame: Frame, beside: Comparison, node: int, arrived: Sequence[Event]
) -> Iterator[Damage]:
    """Yield which senders send nothing, and which send more than once along one wire."""
    uses = Counter(event.wire for event in arrived)
    for wire, count in uses.items():
        if wire is not None and count > 1:
            who, often = frame.graph.brief(wire[0]), times(count)
            yield Damage(f"{who} sends {often}", f"{who} sends {often} along one wire.")
    if frame.cursor < frame.total:
        return
    silent = (w for w in beside.correct if frame.graph.source(w) == node and w not in uses)
    for target in dict.fromkeys(wire[0] for wire in silent):
        sign = spoken(frame.graph, target, brief=True)
        brief = f"{frame.graph.brief(target)} sends nothing"
        yield Damage(brief, f"{sign} sends nothing.")


def _before(
    frame: Frame, beside: Comparison, arrived: Sequence[Event], short: Write
) -> tuple[tuple[str, ...], str]:
    """Say which nodes fired with a wrong gradient, with both numbers: in brief, as a sentence."""
    pairs = [(e.target, beside.final.get(e.target, 0.0), e.upstream) for e in arrived]
    wrong = {node: (right, found) for node, right, found in pairs if not same(right, found)}
    if not wrong:
        return (), ""
    names = [frame.graph.brief(n) for n in wrong][:MOST_NAMED]
    texts = [" → ".join(pair_written(*pair, short)) for pair in wrong.values()][:MOST_NAMED]
    brief = tuple(f"{name} {text}" for name, text in zip(names, texts, strict=True))
    if len(wrong) > MOST_NAMED:
        names.append(f"{len(wrong) - MOST_NAMED} more")
    said = counted(
        len(wrong),
        "{names} was wrong: {changes}.",
        "{names} were wrong: {changes}.",
        names=enumerated(names),
        changes=", ".join(texts),
    )
    return brief, said
