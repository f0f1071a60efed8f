"""Sums and products: the claims of labels, cards, ledgers, slopes and brackets."""

from __future__ import annotations

import re

from tests.truth.claims import Said, both, claim, counted, is_count, is_one_of, meant
from tests.truth.equation import disagreement, evaluated
from tests.truth.moment import Moment, near, same
from tests.truth.reader import chains, expression
from tests.truth.sentences import carried, known
from tests.truth.tokens import NUMBER

CHIPS = 6
"""So many chips of a ledger are shown; those before are summed, those after are counted."""


@claim(r"(N) × (N)(?: = (?:✘ )?(N))?")
def _product(found: re.Match[str], said: Said, now: Moment) -> str:
    """The product of a step: of the wire, of the card or of the moment that is spoken of."""
    if now.phase == "forward" or said.place not in _OF_STEPS:
        return ""
    if found.string[: found.start()].endswith("is the first bad node: "):
        return ""  # the operation of that node, which its own claim reads
    if " | ✘ " in found.string:
        return ""  # of the correct pass: another claim reads the whole label
    told = re.search(r"\bstep (\d[\d,]*)", found.string)
    steps = [now.run.steps[counted(told[1]) - 1]] if told else [now.step]
    if said.wire is not None:
        coming = now.next if now.next and now.next.wire == said.wire else None
        steps = [coming] if "next" in found.string or "···" in found.string else [
            now.fired(said.wire), coming]  # fmt: skip
    faults: list[str] = []
    for step in (step for step in steps if step is not None):
        parts = (step.upstream, step.local, step.contribution)
        told_parts = [part for part in found.groups() if part]
        fault = both(
            *(is_one_of(t, [x], said, now) for t, x in zip(told_parts, parts, strict=False))
        )
        if not fault:
            return ""
        faults.append(fault)
    return " or ".join(faults) or "a product of nothing"


_OF_STEPS = ("label", "accessible", "hover", "card", "narration plain", "narration code", "spoken")


@claim(r"^= (N)$")
def _short_label(found: re.Match[str], said: Said, now: Moment) -> str:
    """A label that has room for the contribution alone."""
    if said.place != "label":
        return ""
    if len(said.wires) > 1:
        return carried(found[1], said, now)
    steps = [s for s in (said.wire and now.fired(said.wire), now.next) if s and s.wire == said.wire]
    return is_one_of(found[1], [step.contribution for step in steps], said, now)


@claim(r"^by way of \S+ (P).*, step (\d[\d,]*)(, now)?:")
def _card(found: re.Match[str], said: Said, now: Moment) -> str:
    step = now.run.steps[counted(found[2]) - 1]
    right = step.wire is not None and step.wire[0] in now.run.names.nodes(found[1])
    arrived = counted(found[2]) <= now.cursor and step.node == said.node
    is_now = bool(found[3]) == (counted(found[2]) == now.cursor)
    return "" if right and arrived and is_now else "another step"


@claim(r"^by way of \S+ (P)(?:, slot \d)?$")
def _route(found: re.Match[str], said: Said, now: Moment) -> str:
    wire = now.run.steps[(said.step or 0) - 1].wire
    return "" if wire and wire[0] in now.run.names.nodes(found[1]) else "another wire"


@claim(r"^Go to step (\d[\d,]*)")
def _go_to(found: re.Match[str], said: Said, _now: Moment) -> str:
    return is_count(found[1], said.step or 0)


@claim(r"local derivative of .+? with respect to (P)[₀-₉]? is (.+?)(?:, here (N))?\.(?= [A-Z]|$)")
def _slope(found: re.Match[str], said: Said, now: Moment) -> str:
    assert said.node is not None
    last = now.came(said.node)[-1]
    assert last.wire is not None
    return _comes_to(found[2], found[3], now.run.local(last.wire), said, now)


@claim(r"\bThe mistake takes (.+?)(?:, (N),)? instead")
def _taken(found: re.Match[str], said: Said, now: Moment) -> str:
    assert said.node is not None
    return _comes_to(found[1], found[2], now.came(said.node)[-1].local, said, now)


@claim(r"instead, the same number here")
def _same_here(_found: re.Match[str], said: Said, now: Moment) -> str:
    assert said.node is not None
    last = now.came(said.node)[-1]
    assert last.wire is not None
    return "" if same(last.local, now.run.local(last.wire)) else "another number"


