"""backwire new: makes a graph file from an expression or a Python script.

Without a window no text can be measured: `node_positions` estimates the sizes of nodes, also for
the pictures of `backwire export`.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from app.cli.command_line import (
    Parser,
    name_file_in_errors,
    parse_output_path,
    placing,
    print_line,
    typed_graph,
    waiting_for,
    with_values,
)
from app.takeaway.estimated_layout import laid_out_drawing
from engine.errors import EngineError
from engine.formats.files import decoded, read_text, save
from engine.formats.native import Drawing
from engine.formats.python import SUFFIX, read_notebook, read_program
from engine.formats.strict_json import SIZE_LIMIT


def do(verb: str, arguments: Sequence[str]) -> int:
    """Write a new graph file, laid out from left to right."""
    usage = "-e EXPR | --python SCRIPT|- [--set a=2 ...] -o FILE.backwire"
    parser = Parser(verb, usage, "Make a graph file from an expression or a Python script.")
    parser.add_argument("-e", "--expression", metavar="EXPR", help="a formula, or assignments")
    parser.add_argument(
        "--python",
        metavar="SCRIPT",
        help="a program in micrograd's manner, or a notebook; - reads it from standard input",
    )
    parser.add_set_argument()
    parser.add_argument(
        "-o", "--output", metavar="FILE.backwire", type=parse_output_path, required=True
    )
    options = parser.read(arguments)
    if (options.expression is None) == (options.python is None):
        parser.error("give -e EXPR or --python SCRIPT, and not both")
    if Path(options.output).suffix.lower() != ".backwire":
        parser.error(f"a graph file ends in .backwire, not {options.output!r}")
    source = "Standard input" if options.python == "-" else options.python
    with waiting_for(f"reading {source or 'the formula'}"), name_file_in_errors(source):
        read = Drawing(typed_graph(options)) if options.python is None else _script(options.python)
        graph = with_values(read.graph, options.values)
    with placing(graph):
        drawing = laid_out_drawing(graph)
    save(drawing, options.output)
    print_line(f"{options.output}: {len(graph.nodes)} nodes")
    if read.remark:
        print_line(read.remark)
    return 0


def _script(path: str) -> Drawing:
    """Read the program or notebook in a file; `-` is standard input."""
    text = _standard_input() if path == "-" else read_text(path)
    is_notebook = Path(path).suffix.lower() == SUFFIX
    return read_notebook(text) if is_notebook else read_program(text)


def _standard_input() -> str:
    if sys.stdin is None:
        raise EngineError("Standard input is closed.")
    return decoded(sys.stdin.buffer.read(SIZE_LIMIT + 1), "Standard input")
