"""The tables of speed, with the peers beside us.

python3 run.py bench [engine | canvas | window | train | answers | pages | shares] [options]
"""

from __future__ import annotations

import sys
from importlib import import_module

TABLES = ("engine", "canvas", "window", "train", "answers", "pages")
PROFILE = "shares"
"""Printed only where it is named: it has no reach."""


def main(argv: list[str]) -> int:
    """Print the tables that are named, or all of them; 0 if every reach is met."""
    if argv and argv[0] in ("-h", "--help"):
        print(__doc__)
        return 0
    if not argv or argv[0].startswith("-"):
        return max(_table(name, argv) for name in TABLES)
    if argv[0] not in (*TABLES, PROFILE):
        print(f"There is no table {argv[0]!r}: {', '.join((*TABLES, PROFILE))}.", file=sys.stderr)
        return 2
    return _table(argv[0], argv[1:])


def _table(name: str, argv: list[str]) -> int:
    return import_module(f"tests.benchmarks.{name}").main(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
