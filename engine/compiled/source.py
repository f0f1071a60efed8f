"""Straight-line source: a graph written out as one Python function without a loop.

The result resembles hand-written code: a line for each value, then a line for each contribution to
a gradient. Three textbook optimisations keep it short:

1. a node that depends on no wanted leaf gets no gradient;
2. a gradient that equals another one, as behind a `+`, uses that one's name;
3. a number that is used once, and that no gradient reads, is inlined.

Contributions are added in the order of a trace, so the result is identical to the last bit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from heapq import heappush, heappushpop
from typing import Any, NamedTuple

from engine.ops import OPS
from engine.tape import MINUS_ONE, NAMES, ONE, TEXTS, Tape

Numbers = Sequence[float]
Read = Callable[[Any], tuple[Numbers, Numbers]]
Compiled = Callable[..., tuple[float, tuple[float, ...]]]

DEPTH = 30
"""Maximum nesting of an expression; Python's compiler has limits of its own."""

FEW = 254
"""Python accesses the first 256 local variables of a function faster than the rest.

Two of them are `values` and `others`.
"""

CONDITION, SUM, PRODUCT, SIGN, ATOM = range(5)
"""Binding strength of a piece of source."""


class SourceText(NamedTuple):
    """A piece of source, its binding strength, and its nesting depth (0: a name or a number)."""

    text: str
    binds: int = ATOM
    depth: int = 0

    def within(self, binds: int) -> str:
        """Return the text, in brackets if it binds less tightly than `binds`."""
        return self.text if self.binds >= binds else f"({self.text})"

    @property
    def negated(self) -> str | None:
        """Return the text without the minus sign it begins with; None if it has none."""
        return self.text[1:] if self.binds >= PRODUCT and self.text.startswith("-") else None


def write(tape: Tape, wanted: Sequence[int], others: Sequence[int]) -> str:
    """Return the source of a function `program(values, others)` of these leaves."""
    return _Writer(tape, wanted, others).write()


def build(source: str, read: Read, count: int) -> Compiled:
    """Compile the source; `read` converts any argument but a list of `count` values.

    A list is passed straight to the function, without a call of `read`.
    """
    head = [
        "def program(values=None):",
        "    others = rest",
        f"    if type(values) is not list or len(values) != {count}:",
        "        values, others = read(values)",
    ]
    made: dict[str, Compiled] = {}
    names = {**NAMES, "inf": math.inf, "nan": math.nan, "read": read, "rest": read(None)[1]}
    text = "\n".join([*head, *_with_fast_names(source.splitlines()[1:])])
    exec(compile(text, "<program>", "exec"), names, made)  # only generated names and numbers
    return made["program"]


def _with_fast_names(lines: list[str]) -> list[str]:
    """Let values share the FEW names that are accessed fastest, each until it is read last.

    Where more values than that are alive, those that are alive longest keep names of their own.
    """
    pieces = [_NAME.split(line) for line in lines]  # text and names in turns
    last = {name: k for k, line in enumerate(pieces) for name in line[1::2]}
    if len(last) <= FEW:
        return lines
    fast = [f"r{k}" for k in range(FEW)]
    # Python numbers names as it meets them, also in a branch that is never taken
    head = ["    if False:", f"        {' = '.join(fast)} = 0.0"]
    given: dict[str, str] = {}
    alive: list[tuple[int, str]] = []  # a heap: what is alive longest is first
    seen: set[str] = set()
    for k, line in enumerate(pieces):
        names = dict.fromkeys(line[1::2])
        fast += [given[name] for name in names if name in given and last[name] == k]
        for name in [name for name in names if name not in seen]:
            seen.add(name)
            if fast:
                given[name] = fast.pop()
                heappush(alive, (-last[name], name))
                continue
            longest = heappushpop(alive, (-last[name], name))[1]
            if longest != name:
                given[name] = given.pop(longest)
    return [*head, *["".join([given.get(piece, piece) for piece in line]) for line in pieces]]


