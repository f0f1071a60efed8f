"""Backwire starts here: a verb goes to the command line, anything else opens the window."""

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the arguments say (the program's own, unless given); returns the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    from app.cli import VERBS

    if arguments and arguments[0] in VERBS:
        from app.cli import obey

        return obey(arguments)
    from app.window.start import start

    return start(arguments)


if __name__ == "__main__":
    sys.exit(main())
