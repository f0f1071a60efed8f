"""Expressions and programs made wrong: pieces cut, moved, mixed, and put in that are dangerous."""

import random
import re
from collections.abc import Callable
from functools import cache

from engine import from_expression
from engine.formats import python
from tests.helpers.graphs import EXAMPLES

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
    written += [python.write_pytorch(graph) for graph in graphs]
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
    ("flip", _flip), ("truncate", _cut), ("leave out", _leave_out), ("repeat", _repeat),
    ("splice", _splice), ("insert", _insert), ("insert", _insert), ("danger", _danger),
    ("danger", _danger), ("pieces", _pieces), ("pieces", _pieces), ("gentle", _gentle),
    ("gentle", _gentle), ("gentle", _gentle),
)  # fmt: skip


def _brackets(chance: random.Random) -> str:
    deep = chance.choice((50, 90, 150, 199, 250, 1900, 100_000))
    left, right = chance.choice(("()", "[]", "{}"))
    return left * deep + "a" + right * chance.choice((deep, deep - 1, 0))


def _signs(chance: random.Random) -> str:
    return "y = " + chance.choice(("-", "+", "~", "not ", "- +")) * chance.randint(10, 3900) + "a"


def _sum(chance: random.Random) -> str:
    sign = chance.choice((" + ", "*", "**", "-", "/"))
    return sign.join(chance.choice(("a", "2", "x.tanh()")) for _ in range(chance.randint(9, 1500)))


def _calls(chance: random.Random) -> str:
    deep = chance.randint(10, 2000)
    function = chance.choice(("tanh", "exp", "abs"))
    return f"{function}(" * deep + "a" + ")" * deep


def _methods(chance: random.Random) -> str:
    return "a = Value(1)\na" + chance.choice((".tanh()", "[0]", "()")) * chance.randint(10, 3000)


def _doubling(chance: random.Random) -> str:
    """Every line twice as large as the one before, if it is written out."""
    lines = [f"a{k + 1} = a{k} {chance.choice('+*')} a{k}" for k in range(chance.randint(5, 300))]
    return "a0 = Value(0.5)\n" + "\n".join(lines)


def _doubling_lists(chance: random.Random) -> str:
    lines = [f"b = [b, b]; c = sum([{k}, 1])" for k in range(chance.randint(5, 60))]
    return "b = Value(1)\n" + "\n".join(lines) + "\nprint(b)\ny = len(b) * Value(2)"


def _doubling_text(chance: random.Random) -> str:
    lines = ["s = f'{s}{s}'"] * chance.randint(5, 60)
    return "s = 'ab'\n" + "\n".join(lines) + "\na = Value(1, label=s)"


def _powers(chance: random.Random) -> str:
    lines = ["n = n ** 2", "n = n * n", "n = -n ** 3"]
    more = "\n".join(chance.choice(lines) for _ in range(chance.randint(5, 60)))
    return f"n = 7\n{more}\na = Value(n)\nb = a * n"


def _loops(chance: random.Random) -> str:
    deep = chance.randint(1, 18)
    count = chance.choice((2, 10, 100, 9999))
    lines = [f"{'  ' * k}for i{k} in range({count}):" for k in range(deep)]
    return "a = Value(1)\n" + "\n".join(lines) + "\n" + "  " * deep + "a = a * 1"


def _comprehension(chance: random.Random) -> str:
    loops = " ".join(f"for i{k} in range({chance.choice((10, 1000))})" for k in range(4))
    return f"a = Value(1)\ny = sum(a*1 {loops})\nw = [[0 {loops}] {loops}]"


def _indents(chance: random.Random) -> str:
    deep = chance.choice((50, 99, 101, 500))
    return "\n".join(f"{' ' * k}for i in range(1):" for k in range(deep)) + f"\n{' ' * deep}a = 1"


def _texts(chance: random.Random) -> str:
    return "a = Value(1)\n" + chance.choice(("f'{'", "'\\N{", '"""', "f'{a:{b:{", "b'")) * 400


def _long(chance: random.Random) -> str:
    line = chance.choice(("a = a * 1\n", "#\n", "\n", "b = Value(1)\n", "a;", "a,", "x" * 99))
    return "a = Value(1)\n" + line * chance.randint(1000, 60_000)


def _elifs(chance: random.Random) -> str:
    return "if a: pass\n" + "elif a: pass\n" * chance.randint(10, 3000)


BOMBS = (
    _brackets, _signs, _sum, _calls, _methods, _doubling, _doubling_lists, _doubling_text, _powers,
    _loops, _comprehension, _indents, _texts, _long, _elifs,
)  # fmt: skip


