"""What is said of a mistake on the canvas and in its panel: two lanes, red tails, causes."""

from __future__ import annotations

import re
from collections import Counter

from tests.truth.claims import Said, both, claim, is_count, is_one_of
from tests.truth.moment import Moment, same


@claim(r"(?:(?:^|(N) × (N) )= |^|, )(N) \| ✘ (N)")
def _tail(found: re.Match[str], said: Said, now: Moment) -> str:
    """A label shows what the correct pass sends, and behind it what is sent instead."""
    if said.wire is None:
        return "a label of no wire"
    fired, right = now.fired(said.wire), now.run.sent[said.wire]
    if fired is None or same(fired.contribution, right):
        return "this wire carries the right number"
    upstream = now.run.right[said.wire[0]]
    return both(
        "" if found[1] is None else is_one_of(found[1], [upstream], said, now),
        "" if found[2] is None else is_one_of(found[2], [now.run.local(said.wire)], said, now),
        is_one_of(found[3], [right], said, now),
        is_one_of(found[4], [fired.contribution], said, now),
    )


@claim(r"^(?:0|… N) ?.*= (N)$")
def _correct_lane(found: re.Match[str], said: Said, now: Moment) -> str:
    if said.place != "correct lane":
        return ""
    assert said.node is not None
    return is_one_of(found[1], [now.rightly(said.node)], said, now)


@claim(r"(N) overwrites (N)")
def _overwrites(found: re.Match[str], said: Said, now: Moment) -> str:
    assert said.node is not None
    last = now.came(said.node)[now.kept(said.node)]
    return both(
        is_one_of(found[1], [last.contribution], said, now),
        is_one_of(found[2], [last.before], said, now),
    )


@claim(r"(?:Here )?(N) (?:is )?left over(?: from the pass before)?(?=[,.]|$| before| here)")
def _left_over(found: re.Match[str], said: Said, now: Moment) -> str:
    assert said.node is not None
    came = now.came(said.node)
    held = came[0].before if came else now.grads[said.node]
    return is_one_of(found[1], [held], said, now)


@claim(r"slope (?:of \S+ is taken as )?(N), not (N)")
def _slope(found: re.Match[str], said: Said, now: Moment) -> str:
    """The local derivative that some contribution to this node used, and the right one."""
    assert said.node is not None
    pairs = [(s.local, now.run.local(s.wire)) for s in now.came(said.node) if s.wire]
    faults = [
        both(is_one_of(found[1], [used], said, now), is_one_of(found[2], [right], said, now))
        for used, right in pairs
        if not same(used, right)
    ]
    return "" if "" in faults else " or ".join(faults) or "every slope is right"


@claim(r"(P) sends (twice|COUNT times)(?: along one wire)?")
def _sends_again(found: re.Match[str], said: Said, now: Moment) -> str:
    assert said.node is not None
    senders = now.run.names.nodes(found[1])
    uses = Counter(s.wire for s in now.came(said.node) if s.wire and s.wire[0] in senders)
    count = "two" if found[2] == "twice" else found[2].removesuffix(" times")
    return is_count(count, *uses.values())


@claim(r"(P) sends nothing")
def _sends_nothing(found: re.Match[str], said: Said, now: Moment) -> str:
    assert said.node is not None
    came = {s.wire for s in now.came(said.node)}
    silent = [w for w in now.run.sent if w not in came and w[0] in now.run.names.nodes(found[1])]
    return "" if silent else "it sends something"


@claim(r"(?<=[, e])(P) (N) → (N)")
def _was_wrong(found: re.Match[str], said: Said, now: Moment) -> str:
    """A sender that held a wrong gradient when it fired."""
    assert said.node is not None
    senders = now.run.names.nodes(found[1])
    sent = [s.upstream for s in now.came(said.node) if s.wire and s.wire[0] in senders]
    right = [now.run.right.get(node, 0.0) for node in senders]
    return both(is_one_of(found[2], right, said, now), is_one_of(found[3], sent, said, now))


SOLO = frozenset({_tail})
"""Claims on texts that look like equations and are none."""
