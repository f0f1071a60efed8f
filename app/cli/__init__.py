"""The command line: verbs that need no display, start fast and never show a traceback.

Errors are one line on standard error. The exit code is 0 for yes and done, 1 where the answer is
no or the input is bad, 2 for a wrong call, 3 where a display or a library is missing.
"""

import importlib
import os
import sys
from collections.abc import Sequence

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
        code: int = importlib.import_module(VERBS[verb]).do(verb, rest)
        sys.stdout.flush()
    except SystemExit as wrong:  # argparse has said what is wrong with the call
        return USAGE if wrong.code else YES
    except EngineError as error:
        return _complain(str(error), NO)
    except BrokenPipeError:  # whoever read this has heard enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return YES
    except ImportError as error:
        return _complain(f"A library is missing: {error}.", MISSING)
    except OSError as error:
        return _complain(f"{error.strerror or error}.", NO)
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        return _complain(f"This went wrong inside Backwire: {error!r}.", NO)
    return code


def _complain(sentence: str, code: int) -> int:
    print(" ".join(f"backwire: {sentence}".split()), file=sys.stderr)
    return code
