"""Documents made wrong: bytes changed at random, JSON changed with an eye for its structure.

Each is made from a seed and a number alone, so that any of them can be made again.
"""

import json
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from engine.formats.strict_json import SIZE_LIMIT

EXAMPLES = Path(__file__).parents[3] / "resources" / "examples"
GIANT_EVERY = 250
"""One document of so many is up to the size limit, or beyond."""

GOOD = (
    ("value", "NaN"), ("value", -0.0), ("value", 1e308), ("value", 7), ("position", [1e7, -1e7]),
    ("position", [0.1, 5e-324]),
)  # fmt: skip
TASKS = (
    None,
    {"text": "Why is größe 0?"},
    {"text": "", "start": "by hand", "locked": True},
    {"text": "x" * 240, "start": "predict", "level": "whole step", "steps": "every"},
)
STEPS = (
    'kind = "say"\nstart = "größe.1"',
    'kind = "say"\nvalues = { x1 = 2.5 }\ntitle = "<b>a</b>"\nnotes = "one\\n\\ntwo"',
    'kind = "blank"\ntext = "Talk to your neighbour"\ntimer = 60',
    'kind = "say"\nstart = "backward 99999"\nmistake = "recursive"',
    'kind = "say"\nstart = "forward 1"\nlight = ["x1", "gone"]',
    'kind = "ask"\nstart = "backward 1"\nform = "choices"\nask = [{ kind = "next" }]',
    'kind = "ask"\nask = [{ kind = "paths", node = "x1" }, { kind = "sign", node = "x1" }]',
    'kind = "ask"\nask = [{ kind = "change", leaf = "x1", to = 1e308, node = "v4" }]',
    'kind = "ask"\nreveal = false\nask = [{ kind = "text", text = "Why?", choices = '
    '[{ text = "a" }, { text = "b", say = "x", right = true }] }]',
    'kind = "hunt"\nhunt = ["assign", "no-seed"]',
    "kind = 7\ncolour = [",
)
"""Steps of a lesson on the sheet, some of which are faulty."""
OPS = ("add", "mul", "tanh", "pow", "where_gt0", "relu", "sub", "exp")


def document(seed: int, number: int) -> tuple[str, bytes]:
    """What was done to a document, in one word, and what a file of it holds."""
    chance = random.Random(f"document {seed} {number}")
    if is_giant(number):
        return "giant", giant(chance)
    whole = _whole(chance)
    name, change = chance.choice(_WAYS)
    return name, change(chance, whole)


def is_giant(number: int) -> bool:
    """Whether the document of this number is one of the large ones."""
    return number % GIANT_EVERY == GIANT_EVERY - 1


@cache
def _examples() -> tuple[bytes, ...]:
    return tuple(path.read_bytes() for path in sorted(EXAMPLES.glob("*.backwire")))


def _whole(chance: random.Random) -> bytes:
    """A document with nothing wrong in it."""
    if chance.random() < 0.4:
        return chance.choice(_examples())
    return json.dumps(_made(chance), ensure_ascii=chance.random() < 0.5).encode()


def _made(chance: random.Random) -> dict[str, Any]:
    """A document of up to 40 nodes, with sections and nested groups."""
    nodes: list[dict[str, Any]] = [_made_leaf(chance, k) for k in range(1, chance.randint(2, 6))]
    for number in range(len(nodes) + 1, len(nodes) + chance.randint(2, 34)):
        source = chance.choice((number - 1, chance.randint(1, number - 1), None))
        op = chance.choice(OPS)
        slots = {"add": 2, "mul": 2, "pow": 2, "sub": 2, "where_gt0": 3}.get(op, 1)
        inputs = [source, *(chance.randint(1, number - 1) for _ in range(slots - 1))]
        nodes.append({"id": number, "kind": "op", "op": op, "inputs": inputs, "label": "größe"})
    root = len(nodes) + 1
    nodes.append({"id": root, "kind": "root", "inputs": [root - 1]})
    task = chance.choice(TASKS)
    steps = chance.choices(STEPS[: chance.choice((9, 10, 11))], k=chance.choice((0, 0, 1, 4, 9)))
    lesson = "".join(f"[[step]]\n{step}\n" for step in steps)
    drawn = {"rect": [0.0, 0.0, 240.0, 120.0], "colour": 2}
    as_sections = chance.random() < 0.5  # as files had drawn groups before version 6
    return {
        "format": "backwire",
        "version": 6 if not as_sections else 5 if lesson else 1 if task is None else 2,
        "nodes": nodes,
        "active_root": root,
        "next_id": root + chance.randint(1, 9),
        **({"sections": [{"id": 3, "title": "part", **drawn}]} if as_sections else {}),
        "groups": [
            {"id": 1, "title": "outer", "members": [1]},
            {"id": 2, "title": "", "members": [2], "collapsed": True, "parent": 1},
            *([] if as_sections else [{"id": 3, "title": "part", "members": [], **drawn}]),
        ],
        **({} if task is None else {"task": task}),
        **({"lesson": lesson} if lesson else {}),
    }


