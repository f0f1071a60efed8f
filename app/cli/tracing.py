"""backwire trace: runs a script or a notebook, and writes the graph of one of its passes.

Nothing is run before it is asked for: in a terminal by a question, else by `--yes`.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from app.cli import FAILURE, SUCCESS
from app.cli.command_line import (
    Parser,
    Whole,
    parse_output_path,
    parse_positive,
    print_error,
    print_line,
    table,
)
from app.runner.run import Request, Run, claims
from app.takeaway.estimated_layout import laid_out
from engine.errors import EngineError, FormatError
from engine.formats.files import save, shown_name
from engine.formats.program_graph import ProgramGraph
from engine.formats.recording import Recording, RunResult, told

_USAGE = (
    "SCRIPT|NOTEBOOK -o FILE.backwire [--list] [--graph N] [--pass K] [--python PY] [--seconds S] "
    "[--network] [--yes] [-- ARGUMENT ...]"
)
_BETWEEN = 0.05
"""Seconds from one look at the run to the next."""


def do(verb: str, arguments: Sequence[str]) -> int:
    """Run a program, and write the graph of the chosen pass or list all."""
    options = _options(verb, arguments)
    request = _request(options)
    if not (options.yes or _agreed(request)):
        return FAILURE
    result = _run(request)
    for sentence in told(result, options.number or 0):
        print_error(f"backwire: {sentence}")
    found = list({graph.where: graph for graph in result.graphs}.values())  # each line's last one
    if not found:
        return FAILURE
    if options.list:
        _print_list(found)
    if options.output:
        _write(_chosen(found, options.graph), options.output)
    return SUCCESS


def _request(options: argparse.Namespace) -> Request:
    source = Path(options.program).absolute()
    if not source.is_file():
        raise FormatError("{name}: there is no such file.", name=shown_name(source))
    if source.suffix.lower() not in (".py", ".ipynb"):
        raise FormatError("{name} is no script and no notebook.", name=shown_name(source))
    if options.python is None and getattr(sys, "frozen", False):
        raise EngineError("This Backwire has no Python of its own: name yours by --python PY.")
    return Request(
        source,
        options.python or sys.executable,
        tuple(options.arguments),
        options.seconds or Request.__struct_defaults__[2],
        network=options.network,
        passes=() if options.number is None else (options.number,),
    )


def _options(verb: str, arguments: Sequence[str]) -> argparse.Namespace:
    parser = Parser(verb, _USAGE, "Run a program and write the graph of one of its passes.")
    parser.add_argument("program", metavar="SCRIPT|NOTEBOOK")
    parser.add_argument("-o", "--output", metavar="FILE.backwire", type=parse_output_path)
    parser.add_argument("--list", action="store_true", help="the lines that start a pass")
    parser.add_argument(
        "--graph", metavar="N", type=Whole(1, 1000), help="a line of --list, else the last one"
    )
    parser.add_argument(
        *("--pass",),
        dest="number",
        metavar="K",
        type=Whole(1, 10**7 - 1),
        help="a pass of the program, counted from 1, else the last one of its line",
    )
    parser.add_argument("--python", metavar="PY", help="the Python that runs it")
    parser.add_argument("--seconds", metavar="S", type=parse_positive, help="it stops then: 30")
    parser.add_argument("--network", action="store_true", help="let it use the network")
    parser.add_argument("--yes", action="store_true", help="run it without asking")
    words = list(arguments)
    cut = words.index("--") if "--" in words else len(words)
    options = parser.read(words[:cut])
    options.arguments = words[cut + 1 :]
    if not (options.output or options.list):
        parser.error("give -o FILE.backwire, or --list")
    if options.output and Path(options.output).suffix.lower() != ".backwire":
        parser.error(f"a graph file ends in .backwire, not {options.output!r}")
    return options


def _agreed(request: Request) -> bool:
    """Ask whether to run a program; where nobody can answer, `--yes` is needed."""
    if sys.stdin is None or not sys.stdin.isatty():
        raise EngineError("Running a program needs your consent: add --yes.")
    print_line(f"{claims(request)} Run it? [y/N]")
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _run(request: Request) -> RunResult:
    """Run a program to its end; Ctrl+C stops it, and shows what was seen."""
    run = Run(request)
    while True:
        try:
            if not run.poll():
                return run.result
            time.sleep(_BETWEEN)
        except KeyboardInterrupt:
            run.stop()


def _print_list(passes: Sequence[Recording]) -> None:
    cells = [("graph", "line", "passes", "numbers", "")]
    for number, last in enumerate(passes, 1):
        verdict = ProgramGraph(last).verdict
        where = f"{last.where}: {last.where.text}" if last.number else ""
        of_all = f"{last.times:,}" if last.nth in (0, last.times) else last.which
        cells.append((*(str(number), where, of_all, f"{len(last.nodes):,}"), verdict.marked))
    print_line(table(cells))


def _chosen(passes: Sequence[Recording], number: int | None) -> Recording:
    """Return the graph that `--graph` chooses, by default the last one."""
    if number is not None and number > len(passes):
        raise EngineError("There is no graph {number}: --list says which there are.", number=number)
    return passes[-1 if number is None else number - 1]


def _write(recording: Recording, output: str) -> None:
    found = ProgramGraph(recording)
    save(laid_out(found.drawing), output)
    print_line(f"{output}: {len(found.drawing.graph.nodes)} nodes")
    which = f", {recording.which}" if recording.nth < recording.times else ""
    print_line(f"{recording.where}{which}: {found.verdict.sentence}")
