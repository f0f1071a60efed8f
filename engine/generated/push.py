"""The backward step of a Value: one rule per operation, shared by all its nodes.

A rule is generated from the operation's source text, so that it adds upstream × local derivative
along every slot without a loop, with exactly the results of a trace. A node holds its operands in
`_a` and `_b`; of three operands, `_b` holds the last two as a pair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from engine.generated.inline import MINUS_ONE, NAMES, ONE, TEXTS
from engine.generated.tape import CODES, LEAF, UNKNOWN
from engine.op import Op
from engine.ops import BY_NAME, OPS

Push = Callable[[Any], None]
"""Adds a node's contributions to the gradients of its operands."""


class PushRule:
    """What all nodes of one operation share: its symbol, its code, and the backward step."""

    __slots__ = ("code", "push", "sign")

    def __init__(self, sign: str, code: int, push: Push) -> None:
        self.sign = sign
        self.code = code
        self.push = push


class ByHand:
    """A backward step assigned to a single node by a program, as a closure over its operands."""

    __slots__ = ("call",)

    def __init__(self, call: Callable[[], None]) -> None:
        self.call = call

    def __call__(self, _node: object) -> None:
        self.call()


def send_nothing(_node: object) -> None:
    """Do nothing: the step of leaves, and of hand-made nodes until `_backward` is assigned."""


@lru_cache(256)  # exponents in use at a time: programs have few
def power_by(number: str) -> PushRule:
    """Return the rule of a power with a plain number as exponent, which gets no gradient."""
    return PushRule(f"**{number}", CODES["pow"], _push_base)


def made_by_hand(sign: str, operands: int) -> PushRule:
    """Return the rule of a node that was made without an operation."""
    for rule in RULES.values():
        if rule.sign == sign and len(OPS[rule.code].slots) == operands:
            return PushRule(sign, rule.code, send_nothing)
    return PushRule(sign, UNKNOWN if operands else LEAF, send_nothing)


def _push(op: Op, slots: Iterable[int]) -> Push:
    """Generate the backward step of an operation along some of its slots."""
    fields = ("_a", "_b") if len(op.slots) < 3 else ("_a", "_b._a", "_b._b")
    names = {letter: f"node.{field}.data" for letter, field in zip(op.slots, fields, strict=False)}
    lines = ["def push(node):", "    upstream = node.grad"]
    for slot in slots:
        local = TEXTS[op.name].slopes[slot].format_map(names | {"out": "node.data"})
        share = {ONE: "upstream", MINUS_ONE: "-upstream"}.get(local, f"upstream * ({local})")
        lines.append(f"    node.{fields[slot]}.grad += {share}")
    made: dict[str, Push] = {}
    exec("\n".join(lines), dict(NAMES), made)  # only generated names and numbers
    return made["push"]


_SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "**", "relu": "ReLU"}

RULES = {
    op.name: PushRule(_SIGNS.get(op.name, op.name), CODES[op.name], _push(op, range(len(op.slots))))
    for op in OPS
}
"""The rule of each operation, by its name."""

LEAF_RULE = PushRule("", LEAF, send_nothing)
PAIR_RULE = PushRule("", UNKNOWN, send_nothing)

_push_base = _push(BY_NAME["pow"], (0,))
