"""Formulas as people write them: their tokens, in which one thing has one spelling.

>>> [token.word for token in tokens("3x² − |θ|", is_tex=False)]
['3', 'x', '^', '(', '2', ')', '-', '|', 'theta', '|', '']

What the tokens mean together is said by `engine.formats.expression`.
"""

import keyword
import re
from collections.abc import Iterator
from unicodedata import name, normalize, numeric

from msgspec import Struct

from engine.errors import PlacedFormatError
from engine.names import brief
from engine.ops import meant

LENGTH_LIMIT = 4000
"""Maximum number of characters of an expression; a larger graph belongs into a file."""
_PROGRAM_MARKS = ("import ", "Value(", "tensor(", ".backward(", "def ", "print(")
"""Texts that a program contains, and no formula."""
_GREEK = {letter: name(letter).split()[-1].lower() for letter in "αβγδεζηθικμνξοπρσςτυφχψω"}
_GREEK["λ"] = "lam"
"""Names of the Greek letters; `lambda` is a word of Python."""
COMMANDS = {
    "cdot": "*", "times": "*", "ast": "*", "div": "/", "vert": "|", "lvert": "|", "rvert": "|",
    "lambda": "lam", "varepsilon": "epsilon", "varphi": "phi", "vartheta": "theta",
    "sum": "Σ", "prod": "Σ", "partial": "∂", **{word: word for word in _GREEK.values()},
}  # fmt: skip
"""Commands of LaTeX that are no operations: signs and names."""
_SIGNS = str.maketrans("×·⋅∗•÷∕⁄−–—‒≔←≥≤≠", "*****///----==><>")  # noqa: RUF001
RAISED, LOWERED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿˣ", "₀₁₂₃₄₅₆₇₈₉ₐₑᵢⱼₖₙₓ"
_ON_LINE = str.maketrans(RAISED + LOWERED, "0123456789+-nx0123456789aeijknx")
_GREEKS = "".join(_GREEK)
_LETTER = rf"(?![{RAISED}{LOWERED}{_GREEKS}ΣΠᵀ])"
"""Excludes what Python counts as letters, and a formula as a sign or as a name of its own."""
_INDEX = rf"(?:(?:_|(?<=_))\{{\w+\}}|[{LOWERED}]+)?"
_TOKEN = re.compile(
    rf"""
    (?P<space>[ \t\r]+|\\\n|\#[^\n]*)
    |(?P<skipped>\$|\\(?:left|right|displaystyle|q?quad)(?![A-Za-z])|\\[,;:!\ ]
        |(?:(?:np|numpy|math|torch|tf|jnp|nn|functional|F)\s*\.\s*)+(?=\w+\s*\((?!\s*\))|pi\b|e\b))
    |(?P<end>[;\n])
    |(?P<number>0[xXbBoO]\w+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?(?:[jJ](?!\w))?)
    |(?P<fraction>\\[dt]?frac\s*\d\s*\d|[¼-¾⅐-⅞])
    |(?P<quotient>\\[dt]?frac(?![A-Za-z]))
    |(?P<root>√|\\sqrt(?![A-Za-z]))
    |(?P<upright>\\(?:mathrm|operatorname|text|mathbf|mathit)\s*\{{\s*(?P<word>\w+)\s*\}})
    |(?P<name>\\[A-Za-z]+{_INDEX}|[{_GREEKS}]\d*{_INDEX}|{_LETTER}[^\W\d](?:{_LETTER}\w)*{_INDEX})
    |(?P<raised>[{RAISED}]+)
    |(?P<power>\*\*|\^)
    |(?P<bar>\|)
    |(?P<open>[(\[{{])
    |(?P<close>[)\]}}])
    |(?P<operator>.)
    """,
    re.VERBOSE,
)
_EXPONENT = re.compile(r"[+-]?(?:\d+|[nx])")
_BASE = re.compile("|".join(sorted(COMMANDS, key=len, reverse=True)))
"""The name at the beginning of a command of LaTeX such as `\\theta_1`."""
_TEX = re.compile(r"\\[A-Za-z]|[\^_]\{|\$[^$]+\$")
"""What shows that a formula is LaTeX."""
_ONE_NUMBER = "here a name is one number."
_CHOICE = "write where_gt0(c, a, b): a where c > 0, else b."
BLOCKS = frozenset({"layer", "linear", "mlp", "neuron"})
"""What Tab adds by name, and no formula calls."""
TERMS = "write the terms out, or Tab: linear, mlp."
_REFUSED = {
    "[": _ONE_NUMBER, "@": _ONE_NUMBER, "ᵀ": _ONE_NUMBER,
    "Σ": TERMS, "∑": TERMS, "Π": TERMS, "∏": TERMS, "∫": TERMS,
    "if": _CHOICE, ">": f"a comparison has no slope; {_CHOICE}",
    "<": f"a comparison has no slope; {_CHOICE}",
    "∂": "type the formula itself, then Backward: the pass computes its gradients.",
}  # fmt: skip
"""Signs and words that have no meaning here, and the sentence for each."""


