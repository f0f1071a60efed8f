"""Displays the graph of a Value: as a picture in notebooks, and in a window.

    draw_dot(y)       # micrograd's picture; .source, .render("y", format="png")
    trace_graph(y)    # (nodes, edges) of y's ancestors, as micrograd's function
    show(y)           # Value.show(): opens the window in a new process

A notebook displays a Value as the picture of draw_dot, or as text with the reason if that fails.
The window needs Qt, which the engine must not import. Its process reads the graph's native text
from standard input, and answers with one line on standard output.
"""

# micrograd's own drawing reads these members of a Value, which its users know.
# pyright: reportPrivateUsage=false

import dis
import math
import os
import site
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import pairwise
from numbers import Real
from pathlib import Path
from queue import Empty, Queue
from typing import Literal, cast

from engine.errors import EngineError, sentence
from engine.formats import dot
from engine.formats.dot import Record
from engine.formats.files import write_atomically
from engine.formats.graphviz import PICTURES, render
from engine.formats.native import NODE_LIMIT, Drawing, GroupEntry, write_drawing
from engine.formats.program_graph import FOLDED_ABOVE
from engine.graph import Graph, post_order
from engine.numbers import short
from engine.rules import Recorded
from engine.trace import run
from engine.value import (
    Value,
    graph_and_values,
    groups_of,
    is_changed_after_forward,
    label_for_graph,
)

DRAWN_LIMIT = 300
"""Maximum number of Values in a notebook's picture; Graphviz needs seconds for more."""
SVG, TEXT = "image/svg+xml", "text/plain"
_NEWER = "Values are newer than gradients: data was changed after the forward pass."
_NOT_DRAWN = (
    "The picture is left out: it would have {count:,} Values, and a notebook shows up to {limit:,}."
)


class Picture:
    """A picture of a Value's graph: a snapshot of data and grad."""

    def __init__(
        self,
        root: Value,
        format: str = "svg",
        rankdir: Literal["LR", "TB"] = "LR",
        look: dict[str, str] | None = None,
    ) -> None:
        """`format` is svg, png, pdf or dot; `look` holds further attributes of the DOT graph."""
        if rankdir not in ("LR", "TB"):
            raise EngineError("rankdir is LR or TB, not {rankdir!r:.40}.", rankdir=rankdir)
        self.format = format
        """Default format of `render` and `pipe`."""
        records = list(_records(root))
        attributes = {"rankdir": rankdir, "fontname": dot.FONT, **(look or {})}
        if is_changed_after_forward(root):
            attributes["label"] = _NEWER
        self.source = dot.dot_text(records, attributes)
        """The picture as DOT."""
        self._count = len(records)

    def __repr__(self) -> str:
        return f"<picture of {self._count:,} Values; .render(filename) writes it>"

    def pipe(self, format: str | None = None) -> bytes:
        """Return the picture as a file's content; raises EngineError if it can't be drawn."""
        return render(self.source, format or self.format)

    def render(
        self,
        filename: str | os.PathLike[str] = "Digraph.gv",
        directory: str | os.PathLike[str] | None = None,
        view: bool = False,
        cleanup: bool = False,
        format: str | None = None,
    ) -> str:
        """Write `filename` (the DOT, not with `cleanup`) and `filename.format`; returns the latter.

        The arguments are those of the package graphviz; `view` shows nothing. Raises EngineError
        if the picture can't be drawn or written.
        """
        form = format or self.format
        source = Path(directory or "", filename)
        picture = source.with_name(f"{source.name}.{form}")
        content = self.pipe(form)
        if not cleanup:
            write_atomically(source, self.source.encode("utf-8"))
        write_atomically(picture, content)
        return str(picture)

    def mime_bundle(self, text: str) -> dict[str, str]:
        """Return the MIME bundle: SVG and `text`, or only text with the reason of a failure."""
        if self._count > DRAWN_LIMIT:
            return _too_large(text, self._count)
        try:
            return {SVG: self.pipe("svg").decode("utf-8"), TEXT: text}
        except EngineError as error:
            reason = sentence("The picture is left out: {reason}", {"reason": error})
            return {TEXT: "\n".join([text, reason])}

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return self.mime_bundle(repr(self))


def draw_dot(root: Value, format: str = "svg", rankdir: Literal["LR", "TB"] = "LR") -> Picture:
    """Return the picture of a Value's graph, as micrograd's function of this name draws it."""
    if format not in PICTURES:
        known = ", ".join(PICTURES)
        raise EngineError("Pictures are {known}, not {format!r:.40}.", known=known, format=format)
    return Picture(root, format, rankdir)


def trace_graph(root: Value) -> tuple[set[Value], set[tuple[Value, Value]]]:
    """Return all ancestors of a Value, itself included, and the edges (operand, result)."""
    nodes = _ancestors(root)
    return set(nodes), {(operand, node) for node in nodes for operand in node._prev}


