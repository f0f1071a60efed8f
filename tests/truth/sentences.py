"""Sentences: what the program says of steps, of nodes and of sums, and what each must be."""

from __future__ import annotations

import math
import re

from tests.truth.claims import Said, both, claim, counted, is_count, is_one_of, meant
from tests.truth.equation import evaluated
from tests.truth.moment import Moment, same
from tests.truth.oracle import replaces
from tests.truth.reader import expression
from tests.truth.tokens import NAME, NUMBER, SUBSCRIPTS

# the step that has just happened


@claim(r"\bgot (N) and passes (N) × (N) = (N) to (P)")
def _passes(found: re.Match[str], said: Said, now: Moment) -> str:
    step = now.step
    assert step is not None
    if step.node not in now.run.names.nodes(found[5]):
        return "it goes elsewhere"
    numbers = (step.upstream, step.upstream, step.local, step.contribution)
    return both(*(is_one_of(found[k], [x], said, now) for k, x in enumerate(numbers, 1)))


@claim(r"^(?:[^:]+: )?(P) is (N)\. (?:No leaf leads to it\. )?Press ")
def _root_is(found: re.Match[str], said: Said, now: Moment) -> str:
    """The value of the root before a pass."""
    root = now.run.graph.root
    assert root is not None
    named = "" if root in now.run.names.nodes(found[1]) else "it is not the root"
    return both(named, is_one_of(found[2], [now.run.values[root]], said, now))


@claim(r"^(?:[^:]+: )?The pass is over(?:; the largest of (N))?((?:[:,] P\.grad N)+)\.$")
def _over(found: re.Match[str], said: Said, now: Moment) -> str:
    """The gradients of leaves, when all steps are done."""
    pairs = re.findall(rf"({NAME})\.grad ({NUMBER})", found[2])
    faults = ["" if now.cursor == now.total else "it is not over"]
    leaves = sum(leaf in now.grads for leaf in now.run.graph.leaves)
    faults.append("" if int(found[1] or len(pairs)) == leaves else "leaves are left out")
    for name, number in pairs:
        held = [now.grads[n] for n in now.run.names.nodes(name) if n in now.grads]
        faults.append(is_one_of(number, held, said, now))
    return both(*faults)


@claim(
    r"(?:\b0\.01 more|;) of (P(?:(?:, | or )P)*): (?:P|it)"
    r" (rises|falls|hardly changes|stays)(?: by about (N)| as much)?"
)
def _meaning(found: re.Match[str], said: Said, now: Moment) -> str:
    """Which way the root goes with some leaves, and by how much; as much is by the size above."""
    names, way, number = re.findall(NAME, found[1]), found[2], found[3]
    faults: list[str] = []
    for name in names:
        nodes = now.run.names.nodes(name)
        signs = {math.copysign(1, now.run.right[n]) if now.run.right[n] else 0 for n in nodes}
        wanted = {"rises": 1, "falls": -1}.get(way, 0)
        faults.append("" if wanted in signs else "the root goes another way")
        if number:
            sizes = [abs(now.run.right[n]) * 0.01 for n in nodes]
            faults.append(is_one_of(number, sizes, said, now))
    return both(*faults)


@claim(r"\b(?:[Tt]he )?[Cc]orrect pass (sends|has) (N)|(?<!masks it and )[Ss]ends (N)")
def _rightly(found: re.Match[str], said: Said, now: Moment) -> str:
    k = now.cursor if said.step is None else said.step
    step, number = now.run.steps[k - 1], found[2] or found[3]
    if found[1] == "has" or step.wire is None:
        return is_one_of(number, [now.run.due[k - 1]], said, now)
    return is_one_of(number, [now.run.sent.get(step.wire, 0.0)], said, now)


@claim(r"sends P the plain product (?:−?∞|nan) · 0 = nan; PyTorch masks it and sends 0")
def _masks(_found: re.Match[str], said: Said, now: Moment) -> str:
    """That some contribution to this node is the product of 0 and no number."""
    assert said.node is not None
    lost = [s for s in now.came(said.node) if math.isnan(s.contribution) and s.local == 0]
    return "" if lost else "no contribution is masked"


