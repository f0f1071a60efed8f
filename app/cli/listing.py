"""backwire ops, mistakes, examples, lessons: lists what is available."""

import tomllib
from collections.abc import Sequence
from pathlib import Path

from app.cli.calling import Parser, say, table
from engine.errors import EngineError

LESSONS = Path(__file__).resolve().parents[2] / "resources" / "lessons" / "index.toml"


def do(verb: str, arguments: Sequence[str]) -> int:
    """Print one list, one entry per line, names first."""
    Parser(verb, "", f"Print the {verb} there are.").read(arguments)
    rows = {"ops": _ops, "mistakes": _mistakes, "examples": _examples, "lessons": _lessons}[verb]()
    if not rows:
        raise EngineError("There are no {verb} yet.", verb=verb)
    say(table(rows))
    return 0


def _ops() -> list[tuple[str, ...]]:
    from engine.ops import OPS

    return [(op.name, op.symbol, op.family, op.formula, "; ".join(op.slopes)) for op in OPS]


def _mistakes() -> list[tuple[str, ...]]:
    from engine.rules import MISTAKES

    return [(rules.name, rules.title, rules.sentence) for rules in MISTAKES]


def _examples() -> list[tuple[str, ...]]:
    from app.document.examples import examples

    return [(found.name, found.expression, found.note) for found in examples()]


def _lessons() -> list[tuple[str, ...]]:
    if not LESSONS.exists():
        return []
    index = tomllib.loads(LESSONS.read_text("utf-8"))
    return [(entry["name"], entry.get("title", "")) for entry in index.get("lesson", [])]
