"""Backwire starts here: a verb goes to the command line, anything else opens the window."""

import sys
from collections.abc import Sequence
from pathlib import Path

SHOW_WORD = "--show-value"
"""What `Value.show()` starts the program with, as engine.showing has it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Do what the arguments say (the program's own, unless given); returns the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    from app.cli import VERBS

    if arguments and arguments[0] in VERBS:
        from app.cli import obey

        return obey(arguments)
    if arguments == [SHOW_WORD]:
        from app.window.start import start_handed_over

        return start_handed_over()
    if arguments and _is_no_file(arguments[0]):
        sys.stderr.write(f"backwire: there is no verb and no file called {arguments[0]}\n")
        return 2
    from app.window.start import start

    return start(arguments)


def _is_no_file(word: str) -> bool:
    """Whether a first word can't be meant as a file: a plain word, with nothing there."""
    return word.isidentifier() and not Path(word).exists()


if __name__ == "__main__":
    sys.exit(main())
