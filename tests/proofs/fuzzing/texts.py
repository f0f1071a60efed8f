"""Expressions and programs made wrong: pieces cut, moved, mixed, and put in that are dangerous."""

import random
import re
from collections.abc import Callable
from functools import cache

from engine import from_expression
from engine.formats import python, pytorch
from tests.helpers.graphs import EXAMPLES
from tests.proofs.fuzzing.bombs import BOMBS
from tests.proofs.fuzzing.dangers import DANGERS, FRAGMENTS, PROGRAMS, TAIL

EXPRESSIONS = (
    "(a*b + a) * f",
    "c = a + b; d = a*b; e = c + d; f = c*d; y = e + f",
    "tanh(w1*x1 + w2*x2 + b)",
    "a = 2; b = -3; y = a**b / exp(-a) - relu(b)",
    "y = where_gt0(c, x, maximum(x, -1e-3)); z = y.tanh() + log1p(y)",
    "x ** 0.5 + inf - nan * 1e308",
    "loss = (y - sigmoid(x*w))**2",
    "s = ((((((a+b)*c)-d)/e)**f))",
)
_PIECE = re.compile(r"\w+|\s+|\*\*|.", re.DOTALL)


def expression(seed: int, number: int) -> tuple[str, str]:
    """What was done to an expression, in a word, and the expression."""
    return _changed(random.Random(f"expression {seed} {number}"), _expressions(), short=True)


def program(seed: int, number: int) -> tuple[str, str]:
    """What was done to a program, in a word, and the program."""
    return _changed(random.Random(f"program {seed} {number}"), _programs(), short=False)


def _changed(chance: random.Random, whole: tuple[str, ...], short: bool) -> tuple[str, str]:
    if chance.random() < 0.03:
        return "bomb", chance.choice(BOMBS)(chance)
    text = chance.choice(whole)
    if short and chance.random() < 0.4:
        text = f"y = {_formula(chance, chance.randint(1, 30))}"
    name, change = chance.choice(_WAYS)
    for _ in range(chance.randint(1, 3)):
        text = change(chance, text, whole) or text
    return name, text


@cache
def _expressions() -> tuple[str, ...]:
    return (*EXPRESSIONS, *(found.expression for found in EXAMPLES))


@cache
def _programs() -> tuple[str, ...]:
    """Programs as learners write them, and as we write them ourselves."""
    graphs = [from_expression(text) for text in _expressions()]
    written = [python.write(graph) for graph in graphs]
    written += [pytorch.write(graph) for graph in graphs]
    return (*PROGRAMS, *PROGRAMS, *written)


def _formula(chance: random.Random, size: int) -> str:
    """A formula with about so many operations."""
    if size <= 0:
        return chance.choice(("a", "b", "x1", "w", "2", "-3.5", "1e-8", "inf", "nan"))
    left = _formula(chance, (size - 1) // 2)
    right = _formula(chance, size - 1 - (size - 1) // 2)
    return chance.choice(
        (
            f"({left} + {right})",
            f"{left}*{right}",
            f"({left} - {right})",
            f"({left})/({right})",
            f"({left})**({right})",
            f"maximum({left}, {right})",
            f"-({left}).tanh()*{right}",
            f"where_gt0({left}, {right}, 1)",
        )
    )


def _span(chance: random.Random, text: str, longest: int = 40) -> tuple[int, int]:
    start = chance.randrange(len(text) + 1)
    return start, min(start + chance.randint(1, longest), len(text))


def _flip(chance: random.Random, text: str, _whole: tuple[str, ...]) -> str:
    content = bytearray(text.encode("utf-8", "surrogatepass"))
    for _ in range(chance.randint(1, 4)):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    return content.decode("utf-8", chance.choice(("replace", "surrogateescape", "ignore")))


def _cut(chance: random.Random, text: str, _whole: tuple[str, ...]) -> str:
    return text[: chance.randrange(len(text))]


def _leave_out(chance: random.Random, text: str, _whole: tuple[str, ...]) -> str:
    start, end = _span(chance, text)
    return text[:start] + text[end:]


def _repeat(chance: random.Random, text: str, _whole: tuple[str, ...]) -> str:
    start, end = _span(chance, text)
    return text[:start] + text[start:end] * chance.choice((2, 3, 60)) + text[end:]


def _splice(chance: random.Random, text: str, whole: tuple[str, ...]) -> str:
    other = chance.choice(whole)
    return text[: chance.randrange(len(text))] + other[chance.randrange(len(other)) :]


def _insert(chance: random.Random, text: str, _whole: tuple[str, ...]) -> str:
    place = chance.randrange(len(text) + 1)
    return text[:place] + chance.choice(FRAGMENTS) + text[place:]


def _danger(chance: random.Random, text: str, _whole: tuple[str, ...]) -> str:
    """Something that would do harm if it were run, in place of a piece or on a line of its own."""
    harm = chance.choice(DANGERS)
    way = chance.randrange(4)
    if way == 0:
        lines = text.split("\n")
        lines.insert(chance.randrange(len(lines) + 1), harm)
        return "\n".join(lines)
    if way == 1:
        return harm + chance.choice(TAIL) + text
    pieces = _PIECE.findall(text) or [text]
    pieces[chance.randrange(len(pieces))] = harm
    return "".join(pieces)


def _pieces(chance: random.Random, text: str, _whole: tuple[str, ...]) -> str:
    """Words and signs exchanged or written over one another."""
    pieces = _PIECE.findall(text)
    for _ in range(chance.randint(1, 4)):
        if pieces:
            source, target = chance.randrange(len(pieces)), chance.randrange(len(pieces))
            pieces[target] = pieces[source]
    return "".join(pieces)


def _gentle(chance: random.Random, text: str, _whole: tuple[str, ...]) -> str:
    """Other numbers, names and operators where such stand."""
    pieces = _PIECE.findall(text)
    for _ in range(chance.randint(1, 6)):
        place = chance.randrange(len(pieces)) if pieces else 0
        if pieces and pieces[place] in "+-*/":
            pieces[place] = chance.choice("+-*/")
        elif pieces and pieces[place].isdecimal():
            pieces[place] = chance.choice(("0", "1", "7", "12345678901234567890"))
        elif pieces and pieces[place] in ("tanh", "exp", "relu", "log1p", "sigmoid"):
            pieces[place] = chance.choice(("sin", "atan", "log", "silu", "floor"))
    return "".join(pieces)


_Way = Callable[[random.Random, str, tuple[str, ...]], str]
_WAYS: tuple[tuple[str, _Way], ...] = (
    ("flip", _flip),
    ("truncate", _cut),
    ("leave out", _leave_out),
    ("repeat", _repeat),
    ("splice", _splice),
    ("insert", _insert),
    ("insert", _insert),
    ("danger", _danger),
    ("danger", _danger),
    ("pieces", _pieces),
    ("pieces", _pieces),
    ("gentle", _gentle),
    ("gentle", _gentle),
    ("gentle", _gentle),
)
