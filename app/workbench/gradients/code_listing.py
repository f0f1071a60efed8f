"""The listing: a pass as lines of Python code, one for each step, for the page Code."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Literal

from msgspec import Struct

from engine.frame import Frame
from engine.graph import Constant, Graph, Wire
from engine.numbers import ASKED, DIGITS_SHOWN, HIDDEN, Digits, plain, short, signed
from engine.ops import Op
from engine.problems import arguments
from engine.rules import UNKNOWN, Rules
from engine.trace import Event, Trace

_PYTHON_SIGNS = {
    ", ½ if equal, else": " else 0.5 if a == b else",
    ", else": " else",
    "≤": "<=",
    "−": "-",
    "×": "*",
    "·": "*",
    "÷": "/",
    "^": "**",
    "²": "**2",
    "Φ": "Phi",
    "φ": "phi",
    "√": "sqrt ",
    "sqrt (": "sqrt(",
}
"""Signs of the formulas in the table of operations, and Python's; replaced in this order."""


def formula_undefined(graph: Graph, wire: Wire, values: Mapping[int, float]) -> bool:
    """Return whether the rule of a local derivative is undefined at these values."""
    op, inputs = graph.op(wire[0]), arguments(graph, wire[0], values)
    return op.formula_undefined(wire[1], *inputs)


def slope_code(graph: Graph, event: Event, rules: Rules, values: Mapping[int, float]) -> str:
    """Return the local derivative of an event as Python code: `b.data`, `(1 - o.data**2)`.

    Where the formula is undefined, as for 0**0, return the number that the pass uses instead.
    """
    target, slot = event.sender, event.slot
    op = graph.op(target)
    if formula_undefined(graph, (target, slot), values):
        return plain(event.local)
    sources = [_code_name(graph, s, ".data") for s in graph.inputs(target)]
    return op_slope_code(op, rules.slope_slot(op, slot), sources)


def op_slope_code(op: Op, slot: int, sources: Sequence[str]) -> str:
    """Return one local derivative of an op as Python code over its inputs."""
    text = op.filled(_as_code(op.slopes[slot]), sources)
    return f"({text})" if " " in text else text


@lru_cache(256)
def _as_code(formula: str) -> str:
    """Return a formula of the table of operations as Python."""
    for sign, code in _PYTHON_SIGNS.items():
        formula = formula.replace(sign, code)
    return re.sub(r"\b(log|sqrt) ([a-z])\b", r"\1(\2)", formula)


def forward_code(graph: Graph, node: int) -> str:
    """Return the line that computes an op node: `e = a * b`, `o = n.tanh()`."""
    op = graph.op(node)
    names = [_code_name(graph, s) for s in graph.inputs(node)]
    if op.infix:
        text = f"{names[0]} {op.infix} {names[1]}"
    elif op.name == "neg":
        text = f"-{names[0]}"
    elif len(names) == 1 and _unlabelled_constant(graph, graph.inputs(node)[0]) is None:
        text = f"{names[0]}.{op.name}()"
    elif len(names) == 1:
        text = f"{op.name}({names[0].strip('()')})"  # a plain number has no methods
    else:
        text = f"{op.name}({', '.join(names)})"
    return f"{graph.names[node]} = {text}"


def _code_name(graph: Graph, node: int | None, field: str = "") -> str:
    """Return the code of a node: its name, or its number for a constant without a label."""
    if node is None:
        return "?"
    number = _unlabelled_constant(graph, node)
    if number is not None:
        text = plain(number)
        return f"({text})" if text.startswith("-") else text
    return f"{graph.names[node]}{field}"


def _unlabelled_constant(graph: Graph, node: int | None) -> float | None:
    """Return the number of a constant without a label, or None for nodes that have a name."""
    found = None if node is None else graph.nodes[node]
    return found.value if isinstance(found, Constant) and not found.label else None


def event_code(trace: Trace, event: Event) -> str:
    """Return the line of a backward event: `a.grad += e.grad * b.data`."""
    graph, rules = trace.graph, trace.rules
    name = graph.names[event.node]
    if event.wire is None:
        return f"{name}.grad = {plain(event.after)}"
    sign = "=" if rules.replaces(event.wire) else "+="
    slope = slope_code(graph, event, rules, trace.values)
    return f"{name}.grad {sign} {graph.names[event.sender]}.grad * {slope}"


class CodeLine(Struct, frozen=True):
    """One line: code, the number that its step computes as comment, and state.

    The comment is "" before the step, and while its number is hidden.
    """

    code: str
    comment: str
    state: Literal["done", "now", "later"]


