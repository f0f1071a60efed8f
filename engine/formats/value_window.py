"""Shows the graph of a Value in a window of its own.

    show(value)       # Value.show(): starts the window as a process of its own

The window needs Qt, which the engine must not import, so it is another process. It gets the graph
as a file's text on its standard input, and answers with one line on its standard output.
"""

import os
import site
import subprocess
import sys
import tempfile
import threading
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, Queue

from engine.errors import EngineError
from engine.formats.native import NODE_LIMIT, write
from engine.numbers import short
from engine.value import Value, lay_out

SHOW_WORD = "--show-value"
"""Command line argument for a program that gets a graph on its standard input."""
READY = "ready"
"""The window's answer once it shows the graph; any other answer is an error sentence."""
PATIENCE = 20.0
"""Timeout in seconds for that answer; a slow machine takes about ten."""
ANSWER_LIMIT = 1000
"""Maximum number of bytes of an answer; a sentence takes up to 400 characters."""

_PLACE = Path(__file__).resolve().parents[__name__.count(".")]
"""The folder from which this package is imported."""
_NO_QT = (
    "the window needs PySide6, which this Python does not have; _repr_svg_() and graph() do not"
)


def show(root: Value) -> None:
    """Open a window with the graph of a Value in a separate process, without waiting for its end.

    Returns when that process reports that the window is open, about a second later, or after
    PATIENCE seconds without an answer. Errors are printed as one line on standard error.
    """
    problem = _NO_QT if find_spec("PySide6") is None else _handed_over(root)
    if problem:
        sys.stderr.write(f"backwire: {problem}\n")


def _handed_over(root: Value) -> str:
    """Start the window with a graph; returns the reason of a failure, or ""."""
    try:
        tape, order = lay_out(root)
        if len(order) >= NODE_LIMIT:
            return f"the window shows up to {NODE_LIMIT:,} nodes, and this graph has {len(order):,}"
        return _start(write(tape.graph()).encode("utf-8"))
    except (EngineError, OSError) as error:
        return f"the window can't be opened: {error}"


def _start(content: bytes) -> str:
    """Start the window's process; returns its answer, or "" if it is ready."""
    with tempfile.TemporaryFile() as file:  # with a pipe the caller would wait until it is read
        file.write(content)
        file.seek(0)
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "app", SHOW_WORD],  # -P: no app.py of the caller's folder
            stdin=file,
            stdout=subprocess.PIPE,
            env=os.environ | _search_path(),
            start_new_session=True,  # Ctrl-C in the caller's terminal must not end the window
        )
    answers: Queue[str] = Queue()
    threading.Thread(target=_attend, args=(process, answers), daemon=True).start()
    try:
        answer = answers.get(timeout=PATIENCE)
    except Empty:
        return f"the window has not answered for {short(PATIENCE)} seconds; it may still open"
    return "" if answer == READY else answer or "the window did not start"


def _search_path() -> dict[str, str]:
    """Return the PYTHONPATH by which a new process finds this package.

    Site-packages are left out: Python finds them by itself, and in PYTHONPATH they would come
    before the standard library and could hide its modules.
    """
    if str(_PLACE) in (*site.getsitepackages(), site.getusersitepackages()):
        return {}
    paths = [str(_PLACE), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {"PYTHONPATH": os.pathsep.join(paths)}


def _attend(process: subprocess.Popen[bytes], answers: Queue[str]) -> None:
    """Forward the first line of a process, and wait for its end so that it leaves no zombie."""
    assert process.stdout is not None
    with process.stdout as stream:
        answers.put(stream.readline(ANSWER_LIMIT).decode("utf-8", "replace").strip())
    process.wait()
