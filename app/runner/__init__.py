"""Running programs of learners: `runner.py` goes to their Python, `run.py` starts and bounds it."""

import shutil
import sys


def default_python() -> str:
    """Return the Python that runs this program; a bundled program has none of its own."""
    if getattr(sys, "frozen", False):
        return shutil.which("python3") or "python3"
    return sys.executable