class _Writer:
    """Writes one program: `values` and `grads` tell how each place is written."""

    def __init__(self, tape: Tape, wanted: Sequence[int], others: Sequence[int]) -> None:
        self.tape = tape
        self.wanted = wanted
        self.others = others
        self.wants = tape.wants(wanted)
        self.varies = tape.wants(tape.leaves)
        self.numbers = tape.start if all(self.varies) else tape.run(tape.start)[0]
        self.mentions = [0] * len(tape)
        self.read = [False] * len(tape)
        self.contributions = [0] * len(tape)
        self.values: list[SourceText] = []
        self.grads: dict[int, SourceText] = {}
        self.lines: list[str] = []
        for place in range(len(tape) - 1, -1, -1):
            self._look_at(place)

    def write(self) -> str:
        """Unpack the leaves, compute the values, then the gradients, and return both."""
        self._unpack(self.wanted, "values")
        self._unpack(self.others, "others")
        for place in range(len(self.tape)):
            self.values.append(self._value(place))
        self.grads[self.tape.root] = SourceText(ONE)
        for place in range(self.tape.root, -1, -1):
            for slot, source in enumerate(self.tape.inputs(place)):
                if self.wants[source]:
                    self._add(source, self._share(place, slot))
        grads = _tuple(self.grads[place].text for place in self.wanted)
        self.lines.append(f"return {self.values[self.tape.root].text}, {grads}")
        return "\n    ".join(["def program(values, others):", *self.lines]) + "\n"

    def _look_at(self, place: int) -> None:
        """Record what a step uses and what its local derivatives read; count contributions."""
        inputs = self.tape.inputs(place)
        if not inputs:
            return
        op = OPS[self.tape.codes[place]]
        text = TEXTS[op.name]
        for slot, (letter, source) in enumerate(zip(op.slots, inputs, strict=True)):
            self.mentions[source] += text.forward.count(f"{{{letter}}}")
            if self.wants[source]:
                self.contributions[source] += 1
                read = text.slopes[slot]
                self.read[place] |= "{out}" in read
                for name, other in zip(op.slots, inputs, strict=True):
                    self.read[other] |= f"{{{name}}}" in read

    def _unpack(self, leaves: Sequence[int], name: str) -> None:
        if leaves:
            self.lines.append(f"{_tuple(self._name('v', leaf) for leaf in leaves)} = {name}")

    def _name(self, letter: str, place: int) -> str:
        return f"{letter}{self.tape.ids[place]}"

    def _value(self, place: int) -> SourceText:
        """Return the text for the value of a place where it is used."""
        if not self.varies[place]:
            return _number(self.numbers[place])
        inputs = self.tape.inputs(place)
        if not inputs:
            return SourceText(self._name("v", place))
        op = OPS[self.tape.codes[place]]
        parts = [self.values[source] for source in inputs]
        template = _chosen(TEXTS[op.name].forward, dict(zip(op.slots, parts, strict=True)))
        binds, *needs = _BINDS.get(op.name, (_tightness(template), *[ATOM] * len(inputs)))
        names = {
            letter: part.within(need)
            for letter, part, need in zip(op.slots, parts, needs, strict=True)
        }
        depth = 1 + max(part.depth for part in parts)
        text = SourceText(template.format_map(names), binds, depth)
        kept = self.read[place] or self.mentions[place] != 1 or place == self.tape.root
        return self._line("v", place, text) if kept or depth >= DEPTH else text

    def _add(self, place: int, share: SourceText) -> None:
        """Add what a node sends to the gradient of its input at a place."""
        before = self.grads.get(place)
        name = self._name("g", place)
        if before is not None and before.text == name:
            sign, text = ("-", share.negated) if share.negated else ("+", share.text)
            self.lines.append(f"{name} {sign}= {text}")
            return
        leaf = self.tape.codes[place] < 0
        if before is None and leaf:
            before = SourceText("0.0")
        text = share if before is None else _sum(before, share)
        uses = sum(self.wants[source] for source in self.tape.inputs(place))
        kept = self.contributions[place] > 1 or uses != 1
        kept = leaf or (kept and text.depth > 0) or text.depth >= DEPTH
        self.grads[place] = self._line("g", place, text) if kept else text

    def _share(self, target: int, slot: int) -> SourceText:
        """Return upstream × local derivative: what a node sends along one of its slots."""
        upstream = self.grads[target]
        op = OPS[self.tape.codes[target]]
        template = TEXTS[op.name].slopes[slot]
        if template == ONE:
            return upstream
        if template == MINUS_ONE:
            return SourceText(f"-{upstream.within(SIGN)}", SIGN, upstream.depth + 1)
        inputs = zip(op.slots, self.tape.inputs(target), strict=True)
        parts = {letter: self.values[source] for letter, source in inputs}
        parts["out"] = self.values[target]
        template = _chosen(template, parts)
        names = {letter: part.text for letter, part in parts.items()}
        local = SourceText(template.format_map(names), _tightness(template), 1)
        if upstream.text == ONE:
            return local
        if branches := _BRANCHES.fullmatch(local.text):  # one factor is 1, and needs no product
            if upstream.depth > 0:
                upstream = self.grads[target] = self._line("g", target, upstream)
            yes, no = (_times(upstream.text, factor) for factor in branches.group(1, 3))
            return SourceText(f"{yes} if {branches[2]} else {no}", CONDITION, 1)
        text = f"{upstream.within(PRODUCT)} * {local.within(SIGN)}"
        return SourceText(text, PRODUCT, upstream.depth + 1)

    def _line(self, letter: str, place: int, text: SourceText) -> SourceText:
        """Assign a text to a new variable; returns the variable."""
        name = self._name(letter, place)
        self.lines.append(f"{name} = {text.text}")
        return SourceText(name)


