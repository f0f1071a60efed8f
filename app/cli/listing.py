"""backwire ops, mistakes, examples, lessons, help: prints lists and help."""

from collections.abc import Sequence
from pathlib import Path

from app.cli.command_line import Parser, print_error, print_line, table

HELP = """\
backwire [FILE]                      open the window
backwire run FILE | -e EXPR          values and gradients
backwire check FILE | -e EXPR        analytic against numerical gradients
backwire new -e EXPR | --python SCRIPT|- -o FILE.backwire
backwire trace SCRIPT|NOTEBOOK -o FILE.backwire
                                     the graph of a program that is run, once you say yes
backwire export FILE | -e EXPR -o OUT
                                     a picture (png, svg, pdf) or a text (dot, gv, tex, py, txt)
backwire export FILE | -e EXPR | LESSON.toml -o OUT.html
                                     a page that steps and asks, on any phone
backwire export --course DIR         the course as a folder of such pages
backwire export FILE | -e EXPR | LESSON.toml -o OUT.pdf --worksheet
                                     a sheet to fill in, and its key; --strip: some steps; OUT.gif
backwire export FILE | LESSON.toml -o OUT.pdf --handout
                                     what a room sees, on paper, and a key
backwire grade REPORT|CODE...        what learners have handed in, judged again
backwire ops | mistakes | examples   what there is
backwire lessons [--check FILE...]   the course; what is wrong with lesson files

backwire VERB --help says more of each."""

Rows = list[tuple[str, ...]]


def do(verb: str, arguments: Sequence[str]) -> int:
    """Print a list, the help or the version; returns 1 for a lesson with faults."""
    if verb == "lessons":
        return _lessons(verb, arguments)
    rows = {"ops": _ops, "mistakes": _mistakes, "examples": _examples}.get(verb)
    if rows is None:
        return _help(verb, arguments)
    Parser(verb, "", f"Print the {verb} there are.").read(arguments)
    print_line(table(rows()))
    return 0


def _help(verb: str, arguments: Sequence[str]) -> int:
    from app import described_version

    if arguments:
        print_error(f"backwire {verb}: unrecognized arguments: {' '.join(arguments)}")
        raise SystemExit(2)
    print_line(f"backwire {described_version()}" if verb == "--version" else HELP)
    return 0


def _ops() -> Rows:
    from engine.ops import OPS

    return [(op.name, op.symbol, op.family, op.formula, "; ".join(op.slopes)) for op in OPS]


def _mistakes() -> Rows:
    from engine.rules import MISTAKES

    return [(rules.name, rules.title, rules.sentence) for rules in MISTAKES]


def _examples() -> Rows:
    from app.document.examples import examples

    return [(found.name, found.expression, found.note) for found in examples()]


def _lessons(verb: str, arguments: Sequence[str]) -> int:
    """Print the course, or check lesson files."""
    parser = Parser(
        verb, "[--check FILE...]", "Print the lessons there are, or check lesson files."
    )
    parser.add_argument(
        "--check",
        nargs="+",
        metavar="FILE",
        help="play each step of these files once, and print what is wrong, one line each",
    )
    options = parser.read(arguments)
    if options.check is not None:
        faultless = [_is_faultless(Path(path)) for path in options.check]
        return 0 if all(faultless) else 1
    from app.lessons.course import course

    print_line(
        table(
            [
                (head.name, head.title, f"{head.minutes} min", f"{head.steps} steps", head.able)
                for unit in course().units
                for head in unit.lessons
            ]
        )
    )
    return 0


def _is_faultless(path: Path) -> bool:
    """Print the faults of a lesson file, or how many steps it has."""
    from app.lessons.load import load_lesson, problems
    from engine.numbers import counted

    faults = problems(path)
    one, many = "{name}: 1 step, all well", "{name}: {count} steps, all well"
    steps = 0 if faults else len(load_lesson(path).steps)
    for line in faults or (counted(steps, one, many, name=path.name),):
        print_line(line)
    return not faults