def _made_leaf(chance: random.Random, number: int) -> dict[str, Any]:
    value = chance.choice((1.0, -2.5, 0.0, "NaN", "Infinity", "-Infinity", 5e-324, 1e308, 3))
    place = [chance.uniform(-900, 900), chance.uniform(-900, 900)]
    kind = chance.choice(("leaf", "leaf", "constant"))
    return {"id": number, "kind": kind, "label": f"x{number}", "value": value, "position": place}


# bytes


def _flip(chance: random.Random, content: bytes) -> bytes:
    changed = bytearray(content)
    for _ in range(chance.randint(1, 8)):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _cut(chance: random.Random, content: bytes) -> bytes:
    return content[: chance.randrange(len(content))]


def _splice(chance: random.Random, content: bytes) -> bytes:
    other = _whole(chance)
    return content[: chance.randrange(len(content))] + other[chance.randrange(len(other)) :]


def _repeat(chance: random.Random, content: bytes) -> bytes:
    start, end = sorted(chance.randrange(len(content) + 1) for _ in range(2))
    return content[:end] + content[start:end] * chance.randint(1, 4) + content[end:]


def _leave_out(chance: random.Random, content: bytes) -> bytes:
    start = chance.randrange(len(content))
    return content[:start] + content[start + chance.choice((1, 1, 2, 5, 30)) :]


def _insert(chance: random.Random, content: bytes) -> bytes:
    for _ in range(chance.randint(1, 3)):
        token = chance.choice(TOKENS) if chance.random() < 0.8 else chance.randbytes(4)
        place = chance.randrange(len(content) + 1)
        content = content[:place] + token + content[place:]
    return content


# structure


def _structure(chance: random.Random, content: bytes) -> bytes:
    """One to three changes that keep it JSON."""
    tree = json.loads(content)
    for _ in range(chance.randint(1, 3)):
        if isinstance(tree, dict | list) and tree:
            tree = chance.choice(_CHANGES)(chance, tree)
    escaped = chance.random() < 0.5
    return json.dumps(tree, ensure_ascii=escaped).encode("utf-8", "surrogatepass")


def _place(chance: random.Random, tree: Any) -> tuple[Any, Any]:
    """A list or an object somewhere in a tree, and one of its keys."""
    places = []
    waiting = [tree]
    while waiting:
        part = waiting.pop()
        keys = list(part) if isinstance(part, dict) else list(range(len(part)))
        places += [(part, key) for key in keys]
        waiting += [part[key] for key in keys if isinstance(part[key], dict | list)]
    return chance.choice(places)


def _replace(chance: random.Random, tree: Any) -> Any:
    part, key = _place(chance, tree)
    part[key] = chance.choice(VALUES)
    return tree


def _remove(chance: random.Random, tree: Any) -> Any:
    part, key = _place(chance, tree)
    del part[key]
    return tree


def _rename(chance: random.Random, tree: Any) -> Any:
    part, key = _place(chance, tree)
    if isinstance(part, dict):
        part[chance.choice(STRINGS)] = part.pop(key)
    return tree


def _exchange(chance: random.Random, tree: Any) -> Any:
    """Copy a part of the tree to another place, itself included."""
    (source, key), (target, other) = _place(chance, tree), _place(chance, tree)
    target[other] = json.loads(json.dumps(source[key]))
    return tree


