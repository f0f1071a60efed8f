"""The judge: reads a text with claims and equations, and says what is false or was not read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from tests.truth import lanes as lanes  # its claims
from tests.truth.claims import CLAIMS, DOMAINS, FIXED, Check, Said
from tests.truth.equation import Ranges, disagreement, evaluated
from tests.truth.groups import SOLO as SOLO_OF_GROUPS
from tests.truth.moment import Moment, near
from tests.truth.oracle import replaces
from tests.truth.ranges import displayed
from tests.truth.reader import UnreadableError, chains, expression
from tests.truth.sums import SOLO
from tests.truth.tokens import NAME, NUMBER, tokens

_FIGURE = re.compile(NUMBER)


@dataclass
class Verdict:
    """What reading one text found: equations, other claims, what is false, what is unread."""

    equations: int = 0
    claims: int = 0
    false: list[str] = field(default_factory=list[str])
    unread: list[str] = field(default_factory=list[str])


def judge(said: Said, now: Moment) -> Verdict:
    """Read a text at a moment."""
    verdict = Verdict()
    if said.text in DOMAINS:
        return verdict
    text = now.run.names.put_in(FIXED.sub(_blank, said.text))
    text = text.replace("= ✘ ", "=   ")  # a cross before a number says nothing of the equation
    if "code" in said.place:
        text = _code(text, said, now, verdict)
    rest = list(text)
    for begin, end, fault, solo in _claims(text, said, now):
        verdict.claims += 1
        _note(verdict, fault)
        rest[begin:end] = " " * (end - begin)
        text = text[:begin] + " " * (end - begin) + text[end:] if solo else text
    for chain in chains(text):
        verdict.equations += 1
        _note(verdict, disagreement(chain, now, "shortest" if said.full else now.digits))
        rest[chain.begin : chain.end] = " " * (chain.end - chain.begin)
    unread = (token.text for token in tokens("".join(rest)) if token.kind in ("number", "stray"))
    verdict.unread += list(unread)
    return verdict


def _claims(text: str, said: Said, now: Moment) -> Iterator[tuple[int, int, str, bool]]:
    for found, check in _matches(text):
        try:
            fault = check(found, said, now)
        except (ArithmeticError, AssertionError, LookupError, UnreadableError, ValueError):
            fault = f"said of nothing: {now.run.names.take_out(found[0])}"
        yield found.start(), found.end(), fault, check in SOLO | SOLO_OF_GROUPS | lanes.SOLO


@lru_cache(maxsize=20_000)
def _matches(text: str) -> tuple[tuple[re.Match[str], Check], ...]:
    """The claims that a text makes; the same text is shown again and again."""
    return tuple((m, check) for pattern, check in CLAIMS for m in pattern.finditer(text))


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _note(verdict: Verdict, fault: str) -> None:
    if fault:
        verdict.false.append(fault)


_LINE = re.compile(r"^(?:Line (\d+): )?(.*?)(?:  # (.*))?$", re.DOTALL)
_STATEMENT = re.compile(rf"({NAME}(?:\.grad)?) (\+?=) (.+)")


def _code(text: str, said: Said, now: Moment, verdict: Verdict) -> str:
    """Run a line of code; what stands before and behind it is returned, to be read."""
    lead = re.match(r"(?:Pass \d: )?", text)
    begin = lead.end() if lead else 0
    parts = _LINE.match(text[begin:])
    assert parts is not None
    number, statement, comment = parts.groups()
    if number is not None and int(number) != said.count and now.cursor:
        verdict.false.append(f"line {number} where line {said.count} belongs")
    found = _STATEMENT.fullmatch(statement)
    if found is None:
        return text
    verdict.equations += 1
    try:
        name, sign, right = found.groups()
        _note(verdict, _statement((name, sign, right), comment or "", said, now))
    except UnreadableError as error:
        _note(verdict, f"no meaning: {error}")
    bare = re.fullmatch(NUMBER, comment or "")
    return text[:begin] + " " * len(statement) + ("" if bare else f"  # {comment or ''}")


def _statement(line: tuple[str, str, str], comment: str, said: Said, now: Moment) -> str:
    """Whether a line does what its step does, and its comment says what came of it."""
    name, sign, right = line
    tree, end = expression(right)
    if tree is None or right[end:].strip():
        return f"can't be run: {now.run.names.take_out(right)}"
    if not name.endswith(".grad"):
        here = Moment(now.run, "live")
        known = {n: now.run.values[n] for n in now.run.names.nodes(name)}
        return _result(evaluated(tree, here, "shortest"), known.values(), comment, now)
    k = now.cursor if said.step is None else said.step
    step = now.run.steps[k - 1]
    if step.node not in now.run.names.nodes(name[0]):
        return "another node receives"
    if step.wire is None:
        return "" if right == ("1" if step.kind == "seed" else "0") and sign == "=" else "no"
    if (sign == "=") != replaces(now.graph, step.wire, now.run.mistake):
        return f"{sign} under the mistake {now.run.mistake}"
    here = Moment(now.run, "backward", k, before=True)
    return _result(evaluated(tree, here, "shortest"), [step.contribution], comment, now)


def _result(found: Ranges, numbers: Iterable[float], comment: str, now: Moment) -> str:
    wanted = list(numbers)
    if not any(near(r, wanted) for r in found):
        return f"it comes to {found}, not {wanted}"
    if re.fullmatch(NUMBER, comment) and not near(displayed(comment, now.digits), wanted):
        return f"{comment} behind what comes to {wanted}"
    return ""


def has_number(text: str) -> bool:
    """Whether a text holds a figure of any kind."""
    return bool(_FIGURE.search(text))
