"""backwire run and check: the values and gradients of a graph, and numerical ones beside them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from app.cli.command_line import Parser, name_file_in_errors, parse_positive, print_line, table
from engine.formats.expression import literal
from engine.frame import Frame, frame_at
from engine.graph import Graph, Leaf, OpNode, Root, kind_of
from engine.numbers import plain
from engine.rules import CORRECT, rules_named
from engine.trace import Event, Trace, run

if TYPE_CHECKING:
    from app.workbench.trials.checking import CheckMethod, CheckRow


def do(verb: str, arguments: Sequence[str]) -> int:
    """Run or check a graph; return the exit code."""
    return (_check if verb == "check" else _run)(verb, arguments)


def _run(verb: str, arguments: Sequence[str]) -> int:
    """Run both passes of a graph and print the results."""
    usage = "FILE | -e EXPR [--set a=2 ...] [--mistake NAME] [--trace] [--json]"
    parser = Parser(verb, usage, "Run a graph forward and backward.")
    parser.add_graph_arguments()
    parser.add_argument("--mistake", metavar="NAME", help="a classic mistake to make on purpose")
    parser.add_argument("--trace", action="store_true", help="each step of the backward pass")
    parser.add_argument("--json", action="store_true", help="for programs")
    options = parser.read(arguments)
    rules = rules_named(options.mistake)
    with name_file_in_errors(options.file):
        trace = run(parser.graph(options), rules=rules)
    if options.json:
        print_line(json.dumps(json_results(trace, steps=options.trace), indent=1, allow_nan=False))
    else:
        _print(trace, options.trace)
    return 0


def json_results(trace: Trace, steps: bool = False) -> dict[str, Any]:
    """Return all values and gradients after a backward pass, ready for JSON."""
    graph, frame = trace.graph, frame_at(trace, len(trace))
    nodes = [_node_entry(frame, node) for node in sorted(graph.nodes) if node in graph.names]
    leaves = {
        entry["name"]: {"value": entry["value"], "grad": entry["grad"]}
        for entry in nodes
        if entry["kind"] == "leaf"
    }
    results: dict[str, Any] = {
        "root": graph.names[trace.root],
        "value": json_number(trace.values[trace.root]),
        "nodes": nodes,
        "leaves": leaves,
    }
    if trace.rules is not CORRECT:
        results["mistake"] = trace.rules.name
    if steps:
        results["steps"] = [_step_entry(graph, event) for event in trace.events]
        for step, event in zip(results["steps"], trace.events, strict=True):
            step.update({"pass": event.sweep} if trace.rules.passes > 1 else {})
    return results


def json_number(value: float | None) -> float | str | None:
    """Return a number for JSON; inf, -inf and nan become strings."""
    if value is None or math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _node_entry(frame: Frame, node: int) -> dict[str, Any]:
    found = frame.graph.nodes[node]
    return {
        "id": node,
        "name": frame.graph.names[node],
        "kind": kind_of(found),
        "op": found.op if isinstance(found, OpNode) else None,
        "value": json_number(frame.values.get(node)),
        "grad": json_number(frame.grads.get(node)),
    }


def _step_entry(graph: Graph, event: Event) -> dict[str, Any]:
    """Return the JSON object of a step of the backward pass."""
    wire = None
    if event.wire is not None:
        wire = [graph.names[event.node], graph.names[event.sender], event.slot]
    numbers = ("upstream", "local", "contribution", "before", "after")
    return {
        "kind": event.kind,
        "node": graph.names[event.node],
        "wire": wire,
        **{name: json_number(getattr(event, name)) for name in numbers},
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
        rows.append(
            (graph.names[node], kind, _value_text(frame.values.get(node)), _grad_text(frame, node))
        )
    print_line(table(rows))
    if steps:
        print_line()
        print_line(table(list(_step_rows(trace))))


def _grad_text(frame: Frame, node: int) -> str:
    if node in frame.grads:
        return literal(frame.grads[node])
    return "no path" if isinstance(frame.graph.nodes[node], Leaf) else "-"


def _value_text(value: float | None) -> str:
    return "-" if value is None else literal(value)


def _step_rows(trace: Trace) -> Iterator[tuple[str, ...]]:
    """Yield one row per step, and one where a second or further backward pass starts."""
    sweep = 1
    for number, event in enumerate(trace.events, 1):
        if event.sweep != sweep:
            sweep = event.sweep
            yield ("", f"pass {sweep}", "", "")
        yield _step_row(trace.graph, number, event)


def _step_row(graph: Graph, number: int, event: Event) -> tuple[str, ...]:
    """Return one step as a row: its number, its wire, the product, and the resulting sum."""
    name = graph.names[event.node]
    change = f"{name}.grad: {literal(event.before)} -> {literal(event.after)}"
    if event.wire is None:
        return (str(number), event.kind, "", change)
    product = [literal(x) for x in (event.upstream, event.local, event.contribution)]
    wire = f"{graph.names[event.sender]}[{event.slot}] -> {name}"
    return (str(number), wire, "{} * {} = {}".format(*product), change)


def _check(verb: str, arguments: Sequence[str]) -> int:
    """Compare the gradients of a graph; returns 1 unless all are right."""
    from app.workbench.trials.checking import rows
    from engine.asking.nudge import STEP
    from engine.check import passed

    parser = _check_parser(verb, STEP)
    options = parser.read(arguments)
    method: CheckMethod = options.method or ("exact" if options.h is None else "forward")
    if method == "exact" and options.h is not None:
        parser.error("--h is for --method forward or central: exact needs no step")
    h = STEP if options.h is None else options.h
    rules = rules_named(options.mistake)
    with name_file_in_errors(options.file):
        graph = parser.graph(options)
        checked = list(rows(graph, rules=rules, method=method, h=h))
    is_passed = passed(checked)
    if options.json:
        results = {
            "root": graph.root_name,
            "passed": is_passed,
            "method": method,
            "h": None if method == "exact" else h,
            "leaves": {row.name: _check_entry(row) for row in checked},
        }
        print_line(json.dumps(results, indent=1, allow_nan=False))
    else:
        _print_check(checked)
    return 0 if is_passed else 1


def _check_parser(verb: str, step: float) -> Parser:
    from app.workbench.trials.checking import CHECK_METHODS

    usage = (
        "FILE | -e EXPR [--set a=2 ...] [--h H] [--method forward|central|exact] "
        "[--mistake NAME] [--json]"
    )
    parser = Parser(verb, usage, "Compare each gradient with a numerical one.")
    parser.add_graph_arguments()
    parser.add_argument(
        "--h", metavar="H", type=parse_positive, help=f"how far a leaf is moved: {plain(step)}"
    )
    parser.add_argument(
        "--method",
        metavar="METHOD",
        choices=CHECK_METHODS,
        help="forward: (y(x+h) − y(x)) ÷ h, as in the lessons; central: (y(x+h) − y(x−h)) ÷ 2h; "
        "exact: by complex numbers where an operation allows it, as without --h and --method",
    )
    parser.add_argument("--mistake", metavar="NAME", help="a mistake that should be found out")
    parser.add_argument("--json", action="store_true", help="for programs")
    return parser


def _check_entry(row: CheckRow) -> dict[str, Any]:
    """Return the JSON object of a leaf that was checked."""
    return {
        "grad": json_number(row.backward),
        "numerical": json_number(row.numerical),
        "difference": json_number(row.difference),
        "verdict": row.verdict,
        "reason": row.reason,
    }


def _print_check(checked: list[CheckRow]) -> None:
    cells = [("leaf", "backward", "numerical", "off by", "verdict", "")]
    for row in checked:
        backward = "no path" if row.backward is None else literal(row.backward)
        off = literal(row.difference)
        cells.append((row.name, backward, literal(row.numerical), off, row.verdict, row.reason))
    print_line(table(cells) if checked else "There is no leaf to check.")
