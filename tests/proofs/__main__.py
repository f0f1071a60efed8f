"""The proofs, each a table of what was tried and what failed.

python3 run.py proof [files | crash | fuzz | text | fit] [options of the proof]

Each proof is a module with `main(arguments)`; without a name all are run. The exit code is 1 when
something failed.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from importlib.util import find_spec

PROOFS = ("files", "crash", "fuzz", "text", "fit")


def main(arguments: list[str]) -> int:
    """Run the proof that is named, or all of them; the highest exit code counts."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if arguments and arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 0
    if not arguments or arguments[0].startswith("-"):
        there = [name for name in PROOFS if find_spec(f"tests.proofs.{name}")]
        return max(_proof(name, arguments) for name in there)
    if arguments[0] not in PROOFS:
        print(f"There is no proof {arguments[0]!r}: {', '.join(PROOFS)}.", file=sys.stderr)
        return 2
    return _proof(arguments[0], arguments[1:])


def _proof(name: str, arguments: list[str]) -> int:
    return import_module(f"tests.proofs.{name}").main(arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
