"""Lectures made wrong: files of marks with a few keys changed, and bytes changed at random.

Each is made from a seed and a number alone, so that any of them can be made again.
"""

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Final

from app.lessons.toml_file import line
from engine.rules import MISTAKES
from engine.study.lecture import AskedKind
from tests.proofs.fuzzing import documents

DOCUMENT = Path(__file__).parents[3] / "docs" / "lectures.md"
GRAPHS: Final[tuple[dict[str, Any], ...]] = (
    {"expression": "e = a*b; d = e + a; L = d*f", "values": {"a": 2, "b": -3, "f": -2}},
    {"expression": "y = tanh(a*b + 1) / f", "values": {"a": 0.5, "b": 1e308, "f": 0}},
    {"expression": "y = relu(a) ** b - log(f)", "values": {"a": -1, "b": 0.5, "f": -7}},
    {"expression": "s = a*b; y = s*s + a", "values": {"a": -2, "b": 0}},
    {"expression": "; ".join(["v0 = a*b", *(f"v{k + 1} = v{k} + v{k}" for k in range(40))])},
    {"expression": "; ".join(["v0 = a*b", *(f"v{k + 1} = v{k} * v{k}" for k in range(9))])},
    {"expression": "y = a*b + " + " + ".join(f"a{k}" for k in range(80))},
    {"expression": "y = 3"},
    {"file": "../x.backwire"},
    {"file": "/etc/hostname"},
    {"file": "/tmp/x.backwire"},
    {"file": "..\\x.backwire"},
    {"expression": "y = a", "file": "x.backwire"},
)
PLACES = (
    *("", "values", "end", "a", "y", "e.1", "e.2", "v0", "v3.1", "d.2", "backward 0"),
    *("backward 1", "backward 2", "backward 6", "forward 1", "forward 2", "forward 9"),
    *("backward 999999", "backward 9999999", "backward -1", "no.1", "1.1", "e.0", "e.99"),
)
NUMBERS = (0, -0.0, 1, -3, 0.1, 7.25, 1e308, -1e308, 5e-324, 1e16, 123456789.123456789)
KINDS: tuple[AskedKind, ...] = (
    *("value", "local", "contribution", "sum", "final", "next", "sign", "change", "paths"),
    *("mistake", "text"),
)
TEXTS = (
    *(text for text in documents.STRINGS if "\ud800" not in text and "\udfff" not in text),
    "Why?", "x" * 40, "x" * 120, "<img src=x onerror=alert(1)>", "&lt;b&gt;", "a & b < c",
    "\u200f\u05d0\u05d1", "e\u0301" * 20, "{e.1.local}", "**a** `b`", "\u2028", "\t", '"""', "'''",
    "Talk to\nyour neighbour",
)  # fmt: skip
LINES = (
    "Why?",
    "x" * 40,
    "<b>bold</b>",
    "&lt;i&gt; & {a.grad}",
    "\u05d0\u05d1",
    "e\u0301" * 20,
    "`b` **a**",
)
"""Texts that a mark may have."""
CHOICES: tuple[list[dict[str, Any]], ...] = (
    [{"text": "yes", "right": True}, {"text": "no"}],
    [{"text": "<b>1</b>", "say": "<i>x</i>"}, {"text": "\u202e2", "right": True}],
    [{"text": "yes", "right": True}, {"text": "yes "}],
    [{"text": "= instead of +=", "right": True}, {"text": "no seed"}, {"text": "x" * 40}],
    [{"text": "7", "right": True}, {"text": "-7", "say": "x" * 56}],
    [],
)


def lecture(seed: int, number: int) -> tuple[str, bytes]:
    """What was done to a lecture, in one word, and what a file of it holds."""
    chance = random.Random(f"lecture {seed} {number}")
    name, make = chance.choice(_WAYS)
    return name, make(chance)


def plausible(number: int) -> bytes:
    """A lecture with little wrong in it."""
    return _made(random.Random(number))


@cache
def _documented() -> str:
    return DOCUMENT.read_text("utf-8").partition("```toml\n")[2].partition("```")[0]


def _head(chance: random.Random) -> list[str]:
    return ["format = 1", line("title", chance.choice(LINES if chance.random() < 0.9 else TEXTS))]


def _plausible(chance: random.Random) -> dict[str, Any]:
    """A mark that may fit."""
    if chance.random() < 0.1:
        return {"kind": "blank", "text": chance.choice(LINES)}
    kind = chance.choice(("", "", *KINDS))
    mark = _place_of(chance, kind)
    if chance.random() < 0.2:
        mark["mistake"] = chance.choice(MISTAKES).name
    if chance.random() < 0.3:
        names = chance.sample(("a", "a", "b", "f"), chance.randint(1, 2))
        mark["values"] = {name: chance.choice(NUMBERS) for name in names}
    if kind and chance.random() < 0.2:
        mark |= chance.choice(({"form": "number"}, {"form": "number"}, {"reveal": False}))
    for key in ("title", "notes"):
        if chance.random() < 0.3:
            mark[key] = chance.choice(LINES)
    return mark


