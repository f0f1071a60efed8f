"""The reader: finds the equations in a text and parses their sides.

An equation is a chain of sides joined by `=` or `≠`: the longest run of tokens on either side of
a sign that is an expression. A side may hold `···` or `?`: it is open, and agrees with anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from engine.ops import BY_NAME
from tests.truth.tokens import FUNCTIONS, Token, tokens

Tree = tuple[Any, ...]


class UnreadableError(Exception):
    """A text that has no meaning here, such as the derivative of what is not connected."""


@dataclass(frozen=True)
class Chain:
    """Sides joined by signs, with the place of the whole in its text."""

    sides: tuple[Tree, ...]
    signs: tuple[str, ...]
    begin: int
    end: int


@lru_cache(maxsize=20_000)
def chains(text: str) -> tuple[Chain, ...]:
    """Every equation in a text whose names have been put in."""
    return tuple(_chains(text)) if "=" in text or "≠" in text else ()


def _chains(text: str) -> Iterator[Chain]:
    found = tokens(text)
    k = 0
    while k < len(found):
        if found[k].text not in ("=", "≠"):
            k += 1
            continue
        first = next((s for s in range(k) if _side(found, s)[1] == k), None)
        tree, last = _side(found, k + 1)
        if first is None and tree is None:
            k += 1
            continue
        sides = [] if first is None else [_side(found, first)[0]]
        signs: list[str] = []
        begin = end = found[k if first is None else first].begin
        while k < len(found) and found[k].text in ("=", "≠"):
            tree, last = _side(found, k + 1)
            sides.append(tree if tree is not None else ("missing",))
            signs.append(found[k].text)
            end = found[max(last - 1, k)].end
            k = last
        if first is None:
            sides.insert(0, ("missing",))
        yield Chain(tuple(s for s in sides if s is not None), tuple(signs), begin, end)


@lru_cache(maxsize=20_000)
def expression(text: str) -> tuple[Tree | None, int]:
    """The expression with which a text begins, and where it ends; None if it is none."""
    found = tokens(text)
    tree, last = _side(found, 0)
    return tree, found[last - 1].end if tree is not None else 0


def _side(found: tuple[Token, ...], start: int) -> tuple[Tree | None, int]:
    """The longest expression that begins at a token, and the token after it."""
    parser = Parser(found, start)
    try:
        return parser.choice(), parser.at
    except UnreadableError:
        return None, start


class Parser:
    """A recursive descent over tokens: sums, products, powers, functions, choices."""

    def __init__(self, found: tuple[Token, ...], start: int) -> None:
        self.found = found
        self.at = start

    def choice(self) -> Tree:
        tree = self.sum()
        if not self._take("if"):
            return tree
        test = self._test()
        ties: list[Tree] = []
        if self._peek(",") and self._peek_number(1) and self._peek("if", 2):
            self._take(",")
            ties.append(self.sum())
            self._need("if")
            self._need("equal")
        self._take(",")
        self._need("else")
        return ("choice", test, tree, ties[0] if ties else None, self.choice())

    def _test(self) -> Tree:
        left = self.sum()
        for sign in (">", "<", "==", "≥", "≤", ">=", "<="):
            if self._take(sign):
                return ({">=": "≥", "<=": "≤"}.get(sign, sign), left, self.sum())
        raise UnreadableError

    def sum(self) -> Tree:
        tree = self.product()
        while True:
            here = self.at
            sign = next((s for s in ("+", "−", "-") if self._take(s)), "")
            if not sign:
                return tree
            try:
                right = self.product()
            except UnreadableError:
                self.at = here
                return tree
            tree = ("+", tree, right if sign == "+" else ("neg", right))

    def product(self) -> Tree:
        tree = self.unary()
        while True:
            here = self.at
            sign = next((s for s in ("×", "·", "*", "÷", "/") if self._take(s)), "")
            if not sign:
                return tree
            try:
                right = self.unary()
            except UnreadableError:
                self.at = here
                return tree
            tree = ("/" if sign in "÷/" else "*", tree, right)

    def unary(self) -> Tree:
        if self._take("−") or self._take("-"):
            return ("neg", self.unary())
        if self._take("+"):
            return self.unary()
        return self.power()

    def power(self) -> Tree:
        tree = self.atom()
        while self._take("²"):
            tree = ("call", "square", (tree,))
        if self._take("^") or self._take("**"):
            return ("^", tree, self.unary())
        return tree

    def atom(self) -> Tree:
        token = self._next()
        simple = _ATOMS.get(token.kind) or _ATOMS.get(token.text)
        if simple is not None:
            return simple(token)
        return self._number(token) if token.kind == "number" else self._enclosed(token)

    def _number(self, token: Token) -> Tree:
        if self._take("more"):
            return ("more", int(token.text))
        if self._peek("over", 1) and self._take("left"):
            self._take("over")
        return ("number", token.text)

    def _enclosed(self, token: Token) -> Tree:
        if token.text == "(":
            tree = self.choice()
            self._need(")")
            return tree
        if token.text == "|":
            tree = self.sum()
            self._need("|")
            return ("call", "abs", (tree,))
        if token.text == "√":
            return ("call", "sqrt", (self.atom(),))
        if token.text in FUNCTIONS and self._take("("):
            parts = [self.choice()]
            while self._take(","):
                parts.append(self.choice())
            self._need(")")
            return ("call", token.text, tuple(parts))
        raise UnreadableError

    def _next(self) -> Token:
        if self.at >= len(self.found):
            raise UnreadableError
        self.at += 1
        return self.found[self.at - 1]

    def _peek(self, text: str, ahead: int = 0) -> bool:
        place = self.at + ahead
        return place < len(self.found) and self.found[place].text == text

    def _peek_number(self, ahead: int) -> bool:
        place = self.at + ahead
        return place < len(self.found) and self.found[place].kind == "number"

    def _take(self, text: str) -> bool:
        if self._peek(text):
            self.at += 1
            return True
        return False

    def _need(self, text: str) -> None:
        if not self._take(text):
            raise UnreadableError


def _method(token: Token) -> Tree:
    """A call as code writes it: `n.tanh()`."""
    if token.text[2:-2] not in BY_NAME:
        raise UnreadableError
    return ("call", token.text[2:-2], (("value", token.text[0]),))


_ATOMS: dict[str, Callable[[Token], Tree]] = {
    "name": lambda token: ("value", token.text[0]),
    "data": lambda token: ("value", token.text[0]),
    "grad": lambda token: ("grad", token.text[0]),
    "method": _method,
    "derivative": lambda token: ("derivative", *token.parts),
    "open": lambda _token: ("open",),
    "?": lambda _token: ("open",),
    "–": lambda _token: ("missing",),
}
"""What needs but one token, by its kind or its text."""