def _gentle(chance: random.Random, tree: Any) -> Any:
    """Other values, labels and places, all of which a file may hold."""
    nodes = tree.get("nodes") if isinstance(tree, dict) else ()
    for node in nodes if isinstance(nodes, list) else ():
        if isinstance(node, dict) and chance.random() < 0.3:
            name, value = chance.choice(GOOD)
            if name != "value" or name in node:
                node[name] = value
    return tree


def _number(chance: random.Random, tree: Any) -> Any:
    """Shift a number by a little, so that ids and slots point elsewhere."""
    for _ in range(20):
        part, key = _place(chance, tree)
        if type(part[key]) in (int, float):
            part[key] += chance.choice((-1, 1, 2, -3, 0.5, 10**6, 2**53, -(2**63)))
            break
    return tree


def _nest(chance: random.Random, tree: Any) -> Any:
    part, key = _place(chance, tree)
    for _ in range(chance.choice((1, 2, 15, 25, 200))):
        part[key] = [part[key]] if chance.random() < 0.8 else {"a": part[key]}
    return tree


_CHANGES = (
    _replace, _replace, _replace, _remove, _rename, _exchange, _number, _number, _nest, _gentle,
    _gentle,
)  # fmt: skip
_WAYS: tuple[tuple[str, Callable[[random.Random, bytes], bytes]], ...] = (
    ("flip", _flip), ("truncate", _cut), ("splice", _splice), ("repeat", _repeat),
    ("leave out", _leave_out), ("insert", _insert), ("structure", _structure),
    ("structure", _structure), ("structure", _structure), ("structure", _structure),
)  # fmt: skip


MIB = 2**20
HEAD = '{"format": "backwire", "version": 1, "nodes": ['
LEAF = '{"id": 1, "kind": "leaf", "value": 1.0}'


