"""backwire check: compares every leaf's gradient with a numerical one."""

import json
from collections.abc import Sequence

from app.cli.command_line import Parser, parse_positive, prefix_file_name, print_line, table
from app.cli.running import json_number, rules_named
from app.workbench.study.checking import CHECK_METHODS, CheckMethod, CheckRow, rows
from engine.check import passed
from engine.formats.expression import literal
from engine.graph import Graph
from engine.numbers import plain
from engine.study.nudge import STEP


def do(verb: str, arguments: Sequence[str]) -> int:
    """Compare the gradients of a graph; returns 1 unless all are right."""
    usage = (
        "FILE | -e EXPR [--set a=2 ...] [--h H] [--method forward|central|exact] "
        "[--mistake NAME] [--json]"
    )
    parser = Parser(verb, usage, "Compare each gradient with a numerical one.")
    parser.add_graph_arguments()
    parser.add_argument(
        "--h", metavar="H", type=parse_positive, help=f"how far a leaf is moved: {plain(STEP)}"
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
    options = parser.read(arguments)
    method: CheckMethod = options.method or ("exact" if options.h is None else "forward")
    if method == "exact" and options.h is not None:
        parser.error("--h is for --method forward or central: exact needs no step")
    h = STEP if options.h is None else options.h
    rules = rules_named(options.mistake)
    with prefix_file_name(options.file):
        graph = parser.graph(options)
        checked = list(rows(graph, rules=rules, method=method, h=h))
    if options.json:
        print_line(_json(graph, checked, method, None if method == "exact" else h))
    else:
        _print(checked)
    return 0 if passed(checked) else 1


def _json(graph: Graph, checked: list[CheckRow], method: CheckMethod, h: float | None) -> str:
    leaves = {
        row.name: {
            "grad": json_number(row.backward),
            "numerical": json_number(row.numerical),
            "difference": json_number(row.difference),
            "verdict": row.verdict,
            "reason": row.reason,
        }
        for row in checked
    }
    result = {
        "root": graph.root_name,
        "passed": passed(checked),
        "method": method,
        "h": h,
        "leaves": leaves,
    }
    return json.dumps(result, indent=1, allow_nan=False)


def _print(checked: list[CheckRow]) -> None:
    cells = [("leaf", "backward", "numerical", "off by", "verdict", "")]
    for row in checked:
        backward = "no path" if row.backward is None else literal(row.backward)
        off = literal(row.difference)
        cells.append((row.name, backward, literal(row.numerical), off, row.verdict, row.reason))
    print_line(table(cells) if checked else "There is no leaf to check.")
