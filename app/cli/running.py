"""backwire run: prints values and gradients as a table or as JSON."""

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any

from app.cli.command_line import Parser, prefix_file_name, print_line, table
from engine.errors import EngineError
from engine.formats.expression import literal
from engine.frame import Frame, frame_at
from engine.graph import Graph, Leaf, OpNode, Root, kind_of
from engine.rules import BY_NAME, CORRECT, MISTAKES, Rules
from engine.trace import Event, Trace, run


def do(verb: str, arguments: Sequence[str]) -> int:
    """Run both passes of a graph and print the results."""
    usage = "FILE | -e EXPR [--set a=2 ...] [--mistake NAME] [--trace] [--json]"
    parser = Parser(verb, usage, "Run a graph forward and backward.")
    parser.add_graph_arguments()
    parser.add_argument("--mistake", metavar="NAME", help="a classic mistake to make on purpose")
    parser.add_argument("--trace", action="store_true", help="each step of the backward pass")
    parser.add_argument("--json", action="store_true", help="for programs")
    options = parser.read(arguments)
    rules = rules_named(options.mistake)
    with prefix_file_name(options.file):
        trace = run(parser.graph(options), rules=rules)
    if options.json:
        print_line(json.dumps(answer(trace, steps=options.trace), indent=1, allow_nan=False))
    else:
        _print(trace, options.trace)
    return 0


def answer(trace: Trace, steps: bool = False) -> dict[str, Any]:
    """Return all values and gradients after a backward pass, ready for JSON."""
    graph, frame = trace.graph, frame_at(trace, len(trace))
    nodes = [_entry(frame, node) for node in sorted(graph.nodes) if node in graph.names]
    leaves = {
        entry["name"]: {"value": entry["value"], "grad": entry["grad"]}
        for entry in nodes
        if entry["kind"] == "leaf"
    }
    found: dict[str, Any] = {
        "root": graph.names[trace.root],
        "value": number(trace.values[trace.root]),
        "nodes": nodes,
        "leaves": leaves,
    }
    if trace.rules is not CORRECT:
        found["mistake"] = trace.rules.name
    if steps:
        found["steps"] = [_step(graph, event) for event in trace.events]
        for step, event in zip(found["steps"], trace.events, strict=True):
            step.update({"pass": event.sweep} if trace.rules.passes > 1 else {})
    return found


def number(value: float | None) -> float | str | None:
    """Return a number for JSON; inf, -inf and nan become strings."""
    if value is None or math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def rules_named(name: str | None) -> Rules:
    """Return a mistake of MISTAKES by name, or the correct rules."""
    if name is None:
        return CORRECT
    if name in BY_NAME and name != CORRECT.name:
        return BY_NAME[name]
    known = ", ".join(rules.name for rules in MISTAKES)
    raise EngineError(
        "There is no mistake called {name}; there are {known}.", name=name, known=known
    )


def _entry(frame: Frame, node: int) -> dict[str, Any]:
    found = frame.graph.nodes[node]
    return {
        "id": node,
        "name": frame.graph.names[node],
        "kind": kind_of(found),
        "op": found.op if isinstance(found, OpNode) else None,
        "value": number(frame.values.get(node)),
        "grad": number(frame.grads.get(node)),
    }


def _step(graph: Graph, event: Event) -> dict[str, Any]:
    wire = None
    if event.wire is not None:
        wire = [graph.names[event.node], graph.names[event.target], event.slot]
    numbers = ("upstream", "local", "contribution", "before", "after")
    return {
        "kind": event.kind,
        "node": graph.names[event.node],
        "wire": wire,
        **{name: number(getattr(event, name)) for name in numbers},
    }


def _print(trace: Trace, steps: bool) -> None:
    graph, frame = trace.graph, frame_at(trace, len(trace))
    print_line(f"{graph.names[trace.root]} = {literal(trace.values[trace.root])}")
    if trace.rules is not CORRECT:
        print_line(f"mistake: {trace.rules.name} ({trace.rules.title})")
    print_line()
    rows = [("name", "kind", "value", "grad")]
    for node in sorted(graph.nodes):
        found = graph.nodes[node]
        if isinstance(found, Root):
            continue
        kind = found.op if isinstance(found, OpNode) else kind_of(found)
        rows.append((graph.names[node], kind, _text(frame.values.get(node)), _grad(frame, node)))
    print_line(table(rows))
    if steps:
        print_line()
        print_line(table(list(_lines(trace))))


def _grad(frame: Frame, node: int) -> str:
    if node in frame.grads:
        return literal(frame.grads[node])
    return "no path" if isinstance(frame.graph.nodes[node], Leaf) else "-"


def _text(value: float | None) -> str:
    return "-" if value is None else literal(value)


def _lines(trace: Trace) -> Iterator[tuple[str, ...]]:
    """Yield one row per step, and one where a further pass starts."""
    sweep = 1
    for k, event in enumerate(trace.events, 1):
        if event.sweep != sweep:
            sweep = event.sweep
            yield ("", f"pass {sweep}", "", "")
        yield _line(trace.graph, k, event)


def _line(graph: Graph, k: int, event: Event) -> tuple[str, ...]:
    """Return one step as a row: its number, its wire, the product, and the resulting sum."""
    name = graph.names[event.node]
    change = f"{name}.grad: {literal(event.before)} -> {literal(event.after)}"
    if event.wire is None:
        return (str(k), event.kind, "", change)
    product = [literal(x) for x in (event.upstream, event.local, event.contribution)]
    way = f"{graph.names[event.target]}[{event.slot}] -> {name}"
    return (str(k), way, "{} * {} = {}".format(*product), change)