DANGERS = (
    "__import__('os').system('true')", "import os; os.remove('x')", "from subprocess import run",
    "import socket", "import ctypes, antigravity", "import this", "open('/tmp/backwire-fuzz', 'w')",
    "exec('1')", "eval('1+1')", "compile('1', '', 'exec')",
    "().__class__.__base__.__subclasses__()", "a.__class__.__init__.__globals__",
    "getattr(a, 'data')", "globals()['a']", "(lambda: 1)()", "[x for x in ().__class__.__mro__]",
    "print(open('/etc/passwd').read())", "f'{__import__(\"os\").getcwd()}'", "f'{a!r:>{10**9}}'",
    "'%999999999d' % 1", "'{:>999999999}'.format(1)", "'a' * 10**10", "[0] * 10**10",
    "(1,) * 10**9", "10**10**10", "9**9**9**9", "1 << 10**10", "0x" + "f" * 3000, "2**-1**2**1e308",
    "while True: pass", "def f(x): return f(x)", "class Value: pass", "raise SystemExit",
    "import sys; sys.exit()", "assert False", "del a", "a = a", "global a", "return 1", "yield a",
    "await a", "async def f(): pass", "with open('x', 'w') as f: f.write('x')",
    "try: a\nexcept: pass", "@a\nclass b: pass", "match a:\n case _: pass", "(a := Value(1))",
    "*a, b = [Value(1)] * 3", "a[0:10**9]", "a[-1][-1]", "{**a}", "breakpoint()", "input()",
    "help()", "quit()", "%run x.py", "!rm x", "?a", ">>> a = Value(1)", "# -*- coding: utf-7 -*-",
    "#coding: rot13", '"\\N{DASH}"', "'\\ud800'", "Value(float('1e999'))", "Value('1')",
    "Value(True)", "Value(None)", "Value(1j)", "Value(Value(1))", "Value(2, label='\\ud800')",
    "Value(2, label='\\0')", "Value(2, label='x' * 10**9)", "a.label = '\\u202e'",
    "a.data = 10**400", "a.data -= 0.1 * a.grad", "a.backward(); a.backward()",
    "sum([[1], [2]], [])", "zip(*[[a]] * 9)", "float('nan')", "float('9' * 9999)", "range(-1)",
    "range(0, 10, 0)", "len(range(10**30))", "enumerate([a], 10**400)", "-" * 500 + "a", "not a",
    "a if a else b", "a < b < a", "a @ b", "a // b", "a % 0", "0 ** -1", "(-8) ** (1/3)", "1 / 0",
    "Value(1) ** Value(2)", "2 ** Value(2)", "math.factorial(10**6)", "math.exp(1000)",
    "math.sqrt(-1)", "math.log(0)", "torch.tensor([[1, 2], [3]])", "torch.load('x')",
)  # fmt: skip

# \U0001d431 is a bold x, which Python takes for x
FRAGMENTS = (
    "\0", "\ud800", "\udfff", "\u202e", "\u200b", "\ufeff", "\x0c", "\r", "\u2028", "é", "ﬁ",
    "\U0001d431", "−", "×", "²", "^", "\\", "\\\n", "'", '"""', "#", ";", ":", ",", ".", "...", "(",
    ")", "[", "]", "{", "}", "@", "=", "+=", ":=", "==", "~", "!", "$", "?", "`", "**", "//", "<<",
    "->", "\n", "\n\t", "\n    ", "1e999", "1_000", "0x10", "0777", "1j", "1..", "9" * 5000,
    "e" * 250, "None", "lambda", "if", "for", "in", "is", "not ", "True", "inf", "nan", "Value(",
    "range(99)", " .data", ".grad", ".backward()", " = ", "- - -", "b'x'", "f'{a}'",
)  # fmt: skip

TAIL = ("\n", ";", "\n\n", " + ")

PROGRAMS = (
    """from micrograd.engine import Value
x1 = Value(2.0, label='x1')
w1 = Value(-3.0, label='w1')
b = Value(6.8813735870195432, label='b')
x1w1 = x1*w1; x1w1.label = 'x1*w1'
n = x1w1 + b; n.label = 'n'
o = n.tanh(); o.label = 'o'
o.grad = 1.0
o.backward()
draw_dot(o)
print(f"{o.data:.4f}")
""",
    """import torch
x = torch.tensor([2.0], requires_grad=True)
w = torch.tensor(-3.0, requires_grad=True)
y = torch.relu(x*w) + torch.where(x > 0, x, w)
y.backward()
print(x.grad.item())
""",
    """import math
from micrograd.engine import Value
ws = [Value(0.1*i, label=f'w{i}') for i in range(4)]
xs = [1.0, -2.0, 3.0, 0.5]
act = sum((w*x for w, x in zip(ws, xs)), Value(0.5))
for k, w in enumerate(ws):
    act += w * math.exp(-k)
loss = (act - 1)**2
loss.backward()
""",
    """%matplotlib inline
import numpy as np
import matplotlib.pyplot as plt
a: Value = Value(2.0)
b = +a
if __name__ == "__main__":
    c = a*b
    assert c is not None
    c.backward()
    a.data -= 0.1 * a.grad
""",
    """>>> a = Value(2.0)
>>> b = a * 3
... + a
>>> b.backward()
""",
    """class Value:
    def __init__(self, data):
        self.data = data
a = Value(3.0)
a.backward()
""",
)
