"""Copying: a derivation as text and as LaTeX, and the narrated pass as text.

All of it is made from the shown frame, so while a learner is asked it holds no hidden number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

from app.controls.spans import Span, plain_text
from app.style.derivative_notation import Notation
from app.workbench.gradients.chain_rule import Derivation, formula, numbers, total
from app.workbench.gradients.comparison import Comparison
from app.workbench.gradients.explanation import explanation
from app.workbench.words.narration import narrate
from app.workbench.words.sentences import Voice
from engine.formats.latex import escaped
from engine.frame import Frame, frame_at
from engine.numbers import DIGITS_SHOWN, Digits

_FORMULA_TOKEN = re.compile(
    r"(?P<number>\d+(?:\.\d+)?(?:e[+−-]?\d+)?)|(?P<word>[^\W\d]\w*)|(?P<sign>\S)"
)
_DERIVATIVE_PART = re.compile(r"(?P<sign>[∂d])(?P<plus>⁺?)(?P<name>.+)")
_PLAIN_NAME = re.compile(r"\w+(?:\.grad)?")
_ALIGN_BEGIN, _ALIGN_END = "\\begin{align*}\n", "\n\\end{align*}\n"
_LATEX_SIGNS = {
    "−": "-",
    "·": r"\cdot ",
    "×": r"\times ",
    "∂": r"\partial ",
    "⁺": "^{+}",
    "≈": r"\approx ",
    "≠": r"\neq ",
    "∞": r"\infty ",
    "…": r"\dots ",
    "%": r"\%",
    "#": r"\#",
    "$": r"\$",
    "&": r"\&",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\sim ",
    "^": r"\hat{\ }",
    "\\": r"\backslash ",
}


def derivation_text(
    derivation: Derivation, digits: Digits = DIGITS_SHOWN, notation: Notation = "partial"
) -> str:
    """Return a derivation in symbols, in numbers, as a sum, and in words."""
    lines = [*_equations(derivation, digits, notation)]
    spoken = [plain_text(line).replace("\u00a0", " ") for line in lines]
    return "\n".join([*spoken, explanation(derivation, digits)]).strip()


def derivation_latex(
    derivation: Derivation, digits: Digits = DIGITS_SHOWN, notation: Notation = "partial"
) -> str:
    """Return the formulas of a derivation as LaTeX, an align* of amsmath."""
    rows = [latex(row) for line in _equations(derivation, digits, notation) for row in _rows(line)]
    if not rows:
        return ""
    return _ALIGN_BEGIN + " \\\\\n".join(f"& {row}" for row in rows) + _ALIGN_END


def pass_text(
    frame: Frame,
    voice: Voice,
    digits: Digits = DIGITS_SHOWN,
    comparison: Comparison | None = None,
    notation: Notation = "partial",
) -> str:
    """Return a line for each step of the pass; while a learner is asked, only for steps done."""
    trace = frame.trace
    if trace is None:
        return ""
    known = len(trace) if frame.hidden is None else frame.cursor
    steps = (frame_at(trace, cursor) for cursor in range(1, known + 1))
    sentences = (plain_text(narrate(step, voice, digits, comparison, notation)) for step in steps)
    lines = [f"{k}. {line}".replace("\u00a0", " ") for k, line in enumerate(sentences, 1)]
    return "\n".join(lines)


def latex(spans: Sequence[Span]) -> str:
    """Return spans as a formula of LaTeX."""
    return "".join(map(_latex_of_span, spans)).strip()


def _latex_of_span(span: Span) -> str:
    if span.under:
        return _command("frac", _latex_derivative(span.text), _latex_derivative(span.under))
    if span.strike:
        return _command("text", escaped(f"({span.text.strip()})"))
    return _latex_name(span.text) if span.text.endswith(".grad") else _latex_text(span.text)


def _latex_derivative(text: str) -> str:
    """Return numerator or denominator of a derivative, with an upright d."""
    found = _DERIVATIVE_PART.fullmatch(text)
    if found is None:
        return _latex_name(text)
    sign = _command("mathrm", "d") if found["sign"] == "d" else _latex_text(found["sign"])
    return sign + _latex_text(found["plus"]) + _latex_name(found["name"])


def _latex_name(text: str) -> str:
    """Return the name of a node or of its gradient; a label that is no word is upright text."""
    return _latex_text(text) if _PLAIN_NAME.fullmatch(text) else _command("text", escaped(text))


def _command(name: str, *arguments: str) -> str:
    """Return a command of TeX: `\\frac{1}{2}`; an f-string would need its braces doubled."""
    groups = [("{", argument, "}") for argument in arguments]
    return "".join(("\\", name, *chain.from_iterable(groups)))


def _latex_text(text: str) -> str:
    """Return text in a formula: numbers and signs as they are, names and words upright."""
    return "".join(_latex_token(found) for found in _FORMULA_TOKEN.finditer(text))


def _latex_token(token: re.Match[str]) -> str:
    word = token["word"]
    if token["number"]:
        return token["number"]
    if not word:
        sign = token["sign"]
        return _LATEX_SIGNS.get(sign) or (
            sign if sign.isascii() else _command("text", escaped(sign))
        )
    if word == "inf":
        return r"\infty "
    is_letter = len(word) == 1 and word.isascii()
    return word if is_letter else "".join((_command("text", escaped(word)), r"\ "))


def _equations(
    derivation: Derivation, digits: Digits, notation: Notation
) -> list[tuple[Span, ...]]:
    sums = total(derivation, digits) if derivation.arrived else ()
    return [
        line for line in (formula(derivation, notation), numbers(derivation, digits), sums) if line
    ]


def _rows(line: Sequence[Span]) -> list[list[Span]]:
    """Return an equation as rows, split before spans that begin with a line break."""
    rows: list[list[Span]] = [[]]
    for span in line:
        if span.text.startswith("\n"):
            rows.append([])
        rows[-1].append(span)
    return rows
