"""Tokens of a displayed text: numbers, names, derivatives, signs and words, each with its place.

The names of nodes are put in first: each becomes one character of Unicode's private use area, so
that the digits of `x1` and the letters of `a` are not taken for numbers and words. dL/da is read
as ∂L/∂a.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from engine.ops import OPS

FIRST = 0xE000
NAME = "[\ue000-\uf8ff]"
FIGURE = r"(?:\d+(?:,\d{3})+|\d+(?:\.\d+)?(?:e[+−-]?\d+)?|inf(?![A-Za-z_])|∞|nan(?![A-Za-z_]))"
NUMBER = rf"(?:≈ ?[+−-]?{FIGURE}|[+−-]?{FIGURE})"
"""A number with its sign, as a pattern for sentences."""

_TOKEN = re.compile(
    rf"(?P<derivative>∂(?P<plus>⁺?)(?P<of>{NAME})/∂(?P<by>{NAME})(?P<slot>[₀-₉]*))"
    rf"|(?P<grad>{NAME}\.grad\b)|(?P<data>{NAME}\.data\b)|(?P<method>{NAME}\.[a-z_0-9]+\(\))"
    rf"|(?P<number>≈ ?[+−-]?{FIGURE}|(?<![A-Za-z_]){FIGURE}|½)"
    rf"|(?P<name>{NAME})"
    r"|(?P<open>···|…)"
    r"|(?P<word>[^\W\d]\w*)"
    r"|(?P<sign>\*\*|==|\+=|<=|>=|[^\s\w])"
    r"|(?P<stray>\d)"
)
_ENCLOSED = re.compile(rf"“({NAME})”|(?:(?<=∂)|(?<=⁺)|(?=\(.\)(?:\.grad\b|[₀-₉])))\(({NAME})\)")
"""A name that is one thing in quotation marks, or in brackets behind ∂, before .grad or a slot."""
SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")


@dataclass(frozen=True, slots=True)
class Token:
    """One piece: its kind, its text, where it begins and ends, and for a derivative its parts."""

    kind: str
    text: str
    begin: int
    end: int
    parts: tuple[str, str, str, str] = ("", "", "", "")


@lru_cache(maxsize=20_000)
def tokens(text: str) -> tuple[Token, ...]:
    """All tokens of a text whose names have been put in."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if match["derivative"]:
            kind = "derivative"
            parts = (match["plus"], match["of"], match["by"], match["slot"].translate(SUBSCRIPTS))
            found.append(Token(kind, match[0], match.start(), match.end(), parts))
        else:
            found.append(Token(kind, match[0], match.start(), match.end()))
    return tuple(found)


class Names:
    """The names that may stand in a text, each for the nodes that it may mean.

    `own` are the names that belong to one node alone, as code and formulas write them.
    """

    def __init__(
        self, nodes_of: Mapping[str, Iterable[int]], own: Mapping[str, int] | None = None
    ) -> None:
        texts = sorted((t for t in nodes_of if t), key=lambda t: (-len(t), t))
        self._nodes = {chr(FIRST + k): tuple(nodes_of[t]) for k, t in enumerate(texts)}
        self._marks = {t: chr(FIRST + k) for k, t in enumerate(texts)}
        self._texts = {mark: t for t, mark in self._marks.items()}
        self._own = {self._marks[t]: node for t, node in (own or {}).items() if t in self._marks}
        self._marked: dict[str, str] = {}
        words = "|".join(re.escape(t) for t in texts)
        one = rf"\((?:{words})\)|“(?:{words})”|(?:{words})"
        self._pattern = re.compile(rf"(?<![\w.])(?:{words})(?![A-Za-z0-9_])") if words else None
        self._total = re.compile(
            rf"(?<![\w.])d(⁺?)({one}|)/d({one})(?![A-Za-z0-9_])" if words else "(?!)()()()"
        )

    def nodes(self, mark: str) -> tuple[int, ...]:
        """The nodes that a mark may mean."""
        return self._nodes[mark]

    def in_formula(self, mark: str) -> tuple[int, ...]:
        """The nodes that a mark may mean in a formula: where it is the name of one, that one."""
        return (self._own[mark],) if mark in self._own else self._nodes[mark]

    def put_in(self, text: str) -> str:
        """The text with a mark in place of every name."""
        found = self._marked.get(text)
        if found is None:
            plain = self._total.sub(r"∂\1\2/∂\3", text.replace("\u00a0", " "))
            found = self._pattern.sub(self._mark, plain) if self._pattern else plain
            found = self._marked[text] = _ENCLOSED.sub(lambda each: each[1] or each[2], found)
        return found

    def take_out(self, text: str) -> str:
        """The text with its names again."""
        return "".join(self._texts.get(character, character) for character in text)

    def _mark(self, found: re.Match[str]) -> str:
        text, rest = found[0], found.string[found.end() :]
        if rest.startswith("(") and text in FUNCTIONS:
            return text  # exp(a) is a function, whatever a node is called
        return self._marks[text]


FUNCTIONS = frozenset({op.name for op in OPS} | {"max", "min", "Phi", "phi", "Φ", "φ"})
