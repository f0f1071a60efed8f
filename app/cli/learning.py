"""backwire lessons: lists the course, or says what is wrong with lesson files."""

from collections.abc import Sequence
from pathlib import Path

from app.cli.calling import Parser, say, table
from app.lessons.course import course
from app.lessons.index import Head
from engine.numbers import counted


def do(verb: str, arguments: Sequence[str]) -> int:
    """Print the lessons there are, or all faults of files; returns 1 if one has any."""
    parser = Parser(
        verb, "[--check FILE...]", "Print the lessons there are, or check lesson files."
    )
    parser.add_argument(
        "--check",
        nargs="+",
        metavar="FILE",
        help="play every step of these files once, and print what is wrong, one line each",
    )
    found = parser.read(arguments)
    if found.check is not None:
        well = [_check(Path(path)) for path in found.check]
        return 0 if all(well) else 1
    say(table([row for unit in course().units for row in _rows(unit.lessons)]))
    return 0


def _rows(lessons: Sequence[Head]) -> list[tuple[str, ...]]:
    return [
        (head.name, head.title, f"{head.minutes} min", f"{head.steps} steps", head.able)
        for head in lessons
    ]


def _check(path: Path) -> bool:
    """Print what is wrong with a file, or that nothing is; return whether nothing is."""
    from app.lessons.load import load_lesson, problems

    faults = problems(path)
    for fault in faults:
        say(fault)
    if not faults:
        steps = len(load_lesson(path).steps)
        say(
            counted(
                steps, "{name}: 1 step, all well", "{name}: {count} steps, all well", name=path.name
            )
        )
    return not faults