class Listing:
    """The pass as lines of code, one per step; each is generated when asked for."""

    def __init__(self, frame: Frame, digits: Digits = DIGITS_SHOWN) -> None:
        self._frame = frame
        self._digits: Digits = digits

    @cached_property
    def _forward_nodes(self) -> tuple[int, ...]:
        """Return the op nodes that lead to the root, in the order of the forward pass."""
        graph = self._frame.graph
        root = self._frame.trace.root if self._frame.trace is not None else graph.root
        if root is None:
            return ()
        return tuple(n for n in graph.plan(root).order if graph.inputs(n))

    @cached_property
    def _has_constants(self) -> bool:
        """Return whether the graph has constants, whose numbers can be part of the code."""
        nodes = self._frame.graph.nodes
        return any(isinstance(node, Constant) for node in nodes.values())

    @cached_property
    def _undefined_wires(self) -> frozenset[Wire]:
        """Return the wires whose formula is undefined, so that their line has a number instead."""
        frame = self._frame
        if frame.phase != "backward" or frame.trace is None:
            return frozenset()
        graph, values = frame.graph, frame.trace.values
        targets = (node for node in self._forward_nodes if graph.op(node).undefined_at)
        wires = ((node, slot) for node in targets for slot in range(len(graph.inputs(node))))
        return frozenset(wire for wire in wires if formula_undefined(graph, wire, values))

    def __len__(self) -> int:
        """Return the number of lines; a pass whose end is hidden has those of its known steps."""
        frame = self._frame
        backward = frame.trace if frame.phase == "backward" else None
        return len(self._forward_nodes) + (0 if backward is None else len(backward))

    def has_same_code_as(self, other: Listing) -> bool:
        """Return whether the code of all lines equals that of another listing's."""
        mine, others = self._frame, other._frame
        rules = [f.trace.rules if f.trace is not None else None for f in (mine, others)]
        same_constants = mine.graph.nodes is others.graph.nodes or not self._has_constants
        return (
            mine.graph.structure is others.graph.structure
            and mine.phase == others.phase
            and rules[0] == rules[1]
            and same_constants
            and self._undefined_wires == other._undefined_wires
        )

    @property
    def hides_lines(self) -> bool:
        """Return whether lines are hidden as answers to a question."""
        return self._frame.hidden is not None

    @property
    def now(self) -> int | None:
        """Return the index of the current step's line, or None before the first step.

        In a backward pass the lines of the forward pass come before those of the steps.
        """
        frame = self._frame
        if frame.cursor == 0:
            return None
        return frame.cursor - 1 + (len(self._forward_nodes) if frame.phase == "backward" else 0)

    def step_of(self, k: int) -> int | None:
        """Return the cursor after the step of a line, or None if the pass has no such step."""
        if self._frame.phase == "live":
            return None
        step = k + 1 - (len(self._forward_nodes) if self._frame.phase == "backward" else 0)
        return step if step > 0 else None

    def node(self, k: int) -> int:
        """Return the node whose value or gradient a line computes."""
        if self.is_forward(k):
            return self._forward_nodes[k]
        assert self._frame.trace is not None
        return self._frame.trace.events[k - len(self._forward_nodes)].node

    def is_forward(self, k: int) -> bool:
        """Return whether a line belongs to the forward pass."""
        return k < len(self._forward_nodes)

    def line(self, k: int) -> CodeLine:
        """Return the line with an index from 0."""
        frame, forward_count = self._frame, len(self._forward_nodes)
        if k < forward_count:
            state = self._state(k) if frame.phase == "forward" else "done"
            return CodeLine(
                forward_code(frame.graph, self._forward_nodes[k]), self.comment(k), state
            )
        assert frame.trace is not None
        index = k - forward_count
        event = frame.trace.events[index]
        # in a hunt the rules are UNKNOWN: the one behind a contribution is the question
        is_asked = event.wire is not None and frame.trace.rules is UNKNOWN
        code = ASKED if is_asked or event.local is HIDDEN else event_code(frame.trace, event)
        return CodeLine(code, self.comment(k), self._state(index))

    def comment(self, k: int) -> str:
        """Return the value or contribution of a line, or "" before its step."""
        frame, index = self._frame, k - len(self._forward_nodes)
        if index < 0:
            value = frame.values.get(self._forward_nodes[k]) if frame.phase == "forward" else None
            return "" if value is None else short(value, self._digits)
        assert frame.trace is not None
        event = frame.trace.events[index]
        if index >= frame.cursor or event.wire is None:
            return ""
        return signed(event.contribution, self._digits)

    def _state(self, step_index: int) -> Literal["done", "now", "later"]:
        if step_index == self._frame.cursor - 1:
            return "now"
        return "done" if step_index < self._frame.cursor else "later"
