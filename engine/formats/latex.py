"""LaTeX: the complete derivation of a graph's gradients.

First the values, each with its formula and its numbers; then, in firing order, each gradient as the
sum of its contributions, upstream × local derivative, and the local derivatives.

    symbols(graph)[node]   # x_{1} for x1, \\alpha for α, \\text{loss} for loss
    escaped("x<0")         # any text in text mode, as ASCII

A symbol uses only characters of plain pdflatex: letters with accents, Greek, signs, superscript
and subscript digits. Any other character is spelled in brackets: a letter by the last words of its
Unicode name ("ж" is [zhe]), a picture by all of them ("🐍" is [snake]), else by its code point.

`write` returns a document, `write_fragment` the same in fewer lines, to be read into a document of
one's own by \\input; both need amsmath and nothing else.
"""

# The tables are of characters that look like others.
# ruff: noqa: RUF001

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from itertools import count

from engine.asking.facts import torch_mask_sentences
from engine.errors import FormatError
from engine.formats.format import Format
from engine.graph import Constant, Graph, OpNode, is_only_path
from engine.names import automatic_name
from engine.numbers import ABOUT, DIGITS_WRITTEN, HIDDEN, MINUS, is_rounded, short
from engine.problems import arguments, by_convention
from engine.trace import Event, Trace, run
from engine.writers import needs_no_brackets

_HEAD = r"""\documentclass{article}
\usepackage{amsmath}
\allowdisplaybreaks
\begin{document}
"""
_PLUS = r"\quad +"
_CONVENTION = r"\quad\text{by convention}"
_FRAGMENT_HEAD = r"% Read by \input into a document with \usepackage{amsmath}."
_IN_LINE = 2
"""Terms of a sum per line; a journal column is 8.5 cm wide."""
_ABOUT = r"{\approx}"
"""The mark of a rounded number; the braces make it a sign of the number, not a relation."""
_PART = r"\partial^{+}"
"""The sign of a derivative through one wire alone, where other ways lead there too."""


def write(graph: Graph) -> str:
    """Return the derivation of the active root's gradients as a complete document."""
    return write_pass(_pass(graph))


def write_fragment(graph: Graph) -> str:
    """Return a short derivation of the active root's gradients, for a document that has amsmath."""
    return write_fragment_of_pass(_pass(graph))


def write_pass(trace: Trace) -> str:
    """Return the derivation of a pass as a complete document, with `?` for what it hides."""
    return _Derivation(trace).document()


def write_fragment_of_pass(trace: Trace) -> str:
    """Return a short derivation of a pass, with `?` for what it hides."""
    return _Derivation(trace).fragment()


def _pass(graph: Graph) -> Trace:
    if graph.root is None:
        raise FormatError("Choose a root first: the derivation is of its gradients.")
    return run(graph)


def number(value: float) -> str:
    """Return a number in TeX."""
    text = short(value, DIGITS_WRITTEN).replace(MINUS, "-").replace(ABOUT, _ABOUT)
    text = re.sub(r"e(-?\d+)$", lambda e: rf" \cdot 10^{{{int(e[1])}}}", text)
    return text.replace("inf", r"\infty").replace("nan", r"\text{nan}")


