"""backwire check: compares every leaf's gradient with a numerical one."""

import json
from collections.abc import Sequence

from app.cli.calling import Parser, naming, say, table
from app.cli.running import number, rules_named
from engine.check import Check, check, passed
from engine.formats.expression import literal
from engine.graph import Graph


def do(verb: str, arguments: Sequence[str]) -> int:
    """Compare the gradients of a graph; returns 1 if any is wrong."""
    usage = "FILE | -e EXPR [--set a=2 ...] [--mistake NAME] [--json]"
    parser = Parser(verb, usage, "Compare each gradient with a numerical one.")
    parser.take_graph()
    parser.add_argument("--mistake", metavar="NAME", help="a mistake that should be found out")
    parser.add_argument("--json", action="store_true", help="for programs")
    found = parser.read(arguments)
    rules = rules_named(found.mistake)
    with naming(found.file):
        graph = parser.graph(found)
        checks = check(graph, rules=rules)
    if found.json:
        say(_json(graph, checks))
    else:
        _print(checks)
    return 0 if passed(checks) else 1


def _json(graph: Graph, checks: list[Check]) -> str:
    leaves = {
        row.name: {
            "grad": number(row.analytic),
            "numerical": number(row.numerical),
            "verdict": row.verdict,
            "reason": row.reason,
        }
        for row in checks
    }
    answer = {"root": graph.root_name, "passed": passed(checks), "leaves": leaves}
    return json.dumps(answer, indent=1, allow_nan=False)


def _print(checks: list[Check]) -> None:
    rows = [("leaf", "backward", "numerical", "verdict", "")]
    for row in checks:
        backward = "no path" if row.analytic is None else literal(row.analytic)
        rows.append((row.name, backward, literal(row.numerical), row.verdict, row.reason))
    say(table(rows))
