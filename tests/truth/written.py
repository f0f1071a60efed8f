"""What is written for elsewhere: the LaTeX derivation."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.formats import latex
from engine.formats.latex import symbols
from engine.graph import Graph
from tests.truth.claims import Said
from tests.truth.moment import Moment, Run
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