def bundle(root: Value) -> dict[str, str]:
    """Return the MIME bundle of a Value for a notebook, see `Picture.mime_bundle`."""
    count = len(_ancestors(root))
    if count > DRAWN_LIMIT:  # without building DOT of many MB
        shown = _too_large(repr(root), count)
    else:
        shown = Picture(root, look={"bgcolor": "transparent"}).mime_bundle(repr(root))
    if SVG not in shown and count < NODE_LIMIT:  # of the nodes of a file one is the Root
        shown[TEXT] = "\n".join([shown[TEXT], "Its show() opens it in a window."])
    return shown


def _too_large(text: str, count: int) -> dict[str, str]:
    reason = sentence(_NOT_DRAWN, {"count": count, "limit": DRAWN_LIMIT})
    return {TEXT: "\n".join([text, reason])}


def _ancestors(root: Value) -> list[Value]:
    """Return a Value's ancestors in topological order, itself last.

    They may be micrograd's own Values, whose `_prev` is a set.
    """
    if not hasattr(root, "_prev"):
        raise EngineError("What is drawn is a Value, not {root!r:.80}.", root=root)
    return list(post_order((root,), lambda node: list(node._prev)))


def _records(root: Value) -> Iterator[Record]:
    nodes = _ancestors(root)
    number = {node: k for k, node in enumerate(nodes, 1)}
    labels = [str(getattr(node, "label", "")) for node in nodes]
    has_labels = any(labels)
    for node, label in zip(nodes, labels, strict=True):
        rows = [label] if has_labels else []
        rows += [f"data {_written(node.data)}", f"grad {_written(node.grad)}"]
        operands = tuple(dict.fromkeys(number[operand] for operand in node._prev))
        yield Record(number[node], rows, node._op, operands)


def _written(number: object) -> str:
    """Format a number as micrograd does; a program may have set grad to None."""
    return f"{number:.4f}" if isinstance(number, Real) else f"{number}"[:20]


SHOW_VALUE_OPTION = "--show-value"
"""Command line argument of the process that reads a graph from standard input."""
READY = "ready"
"""Answer of a window that shows the graph; any other answer is an error sentence."""
ANSWER_TIMEOUT = 20.0
"""Seconds; a slow machine needs about ten."""
ANSWER_LIMIT = 1000
"""Maximum number of bytes of an answer; a sentence takes up to 400 characters."""

_PACKAGE = sys.modules[__name__.partition(".")[0]]
_IMPORT_FOLDER = Path(str(_PACKAGE.__file__)).resolve().parents[1]
"""The folder from which this package is imported."""
_NO_QT = (
    "the window needs PySide6, which this Python does not have; _repr_svg_() and graph() do not"
)


def show(root: Value) -> None:
    """Open a window with the graph of a Value in a separate process, without waiting for its end.

    Returns when that process reports that the window is open, about a second later, or after
    ANSWER_TIMEOUT seconds without an answer. Errors are printed as one line on standard error.
    """
    problem = _NO_QT if find_spec("PySide6") is None else _open_window(root)
    if problem:
        sys.stderr.write(f"backwire: {problem}\n")


def _open_window(root: Value) -> str:
    """Start the window; returns an error sentence, or ""."""
    try:
        graph, order = graph_and_values(root, names_of_caller())
        if len(order) >= NODE_LIMIT:
            return f"the window shows up to {NODE_LIMIT:,} nodes, and this graph has {len(order):,}"
        recorded, said = None, list[str]()
        if root.grad == 1.0 and all(isinstance(each.grad, Real) for each in order):
            recorded, sentence = _recorded(graph, order)
            said = [sentence]
        drawing = Drawing(graph, groups=_groups(order), recorded=recorded)
        return _start(write_drawing(drawing).encode("utf-8"), *said)
    except (EngineError, OSError) as error:
        return f"the window can't be opened: {error}"


def _groups(order: list[Value]) -> tuple[GroupEntry, ...]:
    found = groups_of(order)
    numbers = {group: k for k, group in enumerate(found, 1)}
    return tuple(
        GroupEntry(
            numbers[group],
            label_for_graph(group.title),
            members,
            collapsed=len(order) > FOLDED_ABOVE,
            parent=None if group.outer is None else numbers[group.outer],
        )
        for group, members in found.items()
    )