class Token(Struct, frozen=True):
    """A part of a text: its kind is the group of `_TOKEN`, its word is spelled in one way."""

    kind: str
    start: int
    end: int
    word: str


def is_latex(text: str) -> bool:
    """Return whether a formula is LaTeX, in which a space is a product."""
    return _TEX.search(text) is not None


def looks_like_a_program(text: str) -> bool:
    """Return whether a text is that of a program, not of a formula."""
    code = re.sub("#.*", "", text)
    return any(mark in code for mark in _PROGRAM_MARKS)


def tokens(text: str, *, is_tex: bool) -> Iterator[Token]:
    """Yield the tokens except spaces, which the end of a line inside brackets is too.

    The last one is an end. Raises FormatError for a character or word that no formula has.
    """
    depth = 0
    for found in _TOKEN.finditer("".join(map(_single, text))):
        kind, (start, end), word = found.lastgroup or "", found.span(), found[0]
        depth += (kind == "open") - (kind == "close")
        if kind == "space" or (word == "\n" and depth > 0):
            continue
        if kind == "skipped" and (word != "$" or is_tex):
            continue
        if kind == "raised":
            word = word.translate(_ON_LINE)
        if kind in ("name", "upright"):
            word = found["word"] or _plain_name(word)
            kind = _kind_of(text, start, end, word)
        if reason := _reason(kind, word, text[start:end]):
            raise refused(text, start, end, reason)
        for part, spelled in _parts(kind, word):
            yield Token(part, start, end, spelled)
    yield Token("end", len(text), len(text), "")


def refused(text: str, start: int, end: int, reason: str, **fields: object) -> PlacedFormatError:
    """Return the error about a part of a text, as far as it is on one line, with its place."""
    before = text[:start]
    place = before.count("\n") + 1, start - before.rfind("\n")
    end = min(end, f"{text}\n".index("\n", start))
    return PlacedFormatError(place, start, max(1, end - start), reason, **fields)


def quoted(text: str) -> str:
    """Return a part of a text as a sentence quotes it: on one line, and shortened."""
    return brief(" ".join(text.split()))


def _single(character: str) -> str:
    """Return the plain form of a character, such as x for a slanted one, if it is one too."""
    if character.isascii() or character in RAISED or character in LOWERED or character == "ᵀ":
        return character
    plain = normalize("NFKC", character.translate(_SIGNS))
    return plain if len(plain) == 1 and (plain.isascii() or plain in _GREEK) else character


def _plain_name(text: str) -> str:
    """Return the name that a text such as `θ`, `x₁`, `w_{ij}` or `\\lambda` is written for."""
    base, _brace, index = text.partition("{")
    if index:
        base, index = base.removesuffix("_"), index.removesuffix("}")
        base += index if index.isdigit() else f"_{index}"
    base = base.translate(_ON_LINE)
    if base.startswith("\\"):
        return re.sub(r"\\([A-Za-z]+)", lambda found: COMMANDS.get(found[1], found[1]), base)
    return _GREEK.get(base[:1], base[:1]) + base[1:]


def _parts(kind: str, word: str) -> list[tuple[str, str]]:
    """Return kinds and words of the tokens for which one is written: ² is ^(2), ½ is 0.5."""
    if kind == "raised":
        word = f"^({word})"
    elif kind == "fraction":
        digits = re.findall(r"\d", word)
        word = f"({'/'.join(digits)})" if digits else repr(numeric(word))
    else:
        return [(kind, word)]
    return [(found.lastgroup or "", found[0]) for found in _TOKEN.finditer(word)]


def _reason(kind: str, word: str, written: str) -> str:
    """Return why a token can't stand in a formula, or ""."""
    if kind == "power":
        return "" if written in ("^", "**", "∗∗") else "write one sign here."  # noqa: RUF001
    if kind == "raised":
        known = _EXPONENT.fullmatch(word)
        return "" if known else "write this exponent after ** in brackets."
    if kind not in ("open", "operator"):
        return ""
    is_sign = word.isprintable()
    return _REFUSED.get(word, "" if is_sign else "this character can't stand in an expression.")


def _kind_of(text: str, start: int, end: int, word: str) -> str:
    """Return whether a word is a name, or the sign that a command of LaTeX prints."""
    if text[start] == "\\" and word in "|*/Σ∂":
        return "bar" if word == "|" else "operator"
    if text[start] == "\\" and not (meant(word) or _BASE.match(word)):
        raise refused(text, start, end, "{word} can't be read here.", word=text[start:end])
    return "operator" if keyword.iskeyword(word) else "name"
