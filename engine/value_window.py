"""Showing the graph of a Value: in a window of its own, or as a picture in a notebook.

    show(value)       # Value.show(): starts the window as a process of its own
    picture(value)    # Value._repr_svg_(): what a notebook draws

The window needs Qt, which the engine does not know, so it is another process. It is given the
graph as a file's text on its standard input, and answers with one line on its standard output.
"""

import os
import subprocess
import sys
import tempfile
import threading
from importlib.util import find_spec
from numbers import Real
from pathlib import Path
from queue import Empty, Queue

from engine.errors import EngineError
from engine.formats import dot_classic
from engine.formats.native import NODE_LIMIT, write
from engine.frame import Frame
from engine.graphviz import render
from engine.value import Value, lay_out

SHOW_WORD = "--show-value"
"""The argument by which the program is told that a graph waits on its standard input."""
READY = "ready"
"""What the window answers once it shows the graph; else it answers with a sentence."""
PATIENCE = 20.0
"""Seconds to wait for that answer; a slow machine takes about ten."""
DRAWN_LIMIT = 300
"""Values that a notebook's picture may hold; Graphviz takes seconds for more."""

_ROOM = Path(__file__).resolve().parents[1]
_NO_QT = (
    "the window needs PySide6, which this Python does not have; _repr_svg_() and graph() do not"
)


def show(root: Value) -> None:
    """Open the window with the graph of a Value in a process of its own, and go on beside it.

    Returns when that process says that the window is open, about a second later, or after
    PATIENCE seconds without an answer. What keeps the window from opening is said in one line on
    standard error.
    """
    problem = _NO_QT if find_spec("PySide6") is None else _handed_over(root)
    if problem:
        sys.stderr.write(f"backwire: {problem}\n")


def picture(root: Value) -> str | None:
    """The Value's graph with the data and grad that all Values hold now, as SVG.

    None, for which a notebook prints the Value's text, where it is too large or can't be drawn.
    """
    try:
        tape, order = lay_out(root)
        if len(order) > DRAWN_LIMIT or not all(map(_holds_numbers, order)):
            return None
        data = {number: value.data for number, value in zip(tape.ids, order, strict=True)}
        grads = {number: value.grad for number, value in zip(tape.ids, order, strict=True)}
        frame = Frame(tape.graph(), "backward", 0, 0, data, grads, {})
        look = {"fontname": dot_classic.FONT, "bgcolor": "transparent"}
        return render(dot_classic.write(frame.graph, frame, look), "svg").decode("utf-8")
    except EngineError:
        return None


def _holds_numbers(value: Value) -> bool:
    """Whether data and grad can be written; a program may have set grad to None."""
    return isinstance(value.data, Real) and isinstance(value.grad, Real)


def _handed_over(root: Value) -> str:
    """Start the window with a graph; why that can't be, or an empty text."""
    try:
        tape, order = lay_out(root)
        if len(order) >= NODE_LIMIT:
            return f"the window shows up to {NODE_LIMIT:,} nodes, and this graph has {len(order):,}"
        return _start(write(tape.graph()).encode("utf-8"))
    except (EngineError, OSError) as error:
        return f"the window can't be opened: {error}"


def _start(content: bytes) -> str:
    """Start the window's process; its answer, or an empty text if it is ready."""
    paths = [str(_ROOM), *filter(None, [os.environ.get("PYTHONPATH")])]
    with tempfile.TemporaryFile() as file:  # a pipe would make the caller wait for its reader
        file.write(content)
        file.seek(0)
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "app", SHOW_WORD],  # -P: no app.py of the caller's folder
            stdin=file,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
            start_new_session=True,  # Ctrl-C in the caller's terminal is not for the window
        )
    answers: Queue[str] = Queue()
    threading.Thread(target=_attend, args=(process, answers), daemon=True).start()
    try:
        answer = answers.get(timeout=PATIENCE)
    except Empty:
        return f"the window has not answered for {PATIENCE:g} seconds; it may still open"
    return "" if answer == READY else answer or "the window did not start"


def _attend(process: subprocess.Popen[bytes], answers: Queue[str]) -> None:
    """Pass on the first line of a process, and wait for its end so that it leaves no zombie."""
    assert process.stdout is not None
    with process.stdout as stream:
        answers.put(stream.readline(1000).decode("utf-8", "replace").strip())
    process.wait()
