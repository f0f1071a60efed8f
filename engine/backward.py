"""How a Value sends its gradient back: one rule for each operation, shared by all its nodes.

A rule is made from the texts of the operation, so that it does upstream × local derivative
along every slot without a loop, with the bits of a trace. A node has its operands in `_a` and
`_b`; of three operands the last two are those of a pair at `_b`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from engine.inline import MINUS_ONE, NAMES, ONE, TEXTS
from engine.op import Op
from engine.ops import BY_NAME, OPS
from engine.tape import CODES, LEAF, UNKNOWN

Push = Callable[[Any], None]
"""Adds to the gradients of a node's operands what the node contributes to them."""


class Rule:
    """What all nodes of one operation share: its sign, its code, and the backward step."""

    __slots__ = ("code", "push", "sign")

    def __init__(self, sign: str, code: int, push: Push) -> None:
        self.sign = sign
        self.code = code
        self.push = push


class ByHand:
    """A backward step that was assigned to one node; it knows its operands itself."""

    __slots__ = ("call",)

    def __init__(self, call: Callable[[], None]) -> None:
        self.call = call

    def __call__(self, _node: object) -> None:
        self.call()


def send_nothing(_node: object) -> None:
    """The step of leaves, and of nodes made by hand until `_backward` is assigned."""


@lru_cache(256)
def power_by(number: str) -> Rule:
    """The rule of a power by a number, which gets no gradient."""
    return Rule(f"**{number}", CODES["pow"], _push_base)


def made_by_hand(sign: str, operands: int) -> Rule:
    """The rule of a node that was made without an operation."""
    for rule in RULES.values():
        if rule.sign == sign and len(OPS[rule.code].slots) == operands:
            return Rule(sign, rule.code, send_nothing)
    return Rule(sign, UNKNOWN if operands else LEAF, send_nothing)


def _push(op: Op, slots: Iterable[int]) -> Push:
    """The backward step of an operation along some of its slots."""
    fields = ("_a", "_b") if len(op.slots) < 3 else ("_a", "_b._a", "_b._b")
    names = {letter: f"node.{field}.data" for letter, field in zip(op.slots, fields, strict=False)}
    lines = ["def push(node):", "    upstream = node.grad"]
    for slot in slots:
        local = TEXTS[op.name].slopes[slot].format_map(names | {"out": "node.data"})
        share = {ONE: "upstream", MINUS_ONE: "-upstream"}.get(local, f"upstream * ({local})")
        lines.append(f"    node.{fields[slot]}.grad += {share}")
    made: dict[str, Push] = {}
    exec("\n".join(lines), dict(NAMES), made)  # only names and numbers of our own
    return made["push"]


_SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "**", "relu": "ReLU"}

RULES = {
    op.name: Rule(_SIGNS.get(op.name, op.name), CODES[op.name], _push(op, range(len(op.slots))))
    for op in OPS
}
"""The rule of each operation, by its name."""

LEAF_RULE = Rule("", LEAF, send_nothing)
PAIR_RULE = Rule("", UNKNOWN, send_nothing)

_push_base = _push(BY_NAME["pow"], (0,))