def _place_of(chance: random.Random, kind: str) -> dict[str, Any]:
    """The keys of a question of a kind, or of a mark that asks nothing, at a place for it."""
    numbers, last = chance.choice(NUMBERS), chance.choice(("y", "L", "a"))
    found: dict[str, dict[str, Any]] = {
        "value": {"at": chance.choice(("forward 1", "forward 2")), "ask": kind},
        "change": {"ask": {"kind": kind, "leaf": "a", "to": numbers, "node": last}},
        "text": {"ask": kind, "text": chance.choice(LINES), "choices": chance.choice(CHOICES)},
        "mistake": {"ask": kind, "at": "end", "mistake": chance.choice(MISTAKES).name},
        "": {"at": chance.choice(PLACES if chance.random() < 0.2 else PLACES[:5])},
    }
    if kind in ("final", "sign", "paths"):
        return {"ask": {"kind": kind, "node": chance.choice("aaab")}}
    at = chance.choice(("backward 2", "backward 3", "backward 6"))
    return found.get(kind, {"at": at, "ask": kind})


def _table(chance: random.Random) -> dict[str, Any]:
    """A question that names what it is about."""
    table: dict[str, Any] = {"kind": chance.choice(KINDS)}
    table[chance.choice(("node", "node", "wire"))] = chance.choice(("a", "y", "e.1", "v0", "L"))
    if table["kind"] == "change":
        table |= {"leaf": chance.choice("abf"), "to": chance.choice(NUMBERS)}
    return table


def _marks(chance: random.Random) -> list[dict[str, Any]]:
    """Up to 200 marks, each on a graph of its own or on that of the mark before."""
    count = chance.choice((1, 1, 2, 3, 5, 200))
    marks = [_plausible(chance) for _ in range(count)]
    if count > 20:  # as slow as they can be: all alike, but with numbers of their own
        marks = [{**marks[0], "values": {"a": k + 0.5}} for k in range(count)]
    for k, mark in enumerate(marks):
        if not k or (chance.random() < 0.2 and count <= 20):
            mark["graph"] = chance.choice(GRAPHS if chance.random() < 0.1 else GRAPHS[:7])
    return marks


def _text(chance: random.Random, marks: list[dict[str, Any]]) -> str:
    lines = _head(chance)
    for mark in marks:
        lines += ["", "[[mark]]", *(line(key, value) for key, value in mark.items())]
    return "\n".join(lines) + "\n"


def _made(chance: random.Random) -> bytes:
    return _text(chance, _marks(chance)).encode("utf-8", "surrogatepass")


def _structure(chance: random.Random) -> bytes:
    """One to three values of another kind, in any key of any mark."""
    marks = _marks(chance)
    for _ in range(chance.randint(1, 3)):
        mark = chance.choice(marks)
        key = chance.choice((*mark, "at", "kind", "graph", "timer", "reveal", "choices", "x"))
        mark[key] = chance.choice((*_VALUES, chance.choice(CHOICES), _table(chance)))
    return _text(chance, marks).encode("utf-8", "surrogatepass")


def _bytes(chance: random.Random) -> bytes:
    content = _documented().encode() if chance.random() < 0.5 else _made(chance)
    for _ in range(chance.randint(1, 3)):
        start = chance.randrange(len(content) + 1)
        end = min(start + chance.choice((0, 0, 1, 5, 40)), len(content))
        put = chance.choice(
            (*documents.TOKENS, *_TOKENS, chance.randbytes(3), content[start:end] * 2)
        )
        content = content[:start] + put + content[end:]
    return content


def _deep(chance: random.Random) -> bytes:
    """Nested lists, tables and keys, and a file as long as it may be."""
    deep = chance.choice((10, 500, 20_000))
    value = chance.choice(
        (
            "[" * deep + "]" * deep,
            "{ a = " * deep + "1" + " }" * deep,
            "9" * deep,
            f'"{"x" * deep}"',
        )
    )
    key = chance.choice(("at", "values", "ask", "choices", ".".join("a" * min(deep, 30_000))))
    return f"{_documented()}\n[[mark]]\n{key} = {value}\n".encode()


_VALUES = tuple(
    value
    for value in (*TEXTS, *PLACES, *NUMBERS, *KINDS, True, False, [], {}, [[]], [1, 1], {"a": 1})
    if not isinstance(value, str) or value.isascii()
)
_TOKENS = (
    b'graph = { file = "../../x.backwire" }\n', b"[[mark]]\n", b"[mark]\n", b'"""', b"'''",
    b"mark = 7\n", b"format = 2\n", b"nan", b"inf", b"1979-05-27T07:32:00Z",
    b"0x7fffffffffffffffff",
    b"# \xe2\x80\xae\n", b'ask = "sum"\n', b"\r", b"\r\n", b'mistake = "recursive"\n',
)  # fmt: skip
_WAYS: tuple[tuple[str, Callable[[random.Random], bytes]], ...] = (
    ("plausible", _made), ("plausible", _made), ("structure", _structure),
    ("structure", _structure), ("bytes", _bytes), ("bytes", _bytes), ("deep", _deep),
)  # fmt: skip
