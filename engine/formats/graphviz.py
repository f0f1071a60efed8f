"""Graphviz client: each layout or picture runs in a worker process, isolated from crashes.

    layout(sizes, graph.wires())        # blocks until the positions are known
    request(...), COMMAND, positions()  # the same in parts, for an asynchronous caller

pygraphviz must not share a process with Qt, holds the GIL during a layout, and can crash; so
`graphviz_worker.py` runs it, one process per request. Any failure there is raised as EngineError.
"""

import json
import math
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

from engine.errors import EngineError
from engine.formats.native import Point
from engine.numbers import short

Direction = Literal["LR", "TB"]
Wires = Iterable[tuple[int, tuple[int, int]]]
"""(source, (target, slot)), as `Graph.wires` gives them."""

WORKER = Path(__file__).with_name("graphviz_worker.py")
WORKER_WORD = "--graphviz-worker"
"""Command line argument that makes a bundled program act as the worker."""

COMMAND: tuple[str, ...] = (
    (sys.executable, WORKER_WORD)
    if getattr(sys, "frozen", False)
    else (sys.executable, "-I", str(WORKER))  # -I: no module of the current folder is imported
)
"""The worker's command line: write a request to its standard input, close it, read the answer."""

PICTURES = ("svg", "png", "pdf", "dot")
RANK_GAP = 168.0
"""Gap between columns in px: the width of a wire's label and its margin in Arrange."""
NODE_GAP = 48.0
"""Gap between neighbours in a column, in px."""
LAYOUT_TIMEOUT = 30.0
"""Seconds; a layout of 3,000 nodes needs about seven."""
DRAW_TIMEOUT = 60.0
"""Seconds; a picture is also rasterised."""
_POINTS = 72.0  # points per inch; one point stands for one px


def layout(
    sizes: Mapping[int, Point],
    wires: Wires,
    direction: Direction = "LR",
    gaps: Point = (RANK_GAP, NODE_GAP),
    timeout: float = LAYOUT_TIMEOUT,
) -> dict[int, Point]:
    """Return positions (upper left corners, from (0, 0) on) for nodes of these sizes.

    Wires to or from nodes without a size are left out. `gaps` are the distances between ranks and
    between neighbours within a rank.
    """
    if not sizes:
        return {}
    return positions(ask(request(sizes, wires, direction, gaps), timeout), direction)


def request(
    sizes: Mapping[int, Point],
    wires: Wires,
    direction: Direction = "LR",
    gaps: Point = (RANK_GAP, NODE_GAP),
) -> bytes:
    """Return the request for the worker; `positions` reads its answer."""
    inside = [(source, wire) for source, wire in wires if source in sizes and wire[0] in sizes]
    slots: dict[int, int] = {}
    for _source, (target, slot) in inside:
        slots[target] = max(slots.get(target, 0), slot + 1)
    ranks, neighbours = gaps
    lines = [
        "digraph {",
        f"rankdir={direction}; ranksep={ranks / _POINTS:.4f}; nodesep={neighbours / _POINTS:.4f};",
        'splines=false; node [shape=record, fixedsize=true, margin=0, fontsize=1, label=""];',
    ]
    for node in sorted(sizes):
        lines.append(_box(node, sizes[node], slots.get(node, 0)))
    lines += [f"n{source} -> n{target}:s{slot};" for source, (target, slot) in inside]
    return _request("plain", "\n".join([*lines, "}"]))


def positions(answer: bytes, direction: Direction = "LR") -> dict[int, Point]:
    """Return the upper left corner of each node in the worker's answer to a `request`.

    Nodes of one rank are aligned at its left (or upper) edge.
    """
    boxes: dict[int, tuple[float, float, float, float]] = {}
    for line in content(answer).decode("utf-8").splitlines():
        if line.startswith("node "):
            name, *numbers = line.split(" ")[1:6]
            x, y, width, height = (float(number) * _POINTS for number in numbers)
            boxes[int(name[1:])] = (x, -y, width, height)  # Graphviz counts upwards
    is_horizontal = direction == "LR"
    # Graphviz centres the nodes of a rank on one line: by its coordinate, the rank's first edge
    edges: dict[float, float] = {}
    for x, y, width, height in boxes.values():
        rank, edge = (x, x - width / 2) if is_horizontal else (y, y - height / 2)
        edges[rank] = min(edge, edges.get(rank, edge))
    corners = {
        node: (edges[x], y - height / 2) if is_horizontal else (x - width / 2, edges[y])
        for node, (x, y, width, height) in boxes.items()
    }
    left = min((x for x, _ in corners.values()), default=0.0)
    top = min((y for _, y in corners.values()), default=0.0)
    return {node: (x - left, y - top) for node, (x, y) in corners.items()}


def render(text: str, form: str, timeout: float = DRAW_TIMEOUT) -> bytes:
    """Return Graphviz's picture of a DOT text: svg, png, pdf; or dot or plain, with positions."""
    if form not in (*PICTURES, "plain"):
        raise EngineError(
            "Graphviz pictures are {known}, not {form}.", known=", ".join(PICTURES), form=form
        )
    return content(ask(_request(form, text), timeout))


def ask(request: bytes, timeout: float = LAYOUT_TIMEOUT) -> bytes:
    """Start the worker, send it a request and wait for its answer, `timeout` in seconds."""
    import subprocess  # not for the window, which lets Qt start it

    try:
        done = subprocess.run(
            COMMAND,
            input=request,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=timeout,
            check=False,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),  # no console on Windows
        )
    except subprocess.TimeoutExpired:
        raise EngineError(
            "Graphviz was stopped: it took longer than {seconds} seconds.", seconds=short(timeout)
        ) from None
    except OSError as error:
        raise EngineError("Graphviz can't be started: {reason}.", reason=error.strerror) from None
    return done.stdout


def content(answer: bytes) -> bytes:
    """Return the content of a complete answer; raises EngineError for a refusal or a crash."""
    head, _, found = answer.partition(b"\n")
    word, _, length = head.partition(b" ")
    if word not in (b"ok", b"no") or not length.isdigit() or len(found) != int(length):
        raise EngineError("Graphviz ended without an answer.")
    if word == b"no":
        raise EngineError(found.decode("utf-8", "replace"))
    return found


def _request(form: str, text: str) -> bytes:
    return json.dumps({"format": form}).encode() + b"\n" + text.encode("utf-8")


def _box(node: int, size: Point, slots: int) -> str:
    """Return a box of exactly this size whose fields are its slots, so that wires come in order."""
    width, height = (max(side, 1.0) / _POINTS for side in size)
    if not (math.isfinite(width) and math.isfinite(height)):
        raise EngineError("Node {node} has no size to lay it out with.", node=node)
    fields = "|".join(f"<s{slot}>" for slot in range(slots))
    return f'n{node} [width={width:.4f}, height={height:.4f}, label="{fields}"];'