# binding strength of an operation, and that required of its inputs
_BINDS = {
    "add": (SUM, SUM, PRODUCT),
    "sub": (SUM, SUM, PRODUCT),
    "mul": (PRODUCT, PRODUCT, SIGN),
    "neg": (SIGN, SIGN),
}
_NAME = re.compile(r"\b([vg]\d+)\b")
_CHOICE = re.compile(r"(.+) if \{(\w+)\} else (.+)")
_BRANCHES = re.compile(r"(\S+) if (\S+ \S+ \S+) else (\S+)")
_NUMBER = re.compile(r"-?(\d.*|inf|nan)")


def _chosen(template: str, parts: Mapping[str, SourceText]) -> str:
    """Resolve a conditional on a number that is known to be zero or not; returns the branch."""
    choice = _CHOICE.fullmatch(template)
    if choice is None or not _NUMBER.fullmatch(parts[choice[2]].text):
        return template
    return choice[1] if float(parts[choice[2]].text) else choice[3]


@cache  # of the few templates of OpText
def _tightness(template: str) -> int:
    if re.fullmatch(r"\w+\([^()]*\)", template):
        return ATOM
    if re.fullmatch(r"\{\w+\}", template):
        return SIGN  # it may be a negative number
    return PRODUCT if re.fullmatch(r"\S+ / \S+", template) else CONDITION


def _sum(a: SourceText, b: SourceText) -> SourceText:
    """Add a term to a name or a number; a - b has the bits of a + -b."""
    text = f"{a.text} - {b.negated}" if b.negated else f"{a.text} + {b.within(PRODUCT)}"
    return SourceText(text, SUM, 1 + max(a.depth, b.depth))


def _times(upstream: str, factor: str) -> str:
    return upstream if factor == ONE else f"{upstream} * {factor}"


def _number(value: float) -> SourceText:
    return SourceText(repr(value), SIGN if repr(value).startswith("-") else ATOM)


def _tuple(names: Iterable[str]) -> str:
    found = list(names)
    return f"({found[0]},)" if len(found) == 1 else f"({', '.join(found)})"
