"""The command line: verbs that need no display, start fast and never show a traceback.

Errors are one line on standard error. The exit code is 0 for yes and done, 1 where the answer is
no or the input is bad, 2 for a wrong call, 3 where a display or a library is missing.
"""

import importlib
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

VERBS = {
    "run": "app.cli.running",
    "check": "app.cli.checking",
    "new": "app.cli.making",
    "export": "app.cli.exporting",
    "ops": "app.cli.listing",
    "mistakes": "app.cli.listing",
    "examples": "app.cli.listing",
    "lessons": "app.cli.listing",
    "help": "app.cli.helping",
    "--help": "app.cli.helping",
    "-h": "app.cli.helping",
    "--version": "app.cli.helping",
}
"""Each verb with the module that does it: its `do(verb, arguments)` returns the exit code."""

YES, NO, USAGE, MISSING = 0, 1, 2, 3


def obey(arguments: Sequence[str]) -> int:
    """Do what a verb and its arguments say; returns the exit code."""
    from engine.errors import EngineError

    verb, *rest = arguments
    try:
        return _do(verb, rest)
    except EngineError as error:
        return _complain(str(error), NO)
    except BrokenPipeError:  # whoever read this has heard enough
        _close_stdout()
        return YES
    except ImportError as error:
        return _complain(f"A library is missing: {error}.", MISSING)
    except OSError as error:
        _close_stdout()
        return _complain(f"{error.strerror or error}.", NO)
    except KeyboardInterrupt:  # only where the caller has not left Ctrl-C to the system
        return 130
    except Exception as error:
        return _complain(f"This went wrong inside Backwire: {error!r}.", NO)


def _do(verb: str, arguments: Sequence[str]) -> int:
    try:
        code: int = importlib.import_module(VERBS[verb]).do(verb, arguments)
    except SystemExit as end:  # argparse has said what is wrong with the call, or its help
        code = USAGE if end.code else YES
    if sys.stdout is not None:
        sys.stdout.flush()
    return code


def _close_stdout() -> None:
    """Let what could not be printed go, else it is tried again, and complained of, at the end."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(sentence: str, code: int) -> int:
    from app.cli.calling import complain

    complain(f"backwire: {sentence}")
    return code