def _comes_to(rule: str, number: str | None, right: float, said: Said, now: Moment) -> str:
    """Whether a rule in symbols, and the number behind it, are this."""
    named = is_one_of(number, [right], said, now) if number else ""
    tree, _end = expression(rule)
    if tree is None:
        return f"unread: {rule}"
    sides = evaluated(tree, now, now.digits)
    return both(named, "" if any(near(r, [right]) for r in sides) else f"the slope is {right:.9g}")


@claim(r"^Σ (P): (?:… )?(.+?)( \+ \?)?$")
def _sum(found: re.Match[str], said: Said, now: Moment) -> str:
    tree, end = expression(found[2])
    if tree is None or found[2][end:].strip():
        return f"unread: {found[2]}"
    grads = [now.grads[n] for n in meant(found[1], said, now) if n in now.grads]
    sides = evaluated(tree, now, now.digits)
    return "" if any(near(r, grads) for r in sides) else f"the sum is {grads}"


@claim(r"^((?:(?:0|…|was) |[+−]).*?)\b(\d+) more = (N)$")
def _long_ledger(found: re.Match[str], said: Said, now: Moment) -> str:
    """A ledger of which some chips are shown: neighbours among those that have come."""
    if said.place == "correct lane":
        return ""  # another claim reads it
    assert said.node is not None
    come, all_ = now.came(said.node), now.all(said.node)
    chips = [text.replace("+ ", "") for text in re.findall(rf"\+ {NUMBER}|{NUMBER}", found[1])]
    chips = chips[1:] if re.match("0|…|was", found[1]) else chips  # a struck start is not read
    windows = [come[k : k + len(chips)] for k in range(len(come) - len(chips) + 1)]
    right = any(
        all(not is_one_of(c, [s.contribution], said, now) for c, s in zip(chips, w, strict=True))
        for w in windows
    )
    total = is_one_of(found[3], known(said, now.grads), said, now)
    to_come = len(all_) - max(len(come), CHIPS)
    return both(total, "" if right else f"chips {chips}", is_count(found[2], to_come))


@claim(r"^(?=∂P/∂P[₀-₉]* = ([^=≠]+?) = ([^=≠]+?)\s?(?:[=≠]|$))")
def _in_one_order(found: re.Match[str], said: Said, now: Moment) -> str:
    """Each product in numbers stands under the same product in symbols."""
    if said.place != "Why":
        return ""
    terms = zip(found[1].split(" + "), found[2].split(" + "), strict=False)
    pairs = [f"{symbols} = {product}" for symbols, product in terms if "·" in product]
    equations = [chain for pair in pairs for chain in chains(pair)]
    return both(*(disagreement(chain, now, now.digits) for chain in equations))


@claim(r"^(?=(?:(?:… |was )(N)|(0)) .+ = N$)")
def _ledger_start(found: re.Match[str], said: Said, now: Moment) -> str:
    """What a ledger starts from is what the node held before the first chip that is shown."""
    if said.place != "ledger":
        return ""
    assert said.node is not None
    come = now.came(said.node)
    held = come[max(0, len(come) - CHIPS)].before if come else now.grads.get(said.node, 0.0)
    return is_one_of(found[1] or found[2], [held], said, now)


@claim(r"^0 = –$")
def _nothing_yet(_found: re.Match[str], said: Said, now: Moment) -> str:
    return "something has come" if said.node in now.grads else ""


@claim(r"^0 \+(\d+) more = –$")
def _long_nothing(found: re.Match[str], said: Said, now: Moment) -> str:
    assert said.node is not None
    return both(_nothing_yet(found, said, now), is_count(found[1], len(now.all(said.node)) - CHIPS))


@claim(r"(?=∂P/∂P \+= )")
def _derivative_receives(_found: re.Match[str], said: Said, now: Moment) -> str:
    """A part of a sum is added to the `grad` of a node: the derivative is no running total."""
    assert said.node is not None
    return "" if len(now.all(said.node)) == 1 else "the derivative is no running total"


@claim(r"^First difference: step (\d[\d,]*)")
def _first_difference(found: re.Match[str], _said: Said, now: Moment) -> str:
    return is_count(found[1], now.run.first_wrong)


SOLO = frozenset({_short_label, _nothing_yet, _long_ledger, _long_nothing})
"""Claims on texts that look like equations and are none."""