@claim(r"\bHere = overwrites (N) with (N)")
def _overwrites(found: re.Match[str], said: Said, now: Moment) -> str:
    assert said.node is not None
    last = now.came(said.node)[now.kept(said.node)]
    before = is_one_of(found[1], [last.before], said, now)
    return both(before, is_one_of(found[2], [last.after], said, now))


@claim(r"\(overwritten: (.*?)\)")
def _overwritten(found: re.Match[str], said: Said, now: Moment) -> str:
    assert said.node is not None
    come = now.came(said.node)
    gone = come[: now.kept(said.node)]
    lost = {0.0, *(step.contribution for step in gone), *(step.before for step in come)}
    shown = [text.replace(" ", "") for text in re.findall(rf"[+−] (?:{NUMBER})|{NUMBER}", found[1])]
    return both(*(is_one_of(text.removeprefix("+"), lost, said, now) for text in shown))


@claim(r"((?:P(?:, | and )?)+(?:\d+ more)?) (?:was|were) wrong: ((?:N → N(?:, )?)+)")
def _were_wrong(found: re.Match[str], said: Said, now: Moment) -> str:
    """The senders of what has come that were wrong already: right and sent gradient of each."""
    assert said.node is not None
    sent = [(s.wire[0], s.upstream) for s in now.came(said.node) if s.wire]
    wrong = {n: x for n, x in sent if not same(x, now.run.right.get(n, 0.0))}
    named = re.findall(NAME, found[1])
    more = re.search(r"(\d+) more", found[1])
    faults = [is_count(str(len(named) + int(more[1] if more else 0)), len(wrong))]
    pairs = re.findall(rf"({NUMBER}) → ({NUMBER})", found[2])
    for name, node, (right, x) in zip(named, wrong, pairs, strict=False):
        faults.append("" if node in now.run.names.nodes(name) else "another node was wrong")
        faults.append(is_one_of(right, [now.run.right.get(node, 0.0)], said, now))
        faults.append(is_one_of(x, [wrong[node]], said, now))
    return both(*faults)


@claim(r"\bsent so far: (?:(N) left over \+ )?(.+?)(?: \+ \d+ more)? \+ ···$")
def _sent_so_far(found: re.Match[str], said: Said, now: Moment) -> str:
    """The factors of what has come, in order, behind what an earlier pass has left."""
    assert said.node is not None
    come = now.came(said.node)
    factors = [x for step in come[:4] for x in (step.upstream, step.local)]
    shown = re.findall(NUMBER, found[2])
    left = is_one_of(found[1], [come[0].before], said, now) if found[1] else ""
    faults = [is_one_of(t, [x], said, now) for t, x in zip(shown, factors, strict=False)]
    return both(left, is_count(str(len(shown)), len(factors)), *faults)


@claim(r"\b(?:They are|It is) added to the (N) left over from (?:pass (\d)|an)")
def _left_over(found: re.Match[str], said: Said, now: Moment) -> str:
    assert said.node is not None
    if now.kept(said.node) >= 0:
        return "it is overwritten"
    come = now.came(said.node)
    held = come[0].before if come else now.grads.get(said.node, 0.0)
    return both(is_one_of(found[1], [held], said, now), is_count(found[2] or "0", now.sweep - 1))


@claim(
    r"(COUNT) contributions arrive(?:( and add up)|, but = keeps only the last"
    r"|, but = overwrites the first (COUNT))"
)
def _arrive(found: re.Match[str], said: Said, now: Moment) -> str:
    """How many contributions come, and how many of them the last assigned one overwrites."""
    assert said.node is not None
    come = now.all(said.node)
    own = [k for k, s in enumerate(come) if s.wire and replaces(now.graph, s.wire, now.run.mistake)]
    lost = max(own, default=0)
    told = 0 if found[2] else counted(found[3]) if found[3] else len(come) - 1
    return both(is_count(found[1], len(come)), "" if told == lost else f"{lost} are overwritten")


@claim(r"(?:^|, )(N) left over from the pass before")
def _left_before(found: re.Match[str], said: Said, now: Moment) -> str:
    assert said.node is not None
    come = now.came(said.node)
    held = come[0].before if come else now.grads.get(said.node, 0.0)
    return is_one_of(found[1], [held], said, now)


