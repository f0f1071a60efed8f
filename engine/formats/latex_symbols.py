"""Symbols of nodes in LaTeX: one for each node, spelled with what plain pdflatex can print.

    symbols(graph)[node]   # x_{1} for x1, \\alpha for α, \\text{loss} for loss
    escaped("x<0")         # any text in text mode, as ASCII

Letters with accents, Greek, signs, raised and lowered digits are printed as they are. Any other
character is spelled in brackets: a letter by the last words of its Unicode name ("ж" is [zhe]), a
picture by all of them ("🐍" is [snake]), and a character without a telling name by its number.
"""

# The tables are of characters that look like others.
# ruff: noqa: RUF001

import re
import unicodedata
from collections.abc import Iterator
from itertools import count

from engine.graph import Graph
from engine.names import automatic_name

LONGEST = 40
"""Maximum number of characters of a symbol; TeX has no space for the longest labels."""

_ASCII = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\texttt{\char34}",
    "'": "'{}",  # else LaTeX joins two of them, like hyphens
    "`": r"\`{}",
    "-": "-{}",
    "!": "!{}",
    "?": "?{}",
    "$": r"\char36{}",  # in the font of the text, where \$ would take another
    **{sign: "\\" + sign for sign in "{}&#%_"},
}


def _table(text: str) -> dict[str, str]:
    """Parse a table of characters alternating with the LaTeX that prints them."""
    words = text.split()
    return dict(zip(words[::2], words[1::2], strict=True))


_LATIN = _table(r"""
    ß \ss{} æ \ae{} Æ \AE{} œ \oe{} Œ \OE{} ø \o{} Ø \O{} ł \l{} Ł \L{} ı \i{} ȷ \j{}
    ¡ !`{} ¿ ?`{} – --{} — ---{} “ ``{} ” ''{} ‘ `{} ’ '{} ␣ \textvisiblespace{}
""")
_GREEK = _table(r"""
    α \alpha β \beta γ \gamma δ \delta ε \varepsilon ϵ \epsilon ζ \zeta η \eta θ \theta
    ϑ \vartheta ι \iota κ \kappa λ \lambda μ \mu ν \nu ξ \xi ο \mathrm{o} π \pi ϖ \varpi ρ \rho
    ϱ \varrho σ \sigma ς \varsigma τ \tau υ \upsilon φ \varphi ϕ \phi χ \chi ψ \psi ω \omega
    Γ \Gamma Δ \Delta Θ \Theta Λ \Lambda Ξ \Xi Π \Pi Σ \Sigma Υ \Upsilon Φ \Phi Ψ \Psi Ω \Omega
    Α \mathrm{A} Β \mathrm{B} Ε \mathrm{E} Ζ \mathrm{Z} Η \mathrm{H} Ι \mathrm{I} Κ \mathrm{K}
    Μ \mathrm{M} Ν \mathrm{N} Ο \mathrm{O} Ρ \mathrm{P} Τ \mathrm{T} Χ \mathrm{X}
""")
_MATHS = _GREEK | _table(r"""
    − - ± \pm ∓ \mp × \times ÷ \div · \cdot ⋅ \cdot ∗ \ast ∘ \circ • \bullet ° ^{\circ} ⁄ / ∕ /
    ∂ \partial ∇ \nabla ∞ \infty √ \surd ∑ \Sigma ∏ \Pi ∫ \smallint ∅ \emptyset ¬ \neg ħ \hbar
    ∈ \in ∉ \notin ∀ \forall ∃ \exists ≤ \le ≥ \ge ≠ \ne ≈ \approx ≡ \equiv ∼ \sim ∝ \propto
    ≪ \ll ≫ \gg « \ll » \gg ∧ \wedge ∨ \vee ∩ \cap ∪ \cup ⊂ \subset ⊕ \oplus ⊗ \otimes ⊙ \odot
    → \rightarrow ← \leftarrow ↔ \leftrightarrow ↑ \uparrow ↓ \downarrow ⇒ \Rightarrow
    ⇐ \Leftarrow ⇔ \Leftrightarrow ′ ^{\prime} ″ ^{\prime\prime} ℓ \ell ★ \star † \dagger
    ‡ \ddagger § \mathsection ¶ \mathparagraph £ \mathsterling
""")
_MARKS = _table(
    "\u0300 ` \u0301 ' \u0302 ^ \u0303 ~ \u0304 = \u0306 u \u0307 . \u0308 \" "
    "\u030a r \u030b H \u030c v \u0323 d \u0327 c \u0331 b"
)
_BELOW = "\u0323\u0327\u0331"
_ABOVE = _table(
    "\u0300 \\grave \u0301 \\acute \u0302 \\hat \u0303 \\tilde \u0304 \\bar \u0305 \\bar "
    "\u0306 \\breve \u0307 \\dot \u0308 \\ddot \u030a \\mathring \u030c \\check"
)
_UNDIVIDED = frozenset("´¨¯¸")

_CLUSTER = re.compile(r"(.)([\u0300-\u036f\u20d0-\u20ff]*)", re.DOTALL)
_UNSEEN = re.compile("[\u200b-\u200f\u2060\ufe00-\ufe0f]")
_LETTER = re.compile(r"(?:LETTER|SYLLABLE) (.+)")
_SUM = re.compile(r"[\d\s.,+*/⁄()^=-]*\d[\d\s.,+*/⁄()^=-]*")
_COMMAND = re.compile(r"\\[A-Za-z]+|\\?[{}$]")
_INDEXED = re.compile(r"([^\W\d_])_?([0-9]*)")


