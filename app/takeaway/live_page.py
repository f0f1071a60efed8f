"""Live page: what a page needs to run both passes of a graph at numbers of the reader's.

The formulas are rows of the table of operations, written in JavaScript; the order of the pass is
the engine's schedule, as data; remarks on special numbers are the narration's, with holes.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from typing import Final

from app.takeaway.html_page import resource
from app.takeaway.page_data import LINK_NAMES, LiveLeaf, LivePage
from app.takeaway.page_parts import NAME_LENGTH
from app.workbench.words.narration import GRADIENT_OVERFLOWS, SLOPE_NOT_FINITE
from engine.conditions import Formulas
from engine.errors import sentence
from engine.formats.native import json_number
from engine.graph import Constant, Graph, OpNode
from engine.numbers import Digits, FieldNumber, short
from engine.ops import Op
from engine.problems import why_not_finite
from engine.rules import CORRECT, MISTAKES
from engine.schedule import NO_NODE, Tick
from engine.trace import Trace
from engine.writers import JAVASCRIPT, parse_formula

MOST_LEAVES: Final = 60
"""Most leaves with a number to drag: among more nobody finds one."""


def live_page(backward: Trace, digits: Digits) -> LivePage | None:
    """Return what a page computes, or None where it can't or nobody would follow.

    That is under rules of a program, for operations without a formula, numbers with all their
    digits, in the last of which browsers differ, and many leaves.
    """
    graph = backward.graph
    if (
        backward.rules not in (CORRECT, *MISTAKES)
        or not isinstance(digits, int)
        or graph.frozen(graph.nodes)
        or not 0 < len(graph.leaves) <= MOST_LEAVES
    ):
        return None
    leaves = [
        LiveLeaf(
            node, graph.brief(node, NAME_LENGTH), _link_name(graph.names[node]), json_number(value)
        )
        for node, value in graph.leaf_values.items()
    ]
    computed = [
        (node, graph.op(node).name, inputs) for node, _f, inputs in graph.structure.computable
    ]
    conventions = {op.name: op.convention for op in _operations([graph]) if op.convention}
    return LivePage(
        leaves,
        {str(n): json_number(c.value) for n, c in graph.nodes.items() if isinstance(c, Constant)},
        [[node, name, *inputs] for node, name, inputs in computed],
        [_tick(tick, backward) for tick in backward.schedule.ticks],
        [node for node in graph.structure.topological_order if node in backward.values],
        {str(n): _bad_value(graph, n, backward) for n in backward.values},
        conventions,
        GRADIENT_OVERFLOWS,
        {
            op.name: sentence(SLOPE_NOT_FINITE, {"op": op.symbol, "local": short(_LOCAL, digits)})
            for op in _operations([graph])
        },
        backward.rules.seed,
        replaces=not backward.rules.accumulate,
    )


def _link_name(name: str) -> str:
    return f"{name}." if name in LINK_NAMES else name


def _tick(tick: Tick, backward: Trace) -> list[int]:
    """Return a step as `LivePage.ticks` has it."""
    if tick.kind != "contribution":
        return [tick.node] if tick.kind == "seed" else [tick.node, NO_NODE]
    slot = backward.rules.slope_slot(backward.graph.op(tick.sender), tick.slot)
    return [tick.node, tick.sender, tick.slot, *([] if slot == tick.slot else [slot])]


_LOCAL: Final = FieldNumber(1.5, "l")
"""The local derivative of the step whose remark it is."""


def _operations(graphs: Sequence[Graph]) -> list[Op]:
    """Return the operations of some graphs, each once, by name."""
    found = {
        graph.op(n).name: graph.op(n)
        for graph in graphs
        for n, x in graph.nodes.items()
        if isinstance(x, OpNode)
    }
    return [found[name] for name in sorted(found)]


def _bad_value(graph: Graph, node: int, trace: Trace) -> list[str]:
    """Return the sentences that the value of a node is nan, and that it is infinite."""
    values = {
        n: trace.values[n] if isinstance(graph.nodes[n], Constant) else FieldNumber(1.5, f"v{n}")
        for n in graph.inputs(node)
        if n is not None
    }
    return [
        why_not_finite(graph, node, {**values, node: FieldNumber(bad, f"v{node}")})
        for bad in (math.nan, math.inf)
    ]


def live_script(graphs: Sequence[Graph], formulas: Formulas | None = None) -> str:
    """Return the operations of some graphs as JavaScript, with the functions that they call.

    Also the formulas of questions, as functions of the numbers around one.
    """
    ops = _operations(graphs)
    rows = _table("OPS", [(op.name, op.javascript) for op in ops])
    conventions = [(op.name, found) for op in ops if (found := op.javascript_conventions)]
    functions = resource("functions.js") + (resource("normal.js") if "normal" in rows else "")
    tables = functions + rows + _table("CONVENTIONS", conventions)
    if formulas is None or not formulas.numbers:
        return tables
    written = ",\n".join(map(_arrow, formulas.numbers))
    return f"{tables}const FORMULAS = [\n{written}\n];\n"


def _arrow(formula: str) -> str:
    """Return a formula as a function of an object with the numbers that it names."""
    tree = parse_formula(formula)
    called = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and id(n) not in called}
    letters = ", ".join(sorted(names - {"Infinity"}))
    return f"  ({{ {letters} }}) => {JAVASCRIPT.write(formula)}"


def _table(name: str, rows: Sequence[tuple[str, str]]) -> str:
    """Return an object of JavaScript, the functions of an operation by its name."""
    body = ",\n".join(f"  {key}: {functions}" for key, functions in rows)
    return _TABLE.replace("NAME", name).replace("ROWS", body)


_TABLE: Final = """const NAME = {
ROWS
};
"""