@claim(r"is the first bad node: (.+?) (has no value|is infinite)")
def _first_bad(found: re.Match[str], _said: Said, now: Moment) -> str:
    tree, _end = expression(found[1])
    if tree is None:
        return f"unread: {found[1]}"
    sides = evaluated(tree, now, 6)
    if found[2] == "has no value":
        return "" if any(r.nan for r in sides) else "it has a value"
    return "" if any(math.inf in (abs(r.low), abs(r.high)) for r in sides) else "it is finite"


@claim(r"^next: P back to 0$")
def _next_zero(_found: re.Match[str], _said: Said, now: Moment) -> str:
    return "" if now.next is not None and now.next.kind == "zero" else "something else comes next"


def _of_step(text: str, part: str, said: Said, now: Moment) -> str:
    step = now.step if said.step is None else now.run.steps[said.step - 1]
    return "before any step" if step is None else is_one_of(text, [getattr(step, part)], said, now)


PARTS_OF_STEP = {
    r"\b(?:which |that |  # )?held (N)": "before",
    r"\b(?:forgets the) (N)": "before",
    r"\bis set back from (N) to 0": "before",
    r"\b(?:now|keeps) (N)": "after",
    r"\bstarts with grad (N)": "after",
    r"\bHere the slope of \S+ is (N)": "local",
}
"""What is said of one number of the step."""


def _claim_part(pattern: str, part: str) -> None:
    claim(pattern)(lambda found, said, now: _of_step(found[1], part, said, now))


for _pattern, _part in PARTS_OF_STEP.items():
    _claim_part(_pattern, _part)


# a node's own numbers


@claim(r"(?:wrong, (N) would be right|✘ (?:should be|right:) (N))")
def _would_be_right(found: re.Match[str], said: Said, now: Moment) -> str:
    assert said.node is not None
    return is_one_of(found[1] or found[2], [now.rightly(said.node)], said, now)


@claim(r"(?:(P) )?\bvalue (N)")
def _value(found: re.Match[str], said: Said, now: Moment) -> str:
    """The value of the subject; of a group, that of the output which is named."""
    if said.node is None and found[1]:
        values = [now.known[n] for n in now.run.names.nodes(found[1]) if n in now.known]
        return is_one_of(found[2], values, said, now)
    return is_one_of(found[2], known(said, now.known), said, now)


@claim(r"\bgradient (N)(?: so far, (\d+) of (\d+))?")
def _gradient(found: re.Match[str], said: Said, now: Moment) -> str:
    """Where contributions are still to come, it must say how many have."""
    right = is_one_of(found[1], known(said, now.grads), said, now)
    if said.node is None:
        return right
    come, due = len(now.came(said.node)), len(now.all(said.node))
    if found[2] is None:
        return both(right, "" if come == due else "it is not complete")
    return both(right, is_count(found[2], come), is_count(found[3], due))


@claim(r"^so far, (\d+) of (\d+)\b")
def _so_far(found: re.Match[str], said: Said, now: Moment) -> str:
    assert said.node is not None
    come, due = len(now.came(said.node)), len(now.all(said.node))
    return both(is_count(found[1], come), is_count(found[2], due))


@claim(r"(P) is (N)\. That is allowed")
def _is_allowed(found: re.Match[str], said: Said, now: Moment) -> str:
    values = [now.run.values[n] for n in now.run.names.nodes(found[1])]
    return is_one_of(found[2], values, said, now)


@claim(r"\bgradient (?:stays|is) (?:the seed, )?(N)")
def _stays(found: re.Match[str], said: Said, now: Moment) -> str:
    seed = {now.run.root: 1.0} if "seed" in found[0] else dict.fromkeys(now.run.wants, 0.0)
    return is_one_of(found[1], known(said, {**seed, **now.grads}), said, now)


@claim(r"^(P): (N) → \?$")
def _to_be_overwritten(found: re.Match[str], said: Said, now: Moment) -> str:
    held = [now.grads[n] for n in meant(found[1], said, now) if n in now.grads]
    return is_one_of(found[2], held, said, now)


