"""What leaves the program: the numbers in DOT, the table of `check`, and PyTorch's comments."""

from __future__ import annotations

import contextlib
import io
import math
import re
from collections.abc import Iterator
from pathlib import Path

from app.cli.running import do
from engine.errors import EngineError
from engine.formats import dot, pytorch
from engine.formats.files import save
from engine.frame import frame_at
from engine.graph import Constant, Graph, Leaf, Root
from engine.numbers import parse_number
from engine.rules import CORRECT, MISTAKES
from engine.trace import run
from tests.truth.moment import Moment, Run, near, same
from tests.truth.ranges import displayed
from tests.truth.tokens import NUMBER

Faults = list[tuple[str, str]]
DIGITS = 6
"""So many digits a number has in DOT."""
_NODE = re.compile(r'  "n(\d+)" \[label="(.*?)(?<!\\)", ')
_WIRE = re.compile(r'  "n(\d+)" -> "n(\d+)" \[key="(\d)"(.*)\];')
_LABEL = re.compile(rf', label="({NUMBER}) × ({NUMBER}) = ({NUMBER}|···)"')


def export_faults(graph: Graph, mistake: str, path: Path) -> tuple[int, Faults]:
    """All that is exported of a graph under a mistake: how many numbers, and which are false."""
    found = Run(graph, mistake)
    counts = 0
    faults: Faults = []
    for cursor in sorted({0, len(found.steps) // 2, len(found.steps)}):
        count, wrong = dot_faults(Moment(found, "backward", cursor))
        counts, faults = counts + count, faults + wrong
    count, wrong = _check(found, path)
    counts, faults = counts + count, faults + wrong
    if mistake == CORRECT.name:
        faults += _pytorch(found)
    return counts, faults


# DOT


def dot_faults(now: Moment) -> tuple[int, Faults]:
    """The step of a pass as DOT has it: values, gradients, and a product on each wire."""
    graph = now.graph
    rules = next(r for r in (CORRECT, *MISTAKES) if r.name == now.run.mistake)
    lines = dot.write(graph, frame_at(run(graph, rules=rules), now.cursor)).split("\n")
    nodes = {int(m[1]): m[2] for line in lines if (m := _NODE.match(line))}
    wires = {(int(m[2]), int(m[3])): m[4] for line in lines if (m := _WIRE.match(line))}
    faults: Faults = []
    if nodes.keys() != graph.nodes.keys():
        faults.append((f"nodes {sorted(nodes)}", f"there are {sorted(graph.nodes)}"))
    for node, label in nodes.items():
        faults += [(label, fault) for fault in _rows(now, node, label.split("\\n"))]
    for wire, look in wires.items():
        if fault := _product(now, wire, look):
            faults.append((look, fault))
    return len(nodes) + len(wires), faults


def _rows(now: Moment, node: int, rows: list[str]) -> Iterator[str]:
    """What is false in the rows `data 2` and `grad –` of a node."""
    part = now.graph.nodes[node]
    shown = part.input if isinstance(part, Root) else node
    if shown is None:
        return
    grads = now.grads
    wanted = [_number(rows, "data", now.run.values.get(shown))]
    if not isinstance(now.graph.nodes[shown], Constant) or shown == now.run.root:
        pathless = isinstance(now.graph.nodes[shown], Leaf) and shown not in now.run.wants
        wanted.append(_number(rows, "grad", grads.get(shown), "∅" if pathless else "–"))
    yield from (fault for fault in wanted if fault)


def _number(rows: list[str], name: str, number: float | None, none: str = "–") -> str:
    row = next((row for row in rows[1:] if row.startswith(f"{name} ")), "")
    text = row.removeprefix(f"{name} ")
    if number is None:
        return "" if text == none else f"{name} {text} where {none} belongs"
    if re.fullmatch(NUMBER, text) and near(displayed(text, DIGITS), [number]):
        return ""
    return f"{name} {text} where {number:.17g} belongs"


def _product(now: Moment, wire: tuple[int, int], look: str) -> str:
    """What is false in the label of a wire: the product that it has carried, or will next."""
    step, label = now.fired(wire), _LABEL.search(look)
    if step is None and now.cursor < now.total and now.next is not None:
        step = now.next if now.next.wire == wire else None
    if step is None or label is None:
        return "" if step is None and label is None else f"a label where {step} belongs"
    numbers = (step.upstream, step.local, step.contribution)
    for text, number in zip(label.groups(), numbers, strict=True):
        if text != "···" and not near(displayed(text, DIGITS), [number]):
            return f"{text} where {number:.17g} belongs"
    return ""


# check


_ROW = re.compile(
    r"(\w+) +(no path|\S+) +(\S+) +(\S+) +(agrees|differs|can't tell) +(\S.*)", re.UNICODE
)
_APART = re.compile(r"They are (?:≈ )?(\S+) apart;")
CLOSE = 1e-3
"""So far apart, as a share of the larger, may be two gradients that a check calls the same."""


def _check(found: Run, path: Path) -> tuple[int, Faults]:
    """The table of `backwire check`: each leaf's gradient, and whether the verdict fits it."""
    save(found.graph, path)
    told = io.StringIO()
    options = [] if found.mistake == CORRECT.name else ["--mistake", found.mistake]
    try:
        with contextlib.redirect_stdout(told):
            do("check", [str(path), *options])
    except EngineError:
        return 0, []
    lines = [line for line in told.getvalue().split("\n")[1:] if line.strip()]
    leaves = [n for n, part in found.graph.nodes.items() if isinstance(part, Leaf)]
    faults: Faults = []
    if len(lines) != len(leaves):
        faults.append((f"{len(lines)} leaves", f"there are {len(leaves)}"))
    for line, leaf in zip(lines, leaves, strict=False):
        if fault := verdict_fault(found, leaf, line):
            faults.append((line, fault))
    return len(lines), faults


def verdict_fault(found: Run, leaf: int, line: str) -> str:
    row = _ROW.fullmatch(line.strip())
    if row is None:
        return "unread"
    name, backward, numerical, off, verdict, reason = row.groups()
    if name != found.graph.names[leaf]:
        return f"{found.graph.names[leaf]} belongs here"
    if backward == "no path":
        return "" if leaf not in found.wants else "there is a path"
    grad = Moment(found, "backward", len(found.steps)).grads[leaf]
    shown = ((backward, grad), (off, abs(grad - float(numerical))))
    if wrong := [text for text, number in shown if not same(float(text), number)]:
        return f"{wrong[0]} does not belong here"
    right = found.right[leaf]
    if verdict == "agrees" and abs(grad - right) > CLOSE * max(abs(grad), abs(right), 1e-9):
        return f"it agrees with {right:.17g}"
    if verdict == "differs" and same(grad, right):
        return "it is right"
    apart = _APART.match(reason)
    told = None if apart is None else parse_number(apart[1])
    if apart is not None and (told is None or not _is_apart(told, grad, float(numerical))):
        return f"they are {abs(grad - float(numerical)):.3g} apart"
    return ""


def _is_apart(told: float, a: float, b: float) -> bool:
    """Whether a distance of three digits is that of two numbers, but for their own rounding."""
    return math.isclose(told, abs(a - b), rel_tol=6e-3, abs_tol=1e-14 * max(abs(a), abs(b)))


# PyTorch


def _pytorch(found: Run) -> Faults:
    """The comments of a PyTorch program: one for each contribution that PyTorch masks."""
    text = pytorch.write(found.graph)
    comments = [line for line in text.split("\n") if line.startswith("# ")]
    masked = [s for s in found.steps if math.isnan(s.contribution) and s.wire and s.local == 0]
    right = [s for s in masked if s.wire is not None and _masks(found, *s.wire)]
    if len(comments) == len(right):
        return []
    return [(f"{len(comments)} comments", f"PyTorch masks {len(right)} contributions")]


def _masks(found: Run, node: int, slot: int) -> bool:
    inputs = [found.values[s] for s in found.graph.inputs(node) if s is not None]
    return found.graph.op(node).zero_blocks_nonfinite(slot, *inputs)