def _recorded(graph: Graph, order: list[Value]) -> tuple[Recorded, str]:
    """Return the pass of the program, and how its gradients are not those of one pass, or "".

    What a leaf had before is what one pass leaves over, unless data are newer than the pass.
    """
    values = {node: float(each.data) for node, each in enumerate(order, 1)}
    grads = {node: float(each.grad) for node, each in enumerate(order, 1)}
    if is_changed_after_forward(order[-1]):
        return Recorded(values, {}, grads), _NEWER
    gradients = run(graph).gradients
    before = {
        leaf: grads[leaf] - ours
        for leaf in graph.leaves
        if not math.isclose(grads[leaf], ours := gradients[leaf], rel_tol=1e-6, abs_tol=1e-9)
    }
    said = ""
    for leaf in [*before][:1]:
        said = (
            f"{graph.title(leaf)}.grad is {short(grads[leaf])} in the program; this pass, which "
            f"begins from 0, gives {short(gradients[leaf])}."
        )
    return Recorded(values, before, grads), said


NAMED_OBJECTS = 20_000
"""Objects of a caller that are searched for Values."""


def names_of_caller() -> dict[Value, str]:
    """Return what the program that called calls its Values: `x`, `w[1]`, `net.layers[0].b`."""
    frame = sys._getframe()
    package = __name__.partition(".")[0]
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == package:
        frame = frame.f_back
    if frame is None:
        return {}
    steps = dis.get_instructions(frame.f_code)
    looped = {then.argval for step, then in pairwise(steps) if step.opname == "FOR_ITER"}
    named = {**frame.f_globals, **frame.f_locals}
    names = [name for name in named if not name.startswith("_") and name not in _OF_NOTEBOOKS]
    found: dict[Value, str] = {}
    seen: dict[int, object] = {}  # held, so that no id is used again
    for loops in (False, True):  # what a loop has left is called by its place, if it has one
        todo = deque((name, named[name]) for name in names if (name in looped) == loops)
        while todo and len(seen) < NAMED_OBJECTS:
            name, held = todo.popleft()
            if isinstance(held, Value):
                found.setdefault(held, name)
            elif id(held) not in seen:
                seen[id(held)] = held
                todo += _parts(name, held)
    return found


_NOT_SEARCHED = {*sys.stdlib_module_names, "numpy", __name__.partition(".")[0]}
"""Packages whose objects hold no Values; classes and modules are of `builtins`."""
_OF_NOTEBOOKS = frozenset({"In", "Out"})
"""Names by which a notebook keeps what was typed and what came."""


def _parts(name: str, held: object) -> Iterator[tuple[str, object]]:
    """Yield what a list or an object of the program holds, with its path."""
    if isinstance(held, list | tuple):
        parts = cast("list[object]", held)
        yield from ((f"{name}[{k}]", part) for k, part in enumerate(parts))
    elif isinstance(held, dict):
        entries = cast("dict[object, object]", held)
        yield from ((f"{name}[{key!r}]", part) for key, part in list(entries.items()))
    elif type(held).__module__.partition(".")[0] not in _NOT_SEARCHED:
        attributes = getattr(held, "__dict__", {})
        yield from ((f"{name}.{key}", part) for key, part in list(attributes.items()))


def _start(content: bytes, *said: str) -> str:
    """Start the process; returns an error sentence, or "" once it is ready.

    With `said` it shows the end of the backward pass, and says that sentence.
    """
    with tempfile.TemporaryFile() as file:  # a pipe would block until it is read
        file.write(content)
        file.seek(0)
        process = subprocess.Popen(
            # -P: no app.py of the caller's folder
            [sys.executable, "-P", "-m", "app", SHOW_VALUE_OPTION, *said],
            stdin=file,
            stdout=subprocess.PIPE,
            env=os.environ | _search_path(),
            start_new_session=True,  # Ctrl-C in the caller's terminal must not end the window
        )
    answers: Queue[str] = Queue()
    threading.Thread(target=_forward_answer, args=(process, answers), daemon=True).start()
    try:
        answer = answers.get(timeout=ANSWER_TIMEOUT)
    except Empty:
        return f"the window has not answered for {short(ANSWER_TIMEOUT)} seconds; it may still open"
    return "" if answer == READY else answer or "the window did not start"


def _search_path() -> dict[str, str]:
    """Return the environment with which a new process finds this package.

    Site-packages are left out: Python finds them by itself, and in PYTHONPATH they would come
    before the standard library and could hide its modules.
    """
    if str(_IMPORT_FOLDER) in (*site.getsitepackages(), site.getusersitepackages()):
        return {}
    paths = [str(_IMPORT_FOLDER), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {"PYTHONPATH": os.pathsep.join(paths)}


def _forward_answer(process: subprocess.Popen[bytes], answers: Queue[str]) -> None:
    """Queue the first line of output, and wait for the process, which avoids a zombie."""
    assert process.stdout is not None
    with process.stdout as stream:
        answers.put(stream.readline(ANSWER_LIMIT).decode("utf-8", "replace").strip())
    process.wait()
