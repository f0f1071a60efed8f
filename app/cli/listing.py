"""backwire ops, mistakes, examples: lists what is available."""

from collections.abc import Sequence

from app.cli.calling import Parser, say, table


def do(verb: str, arguments: Sequence[str]) -> int:
    """Print one list, one entry per line, names first."""
    Parser(verb, "", f"Print the {verb} there are.").read(arguments)
    rows = {"ops": _ops, "mistakes": _mistakes, "examples": _examples}[verb]()
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
