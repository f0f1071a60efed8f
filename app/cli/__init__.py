"""The command line: commands that need no display, start fast and never print a traceback.

Errors are one line on standard error. The exit code is 0 for success, 1 where the answer is no or
the input is bad, 2 for wrong usage, 3 where a display or a library is missing.
"""

import importlib
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

VERBS = {
    "run": "running",
    "check": "running",
    "new": "making",
    "trace": "tracing",
    "export": "exporting",
    "grade": "grading",
    "ops": "listing",
    "mistakes": "listing",
    "examples": "listing",
    "lessons": "listing",
    "help": "listing",
    "--help": "listing",
    "-h": "listing",
    "--version": "listing",
}
"""Each verb, and the module here whose `do(verb, arguments)` runs it and returns the exit code."""

SUCCESS, FAILURE, USAGE_ERROR, MISSING_LIBRARY = 0, 1, 2, 3
"""Exit codes; FAILURE is also the answer no, as of `backwire check`."""
INTERRUPTED = 128 + 2
"""Exit code of a program that the signal SIGINT has ended, as shells count."""


def run_verb(arguments: Sequence[str]) -> int:
    """Run a command with its arguments; returns the exit code."""
    from engine.errors import EngineError

    verb, *rest = arguments
    try:
        return _do(verb, rest)
    except EngineError as error:
        from app.cli.command_line import error_text

        return _fail(error_text(error), FAILURE)
    except BrokenPipeError:  # the reader of a pipe has closed it
        _close_stdout()
        return SUCCESS
    except ImportError as error:
        return _fail(f"A library is missing: {error}.", MISSING_LIBRARY)
    except OSError as error:
        _close_stdout()
        where = f"{error.filename}: " if error.filename else ""
        return _fail(f"{where}{error.strerror or error}.", FAILURE)
    except KeyboardInterrupt:  # only where the caller has not left Ctrl-C to the system
        return INTERRUPTED
    except Exception as error:
        return _fail(f"This went wrong inside Backwire: {error!r}.", FAILURE)


def _do(verb: str, arguments: Sequence[str]) -> int:
    try:
        code: int = importlib.import_module(f"{__name__}.{VERBS[verb]}").do(verb, arguments)
    except SystemExit as end:  # argparse has printed the error or the help
        code = USAGE_ERROR if end.code else SUCCESS
    if sys.stdout is not None:
        sys.stdout.flush()
    return code


def _close_stdout() -> None:
    """Redirect standard output to nothing, else Python flushes it again at exit and complains."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(sentence: str, code: int) -> int:
    from app.cli.command_line import print_error

    print_error(f"backwire: {sentence}")
    return code
