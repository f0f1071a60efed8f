"""The tape: a root and its ancestors in flat columns, run by one generated loop.

Every node has a place, inputs before the nodes that use them, in the order of a trace. One loop
forward computes all values, one loop backward all gradients, with exactly the results of a trace.
The loops are generated source: a chain of `if code == …`, the most frequent operations first, saves
a function call for each node.

The operations are in four columns: the code of the operation, and the places of up to three inputs.
For y = a*b + a, with a, b, a*b and y at places 0 to 3:

>>> from engine import from_expression
>>> graph = from_expression("y = a*b + a", {"a": 2, "b": 3})
>>> tape = tape_of(graph, graph.root)
>>> tape.first, tape.second, tape.run(tape.start)
([-1, -1, 0, 2], [-1, -1, 1, 0], ([2.0, 3.0, 6.0, 8.0], [4.0, 2.0, 1.0, 1.0]))
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache

from msgspec import Struct

from engine.graph import Constant, Graph, Leaf, Node, OpNode, Root
from engine.ops import OPS, Op
from engine.writers import (
    FLOAT_FUNCTIONS,  # the functions that the texts call
    FLOATS,
)

ONE, MINUS_ONE = "1.0", "-1.0"
"""Texts of the local derivatives that need no multiplication."""


class OpText(Struct, frozen=True):
    """An operation as text: its value, and the local derivative along each slot.

    `{a}`, or another slot's letter, stands for an input, `{out}` for the value.
    """

    forward: str
    slopes: tuple[str, ...]


def _op_text(op: Op) -> OpText:
    letters = re.compile(rf"\b({'|'.join((*op.slots, 'out'))})\b")
    forward, *slopes = [
        letters.sub(r"{\1}", FLOATS.write(text)) for text in (op.value, *op.derivatives)
    ]
    return OpText(forward, tuple(slopes))


TEXTS: dict[str, OpText] = {op.name: _op_text(op) for op in OPS}
"""The texts of each operation, by its name."""


LEAF, CONSTANT = -1, -2
"""Codes of leaves and constants; an operation's code is its index in OPS."""

CODES = {op.name: code for code, op in enumerate(OPS)}

TapeStep = tuple[int, int, int, int, int]
"""Code, place, and the places of up to three inputs."""


class Tape(Struct, frozen=True, dict=True):
    """The columns of a graph: for each place its code, its inputs (-1: none), its initial value.

    `root`, the last place, is differentiated; the others are its ancestors. `ids` are the nodes at
    each place, `labels` the labels of those that have one.
    """

    codes: list[int]
    first: list[int]
    second: list[int]
    third: list[int]
    start: list[float]
    root: int
    ids: Sequence[int]
    labels: Mapping[int, str]

    def __len__(self) -> int:
        return len(self.codes)

    @cached_property
    def place(self) -> dict[int, int]:
        """Return the place of each node."""
        return {node: place for place, node in enumerate(self.ids)}

    @cached_property
    def leaves(self) -> list[int]:
        """Return the places of the leaves."""
        return [place for place, code in enumerate(self.codes) if code == LEAF]

    @cached_property
    def steps(self) -> list[TapeStep]:
        """Return the steps of the forward pass: the operations, inputs first."""
        columns = zip(
            self.codes, range(len(self)), self.first, self.second, self.third, strict=True
        )
        return [step for step in columns if step[0] >= 0]

    def graph(self) -> Graph:
        """Return the graph of the tape, with a Root on its root."""
        nodes: dict[int, Node] = {}
        for place, (node, code) in enumerate(zip(self.ids, self.codes, strict=True)):
            label = self.labels.get(place, "")
            if code < 0:
                nodes[node] = (Leaf if code == LEAF else Constant)(self.start[place], label)
            else:
                inputs = tuple([self.ids[source] for source in self.inputs(place)])
                nodes[node] = OpNode(OPS[code].name, inputs, label)
        marker = max(self.ids) + 1
        nodes[marker] = Root(self.ids[self.root])
        return Graph(nodes, marker, marker + 1)

    def inputs(self, place: int) -> tuple[int, ...]:
        """Return the places of a place's inputs, slot by slot."""
        found = (self.first[place], self.second[place], self.third[place])
        return found[: len(OPS[self.codes[place]].slots)] if self.codes[place] >= 0 else ()

    def depends_on(self, leaves: Iterable[int]) -> list[bool]:
        """Return for each place whether it depends on one of these leaves."""
        found = [False] * (len(self) + 1)  # index -1 stands for a missing input
        for leaf in leaves:
            found[leaf] = True
        for _code, place, first, second, third in self.steps:
            if found[first] or found[second] or found[third]:
                found[place] = True
        return found[:-1]

    def run(self, start: Sequence[float]) -> tuple[list[float], list[float]]:
        """Return values and gradients by place; `start` holds those of leaves and constants."""
        values, grads = list(start), [0.0] * len(self)
        grads[self.root] = 1.0
        forward, backward = self._loops
        forward(self.steps, values, grads)
        backward(self._reversed_steps, values, grads)
        return values, grads

    @cached_property
    def _reversed_steps(self) -> list[TapeStep]:
        """Return the steps of the backward pass."""
        return self.steps[::-1]

    @cached_property
    def _loops(self) -> tuple[_Loop, _Loop]:
        """Return the loops over the operations that occur here, the most frequent tested first."""
        return _loops(
            tuple(code for code, _count in Counter(self.codes).most_common() if code >= 0)
        )