class _Derivation:
    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.graph = trace.graph
        self.root = trace.root
        self.plan = trace.graph.plan(trace.root)
        self.symbols = symbols(trace.graph)
        self.grads = trace.gradients

    def document(self) -> str:
        parts = [
            _HEAD,
            r"\section*{Values}",
            _aligned(self._values(self.plan.order)),
            r"\section*{Gradients}",
            _aligned(self._gradients()),
        ]
        parts += self._torch_masks()
        if labels := list(self._labels()):
            parts[1:1] = [r"\section*{Labels}", *labels]  # after the head
        local = [line for line, _explains in self._local_derivatives()]
        if local:
            parts += [r"\section*{Local derivatives}", _aligned(local)]
        parts += _part_note(local)
        return "\n".join([*parts, r"\end{document}", ""])

    def fragment(self) -> str:
        ops = [n for n in self.plan.order if isinstance(self.graph.nodes[n], OpNode)]
        given = [n for n in self.plan.order if n not in ops]
        numbers = [f"${line.replace('&', '')}$" for line in self._values(given)]
        parts = [_FRAGMENT_HEAD, *self._labels()]
        parts += [rf"\par\noindent {', '.join(numbers)}\par"] if numbers else []
        parts += [_aligned(self._values(ops))] if ops else []
        parts += [_aligned(self._short_gradients()), *self._torch_masks()]
        local = list(self._local_derivatives())
        explained = [line for line, explains in local if explains]
        parts += [_aligned(explained)] if explained else []
        parts += _part_note(line for line, _explains in local)
        return "\n".join([*parts, ""])

    def _torch_masks(self) -> list[str]:
        """Return a paragraph for each contribution that is nan here and 0 in PyTorch."""
        return [rf"\noindent {escaped(said)}\par" for said in torch_mask_sentences(self.trace)]

    def _labels(self) -> Iterator[str]:
        """Yield the labels of nodes whose symbol is not their label."""
        for node in renamed(self.graph, self.symbols):
            if node in self.plan.order:
                # after a spelled character, as [snake], a long label may go on in the next line
                label = escaped(self.graph.label(node)).replace("]", r"]\allowbreak{}")
                yield rf"\noindent ${self.symbols[node]}$ is labelled {label}\par"

    def _values(self, nodes: Iterable[int]) -> Iterator[str]:
        for node in nodes:
            name, value = self._name(node), self.trace.values[node]
            if not isinstance(self.graph.nodes[node], OpNode):
                if not self._is_bare(node):
                    yield f"{name} &{_equal_to(value)}"
                continue
            formula = self.graph.op(node).latex
            with_names = self._filled(formula, node, self._operand)
            inputs = arguments(self.graph, node, self.trace.values)
            sign = _sign(inputs)
            with_numbers = self._filled(formula, node, self._number)
            begin = f"{name} &{self._names_sign(node, with_names)} {with_names}"
            yield f"{begin} {sign} {with_numbers} {_equal_to(value, inputs)}"

    def _gradients(self) -> Iterator[str]:
        """Yield the seed, then each receiving node in the order of its last contribution."""
        yield f"{self._partial(self.root, self.root)} &= 1"
        for node, terms, products, factors in self._sums():
            for k, term in enumerate(terms):
                yield f"&{_PLUS} {term}" if k else f"{self._partial(self.root, node)} &= {term}"
            for k, product in enumerate(products):
                yield f"&{_PLUS if k else _sign(factors)} {product}"
            yield f"&{_equal_to(self.grads[node], factors)}"

    def _short_gradients(self) -> Iterator[str]:
        """Yield the lines of `_gradients` with several terms per line."""
        yield f"{self._partial(self.root, self.root)} &= 1"
        for node, terms, products, factors in self._sums():
            begin, sign = self._partial(self.root, node), _sign(factors)
            total = _equal_to(self.grads[node], factors)
            if len(terms) == 1:
                yield f"{begin} &= {terms[0]} {sign} {products[0]} {total}"
                continue
            rows = [" + ".join(row) for row in _rows(terms)]
            yield f"{begin} &= {rows[0]}"
            yield from (f"&{_PLUS} {row}" for row in rows[1:])
            rows = [" + ".join(row) for row in _rows(products)]
            for k, row in enumerate(rows):
                end = f" {total}" if k == len(rows) - 1 else ""
                yield f"&{_PLUS if k else sign} {row}{end}"

    def _sums(self) -> Iterator[tuple[int, list[str], list[str], list[float]]]:
        """Yield each receiving node in the order of its last contribution, with its contributions.

        A contribution is upstream × local derivative, once with symbols and once with numbers; the
        factors of all of them come last.
        """
        events = self.trace.events
        last = sorted((places[-1], node) for node, places in self.trace.schedule.arrivals.items())
        for _place, node in last:
            arrived = [events[k] for k in self.trace.schedule.arrivals[node]]
            yield (
                node,
                [f"{self._partial(self.root, e.sender)} \\cdot {self._slope(e)}" for e in arrived],
                [f"{_bracketed(e.upstream)} \\cdot {_bracketed(e.local)}" for e in arrived],
                [factor for e in arrived for factor in (e.upstream, e.local)],
            )

    def _local_derivatives(self) -> Iterator[tuple[str, bool]]:
        """Yield each local derivative as a line, and whether that is more than a number."""
        for event in self.trace.events:
            if event.kind == "contribution":
                text = self.graph.op(event.sender).latex_slopes[event.slot]
                filled = self._filled(text, event.sender, self._operand)
                slope = self._slope(event)
                if event.local is HIDDEN:  # its formula can be the number itself
                    yield f"{slope} &{_equal_to(HIDDEN)}", False
                elif by_convention(self.graph, (event.sender, event.slot), self.trace.values):
                    yield rf"{slope} &{_equal_to(event.local)} {_CONVENTION}", True
                elif filled == number(event.local):
                    yield f"{slope} &{_equal_to(event.local)}", False
                else:
                    rounded = self._rounded_in(event.sender, filled)
                    sign = self._names_sign(event.sender, filled)
                    yield f"{slope} &{sign} {filled} {_equal_to(event.local, rounded)}", True

    def _names_sign(self, node: int, formula: str) -> str:
        """Return = or ≈ before a formula with names, in which constants are numbers."""
        return _sign(self._rounded_in(node, formula))

    def _rounded_in(self, node: int, formula: str) -> list[float]:
        """Return the operands shown as rounded constants in a formula of a node."""
        bare = (s for s in self.graph.inputs(node) if s is not None and self._is_bare(s))
        values = (self.trace.values[source] for source in bare)
        return [x for x in values if is_rounded(x, DIGITS_WRITTEN) and number(x) in formula]

    def _name(self, node: int) -> str:
        return self._number(node) if self._is_bare(node) else self.symbols[node]

    def _operand(self, node: int) -> str:
        """Return a node's symbol as an operand, in brackets if its label is a formula."""
        name = self._name(node)
        is_label = name.startswith(r"\text") and not needs_no_brackets(self.graph.label(node))
        return f"({name})" if is_label else name

    def _is_bare(self, node: int) -> bool:
        """Return whether formulas show a node as a mere number."""
        constant = isinstance(self.graph.nodes[node], Constant)
        return constant and not self.graph.label(node) and node != self.root

    def _number(self, node: int) -> str:
        return _bracketed(self.trace.values[node])

    def _partial(self, of: int, by: int, sign: str = r"\partial") -> str:
        return rf"\frac{{{sign} {self._name(of)}}}{{\partial {self._name(by)}}}"

    def _slope(self, event: Event) -> str:
        """Return ∂target/∂slot; of a node connected twice, the derivative along this slot alone.

        If other paths lead there too, it is the part through this wire, ∂⁺target/∂slot.
        """
        if self.graph.inputs(event.sender).count(event.node) > 1:
            slope = self._partial(event.sender, event.node)
            return rf"\left.{slope}\right|_{{{event.slot + 1}}}"
        is_total = is_only_path(event.sender, event.slot, self.graph.inputs)
        return self._partial(event.sender, event.node, r"\partial" if is_total else _PART)

    def _filled(self, text: str, node: int, say: Callable[[int], str]) -> str:
        """Return a formula of an operation with names or numbers in place of its slots' letters."""
        said = [say(source) for source in self.graph.inputs(node) if source is not None]
        return self.graph.op(node).filled(text, said, _braced)