@claim(r"(P): (N) lost")
def _lost(found: re.Match[str], said: Said, now: Moment) -> str:
    came = [now.came(n) for n in meant(found[1], said, now) if now.came(n)]
    gone = [sum(step.contribution for step in steps[: now.kept(steps[0].node)]) for steps in came]
    return is_one_of(found[2], gone, said, now)


@claim(r"^from P (?:to P(?:, slot \d)?|into .*), (N)$")
def _wire_carried(found: re.Match[str], said: Said, now: Moment) -> str:
    return carried(found[1], said, now)


def carried(text: str, said: Said, now: Moment) -> str:
    """Where a group hides the factors, what the wires have carried that are drawn as this one."""
    wires = said.wires or ((said.wire,) if said.wire else ())
    steps = [step for wire in wires if (step := now.fired(wire)) is not None]
    steps = [step for step in steps if step.sweep == max(s.sweep for s in steps)]
    steps = sorted(steps, key=now.run.steps.index)
    own = [
        k for k, s in enumerate(steps) if s.wire and replaces(now.graph, s.wire, now.run.mistake)
    ]
    steps = steps[max(own, default=0) :]
    sent = [step.contribution for step in steps]
    add = math.fsum if all(map(math.isfinite, sent)) else sum  # ∞ − ∞ is an error of fsum
    return is_one_of(text, [add(sent)] if sent else [], said, now)


def known(said: Said, numbers: dict[int, float]) -> list[float]:
    """The number of the node that is spoken of, if it has one."""
    return [numbers[said.node]] if said.node in numbers else []


@claim(r"^(?:data|value) (N)$")
def _data(found: re.Match[str], said: Said, now: Moment) -> str:
    return is_one_of(found[1], known(said, now.known), said, now)


@claim(r"^grad (?:was (N) )?(N)?$")
def _grad(found: re.Match[str], said: Said, now: Moment) -> str:
    was = _of_step(found[1], "before", said, now) if found[1] else ""
    grad = is_one_of(found[2], known(said, now.grads), said, now) if found[2] else ""
    return both(was, grad)


@claim(r"^∂/∂(P)([₀-₉]*)(?: (N))?$")
def _local(found: re.Match[str], said: Said, now: Moment) -> str:
    """What stands at a slot: along what the derivative is, and its number once it is known."""
    assert said.wire is not None
    source = now.graph.source(said.wire)
    assert source is not None
    slot = found[2].translate(SUBSCRIPTS)
    twice = now.graph.inputs(said.wire[0]).count(source) > 1
    named = source in now.run.names.nodes(found[1]) and slot == str(said.wire[1] + 1) * twice
    steps = [s for s in (now.fired(said.wire), now.next) if s and s.wire == said.wire]
    number = is_one_of(found[3], [s.local for s in steps], said, now) if found[3] else ""
    return both(number, "" if named else "along another input")


@claim(r"^(N)$")
def _badge(found: re.Match[str], said: Said, now: Moment) -> str:
    """A number alone: the place of a node that fires, what a wire has carried, or a value."""
    if said.place == "label":
        return carried(found[1], said, now)
    if said.place != "badge":
        return is_one_of(found[1], known(said, now.known), said, now)
    order = list(dict.fromkeys(s.wire[0] for s in now.run.steps if s.wire))
    return is_count(found[1], order.index(said.count or 0) + 1)


@claim(r"^Step (\d[\d,]*): (?:the seed at (P)|(P) back to 0|(P) gets|\S+ (P) to (P))")
def _tick(found: re.Match[str], said: Said, now: Moment) -> str:
    k = counted(found[1])
    if now.phase == "forward":
        return "" if now.run.ops[k - 1] in now.run.names.nodes(found[4]) else "another node"
    step = now.run.steps[k - 1]
    node = found[2] or found[3] or found[6]
    right = step.node in now.run.names.nodes(node) and step.kind == _KINDS[bool(found[2])]
    if found[5]:
        fires = step.wire is not None and step.wire[0] in now.run.names.nodes(found[5])
        right = step.node in now.run.names.nodes(node) and fires
    elif found[3]:
        right = step.node in now.run.names.nodes(node) and step.kind == "zero"
    return both(is_count(found[1], said.step or k), "" if right else "another step")


_KINDS = {True: "seed", False: "contribution"}