def tape_of(graph: Graph, root: int) -> Tape:
    """Lay out `root` and all its ancestors as a tape; their slots must all be filled."""
    ids = graph.plan(root).order
    place = {node: k for k, node in enumerate(ids)}
    codes: list[int] = []
    start: list[float] = []
    columns: tuple[list[int], list[int], list[int]] = ([], [], [])
    for node in ids:
        found = graph.nodes[node]
        if isinstance(found, OpNode):
            codes.append(CODES[found.op])
            start.append(0.0)
        else:
            assert isinstance(found, Leaf | Constant)
            codes.append(LEAF if isinstance(found, Leaf) else CONSTANT)
            start.append(found.value)
        inputs = [place[source] for source in graph.inputs(node) if source is not None]
        for column, source in zip(columns, (*inputs, -1, -1, -1), strict=False):
            column.append(source)
    labels = {place[node]: label for node in ids if (label := graph.label(node))}
    return Tape(codes, *columns, start, place[root], ids, labels)


_Loop = Callable[[list[TapeStep], list[float], list[float]], None]
_INPUT_PLACES = ("i", "j", "l")
"""The variables of a generated loop for the places of the inputs; `k` is the place of the node."""
LOOP_CACHE_SIZE = 64
"""Number of generated loops that are cached: one for each set of operations in use."""


@lru_cache(LOOP_CACHE_SIZE)
def _loops(codes: tuple[int, ...]) -> tuple[_Loop, _Loop]:
    """Generate the forward and the backward loop over steps whose operations are among `codes`."""
    namespace: dict[str, _Loop] = {}
    for name, body in (("forward", _value_line), ("backward", _contribution_lines)):
        lines = [f"def {name}(steps, v, g):", "    for code, k, i, j, l in steps:"]
        for place, code in enumerate(codes):
            keyword = "elif" if place else "if"
            lines.append(f"        {keyword} code == {code}:")
            lines += [f"            {line}" for line in body(OPS[code])]
        lines += [] if codes else ["        pass"]
        exec("\n".join(lines), dict(FLOAT_FUNCTIONS), namespace)  # only generated names and numbers
    return namespace["forward"], namespace["backward"]


def _value_line(op: Op) -> list[str]:
    return [f"v[k] = {TEXTS[op.name].forward.format_map(_variables(op))}"]


def _contribution_lines(op: Op) -> list[str]:
    """Return the lines that add upstream × local derivative to the gradient of each input."""
    lines = ["u = g[k]"]  # the upstream gradient
    for place, slope in zip(_INPUT_PLACES, TEXTS[op.name].slopes, strict=False):
        local = slope.format_map(_variables(op))
        lines.append(f"g[{place}] += {_times_upstream(local)}")
    return lines


def _variables(op: Op) -> dict[str, str]:
    names = {letter: f"v[{place}]" for letter, place in zip(op.slots, _INPUT_PLACES, strict=False)}
    return names | {"out": "v[k]"}


def _times_upstream(local: str) -> str:
    """Return the source text of upstream × local derivative."""
    return {ONE: "u", MINUS_ONE: "-u"}.get(local, f"u * ({local})")
