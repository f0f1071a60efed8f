"""Groups: the tables of the chain-rule panel for a group that is selected whole."""

from __future__ import annotations

import re
from collections.abc import Iterator

from app.panels.why.why_page import MAX_GROUP_ROWS, GroupPart, Table
from engine.graph import Constant
from tests.truth.claims import Said, both, claim, is_count, is_one_of
from tests.truth.moment import Moment
from tests.truth.oracle import Wire
from tests.truth.tokens import NUMBER


def group_texts(part: GroupPart, members: frozenset[int]) -> Iterator[Said]:
    """The rows of the visible tables, and how many more there are."""
    tables = {
        "group outputs": part.arrives,
        "group inputs": part.passes,
        "group inside": part.inside,
    }
    for place, table in tables.items():
        for text in _read(table) if table.isVisibleTo(part) else ():
            yield Said(place, text, members=members)


def _read(table: Table) -> Iterator[str]:
    yield from (text.replace(": ", " ", 1) for text in table.texts())
    if not table.more.isHidden():
        yield table.more.text()


def _outputs(said: Said, now: Moment) -> set[int]:
    """The members that others read, and the root."""
    read = {n for n in said.members if any(t not in said.members for t, _ in now.graph.outgoing[n])}
    return read | ({now.run.root} & said.members)


def _inputs(said: Said, now: Moment) -> dict[int, list[Wire]]:
    """The nodes outside that a group sends gradients to, each with the wires that carry them."""
    found: dict[int, list[Wire]] = {}
    for node in sorted(said.members & now.run.wants):
        for slot, source in enumerate(now.graph.inputs(node)):
            if source in now.run.wants and source not in said.members and source is not None:
                found.setdefault(source, []).append((node, slot))
    return found


@claim(r"^(P)\.grad (N)$")
def _gradient_in_group(found: re.Match[str], said: Said, now: Moment) -> str:
    nodes = [n for n in now.run.names.nodes(found[1]) if n in said.members and n in now.grads]
    return is_one_of(found[2], [now.grads[n] for n in nodes], said, now)


@claim(r"^to (P) (.+)$")
def _passed_on(found: re.Match[str], said: Said, now: Moment) -> str:
    """What a group sends to one of its inputs: of each wire the last that it has carried."""
    inputs = _inputs(said, now)
    nodes = [n for n in now.run.names.nodes(found[1]) if n in inputs]
    faults = [_sum(found[2], inputs[n], said, now) for n in nodes]
    return "" if "" in faults else "; ".join(faults) or "it sends nothing there"


def _sum(text: str, wires: list[Wire], said: Said, now: Moment) -> str:
    sent = [step.contribution for wire in wires if (step := now.fired(wire)) is not None]
    waits = "" if ("···" in text) == (0 < len(sent) < len(wires)) else "does it wait?"
    left, _equal, total = text.replace(" + ···", "").partition(" = ")
    shown = [t.replace(" ", "") for t in re.findall(rf"[+−] {NUMBER}|{NUMBER}", left)]
    counted = re.fullmatch(r"(\d+) contributions", left)
    parts = is_count(counted[1] if counted else str(len(shown)), len(sent))
    if not parts and not counted:
        parts = both(*(is_one_of(t, [x], said, now) for t, x in zip(shown, sent, strict=True)))
    return both(waits, parts, is_one_of(total, [sum(sent)], said, now) if total else "")


@claim(r"\bgroup of (\d[\d,]*) nodes")
def _size(found: re.Match[str], said: Said, _now: Moment) -> str:
    return is_count(found[1], said.count or 0)


@claim(r"^and (\d[\d,]*) more$")
def _more_rows(found: re.Match[str], said: Said, now: Moment) -> str:
    hidden = [n for n in said.members - _outputs(said, now)
              if not isinstance(now.graph.nodes[n], Constant)]  # fmt: skip
    counts = {
        "group outputs": len(_outputs(said, now)),
        "group inputs": len(_inputs(said, now)),
        "group inside": len(hidden),
    }
    return is_count(found[1], counts[said.place] - MAX_GROUP_ROWS)


@claim(r"^(?:Pass \d: )?\S.* (fires|is computed) in steps (\d[\d,]*) to (\d[\d,]*)(?=(.*)$)")
def _in_steps(found: re.Match[str], said: Said, now: Moment) -> str:
    """The steps of a collapsed group that are one: no more of it fires just before or after."""
    first, last = (int(found[k].replace(",", "")) for k in (2, 3))
    if now.phase == "forward":
        told = found[4].count(" = ")
        nodes = set(now.run.ops[first - 1 : last]) & _outputs(said, now)
    else:
        told = found[4].count(" now holds ")
        nodes = {step.node for step in now.run.steps[first - 1 : last]} - said.members
    more = re.search(r" and (\d[\d,]*) more", found[4])
    counts = is_count(str(told + int(more[1].replace(",", "") if more else 0)), len(nodes))
    inside = "" if ("stays inside" in found[4]) == (not nodes) else "does it stay inside?"
    return both(is_count(found[3], now.cursor), _one_run(first, last, said, now), counts, inside)


@claim(r" and (\d[\d,]*) more\b(?=[. ])")
def _more_nodes(_found: re.Match[str], said: Said, _now: Moment) -> str:
    return "" if said.place.startswith(("narration", "spoken")) else "more of what?"


@claim(r"✘ (\d[\d,]*) of these steps goe?s? wrong")
def _wrong_steps(found: re.Match[str], said: Said, now: Moment) -> str:
    first = now.cursor
    while _fires(said, now, first - 1) and _alike(first - 1, now.cursor, now):
        first -= 1
    return is_count(found[1], sum(k in now.run.wrong for k in range(first, now.cursor + 1)))


@claim(r"^next: \S.*, steps (\d[\d,]*) to (\d[\d,]*)$")
def _next_steps(found: re.Match[str], said: Said, now: Moment) -> str:
    first, last = (int(found[k].replace(",", "")) for k in (1, 2))
    begins = is_count(found[1], now.cursor + 1)
    within = now.cursor > 0 and _fires(said, now, now.cursor) and _fires(said, now, first)
    return both(begins, "" if within else _one_run(first, last, said, now))


def _one_run(first: int, last: int, said: Said, now: Moment) -> str:
    fired = [_fires(said, now, k) for k in range(first, last + 1)]
    around = [k for k in (first - 1, last + 1) if _fires(said, now, k) and _alike(k, last, now)]
    return both("" if all(fired) else "others fire as well", "it fires on" if around else "")


def _alike(k: int, other: int, now: Moment) -> bool:
    """Whether two steps are of the same of two passes."""
    steps = now.run.steps
    return now.phase == "forward" or steps[k - 1].sweep == steps[other - 1].sweep


def _fires(said: Said, now: Moment, k: int) -> bool:
    """Whether a step is one of the group's."""
    if now.phase == "forward":
        return 1 <= k <= len(now.run.ops) and now.run.ops[k - 1] in said.members
    if not 1 <= k <= len(now.run.steps):
        return False
    step = now.run.steps[k - 1]
    return step.wire is not None and step.wire[0] in said.members


@claim(r"(?<=[:,] )(P)(?: in \S.*?)? now holds (N)")
def _now_holds(found: re.Match[str], said: Said, now: Moment) -> str:
    nodes = [n for n in now.run.names.nodes(found[1]) if n in now.grads and n not in said.members]
    return is_one_of(found[2], [now.grads[n] for n in nodes], said, now)


SOLO = frozenset({_passed_on})
"""What looks like an equation behind the name of a node, and is none."""
