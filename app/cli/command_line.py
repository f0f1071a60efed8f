"""Shared by the commands: the Parser with its input graph, values of options, output, errors."""

import argparse
import math
import os
import sys
from collections.abc import Collection, Generator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from threading import Timer
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from msgspec import Struct

from engine.edits import set_value
from engine.errors import EngineError, FormatError, one_line
from engine.formats.expression import read_typed, unknown_leaf
from engine.formats.files import load_drawing, shown_name
from engine.graph import Graph, Leaf
from engine.numbers import is_short_whole, parse_number, why_no_number
from engine.problems import unknown_value

if TYPE_CHECKING:
    from PySide6.QtGui import QGuiApplication

    from app.takeaway.options import Opt

MAX_PATH_LENGTH = 200
"""Maximum length of a path in an error; of a longer one only the file's name is given."""
TOLD_AFTER = 1.0
"""Seconds after which a command that still works says at what."""
OPTIONS_WITH_TEXT = ("-e", "--expression", "--python", "-o", "--output")
"""Options whose value may begin with a dash, such as the formula `-x*2`."""


Chosen = TypeVar("Chosen", bound=Struct)


class StoreOnce(argparse.Action):
    """Stores a value and refuses a second one, which would silently replace the first."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        if option_string is not None and getattr(namespace, self.dest) is not None:
            raise argparse.ArgumentError(self, "it can be given only once")
        setattr(namespace, self.dest, values)


class Parser(argparse.ArgumentParser):
    """An argument parser with one-line errors; values of -e may begin with a dash."""

    def __init__(self, verb: str, usage: str, description: str) -> None:
        super().__init__(
            prog=f"backwire {verb}",
            usage=f"backwire {verb} {usage}",
            description=description,
            allow_abbrev=False,
        )
        self.register("action", None, StoreOnce)  # None: the action of an option that names none

    def error(self, message: str) -> NoReturn:
        """Print a usage error and exit with code 2."""
        print_error(f"{self.prog}: {message}")
        raise SystemExit(2)

    def print_help(self, file: object = None) -> None:
        """Print the help and report write errors, which argparse would hide."""
        print_line(self.format_help().rstrip())

    def read(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Parse the arguments; a value of OPTIONS_WITH_TEXT may begin with a dash."""
        joined = _join_option_values(arguments)
        for word in joined:
            if word.startswith("--") and word.endswith("=--"):  # argparse would drop the =
                self.error(f"{word[:-3]} needs something other than --")
        return self.parse_args(joined)

    def add_graph_arguments(self) -> None:
        """Accept FILE or -e EXPR, and --set."""
        self.add_argument("file", nargs="?", metavar="FILE", help="a graph, by its suffix")
        self.add_argument("-e", "--expression", metavar="EXPR", help="a formula, or assignments")
        self.add_set_argument()

    def add_set_argument(self) -> None:
        """Accept --set NAME=NUMBER, repeatedly."""
        self.add_argument(
            "--set",
            dest="values",
            metavar="NAME=NUMBER",
            action="append",
            type=parse_assignment,
            default=[],
            help="the value of a leaf",
        )

    def add_option(self, opt: "Opt") -> None:
        """Accept an option of a form; `chosen` reads its text, as forms may read it otherwise."""
        choices = [f"{choice}" for choice in opt.choices] or None
        if opt.is_flag:
            self.add_argument(opt.flag, action="store_true", help=opt.help)
        else:
            self.add_argument(opt.flag, metavar=opt.metavar, choices=choices, help=opt.help)

    def chosen(self, form: type[Chosen], options: argparse.Namespace) -> Chosen:
        """Return the options of a form; ends with a usage error for a value that is none."""
        from app.takeaway.options import fields_of

        found: dict[str, Any] = {}
        for name, opt in fields_of(form).items():
            given = getattr(options, name, None)
            if given not in (None, False):
                try:
                    found[name] = given if opt.is_flag else read_option(opt, given)
                except argparse.ArgumentTypeError as error:
                    self.error(f"argument {opt.flag}: {error}")
        if options.min_type is not None and options.width is None:
            self.error("--min-type goes with --width: without it type has the size on the screen")
        return form(**found)

    def graph(self, options: argparse.Namespace) -> Graph:
        """Return the graph of FILE or -e, with the values of --set."""
        if (options.file is None) == (options.expression is None):
            self.error("give a FILE or -e EXPR, and not both")
        if options.file is not None:
            return with_values(load_drawing(options.file).graph, options.values)
        return with_values(typed_graph(options), options.values)


def typed_graph(options: argparse.Namespace) -> Graph:
    """Return the graph of -e, and print how its notation was understood on standard error."""
    names = [name for name, _value in options.values]
    typed = read_typed(options.expression, names)
    if typed.remark:
        print_error(typed.remark)
    return typed.named


@contextmanager
def name_file_in_errors(path: str | None, *others: str) -> Generator[None]:
    """Prefix the name of `path` to EngineErrors raised inside that name neither it nor `others`."""
    try:
        yield
    except EngineError as error:
        # as a FormatError writes them: an error holds a name shortened and on one line
        names = [str(FormatError(shown_name(each))) for each in (path or "", *others)]
        if any(name in str(error) for name in names):
            raise
        raise FormatError("{name}: {reason}", name=names[0], reason=error) from None


def error_text(error: EngineError) -> str:
    """Return an error's sentence, in which a file is given by its path instead of its name.

    On the command line, unlike in the window, the folder is not obvious.
    """
    path = str(error.fields.get("path", ""))
    if not path or len(path) > MAX_PATH_LENGTH:
        return str(error)
    return str(FormatError(error.template, **error.fields | {"name": path}))