def _braced(said: str, before: str, after: str) -> str:
    """Return a TeX group, without brackets of its own where the formula has some."""
    enclosed = before.endswith("(") and after.startswith(")")
    return f"{{{said[1:-1] if enclosed and said.startswith('(') else said}}}"


def _bracketed(value: float) -> str:
    text = number(value)
    return f"({text})" if text.startswith(("-", "{")) or " " in text else text


def _sign(numbers: Iterable[float]) -> str:
    """Return ≈ if one of the numbers is rounded, else =."""
    return r"\approx" if any(is_rounded(x, DIGITS_WRITTEN) for x in numbers) else "="


def _equal_to(value: float, others: Iterable[float] = ()) -> str:
    """Return `= value` or `≈ value`; `others` are numbers of the left side."""
    return f"{_sign((value, *others))} {number(value).removeprefix(_ABOUT)}"


def _rows(terms: list[str]) -> Iterator[list[str]]:
    """Yield the terms of a sum in chunks of one line."""
    for k in range(0, len(terms), _IN_LINE):
        yield terms[k : k + _IN_LINE]


def _part_note(local: Iterable[str]) -> list[str]:
    """Return the legend of ∂⁺, if it occurs."""
    if not any(_PART in line for line in local):
        return []
    return [f"${_PART}$ is the part through one wire alone: there are other ways, too."]


def _aligned(lines: Iterable[str]) -> str:
    body = " \\\\\n".join(lines)
    return f"\\begin{{align*}}\n{body}\n\\end{{align*}}"


FORMAT = Format("latex", "LaTeX derivation", (".tex",), write=write, write_pass=write_pass)
FRAGMENT = Format(
    "latex-fragment",
    "LaTeX fragment",
    (".tex",),
    write=write_fragment,
    write_pass=write_fragment_of_pass,
)


SYMBOL_LIMIT = 40
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
# accents of a letter by combining mark: in text mode, with those below the letter; in math mode
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
"""Marks on their own, whose decomposition is a space and a combining mark."""

_CLUSTER = re.compile(r"(.)([\u0300-\u036f\u20d0-\u20ff]*)", re.DOTALL)
"""A character and the combining marks after it."""
_INVISIBLE = re.compile("[\u200b-\u200f\u2060\ufe00-\ufe0f]")
"""Joiners, marks of writing direction, and selectors between a text and an emoji form."""
_LETTER = re.compile(r"(?:LETTER|SYLLABLE) (.+)")
"""Finds "ZHE" in the Unicode name "CYRILLIC SMALL LETTER ZHE"."""
_SUM = re.compile(r"[\d\s.,+*/⁄()^=-]*\d[\d\s.,+*/⁄()^=-]*")
"""Digits with the signs of calculations, as `2+3`: a symbol that looks so reads as a number."""
_COMMAND = re.compile(r"\\[A-Za-z]+|\\?[{}$]")
"""What TeX prints as one character or not at all, however many it is written with."""
_INDEXED = re.compile(r"([^\W\d_])_?([0-9]*)")
"""A letter with an index, as x1 or x_1."""


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
            found[node] = next(text for text in _fallback_symbols(name, node) if text not in taken)
            taken.add(found[node])
    return dict(sorted(found.items()))


def _fallback_symbols(name: str, node: int) -> Iterator[str]:
    """Yield fallback symbols for a node whose label is taken or unfit, best first."""
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
    plain = _INVISIBLE.sub("", unicodedata.normalize("NFC", text))
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
    return len(_COMMAND.sub("x", text)) <= SYMBOL_LIMIT


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
    letters = unicodedata.normalize("NFD", character)
    base, marks = letters[0], letters[1:]
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
