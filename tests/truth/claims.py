"""Claims: the sentences in which the program states a number or a count, and what each must be.

A claim is a pattern over a text whose names have been put in, and a test of what it found; `P` in
a pattern is a name, `N` a number, `COUNT` a count in figures or in words. What no claim and no
equation reads is reported as unread.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from engine.graph import OpNode
from engine.ops import OPS
from engine.rules import CORRECT, MISTAKES
from tests.truth.moment import Moment, near, same
from tests.truth.oracle import Wire
from tests.truth.ranges import displayed
from tests.truth.tokens import NAME, NUMBER


@dataclass(frozen=True)
class Said:
    """A text as it is shown, where, and of which node, wire or step (a cursor) it speaks."""

    place: str
    text: str
    node: int | None = None
    wire: Wire | None = None
    full: bool = False
    """Whether its numbers are written with all their digits."""
    step: int | None = None
    count: int | None = None
    """How many things there are, where it counts what is no part of the graph."""
    wires: tuple[Wire, ...] = ()
    """The wires into a collapsed group that are drawn as one with `wire`."""
    members: frozenset[int] = frozenset()
    """The nodes of the group of which it speaks."""


Check = Callable[[re.Match[str], Said, Moment], str]
CLAIMS: list[tuple[re.Pattern[str], Check]] = []
_WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight"]
_COUNT = r"(?:[Nn]o|[Oo]ne|[Tt]wo|[Tt]hree|[Ff]our|[Ff]ive|[Ss]ix|[Ss]even|[Ee]ight|\d[\d,]*)"


def claim(pattern: str) -> Callable[[Check], Check]:
    """Register a test for every text that a pattern finds."""
    filled = re.sub(r"\bP\b", f"{NAME}", pattern)
    filled = re.sub(r"\bN\b", lambda _m: NUMBER, filled).replace("COUNT", _COUNT)

    def register(check: Check) -> Check:
        CLAIMS.append((re.compile(filled), check))
        return check

    return register


def is_one_of(text: str, numbers: Iterable[float], said: Said, now: Moment) -> str:
    """Whether a displayed number stands for one of these."""
    found = list(numbers)
    shown = displayed(text, "shortest" if said.full else now.digits)
    if near(shown, found):
        return ""
    return f"{text} where {' or '.join(f'{x:.17g}' for x in found) or 'nothing'} belongs"


def counted(text: str) -> int:
    """A count in figures or in words."""
    word = text.lower().replace(",", "")
    return 0 if word == "no" else int(word) if word.isdigit() else _WORDS.index(word)


def is_count(text: str, *numbers: int) -> str:
    if counted(text) in numbers:
        return ""
    return f"{text} where there are {' or '.join(map(str, numbers))}"


def both(*faults: str) -> str:
    return "; ".join(fault for fault in faults if fault)


def meant(mark: str, said: Said, now: Moment) -> tuple[int, ...]:
    """The nodes that a name may mean; where the subject is among them, that one."""
    found = now.run.names.nodes(mark)
    return (said.node,) if said.node in found else found


# counts


@claim(r"\b(COUNT) wires? (?:leaves?) (P)")
def _leaving(found: re.Match[str], said: Said, now: Moment) -> str:
    return is_count(found[1], *(len(_wires(n, now)) for n in meant(found[2], said, now)))


@claim(r"\b(COUNT) of them leads? to P")
def _leading(found: re.Match[str], said: Said, now: Moment) -> str:
    assert said.node is not None
    return is_count(found[1], sum(w[0] in now.run.order for w in _wires(said.node, now)))


@claim(r"\bonly (COUNT) of them sends? anything")
def _sending(found: re.Match[str], said: Said, now: Moment) -> str:
    assert said.node is not None
    return is_count(found[1], len({step.wire for step in now.all(said.node)}))


@claim(r"\bused (COUNT times|twice)( in all)?")
def _used(found: re.Match[str], said: Said, now: Moment) -> str:
    """How often each wire carries something, or all of them do."""
    assert said.node is not None
    uses = Counter(step.wire for step in now.all(said.node))
    count = "two" if found[1] == "twice" else found[1].removesuffix(" times")
    if found[2]:
        return is_count(count, uses.total())
    return both(*(is_count(count, use) for use in uses.values()))


def _wires(node: int, now: Moment) -> list[Wire]:
    """The wires that leave a node, those to markers of roots left out."""
    return [w for w in now.graph.outgoing[node] if isinstance(now.graph.nodes[w[0]], OpNode)]


@claim(r"(COUNT) contributions? (?:arrives?|comes?|is sent|are sent)\b")
def _arriving(found: re.Match[str], said: Said, now: Moment) -> str:
    assert said.node is not None
    return is_count(found[1], len(now.all(said.node)))


@claim(r"[Ww]aits? for (COUNT)( more)?\b")
def _waiting(found: re.Match[str], said: Said, now: Moment) -> str:
    assert said.node is not None
    return is_count(found[1], len(now.all(said.node)) - len(now.came(said.node)))


@claim(r"(?<!tep )\b(\d+) of (\d+)(?: contributions?\b|(?=[?,.;)]|$))")
def _come_of(found: re.Match[str], said: Said, now: Moment) -> str:
    assert said.node is not None
    come, all_ = now.came(said.node), now.all(said.node)
    return both(is_count(found[1], len(come)), is_count(found[2], len(all_)))


@claim(r"(\d[\d,]*) earlier contributions?")
def _earlier(found: re.Match[str], said: Said, now: Moment) -> str:
    assert said.node is not None
    return is_count(found[1], len(now.came(said.node)) - (said.count or 0))


@claim(r"\b[Ss]tep (\d[\d,]*) of (\d[\d,]*)")
def _place(found: re.Match[str], said: Said, now: Moment) -> str:
    return both(is_count(found[1], now.cursor), is_count(found[2], now.total))


@claim(r"Pass (\d):?")
def _pass(found: re.Match[str], _said: Said, now: Moment) -> str:
    return is_count(found[1], now.sweep)


@claim(r"(\d[\d,]*) of (\d[\d,]*) gradients? differs?")
def _differing(found: re.Match[str], _said: Said, now: Moment) -> str:
    wrong = [n for n in now.grads if not same(now.grads[n], now.rightly(n))]
    return both(is_count(found[1], len(wrong)), is_count(found[2], len(now.grads)))


@claim(r"(\d[\d,]*) nodes?, (\d[\d,]*) wires?")
def _of_the_graph(found: re.Match[str], _said: Said, now: Moment) -> str:
    wires = [s for n in now.graph.nodes for s in now.graph.inputs(n) if s is not None]
    return both(is_count(found[1], len(now.graph.nodes)), is_count(found[2], len(wires)))


@claim(r"\bslots? (\d)")
def _slot(found: re.Match[str], said: Said, now: Moment) -> str:
    told = re.search(r"\bstep (\d[\d,]*)", found.string)
    cursor = said.step if told is None else counted(told[1])
    step = now.step if cursor is None else now.run.steps[cursor - 1]
    wire = said.wire or (step and step.wire)
    return is_count(found[1], wire[1] + 1) if wire else "a slot of nothing"


# prose with fixed figures

_FIXED = (
    *(op.convention for op in OPS if op.convention),
    *(f"{op.name}: {op.description}" for op in OPS),
    *(
        text
        for rules in (CORRECT, *MISTAKES)
        for text in (rules.sentence, rules.code)
        if text
        if text
    ),
    "gives it the seed, 1",
    "what is computed from it may be nan or inf",
    "to seed the root with 1",
    "0 to the 0 is 1",
    "100 %",
    *(op.description for op in OPS),
)


FIXED = re.compile("|".join(re.escape(text) for text in sorted(_FIXED, key=len, reverse=True)))
"""Prose that says the same of every graph."""
DOMAINS = frozenset(op.domain for op in OPS)
"""Where operations are defined, in the letters of their slots: no statements about nodes."""