def parse_assignment(text: str) -> tuple[str, float]:
    """Parse `a=2` into a name and a number."""
    name, equals, number = text.partition("=")
    value = parse_number(number)
    if not (equals and name.strip()):
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=NUMBER")
    if value is None:
        raise argparse.ArgumentTypeError(f"{text!r}: {why_no_number(number)}")
    return name.strip(), value


def parse_positive(text: str) -> float:
    """Parse a number above 0."""
    value = parse_number(text)
    if value is None or not 0 < value < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no number above 0")
    return value


class Whole:
    """Parses a whole number within limits; argparse calls it with the text of an option."""

    def __init__(self, least: int, most: int) -> None:
        self._least, self._most = least, most

    def __call__(self, text: str) -> int:
        if is_short_whole(text) and self._least <= int(text) <= self._most:
            return int(text)
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a whole number from {self._least} to {self._most:,}"
        )


class Measure:
    """Parses a number within limits that are named with it, as in "width in cm"."""

    def __init__(self, name: str, least: float, most: float) -> None:
        self._name, self._least, self._most = name, least, most

    def __call__(self, text: str) -> float:
        found = parse_number(text)
        if found is not None and self._least <= found <= self._most:
            return found
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a {self._name} from {self._least:g} to {self._most:g}"
        )


def read_option(opt: "Opt", text: str) -> object:
    """Return the value of an option that is no flag; raises ArgumentTypeError if it is none."""
    if opt.choices:
        return next(choice for choice in opt.choices if f"{choice}" == text)
    if opt.type == tuple[int, ...]:
        return parse_steps(text)
    if opt.unit:
        return Measure(opt.unit, opt.least, opt.most)(text)
    return Whole(int(opt.least), int(opt.most))(text) if opt.most else text


def parse_steps(text: str) -> tuple[int, ...]:
    """Parse `4,5,6`."""
    parts = text.split(",")
    if all(map(is_short_whole, parts)):
        return tuple(map(int, parts))
    raise argparse.ArgumentTypeError(f"{text!r} is no list of steps such as 4,5,6")


def asks_for(
    arguments: Sequence[str], options: Collection[str], suffix: str | tuple[str, ...]
) -> bool:
    """Return whether arguments hold one of these options, or an -o FILE with this suffix, the last.

    They are looked at before they are parsed, since the options decide which parser reads them.
    """
    outputs: list[str] = []
    for k, word in enumerate(arguments):
        option, equals, value = word.partition("=")
        if option in options:
            return True
        if option in ("-o", "--output"):
            outputs += [value] if equals else list(arguments[k + 1 : k + 2])
    return bool(outputs) and outputs[-1].lower().endswith(suffix)


def parse_output_path(text: str) -> str:
    """Return the path of a file to write; refuses that of a folder."""
    if text and os.path.basename(text) in ("", os.curdir):
        raise argparse.ArgumentTypeError(f"{text!r} is a folder, and a file is wanted")
    return text


def with_values(graph: Graph, values: Sequence[tuple[str, float]]) -> Graph:
    """Return the graph with the values of some leaves replaced, by name."""
    for name, value in values:
        node = graph.node_named(name)
        if node is None:
            typed = read_typed(name).graph
            node = graph.node_named(typed.label(typed.root or 0))
        if node is None or not isinstance(graph.nodes[node], Leaf):
            raise unknown_leaf(graph, name, most=len(graph.nodes))
        graph = set_value(graph, node, value)
    if (problem := unknown_value(graph)) is not None:
        raise EngineError("{reason}", reason=problem.sentence)
    return graph


def print_line(text: str = "") -> None:
    """Print a line; characters that the encoding lacks become question marks."""
    if sys.stdout is None:  # closed before the program began
        raise EngineError("Standard output is closed, so nothing can be printed.")
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding))


def print_error(sentence: str) -> None:
    """Print a sentence on standard error as one line, if that is open."""
    with suppress(OSError, ValueError):
        if sys.stderr is not None:
            print(one_line(" ".join(sentence.split())), file=sys.stderr, flush=True)


@contextmanager
def waiting_for(work: str) -> Generator[None]:
    """Name the work inside on standard error once it takes longer than TOLD_AFTER.

    Only in a terminal, where someone waits: what a script reads stays the same on a slow machine.
    """
    timer = Timer(TOLD_AFTER, print_error, (f"backwire: {work} ...",))
    timer.daemon = True
    if sys.stderr is not None and sys.stderr.isatty():
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


def placing(graph: Graph) -> AbstractContextManager[None]:
    """Name the search for places while it goes on: it is what takes longest of a large graph."""
    return waiting_for(f"placing {len(graph.nodes):,} nodes")


def table(rows: Sequence[Sequence[str]]) -> str:
    """Format rows as lines of text with aligned columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) for row in rows]
    return "\n".join(line.rstrip() for line in lines)


def _join_option_values(arguments: Sequence[str]) -> list[str]:
    """Join options and their values with `=`: argparse would read `-x*2` as another option."""
    joined: list[str] = []
    remaining = iter(arguments)
    for argument in remaining:
        following = next(remaining, None) if argument in OPTIONS_WITH_TEXT else None
        if following is None:
            joined.append(argument)
        else:
            long = {"-e": "--expression", "-o": "--output"}.get(argument, argument)
            joined.append(f"{long}={following}")
    return joined


def painting_application() -> "QGuiApplication":
    """Return the application that painting needs as long as it goes on; it needs no display."""
    from PySide6.QtGui import QGuiApplication

    found = QGuiApplication.instance()
    if isinstance(found, QGuiApplication):
        return found
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    return QGuiApplication(["backwire"])
