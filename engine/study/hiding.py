"""Hiding: the frame of a learner who is asked, without the numbers that are asked for.

Whatever is shown is read from a frame, so what the frame does not hold can't be shown anywhere.
Steps past the next one hold no numbers at all, the next one none that would give the answer away.

>>> from engine import from_expression
>>> from engine.frame import frame_at
>>> from engine.numbers import short
>>> from engine.trace import run
>>> asked = hidden(frame_at(run(from_expression("y = a*b", {"a": 2, "b": 3})), 1), ("local",))
>>> event = asked.next_event
>>> [short(x) for x in (event.upstream, event.local, event.contribution, event.after)]
['1', '?', '?', '?']
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

import msgspec

from engine.frame import Frame, Hidden
from engine.numbers import HIDDEN
from engine.rules import UNKNOWN
from engine.schedule import Firing, Schedule
from engine.study.question import Kind
from engine.trace import Computed, Event, Trace


def hidden(
    frame: Frame,
    kinds: Collection[Kind],
    asked: bool = True,
    finals: frozenset[int] = frozenset(),
    found: Collection[Kind] = (),
) -> Frame:
    """Return a frame whose next step hides what is asked, and whose later steps hide everything.

    The values of nodes that a forward pass has not computed yet are hidden as well. `asked` says
    whether the next step is asked about at all; what is revealed of it is shown then. `finals` are
    the nodes whose gradients at the end are asked for, `found` the kinds of the blanks that are
    filled in.
    """
    trace = frame.trace
    if trace is None or frame.cursor == len(trace):
        return frame
    coming = _hidden_from(trace, frame, kinds, found)
    return replace(frame, trace=coming, hidden=Hidden("step" if asked else "later", trace, finals))


def veiled(frame: Frame, seen: int, sizes: Trace) -> Frame:
    """Return a frame that holds the first `seen` steps alone, and not the rules behind them.

    Whether they are all shows only once they are. `sizes` is the trace that serves for sizes.
    """
    trace = frame.trace
    if trace is None or trace.phase == "forward":
        return frame
    over = seen >= len(trace)
    schedule = Schedule("backward", tuple(_first_firings(trace.schedule.firings, seen)))
    events = trace.events[:seen]
    known = replace(trace, rules=UNKNOWN, events=events, schedule=schedule)
    total = seen if over else seen + 1
    hides = Hidden("mistake" if over else "end", sizes)
    return replace(frame, trace=known, total=total, hidden=hides)


def _first_firings(firings: Iterable[Firing], steps: int) -> Iterator[Firing]:
    """Yield the firings of the first steps, the last of them cut short."""
    for firing in firings:
        if steps <= 0:
            return
        yield firing._replace(sends=firing.sends[:steps])
        steps -= firing.ticks


def _hidden_from(
    trace: Trace, frame: Frame, kinds: Collection[Kind], found: Collection[Kind]
) -> Trace:
    k = frame.cursor
    if trace.phase == "forward":
        coming = [_computed(step, frame) for step in trace.computed[k:]]
        if not kinds:
            coming[0] = trace.computed[k]
        values = {node: frame.values.get(node, HIDDEN) for node in trace.values}
        return replace(trace, values=values, computed=(*trace.computed[:k], *coming))
    following = _asked(trace.events[k], kinds, found)
    later = tuple(_unknown(event) for event in trace.events[k + 1 :])
    return replace(trace, events=(*trace.events[:k], following, *later))


def _computed(step: Computed, frame: Frame) -> Computed:
    inputs = frame.graph.inputs(step.node)
    known = tuple(HIDDEN if n is None else frame.values.get(n, HIDDEN) for n in inputs)
    return Computed(step.node, known, HIDDEN)


def _asked(event: Event, kinds: Collection[Kind], found: Collection[Kind]) -> Event:
    """Return the next event without the numbers asked for, and those from which they follow.

    Where the slope is a blank of its own, upstream × ? is shown; else nothing of the product.
    """
    if event.kind != "contribution" or not kinds:
        return event
    if "local" in kinds or "local" in found:
        return msgspec.structs.replace(
            event,
            upstream=HIDDEN if "upstream" in kinds else event.upstream,
            local=HIDDEN if "local" in kinds else event.local,
            contribution=event.contribution if "contribution" in found else HIDDEN,
            after=HIDDEN,
        )
    if "contribution" in kinds:  # with the product alone to be found
        return _unknown(event)
    return msgspec.structs.replace(event, after=HIDDEN)


def _unknown(event: Event) -> Event:
    return Event(
        event.kind,
        event.node,
        event.target,
        event.slot,
        *(HIDDEN, HIDDEN, HIDDEN, HIDDEN, HIDDEN),
        sweep=event.sweep,
    )


def undecided(frame: Frame) -> Frame:
    """Return a frame without what comes next, as that is for the learner to decide."""
    trace, k = frame.trace, frame.cursor
    if trace is None or k == len(trace):
        return frame
    if trace.phase == "forward":
        coming = _hidden_from(trace, frame, ("value",), ())
    else:
        later = tuple(map(_unknown, trace.events[k:]))
        coming = replace(trace, events=(*trace.events[:k], *later))
    return replace(frame, trace=coming, hidden=Hidden("order", trace))
