"""Looked: how far each pass of a run has been shown, so that what was looked up first is known.

An answer stands on the screen from its step on. Whoever goes past a question, looks, goes back and
answers it has seen the answer; so has who leaves the forward pass and comes back to it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct, field

from engine.frame import Frame
from engine.graph import Constant, Graph, Leaf, Node
from engine.schedule import Pass
from engine.study.question import Question, place_of
from engine.trace import Trace

Values: TypeAlias = tuple[tuple[int, float], ...]
"""Numbers of leaves and constants that differ from those at the beginning of a run, by node."""
_Places: TypeAlias = dict[tuple[Pass, Values], int]


class Looked(Struct, frozen=True):
    """The furthest cursor at which each pass of a run was shown, at each set of values."""

    furthest: Mapping[tuple[Pass, Values], int] = field(default_factory=_Places)

    def at(self, frame: Frame, values: Values) -> Looked:
        """Return it after a frame was shown."""
        if frame.phase == "live":
            return self
        shown: _Places = {(frame.phase, values): frame.cursor}
        if frame.phase == "backward" and ("forward", values) in self.furthest:
            shown["forward", values] = len(frame.values)  # it was left, and they are all shown
        further = {key: k for key, k in shown.items() if k > self.furthest.get(key, -1)}
        return Looked({**self.furthest, **further}) if further else self

    def has(self, question: Question, trace: Trace, values: Values) -> bool:
        """Return whether the answer to a question has been shown."""
        phase: Pass = "forward" if question.kind == "value" else "backward"
        return self.furthest.get((phase, values), 0) > place_of(question, trace)

    def before_more_is_asked(self) -> Looked:
        """Return it without the backward pass, of which more is asked than when it was shown."""
        return Looked({key: k for key, k in self.furthest.items() if key[0] == "forward"})


def changed_values(before: Graph, now: Graph) -> Values:
    """Return what `changed_leaves` does, as a value that can be a key."""
    return tuple(changed_leaves(before, now).items())


def changed_leaves(before: Graph, now: Graph) -> dict[int, float]:
    """Return the numbers of the leaves and constants that hold another one now, by node."""
    if before is now:
        return {}
    old = before.nodes
    return {
        node: found.value
        for node, found in now.nodes.items()
        if isinstance(found, Leaf | Constant) and not _held(old.get(node), found.value)
    }


def _held(node: Node | None, value: float) -> bool:
    """Return whether a node held this number; nan is nan."""
    if not isinstance(node, Leaf | Constant):
        return False
    return node.value == value or (math.isnan(node.value) and math.isnan(value))