def symbols(graph: Graph) -> dict[int, str]:
    """Return the symbol of each node, except Roots; all symbols differ.

    If two labels look the same in print (`w` and `w`, `x1` and `x_1`), the later node uses its name
    in code, which is unique; so does one whose label reads as a number. One whose label does not
    fit in a formula uses its id, like one without a label; labels are served first.
    """
    found: dict[int, str] = {}
    taken: set[str] = set()
    for node in graph.names:
        text = _symbol(graph.label(node))
        if text and text not in taken:
            found[node] = text
            taken.add(text)
    for node, name in graph.names.items():
        if node not in found:
            found[node] = next(text for text in _stand_ins(name, node) if text not in taken)
            taken.add(found[node])
    return dict(sorted(found.items()))


def _stand_ins(name: str, node: int) -> Iterator[str]:
    """Yield symbols for a node that can't have what its label asks for, the best one first."""
    text = escaped(name)
    if name == automatic_name(node) or not _fits(text):
        yield f"v_{{{node}}}"
    yield rf"\text{{{text}}}"
    for number in count(node):
        yield rf"\text{{{text}}}_{{{number}}}"


def renamed(graph: Graph, found: dict[int, str]) -> list[int]:
    """Return the nodes of `symbols` whose symbol is not their label."""
    labels = ((node, graph.label(node)) for node in found)
    return [node for node, label in labels if label and found[node] != _symbol(label)]


def escaped(text: str) -> str:
    """Escape any text for LaTeX's text mode, as ASCII; different spaces stay distinct."""
    plain = _UNSEEN.sub("", unicodedata.normalize("NFC", text))
    plain = re.sub(r"^ +| +$| {2,}", lambda spaces: "␣" * len(spaces[0]), plain)
    return "".join(_cluster(base, marks) for base, marks in _CLUSTER.findall(plain))


def _symbol(label: str) -> str:
    """Return the symbol that a label asks for, or "" if it is too long or reads as a number."""
    indexed = _INDEXED.fullmatch(label)
    if indexed:
        letter = indexed[1] if indexed[1].isascii() else _GREEK.get(indexed[1])
        if letter:
            return letter + (f"_{{{indexed[2]}}}" if indexed[2] else "")
    text = escaped(label)
    if not text or _is_number(label) or not _fits(text):
        return ""
    sign = re.fullmatch(r"\$(\\[^$]+)\$", text)
    return sign[1] if sign else rf"\text{{{text}}}"


def _fits(text: str) -> bool:
    """Return whether TeX has space for a symbol with this text."""
    return len(_COMMAND.sub("x", text)) <= LONGEST


def _is_number(label: str) -> bool:
    """Return whether a label consists only of characters used in numbers and sums."""
    plain = unicodedata.normalize("NFKC", label).replace("∞", "inf").replace("−", "-")
    try:
        float(plain)
    except ValueError:
        return _SUM.fullmatch(plain) is not None
    return True


def _cluster(base: str, marks: str) -> str:
    """Return the LaTeX of a character with its combining marks."""
    if not marks:
        return _character(base)
    plain = base if base.isascii() and base.isalpha() else ""
    if plain and len(marks) == 1 and marks in _MARKS:
        under = f"\\{base}" if base in "ij" and marks not in _BELOW else base
        return rf"\{_MARKS[marks]}{{{under}}}"
    letter = rf"\mathrm{{{plain}}}" if plain else _GREEK.get(base)
    if letter and all(mark in _ABOVE for mark in marks):
        for mark in marks:
            letter = rf"{_ABOVE[mark]}{{{letter}}}"
        return f"${letter}$"
    return _character(base) + "".join(map(_named, marks))


def _character(character: str) -> str:
    """Return the LaTeX of a single character."""
    if character in _MATHS:
        return f"${_MATHS[character]}$"
    if character.isascii():
        return _ASCII.get(character, character)
    return _LATIN.get(character) or _decomposed(character) or _named(character)


def _decomposed(character: str) -> str:
    """Return a character's LaTeX by its Unicode decomposition, or "" if that does not help."""
    found = unicodedata.decomposition(character)
    if not found or character in _UNDIVIDED:
        return ""
    kind, codes = found.split(" ")[0], [c for c in found.split(" ") if not c.startswith("<")]
    parts = "".join(chr(int(code, 16)) for code in codes)
    if kind in ("<super>", "<sub>"):
        sign = "^" if kind == "<super>" else "_"
        raised = parts if parts.isdigit() else rf"\text{{{escaped(parts)}}}"
        return f"${sign}{{{raised}}}$"
    if kind.startswith("<"):
        return escaped(parts)
    whole = unicodedata.normalize("NFD", character)
    base, marks = whole[0], whole[1:]
    known = (base.isascii() and base.isalpha()) or base in _GREEK
    fits = (
        marks in _MARKS if base.isascii() and len(marks) == 1 else all(m in _ABOVE for m in marks)
    )
    return _cluster(base, marks) if known and fits else ""


def _named(character: str) -> str:
    return f"[{_spelling(character)}]"


def _spelling(character: str) -> str:
    """Return a spelled name for a character without LaTeX symbol."""
    name = unicodedata.name(character, "")
    if not name or "IDEOGRAPH" in name:
        return f"U+{ord(character):04X}"
    letter = _LETTER.search(name)
    text = letter[1].lower() if letter else name.lower()
    return text.capitalize() if "CAPITAL" in name else text