def giant(chance: random.Random) -> bytes:
    """A document of 1 MiB up to just above the limit, half of them just below it."""
    below = SIZE_LIMIT - chance.randint(1, MIB)
    size = chance.choice((chance.randint(MIB, SIZE_LIMIT + MIB), below, below - MIB // 2, MIB))
    return chance.choice(_GIANTS)(chance, size)


def _long_key(_chance: random.Random, size: int) -> bytes:
    return f'{HEAD}{LEAF}], "{"k" * size}": 1}}'.encode()


def _long_keys(_chance: random.Random, size: int) -> bytes:
    keys = ", ".join(f'"{k}{"k" * MIB}": {k}' for k in range(max(1, size // MIB)))
    return f'{HEAD}{LEAF}], "groups": [{{{keys}}}]}}'.encode()


def _many_keys(_chance: random.Random, size: int) -> bytes:
    keys = ",".join(f'"{k:x}":0' for k in range(size // 10))
    return f'{HEAD}{LEAF}], "x": {{{keys}}}}}'.encode()


def _long_label(chance: random.Random, size: int) -> bytes:
    letter = chance.choice(("x", "é", "€", "🦉"))
    label = letter * (size // len(letter.encode()))
    return f'{HEAD}{{"id": 1, "kind": "leaf", "value": 1.0, "label": "{label}"}}]}}'.encode()


def _wide_beside_narrow(_chance: random.Random, size: int) -> bytes:
    """One owl makes every other character of the text as wide as it is."""
    label = "x" * size + "🦉"
    return f'{HEAD}{{"id": 1, "kind": "leaf", "value": 1.0, "label": "{label}"}}]}}'.encode()


def _escapes(_chance: random.Random, size: int) -> bytes:
    label = "\\ud83e\\udd89" * (size // 12)
    return f'{HEAD}{{"id": 1, "kind": "leaf", "value": 1.0, "label": "{label}"}}]}}'.encode()


def _long_number(_chance: random.Random, size: int) -> bytes:
    return f'{HEAD}{{"id": {"9" * size}, "kind": "leaf", "value": 1.0}}]}}'.encode()


def _long_fraction(_chance: random.Random, size: int) -> bytes:
    return f'{HEAD}{{"id": 1, "kind": "leaf", "value": 0.{"3" * size}}}]}}'.encode()


def _many_numbers(_chance: random.Random, size: int) -> bytes:
    return b'{"nodes": [' + b"1.5," * (size // 4) + b"0]}"


def _many_names(_chance: random.Random, size: int) -> bytes:
    """Many different short strings, each an object of its own."""
    names = ",".join(f'"{k:06x}"' for k in range(size // 9))
    return f'{{"nodes": [{names}]}}'.encode()


def _many_lists(_chance: random.Random, size: int) -> bytes:
    return b'{"nodes": [' + b"[]," * (size // 3) + b"0]}"


def _many_nodes(_chance: random.Random, size: int) -> bytes:
    rows = [f'{{"id":{k},"kind":"leaf","value":1}}' for k in range(1, size // 34)]
    return f"{HEAD}{','.join(rows)}]}}".encode()


def _many_sections(_chance: random.Random, size: int) -> bytes:
    rows = [f'{{"id":{k},"title":"","rect":[0,0,1,1]}}' for k in range(1, size // 42)]
    return f'{HEAD}{LEAF}], "sections": [{",".join(rows)}]}}'.encode()


def _many_members(_chance: random.Random, size: int) -> bytes:
    row = ",".join(map(str, range(1, size // 8)))
    group = f'{{"id": 1, "title": "", "members": [{row}]}}'
    return f'{HEAD}{LEAF}], "groups": [{group}]}}'.encode()


def _deep(chance: random.Random, size: int) -> bytes:
    return chance.choice((b"[", b'{"a":', b'["a",[')) * (size // 6)


def _blank(_chance: random.Random, size: int) -> bytes:
    return (HEAD + LEAF).encode() + b" \n" * (size // 2) + b"]}"


def _not_text(chance: random.Random, size: int) -> bytes:
    return chance.randbytes(MIB) * (size // MIB)


def _nothing_closed(_chance: random.Random, size: int) -> bytes:
    return b'"' + b"\\" * size


def _quotes(_chance: random.Random, size: int) -> bytes:
    return json.dumps('"\\' * (size // 4)).encode()


_GIANTS: tuple[Callable[[random.Random, int], bytes], ...] = (
    _long_key, _long_keys, _many_keys, _long_label, _wide_beside_narrow, _escapes, _long_number,
    _long_fraction, _many_numbers, _many_names, _many_lists, _many_nodes, _many_sections,
    _many_members, _deep, _blank, _not_text, _nothing_closed, _quotes,
)  # fmt: skip


STRINGS = (
    "", " ", "id", "kind", "value", "\ud800", "\udfff\ud800", "a\ud83d", "\0", "a\x07b",
    "line\nbreak", "\u202eevil", "\u2066", "a\u200db", "\u200d", "🦉", "x" * 200, "x" * 201,
    "x" * 241, "predict", "whole step", "é" * 5000, "\ufeff", "\uffff", "NaN", "Infinity", "nan",
    "__class__", "<b>bold</b>", "{0.__class__}", "%s%n", "../../etc/passwd", "add", "root",
)  # fmt: skip

VALUES: tuple[Any, ...] = (
    *STRINGS,
    None,
    True,
    False,
    0,
    -0.0,
    -1,
    1,
    2,
    3,
    2**31,
    2**53,
    2**53 + 1,
    2**63,
    2**64,
    -(2**70),
    10**400,
    1.5,
    1e308,
    -1e308,
    5e-324,
    1e7,
    1e7 + 1,
    float("nan"),
    float("inf"),
    [],
    {},
    [[]],
    [None],
    [1, 1],
    [1e9, 1e9],
    [0.0, 0.0],
    [1, None, 2],
    {"": ""},
    {"id": 1},
    "leaf",
    "constant",
    "op",
)

TOKENS = (
    b'"\\ud800"', b"\\udfff", b"\xed\xa0\x80", b"\xff", b"\xc0\x80", b"\xef\xbb\xbf", b"\0",
    b"\\u0000", b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"NaN", b"-Infinity", b"1e999",
    b"-1e-999", b"-0", b"01", b"1.", b"null", b"true", b"/* */", b"\r", b"\xe2\x80\xa8",
    b'"id": 1, ', b'"format": "backwire", ', b"9" * 5000, b"[" * 100, b'{"a":' * 100,
)  # fmt: skip
