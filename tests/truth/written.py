"""What is written for elsewhere: the LaTeX derivation, and the tables of the command line."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator
from pathlib import Path

from app.cli.running import do
from engine.formats import latex
from engine.formats.files import save
from engine.formats.latex import symbols
from engine.graph import Graph, OpNode, Root, kind_of
from engine.rules import MISTAKES
from tests.truth.claims import Said
from tests.truth.moment import Moment, Run
from tests.truth.oracle import Step
from tests.truth.tokens import NAME, Names

DIGITS = 6
_WORDS = {
    "ln": "log", "sigma": "sigmoid", "varphi": "φ", "Phi": "Φ", "arcsin": "asin",
    "arccos": "acos", "arctan": "atan", "cdot": "·", "infty": "inf", "le": "≤",
}  # fmt: skip


def latex_texts(graph: Graph) -> tuple[Moment, list[Said]]:
    """The equations of a derivation in signs that the reader knows, and the end of the pass."""
    run = Run(graph, digits=DIGITS)
    names = {symbol: {node} for node, symbol in symbols(graph).items()}
    run.names = Names(names)
    text = latex.write(graph).replace(r"\mathrm{e}^", r"\exp").replace(r"{\approx}", "≈ ")
    text = re.sub(r"(&|\s)\\approx (?=-?\d\S*($|\s))", r"\1= ≈ ", text)  # a rounded number
    lines = _lines(text.replace(r"\approx", "="))
    found = [Said("LaTeX", _plain(run.names.put_in(line))) for line in lines]
    return Moment(run, "backward", len(run.steps)), found


def _lines(document: str) -> Iterator[str]:
    """Each chain of equations on one line."""
    for block in re.findall(r"\\begin\{align\*\}\n(.*?)\n\\end\{align\*\}", document, re.DOTALL):
        line = ""
        block = re.sub(r"\\begin\{cases\}.*?\\end\{cases\}", _on_one_line, block)
        for row in block.split(" \\\\\n"):
            if not row.startswith("&") and line:
                yield line
                line = ""
            line += " " + row.replace("&", " ").replace(r"\quad", " ")
        yield line


def _on_one_line(found: re.Match[str]) -> str:
    """Cases whose rows and columns no aligned equation is split at."""
    return found[0].replace(r" \\ ", " ; ").replace(" & ", " : ")


def _plain(text: str) -> str:
    """LaTeX in the signs of the screen."""
    text = text.replace(r"\text{nan}", "nan")
    text = re.sub(r" \\cdot 10\^\{(-?\d+)\}", r"e\1", text)
    text = re.sub(
        rf"\\frac\{{\\partial(\^\{{?\+\}}?)? ?({NAME})\}}\{{\\partial ({NAME})\}}",
        lambda d: f"∂{'⁺' if d[1] else ''}{d[2]}/∂{d[3]}",
        text,
    )
    text = re.sub(r"\\left\.(∂[^\\]*)\\right\|_\{(\d)\}", lambda d: d[1] + "₀₁₂₃"[int(d[2])], text)
    text = text.replace(r"\left", "").replace(r"\right", "").replace(r"\tfrac{1}{2}", "½")
    text = re.sub(r"\\begin\{cases\}(.*?)\\end\{cases\}", _cases, text)
    text = re.sub(r"\\(\w+)\^2\(([^()]*(?:\([^()]*\))?[^()]*)\)", r"square(\\\1(\2))", text)
    text = text.replace(r"\,", "·").replace(r"\lfloor", "floor(").replace(r"\rfloor", ")")
    text = _arguments(text)
    text = re.sub(r"\\(\w+)", lambda word: _WORDS.get(word[1], word[1]), text)
    return re.sub(rf"(?<=[\d½){NAME[1:]}) (?=[a-z½(Φ])(?!if|else)", " · ", text)


def _cases(found: re.Match[str]) -> str:
    """`(0 if a < b, ½ if equal, else 1)`; the last row is for what is left."""
    *rows, last = (row.split(" : ") for row in found[1].strip().split(" ; "))
    told = [f"{row[0]} if {row[1] if k == 0 else 'equal'}" for k, row in enumerate(rows)]
    return f"({', '.join([*told, 'else ' + last[0]])})"


def _arguments(text: str) -> str:
    """Braces as brackets, and fractions as quotients, from the outside in."""
    found = ""
    while text:
        if text.startswith(r"\frac{"):
            over, rest = _group(text[len(r"\frac") :])
            under, text = _group(rest)
            found += f"(({_arguments(over)}) ÷ ({_arguments(under)}))"
        elif text.startswith(r"\operatorname{"):
            name, text = _group(text[len(r"\operatorname") :])
            found += name.replace("\\", "")
        elif text.startswith("{"):
            inner, text = _group(text)
            found += f"({_arguments(inner)})"
        else:
            found, text = found + text[0], text[1:]
    return found


def _group(text: str) -> tuple[str, str]:
    """What a text that begins with a brace holds in it, and what follows."""
    depth = 0
    for k, sign in enumerate(text):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if depth == 0:
            return text[1:k], text[k + 1 :]
    return text[1:], ""


# the command line

_NUMBER = r"-?(?:\d+(?:\.\d+)?(?:e[+-]?\d+)?|inf|nan)"
_STEP = re.compile(
    rf"(\d+) +(seed|zero|(\w+)\[(\d)\] -> (\w+)) +(?:({_NUMBER}) \* ({_NUMBER}) = ({_NUMBER}) +)?"
    rf"(\w+)\.grad: ({_NUMBER}) -> ({_NUMBER})"
)


def command_faults(graph: Graph, mistake: str, path: Path) -> tuple[int, list[tuple[str, str]]]:
    """What `backwire run --trace` prints: how many lines, and which are false, and why."""
    run = Run(graph, mistake)
    save(graph, path)
    told = io.StringIO()
    options = [] if mistake == "correct" else ["--mistake", mistake]
    with contextlib.redirect_stdout(told):
        do("run", [str(path), "--trace", *options])
    lines = [line.strip() for line in told.getvalue().split("\n") if line.strip()]
    nodes = [n for n in sorted(graph.nodes) if not isinstance(graph.nodes[n], Root)]
    named = next((f"mistake: {r.name} ({r.title})" for r in MISTAKES if r.name == mistake), "")
    wanted = [
        _first(run),
        *filter(None, [named]),
        "name kind value grad",
        *(_row(run, n) for n in nodes),
    ]
    found: list[tuple[str, str]] = []
    for line, right in zip(lines, wanted, strict=False):
        if not _alike(line.split(), right.split()):
            found.append((line, f"it should be {right}"))
    steps, second = lines[len(wanted) :], sum(step.sweep == 1 for step in run.steps)
    if second < len(run.steps) and steps[second : second + 1] != ["pass 2"]:
        found.append(("pass 2", f"it does not stand before step {second + 1}"))
    steps = [line for line in steps if line != "pass 2"]
    if len(steps) != len(run.steps):
        found.append((f"{len(steps)} steps", f"there are {len(run.steps)}"))
    for k, (line, step) in enumerate(zip(steps, run.steps, strict=False), 1):
        if fault := _step_fault(line, k, step, graph):
            found.append((line, fault))
    return len(lines), found


def _first(run: Run) -> str:
    return f"{run.graph.names[run.root]} = {_written(run.values[run.root])}"


def _row(run: Run, node: int) -> str:
    part = run.graph.nodes[node]
    kind = part.op if isinstance(part, OpNode) else kind_of(part)
    value = _written(run.values[node]) if node in run.values else "-"
    grads = Moment(run, "backward", len(run.steps)).grads
    grad = _written(grads[node]) if node in grads else "no path" if kind == "leaf" else "-"
    return f"{run.graph.names[node]} {kind} {value} {grad}"


def _step_fault(line: str, k: int, step: Step, graph: Graph) -> str:
    found = _STEP.fullmatch(line)
    if found is None:
        return "unread"
    names, node = graph.names, step.node
    right = [str(k), names[node], *map(_written, (step.before, step.after))]
    shown = [found[1], found[9], found[10], found[11]]
    if step.wire is None:
        right, shown = [step.kind, *right], [found[2], *shown]
    else:
        right += [names[step.wire[0]], str(step.wire[1]), names[node]]
        right += map(_written, (step.upstream, step.local, step.contribution))
        shown += [found[3], found[4], found[5], found[6], found[7], found[8]]
    return "" if _alike(shown, right) else f"it should be {right}"


def _alike(shown: list[str], right: list[str]) -> bool:
    """Whether words are the same, and numbers the same to the last bit."""
    return len(shown) == len(right) and all(map(_same, shown, right))


def _same(shown: str, right: str) -> bool:
    if shown == right:
        return True
    if not re.fullmatch(_NUMBER, shown) or not re.fullmatch(_NUMBER, right):
        return False
    return float(shown) == float(right)


def _written(number: float) -> str:
    return repr(float(number))
