"""Short texts that grow large, deep or slow when they are parsed or read."""

import random


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
    _brackets,
    _signs,
    _sum,
    _calls,
    _methods,
    _doubling,
    _doubling_lists,
    _doubling_text,
    _powers,
    _loops,
    _comprehension,
    _indents,
    _texts,
    _long,
    _elifs,
)
